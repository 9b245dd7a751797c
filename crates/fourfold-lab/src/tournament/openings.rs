//! Openings for games in pairs: distinct, not decided, and roughly level.
//!
//! Players that always answer the same play the same game again and again from the empty board, so
//! a tournament starts each pair from an opening of its own. Openings are drawn at random, and are
//! distinct also under the symmetries of the board. Nobody wins with the next move, nor has to stop
//! the opponent from doing so.
//!
//! An opening is *level* if
//!
//! - the exact solver, within [`SOLVER_NODES`] nodes, finds a draw, or a win that takes at least
//!   two thirds of the empty cells ([`FAR`]) to come about; or
//! - the solver cannot tell, and a search of [`SEARCH_DEPTH`] plies finds no win and an estimate
//!   near 0: at most the median size of the estimates of [`SAMPLE`] such positions.
//!
//! If the game does not have as many level openings as are asked for (or they are too rare to be
//! found), the others follow. Both players meet each opening from both sides, so what is left of an
//! opening's advantage cancels in the pair.

use crate::positions::readable_lines;
use crate::reading::FileError;
use fourfold::book::Book;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Position, Rules, notation};
use fourfold::play::random_position;
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::search::{Limits, SearchOptions, Searcher};
use fourfold::solver::{SolveError, Solver, SolverOptions};
use fourfold::workers::{InOrder, share_out};
use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

/// Nodes that the solver may spend on a candidate.
pub const SOLVER_NODES: u64 = 50_000;
/// Plies that are searched where the solver cannot tell.
pub const SEARCH_DEPTH: u32 = 4;
/// Candidates whose estimates tell what is near 0.
pub const SAMPLE: usize = 64;
/// A win is far if it takes this share of the empty cells, as numerator and denominator.
pub const FAR: (u32, u32) = (2, 3);
/// Candidates drawn for each opening wanted before the search for level ones is given up.
const TRIES: usize = 60;
/// The same for draws alone, which are rarer.
const TRIES_FOR_DRAWS: usize = 400;
/// Games drawn in a row that bring no new position: there are no more, or hardly any.
const MOST_REPEATS: usize = 2000;

/// Which openings to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OpeningSet {
    /// Level ones, and others only if there are too few.
    #[default]
    Level,
    /// Exact draws alone.
    Draws,
    /// Any that are not decided at once.
    Random,
    /// The empty board and nothing else.
    Empty,
}

impl OpeningSet {
    /// Every set by name, with a line about it.
    pub const ALL: [(&'static str, Self, &'static str); 4] = [
        ("level", Self::Level, "exact draws and distant wins, or estimates near 0"),
        ("draws", Self::Draws, "exact draws alone"),
        ("random", Self::Random, "anything that is not won or lost at once"),
        ("empty", Self::Empty, "the empty board"),
    ];
}

impl FromStr for OpeningSet {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(name, _, _)| *name == text).map(|(_, set, _)| *set).ok_or(())
    }
}

impl fmt::Display for OpeningSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::ALL.iter().find(|(_, set, _)| set == self);
        f.write_str(named.map_or("", |(name, _, _)| name))
    }
}

/// How openings are drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpeningDraw {
    /// The game.
    pub rules: Rules,
    /// Which.
    pub set: OpeningSet,
    /// How many moves each has.
    pub plies: u32,
    /// How many are wanted.
    pub count: usize,
    /// The random seed.
    pub seed: u64,
}

/// Openings, and how good they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Openings {
    /// Their moves.
    pub moves: Vec<Vec<Move>>,
    /// How many of them are exact draws.
    pub draws: usize,
    /// How many are level without being known to be draws.
    pub level: usize,
    /// How many are neither.
    pub others: usize,
}

/// Why there are no openings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// No random game lasts as long without being decided.
    #[error("{rules} has no opening of {plies} moves ({set}) that is not decided")]
    None {
        /// The game.
        rules: Rules,
        /// As asked for.
        plies: u32,
        /// As asked for.
        set: OpeningSet,
    },
    /// The solver cannot be made.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The budget ended.
    #[error("drawing openings was stopped")]
    Stopped,
}

/// What is known of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worth {
    Draw,
    Far,
    Near,
    Estimate(u32),
    Unknown,
}

impl OpeningDraw {
    /// Level openings of as many moves as suit the game ([`OpeningDraw::usual_plies`]).
    #[must_use]
    pub fn new(rules: Rules, count: usize, seed: u64) -> Self {
        let plies = Self::usual_plies(&rules);
        Self { rules, set: OpeningSet::default(), plies, count, seed }
    }

    /// The same with another number of moves.
    #[must_use]
    pub fn with_plies(self, plies: u32) -> Self {
        Self { plies, ..self }
    }

    /// The same from another set.
    #[must_use]
    pub fn with_set(self, set: OpeningSet) -> Self {
        Self { set, ..self }
    }

    /// An even number of moves from 2 to 8, about a fifth of the cells: enough for variety, with
    /// most of the game to come.
    #[must_use]
    pub fn usual_plies(rules: &Rules) -> u32 {
        (2 * ((rules.cells() + 5) / 10)).clamp(2, 8)
    }

    /// Draws the openings, fewer if there are not as many. They depend on the seed alone, not on
    /// the number of threads, and the first openings of a longer list are those of a shorter one as
    /// long as there are enough level ones.
    ///
    /// # Errors
    /// If there is none, or the budget ends.
    pub fn draw(&self, threads: usize, budget: &Budget) -> Result<Openings, OpeningError> {
        self.draw_with(threads, budget, |_| ())
    }

    /// The same; `progress` hears how many are found, again and again.
    ///
    /// # Errors
    /// If there is none, or the budget ends.
    pub fn draw_with(
        &self,
        threads: usize,
        budget: &Budget,
        mut progress: impl FnMut(usize),
    ) -> Result<Openings, OpeningError> {
        if self.set == OpeningSet::Empty {
            return Ok(Openings { moves: vec![Vec::new()], others: 1, ..Openings::default() });
        }
        let none = || OpeningError::None { rules: self.rules, plies: self.plies, set: self.set };
        if self.plies == 0 || self.plies >= self.rules.cells() {
            return Err(none());
        }
        // Made once here, so that lack of memory is an error and not a panic further down.
        drop(self.judge()?);
        let mut chosen = Chosen::default();
        let mut order = InOrder::default();
        share_out(
            self.candidates().take_while(|_| budget.exhausted().is_none()),
            threads,
            || self.judge().ok(),
            |judge, (moves, position)| {
                let worth = judge.as_mut().map_or(Worth::Unknown, |judge| judge.worth(&position));
                (moves, worth)
            },
            |number, found| {
                for (_, (moves, worth)) in order.add(number, found) {
                    chosen.add(self.set, moves, worth);
                    progress(chosen.level_count(self.set).min(self.count));
                    if chosen.level_count(self.set) >= self.count {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            },
        );
        if budget.is_stopped() {
            return Err(OpeningError::Stopped);
        }
        let openings = chosen.openings(self.set, self.count);
        if openings.moves.is_empty() { Err(none()) } else { Ok(openings) }
    }

    /// Distinct positions as random games bring them, until there are enough or no more.
    fn candidates(&self) -> impl Iterator<Item = (Vec<Move>, Position)> + Send {
        let tries = match self.set {
            OpeningSet::Draws => TRIES_FOR_DRAWS,
            _ => TRIES,
        };
        let (rules, plies, seed) = (self.rules, self.plies, self.seed);
        let mut seen = HashSet::new();
        let mut number = 0;
        let next = move || {
            for _ in 0..MOST_REPEATS {
                let mut random = Random::for_item(seed, number);
                number += 1;
                let Some((position, moves)) = random_position(&rules, plies..=plies, &mut random)
                else {
                    continue;
                };
                let is_quiet = position.threatened_moves().is_empty();
                if is_quiet && seen.insert(position.canonical().key()) {
                    return Some((moves, position));
                }
            }
            None
        };
        std::iter::from_fn(next).take(self.count.saturating_mul(tries).max(1000))
    }

    fn judge(&self) -> Result<Judge, SolveError> {
        let solver = match self.set {
            OpeningSet::Random => None,
            _ => Some(
                Solver::new(&self.rules, SolverOptions::default())?
                    .with_book(Book::embedded(&self.rules)),
            ),
        };
        let mut options = SearchOptions::default();
        options.mid_col = true;
        let searcher = Searcher::new(Evaluator::natural(&self.rules), options);
        Ok(Judge { solver, searcher })
    }
}

/// Tells how level positions are, each by itself: what is kept of one does not bear on the next.
struct Judge {
    solver: Option<Solver>,
    searcher: Searcher,
}

impl Judge {
    fn worth(&mut self, position: &Position) -> Worth {
        let Some(solver) = &mut self.solver else { return Worth::Unknown };
        solver.forget();
        let budget = Budget::unlimited().with_nodes(SOLVER_NODES);
        let plies = match solver.solve(position, &budget) {
            Ok(solved) => match solved.verdict {
                Verdict::Draw => return Worth::Draw,
                verdict => verdict.plies().unwrap_or(0),
            },
            Err(_) => {
                let found = self.searcher.search(position, &Limits::depth(SEARCH_DEPTH), 0);
                return match found.map(|report| report.verdict) {
                    Ok(Verdict::Estimate(value)) => Worth::Estimate(value.unsigned_abs()),
                    Ok(Verdict::Draw) => Worth::Draw,
                    Ok(_) => Worth::Near,
                    Err(_) => Worth::Unknown,
                };
            }
        };
        let (above, below) = FAR;
        if plies * below >= position.empty() * above { Worth::Far } else { Worth::Near }
    }
}

/// Candidates sorted by how level they are, in the order in which they were drawn.
#[derive(Default)]
struct Chosen {
    draws: Vec<(usize, Vec<Move>)>,
    level: Vec<(usize, Vec<Move>)>,
    others: Vec<(usize, Vec<Move>)>,
    /// Those with an estimate, before it is known what is near 0.
    waiting: Vec<(usize, Vec<Move>, u32)>,
    threshold: Option<u32>,
    drawn: usize,
}

impl Chosen {
    fn add(&mut self, set: OpeningSet, moves: Vec<Move>, worth: Worth) {
        let number = self.drawn;
        self.drawn += 1;
        match (worth, set) {
            (Worth::Draw, _) => self.draws.push((number, moves)),
            (Worth::Far, _) | (Worth::Unknown, OpeningSet::Random) => {
                self.level.push((number, moves));
            }
            (Worth::Near | Worth::Unknown, _) => self.others.push((number, moves)),
            (Worth::Estimate(size), _) => {
                self.waiting.push((number, moves, size));
                if self.threshold.is_some() || self.waiting.len() >= SAMPLE {
                    self.settle();
                }
            }
        }
    }

    /// Sorts those that wait; the first time, their median becomes the threshold.
    fn settle(&mut self) {
        let mut sizes: Vec<u32> = self.waiting.iter().map(|(_, _, size)| *size).collect();
        sizes.sort_unstable();
        let Some(&median) = sizes.get(sizes.len().saturating_sub(1) / 2) else { return };
        let threshold = *self.threshold.get_or_insert(median);
        for (number, moves, size) in self.waiting.drain(..) {
            let place = if size <= threshold { &mut self.level } else { &mut self.others };
            place.push((number, moves));
        }
    }

    fn level_count(&self, set: OpeningSet) -> usize {
        match set {
            OpeningSet::Draws => self.draws.len(),
            _ => self.draws.len() + self.level.len(),
        }
    }

    fn openings(mut self, set: OpeningSet, count: usize) -> Openings {
        self.settle();
        if set == OpeningSet::Draws {
            self.level.clear();
            self.others.clear();
        }
        let draws: HashSet<usize> = self.draws.iter().map(|(number, _)| *number).collect();
        let mut level = [self.draws, self.level].concat();
        level.sort_by_key(|(number, _)| *number);
        level.truncate(count);
        let draws = level.iter().filter(|(number, _)| draws.contains(number)).count();
        let others = (count - level.len()).min(self.others.len());
        let mut found = Openings { draws, level: level.len() - draws, others, moves: Vec::new() };
        found.moves = level.into_iter().chain(self.others).take(count).map(|(_, m)| m).collect();
        found
    }
}

/// Reads a file of openings: a position per line in any notation, `#` starts a comment, `empty` is
/// the empty board. Positions that a symmetry takes to one before are left out.
///
/// # Errors
/// If a position cannot be read, cannot have come about, or is the end of a game; or if there is
/// none. `file` is what errors call the file.
pub fn read_openings(
    file: &str,
    text: &str,
    rules: &Rules,
) -> Result<(Vec<Vec<Move>>, usize), FileError> {
    let error = |line, problem| FileError { file: file.to_owned(), line, key: None, problem };
    let (mut seen, mut openings, mut repeated) = (HashSet::new(), Vec::new(), 0);
    for (line, text) in readable_lines(text) {
        let refuse = |why: &dyn fmt::Display| error(Some(line), why.to_string());
        let entry = notation::Reader::new().rules(rules).read(text).map_err(|why| refuse(&why))?;
        if entry.position.outcome().is_over() {
            return Err(refuse(&format!("the game is over in {text:?}")));
        }
        if !seen.insert(entry.position.canonical().key()) {
            repeated += 1;
            continue;
        }
        openings.push(match entry.moves {
            Some(moves) => moves,
            None => entry.position.some_moves().map_err(|why| refuse(&why))?,
        });
    }
    if openings.is_empty() {
        return Err(error(None, "there is no position in this file".to_owned()));
    }
    Ok((openings, repeated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(game: &str, count: usize, threads: usize) -> Openings {
        let rules: Rules = game.parse().unwrap();
        OpeningDraw::new(rules, count, 1).draw(threads, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn openings_are_distinct_under_symmetry_and_the_same_on_any_threads() {
        for game in ["5x4c4", "4x4c3f", "9x7c5"] {
            let openings = draw(game, 20, 1);
            assert_eq!(openings, draw(game, 20, 3), "{game}");
            let rules: Rules = game.parse().unwrap();
            let mut seen = HashSet::new();
            for moves in &openings.moves {
                let position = Position::from_moves(rules, moves).unwrap();
                assert!(seen.insert(position.canonical().key()), "{game} {moves:?}");
                assert!(!position.wins_at_once() && position.threatened_moves().is_empty());
            }
            assert_eq!(seen.len(), 20, "{game}");
            assert_eq!(openings.draws + openings.level + openings.others, 20);
        }
    }

    #[test]
    fn connect_four_has_level_openings() {
        let openings = draw("7x6c4", 12, 1);
        assert_eq!((openings.moves.len(), openings.others), (12, 0), "{openings:?}");
        let draws = OpeningDraw::new(Rules::CONNECT_FOUR, 4, 1).with_set(OpeningSet::Draws);
        let draws = draws.draw(1, &Budget::unlimited()).unwrap();
        assert_eq!((draws.moves.len(), draws.draws), (4, 4));
    }

    #[test]
    fn a_small_game_has_few_openings() {
        let few = draw("tictactoe", 100, 1);
        assert!((3..=12).contains(&few.moves.len()), "{}", few.moves.len());
        let rules = Rules::TIC_TAC_TOE;
        let asked = OpeningDraw::new(rules, 5, 1);
        let none = asked.clone().with_plies(9).draw(1, &Budget::unlimited());
        assert!(matches!(none, Err(OpeningError::None { plies: 9, .. })));
        let empty = asked.with_set(OpeningSet::Empty).draw(1, &Budget::unlimited()).unwrap();
        assert_eq!(empty.moves, [vec![]]);
    }

    #[test]
    fn files_of_openings_are_read_with_their_lines() {
        let rules = Rules::CONNECT_FOUR;
        let read = |text: &str| read_openings("o.txt", text, &rules).map_err(|why| why.to_string());
        let (openings, repeated) = read("# two\n44\n\n12 # and its mirror image\n76\n").unwrap();
        assert_eq!((openings.len(), repeated), (2, 1));
        assert!(read("").unwrap_err().contains("no position"));
        assert!(read("44\n9").unwrap_err().starts_with("o.txt:2: "));
        assert!(read("1212121").unwrap_err().contains("the game is over"));
    }
}
