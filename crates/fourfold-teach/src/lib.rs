#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`request`]: the questions and answers of the contract.
//! - [`fault`]: the mistakes that are known; [`search`]: one search that makes them on demand.
//! - [`suite`]: the questions that tell them apart.

// Front ends print; the grader hands results over.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod diagnosis;
pub mod expand;
pub mod fault;
pub mod request;
pub mod search;
pub mod suite;
mod world;

pub use fault::{Fault, Faults};
pub use request::{Algorithm, Answer, AnswerError, Board, Input, Node, Problem};
pub use suite::Part;
