//! The hint in `fourfold play`: exact if the solver manages in a second, else what a textbook search sees.

use super::play::opinion;
use crate::board;
use crate::failure::Failure;
use crate::switches::capital;
use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules};
use fourfold::known::Book;
use fourfold::score::Verdict;
use fourfold::search::{Limits, SearchOptions, Searcher};
use fourfold::solver::{SolveLimits, Solver, SolverOptions};
use std::sync::Arc;
use std::time::Duration;

/// Either way of finding a hint may take so long.
const PATIENCE: Duration = Duration::from_secs(1);

/// Gives hints, and remembers what it has proven from one to the next.
#[derive(Debug)]
pub(super) struct Hints {
    /// None if there is no memory for one.
    solver: Option<Solver>,
}

impl Hints {
    /// Hints for a game, from a book as far as it reaches.
    pub(super) fn new(rules: &Rules, book: Option<Arc<Book>>) -> Self {
        let solver = Solver::new(rules, SolverOptions::default()).ok();
        Self { solver: solver.map(|solver| solver.with_book(book)) }
    }

    /// A sentence about the move to make.
    pub(super) fn sentence(&mut self, position: &Position) -> Result<String, Failure> {
        match self.exact(position) {
            Some(sentence) => Ok(sentence),
            None => textbook(position),
        }
    }

    /// What is proven, if the time is enough for it.
    fn exact(&mut self, position: &Position) -> Option<String> {
        let rules = position.rules();
        let mut moves = position.legal_moves();
        moves.sort_by_key(|mv| mv.off_centre(rules));
        let limits = SolveLimits { time: Some(PATIENCE), ..SolveLimits::default() };
        let (solved, best) = self.solver.as_mut()?.best_move(position, &moves, &limits).ok()?;
        let (noun, label) = (board::place_noun(rules), best?.label(rules));
        match solved.verdict {
            Verdict::Win { .. } => Some(format!("Hint: {noun} {label} {}.", solved.verdict)),
            Verdict::Draw => Some(format!("{} {label} keeps the draw.", capital(noun))),
            Verdict::Loss { plies: Some(plies) } => {
                Some(format!("Every move loses; {noun} {label} holds out longest, {plies} moves."))
            }
            Verdict::Loss { plies: None } | Verdict::Estimate(_) => None,
        }
    }
}

fn textbook(position: &Position) -> Result<String, Failure> {
    let rules = position.rules();
    let options = SearchOptions::timed(16);
    let mut searcher = Searcher::new(Evaluator::natural(rules), options);
    let limits = Limits { depth: u32::MAX, time: Some(PATIENCE), ..Limits::default() };
    let report = searcher.search(position, &limits, 0).map_err(Failure::runtime)?;
    let Some(best) = report.best else { return Ok("There is no move to suggest.".to_owned()) };
    let noun = board::place_noun(rules);
    let (label, opinion) = (best.label(rules), opinion(report.verdict));
    Ok(format!("Hint: {noun} {label} ({opinion}, looking {} plies ahead).", report.depth))
}
