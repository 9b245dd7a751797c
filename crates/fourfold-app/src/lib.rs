//! What Fourfold's front ends share: the live game, hints, opening books, JSON shapes, drawings and
//! text for people.
//!
//! Front ends (the command, the terminal app, the web service) parse input, call this crate and the
//! library, and show the result. Nothing here prints, reads arguments or listens on a socket; the
//! only input and output are files ([`books`], [`records`]).

pub mod board_text;
pub mod books;
pub mod draw;
pub mod explain;
pub mod hint;
pub mod live_game;
pub mod puzzles;
pub mod records;
pub mod service;
pub mod shapes;
pub mod text;
pub mod trees;
pub mod worksheet;
