//! The little statistics that a match needs.

#[cfg(feature = "json")]
use serde::Serialize;

/// A range that holds the true value with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "json", derive(Serialize))]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Wilson's score interval for a share: right also for few trials and for shares near 0 and 1.
///
/// ```
/// let interval = fourfold::play::wilson(8, 10);
/// assert!((interval.low - 0.490).abs() < 0.001 && (interval.high - 0.943).abs() < 0.001);
/// ```
#[must_use]
pub fn wilson(successes: u64, trials: u64) -> Interval {
    let share = if trials == 0 { 0.0 } else { successes as f64 / trials as f64 };
    wilson_of_share(share, trials as f64)
}

/// The same for a share of `n` trials, which need not be a whole number of them: fewer than there
/// were, say, because some were the same.
#[must_use]
pub fn wilson_of_share(share: f64, n: f64) -> Interval {
    if n <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    const Z: f64 = 1.959_963_984_540_054; // the normal quantile for 95 %
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let centre = share + Z * Z / (2.0 * n);
    let scale = 1.0 + Z * Z / n;
    // At the ends the formula is exact, but rounding is not.
    let low = if share <= 0.0 { 0.0 } else { (centre - spread) / scale };
    let high = if share >= 1.0 { 1.0 } else { (centre + spread) / scale };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn ends_are_exact_and_the_share_lies_inside() {
        assert_eq!(wilson(0, 50).low, 0.0);
        assert_eq!(wilson(50, 50).high, 1.0);
        assert_eq!((wilson(0, 0).low, wilson(0, 0).high), (0.0, 1.0));
        for trials in 1..60 {
            for successes in 0..=trials {
                let (interval, share) =
                    (wilson(successes, trials), successes as f64 / trials as f64);
                assert!(0.0 <= interval.low && interval.low <= share, "{successes} of {trials}");
                assert!(share <= interval.high && interval.high <= 1.0, "{successes} of {trials}");
            }
        }
    }
}
