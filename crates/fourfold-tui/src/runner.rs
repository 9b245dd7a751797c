//! The event loop: events in, effects out, a new picture after each batch of events.

use super::app::{App, AppEffect, AppEvent, SearchCounts};
use super::screen::Screen;
use super::view::Look;
use super::worker::SearchThread;
use fourfold::budget::Budget;
use fourfold::play::{PlayerError, PlayerSpec, SpecError};
use fourfold_app::live_game::LiveGame;
use fourfold_app::records::{self, SaveError};
use ratatui::crossterm::event::{self, Event as Input};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Options of the app.
#[derive(Debug)]
pub struct Options {
    /// How the screen is drawn.
    pub look: Look,
    /// Whether to use the opening book.
    pub book: bool,
    /// The file that games are appended to.
    pub save: Option<PathBuf>,
    /// Parses a player spec; the caller decides whether external engines are allowed.
    pub read_player: ReadPlayer,
    /// Ends external engines; called however the app ends.
    pub end_engines: fn(),
}

/// Parses a player spec.
pub type ReadPlayer = fn(&str) -> Result<PlayerSpec, SpecError>;

/// Why the app ended early, or did not start.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// A player cannot play this game.
    #[error("{player}: {why}")]
    Player {
        /// The player.
        player: String,
        /// Why not.
        why: Box<PlayerError>,
    },
    /// The terminal cannot be used.
    #[error("cannot use the terminal: {0}")]
    Terminal(io::Error),
    /// The search thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The handlers of signals cannot be installed.
    #[error("cannot watch for signals: {0}")]
    Signals(io::Error),
    /// The terminal went away while the app was running.
    #[error("the terminal is gone: {0}")]
    Gone(String),
    /// A game could not be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// A message to the event loop.
enum Arrival {
    Event(AppEvent),
    /// A signal that ends the program.
    Signal(i32),
    /// The terminal has gone away.
    Gone,
}

/// Time between two pictures during a search.
const TICK: Duration = Duration::from_millis(100);

/// Plays games in the terminal until the person leaves.
///
/// Returns the game if the person left it unfinished.
///
/// # Errors
/// If a player cannot play, the terminal cannot be used, or a game cannot be saved.
pub fn run(game: LiveGame, options: Options) -> Result<Option<LiveGame>, TuiError> {
    for spec in game.specs.iter().filter(|spec| !spec.is_human()) {
        spec.player(&game.rules, 0, &Budget::unlimited())
            .map_err(|why| TuiError::Player { player: spec.to_string(), why: Box::new(why) })?;
    }
    let (sender, arrivals) = channel();
    let search_events = sender.clone();
    let worker = SearchThread::start(options.book, move |task, event| {
        let _ = search_events.send(Arrival::Event(AppEvent::Search(task, event)));
    })
    .map_err(TuiError::Thread)?;
    watch_signals(&sender).map_err(TuiError::Signals)?;
    let mut screen = Screen::take(options.look, options.end_engines).map_err(TuiError::Terminal)?;
    read_input(sender);
    let app = App::new(game, screen.size().map_err(TuiError::Terminal)?, options.read_player);
    let mut session = TuiSession {
        app,
        worker,
        save: options.save,
        start: Instant::now(),
        nodes_before: 0,
        problem: None,
    };
    let end = session.run(&mut screen, &arrivals);
    drop(screen);
    // Nothing waits for the search thread, but the engines that it started must not outlive it.
    (options.end_engines)();
    let TuiSession { app, problem, .. } = session;
    if let Some(problem) = problem {
        return Err(problem.into());
    }
    match end {
        SessionEnd::Left => {
            let unfinished = app.game.is_played() && !app.is_over();
            Ok(unfinished.then_some(app.game))
        }
        SessionEnd::Signal(signal) => end_by(signal).map(|()| None),
        SessionEnd::Gone(why) => Err(TuiError::Gone(why)),
    }
}

/// Why the event loop ended.
enum SessionEnd {
    Left,
    Signal(i32),
    Gone(String),
}

/// The app with everything that its effects act on.
struct TuiSession {
    app: App,
    worker: SearchThread,
    save: Option<PathBuf>,
    start: Instant,
    /// Nodes searched before the running search began.
    nodes_before: u64,
    /// Why a game could not be saved.
    problem: Option<SaveError>,
}

impl TuiSession {
    fn run(&mut self, screen: &mut Screen, arrivals: &Receiver<Arrival>) -> SessionEnd {
        // The first event starts the first search.
        if let Some(end) = self.handle(AppEvent::Tick(SearchCounts::default()), screen) {
            return end;
        }
        loop {
            if let Err(why) = screen.draw(&self.app) {
                return self.gone(why.to_string());
            }
            let first = if self.app.is_waiting() {
                arrivals.recv_timeout(TICK)
            } else {
                arrivals.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            let first = match first {
                Ok(arrival) => arrival,
                Err(RecvTimeoutError::Timeout) => Arrival::Event(AppEvent::Tick(self.counters())),
                Err(RecvTimeoutError::Disconnected) => {
                    return self.gone("it cannot be read".to_owned());
                }
            };
            // All pending events are handled before the next picture.
            for arrival in std::iter::once(first).chain(arrivals.try_iter()) {
                let end = match arrival {
                    Arrival::Event(event) => self.handle(event, screen),
                    Arrival::Signal(signal) => {
                        self.leave();
                        Some(SessionEnd::Signal(signal))
                    }
                    Arrival::Gone => Some(self.gone("it cannot be read".to_owned())),
                };
                if let Some(end) = end {
                    return end;
                }
            }
        }
    }

    fn counters(&self) -> SearchCounts {
        let progress = self.worker.progress();
        SearchCounts {
            nodes: progress.nodes().saturating_sub(self.nodes_before),
            depth: progress.depth(),
        }
    }

    fn handle(&mut self, event: AppEvent, screen: &mut Screen) -> Option<SessionEnd> {
        for effect in self.app.update(event, self.start.elapsed()) {
            let drawn = match effect {
                AppEffect::Start(task, job) => {
                    self.nodes_before = self.worker.progress().nodes();
                    self.worker.submit(task, *job);
                    Ok(())
                }
                AppEffect::Stop(task) => {
                    self.worker.stop(task);
                    Ok(())
                }
                AppEffect::Save(record) => {
                    self.save_game(&record);
                    Ok(())
                }
                AppEffect::Suspend => screen.suspend(),
                AppEffect::Redraw => screen.clear(),
                AppEffect::Quit => return Some(SessionEnd::Left),
            };
            if let Err(why) = drawn {
                return Some(self.gone(why.to_string()));
            }
        }
        None
    }

    fn save_game(&mut self, record: &fourfold::play::Record) {
        let saved = self.save.as_deref().map_or(Ok(()), |path| records::append(path, record));
        if let Err(why) = saved {
            self.app.message = why.to_string();
            self.problem = Some(why);
        }
    }

    /// Saves the current game before the program ends.
    fn leave(&mut self) {
        for effect in self.app.update(AppEvent::Leave, self.start.elapsed()) {
            if let AppEffect::Save(record) = effect {
                self.save_game(&record);
            }
        }
    }

    fn gone(&mut self, why: String) -> SessionEnd {
        self.leave();
        SessionEnd::Gone(why)
    }
}

/// Reads keys, the mouse and resizes on a thread of its own.
fn read_input(sender: Sender<Arrival>) {
    thread::spawn(move || {
        loop {
            let arrival = match event::read() {
                Ok(Input::Key(key)) => Arrival::Event(AppEvent::Key(key)),
                Ok(Input::Mouse(mouse)) => Arrival::Event(AppEvent::Mouse(mouse)),
                Ok(Input::Resize(width, height)) => Arrival::Event(AppEvent::Resize(width, height)),
                Ok(Input::FocusGained | Input::FocusLost | Input::Paste(_)) => continue,
                Err(_) => Arrival::Gone,
            };
            let last = matches!(arrival, Arrival::Gone);
            if sender.send(arrival).is_err() || last {
                return;
            }
        }
    });
}

/// Catches the signals that end the program, so that the terminal is restored first.
#[cfg(unix)]
fn watch_signals(sender: &Sender<Arrival>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let sender = sender.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            if sender.send(Arrival::Signal(signal)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn watch_signals(_sender: &Sender<Arrival>) -> io::Result<()> {
    Ok(())
}

/// Ends the process as the signal would have done.
#[cfg(unix)]
fn end_by(signal: i32) -> Result<(), TuiError> {
    signal_hook::low_level::emulate_default_handler(signal).map_err(TuiError::Signals)
}

#[cfg(not(unix))]
fn end_by(_signal: i32) -> Result<(), TuiError> {
    Ok(())
}
