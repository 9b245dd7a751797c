//! Random positions, depths and evaluators to check searches on.

use super::Place;
use fourfold::eval::Evaluator;
use fourfold::game::{Cell, Move, Position, Rules};
use fourfold::random::Random;

/// The naive search looks at no more positions than about this.
const WORK: u64 = 4_000;

pub(crate) fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|why| panic!("{why}"))
}

pub(crate) fn move_at((column, row): Place, rules: &Rules) -> Move {
    Move::at(Cell { column: column as u8, row: row as u8 }, rules)
}

/// A position that random play leads to; sometimes a finished one.
pub(crate) fn random_position(rules: &Rules, random: &mut Random) -> Position {
    let mut position = Position::new(*rules);
    for _ in 0..random.below(rules.cells() as usize + 1) {
        match random.pick(&position.legal_moves()) {
            Some(&mv) => position = position.play_unchecked(mv),
            None => break,
        }
        // Games end early at random; most positions should be in the middle of one.
        if position.outcome().is_over() && random.chance(0.9) {
            position = Position::new(*rules);
        }
    }
    position
}

/// A depth that the naive search can manage; at times more than the game has moves left.
pub(crate) fn random_depth(position: &Position, random: &mut Random) -> u32 {
    let branching = position.legal_moves().len() as u64;
    let (mut depth, mut work) = (0, 1);
    while depth < position.empty() && work * branching.max(1) <= WORK {
        work *= branching.max(1).min(u64::from(position.empty() - depth));
        depth += 1;
    }
    let beyond = if depth == position.empty() { 3 } else { 0 };
    random.below((depth + beyond) as usize + 1) as u32
}

pub(crate) fn random_evaluator(rules: &Rules, random: &mut Random) -> Evaluator {
    let all =
        ["terminal", "windows", "windows:3/-7/40/1000", "square", "square-literal", "open-lines"];
    loop {
        let evaluator: Evaluator = random.pick(&all).unwrap().parse().unwrap();
        if evaluator.check(rules).is_ok() {
            return evaluator;
        }
    }
}
