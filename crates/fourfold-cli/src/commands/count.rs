//! `fourfold count`: how large a game is, ply by ply.

use crate::arguments::{at_least, mebibytes};
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::{interrupt, output, progress};
use fourfold::game::counting::{
    CountLimits, CountProgress, Counts, Interrupted, Stage, Totals, count,
};
use fourfold::game::{Position, Rules};
use fourfold::workers::Threads;
use std::io::Write;

/// What follows the options in the help: clap would run the lines of a doc comment together.
const HELP: &str = "\
Columns:
  ply                moves made by both players since the empty board
  sequences          ways to make them: nodes of the game tree at this depth
  finished games     sequences whose last move ends the game, won or drawn
  positions          distinct boards they lead to, finished ones included
  positions so far   the same for this ply and all before it
  up to symmetry     positions when mirror images (without gravity rotations
                     too) count once
  sequences at most  sequences if nobody ever won; with gravity, columns to
                     the power of ply, as if columns never filled up

Examples:
  fourfold count                             Connect Four, plies 0 to 8
  fourfold count --game tictactoe --plies 9  all of tic-tac-toe
  fourfold count --plies 17 --memory 12G     large: see docs/counting.md";

/// Count the move sequences, games and positions of a game, ply by ply
///
/// A ply is one move of one player. The table has a row for each ply and two rows of totals: with
/// and without ply 0, the empty board (the root of the game tree).
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,

    /// Count up to this ply, or to the end of the game if that comes first
    #[arg(long, short, short_alias = 'n', default_value_t = 8, value_name = "N")]
    #[arg(value_parser = at_least(0u32))]
    plies: u32,

    /// Worker threads; the figures do not depend on it [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Memory for positions, in MiB or with a unit (512M, 4G). If it does not suffice for all
    /// plies, those counted are shown with what the next would need, and the command exits with 1
    #[arg(long, default_value = "4G", value_name = "SIZE", value_parser = mebibytes)]
    memory: u32,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
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
        .with_memory(u64::from(args.memory) << 20)
        .with_stop(&stop);
    let bar = progress::Bar::new("counting", 0);
    let result = count(&Position::new(rules), args.plies, &limits, |progress| show(&bar, progress));
    bar.end();
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

fn show(bar: &progress::Bar, CountProgress { ply, stage, done, total, .. }: CountProgress) {
    let message = match stage {
        Stage::Sampling => format!("ply {ply}, estimating memory"),
        Stage::Counting { passes: 1, .. } => format!("ply {ply}"),
        Stage::Counting { pass, passes } => format!("ply {ply}, pass {pass} of {passes}"),
    };
    bar.rename(message);
    bar.set(done, total);
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

/// What `--json` prints.
#[derive(serde::Serialize)]
struct Report {
    game: Rules,
    /// False if the count ended before the ply asked for.
    complete: bool,
    plies: Vec<PlyRow>,
    totals: Sum,
    totals_without_root: Sum,
}

#[derive(serde::Serialize)]
struct PlyRow {
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
            PlyRow {
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
