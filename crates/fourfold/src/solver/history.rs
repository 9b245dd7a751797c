//! What a search has found out about moves on its way.
//!
//! Positions that follow each other in a search are alike: a cell that was good to take a moment
//! ago often still is, and so is an answer to the same move. That is no proof of anything, but it
//! helps to tell which move to try first.

use crate::game::Word;

/// Experience of a cell lies between this and its negative.
const FULL: i32 = 1 << FULL_BITS;
const FULL_BITS: u32 = 10;

/// The latest move counts for so much of it, as a power of a half.
const LATEST: u32 = 2;

/// What a search has found out so far. All boards have room here.
#[derive(Debug)]
pub(super) struct Experience {
    /// By player and bit: has a move there been enough lately, or was it searched in vain?
    cells: [Cells; 2],
    /// By part ([`super::order::role`]) and the bit of the move before, if any: the bit of the
    /// move that was enough the last time.
    answers: [[u8; 129]; 4],
}

/// By bit.
pub(super) type Cells = [i16; 128];

/// Where a move is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occasion<W> {
    pub(super) role: usize,
    /// The move before; none at the root.
    pub(super) last: W,
}

/// What is known on an occasion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    cells: &'a Cells,
    answer: u8,
}

impl Default for Experience {
    fn default() -> Self {
        Self { cells: [[0; 128]; 2], answers: [[u8::MAX; 129]; 4] }
    }
}

impl Experience {
    /// A move was searched, and was enough or not.
    #[inline(always)]
    pub(super) fn learn<W: Word>(&mut self, at: Occasion<W>, mv: W, enough: bool) {
        let bit = mv.trailing_zeros() as usize % 128;
        let cell = &mut self.cells[at.role % 2][bit];
        let aim = if enough { FULL } else { -FULL };
        *cell += ((aim - i32::from(*cell)) >> LATEST) as i16;
        if enough {
            self.answers[at.role % 4][(at.last.trailing_zeros() as usize).min(128)] = bit as u8;
        }
    }

    #[inline(always)]
    pub(super) fn at<W: Word>(&self, at: Occasion<W>) -> Known<'_> {
        let answer = self.answers[at.role % 4][(at.last.trailing_zeros() as usize).min(128)];
        Known { cells: &self.cells[at.role % 2], answer }
    }
}

/// How much experience counts in a rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trust {
    /// That of a cell when it is [`FULL`].
    pub(super) cell: i32,
    /// That of an answer.
    pub(super) answer: i32,
}

impl Trust {
    pub(super) const NONE: Self = Self { cell: 0, answer: 0 };
}

impl Known<'_> {
    /// What experience adds to the rank of a move.
    #[inline(always)]
    pub(super) fn rank(&self, mv: impl Word, trust: Trust) -> i32 {
        let bit = mv.trailing_zeros();
        let cell = (i32::from(self.cells[bit as usize % 128]) * trust.cell) >> FULL_BITS;
        cell + if bit == u32::from(self.answer) { trust.answer } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_moves_count_most_and_answers_go_by_the_move_before() {
        let mut experience = Experience::default();
        let trust = Trust { cell: FULL, answer: 5000 };
        let (here, elsewhere) =
            (Occasion { role: 1, last: 1u64 << 9 }, Occasion { role: 1, last: 0 });
        let rank = |experience: &Experience, at: Occasion<u64>, bit: u32| {
            experience.at(at).rank(1u64 << bit, trust)
        };
        assert_eq!(rank(&experience, here, 3), 0);
        experience.learn(here, 1 << 3, true);
        assert_eq!(rank(&experience, here, 3), FULL / 4 + 5000);
        assert_eq!(rank(&experience, elsewhere, 3), FULL / 4);
        assert_eq!(
            rank(&experience, Occasion { role: 3, ..here }, 3),
            FULL / 4,
            "the same player in another part"
        );
        assert_eq!(rank(&experience, Occasion { role: 2, ..here }, 3), 0, "the other player");
        experience.learn(elsewhere, 1 << 3, false);
        assert!(rank(&experience, elsewhere, 3) < 0);
        assert!(rank(&experience, here, 3) > 4000, "an answer stands until another is found");
        experience.learn(here, 1 << 60, true);
        assert!(rank(&experience, here, 3) < 0);
        for enough in [true, false] {
            for _ in 0..100 {
                experience.learn(here, 1 << 3, enough);
                assert!(rank(&experience, elsewhere, 3).abs() <= FULL);
            }
        }
    }
}
