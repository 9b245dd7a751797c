//! The exact solver against the textbook search, the plain game of [`oracle`], and itself under
//! other options.
//!
//! Random positions of many boards: every layout of the solver, odd and even heights, all phases
//! that the textbook search can play to the end. A failure names the game, the position and the
//! options.

mod oracle;

use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Outcome, Position, Rules, Symmetry, notation};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::search::{Limits, SearchOptions, Searcher};
use fourfold::solver::{Idea, Ideas, Line, SolveError, Solver, SolverOptions};
use oracle::Game;
use oracle::chance::rules;
use oracle::judge::{Tally, Terms, weigh};
use oracle::solving::{random_position, score, solver};
use std::time::Duration;

/// Boards with how many discs at least are put on them, so that the textbook search is quick: a
/// byte a column, packed into 64 bits and into 128, wide and tall, odd and even heights, and boards
/// too small for lines in some direction.
const BOARDS: &[(&str, u32)] = &[
    ("4x4c4", 0),
    ("5x4c4", 2),
    ("6x4c4", 8),
    ("7x4c4", 12),
    ("4x5c4", 2),
    ("5x5c4", 10),
    ("6x5c4", 16),
    ("4x6c4", 8),
    ("7x6c4", 28),
    ("8x7c4", 44),
    ("3x6c4", 0),
    ("4x3c4", 0),
    ("8x3c4", 6),
    ("2x7c4", 0),
    ("9x4c4", 24),
    ("9x6c4", 42),
    ("5x9c4", 32),
    ("4x24c4", 82),
    ("5x24c4", 106),
    ("10x6c4", 48),
    ("13x4c4", 40),
    ("5x13c4", 53),
    ("6x11c4", 54),
    ("7x9c4", 51),
    ("4x30c4", 110),
    ("12x6c4", 60),
    ("10x9c4", 78),
    ("16x7c4", 100),
    // Other lines with gravity.
    ("3x3c2", 0),
    ("7x6c2", 20),
    ("3x3c3", 0),
    ("4x4c3", 0),
    ("5x5c3", 6),
    ("6x4c3", 6),
    ("7x6c3", 24),
    ("5x3c5", 0),
    ("5x5c5", 9),
    ("6x5c5", 16),
    ("7x6c5", 27),
    ("6x6c6", 21),
    ("7x7c6", 34),
    ("8x4c7", 17),
    ("12x6c5", 58),
    ("9x11c6", 86),
    ("64x1c5", 50),
    ("2x40c9", 66),
    // Squares with gravity.
    ("4x3s2", 0),
    ("4x4s2", 2),
    ("5x5s2", 9),
    ("6x4s2", 8),
    ("7x6s2", 27),
    ("5x6s3", 15),
    ("7x5s3", 20),
    ("12x6s2", 57),
    ("11x10s3", 96),
    // Lines and squares without gravity, square boards and oblong ones.
    ("3x3c2f", 0),
    ("3x3c3f", 0),
    ("4x3c3f", 0),
    ("4x4c3f", 3),
    ("4x4c4f", 4),
    ("5x4c4f", 8),
    ("5x5c4f", 13),
    ("5x5c5f", 13),
    ("7x5c5f", 23),
    ("8x8c4f", 54),
    ("1x10c3f", 0),
    ("64x1c4f", 54),
    ("9x9c5f", 71),
    ("1x127c3f", 118),
    ("3x3s2f", 0),
    ("4x4s2f", 5),
    ("5x5s3f", 14),
    ("6x7s2f", 31),
];

/// What the textbook search says of positions of one game, played out to the end.
struct Textbook(Searcher);

impl Textbook {
    fn new() -> Self {
        let options = SearchOptions::default()
            .with_mid_col(true)
            .with_early_win(true)
            .with_table(4)
            .with_symmetry(true)
            .with_killers(true);
        assert!(options.keeps_value());
        Self(Searcher::new(Evaluator::Terminal, options))
    }

    fn verdict(&mut self, position: &Position) -> Verdict {
        match position.outcome() {
            Outcome::Won { .. } => Verdict::Loss { plies: Some(0) },
            Outcome::Drawn => Verdict::Draw,
            Outcome::Ongoing => {
                let limits = Limits::depth(position.empty());
                self.0
                    .search(position, &limits, 0)
                    .unwrap_or_else(|why| panic!("{why}:\n{position}"))
                    .verdict
            }
        }
    }
}

/// What plain minimax on the plain game says.
fn naive_verdict(position: &Position) -> Verdict {
    let mut game = Game::of(position);
    let max = game.to_move();
    let terms = Terms { evaluator: Evaluator::Terminal, contempt: 0, distance: true };
    let score = weigh(&mut game, max, position.empty(), &terms, &mut Tally::default());
    Verdict::of_score(score, position.ply(), true)
}

#[test]
fn agrees_with_the_textbook_search_and_the_plain_game() {
    let mut wins = [0u32; 3];
    for (index, &(game, from)) in BOARDS.iter().enumerate() {
        let rules = rules(game);
        let mut random = Random::for_item(41, index as u64);
        let (mut textbook, mut solver) =
            (Textbook::new(), solver(&rules, SolverOptions::default()));
        for _ in 0..150 {
            let position = random_position(&rules, from, &mut random);
            let truth = textbook.verdict(&position);
            if position.empty() <= 7 {
                assert_eq!(
                    naive_verdict(&position),
                    truth,
                    "the textbook search: {game}\n{position}"
                );
            }
            let solved = solver.solve(&position, &Budget::unlimited());
            let solved = solved.unwrap_or_else(|why| panic!("{why}: {game}\n{position}"));
            assert_eq!(solved.verdict, truth, "{game}\n{position}");
            assert_eq!(Some(solved.score), truth.distance_score(&position), "{game}\n{position}");
            for &symmetry in Symmetry::of(&rules) {
                let image = position.transform(symmetry);
                assert_eq!(
                    score(&mut solver, &image),
                    solved.score,
                    "{symmetry}: {game}\n{position}"
                );
            }
            let weakly = solver.solve_weakly(&position, &Budget::unlimited());
            let weakly = weakly.unwrap_or_else(|why| panic!("{why}: {game}\n{position}"));
            assert_eq!(weakly.score, solved.score.signum(), "weakly: {game}\n{position}");
            let alike = matches!(
                (weakly.verdict, truth),
                (Verdict::Win { plies: None }, Verdict::Win { .. })
                    | (Verdict::Draw, Verdict::Draw)
                    | (Verdict::Loss { plies: None }, Verdict::Loss { .. })
            );
            assert!(alike, "weakly: {game}\n{position}");
            wins[(solved.score.signum() + 1) as usize] += 1;
        }
    }
    assert!(wins.iter().all(|&count| count > 300), "few losses, draws or wins: {wins:?}");
}

/// An idea that is left out is really left out: the tree is another one.
#[test]
fn every_idea_makes_a_difference() {
    let mut told_apart = Vec::new();
    let positions =
        [("7x6c4", "444444"), ("6x4c4", ""), ("7x5c5", "44"), ("6x5c4f", "c3"), ("5x5c4f", "")];
    for (game, moves) in positions {
        let rules = rules(game);
        let entry = notation::Reader::new().rules(&rules).read(moves);
        let position = entry.unwrap_or_else(|why| panic!("{why}")).position;
        // Those that take longer are given up.
        let nodes = |ideas: Ideas| {
            let budget = Budget::unlimited().with_nodes(500_000);
            let mut solver = solver(&rules, SolverOptions::default().with_ideas(ideas));
            let _ = solver.solve(&position, &budget);
            budget.spent()
        };
        let without = |ideas: Ideas, idea| ideas.without(idea).expect("it can be left out");
        let usual = nodes(Ideas::ALL);
        for &idea in Idea::ALL {
            // Where no shape is open, answers on top stop them all too: just not as quickly.
            let (ideas, usual) = if idea == Idea::Open {
                let ideas = without(Ideas::ALL, Idea::OnTop);
                (ideas, nodes(ideas))
            } else {
                (Ideas::ALL, usual)
            };
            if nodes(without(ideas, idea)) != usual {
                assert!(idea.plays_a_part_in(&rules), "{game} without {}", idea.name());
                told_apart.push(idea);
            }
        }
    }
    let alike = Idea::ALL.iter().find(|idea| !told_apart.contains(idea));
    assert_eq!(alike, None, "without it the trees are the same");
}

/// Limited searches are for early positions, which the tests above have few of.
#[test]
fn limited_searches_change_no_score() {
    let usual = SolverOptions::default();
    let full = Ideas::ALL.without(Idea::LimitedDiscrepancy);
    for (index, (game, plies)) in [
        ("6x5c5", 2),
        ("7x5c5", 6),
        ("6x6c5", 6),
        ("7x6c6", 8),
        ("4x12c4", 12),
        ("5x12c4", 26),
        ("6x6c3", 4),
    ]
    .into_iter()
    .enumerate()
    {
        let rules = rules(game);
        let mut random = Random::for_item(91, index as u64);
        let mut solvers = [
            solver(&rules, usual.with_ideas(full.unwrap_or(Ideas::NO_BOUNDS))),
            solver(&rules, usual),
            solver(&rules, usual.with_memory(1)),
            solver(&rules, usual.with_threads(2)),
        ];
        for _ in 0..6 {
            let cells = rules.cells() - plies;
            let position = loop {
                // As early as asked for, not later.
                let position = random_position(&rules, plies, &mut random);
                if position.empty() + 4 > cells && !position.outcome().is_over() {
                    break position;
                }
            };
            let scores: Vec<i32> =
                solvers.iter_mut().map(|solver| score(solver, &position)).collect();
            assert!(
                scores.iter().all(|&score| score == scores[0]),
                "{scores:?}: {game}\n{position}"
            );
        }
    }
}

/// A weak question must not spoil what the table says of the distance, in whatever order they come.
#[test]
fn weak_and_exact_questions_share_a_table() {
    let rules = rules("6x4c4");
    let (mut asked, mut plain) =
        (solver(&rules, SolverOptions::default()), solver(&rules, SolverOptions::default()));
    let mut random = Random::new(42);
    for _ in 0..200 {
        let position = random_position(&rules, 4, &mut random);
        let weakly = asked.solve_weakly(&position, &Budget::unlimited()).expect("no limit");
        plain.forget();
        let truth = score(&mut plain, &position);
        assert_eq!(weakly.score, truth.signum(), "\n{position}");
        assert_eq!(score(&mut asked, &position), truth, "\n{position}");
    }
}

#[test]
fn every_option_gives_the_same_scores() {
    let usual = SolverOptions::default();
    let without = |ideas: &[Idea]| {
        let less = |kept: Ideas, &idea: &Idea| kept.without(idea).expect("it can be left out");
        usual.with_ideas(ideas.iter().fold(Ideas::ALL, less))
    };
    let mut choices = vec![
        usual.with_memory(1),
        usual.with_memory(2),
        usual.with_memory(64),
        usual.with_portable(true),
        usual.with_ideas(Ideas::NO_BOUNDS),
        usual.with_memory(1).with_ideas(Ideas::NO_BOUNDS).with_portable(true),
        without(Idea::ALL),
        without(Idea::ALL).with_portable(true).with_memory(1),
        without(Idea::ALL).with_threads(2),
    ];
    choices.extend(Idea::ALL.iter().map(|&idea| without(&[idea])));
    // All but one, and some pairs.
    choices.extend(Idea::ALL.iter().map(|idea| {
        let others: Vec<Idea> = Idea::ALL.iter().copied().filter(|other| other != idea).collect();
        without(&others)
    }));
    choices.extend(Idea::ALL.windows(2).map(without));
    let boards = [
        ("6x4c4", 0),
        ("5x5c4", 4),
        ("5x6c4", 6),
        ("7x6c4", 18),
        ("9x4c4", 14),
        ("5x9c4", 26),
        ("12x6c4", 52),
        ("5x4c3", 0),
        ("5x5c5", 6),
        ("7x6c5", 24),
        ("5x4s2", 4),
        ("5x5s2", 8),
        ("6x5s3", 12),
        ("12x6s2", 54),
        ("3x3c3f", 0),
        ("4x4c4f", 2),
        ("5x5c4f", 12),
        ("4x5s2f", 6),
        ("8x8c5f", 53),
        ("9x9c4f", 71),
    ];
    for (index, (game, from)) in boards.into_iter().enumerate() {
        let rules = rules(game);
        let mut random = Random::for_item(43, index as u64);
        let mut reused = solver(&rules, usual);
        let mut others: Vec<_> =
            choices.iter().map(|&options| (options, solver(&rules, options))).collect();
        for _ in 0..40 {
            let position = random_position(&rules, from, &mut random);
            let truth = score(&mut reused, &position);
            for (options, solver) in &mut others {
                assert_eq!(score(solver, &position), truth, "{options:?}: {game}\n{position}");
            }
            // Small, so that it is quick to make.
            let mut fresh = solver(&rules, choices[0]);
            assert_eq!(score(&mut fresh, &position), truth, "a fresh solver: {game}\n{position}");
            let solved = |solver: &mut Solver| solver.solve(&position, &Budget::unlimited());
            fresh.forget();
            let once = solved(&mut fresh);
            fresh.forget();
            assert_eq!(once, solved(&mut fresh), "after forgetting: {game}\n{position}");
            // Not only the score: every processor walks the same tree.
            let mut portable = solver(&rules, choices[0].with_portable(true));
            assert_eq!(once, solved(&mut portable), "another processor: {game}\n{position}");
        }
    }
}

#[test]
fn analysis_and_line_are_those_of_best_play() {
    let boards = [
        ("4x4c4", 0),
        ("5x4c4", 0),
        ("5x5c4", 8),
        ("6x4c4", 2),
        ("7x6c4", 24),
        ("9x4c4", 18),
        ("12x6c4", 56),
        ("5x4c3", 0),
        ("5x5c5", 8),
        ("5x4s2", 4),
        ("7x6s2", 22),
        ("3x3c3f", 0),
        ("4x4c4f", 4),
        ("5x4c3f", 8),
        ("4x4s2f", 6),
        ("9x9c5f", 73),
    ];
    let limits = Budget::unlimited();
    for (index, (game, from)) in boards.into_iter().enumerate() {
        let rules = rules(game);
        let mut random = Random::for_item(44, index as u64);
        let mut solver = solver(&rules, SolverOptions::default());
        for _ in 0..60 {
            let start = random_position(&rules, from, &mut random);
            let case = format!("{game}\n{start}");
            let line = solver.line(&start, &limits).unwrap_or_else(|why| panic!("{why}: {case}"));
            let promised = match solver.solve(&start, &limits).expect("no limit").verdict {
                Verdict::Win { plies } | Verdict::Loss { plies } => plies,
                _ => Some(start.empty()),
            };
            assert_eq!(Some(line.moves.len() as u32), promised, "{line:?}: {case}");
            let mut position = start;
            for mv in line.moves {
                let best = score(&mut solver, &position);
                let scores = solver
                    .analyse(&position, &limits)
                    .unwrap_or_else(|why| panic!("{why}: {case}"));
                let scores = scores.scores().expect("no limit");
                let moves: Vec<Move> = scores.iter().map(|column| column.mv).collect();
                assert_eq!(moves, position.legal_moves(), "{case}");
                for column in &scores {
                    let after = position.play_unchecked(column.mv);
                    assert_eq!(
                        column.score,
                        -score(&mut solver, &after),
                        "{:?}: {case}",
                        column.mv
                    );
                    // For the side that makes the move, counted from before it.
                    let distance = column.verdict.distance_score(&position);
                    assert_eq!(distance, Some(column.score), "{:?}: {case}", column.mv);
                }
                assert_eq!(scores.iter().map(|column| column.score).max(), Some(best), "{case}");
                let chosen = scores.iter().find(|column| column.mv == mv);
                assert_eq!(
                    chosen.map(|column| column.score),
                    Some(best),
                    "{mv:?} of the line: {case}"
                );
                position = position.play_unchecked(mv);
            }
            assert!(position.outcome().is_over(), "{case}");
        }
    }
}

#[test]
fn finished_games_and_immediate_wins_need_no_search() {
    let rules = Rules::CONNECT_FOUR;
    let mut solver = solver(&rules, SolverOptions::default());
    let mut random = Random::new(45);
    let (mut finished, mut winning) = (0, 0);
    while finished < 100 || winning < 100 {
        let position = random_position(&rules, 7, &mut random);
        let expected = match position.outcome() {
            Outcome::Won { .. } => Verdict::Loss { plies: Some(0) },
            Outcome::Drawn => Verdict::Draw,
            Outcome::Ongoing if position.winning_moves().is_empty() => continue,
            Outcome::Ongoing => Verdict::Win { plies: Some(1) },
        };
        let over = position.outcome().is_over();
        *(if over { &mut finished } else { &mut winning }) += 1;
        // Not even a limit of nothing is in the way.
        let limits = Budget::unlimited().with_nodes(0).with_time(Duration::ZERO);
        let solved =
            solver.solve(&position, &limits).unwrap_or_else(|why| panic!("{why}\n{position}"));
        assert_eq!((solved.verdict, solved.nodes), (expected, 0), "\n{position}");
        let analysis = solver.analyse(&position, &limits).expect("it is of this game");
        assert_eq!(analysis.nodes, 0, "\n{position}");
        if over {
            assert!(analysis.moves.is_empty() && analysis.stopped.is_none(), "\n{position}");
        } else {
            let known = Some((solved.score, solved.score));
            assert_eq!(analysis.bounds(), known, "\n{position}");
        }
        if over {
            assert_eq!(
                solver.line(&position, &limits),
                Ok(Line { moves: Vec::new(), nodes: 0 }),
                "\n{position}"
            );
        }
    }
}

/// By game: the score of the empty board.
const EMPTY_BOARDS: &[(&str, i32)] = &[
    ("4x4c4", 0),
    ("5x4c4", 0),
    ("6x4c4", -1),
    ("7x4c4", 0),
    ("8x4c4", -1),
    ("4x5c4", 0),
    ("5x5c4", 0),
    ("6x5c4", 0),
    ("7x5c4", 0),
    ("4x6c4", 0),
    ("5x6c4", 0),
    ("6x6c4", -1),
    ("4x7c4", 0),
    ("4x12c4", 0),
    ("4x13c4", 0),
    ("4x30c4", 0),
    ("3x6c4", 0),
    ("4x3c4", 0),
    ("6x6c5", 0),
    ("7x6c6", 0),
    ("3x3c2f", 4),
    ("3x3c3f", 0),
    ("4x3c3f", 3),
    ("4x4c3f", 6),
    ("4x4c4f", 0),
    ("5x4c4f", 0),
    ("4x4s2", 0),
    ("5x5s2", 0),
    ("7x6s2", 0),
    ("7x7s2", 0),
    ("4x4s2f", 0),
    ("8x8s2f", 0),
];

#[test]
fn empty_boards_have_their_known_scores() {
    for &(game, known) in EMPTY_BOARDS {
        let mut solver = solver(&rules(game), SolverOptions::default());
        assert_eq!(score(&mut solver, &Position::new(rules(game))), known, "{game}");
    }
}

#[test]
fn positions_of_another_game_are_refused() {
    let mut solver = solver(&Rules::CONNECT_FOUR, SolverOptions::default());
    assert_eq!(*solver.rules(), Rules::CONNECT_FOUR);
    for game in ["7x6c5", "7x6s2", "6x7c4", "4x4c4", "3x3c3f"] {
        let position = Position::new(rules(game));
        let limits = Budget::unlimited();
        for why in [
            solver.solve(&position, &limits).err(),
            solver.solve_weakly(&position, &limits).err(),
            solver.analyse(&position, &limits).err(),
            solver.line(&position, &limits).err(),
        ] {
            assert!(matches!(why, Some(SolveError::OtherGame { .. })), "{game}: {why:?}");
        }
    }
    let huge = SolverOptions::default().with_memory(u32::MAX);
    assert!(matches!(Solver::new(&Rules::CONNECT_FOUR, huge), Err(SolveError::OutOfMemory { .. })));
}
