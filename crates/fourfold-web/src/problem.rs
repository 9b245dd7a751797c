//! Every error of the service: a status, and JSON that says what is wrong and where.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fourfold_app::service;
use serde::Serialize;
use std::fmt::Display;
use std::time::Duration;

/// Why a request is not answered: what the calls say of it, or what HTTP does.
#[derive(Debug, Serialize)]
pub(super) struct Problem {
    #[serde(flatten)]
    told: service::Problem,
    /// When to try again, in seconds.
    #[serde(skip)]
    retry_after: Option<u64>,
}

impl From<service::Problem> for Problem {
    fn from(told: service::Problem) -> Self {
        Self { told, retry_after: None }
    }
}

impl Problem {
    fn new(status: StatusCode, error: &'static str, detail: impl Display) -> Self {
        service::Problem::new(status.as_u16(), error, detail).into()
    }

    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.told.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The same with what a program can do about it.
    pub(super) fn hinting(self, hint: &str) -> Self {
        Self { told: self.told.hinting(hint), ..self }
    }

    /// A parameter with a value that makes no sense.
    pub(super) fn bad(place: &str, detail: impl Display) -> Self {
        service::Problem::bad(place, detail).into()
    }

    /// A request that makes no sense as a whole.
    pub(super) fn malformed(detail: impl Display) -> Self {
        service::Problem::malformed(detail).into()
    }

    /// There is nothing at that path.
    pub(super) fn not_found(path: &str) -> Self {
        Self::missing(format!("there is nothing at {path}"))
    }

    /// Nothing has the name that was asked for.
    pub(super) fn missing(detail: impl Display) -> Self {
        service::Problem::missing(detail).into()
    }

    /// The path exists, but not for this method.
    pub(super) fn method() -> Self {
        let detail = "this path does not take this method";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
    }

    /// The body is too long.
    pub(super) fn too_large(most: usize) -> Self {
        let detail = format!("the body is longer than {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
    }

    /// The body did not arrive in time.
    pub(super) fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the request took too long to arrive")
    }

    /// The request was meant for another host.
    pub(super) fn misdirected(host: &str) -> Self {
        let detail = format!("this server answers for this machine only, not for {host:?}");
        Self::new(StatusCode::MISDIRECTED_REQUEST, "misdirected", detail)
    }

    /// Too many requests are waiting.
    pub(super) fn busy() -> Self {
        let detail = "too many requests are waiting; try again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
    }

    /// The client has as many connections as it may, and uses them all.
    pub(super) fn crowded() -> Self {
        let detail = "too many connections from this address are being answered";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_connections", detail)
    }

    /// There is no such game between people, or no more.
    pub(super) fn no_such_game() -> Self {
        Self::missing("there is no such game; it may have expired")
    }

    /// A change to a game needs the token of a seat.
    pub(super) fn no_token() -> Self {
        let detail = "give the token of a seat as Authorization: Bearer TOKEN";
        Self::new(StatusCode::UNAUTHORIZED, "no_token", detail)
    }

    /// The token is of no seat of the game.
    pub(super) fn not_your_seat() -> Self {
        Self::new(StatusCode::FORBIDDEN, "not_your_seat", "the token is of no seat of this game")
    }

    /// A page of another site asks for a change.
    pub(super) fn other_site() -> Self {
        let detail = "only pages of this site may ask for that";
        Self::new(StatusCode::FORBIDDEN, "other_site", detail)
    }

    /// It does not fit how the game stands.
    pub(super) fn conflict(error: &'static str, detail: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, error, detail)
    }

    /// The client does something too often.
    pub(super) fn too_often(wait: Duration) -> Self {
        let seconds = wait.as_secs() + 1;
        let detail = format!("that is too often; try again in {seconds} s");
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_often", detail);
        Self { retry_after: Some(seconds), ..problem }
    }

    /// It cannot be done at the moment.
    pub(super) fn unavailable(detail: impl Display) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail)
    }

    /// Whether the same may be answered later.
    pub(super) fn may_pass(&self) -> bool {
        self.status() == StatusCode::SERVICE_UNAVAILABLE
    }

    /// Something panicked.
    pub(super) fn bug() -> Self {
        Self::internal("this is a bug in Fourfold; the server keeps running")
    }

    /// A bug, or too little memory.
    pub(super) fn internal(detail: impl Display) -> Self {
        service::Problem::internal(detail).into()
    }
}

impl Problem {
    /// The whole answer as text, for a connection that is closed before a request is read.
    pub(super) fn on_the_wire(&self) -> String {
        let body = serde_json::json!(self).to_string();
        format!(
            "HTTP/1.1 {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Retry-After: 1\r\nConnection: close\r\n\r\n{body}",
            self.status(),
            body.len()
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let unavailable = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(1);
        let retry_after = self.retry_after.or(unavailable);
        let mut response = (status, Json(self)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
