//! Which null windows are searched for a score, in which order, and for how many nodes each.
//!
//! Nothing is lost when a search is paused: what was proven by then stays in the transposition table.

use super::ideas::{Idea, Ideas};
#[cfg(doc)]
use super::null_window::Effort;
use super::parallel::ScoreWindow;
use crate::game::Position;

/// Null windows to search, and for how many nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage {
    pub(super) choice: WindowChoice,
    pub(super) nodes: u64,
    /// See [`Effort::discrepancies`].
    pub(super) discrepancies: Option<u8>,
}

impl Stage {
    const fn full(choice: WindowChoice, nodes: u64) -> Self {
        Self { choice, nodes, discrepancies: None }
    }

    /// Asks for the winner, and lets the defender do anything but answer on top so often.
    const fn limited(discrepancies: u8, nodes: u64) -> Self {
        Self { choice: WindowChoice::Winner, nodes, discrepancies: Some(discrepancies) }
    }
}

/// Which null windows to search early in the game, and for how many nodes each. Near wins first, so
/// that easy positions take microseconds; then the winner; and near wins once more, for the few
/// positions with a near win that is hard to find.
const EARLY_SCHEDULE: [Stage; 5] = [
    Stage::full(WindowChoice::BothEnds, 500),
    Stage::full(WindowChoice::NearWins, 1000),
    Stage::full(WindowChoice::Winner, 100_000),
    Stage::full(WindowChoice::NearWins, 4000),
    Stage::full(WindowChoice::Winner, u64::MAX),
];

/// The same for games with limited searches. They take turns with full ones, each round for ten
/// times the nodes. One that ends without an answer takes none in later rounds.
const LIMITED_SCHEDULE: [Stage; 27] = [
    Stage::full(WindowChoice::BothEnds, 500),
    Stage::full(WindowChoice::NearWins, 1000),
    Stage::limited(0, 10_000),
    Stage::full(WindowChoice::Winner, 10_000),
    Stage::limited(0, 100_000),
    Stage::limited(1, 100_000),
    Stage::full(WindowChoice::Winner, 100_000),
    Stage::full(WindowChoice::NearWins, 4000),
    Stage::limited(1, 1_000_000),
    Stage::limited(2, 1_000_000),
    Stage::full(WindowChoice::Winner, 1_000_000),
    Stage::limited(1, 10_000_000),
    Stage::limited(2, 10_000_000),
    Stage::limited(3, 10_000_000),
    Stage::full(WindowChoice::Winner, 10_000_000),
    Stage::limited(1, 100_000_000),
    Stage::limited(2, 100_000_000),
    Stage::limited(3, 100_000_000),
    Stage::limited(4, 100_000_000),
    Stage::full(WindowChoice::Winner, 100_000_000),
    Stage::limited(1, 1_000_000_000),
    Stage::limited(2, 1_000_000_000),
    Stage::limited(3, 1_000_000_000),
    Stage::limited(4, 1_000_000_000),
    Stage::limited(5, 1_000_000_000),
    Stage::limited(6, 1_000_000_000),
    Stage::full(WindowChoice::Winner, u64::MAX),
];

/// The same late in the game, when a full search takes little longer than the detours.
const LATE_SCHEDULE: [Stage; 2] =
    [Stage::full(WindowChoice::BothEnds, 250), Stage::full(WindowChoice::Winner, u64::MAX)];

/// The same without near wins.
const WINNER_SCHEDULE: [Stage; 1] = [Stage::full(WindowChoice::Winner, u64::MAX)];

/// Positions with at least this many empty cells are early.
const EARLY_MIN_EMPTY: u32 = 28;

/// How to choose the next null window within the window that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WindowChoice {
    /// The upper and the lower end in turn: the soonest possible win of either side or, once the
    /// winner is known, his soonest and latest win.
    BothEnds,
    /// The soonest possible win, of both sides in turn while either may win. A search is paused
    /// after half of its nodes, so that the other side gets its turn.
    NearWins,
    /// Zero, then outward from there.
    Winner,
}

/// The null windows to search at a position.
pub(super) fn stages(position: &Position, ideas: Ideas, limits: bool) -> &'static [Stage] {
    if !ideas.has(Idea::NearWins) {
        &WINNER_SCHEDULE
    } else if position.empty() >= EARLY_MIN_EMPTY && limits {
        &LIMITED_SCHEDULE
    } else if position.empty() >= EARLY_MIN_EMPTY {
        &EARLY_SCHEDULE
    } else {
        &LATE_SCHEDULE
    }
}

/// The null window to search next within a window. `at_upper` tells at which end the last one was.
pub(super) fn choose_alpha(choice: WindowChoice, window: ScoreWindow, at_upper: &mut bool) -> i32 {
    let ScoreWindow { lower, upper } = window;
    match choice {
        WindowChoice::BothEnds | WindowChoice::NearWins => {
            *at_upper = match choice {
                WindowChoice::NearWins if lower >= 0 => true,
                WindowChoice::NearWins if upper <= 0 => false,
                _ => !*at_upper,
            };
            if *at_upper { upper - 1 } else { lower }
        }
        WindowChoice::Winner if lower <= 0 && upper > 0 => 0,
        WindowChoice::Winner if lower < 0 && upper >= 0 => -1,
        WindowChoice::Winner if lower > 0 => lower,
        WindowChoice::Winner => upper - 1,
    }
}
