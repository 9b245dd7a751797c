//! Work shared among threads: a few lines over [`std::thread::scope`].

use super::table::Trouble;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The next index of `range` that nobody has taken.
pub(super) fn take(next: &AtomicUsize, range: Range<usize>) -> Option<usize> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    (index < range.end).then_some(index)
}

/// A panic elsewhere is passed on when its thread is joined; the data need no second guard.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` for each worker, each on a thread of its own, the first on this one. Workers must
/// share their work among themselves: if the system has no thread for one, that one does nothing.
pub(super) fn share<T: Send>(
    workers: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<(), Trouble> + Sync,
) -> Result<(), Trouble> {
    let mut workers = workers.into_iter();
    let Some(first) = workers.next() else { return Ok(()) };
    let work = &work;
    std::thread::scope(|scope| {
        let spawn =
            |worker| std::thread::Builder::new().spawn_scoped(scope, move || work(worker)).ok();
        let threads: Vec<_> = workers.filter_map(spawn).collect();
        threads.into_iter().fold(work(first), |result, thread| {
            result.and(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })
}
