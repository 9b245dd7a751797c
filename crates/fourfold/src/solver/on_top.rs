//! Static bounds 5 and 6: answers on top, and columns left alone. `docs/other-games.md` proves the
//! first, `docs/solver.md` the second.
//!
//! 5. *Answers on top.* X answers every disc of O with one on top. Then of two cells one above the
//!    other, both empty now, O never gets both. So X completes each line one row further down, the
//!    *shadow*, before O completes his, unless discs on the board or playable cells make a difference.
//!    If a single column has an odd number of empty cells and O is to move, X gets its odd cells.
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
    let mut left = answers.left();
    let columns = answers.odd_columns;
    if columns.without_lowest().is_zero() {
        left.stop(board, board.columns(columns) & answers.empty & board.odd);
    }
    if left.is_none() {
        return Some(0);
    }
    let room = Room::new(target, answers.has_odd_empty(), ideas);
    if room.most == 0 {
        return None;
    }
    let search = ColumnSearch { answers, threats: at.threats, claimable: L::W::ZERO };
    search.bound(left, L::W::ZERO, room)
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
    let room = Room::new(target, !answers.has_odd_empty(), ideas);
    let claimable = answers.claimable();
    // Whatever X does, he does not stop a line without one of these cells.
    let mut useful = safe | claimable;
    if room.most > 0 {
        // The column of his move has one empty cell more before it.
        useful |= answers.columns_up_to(room.most + 1) & !answers.playable;
    }
    if !left.all_hold(board, useful) {
        return None;
    }
    let threats = board.completing_one(own) & !all;
    ColumnSearch { answers, threats, claimable }.bound(left, safe, room)
}

/// How many empty cells the columns that X leaves alone may have.
#[derive(Debug, Clone, Copy)]
struct Room {
    most: i32,
    /// Whether the number of empty cells is odd when O is to move.
    is_odd: bool,
}

impl Room {
    /// So many that X's having to begin one of them comes too late for O to score more than `target`.
    #[inline(always)]
    fn new(target: i32, is_odd: bool, ideas: Ideas) -> Self {
        let leaves_alone = target > 0 && ideas.has(Idea::LeftAlone);
        let most = if leaves_alone { 2 * target + if is_odd { 1 } else { 2 } } else { 0 };
        Self { most, is_odd }
    }

    /// The least target that leaves room for so many empty cells.
    #[inline(always)]
    fn target_for(self, cells: i32) -> i32 {
        if self.is_odd { cells / 2 } else { (cells - 1).max(0) / 2 }
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

    /// The empty cells that X might claim by a move that leaves a single column with an odd number of
    /// empty cells.
    #[inline(always)]
    fn claimable(&self) -> L::W {
        let columns = match self.odd_columns.count_ones() {
            0 => self.empty,
            2 => self.board.columns(self.odd_columns) & self.empty,
            _ => L::W::ZERO,
        };
        columns & self.board.odd
    }

    /// The empty cells of columns with at most so many.
    #[inline(always)]
    fn columns_up_to(&self, most: i32) -> L::W {
        if most >= self.board.height as i32 {
            return self.empty;
        }
        let highest = self.board.and_above(self.board.top_row() >> (most as u32 - 1));
        self.board.and_above(self.playable & highest)
    }

    /// X's moves after which a line is stopped by the odd cells of the only column with an odd number
    /// of empty cells.
    #[inline(always)]
    fn claiming(&self, line: L::W) -> L::W {
        let columns = self.odd_columns;
        let odd = self.board.columns(line & self.empty & self.board.odd);
        match columns.count_ones() {
            // The column of the move becomes the only one.
            0 => odd & self.playable,
            2 => {
                // A move in one of the two leaves the other.
                let here = odd & columns;
                if here.is_zero() || here == columns { here } else { columns & !here }
            }
            _ => L::W::ZERO,
        }
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
    /// See [`AnswersOnTop::claimable`].
    claimable: L::W,
}

impl<L: Layout> ColumnSearch<'_, L> {
    /// An upper bound on O's score, if all lines left to him can be stopped; after one of the `moves`,
    /// if X is to move.
    #[inline(never)]
    fn bound(&self, left: LinesLeft<L::W>, moves: L::W, room: Room) -> Option<i32> {
        let spare = self.stop(left, moves, room.most)?;
        Some(room.target_for(room.most - spare))
    }

    /// Stops all lines by one of the `moves` and by columns with at most `most` empty cells. How many
    /// of these are not needed; `None` if there are no such columns.
    fn stop(&self, mut left: LinesLeft<L::W>, moves: L::W, most: i32) -> Option<i32> {
        let AnswersOnTop { board, empty, playable, .. } = self.answers;
        if left.is_none() {
            return Some(most);
        }
        // Lines that no move stops first: they leave the least choice.
        let mut others = left;
        others.stop(board, moves | self.claimable);
        let line = match others.pop(board) {
            Some(line) => line,
            None => {
                let line = left.pop(board)?;
                let moves = moves & (line | self.answers.claiming(line));
                if !moves.is_zero()
                    && let Some(spare) = self.stop(left, moves, most)
                {
                    return Some(spare);
                }
                line
            }
        };
        let mut cells = line & empty & !playable;
        while most > 0 && !cells.is_zero() {
            let cell = cells.lowest();
            cells = cells.without_lowest();
            let column = board.columns(cell) & empty;
            let (first, above) = (column.lowest(), column.without_lowest());
            // X leaves the column alone from now on, or after a move there.
            for begins in [false, true] {
                let (after, size) = if begins {
                    (moves & first, above.count_ones() as i32)
                } else {
                    (moves & !first, column.count_ones() as i32)
                };
                let has_no_move = after.is_zero() && (begins || !moves.is_zero());
                if size > most || has_no_move {
                    continue;
                }
                // Where X completes a line on top, the game is over: O gets nothing further up.
                let same = if (first & board.odd).is_zero() { board.even } else { board.odd };
                let claimed = above & if begins { same } else { !same };
                let denied = claimed | board.and_above(self.threats & claimed);
                if (denied & cell).is_zero() {
                    continue;
                }
                let mut left = left;
                left.stop(board, denied);
                if let Some(spare) = self.stop(left, after, most - size) {
                    return Some(spare);
                }
            }
        }
        None
    }
}
