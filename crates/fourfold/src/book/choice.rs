//! Which book is asked for which game.

use super::Book;
use crate::game::Rules;
use std::sync::Arc;

/// The opening books to choose from by game.
#[derive(Debug, Clone, Default)]
pub enum Books {
    /// No book: everything is searched.
    None,
    /// Those that come with the library.
    #[default]
    Embedded,
    /// This one, for its own game; other games have none.
    Only(Arc<Book>),
}

impl Books {
    /// The book for a game, if there is one.
    #[must_use]
    pub fn book_for(&self, rules: &Rules) -> Option<Arc<Book>> {
        match self {
            Self::None => None,
            Self::Embedded => Book::embedded(rules),
            Self::Only(book) => Some(Arc::clone(book)).filter(|book| book.rules() == rules),
        }
    }
}
