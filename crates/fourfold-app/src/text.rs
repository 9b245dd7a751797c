//! Text for people: numbers, times and rates, aligned tables, optional colour.

use std::time::Duration;

pub use fourfold_lab::text::grouped;

/// The first letter in upper case, as the start of a sentence.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The most characters of input that a message quotes.
const MAX_EXCERPT: usize = 80;

/// The text, cut with an ellipsis if it is too long to quote in a message.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A time as people read it: `0.38 s`, `12.3 ms`, `41 µs`.
pub fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        s if s >= 100.0 => format!("{s:.0} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// A rate as people read it: `12.3 M/s`.
pub fn rate(count: u64, duration: Duration) -> String {
    let rate = count as f64 / duration.as_secs_f64().max(1e-9);
    if rate >= 1e6 { format!("{:.1} M/s", rate / 1e6) } else { format!("{:.0} k/s", rate / 1e3) }
}

/// An aligned table: the first row is the header; every column but the first is right-aligned.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| {
                let gap = " ".repeat(width - cell.chars().count());
                if column == 0 { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
            })
            .collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
        if index == 0 {
            let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
            out.push_str(&rules.join("  "));
            out.push('\n');
        }
    }
    out
}

/// Adds colour and weight to text by ANSI escape sequences, or leaves it unchanged.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// With colour, or without.
    #[must_use]
    pub fn new(on: bool) -> Self {
        Self { on }
    }

    /// Whether colour is on.
    pub fn is_on(self) -> bool {
        self.on
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Bold, for what matters most.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Dim, for what matters least.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// The first player, or MAX: orange (yellow where there are few colours).
    pub fn first(self, text: &str) -> String {
        self.with("33", text)
    }

    /// The second player, or MIN: blue (cyan, which is legible on black).
    pub fn second(self, text: &str) -> String {
        self.with("36", text)
    }
}

/// The text in plain ASCII, for terminals and fonts that lack the other characters.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '▲' => out += "MAX",
            '▼' => out += "MIN",
            '■' => out.push('='),
            '│' | '├' => out.push('|'),
            '└' => out.push('`'),
            '─' | '−' => out.push('-'),
            '→' => out.push('>'),
            '✂' => out.push('x'),
            '≤' => out += "<=",
            '≥' => out += ">=",
            '∞' => out += "inf",
            'α' => out += "alpha",
            'β' => out += "beta",
            '…' => out += "...",
            'µ' => out.push('u'),
            '\u{202f}' => out.push(' '),
            sign => out.push(sign),
        }
    }
    out
}
