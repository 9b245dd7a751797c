//! Boards: a position, the moves that led to it, and what Python asks of it.
//!
//! Whether the game is over is known at all times, so that asking costs nothing and a move is
//! checked with a few operations on words.

use crate::convert::{move_given, number, numbers};
use crate::drawing::draw_board;
use crate::errors::{IllegalMoveError, NotationError, OptionError, Raise};
use crate::game::Game;
use fourfold::game::notation::{self, Entry, Format, Reader};
use fourfold::game::{
    Board as Discs, Cell, CellSet, Geometry, Move, Outcome as Standing, Position, Rules, Side,
};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a finished game ended.
#[pyclass(frozen, eq, hash, get_all, module = "fourfold")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// 1 or 2; none if it is a draw.
    winner: Option<u8>,
    /// The cells of every shape completed, as (column, row), both from 0 at the bottom left.
    cells: Vec<(u8, u8)>,
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        match self.winner {
            Some(winner) => format!("Outcome(winner={winner}, cells={:?})", self.cells),
            None => "Outcome(winner=None, cells=[])".to_owned(),
        }
    }
}

/// A position with the moves that led to it.
#[pyclass(module = "fourfold")]
#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub(crate) position: Position,
    /// Where the moves begin: the empty board, or what was set up.
    base: Position,
    moves: Vec<Move>,
    /// The position before each move.
    before: Vec<Position>,
    geometry: Geometry<u128>,
    over: bool,
}

fn player(side: Side) -> u8 {
    match side {
        Side::First => 1,
        Side::Second => 2,
    }
}

fn pairs(cells: CellSet) -> Vec<(u8, u8)> {
    cells.iter().map(|cell| (cell.column, cell.row)).collect()
}

impl Board {
    pub(crate) fn of(position: Position) -> Self {
        let geometry = Geometry::new(position.rules());
        let over = position.outcome().is_over();
        Self { position, base: position, moves: Vec::new(), before: Vec::new(), geometry, over }
    }

    /// A board from a position and, if they are known, the moves that led to it.
    fn of_entry(entry: &Entry) -> Self {
        match &entry.moves {
            Some(moves) => Self::of_moves(*entry.position.rules(), moves),
            None => Self::of(entry.position),
        }
    }

    /// The board after moves that are known to be legal.
    pub(crate) fn of_moves(rules: Rules, moves: &[Move]) -> Self {
        let mut board = Self::of(Position::new(rules));
        for &mv in moves {
            board.play(mv);
        }
        board
    }

    pub(crate) fn rules(&self) -> &Rules {
        self.position.rules()
    }

    /// The moves from the empty board on, if they are known.
    pub(crate) fn all_moves(&self) -> Option<&[Move]> {
        (self.base.ply() == 0).then_some(self.moves.as_slice())
    }

    pub(crate) fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    pub(crate) fn entry(&self) -> Entry {
        let entry = Entry::of(self.position);
        match self.all_moves() {
            Some(moves) => entry.with_moves(moves.to_vec()),
            None => entry,
        }
    }

    pub(crate) fn read(text: &str, format: Option<&str>, game: Option<&Rules>) -> PyResult<Self> {
        let format = format.map(str::parse::<Format>).transpose().map_err(Raise::raise)?;
        let entry = Reader::new().format(format).rules(game).read(text).map_err(Raise::raise)?;
        Ok(Self::of_entry(&entry))
    }

    /// Plays a move that is known to be legal.
    fn play(&mut self, mv: Move) {
        self.before.push(self.position);
        self.moves.push(mv);
        self.position = self.position.play_unchecked(mv);
        let discs = Discs::<u128>::of(&self.position);
        self.over = discs.is_won(&self.geometry) || discs.all == self.geometry.cells();
    }

    /// The move into a column, if it is legal: the quick way.
    fn drop_in(&self, column: i64) -> Option<Move> {
        let column = u32::try_from(column).ok().filter(|&column| column < self.rules().width())?;
        if self.over || !self.rules().gravity() {
            return None;
        }
        let all = Discs::<u128>::of(&self.position).all;
        let lands = self.geometry.playable(all) & self.geometry.column(column);
        let cell = Cell::from_bit(lands.trailing_zeros(), self.rules());
        (lands != 0).then(|| Move::at(cell, self.rules()))
    }

    fn legal(&self, given: &Bound<'_, PyAny>) -> PyResult<Move> {
        match given.extract::<i64>().ok().and_then(|column| self.drop_in(column)) {
            Some(mv) => Ok(mv),
            None => move_given(&self.position, given),
        }
    }

    fn cell(&self, column: i64, row: i64) -> PyResult<Cell> {
        let cell = u8::try_from(column).ok().zip(u8::try_from(row).ok());
        cell.map(|(column, row)| Cell { column, row })
            .filter(|cell| cell.is_on_board(self.rules()))
            .ok_or_else(|| {
                PyIndexError::new_err(format!(
                    "there is no cell ({column}, {row}): columns and rows count from 0, and the \
                     board is {}x{}",
                    self.rules().width(),
                    self.rules().height(),
                ))
            })
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (position = None, *, game = None, format = None))]
    fn new(
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        game: Option<&Bound<'_, PyAny>>,
        format: Option<&str>,
    ) -> PyResult<Self> {
        let rules = Game::given(game)?;
        let Some(given) = position.filter(|given| !given.is_none()) else {
            return Ok(Self::of(Position::new(rules.unwrap_or(Rules::CONNECT_FOUR))));
        };
        if let Ok(text) = given.extract::<&str>() {
            return Self::read(text, format, rules.as_ref());
        }
        if let Ok(board) = given.cast::<Self>() {
            let board = board.try_borrow()?.clone();
            if let Some(rules) = rules.filter(|rules| rules != board.rules()) {
                return Err(NotationError::new_err(format!(
                    "the board is of {}, not {rules}",
                    board.rules()
                )));
            }
            return Ok(board);
        }
        // Lists and arrays.
        let arrays = py.import("fourfold._arrays")?;
        let made = arrays.call_method1("board_from", (given, game, format))?;
        Ok(made.cast::<Self>()?.try_borrow()?.clone())
    }

    /// A position read in a notation.
    #[staticmethod]
    #[pyo3(signature = (text, format = None, *, game = None))]
    fn from_(text: &str, format: Option<&str>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Self::read(text, format, Game::given(game)?.as_ref())
    }

    /// The position after these moves.
    #[staticmethod]
    #[pyo3(signature = (moves, *, game = None))]
    fn from_moves(moves: &Bound<'_, PyAny>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let rules = Game::given(game)?.unwrap_or(Rules::CONNECT_FOUR);
        let mut board = Self::of(Position::new(rules));
        for (index, mv) in moves.try_iter()?.enumerate() {
            let mv = board.legal(&mv?).map_err(|why| {
                if why.is_instance_of::<IllegalMoveError>(moves.py()) {
                    let why = why.value(moves.py());
                    IllegalMoveError::new_err(format!("move {}: {why}", index + 1))
                } else {
                    why
                }
            })?;
            board.play(mv);
        }
        Ok(board)
    }

    /// A position from the cells row by row from the top left: 0, 1 or 2 each.
    #[staticmethod]
    fn from_cells(cells: &[u8], game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rules = Game::given(Some(game))?.unwrap_or(Rules::CONNECT_FOUR);
        position_of_cells(cells, &rules).map(Self::of)
    }

    /// The position in a notation.
    fn to(&self, format: &str) -> PyResult<String> {
        let format = format.parse::<Format>().map_err(Raise::raise)?;
        notation::write(&self.entry(), format).map_err(Raise::raise)
    }

    /// The cells row by row from the top left: 0, 1 or 2 each.
    fn to_cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &cells_of_position(&self.position))
    }

    /// The position as a numpy array.
    #[pyo3(signature = (layout = "cells"))]
    fn to_numpy<'py>(slf: &Bound<'py, Self>, layout: &str) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("fourfold._arrays")?.call_method1("to_numpy", (slf, layout))
    }

    /// A position from a numpy array.
    #[staticmethod]
    #[pyo3(signature = (array, layout = "cells", *, game = None))]
    fn from_numpy<'py>(
        array: &Bound<'py, PyAny>,
        layout: &str,
        game: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        array.py().import("fourfold._arrays")?.call_method1("from_numpy", (array, layout, game))
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { rules: *self.rules() }
    }

    /// Who moves next: 1 or 2.
    #[getter]
    fn turn(&self) -> u8 {
        player(self.position.to_move())
    }

    /// How many discs lie on the board.
    #[getter]
    fn ply(&self) -> u32 {
        self.position.ply()
    }

    /// The moves since the empty board, or since the position that was set up.
    #[getter]
    fn moves(&self) -> Vec<u32> {
        numbers(self.rules(), &self.moves)
    }

    /// The legal moves; none once the game is over.
    #[getter]
    fn legal_moves(&self) -> Vec<u32> {
        if self.over {
            return Vec::new();
        }
        if !self.rules().gravity() {
            return numbers(self.rules(), &self.position.legal_moves());
        }
        // The quick way: columns with room.
        let playable = self.geometry.playable(Discs::<u128>::of(&self.position).all);
        let has_room = |&column: &u32| playable & self.geometry.column(column) != 0;
        (0..self.rules().width()).filter(has_room).collect()
    }

    /// The legal moves that win at once.
    #[getter]
    fn winning_moves(&self) -> Vec<u32> {
        numbers(self.rules(), &self.position.winning_moves())
    }

    /// The legal moves with which the opponent would win at once.
    #[getter]
    fn threatened_moves(&self) -> Vec<u32> {
        numbers(self.rules(), &self.position.threatened_moves())
    }

    /// Is this move legal?
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.legal(r#move) {
            Ok(_) => Ok(true),
            Err(why) if why.is_instance_of::<PyTypeError>(r#move.py()) => Err(why),
            Err(_) => Ok(false),
        }
    }

    /// Makes a move.
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = self.legal(r#move)?;
        self.play(mv);
        Ok(())
    }

    /// Takes the last move back.
    fn pop(&mut self) -> PyResult<u32> {
        let (Some(mv), Some(before)) = (self.moves.pop(), self.before.pop()) else {
            return Err(PyIndexError::new_err("there is no move to take back"));
        };
        self.position = before;
        self.over = false;
        Ok(number(self.rules(), mv))
    }

    /// The last move, if any is known.
    fn peek(&self) -> Option<u32> {
        self.moves.last().map(|&mv| number(self.rules(), mv))
    }

    /// True once somebody has won or the board is full.
    fn is_game_over(&self) -> bool {
        self.over
    }

    /// How the game ended, or none.
    fn outcome(&self) -> Option<Outcome> {
        if !self.over {
            return None;
        }
        Some(match self.position.outcome() {
            Standing::Won { by, cells } => {
                Outcome { winner: Some(player(by)), cells: pairs(cells) }
            }
            _ => Outcome { winner: None, cells: Vec::new() },
        })
    }

    /// 1 or 2 if that player has won.
    #[getter]
    fn winner(&self) -> Option<u8> {
        self.outcome().and_then(|outcome| outcome.winner)
    }

    /// The cells of every shape that the winner has completed.
    #[getter]
    fn winning_cells(&self) -> Vec<(u8, u8)> {
        self.outcome().map(|outcome| outcome.cells).unwrap_or_default()
    }

    /// The player who has a disc on a cell: 0, 1 or 2.
    fn at(&self, column: i64, row: i64) -> PyResult<u8> {
        let cell = self.cell(column, row)?;
        Ok(self.position.at(cell).map_or(0, player))
    }

    /// The name of a move as people write it.
    fn label(&self, r#move: u32) -> PyResult<String> {
        let rules = self.rules();
        if r#move >= rules.most_moves() {
            return Err(PyIndexError::new_err(format!("there is no move {move}")));
        }
        if rules.gravity() {
            return Ok((r#move + 1).to_string());
        }
        let (column, row) = (r#move % rules.width(), r#move / rules.width());
        let row = rules.height() - 1 - row;
        Ok(Cell { column: column as u8, row: row as u8 }.to_string())
    }

    /// The position reflected left to right, with its moves.
    fn mirror(&self) -> Self {
        let rules = self.rules();
        let reflect = |&mv: &Move| {
            let Cell { column, row } = mv.cell(rules);
            Move::at(Cell { column: rules.width() as u8 - 1 - column, row }, rules)
        };
        Self {
            position: self.position.mirror(),
            base: self.base.mirror(),
            moves: self.moves.iter().map(reflect).collect(),
            before: self.before.iter().map(Position::mirror).collect(),
            ..self.clone()
        }
    }

    /// The position that stands for all that symmetries make of this one.
    fn canonical(&self) -> Self {
        Self::of(self.position.canonical())
    }

    /// A number that no other position of this game has.
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (high, low) = self.position.key().parts();
        let low = low.into_pyobject(py)?;
        if high == 0 {
            return Ok(low.into_any());
        }
        high.into_pyobject(py)?.lshift(u128::BITS)?.bitor(low)
    }

    /// The discs of a player as the bits of a number.
    fn discs(&self, player: u8) -> PyResult<u128> {
        match player {
            1 => Ok(self.position.discs(Side::First).bits()),
            2 => Ok(self.position.discs(Side::Second).bits()),
            _ => Err(OptionError::new_err(format!("the players are 1 and 2, not {player}"))),
        }
    }

    /// A board of its own with the same position and moves.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        Ok(other.try_borrow()?.position == self.position)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> PyResult<String> {
        let rules = self.rules();
        let (text, named) = match self.all_moves() {
            Some(moves) => (notation::moves_text(rules, moves), false),
            // It names the game itself, unless that is Connect Four.
            None => (self.to("fen")?, true),
        };
        Ok(if named || *rules == Rules::CONNECT_FOUR {
            format!("Board('{text}')")
        } else if text.is_empty() {
            format!("Board(game='{rules}')")
        } else {
            format!("Board('{text}', game='{rules}')")
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let board = slf.try_borrow()?;
        let restore = py.import("fourfold._native")?.getattr("restore_board")?;
        let first = board.base.discs(Side::First).bits();
        let second = board.base.discs(Side::Second).bits();
        let game = PyString::new(py, &board.rules().to_string());
        let state = (game, first, second, numbers(board.rules(), &board.moves));
        Ok((restore, state).into_pyobject(py)?.into_any())
    }

    /// The board as an SVG, with marks on cells and scores of moves.
    #[pyo3(signature = (*, marks = Vec::new(), scores = Vec::new()))]
    fn svg(
        slf: &Bound<'_, Self>,
        marks: Vec<(u8, u8)>,
        scores: Vec<Option<i32>>,
    ) -> PyResult<String> {
        draw_board(slf, scores, marks)
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        draw_board(slf, Vec::new(), Vec::new())
    }
}

/// A board out of a pickle.
#[pyfunction]
pub(crate) fn restore_board(
    game: &str,
    first: u128,
    second: u128,
    moves: Vec<i64>,
) -> PyResult<Board> {
    let rules: Rules = game.parse().map_err(Raise::raise)?;
    let base = Position::from_discs(rules, first, second).map_err(Raise::raise)?;
    let mut board = Board::of(base);
    for mv in moves {
        board.play(crate::convert::move_numbered(&board.position, mv)?);
    }
    Ok(board)
}

/// A position from its cells row by row from the top left.
pub(crate) fn position_of_cells(cells: &[u8], rules: &Rules) -> PyResult<Position> {
    let (width, height) = (rules.width() as usize, rules.height() as usize);
    if cells.len() != width * height {
        return Err(NotationError::new_err(format!(
            "{rules} has {} cells, not {}",
            width * height,
            cells.len()
        )));
    }
    let (mut first, mut second) = (0u128, 0u128);
    for (index, &disc) in cells.iter().enumerate() {
        let (column, row) = (index % width, height - 1 - index / width);
        let bit = 1u128 << Cell { column: column as u8, row: row as u8 }.bit(rules);
        match disc {
            0 => {}
            1 => first |= bit,
            2 => second |= bit,
            _ => {
                return Err(NotationError::new_err(format!(
                    "a cell is 0 (empty), 1 or 2, not {disc}"
                )));
            }
        }
    }
    Position::from_discs(*rules, first, second).map_err(Raise::raise)
}

/// The cells of a position row by row from the top left.
pub(crate) fn cells_of_position(position: &Position) -> Vec<u8> {
    let rules = position.rules();
    let mut cells = vec![0; rules.cells() as usize];
    for side in [Side::First, Side::Second] {
        for Cell { column, row } in position.discs(side).iter() {
            let from_top = rules.height() as usize - 1 - usize::from(row);
            cells[from_top * rules.width() as usize + usize::from(column)] = player(side);
        }
    }
    cells
}
