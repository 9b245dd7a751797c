//! Which move to try first.
//!
//! The order decides how large the tree is, and only the number of nodes tells a good order from a
//! bad one: these weights were tuned on it (see `docs/solver.md`), separately for the two players,
//! whose aims differ. Everything is in fractions of the weight of a threat.

use super::field::Field;
use super::history::Trust;
use super::layout::Layout;
use super::opening::{Before, OPENING, Opening, Reached};
use super::policy::{self, LARGE, Learned, Network, SMALL, Sums};
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

/// A closer look is taken at the opening when a search has taken so many nodes: for less it takes
/// longer than it saves.
const HARD: u64 = 4000;

/// For the first player and the second: in the opening; later when they defend, then when they
/// attack; and the same two pairs when a win must come soon in the opening.
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

/// What was learned is asked while the deadline is at least so many plies off, and on other boards
/// lines are looked at. Closer to it, that takes longer than it saves.
const FAR: i32 = 9;

/// There, moves whose replies are forced come first.
const AGAIN: i32 = 400;

/// While it is at least so many off, a large network is asked if there is one, and the experience
/// of the search counts for nothing, for positions differ too much: in the opening, and later on.
const VERY_FAR: [i32; 2] = [16, 19];

/// How much the experience of the search counts: close to the deadline, beside tuned weights, and
/// beside a small network, whose ranks are on another scale.
const QUICK_TRUST: Trust = Trust { cell: 80, answer: 0 };
const TUNED_TRUST: Trust = Trust { cell: 48, answer: 16 };
const SMALL_TRUST: Trust = Trust { cell: 1500, answer: 1000 };

/// What the order needs to know of a board.
#[derive(Debug)]
pub(super) struct Order<L: Layout> {
    field: Field<L>,
    /// By set of weights.
    worth: [Worth; SETS],
    /// By bit and direction: which of the [`Layout::around`] cells do not exist. They count as
    /// taken by both.
    walls: [[u16; 4]; 128],
    opening: Opening<L>,
    /// On the board that something was learned of.
    learned: Option<&'static Learned>,
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
            let through: u32 = lines
                .iter()
                .map(|&(shift, starts)| (through(cell, shift) & starts).count_ones())
                .sum();
            let off_centre = (2 * field.column_of(bit as u32)).abs_diff(field.width - 1);
            *worth = weights.line * through as i32
                + weights.row * field.row_of(bit as u32) as i32
                + weights.off_centre * off_centre as i32;
        }
        // A line through the cell takes three neighbours out of the six.
        let line = |own: usize, opponent: usize| match (
            (own & 7).count_ones(),
            (opponent & 7).count_ones(),
        ) {
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
        let (opening, learned) = (Opening::new(field), policy::learned(field));
        Self { field: *field, worth, walls, opening, learned }
    }

    /// By what to tell the order of moves at a position.
    #[inline(always)]
    pub(super) fn manner(&self, asked: &Asked<L::W>) -> Manner {
        match self.learned {
            _ if asked.plies_left(&self.field) < FAR => Manner::Quick,
            None => Manner::Tuned,
            Some(learned) if self.is_very_far(asked) => Manner::Large(&learned.large[asked.role()]),
            Some(learned) => Manner::Small(&learned.small[asked.role()]),
        }
    }

    /// The order close to the deadline.
    #[inline(always)]
    pub(super) fn quick(&self, asked: &Asked<L::W>) -> Quick<'_, L::W> {
        Quick { worth: self.worth(asked), useful: self.useful(asked.ply) }
    }

    /// The order that a network tells.
    #[inline(always)]
    pub(super) fn learned<const UNITS: usize, const LINES_TOO: bool>(
        &self,
        asked: &Asked<L::W>,
        network: &'static Network<UNITS, LINES_TOO>,
    ) -> ByNetwork<'_, L, UNITS, LINES_TOO> {
        let before = self.before(asked);
        let sums = network.sums(&self.field, &before, asked.threats, asked.plies_left(&self.field));
        ByNetwork { order: self, before, network, sums }
    }

    /// The order that tuned weights tell, in a search that has taken so many nodes.
    #[inline(always)]
    pub(super) fn tuned(&self, asked: &Asked<L::W>, nodes: u64) -> Tuned<'_, L> {
        // The closer look is at odd and even rows.
        let closer = self.is_opening(asked) && nodes >= HARD && self.field.height.is_multiple_of(2);
        let trust = if self.is_very_far(asked) { Trust::NONE } else { TUNED_TRUST };
        Tuned { order: self, quick: self.quick(asked), before: self.before(asked), closer, trust }
    }

    #[inline(always)]
    fn is_opening(&self, asked: &Asked<L::W>) -> bool {
        asked.ply < self.field.count - OPENING
    }

    /// Is the deadline so far off that most is at stake?
    #[inline(always)]
    fn is_very_far(&self, asked: &Asked<L::W>) -> bool {
        asked.plies_left(&self.field) >= VERY_FAR[usize::from(!self.is_opening(asked))]
    }

    #[inline(always)]
    fn before(&self, asked: &Asked<L::W>) -> Before<L::W> {
        let (own, opponent) = asked.discs;
        Before { own, opponent, ply: asked.ply, useful: self.useful(asked.ply) }
    }

    /// The rows that suit the side to move.
    #[inline(always)]
    fn useful(&self, ply: i32) -> L::W {
        if (self.field.count - ply) % 2 == 0 { self.field.odd } else { self.field.even }
    }

    #[inline(always)]
    fn worth(&self, asked: &Asked<L::W>) -> &Worth {
        &self.worth[match (self.is_opening(asked), asked.plies_left(&self.field) <= SOON) {
            (true, false) => (asked.ply % 2) as usize,
            (true, true) => 6 + asked.role(),
            (false, _) => 2 + asked.role(),
        }]
    }

    /// The discs of both around a cell, in one direction.
    #[inline(always)]
    fn around(&self, before: &Before<L::W>, bit: u32, direction: usize) -> usize {
        let layout = self.field.layout();
        let own = layout.around(before.own, bit, direction);
        let opponent = layout.around(before.opponent, bit, direction);
        (own | opponent << AROUND) as usize | usize::from(self.walls[bit as usize % 128][direction])
    }
}

/// A position whose score is compared with `alpha`.
pub(super) struct Asked<W> {
    /// Those of the side to move, and of the other.
    pub(super) discs: (W, W),
    /// The genuine threats of the side that moved last.
    pub(super) threats: W,
    pub(super) ply: i32,
    pub(super) alpha: i32,
}

impl<W: Word> Asked<W> {
    #[inline(always)]
    fn role(&self) -> usize {
        role(self.ply, self.alpha)
    }

    /// Plies until the last at which a win would still matter.
    #[inline(always)]
    fn plies_left<L: Layout>(&self, field: &Field<L>) -> i32 {
        field.count - self.ply - 2 * if attacks(self.alpha) { self.alpha } else { -self.alpha - 1 }
    }
}

/// One side must win by some ply to settle the matter; the other has to hold out until then.
#[inline(always)]
fn attacks(alpha: i32) -> bool {
    alpha >= 0
}

/// The part of the side to move: W defends, B defends, W attacks, B attacks.
#[inline(always)]
pub(super) fn role(ply: i32, alpha: i32) -> usize {
    let player = (ply % 2) as usize;
    if attacks(alpha) { 2 + player } else { player }
}

/// Tells which of the moves at a position to try first.
pub(super) trait Ranks<W> {
    /// How much the experience of the search counts beside it.
    fn trust(&self) -> Trust;

    /// How early to try a move (higher is earlier), given the genuine threats after it and where it
    /// leads.
    fn rank(&self, mv: W, threats: W, reached: &Reached<W>) -> i32;
}

/// How to tell the order of moves at a position.
pub(super) enum Manner {
    /// Close to the deadline the order matters little.
    Quick,
    /// By weights that were tuned.
    Tuned,
    /// By a small network.
    Small(&'static Network<SMALL, false>),
    /// By a large one, where so much is at stake that it is worth its time.
    Large(&'static Network<LARGE, true>),
}

/// By the threats that a move makes, the replies it leaves and its cell alone.
pub(super) struct Quick<'a, W> {
    worth: &'a Worth,
    /// The rows that suit the player.
    useful: W,
}

impl<W: Word> Quick<'_, W> {
    #[inline(always)]
    fn base(&self, mv: W, threats: W, reached: &Reached<W>) -> i32 {
        let Worth { weights, cells, .. } = self.worth;
        weights.threat * threats.count_ones() as i32
            + weights.useful_threat * (threats & self.useful).count_ones() as i32
            + weights.reply * reached.safe.count_ones() as i32
            + cells[mv.trailing_zeros() as usize % 128]
    }
}

impl<W: Word> Ranks<W> for Quick<'_, W> {
    #[inline(always)]
    fn trust(&self) -> Trust {
        QUICK_TRUST
    }

    #[inline(always)]
    fn rank(&self, mv: W, threats: W, reached: &Reached<W>) -> i32 {
        self.base(mv, threats, reached) + if reached.again { AGAIN } else { 0 }
    }
}

/// By tuned weights, lines through the cell included.
pub(super) struct Tuned<'a, L: Layout> {
    order: &'a Order<L>,
    quick: Quick<'a, L::W>,
    before: Before<L::W>,
    /// Take a closer look at where moves lead.
    closer: bool,
    trust: Trust,
}

impl<L: Layout> Ranks<L::W> for Tuned<'_, L> {
    #[inline(always)]
    fn trust(&self) -> Trust {
        self.trust
    }

    #[inline(always)]
    fn rank(&self, mv: L::W, threats: L::W, reached: &Reached<L::W>) -> i32 {
        if self.closer {
            return self.order.opening.rank(&self.before, mv, threats, reached);
        }
        let (lines, bit) = (&self.quick.worth.lines, mv.trailing_zeros());
        let mut rank = self.quick.base(mv, threats, reached);
        for direction in 0..4 {
            rank += i32::from(lines[self.order.around(&self.before, bit, direction) % lines.len()]);
        }
        rank
    }
}

/// As a network tells it.
pub(super) struct ByNetwork<'a, L: Layout, const UNITS: usize, const LINES_TOO: bool> {
    order: &'a Order<L>,
    before: Before<L::W>,
    network: &'static Network<UNITS, LINES_TOO>,
    sums: Sums<L::W, UNITS>,
}

impl<L: Layout, const UNITS: usize, const LINES_TOO: bool> Ranks<L::W>
    for ByNetwork<'_, L, UNITS, LINES_TOO>
{
    #[inline(always)]
    fn trust(&self) -> Trust {
        if LINES_TOO { Trust::NONE } else { SMALL_TRUST }
    }

    #[inline(always)]
    fn rank(&self, mv: L::W, threats: L::W, reached: &Reached<L::W>) -> i32 {
        let Self { order, before, network, sums } = self;
        let bit = mv.trailing_zeros();
        let mut around = [0; 4];
        for (direction, around) in around.iter_mut().enumerate() {
            *around = order.around(before, bit, direction);
        }
        network.rank(&order.field, before, sums, (mv, threats), reached)
            + network.worth(order.field.row_of(bit), around)
    }
}

/// The starts of the lines along `shift` that go through a cell, and some that would lie off the
/// board.
pub(super) fn through<W: Word>(cell: W, shift: u32) -> W {
    cell | cell >> shift | cell >> (2 * shift) | cell >> (3 * shift)
}
