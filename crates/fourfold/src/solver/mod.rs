//! The exact solver: who wins from any position of any game, and how soon.
//!
//! Two searches behind one front: one for lines of four with gravity, one (`general`) for all other
//! rules. Built for speed alone: bit boards in the layout that suits the size, null windows, forced
//! moves played out, static bounds from follow-up strategies ([`Bounds`]), two exact tables, and an
//! order of moves tuned on the number of nodes or learned. How each works is told in
//! `docs/solver.md`. The textbook searches are another module, and the two do not know each other.

mod account;
mod batch;
mod bounds;
mod cpu;
mod field;
mod general;
mod history;
mod layout;
mod opening;
mod options;
mod order;
mod parallel;
mod policy;
mod search;
mod shared;
#[cfg(test)]
mod soundness;
mod table;

pub use crate::halt::Halt;
pub use crate::progress::{Progress, Question};
pub use bounds::Bounds;

use self::account::Allowance;
use self::parallel::{Answer, AnyTeam, Window};
use crate::book::Book;
use crate::game::{Board, Geometry, Move, Position, Rules};
use crate::score::Verdict;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

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

/// What solving a position may spend.
#[derive(Debug, Clone, Default)]
pub struct SolveLimits {
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Time at most.
    pub time: Option<Duration>,
    /// Set by somebody else when the answer is no longer wanted.
    pub stop: Option<Arc<AtomicBool>>,
    /// Watched by somebody else while the work goes on.
    pub progress: Option<Arc<Progress>>,
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

/// A move and the exact result of making it, for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnScore {
    /// The move.
    pub mv: Move,
    /// For the side that makes it: `wins in 1` if the move itself wins.
    pub verdict: Verdict,
    /// As a number.
    pub score: i32,
}

impl ColumnScore {
    /// A move, the position after it, and the exact score there of the side to move.
    #[must_use]
    pub fn of(mv: Move, after: &Position, score: i32) -> Self {
        let verdict = Verdict::of_distance_score(score, after).one_move_before();
        Self { mv, verdict, score: -score }
    }
}

/// Every move with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// In the order of [`Position::legal_moves`].
    pub columns: Vec<ColumnScore>,
    /// Positions searched.
    pub nodes: u64,
}

impl Analysis {
    /// What a book says, without any search; none if it does not know the result of every move.
    #[must_use]
    pub fn of_book(book: &Book, position: &Position) -> Option<Self> {
        let geometry = Geometry::new(position.rules());
        let column = |&mv: &Move| {
            let after = position.play_unchecked(mv);
            known(&after, &geometry, Some(book)).map(|score| ColumnScore::of(mv, &after, score))
        };
        let columns = position.legal_moves().iter().map(column).collect::<Option<_>>()?;
        Some(Self { columns, nodes: 0 })
    }
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
/// use fourfold::game::{Rules, notation};
/// use fourfold::solver::{SolveLimits, Solver, SolverOptions};
///
/// let mut solver = Solver::new(&Rules::CONNECT_FOUR, SolverOptions::default())?;
/// let position = notation::read("32164625").unwrap().position;
/// let solved = solver.solve(&position, &SolveLimits::default())?;
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
    pub fn solve(
        &mut self,
        position: &Position,
        limits: &SolveLimits,
    ) -> Result<Solved, SolveError> {
        let most = self.rules.cells() as i32;
        self.solve_within(position, limits, -most, most).map(|(score, nodes)| Solved {
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
        limits: &SolveLimits,
    ) -> Result<Solved, SolveError> {
        let (score, nodes) = self.solve_within(position, limits, -1, 1)?;
        let score = score.signum();
        let verdict = match score {
            1 => Verdict::Win { plies: None },
            0 => Verdict::Draw,
            _ => Verdict::Loss { plies: None },
        };
        Ok(Solved { verdict, score, nodes })
    }

    /// The exact result of every legal move.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first.
    pub fn analyse(
        &mut self,
        position: &Position,
        limits: &SolveLimits,
    ) -> Result<Analysis, SolveError> {
        let mut purse = Purse::new(limits);
        let mut scores: Vec<ColumnScore> = Vec::new();
        for mv in position.legal_moves() {
            let after = position.play_unchecked(mv);
            let solved = self.solve(&after, &purse.rest()).map_err(|why| match why {
                SolveError::Unfinished { stop, nodes, upper, .. } => {
                    // The best move so far is a lower bound; the one being looked at is another.
                    let so_far = scores.iter().map(|column| column.score).fold(-upper, i32::max);
                    let Window { lower, upper } = if position.wins_at_once() {
                        let at_once = win_next(position);
                        Window { lower: at_once, upper: at_once }
                    } else {
                        Window::possible(position)
                    };
                    SolveError::Unfinished {
                        stop,
                        nodes: purse.spent + nodes,
                        lower: lower.max(so_far),
                        upper,
                    }
                }
                other => other,
            })?;
            purse.spent += solved.nodes;
            scores.push(ColumnScore::of(mv, &after, solved.score));
        }
        Ok(Analysis { columns: scores, nodes: purse.spent })
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
        limits: &SolveLimits,
    ) -> Result<(Solved, Option<Move>), SolveError> {
        let mut purse = Purse::new(limits);
        let mut solved = self.solve(position, limits)?;
        purse.spent += solved.nodes;
        let best = self.first_reaching(position, solved.score, order, &mut purse)?;
        solved.nodes = purse.spent;
        Ok((solved, best))
    }

    /// The line of best play to the end of the game: the winner takes the shortest way, the loser
    /// holds out longest. Of equal moves the most central comes first.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the limits are for all of
    /// it together.
    pub fn line(&mut self, position: &Position, limits: &SolveLimits) -> Result<Line, SolveError> {
        let mut purse = Purse::new(limits);
        let mut line = Vec::new();
        let mut position = *position;
        let solved = self.solve(&position, limits)?;
        purse.spent += solved.nodes;
        let mut score = solved.score;
        while !position.outcome().is_over() {
            let mut moves = position.legal_moves();
            moves.sort_by_key(|mv| mv.off_centre(&self.rules));
            let next = self.first_reaching(&position, score, &moves, &mut purse);
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
        Ok(Line { moves: line, nodes: purse.spent })
    }

    /// The first move of `order` that reaches `score`, the exact score of the position.
    fn first_reaching(
        &mut self,
        position: &Position,
        score: i32,
        order: &[Move],
        purse: &mut Purse,
    ) -> Result<Option<Move>, SolveError> {
        for &mv in order {
            let after = position.play_unchecked(mv);
            // Is this move as good as the best? One window tells.
            let reply = self.solve_within(&after, &purse.rest(), -score, -score + 1);
            let (reply, nodes) = reply.map_err(|error| match error {
                // What is known is the score; only its move was not found.
                SolveError::Unfinished { stop, nodes, .. } => SolveError::Unfinished {
                    stop,
                    nodes: purse.spent + nodes,
                    lower: score,
                    upper: score,
                },
                other => other,
            })?;
            purse.spent += nodes;
            if reply <= -score {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// The score, exact if it lies strictly within the window, else a bound of it on that side; and
    /// the nodes spent.
    fn solve_within(
        &mut self,
        position: &Position,
        limits: &SolveLimits,
        lower: i32,
        upper: i32,
    ) -> Result<(i32, u64), SolveError> {
        if *position.rules() != self.rules {
            return Err(SolveError::OtherGame { made_for: self.rules, game: *position.rules() });
        }
        if let Some(score) = known(position, &self.geometry, self.book.as_deref()) {
            return Ok((score, 0));
        }
        let allowance = Allowance {
            nodes: limits.nodes,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
            progress: limits.progress.clone(),
            team: None,
        };
        let window = Window::of(position, lower, upper);
        let Answer { found, nodes, stopped } = self.engine.narrow(position, window, &allowance);
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

/// What a task of several searches may still spend.
struct Purse {
    limits: SolveLimits,
    deadline: Option<Instant>,
    /// Nodes spent so far.
    spent: u64,
}

impl Purse {
    fn new(limits: &SolveLimits) -> Self {
        // A time too long to be represented is no limit.
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Self { limits: limits.clone(), deadline, spent: 0 }
    }

    /// What the next search may spend.
    fn rest(&self) -> SolveLimits {
        SolveLimits {
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(self.spent)),
            time: self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            stop: self.limits.stop.clone(),
            progress: self.limits.progress.clone(),
        }
    }
}
