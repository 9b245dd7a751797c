//! Grading players: games from random openings, judged move by move against exact play, and the
//! figures that front ends show of what was counted.

use crate::statistics::mean;
use fourfold::budget::Budget;
use fourfold::game::{Move, Rules, Side};
use fourfold::play::{
    GameError, Grade, Interval, Match, Phase, PlayerSpec, Record, Review, ReviewError, Tally,
    random_position, review, wilson,
};
use fourfold::random::Random;
use fourfold::solver::Solver;
use serde::Serialize;

/// The games that a player is graded on.
#[derive(Debug, Clone)]
pub struct Grading {
    /// The game.
    pub rules: Rules,
    /// Who is graded.
    pub player: PlayerSpec,
    /// Its opponent; without one it plays itself, and the moves of both sides count.
    pub against: Option<PlayerSpec>,
    /// How many games.
    pub games: u64,
    /// Random moves that each game begins with.
    pub opening: u32,
    /// The random seed.
    pub seed: u64,
    /// Nodes that judging a game may take; the last moves are judged first.
    pub nodes: u64,
}

/// A game that was played and judged.
#[derive(Debug)]
pub struct GradedGame {
    /// The game.
    pub record: Record,
    /// The moves of the player, counted.
    pub grade: Grade,
}

/// Why there is no graded game.
#[derive(Debug, thiserror::Error)]
pub enum GradingError {
    /// No random game lasts as long as the opening.
    #[error("no random game of {rules} lasts {plies} moves")]
    Opening {
        /// The game.
        rules: Rules,
        /// Moves of the opening.
        plies: u32,
    },
    /// The game was not played to its end.
    #[error("game {}: {why}", index + 1)]
    Game {
        /// Its number, from 0.
        index: u64,
        /// Why.
        why: GameError,
    },
    /// It could not be judged.
    #[error(transparent)]
    Review(#[from] ReviewError),
}

impl Grading {
    /// Plays a game and judges the player's moves. It depends on the number of the game alone.
    ///
    /// # Errors
    /// If there is no such opening, the game cannot be played, or the budget ends.
    pub fn game(
        &self,
        index: u64,
        solver: &mut Solver,
        budget: &Budget,
    ) -> Result<GradedGame, GradingError> {
        let opening = self.opening(&mut Random::for_item(self.seed, index))?;
        let opening_plies = opening.len();
        let players = [&self.player, self.against.as_ref().unwrap_or(&self.player)];
        let contest = Match::new(self.rules, players.map(Clone::clone))
            .with_opening(opening)
            .with_games(self.games)
            .with_seed(self.seed);
        let record =
            contest.game(index, budget).map_err(|why| GradingError::Game { index, why })?;
        let judged = judge(&record.moves, solver, &budget.part().with_nodes(self.nodes))?;
        let side = if contest.is_swapped(index) { Side::Second } else { Side::First };
        let mut grade = Grade::default();
        let own = judged.moves.iter().skip(opening_plies);
        for mv in own.filter(|mv| self.against.is_none() || mv.side == side) {
            grade.add(&self.rules, mv);
        }
        Ok(GradedGame { record, grade })
    }

    /// Random moves that a game begins with; nobody can win at once after them.
    fn opening(&self, random: &mut Random) -> Result<Vec<Move>, GradingError> {
        let plies = self.opening;
        (0..1000)
            .find_map(|_| random_position(&self.rules, plies..=plies, random))
            .map(|(_, moves)| moves)
            .ok_or(GradingError::Opening { rules: self.rules, plies })
    }
}

/// Judges a game. What it costs does not depend on what the solver has seen before, so neither does
/// what is judged within a budget.
///
/// # Errors
/// If the moves are not a game, or memory is lacking.
pub fn judge(moves: &[Move], solver: &mut Solver, budget: &Budget) -> Result<Review, ReviewError> {
    solver.forget();
    review(moves, solver, budget, |_, _| ())
}

/// What is shown of the moves of a player.
#[derive(Debug, Clone, Serialize)]
pub struct GradeFigures {
    /// Moves made.
    pub moves: u64,
    /// Moves that were judged.
    pub judged: u64,
    /// Judged moves at which some legal move would have thrown a win or a draw away.
    pub choices: u64,
    /// How many of those choices kept the outcome.
    pub kept: u64,
    /// Their share.
    pub kept_share: Option<f64>,
    /// Its 95 % confidence interval (Wilson).
    pub kept_interval: Option<Interval>,
    /// Moves at which the distance to the end could differ without changing the outcome.
    pub distances: usize,
    /// Plies lost at those on average: a win came later, or a loss sooner.
    pub distance_lost: Option<f64>,
    /// Its 95 % confidence interval (bootstrap).
    pub distance_lost_interval: Option<Interval>,
}

impl GradeFigures {
    /// The figures of some moves.
    #[must_use]
    pub fn of(tally: &Tally) -> Self {
        let chosen = tally.choices > 0;
        let lost: Vec<f64> = tally.lost.iter().map(|&plies| f64::from(plies)).collect();
        let lost = mean(&lost);
        Self {
            moves: tally.moves,
            judged: tally.judged,
            choices: tally.choices,
            kept: tally.kept,
            kept_share: chosen.then(|| tally.kept as f64 / tally.choices as f64),
            kept_interval: chosen.then(|| wilson(tally.kept, tally.choices)),
            distances: tally.lost.len(),
            distance_lost: lost.map(|(mean, _)| mean),
            distance_lost_interval: lost.map(|(_, range)| range),
        }
    }
}

/// A player's grade as JSON: all moves, then phase by phase.
#[derive(Debug, Serialize)]
pub struct GradeReport<'a> {
    player: &'a str,
    games: u64,
    #[serde(flatten)]
    all: GradeFigures,
    phases: Vec<PhaseFigures>,
}

#[derive(Debug, Serialize)]
struct PhaseFigures {
    phase: Phase,
    #[serde(flatten)]
    figures: GradeFigures,
}

impl<'a> GradeReport<'a> {
    /// The report on a player after so many games.
    #[must_use]
    pub fn new(player: &'a str, games: u64, grade: &Grade) -> Self {
        let phases = Phase::ALL.into_iter().zip(&grade.phases);
        let phases =
            phases.map(|(phase, tally)| PhaseFigures { phase, figures: GradeFigures::of(tally) });
        Self { player, games, all: GradeFigures::of(&grade.total()), phases: phases.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold::solver::SolverOptions;

    #[test]
    fn a_perfect_player_keeps_everything_and_a_random_one_does_not() {
        let rules: Rules = "5x4c4".parse().unwrap();
        let mut solver = Solver::new(&rules, SolverOptions::default()).unwrap();
        let grading = |player: &str| Grading {
            rules,
            player: player.parse().unwrap(),
            against: Some("random".parse().unwrap()),
            games: 6,
            opening: 2,
            seed: 1,
            nodes: u64::MAX,
        };
        let mut graded = |player: &str| {
            let (grading, mut grade) = (grading(player), Grade::default());
            for index in 0..grading.games {
                let game = grading.game(index, &mut solver, &Budget::unlimited()).unwrap();
                grade.extend(&game.grade);
            }
            GradeFigures::of(&grade.total())
        };
        assert_eq!(graded("perfect").kept_share, Some(1.0));
        assert!(graded("random").kept_share.unwrap() < 1.0);
        let long = Grading { opening: 20, ..grading("random") };
        let error = long.game(0, &mut solver, &Budget::unlimited()).unwrap_err();
        assert_eq!(error.to_string(), "no random game of 5x4c4 lasts 20 moves");
    }
}
