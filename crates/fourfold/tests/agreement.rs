//! Every value-keeping switch of the textbook search against plain minimax on the plain game of
//! [`oracle`].
//!
//! Random positions of many rules, random depths, random evaluators, random values for ends of
//! games: what the naive search finds is computed once, move by move, and then asked of the library
//! under random combinations of switches. A failure names the game, the position and the options.

mod oracle;

use fourfold::eval::Evaluator;
use fourfold::game::{Cell, Move, Position, Rules, Side, Symmetry};
use fourfold::random::Random;
use fourfold::score::{DECIDED, WIN};
use fourfold::search::{
    Bound, Counters, Ended, Limits, PositionReport, SearchOptions, Searcher, Tie,
};
use oracle::Game;
use oracle::chance::{move_at, random_depth, random_evaluator, random_position, rules};
use oracle::judge::{Tally, Terms, weigh};
use std::collections::{BTreeSet, HashMap};

/// Lines of 2 to 5, squares of 2 and 3, with and without gravity, odd and even heights, words of 64
/// and 128 bits.
const RULES: &[&str] = &[
    "7x6c4", "7x6s2", "3x3c3f", "4x2c2", "4x4c4", "5x4c3", "6x5c4", "5x5s2", "4x4s2f", "4x3c3f",
    "1x7c3f", "3x4s2", "4x4c3", "2x5c3", "6x6s3", "3x3s2f", "12x9c5", "9x7c4", "16x7s2",
];

fn random_terms(rules: &Rules, random: &mut Random) -> Terms {
    Terms {
        evaluator: random_evaluator(rules, random),
        contempt: *random.pick(&[0, 0, 50, -50, 1_000_000, -1_000_000]).unwrap(),
        distance: random.chance(0.6),
    }
}

/// Any combination of switches that keep the value.
fn random_options(terms: &Terms, random: &mut Random) -> SearchOptions {
    let mut half = || random.chance(0.5);
    let mut options = SearchOptions::default()
        .with_alpha_beta(half() || half())
        .with_mid_col(half())
        .with_early_win(half())
        .with_symmetry(half())
        .with_killers(half())
        .with_history(half())
        .with_deepening(half())
        .with_exact_root(half() && half())
        .with_contempt(terms.contempt)
        .with_distance(terms.distance);
    options.table = *random.pick(&[0, 0, 1]).unwrap();
    // Without a table the cache of ends takes a size of its own, which is slow to set up thousands
    // of times.
    options.cached_ends = random.chance(if options.table > 0 { 0.5 } else { 0.05 });
    options.tie = *random.pick(&[Tie::First, Tie::Centre, Tie::Random]).unwrap();
    assert!(options.keeps_value());
    options
}

/// What the naive search finds at one depth: the value of every move, and the tree it walked.
struct Truth {
    value: i32,
    moves: Vec<(Move, i32)>,
    tally: Tally,
}

impl Truth {
    fn of(position: &Position, depth: u32, terms: &Terms) -> Self {
        let mut game = Game::of(position);
        let max = game.to_move();
        let mut tally = Tally::default();
        let depth = depth.min(position.empty());
        let places = if depth == 0 { Vec::new() } else { game.moves() };
        if places.is_empty() {
            let value = weigh(&mut game, max, 0, terms, &mut tally);
            return Self { value, moves: Vec::new(), tally };
        }
        tally.inner = 1;
        let moves: Vec<(Move, i32)> = places
            .into_iter()
            .map(|at| {
                let value = weigh(&mut game.play(at), max, depth - 1, terms, &mut tally);
                (move_at(at, position.rules()), value)
            })
            .collect();
        let value = moves.iter().map(|&(_, value)| value).max().expect("there is a move");
        Self { value, moves, tally }
    }

    fn of_move(&self, mv: Move) -> i32 {
        self.moves.iter().find(|(known, _)| *known == mv).expect("a legal move").1
    }
}

/// One question to the naive search, answered at any depth.
struct Case {
    position: Position,
    depth: u32,
    terms: Terms,
    truths: HashMap<u32, Truth>,
}

impl Case {
    fn random(rules: &Rules, random: &mut Random) -> Self {
        let position = random_position(rules, random);
        let depth = random_depth(&position, random);
        Self { position, depth, terms: random_terms(rules, random), truths: HashMap::new() }
    }

    fn truth(&mut self, depth: u32) -> &Truth {
        let (position, terms) = (&self.position, &self.terms);
        self.truths.entry(depth).or_insert_with(|| Truth::of(position, depth, terms))
    }

    fn describe(&self, options: &SearchOptions) -> String {
        let changed: Vec<String> =
            options.changed().map(|(switch, value)| format!("{}={value}", switch.name)).collect();
        format!(
            "{} to depth {} by {} with {}\n{}\n",
            self.position.rules(),
            self.depth,
            self.terms.evaluator,
            changed.join(","),
            self.position
        )
    }

    fn search(&self, options: &SearchOptions, seed: u64) -> PositionReport {
        Searcher::new(self.terms.evaluator.clone(), options.clone())
            .search(&self.position, &Limits::depth(self.depth), seed)
            .unwrap_or_else(|why| panic!("{why}: {}", self.describe(options)))
    }
}

/// Twice the distance of a move from the centre, squared; by columns alone under gravity.
fn from_centre(mv: Move, rules: &Rules) -> i64 {
    let cell = mv.cell(rules);
    let across = 2 * i64::from(cell.column) - i64::from(rules.width()) + 1;
    let up = 2 * i64::from(cell.row) - i64::from(rules.height()) + 1;
    across * across + if rules.gravity() { 0 } else { up * up }
}

/// The moves of a truth in the order in which a search should list them.
fn in_order(truth: &Truth, rules: &Rules, mid_col: bool) -> Vec<(Move, i32)> {
    let mut moves = truth.moves.clone();
    if mid_col {
        moves.sort_by_key(|&(mv, _)| from_centre(mv, rules));
    }
    moves
}

/// The moves that may be chosen: the equal best, or those that win at once where early_win stops at
/// them.
fn choosable(position: &Position, truth: &Truth, options: &SearchOptions) -> Vec<Move> {
    let winning = position.winning_moves();
    let wins_end_it = options.early_win && !options.exact_root && !winning.is_empty();
    in_order(truth, position.rules(), options.mid_col)
        .into_iter()
        .filter(|(mv, value)| *value == truth.value && (!wins_end_it || winning.contains(mv)))
        .map(|(mv, _)| mv)
        .collect()
}

fn check_report(case: &mut Case, options: &SearchOptions, report: &PositionReport) {
    let about = case.describe(options);
    let (position, depth) = (case.position, case.depth);
    assert_eq!(report.score, case.truth(depth).value, "the value of {about}");
    let asked = depth.min(position.empty());
    match report.ended {
        Ended::Completed => assert!(report.depth == asked, "depth {} of {about}", report.depth),
        Ended::Decided => assert!(
            options.deepening && report.depth < asked && report.score.abs() >= DECIDED,
            "decided at depth {}: {about}",
            report.depth
        ),
        Ended::Halted(why) => panic!("{why}: {about}"),
    }
    let terms = case.terms.clone();
    let truth = case.truth(report.depth);
    assert_eq!(report.score, truth.value, "at its own depth, {about}");
    check_moves(&position, options, report, truth, &about);
    check_choice(&position, options, report, truth, &about);
    check_line(&position, report, &terms, &about);
    check_counters(options, report, truth, &about);
}

fn check_moves(
    position: &Position,
    options: &SearchOptions,
    report: &PositionReport,
    truth: &Truth,
    about: &str,
) {
    let rules = position.rules();
    let listed: Vec<Move> = report.moves.iter().map(|found| found.mv).collect();
    let expected = if report.depth == 0 { Vec::new() } else { position.legal_moves() };
    assert_eq!(listed, expected, "the moves of {about}");
    for found in &report.moves {
        let value = truth.of_move(found.mv);
        let name = found.mv.label(rules);
        let Some(score) = found.score else {
            assert!(
                options.early_win && !options.exact_root && !position.winning_moves().is_empty(),
                "{name} was not tried: {about}"
            );
            continue;
        };
        match found.bound {
            Bound::Exact => assert_eq!(score, value, "{name} is exact in {about}"),
            Bound::AtMost => {
                assert!(score >= value, "{name}: {value} is at most {score} in {about}");
            }
            Bound::AtLeast => {
                assert!(score <= value, "{name}: {value} is at least {score} in {about}");
            }
        }
        if options.exact_root || !options.alpha_beta {
            assert_eq!(found.bound, Bound::Exact, "{name} in {about}");
        }
        match found.same_as {
            Some(same) => {
                let images = Symmetry::of(rules)
                    .iter()
                    .map(|&symmetry| position.play_unchecked(found.mv).transform(symmetry));
                let twin = position.play_unchecked(same);
                assert!(options.symmetry && same != found.mv, "{about}");
                assert!(
                    images.into_iter().any(|image| image == twin),
                    "{name} is no image: {about}"
                );
            }
            None if found.bound == Bound::Exact => {
                assert_eq!(found.line.first(), Some(&found.mv), "the line of {name} in {about}");
            }
            None => assert!(found.line.is_empty(), "the line of {name} in {about}"),
        }
    }
}

fn check_choice(
    position: &Position,
    options: &SearchOptions,
    report: &PositionReport,
    truth: &Truth,
    about: &str,
) {
    let rules = position.rules();
    let Some(best) = report.best else {
        assert!(truth.moves.is_empty(), "no move chosen: {about}");
        return;
    };
    let allowed = choosable(position, truth, options);
    assert!(allowed.contains(&best), "{} is not among the best: {about}", best.label(rules));
    match options.tie {
        Tie::First => assert_eq!(best, allowed[0], "the first of the best: {about}"),
        Tie::Centre => {
            let nearest = allowed.iter().map(|&mv| from_centre(mv, rules)).min().unwrap();
            assert_eq!(
                from_centre(best, rules),
                nearest,
                "{} is not central: {about}",
                best.label(rules)
            );
        }
        Tie::Random => {}
    }
}

/// The line is legal, goes to the horizon or the end of the game, and leads to the value.
fn check_line(position: &Position, report: &PositionReport, terms: &Terms, about: &str) {
    assert_eq!(report.line.first(), report.best.as_ref(), "{about}");
    let mut end = *position;
    for &mv in &report.line {
        end = end.play(mv).unwrap_or_else(|why| panic!("{why} in the line of {about}"));
    }
    let full = report.line.len() as u32 == report.depth || end.outcome().is_over();
    assert!(full, "a line of {} moves at depth {}: {about}", report.line.len(), report.depth);
    let last = weigh(&mut Game::of(&end), position.to_move(), 0, terms, &mut Tally::default());
    assert_eq!(last, report.score, "the end of the line of {about}");
}

fn check_counters(options: &SearchOptions, report: &PositionReport, truth: &Truth, about: &str) {
    let Counters {
        nodes,
        table_probes,
        table_hits,
        cached_end_hits,
        book_hits,
        symmetric,
        early_wins,
        ..
    } = report.counters;
    let counters = &report.counters;
    let about = format!("{counters:?} of {about}");
    if !options.deepening {
        assert!(nodes <= truth.tally.nodes(), "more nodes than the whole tree: {about}");
        let below: u64 = report.moves.iter().map(|found| found.nodes).sum();
        assert_eq!(nodes, below + 1, "{about}");
    }
    assert!(counters.leaves() + table_hits + cached_end_hits + book_hits <= nodes, "{about}");
    assert!(table_hits <= table_probes && table_probes <= nodes, "{about}");
    assert!(options.alpha_beta || counters.all_cuts() == 0, "{about}");
    assert!(options.table > 0 || table_probes == 0, "{about}");
    assert!(options.cached_ends || cached_end_hits == 0, "{about}");
    assert!(options.book || book_hits == 0, "{about}");
    assert!(options.symmetry || symmetric == 0, "{about}");
    assert!(options.early_win || early_wins == 0, "{about}");
    assert_eq!(counters.forward_pruned, 0, "{about}");
}

#[test]
fn every_switch_keeps_the_value() {
    for (index, text) in RULES.iter().enumerate() {
        let rules = rules(text);
        let random = &mut Random::for_item(1, index as u64);
        for _ in 0..250 {
            let mut case = Case::random(&rules, random);
            for _ in 0..6 {
                let options = random_options(&case.terms, random);
                let report = case.search(&options, random.next_u64());
                check_report(&mut case, &options, &report);
            }
        }
    }
}

#[test]
fn plain_minimax_walks_the_whole_tree() {
    for (index, text) in RULES.iter().enumerate() {
        let rules = rules(text);
        let random = &mut Random::for_item(2, index as u64);
        for _ in 0..100 {
            let mut case = Case::random(&rules, random);
            let Terms { contempt, distance, .. } = case.terms;
            let options = SearchOptions::minimax().with_contempt(contempt).with_distance(distance);
            let report = case.search(&options, 0);
            check_report(&mut case, &options, &report);
            let about = case.describe(&options);
            let Tally { evaluations, ended, inner } = case.truth(case.depth).tally;
            let counters = &report.counters;
            assert_eq!(counters.evaluations, evaluations, "{about}");
            assert_eq!(counters.ended, ended, "{about}");
            assert_eq!(counters.nodes, inner + evaluations + ended, "{about}");
            assert_eq!(counters.leaves(), counters.nodes - inner, "{about}");

            // Alpha-beta in the same order sees a part of the same tree.
            let pruned = case.search(&options.clone().with_alpha_beta(true), 0);
            assert!(pruned.counters.nodes <= counters.nodes, "{about}");
            // Killers without cuts change nothing but the way through the code.
            let walked = case.search(&options.clone().with_killers(true), 0);
            assert_eq!(walked.counters, report.counters, "{about}");
            assert_eq!((walked.best, walked.line), (report.best, report.line), "{about}");
        }
    }
}

#[test]
fn plain_minimax_equals_the_oracle() {
    for (index, text) in RULES.iter().enumerate() {
        let rules = rules(text);
        let random = &mut Random::for_item(3, index as u64);
        for _ in 0..25 {
            let position = random_position(&rules, random);
            let depth = random_depth(&position, random);
            let evaluator = random_evaluator(&rules, random);
            let report = Searcher::new(evaluator.clone(), SearchOptions::minimax())
                .search(&position, &Limits::depth(depth), 0)
                .unwrap();
            let max = position.to_move();
            let leaf = |game: &Game| oracle::judge::judge(&evaluator, game, max);
            let expected =
                oracle::minimax(&Game::of(&position), depth.min(position.empty()), &leaf);
            // The oracle counts wins from another base.
            let same = if report.score.abs() >= DECIDED {
                report.score - report.score.signum() * (WIN - oracle::BASE)
            } else {
                report.score
            };
            assert_eq!(same, expected, "{rules} to depth {depth} by {evaluator}\n{position}");
        }
    }
}

#[test]
fn random_ties_hang_on_the_seed_and_reach_every_best_move() {
    let mut ties = 0;
    for (index, text) in RULES.iter().enumerate() {
        let rules = rules(text);
        let random = &mut Random::for_item(4, index as u64);
        for _ in 0..8 {
            let mut case = Case::random(&rules, random);
            case.depth = case.depth.min(3);
            let options = random_options(&case.terms, random)
                .with_tie(Tie::Random)
                // Set up for each of many seeds.
                .with_table(0)
                .with_cached_ends(false);
            let about = case.describe(&options);
            let mut chosen = BTreeSet::new();
            let mut depth = 0;
            for seed in 0..300 {
                let report = case.search(&options, seed);
                depth = report.depth;
                assert!(seed > 20 || report.best == case.search(&options, seed).best, "{about}");
                chosen.extend(report.best);
            }
            let position = case.position;
            let allowed: BTreeSet<Move> =
                choosable(&position, case.truth(depth), &options).into_iter().collect();
            ties += usize::from(allowed.len() > 1);
            // With many equal moves a few hundred throws may miss one.
            if allowed.len() <= 16 {
                assert_eq!(chosen, allowed, "{about}");
            } else {
                assert!(chosen.is_subset(&allowed) && chosen.len() > 8, "{about}");
            }
        }
    }
    assert!(ties > 30, "only {ties} positions had a tie");
}

#[test]
fn depth_beyond_the_end_is_the_end() {
    let random = &mut Random::new(5);
    for text in ["3x3c3f", "4x2c2", "2x5c3", "1x7c3f", "3x3s2f"] {
        let rules = rules(text);
        for _ in 0..40 {
            let mut case = Case::random(&rules, random);
            if case.position.empty() > 7 {
                continue;
            }
            case.depth = case.position.empty() + 20;
            let options = random_options(&case.terms, random);
            let report = case.search(&options, 0);
            check_report(&mut case, &options, &report);
            let drawn = report.score.abs() < DECIDED;
            let about = case.describe(&options);
            assert_eq!(drawn, report.verdict == fourfold::score::Verdict::Draw, "{about}");
        }
    }
}

#[test]
fn the_tic_tac_toe_example() {
    // X . O
    // . X .
    // X O O, X to move: b3 loses (O takes c2), a2 wins at once, c2 draws.
    let rules = Rules::TIC_TAC_TOE;
    let set = |cells: &[(u8, u8)]| {
        cells.iter().fold(0u128, |set, &(column, row)| set | 1 << Cell { column, row }.bit(&rules))
    };
    let crosses = set(&[(0, 2), (1, 1), (0, 0)]);
    let noughts = set(&[(2, 2), (1, 0), (2, 0)]);
    let position = Position::from_discs(rules, crosses, noughts).unwrap();
    assert_eq!(position.to_move(), Side::First);
    for alpha_beta in [false, true] {
        let options = SearchOptions::default()
            .with_alpha_beta(alpha_beta)
            .with_exact_root(true)
            .with_distance(false);
        let mut searcher = Searcher::new(Evaluator::Terminal, options);
        let report = searcher.search(&position, &Limits::depth(9), 0).unwrap();
        assert_eq!(report.score.signum(), 1);
        let signs: Vec<(String, i32)> = report
            .moves
            .iter()
            .map(|found| (found.mv.label(&rules), found.score.unwrap().signum()))
            .collect();
        assert_eq!(signs, [("b3".to_owned(), -1), ("a2".to_owned(), 1), ("c2".to_owned(), 0)]);
    }
}
