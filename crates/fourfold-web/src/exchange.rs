//! A request and its answer on their way through a connection.
//!
//! [`Exchanges`] stands between the HTTP implementation and the router: it keeps the connection's
//! [`Activity`], marks ambiguous requests, and looks after event streams.

use super::activity::Activity;
use super::wire::Ambiguous;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response, header};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Interval, interval};

/// How often something is written to an event stream whose client sends no more: if it is gone,
/// that fails.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// A comment, which readers of event streams pass over.
const PROBE: &[u8] = b":\n\n";

/// In the extensions of a request that gives its length twice.
#[derive(Debug, Clone, Copy)]
pub(super) struct LengthGivenTwice;

/// The requests of one connection, in order.
pub(super) struct Exchanges {
    router: TowerToHyperService<Router>,
    activity: Arc<Activity>,
    ambiguous: Ambiguous,
    requests: AtomicU64,
}

impl Exchanges {
    pub(super) fn new(router: Router, activity: Arc<Activity>, ambiguous: Ambiguous) -> Self {
        let router = TowerToHyperService::new(router);
        Self { router, activity, ambiguous, requests: AtomicU64::new(0) }
    }
}

impl Service<Request<Incoming>> for Exchanges {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        self.activity.request_begins();
        if self.ambiguous.is(number) {
            request.extensions_mut().insert(LengthGivenTwice);
        }
        if let Some(client) = self.activity.client {
            request.extensions_mut().insert(client);
        }
        let answer = self.router.call(request);
        let activity = Arc::clone(&self.activity);
        Box::pin(async move {
            let response = answer.await?;
            let kind = response.headers().get(header::CONTENT_TYPE);
            let streams = kind.is_some_and(|kind| kind.as_bytes() == b"text/event-stream");
            Ok(response.map(|body| AnswerBody::new(body, activity, streams)))
        })
    }
}

/// The body of an answer; tells when all of it is written.
pub(super) struct AnswerBody {
    body: Body,
    activity: Arc<Activity>,
    /// For event streams.
    probes: Option<Interval>,
}

impl AnswerBody {
    fn new(body: Body, activity: Arc<Activity>, streams: bool) -> Self {
        if streams {
            activity.stream_begins();
        }
        Self { body, activity, probes: streams.then(|| interval(PROBE_INTERVAL)) }
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            return Poll::Ready(frame);
        }
        // Events are frames of their own, so a comment fits between any two.
        while let Some(probes) = &mut this.probes
            && probes.poll_tick(context).is_ready()
        {
            if this.activity.is_half_closed() {
                return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(PROBE)))));
            }
        }
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.activity.answer_ends();
    }
}
