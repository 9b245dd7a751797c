//! `fourfold book`: makes, checks and describes books of exact scores.

mod build;
mod inspect;

use crate::failure::Failure;
use fourfold::book::Book;
use fourfold::game::Rules;
use fourfold_app::books::read_book;
use std::path::PathBuf;
use std::sync::Arc;

const HELP: &str = "\
Examples:
  fourfold book info
  fourfold book build --game 8x5c4 --plies 5
  fourfold book verify 8x5c4-5.book";

/// Build, check and describe opening books: exact scores of all early positions
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: BookCommand,
}

#[derive(Debug, clap::Subcommand)]
enum BookCommand {
    Build(build::Args),
    Info(inspect::InfoArgs),
    Verify(inspect::VerifyArgs),
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Info(args) => inspect::info(args),
        BookCommand::Verify(args) => inspect::verify(args),
    }
}

/// The book in a file, or the one that comes with the program.
fn given_or_embedded(path: Option<&PathBuf>, rules: &Rules) -> Result<Arc<Book>, Failure> {
    match path {
        Some(path) => Ok(Arc::new(read_book(path)?)),
        None => Book::embedded(rules).ok_or_else(|| {
            Failure::usage(format!("no book for {rules} comes with this program: name a file"))
        }),
    }
}
