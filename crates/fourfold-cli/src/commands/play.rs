//! `fourfold play`: a game in the terminal, line by line.

use super::hint::Hints;
use crate::board;
use crate::external;
use crate::failure::Failure;
use crate::input::GameArg;
use crate::interrupt;
use crate::output::{Paint, grouped, time};
use crate::switches::capital;
use fourfold::game::notation::{moves_text, parse_move};
use fourfold::game::{Move, Outcome, Position, Rules, Side};
use fourfold::known::Book;
use fourfold::play::{Choice, Player, PlayerError, PlayerSpec, Record, Winner};
use fourfold::score::Verdict;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Play a game against the computer, against a person, or watch two players
#[derive(Debug, clap::Args)]
#[command(after_help = super::players_help())]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,

    /// Who moves first (see below)
    #[arg(long, short = '1', default_value = "human", value_name = "PLAYER", value_parser = external::player)]
    first: PlayerSpec,

    /// Who moves second
    #[arg(long, short = '2', default_value = "lookahead:4", value_name = "PLAYER", value_parser = external::player)]
    second: PlayerSpec,

    /// Begin after these moves, such as 4453 [default: the empty board]
    #[arg(value_name = "POSITION", default_value = "", hide_default_value = true)]
    position: String,

    /// What everything random comes from [default: different every time]
    #[arg(long, short, value_name = "SEED")]
    seed: Option<u64>,

    /// Append the game to this file when it ends, for 'fourfold replay'
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Let hints and perfect players search everything, without the book of openings
    #[arg(long)]
    no_book: bool,
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let entry = args.game.read(&args.position)?;
    let rules = *entry.position.rules();
    let moves = entry.moves.ok_or_else(|| {
        Failure::usage(
            "a game begins with the moves that were made, such as 4453: a drawn board does not tell them",
        )
    })?;
    let seed = args.seed.unwrap_or_else(clock_seed);
    let mut specs = [args.first.clone(), args.second.clone()];
    for spec in &mut specs {
        if let fourfold::play::Seat::Perfect(perfect) = &mut spec.seat {
            perfect.book &= !args.no_book;
        }
    }
    if specs.iter().any(PlayerSpec::is_external) {
        // Ctrl-C ends at once, and the other program too.
        interrupt::flag_while(&Arc::default())?;
    }
    let specs = specs.each_ref();
    let mut seats = Vec::new();
    for (index, spec) in specs.into_iter().enumerate() {
        let seat = if spec.is_human() {
            Seat::Human
        } else {
            let player = spec.player(&rules, seed.wrapping_add(index as u64), None);
            Seat::Engine(player.map_err(|why| Failure::usage(format!("{spec}: {why}")))?)
        };
        seats.push(seat);
    }
    let mut table = Table {
        paint,
        rules,
        specs: specs.map(|spec| {
            let alone = specs.iter().filter(|spec| spec.is_human()).count() == 1;
            if spec.is_human() && alone { "you".to_owned() } else { spec.to_string() }
        }),
        seats,
        start: moves.len(),
        moves,
        undone: Vec::new(),
        times: Vec::new(),
        forfeit: None,
        hints: Hints::new(&rules, if args.no_book { None } else { Book::embedded(&rules) }),
    };
    table.times = vec![Duration::ZERO; table.moves.len()];
    let end = table.play()?;
    if let Some(path) = &args.save {
        let cannot = |why: io::Error| Failure::runtime(format!("cannot save in {}: {why}", path.display()));
        let mut file = File::options().create(true).append(true).open(path).map_err(cannot)?;
        writeln!(file, "{}", table.record(seed).to_line()).map_err(cannot)?;
    }
    if end == End::Left {
        say(&format!("The game stands at {:?}.", moves_text(&rules, &table.moves)))?;
    }
    Ok(())
}

/// Nobody asked for a certain game, so any will do; the record names the seed.
fn clock_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(1, |time| time.as_nanos() as u64 & 0xffff_ffff)
}

enum Seat {
    Human,
    Engine(Box<dyn Player + Send>),
}

#[derive(Debug, PartialEq, Eq)]
enum End {
    /// Somebody won or the board is full.
    Over,
    /// The person left.
    Left,
}

/// The game on the table.
struct Table {
    paint: Paint,
    rules: Rules,
    specs: [String; 2],
    seats: Vec<Seat>,
    /// Moves that were there at the beginning; they cannot be taken back.
    start: usize,
    moves: Vec<Move>,
    /// Moves taken back, the next to redo last.
    undone: Vec<Move>,
    times: Vec<Duration>,
    /// Why whoever is to move has lost without a move.
    forfeit: Option<String>,
    hints: Hints,
}

/// What a person typed.
enum Command {
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

fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

impl Table {
    fn position(&self) -> Position {
        self.moves.iter().fold(Position::new(self.rules), |position, &mv| position.play_unchecked(mv))
    }

    fn seat_of(&self, side: Side) -> usize {
        usize::from(side == Side::Second)
    }

    fn play(&mut self) -> Result<End, Failure> {
        let [first, second] = &self.specs;
        let title = self.rules.title();
        say(&format!(
            "{title}: {first} (x) against {second} (o). {} wins.",
            capital(&self.rules.shape().to_string())
        ))?;
        if self.people() > 0 {
            say(&format!(
                "Type {} to play there; 'help' lists what else you can type.",
                self.noun_with_article()
            ))?;
        }
        self.draw()?;
        loop {
            let position = self.position();
            if position.outcome().is_over() {
                self.announce(&position)?;
                return Ok(End::Over);
            }
            let index = self.seat_of(position.to_move());
            let start = Instant::now();
            match &mut self.seats[index] {
                Seat::Engine(player) => {
                    let choice = match player.choose(&position) {
                        Ok(choice) => choice,
                        Err(PlayerError::Forfeit { reason }) => {
                            let (loser, winner) = (&self.specs[index], &self.specs[1 - index]);
                            let (winner, wins) =
                                if winner == "you" { ("You", "win") } else { (winner.as_str(), "wins") };
                            say(&self
                                .paint
                                .strong(&format!("{loser} forfeits: {reason}. {winner} {wins}.")))?;
                            self.forfeit = Some(reason);
                            return Ok(End::Over);
                        }
                        Err(why) => {
                            return Err(Failure::runtime(format!(
                                "{} cannot move: {why}",
                                self.specs[index]
                            )));
                        }
                    };
                    self.engine_moved(&position, &choice, start.elapsed())?;
                }
                Seat::Human => match self.ask(&position)? {
                    None => return Ok(End::Left),
                    Some(mv) => self.push(mv, start.elapsed()),
                },
            }
            // A person playing an engine sees the board when it is their turn again.
            let position = self.position();
            let next = &self.seats[self.seat_of(position.to_move())];
            let is_skipped = self.people() == 1 && matches!(next, Seat::Engine(_));
            if !is_skipped || position.outcome().is_over() {
                self.draw()?;
            }
        }
    }

    fn people(&self) -> usize {
        self.seats.iter().filter(|seat| matches!(seat, Seat::Human)).count()
    }

    fn noun(&self) -> &'static str {
        board::place_noun(&self.rules)
    }

    fn noun_with_article(&self) -> &'static str {
        if self.rules.gravity() { "a column" } else { "a cell" }
    }

    fn push(&mut self, mv: Move, spent: Duration) {
        self.moves.push(mv);
        self.times.push(spent);
        self.undone.clear();
    }

    fn draw(&self) -> Result<(), Failure> {
        say(&format!("\n{}\n", board::draw(&self.position(), self.moves.last().copied(), self.paint)))
    }

    fn engine_moved(&mut self, position: &Position, choice: &Choice, spent: Duration) -> Result<(), Failure> {
        let side = position.to_move();
        let thought = choice.thinking.map(|thinking| {
            format!(" ({}; {} nodes, {})", opinion(thinking.verdict), grouped(thinking.nodes), time(spent))
        });
        let name = &self.specs[self.seat_of(side)];
        let what =
            format!("{name} ({}) plays {} {}", side.letter(), self.noun(), choice.mv.label(&self.rules));
        say(&format!("{}{}.", self.paint.strong(&what), thought.unwrap_or_default()))?;
        self.push(choice.mv, spent);
        Ok(())
    }

    /// Asks the person to move until there is a move; none if the person leaves.
    fn ask(&mut self, position: &Position) -> Result<Option<Move>, Failure> {
        let mut position = *position;
        loop {
            let Some(line) = self.read_line(&position)? else { return Ok(None) };
            match self.understand(&position, line.trim()) {
                Err(message) => say(&message)?,
                Ok(Command::Move(mv)) => return Ok(Some(mv)),
                Ok(Command::Quit) => return Ok(None),
                Ok(Command::Help) => say(HELP)?,
                Ok(Command::Board) => self.draw()?,
                Ok(Command::Moves) => {
                    let text = moves_text(&self.rules, &self.moves);
                    say(if text.is_empty() { "No move was made yet." } else { &text })?;
                }
                Ok(Command::Hint) => say(&self.hints.sentence(&position)?)?,
                Ok(command @ (Command::Undo | Command::Redo)) => {
                    let changed = if matches!(command, Command::Undo) { self.undo() } else { self.redo() };
                    if changed {
                        position = self.position();
                        self.draw()?;
                        if position.outcome().is_over() {
                            // Redone to the end of a finished game: nothing to ask.
                            return Ok(self.moves.pop().inspect(|_| {
                                self.times.pop();
                            }));
                        }
                    } else {
                        let what = if matches!(command, Command::Undo) { "take back" } else { "play again" };
                        say(&format!("There is nothing to {what}."))?;
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
        let read = read.map_err(|why| Failure::runtime(format!("cannot read what you type: {why}")))?;
        if read == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }

    fn understand(&self, position: &Position, line: &str) -> Result<Command, String> {
        Ok(match line.to_lowercase().as_str() {
            "" => return Err(format!("Type {}, or 'help'.", self.noun_with_article())),
            "u" | "undo" => Command::Undo,
            "r" | "redo" => Command::Redo,
            "h" | "hint" => Command::Hint,
            "m" | "moves" => Command::Moves,
            "board" => Command::Board,
            "?" | "help" => Command::Help,
            "q" | "quit" | "exit" => Command::Quit,
            _ => match parse_move(position, line) {
                Ok(mv) => Command::Move(mv),
                Err(why) => {
                    return Err(format!("{}. Choose another, or type 'help'.", capital(&why.to_string())));
                }
            },
        })
    }

    /// Takes back to this person's last turn: their move and the engine's answer.
    fn undo(&mut self) -> bool {
        let person = self.position().to_move();
        let turn_of_person = |table: &Self| {
            let side = table.position().to_move();
            side == person || matches!(table.seats[table.seat_of(side)], Seat::Human)
        };
        let before = self.moves.len();
        let mut undone = Vec::new();
        while self.moves.len() > self.start {
            undone.extend(self.moves.pop());
            if turn_of_person(self) {
                break;
            }
        }
        if undone.is_empty() || !turn_of_person(self) {
            // The engine opened the game: its move cannot be taken back.
            self.moves.extend(undone.into_iter().rev());
            return false;
        }
        self.times.truncate(self.moves.len());
        self.undone.extend(undone);
        self.moves.len() < before
    }

    /// Plays again what was taken back, up to this person's next turn.
    fn redo(&mut self) -> bool {
        let mut changed = false;
        while let Some(mv) = self.undone.pop() {
            self.moves.push(mv);
            self.times.push(Duration::ZERO);
            changed = true;
            let position = self.position();
            let seat = &self.seats[self.seat_of(position.to_move())];
            if position.outcome().is_over() || matches!(seat, Seat::Human) {
                break;
            }
        }
        changed
    }

    fn announce(&self, position: &Position) -> Result<(), Failure> {
        let text = match position.outcome() {
            Outcome::Won { by, cells } => {
                let name = &self.specs[self.seat_of(by)];
                let cells: Vec<String> = cells.iter().map(|cell| cell.to_string()).collect();
                let (name, wins) = if name == "you" { ("You", "win") } else { (name.as_str(), "wins") };
                format!("{name} ({}) {wins} on move {}: {}.", by.letter(), self.moves.len(), cells.join(" "))
            }
            _ => "The board is full: it is a draw.".to_owned(),
        };
        say(&self.paint.strong(&text))
    }

    fn record(&self, seed: u64) -> Record {
        let [first, second] = &self.specs;
        let name = |spec: &String| Some(if spec == "you" { "human".to_owned() } else { spec.clone() });
        Record {
            game: self.rules,
            first: name(first),
            second: name(second),
            seed: Some(seed),
            moves: self.moves.clone(),
            result: match self.forfeit {
                Some(_) => Some(self.position().to_move().other().into()),
                None => Winner::of(&self.position()),
            },
            forfeit: self.forfeit.clone(),
            times_ms: Some(self.times.iter().map(|spent| spent.as_micros() as f64 / 1000.0).collect()),
            nodes: None,
            evaluations: None,
        }
    }
}

/// What a player thinks of its own position.
pub(super) fn opinion(verdict: Verdict) -> String {
    match verdict {
        Verdict::Estimate(_) => format!("estimate {verdict}"),
        Verdict::Draw => "a draw".to_owned(),
        _ => verdict.to_string(),
    }
}
