//! What the readers of all binary files share: a checksum, and a reader that never runs over the
//! end.

const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;

const TABLE: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut bit) = (byte as u64, 0);
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ POLYNOMIAL } else { rest >> 1 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// The checksum of some bytes: CRC-64 as XZ uses it. It finds every fault of up to 64 neighbouring
/// bits.
pub(crate) fn crc64(bytes: &[u8]) -> u64 {
    !bytes.iter().fold(!0, |sum: u64, &byte| sum >> 8 ^ TABLE[(sum as u8 ^ byte) as usize])
}

/// Reads bytes from the front. Everything is `None` where too few are left.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next bytes.
    pub(crate) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (found, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(found)
    }

    /// The next bytes of a number.
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.slice(N)?.try_into().ok()
    }

    /// A text of so many bytes.
    pub(crate) fn text(&mut self, length: usize) -> Option<String> {
        String::from_utf8(self.slice(length)?.to_vec()).ok()
    }

    /// 16-bit numbers, the low byte first.
    pub(crate) fn words(&mut self, count: usize) -> Option<Vec<i16>> {
        (0..count).map(|_| self.take().map(i16::from_le_bytes)).collect()
    }

    /// 32-bit numbers, the low byte first.
    pub(crate) fn longs(&mut self, count: usize) -> Option<Vec<i32>> {
        (0..count).map(|_| self.long()).collect()
    }

    /// A 32-bit number, the low byte first.
    pub(crate) fn long(&mut self) -> Option<i32> {
        self.take().map(i32::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_check_value() {
        assert_eq!(crc64(b"123456789"), 0x995D_C9BB_DF19_39FA);
    }

    #[test]
    fn a_reader_ends_where_the_bytes_do() {
        let mut reader = Reader::new(&[1, 0, 2, 0, b'a', b'b', 7]);
        assert_eq!(reader.words(2), Some(vec![1, 2]));
        assert_eq!(reader.text(2).as_deref(), Some("ab"));
        assert_eq!(reader.clone().long(), None);
        assert_eq!(reader.take::<2>(), None);
        assert_eq!(reader.rest(), &[7]);
        assert_eq!(reader.take::<1>(), Some([7]));
    }
}
