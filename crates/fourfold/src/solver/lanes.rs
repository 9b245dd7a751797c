//! Sets of cells side by side: what the code over all moves of a node works on.
//!
//! On most processors that is one word at a time, in loops over several words, which compilers turn
//! into vector instructions. There are none for words of 128 bits, so those are taken as two of 64
//! ([`Halves`]). In WebAssembly compilers do not turn loops into vector instructions, and vectors
//! hold only two words: there the code works on [`Pair`]s.

use crate::game::Word;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// The most sets side by side.
pub(super) const LANES: usize = 8;

/// One set of cells, or several in the lanes of a vector, on which all operations work alike.
pub(super) trait Lanes<W>:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many sets.
    const COUNT: usize;

    /// [`LANES`] sets in memory.
    type Sets: Copy;

    /// [`LANES`] empty sets.
    const EMPTY: Self::Sets;

    /// The same set in every lane.
    fn splat(set: W) -> Self;

    /// Reads the sets from an index on, a multiple of their number.
    fn read(sets: &Self::Sets, first: usize) -> Self;

    /// Writes them there.
    fn write(self, sets: &mut Self::Sets, first: usize);

    /// Reads a single set.
    fn get(sets: &Self::Sets, lane: usize) -> W;

    /// Writes a single set.
    fn put(sets: &mut Self::Sets, lane: usize, set: W);

    /// The sum of the words, which may run out of the top.
    fn plus(self, other: Self) -> Self;

    /// The difference modulo the word size.
    fn minus(self, other: Self) -> Self;

    /// In each lane every bit if it is the empty set, else none.
    fn where_empty(self) -> Self;

    /// The union of the sets.
    fn union(self) -> W;
}

impl<W: Word> Lanes<W> for W {
    const COUNT: usize = 1;
    type Sets = [W; LANES];
    const EMPTY: Self::Sets = [W::ZERO; LANES];

    #[inline(always)]
    fn splat(set: W) -> Self {
        set
    }

    #[inline(always)]
    fn read(sets: &Self::Sets, first: usize) -> Self {
        sets[first]
    }

    #[inline(always)]
    fn write(self, sets: &mut Self::Sets, first: usize) {
        sets[first] = self;
    }

    #[inline(always)]
    fn get(sets: &Self::Sets, lane: usize) -> W {
        sets[lane]
    }

    #[inline(always)]
    fn put(sets: &mut Self::Sets, lane: usize, set: W) {
        sets[lane] = set;
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn where_empty(self) -> Self {
        if self.is_zero() { !W::ZERO } else { W::ZERO }
    }

    #[inline(always)]
    fn union(self) -> W {
        self
    }
}

/// The word of a layout.
pub(super) trait LaneWord: Word {
    /// A single set of cells, in the form that is quickest to shift.
    type Lane: Lanes<Self>;
}

impl LaneWord for u64 {
    type Lane = u64;
}

impl LaneWord for u128 {
    type Lane = Halves;
}

/// A set of 128 bits as two words of 64. It is shifted by 1 to 63 bits only, which takes fewer
/// instructions than any shift of a `u128`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Halves {
    low: u64,
    high: u64,
}

impl Halves {
    /// The most rows of a board that is searched this way: two diagonal steps are 63 bits then.
    pub(super) const MAX_HEIGHT: u32 = 29;
}

impl BitAnd for Halves {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }
}

impl BitOr for Halves {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }
}

impl Not for Halves {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self { low: !self.low, high: !self.high }
    }
}

impl Shl<u32> for Halves {
    type Output = Self;

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        debug_assert!((1..64).contains(&bits));
        let carried = self.low.wrapping_shr(64 - bits);
        Self { low: self.low.wrapping_shl(bits), high: self.high.wrapping_shl(bits) | carried }
    }
}

impl Shr<u32> for Halves {
    type Output = Self;

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        debug_assert!((1..64).contains(&bits));
        let carried = self.high.wrapping_shl(64 - bits);
        Self { low: self.low.wrapping_shr(bits) | carried, high: self.high.wrapping_shr(bits) }
    }
}

impl Lanes<u128> for Halves {
    const COUNT: usize = 1;
    /// The low halves, then the high ones.
    type Sets = [[u64; LANES]; 2];
    const EMPTY: Self::Sets = [[0; LANES]; 2];

    #[inline(always)]
    fn splat(set: u128) -> Self {
        Self { low: set as u64, high: (set >> 64) as u64 }
    }

    #[inline(always)]
    fn read(sets: &Self::Sets, first: usize) -> Self {
        Self { low: sets[0][first], high: sets[1][first] }
    }

    #[inline(always)]
    fn write(self, sets: &mut Self::Sets, first: usize) {
        sets[0][first] = self.low;
        sets[1][first] = self.high;
    }

    #[inline(always)]
    fn get(sets: &Self::Sets, lane: usize) -> u128 {
        Self::read(sets, lane).union()
    }

    #[inline(always)]
    fn put(sets: &mut Self::Sets, lane: usize, set: u128) {
        Self::splat(set).write(sets, lane);
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let low = self.low.wrapping_add(other.low);
        let carry = u64::from(low < self.low);
        Self { low, high: self.high.wrapping_add(other.high).wrapping_add(carry) }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let borrow = u64::from(self.low < other.low);
        let high = self.high.wrapping_sub(other.high).wrapping_sub(borrow);
        Self { low: self.low.wrapping_sub(other.low), high }
    }

    #[inline(always)]
    fn where_empty(self) -> Self {
        let half = if self.low | self.high == 0 { !0 } else { 0 };
        Self { low: half, high: half }
    }

    #[inline(always)]
    fn union(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{LANES, Lanes};
    use std::arch::wasm32::{
        i64x2_eq, i64x2_splat, u64x2, u64x2_add, u64x2_extract_lane, u64x2_shl, u64x2_shr,
        u64x2_splat, u64x2_sub, v128, v128_and, v128_not, v128_or,
    };
    use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

    /// Two sets in a vector of 128 bits.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Pair(v128);

    impl BitAnd for Pair {
        type Output = Self;

        #[inline(always)]
        fn bitand(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }
    }

    impl BitOr for Pair {
        type Output = Self;

        #[inline(always)]
        fn bitor(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }
    }

    impl Not for Pair {
        type Output = Self;

        #[inline(always)]
        fn not(self) -> Self {
            Self(v128_not(self.0))
        }
    }

    impl Shl<u32> for Pair {
        type Output = Self;

        #[inline(always)]
        fn shl(self, bits: u32) -> Self {
            Self(u64x2_shl(self.0, bits))
        }
    }

    impl Shr<u32> for Pair {
        type Output = Self;

        #[inline(always)]
        fn shr(self, bits: u32) -> Self {
            Self(u64x2_shr(self.0, bits))
        }
    }

    impl Lanes<u64> for Pair {
        const COUNT: usize = 2;
        type Sets = [u64; LANES];
        const EMPTY: Self::Sets = [0; LANES];

        #[inline(always)]
        fn splat(set: u64) -> Self {
            Self(u64x2_splat(set))
        }

        #[inline(always)]
        fn read(sets: &Self::Sets, first: usize) -> Self {
            Self(u64x2(sets[first], sets[first + 1]))
        }

        #[inline(always)]
        fn write(self, sets: &mut Self::Sets, first: usize) {
            sets[first] = u64x2_extract_lane::<0>(self.0);
            sets[first + 1] = u64x2_extract_lane::<1>(self.0);
        }

        #[inline(always)]
        fn get(sets: &Self::Sets, lane: usize) -> u64 {
            sets[lane]
        }

        #[inline(always)]
        fn put(sets: &mut Self::Sets, lane: usize, set: u64) {
            sets[lane] = set;
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(u64x2_add(self.0, other.0))
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Self(u64x2_sub(self.0, other.0))
        }

        #[inline(always)]
        fn where_empty(self) -> Self {
            Self(i64x2_eq(self.0, i64x2_splat(0)))
        }

        #[inline(always)]
        fn union(self) -> u64 {
            u64x2_extract_lane::<0>(self.0) | u64x2_extract_lane::<1>(self.0)
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use wasm::Pair;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn halves_work_as_the_whole_word_does() {
        let mut random = Random::new(128);
        // Words of few and of many bits, so that carries and borrows cross the middle or do not.
        let mut word = || {
            let mut next = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
            match next() % 5 {
                0 => 0,
                1 => next(),
                2 => next() & next() & next(),
                3 => !0 << (next() % 128),
                _ => 1 << (next() % 128),
            }
        };
        for _ in 0..20_000 {
            let (a, b) = (word(), word());
            let (x, y) = (Halves::splat(a), Halves::splat(b));
            assert_eq!(x.union(), a);
            assert_eq!((x & y).union(), a & b, "{a:x} {b:x}");
            assert_eq!((x | y).union(), a | b, "{a:x} {b:x}");
            assert_eq!((!x).union(), !a, "{a:x}");
            assert_eq!(x.plus(y).union(), a.wrapping_add(b), "{a:x} {b:x}");
            assert_eq!(x.minus(y).union(), a.wrapping_sub(b), "{a:x} {b:x}");
            assert_eq!(x.where_empty().union(), if a == 0 { !0 } else { 0 }, "{a:x}");
            for bits in 1..64 {
                assert_eq!((x << bits).union(), a << bits, "{a:x} {bits}");
                assert_eq!((x >> bits).union(), a >> bits, "{a:x} {bits}");
            }
        }
    }
}
