//! Fourfold's own lines for bulk data: JSON objects and comma-separated values, with the game and
//! scores named.

use super::error::excerpt;
use super::labelled::{read_score, score_in_range};
use super::{Class, Entry, Format, NotationError, moves_text, parse_moves, rows, settle};
use crate::game::{Move, Rules};
use serde_json::{Value, json};

/// Reads an object with `moves` or `position` (or both, if they agree). Other fields are left
/// alone.
pub(super) fn read_ndjson(value: &Value, given: Option<&Rules>) -> Result<Entry, NotationError> {
    let game = text_of(value, "game")?;
    let named = game.map(str::parse::<Rules>).transpose()?;
    let rules = named.as_ref().or(given);
    if let (Some(named), Some(given)) = (named, given) {
        settle(Some(named), Some(given))?;
    }
    let written = text_of(value, "position")?.map(|fen| rows::read_fen(fen, rules)).transpose()?;
    let mut entry = match (text_of(value, "moves")?, written) {
        (Some(moves), written) => {
            let rules = settle(written.map(|position| *position.rules()), rules)?;
            let entry = Entry::of_moves(&rules, &parse_moves(&rules, moves)?)?;
            if written.is_some_and(|position| position != entry.position) {
                return Err(wrong("position", "it is not where the moves lead"));
            }
            entry
        }
        (None, Some(position)) => Entry::of(position),
        (None, None) => return Err(wrong("moves", "neither moves nor a position is given")),
    };
    let rules = *entry.position.rules();
    entry.score = score_of(value.get("score"), "score", &rules)?;
    entry.scores = match value.get("scores") {
        None | Some(Value::Null) => None,
        Some(Value::Array(items)) => {
            let score = |(index, item)| score_of(Some(item), &format!("scores[{index}]"), &rules);
            Some(items.iter().enumerate().map(score).collect::<Result<_, _>>()?)
        }
        Some(_) => return Err(wrong("scores", "it is not an array")),
    };
    entry.check_scores(Format::Ndjson)?;
    entry.class = match text_of(value, "class")? {
        None => None,
        Some(name) => Some(
            Class::of_name(name)
                .ok_or_else(|| wrong("class", "it is neither win, loss nor draw"))?,
        ),
    };
    Ok(entry)
}

fn text_of<'a>(value: &'a Value, name: &str) -> Result<Option<&'a str>, NotationError> {
    match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(wrong(name, "it is not a text in quotes")),
    }
}

fn score_of(
    value: Option<&Value>,
    place: &str,
    rules: &Rules,
) -> Result<Option<i32>, NotationError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let score = value.as_i64().and_then(|number| score_in_range(number, rules));
            score
                .map(Some)
                .ok_or_else(|| wrong(place, "it is not a whole number that a score can be"))
        }
    }
}

fn wrong(place: &str, problem: &str) -> NotationError {
    NotationError::Content {
        format: Format::Ndjson,
        place: place.to_owned(),
        problem: problem.to_owned(),
    }
}

/// Writes an object: the moves if they are known, else the position; then what is known of its
/// value.
pub(super) fn write_ndjson(entry: &Entry) -> String {
    let rules = entry.position.rules();
    let mut fields = vec![("game", json!(rules.to_string()))];
    match &entry.moves {
        Some(moves) => fields.push(("moves", json!(moves_text(rules, moves)))),
        None => fields.push(("position", json!(rows::write_fen(&entry.position)))),
    }
    fields.extend(entry.score.map(|score| ("score", json!(score))));
    fields.extend(entry.scores.as_ref().map(|scores| ("scores", json!(scores))));
    fields.extend(entry.class.map(|class| ("class", json!(class.name()))));
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
    format!("{{{}}}", fields.join(","))
}

/// The first line of a CSV file with positions of this game: `game,moves,score,s1,...`, with a
/// score for every move that [`super::slot`] numbers.
#[must_use]
pub fn csv_header(rules: &Rules) -> String {
    let scores: String = (1..=rules.most_moves()).map(|slot| format!(",s{slot}")).collect();
    format!("game,moves,score{scores}")
}

/// Is this line the header of a CSV file rather than a row of it?
#[must_use]
pub fn is_csv_header(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with("game,")
}

/// Reads a row: game, moves, the score (which may be left out), and a score for every slot.
pub(super) fn read_csv(text: &str, given: Option<&Rules>) -> Result<Entry, NotationError> {
    let format = Format::Csv;
    if is_csv_header(text) {
        let (place, problem) =
            ("game".to_owned(), "this is the header line, not a position".to_owned());
        return Err(NotationError::Content { format, place, problem });
    }
    let fields = split(text.trim())?;
    let [game, moves, labels @ ..] = &fields[..] else {
        let (place, problem) =
            ("fields".to_owned(), "a row begins with the game and the moves".to_owned());
        return Err(NotationError::Content { format, place, problem });
    };
    let rules = settle(Some(game.trim().parse()?), given)?;
    let mut entry = Entry::of_moves(&rules, &parse_moves(&rules, moves)?)?;
    let slots = rules.most_moves() as usize;
    let (score, scores) = match labels {
        [] => (None, labels),
        _ if labels.len() == slots => (None, labels),
        [score, scores @ ..] if scores.len() == slots => (Some(score), scores),
        _ => {
            let problem = format!(
                "there are {} scores; {rules} has {slots} (or one more in front)",
                labels.len()
            );
            return Err(NotationError::Content { format, place: "fields".to_owned(), problem });
        }
    };
    let read = |place: &str, field: &String| match field.trim() {
        "" => Ok(None),
        number => read_score(format, place, number, &rules).map(Some),
    };
    entry.score = score.map(|field| read("score", field)).transpose()?.flatten();
    let read_slot = |(index, field)| read(&format!("s{}", index + 1), field);
    let scores: Vec<Option<i32>> =
        scores.iter().enumerate().map(read_slot).collect::<Result<_, _>>()?;
    entry.scores = scores.iter().any(Option::is_some).then_some(scores);
    entry.check_scores(format)?;
    Ok(entry)
}

/// Writes a row.
pub(super) fn write_csv(entry: &Entry, moves: &[Move]) -> String {
    let rules = entry.position.rules();
    let moves = moves_text(rules, moves);
    let moves = if moves.contains(',') { format!("\"{moves}\"") } else { moves };
    let field = |score: Option<i32>| score.map_or_else(String::new, |score| score.to_string());
    let mut fields = vec![rules.to_string(), moves, field(entry.score)];
    match &entry.scores {
        Some(scores) => fields.extend(scores.iter().copied().map(field)),
        None => fields.extend((0..rules.most_moves()).map(|_| String::new())),
    }
    fields.join(",")
}

/// The fields of a row. A field may be in quotes; a quote in it is then doubled.
fn split(text: &str) -> Result<Vec<String>, NotationError> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = text.chars().enumerate().peekable();
    while let Some((index, c)) = chars.next() {
        let last = fields.len() - 1;
        let doubled = c == '"' && quoted && chars.peek().is_some_and(|(_, next)| *next == '"');
        match c {
            '"' if doubled => {
                chars.next();
                fields[last].push('"');
            }
            '"' if quoted => {
                quoted = false;
                if chars.peek().is_some_and(|(_, next)| *next != ',') {
                    return Err(after_quote(index + 2, text));
                }
            }
            '"' if fields[last].is_empty() => quoted = true,
            ',' if !quoted => fields.push(String::new()),
            c => fields[last].push(c),
        }
    }
    if quoted {
        let (place, problem) =
            ("end of the row".to_owned(), "a quotation mark is not closed".to_owned());
        return Err(NotationError::Content { format: Format::Csv, place, problem });
    }
    Ok(fields)
}

fn after_quote(at: usize, text: &str) -> NotationError {
    let found = excerpt(&text.chars().skip(at - 1).take(1).collect::<String>());
    NotationError::Syntax {
        format: Format::Csv,
        at,
        found,
        expected: "a comma after a quoted field",
    }
}
