//! The committed sets of solved positions, each solved anew: `data/solved`, whose README says who
//! else has solved them.

use fourfold::budget::Budget;
use fourfold::game::notation::{self, Format};
use fourfold::game::{Position, Rules};
use fourfold::solver::{Solver, SolverOptions};
use std::path::Path;

const PHASES: [&str; 6] =
    ["end-easy", "middle-easy", "middle-medium", "begin-easy", "begin-medium", "begin-hard"];

/// A set's positions with their scores.
fn set(rules: &Rules, phase: &str) -> Vec<(Position, i32)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/data/solved/{rules}/{phase}.txt"));
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let positions = text.lines().map(|line| {
        let entry = notation::Reader::new()
            .format(Format::Pons)
            .rules(rules)
            .read(line)
            .unwrap_or_else(|why| panic!("{}: {line}: {why}", path.display()));
        (entry.position, entry.best_score().unwrap_or_else(|| panic!("{line}: no score")))
    });
    positions.collect()
}

/// Every position of the game, and with the code for any processor the first of each set.
fn check(game: &str) {
    let rules: Rules = game.parse().expect("a game");
    let usual = SolverOptions::default();
    let mut solver = Solver::new(&rules, usual).expect("memory");
    let mut portable = Solver::new(&rules, usual.with_portable(true)).expect("memory");
    let mut solved = 0;
    for phase in PHASES {
        for (index, (position, known)) in set(&rules, phase).into_iter().enumerate() {
            let case = format!("{game} {phase}, line {}\n{position}", index + 1);
            let score = |solver: &mut Solver| {
                solver.forget();
                solver
                    .solve(&position, &Budget::unlimited())
                    .unwrap_or_else(|why| panic!("{why}: {case}"))
            };
            let found = score(&mut solver);
            assert_eq!(found.score, known, "{case}");
            let few = if phase.starts_with("begin") { 2 } else { 20 };
            if index < few {
                assert_eq!(score(&mut portable), found, "with portable code: {case}");
            }
            solved += 1;
        }
    }
    assert_eq!(solved, 294, "{game}");
}

#[test]
fn positions_of_7x6() {
    check("7x6c4");
}

#[test]
fn positions_of_6x7() {
    check("6x7c4");
}

#[test]
fn positions_of_8x5() {
    check("8x5c4");
}

#[test]
fn positions_of_7x7() {
    check("7x7c4");
}

#[test]
fn positions_of_9x5() {
    check("9x5c4");
}
