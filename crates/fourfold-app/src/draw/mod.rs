//! Drawings of search trees, boards and reviewed games.
//!
//! [`marks`] watches a search, [`fold`] chooses the nodes that fit, and [`tree_text`] and
//! [`tree_svg`] (over [`tree_layout`]) draw them; [`review_svg`] draws the course of a
//! game, [`board_svg`] a board. [`fourfold_lab::svg`] has the building blocks that all drawings
//! share. Nothing here reads input or decides where a drawing goes.

pub mod board_svg;
pub mod fold;
pub mod marks;
pub mod review_svg;
pub mod tree_layout;
pub mod tree_svg;
pub mod tree_text;

use crate::text::grouped;
use fold::View;
use fourfold::score::{INFINITY, WIN, is_decided};
use fourfold::search::{Bound, ExplicitTree, NodeId, Report, Tree, Turn, Window};
use marks::{Marks, NodeMark};

/// Default number of nodes drawn.
pub const NODES_DRAWN: usize = 60;

/// A searched tree with its results: the input of the drawings.
pub struct SearchedTree<'a> {
    /// The tree.
    pub tree: &'a ExplicitTree,
    /// What the search did to each node.
    pub marks: &'a Marks,
    /// What it found.
    pub report: &'a Report<NodeId>,
    /// Whether the search was alpha-beta rather than minimax.
    pub pruning: bool,
}

impl SearchedTree<'_> {
    /// The part of the tree to draw: at most about `most` nodes.
    pub fn view(&self, most: usize) -> View {
        View::new(self.tree, self.marks, &self.report.line, most)
    }

    /// Whether drawings show decided games in brief, so that they need the legend [`BRIEF`].
    fn has_ends(&self) -> bool {
        let ended = |node: NodeId| self.tree.leaf_value(node).is_some_and(is_decided);
        self.tree.position().is_some() && self.tree.nodes().any(ended)
    }

    /// Whether the edge to `node` is on the expected line; the root is on every line.
    fn on_line(&self, node: NodeId) -> bool {
        node == NodeId::ROOT || self.report.line.contains(&node)
    }

    /// `E-4`, in a tree of positions `E-4 a3` or `E-4 col 2`.
    pub fn edge_name(&self, node: NodeId) -> String {
        match (self.tree.game_move(node), self.tree.position()) {
            (Some(mv), Some(position)) => {
                let rules = position.rules();
                let column = if rules.gravity() { "col " } else { "" };
                format!("{node} {column}{}", mv.label(rules))
            }
            _ => node.to_string(),
        }
    }

    /// A value as text: infinities as symbols, and in a tree of positions a decided game as
    /// `decided` formats it, given the winner and the number of discs on the board.
    pub fn value(&self, value: i32, decided: fn(Turn, u32) -> String) -> String {
        if value.unsigned_abs() == INFINITY.unsigned_abs() {
            return if value > 0 { "+∞" } else { "−∞" }.to_owned();
        }
        if self.tree.position().is_some() && is_decided(value) && value.abs() <= WIN {
            let winner = if value > 0 { Turn::Max } else { Turn::Min };
            return decided(winner, (WIN - value.abs()).unsigned_abs());
        }
        value.to_string()
    }

    /// The value that the search found at a node, with `≤` or `≥` if it is a bound. A leaf that it
    /// did not visit has its own value; other unvisited nodes have none.
    fn found(&self, node: NodeId, decided: fn(Turn, u32) -> String) -> Option<String> {
        let Some(mark) = self.marks.of(node) else {
            return self.tree.leaf_value(node).map(|value| self.value(value, decided));
        };
        let sign = match mark.bound {
            Bound::Exact => "",
            Bound::AtLeast => "≥",
            Bound::AtMost => "≤",
        };
        Some(format!("{sign}{}", self.value(mark.value, decided)))
    }

    /// Alpha and beta when the search left an inner node.
    fn window(&self, node: NodeId) -> Option<Window> {
        let inner = self.pruning && self.tree.leaf_value(node).is_none();
        self.marks.of(node).filter(|_| inner).map(|mark: &NodeMark| mark.window)
    }

    /// Why the edges to the rest of `node`'s children are cut.
    fn cut_reason(&self, node: NodeId) -> String {
        let window = self.marks.of(node).map_or(Window::OPEN, |mark| mark.window);
        let (alpha, beta) = (self.value(window.alpha, in_brief), self.value(window.beta, in_brief));
        match self.tree.turn(&node) {
            Turn::Min => format!("MIN has {beta} here, MAX has {alpha} elsewhere"),
            Turn::Max => format!("MAX has {alpha} here, MIN can hold it to {beta} elsewhere"),
        }
    }
}

/// A decided game in words; `discs` is 0 if the length of the game does not count.
pub fn in_words(winner: Turn, discs: u32) -> String {
    let when = if discs > 0 { format!(" with disc {discs}") } else { String::new() };
    format!("{} wins{when}", winner.name())
}

/// A decided game in brief: `W7` or `L8`.
pub fn in_brief(winner: Turn, discs: u32) -> String {
    let discs = if discs > 0 { discs.to_string() } else { String::new() };
    format!("{}{discs}", if winner == Turn::Max { 'W' } else { 'L' })
}

/// What [`in_brief`] means.
pub const BRIEF: &str = "W5: MAX wins with disc 5; L6: MIN wins with disc 6";

/// `1 edge`, `2 edges`, `1 234 edges`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}
