//! The parameters of a call: texts by name, each checked where it is read.

use super::Problem;
use fourfold::game::Rules;
use fourfold::game::notation::{self, Entry, Format, NotationError};
use serde_json::{Map, Value};
use std::time::Duration;

/// Parameters by name.
#[derive(Debug, Clone, Default)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// The parameters of a call that accepts these. One without a value counts as given: `moves=` is
    /// the empty board.
    ///
    /// # Errors
    /// If one is not accepted, or given twice.
    pub fn new(given: Vec<(String, String)>, accepted: &[&str]) -> Result<Self, Problem> {
        for (index, (name, _)) in given.iter().enumerate() {
            if !accepted.contains(&name.as_str()) {
                let known =
                    if accepted.is_empty() { "none".to_owned() } else { accepted.join(", ") };
                return Err(Problem::bad(
                    name,
                    format!("there is no parameter {name:?} here; there are: {known}"),
                ));
            }
            if given[..index].iter().any(|(earlier, _)| earlier == name) {
                return Err(Problem::bad(name, format!("{name} is given twice")));
            }
        }
        Ok(Self(given))
    }

    /// Those of a list that have these names; the others are left out.
    #[must_use]
    pub fn of(mut given: Vec<(String, String)>, names: &[&str]) -> Self {
        given.retain(|(name, _)| names.contains(&name.as_str()));
        Self(given)
    }

    /// The members of a JSON object, as texts.
    ///
    /// # Errors
    /// If one is neither text, a number, true nor false.
    pub fn texts(members: Map<String, Value>) -> Result<Vec<(String, String)>, Problem> {
        let text = |(name, value): (String, Value)| match value {
            Value::String(text) => Ok((name, text)),
            Value::Number(number) => Ok((name, number.to_string())),
            Value::Bool(switch) => Ok((name, switch.to_string())),
            _ => {
                let detail = format!("{name} is neither text, a number, true nor false");
                Err(Problem::bad(&name, detail))
            }
        };
        members.into_iter().map(text).collect()
    }

    /// The parameters as a query.
    #[must_use]
    pub fn query(&self) -> String {
        let pair = |(name, value): &(String, String)| format!("{name}={}", encoded(value));
        self.0.iter().map(pair).collect::<Vec<_>>().join("&")
    }

    /// A parameter, if it was given.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A parameter, parsed if it was given.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Problem> {
        self.text(name).map(|text| text.parse().map_err(|why| Problem::bad(name, why))).transpose()
    }

    /// A whole number.
    ///
    /// # Errors
    /// If it is none.
    pub fn number(&self, name: &str) -> Result<Option<u64>, Problem> {
        let wrong = |text| {
            Problem::bad(name, format!("{text:?} is not a whole number from 0 to {}", u64::MAX))
        };
        self.text(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }

    /// A switch.
    ///
    /// # Errors
    /// If it is neither true nor false.
    pub fn switch(&self, name: &str) -> Result<Option<bool>, Problem> {
        let wrong = |text| Problem::bad(name, format!("{text:?} is neither true nor false"));
        self.text(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }

    /// The search budget: `time` in milliseconds, at most the server's own.
    ///
    /// # Errors
    /// If it is no number.
    pub fn time(&self, most: Duration) -> Result<Duration, Problem> {
        Ok(self.number("time")?.map_or(most, |time| most.min(Duration::from_millis(time))))
    }

    /// The position: `moves` or `position` in any notation, or in that of `from`; a position of
    /// `game`, or of the game that the text names. With both, the moves are played from the
    /// position on.
    ///
    /// # Errors
    /// If it cannot be read, or the moves cannot be played.
    pub fn entry(&self) -> Result<Entry, Problem> {
        let rules: Option<Rules> = self.parse("game")?;
        let format: Option<Format> = self.parse("from")?;
        let (name, text) = match (self.text("moves"), self.text("position")) {
            (_, Some(text)) => ("position", text),
            (text, None) => ("moves", text.unwrap_or("")),
        };
        let entry = notation::Reader::new()
            .format(format)
            .rules(rules.as_ref())
            .read(text)
            .map_err(|why| unreadable(name, &why))?;
        match self.text("moves") {
            Some(moves) if name == "position" => played_on(entry, moves),
            _ => Ok(entry),
        }
    }

    /// The position with moves that lead to it, as given or as found.
    ///
    /// # Errors
    /// If it cannot be read, or no moves lead to it.
    pub fn game(&self) -> Result<Entry, Problem> {
        let mut entry = self.entry()?;
        if entry.moves.is_none() {
            let moves = entry.position.some_moves().map_err(|why| Problem::bad("position", why))?;
            entry.moves = Some(moves);
        }
        Ok(entry)
    }
}

/// A value as it stands in a query.
fn encoded(value: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    value.bytes().map(byte).collect()
}

/// A position after more moves: columns or cells, one after the other.
fn played_on(entry: Entry, moves: &str) -> Result<Entry, Problem> {
    let mut position = entry.position;
    let rules = *position.rules();
    let labels: Vec<String> = if rules.gravity() && rules.width() <= 9 {
        moves.chars().filter(|c| !c.is_whitespace() && *c != ',').map(String::from).collect()
    } else {
        let parts = moves.split(|c: char| c.is_whitespace() || c == ',');
        parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let mut played = entry.moves.unwrap_or_default();
    for label in labels {
        let mv =
            notation::parse_move(&position, &label).map_err(|why| Problem::bad("moves", why))?;
        position = position.play(mv).map_err(|why| Problem::bad("moves", why))?;
        played.push(mv);
    }
    // Moves are those from the empty board on, or nothing.
    let whole = played.len() == position.ply() as usize;
    Ok(if whole { Entry::of(position).with_moves(played) } else { Entry::of(position) })
}

/// A position that cannot be read, with the parameter that would make sense of it.
fn unreadable(name: &str, why: &NotationError) -> Problem {
    let parameters = |formats: &[Format]| {
        let given: Vec<String> = formats.iter().map(|format| format!("from={format}")).collect();
        given.join(" or ")
    };
    let hint = match why {
        NotationError::Unrecognised { .. } => {
            "; name its format with from (/api/v1/rules lists them)".to_owned()
        }
        NotationError::Ambiguous { formats, .. } => format!("; give {}", parameters(formats)),
        NotationError::CountsFromZero { .. } => {
            format!("; if these are numbered from 0, give {}", parameters(&[Format::Zero]))
        }
        NotationError::RowCount { .. } | NotationError::RowWidth { .. } => {
            "; game names another game".to_owned()
        }
        _ => String::new(),
    };
    Problem::bad(name, why).hinting(&hint)
}
