//! Tuning the weights of the move order where no network ranks the moves.
//!
//! Hill climbing: a step changes one weight at random and solves all positions with the changed
//! order. If that takes fewer nodes, the change stays. Positions are of seeded games and every step
//! has a random generator of its own, so the weights depend on the options alone: neither on
//! threads nor on interruptions.
//!
//! Nodes are compared by the mean of their logarithms, so that every position counts, and not only
//! the few that take most nodes.

use crate::labels::{LabelOptions, sample_again};
use crate::train::order::OrderError;
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules, Shape};
use fourfold::random::Random;
use fourfold::solver::{MoveOrder, SolveError, Solver, SolverOptions, TunedOrder};
use fourfold::workers::share_out;
use std::ops::ControlFlow;
use std::sync::Arc;

/// How to tune.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TunedOptions {
    /// The games: lines of four with gravity.
    pub games: Vec<Rules>,
    /// The random seed.
    pub seed: u64,
    /// Positions of each game that steps are measured on.
    pub positions: u64,
    /// Positions of each game for the test, on which nothing is tuned.
    pub tests: u64,
    /// A position is searched for at most so many nodes.
    pub nodes: u64,
    /// Steps to make.
    pub steps: u64,
}

impl TunedOptions {
    /// The usual tuning, of no game yet.
    pub const USUAL: Self =
        Self { games: Vec::new(), seed: 1, positions: 60, tests: 120, nodes: 200_000, steps: 1000 };
}

/// A tuning under way.
#[derive(Debug)]
pub struct TunedTraining {
    options: TunedOptions,
    order: TunedOrder,
    positions: Vec<Position>,
    /// The weights that play a part in the games, with their largest steps.
    weights: Vec<(usize, i32)>,
    /// The sum of the logarithms of all positions' nodes, once it is known.
    cost: Option<f64>,
    /// Steps made.
    step: u64,
}

/// What a test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TunedTest {
    /// Positions.
    pub positions: usize,
    /// How many times the nodes of the weights that come with the library: the geometric mean.
    pub ratio: f64,
}

/// MiB for the transposition table, as a solver has by default.
const MEMORY: u32 = 4;

/// So many nodes are added to those of each position: what it takes to save a few does not matter.
const FLOOR: f64 = 100.0;

impl TunedTraining {
    /// A tuning that has made `step` steps and found these weights by then.
    ///
    /// # Errors
    /// If there is no game, no position of one, or one whose moves no tuned weights order.
    pub fn new(options: TunedOptions, order: TunedOrder, step: u64) -> Result<Self, OrderError> {
        if options.games.is_empty() {
            return Err(OrderError::NoGame);
        }
        let tuned = |rules: &&Rules| rules.gravity() && rules.shape() == Shape::Line(4);
        if let Some(&game) = options.games.iter().find(|rules| !tuned(rules)) {
            return Err(OrderError::NotTuned { game });
        }
        let positions = sampled(&options, options.positions, 1)?;
        let largest = |index| {
            let steps =
                options.games.iter().filter_map(|rules| TunedOrder::largest_step(index, rules));
            Some((index, steps.max()?))
        };
        let weights = (0..TunedOrder::COUNT).filter_map(largest).collect();
        Ok(Self { options, order, positions, weights, cost: None, step })
    }

    /// The weights found so far.
    #[must_use]
    pub fn order(&self) -> &TunedOrder {
        &self.order
    }

    /// Steps made.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Makes a step; true if the weights are better now.
    ///
    /// # Errors
    /// If it is stopped, or the solver lacks memory. Then it counts for nothing.
    pub fn run_step(&mut self, threads: usize, budget: &Budget) -> Result<bool, OrderError> {
        let cost = match self.cost {
            Some(cost) => cost,
            None => self.cost_of(&self.order, f64::INFINITY, threads, budget)?,
        };
        self.cost = Some(cost);
        let mut random = Random::for_item(self.options.seed, self.step);
        let &(index, largest) = random.pick(&self.weights).ok_or(OrderError::NoGame)?;
        let by = 1 + random.below(largest as usize) as i32;
        let by = if random.chance(0.5) { by } else { -by };
        let changed = self.order.with_weight(index, self.order.weight(index) + by);
        let found = self.cost_of(&changed, cost, threads, budget)?;
        self.step += 1;
        let better = found < cost;
        if better {
            (self.order, self.cost) = (changed, Some(found));
        }
        Ok(better)
    }

    /// How the weights do on positions that they were not tuned on.
    ///
    /// # Errors
    /// If it is stopped, or the solver lacks memory.
    pub fn test(&self, threads: usize, budget: &Budget) -> Result<TunedTest, OrderError> {
        let positions = sampled(&self.options, self.options.tests, 0)?;
        let cost = |order: &TunedOrder| {
            let none = f64::INFINITY;
            cost(&positions, order, self.options.nodes, none, threads, budget)
        };
        let difference = cost(&self.order)? - cost(&TunedOrder::BUILT_IN)?;
        let ratio = (difference / positions.len() as f64).exp();
        Ok(TunedTest { positions: positions.len(), ratio })
    }

    fn cost_of(
        &self,
        order: &TunedOrder,
        enough: f64,
        threads: usize,
        budget: &Budget,
    ) -> Result<f64, OrderError> {
        cost(&self.positions, order, self.options.nodes, enough, threads, budget)
    }
}

/// Positions of every game, from an eighth to two fifths full; each series has its own.
fn sampled(options: &TunedOptions, count: u64, series: u64) -> Result<Vec<Position>, OrderError> {
    let mut found = Vec::new();
    for rules in &options.games {
        let cells = rules.cells();
        let seed = Random::for_item(options.seed, series << 32).next_u64();
        let plies = cells / 8..=cells * 2 / 5;
        let how = LabelOptions { seed, plies, ..LabelOptions::new(*rules) };
        for number in 0..count {
            found.extend(sample_again(&how, number)?);
        }
    }
    if found.is_empty() { Err(OrderError::NoGame) } else { Ok(found) }
}

/// The sum of the logarithms of the nodes of all positions. Broken off as soon as it is larger than
/// `enough`: it only grows.
fn cost(
    positions: &[Position],
    order: &TunedOrder,
    nodes: u64,
    enough: f64,
    threads: usize,
    budget: &Budget,
) -> Result<f64, OrderError> {
    let order = MoveOrder::TunedBy(Arc::new(order.clone()));
    let work = |solver: &mut Option<Solver>, index: usize| {
        let position = &positions[index];
        let solver = match solver.take().filter(|solver| solver.rules() == position.rules()) {
            Some(same) => solver.insert(same),
            None => {
                let options = SolverOptions::default().with_memory(MEMORY);
                solver.insert(Solver::new(position.rules(), options)?.with_order(&order))
            }
        };
        solver.forget();
        let part = budget.part().with_nodes(nodes);
        match solver.solve(position, &part) {
            Ok(_) | Err(SolveError::Unfinished { .. }) => Ok((part.spent() as f64 + FLOOR).ln()),
            Err(why) => Err(OrderError::from(why)),
        }
    };
    let mut costs = vec![0.0; positions.len()];
    let (mut so_far, mut failed) = (0.0, None);
    share_out(
        0..positions.len(),
        threads,
        || None,
        work,
        |index, cost| {
            match cost {
                _ if budget.is_stopped() => failed = Some(OrderError::Stopped),
                Ok(cost) => (costs[index], so_far) = (cost, so_far + cost),
                Err(why) => failed = Some(why),
            }
            let over = failed.is_some() || so_far > enough;
            if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    // In the order of the positions, so that the sum does not depend on threads.
    let sum: f64 = costs.iter().sum();
    match failed {
        Some(why) => Err(why),
        None if so_far > enough => Ok(f64::INFINITY),
        None => Ok(sum),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_save_nodes_and_do_not_depend_on_threads_or_interruptions() {
        let games = ["5x4c4", "5x5c4"].map(|game| game.parse().unwrap()).to_vec();
        let options = TunedOptions { games, positions: 8, tests: 4, ..TunedOptions::USUAL };
        let budget = Budget::unlimited();
        // A bad order leaves much to find.
        let mut bad = TunedOrder::BUILT_IN;
        for index in 0..TunedOrder::COUNT {
            bad = bad.with_weight(index, if index < 60 { -bad.weight(index) } else { 0 });
        }
        let mut training = TunedTraining::new(options.clone(), bad.clone(), 0).unwrap();
        let before = training.cost_of(&bad, f64::INFINITY, 1, &budget).unwrap();
        let better = (0..60).filter(|_| training.run_step(2, &budget).unwrap()).count();
        assert!(better > 2, "{better}");
        assert!(training.cost.unwrap() < before);
        assert_eq!(training.step(), 60);

        let mut half = TunedTraining::new(options.clone(), bad, 0).unwrap();
        (0..30).for_each(|_| assert!(half.run_step(1, &budget).is_ok()));
        let mut rest = TunedTraining::new(options, half.order().clone(), half.step()).unwrap();
        (0..30).for_each(|_| assert!(rest.run_step(1, &budget).is_ok()));
        assert_eq!(rest.order(), training.order());
        assert!(training.test(1, &budget).unwrap().ratio > 0.5);

        for game in ["5x5c4f", "6x5c5", "5x5s2"] {
            let games = vec![game.parse().unwrap()];
            let options = TunedOptions { games, ..TunedOptions::USUAL };
            let refused = TunedTraining::new(options, TunedOrder::BUILT_IN, 0).unwrap_err();
            assert!(refused.to_string().contains(game), "{refused}");
        }
    }
}
