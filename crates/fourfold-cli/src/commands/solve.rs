//! `fourfold solve`: the exact result of positions, as lines for programs or a page for people.

mod checkpoint;
mod show;

use self::checkpoint::CheckpointFile;
use crate::arguments::{at_least, milliseconds};
use crate::failure::Failure;
use crate::input::{self, PositionArgs};
use crate::interrupt;
use crate::output::{Paint, grouped, note, rate, stdout, time};
use crate::progress::SolveLine;
use crate::solving::{BookArgs, OrderArgs, SolverArgs, Solvers};
use fourfold::budget::Budget;
use fourfold::game::notation::Entry;
use fourfold::game::{Move, Position};
use fourfold::score::Verdict;
use fourfold::solver::{
    Analysis, AnalysisEvent, AnalysisOptions, MoveAnalysis, MoveScore, SolveError, Solved, Solver,
};
use fourfold::workers::Threads;
use fourfold_app::board_text;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const HELP: &str = "\
Scores are for the side to move: 1 is a win with its last disc, 2 with the one
before, and so on; -1, -2, ... is a loss; 0 is a draw.

A single position on a terminal is shown with its board, the result of every
column and the line of best play. Otherwise each position gives one line: its
moves and its score. With --all, a score for each column (without gravity for
each cell, row by row from the top left) comes instead, -1000 where no disc
can go; with --line, the line of best play comes last (- if the game is over).

With --checkpoint, what is proven is kept in a file every minute, at Ctrl-C
and at the end. The same command goes on from there, with other --memory and
--threads too, and on another machine. A file that is damaged or of another
game is refused. The file has up to 76 MiB; if more is proven, it keeps what
took the longest.

A position that a limit leaves unsolved is reported on standard error with
the bounds that are proven; the others go on, and the command exits with 1.

Examples:
  fourfold solve 32164625                  one position
  fourfold solve --all < positions.txt     every column, for each line
  fourfold solve --game 5x4c4 ''           another board, from the start
  fourfold solve --game tictactoe 'b2 a1'  moves are cells: discs do not fall
  fourfold solve --weak --time 5s 44       who wins, within five seconds
  fourfold solve --json --line 4455 | jq .line
  fourfold solve --game 8x6c4 --memory 2G --checkpoint 8x6.checkpoint ''
                                           hours, in as many runs as it takes";

/// Solve positions exactly: who wins, how soon, with which moves
///
/// Works for every game that Fourfold can play. Early positions on large boards take long.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Positions in any notation ('' is the empty board) [default: standard input, one per line]
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    #[command(flatten)]
    game: PositionArgs,

    /// Report the result of every column (or cell)
    #[arg(long, short)]
    all: bool,

    /// Add the line of best play to the end of the game
    #[arg(long, short, conflicts_with = "weak")]
    line: bool,

    /// Report only who wins (1, 0 or -1), not how soon: faster
    #[arg(long, short)]
    weak: bool,

    /// Show boards and words even if standard output is no terminal or there are several positions
    #[arg(long, conflicts_with = "json")]
    pretty: bool,

    /// Print one JSON object per position
    #[arg(long)]
    json: bool,

    /// Search at most this many nodes per position
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,

    /// Time limit per position, in milliseconds or with a unit (500ms, 5s, 2m)
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    time: Option<u64>,

    /// Threads: they solve a single position together, and several positions one each
    #[arg(long, short, default_value = "1", value_name = "N")]
    threads: Threads,

    /// Keep what is proven in this file, and go on from it if it is there: for a single position
    /// that takes long
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Time between two checkpoints, at least a second
    #[arg(long, default_value = "1m", value_name = "TIME", value_parser = interval)]
    #[arg(requires = "checkpoint")]
    checkpoint_interval: Duration,

    /// Guess how much is done of what is asked, beside the usual report of a position that takes
    /// long; --checkpoint guesses too
    #[arg(long)]
    progress: bool,

    /// Report nodes and time on standard error at the end
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    order: OrderArgs,

    #[command(flatten)]
    solver: SolverArgs,
}

/// The time between two checkpoints.
fn interval(text: &str) -> Result<Duration, String> {
    let interval = Duration::from_millis(milliseconds(text)?);
    if interval < Duration::from_secs(1) {
        return Err("write a time of at least a second: 10s, 1m or 1h".to_owned());
    }
    Ok(interval)
}

/// What is wanted for each position.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    weak: bool,
    columns: bool,
    line: bool,
}

/// What was found for one position.
#[derive(Debug)]
struct Solution {
    verdict: Verdict,
    score: i32,
    columns: Option<Vec<MoveScore>>,
    line: Option<Vec<Move>>,
    nodes: u64,
    spent: Duration,
}

/// How answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Lines,
    Json,
    Pretty,
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let alone = args.positions.len() == 1;
    let style = match (args.json, args.pretty || alone && std::io::stdout().is_terminal()) {
        (true, _) => Style::Json,
        (false, true) => Style::Pretty,
        (false, false) => Style::Lines,
    };
    if args.checkpoint.is_some() && !alone {
        return Err(Failure::usage("--checkpoint takes a single position, as an argument"));
    }
    let threads = args.threads.get();
    // One position is solved by all threads together; of many, each thread takes the next.
    let together = if alone { threads } else { 1 };
    let options = args.solver.options().with_threads(together as u32);
    let books = args.book.books()?;
    let order = args.order.order()?;
    // What is wrong with a game that the user named is told at once.
    let solvers = || Solvers::ordered(options, &books, &order);
    if let Some(rules) = args.game.given() {
        solvers().lend(rules)?;
    }
    // Until a position is being solved, Ctrl-C has nothing to save.
    let working = Arc::new(AtomicBool::new(!alone && threads > 1));
    let stop = interrupt::flag_while(&working)?;
    let mut out = stdout();
    let totals = &Totals::default();
    let mut pages = 0;
    let mut show = |Shown { text, entry, solution }: Shown| {
        pages += 1;
        match style {
            Style::Lines => writeln!(out, "{}", show::line(&text, &entry, &solution))?,
            Style::Json => writeln!(out, "{}", show::json(&entry, &solution)?)?,
            Style::Pretty => {
                if pages > 1 {
                    writeln!(out)?;
                }
                show::page(&mut out, &entry, &solution, paint)?;
            }
        }
        Ok(out.flush()?)
    };
    let result = if alone || threads == 1 {
        let budget = interrupt::watched(stop);
        let line = SolveLine::new(&budget);
        let mut worker = Worker { args, style, totals, solvers: solvers(), budget, line };
        input::for_each(&args.positions, |text| {
            working.store(true, Ordering::Relaxed);
            let shown = worker.solve(text);
            working.store(false, Ordering::Relaxed);
            show(shown?)?;
            if worker.budget.is_stopped() { Err(Failure::runtime("interrupted")) } else { Ok(()) }
        })
    } else {
        let worker = || {
            let budget = Budget::unlimited().with_stop(Arc::clone(&stop));
            Worker { args, style, totals, solvers: solvers(), budget, line: SolveLine::silent() }
        };
        input::for_each_on(threads, &args.positions, worker, Worker::solve, show)
    };
    out.flush()?;
    if args.stats {
        note(totals.text(if alone { 1 } else { threads as u64 }));
    }
    result
}

/// A position with what was found.
struct Shown {
    text: String,
    entry: Entry,
    solution: Solution,
}

/// Solves one position after the other.
struct Worker<'a> {
    args: &'a Args,
    style: Style,
    totals: &'a Totals,
    solvers: Solvers,
    /// Ends with Ctrl-C; each position gets a part of it.
    budget: Budget,
    line: SolveLine,
}

impl Worker<'_> {
    fn solve(&mut self, text: &str) -> Result<Shown, Failure> {
        let Args { all, line, weak, nodes, time, game, .. } = self.args;
        let pretty = self.style == Style::Pretty;
        let wanted =
            Wanted { weak: *weak, columns: *all || pretty, line: *line || pretty && !weak };
        let entry = game.read(text)?;
        let mut solver = self.solvers.lend(entry.position.rules())?;
        let file = self
            .args
            .checkpoint
            .as_ref()
            .map(|path| CheckpointFile::new(path, self.args.checkpoint_interval));
        if let Some(file) = &file {
            file.begin(&mut solver, &entry.position)?;
        } else if self.args.progress {
            solver.keep_checkpoints(Duration::MAX, |_| {});
        }
        let budget =
            self.budget.part().with_nodes(*nodes).with_time(time.map(Duration::from_millis));
        let began = Instant::now();
        self.line.begin();
        let solution = solve(&mut solver, &entry.position, wanted, &budget, &self.line);
        self.line.end();
        if let Some(file) = &file {
            file.end(&mut solver, &entry.position);
        }
        self.totals.add(budget.spent(), began.elapsed());
        let solution = solution.map_err(|failure| match failure {
            Failure::Unfinished(why) if budget.is_stopped() => {
                Failure::runtime(format!("interrupted: {why}"))
            }
            other => other,
        })?;
        Ok(Shown { text: text.to_owned(), entry, solution })
    }
}

fn solve(
    solver: &mut Solver,
    position: &Position,
    wanted: Wanted,
    budget: &Budget,
    told: &SolveLine,
) -> Result<Solution, Failure> {
    let began = Instant::now();
    told.say(String::new);
    let solved = if wanted.weak {
        solver.solve_weakly(position, budget)
    } else {
        solver.solve(position, budget)
    };
    let Solved { verdict, score, .. } = solved.map_err(|why| match why {
        SolveError::Unfinished { .. } => Failure::Unfinished(why.to_string()),
        why => Failure::runtime(why),
    })?;
    let settled = || format!("{} (score {score})", show::in_words(position, verdict));
    let mut columns = None;
    if wanted.columns {
        let options = AnalysisOptions::default().with_weak(wanted.weak);
        let analysis = solver
            .analyse_with(position, options, budget, |event| {
                if let AnalysisEvent::Started(mv) = event {
                    told.say(|| format!("after {}", place(position, mv)));
                }
            })
            .map_err(Failure::runtime)?;
        columns = Some(analysis.scores().ok_or_else(|| {
            Failure::Unfinished(format!("{}, but {}", settled(), unsolved(position, &analysis)))
        })?);
    }
    let mut line = None;
    if wanted.line {
        told.say(|| "line of best play".to_owned());
        let found = solver.line(position, budget).map_err(|why| match why {
            SolveError::Unfinished { stop, .. } => Failure::Unfinished(format!(
                "{}, but the line of best play is not found: {stop}",
                settled()
            )),
            why => Failure::runtime(why),
        })?;
        line = Some(found.moves);
    }
    Ok(Solution { verdict, score, columns, line, nodes: budget.spent(), spent: began.elapsed() })
}

/// `column 4` or `cell b2`.
fn place(position: &Position, mv: Move) -> String {
    let rules = position.rules();
    format!("{} {}", board_text::place_noun(rules), mv.label(rules))
}

/// The first move that an analysis left unsolved, and what is known of it.
fn unsolved(position: &Position, analysis: &Analysis) -> String {
    let open = analysis.moves.iter().find_map(|found| match *found {
        MoveAnalysis::Bounds { mv, lower, upper } => Some((mv, lower, upper)),
        MoveAnalysis::Exact(_) => None,
    });
    match (open, analysis.stopped) {
        (Some((mv, lower, upper)), Some(stop)) => format!(
            "{} is not solved: {stop}; its score lies between {lower} and {upper}",
            place(position, mv)
        ),
        _ => "not every move is solved".to_owned(),
    }
}

/// What the whole run took, counted by all threads.
#[derive(Debug, Default)]
struct Totals {
    positions: AtomicU64,
    nodes: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Totals {
    fn add(&self, nodes: u64, spent: Duration) {
        self.positions.fetch_add(1, Ordering::Relaxed);
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.nanoseconds.fetch_add(spent.as_nanos() as u64, Ordering::Relaxed);
    }

    /// In words, for so many threads at a time.
    fn text(&self, threads: u64) -> String {
        let positions = self.positions.load(Ordering::Relaxed);
        let nodes = self.nodes.load(Ordering::Relaxed);
        let spent = Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed) / threads);
        let noun = if positions == 1 { "position" } else { "positions" };
        format!(
            "{} {noun}, {} nodes, {} ({})",
            grouped(positions),
            grouped(nodes),
            time(spent),
            rate(nodes, spent)
        )
    }
}
