//! Running an experiment: blocks of items shared among threads, journalled as they are done, put
//! together at the end.
//!
//! An item's observation depends on nothing but the experiment and its index, so neither the number
//! of threads nor interruptions change results; only times vary. Parts marked `alone` run after all
//! others, one block at a time.

use crate::cell::Task;
use crate::experiment::{Experiment, Part};
use crate::journal::{Block, Done, Journal, JournalError};
use crate::measure::{Trouble, foretell, observe};
use crate::metrics::{Metrics, Observation, metrics};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::Instant;

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Where the journal and the results go.
    pub out: PathBuf,
    /// Blocks to work on at once.
    pub threads: usize,
    /// Go on with what is there.
    pub resume: bool,
    /// Set it to stop; what is finished is kept.
    pub stop: Arc<AtomicBool>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Items done, earlier ones included.
    pub done: usize,
    /// Items in all.
    pub total: usize,
    /// The cell of the block that was just finished; none at the start.
    pub cell: Option<&'a str>,
}

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A cell cannot be done.
    #[error("{cell}: {why}")]
    Cell {
        /// Its key.
        cell: String,
        /// Why not.
        why: String,
    },
    /// Somebody asked to stop.
    #[error("stopped with {done} of {total} items done; --resume goes on from there")]
    Stopped {
        /// Items done.
        done: usize,
        /// Items in all.
        total: usize,
    },
}

/// What came out, part by part, cell by cell, in the order of the experiment.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// A list of cells for each part.
    pub parts: Vec<PartOutcome>,
    /// How long it took; of earlier stretches, those that came to an end.
    pub seconds: f64,
}

/// What came out of a part.
#[derive(Debug, Clone)]
pub struct PartOutcome {
    /// In the order of the part's cells.
    pub cells: Vec<CellOutcome>,
    /// Where searches of one position to one depth gave different values; only looked for if the
    /// part says so.
    pub disagreements: Vec<String>,
    /// How many searches were compared.
    pub compared: usize,
}

/// What came out of a cell.
#[derive(Debug, Clone)]
pub struct CellOutcome {
    /// Its metrics; empty if it was not run.
    pub metrics: Metrics,
    /// About how many nodes it takes, if that was too many.
    pub too_large: Option<f64>,
}

/// A block to be done.
struct Unit<'e> {
    part: &'e Part,
    cell: usize,
    from: usize,
    to: usize,
    /// Shared by the blocks of a cell: about how many nodes it takes, if too many.
    verdict: &'e OnceLock<Option<f64>>,
}

impl Unit<'_> {
    fn run(&self, stop: &Arc<AtomicBool>) -> Result<Block, Trouble> {
        let cell = &self.part.cells[self.cell];
        let budget = self.part.budget;
        let foretold = || foretell(&cell.task, budget, stop).filter(|&nodes| nodes > budget as f64);
        let mut block =
            Block { cell: cell.key.clone(), from: self.from, items: Vec::new(), too_large: None };
        block.too_large = *self.verdict.get_or_init(foretold);
        if stop.load(Ordering::Relaxed) {
            // A forecast that was broken off is none.
            return Err(Trouble::Stopped);
        }
        if block.too_large.is_none() {
            for index in self.from..self.to {
                match observe(&cell.task, index, budget, stop) {
                    Ok(seen) => block.items.push(seen),
                    Err(Trouble::TooLarge(nodes)) => {
                        block.items.clear();
                        block.too_large = Some(nodes);
                        break;
                    }
                    Err(trouble) => return Err(trouble),
                }
            }
        }
        Ok(block)
    }
}

/// Runs an experiment to its end, or goes on with a run.
///
/// # Errors
/// If the journal cannot be used, a cell cannot be done, or `stop` was set; what is finished by
/// then is in the journal.
pub fn run(
    experiment: &Experiment,
    options: &RunOptions,
    mut progress: impl FnMut(Progress<'_>),
) -> Result<Outcome, RunError> {
    let start = Instant::now();
    let (mut journal, mut done) = Journal::open(&options.out, experiment, options.resume)?;
    let cells: usize = experiment.parts.iter().map(|part| part.cells.len()).sum();
    let verdicts: Vec<OnceLock<Option<f64>>> = (0..cells).map(|_| OnceLock::new()).collect();
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    let (mut total, mut finished) = (0, 0);
    let mut verdict = verdicts.iter();
    for part in &experiment.parts {
        for (index, cell) in part.cells.iter().enumerate() {
            let verdict = verdict.next().expect("one for each cell");
            let (items, size) = (cell.task.items(), cell.task.block());
            for from in (0..items).step_by(size) {
                let to = (from + size).min(items);
                total += to - from;
                if done.blocks.contains_key(&(cell.key.clone(), from)) {
                    finished += to - from;
                } else {
                    let list = if part.alone { &mut alone } else { &mut together };
                    list.push(Unit { part, cell: index, from, to, verdict });
                }
            }
        }
    }
    let before = finished;
    progress(Progress { done: finished, total, cell: None });
    let mut failure = None;
    for (units, threads) in [(together, options.threads.max(1)), (alone, 1)] {
        share(&units, threads, &options.stop, |unit, result| match result {
            Ok(block) => {
                if failure.is_none() {
                    failure = journal.add(&block).err().map(RunError::Journal);
                }
                finished += unit.to - unit.from;
                progress(Progress { done: finished, total, cell: Some(&block.cell) });
                done.blocks.insert((block.cell.clone(), block.from), block);
                failure.is_none()
            }
            Err(Trouble::Stopped) => true,
            Err(why) => {
                let cell = unit.part.cells[unit.cell].key.clone();
                failure.get_or_insert(RunError::Cell { cell, why: why.to_string() });
                false
            }
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        if options.stop.load(Ordering::Relaxed) {
            journal.took(start.elapsed().as_secs_f64())?;
            return Err(RunError::Stopped { done: finished, total });
        }
    }
    // To look at finished results again takes no time worth noting.
    if finished > before {
        let took = start.elapsed().as_secs_f64();
        journal.took(took)?;
        done.seconds += took;
    }
    Ok(outcome(experiment, &done))
}

/// Works on the units with some threads and hands each result to `finished`, which says whether to
/// go on.
fn share<'u, 'e>(
    units: &'u [Unit<'e>],
    threads: usize,
    stop: &Arc<AtomicBool>,
    mut finished: impl FnMut(&'u Unit<'e>, Result<Block, Trouble>) -> bool,
) {
    let next = AtomicUsize::new(0);
    let broken = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.min(units.len()) {
            let (sender, next, broken) = (sender.clone(), &next, &broken);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !broken.load(Ordering::Relaxed) {
                    let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if sender.send((unit, unit.run(stop))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (unit, result) in receiver {
            if !finished(unit, result) {
                broken.store(true, Ordering::Relaxed);
            }
        }
    });
}

/// What was seen of a cell's items, in order, or why it was not run.
fn gathered(cell: &crate::cell::Cell, done: &Done) -> (Vec<Observation>, Option<f64>) {
    let (mut items, mut too_large) = (Vec::new(), None);
    for from in (0..cell.task.items()).step_by(cell.task.block()) {
        let Some(block) = done.blocks.get(&(cell.key.clone(), from)) else { continue };
        items.extend(block.items.iter().cloned());
        too_large = too_large.or(block.too_large);
    }
    // A cell that ran in part is no cell: its items are not those of the others.
    if too_large.is_some() {
        items.clear();
    }
    (items, too_large)
}

fn outcome(experiment: &Experiment, done: &Done) -> Outcome {
    let part_outcome = |part: &Part| {
        let seen: Vec<(Vec<Observation>, Option<f64>)> =
            part.cells.iter().map(|cell| gathered(cell, done)).collect();
        let cells = part
            .cells
            .iter()
            .zip(&seen)
            .map(|(cell, (items, too_large))| {
                let baseline = part.baseline_of(cell).map(|index| seen[index].0.as_slice());
                let baseline = baseline.filter(|items| !items.is_empty());
                CellOutcome { metrics: metrics(part.kind, items, baseline), too_large: *too_large }
            })
            .collect();
        let (compared, disagreements) =
            if part.agree { agreement(part, &seen) } else { (0, Vec::new()) };
        PartOutcome { cells, disagreements, compared }
    };
    Outcome { parts: experiment.parts.iter().map(part_outcome).collect(), seconds: done.seconds }
}

/// Compares the values that searches gave to one position at one depth.
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
                        let number = index + 1;
                        disagreements.push(format!(
                            "position {number}: {key} gave {value}, {} gave {score}",
                            cell.key
                        ));
                    }
                }
            }
        }
    }
    (compared, disagreements)
}
