//! `fourfold shards`: plans work as pieces for many machines, does a piece, and puts them together.

mod dask;
mod plan;

use super::tournament::write_report;
use crate::arguments::{at_least, mebibytes};
use crate::failure::Failure;
use crate::files::write_whole;
use crate::input::threads_or_all;
use crate::interrupt;
use crate::output::{grouped, note, stdout};
use crate::progress;
use fourfold::budget::Budget;
use fourfold::workers::Threads;
use fourfold_lab::shards::{
    Job, Manifest, ManifestError, MergeError, Merged, ShardFileError, ShardState, Work, WorkError,
    merge, state_of, write_shard,
};
use fourfold_lab::tournament::{self, Standings};
use serde::Serialize;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const HELP: &str = "\
'plan' writes a manifest, 'run' does one shard of it or all that are left,
'status' says how far it is, 'merge' makes the result. Shards may be done by
any machines, in any order, as often as one likes: the result has the same
bytes. docs/cluster.md has recipes for Dask, Slurm, Kubernetes and others.

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
    Plan(plan::Args),
    /// Do one shard, or all that are not done
    Run(RunArgs),
    /// Say which shards are done
    Status(StatusArgs),
    /// Say whether this program is the one that the shards are for
    Check(CheckArgs),
    /// Make the result from all shards
    Merge(MergeArgs),
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

    /// Memory for the transposition table of each thread, in MiB or with a unit (64M, 2G); for
    /// books and boards only [default: as for 'fourfold solve']
    #[arg(long, value_name = "SIZE", value_parser = mebibytes)]
    memory: Option<u32>,

    /// Stop when standard input ends: whoever started this has gone
    #[arg(long)]
    attended: bool,

    /// Do them on the Dask cluster with this scheduler, such as tcp://10.0.0.1:8786, or whose
    /// scheduler file this is; needs Python with the package fourfold[distributed]
    #[arg(long, value_name = "ADDRESS", requires = "all")]
    #[arg(conflicts_with_all = ["out", "threads", "attended"])]
    dask: Option<String>,

    /// The workers see the folder under the same path, so that nothing has to be sent
    #[arg(long, requires = "dask")]
    shared: bool,

    /// This command, as the workers find it [default: fourfold]
    #[arg(long, value_name = "PATH", requires = "dask")]
    command: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
struct CheckArgs {
    /// Folder of the manifest
    dir: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
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
        ShardsCommand::Plan(args) => plan::run(args),
        ShardsCommand::Run(args) => run_shards(args),
        ShardsCommand::Status(args) => status(args),
        ShardsCommand::Check(args) => check(args),
        ShardsCommand::Merge(args) => merge_shards(args),
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  fourfold shards run book10 --shard 3
  fourfold shards run book10 --all --threads 4
  fourfold shards run book10 --all --dask tcp://10.0.0.1:8786";

const STATUS_EXAMPLES: &str = "\
Examples:
  fourfold shards status book10
  fourfold shards status book10 --json";

const CHECK_EXAMPLES: &str = "\
Examples:
  fourfold shards check book10
  fourfold shards check book10 --json";

const MERGE_EXAMPLES: &str = "\
Examples:
  fourfold shards merge book10 --out 7x6c4-10.book";

/// What a shard's number is called by the schedulers that people have.
const NUMBER_VARIABLES: [&str; 3] = ["SLURM_ARRAY_TASK_ID", "HQ_TASK_ID", "JOB_COMPLETION_INDEX"];

fn run_shards(args: &RunArgs) -> Result<(), Failure> {
    if let Some(address) = &args.dask {
        return dask::run(args, address);
    }
    let (manifest, mut work) = Work::read(&args.dir)?;
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
    if let Some(memory) = args.memory {
        if !work.takes_memory() {
            let problem = "--memory is for books and boards: what labels and games come out \
                           depends on it";
            return Err(Failure::usage(problem));
        }
        work = work.with_memory(memory);
    }
    let stop = interrupt::flag()?;
    if args.attended {
        stop_at_end_of_input(Arc::clone(&stop));
    }
    let budget = Budget::unlimited().with_stop(stop);
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

/// Sets the flag when standard input ends, which it does when whoever holds the other end dies.
fn stop_at_end_of_input(stop: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while matches!(input.read(&mut [0; 64]), Ok(1..)) {}
        stop.store(true, Ordering::Relaxed);
    });
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

fn check(args: &CheckArgs) -> Result<(), Failure> {
    let manifest = Manifest::read_head(&args.dir)?;
    let mut out = stdout();
    if args.json {
        let text = serde_json::to_string(&manifest.program).map_err(Failure::runtime)?;
        return Ok(writeln!(out, "{text}")?);
    }
    Ok(writeln!(out, "{} can do these shards", manifest.program)?)
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
    use super::ranges;

    #[test]
    fn numbers_in_a_row_are_one_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[]), "");
    }
}
