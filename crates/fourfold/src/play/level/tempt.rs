//! Traps: of equally good moves, the one after which the opponent errs most easily.
//!
//! The exact results of all replies are known, so it is known which replies give something away. A
//! few players from level 3 to level 9 are asked, in thought, what they would reply; the move after
//! which most of them err is the best trap. They are asked with the same luck after every move, so
//! that moves are compared and not luck.

use super::judge::Judge;
use super::{Candidate, LEVELS, Skill, Style};
use crate::budget::Budget;
use crate::game::{Move, Position, Rules};
use crate::play::{Choice, PlayerError, Thinking};
use crate::random::Random;
use crate::score::Verdict;
use crate::solver::{MoveScore, SolveError, Solver};

/// The levels that are asked, and how often each.
const ASKED: [u8; 4] = [3, 5, 7, 9];
const TIMES: u64 = 24;

/// Players that are asked.
const PLAYERS: u32 = ASKED.len() as u32 * TIMES as u32;

/// Nodes that may be spent on what happens a move later.
const FURTHER_NODES: u64 = 1_000_000;

/// What the players that are asked would do in a position.
#[derive(Debug, Default)]
struct Replies {
    /// How many give away a win or a draw.
    errors: u32,
    /// The positions after the replies of all others, and how many of them reply so.
    keeping: Vec<(Position, u32)>,
}

/// Picks tempting moves in one game.
#[derive(Debug)]
pub(in crate::play) struct Tempter {
    judge: Judge,
}

impl Tempter {
    pub(in crate::play) fn new(rules: &Rules) -> Self {
        Self { judge: Judge::new(rules) }
    }

    /// The best move, and of equally good ones the best trap; of equal traps the first of `order`.
    /// Won games are still won as soon as possible, lost ones lost as late as possible.
    ///
    /// # Errors
    /// If the game is over or the budget ends before every result is known.
    pub(in crate::play) fn choose(
        &self,
        solver: &mut Solver,
        position: &Position,
        order: &[Move],
        budget: &Budget,
    ) -> Result<Choice, PlayerError> {
        let budget = &budget.part();
        let scores = solver.analyse(position, budget)?.complete()?;
        let most = scores.iter().map(|found| found.score).max().ok_or(PlayerError::GameOver)?;
        let equal: Vec<&MoveScore> = order
            .iter()
            .filter_map(|mv| scores.iter().find(|found| found.mv == *mv && found.score == most))
            .collect();
        let (mut found, mut after) = (None, Vec::new());
        // A single move needs no comparison, and nobody errs after a win.
        let won = |found: &&MoveScore| found.verdict == Verdict::Win { plies: Some(1) };
        if equal.len() == 1 || equal.first().is_some_and(won) {
            found = equal.first().copied();
        } else {
            for found in &equal {
                after.push(self.replies(solver, &position.play_unchecked(found.mv), budget)?);
            }
        }
        if found.is_none() {
            let part = budget.part().with_nodes(FURTHER_NODES);
            let mut worth: Vec<u32> = after.iter().map(|replies| replies.errors).collect();
            // What the opponent may fall for a move later counts too, if it is quick to find out.
            let further: Result<Vec<u32>, PlayerError> =
                after.iter().map(|replies| self.errors_later(solver, replies, &part)).collect();
            match further {
                Ok(further) => worth = further,
                Err(PlayerError::Solver(SolveError::Unfinished { .. })) if !budget.is_stopped() => {
                }
                Err(why) => return Err(why),
            }
            let most = worth.iter().max();
            let first = worth.iter().position(|worth| Some(worth) == most);
            found = first.map(|first| equal[first]);
        }
        let found = found.ok_or(PlayerError::GameOver)?;
        let thinking = Thinking::new(found.verdict, position.empty(), budget.spent(), 0);
        Ok(Choice::unthinking(found.mv).with_thinking(Some(thinking)))
    }

    /// What the players that are asked would reply.
    fn replies(
        &self,
        solver: &mut Solver,
        position: &Position,
        budget: &Budget,
    ) -> Result<Replies, PlayerError> {
        if position.outcome().is_over() {
            return Ok(Replies::default());
        }
        let scores = solver.analyse(position, budget)?.complete()?;
        let outcome = |found: &MoveScore| found.score.signum();
        let most = scores.iter().map(outcome).max().unwrap_or(0);
        let mut replies = Replies::default();
        let keeps = |found: &MoveScore| outcome(found) == most;
        let mut chosen = vec![0; scores.len()];
        for level in ASKED {
            let skill = LEVELS[usize::from(level) - 1];
            for time in 0..TIMES {
                let mut random = Random::for_item(u64::from(level), time);
                if let Some(index) = self.reply(position, &scores, &skill, &mut random) {
                    chosen[index] += 1;
                }
            }
        }
        for (found, times) in scores.iter().zip(chosen) {
            if !keeps(found) {
                replies.errors += times;
            } else if times > 0 {
                replies.keeping.push((position.play_unchecked(found.mv), times));
            }
        }
        Ok(replies)
    }

    /// How many of the players that are asked err with this reply or, after the best trap for those
    /// who do not, with the next; in parts of one.
    fn errors_later(
        &self,
        solver: &mut Solver,
        replies: &Replies,
        budget: &Budget,
    ) -> Result<u32, PlayerError> {
        let mut errors = replies.errors * PLAYERS;
        for (position, times) in &replies.keeping {
            if position.outcome().is_over() {
                continue;
            }
            let scores = solver.analyse(position, budget)?.complete()?;
            let most = scores.iter().map(|found| found.score).max().unwrap_or(0);
            let mut best = 0;
            for found in scores.iter().filter(|found| found.score == most) {
                let after = position.play_unchecked(found.mv);
                best = best.max(self.replies(solver, &after, budget)?.errors);
            }
            errors += times * best;
        }
        Ok(errors)
    }

    /// What a player of this skill would choose.
    fn reply(
        &self,
        position: &Position,
        replies: &[MoveScore],
        skill: &Skill,
        random: &mut Random,
    ) -> Option<usize> {
        let glances = self.judge.glances(position, skill, &Style::PLAIN, random);
        let seen = |(mv, glance): (Move, i32)| {
            let index = replies.iter().position(|found| found.mv == mv)?;
            let found = &replies[index];
            let plies = found.verdict.plies().unwrap_or(position.empty());
            let certain = skill.alert && plies <= 2;
            let seen = certain || skill.reaches(plies * 100, random.next_u64() >> 32);
            let candidate = Candidate { mv, seen: seen.then_some(found.verdict), glance };
            Some((candidate.worth(), index))
        };
        let found = glances.into_iter().filter_map(seen).max_by_key(|(worth, _)| *worth);
        found.map(|(_, index)| index)
    }
}
