//! Ctrl-C: the first asks the running work to stop, so that what it has found is not lost; the
//! second ends at once. So do the signals by which a system ends programs.

use crate::failure::Failure;
use fourfold::budget::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag that Ctrl-C sets from now on. Call it once, before the work that heeds the flag.
pub(crate) fn flag() -> Result<Arc<AtomicBool>, Failure> {
    flag_while(&Arc::new(AtomicBool::new(true)))
}

/// A budget that Ctrl-C ends, watched by a progress line. Call it once, before the work; each piece
/// of work gets a part of it.
pub(crate) fn budget() -> Result<Budget, Failure> {
    Ok(watched(flag()?))
}

/// A budget that a flag ends, watched by a progress line.
pub(crate) fn watched(stop: Arc<AtomicBool>) -> Budget {
    Budget::unlimited().with_stop(stop).with_progress(Arc::default())
}

/// The flag for work that comes and goes: while `working` is false (the command waits for input,
/// say) even the first Ctrl-C ends at once.
pub(crate) fn flag_while(working: &Arc<AtomicBool>) -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let (seen, working) = (Arc::clone(&stop), Arc::clone(working));
    let handler = move || {
        if seen.swap(true, Ordering::Relaxed) || !working.load(Ordering::Relaxed) {
            crate::process::end_all();
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|why| Failure::runtime(format!("cannot watch for Ctrl-C: {why}")))?;
    Ok(stop)
}
