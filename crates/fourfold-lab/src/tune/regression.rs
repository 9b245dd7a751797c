//! Weights by logistic regression on exact labels: Texel's tuning method, with results that are
//! known instead of played.
//!
//! An evaluation `e` of a position is read as the probability `1 / (1 + exp(-K e))` that the first
//! player wins, a draw counting half. The evaluators tuned here are sums of weights times features,
//! so `K` and the weights together are the coefficients of a logistic regression; it is solved by
//! Newton's method, and `K` is then the common factor that rounding leaves over. Two more
//! coefficients, which are not part of the evaluator, take up what being the first player and being
//! to move are worth.

#![expect(clippy::needless_range_loop, reason = "matrices are indexed as in the formulas")]

use crate::labels::Label;
use fourfold::eval::Evaluator;
use fourfold::game::{Position, Side};
use serde::{Deserialize, Serialize};

/// Coefficients beside the weights: the first player's advantage, and the mover's.
const EXTRA: usize = 2;

/// Newton steps; the loss stops changing long before.
const STEPS: usize = 12;

/// Added to the diagonal of the Hessian per sample, so that it can be inverted even if a feature
/// never occurs.
const RIDGE: f64 = 1e-6;

/// A position as the regression sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Features for the first player, then the extra ones.
    features: Vec<f64>,
    /// 1 if the first player wins, 0.5 for a draw, 0 if the second wins.
    target: f64,
}

impl Sample {
    /// A sample of features for the first player, the side to move, and the result of perfect play
    /// for the first player: 1, 0 or -1.
    #[must_use]
    pub fn new(features: &[i32], to_move: Side, result: i32) -> Self {
        let mut features: Vec<f64> = features.iter().map(|&feature| f64::from(feature)).collect();
        features.push(1.0);
        features.push(if to_move == Side::First { 1.0 } else { -1.0 });
        Self { features, target: f64::from(result.signum() + 1) / 2.0 }
    }

    /// The labelled position and the positions after its moves, as far as the games go on. A search
    /// evaluates both kinds.
    pub fn of_label(evaluator: &Evaluator, label: &Label) -> Vec<Self> {
        let sample = |position: &Position, score: i32| {
            let features = evaluator.features(position, Side::First)?;
            let first = if position.to_move() == Side::First { score } else { -score };
            Some(Self::new(&features, position.to_move(), first))
        };
        let mut samples: Vec<Self> = sample(&label.position, label.score()).into_iter().collect();
        for &(mv, score) in &label.scores {
            let after = label.position.play_unchecked(mv);
            if !after.outcome().is_over() {
                samples.extend(sample(&after, -score));
            }
        }
        samples
    }
}

/// The loss after a step: what was fitted to, and what was held out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// Mean cross-entropy on the samples that were fitted.
    pub fitted: f64,
    /// Mean cross-entropy on the samples that were held out.
    pub held_out: f64,
}

/// What a regression found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// The weights times K.
    pub weights: Vec<f64>,
    /// The loss of the weights it started from, with the best K for them, then after each step.
    pub curve: Vec<Loss>,
}

/// Fits weights, starting from `initial`.
#[must_use]
pub fn regress(initial: &[i32], fitted: &[Sample], held_out: &[Sample]) -> Regression {
    let count = initial.len();
    let initial: Vec<f64> = initial.iter().map(|&weight| f64::from(weight)).collect();
    // The initial weights get their best K first: a regression on their sum.
    let along = |samples: &[Sample]| -> Vec<Sample> {
        let shorten = |sample: &Sample| {
            let sum = dot(&sample.features[..count], &initial);
            let mut features = vec![sum];
            features.extend_from_slice(&sample.features[count..]);
            Sample { features, target: sample.target }
        };
        samples.iter().map(shorten).collect()
    };
    let scaled = along(fitted);
    let mut short = vec![0.0; 1 + EXTRA];
    for _ in 0..STEPS {
        step(&mut short, &scaled);
    }
    let mut beta: Vec<f64> = initial.iter().map(|weight| weight * short[0]).collect();
    beta.extend_from_slice(&short[1..]);
    // A feature that never occurs weighs nothing: nothing is known of it.
    for (index, number) in beta.iter_mut().enumerate() {
        if fitted.iter().all(|sample| sample.features[index] == 0.0) {
            *number = 0.0;
        }
    }
    let loss_now =
        |beta: &[f64]| Loss { fitted: loss(beta, fitted), held_out: loss(beta, held_out) };
    let mut curve = vec![loss_now(&beta)];
    for _ in 0..STEPS {
        step(&mut beta, fitted);
        curve.push(loss_now(&beta));
    }
    Regression { weights: beta[..count].to_vec(), curve }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn probability(beta: &[f64], sample: &Sample) -> f64 {
    1.0 / (1.0 + (-dot(beta, &sample.features)).exp())
}

fn loss(beta: &[f64], samples: &[Sample]) -> f64 {
    let one = |sample: &Sample| {
        let p = probability(beta, sample).clamp(1e-12, 1.0 - 1e-12);
        -(sample.target * p.ln() + (1.0 - sample.target) * (1.0 - p).ln())
    };
    if samples.is_empty() {
        0.0
    } else {
        samples.iter().map(one).sum::<f64>() / samples.len() as f64
    }
}

/// A step of Newton's method, halved until the loss does not grow.
fn step(beta: &mut [f64], samples: &[Sample]) {
    let n = beta.len();
    let mut gradient = vec![0.0; n];
    let mut hessian = vec![vec![0.0; n]; n];
    for sample in samples {
        let p = probability(beta, sample);
        let (error, curvature) = (p - sample.target, p * (1.0 - p));
        for i in 0..n {
            gradient[i] += error * sample.features[i];
            for j in 0..=i {
                hessian[i][j] += curvature * sample.features[i] * sample.features[j];
            }
        }
    }
    for i in 0..n {
        for j in 0..i {
            hessian[j][i] = hessian[i][j];
        }
        hessian[i][i] += RIDGE * (samples.len() as f64 + 1.0);
    }
    let direction = solve(hessian, gradient);
    let before = loss(beta, samples);
    let mut length = 1.0;
    for _ in 0..20 {
        let next: Vec<f64> = beta.iter().zip(&direction).map(|(b, d)| b - length * d).collect();
        if loss(&next, samples) <= before {
            beta.copy_from_slice(&next);
            return;
        }
        length /= 2.0;
    }
}

/// Gaussian elimination with pivoting; the matrix is positive definite.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..n {
            let factor = matrix[row][column] / matrix[column][column];
            for k in column..n {
                matrix[row][k] -= factor * matrix[column][k];
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..n).rev() {
        for k in row + 1..n {
            right[row] -= matrix[row][k] * right[k];
        }
        right[row] /= matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold::random::Random;

    #[test]
    fn planted_weights_are_recovered() {
        let planted = [0.05, 0.2, 0.9, -0.4];
        let mut random = Random::new(11);
        let mut make = |count: usize| -> Vec<Sample> {
            let one = |random: &mut Random| {
                let features: [i32; 4] = std::array::from_fn(|_| random.below(9) as i32 - 4);
                let sum: f64 = features.iter().zip(planted).map(|(&f, w)| f64::from(f) * w).sum();
                let to_move = if random.chance(0.5) { Side::First } else { Side::Second };
                // Being first is worth 0.3, being to move 0.1.
                let bonus = 0.3 + if to_move == Side::First { 0.1 } else { -0.1 };
                let wins = random.chance(1.0 / (1.0 + (-sum - bonus).exp()));
                Sample::new(&features, to_move, if wins { 1 } else { -1 })
            };
            (0..count).map(|_| one(&mut random)).collect()
        };
        let (fitted, held_out) = (make(40_000), make(4_000));
        let found = regress(&[1, 5, 25, 100], &fitted, &held_out);
        for (found, planted) in found.weights.iter().zip(planted) {
            assert!((found - planted).abs() < 0.03, "{found} {planted}");
        }
        let (first, last) = (found.curve[0], found.curve[STEPS]);
        assert!(last.held_out < 0.8 * first.held_out, "{first:?} {last:?}");
    }

    #[test]
    fn a_feature_that_never_occurs_weighs_nothing() {
        let samples: Vec<Sample> = (0..100)
            .map(|n| Sample::new(&[n % 7 - 3, 0], Side::First, if n % 7 > 3 { 1 } else { -1 }))
            .collect();
        let found = regress(&[1, 1], &samples, &samples);
        assert!(found.weights[0] > 0.0 && found.weights[1].abs() < 1e-9, "{:?}", found.weights);
    }
}
