//! How large a game is: move sequences, finished games and positions, ply by ply.
//!
//! [`count`] goes breadth first. A level holds one board for each class of boards that symmetries
//! take into each other, with the number of move sequences that reach the class; the next level
//! follows from it, so that no position is ever expanded twice. Finished games are counted and not
//! played on. `docs/counting.md` tells what each figure means and how far the method reaches.
//!
//! Levels live in memory, within a budget that the caller sets. Nothing is printed and no clock is
//! read here: progress goes to a callback, and a flag stops the work. The figures do not depend on
//! the number of threads.
//!
//! - `coding`: boards as small keys, one for each class
//! - `table`: the hash tables that levels are gathered in, and the account of their memory
//! - `level`: from one level to the next
//! - `sharing`: threads

mod coding;
mod level;
mod sharing;
mod table;

use super::Position;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// The figures of one ply. All of them count from the start position, which is ply 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PlyCount {
    /// Moves made since the start position.
    pub ply: u32,
    /// Ways to make this many moves: the nodes of the game tree at this depth.
    pub sequences: u128,
    /// Those after which the game is over (won or drawn) by the last of the moves.
    pub finished: u128,
    /// Different positions that those sequences reach, finished ones included.
    pub positions: u128,
    /// The same with positions that a symmetry takes into each other counted once. Only symmetries
    /// of the game that leave the start position as it is are used: all of them for the empty
    /// board.
    pub up_to_symmetry: u128,
    /// What `sequences` could be at most: see [`sequence_bound`]. `None` if it does not fit 128
    /// bits.
    pub bound: Option<u128>,
}

/// The figures of several plies added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Nodes of the game tree.
    pub sequences: u128,
    /// Finished games.
    pub finished: u128,
    /// Positions. No two plies share one, for each has its own number of discs.
    pub positions: u128,
    /// Positions up to symmetry.
    pub up_to_symmetry: u128,
    /// The bounds; `None` if their sum does not fit 128 bits.
    pub bound: Option<u128>,
}

/// What [`count`] found: plies 0, 1, 2, ... without a gap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Index `n` holds ply `n`.
    pub plies: Vec<PlyCount>,
}

impl Counts {
    /// All plies from `first` on, added up. From 0: the whole tree as far as it was counted; from
    /// 1: without its root.
    #[must_use]
    pub fn totals_from(&self, first: u32) -> Totals {
        let none = Totals { bound: Some(0), ..Totals::default() };
        self.plies.iter().filter(|row| row.ply >= first).fold(none, |sum, row| Totals {
            sequences: sum.sequences + row.sequences,
            finished: sum.finished + row.finished,
            positions: sum.positions + row.positions,
            up_to_symmetry: sum.up_to_symmetry + row.up_to_symmetry,
            bound: sum.bound.zip(row.bound).and_then(|(a, b)| a.checked_add(b)),
        })
    }
}

/// What [`count`] may use.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CountLimits<'a> {
    /// Threads to work with; 0 is taken as 1.
    pub threads: usize,
    /// Bytes that levels, tables and buffers may take together. The rest of the process is not in
    /// it.
    pub memory: u64,
    /// Set it to stop: the work ends within milliseconds.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for CountLimits<'_> {
    /// One thread, 1 GiB, nothing to stop it.
    fn default() -> Self {
        Self { threads: 1, memory: 1 << 30, stop: None }
    }
}

impl<'a> CountLimits<'a> {
    /// The same with another number of threads; 0 is taken as 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The same with another amount of memory, in bytes.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// The same with a flag that stops the work.
    #[must_use]
    pub fn with_stop(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }
}

/// How far the work on one ply is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountProgress {
    /// The ply that is being counted.
    pub ply: u32,
    /// What is being done for it.
    pub stage: Stage,
    /// Boards of the ply before that this stage has expanded, up to symmetry.
    pub done: u64,
    /// How many there are to expand.
    pub total: u64,
}

/// The parts of the work on one ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A sample is taken to learn how much memory the ply needs.
    Sampling,
    /// The ply is counted, in one pass or, to save memory, in several.
    Counting {
        /// From 1.
        pass: u32,
        /// How many there will be.
        passes: u32,
    },
}

/// Why the count ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The stop flag was set.
    #[error("stopped while ply {ply} was being counted")]
    Stopped {
        /// The ply that was being counted.
        ply: u32,
    },
    /// The ply cannot be counted within the memory allowed (mostly since the positions of the ply
    /// before, from which it follows, cannot be kept).
    #[error(
        "counting ply {ply} takes about {} of memory, and {} is allowed",
        Bytes(*.needed),
        Bytes(*.allowed)
    )]
    Memory {
        /// The first ply that was not counted.
        ply: u32,
        /// Bytes that it takes at least, about.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The system refused memory that the limit allows.
    #[error("the system refused {} of memory while ply {ply} was being counted", Bytes(*.bytes))]
    Allocation {
        /// The ply that was being counted.
        ply: u32,
        /// Bytes asked for.
        bytes: u64,
    },
    /// More than 2^64 - 1 sequences lead to one position.
    #[error("ply {ply} has a position that more than 2^64 - 1 move sequences lead to")]
    Overflow {
        /// The ply of that position.
        ply: u32,
    },
}

/// A count that ended early: the plies that were finished, and why there are no more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Interrupted {
    /// The plies that were counted in full.
    pub counts: Counts,
    /// Why it ended.
    pub reason: Reason,
}

/// Bytes for people.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1000 {
            return write!(f, "{} bytes", self.0);
        }
        let mut amount = self.0 as f64 / 1024.0;
        let mut unit = "KiB";
        for larger in ["MiB", "GiB"] {
            if amount >= 1000.0 {
                (amount, unit) = (amount / 1024.0, larger);
            }
        }
        write!(f, "{amount:.1} {unit}")
    }
}

/// At most how many sequences of `plies` moves there are if games did not end early, that is by a
/// win.
///
/// Under gravity c^n for c columns: full columns are not taken into account. Without gravity e
/// (e-1) (e-2) ... with n factors for e empty cells, which is exact but for wins. `None` if the
/// figure does not fit 128 bits.
#[must_use]
pub fn sequence_bound(start: &Position, plies: u32) -> Option<u128> {
    let rules = start.rules();
    if rules.gravity() {
        u128::from(rules.width()).checked_pow(plies)
    } else {
        (0..plies).try_fold(1u128, |product, made| {
            product.checked_mul(u128::from(start.empty().saturating_sub(made)))
        })
    }
}

/// Counts plies 0 to `plies` from `start`, or to the full board if that comes first.
///
/// The last ply is counted without keeping its positions, in several passes if they would not fit,
/// so it takes far less memory than going on from it would. When the positions of an earlier ply do
/// not fit, that ply is counted in the same way and the count ends there with [`Reason::Memory`].
///
/// ```
/// use fourfold::game::counting::{CountLimits, count};
/// use fourfold::game::{Position, Rules};
///
/// let counts = count(&Position::new(Rules::TIC_TAC_TOE), 9, &CountLimits::default(), |_| {})?;
/// assert_eq!(counts.plies[2].positions, 72);
/// let totals = counts.totals_from(0);
/// assert_eq!((totals.sequences, totals.finished), (549_946, 255_168));
/// assert_eq!((totals.positions, totals.up_to_symmetry), (5_478, 765));
/// # Ok::<(), fourfold::game::counting::Interrupted>(())
/// ```
///
/// # Errors
/// If it was stopped, memory ran out, or a number did. The error holds the plies that were
/// finished.
pub fn count(
    start: &Position,
    plies: u32,
    limits: &CountLimits<'_>,
    mut progress: impl FnMut(CountProgress),
) -> Result<Counts, Interrupted> {
    coding::count(start, plies.min(start.empty()), limits, &mut progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn bytes_are_shown_in_a_fitting_unit() {
        let shown =
            [0, 999, 1024, 1 << 20, 5 << 29, 24 << 30].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(shown, ["0 bytes", "999 bytes", "1.0 KiB", "1.0 MiB", "2.5 GiB", "24.0 GiB"]);
    }

    #[test]
    fn bounds_are_powers_or_falling_products() {
        let four = Position::new(Rules::CONNECT_FOUR);
        assert_eq!(sequence_bound(&four, 0), Some(1));
        assert_eq!(sequence_bound(&four, 9), Some(40_353_607));
        let cells = Position::new(Rules::TIC_TAC_TOE);
        assert_eq!((1..=9).map(|n| sequence_bound(&cells, n).unwrap()).sum::<u128>(), 986_409);
        assert_eq!(sequence_bound(&cells, 10), Some(0));
        assert_eq!(sequence_bound(&Position::new("6x6c6f".parse().unwrap()), 36), None);
    }
}
