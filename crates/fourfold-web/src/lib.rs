//! The web app and the HTTP service.
//!
//! ```text
//! server     connections: limits on headers, time and number; shutting down
//! routes     the calls and the pages; headers of every answer
//! calls      the table of calls: paths, parameters, answers
//! openapi    their description for programs, made from the table
//! handlers   what each does, in a few lines
//! params     what a request asks for, checked
//! engines    who may search when; solvers that are kept
//! study      the exact result of every move, told as it is found
//! trace      a small search step by step
//! lab        the laboratory's runs, to browse
//! worksheet  exercises to do by hand, with their answers
//! problem    every error, as JSON
//! assets     the pages, embedded
//! metrics    what is counted
//! ```
//!
//! Handlers only read the request and write the answer. Whatever searches runs on a thread of its
//! own behind [`engines`], with a flag that is set when the client goes away. No request touches
//! files, and no player that would can be named.

mod assets;
mod calls;
mod engines;
mod handlers;
mod lab;
mod metrics;
mod openapi;
mod params;
mod problem;
mod routes;
mod server;
mod study;
mod trace;
mod worksheet;

pub use lab::{Shelf, ShelfError};
pub use server::{ServeError, Settings, serve};
