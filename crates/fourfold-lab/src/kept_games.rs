//! The games of a run, move by move, in a file that somebody asked for.
//!
//! A line per game: the record that `fourfold replay` and every other command reads, with the cell
//! that the game belongs to and its number there. A resumed run goes on with the file: games that
//! are in it stay, and those that the journal has but the file lacks are played again, which gives
//! the same games.

use crate::task::Task;
use fourfold::play::Record;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

/// The file, open to be continued.
#[derive(Debug)]
pub(crate) struct KeptGames {
    file: File,
    /// The games in it: cell and number, from 0.
    known: HashSet<(String, usize)>,
}

/// What a line says about itself; games are numbered from 1 there.
#[derive(Deserialize)]
struct Address {
    cell: String,
    number: usize,
}

impl KeptGames {
    /// A new file, which must not exist; or, with `resume`, the old one if there is one.
    pub(crate) fn open(path: &Path, resume: bool) -> io::Result<Self> {
        if !resume {
            let file = File::options().create_new(true).append(true).open(path)?;
            return Ok(Self { file, known: HashSet::new() });
        }
        let mut file = File::options().create(true).read(true).append(true).open(path)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        // Whatever follows the last line break is torn.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let lines = text[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let mut known = HashSet::new();
        for line in lines {
            let Address { cell, number } = serde_json::from_slice(line).map_err(|_| {
                io::Error::other("this is not a file of games that a laboratory run kept")
            })?;
            known.insert((cell, number.saturating_sub(1)));
        }
        file.set_len(whole as u64)?;
        Ok(Self { file, known })
    }

    /// True if all games of a block are in the file, or it has none.
    pub(crate) fn has(&self, cell: &str, task: &Task, items: &Range<usize>) -> bool {
        !matches!(task, Task::Match(_) | Task::Replica(_))
            || items.clone().all(|number| self.known.contains(&(cell.to_owned(), number)))
    }

    /// Adds the games of a block; those that are there already are not added again.
    pub(crate) fn add(&mut self, cell: &str, games: &[(usize, Record)]) -> io::Result<()> {
        let mut text = String::new();
        for (number, record) in games {
            if self.known.insert((cell.to_owned(), *number)) {
                let address = serde_json::json!({ "cell": cell, "number": number + 1 }).to_string();
                let (address, line) = (address.trim_end_matches('}'), record.to_line());
                text += &format!("{address},{}\n", line.trim_start_matches('{'));
            }
        }
        self.file.write_all(text.as_bytes())
    }
}
