//! A policy network in floating point: its ranks, the gradient of its loss, and its fit.
//!
//! The loss is a pairwise logistic one. Of two moves of a node, one should come first: a move that
//! causes a cutoff before one that is searched in vain, and of two that cause one the cheaper. Each
//! pair weighs as much as the wrong order of the two wastes, in nodes, to a power below one: what
//! a few nodes waste is mostly chance.

use super::super::model::{Adam, Step};
use super::samples::SampledNode;
use fourfold::random::Random;
use fourfold::solver::{BoardForm, NetworkWeights, OrderForm};

/// Nodes in a batch.
const BATCH: usize = 64;

/// Adam's first step size in the first round, and in later ones, which begin with weights that are
/// good already.
const RATES: [f32; 2] = [3e-3, 1.5e-3];

/// How fast weights are pulled towards zero.
const DECAY: f32 = 0.2;

/// The weights are the mean over about this many batches.
const MEAN_BATCHES: f32 = 300.0;

/// What the weights of a game's pairs are multiplied by, so that its nodes weigh 1 in the mean: wrong
/// orders waste more on large boards, and every game is to count the same.
fn scale(nodes: &[&SampledNode]) -> f32 {
    let sum: f64 = nodes.iter().map(|node| node.weight()).sum();
    (nodes.len() as f64 / f64::max(sum, 1e-9)) as f32
}

/// A network with all its numbers in one list: rows by input, bias, output, neighbours.
#[derive(Debug, Clone)]
pub(super) struct Network {
    inputs: usize,
    pairs: usize,
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
    /// The derivatives of the loss by the ranks.
    slopes: Vec<f32>,
}

/// A network as it is on one board: in the same form, with the inputs of the board.
#[derive(Debug, Clone)]
pub(super) struct BoardNetwork<'a> {
    form: &'a BoardForm,
    network: Network,
}

impl<'a> BoardNetwork<'a> {
    pub(super) fn new(form: &'a BoardForm, of: &Network) -> Self {
        let (inputs, pairs) = (form.rows.len(), of.pairs);
        let rest = of.numbers.len() - of.bias_at();
        let numbers = vec![0.0; inputs * pairs + rest];
        Self { form, network: Network { inputs, pairs, numbers } }
    }

    /// Makes it anew from the numbers of the network that is trained.
    pub(super) fn take(&mut self, of: &Network, numbers: &[f32]) {
        let (pairs, bias) = (of.pairs, self.network.bias_at());
        let (rows, rest) = self.network.numbers.split_at_mut(bias);
        rest.copy_from_slice(&numbers[of.bias_at()..]);
        let row = |input: usize| &numbers[input * pairs..(input + 1) * pairs];
        for (into, made_of) in rows.chunks_exact_mut(pairs).zip(&self.form.rows) {
            into.fill(0.0);
            made_of.iter().for_each(|&input| add(into, row(input)));
        }
        self.form.bias.iter().for_each(|&input| add(&mut rest[..pairs], row(input)));
    }

    /// An empty gradient by its numbers.
    pub(super) fn gradient(&self) -> Vec<f32> {
        vec![0.0; self.network.numbers.len()]
    }

    /// Adds a gradient by its numbers to the one by those of the network that is trained.
    pub(super) fn give(&self, of: &Network, gradient: &[f32], into: &mut [f32]) {
        let (pairs, first) = (of.pairs, of.bias_at());
        let (rows, rest) = gradient.split_at(self.network.bias_at());
        add(&mut into[first..], rest);
        let range = |input: usize| input * pairs..(input + 1) * pairs;
        for (from, made_of) in rows.chunks_exact(pairs).zip(&self.form.rows) {
            made_of.iter().for_each(|&input| add(&mut into[range(input)], from));
        }
        self.form.bias.iter().for_each(|&input| add(&mut into[range(input)], &rest[..pairs]));
    }

    fn row(&self, input: u16, mirrored: bool) -> std::ops::Range<usize> {
        let input = usize::from(input);
        let input = if mirrored { self.form.mirrored[input] } else { input };
        let at = input * self.network.pairs;
        at..at + self.network.pairs
    }

    /// Computes the ranks of a node's moves.
    fn forward(&self, node: &SampledNode, passes: &mut Passes) {
        let numbers = &self.network.numbers;
        let (bias, output, neighbours) = self.network.parts();
        passes.moves.resize_with(node.moves(), Units::default);
        passes.ranks.clear();
        let add_rows = |units: &mut [f32], inputs: &[u16], mirrored: bool| {
            inputs.iter().for_each(|&input| add(units, &numbers[self.row(input, mirrored)]));
        };
        for (image, units) in passes.shared.iter_mut().enumerate() {
            units.clear();
            units.extend_from_slice(&numbers[bias..output]);
            add_rows(units, node.shared_inputs(), image == 1);
        }
        let (linear, weights) = (self.network.pairs - 1, &numbers[output..neighbours]);
        for (mv, units) in passes.moves.iter_mut().enumerate() {
            let (inputs, patterns) = node.inputs(mv);
            let mut rank = 0.0;
            for (image, units) in units.iter_mut().enumerate() {
                units.clone_from(&passes.shared[image]);
                add_rows(units, inputs, image == 1);
                for (unit, weight) in units[..linear].iter().zip(weights) {
                    rank += unit.max(0.0) * weight;
                }
                rank += units[linear] * weights[linear];
            }
            let tables = patterns.iter().map(|&at| numbers[neighbours + usize::from(at)]);
            passes.ranks.push(rank + tables.sum::<f32>());
        }
    }

    /// Adds the gradient, given the derivatives of the loss by the ranks.
    fn backward(&self, node: &SampledNode, passes: &mut Passes, gradient: &mut [f32]) {
        let (bias, output, neighbours) = self.network.parts();
        let (pairs, linear) = (self.network.pairs, self.network.pairs - 1);
        let Passes { moves, back, back_sum, slopes, .. } = passes;
        for sum in back_sum.iter_mut() {
            sum.clear();
            sum.resize(pairs, 0.0);
        }
        let add_to_rows = |gradient: &mut [f32], inputs: &[u16], mirrored: bool, back: &[f32]| {
            inputs.iter().for_each(|&input| add(&mut gradient[self.row(input, mirrored)], back));
        };
        for (mv, (units, &slope)) in moves.iter().zip(&*slopes).enumerate() {
            if slope == 0.0 {
                continue;
            }
            let (inputs, patterns) = node.inputs(mv);
            for &at in patterns {
                gradient[neighbours + usize::from(at)] += slope;
            }
            for (image, units) in units.iter().enumerate() {
                back.clear();
                for (pair, &unit) in units.iter().enumerate() {
                    let active = pair == linear || unit > 0.0;
                    let weight = self.network.numbers[output + pair];
                    back.push(if active { slope * weight } else { 0.0 });
                    gradient[output + pair] += if active { slope * unit } else { 0.0 };
                }
                add_to_rows(gradient, inputs, image == 1, back);
                add(&mut back_sum[image], back);
            }
        }
        for (image, back) in back_sum.iter().enumerate() {
            add(&mut gradient[bias..output], back);
            add_to_rows(gradient, node.shared_inputs(), image == 1, back);
        }
    }

    /// The loss of a node; the derivatives by the ranks, times `scale`, are put into the passes.
    fn loss(node: &SampledNode, passes: &mut Passes, scale: f32) -> f64 {
        let Passes { ranks, slopes, .. } = passes;
        slopes.clear();
        slopes.resize(ranks.len(), 0.0);
        let mut loss = 0.0;
        for &(first, second, weight) in &node.pairs {
            let (first, second) = (usize::from(first), usize::from(second));
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
        node: &SampledNode,
        scale: f32,
        passes: &mut Passes,
        gradient: &mut [f32],
    ) -> f64 {
        self.forward(node, passes);
        let loss = Self::loss(node, passes, scale);
        self.backward(node, passes, gradient);
        loss
    }

    /// The loss of nodes and their weight.
    fn check(&self, nodes: &[&SampledNode]) -> (f64, f64) {
        let mut passes = Passes::default();
        let (mut loss, mut weight) = (0.0, 0.0);
        for node in nodes {
            self.forward(node, &mut passes);
            loss += Self::loss(node, &mut passes, 1.0);
            weight += node.weight();
        }
        (loss, weight)
    }
}

impl Network {
    pub(super) fn new(form: &OrderForm, large: bool, weights: &NetworkWeights) -> Self {
        let (inputs, pairs) = (form.inputs(large), form.pairs(large));
        let parts = [&weights.rows, &weights.bias, &weights.output, &weights.neighbours];
        let numbers = parts.into_iter().flatten().copied().collect();
        Self { inputs, pairs, numbers }
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

    /// Where the biases, the output weights and the neighbours begin.
    fn parts(&self) -> (usize, usize, usize) {
        (self.bias_at(), self.output_at(), self.neighbours_at())
    }

    /// Its numbers as weights.
    pub(super) fn weights(&self) -> NetworkWeights {
        let (numbers, (bias, output, neighbours)) = (&self.numbers, self.parts());
        NetworkWeights {
            rows: numbers[..bias].to_vec(),
            bias: numbers[bias..output].to_vec(),
            output: numbers[output..neighbours].to_vec(),
            neighbours: numbers[neighbours..].to_vec(),
        }
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

/// The nodes of one game, those that are learned from and those held out.
struct GameNodes<'a> {
    fitted: Vec<&'a SampledNode>,
    held_out: Vec<&'a SampledNode>,
    /// What makes every game count the same.
    scale: f32,
}

impl<'a> GameNodes<'a> {
    fn new(nodes: &[&'a SampledNode]) -> Self {
        let part = |held_out: bool| {
            let part = nodes.iter().filter(|node| node.held_out == held_out);
            part.copied().collect::<Vec<_>>()
        };
        Self { fitted: part(false), held_out: part(true), scale: scale(nodes) }
    }
}

/// The mean loss per weight of the nodes that were held out, every game counting as its nodes do.
fn check(network: &Network, numbers: &[f32], forms: &[BoardForm], games: &[GameNodes<'_>]) -> f64 {
    let (mut loss, mut weight) = (0.0, 0.0);
    for (form, nodes) in forms.iter().zip(games) {
        let mut board = BoardNetwork::new(form, network);
        board.take(network, numbers);
        let (own, all) = board.check(&nodes.held_out);
        loss += own * f64::from(nodes.scale);
        weight += all * f64::from(nodes.scale);
    }
    loss / f64::max(weight, 1e-9)
}

/// Fits a network to nodes, by game. It stays as it is where that would not help on those held out.
pub(super) fn fit(
    network: &mut Network,
    forms: &[BoardForm],
    nodes: &[Vec<&SampledNode>],
    (first_round, epochs, seed): (bool, usize, u64),
    goes_on: &dyn Fn() -> bool,
) -> Option<Fit> {
    let games: Vec<GameNodes<'_>> = nodes.iter().map(|nodes| GameNodes::new(nodes)).collect();
    let start = network.numbers.clone();
    let before = check(network, &start, forms, &games);
    let count: usize = games.iter().map(|game| game.fitted.len()).sum();
    if count < 2 * BATCH {
        return Some(Fit { nodes: 0, before, after: before });
    }
    let mut random = Random::new(seed);
    if first_round {
        network.wake(&mut random);
    }
    let mut boards: Vec<BoardNetwork<'_>> =
        forms.iter().map(|form| BoardNetwork::new(form, network)).collect();
    let mut adam = Adam::new(&network.numbers);
    let mut gradient = vec![0.0; network.numbers.len()];
    let mut board_gradients: Vec<_> = boards.iter().map(BoardNetwork::gradient).collect();
    let mut passes = Passes::default();
    let in_epoch: usize = games.iter().map(|game| game.fitted.len().div_ceil(BATCH)).sum();
    let mut number = 0;
    for _ in 0..epochs {
        for (game, from) in batches(&games, &mut random) {
            if !goes_on() {
                return None;
            }
            let board = &mut boards[game];
            board.take(network, &network.numbers);
            let board_gradient = &mut board_gradients[game];
            board_gradient.fill(0.0);
            let scale = games[game].scale / from.len() as f32;
            for node in from {
                board.learn(node, scale, &mut passes, board_gradient);
            }
            board.give(network, board_gradient, &mut gradient);
            let share = number as f32 / (in_epoch * epochs) as f32;
            let cosine = 0.5 * (1.0 + (std::f32::consts::PI * share).cos());
            let rate = RATES[usize::from(!first_round)] * (0.02 + 0.98 * cosine);
            let step = Step { rate, decay: DECAY, scale: 1.0, batches: MEAN_BATCHES };
            adam.step(&mut network.numbers, &mut [&mut gradient[..]], step);
            number += 1;
        }
    }
    let after = check(network, &adam.mean, forms, &games);
    // Both are 0 if none is held out, as may be where few positions are sampled.
    network.numbers = if after <= before { adam.mean } else { start };
    Some(Fit { nodes: count, before, after: after.min(before) })
}

/// The batches of an epoch, each of one game, whose board's network is made once for all of it.
fn batches<'a>(games: &[GameNodes<'a>], random: &mut Random) -> Vec<(usize, Vec<&'a SampledNode>)> {
    let mut shuffle = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        for index in (1..count).rev() {
            order.swap(index, random.below(index + 1));
        }
        order
    };
    let mut found = Vec::new();
    for (game, nodes) in games.iter().enumerate() {
        let order = shuffle(nodes.fitted.len());
        let batch = |batch: &[usize]| batch.iter().map(|&at| nodes.fitted[at]).collect();
        found.extend(order.chunks(BATCH).map(|at| (game, batch(at))));
    }
    let mut order = shuffle(found.len()).into_iter();
    found.sort_by_cached_key(|_| order.next());
    found
}
