//! `fourfold book build`: solves all positions of a ply, and keeps each result in a journal until
//! all are there.

use super::{is_special, with_ending, write_whole};
use crate::arguments::at_least;
use crate::failure::Failure;
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
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const HELP: &str = "\
Every position with --plies discs is solved, one of each mirror pair; the
earlier ones follow from them. Until the book is finished, results are kept in
FILE.part: after Ctrl-C, a crash or a power cut, the same command continues
from there. The finished book is the same, byte for byte, on any number of
threads and after any interruptions.

With --share 2/5, only the second fifth of the positions is solved, so that
several machines can share the work; 'fourfold book merge' puts the parts
together.

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

    /// Solve only this part of the positions: the I-th of N
    #[arg(long, value_name = "I/N")]
    share: Option<Share>,

    #[command(flatten)]
    solver: SolverArgs,
}

/// One of several equal parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    number: usize,
    of: usize,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(a, b)| a.parse().ok().zip(b.parse().ok()));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some((_, of)) => Err(format!("the parts are 1/{of} to {of}/{of}")),
            None => Err("write a part and how many there are, such as 2/5".to_owned()),
        }
    }
}

impl Share {
    fn of<'a, T>(&self, items: &'a [T]) -> &'a [T] {
        let edge =
            |number: usize| (items.len() as u128 * number as u128 / self.of as u128) as usize;
        &items[edge(self.number - 1)..edge(self.number)]
    }
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
    let share = args.share.unwrap_or(Share { number: 1, of: 1 });
    let all = share.of(draft.needed());
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
    if draft.solved() < draft.needed().len() {
        let part = journal.path.display();
        note(format!(
            "{part}: {solved} of {needed} positions are solved; see 'fourfold book merge'."
        ));
        return Ok(());
    }
    finish(draft, out)?;
    journal.remove();
    note(format!("{}: {needed} positions of ply {} are solved.", out.display(), args.plies));
    Ok(())
}

/// Writes the finished book.
pub(super) fn finish(draft: Draft, out: &Path) -> Result<(), Failure> {
    let book = draft.finish().map_err(Failure::runtime)?;
    let bytes = book.to_bytes().ok_or_else(|| Failure::runtime("this book cannot be written"))?;
    write_whole(out, &bytes)
}

/// The file that keeps what is solved until the book is finished.
pub(super) struct JournalFile {
    pub(super) path: PathBuf,
    /// None if the book goes to a device or a pipe, which cannot be resumed.
    file: Option<File>,
    synced: Instant,
}

/// After a power cut at most this much work is done again.
const SYNC_EVERY: Duration = Duration::from_secs(5);

impl JournalFile {
    /// The journal beside the book that is being made; none is kept beside a device or a pipe.
    pub(super) fn beside(book: &Path, draft: &mut Draft) -> Result<Self, Failure> {
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

    pub(super) fn add(
        &mut self,
        draft: &Draft,
        position: &Position,
        score: i32,
    ) -> Result<(), Failure> {
        if let (Some(file), Some(record)) = (&mut self.file, draft.journal_record(position, score))
        {
            file.write_all(&record).map_err(|why| self.trouble(&why))?;
        }
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    pub(super) fn sync(&mut self) -> Result<(), Failure> {
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

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn shares_are_all_and_do_not_overlap() {
        let items: Vec<u32> = (0..17).collect();
        for of in 1..20 {
            let parts = (1..=of).flat_map(|number| Share { number, of }.of(&items));
            assert!(parts.eq(&items), "{of}");
        }
        assert_eq!("2/5".parse(), Ok(Share { number: 2, of: 5 }));
        for text in ["0/5", "6/5", "2", "", "/", "2/", "-1/3", "1/0"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
