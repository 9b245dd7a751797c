//! Trees in memory: built from positions, made at random, typed by hand; and the trace of a search
//! of one.

mod oracle;

use fourfold::eval::Evaluator;
use fourfold::game::Position;
use fourfold::random::Random;
use fourfold::search::{
    Bound, Counters, ExplicitTree, Limits, NodeId, Report, SWITCHES, SearchError, SearchOptions,
    Searcher, Step, SwitchKind, Tie, Trace, Tree, TreeSizeError, Turn, search_numbered,
    search_tree,
};
use oracle::chance::{random_depth, random_evaluator, random_position, rules};
use oracle::judge::{Tally, Terms, weigh};

const MEBIBYTE: u64 = 1 << 20;
const RULES: &[&str] =
    &["7x6c4", "7x6s2", "3x3c3f", "4x4c3", "5x4c3", "4x4s2f", "12x9c5", "2x5c3", "1x7c3f"];

fn search(tree: &ExplicitTree, options: &SearchOptions) -> (Report<NodeId>, Counters) {
    let mut counters = Counters::default();
    let report =
        search_tree(tree, options, &Limits::depth(tree.depth()), 0, &mut counters).unwrap();
    assert_eq!(report.nodes, counters.nodes);
    (report, counters)
}

/// Minimax of a node, as the definition has it.
fn minimax(tree: &ExplicitTree, node: NodeId) -> i32 {
    let below = tree.children(node).map(|child| minimax(tree, child));
    let best = if tree.turn(&node) == Turn::Max { below.max() } else { below.min() };
    best.unwrap_or_else(|| tree.leaf_value(node).expect("a node without children is a leaf"))
}

/// Children stand side by side, level after level, and know their parent.
fn check_numbering(tree: &ExplicitTree) {
    let mut next = 1;
    for node in tree.nodes() {
        for child in tree.children(node) {
            assert_eq!((child.index(), tree.parent(child)), (next, Some(node)));
            assert_eq!(tree.level(child), tree.level(node) + 1);
            assert_eq!(tree.turn(&child), tree.turn(&node).other());
            next += 1;
        }
        assert_eq!(tree.leaf_value(node).is_some(), tree.children(node).len() == 0);
    }
    assert_eq!(next, tree.len());
    assert_eq!(tree.nodes().map(|node| tree.level(node)).max(), Some(tree.depth()));
    assert_eq!(tree.parent(NodeId::ROOT), None);
}

#[test]
fn a_built_tree_is_the_tree_that_is_searched() {
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(31, index as u64);
        for _ in 0..30 {
            let position = random_position(&rules(text), random);
            let depth = random_depth(&position, random);
            let evaluator = random_evaluator(position.rules(), random);
            let options = SearchOptions::minimax()
                .with_mid_col(random.chance(0.5))
                .with_contempt(*random.pick(&[0, 40]).unwrap())
                .with_distance(random.chance(0.5));
            let about =
                format!("{text} to depth {depth} by {evaluator} with {options:?}\n{position}");
            let tree = ExplicitTree::build(&position, &evaluator, &options, depth, 64 * MEBIBYTE)
                .expect(&about);
            let limits = Limits::depth(depth);
            let expected = Searcher::new(evaluator.clone(), options.clone())
                .search(&position, &limits, 0)
                .unwrap();
            assert_eq!(tree.len() as u64, expected.counters.nodes, "{about}");
            check_numbering(&tree);

            // At every node: the position, and minimax of it by the naive search.
            check_positions(&tree, &evaluator, &options, depth, &about);
            for alpha_beta in [false, true] {
                let options = options.clone().with_alpha_beta(alpha_beta);
                let (report, counters) = search(&tree, &options);
                let expected = Searcher::new(evaluator.clone(), options.clone())
                    .search(&position, &limits, 0)
                    .unwrap();
                let line: Vec<_> =
                    report.line.iter().filter_map(|&node| tree.game_move(node)).collect();
                assert_eq!((report.value, line), (expected.score, expected.line), "{about}");
                assert_eq!(
                    report.best.and_then(|node| tree.game_move(node)),
                    expected.best,
                    "{about}"
                );
                assert_eq!(counters, expected.counters, "{about}");
            }

            // Less deep than it was built: the evaluator is asked where the horizon is then.
            let less = random.below(depth as usize + 1) as u32;
            let report = search_tree(&tree, &options, &Limits::depth(less), 0, &mut ()).unwrap();
            let expected = Searcher::new(evaluator.clone(), options.clone())
                .search(&position, &Limits::depth(less), 0)
                .unwrap();
            assert_eq!(report.value, expected.score, "to depth {less}: {about}");
        }
    }
}

fn check_positions(
    tree: &ExplicitTree,
    evaluator: &Evaluator,
    options: &SearchOptions,
    depth: u32,
    about: &str,
) {
    let root = tree.position().expect("built of a position");
    let terms = Terms {
        evaluator: evaluator.clone(),
        contempt: options.contempt,
        distance: options.distance,
    };
    let values = tree.weigh();
    // The naive search of every node of a large tree would take long; every seventh will do there.
    let step = if tree.len() > 500 { 7 } else { 1 };
    for node in tree.nodes().step_by(step) {
        let position = tree.position_at(node).expect("a tree of positions");
        assert_eq!(position.ply(), root.ply() + tree.level(node), "{about}");
        assert_eq!(values[node.index()], minimax(tree, node), "{about}");
        if tree.level(node) + 2 >= depth {
            let left = depth - tree.level(node);
            let value = weigh(
                &mut oracle::Game::of(&position),
                root.to_move(),
                left,
                &terms,
                &mut Tally::default(),
            );
            assert_eq!(values[node.index()], value, "{node} of {about}");
        }
        if let (Some(mv), Some(parent)) = (tree.game_move(node), tree.parent(node)) {
            assert_eq!(tree.position_at(parent).unwrap().play(mv), Ok(position), "{about}");
        }
    }
}

#[test]
fn switches_that_a_tree_was_not_built_with_are_errors() {
    let position = Position::new(rules("4x4c3"));
    let built = SearchOptions::default().with_mid_col(true).with_contempt(7);
    let plain = SearchOptions::default();
    let build = |options| {
        ExplicitTree::build(&position, &Evaluator::Terminal, options, 2, MEBIBYTE).unwrap()
    };
    let typed: ExplicitTree = "((1 2)(3 4))".parse().unwrap();
    let refused = |tree: &ExplicitTree, name: &str, value: &str| {
        let mut options = SearchOptions::default();
        options.set(name, value).unwrap();
        match search_tree(tree, &options, &Limits::depth(2), 0, &mut ()) {
            Err(SearchError::Unserved { switch }) => {
                assert_eq!(switch, name);
                true
            }
            _ => false,
        }
    };
    for tree in [&build(&plain), &build(&built), &typed] {
        for (name, value) in [
            ("early_win", "on"),
            ("table", "1"),
            ("symmetry", "on"),
            ("killers", "on"),
            ("history", "on"),
            ("forward", "2"),
            ("cached_ends", "on"),
            ("tie", "random"),
            ("distance", "off"),
        ] {
            assert!(refused(tree, name, value), "{name}");
        }
        for (name, value) in [("alpha_beta", "off"), ("deepening", "on"), ("exact_root", "on")] {
            assert!(!refused(tree, name, value), "{name}");
        }
    }
    for name in ["mid_col", "contempt"] {
        let value = if name == "mid_col" { "on" } else { "7" };
        assert!(refused(&typed, name, value) && refused(&build(&plain), name, value), "{name}");
        assert!(!refused(&build(&built), name, value), "{name}");
    }
    let options = SearchOptions::default().with_tie(Tie::Random);
    let error = search_tree(&typed, &options, &Limits::depth(2), 0, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "this tree cannot serve the switch tie");
}

#[test]
fn trees_too_large_are_refused_before_memory_is_asked_for() {
    let position = Position::new(rules("7x6c4"));
    let build = |depth, limit| {
        ExplicitTree::build(
            &position,
            &Evaluator::Terminal,
            &SearchOptions::default(),
            depth,
            limit,
        )
    };
    // 1 + 7 + 49 + 343 nodes.
    let exactly = 400 * ExplicitTree::BYTES_PER_NODE;
    assert_eq!(build(3, exactly).unwrap().len(), 400);
    let error = build(3, exactly - 1).unwrap_err();
    assert!(
        matches!(error, TreeSizeError::TooLarge { nodes: 399, counted_all: false, .. }),
        "{error:?}"
    );
    let error = build(9, MEBIBYTE).unwrap_err().to_string();
    let most = MEBIBYTE / ExplicitTree::BYTES_PER_NODE;
    assert!(
        error.starts_with(&format!("the tree has more than {most} nodes and needs more than ")),
        "{error}"
    );
    assert!(
        error.ends_with("more than the 1 MiB allowed: look less deep or raise the limit"),
        "{error}"
    );
    let error = ExplicitTree::random(10, 6, 0, MEBIBYTE).unwrap_err().to_string();
    assert!(error.starts_with("the tree has 1111111 nodes and needs "), "{error}");
    assert!(ExplicitTree::random(u16::MAX, u32::MAX, 0, u64::MAX).is_err());
    assert_eq!(
        ExplicitTree::random(1, 257, 0, MEBIBYTE).unwrap_err().to_string(),
        "257 levels are too many: a tree may be 256 levels deep"
    );
}

#[test]
fn random_trees_are_the_same_for_every_search() {
    let random = &mut Random::new(32);
    for _ in 0..400 {
        let branching = random.below(6) as u16;
        let depth = random.below(6) as u32;
        let seed = random.next_u64();
        let turn = if random.chance(0.5) { Turn::Max } else { Turn::Min };
        let tree = ExplicitTree::random(branching, depth, seed, 64 * MEBIBYTE)
            .unwrap()
            .with_root_turn(turn);
        let about = format!("branching {branching}, depth {depth}, seed {seed}, {turn:?}");
        check_numbering(&tree);
        assert_eq!(tree.turn(&NodeId::ROOT), turn);
        assert!(
            tree.nodes()
                .filter_map(|node| tree.leaf_value(node))
                .all(|value| (0..100).contains(&value))
        );
        let again = ExplicitTree::random(branching, depth, seed, 64 * MEBIBYTE).unwrap();
        assert!(
            tree.nodes().all(|node| tree.leaf_value(node) == again.leaf_value(node)),
            "{about}"
        );
        let values = tree.weigh();
        assert_eq!(values[0], minimax(&tree, NodeId::ROOT), "{about}");
        let (plain, all) = search(&tree, &SearchOptions::minimax());
        assert_eq!((plain.value, all.nodes), (values[0], tree.len() as u64), "{about}");
        for (deepening, exact_root) in [(false, false), (true, false), (false, true), (true, true)]
        {
            let options =
                SearchOptions::default().with_deepening(deepening).with_exact_root(exact_root);
            let (report, counters) = search(&tree, &options);
            assert_eq!((report.value, report.best), (plain.value, plain.best), "{about}");
            assert!(deepening || counters.nodes <= all.nodes, "{about}");
            for found in &report.moves {
                let (value, said) = (values[found.mv.index()], found.value.unwrap());
                match found.bound {
                    Bound::Exact => assert_eq!(said, value, "{about}"),
                    Bound::AtMost => assert!(said >= value && turn == Turn::Max, "{about}"),
                    Bound::AtLeast => assert!(said <= value && turn == Turn::Min, "{about}"),
                }
            }
            let end = report.line.last().copied().unwrap_or(NodeId::ROOT);
            assert_eq!(tree.leaf_value(end), Some(report.value), "{about}");
        }
    }
}

#[test]
fn deepening_is_not_misled_by_large_leaves() {
    let tree: ExplicitTree = "(9999999 (10000000 10000000))".parse().unwrap();
    let options = SearchOptions::default().with_deepening(true);
    assert_eq!(search(&tree, &options).0.value, 10_000_000);
    assert!("(99999999 1)".parse::<ExplicitTree>().is_err(), "it would read as a win");
}

fn traced(tree: &ExplicitTree, alpha_beta: bool) -> Trace {
    let mut trace = Trace::new();
    let options = SearchOptions::default().with_alpha_beta(alpha_beta);
    search_tree(tree, &options, &Limits::depth(tree.depth()), 0, &mut trace).unwrap();
    trace
}

#[test]
fn every_leaf_is_visited_or_below_one_cut_edge() {
    let random = &mut Random::new(33);
    for _ in 0..300 {
        let (branching, depth) = (1 + random.below(5) as u16, random.below(5) as u32);
        let seed = random.next_u64();
        let turn = if random.chance(0.5) { Turn::Max } else { Turn::Min };
        let tree =
            ExplicitTree::random(branching, depth, seed, MEBIBYTE).unwrap().with_root_turn(turn);
        let about = format!("branching {branching}, depth {depth}, seed {seed}, {turn:?}");
        let trace = traced(&tree, true);
        let cut = trace.cut_edges();
        assert!(cut.is_sorted(), "{about}");
        for leaf in tree.nodes().filter(|&node| tree.leaf_value(node).is_some()) {
            let path = std::iter::successors(Some(leaf), |&node| tree.parent(node));
            let cuts = path.filter(|node| cut.contains(node)).count();
            let visits = trace.leaves().iter().filter(|&&visited| visited == leaf).count();
            assert_eq!(cuts + visits, 1, "{leaf} of {about}");
        }
        check_steps(&tree, &trace, &about);
        let all = traced(&tree, false);
        assert!(all.cut_edges().is_empty());
        assert_eq!(all.leaves().len(), usize::from(branching).pow(depth), "{about}");
    }
}

/// Steps go in and out in pairs, what they say of values is true, and each has a sentence.
fn check_steps(tree: &ExplicitTree, trace: &Trace, about: &str) {
    let values = tree.weigh();
    let mut path = Vec::new();
    for step in trace.steps() {
        for pruning in [false, true] {
            let sentence = step.sentence(tree, pruning);
            assert!(sentence.ends_with('.') && sentence.len() > 10, "{sentence:?} in {about}");
            assert!(!sentence.starts_with("the "), "{sentence:?} in {about}");
        }
        match *step {
            Step::Enter { node, .. } => path.push(node),
            Step::Leaf { node, value, ended } => {
                assert_eq!((tree.leaf_value(node), ended), (Some(value), true), "{about}");
            }
            Step::Update { node, child, .. } => {
                assert_eq!((path.last(), tree.parent(child)), (Some(&node), Some(node)), "{about}");
            }
            Step::Cut { node, ref edges, window } => {
                assert!(window.is_closed() && edges.is_sorted(), "{about}");
                assert_eq!(tree.children(node).last(), edges.last().copied(), "{about}");
            }
            Step::Leave { node, value, bound } => {
                assert_eq!(path.pop(), Some(node), "{about}");
                let truth = values[node.index()];
                let right = match bound {
                    Bound::Exact => value == truth,
                    Bound::AtMost => truth <= value,
                    Bound::AtLeast => truth >= value,
                };
                assert!(right, "{node} is {truth}, not {bound:?} {value}: {about}");
            }
            Step::Deepen { .. }
            | Step::Recall { .. }
            | Step::Prefer { .. }
            | Step::Skip { .. }
            | Step::EarlyWin { .. } => panic!("{step:?}: {about}"),
        }
    }
    assert!(path.is_empty(), "{about}");
}

#[test]
fn a_trace_less_deep_than_the_tree_is_whole() {
    let tree = ExplicitTree::random(3, 4, 5, MEBIBYTE).unwrap();
    let mut trace = Trace::new();
    search_tree(&tree, &SearchOptions::default(), &Limits::depth(2), 0, &mut trace).unwrap();
    let entered = trace.steps().iter().filter(|step| matches!(step, Step::Enter { .. })).count();
    let left = trace.steps().iter().filter(|step| matches!(step, Step::Leave { .. })).count();
    assert_eq!((entered, left), (4, 4));
}

fn names(nodes: &[NodeId]) -> Vec<String> {
    nodes.iter().map(ToString::to_string).collect()
}

#[test]
fn the_practice_problem_step_by_step() {
    let tree: ExplicitTree =
        "((((8 9)(7 4))((6 7)(3 3)))(((8 9)(6 9))((1 4)(2 6))))".parse().unwrap();
    let trace = traced(&tree, true);
    assert_eq!(names(&trace.cut_edges()), ["E-18", "E-22", "E-26", "E-28", "E-30"]);
    let (report, _) = search(&tree, &SearchOptions::default());
    assert_eq!((report.value, report.best.unwrap().to_string().as_str()), (6, "E-1"));
}

#[test]
fn nine_leaves_step_by_step() {
    let tree: ExplicitTree = "((9 8 7)(6 5 4)(3 2 1))".parse().unwrap();
    let values = |trace: &Trace| -> Vec<i32> {
        trace.leaves().iter().map(|&leaf| tree.leaf_value(leaf).unwrap()).collect()
    };
    // MAX is sure of 7 after the first branch. The first leaf of each other is less, so MIN's rest
    // cannot matter. The leaves are E-4 to E-12: cut are 5 and 4 (E-8, E-9), 2 and 1 (E-11,
    // E-12).
    let trace = traced(&tree, true);
    assert_eq!(values(&trace), [9, 8, 7, 6, 3]);
    assert_eq!(names(&trace.cut_edges()), ["E-8", "E-9", "E-11", "E-12"]);
    assert_eq!(values(&traced(&tree, false)), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
    let cut = trace.steps().iter().find(|step| matches!(step, Step::Cut { .. })).unwrap();
    assert_eq!(
        cut.sentence(&tree, true),
        "MIN already has 6 here, MAX has 7 elsewhere: the rest of this branch cannot matter, cut E-8 to E-9 (an alpha \
         cut)."
    );
}

/// Any switches that the tree of a position serves.
fn random_options(random: &mut Random, book: bool) -> SearchOptions {
    let mut options = SearchOptions::default();
    for switch in &SWITCHES {
        if random.chance(0.5) || switch.name == "book" && !book {
            continue;
        }
        let value = match switch.kind {
            SwitchKind::Flag => (*random.pick(&["on", "off"]).unwrap()).to_owned(),
            SwitchKind::Number { .. } => (1 + random.below(3)).to_string(),
            SwitchKind::Choice(words) => (*random.pick(words).unwrap()).to_owned(),
        };
        options.set(switch.name, &value).unwrap();
    }
    options
}

#[test]
fn a_numbered_search_is_the_search_of_its_position() {
    let mut seen = std::collections::BTreeSet::new();
    for (index, text) in RULES.iter().enumerate() {
        let random = &mut Random::for_item(34, index as u64);
        for _ in 0..120 {
            let position = random_position(&rules(text), random);
            let depth = random_depth(&position, random).min(4);
            let evaluator = random_evaluator(position.rules(), random);
            let options = random_options(random, *text == "7x6c4" && cfg!(feature = "book"));
            let about =
                format!("{text} to depth {depth} by {evaluator} with {options:?}\n{position}");
            let tree =
                ExplicitTree::build(&position, &evaluator, &options, depth, 64 * MEBIBYTE).unwrap();
            // Where all games end sooner, deepening stops there.
            let (seed, limits) = (random.next_u64(), Limits::depth(tree.depth()));
            let mut observer = (Counters::default(), Trace::new());
            let report =
                search_numbered(&tree, &options, &limits, seed, &mut observer).expect(&about);
            let (counters, trace) = observer;
            let expected = Searcher::new(evaluator, options.clone())
                .search(&position, &limits, seed)
                .expect(&about);
            let moves = |line: &[NodeId]| {
                line.iter().filter_map(|&node| tree.game_move(node)).collect::<Vec<_>>()
            };
            assert_eq!(
                (report.value, moves(&report.line)),
                (expected.score, expected.line),
                "{about}"
            );
            assert_eq!(report.best.and_then(|node| tree.game_move(node)), expected.best, "{about}");
            assert_eq!(counters, expected.counters, "{about}");
            check_trace(&tree, &trace, &counters, &about);
            seen.extend(
                trace
                    .steps()
                    .iter()
                    .map(|step| format!("{step:?}").split(' ').next().unwrap().to_owned()),
            );

            // The same steps, as far as they are kept.
            let most = random.below(30);
            let mut short = Trace::keeping(most);
            search_numbered(&tree, &options, &limits, seed, &mut short).expect(&about);
            assert_eq!(short.steps(), &trace.steps()[..most.min(trace.steps().len())], "{about}");
            assert_eq!(short.count(), trace.steps().len() as u64, "{about}");
        }
    }
    assert_eq!(seen.len(), 10, "every kind of step was met: {seen:?}");
}

/// Steps nest, each edge of a node is tried, left out, cut or (after a win) passed over once, and
/// what is counted is there.
fn check_trace(tree: &ExplicitTree, trace: &Trace, counters: &Counters, about: &str) {
    let mut path: Vec<(NodeId, Vec<NodeId>, bool)> = Vec::new();
    let [mut skipped, mut hits, mut wins] = [0; 3];
    for step in trace.steps() {
        let sentence = step.sentence(tree, true);
        assert!(
            sentence.ends_with('.') && !sentence.contains("root was"),
            "{sentence:?} in {about}"
        );
        match *step {
            Step::Deepen { .. } => assert!(path.is_empty(), "{about}"),
            Step::Enter { node, .. } => path.push((node, Vec::new(), false)),
            Step::Leaf { node, .. } => {
                assert_eq!(path.last().map(|above| above.0), tree.parent(node), "{about}");
            }
            Step::Recall { node, .. } => {
                hits += 1;
                // Nobody enters the horizon.
                if path.last().is_some_and(|above| above.0 == node) {
                    path.pop();
                }
                assert_eq!(path.last().map(|above| above.0), tree.parent(node), "{about}");
            }
            Step::Prefer { node, edge, .. } => {
                assert_eq!(tree.parent(edge), Some(node), "{about}");
                assert_ne!(tree.children(node).next(), Some(edge), "{about}");
            }
            Step::Skip { edge, .. } => {
                skipped += 1;
                path.last_mut().expect(about).1.push(edge);
            }
            Step::EarlyWin { .. } => {
                wins += 1;
                path.last_mut().expect(about).2 = true;
            }
            Step::Update { node, child, .. } => {
                let above = path.last_mut().expect(about);
                assert_eq!((above.0, tree.parent(child)), (node, Some(node)), "{about}");
                above.1.push(child);
            }
            Step::Cut { ref edges, .. } => path.last_mut().expect(about).1.extend(edges),
            Step::Leave { node, .. } => {
                let (left, mut done, won) = path.pop().expect(about);
                done.sort_unstable();
                assert_eq!(left, node, "{about}");
                assert!(won || tree.children(node).eq(done), "{node} of {about}");
            }
        }
    }
    assert!(path.is_empty(), "{about}");
    assert_eq!(skipped, counters.symmetric + counters.forward_pruned, "{about}");
    assert_eq!(
        hits,
        counters.table_hits + counters.cached_end_hits + counters.book_hits,
        "{about}"
    );
    assert_eq!(wins, counters.early_wins, "{about}");
}

#[test]
fn a_numbered_search_is_of_the_tree_as_it_was_built() {
    let position = Position::new(rules("4x4c3"));
    let plain = SearchOptions::default();
    let tree = ExplicitTree::build(&position, &Evaluator::Terminal, &plain, 2, MEBIBYTE).unwrap();
    for (name, value) in [("mid_col", "on"), ("contempt", "3"), ("distance", "off"), ("book", "on")]
    {
        let mut options = plain.clone();
        options.set(name, value).unwrap();
        let error = search_numbered(&tree, &options, &Limits::depth(2), 0, &mut ()).unwrap_err();
        assert_eq!(error, SearchError::Unserved { switch: name });
    }
    let typed: ExplicitTree = "((1 2)(3 4))".parse().unwrap();
    let options = plain.with_table(1);
    let error = search_numbered(&typed, &options, &Limits::depth(2), 0, &mut ()).unwrap_err();
    assert_eq!(error, SearchError::Unserved { switch: "table" });
    let deep =
        search_numbered(&tree, &SearchOptions::default(), &Limits::depth(9), 0, &mut ()).unwrap();
    assert_eq!(deep.depth, 2, "there is nothing below");
}
