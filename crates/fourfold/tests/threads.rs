//! Several threads on one position give the same scores as one, in every kind of game, and stop
//! when they are told to.

use fourfold::budget::{Budget, Halt};
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::solver::{SolveError, Solver, SolverOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn solver(rules: &Rules, threads: u32) -> Solver {
    Solver::new(rules, SolverOptions::default().with_memory(1).with_threads(threads)).unwrap()
}

/// A position in which nobody can win at once, if chance finds one.
fn random_position(rules: Rules, discs: u32, random: &mut Random) -> Option<Position> {
    let mut position = Position::new(rules);
    while position.ply() < discs {
        let mv = *random.pick(&position.legal_moves())?;
        position = position.play(mv).ok()?;
    }
    (!position.outcome().is_over()).then_some(position)
}

#[test]
fn scores_do_not_depend_on_the_threads() {
    let games = [
        ("7x6c4", 9..15, 12),
        ("6x7c4", 12..18, 8),
        ("9x5c4", 13..19, 6),
        ("8x8c4", 28..34, 6),
        ("6x5c5", 4..12, 8),
        ("6x6c5", 6..12, 6),
        ("6x5c4f", 0..2, 3),
    ];
    for (game, discs, count) in games {
        let rules: Rules = game.parse().unwrap();
        let mut random = Random::new(3);
        let mut solvers = [1, 2, 3].map(|threads| solver(&rules, threads));
        let mut searched = 0;
        let mut found = 0;
        while found < count {
            let ply = discs.start + random.below((discs.end - discs.start) as usize) as u32;
            let Some(position) = random_position(rules, ply, &mut random) else { continue };
            found += 1;
            let limits = Budget::unlimited();
            let results =
                solvers.each_mut().map(|solver| solver.solve(&position, &limits).unwrap());
            searched += results[0].nodes;
            for result in &results {
                assert_eq!(result.score, results[0].score, "{game}\n{position}");
            }
            let [_, two, _] = &mut solvers;
            if found % 4 == 0 {
                two.forget();
            }
        }
        assert!(searched > 5000, "{game}: {searched} nodes never wake a second thread");
    }
}

#[test]
fn limits_hold_for_all_threads_together() {
    let rules = Rules::CONNECT_FOUR;
    let mut solver = solver(&rules, 2);
    let empty = Position::new(rules);
    let limits = Budget::unlimited().with_nodes(200_000);
    match solver.solve(&empty, &limits) {
        Err(SolveError::Unfinished { stop: Halt::Nodes, nodes, lower, upper }) => {
            assert!((200_000..210_000).contains(&nodes), "{nodes}");
            assert!(lower <= 1 && upper >= 1, "the score is 1, not between {lower} and {upper}");
        }
        other => panic!("{other:?}"),
    }
    let limits = Budget::unlimited().with_time(Duration::from_millis(30));
    assert!(matches!(
        solver.solve(&empty, &limits),
        Err(SolveError::Unfinished { stop: Halt::Time, .. })
    ));
}

#[test]
fn a_flag_stops_all_threads() {
    let rules = Rules::CONNECT_FOUR;
    let mut solver = solver(&rules, 2);
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Budget::unlimited().with_stop(Arc::clone(&stop));
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
    });
    let result = solver.solve(&Position::new(rules), &limits);
    setter.join().unwrap();
    assert!(
        matches!(result, Err(SolveError::Unfinished { stop: Halt::Stopped, .. })),
        "{result:?}"
    );
    // And they can be asked again.
    let position = fourfold::game::notation::read("32164625").unwrap().position;
    assert_eq!(solver.solve(&position, &Budget::unlimited()).unwrap().score, 11);
}
