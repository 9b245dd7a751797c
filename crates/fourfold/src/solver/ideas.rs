//! The ideas that make the solver fast, each described once. Any of them can be left out, to
//! measure what it saves; scores stay the same.
//!
//! The static bounds can be left out in every build. For the others the search is compiled a second
//! time (see `Cpu::LAB` in `cpu.rs`), by the feature `ablation`: so they cost nothing in the
//! ordinary search.

use super::layout::has_layout;
use super::policy::MoveOrder;
use crate::game::Rules;

/// An idea that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Idea {
    /// The second player's follow-up strategy, which claims the even cells.
    Claimeven,
    /// A line that the follow-up strategy completes: the second player wins.
    Aftereven,
    /// The first player's odd threat.
    OddThreat,
    /// No shape is free of the opponent's discs. This bound and the next two are for games other
    /// than lines of four with gravity.
    Open,
    /// Too few shapes are open, each with too many empty cells (Erdős and Selfridge 1973): only
    /// without gravity.
    Potential,
    /// The opponent has a pairing strategy (Hales and Jewett 1963).
    Pairs,
    /// The opponent gets the odd cells of one of two columns, and follows up in the others: only with
    /// gravity.
    PairedColumns,
    /// The opponent answers every disc with one on top, and completes each shape one row further down
    /// first: only with gravity.
    OnTop,
    /// The opponent does so, and leaves some columns alone: in lines of four with gravity until the
    /// horizon has passed, in other games with gravity for good.
    LeftAlone,
    /// Forced moves are played before a position counts as a node.
    ForcedMoves,
    /// Positions close to the horizon are decided without search. This idea and those marked so
    /// below are for lines of four with gravity alone.
    Horizon,
    /// Enhanced transposition cutoffs: all children are probed before the first is searched.
    EnhancedCutoffs,
    /// Symmetric positions share an entry of the transposition table.
    Symmetry,
    /// Positions that differ in the colours of dead discs alone share an entry too; for games other
    /// than lines of four with gravity.
    DeadDiscs,
    /// Near wins are tried before the winner is asked for.
    NearWins,
    /// Limited discrepancy searches (Harvey and Ginsberg 1995), in which the defender mostly answers
    /// on top, take turns with full ones. With gravity, for all games but lines of four; of these,
    /// for narrow and tall boards only (see `docs/other-games.md`, Towers).
    LimitedDiscrepancy,
    /// Late positions have a transposition table of their own, which stays in the cache.
    LateTable,
    /// Moves are ordered at all.
    MoveOrder,
    /// History and countermove heuristics.
    History,
    /// The large policy networks; for lines of four with gravity.
    LargeNetworks,
    /// All policy networks; for lines of four with gravity.
    Networks,
}

impl Idea {
    const EVERY: [Self; 21] = [
        Self::Claimeven,
        Self::Aftereven,
        Self::OddThreat,
        Self::Open,
        Self::Potential,
        Self::Pairs,
        Self::PairedColumns,
        Self::OnTop,
        Self::LeftAlone,
        Self::ForcedMoves,
        Self::Horizon,
        Self::EnhancedCutoffs,
        Self::Symmetry,
        Self::DeadDiscs,
        Self::NearWins,
        Self::LimitedDiscrepancy,
        Self::LateTable,
        Self::MoveOrder,
        Self::History,
        Self::LargeNetworks,
        Self::Networks,
    ];

    /// The static bounds, which come first.
    const BOUNDS: usize = 9;

    /// The ideas that this build can leave out.
    pub const ALL: &'static [Self] = if cfg!(feature = "ablation") {
        &Self::EVERY
    } else {
        Self::EVERY.split_at(Self::BOUNDS).0
    };

    /// Its name, and what the solver does without it.
    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Claimeven => {
                ("claimeven", "no bound by the follow-up that claims the even cells")
            }
            Self::Aftereven => ("aftereven", "no bound by lines that the follow-up completes"),
            Self::OddThreat => ("odd-threat", "no bound by a threat on an odd row"),
            Self::Open => ("open", "no bound where every shape holds a disc of the opponent"),
            Self::Potential => {
                ("potential", "no bound where the open shapes are far from complete")
            }
            Self::Pairs => ("pairs", "no bound by replies in the other cell of a pair"),
            Self::PairedColumns => {
                ("paired-columns", "no bound by replies in the other one of two columns")
            }
            Self::OnTop => ("on-top", "no bound by replies on top of every disc"),
            Self::LeftAlone => {
                ("left-alone", "no bound by replies on top with some columns left alone")
            }
            Self::ForcedMoves => ("forced-moves", "forced moves are nodes like any other"),
            Self::Horizon => ("horizon", "positions close to the horizon are searched"),
            Self::EnhancedCutoffs => {
                ("enhanced-cutoffs", "each child is probed only when its turn comes")
            }
            Self::Symmetry => ("symmetry", "mirror images and turns are positions of their own"),
            Self::DeadDiscs => {
                ("dead-discs", "positions that differ in dead discs alone are told apart")
            }
            Self::NearWins => ("near-wins", "the winner is asked for at once, then the distance"),
            Self::LimitedDiscrepancy => {
                ("limited-discrepancy", "no searches in which the defender mostly answers on top")
            }
            Self::LateTable => ("late-table", "one transposition table for all positions"),
            Self::MoveOrder => ("move-order", "moves are searched from left to right"),
            Self::History => ("history", "no history and countermove heuristics"),
            Self::LargeNetworks => {
                ("large-networks", "small policy networks do the work of large ones")
            }
            Self::Networks => ("networks", "tuned weights order the moves, no policy networks"),
        }
    }

    /// How it is called on the command line: `odd-threat`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.described().0
    }

    /// What the solver does without it, in one line.
    #[must_use]
    pub fn without_it(self) -> &'static str {
        self.described().1
    }

    /// The idea of that name, if this build can leave it out.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|idea| idea.name() == name)
    }

    /// Whether the solver uses it in a game at all.
    #[must_use]
    pub fn plays_a_part_in(self, rules: &Rules) -> bool {
        let lines_of_four = has_layout(rules);
        match self {
            Self::Claimeven
            | Self::Aftereven
            | Self::OddThreat
            | Self::PairedColumns
            | Self::OnTop
            | Self::LeftAlone => rules.gravity(),
            Self::LimitedDiscrepancy => rules.gravity() && !lines_of_four,
            Self::Potential => !rules.gravity(),
            Self::Open | Self::Pairs | Self::DeadDiscs => !lines_of_four,
            Self::Horizon => lines_of_four,
            Self::LargeNetworks | Self::Networks => {
                MoveOrder::Embedded.weights_for(rules).is_some()
            }
            Self::ForcedMoves
            | Self::EnhancedCutoffs
            | Self::Symmetry
            | Self::NearWins
            | Self::LateTable
            | Self::MoveOrder
            | Self::History => true,
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The ideas that a solver uses: all of them, less those left out.
///
/// ```
/// use fourfold::solver::{Idea, Ideas};
///
/// let ideas = Ideas::ALL.without(Idea::Claimeven).expect("every build can");
/// assert!(!ideas.has(Idea::Claimeven) && ideas.has(Idea::OddThreat));
/// assert_eq!(ideas.left_out().map(Idea::name).collect::<Vec<_>>(), ["claimeven"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ideas {
    left_out: u32,
}

impl Ideas {
    /// Every idea.
    pub const ALL: Self = Self { left_out: 0 };
    /// All but the static bounds.
    pub const NO_BOUNDS: Self = Self { left_out: (1 << Idea::BOUNDS) - 1 };

    /// The same without an idea; `None` if this build always uses it.
    #[must_use]
    pub fn without(self, idea: Idea) -> Option<Self> {
        Idea::ALL.contains(&idea).then_some(Self { left_out: self.left_out | idea.bit() })
    }

    /// Whether an idea is used.
    #[must_use]
    #[inline(always)]
    pub const fn has(self, idea: Idea) -> bool {
        self.left_out & idea.bit() == 0
    }

    /// The ideas left out.
    pub fn left_out(self) -> impl Iterator<Item = Idea> {
        Idea::EVERY.into_iter().filter(move |&idea| !self.has(idea))
    }

    /// Whether the ordinary search can do it: all but static bounds are used.
    #[cfg(feature = "ablation")]
    pub(super) fn are_ordinary(self) -> bool {
        self.left_out >> Idea::BOUNDS == 0
    }
}

impl Default for Ideas {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::{Idea, Ideas};
    use std::collections::BTreeSet;

    #[test]
    fn ideas_are_described_once_and_wholly() {
        let names: BTreeSet<&str> = Idea::EVERY.iter().map(|idea| idea.name()).collect();
        assert_eq!(names.len(), Idea::EVERY.len(), "names are unique");
        for (index, &idea) in Idea::EVERY.iter().enumerate() {
            assert_eq!(idea as usize, index, "{idea:?}");
            let (name, without_it) = idea.described();
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
            assert!(!without_it.is_empty() && !without_it.ends_with('.'), "{name}");
            let available = Idea::ALL.contains(&idea);
            assert_eq!(Idea::named(name), available.then_some(idea));
            assert_eq!(Ideas::ALL.without(idea).is_some(), available);
            assert!(Ideas::ALL.has(idea));
            assert_eq!(Ideas::NO_BOUNDS.has(idea), index >= Idea::BOUNDS, "{name}");
        }
        assert_eq!(Idea::named("nothing"), None);
    }
}
