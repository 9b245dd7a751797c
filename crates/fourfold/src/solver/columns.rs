//! Static bound 4: paired columns. `docs/other-games.md` has the proof.
//!
//! Claimeven does not stop a line across the board on an odd row: all of that row may be O's. But X
//! can treat two columns as one region, answer every move there within it, and follow up everywhere
//! else. He answers on top of even cells in it, not of odd ones, and so gets all odd cells of one of
//! the two columns, whichever O fills first. In exchange he gives up the even cells of both.

use super::board::BoardMasks;
use super::bounds::{self, BoundQuery};
use super::layout::Layout;
use crate::game::Word;

/// Two columns, neither of them full, with an even number of empty cells in both or an odd one in
/// both.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnPair<W> {
    /// The empty cells of both.
    pub(super) cells: W,
    /// The odd cells of each column that are not playable yet: O gets none in one of the columns.
    odd: [W; 2],
    /// The playable cell of each column if it is odd: O gets only one of the two.
    playable: [W; 2],
    /// The even cells with an empty one right above: of the two, O gets only one.
    lower: W,
}

impl<W: Word> ColumnPair<W> {
    /// No columns at all.
    pub(super) const NONE: Self =
        Self { cells: W::ZERO, odd: [W::ZERO; 2], playable: [W::ZERO; 2], lower: W::ZERO };

    /// The pair of two columns of which the empty cells are given; `None` if they cannot be one.
    #[inline(always)]
    pub(super) fn new(empty: [W; 2], odd: W, even: W) -> Option<Self> {
        let [left, right] = empty;
        if left.is_zero() || right.is_zero() || (left.count_ones() + right.count_ones()) % 2 == 1 {
            return None;
        }
        let cells = left | right;
        Some(Self {
            cells,
            odd: empty.map(|column| column.without_lowest() & odd),
            playable: empty.map(|column| column.lowest() & odd),
            lower: cells & cells >> 1 & even,
        })
    }

    /// Whether X gets a cell of a shape.
    #[inline(always)]
    pub(super) fn stops(&self, shape: W) -> bool {
        let holds_both = |cells: &[W; 2]| cells.iter().all(|&cells| !(shape & cells).is_zero());
        holds_both(&self.odd)
            || holds_both(&self.playable)
            || !(shape & shape >> 1 & self.lower).is_zero()
    }

    /// The start cells of lines of four in a direction across the board of which X gets a cell: the
    /// columns lie `distance` apart, and a step in that direction is `shift` bits.
    #[inline(always)]
    fn stopped_across(&self, shift: u32, distance: u32) -> W {
        let together = |[left, right]: [W; 2]| left & right >> (distance * shift);
        let both = together(self.odd) | together(self.playable);
        (1..4 - distance).fold(both, |stopped, step| stopped | both >> (step * shift))
    }

    /// The same for vertical lines.
    #[inline(always)]
    fn stopped_upward(&self) -> W {
        self.lower | self.lower >> 1 | self.lower >> 2
    }
}

/// Whether X stops every line of four of O, who is to move with an even number of empty cells, by
/// pairing two columns and following up in the others. `starts` are the start cells of the lines
/// across the board within O's reach against claimeven; without any, the answer is no.
#[inline(always)]
pub(super) fn has_pair<L: Layout>(
    board: &BoardMasks<L>,
    at: &BoundQuery<L::W>,
    starts: L::W,
) -> bool {
    if starts.is_zero() {
        return false;
    }
    // The columns that all these lines pass through.
    let (lowest, highest) = (starts.trailing_zeros(), L::W::BITS - 1 - starts.leading_zeros());
    let (first, last) = (board.column_of(highest), board.column_of(lowest) + 3);
    first < last && pairs_two_of(board, at, first, last)
}

/// The same if the two are among the columns from `first` to `last`.
#[inline(never)]
fn pairs_two_of<L: Layout>(
    board: &BoardMasks<L>,
    at: &BoundQuery<L::W>,
    first: u32,
    last: u32,
) -> bool {
    let reach = bounds::claimeven_reach(board, at);
    let shifts = board.layout().shifts();
    for left in first..last {
        for right in left + 1..=last {
            let empty = [left, right].map(|column| board.column(column) & !at.all);
            let Some(pair) = ColumnPair::new(empty, board.odd, board.even) else { continue };
            let reach = reach | pair.cells;
            let is_open = |direction: usize| {
                let stopped = if direction == 0 {
                    pair.stopped_upward()
                } else {
                    pair.stopped_across(shifts[direction], right - left)
                };
                !(board.fours_along(direction, reach) & !stopped).is_zero()
            };
            if !(0..4).any(is_open) {
                return true;
            }
        }
    }
    false
}
