//! The search compiled twice: for any processor, and for x86-64 processors with AVX2, bit counting
//! and bit manipulation. Which one to run is chosen once, at entry.

use super::general;
use super::layout::Layout;
use super::search::{CloseRanking, Engine};
use crate::game::Word;

/// A kind of processor that the search is compiled for. The recursion goes through here, so that
/// all of it is compiled for that processor.
pub(super) trait Cpu: 'static {
    /// Whether this is the laboratory's search, which can leave ideas out (`ideas.rs`) and take
    /// samples (`search/sample.rs`). The ordinary one has no code for either.
    const LAB: bool;

    /// See [`Engine::search`].
    fn search<L: Layout>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32;

    /// See [`Engine::rank_closely`]. Not inlined into the search, since it would slow down
    /// the many nodes that do not need it.
    fn rank_closely<L: Layout>(engine: &mut Engine<L>, ranking: &CloseRanking<L::W>) -> u32;

    /// See [`general::GeneralEngine::search`].
    fn search_general<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
        engine: &mut general::GeneralEngine<W, GRAVITY, SYMMETRIES>,
        node: &general::GeneralNode<W, SYMMETRIES>,
        alpha: i32,
    ) -> i32;
}

/// Any processor.
pub(super) struct Portable<const LAB: bool = false>;

impl<const LAB: bool> Cpu for Portable<LAB> {
    const LAB: bool = LAB;

    fn search<L: Layout>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32 {
        engine.search::<Self>(at, alpha)
    }

    fn rank_closely<L: Layout>(engine: &mut Engine<L>, ranking: &CloseRanking<L::W>) -> u32 {
        engine.rank_closely(ranking)
    }

    fn search_general<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
        engine: &mut general::GeneralEngine<W, GRAVITY, SYMMETRIES>,
        node: &general::GeneralNode<W, SYMMETRIES>,
        alpha: i32,
    ) -> i32 {
        engine.search::<Self>(node, alpha)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{CloseRanking, Cpu, Engine, Layout, Word, general};

    /// A processor with every feature that [`has_avx2`] checks. Only to be used after that check.
    pub(in super::super) struct Avx2<const LAB: bool = false>;

    /// Whether this processor has the features that [`Avx2`] is compiled for.
    pub(in super::super) fn has_avx2() -> bool {
        std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
    }

    impl<const LAB: bool> Cpu for Avx2<LAB> {
        const LAB: bool = LAB;

        #[inline(always)]
        fn search<L: Layout>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32 {
            #[expect(
                unsafe_code,
                reason = "calls a function compiled for more than the baseline processor"
            )]
            // SAFETY: `Avx2` is used in one place, after `has_avx2` has found every feature that
            // `search` is compiled for.
            unsafe {
                search::<L, LAB>(engine, at, alpha)
            }
        }

        #[inline(always)]
        fn rank_closely<L: Layout>(engine: &mut Engine<L>, ranking: &CloseRanking<L::W>) -> u32 {
            #[expect(
                unsafe_code,
                reason = "calls a function compiled for more than the baseline processor"
            )]
            // SAFETY: as above.
            unsafe {
                rank_closely(engine, ranking)
            }
        }

        #[inline(always)]
        fn search_general<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
            engine: &mut general::GeneralEngine<W, GRAVITY, SYMMETRIES>,
            node: &general::GeneralNode<W, SYMMETRIES>,
            alpha: i32,
        ) -> i32 {
            #[expect(
                unsafe_code,
                reason = "calls a function compiled for more than the baseline processor"
            )]
            // SAFETY: as above.
            unsafe {
                search_general::<W, GRAVITY, SYMMETRIES, LAB>(engine, node, alpha)
            }
        }
    }

    #[target_feature(enable = "popcnt,avx2,bmi1,bmi2,lzcnt")]
    fn search<L: Layout, const LAB: bool>(engine: &mut Engine<L>, at: usize, alpha: i32) -> i32 {
        engine.search::<Avx2<LAB>>(at, alpha)
    }

    #[target_feature(enable = "popcnt,avx2,bmi1,bmi2,lzcnt")]
    #[inline(never)]
    fn rank_closely<L: Layout>(engine: &mut Engine<L>, ranking: &CloseRanking<L::W>) -> u32 {
        engine.rank_closely(ranking)
    }

    #[target_feature(enable = "popcnt,avx2,bmi1,bmi2,lzcnt")]
    fn search_general<W: Word, const GRAVITY: bool, const SYMMETRIES: usize, const LAB: bool>(
        engine: &mut general::GeneralEngine<W, GRAVITY, SYMMETRIES>,
        node: &general::GeneralNode<W, SYMMETRIES>,
        alpha: i32,
    ) -> i32 {
        engine.search::<Avx2<LAB>>(node, alpha)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, has_avx2};

/// Other processors always run the portable code.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn has_avx2() -> bool {
    false
}

/// Prefetches a value into the processor's caches, where there is an instruction for it.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let pointer = std::ptr::from_ref(value).cast();
        #[expect(unsafe_code, reason = "an instruction that takes a pointer")]
        // SAFETY: every x86-64 processor has this instruction, it has no visible effect, and the
        // pointer comes from a reference.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(pointer);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
