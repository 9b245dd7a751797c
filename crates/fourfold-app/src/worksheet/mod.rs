//! Exercises to do by hand, with their answers: random trees to evaluate, to prune and to reorder,
//! positions of tic-tac-toe to evaluate and to play to the end, and things to count.
//!
//! The same [`Sheet`] gives the same exercises. Each tree comes with the numbers from which
//! `fourfold tree --random` grows it. The service hands them out as JSON; [`paper`] writes them as
//! a page to print or as text.

mod boards;
pub mod paper;
mod trees;

pub use boards::{CountingTask, EndgameTask, EvaluationTask, OpenLines};
pub use trees::TreeTask;

use fourfold::budget::Budget;
use fourfold::random::Random;
use fourfold::solver::SolverPool;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The value of every node.
    Values,
    /// The best move and the line that is expected.
    Best,
    /// What alpha-beta cuts.
    Cuts,
    /// Alpha and beta at every node.
    Windows,
    /// The order in which alpha-beta visits the fewest leaves.
    Order,
    /// What an evaluator says of a position.
    Evaluation,
    /// Nodes, leaves, games or positions.
    Counting,
    /// How every move of a position ends.
    Endgames,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Values,
        Self::Best,
        Self::Cuts,
        Self::Windows,
        Self::Order,
        Self::Evaluation,
        Self::Counting,
        Self::Endgames,
    ];

    /// As it is typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Best => "best",
            Self::Cuts => "cuts",
            Self::Windows => "windows",
            Self::Order => "order",
            Self::Evaluation => "evaluation",
            Self::Counting => "counting",
            Self::Endgames => "endgames",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The topics of a lesson, each with its kinds of exercises.
pub const TOPICS: [(&str, &[Kind]); 6] = [
    ("minimax", &[Kind::Values, Kind::Best]),
    ("cuts", &[Kind::Cuts, Kind::Windows]),
    ("order", &[Kind::Order]),
    ("evaluation", &[Kind::Evaluation]),
    ("counting", &[Kind::Counting]),
    ("endgames", &[Kind::Endgames]),
];

/// How many exercises a sheet may have.
pub const COUNTS: RangeInclusive<u64> = 1..=24;
/// Children of a node.
pub const BRANCHES: RangeInclusive<u64> = 2..=5;
/// Levels below the root.
pub const LEVELS: RangeInclusive<u64> = 2..=5;
/// More leaves do not fit across a sheet of paper.
pub const MOST_LEAVES: u64 = 32;
/// Attempts to find a good exercise before any will do.
const TRIES: u64 = 500;

/// What a sheet is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The kinds of exercises, in turn.
    pub kinds: Vec<Kind>,
    /// How many exercises.
    pub count: u64,
    /// Children of every node of a tree.
    pub branches: u64,
    /// Levels of a tree below its root.
    pub levels: u64,
    /// What everything random comes from.
    pub seed: u64,
}

/// Why there is no sheet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// Too wide for paper.
    #[error(
        "{leaves} leaves do not fit on paper, only {MOST_LEAVES}: take fewer levels or branches"
    )]
    TooWide {
        /// The leaves of a tree.
        leaves: u64,
    },
    /// No kind of exercise was asked for.
    #[error("a sheet needs a kind of exercise")]
    NoKinds,
    /// Somebody stopped the work.
    #[error("stopped before the sheet was ready")]
    Stopped,
    /// Too little memory, most likely.
    #[error("{0}")]
    Internal(String),
}

impl SheetError {
    fn internal(why: impl std::fmt::Display) -> Self {
        Self::Internal(why.to_string())
    }
}

/// An exercise with its answer.
#[derive(Debug)]
pub struct Exercise {
    /// What is asked.
    pub kind: Kind,
    /// About what, and the answer.
    pub task: Task,
}

/// What an exercise is about.
#[derive(Debug)]
pub enum Task {
    /// A tree of numbers.
    Tree(Box<TreeTask>),
    /// A position whose moves are to be judged exactly.
    Endgame(EndgameTask),
    /// A position to be evaluated.
    Evaluation(EvaluationTask),
    /// Something to be counted.
    Counting(CountingTask),
}

impl Sheet {
    /// Whether trees of this size fit on paper, and there is something to ask.
    ///
    /// # Errors
    /// If not.
    pub fn check(&self) -> Result<(), SheetError> {
        let leaves = self.branches.saturating_pow(self.levels as u32);
        if self.kinds.is_empty() {
            return Err(SheetError::NoKinds);
        }
        if leaves > MOST_LEAVES { Err(SheetError::TooWide { leaves }) } else { Ok(()) }
    }

    /// The same sheet for somebody else: another seed, made from this one and a name.
    #[must_use]
    pub fn for_name(&self, name: &str) -> Self {
        Self { seed: seed_of(self.seed, name), ..self.clone() }
    }

    /// The exercises with their answers.
    ///
    /// # Errors
    /// If the sheet makes no sense, memory is lacking, or somebody stopped the work.
    pub fn exercises(
        &self,
        pool: &SolverPool,
        budget: &Budget,
    ) -> Result<Vec<Exercise>, SheetError> {
        self.check()?;
        let exercise = |index: u64| {
            let kind = self.kinds[(index % self.kinds.len() as u64) as usize];
            // Each exercise has a seed of its own, so that its neighbours do not change it.
            let seed = Random::for_item(self.seed, index).next_u64();
            let task = match kind {
                Kind::Endgames => Task::Endgame(EndgameTask::random(seed, pool, budget)?),
                Kind::Evaluation => Task::Evaluation(EvaluationTask::random(seed)?),
                Kind::Counting => Task::Counting(CountingTask::random(seed)),
                _ => {
                    let task = TreeTask::random(kind, self.branches, self.levels, seed)?;
                    Task::Tree(Box::new(task))
                }
            };
            Ok(Exercise { kind, task })
        };
        (0..self.count).map(exercise).collect()
    }

    /// The sheet with its exercises, for programs.
    #[must_use]
    pub fn json(&self, exercises: &[Exercise]) -> Value {
        let Self { kinds, count, branches, levels, seed } = self;
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let exercises: Vec<Value> = exercises.iter().map(Exercise::json).collect();
        json!({
            "kinds": kinds, "count": count, "branches": branches, "levels": levels, "seed": seed,
            "exercises": exercises,
        })
    }
}

impl Exercise {
    fn json(&self) -> Value {
        let mut json = match &self.task {
            Task::Tree(task) => task.json(),
            Task::Endgame(task) => task.json(),
            Task::Evaluation(task) => task.json(),
            Task::Counting(task) => task.json(),
        };
        json["kind"] = self.kind.name().into();
        json
    }
}

/// A seed made from a seed and a name (64-bit FNV-1a), short enough to copy by hand.
#[must_use]
pub fn seed_of(seed: u64, name: &str) -> u64 {
    let bytes = seed.to_le_bytes().into_iter().chain(name.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Random::new(hash).below(1_000_000) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold::book::Books;
    use fourfold::solver::SolverOptions;

    fn sheet(kinds: &[Kind], seed: u64) -> Sheet {
        Sheet { kinds: kinds.to_vec(), count: 24, branches: 3, levels: 2, seed }
    }

    fn made(sheet: &Sheet) -> Vec<Exercise> {
        let pool = SolverPool::new(SolverOptions::default(), Books::None);
        sheet.exercises(&pool, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn a_sheet_comes_again_and_names_change_it() {
        let one = sheet(&Kind::ALL, 7);
        assert_eq!(one.json(&made(&one)), one.json(&made(&one)));
        let two = one.for_name("Ada");
        assert_ne!(one.json(&made(&one))["exercises"], two.json(&made(&two))["exercises"]);
        assert_eq!(two, one.for_name("Ada"));
        assert_ne!(two.seed, one.for_name("Bob").seed);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let wide = Sheet { branches: 5, levels: 3, ..sheet(&Kind::ALL, 1) };
        assert_eq!(wide.check(), Err(SheetError::TooWide { leaves: 125 }));
        assert_eq!(sheet(&[], 1).check(), Err(SheetError::NoKinds));
    }

    #[test]
    fn every_kind_has_a_topic() {
        for kind in Kind::ALL {
            assert_eq!(TOPICS.iter().filter(|(_, kinds)| kinds.contains(&kind)).count(), 1);
            assert_eq!(Kind::named(kind.name()), Some(kind));
        }
    }
}
