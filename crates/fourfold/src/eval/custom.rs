//! Evaluators that users of the library write.

use super::{Evaluate, Evaluator};
use crate::game::{Geometry, Position, Rules, Side, Word};
use crate::score::LARGEST_ESTIMATE;
use std::fmt;
use std::sync::Arc;

/// An evaluator of your own, for every board the games can have: it sees a [`Position`], never the
/// words of bits behind it.
///
/// Wrapped with [`Evaluator::custom`] it works wherever an evaluator does: in a
/// [`Searcher`](crate::search::Searcher), in explicit trees, in players and in matches. Positions
/// are handed over by value behind a reference and looked at through their public methods, so it
/// is slower than the evaluators that are compiled into the search.
///
/// ```
/// use fourfold::eval::{CustomEvaluator, Evaluator};
/// use fourfold::game::{Cell, Position, Rules, Side};
/// use fourfold::search::{Limits, SearchOptions, Searcher};
///
/// /// Likes a disc in the bottom left corner.
/// #[derive(Debug)]
/// struct Corner;
///
/// impl CustomEvaluator for Corner {
///     fn name(&self) -> &str {
///         "corner"
///     }
///
///     fn evaluate(&self, position: &Position, side: Side) -> i32 {
///         match position.at(Cell { column: 0, row: 0 }) {
///             Some(owner) if owner == side => 1,
///             Some(_) => -1,
///             None => 0,
///         }
///     }
///
///     fn is_symmetric(&self) -> bool {
///         false // the right corner does not count
///     }
/// }
///
/// let mut searcher = Searcher::new(Evaluator::custom(Corner), SearchOptions::default());
/// let report = searcher.search(&Position::new(Rules::SQUARE), &Limits::depth(1), 0)?;
/// assert_eq!(report.score, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait CustomEvaluator: fmt::Debug + Send + Sync {
    /// What records and messages call it. It need not be unique.
    fn name(&self) -> &str;

    /// What a game that is not over is worth to `side`, whoever is to move. Answers beyond
    /// [`LARGEST_ESTIMATE`] either way are cut to it, so that they are never taken for a decided
    /// game.
    ///
    /// The same position must always get the same answer: searches look it up in tables.
    fn evaluate(&self, position: &Position, side: Side) -> i32;

    /// Whether it can judge positions of a game. Searches ask before they begin.
    ///
    /// # Errors
    /// Why it cannot, in words, such as `it counts columns, so discs must fall`.
    fn check(&self, rules: &Rules) -> Result<(), String> {
        let _ = rules;
        Ok(())
    }

    /// True if what one side gains, the other loses: swapping the sides turns the sign.
    fn is_antisymmetric(&self) -> bool {
        true
    }

    /// True if a position and its mirror image (and, where the game has them, its rotations) are
    /// worth the same. If not, searches refuse the switch `symmetry`.
    fn is_symmetric(&self) -> bool {
        true
    }
}

/// A user's evaluator equals itself (and its clones behind an [`Arc`]) only: another of the same
/// name may judge otherwise.
impl PartialEq for dyn CustomEvaluator {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl Eq for dyn CustomEvaluator {}

impl Evaluator {
    /// An evaluator of the user's own; see [`CustomEvaluator`].
    #[must_use]
    pub fn custom(evaluator: impl CustomEvaluator + 'static) -> Self {
        Self::Custom(Arc::new(evaluator))
    }
}

/// A user's evaluator inside a search: as the compiled ones, it is handed MAX's and MIN's discs.
#[derive(Debug, Clone)]
pub(super) struct Adapter {
    pub(super) evaluator: Arc<dyn CustomEvaluator>,
    /// Who MAX is: two equal numbers of discs do not tell.
    pub(super) max: Side,
}

impl<W: Word> Evaluate<W> for Adapter {
    fn evaluate(&self, geometry: &Geometry<W>, max: W, min: W) -> i32 {
        let (max, min) = (max.widen(), min.widen());
        let (first, second) = match self.max {
            Side::First => (max, min),
            Side::Second => (min, max),
        };
        let position = Position::from_discs_unchecked(*geometry.rules(), first, second);
        let value = self.evaluator.evaluate(&position, self.max);
        value.clamp(-LARGEST_ESTIMATE, LARGEST_ESTIMATE)
    }

    fn is_symmetric(&self) -> bool {
        self.evaluator.is_symmetric()
    }
}
