//! Move ordering: first the moves that make threats, then those on cells with the most open shapes
//! through them; and the history and countermove heuristics on top.
//!
//! The null window tells the attacker, who builds his own shapes, from the defender, who stops the
//! other's. Under gravity the row counts most: a defender does best to follow up, so high cells
//! come first, and cells of useful parity. The weights were tuned by hand on the nodes of small
//! boards with lines of five.

use super::GeneralBoard;
use crate::game::Word;
use crate::solver::history::HistoryWeights;

/// The weight of each genuine threat on the board after the move.
const THREAT: i32 = 64;

/// The weight of each open shape through a cell, by the number of its empty cells.
struct ShapeWeights {
    /// Open to the side to move.
    own: [i32; 8],
    /// Open to the other side.
    opponent: [i32; 8],
}

const ATTACK: ShapeWeights =
    ShapeWeights { own: [0, 0, 20, 12, 8, 4, 1, 0], opponent: [0, 0, 9, 5, 4, 2, 1, 0] };
const DEFENCE: ShapeWeights =
    ShapeWeights { own: [0, 0, 10, 6, 4, 2, 1, 0], opponent: [0, 0, 18, 11, 7, 4, 1, 0] };

/// Under gravity: the weight of each reply that does not lose at once.
const REPLY: i32 = -8;
/// Under gravity: the weight of each row up.
const ROW: i32 = 8;
/// Under gravity: the weight of a row of useful parity, which the side to move gets if both follow
/// up.
const USEFUL_ROW: i32 = 16;

/// Under gravity: what it adds to the rank that a move lies on top of the last disc, for the
/// defender and for the attacker.
pub(super) const ON_TOP_DEFENCE: i32 = 100;
pub(super) const ON_TOP_ATTACK: i32 = 20;

/// The weights of the history heuristics. Heavier ones help lines of six and harm lines of five.
pub(super) const HISTORY_WEIGHTS: HistoryWeights = HistoryWeights { history: 16, countermove: 16 };

/// A position whose moves are to be ranked.
pub(super) struct GeneralRankingContext<W> {
    pub(super) own: W,
    pub(super) opponent: W,
    /// Whether the side to move is the attacker.
    pub(super) attacks: bool,
}

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralBoard<W, GRAVITY, SYMMETRIES> {
    /// The rank of a move (higher is tried earlier), given the genuine threats after it and the
    /// number of replies that do not lose at once.
    #[inline]
    pub(super) fn rank(
        &self,
        at: &GeneralRankingContext<W>,
        mv: W,
        threats: W,
        replies: i32,
    ) -> i32 {
        let (bit, all) = (mv.trailing_zeros(), at.own | at.opponent);
        let mut rank = THREAT * threats.count_ones() as i32;
        if GRAVITY {
            let left = self.count - all.count_ones() as i32;
            let useful = if left % 2 == 0 { self.odd } else { self.even };
            rank += REPLY * replies
                + ROW * self.row_of(bit) as i32
                + USEFUL_ROW * i32::from(!(mv & useful).is_zero());
        }
        let weights = if at.attacks { &ATTACK } else { &DEFENCE };
        for &shape in &self.shapes_through[bit as usize] {
            let missing = ((shape & !all).count_ones() as usize).min(7);
            if (shape & at.opponent).is_zero() {
                rank += weights.own[missing];
            }
            if (shape & at.own).is_zero() {
                rank += weights.opponent[missing];
            }
        }
        rank
    }
}
