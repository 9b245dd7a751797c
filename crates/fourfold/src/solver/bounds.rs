//! Static bounds: what follow-up strategies prove without search.
//!
//! These strategies are V. Allis' ("A Knowledge-based Approach of Connect-Four", 1988), applied to
//! the whole board at once. `docs/solver.md` proves them, with drawings, for boards of even
//! height. With rows counted from the top, and with the parity of the number of empty cells in
//! place of the player, they hold on every board. W is the first player, B the second; rows count
//! from 1. A *genuine threat* is an empty cell that would complete four with three discs already
//! on the board. A player's *reach* is every cell that he can still get against the strategy.
//!
//! 1. *Claimeven.* W to move. Wherever W plays, B follows up right above and so claims the even
//!    cells. If W takes an even cell that is playable now, B takes another such cell, as in Allis'
//!    baseinverse; there is an even number of them. So W's reach is his discs, the cells playable
//!    now and the odd cells. A genuine B threat on an even row ends the game when W plays below
//!    it, so W never gets that cell nor any above it. If the reach holds no four, W does not win;
//!    if B has such threats, W ends up in zugzwang and loses.
//! 2. *Aftereven.* B's discs and the even cells that are not playable yet, all of which he claims
//!    in that way, contain a four. Then he does not only draw: he wins.
//! 3. *Odd threat.* B to move, and W has a genuine threat `t` on an odd row that is not playable
//!    yet. W follows up elsewhere, and in the column of `t` ensures that B must play the cell
//!    below `t` (zugzwang). B's reach is his discs, the cells playable now, the odd cells outside
//!    that column, and the even cells below `t` in it, less the cells on or above a genuine even
//!    threat of W elsewhere. If the reach holds no four, W wins, on `t` at the latest.
//! 4. *Paired columns*, in `columns.rs`. W to move. Claimeven, but two columns are a region in which
//!    B gets all odd cells of one of them.
//! 5. *Answers on top*, and 6. *columns left alone*, in `on_top.rs`: for the side that cannot follow
//!    up, and for a side that only has to hold out for a while.

use super::board::BoardMasks;
use super::columns;
use super::ideas::{Idea, Ideas};
use super::lanes::{LaneWord, Lanes};
use super::layout::Layout;
use crate::game::Word;

/// A position that a static bound is computed for, or one in each lane.
pub(super) struct BoundQuery<S> {
    /// The discs of the side to move, whose score is bounded from above.
    pub(super) own: S,
    /// All discs.
    pub(super) all: S,
    /// The cells playable now.
    pub(super) playable: S,
    /// The genuine threats of the side that moved last; none of them is playable.
    pub(super) threats: S,
}

impl<W: LaneWord> BoundQuery<W> {
    /// The same in the form that is quickest to shift.
    #[inline(always)]
    fn lane(&self) -> BoundQuery<W::Lane> {
        let Self { own, all, playable, threats } = *self;
        let [own, all, playable, threats] = [own, all, playable, threats].map(W::Lane::splat);
        BoundQuery { own, all, playable, threats }
    }
}

/// An upper bound on the score of W, to move, if claimeven proves one that is at most `target`: by
/// afterevens and paired columns too, unless they are left out.
#[inline(always)]
pub(super) fn claimeven<L: Layout>(
    board: &BoardMasks<L>,
    at: &BoundQuery<L::W>,
    target: i32,
    ideas: Ideas,
) -> Option<i32> {
    let mut bound = claimeven_bound(board, at.threats);
    let most_gain = if ideas.has(Idea::Aftereven) { board.height as i32 / 2 } else { 0 };
    if bound - most_gain > target {
        return None;
    }
    let reach = claimeven_reach(board, &at.lane());
    if !board.fours_along(0, reach).union().is_zero() {
        return None;
    }
    let across = board.fours_across(reach).union();
    if !across.is_zero() {
        let pairs =
            target >= 0 && ideas.has(Idea::PairedColumns) && columns::has_pair(board, at, across);
        return pairs.then_some(0);
    }
    if bound > target {
        bound -= aftereven_gain(board, at);
    }
    (bound <= target).then_some(bound)
}

/// The upper bound that claimeven proves if W's reach holds no four.
#[inline(always)]
pub(super) fn claimeven_bound<L: Layout>(board: &BoardMasks<L>, threats: L::W) -> i32 {
    -(claimeven_zugzwang(board, threats).count_ones() as i32 / 2)
}

/// What W, to move, can get.
#[inline(always)]
pub(super) fn claimeven_reach<L: Layout, S: Lanes<L::W>>(
    board: &BoardMasks<L>,
    at: &BoundQuery<S>,
) -> S {
    let left = claimeven_zugzwang(board, at.threats);
    (at.own | at.playable | (S::splat(board.odd) & !at.all)) & !(left << 1)
}

/// The cells left when W is in zugzwang: those from the cell below each even threat upward.
#[inline(always)]
fn claimeven_zugzwang<L: Layout, S: Lanes<L::W>>(board: &BoardMasks<L>, threats: S) -> S {
    board.and_above((threats & S::splat(board.even)) >> 1)
}

/// How much lower an aftereven makes the bound of claimeven: half of the cells from below its
/// highest missing cell upward, which are left when W is in zugzwang. 0 without an aftereven.
#[inline(always)]
pub(super) fn aftereven_gain<L: Layout>(board: &BoardMasks<L>, at: &BoundQuery<L::W>) -> i32 {
    let discs = at.all & !at.own;
    // Columns with a genuine even threat are left at the end anyway.
    let left = board.columns(claimeven_zugzwang(board, at.threats));
    let mut claimed = board.even & !at.all & !at.playable & !left;
    let mut highest = board.top_row();
    let mut gain = 0;
    while !claimed.is_zero()
        && !board.fours(<L::W as LaneWord>::Lane::splat(discs | claimed)).union().is_zero()
    {
        gain += 1;
        claimed &= !highest;
        highest = highest >> 2;
    }
    gain
}

/// An upper bound on the score of B, to move, if an odd threat of W proves one that is at most
/// `target`.
#[inline(always)]
pub(super) fn odd_threat<L: Layout>(
    board: &BoardMasks<L>,
    at: &BoundQuery<L::W>,
    target: i32,
) -> Option<i32> {
    let mut candidates = at.threats & board.odd;
    while !candidates.is_zero() {
        let threat = candidates.lowest();
        let bound = odd_threat_bound(board, at.threats, threat);
        let is_proven = || {
            let reach =
                odd_threat_reach(board, &at.lane(), <L::W as LaneWord>::Lane::splat(threat));
            board.fours(reach).union().is_zero()
        };
        if bound <= target && is_proven() {
            return Some(bound);
        }
        candidates &= !board.columns(threat);
    }
    None
}

/// The upper bound that W's odd threat proves if B's reach holds no four.
#[inline(always)]
pub(super) fn odd_threat_bound<L: Layout>(
    board: &BoardMasks<L>,
    threats: L::W,
    threat: L::W,
) -> i32 {
    -((1 + odd_threat_zugzwang(board, threats, threat).count_ones() as i32) / 2)
}

/// What B, to move, can get while W holds the odd threat.
#[inline(always)]
pub(super) fn odd_threat_reach<L: Layout, S: Lanes<L::W>>(
    board: &BoardMasks<L>,
    at: &BoundQuery<S>,
    threat: S,
) -> S {
    let column = board.columns(threat);
    // In the threat's column B gets the even cells below it, elsewhere the odd ones.
    let parity = (S::splat(board.odd) & !column) | (S::splat(board.even) & column);
    let left = odd_threat_zugzwang(board, at.threats, threat);
    at.own | ((at.playable | (parity & !at.all)) & !(left << 1 | threat))
}

/// The cells left when B is in zugzwang, but for the one below `threat`: those from `threat`
/// upward, and from the cell below each of W's even threats elsewhere upward.
#[inline(always)]
fn odd_threat_zugzwang<L: Layout, S: Lanes<L::W>>(
    board: &BoardMasks<L>,
    threats: S,
    threat: S,
) -> S {
    board.and_above(threat | (threats & S::splat(board.even) & !board.columns(threat)) >> 1)
}
