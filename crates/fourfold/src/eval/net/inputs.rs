//! The inputs of the network: how they are numbered, and how they are read off a position.
//!
//! All inputs are there or not, and few are there at a time:
//!
//! - what lies in each column, as one of the `2^(height + 1) - 1` fillings it can have;
//! - each window that holds discs of one player only, with the cells that it holds;
//! - each empty cell that completes a window, by player, and whether it is playable, above a
//!   playable cell, or further up; its row says whether it is an odd or an even threat;
//! - whether a player has a winning move, and whether there are several.
//!
//! The players are the first and the second, not the side to move: who profits from zugzwang
//! depends on who began.

use crate::game::{Geometry, Rules, Shape};

/// The fillings of a window of four cells that are inputs: which of its cells one player has, at
/// least one and not all, the first player's before the second's.
const FILLINGS: usize = 2 * 15;

/// Where a threat lies: playable, above a playable cell, or further up.
const HEIGHTS: usize = 3;

/// The numbering of the inputs of a game.
#[derive(Debug, Clone)]
pub struct NetInputs {
    geometry: Geometry<u64>,
    /// Fillings of a column.
    fillings: usize,
    /// The first input of the windows, the threats and the rest.
    windows: usize,
    threats: usize,
    wins: usize,
    count: usize,
    /// By direction and anchor: the number of the window.
    window_numbers: [[u16; 64]; 4],
    /// By bit: the number of the cell.
    cell_numbers: [u16; 64],
    /// By input: that of the mirror image.
    mirrored: Vec<u16>,
}

/// Discs of the first and of the second player.
pub type Discs = [u64; 2];

impl NetInputs {
    /// Whether a game can have a network: discs fall, four cells win, and the board fits a word.
    #[must_use]
    pub fn suits(rules: &Rules) -> bool {
        let four = matches!(rules.shape(), Shape::Line(4) | Shape::Square(2));
        rules.gravity() && four && rules.bits() <= 64 && rules.height() <= 8
    }

    /// The inputs of a game; none if it cannot have a network.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Self> {
        if !Self::suits(rules) {
            return None;
        }
        let geometry = Geometry::<u64>::new(rules);
        let (width, height) = (rules.width() as usize, rules.height() as usize);
        let fillings = 1 << (height + 1);
        let windows = width * fillings;
        let mut window_numbers = [[0; 64]; 4];
        let mut next = 0;
        for (numbers, direction) in window_numbers.iter_mut().zip(geometry.directions()) {
            for bit in bits(direction.anchors) {
                numbers[bit] = next;
                next += 1;
            }
        }
        let threats = windows + usize::from(next) * FILLINGS;
        let mut cell_numbers = [0; 64];
        for (number, bit) in bits(geometry.cells()).enumerate() {
            cell_numbers[bit] = number as u16;
        }
        let wins = threats + width * height * 2 * HEIGHTS;
        let count = wins + 4;
        let mut inputs = Self {
            geometry,
            fillings,
            windows,
            threats,
            wins,
            count,
            window_numbers,
            cell_numbers,
            mirrored: Vec::new(),
        };
        inputs.mirrored = (0..count).map(|input| inputs.mirror_of(input)).collect();
        Some(inputs)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The input that the mirror image has instead.
    #[must_use]
    pub fn mirrored(&self, input: u16) -> u16 {
        self.mirrored[usize::from(input)]
    }

    /// The mirror image of an input, by its meaning.
    fn mirror_of(&self, input: usize) -> u16 {
        let rules = self.geometry.rules();
        let (width, height) = (rules.width() as usize, rules.height() as usize);
        let found = if input < self.windows {
            (width - 1 - input / self.fillings) * self.fillings + input % self.fillings
        } else if input < self.threats {
            let (window, filling) =
                ((input - self.windows) / FILLINGS, (input - self.windows) % FILLINGS);
            let (direction, anchor) = self.window_at(window as u16);
            let (player, mask) = (filling / 15, filling % 15 + 1);
            let shift = |k: usize| self.offset(direction, k);
            // The cells that are held, mirrored, are the cells of another window.
            let cells: u64 = (0..4).map(|k| 1 << (anchor + shift(k))).sum();
            let held: u64 =
                (0..4).filter(|k| mask >> k & 1 == 1).map(|k| 1 << (anchor + shift(k))).sum();
            let (cells, held) = (self.geometry.mirror(cells), self.geometry.mirror(held));
            let (direction, anchor) = self.window_of(cells);
            let mask: usize = (0..4)
                .filter(|&k| held >> (anchor + self.offset(direction, k)) & 1 == 1)
                .map(|k| 1 << k)
                .sum();
            self.windows
                + usize::from(self.window_numbers[direction][anchor]) * FILLINGS
                + player * 15
                + mask
                - 1
        } else if input < self.wins {
            let per_cell = 2 * HEIGHTS;
            let (cell, rest) =
                ((input - self.threats) / per_cell, (input - self.threats) % per_cell);
            let cell = (width - 1 - cell / height) * height + cell % height;
            self.threats + cell * per_cell + rest
        } else {
            input
        };
        found as u16
    }

    /// From the anchor of a window to its cell `k`.
    fn offset(&self, direction: usize, k: usize) -> usize {
        let shift = self.geometry.directions()[direction].shift as usize;
        if self.geometry.squares() { k / 2 * shift + k % 2 } else { k * shift }
    }

    fn window_at(&self, number: u16) -> (usize, usize) {
        for (index, direction) in self.geometry.directions().iter().enumerate() {
            for bit in bits(direction.anchors) {
                if self.window_numbers[index][bit] == number {
                    return (index, bit);
                }
            }
        }
        (0, 0)
    }

    fn window_of(&self, cells: u64) -> (usize, usize) {
        let anchor = cells.trailing_zeros() as usize;
        for (index, direction) in self.geometry.directions().iter().enumerate() {
            let same = || (0..4).map(|k| 1u64 << (anchor + self.offset(index, k))).sum::<u64>();
            if direction.anchors >> anchor & 1 == 1 && same() == cells {
                return (index, anchor);
            }
        }
        (0, anchor)
    }

    /// Calls `see` with every input of a position.
    #[inline]
    pub fn for_each(&self, discs: Discs, mut see: impl FnMut(usize)) {
        for column in 0..self.geometry.rules().width() {
            see(self.column(discs, column));
        }
        for direction in 0..self.geometry.directions().len() {
            let anchors = self.geometry.directions()[direction].anchors;
            self.windows(discs, direction, anchors, &mut see);
        }
        self.threats(discs, see);
    }

    /// The input of a column.
    #[inline]
    pub(super) fn column(&self, discs: Discs, column: u32) -> usize {
        let rules = self.geometry.rules();
        let at = column * self.geometry.stride();
        let mask = (1 << (rules.height() + 1)) - 1;
        let all = (discs[0] | discs[1]) >> at & mask;
        // The first player's discs below a marker on the lowest empty cell.
        let filling = (all + 1) | (discs[0] >> at & mask);
        column as usize * self.fillings + filling as usize % self.fillings
    }

    /// Calls `see` with the inputs of the windows of a direction that have these anchors.
    #[inline]
    pub(super) fn windows(
        &self,
        discs: Discs,
        direction: usize,
        anchors: u64,
        mut see: impl FnMut(usize),
    ) {
        let shift = self.geometry.directions()[direction].shift;
        let (x, y) = if self.geometry.squares() { (1, shift) } else { (shift, 2 * shift) };
        let any = |set: u64| {
            let pair = set | set >> x;
            pair | pair >> y
        };
        let held = discs.map(any);
        let mut open = anchors & (held[0] ^ held[1]);
        let numbers = &self.window_numbers[direction];
        while open != 0 {
            let anchor = open.trailing_zeros();
            open &= open - 1;
            let player = (held[1] >> anchor & 1) as usize;
            let set = discs[player] >> anchor;
            let mask =
                set & 1 | (set >> x & 1) << 1 | (set >> y & 1) << 2 | (set >> (x + y) & 1) << 3;
            let window = usize::from(numbers[anchor as usize % 64]);
            // A window that is full ends the game; it is never evaluated.
            see(self.windows + window * FILLINGS + player * 15 + mask as usize - 1);
        }
    }

    /// Calls `see` with the inputs of threats and winning moves.
    #[inline]
    pub(super) fn threats(&self, discs: Discs, mut see: impl FnMut(usize)) {
        let all = discs[0] | discs[1];
        let playable = self.geometry.playable(all);
        let above = playable << 1 & self.geometry.cells();
        for (player, own) in discs.into_iter().enumerate() {
            let threats = self.geometry.completing(own) & !all;
            let mut left = threats;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let height = if playable >> bit & 1 == 1 {
                    0
                } else if above >> bit & 1 == 1 {
                    1
                } else {
                    2
                };
                let cell = usize::from(self.cell_numbers[bit as usize % 64]);
                see(self.threats + (cell * 2 + player) * HEIGHTS + height);
            }
            let wins = threats & playable;
            if wins != 0 {
                see(self.wins + player);
                if wins & (wins - 1) != 0 {
                    see(self.wins + 2 + player);
                }
            }
        }
    }

    /// The geometry of the game.
    pub(super) fn geometry(&self) -> &Geometry<u64> {
        &self.geometry
    }
}

/// The bits of a set, from the lowest.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
