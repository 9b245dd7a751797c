//! Connections: accepting them, limits that slow and hostile clients cannot get round, shutting
//! down.

use super::engines::Engines;
use super::lab::Shelf;
use super::metrics::Counted;
use super::routes::router;
use axum::Router;
use axum::http::{HeaderMap, header};
use fourfold::book::Books;
use fourfold::solver::SolverOptions;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Connections at the same time; more wait until one closes.
const CONNECTIONS: usize = 2048;
/// How long the head of a request may take to arrive, and how long a connection may be idle.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// After so long a connection takes no more requests, so that a client which does not read its
/// answer cannot keep it.
const LIFE: Duration = Duration::from_secs(120);
/// What the last answer may take beside its search.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// The longest head of a request, in bytes, and its most headers.
const LARGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// What the server is told at its start.
#[derive(Debug)]
pub struct Settings {
    /// Where to listen.
    pub address: SocketAddr,
    /// Requests that search at the same time.
    pub threads: usize,
    /// The most that a request may search.
    pub budget: Duration,
    /// How its solvers are made.
    pub options: SolverOptions,
    /// The books they ask first.
    pub books: Books,
    /// The laboratory's runs.
    pub shelf: Shelf,
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
    settings: Settings,
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
    settings: Settings,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), ServeError> {
    let Settings { address, threads, budget, options, books, shelf } = settings;
    let cannot = |why| ServeError::Listen { address, why };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let bound = listener.local_addr().map_err(cannot)?;
    let engines = Arc::new(Engines::new(threads, budget, options, books));
    let router = router(Arc::clone(&engines), shelf, bound.ip().is_loopback());
    // Before the address is told: whoever reads it may end us at once.
    let mut signals = Signals::new()?;
    ready(bound).map_err(ServeError::Ready)?;

    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let (closing, closed) = watch::channel(false);
    let mut connections = JoinSet::new();
    let drain = loop {
        let accept = async {
            // The semaphore is never closed.
            let place = Arc::clone(&places).acquire_owned().await.ok();
            (listener.accept().await, place)
        };
        tokio::select! {
            drain = signals.wait() => break drain,
            (accepted, place) = accept => match accepted {
                Ok((stream, _)) => {
                    let (router, closed, engines) = (router.clone(), closed.clone(), Arc::clone(&engines));
                    connections.spawn(async move {
                        let _counted = Counted::new(&engines.metrics.connections);
                        let _ = stream.set_nodelay(true);
                        connection(stream, router, closed, budget).await;
                        drop(place);
                    });
                }
                // Out of file descriptors, say: wait rather than spin.
                Err(_) => sleep(Duration::from_millis(50)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    };
    drop(listener);
    if drain {
        let _ = closing.send(true);
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

/// Serves one connection. When the server closes, or the connection is old, the request that is
/// being answered is the last.
async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send,
    router: Router,
    mut closed: watch::Receiver<bool>,
    budget: Duration,
) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    tokio::select! {
        // What goes wrong on a connection is the client's affair.
        _ = connection.as_mut() => return,
        _ = closed.wait_for(|closed| *closed) => {}
        () = sleep(LIFE) => {}
    }
    connection.as_mut().graceful_shutdown();
    // It may wait for its turn as long as it may search.
    let _ = timeout(2 * budget + LAST_WORDS, connection).await;
}

/// Ctrl-C and, where there is one, SIGTERM.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> Result<Self, ServeError> {
        use tokio::signal::unix::{SignalKind, signal};
        let watch = |kind| signal(kind).map_err(ServeError::Signals);
        Ok(Self {
            interrupt: watch(SignalKind::interrupt())?,
            terminate: watch(SignalKind::terminate())?,
        })
    }

    #[cfg(not(unix))]
    fn new() -> Result<Self, ServeError> {
        Ok(Self {})
    }

    /// Waits for one; true if what is being answered may be finished first.
    #[cfg(unix)]
    async fn wait(&mut self) -> bool {
        tokio::select! {
            _ = self.interrupt.recv() => false,
            _ = self.terminate.recv() => true,
        }
    }

    #[cfg(not(unix))]
    async fn wait(&mut self) -> bool {
        let _ = tokio::signal::ctrl_c().await;
        false
    }
}

/// The host a request was meant for, if that is not this machine. A page elsewhere whose name is
/// made to point here sends its own.
pub(super) fn foreign_host(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?;
    let Ok(text) = host.to_str() else {
        return Some(String::from_utf8_lossy(host.as_bytes()).into_owned());
    };
    let name = match text.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => text,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let own = bare.eq_ignore_ascii_case("localhost")
        || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    (!own).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Shelf, connection, foreign_host};
    use crate::engines::{Engines, Job, Lane};
    use crate::problem::Problem;
    use crate::routes::{guarded, router};
    use axum::Router;
    use axum::http::{HeaderMap, HeaderValue, header};
    use axum::response::IntoResponse;
    use axum::routing::get;
    use fourfold::book::Books;
    use fourfold::solver::SolverOptions;
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::sync::watch;

    fn engines() -> Arc<Engines> {
        Arc::new(Engines::new(1, Duration::from_secs(5), SolverOptions::default(), Books::Embedded))
    }

    /// What a client that sends this and then only reads gets, until the server closes.
    async fn heard(router: Router, sent: &str) -> String {
        let (mut client, server) = duplex(1 << 16);
        let (_open, closed) = watch::channel(false);
        let serving = connection(server, router, closed, Duration::from_secs(5));
        client.write_all(sent.as_bytes()).await.expect("there is room");
        let mut answer = String::new();
        let (_, read) = tokio::join!(serving, client.read_to_string(&mut answer));
        read.expect("text");
        answer
    }

    #[tokio::test(start_paused = true)]
    async fn clients_that_stop_in_the_middle_are_left() {
        for sent in ["", "GET / HT", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: "] {
            let answer = heard(router(engines(), Shelf::default(), true), sent).await;
            assert!(!answer.contains("200 OK"), "{answer}");
        }
        let half = "POST /api/v1/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
        let answer = heard(router(engines(), Shelf::default(), true), half).await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_left() {
        let (mut client, server) = duplex(64);
        let (_open, closed) = watch::channel(false);
        let serving = connection(
            server,
            router(engines(), Shelf::default(), true),
            closed,
            Duration::from_secs(5),
        );
        let asking = client.write_all(b"GET /assets/app.css HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let ((), asked) = tokio::join!(serving, asking);
        asked.expect("it is read");
    }

    #[tokio::test]
    async fn a_bug_answers_500_and_the_server_lives() {
        let panics = get(async || -> &'static str { panic!("a bug on purpose") });
        let searches = get(async || -> axum::response::Response {
            let engines = engines();
            let bug =
                |_: &Job<'_>| -> Result<(), Problem> { panic!("a bug in a search, on purpose") };
            let problem = engines.run(Lane::Search, bug).await.expect_err("it panicked");
            // Its place is free again.
            assert_eq!(engines.run(Lane::Search, |_| Ok(4)).await.ok(), Some(4));
            problem.into_response()
        });
        let bugs = Router::new().route("/one", panics).route("/two", searches);
        let requests = "GET /one HTTP/1.1\r\nHost: localhost\r\n\r\nGET /two HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        let answer = heard(guarded(bugs, &engines(), true), requests).await;
        assert_eq!(answer.matches("HTTP/1.1 500 ").count(), 2, "{answer}");
        assert!(
            answer.contains("this is a bug in Fourfold") && !answer.contains("on purpose"),
            "{answer}"
        );
    }

    #[test]
    fn hosts_of_this_machine_are_known() {
        let foreign = |host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            foreign_host(&headers).is_some()
        };
        for own in
            ["localhost", "LOCALHOST:7064", "127.0.0.1", "127.0.0.1:80", "[::1]:7064", "[::1]"]
        {
            assert!(!foreign(own), "{own}");
        }
        for other in [
            "example.org",
            "localhost.example.org:80",
            "192.168.1.4",
            "",
            "127.0.0.1.nip.io",
            ":80",
        ] {
            assert!(foreign(other), "{other}");
        }
        assert_eq!(foreign_host(&HeaderMap::new()), None);
    }
}
