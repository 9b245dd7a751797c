//! Why a search was broken off: the same three reasons for the textbook searches and the exact
//! solver, which do not know each other.

/// Why a search was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// The node limit.
    #[error("the node limit was reached")]
    Nodes,
    /// The time limit.
    #[error("the time limit was reached")]
    Time,
    /// The stop flag.
    #[error("it was stopped")]
    Stopped,
}
