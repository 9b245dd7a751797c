//! The exact search for every game: lines of any length, squares, with and without gravity.
//!
//! It works like the search for lines of four with gravity next door (null windows, forced moves
//! played, enhanced transposition cutoffs, static bounds, exact tables), but reads the rules from a
//! [`GeneralBoard`], and knows more symmetries, more bounds, and dead discs. The layouts and the
//! tuned move ordering that make lines of four with gravity fast are left to that search.

mod board;
mod bounds;
mod columns;
mod keys;
mod on_top;
mod order;
mod search;
#[cfg(test)]
mod soundness;

pub(super) use board::GeneralBoard;
pub(super) use search::{GeneralEngine, GeneralNode, GeneralRoot};

/// With gravity: a position and its mirror image have the same score.
pub(super) type GravityEngine<W> = GeneralEngine<W, true, 2>;
/// With free placement: up to eight symmetric positions have the same score.
pub(super) type FreePlacementEngine<W> = GeneralEngine<W, false, 8>;
