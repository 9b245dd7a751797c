//! A game as one line of JSON.
//!
//! ```text
//! {"game":"7x6c4","first":"naive","second":"lookahead:depth=3","seed":7,"moves":"4453","result":null,
//!  "times_ms":[0.01,0.2,0.01,0.3],"nodes":[0,120,0,118],"evaluations":[0,80,0,79]}
//! ```
//!
//! `game` and `moves` are all that must be there. `result` is `first`, `second`, `draw`, or null
//! for a game that was not finished; the three lists, if present, have one number a move. `forfeit`
//! tells why whoever was to move has lost a game that was not finished. A record that contradicts
//! itself is refused.

use crate::game::notation::{self, NotationError};
use crate::game::{Move, Outcome, Position, Rules, Side};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody won.
    Draw,
}

impl Winner {
    /// How a position's game ended, if it did.
    #[must_use]
    pub fn of(position: &Position) -> Option<Self> {
        match position.outcome() {
            Outcome::Ongoing => None,
            Outcome::Won { by: Side::First, .. } => Some(Self::First),
            Outcome::Won { by: Side::Second, .. } => Some(Self::Second),
            Outcome::Drawn => Some(Self::Draw),
        }
    }
}

impl From<Side> for Winner {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

/// A game that was played, from the empty board.
///
/// ```
/// use fourfold::game::Rules;
/// use fourfold::game::notation::parse_moves;
/// use fourfold::play::{Record, Winner};
///
/// let moves = parse_moves(&Rules::CONNECT_FOUR, "1212121")?;
/// let record = Record::new(Rules::CONNECT_FOUR, moves).with_players("Ann", "Bob");
/// assert_eq!(record.result, Some(Winner::First));
/// let line = record.to_string();
/// assert_eq!(
///     line,
///     r#"{"game":"7x6c4","first":"Ann","second":"Bob","moves":"1212121","result":"first"}"#
/// );
/// assert_eq!(line.parse::<Record>()?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// The game.
    pub game: Rules,
    /// Who moved first: a player spec or a name.
    pub first: Option<String>,
    /// Who moved second.
    pub second: Option<String>,
    /// What everything random came from.
    pub seed: Option<u64>,
    /// The moves in order.
    pub moves: Vec<Move>,
    /// How it ended; `None` if it did not.
    pub result: Option<Winner>,
    /// What the side to move at the end did that lost it the game; none for a game that was played
    /// out or left.
    pub forfeit: Option<String>,
    /// Milliseconds each move took.
    pub times_ms: Option<Vec<f64>>,
    /// Positions visited for each move.
    pub nodes: Option<Vec<u64>>,
    /// Evaluator calls for each move.
    pub evaluations: Option<Vec<u64>>,
}

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
    /// A list has not one number a move.
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
    /// The record of these moves, each legal when its turn comes, and of nothing else. Its result
    /// is what they lead to.
    #[must_use]
    pub fn new(game: Rules, moves: Vec<Move>) -> Self {
        let mut record = Self {
            game,
            first: None,
            second: None,
            seed: None,
            moves,
            result: None,
            forfeit: None,
            times_ms: None,
            nodes: None,
            evaluations: None,
        };
        record.result = Winner::of(&record.last());
        record
    }

    /// The same with the names of the players.
    #[must_use]
    pub fn with_players(self, first: impl Into<String>, second: impl Into<String>) -> Self {
        Self { first: Some(first.into()), second: Some(second.into()), ..self }
    }

    /// The same with the seed that everything random came from.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// The same, lost by the side to move at the end for what it did (in words).
    #[must_use]
    pub fn with_forfeit(self, reason: impl Into<String>) -> Self {
        let winner = self.last().to_move().other();
        Self { forfeit: Some(reason.into()), result: Some(winner.into()), ..self }
    }

    /// The same with the milliseconds each move took.
    #[must_use]
    pub fn with_times_ms(self, times_ms: Vec<f64>) -> Self {
        Self { times_ms: Some(times_ms), ..self }
    }

    /// The same with the positions visited and the evaluator calls for each move.
    #[must_use]
    pub fn with_counts(self, nodes: Vec<u64>, evaluations: Vec<u64>) -> Self {
        Self { nodes: Some(nodes), evaluations: Some(evaluations), ..self }
    }

    /// The position at the end.
    fn last(&self) -> Position {
        self.moves
            .iter()
            .fold(Position::new(self.game), |position, &mv| position.play_unchecked(mv))
    }

    /// The positions of the game, the empty board first.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let start = Position::new(self.game);
        let after = self.moves.iter().scan(start, |position, &mv| {
            *position = position.play_unchecked(mv);
            Some(*position)
        });
        std::iter::once(start).chain(after)
    }

    /// The record as one line of JSON, without a line break.
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
