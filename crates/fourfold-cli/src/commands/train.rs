//! `fourfold train`: the network of the evaluator `net`, from labelled positions, and the networks
//! and weights that order the solver's moves.

mod mean;
mod order;
mod tuned;

use crate::arguments::{at_least, whole};
use crate::external::read_net_weights;
use crate::failure::Failure;
use crate::input::{GameArg, add_excluded, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note};
use crate::progress::Bar;
use fourfold::budget::Budget;
use fourfold::eval::net::MOST_UNITS;
use fourfold::workers::Threads;
use fourfold_lab::files::{is_special, read_bytes, with_ending, write_whole};
use fourfold_lab::labels::{Label, LabelFile, LabelOptions, read_labels};
use fourfold_lab::train::{Check, Excluded, TrainOptions, Training, curve_plot};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

const COMMAND_HELP: &str = "\
Examples:
  fourfold train net
  fourfold train net --labels begin.txt --labels middle.txt --out my.net
  fourfold train order --game 6x5c4
  fourfold train tuned --steps 500";

/// Train the networks of the evaluator 'net' and of the solver's move order
#[derive(Debug, clap::Args)]
#[command(after_help = COMMAND_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: TrainCommand,
}

#[derive(Debug, clap::Subcommand)]
enum TrainCommand {
    Net(NetArgs),
    Mean(mean::MeanArgs),
    Order(order::OrderArgs),
    Tuned(tuned::TunedArgs),
}

const HELP: &str = "\
Without --labels, labels are made first, a third each from the beginning, the
middle and the end of the game, and kept beside FILE. FILE.part keeps the
training after each epoch: after Ctrl-C or a crash the same command continues.
The weights depend on the options and labels, not on threads. FILE.svg shows
the learning curve. Players take the network as eval=net:FILE.

Examples:
  fourfold train net
  fourfold train net --labels begin.txt --labels middle.txt --out my.net
  fourfold train net --game 6x5c4 --count 30000 --epochs 10
  fourfold train net --labels begin.txt --test test.txt
  fourfold train net --begin-with my.net --labels doubtful.txt --epochs 2";

/// Train the network of the evaluator 'net': lines of four or 2x2 squares, with gravity
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
struct NetArgs {
    #[command(flatten)]
    game: GameArg,

    /// Labels to learn from ('fourfold dataset labels'); may be repeated. A file that is named
    /// twice counts twice
    #[arg(long, value_name = "FILE")]
    labels: Vec<PathBuf>,

    /// Labels to test on after each epoch: they and their mirror images are not learned from. May
    /// be repeated
    #[arg(long, value_name = "FILE")]
    test: Vec<PathBuf>,

    /// Keep these positions and their mirror images out of the training: one per line, as moves
    /// and perhaps scores, or their hashes ('fourfold dataset hashes'). May be repeated
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,

    /// Labels to make without --labels
    #[arg(long, short = 'n', default_value_t = 60_000, value_name = "N")]
    #[arg(value_parser = at_least(30u64))]
    count: u64,

    /// Times that every position is seen; with 0, the network of --begin-with is only widened
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = whole(0..=1000usize))]
    epochs: usize,

    /// Units of the hidden layer, a multiple of 16 [default: 64, or those of --begin-with]
    #[arg(long, value_name = "N", value_parser = units)]
    units: Option<usize>,

    /// Continue from this network instead of random weights, at a lower learning rate: for labels
    /// that it is unsure about ('fourfold dataset labels --doubt'). With more --units, it is
    /// widened
    #[arg(long, value_name = "FILE")]
    begin_with: Option<PathBuf>,

    /// Learning rate at the beginning [default: 0.002, or 0.0003 with --begin-with]
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<f32>,

    /// Labels in a batch
    #[arg(long, default_value_t = 128, value_name = "N", value_parser = whole(1..=65536usize))]
    batch: usize,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Threads [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// File for the network [default: GAME.net]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn units(text: &str) -> Result<usize, String> {
    let number: Option<usize> = text.parse().ok();
    number
        .filter(|n| n % 16 == 0 && (16..=MOST_UNITS).contains(n))
        .ok_or_else(|| format!("write a multiple of 16 from 16 to {MOST_UNITS}"))
}

fn rate(text: &str) -> Result<f32, String> {
    let number: Option<f32> = text.parse().ok();
    number
        .filter(|rate| (1e-6..=0.1).contains(rate))
        .ok_or_else(|| "write a number from 0.000001 to 0.1".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        TrainCommand::Net(args) => net(args),
        TrainCommand::Mean(args) => mean::run(args),
        TrainCommand::Order(args) => order::run(args),
        TrainCommand::Tuned(args) => tuned::run(args),
    }
}

fn net(args: &NetArgs) -> Result<(), Failure> {
    let rules = args.game.rules();
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{rules}.net")));
    if is_special(&out) {
        return Err(Failure::usage("--out names a file: others are made beside it"));
    }
    // Before any label is made.
    let begun = args.begin_with.as_deref().map(read_net_weights).transpose();
    let begun = begun.map_err(Failure::usage)?;
    if let Some(begun) = begun.as_ref().filter(|begun| begun.rules != rules) {
        let found = begun.rules;
        return Err(Failure::usage(format!(
            "--begin-with names a network of {found}, not {rules}"
        )));
    }
    if args.epochs == 0 && begun.is_none() {
        return Err(Failure::usage("--epochs 0 widens the network that --begin-with names"));
    }
    let units = match (args.units, &begun) {
        (Some(units), Some(begun)) if units < begun.units => {
            let has = begun.units;
            return Err(Failure::usage(format!(
                "--begin-with names a network of {has} units, which is more than {units}"
            )));
        }
        (Some(units), _) => units,
        (None, begun) => begun.as_ref().map_or(64, |begun| begun.units),
    };
    let stop = interrupt::flag()?;
    let budget = Budget::unlimited().with_stop(stop.clone());
    let threads = threads_or_all(args.threads);
    let mut labels = Vec::new();
    for path in &args.labels {
        labels.extend(read_labels(path, &rules)?);
    }
    if args.labels.is_empty() && args.epochs > 0 {
        labels = made_labels(args, &out, threads, &budget)?;
    }
    let mut without = Excluded::default();
    for path in &args.exclude {
        add_excluded(&mut without, path, &rules)?;
    }
    let mut tests = Vec::new();
    for path in &args.test {
        let labels = read_labels(path, &rules)?;
        labels.iter().for_each(|label| without.add(&label.position));
        tests.push((path, labels));
    }
    let options = TrainOptions {
        rules,
        units,
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate.unwrap_or(if begun.is_some() { 3e-4 } else { 2e-3 }),
        seed: args.seed,
    };
    let training = Training::new(options, &labels, &without);
    let mut training = training.ok_or_else(|| {
        Failure::usage(format!(
            "{rules} can have no network: lines of four or 2x2 squares, where discs fall"
        ))
    })?;
    drop(labels);
    if let Some(begun) = &begun {
        let other = || Failure::runtime("the network cannot be continued");
        training = training.begin_with(begun).ok_or_else(other)?;
    }
    let (fitted, seen) = training.size();
    note(format!(
        "{} labels with {} positions to learn from.",
        grouped(fitted as u64),
        grouped(seen as u64)
    ));
    let part = with_ending(&out, "part");
    if part.exists() {
        let bytes = read_bytes(&part, 1 << 30)?;
        training
            .restore(&bytes)
            .map_err(|why| Failure::usage(format!("{}: {why}", part.display())))?;
        note(format!("Continuing {} after {} epochs.", part.display(), training.epoch()));
    }
    while training.epoch() < args.epochs {
        let bar = Bar::new(&format!("labels of epoch {}", training.epoch() + 1), fitted as u64);
        let ended = training.run_epoch(threads, |done| {
            bar.set(done.min(fitted) as u64, fitted as u64);
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        bar.end();
        if ended.is_break() {
            return Err(Failure::runtime(
                "interrupted: the same command continues after the last epoch",
            ));
        }
        write_whole(&part, &training.checkpoint())?;
        if let Some(check) = training.curve().last() {
            note(format!("Epoch {}: {}", training.epoch(), told(check)));
        }
        for (path, labels) in &tests {
            note(format!("  {}: {}", path.display(), told(&training.check_on(labels))));
        }
    }
    let bytes = training.weights().to_bytes();
    write_whole(&out, &bytes)?;
    if args.epochs > 0 {
        let title = format!("Training net on {rules}");
        write_whole(&with_ending(&out, "svg"), curve_plot(training.curve(), &title).as_bytes())?;
    }
    // Everything is in the file now.
    let _ = std::fs::remove_file(&part);
    let size = bytes.len().div_ceil(1024);
    note(format!("{}: {size} KiB; players take it as eval=net:{}.", out.display(), out.display()));
    Ok(())
}

fn told(check: &Check) -> String {
    format!(
        "cross-entropy {:.4}; the move liked best changes the result in {:.2} % of {} labels",
        check.loss,
        100.0 * check.error(),
        grouped(check.labels)
    )
}

/// Labels from all phases of the game, kept beside the network.
fn made_labels(
    args: &NetArgs,
    out: &Path,
    threads: usize,
    budget: &Budget,
) -> Result<Vec<Label>, Failure> {
    let rules = args.game.rules();
    let cells = rules.cells();
    let phases = [
        (0, cells / 3, "begin"),
        (cells / 3 + 1, 2 * cells / 3, "middle"),
        (2 * cells / 3 + 1, cells - 2, "end"),
    ];
    let mut labels = Vec::new();
    for (first, last, name) in phases {
        let options = LabelOptions {
            seed: args.seed,
            plies: first..=last,
            weak: true,
            ..LabelOptions::new(rules)
        };
        let path = with_ending(out, &format!("{name}.labels"));
        let mut file = LabelFile::open(&path, options)?;
        let count = args.count / 3;
        let bar = Bar::new(&format!("labels ({name})"), count);
        bar.set(file.labels().len() as u64, count);
        bar.reset_eta();
        let made = file.extend(count, threads, budget, |done| bar.set(done, count));
        bar.end();
        match made {
            // A small board has no more: what there is will do.
            Err(fourfold_lab::labels::LabelFileError::Labels(
                fourfold_lab::labels::LabelError::Exhausted { .. },
            )) => {}
            made => made?,
        }
        labels.extend(file.into_labels());
    }
    Ok(labels)
}
