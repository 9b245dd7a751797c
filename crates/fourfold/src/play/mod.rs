//! Players, games between them, and records of those games.
//!
//! A seat is described by a [`PlayerSpec`], one line of text that means the same in every front
//! end; a [`Player`] is what chooses moves. Users seat players of their own with a
//! [`PlayerFactory`]; seats that need a person or another program are filled by the front end.
//! [`run_match`] plays many games between two specs, [`Record`] keeps a game as a
//! line of JSON, [`review()`] judges its moves, [`why()`] explains a result with facts of the position,
//! [`Grade`] counts the judgements, and [`puzzle()`] makes positions to be judged oneself. Builds on `search` and `solver`; prints nothing.

mod character;
mod explain;
mod external;
mod factory;
mod finishing;
mod game;
mod grade;
mod level;
mod matches;
mod monte_carlo;
mod perfect;
mod player;
mod players;
mod puzzle;
mod record;
#[cfg(feature = "json")]
mod record_line;
mod review;
mod spec;
mod statistics;
mod story;

pub use character::{CHARACTERS, Character};
pub use explain::{Fact, fatal_moves, faults, merit, why};
pub use external::{ExternalSpec, Host};
pub use factory::PlayerFactory;
pub use game::{GameError, play_game};
pub use grade::{Grade, Phase, Tally};
pub use level::{LEVEL_ELO, LEVELS, LevelPlayer, LevelSpec, Skill, Style};
pub use matches::{
    Match, MatchError, MatchResult, SeatTotals, play_matches, run_match, run_match_while,
};
pub use monte_carlo::{MctsPlayer, MctsSpec};
pub use perfect::{Perfect, PerfectSpec};
pub use player::{Choice, Player, PlayerError, Thinking};
pub use players::{Naive, RandomMover, Script, SearchPlayer};
pub use puzzle::{
    CollectOptions, Collecting, Collection, Course, LevelTries, MOST_ASKED, Puzzle, PuzzleError,
    PuzzleFileError, RatedPuzzle, Section, TRIES, Theme, UnknownTheme, collect, course, difficulty,
    ends_in_zugzwang, puzzle, random_position, try_levels,
};
pub use record::{Record, Winner};
#[cfg(feature = "json")]
pub use record_line::RecordError;
pub use review::{
    Findings, Judgement, MoveReview, Review, ReviewError, SideReview, review, review_with,
};
pub use spec::{PlayerSpec, SearchSpec, Seat, SpecError};
pub use statistics::{Interval, wilson, wilson_of_share};
pub use story::{Headline, Moment, MomentKind, Story};
