//! Figures in texts: numbers of a finding, a text or a note that are computed from the run.
//!
//! An experiment file names them in `[[figure]]` tables, and its texts hold the names in braces:
//! `"A position takes {per_position} times less time"`. Nothing that was measured is typed, so a
//! text cannot say what its run does not. A pair of braces in a text must hold the name of a
//! figure; a brace that is meant as such is written twice, `{{`.

use crate::axes::{axis_named, read_value_sets};
use crate::experiment::{Experiment, ExperimentCell, Part, metric_named};
use crate::metrics::{Metric, Unit};
use crate::pooling::pooled;
use crate::reading::{FileError, Keys, Placed};
use crate::runner::{Outcome, PartOutcome};
use crate::statistics::growth;
use crate::text;
use fourfold::search::nearest;

/// What stands in a text where the run has no number, such as that of a cell that was not run.
const MISSING: &str = "–";

/// A number that texts name.
#[derive(Debug, Clone)]
pub struct TextFigure {
    /// As in braces.
    pub name: String,
    /// The index of its part.
    part: usize,
    /// The metrics; more than one only where cells are counted.
    metrics: Vec<&'static Metric>,
    /// For some axes, the values that count.
    at: Vec<(usize, Vec<usize>)>,
    show: Show,
    over: Over,
}

/// What is shown of the cells.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Show {
    /// What was measured.
    Value,
    /// Its interval.
    Interval,
    /// What was published.
    Published,
    /// Published divided by ours.
    Ratio,
    /// How many cells have the published figure to the last digit.
    Exact,
    /// How many more have it when rounded to as many digits as were published.
    Rounded,
    /// How many cells have a published figure.
    Cells,
    /// The exponent e of a fit base^(e x) along an axis.
    Growth { along: usize, base: f64 },
}

/// How several cells become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    /// There is one cell.
    One,
    Least,
    Most,
    /// All games or positions together.
    Mean,
}

const SHOWS: [&str; 8] =
    ["value", "interval", "published", "ratio", "exact", "rounded", "cells", "growth"];
const OVERS: [&str; 4] = ["one", "least", "most", "mean"];

/// The names of all figures of a file, so that texts can be checked while it is read.
pub(crate) fn read_names(keys: &Keys<'_>) -> Result<Vec<String>, FileError> {
    let mut names: Vec<String> = Vec::new();
    for figure in keys.tables("figure")? {
        let name = figure.required("name")?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.value.is_empty() || !name.value.chars().all(allowed) {
            let problem = "the name of a figure consists of letters, digits and underscores";
            return Err(name.place.error(problem));
        }
        if names.contains(&name.value) {
            return Err(name.place.error(format!("there are two figures named {}", name.value)));
        }
        names.push(name.value);
    }
    Ok(names)
}

/// All figures of a file.
pub(crate) fn read_figures(
    keys: &Keys<'_>,
    parts: &[Part],
    quick: bool,
) -> Result<Vec<TextFigure>, FileError> {
    keys.tables("figure")?.into_iter().map(|figure| read_figure(figure, parts, quick)).collect()
}

fn read_figure(keys: Keys<'_>, parts: &[Part], quick: bool) -> Result<TextFigure, FileError> {
    let name = keys.required("name")?.value;
    let part_name = keys.required("part")?;
    let part = parts.iter().position(|part| part.name == part_name.value).ok_or_else(|| {
        let hint = known(&part_name.value, parts.iter().map(|part| part.name.as_str()));
        part_name.place.error(format!("there is no part {:?}; {hint}", part_name.value))
    })?;
    let of = &parts[part];
    let metrics = keys
        .texts("metric")?
        .iter()
        .map(|metric| metric_named(&metric.value, &metric.place, of.kind))
        .collect::<Result<Vec<_>, _>>()?;
    let at = match keys.table("at")? {
        Some(at) => read_value_sets(&at, &of.axes, quick)?,
        None => Vec::new(),
    };
    let show = read_show(&keys, of)?;
    let figure = TextFigure { name, part, metrics, at, show, over: read_over(&keys)? };
    if !quick {
        figure.check(of).map_err(|problem| keys.place().error(problem))?;
    }
    keys.finish()?;
    Ok(figure)
}

fn read_show(keys: &Keys<'_>, part: &Part) -> Result<Show, FileError> {
    let show = match word(keys, "show", &SHOWS)? {
        None | Some("value") => Show::Value,
        Some("interval") => Show::Interval,
        Some("published") => Show::Published,
        Some("ratio") => Show::Ratio,
        Some("exact") => Show::Exact,
        Some("rounded") => Show::Rounded,
        Some("cells") => Show::Cells,
        Some(_) => {
            let along = axis_named(&keys.required("along")?, &part.axes)?;
            if part.axes[along].numbers().is_none() {
                let problem = format!("the values of {} are not numbers", part.axes[along].name);
                return Err(keys.place().error(problem));
            }
            let expected = "a number greater than 1";
            let base = keys.parsed("base", expected, |base: &f64| *base > 1.0 && base.is_finite());
            Show::Growth { along, base: base?.unwrap_or(std::f64::consts::E) }
        }
    };
    Ok(show)
}

fn read_over(keys: &Keys<'_>) -> Result<Over, FileError> {
    Ok(match word(keys, "over", &OVERS)? {
        Some("least") => Over::Least,
        Some("most") => Over::Most,
        Some("mean") => Over::Mean,
        _ => Over::One,
    })
}

/// The value of a key that is one of some words.
fn word(
    keys: &Keys<'_>,
    name: &str,
    words: &[&'static str],
) -> Result<Option<&'static str>, FileError> {
    let Some(text) = keys.text(name)? else { return Ok(None) };
    let found = words.iter().find(|word| **word == text.value).copied();
    found.map(Some).ok_or_else(|| {
        text.place.error(format!("{:?} is not one of {}", text.value, words.join(", ")))
    })
}

fn known<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> String {
    nearest(name, names.clone()).unwrap_or_else(|| {
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            "there are none".into()
        } else {
            format!("there are {}", names.join(", "))
        }
    })
}

impl TextFigure {
    /// Says what is wrong with a figure of the full run.
    fn check(&self, part: &Part) -> Result<(), String> {
        let cells = self.cells(part);
        let counts = matches!(self.show, Show::Exact | Show::Rounded | Show::Cells);
        match self.metrics.len() {
            0 => return Err("metric is missing".to_owned()),
            1 => {}
            _ if counts => {}
            _ => return Err("only exact, rounded and cells count over several metrics".to_owned()),
        }
        if cells.is_empty() {
            return Err("no cell has these values".to_owned());
        }
        let whole = counts || matches!(self.show, Show::Growth { .. });
        if self.over == Over::One && !whole && cells.len() > 1 {
            return Err(format!(
                "{} cells have these values, such as {:?} and {:?}; name one with at, or say over = \
                 \"least\", \"most\" or \"mean\"",
                cells.len(),
                part.cells[cells[0]].key,
                part.cells[cells[1]].key
            ));
        }
        let compared = counts || matches!(self.show, Show::Published | Show::Ratio);
        let published = |&&cell: &&usize| self.published(part, &part.cells[cell]).next().is_some();
        if compared && !cells.iter().any(|cell| published(&cell)) {
            return Err("nothing is published for it".to_owned());
        }
        Ok(())
    }

    /// The cells that it is about.
    fn cells(&self, part: &Part) -> Vec<usize> {
        let fits = |cell: &ExperimentCell| {
            self.at.iter().all(|(axis, values)| values.contains(&cell.values[*axis]))
        };
        (0..part.cells.len()).filter(|&index| fits(&part.cells[index])).collect()
    }

    /// The published figures of a cell.
    fn published<'p>(
        &self,
        part: &'p Part,
        cell: &ExperimentCell,
    ) -> impl Iterator<Item = (&'static str, &'p crate::experiment::Figure)> {
        let found = |metric: &&'static Metric| Some((metric.name, part.figure(cell, metric.name)?));
        self.metrics.iter().filter_map(found).collect::<Vec<_>>().into_iter()
    }

    /// As it stands in the text.
    fn shown(&self, part: &Part, outcome: &PartOutcome) -> String {
        self.computed(part, outcome).unwrap_or_else(|| MISSING.to_owned())
    }

    fn computed(&self, part: &Part, outcome: &PartOutcome) -> Option<String> {
        let cells = self.cells(part);
        let &metric = self.metrics.first()?;
        let ours = |cell: usize| Some(outcome.cells[cell].metrics.get(metric.name)?.value);
        let theirs = |cell: usize| Some(part.figure(&part.cells[cell], metric.name)?.value);
        match self.show {
            Show::Value => {
                let value = match self.over {
                    Over::Mean => pooled(part, outcome, &cells, metric)?.value,
                    _ => self.one_of(cells.iter().filter_map(|&cell| ours(cell)))?,
                };
                Some(in_prose(value, metric.unit))
            }
            Show::Interval => {
                let interval = pooled(part, outcome, &cells, metric)?.interval?;
                Some(text::range(interval, metric.unit))
            }
            Show::Published => {
                let value = self.one_of(cells.iter().filter_map(|&cell| theirs(cell)))?;
                Some(in_prose(value, metric.unit))
            }
            Show::Ratio => {
                let ratio = |&cell: &usize| Some(theirs(cell)? / ours(cell)?);
                let ratio = self.one_of(cells.iter().filter_map(ratio))?;
                ratio.is_finite().then(|| text::about(ratio))
            }
            Show::Growth { along, base } => {
                let numbers = part.axes[along].numbers()?;
                let point =
                    |&cell: &usize| Some((numbers[part.cells[cell].values[along]], ours(cell)?));
                let points: Vec<(f64, f64)> = cells.iter().filter_map(point).collect();
                Some(format!("{:.2}", growth(&points)?.base.ln() / base.ln()))
            }
            Show::Exact => Some(self.count(part, outcome, &cells, is_exact)),
            Show::Rounded => Some(self.count(part, outcome, &cells, is_rounded)),
            Show::Cells => {
                let found =
                    cells.iter().map(|&cell| self.published(part, &part.cells[cell]).count());
                Some(found.sum::<usize>().to_string())
            }
        }
    }

    fn one_of(&self, mut numbers: impl Iterator<Item = f64>) -> Option<f64> {
        match self.over {
            Over::One => numbers.next(),
            Over::Least => numbers.reduce(f64::min),
            Over::Most => numbers.reduce(f64::max),
            Over::Mean => {
                let numbers: Vec<f64> = numbers.collect();
                let count = numbers.len() as f64;
                (count > 0.0).then(|| numbers.iter().sum::<f64>() / count)
            }
        }
    }

    /// How many published figures of the cells are `like` ours.
    fn count(
        &self,
        part: &Part,
        outcome: &PartOutcome,
        cells: &[usize],
        like: fn(&str, f64) -> bool,
    ) -> String {
        let mut count = 0;
        for &cell in cells {
            for (metric, figure) in self.published(part, &part.cells[cell]) {
                let ours = outcome.cells[cell].metrics.get(metric);
                count += usize::from(ours.is_some_and(|ours| like(&figure.text, ours.value)));
            }
        }
        count.to_string()
    }
}

/// True if a published figure is this number to the last digit.
fn is_exact(published: &str, ours: f64) -> bool {
    published.parse::<f64>().is_ok_and(|published| published == ours)
}

/// True if it is not, but is once ours is rounded to as many digits as were published: 2600 has
/// two.
fn is_rounded(published: &str, ours: f64) -> bool {
    let Ok(number) = published.parse::<f64>() else { return false };
    let zeros = published.len() - published.trim_end_matches('0').len();
    let unit = 10f64.powi(zeros as i32);
    !published.contains('.') && number != ours && (ours / unit).round() * unit == number
}

/// A number in a sentence: a ratio without its sign, for "times" follows.
fn in_prose(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Times => text::plain(number),
        unit => text::value(number, unit),
    }
}

/// Checks the names in the braces of a text.
pub(crate) fn check_text(text: &Placed<String>, names: &[String]) -> Result<(), FileError> {
    let mut unknown = None;
    let filled = fill(&text.value, |name| {
        if !names.iter().any(|known| known == name) {
            unknown.get_or_insert_with(|| name.to_owned());
        }
        String::new()
    });
    if let Err(problem) = filled {
        return Err(text.place.error(problem));
    }
    match unknown {
        None => Ok(()),
        Some(name) => {
            let hint = known(&name, names.iter().map(String::as_str));
            Err(text.place.error(format!(
                "there is no figure {name:?}; {hint} (a brace by itself is written twice: {{{{)"
            )))
        }
    }
}

/// The text with every name in braces replaced, and double braces by single ones.
fn fill(text: &str, mut figure: impl FnMut(&str) -> String) -> Result<String, &'static str> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at(at);
        out += before;
        if after.starts_with("{{") || after.starts_with("}}") {
            out += &after[..1];
            rest = &after[2..];
        } else if let Some(after) = after.strip_prefix('{') {
            let (name, after) = after.split_once('}').ok_or("a { has no matching }")?;
            out += &figure(name);
            rest = after;
        } else {
            return Err("a } has no matching {");
        }
    }
    Ok(out + rest)
}

impl Experiment {
    /// The same experiment with the figures of this run in its texts. To be called once, after the
    /// run; a second call changes nothing.
    #[must_use]
    pub fn with_figures(&self, outcome: &Outcome) -> Self {
        let mut filled = self.clone();
        let Some(figures) = filled.figures.take() else { return filled };
        let shown = |name: &str| {
            figures.iter().find(|figure| figure.name == name).map_or_else(
                || MISSING.to_owned(),
                |figure| figure.shown(&self.parts[figure.part], &outcome.parts[figure.part]),
            )
        };
        let put = |text: &mut String| {
            if let Ok(filled) = fill(text, shown) {
                *text = filled;
            }
        };
        filled.finding.iter_mut().for_each(put);
        filled.text.iter_mut().for_each(put);
        for part in &mut filled.parts {
            part.text.iter_mut().chain(&mut part.notes).for_each(put);
            part.plots.iter_mut().filter_map(|plot| plot.caption.as_mut()).for_each(put);
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::{fill, is_exact, is_rounded};

    #[test]
    fn braces_hold_names_or_stand_twice() {
        let told = |text: &str| fill(text, |name| format!("<{name}>"));
        assert_eq!(told("a {b} {{c}} {d}").unwrap(), "a <b> {c} <d>");
        assert_eq!(told("{b").unwrap_err(), "a { has no matching }");
        assert_eq!(told("b}").unwrap_err(), "a } has no matching {");
    }

    #[test]
    fn rounded_figures_are_told_from_exact_ones() {
        assert!(is_exact("41", 41.0) && !is_rounded("41", 41.0));
        assert!(is_rounded("2600", 2611.0) && is_rounded("700", 664.0));
        assert!(!is_rounded("2250", 2244.0) && !is_rounded("55–58", 56.0));
        assert!(!is_exact("55–58", 56.5));
    }
}
