//! Doing the work of a cell, item by item: games, searches, counts.

use crate::observation::Observation;
use crate::replica::{Pruning, Replica, legal_move};
use crate::task::{CountTask, MatchTask, ReplicaSeat, ReplicaTask, SearchTask, Task};
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Position, Side, counting};
use fourfold::play::{GameError, Player, Record, Winner};
use fourfold::random::Random;
use fourfold::search::{Limits, SearchError, SearchOptions, Searcher};
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why an item was not observed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ItemError {
    /// The run was stopped.
    #[error("stopped")]
    Stopped,
    /// It takes more nodes than its budget.
    #[error("about {nodes:.0} nodes exceed the budget")]
    TooLarge {
        /// About how many it takes.
        nodes: f64,
    },
    /// Something else went wrong.
    #[error("{0}")]
    Failed(String),
}

fn failed(why: impl Display) -> ItemError {
    ItemError::Failed(why.to_string())
}

/// Timed repeats of a search end when they have taken this long together, in microseconds.
const LONG_ENOUGH_US: f64 = 3e6;

/// Observes item `index` of a task; if it is a game, with its record. `budget` is the most nodes
/// that one search may visit.
pub(crate) fn observe(
    task: &Task,
    index: usize,
    budget: u64,
    stop: &Arc<AtomicBool>,
) -> Result<(Observation, Option<Record>), ItemError> {
    let with_game = |(seen, record)| (seen, Some(record));
    let alone = |seen| (seen, None);
    match task {
        Task::Match(task) => game(task, index as u64, stop).map(with_game),
        Task::Search(task) => search(task, &task.positions[index], budget, stop).map(alone),
        Task::Count(task) => count(task, stop).map(alone),
        Task::Replica(task) => replica_game(task, index as u64, stop).map(with_game),
    }
}

/// No limit but the flag.
pub(crate) fn stoppable(stop: &Arc<AtomicBool>) -> Budget {
    Budget::unlimited().with_stop(Arc::clone(stop))
}

fn game(
    task: &MatchTask,
    index: u64,
    stop: &Arc<AtomicBool>,
) -> Result<(Observation, Record), ItemError> {
    let record = task.contest.game(index, &stoppable(stop)).map_err(|why| match why {
        GameError::Stopped => ItemError::Stopped,
        why => ItemError::Failed(format!("game {}: {why}", index + 1)),
    })?;
    // The seat of the side that moved at a ply: 0 is the player, 1 the opponent.
    let first_is_opponent = task.opponent_begins != task.contest.is_swapped(index);
    let seat = |ply: usize| (ply + usize::from(first_is_opponent)) % 2;
    let first_won = match record.result {
        Some(Winner::First) => 1,
        Some(Winner::Second) => -1,
        _ => 0,
    };
    let (mut moves, mut nodes, mut evaluations, mut time) = ([0; 2], [0; 2], [0; 2], [0; 2]);
    for ply in task.contest.opening(0).len()..record.moves.len() {
        let seat = seat(ply);
        moves[seat] += 1;
        nodes[seat] += record.nodes.as_ref().map_or(0, |list| list[ply]);
        evaluations[seat] += record.evaluations.as_ref().map_or(0, |list| list[ply]);
        time[seat] +=
            record.times_ms.as_ref().map_or(0, |list| (list[ply] * 1000.0).round() as u64);
    }
    let seen = Observation::Game {
        result: if first_is_opponent { -first_won } else { first_won },
        turns: record.moves.len() as u32,
        moves,
        nodes,
        evaluations,
        time,
        invalid: 0,
        unblocked: 0,
    };
    Ok((seen, record))
}

fn search(
    task: &SearchTask,
    position: &Position,
    budget: u64,
    stop: &Arc<AtomicBool>,
) -> Result<Observation, ItemError> {
    let limits = Limits::depth(task.depth).within(stoppable(stop).with_nodes(budget));
    let once = || {
        let mut searcher = Searcher::new(task.evaluator.clone(), task.options.clone());
        searcher.search(position, &limits.renewed(), 0).map_err(|why| match why {
            SearchError::Interrupted { .. } if stop.load(Ordering::Relaxed) => ItemError::Stopped,
            SearchError::Interrupted { nodes, .. } => ItemError::TooLarge { nodes: nodes as f64 },
            why => ItemError::Failed(why.to_string()),
        })
    };
    // The first search warms up. Every repeat has the same counters.
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

fn count(task: &CountTask, stop: &AtomicBool) -> Result<Observation, ItemError> {
    let limits = counting::CountLimits::default().with_stop(stop);
    let counts =
        counting::count(&task.start, task.ply, &limits, |_| {}).map_err(|why| {
            match why.reason {
                counting::Reason::Stopped { .. } => ItemError::Stopped,
                reason => ItemError::Failed(reason.to_string()),
            }
        })?;
    let row = counts.plies.last().copied().unwrap_or_default();
    if row.ply < task.ply {
        return Err(ItemError::Failed(format!("no game lasts {} plies", task.ply)));
    }
    let fit = |number: u128| {
        u64::try_from(number).map_err(|_| ItemError::Failed("a count exceeds 64 bits".to_owned()))
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

/// A player of a game of the Radboud report.
enum ReplicaPlayer {
    Printed(Replica),
    Correct(Searcher),
    StandIn(Box<dyn Player + Send>),
}

/// A move, the evaluations it took, and whether the player named a legal column.
struct Choice {
    mv: Move,
    evaluations: u64,
    valid: bool,
}

impl ReplicaPlayer {
    fn new(
        seat: &ReplicaSeat,
        task: &ReplicaTask,
        seeds: &mut Random,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, ItemError> {
        match seat {
            ReplicaSeat::Search(pruning) if task.correct => {
                let alpha_beta = *pruning == Pruning::AlphaBeta;
                let options = SearchOptions::default().with_alpha_beta(alpha_beta);
                Ok(Self::Correct(Searcher::new(Evaluator::textbook(&task.rules), options)))
            }
            ReplicaSeat::Search(pruning) => Replica::new(&task.rules, task.depth, *pruning)
                .map(Self::Printed)
                .ok_or_else(|| failed("the report's code does not play this game")),
            ReplicaSeat::StandIn(spec) => {
                let player = spec.player(&task.rules, seeds.next_u64(), &stoppable(stop));
                player.map(Self::StandIn).map_err(failed)
            }
        }
    }

    fn choose(
        &mut self,
        position: &Position,
        depth: u32,
        stop: &Arc<AtomicBool>,
    ) -> Result<Choice, ItemError> {
        let no_move = || failed("no move is left");
        match self {
            Self::Printed(replica) => {
                let answer = replica.choose(position);
                let (mv, valid) = legal_move(position, answer).ok_or_else(no_move)?;
                Ok(Choice { mv, evaluations: answer.evaluations, valid })
            }
            Self::Correct(searcher) => {
                let limits = Limits::depth(depth).within(stoppable(stop));
                let report = searcher.search(position, &limits.renewed(), 0).map_err(|why| {
                    if stop.load(Ordering::Relaxed) { ItemError::Stopped } else { failed(why) }
                })?;
                // The report's code calls its heuristic at the end of a game too.
                let evaluations = report.counters.leaves();
                Ok(Choice { mv: report.best.ok_or_else(no_move)?, evaluations, valid: true })
            }
            Self::StandIn(player) => {
                let mv = player.choose(position).map_err(failed)?.mv;
                Ok(Choice { mv, evaluations: 0, valid: true })
            }
        }
    }
}

fn replica_game(
    task: &ReplicaTask,
    index: u64,
    stop: &Arc<AtomicBool>,
) -> Result<(Observation, Record), ItemError> {
    let mut seeds = Random::for_item(task.seed, index);
    let [first, second] = &task.seats;
    let mut players = [
        ReplicaPlayer::new(first, task, &mut seeds, stop)?,
        ReplicaPlayer::new(second, task, &mut seeds, stop)?,
    ];
    let mut position = Position::new(task.rules);
    let (mut moves, mut evaluations, mut time) = ([0; 2], [0; 2], [0; 2]);
    let (mut invalid, mut unblocked) = (0, 0);
    let mut played = Vec::new();
    while !position.outcome().is_over() {
        if stop.load(Ordering::Relaxed) {
            return Err(ItemError::Stopped);
        }
        let side = usize::from(position.to_move() == Side::Second);
        let start = Instant::now();
        let choice = players[side].choose(&position, task.depth, stop)?;
        time[side] += start.elapsed().as_micros() as u64;
        moves[side] += 1;
        evaluations[side] += choice.evaluations;
        invalid += u32::from(!choice.valid);
        let searched = matches!(task.seats[side], ReplicaSeat::Search(_));
        unblocked += u32::from(searched && leaves_a_win(&position, choice.mv));
        position = position.play(choice.mv).map_err(failed)?;
        played.push(choice.mv);
    }
    let result = match Winner::of(&position) {
        Some(Winner::First) => 1,
        Some(Winner::Second) => -1,
        _ => 0,
    };
    let seen = Observation::Game {
        result,
        turns: position.ply(),
        moves,
        nodes: [0; 2],
        evaluations,
        time,
        invalid,
        unblocked,
    };
    let [first, second] = task.seats.each_ref().map(ToString::to_string);
    let record = Record::new(task.rules, played).with_players(first, second);
    Ok((seen, record.with_seed(task.seed)))
}

/// True if a move lets the opponent win at once although another would have prevented it, and the
/// side to move could not win at once itself.
fn leaves_a_win(position: &Position, mv: Move) -> bool {
    let blocks = position.threatened_moves();
    blocks.len() == 1
        && blocks[0] != mv
        && position.winning_moves().is_empty()
        && position.play_unchecked(blocks[0]).winning_moves().is_empty()
}
