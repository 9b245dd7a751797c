//! Everything that can end a command early, and the exit code it ends with.
//!
//! 0 all went well (a reader that closed the pipe counts as that), 1 something failed at run time,
//! 2 the command line makes no sense, 3 a position, game record or tree was refused.

use fourfold_app::books::BookFileError;
use fourfold_app::records::SaveError;
use fourfold_lab::files::{ReadError, WriteError};
use fourfold_lab::labels::LabelFileError;
use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Files, memory, interruption: exit 1.
    Runtime(String),
    /// Arguments that contradict each other or name what does not exist: exit 2.
    Usage(String),
    /// An invalid position (or record, or tree): exit 3.
    Invalid(String),
    /// A position on which a limit was reached first: exit 1, but the rest of a batch goes on.
    Unfinished(String),
    /// A batch in which this many positions were not finished, each already reported: exit 1.
    LeftUnfinished(usize),
    /// A batch in which this many lines were refused, each already reported: exit 3.
    Refused(usize),
    /// Graded programs, some of which are not right: exit 1.
    NotRight {
        /// How many.
        wrong: usize,
        /// Of how many.
        of: usize,
    },
    /// Whoever read our output has seen enough: exit 0, silently.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn runtime(message: impl Display) -> Self {
        Self::Runtime(message.to_string())
    }

    pub(crate) fn usage(message: impl Display) -> Self {
        Self::Usage(message.to_string())
    }

    pub(crate) fn invalid(message: impl Display) -> Self {
        Self::Invalid(message.to_string())
    }

    /// What to tell the user, if anything.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Self::Runtime(message)
            | Self::Usage(message)
            | Self::Invalid(message)
            | Self::Unfinished(message) => Some(message.clone()),
            Self::LeftUnfinished(1) => Some("1 position was not solved".to_owned()),
            Self::LeftUnfinished(count) => Some(format!("{count} positions were not solved")),
            Self::Refused(1) => Some("1 line was refused".to_owned()),
            Self::Refused(count) => Some(format!("{count} lines were refused")),
            // It was said already.
            Self::NotRight { of: 1, .. } => None,
            Self::NotRight { wrong, of } => Some(format!("{wrong} of {of} programs are not right")),
            Self::ClosedPipe => None,
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::ClosedPipe => 0,
            Self::Runtime(_)
            | Self::Unfinished(_)
            | Self::LeftUnfinished(_)
            | Self::NotRight { .. } => 1,
            Self::Usage(_) => 2,
            Self::Invalid(_) | Self::Refused(_) => 3,
        })
    }
}

impl From<BookFileError> for Failure {
    fn from(error: BookFileError) -> Self {
        match error {
            BookFileError::Read(error) => error.into(),
            BookFileError::Invalid { .. } | BookFileError::OtherGame { .. } => Self::invalid(error),
        }
    }
}

/// A file that cannot be read is a failure of the system; one with the wrong content is invalid.
impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io { .. } => Self::runtime(error),
            ReadError::TooLarge { .. } | ReadError::NotUtf8 { .. } => Self::invalid(error),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::runtime(error)
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        Self::runtime(error)
    }
}

impl From<LabelFileError> for Failure {
    fn from(error: LabelFileError) -> Self {
        match error {
            LabelFileError::Read(error) => error.into(),
            LabelFileError::Line { .. } => Self::invalid(error),
            LabelFileError::OtherOptions { .. } => Self::usage(error),
            _ => Self::runtime(error),
        }
    }
}

/// Errors of writing to standard output; a closed pipe is not the user's problem.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Runtime(format!("cannot write the output: {error}"))
        }
    }
}
