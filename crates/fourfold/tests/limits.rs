//! Searches that are stopped, searchers that are used again, and the one switch that may change the
//! value.

mod oracle;

use fourfold::budget::{Budget, Progress};
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Outcome, Position, Rules, Side};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::search::{
    Bound, Counters, Effect, Ended, Halt, Limits, PositionTree, RootMove, SWITCHES, SearchError,
    SearchOptions, Searcher, Switch, Tie, search_tree,
};
use oracle::chance::{random_depth, random_evaluator, random_position, rules};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const RULES: &[&str] = &["7x6c4", "7x6s2", "3x3c3f", "4x4c3", "5x4c3", "4x4s2f", "12x9c5", "2x5c3"];

fn nodes_at_most(depth: u32, nodes: u64) -> Limits {
    Limits::depth(depth).within(Budget::unlimited().with_nodes(nodes))
}

/// A few combinations that walk the tree in different ways.
fn some_options(random: &mut Random) -> SearchOptions {
    SearchOptions::default()
        .with_alpha_beta(random.chance(0.7))
        .with_mid_col(random.chance(0.5))
        .with_early_win(random.chance(0.5))
        .with_table(u32::from(random.chance(0.3)))
        .with_symmetry(random.chance(0.5))
        .with_killers(random.chance(0.5))
        .with_history(random.chance(0.5))
        .with_distance(random.chance(0.7))
        .with_exact_root(random.chance(0.3))
}

/// The exact value of every first move.
fn values(
    evaluator: &Evaluator,
    options: &SearchOptions,
    position: &Position,
    depth: u32,
) -> Vec<(Move, i32)> {
    let plain = SearchOptions::minimax().with_distance(options.distance);
    let report =
        Searcher::new(evaluator.clone(), plain).search(position, &Limits::depth(depth), 0).unwrap();
    report.moves.iter().map(|found| (found.mv, found.score.unwrap())).collect()
}

fn check_finished(finished: &[RootMove<Move>], truth: &[(Move, i32)], about: &str) {
    for found in finished {
        let value = truth.iter().find(|(mv, _)| *mv == found.mv).expect("a legal move").1;
        let score = found.value.expect("a finished move has a value");
        let right = match found.bound {
            Bound::Exact => score == value,
            Bound::AtMost => score >= value,
            Bound::AtLeast => score <= value,
        };
        assert!(right, "{value} is not {:?} {score}: {about}", found.bound);
    }
}

#[test]
fn node_limits_are_kept_to_the_node() {
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(11, index as u64);
        for _ in 0..40 {
            let position = random_position(&rules(text), random);
            let depth = random_depth(&position, random);
            let evaluator = random_evaluator(position.rules(), random);
            let options = some_options(random);
            let about = format!("{text} depth {depth} by {evaluator} with {options:?}\n{position}");
            let fresh = || Searcher::new(evaluator.clone(), options.clone());
            let full = fresh().search(&position, &Limits::depth(depth), 0).unwrap();
            let truth = values(&evaluator, &options, &position, depth);

            let enough = full.counters.nodes;
            let same = fresh().search(&position, &nodes_at_most(depth, enough), 0).expect(&about);
            assert_eq!(
                (same.score, same.best, &same.counters),
                (full.score, full.best, &full.counters)
            );
            let few = random.below(enough as usize) as u64;
            match fresh().search(&position, &nodes_at_most(depth, few), 0) {
                Err(SearchError::Interrupted { halt: Halt::Nodes, finished, nodes }) => {
                    assert_eq!(nodes, few, "{about}");
                    check_finished(&finished, &truth, &about);
                }
                other => panic!("{other:?} with {few} of {enough} nodes: {about}"),
            }
        }
    }
}

#[test]
fn deepening_reports_the_last_depth_completed() {
    let mut halted = 0;
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(12, index as u64);
        for _ in 0..40 {
            let position = random_position(&rules(text), random);
            let depth = random_depth(&position, random);
            let evaluator = random_evaluator(position.rules(), random);
            let options = some_options(random).with_deepening(true);
            let about = format!("{text} depth {depth} by {evaluator} with {options:?}\n{position}");
            let mut searcher = Searcher::new(evaluator.clone(), options.clone());
            let full = searcher.search(&position, &Limits::depth(depth), 0).unwrap();
            let few = random.below(full.counters.nodes as usize) as u64;
            let mut searcher = Searcher::new(evaluator.clone(), options.clone());
            match searcher.search(&position, &nodes_at_most(depth, few), 0) {
                Ok(report) => {
                    halted += 1;
                    assert_eq!(report.ended, Ended::Halted(Halt::Nodes), "{about}");
                    assert_eq!(report.counters.nodes, few, "{about}");
                    let truth = values(&evaluator, &options, &position, report.depth);
                    assert_eq!(
                        Some(report.score),
                        truth.iter().map(|(_, value)| *value).max(),
                        "{about}"
                    );
                    assert!(truth.contains(&(report.best.unwrap(), report.score)), "{about}");
                }
                Err(SearchError::Interrupted { halt, finished, nodes }) => {
                    assert_eq!((halt, nodes), (Halt::Nodes, few), "{about}");
                    let truth = values(&evaluator, &options, &position, depth.min(1));
                    check_finished(&finished, &truth, &about);
                }
                Err(other) => panic!("{other}: {about}"),
            }
        }
    }
    assert!(halted > 50, "{halted} searches were halted");
}

#[test]
fn no_nodes_no_result() {
    let empty = Position::new(Rules::CONNECT_FOUR);
    for deepening in [false, true] {
        let options = SearchOptions::default().with_deepening(deepening);
        let mut searcher = Searcher::new(Evaluator::Terminal, options);
        let error = searcher.search(&empty, &nodes_at_most(5, 0), 0).unwrap_err();
        let nothing =
            SearchError::Interrupted { halt: Halt::Nodes, finished: Vec::new(), nodes: 0 };
        assert_eq!(error, nothing);
        assert_eq!(
            error.to_string(),
            "the search was broken off after 0 nodes: the node limit was reached"
        );
    }
}

/// Nodes are told exactly, however a search ends, and being watched changes nothing.
#[test]
fn progress_is_told_to_whoever_watches() {
    let empty = Position::new(Rules::CONNECT_FOUR);
    let progress = Arc::new(Progress::default());
    let watched = |limits: Limits| {
        let budget = limits.budget.clone().with_progress(Arc::clone(&progress));
        limits.within(budget)
    };
    let mut told = 0;
    for (deepening, limits) in
        [(false, Limits::depth(6)), (true, Limits::depth(7)), (true, nodes_at_most(42, 50_000))]
    {
        let options = SearchOptions::default().with_deepening(deepening);
        let search = |limits: &Limits| {
            Searcher::new(Evaluator::Terminal, options.clone()).search(&empty, limits, 0)
        };
        let (seen, unseen) =
            (search(&watched(limits.renewed())).unwrap(), search(&limits).unwrap());
        assert_eq!((&seen.counters, seen.score), (&unseen.counters, unseen.score));
        told += seen.counters.nodes;
        assert_eq!((progress.nodes(), progress.depth()), (told, None));
    }
    let stopped = watched(nodes_at_most(42, 9000));
    Searcher::new(Evaluator::Terminal, SearchOptions::default())
        .search(&empty, &stopped, 0)
        .unwrap_err();
    assert_eq!(progress.nodes(), told + 9000);

    // On the way the depth is seen, and no more nodes than there will be.
    let stop = Arc::new(AtomicBool::new(false));
    let endless =
        watched(Limits::depth(42).within(Budget::unlimited().with_stop(Arc::clone(&stop))));
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let options = SearchOptions::default().with_deepening(true);
            Searcher::new(Evaluator::Terminal, options).search(&empty, &endless, 0).unwrap()
        });
        while progress.depth().is_none_or(|depth| depth < 5) {
            std::thread::yield_now();
        }
        let seen = progress.nodes();
        stop.store(true, Ordering::Relaxed);
        let report = search.join().unwrap();
        assert!(seen > told && seen <= told + 9000 + report.counters.nodes && report.depth >= 4);
    });
}

#[test]
fn time_and_the_flag_stop_a_search() {
    let empty = Position::new(Rules::CONNECT_FOUR);
    let evaluator = Evaluator::natural(&Rules::CONNECT_FOUR);
    let soon = Limits::depth(42).within(Budget::unlimited().with_time(Duration::from_millis(40)));
    let set = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
    let flag = Limits::depth(42).within(set);
    for (limits, halt) in [(soon, Halt::Time), (flag, Halt::Stopped)] {
        for table in [0, 1] {
            let options =
                SearchOptions::default().with_deepening(true).with_table(table).with_mid_col(true);
            let report = Searcher::new(evaluator.clone(), options.clone())
                .search(&empty, &limits.renewed(), 0)
                .unwrap();
            assert_eq!(report.ended, Ended::Halted(halt));
            assert!(report.depth > 0 && report.depth < 42);
            assert!(report.elapsed < Duration::from_secs(2), "{:?}", report.elapsed);
            let again = Searcher::new(evaluator.clone(), options)
                .search(&empty, &Limits::depth(report.depth), 0)
                .unwrap();
            assert_eq!((again.score, again.best), (report.score, report.best));
            assert!(!report.line.is_empty() && report.line.len() as u32 <= report.depth);

            let options = SearchOptions::default().with_table(table);
            match Searcher::new(evaluator.clone(), options).search(&empty, &limits.renewed(), 0) {
                Err(SearchError::Interrupted { halt: why, nodes, .. }) => {
                    assert_eq!(why, halt);
                    assert!(nodes > 0);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn nothing_is_searched_at_depth_0_or_after_the_end() {
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(13, index as u64);
        for _ in 0..30 {
            let mut position = random_position(&rules(text), random);
            let evaluator = random_evaluator(position.rules(), random);
            let options = some_options(random).with_deepening(random.chance(0.5));
            let mut searcher = Searcher::new(evaluator.clone(), options.clone());
            if !position.outcome().is_over() {
                let report = searcher.search(&position, &Limits::depth(0), 0).unwrap();
                assert_eq!(
                    report.score,
                    evaluator.evaluate(&position, position.to_move()).unwrap()
                );
                assert_eq!(report.verdict, Verdict::Estimate(report.score));
                assert_eq!(
                    (report.best, report.counters.nodes, report.counters.evaluations),
                    (None, 1, 1)
                );
            }
            while let Some(&mv) = random.pick(&position.legal_moves()) {
                position = position.play_unchecked(mv);
            }
            for depth in [0, 1, 5, 1000] {
                let report = searcher.search(&position, &Limits::depth(depth), 0).unwrap();
                let known = options.distance.then_some(0);
                let expected = match position.outcome() {
                    Outcome::Won { by, .. } => {
                        assert_ne!(by, position.to_move());
                        Verdict::Loss { plies: known }
                    }
                    _ => Verdict::Draw,
                };
                assert_eq!(report.verdict, expected, "{text} {options:?}\n{position}");
                assert_eq!(
                    (report.best, report.counters.nodes, report.counters.ended),
                    (None, 1, 1)
                );
                assert!(report.line.is_empty() && report.moves.is_empty());
            }
        }
    }
}

#[test]
fn a_searcher_used_again_says_the_same() {
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(14, index as u64);
        for round in 0..6 {
            let evaluator = random_evaluator(&rules(text), random);
            let options = some_options(random)
                .with_table(1)
                .with_cached_ends(random.chance(0.7))
                .with_deepening(random.chance(0.5))
                .with_contempt(*random.pick(&[0, 30]).unwrap());
            let plain = SearchOptions::default()
                .with_contempt(options.contempt)
                .with_distance(options.distance);
            let mut kept = Searcher::new(evaluator.clone(), options.clone());
            let mut position = Position::new(rules(text));
            while let Some(&mv) = random.pick(&position.legal_moves()) {
                // In even rounds it sees every position, so that MAX changes with every move; else
                // one side's only.
                if round % 2 == 0 || position.to_move() == Side::First {
                    let depth = random_depth(&position, random).min(5);
                    let limits = Limits::depth(depth);
                    let found = kept.search(&position, &limits, 0).unwrap();
                    let fresh = Searcher::new(evaluator.clone(), plain.clone())
                        .search(&position, &limits, 0)
                        .unwrap();
                    let about =
                        format!("{text} depth {depth} by {evaluator} with {options:?}\n{position}");
                    assert_eq!(found.score, fresh.score, "{about}");
                    assert_eq!(found.best.is_some(), fresh.best.is_some(), "{about}");
                }
                position = position.play_unchecked(mv);
            }
        }
    }
}

#[test]
fn one_searcher_serves_many_games() {
    let options = SearchOptions::default().with_table(1).with_cached_ends(true).with_symmetry(true);
    let mut kept = Searcher::new(Evaluator::OpenLines, options);
    let random = &mut Random::new(15);
    for _ in 0..60 {
        let position = random_position(&rules(random.pick(RULES).unwrap()), random);
        let limits = Limits::depth(random_depth(&position, random).min(5));
        let mut fresh = Searcher::new(Evaluator::OpenLines, SearchOptions::default());
        let (found, fresh) =
            (kept.search(&position, &limits, 0), fresh.search(&position, &limits, 0));
        assert_eq!(found.unwrap().score, fresh.unwrap().score, "{}\n{position}", position.rules());
    }
}

#[test]
fn reports_and_counters_count_the_same_nodes() {
    let random = &mut Random::new(16);
    for _ in 0..200 {
        let rules = rules(random.pick(&["7x6c4", "3x3c3f", "5x4c3"]).unwrap());
        let position = random_position(&rules, random);
        let options = some_options(random).with_deepening(random.chance(0.5));
        let tree = PositionTree::<u64, _>::new(&position, fourfold::eval::OpenLines, &options);
        let limits = Limits::depth(random_depth(&position, random));
        let mut both = (Counters::default(), Counters::default());
        let report = search_tree(&tree, &options, &limits, 0, &mut both).unwrap();
        assert_eq!(report.nodes, both.0.nodes, "{options:?}\n{position}");
        assert_eq!(both.0, both.1, "two observers see the same");
        let mut sum = Counters::default();
        sum.add(&both.0);
        sum.add(&both.1);
        assert_eq!((sum.nodes, sum.all_cuts()), (2 * both.0.nodes, 2 * both.1.all_cuts()));
    }
}

#[test]
fn forward_pruning_keeps_wins_and_blocks() {
    let forward = Switch::named("forward").unwrap();
    assert_eq!(forward.effect, Effect::MayChangeValue);
    assert_eq!(SWITCHES.iter().filter(|switch| switch.effect == forward.effect).count(), 1);
    let (mut wins, mut blocks, mut pruned) = (0, 0, 0);
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(17, index as u64);
        for _ in 0..150 {
            let position = random_position(&rules(text), random);
            let evaluator = random_evaluator(position.rules(), random);
            let options = some_options(random)
                .with_forward(1 + random.below(4) as u32)
                .with_tie(*random.pick(&[Tie::First, Tie::Centre, Tie::Random]).unwrap())
                .with_deepening(random.chance(0.3));
            assert!(!options.keeps_value());
            let about = format!("{text} by {evaluator} with {options:?}\n{position}");
            let depth = 2 + random.below(3) as u32;
            let mut searcher = Searcher::new(evaluator.clone(), options.clone());
            let report =
                searcher.search(&position, &Limits::depth(depth), random.next_u64()).unwrap();
            pruned += report.counters.forward_pruned;
            if position.outcome().is_over() {
                continue;
            }
            let best = report.best.unwrap_or_else(|| panic!("no move: {about}"));
            assert!(position.legal_moves().contains(&best), "{about}");
            let (winning, threats) = (position.winning_moves(), position.threatened_moves());
            if !winning.is_empty() {
                wins += 1;
                // Where wins do not count their distance a later one may be chosen.
                let won = position.play(best).unwrap().outcome().is_over();
                assert!(
                    won || !options.distance,
                    "{} does not win: {about}",
                    best.label(position.rules())
                );
                assert!(report.score >= fourfold::score::DECIDED, "{about}");
            } else if threats.len() == 1 {
                // Unless it hands over another win at once, or all is lost and it does not matter
                // when.
                let holds = position.play(threats[0]).unwrap().winning_moves().is_empty();
                if holds && (options.distance || report.score > -fourfold::score::DECIDED) {
                    blocks += 1;
                    assert_eq!(best, threats[0], "not blocked: {about}");
                }
            }
        }
    }
    assert!(wins > 100 && blocks > 100 && pruned > 1000, "{wins} {blocks} {pruned}");
}
