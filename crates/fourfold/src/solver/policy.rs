//! Which move to try first on the board of seven columns and six rows, learned from what moves
//! cost.
//!
//! Far from the deadline a wrong first move is dear, and what tells a good one is where it leads. A
//! network looks at the position that a move leads to once forced moves are played out: discs,
//! threats and playable cells of both players, and if there is time the lines that are still open,
//! each with a row of weights, are added up in units; what is above zero there counts, and so do
//! the cells around the move in each direction, by a table. There is one network for each part that
//! a player can have, first or second, defender or attacker: a large one for the few nodes where
//! most is at stake, and a small one for others.
//!
//! Units come in pairs that are mirror images of each other, so that the order never depends on
//! left and right. Sums are whole numbers, hence the same on every processor. Between the moves of
//! a position little differs: the sums of the position are made once, and each move adds what it
//! changes. How the weights were found is told in `docs/solver.md`.

use super::field::Field;
use super::layout::{Bytes, Layout};
use super::opening::{Before, Reached};
use super::order::AROUND;
use crate::game::Word;
use std::sync::LazyLock;

/// The board that the weights are for.
const WIDTH: usize = 7;
const HEIGHT: usize = 6;

const CELLS: usize = WIDTH * HEIGHT;

/// Where what the units see begins, in the order of the weights: cells with W's discs, with B's,
/// W's threats, B's threats, playable cells, the cell of the move (column by column, from the
/// bottom); how many moves the opponent has, or the player if it is his turn again, up to seven;
/// how many moves were forced, up to five; how many plies are left to the deadline, in classes; and
/// for every line whether it holds one, two or three discs of W and none of B, or the other way
/// round.
const DISCS: [usize; 2] = [0, CELLS];
const THREATS: [usize; 2] = [2 * CELLS, 3 * CELLS];
const PLAYABLE: usize = 4 * CELLS;
const MOVE: usize = 5 * CELLS;
const CHOICES: usize = 6 * CELLS;
const FORCED: usize = CHOICES + 16;
const LEFT: usize = FORCED + 6;
const OPEN: usize = LEFT + 8;

/// The lines of four on the board.
const LINES: usize = 69;

/// What a line can hold that matters: 1 to 3 discs of W and none of B, or the other way round.
const KINDS: usize = 6;

/// By the number of discs of W and of B in a line: 0, or one more than the number of the kind.
/// Nothing foretells it, and a table needs no branches.
const KIND: [u8; 64] = {
    let mut kinds = [0; 64];
    let mut discs = 1;
    while discs < 4 {
        kinds[discs << 3] = discs as u8;
        kinds[discs] = 3 + discs as u8;
        discs += 1;
    }
    kinds
};

/// The cells of each line, as bits of [`super::layout::Bytes`].
const LINE_CELLS: [u64; LINES] = {
    let mut lines = [0; LINES];
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

/// By bit: the lines through a cell, as bits.
const LINES_THROUGH: [u128; 64] = {
    let mut through = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut line = 0;
        while line < LINES {
            through[bit] |= ((LINE_CELLS[line] >> bit & 1) as u128) << line;
            line += 1;
        }
        bit += 1;
    }
    through
};

/// The ways six cells can be held; see [`Layout::around`]. Held by both: off the board.
const PATTERNS: usize = 1 << (2 * AROUND);

/// The ways the three cells below can be held.
const BELOW: usize = 64;

/// Ranks are in parts of this once shifted to the right by [`SHIFT`], before in parts of what units
/// count. Weights are rounded in each unit on a scale of its own.
const PART: i32 = 2048;
const SHIFT: u32 = 4;

/// The cells around a move are in parts of 64.
const AROUND_UNIT: i32 = PART / 64;

/// The networks of each size.
const PARTS: usize = 4;

/// The units of small and of large networks.
pub(super) const SMALL: usize = 32;
pub(super) const LARGE: usize = 128;

/// Bytes of the weights.
const SIZE: usize = PARTS * (Network::<SMALL, false>::SIZE + Network::<LARGE, true>::SIZE);

/// The small networks, then the large ones.
#[cfg(feature = "weights")]
static WEIGHTS: Option<&[u8; SIZE]> = Some(include_bytes!("policy.weights"));
/// None in this build: every board has the tuned order.
#[cfg(not(feature = "weights"))]
static WEIGHTS: Option<&[u8; SIZE]> = None;

static LEARNED: LazyLock<Option<Learned>> = LazyLock::new(|| {
    let (small, large) = WEIGHTS?.split_at(PARTS * Network::<SMALL, false>::SIZE);
    Some(Learned { small: Network::parts(small), large: Network::parts(large) })
});

/// What was learned: for the first and the second player who defends, then the two who attack.
#[derive(Debug)]
pub(super) struct Learned {
    pub(super) small: [Box<Network<SMALL, false>>; PARTS],
    pub(super) large: [Box<Network<LARGE, true>>; PARTS],
}

/// What was learned of a board, if anything.
pub(super) fn learned<L: Layout>(field: &Field<L>) -> Option<&'static Learned> {
    // A byte a column, as the tables are laid out.
    let fits = L::ROOMY && (field.width as usize, field.height as usize) == (WIDTH, HEIGHT);
    if fits { LEARNED.as_ref() } else { None }
}

/// A value for each unit.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Row<const UNITS: usize>([i16; UNITS]);

/// The same for a single weight each: many are looked at, and fewer bytes are sooner there.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Thin<const UNITS: usize>([i8; UNITS]);

impl<const UNITS: usize> Row<UNITS> {
    const ZERO: Self = Self([0; UNITS]);

    // The weights are such that no sum leaves the range; a test says so.
    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].wrapping_add(other.0[unit]);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, other: &Self) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].wrapping_sub(other.0[unit]);
        }
    }

    #[inline(always)]
    fn add_thin(&mut self, other: &Thin<UNITS>) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].wrapping_add(i16::from(other.0[unit]));
        }
    }

    #[inline(always)]
    fn subtract_thin(&mut self, other: &Thin<UNITS>) {
        for unit in 0..UNITS {
            self.0[unit] = self.0[unit].wrapping_sub(i16::from(other.0[unit]));
        }
    }

    /// Adds the rows of cells. More than one are rare, and none has a row too: one row is added
    /// without a branch.
    #[inline(always)]
    fn add_cells<W: Word>(&mut self, rows: &ByCell<Self>, cells: W) {
        self.add(&rows[first(cells)]);
        let mut others = cells.without_lowest();
        while !others.is_zero() {
            self.add(&rows[first(others)]);
            others = others.without_lowest();
        }
    }
}

/// By bit, and last for no cell.
type ByCell<T> = [T; 65];

/// The first cell of a set in such a list.
#[inline(always)]
fn first(cells: impl Word) -> usize {
    (cells.trailing_zeros() as usize).min(64)
}

/// By column and what lies in it: its byte of a key.
type ByColumn<T> = Box<[[T; 128]; 8]>;

/// The weights of one network, laid out for use. `LINES_TOO`: does it look at lines?
#[derive(Debug)]
pub(super) struct Network<const UNITS: usize, const LINES_TOO: bool> {
    columns: ByColumn<Row<UNITS>>,
    /// What a move in a column adds.
    played: ByColumn<Row<UNITS>>,
    /// By player.
    threats: [ByCell<Row<UNITS>>; 2],
    moves: ByCell<Row<UNITS>>,
    choices: [Row<UNITS>; 16],
    /// More than if no move was forced.
    forced: [Row<UNITS>; 6],
    /// Where the units begin, with no forced move.
    left: [Row<UNITS>; 8],
    /// By [`Seen::open`]: nothing, then by line and what it holds; none if the network does not
    /// look at lines.
    lines: Vec<Thin<UNITS>>,
    /// What counts of a unit at least.
    least: Row<UNITS>,
    counts: Row<UNITS>,
    /// By the parity of the row, the direction and the cells around.
    around: [[[i8; PATTERNS]; 4]; 2],
}

/// The sums of a position before a move.
#[derive(Debug)]
pub(super) struct Sums<W, const UNITS: usize> {
    sums: Row<UNITS>,
    seen: Seen,
    /// The genuine threats of the player, and of the opponent.
    threats: [W; 2],
    /// The lines that hold discs of both, if the network looks at lines. Nothing changes there any
    /// more.
    dead: u128,
}

/// A position as W sees it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// What lies in each column: W's discs below a marker on the lowest empty cell.
    key: u64,
    /// W's discs, and B's.
    discs: [u64; 2],
}

impl Seen {
    #[inline(always)]
    fn new<L: Layout>(field: &Field<L>, own: L::W, opponent: L::W, ply: i32) -> Self {
        let (white, black) = if ply % 2 == 0 { (own, opponent) } else { (opponent, own) };
        let key = white | (own | opponent).wrapping_add(field.bottom);
        Self { key: key.widen() as u64, discs: [white.widen() as u64, black.widen() as u64] }
    }

    /// The number of what a line holds: 0 if that is nothing that matters.
    #[inline(always)]
    fn open(&self, line: usize) -> usize {
        let [white, black] = self.discs;
        let white = (white & LINE_CELLS[line]).count_ones() as usize;
        let black = (black & LINE_CELLS[line]).count_ones() as usize;
        let kind = usize::from(KIND[(white << 3 | black) % 64]);
        if kind == 0 { 0 } else { line * KINDS + kind }
    }
}

impl<const UNITS: usize, const LINES_TOO: bool> Network<UNITS, LINES_TOO> {
    const PAIRS: usize = UNITS / 2;

    const INPUTS: usize = if LINES_TOO { OPEN + LINES * KINDS } else { OPEN };

    /// The pair that counts whatever its sign.
    const LINEAR: usize = Self::PAIRS - 1;

    /// The weights of one network: for every input and pair, a byte each; where each pair begins
    /// and how each counts, two bytes each; then a byte each for the worth of the three cells
    /// below, of the cells across by the parity of the row, and of the cells on a diagonal by
    /// the same.
    const SIZE: usize = (Self::INPUTS + 4) * Self::PAIRS + BELOW + 4 * PATTERNS;

    fn parts(weights: &[u8]) -> [Box<Self>; PARTS] {
        std::array::from_fn(|part| Self::new(&weights[part * Self::SIZE..][..Self::SIZE], part % 2))
    }

    /// The network of a player, the first or the second.
    fn new(weights: &[u8], player: usize) -> Box<Self> {
        let weight = |at: usize| i16::from(weights[at].cast_signed());
        let rows: Vec<Row<UNITS>> = (0..Self::INPUTS)
            .map(|input| {
                let sides = [input, mirrored(input)];
                Row(std::array::from_fn(|unit| {
                    weight(sides[unit / Self::PAIRS] * Self::PAIRS + unit % Self::PAIRS)
                }))
            })
            .collect();
        let pairs = |first: usize| {
            Row(std::array::from_fn(|unit| {
                let at = first + 2 * (unit % Self::PAIRS);
                i16::from_le_bytes([weights[at], weights[at + 1]])
            }))
        };
        let begin = pairs(Self::INPUTS * Self::PAIRS);
        let by_cell = |first: usize| -> ByCell<Row<UNITS>> {
            std::array::from_fn(|bit| {
                let (column, height) = (bit / 8, bit % 8);
                if column < WIDTH && height < HEIGHT {
                    rows[first + column * HEIGHT + height]
                } else {
                    Row::ZERO
                }
            })
        };
        // The highest bit of a byte is the playable cell; below it a bit is a disc of W, else one
        // of B.
        let column = |column: usize, byte: usize| {
            let mut sum = Row::ZERO;
            if column < WIDTH && byte != 0 {
                let (first, height) = (column * HEIGHT, byte.ilog2() as usize);
                (0..height)
                    .for_each(|row| sum.add(&rows[DISCS[1 - (byte >> row & 1)] + first + row]));
                if height < HEIGHT {
                    sum.add(&rows[PLAYABLE + first + height]);
                }
            }
            sum
        };
        let mut columns = Box::new([[Row::ZERO; 128]; 8]);
        for (at, bytes) in columns.iter_mut().enumerate() {
            for (byte, row) in bytes.iter_mut().enumerate() {
                *row = column(at, byte);
            }
        }
        let mut played = Box::new([[Row::ZERO; 128]; 8]);
        for (at, bytes) in played.iter_mut().enumerate().take(WIDTH) {
            for (byte, row) in bytes.iter_mut().enumerate().take(1 << HEIGHT).skip(1) {
                // The playable cell becomes a disc of W or of B, and the one above it the playable
                // one.
                let height = byte.ilog2() as usize;
                let marker = 1 << height;
                row.add(&columns[at][byte + [2 * marker, marker][player]]);
                row.subtract(&columns[at][byte]);
                row.add(&rows[MOVE + at * HEIGHT + height]);
            }
        }
        // Single weights, as they were read.
        let thin = |row: &Row<UNITS>| Thin(row.0.map(|weight| weight as i8));
        let lines = std::iter::once(&Row::ZERO).chain(&rows[OPEN..]).map(thin);
        let around = (Self::INPUTS + 4) * Self::PAIRS;
        let worth = |parity: usize, direction: usize, pattern: usize| {
            let at = match direction {
                0 => pattern & 7 | (pattern >> AROUND & 7) << 3,
                1 => BELOW + parity * PATTERNS + pattern,
                2 => BELOW + (2 + parity) * PATTERNS + pattern,
                // A falling diagonal is the mirror image of a rising one.
                _ => BELOW + (2 + parity) * PATTERNS + reversed(pattern),
            };
            weights[around + at].cast_signed()
        };
        let is_linear = |unit: usize| unit % Self::PAIRS == Self::LINEAR;
        Box::new(Self {
            columns,
            played,
            threats: THREATS.map(by_cell),
            moves: by_cell(MOVE),
            choices: std::array::from_fn(|number| rows[CHOICES + number]),
            forced: std::array::from_fn(|number| {
                let mut forced = rows[FORCED + number];
                forced.subtract(&rows[FORCED]);
                forced
            }),
            left: std::array::from_fn(|class| {
                let mut left = rows[LEFT + class];
                left.add(&begin);
                left.add(&rows[FORCED]);
                left
            }),
            lines: if LINES_TOO { lines.collect() } else { Vec::new() },
            least: Row(std::array::from_fn(|unit| if is_linear(unit) { i16::MIN } else { 0 })),
            counts: pairs((Self::INPUTS + 2) * Self::PAIRS),
            around: std::array::from_fn(|parity| {
                std::array::from_fn(|direction| {
                    std::array::from_fn(|pattern| worth(parity, direction, pattern))
                })
            }),
        })
    }

    /// The sums of a position, given the genuine threats of the side that moved last and the plies
    /// left to the deadline.
    #[inline(always)]
    pub(super) fn sums<L: Layout>(
        &self,
        field: &Field<L>,
        before: &Before<L::W>,
        threats: L::W,
        left: i32,
    ) -> Sums<L::W, UNITS> {
        let Before { own, opponent, ply, .. } = *before;
        let seen = Seen::new(field, own, opponent, ply);
        let class = match left {
            ..=6 => 0,
            7..=8 => 1,
            9..=10 => 2,
            11..=12 => 3,
            13..=15 => 4,
            16..=19 => 5,
            20..=24 => 6,
            _ => 7,
        };
        let mut sums = self.left[class];
        for column in 0..WIDTH {
            sums.add(byte_of(&self.columns, column, seen.key));
        }
        let mut dead = 0;
        if LINES_TOO {
            let [white, black] = [lines_through(seen.discs[0]), lines_through(seen.discs[1])];
            dead = white & black;
            let mut held = white ^ black;
            while held != 0 {
                sums.add_thin(&self.lines[seen.open(held.trailing_zeros() as usize % LINES)]);
                held &= held - 1;
            }
        }
        let player = (ply % 2) as usize;
        let threats = [field.completing(own) & !(own | opponent), threats];
        sums.add_cells(&self.threats[player], threats[0]);
        sums.add_cells(&self.threats[1 - player], threats[1]);
        Sums { sums, seen, threats, dead }
    }

    /// How early to try a move (higher is earlier) but for the cells around it, given the genuine
    /// threats after it and where it leads.
    #[inline(always)]
    pub(super) fn rank<L: Layout>(
        &self,
        field: &Field<L>,
        before: &Before<L::W>,
        sums: &Sums<L::W, UNITS>,
        (mv, threats): (L::W, L::W),
        reached: &Reached<L::W>,
    ) -> i32 {
        let (mover, other) = reached.discs;
        let seen = Seen::new(field, mover, other, reached.ply);
        let mut row = sums.sums;
        if LINES_TOO {
            self.change_lines(&mut row, sums, &seen);
        }
        let [own_threats, other_threats] = &sums.threats;
        let [own_rows, other_rows] = if before.ply % 2 == 0 {
            self.threats.each_ref()
        } else {
            [&self.threats[1], &self.threats[0]]
        };
        let forced = (reached.ply - before.ply - 1) as usize;
        if forced == 0 {
            let bit = mv.trailing_zeros() as usize;
            row.add(byte_of(&self.played, bit / 8, sums.seen.key));
            // A move adds to its player's threats, and at most blocks one.
            row.add_cells(own_rows, threats & !*own_threats);
            row.subtract(&other_rows[first(*other_threats & mv)]);
        } else {
            let mut changed = seen.key ^ sums.seen.key;
            while changed != 0 {
                let column = changed.trailing_zeros() as usize / 8;
                changed &= !(0xff << (8 * column));
                row.add(byte_of(&self.columns, column, seen.key));
                row.subtract(byte_of(&self.columns, column, sums.seen.key));
            }
            row.add(&self.moves[first(mv)]);
            row.add(&self.forced[forced.min(5)]);
            let (own, opponent) = if reached.again { (mover, other) } else { (other, mover) };
            let empty = !(mover | other);
            for (rows, was, is) in [
                (own_rows, *own_threats, field.completing(own) & empty),
                (other_rows, *other_threats, field.completing(opponent) & empty),
            ] {
                row.add_cells(rows, is & !was);
                let mut gone = was & !is;
                while !gone.is_zero() {
                    row.subtract(&rows[first(gone)]);
                    gone = gone.without_lowest();
                }
            }
        }
        row.add(
            &self.choices
                [8 * usize::from(reached.again) + (reached.safe.count_ones() as usize).min(7)],
        );
        let mut rank = 0;
        for unit in 0..UNITS {
            rank += i32::from(row.0[unit].max(self.least.0[unit])) * i32::from(self.counts.0[unit]);
        }
        rank >> SHIFT
    }

    /// Takes away what the lines through new discs held, and adds what they hold now.
    #[inline(always)]
    fn change_lines<W>(&self, row: &mut Row<UNITS>, before: &Sums<W, UNITS>, now: &Seen) {
        let new = (now.discs[0] | now.discs[1]) & !(before.seen.discs[0] | before.seen.discs[1]);
        let mut lines = lines_through(new) & !before.dead;
        while lines != 0 {
            let line = lines.trailing_zeros() as usize % LINES;
            lines &= lines - 1;
            row.add_thin(&self.lines[now.open(line)]);
            row.subtract_thin(&self.lines[before.seen.open(line)]);
        }
    }

    /// What the cells around a move add to its rank, by the row of the move.
    #[inline(always)]
    pub(super) fn worth(&self, row: u32, around: [usize; 4]) -> i32 {
        let tables = &self.around[(row % 2) as usize];
        let mut worth = 0;
        for direction in 0..4 {
            worth += i32::from(tables[direction][around[direction] % PATTERNS]);
        }
        AROUND_UNIT * worth
    }
}

/// What is listed of a column of a key.
#[inline(always)]
fn byte_of<T>(listed: &ByColumn<T>, column: usize, key: u64) -> &T {
    &listed[column % 8][(key >> (8 * column)) as usize % 128]
}

/// The lines through any cell of a set, as bits.
#[inline(always)]
fn lines_through(mut set: u64) -> u128 {
    let mut lines = 0;
    while set != 0 {
        lines |= LINES_THROUGH[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    lines
}

/// The input that is another's mirror image.
fn mirrored(input: usize) -> usize {
    match input {
        ..CHOICES => {
            let (kind, cell) = (input / CELLS, input % CELLS);
            kind * CELLS + (WIDTH - 1 - cell / HEIGHT) * HEIGHT + cell % HEIGHT
        }
        OPEN.. => {
            let (line, kind) = ((input - OPEN) / KINDS, (input - OPEN) % KINDS);
            let image = Bytes.mirror(LINE_CELLS[line], WIDTH as u32);
            let line = LINE_CELLS.iter().position(|&cells| cells == image).unwrap_or(line);
            OPEN + line * KINDS + kind
        }
        _ => input,
    }
}

/// The cells around, seen from the other side.
fn reversed(pattern: usize) -> usize {
    let half = |bits: usize| {
        (0..AROUND).fold(0, |turned, bit| turned | (bits >> bit & 1) << (AROUND - 1 - bit))
    };
    half(pattern) | half(pattern >> AROUND) << AROUND
}

#[cfg(all(test, feature = "weights"))]
mod tests {
    use super::*;
    use crate::game::{Position, Rules};
    use crate::random::Random;
    use crate::solver::layout::Packed;
    use crate::solver::soundness::random_position;

    fn field() -> Field<Bytes> {
        Field::new(&Rules::CONNECT_FOUR, Bytes)
    }

    fn before(field: &Field<Bytes>, position: &Position) -> (Before<u64>, u64) {
        let (own, opponent) = field.discs(position);
        let ply = position.ply() as i32;
        (Before { own, opponent, ply, useful: 0 }, field.completing(opponent) & !(own | opponent))
    }

    /// Where moves lead from there, the first by choice and the others by force, with the threats
    /// after the first.
    fn reached(field: &Field<Bytes>, before: &Before<u64>, moves: &[u64]) -> (u64, Reached<u64>) {
        let (mut mover, mut other) = (before.opponent, before.own | moves[0]);
        let after = field.completing(other) & !(mover | other);
        for &mv in &moves[1..] {
            (mover, other) = (other, mover | mv);
        }
        let reached = Reached {
            discs: (mover, other),
            ply: before.ply + moves.len() as i32,
            safe: field.playable(mover | other),
            again: moves.len().is_multiple_of(2),
        };
        (after, reached)
    }

    /// The ranks of the first of some moves by the player's networks, when the others follow by
    /// force.
    fn ranks(field: &Field<Bytes>, position: &Position, moves: &[u64], left: i32) -> Vec<i32> {
        fn rank<const UNITS: usize, const LINES_TOO: bool>(
            networks: &[Box<Network<UNITS, LINES_TOO>>],
            field: &Field<Bytes>,
            (before, threats): (&Before<u64>, u64),
            (mv, left): (u64, i32),
            (after, reached): &(u64, Reached<u64>),
        ) -> Vec<i32> {
            let rank = |network: &Network<UNITS, LINES_TOO>| {
                let sums = network.sums(field, before, threats, left);
                network.rank(field, before, &sums, (mv, *after), reached)
            };
            networks
                .iter()
                .skip(before.ply as usize % 2)
                .step_by(2)
                .map(|network| rank(network))
                .collect()
        }
        let (before, threats) = before(field, position);
        let reached = reached(field, &before, moves);
        let (before, mv) = ((&before, threats), (moves[0], left));
        let mut ranks = rank(&LEARNED.as_ref().unwrap().small, field, before, mv, &reached);
        ranks.extend(rank(&LEARNED.as_ref().unwrap().large, field, before, mv, &reached));
        ranks
    }

    /// What the units see of the first of some moves, as the list of inputs says it.
    fn inputs(field: &Field<Bytes>, position: &Position, moves: &[u64], left: i32) -> Vec<usize> {
        let (before, _) = before(field, position);
        let (_, Reached { discs: (mover, other), ply, safe, again }) =
            reached(field, &before, moves);
        let [white, black] = if ply % 2 == 0 { [mover, other] } else { [other, mover] };
        let empty = !(white | black);
        let cells = |first: usize, set: u64| {
            let bits = (0..64).filter(move |bit| set >> bit & 1 == 1);
            bits.map(move |bit| first + bit / 8 * HEIGHT + bit % 8)
        };
        let mut inputs = Vec::new();
        inputs.extend(cells(DISCS[0], white));
        inputs.extend(cells(DISCS[1], black));
        inputs.extend(cells(THREATS[0], field.completing(white) & empty));
        inputs.extend(cells(THREATS[1], field.completing(black) & empty));
        inputs.extend(cells(PLAYABLE, field.playable(white | black)));
        inputs.extend(cells(MOVE, moves[0]));
        inputs.push(CHOICES + 8 * usize::from(again) + safe.count_ones() as usize);
        inputs.push(FORCED + moves.len() - 1);
        inputs.push(LEFT + [6, 8, 10, 12, 15, 19, 24].iter().filter(|&&most| left > most).count());
        for (line, cells) in LINE_CELLS.iter().enumerate() {
            match ((cells & white).count_ones() as usize, (cells & black).count_ones() as usize) {
                (held @ 1..=3, 0) => inputs.push(OPEN + line * KINDS + held - 1),
                (0, held @ 1..=3) => inputs.push(OPEN + line * KINDS + 2 + held),
                _ => {}
            }
        }
        inputs
    }

    /// The ranks that the bytes of a player's weights give for these inputs, by the book.
    fn ranks_of_bytes(player: usize, inputs: &[usize]) -> Vec<i32> {
        let of = |weights: &[u8], inputs_seen: usize, units: usize| {
            let pairs = units / 2;
            let weight = |at: usize| i32::from(weights[at].cast_signed());
            let wide = |at: usize| i32::from(i16::from_le_bytes([weights[at], weights[at + 1]]));
            let unit = |unit: usize| {
                let (pair, image) = (unit % pairs, unit >= pairs);
                let seen = inputs.iter().filter(|&&input| input < inputs_seen);
                let input = |&input: &usize| if image { mirrored(input) } else { input };
                let sum: i32 = seen.map(|at| weight(input(at) * pairs + pair)).sum();
                let sum = sum + wide(inputs_seen * pairs + 2 * pair);
                let counted = if pair == pairs - 1 { sum } else { sum.max(0) };
                counted * wide((inputs_seen + 2) * pairs + 2 * pair)
            };
            (0..units).map(unit).sum::<i32>() >> SHIFT
        };
        let weights = WEIGHTS.expect("the feature is on");
        let (small, large) = weights.split_at(PARTS * Network::<SMALL, false>::SIZE);
        let small = small.chunks(Network::<SMALL, false>::SIZE).map(|bytes| of(bytes, OPEN, SMALL));
        let large = large
            .chunks(Network::<LARGE, true>::SIZE)
            .map(|bytes| of(bytes, OPEN + LINES * KINDS, LARGE));
        small.skip(player).step_by(2).chain(large.skip(player).step_by(2)).collect()
    }

    /// Positions where the player cannot win at once, with moves to play from there, one or several
    /// of them.
    fn cases() -> Vec<(Position, Vec<u64>, i32)> {
        let (field, mut random) = (field(), Random::new(20));
        let mut cases = Vec::new();
        while cases.len() < 2000 {
            let plies = 8 + random.below(26) as u32;
            let Some(position) = random_position(&Rules::CONNECT_FOUR, plies, true, &mut random)
            else {
                continue;
            };
            let (own, opponent) = field.discs(&position);
            let (mut all, mut moves) = (own | opponent, Vec::new());
            if !(field.completing(own) & field.playable(all)).is_zero() {
                continue;
            }
            for _ in 0..1 + random.below(3) {
                let playable = field.playable(all);
                let columns: Vec<u64> = (0..7)
                    .map(|column| playable & field.column(column))
                    .filter(|&mv| mv != 0)
                    .collect();
                let mv = columns[random.below(columns.len())];
                all |= mv;
                moves.push(mv);
            }
            cases.push((position, moves, 1 + random.below(30) as i32));
        }
        cases
    }

    #[test]
    fn ranks_are_what_the_inputs_give() {
        let field = field();
        for (position, moves, left) in cases() {
            let player = position.ply() as usize % 2;
            let wanted = ranks_of_bytes(player, &inputs(&field, &position, &moves, left));
            assert_eq!(ranks(&field, &position, &moves, left), wanted, "{moves:?}\n{position}");
        }
    }

    #[test]
    fn mirror_images_have_the_same_ranks() {
        let field = field();
        for (position, moves, left) in cases() {
            let mirrored: Vec<u64> = moves.iter().map(|&mv| Bytes.mirror(mv, 7)).collect();
            let (here, there) = (
                ranks(&field, &position, &moves, left),
                ranks(&field, &position.mirror(), &mirrored, left),
            );
            assert_eq!(here, there, "{moves:?}\n{position}");
        }
    }

    #[test]
    fn no_sum_leaves_its_range() {
        fn check<const UNITS: usize, const LINES_TOO: bool>(network: &Network<UNITS, LINES_TOO>) {
            let most = |rows: &[Row<UNITS>], unit: usize| {
                rows.iter().map(|row| i32::from(row.0[unit]).abs()).max().unwrap_or_default()
            };
            let mut rank = 0;
            for unit in 0..UNITS {
                let columns: i32 = network.columns.iter().map(|rows| most(rows, unit)).sum();
                // No more than six threats of a player in a column, all at once.
                let threats: i32 =
                    network.threats.iter().flatten().map(|row| i32::from(row.0[unit]).abs()).sum();
                // Every line holds what weighs most.
                let open = network.lines.get(1..).unwrap_or_default().chunks(KINDS);
                let weighs = |row: &Thin<UNITS>| i32::from(row.0[unit]).abs();
                let lines: i32 =
                    open.map(|kinds| kinds.iter().map(weighs).max().unwrap_or_default()).sum();
                let others: i32 =
                    [&network.moves[..], &network.choices, &network.forced, &network.left]
                        .iter()
                        .map(|rows| most(rows, unit))
                        .sum();
                // On the way a column or a line may be there twice.
                let sum = 2 * (columns + lines) + threats + others;
                assert!(sum < i32::from(i16::MAX), "unit {unit}");
                rank += i64::from(sum) * i64::from(network.counts.0[unit].unsigned_abs());
            }
            assert!(rank < i64::from(i32::MAX) && rank >> SHIFT < 1 << 24, "{rank}");
        }
        LEARNED.as_ref().unwrap().small.iter().for_each(|network| check(network));
        LEARNED.as_ref().unwrap().large.iter().for_each(|network| check(network));
    }

    #[test]
    fn nothing_is_learned_of_other_boards_and_layouts() {
        let rules: Rules = "7x7c4".parse().unwrap();
        assert!(learned(&Field::new(&rules, Bytes)).is_none());
        assert!(learned(&Field::new(&Rules::CONNECT_FOUR, Packed::<u64>::new(6))).is_none());
        assert!(learned(&field()).is_some());
    }
}
