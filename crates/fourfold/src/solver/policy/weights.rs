//! Loads the quantised weights of the policy networks and lays them out for fast lookup.

use super::inputs::{CHOICES, FORCED, HORIZONS, InputMap, LINE_STATES};
use super::rows::{ByteUnitRow, CellRows, ColumnRows, UnitRow};
use super::{OUTPUT_SHIFT, PATTERNS, PolicyNetwork, ROLES};
use crate::solver::layout::NEIGHBOURS;

/// The patterns of the three neighbours below a cell.
const PATTERNS_BELOW: usize = 1 << NEIGHBOURS;

/// The weights of the neighbours: of the patterns of the three below, of the horizontal ones by the
/// parity of the row, and of the diagonal ones by the same.
pub(super) const NEIGHBOUR_WEIGHTS: usize = PATTERNS_BELOW + 4 * PATTERNS;

/// Ranks stay below this, so that neighbours and history may be added.
const RANK_LIMIT: i64 = (1 << 24) - (1 << 16);

impl<const UNITS: usize, const LINES: bool> PolicyNetwork<UNITS, LINES> {
    /// Pairs of hidden units that are mirror images of each other: unit n and unit n + `PAIRS`.
    pub(super) const PAIRS: usize = UNITS / 2;

    /// The pair that is linear; all others have a ReLU.
    pub(super) const LINEAR_PAIR: usize = Self::PAIRS - 1;

    /// The bytes of the stored weights: a byte per input and pair; two bytes per pair for its bias,
    /// and two for its output weight; then a byte for each of the [`NEIGHBOUR_WEIGHTS`].
    pub(super) fn bytes(map: &InputMap) -> usize {
        Self::neighbours_at(map) + NEIGHBOUR_WEIGHTS
    }

    fn bias_at(map: &InputMap) -> usize {
        map.count(LINES) * Self::PAIRS
    }

    fn output_at(map: &InputMap) -> usize {
        Self::bias_at(map) + 2 * Self::PAIRS
    }

    fn neighbours_at(map: &InputMap) -> usize {
        Self::output_at(map) + 2 * Self::PAIRS
    }

    /// The networks of all roles from their stored weights.
    pub(super) fn by_role(weights: &[u8], map: &InputMap) -> [Box<Self>; ROLES] {
        let bytes = Self::bytes(map);
        let mirrored = map.mirrored();
        std::array::from_fn(|role| {
            Self::load(&weights[role * bytes..][..bytes], role % 2, map, &mirrored)
        })
    }

    /// The network of a player (0 moves first) from its stored weights.
    fn load(weights: &[u8], player: usize, map: &InputMap, mirrored: &[usize]) -> Box<Self> {
        let inputs = Self::input_rows(weights, map, mirrored);
        let bias = Self::pair_row(weights, Self::bias_at(map));
        let columns = column_rows(&inputs, map);
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
        let forced = &inputs[map.forced()..][..FORCED];
        let horizon = &inputs[map.horizon()..][..HORIZONS];
        Box::new(Self {
            column_moves: column_move_rows(&inputs, &columns, player, map),
            columns,
            threats: [0, 1].map(|player| cell_rows(&inputs, map.threats(player), map)),
            moves: cell_rows(&inputs, map.mv(), map),
            choices: std::array::from_fn(|number| inputs[map.choices() + number]),
            forced: std::array::from_fn(|number| difference(&forced[number], &forced[0])),
            bias: std::array::from_fn(|class| sum([&horizon[class], &bias, &forced[0]])),
            open_lines: if LINES { line_rows(&inputs[map.open_lines()..]) } else { Vec::new() },
            activation_floor: UnitRow(std::array::from_fn(|unit| {
                if unit % Self::PAIRS == Self::LINEAR_PAIR { i16::MIN } else { 0 }
            })),
            output_weights: Self::pair_row(weights, Self::output_at(map)),
            neighbours: neighbour_tables(&weights[Self::neighbours_at(map)..]),
        })
    }

    /// The row of every input: the second unit of a pair has the weights of the mirrored input.
    fn input_rows(weights: &[u8], map: &InputMap, mirrored: &[usize]) -> Vec<UnitRow<UNITS>> {
        let mut rows = vec![UnitRow::ZERO; map.count(LINES)];
        for (input, row) in rows.iter_mut().enumerate() {
            let images = [input, mirrored[input]];
            for (units, image) in row.0.chunks_exact_mut(Self::PAIRS).zip(images) {
                let stored = &weights[image * Self::PAIRS..][..Self::PAIRS];
                for (unit, &weight) in units.iter_mut().zip(stored) {
                    *unit = i16::from(weight.cast_signed());
                }
            }
        }
        rows
    }

    /// A row of two-byte values that both units of a pair share.
    fn pair_row(weights: &[u8], first: usize) -> UnitRow<UNITS> {
        UnitRow(std::array::from_fn(|unit| two_bytes(weights, first + 2 * (unit % Self::PAIRS))))
    }

    /// Whether no sum of the stored weights of a network can overflow: those of the units, 16 bits
    /// wide, even while an update has counted a column or a line twice, and the rank.
    pub(super) fn is_in_range(weights: &[u8], map: &InputMap) -> bool {
        let mut rank = 0;
        for pair in 0..Self::PAIRS {
            let weight = |input: usize| i64::from(weights[input * Self::PAIRS + pair] as i8);
            let size = |input: usize| weight(input).abs();
            let max = |first: usize, count: usize| {
                (first..first + count).map(size).max().unwrap_or_default()
            };
            let columns: i64 = (0..map.width).map(|column| column_size(column, map, weight)).sum();
            let threats: i64 = (map.threats(0)..map.playable()).map(size).sum();
            let lines: i64 = (map.open_lines()..map.count(LINES))
                .step_by(LINE_STATES)
                .map(|first| max(first, LINE_STATES))
                .sum();
            let cells = map.choices() - map.mv();
            let others = max(map.mv(), cells)
                + max(map.choices(), CHOICES)
                + 3 * max(map.forced(), FORCED)
                + max(map.horizon(), HORIZONS)
                + i64::from(two_bytes(weights, Self::bias_at(map) + 2 * pair)).abs();
            let sum = 2 * (columns + lines) + threats + others;
            if sum >= i64::from(i16::MAX) {
                return false;
            }
            let output = i64::from(two_bytes(weights, Self::output_at(map) + 2 * pair));
            rank += 2 * sum * output.abs();
        }
        rank < i64::from(i32::MAX) && rank >> OUTPUT_SHIFT < RANK_LIMIT
    }
}

fn two_bytes(weights: &[u8], at: usize) -> i16 {
    i16::from_le_bytes([weights[at], weights[at + 1]])
}

/// The largest size of the sum of a unit's weights over any content of a column.
fn column_size(column: usize, map: &InputMap, weight: impl Fn(usize) -> i64) -> i64 {
    let (mut least, mut most, mut size) = (0, 0, 0);
    for row in 0..=map.height {
        let cell = column * map.height + row;
        let playable = if row < map.height { weight(map.playable() + cell) } else { 0 };
        size = size.max((least + playable).abs()).max((most + playable).abs());
        if row < map.height {
            let discs = [weight(map.discs(0) + cell), weight(map.discs(1) + cell)];
            least += discs[0].min(discs[1]);
            most += discs[0].max(discs[1]);
        }
    }
    size
}

/// The rows of the cells whose inputs start at `first`, by bit.
fn cell_rows<const UNITS: usize>(
    inputs: &[UnitRow<UNITS>],
    first: usize,
    map: &InputMap,
) -> CellRows<UnitRow<UNITS>> {
    std::array::from_fn(|bit| map.cell(bit).map_or(UnitRow::ZERO, |cell| inputs[first + cell]))
}

/// The rows of every content of every column: of its discs and its playable cell.
fn column_rows<const UNITS: usize>(
    inputs: &[UnitRow<UNITS>],
    map: &InputMap,
) -> ColumnRows<UnitRow<UNITS>> {
    ColumnRows::new((map.width, map.height), UnitRow::ZERO, |column, rows| {
        let first = column * map.height;
        // The highest bit of a content marks the playable cell. Below it, a set bit is a disc of W,
        // and a clear bit one of B. Without its topmost disc it is a content that came before.
        for content in 2..rows.len() {
            let top = content.ilog2() as usize - 1;
            let marker = 1 << top;
            let mut row = rows[content & (marker - 1) | marker];
            row.add(&inputs[map.discs(1 - (content >> top & 1)) + first + top]);
            rows[content] = row;
        }
        for (content, row) in rows.iter_mut().enumerate().skip(1) {
            let filled = content.ilog2() as usize;
            if filled < map.height {
                row.add(&inputs[map.playable() + first + filled]);
            }
        }
    })
}

/// What a move of the player changes, for every content of every column: its playable cell becomes
/// a disc, and the next cell playable. The row of the move itself is included.
fn column_move_rows<const UNITS: usize>(
    inputs: &[UnitRow<UNITS>],
    columns: &ColumnRows<UnitRow<UNITS>>,
    player: usize,
    map: &InputMap,
) -> ColumnRows<UnitRow<UNITS>> {
    ColumnRows::new((map.width, map.height), UnitRow::ZERO, |column, rows| {
        for (content, row) in rows.iter_mut().enumerate().take(1 << map.height).skip(1) {
            let filled = content.ilog2() as usize;
            let marker = 1 << filled;
            row.add(columns.of(column, content + [2 * marker, marker][player]));
            row.subtract(columns.of(column, content));
            row.add(&inputs[map.mv() + column * map.height + filled]);
        }
    })
}

/// The rows of the states of all lines, after an empty one for a line open to neither player.
fn line_rows<const UNITS: usize>(lines: &[UnitRow<UNITS>]) -> Vec<ByteUnitRow<UNITS>> {
    let mut rows = vec![ByteUnitRow([0; UNITS]); lines.len() + 1];
    for (bytes, row) in rows[1..].iter_mut().zip(lines) {
        for (byte, &weight) in bytes.0.iter_mut().zip(&row.0) {
            // A single weight, so it fits.
            *byte = weight as i8;
        }
    }
    rows
}

/// By the parity of the row, the direction and the pattern: the weight of the neighbours.
fn neighbour_tables(weights: &[u8]) -> [[[i8; PATTERNS]; 4]; 2] {
    std::array::from_fn(|parity| {
        std::array::from_fn(|direction| {
            std::array::from_fn(|pattern| {
                weights[neighbour_at(parity, direction, pattern)].cast_signed()
            })
        })
    })
}

/// Which of the [`NEIGHBOUR_WEIGHTS`] applies to a pattern.
pub(super) fn neighbour_at(parity: usize, direction: usize, pattern: usize) -> usize {
    let horizontal = PATTERNS_BELOW + parity * PATTERNS;
    let diagonal = PATTERNS_BELOW + (2 + parity) * PATTERNS;
    match direction {
        0 => pattern & 7 | (pattern >> NEIGHBOURS & 7) << 3,
        1 => horizontal + pattern,
        2 => diagonal + pattern,
        // A falling diagonal is the mirror image of a rising one.
        _ => diagonal + reversed(pattern),
    }
}

/// The weight of the same pattern on rows of the other parity.
pub(super) fn neighbour_parity_swapped(at: usize) -> usize {
    match at.checked_sub(PATTERNS_BELOW) {
        None => at,
        Some(at) => PATTERNS_BELOW + ((at / PATTERNS) ^ 1) * PATTERNS + at % PATTERNS,
    }
}

/// Of two horizontal patterns that mirror each other, the one whose weight both have.
pub(super) fn symmetric_neighbour(at: usize) -> usize {
    if !(PATTERNS_BELOW..PATTERNS_BELOW + 2 * PATTERNS).contains(&at) {
        return at;
    }
    let pattern = (at - PATTERNS_BELOW) % PATTERNS;
    at - pattern + pattern.min(reversed(pattern))
}

/// A pattern of neighbours read from the other end.
fn reversed(pattern: usize) -> usize {
    let half = |bits: usize| usize::from(REVERSED[bits % PATTERNS_BELOW]);
    half(pattern) | half(pattern >> NEIGHBOURS) << NEIGHBOURS
}

/// The neighbours that one player has, read from the other end.
const REVERSED: [u8; 1 << NEIGHBOURS] = {
    let mut reversed = [0; 1 << NEIGHBOURS];
    let mut bits = 0;
    while bits < reversed.len() {
        reversed[bits] = (bits as u8).reverse_bits() >> (u8::BITS - NEIGHBOURS);
        bits += 1;
    }
    reversed
};
