//! Chooses the nodes of a tree to draw; the others are folded away.
//!
//! The expected line comes first, then what the search visited, then what it cut, each from the
//! root down. Neighbours that do not fit are folded into one pill, which shows how many nodes it
//! stands for.

use super::marks::Marks;
use fourfold::search::{ExplicitTree, NodeId};
use std::collections::{HashSet, VecDeque};

/// What is drawn at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A node.
    Node(NodeId),
    /// Neighbouring children of one node, with all that lies below them.
    Fold(Fold),
}

/// What a pill stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fold {
    /// All nodes.
    pub nodes: u64,
    /// Those that the search visited.
    pub visited: u64,
    /// The edges that it cut.
    pub cut: u64,
}

/// The places of a drawing, parents before children.
#[derive(Debug)]
pub struct View {
    /// The root is first.
    pub places: Vec<ViewNode>,
}

/// One place of a drawing.
#[derive(Debug)]
pub struct ViewNode {
    /// What is drawn.
    pub item: Item,
    /// The places below, from left to right.
    pub children: Vec<usize>,
}

impl View {
    /// Chooses about `most` nodes, always with the root.
    pub fn new(tree: &ExplicitTree, marks: &Marks, line: &[NodeId], most: usize) -> Self {
        let drawn = choose(tree, marks, line, most);
        let mut places = vec![ViewNode { item: Item::Node(NodeId::ROOT), children: Vec::new() }];
        let mut at = 0;
        while at < places.len() {
            if let Item::Node(node) = places[at].item {
                let mut children = Vec::new();
                let mut folded: Vec<NodeId> = Vec::new();
                for child in tree.children(node) {
                    if drawn.contains(&child) {
                        children.extend(fold(tree, marks, &folded));
                        folded.clear();
                        children.push(Item::Node(child));
                    } else {
                        folded.push(child);
                    }
                }
                children.extend(fold(tree, marks, &folded));
                for item in children {
                    let index = places.len();
                    places[at].children.push(index);
                    places.push(ViewNode { item, children: Vec::new() });
                }
            }
            at += 1;
        }
        Self { places }
    }

    /// How many nodes are drawn.
    pub fn nodes(&self) -> u64 {
        self.places.iter().filter(|place| matches!(place.item, Item::Node(_))).count() as u64
    }

    /// Whether anything is folded away.
    pub fn folds(&self) -> bool {
        self.places.iter().any(|place| matches!(place.item, Item::Fold(_)))
    }
}

/// The nodes that are drawn.
fn choose(tree: &ExplicitTree, marks: &Marks, line: &[NodeId], most: usize) -> HashSet<NodeId> {
    if tree.len() <= most {
        return tree.nodes().collect();
    }
    let mut drawn = HashSet::from([NodeId::ROOT]);
    drawn.extend(line.iter().copied().take(most.saturating_sub(1)));
    // What the search visited, then the rest; each level by level.
    for visited in [true, false] {
        let mut queue = VecDeque::from([NodeId::ROOT]);
        while let Some(node) = queue.pop_front() {
            let wanted = |child: &NodeId| marks.of(*child).is_some() == visited;
            let more: Vec<NodeId> = tree
                .children(node)
                .filter(|child| wanted(child) && !drawn.contains(child))
                .take(most.saturating_sub(drawn.len()) + 1)
                .collect();
            let room = most.saturating_sub(drawn.len());
            if more.len() <= room {
                drawn.extend(more);
            } else if line.contains(&node) || node == NodeId::ROOT {
                // On the expected line, some children are better than none.
                drawn.extend(more.into_iter().take(room));
            }
            queue.extend(tree.children(node).filter(|child| drawn.contains(child)));
        }
    }
    drawn
}

/// Neighbours folded into one pill. A single leaf is drawn after all: its pill would take as much
/// room.
fn fold(tree: &ExplicitTree, marks: &Marks, neighbours: &[NodeId]) -> Option<Item> {
    match *neighbours {
        [] => return None,
        [only] if tree.leaf_value(only).is_some() => return Some(Item::Node(only)),
        _ => {}
    }
    let mut fold = Fold::default();
    let mut open = neighbours.to_vec();
    while let Some(node) = open.pop() {
        fold.nodes += 1;
        fold.visited += u64::from(marks.of(node).is_some());
        fold.cut += u64::from(marks.is_cut(node));
        open.extend(tree.children(node));
    }
    Some(Item::Fold(fold))
}
