//! Windows and threats together: the evaluator with enough features to be worth tuning.
//!
//! `windows` sees how many discs a possible win lacks, but not where the missing cell is. In games
//! with gravity that decides: whoever is not in zugzwang gets the rows of one parity, so the first
//! player profits from *odd threats* and the second from *even* ones (Allis 1988). This evaluator
//! adds up the same windows and fatal columns, and counts apart
//!
//! - the empty cells that complete a window and cannot be played yet, by player and by the parity
//!   of their row, counted from 1 at the bottom;
//! - a win with the next disc, and two wins that the opponent threatens at once;
//! - discs in the middle columns, and the right to move.
//!
//! The value is own minus opponent's, but what a threat is worth depends on whose it is, so the
//! roles of first and second player are told apart. Its weights come from `fourfold tune threats`.

use super::cpu::with_fast_bits;
use super::windows::{count_both, fatal_columns, weight_numbers};
use super::{Evaluate, EvaluatorError};
use crate::game::{Geometry, Side, Word};
use crate::score::LARGEST_ESTIMATE;
use std::fmt;
use std::str::FromStr;

/// The number of weights.
pub const THREAT_WEIGHTS: usize = 12;

/// What each feature is worth, in the order of [`ThreatWeights::NAMES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreatWeights(pub [i32; THREAT_WEIGHTS]);

impl ThreatWeights {
    /// What the weights are for, in the order in which they are written.
    pub const NAMES: [&'static str; THREAT_WEIGHTS] = [
        "lacking three",
        "lacking two",
        "lacking one",
        "fatal",
        "first player's odd threats",
        "second player's odd threats",
        "first player's even threats",
        "second player's even threats",
        "win at once",
        "two threats against the mover",
        "middle",
        "to move",
    ];
}

/// Those of 7x6c4 in [`super::TUNED`].
impl Default for ThreatWeights {
    fn default() -> Self {
        Self([17, 45, 84, 151, 64, -31, -98, 11, 996, 1000, 1, 25])
    }
}

/// Numbers between slashes.
impl fmt::Display for ThreatWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.map(|number| number.to_string()).join("/"))
    }
}

impl FromStr for ThreatWeights {
    type Err = EvaluatorError;

    fn from_str(text: &str) -> Result<Self, EvaluatorError> {
        let wrong = || EvaluatorError::ThreatWeights { text: text.to_owned() };
        weight_numbers(text).map(Self).ok_or_else(wrong)
    }
}

/// The evaluator inside a search; see the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Threats {
    pub(super) weights: ThreatWeights,
    /// Who MAX is.
    pub(super) max: Side,
}

impl<W: Word> Evaluate<W> for Threats {
    #[inline]
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        let (first, second, sign) = match self.max {
            Side::First => (max, min, 1),
            Side::Second => (min, max, -1),
        };
        let value: i32 = with_fast_bits(
            #[inline(always)]
            || {
                let features = features(geometry, first, second);
                features.iter().zip(self.weights.0).map(|(feature, weight)| feature * weight).sum()
            },
        );
        sign * value.clamp(-LARGEST_ESTIMATE, LARGEST_ESTIMATE)
    }
}

/// What the weights are multiplied with, for the first player.
#[inline(always)]
pub(super) fn features<W: Word>(
    geometry: &Geometry<W>,
    first: W,
    second: W,
) -> [i32; THREAT_WEIGHTS] {
    let count = |set: W| set.count_ones() as i32;
    let (own, other) = count_both(geometry, first, second);
    let all = first | second;
    let playable = geometry.playable(all);
    let first_moves = all.count_ones().is_multiple_of(2);
    let mover = if first_moves { 1 } else { -1 };
    let (mut odd, mut even, mut wins, mut doubles) = ([0; 2], [0; 2], 0, 0);
    let mut fatal = 0;
    // Only a window that lacks one disc makes a threat.
    if own.one + other.one > 0 {
        let odd_rows = odd_rows(geometry);
        let threats = [geometry.completing(first) & !all, geometry.completing(second) & !all];
        for player in 0..2 {
            let waiting = threats[player] & !playable;
            odd[player] = count(waiting & odd_rows);
            even[player] = count(waiting & !odd_rows);
        }
        let (mine, theirs) =
            if first_moves { (threats[0], threats[1]) } else { (threats[1], threats[0]) };
        if !(mine & playable).is_zero() {
            wins = mover;
        } else if !(theirs & playable).without_lowest().is_zero() {
            doubles = -mover;
        }
        if geometry.gravity() {
            fatal = fatal_columns(geometry, first, second);
        }
    }
    let width = geometry.rules().width();
    let middle = geometry.column((width - 1) / 2) | geometry.column(width / 2);
    [
        own.three - other.three,
        own.two - other.two,
        own.one - other.one,
        fatal,
        odd[0],
        -odd[1],
        even[0],
        -even[1],
        wins,
        doubles,
        count(first & middle) - count(second & middle),
        mover,
    ]
}

/// The first, third, fifth row from the bottom and so on, in every column.
#[inline(always)]
fn odd_rows<W: Word>(geometry: &Geometry<W>) -> W {
    let bottom = geometry.bottom();
    let mut rows = bottom;
    let mut row = 2;
    while row < geometry.rules().height() {
        rows |= bottom << row;
        row += 2;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::game::notation;

    /// What the features are, by name, for the first player.
    fn check(moves: &str, expected: &[(&str, i32)]) {
        let position = notation::read(moves).unwrap().position;
        let evaluator: Evaluator = "threats".parse().unwrap();
        let features = evaluator.features(&position, Side::First).unwrap();
        for (name, expected) in expected {
            let at = ThreatWeights::NAMES.iter().position(|other| other == name).unwrap();
            assert_eq!(features[at], *expected, "{moves}: {name}");
        }
        let weights = evaluator.weights().unwrap();
        let sum: i32 = features.iter().zip(weights).map(|(f, w)| f * w).sum();
        for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
            assert_eq!(evaluator.evaluate(&position, side), Ok(sign * sum), "{moves}");
        }
    }

    #[test]
    fn threats_are_counted_by_player_and_parity() {
        check("", &[("to move", 1), ("middle", 0)]);
        // x has b1, c1 and d1, with both ends free: o moves and cannot stop both.
        check("22334", &[("to move", -1), ("two threats against the mover", 1), ("middle", 1)]);
        check("223344", &[("win at once", 1), ("first player's odd threats", 0)]);
        // o's a2 and e2 wait above empty cells: even threats of the second player.
        check("223344", &[("second player's even threats", -2)]);
    }
}
