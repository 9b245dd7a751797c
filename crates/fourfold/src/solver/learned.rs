//! Which move to try first on the board of seven columns and six rows, learned from what moves cost.
//!
//! Far from the deadline a wrong first move is dear, and what tells a good one is where it leads. A small network looks at the
//! position that a move leads to once forced moves are played out: discs, threats and playable cells of both players, each with a
//! row of weights, are added up in 32 units; what is above zero there counts, and so do the cells around the move in each
//! direction, by a table. There is one network for each part that a player can have, first or second, defender or attacker, in the
//! opening and later on.
//!
//! Units come in pairs that are mirror images of each other, so that the order never depends on left and right. Sums are whole
//! numbers, hence the same on every processor. Between the moves of a position little differs: the sums of the position are made
//! once, and each move adds what it changes. How the weights were found is told in `docs/solver.md`.

use super::field::Field;
use super::layout::Layout;
use super::opening::{Before, Reached};
use super::order::AROUND;
use crate::game::Word;
use std::sync::LazyLock;

/// The board that the weights are for.
const WIDTH: usize = 7;
const HEIGHT: usize = 6;

const PAIRS: usize = 16;
const UNITS: usize = 2 * PAIRS;

const CELLS: usize = WIDTH * HEIGHT;

/// Where what the units see begins, in the order of the weights: cells with W's discs, with B's, W's threats, B's threats, playable cells, the
/// cell of the move (column by column, from the bottom); how many moves the opponent has, or the player if it is his turn again,
/// up to seven; how many moves were forced, up to five; how many plies are left to the deadline, in classes.
const DISCS: [usize; 2] = [0, CELLS];
const THREATS: [usize; 2] = [2 * CELLS, 3 * CELLS];
const PLAYABLE: usize = 4 * CELLS;
const MOVE: usize = 5 * CELLS;
const CHOICES: usize = 6 * CELLS;
const FORCED: usize = CHOICES + 16;
const LEFT: usize = FORCED + 6;
const INPUTS: usize = LEFT + 8;

/// The ways six cells can be held; see [`Layout::around`]. Held by both: off the board.
const PATTERNS: usize = 1 << (2 * AROUND);

/// The weights of one network, a byte each: for every input and pair, where each pair begins, how each counts; then the worth of
/// the three cells below, of the cells across by the parity of the row, and of the cells on a diagonal by the same.
const SIZE: usize = INPUTS * PAIRS + 2 * PAIRS + BELOW + 4 * PATTERNS;

/// The ways the three cells below can be held.
const BELOW: usize = 64;

/// Inputs are in parts of 32, what units count in parts of 128, and the cells around a move in parts of 64.
const AROUND_UNIT: i32 = 32 * 128 / 64;

/// The pair that counts whatever its sign.
const LINEAR: usize = PAIRS - 1;

const NETWORKS: usize = 8;

static WEIGHTS: &[u8; NETWORKS * SIZE] = include_bytes!("learned.weights");

static LEARNED: LazyLock<[Box<Network>; NETWORKS]> =
    LazyLock::new(|| std::array::from_fn(|number| Network::new(&WEIGHTS[number * SIZE..][..SIZE])));

/// A value for each unit.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Row([i16; UNITS]);

impl Row {
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

    /// Adds the rows of the cells that were not there before, and takes away those that are there no more.
    #[inline(always)]
    fn change<W: Word>(&mut self, rows: &[Self; 64], before: W, now: W) {
        let mut come = now & !before;
        while !come.is_zero() {
            self.add(&rows[come.trailing_zeros() as usize % 64]);
            come = come.without_lowest();
        }
        let mut gone = before & !now;
        while !gone.is_zero() {
            self.subtract(&rows[gone.trailing_zeros() as usize % 64]);
            gone = gone.without_lowest();
        }
    }
}

/// The weights of one network, laid out for use.
#[derive(Debug)]
pub(super) struct Network {
    /// By column and what lies in it: its byte of the key, seen by W.
    columns: [[Row; 128]; 8],
    /// By player and bit.
    threats: [[Row; 64]; 2],
    moves: [Row; 64],
    choices: [Row; 16],
    forced: [Row; 6],
    left: [Row; 8],
    /// What counts of a unit at least.
    least: Row,
    counts: Row,
    /// By the parity of the row, the direction and the cells around.
    around: [[[i8; PATTERNS]; 4]; 2],
}

/// The networks for a board, if something was learned of it: those for later on, then those for the opening. In each, the first
/// and the second player who defends, then the two who attack.
pub(super) fn networks<L: Layout>(field: &Field<L>) -> Option<[[&'static Network; 4]; 2]> {
    // A byte a column, as the tables are laid out.
    let fits = L::ROOMY && (field.width as usize, field.height as usize) == (WIDTH, HEIGHT);
    fits.then(|| std::array::from_fn(|phase| std::array::from_fn(|part| &*LEARNED[4 * phase + part])))
}

/// The sums of a position before a move.
#[derive(Debug)]
pub(super) struct Sums<W> {
    sums: Row,
    key: u64,
    /// The genuine threats of the player, and of the opponent.
    threats: [W; 2],
}

impl Network {
    fn new(weights: &[u8]) -> Box<Self> {
        let weight = |at: usize| i16::from(weights[at].cast_signed());
        let mirrored = |input: usize| {
            let (kind, cell) = (input / CELLS, input % CELLS);
            if input < CHOICES {
                kind * CELLS + (WIDTH - 1 - cell / HEIGHT) * HEIGHT + cell % HEIGHT
            } else {
                input
            }
        };
        let row = |inputs: &[usize]| {
            Row(std::array::from_fn(|unit| {
                let input = |&input: &usize| if unit < PAIRS { input } else { mirrored(input) };
                inputs.iter().map(input).map(|input| weight(input * PAIRS + unit % PAIRS)).sum()
            }))
        };
        let pairs = |at: usize| Row(std::array::from_fn(|unit| weight(at + unit % PAIRS)));
        let begin = pairs(INPUTS * PAIRS);
        let by_bit = |first: usize| -> [Row; 64] {
            std::array::from_fn(|bit| {
                let (column, height) = (bit / 8, bit % 8);
                if column < WIDTH && height < HEIGHT {
                    row(&[first + column * HEIGHT + height])
                } else {
                    Row::ZERO
                }
            })
        };
        // The highest bit of a byte is the playable cell; below it a bit is a disc of W, else one of B.
        let column = |column: usize, byte: usize| {
            let height = byte.checked_ilog2()? as usize;
            let cell = |row: usize| column * HEIGHT + row;
            let disc = |row: usize| DISCS[1 - (byte >> row & 1)] + cell(row);
            let playable = (height < HEIGHT).then(|| PLAYABLE + cell(height));
            (column < WIDTH).then(|| row(&(0..height).map(disc).chain(playable).collect::<Vec<_>>()))
        };
        let around = (INPUTS + 2) * PAIRS;
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
        Box::new(Self {
            columns: std::array::from_fn(|at| {
                std::array::from_fn(|byte| column(at, byte).unwrap_or(Row::ZERO))
            }),
            threats: THREATS.map(by_bit),
            moves: by_bit(MOVE),
            choices: std::array::from_fn(|number| row(&[CHOICES + number])),
            forced: std::array::from_fn(|number| row(&[FORCED + number])),
            left: std::array::from_fn(|class| {
                let mut left = row(&[LEFT + class]);
                left.add(&begin);
                left
            }),
            least: Row(std::array::from_fn(|unit| if unit % PAIRS == LINEAR { i16::MIN } else { 0 })),
            counts: pairs((INPUTS + 1) * PAIRS),
            around: std::array::from_fn(|parity| {
                std::array::from_fn(|direction| {
                    std::array::from_fn(|pattern| worth(parity, direction, pattern))
                })
            }),
        })
    }

    /// The sums of a position, given the genuine threats of the side that moved last and the plies left to the deadline.
    #[inline(always)]
    pub(super) fn sums<L: Layout>(
        &self,
        field: &Field<L>,
        before: &Before<L::W>,
        threats: L::W,
        left: i32,
    ) -> Sums<L::W> {
        let Before { own, opponent, ply, .. } = *before;
        let key = key(field, own, opponent, ply);
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
            sums.add(self.column(column, key));
        }
        let player = (ply % 2) as usize;
        let threats = [field.completing(own) & !(own | opponent), threats];
        sums.change(&self.threats[player], L::W::ZERO, threats[0]);
        sums.change(&self.threats[1 - player], L::W::ZERO, threats[1]);
        Sums { sums, key, threats }
    }

    /// How early to try a move (higher is earlier) but for the cells around it, given the genuine threats after it and where it
    /// leads.
    #[inline(always)]
    pub(super) fn rank<L: Layout>(
        &self,
        field: &Field<L>,
        before: &Before<L::W>,
        sums: &Sums<L::W>,
        (mv, threats): (L::W, L::W),
        reached: &Reached<L::W>,
    ) -> i32 {
        let bit = mv.trailing_zeros();
        let player = (before.ply % 2) as usize;
        let (mover, other) = reached.discs;
        let key = key(field, mover, other, reached.ply);
        let mut row = sums.sums;
        let mut changed = key ^ sums.key;
        while changed != 0 {
            let column = changed.trailing_zeros() as usize / 8;
            changed &= !(0xff << (8 * column));
            row.add(self.column(column, key));
            row.subtract(self.column(column, sums.key));
        }
        let forced = (reached.ply - before.ply - 1) as usize;
        let threats = if forced == 0 {
            [threats, sums.threats[1] & !mv]
        } else {
            let (own, opponent) = if reached.again { (mover, other) } else { (other, mover) };
            let empty = !(mover | other);
            [field.completing(own) & empty, field.completing(opponent) & empty]
        };
        row.change(&self.threats[player], sums.threats[0], threats[0]);
        row.change(&self.threats[1 - player], sums.threats[1], threats[1]);
        row.add(&self.moves[bit as usize % 64]);
        row.add(&self.choices[8 * usize::from(reached.again) + (reached.safe.count_ones() as usize).min(7)]);
        row.add(&self.forced[forced.min(5)]);
        let mut rank = 0;
        for unit in 0..UNITS {
            rank += i32::from(row.0[unit].max(self.least.0[unit])) * i32::from(self.counts.0[unit]);
        }
        rank
    }

    /// What the cells around a move in a direction add to its rank, by the row of the move.
    #[inline(always)]
    pub(super) fn worth(&self, row: u32, direction: usize, around: usize) -> i32 {
        AROUND_UNIT * i32::from(self.around[(row % 2) as usize][direction][around % PATTERNS])
    }

    #[inline(always)]
    fn column(&self, column: usize, key: u64) -> &Row {
        &self.columns[column % 8][(key >> (8 * column)) as usize % 128]
    }
}

/// What lies in each column, seen by W.
#[inline(always)]
fn key<L: Layout>(field: &Field<L>, own: L::W, opponent: L::W, ply: i32) -> u64 {
    let white = if ply % 2 == 0 { own } else { opponent };
    (white | (own | opponent).wrapping_add(field.bottom)).widen() as u64
}

/// The cells around, seen from the other side.
fn reversed(pattern: usize) -> usize {
    let half =
        |bits: usize| (0..AROUND).fold(0, |turned, bit| turned | (bits >> bit & 1) << (AROUND - 1 - bit));
    half(pattern) | half(pattern >> AROUND) << AROUND
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Rules};
    use crate::random::Random;
    use crate::solver::layout::{Bytes, Packed};
    use crate::solver::soundness::random_position;

    fn field() -> Field<Bytes> {
        Field::new(&Rules::CONNECT_FOUR, Bytes)
    }

    fn before(field: &Field<Bytes>, position: &Position) -> (Before<u64>, u64) {
        let (own, opponent) = field.discs(position);
        let ply = position.ply() as i32;
        (Before { own, opponent, ply, useful: 0 }, field.completing(opponent) & !(own | opponent))
    }

    /// The ranks of the first of some moves, when the others follow by force.
    fn ranks(field: &Field<Bytes>, position: &Position, moves: &[u64], left: i32) -> Vec<i32> {
        let (before, threats) = before(field, position);
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
        let rank = |network: &Network| {
            let sums = network.sums(field, &before, threats, left);
            network.rank(field, &before, &sums, (moves[0], after), &reached)
        };
        LEARNED.iter().map(|network| rank(network)).collect()
    }

    /// Positions with moves to play from there, one or several of them.
    fn cases() -> Vec<(Position, Vec<u64>, i32)> {
        let (field, mut random) = (field(), Random::new(20));
        let mut cases = Vec::new();
        while cases.len() < 2000 {
            let plies = 8 + random.below(26) as u32;
            let Some(position) = random_position(&Rules::CONNECT_FOUR, plies, true, &mut random) else {
                continue;
            };
            let (own, opponent) = field.discs(&position);
            let (mut all, mut moves) = (own | opponent, Vec::new());
            for _ in 0..1 + random.below(3) {
                let playable = field.playable(all);
                let columns: Vec<u64> =
                    (0..7).map(|column| playable & field.column(column)).filter(|&mv| mv != 0).collect();
                let mv = columns[random.below(columns.len())];
                all |= mv;
                moves.push(mv);
            }
            cases.push((position, moves, 1 + random.below(30) as i32));
        }
        cases
    }

    #[test]
    fn what_a_move_changes_is_all_that_differs() {
        // The sums of the position that the moves lead to, made anew.
        let field = field();
        for (position, moves, left) in cases() {
            let (before, threats) = before(&field, &position);
            let (mut own, mut opponent) = (before.own, before.opponent);
            for &mv in &moves {
                (own, opponent) = (opponent, own | mv);
            }
            for (number, network) in LEARNED.iter().enumerate() {
                let sums = network.sums(&field, &before, threats, left);
                let there = Before { own, opponent, ply: before.ply + moves.len() as i32, useful: 0 };
                let now = field.completing(opponent) & !(own | opponent);
                let wanted = network.sums(&field, &there, now, left);
                let player = (before.ply % 2) as usize;
                let mut row = sums.sums;
                for column in 0..WIDTH {
                    row.add(network.column(column, wanted.key));
                    row.subtract(network.column(column, sums.key));
                }
                let [mine, theirs] = if moves.len().is_multiple_of(2) {
                    wanted.threats
                } else {
                    [wanted.threats[1], wanted.threats[0]]
                };
                row.change(&network.threats[player], sums.threats[0], mine);
                row.change(&network.threats[1 - player], sums.threats[1], theirs);
                assert_eq!(row.0, wanted.sums.0, "{moves:?}\n{position}");
                // And the rank is what these sums, the move and the numbers of moves give.
                row.add(&network.moves[moves[0].trailing_zeros() as usize]);
                let choices = field.playable(own | opponent).count_ones() as usize;
                row.add(&network.choices[choices + 8 * usize::from(moves.len().is_multiple_of(2))]);
                row.add(&network.forced[moves.len() - 1]);
                let count = |unit: usize| {
                    let sum = row.0[unit];
                    let sum = if unit % PAIRS == LINEAR { sum } else { sum.max(0) };
                    i32::from(sum) * i32::from(network.counts.0[unit])
                };
                let rank: i32 = (0..UNITS).map(count).sum();
                assert_eq!(ranks(&field, &position, &moves, left)[number], rank, "{moves:?}\n{position}");
            }
        }
    }

    #[test]
    fn mirror_images_have_the_same_ranks() {
        let field = field();
        for (position, moves, left) in cases() {
            let mirrored: Vec<u64> = moves.iter().map(|&mv| Bytes.mirror(mv, 7)).collect();
            let (here, there) =
                (ranks(&field, &position, &moves, left), ranks(&field, &position.mirror(), &mirrored, left));
            assert_eq!(here, there, "{moves:?}\n{position}");
        }
    }

    #[test]
    fn no_sum_leaves_its_range() {
        for network in LEARNED.iter() {
            let most = |rows: &[Row], unit: usize| {
                rows.iter().map(|row| i32::from(row.0[unit]).abs()).max().unwrap_or_default()
            };
            for unit in 0..UNITS {
                let columns: i32 = network.columns.iter().map(|rows| most(rows, unit)).sum();
                // No more than six threats of a player in a column, all at once.
                let threats: i32 =
                    network.threats.iter().flatten().map(|row| i32::from(row.0[unit]).abs()).sum();
                let others: i32 = [&network.moves[..], &network.choices, &network.forced, &network.left]
                    .iter()
                    .map(|rows| most(rows, unit))
                    .sum();
                // On the way a column may be there twice.
                assert!(2 * columns + threats + others < i32::from(i16::MAX), "unit {unit}");
            }
        }
    }

    #[test]
    fn nothing_is_learned_of_other_boards_and_layouts() {
        let rules: Rules = "7x7c4".parse().unwrap();
        assert!(networks(&Field::new(&rules, Bytes)).is_none());
        assert!(networks(&Field::new(&Rules::CONNECT_FOUR, Packed::<u64>::new(6))).is_none());
        assert!(networks(&field()).is_some());
    }
}
