//! Builder methods of [`SolverOptions`].

use super::{Bounds, SolverOptions};

impl SolverOptions {
    /// The same with another [`memory`](Self::memory), in MiB.
    #[must_use]
    pub fn with_memory(self, memory: u32) -> Self {
        Self { memory, ..self }
    }

    /// The same with another number of [`threads`](Self::threads).
    #[must_use]
    pub fn with_threads(self, threads: u32) -> Self {
        Self { threads, ..self }
    }

    /// The same with other static [`bounds`](Self::bounds).
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// The same, with or without [`portable`](Self::portable) code.
    #[must_use]
    pub fn with_portable(self, portable: bool) -> Self {
        Self { portable, ..self }
    }
}
