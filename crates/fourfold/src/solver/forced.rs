//! Forced moves: a position is resolved before it counts as a node.
//!
//! Both searches share this. A move that is the only one not to lose at once is played, and so is
//! the reply if that is forced too, until the null window is decided or a position is *quiet*:
//! neither side wins at once, and the side to move has a choice.

use super::bounds::BoundQuery;
use crate::game::Word;

/// A quiet position: neither side wins at once, and the side to move has at least two safe moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuietPosition<W> {
    /// The discs of the side to move.
    pub(super) own: W,
    pub(super) opponent: W,
    pub(super) ply: i32,
    /// The moves that do not lose at once.
    pub(super) safe: W,
    /// The genuine threats of the side that moved last.
    pub(super) threats: W,
}

/// What becomes of a position once forced moves are played.
pub(super) enum Resolved<W> {
    /// A bound on its score that decides the null window.
    Bound(i32),
    /// A position to search; `swapped` if the other side is to move there.
    Quiet { position: QuietPosition<W>, swapped: bool },
}

/// What [`resolve`] needs to know of a game.
pub(super) trait ForcedMoveRules {
    type W: Word;

    /// The number of cells of the board.
    fn cell_count(&self) -> i32;

    /// The cells that may be played in.
    fn playable(&self, all: Self::W) -> Self::W;

    /// The cells that complete a winning shape for the owner of `discs`, empty or not.
    fn completing(&self, discs: Self::W) -> Self::W;

    /// See [`safe_moves`].
    fn safe_moves(&self, playable: Self::W, threats: Self::W) -> Self::W;

    /// A static bound on the score of the side to move that decides the null window at `alpha`.
    fn static_bound(&self, at: &BoundQuery<Self::W>, ply: i32, alpha: i32) -> Option<i32>;
}

/// The moves that do not lose at once, given the genuine threats of the side that moved last.
#[inline(always)]
pub(super) fn safe_moves<W: Word, const GRAVITY: bool>(playable: W, threats: W) -> W {
    // Two playable threats cannot both be blocked. Under gravity, a move right below a threat
    // lets the opponent play it.
    let forced = playable & threats;
    let moves = if forced.is_zero() { playable } else { forced };
    let safe = if GRAVITY { moves & !(threats >> 1) } else { moves };
    if forced.without_lowest().is_zero() { safe } else { W::ZERO }
}

/// Plays forced moves and applies the static bounds, until the null window at `alpha` is decided or
/// the position is quiet. The side to move must not be able to win at once.
///
/// `threats` are the cells that complete a shape for the side that moved last. Values are for the
/// owner of `own`. `on_forced` is called with every forced move and the ply it is played at. Unless
/// `plays_forced`, forced moves are not played, and a position with one is as good as quiet.
#[inline(always)]
pub(super) fn resolve<R: ForcedMoveRules>(
    rules: &R,
    (mut own, mut opponent): (R::W, R::W),
    mut ply: i32,
    mut alpha: i32,
    mut threats: R::W,
    plays_forced: bool,
    mut on_forced: impl FnMut(R::W, i32),
) -> Resolved<R::W> {
    let count = rules.cell_count();
    let mut swapped = false;
    'forced: loop {
        let all = own | opponent;
        let playable = rules.playable(all);
        threats &= !all;
        let value = 'decided: {
            let loss = -((count - ply) / 2);
            let safe = rules.safe_moves(playable, threats);
            if safe.is_zero() {
                break 'decided if playable.is_zero() { 0 } else { loss };
            }
            if ply >= count - 2 {
                break 'decided 0;
            }
            // The soonest win is three plies away, the soonest loss four. (In chess: mate distance
            // pruning.)
            let soonest_win = (count - 1 - ply) / 2;
            if soonest_win <= alpha {
                break 'decided soonest_win;
            }
            let soonest_loss = -((count - 2 - ply) / 2);
            if soonest_loss > alpha {
                break 'decided soonest_loss;
            }
            if plays_forced && safe.without_lowest().is_zero() {
                on_forced(safe, ply);
                (own, opponent) = (opponent, own | safe);
                ply += 1;
                alpha = -alpha - 1;
                swapped = !swapped;
                threats = rules.completing(opponent);
                continue 'forced;
            }
            let at = BoundQuery { own, all, playable, threats };
            // The bounds need a position without a playable threat: here there is one only if forced
            // moves are not played.
            if (plays_forced || (playable & threats).is_zero())
                && let Some(bound) = rules.static_bound(&at, ply, alpha)
            {
                break 'decided bound;
            }
            return Resolved::Quiet {
                position: QuietPosition { own, opponent, ply, safe, threats },
                swapped,
            };
        };
        return Resolved::Bound(if swapped { -value } else { value });
    }
}
