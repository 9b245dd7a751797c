//! The little statistics that a match needs.

use serde::Serialize;

/// A range that holds the true value with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    const Z: f64 = 1.959_963_984_540_054; // the normal quantile for 95 %
    let n = trials as f64;
    let share = successes as f64 / n;
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let centre = share + Z * Z / (2.0 * n);
    let scale = 1.0 + Z * Z / n;
    Interval { low: ((centre - spread) / scale).max(0.0), high: ((centre + spread) / scale).min(1.0) }
}
