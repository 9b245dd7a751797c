//! A tuning for people: the learning curves as plots, and the gain as a table.

use super::{Gain, TuneState};
use crate::metrics::Unit;
use crate::plot::{Plot, PlotPoint, PlotShape, Series, draw};
use fourfold::play::Interval;

fn series(label: &str, style: usize, points: Vec<PlotPoint>) -> Series {
    Series { label: label.to_owned(), points, published: false, style, theory: false }
}

fn plot(title: String, labels: [&str; 2], unit: Unit, series: Vec<Series>) -> Plot {
    Plot {
        title,
        x_label: labels[0].to_owned(),
        categories: None,
        y_label: labels[1].to_owned(),
        unit,
        shape: PlotShape::Lines,
        log: false,
        series,
        remarks: Vec::new(),
        beside: Vec::new(),
        left_out: None,
    }
}

fn point(x: usize, y: f64) -> PlotPoint {
    PlotPoint { x: x as f64, y, whisker: None }
}

/// The loss after each step of the regression; none without one.
#[must_use]
pub fn loss_plot(state: &TuneState, title: &str) -> Option<String> {
    let curve = &state.regression.as_ref()?.curve;
    let line = |value: fn(&super::Loss) -> f64| {
        curve.iter().enumerate().map(|(step, loss)| point(step, value(loss))).collect()
    };
    let lines = vec![
        series("fitted", 0, line(|loss| loss.fitted)),
        series("held out", 1, line(|loss| loss.held_out)),
    ];
    let labels = ["steps of Newton's method", "cross-entropy per position"];
    Some(draw(&plot(title.to_owned(), labels, Unit::Number, lines)))
}

/// The weights as play moves them, in per cent of the largest; none without play.
#[must_use]
pub fn play_plot(state: &TuneState, title: &str, names: &[&str]) -> Option<String> {
    let curve = &state.spsa.as_ref()?.curve;
    let lines = names.iter().enumerate().map(|(index, name)| {
        let share = |weights: &[f64]| {
            let largest = weights.iter().fold(0.0f64, |most, weight| most.max(weight.abs()));
            if largest > 0.0 { weights[index] / largest } else { 0.0 }
        };
        let points = curve.iter().map(|(step, weights)| point(*step, share(weights))).collect();
        series(name, index, points)
    });
    let labels = ["steps of self-play", "weight as a share of the largest"];
    Some(draw(&plot(title.to_owned(), labels, Unit::Share, lines.collect())))
}

/// The rows of the table of gains, the head first.
#[must_use]
pub fn gain_table(gains: &[Gain]) -> Vec<Vec<String>> {
    let head = ["depth", "pairs", "won", "level", "lost", "points", "95 % CI", "Elo", "95 % CI"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for gain in gains {
        let Interval { low, high } = gain.interval();
        let [lost2, lost1, level, won1, won2] = gain.points;
        // Adding 0 turns -0 into 0.
        let elo = |score| format!("{:+.0}", Gain::elo(score).round() + 0.0);
        rows.push(vec![
            gain.depth.to_string(),
            gain.pairs.to_string(),
            (won1 + won2).to_string(),
            level.to_string(),
            (lost1 + lost2).to_string(),
            format!("{:.1} %", 100.0 * gain.score()),
            format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
            elo(gain.score()),
            format!("{} to {}", elo(low), elo(high)),
        ]);
    }
    rows
}
