//! The games themselves: rules as data, positions, symmetry, and how they are written down.
//!
//! This is the lowest layer: it knows nothing of scores, evaluation or search.
//!
//! # The bit layout, drawn once
//!
//! A board is a set of bits, one per cell, column after column from the left, each column from the
//! bottom up and followed by one *sentinel* bit that is never a disc. With stride = height + 1, the
//! cell in column `c` and row `r` (both from 0) is bit `c * stride + r`. For 7x6 (stride 7):
//!
//! ```text
//!   6 13 20 27 34 41 48     <- sentinel row: stops lines from running into the next column
//!   5 12 19 26 33 40 47
//!   4 11 18 25 32 39 46
//!   3 10 17 24 31 38 45
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42
//!   a  b  c  d  e  f  g
//! ```
//!
//! Up is +1, right is +stride, up-right +stride+1, down-right +stride-1. Boards of up to 64 bits
//! are searched in a `u64`, larger ones (to 128 bits) in a `u128`; [`Board`] and [`Geometry`] are
//! generic over that [`Word`].

mod board;
mod cells;
pub mod counting;
mod geometry;
mod history;
pub mod notation;
mod position;
mod rules;
pub(crate) mod symmetry;
mod word;

pub use board::Board;
pub use cells::{Cell, CellSet, Move};
pub use geometry::{Geometry, MAX_MOVES};
pub(crate) use geometry::{run, spread};
pub use history::HistoryError;
pub use position::{Key, Outcome, PlayError, Position, SetupError, Side};
pub(crate) use rules::excerpt;
pub use rules::{Placement, Rules, RulesError, Shape};
pub use symmetry::Symmetry;
pub use word::Word;
