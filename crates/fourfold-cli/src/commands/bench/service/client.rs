//! A minimal HTTP client: one request after another on one connection, and streams of events.

use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// The outcome of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timed {
    /// 0 if there was no answer.
    pub(super) status: u16,
    pub(super) took: Duration,
}

/// A connection, reopened when the server has closed it.
#[derive(Debug)]
pub(super) struct Client {
    address: String,
    stream: Option<TcpStream>,
}

impl Client {
    pub(super) fn new(address: String) -> Self {
        Self { address, stream: None }
    }

    /// Sends a request and reads the whole answer.
    pub(super) async fn get(&mut self, path: &str) -> Timed {
        let began = Instant::now();
        let answer = self.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).await;
        Timed { status: answer.map_or(0, |(status, _)| status), took: began.elapsed() }
    }

    /// Sends a JSON object with a token; the status and the body of the answer, if there is one.
    pub(super) async fn post(
        &mut self,
        path: &str,
        token: Option<&str>,
        body: &str,
    ) -> Option<(u16, Vec<u8>)> {
        let length = body.len();
        let token =
            token.map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        self.ask(&format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\n{token}Content-Length: {length}\r\n\r\n{body}"
        ))
        .await
    }

    /// The status and the body of the answer to a request, if there is one.
    pub(super) async fn ask(&mut self, request: &str) -> Option<(u16, Vec<u8>)> {
        let kept = self.stream.is_some();
        let mut answer = self.once(request).await;
        if answer.is_none() && kept {
            // The server may close an idle connection at any time: retry on a new one.
            self.stream = None;
            answer = self.once(request).await;
        }
        answer
    }

    async fn once(&mut self, request: &str) -> Option<(u16, Vec<u8>)> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => TcpStream::connect(&self.address).await.ok()?,
        };
        let _ = stream.set_nodelay(true);
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = Vec::with_capacity(4096);
        loop {
            if stream.read_buf(&mut answer).await.ok()? == 0 {
                return None;
            }
            let Some(head) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let text = std::str::from_utf8(&answer[..head]).ok()?;
            let status = text.get(9..12)?.parse().ok()?;
            let field = |name: &str| {
                text.lines()
                    .filter_map(|line| line.split_once(": "))
                    .find(|(key, _)| key.eq_ignore_ascii_case(name))
            };
            let length: usize = field("content-length")?.1.parse().ok()?;
            let last = field("connection").is_some_and(|(_, value)| value == "close");
            while answer.len() < head + 4 + length {
                if stream.read_buf(&mut answer).await.ok()? == 0 {
                    return None;
                }
            }
            self.stream = (!last).then_some(stream);
            return Some((status, answer.split_off(head + 4)));
        }
    }
}

/// A stream of events.
#[derive(Debug)]
pub(super) struct EventReader {
    lines: BufReader<TcpStream>,
    line: Vec<u8>,
}

impl EventReader {
    /// Begins to read the events at a path.
    pub(super) async fn open(address: &str, path: &str, token: Option<&str>) -> Option<Self> {
        let mut stream = TcpStream::connect(address).await.ok()?;
        let token =
            token.map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{token}\r\n");
        stream.write_all(request.as_bytes()).await.ok()?;
        Some(Self { lines: BufReader::with_capacity(8192, stream), line: Vec::new() })
    }

    /// The data of the next event of a kind; none when the stream ends. Chunks end where events do,
    /// so a line is a line.
    pub(super) async fn next(&mut self, kind: &str) -> Option<&str> {
        let mut wanted = false;
        loop {
            self.line.clear();
            if self.lines.read_until(b'\n', &mut self.line).await.ok()? == 0 {
                return None;
            }
            if let Some(name) = self.line.strip_prefix(b"event: ") {
                wanted = name.trim_ascii_end() == kind.as_bytes();
            } else if wanted && self.line.starts_with(b"data: ") {
                return std::str::from_utf8(self.line.get(6..)?).ok();
            }
        }
    }
}
