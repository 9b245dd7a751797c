//! One result from all shards.

use super::file::{ShardFileError, read_shard};
use super::manifest::{Job, Manifest, ManifestError};
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
        text: String,
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
pub fn merge(folder: &Path, manifest: &Manifest) -> Result<Merged, MergeError> {
    let mut rows = vec![String::new(); manifest.rows as usize];
    let mut problems = Vec::new();
    for number in 0..manifest.shards {
        match read_shard(folder, manifest, number) {
            Ok(found) => {
                for (row, text) in found {
                    rows[row as usize] = text;
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
    if let Some((options, wanted)) = manifest.job.label_options() {
        let blocks = rows.iter().enumerate().map(|(block, row)| {
            (block as u64, row.split('\t').filter(|line| !line.is_empty()).collect())
        });
        let (text, count) = assembled(&options, wanted, blocks)?;
        return Ok(Merged::Labels { text, count, wanted });
    }
    if let Some(tournament) = manifest.job.tournament().map_err(ManifestError::Job)? {
        let text = saved_games(&tournament, rows.iter().map(String::as_str));
        return Ok(Merged::Games { text });
    }
    let mut draft = manifest.job.draft().map_err(ManifestError::from)?.expect("the only kind left");
    let mut certificate = String::new();
    for (row, (position, found)) in draft.needed().to_vec().iter().zip(&rows).enumerate() {
        let score = found.parse::<i32>();
        let score =
            score.map_err(|_| MergeError::Score { row: row as u64, found: found.clone() })?;
        draft.set(position, score)?;
        let moves = position.some_moves().unwrap_or_default();
        certificate += &format!("{} {score}\n", notation::moves_text(position.rules(), &moves));
    }
    let rules = *draft.rules();
    let book = draft.finish()?;
    if matches!(manifest.job, Job::Solve { .. }) {
        let empty = Position::new(rules);
        let score = book.score(&empty).unwrap_or(0);
        return Ok(Merged::Value {
            verdict: Verdict::of_distance_score(score, &empty),
            certificate,
        });
    }
    Ok(Merged::Book { bytes: book.to_bytes().expect("a book of our own") })
}
