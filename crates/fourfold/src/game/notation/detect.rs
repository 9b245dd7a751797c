//! Which formats a text could be in, by its looks. A format is used without being named only if no
//! other reading of the text gives anything else.

use super::error::excerpt;
use super::labelled::split_pons;
use super::{Entry, Format, NotationError, is_csv_header, json, read_as};
use crate::game::{Position, Rules, RulesError};

/// All formats but JSON that may be recognised, the ones with the most telling looks first. Columns
/// from 0 are not among them: nearly all such texts are columns from 1 too.
const ORDER: [Format; 10] = [
    Format::Bitboards,
    Format::Csv,
    Format::Uci,
    Format::Fen,
    Format::Diagram,
    Format::Pons,
    Format::Columns,
    Format::Numbers,
    Format::Cells,
    Format::Letters,
];

/// Reads a text in the one way that makes sense.
pub(super) fn read(text: &str, given: Option<&Rules>) -> Result<Entry, NotationError> {
    let rules = given.copied().unwrap_or(Rules::CONNECT_FOUR);
    if text.trim().is_empty() {
        return Ok(Entry { moves: Some(Vec::new()), ..Entry::of(Position::new(rules)) });
    }
    let mut likely: Vec<Format> = if text.trim_start().starts_with(['{', '[']) {
        json::likely(text)?
    } else {
        ORDER.into_iter().filter(|&format| fits(format, text, &rules)).collect()
    };
    // Prefer formats that can hold the game; if there are none, the reason is the message.
    if likely.iter().any(|format| format.check_game(&rules).is_ok()) {
        likely.retain(|format| format.check_game(&rules).is_ok());
    }
    let mut refusal = None;
    let mut readings: Vec<(Format, Entry)> = Vec::new();
    for format in likely {
        match read_as(text, format, given) {
            Ok(entry) if readings.iter().all(|(_, known)| *known != entry) => {
                readings.push((format, entry));
            }
            Ok(_) => {}
            Err(why) => refusal = refusal.or(Some(why)),
        }
    }
    match (readings.len(), refusal) {
        (0, Some(why)) => Err(why),
        (0, None) => Err(NotationError::Unrecognised { text: excerpt(text) }),
        (1, _) => Ok(readings.remove(0).1),
        _ => {
            let formats = readings.into_iter().map(|(format, _)| format).collect();
            Err(NotationError::Ambiguous { text: excerpt(text), formats })
        }
    }
}

/// Could this text, which is not JSON, be in the format?
fn fits(format: Format, text: &str, rules: &Rules) -> bool {
    let trimmed = text.trim();
    let only = |allowed: fn(char) -> bool| trimmed.chars().all(allowed);
    match format {
        Format::Columns | Format::Numbers => {
            only(|c| c.is_ascii_digit() || c == ',' || c.is_whitespace())
        }
        Format::Letters => {
            // Words are no columns.
            let is_list = |text: &str| text.split_whitespace().all(|name| name.len() <= 2);
            let spaced = trimmed.contains(char::is_whitespace) && !trimmed.contains(',');
            only(|c| c.is_ascii_alphabetic() || c == ',' || c.is_whitespace())
                && (!spaced || is_list(trimmed))
        }
        Format::Cells => {
            let digit = trimmed.contains(|c: char| c.is_ascii_digit());
            let letter = trimmed.starts_with(|c: char| c.is_ascii_alphabetic());
            digit && letter && only(|c| c.is_ascii_alphanumeric() || c == ',' || c.is_whitespace())
        }
        Format::Diagram => {
            let drawn = trimmed.contains(['/', '\n', '.']) || rules.height() == 1;
            drawn && only(|c| "xXoO./".contains(c) || c.is_whitespace())
        }
        Format::Fen => {
            let one_row =
                rules.height() == 1 && (trimmed.ends_with(" x") || trimmed.ends_with(" o"));
            trimmed.contains(['/', ':']) && !trimmed.contains('.') || one_row
        }
        Format::Bitboards => trimmed.contains('='),
        Format::Uci => trimmed.contains(',') && only(|c| "boxwinlsdra,".contains(c) || c == ' '),
        // One score a column looks too much like moves with spaces between them to be taken
        // unasked.
        Format::Pons => {
            let (moves, label) = split_pons(text, rules);
            let in_moves = |c: char| match rules.gravity() {
                true => c.is_ascii_digit() || c == ',',
                false => c.is_ascii_alphanumeric() || c.is_whitespace(),
            };
            moves.chars().all(in_moves) && label.trim().parse::<i64>().is_ok()
        }
        Format::Csv => {
            let game = trimmed.split_once(',').map(|(game, _)| game.parse::<Rules>());
            is_csv_header(text)
                || game.is_some_and(|game| !matches!(game, Err(RulesError::Syntax { .. })))
        }
        Format::Zero | Format::Kaggle | Format::OpenSpiel | Format::PettingZoo | Format::Ndjson => {
            false
        }
    }
}
