//! Move ordering: which move to try first.
//!
//! The order decides how large the tree is, and only the number of nodes tells a good order from a
//! bad one. The weights were tuned on it (`tuned.rs`). Where there is a policy network, it takes over
//! far from the horizon, which is the last ply at which a win still raises the score above `alpha`.

use super::board::BoardMasks;
use super::history::HistoryWeights;
use super::layout::{Layout, NEIGHBOURS};
use super::opening::{
    OPENING_MIN_EMPTY, OpeningOrder, OpeningRanker, ParentPosition, ReachedPosition,
};
use super::policy::{Accumulator, LARGE, MoveOrder, PolicyNetwork, PolicyNetworks, SMALL};
use super::tuned::{SETS, TunedOrder, TunedWeights};
use crate::game::{Rules, Word};
use std::cell::OnceCell;
use std::ops::{BitOr, Shr};
use std::sync::Arc;

/// The opening ranker is used once a search has taken this many nodes. In a shorter search it
/// costs more time than it saves.
const OPENING_RANKER_MIN_NODES: u64 = 4000;

/// The packed networks that come with the library rank the moves once a search has taken this many
/// nodes. To unpack them and to lay them out takes milliseconds, once per process, which is more
/// than short searches take.
const PACKED_NETWORKS_MIN_NODES: u64 = 4000;

/// In the opening the horizon is near if it is at most this many plies away.
const NEAR_HORIZON: i32 = 15;

/// At least this many plies from the horizon, networks rank the moves, and on other boards the
/// lines through their cells count. Closer to it, that costs more time than it saves.
pub(super) const FULL_RANKING_MIN_PLIES: i32 = 9;

/// The bonus of a move whose reply is forced, close to the horizon.
const FORCING_BONUS: i32 = 400;

/// At least this many plies from the horizon, in the opening and later, a large network ranks the
/// moves if there is one. History counts for nothing there: successive positions differ too much.
const LARGE_NETWORK_MIN_PLIES: [i32; 2] = [16, 19];

/// The weight of the history heuristics: close to the horizon, beside tuned weights, and beside a
/// small network, whose ranks are on another scale.
const QUICK_HISTORY: HistoryWeights = HistoryWeights { history: 80, countermove: 0 };
const TUNED_HISTORY: HistoryWeights = HistoryWeights { history: 48, countermove: 16 };
const NETWORK_HISTORY: HistoryWeights = HistoryWeights { history: 1500, countermove: 1000 };

/// Chooses and prepares the ranking of moves on one board.
#[derive(Debug)]
pub(super) struct MoveOrdering<L: Layout> {
    board: BoardMasks<L>,
    /// By set of weights.
    weight_tables: [WeightTables; SETS],
    /// By cell and direction: which [`Layout::neighbours`] lie off the board, marked as taken by
    /// both players.
    off_board: [[u16; 4]; 128],
    opening: OpeningOrder<L>,
    /// What is to order the moves.
    order: MoveOrder,
    /// A search has networks once it has taken this many nodes.
    networks_min_nodes: u64,
    /// Found then.
    networks: OnceCell<Option<Arc<PolicyNetworks>>>,
}

/// One set of weights compiled into tables.
#[derive(Debug, Clone, Copy)]
struct WeightTables {
    weights: TunedWeights,
    /// By cell: what it contributes on any position.
    cells: [i32; 128],
    /// By the discs of both players on a cell's neighbours in one direction: what the lines through
    /// the cell in that direction contribute.
    lines: [i16; 1 << (2 * NEIGHBOURS)],
}

impl WeightTables {
    fn new<L: Layout>(board: &BoardMasks<L>, weights: TunedWeights) -> Self {
        let lines = board.lines();
        let mut cells = [0; 128];
        for (bit, value) in cells.iter_mut().enumerate().take(L::W::BITS as usize) {
            let cell = L::W::ONE << bit as u32;
            if (cell & board.cells).is_zero() {
                continue;
            }
            let through: u32 = lines
                .iter()
                .map(|&(shift, starts)| (line_starts_through(cell, shift) & starts).count_ones())
                .sum();
            let off_centre = (2 * board.column_of(bit as u32)).abs_diff(board.width - 1);
            *value = weights.line * through as i32
                + weights.row * board.row_of(bit as u32) as i32
                + weights.off_centre * off_centre as i32;
        }
        // A line through the cell covers three adjacent ones of the six neighbours.
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
            let (own, opponent) = (both % (1 << NEIGHBOURS), both >> NEIGHBOURS);
            (0..4).map(|first| line(own >> first, opponent >> first)).sum::<i32>() as i16
        });
        Self { weights, cells, lines }
    }
}

fn weight_tables<L: Layout>(board: &BoardMasks<L>, tuned: &TunedOrder) -> [WeightTables; SETS] {
    std::array::from_fn(|set| WeightTables::new(board, tuned.set(set)))
}

/// How many nodes a search takes before networks rank its moves. Those of Connect Four are not
/// packed, and whoever names others wants them at once.
fn networks_min_nodes<L: Layout>(board: &BoardMasks<L>, order: &MoveOrder) -> u64 {
    let connect_four =
        (board.width, board.height) == (Rules::CONNECT_FOUR.width(), Rules::CONNECT_FOUR.height());
    if connect_four || *order != MoveOrder::Embedded { 0 } else { PACKED_NETWORKS_MIN_NODES }
}

impl<L: Layout> MoveOrdering<L> {
    pub(super) fn new(board: &BoardMasks<L>) -> Self {
        Self {
            board: *board,
            weight_tables: weight_tables(board, &TunedOrder::BUILT_IN),
            off_board: off_board(board),
            opening: OpeningOrder::new(board, &TunedOrder::BUILT_IN),
            order: MoveOrder::default(),
            networks_min_nodes: networks_min_nodes(board, &MoveOrder::default()),
            networks: OnceCell::new(),
        }
    }

    /// Chooses what orders the moves from the next search on.
    pub(super) fn order_by(&mut self, order: MoveOrder) {
        if order.tuned() != self.order.tuned() {
            let tuned = order.tuned().unwrap_or(&TunedOrder::BUILT_IN);
            self.weight_tables = weight_tables(&self.board, tuned);
            self.opening = OpeningOrder::new(&self.board, tuned);
        }
        self.networks_min_nodes = networks_min_nodes(&self.board, &order);
        (self.order, self.networks) = (order, OnceCell::new());
    }

    /// How to rank the moves of a position, in a search that has taken `nodes` nodes so far.
    #[inline(always)]
    pub(super) fn ranking(&self, at: &RankingContext<L::W>, nodes: u64) -> Ranking<'_> {
        if at.plies_to_horizon(&self.board) < FULL_RANKING_MIN_PLIES {
            return Ranking::Quick;
        }
        match self.networks(at, nodes) {
            None if self.suits_opening_ranker(at, nodes) => Ranking::Opening,
            None => Ranking::Tuned,
            Some(networks) if self.is_far_from_horizon(at) => Ranking::LargeNetwork(networks),
            Some(networks) => Ranking::SmallNetwork(networks),
        }
    }

    /// The networks that rank the moves of a position, if any do, in a search that has taken `nodes`
    /// nodes so far.
    #[inline(always)]
    pub(super) fn networks(
        &self,
        at: &RankingContext<L::W>,
        nodes: u64,
    ) -> Option<&PolicyNetworks> {
        if nodes < self.networks_min_nodes {
            return None;
        }
        let find = || PolicyNetworks::of(&self.board, &self.order);
        let networks = self.networks.get_or_init(find).as_deref()?;
        (at.ply >= networks.first_ply).then_some(networks)
    }

    /// The ranker close to the horizon.
    #[inline(always)]
    pub(super) fn quick(&self, at: &RankingContext<L::W>) -> QuickRanker<'_, L::W> {
        QuickRanker { tables: self.weight_tables(at), useful: self.useful_rows(at.ply) }
    }

    /// The ranker that the small policy network for the side to move provides.
    #[inline(always)]
    pub(super) fn by_small_network<'a>(
        &'a self,
        at: &RankingContext<L::W>,
        networks: &'a PolicyNetworks,
    ) -> NetworkRanker<'a, L, SMALL, false> {
        self.by_network(at, networks, &networks.small[at.role()])
    }

    /// The same for the large one.
    #[inline(always)]
    pub(super) fn by_large_network<'a>(
        &'a self,
        at: &RankingContext<L::W>,
        networks: &'a PolicyNetworks,
    ) -> NetworkRanker<'a, L, LARGE, true> {
        self.by_network(at, networks, &networks.large[at.role()])
    }

    #[inline(always)]
    fn by_network<'a, const UNITS: usize, const LINES: bool>(
        &'a self,
        at: &RankingContext<L::W>,
        networks: &'a PolicyNetworks,
        network: &'a PolicyNetwork<UNITS, LINES>,
    ) -> NetworkRanker<'a, L, UNITS, LINES> {
        let parent = self.parent(at);
        let plies = at.plies_to_horizon(&self.board);
        let accumulator =
            network.accumulator(&networks.map, &self.board, &parent, at.threats, plies);
        NetworkRanker { ordering: self, parent, networks, network, accumulator }
    }

    /// The ranker by tuned weights.
    #[inline(always)]
    pub(super) fn tuned(&self, at: &RankingContext<L::W>) -> TunedRanker<'_, L> {
        let (quick, parent) = (self.quick(at), self.parent(at));
        TunedRanker { ordering: self, quick, parent, history: self.tuned_history(at) }
    }

    /// The ranker for the opening.
    #[inline(always)]
    pub(super) fn by_opening_order(&self, at: &RankingContext<L::W>) -> OpeningRanker<'_, L> {
        self.opening.ranker(self.parent(at), self.tuned_history(at))
    }

    /// The weight of the history heuristics where there are no networks.
    #[inline(always)]
    fn tuned_history(&self, at: &RankingContext<L::W>) -> HistoryWeights {
        if self.is_far_from_horizon(at) { HistoryWeights::NONE } else { TUNED_HISTORY }
    }

    /// Whether the opening ranker is worth its time. Its features rely on odd and even rows.
    #[inline(always)]
    fn suits_opening_ranker(&self, at: &RankingContext<L::W>, nodes: u64) -> bool {
        self.is_opening(at)
            && nodes >= OPENING_RANKER_MIN_NODES
            && self.board.height.is_multiple_of(2)
    }

    #[inline(always)]
    fn is_opening(&self, at: &RankingContext<L::W>) -> bool {
        at.ply < self.board.count - OPENING_MIN_EMPTY
    }

    /// Whether the horizon is so far away that a large network is worth its time.
    #[inline(always)]
    fn is_far_from_horizon(&self, at: &RankingContext<L::W>) -> bool {
        let min_plies = LARGE_NETWORK_MIN_PLIES[usize::from(!self.is_opening(at))];
        at.plies_to_horizon(&self.board) >= min_plies
    }

    /// See [`MoveOrdering::is_far_from_horizon`].
    #[cfg(feature = "training")]
    pub(super) fn is_for_large_network(&self, at: &RankingContext<L::W>) -> bool {
        self.is_far_from_horizon(at)
    }

    #[inline(always)]
    pub(super) fn parent(&self, at: &RankingContext<L::W>) -> ParentPosition<L::W> {
        let (own, opponent) = at.discs;
        ParentPosition { own, opponent, ply: at.ply, useful: self.useful_rows(at.ply) }
    }

    /// The rows of useful parity for the side to move.
    #[inline(always)]
    fn useful_rows(&self, ply: i32) -> L::W {
        if (self.board.count - ply) % 2 == 0 { self.board.odd } else { self.board.even }
    }

    #[inline(always)]
    fn weight_tables(&self, at: &RankingContext<L::W>) -> &WeightTables {
        let near_horizon = at.plies_to_horizon(&self.board) <= NEAR_HORIZON;
        &self.weight_tables[match (self.is_opening(at), near_horizon) {
            (true, false) => (at.ply % 2) as usize,
            (true, true) => 6 + at.role(),
            (false, _) => 2 + at.role(),
        }]
    }

    /// The discs of both players on a cell's neighbours, by direction.
    #[inline(always)]
    pub(super) fn neighbours(&self, parent: &ParentPosition<L::W>, bit: u32) -> [usize; 4] {
        let layout = self.board.layout();
        let own = layout.surroundings(parent.own, bit);
        let opponent = layout.surroundings(parent.opponent, bit);
        let off_board = &self.off_board[bit as usize % 128];
        let mut found = [0; 4];
        for (direction, (found, &off_board)) in found.iter_mut().zip(off_board).enumerate() {
            let own = layout.neighbours(own, bit, direction);
            let opponent = layout.neighbours(opponent, bit, direction);
            *found = (own | opponent << NEIGHBOURS) as usize | usize::from(off_board);
        }
        found
    }
}

/// What tuned weights say of moves in a role, later than the opening: all that a linear unit and a
/// table of neighbours can know of them. In units of a threat.
#[cfg(feature = "training")]
#[derive(Debug)]
pub(super) struct TunedRanks {
    /// By bit: a threat of the player there, and a move there.
    pub(super) threats: Vec<f32>,
    pub(super) moves: Vec<f32>,
    /// Per reply.
    pub(super) reply: f32,
    /// By the pattern of the neighbours in one direction.
    pub(super) neighbours: Vec<f32>,
}

#[cfg(feature = "training")]
impl<L: Layout> MoveOrdering<L> {
    /// The tuned weights of a role.
    pub(super) fn tuned_ranks(&self, role: usize) -> TunedRanks {
        let WeightTables { weights, cells, lines } = &self.weight_tables[2 + role % 4];
        let unit = |weight: i32| weight as f32 / 64.0;
        let useful = self.useful_rows(self.board.count + (role % 2) as i32);
        let threat = |bit: u32| {
            let is_useful = !(L::W::ONE << bit & useful).is_zero();
            unit(weights.threat + if is_useful { weights.useful_threat } else { 0 })
        };
        TunedRanks {
            threats: (0..L::W::BITS).map(threat).collect(),
            moves: cells.iter().map(|&weight| unit(weight)).collect(),
            reply: unit(weights.reply),
            neighbours: lines.iter().map(|&weight| unit(weight.into())).collect(),
        }
    }
}

/// By cell and direction: the neighbours off the board, marked as taken by both players.
fn off_board<L: Layout>(board: &BoardMasks<L>) -> [[u16; 4]; 128] {
    let (width, height) = (board.width as i32, board.height as i32);
    let mut off_board = [[0; 4]; 128];
    for (bit, cell) in (0..).zip(off_board.iter_mut().take(L::W::BITS as usize)) {
        let (column, row) = (board.column_of(bit) as i32, board.row_of(bit) as i32);
        for (mask, (across, up)) in cell.iter_mut().zip([(0, 1), (1, 0), (1, 1), (1, -1)]) {
            for (index, step) in [-3, -2, -1, 1, 2, 3].into_iter().enumerate() {
                let (column, row) = (column + step * across, row + step * up);
                if !((0..width).contains(&column) && (0..height).contains(&row)) {
                    *mask |= (1 | 1 << NEIGHBOURS) << index;
                }
            }
        }
    }
    off_board
}

/// A position that is searched with the null window at `alpha`, and whose moves are to be ranked.
pub(super) struct RankingContext<W> {
    /// The discs of the side to move, and of the other.
    pub(super) discs: (W, W),
    /// The genuine threats of the side that moved last.
    pub(super) threats: W,
    pub(super) ply: i32,
    pub(super) alpha: i32,
}

impl<W: Word> RankingContext<W> {
    #[inline(always)]
    pub(super) fn role(&self) -> usize {
        role(self.ply, self.alpha)
    }

    /// Plies until the horizon.
    #[inline(always)]
    pub(super) fn plies_to_horizon<L: Layout>(&self, board: &BoardMasks<L>) -> i32 {
        let horizon_score = if attacks(self.alpha) { self.alpha } else { -self.alpha - 1 };
        board.count - self.ply - 2 * horizon_score
    }
}

/// Whether the side to move is the attacker, who must win by the horizon. Otherwise it is the
/// defender, who has to hold out until then.
#[inline(always)]
fn attacks(alpha: i32) -> bool {
    alpha >= 0
}

/// The role of the side to move: W defends, B defends, W attacks, B attacks.
#[inline(always)]
pub(super) fn role(ply: i32, alpha: i32) -> usize {
    let player = (ply % 2) as usize;
    if attacks(alpha) { 2 + player } else { player }
}

/// Ranks the moves of one position.
pub(super) trait Ranker<W> {
    /// The weight of the history heuristics beside this ranker.
    fn history_weights(&self) -> HistoryWeights;

    /// The rank of a move (higher is tried earlier), given the genuine threats after it and the
    /// position it leads to.
    fn rank(&self, mv: W, threats: W, reached: &ReachedPosition<W>) -> i32;
}

/// How to rank the moves of a position.
pub(super) enum Ranking<'a> {
    /// Quickly: close to the horizon the order matters little.
    Quick,
    /// By tuned weights.
    Tuned,
    /// The same with a closer look, in the opening.
    Opening,
    /// By a small policy network.
    SmallNetwork(&'a PolicyNetworks),
    /// By a large one, where a subtree is large enough to be worth its time.
    LargeNetwork(&'a PolicyNetworks),
}

/// Ranks moves from left to right: no order at all.
pub(super) struct LeftToRight;

impl<W: Word> Ranker<W> for LeftToRight {
    #[inline(always)]
    fn history_weights(&self) -> HistoryWeights {
        HistoryWeights::NONE
    }

    #[inline(always)]
    fn rank(&self, mv: W, _: W, _: &ReachedPosition<W>) -> i32 {
        -(mv.trailing_zeros() as i32)
    }
}

/// Ranks moves by their threats, their cell and the replies they leave.
pub(super) struct QuickRanker<'a, W> {
    tables: &'a WeightTables,
    /// The rows of useful parity for the player.
    useful: W,
}

impl<W: Word> QuickRanker<'_, W> {
    #[inline(always)]
    fn base(&self, mv: W, threats: W, reached: &ReachedPosition<W>) -> i32 {
        let WeightTables { weights, cells, .. } = self.tables;
        weights.threat * threats.count_ones() as i32
            + weights.useful_threat * (threats & self.useful).count_ones() as i32
            + weights.reply * reached.safe.count_ones() as i32
            + cells[mv.trailing_zeros() as usize % 128]
    }
}

impl<W: Word> Ranker<W> for QuickRanker<'_, W> {
    #[inline(always)]
    fn history_weights(&self) -> HistoryWeights {
        QUICK_HISTORY
    }

    #[inline(always)]
    fn rank(&self, mv: W, threats: W, reached: &ReachedPosition<W>) -> i32 {
        self.base(mv, threats, reached) + if reached.mover_again { FORCING_BONUS } else { 0 }
    }
}

/// Ranks moves by tuned weights, including the lines through the cell.
pub(super) struct TunedRanker<'a, L: Layout> {
    ordering: &'a MoveOrdering<L>,
    quick: QuickRanker<'a, L::W>,
    parent: ParentPosition<L::W>,
    history: HistoryWeights,
}

impl<L: Layout> Ranker<L::W> for TunedRanker<'_, L> {
    #[inline(always)]
    fn history_weights(&self) -> HistoryWeights {
        self.history
    }

    #[inline(always)]
    fn rank(&self, mv: L::W, threats: L::W, reached: &ReachedPosition<L::W>) -> i32 {
        let (lines, bit) = (&self.quick.tables.lines, mv.trailing_zeros());
        let mut rank = self.quick.base(mv, threats, reached);
        for neighbours in self.ordering.neighbours(&self.parent, bit) {
            rank += i32::from(lines[neighbours % lines.len()]);
        }
        rank
    }
}

/// Ranks moves by a policy network.
pub(super) struct NetworkRanker<'a, L: Layout, const UNITS: usize, const LINES: bool> {
    ordering: &'a MoveOrdering<L>,
    parent: ParentPosition<L::W>,
    networks: &'a PolicyNetworks,
    network: &'a PolicyNetwork<UNITS, LINES>,
    accumulator: Accumulator<L::W, UNITS>,
}

impl<L: Layout, const UNITS: usize, const LINES: bool> Ranker<L::W>
    for NetworkRanker<'_, L, UNITS, LINES>
{
    #[inline(always)]
    fn history_weights(&self) -> HistoryWeights {
        if LINES { HistoryWeights::NONE } else { NETWORK_HISTORY }
    }

    #[inline(always)]
    fn rank(&self, mv: L::W, threats: L::W, reached: &ReachedPosition<L::W>) -> i32 {
        let Self { ordering, parent, networks, network, accumulator } = self;
        let bit = mv.trailing_zeros();
        let neighbours = ordering.neighbours(parent, bit);
        network.rank(&networks.map, &ordering.board, parent, accumulator, (mv, threats), reached)
            + network.rank_of_neighbours(ordering.board.row_of(bit), neighbours)
    }
}

/// The start cells of the lines of four along `shift` that go through a cell, including some off
/// the board.
#[inline(always)]
pub(super) fn line_starts_through<S>(cell: S, shift: u32) -> S
where
    S: Copy + BitOr<Output = S> + Shr<u32, Output = S>,
{
    let two = cell | cell >> shift;
    two | two >> shift >> shift
}
