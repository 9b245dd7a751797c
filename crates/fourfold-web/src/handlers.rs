//! The handlers of the calls: each reads its parameters, has the work done, and writes the answer.

use super::engines::{Engines, Lane, StopOnDrop};
use super::openapi::description;
use super::params::Params;
use super::problem::Problem;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use fourfold::game::notation::{self, Format};
use fourfold::game::{Position, Rules};
use fourfold::solver::Analysis;
use fourfold_app::service::{self, Job, Play, Review, Solve, Traced, Worksheet, trace_of};
use futures_core::Stream;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;

type EnginesState = State<Arc<Engines>>;
type JsonAnswer = Result<Json<Value>, Problem>;

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
    Ok(Json(service::rules(&params, engines.budget)?))
}

/// `/api/v1/position`: checks a position, and writes it in another format.
pub(super) async fn position(State(engines): EnginesState, params: Params) -> JsonAnswer {
    engines.run(Lane::Quick, move |_| service::position(&params).map(Json)).await
}

/// `/api/v1/solve`: every move's exact result.
pub(super) async fn solve(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let asked = Solve::of(&params, engines.budget)?;
    // An answer that takes no search does not wait for one.
    if let Some(answer) = asked.from_book(engines.books()) {
        return Ok(Json(answer));
    }
    engines.run(Lane::Search, move |job| asked.answer(job, |_, _| ()).map(Json)).await
}

/// `/api/v1/solve/events`: the same as it is found.
pub(super) async fn solve_events(
    State(engines): EnginesState,
    params: Params,
) -> Result<Response, Problem> {
    let asked = Solve::of(&params, engines.budget)?;
    events(&engines, move |job, tell| asked.answer(job, tell)).await
}

/// `/api/v1/review`: a game judged move by move.
pub(super) async fn review(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let most = engines.budget;
    params.time(most)?;
    let work = move |job: &Job<'_>| {
        // Moves that lead to a position may take a while to find.
        Review::of(&params, most)?.answer(job, |_, _| ()).map(Json)
    };
    engines.run(Lane::Search, work).await
}

/// `/api/v1/review/events`: the same with progress events.
pub(super) async fn review_events(
    State(engines): EnginesState,
    params: Params,
) -> Result<Response, Problem> {
    let most = engines.budget;
    params.entry()?;
    params.time(most)?;
    events(&engines, move |job, tell| Review::of(&params, most)?.answer(job, tell)).await
}

/// `/api/v1/move`: the move that a player plays.
pub(super) async fn choose(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let asked = Play::of(&params, engines.budget)?;
    engines.run(Lane::Search, move |job| asked.answer(job).map(Json)).await
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
    show: fn(&Traced) -> Result<String, service::Problem>,
) -> Result<String, Problem> {
    // The limits on a trace make it quick.
    engines.run(Lane::Quick, move |_| show(&trace_of(&params)?)).await
}

/// `/api/v1/worksheet`: exercises to do by hand, with their answers.
pub(super) async fn worksheet(State(engines): EnginesState, params: Params) -> JsonAnswer {
    let sheet = Worksheet::of(&params)?;
    engines.run(Lane::Quick, move |job| sheet.exercises(job).map(Json)).await
}

/// `/api/v1/puzzle`: a puzzle by number, of a day, or one that suits.
pub(super) async fn puzzle(params: Params) -> JsonAnswer {
    Ok(Json(service::puzzle(&params)?))
}

/// `/api/v1/puzzles`: all puzzles of a game in brief.
pub(super) async fn puzzles(params: Params) -> JsonAnswer {
    Ok(Json(service::puzzles(&params)?))
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
        for found in analysis.complete().map_err(service::Problem::unfinished)? {
            if let Some(place) = columns.get_mut(notation::slot(position.rules(), found.mv)) {
                *place = Some(found.score);
            }
        }
        Ok(columns)
    };
    let book = engines.books().book_for(position.rules());
    if let Some(known) = book.and_then(|book| Analysis::from_book(&book, &position)) {
        return Ok(by_column(&position, &known)?);
    }
    let time = engines.budget;
    let work = move |job: &Job<'_>| {
        let mut solver = job.solver_for(position.rules())?;
        let budget = job.budget().with_time(time);
        let analysis = solver.analyse(&position, &budget).map_err(service::Problem::internal)?;
        job.count_nodes(analysis.nodes);
        by_column(&position, &analysis)
    };
    engines.run(Lane::Search, work).await
}

/// A stream of events that ends with `done` or `problem`. The work stops when it is dropped.
async fn events(
    engines: &Arc<Engines>,
    work: impl FnOnce(&Job<'_>, &mut dyn FnMut(&'static str, &Value)) -> Result<Value, service::Problem>
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
