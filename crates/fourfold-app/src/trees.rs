//! Small trees whose search is shown step by step, by `fourfold tree` and the web's microscope:
//! the notation of random trees, the switches that apply, the traced search, and its report as
//! JSON.

use crate::draw::SearchedTree;
use crate::draw::marks::Marks;
use fourfold::book::Book;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Position, Rules};
use fourfold::score::Verdict;
use fourfold::search::{
    Ended, ExplicitTree, Limits, NodeId, Report, SearchError, SearchOptions, Searcher, Step,
    Switch, Trace, Tree, Turn, search_numbered,
};
use serde::Serialize;
use std::str::FromStr;

/// Default depth of the tree of a position, in plies.
pub const DEFAULT_DEPTH: u32 = 2;

/// A random tree, written `B,D,SEED`.
#[derive(Debug, Clone, Copy)]
pub struct RandomTree {
    /// Children of each inner node.
    pub branching: u16,
    /// Levels below the root.
    pub depth: u32,
    /// Random seed.
    pub seed: u64,
}

impl FromStr for RandomTree {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let [branching, depth, seed] = parts[..] else {
            return Err("write children per node, levels and a seed, as in 3,4,1".to_owned());
        };
        let branching =
            branching.parse().ok().filter(|&branching| branching >= 1).ok_or_else(|| {
                format!("{branching:?} is not a number of children from 1 to {}", u16::MAX)
            })?;
        let depth = depth.parse().ok().filter(|&depth| depth <= ExplicitTree::DEEPEST).ok_or_else(
            || format!("{depth:?} is not a number of levels from 0 to {}", ExplicitTree::DEEPEST),
        )?;
        let seed =
            seed.parse().map_err(|_| format!("{seed:?} is not a seed: write a whole number"))?;
        Ok(Self { branching, depth, seed })
    }
}

impl RandomTree {
    /// The number of nodes, saturating.
    pub fn nodes(&self) -> u64 {
        let (mut nodes, mut width) = (1u64, 1u64);
        for _ in 0..self.depth {
            width = width.saturating_mul(u64::from(self.branching));
            nodes = nodes.saturating_add(width);
        }
        nodes
    }
}

/// Counts the nodes of a position's tree by a minimax search, which visits each once. Returns the
/// count, and whether it is complete: the limits may end it early.
pub fn count_nodes(position: &Position, limits: &Limits) -> (u64, bool) {
    match Searcher::new(Evaluator::Terminal, SearchOptions::minimax()).search(position, limits, 0) {
        Ok(report) => (report.counters.nodes, report.ended == Ended::Completed),
        Err(SearchError::Interrupted { nodes, .. }) => (nodes, false),
        Err(_) => (0, false),
    }
}

/// Why a switch does not apply to a tree of this game, or to a tree of numbers if there is no game;
/// none if it applies.
pub fn inapplicable(switch: &Switch, rules: Option<&Rules>) -> Option<&'static str> {
    match (switch.name, rules) {
        ("book", Some(rules)) => {
            Book::embedded(rules).is_none().then_some("there is no opening book for this game")
        }
        (_, Some(_)) | ("alpha_beta" | "exact_root", None) => None,
        ("mid_col", None) => Some("a tree of numbers has no centre"),
        ("early_win", None) => Some("no edge of a tree of numbers wins at once"),
        ("table" | "symmetry" | "cached_ends", None) => {
            Some("a tree of numbers has no transpositions")
        }
        ("killers" | "history", None) => {
            Some("every edge of a tree of numbers is a different move")
        }
        ("deepening" | "forward", None) => {
            Some("a tree of numbers has no estimates above its leaves")
        }
        ("contempt" | "distance", None) => {
            Some("the leaves of a tree of numbers have fixed values")
        }
        (_, None) => Some("this applies to positions only"),
    }
}

/// The first changed switch that does not apply, with the reason.
pub fn inapplicable_in(
    options: &SearchOptions,
    rules: Option<&Rules>,
) -> Option<(&'static Switch, &'static str)> {
    options.changed().find_map(|(switch, _)| Some((switch, inapplicable(switch, rules)?)))
}

/// A searched tree, with the marks and the trace of the search.
pub struct TreeSearch {
    /// The tree.
    pub tree: ExplicitTree,
    /// The switches it was searched with.
    pub options: SearchOptions,
    /// What the search did to each node.
    pub marks: Marks,
    /// The search step by step.
    pub trace: Trace,
    /// What it found.
    pub report: Report<NodeId>,
}

impl TreeSearch {
    /// Searches a tree, visiting at most `nodes` nodes; the trace keeps at most `most` steps.
    pub fn search(
        tree: ExplicitTree,
        options: SearchOptions,
        seed: u64,
        most: usize,
        nodes: Option<u64>,
    ) -> Result<Self, SearchError<NodeId>> {
        let bytes = Marks::BYTES_PER_NODE * tree.len() as u64;
        let marks = Marks::new(&tree).ok_or(SearchError::OutOfMemory { bytes })?;
        let mut observer = (marks, Trace::keeping(most));
        let budget = Budget::unlimited().with_nodes(nodes);
        let limits = Limits::depth(tree.depth()).within(budget);
        let report = search_numbered(&tree, &options, &limits, seed, &mut observer)?;
        let (marks, trace) = observer;
        Ok(Self { tree, options, marks, trace, report })
    }

    /// The view that drawings take.
    pub fn searched(&self) -> SearchedTree<'_> {
        let Self { tree, options, marks, report, .. } = self;
        SearchedTree { tree, marks, report, pruning: options.alpha_beta }
    }

    /// The report to serialise as JSON.
    pub fn report(&self, with_steps: bool) -> TreeReport<'_> {
        let Self { tree, options, marks, trace, report } = self;
        TreeReport {
            algorithm: if options.alpha_beta { "alphabeta" } else { "minimax" },
            switches: options
                .changed()
                .filter(|(switch, _)| switch.name != "alpha_beta")
                .map(|(switch, value)| (switch.name.to_owned(), value.into()))
                .collect(),
            root: turn_word(tree.turn(&NodeId::ROOT)),
            value: report.value,
            best: report.best,
            line: &report.line,
            visited: marks.leaves.iter().filter_map(|&leaf| tree.leaf_value(leaf)).collect(),
            cut: marks.cut_edges(),
            nodes: marks.visited,
            nodes_in_tree: tree.len(),
            leaves_in_tree: leaves_in(tree),
            depth: tree.depth(),
            position: self.position_fields(),
            steps: with_steps.then(|| self.step_reports()),
            steps_in_all: with_steps.then_some(trace.count()),
        }
    }

    fn position_fields(&self) -> Option<PositionFields> {
        let Self { tree, options, marks, report, .. } = self;
        let (position, evaluator) = (tree.position()?, tree.evaluator()?);
        let rules = position.rules();
        let name = |mv: Move| mv.label(rules);
        let complete = marks.evaluated == 0 && options.forward == 0;
        Some(PositionFields {
            game: rules.to_string(),
            eval: evaluator.to_string(),
            verdict: Verdict::of_score(report.value, position.ply(), complete),
            best_move: report.best.and_then(|best| tree.game_move(best)).map(name),
            line_moves: report
                .line
                .iter()
                .filter_map(|&node| tree.game_move(node))
                .map(name)
                .collect(),
        })
    }

    /// The steps, each with its sentence and the counts so far.
    fn step_reports(&self) -> Vec<StepReport<'_>> {
        let steps = self.trace.steps();
        let (mut visited, mut leaves, mut cut) = (0, 0, 0);
        let reports = steps.iter().enumerate().map(|(index, step)| {
            match step {
                Step::Enter { .. } => visited += 1,
                Step::Leaf { .. } => {
                    visited += 1;
                    leaves += 1;
                }
                // A lookup follows the entry of its node, except at the horizon.
                Step::Recall { node, .. } => {
                    let before = index.checked_sub(1).map(|before| &steps[before]);
                    let entered =
                        matches!(before, Some(Step::Enter { node: into, .. }) if into == node);
                    visited += u64::from(!entered);
                }
                Step::Cut { edges, .. } => cut += edges.len() as u64,
                _ => {}
            }
            let sentence = step.sentence(&self.tree, self.options.alpha_beta);
            StepReport { step, sentence, visited, leaves, cut }
        });
        reports.collect()
    }
}

/// `max` or `min`.
pub fn turn_word(turn: Turn) -> &'static str {
    match turn {
        Turn::Max => "max",
        Turn::Min => "min",
    }
}

/// The inverse of [`turn_word`].
#[must_use]
pub fn turn_of_word(word: &str) -> Option<Turn> {
    [Turn::Max, Turn::Min].into_iter().find(|&turn| turn_word(turn) == word)
}

/// The number of leaves of a tree.
pub fn leaves_in(tree: &ExplicitTree) -> u64 {
    tree.nodes().filter(|&node| tree.leaf_value(node).is_some()).count() as u64
}

/// The result of a search as JSON.
#[derive(Serialize)]
pub struct TreeReport<'a> {
    algorithm: &'static str,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    switches: serde_json::Map<String, serde_json::Value>,
    root: &'static str,
    value: i32,
    best: Option<NodeId>,
    line: &'a [NodeId],
    visited: Vec<i32>,
    cut: Vec<NodeId>,
    nodes: u64,
    nodes_in_tree: usize,
    leaves_in_tree: u64,
    depth: u32,
    #[serde(flatten)]
    position: Option<PositionFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepReport<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps_in_all: Option<u64>,
}

/// The fields of a report that only trees of positions have.
#[derive(Serialize)]
struct PositionFields {
    game: String,
    eval: String,
    verdict: Verdict,
    best_move: Option<String>,
    line_moves: Vec<String>,
}

/// A step, its explanation, and the nodes visited, leaves visited and edges cut so far.
#[derive(Serialize)]
struct StepReport<'a> {
    #[serde(flatten)]
    step: &'a Step,
    sentence: String,
    visited: u64,
    leaves: u64,
    cut: u64,
}
