//! `fourfold bench positions`: the solver on files of positions with known scores.

use super::sets::{Known, Set};
use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::GameArg;
use crate::interrupt;
use crate::output::{grouped, note, rate, stdout, table, time};
use crate::progress::SolveLine;
use crate::solving::SolverArgs;
use fourfold::budget::Budget;
use fourfold::solver::{SolveError, Solver};
use fourfold::workers::Threads;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HELP: &str = "\
A file has one position per line: its moves and its score, as 'fourfold
positions' and 'fourfold solve' print them. The solver forgets everything
before each position, so that each costs what it costs alone; forgetting is
not timed.

A score that differs is reported on standard error with its line, and the
command exits with 1.

Examples:
  fourfold bench positions end.txt middle.txt
  fourfold bench positions middle.txt --without claimeven --count 100
  fourfold bench positions begin.txt --threads 2";

/// Measure the exact solver on files of positions with known scores
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Files of lines 'moves score'
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Solve only the first N positions of each file
    #[arg(long, short = 'n', alias = "limit", value_name = "N", value_parser = at_least(1usize))]
    count: Option<usize>,

    /// Threads that solve each position together
    #[arg(long, short, default_value = "1", value_name = "N")]
    threads: Threads,

    /// Print one JSON object per file
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: GameArg,

    #[command(flatten)]
    solver: SolverArgs,
}

/// What a file of positions took.
#[derive(Debug, Default)]
struct SetTotals {
    positions: u64,
    mismatches: u64,
    nodes: u64,
    spent: Duration,
    worst: Duration,
}

#[derive(Serialize)]
struct SetJson {
    file: String,
    positions: u64,
    mismatches: u64,
    mean_ms: f64,
    worst_ms: f64,
    nodes: u64,
    nodes_per_position: f64,
    nodes_per_second: f64,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rules = args.game.rules();
    let options = args.solver.options().with_threads(args.threads.get() as u32);
    let mut solver = Solver::new(&rules, options).map_err(Failure::runtime)?;
    let watch = interrupt::budget()?;
    let line = SolveLine::new(&watch);
    line.begin();
    let mut out = stdout();
    let mut rows = vec![
        [
            "file",
            "positions",
            "mismatches",
            "mean time",
            "worst time",
            "nodes per position",
            "nodes",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    let (mut mismatches, mut refused) = (0, 0);
    let mut stopped = None;
    for path in &args.files {
        let set = Set::read(path, &rules, args.count)?;
        refused += set.refused;
        let (measured, stopped_at) = measure(&set, &mut solver, &watch, &line)?;
        mismatches += measured.mismatches;
        if args.json {
            let json = serde_json::to_string(&measured.json(path)).map_err(Failure::runtime)?;
            line.aside(|| writeln!(out, "{json}").and_then(|()| out.flush()))?;
        } else {
            rows.push(measured.row(path));
        }
        stopped = stopped_at;
        if stopped.is_some() {
            break;
        }
    }
    line.end();
    if !args.json {
        write!(out, "{}", table(&rows))?;
    }
    out.flush()?;
    match (stopped, refused, mismatches) {
        (Some(place), ..) => Err(Failure::runtime(format!("interrupted at {place}"))),
        (None, 0, 0) => Ok(()),
        (None, 0, 1) => Err(Failure::runtime("1 score differs")),
        (None, 0, mismatches) => Err(Failure::runtime(format!("{mismatches} scores differ"))),
        (None, refused, _) => Err(Failure::Refused(refused)),
    }
}

/// What a file took, and where Ctrl-C stopped it.
fn measure(
    set: &Set,
    solver: &mut Solver,
    watch: &Budget,
    line: &SolveLine,
) -> Result<(SetTotals, Option<String>), Failure> {
    let mut measured = SetTotals::default();
    for (index, Known { place, position, score, .. }) in set.positions.iter().enumerate() {
        line.say(|| format!("{}: position {} of {}", set.name, index + 1, set.positions.len()));
        solver.forget();
        let limits = watch.part();
        let began = Instant::now();
        let result = solver.solve(position, &limits);
        let spent = began.elapsed();
        let solved = match result {
            Ok(solved) => solved,
            Err(SolveError::Unfinished { .. }) => return Ok((measured, Some(place.clone()))),
            Err(why) => return Err(Failure::runtime(why)),
        };
        measured.positions += 1;
        measured.nodes += solved.nodes;
        measured.spent += spent;
        measured.worst = measured.worst.max(spent);
        if solved.score != *score {
            measured.mismatches += 1;
            line.aside(|| {
                note(format!("fourfold: {place}: the score is {}, not {score}", solved.score));
            });
        }
        // A position that needs no search does not see the flag.
        if watch.is_stopped() {
            return Ok((measured, Some(place.clone())));
        }
    }
    Ok((measured, None))
}

impl SetTotals {
    /// Per position; 0 if there was none.
    fn mean(&self, sum: f64) -> f64 {
        if self.positions == 0 { 0.0 } else { sum / self.positions as f64 }
    }

    fn row(&self, path: &Path) -> Vec<String> {
        vec![
            path.display().to_string(),
            grouped(self.positions),
            grouped(self.mismatches),
            time(Duration::from_secs_f64(self.mean(self.spent.as_secs_f64()))),
            time(self.worst),
            grouped(self.mean(self.nodes as f64).round() as u64),
            rate(self.nodes, self.spent),
        ]
    }

    fn json(&self, path: &Path) -> SetJson {
        SetJson {
            file: path.display().to_string(),
            positions: self.positions,
            mismatches: self.mismatches,
            mean_ms: self.mean(self.spent.as_secs_f64() * 1e3),
            worst_ms: self.worst.as_secs_f64() * 1e3,
            nodes: self.nodes,
            nodes_per_position: self.mean(self.nodes as f64),
            nodes_per_second: self.nodes as f64 / self.spent.as_secs_f64().max(1e-9),
        }
    }
}
