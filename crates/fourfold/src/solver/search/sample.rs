//! Samples of a search: nodes with the cost of each of their moves, given what is known there.
//!
//! A sampled node is searched as any other. If a move causes a cutoff, the transposition tables and
//! the history are put back to what they were when the node was met, each move is searched from
//! there, and then the search goes on as if nothing had happened. So a cost is what the move takes
//! *there*: moves that lead to positions met before are cheap. Nodes without a cutoff need all
//! their moves, in whatever order, and teach nothing.
//!
//! While samples are open, every bucket of a table is logged before it is written to. Exchanging
//! the logged buckets with those of the tables, the last one first, undoes the writes; exchanging
//! them again, the first one first, makes them anew. So a sample costs as much as its searches
//! have written, however large the tables are.

use super::{Child, Engine, Node, SEARCHED};
use crate::game::Word;
use crate::random::Random;
use crate::solver::cpu::Cpu;
use crate::solver::forced::QuietPosition;
use crate::solver::history::History;
use crate::solver::layout::Layout;
use crate::solver::opening::ReachedPosition;
use crate::solver::order::{FULL_RANKING_MIN_PLIES, RankingContext};
use crate::solver::policy::{InputMap, MoveOutcome, MoveSample, NodeSample, Sampling};
use crate::solver::table::SavedBucket;

/// A move is searched for at most this many times the nodes of the best one, but always for a few:
/// beyond that, it is enough to know that it is far worse.
const COST_FACTOR: u64 = 12;
const LEAST_NODES: u64 = 4000;

/// Takes samples of a search.
#[derive(Debug)]
pub(in crate::solver) struct Sampler<W> {
    sampling: Sampling,
    random: Random,
    map: InputMap,
    pub(in crate::solver) samples: Vec<NodeSample>,
    /// Whether the moves of a sampled node are being searched.
    aside: bool,
    /// Samples that are open: nodes on the current path.
    open: usize,
    /// The buckets written to since the first of them was begun, as they were before; of the early
    /// table if the flag is set.
    log: Vec<(bool, SavedBucket<W>)>,
    /// How many have been dropped from the front of the log.
    dropped: usize,
}

impl<W> Sampler<W> {
    pub(in crate::solver) fn new(sampling: Sampling, map: InputMap) -> Self {
        let random = Random::new(sampling.seed);
        let (samples, log) = (Vec::new(), Vec::new());
        Self { sampling, random, map, samples, aside: false, open: 0, log, dropped: 0 }
    }

    /// Where the log ends, counted from its beginning.
    fn logged(&self) -> usize {
        self.dropped + self.log.len()
    }

    /// Drops the samples that are open: the nodes that they belong to are no longer searched.
    pub(super) fn begin(&mut self) {
        self.open = 0;
        self.forget_log();
    }

    /// Drops the log: no sample needs it, or the table that it belongs to has grown.
    pub(super) fn forget_log(&mut self) {
        self.dropped = self.logged();
        self.log.clear();
    }

    /// Drops what is too old for any sample whose moves will be searched again: a node that takes
    /// more than `most_nodes` has at most its own search as sample, and a node is stored once.
    fn trim_log(&mut self) {
        let most = usize::try_from(self.sampling.most_nodes).unwrap_or(usize::MAX);
        if !self.aside && self.log.len() / 2 > most {
            let excess = self.log.len() - most;
            self.log.drain(..excess);
            self.dropped += excess;
        }
    }
}

/// A node that is being sampled.
pub(super) struct OpenSample {
    at: usize,
    alpha: i32,
    large: bool,
    /// How many such nodes it stands for.
    weight: u64,
    /// The children that need search.
    open: Vec<usize>,
    /// Those searched so far: nodes, and whether it caused a cutoff.
    tried: Vec<(usize, u64, bool)>,
    /// Where the log ended when the node was met.
    logged: usize,
    /// The history at that time.
    history: Box<History>,
}

impl OpenSample {
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
    ) -> Option<OpenSample> {
        let context = self.ranking_context(at, alpha);
        if context.plies_to_horizon(&self.board) < FULL_RANKING_MIN_PLIES
            || self.abdada.is_parallel()
        {
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
        if open.len() < 2 {
            return None;
        }
        sampler.open += 1;
        let (logged, tried) = (sampler.logged(), Vec::new());
        let history = Box::new(self.history.clone());
        Some(OpenSample { at, alpha, large, weight, open, tried, logged, history })
    }

    /// Keeps the bucket that is about to be written to, while samples are open.
    #[inline(always)]
    pub(super) fn log_store<C: Cpu>(&mut self, at: usize) {
        let Node { position, address } = &self.children[at].node;
        let early = self.is_early::<C>(position.ply);
        let table = if early { &self.early_table } else { &self.late_table };
        let is_open = |sampler: &&mut Sampler<L::W>| sampler.open > 0 || sampler.aside;
        if let Some(sampler) = self.sampler.as_deref_mut().filter(is_open) {
            sampler.log.push((early, table.saved(*address)));
            sampler.trim_log();
        }
    }

    /// Ends a sample after the search of its node.
    #[cold]
    pub(super) fn end_sample<C: Cpu>(&mut self, sample: OpenSample) {
        let OpenSample { at, alpha, large, weight, open, tried, logged, history } = sample;
        let Some(sampler) = &mut self.sampler else { return };
        sampler.open -= 1;
        let most = sampler.sampling.most_nodes;
        let is_logged = logged >= sampler.dropped;
        let Some(&(_, cost, true)) = tried.last() else { return self.end_log() };
        let spent: u64 = tried.iter().map(|&(_, nodes, _)| nodes).sum();
        let outcome = |cutoff| if cutoff { MoveOutcome::Cutoff } else { MoveOutcome::InVain };
        let mut found: Vec<(usize, u64, MoveOutcome)> = Vec::new();
        if spent > most || !is_logged {
            // Too long to be searched again, or the table has grown: what is known must do.
            found.extend(
                tried.iter().map(|&(child, nodes, cutoff)| (child, nodes, outcome(cutoff))),
            );
        } else {
            let history_after = self.history.clone();
            let written = self.undo_to(logged);
            let growth = self.early_table.grow_after(usize::MAX);
            self.set_aside(true);
            let mut best = cost;
            for &child in &open {
                // The first move was searched from here.
                if let Some(&(_, nodes, cutoff)) = tried.first().filter(|tried| tried.0 == child) {
                    found.push((child, nodes, outcome(cutoff)));
                    continue;
                }
                self.history.clone_from(&history);
                let meter = self.meter.begin_aside((COST_FACTOR * best).max(LEAST_NODES).min(most));
                let value = if self.children[child].mover_again {
                    C::search(self, child, alpha)
                } else {
                    -C::search(self, child, -alpha - 1)
                };
                let (nodes, finished) = self.meter.end_aside(meter);
                self.undo_to(logged);
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
            self.early_table.grow_after(growth);
            self.redo(written);
            self.history = history_after;
        }
        self.end_log();
        if self.meter.halted || found.len() < 2 {
            return;
        }
        let context = self.ranking_context(at, alpha);
        let moves = found.into_iter().map(|(child, cost, outcome)| {
            self.move_sample(&context, &self.children[child], large, cost, outcome)
        });
        let mut moves: Vec<MoveSample> = moves.flatten().collect();
        let shared_inputs = MoveSample::take_shared_inputs(&mut moves);
        if let Some(sampler) = &mut self.sampler {
            let role = context.role();
            let sample = NodeSample { role, large, weight, alpha, shared_inputs, moves };
            sampler.samples.push(sample);
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
        let patterns = self.ordering.neighbours(&parent, bit);
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

    /// Takes back all writes to the tables since the log was so long, the last one first. Returns
    /// what [`Engine::redo`] needs.
    fn undo_to(&mut self, logged: usize) -> Vec<(bool, SavedBucket<L::W>)> {
        let Some(sampler) = &mut self.sampler else { return Vec::new() };
        let mut writes = sampler.log.split_off(logged - sampler.dropped);
        for (early, saved) in writes.iter_mut().rev() {
            let table = if *early { &mut self.early_table } else { &mut self.late_table };
            table.exchange(saved);
        }
        writes
    }

    /// Makes writes anew that were taken back.
    fn redo(&mut self, mut writes: Vec<(bool, SavedBucket<L::W>)>) {
        for (early, saved) in &mut writes {
            let table = if *early { &mut self.early_table } else { &mut self.late_table };
            table.exchange(saved);
        }
        if let Some(sampler) = &mut self.sampler {
            sampler.log.append(&mut writes);
        }
    }

    /// Drops the log once no sample is open.
    fn end_log(&mut self) {
        if let Some(sampler) = self.sampler.as_mut().filter(|sampler| sampler.open == 0) {
            sampler.forget_log();
        }
    }
}
