//! How a position can have come about: some order of moves from the empty board that ends in it.
//!
//! Discs on a board do not tell in which order they were played, but formats that list moves need
//! one. The search goes backwards, taking discs off the board in turns. It works on positions alone
//! and knows no notation.

use super::{Geometry, Move, Position};
use std::collections::HashSet;

/// [`Position::some_moves`] gives up after it has looked at this many boards.
///
/// A 7x6 board has at most 7^7 = 823 543 boards on the way to it, so there (and on smaller boards)
/// it never gives up.
const MOST_STATES: usize = 1 << 20;

/// Why there is no order of moves to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// Proven: no legal order of moves ends in this position.
    #[error("no order of moves leads to this position")]
    Unreachable,
    /// Not settled: the search gave up.
    #[error(
        "no order of moves to this position was found among {states} boards before it; there may be one"
    )]
    GaveUp {
        /// How many boards were looked at.
        states: usize,
    },
}

impl Position {
    /// Some legal order of moves from the empty board that ends in this position, the game not
    /// being over before the last of them. It need not be the order in which the game was
    /// played.
    ///
    /// Without gravity this is immediate. With gravity it is a search with a memory of the boards
    /// that led nowhere; it takes at most a million of them, which is enough to settle
    /// every position of 7x6.
    ///
    /// # Errors
    /// [`HistoryError::Unreachable`] if there is no such order, [`HistoryError::GaveUp`] if none
    /// was found within the bound.
    ///
    /// ```
    /// use fourfold::game::{HistoryError, Position, Rules};
    ///
    /// // Second player's disc below first player's in the only column in use: who can have begun?
    /// let upside_down = Position::from_discs(Rules::CONNECT_FOUR, 0b10, 0b01)?;
    /// assert_eq!(upside_down.some_moves(), Err(HistoryError::Unreachable));
    /// # Ok::<(), fourfold::game::SetupError>(())
    /// ```
    pub fn some_moves(&self) -> Result<Vec<Move>, HistoryError> {
        let (own, all) = self.bits();
        let geometry = self.geometry();
        let last = own ^ all;
        if geometry.has_won(own) {
            return Err(HistoryError::Unreachable);
        }
        let mut search = TakeBack {
            odd: if self.ply().is_multiple_of(2) { own } else { last },
            geometry,
            dead: HashSet::new(),
            states: 0,
            moves: Vec::with_capacity(self.ply() as usize),
        };
        let mut lasts = search.removable(all);
        if geometry.has_won(last) {
            // Only the last disc can have won. Once it is off, the boards before hold fewer discs
            // and no win.
            lasts.retain(|&bit| !geometry.has_won(last & !(1 << bit)));
        }
        if !search.take_one_of(&lasts, all)? {
            return Err(HistoryError::Unreachable);
        }
        search.moves.reverse();
        Ok(search.moves)
    }
}

/// The search backwards. A board on the way is named by which cells are still filled: whose discs
/// they are, and so who moved last, does not change.
struct TakeBack {
    /// The first player's discs, who makes the odd moves (first, third, ...).
    odd: u128,
    geometry: Geometry<u128>,
    /// Boards that cannot be emptied.
    dead: HashSet<u128>,
    states: usize,
    /// The moves taken back, last first.
    moves: Vec<Move>,
}

impl TakeBack {
    /// Can the board be emptied by first taking one of `bits` off? If so, `moves` tells how.
    fn take_one_of(&mut self, bits: &[u32], all: u128) -> Result<bool, HistoryError> {
        if all == 0 {
            return Ok(true);
        }
        for &bit in bits {
            let before = all & !(1 << bit);
            if self.dead.contains(&before) {
                continue;
            }
            self.states += 1;
            if self.states > MOST_STATES {
                return Err(HistoryError::GaveUp { states: MOST_STATES });
            }
            self.moves.push(Move::from_bit(bit));
            let next = self.removable(before);
            if self.take_one_of(&next, before)? {
                return Ok(true);
            }
            self.moves.pop();
            self.dead.insert(before);
        }
        Ok(false)
    }

    /// The discs that may be taken off next, the most promising first: those that uncover a disc of
    /// the other player, who is next, and those in tall columns.
    fn removable(&self, all: u128) -> Vec<u32> {
        let mover =
            if all.count_ones().is_multiple_of(2) { all & !self.odd } else { all & self.odd };
        let free = if self.geometry.gravity() { !(all >> 1 & self.geometry.cells()) } else { !0 };
        let stride = self.geometry.stride();
        let mut discs = mover & free;
        let mut bits = Vec::new();
        while discs != 0 {
            bits.push(discs.trailing_zeros());
            discs &= discs - 1;
        }
        bits.sort_by_key(|&bit| {
            let below = bit % stride > 0 && mover >> (bit - 1) & 1 == 0;
            (!below, std::cmp::Reverse(bit % stride))
        });
        bits
    }
}
