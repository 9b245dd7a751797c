//! Fourfold's own objects for bulk data, one JSON object a line, with the game and scores named.

use super::labelled::score_in_range;
use super::{Class, Entry, Format, NotationError, moves_text, parse_moves, rows, settle};
use crate::game::Rules;
use serde_json::{Value, json};

/// Reads an object with `moves` or `position` (or both, if they agree). Other fields are left
/// alone.
pub(super) fn read(value: &Value, given: Option<&Rules>) -> Result<Entry, NotationError> {
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
pub(super) fn write(entry: &Entry) -> String {
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
