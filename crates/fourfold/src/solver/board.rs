//! The masks of a board in a given layout, and the bitboard operations that the solver needs.

use super::forced;
use super::lanes::{LaneWord, Lanes};
use super::layout::Layout;
use crate::game::{Board, Position, Rules, Word};

/// The masks of a board of a given size. A set of cells, here and below, is a bitboard: one bit per
/// cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoardMasks<L: Layout> {
    layout: L,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The number of cells.
    pub(super) count: i32,
    pub(super) cells: L::W,
    pub(super) bottom: L::W,
    /// Rows in pairs from the top down: the lower of each pair. On boards of even height the
    /// first, third, ... rows.
    pub(super) odd: L::W,
    /// The upper of each pair: on boards of even height the second, fourth, ... rows.
    pub(super) even: L::W,
    /// The sentinel bits right above the top row.
    sentinels: L::W,
    /// For each direction (up, right, up-right, down-right): all bits set if lines of four fit on
    /// the board, else none.
    fits: [L::W; 4],
}

impl<L: Layout> BoardMasks<L> {
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
            sentinels: rows(&|row| row == 0) << height,
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

    /// The shift of each direction, with the cells at which a line of four can start.
    pub(super) fn lines(&self) -> [(u32, L::W); 4] {
        std::array::from_fn(|direction| {
            let shift = self.layout.shifts()[direction];
            let pairs = self.cells & self.cells >> shift;
            (shift, pairs & pairs >> (2 * shift) & self.fits[direction])
        })
    }

    /// How the board is laid out in a word.
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

    /// All cells of the columns that contain a cell of the set.
    #[inline(always)]
    pub(super) fn columns<S: Lanes<L::W>>(&self, set: S) -> S {
        // Subtracting the set from the sentinels borrows from the sentinel of each such column.
        let sentinels = S::splat(self.sentinels);
        let borrowed = sentinels & !sentinels.minus(set);
        borrowed.minus(borrowed >> self.height)
    }

    /// The cells of a column, counted from 0; none if the board is not that wide.
    #[inline(always)]
    pub(super) fn column(&self, column: u32) -> L::W {
        if L::BYTE_COLUMNS || column < self.width {
            self.cells & self.layout.column(column)
        } else {
            L::W::ZERO
        }
    }

    /// The lowest empty cell of every column that has one.
    #[inline(always)]
    pub(super) fn playable<S: Lanes<L::W>>(&self, all: S) -> S {
        all.plus(S::splat(self.bottom)) & S::splat(self.cells)
    }

    /// The moves that do not lose at once, given the genuine threats of the side that moved last.
    #[inline(always)]
    pub(super) fn safe_moves(&self, all: L::W, threats: L::W) -> L::W {
        forced::safe_moves::<L::W, true>(self.playable(all), threats)
    }

    /// [`BoardMasks::completing`] for a single set.
    #[inline(always)]
    pub(super) fn completing_one(&self, discs: L::W) -> L::W {
        self.completing(<L::W as LaneWord>::Lane::splat(discs)).union()
    }

    /// The cells that complete a line of four for the owner of `discs`, empty or not.
    #[inline(always)]
    pub(super) fn completing<S: Lanes<L::W>>(&self, discs: S) -> S {
        // In a vertical line only the cell on top of three can be empty.
        let mut found = self.if_fits(0, discs << 1 & discs << 2 & discs << 3);
        for direction in 1..4 {
            let s = self.layout.shifts()[direction];
            let (before, behind) = (discs << s, discs >> s);
            let (two_before, two_behind, three) = if L::BYTE_COLUMNS {
                let two_before = before & discs << (2 * s);
                let two_behind = behind & discs >> (2 * s);
                let three = (two_before & discs << (3 * s)) | (two_behind & discs >> (3 * s));
                (two_before, two_behind, three)
            } else {
                // Shifts by one step only: three of a tall board exceed half of a wide word.
                let (two_before, two_behind) = ((discs & before) << s, (discs & behind) >> s);
                let three = (discs & two_before) << s | (discs & two_behind) >> s;
                (two_before, two_behind, three)
            };
            let fours = three | (two_before & behind) | (two_behind & before);
            found = found | self.if_fits(direction, fours);
        }
        found & S::splat(self.cells)
    }

    /// The cells of the highest row.
    #[inline(always)]
    pub(super) fn top_row(&self) -> L::W {
        self.sentinels >> 1
    }

    /// The start cells of the lines of four that lie within the set.
    #[inline(always)]
    pub(super) fn fours<S: Lanes<L::W>>(&self, set: S) -> S {
        self.fours_along(0, set) | self.fours_across(set)
    }

    /// The same for lines that are not vertical.
    #[inline(always)]
    pub(super) fn fours_across<S: Lanes<L::W>>(&self, set: S) -> S {
        self.fours_along(1, set) | self.fours_along(2, set) | self.fours_along(3, set)
    }

    /// The same for one direction: up, right, up-right or down-right.
    #[inline(always)]
    pub(super) fn fours_along<S: Lanes<L::W>>(&self, direction: usize, set: S) -> S {
        let shift = self.layout.shifts()[direction];
        let pairs = set & set >> shift;
        self.if_fits(direction, pairs & pairs >> (2 * shift))
    }

    /// What was found in a direction if lines of four fit on the board that way, else nothing.
    #[inline(always)]
    fn if_fits<S: Lanes<L::W>>(&self, direction: usize, found: S) -> S {
        if L::BYTE_COLUMNS { found } else { found & S::splat(self.fits[direction]) }
    }

    /// The set with all cells above its members.
    #[inline(always)]
    pub(super) fn and_above<S: Lanes<L::W>>(&self, set: S) -> S {
        // Subtracting the set from the sentinel sets the bits from the lowest member upward, but
        // for the higher members.
        (set | S::splat(self.sentinels).minus(set)) & S::splat(self.cells)
    }

    /// The key of a position: unique, except that mirror images share one.
    #[inline(always)]
    pub(super) fn key(&self, own: L::W, all: L::W) -> L::W {
        let key = self.own_key(own, all);
        key.min(self.layout.mirror(key, self.width))
    }

    /// The same for a position alone, without its mirror image.
    #[inline(always)]
    pub(super) fn own_key(&self, own: L::W, all: L::W) -> L::W {
        own | all.wrapping_add(self.bottom)
    }

    /// How many bits a key can have.
    pub(super) fn key_bits(&self) -> u32 {
        self.width * self.layout.stride()
    }
}
