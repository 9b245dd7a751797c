//! The bytes of a network: what a weights file holds.
//!
//! ```text
//! bytes   what
//! 8       FFNET, version 3, then two zero bytes
//! 1 + n   the game, such as 7x6c4, after its length
//! 2       units of the hidden layer, H
//! 2 + n   what it was trained on, in words, after the length
//! 2 H     bias of the hidden layer (16-bit numbers, the low byte first, as all that follow)
//! H I     its weights, by input (8-bit numbers)
//! ...     for each bucket: 16 H weights and 16 biases (32 bits) of the second layer, 512 weights and
//!         32 biases of the third, 32 output weights, the output's bias
//! 8       checksum of everything before (FNV-1a)
//! ```

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
    #[error("this network has version {version}; version {} is read", VERSION)]
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
const VERSION: u8 = 3;

/// The widest hidden layer.
pub(super) const MOST_UNITS: usize = 256;

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

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
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
        let words = |bytes: &mut Vec<u8>, numbers: &[i16]| {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        let longs = |bytes: &mut Vec<u8>, numbers: &[i32]| {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        words(&mut bytes, &self.bias);
        bytes.extend(self.rows.iter().map(|weight| weight.cast_unsigned()));
        for head in &self.heads {
            words(&mut bytes, &head.second);
            longs(&mut bytes, &head.second_bias);
            words(&mut bytes, &head.third);
            longs(&mut bytes, &head.third_bias);
            words(&mut bytes, &head.output);
            longs(&mut bytes, &[head.output_bias]);
        }
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
        if let Some(&version) = bytes.get(MAGIC.len())
            && version != VERSION
        {
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
        let inputs = NetInputs::new(&rules).ok_or(NetError::Game { game })?;
        let units = usize::from(u16::from_le_bytes(reader.take().ok_or(NetError::Damaged)?));
        if units == 0 || !units.is_multiple_of(16) || units > MOST_UNITS {
            return Err(NetError::Damaged);
        }
        let length = usize::from(u16::from_le_bytes(reader.take().ok_or(NetError::Damaged)?));
        let trained_on = reader.text(length).ok_or(NetError::Damaged)?;
        let head = (2 * units + 4) * SECOND + (2 * SECOND + 4 + 2) * THIRD + 4;
        let wanted =
            body.len() - reader.rest().len() + units * (2 + inputs.count()) + BUCKETS * head;
        if body.len() != wanted {
            return Err(NetError::Length { found: body.len() + 8, wanted: wanted + 8 });
        }
        let bias = reader.words(units).ok_or(NetError::Damaged)?;
        let rows = reader.slice(units * inputs.count()).ok_or(NetError::Damaged)?;
        let rows = rows.iter().map(|weight| weight.cast_signed()).collect();
        let mut heads = Vec::with_capacity(BUCKETS);
        for _ in 0..BUCKETS {
            heads.push(Head {
                second: reader.words(units * SECOND).ok_or(NetError::Damaged)?,
                second_bias: reader.longs(SECOND).ok_or(NetError::Damaged)?,
                third: reader.words(SECOND * THIRD).ok_or(NetError::Damaged)?,
                third_bias: reader.longs(THIRD).ok_or(NetError::Damaged)?,
                output: reader.words(THIRD).ok_or(NetError::Damaged)?,
                output_bias: reader.long().ok_or(NetError::Damaged)?,
            });
        }
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
