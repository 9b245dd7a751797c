//! Opening books: exact scores of early positions, known before any search.
//!
//! A [`Book`] holds every position of a game up to some number of discs. It is built by solving all
//! positions of its last ply and backing their scores up ([`Draft`]), read from bytes that are
//! checked to the last one, and probed in constant time. `docs/books.md` describes the format and
//! the command.
//!
//! - `index`: a perfect index of positions, so that a book is an array of scores without keys
//! - `file`: the finished book and its bytes
//! - `draft`: a book under construction
//! - `pons`: reads the books of P. Pons' solver
//! - `choice`: which book for which game

mod choice;
mod draft;
mod file;
mod index;
mod pons;

pub use choice::Books;
pub use draft::{Draft, DraftError};
pub use file::{Book, BookError, PlySummary};
