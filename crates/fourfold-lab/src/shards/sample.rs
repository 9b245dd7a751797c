//! What a job costs, from a few of its rows.

use super::work::{Work, WorkError};
use fourfold::budget::Budget;
use fourfold::random::Random;
use std::collections::HashSet;
use std::fs;
use std::time::{Duration, Instant};

/// The most rows that are measured.
const MOST: u64 = 1000;

/// As many rows are enough if they took a part of the time.
const ENOUGH: u64 = 64;

/// That part; and a row is given up after it, so that one that takes very long is not the only one
/// measured.
const PARTS: u32 = 10;

/// Processor time is counted in steps of some milliseconds, so shorter samples go by the clock.
const COARSE: Duration = Duration::from_millis(200);

/// What some rows of a job took on one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Rows measured.
    pub rows: u64,
    /// Those among them that were given up: they take at least the time that they had.
    pub unfinished: u64,
    /// What all of them took: processor time where the system tells, so that whatever else the
    /// machine does counts little.
    pub time: Duration,
}

impl Sample {
    /// Measures rows drawn at random from so many, for at most about this long. `each` hears of each
    /// of them.
    ///
    /// # Errors
    /// If a row cannot be done, or the budget ended.
    pub fn take(
        work: &Work,
        rows: u64,
        time: Duration,
        budget: &Budget,
        mut each: impl FnMut(),
    ) -> Result<Self, WorkError> {
        let mut solver = work.solver()?;
        let (began, used) = (Instant::now(), processor_time());
        let mut sample = Self { rows: 0, unfinished: 0, time: Duration::ZERO };
        for row in drawn(rows) {
            let spent = began.elapsed();
            let left = time.saturating_sub(spent);
            let is_enough = sample.rows >= ENOUGH && spent > time / PARTS;
            if is_enough || (left.is_zero() && sample.rows > 0) {
                break;
            }
            let part = budget.part().with_time(left.min(time / PARTS));
            match work.row(row, solver.as_mut(), &part) {
                // Rows of several positions do not say that they left some out.
                Ok(_) => sample.unfinished += u64::from(part.exhausted().is_some()),
                Err(WorkError::Interrupted) if budget.exhausted().is_none() => {
                    sample.unfinished += 1;
                }
                Err(why) => return Err(why),
            }
            sample.rows += 1;
            each();
        }
        let wall = began.elapsed();
        let used = processor_time().zip(used).map(|(now, before)| now.saturating_sub(before));
        sample.time = used.filter(|_| wall >= COARSE).unwrap_or(wall);
        Ok(sample)
    }

    /// How many rows there are to measure in a job of so many.
    #[must_use]
    pub fn most_rows(rows: u64) -> u64 {
        rows.min(MOST)
    }

    /// Seconds for a row on one thread; at least that if rows were given up.
    #[must_use]
    pub fn seconds_per_row(&self) -> f64 {
        self.time.as_secs_f64() / self.rows.max(1) as f64
    }
}

/// How long this thread has been on a processor, as Linux tells.
fn processor_time() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split(' ').next()?.parse().ok()?))
}

/// Rows from all over the job, none twice: costs may follow the order of rows, and a row is quicker
/// after itself.
fn drawn(rows: u64) -> impl Iterator<Item = u64> {
    let mut random = Random::new(rows);
    let mut seen = HashSet::new();
    std::iter::from_fn(move || Some(random.below(rows as usize) as u64))
        .filter(move |&row| seen.insert(row))
        .take(Sample::most_rows(rows) as usize)
}

#[cfg(test)]
mod tests {
    use super::super::Job;
    use super::*;

    #[test]
    fn all_rows_of_a_small_job_are_drawn_once() {
        for rows in [1, 5, 1000, 5000] {
            let mut found: Vec<u64> = drawn(rows).collect();
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len() as u64, rows.min(MOST));
            assert!(found.iter().all(|&row| row < rows));
        }
    }

    #[test]
    fn rows_that_take_too_long_are_given_up_and_counted() {
        let job = |game: &str, plies| Job::Book { game: game.parse().unwrap(), plies };
        let (budget, second) = (Budget::unlimited(), Duration::from_secs(1));
        let (manifest, work) = Work::plan(job("4x4c4", 3)).unwrap();
        let quick = Sample::take(&work, manifest.rows, 60 * second, &budget, || ()).unwrap();
        assert_eq!((quick.rows, quick.unfinished), (manifest.rows, 0));
        // Positions that nobody solves soon.
        let (manifest, work) = Work::plan(job("10x8c4", 1)).unwrap();
        let time = Duration::from_millis(50);
        let slow = Sample::take(&work, manifest.rows, time, &budget, || ()).unwrap();
        assert!(slow.rows > 0 && slow.unfinished == slow.rows, "{slow:?}");
        assert!(slow.seconds_per_row() > 0.0);
        // No time at all is enough for one row.
        let none = Sample::take(&work, manifest.rows, Duration::ZERO, &budget, || ()).unwrap();
        assert_eq!((none.rows, none.unfinished), (1, 1));
    }
}
