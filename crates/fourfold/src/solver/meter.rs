//! Counts the nodes of a search, and polls whether it is to go on.

use crate::budget::{Budget, Clock, Halt, Progress, ShareDone};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What the meters of several threads that search one position share.
#[derive(Debug, Default)]
pub(super) struct SharedMeter {
    /// Nodes of all of them, a few hundred behind.
    nodes: AtomicU64,
    /// One of them has answered.
    pub(super) answered: AtomicBool,
}

/// Nodes between two polls of the clock and the flags.
const POLL_INTERVAL: u64 = 256;

/// A node that a search was in when it was stopped.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathStep {
    /// How many of its moves are undecided.
    pub(super) left: u32,
    /// How many moves it has that do not lose at once.
    pub(super) moves: u32,
    /// Is its score above this?
    pub(super) alpha: i32,
}

/// The nodes of one search, counted against a budget.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// Nodes spent.
    pub(super) nodes: u64,
    /// Set when the search is to return at once, paused or stopped.
    pub(super) halted: bool,
    /// Why it was stopped.
    pub(super) stopped: Option<Halt>,
    /// Nodes that may be spent.
    limit: Option<u64>,
    deadline: Option<Duration>,
    clock: Clock,
    stop: Option<Arc<AtomicBool>>,
    progress: Option<Arc<Progress>>,
    /// Shared with the searches of the same position on other threads.
    shared: Option<Arc<SharedMeter>>,
    /// Nodes already added to the shared count.
    published: u64,
    next_poll: u64,
    /// Where to break off for a while.
    pause_at: u64,
    /// Where the search was when it was stopped, from the last node to the root.
    path: Vec<PathStep>,
}

impl Meter {
    /// Starts to count anew, against what is left of a budget. The nodes are not taken off it: that
    /// is for whoever knows the nodes of all threads.
    pub(super) fn begin(&mut self, budget: &Budget, shared: Option<Arc<SharedMeter>>) {
        *self = Self {
            limit: budget.nodes_left(),
            deadline: budget.deadline(),
            clock: budget.clock(),
            stop: budget.stop_flag().cloned(),
            progress: budget.progress().cloned(),
            shared,
            ..Self::default()
        };
    }

    /// Opens for one question, to be broken off when so many nodes are spent.
    pub(super) fn open(&mut self, pause_at: u64) {
        self.pause_at = pause_at;
        self.halted = self.stopped.is_some();
        // Polls at the first node that is searched; a question that needs none is free.
        self.next_poll = 0;
    }

    /// Lets at most so many nodes be spent on something beside the search, whose nodes do not
    /// count. Returns what [`Meter::end_aside`] needs.
    #[cfg(feature = "training")]
    pub(super) fn begin_aside(&mut self, nodes: u64) -> (u64, u64) {
        let before = (self.nodes, self.pause_at);
        (self.pause_at, self.next_poll) = (self.nodes.saturating_add(nodes), 0);
        before
    }

    /// Goes back to the search. Returns the nodes that were spent aside, and whether they were
    /// enough. A search that was stopped meanwhile stays so.
    #[cfg(feature = "training")]
    pub(super) fn end_aside(&mut self, (nodes, pause_at): (u64, u64)) -> (u64, bool) {
        let (spent, finished) = (self.nodes - nodes, !self.halted);
        (self.nodes, self.pause_at, self.next_poll) = (nodes, pause_at, 0);
        self.halted = self.stopped.is_some();
        (spent, finished)
    }

    /// Spends a node; false if the search is to return at once instead.
    #[inline(always)]
    pub(super) fn spend(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
            if self.halted {
                return false;
            }
        }
        self.nodes += 1;
        true
    }

    /// Leaves a node whose search was halted. In a browser nobody asks for the path, and the code
    /// should be small.
    #[inline(always)]
    pub(super) fn leave(&mut self, step: PathStep) {
        if self.stopped.is_some() && !cfg!(target_family = "wasm") {
            self.path.push(step);
        }
    }

    /// A guess of how much of the question was done when the search was stopped.
    ///
    /// If the answer is yes, the side that has to prove it needs one move of a node that cuts off,
    /// mostly the first, and has to refute all moves of the nodes between. So of the path to the
    /// last node, every other node counts: the share of its moves that are decided, weighed with the
    /// share of the whole that the node is. If the answer is no, the nodes between count. Of the two
    /// guesses the larger is told.
    pub(super) fn share_done(&self) -> Option<ShareDone> {
        let root_attacks = self.path.last()?.alpha >= 0;
        let share = |attacker_wins: bool| {
            let (mut done, mut weight) = (0u64, 1u64 << 40);
            let refuting = |step: &&PathStep| (step.alpha >= 0) != attacker_wins && step.moves > 0;
            for PathStep { left, moves, .. } in self.path.iter().rev().filter(refuting) {
                done += weight / u64::from(*moves) * u64::from(moves.saturating_sub(*left));
                weight /= u64::from(*moves);
            }
            (done * 1000 + (1 << 39)) >> 40
        };
        let (won, held) = (share(true), share(false));
        let answer = (won > held) == root_attacks;
        Some(ShareDone { per_mille: won.max(held) as u32, answer })
    }

    /// Polls whether another node may be searched; if not, it is not counted, nor are those met on
    /// the way back up.
    #[cold]
    #[inline(never)]
    fn poll(&mut self) {
        let Self { limit, deadline, clock, stop, progress, shared, .. } = self;
        let watched =
            deadline.is_some() || stop.is_some() || progress.is_some() || shared.is_some();
        let mut spent = self.nodes;
        let mut answered = false;
        if let Some(shared) = shared {
            let more = self.nodes - self.published;
            self.published = self.nodes;
            spent = shared.nodes.fetch_add(more, Ordering::Relaxed) + more;
            answered = shared.answered.load(Ordering::Relaxed);
        }
        if let Some(progress) = progress {
            progress.reached(spent);
        }
        if limit.is_some_and(|limit| spent >= limit) {
            self.stopped = Some(Halt::Nodes);
        } else if stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.stopped = Some(Halt::Stopped);
        } else if deadline.is_some_and(|deadline| clock.now() >= deadline) {
            self.stopped = Some(Halt::Time);
        }
        self.halted = answered || self.nodes >= self.pause_at || self.stopped.is_some();
        let next = if watched { self.nodes + POLL_INTERVAL } else { u64::MAX };
        self.next_poll = next.min(limit.unwrap_or(u64::MAX)).min(self.pause_at);
    }
}

#[cfg(test)]
mod tests {
    use super::{Halt, Meter, PathStep, ShareDone};

    /// The guess from a path, given from the root down: moves left, moves, alpha.
    fn guess(path: &[(u32, u32, i32)]) -> Option<ShareDone> {
        let mut meter = Meter { stopped: Some(Halt::Time), ..Meter::default() };
        for &(left, moves, alpha) in path.iter().rev() {
            meter.leave(PathStep { left, moves, alpha });
        }
        meter.share_done()
    }

    #[test]
    fn every_other_node_of_the_path_counts() {
        assert_eq!(guess(&[]), None);
        let share = |per_mille, answer| Some(ShareDone { per_mille, answer });
        // One of four moves at the root is refuted, and half of a second one.
        assert_eq!(guess(&[(3, 4, 0), (5, 5, -1), (1, 2, 0)]), share(375, false));
        // The first move at the root is being proven: two of five replies are refuted.
        assert_eq!(guess(&[(4, 4, 0), (3, 5, -1), (2, 2, 0)]), share(400, true));
        // The side to move has to hold out: a win for the other side is a no.
        assert_eq!(guess(&[(2, 3, -1), (4, 4, 0)]), share(333, false));
        assert_eq!(guess(&[(3, 3, -1), (1, 4, 0)]), share(750, true));
    }

    #[test]
    fn a_pause_leaves_no_path() {
        let mut meter = Meter::default();
        meter.leave(PathStep { left: 1, moves: 2, alpha: 0 });
        assert_eq!(meter.share_done(), None);
    }
}
