//! Static bounds for any winning shape: what a strategy proves without search. Each is proven in
//! `docs/other-games.md`.
//!
//! O is the side whose score is bounded from above, X the other. The follow-up bounds need gravity
//! and an even (claimeven, aftereven) or odd (odd threat) number of empty cells with O to move.
//! Rows are paired from the top down, so they hold for every height. The others prove that O cannot
//! win, whoever is to move.
//!
//! 1. *Claimeven.* X follows up, so O's reach is his discs, the cells playable now and the odd
//!    cells.
//! 2. *Aftereven.* X's discs and the even cells that he claims so contain a shape: he wins.
//! 3. *Odd threat.* X holds a threat on an odd cell and follows up elsewhere.
//! 4. *Open shapes.* Every shape holds a disc of X.
//! 5. *Potential* (Erdős and Selfridge 1973). Without gravity: each shape still open to O counts
//!    2^-m if m of its cells are empty. If the sum is less than 1 with X to move, or less than 1/2
//!    with O to move, X always takes the cell that counts most.
//! 6. *Pairing strategy* (Hales and Jewett 1963). Every shape still open to O contains one of
//!    several disjoint pairs of empty cells. Whenever O takes one cell of a pair, X takes the
//!    other. A pair is any two cells without gravity; with gravity, two cells one right above the
//!    other (Allis' vertical) or both playable now (his baseinverse).
//! 7. *Paired columns*, in `columns.rs`. Claimeven, but two columns are a region in which X gets all
//!    odd cells of one of them.
//! 8. *Answers on top*, in `on_top.rs`. X answers on top of every disc, and completes each shape one
//!    row further down before O completes his.
//! 9. *Columns left alone*, there too. X does so, and gets every other cell of columns that he never
//!    has to begin.

use super::GeneralBoard;
use crate::game::Word;
use crate::solver::bounds::BoundQuery;

/// A pairing is looked for if at most this many shapes are open; more could hardly all be paired.
const MAX_PAIRED_SHAPES: usize = 64;

/// What a completed shape counts: 1, in fixed point.
const COMPLETE: u64 = 1 << 40;

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralBoard<W, GRAVITY, SYMMETRIES> {
    /// An upper bound on the score of O, to move with an even number of empty cells, if claimeven
    /// proves one that is at most `target`: with `afterevens`, by these too.
    #[inline(always)]
    pub(super) fn claimeven(
        &self,
        at: &BoundQuery<W>,
        target: i32,
        afterevens: bool,
    ) -> Option<i32> {
        let threats = at.threats & self.even;
        // The cells from below each threat upward are left when O is in zugzwang.
        let left =
            if threats.is_zero() { 0 } else { self.and_above(threats >> 1).count_ones() as i32 };
        let mut bound = -(left / 2);
        let most_gain = if afterevens { self.height as i32 / 2 } else { 0 };
        if bound - most_gain > target {
            return None;
        }
        if self.has_shape(self.claimeven_reach(at)) {
            return None;
        }
        if bound > target {
            bound -= self.aftereven_gain(at, threats);
        }
        (bound <= target).then_some(bound)
    }

    /// What O can reach if X follows up: his discs, the cells playable now and the odd cells, but
    /// nothing from X's even threats upward.
    #[inline(always)]
    pub(super) fn claimeven_reach(&self, at: &BoundQuery<W>) -> W {
        let cells = at.own | at.playable | (self.odd & !at.all);
        cells & !self.and_above(at.threats & self.even)
    }

    /// How much lower an aftereven makes the bound of claimeven, given X's even threats: half of the
    /// cells from below its highest missing cell upward. 0 without an aftereven.
    fn aftereven_gain(&self, at: &BoundQuery<W>, threats: W) -> i32 {
        let discs = at.all & !at.own;
        let mut claimed = self.even & !at.all & !at.playable;
        let mut threats = threats;
        while !threats.is_zero() {
            // Columns with a genuine even threat are left at the end anyway.
            let column = self.column_of(threats.trailing_zeros());
            claimed &= !column;
            threats &= !column;
        }
        let mut highest = self.cells & !(self.cells >> 1);
        let mut gain = 0;
        while !claimed.is_zero() && self.has_shape(discs | claimed) {
            gain += 1;
            claimed &= !highest;
            highest = highest >> 2;
        }
        gain
    }

    /// An upper bound on the score of O, to move with an odd number of empty cells, if an odd
    /// threat of X proves one that is at most `target`.
    #[inline(always)]
    pub(super) fn odd_threat(&self, at: &BoundQuery<W>, target: i32) -> Option<i32> {
        let mut candidates = at.threats & self.odd;
        while !candidates.is_zero() {
            let threat = candidates.lowest();
            let bit = threat.trailing_zeros();
            let column = self.column_of(bit);
            candidates &= !column;
            let others = at.threats & self.even & !column;
            let left =
                if others.is_zero() { 0 } else { self.and_above(others >> 1).count_ones() as i32 };
            // The cells above the threat are left too, and those from below X's other threats up.
            let bound = -((2 + self.height as i32 - 1 - self.row_of(bit) as i32 + left) / 2);
            if bound > target {
                continue;
            }
            let below = threat.wrapping_sub(W::ONE) & column;
            let empties = self.cells & !at.all;
            let reach = at.own
                | at.playable
                | (empties & self.odd & !column)
                | (empties & self.even & below);
            if !self.has_shape(reach & !self.and_above(others)) {
                return Some(bound);
            }
        }
        None
    }

    /// Whether some shape holds no disc of X.
    #[inline(always)]
    pub(super) fn has_open_shape(&self, x: W) -> bool {
        self.has_shape(self.cells & !x)
    }

    /// Whether O's potential is so low that X stops every open shape.
    #[inline]
    pub(super) fn is_potential_low(&self, x: W, empties: W, o_to_move: bool) -> bool {
        debug_assert!(!GRAVITY);
        let limit = if o_to_move { COMPLETE / 2 } else { COMPLETE };
        let mut sum = 0;
        for &shape in &self.shapes {
            if (shape & x).is_zero() {
                // Shapes with very many empty cells count slightly more than they should, which is
                // safe.
                sum += (COMPLETE >> (shape & empties).count_ones().min(40)).max(1);
                if sum >= limit {
                    return false;
                }
            }
        }
        true
    }

    /// Whether X has a pairing strategy against every shape open to O. Pairs are chosen greedily,
    /// so some pairings are overlooked.
    #[inline]
    pub(super) fn has_pairing(&self, x: W, empties: W, playable: W) -> bool {
        if GRAVITY && !self.geometry.squares() {
            // In a line across the board no cell is right above another, so only playable ones make
            // a pair.
            let others = self.cells & !x & !playable;
            let across = self.geometry.directions().iter().filter(|direction| direction.shift > 1);
            let mut unpaired = across.map(|direction| self.geometry.runs(others, direction.shift));
            if unpaired.any(|lines| !lines.is_zero()) {
                return false;
            }
        }
        self.finds_pairing(x, empties, playable)
    }

    fn finds_pairing(&self, x: W, empties: W, playable: W) -> bool {
        let mut open = [W::ZERO; MAX_PAIRED_SHAPES];
        let mut count = 0;
        for &shape in &self.shapes {
            if (shape & x).is_zero() {
                let missing = shape & empties;
                if count == MAX_PAIRED_SHAPES || Self::count_pairs(missing, playable) == 0 {
                    return false;
                }
                open[count] = missing;
                count += 1;
            }
        }
        let mut free = empties;
        while count > 0 {
            // The shape with the fewest possible pairs.
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
            // The pair that stops most shapes; among equals, the one that the fewest others need.
            let (mut chosen, mut best) = (W::ZERO, i32::MIN);
            Self::for_each_pair(shape, playable, |pair| {
                let mut value = 0;
                for &other in &open[..count] {
                    let shared = other & pair;
                    if shared == pair {
                        value += 8;
                    } else if !shared.is_zero() {
                        value -= 1;
                    }
                }
                if value > best {
                    (chosen, best) = (pair, value);
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

    /// Calls `visit` with every pair within a set of empty cells.
    #[inline(always)]
    fn for_each_pair(cells: W, playable: W, mut visit: impl FnMut(W)) {
        let mut firsts = if GRAVITY { cells & playable } else { cells };
        while !firsts.is_zero() {
            let first = firsts.lowest();
            firsts = firsts.without_lowest();
            let mut seconds = firsts;
            while !seconds.is_zero() {
                visit(first | seconds.lowest());
                seconds = seconds.without_lowest();
            }
        }
        if GRAVITY {
            let mut lowers = cells & cells >> 1;
            while !lowers.is_zero() {
                visit(lowers.lowest() | lowers.lowest() << 1);
                lowers = lowers.without_lowest();
            }
        }
    }
}
