//! The search compiled twice: for any processor, and for those with bit counting and vectors.
//! Chosen once at entry.

use super::general;
use super::layout::Layout;
use super::search::{Engine, Stakes};
use crate::game::Word;

/// A kind of processor that the search is compiled for. The recursion goes through here, so that
/// all of it is compiled so.
pub(super) trait Cpu: 'static {
    /// See [`Engine::search`].
    fn search<L: Layout>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32;

    /// See [`Engine::rank_closely`]. Apart from the search, whose many other nodes it would only
    /// burden.
    fn rank_closely<L: Layout>(engine: &mut Engine<L>, stakes: &Stakes<L::W>) -> u32;

    /// See [`general::Engine::search`].
    fn search_any<W: Word, const GRAVITY: bool, const IMAGES: usize>(
        engine: &mut general::Engine<W, GRAVITY, IMAGES>,
        node: &general::Node<W, IMAGES>,
        alpha: i32,
    ) -> i32;
}

/// Any processor.
pub(super) struct Portable;

impl Cpu for Portable {
    fn search<L: Layout>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32 {
        engine.search::<Self>(at, alpha)
    }

    fn rank_closely<L: Layout>(engine: &mut Engine<L>, stakes: &Stakes<L::W>) -> u32 {
        engine.rank_closely(stakes)
    }

    fn search_any<W: Word, const GRAVITY: bool, const IMAGES: usize>(
        engine: &mut general::Engine<W, GRAVITY, IMAGES>,
        node: &general::Node<W, IMAGES>,
        alpha: i32,
    ) -> i32 {
        engine.search::<Self>(node, alpha)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Cpu, Engine, Layout, Stakes, Word, general};

    /// A processor with everything that [`has`] asks for. Only to be named after it has said yes.
    pub(in super::super) struct Modern;

    /// Does this processor have what [`Modern`] is compiled for?
    pub(in super::super) fn has() -> bool {
        std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
    }

    impl Cpu for Modern {
        #[inline(always)]
        fn search<L: Layout>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32 {
            #[expect(
                unsafe_code,
                reason = "calls a function compiled for more than the baseline processor"
            )]
            // SAFETY: `Modern` is named in one place, where `has` has said yes for every feature of
            // `search`.
            unsafe {
                search(engine, at, alpha)
            }
        }

        #[inline(always)]
        fn rank_closely<L: Layout>(engine: &mut Engine<L>, stakes: &Stakes<L::W>) -> u32 {
            #[expect(
                unsafe_code,
                reason = "calls a function compiled for more than the baseline processor"
            )]
            // SAFETY: as above.
            unsafe {
                rank_closely(engine, stakes)
            }
        }

        #[inline(always)]
        fn search_any<W: Word, const GRAVITY: bool, const IMAGES: usize>(
            engine: &mut general::Engine<W, GRAVITY, IMAGES>,
            node: &general::Node<W, IMAGES>,
            alpha: i32,
        ) -> i32 {
            #[expect(
                unsafe_code,
                reason = "calls a function compiled for more than the baseline processor"
            )]
            // SAFETY: as above.
            unsafe {
                search_any(engine, node, alpha)
            }
        }
    }

    #[target_feature(enable = "popcnt,avx2,bmi1,bmi2,lzcnt")]
    fn search<L: Layout>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32 {
        engine.search::<Modern>(at, alpha)
    }

    #[target_feature(enable = "popcnt,avx2,bmi1,bmi2,lzcnt")]
    #[inline(never)]
    fn rank_closely<L: Layout>(engine: &mut Engine<L>, stakes: &Stakes<L::W>) -> u32 {
        engine.rank_closely(stakes)
    }

    #[target_feature(enable = "popcnt,avx2,bmi1,bmi2,lzcnt")]
    fn search_any<W: Word, const GRAVITY: bool, const IMAGES: usize>(
        engine: &mut general::Engine<W, GRAVITY, IMAGES>,
        node: &general::Node<W, IMAGES>,
        alpha: i32,
    ) -> i32 {
        engine.search::<Modern>(node, alpha)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Modern, has as has_modern};

/// There is no better code than [`Portable`] for this kind of processor.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn has_modern() -> bool {
    false
}

/// Has the processor fetch what will be needed soon, if it can be told to.
#[inline(always)]
pub(super) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = std::ptr::from_ref(place).cast();
        #[expect(unsafe_code, reason = "an instruction that takes a pointer")]
        // SAFETY: every x86-64 processor has it, it changes nothing that a program can see, and the
        // pointer is a reference.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(place);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
