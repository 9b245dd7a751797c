//! How the solver lays a board out in a word: columns side by side, each with at least one sentinel
//! bit on top.
//!
//! Boards of up to eight columns and seven rows get a byte a column, for then the mirror image is a
//! byte swap and every shift is a constant. All others are packed, height + 1 bits a column, into a
//! `u64` or a `u128`.

use crate::game::Word;

/// A way to lay out columns. The search is compiled once for each.
pub(super) trait Layout: Copy + Send + Sync + 'static {
    /// The word that holds a board.
    type W: Word;

    /// Every shift stays in the word, so that lines which do not fit on the board are never found.
    const ROOMY: bool;

    /// Bits from one column to the next.
    fn stride(&self) -> u32;

    /// From a cell of a line to the next: up, right, up-right, down-right. Where no four fit, a
    /// shift that stays in the word.
    fn shifts(&self) -> [u32; 4];

    /// All bits of a column.
    fn column(&self, column: u32) -> Self::W;

    /// The word reflected left to right, for a board of `width` columns.
    fn mirror(&self, word: Self::W, width: u32) -> Self::W;

    /// The six cells next to one in a direction of [`Layout::shifts`], three before it and three
    /// behind, as the six lowest bits, for a cell with none above it taken. What lies off the
    /// board may be anything.
    fn around(&self, word: Self::W, bit: u32, direction: usize) -> u32;
}

/// Gathers every `shift`-th bit of a word but for the fourth, seven in all, with one product: each
/// bit is moved to its place in the six highest by one term. Bits at other places do not meet
/// there, nor carry into it, for shifts of 6 to 10.
#[derive(Debug, Clone, Copy)]
struct Gather {
    mask: u64,
    factor: u64,
}

impl Gather {
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

/// The same for neighbouring bits. Above a cell that is played nothing lies.
#[inline(always)]
fn gather_upward(word: u64) -> u32 {
    word as u32 & 7
}

/// A byte a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes;

impl Layout for Bytes {
    type W = u64;
    const ROOMY: bool = true;

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
    fn around(&self, word: u64, bit: u32, direction: usize) -> u32 {
        const GATHER: [Gather; 3] = [Gather::new(8), Gather::new(9), Gather::new(7)];
        let shift = self.shifts()[direction];
        let word = word.rotate_right(bit.wrapping_sub(3 * shift) % 64);
        if direction == 0 { gather_upward(word) } else { GATHER[direction - 1].from(word) }
    }
}

/// As many bits a column as it needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed<W> {
    stride: u32,
    shifts: [u32; 4],
    column: W,
    /// For the directions but up; none where the shift does not allow it.
    gather: [Option<Gather>; 3],
}

impl<W: Word> Packed<W> {
    pub(super) fn new(height: u32) -> Self {
        let stride = height + 1;
        // Lines of four span three shifts; on a board too narrow for them the longest could leave
        // the word.
        let shifts = [1, stride, stride + 1, stride - 1]
            .map(|shift| if 3 * shift < W::BITS { shift } else { 0 });
        let gather = |shift: u32| (6..=10).contains(&shift).then(|| Gather::new(shift));
        Self {
            stride,
            shifts,
            column: !W::ZERO >> (W::BITS - stride),
            gather: [gather(shifts[1]), gather(shifts[2]), gather(shifts[3])],
        }
    }
}

impl<W: Word> Layout for Packed<W> {
    type W = W;
    const ROOMY: bool = false;

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
    fn mirror(&self, word: W, width: u32) -> W {
        let mut out = W::ZERO;
        for column in 0..width {
            out |= (word >> (column * self.stride) & self.column)
                << ((width - 1 - column) * self.stride);
        }
        out
    }

    #[inline(always)]
    fn around(&self, word: W, bit: u32, direction: usize) -> u32 {
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
        let mut around = 0;
        for (place, cell) in [0, 1, 2, 4, 5, 6].into_iter().enumerate() {
            let at = (bit + cell * shift).wrapping_sub(3 * shift);
            if at < W::BITS {
                around |= ((word >> at).widen() as u32 & 1) << place;
            }
        }
        around
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The cells around each cell of a board are those that a walk finds.
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
                let around = layout.around(set, bit(column, row), direction);
                assert_eq!(around >> 6, 0);
                for (place, step) in [-3, -2, -1, 1, 2, 3].into_iter().enumerate() {
                    let (x, y) = (column + step * across, row + step * up);
                    if (0..width).contains(&x) && (0..height).contains(&y) {
                        let there = !(set & L::W::ONE << bit(x, y)).is_zero();
                        let case =
                            format!("{width}x{height}: {column},{row} in {direction} by {step}");
                        assert_eq!(around >> place & 1 == 1, there, "{case}");
                    }
                }
            }
        }
    }

    #[test]
    fn cells_around_are_gathered_in_every_layout() {
        for (width, height) in [(7, 6), (8, 7), (4, 4), (3, 6), (8, 1)] {
            check(Bytes, width, height);
        }
        for (width, height) in [(9, 6), (7, 8), (12, 4), (10, 5), (6, 9), (4, 15), (21, 2)] {
            check(Packed::<u64>::new(height as u32), width, height);
            check(Packed::<u128>::new(height as u32), width, height);
        }
        for (width, height) in [(16, 7), (10, 9), (4, 24), (12, 9), (9, 13)] {
            check(Packed::<u128>::new(height as u32), width, height);
        }
    }
}
