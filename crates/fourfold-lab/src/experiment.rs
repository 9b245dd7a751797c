//! Experiments as files: what is measured, over what, and what others published about it.
//!
//! A file has parts (`[[match]]`, `[[search]]`, `[[count]]`, `[[replica]]`). A part is run for
//! every combination of the values in its `vary`; each combination is an [`ExperimentCell`]. Texts
//! of the part may name an axis in braces: `player = "lookahead:{level}"`. The laboratory's manual
//! lists every key.

use crate::axes::{Axis, Combination, axis_named, count_combinations, read_axes, read_values};
use crate::figures::{TextFigure, check_text, read_figures, read_names};
use crate::files::without_bom;
use crate::fingerprint::fingerprint;
use crate::metrics::{Metric, PartKind};
use crate::plot::PlotSpec;
use crate::reading::{FileError, Keys, Place, Placed, Source, scalar};
use crate::task::Task;
use crate::task_template::TaskTemplate;
use fourfold::search::nearest;

/// Reads the text of a file that an experiment names, relative to the experiment itself.
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
    /// What was found, in a sentence, with the names of figures in braces.
    pub finding: Option<String>,
    /// The publication whose figures are shown next to ours.
    pub source: Option<String>,
    /// Paragraphs of introduction.
    pub text: Vec<String>,
    /// The random seed.
    pub seed: u64,
    /// True for the quick version.
    pub quick: bool,
    /// The parts, in the order of the file.
    pub parts: Vec<Part>,
    /// The figures that its texts name in braces; none once the texts are filled.
    pub figures: Option<Vec<TextFigure>>,
    /// Changes whenever the work changes; titles, published figures and plots do not count.
    pub fingerprint: u64,
}

/// A part of an experiment: one kind of work over all combinations of its axes.
#[derive(Debug, Clone)]
pub struct Part {
    /// A word, unique in the experiment.
    pub name: String,
    /// One line.
    pub title: String,
    /// Paragraphs of introduction.
    pub text: Vec<String>,
    /// Remarks, such as why figures differ from the published ones.
    pub notes: Vec<String>,
    /// What it does.
    pub kind: PartKind,
    /// What is varied; the last axis runs fastest.
    pub axes: Vec<Axis>,
    /// Every combination.
    pub cells: Vec<ExperimentCell>,
    /// Figures that others published.
    pub published: Vec<Published>,
    /// The metrics that the table shows.
    pub show: Vec<&'static Metric>,
    /// The axis whose values are side by side in the table.
    pub across: Option<usize>,
    /// What cells are compared with: values of some axes, as pairs of axis and value index.
    pub baseline: Vec<(usize, usize)>,
    /// The axes whose values are put together in additional rows of the table.
    pub pool: Vec<usize>,
    /// The plots.
    pub plots: Vec<PlotSpec>,
    /// True if all searches of one position to one depth must find the same value.
    pub agree: bool,
    /// True if nothing else runs at the same time, so that its times can be trusted.
    pub alone: bool,
    /// The most nodes that a cell may visit.
    pub budget: u64,
}

/// One combination of values and the work for it.
#[derive(Debug, Clone)]
pub struct ExperimentCell {
    /// Unique in the experiment: the part and the values.
    pub key: String,
    /// For each axis, the index of its value.
    pub values: Vec<usize>,
    /// The work.
    pub task: Task,
}

impl ExperimentCell {
    /// The label of its value on an axis of its part.
    #[must_use]
    pub fn label<'p>(&self, part: &'p Part, axis: usize) -> &'p str {
        &part.axes[axis].values[self.values[axis]].label
    }

    /// True if it has these values, pairs of axis and value index.
    pub(crate) fn has(&self, values: &[(usize, usize)]) -> bool {
        values.iter().all(|&(axis, value)| self.values[axis] == value)
    }
}

/// Figures that somebody published for the cells with these values.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Values of some axes, as pairs of axis and value index.
    pub at: Vec<(usize, usize)>,
    /// Metric and figure.
    pub figures: Vec<(&'static str, Figure)>,
}

/// A published figure: a number, or the range in which it is said to lie.
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

/// The most nodes that a cell may visit unless the file says otherwise: minutes.
const DEFAULT_BUDGET: u64 = 20_000_000_000;

/// Seeds fit a double, so that they survive readers of JSON that know nothing else.
const MAX_SEED: u64 = (1 << 53) - 1;

impl Experiment {
    /// Reads an experiment from the text of a file. `file` is its path as errors should name it;
    /// with `quick`, what the file says under `quick` counts.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key, or a value that is not allowed; the error names
    /// file, line and key.
    pub fn read(file: &str, text: &str, quick: bool, load: Loader<'_>) -> Result<Self, FileError> {
        let source = Source { file, text: without_bom(text) };
        let table = source.parse()?;
        let keys = Keys::root(&source, table.get_ref()).preferring_quick(quick)?;
        let expected = format!("a whole number from 0 to {MAX_SEED}");
        let seed = keys.parsed("seed", &expected, |seed: &u64| *seed <= MAX_SEED)?.unwrap_or(1);
        let budget = budget(&keys)?.unwrap_or(DEFAULT_BUDGET);
        let names = read_names(&keys)?;
        let names = names.as_slice();
        let parts =
            read_parts(&keys, |kind| PartReader { kind, seed, budget, quick, load, names })?;
        let one = |name| Ok(keys.text(name)?.map(|text| text.value));
        let experiment = Self {
            name: name_of(file),
            title: keys.required("title")?.value,
            question: keys.required("question")?.value,
            finding: checked(keys.text("finding")?.into_iter().collect(), names)?.pop(),
            source: one("source")?,
            text: checked(keys.texts("text")?, names)?,
            seed,
            quick,
            fingerprint: fingerprint(&parts),
            figures: Some(read_figures(&keys, &parts, quick)?),
            parts,
        };
        keys.finish()?;
        Ok(experiment)
    }

    /// The same experiment with `external` players allowed: `host` starts them. Without a host,
    /// they cannot play.
    #[must_use]
    pub fn hosted_by(mut self, host: fourfold::play::Host) -> Self {
        self.parts
            .iter_mut()
            .flat_map(|part| &mut part.cells)
            .for_each(|cell| cell.task.host_players(host));
        self
    }

    /// The finding, unless this is the quick version, which is too small to confirm it.
    #[must_use]
    pub fn confirmed_finding(&self) -> Option<&str> {
        self.finding.as_deref().filter(|_| !self.quick)
    }

    /// The number of items (games, positions) of all cells.
    #[must_use]
    pub fn items(&self) -> usize {
        self.parts.iter().flat_map(|part| &part.cells).map(|cell| cell.task.items()).sum()
    }
}

/// All parts in the order of the file.
fn read_parts<'a>(
    keys: &Keys<'_>,
    reader: impl Fn(PartKind) -> PartReader<'a>,
) -> Result<Vec<Part>, FileError> {
    let mut parts: Vec<(usize, Part)> = Vec::new();
    for (word, kind) in PartKind::ALL {
        let reader = reader(kind);
        for part in keys.tables(word)? {
            let place = part.place();
            let part = reader.read(part.preferring_quick(reader.quick)?)?;
            if parts.iter().any(|(_, other)| other.name == part.name) {
                return Err(place.error(format!("there are two parts named {}", part.name)));
            }
            parts.push((place.line(), part));
        }
    }
    if parts.is_empty() {
        let words = PartKind::ALL.map(|(word, _)| format!("[[{word}]]")).join(", ");
        return Err(keys.place().error(format!("an experiment needs at least one of {words}")));
    }
    parts.sort_by_key(|(line, _)| *line);
    Ok(parts.into_iter().map(|(_, part)| part).collect())
}

/// `experiments/umbc.toml` is called `umbc`.
fn name_of(file: &str) -> String {
    let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
    last.strip_suffix(".toml").unwrap_or(last).to_owned()
}

/// Texts whose braces hold names of figures.
fn checked(texts: Vec<Placed<String>>, names: &[String]) -> Result<Vec<String>, FileError> {
    texts.into_iter().map(|text| check_text(&text, names).map(|()| text.value)).collect()
}

fn budget(keys: &Keys<'_>) -> Result<Option<u64>, FileError> {
    keys.parsed("budget", "a number of nodes, at least 1", |nodes: &u64| *nodes > 0)
}

struct PartReader<'a> {
    kind: PartKind,
    seed: u64,
    budget: u64,
    quick: bool,
    load: Loader<'a>,
    /// The names of figures.
    names: &'a [String],
}

impl PartReader<'_> {
    fn read(&self, keys: Keys<'_>) -> Result<Part, FileError> {
        let name = self.name(&keys)?;
        let axes = self.axes(&keys)?;
        let cells = self.cells(&keys, &name, &axes)?;
        let part = Part {
            title: keys.text("title")?.map_or_else(|| name.clone(), |title| title.value),
            text: checked(keys.texts("text")?, self.names)?,
            notes: checked(keys.texts("notes")?, self.names)?,
            kind: self.kind,
            published: self.published(&keys, &axes)?,
            show: self.show(&keys)?,
            across: keys.text("across")?.map(|axis| axis_named(&axis, &axes)).transpose()?,
            baseline: match keys.table("baseline")? {
                Some(at) => read_values(&at, &axes, self.quick)?,
                None => Vec::new(),
            },
            pool: keys
                .texts("pool")?
                .iter()
                .map(|axis| axis_named(axis, &axes))
                .collect::<Result<_, _>>()?,
            plots: self.plots(&keys, &axes)?,
            agree: self.kind == PartKind::Search && keys.flag("agree")?,
            alone: keys.flag("alone")?,
            budget: budget(&keys)?.unwrap_or(self.budget),
            name,
            axes,
            cells,
        };
        keys.finish()?;
        Ok(part)
    }

    fn name(&self, keys: &Keys<'_>) -> Result<String, FileError> {
        let name = keys.required("name")?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.value.is_empty() || !name.value.chars().all(allowed) {
            return Err(name.place.error("a name consists of letters, digits and hyphens"));
        }
        Ok(name.value)
    }

    /// The axes. A quick run varies the same ones, over fewer values.
    fn axes(&self, keys: &Keys<'_>) -> Result<Vec<Axis>, FileError> {
        let mut axes = match keys.full_table("vary")? {
            Some(vary) => read_axes(&vary)?,
            None => Vec::new(),
        };
        if let Some(fewer) = keys.quick_table("vary")? {
            for quick in read_axes(&fewer)? {
                let Some(axis) = axes.iter_mut().find(|axis| axis.name == quick.name) else {
                    let problem = format!("{} is not varied in the full run", quick.name);
                    return Err(fewer.place().error(problem));
                };
                *axis = quick;
            }
        }
        Ok(axes)
    }

    fn cells(
        &self,
        keys: &Keys<'_>,
        name: &str,
        axes: &[Axis],
    ) -> Result<Vec<ExperimentCell>, FileError> {
        let template = TaskTemplate::read(self.kind, keys, self.seed)?;
        let mut load =
            |place: &Place, file: &str| (self.load)(file).map_err(|why| place.error(why));
        let count = count_combinations(axes).map_err(|problem| keys.place().error(problem))?;
        (0..count)
            .map(|index| {
                let combination = Combination::new(axes, index);
                Ok(ExperimentCell {
                    key: combination.key(name),
                    task: template.task(&combination, &mut load)?,
                    values: combination.values,
                })
            })
            .collect()
    }

    /// The plots; one with more lines than there are colours is split.
    fn plots(&self, keys: &Keys<'_>, axes: &[Axis]) -> Result<Vec<PlotSpec>, FileError> {
        let mut plots = Vec::new();
        for plot in keys.tables("plot")? {
            if let Some(caption) = plot.text("caption")? {
                check_text(&caption, self.names)?;
            }
            plots.extend(PlotSpec::read(plot, self.kind, axes, self.quick)?);
        }
        Ok(plots)
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
                    || place.error("a published figure is a number or a range such as \"55..58\"");
                figures.push((metric.name, figure.ok_or_else(wrong)?));
            }
            all.push(Published { at, figures });
        }
        Ok(all)
    }
}

/// The metric of that name.
pub(crate) fn metric_named(
    name: &str,
    place: &Place,
    kind: PartKind,
) -> Result<&'static Metric, FileError> {
    let metrics = kind.metrics();
    metrics.iter().find(|metric| metric.name == name).ok_or_else(|| {
        let names = || metrics.iter().map(|metric| metric.name);
        let hint = nearest(name, names())
            .unwrap_or_else(|| format!("there are {}", names().collect::<Vec<_>>().join(", ")));
        place.error(format!("there is no metric {name:?}; {hint}"))
    })
}

impl Part {
    /// The published figure for a metric of a cell.
    #[must_use]
    pub fn figure(&self, cell: &ExperimentCell, metric: &str) -> Option<&Figure> {
        self.published
            .iter()
            .filter(|published| cell.has(&published.at))
            .flat_map(|published| &published.figures)
            .find(|(name, _)| *name == metric)
            .map(|(_, figure)| figure)
    }

    /// The index of the cell that `cell` is compared with.
    #[must_use]
    pub fn baseline_of(&self, cell: &ExperimentCell) -> Option<usize> {
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
