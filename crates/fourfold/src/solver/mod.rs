//! The exact solver: who wins from any position of any game, and how soon.
//!
//! Two searches behind one facade: one for lines of four with gravity, and one (`general`) for all
//! other rules. Both are built for speed alone: bitboards in the layout that suits the size, null
//! windows, forced moves played at once, static bounds from follow-up strategies,
//! exact transposition tables, and a move ordering that is tuned on the number of nodes or learned
//! by a policy network. `docs/solver.md` explains each, and `docs/glossary.md` the terms. The
//! textbook searches are another module, and neither knows the other.

mod abdada;
mod analysis;
mod batch;
mod board;
mod bounds;
mod checkpoint;
mod columns;
mod cpu;
mod forced;
mod general;
mod history;
mod ideas;
mod lanes;
mod layout;
mod meter;
mod null_window;
mod on_top;
mod opening;
mod options;
mod order;
mod parallel;
mod policy;
mod pool;
mod schedule;
mod search;
mod shared;
#[cfg(test)]
mod soundness;
mod table;
#[cfg_attr(not(feature = "training"), expect(unreachable_pub, reason = "public for the trainer"))]
mod tuned;

pub use crate::budget::Halt;
pub use analysis::{Analysis, AnalysisEvent, AnalysisOptions, MoveAnalysis, MoveScore};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use ideas::{Idea, Ideas};
pub use options::SolverOptions;
#[cfg(feature = "training")]
pub use policy::{
    BoardForm, MoveOutcome, MoveSample, NetworkWeights, NodeSample, OrderForm, Sampling,
};
pub use policy::{MoveOrder, OrderWeights, WeightsError, WeightsFile, weights_hash};
pub use pool::{LentSolver, SolverPool};
#[cfg(feature = "training")]
pub use tuned::TunedOrder;

use self::checkpoint::Keeper;
use self::parallel::{AnySearch, Earlier, Narrowed, ScoreWindow};
use crate::book::Book;
use crate::budget::Budget;
use crate::game::{Board, Geometry, Move, Position, Rules};
use crate::score::Verdict;
use std::sync::Arc;

/// An exact result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// For the side to move.
    pub verdict: Verdict,
    /// The same as a number: k for a win with the winner's k-th last disc, 0 for a draw, negative
    /// for a loss. A weak solution has only the sign: 1, 0 or -1.
    pub score: i32,
    /// Nodes searched.
    pub nodes: u64,
}

/// A principal variation to the end of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its moves; empty if the game is over.
    pub moves: Vec<Move>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The position is of another game than the solver.
    #[error("this solver was made for {made_for}, not {game}")]
    OtherGame {
        /// The solver's game.
        made_for: Rules,
        /// The position's.
        game: Rules,
    },
    /// The memory for a transposition table could not be allocated.
    #[error("cannot allocate {} MiB for the transposition table", .bytes >> 20)]
    OutOfMemory {
        /// Bytes that could not be allocated.
        bytes: u64,
    },
    /// A limit was reached first. An unproven result is never returned instead.
    #[error("not solved: {stop} (nodes: {nodes}); the score lies between {lower} and {upper}")]
    Unfinished {
        /// Which limit.
        stop: Halt,
        /// Nodes searched.
        nodes: u64,
        /// The score is proven to be at least this.
        lower: i32,
        /// The score is proven to be at most this.
        upper: i32,
    },
}

/// Solves positions of one game, and keeps what it has proven in its transposition tables.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Rules, notation};
/// use fourfold::solver::{Solver, SolverOptions};
///
/// let mut solver = Solver::new(&Rules::CONNECT_FOUR, SolverOptions::default())?;
/// let position = notation::read("32164625").unwrap().position;
/// let solved = solver.solve(&position, &Budget::unlimited())?;
/// assert_eq!(solved.score, 11);
/// assert_eq!(solved.verdict.to_string(), "wins in 7 moves");
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    rules: Rules,
    geometry: Geometry<u128>,
    book: Option<Arc<Book>>,
    search: AnySearch,
    /// Who keeps checkpoints of the work, if anybody.
    keeper: Option<Box<dyn Keeper>>,
}

impl Solver {
    /// A solver for a game.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(rules: &Rules, options: SolverOptions) -> Result<Self, SolveError> {
        let search =
            AnySearch::new(rules, options).map_err(|bytes| SolveError::OutOfMemory { bytes })?;
        Ok(Self { rules: *rules, geometry: Geometry::new(rules), book: None, search, keeper: None })
    }

    /// The game it solves.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same solver, which looks positions up in a book before it searches. A book of another
    /// game is ignored.
    #[must_use]
    pub fn with_book(mut self, book: Option<Arc<Book>>) -> Self {
        self.book = book;
        self
    }

    /// The same solver with another move order. Scores do not depend on it. Node counts do.
    #[must_use]
    pub fn with_order(mut self, order: &MoveOrder) -> Self {
        self.search.order_by(order);
        self
    }

    /// Clears the transposition tables and the move-ordering history, so that the next search
    /// starts afresh.
    pub fn forget(&mut self) {
        self.search.clear();
    }

    /// A strong solution of a position: the exact result with its distance.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first.
    pub fn solve(&mut self, position: &Position, budget: &Budget) -> Result<Solved, SolveError> {
        let most = self.rules.cells() as i32;
        self.solve_between(position, budget, -most, most)
    }

    /// The same for a position whose score is known to lie between two bounds, both included.
    fn solve_between(
        &mut self,
        position: &Position,
        budget: &Budget,
        lower: i32,
        upper: i32,
    ) -> Result<Solved, SolveError> {
        let (score, nodes) = self.solve_within(position, budget, lower, upper)?;
        Ok(Solved { verdict: Verdict::of_distance_score(score, position), score, nodes })
    }

    /// Solves a position and samples the nodes of the search, whatever the budget allows; none if
    /// networks cannot order the moves of the game, or several threads search.
    ///
    /// # Errors
    /// If the position is of another game.
    #[cfg(feature = "training")]
    pub fn sample(
        &mut self,
        position: &Position,
        budget: &Budget,
        sampling: &Sampling,
    ) -> Result<Vec<NodeSample>, SolveError> {
        self.check_game(position)?;
        if score_without_search(position, &self.geometry, None).is_some() {
            return Ok(Vec::new());
        }
        Ok(self.search.sample(position, budget, sampling))
    }

    /// A weak solution of a position: who wins, without the distance. Faster than
    /// [`Solver::solve`].
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first.
    pub fn solve_weakly(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Result<Solved, SolveError> {
        let (score, nodes) = self.solve_within(position, budget, -1, 1)?;
        let score = score.signum();
        let verdict = match score {
            1 => Verdict::Win { plies: None },
            0 => Verdict::Draw,
            _ => Verdict::Loss { plies: None },
        };
        Ok(Solved { verdict, score, nodes })
    }

    /// The exact result of a position if it comes about within `plies` moves of both sides, with
    /// best play; `None` if the game lasts longer. Much faster than [`Solver::solve`] for few
    /// plies, since nothing beyond them is searched.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the budget covers the
    /// whole call.
    pub fn result_within(
        &mut self,
        position: &Position,
        plies: u32,
        budget: &Budget,
    ) -> Result<Option<Verdict>, SolveError> {
        let part = &budget.part();
        let empty = position.empty();
        if plies >= empty {
            return self.solve(position, part).map(|solved| Some(solved.verdict));
        }
        let most = self.rules.cells() as i32;
        // Wins take an odd number of plies, losses an even one; `latest` is the lowest score of a
        // win that comes in time.
        let latest = |plies: u32| ((empty + 2 - plies) / 2) as i32;
        let mut found = None;
        if let Some(odd) = plies.checked_sub(1).map(|plies| (plies & !1) + 1) {
            let win = latest(odd);
            if self.solve_within(position, part, win - 1, win)?.0 >= win {
                found = Some(self.solve_within(position, part, win - 1, most)?.0);
            }
        }
        let even = plies & !1;
        if found.is_none() && even > 0 {
            let loss = -latest(even);
            if self.solve_within(position, part, loss, loss + 1)?.0 <= loss {
                found = Some(self.solve_within(position, part, -most, loss + 1)?.0);
            }
        }
        Ok(found.map(|score| Verdict::of_distance_score(score, position)))
    }

    /// The exact result of a position and the first move of `order` that achieves it; `None` if the
    /// game is over or `order` contains no best move. Faster than an analysis: each candidate takes
    /// only a null-window search.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the budget covers the
    /// whole call.
    pub fn best_move(
        &mut self,
        position: &Position,
        order: &[Move],
        budget: &Budget,
    ) -> Result<(Solved, Option<Move>), SolveError> {
        let part = budget.part();
        let mut solved = self.solve(position, &part)?;
        let best = self.first_achieving(position, solved.score, order, &part)?;
        solved.nodes = part.spent();
        Ok((solved, best))
    }

    /// The principal variation to the end of the game: the winner wins as soon as possible, and the
    /// loser holds out as long as possible. Of equal moves the most central is chosen.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the budget covers the
    /// whole call.
    pub fn line(&mut self, position: &Position, budget: &Budget) -> Result<Line, SolveError> {
        let part = budget.part();
        let mut line = Vec::new();
        let mut position = *position;
        let solved = self.solve(&position, &part)?;
        let mut score = solved.score;
        while !position.outcome().is_over() {
            let mut moves = position.legal_moves();
            moves.sort_by_key(|mv| mv.off_centre(&self.rules));
            let next = self.first_achieving(&position, score, &moves, &part);
            // The limit was reached further down the line; the score at the root is known.
            let next = next.map_err(|error| match error {
                SolveError::Unfinished { stop, nodes, .. } => {
                    SolveError::Unfinished { stop, nodes, lower: solved.score, upper: solved.score }
                }
                other => other,
            })?;
            let Some(mv) = next else { break };
            line.push(mv);
            position = position.play_unchecked(mv);
            score = -score;
        }
        Ok(Line { moves: line, nodes: part.spent() })
    }

    /// The first move of `order` that achieves `score`, the exact score of the position.
    fn first_achieving(
        &mut self,
        position: &Position,
        score: i32,
        order: &[Move],
        part: &Budget,
    ) -> Result<Option<Move>, SolveError> {
        for &mv in order {
            let after = position.play_unchecked(mv);
            // Is this move as good as the best? A null window decides it.
            let reply = self.solve_within(&after, part, -score, -score + 1);
            let (reply, _) = reply.map_err(|error| match error {
                // The score is known; only the move was not found.
                SolveError::Unfinished { stop, .. } => {
                    SolveError::Unfinished { stop, nodes: part.spent(), lower: score, upper: score }
                }
                other => other,
            })?;
            if reply <= -score {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    fn check_game(&self, position: &Position) -> Result<(), SolveError> {
        if *position.rules() == self.rules {
            return Ok(());
        }
        Err(SolveError::OtherGame { made_for: self.rules, game: *position.rules() })
    }

    /// The score if it lies strictly within the window, else a bound on it from that side; and the
    /// nodes spent.
    fn solve_within(
        &mut self,
        position: &Position,
        budget: &Budget,
        lower: i32,
        upper: i32,
    ) -> Result<(i32, u64), SolveError> {
        self.check_game(position)?;
        let book = self.book.as_deref();
        if let Some(score) = score_without_search(position, &self.geometry, book) {
            return Ok((score, 0));
        }
        let window = ScoreWindow::clamped(position, lower, upper);
        let Narrowed { window: left, nodes, stopped } = match &mut self.keeper {
            Some(keeper) => keeper.narrow(&mut self.search, position, window, budget),
            None => self.search.narrow(position, window, budget, Earlier::NOTHING),
        };
        match stopped {
            None => Ok((left.lower, nodes)),
            Some(stop) => {
                let ScoreWindow { lower, upper } = left.proven(window, position);
                Err(SolveError::Unfinished { stop, nodes, lower, upper })
            }
        }
    }
}

/// The score of a position that needs no search: the game is over, the next disc wins, or a book
/// has it.
fn score_without_search(
    position: &Position,
    geometry: &Geometry<u128>,
    book: Option<&Book>,
) -> Option<i32> {
    let board = Board::of(position);
    if board.is_won(geometry) {
        // The game ended with the last disc: the side to move has lost.
        Some(-(position.empty() as i32 + 2) / 2)
    } else if board.all == geometry.cells() {
        Some(0)
    } else if board.winning_moves(geometry) != 0 {
        Some(win_next(position))
    } else {
        book?.score(position)
    }
}

/// The score of the side to move if it wins with its next disc.
fn win_next(position: &Position) -> i32 {
    (position.empty() as i32 + 1) / 2
}
