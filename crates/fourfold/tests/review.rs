//! Games judged move by move, against the solver asked directly.

use fourfold::budget::Budget;
use fourfold::game::{Move, Outcome, Position, Rules, Side};
use fourfold::play::{Grade, Judgement, Phase, Puzzle, Review, ReviewError, puzzle, review};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::solver::{Halt, Solver, SolverOptions};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Games with how many random ones of each are judged; a thousand in all.
const GAMES: [(&str, usize); 10] = [
    ("4x4c4", 250),
    ("5x4c4", 200),
    ("4x5c4", 150),
    ("3x3c3f", 200),
    ("4x3c3f", 60),
    ("4x4c3", 50),
    ("4x3s2", 50),
    ("4x4s2", 15),
    ("5x3c3", 15),
    ("5x5c4", 10),
];

fn rules(text: &str) -> Rules {
    text.parse().expect("a game")
}

fn solver(rules: &Rules) -> Solver {
    Solver::new(rules, SolverOptions::default()).expect("memory for the table")
}

/// A game at random to its end, or broken off.
fn random_game(rules: Rules, random: &mut Random) -> Vec<Move> {
    let mut position = Position::new(rules);
    let mut moves = Vec::new();
    while !position.outcome().is_over() && !random.chance(0.03) {
        let legal = position.legal_moves();
        let mv = legal[random.below(legal.len())];
        position = position.play(mv).expect("legal");
        moves.push(mv);
    }
    moves
}

/// Plays a line and checks that it ends as the verdict for the side to move says.
fn ends_as_claimed(position: &Position, line: &[Move], verdict: Verdict) {
    let end =
        line.iter().fold(*position, |position, &mv| position.play(mv).expect("the line is legal"));
    let mover = position.to_move();
    match (verdict, end.outcome()) {
        (Verdict::Win { plies }, Outcome::Won { by, .. }) => {
            assert_eq!((by, plies), (mover, Some(line.len() as u32)));
        }
        (Verdict::Loss { plies }, Outcome::Won { by, .. }) => {
            assert_eq!((by, plies), (mover.other(), Some(line.len() as u32)));
        }
        (Verdict::Draw, Outcome::Drawn) => {}
        (verdict, outcome) => panic!("{verdict} but the line ends with {outcome:?}"),
    }
}

#[test]
fn agrees_with_the_solver_on_a_thousand_random_games() {
    let mut random = Random::new(6);
    let mut seen = [0u32; 4];
    for (game, count) in GAMES {
        let rules = rules(game);
        let (mut judge, mut oracle) = (solver(&rules), solver(&rules));
        for _ in 0..count {
            let moves = random_game(rules, &mut random);
            let found =
                review(&moves, &mut judge, &Budget::unlimited(), |_, _| ()).expect("a game");
            assert_eq!((found.stopped, found.moves.len()), (None, moves.len()));
            check(&found, &moves, &mut oracle, &mut seen);
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

fn check(found: &Review, moves: &[Move], oracle: &mut Solver, seen: &mut [u32; 4]) {
    let limits = Budget::unlimited();
    let mut position = Position::new(found.rules);
    for (reviewed, &mv) in found.moves.iter().zip(moves) {
        let context = format!("{} {position:?} {mv:?}", found.rules);
        assert_eq!(
            (reviewed.mv, reviewed.ply, reviewed.side),
            (mv, position.ply(), position.to_move())
        );
        let judged = reviewed.found.as_ref().expect("nothing limits it");
        let best = oracle.solve(&position, &limits).expect("no limit");
        let after = position.play(mv).expect("legal");
        let reply = oracle.solve(&after, &limits).expect("no limit");
        assert_eq!((judged.best, judged.best_score), (best.verdict, best.score), "{context}");
        assert_eq!(judged.played_score, -reply.score, "{context}");
        let legal = position.legal_moves();
        let score = |mv: &Move| {
            -oracle.solve(&position.play(*mv).expect("legal"), &limits).expect("no limit").score
        };
        let scores: Vec<i32> = legal.iter().map(score).collect();
        let keeping = scores.iter().filter(|score| score.signum() == best.score.signum()).count();
        assert_eq!(judged.only_move, keeping == 1 && legal.len() > 1, "{context}");
        let played = -reply.score;
        let expected = if legal.len() == 1 {
            Judgement::Forced
        } else if played == best.score {
            Judgement::Best
        } else if played.signum() < best.score.signum() {
            Judgement::Blunder
        } else {
            Judgement::Inaccuracy
        };
        assert_eq!(judged.judgement, expected, "{context}");
        seen[expected as usize] += 1;
        let worse = matches!(expected, Judgement::Blunder | Judgement::Inaccuracy);
        assert_eq!(
            (judged.better.is_empty(), judged.refutation.is_empty()),
            (!worse, !worse),
            "{context}"
        );
        if worse {
            ends_as_claimed(&position, &judged.better, judged.best);
            ends_as_claimed(&after, &judged.refutation, reply.verdict);
            assert!(judged.best_moves.contains(&judged.better[0]), "{context}");
        }
        position = after;
    }
    for (side, counted) in [(Side::First, &found.first), (Side::Second, &found.second)] {
        let own = || found.moves.iter().filter(move |mv| mv.side == side);
        let judged = |wanted| {
            own().filter(|mv| mv.found.as_ref().is_some_and(|f| f.judgement == wanted)).count()
                as u32
        };
        assert_eq!(counted.moves as usize, own().count());
        assert_eq!(counted.judged, counted.moves);
        assert_eq!(counted.blunders, judged(Judgement::Blunder));
        assert_eq!(counted.inaccuracies, judged(Judgement::Inaccuracy));
        assert_eq!(counted.choices, counted.best + counted.blunders + counted.inaccuracies);
        assert!(counted.accuracy().is_none_or(|share| (0.0..=1.0).contains(&share)));
    }
}

/// The beginning of a game of Connect Four.
fn opening() -> Vec<Move> {
    fourfold::game::notation::parse_moves(&Rules::CONNECT_FOUR, "32164625").expect("a game")
}

#[test]
fn limits_leave_moves_unjudged_and_say_so() {
    let moves = opening();
    let mut solver = solver(&Rules::CONNECT_FOUR);
    let few = Budget::unlimited().with_nodes(1000);
    let found = review(&moves, &mut solver, &few, |_, _| ()).expect("a game");
    assert_eq!(found.stopped, Some(Halt::Nodes));
    assert!(found.moves[0].found.is_none() && found.first.judged < found.first.moves);
    let none = Budget::unlimited().with_time(Duration::ZERO);
    solver.forget();
    let found = review(&moves, &mut solver, &none, |_, _| ()).expect("a game");
    assert_eq!(found.stopped, Some(Halt::Time));
}

#[test]
fn what_the_book_knows_is_judged_without_time() {
    let rules = Rules::CONNECT_FOUR;
    // A build without the book has nothing to check here.
    let Some(book) = fourfold::book::Book::embedded(&rules) else { return };
    let mut solver = solver(&rules).with_book(Some(book));
    let none = Budget::unlimited().with_time(Duration::ZERO);
    let found = review(&opening(), &mut solver, &none, |_, _| ()).expect("a game");
    // Only the middle column wins, and it was not played.
    assert!(
        found.moves[0]
            .found
            .as_ref()
            .is_some_and(|f| f.judgement == Judgement::Blunder && f.only_move)
    );
    assert_eq!((found.first.judged, found.second.judged), (4, 4));
}

#[test]
fn the_stop_flag_ends_it_and_progress_is_told() {
    let moves = opening();
    let stop = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
    let mut told = Vec::new();
    let mut solver = solver(&Rules::CONNECT_FOUR);
    let found =
        review(&moves, &mut solver, &stop, |done, all| told.push((done, all))).expect("a game");
    assert_eq!(found.stopped, Some(Halt::Stopped));
    assert!(found.moves[0].found.is_none());
    assert_eq!(told.len(), moves.len());
    assert_eq!(told.last(), Some(&(moves.len(), moves.len())));
}

#[test]
fn what_is_not_a_game_is_refused() {
    let mut solver = solver(&rules("4x4c4"));
    let position = Position::new(rules("4x4c4"));
    let mv = position.drop_in(0).expect("a column");
    let refused =
        review(&[mv, mv], &mut solver, &Budget::unlimited(), |_, _| ()).expect_err("taken");
    assert!(matches!(refused, ReviewError::Move { number: 2, .. }), "{refused}");
    assert!(refused.to_string().starts_with("move 2: "), "{refused}");
}

#[test]
fn phases_are_thirds_of_every_board() {
    for rules in GAMES.map(|(game, _)| rules(game)).into_iter().chain([Rules::CONNECT_FOUR]) {
        for ply in 0..rules.cells() {
            let in_range = Phase::ALL.map(|phase| phase.plies(&rules).contains(&ply));
            assert_eq!(in_range.iter().filter(|&&inside| inside).count(), 1, "{rules} {ply}");
            assert!(in_range[Phase::of(ply, &rules) as usize]);
        }
    }
}

/// Counted by hand from the scores of all moves.
#[test]
fn grades_count_what_was_to_lose() {
    for (game, _) in GAMES {
        let rules = rules(game);
        let mut random = Random::new(77);
        let (mut grade, mut expected) = (Grade::default(), (0, 0, 0, Vec::new()));
        for _ in 0..10 {
            let moves = random_game(rules, &mut random);
            let review =
                review(&moves, &mut solver(&rules), &Budget::unlimited(), |_, _| ()).unwrap();
            for mv in &review.moves {
                grade.add(&rules, mv);
                let found = mv.found.as_ref().expect("no limit");
                let scores: Vec<i32> = found.columns.iter().map(|column| column.score).collect();
                let best = *scores.iter().max().expect("a move");
                let kept = found.played_score.signum() == best.signum();
                expected.0 += 1;
                if scores.iter().any(|score| score.signum() != best.signum()) {
                    expected.1 += 1;
                    expected.2 += u64::from(kept);
                }
                let same: Vec<i32> =
                    scores.into_iter().filter(|score| score.signum() == best.signum()).collect();
                // A point of the score is a move of one side: two plies.
                if kept && best != 0 && same.iter().any(|&score| score != best) {
                    expected.3.push(2 * (best - found.played_score).unsigned_abs());
                }
            }
        }
        let mut total = grade.total();
        total.lost.sort_unstable();
        expected.3.sort_unstable();
        assert_eq!((total.judged, total.choices, total.kept, total.lost), expected, "{game}");
    }
}

#[test]
fn puzzles_have_one_quiet_solution() {
    for game in ["5x4c4", "5x5c4", "4x5c4"] {
        let rules = rules(game);
        let mut solver = solver(&rules);
        let limits = Budget::unlimited().with_nodes(200_000);
        let plies = rules.cells() / 4..=3 * rules.cells() / 4;
        let mut make =
            |number| puzzle(&mut solver, plies.clone(), 3, number, &limits.renewed()).unwrap();
        let found: Vec<Option<Puzzle>> = (0..300).map(&mut make).collect();
        assert!(found.iter().any(Option::is_some), "{game}");
        for (number, puzzle) in
            found.iter().enumerate().filter_map(|(number, puzzle)| Some((number, puzzle.as_ref()?)))
        {
            assert_eq!(make(number as u64).as_ref(), Some(puzzle), "the same whatever came before");
            let position = Position::from_moves(rules, &puzzle.moves).expect("legal");
            assert_eq!(position, puzzle.position);
            assert!(position.winning_moves().is_empty() && position.threatened_moves().is_empty());
            let best = puzzle.columns.iter().map(|column| column.score).max().expect("a move");
            let keeping =
                puzzle.columns.iter().filter(|column| column.score.signum() == best.signum());
            let keeping: Vec<Move> = keeping.map(|column| column.mv).collect();
            assert!(best >= 0 && keeping == [puzzle.solution]);
            assert!((1..=5).contains(&puzzle.level()));
            ends_as_claimed(&position, &puzzle.line, puzzle.verdict);
        }
    }
}
