//! The routes, and what all of them share: checks before, headers after.

use super::assets::{self, Asset};
use super::calls::CALLS;
use super::engines::Engines;
use super::exchange::LengthGivenTwice;
use super::host::{self, Hosts};
use super::lab::{self, Shelf};
use super::link_card::with_card;
use super::live::{Games, LIVE_CALLS};
use super::params::AcceptedParams;
use super::picture;
use super::problem::Problem;
use super::static_site::EngineFiles;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

/// The headers of every answer, unless it sets its own: nothing loaded from elsewhere, no inline
/// scripts, no frames.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// What pages may load that have the engine inside.
const ENGINE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; \
    worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The service. Requests for other hosts are refused.
pub(super) fn router(
    engines: Arc<Engines>,
    shelf: Shelf,
    games: Arc<Games>,
    hosts: Hosts,
    engine: Option<EngineFiles>,
) -> Router {
    let mut router = Router::new();
    let in_page = engine.is_some();
    for call in CALLS {
        let mut route = call.route().layer(Extension(AcceptedParams(call.parameters)));
        if call.open {
            route = route.layer(middleware::from_fn(open_to_all));
        }
        router = router.route(call.path, route);
    }
    for call in LIVE_CALLS {
        let route = (call.route)().layer(Extension(AcceptedParams(call.parameters)));
        router = router.route(call.path, route);
    }
    let engine_files = engine.into_iter().flat_map(EngineFiles::assets);
    for (path, asset) in assets::site().into_iter().chain(engine_files) {
        let asset = Arc::new(if in_page { asset.with_engine(ENGINE_POLICY) } else { asset });
        let origin = hosts.public.as_ref().map(|public| public.origin.clone());
        let serve = async move |uri: Uri, headers: HeaderMap| {
            if let (Some(origin), Some(query), true) = (&origin, uri.query(), asset.is_page())
                && let Some(page) = with_card(asset.text(), origin, uri.path(), query)
            {
                let page = Asset::page(page);
                let page = if in_page { page.with_engine(ENGINE_POLICY) } else { page };
                return page.serve(&headers);
            }
            asset.serve(&headers)
        };
        router = router.route(&path, get(serve));
    }
    for width in [192, 512] {
        let icon = OnceLock::new();
        let serve = async move || {
            let png = icon.get_or_init(|| picture::icon(width).unwrap_or_default()).clone();
            ([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "max-age=86400")], png)
        };
        router = router.route(&format!("/icon-{width}.png"), get(serve));
    }
    let router = router
        .route("/lab", get(lab::page))
        .route("/lab/{name}", get(lab::shortcut))
        .route("/lab/{name}/{file}", get(lab::leaf))
        .layer(Extension(Arc::new(shelf)))
        .layer(Extension(games))
        .fallback(nothing_here)
        .method_not_allowed_fallback(async || Problem::method());
    guarded(router, &engines, hosts).with_state(engines)
}

/// Nothing is there: a page for people who look for one, a problem for programs.
async fn nothing_here(uri: Uri, headers: HeaderMap) -> Response {
    let wanted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let page = wanted.is_some_and(|accept| accept.contains("text/html"));
    if !page || uri.path().starts_with("/api/") {
        return Problem::not_found(uri.path()).into_response();
    }
    (StatusCode::NOT_FOUND, assets::lost().serve(&headers)).into_response()
}

/// Adds the checks and headers that all routes share.
pub(super) fn guarded<S: Clone + Send + Sync + 'static>(
    routes: Router<S>,
    engines: &Arc<Engines>,
    hosts: Hosts,
) -> Router<S> {
    let state = (Arc::clone(engines), Arc::new(hosts));
    routes.layer(middleware::from_fn_with_state(state, around))
}

/// Checks the length and the host before, and adds headers and counts after.
async fn around(
    State((engines, hosts)): State<(Arc<Engines>, Arc<Hosts>)>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match refusal(&request, &hosts) {
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
fn refusal(request: &Request, hosts: &Hosts) -> Option<Problem> {
    if request.extensions().get::<LengthGivenTwice>().is_some() {
        let detail = "the length is given twice, by Content-Length and Transfer-Encoding";
        return Some(Problem::malformed(detail));
    }
    host::check(request, hosts).err()
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
