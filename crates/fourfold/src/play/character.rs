//! Characters: levels with a name and a style of their own.

use super::level::Style;

/// Somebody to play against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Character {
    /// In player specs: `character:otto`.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// How strong, from 1 to 12.
    pub level: u8,
    /// What it likes.
    pub style: Style,
    /// A line about it.
    pub about: &'static str,
}

impl Character {
    /// The character of this id, in upper or lower case.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        CHARACTERS.iter().find(|character| character.id.eq_ignore_ascii_case(id))
    }
}

/// All characters, from a child's first opponent to perfect play.
pub static CHARACTERS: [Character; 9] = [
    Character {
        id: "pip",
        name: "Pip",
        level: 1,
        style: Style::PLAIN,
        about: "Is just learning the game and enjoys every disc.",
    },
    Character {
        id: "juno",
        name: "Juno",
        level: 2,
        style: Style { upright: 220, flat: 80, diagonal: 60, ..Style::PLAIN },
        about: "Likes to build towers and sometimes forgets to look sideways.",
    },
    Character {
        id: "milo",
        name: "Milo",
        level: 4,
        style: Style { centre: 9, ..Style::PLAIN },
        about: "Always wants the middle of the board.",
    },
    Character {
        id: "wren",
        name: "Wren",
        level: 5,
        style: Style { build: [34, 14, 3], block: [10, 3, 1], ..Style::PLAIN },
        about: "Attacks with every disc and would rather build a line than stop one.",
    },
    Character {
        id: "otto",
        name: "Otto",
        level: 6,
        style: Style { build: [10, 3, 2], block: [36, 16, 3], ..Style::PLAIN },
        about: "Blocks everything, waits, and lets you make the first mistake.",
    },
    Character {
        id: "cleo",
        name: "Cleo",
        level: 7,
        style: Style {
            centre: -3,
            upright: 60,
            flat: 70,
            diagonal: 190,
            sees_diagonals: true,
            ..Style::PLAIN
        },
        about: "Comes in from the edges and sees the diagonals that others miss.",
    },
    Character {
        id: "iris",
        name: "Iris",
        level: 9,
        style: Style { wait: 30, build: [30, 8, 2], ..Style::PLAIN },
        about: "Sets traps: look twice before you make room above a disc.",
    },
    Character {
        id: "sol",
        name: "Sol",
        level: 10,
        style: Style { centre: 4, wait: 12, ..Style::PLAIN },
        about: "Plans far ahead and is never in a hurry.",
    },
    Character {
        id: "vega",
        name: "Vega",
        level: 12,
        style: Style { wait: 12, tricky: true, ..Style::PLAIN },
        about: "Plays perfectly wherever the solver can, and still finds ways to tempt you.",
    },
];
