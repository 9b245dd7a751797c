//! What a puzzle is about. Each theme is defined so that a program can check it.

use crate::game::{Move, Outcome, Position};
use std::fmt;
use std::str::FromStr;

/// What a puzzle is about. Every puzzle has one of the first five themes; some are about zugzwang
/// as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// A win in two moves: the first makes sure of it.
    Win2,
    /// A win in three moves. The first two are the only ones that win, against the toughest reply.
    Win3,
    /// A win in four moves. The first three are the only ones that win, against the toughest
    /// replies.
    Win4,
    /// A win that takes longer, or whose later moves leave a choice; one move keeps it.
    OnlyMove,
    /// One move keeps the draw, and every other loses.
    Defend,
    /// The result rests on who has to move. A win: in the line of best play the loser comes to a
    /// position in which nothing is threatened, and yet every move loses at once
    /// ([`ends_in_zugzwang`]). A draw: every other move loses in that way.
    Zugzwang,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 6] =
        [Self::Win2, Self::Win3, Self::Win4, Self::OnlyMove, Self::Defend, Self::Zugzwang];

    /// Its name in options, parameters and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Win2 => "win2",
            Self::Win3 => "win3",
            Self::Win4 => "win4",
            Self::OnlyMove => "only-move",
            Self::Defend => "defend",
            Self::Zugzwang => "zugzwang",
        }
    }

    /// The theme of a win in so many moves, all of which are asked for.
    pub(super) fn of_win(moves: usize) -> Self {
        match moves {
            2 => Self::Win2,
            3 => Self::Win3,
            4 => Self::Win4,
            _ => Self::OnlyMove,
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no theme of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no theme {name:?}; there are: {}", Theme::ALL.map(Theme::name).join(", "))]
pub struct UnknownTheme {
    /// As given.
    pub name: String,
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        let found = Self::ALL.into_iter().find(|theme| theme.name() == text);
        found.ok_or_else(|| UnknownTheme { name: crate::game::excerpt(text) })
    }
}

/// True if a line that ends with a win ends in zugzwang: before the loser's last move the winner
/// threatened nothing at once, and yet every move of the loser let the winner win at once.
#[must_use]
pub fn ends_in_zugzwang(position: &Position, line: &[Move]) -> bool {
    let Some(before) = line.len().checked_sub(2).map(|length| &line[..length]) else {
        return false;
    };
    let end = line.iter().fold(*position, |position, &mv| position.play_unchecked(mv));
    let last = before.iter().fold(*position, |position, &mv| position.play_unchecked(mv));
    matches!(end.outcome(), Outcome::Won { .. })
        && last.threatened_moves().is_empty()
        && last.legal_moves().iter().all(|&mv| last.play_unchecked(mv).wins_at_once())
}
