//! Positions that are kept out of a training, because the network is tested on them.
//!
//! They are known by a hash of the position or its mirror image. So a list of hashes says what was
//! left out, and whoever repeats a training needs no copy of somebody else's test positions:
//!
//! ```text
//! # fourfold hashes 1: game 7x6c4
//! 0051f3c5f7d1b2a4
//! ```

use fourfold::game::{Position, Rules};
use std::collections::HashSet;
use std::fmt::Write;

const HEAD: &str = "# fourfold hashes 1: game ";

/// Positions to be left out, with their mirror images.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excluded {
    hashes: HashSet<u64>,
}

/// Why a text is no list of hashes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HashesError {
    /// They are of another game.
    #[error("these positions are of {found}, not of {wanted}")]
    Game {
        /// As found.
        found: String,
        /// The game at hand.
        wanted: Rules,
    },
    /// A line has no hash.
    #[error("line {line} is no hash of 16 hexadecimal digits")]
    Line {
        /// From 1.
        line: usize,
    },
}

impl Excluded {
    /// Leaves out a position and its mirror image.
    pub fn add(&mut self, position: &Position) {
        self.hashes.insert(hash(position));
    }

    /// Is the position, or its mirror image, left out?
    #[must_use]
    pub fn contains(&self, position: &Position) -> bool {
        !self.hashes.is_empty() && self.hashes.contains(&hash(position))
    }

    /// Whether a text is a list of hashes, and not of positions.
    #[must_use]
    pub fn is_list(text: &str) -> bool {
        text.starts_with(HEAD)
    }

    /// Leaves out what a list of hashes names.
    ///
    /// # Errors
    /// If the list is of another game, or is damaged.
    pub fn add_list(&mut self, text: &str, rules: &Rules) -> Result<(), HashesError> {
        for (index, line) in text.lines().enumerate() {
            if let Some(found) = line.strip_prefix(HEAD) {
                if found.trim() != rules.to_string() {
                    let found = found.trim().chars().take(40).collect();
                    return Err(HashesError::Game { found, wanted: *rules });
                }
            } else if !line.starts_with('#') && !line.trim().is_empty() {
                let hash = Some(line.trim()).filter(|digits| digits.len() == 16);
                let hash = hash.and_then(|digits| u64::from_str_radix(digits, 16).ok());
                self.hashes.insert(hash.ok_or(HashesError::Line { line: index + 1 })?);
            }
        }
        Ok(())
    }

    /// The list of hashes.
    #[must_use]
    pub fn to_list(&self, rules: &Rules) -> String {
        let mut hashes: Vec<_> = self.hashes.iter().collect();
        hashes.sort_unstable();
        let mut list = format!("{HEAD}{rules}\n");
        for hash in hashes {
            let _ = writeln!(list, "{hash:016x}");
        }
        list
    }
}

/// FNV-1a of the key of a position or of its mirror image, whichever is canonical.
pub(super) fn hash(position: &Position) -> u64 {
    struct Fnv(u64);
    impl Write for Fnv {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut fnv = Fnv(0xcbf2_9ce4_8422_2325);
    let _ = write!(fnv, "{}", position.canonical().key());
    fnv.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_leaves_out_what_it_was_made_of() {
        let rules = Rules::CONNECT_FOUR;
        let mut excluded = Excluded::default();
        let mut position = Position::new(rules);
        for column in [0, 3, 4] {
            position = position.play_unchecked(position.legal_moves()[column]);
            excluded.add(&position);
        }
        let list = excluded.to_list(&rules);
        assert!(Excluded::is_list(&list));
        let mut read = Excluded::default();
        read.add_list(&list, &rules).unwrap();
        assert_eq!(read, excluded);
        assert!(read.contains(&position.mirror()));
        assert!(!read.contains(&Position::new(rules)));
        let other: Rules = "5x4c4".parse().unwrap();
        assert!(matches!(read.add_list(&list, &other), Err(HashesError::Game { .. })));
        let damaged = list.replace('\n', "\nz");
        assert!(matches!(read.add_list(&damaged, &rules), Err(HashesError::Line { line: 2 })));
    }
}
