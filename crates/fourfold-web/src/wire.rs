//! A client's socket, with two things that the HTTP implementation does not tell of it:
//!
//! - The end of what a client sends is withheld as long as an answer is on its way to it. So a
//!   client that shuts down its sending side after a request still gets the answer.
//! - A request that gives its length twice, by `Content-Length` and by `Transfer-Encoding`, is
//!   found out. The implementation follows the latter and removes the former; a proxy in front may
//!   do the opposite, and take what one of the two hides for another request.

use super::activity::Activity;
use super::server::LARGEST_HEAD;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long a client that sends no more is believed to wait for its answer. Closing a connection
/// looks the same from here, so this is also how long a search may go on for nobody. Event streams
/// need no such limit: writing to them tells the two apart.
const HALF_CLOSED_PATIENCE: Duration = Duration::from_secs(12);

/// The socket of a connection.
pub(super) struct Wire<S> {
    socket: S,
    activity: Arc<Activity>,
    heads: HeadScanner,
    ambiguous: Ambiguous,
    /// Set when the client has sent all it will.
    ended: Option<Pin<Box<Sleep>>>,
}

/// Which request of a connection gives its length twice, if any; the first is number 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Ambiguous(Arc<AtomicU64>);

impl Ambiguous {
    /// Whether it is that request.
    pub(super) fn is(&self, request: u64) -> bool {
        self.0.load(Ordering::Relaxed) == request
    }
}

impl<S> Wire<S> {
    pub(super) fn new(socket: S, activity: Arc<Activity>) -> Self {
        Self {
            socket,
            activity,
            heads: HeadScanner::default(),
            ambiguous: Ambiguous::default(),
            ended: None,
        }
    }

    /// Which of its requests is ambiguous, as soon as that is known.
    pub(super) fn ambiguous(&self) -> Ambiguous {
        self.ambiguous.clone()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.ended.is_none() {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut this.socket).poll_read(context, buffer))?;
            let read = &buffer.filled()[before..];
            if !read.is_empty() {
                if let Some(request) = this.heads.scan(read) {
                    this.ambiguous.0.store(request, Ordering::Relaxed);
                }
                return Poll::Ready(Ok(()));
            }
            this.ended = Some(Box::pin(sleep(HALF_CLOSED_PATIENCE)));
        }
        // Half a request is no request.
        if !this.heads.between_requests() || !this.activity.half_closes(context.waker()) {
            return Poll::Ready(Ok(()));
        }
        match &mut this.ended {
            Some(patience) if !this.activity.is_streaming() => {
                patience.as_mut().poll(context).map(Ok)
            }
            _ => Poll::Pending,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = ready!(Pin::new(&mut this.socket).poll_write(context, bytes))?;
        this.activity.wrote(written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = ready!(Pin::new(&mut this.socket).poll_write_vectored(context, slices))?;
        this.activity.wrote(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(Pin::new(&mut this.socket).poll_flush(context))?;
        this.activity.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_shutdown(context)
    }
}

/// Follows the requests of a connection from head to head. What is no HTTP is left to the HTTP
/// implementation, which refuses it and closes.
#[derive(Debug, Default)]
struct HeadScanner {
    /// The line that is being read, without its end.
    line: Vec<u8>,
    /// What kind of line that is.
    kind: LineKind,
    /// Bytes of a body to pass over before the line.
    skipped: u64,
    /// The length by `Content-Length`, and whether there is a `Transfer-Encoding`.
    length: Option<u64>,
    encoded: bool,
    /// Heads that have come to their end.
    heads: u64,
    stopped: bool,
}

/// What a line of a request is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum LineKind {
    #[default]
    RequestLine,
    Header,
    ChunkSize,
    ChunkEnd,
    Trailer,
}

impl HeadScanner {
    /// Reads on. The number of the request that gives its length twice, when it is found.
    fn scan(&mut self, mut bytes: &[u8]) -> Option<u64> {
        while !bytes.is_empty() && !self.stopped {
            let skipped = self.skipped.min(bytes.len() as u64);
            self.skipped -= skipped;
            bytes = &bytes[skipped as usize..];
            let end = bytes.iter().position(|&byte| byte == b'\n');
            self.line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            self.stopped = self.line.len() > LARGEST_HEAD;
            let Some(end) = end else { break };
            bytes = &bytes[end + 1..];
            if self.line.ends_with(b"\r") {
                self.line.pop();
            }
            let ambiguous = self.end_of_line();
            self.line.clear();
            if ambiguous {
                self.stopped = true;
                return Some(self.heads);
            }
        }
        None
    }

    /// Whether all requests so far are here to their end.
    fn between_requests(&self) -> bool {
        let started =
            self.kind != LineKind::RequestLine || !self.line.is_empty() || self.skipped > 0;
        !started && !self.stopped
    }

    /// Takes a whole line. True if it ends a head that gives the length twice.
    fn end_of_line(&mut self) -> bool {
        let (empty, kind) = (self.line.is_empty(), self.kind);
        self.kind = match kind {
            // Empty lines may stand before a request.
            LineKind::RequestLine if empty => LineKind::RequestLine,
            LineKind::RequestLine => LineKind::Header,
            LineKind::Header if empty => return self.end_of_head(),
            LineKind::Header => {
                self.header();
                LineKind::Header
            }
            LineKind::ChunkSize => {
                let digits = self.line.split(|&byte| byte == b';').next().unwrap_or_default();
                match number(digits.trim_ascii(), 16) {
                    Some(0) => LineKind::Trailer,
                    size => {
                        self.stopped = size.is_none();
                        self.skipped = size.unwrap_or(0);
                        LineKind::ChunkEnd
                    }
                }
            }
            LineKind::ChunkEnd => LineKind::ChunkSize,
            LineKind::Trailer if empty => LineKind::RequestLine,
            LineKind::Trailer => LineKind::Trailer,
        };
        false
    }

    fn end_of_head(&mut self) -> bool {
        self.heads += 1;
        let (length, encoded) = (self.length.take(), std::mem::take(&mut self.encoded));
        self.kind = if encoded { LineKind::ChunkSize } else { LineKind::RequestLine };
        if !encoded {
            self.skipped = length.unwrap_or(0);
        }
        encoded && length.is_some()
    }

    fn header(&mut self) {
        let Some(colon) = self.line.iter().position(|&byte| byte == b':') else { return };
        let (name, value) = (&self.line[..colon], self.line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.encoded = true;
        } else if name.eq_ignore_ascii_case(b"content-length") {
            self.length = number(value, 10);
            self.stopped = self.length.is_none();
        }
    }
}

/// A number without a sign.
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u64::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::HeadScanner;

    /// The ambiguous request, whichever way the bytes are cut.
    fn ambiguous(text: &str) -> Option<u64> {
        let whole = HeadScanner::default().scan(text.as_bytes());
        for size in [1, 2, 3, 7, 16] {
            let mut scanner = HeadScanner::default();
            let found = text.as_bytes().chunks(size).find_map(|chunk| scanner.scan(chunk));
            assert_eq!(found, whole, "{text:?} in pieces of {size}");
        }
        whole
    }

    #[test]
    fn lengths_given_twice_are_found() {
        let (get, te, cl) =
            ("GET / HTTP/1.1\r\n", "transfer-encoding: chunked\r\n", "Content-Length: 3\r\n");
        assert_eq!(ambiguous(&format!("{get}{te}{cl}\r\n")), Some(1));
        assert_eq!(ambiguous(&format!("{get}{cl}A: b\r\n{te}\r\n")), Some(1));
        assert_eq!(ambiguous(&format!("\r\n\n{get}Content-LENGTH:   3\t\n{te}\n")), Some(1));
        // Behind others, one with a body that looks like a head.
        assert_eq!(ambiguous(&format!("{get}\r\n{get}{cl}\r\nabc{get}{te}{cl}\r\n")), Some(3));
        let hidden = format!("{get}{te}{cl}\r\n");
        let holding = format!("{get}Content-Length: {}\r\n\r\n{hidden}", hidden.len());
        assert_eq!(ambiguous(&holding), None);
        assert_eq!(ambiguous(&format!("{holding}{hidden}")), Some(2));
        // Behind a body in chunks, which may have extensions and trailers.
        let chunks = format!("{get}{te}\r\n3;a=b\r\nabc\r\n1\r\n\n\r\n0\r\nA: b\r\n\r\n");
        assert_eq!(ambiguous(&format!("{chunks}{get}\r\n{get}{cl}{te}\r\n")), Some(3));
        for fine in [
            format!("{get}{te}\r\n{}\r\n{hidden}\r\n0\r\n\r\n", format_args!("{:x}", hidden.len())),
            format!("{get}{cl}\r\nabc{get}{te}\r\n"),
            format!("{get}X-{te}{cl}\r\nabc"),
            "content-length: 3\r\ntransfer-encoding: chunked\r\n".to_owned(),
            "\0\0\0\r\n:::\r\n\r\n".to_owned(),
            format!("{get}Content-Length: 99999999999999999999\r\n{te}\r\n"),
        ] {
            assert_eq!(ambiguous(&fine), None, "{fine:?}");
        }
    }

    #[test]
    fn requests_are_followed_to_their_ends() {
        let whole = |text: &str| {
            let mut scanner = HeadScanner::default();
            scanner.scan(text.as_bytes());
            scanner.between_requests()
        };
        let post = "POST / HTTP/1.1\r\n";
        for text in [
            String::new(),
            format!("{post}\r\n"),
            format!("{post}Content-Length: 3\r\n\r\nabc"),
            format!("{post}Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n"),
        ] {
            assert!(whole(&text), "{text:?}");
            let short = text.get(..text.len().saturating_sub(1)).filter(|short| !short.is_empty());
            assert!(short.is_none_or(|short| !whole(short)), "{short:?}");
        }
        assert!(!whole(&format!("{post}Content-Length: +3\r\n\r\nabc{post}")));
        assert!(!whole(&"x".repeat(20_000)));
    }
}
