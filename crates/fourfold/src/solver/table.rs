//! The solver's tables: what is proven of positions met before.
//!
//! An entry holds a lower and an upper bound of a position's score. No two positions are ever taken
//! for each other: a bijection of the key gives the bucket's number and the rest of the key, and
//! the rest is stored in full.
//!
//! ```text
//! 64-byte bucket of 8 entries:  | rest of the key: 44 bits | work: 6 | lower: 7 | upper: 7 |
//! ```
//!
//! Where the rest does not fit into 44 bits (large boards in small tables, or keys of 128 bits) an
//! entry keeps the whole key.
//!
//! A table begins small and grows as it fills: what is small stays in the processor's caches, and
//! is quickly emptied.

use super::cpu::prefetch;
use crate::game::Word;
use crate::memory::room_for;

/// Scores are stored with this added; they lie strictly within it.
const OFFSET: i32 = 64;

const ENTRIES: usize = 8;

/// So many buckets a table remembers to have written to since it was last emptied. To empty it
/// then, it need not be gone through.
const REMEMBERED: usize = 1 << 10;

/// The lowest bits of a packed entry hold what is proven, and the work that took; the others the
/// rest of the key.
const DATA_BITS: u32 = 20;
const DATA: u64 = (1 << DATA_BITS) - 1;
const REST_BITS: u32 = u64::BITS - DATA_BITS;

/// An odd number whose product with a key is well mixed in its highest bits: 2^64 divided by the
/// golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// So many bytes a table takes when it is empty, if that is enough to tell positions apart.
const FIRST_BYTES: u64 = 256 << 10;

/// So many times as large it becomes whenever it grows, as a power of two.
const GROWTH: u32 = 2;

/// What is proven of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Proven {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Proven {
    /// Nothing: every score lies between.
    pub(super) const NOTHING: Self = Self { lower: 1 - OFFSET, upper: OFFSET - 1 };

    pub(super) fn at_least(lower: i32) -> Self {
        Self { lower, ..Self::NOTHING }
    }

    pub(super) fn at_most(upper: i32) -> Self {
        Self { upper, ..Self::NOTHING }
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// A bound that tells whether the score is above `alpha`, if one does: the score of the side to
    /// move there, or else (not `mine`) of its opponent.
    #[inline(always)]
    pub(super) fn settles(self, mine: bool, alpha: i32) -> Option<i32> {
        let (lower, upper) =
            if mine { (self.lower, self.upper) } else { (-self.upper, -self.lower) };
        if lower > alpha { Some(lower) } else { Some(upper).filter(|&upper| upper <= alpha) }
    }

    #[inline(always)]
    pub(super) fn encode(self) -> u64 {
        ((self.lower + OFFSET) as u64) << 7 | (self.upper + OFFSET) as u64
    }

    #[inline(always)]
    pub(super) fn decode(bits: u64) -> Self {
        Self { lower: (bits >> 7 & 127) as i32 - OFFSET, upper: (bits & 127) as i32 - OFFSET }
    }
}

/// Which entry of a full bucket makes room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The one that took least work to find: for positions early in the game.
    Costly,
    /// The oldest: for the many late in the game.
    Recent,
}

/// Entries that are looked at together. They begin where a line of the processor's cache does.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Bucket<S>([S; ENTRIES]);

/// Where a position is looked for in a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<W> {
    /// The bucket's number.
    index: usize,
    /// What tells it apart from others in the bucket.
    rest: W,
}

/// A table that grows up to a size.
#[derive(Debug)]
pub(super) struct Table<W> {
    packed: Vec<Bucket<u64>>,
    whole: Vec<Bucket<(W, u64)>>,
    /// The buckets written to, up to [`REMEMBERED`]; if there are so many, there may be others.
    written: Vec<usize>,
    keep: Keep,
    /// A key times this is mixed, and begins with the highest bit, if it is not kept whole.
    factor: u64,
    /// Bits of the mixed key that name the bucket.
    index_bits: u32,
    /// The same when the table is empty, and when it cannot grow any more.
    first_bits: u32,
    most_bits: u32,
    /// How often something is stored until the table should grow.
    room: usize,
}

impl<W: Word> Table<W> {
    /// A table of at most so many bytes (at least two buckets), for keys of so many bits; the
    /// bytes, if they cannot be had.
    pub(super) fn new(bytes: u64, key_bits: u32, keep: Keep) -> Result<Self, u64> {
        let packs = |index_bits: u32| key_bits <= u64::BITS && key_bits <= index_bits + REST_BITS;
        let bits_for =
            |bytes: u64, bucket: usize| (bytes / bucket as u64).max(2).ilog2().min(key_bits);
        let mut table = Self {
            packed: Vec::new(),
            whole: Vec::new(),
            written: Vec::with_capacity(REMEMBERED),
            keep,
            factor: FACTOR << u64::BITS.saturating_sub(key_bits),
            index_bits: 0,
            first_bits: 0,
            most_bits: bits_for(bytes, size_of::<Bucket<u64>>()),
            room: 0,
        };
        let roomy = if packs(table.most_bits) {
            let least = key_bits.saturating_sub(REST_BITS);
            table.first_bits = bits_for(FIRST_BYTES, size_of::<Bucket<u64>>()).max(least);
            reserve(&mut table.packed, table.most_bits)
        } else {
            let bucket = size_of::<Bucket<(W, u64)>>();
            (table.first_bits, table.most_bits) =
                (bits_for(FIRST_BYTES, bucket), bits_for(bytes, bucket));
            reserve(&mut table.whole, table.most_bits)
        };
        roomy.ok_or(bytes)?;
        table.first_bits = table.first_bits.min(table.most_bits);
        table.lay_out(table.first_bits);
        Ok(table)
    }

    /// Takes up 2^`index_bits` buckets from now on.
    fn lay_out(&mut self, index_bits: u32) {
        let count = 1 << index_bits;
        if self.packed.capacity() > 0 {
            self.packed.resize(count, Bucket([0; ENTRIES]));
        } else {
            self.whole.resize(count, Bucket([(W::ZERO, 0); ENTRIES]));
        }
        self.index_bits = index_bits;
        self.room = if index_bits < self.most_bits { count * ENTRIES } else { usize::MAX };
    }

    /// Forgets everything, in no time if little was stored.
    pub(super) fn clear(&mut self) {
        let (packed, whole) = (Bucket([0; ENTRIES]), Bucket([(W::ZERO, 0); ENTRIES]));
        self.packed.truncate(1 << self.first_bits);
        self.whole.truncate(1 << self.first_bits);
        if self.written.len() == REMEMBERED {
            self.packed.fill(packed);
            self.whole.fill(whole);
        } else if self.whole.is_empty() {
            self.written.iter().for_each(|&index| self.packed[index] = packed);
        } else {
            self.written.iter().for_each(|&index| self.whole[index] = whole);
        }
        self.written.clear();
        self.lay_out(self.first_bits);
    }

    /// Should it grow? Whoever stores something asks.
    #[inline(always)]
    pub(super) fn is_crowded(&self) -> bool {
        self.room == 0
    }

    /// Grows, and keeps everything. Spots are others from then on.
    #[cold]
    pub(super) fn grow(&mut self) {
        let before = self.index_bits;
        let now = (before + GROWTH).min(self.most_bits);
        self.lay_out(now);
        // A bucket becomes several in a row that begins no earlier, so from the last to the first
        // none is in the way of another.
        if self.whole.is_empty() {
            let more = now - before;
            spread(&mut self.packed, before, |index, slot| {
                let place = index << more | (slot >> (u64::BITS - more)) as usize;
                (slot != 0).then_some((place, (slot & !DATA) << more | slot & DATA))
            });
        } else {
            let mut whole = std::mem::take(&mut self.whole);
            let place = |key: W| (key.mix() >> (u64::BITS - now)) as usize;
            spread(&mut whole, before, |_, slot| (slot.1 != 0).then_some((place(slot.0), slot)));
            self.whole = whole;
        }
        // All of the first part may have been written to.
        self.written.resize(REMEMBERED, 0);
    }

    /// Where a key is looked for. The bucket's number and the rest are a bijection of the key: an
    /// odd factor loses nothing. All bits of the key reach the highest ones of the product,
    /// which are the number.
    #[inline(always)]
    pub(super) fn spot(&self, key: W) -> Spot<W> {
        let index_bits = self.index_bits % u64::BITS;
        if !self.whole.is_empty() {
            return Spot { index: (key.mix() >> (u64::BITS - index_bits)) as usize, rest: key };
        }
        let mixed = (key.widen() as u64).wrapping_mul(self.factor);
        let rest = mixed << index_bits >> DATA_BITS;
        Spot { index: (mixed >> (u64::BITS - index_bits)) as usize, rest: W::truncate(rest.into()) }
    }

    /// Has the processor fetch what [`Table::find`] will look at.
    #[inline(always)]
    pub(super) fn expect(&self, spot: Spot<W>) {
        if self.whole.is_empty() {
            prefetch(&self.packed[spot.index]);
        } else {
            prefetch(&self.whole[spot.index]);
        }
    }

    /// What is proven of a position, if it is there.
    #[inline(always)]
    pub(super) fn find(&self, Spot { index, rest }: Spot<W>) -> Option<Proven> {
        // At most one entry is this position, and none is 0 but an empty one. All are looked at
        // together, without branches.
        let found = if self.whole.is_empty() {
            let rest = rest.widen() as u64;
            together(
                &self.packed[index].0,
                |&entry| if entry >> DATA_BITS == rest { entry } else { 0 },
            )
        } else {
            together(&self.whole[index].0, |entry| if entry.0 == rest { entry.1 } else { 0 })
        };
        (found != 0).then(|| Proven::decode(found))
    }

    /// Adds what is proven to what was; `work` is the number of nodes it took.
    #[inline(always)]
    pub(super) fn store(&mut self, Spot { index, rest }: Spot<W>, proven: Proven, work: u64) {
        let work = u64::from(u64::BITS - work.leading_zeros()).min(63);
        let keep = self.keep;
        if self.written.len() < REMEMBERED {
            self.written.push(index);
        }
        self.room -= 1;
        if self.whole.is_empty() {
            let rest = rest.widen() as u64;
            put(
                &mut self.packed[index].0,
                keep,
                proven,
                work,
                |slot| slot >> DATA_BITS == rest,
                |slot| slot & DATA,
                |bits| rest << DATA_BITS | bits,
            );
        } else {
            let bucket = &mut self.whole[index].0;
            put(
                bucket,
                keep,
                proven,
                work,
                |slot| slot.0 == rest,
                |slot| slot.1,
                |bits| (rest, bits),
            );
        }
    }
}

/// What is found in any of the slots, in the order that vectors are made of.
#[inline(always)]
fn together<S>(bucket: &[S; ENTRIES], found: impl Fn(&S) -> u64) -> u64 {
    let halves: [u64; ENTRIES / 2] =
        std::array::from_fn(|at| found(&bucket[at]) | found(&bucket[at + ENTRIES / 2]));
    (halves[0] | halves[2]) | (halves[1] | halves[3])
}

/// Makes room for 2^`bits` buckets without aborting when memory is short.
fn reserve<B>(buckets: &mut Vec<B>, bits: u32) -> Option<()> {
    *buckets = room_for(1usize.checked_shl(bits)?)?;
    Some(())
}

/// Moves what is in the first 2^`bits` buckets to the places that `moved` tells, if any, in the
/// same order.
fn spread<S: Copy + Default>(
    buckets: &mut [Bucket<S>],
    bits: u32,
    moved: impl Fn(usize, S) -> Option<(usize, S)>,
) {
    for index in (0..1 << bits).rev() {
        let slots = std::mem::replace(&mut buckets[index].0, [S::default(); ENTRIES]);
        let mut filled = [0; 1 << GROWTH];
        for (place, slot) in slots.into_iter().filter_map(|slot| moved(index, slot)) {
            let count = &mut filled[place % (1 << GROWTH)];
            buckets[place].0[*count] = slot;
            *count += 1;
        }
    }
}

/// Writes into a bucket whose slots are read by `same` (is it this position?) and `bits` (work and
/// bounds, 0 if empty) and made by `entry`.
#[inline(always)]
fn put<S: Copy>(
    bucket: &mut [S; ENTRIES],
    keep: Keep,
    proven: Proven,
    work: u64,
    same: impl Fn(&S) -> bool,
    bits: impl Fn(&S) -> u64,
    entry: impl Fn(u64) -> S,
) {
    // Nothing foretells which slot it is, and a bucket may be far away: hence few branches.
    let free = |slot: &S| (bits(slot) == 0) | same(slot);
    let one_if = |free: bool, at: u64| if free { 1 << at } else { 0 };
    let frees =
        (0..).zip(bucket.iter()).fold(0u64, |frees, (at, slot)| frees | one_if(free(slot), at));
    let at = match keep {
        Keep::Costly if frees == 0 => {
            let cost = (0..).zip(bucket.iter()).map(|(at, slot)| bits(slot) >> 14 << 3 | at);
            cost.fold(u64::MAX, u64::min) as usize % ENTRIES
        }
        _ => (frees | 1 << (ENTRIES - 1)).trailing_zeros() as usize % ENTRIES,
    };
    let known = if same(&bucket[at]) { bits(&bucket[at]) } else { 0 };
    let known = if known == 0 { Proven::NOTHING.encode() } else { known };
    let new = entry(work.max(known >> 14) << 14 | proven.and(Proven::decode(known)).encode());
    match keep {
        Keep::Costly => bucket[at] = new,
        Keep::Recent => {
            let [a, b, c, d, e, f, g, h] = *bucket;
            let or = |index: usize, moved: S, old: S| if index <= at { moved } else { old };
            *bucket = [
                new,
                or(1, a, b),
                or(2, b, c),
                or(3, c, d),
                or(4, d, e),
                or(5, e, f),
                or(6, f, g),
                or(7, g, h),
            ];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashMap;

    /// What is found was stored, whatever the sizes; nothing is taken for another, and the last
    /// thing stored is there.
    fn check<W: Word>(bytes: u64, key_bits: u32, keep: Keep) {
        let mut table = Table::<W>::new(bytes, key_bits, keep).unwrap();
        let mut random = Random::new(u64::from(key_bits));
        let mask = u128::MAX >> (128 - key_bits);
        let mut stored: HashMap<u128, Proven> = HashMap::new();
        let mut recent: Vec<u128> = vec![0];
        let mut found = 0;
        for _ in 0..20_000 {
            let bits = (u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())) & mask;
            // Some keys are met again: small ones in large tables, the latest in all.
            let key = match random.below(4) {
                0 | 1 => bits,
                2 => bits % 5000,
                _ => *random.pick(&recent).unwrap(),
            };
            let case = || format!("key {key} of {key_bits} bits in {bytes} bytes, {keep:?}");
            let before = table.find(table.spot(W::truncate(key)));
            if let Some(proven) = before {
                let truth = stored[&key];
                assert!(truth.lower >= proven.lower && truth.upper <= proven.upper, "{}", case());
                found += 1;
            } else if keep == Keep::Recent {
                let lost = stored.contains_key(&key) && recent.contains(&key);
                assert!(!lost, "forgot a recent {}", case());
            }
            let value = random.below(40) as i32 - 20;
            let proven =
                if random.chance(0.5) { Proven::at_least(value) } else { Proven::at_most(value) };
            table.store(table.spot(W::truncate(key)), proven, random.next_u64() % 1000);
            if table.is_crowded() {
                table.grow();
            }
            let after = before.map_or(proven, |before| before.and(proven));
            assert_eq!(table.find(table.spot(W::truncate(key))), Some(after), "{}", case());
            let known = stored.entry(key).or_insert(proven);
            *known = known.and(proven);
            recent.retain(|&other| other != key);
            recent.push(key);
            if recent.len() > ENTRIES {
                recent.remove(0);
            }
        }
        assert!(found > 500, "{found} found of {key_bits} bits in {bytes} bytes, {keep:?}");
        table.clear();
        let forgotten =
            |table: &Table<W>, key: u128| table.find(table.spot(W::truncate(key))).is_none();
        assert!(stored.keys().all(|&key| forgotten(&table, key)));
        // A few, and as many as are remembered.
        let keys: Vec<u128> = stored.into_keys().take(REMEMBERED + 1).collect();
        for count in [1, 7, REMEMBERED - 1, REMEMBERED, REMEMBERED + 1] {
            for &key in &keys[..count] {
                table.store(table.spot(W::truncate(key)), Proven::at_least(1), 1);
            }
            assert!(keys[..count].iter().any(|&key| !forgotten(&table, key)));
            table.clear();
            assert!(
                keys.iter().all(|&key| forgotten(&table, key)),
                "after {count} of {key_bits} bits"
            );
        }
    }

    #[test]
    fn only_what_was_stored_is_found() {
        for keep in [Keep::Costly, Keep::Recent] {
            for bytes in [1, 64, 4096, 1 << 16, 1 << 20] {
                for key_bits in [20, 44, 49, 56, 63, 64] {
                    check::<u64>(bytes, key_bits, keep);
                }
                for key_bits in [65, 100, 128] {
                    check::<u128>(bytes, key_bits, keep);
                }
            }
        }
    }
}
