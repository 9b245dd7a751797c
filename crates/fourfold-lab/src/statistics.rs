//! Statistics: bootstrap intervals, paired comparisons, medians, exponential growth.
//!
//! Everything here is a pure function of its input: resampling is seeded, so the same observations
//! give the same interval. Wilson's interval for shares is in the library
//! ([`fourfold::play::wilson`]).

use fourfold::play::Interval;
use fourfold::random::Random;

/// Bootstrap resamples.
const RESAMPLES: usize = 1000;

/// The seed of all resampling. It is fixed, so that the intervals of two runs do not differ by
/// chance.
const SEED: u64 = 20_181_205;

/// The ratio of two sums over items, such as nodes per move over games, with its 95 % confidence
/// interval by the percentile bootstrap over items. `None` if the second sum is 0.
#[must_use]
pub fn ratio_of_sums(items: &[(f64, f64)]) -> Option<(f64, Interval)> {
    let ratio = |(above, below): (f64, f64)| (below != 0.0).then(|| above / below);
    let add = |sum: (f64, f64), item: &(f64, f64)| (sum.0 + item.0, sum.1 + item.1);
    let value = ratio(items.iter().fold((0.0, 0.0), add))?;
    if items.len() < 2 || items.iter().all(|item| item == &items[0]) {
        return Some((value, Interval { low: value, high: value }));
    }
    let mut random = Random::new(SEED);
    let mut ratios: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            let draw = |sum, _| add(sum, &items[random.below(items.len())]);
            ratio((0..items.len()).fold((0.0, 0.0), draw))
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    Some((value, Interval { low: quantile(&ratios, 0.025)?, high: quantile(&ratios, 0.975)? }))
}

/// The mean of some numbers with its 95 % bootstrap confidence interval. `None` if there are none.
#[must_use]
pub fn mean(numbers: &[f64]) -> Option<(f64, Interval)> {
    ratio_of_sums(&numbers.iter().map(|&number| (number, 1.0)).collect::<Vec<_>>())
}

/// A quantile of a sorted list (`share` from 0 to 1), interpolated linearly between neighbours.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = share.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some(below + (above - below) * at.fract())
}

/// The median and, as an interval, the quartiles. `None` if there are no numbers.
#[must_use]
pub fn median(numbers: &[f64]) -> Option<(f64, Interval)> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share| quantile(&sorted, share);
    Some((at(0.5)?, Interval { low: at(0.25)?, high: at(0.75)? }))
}

/// The confidence interval of the difference `a - b` of two independent estimates, from their
/// intervals by Newcombe's square-and-add method.
#[must_use]
pub fn difference(a: (f64, Interval), b: (f64, Interval)) -> Interval {
    let reach = |x: f64, y: f64| (x * x + y * y).sqrt();
    let change = a.0 - b.0;
    Interval {
        low: change - reach(a.0 - a.1.low, b.1.high - b.0),
        high: change + reach(a.1.high - a.0, b.0 - b.1.low),
    }
}

/// The normal distribution function: the probability that a standard normal variable is at most
/// `x`.
///
/// By its power series near 0 and by the continued fraction of the tail elsewhere; right to about
/// twelve digits.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let size = x.abs();
    if size < 4.0 {
        let (mut term, mut sum) = (x, x);
        for k in 1..100 {
            term *= x * x / f64::from(2 * k + 1);
            sum += term;
        }
        return 0.5 + density * sum;
    }
    let fraction = (1..=60).rev().fold(size, |below, k| size + f64::from(k) / below);
    let tail = density / fraction;
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The quantile of Student's t that leaves 2.5 % above it: half the width of a 95 % interval in
/// standard errors, when the error is estimated with so many degrees of freedom.
///
/// The expansion of Cornish and Fisher, right to three digits from 3 degrees on; infinite for 0.
#[must_use]
pub fn student_quantile(degrees: usize) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    match degrees {
        0 => return f64::INFINITY,
        1 => return 12.706_205,
        2 => return 4.302_653,
        3 => return 3.182_446,
        4 => return 2.776_445,
        _ => {}
    }
    let n = degrees as f64;
    let z = |power: i32| Z.powi(power);
    Z + (z(3) + Z) / (4.0 * n)
        + (5.0 * z(5) + 16.0 * z(3) + 3.0 * Z) / (96.0 * n * n)
        + (3.0 * z(7) + 19.0 * z(5) + 17.0 * z(3) - 15.0 * Z) / (384.0 * n.powi(3))
        + (79.0 * z(9) + 776.0 * z(7) + 1482.0 * z(5) - 1920.0 * z(3) - 945.0 * Z)
            / (92_160.0 * n.powi(4))
}

/// Exponential growth `y = factor * base^x` fitted to points by least squares on log y. `None` if
/// there are not two points with different x and positive y.
#[must_use]
pub fn growth(points: &[(f64, f64)]) -> Option<Growth> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|point| point.1 > 0.0).map(|&(x, y)| (x, y.ln())).collect();
    let n = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (x_mean, y_mean) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|p| (p.0 - x_mean).powi(2)).sum();
    if logs.len() < 2 || spread == 0.0 {
        return None;
    }
    let slope = logs.iter().map(|p| (p.0 - x_mean) * (p.1 - y_mean)).sum::<f64>() / spread;
    Some(Growth { base: slope.exp(), factor: (y_mean - slope * x_mean).exp() })
}

/// Exponential growth, as [`growth`] fits it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The factor from one x to the next.
    pub base: f64,
    /// The value at x = 0.
    pub factor: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.9), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.5), Some(2.5));
        let (middle, quartiles) = median(&[5.0, 1.0, 3.0, 2.0, 4.0]).unwrap();
        assert_eq!((middle, quartiles.low, quartiles.high), (3.0, 2.0, 4.0));
    }

    #[test]
    fn the_bootstrap_holds_the_mean_and_is_repeatable() {
        let numbers: Vec<f64> = (0..200).map(|n| f64::from(n % 10)).collect();
        let (value, interval) = mean(&numbers).unwrap();
        assert!(close(value, 4.5));
        // The standard error is 2.87 / sqrt(200) = 0.203, so 95 % are about 0.4 to either side.
        assert!(
            (interval.low - 4.1).abs() < 0.1 && (interval.high - 4.9).abs() < 0.1,
            "{interval:?}"
        );
        assert_eq!(mean(&numbers), mean(&numbers));
        assert_eq!(mean(&[7.0, 7.0, 7.0]).unwrap().1, Interval { low: 7.0, high: 7.0 });
        assert_eq!(ratio_of_sums(&[(1.0, 0.0)]), None);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn pairs_that_vary_together_give_a_narrow_ratio() {
        // Ten times as much on every position, though positions differ a hundredfold.
        let pairs: Vec<(f64, f64)> =
            (1..=100).map(|n| (10.0 * f64::from(n), f64::from(n))).collect();
        let (value, interval) = ratio_of_sums(&pairs).unwrap();
        assert!(close(value, 10.0) && close(interval.low, 10.0) && close(interval.high, 10.0));
    }

    #[test]
    fn differences_reach_as_far_as_both_do() {
        let interval = difference(
            (0.5, Interval { low: 0.4, high: 0.6 }),
            (0.3, Interval { low: 0.3, high: 0.3 }),
        );
        assert!(close(interval.low, 0.1) && close(interval.high, 0.3));
    }

    #[test]
    fn distributions_have_their_known_values() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.959_963_984_540_054, 0.025),
            (3.9, 0.999_951_903_655_983),
            (-5.0, 2.866_515_718_791_94e-7),
        ] {
            assert!((normal_cdf(x) / p - 1.0).abs() < 1e-10, "{x}: {}", normal_cdf(x));
        }
        for (degrees, t) in [(1, 12.706), (3, 3.182), (5, 2.571), (9, 2.262), (30, 2.042)] {
            assert!((student_quantile(degrees) - t).abs() < 3e-3, "{degrees}");
        }
        assert!((student_quantile(1_000_000) - 1.959_966).abs() < 1e-5);
    }

    #[test]
    fn growth_finds_the_base() {
        let points: Vec<(f64, f64)> = (1..8).map(|d| (f64::from(d), 3.0 * 7f64.powi(d))).collect();
        let found = growth(&points).unwrap();
        assert!((found.base - 7.0).abs() < 1e-9 && (found.factor - 3.0).abs() < 1e-9);
        assert_eq!(growth(&[(1.0, 5.0)]), None);
        assert_eq!(growth(&[(1.0, 5.0), (1.0, 6.0)]), None);
        assert_eq!(growth(&[(1.0, 0.0), (2.0, 4.0)]), None);
    }
}
