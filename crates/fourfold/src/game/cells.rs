//! Cells, sets of cells, and moves.

use super::Rules;
use std::fmt;

/// A cell of the board; column and row count from 0, rows from the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// From 0 at the left.
    pub column: u8,
    /// From 0 at the bottom.
    pub row: u8,
}

impl Cell {
    /// The cell's bit in the layout drawn in [`crate::game`].
    #[must_use]
    pub fn bit(self, rules: &Rules) -> u32 {
        u32::from(self.column) * rules.stride() + u32::from(self.row)
    }

    /// True if a board of these rules has the cell.
    #[must_use]
    pub fn is_on_board(self, rules: &Rules) -> bool {
        u32::from(self.column) < rules.width() && u32::from(self.row) < rules.height()
    }

    /// The cell of a bit.
    #[must_use]
    pub fn from_bit(bit: u32, rules: &Rules) -> Self {
        Self { column: (bit / rules.stride()) as u8, row: (bit % rules.stride()) as u8 }
    }
}

/// `d2`: column letter and row from 1. Boards have at most 64 columns; past `z` come `aa`, `ab`,
/// ...
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column;
        if column >= 26 {
            write!(f, "{}", char::from(b'a' + column / 26 - 1))?;
        }
        write!(f, "{}{}", char::from(b'a' + column % 26), u32::from(self.row) + 1)
    }
}

/// A move, named by the cell that the disc comes to lie in.
///
/// Under gravity a column is enough for people ([`super::Position::drop_in`] makes the move), but
/// the cell says the same whatever the position, which undo, records and move-ordering tables want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    bit: u8,
}

impl Move {
    pub(crate) fn from_bit(bit: u32) -> Self {
        debug_assert!(bit < 128);
        Self { bit: bit as u8 }
    }

    /// The move that fills `cell`.
    ///
    /// # Panics
    /// If the cell is not on the board: it would be mistaken for another.
    /// [`super::Position::place`] refuses such cells.
    #[must_use]
    pub fn at(cell: Cell, rules: &Rules) -> Self {
        assert!(cell.is_on_board(rules), "there is no cell {cell} in {rules}");
        Self::from_bit(cell.bit(rules))
    }

    /// The cell that the move fills.
    #[must_use]
    pub fn cell(self, rules: &Rules) -> Cell {
        Cell::from_bit(self.bit(), rules)
    }

    /// The bit of that cell: a dense index below 128 for tables.
    #[must_use]
    pub fn bit(self) -> u32 {
        u32::from(self.bit)
    }

    /// Twice the distance from the middle column; without gravity, from the middle row as well.
    #[must_use]
    pub fn off_centre(self, rules: &Rules) -> u32 {
        let cell = self.cell(rules);
        let across = (2 * u32::from(cell.column)).abs_diff(rules.width() - 1);
        let up = (2 * u32::from(cell.row)).abs_diff(rules.height() - 1);
        if rules.gravity() { across } else { across + up }
    }

    /// How a person names the move under these rules: the column from 1, or the cell without
    /// gravity.
    #[must_use]
    pub fn label(self, rules: &Rules) -> String {
        let cell = self.cell(rules);
        if rules.gravity() { (cell.column + 1).to_string() } else { cell.to_string() }
    }
}

/// A set of cells under some rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet {
    bits: u128,
    rules: Rules,
}

impl CellSet {
    pub(crate) fn new(bits: u128, rules: Rules) -> Self {
        Self { bits, rules }
    }

    /// The set as bits.
    #[must_use]
    pub fn bits(self) -> u128 {
        self.bits
    }

    /// How many cells are in it.
    #[must_use]
    pub fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// True if no cell is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// True if `cell` is in it; a cell off the board never is.
    #[must_use]
    pub fn contains(self, cell: Cell) -> bool {
        cell.is_on_board(&self.rules) && self.bits >> cell.bit(&self.rules) & 1 == 1
    }

    /// The cells, column by column from the left, each from the bottom.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut bits = self.bits;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                Cell::from_bit(bit, &self.rules)
            })
        })
    }
}
