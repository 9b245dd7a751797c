//! What is at which address, and what every answer carries.

use super::engines::Engines;
use super::handlers::{
    choose, compatible_moves, compatible_scores, health, metrics, position, review, review_events, rules,
    solve, solve_events,
};
use super::problem::Problem;
use super::worksheet::worksheet;
use super::{assets, lab, server};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, Method, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// Calls that only read, which any page may make.
const OPEN: [&str; 5] = ["/api/v1/rules", "/api/v1/position", "/api/v1/solve", "/solve", "/solve/connect4"];

/// Every answer has these, unless it has its own: nothing from elsewhere, no inline script, no frames.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// The service. On loopback only requests for this machine are answered.
pub(super) fn router(engines: Arc<Engines>, shelf: lab::Shelf, only_this_machine: bool) -> Router {
    let mut router = Router::new()
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route("/api/v1/rules", get(rules).post(rules))
        .route("/api/v1/position", get(position).post(position))
        .route("/api/v1/solve", get(solve).post(solve))
        .route("/api/v1/solve/events", get(solve_events))
        .route("/api/v1/move", get(choose).post(choose))
        .route("/api/v1/review", get(review).post(review))
        .route("/api/v1/review/events", get(review_events))
        .route("/api/v1/worksheet", get(worksheet).post(worksheet))
        .route("/solve", get(compatible_scores))
        .route("/solve/connect4", get(compatible_moves));
    for (path, kind, text) in assets::ASSETS {
        router = router.route(path, get(move || async move { assets::serve(kind, text) }));
    }
    router
        .merge(lab::router(shelf))
        .fallback(async |uri: Uri| Problem::not_found(uri.path()))
        .method_not_allowed_fallback(async || Problem::method())
        .layer(middleware::from_fn_with_state((Arc::clone(&engines), only_this_machine), around))
        .with_state(engines)
}

/// Checks the host before, and adds headers and counts after.
async fn around(
    State((engines, only_this_machine)): State<(Arc<Engines>, bool)>,
    request: Request,
    next: Next,
) -> Response {
    let open = OPEN.contains(&request.uri().path()) && request.method() == Method::GET;
    let foreign = if only_this_machine { server::foreign_host(request.headers()) } else { None };
    let mut response = match foreign {
        Some(host) => Problem::misdirected(&host).into_response(),
        None => next.run(request).await,
    };
    engines.metrics.answered(response.status().as_u16());
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if open {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    response
}
