//! Loads the quantised weights of the policy networks and lays them out for fast lookup.

use super::inputs::{
    CHOICES, DISCS, FORCED, HEIGHT, HORIZON, LINE_COUNT, LINE_STATES, MOVE, OPEN_LINES, PLAYABLE,
    THREATS, WIDTH, mirrored,
};
use super::rows::{ByteUnitRow, CellRows, ColumnRows, UnitRow};
use super::{PATTERNS, PolicyNetwork, ROLES};
use crate::solver::layout::NEIGHBOURS;

/// The patterns of the three neighbours below a cell.
const PATTERNS_BELOW: usize = 1 << NEIGHBOURS;

impl<const UNITS: usize, const LINES: bool> PolicyNetwork<UNITS, LINES> {
    /// Pairs of hidden units that are mirror images of each other: unit n and unit n + `PAIRS`.
    const PAIRS: usize = UNITS / 2;

    /// The pair that is linear; all others have a ReLU.
    const LINEAR_PAIR: usize = Self::PAIRS - 1;

    const INPUTS: usize = if LINES { OPEN_LINES + LINE_COUNT * LINE_STATES } else { OPEN_LINES };

    /// Where each part of the stored weights begins: a byte per input and pair; two bytes per pair
    /// for its bias, and two for its output weight; then a byte each for the patterns of the three
    /// neighbours below, of the horizontal neighbours by the parity of the row, and of the diagonal
    /// ones by the same.
    const BIAS: usize = Self::INPUTS * Self::PAIRS;
    const OUTPUT: usize = Self::BIAS + 2 * Self::PAIRS;
    const NEIGHBOURS: usize = Self::OUTPUT + 2 * Self::PAIRS;

    /// The bytes of the stored weights.
    pub(super) const BYTES: usize = Self::NEIGHBOURS + PATTERNS_BELOW + 4 * PATTERNS;

    /// The networks of all roles from their stored weights.
    pub(super) fn by_role(weights: &[u8]) -> [Box<Self>; ROLES] {
        std::array::from_fn(|role| {
            Self::load(&weights[role * Self::BYTES..][..Self::BYTES], role % 2)
        })
    }

    /// The network of a player (0 moves first) from its stored weights.
    fn load(weights: &[u8], player: usize) -> Box<Self> {
        let inputs = Self::input_rows(weights);
        let bias = Self::pair_row(weights, Self::BIAS);
        let columns = column_rows(&inputs);
        let sum = |rows: [&UnitRow<UNITS>; 3]| {
            let mut sum = UnitRow::ZERO;
            rows.into_iter().for_each(|row| sum.add(row));
            sum
        };
        let difference = |row: &UnitRow<UNITS>, other: &UnitRow<UNITS>| {
            let mut difference = *row;
            difference.subtract(other);
            difference
        };
        Box::new(Self {
            column_moves: column_move_rows(&inputs, &columns, player),
            columns,
            threats: THREATS.map(|first| cell_rows(&inputs, first)),
            moves: cell_rows(&inputs, MOVE),
            choices: std::array::from_fn(|number| inputs[CHOICES + number]),
            forced: std::array::from_fn(|number| {
                difference(&inputs[FORCED + number], &inputs[FORCED])
            }),
            bias: std::array::from_fn(|class| {
                sum([&inputs[HORIZON + class], &bias, &inputs[FORCED]])
            }),
            open_lines: if LINES { line_rows(&inputs) } else { Vec::new() },
            activation_floor: UnitRow(std::array::from_fn(|unit| {
                if unit % Self::PAIRS == Self::LINEAR_PAIR { i16::MIN } else { 0 }
            })),
            output_weights: Self::pair_row(weights, Self::OUTPUT),
            neighbours: neighbour_tables(&weights[Self::NEIGHBOURS..]),
        })
    }

    /// The row of every input: the second unit of a pair has the weights of the mirrored input.
    fn input_rows(weights: &[u8]) -> Vec<UnitRow<UNITS>> {
        let row = |input: usize| {
            let images = [input, mirrored(input)];
            UnitRow(std::array::from_fn(|unit| {
                let at = images[unit / Self::PAIRS] * Self::PAIRS + unit % Self::PAIRS;
                i16::from(weights[at].cast_signed())
            }))
        };
        (0..Self::INPUTS).map(row).collect()
    }

    /// A row of two-byte values that both units of a pair share.
    fn pair_row(weights: &[u8], first: usize) -> UnitRow<UNITS> {
        UnitRow(std::array::from_fn(|unit| {
            let at = first + 2 * (unit % Self::PAIRS);
            i16::from_le_bytes([weights[at], weights[at + 1]])
        }))
    }
}

/// The rows of the cells whose inputs start at `first`, by bit.
fn cell_rows<const UNITS: usize>(
    inputs: &[UnitRow<UNITS>],
    first: usize,
) -> CellRows<UnitRow<UNITS>> {
    std::array::from_fn(|bit| {
        let (column, height) = (bit / 8, bit % 8);
        if column < WIDTH && height < HEIGHT {
            inputs[first + column * HEIGHT + height]
        } else {
            UnitRow::ZERO
        }
    })
}

/// The rows of every content of every column: of its discs and its playable cell.
fn column_rows<const UNITS: usize>(inputs: &[UnitRow<UNITS>]) -> ColumnRows<UnitRow<UNITS>> {
    let mut columns = Box::new([[UnitRow::ZERO; 128]; 8]);
    for (column, rows) in columns.iter_mut().enumerate().take(WIDTH) {
        for (byte, row) in rows.iter_mut().enumerate().skip(1) {
            // The highest bit marks the playable cell. Below it, a set bit is a disc of W, and a
            // clear bit one of B.
            let (first, height) = (column * HEIGHT, byte.ilog2() as usize);
            for cell in 0..height {
                row.add(&inputs[DISCS[1 - (byte >> cell & 1)] + first + cell]);
            }
            if height < HEIGHT {
                row.add(&inputs[PLAYABLE + first + height]);
            }
        }
    }
    columns
}

/// What a move of the player changes, for every content of every column: its playable cell becomes
/// a disc, and the next cell playable. The row of the move itself is included.
fn column_move_rows<const UNITS: usize>(
    inputs: &[UnitRow<UNITS>],
    columns: &ColumnRows<UnitRow<UNITS>>,
    player: usize,
) -> ColumnRows<UnitRow<UNITS>> {
    let mut moves = Box::new([[UnitRow::ZERO; 128]; 8]);
    for (column, rows) in moves.iter_mut().enumerate().take(WIDTH) {
        for (byte, row) in rows.iter_mut().enumerate().take(1 << HEIGHT).skip(1) {
            let height = byte.ilog2() as usize;
            let marker = 1 << height;
            row.add(&columns[column][byte + [2 * marker, marker][player]]);
            row.subtract(&columns[column][byte]);
            row.add(&inputs[MOVE + column * HEIGHT + height]);
        }
    }
    moves
}

/// The rows of the states of all lines, after an empty one for a line open to neither player.
fn line_rows<const UNITS: usize>(inputs: &[UnitRow<UNITS>]) -> Vec<ByteUnitRow<UNITS>> {
    // Each is a single weight, so it fits.
    let bytes = |row: &UnitRow<UNITS>| ByteUnitRow(row.0.map(|weight| weight as i8));
    std::iter::once(&UnitRow::ZERO).chain(&inputs[OPEN_LINES..]).map(bytes).collect()
}

/// By the parity of the row, the direction and the pattern: the weight of the neighbours.
fn neighbour_tables(weights: &[u8]) -> [[[i8; PATTERNS]; 4]; 2] {
    let weight = |parity: usize, direction: usize, pattern: usize| {
        let horizontal = PATTERNS_BELOW + parity * PATTERNS;
        let diagonal = PATTERNS_BELOW + (2 + parity) * PATTERNS;
        let at = match direction {
            0 => pattern & 7 | (pattern >> NEIGHBOURS & 7) << 3,
            1 => horizontal + pattern,
            2 => diagonal + pattern,
            // A falling diagonal is the mirror image of a rising one.
            _ => diagonal + reversed(pattern),
        };
        weights[at].cast_signed()
    };
    std::array::from_fn(|parity| {
        std::array::from_fn(|direction| {
            std::array::from_fn(|pattern| weight(parity, direction, pattern))
        })
    })
}

/// A pattern of neighbours read from the other end.
fn reversed(pattern: usize) -> usize {
    let half = |bits: usize| {
        (0..NEIGHBOURS).fold(0, |turned, bit| turned | (bits >> bit & 1) << (NEIGHBOURS - 1 - bit))
    };
    half(pattern) | half(pattern >> NEIGHBOURS) << NEIGHBOURS
}
