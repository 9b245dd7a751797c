//! Books: exact scores of every position with few discs.

use super::index::Index;
use super::pons::Pons;
use crate::bytes::crc64;
use crate::game::{Outcome, Position, Rules, Symmetry};
use crate::parts::Part;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// The magic bytes at the start of every book.
const MAGIC: [u8; 8] = *b"FOURFOLD";
const VERSION: u16 = 1;
/// Magic, version, plies, game.
pub(super) const HEADER: usize = 8 + 2 + 2 + GAME;
/// The game's text, filled up with zero bytes.
const GAME: usize = 20;
const CHECKSUM: usize = 8;

/// The score that no position has: the place of one that never comes up, or whose game is over.
pub(super) const ABSENT: i8 = i8::MIN;

/// The book that comes with the library. A test reads it, so it can be read.
static EMBEDDED: LazyLock<Option<Arc<Book>>> =
    LazyLock::new(|| Book::read(&Part::Book.bytes()?).ok().map(Arc::new));

/// Exact scores of all positions of a game up to some number of discs.
///
/// ```
/// use fourfold::game::{Position, Rules};
/// use fourfold::book::Book;
///
/// # #[cfg(feature = "book")] {
/// let book = Book::embedded(&Rules::CONNECT_FOUR).expect("there is one for this game");
/// // The first player wins with the last disc but one of their own: on move 41.
/// assert_eq!(book.score(&Position::new(Rules::CONNECT_FOUR)), Some(1));
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Book {
    rules: Rules,
    plies: u32,
    store: Store,
}

#[derive(Debug, Clone)]
enum Store {
    Ranked { index: Index, scores: Vec<i8> },
    Pons(Pons),
}

/// Why bytes are not a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// Another kind of file.
    #[error(
        "this is not a book: it begins with neither Fourfold's mark nor the head of one of P. Pons' books"
    )]
    NotABook,
    /// Written by a newer version of the program.
    #[error("the book has version {found}; this program reads version {VERSION}")]
    Version {
        /// The version it has.
        found: u16,
    },
    /// The head does not say what game it is for, or one that cannot be.
    #[error("the book's head is damaged: {problem}")]
    Head {
        /// What is wrong with it.
        problem: String,
    },
    /// The length is not what the header promises.
    #[error(
        "a book of {game} to ply {plies} has {expected} bytes, this has {found}: it is cut short or not one book"
    )]
    Length {
        /// The game it says it is for.
        game: Rules,
        /// How far it says it reaches.
        plies: u32,
        /// Bytes there should be.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// Some byte is not what was written.
    #[error("the book is damaged: its checksum is {found:016x}, not {expected:016x}")]
    Checksum {
        /// What it says.
        expected: u64,
        /// What its bytes give.
        found: u64,
    },
    /// A score that no position of that game can have.
    #[error("the book holds a score of {score}, which no position of {game} has")]
    Score {
        /// The score.
        score: i32,
        /// The game.
        game: Rules,
    },
    /// The positions are too many to be numbered, or there is no such ply.
    #[error("a book of {game} cannot reach ply {plies}: {}", too_far(.game, *.plies))]
    TooLarge {
        /// The game.
        game: Rules,
        /// The plies asked for.
        plies: u32,
    },
}

fn too_far(game: &Rules, plies: u32) -> String {
    let cells = game.cells();
    match plies {
        plies if plies >= cells => format!("its board is full after {cells} moves"),
        plies if plies > super::index::MOST_PLIES => {
            format!("{} is the most", super::index::MOST_PLIES)
        }
        _ => "it would hold more than 4 294 967 296 scores".to_owned(),
    }
}

/// What a book says of the positions with some number of discs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlySummary {
    /// Positions up to symmetry, finished games left out.
    pub positions: u64,
    /// How many of them the side to move wins.
    pub won: u64,
    /// How many are drawn.
    pub drawn: u64,
    /// How many the side to move loses.
    pub lost: u64,
}

impl Book {
    /// The book for a game that comes with the library, if there is one: that of Connect Four,
    /// with the feature `book`, or where [`parts`](crate::parts) are brought.
    #[must_use]
    pub fn embedded(rules: &Rules) -> Option<Arc<Self>> {
        // Other games never have it brought.
        if *rules != Rules::CONNECT_FOUR {
            return None;
        }
        EMBEDDED.clone()
    }

    pub(super) fn of_scores(rules: Rules, index: Index, scores: Vec<i8>) -> Self {
        Self { rules, plies: index.plies(), store: Store::Ranked { index, scores } }
    }

    /// Reads a book, Fourfold's or one of P. Pons'.
    ///
    /// # Errors
    /// If the bytes are not a whole, undamaged book.
    pub fn read(bytes: &[u8]) -> Result<Self, BookError> {
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            let pons = Pons::read(bytes)?;
            return Ok(Self { rules: pons.rules(), plies: pons.plies(), store: Store::Pons(pons) });
        }
        let (rules, plies) = read_header(bytes, &MAGIC)?;
        let too_large = BookError::TooLarge { game: rules, plies };
        let size = Index::size(&rules, plies).ok_or_else(|| too_large.clone())?;
        // The length is looked at before anything is made, so a head that promises much costs
        // nothing.
        let expected = HEADER as u64 + size + CHECKSUM as u64;
        let found = bytes.len() as u64;
        if found != expected {
            return Err(BookError::Length { game: rules, plies, expected, found });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        let expected = u64::from_le_bytes(checksum.try_into().unwrap_or_default());
        let found = crc64(content);
        if found != expected {
            return Err(BookError::Checksum { expected, found });
        }
        let index = Index::new(&rules, plies).ok_or(too_large)?;
        let scores: Vec<i8> = content[HEADER..].iter().map(|&byte| byte as i8).collect();
        let most = rules.cells().div_ceil(2);
        if let Some(&score) =
            scores.iter().find(|&&score| score != ABSENT && i32::from(score).unsigned_abs() > most)
        {
            return Err(BookError::Score { score: i32::from(score), game: rules });
        }
        Ok(Self::of_scores(rules, index, scores))
    }

    /// The book as bytes; none for one of P. Pons', which is only read.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let Store::Ranked { scores, .. } = &self.store else { return None };
        let mut bytes = header(&MAGIC, &self.rules, self.plies);
        bytes.extend(scores.iter().map(|&score| score as u8));
        bytes.extend(crc64(&bytes).to_le_bytes());
        Some(bytes)
    }

    /// The game it is for.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The most discs that positions in it have.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Whether it is one of P. Pons' books.
    #[must_use]
    pub fn is_pons(&self) -> bool {
        matches!(self.store, Store::Pons(_))
    }

    /// The exact score of a position, as [`crate::score::Verdict::distance_score`] counts it. None
    /// for positions with too many discs or of another game, for finished games, and for
    /// positions that no play leads to.
    #[inline]
    #[must_use]
    pub fn score(&self, position: &Position) -> Option<i32> {
        if *position.rules() != self.rules {
            return None;
        }
        match &self.store {
            Store::Ranked { .. } => {
                let (own, all) = position.bits();
                self.score_of(own, all)
            }
            Store::Pons(pons) => pons.score(position),
        }
    }

    /// The same for the discs of the side to move and all discs of a position of this game. Only
    /// Fourfold's own books answer.
    #[inline]
    pub(crate) fn score_of(&self, own: u128, all: u128) -> Option<i32> {
        let Store::Ranked { index, scores } = &self.store else { return None };
        let score = scores[index.of_discs(own, all)?];
        (score != ABSENT).then_some(i32::from(score))
    }

    /// What it says of each ply, from the empty board on. Goes through all its positions.
    #[must_use]
    pub fn summary(&self) -> Vec<PlySummary> {
        let mut level = vec![Position::new(self.rules)];
        let mut plies = Vec::new();
        for ply in 0..=self.plies {
            if ply > 0 {
                level = next_level(&level);
            }
            let mut summary = PlySummary { positions: level.len() as u64, ..PlySummary::default() };
            for score in level.iter().filter_map(|position| self.score(position)) {
                match score.signum() {
                    1 => summary.won += 1,
                    0 => summary.drawn += 1,
                    _ => summary.lost += 1,
                }
            }
            plies.push(summary);
        }
        plies
    }

    /// The unfinished positions with this many discs, one of each symmetry class; in the
    /// order of play.
    #[must_use]
    pub fn positions(&self, discs: u32) -> Vec<Position> {
        (0..discs).fold(vec![Position::new(self.rules)], |level, _| next_level(&level))
    }

    /// A position whose score is not the best that its moves lead to, if there is one: a book that
    /// was made rightly has none.
    #[must_use]
    pub fn inconsistency(&self) -> Option<Position> {
        let mut level = vec![Position::new(self.rules)];
        for ply in 0..=self.plies {
            let wrong = |position: &Position| match self.score(position) {
                None => true,
                Some(score) => {
                    ply < self.plies
                        && backed_up(position, |after| self.score(after)) != Some(score)
                }
            };
            if let Some(&position) = level.iter().find(|position| wrong(position)) {
                return Some(position);
            }
            level = next_level(&level);
        }
        None
    }
}

/// The unfinished positions one move on, one per symmetry class, in the order of play.
pub(super) fn next_level(level: &[Position]) -> Vec<Position> {
    let mut seen = HashSet::new();
    let mut next = Vec::new();
    for position in level {
        for mv in position.legal_moves() {
            let after = position.play_unchecked(mv).canonical();
            if seen.insert(after.key()) && !after.outcome().is_over() {
                next.push(after);
            }
        }
    }
    next
}

/// The score of an unfinished position from those of the positions that its moves lead to; none if
/// one of them is not known.
pub(super) fn backed_up(
    position: &Position,
    score: impl Fn(&Position) -> Option<i32>,
) -> Option<i32> {
    let mut best = i32::MIN;
    for mv in position.legal_moves() {
        let after = position.play_unchecked(mv);
        let value = match after.outcome() {
            Outcome::Won { .. } => (position.empty() as i32 + 1) / 2,
            Outcome::Drawn => 0,
            Outcome::Ongoing => -score(&after)?,
        };
        best = best.max(value);
    }
    Some(best)
}

/// Writes the score of a position and of all its symmetric images.
pub(super) fn put(index: &Index, scores: &mut [i8], position: &Position, score: i8) {
    for &symmetry in Symmetry::of(position.rules()) {
        if let Some(number) = index.of(&position.transform(symmetry)) {
            scores[number] = score;
        }
    }
}

pub(super) fn header(magic: &[u8; 8], rules: &Rules, plies: u32) -> Vec<u8> {
    let mut bytes = Vec::from(*magic);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((plies as u16).to_le_bytes());
    bytes.extend(rules.to_string().bytes().chain(std::iter::repeat(0)).take(GAME));
    bytes
}

/// The game and the plies that a head tells of.
pub(super) fn read_header(bytes: &[u8], magic: &[u8; 8]) -> Result<(Rules, u32), BookError> {
    let damaged = |problem: String| BookError::Head { problem };
    if bytes.get(..magic.len()) != Some(magic) {
        return Err(BookError::NotABook);
    }
    let Some(head) = bytes.get(..HEADER) else {
        return Err(damaged(format!("it is {} bytes long and ends after {}", HEADER, bytes.len())));
    };
    let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    if number(8) != VERSION {
        return Err(BookError::Version { found: number(8) });
    }
    let game = head[12..].split(|&byte| byte == 0).next().unwrap_or_default();
    let game = String::from_utf8_lossy(game);
    let rules: Rules =
        game.parse().map_err(|why| damaged(format!("it names the game '{game}': {why}")))?;
    if header(magic, &rules, u32::from(number(10))) != head {
        return Err(damaged(format!("it does not name the game {rules} as it should")));
    }
    Ok((rules, u32::from(number(10))))
}
