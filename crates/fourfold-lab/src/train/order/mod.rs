//! Training the policy networks that order the solver's moves.
//!
//! Round by round: positions of seeded games are solved with the order as it is, nodes of these
//! searches are sampled with the cost of their moves, the networks are fitted to all samples so
//! far, and the search with the new order, which meets other nodes, is sampled in turn. The first
//! round samples the tuned order, and its networks begin as that; or other weights are given to
//! begin with. After each round the order is measured on positions that are not trained on, and the
//! best is kept. Everything depends on the options alone: neither on threads nor on interruptions,
//! since a round begins with the whole numbers and the samples that the rounds before have written.
//!
//! Of one game, networks for its board are trained. Of several, universal networks are, whose
//! inputs do not depend on the size of the board; every game counts the same.

mod network;
mod samples;

pub use network::Fit;

use crate::labels::{self, LabelOptions};
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::play::PlayerError;
use fourfold::random::Random;
use fourfold::solver::{
    MoveOrder, NetworkWeights, OrderForm, OrderWeights, Sampling, SolveError, Solver,
    SolverOptions, WeightsError,
};
use fourfold::workers::share_out;
use network::{Network, fit};
use samples::SampledNode;
use std::ops::ControlFlow;

/// How to train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderOptions {
    /// The games: lines of four with gravity. Networks of several are for every board.
    pub games: Vec<Rules>,
    /// The random seed.
    pub seed: u64,
    /// Rounds of sampling and fitting.
    pub rounds: usize,
    /// Positions that are solved in each round, of each game.
    pub positions: u64,
    /// Positions of each game that each round's order is measured on.
    pub tests: u64,
    /// A position is searched for at most so many nodes.
    pub nodes: u64,
    /// One node in so many is sampled, of those that small and that large networks rank.
    pub every: [u64; 2],
    /// Times that every node is seen.
    pub epochs: usize,
    /// What the first round samples and begins its networks with; if none, the tuned order.
    pub begin_with: Option<OrderWeights>,
    /// The networks rank the moves from this ply on. Before it, where a wrong move costs most, they
    /// may go astray.
    pub first_ply: u8,
}

impl OrderOptions {
    /// The usual training, of no game yet.
    pub const USUAL: Self = Self {
        games: Vec::new(),
        seed: 1,
        rounds: 4,
        positions: 1200,
        tests: 60,
        nodes: 500_000,
        every: [60, 8],
        epochs: 8,
        begin_with: None,
        first_ply: 0,
    };

    /// The usual training for some games.
    #[must_use]
    pub fn new(games: &[Rules]) -> Self {
        Self { games: games.to_vec(), ..Self::USUAL }
    }
}

/// Why a training ended.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The game can have no networks, or the weights do not fit it.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// There is no game to train on.
    #[error("no game to train on")]
    NoGame,
    /// Networks for every board cannot begin with those of one.
    #[error("networks for every board cannot begin with those of one board")]
    OfOneBoard,
    /// The game has no tuned weights.
    #[error("tuned weights order the moves of lines of four with gravity only, not of {game}")]
    NotTuned {
        /// The game.
        game: Rules,
    },
    /// The solver cannot be asked.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// A player that samples positions cannot be seated.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The weights of an earlier round are not of this training.
    #[error("these weights are of another training: {found}, not {expected}")]
    Other {
        /// What they say they were trained on.
        found: String,
        /// What this training would have written.
        expected: String,
    },
    /// The samples of an earlier round are not of this training.
    #[error("these are not the samples of round {round} of this training, or they are damaged")]
    Samples {
        /// The round, from 1.
        round: usize,
    },
    /// The budget was stopped.
    #[error("interrupted")]
    Stopped,
}

/// What a round did.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// Nodes sampled.
    pub samples: usize,
    /// By network: small ones by role, then large ones.
    pub fits: Vec<Fit>,
}

/// What a training is doing, for whoever watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderStep {
    /// Positions are solved and sampled.
    Sampling,
    /// Networks are fitted.
    Fitting,
    /// The order is measured.
    Testing,
}

/// What hears how many parts of a step are done, and of how many.
pub type Watch<'a> = &'a mut dyn FnMut(OrderStep, u64, u64);

/// A node that takes more than this is not searched again for the cost of its other moves.
const MOST_NODES: u64 = 60_000;

/// MiB for the transposition table of the searches that are sampled: as much as a solver has by
/// default, since costs depend on what is known.
const MEMORY: u32 = 4;

/// One position in so many has at most an eighth of its cells filled: the searches of long solves
/// spend their nodes after good moves, which games of chance do not make.
const OPENINGS: u64 = 4;

/// Such a position is searched for so many times the nodes.
const OPENING_NODES: u64 = 8;

/// The nodes of one position in so many are held out: those of one search are much alike.
const HELD_OUT: u64 = 16;

fn is_held_out(number: u64) -> bool {
    // In turn, so that openings are among them.
    number % HELD_OUT == number / HELD_OUT % OPENINGS
}

fn is_opening(number: u64) -> bool {
    number.is_multiple_of(OPENINGS)
}

/// The networks that a training begins with, and the order they give: those of the weights, or of
/// one board if the weights are for every board.
fn begin_with(
    weights: &OrderWeights,
    options: &OrderOptions,
    form: &OrderForm,
) -> Result<(Vec<NetworkWeights>, MoveOrder), OrderError> {
    let weights = match &options.games[..] {
        [game] => weights.for_game(game)?,
        _ => weights.clone(),
    };
    let weights = weights.with_first_ply(options.first_ply);
    let networks = form.networks(&weights).ok_or(OrderError::OfOneBoard)?;
    Ok((networks, MoveOrder::Learned(weights.into())))
}

/// A training under way.
#[derive(Debug)]
pub struct OrderTraining {
    options: OrderOptions,
    made_by: String,
    form: OrderForm,
    networks: Vec<NetworkWeights>,
    /// The order that the next round samples.
    order: MoveOrder,
    /// Rounds made.
    round: usize,
    /// The samples of each round.
    samples: Vec<Vec<SampledNode>>,
    /// The tests' nodes by the tuned order, found when first needed.
    tuned_nodes: Option<Vec<u64>>,
    /// The best order so far and its tests.
    best: Option<(OrderWeights, Tests)>,
}

/// The nodes of the tests, game by game: by the tuned order, and by that of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tests(Vec<(Rules, [u64; 2])>);

impl Tests {
    /// Every game, with its nodes by the tuned order and by that of the round.
    pub fn games(&self) -> impl Iterator<Item = (Rules, [u64; 2])> + '_ {
        self.0.iter().copied()
    }

    /// How many times the nodes of the tuned order: the geometric mean over the games.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        let ratio = |[tuned, nodes]: [u64; 2]| (nodes.max(1) as f64 / tuned.max(1) as f64).ln();
        let sum: f64 = self.0.iter().map(|game| ratio(game.1)).sum();
        (sum / self.0.len().max(1) as f64).exp()
    }
}

impl OrderTraining {
    /// A training that has not begun. `made_by` is kept in the weights: a command and a commit.
    ///
    /// # Errors
    /// If the game can have no networks.
    pub fn new(options: OrderOptions, made_by: String) -> Result<Self, OrderError> {
        let form = match &options.games[..] {
            [] => return Err(OrderError::NoGame),
            [game] => OrderForm::new(game)?,
            games => OrderForm::universal(games)?,
        };
        let (networks, order) = match &options.begin_with {
            Some(weights) => begin_with(weights, &options, &form)?,
            None => {
                let tuned =
                    |index: usize| form.tuned(index % OrderForm::ROLES, index >= OrderForm::ROLES);
                ((0..2 * OrderForm::ROLES).map(tuned).collect(), MoveOrder::Tuned)
            }
        };
        let (samples, tuned_nodes, best) = (Vec::new(), None, None);
        Ok(Self { options, made_by, form, networks, order, round: 0, samples, tuned_nodes, best })
    }

    /// Rounds made.
    #[must_use]
    pub fn round(&self) -> usize {
        self.round
    }

    /// What the weights of a round say they were trained on.
    fn trained_on(&self, round: usize) -> String {
        let OrderOptions { games, seed, positions, nodes, every, epochs, .. } = &self.options;
        let games: Vec<String> = games.iter().map(ToString::to_string).collect();
        let begun = self.options.begin_with.as_ref().map_or_else(String::new, |weights| {
            format!(", begun with networks {:016x}", weights.networks_checksum())
        });
        format!(
            "{}: round {round}, {positions} positions per round and game of up to {nodes} nodes, \
             one node in {} and in {}, {epochs} epochs, seed {seed}{begun}",
            games.join(", "),
            every[0],
            every[1]
        )
    }

    /// The weights as they are now.
    ///
    /// # Errors
    /// Never, for what was trained here.
    pub fn weights(&self) -> Result<OrderWeights, OrderError> {
        let (trained_on, made_by) = (self.trained_on(self.round), self.made_by.clone());
        let weights = self.form.quantised(&self.networks, trained_on, made_by)?;
        Ok(weights.with_first_ply(self.options.first_ply))
    }

    /// The best weights of all rounds so far, and their tests; none before the first test.
    #[must_use]
    pub fn best(&self) -> Option<&(OrderWeights, Tests)> {
        self.best.as_ref()
    }

    /// The samples of the last round as bytes, which [`OrderTraining::take_round`] takes.
    #[must_use]
    pub fn samples(&self) -> Vec<u8> {
        let last = self.samples.get(self.round.saturating_sub(1));
        samples::to_bytes(last.map_or(&[], |nodes| &nodes[..]), &self.trained_on(self.round))
    }

    /// Takes the weights and samples that an earlier run has written after the next round, instead
    /// of making them.
    ///
    /// # Errors
    /// If they are not of the next round of this training.
    pub fn take_round(&mut self, weights: &OrderWeights, samples: &[u8]) -> Result<(), OrderError> {
        let round = self.round + 1;
        let expected = self.trained_on(round);
        let networks = self.form.networks(weights).filter(|_| weights.trained_on() == expected);
        let Some(networks) = networks else {
            return Err(OrderError::Other { found: weights.trained_on().to_owned(), expected });
        };
        let weights = weights.clone().with_first_ply(self.options.first_ply);
        let samples = samples::of_bytes(samples, &expected, &self.form);
        self.samples.truncate(self.round);
        self.samples.push(samples.ok_or(OrderError::Samples { round })?);
        (self.networks, self.order) = (networks, MoveOrder::Learned(weights.into()));
        self.round = round;
        Ok(())
    }

    /// Samples and fits once.
    ///
    /// # Errors
    /// If it is stopped, or the solver lacks memory.
    pub fn run_round(
        &mut self,
        threads: usize,
        budget: &Budget,
        watch: Watch<'_>,
    ) -> Result<Round, OrderError> {
        let samples = self.sample(threads, budget, watch)?;
        let count = samples.len();
        // A round that was stopped while it fitted has left its own.
        self.samples.truncate(self.round);
        self.samples.push(samples);
        let fits = self.fit(threads, budget, watch)?;
        self.round += 1;
        // The next round begins with the whole numbers, as one that is resumed does.
        let weights = self.weights()?;
        self.networks = self.form.networks(&weights).unwrap_or_default();
        self.order = MoveOrder::Learned(weights.into());
        Ok(Round { samples: count, fits })
    }

    /// A solver for each game, made when it is first needed.
    fn solvers(&self) -> Vec<Option<Solver>> {
        self.options.games.iter().map(|_| None).collect()
    }

    fn solver<'a>(
        &self,
        solvers: &'a mut [Option<Solver>],
        game: usize,
        order: &MoveOrder,
    ) -> Result<&'a mut Solver, OrderError> {
        let place = &mut solvers[game];
        if place.is_none() {
            let options = SolverOptions::default().with_memory(MEMORY);
            *place = Some(Solver::new(&self.options.games[game], options)?.with_order(order));
        }
        let solver = place.as_mut().ok_or(OrderError::NoGame)?;
        solver.forget();
        Ok(solver)
    }

    /// The game of a piece of work, and its number in that game.
    fn game_of(&self, number: u64) -> (usize, u64) {
        let games = self.options.games.len() as u64;
        ((number % games) as usize, number / games)
    }

    /// A position of a seeded game; `series` 0 is for tests, and each round has its own.
    fn position(
        &self,
        game: usize,
        series: usize,
        number: u64,
    ) -> Result<Option<Position>, PlayerError> {
        let rules = self.options.games[game];
        let cells = rules.cells();
        let seed = Random::for_item(self.options.seed, series as u64).next_u64();
        let plies = if is_opening(number) { 0..=cells / 8 } else { cells / 8..=cells * 2 / 5 };
        labels::sample_again(&LabelOptions { seed, plies, ..LabelOptions::new(rules) }, number)
    }

    fn sample(
        &self,
        threads: usize,
        budget: &Budget,
        watch: Watch<'_>,
    ) -> Result<Vec<SampledNode>, OrderError> {
        let OrderOptions { nodes, every, seed, .. } = self.options;
        let games = self.options.games.len();
        let positions = self.options.positions * games as u64;
        let series = self.round + 1;
        let work = |solvers: &mut Vec<Option<Solver>>, number: u64| {
            let (game, number) = self.game_of(number);
            let Some(position) = self.position(game, series, number)? else {
                return Ok(Vec::new());
            };
            let solver = self.solver(solvers, game, &self.order)?;
            let seed = Random::for_item(seed ^ series as u64, number).next_u64();
            // As many samples as of another position, spread over the longer search.
            let longer = if is_opening(number) { OPENING_NODES } else { 1 };
            let part = budget.part().with_nodes(nodes.saturating_mul(longer));
            let every = every.map(|every| every.saturating_mul(longer));
            let sampling = Sampling { every, most_nodes: MOST_NODES, seed };
            let samples = solver.sample(&position, &part, &sampling)?.into_iter();
            let held_out = is_held_out(number);
            let packed = |sample| SampledNode::new(&self.form.seen(game, sample), game, held_out);
            Ok(samples.filter_map(packed).collect())
        };
        let mut found: Vec<(usize, Vec<SampledNode>)> = Vec::new();
        let mut failed = None;
        let mut done = 0;
        share_out(
            0..positions,
            threads,
            || self.solvers(),
            work,
            |number, samples| {
                done += 1;
                watch(OrderStep::Sampling, done, positions);
                match samples {
                    _ if budget.is_stopped() => failed = Some(OrderError::Stopped),
                    Ok(samples) => found.push((number, samples)),
                    Err(why) => failed = Some(why),
                }
                if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        if let Some(why) = failed {
            return Err(why);
        }
        found.sort_by_key(|found| found.0);
        Ok(found.into_iter().flat_map(|(_, samples)| samples).collect())
    }

    fn fit(
        &mut self,
        threads: usize,
        budget: &Budget,
        watch: Watch<'_>,
    ) -> Result<Vec<Fit>, OrderError> {
        let count = self.networks.len();
        let (form, networks, round) = (&self.form, &self.networks, self.round);
        let (samples, games) = (&self.samples, self.options.games.len());
        let OrderOptions { epochs, seed, ref begin_with, .. } = self.options;
        let work = |(): &mut (), index: usize| {
            let large = index >= OrderForm::ROLES;
            let mut nodes: Vec<Vec<&SampledNode>> = vec![Vec::new(); games];
            for node in samples.iter().flatten().filter(|node| usize::from(node.network) == index) {
                nodes[usize::from(node.game)].push(node);
            }
            let mut network = Network::new(form, large, &networks[index]);
            let seed = Random::for_item(seed, (round * count + index) as u64).next_u64();
            let goes_on = || !budget.is_stopped();
            let how = (round == 0 && begin_with.is_none(), epochs, seed);
            let fit = fit(&mut network, &form.boards(large), &nodes, how, &goes_on)?;
            Some((fit, network.weights()))
        };
        let mut fitted: Vec<Option<(Fit, NetworkWeights)>> = vec![None; count];
        let mut done = 0;
        share_out(
            0..count,
            threads,
            || (),
            work,
            |index, result| {
                done += 1;
                watch(OrderStep::Fitting, done, count as u64);
                let ended = result.is_none();
                fitted[index] = result;
                if ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        let fitted: Option<Vec<_>> = fitted.into_iter().collect();
        let (fits, networks) = fitted.ok_or(OrderError::Stopped)?.into_iter().unzip();
        self.networks = networks;
        Ok(fits)
    }

    /// The nodes of the tests by the tuned order and by that of the last round, which is kept if
    /// it is the best.
    ///
    /// # Errors
    /// If it is stopped, or the solver lacks memory.
    pub fn test(
        &mut self,
        threads: usize,
        budget: &Budget,
        watch: Watch<'_>,
    ) -> Result<Tests, OrderError> {
        let tuned = match self.tuned_nodes.take() {
            Some(nodes) => nodes,
            None => self.nodes_by(&MoveOrder::Tuned, threads, budget, watch)?,
        };
        let nodes = self.nodes_by(&self.order, threads, budget, watch);
        let both = self.tuned_nodes.insert(tuned).iter().copied().zip(nodes?);
        let games = self.options.games.iter().copied();
        let tests = Tests(games.zip(both.map(|(tuned, nodes)| [tuned, nodes])).collect());
        if let MoveOrder::Learned(file) = &self.order
            && let [weights] = file.all()
            && self.best.as_ref().is_none_or(|best| tests.ratio() < best.1.ratio())
        {
            self.best = Some((weights.clone(), tests.clone()));
        }
        Ok(tests)
    }

    /// The nodes of the tests by an order, game by game.
    fn nodes_by(
        &self,
        order: &MoveOrder,
        threads: usize,
        budget: &Budget,
        watch: Watch<'_>,
    ) -> Result<Vec<u64>, OrderError> {
        let nodes = self.options.nodes;
        let tests = self.options.tests * self.options.games.len() as u64;
        let work = |solvers: &mut Vec<Option<Solver>>, number: u64| {
            let (game, number) = self.game_of(number);
            let Some(position) = self.position(game, 0, number)? else { return Ok((game, 0)) };
            let solver = self.solver(solvers, game, order)?;
            // Forty times the nodes of a sampled position are enough for nearly all.
            let part = budget.part().with_nodes(40 * nodes);
            match solver.solve(&position, &part) {
                Ok(_) | Err(SolveError::Unfinished { .. }) => Ok((game, part.spent())),
                Err(why) => Err(OrderError::from(why)),
            }
        };
        let (mut sums, mut done, mut failed) = (vec![0; self.options.games.len()], 0, None);
        share_out(
            0..tests,
            threads,
            || self.solvers(),
            work,
            |_, nodes| {
                done += 1;
                watch(OrderStep::Testing, done, tests);
                match nodes {
                    _ if budget.is_stopped() => failed = Some(OrderError::Stopped),
                    Ok((game, nodes)) => sums[game] += nodes,
                    Err(why) => failed = Some(why),
                }
                if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        failed.map_or(Ok(sums), Err)
    }
}

#[cfg(test)]
mod tests;
