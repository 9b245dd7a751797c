//! What minimax and alpha-beta walk.

use super::Bound;
use crate::score::INFINITY;
use std::fmt::Debug;

/// Whose turn it is at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The side whose score is maximised.
    Max,
    /// Its opponent.
    Min,
}

impl Turn {
    /// The other side's turn.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }

    /// `MAX` or `MIN`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "MAX",
            Self::Min => "MIN",
        }
    }
}

/// The alpha-beta window of a node: MAX already has at least `alpha` elsewhere, and MIN can already
/// hold MAX to at most `beta`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The best that MAX is sure of so far.
    pub alpha: i32,
    /// The best that MIN is sure of so far.
    pub beta: i32,
}

impl Window {
    /// The full window.
    pub const OPEN: Self = Self { alpha: -INFINITY, beta: INFINITY };

    /// True if alpha has met beta: the rest of the node can be cut off.
    #[inline(always)]
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.alpha >= self.beta
    }

    /// How a (fail-soft) value found with this window is to be read.
    #[inline(always)]
    #[must_use]
    pub fn bound_of(&self, value: i32) -> Bound {
        if value <= self.alpha {
            Bound::AtMost
        } else if value >= self.beta {
            Bound::AtLeast
        } else {
            Bound::Exact
        }
    }

    /// The window after the side to move has found `value`.
    #[inline(always)]
    #[must_use]
    pub fn with(self, turn: Turn, value: i32) -> Self {
        match turn {
            Turn::Max => Self { alpha: self.alpha.max(value), ..self },
            Turn::Min => Self { beta: self.beta.min(value), ..self },
        }
    }
}

/// The key of a node in the transposition table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyed<K> {
    /// Tells positions apart.
    pub key: K,
    /// Spreads keys over the table.
    pub hash: u64,
    /// The key is the node's own, not that of a symmetric image; so moves filed with it are the
    /// node's moves.
    pub is_own: bool,
}

/// A game tree. Values are MAX's throughout.
///
/// The optional questions (from [`Tree::known`] on) serve switches of [`super::SearchOptions`]; a
/// tree that cannot answer them does not claim the switch in [`Tree::serves`], and asking for the
/// switch is then an error.
pub trait Tree {
    /// A place in the tree.
    type Node: Copy;
    /// An edge. Moves of one node differ.
    type Move: Copy + Eq + Debug;
    /// The moves of a node, in order, made without allocation.
    type Moves<'a>: Iterator<Item = Self::Move>
    where
        Self: 'a;
    /// Tells positions apart for the transposition table.
    type Key: Copy + Eq + Default;

    /// Where the search starts.
    fn root(&self) -> Self::Node;
    /// Whose turn it is.
    fn turn(&self, node: &Self::Node) -> Turn;
    /// The value of a node at which the game has ended; `None` while it goes on.
    fn ended(&self, node: &Self::Node) -> Option<i32>;
    /// What a node seems to be worth; asked at the horizon.
    fn evaluate(&self, node: &Self::Node) -> i32;
    /// The moves at a node that has not ended: at least one.
    fn moves(&self, node: &Self::Node) -> Self::Moves<'_>;
    /// The node that a move leads to.
    fn child(&self, node: &Self::Node, mv: Self::Move) -> Self::Node;
    /// The most moves that are left from here to the end of any line.
    fn longest_line(&self, node: &Self::Node) -> u32;

    /// Can this tree serve the switch of that name? Most trees serve none but `alpha_beta`.
    fn serves(&self, switch: &str) -> bool;
    /// The exact value of a node that is known without search.
    fn known(&self, _: &Self::Node) -> Option<i32> {
        None
    }
    /// The key for the transposition table. Two nodes with one key have the same value at the same
    /// depth. With `symmetry`, nodes that a symmetry takes into each other share it.
    fn key(&self, node: &Self::Node, symmetry: bool) -> Keyed<Self::Key>;
    /// A move that wins at once, if there is one.
    fn winning_move(&self, node: &Self::Node) -> Option<Self::Move>;
    /// True if a move wins at once or stops the opponent from doing so.
    fn is_urgent(&self, node: &Self::Node, mv: Self::Move) -> bool;
    /// A small number for a move, the same wherever it is played: below 128.
    fn slot(&self, mv: Self::Move) -> usize;
    /// The move of a slot; only asked for slots that [`Tree::slot`] gave.
    fn move_in_slot(&self, slot: usize) -> Self::Move;
    /// How far from the centre a move is: smaller is nearer.
    fn distance_from_centre(&self, mv: Self::Move) -> u32;
    /// Plies from the root of the game to this node, if the values of decided games count them
    /// ([`crate::score::win_at`]).
    fn decided_ply(&self, node: &Self::Node) -> Option<u32>;
}
