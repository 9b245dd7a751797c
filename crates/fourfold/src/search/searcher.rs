//! Searching positions: picks the word and the evaluator once, then everything is monomorphic.

use super::alphabeta::Tables;
use super::root::search_with;
use super::{
    Bound, Counters, Ended, Limits, PositionTree, Report, RootMove, SearchError, SearchOptions,
};
use crate::eval::{Evaluate, Evaluator, EvaluatorTask};
use crate::game::{Board, Move, Position, Rules, Side, Word};
use crate::score::Verdict;
use std::time::Duration;

/// Searches positions with one evaluator and one set of switches, and keeps its tables from move to
/// move.
///
/// ```
/// use fourfold::eval::Evaluator;
/// use fourfold::game::{Position, Rules};
/// use fourfold::score::Verdict;
/// use fourfold::search::{Limits, SearchOptions, Searcher};
///
/// let mut searcher = Searcher::new(Evaluator::Terminal, SearchOptions::default());
/// let report = searcher.search(&Position::new(Rules::TIC_TAC_TOE), &Limits::depth(9), 0)?;
/// assert_eq!(report.verdict, Verdict::Draw);
/// assert_eq!(report.line.len(), 9);
/// # Ok::<(), fourfold::search::SearchError<fourfold::game::Move>>(())
/// ```
#[derive(Debug)]
pub struct Searcher {
    evaluator: Evaluator,
    options: SearchOptions,
    remembered: Option<Remembered>,
}

/// The tables, and what their values depend on: the game and who is MAX.
#[derive(Debug)]
struct Remembered {
    rules: Rules,
    max: Side,
    tables: SomeTables,
}

#[derive(Debug)]
enum SomeTables {
    Narrow(Tables<Board<u64>>),
    Wide(Tables<Board<u128>>),
}

/// What a search of a position found, in terms of the game. Scores and verdicts are for the side to
/// move at the root.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PositionReport {
    /// What is known of the position.
    pub verdict: Verdict,
    /// The score behind the verdict.
    pub score: i32,
    /// The move to play; none if the game is over or the depth was 0.
    pub best: Option<Move>,
    /// The principal variation.
    pub line: Vec<Move>,
    /// Every legal move, in the order of [`Position::legal_moves`].
    pub moves: Vec<PositionMove>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Why the search ended.
    pub ended: Ended,
    /// What it did.
    pub counters: Counters,
    /// How long it took.
    pub elapsed: Duration,
}

/// A legal move and what the search found of it, for the side to move at the root.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PositionMove {
    /// The move.
    pub mv: Move,
    /// What it leads to; `None` if it was not tried.
    pub verdict: Option<Verdict>,
    /// The score behind the verdict.
    pub score: Option<i32>,
    /// How the score is to be read.
    pub bound: Bound,
    /// The move that this one mirrors, if it was skipped for that.
    pub same_as: Option<Move>,
    /// The principal variation, this move first.
    pub line: Vec<Move>,
    /// Nodes visited below it.
    pub nodes: u64,
}

impl Searcher {
    /// A searcher with empty tables.
    #[must_use]
    pub fn new(evaluator: Evaluator, options: SearchOptions) -> Self {
        Self { evaluator, options, remembered: None }
    }

    /// Its evaluator.
    #[must_use]
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Its switches.
    #[must_use]
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Searches a position. `seed` decides between equal moves if the options say so.
    ///
    /// # Errors
    /// If the evaluator is made for another game, memory is lacking, or a limit stopped the search
    /// before it had a result.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        seed: u64,
    ) -> Result<PositionReport, SearchError<Move>> {
        self.evaluator.check(position.rules())?;
        let clock = limits.budget.clock();
        let start = clock.now();
        let mut counters = Counters::default();
        let (rules, max) = (*position.rules(), position.to_move());
        // Values are MAX's; those of another game or another MAX would be wrong.
        let mut remembered = match self.remembered.take() {
            Some(remembered) if remembered.rules == rules && remembered.max == max => remembered,
            _ => Remembered { rules, max, tables: SomeTables::new(&rules, &self.options)? },
        };
        let job = Job { position, options: &self.options, limits, seed, counters: &mut counters };
        let outcome = match &mut remembered.tables {
            SomeTables::Narrow(tables) => {
                self.evaluator.give_to(position.rules(), max, Walk { job, tables })
            }
            SomeTables::Wide(tables) => {
                self.evaluator.give_to(position.rules(), max, Walk { job, tables })
            }
        };
        self.remembered = Some(remembered);
        let report = outcome?;
        let complete = report.depth >= position.empty() && self.options.forward == 0;
        let verdict = |value: i32| Verdict::of_score(value, position.ply(), complete);
        let mut moves: Vec<PositionMove> = report
            .moves
            .into_iter()
            .map(|found| PositionMove {
                mv: found.mv,
                verdict: found.value.map(verdict),
                score: found.value,
                bound: found.bound,
                same_as: found.same_as,
                line: found.line,
                nodes: found.nodes,
            })
            .collect();
        let order: Vec<Move> = rules.move_order().collect();
        moves.sort_by_key(|found| order.iter().position(|&mv| mv == found.mv));
        Ok(PositionReport {
            verdict: verdict(report.value),
            score: report.value,
            best: report.best,
            line: report.line,
            moves,
            depth: report.depth,
            ended: report.ended,
            counters,
            elapsed: clock.since(start),
        })
    }
}

impl SomeTables {
    fn new(rules: &Rules, options: &SearchOptions) -> Result<Self, SearchError<Move>> {
        let lacking = |bytes| SearchError::OutOfMemory { bytes };
        Ok(if rules.bits() <= u64::BITS {
            Self::Narrow(Tables::new(options).map_err(lacking)?)
        } else {
            Self::Wide(Tables::new(options).map_err(lacking)?)
        })
    }
}

/// What to search, and where to count.
struct Job<'a> {
    position: &'a Position,
    options: &'a SearchOptions,
    limits: &'a Limits,
    seed: u64,
    counters: &'a mut Counters,
}

/// A job whose word is known and whose evaluator is about to be.
struct Walk<'a, W> {
    job: Job<'a>,
    tables: &'a mut Tables<Board<W>>,
}

impl<W: Word> EvaluatorTask<W> for Walk<'_, W> {
    type Output = Result<Report<Move>, SearchError<Move>>;

    fn run<E: Evaluate<W>>(self, evaluator: E) -> Self::Output {
        let Job { position, options, limits, seed, counters } = self.job;
        let tree = PositionTree::<W, E>::new(position, evaluator, options);
        let move_of = PositionTree::<W, E>::game_move;
        search_with(&tree, options, limits, seed, counters, self.tables)
            .map(|report| report.map_moves(move_of))
            .map_err(|error| error.map_moves(move_of))
    }
}

impl<M> Report<M> {
    /// The same report with its moves named otherwise.
    fn map_moves<N>(self, mut name: impl FnMut(M) -> N) -> Report<N> {
        Report {
            value: self.value,
            best: self.best.map(&mut name),
            line: self.line.into_iter().map(&mut name).collect(),
            moves: self.moves.into_iter().map(|mv| mv.map_moves(&mut name)).collect(),
            depth: self.depth,
            nodes: self.nodes,
            ended: self.ended,
        }
    }
}

impl<M> RootMove<M> {
    fn map_moves<N>(self, name: &mut impl FnMut(M) -> N) -> RootMove<N> {
        RootMove {
            mv: name(self.mv),
            value: self.value,
            bound: self.bound,
            same_as: self.same_as.map(&mut *name),
            line: self.line.into_iter().map(name).collect(),
            nodes: self.nodes,
        }
    }
}

impl<M> SearchError<M> {
    fn map_moves<N>(self, mut name: impl FnMut(M) -> N) -> SearchError<N> {
        match self {
            Self::Interrupted { halt, finished, nodes } => SearchError::Interrupted {
                halt,
                finished: finished.into_iter().map(|mv| mv.map_moves(&mut name)).collect(),
                nodes,
            },
            Self::Unserved { switch } => SearchError::Unserved { switch },
            Self::OutOfMemory { bytes } => SearchError::OutOfMemory { bytes },
            Self::Evaluator(error) => SearchError::Evaluator(error),
        }
    }
}
