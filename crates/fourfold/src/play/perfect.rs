//! The perfect player: the best move there is, proven by the exact solver.
//!
//! A won game is won the shortest way, a lost one held out longest, a draw kept. When a budget runs
//! out before the proof is done, the move comes from a textbook search with what is left, and the
//! player claims no more than that search has seen. A tricky one asks, of equally good moves, after
//! which the opponent errs most easily.

use super::level::Tempter;
use super::spec::{SpecError, flag_of, nodes_of, parse_in, time_of};
use super::{Choice, Player, PlayerError, SearchPlayer, Thinking};
use crate::book::Book;
use crate::budget::{Budget, Halt};
use crate::eval::Evaluator;
use crate::game::{Move, Position, Rules};
use crate::random::Random;
use crate::score::Verdict;
use crate::search::{Limits, SearchOptions, Searcher, Tie, nearest};
use crate::solver::{SolveError, Solver, SolverOptions};
use std::time::Duration;

/// The seat of a perfect player:
/// `perfect:memory=64,time=1000,nodes=1000000,tie=random,book=off,tricky`, every argument optional.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerfectSpec {
    /// MiB for the solver's table.
    pub memory: u32,
    /// Nodes a move at most; without a limit the move is always exact, however long it takes.
    pub nodes: Option<u64>,
    /// Time a move at most.
    pub time: Option<Duration>,
    /// Which of several best moves.
    pub tie: Tie,
    /// Use the book that comes with the library, if there is one for the game.
    pub book: bool,
    /// Of equally good moves, play the one after which people err most easily.
    pub tricky: bool,
}

impl Default for PerfectSpec {
    fn default() -> Self {
        Self {
            memory: SolverOptions::default().memory,
            nodes: None,
            time: None,
            tie: Tie::Centre,
            book: true,
            tricky: false,
        }
    }
}

/// The textbook search that stands in gets one part in so many of a budget.
const PARTS: u32 = 4;

impl PerfectSpec {
    /// From its arguments, without the share of random moves.
    pub(super) fn of(arguments: &[&str]) -> Result<Self, SpecError> {
        let mut spec = Self::default();
        for argument in arguments {
            let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
            match key {
                "memory" => {
                    let expected = "it is a number of MiB from 1 to 65536";
                    let wrong = || SpecError::Value {
                        argument: "memory",
                        value: value.to_owned(),
                        expected,
                    };
                    spec.memory = parse_in(value, &(1..=65536)).ok_or_else(wrong)?;
                }
                "nodes" => spec.nodes = Some(nodes_of(value)?),
                "time" => spec.time = Some(time_of("time", value)?),
                "tie" => {
                    let mut options = SearchOptions::default();
                    options.set("tie", value)?;
                    spec.tie = options.tie;
                }
                "book" => spec.book = flag_of("book", value)?,
                "tricky" => {
                    spec.tricky = flag_of("tricky", if value.is_empty() { "on" } else { value })?;
                }
                _ => {
                    let known =
                        ["memory", "nodes", "time", "tie", "book", "tricky", "random", "careless"];
                    let hint = nearest(key, known.into_iter())
                        .unwrap_or_else(|| format!("it takes {}", known.join(", ")));
                    let argument = key.to_owned();
                    return Err(SpecError::UnknownArgument { player: "perfect", argument, hint });
                }
            }
        }
        Ok(spec)
    }

    /// The arguments that are not as usual, as they are written.
    pub(super) fn arguments(&self) -> Vec<String> {
        let usual = Self::default();
        let mut arguments = Vec::new();
        if self.memory != usual.memory {
            arguments.push(format!("memory={}", self.memory));
        }
        arguments.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        arguments.extend(self.time.map(|time| format!("time={}", time.as_millis())));
        if self.tie != usual.tie {
            arguments.push(format!("tie={}", self.tie));
        }
        if self.book != usual.book {
            arguments.push("book=off".to_owned());
        }
        arguments.extend(self.tricky.then(|| "tricky".to_owned()));
        arguments
    }

    /// Takes the seat.
    pub(super) fn player(
        &self,
        rules: &Rules,
        random: Random,
        budget: &Budget,
    ) -> Result<Perfect, PlayerError> {
        let options = SolverOptions::default().with_memory(self.memory);
        let book = if self.book { Book::embedded(rules) } else { None };
        let solver = Solver::new(rules, options)?.with_book(book);
        let budget = budget.part().with_nodes(self.nodes).with_time(self.time);
        let tempter = self.tricky.then(|| Tempter::new(rules));
        Ok(Perfect { tempter, ..Perfect::new(solver, budget, self.tie, random) })
    }
}

/// Plays the best move there is, and keeps what its solver has proven from move to move.
#[derive(Debug)]
pub struct Perfect {
    solver: Solver,
    /// For one move; renewed for the next.
    budget: Budget,
    tie: Tie,
    random: Random,
    /// Who moves when the solver's limits are reached.
    stand_in: SearchPlayer,
    /// Who picks one of several equally good moves, if it is to be a tempting one.
    tempter: Option<Tempter>,
}

impl Perfect {
    /// Spends at most `budget` on each move: most of it on a proof, and what is left, if there is
    /// none, on a textbook search. Of several best moves it plays the one that `tie` says.
    #[must_use]
    pub fn new(solver: Solver, budget: Budget, tie: Tie, mut random: Random) -> Self {
        let options = SearchOptions::timed(4);
        let searcher = Searcher::new(Evaluator::natural(solver.rules()), options);
        let limits = Limits::budget(budget.clone());
        let stand_in = SearchPlayer::new(searcher, limits, Random::new(random.next_u64()));
        Self { solver, budget, tie, random, stand_in, tempter: None }
    }

    /// The legal moves, the one to play first if all were equal.
    fn preference(&mut self, position: &Position) -> Vec<Move> {
        let rules = position.rules();
        let mut moves = position.legal_moves();
        match self.tie {
            Tie::First => {}
            Tie::Centre => moves.sort_by_key(|mv| mv.off_centre(rules)),
            Tie::Random => {
                for last in (1..moves.len()).rev() {
                    moves.swap(last, self.random.below(last + 1));
                }
            }
        }
        moves
    }
}

impl Player for Perfect {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let moves = self.preference(position);
        let budget = self.budget.renewed();
        let proof = budget
            .part()
            .with_nodes(budget.nodes_left().map(|nodes| nodes - nodes.div_ceil(u64::from(PARTS))))
            .with_time(budget.time_left().map(|time| time - time / PARTS));
        if let Some(tempter) = &self.tempter {
            let half = proof.part().with_nodes(proof.nodes_left().map(|nodes| nodes / 2));
            match tempter.choose(&mut self.solver, position, &moves, &half) {
                Ok(choice) => return Ok(choice),
                // What is proven is kept; the plain best move may still be found.
                Err(PlayerError::Solver(SolveError::Unfinished { .. })) if !budget.is_stopped() => {
                }
                Err(why) => return Err(why),
            }
        }
        match self.solver.best_move(position, &moves, &proof) {
            Ok((solved, best)) => {
                let thinking = Thinking {
                    verdict: solved.verdict,
                    depth: position.rules().cells() - position.ply(),
                    nodes: solved.nodes,
                    evaluations: 0,
                };
                Ok(Choice { mv: best.ok_or(PlayerError::GameOver)?, thinking: Some(thinking) })
            }
            Err(SolveError::Unfinished { stop: Halt::Nodes | Halt::Time, nodes, .. }) => {
                let rest = Limits::budget(budget);
                let mut choice = self.stand_in.choose_within(position, &rest)?;
                let nothing =
                    Thinking { verdict: Verdict::Estimate(0), depth: 0, nodes: 0, evaluations: 0 };
                let thinking = choice.thinking.get_or_insert(nothing);
                thinking.nodes += nodes;
                Ok(choice)
            }
            Err(error) => Err(error.into()),
        }
    }
}
