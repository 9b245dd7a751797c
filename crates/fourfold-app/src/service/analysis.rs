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
use fourfold::game::notation::{self, Entry};
use fourfold::game::{Move, Position, Rules};
use fourfold::play::why;
use fourfold::score::Verdict;
use fourfold::solver::{
    Analysis, AnalysisEvent, AnalysisOptions, MoveAnalysis, MoveScore, SolveError, Solver,
};
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// The textbook search gets one part in so many of the budget, if it is needed.
const PARTS: u32 = 4;

/// How many plies less deep the position after each move is searched than the position itself: odd,
/// so that the same side has moved last, since estimates favour it.
const SHALLOWER: u32 = 3;

/// After so many milliseconds without a proof, an opinion is worth having.
const PATIENCE_MS: u64 = 250;

/// How long a first opinion may take while the proof is searched for.
const AT_ONCE: Duration = Duration::from_millis(200);

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
        mut tell: impl FnMut(&'static str, &Value),
    ) -> Result<Value, Problem> {
        let mut so_far = self.begin(job);
        let whole = self.go_on(job, &mut so_far, None, &mut tell)?;
        whole.ok_or_else(|| Problem::internal("an analysis without a node limit has not ended"))
    }

    /// An analysis of which nothing is done yet; its time runs from now.
    #[must_use]
    pub fn begin(&self, job: &Job<'_>) -> SolveProgress {
        let whole = job.budget().with_time(self.time);
        let search = whole.part().with_time(self.time - self.time / PARTS);
        SolveProgress {
            whole,
            search,
            elapsed: Box::new(job.stopwatch()),
            known: Vec::new(),
            estimated: false,
        }
    }

    /// Goes on with an analysis for so many nodes; none unless it is done then. What is found
    /// meanwhile is told, and stays.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn go_on(
        &self,
        job: &Job<'_>,
        so_far: &mut SolveProgress,
        nodes: Option<u64>,
        mut tell: impl FnMut(&'static str, &Value),
    ) -> Result<Option<Value>, Problem> {
        let position = &self.entry.position;
        let rules = position.rules();
        let mut solver = job.solver_for(rules)?;
        let mut known = so_far.known.clone();
        let budget = so_far.search.part().with_nodes(nodes);
        let mut analysis = solver
            .resume(position, &so_far.known, AnalysisOptions::default(), &budget, |event| {
                if let AnalysisEvent::Found(found) = event {
                    // Only what is new: a slice is too short for most moves.
                    let before = known.iter_mut().find(|known| known.mv() == found.mv());
                    let told =
                        before.as_deref() == Some(found) || nodes.is_some() && !is_new(found);
                    match before {
                        Some(before) => *before = *found,
                        None => known.push(*found),
                    }
                    if !told {
                        tell("column", &move_analysis_json(rules, found));
                    }
                }
            })
            .map_err(Problem::internal)?;
        so_far.known.clone_from(&analysis.moves);
        if analysis.stopped == Some(Halt::Nodes) {
            // Only the slice has ended, unless nothing is left of the whole.
            analysis.stopped = so_far.search.exhausted();
            if analysis.stopped.is_none() {
                if !so_far.estimated && (so_far.elapsed)() >= PATIENCE_MS {
                    // Somebody waits: an opinion at once, and the proof when it is there.
                    so_far.estimated = true;
                    tell("estimate", &estimate_json(position, &so_far.whole, AT_ONCE));
                }
                return Ok(None);
            }
        }
        self.finish(job, so_far, &mut solver, &analysis, tell).map(Some)
    }

    /// Takes results that were found elsewhere, by the names of their moves, for the side that makes
    /// them, and tells of them.
    ///
    /// # Errors
    /// If one is not of this position.
    pub fn take(
        &self,
        so_far: &mut SolveProgress,
        given: &[(&str, i32)],
        tell: &mut dyn FnMut(&'static str, &Value),
    ) -> Result<(), Problem> {
        let position = &self.entry.position;
        for &(label, score) in given {
            let mv = notation::parse_move(position, label)
                .map_err(|why| Problem::malformed(format!("a result of no move: {why}")))?;
            let after = position.play_unchecked(mv);
            if score.unsigned_abs() > position.empty() {
                return Err(Problem::malformed(format!("{score} is no score of this position")));
            }
            let verdict = Verdict::of_distance_score(-score, &after).one_move_before();
            // It is also that of mirror images.
            for mv in position.legal_moves() {
                if position.play_unchecked(mv).canonical() == after.canonical() {
                    so_far.known.retain(|known| known.mv() != mv);
                    let found = MoveScore { mv, verdict, score };
                    tell("column", &move_score_json(position.rules(), &found));
                    so_far.known.push(MoveAnalysis::Exact(found));
                }
            }
        }
        Ok(())
    }

    /// The moves that are not solved yet, the most central first, without those that are mirror
    /// images of others.
    #[must_use]
    pub fn open_moves(&self, so_far: &SolveProgress) -> Vec<String> {
        let position = &self.entry.position;
        let rules = position.rules();
        let is_open = |mv: &Move| {
            !so_far.known.iter().any(|known| known.mv() == *mv && known.exact().is_some())
        };
        let mut open: Vec<Move> = position.legal_moves().into_iter().filter(is_open).collect();
        open.sort_by_key(|mv| mv.off_centre(rules));
        let mut seen = Vec::new();
        open.retain(|mv| {
            let after = position.play_unchecked(*mv).canonical();
            let is_new = !seen.contains(&after);
            seen.push(after);
            is_new
        });
        open.iter().map(|mv| mv.label(rules)).collect()
    }

    /// Forgets whatever was proven about the game.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn forget(&self, job: &Job<'_>) -> Result<(), Problem> {
        job.solver_for(self.entry.position.rules())?.forget();
        Ok(())
    }

    /// The exact result of one move, or of the position itself if no move is named, within so many
    /// nodes; none if they do not suffice.
    ///
    /// # Errors
    /// If there is no such move, or memory is lacking.
    pub fn one(
        &self,
        job: &Job<'_>,
        label: &str,
        nodes: Option<u64>,
    ) -> Result<Option<Value>, Problem> {
        let position = self.entry.position;
        let mut solver = job.solver_for(position.rules())?;
        let (asked, sign) = if label.is_empty() {
            (position, 1)
        } else {
            let mv = notation::parse_move(&position, label);
            let mv = mv.map_err(|why| Problem::bad("moves", why))?;
            (position.play(mv).map_err(|why| Problem::bad("moves", why))?, -1)
        };
        match solver.solve(&asked, &job.budget().with_nodes(nodes)) {
            Ok(solved) => Ok(Some(json!({ "move": label, "score": sign * solved.score }))),
            Err(SolveError::Unfinished { .. }) => Ok(None),
            Err(why) => Err(Problem::internal(why)),
        }
    }

    /// The answer, with lines of best play if everything is solved and an estimate if not.
    fn finish(
        &self,
        job: &Job<'_>,
        so_far: &SolveProgress,
        solver: &mut Solver,
        analysis: &Analysis,
        mut tell: impl FnMut(&'static str, &Value),
    ) -> Result<Value, Problem> {
        let SolveProgress { whole, search, elapsed, .. } = so_far;
        let position = &self.entry.position;
        let rules = position.rules();
        let mut answer = analysis_json(&self.entry, analysis);
        answer["nodes"] = whole.spent().into();
        answer["from_book"] = (!analysis.moves.is_empty() && job.is_in_book(position)).into();
        answer["time_ms"] = elapsed().into();
        if analysis.moves.is_empty() {
            // A finished game has no moves, but a score.
            let over = solver.solve(position, search).map_err(Problem::internal)?;
            decide(&mut answer, over.score, over.verdict);
        }
        if let Some(scores) = analysis.scores() {
            let reason = why(position, &scores).map(|fact| fact_json(rules, &fact));
            answer["why"] = json!(reason);
            if self.lines > 0 {
                // Who asked need not wait for the lines.
                tell("solved", &answer);
                follow(&mut answer, solver, position, scores, self.lines, whole, &mut tell);
            }
        }
        job.count_nodes(whole.spent());
        answer["nodes"] = whole.spent().into();
        if let Some(stopped) = analysis.stopped {
            answer["stopped"] = stopped.to_string().into();
            if stopped != Halt::Stopped && answer["complete"] == false {
                let estimate = estimate_json(position, whole, self.time / PARTS);
                tell("estimate", &estimate);
                answer["estimate"] = estimate;
            }
        }
        answer["time_ms"] = elapsed().into();
        Ok(answer)
    }
}

/// How far an analysis is.
pub struct SolveProgress {
    whole: Budget,
    /// The part of it that the solver has.
    search: Budget,
    elapsed: Box<dyn Fn() -> u64>,
    known: Vec<MoveAnalysis>,
    /// Whether an opinion was given.
    estimated: bool,
}

impl fmt::Debug for SolveProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveProgress").field("known", &self.known).finish_non_exhaustive()
    }
}

/// Whether what is known of a move is worth telling before the analysis ends.
fn is_new(found: &MoveAnalysis) -> bool {
    found.exact().is_some() || found.is_telling()
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
