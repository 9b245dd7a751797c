//! What the threads of a parallel search share: a transposition table, and the positions that each
//! is busy with.
//!
//! The table needs no locks. An entry stores its key XORed with its data, so an entry torn by two
//! threads writing at once matches no position and is never found (lockless hashing, Hyatt and
//! Mann 2002). The busy positions are for deferring moves in the manner of ABDADA (Weill 1996).

use super::cpu::prefetch;
use super::table::ScoreBounds;
use crate::game::Word;
use crate::memory::room_for;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bounds that took fewer nodes than this are not worth sharing.
const MIN_SHARED_WORK: u64 = 16;

/// The low and the high half of the key, each XORed with the data; then the data.
type SharedEntry = [AtomicU64; 3];

/// The entries that one probe compares. Aligned to a cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct SharedBucket([SharedEntry; 2]);

/// Bits of the index into the table of busy positions.
const BUSY_INDEX_BITS: u32 = 14;

/// A transposition table for several threads; the entry that took the fewest nodes is replaced.
#[derive(Debug)]
pub(super) struct SharedTable {
    buckets: Vec<SharedBucket>,
    index_bits: u32,
    /// The hashed keys of positions that some thread is searching, 0 for none. One may overwrite
    /// another: only the order of moves depends on it, never a result.
    busy: Vec<AtomicU64>,
}

impl SharedTable {
    /// A table of at most `bytes` bytes (but at least two buckets). Fails with `bytes` if the
    /// memory cannot be allocated.
    pub(super) fn new(bytes: u64) -> Result<Self, u64> {
        let index_bits = (bytes / size_of::<SharedBucket>() as u64).max(2).ilog2();
        let count = 1usize.checked_shl(index_bits).ok_or(bytes)?;
        let mut buckets = room_for(count).ok_or(bytes)?;
        buckets.resize_with(count, SharedBucket::default);
        let busy = std::iter::repeat_with(AtomicU64::default).take(1 << BUSY_INDEX_BITS).collect();
        Ok(Self { buckets, index_bits, busy })
    }

    /// Marks a position as being searched.
    pub(super) fn mark_busy(&self, key: impl Word) {
        self.busy_slot(key).store(key.mix(), Ordering::Relaxed);
    }

    /// Unmarks a position when its search has ended.
    pub(super) fn unmark_busy(&self, key: impl Word) {
        // Another position may have taken the slot, or may take it right now and be unmarked by
        // mistake. That is harmless, and a compare-exchange would cost half as much as a node.
        let slot = self.busy_slot(key);
        if slot.load(Ordering::Relaxed) == key.mix() {
            slot.store(0, Ordering::Relaxed);
        }
    }

    /// Whether some thread is searching this position.
    pub(super) fn is_busy(&self, key: impl Word) -> bool {
        self.busy_slot(key).load(Ordering::Relaxed) == key.mix()
    }

    fn busy_slot(&self, key: impl Word) -> &AtomicU64 {
        &self.busy[(key.mix() >> (u64::BITS - BUSY_INDEX_BITS)) as usize]
    }

    /// Removes all entries.
    pub(super) fn clear(&self) {
        for word in self.buckets.iter().flat_map(|SharedBucket(entries)| entries.as_flattened()) {
            word.store(0, Ordering::Relaxed);
        }
    }

    fn bucket(&self, key: impl Word) -> &SharedBucket {
        &self.buckets[(key.mix() >> (u64::BITS - self.index_bits)) as usize]
    }

    /// Prefetches the bucket that [`SharedTable::probe`] will read.
    pub(super) fn prefetch(&self, key: impl Word) {
        prefetch(self.bucket(key));
    }

    /// The bounds stored for a position, if any.
    pub(super) fn probe(&self, key: impl Word) -> Option<ScoreBounds> {
        let mut entries = self.bucket(key).0.iter();
        let data = entries.find_map(|entry| Some(data_of(entry, key)).filter(|&data| data != 0))?;
        Some(ScoreBounds::decode(data))
    }

    /// Stores bounds, intersected with those already stored. `work` is the number of nodes it took
    /// to prove them.
    pub(super) fn store(&self, key: impl Word, bounds: ScoreBounds, work: u64) {
        if work < MIN_SHARED_WORK {
            return;
        }
        let SharedBucket(bucket) = self.bucket(key);
        let same = bucket.iter().find(|entry| data_of(entry, key) != 0);
        let cost = |entry: &&SharedEntry| entry[2].load(Ordering::Relaxed) >> 14;
        let Some(entry) = same.or_else(|| bucket.iter().min_by_key(cost)) else { return };
        let before = data_of(entry, key);
        let bounds =
            if before == 0 { bounds } else { bounds.intersect(ScoreBounds::decode(before)) };
        let data = work << 14 | bounds.encode();
        let (low, high) = halves(key);
        for (word, value) in entry.iter().zip([low ^ data, high ^ data, data]) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

fn halves(key: impl Word) -> (u64, u64) {
    let key = key.widen();
    (key as u64, (key >> 64) as u64)
}

/// The data of an entry if it belongs to this position, else 0.
fn data_of(entry: &SharedEntry, key: impl Word) -> u64 {
    let [low, high, data] = entry.each_ref().map(|word| word.load(Ordering::Relaxed));
    if (low ^ data, high ^ data) == halves(key) { data } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{MIN_SHARED_WORK, SharedTable};
    use crate::random::Random;
    use crate::solver::table::ScoreBounds;

    #[test]
    fn threads_find_only_true_bounds() {
        let table = SharedTable::new(1 << 12).unwrap();
        // The truth is a function of the key, so every bound found can be checked.
        let truth = |key: u64| (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as i32 - 32;
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    let mut random = Random::new(thread);
                    let mut found = 0;
                    for _ in 0..200_000 {
                        let key = random.below(3000) as u64;
                        if let Some(ScoreBounds { lower, upper }) = table.probe(key) {
                            assert!(lower <= truth(key) && truth(key) <= upper, "key {key}");
                            found += 1;
                        }
                        let gap = random.below(3) as i32;
                        let (low, high) = (truth(key) - gap, truth(key) + gap);
                        let bounds = if random.chance(0.5) {
                            ScoreBounds::at_least(low)
                        } else {
                            ScoreBounds::at_most(high)
                        };
                        table.store(key, bounds, MIN_SHARED_WORK + random.below(1000) as u64);
                    }
                    assert!(found > 1000, "{found}");
                });
            }
        });
        table.clear();
        assert!((0..3000u64).all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn positions_are_busy_between_mark_and_unmark() {
        let table = SharedTable::new(1).unwrap();
        for key in 1..1000u64 {
            table.mark_busy(key);
            assert!(table.is_busy(key) && !table.is_busy(key + 1));
            table.unmark_busy(key);
            assert!(!table.is_busy(key));
        }
    }

    #[test]
    fn wide_keys_and_little_work() {
        let table = SharedTable::new(1).unwrap();
        let key = 7u128 << 100 | 5;
        table.store(key, ScoreBounds::at_least(3), MIN_SHARED_WORK - 1);
        assert_eq!(table.probe(key), None);
        table.store(key, ScoreBounds::at_least(3), MIN_SHARED_WORK);
        table.store(key, ScoreBounds::at_most(4), MIN_SHARED_WORK);
        assert_eq!(table.probe(key), Some(ScoreBounds { lower: 3, upper: 4 }));
        assert_eq!(table.probe(key + (1 << 100)), None);
    }
}
