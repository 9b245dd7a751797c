//! Work that may last: without the interpreter lock, and stopped by Ctrl-C.

use crate::errors::OptionError;
use fourfold::budget::Budget;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time between two looks at the signals.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A budget from a limit of nodes and one of seconds, with a flag that stops the work.
pub(crate) fn budget(
    nodes: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<(Budget, Arc<AtomicBool>)> {
    let stop = Arc::new(AtomicBool::new(false));
    let time = seconds.map(duration).transpose()?;
    let budget = Budget::unlimited().with_stop(Arc::clone(&stop)).with_nodes(nodes).with_time(time);
    Ok((budget, stop))
}

/// A number of seconds as a time.
pub(crate) fn duration(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        OptionError::new_err(format!("a time is a number of seconds of at least 0, not {seconds}"))
    })
}

/// What came of some work, and the exception that ended it early.
pub(crate) struct Ran<T> {
    pub(crate) value: T,
    pub(crate) interrupted: Option<PyErr>,
}

/// A Python function that is told how much is done, when that has changed.
pub(crate) struct Told {
    tell: Option<Py<PyAny>>,
    last: usize,
}

impl Told {
    pub(crate) fn new(tell: Option<Py<PyAny>>) -> Self {
        Self { tell, last: 0 }
    }

    /// Tells how much is done now.
    pub(crate) fn tell(&mut self, py: Python<'_>, now: usize) -> PyResult<()> {
        if let Some(tell) = self.tell.as_ref().filter(|_| now != self.last) {
            self.last = now;
            tell.call1(py, (now,))?;
        }
        Ok(())
    }

    /// Tells how much of how much is done now.
    pub(crate) fn tell_of(&mut self, py: Python<'_>, now: usize, total: usize) -> PyResult<()> {
        if let Some(tell) = self.tell.as_ref().filter(|_| now != self.last) {
            self.last = now;
            tell.call1(py, (now, total))?;
        }
        Ok(())
    }
}

/// Does `work` on a thread of its own, while this one watches for signals and calls `tell` every
/// now and then. Once a signal handler or `tell` raises, the flag is set, and the work must end
/// soon.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
    mut tell: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> Ran<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            // It fails only if nobody waits any more, which cannot be.
            let worker = scope.spawn(move || sender.send(work()).ok());
            let mut interrupted = None;
            loop {
                match receiver.recv_timeout(POLL_INTERVAL) {
                    Ok(value) => return Ran { value, interrupted },
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) if interrupted.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        let watch = |py: Python<'_>| py.check_signals().and_then(|()| tell(py));
                        if let Err(why) = Python::attach(watch) {
                            stop.store(true, Ordering::Relaxed);
                            interrupted = Some(why);
                        }
                    }
                }
            }
            match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(_) => unreachable!("work that ends without a panic sends its value"),
            }
        })
    })
}

/// The same for work that has no value if it ended early.
pub(crate) fn run_whole<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let Ran { value, interrupted } = run(py, stop, work, |_| Ok(()));
    interrupted.map_or(Ok(value), Err)
}
