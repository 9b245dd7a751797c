//! Static bounds: what follow-up strategies prove without search.
//!
//! Both are proven in `docs/solver.md` with drawings, for boards of even height; with rows counted
//! from the top, and by the parity of the number of empty cells instead of the player, they hold on
//! every board. W is the first player, B the second; rows count from 1. A *genuine threat* is an
//! empty cell that would complete four with three discs that lie there already.
//!
//! 1. *Evens.* W to move. B answers on top wherever W plays (and when W takes an even cell that is
//!    playable now, B takes another such cell; there is an even number of them). So W's reach is
//!    his discs, the cells playable now and the odd cells. A genuine B threat on an even row ends
//!    the game when W plays below it, so what lies on it or above never reaches W. If the reach
//!    holds no four, W does not win; if B has such threats, W runs out of other moves and loses.
//! 2. *Odd threat.* B to move, W has a genuine threat `t` on an odd row that is not playable yet. W
//!    answers on top elsewhere, and in the column of `t` sees to it that B must play the cell below
//!    `t`. B's reach is his discs, the cells playable now, the odd cells outside that column, and
//!    the even cells below `t` in it; what lies on or above a genuine even threat of W elsewhere
//!    never reaches him. If the reach holds no four, W wins, on `t` at the latest.

use super::field::Field;
use super::layout::Layout;
use crate::game::Word;

/// Which bounds a search uses. Each can be left out, so that its effect can be measured and its
/// soundness tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The second player's follow-up strategy.
    pub evens: bool,
    /// The first player's odd threat.
    pub odd_threat: bool,
    /// No shape is free of the opponent's discs. This bound and the next two are for other games
    /// than lines of four with gravity.
    pub open: bool,
    /// Too few shapes are open, each with too many empty cells: without gravity only.
    pub potential: bool,
    /// The opponent can answer by pairs.
    pub pairs: bool,
}

impl Bounds {
    /// Every bound.
    pub const ALL: Self =
        Self { evens: true, odd_threat: true, open: true, potential: true, pairs: true };
    /// No bound: search alone.
    pub const NONE: Self =
        Self { evens: false, odd_threat: false, open: false, potential: false, pairs: false };

    /// The bounds by name, with a line about each.
    pub const NAMES: [(&'static str, &'static str); 5] = [
        ("evens", "the second player follows up and gets the even cells"),
        ("odd-threat", "the first player holds a threat on an odd row and follows up elsewhere"),
        ("open", "every shape holds a disc of the opponent"),
        ("potential", "the shapes still open are few and far from complete"),
        ("pairs", "the opponent answers in the other cell of a pair"),
    ];

    /// The same without the bound of that name; `None` if there is no such bound.
    #[must_use]
    pub fn without(self, name: &str) -> Option<Self> {
        match name {
            "evens" => Some(Self { evens: false, ..self }),
            "odd-threat" => Some(Self { odd_threat: false, ..self }),
            "open" => Some(Self { open: false, ..self }),
            "potential" => Some(Self { potential: false, ..self }),
            "pairs" => Some(Self { pairs: false, ..self }),
            _ => None,
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::ALL
    }
}

/// A position at which a bound is asked for.
pub(super) struct Situation<W> {
    /// The discs of the side to move.
    pub(super) own: W,
    /// All discs.
    pub(super) all: W,
    /// The cells playable now.
    pub(super) playable: W,
    /// The genuine threats of the side that moved last; none of them is playable.
    pub(super) threats: W,
}

/// The most that W, to move, can score, if that is at most `wanted`.
#[inline(always)]
pub(super) fn evens<L: Layout>(field: &Field<L>, at: &Situation<L::W>, wanted: i32) -> Option<i32> {
    let most = evens_most(field, at.threats);
    (most <= wanted && field.fours(evens_reach(field, at)).is_zero()).then_some(most)
}

/// What evens proves if W's reach holds no four.
#[inline(always)]
pub(super) fn evens_most<L: Layout>(field: &Field<L>, threats: L::W) -> i32 {
    // From the cell below each threat upward nothing is played until W must.
    -(field.and_above((threats & field.even) >> 1).count_ones() as i32 / 2)
}

/// What W, to move, can get.
#[inline(always)]
pub(super) fn evens_reach<L: Layout>(field: &Field<L>, at: &Situation<L::W>) -> L::W {
    let left = field.and_above((at.threats & field.even) >> 1);
    (at.own | at.playable | (field.odd & !at.all)) & !(left << 1)
}

/// The most that B, to move, can score, if that is at most `wanted`.
#[inline(always)]
pub(super) fn odd_threat<L: Layout>(
    field: &Field<L>,
    at: &Situation<L::W>,
    wanted: i32,
) -> Option<i32> {
    let mut candidates = at.threats & field.odd;
    while !candidates.is_zero() {
        let threat = candidates.lowest();
        let most = odd_most(field, at.threats, threat);
        if most <= wanted && field.fours(odd_reach(field, at, threat)).is_zero() {
            return Some(most);
        }
        candidates &= !field.columns(threat);
    }
    None
}

/// The cells left when B must play below a threat: from `threat` upward, and from below W's other
/// even threats upward.
#[inline(always)]
fn odd_left<L: Layout>(field: &Field<L>, threats: L::W, threat: L::W) -> L::W {
    field.and_above(threat | (threats & field.even & !field.columns(threat)) >> 1)
}

/// What W's odd threat proves if B's reach holds no four.
#[inline(always)]
pub(super) fn odd_most<L: Layout>(field: &Field<L>, threats: L::W, threat: L::W) -> i32 {
    -((1 + odd_left(field, threats, threat).count_ones() as i32) / 2)
}

/// What B, to move, can get while W holds the odd threat.
#[inline(always)]
pub(super) fn odd_reach<L: Layout>(field: &Field<L>, at: &Situation<L::W>, threat: L::W) -> L::W {
    let column = field.columns(threat);
    // In the threat's column even cells below it, elsewhere odd ones.
    let wanted = (field.odd & !column) | (field.even & column);
    let left = odd_left(field, at.threats, threat);
    at.own | ((at.playable | (wanted & !at.all)) & !(left << 1 | threat))
}
