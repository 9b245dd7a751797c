//! Values of options as people write them: whole numbers, times and amounts of memory.
//!
//! Every option that takes one of these reads it here, so that all commands accept the same
//! spellings and explain a mistake in the same words.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a whole number in a range, both ends included.
pub(crate) fn whole<N: Whole>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    move |text| {
        let parsed = text.parse().ok();
        parsed.filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let digits = !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
            if *most == N::MOST && digits && parsed.is_none() {
                "it is too large".to_owned()
            } else if *most == N::MOST {
                format!("write a whole number of at least {least}")
            } else {
                format!("write a whole number from {least} to {most}")
            }
        })
    }
}

/// Reads a whole number of at least `least`.
pub(crate) fn at_least<N: Whole>(
    least: N,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    whole(least..=N::MOST)
}

/// A type of whole numbers.
pub(crate) trait Whole:
    FromStr + PartialOrd + Display + Copy + Send + Sync + 'static
{
    /// The largest of the type.
    const MOST: Self;
}

impl Whole for u8 {
    const MOST: Self = Self::MAX;
}

impl Whole for u16 {
    const MOST: Self = Self::MAX;
}

impl Whole for u32 {
    const MOST: Self = Self::MAX;
}

impl Whole for u64 {
    const MOST: Self = Self::MAX;
}

impl Whole for usize {
    const MOST: Self = Self::MAX;
}

impl Whole for i64 {
    const MOST: Self = Self::MAX;
}

/// Reads a time, in milliseconds: `500`, `500ms`, `5s`, `2m` or `1h`.
pub(crate) fn milliseconds(text: &str) -> Result<u64, String> {
    let units = [("", 1), ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
    let (number, unit) = split_unit(text);
    let unit = units.into_iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
    number
        .parse::<u64>()
        .ok()
        .zip(unit)
        .and_then(|(number, unit)| number.checked_mul(unit))
        .ok_or_else(|| {
            "write a whole number of milliseconds, or one with a unit: 500ms, 5s, 2m or 1h"
                .to_owned()
        })
}

/// The most memory that an option takes, in MiB.
const MOST_MEBIBYTES: u32 = 1 << 20;

/// Reads an amount of memory, in MiB: `64`, `64M`, `0.5G` or `2GiB`.
pub(crate) fn mebibytes(text: &str) -> Result<u32, String> {
    let units = [("", 1.0), ("m", 1.0), ("mib", 1.0), ("g", 1024.0), ("gib", 1024.0)];
    let (number, unit) = split_unit(text);
    let unit = unit.to_ascii_lowercase();
    let unit = units.into_iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
    number
        .parse::<f64>()
        .ok()
        .zip(unit)
        .map(|(number, unit)| (number * unit).round())
        .filter(|mebibytes| (1.0..=f64::from(MOST_MEBIBYTES)).contains(mebibytes))
        .map(|mebibytes| mebibytes as u32)
        .ok_or_else(|| {
            "write an amount of memory in MiB, or with a unit: 64, 64M or 2G, at most 1024G"
                .to_owned()
        })
}

/// The number at the start of a text, and what follows it.
fn split_unit(text: &str) -> (&str, &str) {
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::{at_least, mebibytes, milliseconds, whole};

    #[test]
    fn whole_numbers_have_a_range() {
        let depth = whole(1..=128u32);
        assert_eq!(depth("128"), Ok(128));
        for text in ["0", "129", "-1", "1.5", "", "many", "99999999999999999999"] {
            assert_eq!(depth(text), Err("write a whole number from 1 to 128".to_owned()), "{text}");
        }
        let nodes = at_least(1u64);
        assert_eq!(nodes("18446744073709551615"), Ok(u64::MAX));
        for text in ["0", "many", ""] {
            assert_eq!(nodes(text), Err("write a whole number of at least 1".to_owned()), "{text}");
        }
        assert_eq!(nodes("18446744073709551616"), Err("it is too large".to_owned()));
    }

    #[test]
    fn times_are_milliseconds_or_have_a_unit() {
        for (text, expected) in
            [("500", 500), ("500ms", 500), ("90s", 90_000), ("20m", 1_200_000), ("2h", 7_200_000)]
        {
            assert_eq!(milliseconds(text), Ok(expected), "{text}");
        }
        for text in ["", "m", "-1s", "1.5m", "20 m", "1d", "99999999999999999999s", "5S", "é"] {
            let why = milliseconds(text).unwrap_err();
            assert!(why.starts_with("write a whole number of milliseconds"), "{text}: {why}");
        }
        assert!(milliseconds("9999999999999999999h").is_err());
    }

    #[test]
    fn memory_is_mebibytes_or_has_a_unit() {
        for (text, expected) in [
            ("64", 64),
            ("64M", 64),
            ("64MiB", 64),
            ("2G", 2048),
            ("0.5g", 512),
            ("1024G", 1 << 20),
        ] {
            assert_eq!(mebibytes(text), Ok(expected), "{text}");
        }
        for text in ["", "0", "0.2", "G", "-1", "NaN", "inf", "1025G", "2 G", "1e3", "2T"] {
            assert!(mebibytes(text).is_err(), "{text}");
        }
    }
}
