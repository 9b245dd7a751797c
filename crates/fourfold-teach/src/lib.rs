#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`request`]: the questions and answers of the contract.
//! - [`fault`]: the mistakes that are known; [`search`]: one search that makes them on demand.
//! - [`suite`]: the questions that tell them apart; [`confusion`]: those that cannot be.
//! - [`grade`]: a program asked and graded, by [`diagnosis`] (which mistakes explain the answers),
//!   [`shrink`] (the smallest question that goes wrong) and [`example`] (what was expected there);
//!   [`expand`] grows the tree of a position for that.
//! - [`player`]: whole players, asked for moves in the engine protocol.
//! - [`part`], [`rubric`] and [`report`]: what is graded, points, and the grades as text, HTML, CSV and JSON.
//! - [`templates`]: programs to start from.
//! - [`course`]: six lessons as pages, worksheets, exercises and notebooks.

// Front ends print; the grader hands results over.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod confusion;
pub mod course;
pub mod diagnosis;
pub mod example;
pub mod expand;
pub mod fault;
pub mod grade;
mod links;
pub mod part;
pub mod player;
pub mod report;
pub mod request;
pub mod rubric;
pub mod search;
pub mod shrink;
pub mod suite;
pub mod templates;
mod world;

pub use fault::{Fault, Faults};
pub use grade::{Exercise, Grade, Program, Reply};
pub use part::Part;
pub use request::{Algorithm, Answer, AnswerError, Board, Input, Node, Problem};
pub use rubric::Rubric;
pub use suite::SearchPart;
