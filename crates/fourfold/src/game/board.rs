//! The board as search sees it: two words and nothing else.

use super::{Geometry, Position, Word};

/// Discs as seen by the side to move. Does not know its rules; a [`Geometry`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Board<W> {
    /// The discs of the side to move.
    pub own: W,
    /// All discs.
    pub all: W,
}

impl<W: Word> Board<W> {
    /// The board of a position.
    ///
    /// The caller picks a word that is wide enough: see [`crate::game::Rules::bits`].
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let (own, all) = position.bits();
        Self { own: W::truncate(own), all: W::truncate(all) }
    }

    /// The discs of the side that moved last.
    #[inline(always)]
    #[must_use]
    pub fn opponent(&self) -> W {
        self.own ^ self.all
    }

    /// The board after the side to move has put a disc on `bit`. Not checked: `bit` must be a
    /// playable cell.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, bit: W) -> Self {
        Self { own: self.opponent(), all: self.all | bit }
    }

    /// Has the side that moved last won?
    #[inline(always)]
    #[must_use]
    pub fn is_won(&self, geometry: &Geometry<W>) -> bool {
        geometry.has_won(self.opponent())
    }

    /// The playable cells with which the side to move wins at once.
    #[inline]
    #[must_use]
    pub fn winning_moves(&self, geometry: &Geometry<W>) -> W {
        geometry.completing(self.own) & geometry.playable(self.all)
    }

    /// Under gravity, one word that tells the position apart from every other: per column, the
    /// discs of the side to move below a marker on the lowest empty cell. [`Board::unpack`] is
    /// the way back.
    #[inline(always)]
    #[must_use]
    pub fn pack(&self, geometry: &Geometry<W>) -> W {
        debug_assert!(geometry.gravity());
        self.own | self.all.wrapping_add(geometry.bottom())
    }

    /// The board that [`Board::pack`] made this word of.
    #[inline]
    #[must_use]
    pub fn unpack(packed: W, geometry: &Geometry<W>) -> Self {
        // Fill every column downward from its marker. A shift brings the lowest cells of the next
        // column to the top of this one, so `room` allows only what came from the same
        // column.
        let mut filled = packed;
        let mut step = 1;
        let mut room = geometry.cells();
        while step <= geometry.rules().height() {
            filled |= filled >> step & room;
            room = room & room >> step;
            step *= 2;
        }
        let all = filled >> 1 & geometry.cells();
        Self { own: packed & all, all }
    }
}
