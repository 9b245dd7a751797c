//! Plain minimax: the oracle. Every clever search must agree with this.

use super::limits::Countdown;
use super::line::Lines;
use super::{Halt, LeafKind, Observer, Tree, Turn, Window};
use crate::score::INFINITY;

/// The value of `node` looking `depth` plies ahead, and the line that leads to it (from `ply` on in
/// `lines`).
pub(super) fn minimax<T: Tree, O: Observer<T>>(
    tree: &T,
    node: T::Node,
    depth: u32,
    ply: usize,
    lines: &mut Lines<T::Move>,
    countdown: &mut Countdown,
    observer: &mut O,
) -> Result<i32, Halt> {
    countdown.spend()?;
    observer.enter(tree, &node, depth, Window::OPEN);
    lines.clear(ply);
    if let Some(value) = tree.ended(&node) {
        observer.leaf(tree, &node, value, LeafKind::Ended);
        return Ok(value);
    }
    if depth == 0 {
        let value = tree.evaluate(&node);
        observer.leaf(tree, &node, value, LeafKind::Evaluated);
        return Ok(value);
    }
    let turn = tree.turn(&node);
    let mut best = match turn {
        Turn::Max => -INFINITY,
        Turn::Min => INFINITY,
    };
    for mv in tree.moves(&node) {
        let child = tree.child(&node, mv);
        let value = minimax(tree, child, depth - 1, ply + 1, lines, countdown, observer)?;
        let better = match turn {
            Turn::Max => value > best,
            Turn::Min => value < best,
        };
        if better {
            best = value;
            lines.improve(ply, mv);
        }
        observer.update(tree, &node, &child, value, best, Window::OPEN);
    }
    observer.leave(tree, &node, best);
    Ok(best)
}
