//! How the solver lays a board out in a word: columns side by side, each with at least one sentinel bit on top.
//!
//! Boards of up to eight columns and seven rows get a byte a column, for then the mirror image is a byte swap and every
//! shift is a constant. All others are packed, height + 1 bits a column, into a `u64` or a `u128`.

use crate::game::Word;

/// A way to lay out columns. The search is compiled once for each.
pub(super) trait Layout: Copy + Send + Sync + 'static {
    /// The word that holds a board.
    type W: Word;

    /// Bits from one column to the next.
    fn stride(&self) -> u32;

    /// From a cell of a line to the next: up, right, up-right, down-right. Where no four fit, a shift that stays in the word.
    fn shifts(&self) -> [u32; 4];

    /// The word reflected left to right, for a board of `width` columns.
    fn mirror(&self, word: Self::W, width: u32) -> Self::W;
}

/// A byte a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes;

impl Layout for Bytes {
    type W = u64;

    #[inline(always)]
    fn stride(&self) -> u32 {
        8
    }

    #[inline(always)]
    fn shifts(&self) -> [u32; 4] {
        [1, 8, 9, 7]
    }

    #[inline(always)]
    fn mirror(&self, word: u64, width: u32) -> u64 {
        word.swap_bytes() >> (8 * (8 - width))
    }
}

/// As many bits a column as it needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed<W> {
    stride: u32,
    shifts: [u32; 4],
    column: W,
}

impl<W: Word> Packed<W> {
    pub(super) fn new(height: u32) -> Self {
        let stride = height + 1;
        // Lines of four span three shifts; on a board too narrow for them the longest could leave the word.
        let shifts =
            [1, stride, stride + 1, stride - 1].map(|shift| if 3 * shift < W::BITS { shift } else { 0 });
        Self { stride, shifts, column: !W::ZERO >> (W::BITS - stride) }
    }
}

impl<W: Word> Layout for Packed<W> {
    type W = W;

    #[inline(always)]
    fn stride(&self) -> u32 {
        self.stride
    }

    #[inline(always)]
    fn shifts(&self) -> [u32; 4] {
        self.shifts
    }

    #[inline(always)]
    fn mirror(&self, word: W, width: u32) -> W {
        let mut out = W::ZERO;
        for column in 0..width {
            out |= (word >> (column * self.stride) & self.column) << ((width - 1 - column) * self.stride);
        }
        out
    }
}
