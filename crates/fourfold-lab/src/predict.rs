//! Predicting how many nodes a task will visit, so that one that takes too long is not started.

use crate::measure::stoppable;
use crate::task::Task;
use fourfold::eval::Evaluator;
use fourfold::game::Position;
use fourfold::play::{PlayerSpec, Seat};
use fourfold::search::{Ended, Limits, SearchOptions, Searcher};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A probe deepens until a search has visited this many nodes.
const PROBE_NODES: u64 = 400_000;

/// About how many nodes a task will visit, precise enough to compare with the budget; `None` if
/// that cannot be predicted.
pub(crate) fn predict(task: &Task, budget: u64, stop: &Arc<AtomicBool>) -> Option<f64> {
    match task {
        Task::Search(task) => {
            let enough = budget as f64 / task.positions.len() as f64;
            let one = |position: &Position| {
                predict_search(position, task.depth, &task.evaluator, &task.options, enough, stop)
            };
            task.positions.iter().map(one).try_fold(0.0, |sum, nodes| Some(sum + nodes?))
        }
        Task::Match(task) => {
            let contest = &task.contest;
            let empty = Position::new(contest.rules);
            let moves = f64::from(contest.rules.cells()) / 2.0 * contest.games as f64;
            let enough = budget as f64 / (2.0 * moves);
            let per_move = |spec: &PlayerSpec| match &spec.seat {
                Seat::Search(search) if search.nodes.is_none() && search.time.is_none() => {
                    let evaluator = search
                        .evaluator
                        .clone()
                        .unwrap_or_else(|| Evaluator::natural(&contest.rules));
                    predict_search(&empty, search.depth, &evaluator, &search.options, enough, stop)
                }
                _ => Some(0.0),
            };
            Some((per_move(&contest.players[0])? + per_move(&contest.players[1])?) * moves)
        }
        Task::Count(_) | Task::Replica(_) => None,
    }
}

/// About how many nodes one search will visit, extrapolated from shallower ones. If it cannot visit
/// more than `enough`, the most it can visit.
fn predict_search(
    position: &Position,
    depth: u32,
    evaluator: &Evaluator,
    options: &SearchOptions,
    enough: f64,
    stop: &Arc<AtomicBool>,
) -> Option<f64> {
    let depth = depth.min(position.empty());
    let most: f64 =
        (0..=depth).map(|ply| f64::from(position.rules().most_moves()).powi(ply as i32)).sum();
    if most <= enough {
        return Some(most);
    }
    let nodes = probe(position, depth, evaluator, options, stop);
    let reached = nodes.len() as u32;
    let last = *nodes.last()?;
    if reached >= depth {
        return Some(last);
    }
    // The growth over two plies, because odd and even depths differ.
    let before = nodes.len().checked_sub(3).map(|index| nodes[index])?;
    let growth = (last / before.max(1.0)).sqrt().max(1.0);
    Some(last * growth.powi((depth - reached) as i32))
}

/// The nodes of searches to depth 1, 2, ... up to the first that exceeds [`PROBE_NODES`].
fn probe(
    position: &Position,
    depth: u32,
    evaluator: &Evaluator,
    options: &SearchOptions,
    stop: &Arc<AtomicBool>,
) -> Vec<f64> {
    let mut found = Vec::new();
    for shallow in 1..=depth {
        let mut searcher = Searcher::new(evaluator.clone(), options.clone());
        let budget = stoppable(stop).with_nodes(4 * PROBE_NODES);
        let limits = Limits::depth(shallow).within(budget);
        // Iterative deepening that is cut short reports a shallower depth, which is no answer here.
        let report = searcher.search(position, &limits, 0).ok();
        let whole = report.filter(|report| !matches!(report.ended, Ended::Halted(_)));
        let Some(report) = whole else { break };
        found.push(report.counters.nodes as f64);
        if report.counters.nodes > PROBE_NODES {
            break;
        }
    }
    found
}
