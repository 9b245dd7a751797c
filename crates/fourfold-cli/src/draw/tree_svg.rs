//! A searched tree as an SVG that stands alone: no fonts, scripts or files from elsewhere, light and dark by itself.
//!
//! Colours are custom properties with a plain colour before each use, for viewers that know none of them.

use super::fold::{Fold, Item, View};
use super::tree_layout::{LABEL_AT, Layout, Size, lay_out};
use super::{Searched, counted};
use crate::output::grouped;
use fourfold::search::{NodeId, Tree, Turn};
use std::fmt::Write;

const STYLE: &str = "\
.fourfold{--paper:#fafaf7;--ink:#1c2430;--muted:#4a5463;--line:#8a93a0;--board:#dfe5ec;--first:#c2500a;--second:#0b5fa5}\
@media(prefers-color-scheme:dark){.fourfold{--paper:#14171c;--ink:#e8eaee;--muted:#9aa4b2;--line:#66707e;\
--board:#232a34;--first:#ff9f4a;--second:#5fb4f0}}\
.fourfold text{font:16px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;\
fill:#1c2430;fill:var(--ink);text-anchor:middle;dominant-baseline:central;font-variant-numeric:tabular-nums}\
.fourfold .small{font-size:12px;fill:#4a5463;fill:var(--muted)}\
.fourfold .left{text-anchor:start}\
.fourfold .say{font-size:16px;text-anchor:start}\
.fourfold .best{font-weight:700;fill:#1c2430;fill:var(--ink)}\
.fourfold .label{paint-order:stroke;stroke:#fafaf7;stroke:var(--paper);stroke-width:5px;stroke-linejoin:round}\
.fourfold .paper{fill:#fafaf7;fill:var(--paper)}\
.fourfold .edge{fill:none;stroke:#4a5463;stroke:var(--muted);stroke-width:1.5px}\
.fourfold .edge.best{stroke:#1c2430;stroke:var(--ink);stroke-width:4px}\
.fourfold .edge.cut{stroke-dasharray:5 4}\
.fourfold .edge.off{stroke:#8a93a0;stroke:var(--line);stroke-width:1px}\
.fourfold .shape{fill:#dfe5ec;fill:var(--board);stroke:#4a5463;stroke:var(--muted);stroke-width:1.5px;\
stroke-linejoin:round}\
.fourfold .max .shape{stroke:#c2500a;stroke:var(--first);stroke-width:2px}\
.fourfold .min .shape{stroke:#0b5fa5;stroke:var(--second);stroke-width:2px}\
.fourfold .best .shape{stroke-width:4px}\
.fourfold .off .shape{fill:#fafaf7;fill:var(--paper);stroke:#8a93a0;stroke:var(--line);stroke-width:1.5px}\
.fourfold .off text{fill:#4a5463;fill:var(--muted)}\
.fourfold .snip{fill:none;stroke:#1c2430;stroke:var(--ink);stroke-width:1.5px;stroke-linecap:round}";

/// Scissors of 14 by 14, open to the right; drawn, since not every font has them.
const SCISSORS: &str = "<g id=\"scissors\"><circle class=\"paper\" r=\"10\"/><g class=\"snip\">\
<circle cx=\"-4\" cy=\"-3.5\" r=\"2.2\"/><circle cx=\"-4\" cy=\"3.5\" r=\"2.2\"/>\
<path d=\"M-2.2-2.2 6.5 3.6M-2.2 2.2 6.5-3.6\"/></g></g>";

const MARGIN: f64 = 24.0;
const TRIANGLE_HEIGHT: f64 = 46.0;
const LEAF_HEIGHT: f64 = 34.0;
const PILL_HEIGHT: f64 = 40.0;
/// From the foot of the tree to the first line below it, and from line to line.
const CAPTION_GAP: f64 = 40.0;
const CAPTION_LINE: f64 = 26.0;

/// Draws `view` of a searched tree.
pub(crate) fn draw(searched: &Searched<'_>, view: &View) -> String {
    let drawing = Drawing::new(searched, view);
    let sizes: Vec<Size> = drawing.faces.iter().map(Face::size).collect();
    let layout = lay_out(view, &sizes);
    drawing.write(&layout)
}

/// Who wins, and with how many discs on the board: as short as it must be inside a node.
fn decided(winner: Turn, discs: u32) -> String {
    format!("{}{discs}", if winner == Turn::Max { 'W' } else { 'L' })
}

/// What is written in and beside a shape, and the shape's width.
struct Face {
    shape: Shape,
    width: f64,
    value: String,
    value_size: f64,
    beside: Vec<String>,
    label: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Max,
    Min,
    Leaf,
    Pill,
}

impl Shape {
    fn height(self) -> f64 {
        match self {
            Self::Max | Self::Min => TRIANGLE_HEIGHT,
            Self::Leaf => LEAF_HEIGHT,
            Self::Pill => PILL_HEIGHT,
        }
    }
}

impl Face {
    fn size(&self) -> Size {
        let half = self.width / 2.0 + 2.0;
        if self.shape == Shape::Pill {
            return Size { left: half, right: half, label: 0.0 };
        }
        let beside = self.beside.iter().map(|text| text_width(text, 12.0)).fold(0.0, f64::max);
        // A triangle leaves room beside its point, but the text may stand as far out as its side.
        let right = if beside > 0.0 { half * 0.75 + 6.0 + beside } else { half };
        Size { left: half, right: right.max(half), label: text_width(&self.label, 12.0) }
    }
}

/// A safe guess: digits take a little over half an em in the fonts there are.
fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.6
}

struct Drawing<'a> {
    searched: &'a Searched<'a>,
    view: &'a View,
    faces: Vec<Face>,
}

impl<'a> Drawing<'a> {
    fn new(searched: &'a Searched<'a>, view: &'a View) -> Self {
        let face = |item: &Item| match item {
            Item::Node(node) => node_face(searched, *node),
            Item::Fold(fold) => fold_face(fold),
        };
        Self { searched, view, faces: view.places.iter().map(|place| face(&place.item)).collect() }
    }

    fn write(&self, layout: &Layout) -> String {
        let (title, caption) = (self.title(), self.caption());
        let caption_width = caption.iter().map(|line| text_width(line, 16.0)).fold(360.0, f64::max);
        let width = (layout.width.max(caption_width) + 2.0 * MARGIN).ceil();
        let lines = caption.len() as f64 + 1.0;
        let height = (layout.height + CAPTION_GAP + lines * CAPTION_LINE + 2.0 * MARGIN).ceil();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fourfold\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"tree-title tree-desc\">\n\
             <title id=\"tree-title\">{title}</title>\n<desc id=\"tree-desc\">{}</desc>\n\
             <style>{STYLE}</style>\n<defs>{SCISSORS}</defs>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
            escape(&caption.join(". "))
        );
        let left = MARGIN + (width - 2.0 * MARGIN - layout.width) / 2.0;
        out += &format!("<g transform=\"translate({} {MARGIN})\">\n", round(left));
        // The lines first, so that shapes and labels lie over them; the expected line over the others.
        for best in [false, true] {
            self.each_edge(|parent, child| self.edge(&mut out, layout, parent, child, best));
        }
        self.each_edge(|parent, child| self.edge_label(&mut out, layout, parent, child));
        for index in 0..self.faces.len() {
            self.shape(&mut out, layout, index);
        }
        out += "</g>\n";
        let mut y = MARGIN + layout.height + CAPTION_GAP;
        for (index, line) in caption.iter().enumerate() {
            let class = if index == 0 { "say best" } else { "say" };
            out += &format!(
                "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{}\">{}</text>\n",
                round(y),
                escape(line)
            );
            y += CAPTION_LINE;
        }
        self.key(&mut out, y);
        out + "</svg>\n"
    }

    fn each_edge(&self, mut draw: impl FnMut(usize, usize)) {
        for (index, place) in self.view.places.iter().enumerate() {
            for &child in &place.children {
                draw(index, child);
            }
        }
    }

    fn node(&self, index: usize) -> Option<NodeId> {
        match self.view.places[index].item {
            Item::Node(node) => Some(node),
            Item::Fold(_) => None,
        }
    }

    /// From the foot of the parent to the head of the child.
    fn ends(&self, layout: &Layout, parent: usize, child: usize) -> [(f64, f64); 2] {
        let foot = layout.y[parent] + self.faces[parent].shape.height() / 2.0;
        let head = layout.y[child] - self.faces[child].shape.height() / 2.0;
        [(layout.x[parent], foot), (layout.x[child], head)]
    }

    fn edge(&self, out: &mut String, layout: &Layout, parent: usize, child: usize, best: bool) {
        let node = self.node(child);
        if node.is_some_and(|node| self.searched.on_line(node)) != best {
            return;
        }
        let marks = self.searched.marks;
        let class = match node {
            _ if best => "edge best",
            Some(node) if marks.is_cut(node) => "edge cut",
            Some(node) if marks.of(node).is_some() => "edge",
            _ => "edge off",
        };
        let [(x1, y1), (x2, y2)] = self.ends(layout, parent, child).map(|(x, y)| (round(x), round(y)));
        let _ = writeln!(out, "<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>");
    }

    fn edge_label(&self, out: &mut String, layout: &Layout, parent: usize, child: usize) {
        let Some(node) = self.node(child) else { return };
        let [(x1, y1), (x2, y2)] = self.ends(layout, parent, child);
        let at = |part: f64| (round(x1 + (x2 - x1) * part), round(y1 + (y2 - y1) * part));
        if self.searched.marks.is_cut(node) {
            let (x, y) = at(0.26);
            let angle = round((y2 - y1).atan2(x2 - x1).to_degrees() + 90.0);
            let _ =
                writeln!(out, "<use href=\"#scissors\" transform=\"translate({x} {y}) rotate({angle})\"/>");
        }
        let (x, y) = at(LABEL_AT);
        let class = if self.searched.on_line(node) { "small label best" } else { "small label" };
        let label = escape(&self.faces[child].label);
        let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{label}</text>");
    }

    fn shape(&self, out: &mut String, layout: &Layout, index: usize) {
        let face = &self.faces[index];
        let (x, y) = (round(layout.x[index]), round(layout.y[index]));
        let mut class = match face.shape {
            Shape::Max => "max",
            Shape::Min => "min",
            Shape::Leaf => "leaf",
            Shape::Pill => "fold",
        }
        .to_owned();
        let tip = match &self.view.places[index].item {
            Item::Node(node) => {
                let visited = self.searched.marks.of(*node).is_some();
                if self.searched.on_line(*node) {
                    class += " best";
                } else if !visited {
                    class += " off";
                }
                self.tip(*node)
            }
            Item::Fold(fold) => {
                if fold.visited == 0 {
                    class += " off";
                }
                format!("{} folded away", counted(fold.nodes, "node"))
            }
        };
        let _ = write!(
            out,
            "<g class=\"{class}\" transform=\"translate({x} {y})\"><title>{}</title>{}",
            escape(&tip),
            outline(face.shape, face.width)
        );
        if face.shape == Shape::Pill {
            let rest = face.beside.first().map_or("", String::as_str);
            let _ = write!(out, "<text y=\"-7\">{}</text>", escape(&face.value));
            let _ = write!(out, "<text class=\"small\" y=\"9\">{}</text>", escape(rest));
        } else {
            self.face_text(out, face);
        }
        *out += "</g>\n";
    }

    fn face_text(&self, out: &mut String, face: &Face) {
        let middle = match face.shape {
            Shape::Max => 9.0,
            Shape::Min => -9.0,
            Shape::Leaf | Shape::Pill => 0.0,
        };
        if !face.value.is_empty() {
            let size = match face.value_size {
                16.0 => String::new(),
                size => format!(" style=\"font-size:{}px\"", round(size)),
            };
            let _ = write!(out, "<text y=\"{middle}\"{size}>{}</text>", escape(&face.value));
        }
        // Beside the point of the triangle, where it leaves most room.
        let top = if face.shape == Shape::Max { -14.0 } else { 0.0 };
        let x = round(face.width / 2.0 * 0.75 + 4.0);
        for (line, text) in face.beside.iter().enumerate() {
            let y = top + 14.0 * line as f64;
            let _ = write!(out, "<text class=\"small left\" x=\"{x}\" y=\"{y}\">{}</text>", escape(text));
        }
    }

    /// What a pointer that rests on a node is told.
    fn tip(&self, node: NodeId) -> String {
        let Searched { tree, marks, .. } = self.searched;
        let name = if node == NodeId::ROOT { "the root".to_owned() } else { self.searched.edge_name(node) };
        let kind = match (tree.leaf_value(node), tree.turn(&node)) {
            (Some(_), _) => "a leaf",
            (None, turn) => turn.name(),
        };
        let value = self.searched.found(node, super::tree_text::decided);
        let value = value.map_or_else(String::new, |value| format!(", {value}"));
        let state = match (marks.of(node), marks.is_cut(node)) {
            (Some(_), _) => "",
            (None, true) => ", cut",
            (None, false) => ", not visited",
        };
        format!("{name}: {kind}{value}{state}")
    }

    fn title(&self) -> String {
        format!("A game tree searched by {}", if self.searched.pruning { "alpha-beta" } else { "minimax" })
    }

    /// What the drawing comes to, line by line.
    fn caption(&self) -> Vec<String> {
        let Searched { tree, marks, report, .. } = self.searched;
        let value = self.searched.value(report.value, super::tree_text::decided);
        let mut first = format!("Value {value}");
        if let Some(best) = report.best {
            first += &format!(", best {}", self.searched.edge_name(best));
        }
        let mut lines = vec![first];
        let shown: Vec<String> = report.line.iter().take(12).map(NodeId::to_string).collect();
        if !shown.is_empty() {
            let more = if shown.len() < report.line.len() { " → …" } else { "" };
            lines.push(format!("Expected line {}{more}", shown.join(" → ")));
        }
        let leaves = tree.nodes().filter(|&node| tree.leaf_value(node).is_some()).count();
        let algorithm = if self.searched.pruning { "Alpha-beta" } else { "Minimax" };
        let cut = marks.cut_edges().len() as u64;
        lines.push(format!(
            "{algorithm} visited {} of {}, {} of {}",
            grouped(marks.leaves.len() as u64),
            counted(leaves as u64, "leaf").replace("leafs", "leaves"),
            grouped(marks.visited),
            counted(tree.len() as u64, "node"),
        ));
        if self.searched.pruning {
            lines.push(if cut == 0 {
                "No edge was cut".to_owned()
            } else {
                format!("{} cut", counted(cut, "edge"))
            });
        }
        if self.says_who_wins() {
            lines.push("W5, L6: MAX wins with disc 5, MIN with disc 6".to_owned());
        }
        lines
    }

    fn says_who_wins(&self) -> bool {
        self.searched.tree.position().is_some()
            && self.faces.iter().any(|face| face.shape != Shape::Pill && face.value.contains(['W', 'L']))
    }

    /// What the shapes mean.
    fn key(&self, out: &mut String, y: f64) {
        let mut x = MARGIN + 12.0;
        let mut say = |class: &str, picture: &str, text: &str| {
            let at = format!("transform=\"translate({} {})\"", round(x), round(y));
            let _ = writeln!(
                out,
                "<g class=\"{class}\" {at}>{picture}<text class=\"small left\" x=\"16\">{text}</text></g>"
            );
            x += 16.0 + text_width(text, 12.0) + 32.0;
        };
        say("max", "<path class=\"shape\" d=\"M0-8 9 8-9 8Z\"/>", "MAX");
        say("min", "<path class=\"shape\" d=\"M0 8 9-8-9-8Z\"/>", "MIN");
        say("leaf", "<rect class=\"shape\" x=\"-8\" y=\"-8\" width=\"16\" height=\"16\" rx=\"2\"/>", "leaf");
        if self.searched.pruning {
            let cut = "<path class=\"edge cut\" d=\"M-12 0H12\"/><use href=\"#scissors\"/>";
            say("cut", cut, "cut");
        }
        say("line", "<path class=\"edge best\" d=\"M-12 0H12\"/>", "expected line");
    }
}

fn node_face(searched: &Searched<'_>, node: NodeId) -> Face {
    let shape = match (searched.tree.leaf_value(node), searched.tree.turn(&node)) {
        (Some(_), _) => Shape::Leaf,
        (None, Turn::Max) => Shape::Max,
        (None, Turn::Min) => Shape::Min,
    };
    let value = searched.found(node, decided).unwrap_or_default().replace('-', "−");
    let wanted = text_width(&value, 16.0);
    let (width, value_size) = if shape == Shape::Leaf {
        ((wanted + 12.0).max(LEAF_HEIGHT), 16.0)
    } else {
        // A triangle is about half as wide where the text begins as at its side.
        let width = (wanted / 0.52).clamp(54.0, 110.0);
        (width, (width * 0.52 / wanted.max(1.0) * 16.0).clamp(9.0, 16.0))
    };
    let beside = searched.window(node).map_or_else(Vec::new, |window| {
        let bound = |name, value| format!("{name} {}", searched.value(value, decided).replace('-', "−"));
        vec![bound('α', window.alpha), bound('β', window.beta)]
    });
    let label = if node == NodeId::ROOT { String::new() } else { searched.edge_name(node) };
    Face { shape, width, value, value_size, beside, label }
}

fn fold_face(fold: &Fold) -> Face {
    let value = format!("+{}", grouped(fold.nodes));
    let rest = match (fold.visited, fold.cut) {
        (0, _) => "not visited".to_owned(),
        (visited, 0) if visited == fold.nodes => "all visited".to_owned(),
        (visited, 0) => format!("{} visited", grouped(visited)),
        (visited, cut) => format!("{} visited, {} cut", grouped(visited), grouped(cut)),
    };
    let width = text_width(&value, 16.0).max(text_width(&rest, 12.0)) + 20.0;
    Face { shape: Shape::Pill, width, value, value_size: 16.0, beside: vec![rest], label: String::new() }
}

fn outline(shape: Shape, width: f64) -> String {
    let (half, tall) = (round(width / 2.0), shape.height() / 2.0);
    let (width, height) = (round(width), shape.height());
    match shape {
        Shape::Max => format!("<path class=\"shape\" d=\"M0 {}L{half} {tall}H{}Z\"/>", -tall, -half),
        Shape::Min => format!("<path class=\"shape\" d=\"M0 {tall}L{half} {}H{}Z\"/>", -tall, -half),
        Shape::Leaf | Shape::Pill => {
            let corner = if shape == Shape::Leaf { 4.0 } else { tall };
            format!(
                "<rect class=\"shape\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"{corner}\"/>",
                -half, -tall
            )
        }
    }
}

/// To a tenth of a pixel.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
