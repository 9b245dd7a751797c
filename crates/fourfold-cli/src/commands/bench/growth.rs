//! `fourfold bench growth`: empty boards, larger and larger, solved exactly: how the cost grows.

mod plot;
mod table;

use crate::arguments::{at_least, milliseconds, whole};
use crate::failure::Failure;
use crate::files::write_whole;
use crate::interrupt;
use crate::output::{note, stdout};
use crate::progress::SolveLine;
use crate::solving::SolverArgs;
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::solver::{Halt, SolveError, Solver};
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};
use table::{BoardRow, BoardTable};

const HELP: &str = "\
Each board is solved from empty tables. One that takes longer than --time or
--nodes allow is listed with the bounds of its score that are proven by then.

With --out, the table is kept in a CSV file, written after each board. Boards
that are solved according to the file are not solved again, so an interrupted
run continues where it was, and more boards can be added later. Boards that
were given up are tried again.

Examples:
  fourfold bench growth
  fourfold bench growth --cells 42 --time 5m --out growth.csv --svg growth.svg
  fourfold bench growth 8x6 7x7 --time 20m --memory 1G --out growth.csv";

/// Solve empty boards of growing size: nodes, time and result of each
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Boards such as 8x6 [default: all with 4 to 9 columns and rows that --cells allows, smaller
    /// first]
    #[arg(value_name = "BOARD")]
    boards: Vec<Board>,

    /// Boards of at most this many cells
    #[arg(long, default_value_t = 30, value_name = "N", conflicts_with = "boards")]
    #[arg(value_parser = whole(16..=81u32))]
    cells: u32,

    /// Time limit per board, in milliseconds or with a unit (500ms, 90s, 20m, 2h)
    #[arg(long, default_value = "60s", value_name = "TIME", value_parser = duration)]
    time: Duration,

    /// Search at most this many nodes per board
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,

    /// Keep the table in this CSV file, with the boards it already has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Plot nodes against cells to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Print one JSON object per board
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    solver: SolverArgs,
}

/// A board that a line of four wins on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Board(Rules);

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = text.strip_suffix("c4").unwrap_or(text);
        let rules = format!("{size}c4").parse().map_err(|why| format!("{why}"))?;
        Ok(Self(rules))
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    milliseconds(text).map(Duration::from_millis)
}

/// The boards with at most this many cells, the smallest first.
fn boards_up_to(cells: u32) -> Vec<Rules> {
    let sizes = (4..=9u32).flat_map(|width| (4..=9u32).map(move |height| (width, height)));
    let mut boards: Vec<Rules> = sizes
        .filter(|(width, height)| width * height <= cells)
        .filter_map(|(width, height)| format!("{width}x{height}c4").parse().ok())
        .collect();
    boards.sort_by_key(|rules| (rules.cells(), rules.width()));
    boards
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let boards = match args.boards.as_slice() {
        [] => boards_up_to(args.cells),
        boards => boards.iter().map(|board| board.0).collect(),
    };
    let mut table = match &args.out {
        Some(path) => BoardTable::open(path)?,
        None => BoardTable::default(),
    };
    let watch = interrupt::budget()?;
    let line = SolveLine::new(&watch);
    let mut stopped = None;
    for rules in boards.iter().filter(|rules| !table.has_solved(rules)).copied().collect::<Vec<_>>()
    {
        line.begin();
        line.say(|| rules.to_string());
        let result = solve(&rules, args, &watch);
        line.end();
        match result? {
            Some(row) => table.insert(row),
            None => {
                stopped = Some(rules);
                break;
            }
        }
        if let Some(path) = &args.out {
            write_whole(path, table.csv().as_bytes())?;
        }
    }
    let mut out = stdout();
    if args.json {
        for row in table.rows() {
            writeln!(out, "{}", serde_json::to_string(row).map_err(Failure::runtime)?)?;
        }
    } else if args.csv {
        write!(out, "{}", table.csv())?;
    } else {
        write!(out, "{}", table.text())?;
    }
    out.flush()?;
    if let Some(path) = &args.svg {
        if table.rows().is_empty() {
            note("fourfold: there is nothing to draw yet");
        } else {
            write_whole(path, plot::draw(&table.points()).as_bytes())?;
        }
    }
    match stopped {
        None => Ok(()),
        Some(rules) => Err(Failure::runtime(format!("interrupted at {rules}"))),
    }
}

/// A board's row; none if Ctrl-C was pressed.
fn solve(rules: &Rules, args: &Args, watch: &Budget) -> Result<Option<BoardRow>, Failure> {
    let mut solver: Solver = args.solver.solver_for(rules)?;
    let limits = watch.part().with_nodes(args.nodes).with_time(args.time);
    let began = Instant::now();
    let result = solver.solve(&Position::new(*rules), &limits);
    let spent = began.elapsed();
    let memory = args.solver.options().memory;
    match result {
        Ok(solved) => Ok(Some(BoardRow::new(
            *rules,
            (solved.score, solved.score),
            solved.nodes,
            spent,
            memory,
        ))),
        Err(SolveError::Unfinished { stop: Halt::Stopped, .. }) => Ok(None),
        Err(SolveError::Unfinished { nodes, lower, upper, .. }) => {
            Ok(Some(BoardRow::new(*rules, (lower, upper), nodes, spent, memory)))
        }
        Err(why) => Err(Failure::runtime(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, boards_up_to};

    #[test]
    fn boards_grow() {
        let names: Vec<String> = boards_up_to(24).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["4x4c4", "4x5c4", "5x4c4", "4x6c4", "6x4c4"]);
        assert_eq!("8x6".parse::<Board>(), "8x6c4".parse::<Board>());
        assert!("8".parse::<Board>().is_err() && "8x6s2".parse::<Board>().is_err());
    }
}
