#![doc = include_str!("../README.md")]
//! ## Modules
//!
//! From low to high; each uses only modules listed before it.
//!
//! - [`random`]: the one seeded generator
//! - [`budget`]: what work may spend, why it ended early, and how far it is
//! - [`workers`]: work shared among threads
//! - [`parts`]: large tables that a build can leave out and have brought later
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
pub mod budget;
mod bytes;
pub mod eval;
pub mod game;
mod memory;
pub mod parts;
pub mod play;
pub mod random;
pub mod score;
pub mod search;
pub mod solver;
pub mod workers;
