//! A match: many games between two players, in pairs: from every opening each player begins once.
//!
//! Every game has a seed of its own, made from the match's seed and the game's number, and players
//! are seated anew for it; so the games are the same whatever the number of threads, unless a
//! player has a time limit. [`play_matches`] plays one match or the many of a tournament, and hands
//! the games over in an order that does not depend on the threads either.

use super::{
    GameError, Interval, PlayerError, PlayerSpec, Record, Winner, play_game, wilson,
    wilson_of_share,
};
use crate::budget::Budget;
use crate::game::{Move, Rules};
use crate::random::Random;
use crate::workers::{InOrder, share_out};
#[cfg(feature = "json")]
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// The openings that games start from, whose moves count for neither player: one after the
    /// other, each for as many games in a row as there are players who begin (two, or one without
    /// [`Match::swap`]), and from the first again when they run out. None means the empty board.
    pub openings: Vec<Vec<Move>>,
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
    /// Games that differ in their moves or in who began. The same game played again tells nothing
    /// new.
    pub distinct: u64,
    /// The moves of those games, and whether the players had changed seats.
    seen: HashSet<(bool, Vec<Move>)>,
    /// Whether a player draws on the seed. If not, games that repeat are one game.
    varied: bool,
}

impl MatchResult {
    /// No game yet.
    #[must_use]
    pub fn new(contest: &Match) -> Self {
        let mut result = Self::default();
        for (seat, player) in result.seats.iter_mut().zip(&contest.players) {
            seat.player = player.to_string();
        }
        result.varied = contest.players.iter().any(PlayerSpec::draws_on_seed);
        result
    }

    /// The share of games that a player won, with its interval.
    #[must_use]
    pub fn win_rate(&self, seat: usize) -> (f64, Option<Interval>) {
        self.share(self.seats[seat].wins)
    }

    /// The share of games drawn, with its interval.
    #[must_use]
    pub fn draw_rate(&self) -> (f64, Option<Interval>) {
        self.share(self.draws)
    }

    /// A share of the games. Its interval counts each distinct game once: it is that of as many
    /// trials as there are distinct games. There is none if games repeat because nothing in the
    /// match is left to chance.
    fn share(&self, games: u64) -> (f64, Option<Interval>) {
        let rate = mean(games as f64, self.games);
        let repeats = self.distinct < self.games;
        let interval = match (repeats, self.varied) {
            (false, _) => Some(wilson(games, self.games)),
            (true, true) => Some(wilson_of_share(rate, self.distinct as f64)),
            (true, false) => None,
        };
        (rate, interval)
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

    /// Adds game `index` (from 0) of the match. False if it is the same game as one before.
    pub fn add(&mut self, contest: &Match, index: u64, record: &Record) -> bool {
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
        for ply in contest.opening(index).len()..record.moves.len() {
            let seat = &mut self.seats[(ply + seat_of_first) % 2];
            seat.moves += 1;
            seat.time_ms += record.times_ms.as_ref().map_or(0.0, |times| times[ply]);
            seat.nodes += record.nodes.as_ref().map_or(0, |nodes| nodes[ply]);
            seat.evaluations +=
                record.evaluations.as_ref().map_or(0, |evaluations| evaluations[ply]);
        }
        let is_new = self.seen.insert((contest.is_swapped(index), record.moves.clone()));
        self.distinct += u64::from(is_new);
        is_new
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
/// If a player cannot be seated for this game, or a game breaks off for another reason than the
/// budget.
pub fn run_match(
    contest: &Match,
    budget: &Budget,
    mut finished: impl FnMut(u64, &Record),
) -> Result<MatchResult, MatchError> {
    run_match_while(contest, budget, |index, record| {
        finished(index, record);
        ControlFlow::Continue(())
    })
}

/// The same for a match that may end early: once `finished` breaks, it is over, after the same game
/// on any number of threads.
///
/// # Errors
/// As [`run_match`].
pub fn run_match_while(
    contest: &Match,
    budget: &Budget,
    mut finished: impl FnMut(u64, &Record) -> ControlFlow<()>,
) -> Result<MatchResult, MatchError> {
    let mut result = MatchResult::new(contest);
    for player in &contest.players {
        // Seat both once, so that a mistake is reported before the first game.
        let why = player.player(&contest.rules, 0, budget).err();
        if let Some(why) = why {
            return Err(MatchError::Seat { player: player.to_string(), why });
        }
    }
    let play = |_: usize, index| contest.game(index, budget);
    let add = |_: usize, index: u64, record: Record| {
        result.add(contest, index, &record);
        finished(index, &record)
    };
    play_matches(std::slice::from_ref(contest), contest.threads, budget, play, add)
        .map_err(|(_, number, why)| MatchError::Game { number: number + 1, why })?;
    Ok(result)
}

/// Plays the games of several matches, round by round: in every round, each match plays the games
/// of one opening. `play` plays a game (or has it already), given the number of its match and its
/// own, both from 0. `finished` gets what it returns in the order of the rounds, whatever the
/// threads; once it breaks, that match is over, and no more of its games are handed over.
///
/// When the budget ends, games under way are dropped. Games that were finished behind a dropped one
/// are handed over last.
///
/// # Errors
/// The game that broke off for another reason than the budget, by its match and number, and why.
pub fn play_matches<R: Send>(
    matches: &[Match],
    threads: usize,
    budget: &Budget,
    play: impl Fn(usize, u64) -> Result<R, GameError> + Sync,
    mut finished: impl FnMut(usize, u64, R) -> ControlFlow<()>,
) -> Result<(), (usize, u64, GameError)> {
    let over: Vec<AtomicBool> = matches.iter().map(|_| AtomicBool::new(false)).collect();
    let games = schedule(matches)
        .filter(|&(contest, _)| !over[contest].load(Ordering::Relaxed))
        .take_while(|_| budget.exhausted().is_none());
    let mut failure = None;
    let mut order = InOrder::default();
    let mut hand_over = |(contest, index, record): (usize, u64, R)| {
        let is_over = || over[contest].load(Ordering::Relaxed);
        if !is_over() && finished(contest, index, record).is_break() {
            over[contest].store(true, Ordering::Relaxed);
        }
    };
    share_out(
        games,
        threads,
        || (),
        |(): &mut (), (contest, index)| (contest, index, play(contest, index)),
        |number, (contest, index, outcome)| {
            match outcome {
                Ok(record) => {
                    let due = order.add(number, (contest, index, record));
                    due.for_each(|(_, game)| hand_over(game));
                }
                Err(GameError::Stopped) => {}
                Err(why) => {
                    failure = Some((contest, index, why));
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    );
    if let Some(failure) = failure {
        return Err(failure);
    }
    order.rest().for_each(|(_, game)| hand_over(game));
    Ok(())
}

/// The games of several matches, round by round, each by its match and its own number.
fn schedule(matches: &[Match]) -> impl Iterator<Item = (usize, u64)> {
    let rounds = matches.iter().map(Match::rounds).max().unwrap_or(0);
    (0..rounds).flat_map(move |round| {
        matches.iter().enumerate().flat_map(move |(number, contest)| {
            let games = contest.games_per_opening();
            let last = ((round + 1) * games).min(contest.games);
            (round * games..last).map(move |index| (number, index))
        })
    })
}

impl Match {
    /// A hundred games from the empty board, one at a time, with seed 0; the players take turns to
    /// begin.
    #[must_use]
    pub fn new(rules: Rules, players: [PlayerSpec; 2]) -> Self {
        Self { rules, players, openings: Vec::new(), games: 100, seed: 0, swap: true, threads: 1 }
    }

    /// The same with other players; the first of them begins.
    #[must_use]
    pub fn with_players(self, players: [PlayerSpec; 2]) -> Self {
        Self { players, ..self }
    }

    /// The same with moves that every game begins with.
    #[must_use]
    pub fn with_opening(self, opening: Vec<Move>) -> Self {
        self.with_openings(vec![opening])
    }

    /// The same with these [`openings`](Self::openings).
    #[must_use]
    pub fn with_openings(self, openings: Vec<Vec<Move>>) -> Self {
        Self { openings, ..self }
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

    /// How many games in a row start from the same opening: one for each player who begins.
    #[must_use]
    pub fn games_per_opening(&self) -> u64 {
        if self.swap { 2 } else { 1 }
    }

    /// In how many rounds the games are played, the last of them perhaps not whole.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.games.div_ceil(self.games_per_opening())
    }

    /// The moves that game `index` (from 0) begins with.
    #[must_use]
    pub fn opening(&self, index: u64) -> &[Move] {
        let count = self.openings.len() as u64;
        let round = index / self.games_per_opening();
        round.checked_rem(count).map_or(&[], |at| &self.openings[at as usize])
    }

    /// The seed of game `index` (from 0), which its record names.
    #[must_use]
    pub fn game_seed(&self, index: u64) -> u64 {
        // 53 bits, so that the record's seed survives readers of JSON that know only doubles.
        Random::for_item(self.seed, index).next_u64() >> 11
    }

    /// The players of game `index` (from 0), the one that begins first.
    #[must_use]
    pub fn seats(&self, index: u64) -> [&PlayerSpec; 2] {
        let [first, second] = &self.players;
        if self.is_swapped(index) { [second, first] } else { [first, second] }
    }

    /// Plays game `index` (from 0), the same whenever and wherever it is asked for.
    ///
    /// # Errors
    /// If a player cannot be seated, the game breaks off, or the budget ends.
    pub fn game(&self, index: u64, budget: &Budget) -> Result<Record, GameError> {
        let seed = self.game_seed(index);
        let mut seeds = Random::new(seed);
        let [first, second] = self.seats(index);
        let mut sit = |spec: &PlayerSpec, side| {
            spec.player(&self.rules, seeds.next_u64(), budget)
                .map_err(|why| GameError::Player { side, why })
        };
        let mut players =
            [sit(first, crate::game::Side::First)?, sit(second, crate::game::Side::Second)?];
        let [one, two] = &mut players;
        let record = play_game(self.rules, self.opening(index), one, two, budget)?;
        Ok(record.with_players(first.to_string(), second.to_string()).with_seed(seed))
    }
}
