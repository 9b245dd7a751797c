//! How the threads of a parallel search cooperate, in the manner of ABDADA (Weill 1996).
//!
//! All threads search the same tree and share a transposition table. Each marks the child that it
//! is searching as busy. After the first child of a node, a thread defers children that are busy
//! elsewhere and takes the others first; when it returns to them, they are mostly decided. A thread
//! that finds that another has decided a node on its path unwinds to there.
//!
//! Both engines hold an [`Abdada`], and ask it at each node what to do. In a search on one thread
//! all it says is no; what several threads need besides is kept out of the way of that search, as
//! cold functions.

use super::meter::Meter;
use super::shared::SharedTable;
use super::table::ScoreBounds;
use crate::game::Word;
use crate::workers::CAN_START;
use std::sync::Arc;

/// Nodes between two polls of the shared transposition table.
const SHARED_POLL_INTERVAL: u64 = 512;

/// Results are shared between threads only while more than half of the cells are empty, and on
/// large boards only while more than so many are. Close to the leaves, sharing costs more than it
/// saves.
const SHARE_MIN_EMPTY: i32 = 24;

/// Busy moves are deferred only so many plies before results stop to be shared.
const DEFER_MARGIN: i32 = 4;

/// A thread's part in a parallel search.
#[derive(Debug)]
pub(super) struct Abdada<W> {
    /// What the threads share; `None` if there is one thread only.
    shared: Option<Arc<SharedTable>>,
    /// Results are shared before this ply: never, if there is one thread only.
    share_before: i32,
    /// Busy moves are deferred before this ply: never, if there is one thread only.
    defer_before: i32,
    /// Key and `alpha` of the nodes on the current path that other threads may decide first.
    path: Vec<(W, i32)>,
    /// The index in `path` of a node that another thread has decided meanwhile, and its bound: the
    /// search unwinds to there.
    decided_elsewhere: Option<(usize, i32)>,
}

impl<W> Default for Abdada<W> {
    /// For a search on one thread.
    fn default() -> Self {
        Self {
            shared: None,
            share_before: i32::MIN,
            defer_before: i32::MIN,
            path: Vec::new(),
            decided_elsewhere: None,
        }
    }
}

impl<W: Word> Abdada<W> {
    /// One of several threads that search the same position of a board with so many cells.
    pub(super) fn new(shared: &Arc<SharedTable>, cells: i32) -> Self {
        let share_before = cells - SHARE_MIN_EMPTY.min(cells / 2);
        Self {
            shared: Some(Arc::clone(shared)),
            share_before,
            defer_before: share_before - DEFER_MARGIN,
            ..Self::default()
        }
    }

    /// Whether several threads search.
    #[cfg(feature = "training")]
    pub(super) fn is_parallel(&self) -> bool {
        self.shared.is_some()
    }

    /// Begins a search at the root.
    pub(super) fn begin(&mut self) {
        self.path.clear();
        self.decided_elsewhere = None;
    }

    /// Whether results of nodes at this ply are shared.
    #[inline(always)]
    pub(super) fn shares(&self, ply: i32) -> bool {
        CAN_START && ply < self.share_before
    }

    /// Whether nodes at this ply defer children that are busy elsewhere.
    #[inline(always)]
    pub(super) fn defers(&self, ply: i32) -> bool {
        CAN_START && ply < self.defer_before
    }

    /// Prefetches what [`Abdada::probe_with`] will read.
    #[cold]
    #[inline(never)]
    pub(super) fn prefetch(&self, key: W) {
        if let Some(shared) = &self.shared {
            shared.prefetch(key);
        }
    }

    /// The bounds that the threads share of a position, if any.
    fn probe(&self, key: W) -> Option<ScoreBounds> {
        self.shared.as_ref()?.probe(key)
    }

    /// Adds what the threads share of a position to what is known.
    #[cold]
    #[inline(never)]
    pub(super) fn probe_with(&self, key: W, known: Option<ScoreBounds>) -> Option<ScoreBounds> {
        match (known, self.probe(key)) {
            (Some(known), Some(shared)) => Some(known.intersect(shared)),
            (known, shared) => known.or(shared),
        }
    }

    /// Shares the bounds of a position, which took so many nodes.
    #[cold]
    #[inline(never)]
    pub(super) fn store(&self, key: W, bounds: ScoreBounds, work: u64) {
        if let Some(shared) = &self.shared {
            shared.store(key, bounds, work);
        }
    }

    /// From time to time, checks whether another thread has decided a node on the current path; if
    /// so, halts the search to unwind to the first such node, and returns true.
    #[inline(always)]
    pub(super) fn poll(&mut self, meter: &mut Meter) -> bool {
        CAN_START
            && self.shared.is_some()
            && meter.nodes.is_multiple_of(SHARED_POLL_INTERVAL)
            && self.poll_path(meter)
    }

    #[cold]
    fn poll_path(&mut self, meter: &mut Meter) -> bool {
        let decided = |(index, &(key, alpha)): (usize, &(W, i32))| {
            Some((index, self.probe(key)?.decides(alpha)?))
        };
        let decided = self.path.iter().enumerate().find_map(decided);
        if decided.is_some() {
            self.decided_elsewhere = decided;
            meter.halted = true;
        }
        decided.is_some()
    }

    /// Enters a node that defers busy children: is its score above `alpha`?
    #[cold]
    pub(super) fn enter(&mut self, key: W, alpha: i32) {
        self.path.push((key, alpha));
    }

    /// Leaves a node that is decided.
    #[cold]
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    /// Leaves a node while the search unwinds. If this is the node that another thread has decided,
    /// the search goes on from here with the bound returned.
    #[cold]
    pub(super) fn unwind(&mut self, meter: &mut Meter) -> i32 {
        self.path.pop();
        match self.decided_elsewhere {
            Some((index, bound)) if index == self.path.len() => {
                self.decided_elsewhere = None;
                meter.halted = meter.stopped.is_some();
                bound
            }
            _ => 0,
        }
    }

    /// Marks a child as busy, unless another thread has decided its null window since it was
    /// probed: then returns the bound, for the side to move at the parent. `mover_again` tells
    /// whether that side is to move at the child too.
    #[cold]
    pub(super) fn begin_child(&self, key: W, mover_again: bool, alpha: i32) -> Option<i32> {
        let shared = self.shared.as_ref()?;
        let decided = shared.probe(key).and_then(|bounds| {
            let bounds = if mover_again { bounds } else { bounds.negated() };
            bounds.decides(alpha)
        });
        if decided.is_none() {
            shared.mark_busy(key);
        }
        decided
    }

    /// Unmarks a child that was busy.
    #[cold]
    pub(super) fn end_child(&self, key: W) {
        if let Some(shared) = &self.shared {
            shared.unmark_busy(key);
        }
    }

    /// Whether some thread is searching this position.
    pub(super) fn is_busy(&self, key: W) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.is_busy(key))
    }
}
