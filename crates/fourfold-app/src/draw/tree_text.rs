//! A searched tree drawn with characters: one line per node, the root at the top.
//!
//! ```text
//! ▲ 7
//! ├─→ E-1 ▼ 7
//! │   ├── E-4 ■ 9
//! │   └── …
//! ├── E-2 ▼ ≤6
//! │   ├── E-7 ■ 6
//! │   ├─✂ E-8 ■ 5  cut: MIN has 6 here, MAX has 7 elsewhere
//! ```

use super::fold::{Fold, Item, View};
use super::{BRIEF, SearchedTree, counted, in_brief};
use crate::text::Paint;
use fourfold::search::{NodeId, Tree, Turn};

/// Draws `view` of a searched tree.
pub fn draw(searched: &SearchedTree<'_>, view: &View, paint: Paint) -> String {
    let drawing = TextDrawing { searched, view, paint };
    let mut out = String::new();
    // Still to draw: the place, its indentation, and whether it is its parent's last child.
    let mut open = vec![(0, String::new(), true)];
    while let Some((index, indent, is_last)) = open.pop() {
        let place = &view.places[index];
        let is_root = index == 0;
        out += indent.as_str();
        match &place.item {
            Item::Node(node) => drawing.node(&mut out, *node, is_root, is_last),
            Item::Fold(fold) => {
                let corner = if is_last { "└── " } else { "├── " };
                out += &paint.faint(&format!("{corner}({})", fold_text(fold)));
            }
        }
        out.push('\n');
        let below = match (is_root, is_last) {
            (true, _) => String::new(),
            (false, true) => indent + "    ",
            (false, false) => indent + "│   ",
        };
        for (place, &child) in place.children.iter().rev().enumerate() {
            open.push((child, below.clone(), place == 0));
        }
    }
    if searched.has_ends() {
        out += &paint.faint(&format!("({BRIEF})"));
        out.push('\n');
    }
    out
}

/// `+1 234 nodes: 200 visited, 12 edges cut`.
fn fold_text(fold: &Fold) -> String {
    let mut text = format!("+{}", counted(fold.nodes, "node"));
    text += &match (fold.visited, fold.nodes) {
        (0, _) => ", not visited".to_owned(),
        (visited, nodes) if visited == nodes => ", visited".to_owned(),
        (visited, _) => format!(", {} visited", crate::text::grouped(visited)),
    };
    if fold.cut > 0 {
        text += &format!(", {} cut", counted(fold.cut, "edge"));
    }
    text
}

struct TextDrawing<'a> {
    searched: &'a SearchedTree<'a>,
    view: &'a View,
    paint: Paint,
}

impl TextDrawing<'_> {
    fn node(&self, out: &mut String, node: NodeId, is_root: bool, is_last: bool) {
        let Self { searched, paint, .. } = self;
        let (tree, marks) = (searched.tree, searched.marks);
        let on_line = searched.on_line(node);
        let is_cut = marks.is_cut(node);
        let visited = marks.of(node).is_some();
        if !is_root {
            *out += if is_last { "└─" } else { "├─" };
            let edge = searched.edge_name(node);
            *out += &match (is_cut, on_line) {
                (true, _) => paint.faint(&format!("✂ {edge} ")),
                (_, true) => paint.strong(&format!("→ {edge} ")),
                _ if visited => format!("─ {edge} "),
                _ => paint.faint(&format!("─ {edge} ")),
            };
        }
        let turn = tree.turn(&node);
        let shape = match (tree.leaf_value(node), turn) {
            (Some(_), _) => "■",
            (None, Turn::Max) => "▲",
            (None, Turn::Min) => "▼",
        };
        let value =
            searched.found(node, in_brief).map_or_else(String::new, |value| format!(" {value}"));
        *out += &match (visited, tree.leaf_value(node), turn) {
            (false, ..) => paint.faint(&format!("{shape}{value}")),
            (true, Some(_), _) => format!("{shape}{}", self.value(&value, on_line)),
            (true, None, Turn::Max) => {
                format!("{}{}", paint.first(shape), self.value(&value, on_line))
            }
            (true, None, Turn::Min) => {
                format!("{}{}", paint.second(shape), self.value(&value, on_line))
            }
        };
        if let Some(window) = searched.window(node) {
            let (alpha, beta) =
                (searched.value(window.alpha, in_brief), searched.value(window.beta, in_brief));
            *out += &paint.faint(&format!("  α {alpha} | β {beta}"));
        }
        if is_cut
            && let Some(parent) = tree.parent(node)
            && self.is_first_cut(parent, node)
        {
            *out += &format!("  cut: {}", searched.cut_reason(parent));
        }
    }

    fn value(&self, value: &str, on_line: bool) -> String {
        if on_line { self.paint.strong(value) } else { value.to_owned() }
    }

    /// Whether a node gets the reason of the cut: siblings share it, so the first one has it.
    fn is_first_cut(&self, parent: NodeId, node: NodeId) -> bool {
        let cut = |child: &NodeId| self.searched.marks.is_cut(*child);
        let first = self.searched.tree.children(parent).find(cut);
        // If the first is folded away, all have it: finding the first one drawn would be costly.
        first.is_some_and(|first| first == node || !self.is_drawn(first))
    }

    fn is_drawn(&self, node: NodeId) -> bool {
        self.view.places.iter().any(|place| place.item == Item::Node(node))
    }
}
