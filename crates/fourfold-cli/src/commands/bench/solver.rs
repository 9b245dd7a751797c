//! The exact solver on a fixed list of positions, each solved alone: its share of `fourfold bench`.

use crate::failure::Failure;
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::game::notation;
use fourfold::solver::{Solver, SolverOptions};
use serde::Serialize;
use std::time::{Duration, Instant};

/// From random games; between them they use every layout of the board that the solver has.
const POSITIONS: [(&str, &str); 6] = [
    ("7x6c4", "74455713615414"),
    ("7x6c4", "615425377762435574"),
    ("7x6c4", "234664417671"),
    ("7x6c4", "16265222572663"),
    ("6x8c4", "131534645436443361"),
    ("9x7c4", "31175288832385937849577126279238953949"),
];

/// What the list took.
#[derive(Debug, Default)]
pub(super) struct SolverTotals {
    pub(super) nodes: u64,
    pub(super) spent: Duration,
}

#[derive(Serialize)]
pub(super) struct SolverRow {
    positions: usize,
    nodes: u64,
    time_ms: f64,
    nodes_per_second: f64,
}

/// Solves the list with the default options.
pub(super) fn measure() -> Result<SolverTotals, Failure> {
    let mut measured = SolverTotals::default();
    for (game, text) in POSITIONS {
        let rules: Rules = game.parse().map_err(Failure::runtime)?;
        let entry = notation::Reader::new().rules(&rules).read(text).map_err(Failure::runtime)?;
        let mut solver = Solver::new(&rules, SolverOptions::default()).map_err(Failure::runtime)?;
        let began = Instant::now();
        let solved =
            solver.solve(&entry.position, &Budget::unlimited()).map_err(Failure::runtime)?;
        measured.spent += began.elapsed();
        measured.nodes += solved.nodes;
    }
    Ok(measured)
}

impl SolverTotals {
    pub(super) fn row(&self) -> SolverRow {
        SolverRow {
            positions: POSITIONS.len(),
            nodes: self.nodes,
            time_ms: self.spent.as_secs_f64() * 1e3,
            nodes_per_second: self.nodes as f64 / self.spent.as_secs_f64().max(1e-9),
        }
    }
}
