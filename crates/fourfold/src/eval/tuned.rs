//! Evaluators tuned for a game, with the command that tuned each: the defaults of those games.

use super::Evaluator;
use crate::game::Rules;

/// A game, its evaluator, and the command that gives the weights again. `docs/tuning.md` has the
/// gain of each.
pub const TUNED: [(&str, &str, &str); 4] = [
    (
        "7x6c4",
        "threats:17/45/84/151/64/-31/-98/11/996/1000/1/25",
        "fourfold tune threats --game 7x6c4 --against windows",
    ),
    (
        "6x5c4",
        "threats:9/28/60/40/-44/2/30/-21/1000/580/1/0",
        "fourfold tune threats --game 6x5c4 --against windows",
    ),
    (
        "8x7c4",
        "threats:5/17/43/51/-12/-13/15/-5/1000/860/9/6",
        "fourfold tune threats --game 8x7c4 --against windows --count 2500 --steps 400 \
         --openings 200",
    ),
    (
        "5x5c4f",
        "threats:8/31/76/0/0/0/0/0/1000/789/2/13",
        "fourfold tune threats --game 5x5c4f --against open-lines",
    ),
];

/// The tuned evaluator of a game, if it has one.
pub(super) fn tuned(rules: &Rules) -> Option<Evaluator> {
    let name = rules.to_string();
    let (_, evaluator, _) = TUNED.iter().find(|(game, _, _)| *game == name)?;
    evaluator.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tuned_evaluator_can_be_read_and_judges_its_game() {
        for (game, evaluator, command) in TUNED {
            let rules: Rules = game.parse().unwrap();
            let tuned = Evaluator::natural(&rules);
            assert_eq!(tuned, evaluator.parse().unwrap(), "{game}");
            assert_eq!(tuned.check(&rules), Ok(()), "{game}");
            assert!(command.contains(&format!("--game {game}")), "{command}");
        }
        assert_eq!(Evaluator::natural(&Rules::SQUARE), Evaluator::textbook(&Rules::SQUARE));
    }
}
