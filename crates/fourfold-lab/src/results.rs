//! The results of a run: tables for people, `results.csv` and `summary.json` for programs.

use crate::experiment::{Experiment, ExperimentCell, Part};
use crate::metrics::{Estimate, Metric, Metrics, Unit};
use crate::pooling::pooled;
use crate::provenance::Provenance;
use crate::runner::{CellOutcome, Outcome, PartOutcome};
use crate::text;
use fourfold::play::Interval;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The results of a part for people: for each metric the published figure and ours, side by side
/// over the axis that goes across.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultTable {
    /// Headings over several columns, and over how many; that of the axes is empty.
    pub groups: Vec<(String, usize)>,
    /// A heading for each column.
    pub head: Vec<String>,
    /// For each column, true if it holds published figures.
    pub published: Vec<bool>,
    /// The fields, row by row.
    pub rows: Vec<Vec<String>>,
}

impl ResultTable {
    /// The table of a part.
    #[must_use]
    pub fn of(part: &Part, outcome: &PartOutcome) -> Self {
        let axes: Vec<usize> =
            (0..part.axes.len()).filter(|axis| part.across != Some(*axis)).collect();
        let mut table = Self {
            groups: vec![(String::new(), axes.len())],
            head: axes.iter().map(|&axis| part.axes[axis].title()).collect(),
            published: vec![false; axes.len()],
            rows: Vec::new(),
        };
        for metric in &part.show {
            table.add_headings(part, metric);
        }
        for cells in rows_of(part) {
            let first = &part.cells[cells[0]];
            let mut row: Vec<String> =
                axes.iter().map(|&axis| first.label(part, axis).to_owned()).collect();
            for (column, metric) in part.show.iter().enumerate() {
                row.extend(fields(part, outcome, metric, &cells, column == 0));
            }
            table.rows.push(row);
        }
        if !part.pool.is_empty() {
            table.add_pooled_rows(part, outcome, &axes);
        }
        table
    }

    /// Appends rows in which the axes that are pooled read `all`.
    fn add_pooled_rows(&mut self, part: &Part, outcome: &PartOutcome, axes: &[usize]) {
        let kept = |values: &[usize]| -> Vec<usize> {
            axes.iter().filter(|axis| !part.pool.contains(axis)).map(|&axis| values[axis]).collect()
        };
        let mut done: Vec<Vec<usize>> = Vec::new();
        for first in &part.cells {
            let values = kept(&first.values);
            if done.contains(&values) {
                continue;
            }
            let row: Vec<usize> = (0..part.cells.len())
                .filter(|&index| kept(&part.cells[index].values) == values)
                .collect();
            done.push(values);
            let label = |&axis: &usize| match part.pool.contains(&axis) {
                true => "all".to_owned(),
                false => first.label(part, axis).to_owned(),
            };
            let mut fields: Vec<String> = axes.iter().map(label).collect();
            for metric in &part.show {
                fields.extend(pooled_fields(part, outcome, metric, &row));
            }
            self.rows.push(fields);
        }
    }

    /// Appends the columns of a metric.
    fn add_headings(&mut self, part: &Part, metric: &Metric) {
        let ours: Vec<String> = match part.across {
            Some(across) => {
                part.axes[across].values.iter().map(|value| value.label.clone()).collect()
            }
            None => vec!["ours".to_owned()],
        };
        let before = self.head.len();
        if has_figures(part, metric) {
            self.head.push("published".to_owned());
            self.published.push(true);
            self.head.extend(ours.iter().cloned());
            if is_time(metric) {
                self.head.extend(ours.iter().map(|label| format!("published ÷ {label}")));
            }
        } else if ours.len() == 1 {
            // One column needs no heading of its own below that of the metric.
            self.head.push(String::new());
        } else {
            self.head.extend(ours);
        }
        self.published.resize(self.head.len(), false);
        self.groups.push((metric.title.to_owned(), self.head.len() - before));
    }

    /// The table as text, aligned. If it is wider than `width` characters, it is broken into
    /// tables below each other, each of which starts with the columns of the axes.
    #[must_use]
    pub fn to_text(&self, width: Option<usize>) -> String {
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
        let column_width = |column: usize| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heads.len()).map(column_width).collect();
        let axes = self.groups.first().map_or(0, |(_, span)| *span);
        let mut out = String::new();
        for columns in broken(&widths, axes, width) {
            if !out.is_empty() {
                out.push('\n');
            }
            for (index, row) in rows.iter().enumerate() {
                let cell =
                    |&at: &usize| format!("{:<1$}", row.get(at).map_or("", |t| t), widths[at]);
                let cells: Vec<String> = columns.iter().map(cell).collect();
                out += cells.join("  ").trim_end();
                out.push('\n');
                if index == 0 {
                    let rules: Vec<String> =
                        columns.iter().map(|&at| "─".repeat(widths[at])).collect();
                    out += &(rules.join("  ") + "\n");
                }
            }
        }
        out
    }
}

/// The columns of each table that one too wide for the screen is broken into: those of the axes,
/// and as many others as fit, at least one.
fn broken(widths: &[usize], axes: usize, most: Option<usize>) -> Vec<Vec<usize>> {
    let whole = || (0..widths.len()).collect::<Vec<_>>();
    let Some(most) = most.filter(|_| axes < widths.len()) else { return vec![whole()] };
    let start: usize = widths[..axes].iter().map(|width| width + 2).sum();
    let mut tables: Vec<Vec<usize>> = Vec::new();
    let mut used = usize::MAX;
    for (at, &width) in widths.iter().enumerate().skip(axes) {
        match tables.last_mut() {
            Some(table) if used + 2 + width <= most => {
                used += 2 + width;
                table.push(at);
            }
            _ => {
                used = start + width;
                tables.push((0..axes).chain([at]).collect());
            }
        }
    }
    tables
}

/// The fields of a metric in a row of these cells, put together.
fn pooled_fields(
    part: &Part,
    outcome: &PartOutcome,
    metric: &Metric,
    cells: &[usize],
) -> Vec<String> {
    let none = || "–".to_owned();
    let columns: Vec<Vec<usize>> = match part.across {
        None => vec![cells.to_vec()],
        Some(across) => (0..part.axes[across].values.len())
            .map(|value| {
                let here = |index: &usize| part.cells[*index].values[across] == value;
                cells.iter().copied().filter(here).collect()
            })
            .collect(),
    };
    let found: Vec<_> = columns.iter().map(|cells| pooled(part, outcome, cells, metric)).collect();
    let ours = found
        .iter()
        .map(|found| found.as_ref().map_or_else(none, |estimate| text::estimate(estimate, metric)));
    if !has_figures(part, metric) {
        return ours.collect();
    }
    let figures: Vec<f64> = columns[0]
        .iter()
        .filter_map(|&index| Some(part.figure(&part.cells[index], metric.name)?.value))
        .collect();
    let count = figures.len() as f64;
    let mean = (count > 0.0).then(|| figures.iter().sum::<f64>() / count);
    let mut fields = vec![mean.map_or_else(none, |mean| text::value(mean, metric.unit))];
    fields.extend(ours);
    if is_time(metric) {
        fields.extend(found.iter().map(|ours| {
            let ratio = mean.zip(ours.as_ref()).map(|(mean, ours)| mean / ours.value);
            ratio.map_or_else(none, |ratio| text::value(ratio, Unit::Times))
        }));
    }
    fields
}

/// True if somebody published this metric for a cell of the part.
fn has_figures(part: &Part, metric: &Metric) -> bool {
    part.cells.iter().any(|cell| part.figure(cell, metric.name).is_some())
}

/// True for times, whose ratio to the published figure is of interest.
fn is_time(metric: &Metric) -> bool {
    matches!(metric.unit, Unit::Milliseconds | Unit::Nanoseconds | Unit::Seconds)
}

/// The fields of a metric in a row with these cells.
fn fields(
    part: &Part,
    outcome: &PartOutcome,
    metric: &Metric,
    cells: &[usize],
    first: bool,
) -> Vec<String> {
    let none = || "–".to_owned();
    let figure = cells.iter().find_map(|&index| part.figure(&part.cells[index], metric.name));
    let ours = cells.iter().map(|&index| shown(&outcome.cells[index], metric, first));
    if !has_figures(part, metric) {
        return ours.collect();
    }
    let mut fields = vec![figure.map_or_else(none, |figure| text::figure(figure, metric.unit))];
    fields.extend(ours);
    if is_time(metric) {
        fields.extend(cells.iter().map(|&index| {
            let ours = outcome.cells[index].metrics.get(metric.name);
            let ratio = figure.zip(ours).map(|(figure, ours)| figure.value / ours.value);
            ratio.map_or_else(none, |ratio| text::value(ratio, Unit::Times))
        }));
    }
    fields
}

/// The cells of each row: those that differ only in the axis that goes across.
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

/// A field of CSV, quoted if necessary.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Everything measured, one row per cell and metric: part, the axes, metric, value, the interval,
/// the published figure. Axes that are pooled read `all` in further rows.
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
                let label = axis.map_or("", |axis| cell.label(part, axis));
                let _ = write!(start, ",{}", csv_field(label));
            }
            csv_rows(&mut out, &start, part, cell, result);
        }
        for (labels, cells) in pooled_cells(part) {
            let mut start = csv_field(&part.name);
            for name in &axes {
                let axis = part.axes.iter().position(|axis| axis.name == *name);
                let _ = write!(start, ",{}", csv_field(axis.map_or("", |axis| labels[axis])));
            }
            for metric in part.kind.metrics() {
                if let Some(estimate) = pooled(part, found, &cells, metric) {
                    csv_row(&mut out, &start, metric.name, Some(&estimate), "");
                }
            }
        }
    }
    out
}

/// The cells that are put together if axes are pooled, with their labels: `all` for those axes.
fn pooled_cells(part: &Part) -> Vec<(Vec<&str>, Vec<usize>)> {
    let mut rows: Vec<(Vec<&str>, Vec<usize>)> = Vec::new();
    if part.pool.is_empty() {
        return rows;
    }
    for (index, cell) in part.cells.iter().enumerate() {
        let label = |axis| if part.pool.contains(&axis) { "all" } else { cell.label(part, axis) };
        let labels: Vec<&str> = (0..part.axes.len()).map(label).collect();
        match rows.iter_mut().find(|(found, _)| *found == labels) {
            Some((_, cells)) => cells.push(index),
            None => rows.push((labels, vec![index])),
        }
    }
    rows
}

/// A row of a metric.
fn csv_row(
    out: &mut String,
    start: &str,
    metric: &str,
    estimate: Option<&Estimate>,
    published: &str,
) {
    let number = |number: Option<f64>| number.map_or(String::new(), |n| n.to_string());
    let interval: Option<Interval> = estimate.and_then(|estimate| estimate.interval);
    let _ = writeln!(
        out,
        "{start},{metric},{},{},{},{}",
        number(estimate.map(|estimate| estimate.value)),
        number(interval.map(|interval| interval.low)),
        number(interval.map(|interval| interval.high)),
        csv_field(published),
    );
}

/// The rows of a cell, each of which begins with `start`.
fn csv_rows(
    out: &mut String,
    start: &str,
    part: &Part,
    cell: &ExperimentCell,
    result: &CellOutcome,
) {
    if let Some(nodes) = result.too_large {
        let _ = writeln!(out, "{start},predicted_nodes,{nodes:.0},,,");
    }
    for metric in part.kind.metrics() {
        let estimate = result.metrics.get(metric.name);
        let figure = part.figure(cell, metric.name);
        if estimate.is_none() && figure.is_none() {
            continue;
        }
        csv_row(out, start, metric.name, estimate, figure.map_or("", |figure| &figure.text));
    }
}

/// The run as one JSON object: what was run, where and when, and the metrics of every cell.
#[must_use]
pub fn summary(experiment: &Experiment, outcome: &Outcome, provenance: &Provenance) -> Value {
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
            let pooled: Vec<Value> = pooled_cells(part)
                .into_iter()
                .map(|(labels, cells)| pooled_json(part, found, &labels, &cells))
                .collect();
            json!({
                "name": part.name,
                "title": part.title,
                "cells": cells,
                "pooled": pooled,
                "values_compared": found.compared,
                "disagreements": found.disagreements,
            })
        })
        .collect();
    json!({
        "experiment": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "finding": experiment.confirmed_finding(),
        "source": experiment.source,
        "quick": experiment.quick,
        "seed": experiment.seed,
        "fingerprint": format!("{:016x}", experiment.fingerprint),
        "command": provenance.command,
        "version": provenance.version,
        "commit": provenance.commit,
        "machine": provenance.machine,
        "threads": provenance.threads,
        "date": provenance.date,
        "seconds": provenance.seconds,
        "parts": parts,
    })
}

fn pooled_json(part: &Part, outcome: &PartOutcome, labels: &[&str], cells: &[usize]) -> Value {
    let at: Map<String, Value> = part
        .axes
        .iter()
        .zip(labels)
        .map(|(axis, label)| (axis.name.clone(), Value::from(*label)))
        .collect();
    let metrics = part.kind.metrics().iter();
    let metrics: Metrics = metrics
        .filter_map(|metric| Some((metric.name, pooled(part, outcome, cells, metric)?)))
        .collect();
    json!({ "at": at, "metrics": metrics })
}

fn cell_json(part: &Part, cell: &ExperimentCell, result: &CellOutcome) -> Value {
    let at: Map<String, Value> = (0..part.axes.len())
        .map(|axis| (part.axes[axis].name.clone(), Value::from(cell.label(part, axis))))
        .collect();
    let published: Map<String, Value> = part
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
