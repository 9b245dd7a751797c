//! Which move to try first in the opening, where few nodes lie and a wrong first move costs most.
//!
//! So there is time for a closer look there: not only at the cell, but at the position that the
//! move leads to once forced moves are played out. How much is in it for either side is counted in
//! lines, by how many discs they hold and whether the cells that are missing lie on the rows that
//! suit the owner, and in lines that the static bounds' strategies leave open. The weights were
//! fitted to what moves cost in real searches (see `docs/solver.md`).

use super::field::Field;
use super::layout::Layout;
use super::order::through;
use crate::game::Word;

/// While the board has more empty cells than this, the opening's order holds.
pub(super) const OPENING: i32 = 24;

/// While it has more than this, the early opening's weights.
const EARLY: i32 = 28;

/// Lines of one player that the other does not block, counted in these classes: those with two
/// discs upward, across on a row that suits the player, across on another; across with one disc,
/// both kinds; diagonal ones with two discs that lack no, one or two cells on rows that suit;
/// diagonal ones with one disc that lack one such cell, or two; then the player's threats
/// right above a playable cell.
const CLASSES: usize = 11;

/// The features of a move, in this order.
///
/// Of the move: the genuine threats after it; those on rows that suit the player; its row (the
/// lowest six) and its distance from the centre (four), one of each set; the lines through the cell
/// that are open to the player with 0, 1, 2 discs and to the opponent with 1, 2; all lines through
/// the cell.
///
/// Of the position that it leads to: is the player to move again, and among how many moves, else
/// among how many the opponent chooses; how many moves were forced; W's threats on odd and on even
/// rows; the cells from below B's even threats upward; the lines in W's reach if B follows up, with
/// 1, 2, 3 of W's discs, and their number up to four; has W an odd threat, the lines in B's reach
/// beside it with 1, 2, 3 of B's discs, and its row; the classes of W's lines, then of B's.
const FEATURES: usize = 2 + 6 + 4 + 5 + 1 + 4 + 2 + 1 + 4 + 5 + 2 * CLASSES;

type Features = [i32; FEATURES];

/// For W and B in the early opening, then for both in the later one.
const WEIGHTS: [Features; 4] = [
    [
        93, 75, -37, 69, 9, 238, -166, -299, 223, 126, -17, -224, 36, 68, 159, 33, 108, -84, 161,
        39, -21, 5, 275, 59, -28, 26, 101, 207, 42, 129, -49, -137, 105, -85, 116, 125, 80, 39, 48,
        141, 86, 15, 71, 16, 47, 76, -61, -85, -53, -33, -81, -38, 17, -30, -40, 45,
    ],
    [
        138, -128, -7, 37, 56, 149, -205, -119, 85, 67, 47, -130, 22, 66, 22, 31, 109, -13, 251, 7,
        -33, 143, 554, -136, 65, -33, -46, -424, -18, -415, -129, 156, 273, -111, 151, -139, -6,
        -106, 5, 17, -57, -235, -11, -11, -8, 99, 155, 101, 22, 94, 10, 57, 54, 47, 19, 122,
    ],
    [
        120, 62, -50, -26, 14, 95, 24, -17, 134, 68, -3, -106, 16, 30, -18, 45, 64, -23, 72, -15,
        -64, 108, 13, 116, 4, -2, 72, -10, 25, 404, -38, -58, -180, -28, 119, 38, 42, 26, -5, 54,
        64, 16, 14, 15, 127, 56, 6, -41, 32, -12, -20, -8, 10, 21, 8, -70,
    ],
    [
        180, -12, -50, -4, 22, 94, -2, -8, 116, 58, 17, -104, 8, 28, -14, 12, 69, -8, 62, -38, -88,
        52, 12, -12, 16, -15, -50, -68, -47, -102, -36, 50, 77, -28, 57, -56, 20, -35, 6, -10, 10,
        -19, -24, -24, -26, 110, 72, 0, -6, 3, 22, 62, 98, 16, 30, 168,
    ],
];

/// The position that a move is made in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before<W> {
    pub(super) own: W,
    pub(super) opponent: W,
    pub(super) ply: i32,
    /// The rows that suit the player.
    pub(super) useful: W,
}

/// The position that a move leads to when forced moves are played out.
pub(super) struct Reached<W> {
    /// The discs of the side to move there, and of the other.
    pub(super) discs: (W, W),
    pub(super) ply: i32,
    /// The moves there that do not lose at once.
    pub(super) safe: W,
    /// Is it the turn of the player who made the move?
    pub(super) again: bool,
}

/// What the order in the opening needs to know of a board.
#[derive(Debug)]
pub(super) struct Opening<L: Layout> {
    field: Field<L>,
    lines: [(u32, L::W); 4],
}

impl<L: Layout> Opening<L> {
    pub(super) fn new(field: &Field<L>) -> Self {
        Self { field: *field, lines: field.lines() }
    }

    /// How early to try a move (higher is earlier), given the genuine threats after it.
    #[cold]
    #[inline(never)]
    pub(super) fn rank(
        &self,
        before: &Before<L::W>,
        mv: L::W,
        threats: L::W,
        reached: &Reached<L::W>,
    ) -> i32 {
        let player = (before.ply % 2) as usize;
        let set = if self.field.count - before.ply > EARLY { player } else { 2 + player };
        let features = self.features(before, mv, threats, reached);
        WEIGHTS[set].iter().zip(&features).map(|(weight, feature)| weight * feature).sum()
    }

    fn features(
        &self,
        before: &Before<L::W>,
        mv: L::W,
        threats: L::W,
        reached: &Reached<L::W>,
    ) -> Features {
        let field = &self.field;
        let mut features = [0; FEATURES];
        let mut at = 0;
        let mut put = |values: &[i32]| {
            features[at..at + values.len()].copy_from_slice(values);
            at += values.len();
        };

        put(&[count(threats), count(threats & before.useful)]);
        let bit = mv.trailing_zeros();
        put(&one_of::<6>(field.row_of(bit)));
        put(&one_of::<4>((2 * field.column_of(bit)).abs_diff(field.width - 1) / 2));
        let [own, opponent] = self.lines_through(mv, before);
        let all_lines =
            self.lines.iter().map(|&(shift, starts)| count(through(mv, shift) & starts)).sum();
        put(&[own[0], own[1], own[2], opponent[1], opponent[2], all_lines]);

        let choices = count(reached.safe);
        put(&if reached.again { [1, choices, 0] } else { [0, 0, choices] });
        put(&[reached.ply - before.ply - 1]);
        let (mover, other) = reached.discs;
        let (white, black) = if reached.ply % 2 == 0 { (mover, other) } else { (other, mover) };
        let all = mover | other;
        let playable = field.playable(all);
        let white_threats = field.completing(white) & !all;
        let black_threats = field.completing(black) & !all;
        put(&[count(white_threats & field.odd), count(white_threats & field.even)]);

        let ends = black_threats & field.even & !playable;
        put(&[count(field.and_above(ends >> 1 & field.cells))]);
        let reach = (white | playable | (field.odd & !all)) & !field.and_above(ends);
        let within = self.lines_within(reach, white);
        put(&[within[1], within[2], within[3], within.iter().sum::<i32>().min(4)]);
        put(&self.beside_odd_threat(white_threats, black, all, playable));
        put(&self.classes(white, black, field.odd, white_threats & playable << 1));
        put(&self.classes(black, white, field.even, black_threats & playable << 1));
        features
    }

    /// How many lines through a cell hold 0, 1, 2 own discs and none of the opponent's; then the
    /// other way round.
    fn lines_through(&self, cell: L::W, before: &Before<L::W>) -> [[i32; 3]; 2] {
        let mut found = [[0; 3]; 2];
        for &(shift, starts) in &self.lines {
            let through = through(cell, shift) & starts;
            let (own, opponent) = (Held::new(before.own, shift), Held::new(before.opponent, shift));
            for (counts, (mine, theirs)) in
                found.iter_mut().zip([(&own, &opponent), (&opponent, &own)])
            {
                let free = through & !theirs.any;
                for (number, set) in counts.iter_mut().zip([!mine.any, mine.one, mine.two]) {
                    *number += count(free & set);
                }
            }
        }
        found
    }

    /// Of the lines within a set of cells: how many hold 0, 1, 2 and 3 of the discs.
    fn lines_within(&self, set: L::W, discs: L::W) -> [i32; 4] {
        let mut found = [0; 4];
        for &(shift, starts) in &self.lines {
            let pairs = set & set >> shift;
            let fours = pairs & pairs >> (2 * shift) & starts;
            let held = Held::new(discs, shift);
            found[0] += count(fours & !held.any);
            found[1] += count(fours & held.one);
            found[2] += count(fours & held.two);
            found[3] += count(fours & held.any & !held.one & !held.two);
        }
        found
    }

    /// If W has an odd threat that is not playable: 1, the lines with 1, 2, 3 discs in B's reach
    /// while W waits for it, and its row. Of several threats, the one that leaves B least.
    fn beside_odd_threat(&self, threats: L::W, black: L::W, all: L::W, playable: L::W) -> [i32; 5] {
        let field = &self.field;
        let empties = field.cells & !all;
        let mut least = None;
        let mut candidates = threats & field.odd & !playable;
        while !candidates.is_zero() {
            let threat = candidates.lowest();
            let bit = threat.trailing_zeros();
            let column = field.column(field.column_of(bit));
            candidates &= !column;
            let others = threats & field.even & !column & !playable;
            let below = threat.wrapping_sub(L::W::ONE) & column;
            let reach =
                black | playable | (empties & field.odd & !column) | (empties & field.even & below);
            let [none, one, two, three] =
                self.lines_within(reach & !field.and_above(others), black);
            let open = none + one + 2 * two + 4 * three;
            if least.is_none_or(|(fewest, _)| open < fewest) {
                least = Some((open, [1, one, two, three, field.row_of(bit) as i32]));
            }
        }
        least.map_or([0; 5], |(_, found)| found)
    }

    /// The [`CLASSES`] of a player's lines, given the rows that suit and the threats to count.
    fn classes(&self, discs: L::W, foe: L::W, good: L::W, threats: L::W) -> [i32; CLASSES] {
        let [up, across, rising, falling] = self.lines.map(|(shift, starts)| {
            let held = Held::new(discs, shift);
            let free = starts & !Held::new(foe, shift).any;
            (free & held.two, free & held.one, Held::new(discs & good, shift))
        });
        let mut found = [0; CLASSES];
        found[0] = count(up.0);
        found[1] = count(across.0 & good);
        found[2] = count(across.0 & !good);
        found[3] = count(across.1 & good);
        found[4] = count(across.1 & !good);
        for (two, one, on_good) in [rising, falling] {
            found[5] += count(two & on_good.two);
            found[6] += count(two & on_good.one);
            found[7] += count(two & !on_good.any);
            found[8] += count(one & on_good.one);
            found[9] += count(one & !on_good.any);
        }
        found[10] = count(threats);
        found
    }
}

/// For each line of four (bit by its start): does it hold exactly one disc, two, or any?
struct Held<W> {
    one: W,
    two: W,
    any: W,
}

impl<W: Word> Held<W> {
    fn new(discs: W, shift: u32) -> Self {
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

fn count<W: Word>(set: W) -> i32 {
    set.count_ones() as i32
}

/// 1 at an index (the last one if it is beyond), else 0.
fn one_of<const N: usize>(index: u32) -> [i32; N] {
    std::array::from_fn(|at| i32::from(at == (index as usize).min(N - 1)))
}
