//! A series of threats: the opponent must answer each of them, and the last move makes two at once.
//!
//! The answers are forced, so this is found by trying the attacker's threats alone.

use crate::game::{Board, Geometry};

/// Moves tried before a search gives up, for all that is asked about one position.
pub(super) const MOST_NODES: u32 = 20_000;
/// Moves of the attacker in the longest series.
const LONGEST: u32 = 8;

/// A series of threats that wins.
pub(super) struct Series {
    /// The moves of both sides, as bits: the attacker's first and last.
    pub(super) moves: Vec<u128>,
    /// Cells on which the attacker wins next: only one of them can be blocked, or the second opens
    /// when the first is.
    pub(super) cells: u128,
}

/// The shortest series of threats by the side to move that begins with one of the cells `first`.
/// The side to move must not be able to win at once. At most `nodes` moves are tried; what is left
/// of them is left for the next question.
pub(super) fn series(
    geometry: &Geometry<u128>,
    board: Board<u128>,
    first: u128,
    nodes: &mut u32,
) -> Option<Series> {
    let mut hunt = Hunt { geometry, nodes };
    (1..=LONGEST).find_map(|longest| hunt.search(board, first, longest))
}

/// Two threats of the side that moved last that the side to move cannot both stop. None if the side
/// to move can win at once.
pub(super) fn two_threats(geometry: &Geometry<u128>, board: Board<u128>) -> Option<u128> {
    if board.winning_moves(geometry) != 0 {
        return None;
    }
    let wins = geometry.completing(board.opponent()) & geometry.playable(board.all);
    match wins.count_ones() {
        0 => None,
        1 => {
            // Blocking the only threat may open the cell of another.
            let next = board.play(wins).winning_moves(geometry);
            (next != 0).then_some(wins | next)
        }
        _ => Some(wins),
    }
}

struct Hunt<'a> {
    geometry: &'a Geometry<u128>,
    nodes: &'a mut u32,
}

impl Hunt<'_> {
    /// A series of at most so many moves of the attacker, who is to move and cannot win at once.
    fn search(&mut self, board: Board<u128>, first: u128, longest: u32) -> Option<Series> {
        let geometry = self.geometry;
        let playable = geometry.playable(board.all);
        let blocks = geometry.completing(board.opponent()) & playable;
        let mut open = playable & first;
        if blocks != 0 {
            open &= if blocks.is_power_of_two() { blocks } else { 0 };
        }
        while open != 0 {
            let mv = open & open.wrapping_neg();
            open ^= mv;
            *self.nodes = self.nodes.checked_sub(1)?;
            let after = board.play(mv);
            if let Some(cells) = two_threats(geometry, after) {
                return Some(Series { moves: vec![mv], cells });
            }
            let threat = geometry.completing(after.opponent()) & geometry.playable(after.all);
            if longest == 1 || !threat.is_power_of_two() || after.winning_moves(geometry) != 0 {
                continue;
            }
            if let Some(rest) = self.search(after.play(threat), !0, longest - 1) {
                let moves = [mv, threat].into_iter().chain(rest.moves).collect();
                return Some(Series { moves, cells: rest.cells });
            }
        }
        None
    }
}
