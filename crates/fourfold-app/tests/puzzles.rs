//! The puzzles that come with Fourfold: each is exact, none comes twice, and every day has one.

use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::play::{Collection, RatedPuzzle, Theme, course};
use fourfold::solver::{Solver, SolverOptions};
use fourfold_app::puzzles::{
    Day, NoPuzzle, PuzzleQuery, SHIPPED, find, index_json, puzzle_json, shipped,
};
use std::collections::HashSet;

const BYTES: &[u8] = include_bytes!("../puzzles/shipped.puzzles");

#[test]
fn the_file_is_whole_and_small_and_no_two_are_alike() {
    assert!(BYTES.len() <= 200_000, "{} bytes", BYTES.len());
    assert_eq!(Collection::read(BYTES).as_ref(), Ok(shipped()));
    assert_eq!(shipped().sections.len(), SHIPPED.len());
    for ((game, wanted), section) in SHIPPED.into_iter().zip(&shipped().sections) {
        assert_eq!(section.rules.to_string(), game);
        let count = section.puzzles.len();
        assert_eq!((count, section.wanted), (wanted as usize, wanted), "{game}");
        let keys: HashSet<_> =
            section.puzzles.iter().map(|puzzle| puzzle.position.canonical().key()).collect();
        assert_eq!(keys.len(), count, "{game}");
        for puzzle in &section.puzzles {
            let start = puzzle.position;
            let mut at = start;
            for pair in puzzle.course.line.chunks(2).take(puzzle.course.asked) {
                let key = at.canonical().key();
                assert!(at == start || !keys.contains(&key), "one puzzle leads into another");
                at = pair.iter().fold(at, |at, &mv| at.play_unchecked(mv));
            }
        }
    }
    for theme in Theme::ALL {
        let of_theme = |puzzle: &&RatedPuzzle| puzzle.themes().contains(&theme);
        let four = shipped().section(&Rules::CONNECT_FOUR).expect("Connect Four");
        assert!(four.puzzles.iter().filter(of_theme).count() >= 150, "{theme}");
    }
}

/// The solver makes the same course of the position again: the moves asked for are the only ones,
/// the replies the toughest, the theme right.
fn exact(rules: Rules, puzzles: &[&RatedPuzzle]) {
    let mut solver = Solver::new(&rules, SolverOptions::default()).expect("memory");
    for puzzle in puzzles {
        assert_eq!(Position::from_moves(rules, &puzzle.moves), Ok(puzzle.position));
        let again = course(&mut solver, &puzzle.position, &Budget::unlimited()).expect("no limit");
        assert_eq!(again.as_ref(), Some(&puzzle.course), "{rules}\n{}", puzzle.position);
    }
}

#[test]
fn a_sample_is_exact() {
    for section in &shipped().sections {
        let step = section.puzzles.len().div_ceil(12).max(1);
        exact(section.rules, &section.puzzles.iter().step_by(step).collect::<Vec<_>>());
    }
}

#[test]
#[ignore = "solves every puzzle: minutes without optimisation"]
fn all_are_exact() {
    for section in &shipped().sections {
        exact(section.rules, &section.puzzles.iter().collect::<Vec<_>>());
    }
}

fn of_day(day: &str) -> usize {
    let day = Some(day.parse().expect("a day"));
    find(&PuzzleQuery { day, ..PuzzleQuery::default() }).expect("a puzzle").0
}

#[test]
fn every_day_has_a_puzzle_of_its_own() {
    // As shipped; another collection would have others.
    assert_eq!(of_day("2026-11-16"), of_day("2026-11-16"));
    let first: Day = "2026-01-01".parse().expect("a day");
    let mut seen = HashSet::new();
    let mut ratings = [0; 7];
    for number in 0..364u64 {
        let seconds = (20_454 + number) * 86_400;
        let day = Day::of_seconds(seconds + 7);
        assert!(day >= first || number == 0);
        assert_eq!(day.to_string().parse(), Ok(day));
        let query = PuzzleQuery { day: Some(day), ..PuzzleQuery::default() };
        let (puzzle, found) = find(&query).expect("a puzzle");
        assert!(seen.insert(puzzle), "{day} repeats puzzle {puzzle}");
        ratings[(number as usize + 3) % 7] += found.rating;
    }
    assert!(ratings.is_sorted(), "the week gets harder from Monday on: {ratings:?}");
}

#[test]
fn days_are_dates() {
    assert_eq!("1970-01-01".parse(), Ok(Day::of_seconds(0)));
    assert_eq!("2000-02-29".parse::<Day>().map(|day| day.to_string()), Ok("2000-02-29".to_owned()));
    assert_eq!("2026-11-16".parse(), Ok(Day::of_seconds(1_794_787_200 + 80_000)));
    for wrong in [
        "",
        "today",
        "2026-02-29",
        "2026-13-01",
        "1969-12-31",
        "2026-1-1",
        "+026-01-01",
        "2026-11-16-1",
        "99999-01-01",
    ] {
        assert!(wrong.parse::<Day>().is_err(), "{wrong}");
    }
}

#[test]
fn puzzles_are_found_by_what_is_asked() {
    let near = PuzzleQuery {
        theme: Some(Theme::Zugzwang),
        rating: Some(900),
        seed: Some(5),
        ..PuzzleQuery::default()
    };
    let json = puzzle_json(&near).expect("a puzzle");
    assert_eq!(json, puzzle_json(&near).expect("the same again"));
    assert!(json["themes"].as_array().expect("themes").contains(&"zugzwang".into()));
    let rating = json["rating"].as_u64().expect("a rating");
    assert!(rating.abs_diff(900) <= 200, "{rating}");
    let index = index_json(None).expect("Connect Four");
    let themes = index["themes"].as_str().expect("text").split(' ').count();
    assert_eq!(themes, index["ratings"].as_array().expect("a list").len());
    let number = PuzzleQuery { number: Some(1), ..PuzzleQuery::default() };
    assert_eq!(puzzle_json(&number).expect("the first")["number"], 1);
    for number in [0, 1_000_000, u64::MAX] {
        let query = PuzzleQuery { number: Some(number), ..PuzzleQuery::default() };
        assert_eq!(find(&query).map_err(|why| why.place()), Err("number"));
    }
    let game: Rules = "9x9c5".parse().expect("a game");
    let none = PuzzleQuery { game: Some(game), ..PuzzleQuery::default() };
    assert_eq!(find(&none), Err(NoPuzzle::Game { game }));
}
