//! A searching player that finishes what its book has begun.
//!
//! With the switch `book` a search knows who wins in the opening and on which move, but not how to
//! go on where the book ends. So once the book has called the player's position won or drawn, the
//! exact solver takes over from there, within a node limit per move; when that does not suffice, or
//! the book has spoken of a loss, the search moves as usual.

use super::{Choice, Player, PlayerError, SearchPlayer, Thinking};
use crate::book::Book;
use crate::game::{Position, Rules};
use crate::search::Limits;
use crate::solver::{SolveError, Solver, SolverOptions};
use std::sync::Arc;

/// Nodes for the solver per move: a second or so.
const NODES: u64 = 10_000_000;

/// See the module.
#[derive(Debug)]
pub(super) struct Finishing {
    player: SearchPlayer,
    /// The search's, renewed for each move.
    limits: Limits,
    book: Arc<Book>,
    solver: Solver,
    /// Whether the book has called the game won or drawn for the player.
    promised: bool,
}

impl Finishing {
    pub(super) fn new(
        player: SearchPlayer,
        limits: Limits,
        book: Arc<Book>,
        rules: &Rules,
    ) -> Result<Self, PlayerError> {
        let solver =
            Solver::new(rules, SolverOptions::default())?.with_book(Some(Arc::clone(&book)));
        Ok(Self { player, limits, book, solver, promised: false })
    }
}

impl Player for Finishing {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        if let Some(score) = self.book.score(position) {
            self.promised = score >= 0;
        }
        let limits = self.limits.renewed();
        // While the positions after its move are in the book, the search itself plays by it.
        let beyond = position.ply() >= self.book.plies();
        if self.promised && beyond {
            let half = limits.budget.nodes_left().map_or(NODES, |nodes| nodes / 2).min(NODES);
            let part = limits
                .budget
                .part()
                .with_nodes(half)
                .with_time(limits.budget.time_left().map(|time| time / 2));
            let mut moves = position.legal_moves();
            moves.sort_by_key(|mv| mv.off_centre(position.rules()));
            match self.solver.best_move(position, &moves, &part) {
                Ok((solved, best)) => {
                    let thinking = Thinking::new(solved.verdict, position.empty(), solved.nodes, 0);
                    let choice = Choice::unthinking(best.ok_or(PlayerError::GameOver)?);
                    return Ok(choice.with_thinking(Some(thinking)));
                }
                Err(SolveError::Unfinished { .. }) if !limits.budget.is_stopped() => {}
                Err(why) => return Err(why.into()),
            }
        }
        self.player.choose_within(position, &limits)
    }
}
