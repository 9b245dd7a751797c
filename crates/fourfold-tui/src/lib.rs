//! Fourfold as a terminal app: play, hints, exact analysis, review.
//!
//! ```text
//! app.rs      the state, and how events change it; returns effects, performs none
//! app/        changes to the game: moves, undo, new games
//! control.rs  key bindings and the mouse
//! setup.rs    the dialog for players and rules
//! worker.rs   the search thread: engine moves, hints, analysis, reviews
//! view/       draws the state into a buffer
//! screen.rs   takes the terminal over and restores it
//! runner.rs   the event loop that connects them
//! ```
//!
//! Everything but the last two runs without a terminal, and is tested that way.

mod app;
mod control;
mod runner;
mod screen;
mod setup;
#[cfg(test)]
mod tests;
mod view;
mod worker;

pub use runner::{Options, ReadPlayer, TuiError, run};
pub use view::Look;
