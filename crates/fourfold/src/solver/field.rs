//! The masks of a board in a layout, and the questions that the solver asks of sets of cells.

use super::layout::Layout;
use crate::game::{Board, Position, Rules, Word};

/// A board of some size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<L: Layout> {
    layout: L,
    pub(super) width: u32,
    pub(super) height: u32,
    /// How many cells there are.
    pub(super) count: i32,
    pub(super) cells: L::W,
    pub(super) bottom: L::W,
    /// Rows in pairs from the top down: the lower of each pair. On boards of even height the
    /// first, third, ... rows.
    pub(super) odd: L::W,
    /// The upper of each pair: on boards of even height the second, fourth, ... rows.
    pub(super) even: L::W,
    /// The sentinels right above the top row.
    tops: L::W,
    /// For each direction (up, right, up-right, down-right): all bits if lines of four fit, else
    /// none.
    fits: [L::W; 4],
}

impl<L: Layout> Field<L> {
    pub(super) fn new(rules: &Rules, layout: L) -> Self {
        let (width, height, stride) = (rules.width(), rules.height(), layout.stride());
        let rows = |wanted: &dyn Fn(u32) -> bool| {
            let mut mask = L::W::ZERO;
            for column in 0..width {
                for row in (0..height).filter(|&row| wanted(row)) {
                    mask |= L::W::ONE << (column * stride + row);
                }
            }
            mask
        };
        let (across, up) = (width >= 4, height >= 4);
        let all_if = |fits: bool| if fits { !L::W::ZERO } else { L::W::ZERO };
        Self {
            layout,
            width,
            height,
            count: rules.cells() as i32,
            cells: rows(&|_| true),
            bottom: rows(&|row| row == 0),
            odd: rows(&|row| (height - row).is_multiple_of(2)),
            even: rows(&|row| !(height - row).is_multiple_of(2)),
            tops: rows(&|row| row == 0) << height,
            fits: [all_if(up), all_if(across), all_if(across && up), all_if(across && up)],
        }
    }

    /// The discs of the side to move and of the other, in this layout.
    pub(super) fn discs(&self, position: &Position) -> (L::W, L::W) {
        let board = Board::<u128>::of(position);
        let (from, to) = (position.rules().stride(), self.layout.stride());
        let laid_out = |discs: u128| {
            (0..self.width).fold(L::W::ZERO, |set, at| {
                set | L::W::truncate(discs >> (at * from) & !(u128::MAX << self.height))
                    << (at * to)
            })
        };
        (laid_out(board.own), laid_out(board.opponent()))
    }

    /// The shifts of the directions in which four fit, with the cells at which such a line can
    /// begin.
    pub(super) fn lines(&self) -> [(u32, L::W); 4] {
        std::array::from_fn(|direction| {
            let shift = self.layout.shifts()[direction];
            let pairs = self.cells & self.cells >> shift;
            (shift, pairs & pairs >> (2 * shift) & self.fits[direction])
        })
    }

    /// How the board lies in a word.
    #[inline(always)]
    pub(super) fn layout(&self) -> &L {
        &self.layout
    }

    /// The column of a cell, from 0.
    #[inline(always)]
    pub(super) fn column_of(&self, bit: u32) -> u32 {
        bit / self.layout.stride()
    }

    /// The row of a cell, from 0.
    #[inline(always)]
    pub(super) fn row_of(&self, bit: u32) -> u32 {
        bit % self.layout.stride()
    }

    /// All cells of the columns that hold one of the set.
    #[inline(always)]
    pub(super) fn columns(&self, set: L::W) -> L::W {
        // Where a column holds one, its sentinel is used up when the set is taken from the
        // sentinels.
        let tops = self.tops & !self.tops.wrapping_sub(set);
        tops.wrapping_sub(tops >> self.height)
    }

    /// The cells of the column of that number, if there is one.
    #[inline(always)]
    pub(super) fn column(&self, column: u32) -> L::W {
        if L::ROOMY || column < self.width {
            self.cells & self.layout.column(column)
        } else {
            L::W::ZERO
        }
    }

    /// The lowest empty cell of every column that has one.
    #[inline(always)]
    pub(super) fn playable(&self, all: L::W) -> L::W {
        all.wrapping_add(self.bottom) & self.cells
    }

    /// The moves that do not lose at once, given the empty cells that complete four for the side
    /// that moved last.
    #[inline(always)]
    pub(super) fn answers(&self, all: L::W, threats: L::W) -> L::W {
        let playable = self.playable(all);
        // Two threats cannot both be blocked, and below a threat one must not play.
        let forced = playable & threats;
        let moves = if forced.is_zero() { playable } else { forced };
        if forced.without_lowest().is_zero() { moves & !(threats >> 1) } else { L::W::ZERO }
    }

    /// The cells that complete a line of four for the owner of `discs`, empty or not.
    #[inline(always)]
    pub(super) fn completing(&self, discs: L::W) -> L::W {
        // Upward only the cell on top of three can be open.
        let mut found = self.fitting(0, discs << 1 & discs << 2 & discs << 3);
        for direction in 1..4 {
            let s = self.layout.shifts()[direction];
            let (before, behind) = (discs << s, discs >> s);
            let (two_before, two_behind) = (before & discs << (2 * s), behind & discs >> (2 * s));
            let three = (two_before & discs << (3 * s)) | (two_behind & discs >> (3 * s));
            found |= self.fitting(direction, three | (two_before & behind) | (two_behind & before));
        }
        found & self.cells
    }

    /// The first cells of the lines of four that the set holds.
    #[inline(always)]
    pub(super) fn fours(&self, set: L::W) -> L::W {
        let mut found = L::W::ZERO;
        for direction in 0..4 {
            let shift = self.layout.shifts()[direction];
            let pairs = set & set >> shift;
            found |= self.fitting(direction, pairs & pairs >> (2 * shift));
        }
        found
    }

    /// What was found in a direction, if lines of four fit there.
    #[inline(always)]
    fn fitting(&self, direction: usize, found: L::W) -> L::W {
        if L::ROOMY { found } else { found & self.fits[direction] }
    }

    /// The set and every cell above one of it.
    #[inline(always)]
    pub(super) fn and_above(&self, set: L::W) -> L::W {
        // A column less the set, taken from its sentinel, has the bits above the lowest of the set
        // inverted.
        (set | self.tops.wrapping_sub(set)) & self.cells
    }

    /// What tells the position apart from all others, the same for mirror images.
    #[inline(always)]
    pub(super) fn key(&self, own: L::W, all: L::W) -> L::W {
        let key = own | all.wrapping_add(self.bottom);
        key.min(self.layout.mirror(key, self.width))
    }

    /// Bits that a key can have.
    pub(super) fn key_bits(&self) -> u32 {
        self.width * self.layout.stride()
    }
}
