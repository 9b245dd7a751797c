//! Experiments as files: what is measured, over what, and what others published of it.
//!
//! A file has parts (`[[match]]`, `[[search]]`, `[[count]]`, `[[replica]]`). A part is run for
//! every combination of the values in its `vary`; each combination is a [`Cell`]. Texts of the part
//! may name an axis in braces: `player = "lookahead:{level}"`. `docs/laboratory.md` has every key.

use crate::cell::{Cell, Work};
use crate::metrics::{Kind, Metric};
use crate::plot::PlotSpec;
use crate::reading::{FileError, Keys, Place, Placed, Raw, Source, scalar};
use fourfold::search::nearest;
use std::collections::BTreeMap;
use toml::de::DeValue;

/// Reads files that an experiment names, relative to itself.
pub type Loader<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// An experiment, read and checked.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The file's name without `.toml`.
    pub name: String,
    /// One line.
    pub title: String,
    /// What it asks.
    pub question: String,
    /// What was found, in a sentence; written by whoever ran it.
    pub finding: Option<String>,
    /// The publication whose figures stand beside ours.
    pub source: Option<String>,
    /// Paragraphs.
    pub text: Vec<String>,
    /// What everything random comes from.
    pub seed: u64,
    /// True for the small version.
    pub quick: bool,
    /// In the order of the file.
    pub parts: Vec<Part>,
    /// Changes whenever what is run does; words, figures of others and plots are not part of it.
    pub fingerprint: u64,
}

/// A part of an experiment: one kind of work over all combinations of its axes.
#[derive(Debug, Clone)]
pub struct Part {
    /// A word, unique in the experiment.
    pub name: String,
    /// One line.
    pub title: String,
    /// Paragraphs.
    pub text: Vec<String>,
    /// Why figures differ from the published ones, and the like.
    pub notes: Vec<String>,
    /// What it does.
    pub kind: Kind,
    /// What is varied, the slowest first.
    pub axes: Vec<Axis>,
    /// Every combination.
    pub cells: Vec<Cell>,
    /// Figures of others.
    pub published: Vec<Published>,
    /// What the table shows.
    pub show: Vec<&'static Metric>,
    /// The axis whose values stand side by side in the table.
    pub across: Option<usize>,
    /// What cells are compared with: values of some axes.
    pub baseline: Vec<(usize, usize)>,
    /// Pictures.
    pub plots: Vec<PlotSpec>,
    /// True if all searches of one position to one depth must give one value.
    pub agree: bool,
    /// True if nothing else runs meanwhile, for the sake of its times.
    pub alone: bool,
    /// Nodes that a cell may take.
    pub budget: u64,
}

/// Something that is varied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<AxisValue>,
}

/// A value of an axis: a label and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AxisValue {
    /// As shown.
    pub label: String,
    /// For `{axis.field}`.
    pub fields: BTreeMap<String, String>,
}

impl Axis {
    /// The labels as numbers, if all are.
    #[must_use]
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| value.label.parse().ok()).collect()
    }

    fn position(&self, label: &str) -> Option<usize> {
        self.values.iter().position(|value| value.label == label)
    }
}

/// Figures that somebody published, for the cells that have these values.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Values of some axes.
    pub at: Vec<(usize, usize)>,
    /// Metric and figure.
    pub figures: Vec<(&'static str, Figure)>,
}

/// A published figure: a number, or a range in which it is said to lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// As published.
    pub text: String,
    /// The number, or the middle of the range.
    pub value: f64,
}

impl Figure {
    fn parse(text: &str) -> Option<Self> {
        let number =
            |text: &str| text.trim().replace('_', "").parse::<f64>().ok().filter(|n| n.is_finite());
        let value = match text.split_once("..") {
            None => number(text)?,
            Some((low, high)) => (number(low)? + number(high)?) / 2.0,
        };
        Some(Self { text: text.replace("..", "–").replace('_', ""), value })
    }
}

/// Nodes that a cell may take unless told otherwise: minutes.
const BUDGET: u64 = 20_000_000_000;

/// A part may have so many cells at most; more is a slip.
const MOST_CELLS: usize = 5_000;

impl Experiment {
    /// Reads an experiment from the text of a file. With `quick`, what stands under `quick` in the
    /// file counts.
    ///
    /// # Errors
    /// If the text is no TOML, has a key that there is not, or a value that makes no sense; the
    /// error names file, key and line.
    pub fn read(file: &str, text: &str, quick: bool, load: Loader<'_>) -> Result<Self, FileError> {
        let source = Source { file, text };
        let table = source.parse()?;
        let keys = Keys::root(&source, table.get_ref()).preferring_quick(quick)?;
        let whole = "it is a whole number from 0 to 9007199254740991";
        let seed = keys.parsed("seed", whole, |seed: &u64| *seed < 1 << 53)?.unwrap_or(1);
        let budget = budget(&keys)?.unwrap_or(BUDGET);
        let mut parts: Vec<(usize, Part)> = Vec::new();
        for (word, kind) in Kind::ALL {
            for part in keys.tables(word)? {
                let place = part.place();
                let reader = PartReader { kind, seed, budget, quick, load };
                let part = reader.read(part.preferring_quick(quick)?)?;
                if parts.iter().any(|(_, other)| other.name == part.name) {
                    return Err(place.error(format!("there are two parts named {}", part.name)));
                }
                parts.push((place.line(), part));
            }
        }
        parts.sort_by_key(|(line, _)| *line);
        if parts.is_empty() {
            let words = Kind::ALL.map(|(word, _)| format!("[[{word}]]")).join(", ");
            return Err(keys.place().error(format!("an experiment has at least one of {words}")));
        }
        let one = |name| Ok(keys.text(name)?.map(|text| text.value));
        let experiment = Self {
            name: name_of(file),
            title: keys.required("title")?.value,
            question: keys.required("question")?.value,
            finding: one("finding")?,
            source: one("source")?,
            text: values(keys.texts("text")?),
            seed,
            quick,
            fingerprint: fingerprint(parts.iter().flat_map(|(_, part)| &part.cells)),
            parts: parts.into_iter().map(|(_, part)| part).collect(),
        };
        keys.finish()?;
        Ok(experiment)
    }

    /// The same experiment, in which `external` players may play: `host` starts them. Without a
    /// host they cannot.
    #[must_use]
    pub fn hosted_by(mut self, host: fourfold::play::Host) -> Self {
        self.parts
            .iter_mut()
            .flat_map(|part| &mut part.cells)
            .for_each(|cell| cell.task.let_in(host));
        self
    }

    /// What was found; a quick run is too small to have found it.
    #[must_use]
    pub fn told_finding(&self) -> Option<&str> {
        self.finding.as_deref().filter(|_| !self.quick)
    }

    /// Items (games, positions) of all cells.
    #[must_use]
    pub fn items(&self) -> usize {
        self.parts.iter().flat_map(|part| &part.cells).map(|cell| cell.task.items()).sum()
    }
}

/// `experiments/umbc.toml` is called `umbc`.
fn name_of(file: &str) -> String {
    let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
    last.strip_suffix(".toml").unwrap_or(last).to_owned()
}

fn values(texts: Vec<Placed<String>>) -> Vec<String> {
    texts.into_iter().map(|text| text.value).collect()
}

fn budget(keys: &Keys<'_>) -> Result<Option<u64>, FileError> {
    keys.parsed("budget", "it is a number of nodes, at least 1", |nodes: &u64| *nodes > 0)
}

/// FNV-1a over all that cells do.
fn fingerprint<'c>(cells: impl Iterator<Item = &'c Cell>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for cell in cells {
        for byte in format!("{}\0{:?}\0", cell.key, cell.task).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

struct PartReader<'a> {
    kind: Kind,
    seed: u64,
    budget: u64,
    quick: bool,
    load: Loader<'a>,
}

impl PartReader<'_> {
    fn read(&self, keys: Keys<'_>) -> Result<Part, FileError> {
        let name = keys.required("name")?;
        if name.value.is_empty()
            || !name.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        {
            return Err(name.place.error("a name is made of letters, digits and hyphens"));
        }
        let mut axes = match keys.full_table("vary")? {
            Some(vary) => read_axes(&vary)?,
            None => Vec::new(),
        };
        // A quick run varies the same, over fewer values.
        if let Some(fewer) = keys.quick_table("vary")? {
            for quick in read_axes(&fewer)? {
                match axes.iter_mut().find(|axis| axis.name == quick.name) {
                    Some(axis) => *axis = quick,
                    None => {
                        let problem = format!("{} is not varied in the full run", quick.name);
                        return Err(fewer.place().error(problem));
                    }
                }
            }
        }
        let work = Work::read(self.kind, &keys, self.seed)?;
        let mut load =
            |place: &Place, file: &str| (self.load)(file).map_err(|why| place.error(why));
        let combinations: usize = axes.iter().map(|axis| axis.values.len()).product();
        if combinations > MOST_CELLS {
            return Err(keys
                .place()
                .error(format!("{combinations} combinations are more than {MOST_CELLS}")));
        }
        let mut cells = Vec::with_capacity(combinations);
        for index in 0..combinations {
            let values = unravel(index, &axes);
            let filling = Filling { axes: &axes, values: &values };
            cells.push(Cell {
                key: key(&name.value, &filling),
                task: work.task(&filling, &mut load)?,
                values,
            });
        }
        let part = Part {
            title: keys.text("title")?.map_or_else(|| name.value.clone(), |title| title.value),
            text: values(keys.texts("text")?),
            notes: values(keys.texts("notes")?),
            kind: self.kind,
            published: self.published(&keys, &axes)?,
            show: self.show(&keys)?,
            across: self.axis(&keys, "across", &axes)?,
            baseline: match keys.table("baseline")? {
                Some(at) => read_values(&at, &axes, self.quick)?,
                None => Vec::new(),
            },
            plots: keys
                .tables("plot")?
                .into_iter()
                .map(|plot| PlotSpec::read(plot, self.kind, &axes, self.quick))
                .collect::<Result<_, _>>()?,
            agree: self.kind == Kind::Search && keys.flag("agree")?,
            alone: keys.flag("alone")?,
            budget: budget(&keys)?.unwrap_or(self.budget),
            name: name.value,
            axes,
            cells,
        };
        keys.finish()?;
        Ok(part)
    }

    fn axis(&self, keys: &Keys<'_>, key: &str, axes: &[Axis]) -> Result<Option<usize>, FileError> {
        keys.text(key)?.map(|axis| axis_named(&axis, axes)).transpose()
    }

    fn show(&self, keys: &Keys<'_>) -> Result<Vec<&'static Metric>, FileError> {
        let names = keys.texts("show")?;
        if names.is_empty() {
            return Ok(self.kind.metrics().iter().take(4).collect());
        }
        names.iter().map(|name| metric_named(&name.value, &name.place, self.kind)).collect()
    }

    fn published(&self, keys: &Keys<'_>, axes: &[Axis]) -> Result<Vec<Published>, FileError> {
        let mut all = Vec::new();
        for table in keys.tables("published")? {
            let at = match table.table("at")? {
                Some(at) => read_values(&at, axes, self.quick)?,
                None => Vec::new(),
            };
            let mut figures = Vec::new();
            for (name, value, place) in table.entries() {
                if name == "at" {
                    continue;
                }
                let metric = metric_named(&name, &place, self.kind)?;
                let figure = scalar(value).and_then(|text| Figure::parse(&text));
                let wrong =
                    || place.error("a published figure is a number, or a range such as \"55..58\"");
                figures.push((metric.name, figure.ok_or_else(wrong)?));
            }
            all.push(Published { at, figures });
        }
        Ok(all)
    }
}

pub(crate) fn metric_named(
    name: &str,
    place: &Place,
    kind: Kind,
) -> Result<&'static Metric, FileError> {
    let metrics = kind.metrics();
    metrics.iter().find(|metric| metric.name == name).ok_or_else(|| {
        let names = || metrics.iter().map(|metric| metric.name);
        let hint = nearest(name, names())
            .unwrap_or_else(|| format!("there are {}", names().collect::<Vec<_>>().join(", ")));
        place.error(format!("nothing is measured that is called {name:?}; {hint}"))
    })
}

pub(crate) fn axis_named(name: &Placed<String>, axes: &[Axis]) -> Result<usize, FileError> {
    axes.iter().position(|axis| axis.name == name.value).ok_or_else(|| {
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        name.place.error(format!(
            "{:?} is not varied here; vary has {}",
            name.value,
            names.join(", ")
        ))
    })
}

fn read_axes(vary: &Keys<'_>) -> Result<Vec<Axis>, FileError> {
    let mut axes = Vec::new();
    for (name, value, place) in vary.entries() {
        if !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            return Err(
                place.error("an axis is named by letters, digits and underscores, a letter first")
            );
        }
        let DeValue::Array(list) = value.get_ref() else {
            return Err(place.error("it is a list of values, as in depth = [1, 2, 3]"));
        };
        let mut values: Vec<AxisValue> = Vec::new();
        for item in list {
            let value = axis_value(item).ok_or_else(|| {
                place.error(
                    "a value is text, a number, or a table with a name, as in { name = \"a\", depth = 3 }",
                )
            })?;
            if values.iter().any(|other| other.label == value.label) {
                return Err(place.error(format!("{:?} is there twice", value.label)));
            }
            values.push(value);
        }
        if values.is_empty() {
            return Err(place.error("the list is empty"));
        }
        axes.push(Axis { name, values });
    }
    Ok(axes)
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

/// `{ depth = 5, ai = "easy" }`: values of some axes. A quick run has fewer of them; what is said
/// of the others waits for the full one, under an index that no cell has.
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

/// The values of combination `index`, the last axis running fastest.
fn unravel(mut index: usize, axes: &[Axis]) -> Vec<usize> {
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
    values
}

fn key(part: &str, filling: &Filling<'_>) -> String {
    let values: Vec<String> = filling
        .axes
        .iter()
        .zip(filling.values)
        .map(|(axis, &value)| format!("{}={}", axis.name, axis.values[value].label))
        .collect();
    if values.is_empty() { part.to_owned() } else { format!("{part}: {}", values.join(", ")) }
}

/// One combination of values, ready to be filled into texts.
pub(crate) struct Filling<'a> {
    pub(crate) axes: &'a [Axis],
    pub(crate) values: &'a [usize],
}

impl Filling<'_> {
    /// The text with `{axis}` and `{axis.field}` replaced; what is filled in may name others.
    pub(crate) fn fill(&self, text: &Placed<String>) -> Result<String, FileError> {
        let mut filled = text.value.clone();
        for _ in 0..4 {
            let Some(start) = filled.find('{') else { return Ok(filled) };
            let mut next = filled[..start].to_owned();
            let mut rest = &filled[start..];
            while let Some(open) = rest.find('{') {
                next += &rest[..open];
                let close =
                    rest[open..].find('}').ok_or_else(|| text.place.error("a { without its }"))?;
                let name = &rest[open + 1..open + close];
                let value = self.value(name).ok_or_else(|| {
                    text.place.error(format!(
                        "{{{name}}} is neither varied nor a field of what is varied"
                    ))
                })?;
                next += value;
                rest = &rest[open + close + 1..];
            }
            filled = next + rest;
        }
        Err(text.place.error("the values in braces name each other without end"))
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

    /// An error in a filled text names the combination it came up in.
    pub(crate) fn error(&self, place: &Place, problem: impl std::fmt::Display) -> FileError {
        let values: Vec<String> = self
            .axes
            .iter()
            .zip(self.values)
            .map(|(axis, &value)| format!("{} = {}", axis.name, axis.values[value].label))
            .collect();
        if values.is_empty() {
            place.error(problem)
        } else {
            place.error(format!("{problem} (with {})", values.join(", ")))
        }
    }
}

impl Part {
    /// The published figure for a metric of a cell.
    #[must_use]
    pub fn figure(&self, cell: &Cell, metric: &str) -> Option<&Figure> {
        let fits =
            |at: &[(usize, usize)]| at.iter().all(|&(axis, value)| cell.values[axis] == value);
        self.published
            .iter()
            .filter(|published| fits(&published.at))
            .flat_map(|published| &published.figures)
            .find(|(name, _)| *name == metric)
            .map(|(_, figure)| figure)
    }

    /// The index of the cell that `cell` is compared with.
    #[must_use]
    pub fn baseline_of(&self, cell: &Cell) -> Option<usize> {
        if self.baseline.is_empty() {
            return None;
        }
        let mut wanted = cell.values.clone();
        for &(axis, value) in &self.baseline {
            wanted[axis] = value;
        }
        self.cells.iter().position(|other| other.values == wanted)
    }
}

/// What a part's cells do, for the rest of the crate.
impl Cell {
    /// The label of an axis.
    #[must_use]
    pub fn label<'p>(&self, part: &'p Part, axis: usize) -> &'p str {
        &part.axes[axis].values[self.values[axis]].label
    }
}
