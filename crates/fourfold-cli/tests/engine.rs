//! `fourfold engine`, talked to as programs talk to it.

mod common;

use common::fourfold;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Nothing takes as long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// An engine that runs.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .arg("engine")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it was not closed");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("the engine listens");
    }

    fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// Lines up to and with the first that begins so.
    fn hear_until(&self, start: &str) -> Vec<String> {
        let mut heard = vec![self.hear()];
        while !heard.last().is_some_and(|line| line.starts_with(start)) {
            heard.push(self.hear());
        }
        heard
    }

    /// What is left to be heard, and how it ended.
    fn end(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.input.take());
        let mut heard = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            heard.push(line);
        }
        (heard, self.child.wait().expect("it ends").code())
    }
}

/// The answers to a line: up to `bestmove` for a search, else whatever comes before the next
/// `readyok`.
fn answers(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.say(line);
    match line.split(' ').next() {
        Some("go") => engine.hear_until("bestmove"),
        Some("isready") => vec![engine.hear()],
        Some("quit") => Vec::new(),
        _ => {
            engine.say("isready");
            let mut heard = engine.hear_until("readyok");
            heard.pop();
            heard
        }
    }
}

/// With `N` for what differs from run to run.
fn steady(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        if line.starts_with("info ") && ["nodes", "nps", "time"].contains(&words[at - 1]) {
            words[at] = "N";
        }
    }
    words.join(" ").trim_end().to_owned()
}

/// In `docs/engine.md`, the block fenced as `uci` is a session.
#[test]
fn the_transcript_is_what_is_said() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/engine.md");
    let document = std::fs::read_to_string(&path).expect("the document can be read");
    let (before, rest) = document.split_once("```uci\n").expect("there is a transcript");
    let (shown, after) = rest.split_once("```").expect("it ends");
    let mut engine = Engine::start(&[]);
    let mut heard = String::new();
    for line in shown.lines().filter_map(|line| line.strip_prefix("> ")) {
        heard += &format!("> {line}\n");
        for answer in answers(&mut engine, line) {
            heard += &(steady(&answer) + "\n");
        }
    }
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
    if std::env::var_os("FOURFOLD_UPDATE_DOCS").is_some() {
        let document = format!("{before}```uci\n{heard}```{after}");
        std::fs::write(&path, document).expect("the document can be written");
    } else {
        assert_eq!(shown, heard);
    }
}

#[test]
fn ready_while_thinking_and_stopped_when_told() {
    let mut engine = Engine::start(&["--game", "12x9c5"]);
    engine.say("go infinite");
    assert!(engine.hear().starts_with("info depth 1 "));
    for _ in 0..3 {
        engine.say("isready");
        assert_eq!(engine.hear_until("readyok").last().unwrap(), "readyok");
    }
    engine.say("stop");
    assert!(engine.hear_until("bestmove").last().unwrap().starts_with("bestmove "));
    // Stopped before it began, and told to stop with nothing under way: it answers, or is silent.
    engine.say("stop");
    engine.say("go perfect");
    engine.say("stop");
    engine.hear_until("bestmove");
    assert_eq!(answers(&mut engine, "isready"), ["readyok"]);
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

/// Who has heard a best move finds the engine idle: nothing sent then is put off behind `isready`.
#[test]
fn what_follows_a_best_move_is_answered_in_order() {
    let mut engine = Engine::start(&[]);
    for _ in 0..500 {
        answers(&mut engine, "go depth 1");
        let drawn = answers(&mut engine, "d");
        assert_eq!(drawn.last().map(String::as_str), Some("Fen: 7/7/7/7/7/7 x"), "{drawn:?}");
    }
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn quit_ends_a_search_at_once_and_the_end_of_input_lets_it_finish() {
    let mut engine = Engine::start(&["--game", "12x9c5"]);
    engine.say("go perfect");
    engine.say("quit");
    let (heard, code) = engine.end();
    assert_eq!((heard.iter().any(|line| line.starts_with("bestmove")), code), (false, Some(0)));
    for (input, best) in [
        ("position startpos moves 1 2 1 2 1 2\ngo perfect", "bestmove 1\n"),
        ("go depth 9\n", "bestmove 4\n"),
        ("go infinite\n", "bestmove "),
        // Both are stopped: each by what was sent behind it.
        (
            "go infinite\ngo perfect\nstop\nposition startpos moves 1 2 1 2 1 2\ngo depth 3\n",
            "bestmove 1\n",
        ),
        // What waits is done in order, and ends a search that would not.
        ("go infinite\nposition startpos moves 1 2 1 2 1 2\ngo depth 3\n", "bestmove 1\n"),
    ] {
        let out = fourfold(&["engine"], input);
        assert_eq!((out.code, out.stderr.as_str()), (Some(0), ""), "{input}");
        assert!(out.stdout.contains(best), "{input}: {}", out.stdout);
        assert_eq!(
            out.stdout.matches("bestmove").count(),
            input.matches("go ").count(),
            "{}",
            out.stdout
        );
    }
}

#[test]
fn limits_are_kept() {
    let mut engine = Engine::start(&["--no-book"]);
    let nodes = |lines: &[String]| -> u64 {
        let line =
            lines.iter().rev().find(|line| line.starts_with("info depth")).expect("it tells");
        let mut words = line.split(' ').skip_while(|word| *word != "nodes");
        words.nth(1).expect("nodes").parse().expect("a number")
    };
    for limit in [1, 50, 5000, 200_000] {
        let lines = answers(&mut engine, &format!("go nodes {limit}"));
        if limit > 8 {
            assert!(nodes(&lines) <= limit, "{limit}: {lines:?}");
        }
        assert!(lines.last().unwrap().starts_with("bestmove "));
    }
    for go in
        ["go movetime 30", "go wtime 300 btime 300 winc 0 binc 0", "go wtime -5 btime -5", "go"]
    {
        assert!(answers(&mut engine, go).last().unwrap().starts_with("bestmove "), "{go}");
    }
    let depths = answers(&mut engine, "go depth 6").len();
    assert_eq!(depths, 7, "a line a depth, and the move");
    answers(&mut engine, "setoption name deepening value false");
    assert_eq!(answers(&mut engine, "go depth 6").len(), 2, "one depth, and the move");
    // A player keeps to its own limits, but time binds it.
    answers(&mut engine, "setoption name Player value perfect:book=off");
    assert!(answers(&mut engine, "go movetime 50").last().unwrap().starts_with("bestmove "));
}

#[test]
fn proven_results_are_told_as_such() {
    for (position, last, best) in [
        ("position startpos moves 3 2 1 6 4 6 2 5", "score mate 7 ", "bestmove 3"),
        ("position startpos moves 3 2 1 6 4 6 2 5 3", "score mate -6 ", "bestmove 4"),
        ("position fen 3x3c3f:3/3/3 x", "score draw ", "bestmove "),
        ("position startpos moves 1 2 1 2 1 2 1", "score mate 0", "bestmove (none)"),
    ] {
        let mut engine = Engine::start(&[]);
        answers(&mut engine, position);
        let heard = answers(&mut engine, "go perfect");
        assert!(heard.iter().any(|line| line.contains(last)), "{position}: {heard:?}");
        assert!(heard.last().unwrap().starts_with(best), "{position}: {heard:?}");
    }
}

#[test]
fn nothing_that_is_sent_breaks_it() {
    let mut input = b"\n \n\xff\xfe\x00binary\x07\nsetoption\nsetoption name\nsetoption name Hash\nsetoption value 3\n\
        setoption name Player value external:ls\nposition\nposition fen\nposition fen ///// x\nposition startpos moves 4 4 4 4 4 4 4\n\
        position fen 99x99c4:1 x\ngo depth\ngo depth 99999999999999999999\nstop\nponderhit\ndebug on\nregister later\n"
        .to_vec();
    input.extend(b"position startpos moves ".iter());
    input.extend("4 ".repeat(2_000_000).bytes());
    input.extend(b"\n");
    input.extend("x".repeat(5_000_000).bytes());
    input.extend(b"\ngo depth 3\nisready\n");
    let out = fourfold(&["engine"], &input);
    assert_eq!((out.code, out.stderr.as_str()), (Some(0), ""));
    assert_eq!(out.stdout.matches("bestmove ").count(), 3, "{}", out.stdout);
    assert!(out.stdout.lines().all(|line| line.len() < 400), "messages quote only the beginning");
    for line in out.stdout.lines() {
        let known = ["info ", "bestmove ", "readyok"].iter().any(|start| line.starts_with(start));
        assert!(known, "{line}");
    }
    for message in
        ["move 7: column 4 is full", "cannot be \"\"", "a whole number must follow depth"]
    {
        assert!(out.stdout.contains(message), "{message} is not in\n{}", out.stdout);
    }
}

#[test]
fn mistakes_on_its_command_line_are_told() {
    for (args, message) in [
        (&["engine", "--player", "nave"][..], "did you mean naive?"),
        (&["engine", "--player", "human"], "somebody to ask"),
        (&["engine", "--player", "minimax:eval=square"], "cannot judge 7x6c4"),
    ] {
        let out = fourfold(args, "");
        assert_eq!(out.code, Some(2), "{args:?}");
        assert!(out.stderr.contains(message), "{args:?}: {}", out.stderr);
    }
}
