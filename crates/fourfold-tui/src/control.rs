//! Key bindings and the mouse. The menu, the help and the bar at the bottom are made from the one
//! list of bindings.

use super::app::{App, AppEffect, Dialog, OpenReview, PlayedGame};
use super::setup::Setup;
use super::view::{self, MouseTarget};
use fourfold::game::notation::parse_move;
use fourfold::game::{Cell, Side};
use fourfold_app::live_game::seat_of;
use fourfold_app::text::capital;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// An action that a key triggers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Undo,
    Redo,
    Hint,
    Analysis,
    New,
    Setup,
    Swap,
    Resign,
    Review,
    Games,
    Menu,
    Help,
    Quit,
}

/// A key and its action, with a word for the bar and a phrase for menu and help.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyBinding {
    pub(super) key: char,
    pub(super) action: Action,
    pub(super) word: &'static str,
    pub(super) about: &'static str,
}

const fn binding(key: char, action: Action, word: &'static str, about: &'static str) -> KeyBinding {
    KeyBinding { key, action, word, about }
}

/// Every key binding. The menu's own comes last.
pub(super) const KEY_BINDINGS: [KeyBinding; 13] = [
    binding('u', Action::Undo, "undo", "take your last move back"),
    binding('r', Action::Redo, "redo", "redo the move taken back"),
    binding('h', Action::Hint, "hint", "suggest a move"),
    binding('a', Action::Analysis, "analysis", "show exact results and best play"),
    binding('n', Action::New, "new", "start a new game"),
    binding('p', Action::Setup, "players", "change players, levels or rules"),
    binding('s', Action::Swap, "swap", "swap sides"),
    binding('x', Action::Resign, "resign", "resign the game"),
    binding('v', Action::Review, "review", "review every move of this game"),
    binding('l', Action::Games, "games", "review an earlier game"),
    binding('?', Action::Help, "help", "show the keys"),
    binding('q', Action::Quit, "quit", "quit"),
    binding('m', Action::Menu, "menu", "open the menu"),
];

/// The entries of the menu: everything but the menu itself.
pub(super) const MENU: &[KeyBinding] = KEY_BINDINGS.split_last().expect("there are bindings").1;

/// The action of a key, in either case.
fn action_of(key: char) -> Option<Action> {
    let key = if key == 'g' || key == 'G' { 'p' } else { key.to_ascii_lowercase() };
    KEY_BINDINGS.iter().find(|binding| binding.key == key).map(|binding| binding.action)
}

impl App {
    pub(super) fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.intersects(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => self.interrupt(),
                KeyCode::Char('z') => self.effect(AppEffect::Suspend),
                KeyCode::Char('l') => self.effect(AppEffect::Redraw),
                _ => {}
            }
            return;
        }
        if key.modifiers.intersects(KeyModifiers::ALT) {
            return;
        }
        match self.dialog.take() {
            Some(dialog) => self.dialog = self.key_in(dialog, key.code),
            None if self.reviewing.is_some() => self.key_in_review(key.code),
            None => self.key_on_board(key.code),
        }
    }

    /// Ctrl-C closes the dialog if one is open, else stops the search if one runs, else quits.
    fn interrupt(&mut self) {
        if self.dialog.take().is_none() && !self.halt() {
            self.effect(AppEffect::Quit);
        }
    }

    fn key_on_board(&mut self, code: KeyCode) {
        match code {
            KeyCode::Left => self.point(-1, 0),
            KeyCode::Right => self.point(1, 0),
            KeyCode::Up => self.point(0, 1),
            KeyCode::Down if self.game.rules.gravity() => self.play(self.pointed()),
            KeyCode::Down => self.point(0, -1),
            KeyCode::Home => self.point(-128, 0),
            KeyCode::End => self.point(128, 0),
            KeyCode::Enter | KeyCode::Char(' ') => self.go(),
            KeyCode::Esc => {
                self.typed.clear();
                if !self.halt() {
                    self.message.clear();
                    self.hint = None;
                }
            }
            KeyCode::Backspace => {
                self.typed.pop();
            }
            KeyCode::Char(digit @ '0'..='9') => self.digit(digit),
            KeyCode::Char(key) => {
                if let Some(action) = action_of(key) {
                    self.act(action);
                }
            }
            _ => {}
        }
    }

    /// Plays at the cursor. On an engine's turn, resumes a paused engine, or pauses engines that
    /// play each other.
    fn go(&mut self) {
        let engine = !self.is_over() && !self.is_persons_turn();
        if engine && (self.paused || self.game.human_count() == 0) {
            self.paused = !self.paused;
            self.message =
                if self.paused { "Paused. Space resumes.".to_owned() } else { String::new() };
        } else {
            self.play(self.pointed());
        }
    }

    fn point(&mut self, across: i16, up: i16) {
        self.typed.clear();
        let rules = &self.game.rules;
        let step =
            |at: u8, by: i16, size: u32| (i16::from(at) + by).clamp(0, size as i16 - 1) as u8;
        self.cursor = Cell {
            column: step(self.cursor.column, across, rules.width()),
            row: step(self.cursor.row, up, rules.height()),
        };
    }

    /// A digit plays at once on boards of up to nine columns and in tic-tac-toe, where it numbers
    /// the cells. Elsewhere it moves the cursor to the column typed so far.
    fn digit(&mut self, digit: char) {
        let rules = self.game.rules;
        let position = self.game.position();
        let nine_cells = (rules.width(), rules.height()) == (3, 3) && !rules.gravity();
        if nine_cells || rules.gravity() && rules.width() <= 9 {
            match parse_move(&position, &digit.to_string()) {
                Ok(mv) => {
                    self.cursor = mv.cell(&rules);
                    self.play(Ok(mv));
                }
                Err(why) if !self.is_over() => {
                    self.message = format!("{}.", capital(&why.to_string()));
                }
                Err(_) => self.play(self.pointed()),
            }
            return;
        }
        let longer = format!("{}{digit}", self.typed);
        let fits = |text: &str| {
            text.parse().is_ok_and(|column: u32| (1..=rules.width()).contains(&column))
        };
        let typed = if fits(&longer) { longer } else { digit.to_string() };
        if !fits(&typed) {
            self.typed.clear();
            return;
        }
        let column = typed.parse::<u8>().unwrap_or(1) - 1;
        self.cursor.column = column;
        self.typed = typed;
        self.message.clear();
    }

    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Hint => self.ask_hint(),
            Action::Analysis => self.analysing = !self.analysing,
            Action::New => self.begin(self.game.rules, Vec::new()),
            Action::Setup => self.dialog = Some(Dialog::Setup(Box::new(Setup::of(&self.game)))),
            Action::Swap => {
                let [first, second] = self.game.specs.clone();
                self.seat([second, first]);
            }
            Action::Resign => self.resign(),
            Action::Review => {
                let game = PlayedGame { game: self.game.clone(), resigned: self.resigned };
                self.review(game);
            }
            Action::Games => {
                let games = self.games().len();
                if games == 0 {
                    self.message = "There is no game to look at yet.".to_owned();
                } else {
                    self.dialog = Some(Dialog::Games(games - 1));
                }
            }
            Action::Menu => self.dialog = Some(Dialog::Menu(0)),
            Action::Help => self.dialog = Some(Dialog::Help),
            Action::Quit => self.effect(AppEffect::Quit),
        }
    }

    /// Handles a key in a dialog; returns the dialog that stays or opens.
    fn key_in(&mut self, dialog: Dialog, code: KeyCode) -> Option<Dialog> {
        match dialog {
            Dialog::Help => None,
            Dialog::Menu(at) => match code {
                KeyCode::Up | KeyCode::Down => {
                    Some(Dialog::Menu(stepped(at, MENU.len(), code == KeyCode::Down)))
                }
                KeyCode::Enter | KeyCode::Char(' ') => {
                    self.choose(at);
                    self.dialog.take()
                }
                KeyCode::Char('m' | 'M') | KeyCode::Esc => None,
                KeyCode::Char(key) => {
                    if let Some(action) = action_of(key) {
                        self.act(action);
                    }
                    self.dialog.take()
                }
                _ => Some(Dialog::Menu(at)),
            },
            Dialog::Games(at) => match code {
                KeyCode::Up | KeyCode::Down => {
                    Some(Dialog::Games(stepped(at, self.games().len(), code == KeyCode::Down)))
                }
                KeyCode::Enter | KeyCode::Char(' ' | 'v' | 'V') => {
                    self.dialog = Some(Dialog::Games(at));
                    self.choose(at);
                    self.dialog.take()
                }
                KeyCode::Char('l' | 'L' | 'q' | 'Q') | KeyCode::Esc => None,
                _ => Some(Dialog::Games(at)),
            },
            Dialog::Setup(mut setup) => {
                match code {
                    KeyCode::Esc => return None,
                    KeyCode::Up | KeyCode::BackTab => setup.go(-1),
                    KeyCode::Down | KeyCode::Tab => setup.go(1),
                    KeyCode::Left => setup.step(-1),
                    KeyCode::Right => setup.step(1),
                    KeyCode::Backspace => setup.erase(),
                    KeyCode::Char(sign) => setup.write(sign),
                    KeyCode::Enter => return self.apply(setup),
                    _ => {}
                }
                Some(Dialog::Setup(setup))
            }
        }
    }

    /// Applies the players and rules chosen; returns the dialog if they are invalid.
    fn apply(&mut self, mut setup: Box<Setup>) -> Option<Dialog> {
        let Some((rules, specs)) = setup.read(self.read_player) else {
            return Some(Dialog::Setup(setup));
        };
        if rules != self.game.rules || self.is_over() {
            self.begin(rules, Vec::new());
            self.game.specs = specs;
        } else if specs != self.game.specs {
            self.seat(specs);
        }
        None
    }

    /// Runs the line selected in the menu or the list of games.
    fn choose(&mut self, at: usize) {
        match self.dialog.take() {
            Some(Dialog::Games(_)) => {
                if let Some(game) = self.games().get(at) {
                    self.review(game.clone());
                }
            }
            _ => {
                if let Some(binding) = MENU.get(at) {
                    self.act(binding.action);
                }
            }
        }
    }

    fn key_in_review(&mut self, code: KeyCode) {
        match code {
            KeyCode::Esc | KeyCode::Char('v' | 'V') => self.reviewing = None,
            KeyCode::Char('?') => self.dialog = Some(Dialog::Help),
            KeyCode::Char('q' | 'Q') => self.effect(AppEffect::Quit),
            KeyCode::Char('l' | 'L') => self.act(Action::Games),
            KeyCode::Enter => {
                let Some(reviewing) = &self.reviewing else { return };
                let game = &reviewing.game.game;
                let (rules, moves) = (game.rules, game.moves()[..reviewing.ply].to_vec());
                self.begin(rules, moves);
                let to_move = self.game.position().to_move();
                self.message = format!("Playing on from here, {} to move.", self.name(to_move));
            }
            _ => {
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.step(code);
                }
            }
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let Some(target) = view::target_at(self, mouse.column, mouse.row) else { return };
        let click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        match (target, mouse.kind) {
            (_, MouseEventKind::ScrollUp) => self.scroll(KeyCode::Left),
            (_, MouseEventKind::ScrollDown) => self.scroll(KeyCode::Right),
            // A board shown in part would scroll under the mouse.
            (MouseTarget::Cell(cell), MouseEventKind::Moved) if view::is_whole(self) => {
                self.typed.clear();
                self.cursor = cell;
            }
            (MouseTarget::Cell(cell), _)
                if click && self.dialog.is_none() && self.reviewing.is_none() =>
            {
                self.cursor = cell;
                self.play(self.pointed());
            }
            (MouseTarget::Key(key), _) if click => {
                let code = match key {
                    '\u{1b}' => KeyCode::Esc,
                    '\n' => KeyCode::Enter,
                    key => KeyCode::Char(key),
                };
                self.key(KeyEvent::new(code, KeyModifiers::NONE));
            }
            (MouseTarget::Item(at), _) if click => match &mut self.dialog {
                Some(Dialog::Setup(setup)) => {
                    setup.at = at;
                    setup.step(1);
                }
                Some(Dialog::Menu(_) | Dialog::Games(_)) => self.choose(at),
                _ => {}
            },
            (MouseTarget::Outside, _) if click => self.dialog = None,
            _ => {}
        }
    }

    /// The mouse wheel steps through a game under review.
    fn scroll(&mut self, code: KeyCode) {
        if let Some(reviewing) = &mut self.reviewing {
            reviewing.step(code);
        }
    }

    /// Whether it is a side's turn.
    pub(super) fn is_turn(&self, side: Side) -> bool {
        !self.is_over() && seat_of(self.game.position().to_move()) == seat_of(side)
    }
}

impl OpenReview {
    fn step(&mut self, code: KeyCode) {
        let all = self.game.game.moves().len();
        self.ply = match code {
            KeyCode::Left => self.ply.saturating_sub(1),
            KeyCode::Right | KeyCode::Char(' ') => (self.ply + 1).min(all),
            KeyCode::Home => 0,
            KeyCode::End => all,
            KeyCode::Up => {
                (1..self.ply).rev().find(|&ply| self.is_mistake(ply - 1)).unwrap_or(self.ply)
            }
            KeyCode::Down => {
                (self.ply + 1..=all).find(|&ply| self.is_mistake(ply - 1)).unwrap_or(self.ply)
            }
            _ => self.ply,
        };
    }
}

/// The next or previous index below `all`, wrapping round.
fn stepped(at: usize, all: usize, forward: bool) -> usize {
    let all = all.max(1);
    if forward { (at + 1) % all } else { (at + all - 1) % all }
}
