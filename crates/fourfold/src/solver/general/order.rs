//! Which move to try first: those that make threats, then those on cells that most shapes still open go through.

use super::Ground;
use crate::game::Word;

/// What each genuine threat on the board after the move is worth.
const THREAT: i32 = 64;
/// Each reply that does not lose at once.
const REPLY: i32 = -8;
/// By number of empty cells: a shape through the cell that is open to the side that moves.
const OWN: [i32; 8] = [0, 0, 16, 8, 4, 2, 1, 0];
/// The same for a shape that is open to the other side.
const OPPONENT: [i32; 8] = [0, 0, 14, 7, 3, 2, 1, 0];

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Ground<W, GRAVITY, IMAGES> {
    /// How early to try a move (higher is earlier), given the genuine threats after it and how many replies do not lose.
    #[inline]
    pub(super) fn rank(&self, own: W, opponent: W, mv: W, threats: W, replies: i32) -> i32 {
        let mut rank = THREAT * threats.count_ones() as i32 + if GRAVITY { REPLY * replies } else { 0 };
        let empties = !(own | opponent);
        for &window in &self.windows_through[mv.trailing_zeros() as usize] {
            let missing = ((window & empties).count_ones() as usize).min(7);
            let (mine, theirs) = ((window & own).is_zero(), (window & opponent).is_zero());
            if theirs {
                rank += OWN[missing];
            }
            if mine {
                rank += OPPONENT[missing];
            }
        }
        rank
    }
}
