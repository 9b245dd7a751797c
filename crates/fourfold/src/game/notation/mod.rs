//! How positions and games are written down: reading and writing every format of the [`Format`]
//! table.
//!
//! Builds on the rules and positions only. A text is read in the format that is named, or else in
//! the only one that makes sense of it; what could be read in two ways is refused with the formats
//! to choose from. No input makes this code panic. Files, streams and headers are left to front
//! ends.
//!
//! ```
//! use fourfold::game::notation::{self, Format};
//!
//! let entry = notation::read("4453")?;
//! assert_eq!(notation::write(&entry, Format::Fen)?, "7/7/7/7/3o3/2oxx2 x");
//! let discs = notation::read("7/7/7/7/3o3/2oxx2 x")?;
//! assert_eq!((discs.position, discs.moves), (entry.position, None));
//! assert_eq!(notation::read("4444444").unwrap_err().to_string(), "move 7: column 4 is full");
//! # Ok::<(), fourfold::game::notation::NotationError>(())
//! ```

#[cfg(feature = "json")]
mod arrays;
mod bitboards;
mod cells;
mod columns;
mod csv;
mod detect;
mod error;
mod format;
#[cfg_attr(not(feature = "json"), path = "no_json.rs")]
mod json;
mod labelled;
#[cfg(feature = "json")]
mod ndjson;
mod rows;

pub use cells::parse_move;
pub use csv::{csv_header, is_csv_header};
pub use error::NotationError;
pub use format::{Format, UnknownFormat};
#[cfg(feature = "json")]
pub(crate) use json::json_problem;

use super::{Cell, Move, Position, Rules, Side};
use columns::Naming;
use std::borrow::Cow;
use std::str::FromStr;

/// Longer texts are refused: no format needs as much for the largest board.
pub const MOST_BYTES: usize = 1 << 16;

/// What a game is worth to the first player, as the UCI data set has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// The first player wins.
    Win,
    /// The first player loses.
    Loss,
    /// Nobody wins.
    Draw,
}

impl Class {
    /// `win`, `loss`, `draw`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
        }
    }
}

/// A position and what else a line of text may tell of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The position.
    pub position: Position,
    /// The moves that led to it, if the format keeps them.
    pub moves: Option<Vec<Move>>,
    /// Its score for the side to move.
    pub score: Option<i32>,
    /// The score of each move for the side that makes it, in the order of [`slot`]; none if the
    /// move cannot be made or its score is not known.
    pub scores: Option<Vec<Option<i32>>>,
    /// What it is worth to the first player.
    pub class: Option<Class>,
}

impl Entry {
    /// A position of which nothing else is known.
    #[must_use]
    pub fn of(position: Position) -> Self {
        Self { position, moves: None, score: None, scores: None, class: None }
    }

    /// The same with the moves that led to it.
    #[must_use]
    pub fn with_moves(self, moves: Vec<Move>) -> Self {
        Self { moves: Some(moves), ..self }
    }

    /// The same with its score for the side to move.
    #[must_use]
    pub fn with_score(self, score: i32) -> Self {
        Self { score: Some(score), ..self }
    }

    /// The same with the score of each move, in the order of [`slot`].
    #[must_use]
    pub fn with_scores(self, scores: Vec<Option<i32>>) -> Self {
        Self { scores: Some(scores), ..self }
    }

    /// The same with what it is worth to the first player.
    #[must_use]
    pub fn with_class(self, class: Class) -> Self {
        Self { class: Some(class), ..self }
    }

    /// The position that these moves lead to.
    ///
    /// # Errors
    /// [`NotationError::Move`] if one of them is not legal.
    pub fn of_moves(rules: &Rules, moves: &[Move]) -> Result<Self, NotationError> {
        let position = Position::from_moves(*rules, moves)
            .map_err(|(index, why)| NotationError::Move { number: index + 1, why })?;
        Ok(Self::of(position).with_moves(moves.to_vec()))
    }

    /// The moves, or some order that leads to the position.
    fn order(&self, format: Format) -> Result<Cow<'_, [Move]>, NotationError> {
        match &self.moves {
            Some(moves) => Ok(Cow::Borrowed(moves)),
            None => self
                .position
                .some_moves()
                .map(Cow::Owned)
                .map_err(|why| NotationError::NoOrder { format, why }),
        }
    }

    /// Checks that the moves lead to the position and the scores are scores of its moves: the
    /// fields are public, so they may contradict each other.
    ///
    /// # Errors
    /// [`NotationError::Inconsistent`], with what is wrong.
    pub fn check(&self) -> Result<(), NotationError> {
        let refuse = |part, problem| Err(NotationError::Inconsistent { part, problem });
        if let Some(moves) = &self.moves {
            match Position::from_moves(*self.position.rules(), moves) {
                Ok(reached) if reached == self.position => {}
                Ok(_) => return refuse("moves", "they lead elsewhere".to_owned()),
                Err((index, why)) => return refuse("moves", format!("move {}: {why}", index + 1)),
            }
        }
        self.score_problem().map_or(Ok(()), |problem| refuse("scores", problem))
    }
}

/// The place of a move in a list of scores: its column; without gravity, its cell, row by row from
/// the top left.
#[must_use]
pub fn slot(rules: &Rules, mv: Move) -> usize {
    let Cell { column, row } = mv.cell(rules);
    if rules.gravity() {
        usize::from(column)
    } else {
        (rules.height() as usize - 1 - usize::from(row)) * rules.width() as usize
            + usize::from(column)
    }
}

/// Reads one position, in the one format that makes sense of the text, of the game that the text
/// names or else of Connect Four. A [`Reader`] can be told the format and the game.
///
/// # Errors
/// As [`Reader::read`].
pub fn read(text: &str) -> Result<Entry, NotationError> {
    Reader::new().read(text)
}

/// What is known of a text before it is read: its format, its game, both or neither.
///
/// ```
/// use fourfold::game::Rules;
/// use fourfold::game::notation::{Format, Reader};
///
/// let tic_tac_toe = Reader::new().rules(&Rules::TIC_TAC_TOE);
/// assert_eq!(tic_tac_toe.read("b2 a1")?.position.ply(), 2);
/// let from_zero = Reader::new().format(Format::Zero);
/// assert_eq!(from_zero.read("3342")?.position, "4453".parse()?);
/// # Ok::<(), fourfold::game::notation::NotationError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Reader {
    format: Option<Format>,
    rules: Option<Rules>,
}

impl Reader {
    /// Nothing is known: the text is read in the one format that makes sense of it. Digits are
    /// columns from 1 (where discs fall), and an empty text is the empty board. The game is the one
    /// that the text names, or Connect Four.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads this format only; with `None`, the one that makes sense.
    #[must_use]
    pub fn format(self, format: impl Into<Option<Format>>) -> Self {
        Self { format: format.into(), ..self }
    }

    /// Reads positions of this game only, and refuses texts that name another; with `None`, of the
    /// game that the text names, or Connect Four.
    #[must_use]
    pub fn rules<'a>(self, rules: impl Into<Option<&'a Rules>>) -> Self {
        Self { rules: rules.into().copied(), ..self }
    }

    /// Reads one position.
    ///
    /// # Errors
    /// If the text does not make sense in the format, or not in exactly one, or is not a position
    /// that can be.
    pub fn read(&self, text: &str) -> Result<Entry, NotationError> {
        if text.len() > MOST_BYTES {
            return Err(NotationError::TooLong { bytes: text.len(), most: MOST_BYTES });
        }
        match self.format {
            Some(format) => read_as(text, format, self.rules.as_ref()),
            None => detect::read(text, self.rules.as_ref()),
        }
    }
}

/// As [`read()`] does.
impl FromStr for Entry {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        read(text)
    }
}

/// The position that [`notation::read`](read()) finds: of Connect Four unless the text names its
/// game.
///
/// ```
/// use fourfold::game::{Position, Rules};
///
/// let position: Position = "4455".parse()?;
/// assert_eq!(position.to_string().lines().last(), Some(". . . x x . ."));
/// assert_eq!("3x3c3f:3/1x1/3 o".parse::<Position>()?.rules(), &Rules::TIC_TAC_TOE);
/// # Ok::<(), fourfold::game::notation::NotationError>(())
/// ```
impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        read(text).map(|entry| entry.position)
    }
}

fn read_as(text: &str, format: Format, given: Option<&Rules>) -> Result<Entry, NotationError> {
    let rules = &given.copied().unwrap_or(Rules::CONNECT_FOUR);
    let game = |(position, moves)| Entry { moves: Some(moves), ..Entry::of(position) };
    match format {
        Format::Columns => columns::read(text, Naming::FromOne, rules).map(game),
        Format::Zero => columns::read(text, Naming::FromZero, rules).map(game),
        Format::Letters => columns::read(text, Naming::Letters, rules).map(game),
        Format::Cells => cells::read(text, rules).map(game),
        Format::Numbers => cells::read_numbers(text, rules).map(game),
        Format::Diagram => rows::read_diagram(text, rules).map(Entry::of),
        Format::Fen => rows::read_fen(text, given).map(Entry::of),
        Format::Bitboards => bitboards::read(text, rules).map(Entry::of),
        Format::Uci => labelled::read_uci(text, rules),
        Format::Pons => labelled::read_pons(text, rules),
        Format::Csv => csv::read(text, given),
        Format::Kaggle | Format::OpenSpiel | Format::PettingZoo | Format::Ndjson => {
            json::read(text, format, rules, given)
        }
    }
}

/// Writes one position.
///
/// Formats that list moves take the entry's, or if it has none, some order of moves that leads to
/// the position ([`Position::some_moves`]), which need not be the order in which the game was
/// played. What the format has no place for (scores, the class, the order) is left out.
///
/// # Errors
/// If the format cannot hold the game, needs a score or an order of moves that is not there, or the
/// entry contradicts itself.
pub fn write(entry: &Entry, format: Format) -> Result<String, NotationError> {
    let position = &entry.position;
    let rules = position.rules();
    format.check_game(rules)?;
    entry.check()?;
    Ok(match format {
        Format::Columns => columns::write(rules, &entry.order(format)?, Naming::FromOne),
        Format::Zero => columns::write(rules, &entry.order(format)?, Naming::FromZero),
        Format::Letters => columns::write(rules, &entry.order(format)?, Naming::Letters),
        Format::Cells => cells::write(rules, &entry.order(format)?),
        Format::Numbers => cells::write_numbers(rules, &entry.order(format)?),
        Format::Diagram => rows::write_diagram(position),
        Format::Fen => rows::write_fen(position),
        Format::Bitboards => bitboards::write(position),
        Format::Uci => labelled::write_uci(entry),
        Format::Pons => labelled::write_pons(entry, &entry.order(format)?)?,
        Format::Csv => csv::write(entry, &entry.order(format)?),
        Format::Kaggle | Format::OpenSpiel | Format::PettingZoo | Format::Ndjson => {
            json::write(entry, format)?
        }
    })
}

/// Moves as records and scripts have them: columns from 1 (with commas on boards of more than 9),
/// or cells with spaces where discs do not fall.
#[must_use]
pub fn moves_text(rules: &Rules, moves: &[Move]) -> String {
    if rules.gravity() {
        columns::write(rules, moves, Naming::FromOne)
    } else {
        cells::write(rules, moves)
    }
}

/// Reads what [`moves_text`] writes, and on 3x3 without gravity also the numbers of cells. The
/// moves are legal from the empty board on.
///
/// # Errors
/// If something is not a move, or cannot be played when its turn comes.
pub fn parse_moves(rules: &Rules, text: &str) -> Result<Vec<Move>, NotationError> {
    let digits = text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let read = match (rules.gravity(), digits && Format::Numbers.check_game(rules).is_ok()) {
        (true, _) => columns::read(text, Naming::FromOne, rules),
        (false, true) => cells::read_numbers(text, rules),
        (false, false) => cells::read(text, rules),
    };
    read.map(|(_, moves)| moves)
}

/// The game to read: the one that the text names, which must be the caller's if there is one; else
/// the caller's; else Connect Four.
fn settle(named: Option<Rules>, given: Option<&Rules>) -> Result<Rules, NotationError> {
    match (named, given) {
        (Some(named), Some(&given)) if named != given => {
            Err(NotationError::OtherGame { named, given })
        }
        (Some(named), _) => Ok(named),
        (None, Some(&given)) => Ok(given),
        (None, None) => Ok(Rules::CONNECT_FOUR),
    }
}

/// Discs being collected from a drawing of the board.
struct Discs {
    rules: Rules,
    first: u128,
    second: u128,
}

impl Discs {
    fn new(rules: Rules) -> Self {
        Self { rules, first: 0, second: 0 }
    }

    /// Adds a disc on a cell of the board.
    fn add(&mut self, cell: Cell, side: Side) {
        let bit = 1 << cell.bit(&self.rules);
        match side {
            Side::First => self.first |= bit,
            Side::Second => self.second |= bit,
        }
    }

    fn position(self) -> Result<Position, NotationError> {
        Ok(Position::from_discs(self.rules, self.first, self.second)?)
    }
}
