//! The sequential probability ratio test: games are played until it is clear enough which of two
//! hypotheses about the difference in Elo is right, and no longer.
//!
//! It is the generalised test (GSPRT) on pentanomial counts with logistic Elo, as fishtest and
//! fastchess have it: under either hypothesis the five frequencies are those of the greatest
//! likelihood among all with that mean. Sources: Wald 1945; Van den Bergh, "Comparing the
//! approximations for the generalized log likelihood ratio of a multinomial distribution", for the
//! likelihood; Young 1996 for the limits of generalised tests.

use super::{Pentanomial, expected_score};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// A sequential test of "at most `elo0`" against "at least `elo1`" Elo.
///
/// ```
/// use fourfold_lab::tournament::{Hypothesis, Pentanomial, Sprt};
///
/// let test: Sprt = "0,10".parse()?;
/// let pairs = Pentanomial { counts: [90, 400, 900, 550, 160] };
/// assert_eq!(test.decide(&pairs), Some(Hypothesis::H1));
/// # Ok::<(), fourfold_lab::tournament::SprtError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Sprt {
    /// The null hypothesis: the first player is this much stronger, in Elo, or less.
    pub elo0: f64,
    /// The alternative: this much stronger or more.
    pub elo1: f64,
    /// The largest probability of accepting H1 if H0 is right.
    pub alpha: f64,
    /// The largest probability of accepting H0 if H1 is right.
    pub beta: f64,
}

/// What a test has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Hypothesis {
    /// The difference is nearer to `elo0`.
    H0,
    /// The difference is nearer to `elo1`.
    H1,
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// Why a test makes no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// It is not two numbers.
    #[error("write two differences in Elo, ELO0,ELO1, such as 0,10; not {text:?}")]
    Syntax {
        /// As given.
        text: String,
    },
    /// The hypotheses are the wrong way round, or one, or too far apart for numbers.
    #[error("ELO0 must be less than ELO1, both from -1000 to 1000, not {elo0} and {elo1}")]
    Order {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
}

/// The count that stands for a result that was never seen, so that logarithms exist.
const UNSEEN: f64 = 1e-3;

/// No test is decided by fewer pairs. The likelihood of the generalised test is asymptotic, and
/// wide hypotheses could be decided by a handful of pairs that happen to be alike.
pub const MIN_PAIRS: u64 = 16;

impl Sprt {
    /// A test with error probabilities of 5 %.
    ///
    /// # Errors
    /// If `elo0` is not less than `elo1`, or either is beyond 1000.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        let range = -1000.0..=1000.0;
        if elo0 < elo1 && range.contains(&elo0) && range.contains(&elo1) {
            Ok(Self { elo0, elo1, alpha: 0.05, beta: 0.05 })
        } else {
            Err(SprtError::Order { elo0, elo1 })
        }
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted (Wald's bounds).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 and H0, given the first player's pairs.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts.map(|count| (count as f64).max(UNSEEN));
        let likelihood = |elo| log_likelihood(&counts, expected_score(elo));
        likelihood(self.elo1) - likelihood(self.elo0)
    }

    /// How the test stands, given the first player's pairs.
    #[must_use]
    pub fn state(&self, pairs: &Pentanomial) -> SprtState {
        let (lower, upper) = self.bounds();
        SprtState { llr: self.llr(pairs), lower, upper, accepted: self.decide(pairs) }
    }

    /// What the first player's pairs have decided, if they have.
    #[must_use]
    pub fn decide(&self, pairs: &Pentanomial) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        match self.llr(pairs) {
            _ if pairs.pairs() < MIN_PAIRS => None,
            llr if llr >= upper => Some(Hypothesis::H1),
            llr if llr <= lower => Some(Hypothesis::H0),
            _ => None,
        }
    }
}

/// How a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtState {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The ratio at which H0 is accepted.
    pub lower: f64,
    /// The ratio at which H1 is accepted.
    pub upper: f64,
    /// What is accepted, if anything is.
    pub accepted: Option<Hypothesis>,
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let syntax = || SprtError::Syntax { text: text.chars().take(80).collect() };
        let (elo0, elo1) = text.split_once(',').ok_or_else(syntax)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.is_finite());
        let (elo0, elo1) = number(elo0).zip(number(elo1)).ok_or_else(syntax)?;
        Self::new(elo0, elo1)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

/// The log-likelihood of the counts under the likeliest distribution with this mean, up to a term
/// that does not depend on the mean.
///
/// With a Lagrange multiplier t for the mean, the likeliest probabilities are those that were seen,
/// each divided by 1 + t (a - mean), where a is the share of points; t solves
/// sum p (a - mean) / (1 + t (a - mean)) = 0, whose left side falls with t between the two poles.
fn log_likelihood(counts: &[f64; 5], mean: f64) -> f64 {
    let off: [f64; 5] = std::array::from_fn(|half| half as f64 / 4.0 - mean);
    // The left side and its derivative, which is negative.
    let slope = |t: f64| {
        counts.iter().zip(&off).fold((0.0, 0.0), |(sum, change), (count, off)| {
            let share = off / (1.0 + t * off);
            (sum + count * share, change - count * share * share)
        })
    };
    let (mut low, mut high) = (-1.0 / off[4], -1.0 / off[0]);
    let mut t = 0.0;
    // Newton's steps, and halves of the interval where they would leave it.
    for _ in 0..100 {
        let (value, change) = slope(t);
        if value > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / change;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        let is_there = (next - t).abs() <= 1e-13 * (1.0 + t.abs());
        t = next;
        if is_there {
            break;
        }
    }
    -counts.iter().zip(&off).map(|(count, off)| count * (1.0 + t * off).ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_tests_or_errors() {
        assert_eq!("0, 5".parse(), Sprt::new(0.0, 5.0));
        assert_eq!(Sprt::new(-3.0, 1.5).unwrap().to_string(), "-3,1.5");
        for text in ["", "5", "a,b", "0,inf", "NaN,1"] {
            assert!(matches!(text.parse::<Sprt>(), Err(SprtError::Syntax { .. })), "{text}");
        }
        for text in ["5,5", "5,0", "0,1001"] {
            assert!(matches!(text.parse::<Sprt>(), Err(SprtError::Order { .. })), "{text}");
        }
    }

    #[test]
    fn the_ratio_points_to_what_was_seen() {
        let test = Sprt::new(0.0, 20.0).unwrap();
        let level = Pentanomial { counts: [20, 60, 240, 60, 20] };
        let better = Pentanomial { counts: [10, 50, 240, 70, 30] };
        assert!(test.llr(&level) < -0.5 && test.llr(&better) > 0.5);
        assert_eq!(test.llr(&Pentanomial::default()), 0.0);
        // Seen from the other side, hypotheses change places.
        let back = Sprt::new(-20.0, 0.0).unwrap();
        assert!((test.llr(&better) + back.llr(&better.reversed())).abs() < 1e-9);
        // Near the normal approximation (s1 - s0) (2 mean - s0 - s1) n / (2 variance).
        let (s0, s1) = (expected_score(0.0), expected_score(20.0));
        let (n, mean, variance) = (better.pairs() as f64, better.score(), better.variance());
        let normal = (s1 - s0) * (2.0 * mean - s0 - s1) * n / (2.0 * variance);
        assert!((test.llr(&better) - normal).abs() < 0.05 * normal.abs());
    }

    #[test]
    fn one_sided_results_decide_but_not_at_once() {
        let test = Sprt::new(0.0, 50.0).unwrap();
        let all_won = |pairs| Pentanomial { counts: [0, 0, 0, 0, pairs] };
        assert_eq!(test.decide(&all_won(MIN_PAIRS - 1)), None);
        assert_eq!(test.decide(&all_won(100)), Some(Hypothesis::H1));
        assert_eq!(test.decide(&all_won(100).reversed()), Some(Hypothesis::H0));
    }
}
