//! Which move to try first.
//!
//! The order decides how large the tree is, and only the number of nodes tells a good order from a bad one: these
//! weights were tuned on it (see `docs/solver.md`), separately for the two players, whose aims differ. Everything is in
//! fractions of the weight of a threat.

use super::field::Field;
use super::layout::Layout;
use super::opening::{OPENING, Opening, Reached};
use crate::game::Word;

/// What each feature of a move is worth.
#[derive(Debug, Clone, Copy)]
struct Weights {
    /// Each genuine threat on the board after the move.
    threat: i32,
    /// Each of those on a row that suits the player: odd for the first, even for the second.
    useful_threat: i32,
    /// Each row up.
    row: i32,
    /// Each half column away from the centre.
    off_centre: i32,
    /// Each line through the cell on an empty board.
    line: i32,
    /// Each line through the cell that holds 0, 1, 2 own discs and none of the opponent's.
    own_lines: [i32; 3],
    /// Each line through the cell that holds 0, 1, 2 of the opponent's discs and no own one.
    opponent_lines: [i32; 3],
    /// Each reply that does not lose at once.
    reply: i32,
}

/// For the first player and the second in the opening, then for both later on.
const WEIGHTS: [Weights; 4] = [
    Weights {
        threat: 64,
        useful_threat: 9,
        row: -9,
        off_centre: 1,
        line: 10,
        own_lines: [7, 18, -3],
        opponent_lines: [0, 8, 4],
        reply: -14,
    },
    Weights {
        threat: 64,
        useful_threat: 9,
        row: 3,
        off_centre: -6,
        line: -1,
        own_lines: [1, 17, -5],
        opponent_lines: [2, 7, 9],
        reply: -8,
    },
    Weights {
        threat: 64,
        useful_threat: 6,
        row: 3,
        off_centre: -4,
        line: 0,
        own_lines: [-1, 8, -6],
        opponent_lines: [5, 6, 14],
        reply: -12,
    },
    Weights {
        threat: 64,
        useful_threat: 1,
        row: 5,
        off_centre: -8,
        line: -3,
        own_lines: [2, 6, 0],
        opponent_lines: [0, 4, 1],
        reply: -6,
    },
];

/// What the order needs to know of a board.
#[derive(Debug)]
pub(super) struct Order<L: Layout> {
    field: Field<L>,
    /// The directions of lines, with the cells where one can begin.
    lines: [(u32, L::W); 4],
    /// By set of weights and bit: what the cell is worth on any board.
    cells: [[i32; 128]; 4],
    opening: Opening<L>,
}

impl<L: Layout> Order<L> {
    pub(super) fn new(field: &Field<L>) -> Self {
        let lines = field.lines();
        let mut cells = [[0; 128]; 4];
        for (table, weights) in cells.iter_mut().zip(&WEIGHTS) {
            for (bit, worth) in table.iter_mut().enumerate().take(L::W::BITS as usize) {
                let cell = L::W::ONE << bit as u32;
                if (cell & field.cells).is_zero() {
                    continue;
                }
                let through: u32 =
                    lines.iter().map(|&(shift, starts)| (through(cell, shift) & starts).count_ones()).sum();
                let off_centre = (2 * field.column_of(bit as u32)).abs_diff(field.width - 1);
                *worth = weights.line * through as i32
                    + weights.row * field.row_of(bit as u32) as i32
                    + weights.off_centre * off_centre as i32;
            }
        }
        Self { field: *field, lines, cells, opening: Opening::new(field) }
    }

    #[inline(always)]
    fn is_opening(&self, ply: i32) -> bool {
        ply < self.field.count - OPENING
    }

    /// The order of moves at a position.
    #[inline(always)]
    pub(super) fn at(&self, own: L::W, opponent: L::W, ply: i32) -> Ranking<L::W> {
        let player = (ply % 2) as usize;
        let set = if self.is_opening(ply) { player } else { 2 + player };
        let mut open = [OpenLines::default(); 4];
        for (open, &(shift, starts)) in open.iter_mut().zip(&self.lines) {
            let (mine, theirs) = (Held::new(own, shift), Held::new(opponent, shift));
            let (free, free_to_them) = (starts & !theirs.any, starts & !mine.any);
            *open = OpenLines {
                shift,
                own: [free & !mine.any, free & mine.one, free & mine.two],
                opponent: [free_to_them & !theirs.any, free_to_them & theirs.one, free_to_them & theirs.two],
            };
        }
        let useful = if player == 0 { self.field.odd } else { self.field.even };
        Ranking { ply, set, useful, open }
    }

    /// How early to try a move (higher is earlier), given the genuine threats after it and where it leads.
    #[inline(always)]
    pub(super) fn rank(
        &self,
        ranking: &Ranking<L::W>,
        mv: L::W,
        threats: L::W,
        reached: &Reached<L::W>,
    ) -> i32 {
        // The closer look is at odd and even rows, as the bounds are.
        if self.is_opening(ranking.ply) && self.field.height.is_multiple_of(2) {
            return self.opening.rank(ranking, mv, threats, reached);
        }
        let weights = &WEIGHTS[ranking.set];
        let count = |set: L::W| set.count_ones() as i32;
        let mut rank = weights.threat * count(threats)
            + weights.useful_threat * count(threats & ranking.useful)
            + weights.reply * count(reached.safe)
            + self.cells[ranking.set][mv.trailing_zeros() as usize];
        for lines in &ranking.open {
            let through = through(mv, lines.shift);
            for holding in 0..3 {
                rank += weights.own_lines[holding] * count(through & lines.own[holding])
                    + weights.opponent_lines[holding] * count(through & lines.opponent[holding]);
            }
        }
        rank
    }
}

/// The starts of the lines along `shift` that go through a cell, and some that would lie off the board.
#[inline(always)]
pub(super) fn through<W: Word>(cell: W, shift: u32) -> W {
    cell | cell >> shift | cell >> (2 * shift) | cell >> (3 * shift)
}

/// For each line of four (bit by its start): does it hold exactly one disc, two, or any?
pub(super) struct Held<W> {
    pub(super) one: W,
    pub(super) two: W,
    pub(super) any: W,
}

impl<W: Word> Held<W> {
    #[inline(always)]
    pub(super) fn new(discs: W, shift: u32) -> Self {
        let (one, both) = (discs ^ discs >> shift, discs & discs >> shift);
        let (far_one, far_both) = (one >> (2 * shift), both >> (2 * shift));
        let (near, far) = (one | both, far_one | far_both);
        Self {
            one: (one & !far) | (far_one & !near),
            two: (one & far_one) | (both & !far) | (far_both & !near),
            any: near | far,
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct OpenLines<W> {
    shift: u32,
    own: [W; 3],
    opponent: [W; 3],
}

/// What the moves at one position are ranked by.
pub(super) struct Ranking<W> {
    pub(super) ply: i32,
    /// Which weights hold.
    set: usize,
    /// The rows that suit the player.
    pub(super) useful: W,
    open: [OpenLines<W>; 4],
}

impl<W: Word> Ranking<W> {
    /// How many lines through a cell hold 0, 1, 2 own discs and none of the opponent's; then the other way round.
    pub(super) fn lines_through(&self, cell: W) -> [[i32; 3]; 2] {
        let mut found = [[0; 3]; 2];
        for lines in &self.open {
            let through = through(cell, lines.shift);
            for (counts, open) in found.iter_mut().zip([&lines.own, &lines.opponent]) {
                for (count, &starts) in counts.iter_mut().zip(open) {
                    *count += (through & starts).count_ones() as i32;
                }
            }
        }
        found
    }
}
