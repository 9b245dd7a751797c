//! `fourfold solve`: the exact result of positions, as lines for programs or a page for people.

mod show;

use crate::board;
use crate::failure::Failure;
use crate::input::{self, GameArg};
use crate::interrupt;
use crate::output::{Paint, grouped, note, rate, stdout, time};
use crate::progress::SolveLine;
use crate::solving::{AnyGame, BookArgs, Budget, SolverArgs, Watch, one_move_before};
use fourfold::game::{Move, Position};
use fourfold::score::Verdict;
use fourfold::solver::{SolveError, Solved, Solver};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const HELP: &str = "\
Scores are for the side to move: 1 is a win with its last disc, 2 with the one before, and so on; -1, -2, ... is a
loss; 0 is a draw. 'wins in 13' counts the moves of both sides.

A single position on a terminal is shown with its board, every column's result and the line of best play. Otherwise
each position gives one line: its moves and its score; with --all its moves and a score for each column (without
gravity for each cell, row by row from the top left), -1000 where no disc can go; with --line the moves of the line of best play come last (- if the game is over).

A position that a limit leaves unsolved is told on standard error with the bounds that are proven; the others go on,
and the command exits with 1.

Examples:
  fourfold solve 32164625                    one position
  fourfold solve --all < positions.txt       every column of each line's position
  fourfold solve --game 5x4c4 ''             another board, from the start
  fourfold solve --game tictactoe 'b2 a1'    another game: discs do not fall, so moves are cells
  fourfold solve --weak --time 5000 44       who wins, if five seconds are enough to tell
  fourfold solve --json --line 4455 | jq .line";

/// Solve positions exactly: who wins, how soon, with which moves
///
/// Knows every game that Fourfold can play. Early positions of large boards take long.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Positions in any notation ('' is the empty board); if there are none, each line of standard input is one
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    #[command(flatten)]
    game: GameArg,

    /// Tell the result of every column (or cell)
    #[arg(long, short)]
    all: bool,

    /// Add the line of best play to the end of the game
    #[arg(long, short, conflicts_with = "weak")]
    line: bool,

    /// Tell only who wins (1, 0 or -1), not how soon: quicker
    #[arg(long, short)]
    weak: bool,

    /// Show boards and words even if this is not a terminal, or there are several positions
    #[arg(long, conflicts_with = "json")]
    pretty: bool,

    /// Write one JSON object a position
    #[arg(long)]
    json: bool,

    /// Search at most this many nodes for a position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Spend at most this many milliseconds on a position
    #[arg(long, value_name = "MS")]
    time: Option<u64>,

    /// Tell nodes and time on standard error at the end
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    solver: SolverArgs,
}

/// What is asked of each position.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    weak: bool,
    columns: bool,
    line: bool,
}

/// What was found for one position.
#[derive(Debug)]
struct Answer {
    solved: Solved,
    columns: Option<Vec<Column>>,
    line: Option<Vec<Move>>,
    nodes: u64,
    spent: Duration,
}

/// A move and its exact result for the side that makes it.
#[derive(Debug, Clone, Copy)]
struct Column {
    mv: Move,
    verdict: Verdict,
    score: i32,
}

/// How answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Lines,
    Json,
    Pretty,
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let mut games = AnyGame::new(&args.solver, args.book.books()?, args.game.given())?;
    // Until a position is being solved, Ctrl-C has nothing to save.
    let working = Arc::new(AtomicBool::new(false));
    let watch = Watch::new(interrupt::flag_while(&working)?);
    let line = SolveLine::new(&watch.progress);
    let alone_on_terminal = args.positions.len() == 1 && std::io::stdout().is_terminal();
    let style = match (args.json, args.pretty || alone_on_terminal) {
        (true, _) => Style::Json,
        (false, true) => Style::Pretty,
        (false, false) => Style::Lines,
    };
    let pretty = style == Style::Pretty;
    let wanted =
        Wanted { weak: args.weak, columns: args.all || pretty, line: args.line || pretty && !args.weak };
    let mut out = stdout();
    let mut totals = Totals::default();
    let result = input::for_each(&args.positions, |text| {
        let entry = args.game.read(text)?;
        let solver = games.solver_for(entry.position.rules())?;
        let mut budget = Budget::new(args.nodes, args.time.map(Duration::from_millis), &watch);
        let began = Instant::now();
        working.store(true, Ordering::Relaxed);
        line.begin();
        let answer = solve(solver, &entry.position, wanted, &mut budget, &line);
        line.end();
        working.store(false, Ordering::Relaxed);
        totals.add(budget.spent(), began.elapsed());
        let answer = answer.map_err(|failure| match failure {
            Failure::Unfinished(why) if budget.interrupted() => {
                Failure::runtime(format!("interrupted: {why}"))
            }
            other => other,
        })?;
        match style {
            Style::Lines => writeln!(out, "{}", show::line(text, &entry, &answer))?,
            Style::Json => writeln!(out, "{}", show::json(&entry, &answer)?)?,
            Style::Pretty => {
                if totals.positions > 1 {
                    writeln!(out)?;
                }
                show::page(&mut out, &entry, &answer, paint)?;
            }
        }
        out.flush()?;
        if budget.interrupted() { Err(Failure::runtime("interrupted")) } else { Ok(()) }
    });
    out.flush()?;
    if args.stats {
        note(totals.text());
    }
    result
}

fn solve(
    solver: &mut Solver,
    position: &Position,
    wanted: Wanted,
    budget: &mut Budget,
    told: &SolveLine,
) -> Result<Answer, Failure> {
    let began = Instant::now();
    told.say(String::new);
    let solved = search(solver, position, wanted.weak, budget).map_err(|why| unfinished(&why))?;
    let settled = || format!("{} (score {})", show::in_words(position, solved.verdict), solved.score);
    let mut columns = None;
    if wanted.columns {
        let mut found = Vec::new();
        for mv in position.legal_moves() {
            told.say(|| format!("after column {}", mv.label(position.rules())));
            let reply = search(solver, &position.play_unchecked(mv), wanted.weak, budget).map_err(|why| {
                let label = mv.label(position.rules());
                let why = match why {
                    SolveError::Unfinished { stop, lower, upper, .. } => format!(
                        "{}, but {} {label} is not solved: {stop}; its score lies between {} and {}",
                        settled(),
                        board::place_noun(position.rules()),
                        -upper,
                        -lower
                    ),
                    why => why.to_string(),
                };
                Failure::Unfinished(why)
            })?;
            found.push(Column { mv, verdict: one_move_before(reply.verdict), score: -reply.score });
        }
        columns = Some(found);
    }
    let mut line = None;
    if wanted.line {
        told.say(|| "line of best play".to_owned());
        let found = solver.line(position, &budget.limits()).map_err(|why| {
            let why = match why {
                SolveError::Unfinished { stop, nodes, .. } => {
                    budget.spend(nodes);
                    format!("{}, but the line of best play is not found: {stop}", settled())
                }
                why => why.to_string(),
            };
            Failure::Unfinished(why)
        })?;
        budget.spend(found.nodes);
        line = Some(found.moves);
    }
    Ok(Answer { solved, columns, line, nodes: budget.spent(), spent: began.elapsed() })
}

/// One search, taken off the budget.
fn search(
    solver: &mut Solver,
    position: &Position,
    weak: bool,
    budget: &mut Budget,
) -> Result<Solved, SolveError> {
    let limits = budget.limits();
    let result = if weak { solver.solve_weakly(position, &limits) } else { solver.solve(position, &limits) };
    match &result {
        Ok(Solved { nodes, .. }) | Err(SolveError::Unfinished { nodes, .. }) => budget.spend(*nodes),
        Err(_) => {}
    }
    result
}

fn unfinished(why: &SolveError) -> Failure {
    match why {
        SolveError::Unfinished { .. } => Failure::Unfinished(why.to_string()),
        why => Failure::runtime(why),
    }
}

/// What the whole run took.
#[derive(Debug, Default)]
struct Totals {
    positions: u64,
    nodes: u64,
    spent: Duration,
}

impl Totals {
    fn add(&mut self, nodes: u64, spent: Duration) {
        self.positions += 1;
        self.nodes += nodes;
        self.spent += spent;
    }

    fn text(&self) -> String {
        let positions = if self.positions == 1 { "position" } else { "positions" };
        format!(
            "{} {positions}, {} nodes, {} ({})",
            grouped(self.positions),
            grouped(self.nodes),
            time(self.spent),
            rate(self.nodes, self.spent)
        )
    }
}
