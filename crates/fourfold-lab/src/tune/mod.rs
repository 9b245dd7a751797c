//! Tuning the weights of an evaluator: by regression on exact labels, by play, or by both, and what
//! that gains on openings that tuning never saw.
//!
//! A tuning goes through stages, and everything found is kept in a [`TuneState`] that can be
//! written down and continued: the regression (`regression`), the play (`spsa`), a choice between
//! what the two found on openings of its own, and the gain over the weights of today at each depth
//! (`contest`). All of it depends on the options alone.

mod contest;
mod regression;
mod show;
mod spsa;
mod weights_file;

pub use contest::{Gain, Openings, contest, pair, searcher};
pub use regression::{Loss, Regression, Sample, regress};
pub use show::{gain_table, loss_plot, play_plot};
pub use spsa::{Spsa, SpsaOptions};
pub use weights_file::{WeightsFile, WeightsFileError};

use crate::labels::Label;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Key, Move, Rules};
use fourfold::play::GameError;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// What to tune and how.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneOptions {
    /// The game.
    pub rules: Rules,
    /// The evaluator whose weights are tuned; they are where tuning starts.
    pub evaluator: Evaluator,
    /// What it has to beat: the same with the weights of today, or another evaluator.
    pub rival: Evaluator,
    /// Fit the weights to labels.
    pub by_labels: bool,
    /// Then, or only, let them play.
    pub by_play: bool,
    /// Keep the weights in increasing order.
    pub keep_order: bool,
    /// Steps of play.
    pub steps: usize,
    /// Openings, each played from both sides, at each depth of the test.
    pub openings: usize,
    /// The depths of the test.
    pub depths: RangeInclusive<u32>,
    /// The random seed.
    pub seed: u64,
}

impl TuneOptions {
    /// What a state belongs to: everything but the number of labels.
    #[must_use]
    pub fn head(&self) -> String {
        let Self { rules, evaluator, rival, seed, steps, openings, .. } = self;
        let (first, last) = (self.depths.start(), self.depths.end());
        let ways = match (self.by_labels, self.by_play) {
            (true, true) => "labels and self-play",
            (true, false) => "labels",
            (false, _) => "self-play",
        };
        let order = if self.keep_order { ", order kept" } else { "" };
        format!(
            "{rules}, {evaluator} against {rival}, {ways}{order}, {steps} steps, {openings} openings, \
             depths {first}..{last}, seed {seed}"
        )
    }

    fn evaluator_with(&self, weights: &[i32]) -> Evaluator {
        self.evaluator.with_weights(weights).unwrap_or_else(|| self.evaluator.clone())
    }
}

/// A candidate, and how it did against the rival on the openings of the choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// `start`, `labels` or `self-play`.
    pub origin: String,
    /// Its weights.
    pub weights: Vec<i32>,
    /// By depth.
    pub gains: Vec<Gain>,
}

impl Candidate {
    /// The mean share of points over the depths.
    #[must_use]
    pub fn score(&self) -> f64 {
        let sum: f64 = self.gains.iter().map(Gain::score).sum();
        sum / self.gains.len().max(1) as f64
    }
}

/// Everything found so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TuneState {
    /// What it belongs to: [`TuneOptions::head`].
    pub head: String,
    /// How many samples were fitted.
    pub samples: usize,
    /// What the regression found.
    pub regression: Option<Regression>,
    /// The play.
    pub spsa: Option<Spsa>,
    /// What there is to choose from.
    pub candidates: Vec<Candidate>,
    /// The weights that were chosen.
    pub weights: Option<Vec<i32>>,
    /// The test, by depth.
    pub gains: Vec<Gain>,
}

/// How far a tuning is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TuneProgress {
    /// What is being done: `steps of self-play`, `games of the test`.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
}

/// Of a hundred labels, this many are held out of the regression.
const HELD_OUT_PERCENT: usize = 10;

/// The depths at which weights play while they are tuned, and are chosen.
const PLAY_DEPTHS: [u32; 4] = [2, 3, 4, 5];

/// Pairs of games at each depth by which a candidate is chosen.
const CHOICE_PAIRS: usize = 100;

/// The openings of a tuning: those of the choice, those of the test, and the keys of both, which
/// play must not use.
struct KeptOpenings {
    choice: Vec<Vec<Move>>,
    test: Vec<Vec<Move>>,
    keys: HashSet<Key>,
}

impl KeptOpenings {
    fn new(options: &TuneOptions) -> Self {
        let mut keys = HashSet::new();
        let mut take = |seed: u64, count| {
            Openings::new(options.rules, options.seed ^ seed << 32).take(count, &mut keys)
        };
        let test = take(1, options.openings);
        let choice = take(2, CHOICE_PAIRS.min(options.openings));
        Self { choice, test, keys }
    }
}

/// Goes on with a tuning until it is finished. `keep` is called with the state after every piece of
/// work, and with how far the stage is.
///
/// # Errors
/// If an evaluator cannot play this game, or the budget ended; the state can be continued.
pub fn tune(
    options: &TuneOptions,
    labels: &[Label],
    state: &mut TuneState,
    threads: usize,
    budget: &Budget,
    mut keep: impl FnMut(&TuneState, TuneProgress),
) -> Result<(), GameError> {
    state.head = options.head();
    let start = options.evaluator.weights().unwrap_or_default();
    if options.by_labels && state.regression.is_none() {
        let (fitted, held_out) = samples(options, labels);
        state.samples = fitted.len();
        state.regression = Some(regress(&start, &fitted, &held_out));
        keep(state, TuneProgress { stage: "regression", done: 1, total: 1 });
    }
    let kept = KeptOpenings::new(options);
    if options.by_play {
        play(options, &kept, state, threads, budget, &mut keep)?;
    }
    choose(options, &kept, state, threads, budget, &mut keep)?;
    test(options, &kept, state, threads, budget, &mut keep)
}

/// The samples to fit, and those held out. Positions of one label stay together.
fn samples(options: &TuneOptions, labels: &[Label]) -> (Vec<Sample>, Vec<Sample>) {
    let cut = labels.len() - labels.len() * HELD_OUT_PERCENT / 100;
    let of = |labels: &[Label]| {
        labels.iter().flat_map(|label| Sample::of_label(&options.evaluator, label)).collect()
    };
    (of(&labels[..cut]), of(&labels[cut..]))
}

fn play(
    options: &TuneOptions,
    kept: &KeptOpenings,
    state: &mut TuneState,
    threads: usize,
    budget: &Budget,
    keep: &mut impl FnMut(&TuneState, TuneProgress),
) -> Result<(), GameError> {
    let start = match &state.regression {
        Some(regression) => regression.weights.clone(),
        None => options.evaluator.weights().unwrap_or_default().iter().map(|&w| w.into()).collect(),
    };
    let spsa_options = SpsaOptions {
        rules: options.rules,
        evaluator: &options.evaluator,
        depths: &PLAY_DEPTHS,
        steps: options.steps,
        seed: options.seed,
        held_out: &kept.keys,
        threads,
        keep_order: options.keep_order,
    };
    let mut spsa = state.spsa.take().unwrap_or_else(|| {
        let mut start = start;
        if options.keep_order {
            put_in_order(&mut start);
        }
        Spsa::new(&start)
    });
    while spsa.done < options.steps {
        let made = spsa.step(&spsa_options, budget);
        state.spsa = Some(spsa.clone());
        made?;
        let (done, total) = (spsa.done as u64, options.steps as u64);
        keep(state, TuneProgress { stage: "steps of self-play", done, total });
    }
    state.spsa = Some(spsa);
    Ok(())
}

/// Lets what was found play against the rival, and chooses the best.
fn choose(
    options: &TuneOptions,
    kept: &KeptOpenings,
    state: &mut TuneState,
    threads: usize,
    budget: &Budget,
    keep: &mut impl FnMut(&TuneState, TuneProgress),
) -> Result<(), GameError> {
    if state.weights.is_some() {
        return Ok(());
    }
    let mut found = vec![("start", options.evaluator.weights().unwrap_or_default())];
    if let Some(regression) = &state.regression {
        found.push(("labels", whole_weights(&regression.weights, options.keep_order)));
    }
    if let Some(spsa) = &state.spsa {
        found.push(("self-play", whole_weights(&spsa.result(options.steps), options.keep_order)));
    }
    let total = (found.len() * PLAY_DEPTHS.len() * kept.choice.len()) as u64;
    for (index, (origin, weights)) in found.into_iter().enumerate() {
        if state.candidates.len() <= index {
            let (origin, gains) = (origin.to_owned(), Vec::new());
            state.candidates.push(Candidate { origin, weights, gains });
        }
        let evaluator = options.evaluator_with(&state.candidates[index].weights);
        for depth in PLAY_DEPTHS.into_iter().skip(state.candidates[index].gains.len()) {
            let sides = [&evaluator, &options.rival];
            let gain = contest(&options.rules, &kept.choice, depth, sides, threads, budget, || ())?;
            state.candidates[index].gains.push(gain);
            let done = state.candidates.iter().flat_map(|c| &c.gains).map(|gain| gain.pairs).sum();
            keep(state, TuneProgress { stage: "pairs of the choice", done, total });
        }
    }
    let best = state.candidates.iter().max_by(|a, b| a.score().total_cmp(&b.score()));
    state.weights = best.map(|best| best.weights.clone());
    Ok(())
}

/// The weights that were chosen against the rival, at each depth.
fn test(
    options: &TuneOptions,
    kept: &KeptOpenings,
    state: &mut TuneState,
    threads: usize,
    budget: &Budget,
    keep: &mut impl FnMut(&TuneState, TuneProgress),
) -> Result<(), GameError> {
    let evaluator = options.evaluator_with(state.weights.as_deref().unwrap_or_default());
    let depths = options.depths.clone();
    let total = (depths.clone().count() * kept.test.len()) as u64;
    for depth in depths.skip(state.gains.len()) {
        let before: u64 = state.gains.iter().map(|gain| gain.pairs).sum();
        let mut pairs = 0;
        let sides = [&evaluator, &options.rival];
        let gain = contest(&options.rules, &kept.test, depth, sides, threads, budget, || {
            pairs += 1;
            let done = before + pairs;
            keep(state, TuneProgress { stage: "pairs of the test", done, total });
        })?;
        state.gains.push(gain);
        keep(state, TuneProgress { stage: "pairs of the test", done: before + gain.pairs, total });
    }
    Ok(())
}

/// Whole numbers in the proportions of `weights`: the largest becomes 1000.
#[must_use]
pub fn whole_weights(weights: &[f64], keep_order: bool) -> Vec<i32> {
    let mut weights = weights.to_vec();
    if keep_order {
        put_in_order(&mut weights);
    }
    let largest = weights.iter().fold(0.0f64, |most, weight| most.max(weight.abs()));
    let scale = if largest > 0.0 { 1000.0 / largest } else { 0.0 };
    let mut whole: Vec<i32> = weights.iter().map(|w| (w * scale).round() as i32).collect();
    if keep_order {
        for index in 1..whole.len() {
            whole[index] = whole[index].max(whole[index - 1] + 1);
        }
    }
    whole
}

/// The nearest weights that do not fall, from the first to the last (pooling adjacent violators).
pub(crate) fn put_in_order(weights: &mut [f64]) {
    // Runs of weights that have become equal: their sum and their number.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for &weight in weights.iter() {
        runs.push((weight, 1));
        while let [.., (a, m), (b, n)] = runs[..]
            && a / m as f64 > b / n as f64
        {
            runs.pop();
            runs.pop();
            runs.push((a + b, m + n));
        }
    }
    let levels = runs.iter().flat_map(|&(sum, n)| std::iter::repeat_n(sum / n as f64, n));
    for (weight, level) in weights.iter_mut().zip(levels) {
        *weight = level;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{LabelOptions, make_labels};
    use std::ops::ControlFlow;

    #[test]
    fn order_is_kept_by_pooling() {
        let mut weights = [3.0, 1.0, 2.0, 5.0];
        put_in_order(&mut weights);
        assert_eq!(weights, [2.0, 2.0, 2.0, 5.0]);
        assert_eq!(whole_weights(&[3.0, 1.0, 2.0, 5.0], true), [400, 401, 402, 1000]);
        assert_eq!(whole_weights(&[0.5, -0.25], false), [1000, -500]);
        assert_eq!(whole_weights(&[0.0, 0.0], false), [0, 0]);
    }

    fn tiny() -> (TuneOptions, Vec<Label>) {
        let rules: Rules = "5x4c4".parse().unwrap();
        let options = TuneOptions {
            rules,
            evaluator: "windows:1/1/1/1".parse().unwrap(),
            rival: "windows:1/1/1/1".parse().unwrap(),
            by_labels: true,
            by_play: true,
            keep_order: true,
            steps: 6,
            openings: 20,
            depths: 2..=3,
            seed: 5,
        };
        let mut labels = Vec::new();
        let label_options = LabelOptions { weak: true, ..LabelOptions::new(rules) };
        let budget = Budget::unlimited();
        make_labels(&label_options, 0, HashSet::new(), 2, &budget, |_, fresh| {
            labels.extend(fresh);
            if labels.len() > 400 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        (options, labels)
    }

    #[test]
    fn a_tiny_tuning_improves_and_is_the_same_when_continued() {
        let (options, labels) = tiny();
        let mut whole = TuneState::default();
        tune(&options, &labels, &mut whole, 2, &Budget::unlimited(), |_, _| ()).unwrap();
        let curve = &whole.regression.as_ref().unwrap().curve;
        let (first, last) = (curve[0].held_out, curve[curve.len() - 1].held_out);
        assert!(last < first, "{first} {last}");
        assert_eq!(whole.gains.len(), 2);

        // Killed after every piece of work, written down, read and continued.
        let mut texts = Vec::new();
        tune(&options, &labels, &mut TuneState::default(), 1, &Budget::unlimited(), |state, _| {
            texts.push(serde_json::to_string(state).unwrap());
        })
        .unwrap();
        for text in texts.iter().step_by(7) {
            let mut state: TuneState = serde_json::from_str(text).unwrap();
            tune(&options, &labels, &mut state, 2, &Budget::unlimited(), |_, _| ()).unwrap();
            assert_eq!(state, whole);
        }
    }
}
