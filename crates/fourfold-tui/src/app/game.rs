//! What happens to the game: moves, undo and redo, resigning, other people, new games; and how it
//! is told.

use super::{App, Effect, Kept, Reviewing, middle};
use crate::setup::seat_name;
use crate::worker::Job;
use fourfold::game::{Move, Outcome, PlayError, Rules, Side};
use fourfold::play::{Choice, PlayerSpec};
use fourfold_app::board_text::place_noun;
use fourfold_app::hint::opinion;
use fourfold_app::live_game::LiveGame;
use fourfold_app::text::capital;
use fourfold_app::text::{grouped, time};
use std::time::Duration;

impl App {
    pub(crate) fn engine_moves(&mut self, choice: &Choice, spent: Duration) {
        let position = self.game.position();
        let (side, label) = (position.to_move(), choice.mv.label(&self.game.rules));
        let noun = place_noun(&self.game.rules);
        self.says = format!("{} plays {noun} {label}.", self.subject(side));
        self.thought = choice.thinking.map_or_else(String::new, |thinking| {
            let opinion = capital(&opinion(thinking.verdict));
            let (nodes, depth) = (grouped(thinking.nodes), thinking.depth);
            format!("{opinion}, {nodes} nodes, depth {depth}, {}", time(spent))
        });
        self.push(choice.mv, spent);
        if self.is_persons_turn() {
            self.says = format!("{} {}", self.says, self.turn_words());
        }
    }

    /// An engine has lost without a move.
    pub(crate) fn engine_forfeits(&mut self, reason: String) {
        self.game.give_up(reason);
        self.resigned = Some(self.game.position().to_move());
        self.says = self.outcome_words();
    }

    fn push(&mut self, mv: Move, spent: Duration) {
        self.game.push(mv, spent);
        self.board_changed();
        if self.is_over() {
            self.says = self.outcome_words();
        }
    }

    /// What hung on the position that is gone.
    fn board_changed(&mut self) {
        self.turn = self.now;
        self.hinting = false;
        self.typed.clear();
    }

    /// A person's move, or why there is none.
    pub(crate) fn play(&mut self, mv: Result<Move, PlayError>) {
        self.typed.clear();
        if self.is_over() {
            self.says = "The game is over. N begins a new one, U takes a move back.".to_owned();
        } else if !self.is_persons_turn() {
            let name = self.subject(self.game.position().to_move());
            self.says = if self.paused {
                format!("{name} is to move. Space lets it think.")
            } else {
                format!("{name} is thinking. Esc stops it.")
            };
        } else {
            match mv {
                Ok(mv) => {
                    self.says.clear();
                    self.thought.clear();
                    self.push(mv, self.now.saturating_sub(self.turn));
                }
                Err(why) => self.says = format!("{}. Choose another.", capital(&why.to_string())),
            }
        }
    }

    /// The move that the cursor points at.
    pub(crate) fn pointed(&self) -> Result<Move, PlayError> {
        let position = self.game.position();
        if self.game.rules.gravity() {
            position.drop_in(u32::from(self.cursor.column))
        } else {
            position.place(self.cursor)
        }
    }

    /// How a side is called in sentences.
    pub(crate) fn name(&self, side: Side) -> String {
        seat_name(&self.game, side)
    }

    /// The same at the beginning of one. A player written as a spec stays as it is written.
    pub(crate) fn subject(&self, side: Side) -> String {
        subject(&self.name(side))
    }

    /// How the game ended.
    pub(crate) fn outcome_words(&self) -> String {
        let winner = match (self.resigned, self.game.position().outcome()) {
            (Some(side), _) => Some(side.other()),
            (None, Outcome::Won { by, .. }) => Some(by),
            (None, _) => None,
        };
        let Some(winner) = winner else {
            return "The board is full: a draw. N begins a new game.".to_owned();
        };
        let name = self.name(winner);
        let wins = if name == "you" {
            "You win".to_owned()
        } else {
            format!("{} wins", self.subject(winner))
        };
        let how = self.resigned.map_or_else(String::new, |side| {
            let subject = self.subject(side);
            match self.game.forfeit() {
                Some(reason) => format!("{subject} forfeits: {reason}. "),
                None if subject == "You" => "You resign. ".to_owned(),
                None => format!("{subject} resigns. "),
            }
        });
        format!("{how}{wins}. N begins a new game, V reviews this one.")
    }

    /// Whose turn it is, or how the game ended.
    pub(crate) fn turn_words(&self) -> String {
        if self.is_over() {
            return self.outcome_words();
        }
        let name = self.subject(self.game.position().to_move());
        if name == "You" {
            "Your move.".to_owned()
        } else if self.is_persons_turn() {
            format!("{name} to move.")
        } else if self.paused {
            format!("{name} is to move. Space lets it think.")
        } else if self.is_engine_thinking() {
            format!("{name} is thinking…")
        } else {
            format!("{name} moves next. Space pauses.")
        }
    }

    pub(crate) fn undo(&mut self) {
        // A program that forfeited would do so again: the move before it is taken back as well.
        if self.game.forfeit().is_none() && self.resigned.take().is_some() {
            self.says = "The game goes on.".to_owned();
            self.board_changed();
            return;
        }
        if self.game.undo() {
            self.resigned = None;
            self.says.clear();
            self.thought.clear();
            self.board_changed();
            // Whoever watches wants to look at it.
            self.paused = self.game.people() == 0;
        } else {
            self.says = "There is nothing to take back.".to_owned();
        }
    }

    pub(crate) fn redo(&mut self) {
        if self.resigned.is_none() && self.game.redo() {
            self.says = if self.is_over() { self.outcome_words() } else { String::new() };
            self.board_changed();
        } else {
            self.says = "There is nothing to play again.".to_owned();
        }
    }

    pub(crate) fn ask_hint(&mut self) {
        if self.is_over() {
            self.says = "The game is over.".to_owned();
        } else if self.is_persons_turn() || self.paused {
            self.hinting = true;
        } else {
            self.says = "A hint is given when it is your turn.".to_owned();
        }
    }

    pub(crate) fn resign(&mut self) {
        let to_move = self.game.position().to_move();
        let person = [to_move, to_move.other()].into_iter().find(|&side| self.game.is_human(side));
        match person {
            _ if self.is_over() => self.says = "The game is over.".to_owned(),
            None => self.says = "Nobody here could resign.".to_owned(),
            Some(side) => {
                self.resigned = Some(side);
                self.board_changed();
                self.says = self.outcome_words();
            }
        }
    }

    /// Stops what is searched. False if nothing was.
    pub(crate) fn halt(&mut self) -> bool {
        let Some(task) = &self.task else { return false };
        match task.job {
            Job::Choose { .. } => {
                self.paused = true;
                let name = self.subject(self.game.position().to_move());
                self.says =
                    format!("{name} was stopped. Space lets it think, U takes a move back.");
            }
            Job::Hint(_) => self.hinting = false,
            Job::Study(_) => {
                if let Some(study) = &mut self.study {
                    study.complete = true;
                }
                self.says = "The analysis was stopped.".to_owned();
            }
            Job::Review { .. } => {
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.problem = Some("The review was stopped.".to_owned());
                }
            }
        }
        true
    }

    /// Ends the game under way, and keeps it if there is something to keep.
    pub(crate) fn keep(&mut self) {
        if self.game.is_played() {
            self.effects.push(Effect::Save(Box::new(self.game.record())));
            self.past.push(Kept { game: self.game.clone(), resigned: self.resigned });
        }
    }

    /// Begins a game after these moves, with the same people.
    pub(crate) fn begin(&mut self, rules: Rules, moves: Vec<Move>) {
        self.keep();
        if self.game.rules != rules {
            self.cursor = middle(&rules);
        }
        self.number += 1;
        // Each player has a seed of its own, and the second's is one more.
        let seed = self.game.seed.wrapping_add(2);
        self.game = LiveGame::new(rules, self.game.specs.clone(), moves, seed);
        self.resigned = None;
        self.paused = false;
        self.reviewing = None;
        self.says.clear();
        self.thought.clear();
        self.board_changed();
    }

    /// Other people sit down at the game.
    pub(crate) fn seat(&mut self, specs: [PlayerSpec; 2]) {
        self.game.specs = specs;
        self.paused = false;
        let (first, second) = (self.subject(Side::First), self.name(Side::Second));
        let play = if first == "You" { "play" } else { "plays" };
        self.says = format!("{first} {play} first, {second} second.");
    }

    /// The games of the session, the one under way last.
    pub(crate) fn games(&self) -> Vec<Kept> {
        let mut games = self.past.clone();
        if self.game.is_played() {
            games.push(Kept { game: self.game.clone(), resigned: self.resigned });
        }
        games
    }

    pub(crate) fn review(&mut self, game: Kept) {
        if game.game.moves().is_empty() {
            self.says = "There is no move to review yet.".to_owned();
            return;
        }
        let ply = game.game.moves().len();
        let judged = (0, ply);
        self.reviewing =
            Some(Box::new(Reviewing { game, ply, judged, review: None, problem: None }));
    }
}

/// A name at the beginning of a sentence.
pub(crate) fn subject(name: &str) -> String {
    if name.contains(':') { name.to_owned() } else { capital(name) }
}
