//! The native part of the Python package `fourfold`: games, boards and everything that takes time.
//!
//! It is as thin as it can be. What Python does as well (the shapes of results, arrays, drawings,
//! adapters) is written in Python, in `python/fourfold`, which also has the documentation that
//! users see. Work that may last runs without the interpreter lock and stops at Ctrl-C.

mod board;
mod callables;
mod convert;
mod drawing;
mod errors;
mod game;
mod laboratory;
mod playing;
mod running;
mod sampling;
mod searching;
mod shards;
mod solving;
mod tracing;

use pyo3::prelude::*;

/// What `fourfold` is made of; use that instead.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::board::{Board, Outcome, restore_board};
    #[pymodule_export]
    use crate::game::{Game, formats, games};
    #[pymodule_export]
    use crate::laboratory::{grade_player, lab_list, lab_results, lab_run, play_tournament};
    #[pymodule_export]
    use crate::playing::{PlayerCore, find_puzzle, level_elo, play_match, players, review_game};
    #[pymodule_export]
    use crate::sampling::Sampler;
    #[pymodule_export]
    use crate::searching::{evaluate, evaluators, search, switches};
    #[pymodule_export]
    use crate::shards::ShardFolder;
    #[pymodule_export]
    use crate::solving::{Batch, SolverCore};
    #[pymodule_export]
    use crate::tracing::{TraceCore, trace_numbers, trace_position};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
