//! The books of P. Pons' solver: a hash table of positions with few discs.
//!
//! A header of six bytes gives width, height, plies, bytes per key, bytes per value and the binary
//! logarithm of the size, which is the smallest prime above that power of two; then come all keys,
//! then all values. A
//! position's key has base 3: column by column from the left, each from the bottom, 1 for a disc of
//! the side to move, 2 for one of the opponent's, 0 at the top of each column but the last; of a
//! position and its mirror image the smaller counts. The remainder of the key by the size is the
//! slot, and the key's lowest bytes are stored there: together they identify a key if there are few
//! enough, by the Chinese remainder theorem. A value is the score minus the lowest possible score,
//! plus one; zero marks an empty slot.

use super::file::BookError;
use crate::game::{Cell, Placement, Position, Rules, Shape};

const HEADER: usize = 6;

#[derive(Debug, Clone)]
pub(super) struct Pons {
    rules: Rules,
    plies: u32,
    key_bytes: usize,
    size: usize,
    content: Vec<u8>,
}

impl Pons {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, BookError> {
        let Some((&[width, height, plies, key_bytes, value_bytes, log_size], content)) =
            bytes.split_first_chunk()
        else {
            return Err(BookError::NotABook);
        };
        let rules =
            Rules::new(u32::from(width), u32::from(height), Shape::Line(4), Placement::Gravity)
                .map_err(|_| BookError::NotABook)?;
        let sound = u32::from(plies) <= rules.cells()
            && matches!(key_bytes, 1 | 2 | 4 | 8)
            && value_bytes == 1
            && (1..=32).contains(&log_size);
        if !sound {
            return Err(BookError::NotABook);
        }
        let key_bytes = usize::from(key_bytes);
        let size = next_prime(1u64 << log_size);
        let expected = (HEADER as u64) + size * (key_bytes as u64 + 1);
        let (plies, found) = (u32::from(plies), bytes.len() as u64);
        if found != expected {
            return Err(BookError::Length { game: rules, plies, expected, found });
        }
        // Keys have at most this many digits.
        let keys = 3u128.checked_pow(plies + rules.width() - 1).filter(|&keys| keys <= 1 << 64);
        let told_apart = u128::from(size) << (8 * key_bytes);
        if keys.is_none_or(|keys| keys > told_apart) {
            let problem = format!(
                "its keys of {key_bytes} bytes do not tell all positions of {plies} plies \
                 apart, so its scores might be wrong"
            );
            return Err(BookError::Head { problem });
        }
        Ok(Self { rules, plies, key_bytes, size: size as usize, content: content.to_vec() })
    }

    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    pub(super) fn plies(&self) -> u32 {
        self.plies
    }

    pub(super) fn score(&self, position: &Position) -> Option<i32> {
        if position.ply() > self.plies {
            return None;
        }
        let key = key(position)?;
        let place = (key % self.size as u64) as usize;
        let stored = &self.content[place * self.key_bytes..][..self.key_bytes];
        if *stored != key.to_le_bytes()[..self.key_bytes] {
            return None;
        }
        match self.content[self.size * self.key_bytes + place] {
            0 => None,
            value => {
                let least = 3 - (self.rules.cells() as i32) / 2;
                Some(i32::from(value) + least - 1)
            }
        }
    }
}

/// The key that such a book knows a position by.
fn key(position: &Position) -> Option<u64> {
    let rules = position.rules();
    let to_move = position.to_move();
    let digits = |columns: &mut dyn Iterator<Item = u32>| {
        let mut key = 0u64;
        for (number, column) in columns.enumerate() {
            if number > 0 {
                key = key.checked_mul(3)?;
            }
            for row in 0..rules.height() {
                let Some(side) = position.at(Cell { column: column as u8, row: row as u8 }) else {
                    break;
                };
                let digit = if side == to_move { 1 } else { 2 };
                key = key.checked_mul(3)?.checked_add(digit)?;
            }
        }
        Some(key)
    };
    let columns = 0..rules.width();
    Some(digits(&mut columns.clone())?.min(digits(&mut columns.rev())?))
}

fn next_prime(from: u64) -> u64 {
    let prime = |n: u64| (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    (from..).find(|&n| prime(n)).unwrap_or(from)
}
