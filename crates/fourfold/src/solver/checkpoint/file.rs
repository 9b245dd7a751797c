//! The bytes of a checkpoint.
//!
//! ```text
//! "FFCHECK" | version: 1 (1 or 2) | length of the game's text: 1 | the text: 7x6c4
//! nodes: 8 | nanoseconds: 8 | bytes of a key: 1 (8 or 16)
//! positions asked for: 4, and for each: discs of the side to move: 16 | all discs: 16 |
//!     lower bound: 1 | upper bound: 1 | nodes: 8
//! entries: 8, and for each: key | digits of the nodes it took: 1 | lower bound: 1 | upper bound: 1
//! CRC-64 of everything before: 8
//! ```
//!
//! Numbers have their low byte first; bounds are signed.

use super::{Asked, Checkpoint, ProvenEntry};
use crate::bytes::{Reader, crc64};
use crate::game::Rules;
use crate::solver::layout::has_layout;
use crate::solver::table::ScoreBounds;
use std::collections::BTreeMap;
use std::time::Duration;

const MAGIC: &[u8; 7] = b"FFCHECK";
/// The newest version. Games of the search for lines of four are written, and read, in version 1: only
/// the keys of the others have changed since.
const VERSION: u8 = 2;
const CHECKSUM_BYTES: usize = 8;

/// Why bytes are no checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Something else.
    #[error("this is no checkpoint of the solver")]
    Foreign,
    /// A version that this program does not know.
    #[error("this checkpoint has version {0}; this program reads version {1}")]
    Version(u8, u8),
    /// Bytes are missing, or have changed.
    #[error("this checkpoint is damaged or cut off")]
    Damaged,
}

pub(super) fn write(checkpoint: &Checkpoint) -> Vec<u8> {
    let Checkpoint { rules, nodes, time, asked, entries } = checkpoint;
    let game = rules.to_string();
    let key_bytes = key_bytes(rules);
    let mut bytes = Vec::with_capacity(64 + asked.len() * 42 + entries.len() * (key_bytes + 3));
    bytes.extend_from_slice(MAGIC);
    bytes.push(version(rules));
    bytes.push(game.len() as u8);
    bytes.extend_from_slice(game.as_bytes());
    bytes.extend_from_slice(&nodes.to_le_bytes());
    bytes.extend_from_slice(&(time.as_nanos() as u64).to_le_bytes());
    bytes.push(key_bytes as u8);
    bytes.extend_from_slice(&(asked.len() as u32).to_le_bytes());
    for ((own, all), Asked { bounds, nodes }) in asked {
        bytes.extend_from_slice(&own.to_le_bytes());
        bytes.extend_from_slice(&all.to_le_bytes());
        bytes.extend_from_slice(&[bounds.lower as i8 as u8, bounds.upper as i8 as u8]);
        bytes.extend_from_slice(&nodes.to_le_bytes());
    }
    bytes.extend_from_slice(&(entries.len() as u64).to_le_bytes());
    for ProvenEntry { key, bounds, work_bits } in entries {
        bytes.extend_from_slice(&key.to_le_bytes()[..key_bytes]);
        let [lower, upper] = [bounds.lower, bounds.upper].map(|bound| bound as i8 as u8);
        bytes.extend_from_slice(&[*work_bits as u8, lower, upper]);
    }
    bytes.extend_from_slice(&crc64(&bytes).to_le_bytes());
    bytes
}

pub(super) fn read(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
    let mut head = Reader::new(bytes);
    if head.slice(MAGIC.len()) != Some(MAGIC) {
        return Err(CheckpointError::Foreign);
    }
    let found = match head.take() {
        Some([found @ 1..=VERSION]) => found,
        Some([found]) => return Err(CheckpointError::Version(found, VERSION)),
        None => return Err(CheckpointError::Damaged),
    };
    let body_bytes = bytes.len().saturating_sub(CHECKSUM_BYTES);
    let (body, sum) = bytes.split_at(body_bytes);
    if sum != crc64(body).to_le_bytes() {
        return Err(CheckpointError::Damaged);
    }
    let mut reader = Reader::new(body);
    reader.slice(MAGIC.len() + 1);
    let rules = read_rules(&mut reader).ok_or(CheckpointError::Damaged)?;
    if found != version(&rules) {
        return Err(CheckpointError::Version(found, version(&rules)));
    }
    read_body(rules, &mut reader)
        .filter(|_| reader.rest().is_empty())
        .ok_or(CheckpointError::Damaged)
}

fn read_rules(reader: &mut Reader<'_>) -> Option<Rules> {
    let [length] = reader.take()?;
    reader.text(length.into())?.parse().ok()
}

/// What stands behind the rules; `None` if it makes no sense.
fn read_body(rules: Rules, reader: &mut Reader<'_>) -> Option<Checkpoint> {
    let nodes = u64::from_le_bytes(reader.take()?);
    let time = Duration::from_nanos(u64::from_le_bytes(reader.take()?));
    let [key_length] = reader.take()?;
    let key_bytes = key_bytes(&rules);
    if usize::from(key_length) != key_bytes {
        return None;
    }
    let mut asked = BTreeMap::new();
    for _ in 0..u32::from_le_bytes(reader.take()?) {
        let position = (u128::from_le_bytes(reader.take()?), u128::from_le_bytes(reader.take()?));
        let bounds = read_bounds(reader)?;
        asked.insert(position, Asked { bounds, nodes: u64::from_le_bytes(reader.take()?) });
    }
    let count = u64::from_le_bytes(reader.take()?);
    // Checked before room is made for them.
    if reader.rest().len() as u64 != count.checked_mul(key_bytes as u64 + 3)? {
        return None;
    }
    let entries = (0..count).map(|_| {
        let mut key = [0; 16];
        key[..key_bytes].copy_from_slice(reader.slice(key_bytes)?);
        let [work_bits] = reader.take()?;
        let bounds = read_bounds(reader)?;
        let key = u128::from_le_bytes(key);
        Some(ProvenEntry { key, bounds, work_bits: u32::from(work_bits).min(63) })
    });
    let entries = entries.collect::<Option<Vec<_>>>()?;
    Some(Checkpoint { rules, nodes, time, asked, entries })
}

fn read_bounds(reader: &mut Reader<'_>) -> Option<ScoreBounds> {
    let [lower, upper] = reader.take()?.map(|byte: u8| i32::from(byte as i8));
    let ScoreBounds { lower: least, upper: most } = ScoreBounds::UNKNOWN;
    (least <= lower && lower <= upper && upper <= most).then_some(ScoreBounds { lower, upper })
}

/// The version that checkpoints of a game have.
fn version(rules: &Rules) -> u8 {
    if has_layout(rules) { 1 } else { VERSION }
}

/// The bytes of a key: only the search for lines of four with gravity has keys of 64 bits.
fn key_bytes(rules: &Rules) -> usize {
    if has_layout(rules) && rules.bits() <= u64::BITS { 8 } else { 16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_of_another_version_is_refused_by_the_games_whose_keys_have_changed() {
        let version_one = |game: &str| {
            let rules: Rules = game.parse().unwrap_or_else(|why| panic!("{game}: {why}"));
            let empty = Checkpoint {
                rules,
                nodes: 5,
                time: Duration::from_secs(1),
                asked: BTreeMap::new(),
                entries: Vec::new(),
            };
            let mut bytes = write(&empty);
            assert_eq!(read(&bytes), Ok(empty), "{game}");
            bytes.truncate(bytes.len() - CHECKSUM_BYTES);
            bytes[MAGIC.len()] = 1;
            let sum = crc64(&bytes);
            bytes.extend_from_slice(&sum.to_le_bytes());
            read(&bytes).map(|checkpoint| checkpoint.nodes)
        };
        assert_eq!(version_one("7x6c4"), Ok(5));
        for game in ["7x6c5", "7x6s2", "3x3c3f", "3x40c4", "4x10c4", "5x12c4"] {
            assert_eq!(version_one(game), Err(CheckpointError::Version(1, 2)), "{game}");
        }
    }
}
