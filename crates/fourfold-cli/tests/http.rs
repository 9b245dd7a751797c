//! The service as an attacker or a careless client meets it: hosts, lengths, origins, half-closed
//! and too many connections, over real sockets.

mod server;

use server::{Server, parts, until};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;

/// The statuses of all answers to what is sent on one connection.
fn statuses(server: &Server, bytes: &[u8]) -> Vec<u16> {
    let answers = server.raw(bytes);
    let heads = answers.split("HTTP/1.1 ").skip(1);
    heads.map(|head| head[..3].parse().expect("a status")).collect()
}

#[test]
fn every_request_names_one_host() {
    let server = Server::start(&[]);
    for (head, status) in [
        ("GET /healthz HTTP/1.1\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: me@localhost\r\n", 400),
        ("GET /healthz HTTP/1.0\r\n", 200),
        ("GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n", 421),
        ("GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n", 200),
    ] {
        let answer = server.raw(format!("{head}Connection: close\r\n\r\n").as_bytes());
        let found = answer.get(9..12).and_then(|status| status.parse().ok());
        assert_eq!(found, Some(status), "{head}: {answer}");
    }
}

#[test]
fn a_length_given_twice_is_refused() {
    let server = Server::start(&[]);
    let post = "POST /api/v1/position HTTP/1.1\r\nHost: localhost\r\n";
    let (te, cl) = ("Transfer-Encoding: chunked\r\n", "Content-Length: 30\r\n");
    let body = "e\r\n{\"moves\":\"44\"}\r\n0\r\n\r\n";
    for lengths in [format!("{te}{cl}"), format!("{cl}{te}"), format!("{cl}A: b\r\n{te}")] {
        let request = format!("{post}{lengths}\r\n{body}");
        assert_eq!(statuses(&server, request.as_bytes()), [400], "{lengths}");
        // Whatever stands behind it is not answered.
        let behind =
            format!("{post}{te}\r\n{body}{request}GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!(statuses(&server, behind.as_bytes()), [200, 400], "{lengths}");
    }
}

#[test]
fn only_gets_are_open_to_other_origins() {
    let server = Server::start(&[]);
    let open = |head: &str| head.contains("access-control-allow");
    assert!(open(&server.get("/api/v1/position?moves=44").1));
    let (status, head, _) = server.post("/api/v1/position", r#"{"moves":"44"}"#);
    assert!(status == 200 && !open(&head), "{head}");
    let preflight = server.raw(
        b"OPTIONS /api/v1/position HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\
          Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n",
    );
    let (status, head, _) = parts(&preflight);
    assert!(status == 405 && !open(&head), "{head}");
}

/// Sends this, shuts down the sending side, and reads until the server closes.
fn half_closed(server: &Server, request: &str) -> (u16, String, String) {
    let mut stream = server.connect();
    stream.write_all(request.as_bytes()).expect("sent");
    stream.shutdown(Shutdown::Write).expect("half closed");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    parts(&answer)
}

#[test]
fn half_closed_clients_are_answered() {
    let server = Server::start(&[]);
    let host = "HTTP/1.1\r\nHost: localhost\r\n";
    // One that searches until its time is up.
    let path = "/api/v1/solve?game=9x7c4&time=500";
    let (status, _, body) = half_closed(&server, &format!("GET {path} {host}\r\n"));
    assert!(status == 200 && body.contains("\"complete\":false"), "{status} {body}");
    let path = "/api/v1/solve/events?game=9x7c4&time=500";
    let (status, _, body) = half_closed(&server, &format!("GET {path} {host}\r\n"));
    assert!(status == 200 && body.contains("event: done"), "{status} {body}");
    let post = format!("POST /api/v1/solve {host}");
    let question = r#"{"game":"9x7c4","time":100}"#;
    let length = question.len();
    let whole = format!("{post}Content-Length: {length}\r\n\r\n{question}");
    assert_eq!(half_closed(&server, &whole).0, 200);
    let chunks = format!("{length:x}\r\n{question}\r\n0\r\n\r\n");
    let chunked = format!("{post}Transfer-Encoding: chunked\r\n\r\n{chunks}");
    assert_eq!(half_closed(&server, &chunked).0, 200);
    // Half a request is refused, not waited for.
    for request in [&whole[..whole.len() - 1], &chunked[..chunked.len() - 20]] {
        let (status, _, body) = half_closed(&server, request);
        assert!(status == 400 && body.contains("the body ends early"), "{status} {body}");
    }
}

#[test]
fn one_client_has_so_many_connections() {
    let server = Server::start(&["--per-client", "8", "--threads", "1", "--time", "600000"]);
    let idle: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    until(|| {
        let (status, _, metrics) = server.get("/metrics");
        status == 200 && !metrics.contains("fourfold_connections_evicted_total 0\n")
    });
    drop(idle);
    // A connection whose request has not been read yet is idle, so it takes more than eight.
    let mut busy: Vec<TcpStream> = Vec::new();
    while server.get("/healthz").0 != 429 {
        assert!(busy.len() < 1000, "it never refuses");
        let mut stream = server.connect();
        let search = b"GET /api/v1/solve?game=9x7c4 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        // It may have been refused.
        let _ = stream.write_all(search);
        busy.push(stream);
    }
    let (status, head, body) = server.get("/healthz");
    assert!(status == 429 && head.contains("retry-after: 1"), "{head}");
    assert!(body.contains("\"error\":\"too_many_connections\""), "{body}");
    // No limit.
    let server = Server::start(&["--per-client", "0"]);
    let idle: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    let metrics = server.get("/metrics").2;
    assert!(metrics.contains("fourfold_connections_evicted_total 0\n"), "{metrics}");
    drop(idle);
}

#[test]
fn threads_have_an_upper_limit() {
    let asked = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fourfold"));
        command.args(["serve", "--port", "0", "--threads", threads]).output().expect("it runs")
    };
    for threads in ["0", "513", "1000000", "18446744073709551615"] {
        let output = asked(threads);
        let message = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("from 1 to 512"), "{message}");
    }
}
