//! Comparing two runs by their `summary.json`: what changed, and whether by more than chance
//! explains.

use crate::metrics::{Metric, PartKind};
use crate::statistics::difference;
use fourfold::play::Interval;
use serde_json::Value;
use std::collections::BTreeMap;

/// A metric of a cell that both runs have.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// The metric, if this version knows it.
    pub known: Option<&'static Metric>,
    /// Its value in the first run.
    pub before: f64,
    /// Its value in the second run.
    pub after: f64,
    /// The 95 % confidence interval of `after - before`; without width if both are exact.
    pub interval: Interval,
}

impl Change {
    /// True if the interval of the difference excludes 0.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.interval.low > 0.0 || self.interval.high < 0.0
    }

    /// True if it comes from a clock. Its interval holds quartiles, which say nothing about chance.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.known.map_or_else(|| self.metric.starts_with("time"), |metric| metric.timed)
    }
}

/// The comparison of two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    /// Every metric that both runs have, in the order of the first run.
    pub changes: Vec<Change>,
    /// Cells that only the first run has.
    pub only_before: Vec<String>,
    /// Cells that only the second run has.
    pub only_after: Vec<String>,
}

/// Cells with their metrics: value and interval.
type Cells = Vec<(String, BTreeMap<String, (f64, Interval)>)>;

fn cells(summary: &Value) -> Result<Cells, String> {
    let wrong = || "this is not the summary.json of a run".to_owned();
    let mut found = Vec::new();
    for part in summary["parts"].as_array().ok_or_else(wrong)? {
        for cell in part["cells"].as_array().ok_or_else(wrong)? {
            let name = cell["cell"].as_str().ok_or_else(wrong)?.to_owned();
            let metrics = cell["metrics"].as_object().ok_or_else(wrong)?;
            let read = |metric: &Value| {
                let value = metric["value"].as_f64()?;
                let end = |key: &str| metric[key].as_f64().unwrap_or(value);
                Some((value, Interval { low: end("low"), high: end("high") }))
            };
            let metrics = metrics
                .iter()
                .filter_map(|(name, metric)| Some((name.clone(), read(metric)?)))
                .collect();
            found.push((name, metrics));
        }
    }
    Ok(found)
}

/// Compares two summaries.
///
/// # Errors
/// If one of them is not the summary of a run.
pub fn diff(before: &Value, after: &Value) -> Result<Diff, String> {
    let (before, after) = (cells(before)?, cells(after)?);
    let only = |here: &Cells, there: &Cells| -> Vec<String> {
        let missing = |cell: &&(String, _)| !there.iter().any(|(name, _)| *name == cell.0);
        here.iter().filter(missing).map(|(name, _)| name.clone()).collect()
    };
    let mut changes = Vec::new();
    for (cell, metrics) in &before {
        let Some((_, others)) = after.iter().find(|(name, _)| name == cell) else { continue };
        for (metric, &old) in metrics {
            let Some(&new) = others.get(metric) else { continue };
            changes.push(Change {
                cell: cell.clone(),
                metric: metric.clone(),
                known: known(metric),
                before: old.0,
                after: new.0,
                interval: difference(new, old),
            });
        }
    }
    Ok(Diff { changes, only_before: only(&before, &after), only_after: only(&after, &before) })
}

fn known(name: &str) -> Option<&'static Metric> {
    PartKind::ALL.iter().flat_map(|(_, kind)| kind.metrics()).find(|metric| metric.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn summary(cell: &str, value: f64, low: f64, high: f64) -> Value {
        let metrics = json!({
            "wins": { "value": value, "low": low, "high": high },
            "nodes": { "value": 7.0 },
        });
        json!({ "parts": [{ "cells": [{ "cell": cell, "metrics": metrics }] }] })
    }

    #[test]
    fn significant_differences_are_told_from_chance() {
        let found = diff(&summary("a", 0.5, 0.4, 0.6), &summary("a", 0.9, 0.85, 0.95)).unwrap();
        assert_eq!(found.changes.len(), 2);
        let wins = found.changes.iter().find(|change| change.metric == "wins").unwrap();
        assert!(wins.is_significant() && (wins.after - wins.before - 0.4).abs() < 1e-12);
        let nodes = found.changes.iter().find(|change| change.metric == "nodes").unwrap();
        assert!(!nodes.is_significant() && nodes.interval == Interval { low: 0.0, high: 0.0 });
        let same = diff(&summary("a", 0.5, 0.4, 0.6), &summary("a", 0.55, 0.45, 0.65)).unwrap();
        assert!(same.changes.iter().all(|change| !change.is_significant()));
        let other = diff(&summary("a", 0.5, 0.4, 0.6), &summary("b", 0.5, 0.4, 0.6)).unwrap();
        assert_eq!(
            (other.only_before, other.only_after),
            (vec!["a".to_owned()], vec!["b".to_owned()])
        );
        assert!(diff(&json!({}), &json!({})).is_err());
    }
}
