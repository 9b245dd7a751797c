#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`Experiment`] is read from TOML and checked. [`builtin`] has the experiments that reproduce
//!   published tables and figures, and the summaries of their full runs.
//!   Its texts name figures that are computed from the run ([`Experiment::with_figures`]).
//! - [`run()`] runs one, keeps a journal, and goes on after an interruption.
//! - [`metrics`] and [`statistics`]: what is measured of a cell, and how precise it is.
//! - [`write_results`] writes `results.csv`, `summary.json`, `report.html` and the plots. [`diff`]
//!   compares two runs, [`recall()`] reads one back from its summary.
//! - [`tournament`] plays players against each other and rates them: openings, Elo, SPRT.
//! - [`shards`] cuts books, labels, tournaments and boards into pieces for many machines.
//! - [`grading`] grades players against exact play.
//! - [`ablation`] makes an experiment of every combination of some switches.
//! - [`files`] reads what people name, up to a limit; [`svg`] has the building blocks of drawings.

// Front ends print; the laboratory hands results over.
#![deny(clippy::print_stdout, clippy::print_stderr)]
// The laboratory prints nothing: front ends do.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod ablation;
mod axes;
pub mod builtin;
mod cell_metrics;
pub mod diff;
mod experiment;
mod figures;
pub mod files;
mod fingerprint;
pub mod grading;
mod journal;
mod kept_games;
pub mod labels;
mod measure;
pub mod metrics;
mod observation;
pub mod plot;
mod pooling;
mod positions;
mod predict;
pub mod provenance;
mod reading;
mod recall;
pub mod replica;
mod report;
mod results;
mod runner;
pub mod shards;
pub mod statistics;
pub mod svg;
mod task;
mod task_template;
pub mod text;
pub mod tournament;
pub mod train;
pub mod tune;

pub use axes::{Axis, AxisValue};
pub use experiment::{Experiment, ExperimentCell, Figure, Loader, Part, Published};
pub use figures::TextFigure;
pub use journal::{JournalError, JournalMismatch};
pub use measure::ItemError;
pub use provenance::Provenance;
pub use reading::FileError;
pub use recall::recall;
pub use report::{front_page, html_text, report, with_links};
pub use results::{ResultTable, csv, summary};
pub use runner::{CellOutcome, Outcome, PartOutcome, RunError, RunOptions, RunProgress, run};
pub use task::{CountTask, MatchTask, ReplicaSeat, ReplicaTask, SearchTask, Task};

use std::io;
use std::path::Path;

/// Writes `results.csv`, `summary.json`, `report.html` and each plot as an SVG file of its own.
///
/// # Errors
/// If a file cannot be written.
pub fn write_results(
    out: &Path,
    experiment: &Experiment,
    outcome: &Outcome,
    provenance: &Provenance,
) -> io::Result<()> {
    let mut summary = serde_json::to_string_pretty(&summary(experiment, outcome, provenance))?;
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
    replace(&out.join("report.html"), &report(experiment, outcome, provenance))
}

/// Replaces a file in one step: a reader sees the old text or the new, never half of it.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension("part");
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, path)
}

/// The commented experiment file that `fourfold lab new` writes.
pub const TEMPLATE: &str = include_str!("template.toml");
