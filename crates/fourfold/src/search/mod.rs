//! Textbook search: minimax and alpha-beta over any [`Tree`], with every optimisation a switch that
//! can be measured.
//!
//! The pieces, lowest first:
//! - [`Tree`] is what the algorithms walk. A position with an evaluator ([`PositionTree`]) is one,
//!   a tree that lies in memory ([`ExplicitTree`], built from a position, typed by hand, or made at
//!   random) is another.
//! - [`Observer`] sees what happens; [`Counters`] count it, [`Trace`] writes it down in words, `()`
//!   costs nothing.
//! - [`SearchOptions`] holds the switches, each described once in [`SWITCHES`].
//! - [`search_tree`] runs a search over any tree, [`search_numbered`] over a tree in memory with
//!   every switch that its positions serve; [`Searcher`] does so for positions and remembers
//!   between moves.
//! - [`monte_carlo`] is the other family: playouts instead of an evaluator, a tree grown by UCT.
//!
//! # The words
//! MAX is the side whose score is maximised: the side to move at the root. MIN is the other. Inside
//! a search all values are MAX's. A *node* is every position visited, root and leaves included. A
//! *leaf* is a node that was not searched further: the game had ended, or the horizon was reached
//! and the evaluator was asked.
//!
//! This layer is built to be read, counted and switched. The exact solver, built for speed alone,
//! is another module, and the two do not know each other.

mod alphabeta;
mod explicit;
mod limits;
mod line;
mod mcts;
mod minimax;
mod numbered;
mod observer;
mod options;
mod position_tree;
mod report;
mod root;
mod searcher;
mod table;

mod trace;
mod tree;
mod typed;

pub use crate::budget::Halt;
pub use explicit::{ExplicitTree, NodeId, TreeSizeError};
pub use limits::Limits;
pub use mcts::{MctsMove, MctsOptions, MctsReport, PlayoutPolicy, monte_carlo};
pub use numbered::search_numbered;
pub use observer::{Counters, LeafKind, Lookup, Observer, PreferReason, SkipReason};
pub use options::{Effect, OptionError, SWITCHES, SearchOptions, Switch, SwitchKind, Tie, nearest};
pub use position_tree::PositionTree;
pub use report::{Bound, Ended, Report, RootMove, SearchError};
pub use root::search_tree;
pub use searcher::{PositionMove, PositionReport, Searcher};

pub use trace::{Step, Trace, value_text};
pub use tree::{Keyed, Tree, Turn, Window};
pub use typed::TypedTreeError;
