//! The hash tables that a level is gathered in, and the account of the memory they take.
//!
//! A table is one part of a level: boards go to parts by the highest bits of their hash, and within
//! a part to slots by the bits below. Slots are probed one after another; capacities may be any
//! number, so that a table whose size is known beforehand wastes nothing.

use super::coding::Key;
use crate::memory::room_for;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many parts a level has.
pub(super) const PARTS: usize = 256;

/// Slots are at most this full: 4 of 5. Fuller tables are slow to search.
const FULLEST: (usize, usize) = (4, 5);

/// Boards that are looked up together.
const BATCH: usize = 16;

/// What went wrong, before the ply is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    Stopped,
    Overflow,
    /// The budget does not allow this many bytes in all.
    Budget {
        needed: u64,
    },
    /// The system does not give this many bytes.
    Allocation {
        bytes: u64,
    },
}

/// The memory account: what may be used, and what is.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) budget: u64,
    used: AtomicU64,
}

impl Ledger {
    pub(super) fn new(budget: u64) -> Self {
        Self { budget, used: AtomicU64::new(0) }
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Books `bytes`, or refuses.
    pub(super) fn take(&self, bytes: u64) -> Result<(), Trouble> {
        let after = self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if after > self.budget {
            self.give(bytes);
            return Err(Trouble::Budget { needed: after });
        }
        Ok(())
    }

    /// Gives `bytes` back.
    pub(super) fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// What `count` things of type `T` take.
pub(super) fn bytes_of<T>(count: usize) -> u64 {
    count as u64 * size_of::<T>() as u64
}

/// The part that a hash belongs to.
#[inline(always)]
pub(super) fn part(hash: u64) -> usize {
    (hash >> (64 - PARTS.trailing_zeros())) as usize
}

/// What a table keeps of a board. The default value is an empty slot.
pub(super) trait Slot<K: Key>: Copy + Default + Send + Sync {
    fn new(key: K, sequences: u64) -> Self;
    fn key(&self) -> K;
    /// Takes in another find of the same board.
    fn absorb(&mut self, other: &Self) -> Result<(), Trouble>;
}

/// A board and how many sequences reach its class: what the next level is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally<K> {
    pub(super) key: K,
    pub(super) sequences: u64,
}

impl<K: Key> Slot<K> for Tally<K> {
    #[inline(always)]
    fn new(key: K, sequences: u64) -> Self {
        Self { key, sequences }
    }

    #[inline(always)]
    fn key(&self) -> K {
        self.key
    }

    #[inline(always)]
    fn absorb(&mut self, other: &Self) -> Result<(), Trouble> {
        self.sequences = self.sequences.checked_add(other.sequences).ok_or(Trouble::Overflow)?;
        Ok(())
    }
}

/// A board alone: enough for a ply that nothing follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen<K>(K);

impl<K: Key> Slot<K> for Seen<K> {
    #[inline(always)]
    fn new(key: K, _sequences: u64) -> Self {
        Self(key)
    }

    #[inline(always)]
    fn key(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn absorb(&mut self, _other: &Self) -> Result<(), Trouble> {
        Ok(())
    }
}

/// A set of slots with different keys.
#[derive(Debug)]
pub(super) struct LevelTable<S> {
    slots: Vec<S>,
    len: usize,
}

impl<S> Default for LevelTable<S> {
    fn default() -> Self {
        Self { slots: Vec::new(), len: 0 }
    }
}

impl<S: Copy + Default> LevelTable<S> {
    /// Slots for `boards` boards.
    pub(super) fn capacity_for(boards: usize) -> usize {
        boards.saturating_add(BATCH).saturating_mul(FULLEST.1) / FULLEST.0 + 1
    }

    /// How many boards are in it.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Empties the table and returns its memory.
    pub(super) fn clear(&mut self, ledger: &Ledger) {
        ledger.give(bytes_of::<S>(self.slots.len()));
        *self = Self::default();
    }

    /// Makes room for `boards` boards in an empty table.
    pub(super) fn reserve(&mut self, boards: usize, ledger: &Ledger) -> Result<(), Trouble> {
        debug_assert!(self.slots.is_empty());
        self.slots = allocate(Self::capacity_for(boards), ledger)?;
        Ok(())
    }

    /// The boards that `keep` wants, packed tightly. The memory of the others is returned.
    pub(super) fn into_boards<K: Key>(
        mut self,
        keep: impl Fn(&S) -> bool,
        ledger: &Ledger,
    ) -> Vec<S>
    where
        S: Slot<K>,
    {
        let before = self.slots.len();
        let mut kept = 0;
        for index in 0..before {
            let slot = self.slots[index];
            if slot.key() != K::default() && keep(&slot) {
                self.slots[kept] = slot;
                kept += 1;
            }
        }
        self.slots.truncate(kept);
        self.slots.shrink_to_fit();
        ledger.give(bytes_of::<S>(before - kept));
        self.slots
    }

    /// The keys in it, in no order that means anything.
    pub(super) fn keys<K: Key>(&self) -> impl Iterator<Item = K>
    where
        S: Slot<K>,
    {
        self.slots.iter().map(Slot::key).filter(|&key| key != K::default())
    }

    /// Takes in boards, most of which may be there already.
    pub(super) fn merge<K: Key>(&mut self, arrivals: &[S], ledger: &Ledger) -> Result<(), Trouble>
    where
        S: Slot<K>,
    {
        for batch in arrivals.chunks(BATCH) {
            if self.len + batch.len() > self.room() {
                self.grow::<K>(ledger)?;
            }
            // Look at all home slots first: nothing depends on what lies there, so the processor
            // waits for many cache lines at once and not for one after another.
            let (mut homes, mut present) = ([0; BATCH], [false; BATCH]);
            for (index, arrival) in batch.iter().enumerate() {
                homes[index] = self.home(arrival.key());
                present[index] = self.slots[homes[index]].key() == arrival.key();
            }
            for (index, arrival) in batch.iter().enumerate() {
                let at = if present[index] {
                    homes[index]
                } else {
                    self.find_from(homes[index], arrival.key())
                };
                let slot = &mut self.slots[at];
                if slot.key() == arrival.key() {
                    slot.absorb(arrival)?;
                } else {
                    *slot = *arrival;
                    self.len += 1;
                }
            }
        }
        Ok(())
    }

    /// How many boards may be in it before it must grow.
    fn room(&self) -> usize {
        self.slots.len() / FULLEST.1 * FULLEST.0
            + self.slots.len() % FULLEST.1 * FULLEST.0 / FULLEST.1
    }

    /// Where the search for `key` begins.
    #[inline(always)]
    fn home<K: Key>(&self, key: K) -> usize {
        let hash = key.hash() << PARTS.trailing_zeros();
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// The slot at or after `at` that holds `key`, or the empty one where it belongs.
    #[inline(always)]
    fn find_from<K: Key>(&self, mut at: usize, key: K) -> usize
    where
        S: Slot<K>,
    {
        loop {
            let there = self.slots[at].key();
            if there == key || there == K::default() {
                return at;
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    fn grow<K: Key>(&mut self, ledger: &Ledger) -> Result<(), Trouble>
    where
        S: Slot<K>,
    {
        let larger = allocate((self.slots.len() * 2).max(2 * BATCH), ledger)?;
        let smaller = std::mem::replace(&mut self.slots, larger);
        for slot in smaller.iter().filter(|slot| slot.key() != K::default()) {
            let at = self.find_from(self.home(slot.key()), slot.key());
            self.slots[at] = *slot;
        }
        ledger.give(bytes_of::<S>(smaller.len()));
        Ok(())
    }
}

/// Empty slots, booked and then asked of the system.
fn allocate<S: Copy + Default>(count: usize, ledger: &Ledger) -> Result<Vec<S>, Trouble> {
    let bytes = bytes_of::<S>(count);
    ledger.take(bytes)?;
    let Some(mut slots) = room_for(count) else {
        ledger.give(bytes);
        return Err(Trouble::Allocation { bytes });
    };
    slots.resize(count, S::default());
    Ok(slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashMap;

    #[test]
    fn a_table_counts_like_a_map() {
        let (mut table, ledger) = (LevelTable::<Tally<u64>>::default(), Ledger::new(1 << 20));
        let (mut map, mut random) = (HashMap::new(), Random::new(1));
        for _ in 0..200 {
            let arrivals: Vec<_> = (0..50)
                .map(|_| Tally::new(1 + random.next_u64() % 5000, random.next_u64() % 9))
                .collect();
            table.merge(&arrivals, &ledger).unwrap();
            for arrival in arrivals {
                *map.entry(arrival.key).or_insert(0) += arrival.sequences;
            }
        }
        assert_eq!(table.len(), map.len());
        let boards = table.into_boards(|_| true, &ledger);
        assert_eq!(ledger.used(), bytes_of::<Tally<u64>>(boards.len()));
        assert_eq!(
            boards.into_iter().map(|t| (t.key, t.sequences)).collect::<HashMap<_, _>>(),
            map
        );
    }

    #[test]
    fn too_many_sequences_and_too_little_memory_are_errors() {
        let ledger = Ledger::new(1000);
        let mut table = LevelTable::<Tally<u64>>::default();
        let full = Tally::new(3, u64::MAX);
        assert_eq!(table.merge(&[full, Tally::new(3, 1)], &ledger), Err(Trouble::Overflow));
        let many: Vec<Tally<u64>> = (10..100).map(|key| Tally::new(key, 1)).collect();
        assert!(matches!(table.merge(&many, &ledger), Err(Trouble::Budget { needed: 1001.. })));
        table.clear(&ledger);
        assert_eq!(ledger.used(), 0);
        let ledger = Ledger::new(u64::MAX);
        assert!(matches!(
            LevelTable::<Tally<u64>>::default().reserve(1 << 57, &ledger),
            Err(Trouble::Allocation { .. })
        ));
        assert_eq!(ledger.used(), 0);
    }

    #[test]
    fn a_reserved_table_does_not_grow() {
        for boards in 1..50 {
            let (mut table, ledger) = (LevelTable::<Seen<u64>>::default(), Ledger::new(1 << 20));
            table.reserve(boards, &ledger).unwrap();
            let used = ledger.used();
            table.merge(&(1..=boards as u64).map(Seen).collect::<Vec<_>>(), &ledger).unwrap();
            assert_eq!((ledger.used(), table.keys().count()), (used, boards));
        }
    }
}
