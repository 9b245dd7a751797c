//! Reading TOML with the position of every key, so that an error names file, key and line.
//!
//! [`Keys`] is a table of the file. Every key that is asked for counts as known; [`Keys::finish`]
//! rejects the others. A table `quick` overrides its neighbours in a quick run.

use fourfold::search::nearest;
use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with an experiment file or a list of positions, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file as it was named.
    pub file: String,
    /// The line, from 1; none if the file as a whole is wrong.
    pub line: Option<usize>,
    /// The key with the tables around it, such as `match 2, games`; none if it is not about a key.
    pub key: Option<String>,
    /// In words.
    pub problem: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(key) = &self.key {
            write!(f, ": {key}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for FileError {}

/// A file that is being read.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    fn line(&self, at: usize) -> usize {
        self.text.as_bytes()[..at.min(self.text.len())]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1
    }

    /// The root table of the file.
    pub(crate) fn parse(&self) -> Result<Spanned<DeTable<'_>>, FileError> {
        DeTable::parse(self.text).map_err(|error| FileError {
            file: self.file.to_owned(),
            line: Some(self.line(error.span().map_or(0, |span| span.start))),
            key: None,
            problem: error.message().to_owned(),
        })
    }
}

/// Where a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    file: String,
    line: usize,
    key: String,
}

impl Place {
    pub(crate) fn error(&self, problem: impl fmt::Display) -> FileError {
        FileError {
            file: self.file.clone(),
            line: Some(self.line),
            key: Some(self.key.clone()).filter(|key| !key.is_empty()),
            problem: problem.to_string(),
        }
    }

    /// The path of a file that is named here, relative to the file that names it.
    pub(crate) fn sibling(&self, name: &str) -> String {
        let folder = Path::new(&self.file).parent().unwrap_or(Path::new(""));
        folder.join(name).display().to_string()
    }

    /// The line, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) place: Place,
}

/// A value of the file.
pub(crate) type Raw<'a> = &'a Spanned<DeValue<'a>>;

/// A table of the file.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    source: &'a Source<'a>,
    path: String,
    table: &'a DeTable<'a>,
    line: usize,
    quick: Option<&'a DeTable<'a>>,
    known: RefCell<Vec<String>>,
}

impl<'a> Keys<'a> {
    /// The root table.
    pub(crate) fn root(source: &'a Source<'a>, table: &'a DeTable<'a>) -> Self {
        Self { source, path: String::new(), table, line: 1, quick: None, known: RefCell::default() }
    }

    /// The same table; in a quick run, what its `quick` table says comes first. `quick` is a known
    /// key either way.
    pub(crate) fn preferring_quick(mut self, quick: bool) -> Result<Self, FileError> {
        if let Some((value, place)) = self.raw("quick") {
            let DeValue::Table(table) = value.get_ref() else {
                return Err(place.error("this must be a table, such as quick = { games = 10 }"));
            };
            for key in table.keys() {
                if !self.table.contains_key(key.get_ref().as_ref()) {
                    let place = Place { line: self.source.line(key.span().start), ..place.clone() };
                    return Err(
                        place.error(format!("{} is not set for the full run", key.get_ref()))
                    );
                }
            }
            self.quick = quick.then_some(table);
        }
        Ok(self)
    }

    /// Where the table itself is.
    pub(crate) fn place(&self) -> Place {
        Place { file: self.source.file.to_owned(), line: self.line, key: self.path.clone() }
    }

    fn place_of(&self, name: &str, at: usize) -> Place {
        let key =
            if self.path.is_empty() { name.to_owned() } else { format!("{}, {name}", self.path) };
        Place { file: self.source.file.to_owned(), line: self.source.line(at), key }
    }

    /// A value as the parser gives it, if there is one.
    pub(crate) fn raw(&self, name: &str) -> Option<(Raw<'a>, Place)> {
        self.known.borrow_mut().push(name.to_owned());
        let of = |table: &'a DeTable<'a>| table.get_key_value(name);
        let (key, value) = self.quick.and_then(of).or_else(|| of(self.table))?;
        Some((value, self.place_of(name, key.span().start)))
    }

    /// Every key of a table whose keys are up to the author, in the order of the file.
    pub(crate) fn entries(&self) -> Vec<(String, Raw<'a>, Place)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
            .into_iter()
            .map(|(key, value)| {
                let name = key.get_ref().to_string();
                self.known.borrow_mut().push(name.clone());
                let place = self.place_of(&name, key.span().start);
                (name, value, place)
            })
            .collect()
    }

    /// Text, a number or a flag, as text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<Placed<String>>, FileError> {
        let Some((value, place)) = self.raw(name) else { return Ok(None) };
        let value = scalar(value).ok_or_else(|| place.error("this must be text or a number"))?;
        Ok(Some(Placed { value, place }))
    }

    /// The same for a key that must be there.
    pub(crate) fn required(&self, name: &str) -> Result<Placed<String>, FileError> {
        self.text(name)?.ok_or_else(|| self.place().error(format!("{name} is missing")))
    }

    /// One text or a list of texts; an empty list if the key is missing.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<Placed<String>>, FileError> {
        let Some((value, place)) = self.raw(name) else { return Ok(Vec::new()) };
        let DeValue::Array(list) = value.get_ref() else {
            let value =
                scalar(value).ok_or_else(|| place.error("this must be text or a list of texts"))?;
            return Ok(vec![Placed { value, place }]);
        };
        list.iter()
            .map(|item| {
                let place = self.place_of(name, item.span().start);
                let value = scalar(item)
                    .ok_or_else(|| place.error("every item of the list must be text"))?;
                Ok(Placed { value, place })
            })
            .collect()
    }

    /// A value written as text or a number, parsed and checked. `expected` names what is allowed,
    /// such as "a whole number from 1 to 9".
    pub(crate) fn parsed<T: FromStr>(
        &self,
        name: &str,
        expected: &str,
        allowed: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, FileError> {
        let Some(Placed { value, place }) = self.text(name)? else { return Ok(None) };
        let parsed = value.parse().ok().filter(allowed);
        parsed.map(Some).ok_or_else(|| place.error(format!("{value:?} is not {expected}")))
    }

    /// `true` or `false`; `false` if the key is missing.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, FileError> {
        Ok(self.parsed::<bool>(name, "true or false", |_| true)?.unwrap_or(false))
    }

    /// A table within this one.
    pub(crate) fn table(&self, name: &str) -> Result<Option<Keys<'a>>, FileError> {
        let Some((value, place)) = self.raw(name) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(table) => Ok(Some(self.below(table, place))),
            _ => Err(place.error("this must be a table, such as { depth = 5 }")),
        }
    }

    /// The table under `quick`, in a quick run that has one.
    pub(crate) fn quick_table(&self, name: &str) -> Result<Option<Keys<'a>>, FileError> {
        let found = self.quick.is_some_and(|quick| quick.contains_key(name));
        if found { self.table(name) } else { Ok(None) }
    }

    /// The table as the full run has it.
    pub(crate) fn full_table(&self, name: &str) -> Result<Option<Keys<'a>>, FileError> {
        let full =
            Keys { quick: None, path: self.path.clone(), known: RefCell::default(), ..*self };
        self.known.borrow_mut().push(name.to_owned());
        full.table(name)
    }

    /// A list of tables within this one, `[[name]]` or a list of `{ }`; empty if the key is
    /// missing.
    pub(crate) fn tables(&self, name: &str) -> Result<Vec<Keys<'a>>, FileError> {
        let Some((value, place)) = self.raw(name) else { return Ok(Vec::new()) };
        let wrong =
            || place.error(format!("this must be a list of tables, each started by [[{name}]]"));
        let DeValue::Array(list) = value.get_ref() else { return Err(wrong()) };
        list.iter()
            .enumerate()
            .map(|(index, item)| {
                let DeValue::Table(table) = item.get_ref() else { return Err(wrong()) };
                let name =
                    if list.len() > 1 { format!("{name} {}", index + 1) } else { name.to_owned() };
                Ok(self.below(table, self.place_of(&name, item.span().start)))
            })
            .collect()
    }

    fn below(&self, table: &'a DeTable<'a>, place: Place) -> Self {
        Keys {
            source: self.source,
            path: place.key,
            table,
            line: place.line,
            quick: None,
            known: RefCell::default(),
        }
    }

    /// Rejects keys that nobody asked for.
    pub(crate) fn finish(self) -> Result<(), FileError> {
        let known = self.known.borrow();
        let unknown = self
            .table
            .keys()
            .filter(|key| !known.iter().any(|name| name == key.get_ref().as_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let name: &str = key.get_ref();
        let hint = nearest(name, known.iter().map(String::as_str)).unwrap_or_else(|| {
            let mut names = known.clone();
            names.sort_unstable();
            names.dedup();
            format!("there are {}", names.join(", "))
        });
        Err(self.place_of(name, key.span().start).error(format!("there is no such key; {hint}")))
    }
}

/// Text, a whole number, a number or a flag, as text.
pub(crate) fn scalar(value: Raw<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}
