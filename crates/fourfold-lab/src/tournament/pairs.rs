//! Games of a match put together in pairs, as they come: what a match and a tournament count by.

use super::{Pentanomial, Sprt, SprtState};
use fourfold::play::{Match, Record, Winner};

/// The pairs of a match while it is played, and its test, if it has one. Games come in the order of
/// their numbers; one whose other half never comes does not count.
#[derive(Debug, Clone)]
pub struct Pairs {
    test: Option<Sprt>,
    counts: Pentanomial,
    /// The first game of a pair until the second is there: its number, the first player's half
    /// points, and whether the game is new.
    half: Option<(u64, u8, bool)>,
}

impl Pairs {
    /// None yet.
    #[must_use]
    pub fn new(test: Option<Sprt>) -> Self {
        Self { test, counts: Pentanomial::default(), half: None }
    }

    /// Adds game `index` (from 0). If that completes a pair, the half points of the match's first
    /// player in it are returned; a pair counts only if one of its games is `new`.
    pub fn add(
        &mut self,
        contest: &Match,
        index: u64,
        record: &Record,
        is_new: bool,
    ) -> Option<CountedPair> {
        let points = match (record.result, contest.is_swapped(index)) {
            (Some(Winner::First), false) | (Some(Winner::Second), true) => 2,
            (Some(Winner::Draw), _) => 1,
            _ => 0,
        };
        match self.half.take() {
            Some((before, half_points, was_new)) if before / 2 == index / 2 => {
                let (round, half_points) = (index / 2, half_points + points);
                let counts = is_new || was_new;
                if counts {
                    self.counts.add(half_points);
                }
                Some(CountedPair { round, half_points, counts })
            }
            _ => {
                self.half = Some((index, points, is_new));
                None
            }
        }
    }

    /// The pairs that count so far.
    #[must_use]
    pub fn counts(&self) -> Pentanomial {
        self.counts
    }

    /// How the test stands; none if there is no test.
    #[must_use]
    pub fn state(&self) -> Option<SprtState> {
        self.test.map(|test| test.state(&self.counts))
    }
}

/// A pair that is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountedPair {
    /// Its round, from 0.
    pub round: u64,
    /// What the first player made of it, from 0 to 4.
    pub half_points: u8,
    /// Whether it counts: it was not the same two games as an earlier one.
    pub counts: bool,
}
