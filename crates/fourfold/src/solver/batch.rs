//! The moves of up to eight columns as one batch: the safe replies to each, and the static bounds
//! after each.
//!
//! With one byte per column, every loop here is branch-free code over eight words, which compilers
//! turn into SIMD instructions where the processor has them. Other layouts would gain nothing from
//! that, so they skip columns without a move.

#![expect(clippy::needless_range_loop, reason = "a lane indexes several arrays at once")]

use super::board::BoardMasks;
use super::bounds::{self, BoundQuery};

use super::layout::Layout;
use crate::game::Word;

/// Columns per batch, one SIMD lane each.
pub(super) const LANES: usize = 8;

/// One move per lane with its consequences. A lane without a move has no replies either.
pub(super) struct MoveBatch<W> {
    /// The column of the first lane.
    first_column: u32,
    /// The move of each lane.
    mv: [W; LANES],
    /// The genuine threats of the side that moved, after the move.
    pub(super) threats: [W; LANES],
    /// The replies that do not lose at once.
    pub(super) safe: [W; LANES],
    /// The moves that leave a single reply.
    pub(super) forcing: W,
    /// The moves that leave the opponent a choice.
    pub(super) quiet: W,
    /// Whether some move wins: every reply to it loses at once.
    pub(super) wins: bool,
}

impl<W: Word> MoveBatch<W> {
    /// The number of columns to cover. It is a constant for one byte per column, which has a single
    /// batch, so that no code is spent on which columns they are.
    #[inline(always)]
    pub(super) fn end<L: Layout<W = W>>(board: &BoardMasks<L>) -> u32 {
        if L::BYTE_COLUMNS { LANES as u32 } else { board.width }
    }

    /// The batch of those `moves` that lie in the eight columns from `first_column` on. Neither
    /// side can win at once, and each move leaves at least one playable column.
    #[inline(always)]
    pub(super) fn new<L: Layout<W = W>>(
        board: &BoardMasks<L>,
        own: W,
        opponent: W,
        moves: W,
        first_column: u32,
    ) -> Self {
        let (mut mv, mut threats, mut safe) =
            ([W::ZERO; LANES], [W::ZERO; LANES], [W::ZERO; LANES]);
        let (mut wins, mut forcing, mut quiet) = (W::ZERO, W::ZERO, W::ZERO);
        for lane in 0..LANES {
            let here = moves & board.column(first_column + lane as u32);
            if !L::BYTE_COLUMNS && here.is_zero() {
                continue;
            }
            let all = own | opponent | here;
            let playable = board.playable(all);
            let open = board.completing(own | here) & !all;
            // The same as `forced::safe_moves`, without branches.
            let forced = playable & open;
            let replies = forced | select(forced.is_zero(), playable);
            let left = replies & !(open >> 1) & select(forced.without_lowest().is_zero(), !W::ZERO);
            wins |= select(left.is_zero(), here);
            let has_choice = select(!left.without_lowest().is_zero(), here);
            quiet |= has_choice;
            forcing |= here & !has_choice;
            mv[lane] = here;
            threats[lane] = open;
            safe[lane] = left & select(!here.is_zero(), !W::ZERO);
        }
        Self { first_column, mv, threats, safe, forcing, quiet, wins: !wins.is_zero() }
    }

    /// The lane of a move.
    #[inline(always)]
    pub(super) fn lane_of<L: Layout<W = W>>(&self, board: &BoardMasks<L>, mv: W) -> usize {
        (board.column_of(mv.trailing_zeros()) - self.first_column) as usize % LANES
    }

    /// The lowest upper bound on the opponent's score that claimeven proves for the side that moved
    /// (B), if it is at most `target`.
    #[inline(always)]
    pub(super) fn claimeven<L: Layout<W = W>>(
        &self,
        board: &BoardMasks<L>,
        own: W,
        opponent: W,
        target: i32,
    ) -> Option<i32> {
        let mut proven = [W::ZERO; LANES];
        let mut any = W::ZERO;
        for lane in 0..LANES {
            if !L::BYTE_COLUMNS && self.safe[lane].is_zero() {
                continue;
            }
            let at = self.after(board, own, opponent, lane);
            let fours = board.fours(bounds::claimeven_reach(board, &at));
            proven[lane] = select(fours.is_zero(), self.safe[lane].without_lowest());
            any |= proven[lane];
        }
        if any.is_zero() {
            return None;
        }
        let mut lowest = i32::MAX;
        for lane in 0..LANES {
            if !proven[lane].is_zero() {
                lowest = lowest.min(bounds::claimeven_bound(board, self.threats[lane]));
            }
        }
        (lowest <= target).then_some(lowest)
    }

    /// The same for the odd threats of the side that moved (W). Not always the lowest bound.
    #[inline(always)]
    pub(super) fn odd_threat<L: Layout<W = W>>(
        &self,
        board: &BoardMasks<L>,
        own: W,
        opponent: W,
        target: i32,
    ) -> Option<i32> {
        let mut candidates = [W::ZERO; LANES];
        let mut any = W::ZERO;
        for lane in 0..LANES {
            candidates[lane] =
                select(!self.safe[lane].without_lowest().is_zero(), self.threats[lane] & board.odd);
            any |= candidates[lane];
        }
        while !any.is_zero() {
            let mut proven = [W::ZERO; LANES];
            let mut hits = W::ZERO;
            any = W::ZERO;
            for lane in 0..LANES {
                if !L::BYTE_COLUMNS && candidates[lane].is_zero() {
                    continue;
                }
                let at = self.after(board, own, opponent, lane);
                let threat = candidates[lane].lowest();
                let fours = board.fours(bounds::odd_threat_reach(board, &at, threat));
                proven[lane] = select(fours.is_zero(), threat);
                candidates[lane] &= !board.columns(threat);
                hits |= proven[lane];
                any |= candidates[lane];
            }
            if !hits.is_zero() {
                let mut lowest = i32::MAX;
                for lane in 0..LANES {
                    if !proven[lane].is_zero() {
                        lowest = lowest.min(bounds::odd_threat_bound(
                            board,
                            self.threats[lane],
                            proven[lane],
                        ));
                    }
                }
                if lowest <= target {
                    return Some(lowest);
                }
            }
        }
        None
    }

    /// The position after the move of a lane.
    #[inline(always)]
    fn after<L: Layout<W = W>>(
        &self,
        board: &BoardMasks<L>,
        own: W,
        opponent: W,
        lane: usize,
    ) -> BoundQuery<W> {
        let all = own | opponent | self.mv[lane];
        BoundQuery {
            own: opponent,
            all,
            playable: board.playable(all),
            threats: self.threats[lane],
        }
    }
}

/// The set if the condition holds, else the empty set.
#[inline(always)]
fn select<W: Word>(condition: bool, set: W) -> W {
    if condition { set } else { W::ZERO }
}
