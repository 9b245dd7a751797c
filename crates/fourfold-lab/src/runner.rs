//! Running an experiment: blocks of items are shared over threads, written to the journal as they
//! finish, and put together at the end.
//!
//! An item's observation depends on nothing but the experiment and the item's index, so neither the
//! number of threads nor interruptions change the results; only times vary. Parts marked `alone`
//! run after all others, one block at a time.

use crate::cell_metrics::metrics;
use crate::experiment::{Experiment, ExperimentCell, Part};
use crate::journal::{Finished, FinishedBlock, Journal, JournalError};
use crate::kept_games::KeptGames;
use crate::measure::{ItemError, observe};
use crate::metrics::Metrics;
use crate::observation::Observation;
use crate::predict::predict;
use crate::task::Task;
use fourfold::play::Record;
use fourfold::workers::{Threads, share_out};
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The directory for the journal and the results.
    pub out: PathBuf,
    /// Blocks to work on at once.
    pub threads: Threads,
    /// Resume the run in that directory, if there is one.
    pub resume: bool,
    /// Set it to stop; what is finished is kept.
    pub stop: Arc<AtomicBool>,
    /// The file for the games, move by move; none if they are not kept.
    pub keep_games: Option<PathBuf>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct RunProgress<'a> {
    /// Items finished, including those of earlier sessions.
    pub done: usize,
    /// All items.
    pub total: usize,
    /// The cell whose block has just finished; none at the start.
    pub cell: Option<&'a str>,
}

/// Why a run did not finish.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file of games cannot be used.
    #[error("{}: {source}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A cell failed.
    #[error("{cell}: {why}")]
    Cell {
        /// Its key.
        cell: String,
        /// Why.
        why: ItemError,
    },
    /// The run was stopped.
    #[error("stopped with {done} of {total} items finished")]
    Stopped {
        /// Items finished.
        done: usize,
        /// All items.
        total: usize,
    },
}

/// The outcome of a run: part by part and cell by cell, in the order of the experiment.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The outcome of each part.
    pub parts: Vec<PartOutcome>,
    /// Seconds of running time, except for earlier sessions that were killed.
    pub seconds: f64,
}

/// The outcome of a part.
#[derive(Debug, Clone)]
pub struct PartOutcome {
    /// In the order of the part's cells.
    pub cells: Vec<CellOutcome>,
    /// Where searches of one position to one depth found different values; only checked if the part
    /// says so.
    pub disagreements: Vec<String>,
    /// How many searches were compared with another.
    pub compared: usize,
}

/// The outcome of a cell.
#[derive(Debug, Clone)]
pub struct CellOutcome {
    /// Its metrics; empty if it was not run.
    pub metrics: Metrics,
    /// About how many nodes it takes, if that was too many to run it.
    pub too_large: Option<f64>,
}

/// A block that is still to be done.
struct PendingBlock<'e> {
    part: &'e Part,
    cell: &'e ExperimentCell,
    items: Range<usize>,
    /// Shared by the blocks of a cell: about how many nodes it takes, if too many.
    verdict: Arc<OnceLock<Option<f64>>>,
    /// In the journal already, and only its games are wanted.
    in_journal: bool,
}

/// A block and, if they are kept, its games by number.
type BlockAndGames = (FinishedBlock, Vec<(usize, Record)>);

impl PendingBlock<'_> {
    fn run(&self, stop: &Arc<AtomicBool>) -> Result<BlockAndGames, ItemError> {
        let (task, budget) = (&self.cell.task, self.part.budget);
        let too_large = || predict(task, budget, stop).filter(|&nodes| nodes > budget as f64);
        let mut block = FinishedBlock {
            cell: self.cell.key.clone(),
            from: self.items.start,
            items: Vec::new(),
            too_large: *self.verdict.get_or_init(too_large),
        };
        if stop.load(Ordering::Relaxed) {
            // The prediction may have been cut short.
            return Err(ItemError::Stopped);
        }
        let mut games = Vec::new();
        if block.too_large.is_some() {
            return Ok((block, games));
        }
        for index in self.items.clone() {
            match observe(task, index, budget, stop) {
                Ok((seen, game)) => {
                    block.items.push(seen);
                    games.extend(game.map(|game| (index, game)));
                }
                Err(ItemError::TooLarge { nodes }) => {
                    block.items.clear();
                    games.clear();
                    block.too_large = Some(nodes);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok((block, games))
    }
}

/// The blocks of an experiment that are still to be done.
#[derive(Default)]
struct Plan<'e> {
    together: Vec<PendingBlock<'e>>,
    /// Those of parts that run alone.
    alone: Vec<PendingBlock<'e>>,
    /// Items finished already.
    done: usize,
    /// All items.
    total: usize,
}

impl<'e> Plan<'e> {
    fn new(experiment: &'e Experiment, finished: &Finished, kept: Option<&KeptGames>) -> Self {
        let mut plan = Self::default();
        for part in &experiment.parts {
            for cell in &part.cells {
                let verdict = Arc::default();
                for items in cell.task.blocks() {
                    plan.total += items.len();
                    let known = finished.blocks.get(&(cell.key.clone(), items.start));
                    let complete = known.is_some_and(|block| {
                        // What was too large to run has no games.
                        block.too_large.is_some()
                            || kept.is_none_or(|kept| kept.has(&cell.key, &cell.task, &items))
                    });
                    if complete {
                        plan.done += items.len();
                        continue;
                    }
                    let list = if part.alone { &mut plan.alone } else { &mut plan.together };
                    let verdict = Arc::clone(&verdict);
                    let in_journal = known.is_some();
                    list.push(PendingBlock { part, cell, items, verdict, in_journal });
                }
            }
        }
        plan
    }
}

/// Runs an experiment, or resumes a run. `progress` is called at the start and after every block.
///
/// # Errors
/// If the journal cannot be used, a cell fails, or `stop` was set. What had finished by then is in
/// the journal.
pub fn run(
    experiment: &Experiment,
    options: &RunOptions,
    progress: impl FnMut(RunProgress<'_>),
) -> Result<Outcome, RunError> {
    let start = Instant::now();
    let no_games = |source| {
        let path = options.keep_games.clone().unwrap_or_default();
        RunError::Games { path, source }
    };
    if !options.resume && options.keep_games.as_ref().is_some_and(|path| path.exists()) {
        // Before the journal is begun, so that nothing is left of a run that does not start.
        return Err(no_games(std::io::ErrorKind::AlreadyExists.into()));
    }
    let (journal, finished) = Journal::open(&options.out, experiment, options.resume)?;
    let games = options.keep_games.as_deref().map(|path| KeptGames::open(path, options.resume));
    let games = games.transpose().map_err(no_games)?;
    let plan = Plan::new(experiment, &finished, games.as_ref());
    let (before, total) = (plan.done, plan.total);
    let games = games.zip(options.keep_games.clone());
    let mut session = Session { journal, games, finished, done: before, total, progress };
    session.tell(None);
    for (blocks, threads) in [(plan.together, options.threads), (plan.alone, Threads::ONE)] {
        session.work(&blocks, threads, &options.stop)?;
        if options.stop.load(Ordering::Relaxed) {
            session.journal.end_session(start.elapsed().as_secs_f64())?;
            return Err(RunError::Stopped { done: session.done, total });
        }
    }
    // Looking at a finished run again takes no time worth noting.
    if session.done > before {
        let took = start.elapsed().as_secs_f64();
        session.journal.end_session(took)?;
        session.finished.seconds += took;
    }
    Ok(outcome(experiment, &session.finished))
}

/// A run under way.
struct Session<P> {
    journal: Journal,
    /// The games that are kept, and their file.
    games: Option<(KeptGames, PathBuf)>,
    finished: Finished,
    done: usize,
    total: usize,
    progress: P,
}

impl<P: FnMut(RunProgress<'_>)> Session<P> {
    fn tell(&mut self, cell: Option<&str>) {
        (self.progress)(RunProgress { done: self.done, total: self.total, cell });
    }

    /// Works on blocks until all are done, one fails, or the run is stopped.
    fn work(
        &mut self,
        blocks: &[PendingBlock<'_>],
        threads: Threads,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), RunError> {
        let mut result = Ok(());
        share_out(
            blocks.iter().take_while(|_| !stop.load(Ordering::Relaxed)),
            threads.get(),
            || (),
            |(), block| (block, block.run(stop)),
            |_, (block, finished)| {
                result = self.take(block, finished);
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        result
    }

    fn take(
        &mut self,
        block: &PendingBlock<'_>,
        finished: Result<BlockAndGames, ItemError>,
    ) -> Result<(), RunError> {
        match finished {
            Ok((finished, games)) => {
                if let Some((kept, path)) = &mut self.games {
                    let added = kept.add(&finished.cell, &games);
                    added.map_err(|source| RunError::Games { path: path.clone(), source })?;
                }
                self.done += block.items.len();
                if block.in_journal {
                    // Played again for its moves; its times are those of the first time.
                    self.tell(Some(&finished.cell));
                    return Ok(());
                }
                self.journal.add(&finished)?;
                self.tell(Some(&finished.cell));
                self.finished.add(finished);
                Ok(())
            }
            Err(ItemError::Stopped) => Ok(()),
            Err(why) => Err(RunError::Cell { cell: block.cell.key.clone(), why }),
        }
    }
}

/// The observations of a cell in order, or about how many nodes it takes if it was not run.
fn observations(cell: &ExperimentCell, finished: &Finished) -> (Vec<Observation>, Option<f64>) {
    let (mut items, mut too_large) = (Vec::new(), None);
    for block in cell.task.blocks() {
        let Some(block) = finished.blocks.get(&(cell.key.clone(), block.start)) else { continue };
        items.extend(block.items.iter().cloned());
        too_large = too_large.or(block.too_large);
    }
    // A cell that ran in part does not count: its items are not those of the others.
    if too_large.is_some() {
        items.clear();
    }
    (items, too_large)
}

fn outcome(experiment: &Experiment, finished: &Finished) -> Outcome {
    let parts = experiment.parts.iter().map(|part| part_outcome(part, finished)).collect();
    Outcome { parts, seconds: finished.seconds }
}

fn part_outcome(part: &Part, finished: &Finished) -> PartOutcome {
    let seen: Vec<(Vec<Observation>, Option<f64>)> =
        part.cells.iter().map(|cell| observations(cell, finished)).collect();
    let cells = part.cells.iter().zip(&seen).map(|(cell, (items, too_large))| {
        let baseline = part.baseline_of(cell).map(|index| seen[index].0.as_slice());
        let baseline = baseline.filter(|items| !items.is_empty());
        CellOutcome { metrics: metrics(part.kind, items, baseline), too_large: *too_large }
    });
    let cells = cells.collect();
    let (compared, disagreements) =
        if part.agree { agreement(part, &seen) } else { (0, Vec::new()) };
    PartOutcome { cells, disagreements, compared }
}

/// Compares the values that searches of one position to one depth found.
fn agreement(part: &Part, seen: &[(Vec<Observation>, Option<f64>)]) -> (usize, Vec<String>) {
    let mut known: Vec<(&Task, usize, i32, &str)> = Vec::new();
    let (mut compared, mut disagreements) = (0, Vec::new());
    for (cell, (items, _)) in part.cells.iter().zip(seen) {
        let Task::Search(task) = &cell.task else { continue };
        for (index, item) in items.iter().enumerate() {
            let Observation::Search { score, .. } = *item else { continue };
            let same = known.iter().find(|(other, at, ..)| {
                matches!(other, Task::Search(other) if other.positions[*at] == task.positions[index]
                    && other.depth == task.depth && other.evaluator == task.evaluator)
            });
            match same {
                None => known.push((&cell.task, index, score, &cell.key)),
                Some(&(_, _, value, key)) => {
                    compared += 1;
                    if value != score {
                        disagreements.push(format!(
                            "position {}: {key} found {value}, {} found {score}",
                            index + 1,
                            cell.key
                        ));
                    }
                }
            }
        }
    }
    (compared, disagreements)
}
