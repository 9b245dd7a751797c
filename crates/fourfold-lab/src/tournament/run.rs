//! Playing a tournament: round by round, on several threads, resumable.

use super::fit::PairResults;
use super::saved::SavedGames;
use super::{Pairing, Pairs, Pentanomial, SavedError, Sprt, SprtState, Tournament};
use fourfold::budget::Budget;
use fourfold::play::{
    GameError, Match, MatchResult, PlayerError, PlayerSpec, Record, play_matches,
};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

/// A player that forfeits this many games in a row is broken: more games would tell nothing.
const MOST_FORFEITS_IN_A_ROW: u32 = 3;

/// What happens while a tournament is played.
#[derive(Debug)]
#[non_exhaustive]
pub enum TournamentEvent<'a> {
    /// It begins: at most so many games, of which some were played before.
    Began {
        /// Games there are at most.
        games: u64,
        /// Those that the file has.
        saved: u64,
    },
    /// A game is finished, in the order of rounds and pairings.
    Game {
        /// The number of its pairing.
        pairing: usize,
        /// The game.
        record: &'a Record,
        /// Whether the file had it.
        is_saved: bool,
    },
    /// A pairing is decided by its test, and so many of its games are not needed.
    Decided {
        /// The number of the pairing.
        pairing: usize,
        /// The test.
        test: SprtState,
        /// Games that are left out.
        left_out: u64,
    },
}

/// How a pairing went.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PairingOutcome {
    /// Who met.
    pub pairing: Pairing,
    /// All finished games, counted.
    pub result: MatchResult,
    /// Half points of the first player in each pair that counts, with its round.
    pub pairs: Vec<(usize, u8)>,
    /// Pairs that were the same games again, and do not count: no player draws on the seed, and the
    /// opening had been played before.
    pub repeated: u64,
    /// How its test stands, if there is one.
    pub sprt: Option<SprtState>,
}

impl PairingOutcome {
    /// The pairs that count.
    #[must_use]
    pub fn pentanomial(&self) -> Pentanomial {
        self.results().pentanomial()
    }

    pub(super) fn results(&self) -> PairResults {
        PairResults { pairing: self.pairing, pairs: self.pairs.clone() }
    }
}

/// What was played.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TournamentOutcome {
    /// By pairing, in the order of [`Tournament::pairings`].
    pub pairings: Vec<PairingOutcome>,
    /// Whether all that was to be played was played.
    pub is_complete: bool,
}

impl TournamentOutcome {
    /// Games finished.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.sum(|result| result.games)
    }

    /// Games that differ in their moves, their players or who began.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.sum(|result| result.distinct)
    }

    /// Games drawn.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.sum(|result| result.draws)
    }

    /// Games won by whoever began.
    #[must_use]
    pub fn first_wins(&self) -> u64 {
        self.sum(|result| result.first_wins)
    }

    /// The share of points of one player against another in the pairs that count; none if there
    /// are none.
    #[must_use]
    pub fn score(&self, player: usize, other: usize) -> Option<f64> {
        self.pairings.iter().filter(|found| !found.pairs.is_empty()).find_map(|found| {
            let (Pairing { first, second }, score) = (found.pairing, found.pentanomial().score());
            match (player, other) {
                met if met == (first, second) => Some(score),
                met if met == (second, first) => Some(1.0 - score),
                _ => None,
            }
        })
    }

    fn sum(&self, of: impl Fn(&MatchResult) -> u64) -> u64 {
        self.pairings.iter().map(|pairing| of(&pairing.result)).sum()
    }
}

/// Why a tournament was not played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// One player plays nobody.
    #[error("a tournament needs at least two players")]
    TooFewPlayers,
    /// A player is there more than once.
    #[error("{player} takes part twice")]
    Twice {
        /// The player.
        player: String,
    },
    /// A player cannot be seated.
    #[error("{player}: {why}")]
    Seat {
        /// The player.
        player: String,
        /// Why not.
        why: PlayerError,
    },
    /// A game broke off.
    #[error("{first} against {second}, game {number}: {why}")]
    Game {
        /// Who began.
        first: String,
        /// Who did not.
        second: String,
        /// From 1, in the pairing.
        number: u64,
        /// Why.
        why: Box<GameError>,
    },
    /// A player gave up one game after the other.
    #[error(
        "{player} forfeited {MOST_FORFEITS_IN_A_ROW} games in a row, the last because {reason}"
    )]
    Forfeits {
        /// The player.
        player: String,
        /// The reason for the last.
        reason: String,
    },
    /// The file of games cannot be used.
    #[error(transparent)]
    Saved(#[from] SavedError),
}

/// Plays a tournament on so many threads. With a file, finished games are kept there, and those
/// that it has are not played again. `tell` learns of every game, in an order that depends on the
/// tournament alone.
///
/// When the budget ends, the outcome is of the finished games.
///
/// # Errors
/// If a player cannot take part, a game breaks off, or the file is another tournament's.
pub fn run(
    tournament: &Tournament,
    threads: usize,
    budget: &Budget,
    save: Option<&Path>,
    mut tell: impl FnMut(TournamentEvent<'_>),
) -> Result<TournamentOutcome, TournamentError> {
    check_players(tournament, budget)?;
    let (pairings, matches) = (tournament.pairings(), tournament.matches());
    let opened = save.map(|path| SavedGames::open(path, tournament, &matches)).transpose()?;
    let (mut file, saved) = opened.map_or((None, None), |(file, games)| (Some(file), Some(games)));
    let games = matches.iter().map(|contest| contest.games).sum();
    let saved = saved.unwrap_or_default();
    tell(TournamentEvent::Began { games, saved: saved.len() as u64 });
    let saved = Mutex::new(saved);
    let mut counts: Vec<Count<'_>> = (pairings.iter().zip(&matches))
        .map(|(&pairing, contest)| Count::new(pairing, contest, tournament.sprt))
        .collect();
    let mut in_a_row = vec![0; tournament.players.len()];
    let mut failure = None;
    let play = |number: usize, index: u64| {
        let known = saved.lock().ok().and_then(|mut saved| saved.remove(&(number, index)));
        match known {
            Some(record) => Ok((true, record)),
            None => matches[number].game(index, budget).map(|record| (false, record)),
        }
    };
    let finished = |number: usize, index: u64, (is_saved, record): (bool, Record)| {
        if failure.is_some() {
            return ControlFlow::Break(());
        }
        if let (false, Some(file)) = (is_saved, &mut file)
            && let Err(why) = file.add(&record)
        {
            failure = Some(why.into());
            return ControlFlow::Break(());
        }
        tell(TournamentEvent::Game { pairing: number, record: &record, is_saved });
        let Pairing { first, second } = pairings[number];
        let begins = if matches[number].is_swapped(index) { second } else { first };
        let loser = if record.moves.len() % 2 == 0 { begins } else { first + second - begins };
        for player in [first, second] {
            let forfeits = record.forfeit.is_some() && player == loser;
            in_a_row[player] = if forfeits { in_a_row[player] + 1 } else { 0 };
        }
        let is_broken = in_a_row[loser] >= MOST_FORFEITS_IN_A_ROW && !tournament.is_forgiving;
        if let (true, Some(reason)) = (is_broken, record.forfeit.clone()) {
            let player = tournament.players[loser].to_string();
            failure = Some(TournamentError::Forfeits { player, reason });
            return ControlFlow::Break(());
        }
        match counts[number].add(index, &record) {
            Some(test) if test.accepted.is_some() => {
                let left_out = matches[number].games.saturating_sub(index + 1);
                tell(TournamentEvent::Decided { pairing: number, test, left_out });
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    };
    let played = play_matches(&matches, threads, budget, play, finished);
    if let Some(failure) = failure {
        return Err(failure);
    }
    played.map_err(|(number, index, why)| {
        let [first, second] = matches[number].seats(index).map(ToString::to_string);
        TournamentError::Game { first, second, number: index + 1, why: Box::new(why) }
    })?;
    let pairings: Vec<PairingOutcome> = counts.into_iter().map(Count::outcome).collect();
    let is_complete = pairings.iter().zip(&matches).all(|(pairing, contest)| {
        let is_decided = pairing.sprt.is_some_and(|test| test.accepted.is_some());
        is_decided || pairing.result.games == contest.games
    });
    Ok(TournamentOutcome { pairings, is_complete })
}

fn check_players(tournament: &Tournament, budget: &Budget) -> Result<(), TournamentError> {
    if tournament.players.len() < 2 {
        return Err(TournamentError::TooFewPlayers);
    }
    for (place, player) in tournament.players.iter().enumerate() {
        let name = player.to_string();
        if tournament.players[..place].iter().any(|other| other.to_string() == name) {
            return Err(TournamentError::Twice { player: name });
        }
        // Each is seated once, so that a mistake is reported before the first game.
        if let Err(why) = player.player(&tournament.rules, 0, budget) {
            return Err(TournamentError::Seat { player: name, why });
        }
    }
    Ok(())
}

/// A pairing while it is played.
struct Count<'a> {
    pairing: Pairing,
    contest: &'a Match,
    result: MatchResult,
    pairs: Pairs,
    rounds: Vec<(usize, u8)>,
    repeated: u64,
    /// Whether games that repeat are repeats by chance, which count.
    varied: bool,
}

impl<'a> Count<'a> {
    fn new(pairing: Pairing, contest: &'a Match, test: Option<Sprt>) -> Self {
        Self {
            pairing,
            contest,
            result: MatchResult::new(contest),
            pairs: Pairs::new(test),
            rounds: Vec::new(),
            repeated: 0,
            varied: contest.players.iter().any(PlayerSpec::draws_on_seed),
        }
    }

    /// Adds a game; how the test stands, if that completed a pair and there is a test.
    fn add(&mut self, index: u64, record: &Record) -> Option<SprtState> {
        let is_new = self.result.add(self.contest, index, record);
        let pair = self.pairs.add(self.contest, index, record, is_new || self.varied)?;
        if pair.counts {
            self.rounds.push((pair.round as usize, pair.half_points));
        } else {
            self.repeated += 1;
        }
        self.pairs.state()
    }

    fn outcome(self) -> PairingOutcome {
        let sprt = self.pairs.state();
        let Self { pairing, result, rounds: pairs, repeated, .. } = self;
        PairingOutcome { pairing, result, pairs, repeated, sprt }
    }
}
