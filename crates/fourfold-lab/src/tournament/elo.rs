//! The Elo scale, and what game pairs say about the difference between two players.
//!
//! A pair is an opening played from both sides. Its two games are not independent: an opening that
//! favours one side gives a win to each player, whoever they are. So the unit of all statistics
//! here is the pair, with one of five results (0, ½, 1, 1½ or 2 points): the *pentanomial* counts
//! of fishtest, fastchess and OpenBench.

use crate::statistics::{normal_cdf, student_quantile};
use serde::Serialize;

/// Elo for one unit of the natural logarithm of the odds.
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The share of points that a player expects against one that is so much weaker (logistic Elo).
///
/// ```
/// use fourfold_lab::tournament::expected_score;
///
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// The difference in Elo at which a player expects this share of points; `None` for 0 and 1, which
/// no finite difference explains.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_PER_LOGIT * (score / (1.0 - score)).ln())
}

/// How many pairs gave a player 0, ½, 1, 1½ and 2 points.
///
/// ```
/// use fourfold_lab::tournament::Pentanomial;
///
/// let pairs = Pentanomial { counts: [2, 5, 20, 10, 3] };
/// let found = pairs.difference();
/// assert_eq!((pairs.pairs(), pairs.score()), (40, 0.54375));
/// assert!(found.low.unwrap() < found.elo.unwrap() && found.elo.unwrap() < found.high.unwrap());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Pentanomial {
    /// By the number of half points.
    pub counts: [u64; 5],
}

/// A difference in strength, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// The estimate, in Elo; none if one side won every game, or there was none.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval; none if the games set no lower bound.
    pub low: Option<f64>,
    /// The upper end; none if the games set no upper bound. If only one end is there, the bound is
    /// one-sided, and holds with 95 % confidence by itself.
    pub high: Option<f64>,
    /// Likelihood of superiority: how probable it is that the player is the stronger one, from 0 to
    /// 1.
    pub superiority: f64,
}

impl Difference {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { elo: None, low: None, high: None, superiority: 0.5 };

    /// An estimate with its standard error, of so many independent pairs or rounds.
    pub(super) fn new(elo: f64, error: f64, count: usize) -> Self {
        let reach = student_quantile(count.saturating_sub(1)) * error;
        let superiority = if error > 0.0 { normal_cdf(elo / error) } else { 0.5 };
        Self { elo: Some(elo), low: Some(elo - reach), high: Some(elo + reach), superiority }
    }

    /// The same seen from the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        let minus = |elo: Option<f64>| elo.map(|elo| -elo);
        Self {
            elo: minus(self.elo),
            low: minus(self.high),
            high: minus(self.low),
            superiority: 1.0 - self.superiority,
        }
    }
}

/// The least share of points that a player who won all of so many pairs has with 95 % confidence.
///
/// If pairs are anything but 2-0 with probability q, then n of them are all 2-0 with probability
/// (1 - q)^n, which is below 5 % for q > 1 - 0.05^(1/n); and a pair that is not 2-0 costs at most
/// its two points. (For many pairs, this is the rule of three: q < 3/n.)
pub(super) fn least_score_of_perfect(pairs: u64) -> f64 {
    0.05f64.powf(1.0 / pairs as f64)
}

/// How many pairs' worth of the largest variance that a score allows is added to what was seen.
///
/// A sample of pairs shows less variance than there is if rare results are not among them; without
/// this, players who split every pair would be equal to the last digit. Where all pairs had the
/// same result, the interval becomes that of the rule of three.
pub(super) fn unseen_pairs(is_uniform: bool) -> f64 {
    if is_uniform { 3.5 } else { 1.0 }
}

impl Pentanomial {
    /// Adds a pair by its half points, from 0 to 4.
    pub fn add(&mut self, half_points: u8) {
        self.counts[usize::from(half_points.min(4))] += 1;
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of points, from 0 to 1; ½ if there are no pairs.
    #[must_use]
    pub fn score(&self) -> f64 {
        let half_points: u64 = self.counts.iter().zip(0..).map(|(count, half)| count * half).sum();
        let pairs = self.pairs();
        if pairs == 0 { 0.5 } else { half_points as f64 / (4 * pairs) as f64 }
    }

    /// The variance of the share of points in one pair.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        let squares = self.counts.iter().zip(0..5).map(|(&count, half)| {
            let off = f64::from(half) / 4.0 - mean;
            count as f64 * off * off
        });
        squares.sum::<f64>() / (self.pairs().max(1) as f64)
    }

    /// Whether all pairs gave the same number of points.
    pub(super) fn is_uniform(&self) -> bool {
        self.counts.iter().filter(|&&count| count > 0).count() <= 1
    }

    /// The same pairs seen from the other player.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut counts = self.counts;
        counts.reverse();
        Self { counts }
    }

    /// What the pairs say about the difference between the two players, by themselves.
    ///
    /// The interval is symmetric on the Elo scale: the standard error of the share of points over
    /// pairs, carried over to Elo, and Student's t for the number of pairs.
    #[must_use]
    pub fn difference(&self) -> Difference {
        let (pairs, score) = (self.pairs(), self.score());
        if pairs == 0 {
            return Difference::UNKNOWN;
        }
        let Some(elo) = elo_of_score(score) else {
            let bound = elo_of_score(least_score_of_perfect(pairs));
            // With a flat prior over the chance to win a pair, for no better reason than that the
            // others give 1.
            let superiority = 1.0 - 0.5f64.powf(pairs as f64 + 1.0);
            let won = Difference { elo: None, low: bound, high: None, superiority };
            return if score > 0.5 { won } else { won.reversed() };
        };
        if pairs == 1 {
            return Difference { elo: Some(elo), ..Difference::UNKNOWN };
        }
        let (n, slope) = (pairs as f64, score * (1.0 - score));
        let squares = n * self.variance() * n / (n - 1.0) + unseen_pairs(self.is_uniform()) * slope;
        let error = squares.sqrt() / n / slope * ELO_PER_LOGIT;
        Difference::new(elo, error, pairs as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_scores_are_inverse() {
        for elo in [-800.0, -30.0, 0.0, 7.5, 400.0] {
            assert!((elo_of_score(expected_score(elo)).unwrap() - elo).abs() < 1e-9);
        }
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (None, None));
    }

    #[test]
    fn perfect_scores_have_a_one_sided_bound() {
        let won = Pentanomial { counts: [0, 0, 0, 0, 100] }.difference();
        assert_eq!((won.elo, won.high), (None, None));
        // 0.05^(1/100) = 0.9705.
        assert!((won.low.unwrap() - 607.0).abs() < 1.0, "{won:?}");
        let lost = Pentanomial { counts: [100, 0, 0, 0, 0] }.difference();
        assert_eq!((lost.high, lost.low), (won.low.map(|elo| -elo), None));
        assert!(won.superiority > 0.999 && lost.superiority < 0.001);
        assert_eq!(Pentanomial::default().difference(), Difference::UNKNOWN);
    }

    #[test]
    fn pairs_that_all_split_are_not_certainty() {
        let split = |pairs| Pentanomial { counts: [0, 0, pairs, 0, 0] }.difference();
        let (few, many) = (split(10), split(1000));
        assert_eq!(few.elo, Some(0.0));
        assert!(few.high.unwrap() > 50.0 && many.high.unwrap() > 0.5, "{few:?} {many:?}");
        // The rule of three for 1000 pairs: a score of at most 0.5 + 0.00369 / 2.
        assert!((many.high.unwrap() - 1.28).abs() < 0.05, "{many:?}");
        assert_eq!(few.superiority, 0.5);
    }
}
