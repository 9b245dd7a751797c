//! The exact search for every game: any line, squares, with and without gravity.
//!
//! It works like the search for lines of four with gravity next door (null windows, forced moves
//! played out, children looked up first, static bounds, exact tables), but asks [`Ground`] what the
//! rules mean, and knows more symmetries and more bounds. What lines of four with gravity gain from
//! their own layouts and tuned order is left to that one.

mod bounds;
mod ground;
mod order;
mod search;
#[cfg(test)]
mod soundness;

pub(super) use ground::Ground;
pub(super) use search::{Engine, Node, Root};

/// Discs fall: a position and its mirror image are the same.
pub(super) type Falling<W> = Engine<W, true, 2>;
/// Discs lie where they are put: up to eight images are the same.
pub(super) type Placed<W> = Engine<W, false, 8>;
