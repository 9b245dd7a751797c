//! The engine protocol: UCI commands on standard input and output, as `docs/engine.md` describes.
//!
//! ```text
//! session   commands in, answers out, in order; `isready` and `stop` while a search runs
//! request   `position` and `go`, read and checked
//! options   everything that `setoption` can set, described once
//! think     searches, and what they report
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
pub(crate) use telling::{SearchInfo, read_info};
