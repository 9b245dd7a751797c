//! The experiments that come with Fourfold, one for each published table or figure, and the
//! summaries of their full runs.

use crate::experiment::Experiment;
use crate::reading::FileError;

macro_rules! positions {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../experiments/", $name)))),*]
    };
}

macro_rules! experiments {
    ($($name:literal),* $(,)?) => {
        [$((
            $name,
            include_str!(concat!("../experiments/", $name, ".toml")),
            include_str!(concat!(env!("OUT_DIR"), "/", $name, ".json")),
        )),*]
    };
}

/// Name, experiment file, and the summary of the full run that is kept under `results`.
const EXPERIMENTS: [(&str, &str, &str); 10] = experiments![
    "umbc-tables",
    "umbc-positions",
    "radboud-cases",
    "radboud-growth",
    "gmu-square",
    "hkust-tictactoe",
    "thakral-switches",
    "every-switch",
    "mcts-alphabeta",
    "tuning",
];

/// The position files that they name.
const POSITIONS: [(&str, &str); 3] =
    positions!["positions/first-board.txt", "positions/mid-row.txt", "positions/near-win.txt"];

/// The names of the experiments, in the order in which they are listed and run.
pub fn names() -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().map(|(name, ..)| *name)
}

/// Reads an experiment by name; `None` if there is none of that name.
///
/// # Errors
/// Only if a file that was built in is wrong; a test reads them all.
pub fn read(name: &str, quick: bool) -> Option<Result<Experiment, FileError>> {
    let (_, text, _) = EXPERIMENTS.iter().find(|(known, ..)| *known == name)?;
    let load = |wanted: &str| {
        let found = POSITIONS.iter().find(|(file, _)| *file == wanted);
        found
            .map(|(_, text)| (*text).to_owned())
            .ok_or_else(|| format!("there is no file {wanted}"))
    };
    Some(Experiment::read(&format!("experiments/{name}.toml"), text, quick, &load))
}

/// The `summary.json` of an experiment's full run; `None` if no experiment has that name or no run
/// of it is kept.
#[must_use]
pub fn results(name: &str) -> Option<&'static str> {
    let (.., summary) = EXPERIMENTS.iter().find(|(known, ..)| *known == name)?;
    Some(*summary).filter(|summary| !summary.is_empty())
}
