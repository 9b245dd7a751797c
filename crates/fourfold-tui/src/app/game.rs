//! Changes to the game (moves, undo and redo, resignation, new players, new games), and the
//! messages about them.

use super::{App, AppEffect, OpenReview, PlayedGame, middle};
use crate::setup::seat_name;
use crate::worker::SearchJob;
use fourfold::game::{Move, Outcome, PlayError, Rules, Side};
use fourfold::play::{Choice, PlayerSpec};
use fourfold_app::board_text::place_noun;
use fourfold_app::hint::verdict_words;
use fourfold_app::live_game::LiveGame;
use fourfold_app::text::capital;
use fourfold_app::text::{grouped, time};
use std::time::Duration;

impl App {
    pub(crate) fn engine_moves(&mut self, choice: &Choice, spent: Duration) {
        let position = self.game.position();
        let (side, label) = (position.to_move(), choice.mv.label(&self.game.rules));
        let noun = place_noun(&self.game.rules);
        self.message = format!("{} plays {noun} {label}.", self.subject(side));
        self.engine_report = choice.thinking.map_or_else(String::new, |thinking| {
            let verdict = capital(&verdict_words(thinking.verdict));
            let (nodes, depth) = (grouped(thinking.nodes), thinking.depth);
            format!("{verdict}, {nodes} nodes, depth {depth}, {}", time(spent))
        });
        self.push(choice.mv, spent);
        if self.is_persons_turn() {
            self.message = format!("{} {}", self.message, self.turn_words());
        }
    }

    /// The engine to move forfeits.
    pub(crate) fn engine_forfeits(&mut self, reason: String) {
        self.game.set_forfeit(reason);
        self.resigned = Some(self.game.position().to_move());
        self.message = self.outcome_words();
    }

    fn push(&mut self, mv: Move, spent: Duration) {
        self.game.push(mv, spent);
        self.board_changed();
        if self.is_over() {
            self.message = self.outcome_words();
        }
    }

    /// Resets what belonged to the previous position.
    fn board_changed(&mut self) {
        self.turn_started = self.now;
        self.hint_wanted = false;
        self.typed.clear();
    }

    /// Plays a person's move, or says why that is not possible.
    pub(crate) fn play(&mut self, mv: Result<Move, PlayError>) {
        self.typed.clear();
        if self.is_over() {
            self.message = "The game is over. N begins a new one, U takes a move back.".to_owned();
        } else if !self.is_persons_turn() {
            let name = self.subject(self.game.position().to_move());
            self.message = if self.paused {
                format!("{name} is to move. Space lets it think.")
            } else {
                format!("{name} is thinking. Esc stops it.")
            };
        } else {
            match mv {
                Ok(mv) => {
                    self.message.clear();
                    self.engine_report.clear();
                    self.push(mv, self.now.saturating_sub(self.turn_started));
                }
                Err(why) => {
                    self.message = format!("{}. Choose another.", capital(&why.to_string()));
                }
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

    /// A side's name, as used within a sentence.
    pub(crate) fn name(&self, side: Side) -> String {
        seat_name(&self.game, side)
    }

    /// A side's name at the start of a sentence: capitalised, unless it is a player spec.
    pub(crate) fn subject(&self, side: Side) -> String {
        subject(&self.name(side))
    }

    /// A sentence on how the game ended.
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

    /// A sentence on whose turn it is, or how the game ended.
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
        // An engine that forfeited would do so again, so the move before is taken back as well.
        if self.game.forfeit().is_none() && self.resigned.take().is_some() {
            self.message = "The game goes on.".to_owned();
            self.board_changed();
            return;
        }
        if self.game.undo() {
            self.resigned = None;
            self.message.clear();
            self.engine_report.clear();
            self.board_changed();
            // Somebody who watches engines wants to look at the position.
            self.paused = self.game.human_count() == 0;
        } else {
            self.message = "There is nothing to take back.".to_owned();
        }
    }

    pub(crate) fn redo(&mut self) {
        if self.resigned.is_none() && self.game.redo() {
            self.message = if self.is_over() { self.outcome_words() } else { String::new() };
            self.board_changed();
        } else {
            self.message = "There is nothing to redo.".to_owned();
        }
    }

    pub(crate) fn ask_hint(&mut self) {
        if self.is_over() {
            self.message = "The game is over.".to_owned();
        } else if self.is_persons_turn() || self.paused {
            self.hint_wanted = true;
        } else {
            self.message = "You can ask for a hint when it is your turn.".to_owned();
        }
    }

    pub(crate) fn resign(&mut self) {
        let to_move = self.game.position().to_move();
        let person = [to_move, to_move.other()].into_iter().find(|&side| self.game.is_human(side));
        match person {
            _ if self.is_over() => self.message = "The game is over.".to_owned(),
            None => self.message = "Engines play both sides, so nobody can resign.".to_owned(),
            Some(side) => {
                self.resigned = Some(side);
                self.board_changed();
                self.message = self.outcome_words();
            }
        }
    }

    /// Stops the running search. False if there is none.
    pub(crate) fn halt(&mut self) -> bool {
        let Some(task) = &self.task else { return false };
        match task.job {
            SearchJob::Choose { .. } => {
                self.paused = true;
                let name = self.subject(self.game.position().to_move());
                self.message =
                    format!("{name} was stopped. Space lets it think, U takes a move back.");
            }
            SearchJob::Hint(_) => self.hint_wanted = false,
            SearchJob::Analysis(_) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.complete = true;
                }
                self.message = "The analysis was stopped.".to_owned();
            }
            SearchJob::Review { .. } => {
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.problem = Some("The review was stopped.".to_owned());
                }
            }
        }
        true
    }

    /// Saves the current game and adds it to the list, if a move was played.
    pub(crate) fn keep(&mut self) {
        if self.game.is_played() {
            self.effects.push(AppEffect::Save(Box::new(self.game.record())));
            self.finished_games
                .push(PlayedGame { game: self.game.clone(), resigned: self.resigned });
        }
    }

    /// Begins a new game after these moves, with the same players.
    pub(crate) fn begin(&mut self, rules: Rules, moves: Vec<Move>) {
        self.keep();
        if self.game.rules != rules {
            self.cursor = middle(&rules);
        }
        self.number += 1;
        // The players' seeds are this one and the next, so games are two apart.
        let seed = self.game.seed.wrapping_add(2);
        self.game = LiveGame::new(rules, self.game.specs.clone(), moves, seed);
        self.resigned = None;
        self.paused = false;
        self.reviewing = None;
        self.message.clear();
        self.engine_report.clear();
        self.board_changed();
    }

    /// Replaces the players of the current game.
    pub(crate) fn seat(&mut self, specs: [PlayerSpec; 2]) {
        self.game.specs = specs;
        self.paused = false;
        let (first, second) = (self.subject(Side::First), self.name(Side::Second));
        let play = if first == "You" { "play" } else { "plays" };
        self.message = format!("{first} {play} first, {second} second.");
    }

    /// The games of the session, the current one last.
    pub(crate) fn games(&self) -> Vec<PlayedGame> {
        let mut games = self.finished_games.clone();
        if self.game.is_played() {
            games.push(PlayedGame { game: self.game.clone(), resigned: self.resigned });
        }
        games
    }

    pub(crate) fn review(&mut self, game: PlayedGame) {
        if game.game.moves().is_empty() {
            self.message = "There is no move to review yet.".to_owned();
            return;
        }
        let ply = game.game.moves().len();
        let judged = (0, ply);
        self.reviewing =
            Some(Box::new(OpenReview { game, ply, judged, review: None, problem: None }));
    }
}

/// A name at the start of a sentence: capitalised, unless it is a player spec.
pub(crate) fn subject(name: &str) -> String {
    if name.contains(':') { name.to_owned() } else { capital(name) }
}
