//! The transposition table of the textbook searches: plain, exact, of fixed size.
//!
//! Entries hold the whole key, so a hit is never another position. Replacement is always: a newer
//! entry takes the slot.

use super::{Bound, Keyed, Window};
use crate::memory::room_for;
use crate::score::is_decided;

/// How the value of an entry is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum EntryBound {
    /// Nothing: the slot is empty.
    #[default]
    Empty,
    /// The value itself.
    Exact,
    /// The value is this or more (for MAX).
    AtLeast,
    /// The value is this or less (for MAX).
    AtMost,
}

impl EntryBound {
    /// True if `value`, so read, tells how the game ends: a forced win that looking further cannot
    /// undo, or a forced loss.
    pub(super) fn proves(self, value: i32) -> bool {
        is_decided(value)
            && match self {
                Self::Empty => false,
                Self::Exact => true,
                Self::AtLeast => value > 0,
                Self::AtMost => value < 0,
            }
    }
}

/// An entry: the result of a node. Values are MAX's, so a table serves searches with one MAX only.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TableEntry {
    pub(super) value: i32,
    pub(super) depth: u16,
    /// The best move's slot plus one; 0 for none.
    best: u8,
    pub(super) kind: EntryBound,
}

impl TableEntry {
    pub(super) fn new(value: i32, depth: u32, kind: EntryBound, best_slot: Option<usize>) -> Self {
        // Games are shorter than 128 plies, and slots are below 128.
        Self { value, depth: depth as u16, best: best_slot.map_or(0, |slot| slot as u8 + 1), kind }
    }

    /// The slot of the best move, if one is remembered.
    pub(super) fn best_slot(&self) -> Option<usize> {
        (self.best as usize).checked_sub(1)
    }

    /// The value, if it settles a search with this window.
    #[inline]
    pub(super) fn settles(&self, window: Window) -> Option<i32> {
        let settled = match self.kind {
            EntryBound::Empty => false,
            EntryBound::Exact => true,
            EntryBound::AtLeast => self.value >= window.beta,
            EntryBound::AtMost => self.value <= window.alpha,
        };
        settled.then_some(self.value)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot<K> {
    key: K,
    entry: TableEntry,
}

/// A transposition table of fixed size, one entry per slot.
#[derive(Debug)]
pub(super) struct TranspositionTable<K> {
    slots: Vec<Slot<K>>,
}

impl<K: Copy + Eq + Default> TranspositionTable<K> {
    /// A table of at most so many MiB, and at least one entry.
    ///
    /// # Errors
    /// The size in bytes, if the system has not that much memory.
    pub(super) fn new(mebibytes: u32) -> Result<Self, u64> {
        let bytes = u64::from(mebibytes) << 20;
        Self::of_slots(bytes / size_of::<Slot<K>>() as u64).map_err(|_| bytes)
    }

    /// A table of so many slots, at least one.
    pub(super) fn of_slots(count: u64) -> Result<Self, u64> {
        let count = count.max(1);
        let bytes = count.saturating_mul(size_of::<Slot<K>>() as u64);
        let count = usize::try_from(count).map_err(|_| bytes)?;
        let mut slots = room_for(count).ok_or(bytes)?;
        slots.resize(count, Slot::default());
        Ok(Self { slots })
    }

    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        // The high half of the product spreads the hash over any size.
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn find(&self, keyed: &Keyed<K>) -> Option<&TableEntry> {
        let slot = &self.slots[self.index(keyed.hash)];
        (slot.entry.kind != EntryBound::Empty && slot.key == keyed.key).then_some(&slot.entry)
    }

    #[inline]
    pub(super) fn store(&mut self, keyed: Keyed<K>, entry: TableEntry) {
        let index = self.index(keyed.hash);
        self.slots[index] = Slot { key: keyed.key, entry };
    }
}

/// Whether a fail-soft value is exact or a bound, given the window the node was searched with.
pub(super) fn bound_of(value: i32, window: Window) -> EntryBound {
    match window.bound_of(value) {
        Bound::Exact => EntryBound::Exact,
        Bound::AtLeast => EntryBound::AtLeast,
        Bound::AtMost => EntryBound::AtMost,
    }
}
