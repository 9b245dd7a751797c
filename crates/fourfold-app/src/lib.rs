//! What Fourfold's front ends share: a game under way, hints, opening books by game, JSON shapes,
//! drawings, and text for people.
//!
//! Front ends (the command, the terminal app, the web service) parse input, call this crate and the
//! library, and show the result. Nothing here prints, reads arguments or listens on a socket; the
//! only input and output are files ([`files`], [`books`], [`records`]).

pub mod board_text;
pub mod books;
pub mod draw;
pub mod hint;
pub mod live_game;
pub mod records;
pub mod shapes;
pub mod text;
pub mod trees;
