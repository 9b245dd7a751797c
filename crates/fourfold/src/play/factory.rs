//! Players that users of the library write.

use super::{Player, PlayerError, PlayerSpec, Seat};
use crate::budget::Budget;
use crate::game::Rules;
use std::fmt;
use std::sync::Arc;

/// Makes players of one kind: how a player of your own takes part in matches.
///
/// A [`Match`](super::Match) seats players anew for every game, possibly several games at a time,
/// so it is handed what makes them rather than one of them. Wrapped with [`PlayerSpec::custom`],
/// the factory sits wherever a player spec does.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Position, Rules};
/// use fourfold::play::{Choice, Player, PlayerError, PlayerFactory, PlayerSpec};
///
/// /// Always plays the first legal move.
/// #[derive(Debug)]
/// struct Leftmost;
///
/// impl Player for Leftmost {
///     fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
///         position.legal_moves().first().map(|&mv| mv.into()).ok_or(PlayerError::GameOver)
///     }
/// }
///
/// impl PlayerFactory for Leftmost {
///     fn name(&self) -> &str {
///         "leftmost"
///     }
///
///     fn player(
///         &self,
///         _: &Rules,
///         _: u64,
///         _: &Budget,
///     ) -> Result<Box<dyn Player + Send>, PlayerError> {
///         Ok(Box::new(Leftmost))
///     }
/// }
///
/// let spec = PlayerSpec::custom(Leftmost);
/// assert_eq!(spec.to_string(), "leftmost");
/// let empty = Position::new(Rules::CONNECT_FOUR);
/// let mut player = spec.player(empty.rules(), 0, &Budget::unlimited())?;
/// assert_eq!(player.choose(&empty)?.mv, empty.drop_in(0).unwrap());
/// # Ok::<(), PlayerError>(())
/// ```
pub trait PlayerFactory: fmt::Debug + Send + Sync {
    /// What records and results call the player.
    fn name(&self) -> &str;

    /// A player for one game of `rules`. Everything random about it comes from `seed`, so that a
    /// game can be played again; one that thinks for long gives up when
    /// the budget ends.
    ///
    /// # Errors
    /// If it cannot play this game.
    fn player(
        &self,
        rules: &Rules,
        seed: u64,
        budget: &Budget,
    ) -> Result<Box<dyn Player + Send>, PlayerError>;

    /// True if the same position always gets the same move, whatever the seed. Then a game between
    /// two such players need not be played twice.
    fn is_deterministic(&self) -> bool {
        false
    }
}

/// A factory equals itself (and its clones behind an [`Arc`]) only.
impl PartialEq for dyn PlayerFactory {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl Eq for dyn PlayerFactory {}

impl PlayerSpec {
    /// A player of the user's own; see [`PlayerFactory`].
    #[must_use]
    pub fn custom(factory: impl PlayerFactory + 'static) -> Self {
        Seat::Custom(Arc::new(factory)).into()
    }
}
