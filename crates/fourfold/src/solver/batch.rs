//! The moves of a node as batches of up to eight: the safe replies to each, and the static bounds
//! after each.
//!
//! Every loop over lanes is branch-free code, which compilers turn into SIMD instructions where the
//! processor has them. With one byte per column there is a single batch with a lane for each
//! column. On other boards moves lie in the first lanes, one after the other, and no time is spent
//! on vectors without a move.

use super::board::BoardMasks;
use super::bounds::{self, BoundQuery};
use super::columns;
use super::ideas::{Idea, Ideas};
use super::lanes::{LANES, Lanes};
use super::layout::Layout;
use crate::game::Word;

/// In WebAssembly moves lie in the first lanes on every board. Vectors as wide as a few columns are
/// quicker with a lane for each column.
const DENSE: bool = cfg!(target_arch = "wasm32");

/// One move per lane with its consequences. A lane without a move has no replies either.
pub(super) struct MoveBatch<L: Layout> {
    /// The move of each lane.
    mv: Sets<L>,
    /// The genuine threats of the side that moved, after the move.
    threats: Sets<L>,
    /// The replies that do not lose at once.
    safe: Sets<L>,
    /// The moves that leave a single reply.
    pub(super) forcing: L::W,
    /// The moves that leave the opponent a choice.
    pub(super) quiet: L::W,
    /// Whether some move wins: every reply to it loses at once.
    pub(super) wins: bool,
}

type Sets<L> = <<L as Layout>::Lanes as Lanes<<L as Layout>::W>>::Sets;

impl<L: Layout> MoveBatch<L> {
    /// The batch of the first eight of those `moves`, which are taken out of the set: of all with
    /// one byte per column. Neither side can win at once, and each move leaves at least one
    /// playable column.
    #[inline(always)]
    pub(super) fn new(board: &BoardMasks<L>, own: L::W, opponent: L::W, moves: &mut L::W) -> Self {
        let all_moves = *moves;
        let mut batch = Self {
            mv: L::Lanes::EMPTY,
            threats: L::Lanes::EMPTY,
            safe: L::Lanes::EMPTY,
            forcing: L::W::ZERO,
            quiet: L::W::ZERO,
            wins: false,
        };
        let Self { mv, threats, safe, .. } = &mut batch;
        if is_dense::<L>() {
            for lane in 0..LANES {
                if moves.is_zero() {
                    break;
                }
                L::Lanes::put(mv, lane, moves.lowest());
                *moves = moves.without_lowest();
            }
        }
        let none = L::Lanes::splat(L::W::ZERO);
        let (mut wins, mut quiet) = (none, none);
        let [own, opponent] = [own, opponent].map(L::Lanes::splat);
        for first in (0..LANES).step_by(vector_lanes::<L>()) {
            if is_dense::<L>() && L::Lanes::get(mv, first).is_zero() {
                break;
            }
            for vector in 0..vector_lanes::<L>() / L::Lanes::COUNT {
                let lane = first + vector * L::Lanes::COUNT;
                let here = if is_dense::<L>() {
                    L::Lanes::read(mv, lane)
                } else {
                    L::Lanes::splat(*moves & board.column(lane as u32))
                };
                let all = own | opponent | here;
                let playable = board.playable(all);
                let open = board.completing(own | here) & !all;
                // The same as `forced::safe_moves`, without branches.
                let forced = playable & open;
                let replies = forced | (forced.where_empty() & playable);
                let left = replies & !(open >> 1) & without_lowest(forced).where_empty();
                wins = wins | (left.where_empty() & here);
                quiet = quiet | (!without_lowest(left).where_empty() & here);
                if !is_dense::<L>() {
                    here.write(mv, lane);
                }
                open.write(threats, lane);
                (left & !here.where_empty()).write(safe, lane);
            }
        }
        if !is_dense::<L>() {
            *moves = L::W::ZERO;
        }
        batch.quiet = quiet.union();
        batch.forcing = all_moves & !*moves & !batch.quiet;
        batch.wins = !wins.union().is_zero();
        batch
    }

    /// The genuine threats of the side that moved, after the move of a lane.
    #[inline(always)]
    pub(super) fn threats(&self, lane: usize) -> L::W {
        L::Lanes::get(&self.threats, lane)
    }

    /// The replies to the move of a lane that do not lose at once.
    #[inline(always)]
    pub(super) fn safe(&self, lane: usize) -> L::W {
        L::Lanes::get(&self.safe, lane)
    }

    /// The lane of a move.
    #[inline(always)]
    pub(super) fn lane_of(&self, board: &BoardMasks<L>, mv: L::W) -> usize {
        let lane = if is_dense::<L>() {
            ((self.forcing | self.quiet) & mv.wrapping_sub(L::W::ONE)).count_ones()
        } else {
            board.column_of(mv.trailing_zeros())
        };
        lane as usize % LANES
    }

    /// An upper bound on the opponent's score that claimeven proves for the side that moved (B), if
    /// one is at most `target`: by afterevens and paired columns too, unless they are left out.
    #[inline(always)]
    pub(super) fn claimeven(
        &self,
        board: &BoardMasks<L>,
        own: L::W,
        opponent: L::W,
        target: i32,
        ideas: Ideas,
    ) -> Option<i32> {
        let (mut proven, mut across) = (L::Lanes::EMPTY, L::Lanes::EMPTY);
        let none = L::Lanes::splat(L::W::ZERO);
        let (mut any_proven, mut any_across) = (none, none);
        self.for_each_vector(board, own, opponent, |lane, at| {
            let reach = bounds::claimeven_reach(board, &at);
            let fours_across = board.fours_across(reach);
            let has_choice = without_lowest(L::Lanes::read(&self.safe, lane));
            let stopped = board.fours_along(0, reach).where_empty() & !has_choice.where_empty();
            let found = stopped & fours_across.where_empty();
            let open = stopped & fours_across;
            found.write(&mut proven, lane);
            open.write(&mut across, lane);
            any_proven = any_proven | found;
            any_across = any_across | open;
        });
        if any_proven.union().is_zero() {
            let pairs = target >= 0 && ideas.has(Idea::PairedColumns);
            let stops = |lane| {
                let at = self.after_one(board, own, opponent, lane);
                columns::has_pair(board, &at, L::Lanes::get(&across, lane))
            };
            return (pairs && !any_across.union().is_zero() && (0..LANES).any(stops)).then_some(0);
        }
        let mut lowest = i32::MAX;
        for lane in 0..LANES {
            if !L::Lanes::get(&proven, lane).is_zero() {
                let threats = self.threats(lane);
                let mut bound = bounds::claimeven_bound(board, threats);
                if bound > target && ideas.has(Idea::Aftereven) {
                    let at = self.after_one(board, own, opponent, lane);
                    bound -= bounds::aftereven_gain(board, &at);
                }
                lowest = lowest.min(bound);
            }
        }
        (lowest <= target).then_some(lowest)
    }

    /// The same for the odd threats of the side that moved (W). Not always the lowest bound.
    #[inline(always)]
    pub(super) fn odd_threat(
        &self,
        board: &BoardMasks<L>,
        own: L::W,
        opponent: L::W,
        target: i32,
    ) -> Option<i32> {
        let mut candidates = L::Lanes::EMPTY;
        let mut any = L::Lanes::splat(L::W::ZERO);
        for vector in 0..LANES / L::Lanes::COUNT {
            let lane = vector * L::Lanes::COUNT;
            let [safe, threats] =
                [&self.safe, &self.threats].map(|sets| L::Lanes::read(sets, lane));
            let has_choice = !without_lowest(safe).where_empty();
            let here = threats & L::Lanes::splat(board.odd) & has_choice;
            here.write(&mut candidates, lane);
            any = any | here;
        }
        let mut any = any.union();
        while !any.is_zero() {
            let mut proven = L::Lanes::EMPTY;
            let none = L::Lanes::splat(L::W::ZERO);
            let (mut hits, mut left) = (none, none);
            self.for_each_vector(board, own, opponent, |lane, at| {
                let here = L::Lanes::read(&candidates, lane);
                let threat = lowest_of(here);
                let fours = board.fours(bounds::odd_threat_reach(board, &at, threat));
                let found = fours.where_empty() & threat;
                let others = here & !board.columns(threat);
                found.write(&mut proven, lane);
                others.write(&mut candidates, lane);
                hits = hits | found;
                left = left | others;
            });
            any = left.union();
            if !hits.union().is_zero() {
                let mut lowest = i32::MAX;
                for lane in 0..LANES {
                    let threat = L::Lanes::get(&proven, lane);
                    if !threat.is_zero() {
                        let threats = self.threats(lane);
                        lowest = lowest.min(bounds::odd_threat_bound(board, threats, threat));
                    }
                }
                if lowest <= target {
                    return Some(lowest);
                }
            }
        }
        None
    }

    /// Calls `bound` with the positions after the moves, as many at a time as a vector has lanes, and
    /// the first of their lanes. Vectors without a move are left out where asking pays.
    #[inline(always)]
    fn for_each_vector(
        &self,
        board: &BoardMasks<L>,
        own: L::W,
        opponent: L::W,
        mut bound: impl FnMut(usize, BoundQuery<L::Lanes>),
    ) {
        for first in (0..LANES).step_by(vector_lanes::<L>()) {
            if is_dense::<L>() && L::Lanes::get(&self.mv, first).is_zero() {
                break;
            }
            for vector in 0..vector_lanes::<L>() / L::Lanes::COUNT {
                let lane = first + vector * L::Lanes::COUNT;
                bound(lane, self.after(board, own, opponent, lane));
            }
        }
    }

    /// The position after the move of a lane.
    #[inline(always)]
    fn after_one(
        &self,
        board: &BoardMasks<L>,
        own: L::W,
        opponent: L::W,
        lane: usize,
    ) -> BoundQuery<L::W> {
        let all = own | opponent | L::Lanes::get(&self.mv, lane);
        let (playable, threats) = (board.playable(all), self.threats(lane));
        BoundQuery { own: opponent, all, playable, threats }
    }

    /// The positions after the moves of as many lanes as a vector has.
    #[inline(always)]
    fn after(
        &self,
        board: &BoardMasks<L>,
        own: L::W,
        opponent: L::W,
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
const fn is_dense<L: Layout>() -> bool {
    DENSE || !L::BYTE_COLUMNS
}

/// The lanes that are computed at once: all of them where each has a column, else as many as fit a
/// vector.
#[inline(always)]
const fn vector_lanes<L: Layout>() -> usize {
    if !is_dense::<L>() {
        LANES
    } else if DENSE {
        L::Lanes::COUNT
    } else {
        4
    }
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
