//! The perfect player: whole games end as they must, and limits never make it claim too much.

use fourfold::budget::Budget;
use fourfold::game::{Outcome, Position, Rules, Side};
use fourfold::play::{Player, PlayerError, PlayerSpec};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::solver::{SolveError, Solver, SolverOptions};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn seat(spec: &str, rules: &Rules, seed: u64) -> Box<dyn Player + Send> {
    spec.parse::<PlayerSpec>().unwrap().player(rules, seed, &Budget::unlimited()).unwrap()
}

fn solver(rules: &Rules) -> Solver {
    Solver::new(rules, SolverOptions::default()).unwrap()
}

fn solve(solver: &mut Solver, position: &Position) -> Verdict {
    solver.solve(position, &Budget::unlimited()).unwrap().verdict
}

/// Plays on to the end; `check` sees every position and what its player thought.
fn play_out(
    mut position: Position,
    players: &mut [Box<dyn Player + Send>; 2],
    mut check: impl FnMut(&Position, Option<Verdict>),
) -> Position {
    while !position.outcome().is_over() {
        let index = usize::from(position.to_move() == Side::Second);
        let choice = players[index].choose(&position).unwrap();
        check(&position, choice.thinking.map(|thinking| thinking.verdict));
        position = position.play(choice.mv).unwrap();
    }
    position
}

/// Unfinished positions of 7x6 with so many discs or more, from random games.
fn late_positions(discs: u32, count: usize, random: &mut Random) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::new(Rules::CONNECT_FOUR);
        let plies = discs + random.below(8) as u32;
        while position.ply() < plies && !position.outcome().is_over() {
            position = position.play(*random.pick(&position.legal_moves()).unwrap()).unwrap();
        }
        if !position.outcome().is_over() {
            found.push(position);
        }
    }
    found
}

/// How the game must end: who wins, and with how many discs on the board.
fn end_of(verdict: Verdict, position: &Position) -> (Option<Side>, u32) {
    let side = position.to_move();
    match verdict {
        Verdict::Win { plies: Some(plies) } => (Some(side), position.ply() + plies),
        Verdict::Loss { plies: Some(plies) } => (Some(side.other()), position.ply() + plies),
        Verdict::Draw => (None, position.rules().cells()),
        other => panic!("{other} is not exact"),
    }
}

fn ended(position: &Position) -> (Option<Side>, u32) {
    let winner = match position.outcome() {
        Outcome::Won { by, .. } => Some(by),
        _ => None,
    };
    (winner, position.ply())
}

#[test]
fn two_perfect_players_follow_the_exact_distance() {
    let rules = Rules::CONNECT_FOUR;
    let mut random = Random::new(21);
    let mut solver = solver(&rules);
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    for (index, position) in late_positions(20, 300, &mut random).into_iter().enumerate() {
        let verdict = solve(&mut solver, &position);
        match verdict {
            Verdict::Win { .. } => won += 1,
            Verdict::Loss { .. } => lost += 1,
            _ => drawn += 1,
        }
        let expected = end_of(verdict, &position);
        let spec = ["perfect", "perfect:tie=first", "perfect:tie=random,memory=1"][index % 3];
        let mut players = [seat(spec, &rules, 1), seat(spec, &rules, 2)];
        let end = play_out(position, &mut players, |position, verdict| {
            assert_eq!(end_of(verdict.unwrap(), position), expected, "on the way");
        });
        assert_eq!(ended(&end), expected, "{spec} from\n{position}");
    }
    assert!(won > 20 && lost > 20 && drawn > 2, "{won} won, {lost} lost, {drawn} drawn");
}

#[test]
fn whole_games_on_small_boards_end_as_they_must() {
    for (game, winner, ply) in [
        ("4x4c4", None, 16),
        ("5x4c4", None, 20),
        ("6x4c4", Some(Side::Second), 24),
        ("4x5c4", None, 20),
        ("5x5c4", None, 25),
        ("3x3c3f", None, 9),
        ("4x3c3f", Some(Side::First), 7),
        ("5x4c3", Some(Side::First), 9),
        ("5x4s2", None, 20),
        ("4x4s2f", None, 16),
    ] {
        let rules: Rules = game.parse().unwrap();
        for spec in ["perfect", "perfect:tie=first", "perfect:tie=random"] {
            let mut players = [seat(spec, &rules, 3), seat(spec, &rules, 4)];
            let end = play_out(Position::new(rules), &mut players, |_, _| {});
            assert_eq!(ended(&end), (winner, ply), "{spec} on {game}");
        }
    }
}

/// The one that is perfect gets at least what the start is worth, and no later than that if it
/// wins, no sooner if it loses.
#[test]
fn against_weaker_players_it_never_does_worse_than_it_must() {
    let mut random = Random::new(22);
    let mut starts = late_positions(16, 40, &mut random);
    let small = ["4x4c4", "5x4c4", "6x4c4"].map(|game| Position::new(game.parse().unwrap()));
    starts.extend(small.into_iter().cycle().take(30));
    let (mut held, mut turned) = (0, 0);
    for (index, start) in starts.into_iter().enumerate() {
        let rules = *start.rules();
        let (expected, last) = end_of(solve(&mut solver(&rules), &start), &start);
        let weaker = ["random", "naive"][index % 2];
        for own in [Side::First, Side::Second] {
            let mut players = [seat("perfect", &rules, 5), seat(weaker, &rules, index as u64)];
            if own == Side::Second {
                players.swap(0, 1);
            }
            let (winner, ply) = ended(&play_out(start, &mut players, |_, _| {}));
            let worth =
                |winner: Option<Side>| winner.map_or(0, |side| if side == own { 1 } else { -1 });
            assert!(worth(winner) >= worth(expected), "{winner:?} against {weaker} from\n{start}");
            if winner == expected && worth(winner) == 1 {
                assert!(ply <= last, "won on {ply}, not {last}, from\n{start}");
            } else if winner == expected && worth(winner) == -1 {
                held += 1;
                assert!(ply >= last, "lost on {ply}, not {last}, from\n{start}");
            }
            turned += i32::from(worth(winner) > worth(expected));
        }
    }
    assert!(held > 3 && turned > 10, "{held} held out, {turned} turned");
}

/// With a budget it moves legally, and what it claims is true.
#[test]
fn a_budget_that_runs_out_gives_a_legal_move_and_no_wrong_claim() {
    let rules = Rules::CONNECT_FOUR;
    let mut random = Random::new(23);
    let mut solver = solver(&rules);
    let mut estimates = 0;
    for position in late_positions(14, 60, &mut random) {
        for spec in
            ["perfect:nodes=1", "perfect:nodes=4", "perfect:nodes=400", "perfect:nodes=5000"]
        {
            let choice = seat(spec, &rules, 6).choose(&position).unwrap();
            assert!(position.legal_moves().contains(&choice.mv));
            match choice.thinking.unwrap().verdict {
                Verdict::Estimate(_) => estimates += 1,
                claim => assert_eq!(claim, solve(&mut solver, &position), "{spec} on\n{position}"),
            }
        }
    }
    assert!(estimates > 30, "{estimates} estimates");
    let empty = Position::new(rules);
    for spec in
        ["perfect:book=off,nodes=10000", "perfect:book=off,time=1", "perfect:book=off,time=40"]
    {
        let thinking = seat(spec, &rules, 7).choose(&empty).unwrap().thinking.unwrap();
        assert!(matches!(thinking.verdict, Verdict::Estimate(_)), "{spec}: {thinking:?}");
        if let Some(nodes) = spec.strip_prefix("perfect:book=off,nodes=") {
            // A search that is told to stop still leaves the positions it is in.
            let most: u64 = nodes.parse().unwrap();
            assert!(thinking.nodes <= most + most / 100, "{thinking:?}");
        }
    }
}

#[test]
fn a_stop_and_a_finished_game_are_errors() {
    let perfect: PlayerSpec = "perfect:book=off".parse().unwrap();
    let stop = Arc::new(AtomicBool::new(true));
    let mut player =
        perfect.player(&Rules::CONNECT_FOUR, 1, &Budget::unlimited().with_stop(stop)).unwrap();
    let why = player.choose(&Position::new(Rules::CONNECT_FOUR)).unwrap_err();
    assert!(matches!(why, PlayerError::Solver(SolveError::Unfinished { .. })), "{why}");
    let over = [0, 1, 0, 1, 0, 1, 0]
        .iter()
        .fold(Position::new(Rules::CONNECT_FOUR), |position, &column| {
            position.play(position.drop_in(column).unwrap()).unwrap()
        });
    assert_eq!(
        seat("perfect", &Rules::CONNECT_FOUR, 1).choose(&over).unwrap_err(),
        PlayerError::GameOver
    );
}

/// Connect Four under best play from a few moves in: the game is the first player's, on move 41.
#[test]
fn two_perfect_players_end_on_move_41() {
    // Both have filled the middle column, as in best play.
    let mut start = Position::new(Rules::CONNECT_FOUR);
    for _ in 0..6 {
        start = start.play(start.drop_in(3).unwrap()).unwrap();
    }
    end_on_move_41(start, "perfect");
}

/// The same from the empty board, with the book.
#[test]
fn two_perfect_players_end_on_move_41_from_the_empty_board() {
    end_on_move_41(Position::new(Rules::CONNECT_FOUR), "perfect");
}

/// And without it: `cargo test --release -p fourfold --test perfect -- --ignored`.
#[test]
#[ignore = "it proves the whole game"]
fn two_perfect_players_need_no_book() {
    end_on_move_41(Position::new(Rules::CONNECT_FOUR), "perfect:memory=256,book=off");
}

fn end_on_move_41(start: Position, spec: &str) {
    let rules = *start.rules();
    let mut players = [seat(spec, &rules, 8), seat(spec, &rules, 9)];
    let expected = (Some(Side::First), 41);
    let end = play_out(start, &mut players, |position, verdict| {
        assert_eq!(
            end_of(verdict.unwrap(), position),
            expected,
            "on the way at ply {}",
            position.ply()
        );
    });
    assert_eq!(ended(&end), expected);
}

/// The published scores of the first moves; in a release build, as above, it takes a minute.
#[test]
#[ignore = "it proves the whole game seven times over"]
fn the_first_moves_have_their_published_scores() {
    let options = SolverOptions::default().with_memory(256);
    let mut solver = Solver::new(&Rules::CONNECT_FOUR, options).unwrap();
    let analysis =
        solver.analyse(&Position::new(Rules::CONNECT_FOUR), &Budget::unlimited()).unwrap();
    let scores: Vec<i32> = analysis.scores().unwrap().iter().map(|column| column.score).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
}
