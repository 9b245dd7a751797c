//! Weights by play: simultaneous perturbation stochastic approximation (Spall 1992), as chess
//! engines are tuned.
//!
//! Each step moves all weights up or down at once at random, lets the two opposite moves play pairs
//! of games against each other, and shifts the weights towards the winner. Steps shrink as they go
//! on, and the result is the mean over their second half.

use super::contest::{Openings, pair};
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Key, Rules};
use fourfold::play::GameError;
use fourfold::random::Random;
use fourfold::workers::share_out;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Pairs of games in a step.
const PAIRS: usize = 12;

/// How far weights are perturbed, relative to their size.
const PERTURBATION: f64 = 0.3;

/// How far a step goes for a perfect score, relative to the perturbation.
const STEP: f64 = 1.0;

/// A weight is taken to be at least this share of the largest, so that small ones move too. A
/// weight of exactly zero belongs to a feature that never occurs, and stays.
const SMALLEST: f64 = 0.02;

/// The state of a run; it can be kept and continued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    /// Steps made.
    pub done: usize,
    /// The weights now.
    pub weights: Vec<f64>,
    /// The size of each weight, in which steps are measured.
    sizes: Vec<f64>,
    /// The sum of the weights over the second half of the steps.
    sum: Vec<f64>,
    /// The weights every now and then: the learning curve.
    pub curve: Vec<(usize, Vec<f64>)>,
}

/// What a run needs to know.
#[derive(Debug, Clone)]
pub struct SpsaOptions<'a> {
    /// The game.
    pub rules: Rules,
    /// Whose weights.
    pub evaluator: &'a Evaluator,
    /// Depths at which games are played.
    pub depths: &'a [u32],
    /// Steps in all.
    pub steps: usize,
    /// The random seed.
    pub seed: u64,
    /// Openings that are kept for the test.
    pub held_out: &'a HashSet<Key>,
    /// Games at a time.
    pub threads: usize,
    /// Keep the weights in increasing order.
    pub keep_order: bool,
}

impl Spsa {
    /// A run that begins with these weights.
    #[must_use]
    pub fn new(weights: &[f64]) -> Self {
        let largest = weights.iter().fold(0.0f64, |most, weight| most.max(weight.abs()));
        // Whole numbers are played with: the largest is a thousand.
        let scale = if largest > 0.0 { 1000.0 / largest } else { 1.0 };
        let weights: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        let size = |weight: &f64| match *weight {
            0.0 => 0.0,
            weight => weight.abs().max(SMALLEST * 1000.0),
        };
        let sizes = weights.iter().map(size).collect();
        let (sum, curve) = (vec![0.0; weights.len()], vec![(0, weights.clone())]);
        Self { done: 0, weights, sizes, sum, curve }
    }

    /// The mean over the second half of the steps, or the weights now if there are none yet.
    #[must_use]
    pub fn result(&self, steps: usize) -> Vec<f64> {
        let count = self.done.saturating_sub(steps / 2);
        if count == 0 {
            return self.weights.clone();
        }
        self.sum.iter().map(|sum| sum / count as f64).collect()
    }

    /// Makes one step.
    ///
    /// # Errors
    /// If the evaluator cannot play this game, or the budget ended; the state is as before.
    pub fn step(&mut self, options: &SpsaOptions<'_>, budget: &Budget) -> Result<(), GameError> {
        let number = self.done;
        let mut random = Random::for_item(options.seed, number as u64);
        let signs: Vec<f64> =
            self.weights.iter().map(|_| if random.chance(0.5) { 1.0 } else { -1.0 }).collect();
        let reach = PERTURBATION / (1.0 + number as f64).powf(0.101);
        let moved = |direction: f64| {
            let shifted = self.weights.iter().zip(&self.sizes).zip(&signs);
            let mut weights: Vec<f64> = shifted
                .map(|((weight, size), sign)| weight + direction * reach * size * sign)
                .collect();
            if options.keep_order {
                super::put_in_order(&mut weights);
            }
            let weights: Vec<i32> = weights.iter().map(|weight| weight.round() as i32).collect();
            options.evaluator.with_weights(&weights)
        };
        let (Some(up), Some(down)) = (moved(1.0), moved(-1.0)) else { return Ok(()) };
        let mut without = options.held_out.clone();
        let openings = Openings::new(options.rules, random.next_u64()).take(PAIRS, &mut without);
        let depths: Vec<u32> =
            openings.iter().map(|_| *random.pick(options.depths).unwrap_or(&2)).collect();
        let (mut points, mut failure) = (0.0, None);
        let play = |(): &mut (), (opening, depth): (&Vec<_>, &u32)| {
            pair(&options.rules, opening, *depth, [&up, &down], budget)
        };
        let games = openings.iter().zip(&depths);
        share_out(
            games,
            options.threads,
            || (),
            play,
            |_, result| match result {
                Ok(pair) => {
                    points += pair;
                    ControlFlow::Continue(())
                }
                Err(why) => {
                    failure = Some(why);
                    ControlFlow::Break(())
                }
            },
        );
        if let Some(why) = failure {
            return Err(why);
        }
        // From -1 to 1.
        let lead = if openings.is_empty() { 0.0 } else { points / openings.len() as f64 - 1.0 };
        let settle = options.steps as f64 / 10.0;
        let length = STEP * (settle / (settle + number as f64)).powf(0.602) * reach * lead;
        for ((weight, size), sign) in self.weights.iter_mut().zip(&self.sizes).zip(&signs) {
            *weight += length * size * sign;
        }
        if options.keep_order {
            super::put_in_order(&mut self.weights);
        }
        self.done += 1;
        if self.done > options.steps / 2 {
            for (sum, weight) in self.sum.iter_mut().zip(&self.weights) {
                *sum += weight;
            }
        }
        let interval = (options.steps / 40).max(1);
        if self.done.is_multiple_of(interval) {
            self.curve.push((self.done, self.weights.clone()));
        }
        Ok(())
    }
}
