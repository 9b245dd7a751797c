//! A tree in memory searched with every switch that its positions serve.
//!
//! A tree in memory knows edges by number, a [`PositionTree`] knows boards and thereby tables,
//! images and winning moves. This walks both at once, and tells observers of the former. It is made
//! for watching small searches; [`super::Searcher`] is faster.

use super::explicit::{BUILT_IN, Grown};
use super::position_tree::PositionNode;
use super::{
    ExplicitTree, Keyed, LeafKind, Limits, Lookup, NodeId, Observer, PositionTree, PreferReason,
    Report, RootMove, SearchError, SearchOptions, SkipReason, Switch, Tree, Turn, Window,
    search_tree,
};
use crate::eval::{Evaluate, EvaluatorTask};
use crate::game::{Board, Word};

/// Searches a tree in memory as [`search_tree`] does. In a tree of positions every switch of the
/// game can be on, as long as the order of moves and what ends are worth (`mid_col`, `contempt`,
/// `distance`) are those it was built with.
///
/// ```
/// use fourfold::eval::Evaluator;
/// use fourfold::game::{Position, Rules};
/// use fourfold::search::{ExplicitTree, Limits, SearchOptions, Trace, search_numbered};
///
/// let options = SearchOptions::default().with_symmetry(true);
/// let empty = Position::new(Rules::TIC_TAC_TOE);
/// let tree = ExplicitTree::build(&empty, &Evaluator::Terminal, &options, 1, 1 << 20)?;
/// let mut trace = Trace::new();
/// search_numbered(&tree, &options, &Limits::depth(1), 0, &mut trace)?;
/// assert_eq!(trace.leaves().len(), 3, "a corner, an edge, the centre");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the tree cannot serve a switch, memory for a table is lacking, or a limit stopped the search
/// before it had any result.
pub fn search_numbered<O: Observer<ExplicitTree>>(
    tree: &ExplicitTree,
    options: &SearchOptions,
    limits: &Limits,
    seed: u64,
    observer: &mut O,
) -> Result<Report<NodeId>, SearchError<NodeId>> {
    let Some(grown) = tree.grown() else {
        return search_tree(tree, options, limits, seed, observer);
    };
    for switch in BUILT_IN.into_iter().filter_map(Switch::named) {
        if switch.value(options) != switch.value(&grown.options) {
            return Err(SearchError::Unserved { switch: switch.name });
        }
    }
    // Below the tree there is nothing to be numbered.
    let limits = Limits { depth: limits.depth.min(tree.depth()), ..limits.clone() };
    let task = Task { tree, grown, options, limits, seed, observer };
    let max = grown.position.to_move();
    if grown.position.rules().bits() <= u64::BITS {
        grown.evaluator.give_to::<u64, _>(grown.position.rules(), max, task)
    } else {
        grown.evaluator.give_to::<u128, _>(grown.position.rules(), max, task)
    }
}

/// A search whose evaluator is about to be known.
struct Task<'a, O> {
    tree: &'a ExplicitTree,
    grown: &'a Grown,
    options: &'a SearchOptions,
    limits: Limits,
    seed: u64,
    observer: &'a mut O,
}

impl<W: Word, O: Observer<ExplicitTree>> EvaluatorTask<W> for Task<'_, O> {
    type Output = Result<Report<NodeId>, SearchError<NodeId>>;

    fn run<E: Evaluate<W>>(self, evaluator: E) -> Self::Output {
        let Task { tree, grown, options, limits, seed, observer } = self;
        let source = PositionTree::<W, E>::new(&grown.position, evaluator, options);
        let both = Numbered { tree, source };
        search_tree(&both, options, &limits, seed, &mut Translator(observer))
            .map(|report| located_report(tree, report))
            .map_err(|error| located_error(tree, error))
    }
}

/// A tree of positions, each with its number.
struct Numbered<'a, W, E> {
    tree: &'a ExplicitTree,
    source: PositionTree<W, E>,
}

/// A position and its number.
#[derive(Clone, Copy)]
struct Place<W> {
    id: NodeId,
    node: PositionNode<W>,
}

/// The child that the move on a bit leads to. Searches go no deeper than the tree, so it is there.
fn below<W: Word>(tree: &ExplicitTree, node: NodeId, mv: W) -> NodeId {
    let bit = mv.trailing_zeros();
    tree.children(node)
        .find(|&child| tree.bit(child) == bit)
        .expect("every move of an inner node has its edge")
}

impl<W: Word, E: Evaluate<W>> Tree for Numbered<'_, W, E> {
    type Node = Place<W>;
    type Move = W;
    type Moves<'b>
        = <PositionTree<W, E> as Tree>::Moves<'b>
    where
        Self: 'b;
    type Key = Board<W>;

    fn root(&self) -> Place<W> {
        Place { id: NodeId::ROOT, node: self.source.root() }
    }
    fn turn(&self, place: &Place<W>) -> Turn {
        self.source.turn(&place.node)
    }
    fn ended(&self, place: &Place<W>) -> Option<i32> {
        self.source.ended(&place.node)
    }
    fn evaluate(&self, place: &Place<W>) -> i32 {
        self.source.evaluate(&place.node)
    }
    fn moves(&self, place: &Place<W>) -> Self::Moves<'_> {
        self.source.moves(&place.node)
    }
    fn child(&self, place: &Place<W>, mv: W) -> Place<W> {
        Place { id: below(self.tree, place.id, mv), node: self.source.child(&place.node, mv) }
    }
    fn longest_line(&self, place: &Place<W>) -> u32 {
        self.source.longest_line(&place.node)
    }
    fn serves(&self, switch: &str) -> bool {
        self.source.serves(switch)
    }
    fn known(&self, place: &Place<W>) -> Option<i32> {
        self.source.known(&place.node)
    }
    fn key(&self, place: &Place<W>, symmetry: bool) -> Keyed<Board<W>> {
        self.source.key(&place.node, symmetry)
    }
    fn winning_move(&self, place: &Place<W>) -> Option<W> {
        self.source.winning_move(&place.node)
    }
    fn is_urgent(&self, place: &Place<W>, mv: W) -> bool {
        self.source.is_urgent(&place.node, mv)
    }
    fn slot(&self, mv: W) -> usize {
        self.source.slot(mv)
    }
    fn move_in_slot(&self, slot: usize) -> W {
        self.source.move_in_slot(slot)
    }
    fn distance_from_centre(&self, mv: W) -> u32 {
        self.source.distance_from_centre(mv)
    }
    fn decided_ply(&self, place: &Place<W>) -> Option<u32> {
        self.source.decided_ply(&place.node)
    }
}

/// Tells an observer of the tree in memory what happens to the positions.
struct Translator<'o, O>(&'o mut O);

impl<W: Word, E: Evaluate<W>, O: Observer<ExplicitTree>> Observer<Numbered<'_, W, E>>
    for Translator<'_, O>
{
    fn enter(&mut self, both: &Numbered<'_, W, E>, place: &Place<W>, depth: u32, window: Window) {
        self.0.enter(both.tree, &place.id, depth, window);
    }
    fn leaf(&mut self, both: &Numbered<'_, W, E>, place: &Place<W>, value: i32, kind: LeafKind) {
        self.0.leaf(both.tree, &place.id, value, kind);
    }
    fn update(
        &mut self,
        both: &Numbered<'_, W, E>,
        place: &Place<W>,
        child: &Place<W>,
        value: i32,
        best: i32,
        window: Window,
    ) {
        self.0.update(both.tree, &place.id, &child.id, value, best, window);
    }
    fn cut(&mut self, both: &Numbered<'_, W, E>, place: &Place<W>, index: usize, window: Window) {
        self.0.cut(both.tree, &place.id, index, window);
    }
    fn prefer(&mut self, both: &Numbered<'_, W, E>, place: &Place<W>, mv: W, why: PreferReason) {
        self.0.prefer(both.tree, &place.id, below(both.tree, place.id, mv), why);
    }
    fn skip(&mut self, both: &Numbered<'_, W, E>, place: &Place<W>, mv: W, why: SkipReason) {
        self.0.skip(both.tree, &place.id, below(both.tree, place.id, mv), why);
    }
    fn recall(
        &mut self,
        both: &Numbered<'_, W, E>,
        place: &Place<W>,
        from: Lookup,
        value: Option<i32>,
    ) {
        self.0.recall(both.tree, &place.id, from, value);
    }
    fn early_win(&mut self, both: &Numbered<'_, W, E>, place: &Place<W>, mv: W) {
        self.0.early_win(both.tree, &place.id, below(both.tree, place.id, mv));
    }
    fn leave(&mut self, both: &Numbered<'_, W, E>, place: &Place<W>, value: i32) {
        self.0.leave(both.tree, &place.id, value);
    }
}

/// A line of moves from the root as the edges it goes along.
fn located_line<W: Word>(tree: &ExplicitTree, line: Vec<W>) -> Vec<NodeId> {
    let mut at = NodeId::ROOT;
    line.into_iter()
        .map(|mv| {
            at = below(tree, at, mv);
            at
        })
        .collect()
}

fn located_move<W: Word>(tree: &ExplicitTree, found: RootMove<W>) -> RootMove<NodeId> {
    let RootMove { mv, value, bound, same_as, line, nodes } = found;
    RootMove {
        mv: below(tree, NodeId::ROOT, mv),
        value,
        bound,
        same_as: same_as.map(|same| below(tree, NodeId::ROOT, same)),
        line: located_line(tree, line),
        nodes,
    }
}

fn located_report<W: Word>(tree: &ExplicitTree, report: Report<W>) -> Report<NodeId> {
    let Report { value, best, line, moves, depth, nodes, ended } = report;
    Report {
        value,
        best: best.map(|best| below(tree, NodeId::ROOT, best)),
        line: located_line(tree, line),
        moves: moves.into_iter().map(|found| located_move(tree, found)).collect(),
        depth,
        nodes,
        ended,
    }
}

fn located_error<W: Word>(tree: &ExplicitTree, error: SearchError<W>) -> SearchError<NodeId> {
    match error {
        SearchError::Interrupted { halt, finished, nodes } => SearchError::Interrupted {
            halt,
            finished: finished.into_iter().map(|found| located_move(tree, found)).collect(),
            nodes,
        },
        SearchError::Unserved { switch } => SearchError::Unserved { switch },
        SearchError::OutOfMemory { bytes } => SearchError::OutOfMemory { bytes },
        SearchError::Evaluator(error) => SearchError::Evaluator(error),
    }
}
