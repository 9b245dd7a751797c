//! The first steps of a search kept, and all of them counted.
//!
//! A [`Trace`] of a large search would take far more memory than the tree; whoever reads steps reads the first ones.

use fourfold::search::{ExplicitTree, Leaf, NodeId, Observer, Trace, Window};

/// Keeps at most so many steps.
pub(super) struct Told {
    /// The first steps.
    pub(super) trace: Trace,
    most: usize,
    /// How many there were in all.
    pub(super) steps: u64,
}

impl Told {
    pub(super) fn new(most: usize) -> Self {
        Self { trace: Trace::new(), most, steps: 0 }
    }

    /// One more step: is it kept?
    fn keep(&mut self) -> bool {
        self.steps += 1;
        self.steps <= self.most as u64
    }
}

impl Observer<ExplicitTree> for Told {
    fn enter(&mut self, tree: &ExplicitTree, node: &NodeId, depth: u32, window: Window) {
        // At a leaf the step is being a leaf.
        if tree.leaf_value(*node).is_none() && self.keep() {
            self.trace.enter(tree, node, depth, window);
        }
    }

    fn leaf(&mut self, tree: &ExplicitTree, node: &NodeId, value: i32, kind: Leaf) {
        if self.keep() {
            self.trace.leaf(tree, node, value, kind);
        }
    }

    fn update(
        &mut self,
        tree: &ExplicitTree,
        node: &NodeId,
        child: &NodeId,
        value: i32,
        best: i32,
        window: Window,
    ) {
        if self.keep() {
            self.trace.update(tree, node, child, value, best, window);
        }
    }

    fn cut(&mut self, tree: &ExplicitTree, node: &NodeId, index: usize, window: Window) {
        // A cut after the last child skips nothing.
        if tree.children(*node).len() > index + 1 && self.keep() {
            self.trace.cut(tree, node, index, window);
        }
    }

    fn leave(&mut self, tree: &ExplicitTree, node: &NodeId, value: i32) {
        if self.keep() {
            self.trace.leave(tree, node, value);
        }
    }
}
