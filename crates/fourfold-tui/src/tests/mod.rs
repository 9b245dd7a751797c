//! The app driven without a terminal: keys in, pictures out, searches done on the spot.

#[cfg(unix)]
mod panics;
mod pictures;
mod states;
mod svg;
#[cfg(unix)]
mod tmux;

use super::app::{App, Effect, Event};
use super::view::{self, Look};
use super::worker::{Bench, Job, News};
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::game::notation::{moves_text, parse_moves};
use fourfold::play::Record;
use fourfold_app::live_game::LiveGame;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::time::Duration;

/// An app, and what it asked for.
pub(super) struct Driver {
    pub(super) app: App,
    bench: Bench,
    /// The task that waits to be done.
    pub(super) order: Option<(u64, Job)>,
    pub(super) stopped: Vec<u64>,
    pub(super) saved: Vec<Record>,
    pub(super) left: bool,
    now: Duration,
}

impl Driver {
    /// A game that has just begun on a screen of this size.
    pub(super) fn new(
        game: &str,
        first: &str,
        second: &str,
        moves: &str,
        size: (u16, u16),
    ) -> Self {
        let rules: Rules = game.parse().unwrap();
        let specs = [first, second].map(|spec| spec.parse().unwrap());
        let game = LiveGame::new(rules, specs, parse_moves(&rules, moves).unwrap(), 1);
        let mut driver = Self {
            app: App::new(game, size, str::parse),
            bench: Bench::new(true, Budget::unlimited()),
            order: None,
            stopped: Vec::new(),
            saved: Vec::new(),
            left: false,
            now: Duration::ZERO,
        };
        driver.send(Event::Resize(size.0, size.1));
        driver
    }

    pub(super) fn send(&mut self, event: Event) {
        for effect in self.app.update(event, self.now) {
            match effect {
                Effect::Start(task, job) => {
                    assert!(self.order.is_none(), "a task is started while another is under way");
                    self.order = Some((task, *job));
                }
                Effect::Stop(task) => {
                    self.stopped.push(task);
                    self.order = None;
                }
                Effect::Save(record) => self.saved.push(*record),
                Effect::Quit => self.left = true,
                Effect::Suspend | Effect::Redraw => {}
            }
        }
    }

    pub(super) fn code(&mut self, code: KeyCode) {
        self.send(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Types keys; searches wait.
    pub(super) fn type_keys(&mut self, keys: &str) {
        for key in keys.chars() {
            self.code(KeyCode::Char(key));
        }
    }

    pub(super) fn control(&mut self, key: char) {
        self.send(Event::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL)));
    }

    /// Types keys, and does what is searched after each.
    pub(super) fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            self.code(KeyCode::Char(key));
            self.work();
        }
    }

    pub(super) fn click(&mut self, x: u16, y: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.send(Event::Mouse(MouseEvent {
            kind,
            column: x,
            row: y,
            modifiers: KeyModifiers::NONE,
        }));
    }

    /// Does what is to be searched, until there is nothing.
    pub(super) fn work(&mut self) {
        while let Some((task, job)) = self.order.take() {
            let mut news = Vec::new();
            let ended = self.bench.perform(&job, &mut |told| news.push(told));
            news.push(ended.map_or_else(News::Failed, |()| News::Done));
            for told in news {
                self.send(Event::Told(task, told));
            }
        }
    }

    pub(super) fn wait(&mut self, time: Duration) {
        self.now += time;
        self.send(Event::Tick(Default::default()));
    }

    /// The moves so far.
    pub(super) fn moves(&self) -> String {
        moves_text(&self.app.game.rules, self.app.game.moves())
    }

    /// What is to be said.
    pub(super) fn status(&self) -> String {
        view::status_words(&self.app)
    }

    pub(super) fn picture(&self, look: Look) -> Buffer {
        let (width, height) = self.app.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| view::draw(&self.app, look, frame.buffer_mut())).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The picture as text.
    pub(super) fn text(&self, look: Look) -> String {
        text_of(&self.picture(look))
    }
}

/// The signs of a picture, a line a row.
pub(super) fn text_of(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area().width.max(1));
    let rows = buffer.content().chunks(width).map(|row| {
        let text: String = row.iter().map(Cell::symbol).collect();
        text.trim_end().to_owned() + "\n"
    });
    rows.collect()
}

/// Many colours and every sign.
pub(super) const FULL: Look = Look::with(false, 256);
/// Every sign, no colour.
pub(super) const PLAIN: Look = Look::with(false, 0);
/// ASCII, no colour.
pub(super) const ASCII: Look = Look::with(true, 0);
/// Every sign, sixteen colours.
pub(super) const FEW: Look = Look::with(false, 16);
