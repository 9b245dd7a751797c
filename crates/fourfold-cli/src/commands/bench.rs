//! `fourfold bench`: the textbook searches and the exact solver on fixed lists of positions, one
//! thread; and the solver on files of positions, beside other solvers, on empty boards that
//! grow, and with ideas left out; and a server under load.
//!
//! The nodes are the same on every machine, so their total is a signature of the search's
//! behaviour: a change that is meant to keep the behaviour keeps the signature. The solver has one
//! of its own. Rates are this machine's.

mod ablation;
mod growth;
mod peers;
mod positions;
#[cfg(feature = "web")]
mod service;
mod sets;
mod solver;

use crate::failure::Failure;
use crate::output::{grouped, rate, stdout, table, time};
use fourfold::eval::Evaluator;
use fourfold::game::Rules;
use fourfold::game::notation;
use fourfold::search::{Counters, Limits, SearchOptions, Searcher};
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

const HELP: &str = "\
The node totals are the same on every machine: signatures of the behaviour of
the searches and the solver.

Examples:
  fourfold bench
  fourfold bench positions middle.txt
  fourfold bench growth --cells 36
  fourfold bench ablation";

/// Measure the searches and the solver on fixed positions: node signatures and speed
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = HELP)]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    what: Option<BenchCommand>,
}

/// BenchCommand else can be measured.
#[derive(Debug, clap::Subcommand)]
enum BenchCommand {
    Positions(positions::Args),
    Peers(peers::Args),
    Growth(growth::Args),
    Ablation(ablation::Args),
    #[cfg(feature = "web")]
    Service(service::Args),
}

/// One search to measure.
struct Job {
    name: &'static str,
    evaluator: &'static str,
    depth: u32,
    switches: &'static [(&'static str, &'static str)],
    positions: &'static [(&'static str, &'static str)],
}

const OPENINGS: &[(&str, &str)] = &[("7x6c4", ""), ("7x6c4", "4453"), ("7x6c4", "32164625")];
const PLAIN: (&str, &str) = ("alpha_beta", "off");
const CENTRE: (&str, &str) = ("mid_col", "on");
const EARLY: (&str, &str) = ("early_win", "on");

const JOBS: [Job; 8] = [
    Job {
        name: "minimax, finished games only",
        evaluator: "terminal",
        depth: 8,
        switches: &[PLAIN],
        positions: OPENINGS,
    },
    Job {
        name: "minimax, windows",
        evaluator: "windows",
        depth: 7,
        switches: &[PLAIN],
        positions: OPENINGS,
    },
    Job {
        name: "alpha-beta, windows",
        evaluator: "windows",
        depth: 9,
        switches: &[],
        positions: OPENINGS,
    },
    Job {
        name: "alpha-beta, centre, early win",
        evaluator: "windows",
        depth: 11,
        switches: &[CENTRE, EARLY],
        positions: OPENINGS,
    },
    Job {
        name: "all switches that keep the value",
        evaluator: "windows",
        depth: 12,
        switches: &[
            CENTRE,
            EARLY,
            ("table", "16"),
            ("symmetry", "on"),
            ("killers", "on"),
            ("history", "on"),
            ("deepening", "on"),
            ("cached_ends", "on"),
        ],
        positions: OPENINGS,
    },
    Job {
        name: "squares",
        evaluator: "square",
        depth: 9,
        switches: &[CENTRE, EARLY],
        positions: &[("7x6s2", ""), ("7x6s2", "4354")],
    },
    Job {
        name: "tic-tac-toe to the end",
        evaluator: "open-lines",
        depth: 9,
        switches: &[],
        positions: &[("3x3c3f", ""), ("3x3c3f", "b2"), ("3x3c3f", "a1 b2")],
    },
    Job {
        name: "a board of 120 bits",
        evaluator: "windows",
        depth: 5,
        switches: &[CENTRE, EARLY],
        positions: &[("12x9c5", ""), ("12x9c5", "6,6,7,5")],
    },
];

#[derive(Serialize)]
struct SearchRow {
    name: &'static str,
    nodes: u64,
    evaluations: u64,
    time_ms: f64,
    nodes_per_second: f64,
    evaluations_per_second: f64,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        None => fixed_lists(args.json),
        Some(BenchCommand::Positions(args)) => positions::run(args),
        Some(BenchCommand::Peers(args)) => peers::run(args),
        Some(BenchCommand::Growth(args)) => growth::run(args),
        Some(BenchCommand::Ablation(args)) => ablation::run(args),
        #[cfg(feature = "web")]
        Some(BenchCommand::Service(args)) => service::run(args),
    }
}

fn fixed_lists(json: bool) -> Result<(), Failure> {
    let mut measured: Vec<(&Job, Counters, Duration)> = Vec::new();
    for job in &JOBS {
        let (counters, elapsed) = measure(job)?;
        measured.push((job, counters, elapsed));
    }
    let signature: u64 = measured.iter().map(|(_, counters, _)| counters.nodes).sum();
    let solver = solver::measure()?;
    let mut out = stdout();
    if json {
        let rows: Vec<SearchRow> = measured
            .iter()
            .map(|(job, counters, spent)| SearchRow::new(job, counters, *spent))
            .collect();
        let json = serde_json::json!({
            "signature": signature,
            "searches": rows,
            "solver_signature": solver.nodes,
            "solver": solver.row(),
        });
        writeln!(out, "{json}")?;
    } else {
        let mut rows = vec![
            ["search", "depth", "nodes", "time", "nodes", "evaluations"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (job, counters, spent) in &measured {
            rows.push(vec![
                job.name.to_owned(),
                job.depth.to_string(),
                grouped(counters.nodes),
                time(*spent),
                rate(counters.nodes, *spent),
                rate(counters.evaluations, *spent),
            ]);
        }
        rows.push(vec![
            "exact solver".to_owned(),
            "end".to_owned(),
            grouped(solver.nodes),
            time(solver.spent),
            rate(solver.nodes, solver.spent),
            "-".to_owned(),
        ]);
        write!(out, "{}", table(&rows))?;
        writeln!(out, "\nSignature: {signature}")?;
        writeln!(out, "Solver signature: {}", solver.nodes)?;
    }
    out.flush()?;
    Ok(())
}

fn measure(job: &Job) -> Result<(Counters, Duration), Failure> {
    let evaluator: Evaluator = job.evaluator.parse().map_err(Failure::runtime)?;
    let mut options = SearchOptions::default();
    for (name, value) in job.switches {
        options.set(name, value).map_err(Failure::runtime)?;
    }
    let (mut counters, mut elapsed) = (Counters::default(), Duration::ZERO);
    for (game, text) in job.positions {
        let rules: Rules = game.parse().map_err(Failure::runtime)?;
        let entry = notation::Reader::new().rules(&rules).read(text).map_err(Failure::runtime)?;
        let mut searcher = Searcher::new(evaluator.clone(), options.clone());
        let report = searcher
            .search(&entry.position, &Limits::depth(job.depth), 0)
            .map_err(Failure::runtime)?;
        counters.add(&report.counters);
        elapsed += report.elapsed;
    }
    Ok((counters, elapsed))
}

impl SearchRow {
    fn new(job: &Job, counters: &Counters, spent: Duration) -> Self {
        let per_second = |count: u64| count as f64 / spent.as_secs_f64().max(1e-9);
        Self {
            name: job.name,
            nodes: counters.nodes,
            evaluations: counters.evaluations,
            time_ms: spent.as_secs_f64() * 1e3,
            nodes_per_second: per_second(counters.nodes),
            evaluations_per_second: per_second(counters.evaluations),
        }
    }
}
