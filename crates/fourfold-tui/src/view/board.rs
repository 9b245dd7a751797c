//! Draws the board: discs, a ghost where the next one would go, marks around the last move and the
//! winning cells, and names and results below the columns.

use super::discs::{disc, ghost};
use super::grid::Grid;
use super::look::{FAINT, Look, PLAIN, STRONG};
use crate::app::App;
use fourfold::game::{Cell, CellSet, Move, Outcome, Position, Rules};
use fourfold::solver::{MoveAnalysis, MoveScore};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// From this column width on, results below the columns are in words.
const MIN_PITCH_FOR_WORDS: u16 = 15;

/// A mark around a disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellMark {
    /// The last move.
    Last,
    /// A winning cell.
    Win,
    /// The cursor, on boards without gravity.
    Cursor,
}

/// The board to draw, and what to mark on it.
struct BoardView<'a> {
    app: &'a App,
    look: Look,
    grid: Grid,
    position: Position,
    last: Option<Cell>,
    winning: Option<CellSet>,
    /// Where the person's next disc would go.
    ghost: Option<Cell>,
}

/// The grid of the board shown, placed in an area.
pub(super) fn grid(app: &App, area: Rect) -> Grid {
    let (position, last) = app.shown();
    let rules = position.rules();
    let mut look_at = if app.reviewing.is_none() {
        app.cursor
    } else {
        last.map_or(app.cursor, |mv| mv.cell(rules))
    };
    if rules.gravity()
        && app.reviewing.is_none()
        && let Ok(mv) = position.drop_in(u32::from(look_at.column))
    {
        look_at = mv.cell(rules);
    }
    Grid::new(rules, area, look_at)
}

pub(super) fn draw(app: &App, look: Look, area: Rect, buffer: &mut Buffer) {
    let (position, last) = app.shown();
    let rules = *position.rules();
    let winning = match position.outcome() {
        Outcome::Won { cells, .. } => Some(cells),
        _ => None,
    };
    let ghost = (app.reviewing.is_none() && app.is_persons_turn())
        .then(|| app.pointed().ok().map(|mv| mv.cell(&rules)))
        .flatten();
    let last = last.map(|mv| mv.cell(&rules));
    let board = BoardView { app, look, grid: grid(app, area), position, last, winning, ghost };
    board.frame(buffer);
    for cell in cells(&rules) {
        board.cell(cell, buffer);
    }
    board.names(buffer);
}

fn cells(rules: &Rules) -> impl Iterator<Item = Cell> + use<> {
    let (width, height) = (rules.width() as u8, rules.height() as u8);
    (0..height).flat_map(move |row| (0..width).map(move |column| Cell { column, row }))
}

impl BoardView<'_> {
    fn rules(&self) -> &Rules {
        self.position.rules()
    }

    /// The frame: open at the top if there is gravity, with an arrow over the cursor's column.
    fn frame(&self, buffer: &mut Buffer) {
        let Rect { x, y, .. } = self.grid.frame;
        let (right, bottom) = (self.grid.frame.right() - 1, self.grid.frame.bottom() - 1);
        for row in y + 1..bottom {
            buffer.set_string(x, row, "│", FAINT);
            buffer.set_string(right, row, "│", FAINT);
        }
        let between = "─".repeat(usize::from(right - x).saturating_sub(1));
        buffer.set_string(x, bottom, format!("╰{between}╯"), FAINT);
        if !self.rules().gravity() {
            buffer.set_string(x, y, format!("╭{between}╮"), FAINT);
        } else if let Some(at) = self.grid.disc(Cell { row: self.top_row(), ..self.app.cursor })
            && self.app.reviewing.is_none()
            && !self.app.is_over()
        {
            let style = self.look.side(self.position.to_move()).add_modifier(Modifier::BOLD);
            let style = if self.app.is_persons_turn() { style } else { FAINT };
            buffer.set_string(at.x + (at.width - 1) / 2, y, "▼", style);
        }
    }

    /// The highest visible row.
    fn top_row(&self) -> u8 {
        self.rules().height() as u8 - 1 - self.grid.rows.0
    }

    fn cell(&self, cell: Cell, buffer: &mut Buffer) {
        let Some(at) = self.grid.disc(cell) else { return };
        let small = at.height == 1;
        match self.position.at(cell) {
            Some(side) => {
                let winning = self.winning.is_some_and(|cells| cells.contains(cell));
                let style = match self.winning {
                    Some(_) if !winning => self.look.side(side).add_modifier(Modifier::DIM),
                    _ => self.look.side(side).add_modifier(Modifier::BOLD),
                };
                if small {
                    buffer.set_string(at.x, at.y, self.look.sign(side), style);
                } else {
                    picture(&disc(side, at.height, self.look.ascii), at, style, buffer);
                }
                if winning {
                    self.mark(CellMark::Win, at, style, buffer);
                } else if self.last == Some(cell) {
                    self.mark(CellMark::Last, at, PLAIN, buffer);
                }
            }
            None if self.ghost == Some(cell) => {
                let side = self.position.to_move();
                let style = self.look.side(side);
                if small {
                    buffer.set_string(at.x, at.y, if self.look.ascii { "+" } else { "◌" }, style);
                } else {
                    picture(&ghost(side, at.height, self.look.ascii), at, style, buffer);
                }
                self.result_in(cell, at, buffer);
            }
            None => {
                let (x, y) = (at.x + (at.width - 1) / 2, at.y + (at.height - 1) / 2);
                buffer.set_string(x, y, "·", FAINT);
                self.result_in(cell, at, buffer);
            }
        }
        if !self.rules().gravity() && self.app.cursor == cell && self.app.reviewing.is_none() {
            self.mark(CellMark::Cursor, at, STRONG, buffer);
        }
    }

    /// The result of a move, drawn in its cell on boards without gravity.
    fn result_in(&self, cell: Cell, at: Rect, buffer: &mut Buffer) {
        if self.rules().gravity() {
            return;
        }
        let mv = Move::at(cell, self.rules());
        let hinted = self.hinted() == Some(mv);
        let known = self.finding(mv).filter(MoveAnalysis::is_telling).map(short);
        if let Some((text, style)) = known {
            let width = text.chars().count() as u16;
            let room = self.grid.size.pitch.0;
            if width <= room {
                let x = (at.x + at.width.div_ceil(2)).saturating_sub(width.div_ceil(2));
                buffer.set_string(x, at.y + (at.height - 1) / 2, text, style);
            }
        }
        if hinted {
            buffer.set_string(at.x + (at.width - 1) / 2, at.y, "★", STRONG);
        }
    }

    /// The result of a move, from the analysis or from the game's review.
    fn finding(&self, mv: Move) -> Option<MoveAnalysis> {
        if let Some(reviewing) = &self.app.reviewing {
            let next = reviewing.review.as_ref()?.moves.get(reviewing.ply)?;
            let column = next.found.as_ref()?.columns.iter().find(|column| column.mv == mv)?;
            return Some(MoveAnalysis::Exact(*column));
        }
        self.app.analysis.as_ref().filter(|analysis| analysis.position == self.position)?.of(mv)
    }

    fn hinted(&self) -> Option<Move> {
        let hint = self.app.hint.as_ref().filter(|_| self.app.reviewing.is_none());
        hint.filter(|(position, _)| *position == self.position)?.1.best
    }

    /// Draws a mark left and right of a disc.
    fn mark(&self, mark: CellMark, at: Rect, style: Style, buffer: &mut Buffer) {
        if self.grid.size.pitch.0 < 2 {
            return;
        }
        let last = at.height - 1;
        for row in 0..at.height {
            let small = at.height == 1 || self.look.ascii;
            let pair = match mark {
                CellMark::Cursor if row == last / 2 => ["▸", "◂"],
                CellMark::Cursor => continue,
                CellMark::Last if small => ["(", ")"],
                CellMark::Win if small => ["[", "]"],
                CellMark::Last if row == 0 => ["╭", "╮"],
                CellMark::Last if row == last => ["╰", "╯"],
                CellMark::Last => ["│", "│"],
                CellMark::Win if row == 0 => ["┏", "┓"],
                CellMark::Win if row == last => ["┗", "┛"],
                CellMark::Win => ["┃", "┃"],
            };
            buffer.set_string(at.x - 1, at.y + row, pair[0], style);
            buffer.set_string(at.right(), at.y + row, pair[1], style);
        }
    }

    /// Names of columns and rows, and the results of columns.
    fn names(&self, buffer: &mut Buffer) {
        let rules = *self.rules();
        let pitch = self.grid.size.pitch.0;
        let below = self.grid.frame.bottom();
        let (first, seen) = self.grid.columns;
        let bottom_row = self.rules().height() as u8 - self.grid.rows.0 - self.grid.rows.1;
        for column in first..first + seen {
            let Some(at) = self.grid.disc(Cell { column, row: bottom_row }) else { continue };
            let middle = at.x + (at.width - 1) / 2;
            let name = if rules.gravity() {
                (column + 1).to_string()
            } else {
                Cell { column, row: 0 }.to_string().trim_end_matches('1').to_owned()
            };
            let mv =
                if rules.gravity() { self.position.drop_in(u32::from(column)).ok() } else { None };
            let hinted = mv.is_some() && self.hinted() == mv;
            let narrow = pitch <= name.len() as u16;
            // On narrow columns only every fifth has a name.
            if !narrow || (column + 1) % 5 == 0 {
                let style = if hinted || column == self.app.cursor.column { STRONG } else { FAINT };
                let style = if self.app.reviewing.is_some() { FAINT } else { style };
                let x = (middle + 1).saturating_sub((name.len() as u16).div_ceil(2));
                buffer.set_string(x, below, &name, style);
                if hinted && pitch > 2 {
                    buffer.set_string(x + name.len() as u16, below, "★", STRONG);
                }
            }
            if let Some(finding) = mv.and_then(|mv| self.finding(mv)) {
                let (sign, style) = short(finding);
                let text = if pitch >= MIN_PITCH_FOR_WORDS { words(finding) } else { sign };
                let width = text.chars().count() as u16;
                if width <= pitch {
                    let x = (middle + 1).saturating_sub(width.div_ceil(2));
                    buffer.set_string(x, below + 1, text, style);
                }
            }
        }
        let (from_top, seen) = self.grid.rows;
        for row in (from_top..from_top + seen).map(|top| rules.height() as u8 - 1 - top) {
            if let Some(at) =
                self.grid.disc(Cell { column: first, row }).filter(|_| !rules.gravity())
            {
                let name = (row + 1).to_string();
                let x = self.grid.frame.x.saturating_sub(name.len() as u16 + 1);
                let style = if row == self.app.cursor.row { STRONG } else { FAINT };
                buffer.set_string(x, at.y + (at.height - 1) / 2, name, style);
            }
        }
        if !self.grid.is_whole(&rules) {
            let text = "part of the board; the arrow keys scroll it";
            buffer.set_stringn(
                self.grid.frame.x,
                below + 1,
                text,
                usize::from(self.grid.frame.width).max(text.len()),
                FAINT,
            );
        }
    }
}

fn picture(rows: &[String], at: Rect, style: Style, buffer: &mut Buffer) {
    for (row, text) in rows.iter().enumerate() {
        buffer.set_string(at.x, at.y + row as u16, text, style);
    }
}

/// The result of a move in a few characters: the score if it is exact, else a bound.
pub(super) fn short(finding: MoveAnalysis) -> (String, Style) {
    let text = match finding {
        MoveAnalysis::Exact(MoveScore { score: 0, .. }) => "=".to_owned(),
        MoveAnalysis::Exact(MoveScore { score: score @ 1.., .. }) => format!("+{score}"),
        MoveAnalysis::Exact(MoveScore { score, .. }) => format!("−{}", -score),
        MoveAnalysis::Bounds { lower: 1.., .. } => "+".to_owned(),
        MoveAnalysis::Bounds { upper: ..=-1, .. } => "−".to_owned(),
        MoveAnalysis::Bounds { lower: 0, .. } => "≥=".to_owned(),
        MoveAnalysis::Bounds { upper: 0, .. } => "≤=".to_owned(),
        MoveAnalysis::Bounds { .. } => "…".to_owned(),
    };
    let style = if finding.exact().is_some() { STRONG } else { FAINT };
    (text, style)
}

/// The result of a move in words.
pub(super) fn words(finding: MoveAnalysis) -> String {
    match finding {
        MoveAnalysis::Exact(MoveScore { verdict, .. }) => verdict.to_string(),
        MoveAnalysis::Bounds { lower: 1.., .. } => "wins".to_owned(),
        MoveAnalysis::Bounds { upper: ..=-1, .. } => "loses".to_owned(),
        MoveAnalysis::Bounds { lower: 0, .. } => "draw or better".to_owned(),
        MoveAnalysis::Bounds { upper: 0, .. } => "draw or worse".to_owned(),
        MoveAnalysis::Bounds { .. } => "not proven yet".to_owned(),
    }
}
