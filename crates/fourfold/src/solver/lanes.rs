//! Sets of cells side by side: what the code over all moves of a node works on.
//!
//! On most processors that is one word at a time, in loops over eight words, which compilers turn
//! into vector instructions. In WebAssembly they do not, and vectors hold only two words: there the
//! code works on [`Pair`]s.

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

    /// The same set in every lane.
    fn splat(set: W) -> Self;

    /// Takes the lowest members out of a set, one for each lane as long as there are any.
    fn take_lowest(set: &mut W) -> Self;

    /// Reads the sets from an index on, a multiple of their number.
    fn read(sets: &[W; LANES], first: usize) -> Self;

    /// Writes them there.
    fn write(self, sets: &mut [W; LANES], first: usize);

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

    #[inline(always)]
    fn splat(set: W) -> Self {
        set
    }

    #[inline(always)]
    fn take_lowest(set: &mut W) -> Self {
        let lowest = set.lowest();
        *set = set.without_lowest();
        lowest
    }

    #[inline(always)]
    fn read(sets: &[W; LANES], first: usize) -> Self {
        sets[first]
    }

    #[inline(always)]
    fn write(self, sets: &mut [W; LANES], first: usize) {
        sets[first] = self;
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

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{LANES, Lanes};
    use crate::game::Word;
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

        #[inline(always)]
        fn splat(set: u64) -> Self {
            Self(u64x2_splat(set))
        }

        #[inline(always)]
        fn take_lowest(set: &mut u64) -> Self {
            let rest = set.without_lowest();
            let pair = Self(u64x2(set.lowest(), rest.lowest()));
            *set = rest.without_lowest();
            pair
        }

        #[inline(always)]
        fn read(sets: &[u64; LANES], first: usize) -> Self {
            Self(u64x2(sets[first], sets[first + 1]))
        }

        #[inline(always)]
        fn write(self, sets: &mut [u64; LANES], first: usize) {
            sets[first] = u64x2_extract_lane::<0>(self.0);
            sets[first + 1] = u64x2_extract_lane::<1>(self.0);
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
