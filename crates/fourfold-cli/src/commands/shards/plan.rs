//! `fourfold shards plan`: what is to be done, measured on a few rows and cut into shards.

use super::super::dataset::LabelChoice;
use super::super::players_help;
use super::super::tournament::TournamentChoice;
use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note};
use crate::progress;
use fourfold::budget::Budget;
use fourfold::game::notation;
use fourfold_lab::files::write_whole;
use fourfold_lab::shards::{Job, MANIFEST, Sample, Work};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, clap::Args)]
#[command(after_help = PLAN_EXAMPLES)]
pub(super) struct Args {
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
#[command(after_help = players_help(TOURNAMENT_EXAMPLES))]
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

    /// Measure random rows for at most this many seconds, and each for a tenth of them
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = at_least(1u64))]
    sample: u64,
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

const TOURNAMENT_EXAMPLES: &str = "\
Examples:
  fourfold shards plan tournament level:5 level:6 --games 10000 --out games";

/// Blocks that tell how many games the labels need.
const SAMPLE_BLOCKS: u64 = 24;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let (job, cut) = match &args.job {
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
    let (whole, work) = Work::plan(job)?;
    let bar = progress::Bar::new("rows measured", Sample::most_rows(whole.rows));
    let time = Duration::from_secs(cut.sample);
    let sample = Sample::take(&work, whole.rows, time, &budget, || bar.inc());
    bar.end();
    let sample = sample?;
    let all = sample.seconds_per_row() * whole.rows as f64;
    let wanted = (all / (60 * cut.minutes) as f64).ceil().max(1.0) as u64;
    let manifest = whole.cut(cut.shards.unwrap_or(wanted));
    std::fs::create_dir_all(&cut.out)
        .map_err(|why| Failure::runtime(format!("{}: {why}", cut.out.display())))?;
    write_whole(&path, manifest.to_text().as_bytes())?;
    let about = if sample.unfinished > 0 { "at least" } else { "about" };
    let mut told = format!(
        "{}: {} {} in {} shards of {about} {}. All of it takes {about} {} on one core like this \
         one, {} on 8 and {} on 64",
        path.display(),
        grouped(manifest.rows),
        manifest.job.rows_are(),
        grouped(manifest.shards),
        time_text(all / manifest.shards as f64),
        time_text(all),
        time_text(all / 8.0),
        time_text(all / 64.0),
    );
    if let Some(mebibytes) = peak_memory() {
        told +=
            &format!("; a process that does a shard on one thread needs at most {mebibytes} MiB");
    }
    if sample.unfinished > 0 {
        told += &format!(
            ". {} of {} rows measured were not done after {:.1} seconds and count as if they were: a \
             longer --sample tells more",
            grouped(sample.unfinished),
            grouped(sample.rows),
            cut.sample as f64 / 10.0,
        );
    }
    note(told + ".");
    Ok(())
}

/// The most memory that this process has had so far, in MiB, where the system tells. It has made the
/// list of positions and solved a few rows, as a process that does a shard does.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes.div_ceil(1024))
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
    let mut labels = 0u64;
    let bar = progress::Bar::new("blocks of games measured", SAMPLE_BLOCKS);
    // All of them, however long it takes: the same options make the same manifest everywhere.
    let found = Work::of_job(&job(1))?.run(0..SAMPLE_BLOCKS, 1, budget, |_, text| {
        labels += text.split('\t').filter(|line| !line.is_empty()).count() as u64;
        bar.inc();
        ControlFlow::Continue(())
    });
    bar.end();
    found?;
    if labels == 0 {
        let problem = "no position of this kind was found in the first games";
        return Err(Failure::usage(problem));
    }
    // Some positions occur twice, more so early in the game.
    let needed = (choice.count * SAMPLE_BLOCKS).div_ceil(labels);
    Ok(job(needed + needed / 3 + 2))
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

#[cfg(test)]
mod tests {
    use super::time_text;

    #[test]
    fn times_are_rounded_up_to_what_people_say() {
        let texts = [0.2, 61.0, 90.0, 3600.0, 5400.0, 400_000.0].map(time_text);
        assert_eq!(
            texts,
            ["1 second", "61 seconds", "2 minutes", "60 minutes", "2 hours", "5 days"]
        );
    }
}
