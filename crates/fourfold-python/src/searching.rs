//! The textbook search with every switch, and what it counted.

use crate::board::Board;
use crate::callables::{PythonEvaluator, Raised};
use crate::convert::{number, numbers};
use crate::errors::{FourfoldError, OptionError, UnfinishedError};
use crate::game::Game;
use crate::running::{budget, run_whole};
use crate::solving::result_name;
use fourfold::eval::Evaluator;
use fourfold::game::Rules;
use fourfold::score::Verdict;
use fourfold::search::{
    Bound as ScoreBound, Ended, Limits, SWITCHES, SearchError, SearchOptions, Searcher, SwitchKind,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An evaluator from what users write: nothing, text, or a function.
pub(crate) fn evaluator_given(
    given: Option<&Bound<'_, PyAny>>,
    rules: &Rules,
    raised: &Raised,
) -> PyResult<Evaluator> {
    let Some(given) = given else { return Ok(Evaluator::natural(rules)) };
    if let Ok(text) = given.extract::<&str>() {
        return text
            .parse()
            .map_err(|why: fourfold::eval::EvaluatorError| OptionError::new_err(why.to_string()));
    }
    PythonEvaluator::new(given, raised).map(Evaluator::custom)
}

/// Switches by name.
pub(crate) fn options_given(switches: &[(String, String)]) -> PyResult<SearchOptions> {
    let mut options = SearchOptions::default();
    for (name, value) in switches {
        options.set(name, value).map_err(|why| OptionError::new_err(why.to_string()))?;
    }
    Ok(options)
}

/// A verdict as Python has it: result, plies, words.
type VerdictParts = (&'static str, Option<u32>, String);

fn parts(verdict: Verdict) -> VerdictParts {
    (result_name(verdict), verdict.plies(), verdict.to_string())
}

fn bound_name(bound: ScoreBound) -> &'static str {
    match bound {
        ScoreBound::Exact => "exact",
        ScoreBound::AtLeast => "at-least",
        ScoreBound::AtMost => "at-most",
    }
}

/// Searches a position.
#[pyfunction]
#[pyo3(signature = (board, depth, evaluator, switches, seed, nodes, time))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn search<'py>(
    py: Python<'py>,
    board: &Bound<'py, Board>,
    depth: u32,
    evaluator: Option<&Bound<'py, PyAny>>,
    switches: Vec<(String, String)>,
    seed: u64,
    nodes: Option<u64>,
    time: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let position = board.try_borrow()?.position;
    let rules = position.rules();
    let options = options_given(&switches)?;
    let (budget, stop) = budget(nodes, time)?;
    let raised = Raised::new(&stop);
    let evaluator = evaluator_given(evaluator, rules, &raised)?;
    let limits = Limits::depth(depth).within(budget);
    let mut searcher = Searcher::new(evaluator, options);
    let found = run_whole(py, &stop, || searcher.search(&position, &limits, seed))?;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let report = found.map_err(|why| match why {
        SearchError::Interrupted { nodes, .. } => {
            let most = rules.cells() as i32;
            UnfinishedError::new_err((why.to_string(), -most, most, nodes))
        }
        SearchError::OutOfMemory { .. } => FourfoldError::new_err(why.to_string()),
        _ => OptionError::new_err(why.to_string()),
    })?;
    let moves = report
        .moves
        .iter()
        .map(|found| {
            let dict = PyDict::new(py);
            dict.set_item("move", number(rules, found.mv))?;
            dict.set_item("score", found.score)?;
            dict.set_item("verdict", found.verdict.map(|verdict| verdict.to_string()))?;
            dict.set_item("bound", bound_name(found.bound))?;
            dict.set_item("same_as", found.same_as.map(|mv| number(rules, mv)))?;
            dict.set_item("line", numbers(rules, &found.line))?;
            dict.set_item("nodes", found.nodes)?;
            Ok(dict)
        })
        .collect::<PyResult<Vec<_>>>()?;
    let counters = &report.counters;
    let counted = PyDict::new(py);
    for (name, count) in [
        ("nodes", counters.nodes),
        ("evaluations", counters.evaluations),
        ("ended", counters.ended),
        ("table_probes", counters.table_probes),
        ("table_hits", counters.table_hits),
        ("cached_end_hits", counters.cached_end_hits),
        ("book_hits", counters.book_hits),
        ("symmetric", counters.symmetric),
        ("forward_pruned", counters.forward_pruned),
        ("early_wins", counters.early_wins),
    ] {
        counted.set_item(name, count)?;
    }
    counted.set_item("cuts", counters.cuts.clone())?;
    let (result, plies, words) = parts(report.verdict);
    let dict = PyDict::new(py);
    dict.set_item("score", report.score)?;
    dict.set_item("result", result)?;
    dict.set_item("plies", plies)?;
    dict.set_item("verdict", words)?;
    dict.set_item("best", report.best.map(|mv| number(rules, mv)))?;
    dict.set_item("line", numbers(rules, &report.line))?;
    dict.set_item("moves", moves)?;
    dict.set_item("depth", report.depth)?;
    let ended = match report.ended {
        Ended::Completed => "completed".to_owned(),
        Ended::Decided => "decided".to_owned(),
        Ended::Halted(halt) => halt.to_string(),
    };
    dict.set_item("ended", ended)?;
    dict.set_item("counters", counted)?;
    dict.set_item("seconds", report.elapsed.as_secs_f64())?;
    Ok(dict)
}

/// What an evaluator says of a position, for a player.
#[pyfunction]
#[pyo3(signature = (board, evaluator = None, player = None))]
pub(crate) fn evaluate(
    board: &Bound<'_, Board>,
    evaluator: Option<&str>,
    player: Option<u8>,
) -> PyResult<i32> {
    let position = board.try_borrow()?.position;
    let evaluator = match evaluator {
        None => Evaluator::natural(position.rules()),
        Some(text) => text
            .parse()
            .map_err(|why: fourfold::eval::EvaluatorError| OptionError::new_err(why.to_string()))?,
    };
    let side = match player {
        None => position.to_move(),
        Some(1) => fourfold::game::Side::First,
        Some(2) => fourfold::game::Side::Second,
        Some(other) => {
            return Err(OptionError::new_err(format!("the players are 1 and 2, not {other}")));
        }
    };
    evaluator.evaluate(&position, side).map_err(|why| OptionError::new_err(why.to_string()))
}

/// Every switch: its name, what it does, its values, its default.
#[pyfunction]
pub(crate) fn switches() -> Vec<(&'static str, &'static str, String, String)> {
    let values = |kind: SwitchKind| match kind {
        SwitchKind::Flag => "True or False".to_owned(),
        SwitchKind::Number { min, max, unit } => format!("{min} to {max} {unit}"),
        SwitchKind::Choice(words) => words.join(", "),
    };
    SWITCHES
        .iter()
        .map(|switch| (switch.name, switch.doc, values(switch.kind), switch.default_value()))
        .collect()
}

/// Every evaluator: its name and what it does.
#[pyfunction]
pub(crate) fn evaluators() -> Vec<(&'static str, &'static str)> {
    Evaluator::ALL.to_vec()
}

/// The game of what users write, or Connect Four.
pub(crate) fn rules_given(game: Option<&Bound<'_, PyAny>>) -> PyResult<Rules> {
    Ok(Game::given(game)?.unwrap_or(Rules::CONNECT_FOUR))
}
