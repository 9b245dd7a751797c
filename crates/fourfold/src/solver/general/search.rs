//! The null-window search for any game: is a position's score above `alpha` or not?
//!
//! Scores and answers are those of the search for lines of four (`solver/search.rs`).

use super::super::Bounds;
use super::super::cpu::Cpu;
use super::super::meter::Meter;
use super::super::table::{Keep, Proven, Table};
use super::Ground;
use super::bounds::Situation;
use super::ground::Keys;
use super::order::Choice;
use crate::game::{Position, Rules, Word};

/// A position that needs search: neither side wins at once, and the side to move has two moves or
/// more that do not lose at once.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Node<W, const IMAGES: usize> {
    own: W,
    opponent: W,
    ply: i32,
    /// The moves that do not lose at once.
    safe: W,
    keys: Keys<W, IMAGES>,
    /// The least of them.
    key: W,
}

/// A position to start from.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Root<W, const IMAGES: usize> {
    own: W,
    opponent: W,
    ply: i32,
    keys: Keys<W, IMAGES>,
}

/// What is left of a position when forced moves are played out.
enum Resolved<W, const IMAGES: usize> {
    /// A bound of its score that settles the window.
    Settled(i32),
    /// A position to search; `swapped` if the other side is to move there.
    Open { node: Node<W, IMAGES>, swapped: bool },
}

/// Late positions are many and quickly searched; they have a table of their own that stays in the
/// cache.
const LATE: i32 = 10;
const LATE_BYTES: u64 = 256 << 10;

/// Pairs take long to look for, so only with at least so many empty cells.
const PAIRED_FROM: i32 = 7;

/// A search engine for one game.
#[derive(Debug)]
pub(in super::super) struct Engine<W, const GRAVITY: bool, const IMAGES: usize> {
    ground: Ground<W, GRAVITY, IMAGES>,
    bounds: Bounds,
    /// None if the board is too large for keys.
    tables: Option<Tables<W>>,
    /// The children of all nodes on the current path, one node after the other.
    children: Vec<Child<W, IMAGES>>,
    pub(in super::super) meter: Meter,
}

#[derive(Debug)]
struct Tables<W> {
    early: Table<W>,
    late: Table<W>,
}

/// A child to be searched.
#[derive(Debug, Clone, Copy)]
struct Child<W, const IMAGES: usize> {
    rank: i32,
    mv: W,
    /// The genuine threats after the move.
    threats: W,
    node: Node<W, IMAGES>,
    swapped: bool,
}

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Engine<W, GRAVITY, IMAGES> {
    /// Does the board fit the word? Without gravity its keys should too, for positions of larger
    /// boards are not remembered.
    pub(in super::super) fn fits(rules: &Rules) -> bool {
        rules.bits() <= W::BITS
            && (GRAVITY || W::BITS == u128::BITS || 2 * rules.cells() <= W::BITS)
    }

    /// An engine whose main table takes at most so many bytes; the bytes, if they cannot be had.
    pub(in super::super) fn new(
        ground: Ground<W, GRAVITY, IMAGES>,
        bounds: Bounds,
        bytes: u64,
    ) -> Result<Self, u64> {
        let tables = match ground.key_bits() {
            Some(bits) => Some(Tables {
                early: Table::new(bytes, bits, Keep::Costly)?,
                late: Table::new(LATE_BYTES, bits, Keep::Recent)?,
            }),
            None => None,
        };
        Ok(Self {
            ground,
            bounds,
            tables,
            children: Vec::with_capacity(1024),
            meter: Meter::default(),
        })
    }

    /// Forgets everything proven so far.
    pub(in super::super) fn clear(&mut self) {
        if let Some(Tables { early, late }) = &mut self.tables {
            early.clear();
            late.clear();
        }
    }

    /// A position as [`Engine::compare`] takes it.
    pub(in super::super) fn root(&self, position: &Position) -> Root<W, IMAGES> {
        let (own, opponent) = self.ground.discs(position);
        Root { own, opponent, ply: position.ply() as i32, keys: self.ground.keys(position) }
    }

    #[inline(always)]
    fn find(&self, node: &Node<W, IMAGES>) -> Option<Proven> {
        let Tables { early, late } = self.tables.as_ref()?;
        let table = if node.ply < self.ground.count - LATE { early } else { late };
        table.find(table.spot(node.key))
    }

    #[inline(always)]
    fn store(&mut self, node: &Node<W, IMAGES>, proven: Proven, nodes_before: u64) {
        let work = self.meter.nodes - nodes_before;
        if let Some(Tables { early, late }) = &mut self.tables {
            let table = if node.ply < self.ground.count - LATE { early } else { late };
            table.store(table.spot(node.key), proven, work);
            if table.is_crowded() {
                table.grow();
            }
        }
    }

    /// Is the score of a position above `alpha`? The side to move must not be able to win at once.
    /// The answer is a bound; none if the search was stopped, or has spent the nodes up to
    /// `pause_at`: what it has proven by then stays in the tables, and asking again goes on
    /// from there.
    pub(in super::super) fn compare<C: Cpu>(
        &mut self,
        root: &Root<W, IMAGES>,
        alpha: i32,
        pause_at: u64,
    ) -> Option<i32> {
        self.meter.open(pause_at);
        let threats = self.ground.completing(root.opponent);
        let bound = match self.resolve(*root, alpha, threats) {
            Resolved::Settled(value) => value,
            Resolved::Open { node, swapped } => {
                let (sign, alpha) = if swapped { (-1, -alpha - 1) } else { (1, alpha) };
                sign * match self.find(&node) {
                    Some(proven) if proven.lower > alpha => proven.lower,
                    Some(proven) if proven.upper <= alpha => proven.upper,
                    _ => C::search_any(self, &node, alpha),
                }
            }
        };
        (!self.meter.halted).then_some(bound)
    }

    /// Plays forced moves out and asks the static bounds, until the window is settled or there is a
    /// choice.
    ///
    /// `threats` are the cells that complete a shape for the side that moved last. Values are for
    /// the root's `own`.
    #[inline(always)]
    fn resolve(
        &self,
        root: Root<W, IMAGES>,
        mut alpha: i32,
        mut threats: W,
    ) -> Resolved<W, IMAGES> {
        let ground = &self.ground;
        let Root { mut own, mut opponent, mut ply, mut keys } = root;
        let mut swapped = false;
        'forced: loop {
            let all = own | opponent;
            let playable = ground.playable(all);
            threats &= !all;
            let value = 'settled: {
                let loss = -((ground.count - ply) / 2);
                // Two threats cannot both be blocked, and below a threat one must not play.
                let forced = playable & threats;
                if !forced.without_lowest().is_zero() {
                    break 'settled loss;
                }
                let moves = if forced.is_zero() { playable } else { forced };
                let safe = if GRAVITY { moves & !(threats >> 1) } else { moves };
                if safe.is_zero() {
                    break 'settled if moves.is_zero() { 0 } else { loss };
                }
                if ply >= ground.count - 2 {
                    break 'settled 0;
                }
                // The soonest win is three plies away, the soonest loss four.
                let most = (ground.count - 1 - ply) / 2;
                if most <= alpha {
                    break 'settled most;
                }
                let least = -((ground.count - 2 - ply) / 2);
                if least > alpha {
                    break 'settled least;
                }
                if safe.without_lowest().is_zero() {
                    ground.add(&mut keys, safe, (ply % 2) as usize);
                    (own, opponent) = (opponent, own | safe);
                    ply += 1;
                    alpha = -alpha - 1;
                    swapped = !swapped;
                    threats = ground.completing(opponent);
                    continue 'forced;
                }
                let at = Situation { own, all, playable, threats };
                if let Some(bound) = self.static_bound(&at, ply, alpha) {
                    break 'settled bound;
                }
                let key = Ground::<W, GRAVITY, IMAGES>::least(&keys);
                return Resolved::Open {
                    node: Node { own, opponent, ply, safe, keys, key },
                    swapped,
                };
            };
            return Resolved::Settled(if swapped { -value } else { value });
        }
    }

    /// A bound of the score of the side to move that settles the window, if strategies prove one.
    /// No threat of the side that moved last is playable.
    #[inline(always)]
    fn static_bound(&self, at: &Situation<W>, ply: i32, alpha: i32) -> Option<i32> {
        let (ground, bounds) = (&self.ground, &self.bounds);
        let left = ground.count - ply;
        if GRAVITY {
            let bound = if left % 2 == 0 {
                if bounds.evens { ground.evens(at, alpha) } else { None }
            } else if bounds.odd_threat {
                ground.odd_threat(at, alpha)
            } else {
                None
            };
            if bound.is_some() {
                return bound;
            }
        }
        // The rest tells that one side does not win: worth asking of the side that the window is
        // about.
        let own_wins = alpha >= 0;
        let x = if own_wins { at.all & !at.own } else { at.own };
        let empties = ground.cells & !at.all;
        let stopped = (bounds.open && !ground.is_open(x))
            || (!GRAVITY && bounds.potential && ground.is_faint(x, empties, own_wins))
            || (bounds.pairs && left >= PAIRED_FROM && ground.is_paired(x, empties, at.playable));
        stopped.then_some(0)
    }

    /// The search proper. Every child is resolved and looked up before any is searched.
    #[inline(always)]
    pub(in super::super) fn search<C: Cpu>(&mut self, node: &Node<W, IMAGES>, alpha: i32) -> i32 {
        let nodes_before = self.meter.nodes;
        if !self.meter.spend() {
            return 0;
        }
        let &Node { own, opponent, ply, keys, .. } = node;
        let all = own | opponent;
        let first_child = self.children.len();
        let mut best = Proven::NOTHING.lower;
        let mut moves = node.safe;
        while !moves.is_zero() {
            let mv = moves.lowest();
            moves = moves.without_lowest();
            let after = own | mv;
            let threats = self.ground.completing(after);
            let open = threats & !(all | mv);
            // Two wins at once, or one on top of the other: the opponent can stop only one.
            let wins = open & self.ground.playable(all | mv);
            let stacked = if GRAVITY { wins << 1 & open } else { W::ZERO };
            if !wins.is_zero() && !(wins.without_lowest() | stacked).is_zero() {
                self.children.truncate(first_child);
                return (self.ground.count - 1 - ply) / 2;
            }
            let mut child = Root { own: opponent, opponent: after, ply: ply + 1, keys };
            self.ground.add(&mut child.keys, mv, (ply % 2) as usize);
            match self.resolve(child, -alpha - 1, threats) {
                Resolved::Settled(value) => {
                    if -value > alpha {
                        self.children.truncate(first_child);
                        self.store(node, Proven::at_least(-value), nodes_before);
                        return -value;
                    }
                    best = best.max(-value);
                }
                Resolved::Open { node: child, swapped } => {
                    if let Some(Proven { lower, upper }) = self.find(&child) {
                        // After an even number of forced moves the side to move is the opponent,
                        // else this side.
                        let (lower, upper) =
                            if swapped { (lower, upper) } else { (-upper, -lower) };
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
                    // An image of a child that is there already has its score.
                    let is_image = |other: &Child<W, IMAGES>| {
                        other.node.key == child.key && other.swapped == swapped
                    };
                    if self.tables.is_none() || !self.children[first_child..].iter().any(is_image) {
                        self.children.push(Child {
                            rank: 0,
                            mv,
                            threats: open,
                            node: child,
                            swapped,
                        });
                    }
                }
            }
        }
        if self.children.len() > first_child + 1 {
            self.sort(node, first_child, alpha);
        }
        let mut proven = None;
        for index in first_child..self.children.len() {
            let Child { node: child, swapped, .. } = self.children[index];
            let value = if swapped {
                C::search_any(self, &child, alpha)
            } else {
                -C::search_any(self, &child, -alpha - 1)
            };
            best = best.max(value);
            if self.meter.halted {
                break;
            }
            if value > alpha {
                proven = Some(Proven::at_least(value));
                break;
            }
        }
        self.children.truncate(first_child);
        if self.meter.halted {
            return 0;
        }
        self.store(node, proven.unwrap_or(Proven::at_most(best)), nodes_before);
        best
    }

    /// Sorts the children of a node, best first, by insertion: stable.
    #[inline(always)]
    fn sort(&mut self, node: &Node<W, IMAGES>, first: usize, alpha: i32) {
        let choice = Choice { own: node.own, opponent: node.opponent, attacks: alpha >= 0 };
        let children = &mut self.children[first..];
        for index in 0..children.len() {
            let mut child = children[index];
            let replies = child.node.safe.count_ones() as i32;
            child.rank = self.ground.rank(&choice, child.mv, child.threats, replies);
            let mut at = index;
            while at > 0 && children[at - 1].rank < child.rank {
                children[at] = children[at - 1];
                at -= 1;
            }
            children[at] = child;
        }
    }
}
