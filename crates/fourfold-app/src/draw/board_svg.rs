//! A position as an SVG: rings and dots, a thin outline around the last move and a thick one around
//! winning cells.

use fourfold::game::{Cell, Move, Outcome, Position, Side};
use fourfold_lab::svg::{circle, open, text};
use std::fmt::Write;

const STYLE: &str = "\
.fourfold .board{fill:#dfe5ec;fill:var(--board)}\
.fourfold .hole{fill:#fafaf7;fill:var(--paper)}\
.fourfold .first{fill:#c2500a;fill:var(--first)}\
.fourfold .second{fill:#0b5fa5;fill:var(--second)}\
.fourfold .ring{fill:none;stroke:#fafaf7;stroke:var(--paper);stroke-width:4px}\
.fourfold .last{fill:none;stroke:#1c2430;stroke:var(--ink);stroke-width:2px}\
.fourfold .won{fill:none;stroke:#1c2430;stroke:var(--ink);stroke-width:4px}";

/// The side of a cell, in pixels.
const CELL: f64 = 40.0;
/// Room for the names of rows and columns.
const NAMES: f64 = 24.0;

/// Draws a position; `title` is its accessible name.
pub fn draw(position: &Position, last: Option<Move>, title: &str) -> String {
    let rules = position.rules();
    let (columns, rows) = (rules.width() as u8, rules.height() as u8);
    let left = if rules.gravity() { 0.0 } else { NAMES };
    let (width, height) = (left + CELL * f64::from(columns), CELL * f64::from(rows) + NAMES);
    let mut svg = open("", (width, height), title, "", STYLE);
    let _ = writeln!(
        svg,
        "<rect class=\"board\" x=\"{left}\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
        width - left,
        height - NAMES,
    );
    let winning = match position.outcome() {
        Outcome::Won { cells, .. } => Some(cells),
        _ => None,
    };
    let last = last.map(|mv| mv.cell(rules));
    for row in 0..rows {
        for column in 0..columns {
            let cell = Cell { column, row };
            let x = left + CELL * (f64::from(column) + 0.5);
            let y = CELL * (f64::from(rows - 1 - row) + 0.5);
            let circle = |class: &str, radius: f64| circle(class, (x, y), radius) + "\n";
            match position.at(cell) {
                None => svg += &circle("hole", 16.0),
                Some(Side::First) => svg += &(circle("first", 16.0) + &circle("ring", 9.0)),
                Some(Side::Second) => svg += &(circle("second", 16.0) + &circle("hole", 5.0)),
            }
            if winning.is_some_and(|cells| cells.contains(cell)) {
                svg += &circle("won", 17.0);
            } else if last == Some(cell) {
                svg += &circle("last", 18.0);
            }
        }
    }
    for column in 0..columns {
        let name = if rules.gravity() {
            (column + 1).to_string()
        } else {
            Cell { column, row: 0 }.to_string().trim_end_matches('1').to_owned()
        };
        let x = left + CELL * (f64::from(column) + 0.5);
        let _ = writeln!(svg, "{}", text("small", x, height - NAMES / 2.0, &name));
    }
    if !rules.gravity() {
        for row in 0..rows {
            let y = CELL * (f64::from(rows - 1 - row) + 0.5);
            let _ = writeln!(svg, "{}", text("small", NAMES / 2.0, y, &(row + 1).to_string()));
        }
    }
    svg + "</svg>\n"
}
