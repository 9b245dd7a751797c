//! Shard files: a head, a line for each row, and a checksum.
//!
//! ```text
//! {"shard":1,"of":"89c2…","number":3,"rows":120}
//! 3    -5
//! 43   0
//! # 0f1e2d3c4b5a6978
//! ```
//!
//! A tab follows the number of a row. A shard counts as finished if its content says so, whatever its
//! name or date. It is written under another name, synced and renamed, so a process that dies leaves
//! no half of one.

use super::manifest::Manifest;
use crate::files::{ReadError, WriteError, read_bytes, write_whole};
use crate::fingerprint::of_text;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the form.
const FORMAT: u32 = 1;

/// The largest shard that is read.
const MAX_BYTES: u64 = 1 << 30;

/// The first line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    shard: u32,
    of: String,
    number: u64,
    rows: u64,
}

impl Head {
    fn new(manifest: &Manifest, number: u64) -> Self {
        let rows = manifest.rows_of(number).count() as u64;
        Self { shard: FORMAT, of: manifest.id(), number, rows }
    }
}

/// Why a shard cannot be used or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// It is not a whole shard of this manifest.
    #[error("{}: {problem}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: &'static str,
    },
}

/// How a shard stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShardState {
    /// There is no file.
    Missing,
    /// It is whole, and of this manifest.
    Finished,
    /// There is a file that is of no use, for this reason.
    Bad(String),
}

/// The name of a shard's file.
#[must_use]
pub fn shard_name(number: u64) -> String {
    format!("shard-{number:06}.txt")
}

/// Writes what was found in a shard, a line for each row, in order whatever the order given. The
/// file is there whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write_shard(
    folder: &Path,
    manifest: &Manifest,
    number: u64,
    mut lines: Vec<(u64, String)>,
) -> Result<(), ShardFileError> {
    lines.sort_unstable_by_key(|(row, _)| *row);
    let path = folder.join(shard_name(number));
    let head = serde_json::to_string(&Head::new(manifest, number));
    let mut text = head.expect("plain fields always make JSON") + "\n";
    for (row, line) in lines {
        text += &format!("{row}\t{line}\n");
    }
    text += &format!("# {:016x}\n", of_text(&text));
    Ok(write_whole(&path, text.as_bytes())?)
}

/// Writes a shard that another machine has done and sent here, if it is whole and of this manifest.
///
/// # Errors
/// If it is not what the shard must be, or cannot be written. A file that was there stays.
pub fn accept_shard(
    folder: &Path,
    manifest: &Manifest,
    number: u64,
    bytes: &[u8],
) -> Result<(), ShardFileError> {
    let path = folder.join(shard_name(number));
    rows_in(bytes, &path, manifest, number)?;
    Ok(write_whole(&path, bytes)?)
}

/// Reads a shard: what was found of each of its rows, in order.
///
/// # Errors
/// If there is no such file, or it is not a whole shard of this manifest.
pub fn read_shard(
    folder: &Path,
    manifest: &Manifest,
    number: u64,
) -> Result<Vec<(u64, String)>, ShardFileError> {
    let path = folder.join(shard_name(number));
    rows_in(&read_bytes(&path, MAX_BYTES)?, &path, manifest, number)
}

/// The rows in the bytes of a shard file, which is at that path or is to be.
fn rows_in(
    bytes: &[u8],
    path: &Path,
    manifest: &Manifest,
    number: u64,
) -> Result<Vec<(u64, String)>, ShardFileError> {
    let bad = |problem| ShardFileError::Bad { path: path.to_owned(), problem };
    let text = std::str::from_utf8(bytes).map_err(|_| bad("it is damaged: not a text"))?;
    let (body, sum) = text
        .strip_suffix('\n')
        .and_then(|text| text.rsplit_once('\n'))
        .and_then(|(body, sum)| Some((&text[..body.len() + 1], sum.strip_prefix("# ")?)))
        .ok_or_else(|| bad("it ends before its checksum"))?;
    if format!("{:016x}", of_text(body)) != sum {
        return Err(bad("it is damaged: its checksum is wrong"));
    }
    let mut lines = body.lines();
    let head: Head = serde_json::from_str(lines.next().unwrap_or(""))
        .map_err(|_| bad("it does not begin as a shard does"))?;
    let wanted = Head::new(manifest, number);
    if head.of != wanted.of {
        return Err(bad("it belongs to another manifest"));
    }
    if head.number != wanted.number {
        return Err(bad("it is another shard, renamed"));
    }
    let rows: Option<Vec<(u64, String)>> = lines
        .map(|line| {
            let (row, found) = line.split_once('\t')?;
            Some((row.parse().ok()?, found.to_owned()))
        })
        .collect();
    let rows = rows.ok_or_else(|| bad("a line is not a row"))?;
    if head != wanted || !rows.iter().map(|(row, _)| *row).eq(manifest.rows_of(number)) {
        return Err(bad("its rows are not those of the shard"));
    }
    Ok(rows)
}

/// How a shard stands, by its content.
#[must_use]
pub fn state_of(folder: &Path, manifest: &Manifest, number: u64) -> ShardState {
    match read_shard(folder, manifest, number) {
        Ok(_) => ShardState::Finished,
        Err(ShardFileError::Read(why)) if why.is_not_found() => ShardState::Missing,
        Err(why) => ShardState::Bad(why.to_string()),
    }
}
