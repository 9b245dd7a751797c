//! Doing rows: the one way in which the rows of a job are done, as a shard of it or all at once.

use super::manifest::{Job, Manifest, ManifestError};
use crate::labels::{Label, LabelError, LabelOptions, label_block, label_solver};
use fourfold::book::Draft;
use fourfold::budget::Budget;
use fourfold::play::{GameError, Match};
use fourfold::solver::{SolveError, Solver, SolverOptions};
use fourfold::workers::share_out;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why rows were not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// The solver cannot be asked.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// Labels cannot be made.
    #[error(transparent)]
    Labels(#[from] LabelError),
    /// A game broke off.
    #[error("game {row}: {why}")]
    Game {
        /// Its row.
        row: u64,
        /// Why.
        why: Box<GameError>,
    },
    /// The budget ended.
    #[error("interrupted")]
    Interrupted,
}

/// The rows of a manifest, ready to be done.
#[derive(Debug)]
pub struct Work {
    pub(super) rows: Rows,
    /// Of the solvers that rows are positions for.
    solver: SolverOptions,
}

#[derive(Debug)]
pub(super) enum Rows {
    Positions(Box<Draft>),
    Blocks(Box<LabelOptions>),
    Games(Vec<Match>),
}

impl Work {
    /// Prepares the work of a manifest.
    ///
    /// # Errors
    /// If its job makes no sense.
    pub fn of(manifest: &Manifest) -> Result<Self, ManifestError> {
        Self::of_job(&manifest.job)
    }

    /// Reads the manifest in a folder as [`Manifest::read`] does, and prepares its work: sooner than
    /// one after the other, since the list of positions is made once.
    ///
    /// # Errors
    /// If it cannot be read, was planned with another program, or contradicts itself.
    pub fn read(folder: &Path) -> Result<(Manifest, Self), ManifestError> {
        let (manifest, draft) = Manifest::read_with_draft(folder)?;
        let work = Self::with_draft(&manifest.job, draft)?;
        Ok((manifest, work))
    }

    /// Plans a job in one shard as [`Manifest::new`] does, and prepares its work: sooner than one
    /// after the other, since the list of positions is made once.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn plan(job: Job) -> Result<(Manifest, Self), ManifestError> {
        let (manifest, draft) = Manifest::new_with_draft(job)?;
        let work = Self::with_draft(&manifest.job, draft)?;
        Ok((manifest, work))
    }

    /// Prepares a job, before it is planned.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn of_job(job: &Job) -> Result<Self, ManifestError> {
        Self::with_draft(job, job.draft()?)
    }

    fn with_draft(job: &Job, draft: Option<Draft>) -> Result<Self, ManifestError> {
        let rows = if let Some(draft) = draft {
            Rows::Positions(Box::new(draft))
        } else if let Some((options, _)) = job.label_options() {
            Rows::Blocks(Box::new(options))
        } else {
            let tournament = job.tournament().map_err(ManifestError::Job)?;
            Rows::Games(tournament.map_or_else(Vec::new, |found| found.matches()))
        };
        Ok(Self { rows, solver: SolverOptions::default() })
    }

    /// The same with these options of the solver, of which every thread has one, for positions of a
    /// book or a board. Labels and games keep their own: which labels are left out, and what players
    /// with a node limit find, depends on the memory.
    #[must_use]
    pub fn with_solver(self, solver: SolverOptions) -> Self {
        Self { solver, ..self }
    }

    /// Whether results stay the same whatever the options of the solver, so that they can be chosen.
    #[must_use]
    pub fn takes_solver(&self) -> bool {
        matches!(self.rows, Rows::Positions(_))
    }

    /// Does rows on so many threads; `each` gets what was found of each as it comes, which need not
    /// be in order. Once it breaks, no more rows are begun.
    ///
    /// # Errors
    /// If a row cannot be done, or the budget ended before all were.
    pub fn run(
        &self,
        rows: impl Iterator<Item = u64> + Send,
        threads: usize,
        budget: &Budget,
        mut each: impl FnMut(u64, String) -> ControlFlow<()>,
    ) -> Result<(), WorkError> {
        let mut failure = None;
        let is_over = AtomicBool::new(false);
        let state = || self.solver();
        let work = |solver: &mut Result<Option<Solver>, SolveError>, row: u64| {
            let solver = solver.as_mut().map_err(|why| WorkError::from(why.clone()))?;
            let found = self.row(row, solver.as_mut(), budget);
            is_over.fetch_or(matches!(found, Err(WorkError::Interrupted)), Ordering::Relaxed);
            found.map(|text| (row, text))
        };
        let rows = rows.take_while(|_| !is_over.load(Ordering::Relaxed));
        share_out(rows, threads, state, work, |_, found| match found {
            Ok((row, text)) => each(row, text),
            // What the other threads have found by now is not lost.
            Err(WorkError::Interrupted) => {
                failure = Some(WorkError::Interrupted);
                ControlFlow::Continue(())
            }
            Err(why) => {
                failure = Some(why);
                ControlFlow::Break(())
            }
        });
        failure.map_or(Ok(()), Err)
    }

    /// The solver of one thread, if the rows need one.
    pub(super) fn solver(&self) -> Result<Option<Solver>, SolveError> {
        match &self.rows {
            Rows::Positions(draft) => Solver::new(draft.rules(), self.solver).map(Some),
            Rows::Blocks(options) => label_solver(&options.rules).map(Some),
            Rows::Games(_) => Ok(None),
        }
    }

    /// What is found of one row, as one line without its number.
    pub(super) fn row(
        &self,
        row: u64,
        solver: Option<&mut Solver>,
        budget: &Budget,
    ) -> Result<String, WorkError> {
        if budget.exhausted().is_some() {
            return Err(WorkError::Interrupted);
        }
        match (&self.rows, solver) {
            (Rows::Positions(draft), Some(solver)) => {
                let position = &draft.needed()[row as usize];
                match solver.solve(position, budget) {
                    Ok(solved) => Ok(solved.score.to_string()),
                    Err(SolveError::Unfinished { .. }) => Err(WorkError::Interrupted),
                    Err(why) => Err(why.into()),
                }
            }
            (Rows::Blocks(options), Some(solver)) => {
                let nothing_seen = RwLock::new(HashSet::new());
                let block = label_block(options, row, solver, &nothing_seen, budget)?;
                let labels = block.ok_or(WorkError::Interrupted)?;
                let lines: Vec<String> = labels.iter().map(Label::to_line).collect();
                Ok(lines.join("\t"))
            }
            (Rows::Games(matches), _) => {
                let (contest, index) = game_of(matches, row);
                let mut record = contest.game(index, budget).map_err(|why| match why {
                    GameError::Stopped => WorkError::Interrupted,
                    why => WorkError::Game { row, why: Box::new(why) },
                })?;
                // How long a move took is not the same on two machines.
                record.times_ms = None;
                Ok(record.to_line())
            }
            (_, None) => unreachable!("these rows have a solver"),
        }
    }
}

/// The game of a row: all games of the first match, then those of the second, and so on.
fn game_of(matches: &[Match], row: u64) -> (&Match, u64) {
    let mut index = row;
    for contest in matches {
        if index < contest.games {
            return (contest, index);
        }
        index -= contest.games;
    }
    unreachable!("rows are checked against the games")
}
