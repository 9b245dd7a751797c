//! The exact result of every move of a position and the line of best play, told one by one as they
//! are found.
//!
//! When the budget runs out, what is not proven is given as bounds, and a textbook search says what
//! it would play.

use super::engines::Job;
use super::problem::Problem;
use fourfold::book::Book;
use fourfold::budget::{Budget, Halt};
use fourfold::game::notation::Entry;
use fourfold::game::{Position, Rules};
use fourfold::play::why;
use fourfold::score::Verdict;
use fourfold::solver::{Analysis, AnalysisEvent, AnalysisOptions, MoveAnalysis};
use fourfold_app::explain::{fact_json, fatal_json};
use fourfold_app::hint::estimate;
use fourfold_app::shapes::{heading, labels, move_json, move_score_json};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The textbook search gets one part in so many of the budget, if it is needed.
const PARTS: u32 = 4;

/// Analyses a position within a time; `tell` gets `column`, `line` and `estimate` events. The
/// answer is all of it.
pub(super) fn analyse(
    job: &Job<'_>,
    entry: &Entry,
    time: Duration,
    with_line: bool,
    mut tell: impl FnMut(&'static str, &Value),
) -> Result<Value, Problem> {
    let began = Instant::now();
    let position = &entry.position;
    let rules = position.rules();
    let mut solver = job.solver_for(rules)?;
    let options = AnalysisOptions::default().with_line(with_line);
    let whole = job.budget().with_time(time);
    let budget = whole.part().with_time(time - time / PARTS);
    let analysis = solver
        .analyse_with(position, options, &budget, |event| match event {
            AnalysisEvent::Found(found) => tell("column", &move_analysis_json(rules, found)),
            AnalysisEvent::Line(moves) => tell("line", &json!({ "line": labels(rules, moves) })),
            _ => {}
        })
        .map_err(Problem::internal)?;
    job.count_nodes(analysis.nodes);
    let mut answer = analysis_json(entry, &analysis);
    if analysis.moves.is_empty() {
        // A finished game has no moves, but a score.
        let over = solver.solve(position, &budget).map_err(Problem::internal)?;
        decide(&mut answer, over.score, over.verdict);
    }
    if let Some(scores) = analysis.scores() {
        let reason = why(position, &scores).map(|fact| fact_json(rules, &fact));
        answer["why"] = json!(reason);
    }
    if with_line && answer["complete"] == true {
        answer["line"] = json!(analysis.line.as_ref().map(|line| labels(rules, line)));
    }
    if let Some(stopped) = analysis.stopped {
        answer["stopped"] = stopped.to_string().into();
        if stopped != Halt::Stopped && answer["complete"] == false {
            let estimate = estimate_json(position, &whole);
            tell("estimate", &estimate);
            answer["estimate"] = estimate;
        }
    }
    answer["time_ms"] = (began.elapsed().as_millis() as u64).into();
    Ok(answer)
}

/// What a book knows, without the line of best play; none if it does not know every move.
pub(super) fn analyse_from_book(book: &Book, entry: &Entry) -> Option<Value> {
    let analysis = Analysis::from_book(book, &entry.position)?;
    analysis.best()?;
    let mut answer = analysis_json(entry, &analysis);
    answer["time_ms"] = 0.into();
    Some(answer)
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
fn estimate_json(position: &Position, budget: &Budget) -> Value {
    let Ok(report) = estimate(position, budget) else { return Value::Null };
    let Some(best) = report.best else { return Value::Null };
    let mut json = move_json(position.rules(), best);
    json["words"] = report.verdict.to_string().into();
    json["verdict"] = json!(report.verdict);
    json["depth"] = report.depth.into();
    json
}
