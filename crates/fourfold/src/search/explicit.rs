//! A tree that lies in memory: built from a position as the reports do, typed by hand, or made at
//! random.
//!
//! Nodes are numbered breadth first from the root, 0, so the edge that leads to node `n` is E-`n`,
//! and the children of a node stand side by side.

use super::{Keyed, PositionTree, SearchOptions, Tree, Turn};
use crate::eval::{Evaluate, Evaluator, EvaluatorTask};
use crate::game::{Move, Position, Word};
use crate::random::Random;
use std::fmt;

/// A node of an explicit tree; also the number of the edge that leads to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root, to which no edge leads.
    pub const ROOT: Self = Self(0);

    /// As an index from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The edge that leads here: `E-7`; `the root` for the root.
impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ROOT { f.write_str("the root") } else { write!(f, "E-{}", self.0) }
    }
}

/// What stands at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Children follow.
    Inner,
    /// The game has ended (or the tree was typed so).
    Ended,
    /// The horizon: the evaluator's opinion.
    Horizon,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) value: i32,
    pub(super) children: u16,
    /// The bit of the move that leads here, in trees of positions (7 bits), and whether the level
    /// is odd (the highest).
    pub(super) bit_and_level: u8,
    pub(super) content: Content,
}

impl Item {
    /// A node `level` levels below the root, reached by the move on `bit`, that has neither value
    /// nor children yet.
    pub(super) fn new(parent: u32, level: u32, bit: usize) -> Self {
        let bit_and_level = bit as u8 | (level as u8 & 1) << 7;
        Self {
            parent,
            first_child: 0,
            value: 0,
            children: 0,
            bit_and_level,
            content: Content::Inner,
        }
    }
}

/// A game tree in memory. MAX moves at the root unless said otherwise, and the two take turns.
///
/// ```
/// use fourfold::search::{ExplicitTree, Limits, SearchOptions, Tree, search_tree};
///
/// let tree: ExplicitTree = "((9 8 7)(6 5 4)(3 2 1))".parse()?;
/// let limits = Limits::depth(tree.depth());
/// let report = search_tree(&tree, &SearchOptions::default(), &limits, 0, &mut ())?;
/// assert_eq!(report.value, 7);
/// assert_eq!(report.best.unwrap().to_string(), "E-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ExplicitTree {
    pub(super) items: Vec<Item>,
    depth: u32,
    root_turn: Turn,
    grown: Option<Grown>,
}

/// What a tree of positions was built from.
#[derive(Debug, Clone)]
pub(super) struct Grown {
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    /// The order of moves and the values at the leaves are as these say.
    pub(super) options: SearchOptions,
}

/// Deeper trees are refused: searches recurse.
pub(super) const DEEPEST: u32 = 256;

/// The switches that say in which order moves stand and what leaves are worth: a tree is built with
/// them.
pub(super) const BUILT_IN: [&str; 3] = ["mid_col", "contempt", "distance"];

/// Why a tree cannot be laid out in memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeSizeError {
    /// It would take more memory than allowed.
    #[error(
        "the tree has {}{nodes} nodes and needs {}{} MiB of memory, more than the {} MiB allowed: look less deep or \
         raise the limit",
        if *.counted_all { "" } else { "more than " }, if *.counted_all { "" } else { "more than " },
        if *.counted_all { .bytes.div_ceil(1 << 20) } else { .bytes >> 20 }, .limit >> 20
    )]
    TooLarge {
        /// Nodes of the tree, or as many as are allowed if it has more.
        nodes: u64,
        /// Bytes that many nodes take.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
        /// Whether all nodes were counted.
        counted_all: bool,
    },
    /// So many levels that a search could not go down.
    #[error("{depth} levels are too many: a tree may be {DEEPEST} levels deep")]
    TooDeep {
        /// Levels asked for.
        depth: u32,
    },
    /// The system has not enough memory.
    #[error("{} MiB of memory for the tree cannot be had", .bytes.div_ceil(1 << 20))]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// The evaluator is made for another game.
    #[error(transparent)]
    Evaluator(#[from] crate::eval::EvaluatorError),
}

impl ExplicitTree {
    /// Deeper trees are refused: searches recurse.
    pub const DEEPEST: u32 = DEEPEST;

    /// Bytes a tree of positions takes per node while it is built: the node and, for two levels,
    /// its board.
    pub const BYTES_PER_NODE: u64 =
        (size_of::<Item>() + size_of::<super::position_tree::PositionNode<u128>>()) as u64;

    /// Lays out the tree of a position `depth` plies deep, evaluated at the horizon, in at most
    /// `limit` bytes.
    ///
    /// Of the options it takes the order of moves and what ends of games are worth.
    ///
    /// # Errors
    /// If the tree is too large (found out by counting, before memory is asked for) or the
    /// evaluator is for other games.
    pub fn build(
        position: &Position,
        evaluator: &Evaluator,
        options: &SearchOptions,
        depth: u32,
        limit: u64,
    ) -> Result<Self, TreeSizeError> {
        evaluator.check(position.rules())?;
        let plan = Plan { position, kind: evaluator, options, depth, limit };
        if position.rules().bits() <= u64::BITS {
            evaluator.give_to::<u64, _>(position.rules(), position.to_move(), plan)
        } else {
            evaluator.give_to::<u128, _>(position.rules(), position.to_move(), plan)
        }
    }

    /// A full tree with `branching` children at each node, `depth` levels deep, its leaves from 0
    /// to 99 by `seed`.
    ///
    /// # Errors
    /// If it would take more than `limit` bytes or be too deep.
    pub fn random(
        branching: u16,
        depth: u32,
        seed: u64,
        limit: u64,
    ) -> Result<Self, TreeSizeError> {
        let depth = if branching == 0 { 0 } else { depth };
        if depth > DEEPEST {
            return Err(TreeSizeError::TooDeep { depth });
        }
        let most = (limit / size_of::<Item>() as u64).min(u64::from(u32::MAX));
        let (mut nodes, mut width) = (1u64, 1u64);
        for _ in 0..depth {
            width = width.saturating_mul(u64::from(branching));
            nodes = nodes.saturating_add(width);
        }
        let bytes = nodes.saturating_mul(size_of::<Item>() as u64);
        if nodes > most {
            return Err(TreeSizeError::TooLarge { nodes, bytes, limit, counted_all: true });
        }
        let mut random = Random::new(seed);
        let inner = nodes - width;
        let mut items = Vec::new();
        items
            .try_reserve_exact(nodes as usize)
            .map_err(|_| TreeSizeError::OutOfMemory { bytes })?;
        // The first node of the next level.
        let (mut level, mut level_end) = (0, 1);
        for index in 0..nodes as u32 {
            let is_inner = u64::from(index) < inner;
            if index == level_end {
                level += 1;
                level_end = level_end * u32::from(branching) + 1;
            }
            let parent = index.saturating_sub(1) / u32::from(branching.max(1));
            let item = Item::new(parent, level, 0);
            items.push(if is_inner {
                Item { first_child: index * u32::from(branching) + 1, children: branching, ..item }
            } else {
                Item { value: random.below(100) as i32, content: Content::Ended, ..item }
            });
        }
        Ok(Self::from_items(items, depth))
    }

    pub(super) fn from_items(items: Vec<Item>, depth: u32) -> Self {
        Self { items, depth, root_turn: Turn::Max, grown: None }
    }

    /// The same tree with `turn` to move at the root.
    #[must_use]
    pub fn with_root_turn(mut self, turn: Turn) -> Self {
        self.root_turn = turn;
        self
    }

    /// The position at the root, if this is a tree of positions.
    #[must_use]
    pub fn position(&self) -> Option<&Position> {
        self.grown.as_ref().map(|grown| &grown.position)
    }

    /// The evaluator that judged the leaves at the horizon, if this is a tree of positions.
    #[must_use]
    pub fn evaluator(&self) -> Option<&Evaluator> {
        self.grown.as_ref().map(|grown| &grown.evaluator)
    }

    pub(super) fn grown(&self) -> Option<&Grown> {
        self.grown.as_ref()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Never: a tree has a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many levels lie below the root.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// All nodes, breadth first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.items.len() as u32).map(NodeId)
    }

    /// The node above; none above the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.items[node.index()].parent))
    }

    /// The nodes directly below.
    pub fn children(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        let item = &self.items[node.index()];
        (item.first_child..item.first_child + u32::from(item.children)).map(NodeId)
    }

    /// The value that stands at a leaf; none at inner nodes.
    #[must_use]
    pub fn leaf_value(&self, node: NodeId) -> Option<i32> {
        let item = &self.items[node.index()];
        (item.content != Content::Inner).then_some(item.value)
    }

    /// How many levels below the root a node lies.
    #[must_use]
    pub fn level(&self, node: NodeId) -> u32 {
        std::iter::successors(self.parent(node), |&above| self.parent(above)).count() as u32
    }

    /// The move that leads to a node, in a tree of positions.
    #[must_use]
    pub fn game_move(&self, node: NodeId) -> Option<Move> {
        (self.grown.is_some() && node != NodeId::ROOT).then(|| Move::from_bit(self.bit(node)))
    }

    /// The bit of the move that leads to a node.
    pub(super) fn bit(&self, node: NodeId) -> u32 {
        u32::from(self.items[node.index()].bit_and_level & 127)
    }

    /// The position at a node, in a tree of positions.
    #[must_use]
    pub fn position_at(&self, node: NodeId) -> Option<Position> {
        let root = *self.position()?;
        let mut path: Vec<Move> = std::iter::successors(Some(node), |&below| self.parent(below))
            .filter_map(|below| self.game_move(below))
            .collect();
        path.reverse();
        Some(path.into_iter().fold(root, Position::play_unchecked))
    }

    /// The minimax value of every node, by one pass from the last node to the root (children before
    /// parents).
    #[must_use]
    pub fn weigh(&self) -> Vec<i32> {
        let mut values: Vec<i32> = self.items.iter().map(|item| item.value).collect();
        for node in self.nodes().collect::<Vec<_>>().into_iter().rev() {
            let below = self.children(node).map(|child| values[child.index()]);
            let best = match self.turn(&node) {
                Turn::Max => below.max(),
                Turn::Min => below.min(),
            };
            if let Some(best) = best {
                values[node.index()] = best;
            }
        }
        values
    }
}

/// A tree of positions to be laid out.
struct Plan<'a> {
    position: &'a Position,
    kind: &'a Evaluator,
    options: &'a SearchOptions,
    depth: u32,
    limit: u64,
}

impl<W: Word> EvaluatorTask<W> for Plan<'_> {
    type Output = Result<ExplicitTree, TreeSizeError>;

    fn run<E: Evaluate<W>>(self, evaluator: E) -> Self::Output {
        let Plan { position, kind, options, depth, limit } = self;
        let source = PositionTree::<W, E>::new(position, evaluator, options);
        let most = (limit / ExplicitTree::BYTES_PER_NODE).min(u64::from(u32::MAX));
        let mut nodes = 0;
        let counted_all = count(&source, source.root(), depth, most, &mut nodes);
        let nodes = nodes.min(most);
        let bytes = nodes * ExplicitTree::BYTES_PER_NODE;
        if !counted_all {
            return Err(TreeSizeError::TooLarge { nodes, bytes, limit, counted_all });
        }
        let mut items = Vec::new();
        items
            .try_reserve_exact(nodes as usize)
            .map_err(|_| TreeSizeError::OutOfMemory { bytes })?;
        let mut level = vec![source.root()];
        let mut reached = 0;
        items.push(Item::new(0, 0, 0));
        for left in (0..=depth).rev() {
            let start = items.len() - level.len();
            let mut next = Vec::new();
            for (offset, node) in level.iter().enumerate() {
                let index = start + offset;
                let (content, value) = match source.ended(node) {
                    Some(value) => (Content::Ended, value),
                    None if left == 0 => (Content::Horizon, source.evaluate(node)),
                    // Kept for searches that do not look as deep as the tree.
                    None => (Content::Inner, source.evaluate(node)),
                };
                let first_child = items.len() as u32;
                if content == Content::Inner {
                    for mv in source.moves(node) {
                        items.push(Item::new(index as u32, reached + 1, source.slot(mv)));
                        next.push(source.child(node, mv));
                    }
                }
                let children = (items.len() as u32 - first_child) as u16;
                items[index] = Item { first_child, value, children, content, ..items[index] };
            }
            if next.is_empty() {
                break;
            }
            reached += 1;
            level = next;
        }
        let grown =
            Grown { position: *position, evaluator: kind.clone(), options: options.clone() };
        Ok(ExplicitTree { items, depth: reached, root_turn: Turn::Max, grown: Some(grown) })
    }
}

/// Counts nodes to `depth`; false once there are more than `most`.
fn count<T: Tree>(tree: &T, node: T::Node, depth: u32, most: u64, nodes: &mut u64) -> bool {
    *nodes += 1;
    if *nodes > most {
        return false;
    }
    if depth == 0 || tree.ended(&node).is_some() {
        return true;
    }
    tree.moves(&node).all(|mv| count(tree, tree.child(&node, mv), depth - 1, most, nodes))
}

impl Tree for ExplicitTree {
    type Node = NodeId;
    /// The edge, named by the node it leads to.
    type Move = NodeId;
    type Moves<'a> = std::iter::Map<std::ops::Range<u32>, fn(u32) -> NodeId>;
    type Key = ();

    fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    fn turn(&self, node: &NodeId) -> Turn {
        let odd = self.items[node.index()].bit_and_level & 128 != 0;
        if odd { self.root_turn.other() } else { self.root_turn }
    }

    fn ended(&self, node: &NodeId) -> Option<i32> {
        let item = &self.items[node.index()];
        (item.content == Content::Ended).then_some(item.value)
    }

    /// At an inner node, for searches less deep than the tree: what the evaluator said of the
    /// position, or 0 where there is none.
    fn evaluate(&self, node: &NodeId) -> i32 {
        self.items[node.index()].value
    }

    fn moves(&self, node: &NodeId) -> Self::Moves<'_> {
        let item = &self.items[node.index()];
        (item.first_child..item.first_child + u32::from(item.children)).map(NodeId)
    }

    fn child(&self, _: &NodeId, mv: NodeId) -> NodeId {
        mv
    }

    fn longest_line(&self, _: &NodeId) -> u32 {
        self.depth
    }

    /// It lies there as it was built: only what cuts or chooses can be switched. Orders and values
    /// are set when it is built; asking for them again is allowed, for others not.
    fn serves(&self, switch: &str) -> bool {
        let changed =
            |grown: &Grown| grown.options.changed().any(|(changed, _)| changed.name == switch);
        let built_in = BUILT_IN.contains(&switch) && self.grown.as_ref().is_some_and(changed);
        built_in || ["alpha_beta", "deepening", "exact_root"].contains(&switch)
    }

    fn key(&self, _: &NodeId, _: bool) -> Keyed<()> {
        Keyed { key: (), hash: 0, is_own: true }
    }

    fn winning_move(&self, _: &NodeId) -> Option<NodeId> {
        None
    }

    fn is_urgent(&self, _: &NodeId, _: NodeId) -> bool {
        false
    }

    fn slot(&self, _: NodeId) -> usize {
        0
    }

    fn move_in_slot(&self, _: usize) -> NodeId {
        NodeId::ROOT
    }

    fn distance_from_centre(&self, _: NodeId) -> u32 {
        0
    }

    fn decided_ply(&self, _: &NodeId) -> Option<u32> {
        None
    }
}
