//! What threads working on one position share: what took one of them some work, all know, and what
//! each is busy with.
//!
//! No locks: an entry is a few words, and the key is stored mixed with the data, so an entry that
//! two threads wrote at once belongs to no position and is not found.

use super::cpu::prefetch;
use super::table::Proven;
use crate::game::Word;
use crate::memory::room_for;
use std::sync::atomic::{AtomicU64, Ordering};

/// What took less work than this is not worth telling.
const LEAST_WORK: u64 = 16;

/// An entry: the low and the high half of the key, each mixed with the data; then the data.
type Entry = [AtomicU64; 3];

/// Entries that are looked at together, in one line of the processor's cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

/// How many positions the threads can be seen to be busy with.
const BUSY_BITS: u32 = 14;

/// A table for several threads, which remembers what took most work.
#[derive(Debug)]
pub(super) struct Shared {
    buckets: Vec<Bucket>,
    index_bits: u32,
    /// The positions that some thread is searching, by their mixed keys, 0 for none. One may hide
    /// another: nothing but the order of moves hangs on it.
    busy: Vec<AtomicU64>,
}

impl Shared {
    /// A table of at most so many bytes; the bytes, if they cannot be had.
    pub(super) fn new(bytes: u64) -> Result<Self, u64> {
        let index_bits = (bytes / size_of::<Bucket>() as u64).max(2).ilog2();
        let count = 1usize.checked_shl(index_bits).ok_or(bytes)?;
        let mut buckets = room_for(count).ok_or(bytes)?;
        buckets.resize_with(count, Bucket::default);
        let busy = std::iter::repeat_with(AtomicU64::default).take(1 << BUSY_BITS).collect();
        Ok(Self { buckets, index_bits, busy })
    }

    /// A thread begins to search a position.
    pub(super) fn begin(&self, key: impl Word) {
        self.busy_with(key).store(key.mix(), Ordering::Relaxed);
    }

    /// A thread has searched a position.
    pub(super) fn end(&self, key: impl Word) {
        // Another position may have taken its place, or take it just now: then it is not seen to be
        // busy, and no more. An exchange in one step would keep it, but takes as long as
        // half a node.
        let busy = self.busy_with(key);
        if busy.load(Ordering::Relaxed) == key.mix() {
            busy.store(0, Ordering::Relaxed);
        }
    }

    /// Is some thread searching this position?
    pub(super) fn is_busy(&self, key: impl Word) -> bool {
        self.busy_with(key).load(Ordering::Relaxed) == key.mix()
    }

    fn busy_with(&self, key: impl Word) -> &AtomicU64 {
        &self.busy[(key.mix() >> (u64::BITS - BUSY_BITS)) as usize]
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        for word in self.buckets.iter().flat_map(|Bucket(entries)| entries.as_flattened()) {
            word.store(0, Ordering::Relaxed);
        }
    }

    fn bucket(&self, key: impl Word) -> &Bucket {
        &self.buckets[(key.mix() >> (u64::BITS - self.index_bits)) as usize]
    }

    /// Has the processor fetch what [`Shared::find`] will look at.
    pub(super) fn expect(&self, key: impl Word) {
        prefetch(self.bucket(key));
    }

    /// What is proven of a position, if it is there.
    pub(super) fn find(&self, key: impl Word) -> Option<Proven> {
        let data =
            self.bucket(key).0.iter().map(|entry| data_of(entry, key)).find(|&data| data != 0)?;
        Some(Proven::decode(data))
    }

    /// Adds what is proven to what was; `work` is the number of nodes it took.
    pub(super) fn store(&self, key: impl Word, proven: Proven, work: u64) {
        if work < LEAST_WORK {
            return;
        }
        let Bucket(bucket) = self.bucket(key);
        let known = bucket.iter().position(|entry| data_of(entry, key) != 0);
        let cost = |entry: &&Entry| entry[2].load(Ordering::Relaxed) >> 14;
        let Some(entry) = known.map(|at| &bucket[at]).or_else(|| bucket.iter().min_by_key(cost))
        else {
            return;
        };
        let before = data_of(entry, key);
        let proven = if before == 0 { proven } else { proven.and(Proven::decode(before)) };
        let data = work << 14 | proven.encode();
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

/// The data of an entry if it is this position's, else 0.
fn data_of(entry: &Entry, key: impl Word) -> u64 {
    let [low, high, data] = entry.each_ref().map(|word| word.load(Ordering::Relaxed));
    if (low ^ data, high ^ data) == halves(key) { data } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{LEAST_WORK, Shared};
    use crate::random::Random;
    use crate::solver::table::Proven;

    #[test]
    fn what_threads_tell_each_other_is_true() {
        let table = Shared::new(1 << 12).unwrap();
        // What is true of a key hangs on the key alone, so each answer can be checked.
        let truth = |key: u64| (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as i32 - 32;
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    let mut random = Random::new(thread);
                    let mut found = 0;
                    for _ in 0..200_000 {
                        let key = random.below(3000) as u64;
                        if let Some(Proven { lower, upper }) = table.find(key) {
                            assert!(lower <= truth(key) && truth(key) <= upper, "key {key}");
                            found += 1;
                        }
                        let gap = random.below(3) as i32;
                        let (low, high) = (truth(key) - gap, truth(key) + gap);
                        let proven = if random.chance(0.5) {
                            Proven::at_least(low)
                        } else {
                            Proven::at_most(high)
                        };
                        table.store(key, proven, LEAST_WORK + random.below(1000) as u64);
                    }
                    assert!(found > 1000, "{found}");
                });
            }
        });
        table.clear();
        assert!((0..3000u64).all(|key| table.find(key).is_none()));
    }

    #[test]
    fn who_is_busy_with_what() {
        let table = Shared::new(1).unwrap();
        for key in 1..1000u64 {
            table.begin(key);
            assert!(table.is_busy(key) && !table.is_busy(key + 1));
            table.end(key);
            assert!(!table.is_busy(key));
        }
    }

    #[test]
    fn wide_keys_and_little_work() {
        let table = Shared::new(1).unwrap();
        let key = 7u128 << 100 | 5;
        table.store(key, Proven::at_least(3), LEAST_WORK - 1);
        assert_eq!(table.find(key), None);
        table.store(key, Proven::at_least(3), LEAST_WORK);
        table.store(key, Proven::at_most(4), LEAST_WORK);
        assert_eq!(table.find(key), Some(Proven { lower: 3, upper: 4 }));
        assert_eq!(table.find(key + (1 << 100)), None);
    }
}
