//! Cells put together: one estimate for all first columns, say, from the estimates of each.
//!
//! The one home of this for tables (the rows `all`), plots that average over an axis, and figures
//! in texts. It works on the metrics of cells, not on their items, so that a run that was read back
//! from its summary gives the same. Items weigh the same wherever they are, so a cell weighs as
//! much as its games or positions.

use crate::experiment::Part;
use crate::metrics::{Estimate, Metric, PartKind, Unit};
use crate::runner::PartOutcome;
use fourfold::play::{Interval, wilson};

/// The estimate of a metric over some cells of a part; `None` if none of them has it.
///
/// - One cell: its own estimate.
/// - Shares of games: the games of all cells counted together, with Wilson's interval.
/// - Other metrics: the weighted mean. The cells are independent, so the distances from the value
///   to the ends of their intervals add up as squares (Newcombe's method for two).
/// - Times: the weighted means of medians and of quartiles.
pub(crate) fn pooled(
    part: &Part,
    outcome: &PartOutcome,
    cells: &[usize],
    metric: &Metric,
) -> Option<Estimate> {
    let items = match part.kind {
        PartKind::Match | PartKind::Replica => "games",
        PartKind::Search => "positions",
        // A cell is one count.
        PartKind::Count => "",
    };
    let found: Vec<(Estimate, f64)> = cells
        .iter()
        .filter_map(|&index| {
            let metrics = &outcome.cells[index].metrics;
            let weight = metrics.get(items).map_or(1.0, |count| count.value);
            Some((*metrics.get(metric.name)?, weight))
        })
        .collect();
    if let [(one, _)] = found.as_slice() {
        return Some(*one);
    }
    let total: f64 = found.iter().map(|(_, weight)| weight).sum();
    if found.is_empty() || total <= 0.0 {
        return None;
    }
    let of_games = matches!(part.kind, PartKind::Match | PartKind::Replica);
    if metric.unit == Unit::Share && of_games {
        let hits: f64 =
            found.iter().map(|(estimate, games)| (estimate.value * games).round()).sum();
        return Some((hits / total, wilson(hits as u64, total as u64)).into());
    }
    let mean = |of: &dyn Fn(&Estimate) -> f64| {
        found.iter().map(|(estimate, weight)| of(estimate) * weight / total).sum::<f64>()
    };
    let value = mean(&|estimate| estimate.value);
    let ends = |estimate: &Estimate| {
        estimate.interval.unwrap_or(Interval { low: estimate.value, high: estimate.value })
    };
    if metric.timed {
        let (low, high) = (mean(&|e| ends(e).low), mean(&|e| ends(e).high));
        return Some((value, Interval { low, high }).into());
    }
    let reach = |of: &dyn Fn(&Estimate) -> f64| {
        let squares =
            found.iter().map(|(estimate, weight)| (of(estimate) * weight / total).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let low = value - reach(&|estimate| estimate.value - ends(estimate).low);
    let high = value + reach(&|estimate| ends(estimate).high - estimate.value);
    Some((value, Interval { low, high }).into())
}
