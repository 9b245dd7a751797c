//! A look at one move: what can be seen of its result, as far ahead as the look reaches.

use super::{Judge, Skill, Style};
use crate::book::Book;
use crate::budget::Budget;
use crate::game::{Board, Move, Outcome, Position, Rules};
use crate::play::PlayerError;
use crate::score::Verdict;
use crate::solver::{SolveError, Solver, SolverOptions};

/// Lines are told apart by how hard they are to see only in results as near as this, in plies.
const NEAR: u32 = 9;

/// How much further away a line seems that the own disc below its last cell has opened, in percent
/// of its distance.
const HIDDEN_EFFORT: u32 = 30;

/// Nearer results are asked for first, so that a small node limit suffices for those.
const STAGES: [u32; 2] = [9, 17];

/// MiB for the solver's table. Part of what a level is: it decides what a node limit suffices for.
const TABLE_MIB: u32 = 4;

/// A solver that is made when it is first needed: low levels seldom do.
#[derive(Debug)]
pub(super) struct LateSolver {
    rules: Rules,
    solver: Option<Solver>,
}

impl LateSolver {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { rules: *rules, solver: None }
    }

    pub(super) fn get(&mut self) -> Result<&mut Solver, SolveError> {
        let solver = match self.solver.take() {
            Some(solver) => solver,
            None => {
                let options = SolverOptions::default().with_memory(TABLE_MIB);
                Solver::new(&self.rules, options)?.with_book(Book::embedded(&self.rules))
            }
        };
        Ok(self.solver.insert(solver))
    }

    /// Forgets what was searched.
    pub(super) fn forget(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.forget();
        }
    }
}

/// Looks at one move.
pub(super) struct Looker<'a> {
    pub(super) solver: &'a mut LateSolver,
    pub(super) judge: &'a Judge,
    pub(super) skill: &'a Skill,
    pub(super) style: &'a Style,
    pub(super) budget: &'a Budget,
    /// Below 2^32: how far this look happens to reach.
    pub(super) luck: u64,
}

impl Looker<'_> {
    /// The result of a move as far as it is noticed, for the side that makes it; none if nothing
    /// is.
    ///
    /// # Errors
    /// If the work was stopped. A node limit is no error.
    pub(super) fn look(
        &mut self,
        position: &Position,
        mv: Move,
    ) -> Result<Option<Verdict>, PlayerError> {
        let after = position.play_unchecked(mv);
        let least = if self.skill.alert { 2 } else { 0 };
        let reach = (least + 1..=position.empty())
            .take_while(|plies| self.skill.reaches(plies * 100, self.luck))
            .last()
            .unwrap_or(least);
        let Some(found) = self.result(&after, reach)? else { return Ok(None) };
        let plies = found.plies().unwrap_or(position.empty());
        let certain = self.skill.alert && plies <= 2;
        let effort = plies * self.effort(position, mv, found)?;
        Ok((certain || self.skill.reaches(effort, self.luck)).then_some(found))
    }

    /// The exact result of a move if the game ends within `reach` plies, the move itself included.
    fn result(&mut self, after: &Position, reach: u32) -> Result<Option<Verdict>, PlayerError> {
        match after.outcome() {
            Outcome::Ongoing => {}
            Outcome::Drawn => return Ok((reach > 0).then_some(Verdict::Draw)),
            Outcome::Won { .. } => {
                return Ok((reach > 0).then_some(Verdict::Win { plies: Some(1) }));
            }
        }
        // The opponent's next move needs no search.
        if reach >= 2 && after.wins_at_once() {
            return Ok(Some(Verdict::Loss { plies: Some(2) }));
        }
        let mut asked = 1;
        for stage in STAGES.into_iter().chain([u32::MAX]) {
            let plies = stage.min(reach).saturating_sub(1);
            if plies <= asked {
                break;
            }
            asked = plies;
            match self.solver.get()?.result_within(after, plies, self.budget) {
                Ok(Some(found)) => return Ok(Some(found.one_move_before())),
                Ok(None) => {}
                Err(SolveError::Unfinished { .. }) if !self.budget.is_stopped() => return Ok(None),
                Err(why) => return Err(why.into()),
            }
        }
        Ok(None)
    }

    /// How hard the end of the game is to see, in percent of its distance.
    fn effort(
        &mut self,
        position: &Position,
        mv: Move,
        found: Verdict,
    ) -> Result<u32, PlayerError> {
        let usual = 100;
        let Some(plies) = found.plies().filter(|&plies| plies <= NEAR) else { return Ok(usual) };
        let after = position.play_unchecked(mv);
        let board = Board::<u128>::of(position);
        if plies == 1 {
            let effort = self.judge.effort_of_line(board.own, 1 << mv.bit(), self.style);
            return Ok(effort.unwrap_or(usual));
        }
        if plies == 2 {
            let wins = after.winning_moves();
            let seen = wins.iter().filter_map(|reply| {
                let line =
                    self.judge.effort_of_line(board.opponent(), 1 << reply.bit(), self.style)?;
                Some(line + if opened(position, mv, *reply) { HIDDEN_EFFORT } else { 0 })
            });
            return Ok(seen.min().unwrap_or(usual));
        }
        // Further away: the line with which best play ends.
        let line = match self.solver.get()?.line(&after, self.budget) {
            Ok(line) => line.moves,
            Err(SolveError::Unfinished { .. }) if !self.budget.is_stopped() => return Ok(usual),
            Err(why) => return Err(why.into()),
        };
        let Some((&last, before)) = line.split_last() else { return Ok(usual) };
        let end = before.iter().fold(after, |position, &mv| position.play_unchecked(mv));
        let own = Board::<u128>::of(&end).own;
        let effort = self.judge.effort_of_line(own, 1 << last.bit(), self.style).unwrap_or(usual);
        let hidden = before.last().is_some_and(|&mv| opened(position, mv, last));
        Ok(effort + if hidden { HIDDEN_EFFORT } else { 0 })
    }
}

/// True if the disc of `mv` makes room for `next` on top of it.
fn opened(position: &Position, mv: Move, next: Move) -> bool {
    position.rules().gravity() && next.bit() == mv.bit() + 1
}
