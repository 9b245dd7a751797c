//! A policy network in floating point: its ranks, the gradient of its loss, and its fit.
//!
//! The loss is a pairwise logistic one. Of two moves of a node, one should come first: a move that
//! causes a cutoff before one that is searched in vain, and of two that cause one the cheaper. Each
//! pair weighs as much as the wrong order of the two wastes, in nodes, to a power below one: what
//! a few nodes waste is mostly chance.

use super::super::model::{Adam, Step};
use fourfold::random::Random;
use fourfold::solver::{MoveOutcome, NetworkWeights, NodeSample, OrderForm};

/// The power of the wasted nodes, and the most that count.
const WASTE_POWER: f64 = 0.6;
const MOST_WASTE: f64 = 100_000.0;

/// Nodes in a batch.
const BATCH: usize = 64;

/// Adam's first step size in the first round, and in later ones, which begin with weights that are
/// good already.
const RATES: [f32; 2] = [3e-3, 1.5e-3];

/// How fast weights are pulled towards zero.
const DECAY: f32 = 0.02;

/// The weights are the mean over about this many batches.
const MEAN_BATCHES: f32 = 300.0;

/// One node in so many is held out.
const HELD_OUT: usize = 16;

/// A sampled node as training sees it.
#[derive(Debug)]
pub(super) struct Group<'a> {
    sample: &'a NodeSample,
    /// The indices of two moves, the one that should come first first, with their weight.
    pairs: Vec<(usize, usize, f32)>,
}

impl<'a> Group<'a> {
    /// None if no order of its moves is better than another.
    pub(super) fn new(sample: &'a NodeSample) -> Option<Self> {
        let mut pairs = Vec::new();
        for (first, good) in sample.moves.iter().enumerate() {
            if good.outcome != MoveOutcome::Cutoff {
                continue;
            }
            for (second, other) in sample.moves.iter().enumerate() {
                let waste = match other.outcome {
                    MoveOutcome::InVain => other.cost,
                    MoveOutcome::Cutoff | MoveOutcome::Unknown => {
                        other.cost.saturating_sub(good.cost)
                    }
                };
                if waste > 0 {
                    let waste = (waste as f64 * sample.weight as f64).min(MOST_WASTE);
                    pairs.push((first, second, waste.powf(WASTE_POWER) as f32));
                }
            }
        }
        (!pairs.is_empty()).then_some(Self { sample, pairs })
    }

    /// How many pairs there are.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.pairs.len()
    }

    fn weight(&self) -> f64 {
        self.pairs.iter().map(|pair| f64::from(pair.2)).sum()
    }
}

/// The nodes of a game, weighing 1 in the mean: wrong orders waste more on large boards, and every
/// game is to count the same.
pub(super) fn balanced(mut groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    let sum: f64 = groups.iter().map(Group::weight).sum();
    let scale = (groups.len() as f64 / f64::max(sum, 1e-9)) as f32;
    for pair in groups.iter_mut().flat_map(|group| &mut group.pairs) {
        pair.2 *= scale;
    }
    groups
}

/// A network with all its numbers in one list: rows by input, bias, output, neighbours.
#[derive(Debug, Clone)]
pub(super) struct Network {
    inputs: usize,
    pairs: usize,
    mirrored: Vec<u16>,
    pub(super) numbers: Vec<f32>,
}

/// A vector of hidden units: those of a position, then those of its mirror image.
type Units = [Vec<f32>; 2];

/// What the forward passes of a node's moves computed.
#[derive(Debug, Clone, Default)]
pub(super) struct Passes {
    /// What the inputs that all moves share add.
    shared: Units,
    moves: Vec<Units>,
    ranks: Vec<f32>,
    /// The derivatives by the units, of one move and summed over all.
    back: Vec<f32>,
    back_sum: Units,
}

impl Network {
    pub(super) fn new(form: &OrderForm, large: bool, weights: &NetworkWeights) -> Self {
        let (inputs, pairs) = (form.inputs(large), form.pairs(large));
        let mirrored = form.mirrored()[..inputs].iter().map(|&input| input as u16).collect();
        let parts = [&weights.rows, &weights.bias, &weights.output, &weights.neighbours];
        let numbers = parts.into_iter().flatten().copied().collect();
        Self { inputs, pairs, mirrored, numbers }
    }

    /// Gives the units that do nothing yet small random weights, so that they can learn.
    pub(super) fn wake(&mut self, random: &mut Random) {
        let mut uniform =
            |most: f32| (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * most;
        let (pairs, bias, output) = (self.pairs, self.bias_at(), self.output_at());
        for (at, number) in self.numbers[..bias].iter_mut().enumerate() {
            *number += uniform(if at % pairs == pairs - 1 { 0.01 } else { 0.1 });
        }
        for pair in 0..pairs - 1 {
            self.numbers[bias + pair] = uniform(0.2);
            self.numbers[output + pair] = uniform(0.2);
        }
    }

    fn bias_at(&self) -> usize {
        self.inputs * self.pairs
    }

    fn output_at(&self) -> usize {
        self.bias_at() + self.pairs
    }

    fn neighbours_at(&self) -> usize {
        self.output_at() + self.pairs
    }

    /// The weights with other numbers.
    pub(super) fn weights(&self, numbers: &[f32]) -> NetworkWeights {
        let (bias, output, neighbours) = (self.bias_at(), self.output_at(), self.neighbours_at());
        NetworkWeights {
            rows: numbers[..bias].to_vec(),
            bias: numbers[bias..output].to_vec(),
            output: numbers[output..neighbours].to_vec(),
            neighbours: numbers[neighbours..].to_vec(),
        }
    }

    fn row(&self, input: u16, mirrored: bool) -> std::ops::Range<usize> {
        let input = if mirrored { self.mirrored[usize::from(input)] } else { input };
        let at = usize::from(input) * self.pairs;
        at..at + self.pairs
    }

    /// Computes the ranks of a node's moves.
    fn forward(&self, numbers: &[f32], sample: &NodeSample, passes: &mut Passes) {
        let (bias, output, neighbours) = (self.bias_at(), self.output_at(), self.neighbours_at());
        passes.moves.resize_with(sample.moves.len(), Units::default);
        passes.ranks.clear();
        let add_rows = |units: &mut [f32], inputs: &[u16], mirrored: bool| {
            inputs.iter().for_each(|&input| add(units, &numbers[self.row(input, mirrored)]));
        };
        for (image, units) in passes.shared.iter_mut().enumerate() {
            units.clear();
            units.extend_from_slice(&numbers[bias..output]);
            add_rows(units, &sample.shared_inputs, image == 1);
        }
        let (linear, weights) = (self.pairs - 1, &numbers[output..neighbours]);
        for (mv, units) in sample.moves.iter().zip(&mut passes.moves) {
            let mut rank = 0.0;
            for (image, units) in units.iter_mut().enumerate() {
                units.clone_from(&passes.shared[image]);
                add_rows(units, &mv.inputs, image == 1);
                for (unit, weight) in units[..linear].iter().zip(weights) {
                    rank += unit.max(0.0) * weight;
                }
                rank += units[linear] * weights[linear];
            }
            let tables = mv.neighbours.iter().map(|&at| numbers[neighbours + usize::from(at)]);
            passes.ranks.push(rank + tables.sum::<f32>());
        }
    }

    /// Adds the gradient, given the derivatives of the loss by the ranks.
    fn backward(
        &self,
        sample: &NodeSample,
        passes: &mut Passes,
        slopes: &[f32],
        gradient: &mut [f32],
    ) {
        let (bias, output, neighbours) = (self.bias_at(), self.output_at(), self.neighbours_at());
        let linear = self.pairs - 1;
        let Passes { moves, back, back_sum, .. } = passes;
        for sum in back_sum.iter_mut() {
            sum.clear();
            sum.resize(self.pairs, 0.0);
        }
        let add_to_rows = |gradient: &mut [f32], inputs: &[u16], mirrored: bool, back: &[f32]| {
            inputs.iter().for_each(|&input| add(&mut gradient[self.row(input, mirrored)], back));
        };
        for ((mv, units), &slope) in sample.moves.iter().zip(moves).zip(slopes) {
            if slope == 0.0 {
                continue;
            }
            for &at in &mv.neighbours {
                gradient[neighbours + usize::from(at)] += slope;
            }
            for (image, units) in units.iter().enumerate() {
                back.clear();
                for (pair, &unit) in units.iter().enumerate() {
                    let active = pair == linear || unit > 0.0;
                    let weight = self.numbers[output + pair];
                    back.push(if active { slope * weight } else { 0.0 });
                    gradient[output + pair] += if active { slope * unit } else { 0.0 };
                }
                add_to_rows(gradient, &mv.inputs, image == 1, back);
                add(&mut back_sum[image], back);
            }
        }
        for (image, back) in back_sum.iter().enumerate() {
            add(&mut gradient[bias..output], back);
            add_to_rows(gradient, &sample.shared_inputs, image == 1, back);
        }
    }

    /// The loss of a node; adds the derivatives by the ranks, times `scale`, to `slopes`.
    fn loss(group: &Group<'_>, ranks: &[f32], scale: f32, slopes: &mut Vec<f32>) -> f64 {
        slopes.clear();
        slopes.resize(ranks.len(), 0.0);
        let mut loss = 0.0;
        for &(first, second, weight) in &group.pairs {
            let margin = ranks[first] - ranks[second];
            let wrong = 1.0 / (1.0 + margin.exp());
            loss +=
                f64::from(weight) * f64::from((-margin).max(0.0) + (-margin.abs()).exp().ln_1p());
            slopes[first] -= scale * weight * wrong;
            slopes[second] += scale * weight * wrong;
        }
        loss
    }

    /// Adds the gradient of a node's loss, times `scale`; returns the loss.
    pub(super) fn learn(
        &self,
        group: &Group<'_>,
        scale: f32,
        (passes, slopes): (&mut Passes, &mut Vec<f32>),
        gradient: &mut [f32],
    ) -> f64 {
        self.forward(&self.numbers, group.sample, passes);
        let loss = Self::loss(group, &passes.ranks, scale, slopes);
        self.backward(group.sample, passes, slopes, gradient);
        loss
    }

    /// The mean loss per weight of nodes, with other numbers.
    pub(super) fn check(&self, numbers: &[f32], groups: &[&Group<'_>]) -> f64 {
        let (mut passes, mut slopes) = (Passes::default(), Vec::new());
        let (mut loss, mut weight) = (0.0, 0.0);
        for group in groups {
            self.forward(numbers, group.sample, &mut passes);
            loss += Self::loss(group, &passes.ranks, 1.0, &mut slopes);
            weight += group.weight();
        }
        loss / f64::max(weight, 1e-9)
    }
}

fn add(into: &mut [f32], from: &[f32]) {
    into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
}

/// What a fit did: the loss per weight of nodes that were held out, before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Nodes that were learned from.
    pub nodes: usize,
    /// The loss before.
    pub before: f64,
    /// The loss after.
    pub after: f64,
}

/// Fits a network to nodes. It stays as it is where that would not help on those held out.
pub(super) fn fit(
    network: &mut Network,
    groups: &[Group<'_>],
    (first_round, epochs, seed): (bool, usize, u64),
    goes_on: &dyn Fn() -> bool,
) -> Option<Fit> {
    let part = |held_out: bool| {
        let part = groups.iter().enumerate().filter(move |at| (at.0 % HELD_OUT == 0) == held_out);
        part.map(|(_, group)| group).collect::<Vec<_>>()
    };
    let (fitted, held_out) = (part(false), part(true));
    let start = network.numbers.clone();
    let before = network.check(&start, &held_out);
    if fitted.len() < 2 * BATCH {
        return Some(Fit { nodes: 0, before, after: before });
    }
    let mut random = Random::new(seed);
    if first_round {
        network.wake(&mut random);
    }
    let mean: f64 = fitted.iter().map(|group| group.weight()).sum::<f64>() / fitted.len() as f64;
    let mut adam = Adam::new(&network.numbers);
    let mut gradient = vec![0.0; network.numbers.len()];
    let (mut passes, mut slopes) = (Passes::default(), Vec::new());
    let batches = fitted.len().div_ceil(BATCH) * epochs;
    let mut order: Vec<usize> = (0..fitted.len()).collect();
    let mut number = 0;
    for _ in 0..epochs {
        for index in (1..order.len()).rev() {
            order.swap(index, random.below(index + 1));
        }
        for batch in order.chunks(BATCH) {
            if !goes_on() {
                return None;
            }
            let scale = 1.0 / (mean as f32 * batch.len() as f32);
            for &index in batch {
                network.learn(fitted[index], scale, (&mut passes, &mut slopes), &mut gradient);
            }
            let share = number as f32 / batches as f32;
            let cosine = 0.5 * (1.0 + (std::f32::consts::PI * share).cos());
            let rate = RATES[usize::from(!first_round)] * (0.02 + 0.98 * cosine);
            let step = Step { rate, decay: DECAY, scale: 1.0, batches: MEAN_BATCHES };
            adam.step(&mut network.numbers, &mut [&mut gradient[..]], step);
            number += 1;
        }
    }
    let after = network.check(&adam.mean, &held_out);
    network.numbers = if after < before { adam.mean } else { start };
    Some(Fit { nodes: fitted.len(), before, after: after.min(before) })
}
