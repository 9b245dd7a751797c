//! `fourfold lab`: experiments as files, run, resumed and compared.

use crate::external;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{note, screen_width, stdout, table};
use crate::progress;
use fourfold::search::nearest;
use fourfold::workers::Threads;
use fourfold_lab::diff::{Change, diff};
use fourfold_lab::files::read_text;
use fourfold_lab::metrics::Unit;
use fourfold_lab::{
    Experiment, FileError, JournalError, Outcome, Provenance, ResultTable, RunError, RunOptions,
    RunProgress, TEMPLATE, builtin, front_page, run as run_experiment, summary, text,
    write_results,
};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const HELP: &str = "\
Examples:
  fourfold lab list
  fourfold lab run radboud-growth
  fourfold lab run umbc-tables --quick --out somewhere
  fourfold lab new my-experiment.toml && fourfold lab run my-experiment.toml
  fourfold lab diff lab/before lab/after";

/// Run experiments: published tables next to our figures, or your own
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LabCommand {
    List(ListArgs),
    Run(RunArgs),
    All(AllArgs),
    New(NewArgs),
    Diff(DiffArgs),
}

const LIST_HELP: &str = "\
Examples:
  fourfold lab list
  fourfold lab list --json | jq -r .name";

/// List the experiments that come with Fourfold
#[derive(Debug, clap::Args)]
#[command(after_help = LIST_HELP)]
struct ListArgs {
    /// Print one JSON object per experiment
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct RunFlags {
    /// Items (games, positions) to work on at once; times depend on it, results do not [default:
    /// one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Run the quick version: fewer games, depths and positions
    #[arg(long)]
    quick: bool,

    /// Resume an interrupted run; what is finished is kept
    #[arg(long)]
    resume: bool,

    /// Print the summary as one JSON object per run instead of tables
    #[arg(long)]
    json: bool,
}

impl RunFlags {
    fn threads(&self) -> Threads {
        self.threads.unwrap_or_else(Threads::available)
    }
}

const RUN_HELP: &str = "\
A run writes into its directory:
  report.html    plots and tables, published figures beside ours
  results.csv    one row per cell and metric, with intervals
  summary.json   the same with seed, commit, machine and command
  PART-N.svg     each plot by itself
  journal.jsonl  what is finished; only --resume needs it

Examples:
  fourfold lab run radboud-growth
  fourfold lab run my-experiment.toml --quick --out somewhere
  fourfold lab run my-experiment.toml --resume
  fourfold lab run my-experiment.toml --keep-games games.jsonl";

const ALL_HELP: &str = "\
Examples:
  fourfold lab all --quick
  fourfold lab all --resume --out lab";

const NEW_HELP: &str = "\
Examples:
  fourfold lab new my-experiment.toml
  fourfold lab run my-experiment.toml";

const DIFF_HELP: &str = "\
Examples:
  fourfold lab diff lab/before lab/after
  fourfold lab diff lab/before lab/after --all --json";

/// Run an experiment
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_HELP)]
struct RunArgs {
    /// A name from 'fourfold lab list', or a file
    #[arg(value_name = "FILE|NAME")]
    experiment: String,

    /// Directory for the results [default: lab/NAME]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Keep every game in this file, one per line, for 'fourfold replay'; with --resume, the file
    /// is continued
    #[arg(long, value_name = "FILE")]
    keep_games: Option<PathBuf>,

    #[command(flatten)]
    running: RunFlags,
}

/// Run every experiment that comes with Fourfold
#[derive(Debug, clap::Args)]
#[command(after_help = ALL_HELP)]
struct AllArgs {
    /// Directory for the results: one directory per experiment, and index.html
    #[arg(long, short, value_name = "DIR", default_value = "lab")]
    out: PathBuf,

    #[command(flatten)]
    running: RunFlags,
}

/// Write a commented experiment file to start from
#[derive(Debug, clap::Args)]
#[command(after_help = NEW_HELP)]
struct NewArgs {
    /// File to write; it must not exist yet
    #[arg(value_name = "FILE", default_value = "my-experiment.toml")]
    file: PathBuf,
}

/// Compare two runs of an experiment: what changed, and whether significantly
#[derive(Debug, clap::Args)]
#[command(after_help = DIFF_HELP)]
struct DiffArgs {
    /// Directory of the first run, or its summary.json
    #[arg(value_name = "A")]
    before: PathBuf,

    /// Directory of the second run
    #[arg(value_name = "B")]
    after: PathBuf,

    /// Also show what did not change, and times
    #[arg(long)]
    all: bool,

    /// Print one JSON object per figure
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        LabCommand::List(args) => list(args),
        LabCommand::Run(args) => run_one(args),
        LabCommand::All(args) => run_all(args),
        LabCommand::New(args) => new(args),
        LabCommand::Diff(args) => compare(args),
    }
}

fn refused(error: FileError) -> Failure {
    Failure::invalid(error)
}

fn list(args: &ListArgs) -> Result<(), Failure> {
    let mut rows = vec![["name", "question"].map(str::to_owned).to_vec()];
    for name in builtin::names() {
        if let Some(experiment) = builtin::read(name, false) {
            rows.push(vec![name.to_owned(), experiment.map_err(refused)?.question]);
        }
    }
    let mut out = stdout();
    if args.json {
        for row in &rows[1..] {
            writeln!(out, "{}", json!({ "name": row[0], "question": row[1] }))?;
        }
        return Ok(out.flush()?);
    }
    // Questions are sentences, so they are aligned left.
    let width = rows.iter().map(|row| row[0].len()).max().unwrap_or(0);
    for row in rows {
        writeln!(out, "{:width$}  {}", row[0], row[1])?;
    }
    Ok(out.flush()?)
}

/// The experiment of a file or of a name.
fn find(name: &str, quick: bool) -> Result<Experiment, Failure> {
    let path = Path::new(name);
    if !path.exists()
        && let Some(found) = builtin::read(name, quick)
    {
        return found.map_err(refused);
    }
    if !path.exists() && !name.ends_with(".toml") {
        let hint = nearest(name, builtin::names()).unwrap_or_else(|| {
            format!("there are {}", builtin::names().collect::<Vec<_>>().join(", "))
        });
        return Err(Failure::usage(format!("there is no experiment and no file {name:?}; {hint}")));
    }
    let text = read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let load = move |file: &str| read_text(&folder.join(file)).map_err(|why| why.to_string());
    Experiment::read(name, &text, quick, &load)
        .map(|found| found.hosted_by(external::seat))
        .map_err(refused)
}

/// The command as it was typed.
pub(super) fn command_line() -> String {
    let words = std::env::args().skip(1).map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    std::iter::once("fourfold".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Runs an experiment, and reports how far it is on standard error.
pub(super) fn run_with_progress(
    experiment: &Experiment,
    options: &RunOptions,
) -> Result<(Outcome, Provenance), Failure> {
    let bar = progress::Bar::new(&experiment.name, 0);
    let outcome = run_experiment(experiment, options, |RunProgress { done, total, cell }| {
        if cell.is_none() {
            // What earlier sessions did says nothing about the speed of this one.
            bar.reset_eta();
        }
        bar.set(done as u64, total as u64);
    });
    bar.end();
    let outcome = outcome.map_err(|error| Failure::runtime(with_hint(&error)))?;
    let provenance = Provenance::of_this_process(
        command_line(),
        super::commit(),
        options.threads.get(),
        outcome.seconds,
    );
    Ok((outcome, provenance))
}

/// The error with the options that help.
fn with_hint(error: &RunError) -> String {
    let hint = match error {
        RunError::Journal(JournalError::Exists { .. }) => {
            "; --resume continues it, --out names another directory"
        }
        RunError::Journal(JournalError::Mismatch { .. }) => {
            "; remove it or name another directory with --out"
        }
        RunError::Stopped { .. } => "; --resume continues from there",
        RunError::Journal(JournalError::Io { .. })
        | RunError::Games { .. }
        | RunError::Cell { .. } => "",
    };
    format!("{error}{hint}")
}

fn run_one(args: &RunArgs) -> Result<(), Failure> {
    let experiment = find(&args.experiment, args.running.quick)?;
    let out = args.out.clone().unwrap_or_else(|| Path::new("lab").join(&experiment.name));
    let stop = interrupt::flag()?;
    let keep_games = args.keep_games.as_deref();
    let (experiment, outcome, provenance) =
        complete(&experiment, &out, &args.running, keep_games, &stop)?;
    let mut to = stdout();
    if args.running.json {
        writeln!(to, "{}", summary(&experiment, &outcome, &provenance))?;
        to.flush()?;
        return agreed(&[(&experiment, &outcome)]);
    }
    writeln!(to, "{}\n{}", experiment.title, experiment.question)?;
    for (part, found) in experiment.parts.iter().zip(&outcome.parts) {
        let table = ResultTable::of(part, found).to_text(screen_width());
        writeln!(to, "\n{}\n\n{table}", part.title)?;
        for disagreement in &found.disagreements {
            writeln!(to, "Values disagree: {disagreement}")?;
        }
    }
    if let Some(finding) = experiment.confirmed_finding() {
        writeln!(to, "\nFinding: {finding}")?;
    }
    to.flush()?;
    note(format!(
        "Finished in {} s. The report is {}.",
        provenance.seconds.round(),
        out.join("report.html").display()
    ));
    agreed(&[(&experiment, &outcome)])
}

/// Runs an experiment and writes its results; the experiment comes back with the figures of the
/// run in its texts.
fn complete(
    experiment: &Experiment,
    out: &Path,
    running: &RunFlags,
    keep_games: Option<&Path>,
    stop: &Arc<AtomicBool>,
) -> Result<(Experiment, Outcome, Provenance), Failure> {
    let options = RunOptions {
        out: out.to_owned(),
        threads: running.threads(),
        resume: running.resume,
        stop: Arc::clone(stop),
        keep_games: keep_games.map(Path::to_owned),
    };
    let (outcome, provenance) = run_with_progress(experiment, &options)?;
    let experiment = experiment.with_figures(&outcome);
    write_results(out, &experiment, &outcome, &provenance)
        .map_err(|why| cannot_write(out, &why))?;
    Ok((experiment, outcome, provenance))
}

pub(super) fn cannot_write(out: &Path, why: &std::io::Error) -> Failure {
    Failure::runtime(format!("cannot write the results into {}: {why}", out.display()))
}

/// Fails if searches that must agree do not.
pub(super) fn agreed(runs: &[(&Experiment, &Outcome)]) -> Result<(), Failure> {
    let count: usize = runs
        .iter()
        .flat_map(|(_, outcome)| &outcome.parts)
        .map(|part| part.disagreements.len())
        .sum();
    if count == 0 {
        Ok(())
    } else {
        Err(Failure::runtime(format!("{count} searches found another value than they should")))
    }
}

fn run_all(args: &AllArgs) -> Result<(), Failure> {
    let stop = interrupt::flag()?;
    let mut runs: Vec<(Experiment, Outcome)> = Vec::new();
    let names: Vec<&str> = builtin::names().collect();
    for (index, name) in names.iter().enumerate() {
        let experiment = find(name, args.running.quick)?;
        let out = args.out.join(name);
        let (experiment, outcome, provenance) =
            complete(&experiment, &out, &args.running, None, &stop)?;
        note(format!("{} of {}: {name}, {:.0} s", index + 1, names.len(), provenance.seconds));
        if args.running.json {
            let mut to = stdout();
            writeln!(to, "{}", summary(&experiment, &outcome, &provenance))?;
            to.flush()?;
        }
        runs.push((experiment, outcome));
    }
    let runs: Vec<(&Experiment, &Outcome)> =
        runs.iter().map(|(experiment, outcome)| (experiment, outcome)).collect();
    let index = args.out.join("index.html");
    fs::write(&index, front_page(&runs)).map_err(|why| cannot_write(&args.out, &why))?;
    note(format!("All experiments are finished. Start with {}.", index.display()));
    agreed(&runs)
}

fn new(args: &NewArgs) -> Result<(), Failure> {
    let path = args.file.display();
    let file = fs::File::options().write(true).create_new(true).open(&args.file);
    let mut file = file.map_err(|why| match why.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::usage(format!("{path} already exists")),
        _ => Failure::runtime(format!("cannot write {path}: {why}")),
    })?;
    file.write_all(TEMPLATE.as_bytes())
        .map_err(|why| Failure::runtime(format!("cannot write {path}: {why}")))?;
    note(format!("Wrote {path}. Edit it, then run: fourfold lab run {path}"));
    Ok(())
}

fn read_summary(path: &Path) -> Result<serde_json::Value, Failure> {
    let path = if path.is_dir() { path.join("summary.json") } else { path.to_owned() };
    let text = read_text(&path)?;
    serde_json::from_str(&text).map_err(|why| {
        let (path, line) = (path.display(), why.line());
        Failure::invalid(format!("{path}:{line}: this is not the summary.json of a run"))
    })
}

fn compare(args: &DiffArgs) -> Result<(), Failure> {
    let found = diff(&read_summary(&args.before)?, &read_summary(&args.after)?)
        .map_err(Failure::invalid)?;
    let head = ["cell", "metric", "before", "after", "change, 95 % CI"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let changed = |change: &&Change| args.all || change.is_significant() && !change.is_timed();
    if args.json {
        let mut out = stdout();
        for change in found.changes.iter().filter(changed) {
            let Change { cell, metric, before, after, interval, .. } = change;
            let significant = change.is_significant();
            let object = json!({
                "cell": cell, "metric": metric, "before": before, "after": after,
                "interval": interval, "certain": significant,
            });
            writeln!(out, "{object}")?;
        }
        return Ok(out.flush()?);
    }
    for change in found.changes.iter().filter(changed) {
        let unit = change.known.map_or(Unit::Number, |metric| metric.unit);
        let by = if unit == Unit::Share { Unit::Points } else { unit };
        let range = if change.interval.low < change.interval.high {
            format!(" ({})", text::range(change.interval, by))
        } else {
            String::new()
        };
        rows.push(vec![
            change.cell.clone(),
            change.metric.clone(),
            text::value(change.before, unit),
            text::value(change.after, unit),
            format!("{}{range}", text::value(change.after - change.before, by)),
        ]);
    }
    let mut out = stdout();
    if rows.len() > 1 {
        write!(out, "{}", table(&rows))?;
    }
    let untimed = found.changes.iter().filter(|change| !change.is_timed());
    let certain = untimed.clone().filter(|change| change.is_significant()).count();
    writeln!(
        out,
        "{certain} of {} figures changed significantly (times not counted).",
        untimed.count()
    )?;
    for (cells, where_) in [(&found.only_before, &args.before), (&found.only_after, &args.after)] {
        if !cells.is_empty() {
            writeln!(out, "Only in {}: {}", where_.display(), cells.join("; "))?;
        }
    }
    Ok(out.flush()?)
}
