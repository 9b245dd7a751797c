//! What a null-window search is asked, and what it answers.

/// How much a null-window search may do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// The search is halted when this many nodes are spent in all.
    pub(super) pause_at: u64,
    /// How often on any line of play the defender may do anything but answer on top; `None` if
    /// always.
    pub(super) discrepancies: Option<u8>,
}

/// What a null-window search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// A bound on the score that answers the question.
    Bound(i32),
    /// The defender fails with so few discrepancies. Nothing is proven by that.
    Undecided,
    /// The search was stopped, or paused.
    Halted,
}

impl Answer {
    /// The better of the answers of two threads to the same question.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Bound(_), _) | (Self::Undecided, Self::Undecided | Self::Halted) => self,
            _ => other,
        }
    }
}
