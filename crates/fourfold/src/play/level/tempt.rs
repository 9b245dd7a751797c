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
use crate::solver::{MoveScore, Solver};

/// The levels that are asked, and how often each.
const ASKED: [u8; 4] = [3, 5, 7, 9];
const TIMES: u64 = 24;

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
        let mut best = None;
        for found in &equal {
            // A single move needs no comparison, and nobody errs after a win.
            let errors = if equal.len() == 1 || found.verdict == (Verdict::Win { plies: Some(1) }) {
                0
            } else {
                let after = position.play_unchecked(found.mv);
                let replies = solver.analyse(&after, budget)?.complete()?;
                self.errors(&after, &replies)
            };
            if best.is_none_or(|(most, _)| errors > most) {
                best = Some((errors, *found));
            }
        }
        let (_, found) = best.ok_or(PlayerError::GameOver)?;
        let thinking = Thinking::new(found.verdict, position.empty(), budget.spent(), 0);
        Ok(Choice::unthinking(found.mv).with_thinking(Some(thinking)))
    }

    /// How many of the players that are asked give away a win or a draw.
    fn errors(&self, position: &Position, replies: &[MoveScore]) -> u32 {
        let outcome = |found: &MoveScore| found.score.signum();
        let most = replies.iter().map(outcome).max().unwrap_or(0);
        if replies.iter().all(|found| outcome(found) == most) {
            return 0;
        }
        let mut errors = 0;
        for level in ASKED {
            let skill = LEVELS[usize::from(level) - 1];
            for time in 0..TIMES {
                let mut random = Random::for_item(u64::from(level), time);
                let reply = self.reply(position, replies, &skill, &mut random);
                errors += u32::from(reply.is_some_and(|found| outcome(found) < most));
            }
        }
        errors
    }

    /// What a player of this skill would choose.
    fn reply<'a>(
        &self,
        position: &Position,
        replies: &'a [MoveScore],
        skill: &Skill,
        random: &mut Random,
    ) -> Option<&'a MoveScore> {
        let glances = self.judge.glances(position, skill, &Style::PLAIN, random);
        let seen = |(mv, glance): (Move, i32)| {
            let found = replies.iter().find(|found| found.mv == mv)?;
            let plies = found.verdict.plies().unwrap_or(position.empty());
            let certain = skill.alert && plies <= 2;
            let seen = certain || skill.reaches(plies * 100, random.next_u64() >> 32);
            let candidate = Candidate { mv, seen: seen.then_some(found.verdict), glance };
            Some((candidate.worth(), found))
        };
        let found = glances.into_iter().filter_map(seen).max_by_key(|(worth, _)| *worth);
        found.map(|(_, found)| found)
    }
}
