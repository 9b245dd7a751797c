//! How far a search may go, and the check that it does not go further.

use crate::budget::{Budget, Halt};
use std::time::Duration;

/// How deep a search looks, and what it may spend. Depth is counted in moves of both sides (plies).
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::search::Limits;
///
/// let limits = Limits::depth(9).within(Budget::unlimited().with_nodes(1_000_000));
/// assert_eq!(limits.budget.nodes_left(), Some(1_000_000));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// How many plies to look ahead.
    pub depth: u32,
    /// What to spend at most.
    pub budget: Budget,
}

impl Limits {
    /// Look ahead so many plies, with no other limit.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth, ..Self::default() }
    }

    /// The same depth within this budget.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same limits anew; see [`Budget::renewed`].
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self { depth: self.depth, budget: self.budget.renewed() }
    }

    /// As deep as this budget allows.
    #[must_use]
    pub fn budget(budget: Budget) -> Self {
        Self { depth: u32::MAX, budget }
    }
}

/// Counts the nodes of one search down, and polls the clock and the stop flag now and then. What
/// was spent is taken off the budget when the search ends, however it ends.
#[derive(Debug)]
pub(super) struct Countdown {
    /// Nodes until the next poll.
    countdown: u64,
    nodes_left: u64,
    nodes_allowed: u64,
    deadline: Option<Duration>,
    budget: Budget,
    /// Whether what is spent counts.
    counted: bool,
}

/// Nodes between two polls of the clock: often enough to be prompt (well under a millisecond),
/// seldom enough to cost nothing.
const POLL_INTERVAL: u64 = 4096;

impl Countdown {
    pub(super) fn new(budget: &Budget) -> Self {
        Self::start(budget, budget.nodes_left().unwrap_or(u64::MAX), true)
    }

    /// For work that is not counted, within the same time and with the same stop flag.
    pub(super) fn uncounted(budget: &Budget) -> Self {
        Self::start(budget, u64::MAX, false)
    }

    fn start(budget: &Budget, nodes: u64, counted: bool) -> Self {
        let mut countdown = Self {
            countdown: 0,
            nodes_left: nodes,
            nodes_allowed: nodes,
            deadline: budget.deadline(),
            budget: budget.clone(),
            counted,
        };
        countdown.refill();
        countdown
    }

    fn refill(&mut self) {
        let watched = self.budget.is_watched();
        self.countdown = if watched { self.nodes_left.min(POLL_INTERVAL) } else { self.nodes_left };
        self.nodes_left -= self.countdown;
    }

    /// A search to this depth begins.
    pub(super) fn deepens(&self, depth: u32) {
        if let Some(progress) = self.budget.progress() {
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
            self.poll()?;
        }
        self.countdown -= 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Result<(), Halt> {
        if self.counted
            && let Some(progress) = self.budget.progress()
        {
            progress.reached(self.spent());
        }
        if self.nodes_left == 0 {
            return Err(Halt::Nodes);
        }
        if self.budget.is_stopped() {
            return Err(Halt::Stopped);
        }
        if self.deadline.is_some_and(|deadline| self.budget.clock().now() >= deadline) {
            return Err(Halt::Time);
        }
        self.refill();
        Ok(())
    }
}

impl Drop for Countdown {
    /// The budget and whoever watches learn the exact number of nodes, however the search ended.
    fn drop(&mut self) {
        if self.counted {
            self.budget.spend(self.spent());
            if let Some(progress) = self.budget.progress() {
                progress.ended(self.spent());
            }
        }
    }
}
