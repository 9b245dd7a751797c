//! The counters of the service, and their text for Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// Totals since the start, and gauges of the present.
#[derive(Debug, Default)]
pub(super) struct ServiceMetrics {
    /// Requests answered, by the first digit of the status.
    answers: [AtomicU64; 6],
    pub(super) connections: AtomicU64,
    /// Connections refused, because their clients had too many.
    pub(super) turned_away: AtomicU64,
    /// Idle connections closed to make room for others.
    pub(super) evicted: AtomicU64,
    pub(super) running: AtomicU64,
    pub(super) waiting: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) nodes: AtomicU64,
    /// Games between people, moves made in them, and streams that follow them.
    pub(crate) live_games: AtomicU64,
    pub(crate) live_moves: AtomicU64,
    pub(crate) live_streams: AtomicU64,
}

/// Adds one to a gauge for as long as it lives.
#[derive(Debug)]
pub(super) struct InProgress<'a>(&'a AtomicU64);

impl<'a> InProgress<'a> {
    pub(super) fn new(counter: &'a AtomicU64) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(counter)
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ServiceMetrics {
    /// Counts an answer by its status.
    pub(super) fn answered(&self, status: u16) {
        if let Some(counter) = self.answers.get(usize::from(status / 100)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The text of `/metrics`.
    pub(super) fn text(&self) -> String {
        let mut out = "# HELP fourfold_requests_total Requests answered, by status.\n\
                       # TYPE fourfold_requests_total counter\n"
            .to_owned();
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        for (digit, counter) in self.answers.iter().enumerate().skip(2) {
            // Writing into a string cannot fail.
            let _ =
                writeln!(out, "fourfold_requests_total{{status=\"{digit}xx\"}} {}", load(counter));
        }
        let others = [
            ("connections", "gauge", "Open connections.", &self.connections),
            (
                "connections_refused_total",
                "counter",
                "Connections refused because their clients had too many.",
                &self.turned_away,
            ),
            (
                "connections_evicted_total",
                "counter",
                "Idle connections closed to make room for others.",
                &self.evicted,
            ),
            ("searches_running", "gauge", "Requests being worked on.", &self.running),
            ("searches_waiting", "gauge", "Requests waiting for their turn.", &self.waiting),
            (
                "refused_total",
                "counter",
                "Requests refused because too many were waiting.",
                &self.refused,
            ),
            ("nodes_total", "counter", "Positions searched by the exact solver.", &self.nodes),
            ("live_games", "gauge", "Games between people that are kept.", &self.live_games),
            ("live_moves_total", "counter", "Moves made in them.", &self.live_moves),
            ("live_streams", "gauge", "Players and watchers who follow one.", &self.live_streams),
        ];
        for (name, kind, help, counter) in others {
            let _ = writeln!(out, "# HELP fourfold_{name} {help}\n# TYPE fourfold_{name} {kind}");
            let _ = writeln!(out, "fourfold_{name} {}", load(counter));
        }
        out
    }
}
