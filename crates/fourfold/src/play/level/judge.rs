//! What a move looks like at a glance: the possible wins it builds and blocks.
//!
//! Only windows (possible wins) through the cell of the move count. An own one counts by the discs
//! it lacks after the move, one of the opponent's by the discs it lacked before. That also is why
//! the centre is liked: more windows pass through it. Whether a move wins or loses at once is not
//! judged here but seen, or not, by a look ahead. The weights are the level's own, so that changes
//! of the evaluators do not move the ladder.

use super::Skill;
use crate::game::{Board, Geometry, Move, Position, Rules};
use crate::random::Random;

/// What a player likes: weights in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Style {
    /// For an own window that after the move lacks at most one disc, two discs, three and more.
    pub build: [i32; 3],
    /// For a window of the opponent's that lacked at most one disc, two discs, three and more.
    pub block: [i32; 3],
    /// For each step towards the centre.
    pub centre: i32,
    /// How much windows of each kind count, in percent.
    pub upright: i32,
    /// The same for windows that lie flat (and for squares).
    pub flat: i32,
    /// The same for diagonals.
    pub diagonal: i32,
    /// For each cell that would complete a window but cannot be played yet.
    pub wait: i32,
    /// True if diagonals are seen as well as other lines.
    pub sees_diagonals: bool,
    /// True if, of equal moves, the one is played after which the opponent errs most easily.
    pub tricky: bool,
}

impl Style {
    /// What all levels like.
    pub const PLAIN: Self = Self {
        build: [24, 8, 3],
        block: [20, 7, 2],
        centre: 2,
        upright: 100,
        flat: 100,
        diagonal: 100,
        wait: 6,
        sees_diagonals: false,
        tricky: false,
    };
}

/// How a window lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    Upright,
    Flat,
    Diagonal,
}

#[derive(Debug, Clone, Copy)]
struct Window {
    cells: u128,
    lie: Lie,
    /// True if discs fall and it lies in the upper half of the board.
    high: bool,
}

/// Judges moves of one game.
#[derive(Debug)]
pub(super) struct Judge {
    geometry: Geometry<u128>,
    windows: Vec<Window>,
    /// Cells of a window.
    size: u32,
}

/// Diagonals are left out of account more often than other windows, by this many percent.
const DIAGONAL_DROP: u32 = 150;

/// How much further away a line seems than it is, in percent of its distance.
const DIAGONAL_EFFORT: u32 = 35;
const HIGH_EFFORT: u32 = 10;

impl Judge {
    pub(super) fn new(rules: &Rules) -> Self {
        let geometry = Geometry::<u128>::new(rules);
        let upper: u128 = (0..rules.width())
            .map(|column| {
                let cells = geometry.column(column);
                cells & cells << (rules.height() / 2)
            })
            .fold(0, |all, cells| all | cells);
        let mut windows = Vec::new();
        for direction in geometry.directions() {
            let lie = match direction.shift {
                1 => Lie::Upright,
                shift if geometry.squares() || shift == geometry.stride() => Lie::Flat,
                _ => Lie::Diagonal,
            };
            for anchor in (0..128).filter(|bit| direction.anchors >> bit & 1 == 1) {
                let cells = geometry
                    .offsets(direction)
                    .fold(0, |cells, offset| cells | 1u128 << (anchor + offset));
                let high = rules.gravity() && cells & !upper == 0;
                windows.push(Window { cells, lie, high });
            }
        }
        Self { geometry, windows, size: rules.shape().cells() }
    }

    /// Every legal move and what it looks like to somebody of this skill and style.
    pub(super) fn glances(
        &self,
        position: &Position,
        skill: &Skill,
        style: &Style,
        random: &mut Random,
    ) -> Vec<(Move, i32)> {
        let dropped = |lie, random: &mut Random| {
            let drop = if lie == Lie::Diagonal && !style.sees_diagonals {
                skill.drop * DIAGONAL_DROP / 100
            } else {
                skill.drop
            };
            (random.below(1000) as u32) < drop
        };
        let kept: Vec<&Window> =
            self.windows.iter().filter(|window| !dropped(window.lie, random)).collect();
        let moves = position.legal_moves();
        moves
            .into_iter()
            .map(|mv| (mv, self.glance(position, mv, &kept, style) + noise(skill.noise, random)))
            .collect()
    }

    fn glance(&self, position: &Position, mv: Move, kept: &[&Window], style: &Style) -> i32 {
        let rules = position.rules();
        let board = Board::<u128>::of(position);
        let (cell, other) = (1u128 << mv.bit(), board.opponent());
        let own = board.own | cell;
        let mut sum = 0;
        for window in kept.iter().filter(|window| window.cells & cell != 0) {
            let (mine, theirs) = (window.cells & own, window.cells & other);
            let mut points = 0;
            if theirs == 0 {
                points += style.build[kind(self.size - mine.count_ones())];
            } else if mine == cell {
                points += style.block[kind(self.size - theirs.count_ones())];
            }
            let percent = match window.lie {
                Lie::Upright => style.upright,
                Lie::Flat => style.flat,
                Lie::Diagonal => style.diagonal,
            };
            sum += points * percent / 100;
        }
        let all = board.all | cell;
        let waiting = self.geometry.completing(own) & !all & !self.geometry.playable(all);
        let widest = rules.width() + if rules.gravity() { 0 } else { rules.height() };
        let inward = (widest.saturating_sub(mv.off_centre(rules)) / 2) as i32;
        sum + style.centre * inward + style.wait * waiting.count_ones().min(4) as i32
    }

    /// How hard it is to see that a disc on `cell` completes a window of `own`, in percent of the
    /// distance; the easiest of several. None if it completes nothing.
    pub(super) fn effort_of_line(&self, own: u128, cell: u128, style: &Style) -> Option<u32> {
        let completed = self
            .windows
            .iter()
            .filter(|window| window.cells & cell != 0 && window.cells & !(own | cell) == 0);
        completed
            .map(|window| {
                let slanted = window.lie == Lie::Diagonal && !style.sees_diagonals;
                100 + if slanted { DIAGONAL_EFFORT } else { 0 }
                    + if window.high { HIGH_EFFORT } else { 0 }
            })
            .min()
    }
}

/// Which weight is for a window that lacks so many discs.
fn kind(lacking: u32) -> usize {
    lacking.saturating_sub(1).min(2) as usize
}

/// Noise of this standard deviation: the sum of three even numbers, nearly normal.
fn noise(deviation: u32, random: &mut Random) -> i32 {
    let range = 2 * deviation as usize + 1;
    (0..3).map(|_| random.below(range) as i32).sum::<i32>() - 3 * deviation as i32
}
