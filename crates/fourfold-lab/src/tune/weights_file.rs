//! Weights in a file: a few lines of text that player specs take (`weights=FILE`).
//!
//! ```text
//! # fourfold weights 1
//! evaluator = windows
//! game = 7x6c4
//! weights = 31/122/367/1000
//! made = fourfold tune windows --game 7x6c4 --seed 1
//! ```

use crate::files::{ReadError, read_text};
use fourfold::eval::Evaluator;
use fourfold::game::Rules;
use std::path::{Path, PathBuf};

const HEAD: &str = "# fourfold weights 1";

/// What a weights file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsFile {
    /// The evaluator with its weights.
    pub evaluator: Evaluator,
    /// The game they were tuned for.
    pub rules: Rules,
    /// The command that made them.
    pub made: String,
}

/// Why a weights file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not a weights file, or a damaged one.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl WeightsFile {
    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let weights = self.evaluator.weights().unwrap_or_default();
        let weights: Vec<String> = weights.iter().map(i32::to_string).collect();
        let name = self.evaluator.to_string();
        let name = name.split(':').next().unwrap_or_default();
        let (rules, weights, made) = (self.rules, weights.join("/"), &self.made);
        format!("{HEAD}\nevaluator = {name}\ngame = {rules}\nweights = {weights}\nmade = {made}\n")
    }

    /// Reads a text that [`WeightsFile::to_text`] wrote.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_text(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(HEAD) {
            return Err(format!("it does not begin with {HEAD:?}"));
        }
        let (mut evaluator, mut rules, mut weights, mut made) = (None, None, None, String::new());
        for line in lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let (key, value) = line.split_once('=').ok_or_else(|| format!("{line:?} has no ="))?;
            let value = value.trim();
            match key.trim() {
                "evaluator" => evaluator = Some(value.to_owned()),
                "game" => rules = Some(value.parse::<Rules>().map_err(|why| why.to_string())?),
                "weights" => weights = Some(value.to_owned()),
                "made" => value.clone_into(&mut made),
                other => return Err(format!("{other:?} is not a key of a weights file")),
            }
        }
        let evaluator = evaluator.ok_or("the evaluator is missing")?;
        let weights = weights.ok_or("the weights are missing")?;
        let rules = rules.ok_or("the game is missing")?;
        let evaluator: Evaluator =
            format!("{evaluator}:{weights}").parse().map_err(|why| format!("{why}"))?;
        evaluator.check(&rules).map_err(|why| why.to_string())?;
        Ok(Self { evaluator, rules, made })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no weights file.
    pub fn read(path: &Path) -> Result<Self, WeightsFileError> {
        let text = read_text(path)?;
        Self::of_text(&text)
            .map_err(|problem| WeightsFileError::Content { path: path.to_owned(), problem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written_and_damage_is_told() {
        let file = WeightsFile {
            evaluator: "windows:3/10/40/90".parse().unwrap(),
            rules: Rules::CONNECT_FOUR,
            made: "fourfold tune windows".to_owned(),
        };
        let text = file.to_text();
        assert_eq!(WeightsFile::of_text(&text), Ok(file));
        for (from, to) in [
            ("weights 1", "weights 9"),
            ("3/10/40/90", "3/10/40"),
            ("= windows", "= window"),
            ("= windows", "= square"),
            ("game = 7x6c4\n", ""),
            ("made", "mode"),
            ("7x6c4", "7y6"),
        ] {
            assert!(WeightsFile::of_text(&text.replacen(from, to, 1)).is_err(), "{from} {to}");
        }
        assert!(WeightsFile::of_text("").is_err());
    }
}
