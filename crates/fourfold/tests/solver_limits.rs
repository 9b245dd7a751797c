//! The solver within limits: of nodes, of time and by a flag, and what it tells on its way. Whatever it
//! says when it is stopped is true.

mod oracle;

use fourfold::budget::{Budget, Progress};
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::solver::{Halt, Ideas, SolveError, SolverOptions};
use oracle::chance::rules;
use oracle::solving::{random_position, score, solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Positions of 7x6 with some thousand nodes to search, and their scores.
fn hard_positions(count: usize, seed: u64) -> Vec<(Position, i32)> {
    let options = SolverOptions::default().with_portable(true).with_ideas(Ideas::NO_BOUNDS);
    let mut truth = solver(&Rules::CONNECT_FOUR, options);
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let position = random_position(&Rules::CONNECT_FOUR, 16, &mut random);
        truth.forget();
        let Ok(solved) = truth.solve(&position, &Budget::unlimited().with_nodes(200_000)) else {
            continue;
        };
        if solved.nodes > 8000 {
            found.push((position, solved.score));
        }
    }
    found
}

#[test]
fn a_node_limit_holds_and_leaves_the_truth() {
    let mut solver = solver(&Rules::CONNECT_FOUR, SolverOptions::default());
    let mut stopped = 0;
    for (position, truth) in hard_positions(12, 46) {
        for limit in [0, 1, 2, 3, 10, 50, 100, 500, 1000, 1025, 3000, 6000] {
            solver.forget();
            let limits = Budget::unlimited().with_nodes(limit);
            match solver.solve(&position, &limits) {
                Ok(solved) => {
                    assert_eq!(solved.score, truth, "{limit} nodes\n{position}");
                    assert!(solved.nodes <= limit, "{} of {limit} nodes\n{position}", solved.nodes);
                }
                Err(SolveError::Unfinished { stop, nodes, lower, upper }) => {
                    stopped += 1;
                    assert_eq!(stop, Halt::Nodes);
                    assert!(nodes <= limit, "{nodes} of {limit} nodes\n{position}");
                    assert!(
                        (lower..=upper).contains(&truth),
                        "{lower} to {upper}, not {truth}\n{position}"
                    );
                }
                Err(why) => panic!("{why}"),
            }
            // What was stored before the limit, and nothing else, is in the table now.
            assert_eq!(score(&mut solver, &position), truth, "after {limit} nodes\n{position}");
        }
        // Just enough is enough, and one less is not.
        solver.forget();
        let needed = solver.solve(&position, &Budget::unlimited()).expect("no limit").nodes;
        for (limit, enough) in [(needed, true), (needed - 1, false)] {
            solver.forget();
            let limits = Budget::unlimited().with_nodes(limit);
            assert_eq!(
                solver.solve(&position, &limits).is_ok(),
                enough,
                "{limit} of {needed}\n{position}"
            );
        }
        // Stopped many times over: the table keeps what each attempt has proven.
        solver.forget();
        for _ in 0..20 {
            match solver.solve(&position, &Budget::unlimited().with_nodes(400)) {
                Ok(solved) => assert_eq!(solved.score, truth, "in pieces\n{position}"),
                Err(SolveError::Unfinished { lower, upper, .. }) => {
                    assert!(
                        (lower..=upper).contains(&truth),
                        "{lower} to {upper}, not {truth}\n{position}"
                    );
                }
                Err(why) => panic!("{why}"),
            }
        }
        assert_eq!(score(&mut solver, &position), truth, "after many pieces\n{position}");
    }
    assert!(stopped > 50, "{stopped} searches were stopped");
}

#[test]
fn limits_hold_in_other_games() {
    for (game, truth) in [("6x5c4f", 10), ("5x5c4f", 0), ("7x4c5", 0), ("5x6c5", 0)] {
        let position = Position::new(rules(game));
        let mut solver = solver(&rules(game), SolverOptions::default());
        let needed = solver.solve(&position, &Budget::unlimited()).expect("no limit").nodes;
        for limit in [0, 1, 2, 10, 500, 1025, 3000, needed - 1, needed] {
            solver.forget();
            let limits = Budget::unlimited().with_nodes(limit);
            match solver.solve(&position, &limits) {
                Ok(solved) => assert_eq!((solved.score, solved.nodes), (truth, needed), "{game}"),
                Err(SolveError::Unfinished { stop, nodes, lower, upper }) => {
                    assert!(
                        stop == Halt::Nodes && nodes <= limit && limit < needed,
                        "{game}: {nodes}"
                    );
                    assert!((lower..=upper).contains(&truth), "{game}: {lower} to {upper}");
                }
                Err(why) => panic!("{why}"),
            }
            assert_eq!(score(&mut solver, &position), truth, "{game} after {limit} nodes");
        }
        solver.forget();
        let stop = Arc::new(AtomicBool::new(true));
        let stopped = solver.solve(&position, &Budget::unlimited().with_stop(stop));
        assert!(
            matches!(stopped, Err(SolveError::Unfinished { stop: Halt::Stopped, .. })),
            "{game}"
        );
    }
}

#[test]
fn clock_and_flag_stop_a_search() {
    let empty = Position::new(Rules::CONNECT_FOUR);
    let mut solver = solver(&Rules::CONNECT_FOUR, SolverOptions::default());
    let reason = |result: Result<_, SolveError>| match result {
        Err(SolveError::Unfinished { stop, lower, upper, .. }) => {
            assert!(
                lower <= 1 && 1 <= upper,
                "{lower} to {upper}: the first player wins with the last disc"
            );
            Some(stop)
        }
        _ => None,
    };
    let limits = Budget::unlimited().with_time(Duration::ZERO);
    assert_eq!(reason(solver.solve(&empty, &limits)), Some(Halt::Time));
    let began = Instant::now();
    let limits = Budget::unlimited().with_time(Duration::from_millis(30));
    assert_eq!(reason(solver.solve(&empty, &limits)), Some(Halt::Time));
    assert!(began.elapsed() >= Duration::from_millis(30));

    let flag = Arc::new(AtomicBool::new(true));
    let limits = Budget::unlimited().with_stop(flag.clone());
    assert_eq!(reason(solver.solve(&empty, &limits)), Some(Halt::Stopped));
    let analysis = solver.analyse(&empty, &limits).expect("it is of this game");
    assert!(analysis.stopped == Some(Halt::Stopped) && analysis.scores().is_none());
    assert!(solver.line(&empty, &limits).is_err());
    flag.store(false, Ordering::Relaxed);
    let setter = thread::spawn({
        let flag = flag.clone();
        move || {
            thread::sleep(Duration::from_millis(30));
            flag.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(reason(solver.solve(&empty, &limits)), Some(Halt::Stopped));
    setter.join().expect("the other thread sets a flag and ends");

    // Whatever was stored on the way is true.
    for (position, truth) in hard_positions(8, 47) {
        assert_eq!(score(&mut solver, &position), truth, "\n{position}");
    }
}

/// A search stopped inside an analysis, a line or a weak solution says nothing false of the
/// position asked about.
#[test]
fn a_limit_inside_a_longer_task_leaves_true_bounds() {
    let mut truthful = solver(&Rules::CONNECT_FOUR, SolverOptions::default());
    let mut solver = solver(&Rules::CONNECT_FOUR, SolverOptions::default());
    for (position, truth) in hard_positions(12, 48) {
        for limit in [1, 20, 300, 1000, 2500] {
            let limits = Budget::unlimited().with_nodes(limit);
            let check = |task: &str, result: Result<(), SolveError>| {
                if let Err(SolveError::Unfinished { nodes, lower, upper, .. }) = result {
                    let case = format!("{task} with {limit} nodes\n{position}");
                    assert!(nodes <= limit, "{nodes} nodes: {case}");
                    assert!(
                        (lower..=upper).contains(&truth),
                        "{lower} to {upper}, not {truth}: {case}"
                    );
                }
            };
            solver.forget();
            let analysis = solver.analyse(&position, &limits).expect("it is of this game");
            let (lower, upper) = analysis.bounds().expect("it has moves");
            assert!((lower..=upper).contains(&truth), "{lower} to {upper}, not {truth}");
            assert!(analysis.nodes <= limit, "{} of {limit} nodes", analysis.nodes);
            for found in &analysis.moves {
                let after = -score(&mut truthful, &position.play_unchecked(found.mv()));
                let (lower, upper) = found.bounds();
                assert!((lower..=upper).contains(&after), "{found:?}, not {after}\n{position}");
            }
            solver.forget();
            check("line", solver.line(&position, &limits.renewed()).map(|_| ()));
            solver.forget();
            check("solve_weakly", solver.solve_weakly(&position, &limits.renewed()).map(|_| ()));
        }
    }
}

/// Nodes are told for the whole of a task, and what a watcher sees on the way is true.
#[test]
fn progress_is_told_while_the_work_goes_on() {
    let mut solver = solver(&Rules::CONNECT_FOUR, SolverOptions::default());
    for (position, truth) in hard_positions(12, 49) {
        let progress = Arc::new(Progress::default());
        let limits = Budget::unlimited().with_progress(progress.clone());
        solver.forget();
        let solved = solver.solve(&position, &limits).expect("no limit");
        assert_eq!(progress.nodes(), solved.nodes, "\n{position}");
        let line = solver.line(&position, &limits).expect("no limit");
        let analysis = solver.analyse(&position, &limits).expect("no limit");
        assert_eq!(progress.nodes(), solved.nodes + line.nodes + analysis.nodes, "\n{position}");
        assert!(line.nodes + analysis.nodes > 0 && progress.question().is_none(), "\n{position}");
        // Being watched does not change the search.
        solver.forget();
        let unwatched = solver.solve(&position, &Budget::unlimited()).expect("no limit");
        assert_eq!(unwatched, solved, "\n{position}");

        let over = AtomicBool::new(false);
        solver.forget();
        thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let (mut nodes, mut asked) = (progress.nodes(), 0);
                while !over.load(Ordering::Relaxed) {
                    if let Some(question) = progress.question() {
                        let known = question.lower..=question.upper;
                        assert!(known.contains(&truth), "{question:?}, not {truth}\n{position}");
                        assert!(known.contains(&question.above), "{question:?}\n{position}");
                        asked += 1;
                    }
                    nodes = nodes.max(progress.nodes());
                    thread::yield_now();
                }
                (nodes, asked)
            });
            let solved = solver.solve(&position, &limits).expect("no limit");
            over.store(true, Ordering::Relaxed);
            assert_eq!(solved.score, truth, "\n{position}");
            let (nodes, _) = watcher.join().expect("what is seen is true");
            assert!(nodes <= progress.nodes(), "\n{position}");
        });
    }
}

/// What is reported on the way is what the analysis ends with, book or no book, in rounds or not.
#[test]
fn an_analysis_reports_every_move_as_it_is_found() {
    use fourfold::solver::{AnalysisEvent, AnalysisOptions};
    let mut solver = solver(&Rules::CONNECT_FOUR, SolverOptions::default());
    for (position, truth) in hard_positions(6, 50) {
        for (rounds, weak, limit) in
            [(false, false, None), (true, false, None), (true, true, None), (true, false, Some(20))]
        {
            solver.forget();
            let options =
                AnalysisOptions::default().with_rounds(rounds).with_line(true).with_weak(weak);
            let budget = Budget::unlimited().with_nodes(limit);
            let (mut started, mut found, mut line) = (Vec::new(), Vec::new(), None);
            let analysis = solver
                .analyse_with(&position, options, &budget, |event| match event {
                    AnalysisEvent::Started(mv) => started.push(mv),
                    AnalysisEvent::Found(analysed) => {
                        assert_eq!(started.last(), Some(&analysed.mv()), "each is announced");
                        found.retain(|known: &fourfold::solver::MoveAnalysis| {
                            known.mv() != analysed.mv()
                        });
                        found.push(*analysed);
                    }
                    AnalysisEvent::Line(moves) => line = Some(moves.to_vec()),
                    _ => {}
                })
                .expect("it is of this game");
            assert_eq!(found.len(), analysis.moves.len());
            assert!(analysis.moves.iter().all(|known| found.contains(known)), "\n{position}");
            assert_eq!(analysis.nodes, budget.spent());
            assert_eq!(analysis.line, line);
            let first =
                position.legal_moves().into_iter().min_by_key(|mv| mv.off_centre(position.rules()));
            assert_eq!(started.first(), first.as_ref(), "the most central move comes first");
            if limit.is_some() {
                assert_eq!(analysis.stopped, Some(Halt::Nodes), "\n{position}");
                assert!(analysis.scores().is_none() && analysis.line.is_none());
            } else {
                let best = analysis.best().expect("it is complete").score;
                assert_eq!(best, if weak { truth.signum() } else { truth }, "\n{position}");
                assert_eq!(analysis.line.is_some(), !weak);
            }
        }
    }
}
