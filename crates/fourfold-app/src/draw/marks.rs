//! What a search did to each node of a tree: visited, with what value and window, or cut.
//!
//! Unlike [`fourfold::search::Trace`] this keeps one entry per node, not one per step, so it suits
//! large trees too. Of an iteratively deepening search it keeps the last iteration.

use fourfold::search::{
    Bound, ExplicitTree, LeafKind, Lookup, NodeId, Observer, SkipReason, Window,
};

/// What the search found at a node that it visited.
#[derive(Debug, Clone, Copy)]
pub struct NodeMark {
    /// Its value, from MAX's view.
    pub value: i32,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Alpha and beta when the search edges the node.
    pub window: Window,
}

/// Whether the search discarded an edge, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeState {
    Open,
    Cut,
    Skipped,
}

/// An observer that marks nodes.
#[derive(Debug)]
pub struct Marks {
    nodes: Vec<Option<NodeMark>>,
    /// The windows with which the nodes of the current path were entered.
    path: Vec<Window>,
    /// The leaves visited, in order.
    pub leaves: Vec<NodeId>,
    /// The edges cut, in the order of cutting.
    cut: Vec<NodeId>,
    edges: Vec<EdgeState>,
    /// Nodes visited, root and leaves included, in all iterations.
    pub visited: u64,
    /// Leaves scored by an evaluator.
    pub evaluated: u64,
}

impl Marks {
    /// The most bytes per node of the tree: its mark, its flag, and its place among the
    /// leaves or cut edges.
    pub const BYTES_PER_NODE: u64 =
        (size_of::<Option<NodeMark>>() + 1 + 2 * size_of::<NodeId>()) as u64;

    /// No node visited yet; none if memory does not suffice.
    pub fn new(tree: &ExplicitTree) -> Option<Self> {
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        nodes.try_reserve_exact(tree.len()).ok()?;
        edges.try_reserve_exact(tree.len()).ok()?;
        nodes.resize(tree.len(), None);
        edges.resize(tree.len(), EdgeState::Open);
        let (path, leaves, cut) = (Vec::new(), Vec::new(), Vec::new());
        Some(Self { nodes, path, leaves, cut, edges, visited: 0, evaluated: 0 })
    }

    /// What was found at a node; none if it was not visited.
    pub fn of(&self, node: NodeId) -> Option<&NodeMark> {
        self.nodes[node.index()].as_ref()
    }

    /// Whether the edge that leads to a node was cut. Edges further down are not.
    pub fn is_cut(&self, node: NodeId) -> bool {
        self.edges[node.index()] == EdgeState::Cut
    }

    /// The edges cut, lowest number first.
    pub fn cut_edges(&self) -> Vec<NodeId> {
        let mut edges = self.cut.clone();
        edges.sort_unstable();
        edges
    }

    fn set(&mut self, node: NodeId, value: i32, bound: Bound, window: Window) {
        self.nodes[node.index()] = Some(NodeMark { value, bound, window });
    }
}

impl Observer<ExplicitTree> for Marks {
    fn enter(&mut self, _: &ExplicitTree, node: &NodeId, _: u32, window: Window) {
        if *node == NodeId::ROOT && self.visited > 0 {
            // The next iteration begins.
            self.nodes.fill(None);
            self.edges.fill(EdgeState::Open);
            self.leaves.clear();
            self.cut.clear();
            self.evaluated = 0;
        }
        self.visited += 1;
        self.path.push(window);
        self.set(*node, 0, Bound::Exact, window);
    }

    fn leaf(&mut self, _: &ExplicitTree, node: &NodeId, value: i32, kind: LeafKind) {
        self.path.pop();
        self.leaves.push(*node);
        self.evaluated += u64::from(kind == LeafKind::Evaluated);
        self.set(*node, value, Bound::Exact, Window::OPEN);
    }

    fn update(
        &mut self,
        _: &ExplicitTree,
        node: &NodeId,
        _: &NodeId,
        _: i32,
        best: i32,
        window: Window,
    ) {
        self.set(*node, best, Bound::Exact, window);
    }

    fn cut(&mut self, tree: &ExplicitTree, node: &NodeId, _: usize, window: Window) {
        for edge in tree.children(*node) {
            if self.of(edge).is_none() && self.edges[edge.index()] == EdgeState::Open {
                self.edges[edge.index()] = EdgeState::Cut;
                self.cut.push(edge);
            }
        }
        if let Some(mark) = &mut self.nodes[node.index()] {
            mark.window = window;
        }
    }

    fn skip(&mut self, _: &ExplicitTree, _: &NodeId, edge: NodeId, _: SkipReason) {
        self.edges[edge.index()] = EdgeState::Skipped;
    }

    fn recall(&mut self, _: &ExplicitTree, node: &NodeId, from: Lookup, value: Option<i32>) {
        if let Some(value) = value {
            let arrival = self.path.pop().unwrap_or(Window::OPEN);
            let bound = if from == Lookup::Book { Bound::Exact } else { arrival.bound_of(value) };
            self.set(*node, value, bound, arrival);
        }
    }

    fn leave(&mut self, _: &ExplicitTree, node: &NodeId, value: i32) {
        let arrival = self.path.pop().unwrap_or(Window::OPEN);
        if let Some(mark) = &mut self.nodes[node.index()] {
            (mark.value, mark.bound) = (value, arrival.bound_of(value));
        }
    }
}
