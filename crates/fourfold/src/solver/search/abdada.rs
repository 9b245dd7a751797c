//! How the threads of a parallel search cooperate, in the manner of ABDADA (Weill 1996).
//!
//! All threads search the same tree and share a transposition table. Each marks the child that it
//! is searching as busy. After the first child of a node, a thread defers children that are busy
//! elsewhere and takes the others first; when it returns to them, they are mostly decided.

use super::{Child, Engine, SEARCHED};
use crate::solver::cpu::Cpu;
use crate::solver::layout::Layout;

impl<L: Layout> Engine<L> {
    /// Checks whether another thread has decided a node on the current path; if so, halts the
    /// search to unwind to the first such node.
    #[cold]
    pub(super) fn poll_shared(&mut self) {
        let Some(shared) = &self.shared else { return };
        let decided =
            self.shared_path.iter().enumerate().find_map(|(index, &(key, alpha))| {
                Some((index, shared.probe(key)?.decides(alpha)?))
            });
        if decided.is_some() {
            self.decided_elsewhere = decided;
            self.meter.halted = true;
        }
    }

    /// Leaves a node of the shared path while the search unwinds. If this is the node that another
    /// thread has decided, the search goes on from here with the bound returned.
    #[cold]
    pub(super) fn unwind(&mut self) -> i32 {
        self.shared_path.pop();
        match self.decided_elsewhere {
            Some((index, bound)) if index == self.shared_path.len() => {
                self.decided_elsewhere = None;
                self.meter.halted = self.meter.stopped.is_some();
                bound
            }
            _ => 0,
        }
    }

    /// Marks a child as busy, unless another thread has decided its null window since it was
    /// probed: then returns the bound, for the side to move at the parent.
    #[cold]
    pub(super) fn begin_child<C: Cpu>(&self, child: usize, alpha: i32) -> Option<i32> {
        let shared = self.shared.as_ref()?;
        let Child { node, mover_again, .. } = &self.children[child];
        let key = self.key::<C>(&node.position);
        let decided = shared.probe(key).and_then(|bounds| {
            let bounds = if *mover_again { bounds } else { bounds.negated() };
            bounds.decides(alpha)
        });
        if decided.is_none() {
            shared.mark_busy(key);
        }
        decided
    }

    /// Unmarks a child that was busy.
    #[cold]
    pub(super) fn end_child<C: Cpu>(&self, child: usize) {
        if let Some(shared) = &self.shared {
            shared.unmark_busy(self.key::<C>(&self.children[child].node.position));
        }
    }

    /// The priority of the next child to search: the best that no other thread is busy with, or
    /// the best of all if every one is busy.
    #[cold]
    pub(super) fn next_not_busy<C: Cpu>(&self, first_child: usize) -> u32 {
        let open = self.children[first_child..].iter().filter(|child| child.priority != SEARCHED);
        let is_free = |child: &&Child<L::W>| {
            let is_busy = |key| self.shared.as_ref().is_some_and(|shared| shared.is_busy(key));
            !is_busy(self.key::<C>(&child.node.position))
        };
        let free = open.clone().filter(is_free).map(|child| child.priority).max();
        free.or_else(|| open.map(|child| child.priority).max()).unwrap_or(SEARCHED)
    }
}
