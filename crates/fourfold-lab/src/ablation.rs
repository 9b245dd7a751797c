//! Ablation: every combination of some switches on and off over the same positions.
//!
//! It is an experiment like any other, written from a list of switches; only `results.csv` differs:
//! it has the columns of Thakral's slides, and nodes and evaluations.

use crate::experiment::Experiment;
use crate::reading::FileError;
use crate::runner::Outcome;
use fourfold::eval::Evaluator;
use fourfold::game::Rules;
use fourfold::search::{OptionError, SearchOptions, Switch, SwitchKind};
use std::fmt::Write;

/// What to compare.
#[derive(Debug, Clone)]
pub struct Ablation {
    /// The game.
    pub rules: Rules,
    /// The file that the positions come from, as it was named.
    pub file: String,
    /// Plies to look ahead.
    pub depth: u32,
    /// The switches, each with the value that counts as on.
    pub switches: Vec<(&'static Switch, String)>,
    /// The evaluator; the game's natural one if none.
    pub evaluator: Option<Evaluator>,
    /// Timed repeats.
    pub repeats: u32,
    /// Nodes that a combination may take.
    pub budget: u64,
}

/// More switches make more combinations than anybody reads.
pub const MOST_SWITCHES: usize = 10;

/// Why a list of switches cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AblationError {
    /// No such switch, or no such value.
    #[error(transparent)]
    Switch(#[from] OptionError),
    /// It has no off.
    #[error("{0} is a choice between words, not something to be on or off")]
    NoOff(&'static str),
    /// It is there twice.
    #[error("{0} is there twice")]
    Twice(&'static str),
    /// None or too many.
    #[error("give 1 to {MOST_SWITCHES} switches; {0} make 2^{0} combinations")]
    Number(usize),
}

/// The value that stands for on in a switch that is a number.
fn usual(switch: &Switch) -> &'static str {
    match switch.name {
        "table" => "16",
        "forward" => "4",
        "contempt" => "50",
        _ => "on",
    }
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
    if found.is_empty() || found.len() > MOST_SWITCHES {
        return Err(AblationError::Number(found.len()));
    }
    Ok(found)
}

impl Ablation {
    /// The experiment. `positions` is the text of the file.
    ///
    /// # Errors
    /// If a position cannot be read or the evaluator does not suit the game.
    pub fn experiment(&self, positions: &str) -> Result<Experiment, FileError> {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let names: Vec<&str> = self.switches.iter().map(|(switch, _)| switch.name).collect();
        let (mut vary, mut list, mut baseline) = (String::new(), Vec::new(), Vec::new());
        for (switch, on) in &self.switches {
            let name = switch.name;
            let off = if switch.kind == SwitchKind::Flag { "off" } else { "0" };
            let _ = writeln!(
                vary,
                "{name} = [{{ name = \"off\", is = \"{off}\" }}, {{ name = \"on\", is = {} }}]",
                quoted(on)
            );
            list.push(format!("{name}={{{name}.is}}"));
            baseline.push(format!("{name} = \"off\""));
        }
        // A search is plain minimax unless alpha-beta is asked for.
        if !names.contains(&"alpha_beta") {
            list.push("alpha_beta=on".to_owned());
        }
        let keeps = self
            .switches
            .iter()
            .all(|(switch, _)| switch.effect == fourfold::search::Effect::KeepsValue);
        let evaluator = self.evaluator.clone().unwrap_or_else(|| Evaluator::natural(&self.rules));
        let text = format!(
            "title = \"Ablation: {}\"\n\
             question = {}\n\
             budget = {}\n\
             [[search]]\n\
             name = \"ablation\"\n\
             title = \"Every combination\"\n\
             game = \"{}\"\nfile = {}\ndepth = {}\neval = \"{evaluator}\"\nrepeats = {}\nalone = true\nagree = {keeps}\n\
             switches = \"{}\"\nbaseline = {{ {} }}\n\
             show = [\"nodes\", \"nodes_ratio\", \"evaluations\", \"time\", \"time_ratio\"]\n\
             [search.vary]\n{vary}",
            names.join(", "),
            quoted(&format!(
                "What does each switch save, {} plies deep on the positions of {}?",
                self.depth, self.file
            )),
            self.budget,
            self.rules,
            quoted(&self.file),
            self.depth,
            self.repeats,
            list.join(","),
            baseline.join(", "),
        );
        let load = |_: &str| Ok(positions.to_owned());
        // What is wrong can only be in the positions or the evaluator: the rest was written here.
        let named = |error: FileError| FileError { file: self.file.clone(), ..error };
        Experiment::read("ablation.toml", &text, false, &load).map_err(named)
    }
}

/// The results in the columns of the slides: the switches as 0 and 1, the time, the configuration;
/// then nodes, evaluations and positions, all added up over the positions. A combination that was
/// too large has no figures.
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
            ("mid_col,mid_col", "mid_col is there twice"),
            ("tie", "tie is a choice between words, not something to be on or off"),
            ("table=much", "table cannot be \"much\": it is a number of MiB from 0 to 65536"),
        ] {
            assert_eq!(switches(list).unwrap_err().to_string(), message);
        }
    }
}
