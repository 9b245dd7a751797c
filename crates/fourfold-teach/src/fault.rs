//! The mistakes that are known: each has an id, a sentence that follows "a search that", and a hint
//! where to look.
//!
//! What a mistake does stands in [`crate::search`] and `world`, at the step that it
//! changes.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

macro_rules! faults {
    (
        $(#[$about:meta])* $type:ident:
        $($name:ident $id:literal $sentence:literal $hint:literal)*
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the sentence says what each is")]
        pub enum $type {
            $($name,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// A short name, such as `cut-strict`.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// What it does wrong, to follow "a program that".
            #[must_use]
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Self::$name => $sentence,)*
                }
            }

            /// Where to look.
            #[must_use]
            pub fn hint(self) -> &'static str {
                match self {
                    $(Self::$name => $hint,)*
                }
            }
        }
    };
}

pub(crate) use faults;

faults! {
    /// A known mistake of a search.
    Fault:
    // How deep.
    DepthPlusOne "depth-plus-one"
        "looks one ply deeper than asked"
        "The root's own move is the first ply: its children are searched to depth - 1. Is the \
         test depth == 0, not depth < 0?"
    DepthMinusOne "depth-minus-one"
        "looks one ply less deep than asked"
        "Is the depth lowered twice on the way to the children, or is the horizon at depth 1 \
         instead of 0?"

    // Whose turn.
    RootMinimises "root-for-the-other-side"
        "chooses at the root for the wrong side"
        "Check what the root does with its children's values: MAX takes the greatest, MIN the \
         least."
    RootAlwaysMax "root-always-max"
        "lets MAX move at the root even when the question says that MIN does"
        "Read \"root\" from the question and start with that side."
    SameSideBelowRoot "same-side-again"
        "lets the side that has just moved at the root move again"
        "The call for a child of the root must be given the other side."
    BothMaximise "both-maximise"
        "maximises at every node"
        "Where MIN is to move, take the least of the children's values."
    SidesSwapped "sides-swapped"
        "lets MAX minimise and MIN maximise"
        "The two branches (or the first value of the flag) are the wrong way round."
    SideByDepth "side-by-depth"
        "decides whose turn it is by whether the depth left is even"
        "That is right only if the search starts at an even depth. Hand the side down, and \
         switch it at each ply."
    NotNegated "not-negated"
        "does not negate the values that come up from its children (negamax)"
        "In negamax a child's value is the other side's: value = -search(child)."
    NegamaxLeaf "leaf-for-the-side-to-move"
        "takes the value of a leaf for the side to move there, though it is MAX's"
        "In negamax the value of a leaf must be multiplied by -1 where MIN is to move; in \
         minimax never."

    // Alpha and beta.
    NeverCuts "never-cuts"
        "never cuts"
        "Are alpha and beta handed down to the children, updated, and compared after each child?"
    AlphaNotDown "alpha-not-handed-down"
        "does not hand alpha down to its children"
        "Each call for a child must be given the alpha that holds at that moment, not -infinity."
    BetaNotDown "beta-not-handed-down"
        "does not hand beta down to its children"
        "Each call for a child must be given the beta that holds at that moment, not +infinity."
    AlphaRestarts "alpha-not-to-grandchildren"
        "hands alpha down to the children but not to the grandchildren (MAX starts again at \
         -infinity)"
        "A MAX node must start from the alpha it is given. Best may start at -infinity, alpha \
         may not."
    BetaRestarts "beta-not-to-grandchildren"
        "hands beta down to the children but not to the grandchildren (MIN starts again at \
         +infinity)"
        "A MIN node must start from the beta it is given. Best may start at +infinity, beta may \
         not."
    BoundsRestart "bounds-not-to-grandchildren"
        "hands alpha and beta down to the children but not to the grandchildren, so that no cut \
         goes deep"
        "Every node must start from the alpha and beta it is given, and change only its own."
    AlphaNotUpdated "alpha-not-updated"
        "never raises alpha at MAX nodes"
        "After each child of a MAX node: alpha = max(alpha, best)."
    BetaNotUpdated "beta-not-updated"
        "never lowers beta at MIN nodes"
        "After each child of a MIN node: beta = min(beta, best)."
    BoundsSwapped "bounds-swapped"
        "hands alpha and beta down in the wrong order"
        "Compare the order of the arguments in the call with the order of the parameters."
    BoundsNotNegated "bounds-not-negated"
        "hands alpha and beta down without negating and exchanging them (negamax)"
        "In negamax a child is searched with the window (-beta, -alpha)."
    BoundsShared "bounds-shared"
        "keeps alpha and beta in variables that all nodes share"
        "What a child does to its alpha and beta must not change its parent's: make them \
         parameters."
    AlphaStartsAtZero "alpha-starts-at-0"
        "starts with alpha at 0 instead of -infinity"
        "Values below 0 exist: start with alpha = -infinity."
    CutsAtRoot "cuts-at-root"
        "starts with beta at 0 instead of +infinity, and therefore cuts at the root"
        "Nothing is known above the root: start with beta = +infinity, and the root never cuts."

    // When to cut.
    CutStrict "cut-strict"
        "cuts only when alpha is greater than beta, not when they are equal"
        "The test is alpha >= beta (or best >= beta, best <= alpha): with an equal value there \
         is nothing left to gain."
    CutReversed "cut-reversed"
        "cuts when alpha is less than beta"
        "The comparison is the wrong way round: cut when alpha >= beta."
    CutWrongBound "cut-on-own-bound"
        "compares a child's value at a MAX node with alpha and at a MIN node with beta, and cuts \
         when it is worse"
        "MAX cuts when it has at least beta, since MIN will not let it come here; MIN cuts when \
         it has at most alpha."
    CutLate "cut-late"
        "tests for a cut before it has taken the new value into account"
        "First update best, alpha and beta with the child's value, then compare."
    CutsOnlyMax "cuts-only-at-max"
        "cuts at MAX nodes only"
        "The branch for MIN needs the test for a cut too."
    CutsOnlyMin "cuts-only-at-min"
        "cuts at MIN nodes only"
        "The branch for MAX needs the test for a cut too."

    // The end of a game.
    EndsUnseen "wins-unseen"
        "does not recognise a won game and plays on"
        "Before the moves of a position are tried, see whether somebody has a line already."
    EndsOnlyAtHorizon "wins-only-at-the-horizon"
        "looks for a won game only at the horizon and plays on after one before it"
        "Test for a line at every node, not only where the depth is 0."
    DepthBeforeEnd "depth-before-end"
        "tests the depth before it tests whether the game is over"
        "A game that is over at the horizon has its own value: test for a win first, then for \
         depth 0."
    FullBoardUnseen "full-board-unseen"
        "does not recognise a full board as a draw and returns infinity there"
        "A position without moves and without a line is a draw, worth 0."
    OnlyOwnWins "only-own-wins"
        "recognises the wins of MAX only"
        "The other side can complete a line too: test for both."
    WinnerSwapped "winner-swapped"
        "gives a won game to the wrong side"
        "The line belongs to the side that has just moved, not to the side to move."
    DrawsAsLosses "draws-as-losses"
        "scores a drawn game as a loss"
        "A full board without a line is worth 0."
    NoDiagonals "no-diagonals"
        "does not see diagonal lines"
        "There are four directions: across, up, and both diagonals."
    FallingDiagonals "only-falling-diagonals"
        "does not see diagonal lines that rise to the right"
        "Lines go up to the right and up to the left."
    RisingDiagonals "only-rising-diagonals"
        "does not see diagonal lines that fall to the right"
        "Lines go up to the right and up to the left."
    LinesWrap "lines-wrap"
        "lets lines run over the edge of the board into the next row"
        "The end of a line must lie on the board: test row and column, not only the index."
    WinDistanceIgnored "win-distance-ignored"
        "gives every win the same value, however late it comes"
        "A win with n discs on the board is worth 1000 - n, so that the sooner one is preferred."
    WinDistanceReversed "win-distance-reversed"
        "prefers the later win"
        "A win with n discs on the board is worth 1000 - n, not 1000 + n."
    LossDistanceReversed "loss-distance-reversed"
        "prefers the sooner loss"
        "A loss with n discs on the board is worth -(1000 - n): the later, the better."
    WinDistanceFromRoot "win-distance-from-root"
        "counts the plies from the root instead of the discs on the board"
        "A win with n discs on the board is worth 1000 - n; count the discs."

    // The evaluator.
    EvaluatorNegated "evaluator-negated"
        "evaluates for MIN"
        "MAX's discs count for MAX: add their weights, and take off those of MIN's."
    EvaluatorForSideToMove "evaluator-for-the-side-to-move"
        "evaluates for the side to move at the horizon instead of for MAX"
        "MAX is the side to move at the root. Hand it down, or multiply by -1 where MIN is to move."
    EvaluatorOwnOnly "evaluator-own-only"
        "does not count the opponent's discs in the evaluation"
        "Take off the weights under MIN's discs."

    // The answer.
    ValueForX "value-for-x"
        "gives x's value even when o is to move"
        "The value is that of the side to move at the root: negate it for o, or let o be MAX."
    GreatestForBoth "greatest-for-both"
        "values everything for x and then takes the greatest value for o too"
        "Where o is to move and values are x's, the root must take the least."
    MoveLastTried "last-move-tried"
        "returns the last move tried, with the value of the best"
        "Remember the move together with the value, inside the if."
    MoveStaysFirst "first-move-tried"
        "returns the first move, with the value of the best"
        "Whenever best is improved, the move must be remembered too."
    MoveFromOne "move-counts-from-1"
        "counts moves from 1"
        "Children, columns and cells are counted from 0."
    TiesLast "ties-last"
        "takes the last of several equally good moves"
        "Take a move only if it is better (>), not if it is as good (>=)."

    // The loop.
    BestStartsAtZero "best-starts-at-0"
        "starts with best at 0 instead of an infinity"
        "MAX starts at -infinity and MIN at +infinity, else values on the other side of 0 are lost."
    InfinityTen "infinity-10"
        "starts with best at -10 and +10, which real values exceed"
        "Use an infinity that no value reaches."
    InfinityHundred "infinity-100"
        "starts with best at -100 and +100, which real values exceed"
        "Use an infinity that no value reaches; wins are worth up to 1000."
    MinStartsLow "min-starts-low"
        "starts with best at -infinity at MIN nodes too, so that they never find anything less"
        "At MIN nodes best starts at +infinity."
    KeepsLastValue "keeps-last-value"
        "keeps the value of the last child instead of the best"
        "Compare each child's value with the best so far before it is taken over."
    ChildrenReversed "children-reversed"
        "visits the children from the last to the first"
        "Children, columns and cells are visited in the order given."
    FirstChildSkipped "first-child-skipped"
        "skips the first child"
        "Where does the loop begin? The first child has the number 0."
    LastChildSkipped "last-child-skipped"
        "skips the last child"
        "Where does the loop end? The last child has the number n - 1."
    FirstChildOnly "first-child-only"
        "visits only the first child of each node"
        "Is there a return inside the loop?"

    // The board.
    FullColumnsTried "full-columns-tried"
        "tries full columns, where it passes instead of moving"
        "Skip a column whose top cell is taken."
    UndoForgotten "undo-forgotten"
        "does not take a move back after it was searched"
        "After the call for a child the board must be as it was before: undo the move, or work \
         on a copy."
    UndoSkippedOnCut "undo-skipped-on-cut"
        "does not take the move back when it cuts"
        "The move must be undone before the break or return of a cut."

    // Transposition tables.
    TableWithoutDepth "table-without-depth"
        "deepens iteratively and uses table entries of a shallower search for a deeper one"
        "Store the depth with an entry, and use it only for the same depth."
    TableWithoutBound "table-without-bound"
        "uses the bounds that cuts leave in the table as exact values"
        "Store with an entry whether it is exact, at least or at most, and use it accordingly."

    // A published one.
    Radboud "radboud"
        "makes the mistakes of the Radboud report: the mover moves again, one ply too deep, \
         leaves are valued for whoever is to move, and the root takes the greatest value for \
         both sides"
        "Compare each of the four with the definition: whose turn, how deep, whose value, \
         greatest or least."
}

impl Fault {
    /// The mistake with this id.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|fault| fault.id() == id)
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Fault {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::named(&id).ok_or_else(|| D::Error::custom(format!("there is no mistake {id:?}")))
    }
}

/// The id.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A set of mistakes, those of one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Faults(u128);

impl Faults {
    /// None: the right search.
    pub const NONE: Self = Self(0);

    /// These.
    #[must_use]
    pub fn of(faults: &[Fault]) -> Self {
        Self(faults.iter().fold(0, |set, &fault| set | 1 << fault as u32))
    }

    /// The same in a search that compares its best value with beta (or alpha), where another
    /// compares alpha with beta. Without a mistake there is no difference.
    #[must_use]
    pub fn comparing_best(self) -> Self {
        Self(self.0 | Self::COMPARES_BEST)
    }

    const COMPARES_BEST: u128 = 1 << 127;

    pub(crate) fn compares_best(self) -> bool {
        self.0 & Self::COMPARES_BEST != 0
    }

    /// Both ways of comparing.
    pub(crate) fn both_ways(self) -> [Self; 2] {
        [self, self.comparing_best()]
    }

    /// Whether a mistake is among them.
    #[must_use]
    pub fn has(self, fault: Fault) -> bool {
        self.0 >> fault as u32 & 1 == 1
    }

    /// The others.
    #[must_use]
    pub fn without(self, faults: &[Fault]) -> Self {
        Self(self.0 & !Self::of(faults).0)
    }

    /// Whether any of these is among them.
    #[must_use]
    pub fn any(self, faults: &[Fault]) -> bool {
        faults.iter().any(|&fault| self.has(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Faults};
    use std::collections::HashSet;

    #[test]
    fn every_fault_has_an_id_of_its_own_and_a_sentence_that_fits() {
        let ids: HashSet<&str> = Fault::ALL.iter().map(|fault| fault.id()).collect();
        assert_eq!(ids.len(), Fault::ALL.len());
        assert!((50..128).contains(&ids.len()), "{}", ids.len());
        for &fault in Fault::ALL {
            assert_eq!(Fault::named(fault.id()), Some(fault));
            let sentence = fault.sentence();
            assert!(sentence.starts_with(char::is_lowercase), "{sentence}");
            assert!(!sentence.ends_with('.') && fault.hint().ends_with(['.', '?']), "{fault}");
        }
        let two = Faults::of(&[Fault::CutStrict, Fault::Radboud]);
        assert!(two.has(Fault::CutStrict) && two.has(Fault::Radboud) && !two.has(Fault::TiesLast));
        assert_eq!(Faults::of(&[]), Faults::NONE);
    }
}
