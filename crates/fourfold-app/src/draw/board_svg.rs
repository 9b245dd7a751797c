//! A position as an SVG that looks like the app's board: red discs with a ring and yellow ones with
//! a star, a white outline around the last move and a golden one around winning cells.

use fourfold::game::{Cell, Move, Outcome, Position, Side};
use fourfold_lab::svg::{open, text};
use std::fmt::Write;

/// The names of columns stand on the board itself.
const STYLE: &str = ".fourfold text.rail{font-size:14px;font-weight:600;fill:#e6eeff}\
.fourfold text.score{font-size:14px;font-weight:700;fill:#ffffff}";

const BOARD: &str = "#1f57d2";
const EDGE: &str = "#2e68e4";
const WELL: &str = "#f2f5fd";
const RED: Disc = Disc { body: "#d92c22", rim: "#ffb9b1" };
const YELLOW: Disc = Disc { body: "#fcc21b", rim: "#fff0b8" };

/// Behind the scores of moves that win, draw and lose; each carries white text well.
const WIN: &str = "#1b7f4b";
const DRAW: &str = "#5b6472";
const LOSS: &str = "#b3261e";

/// The side of a cell, in pixels.
const CELL: f64 = 40.0;
/// From the edge of the board to the cells.
const MARGIN: f64 = 6.0;
/// Room for the names of rows and columns.
const NAMES: f64 = 22.0;
/// Room for the scores below a board with gravity.
const SCORES: f64 = 30.0;

struct Disc {
    body: &'static str,
    /// The outermost ring: it stands out against the board.
    rim: &'static str,
}

/// What a drawing shows besides the discs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'a> {
    /// The last move, which is outlined.
    pub last: Option<Move>,
    /// Scores of moves, for the side to move: below their columns or, without gravity, in their
    /// cells. The best are outlined.
    pub scores: &'a [(Move, i32)],
    /// Cells with a dot in them.
    pub marks: &'a [Cell],
}

/// Draws a position; `title` is its accessible name.
pub fn draw(position: &Position, last: Option<Move>, title: &str) -> String {
    draw_with(position, title, Extras { last, ..Extras::default() })
}

/// The same with scores and marks.
pub fn draw_with(position: &Position, title: &str, extras: Extras<'_>) -> String {
    let Extras { last, scores, marks } = extras;
    let rules = position.rules();
    let (columns, rows) = (rules.width() as u8, rules.height() as u8);
    let left = MARGIN + if rules.gravity() { 0.0 } else { NAMES };
    let width = left + CELL * f64::from(columns) + MARGIN;
    let height = MARGIN + CELL * f64::from(rows) + NAMES;
    let foot = if rules.gravity() && !scores.is_empty() { SCORES } else { 0.0 };
    let mut svg = open("", (width, height + foot), title, "", STYLE);
    let _ = writeln!(
        svg,
        "<rect width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"{EDGE}\"/>\n\
         <rect x=\"1.5\" y=\"1.5\" width=\"{}\" height=\"{}\" rx=\"12.5\" fill=\"{BOARD}\"/>",
        width - 3.0,
        height - 3.0,
    );
    let winning = match position.outcome() {
        Outcome::Won { cells, .. } => Some(cells),
        _ => None,
    };
    let last = last.map(|mv| mv.cell(rules));
    let centre = |column: u8, row: u8| {
        let (across, up) = (f64::from(column), f64::from(rows - 1 - row));
        (left + CELL * (across + 0.5), MARGIN + CELL * (up + 0.5))
    };
    for row in 0..rows {
        for column in 0..columns {
            let cell = Cell { column, row };
            let at = centre(column, row);
            match position.at(cell) {
                None => svg += &filled(at, 16.8, WELL),
                Some(Side::First) => {
                    svg += &filled(at, 17.4, RED.rim);
                    svg += &filled(at, 15.4, RED.body);
                    svg += &ring(at, 7.2, "#ffcfc9", 2.8);
                }
                Some(Side::Second) => {
                    svg += &filled(at, 17.4, YELLOW.rim);
                    svg += &filled(at, 15.4, YELLOW.body);
                    svg += &star(at);
                }
            }
            if winning.is_some_and(|cells| cells.contains(cell)) {
                svg += &ring(at, 17.6, "#ffe27a", 3.4);
            } else if last == Some(cell) {
                svg += &ring(at, 17.4, "#ffffff", 2.0);
            }
            if marks.contains(&cell) {
                svg += &filled(at, 6.0, "#0d1b3e");
                svg += &ring(at, 6.0, "#ffffff", 2.0);
            }
        }
    }
    let best = scores.iter().map(|&(_, score)| score).max();
    for &(mv, score) in scores {
        let Cell { column, row } = mv.cell(rules);
        let (x, y) = centre(column, row);
        let y = if rules.gravity() { height + SCORES / 2.0 + 1.0 } else { y };
        svg += &score_badge((x, y), score, best == Some(score));
    }
    for column in 0..columns {
        let name = if rules.gravity() {
            (column + 1).to_string()
        } else {
            Cell { column, row: 0 }.to_string().trim_end_matches('1').to_owned()
        };
        let (x, _) = centre(column, 0);
        let _ = writeln!(svg, "{}", text("rail", x, height - NAMES / 2.0, &name));
    }
    if !rules.gravity() {
        for row in 0..rows {
            let (_, y) = centre(0, row);
            let x = (left - MARGIN) / 2.0 + 2.0;
            let _ = writeln!(svg, "{}", text("rail", x, y, &(row + 1).to_string()));
        }
    }
    svg + "</svg>\n"
}

fn filled((x, y): (f64, f64), radius: f64, fill: &str) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>\n")
}

fn ring((x, y): (f64, f64), radius: f64, stroke: &str, width: f64) -> String {
    format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{stroke}\" \
         stroke-width=\"{width}\"/>\n"
    )
}

/// A score on a ground that says win, draw or loss; outlined if there is none better.
fn score_badge((x, y): (f64, f64), score: i32, is_best: bool) -> String {
    let fill = match score.signum() {
        1 => WIN,
        0 => DRAW,
        _ => LOSS,
    };
    let outline = if is_best { " stroke=\"#fcc21b\" stroke-width=\"2.5\"" } else { "" };
    let sign = ["−", "", "+"][(score.signum() + 1) as usize];
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"34\" height=\"22\" rx=\"7\" fill=\"{fill}\"{outline}/>\n{}\n",
        x - 17.0,
        y - 11.0,
        text("score", x, y, &format!("{sign}{}", score.abs())),
    )
}

/// A star of five points: five at a distance of 10 from its middle, and five between at 4.4.
fn star((x, y): (f64, f64)) -> String {
    format!(
        "<polygon transform=\"translate({x:.1} {:.1})\" points=\"0,-10 2.6,-3.6 9.5,-3.1 4.2,1.4 \
         5.9,8.1 0,4.4 -5.9,8.1 -4.2,1.4 -9.5,-3.1 -2.6,-3.6\" fill=\"#d99700\" stroke=\"#8f5c00\" \
         stroke-width=\"1.4\" stroke-linejoin=\"round\"/>\n",
        y + 0.4
    )
}
