//! Checkpoints: what a solver has proven, in a form that another run can go on from.
//!
//! A solver that keeps checkpoints searches in slices of a few seconds. A stopped search leaves
//! every result in its transposition table, and stores nothing that is not proven, so a slice goes
//! on where the one before was stopped. Between two slices the costly part of the table is copied
//! into a [`Checkpoint`], and the progress told. Nothing here is in the search itself.
//!
//! Every entry is a proven fact about a position of the game, whatever the size of the table, the
//! move order, the ideas left out, the number of threads and the machine. So a checkpoint depends on
//! the rules alone.

mod file;

pub use file::CheckpointError;

use super::parallel::{AnySearch, Earlier, Narrowed, ScoreWindow};
use super::table::ScoreBounds;
use super::{SolveError, Solver};
use crate::budget::{Budget, Clock};
use crate::game::{Position, Rules};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// How long a search goes on before the progress is told and it is looked whether a checkpoint is
/// due.
const SLICE: Duration = Duration::from_secs(2);

/// The most entries of a checkpoint: 44 MiB on boards of up to 64 bits, 76 MiB on larger ones. If
/// there are more, the costliest are kept.
const MAX_ENTRIES: usize = 4 << 20;

/// Entries that took fewer nodes than 2 to this power are sooner searched again than kept.
const MIN_WORK_BITS: u32 = 3;

/// What is proven of one game, and what it took.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Position, Rules};
/// use fourfold::solver::{Checkpoint, SolveError, Solver, SolverOptions};
/// use std::time::Duration;
///
/// let rules: Rules = "6x4c4".parse().unwrap();
/// let mut solver = Solver::new(&rules, SolverOptions::default())?;
/// solver.keep_checkpoints(Duration::from_secs(60), |_| {});
/// // Broken off after 1000 nodes.
/// let part = Budget::unlimited().with_nodes(1000);
/// assert!(solver.solve(&Position::new(rules), &part).is_err());
/// let bytes = solver.checkpoint().expect("it keeps them").to_bytes();
///
/// let mut other = Solver::new(&rules, SolverOptions::default().with_memory(16))?;
/// let checkpoint = Checkpoint::read(&bytes).expect("it is whole");
/// other.keep_checkpoints(Duration::from_secs(60), |_| {});
/// other.go_on_from(&checkpoint)?;
/// assert_eq!(other.solve(&Position::new(rules), &Budget::unlimited())?.score, -1);
/// # Ok::<(), SolveError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Checkpoint {
    rules: Rules,
    nodes: u64,
    time: Duration,
    asked: BTreeMap<PositionBits, Asked>,
    entries: Vec<ProvenEntry>,
}

/// The discs of the side to move, and all discs.
type PositionBits = (u128, u128);

/// A position that was asked for: what is proven of its score, and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    bounds: ScoreBounds,
    nodes: u64,
}

/// An entry of the transposition table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProvenEntry {
    pub(super) key: u128,
    pub(super) bounds: ScoreBounds,
    /// The number of binary digits of the nodes it took.
    pub(super) work_bits: u32,
}

/// Without its entries, which are too many to be read.
impl fmt::Debug for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, nodes, time, asked, entries } = self;
        f.debug_struct("Checkpoint")
            .field("rules", rules)
            .field("nodes", nodes)
            .field("time", time)
            .field("asked", asked)
            .field("entries", &entries.len())
            .finish()
    }
}

impl Checkpoint {
    /// The game it is of.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Nodes searched so far, in all runs.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time spent so far, in all runs.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.time
    }

    /// The number of positions in it whose bounds came from the transposition table.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// What is proven of a position's score, both ends included; `None` if it was never asked for.
    #[must_use]
    pub fn bounds(&self, position: &Position) -> Option<(i32, i32)> {
        let Asked { bounds: ScoreBounds { lower, upper }, .. } =
            self.asked.get(&position.bits()).filter(|_| *position.rules() == self.rules)?;
        Some((*lower, *upper))
    }

    /// As a file, which [`Checkpoint::read`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If it is no checkpoint, or a damaged one.
    pub fn read(bytes: &[u8]) -> Result<Self, CheckpointError> {
        file::read(bytes)
    }
}

impl Solver {
    /// Keeps checkpoints from now on, and tells a watcher of its budget more: hands a checkpoint to
    /// `save` after each `interval` of search (to within a few seconds). The search waits until
    /// `save` returns.
    pub fn keep_checkpoints(
        &mut self,
        interval: Duration,
        save: impl FnMut(Checkpoint) + Send + 'static,
    ) {
        self.keeper = Some(Box::new(Work {
            rules: self.rules,
            nodes: 0,
            time: Duration::ZERO,
            asked: BTreeMap::new(),
            interval,
            since_saved: Duration::ZERO,
            save: Box::new(save),
        }));
    }

    /// What is proven so far; `None` unless it keeps checkpoints.
    #[must_use]
    pub fn checkpoint(&mut self) -> Option<Checkpoint> {
        let Self { keeper, search, .. } = self;
        keeper.as_ref().map(|keeper| keeper.checkpoint(search))
    }

    /// Takes over what another run has proven. What it took counts towards the next checkpoints of
    /// a solver that keeps them.
    ///
    /// # Errors
    /// If the checkpoint is of another game.
    pub fn go_on_from(&mut self, checkpoint: &Checkpoint) -> Result<(), SolveError> {
        if checkpoint.rules != self.rules {
            return Err(SolveError::OtherGame { made_for: self.rules, game: checkpoint.rules });
        }
        for entry in &checkpoint.entries {
            self.search.insert(entry);
        }
        if let Some(keeper) = &mut self.keeper {
            keeper.go_on_from(checkpoint);
        }
        Ok(())
    }
}

/// Who keeps checkpoints of a solver's work. A trait, so that a program that keeps none need not
/// contain the code.
pub(super) trait Keeper: fmt::Debug + Send {
    /// See [`AnySearch::narrow`].
    fn narrow(
        &mut self,
        search: &mut AnySearch,
        position: &Position,
        window: ScoreWindow,
        budget: &Budget,
    ) -> Narrowed;
    fn checkpoint(&self, search: &mut AnySearch) -> Checkpoint;
    fn go_on_from(&mut self, checkpoint: &Checkpoint);
}

/// The work of a solver so far.
struct Work {
    rules: Rules,
    nodes: u64,
    time: Duration,
    asked: BTreeMap<PositionBits, Asked>,
    interval: Duration,
    since_saved: Duration,
    save: Box<dyn FnMut(Checkpoint) + Send>,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Keeper for Work {
    fn narrow(
        &mut self,
        search: &mut AnySearch,
        position: &Position,
        window: ScoreWindow,
        budget: &Budget,
    ) -> Narrowed {
        let clock: Clock = budget.clock();
        let ScoreWindow { lower, upper } = ScoreWindow::possible(position);
        let nothing = Asked { bounds: ScoreBounds { lower, upper }, nodes: 0 };
        let mut asked = *self.asked.entry(position.bits()).or_insert(nothing);
        let ScoreBounds { lower, upper } = asked.bounds;
        let mut left = window.within(lower, upper);
        let mut nodes = 0;
        while left.lower < left.upper {
            let began = clock.now();
            let slice = budget.part().with_time(SLICE);
            let earlier = Earlier { nodes: asked.nodes, bounds: asked.bounds };
            let found = search.narrow(position, left, &slice, earlier);
            let spent = clock.since(began);
            let ScoreWindow { lower, upper } = found.window.proven(left, position);
            asked.bounds = asked.bounds.intersect(ScoreBounds { lower, upper });
            asked.nodes += found.nodes;
            self.asked.insert(position.bits(), asked);
            (self.nodes, self.time) = (self.nodes + found.nodes, self.time + spent);
            (left, nodes) = (found.window, nodes + found.nodes);
            self.since_saved += spent;
            if found.stopped.is_none() {
                break;
            }
            if let Some(progress) = budget.progress() {
                progress.guesses(search.share_done(), search.entry_count());
            }
            if let Some(stop) = budget.exhausted() {
                return Narrowed { window: left, nodes, stopped: Some(stop) };
            }
            if self.since_saved >= self.interval {
                self.since_saved = Duration::ZERO;
                let checkpoint = self.checkpoint(search);
                (self.save)(checkpoint);
            }
        }
        Narrowed { window: left, nodes, stopped: None }
    }

    fn checkpoint(&self, search: &mut AnySearch) -> Checkpoint {
        let Self { rules, nodes, time, asked, .. } = self;
        let (rules, nodes, time, asked) = (*rules, *nodes, *time, asked.clone());
        let entries = search.costly_entries(MIN_WORK_BITS, MAX_ENTRIES);
        Checkpoint { rules, nodes, time, asked, entries }
    }

    fn go_on_from(&mut self, checkpoint: &Checkpoint) {
        self.nodes += checkpoint.nodes;
        self.time += checkpoint.time;
        for (&position, found) in &checkpoint.asked {
            let asked = self.asked.entry(position).or_insert(*found);
            asked.bounds = asked.bounds.intersect(found.bounds);
            asked.nodes = asked.nodes.max(found.nodes);
        }
    }
}
