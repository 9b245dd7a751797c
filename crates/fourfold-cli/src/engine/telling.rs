//! Scores and lines of moves as the protocol writes them.
//!
//! ```text
//! score mate 7     proven: the side to move wins with its 7th disc from here (in 13 plies)
//! score mate -6    proven: it loses with the opponent's 6th disc (in 12 plies)
//! score mate 0     it has lost already
//! score draw       proven
//! score win        proven, but not how soon; so score loss
//! score cp 35      an evaluator's estimate, in its own points
//! ```
//!
//! All scores are for the side to move.

use fourfold::game::{Move, Rules};
use fourfold::score::Verdict;
use std::fmt;
use std::time::Duration;

/// A verdict as `score` has it.
pub(super) struct Score(pub(super) Verdict);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Verdict::Win { plies: Some(plies) } => write!(f, "mate {}", plies.div_ceil(2)),
            Verdict::Win { plies: None } => f.write_str("win"),
            Verdict::Draw => f.write_str("draw"),
            Verdict::Loss { plies: Some(plies) } => write!(f, "mate {}", -i64::from(plies / 2)),
            Verdict::Loss { plies: None } => f.write_str("loss"),
            Verdict::Estimate(points) => write!(f, "cp {points}"),
        }
    }
}

/// Moves with spaces between them.
pub(super) fn moves(rules: &Rules, moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.label(rules)).collect::<Vec<_>>().join(" ")
}

/// `nodes 120 nps 60000 time 2`.
pub(super) fn spent(nodes: u64, time: Duration) -> String {
    let rate = nodes as f64 / time.as_secs_f64().max(1e-6);
    format!("nodes {nodes} nps {rate:.0} time {}", time.as_millis())
}

/// What an engine has reported about its search so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SearchInfo {
    pub(crate) verdict: Option<Verdict>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
}

/// Reads an `info` line; what is not understood is ignored.
pub(crate) fn read_info(line: &str, info: &mut SearchInfo) {
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next().and_then(|word| word.parse().ok()).or(info.depth),
            "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()).or(info.nodes),
            "score" => info.verdict = read_score(&mut words).or(info.verdict),
            // What follows is free text, or moves.
            "string" | "pv" => return,
            _ => {}
        }
    }
}

fn read_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Verdict> {
    match words.next()? {
        "cp" => words.next()?.parse().ok().map(Verdict::Estimate),
        "draw" => Some(Verdict::Draw),
        "win" => Some(Verdict::Win { plies: None }),
        "loss" => Some(Verdict::Loss { plies: None }),
        "mate" => {
            let moves: i16 = words.next()?.parse().ok()?;
            let count = u32::from(moves.unsigned_abs());
            Some(if moves > 0 {
                Verdict::Win { plies: Some(2 * count - 1) }
            } else {
                Verdict::Loss { plies: Some(2 * count) }
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Score, SearchInfo, read_info};
    use fourfold::score::Verdict;

    #[test]
    fn scores_are_read_as_they_are_written() {
        for verdict in [
            Verdict::Win { plies: Some(1) },
            Verdict::Win { plies: Some(13) },
            Verdict::Win { plies: None },
            Verdict::Draw,
            Verdict::Loss { plies: Some(0) },
            Verdict::Loss { plies: Some(12) },
            Verdict::Loss { plies: None },
            Verdict::Estimate(-35),
        ] {
            let mut info = SearchInfo::default();
            read_info(&format!("info depth 9 score {} nodes 77 pv 1 2", Score(verdict)), &mut info);
            assert_eq!(
                info,
                SearchInfo { verdict: Some(verdict), depth: Some(9), nodes: Some(77) }
            );
        }
    }

    #[test]
    fn what_is_not_understood_is_passed_over() {
        let mut info = SearchInfo { nodes: Some(3), ..SearchInfo::default() };
        for line in [
            "info",
            "info nodes x",
            "info score",
            "info score cp",
            "info score mate 99999",
            "info string nodes 5",
        ] {
            read_info(line, &mut info);
            assert_eq!(info, SearchInfo { nodes: Some(3), ..SearchInfo::default() }, "{line}");
        }
    }
}
