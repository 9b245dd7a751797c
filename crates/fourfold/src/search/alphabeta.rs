//! Alpha-beta with every switch of [`SearchOptions`] (and, with `alpha_beta` off, minimax with the
//! others).
//!
//! Values are MAX's and fail-soft: outside the window they are still bounds (Fishburn 1981). A
//! switch that is off costs a predictable branch at most.

use super::limits::Countdown;
use super::line::Lines;
use super::minimax::minimax;
use super::table::{EntryBound, TableEntry, TranspositionTable, bound_of};
use super::{
    Halt, Keyed, LeafKind, Lookup, Observer, PreferReason, SearchOptions, SkipReason, Tree, Turn,
    Window,
};
use crate::score::{INFINITY, WIN};

/// The transposition table and the cache of proven ends, which a [`super::Searcher`] keeps between
/// searches.
#[derive(Debug)]
pub(super) struct Tables<K> {
    pub(super) table: Option<TranspositionTable<K>>,
    pub(super) ends: Option<TranspositionTable<K>>,
}

/// MiB for the cache of proven ends when there is no table whose size it could share.
const ENDS_MEBIBYTES: u32 = 8;

impl<K: Copy + Eq + Default> Tables<K> {
    /// The tables that the options ask for; the size in bytes if they do not fit into memory.
    pub(super) fn new(options: &SearchOptions) -> Result<Self, u64> {
        let table =
            (options.table > 0).then(|| TranspositionTable::new(options.table)).transpose()?;
        let ends_size = if options.table > 0 { options.table } else { ENDS_MEBIBYTES };
        let ends = options.cached_ends.then(|| TranspositionTable::new(ends_size)).transpose()?;
        Ok(Self { table, ends })
    }
}

/// One search under way.
pub(super) struct Walker<'a, T: Tree, O> {
    tree: &'a T,
    options: &'a SearchOptions,
    /// No switch changes how nodes are searched, so [`minimax`] will do.
    plain: bool,
    /// Some switch orders moves, so they are gathered and sorted before they are tried.
    sorts: bool,
    pub(super) tables: &'a mut Tables<T::Key>,
    pub(super) countdown: &'a mut Countdown,
    pub(super) observer: &'a mut O,
    pub(super) lines: Lines<T::Move>,
    /// Killer moves: the two that last caused a cut-off at each ply.
    killers: Vec<[Option<T::Move>; 2]>,
    /// The history heuristic (Schaeffer 1989): by slot, the sum of depth squared over the cut-offs
    /// that a move has caused.
    history: Vec<u64>,
    /// The moves of all nodes on the current path: a stack.
    gathered: Vec<Ranked<T::Move>>,
    /// The keys of the siblings already tried at each node of the path: a stack as well.
    tried: Vec<T::Key>,
}

/// A node to be searched, and how.
#[derive(Clone, Copy)]
pub(super) struct Visit<N> {
    pub(super) node: N,
    /// Plies to look ahead from here.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: usize,
    pub(super) window: Window,
}

impl<N> Visit<N> {
    /// The visit of a child, one ply further.
    #[inline(always)]
    fn down(&self, child: N, window: Window) -> Self {
        Self { node: child, depth: self.depth - 1, ply: self.ply + 1, window }
    }
}

/// A move with its rank in the move ordering.
#[derive(Debug, Clone, Copy)]
struct Ranked<M> {
    /// Higher is tried first; equal ones in the tree's order.
    rank: i64,
    index: usize,
    mv: M,
}

/// The state of a node while its moves are tried.
struct NodeState<'v, T: Tree> {
    visit: &'v Visit<T::Node>,
    turn: Turn,
    /// The visit's window, narrowed by what was found.
    window: Window,
    best: i32,
    best_move: Option<T::Move>,
    /// How many moves were tried.
    moves: usize,
    /// Where the keys of this node's children begin in [`Walker::tried`].
    siblings: usize,
}

impl<'a, T: Tree, O: Observer<T>> Walker<'a, T, O> {
    pub(super) fn new(
        tree: &'a T,
        options: &'a SearchOptions,
        depth: u32,
        tables: &'a mut Tables<T::Key>,
        countdown: &'a mut Countdown,
        observer: &'a mut O,
    ) -> Self {
        let sorts = options.killers || options.history || options.forward > 0 || options.table > 0;
        let plain = !(options.alpha_beta
            || options.early_win
            || options.symmetry
            || options.cached_ends
            || options.book
            || sorts);
        Self {
            tree,
            options,
            plain,
            sorts,
            tables,
            countdown,
            observer,
            lines: Lines::new(depth),
            killers: vec![[None; 2]; depth as usize + 1],
            history: if options.history { vec![0; 128] } else { Vec::new() },
            gathered: Vec::new(),
            tried: Vec::new(),
        }
    }

    /// The moves at the root in the order to try them, each with its place in the tree's order.
    pub(super) fn root_moves(
        &mut self,
        root: &T::Node,
        hint: Option<T::Move>,
    ) -> Vec<(usize, T::Move)> {
        self.gather(root, hint, self.tree.turn(root), 0);
        self.gathered.drain(..).map(|ranked| (ranked.index, ranked.mv)).collect()
    }

    /// The value of a child of the root: by plain minimax where no switch asks for more.
    pub(super) fn child_value(
        &mut self,
        child: T::Node,
        depth: u32,
        window: Window,
    ) -> Result<i32, Halt> {
        if self.plain {
            minimax(self.tree, child, depth, 1, &mut self.lines, self.countdown, self.observer)
        } else {
            self.value(Visit { node: child, depth, ply: 1, window })
        }
    }

    /// The value of a node.
    pub(super) fn value(&mut self, visit: Visit<T::Node>) -> Result<i32, Halt> {
        let tree = self.tree;
        let Visit { node, depth, ply, window } = visit;
        // 1. Count the node.
        self.countdown.spend()?;
        self.observer.enter(tree, &node, depth, window);
        self.lines.clear(ply);

        // 2. Leaf: the game has ended, the book knows the position, or the horizon is reached.
        if let Some(value) = tree.ended(&node) {
            self.observer.leaf(tree, &node, value, LeafKind::Ended);
            return Ok(value);
        }
        if self.options.book {
            let value = tree.known(&node);
            self.observer.recall(tree, &node, Lookup::Book, value);
            if let Some(value) = value {
                return Ok(value);
            }
        }
        if depth == 0 {
            let value = tree.evaluate(&node);
            self.observer.leaf(tree, &node, value, LeafKind::Evaluated);
            return Ok(value);
        }

        // 3. Transposition table: a cut-off, or a move to try first.
        let mut hint = None;
        let remembers = self.tables.table.is_some() || self.tables.ends.is_some();
        let keyed = if remembers { Some(tree.key(&node, self.options.symmetry)) } else { None };
        if let Some(keyed) = &keyed {
            match self.recall(&visit, keyed) {
                Recalled::Value(value) => return Ok(value),
                Recalled::Hint(mv) => hint = mv,
            }
        }

        // 4. A move that wins at once: no other can be better.
        if self.options.early_win
            && let Some(mv) = tree.winning_move(&node)
        {
            return self.take_win(&visit, mv);
        }

        // 5. Try the moves.
        let turn = tree.turn(&node);
        let best = match turn {
            Turn::Max => -INFINITY,
            Turn::Min => INFINITY,
        };
        let siblings = self.tried.len();
        let mut state =
            NodeState { visit: &visit, turn, window, best, best_move: None, moves: 0, siblings };
        let outcome = if self.sorts {
            self.try_sorted(&mut state, hint)
        } else {
            self.try_in_order(&mut state)
        };
        self.tried.truncate(siblings);
        outcome?;

        // 6. Store the result.
        if let Some(keyed) = keyed {
            self.remember(&state, keyed);
        }
        self.observer.leave(tree, &node, state.best);
        Ok(state.best)
    }

    #[inline(always)]
    fn try_in_order(&mut self, state: &mut NodeState<'_, T>) -> Result<(), Halt> {
        let tree = self.tree;
        for mv in tree.moves(&state.visit.node) {
            if self.try_move(state, mv)? {
                break;
            }
        }
        Ok(())
    }

    fn try_sorted(
        &mut self,
        state: &mut NodeState<'_, T>,
        hint: Option<T::Move>,
    ) -> Result<(), Halt> {
        let start = self.gathered.len();
        self.gather(&state.visit.node, hint, state.turn, state.visit.ply);
        let end = self.gathered.len();
        let mut outcome = Ok(());
        for index in start..end {
            match self.try_move(state, self.gathered[index].mv) {
                Ok(false) => {}
                Ok(true) => break,
                Err(halt) => {
                    outcome = Err(halt);
                    break;
                }
            }
        }
        self.gathered.truncate(start);
        outcome
    }

    /// Tries one move; true if it caused a cut-off.
    #[inline(always)]
    fn try_move(&mut self, state: &mut NodeState<'_, T>, mv: T::Move) -> Result<bool, Halt> {
        let tree = self.tree;
        let node = &state.visit.node;
        let child = tree.child(node, mv);
        if self.options.symmetry {
            let Keyed { key, .. } = tree.key(&child, true);
            if self.tried[state.siblings..].contains(&key) {
                self.observer.skip(tree, node, mv, SkipReason::Symmetric);
                return Ok(false);
            }
            self.tried.push(key);
        }
        let window = if self.options.alpha_beta { state.window } else { Window::OPEN };
        let value = self.value(state.visit.down(child, window))?;
        let better = match state.turn {
            Turn::Max => value > state.best,
            Turn::Min => value < state.best,
        };
        if better {
            state.best = value;
            state.best_move = Some(mv);
            self.lines.improve(state.visit.ply, mv);
        }
        let index = state.moves;
        state.moves += 1;
        if self.options.alpha_beta {
            state.window = state.window.with(state.turn, value);
        }
        self.observer.update(tree, node, &child, value, state.best, state.window);
        if state.window.is_closed() {
            self.observer.cut(tree, node, index, state.window);
            self.note_cut(state.visit, mv);
            return Ok(true);
        }
        Ok(false)
    }

    /// Updates killers and history after a cut-off.
    #[inline(always)]
    fn note_cut(&mut self, visit: &Visit<T::Node>, mv: T::Move) {
        if self.options.killers {
            let killers = &mut self.killers[visit.ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        if self.options.history {
            let slot = self.tree.slot(mv);
            self.history[slot] += u64::from(visit.depth).pow(2);
        }
    }

    /// Move ordering: pushes the node's moves onto `gathered`, hash move first, then killers, then
    /// by history, then in the tree's order.
    fn gather(&mut self, node: &T::Node, hint: Option<T::Move>, turn: Turn, ply: usize) {
        const HINT: i64 = i64::MAX;
        const KILLER: i64 = 1 << 60;
        let tree = self.tree;
        let start = self.gathered.len();
        for (index, mv) in tree.moves(node).enumerate() {
            let killer = self.options.killers && self.killers[ply].contains(&Some(mv));
            let rank = if hint == Some(mv) {
                HINT
            } else if killer {
                KILLER
            } else if self.options.history {
                (self.history[tree.slot(mv)] as i64).min(KILLER - 1)
            } else {
                0
            };
            self.gathered.push(Ranked { rank, index, mv });
        }
        if self.options.forward > 0 {
            self.prune_forward(node, start, turn);
        }
        let usual = self.gathered.get(start).map(|ranked| ranked.index);
        self.gathered[start..]
            .sort_unstable_by_key(|ranked| (std::cmp::Reverse(ranked.rank), ranked.index));
        if let Some(&Ranked { rank, index, mv }) = self.gathered.get(start)
            && usual != Some(index)
        {
            let why = match rank {
                HINT => PreferReason::Remembered,
                KILLER => PreferReason::Killer,
                _ => PreferReason::History,
            };
            self.observer.prefer(tree, node, mv, why);
        }
    }

    /// Forward pruning: keeps the `forward` moves that look best to the evaluator, and all that win
    /// or block at once.
    fn prune_forward(&mut self, node: &T::Node, start: usize, turn: Turn) {
        let tree = self.tree;
        let keep = self.options.forward as usize;
        let mut looks: Vec<(i64, usize)> = self.gathered[start..]
            .iter()
            .map(|ranked| {
                let child = tree.child(node, ranked.mv);
                let value = i64::from(tree.ended(&child).unwrap_or_else(|| tree.evaluate(&child)));
                let for_mover = if turn == Turn::Max { value } else { -value };
                (-for_mover, ranked.index)
            })
            .collect();
        looks.sort_unstable();
        let kept: Vec<usize> = looks.iter().take(keep).map(|(_, index)| *index).collect();
        let (observer, gathered) = (&mut *self.observer, &mut self.gathered);
        let mut end = start;
        for at in start..gathered.len() {
            let ranked = gathered[at];
            if kept.contains(&ranked.index) || tree.is_urgent(node, ranked.mv) {
                gathered[end] = ranked;
                end += 1;
            } else {
                observer.skip(tree, node, ranked.mv, SkipReason::Forward);
            }
        }
        gathered.truncate(end);
    }

    /// Plays the winning move, so that it is counted and becomes the principal variation.
    fn take_win(&mut self, visit: &Visit<T::Node>, mv: T::Move) -> Result<i32, Halt> {
        let tree = self.tree;
        let node = &visit.node;
        self.observer.early_win(tree, node, mv);
        let child = tree.child(node, mv);
        let value = self.value(visit.down(child, visit.window))?;
        self.lines.improve(visit.ply, mv);
        self.observer.update(
            tree,
            node,
            &child,
            value,
            value,
            visit.window.with(tree.turn(node), value),
        );
        self.observer.leave(tree, node, value);
        Ok(value)
    }

    /// Probes the transposition table and the cache of proven ends.
    ///
    /// An entry of the table causes a cut-off only at the same depth: a deeper result is another
    /// value than the one asked for.
    #[inline]
    fn recall(&mut self, visit: &Visit<T::Node>, keyed: &Keyed<T::Key>) -> Recalled<T::Move> {
        let tree = self.tree;
        let mut hint = None;
        if let Some(table) = &self.tables.table {
            let entry = table.find(keyed);
            let same_depth = entry.filter(|entry| u32::from(entry.depth) == visit.depth);
            let value = same_depth.and_then(|entry| entry.settles(visit.window));
            self.observer.recall(tree, &visit.node, Lookup::Table, value);
            if let Some(value) = value {
                return Recalled::Value(value);
            }
            let best = entry.filter(|_| keyed.is_own).and_then(TableEntry::best_slot);
            hint = best.map(|slot| tree.move_in_slot(slot));
        }
        if let Some(ends) = &self.tables.ends {
            // In this table an entry holds at every depth from its own on.
            let entry = ends.find(keyed).filter(|entry| u32::from(entry.depth) <= visit.depth);
            let value = entry.and_then(|entry| entry.settles(visit.window));
            self.observer.recall(tree, &visit.node, Lookup::CachedEnds, value);
            if let Some(value) = value {
                return Recalled::Value(value);
            }
        }
        Recalled::Hint(hint)
    }

    #[inline]
    fn remember(&mut self, state: &NodeState<'_, T>, keyed: Keyed<T::Key>) {
        let Visit { node, depth, window, .. } = *state.visit;
        let value = state.best;
        let kind = bound_of(value, window);
        if let Some(table) = &mut self.tables.table {
            let best = state.best_move.filter(|_| keyed.is_own).map(|mv| self.tree.slot(mv));
            table.store(keyed, TableEntry::new(value, depth, kind, best));
        }
        if let Some(ends) = &mut self.tables.ends
            && let Some(needed) = depth_proven(self.tree, &node, depth, value, kind)
        {
            ends.store(keyed, TableEntry::new(value, needed, kind, None));
        }
    }
}

/// The outcome of probing the tables.
enum Recalled<M> {
    /// Its value.
    Value(i32),
    /// No cut-off; the hash move, if there is one.
    Hint(Option<M>),
}

/// The least depth at which a search of `node` would find the same as this one did, if that does
/// not depend on the evaluator: a forced win or loss is seen by every search that looks as far as
/// its end, and a search to the end of all lines sees everything.
fn depth_proven<T: Tree>(
    tree: &T,
    node: &T::Node,
    depth: u32,
    value: i32,
    kind: EntryBound,
) -> Option<u32> {
    let longest = tree.longest_line(node);
    if depth >= longest {
        return Some(longest);
    }
    kind.proves(value).then(|| match tree.decided_ply(node) {
        Some(ply) => (WIN - value.abs()) as u32 - ply,
        None => depth,
    })
}

#[cfg(test)]
mod tests {
    use super::super::root::search_with;
    use super::*;
    use crate::eval::Windows;
    use crate::game::{Position, Rules};
    use crate::random::Random;
    use crate::search::{Limits, PositionTree};

    /// The options offer no table this small; here every store throws out another position.
    #[test]
    fn a_table_of_one_entry_keeps_the_value() {
        let random = &mut Random::new(1);
        for round in 0..600 {
            let text = random.pick(&["4x4c3", "5x4c3", "7x6c4", "3x3c3f", "5x5s2"]).unwrap();
            let rules: Rules = text.parse().unwrap();
            let mut position = Position::new(rules);
            for _ in 0..random.below(rules.cells() as usize) {
                match random.pick(&position.legal_moves()) {
                    Some(&mv) => position = position.play_unchecked(mv),
                    None => break,
                }
            }
            let options = SearchOptions {
                table: 1,
                cached_ends: round % 2 == 0,
                symmetry: round % 3 == 0,
                distance: round % 5 > 1,
                ..SearchOptions::default()
            };
            let tree = PositionTree::<u64, _>::new(&position, Windows::default(), &options);
            // Some entries at most, so that a few stay for a while.
            let size = || {
                if round % 4 == 0 {
                    TranspositionTable::of_slots(50)
                } else {
                    TranspositionTable::of_slots(1)
                }
            };
            let mut tables = Tables {
                table: size().ok(),
                ends: if options.cached_ends { size().ok() } else { None },
            };
            let limits = Limits::depth(1 + random.below(5) as u32);
            let plain = SearchOptions { distance: options.distance, ..SearchOptions::minimax() };
            let mut none = Tables { table: None, ends: None };
            let expected = search_with(&tree, &plain, &limits, 0, &mut (), &mut none).unwrap();
            let found = search_with(&tree, &options, &limits, 0, &mut (), &mut tables).unwrap();
            let about = format!("{rules} {limits:?} {options:?}\n{position}");
            assert_eq!((found.value, found.best), (expected.value, expected.best), "{about}");
            let again = search_with(&tree, &options, &limits, 0, &mut (), &mut tables).unwrap();
            assert_eq!((again.value, again.best), (expected.value, expected.best), "{about}");
        }
    }
}
