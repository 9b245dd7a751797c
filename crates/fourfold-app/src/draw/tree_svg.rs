//! A searched tree as an SVG.

use super::fold::{Fold, Item, View};
use super::tree_layout::{Extent, LABEL_AT, TreeLayout, lay_out};
use super::{BRIEF, SearchedTree, counted, in_brief, in_words};
use crate::text::grouped;
use fourfold::search::{NodeId, Tree, Turn};
use fourfold_lab::svg::{escape, line, open, rect, round, text, text_width};
use std::fmt::Write;

const STYLE: &str = "\
.fourfold text.best{font-weight:700;fill:#1c2430;fill:var(--ink)}\
.fourfold .edge{fill:none;stroke:#4a5463;stroke:var(--muted);stroke-width:1.5px}\
.fourfold .edge.best{stroke:#1c2430;stroke:var(--ink);stroke-width:4px}\
.fourfold .edge.cut{stroke-dasharray:5 4}\
.fourfold .edge.off{stroke:#8a93a0;stroke:var(--line);stroke-width:1px}\
.fourfold .shape{fill:#dfe5ec;fill:var(--board);stroke:#4a5463;stroke:var(--muted);\
stroke-width:1.5px;stroke-linejoin:round}\
.fourfold .max .shape{stroke:#c2500a;stroke:var(--first);stroke-width:2px}\
.fourfold .min .shape{stroke:#0b5fa5;stroke:var(--second);stroke-width:2px}\
.fourfold .best .shape{stroke-width:4px}\
.fourfold .marked{fill:none;stroke:#b3261e;stroke-width:3px;stroke-dasharray:6 3}\
.fourfold .off .shape{fill:#fafaf7;fill:var(--paper);stroke:#8a93a0;stroke:var(--line);\
stroke-width:1.5px}\
.fourfold .off text{fill:#4a5463;fill:var(--muted)}\
.fourfold .fold .shape{fill:#fafaf7;fill:var(--paper);stroke-width:1.5px}\
.fourfold .snip{fill:none;stroke:#1c2430;stroke:var(--ink);stroke-width:1.5px;\
stroke-linecap:round}";

/// Small open scissors on a spot of paper; drawn, since not every font has them.
const SCISSORS: &str = "<circle class=\"paper\" r=\"8\"/><g class=\"snip\">\
<circle cx=\"-4.5\" cy=\"-3.3\" r=\"2.1\"/><circle cx=\"-4.5\" cy=\"3.3\" r=\"2.1\"/>\
<path d=\"M-2.7-2.1 6.5 3.6M-2.7 2.1 6.5-3.6\"/></g>";

/// How far down an edge the scissors lie: below its label, where siblings are well apart.
const SCISSORS_AT: f64 = 0.87;

/// The greatest width of a drawing, in pixels, unless a number of nodes was asked for: a wider one
/// is hard to read on a page or a slide.
const MAX_WIDTH: f64 = 2400.0;

/// At least this many nodes are drawn, however wide they are.
const MIN_NODES: usize = 20;

const MARGIN: f64 = 24.0;
const TRIANGLE_HEIGHT: f64 = 48.0;
const LEAF_HEIGHT: f64 = 34.0;
const PILL_HEIGHT: f64 = 40.0;
/// From the foot of the tree to the first line below it, and from line to line.
const CAPTION_GAP: f64 = 40.0;
const CAPTION_LINE: f64 = 25.0;

/// Draws a searched tree: about `most` nodes if given, else up to `usual`, as many as stay
/// readable.
pub fn draw(searched: &SearchedTree<'_>, most: Option<usize>, usual: usize) -> String {
    draw_marked(searched, most, usual, None)
}

/// A node to be circled, and what the legend says about it.
pub type NodeRemark<'a> = (NodeId, &'a str);

/// The same with a node circled.
pub fn draw_marked(
    searched: &SearchedTree<'_>,
    most: Option<usize>,
    usual: usize,
    marked: Option<NodeRemark<'_>>,
) -> String {
    let mut nodes = most.unwrap_or(usual);
    loop {
        let view = searched.view(nodes);
        let drawing = SvgDrawing::new(searched, &view, marked);
        let sizes: Vec<Extent> = drawing.faces.iter().map(Face::size).collect();
        let layout = lay_out(&view, &sizes);
        if most.is_some() || layout.width <= MAX_WIDTH || nodes <= MIN_NODES {
            return drawing.write(&layout);
        }
        nodes = (nodes * 4 / 5).max(MIN_NODES);
    }
}

/// A shape with the text in and beside it.
struct Face {
    shape: NodeShape,
    width: f64,
    value: String,
    value_size: f64,
    beside: Vec<String>,
    label: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeShape {
    Max,
    Min,
    Leaf,
    Pill,
}

impl NodeShape {
    fn height(self) -> f64 {
        match self {
            Self::Max | Self::Min => TRIANGLE_HEIGHT,
            Self::Leaf => LEAF_HEIGHT,
            Self::Pill => PILL_HEIGHT,
        }
    }
}

impl Face {
    fn size(&self) -> Extent {
        let half = self.width / 2.0 + 2.0;
        if self.shape == NodeShape::Pill {
            return Extent { left: half, right: half, label: 0.0 };
        }
        let beside = self.beside.iter().map(|text| text_width(text, 12.0)).fold(0.0, f64::max);
        let right = if beside > 0.0 { half.max(beside_at(self.width) + beside) } else { half };
        Extent { left: half, right, label: text_width(&self.label, 12.0) }
    }
}

/// How far from the middle of a triangle the text beside it begins.
fn beside_at(width: f64) -> f64 {
    width / 2.0 * 0.7 + 6.0
}

struct SvgDrawing<'a> {
    searched: &'a SearchedTree<'a>,
    view: &'a View,
    faces: Vec<Face>,
    marked: Option<NodeRemark<'a>>,
}

impl<'a> SvgDrawing<'a> {
    fn new(searched: &'a SearchedTree<'a>, view: &'a View, marked: Option<NodeRemark<'a>>) -> Self {
        let face = |item: &Item| match item {
            Item::Node(node) => node_face(searched, *node),
            Item::Fold(fold) => fold_face(fold),
        };
        let faces = view.places.iter().map(|place| face(&place.item)).collect();
        Self { searched, view, faces, marked }
    }

    fn write(&self, layout: &TreeLayout) -> String {
        let (title, caption) = (self.title(), self.caption());
        // The legend must fit too.
        let least = if self.marked.is_some() { 560.0 } else { 400.0 };
        let caption_width = caption.iter().map(|line| text_width(line, 14.0)).fold(least, f64::max);
        let width = (layout.width.max(caption_width) + 2.0 * MARGIN).ceil();
        let lines = caption.len() as f64;
        let height = (layout.height + CAPTION_GAP + lines * CAPTION_LINE + 2.0 * MARGIN).ceil();
        let mut out = open("tree", (width, height), &title, &caption.join(". "), STYLE);
        let _ = writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
        let left = MARGIN + (width - 2.0 * MARGIN - layout.width) / 2.0;
        out += &format!("<g transform=\"translate({} {MARGIN})\">\n", round(left));
        // Edges first, so that shapes and labels lie over them; the expected line over the others.
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
            out += &text(if index == 0 { "head" } else { "say" }, MARGIN, y, line);
            out.push('\n');
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
    fn ends(&self, layout: &TreeLayout, parent: usize, child: usize) -> [(f64, f64); 2] {
        let foot = layout.y[parent] + self.faces[parent].shape.height() / 2.0;
        let head = layout.y[child] - self.faces[child].shape.height() / 2.0;
        [(layout.x[parent], foot), (layout.x[child], head)]
    }

    fn edge(&self, out: &mut String, layout: &TreeLayout, parent: usize, child: usize, best: bool) {
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
        let [from, to] = self.ends(layout, parent, child);
        let _ = writeln!(out, "{}", line(class, from, to));
    }

    fn edge_label(&self, out: &mut String, layout: &TreeLayout, parent: usize, child: usize) {
        let Some(node) = self.node(child) else { return };
        let [(x1, y1), (x2, y2)] = self.ends(layout, parent, child);
        let at = |part: f64| (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part);
        if self.searched.marks.is_cut(node) {
            let (x, y) = at(SCISSORS_AT);
            let _ = writeln!(
                out,
                "<g transform=\"translate({} {})\">{SCISSORS}</g>",
                round(x),
                round(y)
            );
        }
        let (x, y) = at(LABEL_AT);
        let label = &self.faces[child].label;
        let width = text_width(label, 12.0);
        *out += &rect("paper", (x - width / 2.0, y - 8.0), (width, 16.0));
        let class = if self.searched.on_line(node) { "small best" } else { "small" };
        *out += &text(class, x, y, label);
        out.push('\n');
    }

    fn shape(&self, out: &mut String, layout: &TreeLayout, index: usize) {
        let face = &self.faces[index];
        let (x, y) = (round(layout.x[index]), round(layout.y[index]));
        let mut class = match face.shape {
            NodeShape::Max => "max",
            NodeShape::Min => "min",
            NodeShape::Leaf => "leaf",
            NodeShape::Pill => "fold",
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
                let (nodes, cut) = (counted(fold.nodes, "node"), counted(fold.cut, "edge"));
                format!("{nodes} folded away: {} visited, {cut} cut", grouped(fold.visited))
            }
        };
        let _ = write!(
            out,
            "<g class=\"{class}\" transform=\"translate({x} {y})\"><title>{}</title>{}",
            escape(&tip),
            outline(face.shape, face.width)
        );
        if self.marked.is_some_and(|(node, _)| self.node(index) == Some(node)) {
            *out += &marking(face.width);
        }
        if face.shape == NodeShape::Pill {
            let rest = face.beside.first().map_or("", String::as_str);
            *out += &text("", 0.0, -7.0, &face.value);
            *out += &text("small", 0.0, 9.0, rest);
        } else {
            self.face_text(out, face);
        }
        *out += "</g>\n";
    }

    fn face_text(&self, out: &mut String, face: &Face) {
        let middle = match face.shape {
            NodeShape::Max => 11.0,
            NodeShape::Min => -11.0,
            NodeShape::Leaf | NodeShape::Pill => 0.0,
        };
        if !face.value.is_empty() {
            let value = text("", 0.0, middle, &face.value);
            let size = format!("<text style=\"font-size:{}px\"", round(face.value_size));
            *out += &if face.value_size < 16.0 { value.replacen("<text", &size, 1) } else { value };
        }
        // Beside the tip of the triangle, where there is most room.
        let top = if face.shape == NodeShape::Max { -15.0 } else { 1.0 };
        for (line, content) in face.beside.iter().enumerate() {
            *out += &text("small left", beside_at(face.width), top + 14.0 * line as f64, content);
        }
    }

    /// The tooltip of a node.
    fn tip(&self, node: NodeId) -> String {
        let SearchedTree { tree, marks, .. } = self.searched;
        let name = if node == NodeId::ROOT {
            "the root".to_owned()
        } else {
            self.searched.edge_name(node)
        };
        let kind = match (tree.leaf_value(node), tree.turn(&node)) {
            (Some(_), _) => "a leaf",
            (None, turn) => turn.name(),
        };
        let value = self.searched.found(node, in_words);
        let value = value.map_or_else(String::new, |value| format!(", {value}"));
        let state = match (marks.of(node), marks.is_cut(node)) {
            (Some(_), _) => "",
            (None, true) => ", cut",
            (None, false) => ", not visited",
        };
        format!("{name}: {kind}{value}{state}")
    }

    fn title(&self) -> String {
        format!(
            "A game tree searched by {}",
            if self.searched.pruning { "alpha-beta" } else { "minimax" }
        )
    }

    /// The lines below the drawing: the result and the counts.
    fn caption(&self) -> Vec<String> {
        let SearchedTree { tree, marks, report, .. } = self.searched;
        let value = self.searched.value(report.value, in_words);
        let is_word = value.starts_with(char::is_alphabetic);
        let mut lines =
            vec![if is_word { value } else { format!("Value {value}").replace('-', "−") }];
        if let Some(best) = report.best {
            lines[0] += &format!(", best {}", self.searched.edge_name(best));
            let name = |&node: &NodeId| self.searched.edge_name(node);
            let shown: Vec<String> = report.line.iter().take(8).map(name).collect();
            let more = if shown.len() < report.line.len() { " → …" } else { "" };
            lines.push(format!("Expected line {}{more}", shown.join(" → ")));
        }
        let leaves = tree.nodes().filter(|&node| tree.leaf_value(node).is_some()).count();
        let algorithm = if self.searched.pruning { "Alpha-beta" } else { "Minimax" };
        let mut counts = format!(
            "{algorithm} visited {} of {} leaves, {} of {} nodes",
            grouped(marks.leaves.len() as u64),
            grouped(leaves as u64),
            grouped(marks.visited),
            grouped(tree.len() as u64),
        );
        if self.searched.pruning {
            counts += &format!(", cut {}", counted(marks.cut_edges().len() as u64, "edge"));
        }
        lines.push(counts);
        if self.searched.has_ends() {
            lines.push(BRIEF.to_owned());
        }
        lines
    }

    /// The legend.
    fn key(&self, out: &mut String, y: f64) {
        let mut x = MARGIN + 12.0;
        let mut say = |class: &str, picture: &str, meaning: &str| {
            let at = format!("transform=\"translate({} {})\"", round(x), round(y));
            let meaning_text = text("small left", 18.0, 0.0, meaning);
            let _ = writeln!(out, "<g class=\"{class}\" {at}>{picture}{meaning_text}</g>");
            x += 18.0 + text_width(meaning, 12.0) + 32.0;
        };
        say("max", "<path class=\"shape\" d=\"M0-8 9 8-9 8Z\"/>", "MAX");
        say("min", "<path class=\"shape\" d=\"M0 8 9-8-9-8Z\"/>", "MIN");
        say(
            "leaf",
            "<rect class=\"shape\" x=\"-8\" y=\"-8\" width=\"16\" height=\"16\" rx=\"2\"/>",
            "leaf",
        );
        if self.searched.pruning {
            let cut = format!("<path class=\"edge cut\" d=\"M-14 0H14\"/>{SCISSORS}");
            say("cut", &cut, "cut");
        }
        say("line", "<path class=\"edge best\" d=\"M-14 0H14\"/>", "expected line");
        if let Some((_, meaning)) = self.marked {
            say("", "<circle class=\"marked\" r=\"9\"/>", meaning);
        }
    }
}

/// A ring around a node.
fn marking(width: f64) -> String {
    let (across, up) = (round(width / 2.0 + 7.0), round(TRIANGLE_HEIGHT / 2.0 + 7.0));
    format!("<ellipse class=\"marked\" rx=\"{across}\" ry=\"{up}\"/>")
}

fn node_face(searched: &SearchedTree<'_>, node: NodeId) -> Face {
    let shape = match (searched.tree.leaf_value(node), searched.tree.turn(&node)) {
        (Some(_), _) => NodeShape::Leaf,
        (None, Turn::Max) => NodeShape::Max,
        (None, Turn::Min) => NodeShape::Min,
    };
    let value = searched.found(node, in_brief).unwrap_or_default().replace('-', "−");
    let wanted = text_width(&value, 16.0);
    let (width, value_size) = if shape == NodeShape::Leaf {
        ((wanted + 12.0).max(LEAF_HEIGHT), 16.0)
    } else {
        // At the height of the text, a triangle is about half as wide as its side.
        let width = (wanted / 0.5 + 4.0).clamp(56.0, 110.0);
        (width, ((width - 4.0) * 0.5 / wanted.max(1.0) * 16.0).clamp(9.0, 16.0))
    };
    let beside = searched.window(node).map_or_else(Vec::new, |window| {
        let bound =
            |name, value| format!("{name} {}", searched.value(value, in_brief).replace('-', "−"));
        vec![bound('α', window.alpha), bound('β', window.beta)]
    });
    let label = if node == NodeId::ROOT { String::new() } else { searched.edge_name(node) };
    Face { shape, width, value, value_size, beside, label }
}

fn fold_face(fold: &Fold) -> Face {
    let value = format!("+{}", grouped(fold.nodes));
    let rest = match fold.visited {
        0 => "not visited".to_owned(),
        visited if visited == fold.nodes => "visited".to_owned(),
        visited => format!("{} visited", grouped(visited)),
    };
    let width = text_width(&value, 16.0).max(text_width(&rest, 12.0)) + 20.0;
    Face {
        shape: NodeShape::Pill,
        width,
        value,
        value_size: 16.0,
        beside: vec![rest],
        label: String::new(),
    }
}

fn outline(shape: NodeShape, width: f64) -> String {
    let (half, tall) = (round(width / 2.0), shape.height() / 2.0);
    let (width, height) = (round(width), shape.height());
    match shape {
        NodeShape::Max => {
            format!("<path class=\"shape\" d=\"M0 {}L{half} {tall}H{}Z\"/>", -tall, -half)
        }
        NodeShape::Min => {
            format!("<path class=\"shape\" d=\"M0 {tall}L{half} {}H{}Z\"/>", -tall, -half)
        }
        NodeShape::Leaf | NodeShape::Pill => {
            let corner = if shape == NodeShape::Leaf { 4.0 } else { tall };
            format!(
                "<rect class=\"shape\" x=\"{}\" y=\"{}\" \
                 width=\"{width}\" height=\"{height}\" rx=\"{corner}\"/>",
                -half, -tall
            )
        }
    }
}
