//! A server for a test, and asking it over TCP.

#![allow(dead_code, unreachable_pub, missing_docs)]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server, ended with the test.
pub struct Server {
    pub child: Child,
    pub address: String,
}

impl Server {
    pub fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(["serve", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        Self { address: address.expect("an address").to_owned(), child }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        stream
    }

    /// Sends bytes and reads until the server closes.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that has seen enough closes early.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Status, head and body of a request without a body.
    pub fn get(&self, path: &str) -> (u16, String, String) {
        parts(
            &self.raw(
                format!(
                    "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                    self.address
                )
                .as_bytes(),
            ),
        )
    }

    pub fn json(&self, path: &str) -> Value {
        let (status, _, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    pub fn post(&self, path: &str, body: &str) -> (u16, String, String) {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        parts(&self.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()))
    }

    /// The status of a refusal, and the parameter it blames.
    pub fn refusal(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.get(path);
        let json: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{path}: {body}"));
        assert!(json["error"].is_string() && json["detail"].is_string(), "{path}: {body}");
        (status, json["where"].as_str().unwrap_or("").to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn parts(answer: &str) -> (u16, String, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, head.to_ascii_lowercase(), body.to_owned())
}

/// Waits for something that comes soon; a machine may be busy, so it has a minute.
pub fn until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(60), "it never came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Status, head and body of a POST of JSON to a path of a server, with more headers, on a
/// connection that may break.
pub fn post_on(
    mut stream: TcpStream,
    server: &Server,
    path: &str,
    headers: &str,
    body: &Value,
) -> (u16, String, String) {
    let body = body.to_string();
    let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close", server.address);
    let length = body.len();
    let _ = write!(stream, "{head}\r\n{headers}\r\nContent-Length: {length}\r\n\r\n{body}");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    parts(&String::from_utf8_lossy(&answer))
}
