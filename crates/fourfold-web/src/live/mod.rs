//! Games between two people, live: by a link for the other seat, and another for whoever watches.
//!
//! ```text
//! game     the state machine: moves, clock, offers, seats; told the time
//! clock    the clock of a game
//! token    names of games, secrets of seats, and what is kept of them
//! record   a game as bytes
//! store    the file: many changes in one commit, each durable before it is told
//! audience who follows a game: streams of events, who is there
//! limits   how often one client may do something
//! games    all games: changes committed and told, flags, expiry
//! show     a game as JSON
//! calls    the list of calls
//! handlers what each of them does
//! ```
//!
//! What is told to anybody has been committed first. Nothing here knows who people are: whoever has
//! the token of a seat plays.

mod audience;
mod calls;
mod clock;
mod game;
mod games;
mod handlers;
mod limits;
mod record;
mod show;
mod store;
mod token;

pub(crate) use calls::{LIVE_CALLS, LIVE_PARAMETERS, LiveCall, LiveMethod};
pub(crate) use games::{Games, GamesSettings};
pub use store::OpenGamesError;

/// A time of the wall clock, or a span of it, in milliseconds.
type Millis = u64;
