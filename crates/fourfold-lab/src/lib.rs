//! The laboratory: an experiment is a file, a run is a function call, the result is a table and a
//! picture.
//!
//! - [`Experiment`] is read from TOML and checked; [`builtin`] holds those that reproduce published
//!   tables.
//! - [`run`] does its cells with some threads, keeps a journal, and goes on after an interruption.
//! - [`metrics`], [`statistics`]: what is told of a cell, and how sure it is.
//! - [`write_results`] leaves `results.csv`, `summary.json` and `report.html` behind; [`diff`]
//!   compares two of them, [`recall`] reads a run back.
//! - [`ablation`] builds an experiment from a list of switches.
//!
//! Builds on the library `fourfold`; prints nothing. It writes only below the directory it is
//! given.

// The laboratory prints nothing: front ends do.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod ablation;
pub mod builtin;
mod cell;
pub mod diff;
mod experiment;
mod facts;
mod journal;
mod measure;
pub mod metrics;
pub mod plot;
mod reading;
mod recall;
pub mod replica;
mod report;
mod results;
mod runner;
pub mod statistics;
pub mod text;

pub use cell::{Cell, CountTask, MatchTask, ReplicaSeat, ReplicaTask, SearchTask, Task};
pub use experiment::{Axis, AxisValue, Experiment, Figure, Loader, Part, Published};
pub use facts::Facts;
pub use journal::JournalError;
pub use measure::Trouble;
pub use reading::FileError;
pub use recall::recall;
pub use report::{front_page, report};
pub use results::{Table, csv, summary};
pub use runner::{CellOutcome, Outcome, PartOutcome, Progress, RunError, RunOptions, run};

use std::io;
use std::path::Path;

/// Writes `results.csv`, `summary.json`, `report.html` and each plot as an SVG of its own.
///
/// # Errors
/// If a file cannot be written.
pub fn write_results(
    out: &Path,
    experiment: &Experiment,
    outcome: &Outcome,
    facts: &Facts,
) -> io::Result<()> {
    let mut summary = serde_json::to_string_pretty(&summary(experiment, outcome, facts))?;
    summary.push('\n');
    replace(&out.join("results.csv"), &csv(experiment, outcome))?;
    replace(&out.join("summary.json"), &summary)?;
    for (part, found) in experiment.parts.iter().zip(&outcome.parts) {
        for (index, spec) in part.plots.iter().enumerate() {
            if let Some(plot) = plot::Plot::of(spec, part, found) {
                replace(&out.join(format!("{}-{}.svg", part.name, index + 1)), &plot::draw(&plot))?;
            }
        }
    }
    replace(&out.join("report.html"), &report(experiment, outcome, facts))
}

/// Writes a file so that whoever reads it sees the old or the new, never half of one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension("part");
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, path)
}

/// The template that `fourfold lab new` writes.
pub const TEMPLATE: &str = include_str!("template.toml");
