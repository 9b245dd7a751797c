//! Connections with clients that misbehave, are slow, have half closed, or are many.

use super::{Acceptor, HEAD_PATIENCE, Shelf, connection};
use crate::activity::Activity;
use crate::connections::Connections;
use crate::engines::{Engines, Lane};
use crate::host::{Hosts, Reach};
use crate::live::{Games, GamesSettings};
use crate::routes::{guarded, router};
use axum::Router;
use axum::response::IntoResponse;
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use fourfold::book::Books;
use fourfold::solver::SolverOptions;
use fourfold_app::service::{Job, Problem};
use futures_core::Stream;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Interval, interval, timeout};

const BUDGET: Duration = Duration::from_secs(5);
const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

fn engines() -> Arc<Engines> {
    Arc::new(Engines::new(1, BUDGET, SolverOptions::default(), Books::Embedded))
}

fn hosts() -> Hosts {
    Hosts { only_this_machine: true, public: None }
}

fn service() -> Router {
    let engines = engines();
    let games = Games::open(GamesSettings {
        file: None,
        limited: true,
        reach: Reach { public: None, bound: ([127, 0, 0, 1], 7064).into() },
        metrics: Arc::clone(&engines.metrics),
    });
    router(engines, Shelf::default(), games.expect("no file"), hosts(), None)
}

/// Serves one end of a pipe as the server does.
async fn served(stream: DuplexStream, router: Router) {
    let (_open, closed) = watch::channel(false);
    connection(stream, router, &Arc::new(Activity::new(None)), closed, BUDGET, HEAD_PATIENCE).await;
}

/// What a client that sends this and then only reads gets, until the server closes.
async fn heard(router: Router, sent: &str) -> String {
    let (mut client, server) = duplex(1 << 16);
    client.write_all(sent.as_bytes()).await.expect("there is room");
    let mut answer = String::new();
    let (_, read) = tokio::join!(served(server, router), client.read_to_string(&mut answer));
    read.expect("text");
    answer
}

#[tokio::test(start_paused = true)]
async fn clients_that_stop_in_the_middle_are_left() {
    for sent in ["", "GET / HT", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: "] {
        let answer = heard(service(), sent).await;
        assert!(!answer.contains("200 OK"), "{answer}");
    }
    let half = "POST /api/v1/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
    let answer = heard(service(), half).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_left() {
    let (mut client, server) = duplex(64);
    let asking = client.write_all(b"GET /assets/app.css HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let ((), asked) = tokio::join!(served(server, service()), asking);
    asked.expect("it is read");
}

#[tokio::test]
async fn a_bug_answers_500_and_the_server_lives() {
    let panics = get(async || -> &'static str { panic!("a bug on purpose") });
    let searches = get(async || -> axum::response::Response {
        let engines = engines();
        let bug = |_: &Job<'_>| -> Result<(), Problem> { panic!("a bug in a search, on purpose") };
        let problem = engines.run(Lane::Search, bug).await.expect_err("it panicked");
        // Its place is free again.
        assert_eq!(engines.run(Lane::Search, |_| Ok(4)).await.ok(), Some(4));
        problem.into_response()
    });
    let bugs = Router::new().route("/one", panics).route("/two", searches);
    let requests = "GET /one HTTP/1.1\r\nHost: localhost\r\n\r\n\
                    GET /two HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answer = heard(guarded(bugs, &engines(), hosts()), requests).await;
    assert_eq!(answer.matches("HTTP/1.1 500 ").count(), 2, "{answer}");
    assert!(
        answer.contains("this is a bug in Fourfold") && !answer.contains("on purpose"),
        "{answer}"
    );
}

/// An event every so often, a number of times.
struct Ticks {
    interval: Interval,
    left: u32,
}

impl Stream for Ticks {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        std::task::ready!(self.interval.poll_tick(context));
        self.left -= 1;
        Poll::Ready(Some(Ok(Event::default().data("tick"))))
    }
}

/// A service with streams of an hour: with a tick each second, and with one at once and then none.
fn ticking() -> Router {
    let ticks = |seconds: u64| async move {
        let interval = interval(Duration::from_secs(seconds));
        Sse::new(Ticks { interval, left: (3600 / seconds) as u32 + 1 }).into_response()
    };
    Router::new().route("/ticks", get(move || ticks(1))).route("/silent", get(move || ticks(3600)))
}

/// A request for the first of them.
const TICKS: &str = "GET /ticks HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test(start_paused = true)]
async fn event_streams_outlive_the_life_of_a_connection() {
    let answer = heard(ticking(), TICKS).await;
    assert_eq!(answer.matches("data: tick").count(), 3601);
    // It is the last answer of its connection.
    let answer = heard(ticking(), &format!("{TICKS}{TICKS}")).await;
    assert_eq!(answer.matches("data: tick").count(), 3601);
}

#[tokio::test(start_paused = true)]
async fn an_event_stream_that_nobody_reads_is_left() {
    let (mut client, server) = duplex(64);
    client.write_all(TICKS.as_bytes()).await.expect("there is room");
    served(server, ticking()).await;
}

/// A server on a port of its own, with limits of its own and no patience to wait for.
async fn start(most: usize, per_client: usize, router: Router) -> (SocketAddr, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let engines = engines();
        let metrics = Arc::clone(&engines.metrics);
        let (_open, closed) = watch::channel(false);
        let per_client = NonZeroUsize::new(per_client);
        let places = Arc::new(Connections::new(most, per_client, Arc::clone(&metrics)));
        let head_patience = Duration::from_secs(3600);
        let server = Acceptor { router, places, metrics, closed, budget: BUDGET, head_patience };
        match server.accept(listener, &mut JoinSet::new()).await {}
    });
    (address, tasks)
}

/// Sends this from an address of this machine, and reads until the server closes.
async fn asked(from: &str, address: SocketAddr, sent: &[u8]) -> String {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(format!("{from}:0").parse().expect("an address")).expect("an address of ours");
    let mut stream = socket.connect(address).await.expect("it listens");
    stream.write_all(sent).await.expect("sent");
    read_to_end(&mut stream).await
}

/// What comes until the server closes. It must come: nothing else would end the wait.
async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let read = timeout(Duration::from_secs(60), stream.read_to_end(&mut answer)).await;
    read.expect("it never came").expect("it can be read");
    String::from_utf8(answer).expect("text")
}

#[tokio::test]
async fn idle_connections_make_room() {
    for (most, per_client) in [(4, 0), (100, 4)] {
        let (address, _server) = start(most, per_client, service()).await;
        let mut idle = Vec::new();
        for begun in ["", "GET /", "GET / HTTP/1.1\r\nHost: ", ""] {
            let mut stream = TcpStream::connect(address).await.expect("it listens");
            stream.write_all(begun.as_bytes()).await.expect("sent");
            idle.push(stream);
        }
        // As many more as there are places.
        for _ in 0..4 {
            let answer = asked("127.0.0.1", address, HEALTH).await;
            assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        }
        // Whoever was idle longest had to go.
        assert_eq!(read_to_end(&mut idle[0]).await, "");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_with_too_many_requests_keeps_nobody_else_out() {
    let router = ticking().merge(service());
    let (address, _server) = start(100, 2, router).await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        stream.write_all(TICKS.as_bytes()).await.expect("sent");
        // It is being answered.
        stream.read_u8().await.expect("an answer");
        busy.push(stream);
    }
    let refused = asked("127.0.0.1", address, HEALTH).await;
    assert!(refused.starts_with("HTTP/1.1 429 ") && refused.contains("Retry-After"), "{refused}");
    assert!(refused.contains("too_many_connections"), "{refused}");
    // Every address of the loopback network is this machine's.
    let answer = asked("127.0.0.2", address, HEALTH).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[tokio::test]
async fn half_closed_event_streams_go_on_until_their_client_is_gone() {
    let (address, _server) = start(100, 1, ticking()).await;
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(TICKS.replace("ticks", "silent").as_bytes()).await.expect("sent");
    stream.shutdown().await.expect("half closed");
    let mut heard = String::new();
    while !heard.contains("data: tick") || !heard.contains("\n:\n") {
        let mut bytes = [0; 64];
        let read = stream.read(&mut bytes).await.expect("it goes on");
        assert!(read > 0, "it ended: {heard}");
        heard += std::str::from_utf8(&bytes[..read]).expect("text");
    }
    drop(stream);
    // The only place becomes free, though the stream would last an hour.
    let free = async {
        loop {
            let answer = asked("127.0.0.1", address, HEALTH).await;
            if answer.starts_with("HTTP/1.1 404 ") {
                break;
            }
        }
    };
    timeout(Duration::from_secs(60), free).await.expect("it never became free");
}
