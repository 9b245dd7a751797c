//! `fourfold train order`: the networks that order the solver's moves, on one board or on every
//! board.

use crate::arguments::{at_least, whole};
use crate::commands::commit;
use crate::failure::Failure;
use crate::input::threads_or_all;
use crate::interrupt;
use crate::output::{grouped, note};
use crate::progress::Bar;
use crate::solving::read_weights;
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::solver::OrderWeights;
use fourfold::workers::Threads;
use fourfold_lab::files::{is_special, read_bytes, with_ending, write_whole};
use fourfold_lab::train::order::{OrderError, OrderOptions, OrderStep, OrderTraining, Round};
use std::path::{Path, PathBuf};

const HELP: &str = "\
Each round solves positions of seeded games, samples the nodes of these
searches with the cost of their moves, and fits the networks to those of all
rounds. FILE.1, FILE.2, ... keep the weights of each round, FILE.1.samples,
... its samples: after Ctrl-C or a crash the same command goes on with the
next, and with a larger --rounds it adds some. FILE gets the round that
takes the fewest nodes on test positions; these are not trained on. The
weights depend on the options alone, not on threads. 'fourfold solve
--weights FILE' takes them.

One game gives networks for its board. Several give universal ones, which are
for every board up to 64 bits and 9 rows, whether or not it was trained on.
These are a good beginning for a board of its own (--begin-with).

Examples:
  fourfold train order --game 6x5c4
  fourfold train order --game 6x7c4 --rounds 5 --out 6x7c4.weights
  fourfold train order --game 5x4c4 --positions 100 --rounds 2
  fourfold train order --game 6x7c4,8x5c4,7x7c4 --out boards.weights
  fourfold train order --game 9x5c4 --begin-with boards.weights";

/// No file of samples is larger, in bytes.
const MOST_SAMPLES: u64 = 16 << 30;

const USUAL: OrderOptions = OrderOptions::USUAL;

/// Train the networks that order the solver's moves: lines of four with gravity, up to 64 bits
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct OrderArgs {
    /// Games, with commas between them: WIDTHxHEIGHT, then c4; or connect4
    #[arg(long, short, value_name = "GAMES", value_delimiter = ',', default_value = "7x6c4")]
    game: Vec<Rules>,

    /// Rounds of sampling and fitting
    #[arg(long, default_value_t = USUAL.rounds, value_name = "N", value_parser = whole(1..=99usize))]
    rounds: usize,

    /// Positions that are solved in each round, of each game
    #[arg(long, short = 'n', default_value_t = USUAL.positions, value_name = "N")]
    #[arg(value_parser = at_least(1u64))]
    positions: u64,

    /// Nodes that each of them may take: what was sampled by then counts
    #[arg(long, default_value_t = USUAL.nodes, value_name = "N", value_parser = at_least(1000u64))]
    nodes: u64,

    /// Test positions of each game, which are not trained on
    #[arg(long, default_value_t = USUAL.tests, value_name = "N", value_parser = at_least(1u64))]
    tests: u64,

    /// Sample one node in so many where a small network ranks the moves
    #[arg(long, default_value_t = USUAL.every[0], value_name = "N", value_parser = at_least(1u64))]
    every: u64,

    /// The same where a large network does, far from the horizon
    #[arg(long, default_value_t = USUAL.every[1], value_name = "N", value_parser = at_least(1u64))]
    every_far: u64,

    /// Times that every sampled node is seen
    #[arg(long, default_value_t = USUAL.epochs, value_name = "N", value_parser = whole(1..=1000usize))]
    epochs: usize,

    /// Begin with these weights, of the board or of every board [default: the tuned order]
    #[arg(long, value_name = "FILE")]
    begin_with: Option<PathBuf>,

    /// Plies at the start of a game whose moves tuned weights order, not the networks
    #[arg(long, default_value_t = USUAL.first_ply, value_name = "N", value_parser = whole(0..=99u8))]
    first_ply: u8,

    /// Random seed
    #[arg(long, short, default_value_t = USUAL.seed, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Threads [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// File for the weights [default: GAME.weights, or boards.weights for several]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &OrderArgs) -> Result<(), Failure> {
    let games: Vec<String> = args.game.iter().map(ToString::to_string).collect();
    let name = if let [game] = &games[..] { game } else { "boards" };
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.weights")));
    if is_special(&out) {
        return Err(Failure::usage("--out names a file: others are made beside it"));
    }
    let options = OrderOptions {
        seed: args.seed,
        rounds: args.rounds,
        positions: args.positions,
        tests: args.tests,
        nodes: args.nodes,
        every: [args.every, args.every_far],
        epochs: args.epochs,
        games: args.game.clone(),
        first_ply: args.first_ply,
        begin_with: args
            .begin_with
            .as_deref()
            .map(|file| beginning(file, &args.game))
            .transpose()?,
    };
    let mut begun = String::new();
    if let Some(name) = args.begin_with.as_ref().and_then(|file| file.file_name()) {
        begun += &format!(" --begin-with {}", name.display());
    }
    if args.first_ply > 0 {
        begun += &format!(" --first-ply {}", args.first_ply);
    }
    let made_by = format!(
        "fourfold train order --game {} --rounds {} --positions {} --nodes {} --tests {} \
         --every {} --every-far {} --epochs {} --seed {}{}, commit {}",
        games.join(","),
        args.rounds,
        args.positions,
        args.nodes,
        args.tests,
        args.every,
        args.every_far,
        args.epochs,
        args.seed,
        begun,
        commit().unwrap_or_else(|| "unknown".to_owned())
    );
    let mut training = OrderTraining::new(options, made_by).map_err(failure)?;
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let threads = threads_or_all(args.threads);
    while training.round() < args.rounds {
        let number = training.round() + 1;
        let kept = with_ending(&out, &number.to_string());
        let samples = with_ending(&kept, "samples");
        if kept.exists() {
            let weights = read_one(&kept)?;
            training
                .take_round(&weights, &read_bytes(&samples, MOST_SAMPLES)?)
                .map_err(|why| Failure::usage(format!("{}: {why}", kept.display())))?;
            note(format!("Round {number} is in {}.", kept.display()));
        } else {
            let mut bars = Bars::new(number);
            let round = training.run_round(threads, &budget, &mut |step, done, all| {
                bars.show(step, done, all);
            });
            bars.end();
            let round = round.map_err(failure)?;
            write_whole(&samples, &training.samples())?;
            write_whole(&kept, &training.weights().map_err(failure)?.to_bytes())?;
            note(format!("Round {number}: {}", told(&round)));
        }
        let mut bars = Bars::new(number);
        let tested = training.test(threads, &budget, &mut |step, done, all| {
            bars.show(step, done, all);
        });
        bars.end();
        let tests = tested.map_err(failure)?;
        for (game, [tuned, nodes]) in tests.games() {
            note(format!(
                "Round {number}: the tests of {game} take {} nodes, {:.3} times the {} of the tuned \
                 order.",
                grouped(nodes),
                nodes as f64 / tuned.max(1) as f64,
                grouped(tuned)
            ));
        }
        if tests.games().count() > 1 {
            note(format!("Round {number}: {:.3} times in the geometric mean.", tests.ratio()));
        }
    }
    let Some((weights, tests)) = training.best() else { return Ok(()) };
    write_whole(&out, &weights.to_bytes())?;
    note(format!("{}: {}", out.display(), weights.trained_on()));
    if tests.ratio() >= 1.0 {
        note("The tuned order takes fewer nodes: train on more positions.");
    }
    Ok(())
}

/// The only networks in a file.
fn read_one(path: &Path) -> Result<OrderWeights, Failure> {
    match read_weights(path)?.all() {
        [weights] => Ok(weights.clone()),
        _ => Err(Failure::usage(format!("{}: has the networks of several boards", path.display()))),
    }
}

/// What a training of some games begins with: those of the game, if the file has any, or of every
/// board.
fn beginning(path: &Path, games: &[Rules]) -> Result<OrderWeights, Failure> {
    let file = read_weights(path)?;
    let found = match games {
        [game] => file.all().iter().find(|weights| weights.game() == Some(game)),
        _ => None,
    };
    let universal = || file.all().iter().find(|weights| weights.game().is_none());
    match found.or_else(universal) {
        Some(weights) => Ok(weights.clone()),
        None => Err(Failure::usage(format!(
            "{}: has networks neither of the game nor of every board",
            path.display()
        ))),
    }
}

fn failure(why: OrderError) -> Failure {
    match why {
        OrderError::Stopped => {
            Failure::runtime("interrupted: the same command continues after the last round")
        }
        OrderError::Weights(why) => Failure::usage(why),
        why @ OrderError::OfOneBoard => Failure::usage(why),
        other => Failure::runtime(other),
    }
}

fn told(round: &Round) -> String {
    let losses = round.fits.iter().map(|fit| format!("{:.3} to {:.3}", fit.before, fit.after));
    format!(
        "{} nodes; the loss on those held out falls from {}.",
        grouped(round.samples as u64),
        losses.collect::<Vec<_>>().join(", ")
    )
}

/// A bar for each step of a round.
struct Bars {
    round: usize,
    bar: Option<(OrderStep, Bar)>,
}

impl Bars {
    fn new(round: usize) -> Self {
        Self { round, bar: None }
    }

    fn show(&mut self, step: OrderStep, done: u64, all: u64) {
        if self.bar.as_ref().is_none_or(|bar| bar.0 != step) {
            self.end();
            let what = match step {
                OrderStep::Sampling => "positions sampled",
                OrderStep::Fitting => "networks fitted",
                OrderStep::Testing => "positions tested",
            };
            let bar = Bar::new(&format!("{what} (round {})", self.round), all);
            self.bar = Some((step, bar));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set(done, all);
        }
    }

    fn end(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.end();
        }
    }
}
