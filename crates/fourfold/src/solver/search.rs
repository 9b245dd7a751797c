//! The null-window search: is a position's score above `alpha` or not?
//!
//! Scores are P. Pons' (see [`crate::score::Verdict::distance_score`]): k for a win with the
//! winner's k-th last disc. A search answers with a bound of the score: above `alpha` it is a lower
//! bound, else an upper one.

use super::batch::{LANES, Lanes};
use super::bounds::{self, Bounds, Situation};
use super::cpu::Cpu;
use super::field::Field;
use super::history::{Experience, Known, Occasion};
use super::layout::Layout;
use super::meter::Meter;
use super::opening::Reached;
use super::order::{Asked, Manner, Order, Ranks, role};
use super::policy::{LARGE, Network};
use super::shared::Shared;
use super::table::{Keep, Proven, Spot, Table};
use crate::game::Word;
use std::sync::Arc;

/// A position that forced moves do not settle: neither side wins at once, and the side to move has
/// two moves or more that do not lose at once.
#[derive(Debug, Clone, Copy)]
struct Open<W> {
    own: W,
    opponent: W,
    ply: i32,
    /// The moves that do not lose at once.
    safe: W,
    /// The genuine threats of the side that moved last.
    threats: W,
}

/// One that needs search, and where to look for it in the table.
#[derive(Debug, Clone, Copy)]
struct Node<W> {
    open: Open<W>,
    spot: Spot<W>,
}

/// What is left of a position when forced moves are played out.
enum Resolved<W> {
    /// A bound of its score that settles the window.
    Settled(i32),
    /// A position to search; `swapped` if the other side is to move there.
    Open { open: Open<W>, swapped: bool },
}

/// What still matters close to the deadline, with the bound that it proves, and the one if there is
/// no such thing.
#[derive(Debug, Clone, Copy)]
enum Closeness {
    /// More than the next two.
    Far,
    /// Only a win three plies away is soon enough.
    WinInThree { win: i32, late_win: i32 },
    /// Only a loss four plies away is too soon.
    LossInFour { loss: i32, late_loss: i32 },
}

/// Late positions are many and quickly searched; they have a table of their own that stays in the
/// cache.
const LATE: i32 = 16;
const LATE_BYTES: u64 = 256 << 10;

/// Threads that work on one position tell each other what is proven of positions with more empty
/// cells than this.
const TOLD: i32 = 18;

/// They keep apart while more cells than this are empty. Below, that takes longer than it saves.
const APART: i32 = 22;

/// So often each asks what the others have found.
const NODES_PER_NEWS: u64 = 512;

/// A search engine for one board, compiled for one layout.
#[derive(Debug)]
pub(super) struct Engine<L: Layout> {
    pub(super) field: Field<L>,
    order: Order<L>,
    bounds: Bounds,
    early: Table<L::W>,
    late: Table<L::W>,
    experience: Experience,
    /// The children of all nodes on the current path, one node after the other.
    children: Vec<Child<L::W>>,
    pub(super) meter: Meter,
    /// What the threads of a team tell each other.
    team: Option<Arc<Shared>>,
    /// In a team: the nodes on the current path that others may settle, with the value to compare
    /// with.
    path: Vec<(L::W, i32)>,
    /// One of those that another thread has settled meanwhile, by its number, and its bound: the
    /// search goes back to there.
    settled: Option<(usize, i32)>,
}

impl<L: Layout> Engine<L> {
    /// An engine whose main table takes at most so many bytes; the bytes, if they cannot be had.
    pub(super) fn new(field: Field<L>, bounds: Bounds, bytes: u64) -> Result<Self, u64> {
        Ok(Self {
            order: Order::new(&field),
            early: Table::new(bytes, field.key_bits(), Keep::Costly)?,
            late: Table::new(LATE_BYTES, field.key_bits(), Keep::Recent)?,
            experience: Experience::default(),
            children: Vec::with_capacity(1024),
            field,
            bounds,
            meter: Meter::default(),
            team: None,
            path: Vec::new(),
            settled: None,
        })
    }

    /// Makes it one of several engines that work on one position.
    pub(super) fn join(&mut self, shared: &Arc<Shared>) {
        self.team = Some(Arc::clone(shared));
    }

    /// Forgets everything found so far.
    pub(super) fn clear(&mut self) {
        self.early.clear();
        self.late.clear();
        self.experience = Experience::default();
    }

    #[inline(always)]
    fn table(&self, ply: i32) -> &Table<L::W> {
        if ply < self.field.count - LATE { &self.early } else { &self.late }
    }

    /// A position that will be looked for in the table soon, and in what the team shares.
    #[inline(always)]
    fn node(&self, open: Open<L::W>, shared: Option<&Shared>) -> Node<L::W> {
        let table = self.table(open.ply);
        let key = self.key(&open);
        let spot = table.spot(key);
        table.expect(spot);
        if let Some(shared) = shared {
            shared.expect(key);
        }
        Node { open, spot }
    }

    #[inline(always)]
    fn store(&mut self, at: usize, proven: Proven, nodes_before: u64) {
        let work = self.meter.nodes - nodes_before;
        let node = &self.children[at].node;
        if node.open.ply < self.field.count - LATE {
            self.early.store(node.spot, proven, work);
            if let Some(shared) = &self.team
                && node.open.ply < self.field.count - TOLD
            {
                shared.store(self.key(&node.open), proven, work);
            }
            if self.early.is_crowded() {
                self.grow();
            }
        } else {
            self.late.store(node.spot, proven, work);
        }
    }

    /// What experience tells of the node at that place of the stack hangs on this.
    #[inline(always)]
    fn occasion(&self, at: usize, alpha: i32) -> Occasion<L::W> {
        let Child { node, mv, .. } = &self.children[at];
        Occasion { role: role(node.open.ply, alpha), last: *mv }
    }

    /// Has the table of early positions grow.
    #[cold]
    fn grow(&mut self) {
        self.early.grow();
        let Self { field, early, children, .. } = self;
        for Node { open, spot } in children.iter_mut().map(|child| &mut child.node) {
            if open.ply < field.count - LATE {
                *spot = early.spot(field.key(open.own, open.own | open.opponent));
            }
        }
    }

    #[inline(always)]
    fn key(&self, open: &Open<L::W>) -> L::W {
        self.field.key(open.own, open.own | open.opponent)
    }

    /// Is the score of a position above `alpha`? The side to move must not be able to win at once.
    /// The answer is a bound; none if the search was stopped, or has spent the nodes up to
    /// `pause_at`: what it has proven by then stays in the tables, and asking again goes on
    /// from there.
    pub(super) fn compare<C: Cpu>(
        &mut self,
        (own, opponent): (L::W, L::W),
        ply: i32,
        alpha: i32,
        pause_at: u64,
    ) -> Option<i32> {
        self.meter.open(pause_at);
        self.path.clear();
        self.settled = None;
        let bound = self.bound::<C>(own, opponent, ply, alpha);
        (!self.meter.halted).then_some(bound)
    }

    fn bound<C: Cpu>(&mut self, own: L::W, opponent: L::W, ply: i32, alpha: i32) -> i32 {
        let threats = self.field.completing(opponent);
        match self.resolve(own, opponent, ply, alpha, threats) {
            Resolved::Settled(value) => value,
            Resolved::Open { open, swapped } => {
                let node = self.node(open, None);
                let (sign, alpha) = if swapped { (-1, -alpha - 1) } else { (1, alpha) };
                let found = self.table(open.ply).find(node.spot);
                if let Some(bound) = found.and_then(|found| found.settles(true, alpha)) {
                    return sign * bound;
                }
                self.children.clear();
                self.children.push(Child {
                    node,
                    mine: true,
                    mv: L::W::ZERO,
                    threats: L::W::ZERO,
                    turn: DONE,
                });
                sign * C::search(self, 0, alpha)
            }
        }
    }

    /// Plays forced moves out and asks the static bounds, until the window is settled or there is a
    /// choice.
    ///
    /// `threats` are the cells that complete four for the side that moved last. Values are for
    /// `own`.
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
                let safe = field.answers(all, threats);
                if safe.is_zero() {
                    break 'settled if playable.is_zero() { 0 } else { loss };
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
                let bound = if (field.count - ply) % 2 == 0 {
                    if self.bounds.evens { bounds::evens(field, &at, alpha) } else { None }
                } else if self.bounds.odd_threat {
                    bounds::odd_threat(field, &at, alpha)
                } else {
                    None
                };
                if let Some(bound) = bound {
                    break 'settled bound;
                }
                return Resolved::Open {
                    open: Open { own, opponent, ply, safe, threats },
                    swapped,
                };
            };
            return Resolved::Settled(if swapped { -value } else { value });
        }
    }

    /// The same after a move whose only reply has been played, and settled if that takes no search.
    /// A side that is to move again may have a win three plies away by now.
    #[inline(always)]
    fn follow(&self, own: L::W, opponent: L::W, ply: i32, alpha: i32) -> Resolved<L::W> {
        let resolved = self.resolve(own, opponent, ply, alpha, self.field.completing(opponent));
        let Resolved::Open { open, swapped } = &resolved else { return resolved };
        let (sign, wanted) = if *swapped { (-1, -alpha - 1) } else { (1, alpha) };
        if let Some(value) = self.near_deadline(open, self.closeness(open.ply, wanted)) {
            return Resolved::Settled(sign * value);
        }
        if !swapped && self.wins_in_three(open.own, open.opponent, open.safe) {
            return Resolved::Settled((self.field.count - 1 - open.ply) / 2);
        }
        resolved
    }

    /// How close to the last ply at which a win would still matter a position is that is compared
    /// with `alpha`.
    #[inline(always)]
    fn closeness(&self, ply: i32, alpha: i32) -> Closeness {
        let left = self.field.count - ply;
        let (late_win, late_loss) = ((left - 3) / 2, -((left - 4) / 2));
        if late_win <= alpha {
            Closeness::WinInThree { win: (left - 1) / 2, late_win }
        } else if late_loss > alpha {
            Closeness::LossInFour { loss: -((left - 2) / 2), late_loss }
        } else {
            Closeness::Far
        }
    }

    /// Settles a position close to the deadline without search.
    #[inline(always)]
    fn near_deadline(&self, open: &Open<L::W>, closeness: Closeness) -> Option<i32> {
        let &Open { own, opponent, safe, .. } = open;
        match closeness {
            Closeness::Far => None,
            Closeness::WinInThree { win, late_win } => {
                Some(if self.wins_in_three(own, opponent, safe) { win } else { late_win })
            }
            Closeness::LossInFour { loss, late_loss } => {
                Some(if self.loses_in_four(own, opponent, safe) { loss } else { late_loss })
            }
        }
    }

    /// Is there a move after which every reply loses at once?
    #[inline(always)]
    fn wins_in_three(&self, own: L::W, opponent: L::W, safe: L::W) -> bool {
        let mut first = 0;
        while first < Lanes::end(&self.field) {
            if Lanes::new(&self.field, own, opponent, safe, first).wins {
                return true;
            }
            first += LANES as u32;
        }
        false
    }

    /// Can the opponent win three plies on, whatever the side to move does?
    #[inline(always)]
    fn loses_in_four(&self, own: L::W, opponent: L::W, safe: L::W) -> bool {
        let field = &self.field;
        let mut moves = safe;
        let mut first = 0;
        while first < Lanes::end(field) {
            let lanes = Lanes::new(field, own, opponent, safe, first);
            if lanes.wins {
                return false;
            }
            while !moves.is_zero() {
                let mv = moves.lowest();
                let lane = (field.column_of(mv.trailing_zeros()) - first) as usize;
                if !L::ROOMY && lane >= LANES {
                    break;
                }
                moves = moves.without_lowest();
                let (after, replies) = (own | mv, lanes.safe[lane % LANES]);
                let loses = if replies.without_lowest().is_zero() {
                    // The only reply is played.
                    let opponent = opponent | replies;
                    let all = after | opponent;
                    field.answers(all, field.completing(opponent) & !all).is_zero()
                } else {
                    self.wins_in_three(opponent, after, replies)
                };
                if !loses {
                    return false;
                }
            }
            first += LANES as u32;
        }
        true
    }

    /// The search proper, of the node at that place of the stack. Every child is resolved and
    /// looked up before any is searched.
    #[inline(always)]
    pub(super) fn search<C: Cpu>(&mut self, at: usize, alpha: i32) -> i32 {
        let nodes_before = self.meter.nodes;
        if !self.meter.spend() {
            return 0;
        }
        if self.team.is_some() && self.meter.nodes.is_multiple_of(NODES_PER_NEWS) {
            self.hear_news();
            if self.meter.halted {
                return 0;
            }
        }
        let first_child = self.children.len();
        let occasion = self.occasion(at, alpha);
        let (proven, value) = match self.expand::<C>(at, alpha, occasion) {
            Expanded::AtLeast(value) => (Proven::at_least(value), value),
            Expanded::Open { mut best, mut next } => {
                let together = self.team.is_some()
                    && self.children[at].node.open.ply < self.field.count - APART;
                if together {
                    let key = self.key(&self.children[at].node.open);
                    self.path.push((key, alpha));
                }
                while next != DONE {
                    let child = first_child + place(next);
                    self.children[child].turn = DONE;
                    let told = if together { self.begin(child, alpha) } else { None };
                    let value = match told {
                        Some(value) => value,
                        None if self.children[child].mine => C::search(self, child, alpha),
                        None => -C::search(self, child, -alpha - 1),
                    };
                    if together {
                        self.end(child);
                    }
                    if self.meter.halted {
                        self.children.truncate(first_child);
                        return if together { self.leave() } else { 0 };
                    }
                    best = best.max(value);
                    let enough = best > alpha;
                    self.experience.learn(occasion, self.children[child].mv, enough);
                    if enough {
                        break;
                    }
                    let turns = self.children[first_child..].iter().map(|child| child.turn);
                    next = if together {
                        self.next_in_team(first_child)
                    } else {
                        turns.fold(DONE, u32::max)
                    };
                }
                if together {
                    self.path.pop();
                }
                (if best > alpha { Proven::at_least(best) } else { Proven::at_most(best) }, best)
            }
        };
        self.children.truncate(first_child);
        self.store(at, proven, nodes_before);
        value
    }

    /// Asks whether another thread has settled a node on the path meanwhile; if so, the search goes
    /// back to the first such.
    #[cold]
    fn hear_news(&mut self) {
        let Some(shared) = &self.team else { return };
        let settled = self.path.iter().enumerate().find_map(|(number, &(key, alpha))| {
            Some((number, shared.find(key)?.settles(true, alpha)?))
        });
        if settled.is_some() {
            self.settled = settled;
            self.meter.halted = true;
        }
    }

    /// Leaves a node of the path on the way back; its bound, if it is the one that another thread
    /// has settled.
    #[cold]
    fn leave(&mut self) -> i32 {
        self.path.pop();
        match self.settled {
            Some((number, bound)) if number == self.path.len() => {
                self.settled = None;
                self.meter.halted = self.meter.stopped.is_some();
                bound
            }
            _ => 0,
        }
    }

    /// Begins with a child, unless another thread has found enough of it since it was looked up to
    /// settle the matter: a bound then, for the side that is to move at the parent.
    #[cold]
    fn begin(&self, child: usize, alpha: i32) -> Option<i32> {
        let shared = self.team.as_ref()?;
        let Child { node, mine, .. } = &self.children[child];
        let key = self.key(&node.open);
        let told = shared.find(key).and_then(|told| told.settles(*mine, alpha));
        if told.is_none() {
            shared.begin(key);
        }
        told
    }

    /// Has done with a child.
    #[cold]
    fn end(&self, child: usize) {
        if let Some(shared) = &self.team {
            shared.end(self.key(&self.children[child].node.open));
        }
    }

    /// The turn of the next child when the first has been searched and did not cut: one that no
    /// other thread is busy with, if there is one.
    #[cold]
    fn next_in_team(&self, first_child: usize) -> u32 {
        let children = self.children[first_child..].iter().filter(|child| child.turn != DONE);
        let is_free = |child: &&Child<L::W>| {
            !self.team.as_ref().is_some_and(|shared| shared.is_busy(self.key(&child.node.open)))
        };
        let free = children.clone().filter(is_free).map(|child| child.turn).max();
        free.or_else(|| children.map(|child| child.turn).max()).unwrap_or(DONE)
    }

    /// Puts the children that need search on the stack. What is found without search comes first,
    /// for all of them and cheapest first: wins three plies away, static bounds, forced moves
    /// and the table.
    #[inline(always)]
    fn expand<C: Cpu>(&mut self, at: usize, alpha: i32, occasion: Occasion<L::W>) -> Expanded {
        let Open { own, opponent, ply, safe, threats } = self.children[at].node.open;
        let field = &self.field;
        let mut best = Proven::NOTHING.lower;
        let first_child = self.children.len();
        let shared = self.team.as_deref().filter(|_| ply + 1 < field.count - TOLD);
        let next_closeness = self.closeness(ply + 1, -alpha - 1);
        let mut first = 0;
        while first < Lanes::end(field) {
            let lanes = Lanes::new(field, own, opponent, safe, first);
            if lanes.wins {
                return Expanded::AtLeast((field.count - 1 - ply) / 2);
            }
            // No win three plies away in these columns. The next is five away; with three cells
            // left there is none.
            let later = (field.count - 3 - ply) / 2;
            if later <= alpha {
                best = later;
                first += LANES as u32;
                continue;
            }
            if ply >= field.count - 3 {
                return Expanded::AtLeast(0);
            }
            // What the opponent must be held to.
            let wanted = -alpha - 1;
            let bound = if (field.count - 5 - ply) / 2 <= alpha {
                // Only a win five plies away would do, and bounds are about the end of the game.
                None
            } else if (field.count - ply) % 2 == 0 {
                if self.bounds.odd_threat {
                    lanes.odd_threat(field, own, opponent, wanted)
                } else {
                    None
                }
            } else if self.bounds.evens {
                lanes.evens(field, own, opponent, wanted)
            } else {
                None
            };
            if let Some(most) = bound {
                return Expanded::AtLeast(-most);
            }
            let lane_of =
                |mv: L::W| (field.column_of(mv.trailing_zeros()) - first) as usize % LANES;
            let mut forcing = lanes.forcing;
            while !forcing.is_zero() {
                let mv = forcing.lowest();
                forcing = forcing.without_lowest();
                let lane = lane_of(mv);
                match self.follow(own | mv, opponent | lanes.safe[lane], ply + 2, alpha) {
                    Resolved::Settled(value) if value > alpha => return Expanded::AtLeast(value),
                    Resolved::Settled(value) => best = best.max(value),
                    Resolved::Open { open, swapped } => {
                        let (node, threats) = (self.node(open, shared), lanes.threats[lane]);
                        self.children.push(Child { node, mine: !swapped, mv, threats, turn: DONE });
                    }
                }
            }
            let mut free = lanes.free;
            while !free.is_zero() {
                let mv = free.lowest();
                free = free.without_lowest();
                let lane = lane_of(mv);
                let (threats, safe) = (lanes.threats[lane], lanes.safe[lane]);
                let open = Open { own: opponent, opponent: own | mv, ply: ply + 1, safe, threats };
                match self.near_deadline(&open, next_closeness) {
                    Some(value) if -value > alpha => return Expanded::AtLeast(-value),
                    Some(value) => best = best.max(-value),
                    None => {
                        let node = self.node(open, shared);
                        self.children.push(Child { node, mine: false, mv, threats, turn: DONE });
                    }
                }
            }
            first += LANES as u32;
        }
        let children = &mut self.children[first_child..];
        let mut open = 0u64;
        for (place, child) in children.iter().enumerate() {
            let Node { open: position, spot } = child.node;
            let table = if position.ply < field.count - LATE { &self.early } else { &self.late };
            // A branch that is mostly foretold: what follows need not wait for the table.
            let mut found = table.find(spot);
            if let Some(shared) = shared {
                let told = shared.find(field.key(position.own, position.own | position.opponent));
                found = found.map(|found| told.map_or(found, |told| found.and(told))).or(told);
            }
            if let Some(Proven { lower, upper }) = found {
                let (lower, upper) = if child.mine { (lower, upper) } else { (-upper, -lower) };
                if lower > alpha {
                    return Expanded::AtLeast(lower);
                }
                if upper <= alpha {
                    best = best.max(upper);
                    continue;
                }
            }
            open |= 1 << place;
        }
        if open == 0 {
            return Expanded::Open { best, next: DONE };
        }
        if open.is_power_of_two() {
            // The only one that is left needs no rank.
            let place = open.trailing_zeros() as usize;
            let next = turn(0, place);
            children[place].turn = next;
            return Expanded::Open { best, next };
        }
        let asked = Asked { discs: (own, opponent), threats, ply, alpha };
        let (order, known) = (&self.order, self.experience.at(occasion));
        let next = match order.manner(&asked) {
            Manner::Quick => rank(children, open, &order.quick(&asked), known),
            Manner::Tuned => rank(children, open, &order.tuned(&asked, self.meter.nodes), known),
            Manner::Small(network) => rank(children, open, &order.learned(&asked, network), known),
            Manner::Large(network) => {
                C::rank_closely(self, &Stakes { first_child, open, asked, occasion, network })
            }
        };
        Expanded::Open { best, next }
    }

    /// Gives the children that are still open their turns by a large network; the first of the
    /// turns.
    #[inline(always)]
    pub(super) fn rank_closely(&mut self, stakes: &Stakes<L::W>) -> u32 {
        let Stakes { first_child, open, asked, occasion, network } = stakes;
        let children = &mut self.children[*first_child..];
        rank(children, *open, &self.order.learned(asked, network), self.experience.at(*occasion))
    }
}

/// Gives the children that are still open their turns; the first of the turns.
#[inline(always)]
fn rank<W: Word, R: Ranks<W>>(
    children: &mut [Child<W>],
    mut open: u64,
    ranking: &R,
    known: Known<'_>,
) -> u32 {
    let mut next = DONE;
    while open != 0 {
        let place = open.trailing_zeros() as usize;
        open &= open - 1;
        let child = &mut children[place];
        let Open { own, opponent, ply, safe, .. } = child.node.open;
        let reached = Reached { discs: (own, opponent), ply, safe, again: child.mine };
        let rank =
            ranking.rank(child.mv, child.threats, &reached) + known.rank(child.mv, ranking.trust());
        child.turn = turn(rank, place);
        next = next.max(child.turn);
    }
    next
}

/// The turn of a child that has been searched.
const DONE: u32 = 0;

/// When a child is searched: the highest rank first, of several the first. The number says where
/// the child is, too.
#[inline(always)]
fn turn(rank: i32, place: usize) -> u32 {
    ((rank + (1 << 24)) as u32) << 6 | (63 - place as u32)
}

/// Where the child of a turn is.
#[inline(always)]
fn place(turn: u32) -> usize {
    (63 - turn % 64) as usize
}

/// What is known of a node before its children are searched.
enum Expanded {
    /// A lower bound that settles the window.
    AtLeast(i32),
    /// The best of the children that need no search, and the turn of the first of the others.
    Open { best: i32, next: u32 },
}

/// A node at which so much is at stake that a large network is asked.
pub(super) struct Stakes<W> {
    /// Where its children begin.
    first_child: usize,
    /// Which of them are still open.
    open: u64,
    asked: Asked<W>,
    occasion: Occasion<W>,
    network: &'static Network<LARGE, true>,
}

/// A child to be searched.
#[derive(Debug, Clone, Copy)]
struct Child<W> {
    node: Node<W>,
    /// Is the side to move there the one that made the move?
    mine: bool,
    mv: W,
    /// The genuine threats after the move.
    threats: W,
    /// See [`turn`].
    turn: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Rules};
    use crate::random::Random;
    use crate::solver::layout::{Bytes, Packed};
    use crate::solver::soundness::random_position;

    /// Can the side to move win within so many plies? By the rules alone.
    fn wins_within(position: &Position, plies: u32) -> bool {
        position.wins_at_once()
            || plies > 1
                && position
                    .legal_moves()
                    .iter()
                    .any(|&mv| loses_within(&position.play_unchecked(mv), plies - 1))
    }

    fn loses_within(position: &Position, plies: u32) -> bool {
        let moves = position.legal_moves();
        plies > 1
            && !moves.is_empty()
            && !position.wins_at_once()
            && moves.iter().all(|&mv| wins_within(&position.play_unchecked(mv), plies - 1))
    }

    /// How often there was a win three plies away, and a loss four plies away.
    fn check<L: Layout>(game: &str, layout: L, seed: u64) -> (u32, u32) {
        let rules: Rules = game.parse().unwrap();
        let engine = Engine::new(Field::new(&rules, layout), Bounds::NONE, 1 << 10).unwrap();
        let mut random = Random::new(seed);
        let (mut wins, mut losses) = (0, 0);
        for _ in 0..2000 {
            let plies = random.below(rules.cells() as usize - 2) as u32;
            let Some(position) = random_position(&rules, plies, true, &mut random) else {
                continue;
            };
            let (own, opponent) = engine.field.discs(&position);
            let all = own | opponent;
            let safe = engine.field.answers(all, engine.field.completing(opponent) & !all);
            if position.wins_at_once() || safe.without_lowest().is_zero() {
                continue;
            }
            let win = engine.wins_in_three(own, opponent, safe);
            assert_eq!(win, wins_within(&position, 3), "{game}, seed {seed}\n{position}");
            let loss = engine.loses_in_four(own, opponent, safe);
            assert_eq!(loss, loses_within(&position, 4), "{game}, seed {seed}\n{position}");
            wins += u32::from(win);
            losses += u32::from(loss);
        }
        (wins, losses)
    }

    #[test]
    fn what_is_settled_close_to_the_deadline() {
        for (wins, losses) in [
            check("7x6c4", Bytes, 1),
            check("5x4c4", Bytes, 2),
            check("6x7c4", Packed::<u64>::new(7), 3),
            check("9x5c4", Packed::<u64>::new(5), 4),
            check("10x7c4", Packed::<u128>::new(7), 5),
        ] {
            assert!(wins > 20 && losses > 2, "{wins} wins, {losses} losses");
        }
    }
}
