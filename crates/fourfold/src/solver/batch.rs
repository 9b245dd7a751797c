//! The moves of up to eight columns as one batch: the safe replies to each, and the static bounds
//! after each.
//!
//! With one byte per column, every loop here is branch-free code over eight words, which compilers
//! turn into SIMD instructions where the processor has them. Other layouts would gain nothing from
//! that, so they skip columns without a move.

#![expect(clippy::needless_range_loop, reason = "a lane indexes several arrays at once")]

use super::board::BoardMasks;
use super::bounds::{self, BoundQuery};
pub(super) use super::lanes::LANES;
use super::lanes::Lanes;
use super::layout::Layout;
use crate::game::Word;

/// Whether moves lie in the first lanes, one after the other, and no time is spent on lanes without
/// a move. Vectors as wide as a few columns are quicker with a lane for each column.
const DENSE: bool = cfg!(target_arch = "wasm32");

/// One move per lane with its consequences. A lane without a move has no replies either.
pub(super) struct MoveBatch<W> {
    /// The column of the first lane, if each has a column.
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
        let none = L::Lanes::splat(W::ZERO);
        let (mut wins, mut forcing, mut quiet) = (none, none, none);
        let [own, opponent] = [own, opponent].map(L::Lanes::splat);
        let mut rest = moves;
        for vector in 0..LANES / L::Lanes::COUNT {
            let lane = vector * L::Lanes::COUNT;
            let here = if is_dense::<L>() {
                if rest.is_zero() {
                    break;
                }
                L::Lanes::take_lowest(&mut rest)
            } else {
                let here = moves & board.column(first_column + lane as u32);
                if !L::BYTE_COLUMNS && here.is_zero() {
                    continue;
                }
                L::Lanes::splat(here)
            };
            let all = own | opponent | here;
            let playable = board.playable(all);
            let open = board.completing(own | here) & !all;
            // The same as `forced::safe_moves`, without branches.
            let forced = playable & open;
            let replies = forced | (forced.where_empty() & playable);
            let left = replies & !(open >> 1) & without_lowest(forced).where_empty();
            wins = wins | (left.where_empty() & here);
            let has_choice = !without_lowest(left).where_empty() & here;
            quiet = quiet | has_choice;
            forcing = forcing | (here & !has_choice);
            here.write(&mut mv, lane);
            open.write(&mut threats, lane);
            (left & !here.where_empty()).write(&mut safe, lane);
        }
        let [wins, forcing, quiet] = [wins, forcing, quiet].map(L::Lanes::union);
        Self { first_column, mv, threats, safe, forcing, quiet, wins: !wins.is_zero() }
    }

    /// The lane of a move.
    #[inline(always)]
    pub(super) fn lane_of<L: Layout<W = W>>(&self, board: &BoardMasks<L>, mv: W) -> usize {
        let lane = if is_dense::<L>() {
            ((self.forcing | self.quiet) & mv.wrapping_sub(W::ONE)).count_ones()
        } else {
            board.column_of(mv.trailing_zeros()) - self.first_column
        };
        lane as usize % LANES
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
        let mut any = L::Lanes::splat(W::ZERO);
        for vector in 0..LANES / L::Lanes::COUNT {
            let lane = vector * L::Lanes::COUNT;
            if skips::<L>(&self.safe, lane) {
                continue;
            }
            let at = self.after(board, own, opponent, lane);
            let fours = board.fours(bounds::claimeven_reach(board, &at));
            let safe = L::Lanes::read(&self.safe, lane);
            let found = fours.where_empty() & without_lowest(safe);
            found.write(&mut proven, lane);
            any = any | found;
        }
        if any.union().is_zero() {
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
            let has_choice = !self.safe[lane].without_lowest().is_zero();
            candidates[lane] = if has_choice { self.threats[lane] & board.odd } else { W::ZERO };
            any |= candidates[lane];
        }
        while !any.is_zero() {
            let mut proven = [W::ZERO; LANES];
            let none = L::Lanes::splat(W::ZERO);
            let (mut hits, mut left) = (none, none);
            for vector in 0..LANES / L::Lanes::COUNT {
                let lane = vector * L::Lanes::COUNT;
                if skips::<L>(&candidates, lane) {
                    continue;
                }
                let at = self.after(board, own, opponent, lane);
                let here = L::Lanes::read(&candidates, lane);
                let threat = lowest_of(here);
                let fours = board.fours(bounds::odd_threat_reach(board, &at, threat));
                let found = fours.where_empty() & threat;
                let others = here & !board.columns(threat);
                found.write(&mut proven, lane);
                others.write(&mut candidates, lane);
                hits = hits | found;
                left = left | others;
            }
            any = left.union();
            if !hits.union().is_zero() {
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

    /// The positions after the moves of as many lanes as a vector has.
    #[inline(always)]
    fn after<L: Layout<W = W>>(
        &self,
        board: &BoardMasks<L>,
        own: W,
        opponent: W,
        lane: usize,
    ) -> BoundQuery<L::Lanes> {
        let all = L::Lanes::splat(own | opponent) | L::Lanes::read(&self.mv, lane);
        BoundQuery {
            own: L::Lanes::splat(opponent),
            all,
            playable: board.playable(all),
            threats: L::Lanes::read(&self.threats, lane),
        }
    }
}

/// Whether moves lie in the first lanes.
#[inline(always)]
fn is_dense<L: Layout>() -> bool {
    DENSE && L::BYTE_COLUMNS
}

/// Whether there is nothing in the lanes from this one on, as many as a vector has, and asking pays.
#[inline(always)]
fn skips<L: Layout>(sets: &[L::W; LANES], lane: usize) -> bool {
    (DENSE || !L::BYTE_COLUMNS) && L::Lanes::read(sets, lane).union().is_zero()
}

/// The lowest member of each set.
#[inline(always)]
fn lowest_of<W: Word, S: Lanes<W>>(sets: S) -> S {
    sets & S::splat(W::ZERO).minus(sets)
}

/// Each set without its lowest member.
#[inline(always)]
fn without_lowest<W: Word, S: Lanes<W>>(sets: S) -> S {
    sets & sets.minus(S::splat(W::ONE))
}
