//! Reading a finished run back from its `summary.json`, so that its tables, plots and report can be
//! made again.

use crate::experiment::{Experiment, Part};
use crate::metrics::{Estimate, Metrics};
use crate::provenance::Provenance;
use crate::runner::{CellOutcome, Outcome, PartOutcome};
use fourfold::play::Interval;
use serde_json::Value;

/// The outcome and provenance of a run of `experiment`, from its summary.
///
/// Cells that the summary lacks count as not run. Published figures and all words come from the
/// experiment.
///
/// # Errors
/// If this is not a summary, or that of another experiment.
pub fn recall(experiment: &Experiment, summary: &Value) -> Result<(Outcome, Provenance), String> {
    let wrong = || "this is not the summary.json of a run".to_owned();
    let text = |key: &str| summary[key].as_str().map(str::to_owned).ok_or_else(wrong);
    if text("experiment")? != experiment.name {
        return Err(format!(
            "this is a run of {}, not of {}",
            text("experiment")?,
            experiment.name
        ));
    }
    let found = summary["parts"].as_array().ok_or_else(wrong)?;
    let parts = experiment.parts.iter().map(|part| {
        let found = found.iter().find(|found| found["name"] == *part.name);
        part_of(part, found.unwrap_or(&Value::Null))
    });
    let seconds = summary["seconds"].as_f64().ok_or_else(wrong)?;
    let provenance = Provenance {
        command: text("command")?,
        version: text("version")?,
        commit: summary["commit"].as_str().map(str::to_owned),
        machine: text("machine")?,
        threads: summary["threads"].as_u64().ok_or_else(wrong)? as usize,
        date: text("date")?,
        seconds,
    };
    Ok((Outcome { parts: parts.collect(), seconds }, provenance))
}

fn part_of(part: &Part, found: &Value) -> PartOutcome {
    let known = found["cells"].as_array().map(Vec::as_slice).unwrap_or_default();
    let cells = part.cells.iter().map(|cell| {
        let found = known.iter().find(|found| found["cell"] == *cell.key).unwrap_or(&Value::Null);
        let metrics: Metrics = part
            .kind
            .metrics()
            .iter()
            .filter_map(|metric| Some((metric.name, estimate(&found["metrics"][metric.name])?)))
            .collect();
        CellOutcome { metrics, too_large: found["predicted_nodes"].as_f64() }
    });
    let disagreements = found["disagreements"].as_array().map(Vec::as_slice).unwrap_or_default();
    PartOutcome {
        cells: cells.collect(),
        disagreements: disagreements.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        compared: found["values_compared"].as_u64().unwrap_or(0) as usize,
    }
}

fn estimate(found: &Value) -> Option<Estimate> {
    let interval = match (found["low"].as_f64(), found["high"].as_f64()) {
        (Some(low), Some(high)) => Some(Interval { low, high }),
        _ => None,
    };
    Some(Estimate { value: found["value"].as_f64()?, interval })
}
