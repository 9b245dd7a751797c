//! `fourfold bench positions`: the solver on files of positions with known scores.

use crate::failure::Failure;
use crate::input::{GameArg, Lines};
use crate::interrupt;
use crate::output::{grouped, note, rate, stdout, table, time};
use crate::solving::{Budget, SolverArgs};
use fourfold::game::notation::{self, Entry, Format};
use fourfold::solver::{SolveError, Solver};
use serde::Serialize;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const HELP: &str = "\
A file has one position a line: its moves and its score, as 'fourfold positions' and 'fourfold solve' write them. The
solver forgets everything before each position, so that each costs what it costs alone; forgetting is not timed.

A score that differs is told on standard error with its line, and the command exits with 1.

Examples:
  fourfold bench positions end.txt middle.txt
  fourfold bench positions middle.txt --without evens --limit 100";

/// Measure the exact solver on files of positions with known scores
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Files of lines 'moves score'
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Solve only so many positions of each file
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Write one JSON object a file
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: GameArg,

    #[command(flatten)]
    solver: SolverArgs,
}

/// What a file of positions took.
#[derive(Debug, Default)]
struct Measured {
    positions: u64,
    mismatches: u64,
    refused: usize,
    nodes: u64,
    spent: Duration,
    worst: Duration,
}

#[derive(Serialize)]
struct Json {
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
    let mut solver = args.solver.solver_for(&args.game.rules())?;
    let stop = interrupt::flag()?;
    let mut out = stdout();
    let mut rows = vec![
        ["file", "positions", "mismatches", "mean time", "worst time", "nodes a position", "nodes"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let (mut mismatches, mut refused) = (0, 0);
    for path in &args.files {
        let measured = measure(path, args, &mut solver, &stop)?;
        mismatches += measured.mismatches;
        refused += measured.refused;
        if args.json {
            let json = serde_json::to_string(&measured.json(path)).map_err(Failure::runtime)?;
            writeln!(out, "{json}")?;
            out.flush()?;
        } else {
            rows.push(measured.row(path));
        }
    }
    if !args.json {
        write!(out, "{}", table(&rows))?;
    }
    out.flush()?;
    match (refused, mismatches) {
        (0, 0) => Ok(()),
        (0, 1) => Err(Failure::runtime("1 score differs")),
        (0, mismatches) => Err(Failure::runtime(format!("{mismatches} scores differ"))),
        (refused, _) => Err(Failure::Refused(refused)),
    }
}

fn measure(
    path: &Path,
    args: &Args,
    solver: &mut Solver,
    stop: &Arc<AtomicBool>,
) -> Result<Measured, Failure> {
    let unreadable = |why| Failure::runtime(format!("cannot read {}: {why}", path.display()));
    let mut lines = Lines::new(BufReader::new(File::open(path).map_err(unreadable)?));
    let rules = args.game.rules();
    let mut measured = Measured::default();
    for number in 1.. {
        if args.limit.is_some_and(|limit| measured.positions >= limit as u64) {
            break;
        }
        let Some(text) = lines.next().map_err(unreadable)? else { break };
        let place = format!("{}:{number}", path.display());
        let read = notation::read(&text, Some(Format::Pons), Some(&rules));
        let (entry, expected) = match read.map(|entry: Entry| (entry.best_score(), entry)) {
            Ok((Some(score), entry)) => (entry, score),
            Ok((None, _)) => {
                measured.refuse(&place, "no score follows the moves");
                continue;
            }
            Err(why) => {
                measured.refuse(&place, &why.to_string());
                continue;
            }
        };
        solver.forget();
        let limits = Budget::new(None, None, stop).limits();
        let began = Instant::now();
        let result = solver.solve(&entry.position, &limits);
        let spent = began.elapsed();
        let solved = result.map_err(|why| match why {
            SolveError::Unfinished { .. } => Failure::runtime(format!("interrupted at {place}")),
            why => Failure::runtime(why),
        })?;
        measured.positions += 1;
        measured.nodes += solved.nodes;
        measured.spent += spent;
        measured.worst = measured.worst.max(spent);
        if solved.score != expected {
            measured.mismatches += 1;
            note(format!("fourfold: {place}: the score is {}, not {expected}", solved.score));
        }
    }
    Ok(measured)
}

impl Measured {
    fn refuse(&mut self, place: &str, why: &str) {
        note(format!("fourfold: {place}: {why}"));
        self.refused += 1;
    }

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

    fn json(&self, path: &Path) -> Json {
        Json {
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
