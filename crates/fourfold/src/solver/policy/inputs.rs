//! The inputs of the policy networks: their numbering, and how they are read off a position.

use crate::game::Word;
use crate::solver::board::BoardMasks;
use crate::solver::layout::{ByteColumns, Layout};

/// The board that the networks were trained for.
pub(super) const WIDTH: usize = 7;
pub(super) const HEIGHT: usize = 6;

const CELLS: usize = WIDTH * HEIGHT;

/// The first input of each kind, in the order of the weights. Cells are numbered column by column
/// from the bottom.
///
/// Cells with W's discs, and with B's.
pub(super) const DISCS: [usize; 2] = [0, CELLS];
/// W's genuine threats, and B's.
pub(super) const THREATS: [usize; 2] = [2 * CELLS, 3 * CELLS];
/// Playable cells.
pub(super) const PLAYABLE: usize = 4 * CELLS;
/// The cell of the move.
pub(super) const MOVE: usize = 5 * CELLS;
/// The number of moves that the opponent has, up to seven; from 8 on, that the player has if it is
/// his turn again.
pub(super) const CHOICES: usize = 6 * CELLS;
/// The number of forced moves, up to five.
pub(super) const FORCED: usize = CHOICES + 16;
/// The distance to the horizon; see [`horizon_class`].
pub(super) const HORIZON: usize = FORCED + 6;
/// The state of every line; see [`LINE_STATES`].
pub(super) const OPEN_LINES: usize = HORIZON + 8;

/// The lines of four on the board.
pub(super) const LINE_COUNT: usize = 69;

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

/// The cells of each line, as bits of [`ByteColumns`].
pub(super) const LINE_CELLS: [u64; LINE_COUNT] = {
    let mut lines = [0; LINE_COUNT];
    let (mut count, mut first) = (0, 0);
    while first < CELLS as i32 {
        let (column, row) = (first / HEIGHT as i32, first % HEIGHT as i32);
        let mut direction = 0;
        while direction < 4 {
            let (across, up) = [(0, 1), (1, 0), (1, 1), (1, -1)][direction];
            let (last_column, last_row) = (column + 3 * across, row + 3 * up);
            if last_column < WIDTH as i32 && 0 <= last_row && last_row < HEIGHT as i32 {
                let mut step = 0;
                while step < 4 {
                    lines[count] |= 1 << (8 * (column + step * across) + row + step * up);
                    step += 1;
                }
                count += 1;
            }
            direction += 1;
        }
        first += 1;
    }
    lines
};

/// By cell: the lines through it, as a bit set.
const LINES_THROUGH: [u128; 64] = {
    let mut through = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut line = 0;
        while line < LINE_COUNT {
            through[bit] |= ((LINE_CELLS[line] >> bit & 1) as u128) << line;
            line += 1;
        }
        bit += 1;
    }
    through
};

/// The lines through any cell of a set, as a bit set.
#[inline(always)]
pub(super) fn lines_through(mut set: u64) -> u128 {
    let mut lines = 0;
    while set != 0 {
        lines |= LINES_THROUGH[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    lines
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

    /// The number of a line's input: 0 if it is open to neither player or empty, else one more
    /// than the line's number and state tell.
    #[inline(always)]
    pub(super) fn open_line(&self, line: usize) -> usize {
        let white = (self.white & LINE_CELLS[line]).count_ones() as usize;
        let black = (self.black & LINE_CELLS[line]).count_ones() as usize;
        let state = usize::from(LINE_STATE[(white << 3 | black) % 64]);
        if state == 0 { 0 } else { line * LINE_STATES + state }
    }
}

/// The input that is the mirror image of another.
pub(super) fn mirrored(input: usize) -> usize {
    match input {
        ..CHOICES => {
            let (kind, cell) = (input / CELLS, input % CELLS);
            kind * CELLS + (WIDTH - 1 - cell / HEIGHT) * HEIGHT + cell % HEIGHT
        }
        OPEN_LINES.. => {
            let (line, state) =
                ((input - OPEN_LINES) / LINE_STATES, (input - OPEN_LINES) % LINE_STATES);
            let image = ByteColumns.mirror(LINE_CELLS[line], WIDTH as u32);
            let line = LINE_CELLS.iter().position(|&cells| cells == image).unwrap_or(line);
            OPEN_LINES + line * LINE_STATES + state
        }
        _ => input,
    }
}
