//! Weights compared by play: pairs of games from random openings, each opening from both sides.

use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Key, Move, Rules};
use fourfold::play::{GameError, Interval, PlayerSpec, Seat, Winner, play_game, random_position};
use fourfold::random::Random;
use fourfold::workers::share_out;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Random openings, none twice, nor its mirror image.
#[derive(Debug, Clone)]
pub struct Openings {
    rules: Rules,
    seed: u64,
}

impl Openings {
    /// The openings of a seed.
    #[must_use]
    pub fn new(rules: Rules, seed: u64) -> Self {
        Self { rules, seed }
    }

    /// One after the other; those whose keys are in `without` are left out, and new ones are added
    /// to it.
    #[must_use]
    pub fn take(&self, count: usize, without: &mut HashSet<Key>) -> Vec<Vec<Move>> {
        let mut openings = Vec::new();
        // A small board has few openings: fewer than asked for, then.
        for number in 0..(50 * count as u64 + 200) {
            if openings.len() == count {
                break;
            }
            let mut random = Random::for_item(self.seed, number);
            openings.extend(opening(&self.rules, &mut random, without));
        }
        openings
    }
}

/// A random opening of up to a quarter of the board in which nobody wins or has to block at once.
fn opening(rules: &Rules, random: &mut Random, without: &mut HashSet<Key>) -> Option<Vec<Move>> {
    let cells = rules.cells();
    let plies = (cells / 10).max(1)..=(cells / 4).max(2);
    let (position, moves) = random_position(rules, plies, random)?;
    let quiet = position.threatened_moves().is_empty();
    (quiet && without.insert(position.canonical().key())).then_some(moves)
}

/// The `lookahead` player of a depth with an evaluator.
///
/// # Panics
/// If the depth is not from 1 to 128.
#[must_use]
pub fn searcher(depth: u32, evaluator: &Evaluator) -> PlayerSpec {
    let mut spec: PlayerSpec = format!("lookahead:{depth}").parse().expect("a depth up to 128");
    if let Seat::Search(search) = &mut spec.seat {
        search.evaluator = Some(evaluator.clone());
    }
    spec
}

/// The points of the first of two evaluators in two games from an opening, one from each side: 0 to
/// 2, a draw being half a point.
///
/// # Errors
/// If an evaluator cannot play this game, or the budget ended.
pub fn pair(
    rules: &Rules,
    opening: &[Move],
    depth: u32,
    [a, b]: [&Evaluator; 2],
    budget: &Budget,
) -> Result<f64, GameError> {
    let mut points = 0.0;
    for a_begins in [true, false] {
        let seat = |evaluator: &Evaluator, side| {
            let player = searcher(depth, evaluator).player(rules, 0, budget);
            player.map_err(|why| GameError::Player { side, why })
        };
        let (first, second) = if a_begins { (a, b) } else { (b, a) };
        let mut first = seat(first, fourfold::game::Side::First)?;
        let mut second = seat(second, fourfold::game::Side::Second)?;
        let record = play_game(*rules, opening, &mut first, &mut second, budget)?;
        points += match (record.result, a_begins) {
            (Some(Winner::First), true) | (Some(Winner::Second), false) => 1.0,
            (Some(Winner::Draw), _) => 0.5,
            _ => 0.0,
        };
    }
    Ok(points)
}

/// The result of a contest at one depth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// Plies that both looked ahead.
    pub depth: u32,
    /// Pairs of games.
    pub pairs: u64,
    /// Pairs with 0, 0.5, 1, 1.5 and 2 points for the tuned weights.
    pub points: [u64; 5],
}

impl Gain {
    /// The share of points that the tuned weights made.
    #[must_use]
    pub fn score(&self) -> f64 {
        let sum: f64 =
            self.points.iter().zip(0..).map(|(&n, half)| n as f64 * f64::from(half)).sum();
        if self.pairs == 0 { 0.5 } else { sum / (4 * self.pairs) as f64 }
    }

    /// Its 95 % interval, by the spread of the pairs' points (pentanomial).
    #[must_use]
    pub fn interval(&self) -> Interval {
        let (mean, n) = (self.score(), self.pairs as f64);
        let square = |(&n, half): (&u64, i32)| n as f64 * (f64::from(half) / 4.0 - mean).powi(2);
        let variance = self.points.iter().zip(0..).map(square).sum::<f64>() / (n - 1.0).max(1.0);
        let margin = 1.96 * (variance / n.max(1.0)).sqrt();
        Interval { low: (mean - margin).max(0.0), high: (mean + margin).min(1.0) }
    }

    /// The score as a difference of Elo ratings.
    #[must_use]
    pub fn elo(score: f64) -> f64 {
        let score = score.clamp(1e-4, 1.0 - 1e-4);
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Plays every opening from both sides at one depth; `progress` hears of each pair.
///
/// # Errors
/// If an evaluator cannot play this game, or the budget ended.
pub fn contest(
    rules: &Rules,
    openings: &[Vec<Move>],
    depth: u32,
    evaluators: [&Evaluator; 2],
    threads: usize,
    budget: &Budget,
    mut progress: impl FnMut(),
) -> Result<Gain, GameError> {
    let mut gain = Gain { depth, pairs: 0, points: [0; 5] };
    let mut failure = None;
    let play = |(): &mut (), opening: &Vec<Move>| pair(rules, opening, depth, evaluators, budget);
    share_out(
        openings.iter(),
        threads,
        || (),
        play,
        |_, result| match result {
            Ok(points) => {
                gain.pairs += 1;
                gain.points[(2.0 * points) as usize] += 1;
                progress();
                ControlFlow::Continue(())
            }
            Err(why) => {
                failure = Some(why);
                ControlFlow::Break(())
            }
        },
    );
    failure.map_or(Ok(gain), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_evaluators_share_the_points() {
        let rules: Rules = "5x4c4".parse().unwrap();
        let openings = Openings::new(rules, 1).take(10, &mut HashSet::new());
        let windows: Evaluator = "windows".parse().unwrap();
        let gain =
            contest(&rules, &openings, 2, [&windows, &windows], 2, &Budget::unlimited(), || ())
                .unwrap();
        assert_eq!((gain.score(), gain.points[2]), (0.5, 10));
        assert_eq!(Gain::elo(0.5), 0.0);
    }

    #[test]
    fn the_interval_is_that_of_pairs() {
        let gain = Gain { depth: 2, pairs: 100, points: [10, 10, 40, 20, 20] };
        assert!((gain.score() - 0.575).abs() < 1e-12);
        let Interval { low, high } = gain.interval();
        assert!((0.50..0.52).contains(&low) && (0.63..0.65).contains(&high), "{low} {high}");
    }
}
