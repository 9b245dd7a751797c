//! The masks of a board in a layout, and the questions that the solver asks of sets of cells.

use super::layout::Layout;
use crate::game::{Position, Rules, Side, Word};

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
    /// The first, third, ... rows.
    pub(super) odd: L::W,
    /// The second, fourth, ... rows.
    pub(super) even: L::W,
    /// Cells at least 1, 2, 4, ... rows up: where a shift up by as much may come to lie.
    lifted: [L::W; 7],
    lifts: usize,
    /// For each direction (up, right, up-right, down-right): all bits if lines of four fit, else none.
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
        let mut lifted = [L::W::ZERO; 7];
        let mut lifts = 0;
        while 1 << lifts < height {
            lifted[lifts] = rows(&|row| row >= 1 << lifts);
            lifts += 1;
        }
        let (across, up) = (width >= 4, height >= 4);
        let all_if = |fits: bool| if fits { !L::W::ZERO } else { L::W::ZERO };
        Self {
            layout,
            width,
            height,
            count: rules.cells() as i32,
            cells: rows(&|_| true),
            bottom: rows(&|row| row == 0),
            odd: rows(&|row| row % 2 == 0),
            even: rows(&|row| row % 2 == 1),
            lifted,
            lifts,
            fits: [all_if(up), all_if(across), all_if(across && up), all_if(across && up)],
        }
    }

    /// The discs of the side to move and of the other, in this layout.
    pub(super) fn discs(&self, position: &Position) -> (L::W, L::W) {
        let stride = self.layout.stride();
        let set = |side: Side| {
            position.discs(side).iter().fold(L::W::ZERO, |set, cell| {
                set | L::W::ONE << (u32::from(cell.column) * stride + u32::from(cell.row))
            })
        };
        let mover = position.to_move();
        (set(mover), set(mover.other()))
    }

    /// The shifts of the directions in which four fit, with the cells at which such a line can begin.
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

    /// All cells of a column.
    #[inline(always)]
    pub(super) fn column(&self, column: u32) -> L::W {
        (!L::W::ZERO >> (L::W::BITS - self.height)) << (column * self.layout.stride())
    }

    /// The lowest empty cell of every column that has one.
    #[inline(always)]
    pub(super) fn playable(&self, all: L::W) -> L::W {
        all.wrapping_add(self.bottom) & self.cells
    }

    /// The cells that complete a line of four for the owner of `discs`, empty or not.
    #[inline(always)]
    pub(super) fn completing(&self, discs: L::W) -> L::W {
        // Upward only the cell on top of three can be open.
        let mut found = discs << 1 & discs << 2 & discs << 3 & self.fits[0];
        for direction in 1..4 {
            let s = self.layout.shifts()[direction];
            let (before, behind) = (discs << s, discs >> s);
            let (two_before, two_behind) = (before & discs << (2 * s), behind & discs >> (2 * s));
            let three = (two_before & discs << (3 * s)) | (two_behind & discs >> (3 * s));
            found |= (three | (two_before & behind) | (two_behind & before)) & self.fits[direction];
        }
        found & self.cells
    }

    /// Does the set hold a line of four?
    #[inline(always)]
    pub(super) fn has_four(&self, set: L::W) -> bool {
        let mut found = L::W::ZERO;
        for direction in 0..4 {
            let shift = self.layout.shifts()[direction];
            let pairs = set & set >> shift;
            found |= pairs & pairs >> (2 * shift) & self.fits[direction];
        }
        !found.is_zero()
    }

    /// The set and every cell above one of it.
    #[inline(always)]
    pub(super) fn and_above(&self, set: L::W) -> L::W {
        let mut filled = set;
        for step in 0..self.lifts {
            filled |= filled << (1 << step) & self.lifted[step];
        }
        filled
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
