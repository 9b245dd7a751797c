//! A position drawn for the terminal.

use crate::text::Paint;
use fourfold::game::{Cell, CellSet, Move, Outcome, Position, Rules, Side};

/// What a move is called by under these rules: a column or a cell.
pub fn place_noun(rules: &Rules) -> &'static str {
    if rules.gravity() { "column" } else { "cell" }
}

/// The board with its coordinates, the last move and winning cells marked, without a line break at
/// the end.
///
/// ```text
///  .  .  .  .  .  .  .
///  .  .  .  o  .  .  .
///  .  . (o) x  x  .  .
///  1  2  3  4  5  6  7
/// ```
pub fn draw(position: &Position, last: Option<Move>, paint: Paint) -> String {
    let rules = position.rules();
    let (width, height) = (rules.width() as u8, rules.height() as u8);
    let winning = match position.outcome() {
        Outcome::Won { cells, .. } => Some(cells),
        _ => None,
    };
    let last = last.map(|mv| mv.cell(rules));
    let mut lines = Vec::new();
    for row in (0..height).rev() {
        let mut line = String::new();
        if !rules.gravity() {
            line += &format!("{:>3} ", row + 1);
        }
        for column in 0..width {
            line += &cell_text(position, Cell { column, row }, last, winning, paint);
        }
        lines.push(line.trim_end().to_owned());
    }
    let mut names = String::new();
    if !rules.gravity() {
        names += "    ";
    }
    for column in 0..width {
        let cell = Cell { column, row: 0 };
        let name = if rules.gravity() {
            (column + 1).to_string()
        } else {
            cell.to_string().trim_end_matches('1').to_owned()
        };
        names += &format!("{name:^3}");
    }
    lines.push(names.trim_end().to_owned());
    lines.join("\n")
}

fn cell_text(
    position: &Position,
    cell: Cell,
    last: Option<Cell>,
    winning: Option<CellSet>,
    paint: Paint,
) -> String {
    let Some(side) = position.at(cell) else { return " . ".to_owned() };
    let letter = side.letter().to_string();
    let disc = match side {
        Side::First => paint.first(&letter),
        Side::Second => paint.second(&letter),
    };
    if winning.is_some_and(|cells| cells.contains(cell)) {
        format!("[{disc}]")
    } else if last == Some(cell) {
        format!("({disc})")
    } else {
        format!(" {disc} ")
    }
}
