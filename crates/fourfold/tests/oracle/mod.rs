//! The game a second time, as plainly as it can be written, to check the library against.
//!
//! Discs lie in a two-dimensional array and every question is answered by looping over it. Nothing
//! is shared with the library but the values of [`Rules`] and the names of the two sides; no bit,
//! mask or shift occurs here. It is slow and means to stay so: when the two disagree, this is the
//! one to read first.

// Each test binary compiles its own copy and uses a part of it.
#![allow(dead_code)]

pub(crate) mod chance;
pub(crate) mod judge;
pub(crate) mod solving;

use fourfold::game::{Cell, Position, Rules, Shape, Side};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Column and row, both from 0, rows from the bottom.
pub(crate) type Place = (usize, usize);

/// How a game stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Somebody has to move.
    Ongoing,
    /// Who won, and every cell of every shape completed.
    Won(Side, BTreeSet<Place>),
    /// Full, and nobody won.
    Drawn,
}

/// A game in progress: who has a disc where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) rules: Rules,
    /// By column, then row.
    pub(crate) cells: Vec<Vec<Option<Side>>>,
    windows: Rc<Vec<Vec<Place>>>,
}

impl Game {
    /// The empty board.
    pub(crate) fn new(rules: Rules) -> Self {
        let cells = vec![vec![None; rules.height() as usize]; rules.width() as usize];
        Self { rules, cells, windows: Rc::new(windows(&rules)) }
    }

    /// The same discs as in a position of the library, read cell by cell.
    pub(crate) fn of(position: &Position) -> Self {
        let mut game = Self::new(*position.rules());
        for (column, row) in places(&game.rules) {
            game.cells[column][row] = position.at(Cell { column: column as u8, row: row as u8 });
        }
        game
    }

    /// How many discs lie on the board.
    pub(crate) fn ply(&self) -> u32 {
        self.cells.iter().flatten().filter(|cell| cell.is_some()).count() as u32
    }

    /// How many discs one side has.
    pub(crate) fn discs(&self, side: Side) -> u32 {
        self.cells.iter().flatten().filter(|&&cell| cell == Some(side)).count() as u32
    }

    /// Whose turn it is, or would be.
    pub(crate) fn to_move(&self) -> Side {
        if self.ply().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// All cells of the windows that `side` holds completely; none if it has not won.
    pub(crate) fn completed(&self, side: Side) -> BTreeSet<Place> {
        self.windows
            .iter()
            .filter(|window| {
                window.iter().all(|&(column, row)| self.cells[column][row] == Some(side))
            })
            .flatten()
            .copied()
            .collect()
    }

    /// Does `side` hold a winning shape?
    pub(crate) fn has_won(&self, side: Side) -> bool {
        self.windows
            .iter()
            .any(|window| window.iter().all(|&(column, row)| self.cells[column][row] == Some(side)))
    }

    /// How the game stands.
    pub(crate) fn standing(&self) -> Standing {
        for side in [Side::First, Side::Second] {
            if self.has_won(side) {
                return Standing::Won(side, self.completed(side));
            }
        }
        if self.ply() == self.rules.cells() { Standing::Drawn } else { Standing::Ongoing }
    }

    /// Is the game over?
    pub(crate) fn is_over(&self) -> bool {
        self.has_won(Side::First) || self.has_won(Side::Second) || self.ply() == self.rules.cells()
    }

    /// Could a disc come to lie here, the end of the game aside?
    pub(crate) fn is_open(&self, (column, row): Place) -> bool {
        let supported = !self.rules.gravity() || row == 0 || self.cells[column][row - 1].is_some();
        self.cells[column][row].is_none() && supported
    }

    /// Does nothing lie on this cell? Always so where discs do not fall.
    pub(crate) fn is_on_top(&self, (column, row): Place) -> bool {
        let last = row + 1 == self.rules.height() as usize;
        !self.rules.gravity() || last || self.cells[column][row + 1].is_none()
    }

    /// The legal moves: columns from the left, or cells row by row from the top left. None once the
    /// game is over.
    pub(crate) fn moves(&self) -> Vec<Place> {
        if self.is_over() {
            return Vec::new();
        }
        let mut order = places(&self.rules);
        if !self.rules.gravity() {
            order.sort_by_key(|&(column, row)| (std::cmp::Reverse(row), column));
        }
        order.retain(|&place| self.is_open(place));
        order
    }

    /// The game with one more disc, of the side to move. The move must be legal.
    pub(crate) fn play(&self, place: Place) -> Self {
        assert!(!self.is_over() && self.is_open(place), "{place:?} is not a legal move");
        self.with(place, Some(self.to_move()))
    }

    /// The game with something else in a cell, whatever the rules say.
    pub(crate) fn with(&self, (column, row): Place, disc: Option<Side>) -> Self {
        let mut next = self.clone();
        next.cells[column][row] = disc;
        next
    }

    /// The legal moves that would complete a shape for `side`, were it that side's turn.
    pub(crate) fn moves_completing(&self, side: Side) -> Vec<Place> {
        let mut moves = self.moves();
        moves.retain(|&place| self.with(place, Some(side)).has_won(side));
        moves
    }

    /// The possible wins of these rules.
    pub(crate) fn windows(&self) -> &[Vec<Place>] {
        &self.windows
    }
}

/// Every cell, column by column from the left, each from the bottom.
pub(crate) fn places(rules: &Rules) -> Vec<Place> {
    (0..rules.width() as usize)
        .flat_map(|column| (0..rules.height() as usize).map(move |row| (column, row)))
        .collect()
}

/// Every window, that is every set of cells that wins when one side has all of it: from each cell,
/// the lines to the right, up, up-right and down-right that stay on the board, or the square to the
/// upper right.
pub(crate) fn windows(rules: &Rules) -> Vec<Vec<Place>> {
    let (width, height) = (i64::from(rules.width()), i64::from(rules.height()));
    let mut found = Vec::new();
    for column in 0..width {
        for row in 0..height {
            let shapes: Vec<Vec<(i64, i64)>> = match rules.shape() {
                Shape::Line(n) => [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .map(|(dc, dr)| {
                        (0..i64::from(n)).map(|k| (column + k * dc, row + k * dr)).collect()
                    })
                    .to_vec(),
                Shape::Square(n) => {
                    let side = i64::from(n);
                    vec![
                        (0..side)
                            .flat_map(|c| (0..side).map(move |r| (column + c, row + r)))
                            .collect(),
                    ]
                }
            };
            for shape in shapes {
                if shape.iter().all(|&(c, r)| (0..width).contains(&c) && (0..height).contains(&r)) {
                    found.push(shape.iter().map(|&(c, r)| (c as usize, r as usize)).collect());
                }
            }
        }
    }
    found
}

/// What [`minimax`] gives for a game won with no disc on the board; every disc at the end costs
/// one.
pub(crate) const BASE: i32 = 1_000_000;

/// Plain minimax without any pruning: the value of `game` looking `depth` moves ahead.
///
/// All values are for MAX, the side to move in `game` (the root): a win is [`BASE`] less the discs
/// on the board at its end, a loss the negative of that, a draw 0. Where `depth` runs out before
/// the game does, the value is what `leaf` says, also for MAX; it is never asked about a finished
/// game.
pub(crate) fn minimax(game: &Game, depth: u32, leaf: &dyn Fn(&Game) -> i32) -> i32 {
    value(game, game.to_move(), depth, leaf)
}

fn value(game: &Game, max: Side, depth: u32, leaf: &dyn Fn(&Game) -> i32) -> i32 {
    match game.standing() {
        Standing::Won(side, _) => (if side == max { 1 } else { -1 }) * (BASE - game.ply() as i32),
        Standing::Drawn => 0,
        Standing::Ongoing if depth == 0 => leaf(game),
        Standing::Ongoing => {
            let moves = game.moves();
            let values = moves.iter().map(|&place| value(&game.play(place), max, depth - 1, leaf));
            if game.to_move() == max { values.max() } else { values.min() }
                .expect("an ongoing game has a move")
        }
    }
}
