//! Training the network of the evaluator `net` from labelled positions.
//!
//! Every label gives a position and the positions after its moves, with the result of perfect play
//! after each. The loss has two parts: the cross-entropy between the network's value and the result
//! of each position, and the cross-entropy of choosing a move that keeps the result, among the
//! moves of the position. Mini-batches, Adam, a rate that falls along a cosine. A batch is split
//! into a fixed number of shards whose gradients are added in order, so the weights depend on the
//! options alone, not on threads. After each epoch the state can be kept and continued.

mod checkpoint;
mod excluded;
mod mean;
mod model;
#[cfg(feature = "training")]
pub mod order;
mod show;
#[cfg(feature = "training")]
pub mod tuned;

pub use checkpoint::CheckpointError;
pub use excluded::{Excluded, HashesError};
pub use mean::{MeanError, mean};
pub use show::curve_plot;

use crate::labels::Label;
use fourfold::eval::net::{Discs, Net, NetWeights};
use fourfold::game::{Position, Rules, Side};
use fourfold::random::Random;
use fourfold::workers::share_out;
use model::{Adam, Model, Passes, Step};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// How to train.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainOptions {
    /// The game.
    pub rules: Rules,
    /// Units of the hidden layer, a multiple of 16.
    pub units: usize,
    /// Times that every position is seen.
    pub epochs: usize,
    /// Labels in a batch.
    pub batch: usize,
    /// Adam's first step size.
    pub rate: f32,
    /// The random seed.
    pub seed: u64,
}

/// What the network does on labels that were held out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Check {
    /// Labels.
    pub labels: u64,
    /// Those in which the move it likes best changes the result.
    pub wrong: u64,
    /// Mean cross-entropy of the positions.
    pub loss: f64,
}

impl Check {
    /// The share of labels in which the move it likes best changes the result.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.labels == 0 { 0.0 } else { self.wrong as f64 / self.labels as f64 }
    }
}

/// A label as training sees it: the position, then those after its moves.
#[derive(Debug, Clone)]
struct Group {
    /// Discs, and the result for the first player: 1, 0 or -1.
    positions: Box<[(Discs, i8)]>,
    /// True if the first player moves.
    first_moves: bool,
}

impl Group {
    /// None if the position is to be left out. A position after a move that is to be left out is
    /// not among the positions.
    fn new(label: &Label, without: &Excluded) -> Option<Self> {
        if without.contains(&label.position) {
            return None;
        }
        let first_moves = label.position.to_move() == Side::First;
        let sign = if first_moves { 1 } else { -1 };
        let mut positions = Vec::with_capacity(label.scores.len() + 1);
        positions.push((discs(&label.position), (sign * label.score().signum()) as i8));
        for &(mv, score) in &label.scores {
            let after = label.position.play_unchecked(mv);
            if !after.outcome().is_over() && !without.contains(&after) {
                positions.push((discs(&after), (sign * score.signum()) as i8));
            }
        }
        // Where all moves are alike there is nothing to choose; one of them will do.
        if positions.len() > 2 && positions[2..].iter().all(|found| found.1 == positions[1].1) {
            let kept = 1 + excluded::hash(&label.position) as usize % (positions.len() - 1);
            positions.swap(1, kept);
            positions.truncate(2);
        }
        Some(Self { positions: positions.into(), first_moves })
    }

    /// The positions after the moves.
    fn moves(&self) -> &[(Discs, i8)] {
        &self.positions[1..]
    }

    /// The results of the moves for the side that makes them.
    fn results(&self) -> impl Iterator<Item = i8> {
        let sign = if self.first_moves { 1 } else { -1 };
        self.moves().iter().map(move |&(_, result)| sign * result)
    }
}

fn discs(position: &Position) -> Discs {
    let of = |side| position.discs(side).bits() as u64;
    [of(Side::First), of(Side::Second)]
}

/// Of a thousand labels, this many are held out.
const HELD_OUT_PER_MILLE: u64 = 20;

/// Parts of a batch whose gradients are computed side by side.
const SHARDS: usize = 2;

/// How much the choice of a move counts beside the value of a position.
const CHOICE_WEIGHT: f32 = 3.0;

/// How fast weights are pulled towards zero.
const DECAY: f32 = 0.05;

/// The network is the mean of the weights over about this many batches (an exponential moving
/// average), which generalises better than the last of them.
const MEAN_BATCHES: f32 = 1000.0;

/// A training under way.
#[derive(Debug)]
pub struct Training {
    options: TrainOptions,
    model: Model,
    adam: Adam,
    fitted: Vec<Group>,
    held_out: Vec<Group>,
    /// Epochs made.
    epoch: usize,
    /// What was found after each.
    curve: Vec<Check>,
    /// What the network that it began with was trained on, if it began with one.
    begun_with: Option<String>,
}

impl Training {
    /// A training that has not begun; none if the game cannot have a network. Positions that are
    /// to be left out are neither learned from nor held out.
    ///
    /// A label may occur several times, and then counts so often.
    #[must_use]
    pub fn new(options: TrainOptions, labels: &[Label], without: &Excluded) -> Option<Self> {
        let model = Model::new(&options.rules, options.units, options.seed)?;
        let adam = Adam::new(&model.numbers);
        let (mut fitted, mut held_out) = (Vec::new(), Vec::new());
        for label in labels {
            // By its hash, so that repeated labels are on the same side.
            let hash = excluded::hash(&label.position) ^ options.seed;
            let part = Random::new(hash).below(1000) as u64;
            let groups = if part < HELD_OUT_PER_MILLE { &mut held_out } else { &mut fitted };
            groups.extend(Group::new(label, without));
        }
        let (epoch, curve, begun_with) = (0, Vec::new(), None);
        Some(Self { options, model, adam, fitted, held_out, epoch, curve, begun_with })
    }

    /// Begins with a network instead of random weights, and adds the units that it lacks; none if it
    /// is of another game or has more units.
    #[must_use]
    pub fn begin_with(mut self, weights: &NetWeights) -> Option<Self> {
        let TrainOptions { rules, units, seed, .. } = self.options;
        let model = Model::of_weights(weights).filter(|_| weights.rules == rules)?;
        self.model = model.widened(units, seed)?;
        self.adam = Adam::new(&self.model.numbers);
        self.begun_with = Some(weights.trained_on.clone());
        Some(self)
    }

    /// Labels that are trained on, and the positions in them.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.fitted.len(), self.fitted.iter().map(|group| group.positions.len()).sum())
    }

    /// Epochs made.
    #[must_use]
    pub fn epoch(&self) -> usize {
        self.epoch
    }

    /// What was found after each epoch.
    #[must_use]
    pub fn curve(&self) -> &[Check] {
        &self.curve
    }

    /// The network as it is now.
    #[must_use]
    pub fn weights(&self) -> NetWeights {
        let (labels, positions) = self.size();
        let TrainOptions { rules, seed, .. } = &self.options;
        let epochs = self.epoch;
        if let (Some(text), 0) = (&self.begun_with, epochs) {
            return self.model.quantised(&self.adam.mean, text.clone());
        }
        let before =
            self.begun_with.as_ref().map_or_else(String::new, |text| format!("{text}; then "));
        self.model.quantised(
            &self.adam.mean,
            format!(
                "{before}{labels} labels ({positions} positions) of {rules}, {epochs} epochs, seed {seed}"
            ),
        )
    }

    /// Sees every position once; `progress` hears how many labels are done, and may break off, in
    /// which case the epoch counts for nothing once a checkpoint is read.
    pub fn run_epoch(
        &mut self,
        threads: usize,
        mut progress: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut order: Vec<usize> = (0..self.fitted.len()).collect();
        let mut random = Random::for_item(self.options.seed, self.epoch as u64);
        for index in (1..order.len()).rev() {
            order.swap(index, random.below(index + 1));
        }
        let batches = order.len().div_ceil(self.options.batch).max(1);
        let count = self.model.numbers.len();
        let mut shards: Vec<_> =
            (0..SHARDS).map(|_| Mutex::new((vec![0.0f32; count], Passes::default()))).collect();
        for (number, batch) in order.chunks(self.options.batch).enumerate() {
            let share = (self.epoch as f64 + number as f64 / batches as f64)
                / self.options.epochs.max(1) as f64;
            let cosine = 0.5 * (1.0 + (std::f64::consts::PI * share).cos());
            let rate = self.options.rate * (0.01 + 0.99 * cosine as f32);
            let (model, fitted) = (&self.model, &self.fitted);
            let work = |(): &mut (), shard: usize| {
                let mut state = shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
                let (gradient, passes) = &mut *state;
                let size = batch.len().div_ceil(SHARDS);
                for &index in batch.iter().skip(shard * size).take(size) {
                    learn(model, &fitted[index], passes, gradient);
                }
            };
            share_out(0..SHARDS, threads, || (), work, |_, ()| ControlFlow::Continue(()));
            let mut gradients: Vec<&mut [f32]> = shards
                .iter_mut()
                .map(|shard| &mut shard.get_mut().unwrap_or_else(PoisonError::into_inner).0[..])
                .collect();
            let scale = 1.0 / batch.len() as f32;
            let step = Step { rate, decay: DECAY, scale, batches: MEAN_BATCHES };
            self.adam.step(&mut self.model.numbers, &mut gradients, step);
            progress((number + 1) * self.options.batch)?;
        }
        self.epoch += 1;
        let check = self.check();
        self.curve.push(check);
        ControlFlow::Continue(())
    }

    /// How the network, in whole numbers, does on the labels that were held out.
    #[must_use]
    pub fn check(&self) -> Check {
        let Ok(net) = self.weights().net() else { return Check::default() };
        check(&net, &self.held_out)
    }

    /// How the network does on other labels.
    #[must_use]
    pub fn check_on(&self, labels: &[Label]) -> Check {
        let Ok(net) = self.weights().net() else { return Check::default() };
        let none = Excluded::default();
        let groups: Vec<_> = labels.iter().filter_map(|label| Group::new(label, &none)).collect();
        check(&net, &groups)
    }
}

fn check(net: &Net, groups: &[Group]) -> Check {
    let mut found = Check::default();
    let mut positions = 0u64;
    for group in groups {
        for &(discs, result) in &group.positions {
            let value = f64::from(net.evaluate(discs)) / f64::from(fourfold::eval::net::SCALE);
            let target = f64::from(result + 1) / 2.0;
            found.loss += softplus(value) - target * value;
            positions += 1;
        }
        let sign = if group.first_moves { 1 } else { -1 };
        let choice = group
            .moves()
            .iter()
            .max_by_key(|(discs, _)| sign * net.evaluate(*discs))
            .map(|&(_, result)| result * sign as i8);
        found.labels += 1;
        found.wrong += u64::from(choice != group.results().max());
    }
    found.loss /= positions.max(1) as f64;
    found
}

fn softplus(value: f64) -> f64 {
    value.max(0.0) + (-value.abs()).exp().ln_1p()
}

/// Adds the gradient of a label's loss.
fn learn(model: &Model, group: &Group, passes: &mut Passes, gradient: &mut [f32]) {
    model.forward(group.positions.iter().map(|&(discs, _)| discs), passes);
    let mut slopes: Vec<f32> = passes
        .values
        .iter()
        .zip(&group.positions)
        .map(|(value, &(_, result))| {
            let target = f32::from(result + 1) / 2.0;
            1.0 / (1.0 + (-value).exp()) - target
        })
        .collect();
    // The moves as the side that makes them sees them.
    let sign = if group.first_moves { 1.0 } else { -1.0 };
    let best = group.results().max().unwrap_or(0);
    if group.results().any(|result| result != best) {
        let values: Vec<f32> = passes.values[1..].iter().map(|value| sign * value).collect();
        let most = values.iter().fold(f32::MIN, |most, &value| most.max(value));
        let powers: Vec<f32> = values.iter().map(|value| (value - most).exp()).collect();
        let all: f32 = powers.iter().sum();
        let keeping: f32 =
            powers.iter().zip(group.results()).filter(|(_, r)| *r == best).map(|(p, _)| p).sum();
        for ((slope, power), result) in slopes[1..].iter_mut().zip(powers).zip(group.results()) {
            let wanted = if result == best { power / keeping.max(1e-12) } else { 0.0 };
            *slope += CHOICE_WEIGHT * sign * (power / all - wanted);
        }
    }
    model.backward(passes, &slopes, gradient);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{LabelOptions, make_labels};
    use fourfold::budget::Budget;

    fn labels(rules: Rules, count: usize) -> Vec<Label> {
        let mut labels = Vec::new();
        let options = LabelOptions { weak: true, ..LabelOptions::new(rules) };
        make_labels(
            &options,
            0,
            std::collections::HashSet::new(),
            2,
            &Budget::unlimited(),
            |_, fresh| {
                labels.extend(fresh);
                if labels.len() >= count {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        )
        .unwrap();
        labels
    }

    fn options(rules: Rules) -> TrainOptions {
        TrainOptions { rules, units: 16, epochs: 3, batch: 32, rate: 3e-3, seed: 1 }
    }

    fn no_positions() -> Excluded {
        Excluded::default()
    }

    fn go_on(_: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn a_tiny_training_improves_and_is_the_same_when_continued() {
        let rules: Rules = "5x4c4".parse().unwrap();
        let labels = labels(rules, 1500);
        let none = no_positions();
        let mut training = Training::new(options(rules), &labels, &none).unwrap();
        let before = training.check();
        let _ = training.run_epoch(2, go_on);
        let kept = training.checkpoint();
        let _ = training.run_epoch(2, go_on);
        let _ = training.run_epoch(2, go_on);
        let after = training.check();
        assert!(after.loss < 0.8 * before.loss, "{before:?} {after:?}");
        assert!(after.wrong < before.wrong, "{before:?} {after:?}");

        let mut resumed = Training::new(options(rules), &labels, &none).unwrap();
        resumed.restore(&kept).unwrap();
        let _ = resumed.run_epoch(1, go_on);
        let _ = resumed.run_epoch(1, go_on);
        assert_eq!(resumed.weights().to_bytes(), training.weights().to_bytes());
        assert_eq!(resumed.curve(), training.curve());
        let mut damaged = kept.clone();
        damaged.truncate(kept.len() - 3);
        assert!(resumed.restore(&damaged).is_err());
    }

    #[test]
    fn a_training_can_begin_with_a_network() {
        let rules: Rules = "5x4c4".parse().unwrap();
        let labels = labels(rules, 600);
        let none = no_positions();
        let new = || Training::new(options(rules), &labels, &none).unwrap();
        let mut training = new();
        let _ = training.run_epoch(1, go_on);
        let weights = training.weights();
        let begun = new().begin_with(&weights).unwrap();
        assert_eq!(begun.check(), training.check());
        let again = begun.weights();
        assert_eq!(
            (&again.bias, &again.rows, &again.heads),
            (&weights.bias, &weights.rows, &weights.heads)
        );
        assert!(again.trained_on.starts_with(&weights.trained_on));

        // More units change nothing at first, and learn.
        let wider = |units| {
            let options = TrainOptions { units, ..options(rules) };
            Training::new(options, &labels, &none).unwrap().begin_with(&weights)
        };
        let mut wide = wider(48).unwrap();
        assert_eq!(wide.check(), training.check());
        assert_eq!(wide.weights().units, 48);
        let _ = wide.run_epoch(1, go_on);
        assert!(wide.check().loss < training.check().loss);
        let heads = wide.weights().heads;
        assert!(heads.iter().any(|head| head.second[16..48].iter().any(|&weight| weight != 0)));
        assert!(wide.weights().net().is_ok());
        assert!(new().begin_with(&wide.weights()).is_none());
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let rules: Rules = "5x4c4".parse().unwrap();
        let label = &labels(rules, 40)[30];
        let group = Group::new(label, &no_positions()).unwrap();
        let mut model = Model::new(&rules, 16, 3).unwrap();
        let mut gradient = vec![0.0; model.numbers.len()];
        let mut passes = Passes::default();
        // What was computed of another label does not matter.
        let another = Group::new(&labels(rules, 40)[7], &no_positions()).unwrap();
        model.forward(another.positions.iter().map(|&(discs, _)| discs), &mut passes);
        learn(&model, &group, &mut passes, &mut gradient);
        let loss = |model: &Model| -> f64 {
            let mut values = Vec::new();
            let mut sum = 0.0;
            for &(discs, result) in &group.positions {
                // Each on its own, from scratch.
                let mut passes = Passes::default();
                model.forward(std::iter::once(discs), &mut passes);
                let value = f64::from(passes.values[0]);
                values.push(value);
                sum += softplus(value) - f64::from(result + 1) / 2.0 * value;
            }
            let sign = if group.first_moves { 1.0 } else { -1.0 };
            let best = group.results().max().unwrap();
            if group.results().any(|result| result != best) {
                let powers: Vec<f64> =
                    values[1..].iter().map(|value| (sign * value).exp()).collect();
                let keeping: f64 = powers
                    .iter()
                    .zip(group.results())
                    .filter(|(_, r)| *r == best)
                    .map(|(p, _)| p)
                    .sum();
                sum -= f64::from(CHOICE_WEIGHT) * (keeping / powers.iter().sum::<f64>()).ln();
            }
            sum
        };
        let mut random = Random::new(4);
        let touched: Vec<usize> =
            (0..gradient.len()).filter(|&index| gradient[index].abs() > 0.02).collect();
        assert!(touched.len() > 50, "{}", touched.len());
        for _ in 0..30 {
            let index = *random.pick(&touched).unwrap();
            let was = model.numbers[index];
            model.numbers[index] = was + 1e-3;
            let above = loss(&model);
            model.numbers[index] = was - 1e-3;
            let below = loss(&model);
            model.numbers[index] = was;
            let slope = (above - below) / 2e-3;
            let found = f64::from(gradient[index]);
            assert!((slope - found).abs() < 0.02 + 0.05 * found.abs(), "{index}: {slope} {found}");
        }
    }

    #[test]
    fn what_is_to_be_left_out_is_not_trained_on() {
        let rules: Rules = "5x4c4".parse().unwrap();
        let labels = labels(rules, 200);
        let varied = |label: &&Label| label.scores.iter().any(|found| found.1 != label.scores[0].1);
        let label = labels.iter().filter(varied).nth(5).unwrap();
        let mut without = Excluded::default();
        without.add(&label.position.mirror());
        let none = no_positions();
        let whole = Training::new(options(rules), &labels, &none).unwrap();
        let less = Training::new(options(rules), &labels, &without).unwrap();
        let count = |training: &Training| training.fitted.len() + training.held_out.len();
        assert_eq!(count(&less), count(&whole) - 1);
        assert!(Group::new(label, &without).is_none());
        // A label keeps its other positions.
        let often = |score: i32| label.scores.iter().filter(|found| found.1 == score).count();
        let (mv, _) = label.scores.iter().max_by_key(|found| often(found.1)).unwrap();
        let after = label.position.play_unchecked(*mv);
        let mut without = Excluded::default();
        without.add(&after.mirror());
        let whole = Group::new(label, &none).unwrap();
        let less = Group::new(label, &without).unwrap();
        assert_eq!(less.positions.len(), whole.positions.len() - 1);
        assert!(less.positions.iter().all(|&(found, _)| found != discs(&after)));
    }
}
