//! The learning curve of a training as a plot.

use super::Check;
use crate::metrics::Unit;
use crate::plot::{Plot, PlotPoint, PlotShape, Series, draw};
use fourfold::play::wilson;

/// The share of held-out labels in which the move liked best changes the result, after each epoch.
#[must_use]
pub fn curve_plot(curve: &[Check], title: &str) -> String {
    let point = |(index, check): (usize, &Check)| {
        let interval = wilson(check.wrong, check.labels);
        let whisker = Some((interval.low, interval.high));
        PlotPoint { x: (index + 1) as f64, y: check.error(), whisker }
    };
    let points = curve.iter().enumerate().map(point).collect();
    let label = "held out".to_owned();
    draw(&Plot {
        title: title.to_owned(),
        x_label: "epochs".to_owned(),
        categories: None,
        y_label: "choices that change the result".to_owned(),
        unit: Unit::Share,
        shape: PlotShape::Lines,
        log: false,
        series: vec![Series { label, points, published: false, style: 0, theory: false }],
        remarks: Vec::new(),
        beside: Vec::new(),
        left_out: None,
    })
}
