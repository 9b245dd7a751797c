//! Several threads on one position give the same scores as one, in every kind of game, and stop
//! when they are told to.

use fourfold::budget::{Budget, Halt};
use fourfold::game::{Position, Rules, notation};
use fourfold::random::Random;
use fourfold::solver::{SolveError, Solver, SolverOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn solver(rules: &Rules, threads: u32) -> Solver {
    with_memory(rules, threads, 1)
}

/// A solver with so many MiB; with none, its main tables have two buckets each.
fn with_memory(rules: &Rules, threads: u32, memory: u32) -> Solver {
    Solver::new(rules, SolverOptions::default().with_memory(memory).with_threads(threads)).unwrap()
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
        ("8x8c4", 24..30, 6),
        ("7x5c5", 4..10, 6),
        ("6x6c5", 4..8, 6),
        ("7x6c5", 10..14, 6),
        ("7x6c6", 2..6, 6),
        ("6x5c4f", 0..2, 3),
        ("5x5c4f", 0..4, 6),
    ];
    // These take too few nodes to wake another thread, or have no keys to share results by.
    let small = [
        ("7x6c3", 0..4, 12),
        ("7x6s2", 6..9, 16),
        ("8x8s2", 25..29, 8),
        ("12x6c5", 50..54, 4),
        ("6x6c5f", 16..20, 4),
        ("5x5s2f", 6..10, 4),
        ("9x8c5f", 50..60, 2),
    ];
    let games = games.map(|game| (game, 5000)).into_iter().chain(small.map(|game| (game, 0)));
    for ((game, discs, count), min_nodes) in games {
        let rules: Rules = game.parse().unwrap();
        let mut random = Random::new(3);
        let mut solvers = [1, 2, 4].map(|threads| solver(&rules, threads));
        let mut tiny = with_memory(&rules, 2, 0);
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
            // Without tables to speak of this takes many times the nodes.
            if results[0].nodes < 20_000 {
                let result = tiny.solve(&position, &limits).unwrap();
                assert_eq!(result.score, results[0].score, "{game}, tiny tables\n{position}");
            }
            let [_, two, _] = &mut solvers;
            if found % 4 == 0 {
                two.forget();
            }
        }
        assert!(searched >= min_nodes, "{game}: {searched} nodes never wake a second thread");
    }
}

/// Wherever several threads are stopped, what they have proven by then is true, and they go on from
/// there.
#[test]
fn stopped_threads_have_proven_what_they_tell() {
    let games = [("7x6c4", "444"), ("6x5c5", ""), ("5x7c5", "33"), ("6x5c4f", ""), ("7x6s2", "1")];
    for (index, (game, moves)) in games.into_iter().enumerate() {
        let rules: Rules = game.parse().unwrap();
        let position = notation::Reader::new().rules(&rules).read(moves).unwrap().position;
        let truth = solver(&rules, 1).solve(&position, &Budget::unlimited()).unwrap();
        let mut random = Random::for_item(17, index as u64);
        for threads in [2, 4] {
            let mut solver = solver(&rules, threads);
            for _ in 0..8 {
                let limit = 1 + random.below(truth.nodes as usize / 6 + 1) as u64;
                let budget = Budget::unlimited().with_nodes(limit);
                match solver.solve(&position, &budget) {
                    Ok(solved) => assert_eq!(solved.score, truth.score, "{game}"),
                    Err(SolveError::Unfinished { stop: Halt::Nodes, nodes, lower, upper }) => {
                        assert!(lower <= truth.score && truth.score <= upper, "{game}");
                        // A thread counts what the others have spent every few hundred nodes.
                        let room = 300 * u64::from(threads);
                        assert!((limit..limit + room).contains(&nodes), "{game}: {nodes}, {limit}");
                    }
                    other => panic!("{game}: {other:?}"),
                }
                if random.chance(0.3) {
                    solver.forget();
                }
            }
            assert_eq!(solver.solve(&position, &Budget::unlimited()).unwrap().score, truth.score);
        }
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
    let position = notation::read("32164625").unwrap().position;
    assert_eq!(solver.solve(&position, &Budget::unlimited()).unwrap().score, 11);
}
