//! The routes, and what all of them share: checks before, headers after.

use super::calls::CALLS;
use super::engines::Engines;
use super::exchange::LengthGivenTwice;
use super::lab::{self, Shelf};
use super::params::AcceptedParams;
use super::problem::Problem;
use super::{assets, host, reading};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, Method, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

/// The headers of every answer, unless it sets its own: nothing loaded from elsewhere, no inline
/// scripts, no frames.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// The service. With `only_this_machine`, requests for other hosts are refused.
pub(super) fn router(engines: Arc<Engines>, shelf: Shelf, only_this_machine: bool) -> Router {
    let mut router = Router::new();
    for call in CALLS {
        let mut route = call.route().layer(Extension(AcceptedParams(call.parameters)));
        if call.open {
            route = route.layer(middleware::from_fn(open_to_all));
        }
        router = router.route(call.path, route);
    }
    for &(path, kind, text) in assets::ASSETS {
        router = router.route(path, get(move || async move { assets::serve(kind, text) }));
    }
    let router = router
        .route("/learn", get(async || assets::serve(assets::HTML, reading::learn())))
        .route("/learn/glossary", get(async || assets::serve(assets::HTML, reading::glossary())))
        .route("/lab", get(lab::page))
        .route("/lab/{name}", get(lab::shortcut))
        .route("/lab/{name}/{file}", get(lab::leaf))
        .layer(Extension(Arc::new(shelf)))
        .fallback(async |uri: Uri| Problem::not_found(uri.path()))
        .method_not_allowed_fallback(async || Problem::method());
    guarded(router, &engines, only_this_machine).with_state(engines)
}

/// Adds the checks and headers that all routes share.
pub(super) fn guarded<S: Clone + Send + Sync + 'static>(
    routes: Router<S>,
    engines: &Arc<Engines>,
    only_this_machine: bool,
) -> Router<S> {
    routes.layer(middleware::from_fn_with_state((Arc::clone(engines), only_this_machine), around))
}

/// Checks the length and the host before, and adds headers and counts after.
async fn around(
    State((engines, only_this_machine)): State<(Arc<Engines>, bool)>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match refusal(&request, only_this_machine) {
        Some(problem) => problem.into_response(),
        None => caught(next.run(request)).await,
    };
    engines.metrics.answered(response.status().as_u16());
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Why a request is not even looked at.
fn refusal(request: &Request, only_this_machine: bool) -> Option<Problem> {
    if request.extensions().get::<LengthGivenTwice>().is_some() {
        let detail = "the length is given twice, by Content-Length and Transfer-Encoding";
        return Some(Problem::malformed(detail));
    }
    host::check(request, only_this_machine).err()
}

/// The answer, or 500 if making it panicked, which is a bug. The server keeps running.
async fn caught(answer: impl Future<Output = Response>) -> Response {
    let mut answer = pin!(answer);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Problem::bug().into_response()))
    })
    .await
}

/// Pages of any origin may read what a GET answers: it tells nothing about this machine or its
/// user. Whatever else they would have to ask for first, they are not granted.
async fn open_to_all(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = next.run(request).await;
    if reads {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    response
}
