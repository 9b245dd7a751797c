//! Games as lists of columns: counted from 1, counted from 0, or by letter. For boards on which
//! discs fall.

use super::error::excerpt;
use super::{Format, NotationError};
use crate::game::{Move, PlayError, Position, Rules};

/// How columns are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    FromOne,
    FromZero,
    Letters,
}

impl Naming {
    fn format(self) -> Format {
        match self {
            Self::FromOne => Format::Columns,
            Self::FromZero => Format::Zero,
            Self::Letters => Format::Letters,
        }
    }

    /// Is one character enough for every column? If not, columns are separated by commas.
    fn one_character(self, rules: &Rules) -> bool {
        rules.width()
            <= match self {
                Self::FromOne => 9,
                Self::FromZero => 10,
                Self::Letters => 26,
            }
    }

    /// The column of this name, from 0, on the board or not.
    fn column(self, name: &str) -> Option<u64> {
        match self {
            Self::FromOne => number(name)?.checked_sub(1),
            Self::FromZero => number(name),
            Self::Letters => letters(name),
        }
    }

    fn name(self, column: u8) -> String {
        match self {
            Self::FromOne => (column + 1).to_string(),
            Self::FromZero => column.to_string(),
            Self::Letters => column_letters(column),
        }
    }
}

/// Plain decimal digits without a needless zero in front; too large a number becomes the largest.
pub(super) fn number(digits: &str) -> Option<u64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (!digits.starts_with('0') || digits == "0");
    (plain && !digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
}

/// The column, from 0, that `a`, ..., `z`, `aa`, `ab`, ... stand for, in either case. No board has
/// three letters.
pub(super) fn letters(name: &str) -> Option<u64> {
    let value = |byte: u8| u64::from(byte.to_ascii_lowercase() - b'a');
    match *name.as_bytes() {
        [only] if only.is_ascii_alphabetic() => Some(value(only)),
        [high, low] if high.is_ascii_alphabetic() && low.is_ascii_alphabetic() => {
            Some((value(high) + 1) * 26 + value(low))
        }
        _ => None,
    }
}

/// The way back from [`letters`].
pub(super) fn column_letters(column: u8) -> String {
    let mut text = crate::game::Cell { column, row: 0 }.to_string();
    text.truncate(text.len() - 1);
    text
}

/// Reads a list of columns and plays them from the empty board.
pub(super) fn read(
    text: &str,
    naming: Naming,
    rules: &Rules,
) -> Result<(Position, Vec<Move>), NotationError> {
    let format = naming.format();
    format.check_game(rules)?;
    let mut position = Position::new(*rules);
    let mut moves = Vec::new();
    for (at, name) in names(text, naming.one_character(rules)) {
        let number = moves.len() + 1;
        if naming == Naming::FromOne && name == "0" {
            return Err(NotationError::CountsFromZero { number });
        }
        let Some(column) = naming.column(name) else {
            return Err(NotationError::Syntax {
                format,
                at,
                found: excerpt(name),
                expected: "a column",
            });
        };
        if column >= u64::from(rules.width()) {
            let hint = match name.len() {
                1 => "",
                _ if naming.one_character(rules) => "; between commas or spaces stands one column",
                _ => "; put commas or spaces between columns",
            };
            return Err(NotationError::NoSuchColumn {
                number,
                text: excerpt(name),
                first: naming.name(0),
                last: naming.name(rules.width() as u8 - 1),
                hint,
            });
        }
        let mv = position.drop_in(column as u32).map_err(|why| match why {
            // Named as the reader of this format would.
            PlayError::ColumnFull { .. } if naming != Naming::FromOne => {
                let (place, problem) = (format!("move {number}"), format!("column {name} is full"));
                NotationError::Content { format, place, problem }
            }
            why => NotationError::Move { number, why },
        })?;
        position = position.play_unchecked(mv);
        moves.push(mv);
    }
    Ok((position, moves))
}

/// The names of columns in a text and the characters (from 1) at which they stand: between commas
/// if there are any, else between spaces if there are any or if names can be long, else one for
/// each character.
fn names(text: &str, one_character: bool) -> Vec<(usize, &str)> {
    let trimmed = text.trim();
    let skipped = text.chars().take_while(|c| c.is_whitespace()).count();
    if trimmed.is_empty() {
        return Vec::new();
    }
    let (commas, spaces) = (trimmed.contains(','), trimmed.contains(char::is_whitespace));
    if one_character && !commas && !spaces {
        let ends = trimmed.char_indices().map(|(start, c)| &trimmed[start..start + c.len_utf8()]);
        return ends.enumerate().map(|(index, name)| (skipped + index + 1, name)).collect();
    }
    let is_separator = |c: char| if commas { c == ',' } else { c.is_whitespace() };
    let mut at = skipped + 1;
    let parts = trimmed.split(is_separator).map(|part| {
        let here = at + part.chars().take_while(|c| c.is_whitespace()).count();
        at += part.chars().count() + 1;
        (here, part.trim())
    });
    // Several spaces are as good as one; two commas lack a column between them.
    parts.filter(|(_, name)| commas || !name.is_empty()).collect()
}

/// Writes moves as a list of columns. The game is one with gravity.
pub(super) fn write(rules: &Rules, moves: &[Move], naming: Naming) -> String {
    let names: Vec<String> = moves.iter().map(|mv| naming.name(mv.cell(rules).column)).collect();
    names.join(if naming.one_character(rules) { "" } else { "," })
}
