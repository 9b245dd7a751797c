#![doc = include_str!("../README.md")]

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
