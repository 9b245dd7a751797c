//! The loop: events in, effects out, a picture after each.

use super::app::{App, Counters, Effect, Event};
use super::screen::Screen;
use super::view::Look;
use super::worker::Worker;
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

/// How the app is run.
#[derive(Debug)]
pub struct Options {
    /// How the screen is drawn.
    pub look: Look,
    /// Use the book of openings.
    pub book: bool,
    /// Where games are kept.
    pub save: Option<PathBuf>,
    /// Reads a player that was typed; whoever runs the app decides whether other programs may play.
    pub read_player: ReadPlayer,
    /// Ends the programs that play, if there are any; called however the app ends.
    pub end_engines: fn(),
}

/// Reads a player spec.
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
    /// There is no thread to search on.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The signals that end the program cannot be watched for.
    #[error("cannot watch for signals: {0}")]
    Signals(io::Error),
    /// The terminal went away while the app was running.
    #[error("the terminal is gone: {0}")]
    Gone(String),
    /// A game could not be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// What the loop waits for.
enum Arrival {
    Event(Event),
    /// A signal that ends the program.
    Signal(i32),
    /// There is no terminal any more.
    Gone,
}

/// While something is searched, the picture is renewed so often.
const TICK: Duration = Duration::from_millis(100);

/// Plays games in the terminal until the person leaves.
///
/// Answers with the game if the person left it unfinished.
///
/// # Errors
/// If a player cannot play, the terminal cannot be used, or a game cannot be saved.
pub fn run(game: LiveGame, options: Options) -> Result<Option<LiveGame>, TuiError> {
    for spec in game.specs.iter().filter(|spec| !spec.is_human()) {
        spec.player(&game.rules, 0, &Budget::unlimited())
            .map_err(|why| TuiError::Player { player: spec.to_string(), why: Box::new(why) })?;
    }
    let (sender, arrivals) = channel();
    let news = sender.clone();
    let worker = Worker::start(options.book, move |task, told| {
        let _ = news.send(Arrival::Event(Event::Told(task, told)));
    })
    .map_err(TuiError::Thread)?;
    watch_signals(&sender).map_err(TuiError::Signals)?;
    let mut screen = Screen::take(options.look, options.end_engines).map_err(TuiError::Terminal)?;
    read_input(sender);
    let app = App::new(game, screen.size().map_err(TuiError::Terminal)?, options.read_player);
    let mut session = Session {
        app,
        worker,
        save: options.save,
        start: Instant::now(),
        nodes_before: 0,
        problem: None,
    };
    let end = session.run(&mut screen, &arrivals);
    drop(screen);
    // The search thread is not waited for; programs that it has started must not outlive it.
    (options.end_engines)();
    let Session { app, problem, .. } = session;
    if let Some(problem) = problem {
        return Err(problem.into());
    }
    match end {
        End::Left => {
            let unfinished = app.game.is_played() && !app.is_over();
            Ok(unfinished.then_some(app.game))
        }
        End::Signal(signal) => end_by(signal).map(|()| None),
        End::Gone(why) => Err(TuiError::Gone(why)),
    }
}

/// How it ended.
enum End {
    Left,
    Signal(i32),
    Gone(String),
}

struct Session {
    app: App,
    worker: Worker,
    save: Option<PathBuf>,
    start: Instant,
    /// Nodes searched before the task under way.
    nodes_before: u64,
    /// Why games could not be kept.
    problem: Option<SaveError>,
}

impl Session {
    fn run(&mut self, screen: &mut Screen, arrivals: &Receiver<Arrival>) -> End {
        // The first event starts what is to be searched.
        if let Some(end) = self.take_in(Event::Tick(Counters::default()), screen) {
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
                Err(RecvTimeoutError::Timeout) => Arrival::Event(Event::Tick(self.counters())),
                Err(RecvTimeoutError::Disconnected) => {
                    return self.gone("nothing can be read".to_owned());
                }
            };
            // All that has come is taken in before the next picture.
            for arrival in std::iter::once(first).chain(arrivals.try_iter()) {
                let end = match arrival {
                    Arrival::Event(event) => self.take_in(event, screen),
                    Arrival::Signal(signal) => {
                        self.leave();
                        Some(End::Signal(signal))
                    }
                    Arrival::Gone => Some(self.gone("nothing can be read".to_owned())),
                };
                if let Some(end) = end {
                    return end;
                }
            }
        }
    }

    fn counters(&self) -> Counters {
        let progress = self.worker.progress();
        Counters {
            nodes: progress.nodes().saturating_sub(self.nodes_before),
            depth: progress.depth(),
        }
    }

    fn take_in(&mut self, event: Event, screen: &mut Screen) -> Option<End> {
        for effect in self.app.update(event, self.start.elapsed()) {
            let drawn = match effect {
                Effect::Start(task, job) => {
                    self.nodes_before = self.worker.progress().nodes();
                    self.worker.order(task, *job);
                    Ok(())
                }
                Effect::Stop(task) => {
                    self.worker.stop(task);
                    Ok(())
                }
                Effect::Save(record) => {
                    self.keep(&record);
                    Ok(())
                }
                Effect::Suspend => screen.suspend(),
                Effect::Redraw => screen.clear(),
                Effect::Quit => return Some(End::Left),
            };
            if let Err(why) = drawn {
                return Some(self.gone(why.to_string()));
            }
        }
        None
    }

    fn keep(&mut self, record: &fourfold::play::Record) {
        let kept = self.save.as_deref().map_or(Ok(()), |path| records::append(path, record));
        if let Err(why) = kept {
            self.app.says = why.to_string();
            self.problem = Some(why);
        }
    }

    /// Keeps the game under way, whatever ends the program.
    fn leave(&mut self) {
        for effect in self.app.update(Event::Leave, self.start.elapsed()) {
            if let Effect::Save(record) = effect {
                self.keep(&record);
            }
        }
    }

    fn gone(&mut self, why: String) -> End {
        self.leave();
        End::Gone(why)
    }
}

/// Keys, the mouse and new sizes, from a thread of their own.
fn read_input(sender: Sender<Arrival>) {
    thread::spawn(move || {
        loop {
            let arrival = match event::read() {
                Ok(Input::Key(key)) => Arrival::Event(Event::Key(key)),
                Ok(Input::Mouse(mouse)) => Arrival::Event(Event::Mouse(mouse)),
                Ok(Input::Resize(width, height)) => Arrival::Event(Event::Resize(width, height)),
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

/// Signals that end the program, so that the terminal is given back first.
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

/// Ends as the signal would have ended it.
#[cfg(unix)]
fn end_by(signal: i32) -> Result<(), TuiError> {
    signal_hook::low_level::emulate_default_handler(signal).map_err(TuiError::Signals)
}

#[cfg(not(unix))]
fn end_by(_signal: i32) -> Result<(), TuiError> {
    Ok(())
}
