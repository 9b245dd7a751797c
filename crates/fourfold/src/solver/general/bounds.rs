//! Static bounds for any shape: what a strategy proves without search. Each is proven in
//! `docs/other-games.md`.
//!
//! O is the side whose score is bounded from above, X the other. Both follow-up bounds need gravity
//! and an even (evens) or odd (odd threat) number of empty cells with O to move; rows are paired
//! from the top down, so they hold for every height. The others tell that O cannot win, whoever is
//! to move.
//!
//! 1. *Evens.* X answers on top, so O's reach is his discs, the cells playable now and the lower
//!    cells of all pairs.
//! 2. *Odd threat.* X holds a threat on a lower cell and answers on top elsewhere.
//! 3. *Open shapes.* Every shape holds a disc of X.
//! 4. *Potential.* Without gravity: each shape still open to O counts 2^-m if m of its cells are
//!    empty. If they add up to less than 1 with X to move, or less than 1/2 with O to move, X
//!    always takes the cell that counts most.
//! 5. *Pairs.* Every shape still open to O holds both cells of one of several disjoint pairs of
//!    empty cells. Whenever O takes one, X takes the other: without gravity any two cells, with
//!    gravity one right above the other or two playable now.

use super::Ground;
use crate::game::Word;

/// A position at which a follow-up bound is asked for.
pub(super) struct Situation<W> {
    /// The discs of O, who is to move.
    pub(super) own: W,
    /// All discs.
    pub(super) all: W,
    /// The cells playable now.
    pub(super) playable: W,
    /// The genuine threats of X; none of them is playable.
    pub(super) threats: W,
}

/// The most shapes open to a side at which pairs are looked for; more could hardly all be paired.
const MOST_SHAPES: usize = 64;

/// A shape that one disc completes counts this much.
const WHOLE: u64 = 1 << 40;

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Ground<W, GRAVITY, IMAGES> {
    /// The most that O, to move with an even number of empty cells, can score, if that is at most
    /// `wanted`.
    #[inline(always)]
    pub(super) fn evens(&self, at: &Situation<W>, wanted: i32) -> Option<i32> {
        let threats = at.threats & self.upper;
        // From the cell below each threat upward nothing is played until O must.
        let left =
            if threats.is_zero() { 0 } else { self.and_above(threats >> 1).count_ones() as i32 };
        let most = -(left / 2);
        if most > wanted {
            return None;
        }
        let reach = (at.own | at.playable | (self.lower & !at.all)) & !self.and_above(threats);
        (!self.has_shape(reach)).then_some(most)
    }

    /// The most that O, to move with an odd number of empty cells, can score, if that is at most
    /// `wanted`.
    #[inline(always)]
    pub(super) fn odd_threat(&self, at: &Situation<W>, wanted: i32) -> Option<i32> {
        let mut candidates = at.threats & self.lower;
        while !candidates.is_zero() {
            let threat = candidates.lowest();
            let bit = threat.trailing_zeros();
            let column = self.column_of(bit);
            candidates &= !column;
            let others = at.threats & self.upper & !column;
            let left =
                if others.is_zero() { 0 } else { self.and_above(others >> 1).count_ones() as i32 };
            // Above the threat nothing is played, nor from below X's other threats upward.
            let most = -((2 + self.height as i32 - 1 - self.row_of(bit) as i32 + left) / 2);
            if most > wanted {
                continue;
            }
            let below = threat.wrapping_sub(W::ONE) & column;
            let empties = self.cells & !at.all;
            let reach = at.own
                | at.playable
                | (empties & self.lower & !column)
                | (empties & self.upper & below);
            if !self.has_shape(reach & !self.and_above(others)) {
                return Some(most);
            }
        }
        None
    }

    /// Is some shape free of the discs of X?
    #[inline(always)]
    pub(super) fn is_open(&self, x: W) -> bool {
        self.has_shape(self.cells & !x)
    }

    /// Do the shapes open to O count so little that X stops them all?
    #[inline]
    pub(super) fn is_faint(&self, x: W, empties: W, o_to_move: bool) -> bool {
        debug_assert!(!GRAVITY);
        let limit = if o_to_move { WHOLE / 2 } else { WHOLE };
        let mut sum = 0;
        for &window in &self.windows {
            if (window & x).is_zero() {
                // Long shapes with many empty cells count a little more than they should: that is
                // safe.
                sum += (WHOLE >> (window & empties).count_ones().min(40)).max(1);
                if sum >= limit {
                    return false;
                }
            }
        }
        true
    }

    /// Are there pairs that stop every shape open to O? A quick search that may overlook some.
    pub(super) fn is_paired(&self, x: W, empties: W, playable: W) -> bool {
        let mut open = [W::ZERO; MOST_SHAPES];
        let mut count = 0;
        for &window in &self.windows {
            if (window & x).is_zero() {
                let missing = window & empties;
                if count == MOST_SHAPES || missing.without_lowest().is_zero() {
                    return false;
                }
                open[count] = missing;
                count += 1;
            }
        }
        let mut free = empties;
        while count > 0 {
            // The shape with the fewest pairs left to it.
            let (mut hardest, mut fewest) = (0, u32::MAX);
            for (index, &shape) in open[..count].iter().enumerate() {
                let pairs = Self::count_pairs(shape & free, playable);
                if pairs < fewest {
                    (hardest, fewest) = (index, pairs);
                }
            }
            if fewest == 0 {
                return false;
            }
            let shape = open[hardest] & free;
            // The pair that stops most shapes; of those the one whose cells the fewest others need.
            let (mut chosen, mut best) = (W::ZERO, i32::MIN);
            Self::for_each_pair(shape, playable, |pair| {
                let mut worth = 0;
                for &other in &open[..count] {
                    let shared = other & pair;
                    if shared == pair {
                        worth += 8;
                    } else if !shared.is_zero() {
                        worth -= 1;
                    }
                }
                if worth > best {
                    (chosen, best) = (pair, worth);
                }
            });
            free &= !chosen;
            let mut kept = 0;
            for index in 0..count {
                if open[index] & chosen != chosen {
                    open[kept] = open[index];
                    kept += 1;
                }
            }
            count = kept;
        }
        true
    }

    /// How many pairs lie within a set of empty cells.
    #[inline(always)]
    fn count_pairs(cells: W, playable: W) -> u32 {
        let choose_two = |n: u32| n * n.saturating_sub(1) / 2;
        if GRAVITY {
            (cells & cells >> 1).count_ones() + choose_two((cells & playable).count_ones())
        } else {
            choose_two(cells.count_ones())
        }
    }

    #[inline(always)]
    fn for_each_pair(cells: W, playable: W, mut see: impl FnMut(W)) {
        let mut firsts = if GRAVITY { cells & playable } else { cells };
        while !firsts.is_zero() {
            let first = firsts.lowest();
            firsts = firsts.without_lowest();
            let mut seconds = firsts;
            while !seconds.is_zero() {
                see(first | seconds.lowest());
                seconds = seconds.without_lowest();
            }
        }
        if GRAVITY {
            let mut lowers = cells & cells >> 1;
            while !lowers.is_zero() {
                see(lowers.lowest() | lowers.lowest() << 1);
                lowers = lowers.without_lowest();
            }
        }
    }
}
