//! Drawings for notebooks, by the code that draws for the other front ends.

use crate::board::Board;
use crate::convert::move_numbered;
use crate::errors::OptionError;
use fourfold::game::{Cell, Move, Outcome};
use fourfold_app::draw::board_svg::{Extras, draw_with};
use pyo3::prelude::*;

/// A board as an SVG: its last move, the winning line, and perhaps scores of moves and marks.
pub(crate) fn draw_board(
    board: &Bound<'_, Board>,
    scores: Vec<Option<i32>>,
    marks: Vec<(u8, u8)>,
) -> PyResult<String> {
    let board = board.try_borrow()?;
    let (position, rules) = (&board.position, board.rules());
    let scored = |(number, score): (usize, Option<i32>)| {
        let score = score?;
        Some(move_numbered(position, number as i64).map(|mv| (mv, score)))
    };
    let scores: Vec<(Move, i32)> =
        scores.into_iter().enumerate().filter_map(scored).collect::<PyResult<_>>()?;
    let marks: Vec<Cell> = marks.into_iter().map(|(column, row)| Cell { column, row }).collect();
    if let Some(cell) = marks.iter().find(|cell| !cell.is_on_board(rules)) {
        let Cell { column, row } = cell;
        return Err(OptionError::new_err(format!("there is no cell ({column}, {row}) to mark")));
    }
    let title = match position.outcome() {
        Outcome::Won { by, .. } => format!("{}: the {by} player has won", rules.title()),
        Outcome::Drawn => format!("{}: a draw", rules.title()),
        _ => format!("{}: the {} player is to move", rules.title(), position.to_move()),
    };
    let extras = Extras { last: board.last_move(), scores: &scores, marks: &marks };
    Ok(draw_with(position, &title, extras))
}
