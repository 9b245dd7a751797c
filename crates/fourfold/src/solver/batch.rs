//! The moves of up to eight columns at once: what the opponent can answer, and what the static
//! bounds say then.
//!
//! For a byte a column every loop here is straight-line code over eight words, without branches, so
//! that compilers turn it into vector instructions where the processor has them. In other layouts,
//! where that would gain nothing, columns without a move are left out.

#![expect(clippy::needless_range_loop, reason = "a lane is a place in several arrays at once")]

use super::bounds::{self, Situation};
use super::field::Field;
use super::layout::Layout;
use crate::game::Word;

/// Columns looked at together.
pub(super) const LANES: usize = 8;

/// Moves, one a column, and what they lead to. Where there is no move, there is no reply either.
pub(super) struct Lanes<W> {
    /// The moves.
    mv: [W; LANES],
    /// The genuine threats of the side that moved.
    pub(super) threats: [W; LANES],
    /// The replies that do not lose at once.
    pub(super) safe: [W; LANES],
    /// The moves that leave a single reply.
    pub(super) forcing: W,
    /// The moves that leave a choice.
    pub(super) free: W,
    /// Is there a move after which every reply loses?
    pub(super) wins: bool,
}

impl<W: Word> Lanes<W> {
    /// Where the columns end. A roomy layout has no more than eight: said so that nothing needs to
    /// be computed of which they are.
    #[inline(always)]
    pub(super) fn end<L: Layout<W = W>>(field: &Field<L>) -> u32 {
        if L::ROOMY { LANES as u32 } else { field.width }
    }

    /// The moves among `moves` in eight columns from `first` on. Nobody can win at once, and a
    /// column is left after each.
    #[inline(always)]
    pub(super) fn new<L: Layout<W = W>>(
        field: &Field<L>,
        own: W,
        opponent: W,
        moves: W,
        first: u32,
    ) -> Self {
        let (mut mv, mut threats, mut safe) =
            ([W::ZERO; LANES], [W::ZERO; LANES], [W::ZERO; LANES]);
        let (mut wins, mut forcing, mut free) = (W::ZERO, W::ZERO, W::ZERO);
        for lane in 0..LANES {
            let here = moves & field.column(first + lane as u32);
            if !L::ROOMY && here.is_zero() {
                continue;
            }
            let all = own | opponent | here;
            let playable = field.playable(all);
            let open = field.completing(own | here) & !all;
            // Two threats cannot both be blocked, and below a threat one must not play.
            let forced = playable & open;
            let replies = forced | all_if(forced.is_zero(), playable);
            let left = replies & !(open >> 1) & all_if(forced.without_lowest().is_zero(), !W::ZERO);
            wins |= all_if(left.is_zero(), here);
            let choice = all_if(!left.without_lowest().is_zero(), here);
            free |= choice;
            forcing |= here & !choice;
            mv[lane] = here;
            threats[lane] = open;
            safe[lane] = left & all_if(!here.is_zero(), !W::ZERO);
        }
        Self { mv, threats, safe, forcing, free, wins: !wins.is_zero() }
    }

    /// The best that evens proves for the side that moved (B), if its opponent can get at most
    /// `wanted`.
    #[inline(always)]
    pub(super) fn evens<L: Layout<W = W>>(
        &self,
        field: &Field<L>,
        own: W,
        opponent: W,
        wanted: i32,
    ) -> Option<i32> {
        let mut proven = [W::ZERO; LANES];
        let mut any = W::ZERO;
        for lane in 0..LANES {
            if !L::ROOMY && self.safe[lane].is_zero() {
                continue;
            }
            let at = self.situation(field, own, opponent, lane);
            let fours = field.fours(bounds::evens_reach(field, &at));
            proven[lane] = all_if(fours.is_zero(), self.safe[lane].without_lowest());
            any |= proven[lane];
        }
        if any.is_zero() {
            return None;
        }
        let mut least = i32::MAX;
        for lane in 0..LANES {
            if !proven[lane].is_zero() {
                least = least.min(bounds::evens_most(field, self.threats[lane]));
            }
        }
        (least <= wanted).then_some(least)
    }

    /// The same for the side that moved (W) and its odd threats.
    #[inline(always)]
    pub(super) fn odd_threat<L: Layout<W = W>>(
        &self,
        field: &Field<L>,
        own: W,
        opponent: W,
        wanted: i32,
    ) -> Option<i32> {
        let mut candidates = [W::ZERO; LANES];
        let mut any = W::ZERO;
        for lane in 0..LANES {
            candidates[lane] =
                all_if(!self.safe[lane].without_lowest().is_zero(), self.threats[lane] & field.odd);
            any |= candidates[lane];
        }
        while !any.is_zero() {
            let mut proven = [W::ZERO; LANES];
            let mut hits = W::ZERO;
            any = W::ZERO;
            for lane in 0..LANES {
                if !L::ROOMY && candidates[lane].is_zero() {
                    continue;
                }
                let at = self.situation(field, own, opponent, lane);
                let threat = candidates[lane].lowest();
                let fours = field.fours(bounds::odd_reach(field, &at, threat));
                proven[lane] = all_if(fours.is_zero(), threat);
                candidates[lane] &= !field.columns(threat);
                hits |= proven[lane];
                any |= candidates[lane];
            }
            if !hits.is_zero() {
                let mut least = i32::MAX;
                for lane in 0..LANES {
                    if !proven[lane].is_zero() {
                        least =
                            least.min(bounds::odd_most(field, self.threats[lane], proven[lane]));
                    }
                }
                if least <= wanted {
                    return Some(least);
                }
            }
        }
        None
    }

    #[inline(always)]
    fn situation<L: Layout<W = W>>(
        &self,
        field: &Field<L>,
        own: W,
        opponent: W,
        lane: usize,
    ) -> Situation<W> {
        let all = own | opponent | self.mv[lane];
        Situation { own: opponent, all, playable: field.playable(all), threats: self.threats[lane] }
    }
}

#[inline(always)]
fn all_if<W: Word>(condition: bool, set: W) -> W {
    if condition { set } else { W::ZERO }
}
