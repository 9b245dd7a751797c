//! `fourfold bench positions`: the solver on files of positions with known scores.

use super::sets::{Known, Set};
use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::GameArg;
use crate::interrupt;
use crate::output::{grouped, note, rate, stdout, table, time};
use crate::progress::SolveLine;
use crate::solving::{OrderArgs, SolverArgs};
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

With several numbers of threads each position is solved once with each of
them, one right after the other, so that whatever else the machine does slows
all of them down alike. The first is what the others are compared with.

A score that differs is reported on standard error with its line, and the
command exits with 1.

Examples:
  fourfold bench positions end.txt middle.txt
  fourfold bench positions middle.txt --without claimeven --count 100
  fourfold bench positions begin.txt --threads 1,2
  fourfold bench positions 8x6.txt --game 8x6c4 --weights boards.weights
  fourfold bench positions 6x6c5.txt --game 6x6c5 --threads 1,2";

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

    /// Threads that solve each position together; several numbers, with commas between them, are
    /// compared
    #[arg(long, short, default_value = "1", value_name = "N", value_delimiter = ',')]
    threads: Vec<Threads>,

    /// Print one JSON object per file
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: GameArg,

    #[command(flatten)]
    solver: SolverArgs,

    #[command(flatten)]
    order: OrderArgs,
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
    threads: usize,
    positions: u64,
    mismatches: u64,
    mean_ms: f64,
    worst_ms: f64,
    nodes: u64,
    nodes_per_position: f64,
    nodes_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    times_the_nodes: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times_as_fast: Option<f64>,
}

/// A solver, and how many threads it has.
struct Contender {
    threads: usize,
    solver: Solver,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rules = args.game.rules();
    let order = args.order.order()?;
    order.check(&rules)?;
    let make = |threads: &Threads| {
        let threads = threads.get();
        let options = args.solver.options().with_threads(threads as u32);
        let solver = Solver::new(&rules, options).map_err(Failure::runtime)?;
        Ok(Contender { threads, solver: solver.with_order(&order.order) })
    };
    let mut contenders: Vec<Contender> =
        args.threads.iter().map(make).collect::<Result<_, Failure>>()?;
    let compares = contenders.len() > 1;
    let watch = interrupt::budget()?;
    let line = SolveLine::new(&watch);
    line.begin();
    let mut out = stdout();
    let mut heading = vec![
        "file",
        "positions",
        "mismatches",
        "mean time",
        "worst time",
        "nodes per position",
        "nodes",
    ];
    if compares {
        heading.insert(1, "threads");
        heading.extend(["times the nodes", "times as fast"]);
    }
    let mut rows = vec![heading.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    let (mut mismatches, mut refused) = (0, 0);
    let mut stopped = None;
    for path in &args.files {
        let set = Set::read(path, &rules, args.count)?;
        refused += set.refused;
        let (measured, stopped_at) = measure(&set, &mut contenders, &watch, &line)?;
        for (contender, totals) in contenders.iter().zip(&measured) {
            mismatches += totals.mismatches;
            let compared = compares.then_some(&measured[0]);
            if args.json {
                let json = totals.json(path, contender.threads, compared);
                let json = serde_json::to_string(&json).map_err(Failure::runtime)?;
                line.aside(|| writeln!(out, "{json}").and_then(|()| out.flush()))?;
            } else {
                rows.push(totals.row(path, contender.threads, compared));
            }
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

/// What a file took each solver, and where Ctrl-C stopped them. All have solved the same positions
/// then, in turn.
fn measure(
    set: &Set,
    contenders: &mut [Contender],
    watch: &Budget,
    line: &SolveLine,
) -> Result<(Vec<SetTotals>, Option<String>), Failure> {
    let mut measured: Vec<SetTotals> = contenders.iter().map(|_| SetTotals::default()).collect();
    for (index, Known { place, position, score, .. }) in set.positions.iter().enumerate() {
        line.say(|| format!("{}: position {} of {}", set.name, index + 1, set.positions.len()));
        let mut results = Vec::new();
        for Contender { solver, .. } in &mut *contenders {
            solver.forget();
            let limits = watch.part();
            let began = Instant::now();
            let result = solver.solve(position, &limits);
            let spent = began.elapsed();
            match result {
                Ok(solved) => results.push((solved, spent)),
                Err(SolveError::Unfinished { .. }) => return Ok((measured, Some(place.clone()))),
                Err(why) => return Err(Failure::runtime(why)),
            }
        }
        for (totals, (solved, spent)) in measured.iter_mut().zip(results) {
            totals.positions += 1;
            totals.nodes += solved.nodes;
            totals.spent += spent;
            totals.worst = totals.worst.max(spent);
            if solved.score != *score {
                totals.mismatches += 1;
                line.aside(|| {
                    note(format!("fourfold: {place}: the score is {}, not {score}", solved.score));
                });
            }
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

    /// How many times the nodes of another solver this one took, and how many times as fast it was.
    fn compared(&self, with: &Self) -> (f64, f64) {
        let ratio = |a: f64, b: f64| if b == 0.0 { 1.0 } else { a / b };
        (
            ratio(self.nodes as f64, with.nodes as f64),
            ratio(with.spent.as_secs_f64(), self.spent.as_secs_f64()),
        )
    }

    fn row(&self, path: &Path, threads: usize, compared: Option<&Self>) -> Vec<String> {
        let mut row = vec![
            path.display().to_string(),
            grouped(self.positions),
            grouped(self.mismatches),
            time(Duration::from_secs_f64(self.mean(self.spent.as_secs_f64()))),
            time(self.worst),
            grouped(self.mean(self.nodes as f64).round() as u64),
            rate(self.nodes, self.spent),
        ];
        if let Some(with) = compared {
            let (nodes, speed) = self.compared(with);
            row.insert(1, threads.to_string());
            row.extend([format!("{nodes:.2}"), format!("{speed:.2}")]);
        }
        row
    }

    fn json(&self, path: &Path, threads: usize, compared: Option<&Self>) -> SetJson {
        let compared = compared.map(|with| self.compared(with));
        SetJson {
            file: path.display().to_string(),
            threads,
            positions: self.positions,
            mismatches: self.mismatches,
            mean_ms: self.mean(self.spent.as_secs_f64() * 1e3),
            worst_ms: self.worst.as_secs_f64() * 1e3,
            nodes: self.nodes,
            nodes_per_position: self.mean(self.nodes as f64),
            nodes_per_second: self.nodes as f64 / self.spent.as_secs_f64().max(1e-9),
            times_the_nodes: compared.map(|(nodes, _)| nodes),
            times_as_fast: compared.map(|(_, speed)| speed),
        }
    }
}
