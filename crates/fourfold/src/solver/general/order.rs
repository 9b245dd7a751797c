//! Which move to try first: those that make threats, then those on cells that most shapes still
//! open go through.
//!
//! A null window tells who attacks: the side that is asked for a win makes its own shapes, the side
//! that is asked for a draw stops the other's. Under gravity the row counts most: whoever defends
//! does it best by following up, so high cells come first, and cells that suit the side that plays
//! them. The weights were tuned by hand on the nodes of small boards with lines of five.

use super::Ground;
use crate::game::Word;

/// What each genuine threat on the board after the move is worth.
const THREAT: i32 = 64;

/// What the shapes through a cell are worth, by the number of their empty cells.
struct Weights {
    /// Open to the side that moves.
    own: [i32; 8],
    /// Open to the other side.
    opponent: [i32; 8],
}

const ATTACK: Weights =
    Weights { own: [0, 0, 20, 12, 8, 4, 1, 0], opponent: [0, 0, 9, 5, 4, 2, 1, 0] };
const DEFENCE: Weights =
    Weights { own: [0, 0, 10, 6, 4, 2, 1, 0], opponent: [0, 0, 18, 11, 7, 4, 1, 0] };

// Under gravity also:
/// Each reply that does not lose at once.
const REPLY: i32 = -8;
/// Each row up.
const ROW: i32 = 8;
/// A cell of the rows that the side to move gets if both follow up.
const USEFUL: i32 = 16;

/// A node whose moves are to be put in order.
pub(super) struct Choice<W> {
    pub(super) own: W,
    pub(super) opponent: W,
    /// The side to move is asked for a win, not for a draw.
    pub(super) attacks: bool,
}

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Ground<W, GRAVITY, IMAGES> {
    /// How early to try a move (higher is earlier), given the genuine threats after it and how many
    /// replies do not lose.
    #[inline]
    pub(super) fn rank(&self, at: &Choice<W>, mv: W, threats: W, replies: i32) -> i32 {
        let (bit, all) = (mv.trailing_zeros(), at.own | at.opponent);
        let mut rank = THREAT * threats.count_ones() as i32;
        if GRAVITY {
            let left = self.count - all.count_ones() as i32;
            let useful = if left % 2 == 0 { self.lower } else { self.upper };
            rank += REPLY * replies
                + ROW * self.row_of(bit) as i32
                + USEFUL * i32::from(!(mv & useful).is_zero());
        }
        let weights = if at.attacks { &ATTACK } else { &DEFENCE };
        for &window in &self.windows_through[bit as usize] {
            let missing = ((window & !all).count_ones() as usize).min(7);
            if (window & at.opponent).is_zero() {
                rank += weights.own[missing];
            }
            if (window & at.own).is_zero() {
                rank += weights.opponent[missing];
            }
        }
        rank
    }
}
