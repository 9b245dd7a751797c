//! The tree of a position, grown with the library's rules, so that a question about a position can
//! be drawn and explained like one about a tree of numbers.

use crate::request::{Board, Disc, Input, Node, Problem, WIN};
use fourfold::game::{Cell, Outcome, Position, Rules, Side};
use fourfold::search::Turn;

/// A tree with the option that leads to each child: a child's number, a column or a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grown {
    /// The tree.
    pub node: Node,
    /// Who moves at the root.
    pub root: Turn,
    /// The options of the children, like the tree's; none at leaves.
    options: Options,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Options(Vec<(usize, Options)>);

impl Grown {
    /// The tree of a question; none if its position is none of the library's.
    #[must_use]
    pub fn of(input: &Input) -> Option<Self> {
        match &input.problem {
            Problem::Tree { root, tree } => {
                Some(Self { node: tree.clone(), root: *root, options: counted(tree) })
            }
            Problem::Position(board) => {
                let position = position(board)?;
                let (node, options) = grow(board, &position, board.depth);
                Some(Self { node, root: Turn::Max, options })
            }
        }
    }

    /// The numbers of the children on a path of options, as far as it leads through the tree.
    #[must_use]
    pub fn located(&self, path: &[usize]) -> Vec<usize> {
        let mut here = &self.options;
        let mut found = Vec::new();
        for option in path {
            let Some(index) = here.0.iter().position(|(other, _)| other == option) else { break };
            found.push(index);
            here = &here.0[index].1;
        }
        found
    }

    /// The options of the root's children.
    #[must_use]
    pub fn moves(&self) -> Vec<usize> {
        self.options.0.iter().map(|(option, _)| *option).collect()
    }
}

fn counted(node: &Node) -> Options {
    match node {
        Node::Leaf(_) => Options::default(),
        Node::Inner(children) => Options(children.iter().map(counted).enumerate().collect()),
    }
}

/// The library's position of a board; none if the discs or the turn cannot be.
#[must_use]
pub fn position(board: &Board) -> Option<Position> {
    let rules: Rules = board.game().parse().ok()?;
    let mut discs = [0u128; 2];
    for (index, disc) in board.cells.iter().enumerate() {
        let Some(disc) = disc else { continue };
        let row = (board.height - 1 - index / board.width) as u8;
        let cell = Cell { column: (index % board.width) as u8, row };
        discs[usize::from(*disc == Disc::O)] |= 1 << cell.bit(&rules);
    }
    let position = Position::from_discs(rules, discs[0], discs[1]).ok()?;
    let turn = if position.to_move() == Side::First { Disc::X } else { Disc::O };
    (turn == board.to_move).then_some(position)
}

fn grow(board: &Board, position: &Position, depth: u32) -> (Node, Options) {
    let max = if board.to_move == Disc::X { Side::First } else { Side::Second };
    let height = board.height;
    let index = |cell: Cell| (height - 1 - cell.row as usize) * board.width + cell.column as usize;
    let leaf = |value: i64| (Node::Leaf(value), Options::default());
    match position.outcome() {
        Outcome::Won { by, .. } => {
            let size = WIN - i64::from(position.ply());
            return leaf(if by == max { size } else { -size });
        }
        Outcome::Drawn => return leaf(0),
        Outcome::Ongoing => {}
    }
    if depth == 0 {
        let sum = |side: Side| -> i64 {
            position.discs(side).iter().map(|cell| board.weights[index(cell)]).sum()
        };
        return leaf(sum(max) - sum(max.other()));
    }
    let rules = position.rules();
    let mut moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let cell = mv.cell(rules);
            (if board.gravity { cell.column as usize } else { index(cell) }, mv)
        })
        .collect();
    moves.sort_unstable_by_key(|(option, _)| *option);
    let (mut nodes, mut options) = (Vec::new(), Vec::new());
    for (option, mv) in moves {
        let (node, below) = grow(board, &position.play_unchecked(mv), depth - 1);
        nodes.push(node);
        options.push((option, below));
    }
    (Node::Inner(nodes), Options(options))
}
