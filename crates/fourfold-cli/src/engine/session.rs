//! A session: lines in, lines out.
//!
//! One thread reads, one (while there is a search) thinks, and this one answers. `isready`, `stop`
//! and `quit` are answered at once; whatever else arrives during a search waits until it is over,
//! in order, so that a file of commands can be piped in. A `stop` behind a `go` that waits is meant
//! for that one, and waits with it.

use super::options::Settings;
use super::request::{Go, excerpt, position};
use super::think::{Thinker, Voice};
use crate::failure::Failure;
use crate::input::Lines;
use crate::output::ColorChoice;
use fourfold::game::notation::{self, Entry, Format};
use fourfold::game::{Move, Position};
use fourfold_app::board_text;
use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

/// What a session waits for.
enum Event {
    /// Somebody wrote a line.
    Line(String),
    /// There will be no more lines.
    End,
    /// The search is over, and this is its move.
    Done(Box<Thinker>, Option<Move>),
}

/// Commands that may wait for a search to end. Nobody sends as many but by mistake.
const MOST_WAITING: usize = 100_000;

/// Serves standard input until `quit` or its end.
pub(crate) fn run(settings: Settings) -> Result<(), Failure> {
    // Few lines wait here, so that a flood of them fills no memory.
    let (events, inbox) = mpsc::sync_channel(64);
    let lines = events.clone();
    // It ends with its input or with the process.
    thread::spawn(move || {
        let mut reader = Lines::new(BufReader::new(io::stdin()));
        while let Ok(Some(line)) = reader.next() {
            if lines.send(Event::Line(line.into_owned())).is_err() {
                return;
            }
        }
        let _ = lines.send(Event::End);
    });
    let stop = Arc::new(AtomicBool::new(false));
    let mut session = Session {
        position: Position::new(settings.game),
        thinker: Some(Box::new(Thinker::new(settings.clone(), Arc::clone(&stop)))),
        settings,
        voice: Arc::new(Voice::new(Arc::clone(&stop))),
        stop,
        endless: false,
        waiting: VecDeque::new(),
        ended: false,
        events,
    };
    while let Ok(event) = inbox.recv() {
        let goes_on = match event {
            Event::Line(line) => session.hear(line),
            Event::End => {
                session.ended = true;
                session.stop_if_endless();
                true
            }
            Event::Done(thinker, best) => {
                session.done(thinker, best);
                session.catch_up()
            }
        };
        if session.voice.is_closed() {
            return Err(Failure::ClosedPipe);
        }
        if !goes_on || session.ended && session.thinker.is_some() && session.waiting.is_empty() {
            break;
        }
    }
    Ok(())
}

struct Session {
    settings: Settings,
    position: Position,
    voice: Arc<Voice>,
    stop: Arc<AtomicBool>,
    /// None while it thinks.
    thinker: Option<Box<Thinker>>,
    /// The search under way ends by `stop` only.
    endless: bool,
    waiting: VecDeque<String>,
    ended: bool,
    events: mpsc::SyncSender<Event>,
}

impl Session {
    /// Takes a line as it arrives. False if the session is over.
    fn hear(&mut self, line: String) -> bool {
        match line.split_whitespace().next() {
            None => true,
            Some("quit") => {
                self.stop.store(true, Ordering::Relaxed);
                false
            }
            Some("isready") => {
                self.voice.say("readyok");
                true
            }
            // A search that waits to begin is what is meant to be stopped.
            Some("stop") if !self.waiting.iter().any(|line| is_search(line)) => {
                // Without a search there is nothing to stop, and nothing to say.
                if self.thinker.is_none() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                true
            }
            Some(_) if self.thinker.is_none() => {
                // Nobody means to wait for ever.
                self.stop_if_endless();
                if self.waiting.len() < MOST_WAITING {
                    self.waiting.push_back(line);
                } else {
                    self.voice.remark(
                        "too many commands wait for the search to end; this one is dropped",
                    );
                }
                true
            }
            Some(_) => {
                self.obey(&line);
                true
            }
        }
    }

    /// Does what has waited, up to the next search.
    fn catch_up(&mut self) -> bool {
        while let Some(line) = self.waiting.pop_front() {
            if is_stop(&line) {
                self.stop.store(true, Ordering::Relaxed);
            } else if self.thinker.is_some() {
                self.obey(&line);
            } else {
                self.waiting.push_front(line);
                break;
            }
        }
        if self.ended || !self.waiting.is_empty() {
            self.stop_if_endless();
        }
        true
    }

    fn stop_if_endless(&self) {
        if self.thinker.is_none() && self.endless {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Does what a line says; no search is under way.
    fn obey(&mut self, line: &str) {
        let line = line.trim();
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match verb {
            "uci" => self.introduce(),
            "ucinewgame" => self.forget(),
            "setoption" => self.set_option(rest),
            "position" => match position(rest, &self.settings.game) {
                Ok(position) => self.position = position,
                Err(why) => self.voice.remark(format_args!("position: {why}")),
            },
            "go" => self.go(rest),
            "d" => self.draw(),
            // Verbs of UCI that ask for nothing here.
            "debug" | "register" | "ponderhit" => {}
            verb => self.voice.remark(format_args!(
                "there is no command {:?}; there are uci, isready, ucinewgame, setoption, \
                 position, go, stop, d, quit",
                excerpt(verb)
            )),
        }
    }

    fn introduce(&self) {
        self.voice.say(concat!("id name Fourfold ", env!("CARGO_PKG_VERSION")));
        self.voice.say("id author The Fourfold authors");
        for option in Settings::listed() {
            self.voice.say(format_args!("option {option}"));
        }
        self.voice.say("uciok");
    }

    /// Forgets what was searched, and seats the player of the option again.
    fn forget(&mut self) {
        self.thinker = Some(Box::new(Thinker::new(self.settings.clone(), Arc::clone(&self.stop))));
    }

    fn set_option(&mut self, rest: &str) {
        let Some((name, value)) = named(rest) else {
            return self.voice.remark("setoption: write 'name', the option, 'value' and its value");
        };
        let game = self.settings.game;
        match self.settings.set(&name, &value) {
            Ok(()) => {
                // The board of the old game is of no use in the new one.
                if self.settings.game != game {
                    self.position = Position::new(self.settings.game);
                }
                self.forget();
            }
            Err(why) => self.voice.remark(format_args!("setoption: {why}")),
        }
    }

    fn go(&mut self, rest: &str) {
        let (go, complaints) = Go::read(rest, &self.position);
        for complaint in complaints {
            self.voice.remark(complaint);
        }
        let Some(mut thinker) = self.thinker.take() else { return };
        self.endless = go.infinite;
        self.stop.store(false, Ordering::Relaxed);
        let (position, voice, events) =
            (self.position, Arc::clone(&self.voice), self.events.clone());
        let (settings, stop) = (self.settings.clone(), Arc::clone(&self.stop));
        thread::spawn(move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| thinker.think(&position, go, &voice)));
            let best = outcome.unwrap_or_else(|_| {
                // The other side waits for an answer, whatever has happened here.
                voice.remark("this is a bug in Fourfold: the search failed");
                *thinker = Thinker::new(settings, stop);
                position.legal_moves().first().copied()
            });
            let _ = events.send(Event::Done(thinker, best));
        });
    }

    /// Says the move of a search that is over. Not before it is over: what is sent in answer to it
    /// must not wait for it.
    fn done(&mut self, thinker: Box<Thinker>, best: Option<Move>) {
        self.thinker = Some(thinker);
        let best = best.map(|mv| mv.label(self.position.rules()));
        self.voice.say(format_args!("bestmove {}", best.as_deref().unwrap_or("(none)")));
    }

    fn draw(&self) {
        let board = board_text::draw(&self.position, None, ColorChoice::Never.paint());
        self.voice.say(format_args!("{board}\n"));
        let text = notation::write(&Entry::of(self.position), Format::Fen).unwrap_or_default();
        let game = self.position.rules();
        self.voice.say(format_args!("Game: {game}\nFen: {text}"));
    }
}

fn is_search(line: &str) -> bool {
    line.split_whitespace().next() == Some("go")
}

fn is_stop(line: &str) -> bool {
    line.split_whitespace().next() == Some("stop")
}

/// The name and the value of `name X value Y`, both of any number of words.
fn named(text: &str) -> Option<(String, String)> {
    let mut words = text.split_whitespace();
    if words.next() != Some("name") {
        return None;
    }
    let words: Vec<&str> = words.collect();
    let at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
    let value = words.get(at + 1..).unwrap_or_default();
    (at > 0).then(|| (words[..at].join(" "), value.join(" ")))
}
