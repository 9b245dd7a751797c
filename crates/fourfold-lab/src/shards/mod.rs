//! Work that is cut into shards: books, labels, tournaments and large boards as pieces that any
//! number of machines do in any order.
//!
//! A [`Manifest`] says what is to be done and into how many shards its rows are dealt, like cards,
//! so that all cost about the same. [`Work`] does the rows of one shard; a shard file holds what was
//! found and can be judged by its content alone: manifest, rows and checksum. [`merge`] puts the
//! shards together. [`LocalRun`] does a whole job in one process, by the same plan, rows and merging.
//! What comes out depends on the manifest only: the bytes are the same whatever
//! machines did the work, in whatever order, on however many threads.
//!
//! There is no scheduler here. Whatever runs commands on many machines will do; `docs/cluster.md`
//! has recipes.

mod file;
mod local;
mod manifest;
mod merge;
mod sample;
mod work;

pub use file::{
    ShardFileError, ShardState, accept_shard, read_shard, shard_name, state_of, write_shard,
};
pub use local::{KeptRows, LocalError, LocalRun, Unfinished};
pub use manifest::{Job, MANIFEST, Manifest, ManifestError, Program};
pub use merge::{MergeError, Merged, merge};
pub use sample::Sample;
pub use work::{Work, WorkError};

#[cfg(test)]
mod tests;
