//! How the cost of solving grows: nodes against cells, a point a board, boards of one height
//! joined.

use fourfold_lab::svg::{circle, line, open, polyline, rect, text, text_width};
use std::fmt::Write;

const STYLE: &str = "\
.fourfold text.right{text-anchor:end}\
.fourfold .axis{fill:none;stroke:#4a5463;stroke:var(--muted);stroke-width:1.5px}\
.fourfold .grid{fill:none;stroke:#8a93a0;stroke:var(--line);stroke-width:1px;stroke-dasharray:1 5}\
.fourfold .join{fill:none;stroke:#8a93a0;stroke:var(--line);stroke-width:1.5px}\
.fourfold .even{fill:#c2500a;fill:var(--first);stroke:#c2500a;stroke:var(--first);stroke-width:2px}\
.fourfold .odd{fill:#0b5fa5;fill:var(--second);stroke:#0b5fa5;stroke:var(--second);\
stroke-width:2px}\
.fourfold .open{fill:#fafaf7;fill:var(--paper)}";

/// A board and what was searched for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) nodes: u64,
    /// If not, the nodes were not enough.
    pub(crate) solved: bool,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 96.0;
const LABEL: f64 = 12.0;

/// What lies on the plane of cells and nodes, and where.
struct Plane {
    cells: (f64, f64),
    /// Powers of ten.
    nodes: (i32, i32),
}

impl Plane {
    fn of(points: &[Point]) -> Self {
        let cells = |point: &Point| f64::from(point.width * point.height);
        let power = |point: &Point| (point.nodes.max(1) as f64).log10();
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) = (i32::MAX, i32::MIN);
        for point in points {
            (least, most) = (least.min(cells(point)), most.max(cells(point)));
            (low, high) =
                (low.min(power(point).floor() as i32), high.max(power(point).ceil() as i32));
        }
        // To whole fours, with room at both ends.
        let (first, last) =
            (((least - 1.0) / 4.0).floor() * 4.0, ((most + 1.0) / 4.0).ceil() * 4.0);
        Self { cells: (first, last), nodes: (low, high.max(low + 1)) }
    }

    fn x(&self, cells: f64) -> f64 {
        let (first, last) = self.cells;
        LEFT + (cells - first) / (last - first) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, power: f64) -> f64 {
        let (low, high) = (f64::from(self.nodes.0), f64::from(self.nodes.1));
        HEIGHT - BOTTOM - (power - low) / (high - low) * (HEIGHT - TOP - BOTTOM)
    }

    fn at(&self, point: &Point) -> (f64, f64) {
        let cells = f64::from(point.width * point.height);
        (self.x(cells), self.y((point.nodes.max(1) as f64).log10()))
    }
}

/// Draws the boards.
pub(crate) fn draw(points: &[Point]) -> String {
    let plane = Plane::of(points);
    let title = "Nodes to solve the empty board";
    let told: Vec<String> = points.iter().map(Point::told).collect();
    let mut svg = open("growth", (WIDTH, HEIGHT), title, &told.join(", "), STYLE);
    let _ = writeln!(
        svg,
        "<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n{}",
        text("head", 24.0, 28.0, title),
    );
    axes(&mut svg, &plane);
    joins(&mut svg, &plane, points);
    let mut taken: Vec<Area> =
        points.iter().map(|point| Area::around(plane.at(point), 6.0, 6.0)).collect();
    for point in points {
        let (x, y) = plane.at(point);
        let _ = writeln!(svg, "{}", point.mark(x, y));
    }
    for point in points {
        let (label, (x, y)) = (point.label(), plane.at(point));
        let half = text_width(&label, LABEL) / 2.0;
        // Beside, above or below the point: the first place that is free, or the first.
        let places =
            [(half + 9.0, 0.0), (-half - 9.0, 0.0), (0.0, -15.0), (0.0, 15.0), (half + 7.0, 11.0)];
        let areas =
            places.map(|(right, down)| Area::around((x + right, y + down), half, LABEL / 2.0));
        let free = areas.iter().find(|area| !taken.iter().any(|other| area.meets(other)));
        let area = *free.unwrap_or(&areas[0]);
        taken.push(area);
        let (x, y) = area.middle();
        let _ = writeln!(svg, "{}", text("small", x, y, &label));
    }
    legend(&mut svg, points);
    svg + "</svg>\n"
}

impl Point {
    fn label(&self) -> String {
        let more = if self.solved { "" } else { ", not solved" };
        format!("{}x{}{more}", self.width, self.height)
    }

    fn told(&self) -> String {
        format!("{}: {}", self.label(), self.nodes)
    }

    /// Even heights are discs, odd ones squares; what is not solved is hollow.
    fn mark(&self, x: f64, y: f64) -> String {
        let open = if self.solved { "" } else { " open" };
        if self.height.is_multiple_of(2) {
            circle(&format!("even{open}"), (x, y), 4.5)
        } else {
            rect(&format!("odd{open}"), (x - 4.0, y - 4.0), (8.0, 8.0))
        }
    }
}

/// A part of the drawing that something is written on.
#[derive(Clone, Copy)]
struct Area {
    x: (f64, f64),
    y: (f64, f64),
}

impl Area {
    fn around((x, y): (f64, f64), half_width: f64, half_height: f64) -> Self {
        Self { x: (x - half_width, x + half_width), y: (y - half_height, y + half_height) }
    }

    fn meets(&self, other: &Self) -> bool {
        self.x.0 < other.x.1 && other.x.0 < self.x.1 && self.y.0 < other.y.1 && other.y.0 < self.y.1
    }

    fn middle(&self) -> (f64, f64) {
        ((self.x.0 + self.x.1) / 2.0, (self.y.0 + self.y.1) / 2.0)
    }
}

fn axes(svg: &mut String, plane: &Plane) {
    let (left, right) = (plane.x(plane.cells.0), plane.x(plane.cells.1));
    let (foot, top) = (HEIGHT - BOTTOM, TOP);
    for power in plane.nodes.0..=plane.nodes.1 {
        let y = plane.y(f64::from(power));
        let _ = writeln!(svg, "{}", line("grid", (left, y), (right, y)));
        let _ = writeln!(svg, "{}", text("small right", left - 10.0, y, &power_of_ten(power)));
    }
    let mut cells = plane.cells.0;
    while cells <= plane.cells.1 {
        let x = plane.x(cells);
        let _ = writeln!(svg, "{}", line("axis", (x, foot), (x, foot + 5.0)));
        let _ = writeln!(svg, "{}", text("small", x, foot + 16.0, &cells.to_string()));
        cells += 4.0;
    }
    let corner = [(left, top), (left, foot), (right, foot)];
    let _ = writeln!(svg, "{}", polyline("axis", corner));
    let _ = writeln!(
        svg,
        "{}",
        text("say", 24.0, TOP - 28.0, "nodes searched (log scale: ten times as many a line)")
    );
    let _ =
        writeln!(svg, "{}", text("small", (left + right) / 2.0, foot + 38.0, "cells of the board"));
}

/// Lines between boards of one height, from column to column.
fn joins(svg: &mut String, plane: &Plane, points: &[Point]) {
    let mut heights: Vec<u32> = points.iter().map(|point| point.height).collect();
    heights.sort_unstable();
    heights.dedup();
    for height in heights {
        let mut row: Vec<&Point> =
            points.iter().filter(|point| point.height == height && point.solved).collect();
        row.sort_by_key(|point| point.width);
        if row.len() > 1 {
            let points = row.iter().map(|point| plane.at(point));
            let _ = writeln!(svg, "{}", polyline("join", points));
        }
    }
}

fn legend(svg: &mut String, points: &[Point]) {
    let y = HEIGHT - 28.0;
    let mut x = LEFT;
    let kinds = [(6, true, "even height"), (5, true, "odd height"), (6, false, "not solved")];
    for (height, solved, meaning) in kinds {
        let alike =
            |point: &Point| point.solved == solved && (!solved || point.height % 2 == height % 2);
        if points.iter().any(alike) {
            let _ = writeln!(svg, "{}", Point { width: 7, height, nodes: 1, solved }.mark(x, y));
            let _ = writeln!(svg, "{}", text("small left", x + 12.0, y, meaning));
            x += 12.0 + text_width(meaning, LABEL) + 28.0;
        }
    }
    let _ = writeln!(svg, "{}", text("small left", x, y, "lines join boards of one height"));
}

/// `1 thousand`, `100 million`.
fn power_of_ten(power: i32) -> String {
    let number = 10u64.pow(power.rem_euclid(3).unsigned_abs());
    match power.div_euclid(3) {
        0 => number.to_string(),
        1 => format!("{number} thousand"),
        2 => format!("{number} million"),
        3 => format!("{number} billion"),
        4 => format!("{number} trillion"),
        _ => format!("10^{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, draw, power_of_ten};

    #[test]
    fn every_board_is_drawn_and_named() {
        let boards = [(4, 4, 2080), (4, 5, 11_838), (7, 6, 23_963_096), (8, 6, 1 << 33)];
        let points =
            boards.map(|(width, height, nodes)| Point { width, height, nodes, solved: width < 8 });
        let svg = draw(&points);
        roxmltree::Document::parse(&svg).expect("well-formed");
        for part in
            [">7x6<", ">4x5<", ">8x6, not solved<", "even open", "class=\"odd\"", "100 million"]
        {
            assert!(svg.contains(part), "{part}");
        }
        let one = draw(&points[..1]);
        assert!(roxmltree::Document::parse(&one).is_ok() && !one.contains("NaN"), "{one}");
    }

    #[test]
    fn powers_have_names() {
        let names = [0, 2, 3, 5, 6, 9, 13, 19].map(power_of_ten);
        let expected = [
            "1",
            "100",
            "1 thousand",
            "100 thousand",
            "1 million",
            "1 billion",
            "10 trillion",
            "10^19",
        ];
        assert_eq!(names, expected);
    }
}
