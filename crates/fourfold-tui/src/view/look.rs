//! Colours and characters that a terminal can show.
//!
//! Everything is drawn in Unicode. For plain ASCII the finished picture is translated character by
//! character, except for discs, which have ASCII shapes of their own. Colour alone never carries
//! information.

use fourfold::game::Side;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// The number of colours available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colours {
    None,
    /// The 16 that every colour terminal has.
    Few,
    /// At least 256.
    Many,
}

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub(super) ascii: bool,
    colours: Colours,
}

impl Look {
    /// With the number of colours taken from `COLORTERM` and `TERM`, or none without `colour`.
    #[must_use]
    pub fn new(ascii: bool, colour: bool) -> Self {
        let says = |name: &str, words: &[&str]| {
            std::env::var(name).is_ok_and(|value| words.iter().any(|word| value.contains(word)))
        };
        let many =
            says("COLORTERM", &["truecolor", "24bit"]) || says("TERM", &["256color", "direct"]);
        let colours = match (colour, many) {
            (false, _) => Colours::None,
            (true, false) => Colours::Few,
            (true, true) => Colours::Many,
        };
        Self { ascii, colours }
    }

    /// With a given number of colours.
    #[cfg(test)]
    pub(crate) const fn with(ascii: bool, colours: u32) -> Self {
        let colours = match colours {
            0 => Colours::None,
            1..=16 => Colours::Few,
            _ => Colours::Many,
        };
        Self { ascii, colours }
    }

    /// Whether to use colour.
    pub(crate) fn is_coloured(self) -> bool {
        self.colours != Colours::None
    }

    /// Whether there are only 16 colours.
    pub(crate) fn has_few_colours(self) -> bool {
        self.colours == Colours::Few
    }

    /// A side's colour: orange and blue, legible on dark and light backgrounds.
    pub(super) fn side(self, side: Side) -> Style {
        let colour = match (self.colours, side) {
            (Colours::None, _) => Color::Reset,
            (Colours::Few, Side::First) => Color::Yellow,
            (Colours::Few, Side::Second) => Color::Cyan,
            (Colours::Many, Side::First) => Color::Indexed(208),
            (Colours::Many, Side::Second) => Color::Indexed(39),
        };
        Style::new().fg(colour)
    }

    /// A side's disc in a line of text.
    pub(super) fn sign(self, side: Side) -> &'static str {
        match (self.ascii, side) {
            (false, Side::First) => "○",
            (false, Side::Second) => "●",
            (true, Side::First) => "x",
            (true, Side::Second) => "o",
        }
    }
}

pub(super) const PLAIN: Style = Style::new();
pub(super) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
pub(super) const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Translates a picture to ASCII, character by character.
pub(super) fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let Some(sign) = cell.symbol().chars().next().filter(|sign| !sign.is_ascii()) else {
            continue;
        };
        cell.set_char(match sign {
            '─' | '━' | '−' | '–' => '-',
            '│' | '┃' => '|',
            '╭' | '╮' | '╰' | '╯' | '┏' | '┓' | '┗' | '┛' | '├' | '┤' | '┌' | '┐' | '└' | '┘' => {
                '+'
            }
            '▼' => 'v',
            '▲' => '!',
            '◆' => '?',
            '▸' | '›' | '→' => '>',
            '◂' | '‹' | '←' => '<',
            '★' => '*',
            '·' | '…' => '.',
            '✓' => '=',
            '≥' => '>',
            '≤' => '<',
            '\u{202f}' => ' ',
            'µ' => 'u',
            _ => '?',
        });
    }
}
