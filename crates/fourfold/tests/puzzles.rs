//! Puzzles of a collection: what they claim, against brute force; their file; how they are made.

use fourfold::budget::Budget;
use fourfold::game::{Key, Move, Outcome, Position, Rules};
use fourfold::play::{
    CollectOptions, Collection, Course, LevelTries, MOST_ASKED, PuzzleError, PuzzleFileError,
    Section, Theme, collect, course, difficulty, random_position, try_levels,
};
use fourfold::random::Random;
use fourfold::solver::{Solver, SolverOptions};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn rules(text: &str) -> Rules {
    text.parse().expect("a game")
}

/// Results by plain search of the whole game: positive for a win of the side to move, the greater
/// the sooner; negative for a loss.
#[derive(Default)]
struct Oracle {
    known: HashMap<Key, i32>,
}

impl Oracle {
    fn value(&mut self, position: &Position) -> i32 {
        match position.outcome() {
            Outcome::Won { .. } => return -1000 + position.ply() as i32,
            Outcome::Drawn => return 0,
            Outcome::Ongoing => {}
        }
        if let Some(&known) = self.known.get(&position.key()) {
            return known;
        }
        let values = position.legal_moves().into_iter().map(|mv| self.after(position, mv));
        let best = values.max().expect("a move");
        self.known.insert(position.key(), best);
        best
    }

    /// The value of a move, for the side that makes it.
    fn after(&mut self, position: &Position, mv: Move) -> i32 {
        -self.value(&position.play_unchecked(mv))
    }

    /// The moves that keep the result.
    fn keeping(&mut self, position: &Position) -> Vec<Move> {
        let aim = self.value(position).signum();
        let moves = position.legal_moves().into_iter();
        moves.filter(|&mv| self.after(position, mv).signum() == aim).collect()
    }

    /// In how many moves of its own the side to move wins.
    fn wins_in(&mut self, position: &Position) -> Option<usize> {
        let value = self.value(position);
        (value > 0).then(|| (1000 - value as usize - position.ply() as usize).div_ceil(2))
    }
}

fn along(position: &Position, moves: &[Move]) -> Position {
    moves.iter().fold(*position, |position, &mv| position.play(mv).expect("a legal move"))
}

/// The loser is to move, nothing is threatened, and every move loses at once.
fn is_zugzwang(position: &Position) -> bool {
    let threatened = position.legal_moves().into_iter().any(|mv| {
        // What the other side could do if it were to move: the disc of the wrong colour.
        let other = position.to_move().other();
        let mut first = position.discs(fourfold::game::Side::First).bits();
        let mut second = position.discs(fourfold::game::Side::Second).bits();
        let own = if other == fourfold::game::Side::First { &mut first } else { &mut second };
        *own |= 1 << mv.bit();
        completes(position.rules(), *own, mv)
    });
    let lost = |mv: Move| {
        let after = position.play_unchecked(mv);
        let replies = after.legal_moves().into_iter();
        replies
            .map(|reply| after.play_unchecked(reply).outcome())
            .any(|outcome| matches!(outcome, Outcome::Won { by, .. } if by == after.to_move()))
    };
    !threatened && position.legal_moves().into_iter().all(lost)
}

/// Whether discs have a line through a move, looked at cell by cell.
fn completes(rules: &Rules, discs: u128, mv: Move) -> bool {
    let fourfold::game::Shape::Line(length) = rules.shape() else { panic!("lines only") };
    let cell = mv.cell(rules);
    let has = |column: i32, row: i32| {
        (0..rules.width() as i32).contains(&column)
            && (0..rules.height() as i32).contains(&row)
            && discs >> (column as u32 * rules.stride() + row as u32) & 1 == 1
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
        let run = |sign: i32| {
            (1..i32::from(length))
                .take_while(|step| {
                    let along = sign * step;
                    has(i32::from(cell.column) + along * dx, i32::from(cell.row) + along * dy)
                })
                .count()
        };
        1 + run(1) + run(-1) >= usize::from(length)
    })
}

/// Checks everything that a puzzle claims.
fn check(oracle: &mut Oracle, position: &Position, course: &Course) {
    let Course { line, asked, theme, zugzwang, .. } = course;
    assert!((1..=MOST_ASKED).contains(asked));
    let value = oracle.value(position);
    for step in 0..*asked {
        let at = along(position, &line[..2 * step]);
        assert_eq!(oracle.keeping(&at), [line[2 * step]], "move {step} of\n{position}");
        assert_eq!(oracle.value(&at).signum(), value.signum());
        if let Some(reply) = line.get(2 * step + 1) {
            let after = along(position, &line[..=2 * step]);
            let (best, given) = (oracle.value(&after), oracle.after(&after, *reply));
            assert_eq!(best, given, "the reply holds out as long as it can");
        }
    }
    let end = along(position, line);
    assert!(end.outcome().is_over());
    let won = matches!(end.outcome(), Outcome::Won { .. });
    let wins = oracle.wins_in(position);
    assert_eq!(wins.is_some(), won);
    let plain = wins == Some(asked + 1);
    let expected = match wins {
        None => Theme::Defend,
        Some(2) if plain => Theme::Win2,
        Some(3) if plain => Theme::Win3,
        Some(4) if plain => Theme::Win4,
        Some(_) => Theme::OnlyMove,
    };
    assert_eq!(*theme, expected, "\n{position}");
    if let Some(moves) = wins {
        assert_eq!(line.len(), 2 * moves - 1, "the winner wastes no move");
        assert_eq!(*zugzwang, is_zugzwang(&along(position, &line[..line.len() - 2])));
    } else {
        assert_eq!(value, 0);
    }
}

#[test]
fn puzzles_are_what_they_claim() {
    let mut themes = HashSet::new();
    for (game, games) in
        [("4x4c3", 300), ("4x4c4", 150), ("5x4c4", 250), ("3x3c3f", 100), ("4x3c3f", 200)]
    {
        let rules = rules(game);
        let mut solver = Solver::new(&rules, SolverOptions::default()).expect("memory");
        let (mut oracle, mut found) = (Oracle::default(), 0);
        for number in 0..games {
            let plies = rules.cells() / 4..=3 * rules.cells() / 4;
            let mut random = Random::for_item(11, number);
            let Some((position, _)) = random_position(&rules, plies, &mut random) else { continue };
            let made = course(&mut solver, &position, &Budget::unlimited()).expect("no limit");
            let quiet = position.threatened_moves().is_empty() && position.legal_moves().len() > 2;
            let one = oracle.value(&position) >= 0 && oracle.keeping(&position).len() == 1;
            assert_eq!(made.is_some(), quiet && one, "\n{position}");
            if let Some(course) = made {
                check(&mut oracle, &position, &course);
                themes.insert(course.theme);
                themes.extend(course.zugzwang.then_some(Theme::Zugzwang));
                found += 1;
            }
        }
        assert!(found > 0, "{game}");
    }
    for theme in Theme::ALL {
        assert!(themes.contains(&theme) || theme == Theme::Win4, "no puzzle about {theme}");
        assert_eq!(theme.name().parse(), Ok(theme));
    }
    assert!("mate".parse::<Theme>().is_err());
}

#[test]
fn difficulty_is_where_half_of_the_tries_succeed() {
    let levels = |solved: &dyn Fn(f64) -> f64| -> Vec<LevelTries> {
        (1..=11u32)
            .map(|level| {
                let elo = 130 * level;
                LevelTries { elo, tries: 1000, solved: solved(f64::from(elo)).round() as u32 }
            })
            .collect()
    };
    for (truth, scale) in [(300.0, 400.0), (800.0, 200.0), (1100.0, 300.0)] {
        let fit = difficulty(&levels(&|elo| 1000.0 / (1.0 + 10f64.powf((truth - elo) / scale))));
        assert!((f64::from(fit) - truth).abs() <= 20.0, "{fit} for {truth}");
    }
    // Where all agree, it is beyond them, but not without end.
    let (none, all) = (difficulty(&levels(&|_| 0.0)), difficulty(&levels(&|_| 1000.0)));
    assert!((1450..=2000).contains(&none) && all < 130, "{none}, {all}");
}

fn small(threads: usize) -> CollectOptions {
    CollectOptions::new(rules("5x4c4"), 14, 3).with_threads(threads)
}

fn made(threads: usize) -> Section {
    let budget = Budget::unlimited();
    collect(&small(threads), None, &budget, |_, _| ControlFlow::Continue(())).expect("no limit")
}

#[test]
fn collections_do_not_depend_on_threads_or_interruptions() {
    let whole = made(1);
    assert_eq!(whole.puzzles.len(), 14);
    assert_eq!(whole, made(3));
    // Stopped after each block, and resumed from the bytes that were saved.
    let mut saved: Option<Section> = None;
    for _ in 0..100 {
        let mut now = None;
        let section = collect(&small(2), saved, &Budget::unlimited(), |section, _| {
            now = Some(section.clone());
            ControlFlow::Break(())
        });
        let done = now.is_none();
        let mut collection = Collection::default();
        collection.sections.push(section.expect("no limit"));
        saved = Collection::read(&collection.to_bytes()).expect("bytes").sections.pop();
        if done {
            break;
        }
    }
    assert_eq!(saved, Some(whole));
    let stop = Arc::new(AtomicBool::new(true));
    stop.store(true, Ordering::Relaxed);
    let stopped = Budget::unlimited().with_stop(stop);
    let result = collect(&small(1), None, &stopped, |_, _| ControlFlow::Continue(()));
    assert_eq!(result, Err(PuzzleError::Stopped));
}

#[test]
fn collected_puzzles_are_right_and_all_different() {
    let section = made(2);
    let (mut oracle, mut seen) = (Oracle::default(), HashSet::new());
    for puzzle in &section.puzzles {
        assert_eq!(Position::from_moves(section.rules, &puzzle.moves), Ok(puzzle.position));
        check(&mut oracle, &puzzle.position, &puzzle.course);
        assert!(seen.insert(puzzle.position.canonical().key()), "one is another's mirror image");
        let Course { line, asked, .. } = &puzzle.course;
        let tries = try_levels(&puzzle.moves, &puzzle.position, line, *asked, &Budget::unlimited());
        assert_eq!(difficulty(&tries.expect("no limit")), puzzle.rating);
    }
    assert!(section.puzzles.is_sorted_by_key(|puzzle| puzzle.rating));
}

#[test]
fn files_come_back_and_damage_is_found() {
    let mut collection = Collection::default();
    collection.sections.push(made(2));
    let free = CollectOptions::new(rules("3x3c3f"), 5, 1);
    let free = collect(&free, None, &Budget::unlimited(), |_, _| ControlFlow::Continue(()));
    collection.sections.push(free.expect("no limit"));
    let bytes = collection.to_bytes();
    assert_eq!(Collection::read(&bytes), Ok(collection));
    for cut in 0..bytes.len() {
        assert!(Collection::read(&bytes[..cut]).is_err(), "cut after {cut} bytes");
    }
    for index in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << (index % 8);
        assert!(Collection::read(&damaged).is_err(), "byte {index}");
    }
    assert_eq!(Collection::read(b"something else"), Err(PuzzleFileError::NotPuzzles));
    let mut newer = bytes;
    newer[8] = 2;
    assert_eq!(Collection::read(&newer), Err(PuzzleFileError::Version { found: 2 }));
}
