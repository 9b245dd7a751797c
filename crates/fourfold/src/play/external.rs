//! The seat of another program, which speaks the engine protocol (`docs/engine.md`).
//!
//! ```text
//! external:./engine --strong              a program and its arguments
//! external:time=100,./engine              a tenth of a second a move
//! external:nodes=5000,wait=2000,./engine  other limits, and how long a move may take
//! ```
//!
//! Limits come first, each with a comma behind it; the rest is the command. Its words are separated
//! by spaces; quotation marks of either kind keep spaces, and a backslash (but not between single
//! ones) keeps the character behind it. No shell is asked.
//!
//! This library starts no programs. A front end that does hands in a [`Host`] with
//! [`PlayerSpec::hosted_by`]; without one the seat cannot be taken, so that texts from elsewhere
//! never start anything.
//!
//! [`PlayerSpec::hosted_by`]: super::PlayerSpec::hosted_by

use super::spec::{SpecError, depth_of, flag_of, given_once, nodes_of, random_of, time_of};
use super::{Player, PlayerError};
use crate::budget::Budget;
use crate::game::Rules;
use crate::search::nearest;
use std::fmt;
use std::time::Duration;

/// Starts the program of a seat for a game; everything random about it comes from the seed, and it
/// is left alone when the budget is stopped.
pub type Host = fn(
    spec: &ExternalSpec,
    rules: &Rules,
    seed: u64,
    budget: &Budget,
) -> Result<Box<dyn Player + Send>, PlayerError>;

/// Another program at the board.
#[derive(Clone)]
pub struct ExternalSpec {
    /// Plies it is asked to look ahead.
    pub depth: Option<u32>,
    /// Nodes a move that it is asked to keep to.
    pub nodes: Option<u64>,
    /// Time a move that it is asked to keep to.
    pub time: Option<Duration>,
    /// How long a move may take before the game is lost, if that was said.
    pub wait: Option<Duration>,
    /// How long it may take to get ready before the game is lost, if that was said.
    pub start: Option<Duration>,
    command: String,
    words: Vec<String>,
    host: Option<Host>,
}

/// What an engine is given for a move if nothing is said.
const USUAL_TIME: Duration = Duration::from_secs(1);
/// How much later than its time an answer may come: a busy machine is no fault of the engine's.
const GRACE: Duration = Duration::from_secs(1);
/// How long an answer may take if no time is given, and how long it may take to get ready.
const USUAL_WAIT: Duration = Duration::from_secs(10);

const ARGUMENTS: [&str; 7] = ["depth", "nodes", "time", "wait", "start", "random", "careless"];

impl ExternalSpec {
    /// From what follows the colon, with the share of random moves and whether they are careless.
    pub(super) fn of(text: &str) -> Result<(Self, f64, bool), SpecError> {
        let mut spec = Self {
            depth: None,
            nodes: None,
            time: None,
            wait: None,
            start: None,
            command: String::new(),
            words: Vec::new(),
            host: None,
        };
        let (mut rest, mut random, mut careless) = (text, 0.0, false);
        let mut given = Vec::new();
        while let Some((key, value, after)) = argument(rest) {
            given.push(key);
            match key {
                "depth" => spec.depth = Some(depth_of(value)?),
                "nodes" => spec.nodes = Some(nodes_of(value)?),
                "time" => spec.time = Some(time_of("time", value)?),
                "wait" => spec.wait = Some(time_of("wait", value)?),
                "start" => spec.start = Some(time_of("start", value)?),
                "random" => random = random_of(value)?,
                "careless" => careless = flag_of("careless", value)?,
                _ => {
                    let hint = nearest(key, ARGUMENTS.into_iter())
                        .unwrap_or_else(|| format!("it takes {}", ARGUMENTS.join(", ")));
                    let argument = key.to_owned();
                    return Err(SpecError::UnknownArgument { player: "external", argument, hint });
                }
            }
            rest = after;
        }
        given_once(given.into_iter())?;
        let refused = |problem| SpecError::Command { command: rest.to_owned(), problem };
        spec.words = words(rest).map_err(refused)?;
        if spec.words.first().is_none_or(String::is_empty) {
            return Err(refused("write the program to start after the colon"));
        }
        rest.trim().clone_into(&mut spec.command);
        Ok((spec, random, careless))
    }

    /// The program and its arguments; at least the program is there.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The time to ask for: what was said, or a second if no other limit was.
    #[must_use]
    pub fn time_to_ask(&self) -> Option<Duration> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.time.or(unlimited.then_some(USUAL_TIME))
    }

    /// How long to wait for a move.
    #[must_use]
    pub fn patience(&self) -> Duration {
        self.wait.unwrap_or_else(|| self.time.map_or(USUAL_WAIT, |time| time + GRACE))
    }

    /// How long to wait until it is ready: programs may have much to load.
    #[must_use]
    pub fn patience_at_first(&self) -> Duration {
        self.start.unwrap_or(USUAL_WAIT)
    }

    pub(super) fn host(&mut self, host: Host) {
        self.host = Some(host);
    }

    /// Takes the seat.
    pub(super) fn player(
        &self,
        rules: &Rules,
        seed: u64,
        budget: &Budget,
    ) -> Result<Box<dyn Player + Send>, PlayerError> {
        let host = self.host.ok_or_else(|| PlayerError::Left {
            reason: "external players sit at the command line only: no program is started here"
                .to_owned(),
        })?;
        host(self, rules, seed, budget)
    }

    /// As it is written behind the colon, given the share of random moves and their kind.
    pub(super) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        random: f64,
        careless: bool,
    ) -> fmt::Result {
        let mut limit = |name: &str, value: Option<u64>| match value {
            Some(value) => write!(f, "{name}={value},"),
            None => Ok(()),
        };
        limit("depth", self.depth.map(u64::from))?;
        limit("nodes", self.nodes)?;
        limit("time", self.time.map(|time| time.as_millis() as u64))?;
        limit("wait", self.wait.map(|wait| wait.as_millis() as u64))?;
        limit("start", self.start.map(|start| start.as_millis() as u64))?;
        if random > 0.0 {
            write!(f, "random={random},{}", if careless { "careless=on," } else { "" })?;
        }
        f.write_str(&self.command)
    }
}

/// `key=value,` at the beginning, and what follows it.
fn argument(text: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = text.trim_start().split_once('=')?;
    let (value, after) = rest.split_once(',')?;
    let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase());
    (plain && !value.contains(char::is_whitespace)).then_some((key, value, after))
}

/// The words of a command.
fn words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match (quote, sign) {
            (Some(open), sign) if sign == open => quote = None,
            (Some('\''), sign) => word.get_or_insert_default().push(sign),
            (_, '\\') => {
                let kept = signs.next().ok_or("nothing follows the backslash at its end")?;
                word.get_or_insert_default().push(kept);
            }
            (Some(_), sign) => word.get_or_insert_default().push(sign),
            (None, '"' | '\'') => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (None, sign) if sign.is_whitespace() => words.extend(word.take()),
            (None, sign) => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a quotation mark is not closed") } else { Ok(words) }
}

/// Who hosts it is no part of what it is.
impl PartialEq for ExternalSpec {
    fn eq(&self, other: &Self) -> bool {
        let limits = |spec: &Self| (spec.depth, spec.nodes, spec.time, spec.wait, spec.start);
        limits(self) == limits(other) && self.command == other.command
    }
}

impl Eq for ExternalSpec {}

impl fmt::Debug for ExternalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExternalSpec(")?;
        self.write(f, 0.0, false)?;
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_cut_at_spaces_that_are_not_quoted() {
        for (text, expected) in [
            ("", &[][..]),
            ("  a  bc ", &["a", "bc"]),
            ("'a b' \"c d\"e", &["a b", "c de"]),
            (r#"a\ b "c\"d" 'e\f'"#, &["a b", "c\"d", "e\\f"]),
            ("a '' b", &["a", "", "b"]),
            ("sh -c 'exec ./x, y'", &["sh", "-c", "exec ./x, y"]),
        ] {
            assert_eq!(words(text).unwrap(), expected, "{text}");
        }
        for text in ["'a", "\"a\\\"", "a\\"] {
            assert!(words(text).is_err(), "{text}");
        }
    }
}
