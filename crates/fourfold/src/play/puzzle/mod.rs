//! Puzzles: positions in which a single move keeps the win or the draw, and that move is not
//! obvious.
//!
//! They come from random games: nobody can win at once, nobody has to block, and the exact solver
//! has scored every move. The difficulty is how far a textbook player has to look ahead to find the
//! move.

mod collect;
mod course;
mod file;
mod rating;
mod theme;

pub use collect::{CollectOptions, Collecting, collect};
pub use course::{Course, MOST_ASKED, course};
pub use file::{Collection, PuzzleFileError, RatedPuzzle, Section};
pub use rating::{LevelTries, TRIES, difficulty, try_levels};
pub use theme::{Theme, UnknownTheme, ends_in_zugzwang};

use super::{PlayerError, PlayerSpec};
use crate::budget::{Budget, Halt};
use crate::game::{Move, Position, Rules};
use crate::random::Random;
use crate::score::Verdict;
use crate::solver::{MoveScore, SolveError, Solver};
use std::ops::RangeInclusive;

/// A position with a single move that keeps the outcome.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Puzzle {
    /// The moves that lead to it.
    pub moves: Vec<Move>,
    /// The position.
    pub position: Position,
    /// The only move that keeps the win or the draw.
    pub solution: Move,
    /// What it leads to, for the side to move: a win or a draw.
    pub verdict: Verdict,
    /// What every move leads to.
    pub columns: Vec<MoveScore>,
    /// Best play, the solution first.
    pub line: Vec<Move>,
    /// How many plies a `lookahead` player must look ahead to find the move, and to find it
    /// however much further it looks; none if the furthest of [`Puzzle::LADDER`] does not.
    pub depth: Option<u32>,
    /// The players of [`Puzzle::LADDER`] that miss it.
    pub missed_by: Vec<PlayerSpec>,
}

impl Puzzle {
    /// Plies ahead that the players look who are tried on a puzzle.
    pub const LADDER: RangeInclusive<u32> = 1..=8;

    /// The levels, from the easiest.
    pub const LEVELS: RangeInclusive<u8> = 1..=5;

    /// How hard it is: 1 to 4 if looking 2, 4, 6 or 8 plies ahead is enough, else 5.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.depth.map_or(*Self::LEVELS.end(), |depth| depth.div_ceil(2) as u8)
    }
}

/// Why no puzzle was made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The solver cannot be asked.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The stop flag was set.
    #[error("it was stopped")]
    Stopped,
    /// A player of the ladder cannot play this game.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// The puzzle of a random game, if it has one: the same for the same seed and number. Positions
/// that the budget does not suffice for are passed over.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::Rules;
/// use fourfold::play::puzzle;
/// use fourfold::solver::{Solver, SolverOptions};
///
/// let rules: Rules = "5x4c4".parse().unwrap();
/// let mut solver = Solver::new(&rules, SolverOptions::default()).unwrap();
/// let budget = || Budget::unlimited().with_nodes(100_000);
/// let found = (0..1000)
///     .find_map(|number| puzzle(&mut solver, 6..=14, 1, number, &budget()).unwrap())
///     .unwrap();
/// let best = found.columns.iter().map(|column| column.score.signum()).max().unwrap();
/// assert_eq!(found.columns.iter().filter(|column| column.score.signum() == best).count(), 1);
/// ```
///
/// # Errors
/// If the solver lacks memory, or the stop flag is set.
pub fn puzzle(
    solver: &mut Solver,
    plies: RangeInclusive<u32>,
    seed: u64,
    number: u64,
    budget: &Budget,
) -> Result<Option<Puzzle>, PuzzleError> {
    let rules = *solver.rules();
    let mut random = Random::for_item(seed, number);
    let Some((position, moves)) = random_position(&rules, plies, &mut random) else {
        return Ok(None);
    };
    if !position.threatened_moves().is_empty() || position.legal_moves().len() < 2 {
        return Ok(None);
    }
    // What a position costs must not depend on those before it.
    solver.forget();
    let analysis = solver.analyse(&position, budget)?;
    if analysis.stopped == Some(Halt::Stopped) {
        return Err(PuzzleError::Stopped);
    }
    let Some(columns) = analysis.scores() else { return Ok(None) };
    let Some(best) = columns.iter().copied().max_by_key(|column| column.score) else {
        return Ok(None);
    };
    let keeping = columns.iter().filter(|column| column.score.signum() == best.score.signum());
    if best.score < 0 || keeping.count() != 1 {
        return Ok(None);
    }
    let after = position.play_unchecked(best.mv);
    let mut line = vec![best.mv];
    match solver.line(&after, budget) {
        Ok(found) => line.extend(found.moves),
        Err(SolveError::Unfinished { stop: Halt::Stopped, .. }) => {
            return Err(PuzzleError::Stopped);
        }
        Err(SolveError::Unfinished { .. }) => {}
        Err(why) => return Err(why.into()),
    }
    let (depth, missed_by) = climb(&position, best.mv)?;
    let (solution, verdict) = (best.mv, best.verdict);
    Ok(Some(Puzzle { moves, position, solution, verdict, columns, line, depth, missed_by }))
}

/// The depth from which on the ladder's players find a move, and those who miss it.
fn climb(
    position: &Position,
    solution: Move,
) -> Result<(Option<u32>, Vec<PlayerSpec>), PlayerError> {
    let (mut depth, mut missed) = (None, Vec::new());
    for plies in Puzzle::LADDER {
        let spec: PlayerSpec =
            format!("lookahead:{plies}").parse().expect("it is in the range of depths");
        let choice = spec.player(position.rules(), 0, &Budget::unlimited())?.choose(position)?;
        if choice.mv == solution {
            depth = depth.or(Some(plies));
        } else {
            depth = None;
            missed.push(spec);
        }
    }
    Ok((depth, missed))
}

/// A position from a game in which nobody wins while there is another move, with a number of discs
/// drawn from the range. None if the game ended before, or the side to move wins at once.
#[must_use]
pub fn random_position(
    rules: &Rules,
    plies: RangeInclusive<u32>,
    random: &mut Random,
) -> Option<(Position, Vec<Move>)> {
    let (first, last) = (*plies.start(), *plies.end());
    let discs = first + random.below(last.checked_sub(first)? as usize + 1) as u32;
    let mut position = Position::new(*rules);
    let mut moves = Vec::new();
    while position.ply() < discs {
        let wins = position.winning_moves();
        let mut quiet = position.legal_moves();
        quiet.retain(|mv| !wins.contains(mv));
        let mv = *random.pick(&quiet)?;
        moves.push(mv);
        position = position.play_unchecked(mv);
    }
    (!position.outcome().is_over() && !position.wins_at_once()).then_some((position, moves))
}
