#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! From low to high; each uses only modules listed before it.
//!
//! - [`random`]: the one seeded generator
//! - [`halt`], [`progress`]: why a search ended early, and how far a running one is
//! - [`workers`]: work shared among threads
//! - [`game`]: rules, positions, symmetry, notation, counting
//! - [`score`]: integer scores inside, verdicts outside
//! - [`book`]: opening books, exact scores of early positions
//! - [`eval`]: static evaluation
//! - [`search`]: minimax and alpha-beta, with every optimisation a switch
//! - [`solver`]: exact results in every game; it and `search` do not know each other
//! - [`play`]: players, matches, records, reviews
// The library prints nothing: front ends do.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod book;
pub mod eval;
pub mod game;
pub mod halt;
mod memory;
pub mod play;
pub mod progress;
pub mod random;
pub mod score;
pub mod search;
pub mod solver;
pub mod workers;
