//! What can be wrong with a written position, in words for someone who meets the format for the
//! first time.
//!
//! The messages say what is wrong, never what to do about it in some front end: whoever reads the
//! position adds how a format or a game is named there.

use super::Format;
pub(super) use crate::game::rules::excerpt;
use crate::game::{HistoryError, PlayError, Rules, RulesError, SetupError};

/// Why a text is not read, or a position not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// Longer than any position can need.
    #[error("the text has {bytes} bytes; a position needs no more than {most}")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// Looks like none of the formats.
    #[error("{text:?} is in no known format")]
    Unrecognised {
        /// The beginning of the text.
        text: String,
    },
    /// Makes sense in several formats, and not the same sense.
    #[error("{text:?} can be read in different ways: as {}", alternatives(.formats))]
    Ambiguous {
        /// The beginning of the text.
        text: String,
        /// The formats that read it differently.
        formats: Vec<Format>,
    },
    /// Something else was expected at some character.
    #[error("{format}: at character {at}, {found:?}: expected {expected}")]
    Syntax {
        /// The format it was read in.
        format: Format,
        /// The character, from 1.
        at: usize,
        /// What stands there (or is missing, if empty).
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// Some named part of the text is wrong.
    #[error("{format}: {place}: {problem}")]
    Content {
        /// The format it was read in.
        format: Format,
        /// Where: a row, a field, a cell.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// A board with more or fewer rows than the game's.
    #[error("{format}: it has {rows} rows, but {game} has {}", .game.height())]
    RowCount {
        /// The format it was read in.
        format: Format,
        /// How many rows there are.
        rows: usize,
        /// The game it was read for.
        game: Rules,
    },
    /// A row with more or fewer cells than the game's.
    #[error(
        "{format}: row {row} from the top has {cells} cells, but {game} has {} columns",
        .game.width()
    )]
    RowWidth {
        /// The format it was read in.
        format: Format,
        /// Which row, from 1 at the top.
        row: usize,
        /// How many cells there are.
        cells: u64,
        /// The game it was read for.
        game: Rules,
    },
    /// The text or the format is JSON, but the library was built without its feature `json`.
    #[error("this build reads and writes no JSON")]
    NoJson,
    /// A move that cannot be made.
    #[error("move {number}: {why}")]
    Move {
        /// From 1.
        number: usize,
        /// What is wrong with it.
        why: PlayError,
    },
    /// A column that is not on the board, as the format names columns.
    #[error(
        "move {number}: there is no column {text}: the board has columns {first} to {last}{hint}"
    )]
    NoSuchColumn {
        /// Which move, from 1.
        number: usize,
        /// The column as written.
        text: String,
        /// The leftmost column in that notation.
        first: String,
        /// The rightmost.
        last: String,
        /// What may have been meant, or nothing.
        hint: &'static str,
    },
    /// A column 0 among columns from 1.
    #[error("move {number}: there is no column 0: columns are numbered from 1")]
    CountsFromZero {
        /// Which move, from 1.
        number: usize,
    },
    /// A move at a prompt that cannot be made.
    #[error(transparent)]
    Illegal(#[from] PlayError),
    /// A move at a prompt that cannot be understood.
    #[error("{text:?} is not a move here: type {expected}")]
    NotAMove {
        /// The beginning of what was typed.
        text: String,
        /// What may be.
        expected: &'static str,
    },
    /// The text names a game, and that is not one.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The text names one game, the caller another.
    #[error("this is a position of {named}, not of {given}")]
    OtherGame {
        /// The game in the text.
        named: Rules,
        /// The caller's.
        given: Rules,
    },
    /// The discs cannot lie so.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The format cannot hold positions of this game.
    #[error("the format {format} cannot hold a position of {game}: {reason}")]
    NotForGame {
        /// The format.
        format: Format,
        /// The game.
        game: Rules,
        /// Why not.
        reason: &'static str,
    },
    /// The format lists moves, and no order of moves is known or was found.
    #[error("the format {format} lists moves: {why}")]
    NoOrder {
        /// The format.
        format: Format,
        /// Why there is no order.
        why: HistoryError,
    },
    /// The format holds a score, and none is known.
    #[error("the format {format} needs a score, and none is known for this position")]
    NoScore {
        /// The format.
        format: Format,
    },
    /// An entry whose parts contradict each other.
    #[error("the entry's {part} do not belong to its position: {problem}")]
    Inconsistent {
        /// Moves or scores.
        part: &'static str,
        /// What is wrong.
        problem: String,
    },
}

fn alternatives(formats: &[Format]) -> String {
    let names: Vec<String> = formats.iter().map(Format::to_string).collect();
    names.join(" or ")
}
