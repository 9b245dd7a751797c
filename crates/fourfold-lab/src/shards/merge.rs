//! One result from all rows.

use super::file::{ShardFileError, read_shard};
use super::manifest::{Job, Manifest, ManifestError};
use super::work::{Rows, Work};
use crate::labels::{LabelFileError, assembled};
use crate::tournament::saved_games;
use fourfold::book::DraftError;
use fourfold::game::{Position, notation};
use fourfold::score::Verdict;
use std::path::Path;

/// What the shards make together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Merged {
    /// A book, as the bytes of its file.
    Book {
        /// The file.
        bytes: Vec<u8>,
    },
    /// The value of a board.
    Value {
        /// How the game ends from the empty board.
        verdict: Verdict,
        /// Every position at the ply of the job with its score, a line each: whoever solves a
        /// sample of them again has checked the result.
        certificate: String,
    },
    /// A label file.
    Labels {
        /// The file.
        bytes: Vec<u8>,
        /// Labels in it.
        count: u64,
        /// Labels wanted.
        wanted: u64,
    },
    /// The games of a tournament, as `fourfold tournament --save` keeps them.
    Games {
        /// The file.
        text: String,
    },
}

/// Why shards make nothing together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// Shards are missing or of no use.
    #[error("{} of {of} shards cannot be used:\n{}", .problems.len(), .problems.join("\n"))]
    Shards {
        /// What is wrong with each.
        problems: Vec<String>,
        /// How many there are.
        of: u64,
    },
    /// The job makes no sense.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A row is not done.
    #[error("row {row} is not done")]
    Missing {
        /// The row.
        row: u64,
    },
    /// A row has something else than a score.
    #[error("row {row}: {found:?} is not a score")]
    Score {
        /// The row.
        row: u64,
        /// What it has.
        found: String,
    },
    /// The scores contradict each other.
    #[error(transparent)]
    Book(#[from] DraftError),
    /// A line is not a label.
    #[error(transparent)]
    Labels(#[from] LabelFileError),
}

/// Puts the shards of a folder together.
///
/// # Errors
/// If one is missing, damaged, short or of another manifest; all of those are named.
pub fn merge(folder: &Path, manifest: &Manifest, work: Work) -> Result<Merged, MergeError> {
    let mut rows = vec![None; manifest.rows as usize];
    let mut problems = Vec::new();
    for number in 0..manifest.shards {
        match read_shard(folder, manifest, number) {
            Ok(found) => {
                for (row, text) in found {
                    rows[row as usize] = Some(text.into_boxed_str());
                }
            }
            Err(ShardFileError::Read(why)) if why.is_not_found() => {
                problems.push(format!("shard {number} is missing"));
            }
            Err(why) => problems.push(why.to_string()),
        }
    }
    if !problems.is_empty() {
        return Err(MergeError::Shards { problems, of: manifest.shards });
    }
    merge_rows(&manifest.job, work, &rows)
}

/// Puts all rows of a job together.
pub(super) fn merge_rows(
    job: &Job,
    work: Work,
    rows: &[Option<Box<str>>],
) -> Result<Merged, MergeError> {
    if let Some(row) = rows.iter().position(Option::is_none) {
        return Err(MergeError::Missing { row: row as u64 });
    }
    let rows = rows.iter().flatten().map(|row| &**row);
    if let Some((options, wanted)) = job.label_options() {
        let blocks = rows.enumerate().map(|(block, row)| {
            (block as u64, row.split('\t').filter(|line| !line.is_empty()).collect())
        });
        let (bytes, count) = assembled(&options, wanted, blocks)?;
        return Ok(Merged::Labels { bytes, count, wanted });
    }
    if let Some(tournament) = job.tournament().map_err(ManifestError::Job)? {
        return Ok(Merged::Games { text: saved_games(&tournament, rows) });
    }
    let Rows::Positions(mut draft) = work.rows else { unreachable!("the only kind left") };
    let is_certified = matches!(job, Job::Solve { .. });
    let mut certificate = String::new();
    for (row, found) in rows.enumerate() {
        let wrong = |_| MergeError::Score { row: row as u64, found: found.to_owned() };
        let score = found.parse::<i32>().map_err(wrong)?;
        let position = draft.needed()[row];
        draft.set(&position, score)?;
        if is_certified {
            let moves = position.some_moves().unwrap_or_default();
            certificate += &format!("{} {score}\n", notation::moves_text(position.rules(), &moves));
        }
    }
    let empty = Position::new(*draft.rules());
    let book = draft.finish()?;
    if is_certified {
        let score = book.score(&empty).unwrap_or(0);
        let verdict = Verdict::of_distance_score(score, &empty);
        return Ok(Merged::Value { verdict, certificate });
    }
    Ok(Merged::Book { bytes: book.to_bytes().expect("a book of our own") })
}
