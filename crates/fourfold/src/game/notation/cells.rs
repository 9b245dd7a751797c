//! Games as lists of cells (`d1 d2 e1 c1`, or numbers 1 to 9 on 3x3), and single moves as a person
//! types them.

use super::columns::{letters, number};
use super::error::excerpt;
use super::{Format, NotationError};
use crate::game::{Cell, Move, PlayError, Position, Rules};

/// Reads cells, with spaces, commas or nothing between them, and plays them from the empty board.
pub(super) fn read(text: &str, rules: &Rules) -> Result<(Position, Vec<Move>), NotationError> {
    let mut position = Position::new(*rules);
    let mut moves = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        if rest.is_empty() {
            return Ok((position, moves));
        }
        let (name, after) = split_cell(rest);
        let found = name.filter(|name| name.bytes().any(|byte| byte.is_ascii_digit()));
        let Some(name) = found.filter(|name| name.as_bytes()[0].is_ascii_alphabetic()) else {
            let at = text.chars().count() - rest.chars().count() + 1;
            let found = excerpt(name.unwrap_or(rest));
            return Err(NotationError::Syntax {
                format: Format::Cells,
                at,
                found,
                expected: "a cell, such as d1",
            });
        };
        let number = moves.len() + 1;
        let mv = place(&position, name).map_err(|why| NotationError::Move { number, why })?;
        position = position.play_unchecked(mv);
        moves.push(mv);
        rest = after;
    }
}

/// Letters and then digits at the start of `text` (either may be missing, not both), and what
/// follows them.
fn split_cell(text: &str) -> (Option<&str>, &str) {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    let (name, rest) = text.split_at(letters + digits);
    ((!name.is_empty()).then_some(name), rest)
}

/// The move into the cell of this name (letters, then digits).
fn place(position: &Position, name: &str) -> Result<Move, PlayError> {
    let rules = position.rules();
    let split = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (column, row) = (letters(&name[..split]), number(&name[split..]));
    match (column, row) {
        (Some(column), Some(row))
            if column < u64::from(rules.width())
                && (1..=u64::from(rules.height())).contains(&row) =>
        {
            position.place(Cell { column: column as u8, row: row as u8 - 1 })
        }
        _ => Err(PlayError::NoSuchCell {
            cell: excerpt(name),
            width: rules.width(),
            height: rules.height(),
        }),
    }
}

/// Writes moves as cells with spaces between them.
pub(super) fn write(rules: &Rules, moves: &[Move]) -> String {
    let cells: Vec<String> = moves.iter().map(|mv| mv.cell(rules).to_string()).collect();
    cells.join(" ")
}

/// Reads the numbers of cells of a 3x3 board, digit by digit; commas and spaces between them do not
/// matter.
pub(super) fn read_numbers(
    text: &str,
    rules: &Rules,
) -> Result<(Position, Vec<Move>), NotationError> {
    let format = Format::Numbers;
    format.check_game(rules)?;
    let mut position = Position::new(*rules);
    let mut moves = Vec::new();
    for (index, c) in text.chars().enumerate().filter(|(_, c)| *c != ',' && !c.is_whitespace()) {
        let Some(cell) = numbered_cell(c) else {
            let found = c.to_string();
            return Err(NotationError::Syntax {
                format,
                at: index + 1,
                found,
                expected: "a cell, 1 to 9",
            });
        };
        let mv = position
            .place(cell)
            .map_err(|why| NotationError::Move { number: moves.len() + 1, why })?;
        position = position.play_unchecked(mv);
        moves.push(mv);
    }
    Ok((position, moves))
}

/// Writes moves of a 3x3 board as the numbers of their cells.
pub(super) fn write_numbers(rules: &Rules, moves: &[Move]) -> String {
    let number = |mv: &Move| {
        let cell = mv.cell(rules);
        char::from(b'1' + (2 - cell.row) * 3 + cell.column)
    };
    moves.iter().map(number).collect()
}

/// The cell of a 3x3 board that a digit from 1 to 9 stands for.
fn numbered_cell(digit: char) -> Option<Cell> {
    let index = digit.to_digit(10)?.checked_sub(1)? as u8;
    Some(Cell { column: index % 3, row: 2 - index / 3 })
}

/// A move as a person types it at a prompt: where discs fall a column (`4` or `d`) or the cell the
/// disc will lie in (`d2`), else a cell, or on 3x3 its number from 1 at the top left to 9.
///
/// # Errors
/// [`NotationError::NotAMove`] if it is nothing of that, [`NotationError::Illegal`] if it cannot be
/// played here.
///
/// ```
/// use fourfold::game::{Position, Rules, notation::parse_move};
///
/// let board = Position::new(Rules::CONNECT_FOUR);
/// assert_eq!(parse_move(&board, "4"), parse_move(&board, "D1"));
/// assert_eq!(parse_move(&board, "d2").unwrap_err().to_string(), "a disc in column 4 falls to d1, not d2");
/// let board = Position::new(Rules::TIC_TAC_TOE);
/// assert_eq!(parse_move(&board, "5"), parse_move(&board, "b2"));
/// ```
pub fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
    let rules = position.rules();
    let numbered = Format::Numbers.check_game(rules).is_ok();
    let text = text.trim();
    let expected = match (rules.gravity(), numbered) {
        (true, _) => "a column, such as 3 or c",
        (false, true) => "a cell, such as b3, or its number, 1 to 9 from the top left",
        (false, false) => "a cell, such as b3",
    };
    let nonsense = || NotationError::NotAMove { text: excerpt(text), expected };
    let (Some(name), "") = split_cell(text) else {
        return Err(nonsense());
    };
    let lettered = name.as_bytes()[0].is_ascii_alphabetic();
    let digits = name.bytes().any(|byte| byte.is_ascii_digit());
    if lettered && digits {
        return Ok(place(position, name)?);
    }
    let width = rules.width();
    let no_column =
        |column: u64| PlayError::NoSuchColumn { column: column.saturating_add(1), width };
    match (lettered, rules.gravity()) {
        (true, true) => {
            // A word that is no column is not a column off the board: "x" or "no" are slips, not
            // moves.
            let column = letters(name).and_then(|column| u32::try_from(column).ok());
            Ok(position.drop_in(column.filter(|&column| column < width).ok_or_else(nonsense)?)?)
        }
        (false, true) => {
            let column = number(name).ok_or_else(nonsense)?;
            let Some(index) = column.checked_sub(1) else {
                return Err(PlayError::NoSuchColumn { column, width }.into());
            };
            Ok(position.drop_in(u32::try_from(index).map_err(|_| no_column(index))?)?)
        }
        (false, false) if numbered && name.len() == 1 => {
            let cell = name.chars().next().and_then(numbered_cell).ok_or_else(nonsense)?;
            Ok(position.place(cell)?)
        }
        _ => Err(nonsense()),
    }
}
