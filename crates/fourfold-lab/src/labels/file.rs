//! Label files: a line for each position in the notation of Pons' solver with one score a column,
//! after a line that says how they were sampled.
//!
//! ```text
//! # fourfold labels 1: game 7x6c4, seed 1, plies 8..14, exact, nodes 2000000
//! 44635172 -3 -2 1 -1 -4 -2 -1000
//! # block 0
//! ```
//!
//! A line `# block N` ends what was found in block N of the games. A process that is killed leaves
//! at most one unfinished block at the end, which is dropped and made again when the file is
//! continued; so the finished file has the same bytes whatever happened.

use super::{Label, LabelError, LabelOptions, make_labels};
use crate::files::{ReadError, WriteError, read_bytes};
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::game::notation::{Format, Reader, slot};
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The score of a column that cannot be played, in this notation.
pub(super) const UNPLAYABLE: i32 = -1000;

/// The largest label file that is read: some twenty million positions.
const MAX_BYTES: u64 = 1 << 30;

const HEAD: &str = "# fourfold labels 1: ";

/// Why a label file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LabelFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A line makes no sense.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// It was made with other options.
    #[error("{} holds other labels: {found}, not {wanted}", path.display())]
    OtherOptions {
        /// The file.
        path: PathBuf,
        /// The options it was made with.
        found: String,
        /// The options asked for.
        wanted: String,
    },
    /// The labels could not be made.
    #[error(transparent)]
    Labels(#[from] LabelError),
    /// Ctrl-C; what is finished is in the file.
    #[error("interrupted: {done} positions are labelled; the same command continues from there")]
    Interrupted {
        /// Positions in the file.
        done: u64,
    },
}

impl LabelOptions {
    /// What the first line of a file says of its labels.
    fn head(&self) -> String {
        let Self { rules, seed, plies, weak, nodes, remaining, doubt, random } = self;
        let (first, last) = (plies.start(), plies.end());
        let kind = if *weak { "weak" } else { "exact" };
        let mut head =
            format!("game {rules}, seed {seed}, plies {first}..{last}, {kind}, nodes {nodes}");
        if let Some(remaining) = remaining {
            head += &format!(", remaining {}..{}", remaining.start(), remaining.end());
        }
        if let Some(doubt) = doubt {
            head += &format!(", {doubt}");
        }
        if *random {
            head += ", random games";
        }
        head
    }
}

/// A label file that is made or continued.
#[derive(Debug)]
pub struct LabelFile {
    path: PathBuf,
    options: LabelOptions,
    labels: Vec<Label>,
    /// The next block, and the bytes and labels of those before it.
    next: u64,
    bytes: u64,
    finished: usize,
}

impl LabelFile {
    /// Opens a file, or prepares a new one.
    ///
    /// # Errors
    /// If it cannot be read, or was made with other options.
    pub fn open(path: &Path, options: LabelOptions) -> Result<Self, LabelFileError> {
        let mut file = Self {
            path: path.to_owned(),
            options,
            labels: Vec::new(),
            next: 0,
            bytes: 0,
            finished: 0,
        };
        let bytes = match read_bytes(path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(why) if why.is_not_found() => return Ok(file),
            Err(why) => return Err(why.into()),
        };
        file.scan(&String::from_utf8_lossy(&bytes))?;
        Ok(file)
    }

    fn scan(&mut self, text: &str) -> Result<(), LabelFileError> {
        let mut at = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if !line.ends_with('\n') {
                break; // torn
            }
            at += line.len() as u64;
            let line = line.trim_end();
            if let Some(found) = line.strip_prefix(HEAD) {
                let wanted = self.options.head();
                if found != wanted {
                    let (path, found) = (self.path.clone(), found.to_owned());
                    return Err(LabelFileError::OtherOptions { path, found, wanted });
                }
                self.bytes = at;
            } else if index == 0 {
                let problem = "this is not the first line of a label file".to_owned();
                return Err(LabelFileError::Line { path: self.path.clone(), line: 1, problem });
            } else if let Some(block) = line.strip_prefix("# block ") {
                let wrong = |_| LabelFileError::Line {
                    path: self.path.clone(),
                    line: index + 1,
                    problem: "the block has no number".to_owned(),
                };
                self.next = block.parse::<u64>().map_err(wrong)? + 1;
                self.bytes = at;
                self.finished = self.labels.len();
            } else {
                self.labels.push(parse(line, &self.options.rules, &self.path, index)?);
            }
        }
        Ok(())
    }

    /// The labels in the file.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Takes the labels out.
    #[must_use]
    pub fn into_labels(self) -> Vec<Label> {
        self.labels
    }

    /// Makes labels until there are `count`; `progress` hears how many there are.
    ///
    /// # Errors
    /// If the file cannot be written, the labels cannot be made, or Ctrl-C ended the work.
    pub fn extend(
        &mut self,
        count: u64,
        threads: usize,
        budget: &Budget,
        mut progress: impl FnMut(u64),
    ) -> Result<(), LabelFileError> {
        if self.labels.len() as u64 >= count {
            return Ok(());
        }
        let wrong = WriteError::at(&self.path);
        // What was found of an unfinished block is made again.
        self.labels.truncate(self.finished);
        let open = || {
            let mut file =
                File::options().create(true).write(true).truncate(false).open(&self.path)?;
            file.set_len(self.bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok(BufWriter::new(file))
        };
        let mut out = open().map_err(&wrong)?;
        let mut trouble = None;
        if self.bytes == 0 {
            writeln!(out, "{HEAD}{}", self.options.head()).map_err(&wrong)?;
        }
        let seen: HashSet<_> =
            self.labels.iter().map(|label| label.position.canonical().key()).collect();
        let labels = &mut self.labels;
        make_labels(&self.options, self.next, seen, threads, budget, |block, fresh| {
            let room = count - labels.len() as u64;
            let lines = fresh.iter().map(Label::to_line);
            if let Err(why) = write_block(&mut out, block, lines, room).and_then(|_| out.flush()) {
                trouble = Some(why);
                return ControlFlow::Break(());
            }
            labels.extend(fresh.into_iter().take(room as usize));
            progress(labels.len() as u64);
            if labels.len() as u64 == count {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        if let Some(why) = trouble.or_else(|| out.flush().err()) {
            return Err(wrong(why).into());
        }
        let done = self.labels.len() as u64;
        if done < count {
            return Err(LabelFileError::Interrupted { done });
        }
        Ok(())
    }
}

/// Adds the lines of a block to a label file that has room for so many: all of them and the line
/// that ends the block, or as many as there is room for. How many it took.
fn write_block(
    out: &mut impl Write,
    block: u64,
    lines: impl Iterator<Item = impl fmt::Display>,
    room: u64,
) -> io::Result<u64> {
    let mut taken = 0;
    for line in lines.take(room as usize) {
        writeln!(out, "{line}")?;
        taken += 1;
    }
    if taken < room {
        writeln!(out, "# block {block}")?;
    }
    Ok(taken)
}

/// The label file of blocks that were made elsewhere, each with its lines: the same bytes that
/// making them here in order would write. With it, how many labels it has, at most `count`.
pub(crate) fn assembled<'a>(
    options: &LabelOptions,
    count: u64,
    blocks: impl Iterator<Item = (u64, Vec<&'a str>)>,
) -> Result<(Vec<u8>, u64), LabelFileError> {
    let mut file = format!("{HEAD}{}\n", options.head()).into_bytes();
    let (mut seen, mut done) = (HashSet::new(), 0);
    for (block, lines) in blocks {
        let mut fresh = Vec::new();
        for line in lines {
            let label = parse(line, &options.rules, Path::new("shard"), block as usize)?;
            if seen.insert(label.position.canonical().key()) {
                fresh.push(line);
            }
        }
        let written = write_block(&mut file, block, fresh.into_iter(), count - done);
        done += written.expect("memory takes all that is written to it");
        if done == count {
            break;
        }
    }
    Ok((file, done))
}

/// Reads labels of a game: files of this module, or any lines of moves and one score a column.
///
/// # Errors
/// If the file cannot be read, or a line is not of this game.
pub fn read_labels(path: &Path, rules: &Rules) -> Result<Vec<Label>, LabelFileError> {
    let text = read_bytes(path, MAX_BYTES)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
        .map(|(index, line)| parse(line, rules, path, index))
        .collect()
}

fn parse(line: &str, rules: &Rules, path: &Path, index: usize) -> Result<Label, LabelFileError> {
    let wrong =
        |problem: String| LabelFileError::Line { path: path.to_owned(), line: index + 1, problem };
    let entry = Reader::new()
        .format(Some(Format::Pons))
        .rules(Some(rules))
        .read(line)
        .map_err(|why| wrong(why.to_string()))?;
    let (Some(moves), Some(found)) = (entry.moves, entry.scores) else {
        return Err(wrong("there is no score for every column".to_owned()));
    };
    let position = entry.position;
    let score = |mv| found.get(slot(rules, mv)).copied().flatten().map(|score| (mv, score));
    let scores: Option<Vec<_>> = position.legal_moves().into_iter().map(score).collect();
    let scores = scores.ok_or_else(|| wrong("a move has no score".to_owned()))?;
    Ok(Label { moves, position, scores })
}
