//! The exact solver: who wins from any position of any game, and how soon.
//!
//! Two searches behind one front: one for lines of four with gravity, one (`general`) for all other
//! rules. Built for speed alone: bit boards in the layout that suits the size, null windows, forced
//! moves played out, static bounds from follow-up strategies ([`Bounds`]), two exact tables, and an
//! order of moves tuned on the number of nodes or learned. How each works is told in
//! `docs/solver.md`. The textbook searches are another module, and the two do not know each other.

mod analysis;
mod batch;
mod bounds;
mod cpu;
mod field;
mod general;
mod history;
mod layout;
mod meter;
mod opening;
mod order;
mod parallel;
mod policy;
mod pool;
mod search;
mod shared;
#[cfg(test)]
mod soundness;
mod table;

pub use crate::budget::Halt;
pub use analysis::{Analysis, AnalysisEvent, AnalysisOptions, MoveAnalysis, MoveScore};
pub use bounds::Bounds;
pub use pool::{LentSolver, SolverPool};

use self::parallel::{Answer, AnyTeam, Window};
use crate::book::Book;
use crate::budget::Budget;
use crate::game::{Board, Geometry, Move, Position, Rules};
use crate::score::Verdict;
use std::sync::Arc;

/// How a solver is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolverOptions {
    /// MiB for the main table. More helps large boards only. Several threads share it, and each
    /// has one a quarter as large besides.
    pub memory: u32,
    /// How many threads work on one position of a game with gravity that a line of four wins;
    /// others are solved by one. Scores do not depend on it; nodes do, if there are several.
    pub threads: u32,
    /// The static bounds to use.
    pub bounds: Bounds,
    /// Use the code for any processor even if this one can do better.
    pub portable: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self { memory: 4, threads: 1, bounds: Bounds::ALL, portable: false }
    }
}

/// An exact result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// For the side to move.
    pub verdict: Verdict,
    /// The same as a number: k for a win with the winner's k-th last disc, 0 for a draw, negative
    /// for a loss. After a weak solution only its sign is known: 1, 0 or -1.
    pub score: i32,
    /// Positions searched.
    pub nodes: u64,
}

/// Best play to the end of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its moves; none if the game is over.
    pub moves: Vec<Move>,
    /// Positions searched.
    pub nodes: u64,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The position is of another game than the solver.
    #[error("this solver was made for {made_for}, not {game}")]
    OtherGame {
        /// The solver's game.
        made_for: Rules,
        /// The position's.
        game: Rules,
    },
    /// The table did not fit into memory.
    #[error("{} MiB for the table cannot be had", .bytes >> 20)]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// A limit was reached first. Nothing wrong is ever returned instead.
    #[error("not solved after {nodes} nodes: {stop}; the score lies between {lower} and {upper}")]
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

/// Solves positions of one game, and remembers what it has proven.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Rules, notation};
/// use fourfold::solver::{Solver, SolverOptions};
///
/// let mut solver = Solver::new(&Rules::CONNECT_FOUR, SolverOptions::default())?;
/// let position = notation::read("32164625", None, None).unwrap().position;
/// let solved = solver.solve(&position, &Budget::unlimited())?;
/// assert_eq!(solved.score, 11);
/// assert_eq!(solved.verdict.to_string(), "wins in 13");
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    rules: Rules,
    geometry: Geometry<u128>,
    book: Option<Arc<Book>>,
    engine: AnyTeam,
}

impl Solver {
    /// A solver for a game.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn new(rules: &Rules, options: SolverOptions) -> Result<Self, SolveError> {
        let engine =
            AnyTeam::new(rules, options).map_err(|bytes| SolveError::OutOfMemory { bytes })?;
        Ok(Self { rules: *rules, geometry: Geometry::new(rules), book: None, engine })
    }

    /// The game it solves.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same solver, which asks a book before it searches. What a book of another game says is
    /// never used.
    #[must_use]
    pub fn with_book(mut self, book: Option<Arc<Book>>) -> Self {
        self.book = book;
        self
    }

    /// Forgets what was proven and found out, so that the next result costs what it costs alone.
    pub fn forget(&mut self) {
        self.engine.clear();
    }

    /// The exact result of a position, with the distance to the end.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first.
    pub fn solve(&mut self, position: &Position, budget: &Budget) -> Result<Solved, SolveError> {
        let most = self.rules.cells() as i32;
        self.solve_within(position, budget, -most, most).map(|(score, nodes)| Solved {
            verdict: Verdict::of_distance_score(score, position),
            score,
            nodes,
        })
    }

    /// Who wins from a position, without the distance: quicker.
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

    /// The exact result of a position and the first move of `order` that reaches it, none if the
    /// game is over or `order` has no best move. Quicker than the result of every move: each
    /// candidate is only asked whether it is as good as the best.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the limits are for all of
    /// it together.
    pub fn best_move(
        &mut self,
        position: &Position,
        order: &[Move],
        budget: &Budget,
    ) -> Result<(Solved, Option<Move>), SolveError> {
        let part = budget.part();
        let mut solved = self.solve(position, &part)?;
        let best = self.first_reaching(position, solved.score, order, &part)?;
        solved.nodes = part.spent();
        Ok((solved, best))
    }

    /// The line of best play to the end of the game: the winner takes the shortest way, the loser
    /// holds out longest. Of equal moves the most central comes first.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the limits are for all of
    /// it together.
    pub fn line(&mut self, position: &Position, budget: &Budget) -> Result<Line, SolveError> {
        let part = budget.part();
        let mut line = Vec::new();
        let mut position = *position;
        let solved = self.solve(&position, &part)?;
        let mut score = solved.score;
        while !position.outcome().is_over() {
            let mut moves = position.legal_moves();
            moves.sort_by_key(|mv| mv.off_centre(&self.rules));
            let next = self.first_reaching(&position, score, &moves, &part);
            // Somewhere down the line; the score of the position asked about is known.
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

    /// The first move of `order` that reaches `score`, the exact score of the position.
    fn first_reaching(
        &mut self,
        position: &Position,
        score: i32,
        order: &[Move],
        part: &Budget,
    ) -> Result<Option<Move>, SolveError> {
        for &mv in order {
            let after = position.play_unchecked(mv);
            // Is this move as good as the best? One window tells.
            let reply = self.solve_within(&after, part, -score, -score + 1);
            let (reply, _) = reply.map_err(|error| match error {
                // What is known is the score; only its move was not found.
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

    /// The score, exact if it lies strictly within the window, else a bound of it on that side; and
    /// the nodes spent.
    fn solve_within(
        &mut self,
        position: &Position,
        budget: &Budget,
        lower: i32,
        upper: i32,
    ) -> Result<(i32, u64), SolveError> {
        self.check_game(position)?;
        if let Some(score) = known(position, &self.geometry, self.book.as_deref()) {
            return Ok((score, 0));
        }
        let window = Window::of(position, lower, upper);
        let Answer { found, nodes, stopped } = self.engine.narrow(position, window, budget);
        match stopped {
            None => Ok((found.lower, nodes)),
            Some(stop) => {
                let Window { lower, upper } = found.proven(window, position);
                Err(SolveError::Unfinished { stop, nodes, lower, upper })
            }
        }
    }
}

/// The score of a position that needs no search: the game is over, or the next disc wins, or a book
/// has it.
fn known(position: &Position, geometry: &Geometry<u128>, book: Option<&Book>) -> Option<i32> {
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
