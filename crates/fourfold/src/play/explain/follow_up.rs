//! The follow-up strategy, played out against every defence.
//!
//! The follower wins if he can, blocks if he must, and otherwise plays right above the opponent's
//! last disc, so that the free cells of each column are used up in pairs. (Where a column has an
//! odd number of free cells he answers in another such column.) A cell below one of his own threats
//! is never his to play, so it is the opponent who runs out of other moves: zugzwang. See V. Allis,
//! "A Knowledge-based Approach of Connect-Four" (1988). `solver/bounds.rs` proves part of this
//! without search; here nothing is assumed: each of the opponent's moves is tried.

use crate::game::{Board, Geometry};
use std::collections::HashMap;

/// Positions with the opponent to move that are looked at before the attempt is given up.
const MOST_NODES: usize = 30_000;

/// What the follower gets by this strategy, whatever the opponent plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// The opponent does not win.
    Draw,
    /// The follower wins; this is the longest game.
    Win {
        /// The cell on which he wins.
        cell: u128,
        /// True if the opponent was not threatened before his last move: he had to move, and every
        /// cell that he could play lay below a threat.
        zugzwang: bool,
    },
}

/// What the side that moved last gets by following up; none if the opponent can win against that, or
/// it takes too long to find out.
pub(super) fn held(geometry: &Geometry<u128>, board: Board<u128>) -> Option<Held> {
    if !geometry.gravity() {
        return None;
    }
    let mut play = Play { geometry, known: HashMap::new() };
    match play.opponent(board)? {
        End::Lost => None,
        End::Draw => Some(Held::Draw),
        End::Win { cell, zugzwang, .. } => Some(Held::Win { cell, zugzwang }),
    }
}

/// The free cells that both sides fill before the one to move runs out of moves, if the other side
/// follows up: all but those from the cell below its lowest threat in each column upward.
pub(super) fn free_cells(geometry: &Geometry<u128>, board: Board<u128>) -> u32 {
    let columns = 0..geometry.rules().width();
    columns.map(|column| free_in(geometry, board.opponent(), board.all, column)).sum()
}

/// The same for one column and the follower's discs.
fn free_in(geometry: &Geometry<u128>, follower: u128, all: u128, column: u32) -> u32 {
    let empty = geometry.column(column) & !all;
    let threats = geometry.completing(follower) & empty;
    if threats == 0 {
        return empty.count_ones();
    }
    let below = empty & ((threats & threats.wrapping_neg()) - 1);
    below.count_ones().saturating_sub(1)
}

/// How a game ends for the follower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The strategy does not hold.
    Lost,
    Draw,
    Win {
        plies: u32,
        cell: u128,
        zugzwang: bool,
    },
}

impl End {
    /// Greater is better for the follower.
    fn rank(self) -> i32 {
        match self {
            Self::Lost => -1,
            Self::Draw => 0,
            Self::Win { plies, .. } => 1000 - plies as i32,
        }
    }

    /// The same, a move of each side earlier.
    fn earlier(self) -> Self {
        match self {
            Self::Win { plies, cell, zugzwang } => Self::Win { plies: plies + 2, cell, zugzwang },
            end => end,
        }
    }
}

struct Play<'a> {
    geometry: &'a Geometry<u128>,
    known: HashMap<Board<u128>, End>,
}

impl Play<'_> {
    /// The opponent, who is to move, tries everything. None if that takes too long.
    fn opponent(&mut self, board: Board<u128>) -> Option<End> {
        let geometry = self.geometry;
        if board.winning_moves(geometry) != 0 {
            return Some(End::Lost);
        }
        if let Some(&end) = self.known.get(&board) {
            return Some(end);
        }
        if self.known.len() >= MOST_NODES {
            return None;
        }
        let mut open = geometry.playable(board.all);
        let threatened = geometry.completing(board.opponent()) & open != 0;
        let mut worst = End::Draw;
        let mut first = true;
        while open != 0 {
            let mv = open & open.wrapping_neg();
            open ^= mv;
            let mut end = self.follower(board.play(mv), mv)?;
            if let End::Win { plies: 2, zugzwang, .. } = &mut end {
                *zugzwang = !threatened;
            }
            if first || end.rank() < worst.rank() {
                worst = end;
                first = false;
            }
            if worst == End::Lost {
                break;
            }
        }
        self.known.insert(board, worst);
        Some(worst)
    }

    /// The follower, who is to move, answers the disc `last`.
    fn follower(&mut self, board: Board<u128>, last: u128) -> Option<End> {
        let geometry = self.geometry;
        let wins = board.winning_moves(geometry);
        if wins != 0 {
            let cell = wins & wins.wrapping_neg();
            return Some(End::Win { plies: 2, cell, zugzwang: false });
        }
        let playable = geometry.playable(board.all);
        if playable == 0 {
            return Some(End::Draw);
        }
        let blocks = geometry.completing(board.opponent()) & playable;
        let mut answers = match blocks.count_ones() {
            0 => self.answers(board, last),
            1 => blocks,
            _ => 0,
        };
        let mut best = End::Lost;
        while answers != 0 {
            let mv = answers & answers.wrapping_neg();
            answers ^= mv;
            let end = self.opponent(board.play(mv))?.earlier();
            if end.rank() > best.rank() {
                best = end;
            }
        }
        Some(best)
    }

    /// The moves that leave an even number of free cells where there was an odd one: above the
    /// opponent's disc, else in another column.
    fn answers(&self, board: Board<u128>, last: u128) -> u128 {
        let geometry = self.geometry;
        let odd = |column: u32| !free_in(geometry, board.own, board.all, column).is_multiple_of(2);
        let column = last.trailing_zeros() / geometry.stride();
        let columns = if odd(column) {
            geometry.column(column)
        } else {
            (0..geometry.rules().width())
                .filter(|&column| odd(column))
                .fold(0, |columns, column| columns | geometry.column(column))
        };
        geometry.playable(board.all) & columns
    }
}
