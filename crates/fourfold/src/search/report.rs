//! What a search found.

use super::Halt;
#[cfg(feature = "json")]
use serde::Serialize;

/// How a value is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    AtLeast,
    /// The value is this or less.
    AtMost,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It reached the depth asked for.
    Completed,
    /// Deepening found how the game ends; looking further cannot change that.
    Decided,
    /// A limit stopped it; the report is of the last depth completed.
    Halted(Halt),
}

/// A first move and what the search found of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its value for MAX; `None` if it was not tried (another wins at once, or forward pruning
    /// left it out).
    pub value: Option<i32>,
    /// How the value is to be read.
    pub bound: Bound,
    /// The move that this one is the mirror image of, if it was skipped for that.
    pub same_as: Option<M>,
    /// The principal variation, this move first; empty where the value is only a bound or another
    /// move's.
    pub line: Vec<M>,
    /// Nodes visited below it, itself included.
    pub nodes: u64,
}

/// What a search of a tree found. Values are MAX's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report<M> {
    /// The value of the root.
    pub value: i32,
    /// The move to play; none if the game is over or the depth was 0.
    pub best: Option<M>,
    /// The principal variation from the root, as far as it was searched.
    pub line: Vec<M>,
    /// Every first move, in the order of moves.
    pub moves: Vec<RootMove<M>>,
    /// The depth that was completed, in plies.
    pub depth: u32,
    /// Nodes visited, root included, over all depths.
    pub nodes: u64,
    /// Why it ended.
    pub ended: Ended,
}

/// Why a search has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError<M> {
    /// It was stopped before its first depth was complete.
    #[error("the search was broken off after {nodes} nodes: {halt}")]
    Interrupted {
        /// Why.
        halt: Halt,
        /// The first moves whose search was complete.
        finished: Vec<RootMove<M>>,
        /// Nodes visited.
        nodes: u64,
    },
    /// The tree cannot serve a switch that was asked for.
    #[error("this tree cannot serve the switch {switch}")]
    Unserved {
        /// The switch.
        switch: &'static str,
    },
    /// A table (or what somebody notes of the search) did not fit into memory.
    #[error("{} MiB of memory for the search cannot be had", .bytes.div_ceil(1 << 20))]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// The evaluator is for other games.
    #[error(transparent)]
    Evaluator(#[from] crate::eval::EvaluatorError),
}
