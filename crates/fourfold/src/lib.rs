#![doc = include_str!("../README.md")]
// The library prints nothing: front ends do.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod book;
pub mod budget;
pub mod eval;
pub mod game;

mod memory;
pub mod play;

pub mod random;
pub mod score;
pub mod search;
pub mod solver;
pub mod workers;
