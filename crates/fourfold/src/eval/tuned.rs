//! Evaluators tuned for a game, with the command that tuned each: the defaults of those games.

use super::Evaluator;
use crate::game::Rules;

/// A game, its evaluator, and the command that gives the weights again. `docs/tuning.md` has the
/// gain of each.
pub const TUNED: [(&str, &str, &str); 0] = [];

/// The tuned evaluator of a game, if it has one.
pub(super) fn tuned(rules: &Rules) -> Option<Evaluator> {
    let name = rules.to_string();
    let (_, evaluator, _) = TUNED.iter().find(|(game, _, _)| *game == name)?;
    evaluator.parse().ok()
}
