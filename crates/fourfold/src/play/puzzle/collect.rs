//! Makes a collection: puzzles from games of the levels against each other, no two alike, with
//! their difficulty measured.
//!
//! Games are searched in blocks. What comes of a game depends on the seed and its number alone, and
//! puzzles are chosen in the order of the games, so threads and interruptions change nothing.

use super::file::{RatedPuzzle, Section};
use super::rating::{difficulty, try_levels};
use super::{Course, PuzzleError, Theme, course};
use crate::book::Book;
use crate::budget::Budget;
use crate::game::{Key, Move, Position, Rules, Shape};
use crate::play::level::{LevelPlayer, LevelSpec};
use crate::play::{Player, PlayerError};
use crate::random::Random;
use crate::solver::{SolveError, Solver, SolverOptions};
use crate::workers::{InOrder, share_out};
use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, RangeInclusive};

/// Games that are searched between two reports.
const BLOCK: u64 = 64;

/// The levels that play the games: they err, but not at random. Where squares win, higher levels
/// leave hardly anything to be found.
fn playing_levels(rules: &Rules) -> RangeInclusive<u8> {
    match rules.shape() {
        Shape::Line(_) => 2..=8,
        Shape::Square(_) => 1..=3,
    }
}

/// How many of a hundred puzzles each theme gets, as long as enough are found.
const SHARES: [(Theme, u32); 5] = [
    (Theme::Win2, 16),
    (Theme::Win3, 24),
    (Theme::Win4, 20),
    (Theme::OnlyMove, 20),
    (Theme::Defend, 20),
];

/// Nodes for a position; those that take more are passed over.
const NODES: u64 = 2_000_000;

/// What is to be collected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectOptions {
    /// The game.
    pub rules: Rules,
    /// How many puzzles.
    pub count: u32,
    /// Random seed.
    pub seed: u64,
    /// Discs on the board.
    pub plies: RangeInclusive<u32>,
    /// Worker threads.
    pub threads: usize,
}

impl CollectOptions {
    /// So many puzzles of a game, with a quarter to three quarters of the board filled.
    #[must_use]
    pub fn new(rules: Rules, count: u32, seed: u64) -> Self {
        let cells = rules.cells();
        // Positions with fewer discs take too long to solve on larger boards.
        let first = (cells / 4).max(12.min(cells / 3));
        Self { rules, count, seed, plies: first..=3 * cells / 4, threads: 1 }
    }

    /// The same on so many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// After so many games every theme may take what others have not filled.
    fn games_by_shares(&self) -> u64 {
        2 * u64::from(self.count) + 500
    }

    /// After so many games there is nothing left to be found.
    fn most_games(&self) -> u64 {
        40 * u64::from(self.count) + 1000
    }
}

/// How far a collection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Collecting {
    /// Puzzles collected.
    pub puzzles: u32,
    /// Puzzles wanted.
    pub wanted: u32,
    /// Games searched.
    pub games: u64,
}

/// Collects puzzles. `begun` is what an earlier call with the same options has reported, if it did;
/// `report` gets the section after every block and says whether to go on.
///
/// A section may end up with fewer puzzles than wanted if a game does not have as many.
///
/// # Errors
/// If the work was stopped or there is no memory; what was reported before is not lost.
pub fn collect(
    options: &CollectOptions,
    begun: Option<Section>,
    budget: &Budget,
    mut report: impl FnMut(&Section, Collecting) -> ControlFlow<()>,
) -> Result<Section, PuzzleError> {
    let rules = options.rules;
    let same = |section: &Section| {
        (section.rules, section.seed, section.wanted) == (rules, options.seed, options.count)
    };
    let mut section = begun.filter(same).unwrap_or_else(|| Section {
        rules,
        seed: options.seed,
        wanted: options.count,
        games: 0,
        puzzles: Vec::new(),
    });
    let mut choice = Choice::of(&section);
    while section.puzzles.len() < options.count as usize && section.games < options.most_games() {
        let numbers = section.games..section.games + BLOCK;
        let chosen = find(options, numbers.clone(), &mut choice, budget)?;
        section.puzzles.extend(rate(options, chosen, budget)?);
        section.puzzles.sort_by_key(|puzzle| puzzle.rating);
        section.games = numbers.end;
        let wanted = options.count;
        let now =
            Collecting { puzzles: section.puzzles.len() as u32, wanted, games: section.games };
        if report(&section, now).is_break() {
            break;
        }
    }
    Ok(section)
}

/// A puzzle before it is rated.
#[derive(Debug, Clone)]
struct Candidate {
    moves: Vec<Move>,
    position: Position,
    course: Course,
}

/// The puzzles that are chosen from a block of games.
fn find(
    options: &CollectOptions,
    numbers: std::ops::Range<u64>,
    choice: &mut Choice,
    budget: &Budget,
) -> Result<Vec<Candidate>, PuzzleError> {
    let (mut order, mut chosen, mut failed) = (InOrder::default(), Vec::new(), None);
    share_out(
        numbers.clone(),
        options.threads,
        || Workshop::new(&options.rules, budget),
        |workshop, number| match workshop {
            Ok(workshop) => workshop.game(options, number, budget),
            Err(why) => Err(why.clone().into()),
        },
        |index, found| {
            for (index, found) in order.add(index, found) {
                match found {
                    Ok(candidates) => {
                        let by_shares = numbers.start + (index as u64) < options.games_by_shares();
                        chosen.extend(choice.choose(options.count, candidates, by_shares));
                    }
                    Err(why) => failed = failed.take().or(Some(why)),
                }
            }
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    failed.map_or(Ok(chosen), Err)
}

/// Measures how hard the puzzles are.
fn rate(
    options: &CollectOptions,
    candidates: Vec<Candidate>,
    budget: &Budget,
) -> Result<Vec<RatedPuzzle>, PuzzleError> {
    let mut rated: Vec<Option<RatedPuzzle>> = vec![None; candidates.len()];
    let mut failed = None;
    share_out(
        candidates.into_iter(),
        options.threads,
        || (),
        |(), Candidate { moves, position, course }| {
            let tries = try_levels(&moves, &position, &course.line, course.asked, budget)?;
            Ok(RatedPuzzle::new(options.rules, moves, course, difficulty(&tries)))
        },
        |index, puzzle: Result<Option<RatedPuzzle>, PlayerError>| {
            match puzzle {
                Ok(puzzle) => rated[index] = puzzle,
                Err(why) => failed = failed.take().or(Some(stopped_or(why, budget))),
            }
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    failed.map_or_else(|| Ok(rated.into_iter().flatten().collect()), Err)
}

fn stopped_or(why: PlayerError, budget: &Budget) -> PuzzleError {
    if budget.is_stopped() { PuzzleError::Stopped } else { why.into() }
}

/// Which puzzles are taken: one of a game at most, none that is in another, and so many of each
/// theme.
#[derive(Debug, Default)]
struct Choice {
    /// The positions that puzzles begin with, and all that they lead through while moves are asked
    /// for.
    seen: HashSet<Key>,
    taken: HashMap<Theme, u32>,
    all: u32,
}

impl Choice {
    fn of(section: &Section) -> Self {
        let mut choice = Self::default();
        for RatedPuzzle { position, course, .. } in &section.puzzles {
            choice.take(position, course);
        }
        choice
    }

    fn take(&mut self, position: &Position, course: &Course) {
        self.seen.extend(path(position, course));
        *self.taken.entry(course.theme).or_default() += 1;
        self.all += 1;
    }

    /// The one of a game's puzzles that is missed most.
    fn choose(
        &mut self,
        wanted: u32,
        candidates: Vec<Candidate>,
        by_shares: bool,
    ) -> Option<Candidate> {
        if self.all >= wanted {
            return None;
        }
        // In thousandths of its share.
        let filled = |theme: Theme| {
            let share = SHARES.iter().find(|(of, _)| *of == theme).map_or(0, |(_, share)| *share);
            let taken = self.taken.get(&theme).copied().unwrap_or(0);
            u64::from(taken) * 100_000 / u64::from(wanted * share).max(1)
        };
        let chosen = candidates
            .into_iter()
            .filter(|candidate| {
                (!by_shares || filled(candidate.course.theme) < 1000)
                    && path(&candidate.position, &candidate.course)
                        .all(|key| !self.seen.contains(&key))
            })
            .min_by_key(|candidate| filled(candidate.course.theme))?;
        self.take(&chosen.position, &chosen.course);
        Some(chosen)
    }
}

/// The positions in which the solver of a puzzle is asked for a move.
fn path(position: &Position, course: &Course) -> impl Iterator<Item = Key> {
    let starts = (0..course.asked).map(|index| 2 * index);
    let keys: Vec<Key> = starts
        .map(|start| {
            let moves = course.line.get(..start).unwrap_or_default();
            let at = moves.iter().fold(*position, |position, &mv| position.play_unchecked(mv));
            at.canonical().key()
        })
        .collect();
    keys.into_iter()
}

/// What a thread needs to find puzzles.
struct Workshop {
    solver: Solver,
    players: Vec<LevelPlayer>,
}

impl Workshop {
    fn new(rules: &Rules, budget: &Budget) -> Result<Self, SolveError> {
        let players = playing_levels(rules)
            .filter_map(LevelSpec::new)
            .map(|spec| spec.player(rules, 0, budget))
            .collect();
        let solver = Solver::new(rules, SolverOptions::default().with_memory(16))?;
        Ok(Self { solver: solver.with_book(Book::embedded(rules)), players })
    }

    /// The puzzles in a game between two levels, in no particular order.
    fn game(
        &mut self,
        options: &CollectOptions,
        number: u64,
        budget: &Budget,
    ) -> Result<Vec<Candidate>, PuzzleError> {
        let mut random = Random::for_item(options.seed, number);
        let seats = [0, 1].map(|_| (random.below(self.players.len()), random.next_u64()));
        let mut position = Position::new(options.rules);
        let mut moves = Vec::new();
        let mut found = Vec::new();
        while !position.outcome().is_over() && position.ply() <= *options.plies.end() {
            if options.plies.contains(&position.ply()) {
                let part = budget.part().with_nodes(NODES);
                if let Some(course) = course(&mut self.solver, &position, &part)? {
                    found.push(Candidate { moves: moves.clone(), position, course });
                }
            }
            let (player, seed) = seats[moves.len() % 2];
            let player = &mut self.players[player];
            player.reseed(seed);
            let choice = player.choose(&position).map_err(|why| stopped_or(why, budget))?;
            moves.push(choice.mv);
            position = position.play_unchecked(choice.mv);
        }
        // Early and late positions alike.
        for last in (1..found.len()).rev() {
            found.swap(last, random.below(last + 1));
        }
        Ok(found)
    }
}
