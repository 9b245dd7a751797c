//! `fourfold tune`: the weights of an evaluator, by exact labels and by play, and what they gain.

use crate::arguments::{at_least, whole};
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note, stdout, table};
use crate::progress::Bar;
use fourfold::budget::Budget;
use fourfold::eval::{Evaluator, ThreatWeights};
use fourfold::game::Rules;
use fourfold::play::GameError;
use fourfold::workers::Threads;
use fourfold_lab::files::{is_special, read_text, with_ending, write_whole};
use fourfold_lab::labels::{Label, LabelFile, LabelOptions, read_labels};
use fourfold_lab::tune::{
    TuneOptions, TuneState, WeightsFile, gain_table, loss_plot, play_plot, tune,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HELP: &str = "\
Weights are fitted to exact labels (logistic regression, Texel's method), then
improved by play (SPSA); --labels and --self-play do one of the two, --both is
the default. The better of what the two found is chosen on openings of its
own, then plays the weights of today on openings that tuning never saw, from
both sides at each depth. Labels are made if no file is given.

FILE gets the weights; players take it as weights=FILE. FILE.svg and
FILE.play.svg show the learning curves. FILE.part and FILE.labels keep what is
done: after Ctrl-C or a crash the same command continues. The result does not
depend on threads or interruptions.

Examples:
  fourfold tune windows
  fourfold tune windows --game 6x5c4 --keep-order --out 6x5c4.weights
  fourfold tune square --game square --self-play --steps 200
  fourfold tune threats --against windows --labels
  fourfold match lookahead:4,weights=7x6c4.weights lookahead:4,eval=windows";

/// Tune the weights of an evaluator for a game, and measure the gain
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Evaluator: windows, square or threats, perhaps with the weights to start from
    evaluator: Evaluator,

    #[command(flatten)]
    game: GameArg,

    /// Only fit the weights to labels, those of this file if one is given (see 'fourfold dataset
    /// labels')
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    labels: Option<Option<PathBuf>>,

    /// Only improve the weights by play
    #[arg(long, conflicts_with = "labels")]
    self_play: bool,

    /// Fit the weights to labels, then improve them by play, as without --labels and --self-play
    #[arg(long, conflicts_with = "self_play")]
    both: bool,

    /// Keep the weights in increasing order, as UMBC's report asks for
    #[arg(long)]
    keep_order: bool,

    /// Labelled positions to make if no file is given
    #[arg(long, short = 'n', default_value_t = 20_000, value_name = "N")]
    #[arg(value_parser = at_least(10u64))]
    count: u64,

    /// Steps of self-play, of 24 games each
    #[arg(long, default_value_t = 1500, value_name = "N", value_parser = whole(1..=1_000_000usize))]
    steps: usize,

    /// Openings of the test, each played from both sides at each depth
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = whole(2..=100_000usize))]
    openings: usize,

    /// Deepest search of the test, which begins at depth 2
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = whole(2..=20u32))]
    test_depth: u32,

    /// What the weights have to beat [default: the evaluator as it is given]
    #[arg(long, value_name = "EVALUATOR")]
    against: Option<Evaluator>,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Games to play and positions to label at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// File for the weights [default: GAME.weights]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Args {
    fn options(&self, rules: Rules) -> TuneOptions {
        let only_labels = self.labels.is_some() && !self.both;
        TuneOptions {
            rules,
            evaluator: self.evaluator.clone(),
            rival: self.against.clone().unwrap_or_else(|| self.evaluator.clone()),
            by_labels: !self.self_play,
            by_play: !only_labels,
            keep_order: self.keep_order,
            steps: self.steps,
            openings: self.openings,
            depths: 2..=self.test_depth,
            seed: self.seed,
        }
    }

    /// The command that gives the same weights again.
    fn command(&self, rules: &Rules) -> String {
        let mut command = format!("fourfold tune {} --game {rules}", self.evaluator);
        match &self.labels {
            Some(Some(path)) => command += &format!(" --labels {}", path.display()),
            Some(None) => command += " --labels",
            None => {}
        }
        for (given, name) in
            [(self.both, "both"), (self.self_play, "self-play"), (self.keep_order, "keep-order")]
        {
            if given {
                command += &format!(" --{name}");
            }
        }
        if let Some(rival) = &self.against {
            command += &format!(" --against {rival}");
        }
        let Self { count, steps, openings, seed, test_depth, .. } = self;
        command
            + &format!(
                " --count {count} --steps {steps} --openings {openings} --test-depth {test_depth} \
                 --seed {seed}"
            )
    }
}

/// The names of the weights, in order.
fn names(evaluator: &Evaluator) -> &'static [&'static str] {
    match evaluator {
        Evaluator::Square(_) => {
            &["bottom one", "bottom both", "top one", "top both", "three", "edge"]
        }
        Evaluator::Threats(_) => &ThreatWeights::NAMES,
        _ => &["lacking three", "lacking two", "lacking one", "fatal"],
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rules = args.game.rules();
    let options = args.options(rules);
    if options.evaluator.weights().is_none() {
        let name = &options.evaluator;
        return Err(Failure::usage(format!(
            "{name} has no weights; windows, square and threats have"
        )));
    }
    for evaluator in [&options.evaluator, &options.rival] {
        evaluator.check(&rules).map_err(Failure::usage)?;
    }
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{rules}.weights")));
    if is_special(&out) {
        return Err(Failure::usage("--out names a file: others are made beside it"));
    }
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let threads = threads_or_all(args.threads);
    let labels = if options.by_labels { labels(args, &out, threads, &budget)? } else { Vec::new() };
    let part = with_ending(&out, "part");
    let mut state = read_state(&part, &options)?;
    let tuned = {
        let mut keeper = Keeper { path: &part, bar: None, written: Instant::now(), failed: None };
        let tuned = tune(&options, &labels, &mut state, threads, &budget, |state, progress| {
            keeper.keep(state, progress.stage, progress.done, progress.total);
        });
        keeper.finish(&state)?;
        tuned
    };
    match tuned {
        Ok(()) => {}
        Err(GameError::Stopped) => {
            return Err(Failure::runtime("interrupted: the same command continues from there"));
        }
        Err(why) => return Err(Failure::runtime(why)),
    }
    finish(args, &options, &state, &out)?;
    // What was kept on the way is in the files now; labels stay, for other evaluators.
    let _ = std::fs::remove_file(&part);
    Ok(())
}

/// The labels of the file that was given, or made here.
fn labels(args: &Args, out: &Path, threads: usize, budget: &Budget) -> Result<Vec<Label>, Failure> {
    let rules = args.game.rules();
    if let Some(Some(path)) = &args.labels {
        return Ok(read_labels(path, &rules)?);
    }
    let cells = rules.cells();
    let options = LabelOptions {
        seed: args.seed,
        // Earlier positions take long, and a search sees through the last ones.
        plies: cells / 6..=cells - cells / 6,
        weak: true,
        nodes: 200_000,
        ..LabelOptions::new(rules)
    };
    let mut file = LabelFile::open(&with_ending(out, "labels"), options)?;
    let bar = Bar::new("labels", args.count);
    bar.set(file.labels().len() as u64, args.count);
    bar.reset_eta();
    let made = file.extend(args.count, threads, budget, |done| bar.set(done, args.count));
    bar.end();
    made?;
    Ok(file.into_labels())
}

fn read_state(part: &Path, options: &TuneOptions) -> Result<TuneState, Failure> {
    if !part.exists() {
        return Ok(TuneState::default());
    }
    let wrong = |why: &str| Failure::usage(format!("{}: {why}", part.display()));
    let state: TuneState = serde_json::from_str(&read_text(part)?)
        .map_err(|why| wrong(&format!("this is not a tuning under way ({why})")))?;
    if state.head != options.head() {
        return Err(wrong(&format!("this is another tuning: {}", state.head)));
    }
    note(format!("Continuing {}.", part.display()));
    Ok(state)
}

/// Writes the state now and then, and shows how far it is.
struct Keeper<'a> {
    path: &'a Path,
    bar: Option<(&'static str, Bar)>,
    written: Instant,
    failed: Option<Failure>,
}

/// At most this much work is done again after a kill.
const KEEP_EVERY: Duration = Duration::from_secs(5);

impl Keeper<'_> {
    fn keep(&mut self, state: &TuneState, stage: &'static str, done: u64, total: u64) {
        if self.bar.as_ref().is_none_or(|(name, _)| *name != stage) {
            if let Some((_, bar)) = self.bar.take() {
                bar.end();
            }
            self.bar = Some((stage, Bar::new(stage, total)));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set(done, total);
        }
        if self.written.elapsed() > KEEP_EVERY {
            self.write(state);
        }
    }

    fn write(&mut self, state: &TuneState) {
        let text = serde_json::to_string(state).map_err(Failure::runtime);
        let written = text.and_then(|text| Ok(write_whole(self.path, text.as_bytes())?));
        self.failed = written.err();
        self.written = Instant::now();
    }

    fn finish(mut self, state: &TuneState) -> Result<(), Failure> {
        if let Some((_, bar)) = self.bar.take() {
            bar.end();
        }
        self.write(state);
        self.failed.map_or(Ok(()), Err)
    }
}

fn finish(
    args: &Args,
    options: &TuneOptions,
    state: &TuneState,
    out: &Path,
) -> Result<(), Failure> {
    let weights = state.weights.clone().unwrap_or_default();
    let evaluator = options.evaluator.with_weights(&weights);
    let evaluator = evaluator.ok_or_else(|| Failure::runtime("the weights grew too large"))?;
    let made = args.command(&options.rules);
    let file = WeightsFile { evaluator: evaluator.clone(), rules: options.rules, made };
    write_whole(out, file.to_text().as_bytes())?;
    let title = format!("{} on {}", options.evaluator, options.rules);
    if let Some(plot) = loss_plot(state, &format!("Fitting {title}")) {
        write_whole(&with_ending(out, "svg"), plot.as_bytes())?;
    }
    let names = names(&options.evaluator);
    if let Some(plot) = play_plot(state, &format!("Self-play of {title}"), names) {
        write_whole(&with_ending(out, "play.svg"), plot.as_bytes())?;
    }
    let mut screen = stdout();
    writeln!(screen, "{}: {evaluator}\n", options.rules)?;
    if let Some(regression) = &state.regression
        && let (Some(first), Some(last)) = (regression.curve.first(), regression.curve.last())
    {
        writeln!(
            screen,
            "Cross-entropy on held-out labels: {:.4} before, {:.4} after ({} samples).",
            first.held_out,
            last.held_out,
            grouped(state.samples as u64)
        )?;
    }
    for candidate in &state.candidates {
        writeln!(
            screen,
            "{:10} {:24} {:.1} % of the points in the choice",
            candidate.origin,
            options
                .evaluator
                .with_weights(&candidate.weights)
                .map_or_else(String::new, |e| e.to_string()),
            100.0 * candidate.score()
        )?;
    }
    writeln!(screen, "\nAgainst {} on openings that tuning never saw:\n", options.rival)?;
    write!(screen, "{}", table(&gain_table(&state.gains)))?;
    writeln!(screen, "\nPlayers take the weights as weights={}.", out.display())?;
    screen.flush()?;
    Ok(())
}
