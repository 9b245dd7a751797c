//! Positions: two sets of discs under some rules, always reachable in shape, played and undone with
//! checks.

use super::symmetry::Symmetries;
use super::{Board, Cell, CellSet, Geometry, Move, Rules, Symmetry};
use std::fmt;

/// The two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Moves first; written `x`.
    First,
    /// Moves second; written `o`.
    Second,
}

impl Side {
    /// The other player.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// `x` for the first player, `o` for the second.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::First => 'x',
            Self::Second => 'o',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has a move.
    Ongoing,
    /// Somebody has completed a shape.
    Won {
        /// Who.
        by: Side,
        /// Every cell of every shape completed.
        cells: CellSet,
    },
    /// The board is full and nobody has won.
    Drawn,
}

impl Outcome {
    /// True unless the game goes on.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(self, Self::Ongoing)
    }
}

/// Why a move (or taking one back) is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The column is not on the board. Counted from 1, as people do.
    #[error("there is no column {column}: the board has columns 1 to {width}")]
    NoSuchColumn {
        /// From 1.
        column: u64,
        /// Columns there are.
        width: u32,
    },
    /// The column has no empty cell. Counted from 1.
    #[error("column {column} is full")]
    ColumnFull {
        /// From 1.
        column: u32,
    },
    /// The cell is not on the board.
    #[error("there is no cell {cell} on a board of {width}x{height}")]
    NoSuchCell {
        /// As given.
        cell: String,
        /// Columns there are.
        width: u32,
        /// Rows there are.
        height: u32,
    },
    /// The cell holds a disc already.
    #[error("cell {cell} is taken")]
    CellTaken {
        /// Which.
        cell: Cell,
    },
    /// Under gravity, the disc would not lie there.
    #[error("a disc in column {} falls to {lands}, not {cell}", .cell.column + 1)]
    WouldFall {
        /// The cell asked for.
        cell: Cell,
        /// Where it would fall.
        lands: Cell,
    },
    /// A column alone does not name a move where discs do not fall.
    #[error("discs do not fall in {game}: name a cell, such as a1, not a column")]
    NeedsCell {
        /// The game.
        game: Rules,
    },
    /// The game has ended.
    #[error("the game is over: {}", ending(*.winner))]
    GameOver {
        /// Who won, or nobody.
        winner: Option<Side>,
    },
    /// The cell to undo does not hold the last mover's disc, or another disc lies on it.
    #[error("{cell} cannot be taken back: {reason}")]
    NotLast {
        /// The cell.
        cell: Cell,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// How a game ended, in words.
fn ending(winner: Option<Side>) -> String {
    winner.map_or_else(|| "it is a draw".to_owned(), |side| format!("the {side} player has won"))
}

/// Why discs on a board are not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A disc outside the board.
    #[error("a disc lies outside the board (bit {bit} of {game})")]
    Outside {
        /// The bit.
        bit: u32,
        /// The game.
        game: Rules,
    },
    /// A cell that both players hold.
    #[error("{cell} holds a disc of both players")]
    Overlap {
        /// Where.
        cell: Cell,
    },
    /// A disc above an empty cell, with gravity.
    #[error("the disc on {cell} floats: {below} below it is empty")]
    Floating {
        /// The disc.
        cell: Cell,
        /// The empty cell.
        below: Cell,
    },
    /// The first player has as many discs as the second or one more; this is neither.
    #[error(
        "disc counts of {first} and {second} cannot come from taking turns: the first player has as many discs as the \
         second, or one more"
    )]
    DiscCounts {
        /// Discs of the first player.
        first: u32,
        /// Discs of the second.
        second: u32,
    },
    /// Both players hold a winning shape.
    #[error("both players have won, but the first win ends the game")]
    BothWon,
    /// The winner did not move last, so discs were played after the end.
    #[error("the {winner} player has won, but the {} player moved after that", .winner.other())]
    PlayedOn {
        /// Who had won.
        winner: Side,
    },
    /// Whichever disc was the last, the winner had won without it: shapes that share no disc, or
    /// that lie buried.
    #[error("the {winner} player had won before the last disc, whichever that was")]
    WonBefore {
        /// Who has won.
        winner: Side,
    },
}

/// A number (or pair) that tells positions of one game apart, finished ones included. No two share
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// All discs, for games without gravity; else 0.
    high: u128,
    /// Under gravity own + all discs (as P. Pons' solver does); else the discs of the side to
    /// move.
    low: u128,
}

impl Key {
    /// The pair; its first number is 0 in games with gravity, where the second is enough.
    #[must_use]
    pub fn parts(self) -> (u128, u128) {
        (self.high, self.low)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.high == 0 {
            write!(f, "{}", self.low)
        } else {
            write!(f, "{}-{}", self.high, self.low)
        }
    }
}

/// A position of some game: who has discs where, and so whose turn it is.
///
/// ```
/// use fourfold::game::{Outcome, Position, Rules, Side};
///
/// let mut position = Position::new(Rules::CONNECT_FOUR);
/// for column in [3, 3, 4, 2] {
///     position = position.play(position.drop_in(column)?)?;
/// }
/// assert_eq!(position.ply(), 4);
/// assert_eq!(position.to_move(), Side::First);
/// assert_eq!(position.outcome(), Outcome::Ongoing);
/// assert_eq!(position.to_string(), "\
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . o . . .
/// . . o x x . .");
/// # Ok::<(), fourfold::game::PlayError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    rules: Rules,
    /// The discs of the side to move.
    own: u128,
    all: u128,
}

impl Position {
    /// The empty board.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { rules, own: 0, all: 0 }
    }

    /// A position from the discs of each player, in the bit layout of [`crate::game`].
    ///
    /// # Errors
    /// If the discs cannot lie so. Whether some order of moves leads there is not asked; see
    /// [`crate::game::Position::some_moves`].
    pub fn from_discs(rules: Rules, first: u128, second: u128) -> Result<Self, SetupError> {
        let geometry = Geometry::<u128>::new(&rules);
        let outside = (first | second) & !geometry.cells();
        if outside != 0 {
            return Err(SetupError::Outside { bit: outside.trailing_zeros(), game: rules });
        }
        if first & second != 0 {
            let cell = Cell::from_bit((first & second).trailing_zeros(), &rules);
            return Err(SetupError::Overlap { cell });
        }
        let all = first | second;
        if rules.gravity() {
            let floating = all & !(all << 1 | geometry.bottom());
            if floating != 0 {
                let bit = floating.trailing_zeros();
                let (cell, below) = (Cell::from_bit(bit, &rules), Cell::from_bit(bit - 1, &rules));
                return Err(SetupError::Floating { cell, below });
            }
        }
        let (firsts, seconds) = (first.count_ones(), second.count_ones());
        if firsts != seconds && firsts != seconds + 1 {
            return Err(SetupError::DiscCounts { first: firsts, second: seconds });
        }
        let own = if firsts == seconds { first } else { second };
        let position = Self { rules, own, all };
        position.check_win(&geometry)?;
        Ok(position)
    }

    /// The same for discs that are known to lie so.
    pub(crate) fn from_discs_unchecked(rules: Rules, first: u128, second: u128) -> Self {
        let all = first | second;
        let own = if all.count_ones().is_multiple_of(2) { first } else { second };
        Self { rules, own, all }
    }

    /// If somebody has won, it must be the side that moved last, by a disc that could have been the
    /// last.
    fn check_win(&self, geometry: &Geometry<u128>) -> Result<(), SetupError> {
        let last = self.own ^ self.all;
        match (geometry.has_won(self.own), geometry.has_won(last)) {
            (_, false) if !geometry.has_won(self.own) => Ok(()),
            (true, true) => Err(SetupError::BothWon),
            (true, false) => Err(SetupError::PlayedOn { winner: self.to_move() }),
            (false, _) => {
                let mut candidates = self.removable(geometry) & last;
                while candidates != 0 {
                    let bit = candidates & candidates.wrapping_neg();
                    if !geometry.has_won(last ^ bit) {
                        return Ok(());
                    }
                    candidates ^= bit;
                }
                Err(SetupError::WonBefore { winner: self.to_move().other() })
            }
        }
    }

    /// Discs that nothing lies on.
    fn removable(&self, geometry: &Geometry<u128>) -> u128 {
        if self.rules.gravity() {
            // The sentinel row keeps the bottom of the next column out of it.
            self.all & !(self.all >> 1 & geometry.cells())
        } else {
            self.all
        }
    }

    /// The position after these moves from the empty board.
    ///
    /// # Errors
    /// The index of the first move that is refused, and why.
    pub fn from_moves(rules: Rules, moves: &[Move]) -> Result<Self, (usize, PlayError)> {
        moves.iter().enumerate().try_fold(Self::new(rules), |position, (index, &mv)| {
            position.play(mv).map_err(|why| (index, why))
        })
    }

    /// The game this is a position of.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many discs lie on the board.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.all.count_ones()
    }

    /// How many cells are empty.
    #[must_use]
    pub fn empty(&self) -> u32 {
        self.rules.cells() - self.ply()
    }

    /// Whose turn it is (or would be, had the game not ended).
    #[must_use]
    pub fn to_move(&self) -> Side {
        if self.ply().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// The discs of one side.
    #[must_use]
    pub fn discs(&self, side: Side) -> CellSet {
        CellSet::new(
            if side == self.to_move() { self.own } else { self.own ^ self.all },
            self.rules,
        )
    }

    /// Who has a disc on `cell`. A cell off the board holds none.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|&side| self.discs(side).contains(cell))
    }

    /// The discs of the side to move, and all discs.
    pub(crate) fn bits(&self) -> (u128, u128) {
        (self.own, self.all)
    }

    pub(super) fn geometry(&self) -> Geometry<u128> {
        Geometry::new(&self.rules)
    }

    fn board(&self) -> Board<u128> {
        Board { own: self.own, all: self.all }
    }

    /// How the game stands.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let geometry = self.geometry();
        let cells = geometry.winning_cells(self.own ^ self.all);
        if cells != 0 {
            Outcome::Won { by: self.to_move().other(), cells: CellSet::new(cells, self.rules) }
        } else if self.all == geometry.cells() {
            Outcome::Drawn
        } else {
            Outcome::Ongoing
        }
    }

    fn winner(&self) -> Option<Side> {
        self.board().is_won(&self.geometry()).then(|| self.to_move().other())
    }

    fn refuse_if_over(&self) -> Result<(), PlayError> {
        match self.outcome() {
            Outcome::Ongoing => Ok(()),
            _ => Err(PlayError::GameOver { winner: self.winner() }),
        }
    }

    /// The legal moves: columns from the left; without gravity, cells row by row from the top left.
    /// None once the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let geometry = self.geometry();
        if self.board().is_won(&geometry) {
            return Vec::new();
        }
        let mut playable = geometry.playable(self.all);
        if !self.rules.gravity() {
            return self.rules.move_order().filter(|mv| playable >> mv.bit() & 1 == 1).collect();
        }
        // One bit a column, and columns from the left are bits from the lowest.
        let mut moves = Vec::with_capacity(self.rules.width() as usize);
        while playable != 0 {
            moves.push(Move::from_bit(playable.trailing_zeros()));
            playable &= playable - 1;
        }
        moves
    }

    /// The legal moves that win at once.
    #[must_use]
    pub fn winning_moves(&self) -> Vec<Move> {
        let winning = self.board().winning_moves(&self.geometry());
        self.legal_moves().into_iter().filter(|mv| winning >> mv.bit() & 1 == 1).collect()
    }

    /// Is there a legal move that wins at once?
    #[must_use]
    pub fn wins_at_once(&self) -> bool {
        let geometry = self.geometry();
        let board = self.board();
        board.winning_moves(&geometry) != 0 && !board.is_won(&geometry)
    }

    /// The legal moves with which the opponent would win at once, were it their turn: those to
    /// block.
    #[must_use]
    pub fn threatened_moves(&self) -> Vec<Move> {
        let threats = self.geometry().completing(self.own ^ self.all);
        self.legal_moves().into_iter().filter(|mv| threats >> mv.bit() & 1 == 1).collect()
    }

    /// The move that drops a disc into `column` (from 0).
    ///
    /// # Errors
    /// If there is no such column, it is full, the game is over, or discs do not fall.
    pub fn drop_in(&self, column: u32) -> Result<Move, PlayError> {
        if !self.rules.gravity() {
            return Err(PlayError::NeedsCell { game: self.rules });
        }
        if column >= self.rules.width() {
            let (column, width) = (u64::from(column) + 1, self.rules.width());
            return Err(PlayError::NoSuchColumn { column, width });
        }
        self.refuse_if_over()?;
        let geometry = self.geometry();
        let lands = geometry.playable(self.all) & geometry.column(column);
        if lands == 0 {
            return Err(PlayError::ColumnFull { column: column + 1 });
        }
        Ok(Move::from_bit(lands.trailing_zeros()))
    }

    /// The move that puts a disc on `cell`.
    ///
    /// # Errors
    /// If the cell is off the board or taken, the disc would fall further, or the game is over.
    pub fn place(&self, cell: Cell) -> Result<Move, PlayError> {
        if !cell.is_on_board(&self.rules) {
            let (width, height) = (self.rules.width(), self.rules.height());
            return Err(PlayError::NoSuchCell { cell: cell.to_string(), width, height });
        }
        self.refuse_if_over()?;
        let mv = Move::at(cell, &self.rules);
        let geometry = self.geometry();
        let playable = geometry.playable(self.all);
        if playable >> mv.bit() & 1 == 1 {
            Ok(mv)
        } else if self.all >> mv.bit() & 1 == 1 {
            Err(PlayError::CellTaken { cell })
        } else {
            let lands = (playable & geometry.column(u32::from(cell.column))).trailing_zeros();
            Err(PlayError::WouldFall { cell, lands: Cell::from_bit(lands, &self.rules) })
        }
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is not legal here.
    pub fn play(self, mv: Move) -> Result<Self, PlayError> {
        self.place(mv.cell(&self.rules)).map(|mv| self.play_unchecked(mv))
    }

    /// The position after a move that is known to be legal here.
    #[must_use]
    pub fn play_unchecked(self, mv: Move) -> Self {
        Self { rules: self.rules, own: self.own ^ self.all, all: self.all | 1 << mv.bit() }
    }

    /// The position before a move: takes back the last mover's disc.
    ///
    /// # Errors
    /// If that cell does not hold a disc of the side that moved last, another disc lies on it, or
    /// the position before would have been over already (so this was not the last move).
    pub fn undo(self, mv: Move) -> Result<Self, PlayError> {
        let cell = mv.cell(&self.rules);
        let refuse = |reason| Err(PlayError::NotLast { cell, reason });
        let bit = 1u128 << mv.bit();
        let geometry = self.geometry();
        if self.all & bit == 0 {
            return refuse("there is no disc");
        }
        if self.own & bit != 0 {
            return refuse("it is not a disc of the side that moved last");
        }
        if self.removable(&geometry) & bit == 0 {
            return refuse("another disc lies on it");
        }
        let all = self.all ^ bit;
        let before = Self { rules: self.rules, own: self.own ^ all, all };
        if geometry.has_won(before.own) || before.winner().is_some() {
            return refuse("the game was over before it");
        }
        Ok(before)
    }

    /// A number (or pair) that no other position of this game has.
    #[must_use]
    pub fn key(&self) -> Key {
        if self.rules.gravity() {
            Key { high: 0, low: self.own + self.all }
        } else {
            Key { high: self.all, low: self.own }
        }
    }

    /// The position moved by one of its game's symmetries.
    #[must_use]
    pub fn transform(&self, symmetry: Symmetry) -> Self {
        let send = |set: u128| {
            CellSet::new(set, self.rules).iter().fold(0u128, |out, cell| {
                out | 1 << symmetry.apply(cell, &self.rules).bit(&self.rules)
            })
        };
        Self { rules: self.rules, own: send(self.own), all: send(self.all) }
    }

    /// The position reflected left to right.
    #[must_use]
    pub fn mirror(&self) -> Self {
        self.transform(Symmetry::MIRROR)
    }

    /// The one position that stands for all that symmetries make of this one.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let Board { own, all } = Symmetries::new(&self.geometry()).canonical(self.board());
        Self { rules: self.rules, own, all }
    }
}

/// Rows from the top, `x`, `o` and `.` with spaces between; no line break at the end.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.rules.height() as u8).rev() {
            for column in 0..self.rules.width() as u8 {
                let letter = self.at(Cell { column, row }).map_or('.', Side::letter);
                write!(f, "{}{letter}", if column == 0 { "" } else { " " })?;
            }
            if row > 0 {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}
