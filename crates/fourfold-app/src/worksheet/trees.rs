//! Exercises about trees of numbers.

use super::{Kind, SheetError, TRIES};
use crate::draw::marks::Marks;
use fourfold::random::Random;
use fourfold::search::{
    ExplicitTree, Limits, NodeId, Report, SearchOptions, Tree, Turn, search_tree,
};
use serde_json::{Value, json};

/// Seeds of trees are below this, so that they are short enough to copy by hand.
const SEEDS: usize = 1_000_000;
/// The most bytes of a tree: none that fits on paper takes as many.
const TREE_BYTES: u64 = 1 << 20;

/// A tree with what minimax and alpha-beta find in it.
#[derive(Debug)]
pub struct TreeTask {
    /// The tree.
    pub tree: ExplicitTree,
    /// What `fourfold tree --random` grows it from.
    pub random: String,
    /// Minimax's values of all nodes, breadth first.
    pub values: Vec<i32>,
    /// What alpha-beta found.
    pub report: Report<NodeId>,
    /// What alpha-beta did at each node.
    pub marks: Marks,
    /// The same tree with the best child of every node first, as it is typed.
    pub sorted: String,
    /// The leaves that alpha-beta visits there. No order of a full tree needs fewer.
    pub sorted_leaves: usize,
}

impl TreeTask {
    /// A tree with one best move at the root and what the kind of exercise needs: a cut, or an
    /// order that can be improved.
    pub(super) fn random(
        kind: Kind,
        branches: u64,
        levels: u64,
        seed: u64,
    ) -> Result<Self, SheetError> {
        for attempt in 0.. {
            let own = Random::for_item(seed, attempt).below(SEEDS) as u64;
            let tree = ExplicitTree::random(branches as u16, levels as u32, own, TREE_BYTES)
                .map_err(SheetError::internal)?;
            let task = Self::of(tree, format!("{branches},{levels},{own}"))?;
            let suits = match kind {
                Kind::Cuts | Kind::Windows => !task.cuts().is_empty(),
                Kind::Order => task.sorted_leaves < task.leaves(),
                _ => true,
            };
            if (suits && task.best_moves() == 1) || attempt >= TRIES {
                return Ok(task);
            }
        }
        unreachable!("the loop returns")
    }

    /// A tree searched; `random` is what it was grown from, if it was.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn of(tree: ExplicitTree, random: String) -> Result<Self, SheetError> {
        let values = tree.weigh();
        let (report, marks) = searched(&tree)?;
        let sorted = written(&tree, NodeId::ROOT, Some(&values));
        let again: ExplicitTree = sorted.parse().map_err(SheetError::internal)?;
        let sorted_leaves = searched(&again)?.1.leaves.len();
        Ok(Self { tree, random, values, report, marks, sorted, sorted_leaves })
    }

    /// The tree as it is typed.
    #[must_use]
    pub fn text(&self) -> String {
        written(&self.tree, NodeId::ROOT, None)
    }

    /// The edges that alpha-beta cuts.
    #[must_use]
    pub fn cuts(&self) -> Vec<NodeId> {
        self.marks.cut_edges()
    }

    /// The leaves that alpha-beta visits.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.marks.leaves.len()
    }

    fn best_moves(&self) -> usize {
        let children = self.tree.children(NodeId::ROOT);
        children.filter(|child| self.values[child.index()] == self.values[0]).count()
    }

    pub(super) fn json(&self) -> Value {
        let found = |node: NodeId| {
            let mark = self.marks.of(node)?;
            let mut json = json!(mark.window);
            json["value"] = mark.value.into();
            json["bound"] = json!(mark.bound);
            Some(json)
        };
        let found: Vec<Option<Value>> = self.tree.nodes().map(found).collect();
        json!({
            "tree": self.text(),
            "random": self.random,
            "values": self.values,
            "best": self.report.best,
            "line": self.report.line,
            "cut": self.cuts(),
            "found": found,
            "leaves": self.leaves(),
            "sorted": self.sorted,
            "sorted_leaves": self.sorted_leaves,
        })
    }
}

fn searched(tree: &ExplicitTree) -> Result<(Report<NodeId>, Marks), SheetError> {
    let mut marks =
        Marks::new(tree).ok_or_else(|| SheetError::Internal("not enough memory".to_owned()))?;
    let limits = Limits::depth(tree.depth());
    let report = search_tree(tree, &SearchOptions::default(), &limits, 0, &mut marks)
        .map_err(SheetError::internal)?;
    Ok((report, marks))
}

/// A tree as it is typed; with values, the best child of every node comes first.
fn written(tree: &ExplicitTree, node: NodeId, values: Option<&[i32]>) -> String {
    if let Some(value) = tree.leaf_value(node) {
        return value.to_string();
    }
    let mut children: Vec<NodeId> = tree.children(node).collect();
    if let Some(values) = values {
        let sign = if tree.turn(&node) == Turn::Max { -1 } else { 1 };
        children.sort_by_key(|child| sign * values[child.index()]);
    }
    let children: Vec<String> =
        children.into_iter().map(|child| written(tree, child, values)).collect();
    format!("({})", children.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of the children of every node.
    fn orders(tree: &ExplicitTree, node: NodeId) -> Vec<String> {
        if let Some(value) = tree.leaf_value(node) {
            return vec![value.to_string()];
        }
        let children: Vec<Vec<String>> =
            tree.children(node).map(|child| orders(tree, child)).collect();
        let mut all = Vec::new();
        permute(&mut (0..children.len()).collect(), 0, &mut |order| {
            let mut partial = vec![String::new()];
            for &index in order {
                partial = partial
                    .iter()
                    .flat_map(|head| children[index].iter().map(move |own| format!("{head} {own}")))
                    .collect();
            }
            all.extend(partial.iter().map(|inside| format!("({inside})")));
        });
        all
    }

    fn permute(items: &mut Vec<usize>, from: usize, work: &mut dyn FnMut(&[usize])) {
        if from == items.len() {
            return work(items);
        }
        for index in from..items.len() {
            items.swap(from, index);
            permute(items, from + 1, work);
            items.swap(from, index);
        }
    }

    #[test]
    fn no_order_needs_fewer_leaves_than_the_best_first() {
        for seed in 0..40 {
            let (branches, levels) = if seed % 2 == 0 { (3, 2) } else { (2, 3) };
            let task = TreeTask::random(Kind::Order, branches, levels, seed).unwrap();
            let fewest = orders(&task.tree, NodeId::ROOT)
                .iter()
                .map(|text| searched(&text.parse().unwrap()).unwrap().1.leaves.len())
                .min();
            assert_eq!(fewest, Some(task.sorted_leaves), "{}", task.text());
            assert!(task.sorted_leaves < task.leaves());
        }
    }
}
