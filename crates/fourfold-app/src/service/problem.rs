//! Why a call is not answered: the kind of problem, words for people, and the parameter at fault.

use serde::Serialize;
use std::fmt::Display;

/// Why a call is not answered: `{"error":"...","detail":"...","where":"moves"}`.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    /// The status that HTTP gives it.
    #[serde(skip)]
    status: u16,
    /// The kind of problem, for programs.
    error: &'static str,
    /// The problem in words.
    detail: String,
    /// The problem in words for people, where `detail` also says what a program can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The parameter at fault.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl Problem {
    /// A problem of this kind, with the status that HTTP gives it.
    pub fn new(status: u16, error: &'static str, detail: impl Display) -> Self {
        Self { status, error, detail: detail.to_string(), reason: None, place: None }
    }

    /// The status that HTTP gives it.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The same with what a program can do about it.
    #[must_use]
    pub fn hinting(self, hint: &str) -> Self {
        if hint.is_empty() {
            return self;
        }
        Self { detail: format!("{}{hint}", self.detail), reason: Some(self.detail), ..self }
    }

    /// A parameter with a value that makes no sense.
    pub fn bad(place: &str, detail: impl Display) -> Self {
        Self { place: Some(place.to_owned()), ..Self::malformed(detail) }
    }

    /// A request that makes no sense as a whole.
    pub fn malformed(detail: impl Display) -> Self {
        Self::new(400, "bad_request", detail)
    }

    /// Nothing has the name that was asked for.
    pub fn missing(detail: impl Display) -> Self {
        Self::new(404, "not_found", detail)
    }

    /// The budget was too small for any answer.
    pub fn unfinished(detail: impl Display) -> Self {
        Self::new(422, "unfinished", detail)
    }

    /// A bug, or too little memory.
    pub fn internal(detail: impl Display) -> Self {
        Self::new(500, "internal", detail)
    }
}
