//! The layout of a tree drawing: parents centred over their children, with no overlaps.
//!
//! Every subtree has a vertical strip to itself, as wide as its widest level; the strips of
//! siblings lie side by side. That is a little wider than the tightest layout, but labels never
//! collide.

use super::fold::View;

/// The room that one place of a drawing needs, in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// From the middle of the shape to the left end.
    pub left: f64,
    /// From the middle of the shape to the right end, with what is written beside it.
    pub right: f64,
    /// The width of the label on the edge above.
    pub label: f64,
}

/// The coordinates of all places, in pixels.
#[derive(Debug)]
pub struct TreeLayout {
    /// By place: the centre of its shape.
    pub x: Vec<f64>,
    /// By place: the centre of its shape.
    pub y: Vec<f64>,
    /// The width of the drawing.
    pub width: f64,
    /// The height of the drawing.
    pub height: f64,
}

/// The position of a label on its edge, as a fraction of the way down.
pub const LABEL_AT: f64 = 0.62;

/// The height of a row of shapes.
pub const ROW: f64 = 48.0;

/// The least height of the band of edges between two rows.
const BAND: f64 = 58.0;

/// The gap between neighbouring leaves.
const GAP: f64 = 12.0;

/// The gap after a place that has children.
const WIDE_GAP: f64 = 24.0;

/// Lays out a view whose places have these sizes.
pub fn lay_out(view: &View, sizes: &[Extent]) -> TreeLayout {
    let places = &view.places;
    // Relative to the centre of its root: how far each subtree reaches to both sides. And each
    // place's offset from its parent.
    let mut reach: Vec<(f64, f64)> = sizes
        .iter()
        .map(|size| (size.left.max(size.label / 2.0), size.right.max(size.label / 2.0)))
        .collect();
    let mut offset = vec![0.0; places.len()];
    let mut spread = vec![0.0f64; places.len()];
    // Children follow their parents, so in reverse order they come first.
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

/// Turns offsets into coordinates.
fn place_all(
    view: &View,
    reach: &[(f64, f64)],
    offset: &[f64],
    spread: &[f64],
) -> (Vec<f64>, Vec<f64>, f64) {
    let places = &view.places;
    let mut x = vec![reach[0].0; places.len()];
    let mut level = vec![0; places.len()];
    // The widest fan of each level: wide fans get a higher band, or their edges would be too flat.
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
