//! Tournaments, grades and experiments: the laboratory's work, with Ctrl-C and results as JSON.

use crate::board::Board;
use crate::callables::Raised;
use crate::errors::{FourfoldError, OptionError, PlayerError, Raise};
use crate::playing::{opening, spec_given};
use crate::running::{Ran, Told, budget, run};
use crate::searching::rules_given;
use crate::solving::{SolverCore, threads_given};
use fourfold::play::{GameError, Grade, PlayerSpec};
use fourfold::search::nearest;
use fourfold::workers::{InOrder, Threads, share_out};
use fourfold_lab::files::read_text;
use fourfold_lab::grading::{GradeReport, GradedGame, Grading, GradingError};
use fourfold_lab::tournament::{
    Format, OpeningDraw, OpeningError, OpeningSet, Sprt, Standings, Tournament, TournamentError,
    TournamentEvent, json, run as run_tournament,
};
use fourfold_lab::{
    Experiment, Provenance, ResultTable, RunError, RunOptions, builtin, csv, report,
    run as run_experiment, summary, write_results,
};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

fn json_text(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|why| FourfoldError::new_err(why.to_string()))
}

fn specs_given(players: &[Bound<'_, PyAny>], raised: &Raised) -> PyResult<Vec<PlayerSpec>> {
    players.iter().map(|player| spec_given(player, raised)).collect()
}

/// Openings from Python: boards, or the name of a set and perhaps a number of plies.
#[derive(FromPyObject)]
pub(crate) enum OpeningsGiven<'py> {
    Boards(Vec<Bound<'py, Board>>),
    Drawn(String, Option<u32>),
}

/// Plays a tournament: the results as JSON, every game as a line of JSON, and what ended it early.
#[pyfunction]
#[pyo3(signature = (
    players, game, format, games, seed, threads, openings, sprt, anchor, save, tell
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_tournament(
    py: Python<'_>,
    players: Vec<Bound<'_, PyAny>>,
    game: Option<&Bound<'_, PyAny>>,
    format: &str,
    games: u64,
    seed: u64,
    threads: Option<usize>,
    openings: OpeningsGiven<'_>,
    sprt: Option<(f64, f64)>,
    anchor: Option<(usize, f64)>,
    save: Option<PathBuf>,
    tell: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>, Option<PyErr>)> {
    let rules = rules_given(game)?;
    let format = match format {
        "round-robin" => Format::RoundRobin,
        "gauntlet" => Format::Gauntlet,
        "neighbours" => Format::Neighbours,
        other => {
            return Err(OptionError::new_err(format!(
                "there is no format {other:?}: there are round-robin, gauntlet and neighbours"
            )));
        }
    };
    if sprt.is_some() && players.len() > 2 && format != Format::Gauntlet {
        return Err(OptionError::new_err("a test is for two players, or for a gauntlet"));
    }
    let sprt = sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1)).transpose();
    let sprt = sprt.map_err(|why| OptionError::new_err(why.to_string()))?;
    let threads = threads_given(threads)?;
    let (budget, stop) = budget(None, None)?;
    let raised = Raised::new(&stop);
    let specs = specs_given(&players, &raised)?;
    let given = match &openings {
        OpeningsGiven::Boards(boards) => {
            let moves = boards.iter().map(|board| opening(board, &rules));
            Some(moves.collect::<PyResult<Vec<_>>>()?)
        }
        OpeningsGiven::Drawn(..) => None,
    };
    let draw = match &openings {
        OpeningsGiven::Boards(_) => None,
        OpeningsGiven::Drawn(name, plies) => {
            let names = || OpeningSet::ALL.map(|(name, _, _)| name).join(", ");
            let set: OpeningSet = name.parse().map_err(|()| {
                OptionError::new_err(format!(
                    "there are no openings {name:?}: there are {}",
                    names()
                ))
            })?;
            let rounds = usize::try_from(games.div_ceil(2)).unwrap_or(usize::MAX);
            let draw = OpeningDraw::new(rules, rounds, seed).with_set(set);
            let plies = plies.unwrap_or(draw.plies);
            Some(draw.with_plies(plies))
        }
    };
    let lines = Mutex::new(Vec::new());
    let mut told = Told::new(tell);
    let work = || -> Result<String, PyErr> {
        let openings = match (given, draw) {
            (Some(given), _) => given,
            (None, Some(draw)) => {
                draw.draw(threads, &budget).map(|found| found.moves).map_err(|why| match why {
                    OpeningError::None { .. } => OptionError::new_err(why.to_string()),
                    why => FourfoldError::new_err(why.to_string()),
                })?
            }
            (None, None) => Vec::new(),
        };
        let tournament = Tournament::new(rules, specs, openings)
            .with_format(format)
            .with_games(games)
            .with_seed(seed)
            .with_sprt(sprt);
        let outcome = run_tournament(&tournament, threads, &budget, save.as_deref(), |event| {
            if let TournamentEvent::Game { record, .. } = event {
                lines.lock().unwrap_or_else(PoisonError::into_inner).push(record.to_line());
            }
        })
        .map_err(|why| match why {
            TournamentError::TooFewPlayers | TournamentError::Twice { .. } => {
                OptionError::new_err(why.to_string())
            }
            TournamentError::Saved(why) => FourfoldError::new_err(why.to_string()),
            why => PlayerError::new_err(why.to_string()),
        })?;
        let standings = Standings::of(&tournament, &outcome, anchor);
        Ok(json(&tournament, &outcome, &standings))
    };
    let Ran { value, interrupted } = run(py, &stop, work, |py| {
        told.tell(py, lines.lock().unwrap_or_else(PoisonError::into_inner).len())
    });
    if let Some(error) = raised.take() {
        return Err(error);
    }
    match (value, interrupted) {
        // What failed because it was stopped is the interruption.
        (Err(_), Some(interruption)) => Err(interruption),
        (Err(why), None) => Err(why),
        (Ok(found), interrupted) => {
            let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok((found, lines, interrupted))
        }
    }
}

/// Grades a player against exact play: its figures as JSON.
#[pyfunction]
#[pyo3(signature = (solver, player, against, game, games, opening, seed, nodes, threads, tell))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn grade_player(
    py: Python<'_>,
    solver: &Bound<'_, SolverCore>,
    player: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    game: Option<&Bound<'_, PyAny>>,
    games: u64,
    opening: u32,
    seed: u64,
    nodes: u64,
    threads: Option<usize>,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let rules = rules_given(game)?;
    let threads = threads_given(threads)?;
    let (budget, stop) = budget(None, None)?;
    let raised = Raised::new(&stop);
    let player = spec_given(player, &raised)?;
    let against = against.map(|against| spec_given(against, &raised)).transpose()?;
    for spec in [Some(&player), against.as_ref()].into_iter().flatten() {
        spec.player(&rules, 0, &budget)
            .map_err(|why| PlayerError::new_err(format!("{spec}: {why}")))?;
    }
    let grading = Grading { rules, player, against, games, opening, seed, nodes };
    let solvers = solver.get();
    drop(solvers.lend_for_batch(&rules)?);
    let done = AtomicUsize::new(0);
    let (mut grade, mut order) = (Grade::default(), InOrder::default());
    let mut failure = None;
    let mut told = Told::new(tell);
    let Ran { value: (), interrupted } = run(
        py,
        &stop,
        || {
            share_out(
                0..games,
                threads,
                || solvers.lend_unchecked(&rules),
                |solver, index| match solver {
                    Ok(solver) => grading
                        .game(index, solver, &budget)
                        .map_err(|why| Refusal::Grading(Box::new(why))),
                    Err(why) => Err(Refusal::Solver(why.clone())),
                },
                |index, game| match game {
                    Ok(GradedGame { grade: own, .. }) => {
                        // In their order, so that the figures do not depend on the threads.
                        order.add(index, own).for_each(|(_, own)| grade.extend(&own));
                        done.fetch_add(1, Ordering::Relaxed);
                        ControlFlow::Continue(())
                    }
                    Err(why) => {
                        failure.get_or_insert(why);
                        ControlFlow::Break(())
                    }
                },
            );
        },
        |py| told.tell(py, done.load(Ordering::Relaxed)),
    );
    if let Some(error) = raised.take().or(interrupted) {
        return Err(error);
    }
    match failure {
        None => {}
        Some(Refusal::Solver(why)) => return Err(why.raise()),
        Some(Refusal::Grading(why)) => {
            return Err(match *why {
                GradingError::Opening { .. } => OptionError::new_err(why.to_string()),
                GradingError::Game { why: GameError::Player { .. }, .. } => {
                    PlayerError::new_err(why.to_string())
                }
                why => FourfoldError::new_err(why.to_string()),
            });
        }
    }
    json_text(&GradeReport::new(&grading.player.to_string(), games, &grade))
}

/// Why a game was not graded.
enum Refusal {
    Solver(fourfold::solver::SolveError),
    Grading(Box<GradingError>),
}

/// The experiments that come with the package: name and question.
#[pyfunction]
pub(crate) fn lab_list() -> PyResult<Vec<(&'static str, String)>> {
    builtin::names()
        .filter_map(|name| Some((name, builtin::read(name, false)?)))
        .map(|(name, found)| match found {
            Ok(experiment) => Ok((name, experiment.question)),
            Err(why) => Err(FourfoldError::new_err(why.to_string())),
        })
        .collect()
}

/// The summary of the full run of an experiment that comes with the package, as JSON.
#[pyfunction]
pub(crate) fn lab_results(name: &str) -> Option<&'static str> {
    builtin::results(name)
}

/// The experiment of a name or a file.
fn find(name: &str, quick: bool) -> PyResult<Experiment> {
    let path = Path::new(name);
    let refuse = |why: fourfold_lab::FileError| OptionError::new_err(why.to_string());
    if !path.exists() {
        if let Some(found) = builtin::read(name, quick) {
            return found.map_err(refuse);
        }
        let hint = nearest(name, builtin::names()).unwrap_or_else(|| {
            format!("there are {}", builtin::names().collect::<Vec<_>>().join(", "))
        });
        return Err(OptionError::new_err(format!(
            "there is no experiment and no file {name:?}; {hint}"
        )));
    }
    let read = |path: &Path| read_text(path).map_err(|why| why.to_string());
    let text = read(path).map_err(OptionError::new_err)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let load = move |file: &str| read(&folder.join(file));
    Experiment::read(name, &text, quick, &load).map_err(refuse)
}

/// What a run gives: summary (JSON), CSV, report (HTML) and the table of each part as text.
type LabFound = (String, String, String, Vec<(String, String)>);

/// Runs an experiment.
#[pyfunction]
#[pyo3(signature = (experiment, quick, out, resume, threads, keep_games, command, tell))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn lab_run(
    py: Python<'_>,
    experiment: &str,
    quick: bool,
    out: PathBuf,
    resume: bool,
    threads: Option<usize>,
    keep_games: Option<PathBuf>,
    command: String,
    tell: Option<Py<PyAny>>,
) -> PyResult<LabFound> {
    let experiment = find(experiment, quick)?;
    let threads = Threads::new(threads_given(threads)?)
        .map_err(|why| OptionError::new_err(why.to_string()))?;
    let (_, stop) = budget(None, None)?;
    let options =
        RunOptions { out: out.clone(), threads, resume, stop: Arc::clone(&stop), keep_games };
    let (done, total) = (AtomicUsize::new(0), experiment.items());
    let mut told = Told::new(tell);
    let Ran { value, interrupted } = run(
        py,
        &stop,
        || {
            run_experiment(&experiment, &options, |progress| {
                done.store(progress.done, Ordering::Relaxed);
            })
        },
        |py| told.tell_of(py, done.load(Ordering::Relaxed), total),
    );
    if let Some(interruption) = interrupted {
        return Err(interruption);
    }
    let outcome = value.map_err(|why| match why {
        RunError::Journal(_) => OptionError::new_err(why.to_string()),
        why => FourfoldError::new_err(why.to_string()),
    })?;
    let provenance = Provenance::of_this_process(command, None, threads.get(), outcome.seconds);
    let experiment = experiment.with_figures(&outcome);
    write_results(&out, &experiment, &outcome, &provenance)?;
    let tables = experiment
        .parts
        .iter()
        .zip(&outcome.parts)
        .map(|(part, found)| (part.title.clone(), ResultTable::of(part, found).to_text(None)));
    Ok((
        json_text(&summary(&experiment, &outcome, &provenance))?,
        csv(&experiment, &outcome),
        report(&experiment, &outcome, &provenance),
        tables.collect(),
    ))
}
