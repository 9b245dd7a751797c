//! Files of game records, one line of JSON per game.

use fourfold::play::Record;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a game could not be saved.
#[derive(Debug, thiserror::Error)]
#[error("cannot save in {}: {why}", path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub why: io::Error,
}

/// Appends a game to a file, which is created if it is missing.
///
/// # Errors
/// If the file cannot be opened or written.
pub fn append(path: &Path, record: &Record) -> Result<(), SaveError> {
    let save = || {
        let mut file = File::options().create(true).append(true).open(path)?;
        writeln!(file, "{}", record.to_line())
    };
    save().map_err(|why| SaveError { path: path.to_owned(), why })
}
