//! Whole players, asked in the engine protocol (`docs/engine.md`) for their moves in positions where
//! it can be said which moves are right.
//!
//! A player is asked in three parts: whether its moves are legal, whether it sees wins and blocks
//! at once, and whether it looks as far ahead as it is told to. Where several moves are right, any
//! of them will do, so unlike a search a player is not compared with wrong ones answer by answer:
//! a mistake is named if it shows in just the positions where the player goes wrong.

mod fault;
mod grade;
mod question;

pub use fault::PlayerFault;
pub use grade::PlayerExercise;
pub use question::{Direction, Kind, Question};

use crate::grade::Reply;
use fourfold::game::{Move, Rules};
use fourfold::score::Verdict;

/// What a player must be able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlayerPart {
    /// Legal moves, in every position of a game.
    Moves,
    /// Wins and blocks at once.
    Tactics,
    /// Forced wins and losses as far ahead as it is told to look, and its scores.
    Lookahead,
}

impl PlayerPart {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Moves, Self::Tactics, Self::Lookahead];

    /// A name to type.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Moves => "player-moves",
            Self::Tactics => "player-tactics",
            Self::Lookahead => "player-lookahead",
        }
    }

    /// A name to read.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Moves => "a player's legal moves",
            Self::Tactics => "a player's wins and blocks",
            Self::Lookahead => "a player's look ahead",
        }
    }
}

/// What a player answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The word after `bestmove`.
    pub word: String,
    /// The score it reported last, for the side to move.
    pub verdict: Option<Verdict>,
    /// The depth it reported last, in plies.
    pub depth: Option<u32>,
}

/// The line that tells a player of the position after these moves.
#[must_use]
pub fn position_line(rules: &Rules, moves: &[Move]) -> String {
    let labels: Vec<String> = moves.iter().map(|mv| mv.label(rules)).collect();
    let moves =
        if labels.is_empty() { String::new() } else { format!(" moves {}", labels.join(" ")) };
    format!("position startpos{moves}")
}

/// A player that can be asked.
pub trait Engine {
    /// Asks for its move. With `afresh` it is started again before, so that it has seen no other
    /// position. One that has ended is started again anyway.
    fn best_move(&mut self, question: &Question, afresh: bool) -> Reply<Played>;
}
