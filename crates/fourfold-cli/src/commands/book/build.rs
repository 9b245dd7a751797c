//! `fourfold book build`: solves all positions of a ply, and keeps each result in a file until all
//! are there. The work is that of `fourfold shards`, planned, done and merged by one process.

use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note};
use crate::progress;
use crate::solving::SolverArgs;
use fourfold::budget::Budget;
use fourfold::workers::Threads;
use fourfold_app::books::read_book;
use fourfold_lab::files::{is_special, with_ending, write_whole};
use fourfold_lab::shards::{Job, LocalError, LocalRun, Merged, WorkError};
use std::path::PathBuf;

const HELP: &str = "\
Every position with --plies discs is solved, one of each mirror pair; the
earlier ones follow from them. Until the book is finished, results are kept in
FILE.part: after Ctrl-C, a crash or a power cut, the same command continues
from there. The finished book is the same, byte for byte, on any number of
threads and after any interruptions.

'fourfold shards plan book' cuts the same work into pieces for many machines.

Examples:
  fourfold book build --plies 6
  fourfold book build --game 8x5c4 --plies 5 --threads 4 --out 8x5.book";

/// Build a book: solve all positions up to a ply
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArg,

    /// Cover all positions with at most this many discs
    #[arg(long, short, value_name = "N", value_parser = at_least(0u32))]
    plies: u32,

    /// Book to write [default: GAME-PLIES.book, such as 7x6c4-6.book]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Positions to solve at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    #[command(flatten)]
    solver: SolverArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (rules, plies) = (args.game.rules(), args.plies);
    let out = &match &args.out {
        Some(out) => out.clone(),
        None => {
            let out = PathBuf::from(format!("{rules}-{plies}.book"));
            note(format!("The book goes to {}; --out names another file.", out.display()));
            out
        }
    };
    if out.exists() && !is_special(out) {
        let book = read_book(out)?;
        if (book.rules(), book.plies()) == (&rules, plies) {
            note(format!("{} is finished already.", out.display()));
            return Ok(());
        }
        let (game, plies) = (book.rules(), book.plies());
        return Err(Failure::usage(format!(
            "{} holds another book: {game} to ply {plies}",
            out.display()
        )));
    }
    // Before anything long: can the solver play this game, and is there enough memory?
    args.solver.solver_for(&rules)?;
    let stop = interrupt::flag()?;
    let mut work =
        LocalRun::new(Job::Book { game: rules, plies })?.with_solver(args.solver.options());
    // Work for a device or a pipe cannot be resumed.
    if !is_special(out) {
        let part = with_ending(out, "part");
        work = work.kept_in(&part)?;
        if work.damaged() > 0 {
            let (part, damaged) = (part.display(), work.damaged());
            note(format!("{part}: skipped {damaged} lines that were not written completely."));
        }
    }
    let bar = progress::Bar::new("positions", work.rows());
    bar.set(work.done(), work.rows());
    bar.reset_eta();
    let budget = Budget::unlimited().with_stop(stop);
    let done = work.run(threads_or_all(args.threads), &budget, || bar.inc());
    bar.end();
    let (solved, needed) = (grouped(work.done()), grouped(work.rows()));
    if let Err(LocalError::Work(WorkError::Interrupted)) = done {
        let problem = format!("interrupted: {solved} of {needed} positions are solved");
        let hint = if is_special(out) { "" } else { "; the same command continues from there" };
        return Err(Failure::runtime(problem + hint));
    }
    done?;
    let (merged, kept) = work.merge()?;
    let Merged::Book { bytes } = merged else { unreachable!("this job makes a book") };
    write_whole(out, &bytes)?;
    if let Some(kept) = kept {
        kept.remove();
    }
    note(format!("{}: {needed} positions of ply {plies} are solved.", out.display()));
    Ok(())
}

impl From<LocalError> for Failure {
    fn from(error: LocalError) -> Self {
        match error {
            LocalError::Read(error) => error.into(),
            LocalError::Foreign { .. } => Self::invalid(error),
            _ => Self::runtime(error),
        }
    }
}
