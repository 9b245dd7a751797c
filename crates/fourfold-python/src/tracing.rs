//! Searches of small trees, recorded step by step: what the microscope shows, as data.

use crate::board::Board;
use crate::callables::Raised;
use crate::errors::{FourfoldError, OptionError};
use crate::running::{budget, run_whole};
use crate::searching::{evaluator_given, options_given};
use fourfold::game::Rules;
use fourfold::search::{ExplicitTree, SearchOptions, TreeSizeError, Turn};
use fourfold_app::draw::{NODES_DRAWN, tree_svg, tree_text};
use fourfold_app::text::Paint;
use fourfold_app::trees::{RandomTree, TreeSearch, inapplicable_in};
use pyo3::prelude::*;

/// Nodes that a tree may have: building one cannot be interrupted, and this takes a moment.
const MOST_NODES: u64 = 1_000_000;

/// A searched tree with every step of its search.
#[pyclass(frozen)]
pub(crate) struct TraceCore {
    seen: TreeSearch,
}

#[pymethods]
impl TraceCore {
    /// The result and the steps as JSON.
    fn report(&self) -> PyResult<String> {
        serde_json::to_string(&self.seen.report(true))
            .map_err(|why| FourfoldError::new_err(why.to_string()))
    }

    /// The tree as an SVG of about so many nodes.
    fn svg(&self, nodes: Option<usize>) -> String {
        tree_svg::draw(&self.seen.searched(), nodes, NODES_DRAWN)
    }

    /// The tree with characters.
    fn text(&self, nodes: Option<usize>) -> String {
        let searched = self.seen.searched();
        let view = searched.view(nodes.unwrap_or(NODES_DRAWN));
        tree_text::draw(&searched, &view, Paint::new(false))
    }
}

/// The switches, if they all apply to the tree.
fn applicable(switches: &[(String, String)], rules: Option<&Rules>) -> PyResult<SearchOptions> {
    let options = options_given(switches)?;
    match inapplicable_in(&options, rules) {
        Some((switch, why)) => Err(OptionError::new_err(format!("{}: {why}", switch.name))),
        None => Ok(options),
    }
}

fn bytes_allowed() -> u64 {
    MOST_NODES * ExplicitTree::BYTES_PER_NODE
}

fn too_large(why: TreeSizeError) -> PyErr {
    match why {
        TreeSizeError::TooLarge { .. } => OptionError::new_err(format!(
            "the tree has more than {MOST_NODES} nodes; look less deep, or use search"
        )),
        why => OptionError::new_err(why.to_string()),
    }
}

fn searched(
    tree: ExplicitTree,
    options: SearchOptions,
    seed: u64,
    steps: usize,
) -> PyResult<TraceCore> {
    let seen = TreeSearch::search(tree, options, seed, steps, None)
        .map_err(|why| FourfoldError::new_err(why.to_string()))?;
    Ok(TraceCore { seen })
}

/// Searches the tree of a position.
#[pyfunction]
#[pyo3(signature = (board, depth, evaluator, switches, seed, steps))]
pub(crate) fn trace_position(
    py: Python<'_>,
    board: &Bound<'_, Board>,
    depth: u32,
    evaluator: Option<&Bound<'_, PyAny>>,
    switches: Vec<(String, String)>,
    seed: u64,
    steps: usize,
) -> PyResult<TraceCore> {
    let position = board.try_borrow()?.position;
    let options = applicable(&switches, Some(position.rules()))?;
    let (_, stop) = budget(None, None)?;
    let raised = Raised::new(&stop);
    let evaluator = evaluator_given(evaluator, position.rules(), &raised)?;
    let found = run_whole(py, &stop, || {
        let tree = ExplicitTree::build(&position, &evaluator, &options, depth, bytes_allowed())
            .map_err(too_large)?;
        searched(tree, options, seed, steps)
    });
    match raised.take() {
        Some(error) => Err(error),
        None => found?,
    }
}

/// Searches a tree of numbers: typed, or random (`children,levels,seed`).
#[pyfunction]
#[pyo3(signature = (tree, random, max_moves, switches, seed, steps))]
pub(crate) fn trace_numbers(
    py: Python<'_>,
    tree: &str,
    random: bool,
    max_moves: bool,
    switches: Vec<(String, String)>,
    seed: u64,
    steps: usize,
) -> PyResult<TraceCore> {
    let options = applicable(&switches, None)?;
    let tree = if random {
        let random: RandomTree = tree.parse().map_err(OptionError::new_err)?;
        let RandomTree { branching, depth, seed } = random;
        ExplicitTree::random(branching, depth, seed, bytes_allowed()).map_err(too_large)?
    } else {
        tree.parse::<ExplicitTree>().map_err(|why| OptionError::new_err(why.to_string()))?
    };
    let turn = if max_moves { Turn::Max } else { Turn::Min };
    py.detach(|| searched(tree.with_root_turn(turn), options, seed, steps))
}
