//! What a run leaves behind: tables, `results.csv`, `summary.json`.

use crate::cell::Cell;
use crate::experiment::{Experiment, Part};
use crate::facts::Facts;
use crate::metrics::{Metric, Unit};
use crate::runner::{CellOutcome, Outcome, PartOutcome};
use crate::text;
use serde_json::{Value, json};
use std::fmt::Write;

/// A part's results for people: `published | ours` for each metric, side by side over the axis that
/// goes across.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// A heading over several columns, and over how many; the axes' is empty.
    pub groups: Vec<(String, usize)>,
    /// A heading for each column.
    pub head: Vec<String>,
    /// The columns that hold published figures.
    pub published: Vec<bool>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table of a part.
    #[must_use]
    pub fn of(part: &Part, outcome: &PartOutcome) -> Self {
        let axes: Vec<usize> =
            (0..part.axes.len()).filter(|axis| part.across != Some(*axis)).collect();
        let has_figures = |metric: &Metric| {
            part.cells.iter().any(|cell| part.figure(cell, metric.name).is_some())
        };
        let ours: Vec<String> = match part.across {
            Some(across) => {
                part.axes[across].values.iter().map(|value| value.label.clone()).collect()
            }
            None => vec!["ours".to_owned()],
        };
        let mut table = Self {
            groups: vec![(String::new(), axes.len())],
            head: axes.iter().map(|&axis| part.axes[axis].name.replace('_', " ")).collect(),
            published: vec![false; axes.len()],
            rows: Vec::new(),
        };
        for metric in &part.show {
            let figures = has_figures(metric);
            let ratios = figures && is_time(metric);
            let columns = ours.len() * (1 + usize::from(ratios)) + usize::from(figures);
            table.groups.push((metric.title.to_owned(), columns));
            if figures {
                table.head.push("published".to_owned());
                table.published.push(true);
            }
            // One column needs no heading of its own below that of the metric.
            let alone = ours.len() == 1 && !figures;
            table
                .head
                .extend(ours.iter().map(|label| if alone { String::new() } else { label.clone() }));
            if ratios {
                table.head.extend(ours.iter().map(|label| format!("published ÷ {label}")));
            }
            table.published.resize(table.head.len(), false);
        }
        for group in rows_of(part) {
            let mut row: Vec<String> = axes
                .iter()
                .map(|&axis| part.cells[group[0]].label(part, axis).to_owned())
                .collect();
            for (column, metric) in part.show.iter().enumerate() {
                let figure =
                    group.iter().find_map(|&index| part.figure(&part.cells[index], metric.name));
                if has_figures(metric) {
                    row.push(
                        figure.map_or("–".to_owned(), |figure| text::figure(figure, metric.unit)),
                    );
                }
                row.extend(
                    group.iter().map(|&index| shown(&outcome.cells[index], metric, column == 0)),
                );
                if has_figures(metric) && is_time(metric) {
                    row.extend(group.iter().map(|&index| {
                        let ours = outcome.cells[index].metrics.get(metric.name);
                        let ratio =
                            figure.zip(ours).map(|(figure, ours)| figure.value / ours.value);
                        ratio.map_or("–".to_owned(), |ratio| text::value(ratio, Unit::Times))
                    }));
                }
            }
            table.rows.push(row);
        }
        table
    }

    /// The table as text, aligned.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut heads: Vec<String> = Vec::new();
        let mut names = self.head.iter();
        for (group, span) in &self.groups {
            for name in names.by_ref().take(*span) {
                let both = [group.as_str(), name.as_str()];
                let both: Vec<&str> = both.into_iter().filter(|part| !part.is_empty()).collect();
                heads.push(both.join(": "));
            }
        }
        let rows: Vec<&Vec<String>> = std::iter::once(&heads).chain(&self.rows).collect();
        let width = |column: usize| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        let mut out = String::new();
        for (index, row) in rows.iter().enumerate() {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            out += cells.join("  ").trim_end();
            out.push('\n');
            if index == 0 {
                let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
                out += &(rules.join("  ") + "\n");
            }
        }
        out
    }
}

/// True if how many times less than published it is says something: of times themselves.
fn is_time(metric: &Metric) -> bool {
    matches!(metric.unit, Unit::Milliseconds | Unit::Nanoseconds | Unit::Seconds)
}

/// The cells that share a row: those that differ in nothing but what goes across.
fn rows_of(part: &Part) -> Vec<Vec<usize>> {
    let Some(across) = part.across else {
        return (0..part.cells.len()).map(|index| vec![index]).collect();
    };
    let firsts = (0..part.cells.len()).filter(|&index| part.cells[index].values[across] == 0);
    let row = |first: usize| {
        (0..part.axes[across].values.len())
            .filter_map(|value| {
                let mut wanted = part.cells[first].values.clone();
                wanted[across] = value;
                part.cells.iter().position(|cell| cell.values == wanted)
            })
            .collect()
    };
    firsts.map(row).collect()
}

fn shown(outcome: &CellOutcome, metric: &Metric, first: bool) -> String {
    match (outcome.metrics.get(metric.name), outcome.too_large) {
        (Some(estimate), _) => text::estimate(estimate, metric),
        (None, Some(nodes)) if first => format!("not run (about {} nodes)", text::rough(nodes)),
        _ => "–".to_owned(),
    }
}

/// A field of CSV, quoted if it must be.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Everything measured, a row for each cell and metric: part, the axes, metric, value, the
/// interval, the published figure.
#[must_use]
pub fn csv(experiment: &Experiment, outcome: &Outcome) -> String {
    let mut axes: Vec<&str> = Vec::new();
    for axis in experiment.parts.iter().flat_map(|part| &part.axes) {
        if !axes.contains(&axis.name.as_str()) {
            axes.push(&axis.name);
        }
    }
    let mut out = String::from("part");
    for axis in &axes {
        out += &format!(",{}", csv_field(axis));
    }
    out += ",metric,value,low,high,published\n";
    for (part, found) in experiment.parts.iter().zip(&outcome.parts) {
        for (cell, result) in part.cells.iter().zip(&found.cells) {
            let mut start = csv_field(&part.name);
            for name in &axes {
                let axis = part.axes.iter().position(|axis| axis.name == *name);
                let _ = write!(
                    start,
                    ",{}",
                    axis.map_or(String::new(), |axis| csv_field(cell.label(part, axis)))
                );
            }
            if let Some(nodes) = result.too_large {
                let _ = writeln!(out, "{start},predicted_nodes,{nodes:.0},,,");
            }
            for metric in part.kind.metrics() {
                let estimate = result.metrics.get(metric.name);
                let figure = part.figure(cell, metric.name);
                if estimate.is_none() && figure.is_none() {
                    continue;
                }
                let value = estimate.map_or(String::new(), |estimate| estimate.value.to_string());
                let end = |of: fn(&fourfold::play::Interval) -> f64| {
                    estimate
                        .and_then(|estimate| estimate.interval)
                        .map_or(String::new(), |i| of(&i).to_string())
                };
                let (low, high) = (end(|interval| interval.low), end(|interval| interval.high));
                let published = figure.map_or(String::new(), |figure| csv_field(&figure.text));
                let _ = writeln!(out, "{start},{},{value},{low},{high},{published}", metric.name);
            }
        }
    }
    out
}

/// The run in one JSON object: what was run, where, when, and every cell's metrics.
#[must_use]
pub fn summary(experiment: &Experiment, outcome: &Outcome, facts: &Facts) -> Value {
    let parts: Vec<Value> = experiment
        .parts
        .iter()
        .zip(&outcome.parts)
        .map(|(part, found)| {
            let cells: Vec<Value> = part
                .cells
                .iter()
                .zip(&found.cells)
                .map(|(cell, result)| cell_json(part, cell, result))
                .collect();
            json!({
                "name": part.name,
                "title": part.title,
                "cells": cells,
                "values_compared": found.compared,
                "disagreements": found.disagreements,
            })
        })
        .collect();
    json!({
        "experiment": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "finding": experiment.told_finding(),
        "source": experiment.source,
        "quick": experiment.quick,
        "seed": experiment.seed,
        "fingerprint": format!("{:016x}", experiment.fingerprint),
        "command": facts.command,
        "version": facts.version,
        "commit": facts.commit,
        "machine": facts.machine,
        "threads": facts.threads,
        "date": facts.date,
        "seconds": facts.seconds,
        "parts": parts,
    })
}

fn cell_json(part: &Part, cell: &Cell, result: &CellOutcome) -> Value {
    let at: serde_json::Map<String, Value> = (0..part.axes.len())
        .map(|axis| (part.axes[axis].name.clone(), Value::from(cell.label(part, axis))))
        .collect();
    let published: serde_json::Map<String, Value> = part
        .kind
        .metrics()
        .iter()
        .filter_map(|metric| {
            let figure = part.figure(cell, metric.name)?;
            Some((metric.name.to_owned(), Value::from(figure.text.clone())))
        })
        .collect();
    json!({
        "cell": cell.key,
        "at": at,
        "predicted_nodes": result.too_large,
        "metrics": result.metrics,
        "published": published,
    })
}
