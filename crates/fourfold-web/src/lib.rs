#![doc = include_str!("../README.md")]
//! # The modules
//!
//! ```text
//! server       accepts, serves and closes connections; shuts down
//! connections  how many there may be; which idle one makes room for another
//! wire         a client's socket: half-closed clients, requests with two lengths
//! exchange     a request and its answer on a connection
//! activity     what a connection is doing
//! signals      what ends the server
//! host         which host a request is for
//! routes       the routes; the checks and headers that all of them share
//! calls        the list of calls: paths, parameters, answers
//! openapi      their description for programs, generated from the list
//! handlers     what each call does, in a few lines
//! params       the parameters of a request
//! engines      which requests may search; solvers kept for the next request
//! lab          the laboratory's runs, to browse
//! live         games between people: by link, kept in a file (live/mod.rs has its map)
//! reading      Learn and Lab, readable without scripts
//! problem      every error, as JSON
//! assets       the pages, embedded, packed and tagged
//! picture      positions as pictures
//! static_site  the app as files, with the engine in the page
//! single_file  the same as one file
//! link_card    what other sites show of a link
//! metrics      counters for Prometheus
//! ```
//!
//! Handlers only read the request and write the answer; what the answer is, `service` of
//! `fourfold-app` says, for the engine in the browser too. Searches run on threads of their own behind
//! `engines`, with a flag that is set when the client goes away. No request touches a file but that
//! of the games between people, and no player that would can be named.

mod activity;
mod assets;
mod calls;
mod connections;
mod engines;
mod exchange;
mod handlers;
mod host;
mod lab;
mod link_card;
mod live;
mod metrics;
mod openapi;
mod params;
mod picture;
mod problem;
mod reading;
mod routes;
mod server;
mod signals;
mod single_file;
mod static_site;
mod wire;

pub use host::{PublicAddress, PublicAddressError};
pub use lab::{Shelf, ShelfError};
pub use live::OpenGamesError;
pub use server::{ServeError, ServerSettings, serve};
pub use static_site::{EngineFiles, ReadSiteError, WriteSiteError, write_site};
