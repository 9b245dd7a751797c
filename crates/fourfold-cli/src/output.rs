//! How results are shown: numbers for people, aligned tables, colour on request.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// Buffered standard output. Flush it before the command ends, so that a full disk or a closed pipe
/// is noticed.
pub(crate) fn stdout() -> BufWriter<Screen<StdoutLock<'static>>> {
    let plain = io::stdout().is_terminal() && !is_utf8_locale();
    BufWriter::new(Screen { out: io::stdout().lock(), plain, tail: Vec::new() })
}

/// Passes text on, in plain ASCII if it goes to a terminal that cannot show more.
pub(crate) struct Screen<W> {
    out: W,
    plain: bool,
    /// The start of a character whose other bytes have not come yet.
    tail: Vec<u8>,
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.plain {
            return self.out.write(bytes);
        }
        self.tail.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.tail) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.tail.len(),
        };
        let text: Vec<u8> = self.tail.drain(..whole).collect();
        self.out.write_all(ascii(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Prints a message on standard error. A reader who has gone is no reason to stop.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// How many characters a line of wide output may have: what the environment variable COLUMNS says,
/// else the width of the terminal; no limit if the output goes elsewhere.
pub(crate) fn screen_width() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    };
    set.or_else(terminal).filter(|&width| width > 0)
}

/// Whether the locale can show more than ASCII: `LC_ALL`, else `LC_CTYPE`, else `LANG` decides, and
/// says UTF-8. Where there are no such variables, as on Windows, it can.
pub(crate) fn is_utf8_locale() -> bool {
    cfg!(not(unix)) || names_utf8(|name| std::env::var(name).ok())
}

fn names_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

pub(crate) use fourfold_app::text::{Paint, ascii, excerpt, grouped, rate, table, time};

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
        let auto = self == Self::Auto && io::stdout().is_terminal() && !refused();
        Paint::new(self == Self::Always || auto)
    }
}

#[cfg(test)]
mod tests {
    use super::{Screen, names_utf8};
    use std::io::Write;

    #[test]
    fn a_terminal_without_utf8_gets_plain_ascii() {
        let text = "1\u{202f}234 ── α ≤ ∞ ok";
        for (plain, expected) in [(true, "1 234 -- alpha <= inf ok"), (false, text)] {
            for size in 1..5 {
                let mut screen = Screen { out: Vec::new(), plain, tail: Vec::new() };
                text.as_bytes().chunks(size).for_each(|part| screen.write_all(part).unwrap());
                assert_eq!(String::from_utf8(screen.out).unwrap(), expected);
            }
        }
    }

    #[test]
    fn the_first_variable_that_is_set_decides() {
        for (variables, expected) in [
            (&[][..], false),
            (&[("LANG", "en_GB.UTF-8")], true),
            (&[("LANG", "de_DE.utf8")], true),
            (&[("LANG", "C")], false),
            (&[("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")], false),
            (&[("LANG", "en_GB.UTF-8"), ("LC_ALL", "")], true),
            (&[("LANG", "C"), ("LC_CTYPE", "C.UTF-8")], true),
            (&[("LC_ALL", "POSIX"), ("LC_CTYPE", "C.UTF-8")], false),
        ] {
            let value = |name: &str| {
                variables.iter().find(|(other, _)| *other == name).map(|(_, v)| (*v).to_owned())
            };
            assert_eq!(names_utf8(value), expected, "{variables:?}");
        }
    }
}
