//! Work shared among threads that end with the call.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// Does `work` for every item, on so many threads (at least one), each with a state of its own.
/// `each` gets the results on the calling thread as they come, with the number of their item; when
/// it breaks, no more items are begun.
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
    let items = Mutex::new(items.enumerate());
    let broken = AtomicBool::new(false);
    // A panic elsewhere is passed on when its thread ends; the iterator needs no second guard.
    let take = || {
        let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
        if broken.load(Ordering::Relaxed) { None } else { items.next() }
    };
    std::thread::scope(|scope| {
        // Few results wait at a time, so that slow reading of them slows the work down instead of
        // filling memory.
        let (sender, receiver) = mpsc::sync_channel(threads.max(1));
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (take, state, work) = (&take, &state, &work);
            scope.spawn(move || {
                let mut state = state();
                while let Some((number, item)) = take() {
                    if sender.send((number, work(&mut state, item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (number, result) in receiver {
            if !broken.load(Ordering::Relaxed) && each(number, result).is_break() {
                broken.store(true, Ordering::Relaxed);
            }
        }
    });
}

/// Puts results that come in any order back into that of their numbers.
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
    /// Takes the result with this number, and gives back those whose turn it is now.
    pub fn add(&mut self, number: usize, result: R) -> impl Iterator<Item = (usize, R)> + '_ {
        self.waiting.insert(number, result);
        std::iter::from_fn(|| {
            let result = self.waiting.remove(&self.due)?;
            self.due += 1;
            Some((self.due - 1, result))
        })
    }

    /// Those whose turn has not come, because one before them never came.
    pub fn rest(self) -> impl Iterator<Item = (usize, R)> {
        self.waiting.into_iter()
    }
}
