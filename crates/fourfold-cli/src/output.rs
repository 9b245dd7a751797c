//! How results are shown: numbers for people, aligned tables, colour when wanted.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::time::Duration;

/// Buffered standard output. Flush it before the command ends, so that a full disk or a closed pipe
/// is noticed.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// Tells something on standard error. If nobody listens there, that is no reason to stop.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

pub(crate) use fourfold_lab::text::grouped;

/// A time as people read it: `0.38 s`, `12.3 ms`, `41 µs`.
pub(crate) fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        s if s >= 100.0 => format!("{s:.0} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// A rate as people read it: `12.3 M/s`.
pub(crate) fn rate(count: u64, duration: Duration) -> String {
    let rate = count as f64 / duration.as_secs_f64().max(1e-9);
    if rate >= 1e6 { format!("{:.1} M/s", rate / 1e6) } else { format!("{:.0} k/s", rate / 1e3) }
}

/// A table for people: the first row is the head; every column but the first is flush right.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
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

/// When to colour what goes to standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless the environment variable NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// The paint for standard output.
    pub(crate) fn paint(self) -> Paint {
        let refused = || {
            std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
        };
        Paint {
            on: self == Self::Always
                || self == Self::Auto && io::stdout().is_terminal() && !refused(),
        }
    }
}

/// Marks text with colour and weight, or leaves it as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// Whether there is any colour.
    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// What matters most.
    pub(crate) fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What matters least.
    pub(crate) fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// The first player, or MAX: orange (yellow where there are few colours).
    pub(crate) fn first(self, text: &str) -> String {
        self.with("33", text)
    }

    /// The second player, or MIN: blue (cyan, which is legible on black).
    pub(crate) fn second(self, text: &str) -> String {
        self.with("36", text)
    }
}

/// The text in plain ASCII, for terminals and fonts that lack the signs.
pub(crate) fn ascii(text: &str) -> String {
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
            '\u{2009}' => out.push(' '),
            sign => out.push(sign),
        }
    }
    out
}
