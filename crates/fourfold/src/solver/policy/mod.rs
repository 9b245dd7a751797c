//! The policy networks: which move to try first, learned from the cost of moves, on boards of at
//! most 64 bits. Those for 7x6 and a few other boards come with the library, and universal ones from
//! which those of further boards are made; others are read from files.
//!
//! Far from the horizon a wrong first move is expensive, and what tells a good one is where it
//! leads. A small network with one hidden layer rates the position that a move leads to once forced
//! moves are played. Its inputs are the discs, threats and playable cells of both players, and in
//! the large networks the lines still open; every input adds its row of weights to the hidden
//! units. These go through a ReLU, except for one linear pair, and a linear output unit. The
//! neighbours of the move in each direction add a value from a table. There is one network per
//! role of the side to move (first or second player, defender or attacker) and size: a large one
//! for the few nodes with the largest subtrees, and a small one for the others.
//!
//! As in NNUE (Nasu 2018), the hidden layer is an [`Accumulator`] that is updated incrementally:
//! it is computed once per position, and each move adds and subtracts the rows of what it changes.
//! Weights are quantised to 8 bits and sums to 16, so the ranks are the same on every processor.
//! Units come in pairs that are mirror images of each other, so that left and right never matter.
//! `docs/solver.md` tells how the networks were trained.

mod file;
mod inputs;
mod pack;
mod rows;
#[cfg(all(test, feature = "weights"))]
mod tests;
#[cfg(feature = "training")]
mod training;
mod universal;
mod weights;

pub use self::file::{OrderWeights, WeightsError, WeightsFile};
#[cfg(feature = "training")]
pub use self::training::{
    BoardForm, MoveOutcome, MoveSample, NetworkWeights, NodeSample, OrderForm, Sampling,
};

pub(super) use self::inputs::InputMap;

use self::inputs::{PlayerDiscs, horizon_class};
use self::rows::{ByteUnitRow, CellRows, ColumnRows, UnitRow, cell_index};
use super::board::BoardMasks;
use super::layout::{Layout, NEIGHBOURS};
use super::opening::{ParentPosition, ReachedPosition};
use super::tuned::TunedOrder;
use crate::game::{Placement, Rules, Shape, Word};
use crate::parts::Part;
use std::sync::Arc;

/// The hidden units of small and of large networks.
pub(super) const SMALL: usize = 32;
pub(super) const LARGE: usize = 128;

/// The networks of each size, one per role.
const ROLES: usize = 4;

/// What both players can have on the neighbours of a cell in one direction; see
/// [`Layout::neighbours`]. A neighbour off the board counts as taken by both.
const PATTERNS: usize = 1 << (2 * NEIGHBOURS);

/// The fixed-point scale of ranks: this much is 1.
const RANK_SCALE: i32 = 2048;

/// The right shift from the scale of the output unit to that of ranks.
const OUTPUT_SHIFT: u32 = 4;

/// The neighbours' weights are quantised in steps of 1/64.
const NEIGHBOUR_STEP: i32 = RANK_SCALE / 64;

/// The hash of the learned move order (FNV-1a, 64 bits), to tell programs apart whose searches cost
/// different numbers of nodes; none in a build without it.
#[must_use]
pub fn weights_hash() -> Option<u64> {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    [Part::Policy, Part::Boards].iter().try_fold(0xcbf2_9ce4_8422_2325, |hash, part| {
        part.bytes().map(|bytes| bytes.iter().fold(hash, step))
    })
}

/// What ranks the moves far from the horizon, on boards with gravity where four in a line win. The
/// order of moves changes how long a search takes, never its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveOrder {
    /// The policy networks that come with the library on the boards that they are for, and tuned
    /// weights elsewhere.
    #[default]
    Embedded,
    /// Tuned weights on every board.
    Tuned,
    /// Other tuned weights on every board: for the trainer that makes them.
    #[cfg(feature = "training")]
    TunedBy(Arc<TunedOrder>),
    /// These policy networks on the boards they are for; elsewhere as [`MoveOrder::Embedded`].
    Learned(WeightsFile),
}

impl MoveOrder {
    /// The weights for a board, if networks order its moves.
    #[must_use]
    pub fn weights_for(&self, rules: &Rules) -> Option<OrderWeights> {
        match self {
            Self::Tuned => None,
            #[cfg(feature = "training")]
            Self::TunedBy(_) => None,
            Self::Learned(weights) => {
                weights.for_game(rules).ok().or_else(|| OrderWeights::embedded(rules))
            }
            Self::Embedded => OrderWeights::embedded(rules),
        }
    }

    /// The tuned weights to use instead of those that come with the library.
    pub(super) fn tuned(&self) -> Option<&TunedOrder> {
        match self {
            #[cfg(feature = "training")]
            Self::TunedBy(tuned) => Some(tuned),
            _ => None,
        }
    }
}

/// The networks of a board by [`super::order::role`]: the first and the second player as defender,
/// then both as attacker.
#[derive(Debug)]
pub(super) struct PolicyNetworks {
    pub(super) map: InputMap,
    /// They rank the moves from this ply on.
    pub(super) first_ply: i32,
    pub(super) small: [Box<PolicyNetwork<SMALL, false>>; ROLES],
    pub(super) large: [Box<PolicyNetwork<LARGE, true>>; ROLES],
}

impl PolicyNetworks {
    /// The networks with these weights, whose length and range were checked.
    fn new(weights: &[u8], map: InputMap, first_ply: u8) -> Self {
        let small = ROLES * PolicyNetwork::<SMALL, false>::bytes(&map);
        let (small, large) = weights.split_at(small);
        Self {
            small: PolicyNetwork::by_role(small, &map),
            large: PolicyNetwork::by_role(large, &map),
            first_ply: first_ply.into(),
            map,
        }
    }

    /// The networks that order the moves of a board, if any.
    pub(super) fn of<L: Layout>(board: &BoardMasks<L>, order: &MoveOrder) -> Option<Arc<Self>> {
        let rules =
            Rules::new(board.width, board.height, Shape::Line(4), Placement::Gravity).ok()?;
        let networks = Arc::clone(order.weights_for(&rules)?.networks()?);
        // The tables are indexed by the bits of one layout.
        let fits = L::W::BITS == u64::BITS && networks.map.stride == board.layout().stride();
        fits.then_some(networks)
    }
}

/// A policy network with its weights laid out for fast lookup. `LINES`: whether open lines are
/// among its inputs.
#[derive(Debug)]
pub(super) struct PolicyNetwork<const UNITS: usize, const LINES: bool> {
    /// The sum of the rows of everything in a column.
    columns: ColumnRows<UnitRow<UNITS>>,
    /// What a move in a column changes.
    column_moves: ColumnRows<UnitRow<UNITS>>,
    /// By player.
    threats: [CellRows<UnitRow<UNITS>>; 2],
    moves: CellRows<UnitRow<UNITS>>,
    /// By the number of moves that the opponent has, or from 8 on that the mover has.
    choices: [UnitRow<UNITS>; 16],
    /// By the number of forced moves: the difference to none.
    forced: [UnitRow<UNITS>; 6],
    /// By class of the distance to the horizon: the bias, with no forced move.
    bias: [UnitRow<UNITS>; 8],
    /// By [`PlayerDiscs::open_line`]; empty if lines are no input.
    open_lines: Vec<ByteUnitRow<UNITS>>,
    /// The lower limit of each unit: 0 for a ReLU, the least value for a linear unit.
    activation_floor: UnitRow<UNITS>,
    output_weights: UnitRow<UNITS>,
    /// By the parity of the move's row, the direction and the pattern of its neighbours.
    neighbours: [[[i8; PATTERNS]; 4]; 2],
}

/// The hidden layer of a position before a move. Each move updates a copy of it.
#[derive(Debug)]
pub(super) struct Accumulator<W, const UNITS: usize> {
    units: UnitRow<UNITS>,
    discs: PlayerDiscs,
    /// The genuine threats of the player, and of the opponent.
    threats: [W; 2],
    /// The lines that hold discs of both players, if lines are an input. They never change again.
    dead_lines: u128,
}

impl<const UNITS: usize, const LINES: bool> PolicyNetwork<UNITS, LINES> {
    /// The accumulator of a position, given the genuine threats of the side that moved last and the
    /// plies to the horizon.
    #[inline(always)]
    pub(super) fn accumulator<L: Layout>(
        &self,
        map: &InputMap,
        board: &BoardMasks<L>,
        parent: &ParentPosition<L::W>,
        threats: L::W,
        plies_to_horizon: i32,
    ) -> Accumulator<L::W, UNITS> {
        let ParentPosition { own, opponent, ply, .. } = *parent;
        let discs = PlayerDiscs::new(board, own, opponent, ply);
        let mut units = self.bias[horizon_class(plies_to_horizon)];
        for column in 0..board.width {
            let shift = column * board.layout().stride();
            units.add(self.columns.at(column as usize, shift, discs.key));
        }
        let mut dead_lines = 0;
        if LINES {
            let [white, black] = [discs.white, discs.black].map(|discs| map.lines_through(discs));
            dead_lines = white & black;
            let mut open = white ^ black;
            while open != 0 {
                let line = open.trailing_zeros() as usize;
                units.add_bytes(&self.open_lines[map.open_line(&discs, line)]);
                open &= open - 1;
            }
        }
        let player = (ply % 2) as usize;
        let threats = [board.completing(own) & !(own | opponent), threats];
        units.add_cells(&self.threats[player], threats[0]);
        units.add_cells(&self.threats[1 - player], threats[1]);
        Accumulator { units, discs, threats, dead_lines }
    }

    /// The rank of a move (higher is tried earlier) without its neighbours, given the genuine
    /// threats after it and the position it leads to.
    #[inline(always)]
    pub(super) fn rank<L: Layout>(
        &self,
        map: &InputMap,
        board: &BoardMasks<L>,
        parent: &ParentPosition<L::W>,
        accumulator: &Accumulator<L::W, UNITS>,
        (mv, threats): (L::W, L::W),
        reached: &ReachedPosition<L::W>,
    ) -> i32 {
        let (own, opponent) = reached.discs;
        let discs = PlayerDiscs::new(board, own, opponent, reached.ply);
        let mut units = accumulator.units;
        if LINES {
            self.update_lines(map, &mut units, accumulator, &discs);
        }
        let forced = (reached.ply - parent.ply - 1) as usize;
        if forced == 0 {
            self.update_for_move(&mut units, board, parent, accumulator, (mv, threats));
        } else {
            units.add(&self.moves[cell_index(mv)]);
            units.add(&self.forced[forced.min(5)]);
            self.update_after_forced(&mut units, board, parent, accumulator, reached, &discs);
        }
        let choices = (reached.safe.count_ones() as usize).min(7);
        units.add(&self.choices[8 * usize::from(reached.mover_again) + choices]);
        self.output(&units)
    }

    /// Updates the lines through new discs.
    #[inline(always)]
    fn update_lines<W>(
        &self,
        map: &InputMap,
        units: &mut UnitRow<UNITS>,
        before: &Accumulator<W, UNITS>,
        now: &PlayerDiscs,
    ) {
        let new = (now.white | now.black) & !(before.discs.white | before.discs.black);
        let mut lines = map.lines_through(new) & !before.dead_lines;
        while lines != 0 {
            let line = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            units.exchange_bytes(
                &self.open_lines[map.open_line(now, line)],
                &self.open_lines[map.open_line(&before.discs, line)],
            );
        }
    }

    /// Updates column and threats for a move without forced replies.
    #[inline(always)]
    fn update_for_move<L: Layout>(
        &self,
        units: &mut UnitRow<UNITS>,
        board: &BoardMasks<L>,
        parent: &ParentPosition<L::W>,
        before: &Accumulator<L::W, UNITS>,
        (mv, threats): (L::W, L::W),
    ) {
        let [own_rows, opponent_rows] = self.threat_rows(parent.ply);
        let [own_threats, opponent_threats] = before.threats;
        let column = board.column_of(mv.trailing_zeros());
        let shift = column * board.layout().stride();
        units.add(self.column_moves.at(column as usize, shift, before.discs.key));
        // A move only adds threats of its player, and blocks at most one.
        units.add_cells(own_rows, threats & !own_threats);
        units.subtract(&opponent_rows[cell_index(opponent_threats & mv)]);
    }

    /// Updates all columns and threats that a move and the forced moves after it have changed.
    #[inline(always)]
    fn update_after_forced<L: Layout>(
        &self,
        units: &mut UnitRow<UNITS>,
        board: &BoardMasks<L>,
        parent: &ParentPosition<L::W>,
        before: &Accumulator<L::W, UNITS>,
        reached: &ReachedPosition<L::W>,
        now: &PlayerDiscs,
    ) {
        let mut changed = now.key ^ before.discs.key;
        while changed != 0 {
            let column = board.column_of(changed.trailing_zeros());
            changed &= !(board.layout().column(column).widen() as u64);
            let shift = column * board.layout().stride();
            units.add(self.columns.at(column as usize, shift, now.key));
            units.subtract(self.columns.at(column as usize, shift, before.discs.key));
        }
        let [own_rows, opponent_rows] = self.threat_rows(parent.ply);
        let [own_threats, opponent_threats] = before.threats;
        let (to_move, other) = reached.discs;
        let (own, opponent) = if reached.mover_again { (to_move, other) } else { (other, to_move) };
        let empty = !(own | opponent);
        for (rows, was, is) in [
            (own_rows, own_threats, board.completing(own) & empty),
            (opponent_rows, opponent_threats, board.completing(opponent) & empty),
        ] {
            units.add_cells(rows, is & !was);
            let mut gone = was & !is;
            while !gone.is_zero() {
                units.subtract(&rows[cell_index(gone)]);
                gone = gone.without_lowest();
            }
        }
    }

    /// The rows for the threats of the side to move at a ply, and of its opponent.
    #[inline(always)]
    fn threat_rows(&self, ply: i32) -> [&CellRows<UnitRow<UNITS>>; 2] {
        let [white, black] = self.threats.each_ref();
        if ply % 2 == 0 { [white, black] } else { [black, white] }
    }

    /// The output unit.
    #[inline(always)]
    fn output(&self, units: &UnitRow<UNITS>) -> i32 {
        let mut activations = *units;
        activations.raise(&self.activation_floor);
        activations.dot(&self.output_weights) >> OUTPUT_SHIFT
    }

    /// What the neighbours of a move in each direction add to its rank, by the row of the move.
    #[inline(always)]
    pub(super) fn rank_of_neighbours(&self, row: u32, neighbours: [usize; 4]) -> i32 {
        let tables = &self.neighbours[(row % 2) as usize];
        let mut sum = 0;
        for direction in 0..4 {
            sum += i32::from(tables[direction][neighbours[direction] % PATTERNS]);
        }
        NEIGHBOUR_STEP * sum
    }
}
