//! Which move to try first.
//!
//! The order decides how large the tree is, and only the number of nodes tells a good order from a bad one: these
//! weights were tuned on it (see `docs/solver.md`), separately for the two players, whose aims differ. Everything is in
//! fractions of the weight of a threat.

use super::field::Field;
use super::layout::Layout;
use super::learned::{self, Network, Sums};
use super::opening::{Before, OPENING, Opening, Reached};
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

/// A closer look is taken at the opening when a search has taken so many nodes: for less it takes longer than it saves.
const HARD: u64 = 4000;

/// For the first player and the second: in the opening; later when they defend, then when they attack; and the same two pairs
/// when a win must come soon in the opening.
const WEIGHTS: [Weights; SETS] = [
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
        off_centre: -5,
        line: 1,
        own_lines: [1, 10, -6],
        opponent_lines: [5, 6, 14],
        reply: -12,
    },
    Weights {
        threat: 64,
        useful_threat: 0,
        row: 5,
        off_centre: -13,
        line: 3,
        own_lines: [2, 7, 3],
        opponent_lines: [1, 5, 1],
        reply: -11,
    },
    Weights {
        threat: 64,
        useful_threat: 6,
        row: 3,
        off_centre: 1,
        line: 0,
        own_lines: [3, 14, -3],
        opponent_lines: [3, 7, 12],
        reply: -13,
    },
    Weights {
        threat: 64,
        useful_threat: 1,
        row: 7,
        off_centre: -8,
        line: -5,
        own_lines: [1, 9, 2],
        opponent_lines: [0, 4, -1],
        reply: -9,
    },
    Weights {
        threat: 64,
        useful_threat: 12,
        row: -7,
        off_centre: 5,
        line: 5,
        own_lines: [1, 9, -1],
        opponent_lines: [0, 7, 8],
        reply: -1,
    },
    Weights {
        threat: 64,
        useful_threat: 15,
        row: 1,
        off_centre: 1,
        line: -3,
        own_lines: [-1, 23, -1],
        opponent_lines: [-1, 5, 9],
        reply: -5,
    },
    Weights {
        threat: 64,
        useful_threat: 6,
        row: -10,
        off_centre: 3,
        line: 0,
        own_lines: [2, 26, 0],
        opponent_lines: [2, -5, 0],
        reply: 0,
    },
    Weights {
        threat: 64,
        useful_threat: 3,
        row: 7,
        off_centre: -2,
        line: 0,
        own_lines: [2, 29, 0],
        opponent_lines: [1, 2, 2],
        reply: 0,
    },
];

const SETS: usize = 10;

/// A win must come soon if it matters only within so many plies.
const SOON: i32 = 15;

/// What was learned is asked while the deadline is at least so many plies off. Closer to it, that takes longer than it saves.
const FAR: i32 = 9;

/// What the order needs to know of a board.
#[derive(Debug)]
pub(super) struct Order<L: Layout> {
    field: Field<L>,
    /// By set of weights.
    worth: [Worth; SETS],
    /// By bit and direction: which of the [`Layout::around`] cells do not exist. They count as taken by both.
    walls: [[u16; 4]; 128],
    opening: Opening<L>,
    /// Later on and in the opening, by role; on the board that something was learned of.
    learned: Option<[[&'static Network; 4]; 2]>,
}

/// One set of weights made into tables.
#[derive(Debug, Clone, Copy)]
struct Worth {
    weights: Weights,
    /// By bit: what the cell is worth on any board.
    cells: [i32; 128],
    /// By the discs of both around a cell, in one direction: what the lines through it are worth.
    lines: [i16; 1 << (2 * AROUND)],
}

/// The cells in one direction that share a line with a cell: three on each side.
pub(super) const AROUND: u32 = 6;

impl Worth {
    fn new<L: Layout>(field: &Field<L>, weights: Weights) -> Self {
        let lines = field.lines();
        let mut cells = [0; 128];
        for (bit, worth) in cells.iter_mut().enumerate().take(L::W::BITS as usize) {
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
        // A line through the cell takes three neighbours out of the six.
        let line = |own: usize, opponent: usize| match ((own & 7).count_ones(), (opponent & 7).count_ones()) {
            (0, 0) => weights.own_lines[0] + weights.opponent_lines[0],
            (held @ 1..=2, 0) => weights.own_lines[held as usize],
            (0, held @ 1..=2) => weights.opponent_lines[held as usize],
            _ => 0,
        };
        let lines = std::array::from_fn(|both| {
            let (own, opponent) = (both % (1 << AROUND), both >> AROUND);
            (0..4).map(|first| line(own >> first, opponent >> first)).sum::<i32>() as i16
        });
        Self { weights, cells, lines }
    }
}

impl<L: Layout> Order<L> {
    pub(super) fn new(field: &Field<L>) -> Self {
        let (width, height) = (field.width as i32, field.height as i32);
        let mut walls = [[0; 4]; 128];
        for (bit, walls) in (0..).zip(walls.iter_mut().take(L::W::BITS as usize)) {
            let (column, row) = (field.column_of(bit) as i32, field.row_of(bit) as i32);
            for (wall, (across, up)) in walls.iter_mut().zip([(0, 1), (1, 0), (1, 1), (1, -1)]) {
                for (index, step) in [-3, -2, -1, 1, 2, 3].into_iter().enumerate() {
                    let (column, row) = (column + step * across, row + step * up);
                    if !((0..width).contains(&column) && (0..height).contains(&row)) {
                        *wall |= (1 | 1 << AROUND) << index;
                    }
                }
            }
        }
        let worth = WEIGHTS.map(|weights| Worth::new(field, weights));
        let (opening, learned) = (Opening::new(field), learned::networks(field));
        Self { field: *field, worth, walls, opening, learned }
    }

    /// The order of moves at a position whose score is compared with `alpha`, given the genuine threats of the side that moved
    /// last, in a search that has taken so many nodes.
    #[inline(always)]
    pub(super) fn at(
        &self,
        (own, opponent): (L::W, L::W),
        threats: L::W,
        ply: i32,
        alpha: i32,
        nodes: u64,
    ) -> Ranking<'_, L> {
        let player = (ply % 2) as usize;
        // One side must win by some ply to settle the matter; the other has to hold out until then.
        let attacks = alpha >= 0;
        let role = if attacks { 2 + player } else { player };
        let plies_left = self.field.count - ply - 2 * if attacks { alpha } else { -alpha - 1 };
        let (is_opening, is_soon) = (ply < self.field.count - OPENING, plies_left <= SOON);
        let worth = &self.worth[match (is_opening, is_soon) {
            (true, false) => player,
            (true, true) => 6 + role,
            (false, _) => 2 + role,
        }];
        let useful = if (self.field.count - ply) % 2 == 0 { self.field.odd } else { self.field.even };
        // The closer look is at odd and even rows.
        let closer = is_opening && nodes >= HARD && self.field.height.is_multiple_of(2);
        let before = Before { own, opponent, ply, useful };
        // A closure would not be compiled for the processor that the search is.
        let learned = match &self.learned {
            Some(networks) if plies_left >= FAR => {
                let network = networks[usize::from(is_opening)][role];
                Some((network, network.sums(&self.field, &before, threats, plies_left)))
            }
            _ => None,
        };
        Ranking { order: self, worth, before, closer, learned }
    }
}

/// The order of moves at one position.
pub(super) struct Ranking<'a, L: Layout> {
    order: &'a Order<L>,
    /// Which weights hold.
    worth: &'a Worth,
    before: Before<L::W>,
    /// Take a closer look at where moves lead.
    closer: bool,
    learned: Option<(&'static Network, Sums<L::W>)>,
}

impl<L: Layout> Ranking<'_, L> {
    /// How early to try a move (higher is earlier), given the genuine threats after it and where it leads.
    #[inline(always)]
    pub(super) fn rank(&self, mv: L::W, threats: L::W, reached: &Reached<L::W>) -> i32 {
        let bit = mv.trailing_zeros();
        let field = &self.order.field;
        if let Some((network, sums)) = &self.learned {
            let mut rank = network.rank(field, &self.before, sums, (mv, threats), reached);
            for direction in 0..4 {
                rank += network.worth(field.row_of(bit), direction, self.around(bit, direction));
            }
            return rank;
        }
        if self.closer {
            return self.order.opening.rank(&self.before, mv, threats, reached);
        }
        let Worth { weights, cells, lines } = self.worth;
        let mut rank = weights.threat * threats.count_ones() as i32
            + weights.useful_threat * (threats & self.before.useful).count_ones() as i32
            + weights.reply * reached.safe.count_ones() as i32
            + cells[bit as usize % 128];
        for direction in 0..4 {
            rank += i32::from(lines[self.around(bit, direction) % lines.len()]);
        }
        rank
    }

    /// The discs of both around a cell, in one direction.
    #[inline(always)]
    fn around(&self, bit: u32, direction: usize) -> usize {
        let layout = self.order.field.layout();
        let own = layout.around(self.before.own, bit, direction);
        let opponent = layout.around(self.before.opponent, bit, direction);
        (own | opponent << AROUND) as usize | usize::from(self.order.walls[bit as usize % 128][direction])
    }
}

/// The starts of the lines along `shift` that go through a cell, and some that would lie off the board.
pub(super) fn through<W: Word>(cell: W, shift: u32) -> W {
    cell | cell >> shift | cell >> (2 * shift) | cell >> (3 * shift)
}
