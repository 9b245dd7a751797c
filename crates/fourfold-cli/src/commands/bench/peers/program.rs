//! Another solver as a process: the moves of one position per line in, `moves score [nodes
//! [nanoseconds]]` out.

use super::Known;
use crate::failure::Failure;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// A program to start, by name.
#[derive(Debug, Clone)]
pub(crate) struct Summons {
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
}

impl FromStr for Summons {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, command) = text.split_once('=').unwrap_or_default();
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if name.is_empty() || words.is_empty() {
            return Err("write NAME=COMMAND, such as pons=./c4solver".to_owned());
        }
        Ok(Self { name: name.to_owned(), words })
    }
}

/// What a program says when it is called with `--version`; none if it cannot be started.
pub(crate) fn version(words: &[String]) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    let output = Command::new(program)
        .args(arguments)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// A program that runs.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What was said of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reported {
    pub(crate) score: i32,
    pub(crate) nodes: Option<u64>,
    pub(crate) spent: Duration,
}

impl Program {
    pub(crate) fn start(Summons { name, words }: Summons) -> Result<Self, Failure> {
        let (program, arguments) = words.split_first().unwrap_or((&name, &[]));
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let cannot = |why: &dyn std::fmt::Display| {
            Failure::runtime(format!("cannot start {program}: {why}"))
        };
        let mut child = child.map_err(|why| cannot(&why))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => {
                Ok(Self { name, child, questions, answers: BufReader::new(answers) })
            }
            _ => Err(cannot(&"it has no input or output")),
        }
    }

    /// Asks for the score of a position, and waits for it.
    pub(crate) fn ask(&mut self, known: &Known) -> Result<Reported, Failure> {
        let Known { moves, place, .. } = known;
        let began = Instant::now();
        let mut line = String::new();
        let talk = writeln!(self.questions, "{moves}")
            .and_then(|()| self.questions.flush())
            .and_then(|()| self.answers.read_line(&mut line));
        let spent = began.elapsed();
        match talk {
            Ok(0) | Err(_) => {
                Err(Failure::runtime(format!("{}: {place}: it ended without an answer", self.name)))
            }
            Ok(_) => answer(moves, &line, spent).ok_or_else(|| {
                let line = line.trim_end();
                Failure::runtime(format!(
                    "{}: {place}: '{line}' is no answer to '{moves}'",
                    self.name
                ))
            }),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be deep in thought. If it is gone already, so much the better.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `moves score [nodes|- [nanoseconds]]`; without a time, the time that was measured here.
fn answer(moves: &str, line: &str, seen: Duration) -> Option<Reported> {
    let mut words = line.strip_prefix(moves)?.split_whitespace();
    let score = words.next()?.parse().ok()?;
    let nodes = match words.next() {
        None | Some("-") => None,
        Some(nodes) => Some(nodes.parse().ok()?),
    };
    let spent = match words.next() {
        None => seen,
        Some(nanoseconds) => Duration::from_nanos(nanoseconds.parse().ok()?),
    };
    words.next().is_none().then_some(Reported { score, nodes, spent })
}

#[cfg(test)]
mod tests {
    use super::{Reported, Summons, answer};
    use std::time::Duration;

    #[test]
    fn answers_are_read_with_what_they_tell() {
        let seen = Duration::from_millis(5);
        let read = |line| answer("44", line, seen);
        assert_eq!(read("44 -2\n"), Some(Reported { score: -2, nodes: None, spent: seen }));
        assert_eq!(read("44 1 17\n"), Some(Reported { score: 1, nodes: Some(17), spent: seen }));
        let timed = Reported { score: 1, nodes: None, spent: Duration::from_micros(1) };
        assert_eq!(read("44 1 - 1000\n"), Some(timed));
        for line in ["", "44", "45 1", "44 x", "44 1 x", "44 1 2 x", "44 1 2 3 4"] {
            assert_eq!(read(line), None, "{line:?}");
        }
        assert_eq!(answer("", " 1\n", seen).map(|answer| answer.score), Some(1), "the empty board");
    }

    #[test]
    fn a_program_has_a_name_and_a_command() {
        let summons: Summons = "pons=./c4solver -b none".parse().unwrap();
        assert_eq!((summons.name.as_str(), summons.words.len()), ("pons", 3));
        for text in ["", "pons", "pons=", "=x", "pons= "] {
            assert!(text.parse::<Summons>().is_err(), "{text:?}");
        }
    }
}
