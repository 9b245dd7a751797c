//! Makes the children of a node and puts them in order.
//!
//! Whatever decides the node without search is tried for all children first, cheapest first: wins
//! in three plies, static bounds, forced moves, and the transposition table (enhanced
//! transposition cutoffs, Schaeffer and Plaat 1996). Only the children still open are ranked.

use super::horizon::Horizon;
use super::{Child, Engine, Node, SEARCHED, priority};
use crate::game::Word;
use crate::solver::batch::MoveBatch;
use crate::solver::cpu::Cpu;
use crate::solver::forced::{QuietPosition, Resolved};
use crate::solver::history::{HistoryContext, HistoryView};
use crate::solver::ideas::Idea;
use crate::solver::layout::Layout;
use crate::solver::on_top;
use crate::solver::opening::ReachedPosition;
use crate::solver::order::{LeftToRight, Ranker, Ranking, RankingContext};
use crate::solver::table::ScoreBounds;
use std::ops::ControlFlow;

/// A step of the expansion that may break off with a cutoff: a lower bound above `alpha`.
type OrCutoff<T> = ControlFlow<i32, T>;

/// The children that need search.
pub(super) struct OpenChildren {
    /// The best upper bound of the other children; a value that any score exceeds if there are
    /// none.
    pub(super) best: i32,
    /// The priority of the first child to search; [`SEARCHED`] if there is none.
    pub(super) next: u32,
}

/// What it takes to rank the children of a node with a closer look: by a large policy network or,
/// on boards without networks, by the opening ranker.
pub(in crate::solver) struct CloseRanking<W> {
    first_child: usize,
    /// Which of the children are open, as a bit set of their indices.
    open: u64,
    context: RankingContext<W>,
    history_context: HistoryContext<W>,
}

impl<L: Layout> Engine<L> {
    /// Pushes the children of the node at that index onto the stack and gives those that need
    /// search a priority.
    #[inline(always)]
    pub(super) fn expand<C: Cpu>(
        &mut self,
        at: usize,
        alpha: i32,
        history_context: HistoryContext<L::W>,
    ) -> OrCutoff<OpenChildren> {
        let parent = self.children[at].node.position;
        let first_child = self.children.len();
        let shared = self.abdada.shares(parent.ply + 1);
        let best = self.push_children::<C>(&parent, alpha, shared)?;
        let (best, open) = self.probe_children::<C>(first_child, alpha, best, shared)?;
        let next = if open == 0 {
            SEARCHED
        } else if open.is_power_of_two() {
            // The only child left needs no rank.
            let index = open.trailing_zeros() as usize;
            let next = priority(0, index);
            self.children[first_child + index].priority = next;
            next
        } else {
            let QuietPosition { own, opponent, ply, threats, .. } = parent;
            let context = RankingContext { discs: (own, opponent), threats, ply, alpha };
            self.rank_children::<C>(first_child, open, context, history_context)
        };
        ControlFlow::Continue(OpenChildren { best, next })
    }

    /// Pushes the children that are neither decided by a win in three plies, a static bound or
    /// forced moves, nor close to the horizon. Returns the best upper bound of the others.
    #[inline(always)]
    fn push_children<C: Cpu>(
        &mut self,
        parent: &QuietPosition<L::W>,
        alpha: i32,
        shared: bool,
    ) -> OrCutoff<i32> {
        let &QuietPosition { own, opponent, ply, safe, .. } = parent;
        let count = self.board.count;
        let child_horizon = self.horizon::<C>(ply + 1, -alpha - 1);
        let mut best = ScoreBounds::UNKNOWN.lower;
        let mut moves = safe;
        if alpha < 0
            && self.ideas.has(Idea::OnTop)
            && let Some(bound) =
                on_top::bound_after_move(&self.board, own, opponent, safe, -alpha - 1, self.ideas)
        {
            return ControlFlow::Break(-bound);
        }
        loop {
            let mut batch = MoveBatch::new(&self.board, own, opponent, &mut moves);
            if batch.wins {
                return ControlFlow::Break((count - 1 - ply) / 2);
            }
            // No win in three plies by these moves. The next soonest is in five; with three
            // cells left there is none.
            let win_in_five = (count - 3 - ply) / 2;
            if win_in_five <= alpha {
                best = win_in_five;
            } else {
                if ply >= count - 3 {
                    return ControlFlow::Break(0);
                }
                if let Some(bound) = self.batch_bound(&batch, parent, alpha) {
                    return ControlFlow::Break(-bound);
                }
                if self.lacks::<C>(Idea::ForcedMoves) {
                    (batch.forcing, batch.quiet) = (L::W::ZERO, batch.forcing | batch.quiet);
                }
                best = self.push_forcing::<C>(&batch, parent, alpha, best, shared)?;
                best = self.push_quiet::<C>(&batch, parent, alpha, best, child_horizon, shared)?;
            }
            if moves.is_zero() {
                return ControlFlow::Continue(best);
            }
        }
    }

    /// A static upper bound on the opponent's score after some move of the batch that causes a
    /// cutoff.
    #[inline(always)]
    fn batch_bound(
        &self,
        batch: &MoveBatch<L>,
        parent: &QuietPosition<L::W>,
        alpha: i32,
    ) -> Option<i32> {
        let (board, ideas) = (&self.board, self.ideas);
        let &QuietPosition { own, opponent, ply, .. } = parent;
        let target = -alpha - 1;
        if (board.count - 5 - ply) / 2 <= alpha {
            // Only a win in five plies would be soon enough, and static bounds are about the end
            // of the game.
            None
        } else if (board.count - ply) % 2 == 0 {
            if ideas.has(Idea::OddThreat) {
                batch.odd_threat(board, own, opponent, target)
            } else {
                None
            }
        } else if ideas.has(Idea::Claimeven) {
            batch.claimeven(board, own, opponent, target, ideas)
        } else {
            None
        }
    }

    /// Pushes the children of the batch's forcing moves, each after its forced reply.
    #[inline(always)]
    fn push_forcing<C: Cpu>(
        &mut self,
        batch: &MoveBatch<L>,
        parent: &QuietPosition<L::W>,
        alpha: i32,
        mut best: i32,
        shared: bool,
    ) -> OrCutoff<i32> {
        let &QuietPosition { own, opponent, ply, .. } = parent;
        let mut forcing = batch.forcing;
        while !forcing.is_zero() {
            let mv = forcing.lowest();
            forcing = forcing.without_lowest();
            let lane = batch.lane_of(&self.board, mv);
            let discs = (own | mv, opponent | batch.safe(lane));
            match self.resolve_forcing::<C>(discs, ply + 2, alpha) {
                Resolved::Bound(value) if value > alpha => return ControlFlow::Break(value),
                Resolved::Bound(value) => best = best.max(value),
                Resolved::Quiet { position, swapped } => {
                    let node = self.node::<C>(position, shared);
                    self.push_child(node, !swapped, mv, batch.threats(lane));
                }
            }
        }
        ControlFlow::Continue(best)
    }

    /// Pushes the children of the batch's quiet moves.
    #[inline(always)]
    fn push_quiet<C: Cpu>(
        &mut self,
        batch: &MoveBatch<L>,
        parent: &QuietPosition<L::W>,
        alpha: i32,
        mut best: i32,
        horizon: Horizon,
        shared: bool,
    ) -> OrCutoff<i32> {
        let &QuietPosition { own, opponent, ply, .. } = parent;
        let mut quiet = batch.quiet;
        while !quiet.is_zero() {
            let mv = quiet.lowest();
            quiet = quiet.without_lowest();
            let lane = batch.lane_of(&self.board, mv);
            let (threats, safe) = (batch.threats(lane), batch.safe(lane));
            let position =
                QuietPosition { own: opponent, opponent: own | mv, ply: ply + 1, safe, threats };
            match self.decide_at(&position, horizon) {
                Some(value) if -value > alpha => return ControlFlow::Break(-value),
                Some(value) => best = best.max(-value),
                None => {
                    let node = self.node::<C>(position, shared);
                    self.push_child(node, false, mv, threats);
                }
            }
        }
        ControlFlow::Continue(best)
    }

    #[inline(always)]
    fn push_child(&mut self, node: Node<L::W>, mover_again: bool, mv: L::W, threats: L::W) {
        self.children.push(Child { node, mover_again, mv, threats, priority: SEARCHED });
    }

    /// Probes the transposition table for all children. Returns the best upper bound of those that
    /// need no search, and which of the children are still open, as a bit set of their indices.
    #[inline(always)]
    fn probe_children<C: Cpu>(
        &self,
        first_child: usize,
        alpha: i32,
        mut best: i32,
        shared: bool,
    ) -> OrCutoff<(i32, u64)> {
        if self.lacks::<C>(Idea::EnhancedCutoffs) {
            let count = (self.children.len() - first_child) as u32;
            return ControlFlow::Continue((best, (1 << count) - 1));
        }
        let mut open = 0u64;
        for (index, child) in self.children[first_child..].iter().enumerate() {
            // A well predicted branch, so that what follows need not wait for the table.
            if let Some(bounds) = self.bounds_of::<C>(child, shared) {
                if bounds.lower > alpha {
                    return ControlFlow::Break(bounds.lower);
                }
                if bounds.upper <= alpha {
                    best = best.max(bounds.upper);
                    continue;
                }
            }
            open |= 1 << index;
        }
        ControlFlow::Continue((best, open))
    }

    /// What the transposition table knows of a child's score, for the side to move at its parent.
    #[inline(always)]
    fn bounds_of<C: Cpu>(&self, child: &Child<L::W>, shared: bool) -> Option<ScoreBounds> {
        let Node { position, address } = &child.node;
        let mut found = self.table::<C>(position.ply).probe(*address);
        if shared {
            found = self.abdada.probe_with(self.key::<C>(position), found);
        }
        found.map(|bounds| if child.mover_again { bounds } else { bounds.negated() })
    }

    /// The bound by which the transposition table decides a child, if it does: for a search without
    /// enhanced transposition cutoffs.
    pub(super) fn probe_child<C: Cpu>(&self, child: usize, alpha: i32) -> Option<i32> {
        let child = &self.children[child];
        let shared = self.abdada.shares(child.node.position.ply);
        self.bounds_of::<C>(child, shared)?.decides(alpha)
    }

    /// Ranks the open children by the method that suits the node. Returns the highest priority.
    #[inline(always)]
    fn rank_children<C: Cpu>(
        &mut self,
        first_child: usize,
        open: u64,
        context: RankingContext<L::W>,
        history_context: HistoryContext<L::W>,
    ) -> u32 {
        let (no_order, no_large) =
            (self.lacks::<C>(Idea::MoveOrder), self.lacks::<C>(Idea::LargeNetworks));
        let children = &mut self.children[first_child..];
        let (ordering, history) = (&self.ordering, self.history.view(history_context));
        if no_order {
            return rank(children, open, &LeftToRight, history);
        }
        let ranking = match ordering.ranking(&context, self.meter.nodes) {
            Ranking::LargeNetwork(networks) if no_large => Ranking::SmallNetwork(networks),
            ranking => ranking,
        };
        match ranking {
            Ranking::Quick => rank(children, open, &ordering.quick(&context), history),
            Ranking::Tuned => rank(children, open, &ordering.tuned(&context), history),
            Ranking::SmallNetwork(networks) => {
                rank(children, open, &ordering.by_small_network(&context, networks), history)
            }
            Ranking::LargeNetwork(_) | Ranking::Opening => {
                let ranking = CloseRanking { first_child, open, context, history_context };
                C::rank_closely(self, &ranking)
            }
        }
    }

    /// Ranks the open children with a closer look. Returns the highest priority.
    #[inline(always)]
    pub(in crate::solver) fn rank_closely(&mut self, ranking: &CloseRanking<L::W>) -> u32 {
        let CloseRanking { first_child, open, context, history_context } = ranking;
        let (ordering, history) = (&self.ordering, self.history.view(*history_context));
        let children = &mut self.children[*first_child..];
        match ordering.networks(context, self.meter.nodes) {
            Some(networks) => {
                rank(children, *open, &ordering.by_large_network(context, networks), history)
            }
            None => rank(children, *open, &ordering.by_opening_order(context), history),
        }
    }
}

/// Ranks the open children. Returns the highest priority.
#[inline(always)]
fn rank<W: Word, R: Ranker<W>>(
    children: &mut [Child<W>],
    mut open: u64,
    ranker: &R,
    history: HistoryView<'_>,
) -> u32 {
    let mut next = SEARCHED;
    while open != 0 {
        let index = open.trailing_zeros() as usize;
        open &= open - 1;
        let child = &mut children[index];
        let QuietPosition { own, opponent, ply, safe, .. } = child.node.position;
        let mover_again = child.mover_again;
        let reached = ReachedPosition { discs: (own, opponent), ply, safe, mover_again };
        let rank = ranker.rank(child.mv, child.threats, &reached)
            + history.rank(child.mv, ranker.history_weights());
        child.priority = priority(rank, index);
        next = next.max(child.priority);
    }
    next
}
