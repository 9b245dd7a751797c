//! Doing what cells say: games, searches, counts; and foretelling what would take too long.

use crate::cell::{CountTask, MatchTask, ReplicaSeat, ReplicaTask, SearchTask, Task};
use crate::metrics::Observation;
use crate::replica::{Pruning, Replica, legal_move};
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Position, Side, counting};
use fourfold::play::{GameError, PlayerSpec, Seat, Winner};
use fourfold::random::Random;
use fourfold::search::{Limits, SearchError, SearchOptions, Searcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why an item was not observed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Trouble {
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
    /// It takes more nodes than allowed: about this many.
    #[error("about {0:.0} nodes are more than the budget")]
    TooLarge(f64),
    /// Something else.
    #[error("{0}")]
    Failed(String),
}

/// Timed repeats end when they have taken this long together.
const LONG_ENOUGH_US: f64 = 3e6;

/// Observes item `index` of a task. `budget` is what one item may take before it is broken off.
pub(crate) fn observe(
    task: &Task,
    index: usize,
    budget: u64,
    stop: &Arc<AtomicBool>,
) -> Result<Observation, Trouble> {
    match task {
        Task::Match(task) => game(task, index as u64, stop),
        Task::Search(task) => search(task, &task.positions[index], budget, stop),
        Task::Count(task) => count(task, stop),
        Task::Replica(task) => replica_game(task, index as u64, stop),
    }
}

fn game(task: &MatchTask, index: u64, stop: &Arc<AtomicBool>) -> Result<Observation, Trouble> {
    let record = task.contest.game(index, stop).map_err(|why| match why {
        GameError::Stopped => Trouble::Stopped,
        why => Trouble::Failed(format!("game {}: {why}", index + 1)),
    })?;
    // The seat of whoever moved first: 0 is the player, 1 the opponent.
    let first_is_opponent = task.opponent_begins != task.contest.is_swapped(index);
    let seat = |ply: usize| (ply + usize::from(first_is_opponent)) % 2;
    let first_won = match record.result {
        Some(Winner::First) => 1,
        Some(Winner::Second) => -1,
        _ => 0,
    };
    let (mut moves, mut nodes, mut evaluations, mut time) = ([0; 2], [0; 2], [0; 2], [0; 2]);
    for ply in task.contest.opening.len()..record.moves.len() {
        let seat = seat(ply);
        moves[seat] += 1;
        nodes[seat] += record.nodes.as_ref().map_or(0, |list| list[ply]);
        evaluations[seat] += record.evaluations.as_ref().map_or(0, |list| list[ply]);
        time[seat] +=
            record.times_ms.as_ref().map_or(0, |list| (list[ply] * 1000.0).round() as u64);
    }
    Ok(Observation::Game {
        result: if first_is_opponent { -first_won } else { first_won },
        turns: record.moves.len() as u32,
        moves,
        nodes,
        evaluations,
        time,
        invalid: 0,
        unblocked: 0,
    })
}

fn search(
    task: &SearchTask,
    position: &Position,
    budget: u64,
    stop: &Arc<AtomicBool>,
) -> Result<Observation, Trouble> {
    let limits =
        Limits { nodes: Some(budget), stop: Some(Arc::clone(stop)), ..Limits::depth(task.depth) };
    let once = || {
        let mut searcher = Searcher::new(task.evaluator.clone(), task.options.clone());
        searcher.search(position, &limits, 0).map_err(|why| match why {
            SearchError::Interrupted { .. } if stop.load(Ordering::Relaxed) => Trouble::Stopped,
            SearchError::Interrupted { nodes, .. } => Trouble::TooLarge(nodes as f64),
            why => Trouble::Failed(why.to_string()),
        })
    };
    // The first search warms up; its counters are those of every repeat.
    let report = once()?;
    let mut time = Vec::new();
    while time.len() < task.repeats as usize && time.iter().sum::<f64>() < LONG_ENOUGH_US {
        time.push(once()?.elapsed.as_nanos() as f64 / 1000.0);
    }
    let counters = report.counters;
    Ok(Observation::Search {
        nodes: counters.nodes,
        evaluations: counters.evaluations,
        ended: counters.ended,
        cuts: [counters.all_cuts(), counters.cuts.first().copied().unwrap_or(0)],
        score: report.score,
        second: position.to_move() == Side::Second,
        time,
    })
}

fn count(task: &CountTask, stop: &AtomicBool) -> Result<Observation, Trouble> {
    let limits = counting::CountLimits::default().with_stop(stop);
    let counts =
        counting::count(&task.start, task.ply, &limits, |_| {}).map_err(|why| {
            match why.reason {
                counting::Reason::Stopped { .. } => Trouble::Stopped,
                reason => Trouble::Failed(reason.to_string()),
            }
        })?;
    let row = counts.plies.last().copied().unwrap_or_default();
    if row.ply < task.ply {
        return Err(Trouble::Failed(format!("no game lasts {} plies", task.ply)));
    }
    let fit = |number: u128| {
        u64::try_from(number).map_err(|_| Trouble::Failed("a count beyond 64 bits".to_owned()))
    };
    Ok(Observation::Ply {
        positions: fit(row.positions)?,
        positions_so_far: fit(counts.totals_from(0).positions)?,
        sequences: fit(row.sequences)?,
        bound: fit(row.bound.unwrap_or(u128::MAX))?,
        up_to_symmetry: fit(row.up_to_symmetry)?,
        finished: fit(row.finished)?,
    })
}

/// Who sits there in a game of the Radboud report.
enum Sitting {
    Printed(Replica),
    Correct(Searcher),
    StandIn(Box<dyn fourfold::play::Player + Send>),
}

fn replica_game(
    task: &ReplicaTask,
    index: u64,
    stop: &Arc<AtomicBool>,
) -> Result<Observation, Trouble> {
    let failed = |why: &dyn std::fmt::Display| Trouble::Failed(why.to_string());
    let mut seeds = Random::for_item(task.seed, index);
    let mut sit = |seat: &ReplicaSeat| match seat {
        ReplicaSeat::Search(pruning) if task.correct => {
            let alpha_beta = *pruning == Pruning::AlphaBeta;
            let options = SearchOptions::default().with_alpha_beta(alpha_beta);
            Ok(Sitting::Correct(Searcher::new(Evaluator::natural(&task.rules), options)))
        }
        ReplicaSeat::Search(pruning) => Replica::new(&task.rules, task.depth, *pruning)
            .map(Sitting::Printed)
            .ok_or_else(|| failed(&"the report's code does not play this game")),
        ReplicaSeat::StandIn(spec) => {
            let player = spec.player(&task.rules, seeds.next_u64(), Some(stop));
            player.map(Sitting::StandIn).map_err(|why| failed(&why))
        }
    };
    let mut seats = [sit(&task.seats[0])?, sit(&task.seats[1])?];
    let mut position = Position::new(task.rules);
    let (mut moves, mut evaluations, mut time) = ([0; 2], [0; 2], [0; 2]);
    let (mut invalid, mut unblocked) = (0, 0);
    let limits = Limits { stop: Some(Arc::clone(stop)), ..Limits::depth(task.depth) };
    while !position.outcome().is_over() {
        if stop.load(Ordering::Relaxed) {
            return Err(Trouble::Stopped);
        }
        let side = usize::from(position.to_move() == Side::Second);
        let start = Instant::now();
        let mv: Move = match &mut seats[side] {
            Sitting::Printed(replica) => {
                let answer = replica.choose(&position);
                evaluations[side] += answer.evaluations;
                let (mv, valid) =
                    legal_move(&position, answer).ok_or_else(|| failed(&"no move is left"))?;
                invalid += u32::from(!valid);
                mv
            }
            Sitting::Correct(searcher) => {
                let report = searcher.search(&position, &limits, 0).map_err(|why| {
                    if stop.load(Ordering::Relaxed) { Trouble::Stopped } else { failed(&why) }
                })?;
                // The report's code asks its heuristic about ends of games too.
                evaluations[side] += report.counters.leaves();
                report.best.ok_or_else(|| failed(&"no move is left"))?
            }
            Sitting::StandIn(player) => player.choose(&position).map_err(|why| failed(&why))?.mv,
        };
        time[side] += start.elapsed().as_micros() as u64;
        moves[side] += 1;
        let searched = matches!(task.seats[side], ReplicaSeat::Search(_));
        unblocked += u32::from(searched && leaves_a_win(&position, mv));
        position = position.play(mv).map_err(|why| failed(&why))?;
    }
    let result = match Winner::of(&position) {
        Some(Winner::First) => 1,
        Some(Winner::Second) => -1,
        _ => 0,
    };
    Ok(Observation::Game {
        result,
        turns: position.ply(),
        moves,
        nodes: [0; 2],
        evaluations,
        time,
        invalid,
        unblocked,
    })
}

/// True if a move lets the opponent win at once although the side to move could not win itself, and
/// one move would have stopped that without making way for another win.
fn leaves_a_win(position: &Position, mv: Move) -> bool {
    let blocks = position.threatened_moves();
    blocks.len() == 1
        && blocks[0] != mv
        && position.winning_moves().is_empty()
        && position.play_unchecked(blocks[0]).winning_moves().is_empty()
}

/// A probe goes on until it has visited this many nodes.
const PROBE: u64 = 400_000;

/// About how many nodes a task takes, told well enough to compare it with the budget; none if that
/// cannot be foretold.
pub(crate) fn foretell(task: &Task, budget: u64, stop: &Arc<AtomicBool>) -> Option<f64> {
    match task {
        Task::Search(task) => {
            let enough = budget as f64 / task.positions.len() as f64;
            let one = |position: &Position| {
                foretell_search(position, task.depth, &task.evaluator, &task.options, enough, stop)
            };
            task.positions.iter().map(one).try_fold(0.0, |sum, nodes| Some(sum + nodes?))
        }
        Task::Match(task) => {
            let contest = &task.contest;
            let empty = Position::new(contest.rules);
            let turns = f64::from(contest.rules.cells()) / 2.0;
            let enough = budget as f64 / (2.0 * turns * contest.games as f64);
            let each = |spec: &PlayerSpec| match &spec.seat {
                Seat::Search(search) if search.nodes.is_none() && search.time.is_none() => {
                    let evaluator = search.evaluator.clone();
                    let evaluator = evaluator.unwrap_or_else(|| Evaluator::natural(&contest.rules));
                    foretell_search(&empty, search.depth, &evaluator, &search.options, enough, stop)
                }
                _ => Some(0.0),
            };
            let nodes = each(&contest.players[0])? + each(&contest.players[1])?;
            Some(nodes * turns * contest.games as f64)
        }
        Task::Count(_) | Task::Replica(_) => None,
    }
}

/// About how many nodes one search takes, from how its shallower ones grow; if it cannot take more
/// than `enough`, the most it can take.
fn foretell_search(
    position: &Position,
    depth: u32,
    evaluator: &Evaluator,
    options: &SearchOptions,
    enough: f64,
    stop: &Arc<AtomicBool>,
) -> Option<f64> {
    let depth = depth.min(position.empty());
    let most: f64 =
        (0..=depth).map(|ply| f64::from(position.rules().most_moves()).powi(ply as i32)).sum();
    if most <= enough {
        return Some(most);
    }
    let mut found: Vec<f64> = Vec::new();
    for shallow in 1..=depth {
        let mut searcher = Searcher::new(evaluator.clone(), options.clone());
        let limits = Limits {
            nodes: Some(4 * PROBE),
            stop: Some(Arc::clone(stop)),
            ..Limits::depth(shallow)
        };
        // Deepening reports its last whole depth when a limit stops it, which is not what is asked
        // here.
        let report = searcher.search(position, &limits, 0).ok();
        let Some(report) =
            report.filter(|report| !matches!(report.ended, fourfold::search::Ended::Halted(_)))
        else {
            break;
        };
        found.push(report.counters.nodes as f64);
        if report.counters.nodes > PROBE {
            break;
        }
    }
    let reached = found.len() as u32;
    let last = *found.last()?;
    if reached >= depth {
        return Some(last);
    }
    // Over two plies, for odd and even depths differ.
    let before = found.len().checked_sub(3).map(|index| found[index])?;
    let growth = (last / before.max(1.0)).sqrt().max(1.0);
    Some(last * growth.powi((depth - reached) as i32))
}
