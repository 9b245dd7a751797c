//! Files of solved positions, one line `moves score` each: input of the solver's benchmarks.

use crate::failure::Failure;
use crate::input::Lines;
use crate::output::note;
use fourfold::game::notation::{self, Format};
use fourfold::game::{Position, Rules};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A file of positions.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) positions: Vec<Known>,
    /// How many lines were refused; each has been reported.
    pub(super) refused: usize,
}

/// A position whose score is known.
#[derive(Debug)]
pub(super) struct Known {
    /// File and line.
    pub(super) place: String,
    pub(super) position: Position,
    /// As columns, one digit or letter each.
    pub(super) moves: String,
    pub(super) score: i32,
}

impl Set {
    /// The positions of a file, up to the limit.
    pub(super) fn read(path: &Path, rules: &Rules, limit: Option<usize>) -> Result<Self, Failure> {
        let unreadable = |why| Failure::runtime(format!("cannot read {}: {why}", path.display()));
        let mut lines = Lines::new(BufReader::new(File::open(path).map_err(unreadable)?));
        let mut set = Self { name: path.display().to_string(), positions: Vec::new(), refused: 0 };
        for number in 1.. {
            if limit.is_some_and(|limit| set.positions.len() >= limit) {
                break;
            }
            let Some(text) = lines.next().map_err(unreadable)? else { break };
            let place = format!("{}:{number}", path.display());
            let read = notation::Reader::new().format(Format::Pons).rules(rules).read(&text);
            match read.map(|entry| (entry.best_score(), entry.position, entry.moves)) {
                Ok((Some(score), position, moves)) => {
                    let moves = notation::moves_text(rules, &moves.unwrap_or_default());
                    set.positions.push(Known { place, position, moves, score });
                }
                Ok((None, ..)) => set.refuse(&place, "no score follows the moves"),
                Err(why) => set.refuse(&place, &why.to_string()),
            }
        }
        Ok(set)
    }

    fn refuse(&mut self, place: &str, why: &str) {
        note(format!("fourfold: {place}: {why}"));
        self.refused += 1;
    }
}

/// The nearest folder, from here upward, that has this in it: a checkout of Fourfold, whatever
/// folder of it we are in.
pub(super) fn checkout_with(path: &str) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().find(|folder| folder.join(path).exists()).map(Path::to_path_buf)
}
