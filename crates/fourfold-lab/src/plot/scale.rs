//! Linear and logarithmic scales with ticks at round numbers.

/// A scale from `low` to `high`, inclusive.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// The numbers that are marked.
    pub(super) ticks: Vec<f64>,
}

impl Scale {
    /// A scale that covers these numbers, and 0 if it is linear and `from_zero` is set.
    pub(super) fn covering(numbers: impl Iterator<Item = f64>, log: bool, from_zero: bool) -> Self {
        let numbers: Vec<f64> =
            numbers.filter(|number| number.is_finite() && (!log || *number > 0.0)).collect();
        let mut low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let mut high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        if log {
            let (first, mut last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
            if first == last {
                last += 1;
            }
            let step = ((last - first) / 8 + 1) as usize;
            let ticks = (first..=last).step_by(step).map(|power| 10f64.powi(power)).collect();
            return Self { low: 10f64.powi(first), high: 10f64.powi(last), log, ticks };
        }
        if from_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if low == high {
            high = low + 1.0;
        }
        let step = round_step((high - low) / 5.0);
        let (first, last) = ((low / step).floor(), (high / step - 1e-9).ceil());
        let ticks: Vec<f64> =
            (0..=(last - first) as usize).map(|n| (first + n as f64) * step).collect();
        Self { low: first * step, high: last * step, log, ticks }
    }

    /// A scale that ends exactly at these numbers.
    pub(super) fn exactly(low: f64, high: f64, ticks: Vec<f64>) -> Self {
        Self { low, high: if high > low { high } else { low + 1.0 }, log: false, ticks }
    }

    /// Where a number lies, from 0 at the low end to 1 at the high end; clamped.
    pub(super) fn share(&self, number: f64) -> f64 {
        let at = if self.log {
            let span = (self.high / self.low).ln();
            (number.max(self.low) / self.low).ln() / span
        } else {
            (number - self.low) / (self.high - self.low)
        };
        at.clamp(0.0, 1.0)
    }
}

/// 1, 2 or 5 times a power of ten, not less than `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= step * 0.999);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_numbers() {
        let scale = Scale::covering([3.0, 41.0].into_iter(), false, true);
        assert_eq!(scale.ticks, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!((scale.share(0.0), scale.share(25.0), scale.share(99.0)), (0.0, 0.5, 1.0));
        let log = Scale::covering([7.0, 5_000.0].into_iter(), true, true);
        assert_eq!(log.ticks, [1.0, 10.0, 100.0, 1_000.0, 10_000.0]);
        assert!((log.share(100.0) - 0.5).abs() < 1e-12);
        // Even without numbers there is a scale.
        assert!(Scale::covering(std::iter::empty(), false, true).share(1.0).is_finite());
        assert!(Scale::covering([0.0].into_iter(), true, false).share(5.0).is_finite());
    }
}
