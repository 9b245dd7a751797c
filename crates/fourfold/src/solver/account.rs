//! What a search may spend, what it has spent, and whether it is to go on.

use crate::halt::Halt;
use crate::progress::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What a search may spend.
#[derive(Debug, Clone, Default)]
pub(super) struct Allowance {
    pub(super) nodes: Option<u64>,
    pub(super) deadline: Option<Instant>,
    pub(super) stop: Option<Arc<AtomicBool>>,
    pub(super) progress: Option<Arc<Progress>>,
    /// What searches of the same position on other threads share with this one.
    pub(super) team: Option<Arc<Team>>,
}

/// What several searches of one position share, besides what they prove.
#[derive(Debug, Default)]
pub(super) struct Team {
    /// Nodes of all of them, a few hundred behind.
    nodes: AtomicU64,
    /// One of them has answered.
    pub(super) answered: AtomicBool,
}

/// Clock and flags are looked at every so many nodes.
const NODES_PER_LOOK: u64 = 256;

/// The account of one search.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// Nodes spent.
    pub(super) nodes: u64,
    /// Set when the search is to return at once, paused or stopped.
    pub(super) halted: bool,
    /// Why it was stopped.
    pub(super) stopped: Option<Halt>,
    allowance: Allowance,
    /// Nodes that the team knows of.
    told: u64,
    next_look: u64,
    /// Where to break off for a while.
    pause_at: u64,
}

impl Account {
    /// Starts to count anew against an allowance.
    pub(super) fn begin(&mut self, allowance: Allowance) {
        *self = Self { allowance, ..Self::default() };
    }

    /// Opens for one question, to be broken off when so many nodes are spent.
    pub(super) fn open(&mut self, pause_at: u64) {
        self.pause_at = pause_at;
        self.halted = self.stopped.is_some();
        // A look at the first node that is searched; a question that needs none is free.
        self.next_look = 0;
    }

    /// Spends a node; false if the search is to return at once instead.
    #[inline(always)]
    pub(super) fn spend(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.look();
            if self.halted {
                return false;
            }
        }
        self.nodes += 1;
        true
    }

    /// Looks whether another node may be searched; if not, it is not counted, nor are those met on
    /// the way back up.
    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        let Allowance { nodes, deadline, stop, progress, team } = &self.allowance;
        let mut spent = self.nodes;
        if let Some(team) = team {
            let more = self.nodes - self.told;
            self.told = self.nodes;
            spent = team.nodes.fetch_add(more, Ordering::Relaxed) + more;
        }
        if let Some(progress) = progress {
            progress.reached(spent);
        }
        self.halted = self.nodes >= self.pause_at
            || team.as_ref().is_some_and(|team| team.answered.load(Ordering::Relaxed));
        if nodes.is_some_and(|limit| spent >= limit) {
            self.stopped = Some(Halt::Nodes);
        } else if stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.stopped = Some(Halt::Stopped);
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stopped = Some(Halt::Time);
        }
        self.halted |= self.stopped.is_some();
        let watched = deadline.is_some() || stop.is_some() || progress.is_some() || team.is_some();
        self.next_look = if watched { self.nodes + NODES_PER_LOOK } else { u64::MAX };
        self.next_look = self.next_look.min(nodes.unwrap_or(u64::MAX)).min(self.pause_at);
    }
}
