//! Move ordering in the opening, where few nodes lie and a wrong first move costs most.
//!
//! There is time for a closer look there: not only at the cell, but at the position that the move
//! leads to once forced moves are played. The features count the lines still open to each player,
//! by the number of discs and by how many of the missing cells lie on rows of useful parity, and
//! the lines that the follow-up strategies of the static bounds do not stop. A linear model ranks
//! the move. Its weights are in `tuned.rs`.

use super::board::BoardMasks;
use super::history::HistoryWeights;
use super::lanes::{LaneWord, Lanes};
use super::layout::Layout;
use super::order::{Ranker, line_starts_through};
use super::tuned::{OPENING_SETS, TunedOrder};
use crate::game::Word;

/// Positions with more empty cells than this are the opening.
pub(super) const OPENING_MIN_EMPTY: i32 = 24;

/// Positions with more empty cells than this are ranked with the early opening's weights.
const EARLY_OPENING_MIN_EMPTY: i32 = 28;

/// The lines of a player that the opponent does not block are counted in these classes: with two
/// discs vertical, horizontal on a row of useful parity, and horizontal on another row; with one
/// disc horizontal, on both kinds of rows; diagonal with two discs and no, one or two missing cells
/// of useful parity; diagonal with one disc and one or two such cells; and then the player's
/// threats right above a playable cell.
const LINE_CLASSES: usize = 11;

/// The number of features of a move, which are in this order.
///
/// Of the move: the genuine threats after it; those on rows of useful parity; its row (the lowest
/// six) and its distance from the centre (four), both one-hot; the lines through the cell that are
/// open to the player with 0, 1, 2 discs and to the opponent with 1, 2; all lines through the cell.
///
/// Of the position that it leads to: whether the player is to move again, and among how many moves,
/// else among how many moves the opponent chooses; the number of forced moves; W's threats on odd
/// and on even rows; the cells from below B's even threats upward; the lines in W's reach against
/// claimeven with 1, 2, 3 of W's discs, and their number up to four; whether W has an odd threat,
/// the lines in B's reach against it with 1, 2, 3 of B's discs, and its row; the classes of W's
/// lines, then of B's.
pub(super) const FEATURES: usize = 2 + 6 + 4 + 5 + 1 + 4 + 2 + 1 + 4 + 5 + 2 * LINE_CLASSES;

pub(super) type Features = [i32; FEATURES];

/// The position that a move is made in.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParentPosition<W> {
    pub(super) own: W,
    pub(super) opponent: W,
    pub(super) ply: i32,
    /// The rows of useful parity for the player: those on which a threat decides zugzwang for him
    /// (Allis: odd threats of the first player, even threats of the second).
    pub(super) useful: W,
}

/// The position that a move leads to once forced moves are played.
pub(super) struct ReachedPosition<W> {
    /// The discs of the side to move there, and of the other.
    pub(super) discs: (W, W),
    pub(super) ply: i32,
    /// The moves there that do not lose at once.
    pub(super) safe: W,
    /// Whether the player who made the move is to move again.
    pub(super) mover_again: bool,
}

/// Ranks moves in the opening.
#[derive(Debug)]
pub(super) struct OpeningOrder<L: Layout> {
    board: BoardMasks<L>,
    lines: [(u32, L::W); 4],
    /// For W and B in the early opening, then for both later in the opening.
    weights: [Features; OPENING_SETS],
}

/// A set of cells in the form that is quickest to shift.
type Set<L> = <<L as Layout>::W as LaneWord>::Lane;

impl<L: Layout> OpeningOrder<L> {
    pub(super) fn new(board: &BoardMasks<L>, tuned: &TunedOrder) -> Self {
        Self { board: *board, lines: board.lines(), weights: tuned.opening() }
    }

    /// The ranker of the moves of a position.
    #[inline(always)]
    pub(super) fn ranker(
        &self,
        parent: ParentPosition<L::W>,
        history: HistoryWeights,
    ) -> OpeningRanker<'_, L> {
        let Self { board, lines, weights } = self;
        let player = (parent.ply % 2) as usize;
        let is_early = board.count - parent.ply > EARLY_OPENING_MIN_EMPTY;
        let weights = &weights[if is_early { player } else { 2 + player }];
        let [own, opponent] = [parent.own, parent.opponent].map(Set::<L>::splat);
        let mut open_lines = [[own; 6]; 4];
        for (kinds, &(shift, starts)) in open_lines.iter_mut().zip(lines) {
            let starts = Set::<L>::splat(starts);
            let (own, opponent) =
                (DiscsPerLine::new(own, shift), DiscsPerLine::new(opponent, shift));
            let (free, theirs) = (starts & !opponent.any, starts & !own.any);
            *kinds = [
                free & !own.any,
                free & own.one,
                free & own.two,
                theirs & opponent.one,
                theirs & opponent.two,
                starts,
            ];
        }
        OpeningRanker { order: self, parent, weights, history, open_lines }
    }

    #[inline(always)]
    fn discs_per_line(&self, discs: L::W) -> [DiscsPerLine<Set<L>>; 4] {
        let [up, across, rising, falling] = &self.lines;
        let along = |line: &(u32, L::W)| DiscsPerLine::new(Set::<L>::splat(discs), line.0);
        [along(up), along(across), along(rising), along(falling)]
    }
}

/// Ranks the moves of one position.
pub(super) struct OpeningRanker<'a, L: Layout> {
    order: &'a OpeningOrder<L>,
    parent: ParentPosition<L::W>,
    weights: &'a Features,
    history: HistoryWeights,
    /// By direction, the start cells of the lines that hold 0, 1, 2 own discs and none of the
    /// opponent's; of those that hold 1, 2 of the opponent's and no own one; of all lines.
    open_lines: [[Set<L>; 6]; 4],
}

impl<L: Layout> Ranker<L::W> for OpeningRanker<'_, L> {
    #[inline(always)]
    fn history_weights(&self) -> HistoryWeights {
        self.history
    }

    #[inline(always)]
    fn rank(&self, mv: L::W, threats: L::W, reached: &ReachedPosition<L::W>) -> i32 {
        let features = self.features(mv, threats, reached);
        self.weights.iter().zip(&features).map(|(weight, feature)| weight * feature).sum()
    }
}

impl<L: Layout> OpeningRanker<'_, L> {
    #[inline(always)]
    fn features(&self, mv: L::W, threats: L::W, reached: &ReachedPosition<L::W>) -> Features {
        let (order, parent, board) = (self.order, &self.parent, &self.order.board);
        let mut features = [0; FEATURES];
        let mut at = 0;
        let mut put = |values: &[i32]| {
            features[at..at + values.len()].copy_from_slice(values);
            at += values.len();
        };

        put(&[count(threats), count(threats & parent.useful)]);
        let bit = mv.trailing_zeros();
        put(&one_hot::<6>(board.row_of(bit)));
        put(&one_hot::<4>((2 * board.column_of(bit)).abs_diff(board.width - 1) / 2));
        put(&self.lines_through(mv));

        let choices = count(reached.safe);
        put(&if reached.mover_again { [1, choices, 0] } else { [0, 0, choices] });
        put(&[reached.ply - parent.ply - 1]);
        let (mover, other) = reached.discs;
        let (white, black) = if reached.ply % 2 == 0 { (mover, other) } else { (other, mover) };
        let all = mover | other;
        let playable = board.playable(all);
        let white_threats = board.completing_one(white) & !all;
        let black_threats = board.completing_one(black) & !all;
        put(&[count(white_threats & board.odd), count(white_threats & board.even)]);

        let even_threats = black_threats & board.even & !playable;
        put(&[count(board.and_above(even_threats >> 1 & board.cells))]);
        let reach = (white | playable | (board.odd & !all)) & !board.and_above(even_threats);
        let white_lines = order.discs_per_line(white);
        let black_lines = order.discs_per_line(black);
        let within = self.lines_within(reach, &white_lines);
        put(&[within[1], within[2], within[3], within.iter().sum::<i32>().min(4)]);
        put(&self.odd_threat(white_threats, black, &black_lines, all, playable));
        let above = playable << 1;
        let white_near = white_threats & above;
        put(&self.line_classes(white, &white_lines, &black_lines, board.odd, white_near));
        let black_near = black_threats & above;
        put(&self.line_classes(black, &black_lines, &white_lines, board.even, black_near));
        features
    }

    /// How many lines through a cell there are of each kind of `open_lines`.
    #[inline(always)]
    fn lines_through(&self, cell: L::W) -> [i32; 6] {
        let mut found = [0; 6];
        for (kinds, (shift, _)) in self.open_lines.iter().zip(self.order.lines) {
            let through = line_starts_through(Set::<L>::splat(cell), shift);
            for (number, &kind) in found.iter_mut().zip(kinds) {
                *number += count_lines::<L>(through & kind);
            }
        }
        found
    }

    /// How many lines within a set of cells hold 0, 1, 2 and 3 of the discs.
    #[inline(always)]
    fn lines_within(&self, set: L::W, discs: &[DiscsPerLine<Set<L>>; 4]) -> [i32; 4] {
        let mut found = [0; 4];
        let set = Set::<L>::splat(set);
        for (held, (shift, starts)) in discs.iter().zip(self.order.lines) {
            let pairs = set & set >> shift;
            let fours = pairs & pairs >> shift >> shift & Set::<L>::splat(starts);
            found[0] += count_lines::<L>(fours & !held.any);
            found[1] += count_lines::<L>(fours & held.one);
            found[2] += count_lines::<L>(fours & held.two);
            found[3] += count_lines::<L>(fours & held.any & !held.one & !held.two);
        }
        found
    }

    /// If W has an odd threat that is not playable: 1, the lines in B's reach against it with 1, 2,
    /// 3 discs, and its row. Of several threats, the one that leaves B least.
    #[inline(always)]
    fn odd_threat(
        &self,
        threats: L::W,
        black: L::W,
        black_lines: &[DiscsPerLine<Set<L>>; 4],
        all: L::W,
        playable: L::W,
    ) -> [i32; 5] {
        let board = &self.order.board;
        let empties = board.cells & !all;
        let mut fewest = None;
        let mut candidates = threats & board.odd & !playable;
        while !candidates.is_zero() {
            let threat = candidates.lowest();
            let bit = threat.trailing_zeros();
            let column = board.column(board.column_of(bit));
            candidates &= !column;
            let others = threats & board.even & !column & !playable;
            let below = threat.wrapping_sub(L::W::ONE) & column;
            let reach =
                black | playable | (empties & board.odd & !column) | (empties & board.even & below);
            let [none, one, two, three] =
                self.lines_within(reach & !board.and_above(others), black_lines);
            let open = none + one + 2 * two + 4 * three;
            if fewest.is_none_or(|(lines, _)| open < lines) {
                fewest = Some((open, [1, one, two, three, board.row_of(bit) as i32]));
            }
        }
        fewest.map_or([0; 5], |(_, found)| found)
    }

    /// The [`LINE_CLASSES`] of a player, given his discs, the lines they and the opponent's lie on,
    /// the rows of useful parity and the threats to count.
    #[inline(always)]
    fn line_classes(
        &self,
        discs: L::W,
        held: &[DiscsPerLine<Set<L>>; 4],
        blocked: &[DiscsPerLine<Set<L>>; 4],
        useful: L::W,
        threats: L::W,
    ) -> [i32; LINE_CLASSES] {
        let lines = &self.order.lines;
        let open = |direction: usize| {
            let free = Set::<L>::splat(lines[direction].1) & !blocked[direction].any;
            (free & held[direction].two, free & held[direction].one)
        };
        let (up, across) = (open(0), open(1));
        let on_useful = Set::<L>::splat(discs & useful);
        let useful = Set::<L>::splat(useful);
        let count = count_lines::<L>;
        let mut found = [0; LINE_CLASSES];
        found[0] = count(up.0);
        found[1] = count(across.0 & useful);
        found[2] = count(across.0 & !useful);
        found[3] = count(across.1 & useful);
        found[4] = count(across.1 & !useful);
        for (direction, (shift, _)) in lines.iter().enumerate().skip(2) {
            let (two, one) = open(direction);
            let on_useful = DiscsPerLine::new(on_useful, *shift);
            found[5] += count(two & on_useful.two);
            found[6] += count(two & on_useful.one);
            found[7] += count(two & !on_useful.any);
            found[8] += count(one & on_useful.one);
            found[9] += count(one & !on_useful.any);
        }
        found[10] = threats.count_ones() as i32;
        found
    }
}

/// The lines of four along one direction, as a bitboard of their start cells, that hold exactly one
/// disc, exactly two, or any.
struct DiscsPerLine<S> {
    one: S,
    two: S,
    any: S,
}

impl<S> DiscsPerLine<S> {
    #[inline(always)]
    fn new<W>(discs: S, shift: u32) -> Self
    where
        S: Lanes<W>,
    {
        let next = discs >> shift;
        let (both, near) = (discs & next, discs | next);
        let one = near & !both;
        let (far_both, far) = (both >> shift >> shift, near >> shift >> shift);
        let far_one = far & !far_both;
        Self {
            one: (one & !far) | (far_one & !near),
            two: (one & far_one) | (both & !far) | (far_both & !near),
            any: near | far,
        }
    }
}

#[inline(always)]
fn count<W: Word>(set: W) -> i32 {
    set.count_ones() as i32
}

#[inline(always)]
fn count_lines<L: Layout>(starts: Set<L>) -> i32 {
    count(starts.union())
}

/// 1 at an index (at the last one if it is beyond), else 0.
#[inline(always)]
fn one_hot<const N: usize>(index: u32) -> [i32; N] {
    std::array::from_fn(|at| i32::from(at == (index as usize).min(N - 1)))
}
