//! Boards drawn row by row from the top: the diagram, and the shorter form modelled on chess FEN.

use super::columns::number;
use super::error::excerpt;
use super::{Discs, Format, NotationError, settle};
use crate::game::{Cell, Position, Rules, Side};

/// Reads rows separated by `/` or line breaks. Spaces between cells do not matter.
pub(super) fn read_diagram(text: &str, rules: &Rules) -> Result<Position, NotationError> {
    let format = Format::Diagram;
    let text = text.trim();
    let mut discs = Discs::new(*rules);
    let rows: Vec<&str> = text.split(['/', '\n']).collect();
    check_rows(format, rows.len(), rules)?;
    let mut at = 0;
    for (index, row) in rows.iter().enumerate() {
        let mut column = 0;
        for c in row.chars() {
            at += 1;
            let side = match c {
                'x' | 'X' => Some(Side::First),
                'o' | 'O' => Some(Side::Second),
                '.' => None,
                c if c.is_whitespace() => continue,
                c => {
                    let found = c.to_string();
                    return Err(NotationError::Syntax { format, at, found, expected: "x, o or ." });
                }
            };
            if let Some(side) = side
                && column < rules.width()
            {
                discs.add(cell(column, index, rules), side);
            }
            column += 1;
        }
        at += 1;
        check_width(format, index, u64::from(column), rules)?;
    }
    discs.position()
}

/// Writes the rows with `/` between them.
pub(super) fn write_diagram(position: &Position) -> String {
    let rules = position.rules();
    let row = |index: usize| -> String {
        let letter = |column| position.at(cell(column, index, rules)).map_or('.', Side::letter);
        (0..rules.width()).map(letter).collect()
    };
    let rows: Vec<String> = (0..rules.height() as usize).map(row).collect();
    rows.join("/")
}

/// Reads `[GAME:]ROWS[ SIDE]`.
pub(super) fn read_fen(text: &str, given: Option<&Rules>) -> Result<Position, NotationError> {
    let format = Format::Fen;
    let text = text.trim();
    let (named, board) = match text.split_once(':') {
        Some((game, board)) => (Some(game.trim().parse::<Rules>()?), board),
        None => (None, text),
    };
    let rules = settle(named, given)?;
    let mut words = board.split_whitespace();
    let rows: Vec<&str> = words.next().unwrap_or("").split('/').collect();
    let side = words.next();
    if let Some(extra) = words.next() {
        let (place, problem) =
            ("after the side to move".to_owned(), format!("{:?} is too much", excerpt(extra)));
        return Err(NotationError::Content { format, place, problem });
    }
    check_rows(format, rows.len(), &rules)?;
    let mut discs = Discs::new(rules);
    for (index, row) in rows.iter().enumerate() {
        read_row(row, index, &mut discs, &rules)?;
    }
    let position = discs.position()?;
    if let Some(side) = side {
        let expected = position.to_move().letter();
        if side != expected.encode_utf8(&mut [0; 4]) {
            let place = "side to move".to_owned();
            let problem =
                format!("{:?}, but by the number of discs it is {expected}", excerpt(side));
            return Err(NotationError::Content { format, place, problem });
        }
    }
    Ok(position)
}

/// One row of FEN: discs, and numbers for runs of empty cells.
fn read_row(
    row: &str,
    index: usize,
    discs: &mut Discs,
    rules: &Rules,
) -> Result<(), NotationError> {
    let format = Format::Fen;
    let mut column = 0u64;
    let mut rest = row;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (token, after) = rest.split_at(digits.max(c.len_utf8()));
        let side = match c {
            'x' => Side::First,
            'o' => Side::Second,
            _ => {
                let Some(run) = number(token).filter(|&run| run > 0) else {
                    let place = row_name(index);
                    let problem =
                        format!("{:?} is neither x, o nor a number of empty cells", excerpt(token));
                    return Err(NotationError::Content { format, place, problem });
                };
                column = column.saturating_add(run);
                rest = after;
                continue;
            }
        };
        if column < u64::from(rules.width()) {
            discs.add(cell(column as u32, index, rules), side);
        }
        column = column.saturating_add(1);
        rest = after;
    }
    check_width(format, index, column, rules)
}

/// Writes rows and the side to move; the game comes first unless it is Connect Four.
pub(super) fn write_fen(position: &Position) -> String {
    let rules = position.rules();
    let game = if *rules == Rules::CONNECT_FOUR { String::new() } else { format!("{rules}:") };
    format!("{game}{} {}", fen_rows(position), position.to_move().letter())
}

fn fen_rows(position: &Position) -> String {
    let rules = position.rules();
    let mut out = String::new();
    for index in 0..rules.height() as usize {
        if index > 0 {
            out.push('/');
        }
        let mut run = 0;
        for column in 0..rules.width() {
            match position.at(cell(column, index, rules)) {
                None => run += 1,
                Some(side) => {
                    if run > 0 {
                        out.push_str(&run.to_string());
                    }
                    run = 0;
                    out.push(side.letter());
                }
            }
        }
        if run > 0 {
            out.push_str(&run.to_string());
        }
    }
    out
}

/// The cell in a column and a row counted from the top; both are on the board.
fn cell(column: u32, from_top: usize, rules: &Rules) -> Cell {
    Cell { column: column as u8, row: (rules.height() - 1) as u8 - from_top as u8 }
}

fn row_name(index: usize) -> String {
    format!("row {} from the top", index + 1)
}

fn check_rows(format: Format, rows: usize, rules: &Rules) -> Result<(), NotationError> {
    if rows == rules.height() as usize {
        return Ok(());
    }
    Err(NotationError::RowCount { format, rows, game: *rules })
}

fn check_width(format: Format, row: usize, cells: u64, rules: &Rules) -> Result<(), NotationError> {
    if cells == u64::from(rules.width()) {
        return Ok(());
    }
    Err(NotationError::RowWidth { format, row: row + 1, cells, game: *rules })
}
