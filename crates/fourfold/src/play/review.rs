//! A game judged move by move by the exact solver.
//!
//! Every move is compared with the best there was: a *blunder* throws away a win or a draw, an
//! *inaccuracy* keeps the outcome but wins later or loses sooner than need be. The solver works
//! from the end of the game backwards, since what it proves of later positions helps with the
//! earlier ones.

use crate::budget::{Budget, Halt};
use crate::game::{Move, Position, Rules, Side};
use crate::score::Verdict;
use crate::solver::{MoveScore, SolveError, Solver};
#[cfg(feature = "json")]
use serde::Serialize;

/// What a move was worth, beside the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize), serde(rename_all = "snake_case"))]
pub enum Judgement {
    /// There was no other move.
    Forced,
    /// None was better.
    Best,
    /// The outcome was kept, but a win comes later or a loss sooner.
    Inaccuracy,
    /// A win or a draw was thrown away.
    Blunder,
}

impl Judgement {
    /// Of a move that leads to `played` when `best` was to be had, among so many moves.
    fn of(played: i32, best: i32, choices: usize) -> Self {
        if choices == 1 {
            Self::Forced
        } else if played == best {
            Self::Best
        } else if played.signum() == best.signum() {
            Self::Inaccuracy
        } else {
            Self::Blunder
        }
    }
}

/// One move of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveReview {
    /// Discs on the board before it.
    pub ply: u32,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// What is known of it; none if the solver did not get that far.
    pub found: Option<Findings>,
}

/// What the solver found about a move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Findings {
    /// What the best move leads to, for the side that moves.
    pub best: Verdict,
    /// What the move that was made leads to, for the same side.
    pub played: Verdict,
    /// The score of the best move.
    pub best_score: i32,
    /// The score of the move that was made.
    pub played_score: i32,
    /// Every move that reaches the best result.
    pub best_moves: Vec<Move>,
    /// Every legal move.
    pub columns: Vec<MoveScore>,
    /// What the move was worth.
    pub judgement: Judgement,
    /// Only one of several moves kept the outcome.
    pub only_move: bool,
    /// How best play goes on after a move that was not best: what is wrong with it. Empty if a
    /// limit was reached first.
    pub refutation: Vec<Move>,
    /// Best play instead of a move that was not best, the better move first. Empty if a limit was
    /// reached first.
    pub better: Vec<Move>,
}

/// A side's moves, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "json", derive(Serialize))]
#[non_exhaustive]
pub struct SideReview {
    /// Moves made.
    pub moves: u32,
    /// Moves that were judged.
    pub judged: u32,
    /// Judged moves at which the legal moves were not all equally good.
    pub choices: u32,
    /// How many of those choices were best.
    pub best: u32,
    /// Moves that kept the outcome, but not the distance.
    pub inaccuracies: u32,
    /// Moves that threw the outcome away.
    pub blunders: u32,
    /// Times when only one of several moves kept the outcome, and it was found.
    pub only_moves_found: u32,
}

impl SideReview {
    /// The share of choices that were best, from 0 to 1; none if nothing was to be chosen.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.choices > 0).then(|| f64::from(self.best) / f64::from(self.choices))
    }

    fn add(&mut self, review: &MoveReview) {
        self.moves += 1;
        let Some(found) = &review.found else { return };
        self.judged += 1;
        let mattered = found.best_moves.len() < found.columns.len();
        self.choices += u32::from(mattered);
        self.best += u32::from(mattered && found.judgement == Judgement::Best);
        self.inaccuracies += u32::from(found.judgement == Judgement::Inaccuracy);
        self.blunders += u32::from(found.judgement == Judgement::Blunder);
        self.only_moves_found += u32::from(found.only_move && found.judgement == Judgement::Best);
    }
}

/// A game, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Review {
    /// The game.
    pub rules: Rules,
    /// Its moves, in order.
    pub moves: Vec<MoveReview>,
    /// The first player's moves, counted.
    pub first: SideReview,
    /// The second player's.
    pub second: SideReview,
    /// Positions searched.
    pub nodes: u64,
    /// Why some moves are not judged, if that is so.
    pub stopped: Option<Halt>,
}

/// Why a game cannot be reviewed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// A move cannot be made.
    #[error("move {number}: {why}")]
    Move {
        /// From 1.
        number: usize,
        /// Why not.
        why: crate::game::PlayError,
    },
    /// The solver cannot be asked.
    #[error(transparent)]
    Solver(#[from] SolveError),
}

/// Judges the moves of a game from the empty board. The budget is for all of it together;
/// `progress` is called with how many moves are looked at and how many there are, the last moves
/// first. What a limit keeps from being judged has no findings; moves that need no search (a book
/// knows them, say) are judged even then, but not once the stop flag is set.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Rules, notation};
/// use fourfold::play::{Judgement, review};
/// use fourfold::solver::{Solver, SolverOptions};
///
/// let rules = Rules::TIC_TAC_TOE;
/// let mut solver = Solver::new(&rules, SolverOptions::default())?;
/// let moves = notation::parse_moves(&rules, "b2 b1 a1 c3").unwrap();
/// let game = review(&moves, &mut solver, &Budget::unlimited(), |_, _| ()).unwrap();
/// let judged = game.moves.iter().map(|mv| mv.found.as_ref().unwrap().judgement);
/// let judgements: Vec<_> = judged.collect();
/// assert_eq!(judgements, [Judgement::Best, Judgement::Blunder, Judgement::Best, Judgement::Best]);
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
///
/// # Errors
/// If the moves are not a game, or the solver is for another one.
pub fn review(
    moves: &[Move],
    solver: &mut Solver,
    budget: &Budget,
    mut progress: impl FnMut(usize, usize),
) -> Result<Review, ReviewError> {
    let mut done = 0;
    review_with(moves, solver, budget, |_| {
        done += 1;
        progress(done, moves.len());
    })
}

/// The same; `tell` hears what is found about each move, the last move first.
///
/// # Errors
/// If the moves are not a game, or the solver is for another one.
pub fn review_with(
    moves: &[Move],
    solver: &mut Solver,
    budget: &Budget,
    mut tell: impl FnMut(&MoveReview),
) -> Result<Review, ReviewError> {
    let rules = *solver.rules();
    let mut positions = vec![Position::new(rules)];
    for (index, &mv) in moves.iter().enumerate() {
        let next = positions[index]
            .play(mv)
            .map_err(|why| ReviewError::Move { number: index + 1, why })?;
        positions.push(next);
    }
    let mut work = Work { solver, budget: budget.part(), stopped: None };
    let mut reviewed = Vec::new();
    for (index, &mv) in moves.iter().enumerate().rev() {
        let position = &positions[index];
        let found =
            if work.stopped == Some(Halt::Stopped) { None } else { work.look_at(position, mv)? };
        let judged = MoveReview { ply: index as u32, side: position.to_move(), mv, found };
        tell(&judged);
        reviewed.push(judged);
    }
    reviewed.reverse();
    let (mut first, mut second) = (SideReview::default(), SideReview::default());
    for review in &reviewed {
        match review.side {
            Side::First => first.add(review),
            Side::Second => second.add(review),
        }
    }
    Ok(Review {
        rules,
        moves: reviewed,
        first,
        second,
        nodes: work.budget.spent(),
        stopped: work.stopped,
    })
}

/// The solver, what it may spend, and why it could not do everything.
struct Work<'a> {
    solver: &'a mut Solver,
    budget: Budget,
    stopped: Option<Halt>,
}

impl Work<'_> {
    /// The line of best play from a position; empty if the budget does not suffice for it.
    fn line(&mut self, position: &Position) -> Result<Vec<Move>, SolveError> {
        match self.solver.line(position, &self.budget) {
            Ok(line) => Ok(line.moves),
            Err(SolveError::Unfinished { stop, .. }) => {
                self.stopped = Some(stop);
                Ok(Vec::new())
            }
            Err(why) => Err(why),
        }
    }

    /// What the solver finds about a legal move; none if the budget does not suffice for it.
    fn look_at(&mut self, position: &Position, mv: Move) -> Result<Option<Findings>, SolveError> {
        let analysis = self.solver.analyse(position, &self.budget)?;
        self.stopped = analysis.stopped.or(self.stopped);
        let Some(columns) = analysis.scores() else { return Ok(None) };
        let best = columns.iter().copied().max_by_key(|column| column.score);
        let played = columns.iter().copied().find(|column| column.mv == mv);
        let (Some(best), Some(played)) = (best, played) else { return Ok(None) };
        let as_good = |column: &&MoveScore| column.score == best.score;
        let keeps = |column: &&MoveScore| column.score.signum() == best.score.signum();
        let judgement = Judgement::of(played.score, best.score, columns.len());
        let (mut refutation, mut better) = (Vec::new(), Vec::new());
        if matches!(judgement, Judgement::Inaccuracy | Judgement::Blunder) {
            refutation = self.line(&position.play_unchecked(mv))?;
            better = self.line(position)?;
        }
        Ok(Some(Findings {
            best: best.verdict,
            played: played.verdict,
            best_score: best.score,
            played_score: played.score,
            best_moves: columns.iter().filter(as_good).map(|column| column.mv).collect(),
            only_move: columns.len() > 1 && columns.iter().filter(keeps).count() == 1,
            columns,
            judgement,
            refutation,
            better,
        }))
    }
}
