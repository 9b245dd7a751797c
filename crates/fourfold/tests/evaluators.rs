//! Every evaluator against its naive twin in [`oracle::judge`], on words of both widths, and the
//! drawings in their documentation, figure by figure.

mod oracle;

use fourfold::eval::{
    Evaluate, Evaluator, EvaluatorError, OpenLines, Square, SquareForm, Terminal, Weights, Windows,
};
use fourfold::game::{Board, Cell, Geometry, Position, Rules, Side, Symmetry, Word};
use fourfold::random::Random;
use fourfold::score::LARGEST_ESTIMATE;
use oracle::Game;
use oracle::chance::{random_position, rules};
use oracle::judge::{fatal_columns, judge, square_worth};

const RULES: &[&str] = &[
    "7x6c4", "7x6s2", "3x3c3f", "4x2c2", "4x4c4", "5x4c3", "6x5c4", "5x5s2", "4x4s2f", "4x3c3f",
    "1x7c3f", "3x4s2", "6x6s3", "8x8c5", "8x7c4", "8x7s3f", "13x4c4f", "12x9c5", "9x7c4", "16x7s2",
    "16x7c4", "15x7c6f", "30x3c3",
];

const NAMES: [&str; 9] = [
    "terminal",
    "windows",
    "windows:-3/70/0/99999",
    "windows:100000/100000/100000/100000",
    "windows-literal",
    "windows-literal:-3/70/0/99999",
    "square",
    "square-literal",
    "open-lines",
];

/// The evaluators that can judge these rules.
fn suiting(rules: &Rules) -> Vec<Evaluator> {
    let all = NAMES.map(|name| name.parse::<Evaluator>().unwrap());
    all.into_iter().filter(|evaluator| evaluator.check(rules).is_ok()).collect()
}

/// What an evaluator says through the trait, on words of one width.
fn in_words<W: Word>(evaluator: &Evaluator, position: &Position, side: Side) -> i32 {
    let geometry = Geometry::<W>::new(position.rules());
    let board = Board::<W>::of(position);
    let (max, min) = if side == position.to_move() {
        (board.own, board.opponent())
    } else {
        (board.opponent(), board.own)
    };
    match evaluator {
        Evaluator::Terminal => Terminal.evaluate(&geometry, max, min),
        Evaluator::Windows(windows) => windows.evaluate(&geometry, max, min),
        Evaluator::WindowsLiteral(windows) => windows.evaluate(&geometry, max, min),
        Evaluator::Square(square) => square.evaluate(&geometry, max, min),
        Evaluator::OpenLines => OpenLines.evaluate(&geometry, max, min),
        other => panic!("{other} is not compiled in"),
    }
}

#[test]
fn evaluators_equal_their_naive_twins() {
    let mut fatal = 0;
    for (index, text) in RULES.iter().enumerate() {
        let rules = rules(text);
        let random = &mut Random::for_item(21, index as u64);
        let evaluators = suiting(&rules);
        for _ in 0..300 {
            let position = random_position(&rules, random);
            if position.outcome().is_over() {
                continue;
            }
            let game = Game::of(&position);
            fatal += fatal_columns(&game, Side::First);
            for evaluator in &evaluators {
                let about = format!("{evaluator} on {rules}\n{position}");
                for side in [Side::First, Side::Second] {
                    let expected = judge(evaluator, &game, side);
                    assert_eq!(evaluator.evaluate(&position, side), Ok(expected), "{about}");
                    assert_eq!(in_words::<u128>(evaluator, &position, side), expected, "{about}");
                    if rules.bits() <= 64 {
                        assert_eq!(
                            in_words::<u64>(evaluator, &position, side),
                            expected,
                            "{about}"
                        );
                    }
                    assert!(expected.abs() <= LARGEST_ESTIMATE, "{about}");
                }
            }
        }
    }
    assert!(fatal > 200, "only {fatal} fatal columns were met");
}

#[test]
fn evaluators_see_all_images_alike_and_both_sides_as_promised() {
    let mut one_sided = 0;
    for (index, text) in RULES.iter().enumerate() {
        let rules = rules(text);
        let random = &mut Random::for_item(22, index as u64);
        for _ in 0..100 {
            let position = random_position(&rules, random);
            if position.outcome().is_over() {
                continue;
            }
            for evaluator in suiting(&rules) {
                let say = |position: &Position, side| evaluator.evaluate(position, side).unwrap();
                let (first, second) = (say(&position, Side::First), say(&position, Side::Second));
                for &symmetry in Symmetry::of(&rules) {
                    let image = position.transform(symmetry);
                    assert_eq!(
                        say(&image, Side::First),
                        first,
                        "{evaluator}, {symmetry}\n{position}"
                    );
                    assert_eq!(
                        say(&image, Side::Second),
                        second,
                        "{evaluator}, {symmetry}\n{position}"
                    );
                }
                if evaluator.is_antisymmetric() {
                    assert_eq!(first, -second, "{evaluator}\n{position}");
                } else {
                    one_sided += usize::from(first != -second);
                }
            }
        }
    }
    assert!(one_sided > 0, "the literal square formula is one-sided");
}

#[test]
fn the_largest_weights_stay_within_estimates() {
    let large = Weights {
        lacking_three: Weights::LARGEST,
        lacking_two: Weights::LARGEST,
        lacking_one: Weights::LARGEST,
        fatal: Weights::LARGEST,
    };
    for text in [
        "16x7c2", "16x7c3", "16x7c4f", "14x8c3", "11x10c3f", "64x1c2", "2x63c3", "8x15s2",
        "1x127c2f",
    ] {
        let rules = rules(text);
        // No window counts more than once, and no column is fatal to both.
        let windows = oracle::windows(&rules).len() as i64;
        let most = i64::from(Weights::LARGEST) * (windows + i64::from(rules.width()));
        assert!(most <= i64::from(LARGEST_ESTIMATE), "{rules} could say {most}");
        let geometry = Geometry::<u128>::new(&rules);
        let windows = Windows::new(large);
        // One side has discs in some pattern, the other what is left of the lower rows (or, on a
        // free board, nothing).
        for pattern in [u128::MAX / 3, u128::MAX / 15, u128::MAX / 7, u128::MAX / 255 * 15] {
            let rows = |count: u32| (0..count).fold(0, |set, row| set | geometry.bottom() << row);
            let filled =
                if rules.gravity() { rows(rules.height().div_ceil(2)) } else { geometry.cells() };
            let own = pattern & filled;
            let other = if rules.gravity() { filled & !own } else { 0 };
            let score = windows.evaluate(&geometry, own, other);
            assert!(i64::from(score.abs()) <= most, "{rules} says {score}");
        }
    }
    // A square formula counts 352 a square at most, and there are no more squares than cells.
    const { assert!(352 * 128 <= LARGEST_ESTIMATE) }
}

/// A game from rows as drawn, the top one first.
fn drawn(text: &str, rows: &[&str]) -> Game {
    let mut game = Game::new(rules(text));
    for (from_top, row) in rows.iter().enumerate() {
        for (column, letter) in row.split(' ').enumerate() {
            let disc = match letter {
                "x" => Some(Side::First),
                "o" => Some(Side::Second),
                _ => None,
            };
            game = game.with((column, rows.len() - 1 - from_top), disc);
        }
    }
    game
}

fn position_of(game: &Game) -> Position {
    let discs = |side: Side| {
        oracle::places(&game.rules)
            .into_iter()
            .filter(|&(column, row)| game.cells[column][row] == Some(side))
            .fold(0u128, |set, (column, row)| {
                set | 1 << Cell { column: column as u8, row: row as u8 }.bit(&game.rules)
            })
    };
    Position::from_discs(game.rules, discs(Side::First), discs(Side::Second)).unwrap()
}

#[test]
fn the_drawing_of_windows() {
    let game = drawn("5x4c4", &[". . x . .", ". o o . .", ". x x x .", ". o x o ."]);
    let position = position_of(&game);
    let term = |weights: &str| {
        let windows = Windows::new(weights.parse().unwrap());
        Evaluator::Windows(windows).evaluate(&position, Side::First).unwrap()
    };
    assert_eq!(term("0/0/25/0"), 2 * 25);
    assert_eq!(term("1/0/0/0"), 2);
    assert_eq!(term("0/0/0/100"), 2 * 100);
    assert_eq!(term("0/5/0/0"), -2 * 5);
    assert_eq!(term("1/5/25/100"), 242);
    assert_eq!((fatal_columns(&game, Side::Second), fatal_columns(&game, Side::First)), (2, 0));
    // The two fatal columns are a and e.
    for (column, fatal) in [(0, true), (1, false), (2, false), (3, false), (4, true)] {
        let Ok(mv) = position.drop_in(column) else { continue };
        let after = position.play(mv).unwrap();
        assert_eq!(!after.winning_moves().is_empty(), fatal, "column {column}");
    }
    assert_eq!(oracle::windows(&Rules::CONNECT_FOUR).len(), 69);
}

#[test]
fn a_column_in_which_the_disc_wins_is_not_fatal() {
    // x to move wins on a1 with the row, although o could then take a2.
    let game = drawn("5x4c3", &[". . . . .", ". . . . .", ". o o . .", ". x x o x"]);
    assert_eq!(fatal_columns(&game, Side::First), 0);
    let fatal_only = Evaluator::Windows(Windows::new("0/0/0/1".parse().unwrap()));
    assert_eq!(
        fatal_only.evaluate(&position_of(&game), Side::Second),
        Ok(judge(&fatal_only, &game, Side::Second))
    );
}

#[test]
fn the_drawing_of_open_lines() {
    let position = position_of(&drawn("3x3c3f", &["x . .", ". o .", ". . ."]));
    assert_eq!(Evaluator::OpenLines.evaluate(&position, Side::First), Ok(-1));
    assert_eq!(Evaluator::OpenLines.evaluate(&position, Side::Second), Ok(1));
    let geometry = Geometry::<u64>::new(&Rules::TIC_TAC_TOE);
    let board = Board::<u64>::of(&position);
    // One side's lines alone: with a full board of the other taken away, nothing is open to it.
    let open = |closed: u64| OpenLines.evaluate(&geometry, geometry.cells(), closed);
    assert_eq!((open(board.opponent()), open(board.own)), (4, 5));
}

/// The squares drawn in the documentation: upper row, lower row, Bottom, Top, literal, corrected.
const SQUARES: [(&str, &str, u32, u32, i32, i32); 9] = [
    (". .", ". .", 0, 0, 1, 0),
    (". .", "x .", 1, 0, 10, 9),
    (". .", "x x", 2, 0, 55, 54),
    ("x .", "x x", 2, 1, 58, 352),
    ("x x", "x .", 1, 2, 16, 352),
    (". .", "x o", 1, 0, 10, 0),
    ("o .", "x x", 2, 0, 0, 0),
    ("x .", "x o", 1, 1, 13, 0),
    ("x .", "o x", 1, 1, 13, 0),
];

#[test]
fn the_drawings_of_squares() {
    for (upper, lower, bottom, top, literal, corrected) in SQUARES {
        let count = |row: &str| row.matches('x').count() as u32;
        assert_eq!((count(lower), count(upper)), (bottom, top));
        // Alone in the middle of a board; the squares around it count as well.
        let wide = |row: &str| format!(". . . {row} . .");
        let empty = ". . . . . . .";
        let (upper, lower) = (wide(upper), wide(lower));
        let game = drawn("7x6s2", &[empty, empty, empty, empty, &upper, &lower]);
        assert_eq!(
            square_worth(&game, Side::First, (3, 0)),
            (literal, corrected),
            "{upper}\n{lower}"
        );
        let bits = |side: Side| {
            oracle::places(&game.rules)
                .into_iter()
                .filter(|&(column, row)| game.cells[column][row] == Some(side))
                .fold(0u64, |set, (column, row)| set | 1 << (column * 7 + row))
        };
        let geometry = Geometry::<u64>::new(&Rules::SQUARE);
        let (own, other) = (bits(Side::First), bits(Side::Second));
        let around = |worth: fn((i32, i32)) -> i32, side| -> i32 {
            oracle::places(&game.rules)
                .into_iter()
                .filter(|&(column, row)| column < 6 && row < 5)
                .map(|at| worth(square_worth(&game, side, at)))
                .sum()
        };
        let first = |pair: (i32, i32)| pair.0;
        let second = |pair: (i32, i32)| pair.1;
        let say = |form| Square::new(form).evaluate(&geometry, own, other);
        assert_eq!(say(SquareForm::Literal), around(first, Side::First));
        let both = around(second, Side::First) - around(second, Side::Second);
        assert_eq!(say(SquareForm::Corrected), both);
    }
    // The edge costs 2 a disc, in both forms: one disc in a corner touches one square.
    let geometry = Geometry::<u64>::new(&Rules::SQUARE);
    assert_eq!(Square::new(SquareForm::Corrected).evaluate(&geometry, 1, 0), 9 - 2);
    assert_eq!(Square::new(SquareForm::Literal).evaluate(&geometry, 1, 0), 29 + 10 - 2);
}

#[test]
fn names_are_read_and_written() {
    for name in NAMES {
        assert_eq!(name.parse::<Evaluator>().unwrap().to_string(), name);
    }
    for (name, doc) in Evaluator::ALL {
        assert_eq!(name.parse::<Evaluator>().unwrap().to_string(), name);
        assert!(!doc.is_empty());
    }
    assert_eq!("windows:1/5/25/100".parse::<Evaluator>().unwrap().to_string(), "windows");
    let error = |text: &str| text.parse::<Evaluator>().unwrap_err().to_string();
    assert_eq!(
        error("window"),
        "there is no evaluator \"window\"; there are terminal, windows, windows-literal, square, \
         square-literal, open-lines, threats, net"
    );
    let wrong = |text: &str| {
        format!(
            "{text:?} are not weights: write four whole numbers from -100000 to 100000, for windows that lack three \
             discs, two, one, and for fatal columns, as in 1/5/25/100"
        )
    };
    for text in [
        "",
        "1/2/3",
        "1/2/3/4/5",
        "1/2/3/x",
        "1/2/3/100001",
        "1/2/3/-100001",
        "1/2/3/-2147483648",
        "1//2/3",
    ] {
        assert_eq!(error(&format!("windows:{text}")), wrong(text));
    }
}

#[test]
fn evaluators_refuse_games_they_cannot_judge() {
    let square: Evaluator = "square".parse().unwrap();
    assert_eq!(
        square.evaluate(&Position::new(Rules::CONNECT_FOUR), Side::First).unwrap_err().to_string(),
        "the evaluator square cannot judge 7x6c4: it is for squares of side 2 where discs fall"
    );
    for text in ["4x4s2f", "6x6s3", "3x3c3f"] {
        let game = rules(text);
        let refused = square.check(&game).unwrap_err();
        assert!(
            matches!(&refused, EvaluatorError::WrongGame { name, game: asked, .. }
                if name == "square" && *asked == game),
            "{refused}"
        );
    }
    for text in RULES {
        let game = rules(text);
        assert_eq!(Evaluator::natural(&game).check(&game), Ok(()), "{game}");
    }
}
