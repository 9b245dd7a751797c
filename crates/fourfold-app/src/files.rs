//! Files read into memory up to a limit, so that a device or a file that never ends fills no memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest book or journal that is read: larger than any that can be made, with room to spare.
pub const MOST_BOOK_BYTES: u64 = 1 << 30;

/// The largest text file that is read as a whole: experiments, summaries, lists of positions.
pub const MOST_TEXT_BYTES: u64 = 64 << 20;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system does not let us.
    #[error("{}: {why}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// There is more than the limit.
    #[error("{}: larger than {} MiB, the most that is read", path.display(), limit >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// The text is not UTF-8.
    #[error("{}: not a text file: byte {} is not UTF-8", path.display(), valid + 1)]
    NotText {
        /// The file.
        path: PathBuf,
        /// The bytes before the first that is not.
        valid: usize,
    },
}

impl FileError {
    /// Whether there is no such file.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Read { why, .. } if why.kind() == io::ErrorKind::NotFound)
    }
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read, or has more bytes than the limit.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let cannot = |why| FileError::Read { path: path.to_owned(), why };
    let file = File::open(path).map_err(cannot)?;
    read_limited(file, limit)
        .map_err(cannot)?
        .ok_or_else(|| FileError::TooLarge { path: path.to_owned(), limit })
}

/// All bytes there are to read; none if there are more than the limit.
///
/// # Errors
/// If they cannot be read.
pub fn read_limited(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large from one that just fits.
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// The text of a file, without a byte-order mark.
///
/// # Errors
/// If it cannot be read, has more bytes than the limit, or is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    let text = String::from_utf8(read_bytes(path, limit)?).map_err(|why| FileError::NotText {
        path: path.to_owned(),
        valid: why.utf8_error().valid_up_to(),
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::{FileError, read_bytes, read_limited, read_text};
    use std::path::Path;

    #[test]
    fn what_is_larger_than_the_limit_is_not_read() {
        assert_eq!(read_limited(&b"1234"[..], 4).unwrap().as_deref(), Some(&b"1234"[..]));
        assert_eq!(read_limited(&b"12345"[..], 4).unwrap(), None);
        assert_eq!(read_limited(std::io::repeat(0), 1 << 10).unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_named_with_the_limit() {
        let why = read_bytes(Path::new("/dev/zero"), 1 << 20).unwrap_err();
        assert!(matches!(why, FileError::TooLarge { .. }));
        assert_eq!(why.to_string(), "/dev/zero: larger than 1 MiB, the most that is read");
    }

    #[test]
    fn texts_lose_their_byte_order_mark() {
        let path = std::env::temp_dir().join(format!("fourfold-files-{}", std::process::id()));
        std::fs::write(&path, "\u{feff}44\n").unwrap();
        assert_eq!(read_text(&path, 100).unwrap(), "44\n");
        std::fs::write(&path, b"44\xff").unwrap();
        let why = read_text(&path, 100).unwrap_err().to_string();
        assert!(why.ends_with("not a text file: byte 3 is not UTF-8"), "{why}");
        std::fs::remove_file(&path).unwrap();
        assert!(read_text(&path, 100).unwrap_err().is_not_found());
    }
}
