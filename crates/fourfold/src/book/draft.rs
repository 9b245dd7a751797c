//! Books under construction.
//!
//! A [`Draft`] knows which positions have to be solved; when all are, it becomes a [`Book`]. Who
//! solves them, and where their scores are kept meanwhile, is not its business.

use super::file::{ABSENT, Book, BookError, backed_up, next_level, put};
use super::index::Index;
use crate::game::{Position, Rules};

/// A book under construction.
#[derive(Debug, Clone)]
pub struct Draft {
    rules: Rules,
    index: Index,
    /// Positions by ply; the last ones are those to solve.
    levels: Vec<Vec<Position>>,
    scores: Vec<i8>,
    solved: usize,
}

/// Why a score does not fit a draft.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DraftError {
    /// The position has another score already.
    #[error("two different scores, {first} and {second}, for the position with key {key}")]
    Differs {
        /// The key of the position.
        key: String,
        /// One score.
        first: i32,
        /// Another.
        second: i32,
    },
    /// The position is not one of those to solve.
    #[error("the position with key {key} is not one that this book needs")]
    NotNeeded {
        /// The key of the position.
        key: String,
    },
    /// There are positions without a score.
    #[error("{missing} of {needed} positions are not solved yet")]
    Incomplete {
        /// How many are not solved.
        missing: usize,
        /// How many have to be.
        needed: usize,
    },
}

impl Draft {
    /// A book without any score yet.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn new(rules: &Rules, plies: u32) -> Result<Self, BookError> {
        let too_large = BookError::TooLarge { game: *rules, plies };
        let index = Index::new(rules, plies).ok_or(too_large)?;
        let mut levels = vec![vec![Position::new(*rules)]];
        for ply in 0..plies as usize {
            levels.push(next_level(&levels[ply]));
        }
        let scores = vec![ABSENT; index.len()];
        Ok(Self { rules: *rules, index, levels, scores, solved: 0 })
    }

    /// The game it is for.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How far the book will reach.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.index.plies()
    }

    /// All positions that have to be solved, in the order of play, one per symmetry class.
    #[must_use]
    pub fn needed(&self) -> &[Position] {
        self.levels.last().map_or(&[], Vec::as_slice)
    }

    /// How many of them are solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// Whether a position that has to be solved is.
    #[must_use]
    pub fn is_solved(&self, position: &Position) -> bool {
        self.score(position).is_some()
    }

    /// The score of a position, if it has one yet.
    #[must_use]
    pub fn score(&self, position: &Position) -> Option<i32> {
        let score = self.scores[self.index.of(position)?];
        (score != ABSENT).then_some(i32::from(score))
    }

    /// Adds the score of one of the positions to solve. Adding the same score again is harmless.
    ///
    /// # Errors
    /// If the position has another score.
    pub fn set(&mut self, position: &Position, score: i32) -> Result<(), DraftError> {
        let not_needed = || DraftError::NotNeeded { key: position.key().to_string() };
        if position.rules() != &self.rules || position.ply() != self.plies() {
            return Err(not_needed());
        }
        match self.score(position) {
            Some(known) if known == score => Ok(()),
            Some(known) => Err(DraftError::Differs {
                key: position.key().to_string(),
                first: known,
                second: score,
            }),
            None => {
                put(
                    &self.index,
                    &mut self.scores,
                    position,
                    i8::try_from(score).map_err(|_| not_needed())?,
                );
                self.solved += 1;
                Ok(())
            }
        }
    }

    /// The finished book, once everything is solved.
    ///
    /// # Errors
    /// If something is not.
    pub fn finish(mut self) -> Result<Book, DraftError> {
        let needed = self.needed().len();
        let missing = self.needed().iter().filter(|position| !self.is_solved(position)).count();
        if missing > 0 {
            return Err(DraftError::Incomplete { missing, needed });
        }
        for ply in (0..self.levels.len() - 1).rev() {
            for position in &self.levels[ply] {
                let score = backed_up(position, |after| self.score(after));
                let score = score.ok_or(DraftError::Incomplete { missing: 1, needed })?;
                put(&self.index, &mut self.scores, position, score as i8);
            }
        }
        Ok(Book::of_scores(self.rules, self.index, self.scores))
    }
}
