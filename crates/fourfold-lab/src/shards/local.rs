//! A whole job done by one process: planned, done and merged like shards, without a folder of them.
//!
//! What is found goes to one file as it comes, so that a process that is killed loses nothing but
//! the rows that it was at:
//!
//! ```text
//! {"format":1,"job":{"kind":"book","game":"7x6c4","plies":8},…}
//! 17    -5    0f1e2d3c4b5a6978
//! 4     0     8796a5b4c3d2e1f0
//! ```
//!
//! The first line is the manifest of the job in one shard. Then comes a line for each row: its
//! number, what was found, and the hash of both and the manifest's, with tabs between. Lines that
//! are torn or damaged are skipped, and their rows done again.

use super::manifest::{Job, Manifest, ManifestError};
use super::merge::{MergeError, Merged, merge_rows};
use super::work::{Work, WorkError};
use crate::files::{ReadError, WriteError, read_bytes};
use crate::fingerprint::of_parts;
use fourfold::budget::Budget;
use fourfold::solver::SolverOptions;
use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The largest file of kept rows that is read.
const MAX_BYTES: u64 = 1 << 30;

/// After a power cut at most this much work is done again.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// How the files of versions up to 0.2 begin, which kept a book's scores in another form.
const OLD_MAGIC: &[u8] = b"FOURPART";

/// Why a job was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocalError {
    /// The file of kept rows cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another process has the file.
    #[error("{}: another process is at this work", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file is of no use for this job.
    #[error("{}: {problem}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        problem: String,
    },
    /// A row was not done.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// A job that this process does by itself.
#[derive(Debug)]
pub struct LocalRun {
    manifest: Manifest,
    work: Work,
    rows: Vec<Option<Box<str>>>,
    done: u64,
    kept: Option<KeptRows>,
}

impl LocalRun {
    /// Plans a job.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn new(job: Job) -> Result<Self, ManifestError> {
        let (manifest, work) = Work::plan(job)?;
        let rows = vec![None; manifest.rows as usize];
        Ok(Self { manifest, work, rows, done: 0, kept: None })
    }

    /// The same with these options of the solver; see [`Work::with_solver`].
    #[must_use]
    pub fn with_solver(self, solver: SolverOptions) -> Self {
        Self { work: self.work.with_solver(solver), ..self }
    }

    /// Keeps what is found in a file, and takes over what it has. No two processes have it at a
    /// time.
    ///
    /// # Errors
    /// If the file cannot be used, or is of another job or another program.
    pub fn kept_in(mut self, path: &Path) -> Result<Self, LocalError> {
        let kept = KeptRows::open(path, &self.manifest, &mut self.rows)?;
        self.done = self.rows.iter().flatten().count() as u64;
        self.kept = Some(kept);
        Ok(self)
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.manifest.rows
    }

    /// How many of them are done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How many lines of the file were damaged; their rows are not done.
    #[must_use]
    pub fn damaged(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.damaged)
    }

    /// Does the rows that are not done on so many threads; `each` hears of each of them.
    ///
    /// # Errors
    /// If a row cannot be done or kept, or the budget ended before all were.
    pub fn run(
        &mut self,
        threads: usize,
        budget: &Budget,
        mut each: impl FnMut(),
    ) -> Result<(), LocalError> {
        let Self { work, rows, done, kept, .. } = self;
        let open: Vec<u64> =
            (0..).zip(rows.iter()).filter(|(_, row)| row.is_none()).map(|(row, _)| row).collect();
        let mut trouble = None;
        let worked = work.run(open.into_iter(), threads, budget, |row, text| {
            if let Some(Err(why)) = kept.as_mut().map(|kept| kept.add(row, &text)) {
                trouble = Some(why);
                return ControlFlow::Break(());
            }
            rows[row as usize] = Some(text.into_boxed_str());
            *done += 1;
            each();
            ControlFlow::Continue(())
        });
        if let Some(kept) = kept {
            kept.sync()?;
        }
        trouble.map_or(Ok(()), Err)?;
        Ok(worked?)
    }

    /// What the rows make together, once all are done; and the file that kept them, to be removed
    /// when the result is safe.
    ///
    /// # Errors
    /// If rows are missing or make nothing together.
    pub fn merge(self) -> Result<(Merged, Option<KeptRows>), MergeError> {
        Ok((merge_rows(&self.manifest.job, self.work, &self.rows)?, self.kept))
    }
}

/// The file that keeps rows until all are done.
#[derive(Debug)]
pub struct KeptRows {
    path: PathBuf,
    file: File,
    /// The manifest's hash.
    id: String,
    damaged: usize,
    synced: Instant,
}

impl KeptRows {
    /// Opens or begins the file of a job, and puts what it has into `rows`.
    fn open(
        path: &Path,
        manifest: &Manifest,
        rows: &mut [Option<Box<str>>],
    ) -> Result<Self, LocalError> {
        let trouble = WriteError::at(path);
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(&trouble)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LocalError::Locked { path: path.to_owned() });
            }
            // Some file systems know no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let id = manifest.id();
        let mut kept = Self { path: path.to_owned(), file, id, damaged: 0, synced: Instant::now() };
        let head = serde_json::to_string(manifest).expect("plain fields always make JSON") + "\n";
        let bytes = read_bytes(path, MAX_BYTES)?;
        if bytes.len() < head.len() && head.as_bytes().starts_with(&bytes) {
            // New, or broken off before the first row.
            let begun = kept.file.set_len(0).and_then(|()| kept.file.write_all(head.as_bytes()));
            begun.map_err(&trouble)?;
            return Ok(kept);
        }
        let Some(lines) = bytes.strip_prefix(head.as_bytes()) else {
            return Err(LocalError::Foreign {
                path: path.to_owned(),
                problem: foreign(&bytes, manifest),
            });
        };
        let mut at = head.len();
        let mut whole = at;
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            at += line.len();
            let found = row_in(line, &kept.id);
            match found.and_then(|(row, text)| Some((rows.get_mut(row)?, text))) {
                Some((row, text)) => {
                    *row = Some(text.into());
                    whole = at;
                }
                None => kept.damaged += 1,
            }
        }
        // What is torn at the end is cut off.
        let cut = kept.file.set_len(whole as u64);
        cut.and_then(|()| kept.file.seek(SeekFrom::End(0))).map_err(&trouble)?;
        Ok(kept)
    }

    fn add(&mut self, row: u64, text: &str) -> Result<(), LocalError> {
        let found = format!("{row}\t{text}");
        let line = format!("{found}\t{}\n", sum(&found, &self.id));
        self.file.write_all(line.as_bytes()).map_err(WriteError::at(&self.path))?;
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> Result<(), LocalError> {
        self.synced = Instant::now();
        Ok(self.file.sync_data().map_err(WriteError::at(&self.path))?)
    }

    /// Removes the file. One that cannot be removed does no harm.
    pub fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The row of a line, and what was found; none if it is not as it was written.
fn row_in<'a>(line: &'a [u8], id: &str) -> Option<(usize, &'a str)> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (found, given) = line.rsplit_once('\t')?;
    let (row, text) = found.split_once('\t')?;
    (given == sum(found, id)).then_some((row.parse().ok()?, text))
}

fn sum(found: &str, id: &str) -> String {
    format!("{:016x}", of_parts([id, "\t", found]))
}

/// How far a job is, by the file that keeps its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// What is to be done.
    pub job: Job,
    /// Rows in all.
    pub rows: u64,
    /// Those that are done.
    pub done: u64,
}

impl Unfinished {
    /// What the bytes of such a file say; none if they are something else.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let manifest: Manifest = serde_json::from_slice(lines.next()?).ok()?;
        let id = manifest.id();
        let done: HashSet<usize> = lines.filter_map(|line| Some(row_in(line, &id)?.0)).collect();
        Some(Self { job: manifest.job, rows: manifest.rows, done: done.len() as u64 })
    }
}

/// What a file is that does not begin as that of a job must.
fn foreign(bytes: &[u8], manifest: &Manifest) -> String {
    if bytes.starts_with(OLD_MAGIC) {
        return "an earlier version of this program began it and kept results in another form; \
                finish it with that version, or delete it to begin again"
            .to_owned();
    }
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match serde_json::from_slice::<Manifest>(first) {
        Ok(found) if found.job != manifest.job => {
            format!("it is for {}, not for {}", found.job.about(), manifest.job.about())
        }
        Ok(found) if found.program != manifest.program => {
            format!("it was begun by {}; this is {}", found.program, manifest.program)
        }
        _ => "this is not the file of an unfinished job".to_owned(),
    }
}
