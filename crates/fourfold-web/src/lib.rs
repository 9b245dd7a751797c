//! The web app and the HTTP service.
//!
//! ```text
//! server       accepting, serving and closing connections; shutting down
//! connections  how many there may be; which idle one makes room for another
//! wire         a client's socket: half-closed clients, requests with two lengths
//! exchange     a request and its answer on a connection
//! activity     what a connection is doing
//! signals      what ends the server
//! host         which host a request is for
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

mod activity;
mod assets;
mod calls;
mod connections;
mod engines;
mod exchange;
mod handlers;
mod host;
mod lab;
mod metrics;
mod openapi;
mod params;
mod problem;
mod routes;
mod server;
mod signals;
mod study;
mod trace;
mod wire;
mod worksheet;

pub use lab::{Shelf, ShelfError};
pub use server::{ServeError, Settings, serve};
