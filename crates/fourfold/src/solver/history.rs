//! History and countermove heuristics: move-ordering statistics gathered during the search.
//!
//! Positions that follow each other in a search are alike. A cell whose move caused a cutoff a
//! moment ago is often good again (history heuristic, Schaeffer 1989), and so is the reply that
//! refuted the same move before (countermove heuristic, Uiterwijk 1992). Neither proves anything;
//! both only help to choose which move to try first.

use crate::game::Word;

/// A cell's history lies between this and its negative.
const MAX_HISTORY: i32 = 1 << MAX_HISTORY_BITS;
const MAX_HISTORY_BITS: u32 = 10;

/// The weight of the latest move in a cell's history is a half to this power.
const LATEST_SHIFT: u32 = 2;

/// The history and countermove tables, large enough for every board.
#[derive(Debug)]
#[cfg_attr(feature = "training", derive(Clone))]
pub(super) struct History {
    /// By player and cell: how moves there have fared lately, from [`MAX_HISTORY`] (they cut off)
    /// to its negative (they were searched in vain). An exponential moving average.
    cells: [CellHistory; 2],
    /// By role ([`super::order::role`]) and the cell of the previous move, if any: the cell of the
    /// last move that caused a cutoff in reply.
    countermoves: [[u8; 129]; 4],
}

/// By bit.
pub(super) type CellHistory = [i16; 128];

/// The context that the history tables are indexed by: the player's role and the previous move.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryContext<W> {
    pub(super) role: usize,
    /// The previous move; empty at the root.
    pub(super) previous: W,
}

/// The statistics that apply in one context.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryView<'a> {
    cells: &'a CellHistory,
    countermove: u8,
}

impl Default for History {
    fn default() -> Self {
        Self { cells: [[0; 128]; 2], countermoves: [[u8::MAX; 129]; 4] }
    }
}

impl History {
    /// Records that a move was searched, and whether it caused a cutoff.
    #[inline(always)]
    pub(super) fn update<W: Word>(&mut self, at: HistoryContext<W>, mv: W, cutoff: bool) {
        let bit = mv.trailing_zeros() as usize % 128;
        let cell = &mut self.cells[at.role % 2][bit];
        let target = if cutoff { MAX_HISTORY } else { -MAX_HISTORY };
        *cell += ((target - i32::from(*cell)) >> LATEST_SHIFT) as i16;
        if cutoff {
            let previous = (at.previous.trailing_zeros() as usize).min(128);
            self.countermoves[at.role % 4][previous] = bit as u8;
        }
    }

    #[inline(always)]
    pub(super) fn view<W: Word>(&self, at: HistoryContext<W>) -> HistoryView<'_> {
        let previous = (at.previous.trailing_zeros() as usize).min(128);
        let countermove = self.countermoves[at.role % 4][previous];
        HistoryView { cells: &self.cells[at.role % 2], countermove }
    }
}

/// How much the two heuristics add to a rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct HistoryWeights {
    /// For a cell whose history is [`MAX_HISTORY`].
    pub(super) history: i32,
    /// For the countermove.
    pub(super) countermove: i32,
}

impl HistoryWeights {
    pub(super) const NONE: Self = Self { history: 0, countermove: 0 };
}

impl HistoryView<'_> {
    /// What history and countermove add to the rank of a move.
    #[inline(always)]
    pub(super) fn rank(&self, mv: impl Word, weights: HistoryWeights) -> i32 {
        let bit = mv.trailing_zeros();
        let history = i32::from(self.cells[bit as usize % 128]) * weights.history;
        let countermove = if bit == u32::from(self.countermove) { weights.countermove } else { 0 };
        (history >> MAX_HISTORY_BITS) + countermove
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_moves_weigh_most_and_countermoves_depend_on_the_previous_move() {
        let mut history = History::default();
        let weights = HistoryWeights { history: MAX_HISTORY, countermove: 5000 };
        let here = HistoryContext { role: 1, previous: 1u64 << 9 };
        let elsewhere = HistoryContext { role: 1, previous: 0 };
        let rank = |history: &History, at: HistoryContext<u64>, bit: u32| {
            history.view(at).rank(1u64 << bit, weights)
        };
        assert_eq!(rank(&history, here, 3), 0);
        history.update(here, 1 << 3, true);
        assert_eq!(rank(&history, here, 3), MAX_HISTORY / 4 + 5000);
        assert_eq!(rank(&history, elsewhere, 3), MAX_HISTORY / 4);
        assert_eq!(
            rank(&history, HistoryContext { role: 3, ..here }, 3),
            MAX_HISTORY / 4,
            "the same player in the other role"
        );
        assert_eq!(rank(&history, HistoryContext { role: 2, ..here }, 3), 0, "the other player");
        history.update(elsewhere, 1 << 3, false);
        assert!(rank(&history, elsewhere, 3) < 0);
        assert!(rank(&history, here, 3) > 4000, "a countermove stands until another replaces it");
        history.update(here, 1 << 60, true);
        assert!(rank(&history, here, 3) < 0);
        for cutoff in [true, false] {
            for _ in 0..100 {
                history.update(here, 1 << 3, cutoff);
                assert!(rank(&history, elsewhere, 3).abs() <= MAX_HISTORY);
            }
        }
    }
}
