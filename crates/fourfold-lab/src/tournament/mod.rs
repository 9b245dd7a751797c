//! Tournaments: players against each other from many openings, rated with honest intervals.
//!
//! A [`Tournament`] says who plays whom ([`Format`]) and from which openings ([`OpeningDraw`]);
//! each pairing is a match of the library, so a tournament's games are played by the same code as
//! those of a match. [`run`] plays it, keeps every game in a file and goes on after an
//! interruption. [`Standings`] rate the players: Elo by maximum likelihood, intervals from game
//! pairs. [`Sprt`] ends a pairing as soon as it is decided. `docs/tournaments.md` has the formulas
//! and their sources.
//!
//! Everything depends on the tournament alone: the number of threads and interruptions change
//! nothing but times. Nothing here prints.

mod elo;
mod fit;
mod openings;
mod page;
mod pairs;
mod run;
mod saved;
#[cfg(test)]
mod simulation;
mod sprt;
mod standings;
mod tables;
mod words;

pub use elo::{Difference, Pentanomial, elo_of_score, expected_score};
pub use openings::{
    FAR, OpeningDraw, OpeningError, OpeningSet, Openings, SAMPLE, SEARCH_DEPTH, SOLVER_NODES,
    read_openings,
};
pub use page::page;
pub use pairs::{CountedPair, Pairs};
pub use run::{PairingOutcome, TournamentError, TournamentEvent, TournamentOutcome, run};
pub use saved::{SavedError, is_header, saved_games};
pub use sprt::{Hypothesis, MIN_PAIRS, Sprt, SprtError, SprtState};
pub use standings::{Rating, RatingKind, Standings};
pub use tables::{csv, json};

use fourfold::game::{Move, Rules, notation};
use fourfold::play::{Match, PlayerSpec};
use fourfold::random::Random;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Two players that meet, by their places in the list of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Pairing {
    /// The one whose results are counted.
    pub first: usize,
    /// The other.
    pub second: usize,
}

/// Who plays whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first player plays all others.
    Gauntlet,
    /// Everybody plays the next in the list: what measuring a ladder needs.
    Neighbours,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round robin",
            Self::Gauntlet => "gauntlet",
            Self::Neighbours => "neighbours",
        })
    }
}

/// A tournament that is to be played.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::Rules;
/// use fourfold_lab::tournament::{OpeningDraw, Standings, Tournament, run};
///
/// let rules: Rules = "5x4c4".parse()?;
/// let openings = OpeningDraw::new(rules, 10, 1).draw(1, &Budget::unlimited())?;
/// let players = vec!["lookahead:4".parse()?, "naive".parse()?, "random".parse()?];
/// let tournament = Tournament::new(rules, players, openings.moves).with_games(20);
/// let outcome = run(&tournament, 1, &Budget::unlimited(), None, |_| {})?;
/// let standings = Standings::of(&tournament, &outcome, None);
/// assert_eq!(standings.order()[0], 0, "looking ahead helps");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tournament {
    /// The game.
    pub rules: Rules,
    /// The players, each once.
    pub players: Vec<PlayerSpec>,
    /// Who plays whom.
    pub format: Format,
    /// The openings, one for each round.
    pub openings: Vec<Vec<Move>>,
    /// The most games of a pairing; an even number, since they come in pairs.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
    /// Ends a pairing as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// Goes on with players that forfeit one game after the other, instead of ending as broken.
    pub is_forgiving: bool,
    /// What decides the games besides all this, such as the programs behind the players' names; a
    /// file of games is kept for the same conditions only.
    pub conditions: String,
}

impl Tournament {
    /// A round robin of 100 games a pairing, with seed 0.
    #[must_use]
    pub fn new(rules: Rules, players: Vec<PlayerSpec>, openings: Vec<Vec<Move>>) -> Self {
        let format = Format::default();
        Self {
            rules,
            players,
            format,
            openings,
            games: 100,
            seed: 0,
            sprt: None,
            is_forgiving: false,
            conditions: String::new(),
        }
    }

    /// The same in another format.
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// The same with another number of games a pairing, rounded up to whole pairs.
    #[must_use]
    pub fn with_games(self, games: u64) -> Self {
        Self { games: games.next_multiple_of(2), ..self }
    }

    /// The same, but players that forfeit one game after the other play on.
    #[must_use]
    pub fn forgiving(self) -> Self {
        Self { is_forgiving: true, ..self }
    }

    /// The same under these conditions.
    #[must_use]
    pub fn with_conditions(self, conditions: String) -> Self {
        Self { conditions, ..self }
    }

    /// The same with another random seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same with a test that ends pairings early, or without one.
    #[must_use]
    pub fn with_sprt(self, sprt: Option<Sprt>) -> Self {
        Self { sprt, ..self }
    }

    /// Who meets whom.
    #[must_use]
    pub fn pairings(&self) -> Vec<Pairing> {
        let count = self.players.len();
        let pair = |first, second| Pairing { first, second };
        match self.format {
            Format::RoundRobin => (0..count)
                .flat_map(|first| (first + 1..count).map(move |second| pair(first, second)))
                .collect(),
            Format::Gauntlet => (1..count).map(|second| pair(0, second)).collect(),
            Format::Neighbours => (1..count).map(|second| pair(second - 1, second)).collect(),
        }
    }

    /// The match of each pairing. Players that never vary play every opening once, however many
    /// games are asked for: more would be the same games again.
    #[must_use]
    pub fn matches(&self) -> Vec<Match> {
        let matches = self.pairings().into_iter().enumerate();
        matches
            .map(|(number, Pairing { first, second })| {
                let players = [self.players[first].clone(), self.players[second].clone()];
                let repeats = !players.iter().all(PlayerSpec::is_deterministic);
                let distinct = 2 * self.openings.len().max(1) as u64;
                let games = if repeats { self.games } else { self.games.min(distinct) };
                Match::new(self.rules, players)
                    .with_openings(self.openings.clone())
                    .with_games(games)
                    .with_seed(Random::for_item(self.seed, number as u64).next_u64())
            })
            .collect()
    }

    /// All that decides the games, as one line of JSON: what a file of games must agree with.
    #[must_use]
    pub(crate) fn canonical(&self) -> String {
        let names = |players: &[PlayerSpec]| players.iter().map(ToString::to_string).collect();
        let text = |opening: &Vec<Move>| notation::moves_text(&self.rules, opening);
        let canonical = Canonical {
            game: self.rules,
            format: self.format,
            players: names(&self.players),
            games: self.games,
            seed: self.seed,
            sprt: self.sprt,
            openings: self.openings.iter().map(text).collect(),
            conditions: &self.conditions,
        };
        serde_json::to_string(&canonical).expect("plain fields always make JSON")
    }
}

/// What decides the games of a tournament.
#[derive(Serialize)]
struct Canonical<'a> {
    game: Rules,
    format: Format,
    players: Vec<String>,
    games: u64,
    seed: u64,
    sprt: Option<Sprt>,
    openings: Vec<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    conditions: &'a str,
}
