//! The handlers of the calls: each reads its parameters, has the work done, and writes the answer.

use super::analysis::{analyse, analyse_from_book};
use super::engines::{Engines, Job, Lane, StopOnDrop};
use super::openapi::description;
use super::params::Params;
use super::problem::Problem;
use super::trace::{Traced, trace_of};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use fourfold::game::notation::{self, Entry, Format};
use fourfold::game::{Position, Rules};
use fourfold::play::{MoveReview, PlayerError, PlayerSpec, Seat, review_with};
use fourfold::random::Random;
use fourfold::search::SearchError;
use fourfold::solver::{Analysis, SolveError};
use fourfold_app::puzzles::{NoPuzzle, PuzzleQuery, index_json, puzzle_json};
use fourfold_app::shapes::{
    catalogue, move_json, position_json, review_json, reviewed_json, rules_json,
};
use futures_core::Stream;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

type EnginesState = State<Arc<Engines>>;
type JsonAnswer = Result<Json<Value>, Problem>;

/// The most memory that a player's tables may take, in MiB.
const MOST_MEMORY: u32 = 64;
/// The most lines of best play that are followed.
const MOST_LINES: u64 = 10;
/// More events than any request has: one per move, the line, progress, the end.
const MOST_EVENTS: usize = 512;

/// `/healthz`
pub(super) async fn health() -> &'static str {
    "ok\n"
}

/// `/api/v1/openapi.json`
pub(super) async fn openapi() -> JsonAnswer {
    description().map(Json)
}

/// `/metrics`
pub(super) async fn metrics(State(engines): EnginesState) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, engines.metrics.text()).into_response()
}

/// `/api/v1/rules`: games, formats, players and switches, or one game.
pub(super) async fn rules(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let rules: Option<Rules> = params.parse("game")?;
    let everything = || {
        let mut json = catalogue();
        json["limits"] = json!({ "time_ms": engines.budget.as_millis() as u64 });
        json
    };
    Ok(Json(rules.map_or_else(everything, |rules| rules_json(&rules))))
}

/// `/api/v1/position`: checks a position, and writes it in another format.
pub(super) async fn position(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let work = move |_: &Job<'_>| {
        let to: Option<Format> = params.parse("to")?;
        // A position is worth showing even if no order of moves leading to it is found.
        let given = params.entry()?;
        let entry = params.game().unwrap_or_else(|_| given.clone());
        let mut json = position_json(&entry);
        json["history"] = match (&given.moves, &entry.moves) {
            (Some(_), _) => "given".into(),
            (None, Some(_)) => "found".into(),
            (None, None) => Value::Null,
        };
        if let Some(score) = given.score {
            json["score"] = score.into();
        }
        if let Some(format) = to {
            let text = notation::write(&entry, format).map_err(|why| Problem::bad("to", why))?;
            json["text"] = text.into();
        }
        Ok(Json(json))
    };
    engines.run(Lane::Quick, work).await
}

/// `/api/v1/solve`: every move's exact result.
pub(super) async fn solve(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let (entry, time) = (params.entry()?, params.time(engines.budget)?);
    let lines = lines(&params)?;
    // An answer that takes no search does not wait for one.
    if lines == 0
        && let Some(book) = engines.book(entry.position.rules())
        && let Some(answer) = analyse_from_book(&book, &entry)
    {
        return Ok(Json(answer));
    }
    engines
        .run(Lane::Search, move |job| analyse(job, &entry, time, lines, |_, _| ()).map(Json))
        .await
}

/// `/api/v1/solve/events`: the same as it is found.
pub(super) async fn solve_events(
    State(engines): EnginesState,
    params: Params,
) -> Result<Response, Problem> {
    let (entry, time) = (params.entry()?, params.time(engines.budget)?);
    let lines = lines(&params)?;
    events(&engines, move |job, tell| analyse(job, &entry, time, lines, tell)).await
}

/// How many moves are followed to the end: `lines`, or one, or none with `line=false`.
fn lines(params: &Params) -> Result<usize, Problem> {
    let line = params.switch("line")?.unwrap_or(true);
    match params.number("lines")? {
        Some(lines) if lines <= MOST_LINES => Ok(lines as usize),
        Some(lines) => {
            Err(Problem::bad("lines", format!("{lines} lines are too many: at most {MOST_LINES}")))
        }
        None => Ok(usize::from(line)),
    }
}

/// `/api/v1/review`: a game judged move by move.
pub(super) async fn review(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let time = params.time(engines.budget)?;
    engines.run(Lane::Search, move |job| judge(job, &params, time, |_, _| ()).map(Json)).await
}

/// `/api/v1/review/events`: the same with progress events.
pub(super) async fn review_events(
    State(engines): EnginesState,
    params: Params,
) -> Result<Response, Problem> {
    params.entry()?;
    let time = params.time(engines.budget)?;
    events(&engines, move |job, tell| judge(job, &params, time, tell)).await
}

fn judge(
    job: &Job<'_>,
    params: &Params,
    time: Duration,
    mut tell: impl FnMut(&'static str, &Value),
) -> Result<Value, Problem> {
    let entry = params.game()?;
    let began = Instant::now();
    let moves = entry.moves.as_deref().unwrap_or_default();
    let mut solver = job.solver_for(entry.position.rules())?;
    let budget = job.budget().with_time(time);
    let rules = entry.position.rules();
    let mut done = 0;
    let heard = |judged: &MoveReview| {
        done += 1;
        let judged = reviewed_json(rules, judged);
        tell("progress", &json!({ "done": done, "moves": moves.len(), "judged": judged }));
    };
    let review = review_with(moves, &mut solver, &budget, heard).map_err(Problem::internal)?;
    job.count_nodes(review.nodes);
    let mut json = review_json(&entry, &review);
    json["time_ms"] = (began.elapsed().as_millis() as u64).into();
    Ok(json)
}

/// `/api/v1/move`: the move that a player plays.
pub(super) async fn choose(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let entry = params.entry()?;
    let spec: PlayerSpec =
        params.text("player").unwrap_or("perfect").parse().map_err(bad_player)?;
    let seed = params.number("seed")?.unwrap_or(0);
    let spec = within(spec, params.time(engines.budget)?)?;
    if entry.position.outcome().is_over() {
        return Err(Problem::bad("moves", "the game is over"));
    }
    engines.run(Lane::Search, move |job| played(job, &entry, &spec, seed).map(Json)).await
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
    let began = Instant::now();
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
    json["time_ms"] = (began.elapsed().as_millis() as u64).into();
    Ok(json)
}

/// `/api/v1/trace`: a search step by step.
pub(super) async fn trace(
    State(engines): EnginesState,
    params: Params,
) -> Result<Response, Problem> {
    let json = traced(&engines, params, Traced::json).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// `/api/v1/trace.svg`: the tree as that search left it, as a file to keep.
pub(super) async fn trace_svg(
    State(engines): EnginesState,
    params: Params,
) -> Result<Response, Problem> {
    let svg = traced(&engines, params, |traced| Ok(traced.svg())).await?;
    let head = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"tree.svg\""),
    ];
    Ok((head, svg).into_response())
}

async fn traced(
    engines: &Arc<Engines>,
    params: Params,
    show: fn(&Traced) -> Result<String, Problem>,
) -> Result<String, Problem> {
    // The limits on a trace make it quick.
    engines.run(Lane::Quick, move |_| show(&trace_of(&params)?)).await
}

/// `/api/v1/puzzle`: a puzzle by number, of a day, or one that suits.
pub(super) async fn puzzle(params: Params) -> JsonAnswer {
    let query = PuzzleQuery {
        game: params.parse("game")?,
        number: params.number("number")?,
        day: params.parse("day")?,
        theme: params.parse("theme")?,
        rating: params.number("rating")?,
        seed: params.number("seed")?,
    };
    puzzle_json(&query).map(Json).map_err(|why| no_puzzle(&why))
}

/// `/api/v1/puzzles`: all puzzles of a game in brief.
pub(super) async fn puzzles(params: Params) -> JsonAnswer {
    index_json(params.parse("game")?).map(Json).map_err(|why| no_puzzle(&why))
}

fn no_puzzle(why: &NoPuzzle) -> Problem {
    Problem::bad(why.place(), why)
}

/// `/solve?pos=44`: as a well-known solver on the web answers, with 100 for a full column.
pub(super) async fn compatible_scores(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let text = params.text("pos").unwrap_or("").to_owned();
    let position = connect_four("pos", &text)?;
    let scores = exact(&engines, position).await?;
    let scores: Vec<i32> = scores.into_iter().map(|score| score.unwrap_or(100)).collect();
    Ok(Json(json!({ "pos": text, "score": scores })))
}

/// `/solve/connect4?position=44&level=10`: as another one does. The scores are exact whatever the
/// level.
pub(super) async fn compatible_moves(State(engines): EnginesState, params: Params) -> JsonAnswer {
    params.number("level")?;
    let position = connect_four("position", params.text("position").unwrap_or(""))?;
    let scores = exact(&engines, position).await?;
    let entry = |(column, score): (usize, Option<i32>)| {
        score.map(|score| json!({ "move": (column + 1).to_string(), "score": f64::from(score) }))
    };
    Ok(Json(scores.into_iter().enumerate().filter_map(entry).collect()))
}

/// A position of Connect Four, as columns from 1.
fn connect_four(name: &str, text: &str) -> Result<Position, Problem> {
    notation::Reader::new()
        .format(Format::Columns)
        .rules(&Rules::CONNECT_FOUR)
        .read(text)
        .map(|entry| entry.position)
        .map_err(|why| Problem::bad(name, why))
}

/// The score of each column; none if it is full.
async fn exact(engines: &Arc<Engines>, position: Position) -> Result<Vec<Option<i32>>, Problem> {
    let by_column = |position: &Position, analysis: &Analysis| {
        let mut columns = vec![None; position.rules().most_moves() as usize];
        for found in analysis.complete().map_err(Problem::unfinished)? {
            if let Some(place) = columns.get_mut(notation::slot(position.rules(), found.mv)) {
                *place = Some(found.score);
            }
        }
        Ok(columns)
    };
    let book = engines.book(position.rules());
    if let Some(known) = book.and_then(|book| Analysis::from_book(&book, &position)) {
        return by_column(&position, &known);
    }
    let time = engines.budget;
    let work = move |job: &Job<'_>| {
        let mut solver = job.solver_for(position.rules())?;
        let budget = job.budget().with_time(time);
        let analysis = solver.analyse(&position, &budget).map_err(Problem::internal)?;
        job.count_nodes(analysis.nodes);
        by_column(&position, &analysis)
    };
    engines.run(Lane::Search, work).await
}

/// A stream of events that ends with `done` or `problem`. The work stops when it is dropped.
async fn events(
    engines: &Arc<Engines>,
    work: impl FnOnce(&Job<'_>, &mut dyn FnMut(&'static str, &Value)) -> Result<Value, Problem>
    + Send
    + 'static,
) -> Result<Response, Problem> {
    let ticket = engines.admit(Lane::Search).await?;
    let stop = ticket.stop_on_drop();
    let (sender, receiver) = mpsc::channel(MOST_EVENTS);
    // Nobody waits for the task: it ends soon after the stream.
    drop(ticket.start(move |job| {
        // There is room for all events. If there were not, a client that does not read would lose
        // some rather than hold up the thread.
        let mut tell = |name: &'static str, value: &Value| {
            let _ = sender.try_send(Event::default().event(name).data(value.to_string()));
        };
        match work(job, &mut tell) {
            Ok(answer) => tell("done", &answer),
            Err(problem) => tell("problem", &json!(problem)),
        }
    }));
    let stream = Events { receiver, _stop: stop };
    Ok(Sse::new(stream)
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(5)))
        .into_response())
}

struct Events {
    receiver: mpsc::Receiver<Event>,
    _stop: StopOnDrop,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().receiver.poll_recv(context).map(|event| event.map(Ok))
    }
}
