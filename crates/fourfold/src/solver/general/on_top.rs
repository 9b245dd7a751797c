//! Static bound 8: X answers on top. `docs/other-games.md` has the proof.
//!
//! With gravity X can answer every move of O with a disc right on top of it, and play anywhere when O
//! has filled a column. Of two empty cells, one right above the other, O then never gets both. So
//! under every disc that O adds to a shape lies one of X: unless O's discs on the board or the
//! playable cells make a difference, X has completed the same shape one row further down before O
//! completes his. If a single column has an odd number of empty cells and O is to move, X also gets
//! the odd cells of that column.

use super::GeneralBoard;
use crate::game::Word;

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralBoard<W, GRAVITY, SYMMETRIES> {
    /// Whether X, whose discs are given, stops every shape of O by answering on top, whoever is to
    /// move.
    pub(super) fn stops_on_top(&self, x: W, all: W, playable: W, o_to_move: bool) -> bool {
        let empty = self.cells & !all;
        let o = all & !x;
        // X has, or gets before O gets the cell, the one right below.
        let over_x = (x << 1 & (o | playable)) | (empty & !playable);
        let claimed = if o_to_move { self.claimed_on_top(empty, playable) } else { W::ZERO };
        let taken = x | claimed;
        !self.shapes.iter().any(|&shape| {
            (shape & taken).is_zero()
                && !(shape & !over_x).is_zero()
                && (shape & shape >> 1 & empty & empty >> 1).is_zero()
        })
    }

    /// The cells that X surely gets if O is to move: the odd ones of the only column with an odd
    /// number of empty cells.
    #[inline(always)]
    fn claimed_on_top(&self, empty: W, playable: W) -> W {
        // Rows are paired from the top, so in such a column the playable cell is even.
        let single = playable & self.even;
        if single.is_zero() || !single.without_lowest().is_zero() {
            return W::ZERO;
        }
        self.column_of(single.trailing_zeros()) & empty & self.odd
    }
}
