//! `fourfold book build`: solves all positions of a ply, and keeps each result in a journal until
//! all are there.

use crate::arguments::at_least;
use crate::failure::Failure;
use crate::files::{is_special, with_ending, write_whole};
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note};
use crate::progress;
use crate::solving::{SolverArgs, read_file};
use fourfold::book::Draft;
use fourfold::budget::Budget;
use fourfold::game::Position;
use fourfold::solver::{SolveError, Solver};
use fourfold::workers::{Threads, share_out};
use fourfold_app::books::read_book;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

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
    let rules = args.game.rules();
    let out = &match &args.out {
        Some(out) => out.clone(),
        None => {
            let out = PathBuf::from(format!("{rules}-{}.book", args.plies));
            note(format!("The book goes to {}; --out names another file.", out.display()));
            out
        }
    };
    if out.exists() && !is_special(out) {
        let book = read_book(out)?;
        if (book.rules(), book.plies()) == (&rules, args.plies) {
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
    let mut draft = Draft::new(&rules, args.plies).map_err(Failure::usage)?;
    let mut journal = JournalFile::beside(out, &mut draft)?;
    let all = draft.needed();
    let open: Vec<Position> =
        all.iter().filter(|position| !draft.is_solved(position)).copied().collect();
    let bar = progress::Bar::new("positions", all.len() as u64);
    bar.set((all.len() - open.len()) as u64, all.len() as u64);
    bar.reset_eta();
    let mut trouble = None;
    let limits = Budget::unlimited().with_stop(stop.clone());
    let solve = |solver: &mut Result<Solver, SolveError>, position: Position| {
        let solver = solver.as_mut().map_err(|why| why.clone())?;
        solver.solve(&position, &limits).map(|solved| (position, solved.score))
    };
    let new_solver = || Solver::new(&rules, args.solver.options());
    share_out(open.into_iter(), threads_or_all(args.threads), new_solver, solve, |_, result| {
        let kept = result.map_err(Failure::runtime).and_then(|(position, score)| {
            draft.set(&position, score).map_err(Failure::runtime)?;
            journal.add(&draft, &position, score)
        });
        bar.inc();
        match kept {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                trouble = Some(why);
                ControlFlow::Break(())
            }
        }
    });
    bar.end();
    journal.sync()?;
    let (solved, needed) = (grouped(draft.solved() as u64), grouped(draft.needed().len() as u64));
    if stop.load(Ordering::Relaxed) {
        let problem = format!("interrupted: {solved} of {needed} positions are solved");
        return Err(Failure::runtime(format!("{problem}; the same command continues from there")));
    }
    if let Some(why) = trouble {
        return Err(why);
    }
    finish(draft, out)?;
    journal.remove();
    note(format!("{}: {needed} positions of ply {} are solved.", out.display(), args.plies));
    Ok(())
}

/// Writes the finished book.
fn finish(draft: Draft, out: &Path) -> Result<(), Failure> {
    let book = draft.finish().map_err(Failure::runtime)?;
    let bytes = book.to_bytes().ok_or_else(|| Failure::runtime("this book cannot be written"))?;
    write_whole(out, &bytes)
}

/// The file that keeps what is solved until the book is finished.
struct JournalFile {
    path: PathBuf,
    /// None if the book goes to a device or a pipe, which cannot be resumed.
    file: Option<File>,
    synced: Instant,
}

/// After a power cut at most this much work is done again.
const SYNC_EVERY: Duration = Duration::from_secs(5);

impl JournalFile {
    /// The journal beside the book that is being made; none is kept beside a device or a pipe.
    fn beside(book: &Path, draft: &mut Draft) -> Result<Self, Failure> {
        let path = with_ending(book, "part");
        if is_special(book) {
            return Ok(Self { path, file: None, synced: Instant::now() });
        }
        Self::open(&path, draft)
    }

    /// Opens or begins the journal of a draft, which takes over what it holds. No two processes
    /// have it at a time.
    fn open(path: &Path, draft: &mut Draft) -> Result<Self, Failure> {
        let trouble = |why: std::io::Error| Failure::runtime(format!("{}: {why}", path.display()));
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(trouble)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let problem = "another process is building this book";
                return Err(Failure::runtime(format!("{}: {problem}", path.display())));
            }
            // Some file systems know no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let bytes = read_file(path)?;
        let head = draft.journal_head();
        if bytes.len() < head.len() && head.starts_with(&bytes) {
            // New, or broken off before the first result.
            file.set_len(0).and_then(|()| file.write_all(&head)).map_err(trouble)?;
        } else {
            let journal = draft
                .take_journal(&bytes)
                .map_err(|why| Failure::invalid(format!("{}: {why}", path.display())))?;
            if journal.damaged > 0 {
                let (path, damaged) = (path.display(), journal.damaged);
                note(format!(
                    "{path}: skipped {damaged} records that were not written completely."
                ));
            }
            let whole = journal.whole as u64;
            file.set_len(whole)
                .and_then(|()| file.seek(SeekFrom::Start(whole)))
                .map_err(trouble)?;
        }
        Ok(Self { path: path.to_owned(), file: Some(file), synced: Instant::now() })
    }

    fn add(&mut self, draft: &Draft, position: &Position, score: i32) -> Result<(), Failure> {
        if let (Some(file), Some(record)) = (&mut self.file, draft.journal_record(position, score))
        {
            file.write_all(&record).map_err(|why| self.trouble(&why))?;
        }
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.synced = Instant::now();
        let synced = self.file.as_ref().map_or(Ok(()), File::sync_data);
        synced.map_err(|why| self.trouble(&why))
    }

    /// Called when the book is written. A journal that cannot be removed does no harm.
    fn remove(self) {
        if self.file.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    fn trouble(&self, why: &std::io::Error) -> Failure {
        Failure::runtime(format!("{}: {why}", self.path.display()))
    }
}
