//! The exact solver for gravity games that a line of four wins: who wins from any position, and how soon.
//!
//! Built for speed alone: bit boards in the layout that suits the size, null windows, forced moves played out, static
//! bounds from follow-up strategies ([`Bounds`]), two exact tables, and an order of moves tuned on the number of nodes. How each
//! works is told in `docs/solver.md`. The textbook searches are another module, and the two do not know each other.

mod bounds;
mod cpu;
mod facade;
mod field;
mod layout;
mod opening;
mod order;
mod search;
#[cfg(test)]
mod soundness;
mod table;

pub use crate::halt::Halt;
pub use bounds::Bounds;
pub use facade::{ColumnScore, SolveError, SolveLimits, Solved, Solver, SolverOptions};
