//! Where the nodes of a drawing go: parents centred over their children, nothing over anything
//! else.
//!
//! Every subtree keeps a strip of the paper to itself, as wide as its widest level; the strips of
//! siblings lie side by side. That is a little wider than the tightest drawing, but no label can
//! ever run into a neighbour.

use super::fold::View;

/// The room that one place of a drawing wants, in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// From the middle of the shape to the left end.
    pub left: f64,
    /// From the middle of the shape to the right end, with what is written beside it.
    pub right: f64,
    /// The width of the label on the edge above.
    pub label: f64,
}

/// Where things went.
#[derive(Debug)]
pub struct TreeLayout {
    /// By place: the middle of its shape.
    pub x: Vec<f64>,
    /// By place: the middle of its shape.
    pub y: Vec<f64>,
    /// Of all of it.
    pub width: f64,
    /// Of all of it.
    pub height: f64,
}

/// How far down an edge its label stands, as a part of the way.
pub const LABEL_AT: f64 = 0.62;

/// The height kept free for every row of shapes.
pub const ROW: f64 = 48.0;

/// The least height kept free for the edges between two rows.
const BAND: f64 = 58.0;

/// Between neighbours.
const GAP: f64 = 12.0;

/// Between neighbours that have something below them.
const WIDE_GAP: f64 = 24.0;

/// Lays out a view whose places want these sizes.
pub fn lay_out(view: &View, sizes: &[Extent]) -> TreeLayout {
    let places = &view.places;
    // Seen from the middle of its own shape: how far each subtree reaches, and where each place's
    // parent puts it.
    let mut reach: Vec<(f64, f64)> = sizes
        .iter()
        .map(|size| (size.left.max(size.label / 2.0), size.right.max(size.label / 2.0)))
        .collect();
    let mut offset = vec![0.0; places.len()];
    let mut spread = vec![0.0f64; places.len()];
    // Children stand behind their parents, so that from the back they come first.
    for (index, place) in places.iter().enumerate().rev() {
        let (Some(&first), Some(&last)) = (place.children.first(), place.children.last()) else {
            continue;
        };
        let mut end = 0.0;
        let mut before: Option<usize> = None;
        for &child in &place.children {
            let mut x = end + reach[child].0;
            if let Some(before) = before {
                let labels = (sizes[before].label + sizes[child].label) / 2.0 + 6.0;
                x = x.max(offset[before] + labels / LABEL_AT);
            }
            offset[child] = x;
            let leaves = places[child].children.is_empty();
            end = x + reach[child].1 + if leaves { GAP } else { WIDE_GAP };
            before = Some(child);
        }
        let middle = f64::midpoint(offset[first], offset[last]);
        for &child in &place.children {
            offset[child] -= middle;
        }
        spread[index] = offset[last] - offset[first];
        let left = reach[first].0 - offset[first];
        let right = offset[last] + reach[last].1;
        reach[index] = (reach[index].0.max(left), reach[index].1.max(right));
    }
    let (x, y, height) = place_all(view, &reach, &offset, &spread);
    TreeLayout { x, y, width: reach[0].0 + reach[0].1, height }
}

/// From offsets to places on the paper.
fn place_all(
    view: &View,
    reach: &[(f64, f64)],
    offset: &[f64],
    spread: &[f64],
) -> (Vec<f64>, Vec<f64>, f64) {
    let places = &view.places;
    let mut x = vec![reach[0].0; places.len()];
    let mut level = vec![0; places.len()];
    // The widest fan of each level: wide fans get a higher band for their edges, or they would lie
    // flat.
    let mut widest: Vec<f64> = Vec::new();
    for (index, place) in places.iter().enumerate() {
        if widest.len() <= level[index] {
            widest.resize(level[index] + 1, 0.0);
        }
        widest[level[index]] = widest[level[index]].max(spread[index]);
        for &child in &place.children {
            x[child] = x[index] + offset[child];
            level[child] = level[index] + 1;
        }
    }
    let mut rows = Vec::with_capacity(widest.len());
    let mut y = ROW / 2.0;
    for widest in widest {
        rows.push(y);
        y += ROW + (BAND + widest * 0.04).min(120.0);
    }
    let height = rows.last().copied().unwrap_or(0.0) + ROW / 2.0;
    (x, level.into_iter().map(|level| rows[level]).collect(), height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::fold::View;
    use crate::draw::marks::Marks;
    use fourfold::random::Random;
    use fourfold::search::{ExplicitTree, Limits, SearchOptions, search_tree};

    /// A tree of any shape, as text.
    fn any_tree(random: &mut Random, depth: usize) -> String {
        if depth == 0 || random.below(4) == 0 {
            return format!("{} ", random.below(2000) as i32 - 1000);
        }
        let children: String = (0..=random.below(4)).map(|_| any_tree(random, depth - 1)).collect();
        format!("({children})")
    }

    #[test]
    fn nothing_lies_over_anything_else() {
        let mut random = Random::new(3);
        for round in 0..300 {
            let tree: ExplicitTree = any_tree(&mut random, 1 + round % 6).parse().unwrap();
            let mut marks = Marks::new(&tree).unwrap();
            let limits = Limits::depth(tree.depth());
            let report =
                search_tree(&tree, &SearchOptions::default(), &limits, 0, &mut marks).unwrap();
            let view = View::new(&tree, &marks, &report.line, 10 + round);
            let mut width = || 8.0 + random.below(60) as f64;
            let sizes: Vec<Extent> = view
                .places
                .iter()
                .map(|_| Extent { left: width(), right: width(), label: width() })
                .collect();
            let layout = lay_out(&view, &sizes);
            check(&view, &sizes, &layout);
        }
    }

    fn check(view: &View, sizes: &[Extent], layout: &TreeLayout) {
        // Everything that takes room, as (row, left, right): shapes with their texts, and labels on
        // edges.
        let mut taken: Vec<(f64, f64, f64)> = Vec::new();
        for (index, size) in sizes.iter().enumerate() {
            taken.push((
                layout.y[index],
                layout.x[index] - size.left,
                layout.x[index] + size.right,
            ));
        }
        for (index, place) in view.places.iter().enumerate() {
            for &child in &place.children {
                let x = layout.x[index] + (layout.x[child] - layout.x[index]) * LABEL_AT;
                let half = sizes[child].label / 2.0;
                taken.push((layout.y[child] - ROW, x - half, x + half));
                assert!(layout.y[child] >= layout.y[index] + ROW + BAND);
            }
            if let (Some(&first), Some(&last)) = (place.children.first(), place.children.last()) {
                let middle = f64::midpoint(layout.x[first], layout.x[last]);
                assert!((middle - layout.x[index]).abs() < 1e-6, "parents stand over the middle");
            }
        }
        taken.sort_by(|a, b| a.partial_cmp(b).unwrap());
        for pair in taken.windows(2) {
            assert!(pair[0].0 < pair[1].0 || pair[0].2 <= pair[1].1 + 1e-6, "{pair:?}");
        }
        for &(_, left, right) in &taken {
            assert!(left > -1e-6 && right < layout.width + 1e-6);
        }
    }
}
