//! The null-window search: is a position's score above `alpha` or not?
//!
//! Scores are P. Pons' (see [`crate::score::Verdict::distance_score`]): k for a win with the winner's k-th last disc.
//! A search answers with a bound of the score: above `alpha` it is a lower bound, else an upper one.

use super::bounds::{self, Bounds, Situation};
use super::cpu::Cpu;
use super::field::Field;
use super::layout::Layout;
use super::opening::Reached;
use super::order::Order;
use super::table::{Keep, Proven, Table};
use crate::game::Word;
use crate::halt::Halt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A position that needs search: neither side wins at once, and the side to move has two moves or more that do not lose at
/// once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<W> {
    own: W,
    opponent: W,
    ply: i32,
    /// The moves that do not lose at once.
    safe: W,
    key: W,
}

/// What is left of a position when forced moves are played out.
enum Resolved<W> {
    /// A bound of its score that settles the window.
    Settled(i32),
    /// A position to search; `swapped` if the other side is to move there.
    Open { node: Node<W>, swapped: bool },
}

/// What a search may still spend.
#[derive(Debug, Clone, Default)]
pub(super) struct Allowance {
    pub(super) nodes: Option<u64>,
    pub(super) deadline: Option<Instant>,
    pub(super) stop: Option<Arc<AtomicBool>>,
}

/// Late positions are many and quickly searched; they have a table of their own that stays in the cache.
const LATE: i32 = 16;
const LATE_BYTES: u64 = 256 << 10;

/// Clock and flag are looked at every so many nodes.
const NODES_PER_LOOK: u64 = 1024;

/// A search engine for one board, compiled for one layout.
#[derive(Debug)]
pub(super) struct Engine<L: Layout> {
    pub(super) field: Field<L>,
    order: Order<L>,
    bounds: Bounds,
    early: Table<L::W>,
    late: Table<L::W>,
    /// The children of all nodes on the current path, one node after the other.
    children: Vec<Child<L::W>>,
    pub(super) nodes: u64,
    allowance: Allowance,
    next_look: u64,
    /// Where to break off for a while; see [`Engine::compare`].
    pause_at: u64,
    /// Set when the search is to return at once, paused or stopped.
    halted: bool,
    pub(super) stopped: Option<Halt>,
}

impl<L: Layout> Engine<L> {
    /// An engine whose main table takes at most so many bytes; the bytes, if they cannot be had.
    pub(super) fn new(field: Field<L>, bounds: Bounds, bytes: u64) -> Result<Self, u64> {
        // The bounds are proven for even heights only.
        let bounds = if field.height.is_multiple_of(2) { bounds } else { Bounds::NONE };
        Ok(Self {
            order: Order::new(&field),
            early: Table::new(bytes, field.key_bits(), Keep::Costly)?,
            late: Table::new(LATE_BYTES, field.key_bits(), Keep::Recent)?,
            children: Vec::with_capacity(1024),
            field,
            bounds,
            nodes: 0,
            allowance: Allowance::default(),
            next_look: u64::MAX,
            pause_at: u64::MAX,
            halted: false,
            stopped: None,
        })
    }

    /// Starts to count anew against an allowance.
    pub(super) fn begin(&mut self, allowance: Allowance) {
        self.nodes = 0;
        self.stopped = None;
        self.allowance = allowance;
    }

    /// Forgets everything proven so far.
    pub(super) fn clear(&mut self) {
        self.early.clear();
        self.late.clear();
    }

    /// Looks whether the node just counted may still be searched; if not, it is not counted, nor are those met on the way
    /// back up.
    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        let Allowance { nodes, deadline, stop } = &self.allowance;
        self.halted = self.nodes >= self.pause_at;
        if nodes.is_some_and(|limit| self.nodes >= limit) {
            self.stopped = Some(Halt::Nodes);
        } else if stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.stopped = Some(Halt::Stopped);
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stopped = Some(Halt::Time);
        }
        self.halted |= self.stopped.is_some();
        let watched = deadline.is_some() || stop.is_some();
        self.next_look = if watched { self.nodes + NODES_PER_LOOK } else { u64::MAX };
        self.next_look = self.next_look.min(nodes.unwrap_or(u64::MAX)).min(self.pause_at);
    }

    #[inline(always)]
    fn table(&self, node: &Node<L::W>) -> &Table<L::W> {
        if node.ply < self.field.count - LATE { &self.early } else { &self.late }
    }

    #[inline(always)]
    fn store(&mut self, node: &Node<L::W>, proven: Proven, nodes_before: u64) {
        let work = self.nodes - nodes_before;
        let table = if node.ply < self.field.count - LATE { &mut self.early } else { &mut self.late };
        table.store(node.key, proven, work);
    }

    /// Is the score of a position above `alpha`? The side to move must not be able to win at once. The answer is a bound;
    /// none if the search was stopped, or has spent the nodes up to `pause_at`: what it has proven by then stays in the
    /// tables, and asking again goes on from there.
    pub(super) fn compare<C: Cpu>(
        &mut self,
        (own, opponent): (L::W, L::W),
        ply: i32,
        alpha: i32,
        pause_at: u64,
    ) -> Option<i32> {
        self.pause_at = pause_at;
        self.halted = self.stopped.is_some();
        // A look at the first node that is searched; a window that needs none is free.
        self.next_look = 0;
        let bound = self.bound::<C>(own, opponent, ply, alpha);
        (!self.halted).then_some(bound)
    }

    fn bound<C: Cpu>(&mut self, own: L::W, opponent: L::W, ply: i32, alpha: i32) -> i32 {
        let threats = self.field.completing(opponent);
        match self.resolve(own, opponent, ply, alpha, threats) {
            Resolved::Settled(value) => value,
            Resolved::Open { node, swapped } => {
                let (sign, alpha) = if swapped { (-1, -alpha - 1) } else { (1, alpha) };
                if let Some(proven) = self.table(&node).find(node.key) {
                    if proven.lower > alpha {
                        return sign * proven.lower;
                    }
                    if proven.upper <= alpha {
                        return sign * proven.upper;
                    }
                }
                sign * C::search(self, &node, alpha)
            }
        }
    }

    /// Plays forced moves out and asks the static bounds, until the window is settled or there is a choice.
    ///
    /// `threats` are the cells that complete four for the side that moved last. Values are for `own`.
    #[inline(always)]
    fn resolve(
        &self,
        mut own: L::W,
        mut opponent: L::W,
        mut ply: i32,
        mut alpha: i32,
        mut threats: L::W,
    ) -> Resolved<L::W> {
        let field = &self.field;
        let mut swapped = false;
        'forced: loop {
            let all = own | opponent;
            let playable = field.playable(all);
            threats &= !all;
            let value = 'settled: {
                let loss = -((field.count - ply) / 2);
                // Two threats cannot both be blocked, and below a threat one must not play.
                let forced = playable & threats;
                if !forced.without_lowest().is_zero() {
                    break 'settled loss;
                }
                let moves = if forced.is_zero() { playable } else { forced };
                let safe = moves & !(threats >> 1);
                if safe.is_zero() {
                    break 'settled if moves.is_zero() { 0 } else { loss };
                }
                if ply >= field.count - 2 {
                    break 'settled 0;
                }
                // The soonest win is three plies away, the soonest loss four.
                let most = (field.count - 1 - ply) / 2;
                if most <= alpha {
                    break 'settled most;
                }
                let least = -((field.count - 2 - ply) / 2);
                if least > alpha {
                    break 'settled least;
                }
                if safe.without_lowest().is_zero() {
                    (own, opponent) = (opponent, own | safe);
                    ply += 1;
                    alpha = -alpha - 1;
                    swapped = !swapped;
                    threats = field.completing(opponent);
                    continue 'forced;
                }
                let at = Situation { own, all, playable, threats };
                let bound = if ply % 2 == 0 {
                    if self.bounds.evens { bounds::evens(field, &at, alpha) } else { None }
                } else if self.bounds.odd_threat {
                    bounds::odd_threat(field, &at, alpha)
                } else {
                    None
                };
                if let Some(bound) = bound {
                    break 'settled bound;
                }
                let node = Node { own, opponent, ply, safe, key: field.key(own, all) };
                return Resolved::Open { node, swapped };
            };
            return Resolved::Settled(if swapped { -value } else { value });
        }
    }

    /// The search proper. Every child is resolved and looked up before any is searched.
    #[inline(always)]
    pub(super) fn search<C: Cpu>(&mut self, node: &Node<L::W>, alpha: i32) -> i32 {
        let nodes_before = self.nodes;
        if self.nodes >= self.next_look {
            self.look();
            if self.halted {
                return 0;
            }
        }
        self.nodes += 1;
        let &Node { own, opponent, ply, .. } = node;
        let all = own | opponent;
        let first_child = self.children.len();
        let mut best = Proven::NOTHING.lower;
        let mut moves = node.safe;
        while !moves.is_zero() {
            let mv = moves.lowest();
            moves = moves.without_lowest();
            let after = own | mv;
            let threats = self.field.completing(after);
            let open = threats & !(all | mv);
            // Two wins at once, or one on top of the other: the opponent can stop only one.
            let wins = open & self.field.playable(all | mv);
            if !wins.is_zero() && !(wins.without_lowest() | (wins << 1 & open)).is_zero() {
                self.children.truncate(first_child);
                return (self.field.count - 1 - ply) / 2;
            }
            match self.resolve(opponent, after, ply + 1, -alpha - 1, threats) {
                Resolved::Settled(value) => {
                    if -value > alpha {
                        self.children.truncate(first_child);
                        self.store(node, Proven::at_least(-value), nodes_before);
                        return -value;
                    }
                    best = best.max(-value);
                }
                Resolved::Open { node: child, swapped } => {
                    if let Some(Proven { lower, upper }) = self.table(&child).find(child.key) {
                        // After an even number of forced moves the side to move is the opponent, else this side.
                        let (lower, upper) = if swapped { (lower, upper) } else { (-upper, -lower) };
                        if lower > alpha {
                            self.children.truncate(first_child);
                            self.store(node, Proven::at_least(lower), nodes_before);
                            return lower;
                        }
                        if upper <= alpha {
                            best = best.max(upper);
                            continue;
                        }
                    }
                    self.children.push(Child { rank: 0, mv, threats: open, node: child, swapped });
                }
            }
        }
        if self.children.len() > first_child + 1 {
            self.sort(node, first_child);
        }
        let mut proven = None;
        for index in first_child..self.children.len() {
            let Child { node: child, swapped, .. } = self.children[index];
            let value =
                if swapped { C::search(self, &child, alpha) } else { -C::search(self, &child, -alpha - 1) };
            best = best.max(value);
            if self.halted {
                break;
            }
            if value > alpha {
                proven = Some(Proven::at_least(value));
                break;
            }
        }
        self.children.truncate(first_child);
        if self.halted {
            return 0;
        }
        self.store(node, proven.unwrap_or(Proven::at_most(best)), nodes_before);
        best
    }

    /// Sorts the children of a node, best first, by insertion: stable, and fastest for so few.
    #[inline(always)]
    fn sort(&mut self, node: &Node<L::W>, first: usize) {
        let children = &mut self.children[first..];
        let ranking = self.order.at(node.own, node.opponent, node.ply);
        for index in 0..children.len() {
            let mut child = children[index];
            let Node { own, opponent, ply, safe, .. } = child.node;
            let reached = Reached { discs: (own, opponent), ply, safe, again: child.swapped };
            child.rank = self.order.rank(&ranking, child.mv, child.threats, &reached);
            let mut at = index;
            while at > 0 && children[at - 1].rank < child.rank {
                children[at] = children[at - 1];
                at -= 1;
            }
            children[at] = child;
        }
    }
}

/// A child to be searched.
#[derive(Debug, Clone, Copy)]
struct Child<W> {
    rank: i32,
    mv: W,
    /// The genuine threats after the move.
    threats: W,
    node: Node<W>,
    swapped: bool,
}
