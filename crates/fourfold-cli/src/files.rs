//! Files of results: written whole or not at all, so that nobody reads half of one and an interrupted
//! command leaves the last result as it was.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file so that it is either complete or not there at all. Devices and pipes are written
/// to directly.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let cannot =
        |why: std::io::Error| Failure::runtime(format!("cannot write {}: {why}", path.display()));
    if is_special(path) {
        let mut file = File::options().write(true).open(path).map_err(cannot)?;
        return file.write_all(bytes).and_then(|()| file.flush()).map_err(cannot);
    }
    let beside = with_ending(path, "new");
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|why: std::io::Error| {
        // What was written of it is of no use.
        let _ = fs::remove_file(&beside);
        cannot(why)
    })
}

/// Whether the path is neither a file nor a directory: a device, a pipe.
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The path with one more ending: `7x6.book.part`.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}
