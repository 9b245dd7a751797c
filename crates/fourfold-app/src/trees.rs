//! Small trees that are searched before somebody's eyes, by `fourfold tree` or the web's
//! microscope: how random ones are written, which switches make sense, the search with all that is
//! noted of it, and the answer for programs.

use crate::draw::Searched;
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

/// How far the tree of a position goes unless somebody says otherwise, in moves.
pub const USUAL_DEPTH: u32 = 2;

/// `B,D,SEED`.
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
            return Err("write children a node, levels, and a seed, as in 3,4,1".to_owned());
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
    /// How many nodes it has; the largest number if there are more.
    pub fn nodes(&self) -> u64 {
        let (mut nodes, mut width) = (1u64, 1u64);
        for _ in 0..self.depth {
            width = width.saturating_mul(u64::from(self.branching));
            nodes = nodes.saturating_add(width);
        }
        nodes
    }
}

/// How many nodes the tree of a position has, as far as they can be counted within the limits
/// (minimax visits each once), and whether these are all.
pub fn count_nodes(position: &Position, limits: &Limits) -> (u64, bool) {
    match Searcher::new(Evaluator::Terminal, SearchOptions::minimax()).search(position, limits, 0) {
        Ok(report) => (report.counters.nodes, report.ended == Ended::Completed),
        Err(SearchError::Interrupted { nodes, .. }) => (nodes, false),
        Err(_) => (0, false),
    }
}

/// Why a switch makes no sense on a tree of this game, or on one without a game; none if it does.
pub fn senseless(switch: &Switch, rules: Option<&Rules>) -> Option<&'static str> {
    match (switch.name, rules) {
        ("book", Some(rules)) => {
            Book::embedded(rules).is_none().then_some("there is no book of openings of this game")
        }
        (_, Some(_)) | ("alpha_beta" | "exact_root", None) => None,
        ("mid_col", None) => Some("a tree of numbers has no centre"),
        ("early_win", None) => Some("no edge of a tree of numbers wins at once"),
        ("table" | "symmetry" | "cached_ends", None) => {
            Some("no node of a tree of numbers is met twice")
        }
        ("killers" | "history", None) => Some("every edge of a tree of numbers is another move"),
        ("deepening" | "forward", None) => {
            Some("a tree of numbers has no estimates above its leaves")
        }
        ("contempt" | "distance", None) => {
            Some("the leaves of a tree of numbers have their values")
        }
        (_, None) => Some("this is for positions"),
    }
}

/// A switch that is on but makes no sense, with the reason.
pub fn senseless_in(
    options: &SearchOptions,
    rules: Option<&Rules>,
) -> Option<(&'static Switch, &'static str)> {
    options.changed().find_map(|(switch, _)| Some((switch, senseless(switch, rules)?)))
}

/// A tree after its search, with what was noted on the way.
pub struct Seen {
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

impl Seen {
    /// Searches a tree; `most` steps are kept, and `nodes` may be visited at most.
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

    /// For the drawings.
    pub fn searched(&self) -> Searched<'_> {
        let Self { tree, options, marks, report, .. } = self;
        Searched { tree, marks, report, pruning: options.alpha_beta }
    }

    /// For programs.
    pub fn answer(&self, with_steps: bool) -> Answer<'_> {
        let Self { tree, options, marks, trace, report } = self;
        Answer {
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
            position: self.position_answer(),
            steps: with_steps.then(|| self.told()),
            steps_in_all: with_steps.then_some(trace.count()),
        }
    }

    fn position_answer(&self) -> Option<PositionAnswer> {
        let Self { tree, options, marks, report, .. } = self;
        let (position, evaluator) = (tree.position()?, tree.evaluator()?);
        let rules = position.rules();
        let name = |mv: Move| mv.label(rules);
        let complete = marks.evaluated == 0 && options.forward == 0;
        Some(PositionAnswer {
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

    /// The steps, each with its sentence and what was counted by then.
    fn told(&self) -> Vec<StepAnswer<'_>> {
        let steps = self.trace.steps();
        let (mut visited, mut leaves, mut cut) = (0, 0, 0);
        let told = steps.iter().enumerate().map(|(index, step)| {
            match step {
                Step::Enter { .. } => visited += 1,
                Step::Leaf { .. } => {
                    visited += 1;
                    leaves += 1;
                }
                // What is known is asked on the way in, but nobody enters the horizon.
                Step::Recall { node, .. } => {
                    let entered =
                        |before: &Step| matches!(before, Step::Enter { node: into, .. } if into == node);
                    let before = index.checked_sub(1).map(|before| &steps[before]);
                    visited += u64::from(!before.is_some_and(entered));
                }
                Step::Cut { edges, .. } => cut += edges.len() as u64,
                _ => {}
            }
            let sentence = step.sentence(&self.tree, self.options.alpha_beta);
            StepAnswer { step, sentence, visited, leaves, cut }
        });
        told.collect()
    }
}

/// `max` or `min`.
pub fn turn_word(turn: Turn) -> &'static str {
    match turn {
        Turn::Max => "max",
        Turn::Min => "min",
    }
}

/// The side that [`turn_word`] writes so.
#[must_use]
pub fn turn_of_word(word: &str) -> Option<Turn> {
    [Turn::Max, Turn::Min].into_iter().find(|&turn| turn_word(turn) == word)
}

/// How many leaves a tree has.
pub fn leaves_in(tree: &ExplicitTree) -> u64 {
    tree.nodes().filter(|&node| tree.leaf_value(node).is_some()).count() as u64
}

/// The answer for programs.
#[derive(Serialize)]
pub struct Answer<'a> {
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
    position: Option<PositionAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepAnswer<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps_in_all: Option<u64>,
}

/// What only a tree of positions has.
#[derive(Serialize)]
struct PositionAnswer {
    game: String,
    eval: String,
    verdict: Verdict,
    best_move: Option<String>,
    line_moves: Vec<String>,
}

/// A step, what it means, and the nodes visited, leaves visited and edges cut by then.
#[derive(Serialize)]
struct StepAnswer<'a> {
    #[serde(flatten)]
    step: &'a Step,
    sentence: String,
    visited: u64,
    leaves: u64,
    cut: u64,
}
