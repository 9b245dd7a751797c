//! The null-window search: is a position's score above `alpha` or not?
//!
//! A fail-soft negamax search with a null window (Fishburn 1981; Marsland 1983) and one entry in a
//! transposition table per node. Scores are P. Pons' (see
//! [`crate::score::Verdict::distance_score`]): k for a win with the winner's k-th last disc. A
//! search returns a bound: a lower bound on the score if it is above `alpha`, else an upper bound.
//!
//! The parts: `expand` makes and orders the children of a node, `horizon` decides nodes shortly
//! before the last ply that matters. How several threads cooperate is in [`super::abdada`].

mod expand;
mod horizon;
#[cfg(feature = "training")]
mod sample;

#[cfg(feature = "training")]
pub(super) use self::sample::Sampler;

pub(super) use self::expand::CloseRanking;

use self::expand::OpenChildren;
use super::abdada::Abdada;
use super::board::BoardMasks;
use super::bounds::{self, BoundQuery};
use super::cpu::Cpu;
use super::forced::{self, ForcedMoveRules, QuietPosition, Resolved};
use super::history::{History, HistoryContext};
use super::ideas::{Idea, Ideas};
use super::layout::Layout;
use super::meter::{Meter, PathStep};
use super::on_top;
use super::order::{MoveOrdering, role};
use super::policy::MoveOrder;
use super::shared::SharedTable;
use super::table::{Address, Replacement, ScoreBounds, TranspositionTable};
use crate::game::Word;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Positions with at most this many empty cells are many and quick to search. They go to a
/// transposition table of their own, small enough to stay in the processor's cache.
const LATE_MAX_EMPTY: i32 = 16;
const LATE_TABLE_BYTES: u64 = 256 << 10;

/// A position that needs search, and its address in the transposition table.
#[derive(Debug, Clone, Copy)]
struct Node<W> {
    position: QuietPosition<W>,
    address: Address<W>,
}

/// A child to be searched.
#[derive(Debug, Clone, Copy)]
struct Child<W> {
    node: Node<W>,
    /// Whether the side that made the move is to move again, after a forced reply.
    mover_again: bool,
    mv: W,
    /// The genuine threats after the move.
    threats: W,
    /// When to search it; see [`priority`].
    priority: u32,
}

/// The priority of a child that has been searched, or need not be.
const SEARCHED: u32 = 0;

/// When to search a child: highest rank first, and the first of equals. The lowest bits are the
/// child's index.
#[inline(always)]
fn priority(rank: i32, index: usize) -> u32 {
    ((rank + (1 << 24)) as u32) << 6 | (63 - index as u32)
}

/// The index of the child with this priority.
#[inline(always)]
fn index_of(priority: u32) -> usize {
    (63 - priority % 64) as usize
}

/// A search engine for lines of four with gravity, compiled for one bitboard layout.
#[derive(Debug)]
pub(super) struct Engine<L: Layout> {
    pub(super) board: BoardMasks<L>,
    ordering: MoveOrdering<L>,
    ideas: Ideas,
    pub(super) early_table: TranspositionTable<L::W>,
    late_table: TranspositionTable<L::W>,
    history: History,
    /// A stack with the children of all nodes on the current path, node by node.
    children: Vec<Child<L::W>>,
    pub(super) meter: Meter,
    abdada: Abdada<L::W>,
    /// Takes samples of the search.
    #[cfg(feature = "training")]
    pub(super) sampler: Option<Box<Sampler<L::W>>>,
}

impl<L: Layout> Engine<L> {
    /// An engine whose main table takes at most `bytes` bytes. Fails with the number of bytes that
    /// could not be allocated.
    pub(super) fn new(board: BoardMasks<L>, ideas: Ideas, bytes: u64) -> Result<Self, u64> {
        let table = |bytes: u64, replacement: Replacement| {
            TranspositionTable::new(bytes, board.key_bits(), replacement)
        };
        let mut engine = Self {
            ordering: MoveOrdering::new(&board),
            early_table: table(bytes, Replacement::KeepCostly)?,
            late_table: table(LATE_TABLE_BYTES, Replacement::KeepRecent)?,
            history: History::default(),
            children: Vec::with_capacity(1024),
            board,
            ideas,
            meter: Meter::default(),
            abdada: Abdada::default(),
            #[cfg(feature = "training")]
            sampler: None,
        };
        engine.order_by(MoveOrder::default());
        Ok(engine)
    }

    /// Makes this engine one of several that search the same position.
    pub(super) fn share(&mut self, shared: &Arc<SharedTable>) {
        self.abdada = Abdada::new(shared, self.board.count);
    }

    /// Chooses what orders the moves from the next search on.
    pub(super) fn order_by(&mut self, order: MoveOrder) {
        let networks = self.ideas.has(Idea::Networks);
        self.ordering.order_by(if networks { order } else { MoveOrder::Tuned });
    }

    /// Clears the transposition tables and the history.
    pub(super) fn clear(&mut self) {
        self.early_table.clear();
        self.late_table.clear();
        self.history = History::default();
    }

    /// Whether an idea is left out.
    #[inline(always)]
    fn lacks<C: Cpu>(&self, idea: Idea) -> bool {
        C::LAB && !self.ideas.has(idea)
    }

    /// Whether positions at this ply belong to the early table.
    #[inline(always)]
    fn is_early<C: Cpu>(&self, ply: i32) -> bool {
        ply < self.board.count - LATE_MAX_EMPTY || self.lacks::<C>(Idea::LateTable)
    }

    #[inline(always)]
    fn table<C: Cpu>(&self, ply: i32) -> &TranspositionTable<L::W> {
        if self.is_early::<C>(ply) { &self.early_table } else { &self.late_table }
    }

    #[inline(always)]
    fn key<C: Cpu>(&self, position: &QuietPosition<L::W>) -> L::W {
        let all = position.own | position.opponent;
        if self.lacks::<C>(Idea::Symmetry) {
            return self.board.own_key(position.own, all);
        }
        self.board.key(position.own, all)
    }

    /// The key of the node at that index of the stack.
    fn key_at<C: Cpu>(&self, at: usize) -> L::W {
        self.key::<C>(&self.children[at].node.position)
    }

    /// A node for a position, which will be probed soon: prefetches its bucket, and if `shared`
    /// that of the shared table.
    #[inline(always)]
    fn node<C: Cpu>(&self, position: QuietPosition<L::W>, shared: bool) -> Node<L::W> {
        let table = self.table::<C>(position.ply);
        let key = self.key::<C>(&position);
        let address = table.address(key);
        table.prefetch(address);
        if shared {
            self.abdada.prefetch(key);
        }
        Node { position, address }
    }

    /// Stores the bounds of the node at that index of the stack.
    #[inline(always)]
    fn store<C: Cpu>(&mut self, at: usize, bounds: ScoreBounds, nodes_before: u64) {
        #[cfg(feature = "training")]
        if C::LAB {
            self.log_store::<C>(at);
        }
        let work = self.meter.nodes - nodes_before;
        let node = &self.children[at].node;
        if self.is_early::<C>(node.position.ply) {
            self.early_table.store(node.address, bounds, work);
            if self.abdada.shares(node.position.ply) {
                self.abdada.store(self.key::<C>(&node.position), bounds, work);
            }
            if self.early_table.should_grow() {
                self.grow::<C>();
            }
        } else {
            self.late_table.store(node.address, bounds, work);
        }
    }

    /// Grows the transposition table for early positions and re-addresses the nodes on the current
    /// path.
    #[cold]
    fn grow<C: Cpu>(&mut self) {
        self.early_table.grow();
        #[cfg(feature = "training")]
        if let Some(sampler) = &mut self.sampler {
            sampler.forget_log();
        }
        for index in 0..self.children.len() {
            let position = self.children[index].node.position;
            if self.is_early::<C>(position.ply) {
                let address = self.early_table.address(self.key::<C>(&position));
                self.children[index].node.address = address;
            }
        }
    }

    /// The context that the history tables are indexed by, for the node at that index of the stack.
    #[inline(always)]
    fn history_context(&self, at: usize, alpha: i32) -> HistoryContext<L::W> {
        let Child { node, mv, .. } = &self.children[at];
        HistoryContext { role: role(node.position.ply, alpha), previous: *mv }
    }

    /// Searches a position with a null window: is its score above `alpha`? The side to move must
    /// not be able to win at once.
    ///
    /// Returns a bound on the score that answers this; `None` if the search was stopped, or paused
    /// at `pause_at` nodes. What was proven by then stays in the tables, so that a later search
    /// resumes from there.
    pub(super) fn null_window<C: Cpu>(
        &mut self,
        discs: (L::W, L::W),
        ply: i32,
        alpha: i32,
        pause_at: u64,
    ) -> Option<i32> {
        self.meter.open(pause_at);
        self.abdada.begin();
        #[cfg(feature = "training")]
        if let Some(sampler) = &mut self.sampler {
            sampler.begin();
        }
        let bound = self.search_root::<C>(discs, ply, alpha);
        (!self.meter.halted).then_some(bound)
    }

    fn search_root<C: Cpu>(&mut self, discs: (L::W, L::W), ply: i32, alpha: i32) -> i32 {
        match self.resolve::<C>(discs, ply, alpha, self.board.completing_one(discs.1)) {
            Resolved::Bound(value) => value,
            Resolved::Quiet { position, swapped } => {
                let node = self.node::<C>(position, false);
                let (sign, alpha) = if swapped { (-1, -alpha - 1) } else { (1, alpha) };
                let found = self.table::<C>(position.ply).probe(node.address);
                if let Some(bound) = found.and_then(|found| found.decides(alpha)) {
                    return sign * bound;
                }
                self.children.clear();
                self.children.push(Child {
                    node,
                    mover_again: true,
                    mv: L::W::ZERO,
                    threats: L::W::ZERO,
                    priority: SEARCHED,
                });
                sign * C::search(self, 0, alpha)
            }
        }
    }

    /// See [`forced::resolve`].
    #[inline(always)]
    fn resolve<C: Cpu>(
        &self,
        discs: (L::W, L::W),
        ply: i32,
        alpha: i32,
        threats: L::W,
    ) -> Resolved<L::W> {
        let plays_forced = !self.lacks::<C>(Idea::ForcedMoves);
        forced::resolve(self, discs, ply, alpha, threats, plays_forced, |_, _| {})
    }

    /// Searches the node at that index of the stack. All its children are resolved and probed
    /// before any is searched. The value means nothing if the search was halted.
    #[inline(always)]
    pub(super) fn search<C: Cpu>(&mut self, at: usize, alpha: i32) -> i32 {
        let nodes_before = self.meter.nodes;
        if !self.meter.spend() {
            return 0;
        }
        if self.abdada.poll(&mut self.meter) {
            return 0;
        }
        let first_child = self.children.len();
        let context = self.history_context(at, alpha);
        let (bounds, value) = match self.expand::<C>(at, alpha, context) {
            ControlFlow::Break(value) => (ScoreBounds::at_least(value), value),
            ControlFlow::Continue(OpenChildren { mut best, mut next }) => {
                let defers = self.abdada.defers(self.children[at].node.position.ply);
                if defers {
                    self.abdada.enter(self.key_at::<C>(at), alpha);
                }
                #[cfg(feature = "training")]
                let mut sample =
                    if C::LAB { self.begin_sample(at, first_child, alpha) } else { None };
                while next != SEARCHED {
                    let child = first_child + index_of(next);
                    #[cfg(feature = "training")]
                    let nodes = self.meter.nodes;
                    self.children[child].priority = SEARCHED;
                    let decided = if defers {
                        let mover_again = self.children[child].mover_again;
                        self.abdada.begin_child(self.key_at::<C>(child), mover_again, alpha)
                    } else {
                        None
                    };
                    let decided = if self.lacks::<C>(Idea::EnhancedCutoffs) {
                        decided.or_else(|| self.probe_child::<C>(child, alpha))
                    } else {
                        decided
                    };
                    let value = match decided {
                        Some(value) => value,
                        None if self.children[child].mover_again => C::search(self, child, alpha),
                        None => -C::search(self, child, -alpha - 1),
                    };
                    if defers {
                        self.abdada.end_child(self.key_at::<C>(child));
                    }
                    if self.meter.halted {
                        self.leave_unfinished(at, first_child, alpha);
                        return if defers { self.abdada.unwind(&mut self.meter) } else { 0 };
                    }
                    best = best.max(value);
                    let cutoff = best > alpha;
                    #[cfg(feature = "training")]
                    if C::LAB
                        && let Some(sample) = &mut sample
                    {
                        sample.tried(child, self.meter.nodes - nodes, cutoff);
                    }
                    if !self.lacks::<C>(Idea::History) {
                        self.history.update(context, self.children[child].mv, cutoff);
                    }
                    if cutoff {
                        break;
                    }
                    next = if defers {
                        self.next_not_busy::<C>(first_child)
                    } else {
                        let children = self.children[first_child..].iter();
                        children.map(|child| child.priority).fold(SEARCHED, u32::max)
                    };
                }
                #[cfg(feature = "training")]
                if C::LAB
                    && let Some(sample) = sample
                {
                    self.end_sample::<C>(sample);
                    if self.meter.halted {
                        self.children.truncate(first_child);
                        return 0;
                    }
                }
                if defers {
                    self.abdada.leave();
                }
                let bounds = if best > alpha {
                    ScoreBounds::at_least(best)
                } else {
                    ScoreBounds::at_most(best)
                };
                (bounds, best)
            }
        };
        self.children.truncate(first_child);
        self.store::<C>(at, bounds, nodes_before);
        value
    }

    /// The priority of the next child to search: the best that no other thread is busy with, or
    /// the best of all if every one is busy.
    #[cold]
    fn next_not_busy<C: Cpu>(&self, first_child: usize) -> u32 {
        let open = self.children[first_child..].iter().filter(|child| child.priority != SEARCHED);
        let is_free =
            |child: &&Child<L::W>| !self.abdada.is_busy(self.key::<C>(&child.node.position));
        let free = open.clone().filter(is_free).map(|child| child.priority).max();
        free.or_else(|| open.map(|child| child.priority).max()).unwrap_or(SEARCHED)
    }

    /// Leaves a node whose search was halted.
    #[cold]
    #[inline(never)]
    fn leave_unfinished(&mut self, at: usize, first_child: usize, alpha: i32) {
        let open = |child: &&Child<L::W>| child.priority != SEARCHED;
        let left = 1 + self.children[first_child..].iter().filter(open).count() as u32;
        let moves = self.children[at].node.position.safe.count_ones();
        self.meter.leave(PathStep { left, moves, alpha });
        self.children.truncate(first_child);
    }
}

impl<L: Layout> ForcedMoveRules for Engine<L> {
    type W = L::W;

    #[inline(always)]
    fn cell_count(&self) -> i32 {
        self.board.count
    }

    #[inline(always)]
    fn playable(&self, all: L::W) -> L::W {
        self.board.playable(all)
    }

    #[inline(always)]
    fn completing(&self, discs: L::W) -> L::W {
        self.board.completing_one(discs)
    }

    #[inline(always)]
    fn safe_moves(&self, playable: L::W, threats: L::W) -> L::W {
        forced::safe_moves::<L::W, true>(playable, threats)
    }

    #[inline(always)]
    fn static_bound(&self, at: &BoundQuery<L::W>, ply: i32, alpha: i32) -> Option<i32> {
        let (board, ideas) = (&self.board, self.ideas);
        let is_even = (board.count - ply) % 2 == 0;
        if alpha >= 0
            && ideas.has(Idea::OnTop)
            && let Some(bound) = on_top::bound(board, at, alpha, ideas)
        {
            return Some(bound);
        }
        if is_even && ideas.has(Idea::Claimeven) {
            bounds::claimeven(board, at, alpha, ideas)
        } else if !is_even && ideas.has(Idea::OddThreat) {
            bounds::odd_threat(board, at, alpha)
        } else {
            None
        }
    }
}
