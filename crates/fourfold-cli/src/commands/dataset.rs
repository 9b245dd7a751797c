//! `fourfold dataset`: a published data set, generated from the rules and a book, and positions
//! labelled by the solver to learn from.

use super::positions::Range;
use crate::arguments::{at_least, whole};
use crate::external::read_net;
use crate::failure::Failure;
use crate::input::{GameArg, add_excluded, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note, stdout};
use crate::progress;
use crate::solving::BookArgs;
use fourfold::budget::Budget;
use fourfold::eval::net::Net;
use fourfold::game::Rules;
use fourfold::game::notation::{self, Class, Entry, Format};
use fourfold::workers::Threads;
use fourfold_lab::labels::{Doubt, LabelFile, LabelOptions};
use fourfold_lab::train::Excluded;
use std::io::Write;
use std::path::PathBuf;

const COMMAND_HELP: &str = "\
Examples:
  fourfold dataset uci > connect-4.data
  fourfold dataset labels --count 10000 --out labels.txt";

/// Generate data sets: a published one, or positions labelled by the solver
#[derive(Debug, clap::Args)]
#[command(after_help = COMMAND_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: DatasetCommand,
}

#[derive(Debug, clap::Subcommand)]
enum DatasetCommand {
    Uci(UciArgs),
    Labels(LabelArgs),
    Hashes(HashArgs),
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

const LABELS_HELP: &str = "\
Positions come from seeded games, half of them random, half played by shallow
searches that err; none occurs twice, nor does its mirror image. A line has
the moves and the score of each column ('fourfold solve --all'; -1000: full).
The file is what 'fourfold tune' and 'fourfold train' learn from. After
Ctrl-C the same command continues, and a larger --count extends the file.

Examples:
  fourfold dataset labels --count 10000 --out labels.txt
  fourfold dataset labels --plies 9..14 --weak --count 50000 --out begin.txt
  fourfold dataset labels --plies 9..14 --weak --doubt 4 --out doubtful.txt
  fourfold dataset labels --game 6x5c4 --count 20000 --out 6x5c4.txt";

/// Sample positions and label every move with its exact score
#[derive(Debug, clap::Args)]
#[command(after_help = LABELS_HELP)]
struct LabelArgs {
    #[command(flatten)]
    choice: LabelChoice,

    /// Label only positions in which the evaluator net is at least this likely to pick a wrong
    /// move, by its own odds, in per cent
    #[arg(long, value_name = "PERCENT", value_parser = whole(1..=25u8))]
    doubt: Option<u8>,

    /// Network for --doubt ('fourfold train net') [default: the one that comes with the program]
    #[arg(long, value_name = "FILE", requires = "doubt")]
    doubt_net: Option<PathBuf>,

    /// Take positions of random games only
    #[arg(long)]
    random: bool,

    /// Positions to label at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// File to write or to continue
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Which positions to label, and how.
#[derive(Debug, clap::Args)]
pub(super) struct LabelChoice {
    #[command(flatten)]
    game: GameArg,

    /// Number of positions
    #[arg(long, short = 'n', default_value_t = 10_000, value_name = "N")]
    #[arg(value_parser = at_least(1u64))]
    pub(super) count: u64,

    /// Discs on the board: A..B, both included, or one number [default: any]
    #[arg(long, value_name = "A..B")]
    plies: Option<Range>,

    /// Plies to the end under best play: A..B, both included, or one number [default: any]
    #[arg(long, value_name = "A..B", conflicts_with = "weak")]
    remaining: Option<Range>,

    /// Label only who wins, not how soon: scores are -1, 0 and 1. Quicker
    #[arg(long)]
    weak: bool,

    /// Leave out positions that take the solver more nodes
    #[arg(long, default_value_t = 2_000_000, value_name = "N", value_parser = at_least(1u64))]
    nodes: u64,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,
}

impl LabelChoice {
    pub(super) fn options(&self) -> Result<LabelOptions, Failure> {
        let rules = self.game.rules();
        let mut options = LabelOptions::new(rules);
        if let Some(plies) = self.plies {
            plies.check("--plies", &rules)?;
            options.plies = plies.first..=plies.last.min(*options.plies.end());
        }
        options.remaining = self.remaining.map(|range| range.first..=range.last);
        (options.weak, options.nodes, options.seed) = (self.weak, self.nodes, self.seed);
        Ok(options)
    }
}

/// The doubt that was asked for.
fn doubt_of(args: &LabelArgs, rules: &Rules) -> Result<Option<Doubt>, Failure> {
    let Some(percent) = args.doubt else { return Ok(None) };
    let net = match &args.doubt_net {
        Some(path) => read_net(path).map_err(Failure::usage)?,
        None => Net::embedded(rules).ok_or_else(|| {
            Failure::usage(format!(
                "no network for {rules} comes with the program; name one with --doubt-net FILE"
            ))
        })?,
    };
    if net.rules() != rules {
        return Err(Failure::usage(format!("the network is of {}, not {rules}", net.rules())));
    }
    Ok(Some(Doubt { net, percent }))
}

fn labels(args: &LabelArgs) -> Result<(), Failure> {
    let mut options = args.choice.options()?;
    options.doubt = doubt_of(args, &options.rules)?;
    options.random = args.random;
    let (rules, count) = (options.rules, args.choice.count);
    let mut file = LabelFile::open(&args.out, options)?;
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let bar = progress::Bar::new("positions", count);
    bar.set(file.labels().len() as u64, count);
    bar.reset_eta();
    let made = file.extend(count, threads_or_all(args.threads), &budget, |done| {
        bar.set(done, count);
    });
    bar.end();
    made?;
    let count = grouped(file.labels().len() as u64);
    note(format!("{}: {count} positions of {rules} are labelled.", args.out.display()));
    Ok(())
}

const HASHES_HELP: &str = "\
'fourfold train --exclude' takes the list in place of the positions, so a
training that left out somebody else's test positions can be repeated without
a copy of them. A position and its mirror image have the same hash.

Examples:
  fourfold dataset hashes test.txt > test.hashes
  fourfold train net --exclude test.hashes";

/// Print the hashes of positions, to leave them out of a training
#[derive(Debug, clap::Args)]
#[command(after_help = HASHES_HELP)]
struct HashArgs {
    #[command(flatten)]
    game: GameArg,

    /// Positions, one per line, as moves and perhaps scores
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

fn hashes(args: &HashArgs) -> Result<(), Failure> {
    let rules = args.game.rules();
    let mut excluded = Excluded::default();
    for path in &args.files {
        add_excluded(&mut excluded, path, &rules)?;
    }
    Ok(write!(stdout(), "{}", excluded.to_list(&rules))?)
}

/// Discs in each position of the data set.
const DISCS: u32 = 8;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.what {
        DatasetCommand::Uci(args) => uci(args),
        DatasetCommand::Labels(args) => labels(args),
        DatasetCommand::Hashes(args) => hashes(args),
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
