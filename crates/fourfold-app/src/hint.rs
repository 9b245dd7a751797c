//! Hints for the player: exact if the solver finishes within a second, else from a textbook search.

use crate::board_text;
use crate::text::capital;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Position};
use fourfold::score::Verdict;
use fourfold::search::{Limits, PositionReport, SearchError, SearchOptions, Searcher};
use fourfold::solver::SolverPool;
use std::time::Duration;

/// Time limit of the solver and of the textbook search, each.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// A suggested move, with a sentence about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The move; none if the game is over.
    pub best: Option<Move>,
    /// A sentence for the player.
    pub sentence: String,
}

/// A hint for the side to move: proven if the solver finishes within a second, else from a textbook
/// search. If the budget is stopped, the best found by then.
///
/// # Errors
/// If not even the textbook search completed one ply.
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

/// A proven hint; none if the solver does not finish in time.
fn exact(pool: &SolverPool, position: &Position, budget: &Budget) -> Option<Hint> {
    let rules = position.rules();
    let mut moves = position.legal_moves();
    moves.sort_by_key(|mv| mv.off_centre(rules));
    let mut solver = pool.lend(rules).ok()?;
    let part = budget.part().with_time(TIME_LIMIT);
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

/// The hint of a textbook search.
///
/// # Errors
/// If the budget does not suffice for one ply.
pub fn textbook(position: &Position, budget: &Budget) -> Result<Hint, SearchError<Move>> {
    let rules = position.rules();
    let report = estimate(position, &budget.part().with_time(TIME_LIMIT))?;
    let sentence = match report.best {
        None => "There is no move to suggest.".to_owned(),
        Some(best) => {
            let (noun, label) = (board_text::place_noun(rules), best.label(rules));
            let words = verdict_words(report.verdict);
            format!("Hint: {noun} {label} ({words}, looking {} plies ahead).", report.depth)
        }
    };
    Ok(Hint { best: report.best, sentence })
}

/// The result of a textbook search, as deep as the budget allows: for positions that take too long
/// to solve.
///
/// # Errors
/// If the budget does not suffice for one ply.
pub fn estimate(position: &Position, budget: &Budget) -> Result<PositionReport, SearchError<Move>> {
    let options = SearchOptions::timed(16);
    let mut searcher = Searcher::new(Evaluator::natural(position.rules()), options);
    searcher.search(position, &Limits::budget(budget.clone()), 0)
}

/// The same to a given depth.
///
/// # Errors
/// If the budget does not suffice for one ply.
pub fn estimate_to(
    position: &Position,
    depth: u32,
    budget: &Budget,
) -> Result<PositionReport, SearchError<Move>> {
    let mut searcher = Searcher::new(Evaluator::natural(position.rules()), SearchOptions::timed(1));
    searcher.search(position, &Limits::depth(depth).within(budget.clone()), 0)
}

/// A verdict in words that fit into a list: `estimate +12`, `a draw`, `wins in 3 moves`.
pub fn verdict_words(verdict: Verdict) -> String {
    match verdict {
        Verdict::Estimate(_) => format!("estimate {verdict}"),
        Verdict::Draw => "a draw".to_owned(),
        _ => verdict.to_string(),
    }
}
