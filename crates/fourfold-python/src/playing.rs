//! Players, matches, reviews and puzzles.

use crate::board::Board;
use crate::callables::{PythonPlayers, Raised};
use crate::convert::{number, numbers};
use crate::errors::{FourfoldError, OptionError, PlayerError, Raise};
use crate::running::{Ran, Told, budget, run, run_whole};
use crate::searching::rules_given;
use crate::solving::{SolverCore, result_name, threads_given};
use fourfold::budget::Budget;
use fourfold::game::notation::slot;
use fourfold::game::{Move, Rules, Side};
use fourfold::play::{
    LEVEL_ELO, Match, Player, PlayerSpec, Puzzle, PuzzleError, ReviewError, SideReview, SpecError,
    puzzle, review, run_match,
};
use fourfold::solver::MoveScore;
use fourfold_app::draw::review_svg;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A player from what users write: a spec as text, or a function.
pub(crate) fn spec_given(given: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<PlayerSpec> {
    if let Ok(text) = given.extract::<&str>() {
        return text.parse().map_err(|why: SpecError| OptionError::new_err(why.to_string()));
    }
    if !given.is_callable() {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a player is a str or a function, not {kind}")));
    }
    PythonPlayers::new(given, raised).map(PlayerSpec::custom)
}

/// Every player by name, with a line about it.
#[pyfunction]
pub(crate) fn players() -> Vec<(&'static str, &'static str)> {
    PlayerSpec::all().to_vec()
}

/// The measured strength of each level, in Elo.
#[pyfunction]
pub(crate) fn level_elo() -> Vec<u32> {
    LEVEL_ELO.to_vec()
}

/// A player that keeps its tables and its random numbers from move to move.
#[pyclass(frozen)]
pub(crate) struct PlayerCore {
    spec: PlayerSpec,
    seed: u64,
    stop: Arc<AtomicBool>,
    raised: Raised,
    seated: Mutex<Option<(Rules, Box<dyn Player + Send>)>>,
}

#[pymethods]
impl PlayerCore {
    #[new]
    fn new(spec: &Bound<'_, PyAny>, seed: u64) -> PyResult<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Raised::new(&stop);
        let spec = spec_given(spec, &raised)?;
        Ok(Self { spec, seed, stop, raised, seated: Mutex::default() })
    }

    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The move that the player chooses.
    fn choose(&self, py: Python<'_>, board: &Bound<'_, Board>) -> PyResult<u32> {
        let position = board.try_borrow()?.position;
        let rules = *position.rules();
        self.stop.store(false, Ordering::Relaxed);
        let found = run_whole(py, &self.stop, || {
            let mut seated = self.seated.lock().unwrap_or_else(PoisonError::into_inner);
            let mut player = match seated.take() {
                Some((game, player)) if game == rules => player,
                _ => {
                    let budget = Budget::unlimited().with_stop(Arc::clone(&self.stop));
                    self.spec.player(&rules, self.seed, &budget)?
                }
            };
            let choice = player.choose(&position)?;
            // One that failed is seated anew the next time.
            *seated = Some((rules, player));
            Ok(choice)
        });
        if let Some(error) = self.raised.take() {
            return Err(error);
        }
        let choice = found?
            .map_err(|why: fourfold::play::PlayerError| PlayerError::new_err(why.to_string()))?;
        Ok(number(&rules, choice.mv))
    }
}

/// Plays a match; the records as lines of JSON.
#[pyfunction]
#[pyo3(signature = (first, second, game, games, seed, threads, swap, openings, tell))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    first: &Bound<'py, PyAny>,
    second: &Bound<'py, PyAny>,
    game: Option<&Bound<'py, PyAny>>,
    games: u64,
    seed: u64,
    threads: Option<usize>,
    swap: bool,
    openings: Vec<Bound<'py, Board>>,
    tell: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
    let rules = rules_given(game)?;
    let (budget, stop) = budget(None, None)?;
    let raised = Raised::new(&stop);
    let players = [spec_given(first, &raised)?, spec_given(second, &raised)?];
    let mut contest = Match::new(rules, players)
        .with_games(games)
        .with_seed(seed)
        .with_threads(threads_given(threads)?);
    contest.swap = swap;
    contest.openings =
        openings.iter().map(|board| opening(board, &rules)).collect::<PyResult<_>>()?;
    let lines = Mutex::new(Vec::new());
    let mut told = Told::new(tell);
    let Ran { value, interrupted } = run(
        py,
        &stop,
        || {
            run_match(&contest, &budget, |_, record| {
                lines.lock().unwrap_or_else(PoisonError::into_inner).push(record.to_line());
            })
        },
        |py| told.tell(py, lines.lock().unwrap_or_else(PoisonError::into_inner).len()),
    );
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let result = value.map_err(|why| PlayerError::new_err(why.to_string()))?;
    let interval = |(rate, interval): (f64, Option<fourfold::play::Interval>)| {
        (rate, interval.map(|interval| (interval.low, interval.high)))
    };
    let seats = [0, 1].map(|seat| -> PyResult<_> {
        let totals = &result.seats[seat];
        let dict = PyDict::new(py);
        let (rate, range) = interval(result.win_rate(seat));
        dict.set_item("player", &totals.player)?;
        dict.set_item("wins", totals.wins)?;
        dict.set_item("wins_as_first", totals.wins_as_first)?;
        dict.set_item("games_as_first", totals.games_as_first)?;
        dict.set_item("forfeits", totals.forfeits)?;
        dict.set_item("win_rate", rate)?;
        dict.set_item("win_rate_interval", range)?;
        dict.set_item("moves", totals.moves)?;
        dict.set_item("time_ms", totals.time_ms)?;
        dict.set_item("nodes", totals.nodes)?;
        dict.set_item("evaluations", totals.evaluations)?;
        Ok(dict)
    });
    let [one, two] = seats;
    let dict = PyDict::new(py);
    dict.set_item("first", one?)?;
    dict.set_item("second", two?)?;
    dict.set_item("games", result.games)?;
    dict.set_item("draws", result.draws)?;
    dict.set_item("first_wins", result.first_wins)?;
    dict.set_item("distinct", result.distinct)?;
    dict.set_item("lines", lines.into_inner().unwrap_or_else(PoisonError::into_inner))?;
    Ok((dict, interrupted))
}

/// The moves of a board that games are to start from.
pub(crate) fn opening(board: &Bound<'_, Board>, rules: &Rules) -> PyResult<Vec<Move>> {
    let board = board.try_borrow()?;
    if board.rules() != rules {
        return Err(OptionError::new_err(format!(
            "an opening is of {}, not {rules}",
            board.rules()
        )));
    }
    moves_of(&board)
}

/// The moves that led to a board; for one that was set up, some order that leads there.
fn moves_of(board: &Board) -> PyResult<Vec<Move>> {
    match board.all_moves() {
        Some(moves) => Ok(moves.to_vec()),
        None => board.position.some_moves().map_err(|why| FourfoldError::new_err(why.to_string())),
    }
}

/// A score for each column or cell.
fn scores(rules: &Rules, columns: &[MoveScore]) -> Vec<Option<i32>> {
    let mut scores = vec![None; rules.most_moves() as usize];
    for found in columns {
        scores[slot(rules, found.mv)] = Some(found.score);
    }
    scores
}

fn side_dict<'py>(py: Python<'py>, side: &SideReview) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("moves", side.moves)?;
    dict.set_item("judged", side.judged)?;
    dict.set_item("choices", side.choices)?;
    dict.set_item("best", side.best)?;
    dict.set_item("inaccuracies", side.inaccuracies)?;
    dict.set_item("blunders", side.blunders)?;
    dict.set_item("only_moves_found", side.only_moves_found)?;
    dict.set_item("accuracy", side.accuracy())?;
    Ok(dict)
}

/// Judges the moves of a game.
#[pyfunction]
pub(crate) fn review_game<'py>(
    py: Python<'py>,
    solver: &Bound<'_, SolverCore>,
    board: &Bound<'_, Board>,
    nodes: Option<u64>,
    time: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let board = board.try_borrow()?.clone();
    let rules = *board.rules();
    let Some(moves) = board.all_moves() else {
        return Err(OptionError::new_err(
            "the board was set up, so its moves are not known: make it from moves",
        ));
    };
    let (budget, stop) = budget(nodes, time)?;
    let mut solver = solver.get().lend_one(&rules)?;
    let reviewed = run_whole(py, &stop, || review(moves, &mut solver, &budget, |_, _| ()))?
        .map_err(|why| match why {
            ReviewError::Solver(why) => why.raise(),
            why => FourfoldError::new_err(why.to_string()),
        })?;
    let judged = reviewed
        .moves
        .iter()
        .map(|review| {
            let dict = PyDict::new(py);
            dict.set_item("ply", review.ply)?;
            dict.set_item("player", if review.side == Side::First { 1 } else { 2 })?;
            dict.set_item("move", number(&rules, review.mv))?;
            let found = review.found.as_ref();
            dict.set_item("judgement", found.map(|found| review_svg::name(found.judgement)))?;
            dict.set_item("score", found.map(|found| found.played_score))?;
            dict.set_item("best_score", found.map(|found| found.best_score))?;
            dict.set_item("verdict", found.map(|found| found.played.to_string()))?;
            dict.set_item("best_verdict", found.map(|found| found.best.to_string()))?;
            let best = found.map(|found| numbers(&rules, &found.best_moves)).unwrap_or_default();
            dict.set_item("best_moves", best)?;
            let columns = found.map_or(&[][..], |found| &found.columns);
            dict.set_item("scores", scores(&rules, columns))?;
            dict.set_item("only_move", found.is_some_and(|found| found.only_move))?;
            let line =
                |moves: Option<&Vec<Move>>| numbers(&rules, moves.map_or(&[], Vec::as_slice));
            dict.set_item("refutation", line(found.map(|found| &found.refutation)))?;
            dict.set_item("better", line(found.map(|found| &found.better)))?;
            Ok(dict)
        })
        .collect::<PyResult<Vec<_>>>()?;
    let dict = PyDict::new(py);
    dict.set_item("svg", review_svg::draw(&reviewed, &rules.title()))?;
    dict.set_item("moves", judged)?;
    dict.set_item("first", side_dict(py, &reviewed.first)?)?;
    dict.set_item("second", side_dict(py, &reviewed.second)?)?;
    dict.set_item("nodes", reviewed.nodes)?;
    dict.set_item("stopped", reviewed.stopped.map(|halt| halt.to_string()))?;
    Ok(dict)
}

/// Nodes that a candidate for a puzzle may take; those that need more are passed over.
const PUZZLE_NODES: u64 = 1_000_000;

/// Random games tried for a puzzle.
const PUZZLE_TRIES: u64 = 10_000;

/// The first puzzle among the random games of a seed that is as hard as asked for.
#[pyfunction]
#[pyo3(signature = (solver, game, least, most, level, seed))]
pub(crate) fn find_puzzle<'py>(
    py: Python<'py>,
    solver: &Bound<'_, SolverCore>,
    game: Option<&Bound<'py, PyAny>>,
    least: u32,
    most: u32,
    level: Option<u8>,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = rules_given(game)?;
    if least > most || most >= rules.cells() {
        return Err(OptionError::new_err(format!(
            "the plies are a range within 0 to {}, not {least} to {most}",
            rules.cells() - 1
        )));
    }
    if let Some(level) = level.filter(|level| !Puzzle::LEVELS.contains(level)) {
        return Err(OptionError::new_err(format!("the levels are 1 to 5, not {level}")));
    }
    let (whole, stop) = budget(None, None)?;
    let mut solver = solver.get().lend_one(&rules)?;
    let found = run_whole(py, &stop, || -> Result<Option<Puzzle>, PuzzleError> {
        for number in 0..PUZZLE_TRIES {
            let part = whole.part().with_nodes(PUZZLE_NODES);
            if let Some(found) = puzzle(&mut solver, least..=most, seed, number, &part)?
                && level.is_none_or(|level| found.level() == level)
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    })?
    .map_err(|why| FourfoldError::new_err(why.to_string()))?;
    let Some(found) = found else {
        return Err(FourfoldError::new_err(format!(
            "no such puzzle in {PUZZLE_TRIES} games; try another seed, level or range of plies"
        )));
    };
    let dict = PyDict::new(py);
    dict.set_item("board", crate::board::Board::of_moves(rules, &found.moves))?;
    dict.set_item("solution", number(&rules, found.solution))?;
    dict.set_item("result", result_name(found.verdict))?;
    dict.set_item("verdict", found.verdict.to_string())?;
    dict.set_item("scores", scores(&rules, &found.columns))?;
    dict.set_item("line", numbers(&rules, &found.line))?;
    dict.set_item("level", found.level())?;
    Ok(dict)
}
