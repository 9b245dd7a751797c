//! Books under construction.
//!
//! A [`Draft`] knows which positions have to be solved; when all are, it becomes a [`Book`]. Its
//! journal is an append-only file: a header, then one record of fixed size per solved position,
//! each with its own checksum. Incomplete records are skipped, so a build can be interrupted at any
//! moment and resumed.

use super::file::{
    ABSENT, Book, BookError, HEADER, backed_up, header, next_level, put, read_header,
};
use super::index::Index;
use crate::bytes::crc64;
use crate::game::{Position, Rules};
use std::collections::HashMap;

/// What every journal begins with.
const MAGIC: [u8; 8] = *b"FOURPART";
/// The index of the position (four bytes), its score, three zero bytes, and the checksum of all
/// that and of the header.
const RECORD: usize = 16;

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
    /// The journal is of another book.
    #[error("it is for {found} to ply {found_plies}, not for {game} to ply {plies}")]
    OtherBook {
        /// The game it was begun for.
        found: Rules,
        /// And how far.
        found_plies: u32,
        /// The game wanted.
        game: Rules,
        /// And how far.
        plies: u32,
    },
    /// Its bytes are not a journal.
    #[error(transparent)]
    NotAJournal(#[from] BookError),
}

/// What a journal holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// The game its book is for.
    pub rules: Rules,
    /// How far its book reaches.
    pub plies: u32,
    /// Records read.
    pub records: usize,
    /// Records skipped because they were damaged or incomplete.
    pub damaged: usize,
    /// The length of the journal up to its last whole record. Cut the file off here before adding
    /// to it.
    pub whole: usize,
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

    /// Imports the scores of a finished book.
    ///
    /// # Errors
    /// If it is of another game, reaches less far, or contradicts what is known.
    pub fn take_book(&mut self, book: &Book) -> Result<(), DraftError> {
        if (book.rules(), book.plies()) != (&self.rules, self.plies()) {
            let (game, plies) = (self.rules, self.plies());
            return Err(DraftError::OtherBook {
                found: *book.rules(),
                found_plies: book.plies(),
                game,
                plies,
            });
        }
        for position in self.needed().to_vec() {
            if let Some(score) = book.score(&position) {
                self.set(&position, score)?;
            }
        }
        Ok(())
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

    /// What a journal of this book begins with.
    #[must_use]
    pub fn journal_head(&self) -> Vec<u8> {
        let mut bytes = header(&MAGIC, &self.rules, self.plies());
        bytes.extend(crc64(&bytes).to_le_bytes());
        bytes
    }

    /// What a journal adds for a solved position; none for a position that this book has no place
    /// for.
    #[must_use]
    pub fn journal_record(&self, position: &Position, score: i32) -> Option<[u8; 16]> {
        let place = u32::try_from(self.index.of(&position.canonical())?).ok()?;
        Some(self.record(place, i8::try_from(score).ok()?))
    }

    fn record(&self, place: u32, score: i8) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        record[..4].copy_from_slice(&place.to_le_bytes());
        record[4] = score as u8;
        let mut checked = self.journal_head();
        checked.extend(&record[..8]);
        record[8..].copy_from_slice(&crc64(&checked).to_le_bytes());
        record
    }

    /// The game and the plies of the book that a journal is of.
    ///
    /// # Errors
    /// If the bytes are not a journal.
    pub fn of_journal(bytes: &[u8]) -> Result<(Rules, u32), BookError> {
        let (rules, plies) = read_header(bytes, &MAGIC)?;
        let found = crc64(&bytes[..HEADER]);
        let expected = bytes
            .get(HEADER..HEADER + 8)
            .map(|sum| u64::from_le_bytes(sum.try_into().unwrap_or_default()));
        match expected {
            Some(expected) if expected == found => Ok((rules, plies)),
            Some(expected) => Err(BookError::Checksum { expected, found }),
            None => Err(BookError::Head { problem: "its checksum is missing".to_owned() }),
        }
    }

    /// Imports the records of a journal of this book.
    ///
    /// # Errors
    /// If the bytes are not a journal, or of another book, or it contradicts what is known.
    pub fn take_journal(&mut self, bytes: &[u8]) -> Result<Journal, DraftError> {
        let (found, found_plies) = Self::of_journal(bytes)?;
        if (found, found_plies) != (self.rules, self.plies()) {
            let (game, plies) = (self.rules, self.plies());
            return Err(DraftError::OtherBook { found, found_plies, game, plies });
        }
        let places: HashMap<u32, Position> = self
            .needed()
            .iter()
            .filter_map(|position| Some((u32::try_from(self.index.of(position)?).ok()?, *position)))
            .collect();
        let start = HEADER + 8;
        let mut journal =
            Journal { rules: found, plies: found_plies, records: 0, damaged: 0, whole: start };
        for (number, record) in bytes[start..].chunks(RECORD).enumerate() {
            let place = record.first_chunk().map(|place| u32::from_le_bytes(*place));
            let score = record.get(4).map(|&score| score as i8);
            match place.zip(score) {
                Some((place, score)) if self.record(place, score) == *record => {
                    if let Some(position) = places.get(&place) {
                        self.set(position, i32::from(score))?;
                        journal.records += 1;
                    }
                    journal.whole = start + (number + 1) * RECORD;
                }
                _ => journal.damaged += 1,
            }
        }
        Ok(journal)
    }
}
