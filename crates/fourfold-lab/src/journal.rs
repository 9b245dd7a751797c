//! The journal of a run: a line for every finished block of items, so that nothing finished is lost
//! or counted twice.
//!
//! The first line says what is run; the others are appended whole, in the order in which blocks
//! finish. A process that is killed leaves at most one torn line at the end, which is dropped when
//! the run is resumed.

use crate::experiment::Experiment;
use crate::observation::Observation;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A new run was asked for where there is one already.
    #[error("{} already holds a run", directory.display())]
    Exists {
        /// The directory of the run.
        directory: PathBuf,
    },
    /// It does not belong to the run that is to be resumed.
    #[error("{} does not belong to this run: {why}", path.display())]
    Mismatch {
        /// The journal.
        path: PathBuf,
        /// What is different.
        why: JournalMismatch,
    },
}

/// What makes a journal belong to another run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalMismatch {
    /// This line, from 1, is not a line of a journal.
    Malformed {
        /// The line.
        line: usize,
    },
    /// It is of another experiment.
    OtherExperiment {
        /// The one it is of.
        found: String,
        /// The one that is run.
        wanted: String,
    },
    /// One run is quick and the other is full.
    QuickAndFull,
    /// The experiment has changed.
    Changed,
}

impl fmt::Display for JournalMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { line } => write!(f, "line {line} is not a line of a journal"),
            Self::OtherExperiment { found, wanted } => {
                write!(f, "it is of the experiment {found}, not {wanted}")
            }
            Self::QuickAndFull => f.write_str("one of them is quick, the other is full"),
            Self::Changed => f.write_str("the experiment has changed since"),
        }
    }
}

/// The first line: what the journal is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    journal: u32,
    experiment: String,
    quick: bool,
    fingerprint: String,
}

impl Head {
    fn of(experiment: &Experiment) -> Self {
        Self {
            journal: 1,
            experiment: experiment.name.clone(),
            quick: experiment.quick,
            fingerprint: format!("{:016x}", experiment.fingerprint),
        }
    }

    /// Checks that a journal with this head can go on with the experiment of `wanted`.
    fn check(self, wanted: &Self) -> Result<(), JournalMismatch> {
        if self == *wanted {
            Ok(())
        } else if self.experiment != wanted.experiment {
            let (found, wanted) = (self.experiment, wanted.experiment.clone());
            Err(JournalMismatch::OtherExperiment { found, wanted })
        } else if self.quick != wanted.quick {
            Err(JournalMismatch::QuickAndFull)
        } else {
            Err(JournalMismatch::Changed)
        }
    }
}

/// A finished block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FinishedBlock {
    /// The cell's key.
    pub(crate) cell: String,
    /// The index of the first item.
    pub(crate) from: usize,
    /// What was seen of the items, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) items: Vec<Observation>,
    /// The cell was not run because it takes about this many nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) too_large: Option<f64>,
}

/// How long a session took, written when it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SessionEnd {
    took: f64,
}

/// A line after the first.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Block(FinishedBlock),
    SessionEnd(SessionEnd),
}

/// What earlier sessions have finished.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    /// Blocks by cell and first item.
    pub(crate) blocks: HashMap<(String, usize), FinishedBlock>,
    /// Seconds of running time, except for sessions that were killed.
    pub(crate) seconds: f64,
}

impl Finished {
    pub(crate) fn add(&mut self, block: FinishedBlock) {
        self.blocks.insert((block.cell.clone(), block.from), block);
    }

    /// What the whole lines of a journal say; nothing if there are none.
    fn read(text: &[u8], wanted: &Head) -> Result<Self, JournalMismatch> {
        let mut finished = Self::default();
        let lines = text.split(|&byte| byte == b'\n').enumerate();
        let mut lines = lines.map(|(index, line)| (index + 1, line));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty());
        let malformed = |line| move |_| JournalMismatch::Malformed { line };
        if let Some((line, head)) = lines.next() {
            let head: Head = serde_json::from_slice(head).map_err(malformed(line))?;
            head.check(wanted)?;
        }
        for (line, text) in lines {
            match serde_json::from_slice(text).map_err(malformed(line))? {
                Line::Block(block) => finished.add(block),
                Line::SessionEnd(SessionEnd { took }) => finished.seconds += took,
            }
        }
        Ok(finished)
    }
}

/// A journal that is being written.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    pub(crate) const NAME: &'static str = "journal.jsonl";

    /// Opens the journal in a directory, new or to be resumed, and reads what is finished.
    pub(crate) fn open(
        directory: &Path,
        experiment: &Experiment,
        resume: bool,
    ) -> Result<(Self, Finished), JournalError> {
        let path = directory.join(Self::NAME);
        let io = |source| JournalError::Io { path: path.clone(), source };
        fs::create_dir_all(directory).map_err(io)?;
        let text = match fs::read(&path) {
            Ok(_) if !resume => {
                return Err(JournalError::Exists { directory: directory.to_owned() });
            }
            Ok(bytes) => bytes,
            Err(why) if why.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(why) => return Err(io(why)),
        };
        // Whatever follows the last line break is torn.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let head = Head::of(experiment);
        let finished = Finished::read(&text[..whole], &head)
            .map_err(|why| JournalError::Mismatch { path: path.clone(), why })?;
        let file = File::options().create(true).append(true).open(&path).map_err(io)?;
        file.set_len(whole as u64).map_err(io)?;
        let mut journal = Self { path, file };
        if whole == 0 {
            journal.write(&head)?;
        }
        Ok((journal, finished))
    }

    /// Appends a block.
    pub(crate) fn add(&mut self, block: &FinishedBlock) -> Result<(), JournalError> {
        self.write(block)
    }

    /// Notes how many seconds this session took.
    pub(crate) fn end_session(&mut self, seconds: f64) -> Result<(), JournalError> {
        self.write(&SessionEnd { took: seconds })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_vec(line).expect("plain fields always make JSON");
        text.push(b'\n');
        // One call, so that a line is there as a whole, or torn at the end of the file.
        let written = self.file.write_all(&text);
        written.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}
