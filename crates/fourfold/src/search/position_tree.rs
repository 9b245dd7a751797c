//! The tree of a game: positions as nodes, an evaluator at the horizon.

use super::{Keyed, SearchOptions, Tree, Turn};
use crate::book::Book;
use crate::eval::Evaluate;
use crate::game::symmetry::Symmetries;
use crate::game::{Board, Cell, Geometry, Move, Position, Word};
use crate::score::{WIN, end_of, win_at};
use std::sync::Arc;

/// A position inside a search.
#[derive(Debug, Clone, Copy)]
pub struct PositionNode<W> {
    board: Board<W>,
    ply: u32,
}

/// The game tree below a position. MAX is the side to move at its root.
#[derive(Debug, Clone)]
pub struct PositionTree<W, E> {
    geometry: Geometry<W>,
    evaluator: E,
    root: PositionNode<W>,
    /// The columns (or, without gravity, the cells) in the order they are tried.
    order: Vec<W>,
    symmetries: Symmetries<W>,
    cells: u32,
    /// What a draw is worth to MAX.
    draw: i32,
    distance: bool,
    book: Option<Arc<Book>>,
}

impl<W: Word, E: Evaluate<W>> PositionTree<W, E> {
    /// The tree below `position`. Of the options it takes the order of moves and what ends of games
    /// are worth.
    ///
    /// The board must fit the word, and the evaluator must suit the game.
    #[must_use]
    pub fn new(position: &Position, evaluator: E, options: &SearchOptions) -> Self {
        let rules = position.rules();
        let geometry = Geometry::<W>::new(rules);
        let mut order: Vec<W> = if rules.gravity() {
            (0..rules.width()).map(|column| geometry.column(column)).collect()
        } else {
            rules.move_order().map(|mv| W::ONE << mv.bit()).collect()
        };
        if options.mid_col {
            // Stable: of two equally central moves, the first stays first.
            order.sort_by_key(|mask| distance_from_centre(&geometry, mask.trailing_zeros()));
        }
        Self {
            symmetries: Symmetries::new(&geometry),
            geometry,
            evaluator,
            root: PositionNode { board: Board::of(position), ply: position.ply() },
            order,
            cells: rules.cells(),
            draw: -options.contempt,
            distance: options.distance,
            book: if options.book { Book::embedded(rules) } else { None },
        }
    }

    /// The move that a bit of this tree stands for.
    #[must_use]
    pub fn game_move(mv: W) -> Move {
        Move::from_bit(mv.trailing_zeros())
    }
}

/// How far the move on `bit` is from the centre: by columns under gravity, where people choose
/// columns.
fn distance_from_centre<W: Word>(geometry: &Geometry<W>, bit: u32) -> u32 {
    let rules = geometry.rules();
    let cell = Cell::from_bit(bit, rules);
    // Doubled, so that the centre of an even board is a whole number.
    let off = |at: u8, size: u32| (2 * u32::from(at)).abs_diff(size - 1);
    let across = off(cell.column, rules.width());
    if rules.gravity() { across } else { across.pow(2) + off(cell.row, rules.height()).pow(2) }
}

/// The playable cells, in the tree's order.
#[derive(Debug)]
pub struct Moves<'a, W> {
    masks: std::slice::Iter<'a, W>,
    playable: W,
}

impl<W: Word> Iterator for Moves<'_, W> {
    type Item = W;

    #[inline(always)]
    fn next(&mut self) -> Option<W> {
        let playable = self.playable;
        self.masks.by_ref().map(|&mask| mask & playable).find(|bit| !bit.is_zero())
    }
}

impl<W: Word, E: Evaluate<W>> Tree for PositionTree<W, E> {
    type Node = PositionNode<W>;
    /// The bit of the cell that is filled.
    type Move = W;
    type Moves<'a>
        = Moves<'a, W>
    where
        E: 'a;
    type Key = Board<W>;

    #[inline(always)]
    fn root(&self) -> Self::Node {
        self.root
    }

    #[inline(always)]
    fn turn(&self, node: &Self::Node) -> Turn {
        if (node.ply ^ self.root.ply) & 1 == 0 { Turn::Max } else { Turn::Min }
    }

    #[inline(always)]
    fn ended(&self, node: &Self::Node) -> Option<i32> {
        if node.board.is_won(&self.geometry) {
            // The side that is not to move has won.
            let win = if self.distance { win_at(node.ply) } else { WIN };
            return Some(match self.turn(node) {
                Turn::Max => -win,
                Turn::Min => win,
            });
        }
        (node.ply == self.cells).then_some(self.draw)
    }

    #[inline(always)]
    fn evaluate(&self, node: &Self::Node) -> i32 {
        let (own, other) = (node.board.own, node.board.opponent());
        let (max, min) = match self.turn(node) {
            Turn::Max => (own, other),
            Turn::Min => (other, own),
        };
        self.evaluator.evaluate(&self.geometry, max, min)
    }

    #[inline(always)]
    fn moves(&self, node: &Self::Node) -> Moves<'_, W> {
        Moves { masks: self.order.iter(), playable: self.geometry.playable(node.board.all) }
    }

    #[inline(always)]
    fn child(&self, node: &Self::Node, mv: W) -> Self::Node {
        PositionNode { board: node.board.play(mv), ply: node.ply + 1 }
    }

    fn longest_line(&self, node: &Self::Node) -> u32 {
        self.cells - node.ply
    }

    fn serves(&self, switch: &str) -> bool {
        match switch {
            "book" => self.book.is_some(),
            "symmetry" => self.evaluator.is_symmetric(),
            _ => true,
        }
    }

    fn known(&self, node: &Self::Node) -> Option<i32> {
        let Board { own, all } = node.board;
        let score = self.book.as_ref()?.score_of(own.widen(), all.widen())?;
        let value = match end_of(score, node.ply, self.cells) {
            None => self.draw,
            Some(_) if !self.distance => WIN * score.signum(),
            Some(end) => win_at(end) * score.signum(),
        };
        Some(match self.turn(node) {
            Turn::Max => value,
            Turn::Min if score == 0 => value,
            Turn::Min => -value,
        })
    }

    #[inline]
    fn key(&self, node: &Self::Node, symmetry: bool) -> Keyed<Board<W>> {
        let key = if symmetry { self.symmetries.canonical(node.board) } else { node.board };
        let hash = key.all.mix().rotate_left(32) ^ key.own.mix();
        Keyed { key, hash, is_own: key == node.board }
    }

    #[inline]
    fn winning_move(&self, node: &Self::Node) -> Option<W> {
        let winning = node.board.winning_moves(&self.geometry);
        if winning.is_zero() {
            return None;
        }
        Moves { masks: self.order.iter(), playable: winning }.next()
    }

    fn is_urgent(&self, node: &Self::Node, mv: W) -> bool {
        let Board { own, .. } = node.board;
        let urgent =
            self.geometry.completing(own) | self.geometry.completing(node.board.opponent());
        !(urgent & mv).is_zero()
    }

    #[inline(always)]
    fn slot(&self, mv: W) -> usize {
        mv.trailing_zeros() as usize
    }

    #[inline(always)]
    fn move_in_slot(&self, slot: usize) -> W {
        W::ONE << slot as u32
    }

    fn distance_from_centre(&self, mv: W) -> u32 {
        distance_from_centre(&self.geometry, mv.trailing_zeros())
    }

    fn decided_ply(&self, node: &Self::Node) -> Option<u32> {
        self.distance.then_some(node.ply)
    }
}
