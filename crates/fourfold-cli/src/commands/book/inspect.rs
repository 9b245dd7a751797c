//! `fourfold book info` and `fourfold book verify`.

use super::given_or_embedded;
use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{grouped, note, stdout, table};
use crate::progress;
use crate::solving::{SolverArgs, read_file};
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules, notation};
use fourfold::random::Random;
use fourfold::solver::{SolveError, Solver};
use fourfold::workers::{Threads, share_out};
use fourfold_lab::shards::{Job, Unfinished};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

const INFO_HELP: &str = "\
Examples:
  fourfold book info
  fourfold book info 8x5.book --json
  fourfold book info 8x5.book.part";

/// Show what a book covers
#[derive(Debug, clap::Args)]
#[command(after_help = INFO_HELP)]
pub(super) struct InfoArgs {
    /// A book, or an unfinished one (.part) [default: the book that comes with the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    game: GameArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `book info --json` prints.
#[derive(Debug, Serialize)]
struct Info {
    game: Rules,
    plies: u32,
    format: &'static str,
    bytes: Option<usize>,
    by_ply: Vec<PlyInfo>,
}

#[derive(Debug, Serialize)]
struct PlyInfo {
    ply: usize,
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

pub(super) fn info(args: &InfoArgs) -> Result<(), Failure> {
    let mut out = stdout();
    if let Some(path) = &args.file {
        let bytes = read_file(path)?;
        if let Some(Unfinished { job: Job::Book { game, plies }, rows: needed, done: solved }) =
            Unfinished::read(&bytes)
        {
            if args.json {
                let value = serde_json::json!({
                    "game": game,
                    "plies": plies,
                    "format": "part",
                    "solved": solved,
                    "needed": needed,
                });
                writeln!(out, "{value}")?;
            } else {
                let (solved, needed) = (grouped(solved), grouped(needed));
                writeln!(
                    out,
                    "{game} to ply {plies}, unfinished: {solved} of {needed} positions are solved"
                )?;
            }
            return Ok(out.flush()?);
        }
    }
    let book = given_or_embedded(args.file.as_ref(), &args.game.rules())?;
    let by_ply: Vec<PlyInfo> = book
        .summary()
        .iter()
        .enumerate()
        .map(|(ply, s)| PlyInfo {
            ply,
            positions: s.positions,
            won: s.won,
            drawn: s.drawn,
            lost: s.lost,
        })
        .collect();
    let info = Info {
        game: *book.rules(),
        plies: book.plies(),
        format: if book.is_pons() { "pons" } else { "fourfold" },
        bytes: book.to_bytes().map(|bytes| bytes.len()),
        by_ply,
    };
    if args.json {
        serde_json::to_writer(&mut out, &info).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let size = info
            .bytes
            .map(|bytes| format!(", {} bytes", grouped(bytes as u64)))
            .unwrap_or_default();
        writeln!(out, "{} to ply {}{size}", info.game, info.plies)?;
        writeln!(out, "Results are for the side to move; mirror images count once.\n")?;
        let head = ["ply", "positions", "won", "drawn", "lost"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for ply in &info.by_ply {
            let number = [ply.positions, ply.won, ply.drawn, ply.lost].map(grouped);
            rows.push(std::iter::once(ply.ply.to_string()).chain(number).collect());
        }
        out.write_all(table(&rows).as_bytes())?;
    }
    Ok(out.flush()?)
}

const HELP: &str = "\
Every score before the last ply must be the best that its moves lead to; that
is checked for all of them. A random sample of the last ply is solved again,
without the book.

Examples:
  fourfold book verify             the book that comes with the program
  fourfold book verify 8x5.book --count 1000 --seed 7
  fourfold book verify 6x5.book --all";

/// Check a book: its bytes, its scores against each other, and a sample against the solver
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct VerifyArgs {
    /// Book to check [default: the one that comes with the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    game: GameArg,

    /// Number of positions of the last ply to solve again
    #[arg(long, short = 'n', alias = "sample", default_value_t = 100, value_name = "N")]
    #[arg(value_parser = at_least(0usize))]
    count: usize,

    /// Solve all of them
    #[arg(long, conflicts_with = "count")]
    all: bool,

    /// Random seed of the sample
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Positions to solve at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    solver: SolverArgs,
}

/// What `book verify --json` prints about a correct book.
#[derive(Debug, Serialize)]
struct Verified {
    game: Rules,
    plies: u32,
    consistent: bool,
    solved_anew: usize,
    positions: usize,
}

pub(super) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let book = given_or_embedded(args.file.as_ref(), &args.game.rules())?;
    let rules = *book.rules();
    args.solver.solver_for(&rules)?;
    if let Some(position) = book.inconsistency() {
        let moves = moves_to(&position);
        return Err(Failure::runtime(match book.score(&position) {
            None => format!("no score for {moves}"),
            Some(score) => format!("{moves} has a score of {score}, but its moves lead to another"),
        }));
    }
    let mut last = book.positions(book.plies());
    let in_all = last.len();
    if !args.all {
        let mut random = Random::new(args.seed);
        let sample = args.count.min(last.len());
        for index in 0..sample {
            let other = index + random.below(last.len() - index);
            last.swap(index, other);
        }
        last.truncate(sample);
    }
    let stop = interrupt::flag()?;
    let bar = progress::Bar::new("positions", last.len() as u64);
    let limits = Budget::unlimited().with_stop(stop);
    let work = |solver: &mut Result<Solver, SolveError>, position: Position| {
        let solver = solver.as_mut().map_err(|why| why.clone())?;
        solver.solve(&position, &limits).map(|solved| (position, solved.score))
    };
    let new_solver = || Solver::new(&rules, args.solver.options());
    let (mut trouble, mut wrong, mut right) = (None, 0, 0);
    share_out(last.into_iter(), threads_or_all(args.threads), new_solver, work, |_, result| {
        match result {
            Ok((position, score)) => {
                bar.inc();
                if book.score(&position) == Some(score) {
                    right += 1;
                } else {
                    wrong += 1;
                    let found = book
                        .score(&position)
                        .map_or_else(|| "none".to_owned(), |score| score.to_string());
                    note(format!(
                        "{}: the score is {score}, the book has {found}",
                        moves_to(&position)
                    ));
                }
                ControlFlow::Continue(())
            }
            Err(why) => {
                trouble = Some(Failure::runtime(why));
                ControlFlow::Break(())
            }
        }
    });
    bar.end();
    if let Some(why) = trouble {
        return Err(why);
    }
    if wrong > 0 {
        return Err(Failure::runtime(format!("{wrong} of {} scores are wrong", wrong + right)));
    }
    let mut out = stdout();
    if args.json {
        let verified = Verified {
            game: rules,
            plies: book.plies(),
            consistent: true,
            solved_anew: right,
            positions: in_all,
        };
        serde_json::to_writer(&mut out, &verified).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    writeln!(
        out,
        "{rules} to ply {}: complete and consistent; {} of {} positions of the last ply \
         solved again, all correct",
        book.plies(),
        grouped(right as u64),
        grouped(in_all as u64)
    )?;
    Ok(out.flush()?)
}

/// Moves that lead to a position, as people write them.
fn moves_to(position: &Position) -> String {
    let moves = position.some_moves().map(|moves| notation::moves_text(position.rules(), &moves));
    moves.map_or_else(
        |_| format!("the position\n{position}\n"),
        |moves| if moves.is_empty() { "the empty board".to_owned() } else { moves },
    )
}
