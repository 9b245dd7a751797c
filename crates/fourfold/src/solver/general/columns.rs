//! Static bound 7: paired columns. `docs/other-games.md` has the proof.
//!
//! Claimeven does not stop a line across the board on an odd row: all of that row may be O's. But X
//! can treat two columns as one region, answer every move there within it, and follow up everywhere
//! else. He answers on top of even cells in it, not of odd ones, so of the odd cells on one row he
//! gets one; in exchange he gives up the even cells of both columns.

use super::GeneralBoard;
use crate::game::Word;
use crate::solver::bounds::BoundQuery;

/// At most this many pairs of columns are chosen.
const MAX_PAIRS: usize = 4;

/// Two columns, neither of them full, with an even number of empty cells in both or an odd one in
/// both.
#[derive(Debug, Clone, Copy)]
struct PairedColumns<W> {
    /// The empty cells of both.
    cells: W,
    /// Cells of the left column: X gets one of each and of its neighbour in the right column.
    rows: W,
    /// By how many bits the right column lies further up.
    shift: u32,
    /// Cells of both columns: X gets one of each and of the cell right above.
    lower: W,
}

impl<W: Word> PairedColumns<W> {
    const NONE: Self = Self { cells: W::ZERO, rows: W::ZERO, shift: 0, lower: W::ZERO };

    /// Whether X gets a cell of a shape.
    #[inline(always)]
    fn stop(&self, shape: W) -> bool {
        !((shape & self.rows) << self.shift & shape | shape & shape >> 1 & self.lower).is_zero()
    }
}

/// The columns paired so far.
#[derive(Debug, Clone, Copy)]
struct Paired<W> {
    pairs: [PairedColumns<W>; MAX_PAIRS],
    count: usize,
}

impl<W: Word> Paired<W> {
    fn pairs(&self) -> &[PairedColumns<W>] {
        &self.pairs[..self.count]
    }

    fn with(mut self, pair: PairedColumns<W>) -> Self {
        self.pairs[self.count] = pair;
        self.count += 1;
        self
    }
}

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralBoard<W, GRAVITY, SYMMETRIES> {
    /// Whether X stops every shape of O, who is to move with an even number of empty cells, by
    /// pairing some columns and following up in the others. Of the shapes with no two cells on one
    /// row, X's follow-up has to stop all.
    pub(super) fn has_paired_columns(&self, at: &BoundQuery<W>) -> bool {
        let reach = self.claimeven_reach(at);
        let none = Paired { pairs: [PairedColumns::NONE; MAX_PAIRS], count: 0 };
        // Pairing columns adds to what O can reach.
        !self.tall_shapes.iter().any(|&shape| (shape & !reach).is_zero())
            && self.pairs_others(at, reach, none)
    }

    /// The same where some columns are paired already, so that O's reach is `reach`.
    fn pairs_others(&self, at: &BoundQuery<W>, reach: W, paired: Paired<W>) -> bool {
        let is_open = |shape: &&W| {
            (**shape & !reach).is_zero() && !paired.pairs().iter().any(|pair| pair.stop(**shape))
        };
        if paired.count > 0 && self.tall_shapes.iter().any(|shape| is_open(&shape)) {
            return false;
        }
        let Some(&open) = self.wide_shapes.iter().find(is_open) else { return true };
        if paired.count == MAX_PAIRS {
            return false;
        }
        let taken = paired.pairs().iter().fold(W::ZERO, |all, pair| all | pair.cells);
        let mut firsts = open & !at.all & !taken;
        while !firsts.is_zero() {
            let first = firsts.lowest();
            firsts = firsts.without_lowest();
            let mut seconds = firsts;
            while !seconds.is_zero() {
                let second = seconds.lowest();
                seconds = seconds.without_lowest();
                if let Some(pair) = self.paired_columns(at, first, second)
                    && pair.stop(open)
                    && self.pairs_others(at, reach | pair.cells, paired.with(pair))
                {
                    return true;
                }
            }
        }
        false
    }

    /// The columns of two empty cells as a pair, the left one first; `None` if they cannot be one,
    /// or are the same.
    fn paired_columns(&self, at: &BoundQuery<W>, left: W, right: W) -> Option<PairedColumns<W>> {
        let (left, right) = (left.trailing_zeros(), right.trailing_zeros());
        let empty = |bit: u32| self.column_of(bit) & !at.all;
        let (empty_left, empty_right) = (empty(left), empty(right));
        if empty_left == empty_right
            || (empty_left.count_ones() + empty_right.count_ones()) % 2 == 1
        {
            return None;
        }
        let stride = self.geometry.stride();
        let shift = (right / stride - left / stride) * stride;
        // The rows that are empty in both columns; the lowest of them is safe only if it is the
        // playable one of both.
        let both = empty_left & empty_right >> shift;
        let rows = if empty_left << shift == empty_right { both } else { both.without_lowest() };
        let cells = empty_left | empty_right;
        Some(PairedColumns {
            cells,
            rows: rows & self.odd,
            shift,
            lower: cells & cells >> 1 & self.even,
        })
    }
}
