//! What the rules mean for sets of cells: moves, shapes, pairs of rows, and keys that symmetric
//! positions share.

use crate::game::{Cell, Geometry, Position, Rules, Side, Symmetry, Word};

/// A board of some game in the layout drawn in [`crate::game`].
#[derive(Debug)]
pub(in super::super) struct Ground<W, const GRAVITY: bool, const IMAGES: usize> {
    geometry: Geometry<W>,
    /// How many cells there are.
    pub(super) count: i32,
    pub(super) height: u32,
    pub(super) cells: W,
    /// Rows in pairs from the top down: the upper of each pair, and the lowest row of a board of
    /// odd height.
    pub(super) upper: W,
    /// The lower of each pair.
    pub(super) lower: W,
    /// Cells at least 1, 2, 4, ... rows up: where a shift up by as much may come to lie.
    lifted: [W; 7],
    lifts: usize,
    /// Every set of cells that wins, for its owner.
    pub(super) windows: Vec<W>,
    /// By cell: the windows through it.
    pub(super) windows_through: Vec<Vec<W>>,
    /// By cell and player: what a disc adds to the key of each image.
    steps: Vec<[[W; IMAGES]; 2]>,
    /// Bits that a key can have; none if the board is too large for one.
    key_bits: Option<u32>,
}

/// The keys of a position's images, and so of the position.
pub(super) type Keys<W, const IMAGES: usize> = [W; IMAGES];

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Ground<W, GRAVITY, IMAGES> {
    pub(in super::super) fn new(rules: &Rules) -> Self {
        assert_eq!(rules.gravity(), GRAVITY, "{rules}");
        let geometry = Geometry::<W>::new(rules);
        let (height, stride) = (rules.height(), rules.stride());
        let rows = |wanted: &dyn Fn(u32) -> bool| {
            let mut mask = W::ZERO;
            for column in 0..rules.width() {
                for row in (0..height).filter(|&row| wanted(row)) {
                    mask |= W::ONE << (column * stride + row);
                }
            }
            mask
        };
        let mut lifted = [W::ZERO; 7];
        let mut lifts = 0;
        while 1 << lifts < height {
            lifted[lifts] = rows(&|row| row >= 1 << lifts);
            lifts += 1;
        }
        let mut windows = Vec::new();
        for direction in geometry.directions() {
            let mut anchors = direction.anchors;
            while !anchors.is_zero() {
                let anchor = anchors.lowest();
                anchors = anchors.without_lowest();
                windows
                    .push(geometry.offsets(direction).fold(W::ZERO, |set, by| set | anchor << by));
            }
        }
        let through = |bit: u32| {
            windows.iter().copied().filter(|&w| !(w >> bit & W::ONE).is_zero()).collect()
        };
        let windows_through = (0..rules.bits()).map(through).collect();
        let key_bits = if GRAVITY { rules.bits() } else { 2 * rules.cells() };
        let key_bits = (key_bits <= W::BITS).then_some(key_bits);
        Self {
            geometry,
            count: rules.cells() as i32,
            height,
            cells: geometry.cells(),
            upper: rows(&|row| (height - row) % 2 == 1),
            lower: rows(&|row| (height - row) % 2 == 0),
            lifted,
            lifts,
            windows,
            windows_through,
            steps: steps(rules, key_bits),
            key_bits,
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        self.geometry.rules()
    }

    /// The discs of the side to move and of the other.
    pub(super) fn discs(&self, position: &Position) -> (W, W) {
        let (own, all) = position.bits();
        (W::truncate(own), W::truncate(own ^ all))
    }

    /// The cells that may be played in.
    #[inline(always)]
    pub(super) fn playable(&self, all: W) -> W {
        if GRAVITY {
            all.wrapping_add(self.geometry.bottom()) & self.cells
        } else {
            self.cells & !all
        }
    }

    /// The cells that complete a shape for the owner of `discs`, empty or not.
    #[inline(always)]
    pub(super) fn completing(&self, discs: W) -> W {
        let found = match (self.geometry.squares(), self.geometry.size()) {
            (false, 2) => self.completing_lines::<2>(discs),
            (false, 3) => self.completing_lines::<3>(discs),
            (false, 4) => self.completing_lines::<4>(discs),
            (false, 5) => self.completing_lines::<5>(discs),
            (false, 6) => self.completing_lines::<6>(discs),
            (true, 2) => self.completing_small_squares(discs),
            _ => self.geometry.completing(discs),
        };
        found & self.cells
    }

    /// A cell completes a line if the own discs next to it on both sides add up to the length less
    /// one.
    #[inline(always)]
    fn completing_lines<const N: usize>(&self, discs: W) -> W {
        let mut found = W::ZERO;
        for direction in self.geometry.directions() {
            let s = direction.shift;
            // So many own discs directly before a cell, and directly behind it.
            let (mut before, mut behind) = ([!W::ZERO; N], [!W::ZERO; N]);
            for k in 1..N {
                before[k] = (before[k - 1] & discs) << s;
                behind[k] = (behind[k - 1] & discs) >> s;
            }
            for k in 0..N {
                found |= before[k] & behind[N - 1 - k];
            }
        }
        found
    }

    #[inline(always)]
    fn completing_small_squares(&self, discs: W) -> W {
        let mut found = W::ZERO;
        for direction in self.geometry.directions() {
            let s = direction.shift;
            // By the square's lowest cell on the left: is each of its four cells held?
            let (a, b, c, d) = (discs, discs >> 1, discs >> s, discs >> (s + 1));
            let (left, right) = (a & b & direction.anchors, c & d & direction.anchors);
            found |= (b & right) | (a & right) << 1 | (left & d) << s | (left & c) << (s + 1);
        }
        found
    }

    /// Does the set hold a winning shape?
    #[inline(always)]
    pub(super) fn has_shape(&self, set: W) -> bool {
        self.geometry.has_won(set)
    }

    /// The set and every cell above one of it.
    #[inline(always)]
    pub(super) fn and_above(&self, set: W) -> W {
        let mut filled = set;
        for step in 0..self.lifts {
            filled |= filled << (1 << step) & self.lifted[step];
        }
        filled
    }

    /// All cells of the column that a cell lies in.
    #[inline(always)]
    pub(super) fn column_of(&self, bit: u32) -> W {
        self.geometry.column(bit / self.geometry.stride())
    }

    /// The row of a cell, from 0.
    #[inline(always)]
    pub(super) fn row_of(&self, bit: u32) -> u32 {
        bit % self.geometry.stride()
    }

    /// The keys of a position.
    pub(super) fn keys(&self, position: &Position) -> Keys<W, IMAGES> {
        let mut keys = [W::ZERO; IMAGES];
        for (player, side) in [Side::First, Side::Second].into_iter().enumerate() {
            for cell in position.discs(side).iter() {
                self.add(&mut keys, W::ONE << cell.bit(self.rules()), player);
            }
        }
        keys
    }

    /// Puts a disc of a player (0 moves first) into the keys.
    #[inline(always)]
    pub(super) fn add(&self, keys: &mut Keys<W, IMAGES>, mv: W, player: usize) {
        let steps = &self.steps[mv.trailing_zeros() as usize][player];
        for (key, &step) in keys.iter_mut().zip(steps) {
            *key = key.wrapping_add(step);
        }
    }

    /// One key for all images of a position, and for no other: whose turn it is follows from the
    /// number of discs.
    #[inline(always)]
    pub(super) fn least(keys: &Keys<W, IMAGES>) -> W {
        keys.iter().copied().fold(keys[0], W::min)
    }

    /// Bits that a key can have; none if positions are not to be remembered.
    pub(super) fn key_bits(&self) -> Option<u32> {
        self.key_bits
    }
}

/// What a disc adds to the keys.
///
/// Under gravity a key is the sum of the first player's discs and of all discs, column by column:
/// within a column of n discs that is at least 2^n - 1 and less than 2^(n+1) - 1, which tells n and
/// then the discs. Without gravity it is the first player's discs and then the second's, a bit a
/// cell.
fn steps<W: Word, const IMAGES: usize>(
    rules: &Rules,
    key_bits: Option<u32>,
) -> Vec<[[W; IMAGES]; 2]> {
    let mut steps = vec![[[W::ZERO; IMAGES]; 2]; rules.bits() as usize];
    if key_bits.is_none() {
        return steps;
    }
    let symmetries = Symmetry::of(rules);
    for column in 0..rules.width() as u8 {
        for row in 0..rules.height() as u8 {
            let cell = Cell { column, row };
            for image in 0..IMAGES {
                // Boards with fewer symmetries have some of them twice.
                let to = symmetries[image % symmetries.len()].apply(cell, rules);
                let [first, second] = &mut steps[cell.bit(rules) as usize];
                (first[image], second[image]) = if rules.gravity() {
                    (W::ONE << to.bit(rules) << 1, W::ONE << to.bit(rules))
                } else {
                    let index = u32::from(to.column) * rules.height() + u32::from(to.row);
                    (W::ONE << index, W::ONE << (rules.cells() + index))
                };
            }
        }
    }
    steps
}
