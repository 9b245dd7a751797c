//! The calls about games between people: each reads who asks and what for, and answers with the
//! game. Tokens come in a header, which nobody logs, and never in an address.

use super::audience::Following;
use super::clock::TimeControl;
use super::game::{Action, Done, Game};
use super::games::Games;
use super::token::{Id, Token, coin, wall_clock};
use crate::connections::Client;
use crate::host::{check_origin, host_of};
use crate::metrics::ServiceMetrics;
use crate::params::Params;
use crate::problem::Problem;
use axum::extract::{FromRequestParts, Path};
use axum::http::header::{AUTHORIZATION, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use fourfold::game::Side;
use futures_core::Stream;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

type AllGames = Extension<Arc<Games>>;
type JsonAnswer = Result<Json<Value>, Problem>;

/// How often a stream on which nothing happens says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// The most minutes of a clock, and seconds of its increment.
const MOST_MINUTES: u64 = 180;
const MOST_INCREMENT: u64 = 180;
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Whoever asks: from where, and with which token. A page of another site may not ask for changes.
pub(super) struct Caller {
    client: Option<Client>,
    token: Option<Token>,
    headers: HeaderMap,
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let games: &Arc<Games> =
            parts.extensions.get().ok_or_else(|| Problem::internal("there are no games"))?;
        let client = parts.extensions.get::<Client>().copied();
        if parts.method != Method::GET {
            check_origin(&parts.headers, &games.reach)?;
            games.count(client, false)?;
        }
        let token = match parts.headers.get(AUTHORIZATION) {
            None => None,
            Some(value) => {
                let text = value.to_str().ok().and_then(|text| text.strip_prefix("Bearer "));
                let token = text.and_then(|text| text.trim().parse().ok());
                Some(token.ok_or_else(Problem::not_your_seat)?)
            }
        };
        Ok(Self { client, token, headers: parts.headers.clone() })
    }
}

impl Caller {
    /// The token of a seat, without which nothing is done.
    fn seat(&self) -> Result<Token, Problem> {
        self.token.ok_or_else(Problem::no_token)
    }
}

/// The name of a game in the path.
pub(super) struct Named(Id);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Ok(Path(text)) = Path::<String>::from_request_parts(parts, state).await else {
            return Err(Problem::no_such_game());
        };
        text.parse().map(Self).map_err(|_| Problem::no_such_game())
    }
}

/// `GET /api/v1/games`: how games are kept, and who can reach them.
pub(super) async fn about(
    Extension(games): AllGames,
    caller: Caller,
    _params: Params,
) -> Json<Value> {
    Json(json!({
        "kept": games.is_durable(),
        "reach": games.reach.scope(),
        "address": games.reach.address(host_of(&caller.headers).as_ref()),
    }))
}

/// `POST /api/v1/games`: makes a game.
pub(super) async fn make(Extension(games): AllGames, caller: Caller, params: Params) -> JsonAnswer {
    let entry = params.game()?;
    if entry.position.outcome().is_over() {
        return Err(Problem::bad("moves", "the game is over"));
    }
    let side = match params.text("side").unwrap_or("first") {
        "first" => Side::First,
        "second" => Side::Second,
        "random" if coin().map_err(Problem::internal)? => Side::First,
        "random" => Side::Second,
        other => {
            let detail = format!("{other:?} is neither first, second nor random");
            return Err(Problem::bad("side", detail));
        }
    };
    let control = time_control(&params)?;
    games.count(caller.client, true)?;
    let (token, invitation) = (random_token()?, random_token()?);
    let game = Game::new(
        entry.position,
        entry.moves.unwrap_or_default(),
        (side, token.digest()),
        invitation.digest(),
        control,
        wall_clock(),
    );
    let (id, state) = games.make(game).await?;
    let address = games.reach.address(host_of(&caller.headers).as_ref()).unwrap_or_default();
    Ok(Json(json!({
        "id": id,
        "side": side.to_string(),
        "token": token.to_string(),
        "invitation": invitation.to_string(),
        "links": {
            "seat": format!("{address}/friend/{id}#{invitation}"),
            "watch": format!("{address}/friend/{id}"),
        },
        "state": state,
    })))
}

fn random_token() -> Result<Token, Problem> {
    Token::random().map_err(Problem::internal)
}

/// The clock that is asked for, if any.
fn time_control(params: &Params) -> Result<Option<TimeControl>, Problem> {
    let within = |name: &str, most: u64| {
        let given = params.number(name)?.unwrap_or(0);
        let detail = || format!("at most {most}, not {given}");
        if given <= most { Ok(given) } else { Err(Problem::bad(name, detail())) }
    };
    let minutes = within("minutes", MOST_MINUTES)?;
    let increment = within("increment", MOST_INCREMENT)?;
    if minutes == 0 && increment > 0 {
        return Err(Problem::bad("increment", "there is no clock without minutes"));
    }
    let control = TimeControl { base_ms: minutes * 60_000, increment_ms: increment * 1000 };
    Ok((minutes > 0).then_some(control))
}

/// `GET /api/v1/games/{id}`: how a game stands.
pub(super) async fn state(
    Extension(games): AllGames,
    Named(id): Named,
    _params: Params,
) -> JsonAnswer {
    games.state(id).await.map(Json)
}

/// `POST /api/v1/games/{id}/join`: takes the seat that an invitation is for.
pub(super) async fn join(
    Extension(games): AllGames,
    Named(id): Named,
    caller: Caller,
    _params: Params,
) -> JsonAnswer {
    let token = random_token()?;
    let (side, state) = games.join(id, caller.seat()?.digest(), token.digest()).await?;
    Ok(Json(json!({
        "id": id,
        "side": side.to_string(),
        "token": token.to_string(),
        "state": state,
    })))
}

/// `POST /api/v1/games/{id}/moves`: makes a move.
pub(super) async fn play(
    Extension(games): AllGames,
    Named(id): Named,
    caller: Caller,
    params: Params,
) -> JsonAnswer {
    let ply = params.number("ply")?.ok_or_else(|| {
        Problem::bad("ply", "give ply, the number of moves that were made before this one")
    })?;
    let text = params.text("move").ok_or_else(|| Problem::bad("move", "give a move"))?;
    let action = Action::Move { ply, text: text.to_owned() };
    let (done, state) = acted(&games, id, &caller, action).await?;
    if done == Done::Changed {
        games.metrics.live_moves.fetch_add(1, Ordering::Relaxed);
    }
    Ok(Json(state))
}

/// `POST /api/v1/games/{id}/resign`: gives up.
pub(super) async fn resign(
    Extension(games): AllGames,
    Named(id): Named,
    caller: Caller,
    _params: Params,
) -> JsonAnswer {
    let (_, state) = acted(&games, id, &caller, Action::Resign).await?;
    Ok(Json(state))
}

/// `POST /api/v1/games/{id}/draw`: offers a draw, accepts or declines one.
pub(super) async fn draw(
    Extension(games): AllGames,
    Named(id): Named,
    caller: Caller,
    params: Params,
) -> JsonAnswer {
    let action = match params.text("answer") {
        None => Action::OfferDraw,
        Some("accept") => Action::AcceptDraw,
        Some("decline") => Action::DeclineDraw,
        Some(other) => {
            let detail = format!("{other:?} is neither accept nor decline");
            return Err(Problem::bad("answer", detail));
        }
    };
    let (_, state) = acted(&games, id, &caller, action).await?;
    Ok(Json(state))
}

/// `POST /api/v1/games/{id}/rematch`: wants to play again.
pub(super) async fn rematch(
    Extension(games): AllGames,
    Named(id): Named,
    caller: Caller,
    _params: Params,
) -> JsonAnswer {
    let (_, state) = acted(&games, id, &caller, Action::Rematch).await?;
    Ok(Json(state))
}

async fn acted(
    games: &Arc<Games>,
    id: Id,
    caller: &Caller,
    action: Action,
) -> Result<(Done, Value), Problem> {
    let token = caller.seat()?.digest();
    games.act(id, token, move |game, side, now| game.act(side, &action, now)).await
}

/// `GET /api/v1/games/{id}/events`: a game as it goes on.
pub(super) async fn follow(
    Extension(games): AllGames,
    Named(id): Named,
    caller: Caller,
    _params: Params,
) -> Result<Response, Problem> {
    let seen = caller.headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok()?.parse().ok());
    let following = games.follow(id, caller.token.map(Token::digest), seen).await?;
    let stream = Events::new(following, Arc::clone(&games.metrics));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}

/// The events of one who follows a game.
struct Events {
    following: Following,
    metrics: Arc<ServiceMetrics>,
}

impl Events {
    fn new(following: Following, metrics: Arc<ServiceMetrics>) -> Self {
        metrics.live_streams.fetch_add(1, Ordering::Relaxed);
        Self { following, metrics }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.metrics.live_streams.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().following.events.poll_recv(context).map(|event| event.map(Ok))
    }
}
