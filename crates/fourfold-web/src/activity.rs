//! What a connection is doing at the moment: shared by its socket, the request on it, and the
//! [`Connections`](super::connections::Connections) that choose which one to close.

use super::connections::Client;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How far the current request has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestPhase {
    /// There is none: the client has sent nothing since the last answer, or half a head.
    Idle,
    /// Its head is here; it is being read, worked on or answered.
    Answering,
    /// The whole answer lies in the write buffer.
    Flushing,
}

#[derive(Debug)]
struct ActivityState {
    phase: RequestPhase,
    idle_since: Instant,
    /// Whether the answer is a stream of events.
    streaming: bool,
    half_closed: bool,
    /// Bytes written so far.
    written: u64,
    /// The reader, if it was told to wait until the answer is out.
    reader: Option<Waker>,
}

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<ActivityState>,
    /// Whose connection it is, where that is known.
    pub(super) client: Option<Client>,
    /// Notified when the connection has to make room for another.
    pub(super) evicted: Notify,
}

impl Activity {
    /// A connection that was just accepted.
    pub(super) fn new(client: Option<Client>) -> Self {
        let state = ActivityState {
            phase: RequestPhase::Idle,
            idle_since: Instant::now(),
            streaming: false,
            half_closed: false,
            written: 0,
            reader: None,
        };
        Self { state: Mutex::new(state), client, evicted: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, ActivityState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The head of a request has arrived.
    pub(super) fn request_begins(&self) {
        self.state().phase = RequestPhase::Answering;
    }

    /// The answer begins, and is a stream of events.
    pub(super) fn stream_begins(&self) {
        self.state().streaming = true;
    }

    /// Everything that belongs to the answer was handed over for writing.
    pub(super) fn answer_ends(&self) {
        let mut state = self.state();
        state.phase = RequestPhase::Flushing;
        state.streaming = false;
    }

    /// The write buffer is empty.
    pub(super) fn flushed(&self) {
        let mut state = self.state();
        if state.phase == RequestPhase::Flushing {
            state.phase = RequestPhase::Idle;
            state.idle_since = Instant::now();
            if let Some(reader) = state.reader.take() {
                reader.wake();
            }
        }
    }

    /// Bytes went out.
    pub(super) fn wrote(&self, bytes: usize) {
        self.state().written += bytes as u64;
    }

    /// How many bytes have gone out so far.
    pub(super) fn written(&self) -> u64 {
        self.state().written
    }

    /// The client will send no more. True if an answer is on its way, which it may still want to
    /// read: then `reader` is woken when that is out.
    pub(super) fn half_closes(&self, reader: &Waker) -> bool {
        let mut state = self.state();
        state.half_closed = true;
        let answering = state.phase != RequestPhase::Idle;
        if answering {
            state.reader = Some(reader.clone());
        }
        answering
    }

    pub(super) fn is_half_closed(&self) -> bool {
        self.state().half_closed
    }

    pub(super) fn is_streaming(&self) -> bool {
        self.state().streaming
    }

    /// Since when there has been no request; none while there is one.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.phase == RequestPhase::Idle).then_some(state.idle_since)
    }
}
