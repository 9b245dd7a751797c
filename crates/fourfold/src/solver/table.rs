//! The transposition table: proven bounds on the scores of positions searched before.
//!
//! An entry holds a lower and an upper bound on a position's score. Entries are exact: a bijection
//! of the key yields the bucket index and a remainder, and the remainder is stored in full
//! (compact hashing, Cleary 1984). No position is ever mistaken for another.
//!
//! ```text
//! 64-byte bucket of 8 entries:  | key remainder: 44 bits | work: 6 | lower: 7 | upper: 7 |
//! ```
//!
//! 128-bit keys are stored whole, up to 108 bits of them, in entries of two words. So a bucket is
//! still one cache line:
//!
//! ```text
//! 64-byte bucket of 4 entries:  | key: 64 bits | key: 44 bits | work: 6 | lower: 7 | upper: 7 |
//! ```
//!
//! Where neither fits (large boards in small tables, or longer keys), an entry stores the whole key
//! apart from its data.
//!
//! A table starts small and grows as it fills. A small table stays in the processor's caches and
//! is quick to clear.

use super::checkpoint::ProvenEntry;
use super::cpu::prefetch;
use crate::game::Word;
use crate::memory::room_for;

/// Added to a score before it is stored; scores lie strictly between its negative and it.
const SCORE_OFFSET: i32 = 64;

/// Entries per bucket, and per bucket of long entries.
const BUCKET_ENTRIES: usize = 8;
const LONG_BUCKET_ENTRIES: usize = 4;

/// Number of dirty buckets tracked so that a nearly empty table can be cleared without a full
/// sweep.
const DIRTY_BUCKETS: usize = 1 << 10;

/// The lowest bits of a packed entry hold the bounds and the work they took; the remaining bits
/// hold the key remainder.
const DATA_BITS: u32 = 20;
const DATA_MASK: u64 = (1 << DATA_BITS) - 1;
const REMAINDER_BITS: u32 = u64::BITS - DATA_BITS;

/// The multiplier of Fibonacci hashing (Knuth, TAOCP 6.4): 2^64 divided by the golden ratio. It is
/// odd, so the product is a bijection, and it mixes the key into the highest bits.
const HASH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Its inverse modulo 2^64, by Newton's method: each step doubles the digits that are right.
const HASH_INVERSE: u64 = {
    let (mut inverse, mut step) = (HASH_FACTOR, 0);
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(HASH_FACTOR.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

/// The same for the high half of a long key: another odd number without a pattern.
const HIGH_HASH_FACTOR: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// Bytes of an empty table, unless it takes more to tell positions apart.
const INITIAL_BYTES: u64 = 256 << 10;

/// Work is stored as a number of binary digits below this.
pub(super) const WORK_DIGITS: usize = 64;

/// To count the entries of a table, about this many buckets are looked at.
const COUNTED_BUCKETS: usize = 1 << 14;

/// How much larger a table becomes each time it grows, as a power of two.
const GROWTH_BITS: u32 = 2;

/// Proven bounds on a score, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScoreBounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl ScoreBounds {
    /// Nothing is proven: every score lies within.
    pub(super) const UNKNOWN: Self = Self { lower: 1 - SCORE_OFFSET, upper: SCORE_OFFSET - 1 };

    pub(super) fn at_least(lower: i32) -> Self {
        Self { lower, ..Self::UNKNOWN }
    }

    pub(super) fn at_most(upper: i32) -> Self {
        Self { upper, ..Self::UNKNOWN }
    }

    #[inline(always)]
    pub(super) fn intersect(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The same bounds from the opponent's point of view.
    #[inline(always)]
    pub(super) fn negated(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// The bound that decides the null window at `alpha`, if one does: a lower bound above `alpha`
    /// or an upper bound at most `alpha`.
    #[inline(always)]
    pub(super) fn decides(self, alpha: i32) -> Option<i32> {
        let Self { lower, upper } = self;
        if lower > alpha { Some(lower) } else { Some(upper).filter(|&upper| upper <= alpha) }
    }

    #[inline(always)]
    pub(super) fn encode(self) -> u64 {
        ((self.lower + SCORE_OFFSET) as u64) << 7 | (self.upper + SCORE_OFFSET) as u64
    }

    #[inline(always)]
    pub(super) fn decode(bits: u64) -> Self {
        Self {
            lower: (bits >> 7 & 127) as i32 - SCORE_OFFSET,
            upper: (bits & 127) as i32 - SCORE_OFFSET,
        }
    }
}

/// The replacement scheme: which entry of a full bucket is overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replacement {
    /// The entry that took the fewest nodes to prove: for positions early in the game. This is
    /// the usual depth-preferred scheme with the size of the subtree in place of the depth.
    KeepCostly,
    /// The least recently stored: for the many positions late in the game.
    KeepRecent,
}

/// The entries that one probe compares. Aligned to a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Bucket<E, const ENTRIES: usize = BUCKET_ENTRIES>([E; ENTRIES]);

/// A key of up to 108 bits with its data: the low half, then the rest above the data.
#[derive(Debug, Clone, Copy, Default)]
struct LongEntry {
    low: u64,
    high: u64,
}

type LongBucket = Bucket<LongEntry, LONG_BUCKET_ENTRIES>;

const EMPTY_LONG_BUCKET: LongBucket = Bucket([LongEntry { low: 0, high: 0 }; LONG_BUCKET_ENTRIES]);

impl LongEntry {
    #[inline(always)]
    fn new(key: u128, data: u64) -> Self {
        Self { low: key as u64, high: ((key >> 64) as u64) << DATA_BITS | data }
    }

    fn key(self) -> u128 {
        u128::from(self.high >> DATA_BITS) << 64 | u128::from(self.low)
    }

    #[inline(always)]
    fn data(self) -> u64 {
        self.high & DATA_MASK
    }

    #[inline(always)]
    fn has_key(self, key: u128) -> bool {
        (self.low == key as u64) & (self.high >> DATA_BITS == (key >> 64) as u64)
    }
}

/// The hash of a long key. Its highest bits are the bucket index, as for short keys: there the
/// products of both halves depend on all of their bits.
#[inline(always)]
fn long_hash(key: u128) -> u64 {
    let (low, high) = (key as u64, (key >> 64) as u64);
    low.wrapping_mul(HASH_FACTOR).wrapping_add(high.wrapping_mul(HIGH_HASH_FACTOR))
}

/// Where a position is stored in a table. Growing the table invalidates it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address<W> {
    bucket: usize,
    /// Tells the position apart from all others of the bucket.
    remainder: W,
}

/// A bucket as it was once.
#[cfg(feature = "training")]
#[derive(Debug)]
pub(super) struct SavedBucket<W> {
    bucket: usize,
    entries: SavedEntries<W>,
}

#[cfg(feature = "training")]
#[derive(Debug)]
enum SavedEntries<W> {
    Packed(Bucket<u64>),
    Long(LongBucket),
    Whole(Bucket<(W, u64)>),
}

/// A transposition table that grows up to a given size.
#[derive(Debug)]
pub(super) struct TranspositionTable<W> {
    /// Buckets of packed entries, of words of 64 bits only. Of the three kinds of buckets a table
    /// has one.
    packed: Vec<Bucket<u64>>,
    /// Buckets of long entries, of words of 128 bits only.
    long: Vec<LongBucket>,
    /// Buckets of whole keys apart from their data.
    whole: Vec<Bucket<(W, u64)>>,
    /// The buckets written to since the last clear. Once there are [`DIRTY_BUCKETS`] of them,
    /// further ones are not tracked.
    dirty: Vec<usize>,
    replacement: Replacement,
    /// [`HASH_FACTOR`], shifted so that the product of a key fills the 64 bits from the top.
    factor: u64,
    /// Bits of the hashed key that form the bucket index.
    index_bits: u32,
    /// The same for the empty table and for the largest one.
    initial_index_bits: u32,
    max_index_bits: u32,
    /// Stores left until the table should grow.
    stores_until_growth: usize,
}

impl<W: Word> TranspositionTable<W> {
    /// Whether keys are longer than 64 bits.
    const WIDE: bool = W::BITS > u64::BITS;

    /// A table of at most `bytes` bytes (but at least two buckets) for keys of `key_bits` bits.
    /// Fails with `bytes` if the memory cannot be allocated.
    pub(super) fn new(bytes: u64, key_bits: u32, replacement: Replacement) -> Result<Self, u64> {
        let packs = |index_bits: u32| !Self::WIDE && key_bits <= index_bits + REMAINDER_BITS;
        let bits_for =
            |bytes: u64, bucket: usize| (bytes / bucket as u64).max(2).ilog2().min(key_bits);
        let mut table = Self {
            packed: Vec::new(),
            long: Vec::new(),
            whole: Vec::new(),
            dirty: Vec::with_capacity(DIRTY_BUCKETS),
            replacement,
            factor: HASH_FACTOR << u64::BITS.saturating_sub(key_bits),
            index_bits: 0,
            initial_index_bits: 0,
            max_index_bits: bits_for(bytes, size_of::<Bucket<u64>>()),
            stores_until_growth: 0,
        };
        let reserved = if packs(table.max_index_bits) {
            let min_bits = key_bits.saturating_sub(REMAINDER_BITS);
            table.initial_index_bits =
                bits_for(INITIAL_BYTES, size_of::<Bucket<u64>>()).max(min_bits);
            reserve(&mut table.packed, table.max_index_bits)
        } else if Self::WIDE && key_bits <= u64::BITS + REMAINDER_BITS {
            table.initial_index_bits = bits_for(INITIAL_BYTES, size_of::<LongBucket>());
            reserve(&mut table.long, table.max_index_bits)
        } else {
            let bucket = size_of::<Bucket<(W, u64)>>();
            (table.initial_index_bits, table.max_index_bits) =
                (bits_for(INITIAL_BYTES, bucket), bits_for(bytes, bucket));
            reserve(&mut table.whole, table.max_index_bits)
        };
        reserved.ok_or(bytes)?;
        table.initial_index_bits = table.initial_index_bits.min(table.max_index_bits);
        table.resize(table.initial_index_bits);
        Ok(table)
    }

    /// Sets the size to 2^`index_bits` buckets, within the memory reserved.
    fn resize(&mut self, index_bits: u32) {
        let count = 1 << index_bits;
        let mut entries = BUCKET_ENTRIES;
        if self.packed.capacity() > 0 {
            self.packed.resize(count, Bucket([0; BUCKET_ENTRIES]));
        } else if self.long.capacity() > 0 {
            self.long.resize(count, EMPTY_LONG_BUCKET);
            entries = LONG_BUCKET_ENTRIES;
        } else {
            self.whole.resize(count, Bucket([(W::ZERO, 0); BUCKET_ENTRIES]));
        }
        self.index_bits = index_bits;
        self.stores_until_growth =
            if index_bits < self.max_index_bits { count * entries } else { usize::MAX };
    }

    /// Removes all entries. Takes next to no time if few were stored.
    pub(super) fn clear(&mut self) {
        let (packed, whole) = (Bucket([0; BUCKET_ENTRIES]), Bucket([(W::ZERO, 0); BUCKET_ENTRIES]));
        self.packed.truncate(1 << self.initial_index_bits);
        self.long.truncate(1 << self.initial_index_bits);
        self.whole.truncate(1 << self.initial_index_bits);
        if self.dirty.len() == DIRTY_BUCKETS {
            self.packed.fill(packed);
            self.long.fill(EMPTY_LONG_BUCKET);
            self.whole.fill(whole);
        } else if !self.long.is_empty() {
            self.dirty.iter().for_each(|&bucket| self.long[bucket] = EMPTY_LONG_BUCKET);
        } else if self.whole.is_empty() {
            self.dirty.iter().for_each(|&bucket| self.packed[bucket] = packed);
        } else {
            self.dirty.iter().for_each(|&bucket| self.whole[bucket] = whole);
        }
        self.dirty.clear();
        self.resize(self.initial_index_bits);
    }

    /// The bucket of an address as it is now, to be put back later.
    #[cfg(feature = "training")]
    pub(super) fn saved(&self, Address { bucket, .. }: Address<W>) -> SavedBucket<W> {
        let entries = if !self.whole.is_empty() {
            SavedEntries::Whole(self.whole[bucket])
        } else if Self::WIDE {
            SavedEntries::Long(self.long[bucket])
        } else {
            SavedEntries::Packed(self.packed[bucket])
        };
        SavedBucket { bucket, entries }
    }

    /// Exchanges a saved bucket with the one in the table, which must not have grown meanwhile.
    #[cfg(feature = "training")]
    pub(super) fn exchange(&mut self, saved: &mut SavedBucket<W>) {
        match &mut saved.entries {
            SavedEntries::Packed(entries) => {
                std::mem::swap(&mut self.packed[saved.bucket], entries);
            }
            SavedEntries::Long(entries) => {
                std::mem::swap(&mut self.long[saved.bucket], entries);
            }
            SavedEntries::Whole(entries) => {
                std::mem::swap(&mut self.whole[saved.bucket], entries);
            }
        }
    }

    /// Lets the table grow after so many more stores. Returns the number until now.
    #[cfg(feature = "training")]
    pub(super) fn grow_after(&mut self, stores: usize) -> usize {
        std::mem::replace(&mut self.stores_until_growth, stores)
    }

    /// About how many entries took how many nodes, by the number of binary digits of that: counted
    /// in some of the buckets of a large table.
    pub(super) fn work_counts(&self) -> [u64; WORK_DIGITS] {
        let step = (1usize << self.index_bits).div_ceil(COUNTED_BUCKETS);
        let mut counts = [0; WORK_DIGITS];
        let mut count = |data: u64| {
            if data != 0 {
                counts[(data >> 14) as usize % WORK_DIGITS] += step as u64;
            }
        };
        let packed = self.packed.iter().step_by(step).flat_map(|bucket| &bucket.0);
        packed.for_each(|entry| count(entry & DATA_MASK));
        let long = self.long.iter().step_by(step).flat_map(|bucket| &bucket.0);
        long.for_each(|entry| count(entry.data()));
        let whole = self.whole.iter().step_by(step).flat_map(|bucket| &bucket.0);
        whole.for_each(|entry| count(entry.1));
        counts
    }

    /// All entries whose work has at least so many binary digits.
    pub(super) fn for_each(&self, min_work_bits: u32, take: &mut dyn FnMut(ProvenEntry)) {
        let mut visit = |data: u64, key: &dyn Fn() -> u128| {
            let work_bits = (data >> 14) as u32;
            if data != 0 && work_bits >= min_work_bits {
                take(ProvenEntry { key: key(), bounds: ScoreBounds::decode(data), work_bits });
            }
        };
        for (index, bucket) in self.packed.iter().enumerate() {
            for entry in bucket.0 {
                visit(entry & DATA_MASK, &|| u128::from(self.key_at(index, entry)));
            }
        }
        for entry in self.long.iter().flat_map(|bucket| bucket.0) {
            visit(entry.data(), &|| entry.key());
        }
        for (key, data) in self.whole.iter().flat_map(|bucket| bucket.0) {
            visit(data, &|| key.widen());
        }
    }

    /// The key of a packed entry: the inverse of [`TranspositionTable::address`].
    fn key_at(&self, bucket: usize, entry: u64) -> u64 {
        let hashed = (bucket as u64).unbounded_shl(u64::BITS - self.index_bits)
            | (entry & !DATA_MASK).unbounded_shr(self.index_bits);
        let shift = self.factor.trailing_zeros();
        let key = (hashed >> shift).wrapping_mul(HASH_INVERSE);
        key << shift >> shift
    }

    /// Whether the table has filled up and should grow. To be checked after every store.
    #[inline(always)]
    pub(super) fn should_grow(&self) -> bool {
        self.stores_until_growth == 0
    }

    /// Grows and keeps all entries. Every [`Address`] handed out before is invalid afterwards.
    #[cold]
    pub(super) fn grow(&mut self) {
        let before = self.index_bits;
        let now = (before + GROWTH_BITS).min(self.max_index_bits);
        self.resize(now);
        // A bucket is split into several consecutive ones that start no earlier than itself. So
        // going from the last to the first, none overwrites one that is still to be split.
        let bucket_of = |hash: u64| (hash >> (u64::BITS - now)) as usize;
        if !self.long.is_empty() {
            redistribute(&mut self.long, before, |_, entry| {
                (entry.data() != 0).then(|| (bucket_of(long_hash(entry.key())), entry))
            });
        } else if self.whole.is_empty() {
            let more = now - before;
            redistribute(&mut self.packed, before, |bucket, entry| {
                let target = bucket << more | (entry >> (u64::BITS - more)) as usize;
                (entry != 0).then_some((target, (entry & !DATA_MASK) << more | entry & DATA_MASK))
            });
        } else {
            let mut whole = std::mem::take(&mut self.whole);
            redistribute(&mut whole, before, |_, entry| {
                (entry.1 != 0).then(|| (bucket_of(entry.0.mix()), entry))
            });
            self.whole = whole;
        }
        // Any bucket of the initial part may be in use now, so the next clear must sweep them all.
        self.dirty.resize(DIRTY_BUCKETS, 0);
    }

    /// The address of a key. Bucket index and remainder together are a bijection of the key, since
    /// multiplying by an odd factor loses nothing. Every bit of the key reaches the highest bits
    /// of the product, which are the index.
    #[inline(always)]
    pub(super) fn address(&self, key: W) -> Address<W> {
        let index_bits = self.index_bits % u64::BITS;
        if !self.whole.is_empty() {
            let bucket = (key.mix() >> (u64::BITS - index_bits)) as usize;
            return Address { bucket, remainder: key };
        }
        if Self::WIDE {
            let bucket = (long_hash(key.widen()) >> (u64::BITS - index_bits)) as usize;
            return Address { bucket, remainder: key };
        }
        let hashed = (key.widen() as u64).wrapping_mul(self.factor);
        let remainder = hashed << index_bits >> DATA_BITS;
        Address {
            bucket: (hashed >> (u64::BITS - index_bits)) as usize,
            remainder: W::truncate(remainder.into()),
        }
    }

    /// Prefetches the bucket that [`TranspositionTable::probe`] will read.
    #[inline(always)]
    pub(super) fn prefetch(&self, address: Address<W>) {
        if !self.whole.is_empty() {
            prefetch(&self.whole[address.bucket]);
        } else if Self::WIDE {
            prefetch(&self.long[address.bucket]);
        } else {
            prefetch(&self.packed[address.bucket]);
        }
    }

    /// The bounds stored for a position, if any.
    #[inline(always)]
    pub(super) fn probe(&self, Address { bucket, remainder }: Address<W>) -> Option<ScoreBounds> {
        // At most one entry matches, and only an empty entry is 0. All entries are compared at
        // once, without branches.
        let found = if !self.whole.is_empty() {
            or_entries(
                &self.whole[bucket].0,
                |entry| if entry.0 == remainder { entry.1 } else { 0 },
            )
        } else if Self::WIDE {
            let key = remainder.widen();
            let data = |entry: LongEntry| if entry.has_key(key) { entry.data() } else { 0 };
            let [a, b, c, d] = self.long[bucket].0.map(data);
            (a | b) | (c | d)
        } else {
            let remainder = remainder.widen() as u64;
            matching_entry(&self.packed[bucket].0, remainder)
        };
        (found != 0).then(|| ScoreBounds::decode(found))
    }

    /// Stores bounds, intersected with those already stored. `work` is the number of nodes it took
    /// to prove them.
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        Address { bucket, remainder }: Address<W>,
        bounds: ScoreBounds,
        work: u64,
    ) {
        let work = u64::from(u64::BITS - work.leading_zeros()).min(63);
        let replacement = self.replacement;
        if self.dirty.len() < DIRTY_BUCKETS {
            self.dirty.push(bucket);
        }
        self.stores_until_growth -= 1;
        if Self::WIDE && self.whole.is_empty() {
            let key = remainder.widen();
            insert(
                &mut self.long[bucket].0,
                replacement,
                bounds,
                work,
                |entry| entry.has_key(key),
                |entry| entry.data(),
                |data| LongEntry::new(key, data),
            );
        } else if self.whole.is_empty() {
            let remainder = remainder.widen() as u64;
            insert(
                &mut self.packed[bucket].0,
                replacement,
                bounds,
                work,
                |entry| entry >> DATA_BITS == remainder,
                |entry| entry & DATA_MASK,
                |data| remainder << DATA_BITS | data,
            );
        } else {
            insert(
                &mut self.whole[bucket].0,
                replacement,
                bounds,
                work,
                |entry| entry.0 == remainder,
                |entry| entry.1,
                |data| (remainder, data),
            );
        }
    }
}

/// The packed entry with this remainder, or 0.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn matching_entry(bucket: &[u64; BUCKET_ENTRIES], remainder: u64) -> u64 {
    or_entries(bucket, |&entry| if entry >> DATA_BITS == remainder { entry } else { 0 })
}

/// The packed entry with this remainder, or 0. Compilers find the instructions for it on other
/// processors.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn matching_entry(bucket: &[u64; BUCKET_ENTRIES], remainder: u64) -> u64 {
    use std::arch::wasm32::{
        i64x2_eq, u64x2, u64x2_extract_lane, u64x2_shr, u64x2_splat, v128_and, v128_or,
    };
    let wanted = u64x2_splat(remainder);
    let (pairs, _) = bucket.as_chunks::<2>();
    let found = pairs.iter().fold(u64x2_splat(0), |found, &[a, b]| {
        let pair = u64x2(a, b);
        v128_or(found, v128_and(pair, i64x2_eq(u64x2_shr(pair, DATA_BITS), wanted)))
    });
    u64x2_extract_lane::<0>(found) | u64x2_extract_lane::<1>(found)
}

/// The bitwise or of what `read` yields for each entry of a bucket, in an order that vectorises.
#[inline(always)]
fn or_entries<E>(bucket: &[E; BUCKET_ENTRIES], read: impl Fn(&E) -> u64) -> u64 {
    let halves: [u64; BUCKET_ENTRIES / 2] =
        std::array::from_fn(|at| read(&bucket[at]) | read(&bucket[at + BUCKET_ENTRIES / 2]));
    (halves[0] | halves[2]) | (halves[1] | halves[3])
}

/// Reserves room for 2^`bits` buckets; `None` if memory is short.
fn reserve<B>(buckets: &mut Vec<B>, bits: u32) -> Option<()> {
    *buckets = room_for(1usize.checked_shl(bits)?)?;
    Some(())
}

/// Moves the entries of the first 2^`bits` buckets to the buckets that `moved` returns, if any, in
/// the same order.
fn redistribute<E: Copy + Default, const ENTRIES: usize>(
    buckets: &mut [Bucket<E, ENTRIES>],
    bits: u32,
    moved: impl Fn(usize, E) -> Option<(usize, E)>,
) {
    for index in (0..1 << bits).rev() {
        let entries = std::mem::replace(&mut buckets[index].0, [E::default(); ENTRIES]);
        let mut filled = [0; 1 << GROWTH_BITS];
        for (target, entry) in entries.into_iter().filter_map(|entry| moved(index, entry)) {
            let count = &mut filled[target % (1 << GROWTH_BITS)];
            buckets[target].0[*count] = entry;
            *count += 1;
        }
    }
}

/// Inserts into a bucket. `same` tells whether an entry belongs to the position, `data` reads its
/// work and bounds (0 if it is empty), and `entry` makes one.
#[inline(always)]
fn insert<E: Copy, const ENTRIES: usize>(
    bucket: &mut [E; ENTRIES],
    replacement: Replacement,
    bounds: ScoreBounds,
    work: u64,
    same: impl Fn(&E) -> bool,
    data: impl Fn(&E) -> u64,
    entry: impl Fn(u64) -> E,
) {
    // Which entry is chosen is unpredictable, and the bucket may be far from the processor: hence
    // few branches.
    // Loops rather than iterators' methods, which are not inlined here and so lack the vectors.
    let mut free = 0u64;
    for (at, entry) in bucket.iter().enumerate() {
        free |= u64::from((data(entry) == 0) | same(entry)) << at;
    }
    let at = match replacement {
        Replacement::KeepCostly if free == 0 => {
            let mut least = u64::MAX;
            for (at, entry) in bucket.iter().enumerate() {
                least = least.min(data(entry) >> 14 << 3 | at as u64);
            }
            least as usize % ENTRIES
        }
        _ => (free | 1 << (ENTRIES - 1)).trailing_zeros() as usize % ENTRIES,
    };
    let old = if same(&bucket[at]) { data(&bucket[at]) } else { 0 };
    let old = if old == 0 { ScoreBounds::UNKNOWN.encode() } else { old };
    let new =
        entry(work.max(old >> 14) << 14 | bounds.intersect(ScoreBounds::decode(old)).encode());
    match replacement {
        Replacement::KeepCostly => bucket[at] = new,
        Replacement::KeepRecent => {
            // The new entry goes first, and those up to the one it replaces move back by one.
            let old = *bucket;
            for index in 1..ENTRIES {
                bucket[index] = if index <= at { old[index - 1] } else { old[index] };
            }
            bucket[0] = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashMap;

    /// Whatever the sizes: a probe finds only what was stored for that key, and finds the latest.
    fn check<W: Word>(bytes: u64, key_bits: u32, replacement: Replacement) {
        let mut table = TranspositionTable::<W>::new(bytes, key_bits, replacement).unwrap();
        let mut random = Random::new(u64::from(key_bits));
        let mask = u128::MAX >> (128 - key_bits);
        let mut stored: HashMap<u128, ScoreBounds> = HashMap::new();
        let mut recent: Vec<u128> = vec![0];
        let mut found = 0;
        let entries_per_bucket =
            if table.long.is_empty() { BUCKET_ENTRIES } else { LONG_BUCKET_ENTRIES };
        for _ in 0..20_000 {
            let bits = (u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())) & mask;
            // Some keys repeat: small ones in large tables, the latest in all.
            let key = match random.below(4) {
                0 | 1 => bits,
                2 => bits % 5000,
                _ => *random.pick(&recent).unwrap(),
            };
            let case = || format!("key {key} of {key_bits} bits in {bytes} bytes, {replacement:?}");
            let before = table.probe(table.address(W::truncate(key)));
            if let Some(bounds) = before {
                let truth = stored[&key];
                assert!(truth.lower >= bounds.lower && truth.upper <= bounds.upper, "{}", case());
                found += 1;
            } else if replacement == Replacement::KeepRecent {
                let lost = stored.contains_key(&key) && recent.contains(&key);
                assert!(!lost, "lost a recent {}", case());
            }
            let value = random.below(40) as i32 - 20;
            let bounds = if random.chance(0.5) {
                ScoreBounds::at_least(value)
            } else {
                ScoreBounds::at_most(value)
            };
            table.store(table.address(W::truncate(key)), bounds, random.next_u64() % 1000);
            if table.should_grow() {
                table.grow();
            }
            let after = before.map_or(bounds, |before| before.intersect(bounds));
            assert_eq!(table.probe(table.address(W::truncate(key))), Some(after), "{}", case());
            let known = stored.entry(key).or_insert(bounds);
            *known = known.intersect(bounds);
            recent.retain(|&other| other != key);
            recent.push(key);
            if recent.len() > entries_per_bucket {
                recent.remove(0);
            }
        }
        let mut entries = 0u64;
        table.for_each(0, &mut |ProvenEntry { key, bounds, .. }| {
            entries += 1;
            let probed = table.probe(table.address(W::truncate(key)));
            assert_eq!(probed, Some(bounds), "key {key} of {key_bits} bits in {bytes} bytes");
            assert!(stored.contains_key(&key), "key {key} of {key_bits} bits in {bytes} bytes");
        });
        let counted: u64 = table.work_counts().iter().sum();
        assert_eq!(entries, counted, "{key_bits} bits in {bytes} bytes");
        assert!(found > 500, "{found} found of {key_bits} bits in {bytes} bytes, {replacement:?}");
        table.clear();
        let is_absent = |table: &TranspositionTable<W>, key: u128| {
            table.probe(table.address(W::truncate(key))).is_none()
        };
        assert!(stored.keys().all(|&key| is_absent(&table, key)));
        // Clearing works below, at and above the number of dirty buckets that are tracked.
        let keys: Vec<u128> = stored.into_keys().take(DIRTY_BUCKETS + 1).collect();
        for count in [1, 7, DIRTY_BUCKETS - 1, DIRTY_BUCKETS, DIRTY_BUCKETS + 1] {
            for &key in &keys[..count] {
                table.store(table.address(W::truncate(key)), ScoreBounds::at_least(1), 1);
            }
            assert!(keys[..count].iter().any(|&key| !is_absent(&table, key)));
            table.clear();
            assert!(
                keys.iter().all(|&key| is_absent(&table, key)),
                "after {count} of {key_bits} bits"
            );
        }
    }

    #[test]
    fn only_what_was_stored_is_found() {
        for replacement in [Replacement::KeepCostly, Replacement::KeepRecent] {
            for bytes in [1, 64, 4096, 1 << 16, 1 << 20] {
                for key_bits in [20, 44, 49, 56, 63, 64] {
                    check::<u64>(bytes, key_bits, replacement);
                }
                for key_bits in [65, 70, 100, 108, 109, 128] {
                    check::<u128>(bytes, key_bits, replacement);
                }
            }
        }
    }
}
