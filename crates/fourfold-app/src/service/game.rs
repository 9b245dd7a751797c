//! Games: the move that a player plays, and a game judged move by move.

use super::{Job, Params, Problem};
use crate::shapes::{move_json, review_json, reviewed_json};
use fourfold::game::notation::Entry;
use fourfold::play::{MoveReview, PlayerError, PlayerSpec, Seat, review_with};
use fourfold::random::Random;
use fourfold::search::SearchError;
use fourfold::solver::SolveError;
use serde_json::{Value, json};
use std::time::Duration;

/// The most memory that a player's tables may take, in MiB.
const MOST_MEMORY: u32 = 64;

/// A move to be played.
#[derive(Debug)]
pub struct Play {
    entry: Entry,
    spec: PlayerSpec,
    seed: u64,
}

impl Play {
    /// What is asked for; at most so much time.
    ///
    /// # Errors
    /// If a parameter makes no sense, the player may not play here, or the game is over.
    pub fn of(params: &Params, most: Duration) -> Result<Self, Problem> {
        let entry = params.entry()?;
        let spec: PlayerSpec =
            params.text("player").unwrap_or("perfect").parse().map_err(bad_player)?;
        let seed = params.number("seed")?.unwrap_or(0);
        let spec = within(spec, params.time(most)?)?;
        if entry.position.outcome().is_over() {
            return Err(Problem::bad("moves", "the game is over"));
        }
        Ok(Self { entry, spec, seed })
    }

    /// The move.
    ///
    /// # Errors
    /// If the player finds none in time, or cannot play this game.
    pub fn answer(&self, job: &Job<'_>) -> Result<Value, Problem> {
        played(job, &self.entry, &self.spec, self.seed)
    }
}

fn bad_player(why: impl std::fmt::Display) -> Problem {
    Problem::bad("player", why)
}

/// The player within the server's limits; refused if it may not play here.
fn within(mut spec: PlayerSpec, budget: Duration) -> Result<PlayerSpec, Problem> {
    let memory = match &mut spec.seat {
        Seat::Human => {
            return Err(bad_player("human cannot play over the network: there is nobody to ask"));
        }
        Seat::External(_) => {
            return Err(bad_player(
                "external cannot play over the network: no program is started for a request",
            ));
        }
        // Levels have node limits of their own.
        Seat::Random | Seat::Naive | Seat::Script(_) | Seat::Level(_) => 0,
        Seat::Search(search) => {
            search.time = Some(search.time.map_or(budget, |time| time.min(budget)));
            search.options.table
        }
        Seat::Perfect(perfect) => {
            perfect.time = Some(perfect.time.map_or(budget, |time| time.min(budget)));
            perfect.memory
        }
        _ => return Err(bad_player("it is not for the network")),
    };
    if memory > MOST_MEMORY {
        return Err(bad_player(format!(
            "a table of {memory} MiB is too large: at most {MOST_MEMORY} MiB are allowed here"
        )));
    }
    Ok(spec)
}

fn played(job: &Job<'_>, entry: &Entry, spec: &PlayerSpec, seed: u64) -> Result<Value, Problem> {
    let elapsed = job.stopwatch();
    let position = &entry.position;
    // Each move of a game gets random numbers of its own from the one seed.
    let own = Random::for_item(seed, u64::from(position.ply())).next_u64();
    let failed = |why| match why {
        PlayerError::Search(SearchError::Evaluator(why)) => bad_player(why),
        PlayerError::Search(why) => Problem::unfinished(format!("{spec} found no move: {why}")),
        PlayerError::Solver(why @ SolveError::Unfinished { .. }) => Problem::unfinished(why),
        PlayerError::Solver(why) => Problem::internal(why),
        why => bad_player(why),
    };
    let mut player = spec.player(position.rules(), own, &job.budget()).map_err(failed)?;
    let choice = player.choose(position).map_err(failed)?;
    let mut json = move_json(position.rules(), choice.mv);
    json["player"] = spec.to_string().into();
    json["seed"] = seed.into();
    if let Some(thinking) = choice.thinking {
        json["verdict"] = json!(thinking.verdict);
        json["words"] = thinking.verdict.to_string().into();
        json["depth"] = thinking.depth.into();
        json["nodes"] = thinking.nodes.into();
    }
    json["time_ms"] = elapsed().into();
    Ok(json)
}

/// A game to be judged.
#[derive(Debug)]
pub struct Review {
    entry: Entry,
    time: Duration,
}

impl Review {
    /// What is asked for; at most so much time.
    ///
    /// # Errors
    /// If a parameter makes no sense, or no moves lead to the position.
    pub fn of(params: &Params, most: Duration) -> Result<Self, Problem> {
        let time = params.time(most)?;
        Ok(Self { entry: params.game()?, time })
    }

    /// The game judged move by move. `tell` gets `progress` events, each with the move just judged.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn answer(
        &self,
        job: &Job<'_>,
        mut tell: impl FnMut(&'static str, &Value),
    ) -> Result<Value, Problem> {
        let entry = &self.entry;
        let elapsed = job.stopwatch();
        let moves = entry.moves.as_deref().unwrap_or_default();
        let mut solver = job.solver_for(entry.position.rules())?;
        let budget = job.budget().with_time(self.time);
        let rules = entry.position.rules();
        let mut done = 0;
        let heard = |judged: &MoveReview| {
            done += 1;
            let judged = reviewed_json(rules, judged);
            tell("progress", &json!({ "done": done, "moves": moves.len(), "judged": judged }));
        };
        let review = review_with(moves, &mut solver, &budget, heard).map_err(Problem::internal)?;
        job.count_nodes(review.nodes);
        let mut json = review_json(entry, &review);
        json["time_ms"] = elapsed().into();
        Ok(json)
    }
}
