//! Possible wins counted by the discs they still lack, and fatal columns (UMBC's "Utility").
//!
//! A *window* is a place where a winning shape could lie; Connect Four has 69. It is open to a
//! player while the opponent has no disc in it. The report counts a player's ones, twos and threes,
//! the open windows that hold one, two or three of the player's discs, and *fatal columns*: columns
//! in which the opponent cannot play without handing over a win on the cell above.
//!
//! Two things differ from the report. Its formula adds up one side only; ours is own minus
//! opponent's, so that it means the same to both. And for shapes of other than four cells a window
//! counts by the discs it *lacks*: the weight of threes goes to windows that lack one disc, of twos
//! to those that lack two, of ones to those that lack three; a window without any own disc never
//! counts.
//!
//! On 5x4c4 with the weights 1/5/25/100, what x sees:
//!
//! ```text
//! 4  . . x . .     x  a2-d2 and b2-e2 lack one disc               2 * 25
//! 3  . o o . .        a4-d4 and b4-e4 lack three                  2 * 1
//! 2  . x x x .        columns a and e are fatal to o:             2 * 100
//! 1  . o x o .           if o plays a1, x wins on a2
//!    a b c d e     o  a3-d3 and b3-e3 lack two                  - 2 * 5
//!                                                                 = 242
//! ```
//!
//! Every other window holds discs of both, or none. A column is not fatal if the disc played there
//! wins itself. Without gravity nothing lies above a cell, so there are no fatal columns.

use super::cpu::with_fast_bits;
use super::{Evaluate, EvaluatorError};
use crate::game::{Geometry, Word};
use std::fmt;
use std::str::FromStr;

/// What each feature is worth. The report asks for `lacking_three < lacking_two < lacking_one <
/// fatal`; experiments may do otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// An open window that lacks three discs (a "one" in Connect Four).
    pub lacking_three: i32,
    /// An open window that lacks two discs (a "two").
    pub lacking_two: i32,
    /// An open window that lacks one disc (a "three").
    pub lacking_one: i32,
    /// A column in which the opponent cannot play without losing at once.
    pub fatal: i32,
}

impl Weights {
    /// No weight is larger than this, so that no sum leaves the range of estimates.
    pub const LARGEST: i32 = 100_000;
}

impl Default for Weights {
    fn default() -> Self {
        Self { lacking_three: 1, lacking_two: 5, lacking_one: 25, fatal: 100 }
    }
}

/// `1/5/25/100`.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}/{}", self.lacking_three, self.lacking_two, self.lacking_one, self.fatal)
    }
}

impl FromStr for Weights {
    type Err = EvaluatorError;

    fn from_str(text: &str) -> Result<Self, EvaluatorError> {
        let wrong = || EvaluatorError::Weights { text: text.to_owned() };
        let [lacking_three, lacking_two, lacking_one, fatal] =
            weight_numbers(text).ok_or_else(wrong)?;
        Ok(Self { lacking_three, lacking_two, lacking_one, fatal })
    }
}

/// Exactly `N` whole numbers between slashes, none beyond [`Weights::LARGEST`].
pub(super) fn weight_numbers<const N: usize>(text: &str) -> Option<[i32; N]> {
    let allowed = -Weights::LARGEST..=Weights::LARGEST;
    let number = |part: &str| part.parse().ok().filter(|number| allowed.contains(number));
    let numbers: Vec<i32> = text.split('/').map(number).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// The evaluator; see the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Windows {
    weights: Weights,
}

/// How many open windows lack one, two and three discs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lacking {
    pub(super) one: i32,
    pub(super) two: i32,
    pub(super) three: i32,
}

impl Windows {
    /// The evaluator with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self { weights }
    }

    /// Its weights.
    #[must_use]
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// What the weights are multiplied with, in their order: own counts less the opponent's.
    pub(super) fn features<W: Word>(geometry: &Geometry<W>, max: W, min: W) -> [i32; 4] {
        let (own, other) = count_both(geometry, max, min);
        let fatal = if geometry.gravity() { fatal_columns(geometry, max, min) } else { 0 };
        [own.three - other.three, own.two - other.two, own.one - other.one, fatal]
    }
}

impl Weights {
    /// The four numbers, in the order in which they are written.
    #[must_use]
    pub fn to_array(self) -> [i32; 4] {
        [self.lacking_three, self.lacking_two, self.lacking_one, self.fatal]
    }
}

impl<W: Word> Evaluate<W> for Windows {
    #[inline]
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        let (own, other) = with_fast_bits(
            #[inline(always)]
            || count_both(geometry, max, min),
        );
        let weights = &self.weights;
        let mut score = (own.one - other.one) * weights.lacking_one
            + (own.two - other.two) * weights.lacking_two
            + (own.three - other.three) * weights.lacking_three;
        // Only a window that lacks one disc can make a column fatal.
        if geometry.gravity() && own.one + other.one > 0 {
            score += fatal_columns(geometry, max, min) * weights.fatal;
        }
        score
    }
}

/// The open windows of one side.
#[inline(always)]
pub(super) fn own_windows<W: Word>(geometry: &Geometry<W>, own: W, other: W) -> Lacking {
    if geometry.rules().shape().cells() == 4 {
        with_fast_bits(
            #[inline(always)]
            || count_windows_of_four(geometry, own, other).0,
        )
    } else {
        with_fast_bits(
            #[inline(always)]
            || count_windows(geometry, own, other),
        )
    }
}

/// The open windows of both sides.
#[inline(always)]
pub(super) fn count_both<W: Word>(geometry: &Geometry<W>, max: W, min: W) -> (Lacking, Lacking) {
    if geometry.rules().shape().cells() == 4 {
        count_windows_of_four(geometry, max, min)
    } else {
        (count_windows(geometry, max, min), count_windows(geometry, min, max))
    }
}

/// The open windows of both sides, for shapes of four cells: the cells of a window are 0, x, y and
/// x + y from its anchor (for a line y = 2x, for a square x is up and y is right), so two half
/// adders count all windows of a direction at once.
#[inline(always)]
fn count_windows_of_four<W: Word>(geometry: &Geometry<W>, max: W, min: W) -> (Lacking, Lacking) {
    let (mut own_sum, mut other_sum) = (Lacking::default(), Lacking::default());
    for direction in geometry.directions() {
        let (x, y) = if geometry.squares() {
            (1, direction.shift)
        } else {
            (direction.shift, 2 * direction.shift)
        };
        let (own, other) = (Fours::new(max, x, y), Fours::new(min, x, y));
        own_sum.add(&own, direction.anchors & !other.any);
        other_sum.add(&other, direction.anchors & !own.any);
    }
    (own_sum, other_sum)
}

impl Lacking {
    #[inline(always)]
    fn add<W: Word>(&mut self, windows: &Fours<W>, open: W) {
        self.one += (windows.three & open).count_ones() as i32;
        self.two += (windows.two & open).count_ones() as i32;
        self.three += (windows.one & open).count_ones() as i32;
    }
}

/// For each window of four (bit by anchor): does it hold exactly one, two, three discs, or any?
struct Fours<W> {
    one: W,
    two: W,
    three: W,
    any: W,
}

impl<W: Word> Fours<W> {
    #[inline(always)]
    fn new(discs: W, x: u32, y: u32) -> Self {
        // Pairs along x hold one disc or both; a window is a pair and the pair y further.
        let (one, both) = (discs ^ discs >> x, discs & discs >> x);
        let (one_y, both_y) = (one >> y, both >> y);
        let pair = one | both;
        let pair_y = one_y | both_y;
        Self {
            one: (one & !pair_y) | (one_y & !pair),
            two: (one & one_y) | (both & !pair_y) | (both_y & !pair),
            three: (one & both_y) | (both & one_y),
            any: pair | pair_y,
        }
    }
}

/// The open windows of one side for shapes of any size: a bit-sliced counter of the discs in each
/// window.
#[inline(always)]
fn count_windows<W: Word>(geometry: &Geometry<W>, own: W, other: W) -> Lacking {
    const MOST_PLANES: usize = 7; // counts up to 127: more cells than any board has
    let cells = geometry.rules().shape().cells();
    let planes_needed = (u32::BITS - cells.leading_zeros()) as usize;
    let mut sum = Lacking::default();
    for direction in geometry.directions() {
        let mut planes = [W::ZERO; MOST_PLANES];
        let planes = &mut planes[..planes_needed];
        let mut blocked = W::ZERO;
        for offset in geometry.offsets(direction) {
            blocked |= other >> offset;
            let mut carry = own >> offset;
            for plane in &mut *planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        let open = direction.anchors & !blocked;
        let holding = |count: u32| {
            let same = planes.iter().enumerate().fold(open, |set, (bit, &plane)| {
                set & if count >> bit & 1 == 1 { plane } else { !plane }
            });
            same.count_ones() as i32
        };
        // A window without any own disc never counts.
        let lacking = |discs: u32| if cells > discs { holding(cells - discs) } else { 0 };
        sum.one += lacking(1);
        sum.two += lacking(2);
        sum.three += lacking(3);
    }
    sum
}

/// Columns fatal to MIN less columns fatal to MAX.
#[inline]
pub(super) fn fatal_columns<W: Word>(geometry: &Geometry<W>, max: W, min: W) -> i32 {
    let all = max | min;
    let playable = geometry.playable(all);
    let (max_wins, min_wins) = (geometry.completing(max), geometry.completing(min));
    // The cell above a playable one, unless whoever plays below wins with that very disc.
    let fatal = |wins: W, below: W| {
        ((playable & !below) << 1 & geometry.cells() & wins).count_ones() as i32
    };
    fatal(max_wins, min_wins) - fatal(min_wins, max_wins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::random::Random;

    /// Random discs of both sides, wherever they lie.
    fn discs<W: Word>(geometry: &Geometry<W>, random: &mut Random) -> (W, W) {
        let mut bits = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        let (all, own) = (bits(), bits());
        (W::truncate(all & own) & geometry.cells(), W::truncate(all & !own) & geometry.cells())
    }

    fn check<W: Word>(rules: &Rules, random: &mut Random) {
        let geometry = Geometry::<W>::new(rules);
        let (max, min) = discs(&geometry, random);
        // Compiled for any processor, for this one, and by the counter for shapes of any size.
        let portable = count_windows_of_four(&geometry, max, min);
        let fast = with_fast_bits(|| count_windows_of_four(&geometry, max, min));
        let general = (count_windows(&geometry, max, min), count_windows(&geometry, min, max));
        assert_eq!(portable, fast, "{rules} {max:?} {min:?}");
        assert_eq!(portable, general, "{rules} {max:?} {min:?}");
    }

    #[test]
    fn all_ways_of_counting_windows_agree() {
        let random = &mut Random::new(3);
        for text in ["7x6c4", "7x6s2", "8x7c4", "4x4c4f", "1x63c4f", "16x3c4", "3x4s2"] {
            let rules: Rules = text.parse().unwrap();
            for _ in 0..2000 {
                check::<u64>(&rules, random);
                check::<u128>(&rules, random);
            }
        }
        for text in ["16x7c4", "2x63c4", "8x15s2", "32x3c4"] {
            let rules: Rules = text.parse().unwrap();
            for _ in 0..2000 {
                check::<u128>(&rules, random);
            }
        }
    }
}
