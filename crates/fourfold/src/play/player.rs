//! What a player is.

use crate::game::{Move, PlayError, Position};
use crate::score::Verdict;
use crate::search::SearchError;
use crate::solver::SolveError;

/// A move and, from players that think, how it was found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Choice {
    /// The move: legal in the position that was given.
    pub mv: Move,
    /// What a search did for it.
    pub thinking: Option<Thinking>,
}

impl Choice {
    /// A move made without thinking.
    #[must_use]
    pub fn unthinking(mv: Move) -> Self {
        Self { mv, thinking: None }
    }

    /// The same with what a search did for it, if anything is known.
    #[must_use]
    pub fn with_thinking(self, thinking: Option<Thinking>) -> Self {
        Self { thinking, ..self }
    }
}

impl From<Move> for Choice {
    fn from(mv: Move) -> Self {
        Self::unthinking(mv)
    }
}

/// What a search found and spent on a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thinking {
    /// What it found, for the side to move.
    pub verdict: Verdict,
    /// Plies it looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Calls of the evaluator.
    pub evaluations: u64,
}

impl Thinking {
    /// A search to `depth` plies with this result and these counts.
    #[must_use]
    pub fn new(verdict: Verdict, depth: u32, nodes: u64, evaluations: u64) -> Self {
        Self { verdict, depth, nodes, evaluations }
    }
}

/// Why a player gave no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// There is nothing to move.
    #[error("the game is over")]
    GameOver,
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchError<Move>),
    /// The exact solver does not know the game, has no memory, or was stopped.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// A script has a move that is not on the board.
    #[error("its move {word:?}: {why}")]
    OffBoard {
        /// The move as written.
        word: String,
        /// Why there is no such move.
        why: PlayError,
    },
    /// The seat is for a person or another program; the front end fills it.
    #[error("{seat} can only play where there is somebody to ask")]
    NeedsFrontEnd {
        /// The seat.
        seat: String,
    },
    /// It has broken the rules of play (no answer, an illegal move), and so lost the game.
    #[error("{reason}")]
    Forfeit {
        /// What it did, in words.
        reason: String,
    },
    /// Whoever sits there has left.
    #[error("{reason}")]
    Left {
        /// In words.
        reason: String,
    },
}

impl From<crate::eval::EvaluatorError> for PlayerError {
    fn from(error: crate::eval::EvaluatorError) -> Self {
        Self::Search(error.into())
    }
}

/// Chooses moves.
pub trait Player {
    /// A legal move in a position that is not over.
    ///
    /// # Errors
    /// If there is no move to choose or the player cannot; never an illegal move.
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError>;
}
