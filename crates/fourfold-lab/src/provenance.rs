//! The provenance of a result: commit, machine, command and date, without which nobody should
//! believe it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Where and how a run was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// The command as typed.
    pub command: String,
    /// The version of Fourfold.
    pub version: String,
    /// The commit it was built from, if known.
    pub commit: Option<String>,
    /// Processor model, number of processors, operating system.
    pub machine: String,
    /// Threads used.
    pub threads: usize,
    /// The day the run finished (UTC), as `2026-11-15`.
    pub date: String,
    /// Seconds of running time. A resumed run includes its earlier sessions, except those that
    /// were killed.
    pub seconds: f64,
}

impl Provenance {
    /// The provenance of a run that this process has just finished. Only the program that ran
    /// knows its command and the commit it was built from.
    #[must_use]
    pub fn of_this_process(
        command: String,
        commit: Option<String>,
        threads: usize,
        seconds: f64,
    ) -> Self {
        Self {
            command,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit,
            machine: machine(),
            threads,
            date: today(),
            seconds,
        }
    }
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let processor = processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{processor}, {cores} processors, {}", std::env::consts::OS)
}

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil((seconds / 86_400) as i64);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years are taken to start on 1 March, so that the leap day is the last day of a year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_772), (2026, 11, 15));
    }
}
