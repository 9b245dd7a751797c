//! Moves as Python has them: numbers from 0 (columns; without gravity, cells row by row from the
//! top left), or text as people write it.

use crate::errors::{IllegalMoveError, Raise};
use fourfold::game::notation::{parse_move, slot};
use fourfold::game::{Cell, Move, PlayError, Position, Rules};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The number of a move.
pub(crate) fn number(rules: &Rules, mv: Move) -> u32 {
    slot(rules, mv) as u32
}

/// The numbers of moves.
pub(crate) fn numbers(rules: &Rules, moves: &[Move]) -> Vec<u32> {
    moves.iter().map(|&mv| number(rules, mv)).collect()
}

/// The move of that number, if it is legal.
pub(crate) fn move_numbered(position: &Position, number: i64) -> PyResult<Move> {
    let rules = position.rules();
    let within = (0..i64::from(rules.most_moves())).contains(&number);
    if !within {
        let (what, last) =
            (if rules.gravity() { "column" } else { "cell" }, rules.most_moves() - 1);
        return Err(IllegalMoveError::new_err(format!(
            "there is no {what} {number}: {what}s are numbered from 0 to {last}"
        )));
    }
    let number = number as u32;
    let refuse = |why: PlayError| match why {
        // The library counts columns from 1, as people do; numbers in Python count from 0.
        PlayError::ColumnFull { .. } => {
            IllegalMoveError::new_err(format!("column {number} (counted from 0) is full"))
        }
        why => why.raise(),
    };
    if rules.gravity() {
        position.drop_in(number).map_err(refuse)
    } else {
        let (column, row) = (number % rules.width(), number / rules.width());
        let row = rules.height() - 1 - row;
        position.place(Cell { column: column as u8, row: row as u8 }).map_err(refuse)
    }
}

/// A legal move from what users write: a number from 0, or text.
pub(crate) fn move_given(position: &Position, given: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(text) = given.extract::<&str>() {
        let mv = parse_move(position, text).map_err(Raise::raise)?;
        return position.place(mv.cell(position.rules())).map_err(Raise::raise);
    }
    match given.extract::<i64>() {
        Ok(number) => move_numbered(position, number),
        Err(why) if why.is_instance_of::<PyTypeError>(given.py()) => {
            let kind = given.get_type().name()?;
            Err(PyTypeError::new_err(format!("a move is an int or a str, not {kind}")))
        }
        // Larger than any board.
        Err(_) => move_numbered(position, i64::MAX),
    }
}
