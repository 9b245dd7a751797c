//! Static bounds 8 and 9: X answers on top, and leaves columns alone. `docs/other-games.md` has the
//! proofs.
//!
//! With gravity X can answer every move of O with a disc right on top of it, and play anywhere when O
//! has filled a column. Of two empty cells, one right above the other, O then never gets both. So
//! under every disc that O adds to a shape lies one of X: unless O's discs on the board or the
//! playable cells make a difference, X has completed the same shape one row further down before O
//! completes his.
//!
//! If O is to move, X can leave some columns alone, so that he never begins them: one column with an
//! odd number of empty cells if there is an odd number in all, else all columns with an even number.
//! There he gets every cell at an odd distance above the playable one.

use super::GeneralBoard;
use crate::game::Word;

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralBoard<W, GRAVITY, SYMMETRIES> {
    /// Whether X, whose discs are given, stops every shape of O by answering on top, whoever is to
    /// move. If it is O, X may leave columns alone too.
    pub(super) fn stops_on_top(&self, x: W, all: W, playable: W, leaves_alone: bool) -> bool {
        let empty = self.cells & !all;
        let o = all & !x;
        // X has, or gets before O gets the cell, the one right below.
        let over_x = (x << 1 & (o | playable)) | (empty & !playable);
        // Rows are paired from the top, so a column has an odd number of empty cells where the playable
        // one is even.
        let odd_columns = playable & self.even;
        let is_odd = odd_columns.count_ones() % 2 == 1;
        let even_columns = if leaves_alone && !is_odd { playable & self.odd } else { W::ZERO };
        let taken = x | self.above_in(even_columns, playable) & self.even;
        // The columns one of which X may leave alone, to stop all shapes that are left.
        let mut alone = if leaves_alone && is_odd { odd_columns } else { W::ZERO };
        let later = empty & !playable & self.odd;
        self.shapes.iter().all(|&shape| {
            let stopped = !(shape & taken).is_zero()
                || (shape & !over_x).is_zero()
                || !(shape & shape >> 1 & empty & empty >> 1).is_zero();
            stopped || {
                alone = self.columns_with(alone, shape & later);
                !alone.is_zero()
            }
        })
    }

    /// The empty cells above the playable ones in the columns of some of these.
    #[inline(always)]
    fn above_in(&self, mut some: W, playable: W) -> W {
        let mut columns = W::ZERO;
        while !some.is_zero() {
            columns |= self.column_of(some.trailing_zeros());
            some = some.without_lowest();
        }
        self.and_above(playable & columns) & !playable
    }

    /// Those cells in the columns of which some of the others lie.
    #[inline(always)]
    fn columns_with(&self, mut cells: W, others: W) -> W {
        let mut found = W::ZERO;
        while !cells.is_zero() {
            if !(self.column_of(cells.trailing_zeros()) & others).is_zero() {
                found |= cells.lowest();
            }
            cells = cells.without_lowest();
        }
        found
    }
}
