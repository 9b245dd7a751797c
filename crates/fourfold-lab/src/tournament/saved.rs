//! The file of a tournament's games: a header, then every finished game as a line of JSON.
//!
//! Lines are appended whole. A process that is killed leaves at most one torn line at the end,
//! which is dropped when the tournament goes on. The header names the tournament by a fingerprint,
//! and every game must be one of its games: the right players, in the right seats, with the right
//! seed.

use super::Tournament;
use crate::fingerprint::of_text;
use fourfold::play::{Match, Record};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It has something else in it.
    #[error("{} is not a file of a tournament's games", path.display())]
    NotATournament {
        /// The file.
        path: PathBuf,
    },
    /// It is of a tournament with other players, openings, games or another seed.
    #[error(
        "{} holds the games of another tournament ({found}); this one is {wanted}",
        path.display()
    )]
    OtherTournament {
        /// The file.
        path: PathBuf,
        /// What it is of.
        found: String,
        /// What is to be played.
        wanted: String,
    },
    /// A line is not a game of this tournament.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// The first line.
#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct Header {
    /// The version of the form.
    tournament: u32,
    fingerprint: String,
    /// In words, for people and for the error.
    about: String,
}

impl Header {
    fn of(tournament: &Tournament) -> Self {
        let players: Vec<String> = tournament.players.iter().map(ToString::to_string).collect();
        let sprt = tournament.sprt.map_or(String::new(), |sprt| format!(", sprt {sprt}"));
        Self {
            tournament: 1,
            fingerprint: format!("{:016x}", of_text(&tournament.canonical())),
            about: format!(
                "{}, {}: {}; {} games a pairing, {} openings, seed {}{sprt}",
                tournament.rules,
                tournament.format,
                players.join(", "),
                tournament.games,
                tournament.openings.len(),
                tournament.seed,
            ),
        }
    }
}

/// Whether a line is the header of a tournament's file rather than a game.
#[must_use]
pub fn is_header(line: &str) -> bool {
    line.trim_start().starts_with("{\"tournament\":")
}

/// The text of a file of games, from games that were played elsewhere.
pub fn saved_games<'a>(tournament: &Tournament, lines: impl Iterator<Item = &'a str>) -> String {
    let header = serde_json::to_string(&Header::of(tournament));
    let mut text = header.expect("plain fields always make JSON") + "\n";
    for line in lines {
        text += line;
        text.push('\n');
    }
    text
}

/// A file of games that is being written.
pub(super) struct SavedGames {
    path: PathBuf,
    file: File,
}

/// Finished games by pairing and number.
pub(super) type Games = HashMap<(usize, u64), Record>;

impl SavedGames {
    /// Opens the file, or makes it; and the games it has.
    pub(super) fn open(
        path: &Path,
        tournament: &Tournament,
        matches: &[Match],
    ) -> Result<(Self, Games), SavedError> {
        let failed = |source| SavedError::Io { path: path.to_owned(), source };
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let mut saved = Self { path: path.to_owned(), file: file.map_err(failed)? };
        let mut text = Vec::new();
        saved.file.read_to_end(&mut text).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let games = if whole == 0 && !text.starts_with(b"{\"tournament\":") && !text.is_empty() {
            return Err(SavedError::NotATournament { path: path.to_owned() });
        } else if whole == 0 {
            Games::new()
        } else {
            saved.check(&text[..whole], tournament, matches)?
        };
        // What was torn is dropped.
        saved.file.set_len(whole as u64).map_err(failed)?;
        saved.file.seek(io::SeekFrom::End(0)).map_err(failed)?;
        if whole == 0 {
            let header = serde_json::to_string(&Header::of(tournament));
            saved.append(&header.expect("plain fields always make JSON"))?;
        }
        Ok((saved, games))
    }

    fn check(
        &self,
        text: &[u8],
        tournament: &Tournament,
        matches: &[Match],
    ) -> Result<Games, SavedError> {
        let path = || self.path.clone();
        let text =
            std::str::from_utf8(text).map_err(|_| SavedError::NotATournament { path: path() })?;
        let mut lines = text.lines();
        let header: Header = serde_json::from_str(lines.next().unwrap_or(""))
            .map_err(|_| SavedError::NotATournament { path: path() })?;
        let wanted = Header::of(tournament);
        if header != wanted {
            let (found, wanted) = (header.about, wanted.about);
            return Err(SavedError::OtherTournament { path: path(), found, wanted });
        }
        // Where each game belongs, by what tells it from the others.
        let mut places = HashMap::new();
        for (number, contest) in matches.iter().enumerate() {
            for index in 0..contest.games {
                let [first, second] = contest.seats(index).map(ToString::to_string);
                places.insert((first, second, contest.game_seed(index)), (number, index));
            }
        }
        let mut games = Games::new();
        for (at, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let refuse = |problem| SavedError::Line { path: path(), line: at + 2, problem };
            let record: Record = line.parse().map_err(|why| refuse(format!("{why}")))?;
            let of = (record.first.clone(), record.second.clone(), record.seed);
            let place = match of {
                (Some(first), Some(second), Some(seed)) => places.get(&(first, second, seed)),
                _ => None,
            };
            let stranger = || refuse("this is not a game of this tournament".to_owned());
            let &(number, index) = place.ok_or_else(stranger)?;
            let opening = matches[number].opening(index);
            if record.game != tournament.rules
                || !record.moves.starts_with(opening)
                || record.result.is_none()
            {
                return Err(stranger());
            }
            if games.insert((number, index), record).is_some() {
                return Err(refuse("this game is there twice".to_owned()));
            }
        }
        Ok(games)
    }

    /// Appends a line, whole.
    fn append(&mut self, line: &str) -> Result<(), SavedError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|source| SavedError::Io { path: self.path.clone(), source })
    }

    /// Appends a game.
    pub(super) fn add(&mut self, record: &Record) -> Result<(), SavedError> {
        self.append(&record.to_line())
    }
}
