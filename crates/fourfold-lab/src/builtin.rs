//! The experiments that come with Fourfold, one for each published table or figure.

use crate::experiment::Experiment;
use crate::reading::FileError;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../experiments/", $name)))),*]
    };
}

const EXPERIMENTS: [(&str, &str); 8] = files![
    "umbc-tables.toml",
    "umbc-positions.toml",
    "radboud-cases.toml",
    "radboud-growth.toml",
    "gmu-square.toml",
    "hkust-tictactoe.toml",
    "thakral-switches.toml",
    "every-switch.toml",
];

const POSITIONS: [(&str, &str); 3] =
    files!["positions/first-board.txt", "positions/mid-row.txt", "positions/near-win.txt"];

/// Their names, in the order in which they are listed and run.
pub fn names() -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().map(|(file, _)| file.trim_end_matches(".toml"))
}

/// Reads one of them. None if there is none of that name.
///
/// # Errors
/// Never, unless the file that was built in is wrong; a test reads them all.
pub fn read(name: &str, quick: bool) -> Option<Result<Experiment, FileError>> {
    let (file, text) = EXPERIMENTS.iter().find(|(file, _)| file.trim_end_matches(".toml") == name)?;
    let load = |wanted: &str| {
        let found = POSITIONS.iter().find(|(file, _)| *file == wanted);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("there is no file {wanted}"))
    };
    Some(Experiment::read(&format!("experiments/{file}"), text, quick, &load))
}
