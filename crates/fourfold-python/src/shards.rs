//! The folder of a job that is cut into shards: its manifest, and how each shard stands.

use crate::errors::{FourfoldError, OptionError};
use fourfold_lab::shards::{
    MANIFEST, Manifest, ShardFileError, ShardState, accept_shard, state_of,
};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// The shards of a job, judged by their content.
#[pyclass(frozen, module = "fourfold._native")]
pub(crate) struct ShardFolder {
    folder: PathBuf,
    manifest: Manifest,
}

#[pymethods]
impl ShardFolder {
    /// Reads the manifest in a folder, and checks that this program is the one it is for.
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let manifest = py.detach(|| Manifest::read(&folder));
        let manifest = manifest.map_err(|why| OptionError::new_err(why.to_string()))?;
        Ok(Self { folder, manifest })
    }

    /// The hash by which shards know what they belong to.
    #[getter]
    fn id(&self) -> String {
        self.manifest.id()
    }

    /// How many shards there are.
    #[getter]
    fn shards(&self) -> u64 {
        self.manifest.shards
    }

    /// The name of the manifest in the folder.
    #[getter]
    fn manifest_name(&self) -> &'static str {
        MANIFEST
    }

    /// The manifest, as it is written.
    #[getter]
    fn manifest_text(&self) -> String {
        self.manifest.to_text()
    }

    /// Which program the shards are for, in words.
    #[getter]
    fn program(&self) -> String {
        self.manifest.program.to_string()
    }

    /// What is wrong with a shard: None if it is whole, an empty text if it is missing.
    fn problem(&self, py: Python<'_>, number: u64) -> Option<String> {
        match py.detach(|| state_of(&self.folder, &self.manifest, number)) {
            ShardState::Finished => None,
            ShardState::Missing => Some(String::new()),
            ShardState::Bad(problem) => Some(problem),
        }
    }

    /// Writes a shard that was sent here, if it is whole and of this manifest.
    fn accept(&self, py: Python<'_>, number: u64, bytes: &[u8]) -> PyResult<()> {
        let accepted = py.detach(|| accept_shard(&self.folder, &self.manifest, number, bytes));
        accepted.map_err(|why| match why {
            ShardFileError::Write(_) => PyOSError::new_err(why.to_string()),
            _ => FourfoldError::new_err(why.to_string()),
        })
    }
}
