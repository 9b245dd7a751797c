//! `fourfold ablate`: every combination of some switches over the same positions.

use super::lab::{agreed, cannot_write, run_with_progress};
use crate::arguments::{at_least, whole};
use crate::failure::Failure;
use crate::input::GameArg;
use crate::interrupt;
use crate::output::{note, screen_width, stdout};
use fourfold::eval::Evaluator;
use fourfold::workers::Threads;
use fourfold_lab::ablation::{self, Ablation, AblationError, MAX_PLOTTED};
use fourfold_lab::files::{read_text, write_whole};
use fourfold_lab::plot::draw;
use fourfold_lab::{ResultTable, RunOptions, summary, write_results};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

const HELP: &str = "\
The file has one position per line, in any notation; # begins a comment, and
'empty' is the empty board. results.csv has one row per combination: the
switches as 0 and 1, runtime_ms (medians of the repeats, summed over the
positions), config, nodes, evaluations, positions. A switch with a number,
such as table, needs the value that counts as on: table=64.

Examples:
  fourfold ablate --positions mid-row.txt --depth 7
  fourfold ablate --positions openings.txt --depth 9 --svg ordering.svg \\
    --switches mid_col,killers,history,table=64 --out ordering";

/// Measure what each switch of the search saves, in every combination
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// File of positions, one per line
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,

    /// Plies to look ahead
    #[arg(long, short, value_name = "PLIES", value_parser = whole(1..=128u32))]
    depth: u32,

    /// Switches, separated by commas, as in 'fourfold search --help' with underscores
    #[arg(long, value_name = "S,S,...", default_value = "alpha_beta,mid_col,early_win")]
    switches: String,

    /// Evaluator [default: the one that suits the game]
    #[arg(long, short, value_name = "EVALUATOR")]
    eval: Option<Evaluator>,

    #[command(flatten)]
    game: GameArg,

    /// Directory for the results
    #[arg(long, short, value_name = "DIR", default_value = "ablation")]
    out: PathBuf,

    /// Draw the nodes of every combination as a plot, into this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Timed repeats of each search, after a warm-up
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole(0..=1000u32))]
    repeats: u32,

    /// Skip combinations that are estimated to take more than this many nodes
    #[arg(long, value_name = "N", default_value_t = 20_000_000_000)]
    #[arg(value_parser = at_least(1u64))]
    budget: u64,

    /// Resume an interrupted run
    #[arg(long)]
    resume: bool,

    /// Print the summary as one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let file = args.positions.display().to_string();
    let positions = read_text(&args.positions)?;
    let ablation = Ablation {
        rules: args.game.rules(),
        file,
        depth: args.depth,
        switches: ablation::switches(&args.switches).map_err(Failure::usage)?,
        evaluator: args.eval.clone(),
        repeats: args.repeats,
        budget: args.budget,
    };
    if args.svg.is_some() && ablation.switches.len() > MAX_PLOTTED {
        // Before the work, not after it.
        return Err(Failure::usage(AblationError::Plotted(ablation.switches.len())));
    }
    let experiment = ablation.experiment(&positions).map_err(Failure::invalid)?;
    let options = RunOptions {
        out: args.out.clone(),
        threads: Threads::ONE,
        resume: args.resume,
        stop: interrupt::flag()?,
        keep_games: None,
    };
    let (outcome, provenance) = run_with_progress(&experiment, &options)?;
    let write = || {
        write_results(&args.out, &experiment, &outcome, &provenance)?;
        fs::write(args.out.join("results.csv"), ablation::csv(&experiment, &outcome))
    };
    write().map_err(|why| cannot_write(&args.out, &why))?;
    if let Some(file) = &args.svg {
        let plot = ablation::plot(&experiment, &outcome).map_err(Failure::usage)?;
        write_whole(file, draw(&plot).as_bytes())?;
    }
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", summary(&experiment, &outcome, &provenance))?;
        out.flush()?;
        return agreed(&[(&experiment, &outcome)]);
    }
    writeln!(out, "{}\n", experiment.question)?;
    for (part, found) in experiment.parts.iter().zip(&outcome.parts) {
        write!(out, "{}", ResultTable::of(part, found).to_text(screen_width()))?;
    }
    out.flush()?;
    note(format!("The report is {}.", args.out.join("report.html").display()));
    agreed(&[(&experiment, &outcome)])
}
