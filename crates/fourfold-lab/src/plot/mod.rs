//! Plots: what an experiment file asks for, and the points that a run has for it. `draw` makes the
//! SVG.

mod draw;
mod scale;

use crate::axes::{Axis, axis_named, read_values};
use crate::experiment::{Part, metric_named};
use crate::metrics::{Metric, PartKind, Unit};
use crate::pooling::pooled;
use crate::reading::{FileError, Keys, Placed};
use crate::runner::PartOutcome;
use crate::statistics::{Growth, growth};
use crate::text;
pub use draw::draw;
use std::ops::Range;

/// What to plot.
#[derive(Debug, Clone)]
pub struct PlotSpec {
    /// Above the plot.
    pub title: String,
    /// Below the plot.
    pub caption: Option<String>,
    /// The axis of the experiment that runs from left to right.
    pub x: usize,
    /// The metrics that run upwards, at least one.
    pub y: Vec<&'static Metric>,
    /// The axis that has a line (or bar) of its own for each value.
    pub lines: Option<usize>,
    /// Which values of that axis; a plot that was split has a part of them.
    pub groups: Range<usize>,
    /// Only cells with these values, pairs of axis and value index.
    pub only: Vec<(usize, usize)>,
    /// How it looks.
    pub shape: PlotShape,
    /// True for a logarithmic y axis.
    pub log: bool,
    /// Draw c^x and c^(x/2) for this c.
    pub base: Option<f64>,
    /// Say how fast each line grows.
    pub fit: bool,
}

/// How a plot looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotShape {
    /// Points joined by lines.
    Lines,
    /// Bars side by side.
    Bars,
    /// Shares stacked on top of each other.
    Stack,
}

impl PlotSpec {
    /// The plots that a table of the file asks for: one, or several if there are more lines than
    /// colours.
    pub(crate) fn read(
        keys: Keys<'_>,
        kind: PartKind,
        axes: &[Axis],
        quick: bool,
    ) -> Result<Vec<Self>, FileError> {
        let place = keys.place();
        let spec = Self::read_one(keys, kind, axes, quick)?;
        if spec.y.len() > draw::MOST_SERIES {
            let problem = format!(
                "y has {} metrics, and there are {} colours: make several plots",
                spec.y.len(),
                draw::MOST_SERIES
            );
            return Err(place.error(problem));
        }
        Ok(spec.split())
    }

    /// As few plots as have a colour for each line, with about as many lines each.
    fn split(self) -> Vec<Self> {
        let (groups, most) = (self.groups.len(), draw::MOST_SERIES / self.y.len());
        let plots = groups.div_ceil(most).max(1);
        if plots == 1 {
            return vec![self];
        }
        let part = |index: usize| Self {
            title: format!("{} ({} of {plots})", self.title, index + 1),
            groups: index * groups / plots..(index + 1) * groups / plots,
            ..self.clone()
        };
        (0..plots).map(part).collect()
    }

    fn read_one(
        keys: Keys<'_>,
        kind: PartKind,
        axes: &[Axis],
        quick: bool,
    ) -> Result<Self, FileError> {
        let y = keys.texts("y")?;
        if y.is_empty() {
            return Err(keys.place().error("y is missing: the metric to plot, such as nodes"));
        }
        let base = "a number greater than 1";
        let lines = keys.text("lines")?.map(|axis| axis_named(&axis, axes)).transpose()?;
        let spec = Self {
            title: keys.required("title")?.value,
            caption: keys.text("caption")?.map(|caption| caption.value),
            x: axis_named(&keys.required("x")?, axes)?,
            y: y.iter()
                .map(|name| metric_named(&name.value, &name.place, kind))
                .collect::<Result<_, _>>()?,
            lines,
            groups: 0..lines.map_or(1, |lines| axes[lines].values.len()),
            only: match keys.table("where")? {
                Some(at) => read_values(&at, axes, quick)?,
                None => Vec::new(),
            },
            shape: keys.text("shape")?.map_or(Ok(PlotShape::Lines), |text| read_shape(&text))?,
            log: keys.flag("log")?,
            base: keys.parsed("base", base, |base: &f64| *base > 1.0 && base.is_finite())?,
            fit: keys.flag("fit")?,
        };
        keys.finish()?;
        Ok(spec)
    }
}

fn read_shape(text: &Placed<String>) -> Result<PlotShape, FileError> {
    match text.value.as_str() {
        "lines" => Ok(PlotShape::Lines),
        "bars" => Ok(PlotShape::Bars),
        "stack" => Ok(PlotShape::Stack),
        other => Err(text.place.error(format!("{other:?} is not lines, bars or stack"))),
    }
}

/// A point of a line, or a bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlotPoint {
    /// The number on the x axis, or the index of the value if values are not numbers.
    pub x: f64,
    /// The number on the y axis.
    pub y: f64,
    /// The bounds of its interval.
    pub whisker: Option<(f64, f64)>,
}

/// A line, or the bars of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is.
    pub label: String,
    /// From left to right.
    pub points: Vec<PlotPoint>,
    /// True for published figures, which are drawn hollow.
    pub published: bool,
    /// Selects colour and mark; a published line shares those of ours.
    pub style: usize,
    /// True for a theoretical line: drawn thin, without marks.
    pub theory: bool,
}

/// A plot, ready to be drawn.
#[derive(Debug, Clone)]
pub struct Plot {
    /// Above the plot.
    pub title: String,
    /// What is on the x axis.
    pub x_label: String,
    /// The values on the x axis, in order; none if they are numbers.
    pub categories: Option<Vec<String>>,
    /// What is on the y axis.
    pub y_label: String,
    /// How numbers on the y axis are shown.
    pub unit: Unit,
    /// How it looks.
    pub shape: PlotShape,
    /// True for a logarithmic y axis.
    pub log: bool,
    /// The lines.
    pub series: Vec<Series>,
    /// What the fits found, one sentence each.
    pub remarks: Vec<String>,
    /// What it should show and does not, in a sentence.
    pub left_out: Option<String>,
    /// Points of the other plots that one with too many lines was split into: all of them have the
    /// same scale.
    pub beside: Vec<PlotPoint>,
}

impl Plot {
    /// The plot of a run's results; `None` if there is nothing to plot.
    #[must_use]
    pub fn of(spec: &PlotSpec, part: &Part, outcome: &PartOutcome) -> Option<Self> {
        let axis = &part.axes[spec.x];
        let data = PlotData {
            spec,
            part,
            outcome,
            numbers: axis.numbers().filter(|_| spec.shape == PlotShape::Lines),
        };
        let mut series = data.series();
        if series.is_empty() {
            return None;
        }
        let remarks = if spec.fit { fits(&series, spec.base) } else { Vec::new() };
        if let Some(base) = spec.base {
            series.extend(theory(base, &series));
        }
        let labels = || axis.values.iter().map(|value| value.label.clone()).collect();
        Some(Self {
            title: spec.title.clone(),
            x_label: axis.title(),
            categories: data.numbers.is_none().then(labels),
            y_label: y_label(spec),
            unit: spec.y[0].unit,
            shape: spec.shape,
            log: spec.log,
            left_out: data.left_out(),
            beside: data.beside(),
            series,
            remarks,
        })
    }

    /// The text below it: the caption of the file, and what the fits found. What is left out
    /// stands in the drawing itself.
    #[must_use]
    pub fn caption(&self, spec: &PlotSpec) -> String {
        let mut sentences: Vec<&str> = spec.caption.iter().map(String::as_str).collect();
        sentences.extend(self.remarks.iter().map(String::as_str));
        sentences.join(" ")
    }
}

/// The most that a plot names of what it leaves out.
const MOST_NAMED: usize = 3;

/// What the points of a plot come from.
struct PlotData<'a> {
    spec: &'a PlotSpec,
    part: &'a Part,
    outcome: &'a PartOutcome,
    /// The values of the x axis, if they are numbers and shown as such.
    numbers: Option<Vec<f64>>,
}

impl PlotData<'_> {
    /// Ours and the published ones, for each value of the axis of lines and each metric.
    fn series(&self) -> Vec<Series> {
        let mut series: Vec<Series> = Vec::new();
        for group in self.spec.groups.clone() {
            for metric in &self.spec.y {
                let ours = series.iter().filter(|series| !series.published).count();
                let style = self.style(metric, ours);
                let label = self.label(group, metric);
                let published_label = match label.as_str() {
                    "measured" => "published".to_owned(),
                    label => format!("{label}, published"),
                };
                let lines = [
                    (false, label, self.points(|value| self.measured(value, group, metric))),
                    (true, published_label, self.points(|value| self.figure(value, group, metric))),
                ];
                for (published, label, points) in lines {
                    if !points.is_empty() {
                        series.push(Series { label, points, published, style, theory: false });
                    }
                }
            }
        }
        merge_published(series)
    }

    /// The points of the other plots, if this is a part of one that was split.
    fn beside(&self) -> Vec<PlotPoint> {
        let all = self.spec.lines.map_or(1, |lines| self.part.axes[lines].values.len());
        if self.spec.groups.len() == all {
            return Vec::new();
        }
        let spec = PlotSpec { groups: 0..all, ..self.spec.clone() };
        let whole = PlotData { spec: &spec, numbers: self.numbers.clone(), ..*self };
        whole.series().into_iter().flat_map(|series| series.points).collect()
    }

    fn points(&self, at: impl Fn(usize) -> Option<PlotPoint>) -> Vec<PlotPoint> {
        (0..self.part.axes[self.spec.x].values.len()).filter_map(at).collect()
    }

    fn x(&self, value: usize) -> f64 {
        self.numbers.as_ref().map_or(value as f64, |numbers| numbers[value])
    }

    /// The cells of one value of the x axis and one group.
    fn cells(&self, value: usize, group: usize) -> impl Iterator<Item = usize> {
        let mut wanted = self.spec.only.clone();
        wanted.push((self.spec.x, value));
        wanted.extend(self.spec.lines.map(|lines| (lines, group)));
        let fits = move |&index: &usize| self.part.cells[index].has(&wanted);
        (0..self.part.cells.len()).filter(fits)
    }

    fn measured(&self, value: usize, group: usize, metric: &Metric) -> Option<PlotPoint> {
        let cells: Vec<usize> = self.cells(value, group).collect();
        let found = pooled(self.part, self.outcome, &cells, metric)?;
        let whisker = found.interval.map(|interval| (interval.low, interval.high));
        let shown = !self.spec.log || found.value > 0.0;
        shown.then(|| PlotPoint { x: self.x(value), y: found.value, whisker })
    }

    /// What should be in the plot and is not: cells without a number, and numbers that a
    /// logarithmic axis cannot show.
    fn left_out(&self) -> Option<String> {
        let (mut cells, mut zeros) = (Vec::new(), 0);
        for (value, label) in self.part.axes[self.spec.x].values.iter().enumerate() {
            for group in self.spec.groups.clone() {
                for metric in &self.spec.y {
                    let found: Vec<usize> = self.cells(value, group).collect();
                    match pooled(self.part, self.outcome, &found, metric) {
                        None if !found.is_empty() => {
                            let label = match self.label(group, metric).as_str() {
                                "measured" => label.label.clone(),
                                line => format!("{line} at {}", label.label),
                            };
                            cells.push(label);
                        }
                        Some(found) if self.spec.log && found.value <= 0.0 => zeros += 1,
                        _ => {}
                    }
                }
            }
        }
        let mut told = Vec::new();
        if !cells.is_empty() {
            let more = match cells.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            cells.truncate(MOST_NAMED);
            told.push(format!("{}{more} (not run)", cells.join("; ")));
        }
        match zeros {
            0 => {}
            1 => told.push("1 value of 0, which has no place on a log scale".to_owned()),
            _ => told.push(format!("{zeros} values of 0, which have no place on a log scale")),
        }
        (!told.is_empty()).then(|| format!("Not shown: {}.", told.join("; ")))
    }

    fn figure(&self, value: usize, group: usize, metric: &Metric) -> Option<PlotPoint> {
        let figures = self
            .cells(value, group)
            .filter_map(|index| self.part.figure(&self.part.cells[index], metric.name));
        let y = mean(figures.map(|figure| figure.value))?;
        Some(PlotPoint { x: self.x(value), y, whisker: None })
    }

    fn label(&self, group: usize, metric: &Metric) -> String {
        let group = self.spec.lines.map(|lines| name_of(&self.part.axes[lines], group));
        match (group, self.spec.y.len()) {
            (None, 1) => "measured".to_owned(),
            (None, _) => metric.title.to_owned(),
            (Some(label), 1) => label,
            (Some(label), _) => format!("{label}: {}", metric.title),
        }
    }

    fn style(&self, metric: &Metric, next: usize) -> usize {
        match (metric.name, self.spec.shape) {
            // The colour of the player, of the opponent, and grey for nobody.
            ("wins", PlotShape::Stack) => 0,
            ("losses", PlotShape::Stack) => 1,
            ("draws", PlotShape::Stack) => 6,
            _ => next,
        }
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// What a value is called by itself: a number or `on` needs the name of its axis.
fn name_of(axis: &Axis, value: usize) -> String {
    let label = &axis.values[value].label;
    let bare = matches!(label.as_str(), "on" | "off") || label.parse::<f64>().is_ok();
    if bare { format!("{} {label}", axis.title()) } else { label.clone() }
}

/// Equal lines of published figures become one.
fn merge_published(series: Vec<Series>) -> Vec<Series> {
    let mut kept: Vec<Series> = Vec::new();
    for line in series {
        if let Some(same) = kept
            .iter_mut()
            .find(|other| other.published && line.published && other.points == line.points)
        {
            "published".clone_into(&mut same.label);
        } else {
            kept.push(line);
        }
    }
    kept
}

fn y_label(spec: &PlotSpec) -> String {
    let titles: Vec<&str> = spec.y.iter().map(|metric| metric.title).collect();
    let what = match spec.shape {
        PlotShape::Stack => "share of games".to_owned(),
        _ => titles.join(", "),
    };
    if spec.log { format!("{what} (log scale)") } else { what }
}

/// How fast each line grows, a sentence each.
fn fits(series: &[Series], base: Option<f64>) -> Vec<String> {
    let fit = |line: &Series| {
        let points: Vec<(f64, f64)> = line.points.iter().map(|point| (point.x, point.y)).collect();
        growth(&points).map(|found| fit_remark(&line.label, found, base))
    };
    series.iter().filter(|line| !line.published).filter_map(fit).collect()
}

fn fit_remark(label: &str, found: Growth, base: Option<f64>) -> String {
    let mut remark = format!("{label} grows by {} per ply", text::value(found.base, Unit::Times));
    if let Some(base) = base {
        let exponent = found.base.ln() / base.ln();
        remark += &format!(", that is, as {}^({exponent:.2} d)", text::plain(base));
    }
    remark + "."
}

/// c^x and c^(x/2) over the range of the lines.
fn theory(base: f64, series: &[Series]) -> Vec<Series> {
    let xs = || series.iter().flat_map(|line| line.points.iter().map(|point| point.x));
    let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let line = |label: String, power: f64| Series {
        label,
        points: [low, high]
            .map(|x| PlotPoint { x, y: base.powf(power * x), whisker: None })
            .to_vec(),
        published: false,
        style: 0,
        theory: true,
    };
    let c = text::plain(base);
    vec![line(format!("{c}^d"), 1.0), line(format!("{c}^(d/2)"), 0.5)]
}
