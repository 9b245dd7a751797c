//! Fourfold's own comma-separated values for bulk data, with the game and scores named.

use super::error::excerpt;
use super::labelled::read_score;
use super::{Entry, Format, NotationError, moves_text, parse_moves, settle};
use crate::game::{Move, Rules};

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
pub(super) fn read(text: &str, given: Option<&Rules>) -> Result<Entry, NotationError> {
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
pub(super) fn write(entry: &Entry, moves: &[Move]) -> String {
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
