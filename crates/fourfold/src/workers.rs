//! The one way to share work over threads: a validated number of them, and a call that ends them
//! before it returns.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Whether threads can be started at all: in a WebAssembly module without shared memory, none can.
/// What only several threads need is left out of such a build.
pub(crate) const CAN_START: bool =
    !cfg!(all(target_family = "wasm", not(target_feature = "atomics")));

/// A number of worker threads, from 1 to [`Threads::MAX`].
///
/// Every front end takes its number of threads through this type, so that all have one limit and
/// one error.
///
/// ```
/// use fourfold::workers::{Threads, ThreadsError};
///
/// assert_eq!("4".parse::<Threads>()?.get(), 4);
/// assert_eq!(Threads::new(100_000), Err(ThreadsError::OutOfRange { count: 100_000 }));
/// assert_eq!(
///     "many".parse::<Threads>().unwrap_err().to_string(),
///     "the number of threads is a whole number from 1 to 512, not \"many\"",
/// );
/// # Ok::<(), ThreadsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Threads(NonZeroUsize);

impl Threads {
    /// One thread.
    pub const ONE: Self = Self(NonZeroUsize::MIN);

    /// The most threads that any call starts. Each may hold a transposition table of its own, so
    /// more would exhaust memory long before they helped.
    pub const MAX: usize = 512;

    /// Checks a number of threads.
    ///
    /// # Errors
    /// If it is 0 or greater than [`Threads::MAX`].
    pub fn new(count: usize) -> Result<Self, ThreadsError> {
        NonZeroUsize::new(count)
            .filter(|count| count.get() <= Self::MAX)
            .map(Self)
            .ok_or(ThreadsError::OutOfRange { count })
    }

    /// As many threads as the machine can run at once, or 1 if that is unknown.
    #[must_use]
    pub fn available() -> Self {
        let count = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self::new(count.min(Self::MAX)).unwrap_or(Self::ONE)
    }

    /// The number, from 1 to [`Threads::MAX`].
    #[must_use]
    pub fn get(self) -> usize {
        self.0.get()
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Threads {
    type Err = ThreadsError;

    fn from_str(text: &str) -> Result<Self, ThreadsError> {
        let wrong = || ThreadsError::NotANumber { text: text.to_owned() };
        text.parse().map_err(|_| wrong()).and_then(Self::new)
    }
}

/// Why something is not a number of threads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThreadsError {
    /// It is 0, or more than [`Threads::MAX`].
    #[error("the number of threads is from 1 to {}, not {count}", Threads::MAX)]
    OutOfRange {
        /// As given.
        count: usize,
    },
    /// The text is not a whole number that the machine can hold.
    #[error("the number of threads is a whole number from 1 to {}, not {text:?}", Threads::MAX)]
    NotANumber {
        /// As given.
        text: String,
    },
}

/// Does `work` for every item on `threads` threads, each with a state of its own. `each` gets the
/// results on the calling thread as they come, with the number of their item; once it breaks, no
/// more items are started and further results are dropped.
///
/// The number is taken as at least 1 and at most [`Threads::MAX`]. One thread means the calling
/// one; so does a system that cannot start any. If it can start only some of them, those do the
/// work.
///
/// ```
/// use std::ops::ControlFlow;
///
/// let mut squares = vec![0; 10];
/// fourfold::workers::share_out(0..10, 2, || (), |(), n| n * n, |number, square| {
///     squares[number] = square;
///     ControlFlow::Continue(())
/// });
/// assert_eq!(squares[9], 81);
/// ```
pub fn share_out<T, S, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut each: impl FnMut(usize, R) -> ControlFlow<()>,
) {
    let threads = threads.clamp(1, Threads::MAX);
    let items = Mutex::new(items.enumerate());
    let broken = AtomicBool::new(false);
    // A panic elsewhere is passed on when its thread ends; the iterator needs no second guard.
    let take = || {
        let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
        if broken.load(Ordering::Relaxed) { None } else { items.next() }
    };
    let mut started = 0;
    if CAN_START && threads > 1 {
        thread::scope(|scope| {
            // Few results wait at a time, so that slow reading of them slows the work down instead
            // of filling memory.
            let (sender, receiver) = mpsc::sync_channel(threads);
            for _ in 0..threads {
                let sender = sender.clone();
                let (take, state, work) = (&take, &state, &work);
                let worker = move || {
                    let mut state = state();
                    while let Some((number, item)) = take() {
                        if sender.send((number, work(&mut state, item))).is_err() {
                            break;
                        }
                    }
                };
                if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                    break;
                }
                started += 1;
            }
            drop(sender);
            for (number, result) in receiver {
                if !broken.load(Ordering::Relaxed) && each(number, result).is_break() {
                    broken.store(true, Ordering::Relaxed);
                }
            }
        });
    }
    if started == 0 {
        let mut state = state();
        while let Some((number, item)) = take() {
            if each(number, work(&mut state, item)).is_break() {
                break;
            }
        }
    }
}

/// Puts results that arrive in any order back into the order of their items.
#[derive(Debug)]
pub struct InOrder<R> {
    waiting: BTreeMap<usize, R>,
    due: usize,
}

impl<R> Default for InOrder<R> {
    fn default() -> Self {
        Self { waiting: BTreeMap::new(), due: 0 }
    }
}

impl<R> InOrder<R> {
    /// Takes the result of item `number`, and returns the results that are due now, in order.
    pub fn add(&mut self, number: usize, result: R) -> impl Iterator<Item = (usize, R)> + '_ {
        self.waiting.insert(number, result);
        std::iter::from_fn(|| {
            let result = self.waiting.remove(&self.due)?;
            self.due += 1;
            Some((self.due - 1, result))
        })
    }

    /// The results that never became due, because one before them is missing.
    pub fn rest(self) -> impl Iterator<Item = (usize, R)> {
        self.waiting.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_is_limited() {
        assert_eq!(Threads::new(1), Ok(Threads::ONE));
        assert_eq!(Threads::new(Threads::MAX).map(Threads::get), Ok(512));
        for count in [0, 513, usize::MAX] {
            assert_eq!(Threads::new(count), Err(ThreadsError::OutOfRange { count }));
        }
        for text in ["", "two", "-1", "1.5", "99999999999999999999999"] {
            let error = text.parse::<Threads>().unwrap_err();
            assert_eq!(error, ThreadsError::NotANumber { text: text.to_owned() });
        }
        let told = "513".parse::<Threads>().unwrap_err().to_string();
        assert_eq!(told, "the number of threads is from 1 to 512, not 513");
        assert!((1..=Threads::MAX).contains(&Threads::available().get()));
    }

    #[test]
    fn every_item_is_done_once_on_any_number_of_threads() {
        for threads in [0, 1, 3, usize::MAX] {
            let mut seen = [0; 100];
            share_out(
                0..100usize,
                threads,
                || 7,
                |seven, n| n * *seven,
                |number, product| {
                    assert_eq!(product, 7 * number);
                    seen[number] += 1;
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(seen, [1; 100], "{threads} threads");
        }
    }

    #[test]
    fn nothing_is_started_after_a_break() {
        for threads in [1, 4] {
            let mut results = 0;
            share_out(
                0..,
                threads,
                || (),
                |(), n: u64| n,
                |_, _| {
                    results += 1;
                    if results == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(results, 5);
        }
    }
}
