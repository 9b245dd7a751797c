//! The parameters of a request, from its query or, in a POST, from a JSON object. What they mean is
//! the business of the calls, which a browser without a server answers as well.

use super::problem::Problem;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, Query, Request};
use axum::http::Method;
use fourfold_app::service;
use serde_json::Value;
use std::future::poll_fn;
use std::ops::Deref;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::timeout;

/// The longest body, in bytes.
const LARGEST_BODY: usize = 64 << 10;
/// How long a body may take to arrive.
const BODY_PATIENCE: Duration = Duration::from_secs(10);

/// Parameters by name.
#[derive(Debug)]
pub(super) struct Params(service::Params);

impl Deref for Params {
    type Target = service::Params;

    fn deref(&self) -> &service::Params {
        &self.0
    }
}

/// The parameters that a call accepts; the router puts it into each request.
#[derive(Debug, Clone, Copy)]
pub(super) struct AcceptedParams(pub(super) &'static [&'static str]);

impl<S: Sync> FromRequest<S> for Params {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let known =
            request.extensions().get().map_or(&[] as &[&str], |AcceptedParams(names)| names);
        let Ok(Query(mut given)) = Query::<Vec<(String, String)>>::try_from_uri(request.uri())
        else {
            return Err(Problem::malformed("the query is not of the form name=value&name=value"));
        };
        if request.method() == Method::POST {
            given.extend(body(request).await?);
        }
        Ok(Self(service::Params::new(given, known)?))
    }
}

impl Params {
    /// Those of a query that have these names; none if it cannot be read.
    pub(super) fn of_query(query: &str, names: &[&str]) -> Option<Self> {
        let uri = format!("/?{query}").parse().ok()?;
        let Query(given) = Query::<Vec<(String, String)>>::try_from_uri(&uri).ok()?;
        Some(Self(service::Params::of(given, names)))
    }
}

/// The members of a JSON object, as text.
async fn body(request: Request) -> Result<Vec<(String, String)>, Problem> {
    let bytes = timeout(BODY_PATIENCE, whole(request.into_body())).await;
    let bytes = bytes.map_err(|_| Problem::too_slow())??;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|why| Problem::malformed(format!("the body is not JSON: {why}")))?;
    let Value::Object(members) = value else {
        return Err(Problem::malformed("the body is not a JSON object"));
    };
    Ok(service::Params::texts(members)?)
}

/// All of a body, if it is not too long.
async fn whole(mut body: Body) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Problem::malformed("the body ends early"))?;
        // What is no data are trailers, which mean nothing here.
        let data = frame.into_data().unwrap_or_default();
        if bytes.len() + data.len() > LARGEST_BODY {
            return Err(Problem::too_large(LARGEST_BODY));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
