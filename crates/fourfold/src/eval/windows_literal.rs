//! The formula of UMBC's "Utility" by the letter: [`Windows`](super::Windows) without what was
//! corrected there.
//!
//! The report prints `score(board, player) = ones * w1 + twos * w2 + threes * w3 + fatals * wf`,
//! all of the one player. The opponent's windows and fatal columns are not looked at, so a search
//! that ends at this score builds and does not block. A fatal column is found as the report
//! describes it, by playing the column twice, the opponent first, and asking whether the second
//! disc wins; that the first one may win itself is not asked.
//!
//! The report prints no weights, only their order. They are 1/5/25/100 here unless others are
//! given; tuning has no part in a published formula.

use super::windows::own_windows;
use super::{Evaluate, Weights};
use crate::game::{Geometry, Word};

/// The evaluator; see the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowsLiteral {
    weights: Weights,
}

impl WindowsLiteral {
    /// The evaluator with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self { weights }
    }

    /// Its weights.
    #[must_use]
    pub fn weights(&self) -> Weights {
        self.weights
    }
}

impl Default for WindowsLiteral {
    fn default() -> Self {
        Self::new(Weights { lacking_three: 1, lacking_two: 5, lacking_one: 25, fatal: 100 })
    }
}

impl<W: Word> Evaluate<W> for WindowsLiteral {
    #[inline]
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        let weights = &self.weights;
        let own = own_windows(geometry, max, min);
        let mut score = own.one * weights.lacking_one
            + own.two * weights.lacking_two
            + own.three * weights.lacking_three;
        // Only a window that lacks one disc can make a column fatal.
        if geometry.gravity() && own.one > 0 {
            let above = geometry.playable(max | min) << 1 & geometry.cells();
            score += (above & geometry.completing(max)).count_ones() as i32 * weights.fatal;
        }
        score
    }
}
