//! One readable search, right unless it is told which mistakes to make.
//!
//! Minimax and alpha-beta are one function here; each mistake changes one step of it (those about
//! boards are in `world`). Values are MAX's throughout.

use crate::fault::{Fault, Faults};
use crate::request::{Algorithm, Answer, BOUNDLESS, Disc, Input, Problem};
use crate::world::{BoardWorld, TreeWorld, World};
use fourfold::search::Turn;
use std::collections::HashMap;

/// More than every value.
const INFINITY: i64 = 1 << 40;

/// Something that a search did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Where: the options from the root.
    pub(crate) path: Vec<usize>,
    pub(crate) kind: EventKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// It came to a node with children.
    Enter,
    /// It came to a leaf of this value.
    Leaf(i64),
    /// It left a node with this value.
    Leave(i64),
}

/// What a search with these mistakes answers.
#[must_use]
pub fn answer(input: &Input, faults: Faults) -> Answer {
    run(input, faults, false).0
}

/// The same with everything it did.
pub(crate) fn traced(input: &Input, faults: Faults) -> (Answer, Vec<Event>) {
    run(input, faults, true)
}

fn run(input: &Input, faults: Faults, traced: bool) -> (Answer, Vec<Event>) {
    let pruning = input.algorithm == Algorithm::AlphaBeta;
    match &input.problem {
        Problem::Tree { root, tree } => {
            let turn = if faults.has(Fault::RootAlwaysMax) { Turn::Max } else { *root };
            // Nobody counts plies in a tree that ends by itself, or remembers its nodes.
            let faults = faults.without(&[
                Fault::SideByDepth,
                Fault::TableWithoutDepth,
                Fault::TableWithoutBound,
                Fault::Radboud,
                Fault::GreatestForBoth,
            ]);
            let world = TreeWorld { path: vec![tree] };
            let mut search = Search::new(world, faults, pruning, true, traced);
            let (value, mv) = search.root(i64::from(u16::MAX), turn);
            search.answer(value, mv)
        }
        Problem::Position(board) => {
            let world = BoardWorld::new(board, faults);
            let max_is_x = board.to_move == Disc::X;
            let mut search = Search::new(world, faults, pruning, max_is_x, traced);
            let (value, mv) = search.root(i64::from(board.depth), Turn::Max);
            let for_x = !max_is_x && faults.any(&[Fault::ValueForX, Fault::GreatestForBoth]);
            search.answer(if for_x { -value } else { value }, mv)
        }
    }
}

struct Search<W> {
    world: W,
    faults: Faults,
    pruning: bool,
    max_is_x: bool,
    leaves: Vec<i64>,
    /// The best move at the root.
    best: Option<usize>,
    /// Alpha and beta, if all nodes share them.
    shared: (i64, i64),
    table: HashMap<(Vec<u8>, bool), i64>,
    path: Vec<usize>,
    events: Option<Vec<Event>>,
}

impl<W: World> Search<W> {
    fn new(world: W, faults: Faults, pruning: bool, max_is_x: bool, traced: bool) -> Self {
        Self {
            world,
            faults,
            pruning,
            max_is_x,
            leaves: Vec::new(),
            best: None,
            shared: (0, 0),
            table: HashMap::new(),
            path: Vec::new(),
            events: traced.then(Vec::new),
        }
    }

    fn answer(self, value: i64, mv: Option<usize>) -> (Answer, Vec<Event>) {
        let offset = i64::from(self.faults.has(Fault::MoveFromOne));
        let answer = Answer {
            value: Some(canonical(value)),
            mv: mv.map(|mv| mv as i64 + offset),
            visited: Some(self.leaves.len() as u64),
            leaves: Some(self.leaves.into_iter().map(canonical).collect()),
        };
        (answer, self.events.unwrap_or_default())
    }

    fn note(&mut self, kind: EventKind) {
        if let Some(events) = &mut self.events {
            events.push(Event { path: self.path.clone(), kind });
        }
    }

    /// The whole search: value and move.
    fn root(&mut self, depth: i64, turn: Turn) -> (i64, Option<usize>) {
        let faults = self.faults;
        let infinity = self.infinity();
        let alpha = if faults.has(Fault::AlphaStartsAtZero) { 0 } else { -infinity };
        let beta = if faults.has(Fault::CutsAtRoot) { 0 } else { infinity };
        let first = if faults.has(Fault::TableWithoutDepth) { 1 } else { depth };
        let mut value = 0;
        for depth in first..=depth {
            self.shared = (alpha, beta);
            value = self.visit(depth, alpha, beta, turn, 0);
        }
        (value, self.best)
    }

    fn infinity(&self) -> i64 {
        match () {
            () if self.faults.has(Fault::InfinityTen) => 10,
            () if self.faults.has(Fault::InfinityHundred) => 100,
            () => INFINITY,
        }
    }

    /// Whether a node takes the greatest of its children's values.
    fn maximises(&self, turn: Turn, level: usize) -> bool {
        let faults = self.faults;
        let right = turn == Turn::Max;
        match () {
            () if faults.has(Fault::BothMaximise) => true,
            () if faults.has(Fault::SidesSwapped) => !right,
            () if faults.has(Fault::RootMinimises) && level == 0 => !right,
            () if faults.has(Fault::GreatestForBoth) && level == 0 => right == self.max_is_x,
            () if faults.has(Fault::Radboud) => level == 0 || right == self.max_is_x,
            () => right,
        }
    }

    /// The value of a leaf, or none if the children are to be searched.
    fn leaf(&self, depth: i64, turn: Turn, level: usize) -> Option<i64> {
        let faults = self.faults;
        let horizon = depth <= 0;
        let looks = match () {
            () if faults.has(Fault::EndsUnseen) => self.world.is_full(),
            () if faults.has(Fault::EndsOnlyAtHorizon) => horizon || self.world.is_full(),
            () if faults.has(Fault::DepthBeforeEnd) => !horizon,
            () => true,
        };
        let end = self.world.end(level).filter(|_| looks);
        let end = if faults.has(Fault::EndsUnseen) { end.map(|_| 0) } else { end };
        let value = end.or_else(|| horizon.then(|| self.world.evaluate(turn)))?;
        let for_mover = faults.any(&[Fault::NegamaxLeaf, Fault::Radboud]);
        Some(if for_mover && turn == Turn::Min { -value } else { value })
    }

    fn visit(
        &mut self,
        depth: i64,
        mut alpha: i64,
        mut beta: i64,
        mut turn: Turn,
        level: usize,
    ) -> i64 {
        let faults = self.faults;
        let has = |fault| faults.has(fault);
        if has(Fault::SideByDepth) && level > 0 {
            turn = if depth % 2 == 0 { Turn::Max } else { Turn::Min };
        }
        if level > 0
            && let Some(value) = self.leaf(depth, turn, level)
        {
            self.leaves.push(value);
            self.note(EventKind::Leaf(value));
            return value;
        }
        // Without cuts there are no bounds: that table is right.
        let with_table =
            has(Fault::TableWithoutDepth) || (has(Fault::TableWithoutBound) && self.pruning);
        let key = (with_table && level > 0).then(|| (self.world.key(), turn == Turn::Max));
        if let Some(&value) = key.as_ref().and_then(|key| self.table.get(key)) {
            return value;
        }
        self.note(EventKind::Enter);
        let maximises = self.maximises(turn, level);
        if maximises && (has(Fault::AlphaRestarts) || has(Fault::BoundsRestart)) {
            alpha = -INFINITY;
        }
        if !maximises && (has(Fault::BetaRestarts) || has(Fault::BoundsRestart)) {
            beta = INFINITY;
        }
        let mut best = match () {
            () if has(Fault::BestStartsAtZero) => 0,
            () if maximises || has(Fault::MinStartsLow) => -self.infinity(),
            () => self.infinity(),
        };
        let mut best_move = None;
        for option in self.order() {
            if !self.world.is_open(option) {
                continue;
            }
            if has(Fault::BoundsShared) {
                (alpha, beta) = self.shared;
            }
            self.world.play(option, turn);
            self.path.push(option);
            let (low, high) = self.handed_down(alpha, beta, level);
            let deeper = self.child_depth(depth, level);
            let again = level == 0 && faults.any(&[Fault::SameSideBelowRoot, Fault::Radboud]);
            let next = if again { turn } else { other(turn) };
            let mut value = self.visit(deeper, low, high, next, level + 1);
            self.path.pop();
            if has(Fault::NotNegated) {
                value = -value;
            }
            if has(Fault::BoundsShared) {
                (alpha, beta) = self.shared;
            }

            let (before, best_before) = ((alpha, beta), best);
            let better = if maximises { value > best } else { value < best };
            let as_good = value == best && level == 0 && has(Fault::TiesLast);
            if better || as_good || has(Fault::KeepsLastValue) {
                best = value;
                if !has(Fault::MoveStaysFirst) || best_move.is_none() {
                    best_move = Some(option);
                }
            }
            if has(Fault::MoveLastTried) {
                best_move = Some(option);
            }

            if maximises && !has(Fault::AlphaNotUpdated) {
                alpha = alpha.max(best);
            } else if !maximises && !has(Fault::BetaNotUpdated) {
                beta = beta.min(best);
            }
            self.shared = (alpha, beta);
            let now = (alpha, beta, best);
            let cut = self.cuts(maximises, value, (before.0, before.1, best_before), now);
            self.world.undo(has(Fault::UndoForgotten) || (cut && has(Fault::UndoSkippedOnCut)));
            if cut || has(Fault::FirstChildOnly) {
                break;
            }
        }
        if level == 0 {
            self.best = best_move;
        }
        if let Some(key) = key {
            self.table.insert(key, best);
        }
        self.note(EventKind::Leave(best));
        best
    }

    /// The options in the order in which they are tried.
    fn order(&self) -> Vec<usize> {
        let count = self.world.options();
        let first = usize::from(self.faults.has(Fault::FirstChildSkipped));
        let last = count.saturating_sub(usize::from(self.faults.has(Fault::LastChildSkipped)));
        let mut order: Vec<usize> = (first..last).collect();
        if self.faults.has(Fault::ChildrenReversed) {
            order.reverse();
        }
        order
    }

    /// Alpha and beta for a child.
    fn handed_down(&self, alpha: i64, beta: i64, level: usize) -> (i64, i64) {
        let faults = self.faults;
        if faults.has(Fault::Radboud) && level == 0 {
            return (-INFINITY, INFINITY);
        }
        let low = if faults.has(Fault::AlphaNotDown) { -INFINITY } else { alpha };
        let high = if faults.has(Fault::BetaNotDown) { INFINITY } else { beta };
        match () {
            () if faults.has(Fault::BoundsSwapped) => (high, low),
            () if faults.has(Fault::BoundsNotNegated) => (-high, -low),
            () => (low, high),
        }
    }

    fn child_depth(&self, depth: i64, level: usize) -> i64 {
        let faults = self.faults;
        match level {
            0 if faults.any(&[Fault::DepthPlusOne, Fault::Radboud]) => depth,
            0 if faults.has(Fault::DepthMinusOne) => depth - 2,
            _ => depth - 1,
        }
    }

    /// Whether the rest of a node is cut after a child's `value`: by alpha, beta and best as they
    /// are now, or were before the value came.
    fn cuts(
        &self,
        maximises: bool,
        value: i64,
        before: (i64, i64, i64),
        now: (i64, i64, i64),
    ) -> bool {
        let faults = self.faults;
        let off = faults.has(Fault::NeverCuts)
            || (maximises && faults.has(Fault::CutsOnlyMin))
            || (!maximises && faults.has(Fault::CutsOnlyMax));
        if !self.pruning || off {
            return false;
        }
        if faults.has(Fault::CutWrongBound) {
            return if maximises { value <= before.0 } else { value >= before.1 };
        }
        let (alpha, beta, best) = if faults.has(Fault::CutLate) { before } else { now };
        let (low, high) = match (faults.compares_best(), maximises) {
            (false, _) => (alpha, beta),
            (true, true) => (best, beta),
            (true, false) => (alpha, best),
        };
        match () {
            () if faults.has(Fault::CutStrict) => low > high,
            () if faults.has(Fault::CutReversed) => low < high,
            () => low >= high,
        }
    }
}

fn other(turn: Turn) -> Turn {
    match turn {
        Turn::Max => Turn::Min,
        Turn::Min => Turn::Max,
    }
}

/// The value with every infinity the same.
fn canonical(value: i64) -> i64 {
    if value.abs() > BOUNDLESS { value.signum() * (BOUNDLESS + 1) } else { value }
}
