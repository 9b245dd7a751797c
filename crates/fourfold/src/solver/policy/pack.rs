//! Weights packed without loss. Most are small numbers around zero, and four in five patterns of
//! neighbours never occur: a weight takes two and a half bits.
//!
//! An adaptive binary range coder, with carries as in LZMA (I. Pavlov). A weight is a series of
//! answers: is it larger than 0, larger than 1, and so on, then its sign. Every question has a
//! model, which learns how likely a yes is from the answers before. One walk over the weights
//! serves both ways: an encoder is told the answers, a decoder finds them.

use super::weights::{NEIGHBOUR_WEIGHTS, symmetric_neighbour};

/// Some weights of a network that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// So many weights of rows: small numbers around zero.
    Rows(usize),
    /// So many bytes of two-byte numbers.
    Words(usize),
    /// The neighbours, which are similar in all networks.
    Neighbours,
}

/// Sizes up to this are told step by step, larger ones by seven bits.
const STEPS: u8 = 15;

/// How likely a yes is, in 65536ths, after so many answers.
#[derive(Debug, Clone, Copy)]
struct Model {
    yes: u16,
    answers: u16,
}

impl Model {
    const NEW: Self = Self { yes: 1 << 15, answers: 0 };

    /// Takes the mean of the first answers, then gives the latest ones more weight.
    fn learn(&mut self, answer: bool) {
        let shift = (self.answers + 2).ilog2().min(6);
        self.answers = (self.answers + 1).min(64);
        if answer {
            self.yes += (u16::MAX - self.yes) >> shift;
        } else {
            self.yes -= self.yes >> shift;
        }
    }

    /// Where a range is divided: the lower part means yes.
    fn split(self, range: u32) -> u32 {
        (range >> 16) * u32::from(self.yes)
    }
}

/// Below this a range is widened by a byte.
const NARROW: u32 = 1 << 24;

/// Writes answers or reads them.
trait Coder {
    /// Codes an answer. An encoder is given it, a decoder returns it.
    fn code(&mut self, answer: bool, model: &mut Model) -> bool;
}

struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// The last byte, which a carry may still raise, and how many bytes of 255 follow it. The first
    /// is none of ours.
    last: u8,
    pending: usize,
}

impl Encoder {
    fn new() -> Self {
        Self { bytes: Vec::new(), low: 0, range: u32::MAX, last: 0, pending: 0 }
    }

    fn shift_out(&mut self) {
        let carry = (self.low >> 32) as u8;
        if carry == 1 || self.low < 0xff00_0000 {
            self.bytes.push(self.last.wrapping_add(carry));
            let filled = self.bytes.len() + self.pending;
            self.bytes.resize(filled, 0xffu8.wrapping_add(carry));
            (self.last, self.pending) = ((self.low >> 24) as u8, 0);
        } else {
            self.pending += 1;
        }
        self.low = u64::from(self.low as u32) << 8 & 0xffff_ffff;
    }

    fn end(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift_out();
        }
        // The first byte is always zero.
        self.bytes.split_off(1)
    }
}

impl Coder for Encoder {
    fn code(&mut self, answer: bool, model: &mut Model) -> bool {
        let split = model.split(self.range);
        if answer {
            self.range = split;
        } else {
            self.low += u64::from(split);
            self.range -= split;
        }
        while self.range < NARROW {
            self.range <<= 8;
            self.shift_out();
        }
        model.learn(answer);
        answer
    }
}

struct Decoder<'a> {
    rest: &'a [u8],
    /// Bytes were asked for that are not there.
    short: bool,
    code: u32,
    range: u32,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { rest: bytes, short: false, code: 0, range: u32::MAX };
        (0..4).for_each(|_| decoder.shift_in());
        decoder
    }

    fn shift_in(&mut self) {
        let byte = self.rest.split_off_first().copied();
        self.short |= byte.is_none();
        self.code = self.code << 8 | u32::from(byte.unwrap_or_default());
    }
}

impl Coder for Decoder<'_> {
    fn code(&mut self, _: bool, model: &mut Model) -> bool {
        let split = model.split(self.range);
        let answer = self.code < split;
        if answer {
            self.range = split;
        } else {
            self.code -= split;
            self.range -= split;
        }
        while self.range < NARROW {
            self.range <<= 8;
            self.shift_in();
        }
        model.learn(answer);
        answer
    }
}

/// The models of a weight.
#[derive(Debug, Clone, Copy)]
struct WeightModels {
    /// Is it larger than this?
    larger: [Model; STEPS as usize],
    negative: Model,
}

impl WeightModels {
    const NEW: Self = Self { larger: [Model::NEW; STEPS as usize], negative: Model::NEW };

    fn code(&mut self, coder: &mut impl Coder, weight: u8) -> u8 {
        let size = weight.cast_signed().unsigned_abs();
        let mut found = 0;
        while found < STEPS && coder.code(size > found, &mut self.larger[usize::from(found)]) {
            found += 1;
        }
        if found == STEPS {
            found += code_bits(coder, size.wrapping_sub(STEPS), 7);
        }
        let negative = found > 0 && coder.code(weight.cast_signed() < 0, &mut self.negative);
        if negative { found.wrapping_neg() } else { found }
    }
}

/// The lowest bits of a byte, as they are.
fn code_bits(coder: &mut impl Coder, byte: u8, bits: u32) -> u8 {
    (0..bits).rev().fold(0, |found, bit| {
        let answer = coder.code(byte >> bit & 1 == 1, &mut Model::NEW.clone());
        found << 1 | u8::from(answer)
    })
}

/// Codes all weights, which an encoder is told. Returns them.
fn walk(coder: &mut impl Coder, sections: &[Section], weights: Option<&[u8]>) -> Vec<u8> {
    let mut found: Vec<u8> = Vec::new();
    let told = |at: usize| weights.map_or(0, |weights| weights[at]);
    // Where the neighbours of the network before begin.
    let mut before = None;
    for section in sections {
        let first = found.len();
        match *section {
            Section::Rows(count) => {
                let mut models = WeightModels::NEW;
                for at in first..first + count {
                    found.push(models.code(coder, told(at)));
                }
            }
            Section::Words(count) => {
                for at in first..first + count {
                    found.push(code_bits(coder, told(at), 8));
                }
            }
            Section::Neighbours => {
                code_neighbours(coder, &mut found, before, &told);
                before = Some(first);
            }
        }
    }
    found
}

/// The neighbours of a network. Where those of the network before are zero, these mostly are too,
/// and of two patterns that mirror each other both have the same weight.
fn code_neighbours(
    coder: &mut impl Coder,
    found: &mut Vec<u8>,
    before: Option<usize>,
    told: &impl Fn(usize) -> u8,
) {
    let first = found.len();
    let size = |byte: u8, most: u8| usize::from(byte.cast_signed().unsigned_abs().min(most));
    let mut models = [[WeightModels::NEW; 3]; 5];
    let mut symmetric = Model::NEW;
    for number in 0..NEIGHBOUR_WEIGHTS {
        let weight = told(first + number);
        let image = symmetric_neighbour(number);
        if image != number {
            let same = found[first + image];
            if coder.code(weight == same, &mut symmetric) {
                found.push(same);
                continue;
            }
        }
        let before = before.map_or(0, |before| size(found[before + number], 4));
        let last = if number == 0 { 0 } else { size(found[first + number - 1], 2) };
        found.push(models[before][last].code(coder, weight));
    }
}

/// Packs weights, which are as long as the sections say.
pub(super) fn pack(weights: &[u8], sections: &[Section]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    walk(&mut encoder, sections, Some(weights));
    encoder.end()
}

/// Unpacks weights; none if these are not all the bytes of packed ones.
pub(super) fn unpack(bytes: &[u8], sections: &[Section]) -> Option<Vec<u8>> {
    let mut decoder = Decoder::new(bytes);
    let found = walk(&mut decoder, sections, None);
    (!decoder.short && decoder.rest.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const SECTIONS: [Section; 7] = [
        Section::Rows(300),
        Section::Rows(1),
        Section::Words(64),
        Section::Neighbours,
        Section::Rows(5000),
        Section::Words(2),
        Section::Neighbours,
    ];

    fn length() -> usize {
        let length = |section: &Section| match *section {
            Section::Rows(count) | Section::Words(count) => count,
            Section::Neighbours => NEIGHBOUR_WEIGHTS,
        };
        SECTIONS.iter().map(length).sum()
    }

    #[test]
    fn weights_of_any_kind_come_back() {
        let mut random = Random::new(7);
        // The widest range that weights are drawn from; one in so many is not zero.
        for (range, one_in) in [(256, 1), (3, 2), (60, 9), (256, 100), (1, 1)] {
            let draw = |random: &mut Random| match random.below(one_in) {
                0 => (random.below(range) as i32 - range as i32 / 2) as u8,
                _ => 0,
            };
            let weights: Vec<u8> = (0..length()).map(|_| draw(&mut random)).collect();
            let packed = pack(&weights, &SECTIONS);
            assert_eq!(unpack(&packed, &SECTIONS), Some(weights), "{range} {one_in}");
            assert_eq!(unpack(&packed[..packed.len() - 1], &SECTIONS), None);
            assert_eq!(unpack(&[&packed[..], &[0]].concat(), &SECTIONS), None);
            assert_eq!(unpack(&[], &SECTIONS), None);
        }
    }

    #[test]
    fn zeros_take_next_to_nothing() {
        let packed = pack(&vec![0; length()], &SECTIONS);
        assert!(packed.len() < 200, "{}", packed.len());
    }

    #[test]
    fn damaged_bytes_are_no_panic() {
        let mut random = Random::new(8);
        for _ in 0..20 {
            let bytes: Vec<u8> = (0..random.below(3000)).map(|_| random.below(256) as u8).collect();
            unpack(&bytes, &SECTIONS);
        }
    }
}
