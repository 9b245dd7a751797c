//! The null-window search for any game: is a position's score above `alpha` or not?
//!
//! Scores and bounds are those of the search for lines of four (`solver/search`).
//!
//! With gravity a search can be *limited* (limited discrepancy search, Harvey and Ginsberg 1995): on
//! each line of play the defender answers on top of the last disc except for a number of times, his
//! *discrepancies*. Forced moves are none, nor are moves after a column was filled. If he holds that
//! way, that is a proof, and stored like any other. If he fails, nothing is proven.

use super::GeneralBoard;
use super::keys::{Keys, SymmetricKeys};
use super::order::{GeneralRankingContext, HISTORY_WEIGHTS, ON_TOP_ATTACK, ON_TOP_DEFENCE};
use crate::game::{Position, Word};
use crate::solver::abdada::Abdada;
use crate::solver::bounds::BoundQuery;
use crate::solver::cpu::Cpu;
use crate::solver::forced::{self, ForcedMoveRules, QuietPosition, Resolved};
use crate::solver::history::{History, HistoryContext, HistoryWeights};
use crate::solver::ideas::{Idea, Ideas};
use crate::solver::meter::{Meter, PathStep};
use crate::solver::null_window::{Answer, Effort};
use crate::solver::order::role;
use crate::solver::shared::SharedTable;
use crate::solver::table::{Replacement, ScoreBounds, TranspositionTable};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A position that needs search, with its keys.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct GeneralNode<W, const SYMMETRIES: usize> {
    own: W,
    opponent: W,
    ply: i32,
    /// The moves that do not lose at once.
    safe: W,
    keys: SymmetricKeys<SYMMETRIES>,
    canonical_key: u128,
    /// The discs that are dead in the keys.
    dead: W,
    /// The move that led here, before forced replies; empty at the root.
    previous: W,
    /// With gravity: the cell on top of the last disc; empty if that filled its column, and at the
    /// root.
    top: W,
    /// In a limited search: the discrepancies that the defender has left.
    discrepancies: u8,
}

/// A position to start from.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct GeneralRoot<W, const SYMMETRIES: usize> {
    own: W,
    opponent: W,
    ply: i32,
    keys: SymmetricKeys<SYMMETRIES>,
}

/// What becomes of a position once forced moves are played: with its keys, and the last move.
struct Forced<W, const SYMMETRIES: usize> {
    resolved: Resolved<W>,
    keys: SymmetricKeys<SYMMETRIES>,
    last: W,
}

/// Whether the defender holds, by the bound that a search has found.
#[inline(always)]
fn defender_holds(bound: i32, alpha: i32) -> bool {
    (bound > alpha) == (alpha < 0)
}

/// Positions with at most this many empty cells are many and quick to search. They go to a
/// transposition table of their own, small enough to stay in the processor's cache.
const LATE_MAX_EMPTY: i32 = 10;
const LATE_TABLE_BYTES: u64 = 256 << 10;

/// Pairings take long to find, so they are tried only with at least this many empty cells.
const PAIRING_MIN_EMPTY: i32 = 7;

/// A search engine for one game.
#[derive(Debug)]
pub(in super::super) struct GeneralEngine<W, const GRAVITY: bool, const SYMMETRIES: usize> {
    board: GeneralBoard<W, GRAVITY, SYMMETRIES>,
    ideas: Ideas,
    /// `None` if the board is too large for keys.
    tables: Option<TranspositionTables>,
    /// A stack with the children of all nodes on the current path, node by node.
    children: Vec<GeneralChild<W, SYMMETRIES>>,
    pub(in super::super) meter: Meter,
    abdada: Abdada<u128>,
    history: History,
    /// See [`GeneralEngine::is_limited`].
    limited: bool,
}

#[derive(Debug)]
struct TranspositionTables {
    early: TranspositionTable<u128>,
    late: TranspositionTable<u128>,
    /// The bit above all keys; 0 if there is none. A key with it stands for a position, the
    /// attacker to move, at which the defender has failed in a limited search. The entry's lower
    /// bound is then one more than the discrepancies that he had left.
    failure_tag: u128,
}

/// A child to be searched.
#[derive(Debug, Clone, Copy)]
struct GeneralChild<W, const SYMMETRIES: usize> {
    rank: i32,
    mv: W,
    /// The genuine threats after the move.
    threats: W,
    node: GeneralNode<W, SYMMETRIES>,
    /// Whether the side that made the move is to move again, after a forced reply.
    mover_again: bool,
}

impl<W: Word, const SYMMETRIES: usize> GeneralNode<W, SYMMETRIES> {
    /// The context that the history tables are indexed by.
    #[inline(always)]
    fn history_context(&self, alpha: i32) -> HistoryContext<W> {
        HistoryContext { role: role(self.ply, alpha), previous: self.previous }
    }
}

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralEngine<W, GRAVITY, SYMMETRIES> {
    /// An engine whose main table takes at most `bytes` bytes. Fails with the number of bytes that
    /// could not be allocated.
    pub(in super::super) fn new(
        board: GeneralBoard<W, GRAVITY, SYMMETRIES>,
        ideas: Ideas,
        bytes: u64,
    ) -> Result<Self, u64> {
        let tables = match board.keys().bits() {
            Some(bits) => {
                let failure_tag = if GRAVITY && bits < u128::BITS { 1 << bits } else { 0 };
                let tagged_bits = bits + u32::from(failure_tag != 0);
                Some(TranspositionTables {
                    early: TranspositionTable::new(bytes, tagged_bits, Replacement::KeepCostly)?,
                    late: TranspositionTable::new(LATE_TABLE_BYTES, bits, Replacement::KeepRecent)?,
                    failure_tag,
                })
            }
            None => None,
        };
        Ok(Self {
            board,
            ideas,
            tables,
            children: Vec::with_capacity(1024),
            meter: Meter::default(),
            abdada: Abdada::default(),
            history: History::default(),
            limited: false,
        })
    }

    /// Makes this engine one of several that search the same position. There must be keys.
    pub(in super::super) fn share(&mut self, shared: &Arc<SharedTable>) {
        self.abdada = Abdada::new(shared, self.board.count);
    }

    /// The transposition table for early positions, if there is one.
    pub(in super::super) fn early_table(&mut self) -> Option<&mut TranspositionTable<u128>> {
        self.tables.as_mut().map(|tables| &mut tables.early)
    }

    /// Clears the transposition tables.
    pub(in super::super) fn clear(&mut self) {
        if let Some(TranspositionTables { early, late, .. }) = &mut self.tables {
            early.clear();
            late.clear();
        }
        self.history = History::default();
    }

    /// A position in the form that [`GeneralEngine::null_window`] takes.
    pub(in super::super) fn root(&self, position: &Position) -> GeneralRoot<W, SYMMETRIES> {
        let (own, opponent) = self.board.discs(position);
        let (ply, keys) = (position.ply() as i32, self.board.keys().of(position));
        GeneralRoot { own, opponent, ply, keys }
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
    fn probe<C: Cpu>(&self, node: &GeneralNode<W, SYMMETRIES>) -> Option<ScoreBounds> {
        if self.abdada.shares(node.ply) {
            return self.probe_shared::<C>(node);
        }
        self.probe_private::<C>(node)
    }

    #[inline(always)]
    fn probe_private<C: Cpu>(&self, node: &GeneralNode<W, SYMMETRIES>) -> Option<ScoreBounds> {
        let TranspositionTables { early, late, .. } = self.tables.as_ref()?;
        let table = if self.is_early::<C>(node.ply) { early } else { late };
        table.probe(table.address(node.canonical_key))
    }

    /// The same with what other threads share.
    #[cold]
    #[inline(never)]
    fn probe_shared<C: Cpu>(&self, node: &GeneralNode<W, SYMMETRIES>) -> Option<ScoreBounds> {
        self.abdada.probe_with(node.canonical_key, self.probe_private::<C>(node))
    }

    #[inline(always)]
    fn store<C: Cpu>(
        &mut self,
        node: &GeneralNode<W, SYMMETRIES>,
        bounds: ScoreBounds,
        nodes_before: u64,
    ) {
        let work = self.meter.nodes - nodes_before;
        let is_early = self.is_early::<C>(node.ply);
        if let Some(TranspositionTables { early, late, .. }) = &mut self.tables {
            let table = if is_early { early } else { late };
            table.store(table.address(node.canonical_key), bounds, work);
            if table.should_grow() {
                table.grow();
            }
        }
        if self.abdada.shares(node.ply) {
            self.abdada.store(node.canonical_key, bounds, work);
        }
    }

    /// The bit above all keys of proven positions; see [`TranspositionTables::failure_tag`].
    pub(in super::super) fn failure_tag(&self) -> u128 {
        self.tables.as_ref().map_or(0, |tables| tables.failure_tag)
    }

    /// Stores that the defender fails with the discrepancies that are left to him at a node, where
    /// the attacker is to move.
    fn store_failure<C: Cpu>(&mut self, node: &GeneralNode<W, SYMMETRIES>, nodes_before: u64) {
        if !self.is_early::<C>(node.ply) {
            return;
        }
        let bounds = ScoreBounds::at_least(i32::from(node.discrepancies) + 1);
        let work = self.meter.nodes - nodes_before;
        let Some(TranspositionTables { early, failure_tag, .. }) = &mut self.tables else { return };
        let key = node.canonical_key | *failure_tag;
        early.store(early.address(key), bounds, work);
        if early.should_grow() {
            early.grow();
        }
        if self.abdada.shares(node.ply) {
            self.abdada.store(key, bounds, work);
        }
    }

    /// Whether the defender is known to fail with the discrepancies that are left to him at a node,
    /// where the attacker is to move.
    fn has_failed<C: Cpu>(&self, node: &GeneralNode<W, SYMMETRIES>) -> bool {
        let Some(TranspositionTables { early, failure_tag, .. }) = &self.tables else {
            return false;
        };
        if !self.is_early::<C>(node.ply) {
            return false;
        }
        let key = node.canonical_key | failure_tag;
        let mut found = early.probe(early.address(key));
        if self.abdada.shares(node.ply) {
            found = self.abdada.probe_with(key, found);
        }
        found.is_some_and(|bounds| bounds.lower > i32::from(node.discrepancies))
    }

    /// Searches a position with a null window: is its score above `alpha`? The side to move must
    /// not be able to win at once. What was proven when the search is halted stays in the tables, so
    /// that a later search resumes from there.
    pub(in super::super) fn null_window<C: Cpu>(
        &mut self,
        root: &GeneralRoot<W, SYMMETRIES>,
        alpha: i32,
        effort: Effort,
    ) -> Answer {
        self.meter.open(effort.pause_at);
        self.abdada.begin();
        self.limited = effort.discrepancies.is_some();
        if self.limited && !self.can_limit() {
            return Answer::Undecided;
        }
        let threats = self.board.completing(root.opponent);
        let Forced { resolved, keys, .. } = self.resolve::<C>(*root, alpha, threats, W::ZERO);
        let (position, swapped) = match resolved {
            Resolved::Bound(value) => return Answer::Bound(value),
            Resolved::Quiet { position, swapped } => (position, swapped),
        };
        let mut node = self.node::<C>(position, keys, W::ZERO, W::ZERO);
        node.discrepancies = effort.discrepancies.unwrap_or(0);
        let (sign, alpha) = if swapped { (-1, -alpha - 1) } else { (1, alpha) };
        let found = self.probe::<C>(&node).and_then(|bounds| bounds.decides(alpha));
        if let Some(bound) = found {
            return Answer::Bound(sign * bound);
        }
        if self.is_limited() && alpha >= 0 && self.has_failed::<C>(&node) {
            return Answer::Undecided;
        }
        let bound = C::search_general(self, &node, alpha);
        if self.meter.halted {
            Answer::Halted
        } else if self.is_limited() && !defender_holds(bound, alpha) {
            Answer::Undecided
        } else {
            Answer::Bound(sign * bound)
        }
    }

    /// Whether a search can be limited: with gravity, where discs have a cell on top, and with keys
    /// for what has failed.
    pub(in super::super) fn can_limit(&self) -> bool {
        self.failure_tag() != 0
    }

    /// Whether the null window at hand is searched with limited discrepancies.
    #[inline(always)]
    fn is_limited(&self) -> bool {
        GRAVITY && self.limited
    }

    /// See [`forced::resolve`]. `last` is the move that was played last.
    #[inline(always)]
    fn resolve<C: Cpu>(
        &self,
        root: GeneralRoot<W, SYMMETRIES>,
        alpha: i32,
        threats: W,
        mut last: W,
    ) -> Forced<W, SYMMETRIES> {
        let GeneralRoot { own, opponent, ply, mut keys } = root;
        let plays_forced = !self.lacks::<C>(Idea::ForcedMoves);
        let on_forced = |mv, ply| {
            self.add_disc(&mut keys, mv, ply);
            last = mv;
        };
        let discs = (own, opponent);
        let resolved = forced::resolve(self, discs, ply, alpha, threats, plays_forced, on_forced);
        Forced { resolved, keys, last }
    }

    /// Adds the disc that is played at a ply to the keys.
    #[inline(always)]
    fn add_disc(&self, keys: &mut SymmetricKeys<SYMMETRIES>, mv: W, ply: i32) {
        self.board.keys().add_disc(keys, mv.trailing_zeros(), (ply % 2) as usize);
    }

    /// A node for a position that the move `previous` led to. The discs `dead` are dead in the keys
    /// already; all others that are dead become so.
    #[inline(always)]
    fn node<C: Cpu>(
        &self,
        position: QuietPosition<W>,
        mut keys: SymmetricKeys<SYMMETRIES>,
        mut dead: W,
        previous: W,
    ) -> GeneralNode<W, SYMMETRIES> {
        let QuietPosition { own, opponent, ply, safe, .. } = position;
        if self.board.keys().have_dead_discs() && !self.lacks::<C>(Idea::DeadDiscs) {
            let player = (ply % 2) as usize;
            let new = self.board.dead_discs(own, opponent) & !dead;
            self.board.keys().make_dead(&mut keys, new & own, player);
            self.board.keys().make_dead(&mut keys, new & opponent, 1 - player);
            dead |= new;
        }
        let canonical_key =
            if self.lacks::<C>(Idea::Symmetry) { keys[0] } else { Keys::canonical(&keys) };
        GeneralNode {
            own,
            opponent,
            ply,
            safe,
            keys,
            canonical_key,
            dead,
            previous,
            top: W::ZERO,
            discrepancies: 0,
        }
    }

    /// Searches a node. The value means nothing if the search was halted.
    #[inline(always)]
    pub(in super::super) fn search<C: Cpu>(
        &mut self,
        node: &GeneralNode<W, SYMMETRIES>,
        alpha: i32,
    ) -> i32 {
        let nodes_before = self.meter.nodes;
        if !self.meter.spend() {
            return 0;
        }
        if self.abdada.poll(&mut self.meter) {
            return 0;
        }
        let first_child = self.children.len();
        let best = match self.expand::<C>(node, alpha, nodes_before) {
            ControlFlow::Break(bound) => {
                self.children.truncate(first_child);
                return bound;
            }
            ControlFlow::Continue(best) => best,
        };
        if self.children.len() > first_child + 1 && !self.lacks::<C>(Idea::MoveOrder) {
            self.sort::<C>(node, first_child, alpha);
        }
        let searched = if self.abdada.defers(node.ply) {
            self.search_deferring::<C>(node, first_child, alpha, best)
        } else {
            self.search_children::<C, false>(node, first_child, alpha, best)
        };
        self.children.truncate(first_child);
        let Some(best) = searched else { return 0 };
        if self.is_limited() && !defender_holds(best, alpha) {
            // Nothing is proven: another move might hold.
            if alpha >= 0 {
                self.store_failure::<C>(node, nodes_before);
            }
            return best;
        }
        let bounds =
            if best > alpha { ScoreBounds::at_least(best) } else { ScoreBounds::at_most(best) };
        self.store::<C>(node, bounds, nodes_before);
        best
    }

    /// The same as [`GeneralEngine::search_children`], but defers those that other threads are busy
    /// with.
    #[cold]
    #[inline(never)]
    fn search_deferring<C: Cpu>(
        &mut self,
        node: &GeneralNode<W, SYMMETRIES>,
        first_child: usize,
        alpha: i32,
        best: i32,
    ) -> Option<i32> {
        self.abdada.enter(node.canonical_key, alpha);
        let best = self.search_children::<C, true>(node, first_child, alpha, best);
        if best.is_some() {
            self.abdada.leave();
            return best;
        }
        let bound = self.abdada.unwind(&mut self.meter);
        (!self.meter.halted).then_some(bound)
    }

    /// Searches the children of a node until one causes a cutoff. Returns the best bound, where
    /// `best` is that of the moves that need no search; `None` if the search was halted.
    #[inline(always)]
    fn search_children<C: Cpu, const DEFERS: bool>(
        &mut self,
        node: &GeneralNode<W, SYMMETRIES>,
        first_child: usize,
        alpha: i32,
        mut best: i32,
    ) -> Option<i32> {
        for index in first_child..self.children.len() {
            if DEFERS && index > first_child {
                self.defer_busy(index);
            }
            let GeneralChild { node: child, mover_again, mv, .. } = self.children[index];
            let attacker_again = (alpha >= 0) == mover_again;
            if self.is_limited() && attacker_again && self.has_failed::<C>(&child) {
                if alpha >= 0 {
                    return Some(alpha + 1);
                }
                continue;
            }
            let mut decided = None;
            if DEFERS {
                decided = self.abdada.begin_child(child.canonical_key, mover_again, alpha);
            }
            if self.lacks::<C>(Idea::EnhancedCutoffs) && decided.is_none() {
                let known = self.bounds_of::<C>(&child, mover_again);
                decided = known.and_then(|bounds| bounds.decides(alpha));
            }
            let value = if let Some(bound) = decided {
                bound
            } else if mover_again {
                C::search_general(self, &child, alpha)
            } else {
                -C::search_general(self, &child, -alpha - 1)
            };
            if DEFERS {
                self.abdada.end_child(child.canonical_key);
            }
            if self.meter.halted {
                let left = (self.children.len() - index) as u32;
                self.meter.leave(PathStep { left, moves: node.safe.count_ones(), alpha });
                return None;
            }
            best = best.max(value);
            let cutoff = value > alpha;
            if !self.lacks::<C>(Idea::History) {
                self.history.update(node.history_context(alpha), mv, cutoff);
            }
            if cutoff {
                break;
            }
        }
        Some(best)
    }

    /// Moves the first child from that index on that no other thread is busy with to that index;
    /// none if every one is busy.
    #[cold]
    fn defer_busy(&mut self, index: usize) {
        let open = &mut self.children[index..];
        let is_busy =
            |child: &GeneralChild<W, SYMMETRIES>| self.abdada.is_busy(child.node.canonical_key);
        if let Some(free) = open.iter().position(|child| !is_busy(child)) {
            open[..=free].rotate_right(1);
        }
    }

    /// What the transposition table knows of a child's score, for the side to move at its parent.
    #[inline(always)]
    fn bounds_of<C: Cpu>(
        &self,
        child: &GeneralNode<W, SYMMETRIES>,
        mover_again: bool,
    ) -> Option<ScoreBounds> {
        let bounds = self.probe::<C>(child)?;
        Some(if mover_again { bounds } else { bounds.negated() })
    }

    /// Pushes the children that need search onto the stack. All are resolved and probed before any
    /// is searched (enhanced transposition cutoffs). Returns the best upper bound of the others, or
    /// breaks off with a lower bound that causes a cutoff, which is stored unless it is a mere win
    /// in three plies.
    #[inline(always)]
    fn expand<C: Cpu>(
        &mut self,
        node: &GeneralNode<W, SYMMETRIES>,
        alpha: i32,
        nodes_before: u64,
    ) -> ControlFlow<i32, i32> {
        let &GeneralNode { own, opponent, ply, keys, dead, .. } = node;
        let all = own | opponent;
        let first_child = self.children.len();
        let mut best = ScoreBounds::UNKNOWN.lower;
        let mut moves = node.safe;
        while !moves.is_zero() {
            let mv = moves.lowest();
            moves = moves.without_lowest();
            let after = own | mv;
            let completing = self.board.completing(after);
            let threats = completing & !(all | mv);
            // Two playable threats, or a playable one right below another: the opponent can block
            // only one.
            let playable = threats & self.board.playable(all | mv);
            let stacked = if GRAVITY { playable << 1 & threats } else { W::ZERO };
            if !playable.is_zero() && !(playable.without_lowest() | stacked).is_zero() {
                return ControlFlow::Break((self.board.count - 1 - ply) / 2);
            }
            let mut child = GeneralRoot { own: opponent, opponent: after, ply: ply + 1, keys };
            self.add_disc(&mut child.keys, mv, ply);
            let Forced { resolved, keys, last } =
                self.resolve::<C>(child, -alpha - 1, completing, mv);
            let (position, mover_again) = match resolved {
                Resolved::Bound(value) if -value > alpha => {
                    self.store::<C>(node, ScoreBounds::at_least(-value), nodes_before);
                    return ControlFlow::Break(-value);
                }
                Resolved::Bound(value) => {
                    best = best.max(-value);
                    continue;
                }
                // After an odd number of forced moves the mover is to move again.
                Resolved::Quiet { position, swapped } => (position, swapped),
            };
            let mut child = self.node::<C>(position, keys, dead, mv);
            if GRAVITY {
                child.top = last << 1 & self.board.cells;
            }
            child.discrepancies = node.discrepancies;
            if !self.lacks::<C>(Idea::EnhancedCutoffs)
                && let Some(bounds) = self.bounds_of::<C>(&child, mover_again)
            {
                if bounds.lower > alpha {
                    self.store::<C>(node, ScoreBounds::at_least(bounds.lower), nodes_before);
                    return ControlFlow::Break(bounds.lower);
                }
                if bounds.upper <= alpha {
                    best = best.max(bounds.upper);
                    continue;
                }
            }
            if self.is_limited() && alpha < 0 && mv != node.top && !node.top.is_zero() {
                // The defender does not answer on top, as he might.
                match child.discrepancies.checked_sub(1) {
                    Some(left) => child.discrepancies = left,
                    None => continue,
                }
            }
            // A child with the key of an earlier one has the same score.
            let is_same = |other: &GeneralChild<W, SYMMETRIES>| {
                other.node.canonical_key == child.canonical_key && other.mover_again == mover_again
            };
            if self.tables.is_none() || !self.children[first_child..].iter().any(is_same) {
                self.children.push(GeneralChild { rank: 0, mv, threats, node: child, mover_again });
            }
        }
        ControlFlow::Continue(best)
    }

    /// Sorts the children of a node, best first: a stable insertion sort.
    #[inline(always)]
    fn sort<C: Cpu>(&mut self, node: &GeneralNode<W, SYMMETRIES>, first: usize, alpha: i32) {
        let context =
            GeneralRankingContext { own: node.own, opponent: node.opponent, attacks: alpha >= 0 };
        let history = self.history.view(node.history_context(alpha));
        let weights =
            if self.lacks::<C>(Idea::History) { HistoryWeights::NONE } else { HISTORY_WEIGHTS };
        let children = &mut self.children[first..];
        for index in 0..children.len() {
            let mut child = children[index];
            let replies = child.node.safe.count_ones() as i32;
            child.rank = self.board.rank(&context, child.mv, child.threats, replies)
                + history.rank(child.mv, weights);
            if GRAVITY && child.mv == node.top {
                child.rank += if context.attacks { ON_TOP_ATTACK } else { ON_TOP_DEFENCE };
            }
            let mut at = index;
            while at > 0 && children[at - 1].rank < child.rank {
                children[at] = children[at - 1];
                at -= 1;
            }
            children[at] = child;
        }
    }
}

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> ForcedMoveRules
    for GeneralEngine<W, GRAVITY, SYMMETRIES>
{
    type W = W;

    #[inline(always)]
    fn cell_count(&self) -> i32 {
        self.board.count
    }

    #[inline(always)]
    fn playable(&self, all: W) -> W {
        self.board.playable(all)
    }

    #[inline(always)]
    fn completing(&self, discs: W) -> W {
        self.board.completing(discs)
    }

    #[inline(always)]
    fn safe_moves(&self, playable: W, threats: W) -> W {
        forced::safe_moves::<W, GRAVITY>(playable, threats)
    }

    #[inline(always)]
    fn static_bound(&self, at: &BoundQuery<W>, ply: i32, alpha: i32) -> Option<i32> {
        let (board, ideas) = (&self.board, self.ideas);
        let left = board.count - ply;
        if GRAVITY {
            let bound = if left % 2 == 0 {
                if ideas.has(Idea::Claimeven) {
                    board.claimeven(at, alpha, ideas.has(Idea::Aftereven))
                } else {
                    None
                }
            } else if ideas.has(Idea::OddThreat) {
                board.odd_threat(at, alpha)
            } else {
                None
            };
            if bound.is_some() {
                return bound;
            }
        }
        // The others prove that a side does not win, which is useful for the attacker only.
        let own_attacks = alpha >= 0;
        if GRAVITY
            && own_attacks
            && left % 2 == 0
            && ideas.has(Idea::PairedColumns)
            && left >= PAIRING_MIN_EMPTY
            && board.has_paired_columns(at)
        {
            return Some(0);
        }
        let defender = if own_attacks { at.all & !at.own } else { at.own };
        let leaves_alone = own_attacks && ideas.has(Idea::LeftAlone);
        let empty = board.cells & !at.all;
        let no_win = (ideas.has(Idea::Open) && !board.has_open_shape(defender))
            || (GRAVITY
                && ideas.has(Idea::OnTop)
                && board.stops_on_top(defender, at.all, at.playable, leaves_alone))
            || (!GRAVITY
                && ideas.has(Idea::Potential)
                && board.is_potential_low(defender, empty, own_attacks))
            || (ideas.has(Idea::Pairs)
                && left >= PAIRING_MIN_EMPTY
                && board.has_pairing(defender, empty, at.playable));
        no_win.then_some(0)
    }
}
