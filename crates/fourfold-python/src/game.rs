//! Games: the rules as a Python value.

use crate::errors::Raise;
use fourfold::game::notation::Format;
use fourfold::game::{Placement, Rules, Shape};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The rules of a game.
#[pyclass(frozen, eq, ord, hash, module = "fourfold")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Game {
    pub(crate) rules: Rules,
}

impl Game {
    /// A game from what users write: nothing, a name or text form, or a game.
    pub(crate) fn given(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Rules>> {
        let Some(given) = given else { return Ok(None) };
        if given.is_none() {
            return Ok(None);
        }
        if let Ok(game) = given.cast::<Self>() {
            return Ok(Some(game.get().rules));
        }
        let Ok(text) = given.extract::<&str>() else {
            let kind = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a game is a Game or a str, not {kind}")));
        };
        text.parse().map(Some).map_err(Raise::raise)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name = None))]
    fn new(name: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self { rules: Self::given(name)?.unwrap_or(Rules::CONNECT_FOUR) })
    }

    /// The game with this many columns, rows and discs in a row.
    #[staticmethod]
    #[pyo3(signature = (width, height, length = 4, *, square = false, gravity = true))]
    fn of(width: u32, height: u32, length: u8, square: bool, gravity: bool) -> PyResult<Self> {
        let shape = if square { Shape::Square(length) } else { Shape::Line(length) };
        let placement = if gravity { Placement::Gravity } else { Placement::Free };
        let rules = Rules::new(width, height, shape, placement).map_err(Raise::raise)?;
        Ok(Self { rules })
    }

    /// Columns.
    #[getter]
    fn width(&self) -> u32 {
        self.rules.width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> u32 {
        self.rules.height()
    }

    /// Cells.
    #[getter]
    fn cells(&self) -> u32 {
        self.rules.cells()
    }

    /// The length of the line (or the side of the square) that wins.
    #[getter]
    fn length(&self) -> u8 {
        self.rules.shape().size()
    }

    /// True if a square wins, not a line.
    #[getter]
    fn square(&self) -> bool {
        matches!(self.rules.shape(), Shape::Square(_))
    }

    /// True if discs fall.
    #[getter]
    fn gravity(&self) -> bool {
        self.rules.gravity()
    }

    /// How many moves there can be: columns if discs fall, else cells.
    #[getter]
    fn actions(&self) -> u32 {
        self.rules.most_moves()
    }

    /// What people call it.
    #[getter]
    fn title(&self) -> String {
        self.rules.title()
    }

    fn __str__(&self) -> String {
        self.rules.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.rules)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let name = PyTuple::new(slf.py(), [slf.get().rules.to_string()])?;
        Ok((slf.get_type().into_any(), name))
    }
}

/// Every notation: its name, what it looks like, and an example.
#[pyfunction]
pub(crate) fn formats() -> Vec<(&'static str, &'static str, &'static str)> {
    Format::ALL.iter().map(|format| (format.name(), format.doc(), format.example())).collect()
}

/// The names that stand for games, with the games.
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, Game)> {
    Rules::names().iter().map(|&(name, rules)| (name, Game { rules })).collect()
}
