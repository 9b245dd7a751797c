//! Players that are other programs: started, asked in the engine protocol, and ended.
//!
//! Every game has a [`Process`] of its own, which ends with the game. Whatever a program does wrong
//! (it ends, hangs, talks nonsense, moves where it cannot) loses it the game, with the reason.

use crate::engine::{SearchInfo, read_info};
use crate::process::{Heard, LONGEST_LINE, Process, Streams, TICK};
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::eval::net::Net;
use fourfold::game::notation::{self, Entry, Format, parse_move};
use fourfold::game::{Move, Position, Rules, Side};
use fourfold::play::{
    Choice, ExternalSpec, Player, PlayerError, PlayerSpec, Seat, SpecError, Thinking,
};
use fourfold::score::Verdict;
use fourfold_lab::files::read_bytes;
use fourfold_lab::tune::WeightsFile;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Reads a player of a command line: there, other programs may be started, and weights and networks
/// may be files.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, SpecError> {
    let (text, evaluator) = learned(text).map_err(|problem| SpecError::File { problem })?;
    let mut spec = text.parse::<PlayerSpec>()?;
    if let (Seat::Search(search), Some(evaluator)) = (&mut spec.seat, evaluator) {
        search.evaluator = Some(evaluator);
    }
    Ok(spec.hosted_by(seat))
}

/// The spec without `weights=FILE` and `eval=net:FILE`, and the evaluator that the file holds.
fn learned(text: &str) -> Result<(String, Option<Evaluator>), String> {
    let Some((name, arguments)) = text.split_once(':').filter(|(name, _)| *name != "external")
    else {
        return Ok((text.to_owned(), None));
    };
    let mut evaluator = None;
    let mut rest = Vec::new();
    for argument in arguments.split(',') {
        if let Some(path) = argument.strip_prefix("eval=net:") {
            let bytes =
                read_bytes(Path::new(path), MAX_NET_BYTES).map_err(|why| why.to_string())?;
            let net = Net::of_bytes(&bytes).map_err(|why| format!("{path}: {why}"))?;
            evaluator = Some(Evaluator::OwnNet(Arc::new(net)));
        } else if let Some(path) = argument.strip_prefix("weights=").filter(|text| is_path(text)) {
            let file = WeightsFile::read(Path::new(path)).map_err(|why| why.to_string())?;
            evaluator = Some(file.evaluator);
        } else {
            rest.push(argument);
        }
    }
    let colon = if rest.is_empty() { "" } else { ":" };
    Ok((format!("{name}{colon}{}", rest.join(",")), evaluator))
}

/// Numbers between slashes are weights; everything else that is not empty names a file.
fn is_path(text: &str) -> bool {
    let numbers = |sign: char| sign.is_ascii_digit() || sign == '/' || sign == '-';
    !text.is_empty() && !text.chars().all(numbers)
}

/// The largest network that is read.
const MAX_NET_BYTES: u64 = 64 << 20;

/// A player that forfeits this many games in a row is broken: more games would tell nothing.
pub(crate) const MOST_FORFEITS_IN_A_ROW: u32 = 3;

/// Seats another program: the library's [`fourfold::play::Host`].
pub(crate) fn seat(
    spec: &ExternalSpec,
    rules: &Rules,
    seed: u64,
    budget: &Budget,
) -> Result<Box<dyn Player + Send>, PlayerError> {
    let process = start(spec.words())?;
    let history = History { position: Position::new(*rules), moves: Vec::new() };
    Ok(Box::new(External {
        spec: spec.clone(),
        rules: *rules,
        seed,
        stop: budget.stop_flag().cloned(),
        process: Some(process),
        greeted: false,
        history,
        fault: None,
    }))
}

/// Starts a program that speaks the engine protocol.
fn start(words: &[String]) -> Result<Process, PlayerError> {
    let streams = Streams { folder: None, keeps_errors: false, farewell: Some("quit") };
    Process::start(words, streams).map_err(|reason| PlayerError::Left { reason })
}

/// The moves that led to a position, as far as they can be known.
struct History {
    position: Position,
    moves: Vec<Move>,
}

impl History {
    /// Goes on to a position: by the moves in between, or by some that lead there. False if there
    /// are none.
    fn go_on_to(&mut self, position: &Position) -> bool {
        let between = self.moves_to(position);
        let found = match between {
            Some(more) => {
                self.moves.extend(more);
                true
            }
            None => match position.some_moves() {
                Ok(moves) => {
                    self.moves = moves;
                    true
                }
                Err(_) => false,
            },
        };
        self.position = *position;
        found
    }

    /// At most two moves, one of each side, that lead from here to there.
    fn moves_to(&self, position: &Position) -> Option<Vec<Move>> {
        let rules = self.position.rules();
        let fresh = |side: Side| {
            let before = self.position.discs(side).bits();
            let set = position.discs(side);
            set.iter().filter(move |cell| before & (1 << cell.bit(rules)) == 0).collect::<Vec<_>>()
        };
        let side = self.position.to_move();
        let cells = match (&fresh(side)[..], &fresh(side.other())[..]) {
            ([], []) => Vec::new(),
            ([one], []) => vec![*one],
            ([one], [two]) => vec![*one, *two],
            _ => return None,
        };
        let moves: Vec<Move> = cells.into_iter().map(|cell| Move::at(cell, rules)).collect();
        let reached =
            moves.iter().try_fold(self.position, |position, &mv| position.play(mv)).ok()?;
        (reached == *position).then_some(moves)
    }
}

/// Another program at the board.
struct External {
    spec: ExternalSpec,
    rules: Rules,
    seed: u64,
    stop: Option<Arc<AtomicBool>>,
    /// None once it has done something wrong.
    process: Option<Process>,
    greeted: bool,
    history: History,
    fault: Option<String>,
}

impl Player for External {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        if let Some(reason) = &self.fault {
            return Err(PlayerError::Forfeit { reason: reason.clone() });
        }
        let choice = self.ask(position);
        if let Err(PlayerError::Forfeit { reason }) = &choice {
            // It is not asked again, and need not wait for the end of the game to go.
            self.fault = Some(reason.clone());
            self.process = None;
        }
        choice
    }
}

impl External {
    fn ask(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        if !self.greeted {
            self.greet()?;
            self.greeted = true;
        }
        let by_moves = self.history.go_on_to(position);
        let line = self.position_line(position, by_moves)?;
        self.say(&line);
        let line = self.go_line();
        self.say(&line);
        let mut info = SearchInfo::default();
        let best =
            self.hear("a move", self.spec.patience(), |line| match line.split_once(' ') {
                Some(("info", _)) => {
                    read_info(line, &mut info);
                    None
                }
                Some(("bestmove", best)) => {
                    Some(best.split_whitespace().next().unwrap_or("").to_owned())
                }
                _ => (line == "bestmove").then(String::new),
            })?;
        let mv =
            parse_move(position, &best).map_err(|why| forfeit(format!("illegal move: {why}")))?;
        let thinking = (info != SearchInfo::default()).then(|| {
            let verdict = info.verdict.unwrap_or(Verdict::Estimate(0));
            Thinking::new(verdict, info.depth.unwrap_or(0), info.nodes.unwrap_or(0), 0)
        });
        Ok(Choice::unthinking(mv).with_thinking(thinking))
    }

    /// The beginning of a game: who it is, which options it has, what is to be played.
    fn greet(&mut self) -> Result<(), PlayerError> {
        self.say("uci");
        let (mut game, mut seed) = (false, false);
        let patience = self.spec.patience_at_first();
        self.hear("'uciok'", patience, |line| {
            if let Some(option) = line.strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or("").trim().to_lowercase();
                game |= name == "game";
                seed |= name == "seed";
            }
            (line == "uciok").then_some(())
        })?;
        if game {
            self.say(&format!("setoption name Game value {}", self.rules));
        } else if self.rules != Rules::CONNECT_FOUR {
            let rules = self.rules;
            return Err(forfeit(format!(
                "it has no option Game, so it cannot be asked to play {rules}"
            )));
        }
        if seed {
            self.say(&format!("setoption name Seed value {}", self.seed));
        }
        self.say("ucinewgame");
        self.say("isready");
        self.hear("'readyok'", patience, |line| (line == "readyok").then_some(()))
    }

    fn position_line(&self, position: &Position, by_moves: bool) -> Result<String, PlayerError> {
        if !by_moves {
            let text = notation::write(&Entry::of(*position), Format::Fen);
            let text = text.map_err(|why| PlayerError::Left { reason: why.to_string() })?;
            return Ok(format!("position fen {text}"));
        }
        let labels: Vec<String> =
            self.history.moves.iter().map(|mv| mv.label(&self.rules)).collect();
        let moves =
            if labels.is_empty() { String::new() } else { format!(" moves {}", labels.join(" ")) };
        Ok(format!("position startpos{moves}"))
    }

    fn go_line(&self) -> String {
        let mut line = "go".to_owned();
        if let Some(depth) = self.spec.depth {
            line += &format!(" depth {depth}");
        }
        if let Some(nodes) = self.spec.nodes {
            line += &format!(" nodes {nodes}");
        }
        if let Some(time) = self.spec.time_to_ask() {
            line += &format!(" movetime {}", time.as_millis());
        }
        line
    }

    fn process(&mut self) -> Result<&mut Process, PlayerError> {
        self.process.as_mut().ok_or_else(|| forfeit("it is gone"))
    }

    /// That the program is gone is noticed when no answer comes.
    fn say(&mut self, line: &str) {
        if let Some(process) = &mut self.process {
            let _ = process.say(line);
        }
    }

    /// Listens until a line is what is wanted, as long as the program may take.
    fn hear<T>(
        &mut self,
        what: &str,
        patience: Duration,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, PlayerError> {
        let deadline = Instant::now() + patience;
        let stop = self.stop.clone();
        loop {
            if stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(PlayerError::Left { reason: "the game was stopped".to_owned() });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(forfeit(format!(
                    "it did not answer {what} within {} ms",
                    patience.as_millis()
                )));
            }
            match self.process()?.heard.recv_timeout(left.min(TICK)) {
                Ok(Heard::Line(line)) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                }
                Ok(Heard::TooLong) => {
                    return Err(forfeit(format!(
                        "it wrote a line of more than {LONGEST_LINE} bytes"
                    )));
                }
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.gone(what));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// It has ended, or closed its output.
    fn gone(&mut self, what: &str) -> PlayerError {
        let ending = self.process.as_mut().and_then(Process::ending);
        forfeit(match ending {
            Some(status) => format!("it ended before it answered {what} ({status})"),
            None => format!("it closed its output before it answered {what}"),
        })
    }
}

fn forfeit(reason: impl Into<String>) -> PlayerError {
    PlayerError::Forfeit { reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::{History, player};
    use crate::process::is_any_running;
    use fourfold::game::notation::parse_moves;
    use fourfold::game::{Position, Rules};

    #[test]
    fn moves_are_found_between_positions() {
        let rules = Rules::CONNECT_FOUR;
        let moves = parse_moves(&rules, "4453217").unwrap();
        let at = |ply: usize| Position::from_moves(rules, &moves[..ply]).unwrap();
        let mut history = History { position: at(0), moves: Vec::new() };
        for ply in [0, 1, 1, 3, 5, 7] {
            assert!(history.go_on_to(&at(ply)));
            assert_eq!(history.moves, moves[..ply]);
        }
        // Somewhere else: some moves that lead there.
        assert!(history.go_on_to(&at(4)));
        assert_eq!(Position::from_moves(rules, &history.moves).unwrap(), at(4));
    }

    #[cfg(unix)]
    #[test]
    fn a_seat_is_a_process_until_it_is_left() {
        let spec = player("external:cat").unwrap();
        let seated =
            spec.player(&Rules::CONNECT_FOUR, 1, &fourfold::budget::Budget::unlimited()).unwrap();
        assert!(is_any_running());
        drop(seated);
    }
}
