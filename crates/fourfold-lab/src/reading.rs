//! Reading TOML with the place of every key, so that an error names file, key and line.
//!
//! [`Keys`] is a table of the file. Every key that is asked for counts as known; [`Keys::finish`]
//! refuses the others. A table `quick` beside the keys stands in for them when a quick run is
//! wanted.

use fourfold::search::nearest;
use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with an experiment file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {}{problem}", if .key.is_empty() { String::new() } else { format!("{}: ", .key) })]
pub struct FileError {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The key with the tables it lies in, as in `match 2, games`; empty if the file is no TOML at
    /// all.
    pub key: String,
    /// In words.
    pub problem: String,
}

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

    /// The file as a table.
    pub(crate) fn parse(&self) -> Result<Spanned<DeTable<'_>>, FileError> {
        DeTable::parse(self.text).map_err(|error| FileError {
            file: self.file.to_owned(),
            line: self.line(error.span().map_or(0, |span| span.start)),
            key: String::new(),
            problem: error.message().to_owned(),
        })
    }
}

/// Where a value stands.
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
            line: self.line,
            key: self.key.clone(),
            problem: problem.to_string(),
        }
    }

    /// The order in the file.
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
    /// The table of the whole file.
    pub(crate) fn root(source: &'a Source<'a>, table: &'a DeTable<'a>) -> Self {
        Self { source, path: String::new(), table, line: 1, quick: None, known: RefCell::default() }
    }

    /// The same table, with what stands under `quick` first if that is wanted. `quick` is known
    /// either way.
    pub(crate) fn preferring_quick(mut self, quick: bool) -> Result<Self, FileError> {
        if let Some((value, place)) = self.raw("quick") {
            let DeValue::Table(table) = value.get_ref() else {
                return Err(place.error("it is a table, as in quick = { games = 10 }"));
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

    /// Where the table itself stands.
    pub(crate) fn place(&self) -> Place {
        Place { file: self.source.file.to_owned(), line: self.line, key: self.path.clone() }
    }

    fn place_of(&self, name: &str, at: usize) -> Place {
        let key =
            if self.path.is_empty() { name.to_owned() } else { format!("{}, {name}", self.path) };
        Place { file: self.source.file.to_owned(), line: self.source.line(at), key }
    }

    /// A value as it stands, if it is there.
    pub(crate) fn raw(&self, name: &str) -> Option<(Raw<'a>, Place)> {
        self.known.borrow_mut().push(name.to_owned());
        let of = |table: &'a DeTable<'a>| table.get_key_value(name);
        let (key, value) = self.quick.and_then(of).or_else(|| of(self.table))?;
        Some((value, self.place_of(name, key.span().start)))
    }

    /// Every key of a table whose keys are the author's own, in the order of the file.
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
        let value = scalar(value).ok_or_else(|| place.error("it is text or a number"))?;
        Ok(Some(Placed { value, place }))
    }

    /// The same where it must be there.
    pub(crate) fn required(&self, name: &str) -> Result<Placed<String>, FileError> {
        self.text(name)?.ok_or_else(|| self.place().error(format!("{name} is missing")))
    }

    /// One text or a list of them; nothing is an empty list.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<Placed<String>>, FileError> {
        let Some((value, place)) = self.raw(name) else { return Ok(Vec::new()) };
        let DeValue::Array(list) = value.get_ref() else {
            let value =
                scalar(value).ok_or_else(|| place.error("it is text or a list of texts"))?;
            return Ok(vec![Placed { value, place }]);
        };
        list.iter()
            .map(|item| {
                let place = self.place_of(name, item.span().start);
                let value =
                    scalar(item).ok_or_else(|| place.error("a list of texts holds texts only"))?;
                Ok(Placed { value, place })
            })
            .collect()
    }

    /// A value that is written as text or a number, read by `FromStr`, within what makes sense.
    pub(crate) fn parsed<T: FromStr>(
        &self,
        name: &str,
        expected: &str,
        sensible: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, FileError> {
        let Some(Placed { value, place }) = self.text(name)? else { return Ok(None) };
        let parsed = value.parse().ok().filter(sensible);
        parsed.map(Some).ok_or_else(|| place.error(format!("{value:?} makes no sense: {expected}")))
    }

    /// `true` or `false`; nothing is `false`.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, FileError> {
        Ok(self.parsed::<bool>(name, "it is true or false", |_| true)?.unwrap_or(false))
    }

    /// A table in this one.
    pub(crate) fn table(&self, name: &str) -> Result<Option<Keys<'a>>, FileError> {
        let Some((value, place)) = self.raw(name) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(table) => Ok(Some(self.below(table, place))),
            _ => Err(place.error("it is a table, as in { depth = 5 }")),
        }
    }

    /// The same key of the quick version, if that is wanted and has it.
    pub(crate) fn quick_table(&self, name: &str) -> Result<Option<Keys<'a>>, FileError> {
        let found = self.quick.is_some_and(|quick| quick.contains_key(name));
        if found { self.table(name) } else { Ok(None) }
    }

    /// The table as the full version has it.
    pub(crate) fn full_table(&self, name: &str) -> Result<Option<Keys<'a>>, FileError> {
        let full =
            Keys { quick: None, path: self.path.clone(), known: RefCell::default(), ..*self };
        self.known.borrow_mut().push(name.to_owned());
        full.table(name)
    }

    /// A list of tables in this one, `[[name]]` or a list of `{ }`; nothing is an empty list.
    pub(crate) fn tables(&self, name: &str) -> Result<Vec<Keys<'a>>, FileError> {
        let Some((value, place)) = self.raw(name) else { return Ok(Vec::new()) };
        let wrong = || place.error(format!("it is a list of tables, each begun with [[{name}]]"));
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

    /// Refuses keys that nobody asked for.
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
