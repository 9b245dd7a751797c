//! The exact solver: who wins from any position of any game, and how soon.
//!
//! Two searches behind one front: one for lines of four with gravity, one (`general`) for all other
//! rules. Built for speed alone: bit boards in the layout that suits the size, null windows, forced
//! moves played out, static bounds from follow-up strategies ([`Bounds`]), two exact tables, and an
//! order of moves tuned on the number of nodes or learned. How each works is told in
//! `docs/solver.md`. The textbook searches are another module, and the two do not know each other.

mod account;
mod bounds;
mod cpu;
mod experience;
mod facade;
mod field;
mod general;
mod lanes;
mod layout;
mod learned;
mod opening;
mod order;
mod search;
mod shared;
#[cfg(test)]
mod soundness;
mod table;
mod team;

pub use crate::halt::Halt;
pub use crate::progress::{Progress, Question};
pub use bounds::Bounds;
pub use facade::{
    Analysis, ColumnScore, Line, SolveError, SolveLimits, Solved, Solver, SolverOptions,
};
