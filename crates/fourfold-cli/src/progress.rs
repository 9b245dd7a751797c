//! Reports how far long work is, on standard error: a line that is redrawn on a terminal, and
//! elsewhere (a log, a pipe) a plain line now and then.
//!
//! The environment variable `FOURFOLD_PROGRESS` says how many seconds pass between plain lines (10
//! unless it says otherwise). `0` reports every step, `off` reports nothing.

use crate::output::{grouped, note, rate};
use fourfold::budget::{Budget, Progress, Question, ShareDone};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How progress is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A line that is redrawn.
    Redrawn,
    /// A plain line at intervals; at every step if the interval is zero.
    Lines(Duration),
    /// Not at all.
    Silent,
}

/// Seconds between plain lines unless the environment says otherwise.
const USUAL_INTERVAL: Duration = Duration::from_secs(10);

/// How often a line on a terminal is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(250);

impl Mode {
    fn of_standard_error() -> Self {
        let wanted = std::env::var("FOURFOLD_PROGRESS");
        Self::new(io::stderr().is_terminal(), wanted.ok().as_deref())
    }

    /// A value that makes no sense changes nothing: it is no reason to refuse the work.
    fn new(is_terminal: bool, wanted: Option<&str>) -> Self {
        let seconds = wanted.and_then(|text| text.parse().ok());
        match (wanted, seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())) {
            (Some("off"), _) => Self::Silent,
            _ if is_terminal => Self::Redrawn,
            (_, interval) => Self::Lines(interval.unwrap_or(USUAL_INTERVAL)),
        }
    }

    /// How often the work is looked at meanwhile; none if never.
    fn interval(self) -> Option<Duration> {
        match self {
            Self::Redrawn => Some(REDRAW_INTERVAL),
            Self::Lines(interval) => (!interval.is_zero()).then_some(interval),
            Self::Silent => None,
        }
    }

    fn reports_every_step(self) -> bool {
        self == Self::Lines(Duration::ZERO)
    }

    fn bar(self, total: Option<u64>) -> ProgressBar {
        match self {
            Self::Redrawn => {
                ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(4))
            }
            Self::Lines(_) | Self::Silent => {
                ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
            }
        }
    }
}

/// A thread that does something at intervals until it is dropped.
#[derive(Debug)]
struct Ticker {
    over: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(interval: Duration, mut work: impl FnMut() + Send + 'static) -> Self {
        let over = Arc::new((Mutex::new(false), Condvar::new()));
        let shared = Arc::clone(&over);
        let thread = thread::spawn(move || {
            let (over, woken) = &*shared;
            let mut guard = over.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let waited = woken.wait_timeout_while(guard, interval, |over| !*over);
                let (next, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                guard = next;
                if !timeout.timed_out() {
                    return;
                }
                work();
            }
        });
        Self { over, thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        let (over, woken) = &*self.over;
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        woken.notify_all();
        // It only reports; if that failed, nothing is lost.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// From when on the time to go is estimated, and what was done by then. The estimate is the mean time
/// of the things done since: few of them take equally long, and an average of the latest alone swings
/// from seconds to days while a long one is under way.
#[derive(Debug)]
struct Pace(Mutex<(Instant, u64)>);

impl Pace {
    fn new() -> Self {
        Self(Mutex::new((Instant::now(), 0)))
    }

    /// Begins anew with so many done.
    fn restart(&self, done: u64) {
        *self.lock() = (Instant::now(), done);
    }

    /// The time that the rest takes if it goes on as before; none before the first is done.
    fn left(&self, now: Instant, done: u64, total: u64) -> Option<Duration> {
        let (since, before) = *self.lock();
        let more = done.checked_sub(before).filter(|&more| more > 0)?;
        let left = total.saturating_sub(done) as f64 / more as f64;
        Duration::try_from_secs_f64(now.saturating_duration_since(since).as_secs_f64() * left).ok()
    }

    fn lock(&self) -> MutexGuard<'_, (Instant, u64)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `, 76 s to go`; nothing if that is unknown or over.
fn to_go(left: Option<Duration>) -> String {
    match left {
        Some(left) if !left.is_zero() => format!(", {} to go", roughly(left)),
        _ => String::new(),
    }
}

/// Reports how many of some things are done.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    pace: Arc<Pace>,
    mode: Mode,
    ticker: Option<Ticker>,
}

impl Bar {
    /// `what` names the things: `games`.
    pub(crate) fn new(what: &str, total: u64) -> Self {
        Self::with(what, Some(total), "{msg}: {human_pos} of {human_len} {wide_bar} {spent}{to_go}")
    }

    /// The same for work of unknown length.
    pub(crate) fn open_ended(what: &str) -> Self {
        Self::with(what, None, "{msg}: {human_pos}, {spent}")
    }

    fn with(what: &str, total: Option<u64>, template: &str) -> Self {
        let mode = Mode::of_standard_error();
        let bar = mode.bar(total);
        let pace = Arc::new(Pace::new());
        if let Ok(style) = ProgressStyle::with_template(template) {
            let pace = Arc::clone(&pace);
            let write_left = move |state: &ProgressState, line: &mut dyn Write| {
                let total = state.len().unwrap_or_default();
                // The line is redrawn soon.
                let _ = line.write_str(&to_go(pace.left(Instant::now(), state.pos(), total)));
            };
            let write_spent = |state: &ProgressState, line: &mut dyn Write| {
                let _ = line.write_str(&roughly(state.elapsed()));
            };
            bar.set_style(style.with_key("to_go", write_left).with_key("spent", write_spent));
        }
        bar.set_message(what.to_owned());
        let (shared, shared_pace) = (bar.clone(), Arc::clone(&pace));
        let ticker = mode.interval().map(|interval| {
            Ticker::start(interval, move || match mode {
                Mode::Redrawn => shared.tick(),
                _ => note(bar_line(&shared, &shared_pace)),
            })
        });
        Self { bar, pace, mode, ticker }
    }

    /// One more is done.
    pub(crate) fn inc(&self) {
        self.bar.inc(1);
        self.step();
    }

    /// Sets how many are done, and of how many.
    pub(crate) fn set(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.step();
    }

    /// Renames the things that are done now: `ply 8`.
    pub(crate) fn rename(&self, what: String) {
        if self.bar.message() != what {
            self.bar.set_message(what);
        }
    }

    /// What is done so far was done before, so it says nothing about the time to come.
    pub(crate) fn reset_eta(&self) {
        self.pace.restart(self.bar.position());
    }

    /// Does what writes to the terminal without the line getting in its way.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// The work is done, and the line gone.
    pub(crate) fn end(mut self) {
        self.ticker = None;
        self.bar.finish_and_clear();
    }

    fn step(&self) {
        if self.mode.reports_every_step() {
            note(bar_line(&self.bar, &self.pace));
        }
    }
}

/// `fourfold: games: 3 of 20 (15 %), 30 s, 170 s to go`.
fn bar_line(bar: &ProgressBar, pace: &Pace) -> String {
    let done = bar.position();
    let Some(total) = bar.length() else {
        let (what, seconds) = (bar.message(), bar.elapsed().as_secs());
        return format!("fourfold: {what}: {}, {seconds} s", grouped(done));
    };
    let percent = (u128::from(done) * 100).checked_div(u128::from(total)).unwrap_or(0);
    let seconds = bar.elapsed().as_secs();
    let left = to_go(pace.left(Instant::now(), done, total));
    let (done, total) = (grouped(done), grouped(total));
    format!("fourfold: {}: {done} of {total} ({percent} %), {seconds} s{left}", bar.message())
}

/// Reports on a solver's work that takes more than a second, and is quiet between such works, when
/// somebody may be typing.
#[derive(Debug)]
pub(crate) struct SolveLine {
    shared: Arc<Shared>,
    mode: Mode,
    _ticker: Option<Ticker>,
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
    /// The first guess about the present question, and how long the work had taken by then.
    first_guess: Option<(Question, ShareDone, Duration)>,
}

impl State {
    /// A guess of how much is done of the question, and how long the rest takes if it goes on as it
    /// has since the first guess.
    fn guess(&mut self, solving: &Progress, spent: Duration) -> Option<Guess> {
        let (question, share) = (solving.question()?, solving.share_done()?);
        let first = self
            .first_guess
            .filter(|(asked, first, _)| *asked == question && first.answer == share.answer);
        let (_, first, since) = *self.first_guess.insert(first.unwrap_or((question, share, spent)));
        let more = share.per_mille.saturating_sub(first.per_mille);
        let left = 1000 - share.per_mille.min(1000);
        let left = (more > 0).then(|| (spent - since) * left / more);
        Some(Guess { share, left })
    }
}

/// How much of the question is done, and how long the rest may take.
#[derive(Debug, Clone, Copy)]
struct Guess {
    share: ShareDone,
    left: Option<Duration>,
}

/// Work that is done by then is not worth a line.
const PATIENCE: Duration = Duration::from_secs(1);

impl SolveLine {
    /// A line about searches that draw on this budget.
    pub(crate) fn new(budget: &Budget) -> Self {
        let solving = budget.progress().cloned().unwrap_or_default();
        Self::with(Mode::of_standard_error(), &solving)
    }

    /// A line that is never shown: for one of several searches at a time.
    pub(crate) fn silent() -> Self {
        Self::with(Mode::Silent, &Arc::default())
    }

    fn with(mode: Mode, solving: &Arc<Progress>) -> Self {
        let bar = mode.bar(None);
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        let shared =
            Arc::new(Shared { bar, solving: Arc::clone(solving), state: Mutex::default() });
        let watcher = Arc::clone(&shared);
        let ticker = mode
            .interval()
            .map(|interval| Ticker::start(interval, move || watcher.report(mode, PATIENCE)));
        Self { shared, mode, _ticker: ticker }
    }

    /// Work begins.
    pub(crate) fn begin(&self) {
        self.shared.state().began = Some((Instant::now(), self.shared.solving.nodes()));
    }

    /// Says which part of the work it is: `position 3 of 9`.
    pub(crate) fn say(&self, what: impl FnOnce() -> String) {
        if self.mode != Mode::Silent {
            self.shared.state().what = what();
            if self.mode.reports_every_step() {
                self.shared.report(self.mode, Duration::ZERO);
            }
        }
    }

    /// The work is done, and the line gone.
    pub(crate) fn end(&self) {
        self.shared.state().began = None;
        self.shared.bar.set_message("");
        self.shared.bar.finish_and_clear();
    }

    /// Does what writes to the terminal without the line getting in its way.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let _state = self.shared.state();
        self.shared.bar.suspend(work)
    }
}

impl Drop for SolveLine {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the line if there has been work for so long.
    fn report(&self, mode: Mode, patience: Duration) {
        let mut state = self.state();
        let Some((began, nodes_before)) = state.began else { return };
        let spent = began.elapsed();
        if spent < patience {
            return;
        }
        let nodes = self.solving.nodes().saturating_sub(nodes_before);
        let guess = state.guess(&self.solving, spent);
        let line = solve_line(&state.what, nodes, spent, &self.solving, guess);
        if mode == Mode::Redrawn {
            if self.bar.is_finished() {
                self.bar.reset();
            }
            self.bar.set_message(line);
        } else {
            note(format!("fourfold: {line}"));
        }
    }
}

/// A time that is guessed: no more digits than it deserves.
fn roughly(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => format!("{seconds} s"),
        seconds @ 90..5400 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}

fn solve_line(
    what: &str,
    nodes: u64,
    spent: Duration,
    solving: &Progress,
    guess: Option<Guess>,
) -> String {
    let mut text = if what.is_empty() { String::new() } else { format!("{what}: ") };
    let seconds = spent.as_secs();
    let _ = write!(text, "{seconds} s, {} nodes ({})", grouped(nodes), rate(nodes, spent));
    if let Some(question) = solving.question() {
        let (lower, upper, above) = (question.lower, question.upper, question.above);
        let _ = write!(text, ", score from {lower} to {upper}, above {above}?");
    }
    if let Some(Guess { share: ShareDone { per_mille, answer }, left }) = guess {
        let (whole, tenths) = (per_mille / 10, per_mille % 10);
        let answer = if answer { "yes" } else { "no" };
        let _ = write!(text, " {whole}.{tenths} % done if {answer}");
        if let Some(left) = left {
            let _ = write!(text, ", perhaps {} more", roughly(left));
        }
    }
    if solving.entries() > 0 {
        let _ = write!(text, ", {} entries", grouped(solving.entries()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{
        Guess, Mode, Pace, Progress, ProgressBar, ShareDone, Ticker, USUAL_INTERVAL, bar_line,
        roughly, solve_line, to_go,
    };
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn a_line_names_the_work_and_what_it_took() {
        let progress = Progress::default();
        let line =
            solve_line("position 3 of 9", 24_000_000, Duration::from_secs(3), &progress, None);
        assert_eq!(line, "position 3 of 9: 3 s, 24\u{202f}000\u{202f}000 nodes (8.0 M/s)");
        assert_eq!(
            solve_line("", 5000, Duration::from_secs(1), &progress, None),
            "1 s, 5\u{202f}000 nodes (5 k/s)"
        );
        let share = ShareDone { per_mille: 314, answer: false };
        let guess = Guess { share, left: Some(Duration::from_secs(76)) };
        assert_eq!(
            solve_line("", 5000, Duration::from_secs(1), &progress, Some(guess)),
            "1 s, 5\u{202f}000 nodes (5 k/s) 31.4 % done if no, perhaps 76 s more"
        );
        for (seconds, text) in [(89, "89 s"), (90, "2 min"), (5399, "90 min"), (7199, "2 h")] {
            assert_eq!(roughly(Duration::from_secs(seconds)), text);
        }
        let bar = Mode::Silent.bar(Some(20));
        bar.set_message("games");
        bar.set_position(3);
        let line = |bar: &ProgressBar| bar_line(bar, &Pace::new());
        assert!(line(&bar).starts_with("fourfold: games: 3 of 20 (15 %), "));
        assert!(line(&Mode::Silent.bar(Some(0))).contains("0 of 0 (0 %)"));
        assert!(line(&Mode::Silent.bar(None)).starts_with("fourfold: : 0, "));
    }

    #[test]
    fn the_time_to_go_is_that_of_what_was_done_since_the_start() {
        let pace = Pace::new();
        let after = |pace: &Pace, seconds| pace.lock().0 + Duration::from_secs(seconds);
        let left =
            |pace: &Pace, seconds, done, total| to_go(pace.left(after(pace, seconds), done, total));
        assert_eq!(left(&pace, 40, 0, 8), "", "nothing is known before the first");
        assert_eq!(left(&pace, 40, 4, 8), ", 40 s to go");
        assert_eq!(left(&pace, 80, 4, 8), ", 80 s to go", "a long one does not make it hours");
        assert_eq!(left(&pace, 80, 8, 8), "");
        assert_eq!(left(&pace, 80, 9, 8), "", "more than was planned");
        pace.restart(6);
        assert_eq!(left(&pace, 30, 6, 8), "");
        assert_eq!(left(&pace, 30, 7, 8), ", 30 s to go");
        assert_eq!(left(&pace, 3600, 7, 9), ", 2 h to go");
        assert_eq!(left(&pace, u64::from(u32::MAX), 7, u64::MAX), "", "too long to tell");
    }

    #[test]
    fn plain_lines_are_sparse_unless_asked_for() {
        assert_eq!(Mode::new(true, None), Mode::Redrawn);
        assert_eq!(Mode::new(true, Some("off")), Mode::Silent);
        assert_eq!(Mode::new(false, None), Mode::Lines(USUAL_INTERVAL));
        assert_eq!(Mode::new(false, Some("often")), Mode::Lines(USUAL_INTERVAL));
        assert_eq!(Mode::new(false, Some("-1")), Mode::Lines(USUAL_INTERVAL));
        assert_eq!(Mode::new(false, Some("2.5")), Mode::Lines(Duration::from_millis(2500)));
        assert!(Mode::new(false, Some("0")).reports_every_step());
        assert_eq!(Mode::new(false, Some("0")).interval(), None);
    }

    #[test]
    fn a_ticker_goes_on_until_it_is_dropped() {
        let (sender, receiver) = mpsc::channel();
        let ticker = Ticker::start(Duration::from_millis(1), move || {
            let _ = sender.send(());
        });
        for _ in 0..3 {
            receiver.recv().expect("it ticks");
        }
        drop(ticker);
        assert!(receiver.iter().count() < usize::MAX, "the sender is gone");
    }
}
