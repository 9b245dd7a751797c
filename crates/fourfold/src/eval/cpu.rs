//! The one place where evaluation asks what the processor can do.
//!
//! Evaluators count bits, which plain x86-64 code does in a dozen instructions and every processor
//! of the last decade in one. So that an ordinary build is fast, the counting is compiled twice and
//! chosen at run time.

/// Runs `work`, compiled for this processor's bit counting and vectors where it has them. `work`
/// must be small enough to be inlined; what it calls without inlining is compiled as usual.
#[inline(always)]
pub(super) fn with_fast_bits<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        if *x86::IS_MODERN {
            #[expect(
                unsafe_code,
                reason = "calls a function compiled for more than the baseline processor"
            )]
            // SAFETY: `IS_MODERN` has asked the processor for every feature that `modern` is
            // compiled for.
            return unsafe { x86::modern(work) };
        }
    }
    work()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::sync::LazyLock;

    /// Has the processor what [`modern`] is compiled for? All of it is asked: a virtual machine may
    /// hide any feature.
    pub(super) static IS_MODERN: LazyLock<bool> = LazyLock::new(|| {
        std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
    });

    #[target_feature(enable = "popcnt,avx2,bmi1,bmi2,lzcnt")]
    pub(super) fn modern<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
}
