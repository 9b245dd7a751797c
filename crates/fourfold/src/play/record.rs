//! Games that were played, as values.

use crate::game::{Move, Outcome, Position, Rules, Side};

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
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
/// assert_eq!(record.positions().count(), 8, "the empty board first");
/// # Ok::<(), fourfold::game::notation::NotationError>(())
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
    /// The random seed.
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
    pub(super) fn last(&self) -> Position {
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
}
