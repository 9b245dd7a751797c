//! Which move to try first: those that make threats, then those on cells that most shapes still open go through.
//!
//! The weights were tuned by hand on the number of nodes of boards with lines of five. Under gravity the row counts most:
//! whoever defends does it best by following up, so high cells come first, and cells that suit the side that plays them.

use super::Ground;
use crate::game::Word;

/// What each genuine threat on the board after the move is worth.
const THREAT: i32 = 64;
/// By number of empty cells: a shape through the cell that is open to the side that moves.
const OWN: [i32; 8] = [0, 0, 20, 12, 8, 4, 1, 0];
/// The same for a shape that is open to the other side.
const OPPONENT: [i32; 8] = [0, 0, 18, 11, 7, 4, 1, 0];

// Under gravity also:
/// Each reply that does not lose at once.
const REPLY: i32 = -8;
/// Each row up.
const ROW: i32 = 8;
/// A cell of the rows that the side to move gets if both follow up.
const USEFUL: i32 = 16;

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Ground<W, GRAVITY, IMAGES> {
    /// How early to try a move (higher is earlier), given the genuine threats after it and how many replies do not lose.
    #[inline]
    pub(super) fn rank(&self, own: W, opponent: W, mv: W, threats: W, replies: i32) -> i32 {
        let (bit, all) = (mv.trailing_zeros(), own | opponent);
        let mut rank = THREAT * threats.count_ones() as i32;
        if GRAVITY {
            let left = self.count - all.count_ones() as i32;
            let useful = if left % 2 == 0 { self.lower } else { self.upper };
            rank += REPLY * replies
                + ROW * self.row_of(bit) as i32
                + USEFUL * i32::from(!(mv & useful).is_zero());
        }
        for &window in &self.windows_through[bit as usize] {
            let missing = ((window & !all).count_ones() as usize).min(7);
            if (window & opponent).is_zero() {
                rank += OWN[missing];
            }
            if (window & own).is_zero() {
                rank += OPPONENT[missing];
            }
        }
        rank
    }
}
