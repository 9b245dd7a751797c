//! Watching a search: the observer's view, and the counters.

use super::{Tree, Window};
#[cfg(feature = "json")]
use serde::Serialize;

/// Why a node was not searched further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafKind {
    /// The game has ended.
    Ended,
    /// The horizon was reached and the evaluator was asked.
    Evaluated,
}

/// Where a value that needed no search was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Lookup {
    /// The transposition table.
    Table,
    /// The cache of proven ends.
    CachedEnds,
    /// The opening book.
    Book,
}

/// Why a move was not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum SkipReason {
    /// A move tried before leads to a mirror image (or rotation) of the same position.
    Symmetric,
    /// Forward pruning left it out.
    Forward,
}

/// Why a move is tried before those that stand before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum PreferReason {
    /// The hash move: it was the best when the node was searched before.
    Remembered,
    /// A killer move: it caused a cut-off at the same ply.
    Killer,
    /// The history heuristic: it has caused many cut-offs.
    History,
}

/// Sees what a search does, in order. Every method does nothing unless overridden, and `()`
/// overrides none.
pub trait Observer<T: Tree> {
    /// A node is visited, `depth` plies from the horizon.
    #[inline(always)]
    fn enter(&mut self, tree: &T, node: &T::Node, depth: u32, window: Window) {
        let _ = (tree, node, depth, window);
    }

    /// A node turned out to be a leaf.
    #[inline(always)]
    fn leaf(&mut self, tree: &T, node: &T::Node, value: i32, kind: LeafKind) {
        let _ = (tree, node, value, kind);
    }

    /// A child's value came back to its parent, whose best value and window are now these.
    #[inline(always)]
    fn update(
        &mut self,
        tree: &T,
        node: &T::Node,
        child: &T::Node,
        value: i32,
        best: i32,
        window: Window,
    ) {
        let _ = (tree, node, child, value, best, window);
    }

    /// The rest of a node's moves cannot matter; `index` counts the moves tried before the one that
    /// settled it.
    #[inline(always)]
    fn cut(&mut self, tree: &T, node: &T::Node, index: usize, window: Window) {
        let _ = (tree, node, index, window);
    }

    /// A move that does not come first in the tree's order is tried first.
    #[inline(always)]
    fn prefer(&mut self, tree: &T, node: &T::Node, mv: T::Move, why: PreferReason) {
        let _ = (tree, node, mv, why);
    }

    /// A move was left out.
    #[inline(always)]
    fn skip(&mut self, tree: &T, node: &T::Node, mv: T::Move, why: SkipReason) {
        let _ = (tree, node, mv, why);
    }

    /// A memory was asked for the node; `value` is its answer, if that ended the search of the
    /// node.
    #[inline(always)]
    fn recall(&mut self, tree: &T, node: &T::Node, from: Lookup, value: Option<i32>) {
        let _ = (tree, node, from, value);
    }

    /// A move wins at once, so the others are not tried.
    #[inline(always)]
    fn early_win(&mut self, tree: &T, node: &T::Node, mv: T::Move) {
        let _ = (tree, node, mv);
    }

    /// The search leaves an inner node with this value.
    #[inline(always)]
    fn leave(&mut self, tree: &T, node: &T::Node, value: i32) {
        let _ = (tree, node, value);
    }
}

impl<T: Tree> Observer<T> for () {}

/// Two observers watch at once.
impl<T: Tree, A: Observer<T>, B: Observer<T>> Observer<T> for (A, B) {
    #[inline(always)]
    fn enter(&mut self, tree: &T, node: &T::Node, depth: u32, window: Window) {
        self.0.enter(tree, node, depth, window);
        self.1.enter(tree, node, depth, window);
    }
    #[inline(always)]
    fn leaf(&mut self, tree: &T, node: &T::Node, value: i32, kind: LeafKind) {
        self.0.leaf(tree, node, value, kind);
        self.1.leaf(tree, node, value, kind);
    }
    #[inline(always)]
    fn update(
        &mut self,
        tree: &T,
        node: &T::Node,
        child: &T::Node,
        value: i32,
        best: i32,
        window: Window,
    ) {
        self.0.update(tree, node, child, value, best, window);
        self.1.update(tree, node, child, value, best, window);
    }
    #[inline(always)]
    fn cut(&mut self, tree: &T, node: &T::Node, index: usize, window: Window) {
        self.0.cut(tree, node, index, window);
        self.1.cut(tree, node, index, window);
    }
    #[inline(always)]
    fn prefer(&mut self, tree: &T, node: &T::Node, mv: T::Move, why: PreferReason) {
        self.0.prefer(tree, node, mv, why);
        self.1.prefer(tree, node, mv, why);
    }
    #[inline(always)]
    fn skip(&mut self, tree: &T, node: &T::Node, mv: T::Move, why: SkipReason) {
        self.0.skip(tree, node, mv, why);
        self.1.skip(tree, node, mv, why);
    }
    #[inline(always)]
    fn recall(&mut self, tree: &T, node: &T::Node, from: Lookup, value: Option<i32>) {
        self.0.recall(tree, node, from, value);
        self.1.recall(tree, node, from, value);
    }
    #[inline(always)]
    fn early_win(&mut self, tree: &T, node: &T::Node, mv: T::Move) {
        self.0.early_win(tree, node, mv);
        self.1.early_win(tree, node, mv);
    }
    #[inline(always)]
    fn leave(&mut self, tree: &T, node: &T::Node, value: i32) {
        self.0.leave(tree, node, value);
        self.1.leave(tree, node, value);
    }
}

/// What a search did, counted exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize))]
#[non_exhaustive]
pub struct Counters {
    /// Positions visited, root and leaves included. (Calls of a recursive function that starts
    /// below the root, as lectures count them: one less.)
    pub nodes: u64,
    /// Leaves at the horizon: calls of the evaluator.
    pub evaluations: u64,
    /// Leaves at which the game had ended.
    pub ended: u64,
    /// Cut-offs by the index of the move that caused them: first move, second move, ...
    pub cuts: Vec<u64>,
    /// Probes of the transposition table.
    pub table_probes: u64,
    /// Probes that caused a cut-off.
    pub table_hits: u64,
    /// Cut-offs by the cache of proven ends.
    pub cached_end_hits: u64,
    /// Nodes whose value came from the opening book.
    pub book_hits: u64,
    /// Moves not tried because they are symmetric to one that was.
    pub symmetric: u64,
    /// Moves left out by forward pruning.
    pub forward_pruned: u64,
    /// Nodes settled by a winning move seen before trying the others.
    pub early_wins: u64,
}

impl Counters {
    /// Leaves of both kinds.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.evaluations + self.ended
    }

    /// All cut-offs.
    #[must_use]
    pub fn all_cuts(&self) -> u64 {
        self.cuts.iter().sum()
    }

    /// Adds another search's counts.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.evaluations += other.evaluations;
        self.ended += other.ended;
        if self.cuts.len() < other.cuts.len() {
            self.cuts.resize(other.cuts.len(), 0);
        }
        for (sum, &count) in self.cuts.iter_mut().zip(&other.cuts) {
            *sum += count;
        }
        self.table_probes += other.table_probes;
        self.table_hits += other.table_hits;
        self.cached_end_hits += other.cached_end_hits;
        self.book_hits += other.book_hits;
        self.symmetric += other.symmetric;
        self.forward_pruned += other.forward_pruned;
        self.early_wins += other.early_wins;
    }
}

impl<T: Tree> Observer<T> for Counters {
    #[inline(always)]
    fn enter(&mut self, _: &T, _: &T::Node, _: u32, _: Window) {
        self.nodes += 1;
    }
    #[inline(always)]
    fn leaf(&mut self, _: &T, _: &T::Node, _: i32, kind: LeafKind) {
        match kind {
            LeafKind::Ended => self.ended += 1,
            LeafKind::Evaluated => self.evaluations += 1,
        }
    }
    #[inline(always)]
    fn cut(&mut self, _: &T, _: &T::Node, index: usize, _: Window) {
        if self.cuts.len() <= index {
            self.cuts.resize(index + 1, 0);
        }
        self.cuts[index] += 1;
    }
    #[inline(always)]
    fn skip(&mut self, _: &T, _: &T::Node, _: T::Move, why: SkipReason) {
        match why {
            SkipReason::Symmetric => self.symmetric += 1,
            SkipReason::Forward => self.forward_pruned += 1,
        }
    }
    #[inline(always)]
    fn recall(&mut self, _: &T, _: &T::Node, from: Lookup, value: Option<i32>) {
        let hit = u64::from(value.is_some());
        match from {
            Lookup::Table => {
                self.table_probes += 1;
                self.table_hits += hit;
            }
            Lookup::CachedEnds => self.cached_end_hits += hit,
            Lookup::Book => self.book_hits += hit,
        }
    }
    #[inline(always)]
    fn early_win(&mut self, _: &T, _: &T::Node, _: T::Move) {
        self.early_wins += 1;
    }
}
