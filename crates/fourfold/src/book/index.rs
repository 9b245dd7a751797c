//! A perfect index of the positions with few discs, so that a table of scores needs no keys.
//! (Ranks of combinations are those of the combinatorial number system.)
//!
//! With gravity a position with n discs is the heights of its columns, and which of the n discs
//! (column by column, from the bottom) belong to the side to move. Both have a rank: heights among
//! all heights with that sum, the choice of n / 2 discs among all such choices. On 7x6 with 8 discs
//! that makes 3,003 x 70 indices, 87% of which are reached in play: the table has few gaps. Heights
//! and their mirror image share a rank, which halves it.
//!
//! Without gravity the rank of the heights is replaced by the rank of the set of cells that hold
//! discs.

use crate::game::{Position, Rules, Word};

/// The most plies a book may have: choices of discs are ranked by a table with a place for each of
/// 2^plies.
pub(super) const MOST_PLIES: u32 = 16;

/// The most values a book may have.
const MOST_VALUES: u64 = 1 << 32;

/// Maps positions to indices into the table of scores.
#[derive(Debug, Clone)]
pub(super) struct Index {
    rules: Rules,
    plies: u32,
    /// One for each number of discs, from none.
    levels: Vec<Level>,
    /// With gravity, for each column, number of discs and height: how many ways to stack the discs
    /// in this column and those right of it put fewer than `height` into this one. See
    /// [`Index::rank_of_heights`].
    below: Vec<u32>,
    values: usize,
}

/// The positions with some number of discs.
#[derive(Debug, Clone)]
struct Level {
    /// The number of the first.
    first: usize,
    /// How many choices of the discs of the side to move there are.
    choices: usize,
    /// The rank of each choice.
    ranks: Vec<u16>,
    /// With gravity: for each rank of heights, twice the rank that they share with their mirror
    /// image, odd if it is the mirror image that is looked up.
    heights: Vec<u32>,
}

impl Index {
    /// The number of indices for positions with at most `plies` discs; none if there are too many,
    /// or if there is no such ply.
    pub(super) fn size(rules: &Rules, plies: u32) -> Option<u64> {
        if plies > MOST_PLIES || plies >= rules.cells() {
            return None;
        }
        let size = (0..=plies).try_fold(0u64, |size, discs| {
            let here = arrangements(rules, discs)?.checked_mul(choices(discs)?)?;
            size.checked_add(here)
        });
        size.filter(|&size| size <= MOST_VALUES)
    }

    /// The index of positions with at most `plies` discs; none if [`Index::size`] is none.
    pub(super) fn new(rules: &Rules, plies: u32) -> Option<Self> {
        let values = usize::try_from(Self::size(rules, plies)?).ok()?;
        let below = if rules.gravity() { below(rules, plies) } else { Vec::new() };
        let mut index = Self { rules: *rules, plies, levels: Vec::new(), below, values };
        let mut first = 0;
        for discs in 0..=plies {
            let choices = choices(discs)? as usize;
            let heights = if rules.gravity() { index.shared_ranks(discs) } else { Vec::new() };
            index.levels.push(Level { first, choices, ranks: choice_ranks(discs), heights });
            first += arrangements(rules, discs)? as usize * choices;
        }
        Some(index)
    }

    /// The number of indices.
    pub(super) fn len(&self) -> usize {
        self.values
    }

    /// The largest number of discs of a position in the index.
    pub(super) fn plies(&self) -> u32 {
        self.plies
    }

    /// The index of a position of this game; none if it has too many discs.
    #[inline]
    pub(super) fn of(&self, position: &Position) -> Option<usize> {
        let (own, all) = position.bits();
        self.of_discs(own, all)
    }

    /// The same from the discs of the side to move and all discs.
    #[inline]
    pub(super) fn of_discs(&self, own: u128, all: u128) -> Option<usize> {
        let level = self.levels.get(all.count_ones() as usize)?;
        let (arrangement, choice) = if self.below.is_empty() {
            (rank_of_set(all, &self.rules), gather(own, all))
        } else if self.rules.bits() <= u64::BITS {
            self.stacked(level, own as u64, all as u64)
        } else {
            self.stacked(level, own, all)
        };
        Some(level.first + arrangement * level.choices + usize::from(level.ranks[choice]))
    }

    /// The rank of the heights, and the side to move's discs among all as bits, column by column.
    #[inline(always)]
    fn stacked<W: Word>(&self, level: &Level, own: W, all: W) -> (usize, usize) {
        let (width, stride) = (self.rules.width(), self.rules.stride());
        let height = |column: u32| (!(all >> (column * stride))).trailing_zeros();
        let shared = level.heights[self.rank_of_heights(height, all.count_ones())];
        let (mut choice, mut at) = (0, 0);
        let mut add = |column: u32| {
            let height = height(column);
            let discs = (own >> (column * stride)).widen() as usize & ((1 << height) - 1);
            choice |= discs << at;
            at += height;
        };
        if shared & 1 == 0 {
            (0..width).for_each(&mut add);
        } else {
            (0..width).rev().for_each(&mut add);
        }
        ((shared >> 1) as usize, choice)
    }

    /// See [`Level::heights`].
    fn shared_ranks(&self, discs: u32) -> Vec<u32> {
        let width = self.rules.width();
        let mut shared = Vec::new();
        let mut next = 0;
        // Heights in the order of their ranks: the right-most column counts up first.
        let mut heights = vec![0; width as usize];
        self.for_each_stacking(&mut heights, 0, discs, &mut |heights| {
            let mirror =
                self.rank_of_heights(|column| heights[(width - 1 - column) as usize], discs);
            shared.push(match shared.get(mirror) {
                // Both of a pair: the first met has the rank, the other looks its mirror image up.
                Some(&rank) => rank | 1,
                None => {
                    next += 1;
                    (next - 1) << 1
                }
            });
        });
        shared
    }

    fn for_each_stacking(
        &self,
        heights: &mut [u32],
        column: usize,
        left: u32,
        see: &mut impl FnMut(&[u32]),
    ) {
        if column == heights.len() {
            if left == 0 {
                see(heights);
            }
            return;
        }
        for height in 0..=left.min(self.rules.height()) {
            heights[column] = height;
            self.for_each_stacking(heights, column + 1, left - height, see);
        }
    }

    /// The rank of heights among all heights with this sum.
    #[inline(always)]
    fn rank_of_heights(&self, height: impl Fn(u32) -> u32, discs: u32) -> usize {
        let (mut rank, mut left) = (0, discs);
        for column in 0..self.rules.width() {
            let height = height(column);
            let state = (column * (self.plies + 1) + left) * (self.rules.height() + 1) + height;
            rank += self.below[state as usize];
            left -= height;
        }
        rank as usize
    }
}

/// The number of distinct arrangements of discs, whoever they belong to; none if it overflows. With
/// gravity, heights and their mirror image count once.
fn arrangements(rules: &Rules, discs: u32) -> Option<u64> {
    if !rules.gravity() {
        return binomial(u64::from(rules.cells()), u64::from(discs));
    }
    let (width, height) = (rules.width() as usize, rules.height());
    let all = ways_to_stack(width, height, discs)[0][discs as usize]?;
    // Those that are their own mirror image: half of them is stacked freely, the rest goes into the
    // middle column.
    let half = &ways_to_stack(width / 2, height, discs)[0];
    let middle = if width % 2 == 1 { height.min(discs) } else { 0 };
    let symmetric = (0..=middle)
        .filter(|middle| (discs - middle).is_multiple_of(2))
        .try_fold(0u64, |sum, middle| sum.checked_add(half[((discs - middle) / 2) as usize]?))?;
    Some(all.checked_add(symmetric)? / 2)
}

/// How many choices of the discs of the side to move there are.
fn choices(discs: u32) -> Option<u64> {
    binomial(u64::from(discs), u64::from(discs / 2))
}

/// `ways[column][n]`: how many ways there are to stack n discs in this column and those right of
/// it; none if very many.
fn ways_to_stack(width: usize, height: u32, discs: u32) -> Vec<Vec<Option<u64>>> {
    let (height, discs) = (height as usize, discs as usize);
    let mut ways = vec![vec![Some(0u64); discs + 1]; width + 1];
    ways[width][0] = Some(1);
    for column in (0..width).rev() {
        for left in 0..=discs {
            let here = |sum: u64, here: usize| sum.checked_add(ways[column + 1][left - here]?);
            ways[column][left] = (0..=height.min(left)).try_fold(0, here);
        }
    }
    ways
}

/// See [`Index::below`]. The size was asked for before, so nothing here is too large.
fn below(rules: &Rules, plies: u32) -> Vec<u32> {
    let ways = ways_to_stack(rules.width() as usize, rules.height(), plies);
    let mut below = Vec::new();
    for column in 0..rules.width() as usize {
        for left in 0..=plies as usize {
            let mut sum = 0;
            for height in 0..=rules.height() as usize {
                below.push(sum as u32);
                if height <= left {
                    sum += ways[column + 1][left - height].unwrap_or(0);
                }
            }
        }
    }
    below
}

/// For each word of `discs` bits, half of them (rounded down) set, its rank among those.
fn choice_ranks(discs: u32) -> Vec<u16> {
    let mut next = 0;
    let rank = |word: u32| {
        let chosen = word.count_ones() == discs / 2;
        next += u16::from(chosen);
        if chosen { next - 1 } else { 0 }
    };
    (0..1u32 << discs).map(rank).collect()
}

/// The rank of a set of cells among all sets with as many.
fn rank_of_set(mut set: u128, rules: &Rules) -> usize {
    let stride = u64::from(rules.stride());
    let (mut rank, mut size) = (0, 0);
    while set != 0 {
        let bit = u64::from(set.trailing_zeros());
        set &= set - 1;
        size += 1;
        // The cell's number without the sentinel row; the index was made, so no rank is too large.
        rank += binomial(bit - bit / stride, size).unwrap_or(0);
    }
    rank as usize
}

/// The bits of `own` at the places of the bits of `all`, side by side.
fn gather(own: u128, mut all: u128) -> usize {
    let (mut gathered, mut at) = (0, 0);
    while all != 0 {
        gathered |= ((own >> all.trailing_zeros() & 1) as usize) << at;
        all &= all - 1;
        at += 1;
    }
    gathered
}

/// The binomial coefficient `n` over `k`; none if it overflows.
fn binomial(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    (0..k).try_fold(1u64, |product, i| Some(product.checked_mul(n - i)? / (i + 1)))
}

#[cfg(test)]
mod tests {
    use super::Index;
    use crate::game::{Position, Rules};
    use std::collections::HashMap;

    /// Every position of the game with few discs has an index of its own, shared at most with its
    /// mirror image.
    #[test]
    fn numbers_are_the_positions_own() {
        for (game, plies) in [
            ("7x6c4", 6),
            ("5x4c4", 9),
            ("4x7c4", 10),
            ("2x6c4", 9),
            ("12x9c4", 3),
            ("6x5s2", 6),
            ("3x3c3f", 8),
            ("4x3c3f", 5),
        ] {
            let rules: Rules = game.parse().unwrap();
            let index = Index::new(&rules, plies).unwrap();
            let mut seen: HashMap<usize, Position> = HashMap::new();
            let mut shared = 0;
            let mut level = vec![Position::new(rules)];
            for ply in 0..=plies {
                let mut next = HashMap::new();
                for position in &level {
                    let number = index.of(position).unwrap();
                    assert!(number < index.len(), "{game}: {number} of {}", index.len());
                    let before = seen.insert(number, *position);
                    assert!(
                        before.is_none_or(|before| rules.gravity() && before.mirror() == *position),
                        "{game}: {number} of two positions\n{position}"
                    );
                    let mirror = index.of(&position.mirror()).unwrap();
                    shared += u32::from(mirror == number && position.mirror() != *position);
                    for mv in position.legal_moves() {
                        let after = position.play_unchecked(mv);
                        next.insert(after.key(), after);
                    }
                }
                if ply == plies {
                    assert!(next.values().all(|after| index.of(after).is_none()));
                }
                level = next.into_values().collect();
            }
            assert_eq!(
                shared > 0,
                rules.gravity() && rules.width() > 1,
                "{game}: mirror images share numbers"
            );
        }
    }

    #[test]
    fn too_many_positions_are_refused() {
        let rules: Rules = "7x6c4".parse().unwrap();
        assert!(Index::new(&rules, 12).is_some());
        assert!(Index::new(&rules, 17).is_none());
        assert!(Index::new(&"3x3c3f".parse().unwrap(), 9).is_none());
        assert!(Index::new(&"10x10c4f".parse().unwrap(), 16).is_none());
        assert!(Index::new(&"20x5c4".parse().unwrap(), 16).is_none());
    }
}
