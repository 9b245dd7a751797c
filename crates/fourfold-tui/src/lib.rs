//! Fourfold as a terminal app: play, hints, exact analysis, review.
//!
//! ```text
//! app.rs      the state, and how an event changes it; says what is to be done, and does nothing itself
//! app/        what happens to the game
//! control.rs  what keys and the mouse mean
//! setup.rs    the dialog for players and rules
//! worker.rs   the thread that searches: a player's move, hints, analysis, reviews
//! view/       draws the state into a buffer
//! screen.rs   the terminal itself, and how it is left as it was
//! runner.rs   the loop that connects them
//! ```
//!
//! Everything but the last two runs without a terminal, and is tested so.

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
