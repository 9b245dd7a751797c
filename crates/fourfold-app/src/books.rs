//! Opening books from files.

use fourfold::book::{Book, BookError};
use fourfold::game::Rules;
use fourfold_lab::files::{ReadError, read_bytes};
use std::path::{Path, PathBuf};

/// Size limit of a book or journal, in bytes: well above the largest that can be built.
pub const MAX_BOOK_BYTES: u64 = 1 << 30;

/// Why a book could not be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum BookFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is not a book.
    #[error("{}: {why}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: BookError,
    },
    /// The book is for another game.
    #[error("{}: the book is for {made_for}, not {game}", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The book's game.
        made_for: Rules,
        /// The game that was asked for.
        game: Rules,
    },
}

/// Reads a book from a file.
///
/// # Errors
/// If the file cannot be read or is not a book.
pub fn read_book(path: &Path) -> Result<Book, BookFileError> {
    let bytes = read_bytes(path, MAX_BOOK_BYTES)?;
    Book::read(&bytes).map_err(|why| BookFileError::Invalid { path: path.to_owned(), why })
}
