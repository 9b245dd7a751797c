//! Bytes packed without loss: what takes most of a network's file.
//!
//! rANS (range asymmetric numeral systems, Duda 2013) with fixed frequencies, since a network is
//! unpacked whenever a program first asks for it: a table look-up per byte. The weights of rare
//! inputs are smaller than those of common ones, so the bytes are cut into blocks, the row of an
//! input each, and blocks of similar size share a table of frequencies.
//!
//! ```text
//! bytes   what
//! 1       tables, T
//! ...     for each table: the frequencies of the 256 bytes, which add up to 4096; 7 bits in a byte,
//!         the lowest first, the top bit set if more follow
//! n       the table of each block
//! ...     the bytes in rANS, the state (32 bits, the high byte first) before the rest
//! ```

/// Frequencies add up to two to this power.
const BITS: u32 = 12;
const TOTAL: u32 = 1 << BITS;

/// The state of the coder is at least this, and below 256 times as much.
const LOWEST: u32 = 1 << 23;

/// How often each byte occurs, scaled to [`TOTAL`]; what occurs at all is at least 1.
type Frequencies = [u16; 256];

/// The first slot of each byte.
fn starts(frequencies: &Frequencies) -> [u16; 256] {
    let mut next = 0;
    frequencies.map(|frequency| {
        let start = next;
        next += frequency;
        start
    })
}

fn scaled(counts: &[u64; 256]) -> Frequencies {
    let all: u64 = counts.iter().sum::<u64>().max(1);
    let mut found = counts.map(|count| match count {
        0 => 0,
        count => (count * u64::from(TOTAL) / all).max(1) as u16,
    });
    // Rounding is made up for by the most frequent bytes, which hardly notice.
    loop {
        let sum: u32 = found.iter().map(|&frequency| u32::from(frequency)).sum();
        let Some(most) = found.iter_mut().max() else { return found };
        if sum <= TOTAL {
            *most += (TOTAL - sum) as u16;
            return found;
        }
        *most -= 1;
    }
}

/// Which table a block wants: its mean size, in steps of half a power of two.
fn size_class(block: &[u8]) -> u32 {
    let sizes = block.iter().map(|byte| u64::from(byte.cast_signed().unsigned_abs()));
    let sum = sizes.sum::<u64>() * 64 / block.len().max(1) as u64;
    match sum {
        0 => 0,
        sum => {
            let power = sum.ilog2();
            1 + 2 * power + (sum << 1 >> power & 1) as u32
        }
    }
}

/// Packs bytes, cut into blocks of a length that is not zero.
pub(super) fn pack(bytes: &[u8], block: usize) -> Vec<u8> {
    let classes: Vec<u32> = bytes.chunks(block).map(size_class).collect();
    let mut known = classes.clone();
    known.sort_unstable();
    known.dedup();
    let table_of = |class: &u32| known.partition_point(|other| other < class);
    let tables: Vec<usize> = classes.iter().map(table_of).collect();
    let mut counts = vec![[0u64; 256]; known.len()];
    for (block, &table) in bytes.chunks(block).zip(&tables) {
        block.iter().for_each(|&byte| counts[table][usize::from(byte)] += 1);
    }
    let frequencies: Vec<Frequencies> = counts.iter().map(scaled).collect();
    let mut packed = vec![known.len() as u8];
    for &frequency in frequencies.iter().flatten() {
        if frequency >= 128 {
            packed.push(frequency as u8 | 128);
            packed.push((frequency >> 7) as u8);
        } else {
            packed.push(frequency as u8);
        }
    }
    packed.extend(tables.iter().map(|&table| table as u8));

    // The last byte is coded first, and everything written backwards.
    let starts: Vec<[u16; 256]> = frequencies.iter().map(starts).collect();
    let mut backwards = Vec::new();
    let mut state = LOWEST;
    for (block, &table) in bytes.chunks(block).zip(&tables).rev() {
        for byte in block.iter().rev().map(|&byte| usize::from(byte)) {
            let frequency = u32::from(frequencies[table][byte]);
            while state >= ((LOWEST >> BITS) << 8) * frequency {
                backwards.push(state as u8);
                state >>= 8;
            }
            let start = u32::from(starts[table][byte]);
            state = ((state / frequency) << BITS) + state % frequency + start;
        }
    }
    packed.extend(state.to_be_bytes());
    packed.extend(backwards.iter().rev());
    packed
}

/// A table for the way back: by slot, its byte, how frequent that is, and how far into it the slot
/// is.
struct Slots(Vec<(u8, u16, u16)>);

impl Slots {
    /// Reads the frequencies; none if they do not add up.
    fn read(bytes: &mut impl Iterator<Item = u8>) -> Option<Self> {
        let mut slots = Vec::with_capacity(TOTAL as usize);
        for symbol in 0..=255 {
            let low = u16::from(bytes.next()?);
            let frequency = if low < 128 { low } else { low & 127 | u16::from(bytes.next()?) << 7 };
            if slots.len() + usize::from(frequency) > TOTAL as usize {
                return None;
            }
            slots.extend((0..frequency).map(|into| (symbol, frequency, into)));
        }
        (slots.len() == TOTAL as usize).then_some(Self(slots))
    }
}

/// Unpacks so many bytes, cut into blocks of a length that is not zero; none if these are not all
/// the bytes of packed ones.
pub(super) fn unpack(packed: &[u8], length: usize, block: usize) -> Option<Vec<u8>> {
    let mut rest = packed.iter().copied();
    let count = rest.next()?;
    let tables: Vec<Slots> = (0..count).map(|_| Slots::read(&mut rest)).collect::<Option<_>>()?;
    let mut blocks = Vec::with_capacity(length.div_ceil(block));
    for _ in 0..length.div_ceil(block) {
        blocks.push(tables.get(usize::from(rest.next()?))?);
    }
    let mut state =
        (0..4).try_fold(0, |state: u32, _| Some(state << 8 | u32::from(rest.next()?)))?;
    let mut found = Vec::with_capacity(length);
    for table in blocks {
        for _ in 0..block.min(length - found.len()) {
            let (byte, frequency, into) = table.0[(state % TOTAL) as usize];
            found.push(byte);
            state = u32::from(frequency) * (state >> BITS) + u32::from(into);
            while state < LOWEST {
                state = state << 8 | u32::from(rest.next()?);
            }
        }
    }
    (state == LOWEST && rest.next().is_none()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn bytes_of_any_kind_come_back() {
        let mut random = Random::new(7);
        // The widest range that bytes are drawn from; one in so many is not zero.
        for (range, one_in) in [(256, 1), (3, 2), (60, 9), (256, 100), (1, 1)] {
            for (length, block) in [(0, 16), (1, 16), (5000, 16), (5003, 224), (200_000, 384)] {
                let bytes: Vec<u8> = (0..length)
                    .map(|_| match random.below(one_in) {
                        0 => (random.below(range) as i32 - range as i32 / 2) as u8,
                        _ => 0,
                    })
                    .collect();
                let packed = pack(&bytes, block);
                assert_eq!(unpack(&packed, length, block).as_ref(), Some(&bytes));
                assert_eq!(unpack(&packed[..packed.len() - 1], length, block), None);
                assert_eq!(unpack(&[&packed[..], &[0]].concat(), length, block), None);
                assert_eq!(unpack(&[], length, block), None);
            }
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        assert!(pack(&vec![0; 100_000], 100).len() < 1400);
        let mut random = Random::new(8);
        let bytes: Vec<u8> = (0..100_000).map(|_| random.below(4) as u8).collect();
        assert!(pack(&bytes, 1000).len() < 25_000 + 800);
    }

    #[test]
    fn damaged_bytes_are_no_panic() {
        let mut random = Random::new(9);
        let weights: Vec<u8> = (0..5000).map(|_| random.below(9) as u8).collect();
        let packed = pack(&weights, 50);
        for _ in 0..2000 {
            let mut damaged = packed.clone();
            let at = random.below(damaged.len());
            damaged[at] = random.below(256) as u8;
            unpack(&damaged, 5000, 50);
            damaged.truncate(random.below(damaged.len()));
            unpack(&damaged, 5000, 50);
        }
    }
}
