//! The calls that the HTTP service and the engine in the browser both answer: one set of parameters,
//! of answers and of errors, whoever asks.
//!
//! [`answer`] takes a call by its name. A front end that has to do something between reading the
//! parameters and the work, such as waiting for its turn, uses the types of the calls themselves.

mod analysis;
mod game;
mod params;
mod problem;
mod trace;
mod worksheet;

pub use analysis::{Solve, SolveProgress};
pub use game::{Play, Review};
pub use params::Params;
pub use problem::Problem;
pub use trace::{Traced, trace_of};
pub use worksheet::Worksheet;

use crate::draw::board_svg;
use crate::puzzles::{NoPuzzle, PuzzleQuery, index_json, puzzle_json};
use crate::shapes::{catalogue, position_json, rules_json};
use fourfold::budget::Budget;
use fourfold::game::notation::{self, Entry, Format};
use fourfold::game::{Position, Rules};
use fourfold::solver::{Analysis, LentSolver, SolverPool};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::Duration;

/// A call with the parameters that it accepts.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// Its name, which is also the end of its address in the HTTP service.
    pub name: &'static str,
    /// The parameters.
    pub parameters: &'static [&'static str],
}

/// Every call.
pub const CALLS: &[Call] = &[
    Call { name: "rules", parameters: RULES },
    Call { name: "position", parameters: POSITION },
    Call { name: "board.svg", parameters: BOARD },
    Call { name: "solve", parameters: SOLVE },
    Call { name: "move", parameters: MOVE },
    Call { name: "review", parameters: REVIEW },
    Call { name: "trace", parameters: TRACE },
    Call { name: "trace.svg", parameters: TRACE },
    Call { name: "worksheet", parameters: WORKSHEET },
    Call { name: "puzzle", parameters: PUZZLE },
    Call { name: "puzzles", parameters: RULES },
];

/// The parameters of `rules` and `puzzles`.
pub const RULES: &[&str] = &["game"];
/// The parameters of `position`.
pub const POSITION: &[&str] = &["game", "moves", "position", "from", "to"];
/// The parameters of a picture of a position.
pub const BOARD: &[&str] = &["game", "moves", "position", "from"];
/// The parameters of `solve`.
pub const SOLVE: &[&str] = &["game", "moves", "position", "from", "time", "line", "lines"];
/// The parameters of `move`.
pub const MOVE: &[&str] = &["game", "moves", "position", "from", "time", "player", "seed"];
/// The parameters of `review`.
pub const REVIEW: &[&str] = &["game", "moves", "position", "from", "time"];
/// The parameters of `trace` and of its drawing.
pub const TRACE: &[&str] = &trace::TRACE;
/// The parameters of `worksheet`.
pub const WORKSHEET: &[&str] = &["kinds", "count", "branches", "levels", "seed"];
/// The parameters of `puzzle`.
pub const PUZZLE: &[&str] = &["game", "number", "day", "theme", "rating", "seed"];

/// What calls work with: solvers, a clock, a stop flag, and the most time that one may take.
#[derive(Debug)]
pub struct Job<'a> {
    pool: &'a SolverPool,
    budget: Budget,
    most: Duration,
    nodes: Cell<u64>,
}

impl<'a> Job<'a> {
    /// Work with these solvers, whose budget has the clock and the stop flag.
    #[must_use]
    pub fn new(pool: &'a SolverPool, budget: Budget, most: Duration) -> Self {
        Self { pool, budget, most, nodes: Cell::new(0) }
    }

    /// The nodes that solvers have visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// A solver for a game.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn solver_for(&self, rules: &Rules) -> Result<LentSolver<'a>, Problem> {
        self.pool.lend(rules).map_err(Problem::internal)
    }

    /// A budget that ends when nobody waits for the work any more.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget.renewed()
    }

    /// Counts nodes of a solver.
    pub fn count_nodes(&self, nodes: u64) {
        self.nodes.set(self.nodes.get() + nodes);
    }

    /// Tells how many milliseconds have passed since now.
    fn stopwatch(&self) -> impl Fn() -> u64 + use<> {
        let clock = self.budget.clock();
        let began = clock.now();
        move || clock.since(began).as_millis() as u64
    }

    /// Whether the book for its game knows every move of a position.
    fn is_in_book(&self, position: &Position) -> bool {
        let book = self.pool.books().book_for(position.rules());
        book.is_some_and(|book| Analysis::from_book(&book, position).is_some())
    }
}

/// Answers a call by its name: with JSON, or with a drawing where the name ends in `.svg`. What takes
/// time tells how far it is.
///
/// # Errors
/// If there is no such call, a parameter makes no sense, or the time is too short for any answer.
pub fn answer(
    job: &Job<'_>,
    call: &str,
    given: Vec<(String, String)>,
    tell: &mut dyn FnMut(&'static str, &Value),
) -> Result<String, Problem> {
    let Some(known) = CALLS.iter().find(|known| known.name == call) else {
        return Err(Problem::missing(format!("there is no call {call:?}")));
    };
    let params = Params::new(given, known.parameters)?;
    let json = match known.name {
        "rules" => rules(&params, job.most)?,
        "position" => position(&params)?,
        "board.svg" => return Ok(drawing(&params.entry()?)),
        "solve" => {
            let asked = Solve::of(&params, job.most)?;
            match asked.from_book(job.pool.books()) {
                Some(answer) => answer,
                None => asked.answer(job, tell)?,
            }
        }
        "move" => Play::of(&params, job.most)?.answer(job)?,
        "review" => Review::of(&params, job.most)?.answer(job, tell)?,
        "trace" => return trace_of(&params)?.json(),
        "trace.svg" => return Ok(trace_of(&params)?.svg()),
        "worksheet" => Worksheet::of(&params)?.exercises(job)?,
        "puzzle" => puzzle(&params)?,
        _ => puzzles(&params)?,
    };
    Ok(json.to_string())
}

/// Games, formats, players and switches, or one game.
///
/// # Errors
/// If the game is none.
pub fn rules(params: &Params, most: Duration) -> Result<Value, Problem> {
    let rules: Option<Rules> = params.parse("game")?;
    let everything = || {
        let mut json = catalogue();
        json["limits"] = json!({ "time_ms": most.as_millis() as u64 });
        json
    };
    Ok(rules.map_or_else(everything, |rules| rules_json(&rules)))
}

/// A position checked, and written in another format.
///
/// # Errors
/// If it cannot be read, or not be written so.
pub fn position(params: &Params) -> Result<Value, Problem> {
    let to: Option<Format> = params.parse("to")?;
    // A position is worth showing even if no order of moves leading to it is found.
    let given = params.entry()?;
    let entry = params.game().unwrap_or_else(|_| given.clone());
    let mut json = position_json(&entry);
    json["history"] = match (&given.moves, &entry.moves) {
        (Some(_), _) => "given".into(),
        (None, Some(_)) => "found".into(),
        (None, None) => Value::Null,
    };
    if let Some(score) = given.score {
        json["score"] = score.into();
    }
    if let Some(format) = to {
        let text = notation::write(&entry, format).map_err(|why| Problem::bad("to", why))?;
        json["text"] = text.into();
    }
    Ok(json)
}

/// A puzzle by number, of a day, or one that suits.
///
/// # Errors
/// If there is none.
pub fn puzzle(params: &Params) -> Result<Value, Problem> {
    let query = PuzzleQuery {
        game: params.parse("game")?,
        number: params.number("number")?,
        day: params.parse("day")?,
        theme: params.parse("theme")?,
        rating: params.number("rating")?,
        seed: params.number("seed")?,
    };
    puzzle_json(&query).map_err(|why| no_puzzle(&why))
}

/// All puzzles of a game in brief.
///
/// # Errors
/// If there are none.
pub fn puzzles(params: &Params) -> Result<Value, Problem> {
    index_json(params.parse("game")?).map_err(|why| no_puzzle(&why))
}

fn no_puzzle(why: &NoPuzzle) -> Problem {
    Problem::bad(why.place(), why)
}

/// A position drawn, with its last move marked.
#[must_use]
pub fn drawing(entry: &Entry) -> String {
    let last = entry.moves.as_ref().and_then(|moves| moves.last()).copied();
    board_svg::draw(&entry.position, last, &entry.position.rules().title())
}
