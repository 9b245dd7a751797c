//! `fourfold count`: how large a game is, ply by ply.

use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::{interrupt, output, progress};
use fourfold::game::counting::{
    CountLimits, CountProgress, Counts, Interrupted, Stage, Totals, count,
};
use fourfold::game::{Position, Rules};
use indicatif::ProgressBar;
use std::io::Write;
use std::num::NonZeroUsize;

/// What follows the options in the help: clap would run the lines of a doc comment together.
const HELP: &str = "\
Columns:
  ply                moves made, by both players together, since the empty board
  sequences          ways to make them: the nodes of the game tree at this depth
  finished games     those that end the game, won or drawn, with the last of these moves
  positions          different boards that the sequences reach, finished ones included
  positions so far   the same for this ply and all before it
  up to symmetry     positions when mirror images (without gravity also turned ones) count once
  sequences at most  what sequences would be if nobody ever won; with gravity, columns to the
                     power of ply, as if they never filled up

Examples:
  fourfold count                              Connect Four, plies 0 to 8
  fourfold count --game tictactoe --plies 9   all of tic-tac-toe
  fourfold count --plies 17 --memory 12       large: see docs/counting.md";

/// Count the move sequences, games and positions of a game, ply by ply
///
/// A ply is one move of one player. The table has a row for each ply and two for the sums: with ply
/// 0, the empty board (the root of the game tree), and without it.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,

    /// Count to this ply. More than the board has cells is taken as the number of cells, with a
    /// note
    #[arg(long, short = 'n', default_value_t = 8, value_name = "N")]
    plies: u32,

    /// Threads to work with [default: as many as the machine runs at once]. The figures do not
    /// depend on it
    #[arg(long, short, value_name = "T")]
    threads: Option<NonZeroUsize>,

    /// Memory that positions may take, in GiB (0.5 is half of one). When it does not do for all
    /// plies, those that were counted are shown with what the next would need, and the command
    /// exits with 1
    #[arg(long, default_value = "4", value_name = "GIB", value_parser = parse_gibibytes)]
    memory: u64,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

fn parse_gibibytes(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(gib) if gib > 0.0 && gib.is_finite() => Ok((gib * f64::from(1 << 30)) as u64),
        _ => Err("write a number of GiB above 0, such as 4 or 0.5".to_owned()),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rules = args.game.rules();
    if args.plies > rules.cells() {
        let cells = rules.cells();
        output::note(format!(
            "fourfold: a game of {rules} has at most {cells} plies; counting to ply {cells}"
        ));
    }
    let stop = interrupt::flag()?;
    let limits = CountLimits::default()
        .with_threads(threads_or_all(args.threads))
        .with_memory(args.memory)
        .with_stop(&stop);
    let bar = progress::bar("{msg} {wide_bar} {percent:>3} %  {elapsed}", None);
    let result = count(&Position::new(rules), args.plies, &limits, |progress| show(&bar, progress));
    bar.finish_and_clear();
    let (counts, reason) = match result {
        Ok(counts) => (counts, None),
        Err(Interrupted { counts, reason }) => (counts, Some(reason)),
    };
    let mut out = output::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &Report::new(rules, &counts, reason.is_none()))
            .map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(table(&counts).as_bytes())?;
    }
    out.flush()?;
    match reason {
        None => Ok(()),
        Some(reason) => Err(Failure::runtime(reason)),
    }
}

fn show(bar: &ProgressBar, CountProgress { ply, stage, done, total, .. }: CountProgress) {
    let message = match stage {
        Stage::Sampling => format!("ply {ply}: how much memory?"),
        Stage::Counting { passes: 1, .. } => format!("ply {ply}"),
        Stage::Counting { pass, passes } => format!("ply {ply}: pass {pass} of {passes}"),
    };
    if bar.message() != message {
        bar.set_message(message);
    }
    bar.set_length(total);
    bar.set_position(done);
}

fn table(counts: &Counts) -> String {
    let number = |n: u128| output::grouped(n);
    let bound = |n: Option<u128>| n.map_or_else(|| "> 2^128".to_owned(), number);
    let head = [
        "ply",
        "sequences",
        "finished games",
        "positions",
        "positions so far",
        "up to symmetry",
        "sequences at most",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut cumulative = 0;
    for p in &counts.plies {
        cumulative += p.positions;
        rows.push(vec![
            p.ply.to_string(),
            number(p.sequences),
            number(p.finished),
            number(p.positions),
            number(cumulative),
            number(p.up_to_symmetry),
            bound(p.bound),
        ]);
    }
    for (name, first) in [("total", 0), ("without ply 0", 1)] {
        let sum = counts.totals_from(first);
        rows.push(vec![
            name.to_owned(),
            number(sum.sequences),
            number(sum.finished),
            number(sum.positions),
            String::new(),
            number(sum.up_to_symmetry),
            bound(sum.bound),
        ]);
    }
    output::table(&rows)
}

/// What `--json` writes.
#[derive(serde::Serialize)]
struct Report {
    game: Rules,
    /// False if the count ended before the ply asked for.
    complete: bool,
    plies: Vec<Row>,
    totals: Sum,
    totals_without_root: Sum,
}

#[derive(serde::Serialize)]
struct Row {
    ply: u32,
    sequences: u128,
    finished_games: u128,
    positions: u128,
    cumulative_positions: u128,
    up_to_symmetry: u128,
    /// Null if it does not fit 128 bits.
    sequences_at_most: Option<u128>,
}

#[derive(serde::Serialize)]
struct Sum {
    sequences: u128,
    finished_games: u128,
    positions: u128,
    up_to_symmetry: u128,
    sequences_at_most: Option<u128>,
}

impl From<Totals> for Sum {
    fn from(totals: Totals) -> Self {
        let Totals { sequences, finished, positions, up_to_symmetry, bound, .. } = totals;
        Self {
            sequences,
            finished_games: finished,
            positions,
            up_to_symmetry,
            sequences_at_most: bound,
        }
    }
}

impl Report {
    fn new(game: Rules, counts: &Counts, complete: bool) -> Self {
        let mut cumulative_positions = 0;
        let row = |p: &fourfold::game::counting::PlyCount| {
            cumulative_positions += p.positions;
            Row {
                ply: p.ply,
                sequences: p.sequences,
                finished_games: p.finished,
                positions: p.positions,
                cumulative_positions,
                up_to_symmetry: p.up_to_symmetry,
                sequences_at_most: p.bound,
            }
        };
        Self {
            game,
            complete,
            plies: counts.plies.iter().map(row).collect(),
            totals: counts.totals_from(0).into(),
            totals_without_root: counts.totals_from(1).into(),
        }
    }
}
