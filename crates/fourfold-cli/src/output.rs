//! How results are shown: numbers for people, aligned tables, colour when wanted.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// Buffered standard output. Flush it before the command ends, so that a full disk or a closed pipe
/// is noticed.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// Tells something on standard error. If nobody listens there, that is no reason to stop.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

pub(crate) use fourfold_app::text::{Paint, ascii, grouped, quoted, rate, table, time};

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
