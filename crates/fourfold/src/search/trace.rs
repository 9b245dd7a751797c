//! A search of an explicit tree written down step by step, each step with a sentence that says what happened and why.

use super::{Bound, ExplicitTree, Leaf, NodeId, Observer, Tree, Turn, Window};
use crate::score::{DECIDED, INFINITY};
use serde::{Serialize, Serializer};

/// One thing that happened in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Step {
    /// The search went down to an inner node.
    Enter {
        /// Where.
        node: NodeId,
        /// What was certain above.
        #[serde(flatten)]
        window: Window,
    },
    /// It came to a leaf.
    Leaf {
        /// Where.
        node: NodeId,
        /// What it is worth.
        value: i32,
        /// Whether the game has ended there; else the evaluator was asked.
        ended: bool,
    },
    /// A child's value came up to its parent.
    Update {
        /// The parent.
        node: NodeId,
        /// The child.
        child: NodeId,
        /// The child's value.
        value: i32,
        /// The parent's best so far.
        best: i32,
        /// Whether that is better than before.
        improved: bool,
        /// What is certain now.
        #[serde(flatten)]
        window: Window,
    },
    /// The rest of a node cannot matter.
    Cut {
        /// The node.
        node: NodeId,
        /// The first edge that is cut.
        first: NodeId,
        /// The last edge that is cut.
        last: NodeId,
        /// Why: alpha has met beta.
        #[serde(flatten)]
        window: Window,
    },
    /// A node is finished.
    Leave {
        /// Where.
        node: NodeId,
        /// Its value.
        value: i32,
        /// How the value is to be read: a node left early is worth that or less (or more).
        bound: Bound,
    },
}

/// Records the steps of a search.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    steps: Vec<Step>,
    /// The inner nodes on the current path: the window on arrival and the best value so far.
    path: Vec<(Window, Option<i32>)>,
    leaves: Vec<NodeId>,
    cut: Vec<NodeId>,
}

impl Trace {
    /// Nothing recorded yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The steps in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The leaves visited, in order.
    #[must_use]
    pub fn leaves(&self) -> &[NodeId] {
        &self.leaves
    }

    /// The edges cut, lowest number first. What hangs below them is not listed.
    #[must_use]
    pub fn cut_edges(&self) -> Vec<NodeId> {
        let mut edges = self.cut.clone();
        edges.sort_unstable();
        edges
    }
}

impl Observer<ExplicitTree> for Trace {
    fn enter(&mut self, tree: &ExplicitTree, node: &NodeId, depth: u32, window: Window) {
        // At the horizon an inner node is a leaf too.
        if tree.leaf_value(*node).is_none() && depth > 0 {
            self.steps.push(Step::Enter { node: *node, window });
            self.path.push((window, None));
        }
    }

    fn leaf(&mut self, _: &ExplicitTree, node: &NodeId, value: i32, kind: Leaf) {
        self.leaves.push(*node);
        self.steps.push(Step::Leaf { node: *node, value, ended: kind == Leaf::Ended });
    }

    fn update(
        &mut self,
        _: &ExplicitTree,
        node: &NodeId,
        child: &NodeId,
        value: i32,
        best: i32,
        window: Window,
    ) {
        let improved = match self.path.last_mut() {
            Some((_, before)) => before.replace(best) != Some(best),
            None => false,
        };
        let (node, child) = (*node, *child);
        self.steps.push(Step::Update { node, child, value, best, improved, window });
    }

    fn cut(&mut self, tree: &ExplicitTree, node: &NodeId, index: usize, window: Window) {
        let edges: Vec<NodeId> = tree.children(*node).skip(index + 1).collect();
        if let (Some(&first), Some(&last)) = (edges.first(), edges.last()) {
            self.steps.push(Step::Cut { node: *node, first, last, window });
            self.cut.extend(edges);
        }
    }

    fn leave(&mut self, _: &ExplicitTree, node: &NodeId, value: i32) {
        let window = self.path.pop().map_or(Window::OPEN, |(window, _)| window);
        let bound = if value <= window.alpha {
            Bound::AtMost
        } else if value >= window.beta {
            Bound::AtLeast
        } else {
            Bound::Exact
        };
        self.steps.push(Step::Leave { node: *node, value, bound });
    }
}

impl Step {
    /// The node that the step happens at.
    #[must_use]
    pub fn node(&self) -> NodeId {
        match *self {
            Self::Enter { node, .. }
            | Self::Leaf { node, .. }
            | Self::Update { node, .. }
            | Self::Cut { node, .. }
            | Self::Leave { node, .. } => node,
        }
    }

    /// What happened, in a sentence. `pruning` tells whether alpha and beta play a part in the search.
    #[must_use]
    pub fn sentence(&self, tree: &ExplicitTree, pruning: bool) -> String {
        let turn = tree.turn(&self.node());
        let who = turn.name();
        match *self {
            Self::Enter { node: NodeId::ROOT, .. } => format!("Start at the root: {who} to move."),
            Self::Enter { node, window } => {
                let bounds = if pruning { format!(", with {}", window_text(window)) } else { String::new() };
                format!("Go down {}: {who} to move{bounds}.", edge(tree, node))
            }
            Self::Leaf { node, value, ended } => {
                let how = if ended { "a leaf worth" } else { "at the horizon and looks worth" };
                let what = if node == NodeId::ROOT { "The root".to_owned() } else { edge(tree, node) };
                format!("{what} is {how} {}.", value_text(value))
            }
            Self::Update { node, child, value, best, improved, window } => {
                let mut sentence = format!(
                    "{} comes up from {child} to {node}: {who}'s best there {} {}",
                    value_text(value),
                    if improved { "is now" } else { "stays" },
                    value_text(best)
                );
                if pruning && improved {
                    sentence += &format!("; {}", window_text(window));
                }
                sentence + "."
            }
            Self::Cut { first, last, window, .. } => {
                let cut = if first == last { first.to_string() } else { format!("{first} to {last}") };
                let reason = match turn {
                    Turn::Min => format!(
                        "MIN already has {} here, MAX has {} elsewhere",
                        value_text(window.beta),
                        value_text(window.alpha)
                    ),
                    Turn::Max => format!(
                        "MAX already has {} here, MIN can hold it to {} elsewhere",
                        value_text(window.alpha),
                        value_text(window.beta)
                    ),
                };
                let kind = if turn == Turn::Min { "an alpha cut" } else { "a beta cut" };
                format!("{reason}: the rest of this branch cannot matter, cut {cut} ({kind}).")
            }
            Self::Leave { node: NodeId::ROOT, value, .. } => {
                format!("The root is worth {}.", value_text(value))
            }
            Self::Leave { node, value, bound } => {
                let extent = match bound {
                    Bound::Exact => "",
                    Bound::AtMost => " or less",
                    Bound::AtLeast => " or more",
                };
                format!("{node} is worth {}{extent}.", value_text(value))
            }
        }
    }
}

/// `E-3`, or `E-3 (column 4)` in a tree of positions.
fn edge(tree: &ExplicitTree, node: NodeId) -> String {
    match (tree.game_move(node), tree.position()) {
        (Some(mv), Some(position)) => {
            let rules = position.rules();
            let kind = if rules.gravity() { "column" } else { "cell" };
            format!("{node} ({kind} {})", mv.label(rules))
        }
        _ => node.to_string(),
    }
}

/// A value as people read it: infinities as such, decided games of positions in words.
#[must_use]
pub fn value_text(value: i32) -> String {
    match value {
        INFINITY => "+∞".to_owned(),
        value if value == -INFINITY => "−∞".to_owned(),
        value if (DECIDED..crate::score::WIN).contains(&value) => {
            format!("a win with {} discs on the board", crate::score::WIN - value)
        }
        value if (DECIDED..crate::score::WIN).contains(&-value) => {
            format!("a loss with {} discs on the board", crate::score::WIN + value)
        }
        value => value.to_string(),
    }
}

/// `alpha 3, beta +∞`.
#[must_use]
pub fn window_text(window: Window) -> String {
    format!("alpha {}, beta {}", value_text(window.alpha), value_text(window.beta))
}

/// Infinite bounds are `null`.
impl Serialize for Window {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let finite = |value: i32| (value.abs() != INFINITY).then_some(value);
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("alpha", &finite(self.alpha))?;
        map.serialize_entry("beta", &finite(self.beta))?;
        map.end()
    }
}

/// The edge's name, `E-3`; `root` for the root.
impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Self::ROOT { serializer.serialize_str("root") } else { serializer.collect_str(self) }
    }
}
