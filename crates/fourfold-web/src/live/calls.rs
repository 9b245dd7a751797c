//! The calls about games between people, with their parameters: the routes and the OpenAPI
//! description come from this list.

use super::handlers::{about, draw, follow, join, make, play, rematch, resign, state};
use crate::calls::{Parameter, Reply, ValueType};
use crate::engines::Engines;
use axum::routing::{MethodRouter, get, post};
use std::sync::Arc;

/// How a call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LiveMethod {
    Get,
    /// With the parameters as a JSON object, and only from pages of this site.
    Post,
}

/// A call.
pub(crate) struct LiveCall {
    pub(crate) path: &'static str,
    pub(crate) method: LiveMethod,
    pub(crate) about: &'static str,
    /// Names of its parameters, without the one in the path.
    pub(crate) parameters: &'static [&'static str],
    /// Whether it takes a token as `Authorization: Bearer TOKEN`.
    pub(crate) token: bool,
    pub(crate) reply: Reply,
    pub(crate) route: fn() -> MethodRouter<Arc<Engines>>,
}

/// Parameters that no other call has.
pub(crate) const LIVE_PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "id",
        about: "A game between two people",
        kind: ValueType::Text,
        example: "k3vq9h2m7xtd",
    },
    Parameter {
        name: "side",
        about: "Which side the maker of a game plays: first, second or random",
        kind: ValueType::Text,
        example: "random",
    },
    Parameter {
        name: "minutes",
        about: "Minutes for each side; no clock without",
        kind: ValueType::Number,
        example: "5",
    },
    Parameter {
        name: "increment",
        about: "Seconds that each move adds",
        kind: ValueType::Number,
        example: "3",
    },
    Parameter {
        name: "ply",
        about: "Number of moves before this one, so that a repeated request plays it once",
        kind: ValueType::Number,
        example: "0",
    },
    Parameter {
        name: "move",
        about: "A move: a column from 1, or a cell",
        kind: ValueType::Text,
        example: "4",
    },
    Parameter {
        name: "answer",
        about: "To an offered draw: accept or decline; without, a draw is offered",
        kind: ValueType::Text,
        example: "accept",
    },
];

/// Every call.
pub(crate) const LIVE_CALLS: &[LiveCall] = &[
    LiveCall {
        path: "/api/v1/games",
        method: LiveMethod::Get,
        about: "Whether games between people outlive the server, and who can reach them",
        parameters: &[],
        token: false,
        reply: Reply::Json("Games"),
        route: || get(about),
    },
    LiveCall {
        path: "/api/v1/games",
        method: LiveMethod::Post,
        about: "Make a game: the maker's token, and links for the other seat and for watching",
        parameters: &["game", "moves", "position", "from", "side", "minutes", "increment"],
        token: false,
        reply: Reply::Json("GameMade"),
        route: || post(make),
    },
    LiveCall {
        path: "/api/v1/games/{id}",
        method: LiveMethod::Get,
        about: "How a game stands",
        parameters: &[],
        token: false,
        reply: Reply::Json("Game"),
        route: || get(state),
    },
    LiveCall {
        path: "/api/v1/games/{id}/events",
        method: LiveMethod::Get,
        about: "A game as it goes on: hello, state and presence events, for as long as one listens",
        parameters: &[],
        token: true,
        reply: Reply::Text("text/event-stream"),
        route: || get(follow),
    },
    LiveCall {
        path: "/api/v1/games/{id}/join",
        method: LiveMethod::Post,
        about: "Take a seat: an invitation as the token, the token of the seat in the answer",
        parameters: &[],
        token: true,
        reply: Reply::Json("GameJoined"),
        route: || post(join),
    },
    LiveCall {
        path: "/api/v1/games/{id}/moves",
        method: LiveMethod::Post,
        about: "Make a move",
        parameters: &["ply", "move"],
        token: true,
        reply: Reply::Json("Game"),
        route: || post(play),
    },
    LiveCall {
        path: "/api/v1/games/{id}/resign",
        method: LiveMethod::Post,
        about: "Give up",
        parameters: &[],
        token: true,
        reply: Reply::Json("Game"),
        route: || post(resign),
    },
    LiveCall {
        path: "/api/v1/games/{id}/draw",
        method: LiveMethod::Post,
        about: "Offer a draw, or answer an offer",
        parameters: &["answer"],
        token: true,
        reply: Reply::Json("Game"),
        route: || post(draw),
    },
    LiveCall {
        path: "/api/v1/games/{id}/rematch",
        method: LiveMethod::Post,
        about: "Ask for another game with the sides swapped; it begins when both have asked",
        parameters: &[],
        token: true,
        reply: Reply::Json("Game"),
        route: || post(rematch),
    },
];
