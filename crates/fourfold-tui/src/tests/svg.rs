//! A screen as an SVG, for the documents: text as text, blocks and lines as shapes, so that it
//! looks the same in every font.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write;

/// A character's width and height.
const SIZE: (f64, f64) = (9.0, 18.0);
const MARGIN: f64 = 14.0;
const PAPER: &str = "#14171c";
const INK: &str = "#e8eaee";

/// The picture of a screen.
pub(super) fn draw(buffer: &Buffer) -> String {
    let area = buffer.area();
    let (width, height) = (
        f64::from(area.width) * SIZE.0 + 2.0 * MARGIN,
        f64::from(area.height) * SIZE.1 + 2.0 * MARGIN,
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>Fourfold in a terminal</title>\n\
         <style>text{{font:15px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;\
         white-space:pre}}.b{{font-weight:700}}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAPER}\"/>\n"
    );
    // Backgrounds come first, below all characters.
    for (x, y) in area.positions().map(|place| (place.x, place.y)) {
        let cell = &buffer[(x, y)];
        if cell.modifier.contains(Modifier::REVERSED) {
            let (left, top) = (MARGIN + f64::from(x) * SIZE.0, MARGIN + f64::from(y) * SIZE.1);
            let (width, height, fill) = (SIZE.0 + 0.3, SIZE.1, ink(cell));
            let _ = writeln!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
                 fill=\"{fill}\"/>"
            );
        }
    }
    for y in 0..area.height {
        let mut x = 0;
        while x < area.width {
            let cell = &buffer[(x, y)];
            let (left, top) = (MARGIN + f64::from(x) * SIZE.0, MARGIN + f64::from(y) * SIZE.1);
            if let Some(shape) = shape(cell, left, top) {
                out += &shape;
                x += 1;
                continue;
            }
            // A run of text in one style.
            let mut run = String::new();
            let mut end = x;
            while end < area.width && is_text(&buffer[(end, y)]) && alike(cell, &buffer[(end, y)]) {
                run += buffer[(end, y)].symbol();
                end += 1;
            }
            if !run.trim().is_empty() {
                out += &text(cell, &run, left, top);
            }
            x = end.max(x + 1);
        }
    }
    out + "</svg>\n"
}

fn alike(one: &Cell, other: &Cell) -> bool {
    one.fg == other.fg && one.modifier == other.modifier
}

fn is_text(cell: &Cell) -> bool {
    shape(cell, 0.0, 0.0).is_none()
}

fn text(cell: &Cell, run: &str, left: f64, top: f64) -> String {
    let start = run.len() - run.trim_start().len();
    let left = left + run[..start].chars().count() as f64 * SIZE.0;
    let run = run.trim();
    let bold = if cell.modifier.contains(Modifier::BOLD) { " class=\"b\"" } else { "" };
    let fill = if cell.modifier.contains(Modifier::REVERSED) { PAPER } else { ink(cell) };
    let length = run.chars().count() as f64 * SIZE.0;
    let run = run.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<text{bold} x=\"{left}\" y=\"{}\" fill=\"{fill}\" \
         textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\">{run}</text>\n",
        top + 13.5
    )
}

fn ink(cell: &Cell) -> &'static str {
    let dim = cell.modifier.contains(Modifier::DIM);
    match cell.fg {
        Color::Indexed(208) if dim => "#8f5a2c",
        Color::Indexed(39) if dim => "#37678a",
        Color::Indexed(208) => "#ff9f4a",
        Color::Indexed(39) => "#5fb4f0",
        _ if dim => "#7d8794",
        _ => INK,
    }
}

/// Blocks and lines, drawn.
fn shape(cell: &Cell, left: f64, top: f64) -> Option<String> {
    let (width, height) = SIZE;
    let fill = ink(cell);
    let sign = cell.symbol().chars().next()?;
    let rect = |y: f64, h: f64, more: &str| {
        // A little wider than the character, so that neighbours leave no hairline.
        Some(format!(
            "<rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{h}\" fill=\"{fill}\"{more}/>\n",
            top + y,
            width + 0.3
        ))
    };
    let (middle_x, middle_y) = (left + width / 2.0, top + height / 2.0);
    let (right, bottom) = (left + width, top + height);
    let stroke = |path: String, thick: f64| {
        Some(format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"{thick}\"/>\n"
        ))
    };
    let arc = |x: f64, y: f64| format!("M{middle_x} {y}Q{middle_x} {middle_y} {x} {middle_y}");
    match sign {
        '█' => rect(0.0, height + 0.3, ""),
        '▀' => rect(0.0, height / 2.0, ""),
        '▄' => rect(height / 2.0, height / 2.0 + 0.3, ""),
        '▖'..='▟' | '▌' | '▐' => quarters(sign, left, top, fill),
        '░' => rect(0.0, height, " opacity=\".28\""),
        '─' => stroke(format!("M{left} {middle_y}H{right}"), 1.0),
        '│' => stroke(format!("M{middle_x} {top}V{bottom}"), 1.0),
        '╭' => stroke(arc(right, bottom), 1.0),
        '╮' => stroke(arc(left, bottom), 1.0),
        '╰' => stroke(arc(right, top), 1.0),
        '╯' => stroke(arc(left, top), 1.0),
        '┃' => stroke(format!("M{middle_x} {top}V{bottom}"), 3.0),
        '┏' => stroke(format!("M{middle_x} {bottom}V{middle_y}H{right}"), 3.0),
        '┓' => stroke(format!("M{middle_x} {bottom}V{middle_y}H{left}"), 3.0),
        '┗' => stroke(format!("M{middle_x} {top}V{middle_y}H{right}"), 3.0),
        '┛' => stroke(format!("M{middle_x} {top}V{middle_y}H{left}"), 3.0),
        _ => None,
    }
}

/// Block characters made of quarters.
fn quarters(sign: char, left: f64, top: f64, fill: &str) -> Option<String> {
    let lit = match sign {
        '▘' => 1,
        '▝' => 2,
        '▖' => 4,
        '▌' => 5,
        '▞' => 6,
        '▛' => 7,
        '▗' => 8,
        '▚' => 9,
        '▐' => 10,
        '▜' => 11,
        '▙' => 13,
        '▟' => 14,
        _ => return None,
    };
    let (width, height) = (SIZE.0 / 2.0, SIZE.1 / 2.0);
    let rects = (0..4).filter(|bit| lit >> bit & 1 == 1).map(|bit| {
        let (x, y) = (left + f64::from(bit % 2) * width, top + f64::from(bit / 2) * height);
        format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"/>\n",
            width + 0.3,
            height + 0.3
        )
    });
    Some(rects.collect())
}
