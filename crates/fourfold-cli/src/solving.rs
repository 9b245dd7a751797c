//! What the commands that solve share: the solver's options, its budget, and one solver for
//! whichever game comes next.

use crate::arguments::mebibytes;
use crate::failure::Failure;
use clap::builder::PossibleValuesParser;
use fourfold::game::{Position, Rules};
use fourfold::score::Verdict;
use fourfold::solver::{Bounds, Progress, SolveLimits, Solver, SolverOptions};
use fourfold_app::books::Books;
use fourfold_app::files::{MOST_BOOK_BYTES, read_bytes};
use fourfold_app::watch::Watch;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How the solver is made.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SolverArgs {
    /// Memory for the transposition table, in MiB or with a unit (64M, 2G); more helps positions
    /// that take long
    #[arg(long, default_value_t = SolverOptions::default().memory, value_name = "SIZE")]
    #[arg(value_parser = mebibytes)]
    memory: u32,

    /// Turn off a static bound of the solver, to see what it saves; scores stay the same. May be
    /// repeated
    #[arg(long, value_name = "BOUND", value_parser = PossibleValuesParser::new(bound_names()))]
    without: Vec<String>,

    /// Use the portable code even if this processor has faster instructions
    #[arg(long, hide = true)]
    portable: bool,
}

fn bound_names() -> Vec<&'static str> {
    Bounds::NAMES.iter().map(|(name, _)| *name).collect()
}

impl SolverArgs {
    /// The options as the library has them.
    pub(crate) fn options(&self) -> SolverOptions {
        // The names were checked when the arguments were read, so none is ignored.
        let bounds = self
            .without
            .iter()
            .fold(Bounds::ALL, |bounds, name| bounds.without(name).unwrap_or(bounds));
        SolverOptions {
            memory: self.memory,
            bounds,
            portable: self.portable,
            ..SolverOptions::default()
        }
    }

    /// A solver for a game.
    pub(crate) fn solver_for(&self, rules: &Rules) -> Result<Solver, Failure> {
        Solver::new(rules, self.options()).map_err(Failure::runtime)
    }
}

/// Which book the solver asks before it searches.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct BookArgs {
    /// Use this opening book instead of the one that comes with the program; see 'fourfold book'
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Use no opening book: search everything
    #[arg(long, conflicts_with = "book")]
    pub(crate) no_book: bool,
}

impl BookArgs {
    /// The books that were asked for.
    pub(crate) fn books(&self) -> Result<Books, Failure> {
        Ok(match (&self.book, self.no_book) {
            (Some(path), _) => Books::from_file(path)?,
            (None, true) => Books::None,
            (None, false) => Books::Embedded,
        })
    }
}

/// A solver that is replaced when the game changes. Within a game it keeps its table.
#[derive(Debug)]
pub(crate) struct AnyGame {
    options: SolverOptions,
    books: Books,
    solver: Option<Solver>,
}

impl AnyGame {
    /// No solver yet.
    pub(crate) fn new(options: SolverOptions, books: Books) -> Self {
        Self { options, books, solver: None }
    }

    /// The solver for the game of a position.
    pub(crate) fn solver_for(&mut self, rules: &Rules) -> Result<&mut Solver, Failure> {
        // The old table goes before the new one is asked for.
        let kept = self.solver.take().filter(|solver| solver.rules() == rules);
        let solver = match kept {
            Some(solver) => solver,
            None => {
                let solver = Solver::new(rules, self.options).map_err(Failure::runtime)?;
                solver.with_book(self.books.book_for(rules)?)
            }
        };
        Ok(self.solver.insert(solver))
    }
}

/// What may be spent on one position, however many searches that takes.
#[derive(Debug)]
pub(crate) struct Budget {
    nodes: Option<u64>,
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    spent: u64,
}

impl Budget {
    /// A budget whose time runs from now.
    pub(crate) fn new(nodes: Option<u64>, time: Option<Duration>, watch: &Watch) -> Self {
        let Watch { stop, progress } = watch;
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { nodes, deadline, stop: Arc::clone(stop), progress: Arc::clone(progress), spent: 0 }
    }

    /// What is left of it.
    pub(crate) fn limits(&self) -> SolveLimits {
        SolveLimits {
            nodes: self.nodes.map(|nodes| nodes.saturating_sub(self.spent)),
            time: self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            stop: Some(Arc::clone(&self.stop)),
            progress: Some(Arc::clone(&self.progress)),
        }
    }

    /// Takes nodes off it.
    pub(crate) fn spend(&mut self, nodes: u64) {
        self.spent += nodes;
    }

    /// The nodes spent so far.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// How many moves the game still lasts if both play their best: to the win, or until the board is
/// full.
pub(crate) fn moves_to_the_end(verdict: Verdict, position: &Position) -> Option<u32> {
    match verdict {
        Verdict::Win { plies } | Verdict::Loss { plies } => plies,
        Verdict::Draw => Some(position.empty()),
        Verdict::Estimate(_) => None,
    }
}

/// The bytes of a book or journal; a failure names the file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    read_bytes(path, MOST_BOOK_BYTES).map_err(Failure::runtime)
}
