//! What the commands that solve share: the solver's options, its budget, and one solver for
//! whichever game comes next.

use crate::arguments::mebibytes;
use crate::failure::Failure;
use clap::builder::{PossibleValue, PossibleValuesParser};
use fourfold::book::{Book, Books};
use fourfold::game::{Position, Rules};
use fourfold::score::Verdict;
use fourfold::solver::{
    Idea, Ideas, LentSolver, MoveOrder, Solver, SolverOptions, SolverPool, WeightsFile,
};
use fourfold_app::books::{BookFileError, MAX_BOOK_BYTES, read_book};
use fourfold_app::text::capital;
use fourfold_lab::files::read_bytes;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the solver is made.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SolverArgs {
    /// Memory for the transposition table, in MiB or with a unit (64M, 2G); more helps positions
    /// that take long
    #[arg(long, default_value_t = SolverOptions::default().memory, value_name = "SIZE")]
    #[arg(value_parser = mebibytes)]
    memory: u32,

    /// Leave out ideas of the solver, to see what they save; scores stay the same. Several are
    /// separated by commas
    #[arg(long, value_name = "IDEA", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(ideas()))]
    without: Vec<String>,

    /// Use the portable code even if this processor has faster instructions
    #[arg(long, hide = true)]
    portable: bool,
}

fn ideas() -> Vec<PossibleValue> {
    let value = |idea: &Idea| PossibleValue::new(idea.name()).help(capital(idea.without_it()));
    Idea::ALL.iter().map(value).collect()
}

impl SolverArgs {
    /// The options as the library has them.
    pub(crate) fn options(&self) -> SolverOptions {
        // The names were checked when the arguments were read, so none is ignored.
        let less = |ideas: Ideas, name: &String| {
            Idea::named(name).and_then(|idea| ideas.without(idea)).unwrap_or(ideas)
        };
        let ideas = self.without.iter().fold(Ideas::ALL, less);
        SolverOptions::default()
            .with_memory(self.memory)
            .with_ideas(ideas)
            .with_portable(self.portable)
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
    pub(crate) fn books(&self) -> Result<ChosenBooks, Failure> {
        let books = match (&self.book, self.no_book) {
            (Some(path), _) => Books::Only(Arc::new(read_book(path)?)),
            (None, true) => Books::None,
            (None, false) => Books::Embedded,
        };
        Ok(ChosenBooks { books, file: self.book.clone() })
    }
}

/// The books of a command, and the file if one was named.
#[derive(Debug, Clone)]
pub(crate) struct ChosenBooks {
    pub(crate) books: Books,
    file: Option<PathBuf>,
}

impl ChosenBooks {
    /// The book for a game. A book that was named must be of that game.
    pub(crate) fn book_for(&self, rules: &Rules) -> Result<Option<Arc<Book>>, Failure> {
        self.check(rules)?;
        Ok(self.books.book_for(rules))
    }

    fn check(&self, rules: &Rules) -> Result<(), Failure> {
        match (&self.books, &self.file) {
            (Books::Only(book), Some(path)) if book.rules() != rules => {
                let (path, made_for, game) = (path.clone(), *book.rules(), *rules);
                Err(BookFileError::OtherGame { path, made_for, game }.into())
            }
            _ => Ok(()),
        }
    }
}

/// What orders the solver's moves.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct OrderArgs {
    /// Order moves by the networks in this file, which must be of the same game or for every board;
    /// see 'fourfold weights' and 'fourfold train order'. Scores stay the same
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Order moves by tuned weights alone, without networks; scores stay the same
    #[arg(long, conflicts_with = "weights")]
    no_weights: bool,
}

impl OrderArgs {
    /// The order that was asked for.
    pub(crate) fn order(&self) -> Result<ChosenOrder, Failure> {
        let order = match (&self.weights, self.no_weights) {
            (Some(path), _) => MoveOrder::Learned(read_weights(path)?),
            (None, true) => MoveOrder::Tuned,
            (None, false) => MoveOrder::Embedded,
        };
        Ok(ChosenOrder { order, file: self.weights.clone() })
    }
}

/// The move order of a command, and the file if one was named.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChosenOrder {
    pub(crate) order: MoveOrder,
    file: Option<PathBuf>,
}

impl ChosenOrder {
    /// Weights that were named must be of the game.
    pub(crate) fn check(&self, rules: &Rules) -> Result<(), Failure> {
        match (&self.order, &self.file) {
            (MoveOrder::Learned(weights), Some(path)) => match weights.for_game(rules) {
                Ok(_) => Ok(()),
                Err(why) => Err(Failure::usage(format!("{}: {why}", path.display()))),
            },
            _ => Ok(()),
        }
    }
}

/// No file of weights is longer.
const MAX_WEIGHTS_BYTES: u64 = 4 << 20;

/// The weights in a file; a failure names it.
pub(crate) fn read_weights(path: &Path) -> Result<WeightsFile, Failure> {
    let bytes = read_bytes(path, MAX_WEIGHTS_BYTES)?;
    WeightsFile::read(&bytes).map_err(|why| Failure::invalid(format!("{}: {why}", path.display())))
}

/// The pool of solvers of a command, with the name of the book file for its messages.
#[derive(Debug)]
pub(crate) struct Solvers {
    pool: SolverPool,
    book: ChosenBooks,
    order: ChosenOrder,
}

impl Solvers {
    /// No solver yet; one is kept when it is not in use.
    pub(crate) fn new(options: SolverOptions, book: &ChosenBooks) -> Self {
        Self::ordered(options, book, &ChosenOrder::default())
    }

    /// The same with a move order.
    pub(crate) fn ordered(options: SolverOptions, book: &ChosenBooks, order: &ChosenOrder) -> Self {
        let pool = SolverPool::new(options, book.books.clone()).ordering_by(order.order.clone());
        Self { pool, book: book.clone(), order: order.clone() }
    }

    /// A solver for a game. A book and weights that were named must be of that game.
    pub(crate) fn lend(&self, rules: &Rules) -> Result<LentSolver<'_>, Failure> {
        self.book.check(rules)?;
        self.order.check(rules)?;
        self.pool.lend(rules).map_err(Failure::runtime)
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
    Ok(read_bytes(path, MAX_BOOK_BYTES)?)
}
