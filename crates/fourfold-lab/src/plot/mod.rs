//! Plots: what an experiment file asks for, and the points that a run has for it. `svg` draws them.

mod scale;
mod svg;

use crate::experiment::{Axis, Part, axis_named, metric_named, read_values};
use crate::metrics::{Kind, Metric};
use crate::reading::{FileError, Keys, Placed};
use crate::runner::PartOutcome;
use crate::statistics::growth;
use crate::text;
pub use svg::draw;

/// What to draw.
#[derive(Debug, Clone)]
pub struct PlotSpec {
    /// Above the plot.
    pub title: String,
    /// Below it.
    pub caption: Option<String>,
    /// What goes from left to right.
    pub x: usize,
    /// What goes up.
    pub y: Vec<&'static Metric>,
    /// The axis that has a line (or bar) of its own for each value.
    pub lines: Option<usize>,
    /// Only cells with these values.
    pub only: Vec<(usize, usize)>,
    /// How it looks.
    pub shape: Shape,
    /// Powers of ten at equal distances.
    pub log: bool,
    /// Draw c^x and c^(x/2) for this c.
    pub base: Option<f64>,
    /// Say how each line grows.
    pub fit: bool,
}

/// How a plot looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Points joined by lines.
    Lines,
    /// Bars side by side.
    Bars,
    /// Shares on top of each other.
    Stack,
}

impl PlotSpec {
    pub(crate) fn read(
        keys: Keys<'_>,
        kind: Kind,
        axes: &[Axis],
        quick: bool,
    ) -> Result<Self, FileError> {
        let y = keys.texts("y")?;
        if y.is_empty() {
            return Err(keys.place().error("y is missing: what to draw, such as nodes"));
        }
        let spec = Self {
            title: keys.required("title")?.value,
            caption: keys.text("caption")?.map(|caption| caption.value),
            x: axis_named(&keys.required("x")?, axes)?,
            y: y.iter()
                .map(|name| metric_named(&name.value, &name.place, kind))
                .collect::<Result<_, _>>()?,
            lines: keys.text("lines")?.map(|axis| axis_named(&axis, axes)).transpose()?,
            only: match keys.table("where")? {
                Some(at) => read_values(&at, axes, quick)?,
                None => Vec::new(),
            },
            shape: match keys.text("shape")? {
                None => Shape::Lines,
                Some(Placed { value, place }) => match value.as_str() {
                    "lines" => Shape::Lines,
                    "bars" => Shape::Bars,
                    "stack" => Shape::Stack,
                    _ => {
                        return Err(place.error(format!(
                            "{value:?} is no shape: there are lines, bars, stack"
                        )));
                    }
                },
            },
            log: keys.flag("log")?,
            base: keys.parsed("base", "it is a number above 1", |base: &f64| {
                *base > 1.0 && base.is_finite()
            })?,
            fit: keys.flag("fit")?,
        };
        keys.finish()?;
        Ok(spec)
    }
}

/// A point of a line, or a bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The number on the x axis, or the index of the value.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// Where that may lie.
    pub whisker: Option<(f64, f64)>,
}

/// A line, or the bars of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is.
    pub label: String,
    /// From left to right.
    pub points: Vec<Point>,
    /// Figures of others, drawn hollow.
    pub published: bool,
    /// Which colour and mark; a published line shares those of ours.
    pub style: usize,
    /// A line of theory: drawn thin, without marks.
    pub theory: bool,
}

/// A plot ready to be drawn.
#[derive(Debug, Clone)]
pub struct Plot {
    /// Above it.
    pub title: String,
    /// What is on the x axis, and its ticks if they are words.
    pub x_label: String,
    /// Names of the values, in order; none if they are numbers.
    pub categories: Option<Vec<String>>,
    /// What is on the y axis.
    pub y_label: String,
    /// How y is written.
    pub unit: crate::metrics::Unit,
    /// How it looks.
    pub shape: Shape,
    /// Powers of ten at equal distances.
    pub log: bool,
    /// The lines.
    pub series: Vec<Series>,
    /// What the fits found, a sentence each.
    pub remarks: Vec<String>,
}

impl Plot {
    /// The points that a run has for a plot. None if there are none.
    #[must_use]
    pub fn of(spec: &PlotSpec, part: &Part, outcome: &PartOutcome) -> Option<Self> {
        let axis = &part.axes[spec.x];
        let numbers = axis.numbers().filter(|_| spec.shape == Shape::Lines);
        let x_of = |value: usize| numbers.as_ref().map_or(value as f64, |numbers| numbers[value]);
        let groups = spec.lines.map_or(1, |lines| part.axes[lines].values.len());
        let mut series = Vec::new();
        for group in 0..groups {
            for metric in &spec.y {
                let group_label = spec.lines.map(|lines| name_of(&part.axes[lines], group));
                let label = match (group_label, spec.y.len()) {
                    (None, 1) => "measured".to_owned(),
                    (None, _) => metric.title.to_owned(),
                    (Some(label), 1) => label,
                    (Some(label), _) => format!("{label}: {}", metric.title),
                };
                let pick = |value: usize| -> Vec<usize> {
                    let fits = |cell: &crate::cell::Cell| {
                        cell.values[spec.x] == value
                            && spec.lines.is_none_or(|lines| cell.values[lines] == group)
                            && spec.only.iter().all(|&(axis, wanted)| cell.values[axis] == wanted)
                    };
                    (0..part.cells.len()).filter(|&index| fits(&part.cells[index])).collect()
                };
                let style = match (metric.name, spec.shape) {
                    // The player's colour, the opponent's, and grey for nobody's.
                    ("losses", Shape::Stack) => 1,
                    ("draws", Shape::Stack) => 6,
                    ("wins", Shape::Stack) => 0,
                    _ => series.iter().filter(|series: &&Series| !series.published).count(),
                };
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                for value in 0..axis.values.len() {
                    let cells = pick(value);
                    let found: Vec<_> = cells
                        .iter()
                        .filter_map(|&index| outcome.cells[index].metrics.get(metric.name))
                        .collect();
                    if !found.is_empty() {
                        let y = found.iter().map(|estimate| estimate.value).sum::<f64>()
                            / found.len() as f64;
                        // The mean of several cells has no interval of its own.
                        let whisker = match found.as_slice() {
                            [one] => one.interval.map(|interval| (interval.low, interval.high)),
                            _ => None,
                        };
                        ours.push(Point { x: x_of(value), y, whisker });
                    }
                    let figures: Vec<f64> = cells
                        .iter()
                        .filter_map(|&index| part.figure(&part.cells[index], metric.name))
                        .map(|figure| figure.value)
                        .collect();
                    if !figures.is_empty() {
                        let y = figures.iter().sum::<f64>() / figures.len() as f64;
                        theirs.push(Point { x: x_of(value), y, whisker: None });
                    }
                }
                if !ours.is_empty() {
                    series.push(Series {
                        label: label.clone(),
                        points: ours,
                        published: false,
                        style,
                        theory: false,
                    });
                }
                if !theirs.is_empty() {
                    let label = if label == "measured" {
                        "published".to_owned()
                    } else {
                        format!("{label}, published")
                    };
                    series.push(Series {
                        label,
                        points: theirs,
                        published: true,
                        style,
                        theory: false,
                    });
                }
            }
        }
        merge_published(&mut series);
        if series.is_empty() {
            return None;
        }
        let mut remarks = Vec::new();
        if spec.fit {
            for line in series.iter().filter(|line| !line.published) {
                let points: Vec<(f64, f64)> =
                    line.points.iter().map(|point| (point.x, point.y)).collect();
                if let Some(found) = growth(&points) {
                    remarks.push(fitted(&line.label, found, spec.base));
                }
            }
        }
        if let Some(base) = spec.base {
            series.extend(theory(base, &series));
        }
        Some(Self {
            title: spec.title.clone(),
            x_label: axis.name.replace('_', " "),
            categories: numbers
                .is_none()
                .then(|| axis.values.iter().map(|value| value.label.clone()).collect()),
            y_label: y_label(spec),
            unit: spec.y[0].unit,
            shape: spec.shape,
            log: spec.log,
            series,
            remarks,
        })
    }
}

impl Plot {
    /// What stands below it: the caption of the file, and what the fits found.
    #[must_use]
    pub fn caption(&self, spec: &PlotSpec) -> String {
        let mut sentences: Vec<&str> = spec.caption.iter().map(String::as_str).collect();
        sentences.extend(self.remarks.iter().map(String::as_str));
        sentences.join(" ")
    }
}

/// What a value is called by itself: a number or `on` needs the name of its axis.
fn name_of(axis: &Axis, value: usize) -> String {
    let label = &axis.values[value].label;
    let bare = matches!(label.as_str(), "on" | "off") || label.parse::<f64>().is_ok();
    if bare { format!("{} {label}", axis.name.replace('_', " ")) } else { label.clone() }
}

/// Lines of published figures that say the same are one line.
fn merge_published(series: &mut Vec<Series>) {
    let mut kept: Vec<Series> = Vec::new();
    for line in series.drain(..) {
        if let Some(same) = kept
            .iter_mut()
            .find(|other| other.published && line.published && other.points == line.points)
        {
            "published".clone_into(&mut same.label);
        } else {
            kept.push(line);
        }
    }
    *series = kept;
}

fn y_label(spec: &PlotSpec) -> String {
    let titles: Vec<&str> = spec.y.iter().map(|metric| metric.title).collect();
    let what =
        if spec.shape == Shape::Stack { "share of games".to_owned() } else { titles.join(", ") };
    if spec.log { format!("{what} (log scale: equal steps multiply)") } else { what }
}

fn fitted(label: &str, found: crate::statistics::Growth, base: Option<f64>) -> String {
    let mut remark =
        format!("{label} grows by {} a ply", text::value(found.base, crate::metrics::Unit::Times));
    if let Some(base) = base {
        let exponent = found.base.ln() / base.ln();
        remark += &format!(", that is as {}^({exponent:.2} d)", text::plain(base));
    }
    remark + "."
}

/// c^x and c^(x/2) over the range of the lines.
fn theory(base: f64, series: &[Series]) -> Vec<Series> {
    let xs = || series.iter().flat_map(|line| line.points.iter().map(|point| point.x));
    let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let line = |label: String, power: f64| Series {
        label,
        points: [low, high].map(|x| Point { x, y: base.powf(power * x), whisker: None }).to_vec(),
        published: false,
        style: 0,
        theory: true,
    };
    let c = text::plain(base);
    vec![line(format!("{c}^d"), 1.0), line(format!("{c}^(d/2)"), 0.5)]
}
