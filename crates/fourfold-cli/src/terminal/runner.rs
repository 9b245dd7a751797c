//! The loop: events in, effects out, a picture after each.

use super::app::{App, Counters, Effect, Event};
use super::screen::Screen;
use super::view::Look;
use super::worker::Worker;
use crate::commands::save_game;
use crate::external;
use crate::failure::Failure;
use crate::table::Table;
use fourfold::game::notation::moves_text;
use ratatui::crossterm::event::{self, Event as Input};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How the app is run.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) look: Look,
    /// Use the book of openings.
    pub(crate) book: bool,
    /// Where games are kept.
    pub(crate) save: Option<PathBuf>,
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
pub(crate) fn run(table: Table, options: Options) -> Result<(), Failure> {
    for spec in table.specs.iter().filter(|spec| !spec.is_human()) {
        spec.player(&table.rules, 0, None)
            .map_err(|why| Failure::usage(format!("{spec}: {why}")))?;
    }
    let cannot = |why: io::Error| Failure::runtime(format!("cannot use the terminal: {why}"));
    let (sender, arrivals) = channel();
    let news = sender.clone();
    let worker = Worker::start(options.book, move |task, told| {
        let _ = news.send(Arrival::Event(Event::Told(task, told)));
    })
    .map_err(|why| Failure::runtime(format!("cannot start a thread: {why}")))?;
    watch_signals(&sender)
        .map_err(|why| Failure::runtime(format!("cannot watch for signals: {why}")))?;
    let mut screen = Screen::take(options.look).map_err(cannot)?;
    read_input(sender);
    let app = App::new(table, screen.size().map_err(cannot)?);
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
    external::end_all();
    let Session { app, problem, .. } = session;
    if let Some(problem) = problem {
        return Err(problem);
    }
    match end {
        End::Left => {
            if app.table.is_played() && !app.is_over() {
                let moves = moves_text(&app.table.rules, app.table.moves());
                writeln!(io::stdout(), "The game stands at {moves:?}.")?;
            }
            Ok(())
        }
        End::Signal(signal) => end_by(signal),
        End::Gone(why) => Err(Failure::runtime(format!("the terminal is gone: {why}"))),
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
    problem: Option<Failure>,
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
        let kept = self.save.as_deref().map_or(Ok(()), |path| save_game(path, record));
        if let Err(why) = kept {
            self.app.says = why.message().unwrap_or_default();
            self.problem = Some(why);
        }
    }

    /// Keeps the game on the table, whatever ends the program.
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
fn end_by(signal: i32) -> Result<(), Failure> {
    signal_hook::low_level::emulate_default_handler(signal).map_err(Failure::runtime)
}

#[cfg(not(unix))]
fn end_by(_signal: i32) -> Result<(), Failure> {
    Ok(())
}
