//! `fourfold train tuned`: the weights of the move order where no network ranks the moves.

use crate::arguments::at_least;
use crate::commands::commit;
use crate::failure::Failure;
use crate::input::threads_or_all;
use crate::interrupt;
use crate::output::{grouped, note};
use crate::progress::Bar;
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::solver::TunedOrder;
use fourfold::workers::Threads;
use fourfold_lab::files::{is_special, read_text, write_whole};
use fourfold_lab::train::order::OrderError;
use fourfold_lab::train::tuned::{TunedOptions, TunedTraining};
use std::path::{Path, PathBuf};

const HELP: &str = "\
The weights rank moves close to the horizon of a null-window search, and on
boards without networks everywhere. Each step changes one of them at random
and solves the same positions again; what takes fewer nodes stays. FILE is
written after every change for the better: after Ctrl-C or a crash the same
command continues. The weights depend on the options alone, not on threads.
A build takes FILE in place of crates/fourfold/src/solver/tuned.weights.

Examples:
  fourfold train tuned --steps 500
  fourfold train tuned --game 6x5c4,8x4c4 --positions 100 --out tuned.weights";

const USUAL: TunedOptions = TunedOptions::USUAL;

/// Tune the weights that order the solver's moves where no network does
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct TunedArgs {
    /// Games, with commas between them: WIDTHxHEIGHT, then c4
    #[arg(long, short, value_name = "GAMES", value_delimiter = ',')]
    #[arg(default_value = "7x6c4,6x6c4,7x5c4,5x8c4,8x4c4")]
    game: Vec<Rules>,

    /// Steps
    #[arg(long, default_value_t = USUAL.steps, value_name = "N", value_parser = at_least(1u64))]
    steps: u64,

    /// Positions of each game that a step is measured on
    #[arg(long, short = 'n', default_value_t = USUAL.positions, value_name = "N")]
    #[arg(value_parser = at_least(1u64))]
    positions: u64,

    /// Nodes that each of them may take
    #[arg(long, default_value_t = USUAL.nodes, value_name = "N", value_parser = at_least(1000u64))]
    nodes: u64,

    /// Test positions of each game, which nothing is tuned on
    #[arg(long, default_value_t = USUAL.tests, value_name = "N", value_parser = at_least(1u64))]
    tests: u64,

    /// Random seed
    #[arg(long, short, default_value_t = USUAL.seed, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Threads [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// File for the weights
    #[arg(long, short, value_name = "FILE", default_value = "tuned.weights")]
    out: PathBuf,
}

/// What stands before the number of steps in a file.
const AFTER: &str = "# After ";

pub(super) fn run(args: &TunedArgs) -> Result<(), Failure> {
    if is_special(&args.out) {
        return Err(Failure::usage(
            "--out must name an ordinary file: it is rewritten as the weights improve",
        ));
    }
    let games: Vec<String> = args.game.iter().map(ToString::to_string).collect();
    let how = format!(
        "fourfold train tuned --game {} --positions {} --nodes {} --seed {}",
        games.join(","),
        args.positions,
        args.nodes,
        args.seed
    );
    let options = TunedOptions {
        games: args.game.clone(),
        seed: args.seed,
        positions: args.positions,
        tests: args.tests,
        nodes: args.nodes,
        steps: args.steps,
    };
    let (order, step) = begun(&args.out, &how)?.unwrap_or((TunedOrder::BUILT_IN, 0));
    let mut training = TunedTraining::new(options, order, step).map_err(failure)?;
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let threads = threads_or_all(args.threads);
    let bar = Bar::new("steps", args.steps);
    bar.set(step, args.steps);
    bar.reset_eta();
    let mut made = Ok(());
    while training.step() < args.steps && made.is_ok() {
        made = match training.run_step(threads, &budget) {
            Ok(false) if training.step() < args.steps => Ok(()),
            Ok(_) => keep(&args.out, &training, &how),
            Err(OrderError::Stopped) => {
                keep(&args.out, &training, &how).and(Err(failure(OrderError::Stopped)))
            }
            Err(why) => Err(failure(why)),
        };
        bar.set(training.step(), args.steps);
    }
    bar.end();
    made?;
    let test = training.test(threads, &budget).map_err(failure)?;
    note(format!(
        "{}: {} test positions take {:.3} times the nodes that they take with the weights that come \
         with the program.",
        args.out.display(),
        grouped(test.positions as u64),
        test.ratio
    ));
    Ok(())
}

/// The weights and steps of an earlier run of the same tuning; none if there is none.
fn begun(path: &Path, how: &str) -> Result<Option<(TunedOrder, u64)>, Failure> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(why) if why.is_not_found() => return Ok(None),
        Err(why) => return Err(why.into()),
    };
    let order = TunedOrder::of_text(&text);
    let step = text.lines().find_map(|line| {
        let (steps, rest) = line.strip_prefix(AFTER)?.split_once(" steps of ")?;
        let same = rest.split_once(", commit ").is_some_and(|(found, _)| found == how);
        steps.parse().ok().filter(|_| same)
    });
    order.zip(step).map(Some).ok_or_else(|| {
        let path = path.display();
        Failure::usage(format!("{path} holds no weights of this tuning: name another --out"))
    })
}

fn keep(path: &Path, training: &TunedTraining, how: &str) -> Result<(), Failure> {
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    let made_by = format!("After {} steps of {how}, commit {commit}", training.step());
    Ok(write_whole(path, training.order().to_text(&made_by).as_bytes())?)
}

fn failure(why: OrderError) -> Failure {
    match why {
        OrderError::Stopped => {
            Failure::runtime("interrupted: the same command continues where it was")
        }
        why @ OrderError::NotTuned { .. } => Failure::usage(why),
        other => Failure::runtime(other),
    }
}
