//! How a solver is made.

use super::Ideas;

/// How a solver is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolverOptions {
    /// MiB for the main transposition table. More helps large boards only. Several threads share
    /// it, and each has a private one of a quarter of the size as well.
    pub memory: u32,
    /// How many threads search one position. Scores do not depend on it. Node counts do. (Boards
    /// without gravity of more than 64 cells have no transposition table, and one thread.)
    pub threads: u32,
    /// The ideas to use; fewer only to see what each saves. Scores do not depend on it.
    pub ideas: Ideas,
    /// Run the portable code even if this processor has AVX2.
    pub portable: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self { memory: 4, threads: 1, ideas: Ideas::ALL, portable: false }
    }
}

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

    /// The same with other [`ideas`](Self::ideas).
    #[must_use]
    pub fn with_ideas(self, ideas: Ideas) -> Self {
        Self { ideas, ..self }
    }

    /// The same, with or without [`portable`](Self::portable) code.
    #[must_use]
    pub fn with_portable(self, portable: bool) -> Self {
        Self { portable, ..self }
    }
}
