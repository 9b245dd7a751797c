//! The bytes of a network: what a weights file holds.
//!
//! ```text
//! bytes   what
//! 8       FFNET, version 4, then two zero bytes
//! 1 + n   the game, such as 7x6c4, after its length
//! 2       units of the hidden layer, H (the low byte first, as in all numbers)
//! 2 + n   what it was trained on, in words, after the length
//! ...     the numbers below, packed in blocks of H bytes (`pack`)
//! 8       checksum of everything before (FNV-1a)
//!
//! H I     the weights of the hidden layer, by input (8-bit numbers)
//! n       the low bytes of all 16-bit numbers: the bias of the hidden layer; by bucket, 16 H weights
//!         of the second layer, 512 of the third, 32 of the output; 0, -1, 1, -2 as 0, 1, 2, 3
//! n       their high bytes
//! 4 n     by bucket: 16 biases of the second layer, 32 of the third, the output's (32-bit numbers)
//! ```
//!
//! Version 3 has the same numbers in another order and not packed. It is read, but not written.

use super::pack::{pack, unpack};
use super::{BUCKETS, Net, SECOND, THIRD, inputs::NetInputs};
use crate::bytes::Reader;
use crate::game::Rules;

/// Why bytes are not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// They do not begin like a network.
    #[error("this is not a network of Fourfold")]
    NotANet,
    /// They are of another version.
    #[error("this network has version {version}; versions {PLAIN} and {VERSION} are read")]
    Version {
        /// As found.
        version: u8,
    },
    /// Something was changed or is missing.
    #[error("the network is damaged: its checksum is wrong")]
    Damaged,
    /// The game is none, or cannot have a network.
    #[error("no network can be of the game {game:?}")]
    Game {
        /// As found.
        game: String,
    },
    /// There is more or less than the sizes say.
    #[error("the network has {found} bytes, not {wanted}")]
    Length {
        /// As found.
        found: usize,
        /// What its sizes need.
        wanted: usize,
    },
}

const MAGIC: &[u8; 5] = b"FFNET";
const VERSION: u8 = 4;

/// The version before numbers were packed.
const PLAIN: u8 = 3;

/// The widest hidden layer.
pub const MOST_UNITS: usize = 512;

/// A network as whole numbers, before it is laid out for use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetWeights {
    /// The game.
    pub rules: Rules,
    /// Units of the hidden layer, a multiple of 16.
    pub units: usize,
    /// What it was trained on, in words.
    pub trained_on: String,
    /// The bias of the hidden layer.
    pub bias: Vec<i16>,
    /// By input, then by unit.
    pub rows: Vec<i8>,
    /// One head per bucket.
    pub heads: Vec<Head>,
}

/// The layers after the hidden one, for a phase of the game and a side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// By unit of the second layer, then by unit of the first.
    pub second: Vec<i16>,
    /// By unit of the second layer.
    pub second_bias: Vec<i32>,
    /// By unit of the third layer, then by unit of the second.
    pub third: Vec<i16>,
    /// By unit of the third layer.
    pub third_bias: Vec<i32>,
    /// By unit of the third layer.
    pub output: Vec<i16>,
    /// The bias of the value.
    pub output_bias: i32,
}

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The numbers of a network by their kind, each in the order of the file.
#[derive(Debug, Default)]
struct Numbers {
    rows: Vec<i8>,
    /// The bias of the hidden layer; by head: the second layer, the third, the output.
    words: Vec<i16>,
    /// By head: the biases of the second layer, of the third, of the output.
    longs: Vec<i32>,
}

/// Weights of 16 bits in a head.
const fn head_words(units: usize) -> usize {
    SECOND * units + SECOND * THIRD + THIRD
}

/// Biases of a head.
const HEAD_LONGS: usize = SECOND + THIRD + 1;

/// Small numbers of either sign as small numbers.
fn zigzag(word: i16) -> u16 {
    (word << 1 ^ word >> 15).cast_unsigned()
}

fn of_zigzag(word: u16) -> i16 {
    (word >> 1).cast_signed() ^ -(word & 1).cast_signed()
}

impl Numbers {
    /// As bytes that are alike: weights, the low bytes of words, their high bytes, longs.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.rows.iter().map(|weight| weight.cast_unsigned()).collect();
        bytes.extend(self.words.iter().map(|&word| zigzag(word) as u8));
        bytes.extend(self.words.iter().map(|&word| (zigzag(word) >> 8) as u8));
        bytes.extend(self.longs.iter().flat_map(|long| long.to_le_bytes()));
        bytes
    }

    /// Unpacks the numbers of a network of this size; none if they are damaged.
    fn unpacked(packed: &[u8], units: usize, inputs: usize) -> Option<Self> {
        let words = units + BUCKETS * head_words(units);
        let longs = BUCKETS * HEAD_LONGS;
        let bytes = unpack(packed, units * inputs + 2 * words + 4 * longs, units)?;
        let mut reader = Reader::new(&bytes);
        let rows = reader.slice(units * inputs)?.iter().map(|byte| byte.cast_signed()).collect();
        let (low, high) = (reader.slice(words)?, reader.slice(words)?);
        let word = |(&low, &high)| of_zigzag(u16::from_le_bytes([low, high]));
        Some(Self {
            rows,
            words: low.iter().zip(high).map(word).collect(),
            longs: reader.longs(longs)?,
        })
    }

    /// Reads the numbers of version 3, which did not pack them; none if there are too few.
    fn plain(reader: &mut Reader<'_>, units: usize, inputs: usize) -> Option<Self> {
        let mut numbers = Self { words: reader.words(units)?, ..Self::default() };
        let rows = reader.slice(units * inputs)?;
        numbers.rows = rows.iter().map(|byte| byte.cast_signed()).collect();
        for _ in 0..BUCKETS {
            numbers.words.extend(reader.words(SECOND * units)?);
            numbers.longs.extend(reader.longs(SECOND)?);
            numbers.words.extend(reader.words(SECOND * THIRD)?);
            numbers.longs.extend(reader.longs(THIRD)?);
            numbers.words.extend(reader.words(THIRD)?);
            numbers.longs.extend(reader.longs(1)?);
        }
        Some(numbers)
    }

    /// The bias of the hidden layer, its weights and the heads; none if there are too few numbers.
    fn into_layers(self, units: usize) -> Option<(Vec<i16>, Vec<i8>, Vec<Head>)> {
        let (bias, words) = self.words.split_at_checked(units)?;
        let heads = words.chunks_exact(head_words(units)).zip(self.longs.chunks_exact(HEAD_LONGS));
        let heads = heads.map(|(words, longs)| {
            let (second, words) = words.split_at(SECOND * units);
            let (third, output) = words.split_at(SECOND * THIRD);
            let (second_bias, longs) = longs.split_at(SECOND);
            let (third_bias, output_bias) = longs.split_at(THIRD);
            Head {
                second: second.to_vec(),
                second_bias: second_bias.to_vec(),
                third: third.to_vec(),
                third_bias: third_bias.to_vec(),
                output: output.to_vec(),
                output_bias: output_bias[0],
            }
        });
        Some((bias.to_vec(), self.rows, heads.collect()))
    }
}

impl NetWeights {
    /// The bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, 0, 0]);
        let game = self.rules.to_string();
        bytes.push(game.len() as u8);
        bytes.extend(game.as_bytes());
        bytes.extend((self.units as u16).to_le_bytes());
        let told = self.trained_on.as_bytes();
        bytes.extend((told.len() as u16).to_le_bytes());
        bytes.extend(told);
        let mut numbers =
            Numbers { rows: self.rows.clone(), words: self.bias.clone(), ..Numbers::default() };
        for head in &self.heads {
            numbers.words.extend([&head.second[..], &head.third, &head.output].concat());
            let output_bias = [head.output_bias];
            numbers.longs.extend([&head.second_bias[..], &head.third_bias, &output_bias].concat());
        }
        bytes.extend(pack(&numbers.to_bytes(), self.units.max(1)));
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are damaged, of another version, or no network.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetError::NotANet);
        }
        let version = *bytes.get(MAGIC.len()).ok_or(NetError::Damaged)?;
        if ![PLAIN, VERSION].contains(&version) {
            return Err(NetError::Version { version });
        }
        let body = bytes.len().checked_sub(8).ok_or(NetError::Damaged)?;
        let (body, sum) = bytes.split_at(body);
        if checksum(body).to_le_bytes() != *sum {
            return Err(NetError::Damaged);
        }
        let mut reader = Reader::new(&body[(MAGIC.len() + 3).min(body.len())..]);
        let length = usize::from(reader.take::<1>().ok_or(NetError::Damaged)?[0]);
        let game = reader.text(length).ok_or(NetError::Damaged)?;
        let rules: Rules = game.parse().map_err(|_| NetError::Game { game: game.clone() })?;
        let inputs = NetInputs::new(&rules).ok_or(NetError::Game { game })?.count();
        let units = usize::from(u16::from_le_bytes(reader.take().ok_or(NetError::Damaged)?));
        if units == 0 || !units.is_multiple_of(16) || units > MOST_UNITS {
            return Err(NetError::Damaged);
        }
        let length = usize::from(u16::from_le_bytes(reader.take().ok_or(NetError::Damaged)?));
        let trained_on = reader.text(length).ok_or(NetError::Damaged)?;
        let numbers = if version == PLAIN {
            let found = body.len() - reader.rest().len();
            let numbers = 2 * (units + BUCKETS * head_words(units)) + 4 * BUCKETS * HEAD_LONGS;
            let wanted = found + units * inputs + numbers;
            if body.len() != wanted {
                return Err(NetError::Length { found: body.len() + 8, wanted: wanted + 8 });
            }
            Numbers::plain(&mut reader, units, inputs)
        } else {
            Numbers::unpacked(reader.rest(), units, inputs)
        };
        let layers = numbers.and_then(|numbers| numbers.into_layers(units));
        let (bias, rows, heads) = layers.ok_or(NetError::Damaged)?;
        Ok(Self { rules, units, trained_on, bias, rows, heads })
    }

    /// The network, laid out for use.
    ///
    /// # Errors
    /// If the sizes do not fit each other or the game.
    pub fn net(&self) -> Result<Net, NetError> {
        Net::new(self)
    }
}
