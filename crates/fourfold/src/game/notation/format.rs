//! The table of formats: what each is called, what it looks like and what it can carry. Every list
//! of formats shown anywhere is made from it.

use super::NotationError;
use crate::game::{Placement, Rules, Shape};
use std::fmt;
use std::str::FromStr;

/// A way to write a position down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Columns from 1: `4453`.
    Columns,
    /// Columns from 0: `3342`. Read only when asked for, since most such texts are columns from 1
    /// as well.
    Zero,
    /// Column letters: `ddec`.
    Letters,
    /// Column letter and row of each disc: `d1 d2 e1 c1`.
    Cells,
    /// The cells of a 3x3 board from 1 to 9, row by row from the top left.
    Numbers,
    /// Rows from the top, drawn with `x`, `o` and `.`.
    Diagram,
    /// Rows from the top with runs of empty cells as numbers, then the side to move.
    Fen,
    /// Sets of cells as numbers, in the bit layout of [`crate::game`].
    Bitboards,
    /// The board of Kaggle's ConnectX, as JSON.
    Kaggle,
    /// The observation tensor of OpenSpiel's `connect_four`, as JSON.
    OpenSpiel,
    /// The observation of PettingZoo's `connect_four_v3`, as JSON.
    PettingZoo,
    /// A row of the UCI data set "Connect-4".
    Uci,
    /// Moves and the score, as in the test sets of P. Pons' solver.
    Pons,
    /// One JSON object a line.
    Ndjson,
    /// Comma-separated values with a header line.
    Csv,
}

/// What the table says of a format.
struct Row {
    format: Format,
    name: &'static str,
    doc: &'static str,
    example: &'static str,
    ordered: bool,
}

/// In the order in which people will look for them.
const TABLE: [Row; 15] = [
    Row {
        format: Format::Columns,
        name: "columns",
        doc: "columns from 1; commas between them on boards of more than 9 columns",
        example: "4453",
        ordered: true,
    },
    Row {
        format: Format::Zero,
        name: "zero",
        doc: "columns from 0; commas between them on boards of more than 10 columns; never guessed",
        example: "3342",
        ordered: true,
    },
    Row {
        format: Format::Letters,
        name: "letters",
        doc: "column letters; commas between them on boards of more than 26 columns",
        example: "ddec",
        ordered: true,
    },
    Row {
        format: Format::Cells,
        name: "cells",
        doc: "column letter and row from 1 at the bottom, disc by disc (V. Allis' notation)",
        example: "d1 d2 e1 c1",
        ordered: true,
    },
    Row {
        format: Format::Numbers,
        name: "numbers",
        doc: "3x3 without gravity: cells 1 to 9, row by row from the top left",
        example: "519",
        ordered: true,
    },
    Row {
        format: Format::Diagram,
        name: "diagram",
        doc: "rows from the top, x for the first player, o for the second, . for empty",
        example: "......./......./......./......./...o.../..oxx..",
        ordered: false,
    },
    Row {
        format: Format::Fen,
        name: "fen",
        doc: "like chess FEN: rows from the top, numbers for empty cells, side to move; may begin with the game and :",
        example: "7/7/7/7/3o3/2oxx2 x",
        ordered: false,
    },
    Row {
        format: Format::Bitboards,
        name: "bitboards",
        doc: "all discs, those of the side to move, and their sum, as numbers; bit = column * (height + 1) + row",
        example: "mask=274743296 mover=270532608 key=545275904",
        ordered: false,
    },
    Row {
        format: Format::Kaggle,
        name: "kaggle",
        doc: "Kaggle ConnectX: flat board from the top left with 0, 1, 2, alone or with mark, columns, rows, inarow",
        example: "{\"board\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,2,1,1,0,0],\
                  \"mark\":1,\"columns\":7,\"rows\":6,\"inarow\":4}",
        ordered: false,
    },
    Row {
        format: Format::OpenSpiel,
        name: "openspiel",
        doc: "OpenSpiel tensor [3][rows][columns]: first player, second player, empty; rows from the bottom",
        example: "[[[0,0,0,1,1,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0]],\
                  [[0,0,1,0,0,0,0],[0,0,0,1,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0]],\
                  [[1,1,0,0,0,1,1],[1,1,1,0,1,1,1],[1,1,1,1,1,1,1],[1,1,1,1,1,1,1],[1,1,1,1,1,1,1],[1,1,1,1,1,1,1]]]",
        ordered: false,
    },
    Row {
        format: Format::PettingZoo,
        name: "pettingzoo",
        doc: "PettingZoo connect_four_v3: [rows][columns][own, opponent] from the top, and action_mask",
        example: "{\"observation\":[[[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],\
                  [[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],[[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],\
                  [[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],[[0,0],[0,0],[0,0],[0,1],[0,0],[0,0],[0,0]],\
                  [[0,0],[0,0],[0,1],[1,0],[1,0],[0,0],[0,0]]],\"action_mask\":[1,1,1,1,1,1,1]}",
        ordered: false,
    },
    Row {
        format: Format::Uci,
        name: "uci",
        doc: "UCI data set: cells column by column from the bottom (b, x, o), then win, loss or draw if known",
        example: "b,b,b,b,b,b,b,b,b,b,b,b,o,b,b,b,b,b,x,o,b,b,b,b,x,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b",
        ordered: false,
    },
    Row {
        format: Format::Pons,
        name: "pons",
        doc: "columns from 1 (or cells), then the score for the side to move, or one score a column (-1000: full)",
        example: "32164625 11",
        ordered: true,
    },
    Row {
        format: Format::Ndjson,
        name: "ndjson",
        doc: "a JSON object: game, moves (or position, as fen), and score, scores, class where known",
        example: "{\"game\":\"7x6c4\",\"moves\":\"4453\"}",
        ordered: true,
    },
    Row {
        format: Format::Csv,
        name: "csv",
        doc: "game,moves,score,s1,s2,...: a row a position, a header line first; unknown scores are empty",
        example: "7x6c4,4453,,,,,,,,",
        ordered: true,
    },
];

impl Format {
    /// Every format, in the order of the table in the documentation.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Columns; TABLE.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].format;
            index += 1;
        }
        all
    };

    /// The table is in the order of the enum (a test checks it).
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The name by which it is asked for.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What it looks like, in one line.
    #[must_use]
    pub fn doc(self) -> &'static str {
        self.row().doc
    }

    /// An example: the moves 4453 on 7x6, but for [`Format::Numbers`], which is for 3x3, and
    /// [`Format::Pons`], which needs a score.
    #[must_use]
    pub fn example(self) -> &'static str {
        self.row().example
    }

    /// Does it keep the order of the moves? If not, only the discs on the board are kept.
    #[must_use]
    pub fn keeps_order(self) -> bool {
        self.row().ordered
    }

    /// Can positions of this game be written in it at all?
    ///
    /// # Errors
    /// [`NotationError::NotForGame`], with the reason.
    pub fn check_game(self, rules: &Rules) -> Result<(), NotationError> {
        let refuse = |reason| Err(NotationError::NotForGame { format: self, game: *rules, reason });
        match self {
            Self::Columns | Self::Zero | Self::Letters if !rules.gravity() => refuse(
                "discs do not fall, so a column does not say where one goes; write cells, such as a1",
            ),
            Self::Numbers
                if (rules.width(), rules.height(), rules.placement())
                    != (3, 3, Placement::Free) =>
            {
                refuse("it numbers the cells of a 3x3 board without gravity")
            }
            Self::OpenSpiel | Self::PettingZoo if !rules.gravity() => {
                refuse("it describes boards on which discs fall")
            }
            Self::Kaggle if !rules.gravity() || !matches!(rules.shape(), Shape::Line(_)) => {
                refuse("ConnectX has gravity and is won by a line")
            }
            _ => Ok(()),
        }
    }
}

/// The name.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No format has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no format {name:?}: the formats are {}", Format::ALL.map(Format::name).join(", "))]
#[non_exhaustive]
pub struct UnknownFormat {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, format) in Format::ALL.into_iter().enumerate() {
            assert_eq!(format as usize, index);
            assert_eq!(format.name().parse(), Ok(format));
        }
    }
}
