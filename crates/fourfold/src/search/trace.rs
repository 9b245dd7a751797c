//! A search of an explicit tree written down step by step, each step with a sentence that says what
//! happened and why.

use super::{
    Bound, ExplicitTree, LeafKind, Lookup, NodeId, Observer, PreferReason, SkipReason, Tree, Turn,
    Window,
};
use crate::score::{DECIDED, INFINITY, WIN};
#[cfg(feature = "json")]
use serde::{Serialize, Serializer};

/// One thing that happened in a search.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize), serde(tag = "step", rename_all = "kebab-case"))]
pub enum Step {
    /// The search starts anew, and looks so many moves ahead.
    Deepen {
        /// How many.
        depth: u32,
    },
    /// The search went down to an inner node.
    Enter {
        /// Where.
        node: NodeId,
        /// What was certain above.
        #[cfg_attr(feature = "json", serde(flatten))]
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
    /// It came to a position that is known already.
    Recall {
        /// Where.
        node: NodeId,
        /// Who knows it.
        from: Lookup,
        /// What it is worth.
        value: i32,
        /// How the value is to be read.
        bound: Bound,
    },
    /// An edge is tried before its turn.
    Prefer {
        /// The node.
        node: NodeId,
        /// The edge.
        edge: NodeId,
        /// Why.
        why: PreferReason,
    },
    /// An edge is left out.
    Skip {
        /// The node.
        node: NodeId,
        /// The edge.
        edge: NodeId,
        /// Why.
        why: SkipReason,
    },
    /// An edge wins at once, so that the others are not tried.
    EarlyWin {
        /// The node.
        node: NodeId,
        /// The edge.
        edge: NodeId,
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
        #[cfg_attr(feature = "json", serde(flatten))]
        window: Window,
    },
    /// The rest of a node cannot matter.
    Cut {
        /// The node.
        node: NodeId,
        /// The edges that are cut, lowest number first.
        edges: Vec<NodeId>,
        /// Why: alpha has met beta.
        #[cfg_attr(feature = "json", serde(flatten))]
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

/// Records the steps of a search; all of them, or the first ones (a large search has far more steps
/// than nodes).
#[derive(Debug, Clone)]
pub struct Trace {
    steps: Vec<Step>,
    most: usize,
    /// Steps so far, recorded or not.
    count: u64,
    /// The nodes on the current path.
    path: Vec<Visited>,
    leaves: Vec<NodeId>,
    cut: Vec<NodeId>,
}

/// A node on the current path.
#[derive(Debug, Clone)]
struct Visited {
    /// On arrival.
    window: Window,
    best: Option<i32>,
    /// The edges that were tried or left out.
    done: Vec<NodeId>,
}

impl Default for Trace {
    fn default() -> Self {
        Self::keeping(usize::MAX)
    }
}

impl Trace {
    /// Nothing recorded yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, and only the first `most` steps will be recorded.
    #[must_use]
    pub fn keeping(most: usize) -> Self {
        let (steps, path, leaves, cut) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { steps, most, count: 0, path, leaves, cut }
    }

    /// The steps in order, as far as they were recorded.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many steps there were in all.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The leaves visited in the steps recorded, in order.
    #[must_use]
    pub fn leaves(&self) -> &[NodeId] {
        &self.leaves
    }

    /// The edges cut in the steps recorded, lowest number first. What hangs below them is not
    /// listed.
    #[must_use]
    pub fn cut_edges(&self) -> Vec<NodeId> {
        let mut edges = self.cut.clone();
        edges.sort_unstable();
        edges
    }

    /// One more step; true if it is recorded.
    fn add(&mut self, step: Step) -> bool {
        self.count += 1;
        let room = self.steps.len() < self.most;
        if room {
            self.steps.push(step);
        }
        room
    }

    /// The window with which the node was entered that is left now.
    fn arrival(&mut self) -> Window {
        self.path.pop().map_or(Window::OPEN, |visited| visited.window)
    }

    fn done(&mut self, edge: NodeId) {
        if let Some(visited) = self.path.last_mut() {
            visited.done.push(edge);
        }
    }
}

impl Observer<ExplicitTree> for Trace {
    fn enter(&mut self, tree: &ExplicitTree, node: &NodeId, depth: u32, window: Window) {
        let node = *node;
        if node == NodeId::ROOT && (self.count > 0 || depth < tree.depth()) {
            self.add(Step::Deepen { depth });
        }
        self.path.push(Visited { window, best: None, done: Vec::new() });
        // At the horizon an inner node is a leaf too.
        if tree.leaf_value(node).is_none() && depth > 0 {
            self.add(Step::Enter { node, window });
        }
    }

    fn leaf(&mut self, _: &ExplicitTree, node: &NodeId, value: i32, kind: LeafKind) {
        self.arrival();
        if self.add(Step::Leaf { node: *node, value, ended: kind == LeafKind::Ended }) {
            self.leaves.push(*node);
        }
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
        let (node, child) = (*node, *child);
        self.done(child);
        let improved = match self.path.last_mut() {
            Some(visited) => visited.best.replace(best) != Some(best),
            None => false,
        };
        self.add(Step::Update { node, child, value, best, improved, window });
    }

    fn cut(&mut self, tree: &ExplicitTree, node: &NodeId, _: usize, window: Window) {
        let Some(visited) = self.path.last_mut() else { return };
        visited.done.sort_unstable();
        let done = &visited.done;
        let edges: Vec<NodeId> =
            tree.children(*node).filter(|edge| done.binary_search(edge).is_err()).collect();
        // A cut after the last child cuts nothing.
        if !edges.is_empty() && self.add(Step::Cut { node: *node, edges: edges.clone(), window }) {
            self.cut.extend(edges);
        }
    }

    fn prefer(&mut self, _: &ExplicitTree, node: &NodeId, edge: NodeId, why: PreferReason) {
        self.add(Step::Prefer { node: *node, edge, why });
    }

    fn skip(&mut self, _: &ExplicitTree, node: &NodeId, edge: NodeId, why: SkipReason) {
        self.done(edge);
        self.add(Step::Skip { node: *node, edge, why });
    }

    fn recall(&mut self, _: &ExplicitTree, node: &NodeId, from: Lookup, value: Option<i32>) {
        if let Some(value) = value {
            let arrival = self.arrival();
            let bound = if from == Lookup::Book { Bound::Exact } else { arrival.bound_of(value) };
            self.add(Step::Recall { node: *node, from, value, bound });
        }
    }

    fn early_win(&mut self, _: &ExplicitTree, node: &NodeId, edge: NodeId) {
        self.add(Step::EarlyWin { node: *node, edge });
    }

    fn leave(&mut self, _: &ExplicitTree, node: &NodeId, value: i32) {
        let bound = self.arrival().bound_of(value);
        self.add(Step::Leave { node: *node, value, bound });
    }
}

impl Step {
    /// The node that the step happens at.
    #[must_use]
    pub fn node(&self) -> NodeId {
        match *self {
            Self::Deepen { .. } => NodeId::ROOT,
            Self::Enter { node, .. }
            | Self::Leaf { node, .. }
            | Self::Recall { node, .. }
            | Self::Prefer { node, .. }
            | Self::Skip { node, .. }
            | Self::EarlyWin { node, .. }
            | Self::Update { node, .. }
            | Self::Cut { node, .. }
            | Self::Leave { node, .. } => node,
        }
    }

    /// What happened, in a sentence. `pruning` tells whether alpha and beta play a part in the
    /// search.
    #[must_use]
    pub fn sentence(&self, tree: &ExplicitTree, pruning: bool) -> String {
        let turn = tree.turn(&self.node());
        let who = turn.name();
        match *self {
            Self::Deepen { depth } => {
                format!("Look {depth} {} ahead.", if depth == 1 { "move" } else { "moves" })
            }
            Self::Enter { node: NodeId::ROOT, .. } => format!("Start at the root: {who} to move."),
            Self::Enter { node, window } => {
                let bounds =
                    if pruning { format!(", with {}", window_text(window)) } else { String::new() };
                format!("Go down {}: {who} to move{bounds}.", edge_text(tree, node))
            }
            Self::Leaf { node, value, ended } => {
                let how = if ended { "a leaf worth" } else { "at the horizon and looks worth" };
                let what = if node == NodeId::ROOT {
                    "The root".to_owned()
                } else {
                    edge_text(tree, node)
                };
                format!("{what} is {how} {}.", value_text(value))
            }
            Self::Recall { node, from, value, bound } => {
                let (edge, value) = (edge_text(tree, node), bounded_text(value, bound));
                match from {
                    Lookup::Table => {
                        format!(
                            "The position after {edge} was searched before: the table has {value}."
                        )
                    }
                    Lookup::CachedEnds => {
                        format!("How the game ends after {edge} was proven before: {value}.")
                    }
                    Lookup::Book => format!("The book knows the position after {edge}: {value}."),
                }
            }
            Self::Prefer { edge, why, .. } => {
                let reason = match why {
                    PreferReason::Remembered => {
                        "it was the best when this position was searched before"
                    }
                    PreferReason::Killer => "it caused a cut elsewhere at this depth (a killer)",
                    PreferReason::History => "it has caused most cuts so far (history)",
                };
                format!("Try {} first: {reason}.", edge_text(tree, edge))
            }
            Self::Skip { edge, why: SkipReason::Symmetric, .. } => {
                let edge = edge_text(tree, edge);
                format!("Skip {edge}: it leads to a mirror image of a position already tried.")
            }
            Self::Skip { edge, why: SkipReason::Forward, .. } => {
                let edge = edge_text(tree, edge);
                format!(
                    "Leave out {edge}: others look better (forward pruning, which may be wrong)."
                )
            }
            Self::EarlyWin { edge, .. } => {
                format!("{} wins at once: the others need not be tried.", edge_text(tree, edge))
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
                capital(&sentence) + "."
            }
            Self::Cut { ref edges, window, .. } => {
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
                let cut = edges_text(edges);
                format!("{reason}: the rest of this branch cannot matter, cut {cut} ({kind}).")
            }
            Self::Leave { node: NodeId::ROOT, value, .. } => {
                format!("The root is worth {}.", value_text(value))
            }
            Self::Leave { node, value, bound } => {
                format!("{node} is worth {}.", bounded_text(value, bound))
            }
        }
    }
}

/// `6 or less`.
fn bounded_text(value: i32, bound: Bound) -> String {
    let extent = match bound {
        Bound::Exact => "",
        Bound::AtMost => " or less",
        Bound::AtLeast => " or more",
    };
    value_text(value) + extent
}

/// `E-5, E-7 to E-9`: neighbours together.
fn edges_text(edges: &[NodeId]) -> String {
    let runs = edges.chunk_by(|left, right| left.index() + 1 == right.index());
    let run = |run: &[NodeId]| match *run {
        [first, .., last] => format!("{first} to {last}"),
        [only] => only.to_string(),
        [] => String::new(),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}

/// The first letter in upper case.
fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// `E-3`, or `E-3 (column 4)` in a tree of positions.
fn edge_text(tree: &ExplicitTree, node: NodeId) -> String {
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
        WIN => "a win".to_owned(),
        value if value == -WIN => "a loss".to_owned(),
        value if (DECIDED..WIN).contains(&value) => {
            format!("a win with disc {}", WIN - value)
        }
        value if (DECIDED..WIN).contains(&-value) => {
            format!("a loss with disc {}", WIN + value)
        }
        value => value.to_string(),
    }
}

/// `alpha 3, beta +∞`.
fn window_text(window: Window) -> String {
    format!("alpha {}, beta {}", value_text(window.alpha), value_text(window.beta))
}

/// Infinite bounds are `null`.
#[cfg(feature = "json")]
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
#[cfg(feature = "json")]
impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Self::ROOT {
            serializer.serialize_str("root")
        } else {
            serializer.collect_str(self)
        }
    }
}
