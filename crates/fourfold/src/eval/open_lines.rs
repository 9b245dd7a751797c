//! Possible wins still open to MAX less those still open to MIN (the HKUST lecture's evaluation of
//! tic-tac-toe).
//!
//! A line is open to a player while the opponent has no disc in it, whether or not the player has
//! one:
//!
//! ```text
//! x . .      Lines open to x avoid the centre: the outer rows and columns, 4.
//! . o .      Lines open to o avoid x's corner: all 8 but its row, column and diagonal, 5.
//! . . .      So x sees 4 - 5 = -1, and o sees 1.
//! ```

use super::Evaluate;
use crate::game::{Geometry, Word};

/// The evaluator; see the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenLines;

impl<W: Word> Evaluate<W> for OpenLines {
    #[inline]
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        let cells = geometry.cells();
        geometry
            .directions()
            .iter()
            .map(|direction| {
                let open =
                    |other: W| geometry.runs(cells & !other, direction.shift).count_ones() as i32;
                open(min) - open(max)
            })
            .sum()
    }
}
