//! A line on standard error that tells how far long work has come, if that is a terminal; nothing
//! elsewhere.

use crate::output::{grouped, rate};
use fourfold::budget::{Budget, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A line after a template of `indicatif`, for so many things to do if that is known. Hidden unless
/// standard error is a terminal.
pub(crate) fn bar(template: &str, total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    bar.set_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar
}

/// Tells how far the solver is with work that takes more than a second, and is quiet between such
/// works, when somebody may be typing.
#[derive(Debug)]
pub(crate) struct SolveLine {
    shared: Arc<Shared>,
    /// None if nobody would see it.
    teller: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    bar: ProgressBar,
    solving: Arc<Progress>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When the work began, and how many nodes had been searched by then; none between works.
    began: Option<(Instant, u64)>,
    what: String,
    over: bool,
}

const TICK: Duration = Duration::from_millis(250);

/// Work that is done by then is not worth a line.
const PATIENCE: Duration = Duration::from_secs(1);

impl SolveLine {
    /// A line about searches that draw on this budget.
    pub(crate) fn new(budget: &Budget) -> Self {
        let solving = budget.progress().cloned().unwrap_or_default();
        let bar = bar("{msg}", None);
        let hidden = bar.is_hidden();
        let shared = Arc::new(Shared { bar, solving, state: Mutex::default() });
        let teller = (!hidden).then(|| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.tell())
        });
        Self { shared, teller }
    }

    /// A line that is never shown: for one of several searches at a time.
    pub(crate) fn silent() -> Self {
        let shared =
            Shared { bar: ProgressBar::hidden(), solving: Arc::default(), state: Mutex::default() };
        Self { shared: Arc::new(shared), teller: None }
    }

    /// Work begins.
    pub(crate) fn begin(&self) {
        self.shared.state().began = Some((Instant::now(), self.shared.solving.nodes()));
    }

    /// Says which part of the work it is: `position 3 of 9`.
    pub(crate) fn say(&self, what: impl FnOnce() -> String) {
        if self.teller.is_some() {
            self.shared.state().what = what();
        }
    }

    /// The work is done, and the line gone.
    pub(crate) fn end(&self) {
        if self.teller.is_some() {
            let mut state = self.shared.state();
            state.began = None;
            self.shared.bar.set_message("");
            self.shared.bar.finish_and_clear();
        }
    }

    /// Does what writes to the terminal without the line getting in its way.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let _state = self.shared.state();
        if self.teller.is_some() { self.shared.bar.suspend(work) } else { work() }
    }
}

impl Drop for SolveLine {
    fn drop(&mut self) {
        self.end();
        if let Some(teller) = self.teller.take() {
            self.shared.state().over = true;
            teller.thread().unpark();
            // It only draws; if that failed, nothing is lost.
            let _ = teller.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        loop {
            thread::park_timeout(TICK);
            let state = self.state();
            if state.over {
                return;
            }
            if let Some((began, nodes_before)) = state.began
                && began.elapsed() >= PATIENCE
            {
                let nodes = self.solving.nodes().saturating_sub(nodes_before);
                if self.bar.is_finished() {
                    self.bar.reset();
                }
                self.bar.set_message(told(&state.what, nodes, began.elapsed(), &self.solving));
            }
        }
    }
}

fn told(what: &str, nodes: u64, spent: Duration, solving: &Progress) -> String {
    let mut text = if what.is_empty() { String::new() } else { format!("{what}: ") };
    let seconds = spent.as_secs();
    let _ = write!(text, "{seconds} s, {} nodes ({})", grouped(nodes), rate(nodes, spent));
    if let Some(question) = solving.question() {
        let (lower, upper, above) = (question.lower, question.upper, question.above);
        let _ = write!(text, ", score from {lower} to {upper}, above {above}?");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Progress, told};
    use std::time::Duration;

    #[test]
    fn a_line_names_the_work_and_what_it_took() {
        let progress = Progress::default();
        let line = told("position 3 of 9", 24_000_000, Duration::from_secs(3), &progress);
        assert_eq!(line, "position 3 of 9: 3 s, 24\u{2009}000\u{2009}000 nodes (8.0 M/s)");
        assert_eq!(
            told("", 5000, Duration::from_secs(1), &progress),
            "1 s, 5\u{2009}000 nodes (5 k/s)"
        );
    }
}
