//! The heuristic for "Connect 4 in a Square" of the GMU paper, by the letter and corrected.
//!
//! The paper gives a penalty, `2 * edge`, and for each 2x2 square a bonus, `7^Bottom + 3 * (Top +
//! Bottom)`; "a pair surmounted by an opposing piece" scores 0, and three in a square are "heavily
//! favoured". Its text is terse; this is how it is read here. x is the side that counts; each 2x2
//! square is drawn with what it adds.
//!
//! *Edge*: the side's discs in the first and last columns. (A player chooses the column, not the
//! row, so rows are not meant: every game begins on the bottom row.) Each costs 2, in both forms.
//!
//! *Bottom* and *Top*: the side's discs in the square's lower and upper two cells.
//!
//! ```text
//!                  . .    . .    . .    x .    x x    . .    o .    x .    x .
//!                  . .    x .    x x    x x    x .    x o    x x    x o    o x
//! Bottom, Top      0 0    1 0    2 0    2 1    1 2    1 0    2 0    1 1    1 1
//! literal            1     10     55     58     16     10      0     13     13
//! corrected          0      9     54    352    352      0      0      0      0
//! ```
//!
//! *Literal* is the formula as printed, for the one side only, whose only exception is the covered
//! pair: both lower cells own and an opposing disc on either. It has two flaws that the paper's own
//! words contradict: three are worth hardly more than a pair (58 to 55), and squares that an
//! opposing disc has spoilt still pay.
//!
//! *Corrected* keeps the formula where it says what the text says, less 1 so that an empty square
//! is worth nothing; a square with an opposing disc is worth 0; three of four are worth `7^3 + 3 *
//! 3`, wherever the gap is; and the opponent's total is taken off, so that the two sides agree. Its
//! numbers are [`SquareWeights`], so that they can be tuned.

use super::cpu::with_fast_bits;
use super::windows::weight_numbers;
use super::{Evaluate, EvaluatorError};
use crate::game::{Geometry, Word};
use std::fmt;
use std::str::FromStr;

/// Which reading of the formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SquareForm {
    /// As printed, one-sided.
    Literal,
    /// As the text means it, own minus opponent's.
    Corrected,
}

/// What the corrected form pays for each open square, and takes off for the edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareWeights {
    /// One own disc in the lower pair.
    pub bottom_one: i32,
    /// Two own discs in the lower pair.
    pub bottom_both: i32,
    /// One own disc in the upper pair.
    pub top_one: i32,
    /// Two own discs in the upper pair.
    pub top_both: i32,
    /// Three own discs in the square, instead of the above.
    pub three: i32,
    /// Taken off for each own disc in the first and last columns.
    pub edge: i32,
}

impl SquareWeights {
    /// The six numbers, in the order in which they are written.
    #[must_use]
    pub fn to_array(self) -> [i32; 6] {
        let Self { bottom_one, bottom_both, top_one, top_both, three, edge } = self;
        [bottom_one, bottom_both, top_one, top_both, three, edge]
    }

    /// The weights with these numbers.
    #[must_use]
    pub fn of_array([bottom_one, bottom_both, top_one, top_both, three, edge]: [i32; 6]) -> Self {
        Self { bottom_one, bottom_both, top_one, top_both, three, edge }
    }
}

/// The paper's numbers.
impl Default for SquareWeights {
    fn default() -> Self {
        Self::of_array([9, 54, 3, 6, 352, 2])
    }
}

/// `9/54/3/6/352/2`.
impl fmt::Display for SquareWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_array().map(|number| number.to_string()).join("/"))
    }
}

impl FromStr for SquareWeights {
    type Err = EvaluatorError;

    fn from_str(text: &str) -> Result<Self, EvaluatorError> {
        let wrong = || EvaluatorError::SquareWeights { text: text.to_owned() };
        weight_numbers(text).map(Self::of_array).ok_or_else(wrong)
    }
}

/// The evaluator; see the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Square {
    form: SquareForm,
    weights: SquareWeights,
}

impl Square {
    /// The evaluator in one of its forms.
    #[must_use]
    pub fn new(form: SquareForm) -> Self {
        Self { form, weights: SquareWeights::default() }
    }

    /// The corrected form with other weights.
    #[must_use]
    pub fn with_weights(weights: SquareWeights) -> Self {
        Self { form: SquareForm::Corrected, weights }
    }

    /// The weights of the corrected form.
    #[must_use]
    pub fn weights(&self) -> SquareWeights {
        self.weights
    }

    /// What the weights are multiplied with, in their order: own counts less the opponent's.
    pub(super) fn features<W: Word>(geometry: &Geometry<W>, max: W, min: W) -> [i32; 6] {
        let (own, other) = (counts(geometry, max, min), counts(geometry, min, max));
        let mut features = [0; 6];
        for (index, feature) in features.iter_mut().enumerate() {
            *feature = own[index] - other[index];
        }
        features
    }

    /// Its form.
    #[must_use]
    pub fn form(&self) -> SquareForm {
        self.form
    }
}

impl<W: Word> Evaluate<W> for Square {
    #[inline]
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        match self.form {
            SquareForm::Literal => literal(geometry, max, min),
            SquareForm::Corrected => with_fast_bits(
                #[inline(always)]
                || {
                    let features = Self::features(geometry, max, min);
                    features.iter().zip(self.weights.to_array()).map(|(f, w)| f * w).sum()
                },
            ),
        }
    }
}

/// For each 2x2 square (bit by its lower left cell), the lower pair and the upper pair of a set of
/// discs.
struct Pairs<W> {
    bottom_one: W,
    bottom_both: W,
    top_one: W,
    top_both: W,
}

impl<W: Word> Pairs<W> {
    #[inline(always)]
    fn new(discs: W, stride: u32) -> Self {
        let (bottom_one, bottom_both) = (discs ^ discs >> stride, discs & discs >> stride);
        Self { bottom_one, bottom_both, top_one: bottom_one >> 1, top_both: bottom_both >> 1 }
    }
}

#[inline(always)]
fn count<W: Word>(set: W) -> i32 {
    set.count_ones() as i32
}

/// Every cell at which a 2x2 square is anchored.
#[inline(always)]
fn anchors<W: Word>(geometry: &Geometry<W>) -> W {
    geometry.directions().first().map_or(W::ZERO, |direction| direction.anchors)
}

#[inline(always)]
fn edge_discs<W: Word>(geometry: &Geometry<W>, own: W) -> i32 {
    let rules = geometry.rules();
    count(own & (geometry.column(0) | geometry.column(rules.width() - 1)))
}

#[inline(always)]
fn literal<W: Word>(geometry: &Geometry<W>, own: W, other: W) -> i32 {
    let pairs = Pairs::new(own, geometry.stride());
    let other = Pairs::new(other, geometry.stride());
    let counted = anchors(geometry) & !(pairs.bottom_both & (other.top_one | other.top_both));
    let (one, both) = (pairs.bottom_one & counted, pairs.bottom_both & counted);
    let powers = count(counted) + 6 * count(one) + 48 * count(both);
    let top = count(pairs.top_one & counted) + 2 * count(pairs.top_both & counted);
    powers + 3 * (count(one) + 2 * count(both) + top) - 2 * edge_discs(geometry, own)
}

/// What one side has, in the order of [`SquareWeights`]; the edge counts against it.
#[inline(always)]
fn counts<W: Word>(geometry: &Geometry<W>, own: W, other: W) -> [i32; 6] {
    let pairs = Pairs::new(own, geometry.stride());
    let spoilt = Pairs::new(other, geometry.stride());
    let spoilt = spoilt.bottom_one | spoilt.bottom_both | spoilt.top_one | spoilt.top_both;
    let open = anchors(geometry) & !spoilt;
    let three = (pairs.bottom_both & pairs.top_one) | (pairs.bottom_one & pairs.top_both);
    let fewer = open & !three;
    [
        count(pairs.bottom_one & fewer),
        count(pairs.bottom_both & fewer),
        count(pairs.top_one & fewer),
        count(pairs.top_both & fewer),
        count(three & open),
        -edge_discs(geometry, own),
    ]
}
