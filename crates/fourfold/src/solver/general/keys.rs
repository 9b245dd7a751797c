//! The keys of positions in the transposition table. Two positions share a key only if they have the
//! same score: one is a symmetric image of the other, or they differ in the colours of dead discs
//! alone.
//!
//! A disc is *dead* if it lies in no shape that is still open to its owner. It cannot help him any
//! more and is a mere block, which its colour does not change (`docs/other-games.md` has the proof).
//! In a key a dead disc counts as one of each player.
//!
//! A key is a sum with a term for every disc. Under gravity a column is a number with a digit for
//! each of its discs, the lowest first: 1 for the first player, 2 for the second, so 3 for a dead
//! disc. With base 3 this is bijective numeration: no two columns are the same number, whatever
//! their heights. If these keys are too long, the base is 2, and dead discs keep their colours.
//! Without gravity there are two bits for every cell, one for each player.

use crate::game::{Cell, Position, Rules, Side, Symmetry, Word};

/// The keys of a position under all symmetries.
pub(super) type SymmetricKeys<const SYMMETRIES: usize> = [u128; SYMMETRIES];

/// How keys are made for some rules.
#[derive(Debug)]
pub(in super::super) struct Keys<const SYMMETRIES: usize> {
    /// By the bit of a cell and by player (0 moves first): what a disc adds to the key under each
    /// symmetry.
    steps: Vec<[SymmetricKeys<SYMMETRIES>; 2]>,
    bits: Option<u32>,
    has_dead: bool,
}

impl<const SYMMETRIES: usize> Keys<SYMMETRIES> {
    pub(super) fn new(rules: &Rules) -> Self {
        let (width, height, cells) = (rules.width(), rules.height(), rules.cells());
        let mut steps = vec![[[0; SYMMETRIES]; 2]; rules.bits() as usize];
        // The base, how many numbers a column can be, and the bits of a key.
        let under_gravity = |base: u128| {
            let columns = (0..=height).try_fold(0u128, |sum, discs| {
                base.checked_pow(discs).and_then(|power| sum.checked_add(power))
            })?;
            Some((base, columns, (columns.checked_pow(width)? - 1).ilog2() + 1))
        };
        let (base, columns, bits) = if rules.gravity() {
            under_gravity(3).or_else(|| under_gravity(2))
        } else {
            (2 * cells <= u128::BITS).then_some((0, 0, 2 * cells))
        }
        .map_or((0, 0, None), |(base, columns, bits)| (base, columns, Some(bits)));
        let has_dead = bits.is_some() && base != 2;
        if bits.is_none() {
            return Self { steps, bits, has_dead };
        }
        let symmetries = Symmetry::of(rules);
        for (column, row) in (0..width).flat_map(|column| (0..height).map(move |row| (column, row)))
        {
            let cell = Cell { column: column as u8, row: row as u8 };
            for image in 0..SYMMETRIES {
                // Boards with fewer symmetries repeat them.
                let to = symmetries[image % symmetries.len()].apply(cell, rules);
                let (column, row) = (u32::from(to.column), u32::from(to.row));
                let [first, second] = &mut steps[cell.bit(rules) as usize];
                (first[image], second[image]) = if rules.gravity() {
                    let digit = columns.pow(column) * base.pow(row);
                    (digit, 2 * digit)
                } else {
                    let bit = 1 << (column * height + row);
                    (bit, bit << cells)
                };
            }
        }
        Self { steps, bits, has_dead }
    }

    /// How many bits a key can have; `None` if the board is too large for keys, and thereby for a
    /// transposition table.
    pub(in super::super) fn bits(&self) -> Option<u32> {
        self.bits
    }

    /// Whether dead discs lose their colours.
    #[inline(always)]
    pub(super) fn have_dead_discs(&self) -> bool {
        self.has_dead
    }

    /// The keys of a position whose dead discs have their colours still.
    pub(super) fn of(&self, position: &Position) -> SymmetricKeys<SYMMETRIES> {
        let mut keys = [0; SYMMETRIES];
        for (player, side) in [Side::First, Side::Second].into_iter().enumerate() {
            for cell in position.discs(side).iter() {
                self.add_disc(&mut keys, cell.bit(position.rules()), player);
            }
        }
        keys
    }

    /// Adds a disc of a player (0 moves first) to the keys. If the other player's is there, it
    /// becomes a dead disc.
    #[inline(always)]
    pub(super) fn add_disc(&self, keys: &mut SymmetricKeys<SYMMETRIES>, bit: u32, player: usize) {
        let steps = &self.steps[bit as usize][player];
        for (key, &step) in keys.iter_mut().zip(steps) {
            *key = key.wrapping_add(step);
        }
    }

    /// Makes discs of a player dead, which they were not in the keys.
    // The engine for the browser should be small.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(super) fn make_dead<W: Word>(
        &self,
        keys: &mut SymmetricKeys<SYMMETRIES>,
        mut discs: W,
        player: usize,
    ) {
        while !discs.is_zero() {
            self.add_disc(keys, discs.trailing_zeros(), 1 - player);
            discs = discs.without_lowest();
        }
    }

    /// The canonical key: shared by all symmetric images of a position. (The side to move follows
    /// from the number of discs.)
    #[inline(always)]
    pub(super) fn canonical(keys: &SymmetricKeys<SYMMETRIES>) -> u128 {
        keys.iter().copied().fold(keys[0], u128::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Shape};
    use crate::random::Random;
    use crate::solver::general::GeneralBoard;
    use crate::solver::soundness::random_position;
    use std::collections::{BTreeSet, HashMap};

    const GAMES: [&str; 12] = [
        "4x4c3", "5x4c4", "4x5c4", "6x4c5", "5x5c5", "4x4s2", "5x4s2", "3x3c3f", "4x3c3f",
        "4x4c4f", "5x4c4f", "4x3s2f",
    ];

    fn rules(game: &str) -> Rules {
        game.parse().unwrap_or_else(|why| panic!("{game}: {why}"))
    }

    /// All shapes of a game, from its rules alone.
    fn shapes(rules: &Rules) -> Vec<Vec<Cell>> {
        let (width, height) = (rules.width() as i32, rules.height() as i32);
        let cells = (0..width).flat_map(|column| (0..height).map(move |row| (column, row)));
        let offsets: Vec<Vec<(i32, i32)>> = match rules.shape() {
            Shape::Line(n) => [(1, 0), (0, 1), (1, 1), (1, -1)]
                .map(|(x, y)| (0..n as i32).map(|k| (k * x, k * y)).collect())
                .to_vec(),
            Shape::Square(n) => {
                let side = 0..n as i32;
                vec![side.clone().flat_map(|x| side.clone().map(move |y| (x, y))).collect()]
            }
        };
        let on_board = |&(column, row): &(i32, i32)| {
            (0..width).contains(&column) && (0..height).contains(&row)
        };
        cells
            .flat_map(|(x, y)| offsets.iter().map(move |shape| (x, y, shape)))
            .map(|(x, y, shape)| shape.iter().map(|(dx, dy)| (x + dx, y + dy)).collect::<Vec<_>>())
            .filter(|shape| shape.iter().all(on_board))
            .map(|shape| {
                let cell = |&(x, y): &(i32, i32)| Cell { column: x as u8, row: y as u8 };
                shape.iter().map(cell).collect()
            })
            .collect()
    }

    /// What a key stands for, by the definition: the board with dead discs marked as such, in the
    /// first of its symmetric images.
    fn marked(position: &Position, shapes: &[Vec<Cell>]) -> String {
        let rules = position.rules();
        let mark = |cell: Cell| match position.at(cell) {
            None => '.',
            Some(side) => {
                let is_open = |shape: &&Vec<Cell>| {
                    shape.contains(&cell)
                        && shape.iter().all(|&cell| position.at(cell) != Some(side.other()))
                };
                if shapes.iter().any(|shape| is_open(&shape)) { side.letter() } else { '#' }
            }
        };
        let image = |symmetry: &Symmetry| {
            let mut board = vec![' '; rules.cells() as usize];
            for column in 0..rules.width() as u8 {
                for row in 0..rules.height() as u8 {
                    let to = symmetry.apply(Cell { column, row }, rules);
                    let index = u32::from(to.column) * rules.height() + u32::from(to.row);
                    board[index as usize] = mark(Cell { column, row });
                }
            }
            board.into_iter().collect::<String>()
        };
        Symmetry::of(rules).iter().map(image).min().unwrap_or_default()
    }

    fn canonical_key<const GRAVITY: bool, const SYMMETRIES: usize>(
        board: &GeneralBoard<u64, GRAVITY, SYMMETRIES>,
        position: &Position,
    ) -> u128 {
        let (own, opponent) = board.discs(position);
        let (player, dead) = ((position.ply() % 2) as usize, board.dead_discs(own, opponent));
        let mut keys = board.keys().of(position);
        board.keys().make_dead(&mut keys, dead & own, player);
        board.keys().make_dead(&mut keys, dead & opponent, 1 - player);
        Keys::canonical(&keys)
    }

    fn key(position: &Position) -> u128 {
        if position.rules().gravity() {
            canonical_key(&GeneralBoard::<u64, true, 2>::new(position.rules()), position)
        } else {
            canonical_key(&GeneralBoard::<u64, false, 8>::new(position.rules()), position)
        }
    }

    /// Random positions of a game in which nobody has won.
    fn positions(rules: &Rules, least: u32, seed: u64) -> impl Iterator<Item = Position> {
        let (rules, mut random) = (*rules, Random::new(seed));
        std::iter::from_fn(move || {
            let plies = least + random.below((rules.cells() - least) as usize) as u32;
            let careful = random.chance(0.5);
            Some(random_position(&rules, plies, careful, &mut random))
        })
        .flatten()
    }

    #[test]
    fn positions_share_a_key_if_they_are_the_same_but_for_dead_discs() {
        for game in GAMES {
            let rules = rules(game);
            let shapes = shapes(&rules);
            let (mut by_key, mut by_mark) = (HashMap::new(), HashMap::new());
            let mut different = BTreeSet::new();
            for position in positions(&rules, 0, 1).take(3000) {
                let (key, mark) = (key(&position), marked(&position, &shapes));
                assert_eq!(*by_key.entry(key).or_insert_with(|| mark.clone()), mark, "{position}");
                assert_eq!(*by_mark.entry(mark).or_insert(key), key, "{position}");
                different.insert(position.bits());
            }
            assert!(by_key.len() < different.len(), "{game}: {} keys", by_key.len());
        }
    }

    /// The value of a position for the side to move by plain search: larger for a sooner win.
    fn value(position: &Position) -> i32 {
        match position.outcome() {
            Outcome::Drawn => 0,
            Outcome::Won { .. } => -(1 + position.empty() as i32),
            Outcome::Ongoing => position
                .legal_moves()
                .into_iter()
                .map(|mv| -value(&position.play_unchecked(mv)))
                .max()
                .unwrap_or_default(),
        }
    }

    #[test]
    fn positions_that_differ_in_dead_discs_alone_have_the_same_score() {
        let mut compared = 0;
        for game in GAMES {
            let rules = rules(game);
            let least = rules.cells() - if rules.gravity() { 8 } else { 6 };
            for position in positions(&rules, least, 2).take(300) {
                let [first, second] =
                    [Side::First, Side::Second].map(|side| position.discs(side).bits());
                let bits =
                    |set: u128| (0..128).map(|bit| 1 << bit).filter(move |bit| set & bit != 0);
                // Two discs of different colours change places.
                for (one, other) in bits(first).flat_map(|one| bits(second).map(move |b| (one, b)))
                {
                    let swap = one | other;
                    let Ok(swapped) = Position::from_discs(rules, first ^ swap, second ^ swap)
                    else {
                        continue;
                    };
                    if swapped.outcome() == Outcome::Ongoing && key(&swapped) == key(&position) {
                        assert_eq!(value(&swapped), value(&position), "{position}\n{swapped}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 1000, "{compared} pairs");
    }
}
