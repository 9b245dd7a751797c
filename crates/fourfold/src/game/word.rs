//! The machine words a board fits in: `u64` on the fast path, `u128` for larger boards.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A word of board bits. Implemented for `u64` and `u128` only.
pub trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + sealed::Sealed
{
    /// How many bits the word has.
    const BITS: u32;
    /// No bit set.
    const ZERO: Self;
    /// The lowest bit set.
    const ONE: Self;

    /// The low bits of `bits`; what does not fit is dropped.
    fn truncate(bits: u128) -> Self;
    /// The same bits in the widest word.
    fn widen(self) -> u128;
    /// How many bits are set.
    fn count_ones(self) -> u32;
    /// The index of the lowest set bit.
    fn trailing_zeros(self) -> u32;
    /// How many bits above the highest set bit are not set.
    fn leading_zeros(self) -> u32;
    /// Addition that may run out of the top (it never does for a valid board).
    fn wrapping_add(self, other: Self) -> Self;
    /// Subtraction modulo the word size.
    fn wrapping_sub(self, other: Self) -> Self;
    /// A well-mixed 64-bit hash.
    fn mix(self) -> u64;

    /// True if no bit is set.
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The lowest set bit alone (zero for zero).
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::ZERO.wrapping_sub(self)
    }

    /// The word without its lowest set bit.
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(Self::ONE)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

macro_rules! word {
    ($type:ty, $mix:expr) => {
        impl Word for $type {
            const BITS: u32 = <$type>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn truncate(bits: u128) -> Self {
                bits as Self
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn count_ones(self) -> u32 {
                <$type>::count_ones(self)
            }
            #[inline(always)]
            fn trailing_zeros(self) -> u32 {
                <$type>::trailing_zeros(self)
            }
            #[inline(always)]
            fn leading_zeros(self) -> u32 {
                <$type>::leading_zeros(self)
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                <$type>::wrapping_add(self, other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                <$type>::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn mix(self) -> u64 {
                $mix(self)
            }
        }
    };
}

word!(u64, mix64);
word!(u128, |bits: u128| mix64(bits as u64 ^ mix64((bits >> 64) as u64 ^ 0x9E37_79B9_7F4A_7C15)));

/// The finaliser of SplitMix64: every input bit reaches every output bit.
#[inline(always)]
fn mix64(bits: u64) -> u64 {
    let z = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
