//! The smallest question that a program still answers wrongly.

use crate::expand::position;
use crate::fault::Faults;
use crate::request::{Board, Input, Node, Problem};
use crate::search::answer;

/// Makes a question smaller as long as `wrong` says that the program answers it wrongly; it is
/// asked at most `most` times.
pub fn shrink(input: &Input, most: usize, mut wrong: impl FnMut(&Input) -> bool) -> Input {
    let mut smallest = input.clone();
    let mut asked = 0;
    loop {
        let size = size(&smallest);
        let mut smaller = candidates(&smallest);
        smaller.retain(|candidate| self::size(candidate) < size);
        // The boldest step first.
        smaller.sort_by_key(self::size);
        let found = smaller.into_iter().find(|candidate| {
            asked += 1;
            asked <= most && wrong(candidate)
        });
        match found {
            Some(found) => smallest = found,
            None => return smallest,
        }
    }
}

/// How much there is to read: leaves of minimax, then nodes, then digits.
fn size(input: &Input) -> (u64, usize, i64) {
    match &input.problem {
        Problem::Tree { tree, .. } => (tree.leaves() as u64, nodes(tree), digits(tree)),
        Problem::Position(board) => {
            let plain = Input { algorithm: crate::Algorithm::Minimax, ..input.clone() };
            let leaves = answer(&plain, Faults::NONE).visited.unwrap_or(0);
            let discs = board.cells.iter().flatten().count();
            (leaves, discs, board.weights.iter().map(|weight| weight.abs()).sum())
        }
    }
}

fn nodes(node: &Node) -> usize {
    match node {
        Node::Leaf(_) => 1,
        Node::Inner(children) => 1 + children.iter().map(nodes).sum::<usize>(),
    }
}

/// Small numbers without a sign are the easiest to read.
fn digits(node: &Node) -> i64 {
    match node {
        Node::Leaf(value) => 2 * value.abs() + i64::from(*value < 0),
        Node::Inner(children) => children.iter().map(digits).sum(),
    }
}

fn candidates(input: &Input) -> Vec<Input> {
    let with = |problem: Problem| Input { problem, ..input.clone() };
    match &input.problem {
        Problem::Tree { root, tree } => smaller_trees(tree)
            .into_iter()
            .filter(|tree| matches!(tree, Node::Inner(_)))
            .map(|tree| with(Problem::Tree { root: *root, tree }))
            .collect(),
        Problem::Position(board) => {
            smaller_boards(board).into_iter().map(|board| with(Problem::Position(board))).collect()
        }
    }
}

/// Every tree that is one step smaller.
fn smaller_trees(node: &Node) -> Vec<Node> {
    match node {
        Node::Leaf(value) => {
            let smaller = [0, 1, value / 2, value.abs(), value - value.signum()];
            smaller.into_iter().filter(|other| other != value).map(Node::Leaf).collect()
        }
        Node::Inner(children) => {
            let mut found = children.clone();
            found.extend(grandchildren(children));
            for (index, child) in children.iter().enumerate() {
                let mut rest = children.clone();
                if children.len() > 1 {
                    rest.remove(index);
                    found.push(Node::Inner(rest));
                }
                for smaller in smaller_trees(child) {
                    let mut changed = children.clone();
                    changed[index] = smaller;
                    found.push(Node::Inner(changed));
                }
            }
            found
        }
    }
}

/// The nodes two levels below, where the same side is to move.
fn grandchildren(children: &[Node]) -> Vec<Node> {
    let below = |child: &Node| match child {
        Node::Inner(children) => children.clone(),
        Node::Leaf(_) => Vec::new(),
    };
    children.iter().flat_map(below).collect()
}

/// Every board that is one step smaller: looked at less deep, later in the game, with fewer
/// discs, or with fewer weights.
fn smaller_boards(board: &Board) -> Vec<Board> {
    let mut found = Vec::new();
    if board.depth > 1 {
        found.push(Board { depth: board.depth - 1, ..board.clone() });
    }
    if board.weights.iter().any(|&weight| weight != 0) {
        found.push(Board { weights: vec![0; board.weights.len()], ..board.clone() });
        for (index, &weight) in board.weights.iter().enumerate().filter(|(_, weight)| **weight != 0)
        {
            let mut weights = board.weights.clone();
            weights[index] = if weight.abs() > 1 { weight.signum() } else { 0 };
            found.push(Board { weights, ..board.clone() });
        }
    }
    if let Some(now) = position(board) {
        let play = |mv| now.play(mv).ok();
        for later in now.legal_moves().into_iter().filter_map(play) {
            let next = |mv| later.play(mv).ok();
            found.extend(
                later
                    .legal_moves()
                    .into_iter()
                    .filter_map(next)
                    .filter(|position| !position.outcome().is_over())
                    .map(|position| {
                        crate::suite::board_of(&position, board.weights.clone(), board.depth)
                    }),
            );
        }
    }
    found.retain(|board| position(board).is_some_and(|position| !position.outcome().is_over()));
    found
}

#[cfg(test)]
mod tests {
    use super::shrink;
    use crate::diagnosis::agrees;
    use crate::{Fault, Faults, Problem, SearchPart, search::answer, suite};

    #[test]
    fn the_smallest_question_is_small_and_still_wrong() {
        for (part, fault, most_leaves) in [
            (SearchPart::MinimaxTrees, Fault::BothMaximise, 2),
            (SearchPart::AlphaBetaTrees, Fault::CutStrict, 4),
            (SearchPart::AlphaBetaTrees, Fault::BetaRestarts, 8),
        ] {
            let faults = Faults::of(&[fault]);
            let wrong = |input: &crate::Input| {
                !agrees(&answer(input, faults), &answer(input, Faults::NONE))
            };
            let questions = suite::questions(part, suite::STANDARD_SEED);
            let first = questions.iter().find(|input| wrong(input)).unwrap();
            let smallest = shrink(first, 2000, wrong);
            let Problem::Tree { tree, .. } = &smallest.problem else { panic!("a tree") };
            assert!(wrong(&smallest) && tree.leaves() <= most_leaves, "{fault}: {tree}");
        }
    }
}
