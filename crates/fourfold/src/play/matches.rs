//! A match: many games between two players.
//!
//! Every game has a seed of its own, made from the match's seed and the game's number, and players
//! are seated anew for it; so the games are the same whatever the number of threads, unless a
//! player has a time limit.

use super::{GameError, Interval, PlayerError, PlayerSpec, Record, Winner, play_game, wilson};
use crate::budget::Budget;
use crate::game::{Move, Rules};
use crate::random::Random;
use crate::workers::{InOrder, share_out};
#[cfg(feature = "json")]
use serde::Serialize;
use std::ops::ControlFlow;

/// What to play.
///
/// ```
/// use fourfold::game::Rules;
/// use fourfold::play::{Match, run_match};
///
/// let contest = Match::new(Rules::CONNECT_FOUR, ["naive".parse()?, "random".parse()?])
///     .with_games(20)
///     .with_seed(7)
///     .with_threads(2);
/// let result = run_match(&contest, &Default::default(), |number, record| {
///     println!("game {number} took {} moves", record.moves.len());
/// })?;
/// assert!(result.seats[0].wins > result.seats[1].wins, "blocking helps");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Match {
    /// The game.
    pub rules: Rules,
    /// The two players; the first of them begins.
    pub players: [PlayerSpec; 2],
    /// The opening that every game starts from; its moves count for neither player.
    pub opening: Vec<Move>,
    /// How many games.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
    /// Every other game, the second player begins.
    pub swap: bool,
    /// How many games to play at once.
    pub threads: usize,
}

/// One player's totals over a match.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(Serialize))]
#[non_exhaustive]
pub struct SeatTotals {
    /// The player.
    pub player: String,
    /// Games won.
    pub wins: u64,
    /// Games won when moving first.
    pub wins_as_first: u64,
    /// Games in which it moved first.
    pub games_as_first: u64,
    /// Games lost by a forfeit: the player gave no answer, or a wrong one.
    pub forfeits: u64,
    /// Moves made.
    pub moves: u64,
    /// Time spent, in ms.
    pub time_ms: f64,
    /// Positions visited.
    pub nodes: u64,
    /// Evaluator calls.
    pub evaluations: u64,
}

impl SeatTotals {
    /// Mean time of a move, in ms.
    #[must_use]
    pub fn time_per_move(&self) -> f64 {
        mean(self.time_ms, self.moves)
    }

    /// Mean positions visited for a move.
    #[must_use]
    pub fn nodes_per_move(&self) -> f64 {
        mean(self.nodes as f64, self.moves)
    }

    /// Mean evaluator calls for a move.
    #[must_use]
    pub fn evaluations_per_move(&self) -> f64 {
        mean(self.evaluations as f64, self.moves)
    }
}

fn mean(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// How a match went.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct MatchResult {
    /// The two players, as given.
    pub seats: [SeatTotals; 2],
    /// Games finished.
    pub games: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by the side that moved first.
    pub first_wins: u64,
    /// Moves of all games.
    pub moves: u64,
    /// Moves of the shortest game.
    pub shortest: u64,
    /// Moves of the longest game.
    pub longest: u64,
}

impl MatchResult {
    /// The share of games that a player won, with its interval.
    #[must_use]
    pub fn win_rate(&self, seat: usize) -> (f64, Interval) {
        (mean(self.seats[seat].wins as f64, self.games), wilson(self.seats[seat].wins, self.games))
    }

    /// The share of games drawn, with its interval.
    #[must_use]
    pub fn draw_rate(&self) -> (f64, Interval) {
        (mean(self.draws as f64, self.games), wilson(self.draws, self.games))
    }

    /// Mean length of a game, in moves of both sides.
    #[must_use]
    pub fn length(&self) -> f64 {
        mean(self.moves as f64, self.games)
    }

    /// Mean time of a game, in ms: both players' thinking.
    #[must_use]
    pub fn time_per_game(&self) -> f64 {
        mean(self.seats.iter().map(|seat| seat.time_ms).sum(), self.games)
    }

    /// Mean time of a move of either side, in ms.
    #[must_use]
    pub fn time_per_move(&self) -> f64 {
        mean(self.seats.iter().map(|seat| seat.time_ms).sum(), self.moves)
    }

    fn add(&mut self, contest: &Match, index: u64, record: &Record) {
        let length = record.moves.len() as u64;
        self.shortest = if self.games == 0 { length } else { self.shortest.min(length) };
        self.longest = self.longest.max(length);
        self.games += 1;
        self.moves += length;
        let seat_of_first = usize::from(contest.is_swapped(index));
        self.seats[seat_of_first].games_as_first += 1;
        match record.result {
            Some(Winner::First) => {
                self.first_wins += 1;
                self.seats[seat_of_first].wins += 1;
                self.seats[seat_of_first].wins_as_first += 1;
            }
            Some(Winner::Second) => self.seats[1 - seat_of_first].wins += 1,
            Some(Winner::Draw) => self.draws += 1,
            None => {}
        }
        if record.forfeit.is_some() {
            // Whoever was to move.
            self.seats[(record.moves.len() + seat_of_first) % 2].forfeits += 1;
        }
        for ply in contest.opening.len()..record.moves.len() {
            let seat = &mut self.seats[(ply + seat_of_first) % 2];
            seat.moves += 1;
            seat.time_ms += record.times_ms.as_ref().map_or(0.0, |times| times[ply]);
            seat.nodes += record.nodes.as_ref().map_or(0, |nodes| nodes[ply]);
            seat.evaluations +=
                record.evaluations.as_ref().map_or(0, |evaluations| evaluations[ply]);
        }
    }
}

/// Why a match was not played to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A player cannot be seated.
    #[error("{player}: {why}")]
    Seat {
        /// The player.
        player: String,
        /// Why not.
        why: PlayerError,
    },
    /// A game broke off.
    #[error("game {number}: {why}")]
    Game {
        /// From 1.
        number: u64,
        /// Why.
        why: GameError,
    },
}

/// Plays a match. `finished` gets each game's record in order of number, as soon as all before it
/// are finished too.
///
/// When the budget ends, games under way are dropped, and the result is of the finished ones; every
/// one of those has been given to `finished`.
///
/// # Errors
/// If a player cannot be seated for this game, or a game breaks off for another reason than the budget.
pub fn run_match(
    contest: &Match,
    budget: &Budget,
    mut finished: impl FnMut(u64, &Record),
) -> Result<MatchResult, MatchError> {
    let mut result = MatchResult::default();
    for (seat, player) in contest.players.iter().enumerate() {
        result.seats[seat].player = player.to_string();
        // Seat both once, so that a mistake is reported before the first game.
        let why = player.player(&contest.rules, 0, budget).err();
        if let Some(why) = why {
            return Err(MatchError::Seat { player: player.to_string(), why });
        }
    }
    let mut failure = None;
    let mut order = InOrder::default();
    let mut add = |index: usize, record: &Record| {
        result.add(contest, index as u64, record);
        finished(index as u64, record);
    };
    let games = (0..contest.games).take_while(|_| budget.exhausted().is_none());
    let play = |(): &mut (), index| contest.game(index, budget);
    share_out(
        games,
        contest.threads,
        || (),
        play,
        |index, outcome| {
            match outcome {
                Ok(record) => {
                    order.add(index, record).for_each(|(index, record)| add(index, &record));
                }
                Err(GameError::Stopped) => {}
                Err(why) => {
                    failure = Some(MatchError::Game { number: index as u64 + 1, why });
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    );
    if let Some(failure) = failure {
        return Err(failure);
    }
    // Stopped: games that were finished behind one that was not.
    order.rest().for_each(|(index, record)| add(index, &record));
    Ok(result)
}

impl Match {
    /// A hundred games from the empty board, one at a time, with seed 0; the players take turns to
    /// begin.
    #[must_use]
    pub fn new(rules: Rules, players: [PlayerSpec; 2]) -> Self {
        Self { rules, players, opening: Vec::new(), games: 100, seed: 0, swap: true, threads: 1 }
    }

    /// The same with other players; the first of them begins.
    #[must_use]
    pub fn with_players(self, players: [PlayerSpec; 2]) -> Self {
        Self { players, ..self }
    }

    /// The same with moves that every game begins with.
    #[must_use]
    pub fn with_opening(self, opening: Vec<Move>) -> Self {
        Self { opening, ..self }
    }

    /// The same with another number of games.
    #[must_use]
    pub fn with_games(self, games: u64) -> Self {
        Self { games, ..self }
    }

    /// The same with another random seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same; the second player begins every other game, or none.
    #[must_use]
    pub fn with_swap(self, swap: bool) -> Self {
        Self { swap, ..self }
    }

    /// The same with another number of games played at once. The games do not depend on it.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// True if the second of the players begins game `index` (from 0).
    #[must_use]
    pub fn is_swapped(&self, index: u64) -> bool {
        self.swap && index % 2 == 1
    }

    /// Plays game `index` (from 0), the same whenever and wherever it is asked for.
    ///
    /// # Errors
    /// If a player cannot be seated, the game breaks off, or the budget ends.
    pub fn game(&self, index: u64, budget: &Budget) -> Result<Record, GameError> {
        // 53 bits, so that the record's seed survives readers of JSON that know only doubles.
        let seed = Random::for_item(self.seed, index).next_u64() >> 11;
        let mut seeds = Random::new(seed);
        let swapped = self.is_swapped(index);
        let [first, second] = if swapped {
            [&self.players[1], &self.players[0]]
        } else {
            [&self.players[0], &self.players[1]]
        };
        let mut sit = |spec: &PlayerSpec, side| {
            spec.player(&self.rules, seeds.next_u64(), budget)
                .map_err(|why| GameError::Player { side, why })
        };
        let mut players =
            [sit(first, crate::game::Side::First)?, sit(second, crate::game::Side::Second)?];
        let [one, two] = &mut players;
        let record = play_game(self.rules, &self.opening, one, two, budget)?;
        Ok(record.with_players(first.to_string(), second.to_string()).with_seed(seed))
    }
}
