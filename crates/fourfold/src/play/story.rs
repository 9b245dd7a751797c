//! A reviewed game as a story: how it went for each side, and the moments that decided it.

use super::explain::{Fact, faults, merit, why};
use super::review::{Findings, Judgement, MoveReview, Review};
use crate::game::{Move, Outcome, Position, Side};
use crate::solver::MoveScore;

/// The most moments that are told.
const MOST: usize = 5;
/// Moments other than lost outcomes are told until there are so many.
const ENOUGH: usize = 3;
/// A win that comes later or a loss that comes sooner is told if the score changes by so much.
const LEAST_LOSS: i32 = 2;

/// A game told in short.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Story {
    /// How it went for the first player; none if too few moves are judged to say.
    pub first: Option<Headline>,
    /// How it went for the second player.
    pub second: Option<Headline>,
    /// The moves that mattered most, in the order of the game.
    pub moments: Vec<Moment>,
}

/// How a game went for a side, in exact results. Moves are counted as people do: each side's first
/// one is move 1. A game that is not over counts as it stands with best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Headline {
    /// It was winning until this move of its own, and has not won.
    WinningUntil(u32),
    /// It held the draw until this move of its own, and has lost.
    HoldingUntil(u32),
    /// It lost, and no move of its own was at fault: best play would have won for the opponent from
    /// the start.
    Behind,
    /// It was winning from the start, and never let go.
    NeverLetGo,
    /// It took the chance that the opponent's mistake gave it at this move of its own, and made no
    /// such mistake itself.
    TookChance(u32),
    /// It had thrown away a win or a draw, but won after a mistake of the opponent before this move
    /// of its own.
    SecondChance(u32),
    /// Both sides missed a win, and nobody won.
    BothMissed,
    /// It was losing until the opponent let it get away before this move of its own.
    Escaped(u32),
    /// A draw, and neither side ever threw anything away.
    Balanced,
}

/// A move that mattered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moment {
    /// Discs on the board before the move.
    pub ply: u32,
    /// What happened.
    pub kind: MomentKind,
    /// True of the last lost outcome of the side that lost the game.
    pub decisive: bool,
    /// True if the opponent had thrown something away just before.
    pub returned: bool,
    /// Why the better move was better; of an only move, what it did.
    pub missed: Option<Fact>,
    /// What the move allowed.
    pub allowed: Vec<Fact>,
}

/// What happened at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MomentKind {
    /// A win became a draw.
    WinToDraw,
    /// A win became a loss.
    WinToLoss,
    /// A draw became a loss.
    DrawToLoss,
    /// A win was kept, but comes later.
    SlowerWin,
    /// The game was lost, but it could have lasted longer.
    SoonerLoss,
    /// The only move that kept the outcome was found.
    OnlyMove,
}

impl Review {
    /// The game told in short. Looks at a few positions for some thousand nodes each.
    #[must_use]
    pub fn story(&self) -> Story {
        let mut positions = vec![Position::new(self.rules)];
        for reviewed in &self.moves {
            let Some(Ok(next)) = positions.last().map(|last| last.play(reviewed.mv)) else { break };
            positions.push(next);
        }
        let standing = self.standing(&positions);
        let headline = |side| standing.and_then(|standing| self.headline(side, standing));
        let moments = self
            .turning_points(&positions, standing)
            .into_iter()
            .filter_map(|index| {
                moment(&self.moves, index, positions.get(index)?, self.decisive(standing))
            })
            .collect();
        Story { first: headline(Side::First), second: headline(Side::Second), moments }
    }

    /// 1 if the first player has won, or wins with best play as things stand; -1 for the second, 0
    /// for a draw. None if that is not known.
    fn standing(&self, positions: &[Position]) -> Option<i32> {
        let sign = |side: Side| if side == Side::First { 1 } else { -1 };
        match positions.last()?.outcome() {
            Outcome::Won { by, .. } => Some(sign(by)),
            Outcome::Drawn => Some(0),
            Outcome::Ongoing => {
                let last = self.moves.last()?;
                Some(last.found.as_ref()?.played_score.signum() * sign(last.side))
            }
        }
    }

    fn blunders(&self, side: Side) -> impl Iterator<Item = (&MoveReview, &Findings)> {
        self.moves
            .iter()
            .filter(move |reviewed| reviewed.side == side)
            .filter_map(|reviewed| Some((reviewed, reviewed.found.as_ref()?)))
            .filter(|(_, found)| found.judgement == Judgement::Blunder)
    }

    fn headline(&self, side: Side, standing: i32) -> Option<Headline> {
        let complete = self.moves.iter().all(|reviewed| reviewed.found.is_some());
        let number = |ply: u32| ply / 2 + 1;
        let threw_win = |side| self.blunders(side).filter(|(_, found)| found.best_score > 0).last();
        let last = self.blunders(side).last();
        let gift = self.blunders(side.other()).last().map(|(reviewed, _)| number(reviewed.ply + 1));
        let taken =
            |chance: u32| self.moves.iter().any(|mv| mv.side == side && number(mv.ply) == chance);
        let mine = if side == Side::First { standing } else { -standing };
        match mine {
            -1 => match last {
                Some((lost, found)) if found.best_score > 0 => {
                    Some(Headline::WinningUntil(number(lost.ply)))
                }
                Some((lost, _)) => Some(Headline::HoldingUntil(number(lost.ply))),
                None => complete.then_some(Headline::Behind),
            },
            0 => match (threw_win(side), threw_win(side.other())) {
                (Some(_), Some(_)) => Some(Headline::BothMissed),
                (Some((lost, _)), None) => Some(Headline::WinningUntil(number(lost.ply))),
                (None, Some(_)) => gift.map(Headline::Escaped),
                (None, None) => complete.then_some(Headline::Balanced),
            },
            _ => match (last, gift) {
                // A chance that is there, but not taken yet, is no story.
                (_, Some(chance)) if !taken(chance) => None,
                (Some(_), Some(chance)) => Some(Headline::SecondChance(chance)),
                (None, Some(chance)) if complete => Some(Headline::TookChance(chance)),
                (None, None) if complete => Some(Headline::NeverLetGo),
                _ => None,
            },
        }
    }

    /// The last lost outcome of the side that has lost, by its index.
    fn decisive(&self, standing: Option<i32>) -> Option<usize> {
        let loser = match standing? {
            1 => Side::Second,
            -1 => Side::First,
            _ => return None,
        };
        self.blunders(loser).last().map(|(reviewed, _)| reviewed.ply as usize)
    }

    /// The moves that mattered most, by their index: lost outcomes; if there are few, the greatest
    /// losses of distance and the only moves that were not plain to see.
    fn turning_points(&self, positions: &[Position], standing: Option<i32>) -> Vec<usize> {
        let decisive = self.decisive(standing);
        let (mut lost, mut others) = (Vec::new(), Vec::new());
        for (index, (reviewed, position)) in self.moves.iter().zip(positions).enumerate() {
            let Some(found) = &reviewed.found else { continue };
            let loss = found.best_score - found.played_score;
            match found.judgement {
                Judgement::Blunder => {
                    let signs = found.best_score.signum() - found.played_score.signum();
                    lost.push((decisive == Some(index), signs, index));
                }
                Judgement::Inaccuracy if loss >= LEAST_LOSS => others.push((1, loss, index)),
                Judgement::Best if found.only_move && !is_plain(position) => {
                    let worst = found.columns.iter().map(|column| column.score).min();
                    others.push((0, found.best_score - worst.unwrap_or_default(), index));
                }
                _ => {}
            }
        }
        lost.sort_unstable();
        others.sort_unstable();
        let mut chosen: Vec<usize> =
            lost.iter().rev().take(MOST).map(|&(_, _, index)| index).collect();
        let room = ENOUGH.saturating_sub(chosen.len());
        chosen.extend(others.iter().rev().take(room).map(|&(_, _, index)| index));
        chosen.sort_unstable();
        chosen
    }
}

/// Whether there is a win at once, or one to block: anybody would see the move.
fn is_plain(position: &Position) -> bool {
    position.wins_at_once() || !position.threatened_moves().is_empty()
}

/// What happened at a move; none if it is not judged.
fn moment(
    moves: &[MoveReview],
    index: usize,
    position: &Position,
    decisive: Option<usize>,
) -> Option<Moment> {
    let reviewed = moves.get(index)?;
    let found = reviewed.found.as_ref()?;
    let kind = match (found.judgement, found.best_score.signum(), found.played_score.signum()) {
        (Judgement::Blunder, 1, 0) => MomentKind::WinToDraw,
        (Judgement::Blunder, 1, _) => MomentKind::WinToLoss,
        (Judgement::Blunder, _, _) => MomentKind::DrawToLoss,
        (Judgement::Inaccuracy, 1, _) => MomentKind::SlowerWin,
        (Judgement::Inaccuracy, _, _) => MomentKind::SoonerLoss,
        _ => MomentKind::OnlyMove,
    };
    let before = index.checked_sub(1).and_then(|before| moves.get(before)?.found.as_ref());
    let reason = || why(position, &chosen(found));
    let (missed, allowed) = if kind == MomentKind::OnlyMove {
        (merit(position, reviewed.mv).or_else(reason), Vec::new())
    } else {
        (reason(), what_it_allowed(position, reviewed, found))
    };
    Some(Moment {
        ply: reviewed.ply,
        kind,
        decisive: decisive == Some(index),
        returned: found.judgement == Judgement::Blunder
            && before.is_some_and(|found| found.judgement == Judgement::Blunder),
        missed,
        allowed,
    })
}

/// The results of the moves, without the best ones other than the one that is shown.
fn chosen(found: &Findings) -> Vec<MoveScore> {
    let shown = found.better.first();
    let other_best = |column: &&MoveScore| {
        column.score == found.best_score && shown.is_some_and(|&shown| column.mv != shown)
    };
    found.columns.iter().filter(|column| !other_best(column)).copied().collect()
}

fn what_it_allowed(position: &Position, reviewed: &MoveReview, found: &Findings) -> Vec<Fact> {
    let reply: Option<Move> = found.refutation.first().copied();
    let played = MoveScore { mv: reviewed.mv, verdict: found.played, score: found.played_score };
    let mut facts = faults(position, played, reply);
    if let Some(mv) = reply.filter(|reply| found.best_moves.contains(reply))
        && facts.is_empty()
    {
        facts.push(Fact::Takes { by: reviewed.side.other(), mv });
    }
    facts
}
