//! The player that searches by Monte Carlo tree search.

use super::spec::{SpecError, nodes_of, parse_in, time_of};
use super::{Choice, Naive, Player, PlayerError, Thinking};
use crate::budget::{Budget, Halt};
use crate::game::{Position, excerpt};
use crate::random::Random;
use crate::search::{Ended, MctsOptions, SearchError, monte_carlo, nearest};
use std::time::Duration;

/// The seat of a player that searches by playouts:
/// `mcts:playouts=1000,nodes=100000,time=1000,exploration=1.4,policy=random,proven=off`, every
/// argument optional; a bare number is the playouts. With `nodes` or `time` there is no limit of
/// playouts unless it is given.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MctsSpec {
    /// Playouts and switches.
    pub options: MctsOptions,
    /// Node limit per move, in the tree and in playouts.
    pub nodes: Option<u64>,
    /// Time limit per move.
    pub time: Option<Duration>,
}

impl MctsSpec {
    /// From its arguments, without the share of random moves.
    pub(super) fn of(arguments: &[&str]) -> Result<Self, SpecError> {
        let mut spec = Self { options: MctsOptions::default(), nodes: None, time: None };
        let mut playouts = None;
        for argument in arguments {
            let bare = !argument.is_empty() && argument.bytes().all(|byte| byte.is_ascii_digit());
            let (key, value) = match argument.split_once('=') {
                _ if bare => ("playouts", *argument),
                Some(pair) => pair,
                None => (*argument, "on"),
            };
            let wrong = |argument, expected| SpecError::Value {
                argument,
                value: value.to_owned(),
                expected,
            };
            match key {
                "playouts" => {
                    let expected = "it is a number of playouts from 1 to 1000000000";
                    let number = parse_in(value, &(1..=1_000_000_000));
                    playouts = Some(number.ok_or_else(|| wrong("playouts", expected))?);
                }
                "nodes" => spec.nodes = Some(nodes_of(value)?),
                "time" => spec.time = Some(time_of("time", value)?),
                "exploration" => {
                    let expected = "it is a number from 0 to 100";
                    let number = parse_in(value, &(0.0..=MctsOptions::MOST_EXPLORATION));
                    spec.options.exploration =
                        number.ok_or_else(|| wrong("exploration", expected))?;
                }
                "policy" => {
                    let expected = "playouts are random or naive";
                    spec.options.policy = value.parse().map_err(|()| wrong("policy", expected))?;
                }
                "proven" => {
                    spec.options.proven = match value {
                        "on" => true,
                        "off" => false,
                        _ => return Err(wrong("proven", "it is on or off")),
                    };
                }
                _ => {
                    let known =
                        ["playouts", "nodes", "time", "exploration", "policy", "proven", "random"];
                    let hint = nearest(key, known.into_iter())
                        .unwrap_or_else(|| format!("it takes {}", known.join(", ")));
                    let argument = excerpt(key);
                    return Err(SpecError::UnknownArgument { player: "mcts", argument, hint });
                }
            }
        }
        if playouts.is_some() || spec.nodes.is_some() || spec.time.is_some() {
            spec.options.playouts = playouts;
        }
        Ok(spec)
    }

    /// The arguments, as they are written.
    pub(super) fn arguments(&self) -> Vec<String> {
        let (usual, options) = (MctsOptions::default(), &self.options);
        let mut arguments = Vec::new();
        arguments.extend(options.playouts.map(|playouts| format!("playouts={playouts}")));
        arguments.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        arguments.extend(self.time.map(|time| format!("time={}", time.as_millis())));
        if options.exploration != usual.exploration {
            arguments.push(format!("exploration={}", options.exploration));
        }
        if options.policy != usual.policy {
            arguments.push(format!("policy={}", options.policy));
        }
        if options.proven != usual.proven {
            arguments.push("proven=off".to_owned());
        }
        arguments
    }

    /// Takes the seat.
    pub(super) fn player(&self, random: Random, budget: &Budget) -> MctsPlayer {
        let budget = budget.part().with_nodes(self.nodes).with_time(self.time);
        MctsPlayer { options: self.options, budget, random }
    }
}

/// Plays the best move of a Monte Carlo tree search, with a new tree for every move.
#[derive(Debug)]
pub struct MctsPlayer {
    options: MctsOptions,
    /// For one move; renewed for the next.
    budget: Budget,
    random: Random,
}

impl MctsPlayer {
    /// Spends at most `budget` on each move.
    #[must_use]
    pub fn new(options: MctsOptions, budget: Budget, random: Random) -> Self {
        Self { options, budget, random }
    }
}

impl Player for MctsPlayer {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let seed = self.random.next_u64();
        let report = monte_carlo(position, &self.options, &self.budget.renewed(), seed);
        let nodes = report.nodes;
        match (report.best, report.ended) {
            // A stop must be obeyed.
            (_, Ended::Halted(halt @ Halt::Stopped)) => {
                let finished = Vec::new();
                Err(SearchError::Interrupted { halt, finished, nodes }.into())
            }
            (Some(mv), _) => {
                let thinking = Thinking::new(report.verdict, report.depth, nodes, report.playouts);
                Ok(Choice::unthinking(mv).with_thinking(Some(thinking)))
            }
            // Not even one playout: a quick look is better than none.
            (None, _) => Naive::new(Random::new(seed)).choose(position),
        }
    }
}
