//! The exact result of every move of a position and the line of best play, told one by one as they
//! are found.
//!
//! When the budget runs out, what is not proven is given as bounds, and a textbook search says what
//! it would play.

use super::{Job, Params, Problem};
use crate::explain::{fact_json, fatal_json};
use crate::hint::{estimate, estimate_to};
use crate::shapes::{heading, labels, move_json, move_score_json};
use fourfold::book::Books;
use fourfold::budget::{Budget, Halt};
use fourfold::game::notation::Entry;
use fourfold::game::{Position, Rules};
use fourfold::play::why;
use fourfold::score::Verdict;
use fourfold::solver::{Analysis, AnalysisEvent, AnalysisOptions, MoveAnalysis, MoveScore, Solver};
use serde_json::{Value, json};
use std::time::Duration;

/// The textbook search gets one part in so many of the budget, if it is needed.
const PARTS: u32 = 4;

/// How many plies less deep the position after each move is searched than the position itself: odd,
/// so that the same side has moved last, since estimates favour it.
const SHALLOWER: u32 = 3;

/// The most lines of best play that are followed.
const MOST_LINES: u64 = 10;

/// A position to be analysed.
#[derive(Debug)]
pub struct Solve {
    entry: Entry,
    time: Duration,
    /// How many of its best moves are followed to the end.
    lines: usize,
}

impl Solve {
    /// What is asked for; at most so much time.
    ///
    /// # Errors
    /// If a parameter makes no sense.
    pub fn of(params: &Params, most: Duration) -> Result<Self, Problem> {
        Ok(Self { entry: params.entry()?, time: params.time(most)?, lines: lines(params)? })
    }

    /// The answer if it takes no search: the book knows every move, and no line is asked for.
    #[must_use]
    pub fn from_book(&self, books: &Books) -> Option<Value> {
        if self.lines > 0 {
            return None;
        }
        let book = books.book_for(self.entry.position.rules())?;
        let analysis = Analysis::from_book(&book, &self.entry.position)?;
        analysis.best()?;
        let mut answer = analysis_json(&self.entry, &analysis);
        answer["from_book"] = true.into();
        answer["time_ms"] = 0.into();
        Some(answer)
    }

    /// The exact result of every move. `tell` gets `column`, `solved`, `line` and `estimate` events;
    /// the answer is all of it.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn answer(
        &self,
        job: &Job<'_>,
        tell: impl FnMut(&'static str, &Value),
    ) -> Result<Value, Problem> {
        analyse(job, &self.entry, self.time, self.lines, tell)
    }
}

/// How many moves are followed to the end: `lines`, or one, or none with `line=false`.
fn lines(params: &Params) -> Result<usize, Problem> {
    let line = params.switch("line")?.unwrap_or(true);
    match params.number("lines")? {
        Some(lines) if lines <= MOST_LINES => Ok(lines as usize),
        Some(lines) => {
            Err(Problem::bad("lines", format!("{lines} lines are too many: at most {MOST_LINES}")))
        }
        None => Ok(usize::from(line)),
    }
}

fn analyse(
    job: &Job<'_>,
    entry: &Entry,
    time: Duration,
    lines: usize,
    mut tell: impl FnMut(&'static str, &Value),
) -> Result<Value, Problem> {
    let elapsed = job.stopwatch();
    let position = &entry.position;
    let rules = position.rules();
    let mut solver = job.solver_for(rules)?;
    let whole = job.budget().with_time(time);
    let budget = whole.part().with_time(time - time / PARTS);
    let analysis = solver
        .analyse_with(position, AnalysisOptions::default(), &budget, |event| {
            if let AnalysisEvent::Found(found) = event {
                tell("column", &move_analysis_json(rules, found));
            }
        })
        .map_err(Problem::internal)?;
    let mut answer = analysis_json(entry, &analysis);
    answer["from_book"] = (!analysis.moves.is_empty() && job.is_in_book(position)).into();
    answer["time_ms"] = elapsed().into();
    if analysis.moves.is_empty() {
        // A finished game has no moves, but a score.
        let over = solver.solve(position, &budget).map_err(Problem::internal)?;
        decide(&mut answer, over.score, over.verdict);
    }
    if let Some(scores) = analysis.scores() {
        let reason = why(position, &scores).map(|fact| fact_json(rules, &fact));
        answer["why"] = json!(reason);
        if lines > 0 {
            // Who asked need not wait for the lines.
            tell("solved", &answer);
            follow(&mut answer, &mut solver, position, scores, lines, &whole, &mut tell);
        }
    }
    job.count_nodes(whole.spent());
    answer["nodes"] = whole.spent().into();
    if let Some(stopped) = analysis.stopped {
        answer["stopped"] = stopped.to_string().into();
        if stopped != Halt::Stopped && answer["complete"] == false {
            let estimate = estimate_json(position, &whole, time / PARTS);
            tell("estimate", &estimate);
            answer["estimate"] = estimate;
        }
    }
    answer["time_ms"] = elapsed().into();
    Ok(answer)
}

/// Which position it is, its result if that is known, every move, and the nodes.
fn analysis_json(entry: &Entry, analysis: &Analysis) -> Value {
    let rules = entry.position.rules();
    let mut answer = heading(entry);
    answer["complete"] = analysis.scores().is_some().into();
    if let Some(best) = analysis.best() {
        decide(&mut answer, best.score, best.verdict);
    }
    answer["columns"] =
        analysis.moves.iter().map(|found| move_analysis_json(rules, found)).collect();
    answer["fatal"] = fatal_json(&entry.position);
    answer["nodes"] = analysis.nodes.into();
    answer
}

/// Adds the best moves, each with its result and best play after it, as long as the budget lasts.
fn follow(
    answer: &mut Value,
    solver: &mut Solver,
    position: &Position,
    mut best: Vec<MoveScore>,
    lines: usize,
    budget: &Budget,
    tell: &mut impl FnMut(&'static str, &Value),
) {
    let rules = position.rules();
    best.sort_by_key(|found| (-found.score, found.mv.off_centre(rules)));
    let mut followed = Vec::new();
    for found in best.into_iter().take(lines) {
        let Ok(rest) = solver.line(&position.play_unchecked(found.mv), budget) else { break };
        let line = [vec![found.mv], rest.moves].concat();
        let mut json = move_analysis_json(rules, &MoveAnalysis::Exact(found));
        json["line"] = json!(labels(rules, &line));
        if followed.is_empty() {
            tell("line", &json!({ "line": json["line"] }));
        }
        followed.push(json);
    }
    answer["line"] = match followed.first() {
        Some(first) => first["line"].clone(),
        None if position.outcome().is_over() => json!([]),
        None => Value::Null,
    };
    answer["lines"] = followed.into();
}

/// Adds an exact result.
fn decide(json: &mut Value, score: i32, verdict: Verdict) {
    json["verdict"] = json!(verdict);
    json["words"] = verdict.to_string().into();
    json["score"] = score.into();
}

/// A move with its result, or as much as is proven of it.
fn move_analysis_json(rules: &Rules, found: &MoveAnalysis) -> Value {
    match *found {
        MoveAnalysis::Exact(ref found) => move_score_json(rules, found),
        MoveAnalysis::Bounds { mv, lower, upper } => {
            let mut json = move_json(rules, mv);
            json["lower"] = lower.into();
            json["upper"] = upper.into();
            json
        }
    }
}

/// What a textbook search would play, and how far it looked; null if there was no time for it.
fn estimate_json(position: &Position, budget: &Budget, time: Duration) -> Value {
    let Ok(report) = estimate(position, &budget.part().with_time(time / 2)) else {
        return Value::Null;
    };
    let Some(best) = report.best else { return Value::Null };
    let mut json = move_json(position.rules(), best);
    json["words"] = report.verdict.to_string().into();
    json["verdict"] = json!(report.verdict);
    json["depth"] = report.depth.into();
    json["moves"] = each_estimated(position, report.depth, budget);
    json
}

/// What a textbook search a little less deep thinks of every move; as many as there is time for.
fn each_estimated(position: &Position, depth: u32, budget: &Budget) -> Value {
    let rules = position.rules();
    let mut moves = Vec::new();
    for mv in position.legal_moves() {
        let after = position.play_unchecked(mv);
        let Ok(report) = estimate_to(&after, depth.saturating_sub(SHALLOWER).max(1), budget) else {
            break;
        };
        let mut json = move_json(rules, mv);
        let verdict = report.verdict.one_move_before();
        json["words"] = verdict.to_string().into();
        json["verdict"] = json!(verdict);
        moves.push(json);
    }
    moves.into()
}
