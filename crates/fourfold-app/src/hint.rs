//! The hint while playing: exact if the solver manages in a second, else what a textbook search
//! sees.

use crate::board_text;
use crate::text::capital;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Position};
use fourfold::score::Verdict;
use fourfold::search::{Limits, PositionReport, SearchError, SearchOptions, Searcher};
use fourfold::solver::SolverPool;
use std::time::Duration;

/// Either way of finding a hint may take so long.
const PATIENCE: Duration = Duration::from_secs(1);

/// A move to make, and what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// None if the game is over.
    pub best: Option<Move>,
    /// In words, for the player.
    pub sentence: String,
}

/// The move to make: proven if the solver manages in a second, else what a textbook search sees. If
/// the budget is stopped, what was found by then.
///
/// # Errors
/// If not even the textbook search had time for a move.
pub fn hint(
    pool: &SolverPool,
    position: &Position,
    budget: &Budget,
) -> Result<Hint, SearchError<Move>> {
    match exact(pool, position, budget) {
        Some(hint) => Ok(hint),
        None => textbook(position, budget),
    }
}

/// What is proven, if the time suffices for it.
fn exact(pool: &SolverPool, position: &Position, budget: &Budget) -> Option<Hint> {
    let rules = position.rules();
    let mut moves = position.legal_moves();
    moves.sort_by_key(|mv| mv.off_centre(rules));
    let mut solver = pool.lend(rules).ok()?;
    let part = budget.part().with_time(PATIENCE);
    let (solved, best) = solver.best_move(position, &moves, &part).ok()?;
    let (noun, label) = (board_text::place_noun(rules), best?.label(rules));
    let sentence = match solved.verdict {
        Verdict::Win { .. } => format!("Hint: {noun} {label} {}.", solved.verdict),
        Verdict::Draw => format!("{} {label} keeps the draw.", capital(noun)),
        Verdict::Loss { .. } => {
            let moves = solved.verdict.winner_moves()?;
            format!("Every move loses; {noun} {label} holds out longest, {moves} moves.")
        }
        Verdict::Estimate(_) => return None,
    };
    Some(Hint { best, sentence })
}

/// What a textbook search would play.
///
/// # Errors
/// If there was no time for even one ply.
pub fn textbook(position: &Position, budget: &Budget) -> Result<Hint, SearchError<Move>> {
    let rules = position.rules();
    let report = estimate(position, &budget.part().with_time(PATIENCE))?;
    let sentence = match report.best {
        None => "There is no move to suggest.".to_owned(),
        Some(best) => {
            let (noun, label) = (board_text::place_noun(rules), best.label(rules));
            let opinion = opinion(report.verdict);
            format!("Hint: {noun} {label} ({opinion}, looking {} plies ahead).", report.depth)
        }
    };
    Ok(Hint { best: report.best, sentence })
}

/// What a textbook search finds within a budget, as deep as it gets: for positions that take too
/// long to solve.
///
/// # Errors
/// If there was no time for even one ply.
pub fn estimate(position: &Position, budget: &Budget) -> Result<PositionReport, SearchError<Move>> {
    let options = SearchOptions::timed(16);
    let mut searcher = Searcher::new(Evaluator::natural(position.rules()), options);
    searcher.search(position, &Limits::budget(budget.clone()), 0)
}

/// What a player thinks of its own position.
pub fn opinion(verdict: Verdict) -> String {
    match verdict {
        Verdict::Estimate(_) => format!("estimate {verdict}"),
        Verdict::Draw => "a draw".to_owned(),
        _ => verdict.to_string(),
    }
}
