//! Static bounds 5 and 6: answers on top, and columns left alone. `docs/other-games.md` proves the
//! first, `docs/solver.md` the second.
//!
//! 5. *Answers on top.* X answers every disc of O with one on top. Then of two cells one above the
//!    other, both empty now, O never gets both. So X completes each line one row further down, the
//!    *shadow*, before O completes his, unless discs on the board or playable cells make a difference.
//! 6. *Columns left alone.* X does so, and never begins some columns: he plays there only on top of
//!    O's discs. So O gets no cell at an odd distance above the playable one, until all other columns
//!    are full and X has to begin. If that is too late for O to win within the null window, X holds
//!    out.

use super::board::BoardMasks;
use super::bounds::BoundQuery;
use super::ideas::{Idea, Ideas};
use super::lanes::{LaneWord, Lanes};
use super::layout::Layout;
use crate::game::Word;

/// An upper bound on the score of O, to move without a win at once, if one is at most `target`, which
/// is not negative.
#[inline(always)]
pub(super) fn bound<L: Layout>(
    board: &BoardMasks<L>,
    at: &BoundQuery<L::W>,
    target: i32,
    ideas: Ideas,
) -> Option<i32> {
    let answers = AnswersOnTop::new(board, at.all & !at.own, at.all, at.playable);
    let left = answers.left();
    if left.is_none() {
        return Some(0);
    }
    if !ideas.has(Idea::LeftAlone) || !left.all_hold(board, answers.later()) {
        return None;
    }
    let is_odd = answers.has_odd_empty();
    let search = ColumnSearch { answers, threats: at.threats, target, is_odd };
    search.bound(left, L::W::ZERO, LeftAlone::NONE)
}

/// The same for the opponent, O, of the owner of `own`, X: after the best of X's safe moves, of which
/// there is at least one.
#[inline(always)]
pub(super) fn bound_after_move<L: Layout>(
    board: &BoardMasks<L>,
    own: L::W,
    opponent: L::W,
    safe: L::W,
    target: i32,
    ideas: Ideas,
) -> Option<i32> {
    let all = own | opponent;
    let answers = AnswersOnTop::new(board, own, all, board.playable(all));
    let left = answers.left();
    let later = if ideas.has(Idea::LeftAlone) { answers.later() } else { L::W::ZERO };
    // Whatever X does, he does not stop a line without one of these cells.
    if !left.all_hold(board, safe | later) {
        return None;
    }
    let (threats, is_odd) = (board.completing_one(own) & !all, !answers.has_odd_empty());
    let target = if later.is_zero() { -1 } else { target };
    ColumnSearch { answers, threats, target, is_odd }.bound(left, safe, LeftAlone::NONE)
}

/// The columns that X leaves alone.
#[derive(Debug, Clone, Copy)]
struct LeftAlone<W> {
    columns: W,
    /// Their empty cells.
    cells: i32,
    /// The least odd number of empty cells in one that O can fill; if there is none, a number larger
    /// than all.
    least_odd: i32,
}

impl<W: Word> LeftAlone<W> {
    const NONE: Self = Self { columns: W::ZERO, cells: 0, least_odd: i32::MAX };

    /// One more column, and whether O can fill it.
    #[inline(always)]
    fn and(self, column: W, cells: i32, fills: bool) -> Self {
        let odd = if fills && cells % 2 == 1 { cells } else { i32::MAX };
        Self {
            columns: self.columns | column,
            cells: self.cells + cells,
            least_odd: self.least_odd.min(odd),
        }
    }

    /// An upper bound on O's score by lines that X stops as long as he need not begin one of these
    /// columns. `is_odd` tells whether the number of empty cells is odd when O is to move.
    #[inline(always)]
    fn bound(self, is_odd: bool) -> i32 {
        let Self { cells, least_odd, .. } = self;
        // If O is to move when all other columns are full, he fills an odd one before X has to begin
        // another; if he cannot, X never has to.
        let o_first = (cells % 2 == 1) == is_odd;
        let left = if o_first { (cells - least_odd).max(0) } else { cells };
        left / 2
    }
}

/// X answers every move of O right on top.
#[derive(Clone, Copy)]
struct AnswersOnTop<'a, L: Layout> {
    board: &'a BoardMasks<L>,
    empty: L::W,
    playable: L::W,
    /// The playable cells of columns with an odd number of empty cells.
    odd_columns: L::W,
    /// The cells that are not X's.
    lines: <L::W as LaneWord>::Lane,
    /// Those of them of which X has the one right below, or gets it before O gets the cell.
    over_x: <L::W as LaneWord>::Lane,
}

/// The start cells of the lines left to O in each direction across the board. (O has no vertical line
/// left: it would take one disc only.)
#[derive(Debug, Clone, Copy)]
struct LinesLeft<W>([W; 3]);

impl<'a, L: Layout> AnswersOnTop<'a, L> {
    #[inline(always)]
    fn new(board: &'a BoardMasks<L>, x: L::W, all: L::W, playable: L::W) -> Self {
        let empty = board.cells & !all;
        let lines = board.cells & !x;
        let over_x = (x << 1 & (all | playable) & lines) | (empty & !playable);
        let [lines, over_x] = [lines, over_x].map(<L::W as LaneWord>::Lane::splat);
        // Rows are paired from the top.
        Self { board, empty, playable, odd_columns: playable & board.even, lines, over_x }
    }

    /// The lines that answers on top do not stop.
    #[inline(always)]
    fn left(&self) -> LinesLeft<L::W> {
        let mut left = [L::W::ZERO; 3];
        for (at, left) in left.iter_mut().enumerate() {
            let all = self.board.fours_along(at + 1, self.lines);
            *left = (all & !self.board.fours_along(at + 1, self.over_x)).union();
        }
        LinesLeft(left)
    }

    /// Whether the number of empty cells is odd.
    #[inline(always)]
    fn has_odd_empty(&self) -> bool {
        self.odd_columns.count_ones() % 2 == 1
    }

    /// The empty cells that are not playable yet.
    #[inline(always)]
    fn later(&self) -> L::W {
        self.empty & !self.playable
    }
}

impl<W: Word> LinesLeft<W> {
    #[inline(always)]
    fn is_none(&self) -> bool {
        (self.0[0] | self.0[1] | self.0[2]).is_zero()
    }

    /// Takes out the lines that hold one of the cells.
    #[inline(always)]
    fn stop<L: Layout<W = W>>(&mut self, board: &BoardMasks<L>, cells: W) {
        for (at, left) in self.0.iter_mut().enumerate() {
            let shift = board.layout().shifts()[at + 1];
            let two = cells | cells >> shift;
            *left &= !(two | two >> (2 * shift));
        }
    }

    /// Whether every line holds one of the cells.
    #[inline(always)]
    fn all_hold<L: Layout<W = W>>(mut self, board: &BoardMasks<L>, cells: W) -> bool {
        self.stop(board, cells);
        self.is_none()
    }

    /// Takes out a line: its cells.
    #[inline(always)]
    fn pop<L: Layout<W = W>>(&mut self, board: &BoardMasks<L>) -> Option<W> {
        let at = (0..3).find(|&at| !self.0[at].is_zero())?;
        let left = &mut self.0[at];
        let shift = board.layout().shifts()[at + 1];
        let pair = left.lowest() | left.lowest() << shift;
        *left = left.without_lowest();
        Some(pair | pair << (2 * shift))
    }
}

/// Looks for columns that X can leave alone, and for a move of X, so that every line is stopped.
#[derive(Clone, Copy)]
struct ColumnSearch<'a, L: Layout> {
    answers: AnswersOnTop<'a, L>,
    /// X's genuine threats.
    threats: L::W,
    /// The highest bound that will do.
    target: i32,
    /// Whether the number of empty cells is odd when O is to move.
    is_odd: bool,
}

impl<L: Layout> ColumnSearch<'_, L> {
    /// An upper bound on O's score, if the lines left to him can be stopped by one of the `moves` and
    /// by further columns left alone. Without moves, O is to move.
    fn bound(&self, mut left: LinesLeft<L::W>, moves: L::W, alone: LeftAlone<L::W>) -> Option<i32> {
        let AnswersOnTop { board, empty, playable, .. } = self.answers;
        if left.is_none() {
            return Some(alone.bound(self.is_odd));
        }
        let line = self.next_line(&mut left, moves)?;
        if !(moves & line).is_zero() {
            let bound = self.bound(left, moves & line, alone);
            if bound.is_some() {
                return bound;
            }
        }
        let mut cells = line & empty & !playable & !alone.columns;
        while !cells.is_zero() {
            let cell = cells.lowest();
            cells = cells.without_lowest();
            let column = board.columns(cell) & empty;
            let (first, size) = (column.lowest(), column.count_ones() as i32);
            let same = if (first & board.odd).is_zero() { board.even } else { board.odd };
            // X leaves the column alone from now on, or after a move there.
            for (after, size, parity) in
                [(moves & !first, size, !same), (moves & first, size - 1, same)]
            {
                if after.is_zero() && (parity == same || !moves.is_zero()) {
                    continue;
                }
                let claimed = column.without_lowest() & parity;
                // Where X completes a line on top, the game is over: O gets nothing further up.
                let won = self.threats & claimed;
                let denied = claimed | board.and_above(won);
                let alone = alone.and(column, size, won.is_zero());
                if (denied & cell).is_zero() || alone.bound(self.is_odd) > self.target {
                    continue;
                }
                let mut left = left;
                left.stop(board, denied);
                let bound = self.bound(left, after, alone);
                if bound.is_some() {
                    return bound;
                }
            }
        }
        None
    }

    /// Takes out a line: one that no move stops if there is one, since it leaves the least choice.
    #[inline(always)]
    fn next_line(&self, left: &mut LinesLeft<L::W>, moves: L::W) -> Option<L::W> {
        let board = self.answers.board;
        if !moves.is_zero() {
            let mut others = *left;
            others.stop(board, moves);
            if let Some(line) = others.pop(board) {
                return Some(line);
            }
        }
        left.pop(board)
    }
}
