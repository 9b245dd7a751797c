//! What games and seats are known by: the public name of a game, the secret token of a seat, and
//! the digest of a token, which is all that is kept of it. All are random bits of the operating
//! system, written in 32 letters and digits that are hard to confuse.

use super::Millis;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// Digits of a name, of five bits each: no i, l, o or u.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Digits of the name of a game, and of a token.
const ID_DIGITS: u32 = 12;
const TOKEN_DIGITS: u32 = 26;

/// The public name of a game: 60 random bits, for the address of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id(u64);

/// The secret of a seat, or the invitation to one: 128 random bits. It is shown once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token(u128);

/// What is kept of a token: half of its SHA-256. Nobody finds a token for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest(u128);

/// A text that is no name or token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// Random bits of the operating system; an error where it has none.
fn random_bits() -> Result<u128, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(u128::from_le_bytes(bytes))
}

/// True or false, as a coin falls.
pub(super) fn coin() -> Result<bool, getrandom::Error> {
    random_bits().map(|bits| bits & 1 == 1)
}

/// The time now.
pub(super) fn wall_clock() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn write(mut bits: u128, digits: u32) -> String {
    let mut text = vec![0; digits as usize];
    for place in text.iter_mut().rev() {
        *place = DIGITS[(bits % 32) as usize];
        bits /= 32;
    }
    text.into_iter().map(char::from).collect()
}

fn read(text: &str, digits: u32, most: u128) -> Result<u128, Unreadable> {
    if text.len() != digits as usize {
        return Err(Unreadable);
    }
    let digit = |byte| DIGITS.iter().position(|&digit| digit == byte).ok_or(Unreadable);
    let bits = text.bytes().try_fold(0u128, |bits, byte| {
        let shifted = bits.checked_mul(32).ok_or(Unreadable)?;
        Ok(shifted | digit(byte)? as u128)
    })?;
    if bits <= most { Ok(bits) } else { Err(Unreadable) }
}

impl Id {
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        random_bits().map(|bits| Self((bits as u64) >> 4))
    }

    /// As the key of a table.
    pub(super) fn number(self) -> u64 {
        self.0
    }

    /// The name with this key; none if no name has it.
    pub(super) fn from_number(number: u64) -> Option<Self> {
        (number >> 60 == 0).then_some(Self(number))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(u128::from(self.0), ID_DIGITS))
    }
}

impl FromStr for Id {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        read(text, ID_DIGITS, u128::from(u64::MAX >> 4)).map(|bits| Self(bits as u64))
    }
}

impl Token {
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        random_bits().map(Self)
    }

    pub(super) fn digest(self) -> Digest {
        let hash = Sha256::digest(self.0.to_le_bytes());
        let half = hash.iter().take(16).fold(0, |bits, &byte| bits << 8 | u128::from(byte));
        Digest(half)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(self.0, TOKEN_DIGITS))
    }
}

/// Never the token itself: it must not get into a message by accident.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl FromStr for Token {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        // Twenty-six digits have room for two bits more.
        let Some(first) = text.chars().next().and_then(|digit| digit.to_digit(8)) else {
            return Err(Unreadable);
        };
        let rest = read(text.get(1..).unwrap_or(""), TOKEN_DIGITS - 1, u128::MAX >> 3)?;
        Ok(Self(u128::from(first) << 125 | rest))
    }
}

/// Names and digests are stored and shown as text.
macro_rules! as_text {
    ($kind:ty, $expected:literal) => {
        impl Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = String::deserialize(from)?;
                text.parse().map_err(|Unreadable| serde::de::Error::custom($expected))
            }
        }
    };
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Token(self.0).fmt(f)
    }
}

impl FromStr for Digest {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        text.parse().map(|Token(bits)| Self(bits))
    }
}

as_text!(Id, "a name of a game is expected");
as_text!(Digest, "a digest is expected");

#[cfg(test)]
mod tests {
    use super::{Id, Token};

    #[test]
    fn names_and_tokens_are_read_as_they_are_written() {
        for _ in 0..100 {
            let id = Id::random().expect("random bits");
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.to_string().len(), 12);
            assert_eq!(Id::from_number(id.number()), Some(id));
            let token = Token::random().expect("random bits");
            assert_eq!(token.to_string().parse(), Ok(token));
            let digest = token.digest();
            assert_eq!(digest.to_string().parse(), Ok(digest));
            assert!(!format!("{token:?}").contains(&token.to_string()));
        }
        for bits in [0, 1, u128::MAX, 7 << 125] {
            assert_eq!(Token(bits).to_string().parse(), Ok(Token(bits)));
        }
        assert_eq!(Id::from_number(u64::MAX), None);
    }

    #[test]
    fn nonsense_is_neither() {
        let long = "0".repeat(10_000);
        for text in ["", "0", "l0l0l0l0l0l0", "\u{e9}00000000000", "00000000000O", &long] {
            assert!(text.parse::<Id>().is_err() && text.parse::<Token>().is_err(), "{text}");
        }
        assert!("80000000000000000000000000".parse::<Token>().is_err(), "129 bits");
        assert!("7zzzzzzzzzzzzzzzzzzzzzzzzz".parse::<Token>().is_ok());
    }
}
