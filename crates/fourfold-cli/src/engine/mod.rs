//! The engine protocol: UCI's verbs on standard input and output, as `docs/engine.md` tells it.
//!
//! ```text
//! session   who is asked what, in which order: commands in, answers out, `isready` and `stop` while a search runs
//! request   `position` and `go`, read and checked
//! options   everything that `setoption` can set, described once
//! think     searches, and the lines they tell about themselves
//! telling   scores and lines as the protocol writes them, and read back
//! ```
//!
//! No input ends a session but `quit` and its end: what is not understood is answered by a line
//! that says why.

mod options;
mod request;
mod session;
mod telling;
mod think;

pub(crate) use options::Settings;
pub(crate) use session::run;
pub(crate) use telling::{Told, read_told};
