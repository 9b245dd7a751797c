//! `fourfold shards`: plans work as pieces for many machines, does a piece, and puts them together.

use super::book::write_whole;
use super::dataset::LabelChoice;
use super::tournament::{TournamentChoice, write_report};
use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note, stdout};
use crate::progress;
use fourfold::budget::Budget;
use fourfold::game::notation;
use fourfold::solver::SolverOptions;
use fourfold::workers::Threads;
use fourfold_lab::shards::{
    Job, MANIFEST, Manifest, ManifestError, MergeError, Merged, ShardFileError, ShardState, Work,
    WorkError, merge, state_of, write_shard,
};
use fourfold_lab::tournament::{self, Standings};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HELP: &str = "\
'plan' writes a manifest, 'run' does one shard of it or all that are left,
'status' says how far it is, 'merge' makes the result. Shards may be done by
any machines, in any order, as often as one likes: the result has the same
bytes. docs/cluster.md has recipes for Slurm, Kubernetes and others.

Examples:
  fourfold shards plan book --plies 10 --out book10
  fourfold shards run book10 --shard 3
  fourfold shards run book10 --all
  fourfold shards status book10
  fourfold shards merge book10 --out 7x6c4-10.book";

/// Cut long work into shards that many machines can do: books, labels, tournaments, large boards
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: ShardsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ShardsCommand {
    /// Write the manifest of a job
    Plan(PlanArgs),
    /// Do one shard, or all that are not done
    Run(RunArgs),
    /// Say which shards are done
    Status(StatusArgs),
    /// Make the result from all shards
    Merge(MergeArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = PLAN_EXAMPLES)]
struct PlanArgs {
    #[command(subcommand)]
    job: PlanJob,
}

#[derive(Debug, clap::Subcommand)]
enum PlanJob {
    /// A book of all positions up to a ply
    Book(PositionsArgs),
    /// The value of a board, from all positions at a ply
    Solve(PositionsArgs),
    /// Positions labelled by the solver, as 'fourfold dataset labels' makes them
    Labels(LabelsArgs),
    /// The games of a tournament, as 'fourfold tournament' plays them
    Tournament(TournamentArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = POSITIONS_EXAMPLES)]
struct PositionsArgs {
    #[command(flatten)]
    game: GameArg,

    /// Solve all positions with this many discs
    #[arg(long, short, value_name = "N", value_parser = at_least(0u32))]
    plies: u32,

    #[command(flatten)]
    cut: CutArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = LABELS_EXAMPLES)]
struct LabelsArgs {
    #[command(flatten)]
    labels: LabelChoice,

    #[command(flatten)]
    cut: CutArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = super::players_help(TOURNAMENT_EXAMPLES))]
struct TournamentArgs {
    #[command(flatten)]
    tournament: TournamentChoice,

    #[command(flatten)]
    cut: CutArgs,
}

/// Into how many shards, and where they go.
#[derive(Debug, clap::Args)]
struct CutArgs {
    /// Folder for the manifest and the shards
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    /// Number of shards [default: so many that each takes about --minutes]
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    shards: Option<u64>,

    /// Minutes that a shard should take on one core of this machine
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = at_least(1u64))]
    minutes: u64,
}

#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES)]
struct RunArgs {
    /// Folder of the manifest
    dir: PathBuf,

    /// Shard to do, from 0 [default: the number in SLURM_ARRAY_TASK_ID, HQ_TASK_ID or
    /// JOB_COMPLETION_INDEX]
    #[arg(long, value_name = "K", value_parser = at_least(0u64), conflicts_with = "all")]
    shard: Option<u64>,

    /// Do all shards that are not done
    #[arg(long)]
    all: bool,

    /// Folder for the finished shard, if it is not that of the manifest
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Rows to do at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STATUS_EXAMPLES)]
struct StatusArgs {
    /// Folder of the manifest
    dir: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = MERGE_EXAMPLES)]
struct MergeArgs {
    /// Folder of the manifest
    dir: PathBuf,

    /// File for the result; for 'solve' it is the certificate
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        ShardsCommand::Plan(args) => plan(&args.job),
        ShardsCommand::Run(args) => run_shards(args),
        ShardsCommand::Status(args) => status(args),
        ShardsCommand::Merge(args) => merge_shards(args),
    }
}

const PLAN_EXAMPLES: &str = "\
Examples:
  fourfold shards plan book --plies 10 --out book10
  fourfold shards plan solve --game 8x6c4 --plies 6 --out 8x6
  fourfold shards plan labels --count 1000000 --weak --out labels
  fourfold shards plan tournament level:5 level:6 --games 10000 --out games";

const POSITIONS_EXAMPLES: &str = "\
Examples:
  fourfold shards plan book --plies 10 --out book10
  fourfold shards plan solve --game 8x6c4 --plies 6 --out 8x6";

const LABELS_EXAMPLES: &str = "\
Examples:
  fourfold shards plan labels --count 1000000 --weak --out labels";

const RUN_EXAMPLES: &str = "\
Examples:
  fourfold shards run book10 --shard 3
  fourfold shards run book10 --all --threads 4";

const STATUS_EXAMPLES: &str = "\
Examples:
  fourfold shards status book10
  fourfold shards status book10 --json";

const MERGE_EXAMPLES: &str = "\
Examples:
  fourfold shards merge book10 --out 7x6c4-10.book";

const TOURNAMENT_EXAMPLES: &str = "\
Examples:
  fourfold shards plan tournament level:5 level:6 --games 10000 --out games";

/// What a shard's number is called by the schedulers that people have.
const NUMBER_VARIABLES: [&str; 3] = ["SLURM_ARRAY_TASK_ID", "HQ_TASK_ID", "JOB_COMPLETION_INDEX"];

/// The rows that a plan is measured with, and the longest that this takes.
const SAMPLE_ROWS: u64 = 64;
const SAMPLE_TIME: Duration = Duration::from_secs(20);

/// Labels that a plan is measured with before it knows how many games it needs.
const SAMPLE_BLOCKS: u64 = 24;

fn plan(job: &PlanJob) -> Result<(), Failure> {
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let (job, cut) = match job {
        PlanJob::Book(args) => {
            (Job::Book { game: args.game.rules(), plies: args.plies }, &args.cut)
        }
        PlanJob::Solve(args) => {
            (Job::Solve { game: args.game.rules(), plies: args.plies }, &args.cut)
        }
        PlanJob::Labels(args) => (labels_job(&args.labels, &budget)?, &args.cut),
        PlanJob::Tournament(args) => (tournament_job(&args.tournament, &budget)?, &args.cut),
    };
    let path = cut.out.join(MANIFEST);
    if path.exists() {
        return Err(Failure::usage(format!("{} is there already", path.display())));
    }
    // One shard, to know the rows.
    let whole = Manifest::new(job, 1)?;
    let seconds = seconds_a_row(&whole, &budget)?;
    let all = seconds * whole.rows as f64;
    let wanted = (all / (60 * cut.minutes) as f64).ceil().max(1.0) as u64;
    let manifest = Manifest::new(whole.job, cut.shards.unwrap_or(wanted))?;
    std::fs::create_dir_all(&cut.out)
        .map_err(|why| Failure::runtime(format!("{}: {why}", cut.out.display())))?;
    write_whole(&path, manifest.to_text().as_bytes())?;
    let memory = SolverOptions::default().memory;
    note(format!(
        "{}: {} {} in {} shards of about {}. All of it takes about {} on one core like this one, \
         {} on 8 and {} on 64; each core needs some {} MiB.",
        path.display(),
        grouped(manifest.rows),
        manifest.job.rows_are(),
        grouped(manifest.shards),
        time_text(all / manifest.shards as f64),
        time_text(all),
        time_text(all / 8.0),
        time_text(all / 64.0),
        memory + 32,
    ));
    Ok(())
}

/// Measures a few rows from all over the job.
fn seconds_a_row(manifest: &Manifest, budget: &Budget) -> Result<f64, Failure> {
    let work = Work::of(manifest)?;
    // Not an even step: costs may follow the order of rows.
    let step = (manifest.rows / SAMPLE_ROWS).max(1) | 1;
    let rows = (0..manifest.rows).step_by(step as usize).take(SAMPLE_ROWS as usize);
    let bar = progress::Bar::new("rows measured", SAMPLE_ROWS.min(manifest.rows));
    let began = Instant::now();
    let mut done = 0;
    let measured = work.run(rows, 1, budget, |_, _| {
        done += 1;
        bar.inc();
        if began.elapsed() > SAMPLE_TIME {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.end();
    measured?;
    Ok(began.elapsed().as_secs_f64() / f64::from(done.max(1)))
}

/// A job that samples enough games for the labels wanted.
fn labels_job(choice: &LabelChoice, budget: &Budget) -> Result<Job, Failure> {
    let options = choice.options()?;
    let job = |blocks| Job::Labels {
        game: options.rules,
        seed: options.seed,
        plies: [*options.plies.start(), *options.plies.end()],
        weak: options.weak,
        nodes: options.nodes,
        remaining: options.remaining.as_ref().map(|range| [*range.start(), *range.end()]),
        count: choice.count,
        blocks,
    };
    let (mut labels, mut blocks) = (0u64, 0u64);
    let began = Instant::now();
    let found = Work::of_job(&job(1))?.run(0..SAMPLE_BLOCKS, 1, budget, |_, text| {
        blocks += 1;
        labels += text.split('\t').filter(|line| !line.is_empty()).count() as u64;
        if began.elapsed() > SAMPLE_TIME {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found?;
    if labels == 0 {
        let problem = "no position of this kind was found in the first games";
        return Err(Failure::usage(problem));
    }
    // Some positions occur twice, more so early in the game.
    let needed = (choice.count * blocks).div_ceil(labels);
    Ok(job(needed + needed / 4 + 2))
}

fn tournament_job(choice: &TournamentChoice, budget: &Budget) -> Result<Job, Failure> {
    let players: Vec<String> = choice.players.iter().map(ToString::to_string).collect();
    if let Some(player) = players.iter().find(|name| {
        name.starts_with("external:") || name.starts_with("human") || name.contains("time=")
    }) {
        let problem =
            "its games would not be the same on every machine; limit it by nodes or depth";
        return Err(Failure::usage(format!("{player}: {problem}")));
    }
    let (tournament, _) = choice.tournament(threads_or_all(None), budget)?;
    let rules = tournament.rules;
    let text = |moves: &Vec<_>| notation::moves_text(&rules, moves);
    Ok(Job::Tournament {
        game: rules,
        format: tournament.format,
        players,
        openings: tournament.openings.iter().map(text).collect(),
        games: tournament.games,
        seed: tournament.seed,
    })
}

/// About how long, for people.
fn time_text(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 90.0 => (s.ceil(), "seconds"),
        s if s < 5400.0 => ((s / 60.0).ceil(), "minutes"),
        s if s < 172_800.0 => ((s / 3600.0).ceil(), "hours"),
        s => ((s / 86400.0).ceil(), "days"),
    };
    let unit = if number == 1.0 { unit.trim_end_matches('s') } else { unit };
    format!("{number} {unit}")
}

fn run_shards(args: &RunArgs) -> Result<(), Failure> {
    let manifest = Manifest::read(&args.dir)?;
    let out = args.out.as_deref().unwrap_or(&args.dir);
    let numbers: Vec<u64> =
        if args.all { (0..manifest.shards).collect() } else { vec![number_of(args, &manifest)?] };
    let open: Vec<u64> = numbers
        .into_iter()
        .filter(|&number| state_of(out, &manifest, number) != ShardState::Finished)
        .collect();
    if open.is_empty() {
        note("Nothing is left to do: the shards are there and whole.");
        return Ok(());
    }
    let work = Work::of(&manifest)?;
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let rows: u64 = open.iter().map(|&number| manifest.rows_of(number).count() as u64).sum();
    let bar = progress::Bar::new(manifest.job.rows_are(), rows);
    for number in open {
        let mut lines = Vec::new();
        let threads = threads_or_all(args.threads);
        let done = work.run(manifest.rows_of(number), threads, &budget, |row, text| {
            lines.push((row, text));
            bar.inc();
            ControlFlow::Continue(())
        });
        if let Err(why) = done {
            bar.end();
            return Err(why.into());
        }
        write_shard(out, &manifest, number, &lines)?;
    }
    bar.end();
    Ok(())
}

/// The shard that is asked for, by argument or by a scheduler.
fn number_of(args: &RunArgs, manifest: &Manifest) -> Result<u64, Failure> {
    let told = || {
        NUMBER_VARIABLES.iter().find_map(|name| {
            let text = std::env::var(name).ok()?;
            Some(text.parse().map_err(|_| {
                Failure::usage(format!("{name} is {text:?}, which is not the number of a shard"))
            }))
        })
    };
    let number = match args.shard {
        Some(number) => number,
        None => told().transpose()?.ok_or_else(|| {
            let names = NUMBER_VARIABLES.join(", ");
            Failure::usage(format!(
                "name a shard with --shard, or all with --all ({names} are not set)"
            ))
        })?,
    };
    if number >= manifest.shards {
        let last = manifest.shards - 1;
        return Err(Failure::usage(format!("there is no shard {number}: they are 0 to {last}")));
    }
    Ok(number)
}

#[derive(Serialize)]
struct StatusJson<'a> {
    manifest: String,
    job: &'a Job,
    shards: u64,
    finished: u64,
    missing: Vec<u64>,
    bad: Vec<BadShard>,
}

#[derive(Serialize)]
struct BadShard {
    shard: u64,
    problem: String,
}

fn status(args: &StatusArgs) -> Result<(), Failure> {
    let manifest = Manifest::read(&args.dir)?;
    let (mut missing, mut bad) = (Vec::new(), Vec::new());
    for shard in 0..manifest.shards {
        match state_of(&args.dir, &manifest, shard) {
            ShardState::Finished => {}
            ShardState::Missing => missing.push(shard),
            ShardState::Bad(problem) => bad.push(BadShard { shard, problem }),
        }
    }
    let finished = manifest.shards - (missing.len() + bad.len()) as u64;
    let mut out = stdout();
    if args.json {
        let (shards, job) = (manifest.shards, &manifest.job);
        let found = StatusJson { manifest: manifest.id(), job, shards, finished, missing, bad };
        let text = serde_json::to_string(&found).map_err(Failure::runtime)?;
        return Ok(writeln!(out, "{text}")?);
    }
    writeln!(out, "{} of {} shards are finished", grouped(finished), grouped(manifest.shards))?;
    if !missing.is_empty() {
        writeln!(out, "missing: {}", ranges(&missing))?;
    }
    for BadShard { problem, .. } in bad {
        writeln!(out, "{problem}")?;
    }
    Ok(())
}

/// Numbers in order, the ones in a row as one: `1-3,7`, as schedulers take them.
fn ranges(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let text = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(text).collect::<Vec<_>>().join(",")
}

fn merge_shards(args: &MergeArgs) -> Result<(), Failure> {
    let manifest = Manifest::read(&args.dir)?;
    if args.out.exists() {
        return Err(Failure::usage(format!("{} already exists", args.out.display())));
    }
    let name = args.out.display();
    match merge(&args.dir, &manifest)? {
        Merged::Book { bytes } => {
            write_whole(&args.out, &bytes)?;
            note(format!("{name}: {} positions are solved.", grouped(manifest.rows)));
        }
        Merged::Value { verdict, certificate } => {
            write_whole(&args.out, certificate.as_bytes())?;
            writeln!(stdout(), "{}: {verdict}", manifest.job.rules())?;
            note(format!("{name}: the {} positions that prove it.", grouped(manifest.rows)));
        }
        Merged::Labels { text, count, wanted } => {
            write_whole(&args.out, text.as_bytes())?;
            note(format!("{name}: {} positions are labelled.", grouped(count)));
            if count < wanted {
                let missing = grouped(wanted - count);
                return Err(Failure::runtime(format!(
                    "{missing} fewer than wanted; 'fourfold dataset labels' with the same options \
                     and --out {name} makes the rest"
                )));
            }
        }
        Merged::Games { text } => {
            write_whole(&args.out, text.as_bytes())?;
            report_games(&manifest.job, &args.out)?;
        }
        _ => {}
    }
    Ok(())
}

/// Rates the players of a tournament whose games are all in a file.
fn report_games(job: &Job, games: &Path) -> Result<(), Failure> {
    let tournament = job.tournament().map_err(Failure::invalid)?;
    let Some(found) = tournament else { return Ok(()) };
    let outcome = tournament::run(&found, 1, &Budget::unlimited(), Some(games), |_| ());
    let outcome = outcome.map_err(Failure::runtime)?;
    let standings = Standings::of(&found, &outcome, None);
    let openings = format!("{} openings", found.openings.len());
    Ok(write_report(&mut stdout(), &found, &outcome, &standings, &openings)?)
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Self {
        match error {
            ManifestError::Read(error) => error.into(),
            ManifestError::Invalid { .. } => Self::invalid(error),
            _ => Self::usage(error),
        }
    }
}

impl From<WorkError> for Failure {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Interrupted => Self::runtime(
                "interrupted: finished shards are kept, the same command does the rest",
            ),
            _ => Self::runtime(error),
        }
    }
}

impl From<ShardFileError> for Failure {
    fn from(error: ShardFileError) -> Self {
        match error {
            ShardFileError::Read(error) => error.into(),
            ShardFileError::Bad { .. } => Self::invalid(error),
            _ => Self::runtime(error),
        }
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Manifest(error) => error.into(),
            _ => Self::invalid(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ranges, time_text};

    #[test]
    fn numbers_in_a_row_are_one_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn times_are_rounded_up_to_what_people_say() {
        let texts = [0.2, 61.0, 90.0, 3600.0, 5400.0, 400_000.0].map(time_text);
        assert_eq!(
            texts,
            ["1 second", "61 seconds", "2 minutes", "60 minutes", "2 hours", "5 days"]
        );
    }
}
