//! `fourfold dataset`: published data sets, generated from the rules and a book.

use crate::failure::Failure;
use crate::output::{note, stdout};
use crate::solving::BookArgs;
use fourfold::game::Rules;
use fourfold::game::notation::{self, Class, Entry, Format};
use std::io::Write;

const COMMAND_HELP: &str = "\
Examples:
  fourfold dataset uci > connect-4.data";

/// Generate a published data set from the rules and the opening book
#[derive(Debug, clap::Args)]
#[command(after_help = COMMAND_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: DatasetCommand,
}

#[derive(Debug, clap::Subcommand)]
enum DatasetCommand {
    Uci(UciArgs),
}

const HELP: &str = "\
Each row has the 42 cells (a1 to a6, b1 to b6, ...; x, o or b for blank) and
the class: win, loss or draw for the first player, who is to move. Mirror
images are left out.

Examples:
  fourfold dataset uci > connect-4.data
  fourfold dataset uci | cut -d, -f43 | sort | uniq -c";

/// Print the Connect-4 data set of the UCI repository: the 67,557 positions with 8 discs in which
/// nobody has won or can win at once
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
struct UciArgs {
    /// Print one JSON object per position instead of a row
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    book: BookArgs,
}

/// Discs in each position of the data set.
const DISCS: u32 = 8;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        DatasetCommand::Uci(args) => uci(args),
    }
}

fn uci(args: &UciArgs) -> Result<(), Failure> {
    let rules = Rules::CONNECT_FOUR;
    let book = args.book.books()?.book_for(&rules)?;
    let book = book.filter(|book| book.plies() >= DISCS);
    let book = book.ok_or_else(|| {
        Failure::usage(format!(
            "the data set needs a book of {rules} that reaches ply {DISCS}; see 'fourfold book'"
        ))
    })?;
    let mut out = stdout();
    let mut counts = [0u64; 3];
    for position in book.positions(DISCS) {
        if !position.winning_moves().is_empty() || !position.threatened_moves().is_empty() {
            continue;
        }
        let class =
            class_of(book.score(&position).ok_or_else(|| Failure::runtime("the book has gaps"))?);
        counts[class as usize] += 1;
        let entry = Entry::of(position).with_class(class);
        let row = notation::write(&entry, if args.json { Format::Ndjson } else { Format::Uci })
            .map_err(Failure::runtime)?;
        writeln!(out, "{row}")?;
    }
    out.flush()?;
    let [wins, losses, draws] = counts;
    note(format!("{} positions: win {wins}, draw {draws}, loss {losses}", wins + losses + draws));
    Ok(())
}

/// With eight discs the first player is to move.
fn class_of(score: i32) -> Class {
    match score.signum() {
        1 => Class::Win,
        0 => Class::Draw,
        _ => Class::Loss,
    }
}
