//! Numbers as people read them: grouped, rounded, with their units and intervals.

use crate::metrics::{Estimate, Metric, Unit};
use fourfold::play::Interval;

/// `1234567` as `1 234 567`, with narrow no-break spaces.
#[must_use]
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// About three significant digits, large numbers in full: `0.0123`, `4.56`, `78.9`, `1 234`.
#[must_use]
pub fn plain(number: f64) -> String {
    let size = number.abs();
    if number.fract() == 0.0 && size < 1e15 || size >= 99.95 {
        let sign = if number < 0.0 { "−" } else { "" };
        return format!("{sign}{}", grouped(size.round() as u128));
    }
    let digits =
        if size >= 9.995 { 1 } else { (2 - size.log10().floor() as i32).clamp(2, 8) as usize };
    format!("{number:.digits$}").replace('-', "−")
}

/// Two significant digits, for ratios that nobody should take to the last: `96`, `1 700`.
#[must_use]
pub fn about(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return plain(number);
    }
    let power = number.abs().log10().floor() as i32 - 1;
    if power < 0 {
        let digits = power.unsigned_abs() as usize;
        return format!("{number:.digits$}").replace('-', "−");
    }
    let unit = 10f64.powi(power);
    plain((number / unit).round() * unit)
}

/// A rough number, a large one in scientific notation: `3.2 · 10¹²`.
#[must_use]
pub fn rough(number: f64) -> String {
    if number < 1e6 {
        return plain(number.round());
    }
    let power = number.log10().floor() as i32;
    let raised: String = power
        .to_string()
        .chars()
        .filter_map(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)? as usize))
        .collect();
    format!("{:.1} · 10{raised}", number / 10f64.powi(power))
}

/// A number with its unit.
#[must_use]
pub fn value(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{} %", trimmed(100.0 * number)),
        Unit::Points if number > 0.0 => format!("+{} points", trimmed(100.0 * number)),
        Unit::Points => format!("{} points", trimmed(100.0 * number)),
        Unit::Times => format!("× {}", plain(number)),
        Unit::Milliseconds => format!("{} ms", plain(number)),
        Unit::Nanoseconds => format!("{} ns", plain(number)),
        Unit::Seconds => format!("{} s", plain(number)),
        Unit::Number => plain(number),
    }
}

fn trimmed(number: f64) -> String {
    let text = format!("{number:.1}").replace('-', "−");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A number without its unit, for the bounds of an interval.
fn bare(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Share | Unit::Points => trimmed(100.0 * number),
        _ => plain(number),
    }
}

/// A number and its interval: `41.5 % (36.8 to 46.4)`.
#[must_use]
pub fn estimate(estimate: &Estimate, metric: &Metric) -> String {
    let number = value(estimate.value, metric.unit);
    estimate
        .interval
        .map_or(number.clone(), |interval| format!("{number} ({})", range(interval, metric.unit)))
}

/// The bounds of an interval: `36.8 to 46.4`.
#[must_use]
pub fn range(interval: Interval, unit: Unit) -> String {
    format!("{} to {}", bare(interval.low, unit), bare(interval.high, unit))
}

/// A published figure with the unit of its metric; a range as it was printed.
#[must_use]
pub fn figure(figure: &crate::experiment::Figure, unit: Unit) -> String {
    if figure.text.contains('–') { figure.text.clone() } else { value(figure.value, unit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 7.0, -2.0, 1.287, 41.18, 99.96, 1234.5, 0.053, 0.000_123].map(plain);
        assert_eq!(
            shown,
            ["0", "7", "−2", "1.29", "41.2", "100", "1\u{202f}235", "0.0530", "0.000123"]
        );
        assert_eq!(rough(3.21e12), "3.2 · 10¹²");
        assert_eq!([95.6, 1659.0, 3.97, 0.0456].map(about), ["96", "1\u{202f}700", "4.0", "0.046"]);
        assert_eq!(value(0.3263, Unit::Share), "32.6 %");
        assert_eq!(value(-0.05, Unit::Points), "−5 points");
    }
}
