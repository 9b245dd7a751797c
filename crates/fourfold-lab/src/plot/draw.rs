//! A plot as an SVG drawing. Inside a report, the page's own colours apply.

use super::scale::Scale;
use super::{Plot, PlotPoint, PlotShape, Series};
use crate::metrics::Unit;
use crate::svg::{circle, escape, line, polyline, rect, round, text, text_width};
use crate::text::{plain, rough, value};
use std::fmt::Write;

/// The first two colours are those of the players.
const STYLE: &str = "\
.plot{--paper:#fff;--ink:#131a33;--muted:#535c76;--line:#e2ddd0;\
--c0:#c2500a;--c1:#0b5fa5;--c2:#1c2430;--c3:#7a3fa8;--c4:#2f6d35;--c5:#8a6d00;--c6:#8a93a0}\
@media(prefers-color-scheme:dark){\
.plot{--paper:#171d33;--ink:#eef1fc;--muted:#a9b2cf;--line:#2a3354;\
--c0:#ff9f4a;--c1:#5fb4f0;--c2:#e8eaee;--c3:#cfa6f5;--c4:#8fd197;--c5:#e0c65a;--c6:#66707e}}\
@media print{\
.plot{--paper:#fff;--ink:#131a33;--muted:#535c76;--line:#e2ddd0;\
--c0:#c2500a;--c1:#0b5fa5;--c2:#1c2430;--c3:#7a3fa8;--c4:#2f6d35;--c5:#8a6d00;--c6:#8a93a0}}\
.plot text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',\
sans-serif;fill:#1c2430;fill:var(--ink);font-variant-numeric:tabular-nums}\
.plot .head{font-size:17px;font-weight:700}\
.plot .small{font-size:13px;fill:#4a5463;fill:var(--muted)}\
.plot .mid{text-anchor:middle}.plot .end{text-anchor:end}\
.plot .paper{fill:#fff;fill:var(--paper)}\
.plot .grid{stroke:#d9dde3;stroke:var(--line);stroke-width:1}\
.plot .axis{stroke:#4a5463;stroke:var(--muted);stroke-width:1.5}\
.plot .theory{fill:none;stroke:#4a5463;stroke:var(--muted);stroke-width:1.5;\
stroke-dasharray:2 4}\
.plot .join{fill:none;stroke-width:2}\
.plot .published .join{stroke-dasharray:6 4;stroke-width:1.5}\
.plot .mark{stroke-width:2}.plot .whisker{stroke-width:1.5;fill:none}\
.plot .published .mark{fill:none}";

/// The colours on light paper, for viewers without custom properties.
const COLOURS: [&str; 7] =
    ["#c2500a", "#0b5fa5", "#1c2430", "#7a3fa8", "#2f6d35", "#8a6d00", "#8a93a0"];

/// The most lines of a plot: as many as there are colours.
pub(super) const MOST_SERIES: usize = COLOURS.len();

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 52.0;
/// The size of text, and of small text.
const TEXT: f64 = 14.0;
const SMALL: f64 = 13.0;
/// From line to line of a label on the x axis.
const LABEL_LINE: f64 = 14.0;
/// Between labels at the ends of lines.
const LABEL_GAP: f64 = 18.0;
/// From line to line of the note on what is left out.
const NOTE_LINE: f64 = 18.0;
/// From row to row of the legend.
const LEGEND_ROW: f64 = 22.0;

fn stroke(style: usize) -> String {
    let style = style % COLOURS.len();
    format!("stroke:{};stroke:var(--c{style})", COLOURS[style])
}

fn fill(style: usize) -> String {
    let style = style % COLOURS.len();
    format!("fill:{};fill:var(--c{style})", COLOURS[style])
}

/// A group with the colours of a series; published ones are hollow.
fn group(series: &Series) -> String {
    if series.published {
        format!("<g class=\"published\" style=\"{}\">", stroke(series.style))
    } else {
        format!("<g style=\"{};{}\">", stroke(series.style), fill(series.style))
    }
}

/// Where things are.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    height: f64,
    x: Scale,
    y: Scale,
    y_ticks: Vec<String>,
    /// True if lines are named at their ends.
    direct: bool,
    legend_rows: usize,
}

impl Frame {
    fn of(plot: &Plot) -> Self {
        let y = y_scale(plot);
        let y_ticks: Vec<String> = y.ticks.iter().map(|&tick| tick_text(tick, plot)).collect();
        let left = 20.0 + y_ticks.iter().map(|text| text_width(text, SMALL)).fold(20.0, f64::max);
        let direct = plot.shape == PlotShape::Lines && plot.series.len() > 1;
        let widths = plot.series.iter().map(|series| text_width(&series.label, TEXT));
        let labels = widths.fold(0.0, f64::max).min(WIDTH * 0.36);
        let legend_rows = if direct || plot.series.len() < 2 { 0 } else { legend_rows(plot) };
        let legend = legend_rows as f64 * LEGEND_ROW;
        let right = WIDTH - 24.0 - if direct { labels + 10.0 } else { 0.0 };
        let note = NOTE_LINE * note_lines(plot).len() as f64;
        let height = HEIGHT + legend + note;
        let foot = note + BOTTOM + LABEL_LINE * (label_lines(plot, right - left) - 1) as f64;
        Self {
            left,
            right,
            top: TOP + legend,
            bottom: height - foot,
            height,
            x: x_scale(plot),
            y,
            y_ticks,
            direct,
            legend_rows,
        }
    }

    fn x(&self, number: f64) -> f64 {
        self.left + self.x.share(number) * (self.right - self.left)
    }

    fn y(&self, number: f64) -> f64 {
        self.bottom - self.y.share(number) * (self.bottom - self.top)
    }

    fn at(&self, point: &PlotPoint) -> (f64, f64) {
        (self.x(point.x), self.y(point.y))
    }

    /// The distance between neighbours on an axis of categories.
    fn slot(&self) -> f64 {
        self.x(1.0) - self.x(0.0)
    }
}

/// Draws a plot as an SVG document.
#[must_use]
pub fn draw(plot: &Plot) -> String {
    let frame = Frame::of(plot);
    let height = frame.height;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" \
         role=\"img\" aria-label=\"{}\"><style>{STYLE}</style>{}{}{}",
        escape(&in_words(plot)),
        rect("paper", (0.0, 0.0), (WIDTH, height)),
        text("head", 12.0, 18.0, &plot.title),
        text("small", 12.0, 41.5, &plot.y_label),
    );
    for (tick, label) in frame.y.ticks.iter().zip(&frame.y_ticks) {
        let y = frame.y(*tick);
        out += &line("grid", (frame.left, y), (frame.right, y));
        out += &text("small end", frame.left - 8.0, y, label);
    }
    draw_x_axis(&mut out, plot, &frame);
    match plot.shape {
        PlotShape::Lines => draw_lines(&mut out, plot, &frame),
        PlotShape::Bars => draw_bars(&mut out, plot, &frame),
        PlotShape::Stack => draw_stack(&mut out, plot, &frame),
    }
    out += &line("axis", (frame.left, frame.bottom), (frame.right, frame.bottom));
    if frame.legend_rows > 0 {
        draw_legend(&mut out, plot);
    }
    let notes = note_lines(plot);
    for (row, words) in notes.iter().enumerate() {
        let y = height - NOTE_LINE * (notes.len() - row) as f64 + 6.0;
        out += &text("small", 12.0, y, words);
    }
    out + "</svg>\n"
}

/// What the plot leaves out, in lines that fit.
fn note_lines(plot: &Plot) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in plot.left_out.iter().flat_map(|note| note.split(' ')) {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), SMALL) <= WIDTH - 24.0 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The plot in words, for people who cannot see it.
fn in_words(plot: &Plot) -> String {
    let mut words = format!("{}. {} over {}.", plot.title, plot.y_label, plot.x_label);
    for series in plot.series.iter().filter(|series| !series.theory) {
        if let (Some(first), Some(last)) = (series.points.first(), series.points.last()) {
            let (first, last) = (value(first.y, plot.unit), value(last.y, plot.unit));
            let _ = write!(words, " {}: from {first} to {last}.", series.label);
        }
    }
    if let Some(note) = &plot.left_out {
        let _ = write!(words, " {note}");
    }
    words
}

fn tick_text(tick: f64, plot: &Plot) -> String {
    match plot.unit {
        Unit::Share | Unit::Points => format!("{} %", plain((100.0 * tick).round())),
        Unit::Number if plot.log && tick >= 1e6 => rough(tick).replace("1.0 · ", ""),
        Unit::Number => plain(tick),
        unit => value(tick, unit),
    }
}

/// From 0 to 100 %.
fn share_scale() -> Scale {
    Scale::exactly(0.0, 1.0, (0..=5).map(|n| f64::from(n) / 5.0).collect())
}

fn y_scale(plot: &Plot) -> Scale {
    if plot.shape == PlotShape::Stack {
        return share_scale();
    }
    let own = || plot.series.iter().flat_map(|series| &series.points);
    let points = || own().chain(&plot.beside);
    let ends = points().flat_map(|point| {
        let (low, high) = point.whisker.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let scale = Scale::covering(ends, plot.log, true);
    // No share exceeds 100 %.
    if plot.unit == Unit::Share
        && points().all(|point| point.y <= 1.0)
        && scale.ticks.last().is_some_and(|&tick| tick > 1.0)
    {
        return share_scale();
    }
    scale
}

fn x_scale(plot: &Plot) -> Scale {
    if let Some(categories) = &plot.categories {
        let last = categories.len() as f64;
        return Scale::exactly(-0.5, last - 0.5, (0..categories.len()).map(|n| n as f64).collect());
    }
    let mut ticks: Vec<f64> =
        plot.series.iter().flat_map(|line| line.points.iter().map(|point| point.x)).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let (low, high) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
    if ticks.len() > 16 {
        ticks = ticks.into_iter().step_by(2).collect();
    }
    let margin = (high - low) * 0.04;
    Scale::exactly(low - margin, high + margin, ticks)
}

fn draw_x_axis(out: &mut String, plot: &Plot, frame: &Frame) {
    let labels: Vec<String> = match &plot.categories {
        Some(categories) => categories.clone(),
        None => frame.x.ticks.iter().map(|&tick| plain(tick)).collect(),
    };
    let width = frame.right - frame.left;
    let room = width / labels.len().max(1) as f64;
    for (tick, label) in frame.x.ticks.iter().zip(&labels) {
        for (row, words) in wrapped(label, room).iter().enumerate() {
            let y = frame.bottom + 14.5 + LABEL_LINE * row as f64;
            *out += &text("small mid", frame.x(*tick), y, words);
        }
    }
    let lines = label_lines(plot, width);
    let y = frame.bottom + 40.5 + LABEL_LINE * (lines - 1) as f64;
    *out += &text("small mid", f64::midpoint(frame.left, frame.right), y, &plot.x_label);
}

/// How many lines the labels of the x axis take, one or two.
fn label_lines(plot: &Plot, width: f64) -> usize {
    let categories = plot.categories.as_deref().unwrap_or_default();
    let room = width / categories.len().max(1) as f64;
    categories.iter().map(|label| wrapped(label, room).len()).max().unwrap_or(1)
}

/// A label in one line if it fits the room, else in two of about the same length.
fn wrapped(label: &str, room: f64) -> Vec<String> {
    if text_width(label, SMALL) <= room {
        return vec![label.to_owned()];
    }
    let words: Vec<&str> = label.split(' ').collect();
    let split = (1..words.len())
        .min_by_key(|&at| words[..at].join(" ").len().abs_diff(words[at..].join(" ").len()));
    split.map_or(vec![label.to_owned()], |at| vec![words[..at].join(" "), words[at..].join(" ")])
}

/// A disc, square, triangle or diamond.
fn mark(style: usize, (x, y): (f64, f64)) -> String {
    let path = |steps: &str| {
        format!("<path class=\"mark\" d=\"M{} {}{steps}\"/>", round(x), round(y - 5.5))
    };
    match style % 4 {
        0 => circle("mark", (x, y), 4.5),
        1 => rect("mark", (x - 4.0, y - 4.0), (8.0, 8.0)),
        2 => path("l5 9h-10z"),
        _ => path("l5.5 5.5-5.5 5.5-5.5-5.5z"),
    }
}

fn whisker(frame: &Frame, x: f64, point: &PlotPoint) -> String {
    let Some((low, high)) = point.whisker else { return String::new() };
    let (low, high) = (frame.y(low), frame.y(high));
    if low - high < 1.0 {
        return String::new();
    }
    let (x, low, high) = (round(x - 4.0), round(low), round(high));
    format!("<path class=\"whisker\" d=\"M{x} {high}h8m-4 0V{low}m-4 0h8\"/>")
}

fn draw_lines(out: &mut String, plot: &Plot, frame: &Frame) {
    // Published figures last: hollow marks around ours.
    let (published, ours): (Vec<&Series>, Vec<&Series>) =
        plot.series.iter().partition(|series| series.published);
    for series in ours.into_iter().chain(published) {
        let points = series.points.iter().map(|point| frame.at(point));
        if series.theory {
            *out += &polyline("theory", points);
            continue;
        }
        *out += &group(series);
        *out += &polyline("join", points);
        for point in &series.points {
            let at = frame.at(point);
            *out += &whisker(frame, at.0, point);
            *out +=
                &if series.published { circle("mark", at, 8.0) } else { mark(series.style, at) };
        }
        *out += "</g>";
    }
    if frame.direct {
        draw_end_labels(out, plot, frame);
    }
}

/// Names at the ends of lines, moved apart where they would overlap.
fn draw_end_labels(out: &mut String, plot: &Plot, frame: &Frame) {
    let mut labels: Vec<(f64, &Series)> = plot
        .series
        .iter()
        .filter_map(|series| series.points.last().map(|point| (frame.y(point.y), series)))
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let gap = LABEL_GAP.min((frame.bottom - frame.top + 20.0) / labels.len().max(1) as f64);
    for index in 1..labels.len() {
        labels[index].0 = labels[index].0.max(labels[index - 1].0 + gap);
    }
    // Those that were pushed out at the foot move back up.
    let mut most = frame.bottom + 3.0;
    for label in labels.iter_mut().rev() {
        label.0 = label.0.min(most);
        most = label.0 - gap;
    }
    for (y, series) in labels {
        let style = if series.theory {
            "fill:#4a5463;fill:var(--muted)".to_owned()
        } else {
            fill(series.style)
        };
        let label = text("", frame.right + 10.0, y, &series.label);
        let _ = write!(out, "{}", label.replacen("<text", &format!("<text style=\"{style}\""), 1));
    }
}

fn draw_bars(out: &mut String, plot: &Plot, frame: &Frame) {
    let count = plot.series.len() as f64;
    let width = (frame.slot() * 0.8 / count).min(46.0);
    let base = frame.y(if plot.log { 0.0 } else { 0.0f64.max(frame.y.ticks[0]) });
    for (index, series) in plot.series.iter().enumerate() {
        *out += &group(series);
        for point in &series.points {
            let (middle, y) = frame.at(point);
            let x = middle + (index as f64 - count / 2.0) * width;
            let size = (width - 3.0, (base - y).abs().max(1.0));
            *out += &rect("mark", (x + 1.5, y.min(base)), size);
            let whisker = whisker(frame, x + width / 2.0, point);
            if !whisker.is_empty() {
                let style = "stroke:#1c2430;stroke:var(--ink);fill:none";
                let _ = write!(out, "<g style=\"{style}\">{whisker}</g>");
            }
        }
        *out += "</g>";
    }
}

fn draw_stack(out: &mut String, plot: &Plot, frame: &Frame) {
    let stacks = if plot.series.iter().any(|series| series.published) { 2.0 } else { 1.0 };
    let width = (frame.slot() * 0.76 / stacks).min(54.0);
    let values = plot.categories.as_ref().map_or(0, Vec::len);
    for value in (0..values).map(|value| value as f64) {
        for published in [true, false] {
            let offset = match (stacks < 2.0, published) {
                (true, _) => -width / 2.0,
                (false, true) => -width,
                (false, false) => 0.0,
            };
            let mut below = 0.0;
            for series in plot.series.iter().filter(|series| series.published == published) {
                let Some(point) = series.points.iter().find(|point| point.x == value) else {
                    continue;
                };
                let (top, foot) = (frame.y(below + point.y), frame.y(below));
                below += point.y;
                if foot - top < 0.5 {
                    continue;
                }
                let corner = (frame.x(value) + offset + 1.5, top + 1.0);
                let bar = rect("mark", corner, (width - 3.0, (foot - top - 2.0).max(0.5)));
                let _ = write!(out, "{}{bar}</g>", group(series));
            }
        }
    }
}

/// The series that the legend names. The published ones of a stack look like ours, only hollow,
/// which the caption says.
fn named(plot: &Plot) -> impl Iterator<Item = &Series> {
    let stack = plot.shape == PlotShape::Stack;
    plot.series.iter().filter(move |series| !stack || !series.published)
}

/// The left edge and the row of each entry of the legend.
fn legend_places(plot: &Plot) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (12.0, 0);
    named(plot)
        .map(|series| {
            let width = 30.0 + text_width(&series.label, TEXT);
            if x + width > WIDTH - 12.0 && x > 12.0 {
                (x, row) = (12.0, row + 1);
            }
            let place = (x, row);
            x += width + 14.0;
            place
        })
        .collect()
}

fn legend_rows(plot: &Plot) -> usize {
    legend_places(plot).last().map_or(0, |(_, row)| row + 1)
}

fn draw_legend(out: &mut String, plot: &Plot) {
    for ((x, row), series) in legend_places(plot).into_iter().zip(named(plot)) {
        let y = 58.0 + LEGEND_ROW * row as f64;
        let mark = rect("mark", (x + 1.0, y), (12.0, 12.0));
        let label = text("", x + 20.0, y + 6.0, &series.label);
        let _ = write!(out, "{}{mark}</g>{label}", group(series));
    }
}
