//! How far a search may go, and the check that it does not go further.

use crate::halt::Halt;
use crate::progress::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend. Depth is counted in moves of both sides (plies).
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// How many plies to look ahead.
    pub depth: u32,
    /// How many nodes to visit at most.
    pub nodes: Option<u64>,
    /// How long to search at most.
    pub time: Option<Duration>,
    /// Set by somebody else when the answer is no longer wanted.
    pub stop: Option<Arc<AtomicBool>>,
    /// Watched by somebody else while the work goes on.
    pub progress: Option<Arc<Progress>>,
}

impl Limits {
    /// Look ahead so many plies, with no other limit.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth, ..Self::default() }
    }
}

/// Counts nodes down and looks at the clock and the flag now and then.
#[derive(Debug)]
pub(super) struct Budget {
    /// Nodes until the next look.
    countdown: u64,
    nodes_left: u64,
    nodes_allowed: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    progress: Option<Arc<Progress>>,
}

/// A look at the clock every so many nodes costs nothing and is prompt: well under a millisecond.
const NODES_PER_LOOK: u64 = 4096;

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        let nodes_left = limits.nodes.unwrap_or(u64::MAX);
        let mut budget = Self {
            countdown: 0,
            nodes_left,
            nodes_allowed: nodes_left,
            // A time too long to be represented is no limit.
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
            progress: limits.progress.clone(),
        };
        budget.refill();
        budget
    }

    fn refill(&mut self) {
        let watched = self.deadline.is_some() || self.stop.is_some() || self.progress.is_some();
        self.countdown =
            if watched { self.nodes_left.min(NODES_PER_LOOK) } else { self.nodes_left };
        self.nodes_left -= self.countdown;
    }

    /// What is left of the time, and the same stop flag, for work that is not counted.
    pub(super) fn without_node_limit(&self) -> Self {
        let (deadline, stop) = (self.deadline, self.stop.clone());
        let mut budget = Self {
            countdown: 0,
            nodes_left: u64::MAX,
            nodes_allowed: u64::MAX,
            deadline,
            stop,
            progress: None,
        };
        budget.refill();
        budget
    }

    /// A search to this depth begins.
    pub(super) fn deepens(&self, depth: u32) {
        if let Some(progress) = &self.progress {
            progress.deepens(depth);
        }
    }

    /// Nodes spent so far.
    pub(super) fn spent(&self) -> u64 {
        self.nodes_allowed - self.nodes_left - self.countdown
    }

    /// Spends one node.
    #[inline(always)]
    pub(super) fn spend(&mut self) -> Result<(), Halt> {
        if self.countdown == 0 {
            self.look()?;
        }
        self.countdown -= 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Halt> {
        if let Some(progress) = &self.progress {
            progress.reached(self.spent());
        }
        if self.nodes_left == 0 {
            return Err(Halt::Nodes);
        }
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Halt::Stopped);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Halt::Time);
        }
        self.refill();
        Ok(())
    }
}

impl Drop for Budget {
    /// Whoever watches learns the exact number of nodes, however the search ended.
    fn drop(&mut self) {
        if let Some(progress) = &self.progress {
            progress.ended(self.spent());
        }
    }
}
