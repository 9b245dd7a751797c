//! Python functions as players and evaluators.
//!
//! They are called on the thread that searches, with the interpreter lock. What one raises stops
//! the work, and is raised again by whoever waits for it.

use crate::board::Board;
use crate::convert::move_given;
use crate::errors::OptionError;
use fourfold::budget::Budget;
use fourfold::eval::CustomEvaluator;
use fourfold::game::{Position, Rules, Side};
use fourfold::play::{Choice, Player, PlayerError, PlayerFactory};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The exception that a function raised, and the flag that stops the work then.
#[derive(Debug, Clone)]
pub(crate) struct Raised {
    error: Arc<Mutex<Option<PyErr>>>,
    stop: Arc<AtomicBool>,
}

impl Raised {
    pub(crate) fn new(stop: &Arc<AtomicBool>) -> Self {
        Self { error: Arc::default(), stop: Arc::clone(stop) }
    }

    fn put(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The first exception, if there was one.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What a function is called in records and messages: its name, or that of its class.
fn name_of(function: &Bound<'_, PyAny>) -> PyResult<String> {
    match function.getattr("__name__") {
        Ok(name) => name.extract(),
        Err(_) => Ok(function.get_type().name()?.to_string()),
    }
}

/// A function as an evaluator: it is given a board and a player, and returns a whole number.
#[derive(Debug)]
pub(crate) struct PythonEvaluator {
    function: Py<PyAny>,
    name: String,
    raised: Raised,
}

impl PythonEvaluator {
    pub(crate) fn new(function: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Self> {
        let name = name_of(function)?;
        Ok(Self { function: function.clone().unbind(), name, raised: raised.clone() })
    }
}

impl CustomEvaluator for PythonEvaluator {
    fn name(&self) -> &str {
        &self.name
    }

    fn evaluate(&self, position: &Position, side: Side) -> i32 {
        // The search looks at its flag only now and then, and a function may be slow.
        if self.raised.is_stopped() {
            return 0;
        }
        let player = if side == Side::First { 1 } else { 2 };
        Python::attach(|py| {
            let answer = self.function.call1(py, (Board::of(*position), player));
            answer.and_then(|answer| whole_number(answer.bind(py))).unwrap_or_else(|why| {
                self.raised.put(why);
                0
            })
        })
    }

    // Nothing is known of it.
    fn is_antisymmetric(&self) -> bool {
        false
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

fn whole_number(answer: &Bound<'_, PyAny>) -> PyResult<i32> {
    match answer.extract::<i64>() {
        // The library cuts it to what an estimate may be.
        Ok(value) => Ok(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        Err(why) if why.is_instance_of::<PyTypeError>(answer.py()) => {
            let kind = answer.get_type().name()?;
            Err(PyTypeError::new_err(format!("an evaluator returns an int, not {kind}")))
        }
        Err(_) => Err(OptionError::new_err("the evaluator returned a number that is too large")),
    }
}

/// A function as a player: it is given a board, and returns a move.
#[derive(Debug)]
pub(crate) struct PythonPlayers {
    function: Py<PyAny>,
    name: String,
    raised: Raised,
}

impl PythonPlayers {
    pub(crate) fn new(function: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Self> {
        let name = name_of(function)?;
        Ok(Self { function: function.clone().unbind(), name, raised: raised.clone() })
    }
}

impl PlayerFactory for PythonPlayers {
    fn name(&self) -> &str {
        &self.name
    }

    fn player(&self, _: &Rules, _: u64, _: &Budget) -> Result<Box<dyn Player + Send>, PlayerError> {
        let function = Python::attach(|py| self.function.clone_ref(py));
        Ok(Box::new(PythonPlayer { function, raised: self.raised.clone() }))
    }
}

struct PythonPlayer {
    function: Py<PyAny>,
    raised: Raised,
}

impl Player for PythonPlayer {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        Python::attach(|py| {
            let answer = self.function.call1(py, (Board::of(*position),));
            answer.and_then(|answer| move_given(position, answer.bind(py))).map(Choice::from)
        })
        .map_err(|why| {
            let reason = why.to_string();
            self.raised.put(why);
            PlayerError::Left { reason }
        })
    }
}
