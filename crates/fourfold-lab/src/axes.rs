//! Axes: what an experiment varies, and one combination of their values, ready to be filled into
//! the texts of a part.

use crate::reading::{FileError, Keys, Place, Placed, Raw, scalar};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use toml::de::DeValue;

/// Something that is varied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Its values, at least one.
    pub values: Vec<AxisValue>,
}

/// A value of an axis: a label and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AxisValue {
    /// As shown, and as filled in for `{axis}`.
    pub label: String,
    /// What is filled in for `{axis.field}`.
    pub fields: BTreeMap<String, String>,
}

impl Axis {
    /// The labels as numbers, if all of them are numbers.
    #[must_use]
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| value.label.parse().ok()).collect()
    }

    /// The name as people read it: `mid_col` is `mid col`.
    pub(crate) fn title(&self) -> String {
        self.name.replace('_', " ")
    }

    fn position(&self, label: &str) -> Option<usize> {
        self.values.iter().position(|value| value.label == label)
    }
}

/// The most combinations that a part may have; more is a slip.
const MAX_COMBINATIONS: usize = 5_000;

/// The longest text, in bytes, that filling in may make.
const MAX_FILLED: usize = 64 << 10;

/// Values that name other values are filled in up to this depth.
const MAX_NESTING: usize = 4;

/// The axes of a `vary` table, in the order of the file.
pub(crate) fn read_axes(vary: &Keys<'_>) -> Result<Vec<Axis>, FileError> {
    vary.entries()
        .into_iter()
        .map(|(name, value, place)| {
            let values = read_axis_values(&name, value, &place)?;
            Ok(Axis { name, values })
        })
        .collect()
}

fn read_axis_values(name: &str, list: Raw<'_>, place: &Place) -> Result<Vec<AxisValue>, FileError> {
    if !name.starts_with(|c: char| c.is_ascii_alphabetic())
        || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        return Err(place.error(
            "the name of an axis consists of letters, digits and underscores, \
             and starts with a letter",
        ));
    }
    let DeValue::Array(list) = list.get_ref() else {
        return Err(place.error("this must be a list of values, such as depth = [1, 2, 3]"));
    };
    let mut values: Vec<AxisValue> = Vec::new();
    for item in list {
        let value = axis_value(item).ok_or_else(|| {
            place.error(
                "a value is text, a number, or a table with a name, \
                 such as { name = \"a\", depth = 3 }",
            )
        })?;
        if values.iter().any(|other| other.label == value.label) {
            return Err(place.error(format!("{:?} occurs twice", value.label)));
        }
        values.push(value);
    }
    if values.is_empty() {
        return Err(place.error("the list is empty"));
    }
    Ok(values)
}

fn axis_value(item: Raw<'_>) -> Option<AxisValue> {
    let DeValue::Table(table) = item.get_ref() else {
        return Some(AxisValue { label: scalar(item)?, fields: BTreeMap::new() });
    };
    let mut fields = table
        .iter()
        .map(|(key, value)| Some((key.get_ref().to_string(), scalar(value)?)))
        .collect::<Option<BTreeMap<_, _>>>()?;
    Some(AxisValue { label: fields.remove("name")?, fields })
}

/// The index of the axis of that name.
pub(crate) fn axis_named(name: &Placed<String>, axes: &[Axis]) -> Result<usize, FileError> {
    axes.iter().position(|axis| axis.name == name.value).ok_or_else(|| {
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        let known = match names.as_slice() {
            [] => "nothing is varied".to_owned(),
            names => format!("vary has {}", names.join(", ")),
        };
        name.place.error(format!("{:?} is not varied here; {known}", name.value))
    })
}

/// Values of some axes, `{ depth = 5, ai = "easy" }`, as pairs of axis and value index.
///
/// A quick run has fewer values. What a file says about the others is kept under an index that no
/// cell has.
pub(crate) fn read_values(
    table: &Keys<'_>,
    axes: &[Axis],
    quick: bool,
) -> Result<Vec<(usize, usize)>, FileError> {
    let mut at = Vec::new();
    for (name, value, place) in table.entries() {
        let axis = axis_named(&Placed { value: name, place: place.clone() }, axes)?;
        let label = scalar(value).unwrap_or_default();
        let index = axes[axis].position(&label);
        if index.is_none() && !quick {
            return Err(place.error(format!("{label:?} is not among the values that are varied")));
        }
        at.push((axis, index.unwrap_or(usize::MAX)));
    }
    Ok(at)
}

/// The same where an axis may have several values: `{ depth = [5, 7], ai = "easy" }`.
pub(crate) fn read_value_sets(
    table: &Keys<'_>,
    axes: &[Axis],
    quick: bool,
) -> Result<Vec<(usize, Vec<usize>)>, FileError> {
    let mut at = Vec::new();
    for (name, value, place) in table.entries() {
        let axis = axis_named(&Placed { value: name, place: place.clone() }, axes)?;
        let list: Vec<Raw<'_>> = match value.get_ref() {
            DeValue::Array(list) => list.iter().collect(),
            _ => vec![value],
        };
        let mut indices = Vec::new();
        for label in list {
            let label = scalar(label).unwrap_or_default();
            match axes[axis].position(&label) {
                Some(index) => indices.push(index),
                None if quick => {}
                None => {
                    let problem = format!("{label:?} is not among the values that are varied");
                    return Err(place.error(problem));
                }
            }
        }
        at.push((axis, indices));
    }
    Ok(at)
}

/// The number of combinations, or what is wrong with it.
pub(crate) fn count_combinations(axes: &[Axis]) -> Result<usize, String> {
    axes.iter()
        .try_fold(1usize, |product, axis| product.checked_mul(axis.values.len()))
        .filter(|&count| count <= MAX_COMBINATIONS)
        .ok_or_else(|| format!("vary makes more than {MAX_COMBINATIONS} combinations"))
}

/// One combination of values.
pub(crate) struct Combination<'a> {
    axes: &'a [Axis],
    /// For each axis, the index of its value.
    pub(crate) values: Vec<usize>,
}

impl<'a> Combination<'a> {
    /// Combination number `index`; the last axis runs fastest.
    pub(crate) fn new(axes: &'a [Axis], mut index: usize) -> Self {
        let mut values: Vec<usize> = axes
            .iter()
            .rev()
            .map(|axis| {
                let value = index % axis.values.len();
                index /= axis.values.len();
                value
            })
            .collect();
        values.reverse();
        Self { axes, values }
    }

    /// The key of the cell: `part: axis=value, axis=value`.
    pub(crate) fn key(&self, part: &str) -> String {
        if self.axes.is_empty() { part.to_owned() } else { format!("{part}: {}", self.listed("=")) }
    }

    fn listed(&self, between: &str) -> String {
        let values: Vec<String> = self
            .axes
            .iter()
            .zip(&self.values)
            .map(|(axis, &value)| format!("{}{between}{}", axis.name, axis.values[value].label))
            .collect();
        values.join(", ")
    }

    /// The text with `{axis}` and `{axis.field}` replaced. What is filled in may name others.
    pub(crate) fn fill(&self, text: &Placed<String>) -> Result<String, FileError> {
        let mut filled = text.value.clone();
        for _ in 0..MAX_NESTING {
            if !filled.contains('{') {
                return Ok(filled);
            }
            filled = self.fill_once(&filled).map_err(|problem| text.place.error(problem))?;
        }
        Err(text.place.error("the values in braces refer to each other without end"))
    }

    fn fill_once(&self, text: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or("a { has no matching }")?;
            let value = self.value(name).ok_or_else(|| {
                format!("{{{name}}} is neither varied nor a field of what is varied")
            })?;
            filled += before;
            filled += value;
            rest = after;
            if filled.len() > MAX_FILLED {
                return Err(format!("filled in, this is longer than {MAX_FILLED} bytes"));
            }
        }
        Ok(filled + rest)
    }

    fn value(&self, name: &str) -> Option<&str> {
        let (axis, field) =
            name.split_once('.').map_or((name, None), |(axis, field)| (axis, Some(field)));
        let at = self.axes.iter().position(|candidate| candidate.name == axis)?;
        let value = &self.axes[at].values[self.values[at]];
        match field {
            None => Some(&value.label),
            Some(field) => value.fields.get(field).map(String::as_str),
        }
    }

    /// An error in a text that was filled in; it names the combination.
    pub(crate) fn error(&self, place: &Place, problem: impl Display) -> FileError {
        if self.axes.is_empty() {
            place.error(problem)
        } else {
            place.error(format!("{problem} (with {})", self.listed(" = ")))
        }
    }

    /// The filled text, parsed.
    pub(crate) fn parse<T: FromStr<Err: Display>>(
        &self,
        text: &Placed<String>,
    ) -> Result<T, FileError> {
        self.fill(text)?.parse().map_err(|why| self.error(&text.place, why))
    }

    /// The filled text as a whole number in a range; underscores between digits are allowed.
    pub(crate) fn number(
        &self,
        text: &Placed<String>,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, FileError> {
        let written = self.fill(text)?;
        let number = written.replace('_', "").parse().ok();
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let problem = format!("{written:?} is not a whole number from {least} to {most}");
            self.error(&text.place, problem)
        })
    }
}
