//! Tasks: the work of a cell, as data. `task_template` makes them from an experiment file,
//! `measure` does them.

use crate::replica::Pruning;
use fourfold::eval::Evaluator;
use fourfold::game::{Position, Rules};
use fourfold::play::{Host, Match, PlayerSpec};
use fourfold::search::SearchOptions;
use std::fmt;
use std::sync::Arc;

/// The work of a cell.
#[derive(Debug, Clone)]
pub enum Task {
    /// Plays games.
    Match(MatchTask),
    /// Searches positions.
    Search(SearchTask),
    /// Counts the positions of a ply.
    Count(CountTask),
    /// Plays games with the search of the Radboud report.
    Replica(ReplicaTask),
}

/// Games between two players.
#[derive(Debug, Clone)]
pub struct MatchTask {
    /// The games. The player is the first of the two, unless the opponent begins.
    pub contest: Match,
    /// True if the opponent is the first of the two.
    pub opponent_begins: bool,
}

/// Searches of positions.
#[derive(Debug, Clone)]
pub struct SearchTask {
    /// The positions, at least one.
    pub positions: Arc<[Position]>,
    /// Plies to look ahead.
    pub depth: u32,
    /// The evaluator.
    pub evaluator: Evaluator,
    /// The switches.
    pub options: SearchOptions,
    /// Timed repeats after the warm-up; 0 if times are not wanted.
    pub repeats: u32,
}

/// A ply whose positions are counted.
#[derive(Debug, Clone)]
pub struct CountTask {
    /// The position to start from.
    pub start: Position,
    /// The ply.
    pub ply: u32,
}

/// Games of the Radboud report.
#[derive(Debug, Clone)]
pub struct ReplicaTask {
    /// The game.
    pub rules: Rules,
    /// Plies that a search looks ahead.
    pub depth: u32,
    /// The first player and the second.
    pub seats: [ReplicaSeat; 2],
    /// True for correct searches in place of the printed ones.
    pub correct: bool,
    /// How many games.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
}

/// A player of the Radboud report.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplicaSeat {
    /// A search.
    Search(Pruning),
    /// A player in place of the human.
    StandIn(PlayerSpec),
}

/// `minimax search`, or the spec of the player.
impl fmt::Display for ReplicaSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(Pruning::None) => f.write_str("minimax search"),
            Self::Search(Pruning::AlphaBeta) => f.write_str("alphabeta search"),
            Self::StandIn(spec) => spec.fmt(f),
        }
    }
}

impl Task {
    /// The number of items: games or positions.
    #[must_use]
    pub fn items(&self) -> usize {
        match self {
            Self::Match(task) => task.contest.games as usize,
            Self::Search(task) => task.positions.len(),
            Self::Count(_) => 1,
            Self::Replica(task) => task.games as usize,
        }
    }

    /// Lets `host` start the external players of the task, if there are any.
    pub(crate) fn host_players(&mut self, host: Host) {
        let allow = |spec: &mut PlayerSpec| *spec = spec.clone().hosted_by(host);
        match self {
            Self::Match(task) => task.contest.players.iter_mut().for_each(allow),
            Self::Replica(task) => {
                let stand_ins = task.seats.iter_mut().filter_map(|seat| match seat {
                    ReplicaSeat::StandIn(spec) => Some(spec),
                    ReplicaSeat::Search(_) => None,
                });
                stand_ins.for_each(allow);
            }
            Self::Search(_) | Self::Count(_) => {}
        }
    }

    /// The number of items in a block, the unit of work and of the journal: small, so that an
    /// interruption loses little; not tiny, so that the journal stays short.
    #[must_use]
    pub fn block_size(&self) -> usize {
        match self {
            Self::Match(_) | Self::Replica(_) => (self.items() / 40).clamp(1, 100),
            Self::Search(_) | Self::Count(_) => 1,
        }
    }

    /// The blocks of the task, as ranges of items.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (items, size) = (self.items(), self.block_size());
        (0..items).step_by(size).map(move |from| from..(from + size).min(items))
    }
}
