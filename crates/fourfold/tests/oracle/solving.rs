//! What the tests of the solver share: positions of random play, a solver, and its scores.

use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::solver::{Solver, SolverOptions};

/// A position of random play with at least `from` discs. Finished ones and such with a win to be
/// taken are among them.
pub(crate) fn random_position(rules: &Rules, from: u32, random: &mut Random) -> Position {
    loop {
        let plies = from + random.below((rules.cells() - from) as usize + 1) as u32;
        let care = random.below(3);
        let mut position = Position::new(*rules);
        while position.ply() < plies && !position.outcome().is_over() {
            let moves = position.legal_moves();
            let mut calm = moves.clone();
            calm.retain(|&mv| {
                let after = position.play_unchecked(mv);
                let last = after.ply() == plies;
                // Without care only on the way, so that games do not end long before they get
                // there.
                !after.outcome().is_over()
                    && (care == 0 || last || after.winning_moves().is_empty())
                    || (care == 1 && last)
            });
            let mv =
                random.pick(if calm.is_empty() { &moves } else { &calm }).expect("a legal move");
            position = position.play_unchecked(*mv);
        }
        if position.ply() == plies {
            return position;
        }
    }
}

pub(crate) fn solver(rules: &Rules, options: SolverOptions) -> Solver {
    Solver::new(rules, options).unwrap_or_else(|why| panic!("{why}"))
}

/// The score by the solver, which must come with the verdict that belongs to it.
pub(crate) fn score(solver: &mut Solver, position: &Position) -> i32 {
    let solved = solver
        .solve(position, &Budget::unlimited())
        .unwrap_or_else(|why| panic!("{why}: {}\n{position}", position.rules()));
    assert_eq!(
        solved.verdict.distance_score(position),
        Some(solved.score),
        "{}\n{position}",
        position.rules()
    );
    solved.score
}
