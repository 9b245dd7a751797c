//! Observations: what was seen of one item, as the journal keeps it.

use serde::{Deserialize, Serialize};

/// What was seen of one item. Times are in microseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Observation {
    /// A game. Pairs are of the player and the opponent; in a replica, of the first player and the
    /// second.
    Game {
        /// 1 if the player won, -1 if the opponent did, 0 for a draw.
        result: i8,
        /// Moves of both sides, including the opening.
        turns: u32,
        /// Moves that each side chose.
        moves: [u32; 2],
        /// Positions visited.
        nodes: [u64; 2],
        /// Evaluator calls (in a replica, boards evaluated).
        evaluations: [u64; 2],
        /// Thinking time.
        time: [u64; 2],
        /// Moves into a full column.
        #[serde(default, skip_serializing_if = "is_zero")]
        invalid: u32,
        /// Immediate wins of the opponent that could have been blocked and were not.
        #[serde(default, skip_serializing_if = "is_zero")]
        unblocked: u32,
    },
    /// A search.
    Search {
        /// Positions visited.
        nodes: u64,
        /// Evaluator calls.
        evaluations: u64,
        /// Leaves at which the game had ended.
        ended: u64,
        /// All beta cut-offs, and those by the first move tried.
        cuts: [u64; 2],
        /// The value for the side to move.
        score: i32,
        /// True if the second player is to move.
        second: bool,
        /// The time of each repeat after the warm-up.
        time: Vec<f64>,
    },
    /// The counts of a ply.
    Ply {
        /// Distinct positions.
        positions: u64,
        /// Distinct positions at this ply and all plies before.
        positions_so_far: u64,
        /// Move sequences.
        sequences: u64,
        /// Columns to the power of the ply.
        bound: u64,
        /// Distinct positions up to symmetry.
        up_to_symmetry: u64,
        /// Sequences that end the game with their last move.
        finished: u64,
    },
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
