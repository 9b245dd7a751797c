//! The file of `fourfold solve --checkpoint`: read once, written at intervals and at the end.

use crate::failure::Failure;
use crate::output::{grouped, note, time};
use fourfold::game::Position;
use fourfold::solver::{Checkpoint, Solver};
use fourfold_lab::files::{WriteError, is_special, read_bytes, write_whole};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// No checkpoint is longer.
const MAX_BYTES: u64 = 128 << 20;

/// A checkpoint file.
#[derive(Debug)]
pub(super) struct CheckpointFile {
    path: PathBuf,
    interval: Duration,
    /// The thread that writes, so that the search need not wait for the disk.
    writer: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl CheckpointFile {
    pub(super) fn new(path: &Path, interval: Duration) -> Self {
        Self { path: path.to_owned(), interval, writer: Arc::default() }
    }

    /// Has the solver go on from the file, if there is one, and keep it from now on. A file that
    /// cannot be written is noticed here, not after an hour.
    pub(super) fn begin(&self, solver: &mut Solver, position: &Position) -> Result<(), Failure> {
        let (path, writer) = (self.path.clone(), Arc::clone(&self.writer));
        solver.keep_checkpoints(self.interval, move |checkpoint| {
            let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
            // A disk so slow that it is still at the last one gets the next one.
            if writer.as_ref().is_some_and(|writer| !writer.is_finished()) {
                return;
            }
            let path = path.clone();
            let write = move || report(write_whole(&path, &checkpoint.to_bytes()));
            *writer = thread::Builder::new().spawn(write).ok();
        });
        if let Some(checkpoint) = read(&self.path)? {
            let name = self.path.display();
            solver.go_on_from(&checkpoint).map_err(|_| {
                let (made_for, game) = (checkpoint.rules(), position.rules());
                Failure::usage(format!("{name}: this checkpoint is of {made_for}, not {game}"))
            })?;
            let known = match checkpoint.bounds(position) {
                Some((lower, upper)) => format!(", score from {lower} to {upper}"),
                None => String::new(),
            };
            note(format!("fourfold: {name}: going on after {}{known}", spent(&checkpoint)));
        }
        Ok(self.write(solver)?)
    }

    /// Keeps what is proven by now, and says so.
    pub(super) fn end(&self, solver: &mut Solver, position: &Position) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        // It has reported its own failure.
        let _ = writer.map(JoinHandle::join);
        if let Err(why) = self.write(solver) {
            return report(Err(why));
        }
        let Some(checkpoint) = solver.checkpoint() else { return };
        let state = match checkpoint.bounds(position) {
            Some((lower, upper)) if lower < upper => {
                format!("score from {lower} to {upper}; the same command goes on")
            }
            _ => "solved; the file is no longer needed".to_owned(),
        };
        note(format!("fourfold: {}: {}, {state}", self.path.display(), spent(&checkpoint)));
    }

    fn write(&self, solver: &mut Solver) -> Result<(), WriteError> {
        match solver.checkpoint() {
            Some(checkpoint) => write_whole(&self.path, &checkpoint.to_bytes()),
            None => Ok(()),
        }
    }
}

/// `3 600 000 nodes, 2.1 s`: in all runs.
fn spent(checkpoint: &Checkpoint) -> String {
    format!("{} nodes, {}", grouped(checkpoint.nodes()), time(checkpoint.time()))
}

/// A checkpoint that cannot be written is no reason to give up the search.
fn report(written: Result<(), WriteError>) {
    if let Err(why) = written {
        note(format!("fourfold: the checkpoint is not kept: {why}"));
    }
}

/// The checkpoint in a file; `None` if there is no such file, or it is a device.
fn read(path: &Path) -> Result<Option<Checkpoint>, Failure> {
    if is_special(path) {
        return Ok(None);
    }
    let bytes = match read_bytes(path, MAX_BYTES) {
        Err(why) if why.is_not_found() => return Ok(None),
        bytes => bytes?,
    };
    let checkpoint = Checkpoint::read(&bytes);
    checkpoint.map(Some).map_err(|why| Failure::invalid(format!("{}: {why}", path.display())))
}
