//! Drives the app without a terminal: keys in, pictures out, searches run synchronously.

#[cfg(unix)]
mod panics;
mod pictures;
mod states;
mod svg;
#[cfg(unix)]
mod tmux;

use super::app::{App, AppEffect, AppEvent};
use super::view::{self, Look};
use super::worker::{SearchEvent, SearchJob, SearchRunner};
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

/// An app, and the effects it returned.
pub(super) struct Driver {
    pub(super) app: App,
    runner: SearchRunner,
    /// The search waiting to be run.
    pub(super) order: Option<(u64, SearchJob)>,
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
            runner: SearchRunner::new(true, Budget::unlimited()),
            order: None,
            stopped: Vec::new(),
            saved: Vec::new(),
            left: false,
            now: Duration::ZERO,
        };
        driver.send(AppEvent::Resize(size.0, size.1));
        driver
    }

    pub(super) fn send(&mut self, event: AppEvent) {
        for effect in self.app.update(event, self.now) {
            match effect {
                AppEffect::Start(task, job) => {
                    assert!(self.order.is_none(), "a task is started while another is under way");
                    self.order = Some((task, *job));
                }
                AppEffect::Stop(task) => {
                    self.stopped.push(task);
                    self.order = None;
                }
                AppEffect::Save(record) => self.saved.push(*record),
                AppEffect::Quit => self.left = true,
                AppEffect::Suspend | AppEffect::Redraw => {}
            }
        }
    }

    pub(super) fn code(&mut self, code: KeyCode) {
        self.send(AppEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Types keys without running searches.
    pub(super) fn type_keys(&mut self, keys: &str) {
        for key in keys.chars() {
            self.code(KeyCode::Char(key));
        }
    }

    pub(super) fn control(&mut self, key: char) {
        self.send(AppEvent::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL)));
    }

    /// Types keys, and runs the searches after each.
    pub(super) fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            self.code(KeyCode::Char(key));
            self.work();
        }
    }

    pub(super) fn click(&mut self, x: u16, y: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.send(AppEvent::Mouse(MouseEvent {
            kind,
            column: x,
            row: y,
            modifiers: KeyModifiers::NONE,
        }));
    }

    /// Runs searches until none is waiting.
    pub(super) fn work(&mut self) {
        while let Some((task, job)) = self.order.take() {
            let mut events = Vec::new();
            let ended = self.runner.run(&job, &mut |event| events.push(event));
            events.push(ended.map_or_else(SearchEvent::Failed, |()| SearchEvent::Done));
            for event in events {
                self.send(AppEvent::Search(task, event));
            }
        }
    }

    pub(super) fn wait(&mut self, time: Duration) {
        self.now += time;
        self.send(AppEvent::Tick(Default::default()));
    }

    /// The moves so far.
    pub(super) fn moves(&self) -> String {
        moves_text(&self.app.game.rules, self.app.game.moves())
    }

    /// The text of the status line.
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

/// The characters of a picture, one line per row.
pub(super) fn text_of(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area().width.max(1));
    let rows = buffer.content().chunks(width).map(|row| {
        let text: String = row.iter().map(Cell::symbol).collect();
        text.trim_end().to_owned() + "\n"
    });
    rows.collect()
}

/// 256 colours and Unicode.
pub(super) const FULL: Look = Look::with(false, 256);
/// Unicode, no colour.
pub(super) const PLAIN: Look = Look::with(false, 0);
/// ASCII, no colour.
pub(super) const ASCII: Look = Look::with(true, 0);
/// Unicode, 16 colours.
pub(super) const FEW: Look = Look::with(false, 16);
