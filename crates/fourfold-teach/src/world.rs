//! What the student's search walks on: a tree of numbers, or a board of cells on which moves are
//! made and taken back. Written plainly, as a student would; it shares nothing with the library.

use crate::fault::{Fault, Faults};
use crate::request::{Board, Disc, Node, WIN};
use fourfold::search::Turn;

/// Something to search.
pub(crate) trait World {
    /// How many children, columns or cells there are to try here.
    fn options(&self) -> usize;
    /// Whether one of them can be played.
    fn is_open(&self, option: usize) -> bool;
    /// Goes to a child. Playing where nothing can be played changes nothing.
    fn play(&mut self, option: usize, turn: Turn);
    /// Goes back. On a board only the last move can be forgotten (`keep`).
    fn undo(&mut self, keep: bool);
    /// MAX's value of a game that is over `level` plies below the root.
    fn end(&self, level: usize) -> Option<i64>;
    /// Whether nothing can be played.
    fn is_full(&self) -> bool;
    /// MAX's value at the horizon; `turn` is to move.
    fn evaluate(&self, turn: Turn) -> i64;
    /// What a transposition table knows the place by.
    fn key(&self) -> Vec<u8>;
}

/// A tree of numbers.
pub(crate) struct TreeWorld<'a> {
    /// The nodes from the root to here.
    pub(crate) path: Vec<&'a Node>,
}

impl TreeWorld<'_> {
    fn children(&self) -> &[Node] {
        match self.path.last() {
            Some(Node::Inner(children)) => children,
            _ => &[],
        }
    }
}

impl World for TreeWorld<'_> {
    fn options(&self) -> usize {
        self.children().len()
    }
    fn is_open(&self, option: usize) -> bool {
        option < self.options()
    }
    fn play(&mut self, option: usize, _: Turn) {
        if let Some(Node::Inner(children)) = self.path.last() {
            self.path.push(&children[option]);
        }
    }
    fn undo(&mut self, _: bool) {
        self.path.pop();
    }
    fn end(&self, _: usize) -> Option<i64> {
        match self.path.last() {
            Some(Node::Leaf(value)) => Some(*value),
            _ => None,
        }
    }
    fn is_full(&self) -> bool {
        self.options() == 0
    }
    fn evaluate(&self, _: Turn) -> i64 {
        0
    }
    /// Trees have no transpositions: the place in memory.
    fn key(&self) -> Vec<u8> {
        let at = self.path.last().map_or(0, |&node| std::ptr::from_ref(node) as usize);
        at.to_le_bytes().to_vec()
    }
}

/// A board: cells row by row from the top.
pub(crate) struct BoardWorld<'a> {
    board: &'a Board,
    cells: Vec<Option<Turn>>,
    /// The cells that were filled from the root to here; none where a turn was passed.
    played: Vec<Option<usize>>,
    faults: Faults,
}

impl<'a> BoardWorld<'a> {
    pub(crate) fn new(board: &'a Board, faults: Faults) -> Self {
        let side = |disc: Disc| if disc == board.to_move { Turn::Max } else { Turn::Min };
        let cells = board.cells.iter().map(|cell| cell.map(side)).collect();
        Self { board, cells, played: Vec::new(), faults }
    }

    /// The cell that a move fills.
    fn landing(&self, option: usize) -> Option<usize> {
        let Board { width, height, gravity, .. } = *self.board;
        if !gravity {
            return self.cells[option].is_none().then_some(option);
        }
        let column = (0..height).rev().map(|row| row * width + option);
        column.into_iter().find(|&cell| self.cells[cell].is_none())
    }

    fn has_line(&self, side: Turn) -> bool {
        let Board { width, height, line, .. } = *self.board;
        let all = [(1, 1), (0, 1), (1, 0), (1, -1)];
        let directions = match () {
            () if self.faults.has(Fault::NoDiagonals) => &all[1..3],
            () if self.faults.has(Fault::FallingDiagonals) => &all[..3],
            () if self.faults.has(Fault::RisingDiagonals) => &all[1..],
            () => &all[..],
        };
        let wraps = self.faults.has(Fault::LinesWrap);
        let at = |row: usize, column: usize, (down, right): (i32, i32), step: usize| {
            let row = row as i32 + down * step as i32;
            let column = column as i32 + right * step as i32;
            let inside = row < height as i32 && (0..width as i32).contains(&column);
            let index = row * width as i32 + column;
            let index = usize::try_from(index).ok().filter(|_| inside || wraps)?;
            self.cells.get(index).copied().flatten()
        };
        (0..height).any(|row| {
            (0..width).any(|column| {
                directions.iter().any(|&direction| {
                    (0..line).all(|step| at(row, column, direction, step) == Some(side))
                })
            })
        })
    }
}

impl World for BoardWorld<'_> {
    fn options(&self) -> usize {
        if self.board.gravity { self.board.width } else { self.cells.len() }
    }
    fn is_open(&self, option: usize) -> bool {
        // The top cell of a column decides, as it does in most programs.
        let passes = self.board.gravity && self.faults.has(Fault::FullColumnsTried);
        passes || self.cells[option].is_none()
    }
    fn play(&mut self, option: usize, turn: Turn) {
        let cell = self.landing(option);
        if let Some(cell) = cell {
            self.cells[cell] = Some(turn);
        }
        self.played.push(cell);
    }
    fn undo(&mut self, keep: bool) {
        if let Some(cell) = self.played.pop().flatten().filter(|_| !keep) {
            self.cells[cell] = None;
        }
    }
    fn end(&self, level: usize) -> Option<i64> {
        let faults = self.faults;
        let discs = self.cells.iter().flatten().count() as i64;
        let worth = |side: Turn| {
            let reversed = faults.has(Fault::WinDistanceReversed)
                || (side == Turn::Min && faults.has(Fault::LossDistanceReversed));
            let size = match () {
                () if faults.has(Fault::WinDistanceIgnored) => WIN,
                () if faults.has(Fault::WinDistanceFromRoot) => WIN - level as i64,
                () if reversed => WIN + discs,
                () => WIN - discs,
            };
            let lost = (side == Turn::Min) != faults.has(Fault::WinnerSwapped);
            if lost { -size } else { size }
        };
        if self.has_line(Turn::Max) {
            Some(worth(Turn::Max))
        } else if !faults.has(Fault::OnlyOwnWins) && self.has_line(Turn::Min) {
            Some(worth(Turn::Min))
        } else if !self.is_full() || faults.has(Fault::FullBoardUnseen) {
            None
        } else if faults.has(Fault::DrawsAsLosses) {
            Some(discs - WIN)
        } else {
            Some(0)
        }
    }
    fn is_full(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }
    fn evaluate(&self, turn: Turn) -> i64 {
        let faults = self.faults;
        let sum = |side: Turn| -> i64 {
            let weighed = self.cells.iter().zip(&self.board.weights);
            weighed.filter(|(cell, _)| **cell == Some(side)).map(|(_, weight)| weight).sum()
        };
        let theirs = if faults.has(Fault::EvaluatorOwnOnly) { 0 } else { sum(Turn::Min) };
        let value = sum(Turn::Max) - theirs;
        let for_min = faults.has(Fault::EvaluatorForSideToMove) && turn == Turn::Min;
        if faults.has(Fault::EvaluatorNegated) != for_min { -value } else { value }
    }
    fn key(&self) -> Vec<u8> {
        self.cells.iter().map(|cell| cell.map_or(0, |side| 1 + side as u8)).collect()
    }
}
