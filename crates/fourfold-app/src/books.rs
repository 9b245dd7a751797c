//! Opening books by game: those that come with the program, one from a file, or none.

use crate::files::{FileError, MOST_BOOK_BYTES, read_bytes};
use fourfold::book::{Book, BookError};
use fourfold::game::Rules;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the solver's opening books come from.
#[derive(Debug, Clone)]
pub enum Books {
    /// No book: everything is searched.
    None,
    /// Those that come with the program.
    Embedded,
    /// One from a file.
    Only(Arc<Book>, PathBuf),
}

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),
    /// The file is not a book.
    #[error("{}: {why}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: BookError,
    },
    /// The book is of another game.
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

impl Books {
    /// The book in a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a book.
    pub fn from_file(path: &Path) -> Result<Self, BookFileError> {
        Ok(Self::Only(Arc::new(read_book(path)?), path.to_owned()))
    }

    /// The book for a game; a book from a file must be of that game.
    ///
    /// # Errors
    /// If the book in the file is of another game.
    pub fn book_for(&self, rules: &Rules) -> Result<Option<Arc<Book>>, BookFileError> {
        match self {
            Self::None => Ok(None),
            Self::Embedded => Ok(Book::embedded(rules)),
            Self::Only(book, _) if book.rules() == rules => Ok(Some(Arc::clone(book))),
            Self::Only(book, path) => Err(BookFileError::OtherGame {
                path: path.clone(),
                made_for: *book.rules(),
                game: *rules,
            }),
        }
    }
}

/// A book from a file.
///
/// # Errors
/// If the file cannot be read or is not a book.
pub fn read_book(path: &Path) -> Result<Book, BookFileError> {
    let bytes = read_bytes(path, MOST_BOOK_BYTES)?;
    Book::read(&bytes).map_err(|why| BookFileError::Invalid { path: path.to_owned(), why })
}
