//! Bitboard layouts: how the solver lays a board out in a word, column by column, each with at
//! least one sentinel bit on top.
//!
//! Boards of up to eight columns and seven rows take one byte per column: the mirror image is then
//! a byte swap, and every shift is a constant. All others are packed into a `u64` or a `u128` with
//! height + 1 bits per column, as in J. Tromp's Fhourstones.

use super::lanes::{Halves, LaneWord, Lanes};
use crate::game::{Rules, Shape, Word};

/// A bitboard layout. The search is compiled once for each.
pub(super) trait Layout: Copy + Send + Sync + 'static {
    /// The word that holds a board.
    type W: LaneWord;

    /// What code over several moves works on.
    type Lanes: Lanes<Self::W>;

    /// One byte per column. Every shift stays within the word, so lines that do not fit on the
    /// board are never found.
    const BYTE_COLUMNS: bool;

    /// Bits from one column to the next.
    fn stride(&self) -> u32;

    /// The shift from one cell of a line to the next: up, right, up-right, down-right. Where no
    /// four fit on the board, some shift that stays within the word.
    fn shifts(&self) -> [u32; 4];

    /// All bits of a column.
    fn column(&self, column: u32) -> Self::W;

    /// The word reflected left to right, for a board of `width` columns.
    fn mirror(&self, word: Self::W, width: u32) -> Self::W;

    /// What of a word [`Layout::neighbours`] needs for a cell.
    fn surroundings(&self, word: Self::W, bit: u32) -> Self::W;

    /// The [`NEIGHBOURS`] of a cell in a direction of [`Layout::shifts`], as the six lowest bits,
    /// given its surroundings. The cell must be playable. Bits for cells off the board are
    /// arbitrary.
    fn neighbours(&self, surroundings: Self::W, bit: u32, direction: usize) -> u32;
}

/// Whether the search for lines of four with gravity takes a game: boards of up to 64 bits, and larger
/// ones that are not too tall for [`Halves`]. All other games have the general search; so do towers.
pub(super) fn has_layout(rules: &Rules) -> bool {
    rules.gravity()
        && rules.shape() == Shape::Line(4)
        && !is_tower(rules)
        && (rules.bits() <= u64::BITS || rules.height() <= Halves::MAX_HEIGHT)
}

/// Whether a board is so narrow and tall that limited searches and dead discs, which the search for
/// lines of four does not have, save more than its quicker nodes.
fn is_tower(rules: &Rules) -> bool {
    match rules.width() {
        4 => rules.height() >= 10,
        5 => rules.height() >= 12,
        _ => false,
    }
}

/// The cells that share a line with a cell in one direction: three before it and three behind.
pub(super) const NEIGHBOURS: u32 = 6;

/// Gathers six bits of a word, spaced by `shift` with a gap for the cell itself, with one
/// multiplication: each term of the factor moves one bit to its place among the six highest. For
/// shifts of 6 to 10 the other partial products neither land nor carry there. (The magic
/// multiplication known from chess bitboards.)
#[derive(Debug, Clone, Copy)]
struct BitGather {
    mask: u64,
    factor: u64,
}

impl BitGather {
    const fn new(shift: u32) -> Self {
        let (mut mask, mut factor) = (0, 0);
        let mut cell = 0;
        while cell < 7 {
            if cell != 3 {
                let place = if cell < 3 { cell } else { cell - 1 };
                mask |= 1 << (cell * shift);
                factor |= 1 << (58 + place - cell * shift);
            }
            cell += 1;
        }
        Self { mask, factor }
    }

    #[inline(always)]
    fn from(self, word: u64) -> u32 {
        ((word & self.mask).wrapping_mul(self.factor) >> 58) as u32
    }
}

/// The same one by one, for other shifts.
#[inline(always)]
fn spaced(word: u64, shift: u32) -> u32 {
    (0..)
        .zip([0, 1, 2, 4, 5, 6])
        .fold(0, |found, (place, cell)| found | ((word >> (cell * shift)) as u32 & 1) << place)
}

/// The same for the vertical direction: no disc lies above a playable cell.
#[inline(always)]
fn gather_upward(word: u64) -> u32 {
    word as u32 & 7
}

/// One byte per column.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByteColumns;

impl Layout for ByteColumns {
    type W = u64;
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    type Lanes = u64;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    type Lanes = super::lanes::Pair;
    const BYTE_COLUMNS: bool = true;

    #[inline(always)]
    fn stride(&self) -> u32 {
        8
    }

    #[inline(always)]
    fn shifts(&self) -> [u32; 4] {
        [1, 8, 9, 7]
    }

    #[inline(always)]
    fn column(&self, column: u32) -> u64 {
        0xff << (8 * column)
    }

    #[inline(always)]
    fn mirror(&self, word: u64, width: u32) -> u64 {
        word.swap_bytes() >> (8 * (8 - width))
    }

    #[inline(always)]
    fn surroundings(&self, word: u64, _: u32) -> u64 {
        word
    }

    #[inline(always)]
    fn neighbours(&self, word: u64, bit: u32, direction: usize) -> u32 {
        const GATHER: [BitGather; 3] = [BitGather::new(8), BitGather::new(9), BitGather::new(7)];
        let shift = self.shifts()[direction];
        let word = word.rotate_right(bit.wrapping_sub(3 * shift) % 64);
        if direction == 0 { gather_upward(word) } else { GATHER[direction - 1].from(word) }
    }
}

/// Height + 1 bits per column.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedColumns<W> {
    stride: u32,
    shifts: [u32; 4],
    column: W,
    /// For the three other directions than up; `None` where the shift does not allow it.
    gather: [Option<BitGather>; 3],
    /// Where the surroundings of a cell have it, if they fit 64 bits.
    centre: Option<u32>,
    swaps: [ColumnSwap<W>; MAX_SWAPS],
    swap_count: usize,
}

/// The most [`ColumnSwap`]s that reverse the columns of a board.
const MAX_SWAPS: usize = 6;

/// One step of reversing columns. The first swaps the halves of the board, the next the halves of
/// both halves, and so on; of an odd number of columns, the middle one stays.
#[derive(Debug, Clone, Copy)]
struct ColumnSwap<W> {
    distance: u32,
    /// The columns that move up by the distance.
    lower: W,
    /// The columns that stay.
    fixed: W,
}

impl<W: Word> ColumnSwap<W> {
    /// The steps for a board, and their number.
    fn all(width: u32, stride: u32) -> ([Self; MAX_SWAPS], usize) {
        let mut swaps = [Self { distance: 0, lower: W::ZERO, fixed: !W::ZERO }; MAX_SWAPS];
        let column = |at: u32| (!W::ZERO >> (W::BITS - stride)) << (at * stride);
        // The first columns of the blocks to reverse.
        let (mut blocks, mut size, mut count) = (vec![0], width, 0);
        while size > 1 {
            let (half, far) = (size / 2, size.div_ceil(2));
            let lower = blocks
                .iter()
                .flat_map(|&block| (block..block + half).map(column))
                .fold(W::ZERO, |set, column| set | column);
            let distance = far * stride;
            swaps[count] = Self { distance, lower, fixed: !(lower | lower << distance) };
            blocks = blocks.iter().flat_map(|&block| [block, block + far]).collect();
            (size, count) = (half, count + 1);
        }
        (swaps, count)
    }

    #[inline(always)]
    fn apply(&self, word: W) -> W {
        let &Self { distance, lower, fixed } = self;
        (word & lower) << distance | (word >> distance & lower) | (word & fixed)
    }
}

impl<W: Word> PackedColumns<W> {
    /// The layout of a board of that size.
    pub(super) fn new(width: u32, height: u32) -> Self {
        let stride = height + 1;
        let (swaps, swap_count) = ColumnSwap::all(width, stride);
        // A line of four spans three shifts. On a board too narrow for it, that could exceed the
        // word.
        let shifts = [1, stride, stride + 1, stride - 1]
            .map(|shift| if 3 * shift < W::BITS { shift } else { 1 });
        let gather = |shift: u32| (6..=10).contains(&shift).then(|| BitGather::new(shift));
        Self {
            stride,
            shifts,
            column: !W::ZERO >> (W::BITS - stride),
            gather: [gather(shifts[1]), gather(shifts[2]), gather(shifts[3])],
            centre: (6 * (stride + 1) < u64::BITS).then_some(3 * (stride + 1)),
            swaps,
            swap_count,
        }
    }
}

impl<W: LaneWord> Layout for PackedColumns<W> {
    type W = W;
    type Lanes = W::Lane;
    const BYTE_COLUMNS: bool = false;

    #[inline(always)]
    fn stride(&self) -> u32 {
        self.stride
    }

    #[inline(always)]
    fn shifts(&self) -> [u32; 4] {
        self.shifts
    }

    #[inline(always)]
    fn column(&self, column: u32) -> W {
        self.column << (column * self.stride)
    }

    #[inline(always)]
    fn mirror(&self, word: W, _: u32) -> W {
        self.swaps[..self.swap_count].iter().fold(word, |word, swap| swap.apply(word))
    }

    #[inline(always)]
    fn surroundings(&self, word: W, bit: u32) -> W {
        let Some(centre) = self.centre else { return word };
        let word = if bit >= centre { word >> (bit - centre) } else { word << (centre - bit) };
        W::truncate(u128::from(word.widen() as u64))
    }

    #[inline(always)]
    fn neighbours(&self, word: W, bit: u32, direction: usize) -> u32 {
        if let Some(centre) = self.centre {
            let shift = self.shifts[direction];
            let word = word.widen() as u64 >> (centre - 3 * shift);
            return match direction {
                0 => gather_upward(word),
                _ => self.gather[direction - 1]
                    .map_or_else(|| spaced(word, shift), |gather| gather.from(word)),
            };
        }
        let shift = self.shifts[direction];
        let gather = if direction == 0 { None } else { self.gather[direction - 1] };
        if direction == 0 || gather.is_some() {
            let word = if bit >= 3 * shift {
                word >> (bit - 3 * shift)
            } else {
                word << (3 * shift - bit)
            };
            let word = word.widen() as u64;
            return gather.map_or(gather_upward(word), |gather| gather.from(word));
        }
        let mut neighbours = 0;
        for (place, cell) in [0, 1, 2, 4, 5, 6].into_iter().enumerate() {
            let at = (bit + cell * shift).wrapping_sub(3 * shift);
            if at < W::BITS {
                neighbours |= ((word >> at).widen() as u32 & 1) << place;
            }
        }
        neighbours
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The neighbours of each cell are those found by walking from it.
    fn check<L: Layout>(layout: L, width: i32, height: i32) {
        let bit = |column: i32, row: i32| column as u32 * layout.stride() + row as u32;
        let mut random = Random::new(layout.stride().into());
        for (column, row) in (0..width).flat_map(|column| (0..height).map(move |row| (column, row)))
        {
            let mut set = L::W::ZERO;
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                if random.chance(0.5) && (x != column || y < row) {
                    set |= L::W::ONE << bit(x, y);
                }
            }
            for (direction, (across, up)) in
                [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().enumerate()
            {
                let surroundings = layout.surroundings(set, bit(column, row));
                let neighbours = layout.neighbours(surroundings, bit(column, row), direction);
                assert_eq!(neighbours >> 6, 0);
                for (place, step) in [-3, -2, -1, 1, 2, 3].into_iter().enumerate() {
                    let (x, y) = (column + step * across, row + step * up);
                    if (0..width).contains(&x) && (0..height).contains(&y) {
                        let there = !(set & L::W::ONE << bit(x, y)).is_zero();
                        let case =
                            format!("{width}x{height}: {column},{row} in {direction} by {step}");
                        assert_eq!(neighbours >> place & 1 == 1, there, "{case}");
                    }
                }
            }
        }
    }

    #[test]
    fn neighbours_are_gathered_in_every_layout() {
        for (width, height) in [(7, 6), (8, 7), (4, 4), (3, 6), (8, 1)] {
            check(ByteColumns, width, height);
        }
        for (width, height) in [(9, 6), (7, 8), (12, 4), (10, 5), (6, 9), (4, 15), (21, 2)] {
            check(PackedColumns::<u64>::new(width as u32, height as u32), width, height);
            check(PackedColumns::<u128>::new(width as u32, height as u32), width, height);
        }
        for (width, height) in [(16, 7), (10, 9), (4, 24), (12, 9), (9, 13)] {
            check(PackedColumns::<u128>::new(width as u32, height as u32), width, height);
        }
    }

    /// The mirror image of each cell is the one that counting columns from the right gives.
    fn check_mirror<L: Layout>(layout: L, width: u32, height: u32) {
        for (column, row) in
            (0..width).flat_map(|column| (0..=height).map(move |row| (column, row)))
        {
            let bit = |column: u32| L::W::ONE << (column * layout.stride() + row);
            let (mirrored, expected) = (layout.mirror(bit(column), width), bit(width - 1 - column));
            assert_eq!(mirrored, expected, "{width}x{height}: {column},{row}");
        }
    }

    #[test]
    fn mirror_images_count_columns_from_the_right() {
        for (width, height) in
            (1..=64).flat_map(|width| (1..=64).map(move |height| (width, height)))
        {
            if width <= 8 && height <= 7 {
                check_mirror(ByteColumns, width, height);
            }
            if width * (height + 1) <= 64 {
                check_mirror(PackedColumns::<u64>::new(width, height), width, height);
            }
            if width * (height + 1) <= 128 {
                check_mirror(PackedColumns::<u128>::new(width, height), width, height);
            }
        }
    }
}
