//! Decides positions close to the horizon without search.
//!
//! A null window limits how far ahead a search has to look: *is the score above `alpha`?* asks
//! whether one side, the attacker, wins by a certain ply. That ply is the *horizon*: a later win
//! does not count, and the defender only has to hold out until then.

use super::Engine;
use crate::game::Word;
use crate::solver::batch::MoveBatch;
use crate::solver::cpu::Cpu;
use crate::solver::forced::{QuietPosition, Resolved};
use crate::solver::ideas::Idea;
use crate::solver::layout::Layout;

/// What still matters this close to the horizon, with the bound if it is there and the bound if it
/// is not.
#[derive(Debug, Clone, Copy)]
pub(super) enum Horizon {
    /// The horizon is more than four plies away.
    Far,
    /// Only a win in three plies comes in time.
    WinInThree { win: i32, no_win: i32 },
    /// Only a loss in four plies comes in time.
    LossInFour { loss: i32, no_loss: i32 },
}

impl<L: Layout> Engine<L> {
    /// How close the horizon of the null window at `alpha` is to a ply.
    #[inline(always)]
    pub(super) fn horizon<C: Cpu>(&self, ply: i32, alpha: i32) -> Horizon {
        if self.lacks::<C>(Idea::Horizon) {
            return Horizon::Far;
        }
        let left = self.board.count - ply;
        let (no_win, no_loss) = ((left - 3) / 2, -((left - 4) / 2));
        if no_win <= alpha {
            Horizon::WinInThree { win: (left - 1) / 2, no_win }
        } else if no_loss > alpha {
            Horizon::LossInFour { loss: -((left - 2) / 2), no_loss }
        } else {
            Horizon::Far
        }
    }

    /// A bound that decides a position close to the horizon.
    #[inline(always)]
    pub(super) fn decide_at(
        &self,
        position: &QuietPosition<L::W>,
        horizon: Horizon,
    ) -> Option<i32> {
        let &QuietPosition { own, opponent, safe, .. } = position;
        match horizon {
            Horizon::Far => None,
            Horizon::WinInThree { win, no_win } => {
                Some(if self.wins_in_three(own, opponent, safe) { win } else { no_win })
            }
            Horizon::LossInFour { loss, no_loss } => {
                Some(if self.loses_in_four(own, opponent, safe) { loss } else { no_loss })
            }
        }
    }

    /// Resolves the position after a move and its forced reply, and decides it here if that takes
    /// no search. If the mover is to move again after further forced moves, it may have a win in
    /// three plies by now.
    #[inline(always)]
    pub(super) fn resolve_forcing<C: Cpu>(
        &self,
        discs: (L::W, L::W),
        ply: i32,
        alpha: i32,
    ) -> Resolved<L::W> {
        let resolved = self.resolve::<C>(discs, ply, alpha, self.board.completing_one(discs.1));
        let Resolved::Quiet { position, swapped } = &resolved else { return resolved };
        let (sign, alpha) = if *swapped { (-1, -alpha - 1) } else { (1, alpha) };
        if let Some(value) = self.decide_at(position, self.horizon::<C>(position.ply, alpha)) {
            return Resolved::Bound(sign * value);
        }
        if !swapped && self.wins_in_three(position.own, position.opponent, position.safe) {
            return Resolved::Bound((self.board.count - 1 - position.ply) / 2);
        }
        resolved
    }

    /// Whether some move leaves only replies that lose at once.
    #[inline(always)]
    fn wins_in_three(&self, own: L::W, opponent: L::W, safe: L::W) -> bool {
        let mut moves = safe;
        loop {
            if MoveBatch::new(&self.board, own, opponent, &mut moves).wins {
                return true;
            }
            if moves.is_zero() {
                return false;
            }
        }
    }

    /// Whether every move leaves the opponent a win in three plies.
    #[inline(always)]
    fn loses_in_four(&self, own: L::W, opponent: L::W, safe: L::W) -> bool {
        let board = &self.board;
        let mut rest = safe;
        loop {
            let before = rest;
            let batch = MoveBatch::new(board, own, opponent, &mut rest);
            if batch.wins {
                return false;
            }
            let mut moves = before & !rest;
            while !moves.is_zero() {
                let mv = moves.lowest();
                moves = moves.without_lowest();
                let (after, replies) = (own | mv, batch.safe(batch.lane_of(board, mv)));
                let loses = if replies.without_lowest().is_zero() {
                    // The reply is forced. Does it leave no safe move?
                    let opponent = opponent | replies;
                    let all = after | opponent;
                    board.safe_moves(all, board.completing_one(opponent) & !all).is_zero()
                } else {
                    self.wins_in_three(opponent, after, replies)
                };
                if !loses {
                    return false;
                }
            }
            if rest.is_zero() {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Rules};
    use crate::random::Random;
    use crate::solver::board::BoardMasks;
    use crate::solver::ideas::Ideas;
    use crate::solver::layout::{ByteColumns, PackedColumns};
    use crate::solver::soundness::random_position;

    /// Can the side to move win within so many plies? By the rules alone.
    fn wins_within(position: &Position, plies: u32) -> bool {
        position.wins_at_once()
            || plies > 1
                && position
                    .legal_moves()
                    .iter()
                    .any(|&mv| loses_within(&position.play_unchecked(mv), plies - 1))
    }

    fn loses_within(position: &Position, plies: u32) -> bool {
        let moves = position.legal_moves();
        plies > 1
            && !moves.is_empty()
            && !position.wins_at_once()
            && moves.iter().all(|&mv| wins_within(&position.play_unchecked(mv), plies - 1))
    }

    /// How many of the positions are a win in three plies, and how many a loss in four.
    fn check<L: Layout>(game: &str, layout: L, seed: u64) -> (u32, u32) {
        let rules: Rules = game.parse().unwrap();
        let engine =
            Engine::new(BoardMasks::new(&rules, layout), Ideas::NO_BOUNDS, 1 << 10).unwrap();
        let mut random = Random::new(seed);
        let (mut wins, mut losses) = (0, 0);
        for _ in 0..2000 {
            let plies = random.below(rules.cells() as usize - 2) as u32;
            let Some(position) = random_position(&rules, plies, true, &mut random) else {
                continue;
            };
            let (own, opponent) = engine.board.discs(&position);
            let all = own | opponent;
            let safe = engine.board.safe_moves(all, engine.board.completing_one(opponent) & !all);
            if position.wins_at_once() || safe.without_lowest().is_zero() {
                continue;
            }
            let win = engine.wins_in_three(own, opponent, safe);
            assert_eq!(win, wins_within(&position, 3), "{game}, seed {seed}\n{position}");
            let loss = engine.loses_in_four(own, opponent, safe);
            assert_eq!(loss, loses_within(&position, 4), "{game}, seed {seed}\n{position}");
            wins += u32::from(win);
            losses += u32::from(loss);
        }
        (wins, losses)
    }

    #[test]
    fn decisions_near_the_horizon_agree_with_the_rules() {
        for (wins, losses) in [
            check("7x6c4", ByteColumns, 1),
            check("5x4c4", ByteColumns, 2),
            check("6x7c4", PackedColumns::<u64>::new(6, 7), 3),
            check("9x5c4", PackedColumns::<u64>::new(9, 5), 4),
            check("10x7c4", PackedColumns::<u128>::new(10, 7), 5),
        ] {
            assert!(wins > 20 && losses > 2, "{wins} wins, {losses} losses");
        }
    }
}
