//! What rules mean for a word of bits: masks, winning windows, and the questions asked of them in
//! hot loops.

use super::{Rules, Shape, Word};

/// No position has more moves than this (1x127 without gravity has the most, 127; rounded up).
pub const MAX_MOVES: usize = 128;

/// The masks and shifts of some rules in a word of type `W`. Small and `Copy`; made once per
/// search.
#[derive(Debug, Clone, Copy)]
pub struct Geometry<W> {
    rules: Rules,
    cells: W,
    bottom: W,
    gravity: bool,
    square: bool,
    size: u32,
    stride: u32,
    directions: [Direction<W>; 4],
    direction_count: usize,
}

/// One way a winning shape can lie: lines of one direction, or all squares.
///
/// A window is named by its *anchor*, the cell with the lowest bit; its other cells are found by
/// adding shifts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Direction<W> {
    /// From one cell of a line to the next (for squares: from one column to the next).
    pub shift: u32,
    /// The cells at which a window that fits on the board is anchored.
    pub anchors: W,
}

impl<W: Word> Geometry<W> {
    /// The geometry of `rules`.
    ///
    /// # Panics
    /// If the board does not fit the word; [`Rules::bits`] tells.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        assert!(rules.bits() <= W::BITS, "{rules} does not fit {} bits", W::BITS);
        let (width, height, stride) = (rules.width(), rules.height(), rules.stride());
        let bottom = (0..width).fold(W::ZERO, |mask, column| mask | W::ONE << (column * stride));
        let column = !W::ZERO >> (W::BITS - height);
        let cells = (0..width).fold(W::ZERO, |mask, c| mask | column << (c * stride));
        let mut geometry = Self {
            rules: *rules,
            cells,
            bottom,
            gravity: rules.gravity(),
            square: matches!(rules.shape(), Shape::Square(_)),
            size: u32::from(rules.shape().size()),
            stride,
            directions: [Direction::default(); 4],
            direction_count: 0,
        };
        // Directions in which the shape does not fit are left out: their shifts could exceed the
        // word.
        let size = geometry.size;
        let (across, up) = (width >= size, height >= size);
        let shifts: &[(u32, bool)] = if geometry.square {
            &[(stride, across && up)]
        } else {
            &[(1, up), (stride, across), (stride + 1, across && up), (stride - 1, across && up)]
        };
        for &(shift, _) in shifts.iter().filter(|(_, fits)| *fits) {
            let anchors = geometry.runs(cells, shift);
            geometry.directions[geometry.direction_count] = Direction { shift, anchors };
            geometry.direction_count += 1;
        }
        geometry
    }

    /// The rules this is the geometry of.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Every cell of the board.
    #[inline(always)]
    #[must_use]
    pub fn cells(&self) -> W {
        self.cells
    }

    /// The lowest cell of every column.
    #[inline(always)]
    #[must_use]
    pub fn bottom(&self) -> W {
        self.bottom
    }

    /// The cells of a column (from 0), without its sentinel.
    #[must_use]
    pub fn column(&self, column: u32) -> W {
        !W::ZERO >> (W::BITS - self.rules.height()) << (column * self.stride)
    }

    /// Bits from one column to the next.
    #[inline(always)]
    #[must_use]
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// True if discs fall.
    #[inline(always)]
    #[must_use]
    pub fn gravity(&self) -> bool {
        self.gravity
    }

    /// True if squares win, false if lines do.
    #[inline(always)]
    #[must_use]
    pub fn squares(&self) -> bool {
        self.square
    }

    /// The length of a line or the side of a square.
    #[inline(always)]
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The ways a winning shape can lie on this board.
    #[inline(always)]
    #[must_use]
    pub fn directions(&self) -> &[Direction<W>] {
        &self.directions[..self.direction_count]
    }

    /// How many windows (possible wins) the board has: 69 for Connect Four.
    #[must_use]
    pub fn window_count(&self) -> u32 {
        self.directions().iter().map(|d| d.anchors.count_ones()).sum()
    }

    /// The offsets from a window's anchor to its cells, for windows that lie in `direction`.
    pub fn offsets(&self, direction: &Direction<W>) -> impl Iterator<Item = u32> + use<W> {
        let (shift, size, square) = (direction.shift, self.size, self.square);
        (0..if square { size * size } else { size })
            .map(move |k| if square { k / size * shift + k % size } else { k * shift })
    }

    /// The cells that may be played in: the lowest empty one of each column, or every empty one.
    #[inline(always)]
    #[must_use]
    pub fn playable(&self, all: W) -> W {
        if self.gravity { all.wrapping_add(self.bottom) & self.cells } else { self.cells & !all }
    }

    /// Does this set of discs hold a winning shape?
    #[inline(always)]
    #[must_use]
    pub fn has_won(&self, discs: W) -> bool {
        if !self.square && self.size == 4 {
            // The common case, without the general doubling loop.
            let mut won = W::ZERO;
            for direction in self.directions() {
                let pairs = discs & discs >> direction.shift;
                won |= pairs & pairs >> (2 * direction.shift);
            }
            !won.is_zero()
        } else {
            self.directions().iter().any(|direction| !self.runs(discs, direction.shift).is_zero())
        }
    }

    /// The anchors of all windows along `shift` that lie wholly in `discs`.
    #[inline]
    #[must_use]
    pub fn runs(&self, discs: W, shift: u32) -> W {
        let line = run(discs, shift, self.size);
        if self.square { run(line, 1, self.size) } else { line }
    }

    /// Every cell of every completed shape in `discs`.
    #[inline]
    #[must_use]
    pub fn winning_cells(&self, discs: W) -> W {
        let mut cells = W::ZERO;
        for direction in self.directions() {
            let anchors = self.runs(discs, direction.shift);
            let lines = if self.square { spread(anchors, 1, self.size) } else { anchors };
            cells |= spread(lines, direction.shift, self.size);
        }
        cells
    }

    /// The cells that would complete a shape for the owner of `discs` (whether or not they are
    /// empty or playable).
    #[inline]
    #[must_use]
    pub fn completing(&self, discs: W) -> W {
        let found =
            if self.square { self.completing_squares(discs) } else { self.completing_lines(discs) };
        found & self.cells
    }

    /// A cell completes a line if the own discs next to it on both sides add up to the length less
    /// one.
    #[inline(always)]
    fn completing_lines(&self, discs: W) -> W {
        let mut found = W::ZERO;
        if self.size == 4 {
            for direction in self.directions() {
                let s = direction.shift;
                // One, two, three own discs directly before (behind) a cell.
                let (b1, a1) = (discs << s, discs >> s);
                let (b2, a2) = (b1 & b1 << s, a1 & a1 >> s);
                let (b3, a3) = (b2 & b1 << (2 * s), a2 & a1 >> (2 * s));
                found |= b3 | a3 | (b2 & a1) | (b1 & a2);
            }
            return found;
        }
        for direction in self.directions() {
            let s = direction.shift;
            for before in 0..self.size {
                let behind = self.size - 1 - before;
                let mut gaps = !W::ZERO;
                if before > 0 {
                    gaps &= run(discs, s, before) << (before * s);
                }
                if behind > 0 {
                    gaps &= run(discs, s, behind) >> s;
                }
                found |= gaps;
            }
        }
        found
    }

    #[inline(always)]
    fn completing_squares(&self, discs: W) -> W {
        let mut found = W::ZERO;
        for direction in self.directions() {
            for missing in self.offsets(direction) {
                let others = self
                    .offsets(direction)
                    .filter(|&offset| offset != missing)
                    .fold(direction.anchors, |anchors, offset| anchors & discs >> offset);
                found |= others << missing;
            }
        }
        found
    }

    /// The board reflected left to right.
    #[inline]
    #[must_use]
    pub fn mirror(&self, discs: W) -> W {
        let width = self.rules.width();
        let column = !W::ZERO >> (W::BITS - self.rules.height());
        let mut out = W::ZERO;
        for c in 0..width {
            out |= (discs >> (c * self.stride) & column) << ((width - 1 - c) * self.stride);
        }
        out
    }
}

/// Each bit with those behind it that make `length` in a row, `shift` apart: what [`run`] undoes.
#[inline(always)]
pub(crate) fn spread<W: Word>(starts: W, shift: u32, length: u32) -> W {
    let (mut found, mut have) = (starts, 1);
    while have * 2 <= length {
        found |= found << (have * shift);
        have *= 2;
    }
    if have < length {
        found |= found << ((length - have) * shift);
    }
    found
}

/// The bits at which `length` bits in a row, `shift` apart, are set. Doubling: log2(length) steps.
#[inline(always)]
pub(crate) fn run<W: Word>(discs: W, shift: u32, length: u32) -> W {
    let (mut found, mut have) = (discs, 1);
    while have * 2 <= length {
        found &= found >> (have * shift);
        have *= 2;
    }
    if have < length {
        found &= found >> ((length - have) * shift);
    }
    found
}
