//! `fourfold book merge`: one book from parts that were solved apart.

use super::build::{JournalFile, finish};
use crate::failure::Failure;
use crate::output::{grouped, note};
use crate::solving::read_file;
use fourfold::book::{Book, Draft};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  fourfold book build --plies 8 --share 1/2 --out a.book
  fourfold book build --plies 8 --share 2/2 --out b.book
  fourfold book merge a.book.part b.book.part --out 7x6.book";

/// Merge parts of a book that 'fourfold book build --share' made
///
/// If nothing is missing, the book is written; otherwise what there is goes to FILE.part, from
/// which 'fourfold book build' continues. Parts may overlap. Contradicting scores are an error.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// Parts (.part), or finished books of the same game and plies
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,

    /// Book to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.out.exists() {
        return Err(Failure::usage(format!("{} already exists", args.out.display())));
    }
    let mut draft: Option<Draft> = None;
    for path in &args.parts {
        let invalid =
            |why: &dyn std::fmt::Display| Failure::invalid(format!("{}: {why}", path.display()));
        let bytes = read_file(path)?;
        let book = match Draft::of_journal(&bytes) {
            Ok(_) => None,
            Err(not_a_journal) => Some(Book::read(&bytes).map_err(|not_a_book| {
                // Whichever it meant to be.
                let journal = bytes.starts_with(b"FOURPART");
                invalid(if journal { &not_a_journal } else { &not_a_book })
            })?),
        };
        let (rules, plies) = match &book {
            Some(book) => (*book.rules(), book.plies()),
            None => Draft::of_journal(&bytes).map_err(|why| invalid(&why))?,
        };
        let draft = match &mut draft {
            Some(draft) => draft,
            none => none.insert(Draft::new(&rules, plies).map_err(|why| invalid(&why))?),
        };
        match book {
            None => draft.take_journal(&bytes).map(|_| ()).map_err(|why| invalid(&why))?,
            Some(book) => draft.take_book(&book).map_err(|why| invalid(&why))?,
        }
    }
    let Some(draft) = draft else { return Err(Failure::usage("name at least one part")) };
    let (solved, needed) = (draft.solved(), draft.needed().len());
    if solved == needed {
        finish(draft, &args.out)?;
        note(format!("{}: {} positions are solved.", args.out.display(), grouped(needed as u64)));
        return Ok(());
    }
    // A draft of its own, to tell the journal's results from ours.
    let mut there = Draft::new(draft.rules(), draft.plies()).map_err(Failure::runtime)?;
    let mut journal = JournalFile::beside(&args.out, &mut there)?;
    for position in draft.needed() {
        if let Some(score) = draft.score(position).filter(|_| !there.is_solved(position)) {
            journal.add(&draft, position, score)?;
        }
    }
    journal.sync()?;
    let (part, missing) = (journal.path.display(), grouped((needed - solved) as u64));
    note(format!("{part}: {missing} of {} positions are missing.", grouped(needed as u64)));
    Ok(())
}
