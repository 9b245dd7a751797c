//! Grades: how well a player plays, counted over reviewed moves, by the phase of the game.

use super::{Findings, MoveReview};
use crate::game::Rules;
use crate::score::Verdict;
#[cfg(feature = "json")]
use serde::Serialize;
use std::ops::RangeInclusive;

/// A part of the game, by how full the board is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(Serialize), serde(rename_all = "lowercase"))]
pub enum Phase {
    /// Up to a third of the cells are filled.
    Begin,
    /// More than a third, up to two thirds.
    Middle,
    /// More than two thirds.
    End,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Begin, Self::Middle, Self::End];

    /// The phase of a position with this many discs.
    #[must_use]
    pub fn of(ply: u32, rules: &Rules) -> Self {
        Self::ALL.into_iter().find(|phase| phase.plies(rules).contains(&ply)).unwrap_or(Self::End)
    }

    /// How many discs its positions have.
    #[must_use]
    pub fn plies(self, rules: &Rules) -> RangeInclusive<u32> {
        let cells = rules.cells();
        let (third, two_thirds) = (cells / 3, 2 * cells / 3);
        match self {
            Self::Begin => 0..=third,
            Self::Middle => third + 1..=two_thirds,
            Self::End => two_thirds + 1..=cells - 1,
        }
    }

    /// `begin`, `middle` or `end`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// Moves, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Moves made.
    pub moves: u64,
    /// Moves that were judged.
    pub judged: u64,
    /// Judged moves at which some legal move would have thrown a win or a draw away.
    pub choices: u64,
    /// How many of those choices kept the outcome.
    pub kept: u64,
    /// For each move that kept a win or could not help a loss, where another such move would have
    /// been slower or quicker: how many plies later than need be it wins, or sooner it loses.
    pub lost: Vec<u32>,
}

impl Tally {
    fn add(&mut self, found: Option<&Findings>) {
        self.moves += 1;
        let Some(found) = found else { return };
        self.judged += 1;
        let keeps = |score: i32| score.signum() == found.best_score.signum();
        let kept = keeps(found.played_score);
        if found.columns.iter().any(|column| !keeps(column.score)) {
            self.choices += 1;
            self.kept += u64::from(kept);
        }
        let mut keeping =
            found.columns.iter().filter(|column| keeps(column.score)).map(|column| column.verdict);
        let timed = found.best_score != 0 && keeping.any(|verdict| verdict != found.best);
        if let (true, true, Some(best), Some(played)) =
            (kept, timed, plies(found.best), plies(found.played))
        {
            self.lost.push(best.abs_diff(played));
        }
    }

    fn extend(&mut self, other: &Self) {
        self.moves += other.moves;
        self.judged += other.judged;
        self.choices += other.choices;
        self.kept += other.kept;
        self.lost.extend(&other.lost);
    }
}

fn plies(verdict: Verdict) -> Option<u32> {
    match verdict {
        Verdict::Win { plies } | Verdict::Loss { plies } => plies,
        Verdict::Draw | Verdict::Estimate(_) => None,
    }
}

/// Somebody's moves, counted by phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grade {
    /// One for each of [`Phase::ALL`].
    pub phases: [Tally; 3],
}

impl Grade {
    /// Counts a move.
    pub fn add(&mut self, rules: &Rules, reviewed: &MoveReview) {
        self.phases[Phase::of(reviewed.ply, rules) as usize].add(reviewed.found.as_ref());
    }

    /// Counts what another has counted.
    pub fn extend(&mut self, other: &Self) {
        for (tally, other) in self.phases.iter_mut().zip(&other.phases) {
            tally.extend(other);
        }
    }

    /// All phases together.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.phases.iter().for_each(|tally| total.extend(tally));
        total
    }
}
