//! Samples of a search: nodes with the cost of each of their moves, given what is known there.
//!
//! A sampled node is searched as any other. If a move causes a cutoff, the transposition tables and
//! the history are put back to what they were when the node was met, each move is searched from
//! there, and then the search goes on as if nothing had happened. So a cost is what the move takes
//! *there*: moves that lead to positions met before are cheap. Nodes without a cutoff need all
//! their moves, in whatever order, and teach nothing.

use super::{Child, Engine, SEARCHED};
use crate::game::Word;
use crate::random::Random;
use crate::solver::cpu::Cpu;
use crate::solver::forced::QuietPosition;
use crate::solver::history::History;
use crate::solver::layout::Layout;
use crate::solver::opening::ReachedPosition;
use crate::solver::order::{FULL_RANKING_MIN_PLIES, RankingContext};
use crate::solver::policy::{InputMap, MoveOutcome, MoveSample, NodeSample, Sampling};
use crate::solver::table::TranspositionTable;

/// A move is searched for at most this many times the nodes of the best one, but always for a few:
/// beyond that, it is enough to know that it is far worse.
const COST_FACTOR: u64 = 12;
const LEAST_NODES: u64 = 4000;

/// Takes samples of a search.
#[derive(Debug)]
pub(in crate::solver) struct Sampler {
    sampling: Sampling,
    random: Random,
    map: InputMap,
    pub(in crate::solver) samples: Vec<NodeSample>,
    /// Whether the moves of a sampled node are being searched.
    aside: bool,
}

impl Sampler {
    pub(in crate::solver) fn new(sampling: Sampling, map: InputMap) -> Self {
        let random = Random::new(sampling.seed);
        Self { sampling, random, map, samples: Vec::new(), aside: false }
    }
}

/// What a search has found out so far.
#[derive(Debug)]
struct Knowledge<W> {
    early_table: TranspositionTable<W>,
    late_table: TranspositionTable<W>,
    history: History,
}

/// A node that is being sampled.
pub(super) struct OpenSample<W> {
    at: usize,
    alpha: i32,
    large: bool,
    /// How many such nodes it stands for.
    weight: u64,
    /// The children that need search.
    open: Vec<usize>,
    /// Those searched so far: nodes, and whether it caused a cutoff.
    tried: Vec<(usize, u64, bool)>,
    before: Box<Knowledge<W>>,
}

impl<W> OpenSample<W> {
    pub(super) fn tried(&mut self, child: usize, nodes: u64, cutoff: bool) {
        self.tried.push((child, nodes, cutoff));
    }
}

impl<L: Layout> Engine<L> {
    fn ranking_context(&self, at: usize, alpha: i32) -> RankingContext<L::W> {
        let QuietPosition { own, opponent, ply, threats, .. } = self.children[at].node.position;
        RankingContext { discs: (own, opponent), threats, ply, alpha }
    }

    /// Begins a sample of the node at that index of the stack, if it is chosen.
    #[cold]
    pub(super) fn begin_sample(
        &mut self,
        at: usize,
        first_child: usize,
        alpha: i32,
    ) -> Option<OpenSample<L::W>> {
        let context = self.ranking_context(at, alpha);
        if context.plies_to_horizon(&self.board) < FULL_RANKING_MIN_PLIES || self.shared.is_some() {
            return None;
        }
        let large = self.ordering.is_for_large_network(&context);
        let sampler = self.sampler.as_deref_mut().filter(|sampler| !sampler.aside)?;
        let weight = sampler.sampling.every[usize::from(large)].max(1);
        if sampler.random.below(usize::try_from(weight).unwrap_or(usize::MAX)) != 0 {
            return None;
        }
        let open: Vec<usize> = (first_child..self.children.len())
            .filter(|&child| self.children[child].priority != SEARCHED)
            .collect();
        let before = self.knowledge();
        (open.len() > 1).then(|| OpenSample {
            at,
            alpha,
            large,
            weight,
            open,
            tried: Vec::new(),
            before,
        })
    }

    /// Ends a sample after the search of its node.
    #[cold]
    pub(super) fn end_sample<C: Cpu>(&mut self, sample: OpenSample<L::W>) {
        let OpenSample { at, alpha, large, weight, open, tried, before } = sample;
        let Some(&(_, cost, true)) = tried.last() else { return };
        let Some(most) = self.sampler.as_ref().map(|sampler| sampler.sampling.most_nodes) else {
            return;
        };
        let spent: u64 = tried.iter().map(|&(_, nodes, _)| nodes).sum();
        let outcome = |cutoff| if cutoff { MoveOutcome::Cutoff } else { MoveOutcome::InVain };
        let mut found: Vec<(usize, u64, MoveOutcome)> = Vec::new();
        if spent > most {
            // Too long to be searched again: what is known must do.
            found.extend(
                tried.iter().map(|&(child, nodes, cutoff)| (child, nodes, outcome(cutoff))),
            );
        } else {
            let after = self.knowledge();
            self.set_aside(true);
            let mut best = cost;
            for &child in &open {
                // The first move was searched from here.
                if let Some(&(_, nodes, cutoff)) = tried.first().filter(|tried| tried.0 == child) {
                    found.push((child, nodes, outcome(cutoff)));
                    continue;
                }
                self.recall::<C>(&before);
                let meter = self.meter.begin_aside((COST_FACTOR * best).max(LEAST_NODES).min(most));
                let value = if self.children[child].mover_again {
                    C::search(self, child, alpha)
                } else {
                    -C::search(self, child, -alpha - 1)
                };
                let (nodes, finished) = self.meter.end_aside(meter);
                if self.meter.halted {
                    break;
                }
                if finished && value > alpha {
                    best = best.min(nodes);
                }
                let outcome = if finished { outcome(value > alpha) } else { MoveOutcome::Unknown };
                found.push((child, nodes, outcome));
            }
            self.set_aside(false);
            self.recall::<C>(&after);
            if self.meter.halted {
                return;
            }
        }
        if found.len() < 2 {
            return;
        }
        let context = self.ranking_context(at, alpha);
        let moves = found.into_iter().map(|(child, cost, outcome)| {
            self.move_sample(&context, &self.children[child], large, cost, outcome)
        });
        let moves: Vec<MoveSample> = moves.flatten().collect();
        if let Some(sampler) = &mut self.sampler {
            let role = context.role();
            sampler.samples.push(NodeSample { role, large, weight, alpha, moves });
        }
    }

    fn move_sample(
        &self,
        context: &RankingContext<L::W>,
        child: &Child<L::W>,
        large: bool,
        cost: u64,
        outcome: MoveOutcome,
    ) -> Option<MoveSample> {
        let map = &self.sampler.as_ref()?.map;
        let parent = self.ordering.parent(context);
        let QuietPosition { own, opponent, ply, safe, .. } = child.node.position;
        let mover_again = child.mover_again;
        let reached = ReachedPosition { discs: (own, opponent), ply, safe, mover_again };
        let plies = context.plies_to_horizon(&self.board);
        let bit = child.mv.trailing_zeros();
        let patterns =
            [0, 1, 2, 3].map(|direction| self.ordering.neighbours(&parent, bit, direction));
        Some(MoveSample {
            column: self.board.column_of(bit),
            inputs: map.inputs(&self.board, parent.ply, child.mv, &reached, plies, large),
            neighbours: InputMap::neighbour_weights(self.board.row_of(bit), patterns),
            cost,
            outcome,
        })
    }

    fn set_aside(&mut self, aside: bool) {
        if let Some(sampler) = &mut self.sampler {
            sampler.aside = aside;
        }
    }

    fn knowledge(&self) -> Box<Knowledge<L::W>> {
        Box::new(Knowledge {
            early_table: self.early_table.clone(),
            late_table: self.late_table.clone(),
            history: self.history.clone(),
        })
    }

    /// Goes back to what was known.
    fn recall<C: Cpu>(&mut self, known: &Knowledge<L::W>) {
        self.early_table.become_copy_of(&known.early_table);
        self.late_table.become_copy_of(&known.late_table);
        self.history = known.history.clone();
        self.readdress::<C>();
    }
}
