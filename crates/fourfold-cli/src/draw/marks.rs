//! What a search did to each node of a tree: visited, with what value and window, or cut.
//!
//! Unlike [`fourfold::search::Trace`] this keeps one entry a node, not one a step, so that it suits large trees too.

use fourfold::search::{Bound, ExplicitTree, Leaf, NodeId, Observer, Window};

/// What the search found at a node that it visited.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    /// Its value, MAX's.
    pub(crate) value: i32,
    /// How the value is to be read.
    pub(crate) bound: Bound,
    /// Alpha and beta when the search left the node.
    pub(crate) window: Window,
}

/// An observer that marks nodes.
#[derive(Debug)]
pub(crate) struct Marks {
    nodes: Vec<Option<Mark>>,
    /// The windows on arrival at the inner nodes of the current path.
    path: Vec<Window>,
    /// The leaves visited, in order.
    pub(crate) leaves: Vec<NodeId>,
    /// The edges cut, in the order of cutting.
    cut: Vec<NodeId>,
    is_cut: Vec<bool>,
    /// Nodes visited, root and leaves included.
    pub(crate) visited: u64,
    /// Leaves at which an evaluator was asked.
    pub(crate) evaluated: u64,
}

impl Marks {
    /// Bytes a node of the tree takes here at most: its mark, its flag, and its place among the leaves or cut edges.
    pub(crate) const BYTES_PER_NODE: u64 = (size_of::<Option<Mark>>() + 1 + 2 * size_of::<NodeId>()) as u64;

    /// Nothing visited yet; none if there is not the memory for it.
    pub(crate) fn new(tree: &ExplicitTree) -> Option<Self> {
        let (mut nodes, mut is_cut) = (Vec::new(), Vec::new());
        nodes.try_reserve_exact(tree.len()).ok()?;
        is_cut.try_reserve_exact(tree.len()).ok()?;
        nodes.resize(tree.len(), None);
        is_cut.resize(tree.len(), false);
        let (path, leaves, cut) = (Vec::new(), Vec::new(), Vec::new());
        Some(Self { nodes, path, leaves, cut, is_cut, visited: 0, evaluated: 0 })
    }

    /// What was found at a node; none if it was not visited.
    pub(crate) fn of(&self, node: NodeId) -> Option<&Mark> {
        self.nodes[node.index()].as_ref()
    }

    /// Whether the edge that leads to a node was cut. Edges further down are not.
    pub(crate) fn is_cut(&self, node: NodeId) -> bool {
        self.is_cut[node.index()]
    }

    /// The edges cut, lowest number first.
    pub(crate) fn cut_edges(&self) -> Vec<NodeId> {
        let mut edges = self.cut.clone();
        edges.sort_unstable();
        edges
    }

    fn set(&mut self, node: NodeId, value: i32, bound: Bound, window: Window) {
        self.nodes[node.index()] = Some(Mark { value, bound, window });
    }
}

impl Observer<ExplicitTree> for Marks {
    fn enter(&mut self, tree: &ExplicitTree, node: &NodeId, _: u32, window: Window) {
        self.visited += 1;
        if tree.leaf_value(*node).is_none() {
            self.path.push(window);
        }
        self.set(*node, 0, Bound::Exact, window);
    }

    fn leaf(&mut self, _: &ExplicitTree, node: &NodeId, value: i32, kind: Leaf) {
        self.leaves.push(*node);
        self.evaluated += u64::from(kind == Leaf::Evaluated);
        self.set(*node, value, Bound::Exact, Window::OPEN);
    }

    fn update(&mut self, _: &ExplicitTree, node: &NodeId, _: &NodeId, _: i32, best: i32, window: Window) {
        self.set(*node, best, Bound::Exact, window);
    }

    fn cut(&mut self, tree: &ExplicitTree, node: &NodeId, index: usize, window: Window) {
        for edge in tree.children(*node).skip(index + 1) {
            self.is_cut[edge.index()] = true;
            self.cut.push(edge);
        }
        if let Some(mark) = &mut self.nodes[node.index()] {
            mark.window = window;
        }
    }

    fn leave(&mut self, _: &ExplicitTree, node: &NodeId, value: i32) {
        let arrival = self.path.pop().unwrap_or(Window::OPEN);
        let bound = if value <= arrival.alpha {
            Bound::AtMost
        } else if value >= arrival.beta {
            Bound::AtLeast
        } else {
            Bound::Exact
        };
        if let Some(mark) = &mut self.nodes[node.index()] {
            (mark.value, mark.bound) = (value, bound);
        }
    }
}
