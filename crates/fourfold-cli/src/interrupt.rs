//! Ctrl-C: the first asks the running work to stop, so that what it has found is not lost; the second ends at once.

use crate::failure::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// The flag that Ctrl-C sets from now on. Call it once, before the work that heeds the flag.
pub(crate) fn flag() -> Result<&'static AtomicBool, Failure> {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|why| Failure::runtime(format!("cannot watch for Ctrl-C: {why}")))?;
    Ok(&STOP)
}
