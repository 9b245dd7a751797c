//! Exact results: single positions, and batches over all cores.

use crate::board::{Board, cells_of_position, position_of_cells};
use crate::convert::{number, numbers};
use crate::errors::{FourfoldError, OptionError, Raise};
use crate::game::Game;
use crate::running::{Told, budget, run, run_whole};
use fourfold::book::{Book, Books};
use fourfold::budget::{Budget, Halt};
use fourfold::game::notation::slot;
use fourfold::game::{Board as Discs, Cell, Geometry, Move, Position, Rules};
use fourfold::score::Verdict;
use fourfold::solver::{
    AnalysisOptions, LentSolver, MoveAnalysis, MoveOrder, SolveError, Solved, Solver,
    SolverOptions, SolverPool, WeightsFile,
};
use fourfold::workers::{Threads, share_out};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Nodes that a position may take on the calling thread. What needs more is worth a thread of its
/// own, while the calling one watches for signals.
const QUICK_NODES: u64 = 2000;

/// How long a batch is worked on by the calling thread.
const QUICK_TIME: Duration = Duration::from_millis(5);

/// Positions of a batch between two looks at the clock.
const CLOCK_INTERVAL: usize = 4;

/// Books are smaller than this many bytes.
const LARGEST_BOOK: u64 = 1 << 30;

/// Weights of the move order are smaller than this many bytes.
const LARGEST_WEIGHTS: u64 = 4 << 20;

/// The solvers behind `fourfold.Solver`: one that all threads work on together, and one a thread
/// for batches.
#[pyclass(frozen)]
#[derive(Debug)]
pub(crate) struct SolverCore {
    together: SolverPool,
    apart: SolverPool,
    threads: usize,
    books: Books,
    order: MoveOrder,
}

impl SolverCore {
    fn lend<'a>(&self, pool: &'a SolverPool, rules: &Rules) -> PyResult<LentSolver<'a>> {
        if let MoveOrder::Learned(weights) = &self.order {
            weights.for_game(rules).map_err(|why| OptionError::new_err(why.to_string()))?;
        }
        match &self.books {
            Books::Only(book) if book.rules() != rules => {
                Err(OptionError::new_err(format!("the book is for {}, not {rules}", book.rules())))
            }
            _ => pool.lend(rules).map_err(Raise::raise),
        }
    }
}

impl SolverCore {
    /// The solver of single positions, for a game.
    pub(crate) fn lend_one(&self, rules: &Rules) -> PyResult<LentSolver<'_>> {
        self.lend(&self.together, rules)
    }

    /// A solver of batches, for a game.
    pub(crate) fn lend_for_batch(&self, rules: &Rules) -> PyResult<LentSolver<'_>> {
        self.lend(&self.apart, rules)
    }

    /// The same on a thread without the interpreter lock, once the book is known to suit the game.
    pub(crate) fn lend_unchecked(&self, rules: &Rules) -> Result<LentSolver<'_>, SolveError> {
        self.apart.lend(rules)
    }
}

/// A number of threads from Python; none means as many as there are processors.
pub(crate) fn threads_given(count: Option<usize>) -> PyResult<usize> {
    let threads = count.map_or_else(|| Ok(Threads::available()), Threads::new);
    threads.map(Threads::get).map_err(|why| OptionError::new_err(why.to_string()))
}

/// `win`, `draw` or `loss`, for the side to move.
pub(crate) fn result_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win { .. } => "win",
        Verdict::Draw => "draw",
        Verdict::Loss { .. } => "loss",
        Verdict::Estimate(_) => "estimate",
    }
}

fn refuse(path: &Path, why: &dyn std::fmt::Display) -> PyErr {
    OptionError::new_err(format!("{}: {why}", path.display()))
}

/// The bytes of a file, unless there are too many for what it should be.
fn read_whole(path: &Path, largest: u64, what: &str) -> PyResult<Vec<u8>> {
    if std::fs::metadata(path)?.len() > largest {
        return Err(refuse(path, &format!("the file is too large for {what}")));
    }
    Ok(std::fs::read(path)?)
}

fn read_book(path: &Path) -> PyResult<Book> {
    let bytes = read_whole(path, LARGEST_BOOK, "a book")?;
    Book::read(&bytes).map_err(|why| refuse(path, &why))
}

fn read_weights(path: &Path) -> PyResult<WeightsFile> {
    let bytes = read_whole(path, LARGEST_WEIGHTS, "weights")?;
    WeightsFile::read(&bytes).map_err(|why| refuse(path, &why))
}

#[pymethods]
impl SolverCore {
    #[new]
    #[pyo3(signature = (memory, threads, book, path, networks, weights))]
    fn new(
        memory: Option<u32>,
        threads: Option<usize>,
        book: bool,
        path: Option<PathBuf>,
        networks: bool,
        weights: Option<PathBuf>,
    ) -> PyResult<Self> {
        let order = match weights {
            Some(path) => MoveOrder::Learned(read_weights(&path)?),
            None if networks => MoveOrder::Embedded,
            None => MoveOrder::Tuned,
        };
        let books = match path {
            Some(path) => Books::Only(Arc::new(read_book(&path)?)),
            None if book => Books::Embedded,
            None => Books::None,
        };
        let options = SolverOptions::default();
        let memory = memory.unwrap_or(options.memory);
        if memory == 0 {
            return Err(OptionError::new_err("the memory is a number of MiB of at least 1, not 0"));
        }
        let options = options.with_memory(memory);
        let cooperating = threads_given(Some(threads.unwrap_or(1)))?;
        let threads = threads_given(threads)?;
        let pool = |threads: usize, kept: usize| {
            SolverPool::new(options.with_threads(threads as u32), books.clone())
                .keeping(u64::from(memory) * kept as u64)
                .ordering_by(order.clone())
        };
        let (together, apart) = (pool(cooperating, 1), pool(1, threads));
        Ok(Self { together, apart, threads, books, order })
    }

    /// Forgets what is proven.
    fn forget(&self, py: Python<'_>) {
        py.detach(|| {
            self.together.forget();
            self.apart.forget();
        });
    }

    /// Score, result, plies, words, nodes.
    #[pyo3(signature = (board, weak, nodes, time))]
    fn solve(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        weak: bool,
        nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<(i32, &'static str, Option<u32>, String, u64)> {
        let position = board.try_borrow()?.position;
        let (budget, stop) = budget(nodes, time)?;
        let mut solver = self.lend_one(position.rules())?;
        let mut solve = |budget: &Budget| {
            if weak {
                solver.solve_weakly(&position, budget)
            } else {
                solver.solve(&position, budget)
            }
        };
        let mut solved = py.detach(|| solve(&budget.part().with_nodes(QUICK_NODES)));
        if matches!(solved, Err(SolveError::Unfinished { .. })) && budget.exhausted().is_none() {
            solved = run_whole(py, &stop, || solve(&budget))?;
        }
        let verdict = solved.map_err(|why| of_all(why, &budget).raise())?;
        let Solved { score, verdict, .. } = verdict;
        Ok((score, result_name(verdict), verdict.plies(), verdict.to_string(), budget.spent()))
    }

    /// What is known of every move, the line, nodes, and why it ended early.
    #[pyo3(signature = (board, weak, line, nodes, time))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, Board>,
        weak: bool,
        line: bool,
        nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = board.try_borrow()?.position;
        let rules = position.rules();
        let (budget, stop) = budget(nodes, time)?;
        let mut solver = self.lend_one(rules)?;
        let options = AnalysisOptions::default().with_weak(weak).with_line(line);
        let mut analyse = |budget: &Budget| solver.analyse_with(&position, options, budget, |_| ());
        let mut analysis = py.detach(|| analyse(&budget.part().with_nodes(QUICK_NODES)));
        if matches!(&analysis, Ok(found) if found.stopped.is_some()) && budget.exhausted().is_none()
        {
            analysis = run_whole(py, &stop, || analyse(&budget))?;
        }
        let analysis = analysis.map_err(Raise::raise)?;
        let moves: Vec<_> = analysis
            .moves
            .iter()
            .map(|found| {
                let verdict = found.exact().map(|exact| exact.verdict);
                let (lower, upper) = found.bounds();
                let result = verdict.map(result_name);
                let words = verdict.map(|verdict| verdict.to_string());
                let plies = verdict.and_then(Verdict::plies);
                (number(rules, found.mv()), lower, upper, result, plies, words)
            })
            .collect();
        let dict = PyDict::new(py);
        dict.set_item("moves", moves)?;
        dict.set_item("line", analysis.line.map(|line| numbers(rules, &line)))?;
        dict.set_item("nodes", budget.spent())?;
        dict.set_item("stopped", analysis.stopped.map(|halt| halt.to_string()))?;
        Ok(dict)
    }

    /// Scores of many positions, as the bytes of 32-bit floats, NaN where there is none; how many
    /// positions are done, and the exception that ended the batch early.
    #[pyo3(signature = (batch, columns, weak, nodes, time, threads, tell))]
    #[allow(clippy::too_many_arguments)]
    fn batch<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'_, Batch>,
        columns: bool,
        weak: bool,
        nodes: Option<u64>,
        time: Option<f64>,
        threads: Option<usize>,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyByteArray>, usize, Option<PyErr>)> {
        let Batch { rules, positions } = batch.get();
        let threads = threads.map_or(Ok(self.threads), |count| threads_given(Some(count)))?;
        let threads = threads.min(positions.len().max(1));
        let time = time.map(crate::running::duration).transpose()?;
        let width = if columns { rules.most_moves() as usize } else { 1 };
        let question = Question { columns, weak, nodes, time };
        let mut scores = vec![f32::NAN; positions.len() * width];
        // What is wrong is told at once, before any work.
        let mut solver = self.lend_for_batch(rules)?;
        let left = py.detach(|| quick(&mut solver, positions, &question, &mut scores, width));
        let left = left.map_err(Raise::raise)?;
        drop(solver);
        let done = AtomicUsize::new(positions.len() - left.len());
        let mut interrupted = None;
        if !left.is_empty() {
            let (whole, stop) = budget(None, None)?;
            let mut told = Told::new(tell);
            let mut failure = None;
            let work = || {
                share_out(
                    left.iter(),
                    threads,
                    || self.lend_unchecked(rules),
                    |solver, &index| {
                        let solver = solver.as_mut().map_err(|why| why.clone())?;
                        let budget = whole.part().with_nodes(nodes).with_time(time);
                        let mut row = vec![f32::NAN; width];
                        question.answer(solver, &positions[index], &budget, &mut row)?;
                        Ok::<_, SolveError>((index, row))
                    },
                    |_, row| match row {
                        Ok(_) if whole.is_stopped() => ControlFlow::Break(()),
                        Ok((index, row)) => {
                            scores[index * width..][..width].copy_from_slice(&row);
                            done.fetch_add(1, Ordering::Relaxed);
                            ControlFlow::Continue(())
                        }
                        Err(why) => {
                            failure = Some(why);
                            ControlFlow::Break(())
                        }
                    },
                );
            };
            interrupted =
                run(py, &stop, work, |py| told.tell(py, done.load(Ordering::Relaxed))).interrupted;
            if let Some(why) = failure {
                return Err(why.raise());
            }
        }
        let bytes = PyByteArray::new_with(py, scores.len() * size_of::<f32>(), |bytes| {
            for (place, score) in bytes.chunks_exact_mut(size_of::<f32>()).zip(&scores) {
                place.copy_from_slice(&score.to_ne_bytes());
            }
            Ok(())
        })?;
        Ok((bytes, done.into_inner(), interrupted))
    }
}

/// What is asked of every position of a batch, and what each may take.
struct Question {
    columns: bool,
    weak: bool,
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Question {
    /// The score of a position, or those of its moves, as far as they are exact; and the limit that
    /// was reached first, if any.
    fn answer(
        &self,
        solver: &mut Solver,
        position: &Position,
        budget: &Budget,
        row: &mut [f32],
    ) -> Result<Option<Halt>, SolveError> {
        if !self.columns {
            let solved = if self.weak {
                solver.solve_weakly(position, budget)
            } else {
                solver.solve(position, budget)
            };
            return match solved {
                Ok(solved) => {
                    row[0] = solved.score as f32;
                    Ok(None)
                }
                Err(SolveError::Unfinished { stop, .. }) => Ok(Some(stop)),
                Err(why) => Err(why),
            };
        }
        let options = AnalysisOptions::default().with_weak(self.weak);
        let analysis = solver.analyse_with(position, options, budget, |_| ())?;
        for found in analysis.moves.iter().filter_map(MoveAnalysis::exact) {
            row[slot(position.rules(), found.mv)] = found.score as f32;
        }
        Ok(analysis.stopped)
    }
}

/// All moves of positions with gravity, without what an analysis keeps besides their scores: late
/// in a game that takes longer than the search.
struct ColumnScores {
    geometry: Geometry<u128>,
    /// The central columns first, as an analysis has them: the others profit from what is proven.
    order: Vec<u32>,
}

impl ColumnScores {
    /// None for games without gravity.
    fn new(rules: &Rules) -> Option<Self> {
        let mut order: Vec<u32> = (0..rules.width()).collect();
        order.sort_by_key(|&column| (2 * column).abs_diff(rules.width() - 1));
        rules.gravity().then(|| Self { geometry: Geometry::new(rules), order })
    }

    /// The same as [`Question::answer`] for all columns.
    fn answer(
        &self,
        weak: bool,
        solver: &mut Solver,
        position: &Position,
        budget: &Budget,
        row: &mut [f32],
    ) -> Result<Option<Halt>, SolveError> {
        let (rules, discs) = (position.rules(), Discs::<u128>::of(position));
        if discs.is_won(&self.geometry) {
            return Ok(None);
        }
        let playable = self.geometry.playable(discs.all);
        let mut halt = None;
        for &column in &self.order {
            let lands = playable & self.geometry.column(column);
            if lands == 0 {
                continue;
            }
            let cell = Cell::from_bit(lands.trailing_zeros(), rules);
            let after = position.play_unchecked(Move::at(cell, rules));
            let reply = if weak {
                solver.solve_weakly(&after, budget)
            } else {
                solver.solve(&after, budget)
            };
            match reply {
                Ok(reply) => row[column as usize] = -reply.score as f32,
                // Others may need no search.
                Err(SolveError::Unfinished { stop, .. }) => halt = Some(stop),
                Err(why) => return Err(why),
            }
        }
        Ok(halt)
    }
}

/// Solves on this thread what is solved quickly, and returns the numbers of the other positions.
/// It takes a few milliseconds at most, so nobody misses Ctrl-C meanwhile.
fn quick(
    solver: &mut Solver,
    positions: &[Position],
    question: &Question,
    scores: &mut [f32],
    width: usize,
) -> Result<Vec<usize>, SolveError> {
    let began = Instant::now();
    let most = question.nodes.map_or(QUICK_NODES, |nodes| nodes.min(QUICK_NODES));
    let columns = ColumnScores::new(solver.rules()).filter(|_| question.columns);
    let mut left = Vec::new();
    // One budget that is filled up again: making one takes a tenth of the time of an easy position.
    let mut budget = Budget::unlimited();
    for (index, position) in positions.iter().enumerate() {
        if index % CLOCK_INTERVAL == 0 && began.elapsed() > QUICK_TIME {
            left.extend(index..positions.len());
            break;
        }
        let limit = budget.spent().saturating_add(most);
        budget = budget.with_nodes(limit);
        if question.time.is_some() {
            budget = budget.with_time(question.time);
        }
        let row = &mut scores[index * width..][..width];
        let halt = match &columns {
            Some(columns) => columns.answer(question.weak, solver, position, &budget, row)?,
            None => question.answer(solver, position, &budget, row)?,
        };
        // The limit of whoever asks is final, the one of this function is not.
        if halt == Some(Halt::Nodes) && question.nodes != Some(most) {
            row.fill(f32::NAN);
            left.push(index);
        }
    }
    Ok(left)
}

/// The same error with the nodes of all that was spent.
fn of_all(why: SolveError, budget: &Budget) -> SolveError {
    match why {
        SolveError::Unfinished { stop, lower, upper, .. } => {
            SolveError::Unfinished { stop, nodes: budget.spent(), lower, upper }
        }
        why => why,
    }
}

/// Positions of one game, ready to be solved.
#[pyclass(frozen)]
#[derive(Debug)]
pub(crate) struct Batch {
    rules: Rules,
    positions: Vec<Position>,
}

impl Batch {
    pub(crate) fn new(rules: Rules, positions: Vec<Position>) -> Self {
        Self { rules, positions }
    }
}

#[pymethods]
impl Batch {
    /// The positions of boards, all of one game.
    #[staticmethod]
    #[pyo3(signature = (boards, game = None))]
    fn of_boards(boards: &Bound<'_, PyAny>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut rules = Game::given(game)?;
        let mut positions = Vec::new();
        for (index, board) in boards.try_iter()?.enumerate() {
            let board = board?;
            let position = match board.cast::<Board>() {
                Ok(board) => board.try_borrow()?.position,
                Err(_) if board.is_instance_of::<PyString>() => {
                    let read = Board::read(board.extract()?, None, rules.as_ref());
                    read.map_err(|why| numbered(board.py(), index, why))?.position
                }
                Err(_) => {
                    let game = rules.map(|rules| Game { rules });
                    let options = PyDict::new(board.py());
                    options.set_item("game", game)?;
                    let made = board.py().get_type::<Board>().call((&board,), Some(&options));
                    let made = made.map_err(|why| numbered(board.py(), index, why))?;
                    made.cast::<Board>()?.try_borrow()?.position
                }
            };
            let game = *rules.get_or_insert(*position.rules());
            if *position.rules() != game {
                return Err(FourfoldError::new_err(format!(
                    "board {index} is of {}, and the others are of {game}; a batch has one game",
                    position.rules()
                )));
            }
            positions.push(position);
        }
        Ok(Self { rules: rules.unwrap_or(Rules::CONNECT_FOUR), positions })
    }

    /// Positions from their cells, row by row from the top left, one after the other.
    #[staticmethod]
    fn of_cells(py: Python<'_>, cells: &[u8], game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rules = Game::given(Some(game))?.unwrap_or(Rules::CONNECT_FOUR);
        let positions = cells
            .chunks(rules.cells() as usize)
            .enumerate()
            .map(|(index, cells)| {
                position_of_cells(cells, &rules).map_err(|why| numbered(py, index, why))
            })
            .collect::<PyResult<_>>()?;
        Ok(Self { rules, positions })
    }

    /// The cells of all positions, row by row from the top left, one after the other.
    fn to_cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let cells: Vec<u8> = self.positions.iter().flat_map(cells_of_position).collect();
        PyBytes::new(py, &cells)
    }

    fn __len__(&self) -> usize {
        self.positions.len()
    }

    #[getter]
    fn game(&self) -> Game {
        Game { rules: self.rules }
    }
}

/// The same error, with the number of the board that it is about.
fn numbered(py: Python<'_>, index: usize, why: PyErr) -> PyErr {
    if !why.is_instance_of::<FourfoldError>(py) {
        return why;
    }
    PyErr::from_type(why.get_type(py), format!("board {index}: {}", why.value(py)))
}
