//! The hint while playing: exact if the solver manages in a second, else what a textbook search
//! sees.

use crate::board_text;
use crate::text::capital;
use crate::watch::Watch;
use fourfold::book::Book;
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Position, Rules};
use fourfold::score::Verdict;
use fourfold::search::{Limits, SearchError, SearchOptions, Searcher};
use fourfold::solver::{SolveLimits, Solver, SolverOptions};
use std::sync::Arc;
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

/// Gives hints, and remembers what it has proven from one to the next.
#[derive(Debug)]
pub struct Hints {
    /// None if there is no memory for one.
    solver: Option<Solver>,
}

impl Hints {
    /// Hints for a game, from a book as far as it reaches.
    pub fn new(rules: &Rules, book: Option<Arc<Book>>) -> Self {
        let solver = Solver::new(rules, SolverOptions::default()).ok();
        Self { solver: solver.map(|solver| solver.with_book(book)) }
    }

    /// The solver behind them, for other questions about the same game.
    pub fn solver(&mut self) -> Option<&mut Solver> {
        self.solver.as_mut()
    }

    /// The move to make; if it is stopped, what was found by then.
    pub fn hint(&mut self, position: &Position, watch: &Watch) -> Result<Hint, SearchError<Move>> {
        match self.exact(position, watch) {
            Some(hint) => Ok(hint),
            None => textbook(position, watch),
        }
    }

    /// What is proven, if the time is enough for it.
    fn exact(&mut self, position: &Position, watch: &Watch) -> Option<Hint> {
        let rules = position.rules();
        let mut moves = position.legal_moves();
        moves.sort_by_key(|mv| mv.off_centre(rules));
        let limits = SolveLimits { time: Some(PATIENCE), ..watch.limits() };
        let (solved, best) = self.solver.as_mut()?.best_move(position, &moves, &limits).ok()?;
        let (noun, label) = (board_text::place_noun(rules), best?.label(rules));
        let sentence = match solved.verdict {
            Verdict::Win { .. } => format!("Hint: {noun} {label} {}.", solved.verdict),
            Verdict::Draw => format!("{} {label} keeps the draw.", capital(noun)),
            Verdict::Loss { plies: Some(plies) } => {
                format!("Every move loses; {noun} {label} holds out longest, {plies} moves.")
            }
            Verdict::Loss { plies: None } | Verdict::Estimate(_) => return None,
        };
        Some(Hint { best, sentence })
    }
}

/// What a textbook search would play.
pub fn textbook(position: &Position, watch: &Watch) -> Result<Hint, SearchError<Move>> {
    let rules = position.rules();
    let options = SearchOptions::timed(16);
    let mut searcher = Searcher::new(Evaluator::natural(rules), options);
    let SolveLimits { stop, progress, .. } = watch.limits();
    let limits =
        Limits { depth: u32::MAX, time: Some(PATIENCE), stop, progress, ..Limits::default() };
    let report = searcher.search(position, &limits, 0)?;
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

/// What a player thinks of its own position.
pub fn opinion(verdict: Verdict) -> String {
    match verdict {
        Verdict::Estimate(_) => format!("estimate {verdict}"),
        Verdict::Draw => "a draw".to_owned(),
        _ => verdict.to_string(),
    }
}
