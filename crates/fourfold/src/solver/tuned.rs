//! The weights of the move order where no network ranks the moves: close to the horizon, and on
//! boards without networks.
//!
//! They are whole numbers in a file, `tuned.weights`, which the compiler reads. `fourfold train
//! tuned` makes such a file by hill climbing on the number of nodes, since nothing else tells a
//! good order from a bad one (`docs/solver.md`). Players have weights of their own, for their aims
//! differ.

#[cfg(feature = "training")]
use super::opening::OPENING_MIN_EMPTY;
use super::opening::{FEATURES, Features};
#[cfg(feature = "training")]
use crate::game::Rules;

/// Sets of [`TunedWeights`]: in the opening for the first player and the second; later for both as
/// defender, then as attacker; and the same two pairs in the opening when the horizon is near.
pub(super) const SETS: usize = 10;

/// Sets of the opening's [`Features`].
pub(super) const OPENING_SETS: usize = 4;

/// Numbers in a set of [`TunedWeights`].
const PER_SET: usize = 12;

const OPENING: usize = SETS * PER_SET;
const COUNT: usize = OPENING + OPENING_SETS * FEATURES;

/// The weight of each feature of a move, relative to that of a threat, which is 64.
#[derive(Debug, Clone, Copy)]
pub(super) struct TunedWeights {
    /// Per genuine threat on the board after the move.
    pub(super) threat: i32,
    /// Per such threat on a row of useful parity: odd for the first player, even for the second.
    pub(super) useful_threat: i32,
    /// Per row up.
    pub(super) row: i32,
    /// Per half column away from the centre.
    pub(super) off_centre: i32,
    /// Per line through the cell on an empty board.
    pub(super) line: i32,
    /// Per line through the cell that holds 0, 1, 2 own discs and none of the opponent's.
    pub(super) own_lines: [i32; 3],
    /// Per line through the cell that holds 0, 1, 2 of the opponent's discs and no own one.
    pub(super) opponent_lines: [i32; 3],
    /// Per reply that does not lose at once.
    pub(super) reply: i32,
}

/// All weights of the tuned move order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TunedOrder {
    numbers: [i32; COUNT],
}

impl TunedOrder {
    /// The weights that come with the library.
    pub const BUILT_IN: Self = match Self::of_text(include_str!("tuned.weights")) {
        Some(order) => order,
        None => panic!("tuned.weights has other numbers than the move order needs"),
    };

    /// Reads a file: whole numbers up to ten thousand with spaces or line breaks between them; a line
    /// that begins with `#` says something to people. None if it is something else.
    #[must_use]
    pub const fn of_text(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut numbers = [0; COUNT];
        let (mut found, mut at, mut line_begins) = (0, 0, true);
        while at < bytes.len() {
            match bytes[at] {
                b'\n' | b' ' | b'\r' => {
                    line_begins = bytes[at] == b'\n' || line_begins;
                    at += 1;
                }
                b'#' if line_begins => {
                    while at < bytes.len() && bytes[at] != b'\n' {
                        at += 1;
                    }
                }
                _ => {
                    let negative = bytes[at] == b'-';
                    at += negative as usize;
                    let (mut number, first) = (0, at);
                    while at < bytes.len() && bytes[at].is_ascii_digit() && number < LARGEST {
                        number = 10 * number + (bytes[at] - b'0') as i32;
                        at += 1;
                    }
                    let ends = at == bytes.len() || matches!(bytes[at], b' ' | b'\n' | b'\r');
                    if at == first || !ends || number > LARGEST || found == COUNT {
                        return None;
                    }
                    numbers[found] = if negative { -number } else { number };
                    found += 1;
                    line_begins = false;
                }
            }
        }
        if found == COUNT { Some(Self { numbers }) } else { None }
    }

    /// A set of weights.
    pub(super) fn set(&self, set: usize) -> TunedWeights {
        let at = |index: usize| self.numbers[set * PER_SET + index];
        TunedWeights {
            threat: at(0),
            useful_threat: at(1),
            row: at(2),
            off_centre: at(3),
            line: at(4),
            own_lines: [at(5), at(6), at(7)],
            opponent_lines: [at(8), at(9), at(10)],
            reply: at(11),
        }
    }

    /// The opening's weights.
    pub(super) fn opening(&self) -> [Features; OPENING_SETS] {
        std::array::from_fn(|set| {
            std::array::from_fn(|feature| self.numbers[OPENING + set * FEATURES + feature])
        })
    }
}

/// No weight is larger: ranks are far from overflow.
const LARGEST: i32 = 10_000;

/// What the trainer needs.
#[cfg(feature = "training")]
impl TunedOrder {
    /// How many weights there are.
    pub const COUNT: usize = COUNT;

    /// One of the weights.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn weight(&self, index: usize) -> i32 {
        self.numbers[index]
    }

    /// How far a weight can sensibly be moved in one step: an eighth of what a threat is worth. None
    /// for the weight of a threat, which the others are relative to, and for those that play no
    /// part in a game.
    #[must_use]
    pub fn largest_step(index: usize, rules: &Rules) -> Option<i32> {
        let has_opening = rules.cells() as i32 > OPENING_MIN_EMPTY;
        let (step, matters) = match index {
            OPENING.. => (64, has_opening && rules.height().is_multiple_of(2)),
            _ if index.is_multiple_of(PER_SET) => (0, false),
            // Of the sets, four are for later than the opening.
            _ => (8, has_opening || (2..6).contains(&(index / PER_SET))),
        };
        matters.then_some(step)
    }

    /// The same order with one weight changed, as far as it goes.
    ///
    /// # Panics
    /// If there are fewer weights.
    #[must_use]
    pub fn with_weight(&self, index: usize, weight: i32) -> Self {
        let mut changed = self.clone();
        changed.numbers[index] = weight.clamp(-LARGEST, LARGEST);
        changed
    }

    /// The text of a file, which says what made it.
    #[must_use]
    pub fn to_text(&self, made_by: &str) -> String {
        let mut text = String::from(
            "# Fourfold, version 1: the weights of the move order where no network ranks the moves.\n",
        );
        for line in made_by.lines() {
            text += &format!("# {line}\n");
        }
        text += "# Per set: threat, useful threat, row, off centre, line, own lines with 0 to 2 discs,\n\
                 # opponent's lines with 0 to 2 discs, reply. A threat is worth 64.\n";
        let (sets, opening) = self.numbers.split_at(OPENING);
        let words =
            |numbers: &[i32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        for (name, set) in SET_NAMES.iter().zip(sets.chunks(PER_SET)) {
            text += &format!("# {name}\n{}\n", words(set));
        }
        text += "# The closer look in the opening: the features of opening.rs, in their order.\n";
        for (name, set) in OPENING_NAMES.iter().zip(opening.chunks(FEATURES)) {
            text += &format!("# {name}\n");
            for numbers in set.chunks(14) {
                text += &format!("{}\n", words(numbers));
            }
        }
        text
    }
}

#[cfg(feature = "training")]
const SET_NAMES: [&str; SETS] = [
    "opening, W",
    "opening, B",
    "later, W defends",
    "later, B defends",
    "later, W attacks",
    "later, B attacks",
    "opening near the horizon, W defends",
    "opening near the horizon, B defends",
    "opening near the horizon, W attacks",
    "opening near the horizon, B attacks",
];

#[cfg(feature = "training")]
const OPENING_NAMES: [&str; OPENING_SETS] = ["early, W", "early, B", "late, W", "late, B"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_as_it_stands() {
        let built_in = TunedOrder::BUILT_IN;
        let set = built_in.set(4);
        assert_eq!((set.threat, set.row, set.own_lines, set.reply), (64, 3, [3, 14, -3], -13));
        assert_eq!(built_in.opening()[3][..3], [180, -12, -50]);
        assert_eq!(built_in.opening()[3][FEATURES - 1], 168);
    }

    #[test]
    fn other_texts_are_no_weights() {
        let text = include_str!("tuned.weights");
        assert!(TunedOrder::of_text(text).is_some());
        for (from, to) in [
            ("-14\n", "\n"),
            ("-14\n", "-14 0\n"),
            (" 7 ", " 7x "),
            (" 7 ", " - "),
            (" 7 ", " 99999 "),
            (" 7 ", " 7 # seven\n"),
        ] {
            assert!(TunedOrder::of_text(&text.replacen(from, to, 1)).is_none(), "{to:?}");
        }
        assert!(TunedOrder::of_text("").is_none());
    }

    #[cfg(feature = "training")]
    #[test]
    fn what_is_written_is_read_again() {
        let changed = TunedOrder::BUILT_IN.with_weight(3, -7).with_weight(200, 123_456);
        assert_eq!(changed.weight(200), LARGEST);
        let text = changed.to_text("fourfold train tuned\ncommit 0123");
        assert_eq!(TunedOrder::of_text(&text), Some(changed));
        assert!(text.contains("\n# commit 0123\n"));
    }
}
