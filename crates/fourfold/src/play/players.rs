//! The players the library brings.

use super::{Choice, Player, PlayerError, Thinking};
use crate::game::notation::{NotationError, parse_move};
use crate::game::{Move, PlayError, Position, Rules};
use crate::random::Random;
use crate::search::{Halt, Limits, SearchError, Searcher};

/// Plays any legal move, each equally likely.
#[derive(Debug)]
pub struct RandomMover {
    random: Random,
}

impl RandomMover {
    /// With its own stream of numbers.
    #[must_use]
    pub fn new(random: Random) -> Self {
        Self { random }
    }
}

fn any_of(random: &mut Random, moves: &[Move]) -> Result<Choice, PlayerError> {
    random.pick(moves).map(|&mv| Choice::unthinking(mv)).ok_or(PlayerError::GameOver)
}

impl Player for RandomMover {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        any_of(&mut self.random, &position.legal_moves())
    }
}

/// Wins if it can at once, else blocks, else plays any legal move (the lecture's naive approach).
#[derive(Debug)]
pub struct Naive {
    random: Random,
}

impl Naive {
    /// With its own stream of numbers.
    #[must_use]
    pub fn new(random: Random) -> Self {
        Self { random }
    }
}

impl Player for Naive {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        naive_move(&mut self.random, position)
    }
}

/// Any move that wins at once, else any that blocks, else any.
fn naive_move(random: &mut Random, position: &Position) -> Result<Choice, PlayerError> {
    let candidates =
        [position.winning_moves(), position.threatened_moves(), position.legal_moves()];
    let best = candidates.iter().find(|moves| !moves.is_empty()).ok_or(PlayerError::GameOver)?;
    any_of(random, best)
}

/// Plays the best move of a search.
#[derive(Debug)]
pub struct SearchPlayer {
    searcher: Searcher,
    limits: Limits,
    random: Random,
}

impl SearchPlayer {
    /// Searches within `limits`, renewed for each move.
    #[must_use]
    pub fn new(searcher: Searcher, limits: Limits, random: Random) -> Self {
        Self { searcher, limits, random }
    }
}

impl Player for SearchPlayer {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let limits = self.limits.renewed();
        self.choose_within(position, &limits)
    }
}

impl SearchPlayer {
    /// Chooses a move within these limits instead of its own.
    pub(super) fn choose_within(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<Choice, PlayerError> {
        let seed = self.random.next_u64();
        match self.searcher.search(position, limits, seed) {
            Ok(report) => {
                let mv = report.best.ok_or(PlayerError::GameOver)?;
                let thinking = Thinking {
                    verdict: report.verdict,
                    depth: report.depth,
                    nodes: report.counters.nodes,
                    evaluations: report.counters.evaluations,
                };
                Ok(Choice { mv, thinking: Some(thinking) })
            }
            // No time for even one ply: a quick look is better than none, and a stop must be
            // obeyed.
            Err(SearchError::Interrupted { halt: Halt::Nodes | Halt::Time, .. }) => {
                Naive::new(Random::new(seed)).choose(position)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Plays its own moves from a list, then (or when one cannot be played) goes on as [`Naive`].
#[derive(Debug)]
pub struct Script {
    moves: std::vec::IntoIter<String>,
    then: Naive,
}

impl Script {
    /// The moves as people write them, its own ones only: `4453` (one digit a column), or separated
    /// by commas, spaces or hyphens, as in `10,4,11` or `b2 a1`.
    #[must_use]
    pub fn new(moves: &str, random: Random) -> Self {
        let separators = [',', ' ', '-', ';'];
        let words: Vec<String> = if moves.contains(separators) {
            moves.split(separators).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        } else {
            split_words(moves)
        };
        Self { moves: words.into_iter(), then: Naive::new(random) }
    }

    /// Refuses a list with a column or cell that the board does not have.
    ///
    /// # Errors
    /// [`PlayerError::OffBoard`], with the first such move.
    pub fn check(&self, rules: &Rules) -> Result<(), PlayerError> {
        let empty = Position::new(*rules);
        for word in self.moves.as_slice() {
            if let Err(NotationError::Illegal(why)) = parse_move(&empty, word)
                && matches!(why, PlayError::NoSuchColumn { .. } | PlayError::NoSuchCell { .. })
            {
                return Err(PlayerError::OffBoard { word: word.clone(), why });
            }
        }
        Ok(())
    }
}

/// `4453` into digits, `ddec` into letters, `b2a1` into cells: a letter takes the digits that
/// follow it.
fn split_words(moves: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for character in moves.chars() {
        let continues_cell = character.is_ascii_digit()
            && words.last().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
        match words.last_mut() {
            Some(word) if continues_cell => word.push(character),
            _ => words.push(character.to_string()),
        }
    }
    words
}

impl Player for Script {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let scripted = self.moves.next().and_then(|word| parse_move(position, &word).ok());
        match scripted {
            Some(mv) => Ok(Choice::unthinking(mv)),
            None => self.then.choose(position),
        }
    }
}

/// Another player that now and then moves at random.
pub(super) struct Wavering<P> {
    pub(super) player: P,
    /// The share of moves that are random, from 0 to 1.
    pub(super) share: f64,
    /// Whether a random move may miss a win or a threat at once; else it is one of [`Naive`]'s.
    pub(super) careless: bool,
    pub(super) random: Random,
}

impl<P: Player> Player for Wavering<P> {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        if !self.random.chance(self.share) {
            self.player.choose(position)
        } else if self.careless {
            any_of(&mut self.random, &position.legal_moves())
        } else {
            naive_move(&mut self.random, position)
        }
    }
}

impl Player for Box<dyn Player + Send> {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        (**self).choose(position)
    }
}
