//! A minimal HTTP client: one GET after another on one connection.

use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
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
        let kept = self.stream.is_some();
        let mut status = self.once(path).await;
        if status.is_none() && kept {
            // The server may close an idle connection at any time: retry on a new one.
            self.stream = None;
            status = self.once(path).await;
        }
        Timed { status: status.unwrap_or(0), took: began.elapsed() }
    }

    async fn once(&mut self, path: &str) -> Option<u16> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => TcpStream::connect(&self.address).await.ok()?,
        };
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
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
            return Some(status);
        }
    }
}
