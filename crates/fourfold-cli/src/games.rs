//! Games to read: records, or moves in any notation.

use crate::failure::Failure;
use crate::input::PositionArgs;
use fourfold::play::{Record, RecordError};

/// Reads a game: a record as a line of JSON, or a position in any notation with the moves that led
/// to it (given, or some that do).
pub(crate) fn read(text: &str, game: &PositionArgs) -> Result<Record, Failure> {
    let refused = match text.trim_start().starts_with('{').then(|| text.parse::<Record>()) {
        Some(Ok(record)) => {
            return match game.given() {
                Some(given) if *given != record.game => Err(Failure::invalid(format!(
                    "this is a game of {}, not of {given}",
                    record.game
                ))),
                _ => Ok(record),
            };
        }
        // Other formats are JSON too; if it is none of them, what is wrong with the record says
        // more.
        Some(Err(why @ RecordError::Syntax { .. })) => Some(why),
        // A record that contradicts itself is none that should be read in another way.
        Some(Err(why)) => return Err(Failure::invalid(why)),
        None => None,
    };
    let entry = game.read(text).map_err(|failure| refused.map_or(failure, Failure::invalid))?;
    let moves = match entry.moves {
        Some(moves) => moves,
        None => entry.position.some_moves().map_err(Failure::invalid)?,
    };
    Ok(Record::new(*entry.position.rules(), moves))
}

/// Both players of a record, by name: `Ann (x)` and `Bob (o)`, or only their letters.
pub(crate) fn names(record: &Record) -> [String; 2] {
    let name = |name: &Option<String>, letter: char| match name {
        Some(name) => format!("{name} ({letter})"),
        None => letter.to_string(),
    };
    [name(&record.first, 'x'), name(&record.second, 'o')]
}
