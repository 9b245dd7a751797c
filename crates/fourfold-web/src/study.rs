//! The exact result of every move of a position and the line of best play, told one by one as they
//! are found.
//!
//! When the budget runs out, what is not proven is given as bounds, and a textbook search says what
//! it would play.

use super::engines::Job;
use super::problem::Problem;
use fourfold::book::Book;
use fourfold::eval::Evaluator;
use fourfold::game::notation::Entry;
use fourfold::game::{Move, Position, Rules};
use fourfold::score::Verdict;
use fourfold::search::{Limits, SearchOptions, Searcher};
use fourfold::solver::{Analysis, ColumnScore, Halt, SolveError, Solver};
use fourfold_app::shapes::{heading, labels, move_json};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The textbook search gets one part in so many of the budget, if it is needed.
const PARTS: u32 = 4;

/// Looks at every move, the most central first; `tell` gets `column`, `line` and `estimate` events.
/// The answer is all of it.
pub(super) fn study(
    job: &Job<'_>,
    entry: &Entry,
    budget: Duration,
    with_line: bool,
    mut tell: impl FnMut(&'static str, &Value),
) -> Result<Value, Problem> {
    let began = Instant::now();
    let position = &entry.position;
    let rules = position.rules();
    let deadline = began + budget - budget / PARTS;
    let mut solver = job.solver_for(rules)?;
    let mut work = Work { job, solver: &mut solver, deadline, nodes: 0, stopped: None };
    let legal = position.legal_moves();
    let mut order: Vec<usize> = (0..legal.len()).collect();
    order.sort_by_key(|&index| legal[index].off_centre(rules));
    let mut columns = vec![Value::Null; legal.len()];
    let mut best: Option<(i32, Verdict)> = None;
    for index in order {
        let found = work.column(position, legal[index])?;
        if let Some(score) = found.exact
            && best.is_none_or(|(most, _)| score.0 > most)
        {
            best = Some(score);
        }
        tell("column", &found.json);
        columns[index] = found.json;
    }
    let mut answer = heading(entry);
    let complete = work.stopped.is_none();
    answer["complete"] = complete.into();
    if complete {
        // A finished game has no moves, but a score.
        let (score, verdict) = match best {
            Some(best) => best,
            None => work.ended(position)?,
        };
        decide(&mut answer, score, verdict);
        if with_line {
            let line = work.line(position)?;
            tell("line", &json!({ "line": line }));
            answer["line"] = json!(line);
        }
    }
    answer["columns"] = columns.into();
    if let Some(stopped) = work.stopped {
        answer["stopped"] = stopped.to_string().into();
        if stopped != Halt::Stopped && !complete {
            let estimate = estimate(job, position, budget / PARTS);
            tell("estimate", &estimate);
            answer["estimate"] = estimate;
        }
    }
    answer["nodes"] = work.nodes.into();
    answer["time_ms"] = (began.elapsed().as_millis() as u64).into();
    job.count_nodes(work.nodes);
    Ok(answer)
}

/// The same from a book, without the line of best play; none if the book does not know every move.
pub(super) fn study_from_book(book: &Book, entry: &Entry) -> Option<Value> {
    let position = &entry.position;
    let analysis = Analysis::of_book(book, position)?;
    let best = analysis.columns.iter().max_by_key(|column| column.score)?;
    let columns = analysis.columns.iter().map(|column| column_json(position.rules(), column));
    let mut answer = heading(entry);
    answer["complete"] = true.into();
    decide(&mut answer, best.score, best.verdict);
    answer["columns"] = columns.collect();
    answer["nodes"] = 0.into();
    answer["time_ms"] = 0.into();
    Some(answer)
}

/// Adds an exact result.
fn decide(json: &mut Value, score: i32, verdict: Verdict) {
    json["verdict"] = json!(verdict);
    json["words"] = verdict.to_string().into();
    json["score"] = score.into();
}

fn column_json(rules: &Rules, column: &ColumnScore) -> Value {
    let mut json = move_json(rules, column.mv);
    decide(&mut json, column.score, column.verdict);
    json
}

/// A move with its result, or as much as is proven.
struct Column {
    exact: Option<(i32, Verdict)>,
    json: Value,
}

struct Work<'a> {
    job: &'a Job<'a>,
    solver: &'a mut Solver,
    deadline: Instant,
    nodes: u64,
    stopped: Option<Halt>,
}

impl Work<'_> {
    /// The score and verdict of a finished game, which takes no search.
    fn ended(&mut self, position: &Position) -> Result<(i32, Verdict), Problem> {
        let solved = self
            .solver
            .solve(position, &self.job.until(self.deadline))
            .map_err(Problem::internal)?;
        Ok((solved.score, solved.verdict))
    }

    fn column(&mut self, position: &Position, mv: Move) -> Result<Column, Problem> {
        let after = position.play_unchecked(mv);
        let rules = position.rules();
        match self.solver.solve(&after, &self.job.until(self.deadline)) {
            Ok(solved) => {
                self.nodes += solved.nodes;
                let column = ColumnScore::of(mv, &after, solved.score);
                Ok(Column {
                    exact: Some((column.score, column.verdict)),
                    json: column_json(rules, &column),
                })
            }
            Err(SolveError::Unfinished { stop, nodes, lower, upper }) => {
                self.nodes += nodes;
                self.stopped = Some(stop);
                let mut json = move_json(rules, mv);
                json["lower"] = (-upper).into();
                json["upper"] = (-lower).into();
                Ok(Column { exact: None, json })
            }
            Err(why) => Err(Problem::internal(why)),
        }
    }

    /// The line of best play; null if a limit was reached.
    fn line(&mut self, position: &Position) -> Result<Option<Vec<String>>, Problem> {
        match self.solver.line(position, &self.job.until(self.deadline)) {
            Ok(line) => {
                self.nodes += line.nodes;
                Ok(Some(labels(position.rules(), &line.moves)))
            }
            Err(SolveError::Unfinished { stop, nodes, .. }) => {
                self.nodes += nodes;
                self.stopped = Some(stop);
                Ok(None)
            }
            Err(why) => Err(Problem::internal(why)),
        }
    }
}

/// What a textbook search would play, and how far it looked; null if there was no time for it.
fn estimate(job: &Job<'_>, position: &Position, time: Duration) -> Value {
    let rules = position.rules();
    let options = SearchOptions::timed(16);
    let mut searcher = Searcher::new(Evaluator::natural(rules), options);
    let stop = Some(Arc::clone(job.stop()));
    let limits = Limits { depth: u32::MAX, time: Some(time), stop, ..Limits::default() };
    let Ok(report) = searcher.search(position, &limits, 0) else { return Value::Null };
    let Some(best) = report.best else { return Value::Null };
    let mut json = move_json(rules, best);
    json["words"] = report.verdict.to_string().into();
    json["verdict"] = json!(report.verdict);
    json["depth"] = report.depth.into();
    json
}
