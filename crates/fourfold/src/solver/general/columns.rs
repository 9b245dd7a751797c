//! Static bound 7: paired columns. `docs/other-games.md` has the proof.

use super::GeneralBoard;
use crate::game::Word;
use crate::solver::bounds::BoundQuery;
use crate::solver::columns::ColumnPair;

/// At most this many pairs of columns are chosen.
const MAX_PAIRS: usize = 4;

/// The columns paired so far.
#[derive(Debug, Clone, Copy)]
struct Paired<W> {
    pairs: [ColumnPair<W>; MAX_PAIRS],
    count: usize,
}

impl<W: Word> Paired<W> {
    fn pairs(&self) -> &[ColumnPair<W>] {
        &self.pairs[..self.count]
    }

    fn with(mut self, pair: ColumnPair<W>) -> Self {
        self.pairs[self.count] = pair;
        self.count += 1;
        self
    }
}

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> GeneralBoard<W, GRAVITY, SYMMETRIES> {
    /// Whether X stops every shape of O, who is to move with an even number of empty cells, by
    /// pairing some columns and following up in the others.
    pub(super) fn has_paired_columns(&self, at: &BoundQuery<W>) -> bool {
        let none = Paired { pairs: [ColumnPair::NONE; MAX_PAIRS], count: 0 };
        self.pairs_others(at, self.claimeven_reach(at), none)
    }

    /// The same where some columns are paired already, so that O's reach is `reach`.
    fn pairs_others(&self, at: &BoundQuery<W>, reach: W, paired: Paired<W>) -> bool {
        let is_open = |shape: &&W| {
            (**shape & !reach).is_zero() && !paired.pairs().iter().any(|pair| pair.stops(**shape))
        };
        let Some(&open) = self.shapes.iter().find(is_open) else { return true };
        if paired.count == MAX_PAIRS {
            return false;
        }
        let taken = paired.pairs().iter().fold(W::ZERO, |all, pair| all | pair.cells);
        let mut firsts = open & !at.all & !taken;
        while !firsts.is_zero() {
            let first = firsts.lowest();
            firsts = firsts.without_lowest();
            let mut seconds = firsts;
            while !seconds.is_zero() {
                let second = seconds.lowest();
                seconds = seconds.without_lowest();
                if let Some(pair) = self.paired_columns(at, first, second)
                    && pair.stops(open)
                    && self.pairs_others(at, reach | pair.cells, paired.with(pair))
                {
                    return true;
                }
            }
        }
        false
    }

    /// The columns of two empty cells as a pair; `None` if they cannot be one, or are the same.
    fn paired_columns(&self, at: &BoundQuery<W>, left: W, right: W) -> Option<ColumnPair<W>> {
        let empty = [left, right].map(|cell| self.column_of(cell.trailing_zeros()) & !at.all);
        if empty[0] == empty[1] {
            return None;
        }
        ColumnPair::new(empty, self.odd, self.even)
    }
}
