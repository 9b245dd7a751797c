//! The course of a puzzle: the moves that are asked for, the replies to them, and best play to the
//! end of the game.
//!
//! A move is asked for only if no other keeps the result. The opponent gives the toughest reply: one
//! that holds out longest, and of those one after which again a single move keeps the result.

use super::{PuzzleError, Theme, ends_in_zugzwang};
use crate::budget::{Budget, Halt};
use crate::game::{Move, Position};
use crate::score::Verdict;
use crate::solver::{AnalysisOptions, MoveScore, SolveError, Solver};

/// The most moves that are asked for.
pub const MOST_ASKED: usize = 3;

/// With fewer moves to choose from there is nothing to find.
const LEAST_MOVES: usize = 3;

/// When only the winning disc is missing, the win takes this many plies, the last move asked for
/// included: nothing is left to find.
const PLAIN_WIN: Verdict = Verdict::Win { plies: Some(3) };

/// How a puzzle goes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Course {
    /// From the position to the end of the game. The moves asked for are the first, third and fifth
    /// of it, as many as there are.
    pub line: Vec<Move>,
    /// How many moves are asked for, from 1 to [`MOST_ASKED`].
    pub asked: usize,
    /// What the puzzle is about; never [`Theme::Zugzwang`].
    pub theme: Theme,
    /// Whether it is about zugzwang too.
    pub zugzwang: bool,
}

/// The puzzle that a position is, if it is one: nobody can win at once, there is nothing to block,
/// and exactly one of at least three moves keeps the win or the draw. None as well if the budget
/// does not suffice to say so.
///
/// # Errors
/// If the stop flag is set, or the position is of another game than the solver.
pub fn course(
    solver: &mut Solver,
    position: &Position,
    budget: &Budget,
) -> Result<Option<Course>, PuzzleError> {
    let quiet = !position.wins_at_once() && position.threatened_moves().is_empty();
    if !quiet || position.legal_moves().len() < LEAST_MOVES {
        return Ok(None);
    }
    // What a position costs must not depend on those before it.
    solver.forget();
    match (Finder { solver, budget: budget.part() }).course(position) {
        Err(SolveError::Unfinished { stop: Halt::Stopped, .. }) => Err(PuzzleError::Stopped),
        Err(SolveError::Unfinished { .. }) => Ok(None),
        found => Ok(found?),
    }
}

struct Finder<'a> {
    solver: &'a mut Solver,
    budget: Budget,
}

impl Finder<'_> {
    fn course(&mut self, position: &Position) -> Result<Option<Course>, SolveError> {
        let Some(mut only) = self.only_move(position)? else { return Ok(None) };
        let (mut at, mut line, mut forced) = (*position, Vec::new(), Vec::new());
        loop {
            line.push(only.mv);
            forced.push(!at.threatened_moves().is_empty());
            let after = at.play_unchecked(only.mv);
            if only.verdict == PLAIN_WIN || forced.len() == MOST_ASKED {
                break;
            }
            let Some((reply, next)) = self.toughest(&after)? else { break };
            line.push(reply);
            (at, only) = (after.play_unchecked(reply), next);
        }
        let complete = only.verdict == PLAIN_WIN;
        // To end with a threat that is merely blocked would be dull.
        while !complete && forced.last() == Some(&true) {
            forced.pop();
            line.truncate(line.len().saturating_sub(2));
        }
        let asked = forced.len();
        let after = line.iter().fold(*position, |position, &mv| position.play_unchecked(mv));
        line.extend(self.solver.line(&after, &self.budget)?.moves);
        let draw = only.verdict == Verdict::Draw;
        let theme = match (draw, complete) {
            (true, _) => Theme::Defend,
            (false, true) => Theme::of_win(asked + 1),
            (false, false) => Theme::OnlyMove,
        };
        let zugzwang = if draw {
            self.all_others_lose_by_zugzwang(position, line[0])?
        } else {
            ends_in_zugzwang(position, &line)
        };
        Ok(Some(Course { line, asked, theme, zugzwang }))
    }

    /// The only move that keeps the win or the draw, with its exact result.
    fn only_move(&mut self, position: &Position) -> Result<Option<MoveScore>, SolveError> {
        let options = AnalysisOptions::default().with_weak(true);
        let analysis = self.solver.analyse_with(position, options, &self.budget, |_| ())?;
        let moves = analysis.complete()?;
        let most = moves.iter().map(|found| found.score.signum()).max();
        let mut keeping = moves.iter().filter(|found| Some(found.score.signum()) == most);
        let (Some(&only), None) = (keeping.next(), keeping.next()) else { return Ok(None) };
        match only.score.signum() {
            ..0 => Ok(None),
            0 => Ok(Some(only)),
            _ => {
                let after = self.solver.solve(&position.play_unchecked(only.mv), &self.budget)?;
                let verdict = after.verdict.one_move_before();
                Ok(Some(MoveScore { verdict, score: -after.score, ..only }))
            }
        }
    }

    /// The toughest reply, and the only move that keeps the result after it; none if every reply
    /// as tough leaves a choice.
    fn toughest(&mut self, after: &Position) -> Result<Option<(Move, MoveScore)>, SolveError> {
        let analysis = self.solver.analyse(after, &self.budget)?;
        let mut replies = analysis.complete()?;
        let best = replies.iter().map(|reply| reply.score).max();
        replies.retain(|reply| Some(reply.score) == best);
        replies.sort_by_key(|reply| (reply.mv.off_centre(after.rules()), reply.mv));
        let mut block = None;
        for MoveScore { mv, .. } in replies {
            let next = after.play_unchecked(mv);
            let Some(only) = self.only_move(&next)? else { continue };
            if next.threatened_moves().is_empty() {
                return Ok(Some((mv, only)));
            }
            block = block.or(Some((mv, only)));
        }
        Ok(block)
    }

    fn all_others_lose_by_zugzwang(
        &mut self,
        position: &Position,
        only: Move,
    ) -> Result<bool, SolveError> {
        for mv in position.legal_moves().into_iter().filter(|&mv| mv != only) {
            let after = position.play_unchecked(mv);
            let line = self.solver.line(&after, &self.budget)?;
            if !ends_in_zugzwang(&after, &line.moves) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
