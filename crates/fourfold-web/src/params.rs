//! The parameters of a request, from its query or, in a POST, from a JSON object. Each is checked
//! where it is read.

use super::problem::Problem;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, Query, Request};
use axum::http::Method;
use fourfold::game::Rules;
use fourfold::game::notation::{self, Entry, Format, NotationError};
use serde_json::Value;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::timeout;

/// The longest body, in bytes.
const LARGEST_BODY: usize = 64 << 10;
/// How long a body may take to arrive.
const BODY_PATIENCE: Duration = Duration::from_secs(10);

/// Parameters by name.
#[derive(Debug)]
pub(super) struct Params(Vec<(String, String)>);

/// The parameters that a call accepts; the router puts it into each request.
#[derive(Debug, Clone, Copy)]
pub(super) struct AcceptedParams(pub(super) &'static [&'static str]);

impl<S: Sync> FromRequest<S> for Params {
    type Rejection = Problem;

    /// A parameter without a value counts as given: `moves=` is the empty board.
    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let known =
            request.extensions().get().map_or(&[] as &[&str], |AcceptedParams(names)| names);
        let Ok(Query(mut given)) = Query::<Vec<(String, String)>>::try_from_uri(request.uri())
        else {
            return Err(Problem::malformed("the query is not of the form name=value&name=value"));
        };
        if request.method() == Method::POST {
            given.extend(body(request).await?);
        }
        for (index, (name, _)) in given.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
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
}

impl Params {
    /// Those of a query that have these names; none if it cannot be read.
    pub(super) fn of_query(query: &str, names: &[&str]) -> Option<Self> {
        let uri = format!("/?{query}").parse().ok()?;
        let Query(mut given) = Query::<Vec<(String, String)>>::try_from_uri(&uri).ok()?;
        given.retain(|(name, _)| names.contains(&name.as_str()));
        Some(Self(given))
    }

    /// The parameters as a query.
    pub(super) fn query(&self) -> String {
        let pair = |(name, value): &(String, String)| format!("{name}={}", encoded(value));
        self.0.iter().map(pair).collect::<Vec<_>>().join("&")
    }

    /// A parameter, if it was given.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A parameter, parsed if it was given.
    pub(super) fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Problem> {
        self.text(name).map(|text| text.parse().map_err(|why| Problem::bad(name, why))).transpose()
    }

    /// A whole number.
    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, Problem> {
        let wrong = |text| {
            Problem::bad(name, format!("{text:?} is not a whole number from 0 to {}", u64::MAX))
        };
        self.text(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }

    /// A switch.
    pub(super) fn switch(&self, name: &str) -> Result<Option<bool>, Problem> {
        let wrong = |text| Problem::bad(name, format!("{text:?} is neither true nor false"));
        self.text(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }

    /// The search budget: `time` in milliseconds, at most the server's own.
    pub(super) fn time(&self, most: Duration) -> Result<Duration, Problem> {
        Ok(self.number("time")?.map_or(most, |time| most.min(Duration::from_millis(time))))
    }

    /// The position: `moves` or `position` in any notation, or in that of `from`; a position of
    /// `game`, or of the game that the text names. With both, the moves are played from the
    /// position on.
    pub(super) fn entry(&self) -> Result<Entry, Problem> {
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
    pub(super) fn game(&self) -> Result<Entry, Problem> {
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

/// The members of a JSON object, as text.
async fn body(request: Request) -> Result<Vec<(String, String)>, Problem> {
    let bytes = timeout(BODY_PATIENCE, whole(request.into_body())).await;
    let bytes = bytes.map_err(|_| Problem::too_slow())??;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|why| Problem::malformed(format!("the body is not JSON: {why}")))?;
    let Value::Object(members) = value else {
        return Err(Problem::malformed("the body is not a JSON object"));
    };
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

/// All of a body, if it is not too long.
async fn whole(mut body: Body) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Problem::malformed("the body ends early"))?;
        // What is no data are trailers, which mean nothing here.
        let data = frame.into_data().unwrap_or_default();
        if bytes.len() + data.len() > LARGEST_BODY {
            return Err(Problem::too_large(LARGEST_BODY));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
