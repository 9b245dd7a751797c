//! The formats that are JSON: which of them a text could be, and each read and written.

use super::{Entry, Format, NotationError, arrays, ndjson};
use crate::game::Rules;
use serde_json::Value;

/// In the order in which they are tried, the most telling looks first.
const FORMATS: [Format; 4] =
    [Format::Ndjson, Format::Kaggle, Format::OpenSpiel, Format::PettingZoo];

/// The formats that a JSON text could be in.
pub(super) fn likely(text: &str) -> Result<Vec<Format>, NotationError> {
    let value = parse(text, Format::Ndjson)?;
    Ok(FORMATS.into_iter().filter(|&format| fits(format, &value)).collect())
}

/// Reads a text in one of the JSON formats; `rules` are the `given` ones or the usual ones.
pub(super) fn read(
    text: &str,
    format: Format,
    rules: &Rules,
    given: Option<&Rules>,
) -> Result<Entry, NotationError> {
    let value = parse(text, format)?;
    match format {
        Format::Kaggle => arrays::read_kaggle(&value, given).map(Entry::of),
        Format::OpenSpiel => arrays::read_openspiel(&value, rules).map(Entry::of),
        Format::PettingZoo => arrays::read_pettingzoo(&value, rules).map(Entry::of),
        _ => ndjson::read(&value, given),
    }
}

/// Writes an entry in one of the JSON formats.
pub(super) fn write(entry: &Entry, format: Format) -> Result<String, NotationError> {
    Ok(match format {
        Format::Kaggle => arrays::write_kaggle(&entry.position),
        Format::OpenSpiel => arrays::write_openspiel(&entry.position),
        Format::PettingZoo => arrays::write_pettingzoo(&entry.position),
        _ => ndjson::write(entry),
    })
}

fn parse(text: &str, format: Format) -> Result<Value, NotationError> {
    serde_json::from_str(text).map_err(|why| NotationError::Content {
        format,
        place: "JSON".to_owned(),
        problem: json_problem(&why),
    })
}

/// Could this JSON value be in the format?
fn fits(format: Format, value: &Value) -> bool {
    let nested = |value: &Value, depth: usize| {
        (0..depth).try_fold(value, |value, _| value.get(0)).is_some_and(|inner| !inner.is_array())
    };
    let board = value.get("board");
    match format {
        Format::Ndjson => value.get("moves").is_some() || value.get("position").is_some(),
        Format::Kaggle => {
            let inside = ["observation", "obs"]
                .iter()
                .any(|key| value.get(key).is_some_and(Value::is_object));
            inside || nested(value, 1) || board.is_some_and(|board| nested(board, 1))
        }
        Format::OpenSpiel => {
            nested(value, 1) || nested(value, 3) || board.is_some_and(|board| nested(board, 2))
        }
        Format::PettingZoo => {
            nested(value, 3) || value.get("observation").is_some_and(|planes| nested(planes, 3))
        }
        _ => false,
    }
}

/// The most characters of what the JSON reader says.
const MOST_WORDS: usize = 400;

/// What is wrong with a line of JSON, in plain words.
pub(crate) fn json_problem(why: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let column = why.column();
    match why.classify() {
        Category::Eof => format!("it ends too early, after character {column}"),
        Category::Syntax => format!("it is not JSON at character {column}"),
        Category::Data | Category::Io => {
            let text = why.to_string();
            let place = format!(" at line {} column {column}", why.line());
            let words = text.strip_suffix(&place).unwrap_or(&text);
            // They may repeat what was written.
            words.chars().take(MOST_WORDS).collect()
        }
    }
}
