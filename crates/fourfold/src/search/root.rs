//! The root of a search: the value of every root move, ties, iterative deepening, and the principal
//! variation to its end.

use super::alphabeta::{Tables, Visit, Walker};
use super::limits::Countdown;
use super::{
    Bound, Ended, Halt, Keyed, LeafKind, Limits, Observer, Report, RootMove, SWITCHES, SearchError,
    SearchOptions, SkipReason, Tie, Tree, Turn, Window,
};
use crate::random::Random;
use crate::score::{INFINITY, is_decided};

/// Searches a tree from its root. `seed` decides between equal moves if the options say so; nothing
/// else is random.
///
/// # Errors
/// If the tree cannot serve a switch, memory for a table is lacking, or a limit stopped the search
/// before it had any result.
pub fn search_tree<T: Tree, O: Observer<T>>(
    tree: &T,
    options: &SearchOptions,
    limits: &Limits,
    seed: u64,
    observer: &mut O,
) -> Result<Report<T::Move>, SearchError<T::Move>> {
    let mut tables = Tables::new(options).map_err(|bytes| SearchError::OutOfMemory { bytes })?;
    search_with(tree, options, limits, seed, observer, &mut tables)
}

/// The same, with tables that outlive the search.
pub(super) fn search_with<T: Tree, O: Observer<T>>(
    tree: &T,
    options: &SearchOptions,
    limits: &Limits,
    seed: u64,
    observer: &mut O,
    tables: &mut Tables<T::Key>,
) -> Result<Report<T::Move>, SearchError<T::Move>> {
    for switch in &SWITCHES {
        if switch.value(options) != switch.default_value()
            && switch.name != "alpha_beta"
            && !tree.serves(switch.name)
        {
            return Err(SearchError::Unserved { switch: switch.name });
        }
    }
    let root = tree.root();
    let last_depth = limits.depth.min(tree.longest_line(&root));
    let mut countdown = Countdown::new(&limits.budget);
    let first_depth = if options.deepening { last_depth.min(1) } else { last_depth };
    let mut completed: Option<Report<T::Move>> = None;
    for depth in first_depth..=last_depth {
        let hint = completed.as_ref().and_then(|report| report.best);
        countdown.deepens(depth);
        let walker = Walker::new(tree, options, depth, tables, &mut countdown, observer);
        let outcome = RootSearch { tree, options, walker, root, depth, hint, seed }.report();
        let nodes = countdown.spent();
        match outcome {
            Ok(mut report) => {
                report.nodes = nodes;
                // A forced win or loss was found as soon as it came into sight, so it is the
                // shortest.
                let decided = is_decided(report.value) && options.forward == 0;
                if decided && depth < last_depth {
                    report.ended = Ended::Decided;
                    completed = Some(report);
                    break;
                }
                completed = Some(report);
            }
            Err((halt, finished)) => {
                let Some(report) = &mut completed else {
                    return Err(SearchError::Interrupted { halt, finished, nodes });
                };
                report.ended = Ended::Halted(halt);
                report.nodes = nodes;
                break;
            }
        }
    }
    let mut report = completed.expect("at least one depth is searched");
    complete_line(tree, options, tables, &mut Countdown::uncounted(&limits.budget), &mut report);
    Ok(report)
}

/// What stopped a search of the root, and the moves that were complete by then.
type Broken<M> = (Halt, Vec<RootMove<M>>);

/// A search from the root to one depth.
struct RootSearch<'a, T: Tree, O> {
    tree: &'a T,
    options: &'a SearchOptions,
    walker: Walker<'a, T, O>,
    root: T::Node,
    depth: u32,
    /// The move to try first.
    hint: Option<T::Move>,
    seed: u64,
}

impl<T: Tree, O: Observer<T>> RootSearch<'_, T, O> {
    fn report(mut self) -> Result<Report<T::Move>, Broken<T::Move>> {
        let Self { tree, options, root, depth, seed, .. } = self;
        let mut report = Report {
            value: 0,
            best: None,
            line: Vec::new(),
            moves: Vec::new(),
            depth,
            nodes: 0,
            ended: Ended::Completed,
        };
        self.walker.countdown.spend().map_err(|halt| (halt, Vec::new()))?;
        self.walker.observer.enter(tree, &root, depth, Window::OPEN);
        let ended = tree.ended(&root);
        if depth == 0 || ended.is_some() {
            let (value, kind) = match ended {
                Some(value) => (value, LeafKind::Ended),
                None => (tree.evaluate(&root), LeafKind::Evaluated),
            };
            self.walker.observer.leaf(tree, &root, value, kind);
            report.value = value;
            return Ok(report);
        }
        report.moves = tree.moves(&root).map(RootMove::untried).collect();
        let best = self.search_moves(&mut report.moves).map_err(|halt| {
            let finished = report.moves.iter().filter(|mv| mv.value.is_some()).cloned().collect();
            (halt, finished)
        })?;
        self.walker.observer.leave(tree, &root, best);
        report.value = best;
        let chosen = choose(tree, options.tie, seed, &report.moves, best);
        report.best = chosen.map(|chosen| chosen.mv);
        report.line = match chosen {
            // An image of a move that was searched: its line is found afterwards.
            Some(chosen) if chosen.line.is_empty() => vec![chosen.mv],
            Some(chosen) => chosen.line.clone(),
            None => Vec::new(),
        };
        Ok(report)
    }

    /// Fills in the root's moves and returns the best value.
    fn search_moves(&mut self, moves: &mut [RootMove<T::Move>]) -> Result<i32, Halt> {
        let Self { tree, options, root, depth, hint, .. } = *self;
        let walker = &mut self.walker;
        let turn = tree.turn(&root);
        let mut order = walker.root_moves(&root, hint);
        if options.early_win
            && !options.exact_root
            && let Some(win) = tree.winning_move(&root)
        {
            walker.observer.early_win(tree, &root, win);
            // Ties are broken among all moves that win at once, which takes a look at each but no
            // search.
            let worth = |mv| tree.ended(&tree.child(&root, mv));
            let won = worth(win);
            order.retain(|&(_, mv)| mv == win || (options.tie != Tie::First && worth(mv) == won));
        }
        let mut best = if turn == Turn::Max { -INFINITY } else { INFINITY };
        let mut first_best = usize::MAX;
        let mut tried: Vec<(T::Key, T::Move)> = Vec::new();
        for (index, mv) in order {
            let child = tree.child(&root, mv);
            if options.symmetry {
                let Keyed { key, .. } = tree.key(&child, true);
                if let Some(&(_, same)) = tried.iter().find(|(tried, _)| *tried == key) {
                    walker.observer.skip(tree, &root, mv, SkipReason::Symmetric);
                    moves[index].same_as = Some(same);
                    continue;
                }
                tried.push((key, mv));
            }
            // A move that would win a tie needs its exact value even if it only equals the best.
            let open_to_ties = options.tie != Tie::First || index < first_best;
            let window = root_window(options, turn, best, open_to_ties);
            let nodes_before = walker.countdown.spent();
            let value = walker.child_value(child, depth - 1, window)?;
            let entry = &mut moves[index];
            entry.nodes = walker.countdown.spent() - nodes_before;
            entry.value = Some(value);
            entry.bound = window.bound_of(value);
            if entry.bound == Bound::Exact {
                entry.line.push(mv);
                entry.line.extend_from_slice(walker.lines.line(1));
            }
            let better = if turn == Turn::Max { value > best } else { value < best };
            if better {
                best = value;
                first_best = index;
            } else if value == best && entry.bound == Bound::Exact {
                first_best = first_best.min(index);
            }
            walker.observer.update(tree, &root, &child, value, best, Window::OPEN.with(turn, best));
        }
        copy_symmetric(moves);
        Ok(best)
    }
}

/// The window for the next move of the root. No cut can happen at the root itself.
fn root_window(options: &SearchOptions, turn: Turn, best: i32, open_to_ties: bool) -> Window {
    if !options.alpha_beta || options.exact_root || best.abs() == INFINITY {
        return Window::OPEN;
    }
    let slack = i32::from(open_to_ties);
    match turn {
        Turn::Max => Window { alpha: best - slack, beta: INFINITY },
        Turn::Min => Window { alpha: -INFINITY, beta: best + slack },
    }
}

/// A move that was skipped as the image of another has its value.
fn copy_symmetric<M: Copy + Eq>(moves: &mut [RootMove<M>]) {
    for index in 0..moves.len() {
        let Some(same) = moves[index].same_as else { continue };
        let Some(source) = moves.iter().find(|source| source.mv == same) else { continue };
        (moves[index].value, moves[index].bound) = (source.value, source.bound);
    }
}

/// One of the moves whose exact value is `best`.
fn choose<'m, T: Tree>(
    tree: &T,
    tie: Tie,
    seed: u64,
    moves: &'m [RootMove<T::Move>],
    best: i32,
) -> Option<&'m RootMove<T::Move>> {
    let is_best = |mv: &&RootMove<T::Move>| mv.value == Some(best) && mv.bound == Bound::Exact;
    let mut equals = moves.iter().filter(is_best);
    match tie {
        Tie::First => equals.next(),
        Tie::Centre => equals.min_by_key(|mv| tree.distance_from_centre(mv.mv)),
        // Images of moves that were searched take part like any other.
        Tie::Random => Random::new(seed).pick(&equals.collect::<Vec<_>>()).copied(),
    }
}

/// Where a table cut the expected line short, finds the moves that follow. These nodes are not
/// counted: they are asked for by whoever reads the line, not by the search. Time and the stop flag
/// still bind; a line that they cut stays short.
fn complete_line<T: Tree>(
    tree: &T,
    options: &SearchOptions,
    tables: &mut Tables<T::Key>,
    countdown: &mut Countdown,
    report: &mut Report<T::Move>,
) {
    if report.line.is_empty() {
        return;
    }
    let mut node = report.line.iter().fold(tree.root(), |node, &mv| tree.child(&node, mv));
    // Only whether a move has the value matters, so a window around it will do.
    let window = if options.alpha_beta {
        Window { alpha: report.value - 1, beta: report.value + 1 }
    } else {
        Window::OPEN
    };
    let mut nobody = ();
    let mut walker = Walker::new(tree, options, report.depth, tables, countdown, &mut nobody);
    while (report.line.len() as u32) < report.depth && tree.ended(&node).is_none() {
        let depth = report.depth - report.line.len() as u32 - 1;
        let mut moves = tree.moves(&node);
        let next = moves.find(|&mv| {
            let visit = Visit { node: tree.child(&node, mv), depth, ply: 1, window };
            walker.value(visit) == Ok(report.value)
        });
        let Some(mv) = next else { break };
        report.line.push(mv);
        node = tree.child(&node, mv);
        for &mv in walker.lines.line(1) {
            report.line.push(mv);
            node = tree.child(&node, mv);
        }
    }
}

impl<M> RootMove<M> {
    fn untried(mv: M) -> Self {
        Self { mv, value: None, bound: Bound::Exact, same_as: None, line: Vec::new(), nodes: 0 }
    }
}
