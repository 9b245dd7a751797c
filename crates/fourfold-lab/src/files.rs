//! Reading the files that people name, up to a limit: an endless file is an error, not a full
//! memory. And writing them, whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most bytes of a text that are read: experiments, summaries, lists of positions.
pub const MAX_TEXT_BYTES: u64 = 16 << 20;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file goes on past the limit.
    #[error("{} is larger than {} MiB, the most that is read", path.display(), limit >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit, in bytes.
        limit: u64,
    },
    /// The file holds something else than UTF-8 text.
    #[error("{}:{line}: this is not UTF-8 text", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first line that is not, from 1.
        line: usize,
    },
}

impl ReadError {
    /// Whether there is no such file.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl WriteError {
    /// What the system said when this file was written.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self { path: path.to_owned(), source }
    }
}

/// Writes a file so that it is either complete or not there at all: under another name, which is
/// synced and renamed. Devices and pipes are written to directly.
///
/// # Errors
/// If the file cannot be written. What was there before stays.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    if is_special(path) {
        let open = File::options().write(true).open(path);
        let written = open.and_then(|mut file| file.write_all(bytes).and_then(|()| file.flush()));
        return written.map_err(WriteError::at(path));
    }
    // Two processes that make the same file do not write to one. The number of a process is not
    // enough: in containers all are 1.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_nanos());
    let draft = with_ending(path, &format!("{}-{now}.new", std::process::id()));
    let write = || {
        let mut file = File::create(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().map_err(|source| {
        // What was written of it is of no use.
        let _ = fs::remove_file(&draft);
        WriteError { path: path.to_owned(), source }
    })
}

/// Whether the path is neither a file nor a directory: a device, a pipe.
#[must_use]
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The path with one more ending: `7x6.book.part`.
#[must_use]
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Reads all there is; `None` if that is more than `limit` bytes.
///
/// # Errors
/// If reading fails.
pub fn read_limited(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large from one that just fits.
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// If the file cannot be read or is too large.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    File::open(path)
        .and_then(|file| read_limited(file, limit))
        .map_err(|source| ReadError::Io { path: path.to_owned(), source })?
        .ok_or_else(|| ReadError::TooLarge { path: path.to_owned(), limit })
}

/// Reads a text file of at most [`MAX_TEXT_BYTES`], without its byte-order mark if it has one.
///
/// # Errors
/// If the file cannot be read, is too large, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    let mut text = String::from_utf8(read_bytes(path, MAX_TEXT_BYTES)?).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        ReadError::NotUtf8 { path: path.to_owned(), line }
    })?;
    let mark = text.len() - without_bom(&text).len();
    text.drain(..mark);
    Ok(text)
}

/// The text without the byte-order mark that some editors put first.
#[must_use]
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_limit_and_without_a_byte_order_mark() {
        let path = std::env::temp_dir().join(format!("fourfold-files-{}", std::process::id()));
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read_text(&path).map_err(|error| error.to_string())
        };
        let name = path.display();
        assert_eq!(read(b"\xef\xbb\xbf44\n"), Ok("44\n".to_owned()));
        assert_eq!(read(b"44\n\xff"), Err(format!("{name}:2: this is not UTF-8 text")));
        let large = vec![b'\n'; MAX_TEXT_BYTES as usize];
        assert_eq!(read(&large).map(|text| text.len()), Ok(large.len()));
        let larger = [large, vec![b'\n']].concat();
        let told = format!("{name} is larger than 16 MiB, the most that is read");
        assert_eq!(read(&larger), Err(told));
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(read_text(&path), Err(ReadError::Io { .. })));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_endless_file_is_an_error() {
        let told = read_text(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(told, "/dev/zero is larger than 16 MiB, the most that is read");
    }
}
