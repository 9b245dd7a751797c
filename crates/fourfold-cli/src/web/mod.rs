//! The web app and the HTTP service.
//!
//! ```text
//! server     connections: limits on headers, time and number; shutting down
//! routes     what is at which address; headers of every answer
//! handlers   the calls of the API, each a few lines
//! params     what a request asks for, checked
//! engines    who may search when; solvers that are kept
//! study      the exact result of every move, told as it is found
//! shapes     positions and reviews as JSON
//! problem    every error, as JSON
//! assets     the pages, embedded
//! metrics    what is counted
//! ```
//!
//! Handlers only read the request and write the answer. Whatever searches runs on a thread of its own behind [`engines`], with a
//! flag that is set when the client goes away. Nothing here touches files, and no player that would can be named.

mod assets;
mod engines;
mod handlers;
mod metrics;
mod params;
mod problem;
mod routes;
mod server;
mod shapes;
mod study;

pub(crate) use server::{Settings, serve};
pub(crate) use shapes::review_json;
