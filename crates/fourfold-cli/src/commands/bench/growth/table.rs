//! The table of boards: as CSV that can be read again, as text, and as points to draw.

use super::plot::Point;
use crate::failure::Failure;
use crate::output::{self, grouped, time};
use fourfold::game::Rules;
use fourfold_lab::files::read_text;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const HEAD: &str = "game,cells,lower,upper,result,nodes,time_ms,memory_mib";

/// An empty board, and what solving it took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct BoardRow {
    game: Rules,
    cells: u32,
    /// The score lies from here
    lower: i32,
    /// to here.
    upper: i32,
    result: String,
    nodes: u64,
    time_ms: f64,
    memory_mib: u32,
}

impl BoardRow {
    /// A row; solved if the two bounds of the score are one.
    pub(super) fn new(
        game: Rules,
        (lower, upper): (i32, i32),
        nodes: u64,
        spent: Duration,
        memory_mib: u32,
    ) -> Self {
        // In microseconds, as the file has it.
        let time_ms = (spent.as_secs_f64() * 1e6).round() / 1e3;
        let result = in_words(&game, lower, upper);
        Self { game, cells: game.cells(), lower, upper, result, nodes, time_ms, memory_mib }
    }

    fn is_solved(&self) -> bool {
        self.lower == self.upper
    }

    fn csv(&self) -> String {
        let Self { game, cells, lower, upper, result, nodes, time_ms, memory_mib } = self;
        format!("{game},{cells},{lower},{upper},{result},{nodes},{time_ms:.3},{memory_mib}")
    }

    fn of_csv(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.trim_end().split(',').collect();
        let [game, _, lower, upper, _, nodes, time_ms, memory] = fields.as_slice() else {
            return None;
        };
        let milliseconds: f64 = time_ms.parse().ok()?;
        let spent = Duration::try_from_secs_f64(milliseconds / 1e3).ok()?;
        let bounds = (lower.parse().ok()?, upper.parse().ok()?);
        Some(Self::new(
            game.parse().ok()?,
            bounds,
            nodes.parse().ok()?,
            spent,
            memory.parse().ok()?,
        ))
    }
}

/// How the game ends under best play.
fn in_words(game: &Rules, lower: i32, upper: i32) -> String {
    // The winner's k-th last disc of a board that would be full.
    let discs = |first: bool, k: i32| {
        let cells = game.cells() as i32;
        let last = if first == (cells % 2 == 1) { cells } else { cells - 1 };
        last - 2 * (k - 1)
    };
    match (lower, upper) {
        (0, 0) => "draw".to_owned(),
        (lower, upper) if lower == upper => {
            let who = if lower > 0 { "first" } else { "second" };
            format!("{who} player wins on move {}", discs(lower > 0, lower.abs()))
        }
        (1.., _) => "first player wins".to_owned(),
        (_, ..=-1) => "second player wins".to_owned(),
        _ => "not solved".to_owned(),
    }
}

/// Boards, those with fewer cells first.
#[derive(Debug, Default)]
pub(super) struct BoardTable {
    rows: Vec<BoardRow>,
}

impl BoardTable {
    /// What a file has; nothing if there is no such file.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let text = match read_text(path) {
            Ok(text) => text,
            Err(why) if why.is_not_found() => return Ok(Self::default()),
            Err(why) => return Err(why.into()),
        };
        Self::of_csv(&text).map_err(|line| {
            Failure::invalid(format!("{}:{line}: this is no row of '{HEAD}'", path.display()))
        })
    }

    /// The rows of a CSV text; the number of the line that is none, if there is one.
    fn of_csv(text: &str) -> Result<Self, usize> {
        let mut table = Self::default();
        for (index, line) in text.lines().enumerate() {
            match BoardRow::of_csv(line) {
                Some(row) => table.insert(row),
                None if index == 0 && line.trim_end() == HEAD => {}
                None => return Err(index + 1),
            }
        }
        Ok(table)
    }

    pub(super) fn rows(&self) -> &[BoardRow] {
        &self.rows
    }

    pub(super) fn has_solved(&self, rules: &Rules) -> bool {
        self.rows.iter().any(|row| row.game == *rules && row.is_solved())
    }

    /// Puts a row in its place, instead of what was there for the board.
    pub(super) fn insert(&mut self, row: BoardRow) {
        self.rows.retain(|other| other.game != row.game);
        self.rows.push(row);
        self.rows.sort_by_key(|row| (row.cells, row.game.width()));
    }

    pub(super) fn csv(&self) -> String {
        let mut out = format!("{HEAD}\n");
        for row in &self.rows {
            let _ = writeln!(out, "{}", row.csv());
        }
        out
    }

    pub(super) fn text(&self) -> String {
        let head = ["board", "cells", "score", "result", "nodes", "time"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for row in &self.rows {
            let score = if row.is_solved() {
                row.lower.to_string()
            } else {
                format!("{} to {}", row.lower, row.upper)
            };
            rows.push(vec![
                format!("{}x{}", row.game.width(), row.game.height()),
                row.cells.to_string(),
                score,
                row.result.clone(),
                grouped(row.nodes),
                time(Duration::from_secs_f64(row.time_ms / 1e3)),
            ]);
        }
        output::table(&rows)
    }

    pub(super) fn points(&self) -> Vec<Point> {
        let point = |row: &BoardRow| Point {
            width: row.game.width(),
            height: row.game.height(),
            nodes: row.nodes,
            solved: row.is_solved(),
        };
        self.rows.iter().map(point).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{BoardRow, BoardTable, HEAD, in_words};
    use fourfold::game::Rules;
    use std::time::Duration;

    fn row(game: &str, bounds: (i32, i32)) -> BoardRow {
        BoardRow::new(game.parse().unwrap(), bounds, 12_345, Duration::from_micros(1_234_567), 4)
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let mut table = BoardTable::default();
        for row in [row("7x6c4", (1, 1)), row("4x4c4", (0, 0)), row("9x9c4", (-40, 12))] {
            table.insert(row);
        }
        let text = table.csv();
        assert!(text.starts_with(&format!(
            "{HEAD}\n4x4c4,16,0,0,draw,12345,1234.567,4\n7x6c4,42,1,1,first"
        )));
        let mut again = BoardTable::of_csv(&text).unwrap();
        assert_eq!(again.rows(), table.rows());
        let solved = |game: &str| again.has_solved(&game.parse().unwrap());
        assert!(solved("7x6c4") && !solved("9x9c4") && !solved("5x5c4"));
        again.insert(row("9x9c4", (-1, -1)));
        assert_eq!((again.rows().len(), again.rows()[2].lower), (3, -1));
        assert_eq!(BoardTable::of_csv(&format!("{text}7x6c4,42\n")).err(), Some(5));
        assert_eq!(BoardTable::of_csv("x\n").err(), Some(1));
    }

    /// The last disc that fits is the second player's on a board of an even number of cells.
    #[test]
    fn results_are_told_in_words() {
        let told = |game: &str, score| in_words(&game.parse().unwrap(), score, score);
        assert_eq!(told("7x6c4", 1), "first player wins on move 41");
        assert_eq!(told("6x6c4", -1), "second player wins on move 36");
        assert_eq!(told("7x7c4", 1), "first player wins on move 49");
        assert_eq!(told("7x7c4", -2), "second player wins on move 46");
        assert_eq!(told("4x4c4", 0), "draw");
        let rules: Rules = "7x6c4".parse().unwrap();
        assert_eq!(in_words(&rules, 1, 5), "first player wins");
        assert_eq!(in_words(&rules, -5, -1), "second player wins");
        assert_eq!(in_words(&rules, 0, 5), "not solved");
    }
}
