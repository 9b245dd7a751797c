//! The inputs of the network: how they are numbered, and how they are read off a position.
//!
//! All inputs are there or not, and few are there at a time:
//!
//! - what lies in each column, as one of the `2^(height + 1) - 1` fillings it can have;
//! - each window that holds discs of one player only, with the cells that it holds;
//! - each empty cell that completes a window (a threat), by player, and whether it is playable,
//!   above a playable cell, or further up; its row says whether it is an odd or an even threat;
//! - whether a player has a winning move, and whether there are several;
//! - for each column with threats, the row of its playable cell and who threatens the lowest three
//!   empty cells: what happens when the column is filled;
//! - for each column with threats, the lowest one of either player: who profits from zugzwang.
//!
//! The players are the first and the second, not the side to move: who profits from zugzwang
//! depends on who began.

use crate::game::{Geometry, Rules, Shape};

/// The fillings of a window of four cells that are inputs: which of its cells one player has, at
/// least one and not all, the first player's before the second's.
const FILLINGS: usize = 2 * MASKS;

/// The fillings that are one player's.
const MASKS: usize = 14;

/// Where a threat lies: playable, above a playable cell, or further up.
const HEIGHTS: usize = 3;

/// Who threatens the lowest three empty cells of a column.
const STACKS: usize = 64;

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
    stacks: usize,
    lowest: usize,
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
        let fillings = (1 << (height + 1)) - 1;
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
        let stacks = wins + 4;
        let lowest = stacks + height * STACKS;
        let count = lowest + width * (height + 1) * (height + 1);
        let mut inputs = Self {
            geometry,
            fillings,
            windows,
            threats,
            wins,
            stacks,
            lowest,
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
            let (player, mask) = (filling / MASKS, filling % MASKS + 1);
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
                + player * MASKS
                + mask
                - 1
        } else if input < self.wins {
            let per_cell = 2 * HEIGHTS;
            let (cell, rest) =
                ((input - self.threats) / per_cell, (input - self.threats) % per_cell);
            let cell = (width - 1 - cell / height) * height + cell % height;
            self.threats + cell * per_cell + rest
        } else if input >= self.lowest {
            let per_column = (height + 1) * (height + 1);
            let (column, rest) =
                ((input - self.lowest) / per_column, (input - self.lowest) % per_column);
            self.lowest + (width - 1 - column) * per_column + rest
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
        self.threats(&Threats::NONE, &self.threats_of(discs), |input, _| see(input));
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
        column as usize * self.fillings + (filling as usize - 1) % self.fillings
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
            see(self.windows + window * FILLINGS + player * MASKS + (mask as usize - 1) % MASKS);
        }
    }

    /// The threats of a position.
    #[inline]
    pub(super) fn threats_of(&self, discs: Discs) -> Threats {
        let all = discs[0] | discs[1];
        let playable = self.geometry.playable(all);
        let above = playable << 1 & self.geometry.cells();
        let sets = discs.map(|own| self.geometry.completing(own) & !all);
        Threats { all, sets, heights: [playable, above, !(playable | above)] }
    }

    /// Calls `change` with the inputs of threats that only one of two positions has, and whether it
    /// is the one after.
    #[inline]
    pub(super) fn threats(
        &self,
        before: &Threats,
        after: &Threats,
        mut change: impl FnMut(usize, bool),
    ) {
        for player in 0..2 {
            for height in 0..HEIGHTS {
                let was = before.sets[player] & before.heights[height];
                let is = after.sets[player] & after.heights[height];
                let first = self.threats + player * HEIGHTS + height;
                let input =
                    |bit: usize| first + usize::from(self.cell_numbers[bit % 64]) * 2 * HEIGHTS;
                bits(was ^ is).for_each(|bit| change(input(bit), is >> bit & 1 == 1));
            }
            let wins = |threats: &Threats| threats.sets[player] & threats.heights[0];
            let (was, is) = (wins(before), wins(after));
            let several = |set: u64| set & set.wrapping_sub(1) != 0;
            for (input, was, is) in [
                (self.wins + player, was != 0, is != 0),
                (self.wins + 2 + player, several(was), several(is)),
            ] {
                if was != is {
                    change(input, is);
                }
            }
        }
        for column in 0..self.geometry.rules().width() {
            let (was, is) =
                (self.column_threats(before, column), self.column_threats(after, column));
            for (was, is) in was.into_iter().zip(is) {
                if was != is {
                    was.into_iter().for_each(|input| change(input, false));
                    is.into_iter().for_each(|input| change(input, true));
                }
            }
        }
    }

    /// The inputs of the threats of a column, taken together, if it has any.
    #[inline]
    fn column_threats(&self, threats: &Threats, column: u32) -> [Option<usize>; 2] {
        let height = self.geometry.rules().height();
        let at = column * self.geometry.stride();
        let cells = |set: u64| set >> at & ((1 << height) - 1);
        let own = threats.sets.map(cells);
        if own == [0, 0] {
            return [None, None];
        }
        let row = cells(threats.all).trailing_ones();
        let [first, second] = own.map(|set| (set >> row & 7) as usize);
        let stack =
            (first | second != 0).then(|| self.stacks + row as usize * STACKS + first * 8 + second);
        let [first, second] = own.map(|set| set.trailing_zeros().min(height) as usize);
        let rows = height as usize + 1;
        let lowest = self.lowest + (column as usize * rows + first) * rows + second;
        [stack, Some(lowest)]
    }

    /// The geometry of the game.
    pub(super) fn geometry(&self) -> &Geometry<u64> {
        &self.geometry
    }
}

/// The threats of a position: the empty cells that complete a window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Threats {
    /// All discs.
    all: u64,
    /// By player.
    sets: [u64; 2],
    /// The cells that are playable, above a playable one, or further up.
    heights: [u64; HEIGHTS],
}

impl Threats {
    /// Of no position: nothing threatens anything.
    pub(super) const NONE: Self = Self { all: 0, sets: [0; 2], heights: [0; HEIGHTS] };
}

/// The bits of a set, from the lowest.
#[inline]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
