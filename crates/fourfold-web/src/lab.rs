//! The laboratory's runs, to browse: those that come with Fourfold, and those of a directory.
//!
//! The directory is read when the server starts, and the others are embedded: no request touches a
//! file.

use super::assets::{self, Asset};
use super::params::Params;
use super::problem::Problem;
use super::reading;
use axum::extract::{Path as Address, RawQuery};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use fourfold_lab::plot::{Plot, draw};
use fourfold_lab::svg::unescape;
use fourfold_lab::{
    Experiment, Outcome, Part, PartOutcome, Provenance, ResultTable, builtin, csv, recall, report,
    with_links,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

/// Limits on a directory of runs: their number, and the size of a file in bytes.
const MOST_RUNS: usize = 64;
const LONGEST_FILE: u64 = 4 << 20;

/// Reports and plots have their styles inside. They may load nothing else and run nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// A run, ready to be shown.
#[derive(Debug)]
struct Run {
    name: String,
    /// Its entry in the list of runs.
    card: Value,
    /// Everything that its page shows.
    whole: Value,
    plots: Vec<String>,
    report: String,
    results: String,
    summary: String,
}

/// Why runs cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// The directory cannot be read.
    #[error("cannot read the runs in {}: {why}", directory.display())]
    Read {
        /// The directory.
        directory: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// A summary is broken.
    #[error("{}: {why}", path.display())]
    Summary {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There are no runs, or too many.
    #[error(
        "{}: {runs} runs; there must be from 1 to {MOST_RUNS}, each in a directory with its \
         summary.json", directory.display()
    )]
    Count {
        /// The directory.
        directory: PathBuf,
        /// How many there are.
        runs: usize,
    },
}

/// All runs that are shown.
#[derive(Debug, Default)]
pub struct Shelf {
    own: Vec<Run>,
    /// Runs of the directory that are not shown, because another has the same name.
    hidden: Vec<(PathBuf, String)>,
    /// Made when they are first asked for.
    kept: OnceLock<Vec<Run>>,
}

impl Shelf {
    /// With the runs of a directory: its own, or one in each directory in it. A run with the name
    /// of one that comes with Fourfold replaces that.
    ///
    /// # Errors
    /// If the directory cannot be read, a summary in it is broken, or there are none or too many.
    pub fn with(directory: Option<&Path>) -> Result<Self, ShelfError> {
        let Some(directory) = directory else { return Ok(Self::default()) };
        let places = places_in(directory)
            .map_err(|why| ShelfError::Read { directory: directory.to_owned(), why })?;
        let mut own: Vec<Run> = Vec::new();
        let mut hidden = Vec::new();
        for place in places {
            let Some(summary) = file(&place, "summary.json") else { continue };
            let run = Run::found(&place, summary)
                .map_err(|why| ShelfError::Summary { path: place.join("summary.json"), why })?;
            if own.iter().any(|other| other.name == run.name) {
                hidden.push((place, run.name));
            } else {
                own.push(run);
            }
        }
        if own.is_empty() || own.len() > MOST_RUNS {
            return Err(ShelfError::Count { directory: directory.to_owned(), runs: own.len() });
        }
        Ok(Self { own, hidden, kept: OnceLock::new() })
    }

    /// Runs of the directory that are not shown, because another one there has the same name: where
    /// each is, and the name.
    #[must_use]
    pub fn hidden(&self) -> &[(PathBuf, String)] {
        &self.hidden
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        let kept = self.kept.get_or_init(|| builtin::names().filter_map(Run::kept).collect());
        let replaced = |run: &&Run| !self.own.iter().any(|own| own.name == run.name);
        self.own.iter().chain(kept.iter().filter(replaced))
    }

    fn run(&self, name: &str) -> Result<&Run, Problem> {
        self.runs().find(|run| run.name == name).ok_or_else(|| {
            Problem::missing(format!("there is no run {name:?}; /api/v1/lab lists them"))
        })
    }
}

/// A file of the laboratory's pages: its path, and what is in it.
pub(super) struct LabFile {
    pub(super) path: String,
    pub(super) text: String,
}

impl Shelf {
    /// The page with the list of runs.
    pub(super) fn page(&self) -> String {
        reading::lab(self.runs().map(|run| &run.card))
    }

    /// Everything about the runs as files, for a site that has no server.
    pub(super) fn files(&self) -> Vec<LabFile> {
        let cards: Vec<&Value> = self.runs().map(|run| &run.card).collect();
        let list = json!({ "runs": cards }).to_string();
        let mut files = vec![LabFile { path: "lab/runs.json".to_owned(), text: list }];
        for run in self.runs() {
            let mut add = |path: String, text: String| {
                if !text.is_empty() {
                    files.push(LabFile { path, text });
                }
            };
            let name = &run.name;
            add(format!("lab/{name}.json"), run.whole.to_string());
            let here = format!("../../?run={name}");
            let report = with_links(&run.report, &links(["../../../play/", "../../", &here]));
            add(format!("lab/{name}/report/index.html"), report);
            add(format!("lab/{name}/results.csv"), run.results.clone());
            add(format!("lab/{name}/summary.json"), run.summary.clone());
            for (index, plot) in run.plots.iter().enumerate() {
                add(format!("lab/{name}/{}.svg", index + 1), plot.clone());
            }
        }
        files
    }
}

/// The links above a report: to the app, to all runs, and to this one.
fn links([app, all, here]: [&str; 3]) -> [(&str, &str); 3] {
    [(app, "Fourfold"), (all, "All experiments"), (here, "This experiment")]
}

/// A directory and those in it, by name.
fn places_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut places = vec![directory.to_owned()];
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        // Links are not followed: nothing outside the directory is served.
        if entry.file_type()?.is_dir() {
            places.push(entry.path());
        }
    }
    places.sort();
    Ok(places)
}

/// The text of a file of a run, unless it is a link or too long.
fn file(directory: &Path, name: &str) -> Option<String> {
    let path = directory.join(name);
    let is_file = fs::symlink_metadata(&path)
        .is_ok_and(|about| about.is_file() && about.len() <= LONGEST_FILE);
    is_file.then(|| fs::read_to_string(path).ok())?
}

/// Whether a name can be part of an address.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=64).contains(&name.len()) && !name.starts_with('.') && name.chars().all(plain)
}

impl Run {
    /// One that comes with Fourfold.
    fn kept(name: &str) -> Option<Self> {
        let experiment = builtin::read(name, false)?.ok()?;
        let summary = builtin::results(name)?;
        let read = serde_json::from_str(summary).ok()?;
        let (outcome, provenance) = recall(&experiment, &read).ok()?;
        let experiment = experiment.with_figures(&outcome);
        Some(Self::told(&experiment, &outcome, &provenance, &read, summary.to_owned()))
    }

    /// One of a directory.
    fn found(directory: &Path, summary: String) -> Result<Self, String> {
        let read: Value = serde_json::from_str(&summary).map_err(|why| why.to_string())?;
        let name = read["experiment"].as_str().ok_or("this is not the summary.json of a run")?;
        if !is_name(name) {
            return Err(format!(
                "{name:?} cannot be part of an address: letters, digits, - and _ can"
            ));
        }
        // If the experiment is built in, the tables can be made again.
        let known = builtin::read(name, read["quick"] == true).and_then(Result::ok);
        let same = |experiment: &Experiment| {
            read["fingerprint"] == format!("{:016x}", experiment.fingerprint)
        };
        if let Some(experiment) = known.filter(same) {
            let (outcome, provenance) = recall(&experiment, &read)?;
            let experiment = experiment.with_figures(&outcome);
            return Ok(Self::told(&experiment, &outcome, &provenance, &read, summary));
        }
        let report = file(directory, "report.html").unwrap_or_default();
        let plots = pictures(&report);
        let part = json!({ "plots": described(name, &plots, 0) });
        let whole = json!({ "text": [], "parts": [part] });
        let results = file(directory, "results.csv").unwrap_or_default();
        let name = name.to_owned();
        Ok(Self { plots, report, results, ..Self::new(name, &read, whole, summary) })
    }

    /// One whose experiment is at hand, with the figures of the run in its texts.
    fn told(
        experiment: &Experiment,
        outcome: &Outcome,
        provenance: &Provenance,
        read: &Value,
        summary: String,
    ) -> Self {
        let mut plots: Vec<String> = Vec::new();
        let mut parts: Vec<Value> = Vec::new();
        for (part, found) in experiment.parts.iter().zip(&outcome.parts) {
            parts.push(part_json(&experiment.name, part, found, &mut plots));
        }
        let whole = json!({ "text": experiment.text, "parts": parts });
        let mut run = Self {
            plots,
            report: report(experiment, outcome, provenance),
            results: csv(experiment, outcome),
            ..Self::new(experiment.name.clone(), read, whole, summary)
        };
        for json in [&mut run.card, &mut run.whole] {
            json["finding"] = json!(experiment.confirmed_finding());
        }
        run
    }

    /// What the summary tells by itself.
    fn new(name: String, read: &Value, mut whole: Value, summary: String) -> Self {
        let mut card = json!({ "name": name, "plot": whole["parts"].as_array().and_then(|parts| {
            parts.iter().find_map(|part| part["plots"].get(0)).cloned()
        }) });
        for key in ["title", "question", "finding", "date", "commit"] {
            card[key] = read[key].clone();
            whole[key] = read[key].clone();
        }
        for key in
            ["source", "quick", "seed", "command", "version", "machine", "threads", "seconds"]
        {
            whole[key] = read[key].clone();
        }
        whole["name"] = name.clone().into();
        let (plots, report, results) = (Vec::new(), String::new(), String::new());
        Self { name, card, whole, plots, report, results, summary }
    }
}

/// A part of a run for its page; its plots are added to those of the parts before.
fn part_json(run: &str, part: &Part, found: &PartOutcome, plots: &mut Vec<String>) -> Value {
    let start = plots.len();
    let mut captions: Vec<String> = Vec::new();
    for spec in &part.plots {
        let Some(plot) = Plot::of(spec, part, found) else { continue };
        captions.push(plot.caption(spec));
        plots.push(draw(&plot).trim_end().to_owned());
    }
    let mut pictures = described(run, &plots[start..], start);
    for (picture, caption) in pictures.iter_mut().zip(captions) {
        picture["caption"] = caption.into();
    }
    let table = ResultTable::of(part, found);
    json!({
        "title": part.title,
        "text": part.text,
        "notes": part.notes,
        "plots": pictures,
        "table": {
            "groups": table.groups,
            "head": table.head,
            "published": table.published,
            "rows": table.rows,
        },
    })
}

/// The plots of a report, in order.
fn pictures(report: &str) -> Vec<String> {
    let parts = report.split("<svg ").skip(1);
    parts.filter_map(|part| Some(format!("<svg {}</svg>", part.split_once("</svg>")?.0))).collect()
}

/// Plots with their addresses, and what they show in words.
fn described(name: &str, plots: &[String], before: usize) -> Vec<Value> {
    let words = |svg: &String| {
        let label = svg.split_once("aria-label=\"").and_then(|(_, rest)| rest.split_once('"'));
        label.map_or(String::new(), |(label, _)| unescape(label))
    };
    let describe = |(index, svg)| {
        let number = before + index + 1;
        json!({ "address": format!("/lab/{name}/{number}.svg"), "words": words(svg) })
    };
    plots.iter().enumerate().map(describe).collect()
}

type Runs = Extension<Arc<Shelf>>;

/// `/api/v1/lab`: the runs.
pub(super) async fn list(Extension(shelf): Runs, _: Params) -> Json<Value> {
    let runs: Vec<&Value> = shelf.runs().map(|run| &run.card).collect();
    Json(json!({ "runs": runs }))
}

/// `/api/v1/lab/NAME`: one of them.
pub(super) async fn whole(
    Extension(shelf): Runs,
    Address(name): Address<String>,
    _: Params,
) -> Result<Json<Value>, Problem> {
    Ok(Json(shelf.run(&name)?.whole.clone()))
}

/// `/lab` and `/lab?run=NAME`: the page of the app, with its text for those without scripts.
pub(super) async fn page(
    Extension(shelf): Runs,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let query = query.unwrap_or_default();
    let named = query.split('&').find_map(|pair| pair.strip_prefix("run="));
    // What the script would refuse it refuses itself, in words.
    let text = match named.and_then(|name| shelf.run(name).ok()) {
        Some(run) => reading::lab_run(&run.whole),
        None => shelf.page(),
    };
    Asset::page(text).serve(&headers)
}

/// `/lab/NAME`: where the app shows it.
pub(super) async fn shortcut(
    Extension(shelf): Runs,
    Address(name): Address<String>,
) -> Result<Redirect, Problem> {
    Ok(Redirect::temporary(&format!("/lab?run={}", shelf.run(&name)?.name)))
}

/// `/lab/NAME/report` and the files beside it.
pub(super) async fn leaf(
    Extension(shelf): Runs,
    Address((name, file)): Address<(String, String)>,
) -> Result<Response, Problem> {
    let run = shelf.run(&name)?;
    let plot = || {
        file.strip_suffix(".svg")?
            .parse::<usize>()
            .ok()?
            .checked_sub(1)
            .and_then(|at| run.plots.get(at))
    };
    let here = format!("/lab?run={name}");
    let links = links(["/play", "/lab", &here]);
    let (kind, text) = match file.as_str() {
        "report" => (assets::HTML, with_links(&run.report, &links)),
        "results.csv" => ("text/csv; charset=utf-8", run.results.clone()),
        "summary.json" => ("application/json", run.summary.clone()),
        _ => match plot() {
            Some(plot) => ("image/svg+xml", plot.clone()),
            None => return Err(Problem::not_found(&format!("/lab/{name}/{file}"))),
        },
    };
    if text.is_empty() {
        return Err(Problem::not_found(&format!("/lab/{name}/{file}")));
    }
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, text).into_response())
}

#[cfg(test)]
mod tests {
    use super::{Shelf, is_name, pictures};

    #[test]
    fn names_cannot_leave_their_place() {
        for name in ["umbc-tables", "my_run.2", "a"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", ".hidden", "a/b", "a\\b", "a b", "ä", "%2e", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn every_kept_run_is_whole() {
        let shelf = Shelf::default();
        assert_eq!(shelf.runs().count(), fourfold_lab::builtin::names().count());
        for run in shelf.runs() {
            assert!(
                run.card["question"].is_string() && run.card["finding"].is_string(),
                "{}",
                run.name
            );
            assert_eq!(pictures(&run.report), run.plots, "{}", run.name);
            assert!(!run.plots.is_empty(), "{}", run.name);
        }
    }
}
