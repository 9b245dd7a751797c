//! A plot as an SVG that stands alone: no fonts, scripts or files from elsewhere, light and dark by
//! itself.

use super::scale::Scale;
use super::{Plot, Point, Series, Shape};
use crate::metrics::Unit;
use crate::text::{escaped, plain, value};
use std::fmt::Write;

/// Colours are custom properties with a plain colour before each use, for viewers that know none of
/// them. The first two are the players'. Inside a report the page's own properties rule.
const STYLE: &str = "\
.plot{--paper:#fafaf7;--ink:#1c2430;--muted:#4a5463;--line:#d9dde3;--c0:#c2500a;--c1:#0b5fa5;--c2:#1c2430;--c3:#7a3fa8;\
--c4:#2f6d35;--c5:#8a6d00;--c6:#8a93a0}\
@media(prefers-color-scheme:dark){.plot{--paper:#14171c;--ink:#e8eaee;--muted:#9aa4b2;--line:#2c333d;--c0:#ff9f4a;\
--c1:#5fb4f0;--c2:#e8eaee;--c3:#cfa6f5;--c4:#8fd197;--c5:#e0c65a;--c6:#66707e}}\
@media print{.plot{--paper:#fff;--ink:#1c2430;--muted:#4a5463;--line:#d9dde3;--c0:#c2500a;--c1:#0b5fa5;--c2:#1c2430;\
--c3:#7a3fa8;--c4:#2f6d35;--c5:#8a6d00;--c6:#8a93a0}}\
.plot text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;fill:#1c2430;\
fill:var(--ink);font-variant-numeric:tabular-nums}\
.plot .head{font-size:17px;font-weight:700}.plot .small{font-size:13px;fill:#4a5463;fill:var(--muted)}\
.plot .mid{text-anchor:middle}.plot .end{text-anchor:end}\
.plot .paper{fill:#fafaf7;fill:var(--paper)}\
.plot .grid{stroke:#d9dde3;stroke:var(--line);stroke-width:1}\
.plot .axis{stroke:#4a5463;stroke:var(--muted);stroke-width:1.5}\
.plot .theory{fill:none;stroke:#4a5463;stroke:var(--muted);stroke-width:1.5;stroke-dasharray:2 4}\
.plot .join{fill:none;stroke-width:2}.plot .published .join{stroke-dasharray:6 4;stroke-width:1.5}\
.plot .mark{stroke-width:2}.plot .whisker{stroke-width:1.5;fill:none}\
.plot .published .mark{fill:none}";

/// The plain colours of light paper, for viewers without custom properties.
const COLOURS: [&str; 7] =
    ["#c2500a", "#0b5fa5", "#1c2430", "#7a3fa8", "#2f6d35", "#8a6d00", "#8a93a0"];

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 52.0;
/// From line to line of a label on the x axis.
const LABEL_LINE: f64 = 14.0;
/// Between labels at the ends of lines.
const LABEL_GAP: f64 = 18.0;

/// A safe guess of a text's width at 14 px.
fn text_width(text: &str) -> f64 {
    text.chars().map(|sign| if " .,:il|'()·".contains(sign) { 4.6 } else { 8.2 }).sum()
}

fn colour(style: usize) -> String {
    let style = style % COLOURS.len();
    let plain = COLOURS[style];
    format!("stroke:{plain};stroke:var(--c{style})")
}

fn fill(style: usize) -> String {
    let style = style % COLOURS.len();
    format!("fill:{};fill:var(--c{style})", COLOURS[style])
}

/// Where things are.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn x(&self, number: f64) -> f64 {
        self.left + self.x.share(number) * (self.right - self.left)
    }

    fn y(&self, number: f64) -> f64 {
        self.bottom - self.y.share(number) * (self.bottom - self.top)
    }
}

/// Draws a plot.
#[must_use]
pub fn draw(plot: &Plot) -> String {
    let y = y_scale(plot);
    let y_ticks: Vec<String> = y.ticks.iter().map(|&tick| tick_text(tick, plot)).collect();
    let left = 20.0 + y_ticks.iter().map(|text| text_width(text)).fold(20.0, f64::max);
    let direct = plot.shape == Shape::Lines && plot.series.len() > 1;
    let labels = if direct {
        plot.series.iter().map(|series| text_width(&series.label)).fold(0.0, f64::max)
    } else {
        0.0
    };
    let labels = labels.min(WIDTH * 0.36);
    let rows = if direct || plot.series.len() < 2 { 0 } else { legend_rows(plot) };
    let top = TOP + rows as f64 * 22.0;
    let height = HEIGHT + rows as f64 * 22.0;
    let right = WIDTH - 24.0 - if direct { labels + 10.0 } else { 0.0 };
    let foot = BOTTOM + LABEL_LINE * (label_lines(plot, right - left) - 1) as f64;
    let frame = Frame { left, right, top, bottom: height - foot, x: x_scale(plot), y };
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{}\"><style>{STYLE}</style><rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>",
        escaped(&described(plot))
    );
    let _ = write!(out, "<text class=\"head\" x=\"12\" y=\"24\">{}</text>", escaped(&plot.title));
    let _ =
        write!(out, "<text class=\"small\" x=\"12\" y=\"46\">{}</text>", escaped(&plot.y_label));
    for (tick, text) in frame.y.ticks.iter().zip(&y_ticks) {
        let (at, x) = (frame.y(*tick), frame.left - 8.0);
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{:.1} {at:.1}H{:.1}\"/><text class=\"small end\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>",
            frame.left,
            frame.right,
            at + 4.5
        );
    }
    draw_x_axis(&mut out, plot, &frame);
    match plot.shape {
        Shape::Lines => draw_lines(&mut out, plot, &frame, direct),
        Shape::Bars => draw_bars(&mut out, plot, &frame),
        Shape::Stack => draw_stack(&mut out, plot, &frame),
    }
    let _ = write!(
        out,
        "<path class=\"axis\" d=\"M{:.1} {:.1}H{:.1}\"/>",
        frame.left, frame.bottom, frame.right
    );
    if rows > 0 {
        draw_legend(&mut out, plot);
    }
    out + "</svg>\n"
}

/// The plot in words, for those who do not see it.
fn described(plot: &Plot) -> String {
    let mut words = format!("{}. {} over {}.", plot.title, plot.y_label, plot.x_label);
    for series in plot.series.iter().filter(|series| !series.theory) {
        if let (Some(first), Some(last)) = (series.points.first(), series.points.last()) {
            let _ = write!(
                words,
                " {}: from {} to {}.",
                series.label,
                value(first.y, plot.unit),
                value(last.y, plot.unit)
            );
        }
    }
    words
}

fn tick_text(tick: f64, plot: &Plot) -> String {
    match plot.unit {
        Unit::Share | Unit::Points => format!("{} %", plain((100.0 * tick).round())),
        unit if plot.log && unit == Unit::Number && tick >= 1e6 => {
            crate::text::rough(tick).replace("1.0 · ", "")
        }
        Unit::Number => plain(tick),
        unit => value(tick, unit),
    }
}

fn y_scale(plot: &Plot) -> Scale {
    if plot.shape == Shape::Stack {
        return Scale::exactly(0.0, 1.0, (0..=5).map(|n| f64::from(n) / 5.0).collect());
    }
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let ends = points().flat_map(|point| {
        let (low, high) = point.whisker.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let scale = Scale::covering(ends, plot.log, true);
    // Shares beyond 100 % do not exist.
    if plot.unit == Unit::Share
        && points().all(|point| point.y <= 1.0)
        && scale.ticks.last().is_some_and(|&t| t > 1.0)
    {
        return Scale::exactly(0.0, 1.0, (0..=5).map(|n| f64::from(n) / 5.0).collect());
    }
    scale
}

fn x_scale(plot: &Plot) -> Scale {
    if let Some(categories) = &plot.categories {
        let last = categories.len() as f64;
        return Scale::exactly(-0.5, last - 0.5, (0..categories.len()).map(|n| n as f64).collect());
    }
    let xs: Vec<f64> =
        plot.series.iter().flat_map(|line| line.points.iter().map(|point| point.x)).collect();
    let (low, high) = (
        xs.iter().copied().fold(f64::INFINITY, f64::min),
        xs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    );
    let mut ticks: Vec<f64> = xs;
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    if ticks.len() > 16 {
        ticks = ticks.into_iter().step_by(2).collect();
    }
    let margin = (high - low) * 0.04;
    Scale::exactly(low - margin, high + margin, ticks)
}

fn draw_x_axis(out: &mut String, plot: &Plot, frame: &Frame) {
    let y = frame.bottom + 19.0;
    let labels: Vec<String> = match &plot.categories {
        Some(categories) => categories.clone(),
        None => frame.x.ticks.iter().map(|&tick| plain(tick)).collect(),
    };
    let room = (frame.right - frame.left) / labels.len().max(1) as f64;
    for (tick, label) in frame.x.ticks.iter().zip(&labels) {
        for (row, line) in wrapped(label, room).iter().enumerate() {
            let at = y + LABEL_LINE * row as f64;
            let _ = write!(
                out,
                "<text class=\"small mid\" x=\"{:.1}\" y=\"{at:.1}\">{}</text>",
                frame.x(*tick),
                escaped(line)
            );
        }
    }
    let middle = (frame.left + frame.right) / 2.0;
    let _ = write!(
        out,
        "<text class=\"small mid\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
        frame.bottom + 45.0 + LABEL_LINE * (label_lines(plot, frame.right - frame.left) - 1) as f64,
        escaped(&plot.x_label)
    );
}

/// How many lines the labels of the x axis take, one or two.
fn label_lines(plot: &Plot, width: f64) -> usize {
    let categories = plot.categories.as_deref().unwrap_or_default();
    let room = width / categories.len().max(1) as f64;
    categories.iter().map(|label| wrapped(label, room).len()).max().unwrap_or(1)
}

/// A label in at most two lines that fit the room.
fn wrapped(label: &str, room: f64) -> Vec<String> {
    if text_width(label) * 0.93 <= room {
        return vec![label.to_owned()];
    }
    let words: Vec<&str> = label.split(' ').collect();
    let split = (1..words.len())
        .min_by_key(|&at| words[..at].join(" ").len().abs_diff(words[at..].join(" ").len()));
    split.map_or(vec![label.to_owned()], |at| vec![words[..at].join(" "), words[at..].join(" ")])
}

fn mark(style: usize, x: f64, y: f64) -> String {
    match style % 4 {
        0 => format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>"),
        1 => format!(
            "<rect class=\"mark\" x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\"/>",
            x - 4.0,
            y - 4.0
        ),
        2 => format!("<path class=\"mark\" d=\"M{x:.1} {:.1}l5 9h-10z\"/>", y - 5.5),
        _ => {
            format!("<path class=\"mark\" d=\"M{x:.1} {:.1}l5.5 5.5-5.5 5.5-5.5-5.5z\"/>", y - 5.5)
        }
    }
}

fn whisker(frame: &Frame, x: f64, point: &Point) -> String {
    let Some((low, high)) = point.whisker else { return String::new() };
    let (low, high) = (frame.y(low), frame.y(high));
    if low - high < 1.0 {
        return String::new();
    }
    format!("<path class=\"whisker\" d=\"M{:.1} {high:.1}h8m-4 0V{low:.1}m-4 0h8\"/>", x - 4.0)
}

fn draw_lines(out: &mut String, plot: &Plot, frame: &Frame, labels: bool) {
    // Published figures last: hollow marks around ours.
    let (published, ours): (Vec<&Series>, Vec<&Series>) =
        plot.series.iter().partition(|series| series.published);
    for series in ours.into_iter().chain(published) {
        let path: Vec<String> = series
            .points
            .iter()
            .map(|point| format!("{:.1} {:.1}", frame.x(point.x), frame.y(point.y)))
            .collect();
        if series.theory {
            let _ = write!(out, "<path class=\"theory\" d=\"M{}\"/>", path.join("L"));
            continue;
        }
        let class = if series.published { " class=\"published\"" } else { "" };
        let _ = write!(
            out,
            "<g{class} style=\"{}\"><path class=\"join\" d=\"M{}\"/>",
            colour(series.style),
            path.join("L")
        );
        let filled = if series.published {
            String::new()
        } else {
            format!(" style=\"{}\"", fill(series.style))
        };
        let _ = write!(out, "<g{filled}>");
        for point in &series.points {
            let (x, y) = (frame.x(point.x), frame.y(point.y));
            *out += &whisker(frame, x, point);
            if series.published {
                let _ = write!(out, "<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\"/>");
            } else {
                *out += &mark(series.style, x, y);
            }
        }
        *out += "</g></g>";
    }
    if labels {
        draw_end_labels(out, plot, frame);
    }
}

/// Names at the ends of lines, moved apart where they would lie on each other.
fn draw_end_labels(out: &mut String, plot: &Plot, frame: &Frame) {
    let mut labels: Vec<(f64, &Series)> = plot
        .series
        .iter()
        .filter_map(|series| series.points.last().map(|point| (frame.y(point.y) + 5.0, series)))
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let gap = LABEL_GAP.min((frame.bottom - frame.top + 20.0) / labels.len().max(1) as f64);
    for index in 1..labels.len() {
        labels[index].0 = labels[index].0.max(labels[index - 1].0 + gap);
    }
    // Pushed out at the foot: back up.
    let mut most = frame.bottom + 8.0;
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
        let label = escaped(&series.label);
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{y:.1}\" style=\"{style}\">{label}</text>",
            frame.right + 10.0
        );
    }
}

fn draw_bars(out: &mut String, plot: &Plot, frame: &Frame) {
    let count = plot.series.len() as f64;
    let slot = frame.x(1.0) - frame.x(0.0);
    let width = (slot * 0.8 / count).min(46.0);
    let base = frame.y(if plot.log { 0.0 } else { 0.0f64.max(frame.y.ticks[0]) });
    for (index, series) in plot.series.iter().enumerate() {
        let class = if series.published { " class=\"published\"" } else { "" };
        let filled =
            if series.published { String::new() } else { format!(";{}", fill(series.style)) };
        let _ = write!(out, "<g{class} style=\"{}{filled}\">", colour(series.style));
        for point in &series.points {
            let x = frame.x(point.x) + (index as f64 - count / 2.0) * width;
            let y = frame.y(point.y);
            let (top, height) = (y.min(base), (base - y).abs().max(1.0));
            let _ = write!(
                out,
                "<rect class=\"mark\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/>",
                x + 1.5,
                width - 3.0
            );
            if let Some((low, high)) = point.whisker {
                let mark = whisker(
                    frame,
                    x + width / 2.0,
                    &Point { whisker: Some((low, high)), ..*point },
                );
                let _ = write!(
                    out,
                    "<g style=\"stroke:#1c2430;stroke:var(--ink);fill:none\">{mark}</g>"
                );
            }
        }
        *out += "</g>";
    }
}

fn draw_stack(out: &mut String, plot: &Plot, frame: &Frame) {
    let slot = frame.x(1.0) - frame.x(0.0);
    let kinds = if plot.series.iter().any(|series| series.published) { 2.0 } else { 1.0 };
    let width = (slot * 0.76 / kinds).min(54.0);
    let values = plot.categories.as_ref().map_or(0, Vec::len);
    for value in 0..values {
        for published in [true, false] {
            let mut below = 0.0;
            for series in plot.series.iter().filter(|series| series.published == published) {
                let Some(point) = series.points.iter().find(|point| point.x == value as f64) else {
                    continue;
                };
                let (top, foot) = (frame.y(below + point.y), frame.y(below));
                below += point.y;
                if foot - top < 0.5 {
                    continue;
                }
                let offset = if kinds < 2.0 {
                    -width / 2.0
                } else if published {
                    -width
                } else {
                    0.0
                };
                let style = if published {
                    colour(series.style)
                } else {
                    format!("{};{}", colour(series.style), fill(series.style))
                };
                let class = if published { " class=\"published\"" } else { "" };
                let _ = write!(
                    out,
                    "<g{class} style=\"{style}\"><rect class=\"mark\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/></g>",
                    frame.x(value as f64) + offset + 1.5,
                    top + 1.0,
                    width - 3.0,
                    (foot - top - 2.0).max(0.5)
                );
            }
        }
    }
}

/// The series that the legend names. Those of a stack that are published look like ours, hollow,
/// which the caption says.
fn named(plot: &Plot) -> Vec<&Series> {
    plot.series.iter().filter(|series| plot.shape != Shape::Stack || !series.published).collect()
}

fn legend_places(plot: &Plot) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (12.0, 0);
    named(plot)
        .into_iter()
        .map(|series| {
            let wide = 30.0 + text_width(&series.label);
            if x + wide > WIDTH - 12.0 && x > 12.0 {
                (x, row) = (12.0, row + 1);
            }
            let place = (x, row);
            x += wide + 14.0;
            place
        })
        .collect()
}

fn legend_rows(plot: &Plot) -> usize {
    legend_places(plot).last().map_or(0, |(_, row)| row + 1)
}

fn draw_legend(out: &mut String, plot: &Plot) {
    for ((x, row), series) in legend_places(plot).into_iter().zip(named(plot)) {
        let y = 58.0 + 22.0 * row as f64;
        let class = if series.published { " class=\"published\"" } else { "" };
        let style = if series.published {
            colour(series.style)
        } else {
            format!("{};{}", colour(series.style), fill(series.style))
        };
        let _ = write!(
            out,
            "<g{class} style=\"{style}\"><rect class=\"mark\" x=\"{:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\"/></g>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 1.0,
            x + 20.0,
            y + 11.0,
            escaped(&series.label)
        );
    }
}
