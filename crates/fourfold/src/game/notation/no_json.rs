//! Stands in for the JSON formats where the library is built without its feature `json`.

use super::{Entry, Format, NotationError};
use crate::game::Rules;

pub(super) fn likely(_: &str) -> Result<Vec<Format>, NotationError> {
    Err(NotationError::NoJson)
}

pub(super) fn read(
    _: &str,
    _: Format,
    _: &Rules,
    _: Option<&Rules>,
) -> Result<Entry, NotationError> {
    Err(NotationError::NoJson)
}

pub(super) fn write(_: &Entry, _: Format) -> Result<String, NotationError> {
    Err(NotationError::NoJson)
}
