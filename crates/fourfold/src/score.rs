//! Scores inside, verdicts outside.
//!
//! A search compares plain integers. A finished game is worth [`win_at`] the ply it ended on, so
//! that a sooner win is worth more and the value of a position does not depend on how it was
//! reached; everything an evaluator can say lies strictly between a late loss and a late win.
//! People read a [`Verdict`] instead.

use crate::game::Position;
use std::fmt;

/// More than any score. Windows open from `-INFINITY` to `INFINITY`.
pub const INFINITY: i32 = i32::MAX;

/// A win with no regard to when. Every win that counts its plies is worth a little less.
pub const WIN: i32 = 100_000_000;

/// Scores of at least this much (or at most its negative) are decided games; what an evaluator says
/// is smaller.
pub const DECIDED: i32 = WIN - 1000;

/// The most an evaluator may say, for either side.
pub const LARGEST_ESTIMATE: i32 = DECIDED - 1;

/// What a win is worth to the winner that ends the game with `ply` discs on the board.
#[inline(always)]
#[must_use]
pub fn win_at(ply: u32) -> i32 {
    WIN - ply as i32
}

/// True if the score is that of a won or lost game.
#[must_use]
pub fn is_decided(score: i32) -> bool {
    score.unsigned_abs() >= DECIDED.unsigned_abs()
}

/// The ply on which a game ends whose score, as P. Pons' solver counts it, is `score` for the side
/// to move at `ply`: the winner's k-th last disc is what a score of k or -k says. None for a draw.
#[must_use]
pub fn end_of(score: i32, ply: u32, cells: u32) -> Option<u32> {
    if score == 0 {
        return None;
    }
    // The last disc of the one who moves now lies an odd number of plies ahead, the opponent's an
    // even one.
    let winner_moves_now = u32::from(score > 0);
    let latest = (cells + 2).saturating_sub(2 * score.unsigned_abs());
    let wrong_parity = (latest + ply + winner_moves_now) % 2;
    Some(latest.saturating_sub(wrong_parity).max(ply))
}

/// What is known of a position, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins.
    Win {
        /// The number of moves (of both sides) until then, if it is known.
        plies: Option<u32>,
    },
    /// Neither side can force a win.
    Draw,
    /// The opponent wins.
    Loss {
        /// The number of moves (of both sides) until then, if it is known.
        plies: Option<u32>,
    },
    /// Nothing is proven; an evaluator's opinion, positive if it likes the side to move.
    Estimate(i32),
}

impl Verdict {
    /// What a search score (for the side to move) says of a position with `ply` discs. `complete`
    /// tells that every line was searched to the end of the game, so that an undecided score is
    /// a draw.
    #[must_use]
    pub fn of_score(score: i32, ply: u32, complete: bool) -> Self {
        let plies = |score: i32| (score < WIN).then(|| ((WIN - score) as u32).saturating_sub(ply));
        if score >= DECIDED {
            Self::Win { plies: plies(score) }
        } else if score <= -DECIDED {
            Self::Loss { plies: plies(-score) }
        } else if complete {
            Self::Draw
        } else {
            Self::Estimate(score)
        }
    }

    /// What an exact score as P. Pons' solver counts it (see [`Verdict::distance_score`]) says of a
    /// position.
    #[must_use]
    pub fn of_distance_score(score: i32, position: &Position) -> Self {
        let ply = position.ply();
        let plies = end_of(score, ply, position.rules().cells()).map(|end| end - ply);
        match score {
            0 => Self::Draw,
            1.. => Self::Win { plies },
            _ => Self::Loss { plies },
        }
    }

    /// The same for the other side, one move before.
    #[must_use]
    pub fn one_move_before(self) -> Self {
        let earlier = |plies: Option<u32>| plies.map(|plies| plies + 1);
        match self {
            Self::Win { plies } => Self::Loss { plies: earlier(plies) },
            Self::Loss { plies } => Self::Win { plies: earlier(plies) },
            Self::Draw => Self::Draw,
            Self::Estimate(score) => Self::Estimate(-score),
        }
    }

    /// The number of plies (moves of both sides) to the win, if there is one and its distance is
    /// known.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            Self::Win { plies } | Self::Loss { plies } => plies,
            Self::Draw | Self::Estimate(_) => None,
        }
    }

    /// The number of discs that the winner still places, the winning one included: how people count
    /// a win in so many moves.
    #[must_use]
    pub fn winner_moves(self) -> Option<u32> {
        // A win takes an odd number of plies for the side to move, and a loss an even one.
        self.plies().map(|plies| plies.div_ceil(2))
    }

    /// The score as P. Pons' solver counts it: 1 for a win with the winner's last disc, 2 with the
    /// one before, ..., negative for a loss, 0 for a draw; `None` for an estimate or an unknown
    /// distance.
    #[must_use]
    pub fn distance_score(self, position: &Position) -> Option<i32> {
        // A win after p plies from n discs on C cells leaves room for (C + 2 - n - p) / 2 discs,
        // rounded down.
        let score = |plies: u32| {
            ((position.rules().cells() + 2).saturating_sub(position.ply() + plies) / 2) as i32
        };
        match self {
            Self::Win { plies } => plies.map(score),
            Self::Draw => Some(0),
            Self::Loss { plies } => plies.map(|plies| -score(plies)),
            Self::Estimate(_) => None,
        }
    }
}

/// As people count: `wins in 7 moves` means that the winner places seven more discs. `draw`,
/// `loses in 6 moves`, `has lost`, `wins`, `+35`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |moves: u32| if moves == 1 { "" } else { "s" };
        match (self, self.winner_moves()) {
            (Self::Win { .. }, Some(moves)) => write!(f, "wins in {moves} move{}", plural(moves)),
            (Self::Win { .. }, None) => f.write_str("wins"),
            (Self::Draw, _) => f.write_str("draw"),
            (Self::Loss { .. }, Some(0)) => f.write_str("has lost"),
            (Self::Loss { .. }, Some(moves)) => {
                write!(f, "loses in {moves} move{}", plural(moves))
            }
            (Self::Loss { .. }, None) => f.write_str("loses"),
            (Self::Estimate(0), _) => f.write_str("0"),
            (Self::Estimate(score), _) => write!(f, "{score:+}"),
        }
    }
}

/// `{"result":"win","plies":7}`, `{"result":"estimate","score":35}`.
#[cfg(feature = "json")]
impl serde::Serialize for Verdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Win { plies } => {
                map.serialize_entry("result", "win")?;
                map.serialize_entry("plies", plies)?;
            }
            Self::Draw => map.serialize_entry("result", "draw")?,
            Self::Loss { plies } => {
                map.serialize_entry("result", "loss")?;
                map.serialize_entry("plies", plies)?;
            }
            Self::Estimate(score) => {
                map.serialize_entry("result", "estimate")?;
                map.serialize_entry("score", score)?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn scores_become_verdicts_and_back() {
        assert_eq!(Verdict::of_score(win_at(41), 0, false), Verdict::Win { plies: Some(41) });
        assert_eq!(Verdict::of_score(-win_at(10), 4, false), Verdict::Loss { plies: Some(6) });
        assert_eq!(Verdict::of_score(WIN, 4, false), Verdict::Win { plies: None });
        assert_eq!(Verdict::of_score(0, 4, true), Verdict::Draw);
        assert_eq!(Verdict::of_score(12, 4, false).to_string(), "+12");
    }

    #[test]
    fn distances_are_counted_in_the_winners_discs() {
        for (verdict, words) in [
            (Verdict::Win { plies: Some(1) }, "wins in 1 move"),
            (Verdict::Win { plies: Some(13) }, "wins in 7 moves"),
            (Verdict::Loss { plies: Some(12) }, "loses in 6 moves"),
            (Verdict::Loss { plies: Some(2) }, "loses in 1 move"),
            (Verdict::Loss { plies: Some(0) }, "has lost"),
            (Verdict::Win { plies: None }, "wins"),
        ] {
            assert_eq!(verdict.to_string(), words);
        }
    }

    #[test]
    fn distance_scores_are_those_of_the_convention() {
        let empty = Position::new(Rules::CONNECT_FOUR);
        assert_eq!(Verdict::Win { plies: Some(41) }.distance_score(&empty), Some(1));
        assert_eq!(Verdict::Loss { plies: Some(42) }.distance_score(&empty), Some(-1));
        assert_eq!(Verdict::Win { plies: Some(7) }.distance_score(&empty), Some(18));
    }
}
