//! The inputs of the policy networks of a board: their numbering, and how they are read off a
//! position.

use crate::game::{Rules, Shape, Word};
use crate::solver::board::BoardMasks;
use crate::solver::layout::{ByteColumns, Layout};

/// The most lines of four that a board may have: they are a bit set.
const MOST_LINES: usize = 128;

/// The most rows that a board may have: there is a row of weights for every content of a column.
pub(super) const MOST_ROWS: u32 = 9;

/// The numbers of moves, of forced moves and of distances to the horizon that are told apart.
pub(super) const CHOICES: usize = 16;
pub(super) const FORCED: usize = 6;
pub(super) const HORIZONS: usize = 8;

/// The states of a line that is open to one player: 1 to 3 discs of W and none of B, then vice
/// versa.
pub(super) const LINE_STATES: usize = 6;

/// By the number of W's discs (upper three bits) and of B's (lower three) in a line: 0, or one more
/// than its state. The branch would be unpredictable; a table needs none.
const LINE_STATE: [u8; 64] = {
    let mut states = [0; 64];
    let mut discs = 1;
    while discs < 4 {
        states[discs << 3] = discs as u8;
        states[discs] = 3 + discs as u8;
        discs += 1;
    }
    states
};

/// The inputs of a board, in the order of the weights. Cells are numbered column by column from the
/// bottom.
///
/// By cell: W's discs, B's discs, W's genuine threats, B's, the playable cells, and the cell of the
/// move. Then the number of moves that the opponent has, up to seven, and from 8 on that the player
/// has if it is his turn again; the number of forced moves, up to five; the distance to the horizon
/// ([`horizon_class`]); and last the state of every line ([`LINE_STATES`]).
#[derive(Debug, Clone)]
pub(in crate::solver) struct InputMap {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Bits from one column to the next.
    pub(super) stride: u32,
    pub(super) line_count: usize,
    /// The cells of each line, as bits of a board.
    line_cells: [u64; MOST_LINES],
    /// By bit: the lines through the cell, as a bit set.
    lines_through: [u128; 64],
}

impl InputMap {
    /// The inputs of a board; none if no network can be made for it.
    pub(in crate::solver) fn new(rules: &Rules) -> Option<Self> {
        let (width, height) = (rules.width(), rules.height());
        if !rules.gravity() || rules.shape() != Shape::Line(4) || height > MOST_ROWS {
            return None;
        }
        // As the solver lays it out.
        let stride =
            if width <= 8 && height <= 7 { ByteColumns.stride() } else { rules.height() + 1 };
        if width * stride > u64::BITS {
            return None;
        }
        let mut map = Self {
            width: width as usize,
            height: height as usize,
            stride,
            line_count: 0,
            line_cells: [0; MOST_LINES],
            lines_through: [0; 64],
        };
        let (width, height) = (width as i32, height as i32);
        for (column, row) in (0..width).flat_map(|column| (0..height).map(move |row| (column, row)))
        {
            for (across, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                if column + 3 * across >= width || !(0..height).contains(&(row + 3 * up)) {
                    continue;
                }
                let bit =
                    |step: i32| (column + step * across) as u32 * stride + (row + step * up) as u32;
                *map.line_cells.get_mut(map.line_count)? =
                    (0..4).fold(0, |cells, step| cells | 1 << bit(step));
                for step in 0..4 {
                    map.lines_through[bit(step) as usize] |= 1 << map.line_count;
                }
                map.line_count += 1;
            }
        }
        Some(map)
    }

    fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The first input of each kind.
    ///
    /// Cells with the discs of a player.
    pub(super) fn discs(&self, player: usize) -> usize {
        player * self.cells()
    }

    /// A player's genuine threats.
    pub(super) fn threats(&self, player: usize) -> usize {
        (2 + player) * self.cells()
    }

    /// Playable cells.
    pub(super) fn playable(&self) -> usize {
        4 * self.cells()
    }

    /// The cell of the move.
    pub(super) fn mv(&self) -> usize {
        5 * self.cells()
    }

    /// The number of moves.
    pub(super) fn choices(&self) -> usize {
        6 * self.cells()
    }

    /// The number of forced moves.
    pub(super) fn forced(&self) -> usize {
        self.choices() + CHOICES
    }

    /// The distance to the horizon.
    pub(super) fn horizon(&self) -> usize {
        self.forced() + FORCED
    }

    /// The states of lines.
    pub(super) fn open_lines(&self) -> usize {
        self.horizon() + HORIZONS
    }

    /// How many inputs there are of each kind, with the lines or without.
    pub(super) fn kinds(&self, lines: bool) -> Vec<usize> {
        let mut kinds = vec![self.cells(); self.choices() / self.cells()];
        kinds.extend([CHOICES, FORCED, HORIZONS]);
        if lines {
            kinds.push(self.line_count * LINE_STATES);
        }
        kinds
    }

    /// How many inputs there are, with the lines or without.
    pub(super) fn count(&self, lines: bool) -> usize {
        self.open_lines() + if lines { self.line_count * LINE_STATES } else { 0 }
    }

    /// The number of the cell at a bit of the board, if it is one.
    pub(super) fn cell(&self, bit: usize) -> Option<usize> {
        let (column, row) = (bit / self.stride as usize, bit % self.stride as usize);
        (column < self.width && row < self.height).then_some(column * self.height + row)
    }

    /// The cells of a line.
    #[inline(always)]
    pub(super) fn line_cells(&self, line: usize) -> u64 {
        self.line_cells[line % MOST_LINES]
    }

    /// The lines through any cell of a set, as a bit set.
    #[inline(always)]
    pub(super) fn lines_through(&self, mut set: u64) -> u128 {
        let mut lines = 0;
        while set != 0 {
            lines |= self.lines_through[set.trailing_zeros() as usize % 64];
            set &= set - 1;
        }
        lines
    }

    /// The number of a line's input, counted from [`InputMap::open_lines`]: 0 if it is open to
    /// neither player or empty, else one more than the line's number and state tell.
    #[inline(always)]
    pub(super) fn open_line(&self, discs: &PlayerDiscs, line: usize) -> usize {
        let cells = self.line_cells(line);
        let white = (discs.white & cells).count_ones() as usize;
        let black = (discs.black & cells).count_ones() as usize;
        let state = usize::from(LINE_STATE[(white << 3 | black) % 64]);
        if state == 0 { 0 } else { line * LINE_STATES + state }
    }

    /// For every input, the one that is its mirror image.
    pub(super) fn mirrored(&self) -> Vec<usize> {
        let (cells, height) = (self.cells(), self.height);
        let image_of_line = |line: usize| {
            let bits = (0..64).filter(|bit| self.line_cells[line] >> bit & 1 == 1);
            let image = bits.fold(0, |cells, bit| {
                let (column, row) = (bit / self.stride as usize, bit % self.stride as usize);
                cells | 1 << ((self.width - 1 - column) * self.stride as usize + row)
            });
            let lines = &self.line_cells[..self.line_count];
            lines.iter().position(|&cells| cells == image).unwrap_or(line)
        };
        let mirrored = |input: usize| {
            if input < self.choices() {
                let (kind, cell) = (input / cells, input % cells);
                kind * cells + (self.width - 1 - cell / height) * height + cell % height
            } else if input < self.open_lines() {
                input
            } else {
                let (line, state) = (
                    (input - self.open_lines()) / LINE_STATES,
                    (input - self.open_lines()) % LINE_STATES,
                );
                self.open_lines() + image_of_line(line) * LINE_STATES + state
            }
        };
        (0..self.count(true)).map(mirrored).collect()
    }
}

/// The class of a distance to the horizon in plies.
#[inline(always)]
pub(super) fn horizon_class(plies: i32) -> usize {
    match plies {
        ..=6 => 0,
        7..=8 => 1,
        9..=10 => 2,
        11..=12 => 3,
        13..=15 => 4,
        16..=19 => 5,
        20..=24 => 6,
        _ => 7,
    }
}

/// A position by player rather than by side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayerDiscs {
    /// The content of each column: W's discs below a marker on the lowest empty cell.
    pub(super) key: u64,
    pub(super) white: u64,
    pub(super) black: u64,
}

impl PlayerDiscs {
    #[inline(always)]
    pub(super) fn new<L: Layout>(
        board: &BoardMasks<L>,
        own: L::W,
        opponent: L::W,
        ply: i32,
    ) -> Self {
        let (white, black) = if ply % 2 == 0 { (own, opponent) } else { (opponent, own) };
        let key = white | (own | opponent).wrapping_add(board.bottom);
        Self { key: key.widen() as u64, white: white.widen() as u64, black: black.widen() as u64 }
    }
}
