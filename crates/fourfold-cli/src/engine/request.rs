//! `position` and `go`: what is asked, read and checked.

use fourfold::game::notation::{self, Format, parse_move};
use fourfold::game::{Position, Rules, Side};
use std::time::Duration;

/// Reads what follows `position`: `startpos` or `fen TEXT`, then `moves` and the moves. `game` is
/// that of a text that names none.
///
/// # Errors
/// In words, with the number of the move that cannot be made.
pub(super) fn position(text: &str, game: &Rules) -> Result<Position, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (board, moves) = (&words[..at], words.get(at + 1..).unwrap_or_default());
    let start = match board {
        ["startpos"] => Position::new(*game),
        ["fen", rows @ ..] if !rows.is_empty() => {
            let rows = rows.join(" ");
            // A text that names its game needs no other.
            let game = (!rows.contains(':')).then_some(game);
            notation::Reader::new()
                .format(Format::Fen)
                .rules(game)
                .read(&rows)
                .map_err(|why| why.to_string())?
                .position
        }
        _ => {
            return Err(
                "write 'startpos' or 'fen' and a board, then 'moves' and the moves".to_owned()
            );
        }
    };
    let mut position = start;
    for (index, word) in moves.iter().enumerate() {
        let mv = parse_move(&position, word).map_err(|why| format!("move {}: {why}", index + 1))?;
        position = position.play_unchecked(mv);
    }
    Ok(position)
}

/// What `go` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Go {
    /// Plies to look ahead at most.
    pub(super) depth: Option<u32>,
    /// Nodes at most.
    pub(super) nodes: Option<u64>,
    /// Time for this move.
    pub(super) time: Option<Duration>,
    /// No answer before `stop`.
    pub(super) infinite: bool,
    /// An exact answer, however long it takes.
    pub(super) perfect: bool,
}

/// A `go` that says nothing is given so long.
const USUAL: Duration = Duration::from_secs(1);

/// What a side has left for the rest of the game.
#[derive(Debug, Clone, Copy, Default)]
struct Clock {
    left: Option<i64>,
    gained: i64,
}

impl Go {
    /// Reads what follows `go`. What makes no sense is left out, each with a complaint.
    pub(super) fn read(text: &str, position: &Position) -> (Self, Vec<String>) {
        let mut go = Self::default();
        let mut complaints = Vec::new();
        let (mut first, mut second, mut moves_to_go) = (Clock::default(), Clock::default(), None);
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "perfect" => go.perfect = true,
                "depth" | "nodes" | "movetime" | "wtime" | "btime" | "winc" | "binc"
                | "movestogo" => {
                    let value = words.next_if(|value| value.parse::<i64>().is_ok());
                    let Some(number) = value.and_then(|value| value.parse::<i64>().ok()) else {
                        complaints
                            .push(format!("go: a whole number must follow {word}; it is left out"));
                        continue;
                    };
                    // Clocks may have run below 0; the others begin at 1.
                    let counted = number.max(1).unsigned_abs();
                    match word {
                        "depth" => go.depth = Some(u32::try_from(counted).unwrap_or(u32::MAX)),
                        "nodes" => go.nodes = Some(counted),
                        "movetime" => go.time = Some(Duration::from_millis(counted)),
                        "wtime" => first.left = Some(number),
                        "btime" => second.left = Some(number),
                        "winc" => first.gained = number.max(0),
                        "binc" => second.gained = number.max(0),
                        _ => moves_to_go = Some(counted),
                    }
                }
                word => complaints
                    .push(format!("go: {:?} is not known here; it is left out", excerpt(word))),
            }
        }
        let clock = if position.to_move() == Side::First { first } else { second };
        if let (None, Some(left)) = (go.time, clock.left) {
            go.time = Some(share(left, clock.gained, moves_to_go, position));
        }
        (go, complaints)
    }

    /// The same, with the usual time if it says nothing at all.
    pub(super) fn bounded(self) -> Self {
        if self == Self::default() { Self { time: Some(USUAL), ..self } } else { self }
    }
}

/// What to spend of a clock on this move, in ms: an equal share for the moves to come (of which a
/// game has fewer than the board has room for), and most of what each move gains.
fn share(left: i64, gained: i64, moves_to_go: Option<u64>, position: &Position) -> Duration {
    let left = left.max(1).unsigned_abs();
    let to_come = u64::from(position.empty().div_ceil(2)).clamp(2, 12);
    let to_come = moves_to_go.map_or(to_come, |moves| moves.clamp(1, to_come));
    let wanted = left / to_come + gained.unsigned_abs() / 4 * 3;
    // Never all of it: the answer has to arrive.
    Duration::from_millis(wanted.min(left - left / 8).max(1))
}

/// The beginning of what was written.
pub(super) fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    let start: String = text.chars().take(MOST).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}

#[cfg(test)]
mod tests {
    use super::{Go, position, share};
    use fourfold::game::{Position, Rules};
    use std::time::Duration;

    fn connect_four(text: &str) -> Result<Position, String> {
        position(text, &Rules::CONNECT_FOUR)
    }

    #[test]
    fn positions_by_moves_and_by_text() {
        let moves = connect_four("startpos moves 4 d 5 c1").unwrap();
        assert_eq!(moves.ply(), 4);
        assert_eq!(connect_four("fen 7/7/7/7/3o3/2oxx2 x").unwrap(), moves);
        assert_eq!(connect_four("fen 7/7/7/7/7/3x3 moves 4 5 3").unwrap(), moves);
        assert_eq!(position("startpos moves b2", &Rules::TIC_TAC_TOE).unwrap().ply(), 1);
        assert_eq!(
            *connect_four("fen 3x3c3f:3/1x1/3 moves 1").unwrap().rules(),
            Rules::TIC_TAC_TOE
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, message) in [
            ("", "write 'startpos' or 'fen'"),
            ("startpos 4 4", "write 'startpos' or 'fen'"),
            ("fen", "write 'startpos' or 'fen'"),
            ("fen moves 4", "write 'startpos' or 'fen'"),
            ("startpos moves 4 8", "move 2: there is no column 8"),
            ("startpos moves 4 4 4 4 4 4 4", "move 7: column 4 is full"),
            ("startpos moves 1 2 1 2 1 2 1 2", "move 8: the game is over"),
            ("fen 7/7 x", "it has 2 rows, but 7x6c4 has 6"),
        ] {
            let error = connect_four(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn go_takes_what_it_understands() {
        let empty = Position::new(Rules::CONNECT_FOUR);
        let (go, complaints) = Go::read("depth 9 nodes 5000 movetime 20", &empty);
        let time = Some(Duration::from_millis(20));
        assert_eq!(go, Go { depth: Some(9), nodes: Some(5000), time, ..Go::default() });
        assert!(complaints.is_empty());
        let (go, complaints) = Go::read("depth ponder nodes -5 infinite \u{1}", &empty);
        assert_eq!(go, Go { nodes: Some(1), infinite: true, ..Go::default() });
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert_eq!(Go::read("", &empty).0.bounded().time, Some(Duration::from_secs(1)));
        // The clock of the side to move counts.
        let go = |position| Go::read("wtime 12000 btime 1200 winc 0 binc 0", position).0.time;
        assert_eq!(go(&empty), Some(Duration::from_secs(1)));
        assert_eq!(
            go(&connect_four("startpos moves 4").unwrap()),
            Some(Duration::from_millis(100))
        );
    }

    #[test]
    fn a_clock_is_never_spent_whole() {
        let empty = Position::new(Rules::TIC_TAC_TOE);
        for left in [-5, 0, 1, 2, 10, 1000] {
            let spent = share(left, 100_000, Some(1), &empty).as_millis() as i64;
            assert!(spent >= 1 && spent <= left.max(1), "{left}: {spent}");
        }
    }
}
