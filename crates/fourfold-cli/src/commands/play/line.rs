//! A game line by line: what a person types, and what is printed.

use crate::failure::Failure;
use crate::output::{Paint, ascii, grouped, time};
use fourfold::book::Books;
use fourfold::budget::Budget;
use fourfold::game::notation::{moves_text, parse_move};
use fourfold::game::{Move, Outcome, Position, Side};
use fourfold::play::{Choice, Player, PlayerError};
use fourfold::solver::{SolverOptions, SolverPool};
use fourfold_app::board_text;
use fourfold_app::hint::{hint, verdict_words};
use fourfold_app::live_game::{LiveGame, seat_of};
use fourfold_app::text::capital;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// Plays a game to its end, or until the person leaves, and gives it back.
pub(super) fn run(
    game: LiveGame,
    book: bool,
    paint: Paint,
    ascii: bool,
) -> Result<LiveGame, Failure> {
    let rules = game.rules;
    let mut engines: [Option<Engine>; 2] = [None, None];
    for (index, spec) in game.specs.iter().enumerate() {
        if !spec.is_human() {
            let player =
                spec.player(&rules, game.seed.wrapping_add(index as u64), &Budget::unlimited());
            engines[index] = Some(player.map_err(|why| Failure::usage(format!("{spec}: {why}")))?);
        }
    }
    let books = if book { Books::Embedded } else { Books::None };
    let solvers = SolverPool::new(SolverOptions::default(), books);
    let mut lines = LineGame { paint, ascii, game, engines, solvers };
    if lines.play()? == End::Left {
        let moves = moves_text(&rules, lines.game.moves());
        lines.say(&format!("The game stands at {moves:?}."))?;
    }
    Ok(lines.game)
}

type Engine = Box<dyn Player + Send>;

#[derive(Debug, PartialEq, Eq)]
enum End {
    /// Somebody won or the board is full.
    Over,
    /// The person left.
    Left,
}

/// The game, and how it is shown.
struct LineGame {
    paint: Paint,
    ascii: bool,
    game: LiveGame,
    /// None where a person plays.
    engines: [Option<Engine>; 2],
    solvers: SolverPool,
}

/// What a person typed.
enum Typed {
    Move(Move),
    Undo,
    Redo,
    Hint,
    Moves,
    Board,
    Help,
    Quit,
}

const HELP: &str = "\
Type a column (or, where discs do not fall, a cell such as b2) to play there, or:
  hint   the best move, if it is found   undo   take your last move back
  moves  the moves so far                redo   play it again
  board  draw the board                  quit   leave the game";

impl LineGame {
    fn say(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.ascii {
            writeln!(out, "{}", ascii(text))?;
        } else {
            writeln!(out, "{text}")?;
        }
        out.flush()?;
        Ok(())
    }

    fn play(&mut self) -> Result<End, Failure> {
        let rules = self.game.rules;
        let [first, second] = [Side::First, Side::Second].map(|side| self.game.name(side));
        self.say(&format!(
            "{}: {first} (x) against {second} (o). {} wins.",
            rules.title(),
            capital(&rules.shape().to_string())
        ))?;
        if self.game.human_count() > 0 {
            self.say(&format!(
                "Type {} to play there; 'help' lists what else you can type.",
                self.noun_with_article()
            ))?;
        }
        self.draw()?;
        loop {
            let position = self.game.position();
            if position.outcome().is_over() {
                self.announce(&position)?;
                return Ok(End::Over);
            }
            let start = Instant::now();
            match &mut self.engines[seat_of(position.to_move())] {
                Some(player) => {
                    let choice = match player.choose(&position) {
                        Ok(choice) => choice,
                        Err(PlayerError::Forfeit { reason }) => {
                            return self.forfeited(&position, reason);
                        }
                        Err(why) => {
                            let name = self.game.name(position.to_move());
                            return Err(Failure::runtime(format!("{name} cannot move: {why}")));
                        }
                    };
                    self.engine_moved(&position, &choice, start.elapsed())?;
                }
                None => match self.ask(&position)? {
                    None => return Ok(End::Left),
                    Some(mv) => self.game.push(mv, start.elapsed()),
                },
            }
            // A person playing an engine sees the board when it is their turn again.
            let position = self.game.position();
            let is_skipped =
                self.game.human_count() == 1 && !self.game.is_human(position.to_move());
            if !is_skipped || position.outcome().is_over() {
                self.draw()?;
            }
        }
    }

    /// An engine has lost without a move.
    fn forfeited(&mut self, position: &Position, reason: String) -> Result<End, Failure> {
        let loser = self.game.name(position.to_move());
        let winner = self.game.name(position.to_move().other());
        let (winner, wins) =
            if winner == "you" { ("You", "win") } else { (winner.as_str(), "wins") };
        self.say(&self.paint.strong(&format!("{loser} forfeits: {reason}. {winner} {wins}.")))?;
        self.game.set_forfeit(reason);
        Ok(End::Over)
    }

    fn noun(&self) -> &'static str {
        board_text::place_noun(&self.game.rules)
    }

    fn noun_with_article(&self) -> &'static str {
        if self.game.rules.gravity() { "a column" } else { "a cell" }
    }

    fn draw(&self) -> Result<(), Failure> {
        self.say(&format!(
            "\n{}\n",
            board_text::draw(&self.game.position(), self.game.last(), self.paint)
        ))
    }

    fn engine_moved(
        &mut self,
        position: &Position,
        choice: &Choice,
        spent: Duration,
    ) -> Result<(), Failure> {
        let side = position.to_move();
        let thought = choice.thinking.map(|thinking| {
            format!(
                " ({}; {} nodes, {})",
                verdict_words(thinking.verdict),
                grouped(thinking.nodes),
                time(spent)
            )
        });
        let name = self.game.name(side);
        let label = choice.mv.label(&self.game.rules);
        let what = format!("{name} ({}) plays {} {label}", side.letter(), self.noun());
        self.say(&format!("{}{}.", self.paint.strong(&what), thought.unwrap_or_default()))?;
        self.game.push(choice.mv, spent);
        Ok(())
    }

    /// Asks the person to move until there is a move; none if the person leaves.
    fn ask(&mut self, position: &Position) -> Result<Option<Move>, Failure> {
        let mut position = *position;
        loop {
            let Some(line) = self.read_line(&position)? else { return Ok(None) };
            match self.understand(&position, line.trim()) {
                Err(message) => self.say(&message)?,
                Ok(Typed::Move(mv)) => return Ok(Some(mv)),
                Ok(Typed::Quit) => return Ok(None),
                Ok(Typed::Help) => self.say(HELP)?,
                Ok(Typed::Board) => self.draw()?,
                Ok(Typed::Moves) => {
                    let text = moves_text(&self.game.rules, self.game.moves());
                    self.say(if text.is_empty() { "No move was made yet." } else { &text })?;
                }
                Ok(Typed::Hint) => {
                    let hint = hint(&self.solvers, &position, &Budget::unlimited())
                        .map_err(Failure::runtime)?;
                    self.say(&hint.sentence)?;
                }
                Ok(Typed::Undo) if !self.game.undo() => {
                    self.say("There is nothing to take back.")?;
                }
                Ok(Typed::Redo) if !self.game.redo() => {
                    self.say("There is nothing to play again.")?;
                }
                Ok(Typed::Undo | Typed::Redo) => {
                    position = self.game.position();
                    self.draw()?;
                    if position.outcome().is_over() {
                        // Redone to the end of a finished game: nothing to ask.
                        return Ok(self.game.pop());
                    }
                }
            }
        }
    }

    fn read_line(&self, position: &Position) -> Result<Option<String>, Failure> {
        let mut out = io::stdout().lock();
        write!(out, "{} to move: ", position.to_move().letter())?;
        out.flush()?;
        let mut line = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut line);
        let read =
            read.map_err(|why| Failure::runtime(format!("cannot read what you type: {why}")))?;
        if read == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }

    fn understand(&self, position: &Position, line: &str) -> Result<Typed, String> {
        Ok(match line.to_lowercase().as_str() {
            "" => return Err(format!("Type {}, or 'help'.", self.noun_with_article())),
            "u" | "undo" => Typed::Undo,
            "r" | "redo" => Typed::Redo,
            "h" | "hint" => Typed::Hint,
            "m" | "moves" => Typed::Moves,
            "board" => Typed::Board,
            "?" | "help" => Typed::Help,
            "q" | "quit" | "exit" => Typed::Quit,
            _ => match parse_move(position, line) {
                Ok(mv) => Typed::Move(mv),
                Err(why) => {
                    return Err(format!(
                        "{}. Choose another, or type 'help'.",
                        capital(&why.to_string())
                    ));
                }
            },
        })
    }

    fn announce(&self, position: &Position) -> Result<(), Failure> {
        let text = match position.outcome() {
            Outcome::Won { by, cells } => {
                let name = self.game.name(by);
                let cells: Vec<String> = cells.iter().map(|cell| cell.to_string()).collect();
                let (name, wins) =
                    if name == "you" { ("You", "win") } else { (name.as_str(), "wins") };
                let move_number = self.game.moves().len();
                format!(
                    "{name} ({}) {wins} on move {move_number}: {}.",
                    by.letter(),
                    cells.join(" ")
                )
            }
            _ => "The board is full: it is a draw.".to_owned(),
        };
        self.say(&self.paint.strong(&text))
    }
}
