//! A game as one line of JSON.
//!
//! ```text
//! {"game":"7x6c4","first":"naive","second":"lookahead:depth=3","seed":7,"moves":"4453","result":null,
//!  "times_ms":[0.01,0.2,0.01,0.3],"nodes":[0,120,0,118],"evaluations":[0,80,0,79]}
//! ```
//!
//! `game` and `moves` are all that must be there. `result` is `first`, `second`, `draw`, or null
//! for a game that was not finished; the three lists, if present, have one number per move.
//! `forfeit` says why the side to move lost a game that was not finished. A record that contradicts
//! itself is refused.

use super::{Record, Winner};
use crate::game::Rules;
use crate::game::notation::{self, NotationError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Why a line is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Not JSON, or not of this form.
    #[error("this is not a game record: {problem}")]
    Syntax {
        /// What the JSON reader says.
        problem: String,
    },
    /// The moves do not make a game.
    #[error(transparent)]
    Moves(#[from] NotationError),
    /// The result is not what the moves lead to.
    #[error("the record says {said}, but the moves end in {truth}")]
    Result {
        /// As recorded.
        said: String,
        /// What it is.
        truth: String,
    },
    /// A finished game cannot be forfeited.
    #[error("the record says that the game was forfeited, but its moves end it")]
    Forfeit,
    /// A list does not have one number per move.
    #[error("{list} has {found} entries for {moves} moves")]
    Length {
        /// Which list.
        list: &'static str,
        /// Its entries.
        found: usize,
        /// Moves there are.
        moves: usize,
    },
}

/// The record as written; not checked.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with the fields game and moves")]
struct Line {
    game: Rules,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    moves: String,
    #[serde(default)]
    result: Option<Winner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forfeit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    times_ms: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evaluations: Option<Vec<u64>>,
}

impl Record {
    /// The record as one line of JSON, without a line break.
    ///
    /// ```
    /// use fourfold::game::Rules;
    /// use fourfold::game::notation::parse_moves;
    /// use fourfold::play::Record;
    ///
    /// let moves = parse_moves(&Rules::CONNECT_FOUR, "1212121")?;
    /// let record = Record::new(Rules::CONNECT_FOUR, moves).with_players("Ann", "Bob");
    /// let line = record.to_line();
    /// assert_eq!(
    ///     line,
    ///     r#"{"game":"7x6c4","first":"Ann","second":"Bob","moves":"1212121","result":"first"}"#
    /// );
    /// assert_eq!(line.parse::<Record>()?, record);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_line(&self) -> String {
        let line = Line {
            game: self.game,
            first: self.first.clone(),
            second: self.second.clone(),
            seed: self.seed,
            moves: notation::moves_text(&self.game, &self.moves),
            result: self.result,
            forfeit: self.forfeit.clone(),
            times_ms: self.times_ms.clone(),
            nodes: self.nodes.clone(),
            evaluations: self.evaluations.clone(),
        };
        serde_json::to_string(&line).expect("plain fields always make JSON")
    }
}

/// The line of [`Record::to_line`].
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_line())
    }
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let line: Line = serde_json::from_str(text)
            .map_err(|why| RecordError::Syntax { problem: notation::json_problem(&why) })?;
        let moves = notation::parse_moves(&line.game, &line.moves)?;
        let lists = [
            ("times_ms", line.times_ms.as_ref().map(Vec::len)),
            ("nodes", line.nodes.as_ref().map(Vec::len)),
            ("evaluations", line.evaluations.as_ref().map(Vec::len)),
        ];
        for (list, found) in lists {
            if let Some(found) = found
                && found != moves.len()
            {
                return Err(RecordError::Length { list, found, moves: moves.len() });
            }
        }
        let played = Self::new(line.game, moves);
        let truth = match (&line.forfeit, played.result) {
            (None, truth) => truth,
            (Some(_), None) => Some(played.last().to_move().other().into()),
            (Some(_), Some(_)) => return Err(RecordError::Forfeit),
        };
        // A finished game may leave its result out; it must not claim another. One that was neither
        // finished nor forfeited must claim none.
        if line.result.is_some() && line.result != truth {
            let name = |winner: Option<Winner>| match winner {
                None => "an unfinished game".to_owned(),
                Some(Winner::First) => "a win of the first player".to_owned(),
                Some(Winner::Second) => "a win of the second player".to_owned(),
                Some(Winner::Draw) => "a draw".to_owned(),
            };
            return Err(RecordError::Result { said: name(line.result), truth: name(truth) });
        }
        Ok(Self {
            first: line.first,
            second: line.second,
            seed: line.seed,
            result: truth,
            forfeit: line.forfeit,
            times_ms: line.times_ms,
            nodes: line.nodes,
            evaluations: line.evaluations,
            ..played
        })
    }
}
