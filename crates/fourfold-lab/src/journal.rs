//! The journal of a run: a line for every block of items that is done, so that nothing finished is
//! lost or counted twice.
//!
//! The first line says what is run; the others are appended whole. A process that is killed leaves
//! at most a torn last line, which is dropped when the run goes on. Lines come in the order in
//! which blocks were finished.

use crate::experiment::Experiment;
use crate::metrics::Observation;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// The journal.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// There is one already.
    #[error("{} holds a run already: --resume goes on with it, --out names another place", path.display())]
    Exists {
        /// The directory.
        path: PathBuf,
    },
    /// It is of another run.
    #[error("{} is of another run ({what}); choose another --out, or remove it", path.display())]
    Other {
        /// The journal.
        path: PathBuf,
        /// What differs.
        what: String,
    },
}

/// What a journal is of.
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
}

/// A block that is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Block {
    /// The cell's key.
    pub(crate) cell: String,
    /// The index of the first item.
    pub(crate) from: usize,
    /// What was seen of the items, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) items: Vec<Observation>,
    /// The cell was not run, for it takes about so many nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) too_large: Option<f64>,
}

/// How long a stretch of the run took, written when it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Took {
    took: f64,
}

/// A line after the first.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Block(Block),
    Took(Took),
}

/// What is done already.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Blocks by cell and first item.
    pub(crate) blocks: HashMap<(String, usize), Block>,
    /// Seconds of earlier stretches, those that were killed not counted.
    pub(crate) seconds: f64,
}

/// A journal that is being written.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    pub(crate) const NAME: &'static str = "journal.jsonl";

    /// Opens the journal in a directory, new or to be gone on with, and tells what is done already.
    pub(crate) fn open(
        directory: &Path,
        experiment: &Experiment,
        resume: bool,
    ) -> Result<(Self, Done), JournalError> {
        let path = directory.join(Self::NAME);
        let fault = |why| JournalError::File { path: path.clone(), why };
        fs::create_dir_all(directory).map_err(fault)?;
        let text = match fs::read(&path) {
            Ok(_) if !resume => return Err(JournalError::Exists { path: directory.to_owned() }),
            Ok(bytes) => bytes,
            Err(why) if why.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(why) => return Err(fault(why)),
        };
        // What follows the last line break is torn.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut lines = text[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let head = Head::of(experiment);
        let mut done = Done::default();
        match lines.next() {
            None => {}
            Some(first) => {
                let other = |what: String| JournalError::Other { path: path.clone(), what };
                let found: Head =
                    serde_json::from_slice(first).map_err(|why| other(why.to_string()))?;
                if found != head {
                    let (was, is) = (&found.experiment, &head.experiment);
                    let what = if was != is {
                        format!("{was}, not {is}")
                    } else if found.quick != head.quick {
                        "one is quick, the other full".to_owned()
                    } else {
                        "the experiment has changed since".to_owned()
                    };
                    return Err(other(what));
                }
                for line in lines {
                    match serde_json::from_slice(line).map_err(|why| other(why.to_string()))? {
                        Line::Block(block) => {
                            done.blocks.insert((block.cell.clone(), block.from), block);
                        }
                        Line::Took(Took { took }) => done.seconds += took,
                    }
                }
            }
        }
        let file = File::options().create(true).append(true).open(&path).map_err(fault)?;
        file.set_len(whole as u64).map_err(fault)?;
        let mut journal = Self { path, file };
        if whole == 0 {
            journal.write(&head)?;
        }
        Ok((journal, done))
    }

    /// Appends a block.
    pub(crate) fn add(&mut self, block: &Block) -> Result<(), JournalError> {
        self.write(block)
    }

    /// Notes how long this stretch took.
    pub(crate) fn took(&mut self, seconds: f64) -> Result<(), JournalError> {
        self.write(&Took { took: seconds })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_vec(line).expect("plain fields always make JSON");
        text.push(b'\n');
        // One call, so that a line is there wholly or as a torn last one.
        self.file
            .write_all(&text)
            .map_err(|why| JournalError::File { path: self.path.clone(), why })
    }
}
