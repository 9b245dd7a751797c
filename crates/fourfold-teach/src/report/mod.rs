//! Graded programs as text, HTML, CSV and Gradescope's `results.json`.

mod html;
mod table;
mod text;

pub use html::{document, index, page};
pub use table::{csv, gradescope, json};
pub use text::{class, student};

use crate::grade::Grade;
use serde::{Deserialize, Serialize};

/// A student's program and its grade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Whose it is: the name of the file or folder.
    pub name: String,
    /// How it was run.
    pub command: String,
    /// Why it could not be run at all.
    pub refused: Option<String>,
    /// The grade; without parts if it was refused.
    pub grade: Grade,
}

impl Submission {
    /// Whether everything that was asked for is right.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.refused.is_none() && !self.grade.parts.is_empty() && self.grade.is_right()
    }
}

/// Points as people write them.
pub(crate) fn points(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
