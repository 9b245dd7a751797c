//! Players that are other programs: started, asked in the engine protocol, and ended.
//!
//! Every game has a process of its own, in a process group of its own, which is killed as a whole
//! when the game is over. Whatever a program does wrong (it ends, hangs, talks nonsense, moves
//! where it cannot) loses it the game, with the reason. None outlives the command: those that run
//! are listed, and the handler of Ctrl-C goes through the list before it exits.

use crate::engine::{SearchInfo, read_info};
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
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    let process = Process::start(spec.words())?;
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

/// The processes that run.
static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), over: false });

struct Running {
    /// The numbers of their groups.
    groups: Vec<u32>,
    /// No other may be started.
    over: bool,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every program that was started. No other can be started after that: the command is about to
/// exit.
pub(crate) fn end_all() {
    let mut running = running();
    running.over = true;
    for &group in &running.groups {
        kill(group);
    }
}

/// Kills a process group. That it is gone already is no failure.
#[cfg(unix)]
fn kill(group: u32) {
    use nix::sys::signal::{Signal, killpg};
    let _ = killpg(nix::unistd::Pid::from_raw(group as i32), Signal::SIGKILL);
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// The longest line that is read. None of the protocol comes near.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that wait to be read; the program that writes more has to wait too.
const MOST_LINES: usize = 256;
/// How often the stop flag is checked while waiting.
const TICK: Duration = Duration::from_millis(20);
/// How long a program may take to end when it is asked to.
const PARTING: Duration = Duration::from_millis(200);

/// What a program says.
enum Heard {
    Line(String),
    TooLong,
    End,
}

/// A program that runs.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
}

impl Process {
    fn start(words: &[String]) -> Result<Self, PlayerError> {
        let cannot = |why: &dyn std::fmt::Display| PlayerError::Left {
            reason: format!(
                "{:?} cannot be started: {why}",
                words.first().map_or("", String::as_str)
            ),
        };
        let (program, arguments) = words.split_first().ok_or_else(|| cannot(&"it has no name"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Started and listed in one, so that none is missed when all are ended.
        let mut running = running();
        if running.over {
            return Err(cannot(&"the command is ending"));
        }
        let mut child = command.spawn().map_err(|why| cannot(&why))?;
        running.groups.push(child.id());
        drop(running);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, heard) = mpsc::sync_channel(MOST_LINES);
        if let Some(output) = output {
            // It ends with the program's output, or when the receiver is gone.
            std::thread::spawn(move || listen(output, &sender));
        }
        Ok(Self { child, input, heard })
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{line}").and_then(|()| input.flush())
    }

    /// How it ended by itself; none if it has only gone silent.
    fn ending(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + PARTING;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Asked first, so that it can save what it likes; its output ends when it does.
        if self.say("quit").is_ok() {
            drop(self.input.take());
            let deadline = Instant::now() + PARTING;
            while let Some(left) = deadline.checked_duration_since(Instant::now()) {
                if matches!(self.heard.recv_timeout(left), Ok(Heard::End | Heard::TooLong) | Err(_))
                {
                    break;
                }
            }
        }
        let id = self.child.id();
        let mut running = running();
        // Whatever it has started itself goes too; until it is waited for, its number is nobody
        // else's.
        kill(id);
        let _ = self.child.kill();
        let _ = self.child.wait();
        running.groups.retain(|&other| other != id);
    }
}

fn listen(output: ChildStdout, heard: &SyncSender<Heard>) {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line);
        let what = match read {
            Ok(0) | Err(_) => Heard::End,
            Ok(LONGEST_LINE) if !line.ends_with(b"\n") => Heard::TooLong,
            Ok(_) => Heard::Line(String::from_utf8_lossy(&line).trim().to_owned()),
        };
        let last = !matches!(what, Heard::Line(_));
        if heard.send(what).is_err() || last {
            return;
        }
    }
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
    use super::{Heard, History, Process, player, running};
    use fourfold::game::notation::parse_moves;
    use fourfold::game::{Position, Rules};
    use std::panic::{AssertUnwindSafe, catch_unwind};

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
    fn a_panic_leaves_nothing_behind() {
        let words = ["sh", "-c", "sleep 98764"].map(str::to_owned);
        let process = Process::start(&words).unwrap();
        let id = process.child.id();
        assert!(running().groups.contains(&id));
        let outcome = catch_unwind(AssertUnwindSafe(move || {
            let _seated = process;
            panic!("on purpose");
        }));
        assert!(outcome.is_err() && !running().groups.contains(&id));
    }

    #[cfg(unix)]
    #[test]
    fn a_seat_is_a_process_until_it_is_left() {
        let spec = player("external:cat").unwrap();
        let seated =
            spec.player(&Rules::CONNECT_FOUR, 1, &fourfold::budget::Budget::unlimited()).unwrap();
        assert!(!running().groups.is_empty());
        drop(seated);
        let echo = Process::start(&["echo".to_owned(), "hello".to_owned()]).unwrap();
        assert!(matches!(echo.heard.recv(), Ok(Heard::Line(line)) if line == "hello"));
        assert!(matches!(echo.heard.recv(), Ok(Heard::End)));
    }
}
