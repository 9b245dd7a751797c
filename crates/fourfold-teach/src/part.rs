//! The parts of an exercise: searches, asked for in lines of JSON, and whole players, asked in the
//! engine protocol. Each has an id to type, a title to read and a worth in points.

use crate::player::PlayerPart;
use crate::suite::SearchPart;

/// A part of the exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// A search on trees or positions.
    Search(SearchPart),
    /// What a whole player must be able to do.
    Player(PlayerPart),
}

impl Part {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let searches = SearchPart::ALL.into_iter().map(Self::Search);
        searches.chain(PlayerPart::ALL.into_iter().map(Self::Player))
    }

    /// A name to type: `alphabeta-trees`.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Search(part) => part.id(),
            Self::Player(part) => part.id(),
        }
    }

    /// A name to read: `alpha-beta on trees`.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            Self::Search(part) => part.title(),
            Self::Player(part) => part.title().to_owned(),
        }
    }

    /// Points if a rubric says nothing: a hundred for all searches, and for a whole player.
    #[must_use]
    pub fn usual_points(self) -> f64 {
        match self {
            Self::Search(_) => 25.0,
            Self::Player(PlayerPart::Moves | PlayerPart::Lookahead) => 30.0,
            Self::Player(PlayerPart::Tactics) => 40.0,
        }
    }

    /// The part with this id.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|part| part.id() == id)
    }
}
