//! The server: it accepts connections, serves each within limits that slow and hostile clients
//! cannot get round, and ends in good order.

use super::activity::Activity;
use super::connections::{ConnectionPlace, Connections, GRACE, TooManyConnections};
use super::engines::Engines;
use super::exchange::Exchanges;
use super::host::{Hosts, PublicAddress, Reach};
use super::lab::Shelf;
use super::live::{Games, GamesSettings, OpenGamesError};
use super::metrics::{InProgress, ServiceMetrics};
use super::problem::Problem;
use super::routes::router;
use super::signals::Signals;
use super::static_site::EngineFiles;
use super::wire::Wire;
use axum::Router;
use fourfold::book::Books;
use fourfold::solver::SolverOptions;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Connections at the same time. For more, idle ones are closed; if there are none, more wait.
const CONNECTIONS: usize = 2048;
/// How long the head of a request may take to arrive, and how long a connection may be idle.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// After so long a connection takes no more requests, so that a client which does not read its
/// answer cannot keep it.
const LIFE: Duration = Duration::from_secs(120);
/// What the last answer may take beside its search.
const LAST_ANSWER: Duration = Duration::from_secs(10);
/// The longest head of a request, in bytes, and its most headers.
pub(super) const LARGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
/// Connections beyond their clients' limits that are dealt with at the same time; more are closed
/// without a word.
const SURPLUS: usize = 64;
/// How long writing a refusal may take.
const REFUSAL_PATIENCE: Duration = Duration::from_secs(1);

/// What the server is told at its start.
#[derive(Debug)]
#[non_exhaustive]
pub struct ServerSettings {
    /// Where to listen.
    pub address: SocketAddr,
    /// Requests that search at the same time; at least 1.
    pub threads: usize,
    /// The most time that a request may search.
    pub budget: Duration,
    /// Connections that one client may have at the same time; none is no limit. Clients are told
    /// apart by their addresses, so behind a proxy there is only one.
    pub per_client: Option<NonZeroUsize>,
    /// How its solvers are made.
    pub options: SolverOptions,
    /// The books they ask first.
    pub books: Books,
    /// The laboratory's runs.
    pub shelf: Shelf,
    /// The file that games between people are kept in; without one they end with the server.
    pub games: Option<PathBuf>,
    /// Where others reach the server, if that is not the address it listens on.
    pub public: Option<PublicAddress>,
    /// The engine for pages, which then ask it before they ask the server.
    pub engine: Option<EngineFiles>,
}

impl ServerSettings {
    /// Connections per client unless told otherwise.
    pub const PER_CLIENT: usize = 256;

    /// One search at a time, of ten seconds at most, with the book that comes with Fourfold.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            threads: 1,
            budget: Duration::from_secs(10),
            per_client: NonZeroUsize::new(Self::PER_CLIENT),
            options: SolverOptions::default(),
            books: Books::Embedded,
            shelf: Shelf::default(),
            games: None,
            public: None,
            engine: None,
        }
    }
}

/// Why the server ended early, or did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No threads, or no memory.
    #[error("cannot start: {0}")]
    Start(io::Error),
    /// The address cannot be had.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        why: io::Error,
    },
    /// The file of games cannot be used.
    #[error(transparent)]
    Games(#[from] OpenGamesError),
    /// The signals that end it cannot be watched for.
    #[error("cannot watch for signals: {0}")]
    Signals(io::Error),
    /// Whoever started it cannot be told the address.
    #[error(transparent)]
    Ready(io::Error),
}

/// Serves until Ctrl-C or SIGTERM. `ready` gets the address once the server accepts connections.
///
/// # Errors
/// If it cannot start, or `ready` fails.
pub fn serve(
    settings: ServerSettings,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .max_blocking_threads(8 * settings.threads + 8)
        .build()
        .map_err(ServeError::Start)?;
    let result = runtime.block_on(run(settings, ready));
    // Whatever still searches was told to stop.
    runtime.shutdown_timeout(Duration::from_secs(2));
    result
}

async fn run(
    settings: ServerSettings,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), ServeError> {
    let ServerSettings {
        address,
        threads,
        budget,
        per_client,
        options,
        books,
        shelf,
        games,
        public,
        engine,
    } = settings;
    let cannot = |why| ServeError::Listen { address, why };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let bound = listener.local_addr().map_err(cannot)?;
    let engines = Arc::new(Engines::new(threads, budget, options, books));
    let metrics = Arc::clone(&engines.metrics);
    let games = Games::open(GamesSettings {
        file: games.as_deref(),
        limited: per_client.is_some(),
        reach: Reach { public: public.clone(), bound },
        metrics: Arc::clone(&metrics),
    })?;
    let hosts = Hosts { only_this_machine: bound.ip().is_loopback(), public };
    let (closing, closed) = watch::channel(false);
    let server = Acceptor {
        router: router(engines, shelf, Arc::clone(&games), hosts, engine),
        places: Arc::new(Connections::new(CONNECTIONS, per_client, Arc::clone(&metrics))),
        metrics,
        closed,
        budget,
        head_patience: HEAD_PATIENCE,
    };
    // Before the address is told: whoever reads it may end us at once.
    let mut signals = Signals::new()?;
    ready(bound).map_err(ServeError::Ready)?;

    let mut connections = JoinSet::new();
    let drain = tokio::select! {
        drain = signals.wait() => drain,
        never = server.accept(listener, &mut connections) => match never {},
        never = Arc::clone(&games).keep_time() => match never {},
    };
    if drain {
        let _ = closing.send(true);
        games.dismiss_all();
        let all = async { while connections.join_next().await.is_some() {} };
        tokio::select! {
            () = all => {}
            () = sleep(budget + Duration::from_secs(1)) => {}
            _ = signals.wait() => {}
        }
    }
    connections.shutdown().await;
    Ok(())
}

/// What every connection is served with.
#[derive(Clone)]
struct Acceptor {
    router: Router,
    places: Arc<Connections>,
    metrics: Arc<ServiceMetrics>,
    /// Turns true when the server closes.
    closed: watch::Receiver<bool>,
    /// The most time that a request may search.
    budget: Duration,
    /// How long the head of a request may take to arrive.
    head_patience: Duration,
}

impl Acceptor {
    /// Accepts connections for ever, and serves each in a task of its own.
    async fn accept(&self, listener: TcpListener, tasks: &mut JoinSet<()>) -> Infallible {
        let surplus = Arc::new(Semaphore::new(SURPLUS));
        loop {
            while tasks.try_join_next().is_some() {}
            let Ok((stream, address)) = listener.accept().await else {
                // Out of file descriptors, say: make room, and wait rather than spin.
                self.places.close_an_idle_one(None);
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            let server = self.clone();
            if let Ok(place) = self.places.admit(address.ip()).await {
                tasks.spawn(async move { server.serve(stream, place).await });
            } else if let Ok(permit) = Arc::clone(&surplus).try_acquire_owned() {
                tasks.spawn(async move { server.serve_surplus(stream, address, permit).await });
            } else {
                self.metrics.turned_away.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// A connection beyond its client's limit: it is served if another of that client turns out to
    /// be idle, and refused if all are being answered.
    async fn serve_surplus(
        self,
        stream: TcpStream,
        address: SocketAddr,
        permit: OwnedSemaphorePermit,
    ) {
        sleep(GRACE).await;
        match self.places.admit(address.ip()).await {
            Ok(place) => {
                drop(permit);
                self.serve(stream, place).await;
            }
            Err(TooManyConnections) => {
                self.metrics.turned_away.fetch_add(1, Ordering::Relaxed);
                let _ = timeout(REFUSAL_PATIENCE, refuse(stream)).await;
            }
        }
    }

    async fn serve(self, stream: TcpStream, place: ConnectionPlace) {
        let _counted = InProgress::new(&self.metrics.connections);
        let _ = stream.set_nodelay(true);
        let activity = Arc::clone(&place.activity);
        connection(stream, self.router, &activity, self.closed, self.budget, self.head_patience)
            .await;
    }
}

/// Tells a client that it has too many connections.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(Problem::crowded().on_the_wire().as_bytes()).await?;
    stream.shutdown().await?;
    // Closing while something is unread would take the answer back.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

/// Serves one connection. When the server closes, the connection is old, or it must make room for
/// another, the request that is being answered is the last.
async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    activity: &Arc<Activity>,
    mut closed: watch::Receiver<bool>,
    budget: Duration,
    head_patience: Duration,
) {
    let wire = Wire::new(stream, Arc::clone(activity));
    let exchanges = Exchanges::new(router, Arc::clone(activity), wire.ambiguous());
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_patience)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(wire), exchanges);
    let mut connection = pin!(connection);
    tokio::select! {
        // What goes wrong on a connection is the client's affair.
        _ = connection.as_mut() => return,
        _ = closed.wait_for(|closed| *closed) => {}
        () = activity.evicted.notified() => {
            if activity.idle_since().is_some() {
                return;
            }
        }
        () = sleep(LIFE) => {}
    }
    connection.as_mut().graceful_shutdown();
    // It may wait for its turn as long as it may search.
    let patience = 2 * budget + LAST_ANSWER;
    let mut written = activity.written();
    while timeout(patience, connection.as_mut()).await.is_err() {
        // An event stream lasts as long as its client reads: if nothing else, comments.
        let before = std::mem::replace(&mut written, activity.written());
        if !activity.is_streaming() || before == written {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
