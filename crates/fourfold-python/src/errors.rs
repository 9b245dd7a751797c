//! The library's errors as Python's: a small family of exceptions, defined in `_errors.py`.

use fourfold::game::notation::{NotationError as TextError, UnknownFormat};
use fourfold::game::{PlayError, RulesError, SetupError};
use fourfold::solver::SolveError;
use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(fourfold._errors, FourfoldError);
import_exception!(fourfold._errors, GameError);
import_exception!(fourfold._errors, IllegalMoveError);
import_exception!(fourfold._errors, NotationError);
import_exception!(fourfold._errors, OptionError);
import_exception!(fourfold._errors, PlayerError);
import_exception!(fourfold._errors, UnfinishedError);

/// What can be raised in Python.
pub(crate) trait Raise {
    /// As an exception.
    fn raise(self) -> PyErr;
}

impl Raise for RulesError {
    fn raise(self) -> PyErr {
        GameError::new_err(self.to_string())
    }
}

impl Raise for PlayError {
    fn raise(self) -> PyErr {
        IllegalMoveError::new_err(self.to_string())
    }
}

impl Raise for TextError {
    fn raise(self) -> PyErr {
        NotationError::new_err(self.to_string())
    }
}

impl Raise for SetupError {
    fn raise(self) -> PyErr {
        NotationError::new_err(self.to_string())
    }
}

impl Raise for UnknownFormat {
    fn raise(self) -> PyErr {
        OptionError::new_err(self.to_string())
    }
}

impl Raise for SolveError {
    fn raise(self) -> PyErr {
        let text = self.to_string();
        match self {
            Self::Unfinished { nodes, lower, upper, .. } => {
                UnfinishedError::new_err((text, lower, upper, nodes))
            }
            _ => FourfoldError::new_err(text),
        }
    }
}
