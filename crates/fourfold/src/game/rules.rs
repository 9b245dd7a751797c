//! Rules as validated data: board size, what wins, and whether discs fall.

use super::{Cell, Move};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// What a player must own to win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// This many cells in a row: across, up, or on either diagonal.
    Line(u8),
    /// All cells of a square with this side, sides along the board's.
    Square(u8),
}

impl Shape {
    /// The length of the line or the side of the square.
    #[must_use]
    pub fn size(self) -> u8 {
        match self {
            Self::Line(n) | Self::Square(n) => n,
        }
    }

    /// How many cells a player needs for it.
    #[must_use]
    pub fn cells(self) -> u32 {
        match self {
            Self::Line(n) => u32::from(n),
            Self::Square(n) => u32::from(n) * u32::from(n),
        }
    }
}

/// Where a disc may be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placement {
    /// Discs fall to the lowest empty cell of a column.
    Gravity,
    /// Any empty cell.
    Free,
}

/// A game: every rule set is a value of this type, and every value of it can be played and won by
/// someone.
///
/// ```
/// use fourfold::game::{Rules, Shape};
///
/// let rules: Rules = "7x6c4".parse()?;
/// assert_eq!(rules, Rules::CONNECT_FOUR);
/// assert_eq!((rules.width(), rules.height(), rules.shape()), (7, 6, Shape::Line(4)));
/// assert_eq!("tictactoe".parse::<Rules>()?.to_string(), "3x3c3f");
/// assert_eq!(
///     "3x3c4".parse::<Rules>().unwrap_err().to_string(),
///     "nobody could ever win 3x3c4: a line of 4 does not fit on the board",
/// );
/// # Ok::<(), fourfold::game::RulesError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rules {
    width: u8,
    height: u8,
    shape: Shape,
    placement: Placement,
}

/// Why something is not a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The text is not of the form `WxHcN`.
    #[error(
        "{text:?} is not a game: write WIDTHxHEIGHT, then cN (a line of N) or sN (a square of side N), then f if \
         discs do not fall, as in 7x6c4, 7x6s2 or 3x3c3f; or a name: connect4, square, tictactoe"
    )]
    Syntax {
        /// What was given.
        text: String,
    },
    /// No columns or no rows.
    #[error("a board needs at least one column and one row, not {width}x{height}")]
    NoCells {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// More than 128 bits.
    #[error(
        "{width}x{height} is too large: width times (height + 1) is {}, and may be at most 128",
        u64::from(*.width) * (u64::from(*.height) + 1)
    )]
    TooLarge {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// A number of columns or rows that is larger than any board.
    #[error("{text:?} is too large: width times (height + 1) may be at most 128")]
    OffScale {
        /// The beginning of what was given.
        text: String,
    },
    /// A line or square of fewer than 2.
    #[error("the size to win must be at least 2, not {size}")]
    TooShort {
        /// The size asked for.
        size: u32,
    },
    /// No sequence of moves, however helpful both sides are, ends with a win.
    #[error("nobody could ever win {game}: {reason}")]
    Unwinnable {
        /// The game as text.
        game: String,
        /// What stands in the way.
        reason: String,
    },
}

/// Names that stand for rules.
const NAMES: [(&str, Rules); 3] = [
    ("connect4", Rules::CONNECT_FOUR),
    ("square", Rules::SQUARE),
    ("tictactoe", Rules::TIC_TAC_TOE),
];

impl Rules {
    /// Connect Four: 7 columns, 6 rows, four in a row.
    pub const CONNECT_FOUR: Self =
        Self { width: 7, height: 6, shape: Shape::Line(4), placement: Placement::Gravity };
    /// Connect 4 in a Square: a 2x2 square of one colour wins.
    pub const SQUARE: Self =
        Self { width: 7, height: 6, shape: Shape::Square(2), placement: Placement::Gravity };
    /// Tic-tac-toe: three in a row, any empty cell.
    pub const TIC_TAC_TOE: Self =
        Self { width: 3, height: 3, shape: Shape::Line(3), placement: Placement::Free };

    /// Checks and makes rules.
    ///
    /// # Errors
    /// If the board is empty or too large, the size to win is below 2, or nobody could ever win.
    pub fn new(
        width: u32,
        height: u32,
        shape: Shape,
        placement: Placement,
    ) -> Result<Self, RulesError> {
        check_board(width, height)?;
        if shape.size() < 2 {
            return Err(RulesError::TooShort { size: u32::from(shape.size()) });
        }
        let rules = Self { width: width as u8, height: height as u8, shape, placement };
        match rules.obstacle() {
            None => Ok(rules),
            Some(reason) => Err(RulesError::Unwinnable { game: rules.to_string(), reason }),
        }
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        u32::from(self.height)
    }

    /// What wins.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Where a disc may go.
    #[must_use]
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// True if discs fall.
    #[must_use]
    pub fn gravity(&self) -> bool {
        self.placement == Placement::Gravity
    }

    /// How many cells the board has.
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.width() * self.height()
    }

    /// Bits from one column to the next: the height and one sentinel.
    #[must_use]
    pub fn stride(&self) -> u32 {
        self.height() + 1
    }

    /// Bits the board takes with its sentinel row, at most 128.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.width() * self.stride()
    }

    /// The most moves a position can have: columns under gravity, else cells.
    #[must_use]
    pub fn most_moves(&self) -> u32 {
        if self.gravity() { self.width() } else { self.cells() }
    }

    /// Every move there could be, in the order in which moves are listed: columns from the left,
    /// each from the bottom; without gravity, cells row by row from the top left.
    pub(crate) fn move_order(&self) -> impl Iterator<Item = Move> + use<> {
        let rules = *self;
        let (width, height) = (self.width, self.height);
        (0..self.cells() as u8).map(move |k| {
            let cell = if rules.gravity() {
                Cell { column: k / height, row: k % height }
            } else {
                Cell { column: k % width, row: height - 1 - k / width }
            };
            Move::at(cell, &rules)
        })
    }

    /// The name people know the game by, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        NAMES.iter().find(|(_, rules)| rules == self).map(|(name, _)| *name)
    }

    /// How people call the game: its usual name, or its text form.
    #[must_use]
    pub fn title(&self) -> String {
        match self.name() {
            Some("connect4") => "Connect Four".to_owned(),
            Some("square") => "Connect 4 in a Square".to_owned(),
            Some("tictactoe") => "Tic-tac-toe".to_owned(),
            _ => self.to_string(),
        }
    }

    /// All names and the rules they stand for.
    #[must_use]
    pub fn names() -> &'static [(&'static str, Self)] {
        &NAMES
    }

    /// Why nobody could ever win, if so.
    fn obstacle(&self) -> Option<String> {
        let (width, height, size) = (self.width(), self.height(), u32::from(self.shape.size()));
        let fits = match self.shape {
            Shape::Line(_) => width.max(height) >= size,
            Shape::Square(_) => width.min(height) >= size,
        };
        if !fits {
            return Some(format!("{} does not fit on the board", self.shape));
        }
        let discs = self.cells().div_ceil(2);
        if discs < self.shape.cells() {
            return Some(format!(
                "{} takes {} discs and nobody has more than {discs}",
                self.shape,
                self.shape.cells()
            ));
        }
        if !self.winnable_in_turns() {
            return Some(format!(
                "discs fall and players take turns, so {} always ends up with discs of both",
                self.shape
            ));
        }
        None
    }

    /// Can anyone ever win, given that the shape fits and there are discs enough?
    fn winnable_in_turns(&self) -> bool {
        let (width, height) = (self.width(), self.height());
        match (self.placement, self.shape) {
            // The winner takes the cells one by one while the other plays elsewhere: there is room
            // for that.
            (Placement::Free, _) => true,
            // A row at the bottom (the other drops on top, or beside it on a board of one row) or a
            // column (the other plays in a neighbour).
            (Placement::Gravity, Shape::Line(n)) => {
                let n = u32::from(n);
                (width >= n && (height >= 2 || width >= 2 * n - 1)) || (width >= 2 && height >= n)
            }
            (Placement::Gravity, Shape::Square(side)) => {
                let side = u32::from(side);
                // Room for the other's discs in the columns outside the square: certainly.
                (width - side) * height >= side * side - 1
                    || (0..=height - side).any(|row| {
                        (0..2).any(|winner| {
                            self.square_can_be_filled(side as usize, row as u8, winner)
                        })
                    })
            }
        }
    }

    /// Can `winner` (0 moves first) get all of the square whose lowest row is `row`, if both help?
    ///
    /// Only the heights of the square's columns and the number of discs elsewhere matter, so this
    /// is a search over few states. A win for anyone on the way is a win too.
    fn square_can_be_filled(&self, side: usize, row: u8, winner: u32) -> bool {
        let elsewhere = (self.width() - side as u32) * self.height();
        let square = row..row + side as u8;
        let mut seen = HashSet::new();
        let mut open = vec![(vec![0u8; side], 0u32)];
        while let Some((mut heights, outside)) = open.pop() {
            heights.sort_unstable();
            if heights[0] >= square.end {
                return true;
            }
            if !seen.insert((heights.clone(), outside)) {
                continue;
            }
            let ply = heights.iter().map(|&h| u32::from(h)).sum::<u32>() + outside;
            if outside < elsewhere {
                open.push((heights.clone(), outside + 1));
            }
            for column in 0..side {
                let height = heights[column];
                let allowed =
                    height < self.height && (!square.contains(&height) || ply % 2 == winner);
                if allowed {
                    let mut next = heights.clone();
                    next[column] += 1;
                    open.push((next, outside));
                }
            }
        }
        false
    }
}

/// Has a board of this size cells, and few enough?
fn check_board(width: u32, height: u32) -> Result<(), RulesError> {
    if width == 0 || height == 0 {
        Err(RulesError::NoCells { width, height })
    } else if u64::from(width) * (u64::from(height) + 1) > 128 {
        Err(RulesError::TooLarge { width, height })
    } else {
        Ok(())
    }
}

/// `a line of 4`, `a square of side 2`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(n) => write!(f, "a line of {n}"),
            Self::Square(n) => write!(f, "a square of side {n}"),
        }
    }
}

/// The text form: `7x6c4`, `7x6s2`, `3x3c3f`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.shape {
            Shape::Line(_) => 'c',
            Shape::Square(_) => 's',
        };
        let free = if self.gravity() { "" } else { "f" };
        write!(f, "{}x{}{letter}{}{free}", self.width, self.height, self.shape.size())
    }
}

/// The beginning of a text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    let mut start: String = text.chars().take(MOST).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let lower = text.to_ascii_lowercase();
        if let Some((_, rules)) = NAMES.iter().find(|(name, _)| *name == lower) {
            return Ok(*rules);
        }
        let syntax = || RulesError::Syntax { text: excerpt(text) };
        let (board, free) = match lower.strip_suffix('f') {
            Some(rest) => (rest, Placement::Free),
            None => (lower.as_str(), Placement::Gravity),
        };
        let (width, rest) = board.split_once('x').ok_or_else(syntax)?;
        let letter = rest.find(['c', 's']).ok_or_else(syntax)?;
        let (height, size) = (&rest[..letter], &rest[letter + 1..]);
        // None if it is larger than any number that matters here.
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| digits.parse::<u32>().ok()).ok_or_else(syntax)
        };
        let (width, height, number_to_win) = (number(width)?, number(height)?, number(size)?);
        let (Some(width), Some(height)) = (width, height) else {
            return Err(RulesError::OffScale { text: excerpt(text) });
        };
        let line = rest.as_bytes()[letter] == b'c';
        let Some(size) = number_to_win.and_then(|number| u8::try_from(number).ok()) else {
            // No board is that long. A `Shape` cannot hold the number, so the words are put
            // together here.
            check_board(width, height)?;
            let shape = if line { "a line of" } else { "a square of side" };
            let reason = format!("{shape} {} does not fit on the board", excerpt(size));
            return Err(RulesError::Unwinnable { game: excerpt(text), reason });
        };
        let shape = if line { Shape::Line(size) } else { Shape::Square(size) };
        Self::new(width, height, shape, free)
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Rules {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "json")]
impl<'de> serde::Deserialize<'de> for Rules {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
