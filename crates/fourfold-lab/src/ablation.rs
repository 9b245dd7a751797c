//! Ablation: every combination of some switches on and off, over the same positions.
//!
//! It is an experiment like any other, made from a list of switches. Only its `results.csv` is
//! different: it has the columns of Thakral's slides, and nodes and evaluations.

use crate::axes::{Axis, AxisValue, Combination};
use crate::experiment::{Experiment, ExperimentCell, Part};
use crate::fingerprint::fingerprint;
use crate::metrics::{Metric, PartKind, Unit};
use crate::plot::{Plot, PlotPoint, PlotShape, Series};
use crate::positions::read_position_list;
use crate::reading::FileError;
use crate::runner::{CellOutcome, Outcome};
use crate::task::{SearchTask, Task};
use fourfold::eval::{Evaluator, EvaluatorError};
use fourfold::game::{Position, Rules};
use fourfold::search::{Effect, OptionError, SearchOptions, Switch, SwitchKind};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// What to compare.
#[derive(Debug, Clone)]
pub struct Ablation {
    /// The game.
    pub rules: Rules,
    /// The file of the positions, as it was named.
    pub file: String,
    /// Plies to look ahead.
    pub depth: u32,
    /// The switches, each with the value that counts as on.
    pub switches: Vec<(&'static Switch, String)>,
    /// The evaluator; the game's natural one if none.
    pub evaluator: Option<Evaluator>,
    /// Timed repeats.
    pub repeats: u32,
    /// The most nodes that a combination may visit.
    pub budget: u64,
}

/// The most switches: more would make more combinations than anybody reads.
pub const MAX_SWITCHES: usize = 10;

/// The most switches of a plot: sixteen bars.
pub const MAX_PLOTTED: usize = 4;

/// Why an ablation cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AblationError {
    /// There is no such switch, or it cannot have that value.
    #[error(transparent)]
    Switch(#[from] OptionError),
    /// The switch cannot be off.
    #[error("{0} is a choice between words and cannot be on or off")]
    NoOff(&'static str),
    /// The switch is named twice.
    #[error("{0} occurs twice")]
    Twice(&'static str),
    /// There are no switches, or too many.
    #[error("give 1 to {MAX_SWITCHES} switches; {0} make 2^{0} combinations")]
    Number(usize),
    /// The evaluator does not suit the game.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// A plot of so many combinations cannot be read.
    #[error("a plot shows at most {MAX_PLOTTED} switches, not {0}")]
    Plotted(usize),
    /// A position cannot be read.
    #[error(transparent)]
    Positions(#[from] FileError),
}

/// The value that stands for on if a switch is a number.
fn usual(switch: &Switch) -> &'static str {
    match switch.name {
        "table" => "16",
        "forward" => "4",
        "contempt" => "50",
        _ => "on",
    }
}

/// The value that stands for off.
fn off(switch: &Switch) -> &'static str {
    if switch.kind == SwitchKind::Flag { "off" } else { "0" }
}

/// Reads `alpha_beta,mid_col,table=64`. A number may be given the value that counts as on; off is
/// 0.
///
/// # Errors
/// If a switch is unknown, named twice, or cannot be off.
pub fn switches(list: &str) -> Result<Vec<(&'static Switch, String)>, AblationError> {
    let mut found: Vec<(&'static Switch, String)> = Vec::new();
    for text in list.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let (name, value) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let switch =
            Switch::named(name).ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
        if matches!(switch.kind, SwitchKind::Choice(_)) {
            return Err(AblationError::NoOff(switch.name));
        }
        if found.iter().any(|(other, _)| other.name == switch.name) {
            return Err(AblationError::Twice(switch.name));
        }
        let value = value.unwrap_or_else(|| usual(switch)).to_owned();
        SearchOptions::default().set(name, &value)?;
        found.push((switch, value));
    }
    if found.is_empty() || found.len() > MAX_SWITCHES {
        return Err(AblationError::Number(found.len()));
    }
    Ok(found)
}

impl Ablation {
    /// The experiment. `positions` is the text of the file: a position per line.
    ///
    /// # Errors
    /// If a position cannot be read, the evaluator does not suit the game, or the switches are not
    /// those of [`switches`].
    pub fn experiment(&self, positions: &str) -> Result<Experiment, AblationError> {
        if self.switches.is_empty() || self.switches.len() > MAX_SWITCHES {
            return Err(AblationError::Number(self.switches.len()));
        }
        let evaluator = self.evaluator.clone().unwrap_or_else(|| Evaluator::textbook(&self.rules));
        evaluator.check(&self.rules)?;
        let positions = read_position_list(&self.file, positions, &self.rules, usize::MAX)?;
        let parts = vec![self.part(&positions.into(), &evaluator)?];
        let names: Vec<&str> = self.switches.iter().map(|(switch, _)| switch.name).collect();
        Ok(Experiment {
            name: "ablation".to_owned(),
            title: format!("Ablation: {}", names.join(", ")),
            question: format!(
                "What does each switch save, {} plies deep on the positions of {}?",
                self.depth, self.file
            ),
            finding: None,
            source: None,
            text: Vec::new(),
            seed: 1,
            quick: false,
            fingerprint: fingerprint(&parts),
            parts,
            figures: None,
        })
    }

    fn part(
        &self,
        positions: &Arc<[Position]>,
        evaluator: &Evaluator,
    ) -> Result<Part, OptionError> {
        let name = "ablation";
        let axes: Vec<Axis> = self.switches.iter().map(|(switch, on)| axis(switch, on)).collect();
        let cells = (0..1 << axes.len()).map(|index| {
            let combination = Combination::new(&axes, index);
            let task = Task::Search(SearchTask {
                positions: Arc::clone(positions),
                depth: self.depth,
                evaluator: evaluator.clone(),
                options: self.options(&combination.values)?,
                repeats: self.repeats,
            });
            Ok(ExperimentCell { key: combination.key(name), task, values: combination.values })
        });
        let cells = cells.collect::<Result<Vec<_>, OptionError>>()?;
        let keeps_value = |switch: &Switch| switch.effect == Effect::KeepsValue;
        Ok(Part {
            name: name.to_owned(),
            title: "Every combination".to_owned(),
            text: Vec::new(),
            notes: Vec::new(),
            kind: PartKind::Search,
            cells,
            published: Vec::new(),
            show: shown().collect(),
            across: None,
            baseline: (0..axes.len()).map(|axis| (axis, OFF)).collect(),
            axes,
            pool: Vec::new(),
            plots: Vec::new(),
            agree: self.switches.iter().all(|(switch, _)| keeps_value(switch)),
            alone: true,
            budget: self.budget,
        })
    }

    /// The options of a combination, given as the value index of each switch. The search is
    /// alpha-beta unless that is one of the switches.
    fn options(&self, values: &[usize]) -> Result<SearchOptions, OptionError> {
        let mut options = SearchOptions::default();
        options.set("alpha_beta", "on")?;
        for ((switch, on), &value) in self.switches.iter().zip(values) {
            options.set(switch.name, if value == OFF { off(switch) } else { on })?;
        }
        Ok(options)
    }
}

/// The index of off on the axis of a switch; on is 1.
const OFF: usize = 0;

fn axis(switch: &Switch, on: &str) -> Axis {
    let value = |label: &str, is: &str| AxisValue {
        label: label.to_owned(),
        fields: BTreeMap::from([("is".to_owned(), is.to_owned())]),
    };
    let values = vec![value("off", off(switch)), value("on", on)];
    Axis { name: switch.name.to_owned(), values }
}

fn shown() -> impl Iterator<Item = &'static Metric> {
    let names = ["nodes", "nodes_ratio", "evaluations", "time", "time_ratio"];
    let metrics = PartKind::Search.metrics();
    names.into_iter().filter_map(|name| metrics.iter().find(|metric| metric.name == name))
}

/// The results in the columns of the slides: the switches as 0 and 1, the time, the configuration;
/// then nodes, evaluations and positions. All are sums over the positions. A combination that was
/// too large to run has no figures.
#[must_use]
pub fn csv(experiment: &Experiment, outcome: &Outcome) -> String {
    let mut out = String::new();
    for (part, found) in experiment.parts.iter().zip(&outcome.parts) {
        let names: Vec<&str> = part.axes.iter().map(|axis| axis.name.as_str()).collect();
        let _ = writeln!(out, "{},runtime_ms,config,nodes,evaluations,positions", names.join(","));
        for (cell, result) in part.cells.iter().zip(&found.cells) {
            let flags: Vec<String> = cell.values.iter().map(ToString::to_string).collect();
            let positions = cell.task.items() as f64;
            let get = |name: &str| result.metrics.get(name).map(|estimate| estimate.value);
            let total = |name: &str| {
                get(name).map_or(String::new(), |mean| (mean * positions).round().to_string())
            };
            let time = get("time_total").map_or(String::new(), |time| format!("{time:.3}"));
            let config = flags.join(",");
            let _ = writeln!(
                out,
                "{config},{time},\"{config}\",{},{},{positions}",
                total("nodes"),
                total("evaluations"),
            );
        }
    }
    out
}

/// The nodes of every combination as bars, from plain to everything on. A combination is named as
/// in the slides, a digit for each switch: `101`.
///
/// # Errors
/// If there are too many switches for a plot.
pub fn plot(experiment: &Experiment, outcome: &Outcome) -> Result<Plot, AblationError> {
    let (part, found) = match (experiment.parts.as_slice(), outcome.parts.as_slice()) {
        ([part], [found]) if part.axes.len() <= MAX_PLOTTED => (part, found),
        (parts, _) => {
            return Err(AblationError::Plotted(parts.iter().map(|part| part.axes.len()).sum()));
        }
    };
    let name = |cell: &ExperimentCell| cell.values.iter().map(ToString::to_string).collect();
    let names: Vec<String> = part.cells.iter().map(name).collect();
    let point = |(index, cell): (usize, &CellOutcome)| {
        let nodes = cell.metrics.get("nodes")?;
        let whisker = nodes.interval.map(|interval| (interval.low, interval.high));
        Some(PlotPoint { x: index as f64, y: nodes.value, whisker })
    };
    let not_run: Vec<&str> = names
        .iter()
        .zip(&found.cells)
        .filter(|(_, cell)| !cell.metrics.contains_key("nodes"))
        .map(|(name, _)| name.as_str())
        .collect();
    let switches: Vec<&str> = part.axes.iter().map(|axis| axis.name.as_str()).collect();
    Ok(Plot {
        title: "Nodes by combination of switches".to_owned(),
        x_label: format!("{} (1 is on)", switches.join(", ")),
        y_label: "nodes per position (log scale)".to_owned(),
        unit: Unit::Number,
        shape: PlotShape::Bars,
        log: true,
        series: vec![Series {
            label: "measured".to_owned(),
            points: found.cells.iter().enumerate().filter_map(point).collect(),
            published: false,
            style: 0,
            theory: false,
        }],
        categories: Some(names.clone()),
        remarks: Vec::new(),
        beside: Vec::new(),
        left_out: (!not_run.is_empty())
            .then(|| format!("Not shown: {} (not run).", not_run.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_switches_are_checked() {
        let found = switches("alpha_beta, mid_col,table=64,forward").unwrap();
        let found: Vec<(&str, &str)> =
            found.iter().map(|(switch, on)| (switch.name, on.as_str())).collect();
        assert_eq!(
            found,
            [("alpha_beta", "on"), ("mid_col", "on"), ("table", "64"), ("forward", "4")]
        );
        for (list, message) in [
            ("", "give 1 to 10 switches; 0 make 2^0 combinations"),
            ("mid_row", "there is no switch \"mid_row\"; did you mean mid_col?"),
            ("mid_col,mid_col", "mid_col occurs twice"),
            ("tie", "tie is a choice between words and cannot be on or off"),
            ("table=much", "table cannot be \"much\": it is a number of MiB from 0 to 65536"),
        ] {
            assert_eq!(switches(list).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn errors_name_the_file_and_line_of_the_positions() {
        let ablation = Ablation {
            rules: Rules::CONNECT_FOUR,
            file: "boards/mine.txt".to_owned(),
            depth: 3,
            switches: switches("mid_col,table=2").unwrap(),
            evaluator: None,
            repeats: 0,
            budget: 1000,
        };
        let told = |positions| ablation.experiment(positions).unwrap_err().to_string();
        assert_eq!(
            told("\u{feff}44 # middle\n\n48\n"),
            "boards/mine.txt:3: move 2: there is no column 8: the board has columns 1 to 7"
        );
        assert_eq!(told("# none\n"), "boards/mine.txt: there is no position in this file");
        let experiment = ablation.experiment("\u{feff}44\nempty\n").unwrap();
        let part = &experiment.parts[0];
        assert_eq!(part.cells[3].key, "ablation: mid_col=on, table=on");
        let Task::Search(task) = &part.cells[3].task else { panic!("a search") };
        assert_eq!(
            (task.positions.len(), task.options.alpha_beta, task.options.table),
            (2, true, 2)
        );
        assert!(part.agree && part.cells.len() == 4);
        let square = Ablation { evaluator: Some("square".parse().unwrap()), ..ablation };
        let told = square.experiment("44\n").unwrap_err().to_string();
        assert!(told.starts_with("the evaluator square cannot judge 7x6c4"), "{told}");
    }
}
