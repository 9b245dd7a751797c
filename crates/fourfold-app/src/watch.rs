//! How a search is watched from another thread.

use fourfold::solver::{Progress, SolveLimits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a solve is watched: Ctrl-C stops it, and it tells how far it is.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Stops the search when set.
    pub stop: Arc<AtomicBool>,
    /// Tells how far it is.
    pub progress: Arc<Progress>,
}

impl Watch {
    /// A watch whose flag Ctrl-C sets.
    pub fn new(stop: Arc<AtomicBool>) -> Self {
        Self { stop, progress: Arc::default() }
    }

    /// Whether Ctrl-C was pressed.
    pub fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// No limits but the flag, and told how far it is.
    pub fn limits(&self) -> SolveLimits {
        let (stop, progress) = (Some(Arc::clone(&self.stop)), Some(Arc::clone(&self.progress)));
        SolveLimits { stop, progress, ..SolveLimits::default() }
    }
}
