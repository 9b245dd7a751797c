//! Collections of puzzles as bytes, in a few per puzzle: `docs/puzzles.md` describes the format.
//!
//! Whatever is read is checked: the checksum, that every move can be played, and that the line
//! fits the theme. Whether the moves asked for are the only ones takes the solver, and a test.

use super::rating::STEP;
use super::{Course, MOST_ASKED, Theme, ends_in_zugzwang};
use crate::bytes::crc64;
use crate::game::notation::slot;
use crate::game::{Move, Outcome, Position, Rules};

/// The magic bytes at the start of every collection.
const MAGIC: [u8; 8] = *b"FFPUZZLE";
const VERSION: u16 = 1;
/// The game's text, filled up with zero bytes.
const GAME: usize = 20;
const CHECKSUM: usize = 8;

/// Bits of the numbers in a record; a move takes as many as the game's number of moves needs.
const PLY_BITS: u32 = 7;
const LINE_BITS: u32 = 7;
const ASKED_BITS: u32 = 2;
const THEME_BITS: u32 = 3;
const RATING_BITS: u32 = 8;

/// A puzzle with its measured difficulty.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RatedPuzzle {
    /// The moves that lead to the position.
    pub moves: Vec<Move>,
    /// The position.
    pub position: Position,
    /// How it goes from there.
    pub course: Course,
    /// The rating at which half of the tries succeed, on the scale of [`crate::play::LEVEL_ELO`].
    pub rating: u32,
}

impl RatedPuzzle {
    /// A puzzle that the moves lead to; none if they cannot be played.
    #[must_use]
    pub fn new(rules: Rules, moves: Vec<Move>, course: Course, rating: u32) -> Option<Self> {
        let position = Position::from_moves(rules, &moves).ok()?;
        Some(Self { moves, position, course, rating })
    }

    /// What it is about: one theme, or that and zugzwang.
    #[must_use]
    pub fn themes(&self) -> Vec<Theme> {
        let zugzwang = self.course.zugzwang.then_some(Theme::Zugzwang);
        std::iter::once(self.course.theme).chain(zugzwang).collect()
    }

    /// In how many moves it is won; none if a draw is to be kept.
    #[must_use]
    pub fn wins_in(&self) -> Option<usize> {
        (self.course.theme != Theme::Defend).then(|| self.course.line.len().div_ceil(2))
    }
}

/// The puzzles of one game, from the easiest to the hardest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The game.
    pub rules: Rules,
    /// The seed of the games that they come from.
    pub seed: u64,
    /// How many there are to be.
    pub wanted: u32,
    /// How many games have been searched for them.
    pub games: u64,
    /// The puzzles.
    pub puzzles: Vec<RatedPuzzle>,
}

/// Puzzles of several games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Collection {
    /// One section for each game.
    pub sections: Vec<Section>,
}

/// Why bytes are not a collection of puzzles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleFileError {
    /// Another kind of file.
    #[error("this is not a collection of puzzles: it does not begin with Fourfold's mark for one")]
    NotPuzzles,
    /// Written by a newer version of the program.
    #[error("the collection has version {found}; this program reads version {VERSION}")]
    Version {
        /// The version it has.
        found: u16,
    },
    /// Some byte is not what was written, or some are missing.
    #[error("the collection of puzzles is damaged or cut short: its checksum does not fit")]
    Checksum,
    /// The checksum fits, but a part of it makes no sense.
    #[error("section {section} of the collection makes no sense: {problem}")]
    Section {
        /// From 1.
        section: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl Collection {
    /// The section of a game, if there is one.
    #[must_use]
    pub fn section(&self, rules: &Rules) -> Option<&Section> {
        self.sections.iter().find(|section| section.rules == *rules)
    }

    /// As bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.sections.len() as u16).to_le_bytes());
        for section in &self.sections {
            section.write(&mut bytes);
        }
        bytes.extend(crc64(&bytes).to_le_bytes());
        bytes
    }

    /// From bytes.
    ///
    /// # Errors
    /// If they are no collection, a damaged one, or of a newer version.
    pub fn read(bytes: &[u8]) -> Result<Self, PuzzleFileError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(PuzzleFileError::NotPuzzles)?;
        let (&version, rest) = rest.split_first_chunk().ok_or(PuzzleFileError::Checksum)?;
        let found = u16::from_le_bytes(version);
        if found != VERSION {
            return Err(PuzzleFileError::Version { found });
        }
        let (rest, &sum) = rest.split_last_chunk().ok_or(PuzzleFileError::Checksum)?;
        if crc64(&bytes[..bytes.len() - CHECKSUM]) != u64::from_le_bytes(sum) {
            return Err(PuzzleFileError::Checksum);
        }
        let mut bits = Bits::new(rest);
        let count = bits.take(16).ok_or(PuzzleFileError::Checksum)? as usize;
        let mut sections = Vec::new();
        for number in 1..=count {
            let wrong = |problem| PuzzleFileError::Section { section: number, problem };
            let section = Section::read(&mut bits).map_err(wrong)?;
            if sections.iter().any(|other: &Section| other.rules == section.rules) {
                return Err(wrong(format!("there are two of {}", section.rules)));
            }
            sections.push(section);
        }
        if !bits.is_at_end() {
            let problem = "there is more after it".to_owned();
            return Err(PuzzleFileError::Section { section: count, problem });
        }
        Ok(Self { sections })
    }
}

impl Section {
    fn write(&self, bytes: &mut Vec<u8>) {
        let mut game = self.rules.to_string().into_bytes();
        game.resize(GAME, 0);
        bytes.extend(game);
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.wanted.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
        bytes.extend((self.puzzles.len() as u32).to_le_bytes());
        let width = move_bits(&self.rules);
        let mut records = BitWriter::default();
        for RatedPuzzle { moves, course, rating, .. } in &self.puzzles {
            records.put(moves.len() as u64, PLY_BITS);
            records.put(course.line.len() as u64, LINE_BITS);
            records.put(course.asked as u64, ASKED_BITS);
            records.put(course.theme as u64, THEME_BITS);
            records.put(course.zugzwang.into(), 1);
            records.put((rating / STEP).into(), RATING_BITS);
            for &mv in moves.iter().chain(&course.line) {
                records.put(slot(&self.rules, mv) as u64, width);
            }
        }
        bytes.extend(records.bytes);
    }

    fn read(bits: &mut Bits<'_>) -> Result<Self, String> {
        let short = || "it is cut short".to_owned();
        let mut take = |width| bits.take(width).ok_or_else(short);
        let mut game = Vec::new();
        for _ in 0..GAME {
            game.push(take(8)? as u8);
        }
        let text = String::from_utf8_lossy(&game);
        let rules: Rules =
            text.trim_end_matches('\0').parse().map_err(|why| format!("its game: {why}"))?;
        let (seed, wanted, games) = (take(64)?, take(32)? as u32, take(64)?);
        let count = take(32)?;
        let mut puzzles: Vec<RatedPuzzle> = Vec::new();
        for number in 1..=count {
            let puzzle = record(&rules, bits);
            let puzzle =
                puzzle.map_err(|problem| format!("puzzle {number} of {rules}: {problem}"))?;
            if puzzles.last().is_some_and(|last| last.rating > puzzle.rating) {
                return Err(format!("puzzle {number} of {rules} is easier than the one before"));
            }
            puzzles.push(puzzle);
        }
        bits.align();
        Ok(Self { rules, seed, wanted, games, puzzles })
    }
}

/// Bits that a move takes.
fn move_bits(rules: &Rules) -> u32 {
    (rules.most_moves() - 1).max(1).ilog2() + 1
}

/// Reads one puzzle.
fn record(rules: &Rules, bits: &mut Bits<'_>) -> Result<RatedPuzzle, String> {
    let mut take = |width| {
        bits.take(width).map(|value| value as usize).ok_or_else(|| "it is cut short".to_owned())
    };
    let (plies, length, asked) = (take(PLY_BITS)?, take(LINE_BITS)?, take(ASKED_BITS)?);
    let theme = take(THEME_BITS)?;
    let theme = *Theme::ALL.get(theme).ok_or_else(|| format!("there is no theme {theme}"))?;
    let zugzwang = take(1)? == 1;
    let rating = take(RATING_BITS)? as u32 * STEP;
    let width = move_bits(rules);
    let mut at = Position::new(*rules);
    let mut play = |take: &mut dyn FnMut(u32) -> Result<usize, String>| {
        let wanted = take(width)?;
        let mv = at.legal_moves().into_iter().find(|&mv| slot(rules, mv) == wanted);
        let mv = mv.ok_or_else(|| format!("move {} cannot be played", at.ply() + 1))?;
        at = at.play_unchecked(mv);
        Ok::<Move, String>(mv)
    };
    let moves = (0..plies).map(|_| play(&mut take)).collect::<Result<Vec<Move>, String>>()?;
    let line = (0..length).map(|_| play(&mut take)).collect::<Result<Vec<Move>, String>>()?;
    let fits = (1..=MOST_ASKED).contains(&asked)
        && line.len() + 1 >= 2 * asked
        && match (theme, at.outcome()) {
            (Theme::Defend, outcome) => outcome == Outcome::Drawn,
            (Theme::Zugzwang, _) => false,
            (Theme::OnlyMove, Outcome::Won { .. }) => line.len() % 2 == 1,
            (theme, Outcome::Won { .. }) => {
                line.len() == 2 * asked + 1 && theme == Theme::of_win(asked + 1)
            }
            _ => false,
        };
    if !fits {
        return Err("its line does not fit its theme".to_owned());
    }
    let course = Course { line, asked, theme, zugzwang };
    let puzzle = RatedPuzzle::new(*rules, moves, course, rating).ok_or("its moves")?;
    let by_zugzwang = ends_in_zugzwang(&puzzle.position, &puzzle.course.line);
    if theme != Theme::Defend && by_zugzwang != zugzwang {
        return Err("its line does not fit its theme".to_owned());
    }
    Ok(puzzle)
}

/// Numbers of any width, one after the other, the lowest bit first.
#[derive(Debug, Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits used of the last byte; 0 if it is full.
    used: u32,
}

impl BitWriter {
    fn put(&mut self, value: u64, width: u32) {
        for index in 0..width {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> index & 1) as u8) << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }
}

/// The same numbers, read.
#[derive(Debug)]
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bits<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn take(&mut self, width: u32) -> Option<u64> {
        let mut value = 0;
        for index in 0..width {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u64::from(byte >> (self.at % 8) & 1) << index;
            self.at += 1;
        }
        Some(value)
    }

    /// Goes on with the next whole byte.
    fn align(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }

    fn is_at_end(&self) -> bool {
        self.at == self.bytes.len() * 8
    }
}
