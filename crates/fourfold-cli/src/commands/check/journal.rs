//! What was graded already: one line of JSON a program, known by its content, so that grading a
//! class can be interrupted and programs that have not changed are not run again.

use super::submission::Found;
use crate::failure::Failure;
use fourfold_lab::files::read_text;
use fourfold_teach::report::Submission;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The version of the lines and of the questions: another one, and everything is graded again.
const FORMAT: u32 = 2;

/// A line.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    submission: Submission,
}

/// The file, and what it holds.
pub(super) struct Journal {
    file: Option<File>,
    known: HashMap<String, Submission>,
    setting: String,
}

impl Journal {
    /// Opens a journal for grading in this setting; without a path nothing is kept.
    pub(super) fn open(path: Option<&Path>, setting: &str) -> Result<Self, Failure> {
        let setting = format!("{FORMAT} {} {setting}", env!("CARGO_PKG_VERSION"));
        let Some(path) = path else {
            return Ok(Self { file: None, known: HashMap::new(), setting });
        };
        let cannot = |why| Failure::runtime(format!("cannot open {}: {why}", path.display()));
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(cannot)?;
        let text = read_text(path)?;
        // A line that was cut off by an interruption is not read, and graded again.
        let entries = text.lines().filter_map(|line| serde_json::from_str::<Entry>(line).ok());
        let known = entries.map(|entry| (entry.key, entry.submission)).collect();
        let mut journal = Self { file: Some(file), known, setting };
        if !text.is_empty() && !text.ends_with('\n') {
            journal.write("\n")?;
        }
        Ok(journal)
    }

    /// The grade of a program that has not changed.
    pub(super) fn recall(&self, found: &Found) -> Option<Submission> {
        self.file.as_ref()?;
        let known = self.known.get(&found.fingerprint(&self.setting)?)?;
        Some(Submission { name: found.name.clone(), ..known.clone() })
    }

    /// Keeps a grade.
    pub(super) fn keep(&mut self, found: &Found, submission: &Submission) -> Result<(), Failure> {
        if self.file.is_none() {
            return Ok(());
        }
        let Some(key) = found.fingerprint(&self.setting) else { return Ok(()) };
        let entry = Entry { key, submission: submission.clone() };
        let line = serde_json::to_string(&entry).map_err(Failure::runtime)?;
        self.write(&(line + "\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(text.as_bytes())
            .map_err(|why| Failure::runtime(format!("cannot write the journal: {why}")))
    }
}
