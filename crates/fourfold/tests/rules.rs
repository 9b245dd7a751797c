//! Rules as text and as a promise: what parses, what is refused and in which words, and that every
//! game that is accepted can be won by someone while every game refused as hopeless is.

mod oracle;

use fourfold::game::{Placement, Rules, RulesError, Shape};
use oracle::{Game, Place};
use std::collections::HashSet;

fn error(text: &str) -> RulesError {
    match text.parse::<Rules>() {
        Ok(rules) => panic!("{text:?} was read as {rules}"),
        Err(why) => why,
    }
}

/// Every shape that a small board could ask for, and some that no board has room for.
fn shapes(sizes: std::ops::RangeInclusive<u8>) -> impl Iterator<Item = Shape> {
    sizes.flat_map(|size| [Shape::Line(size), Shape::Square(size)])
}

#[test]
fn rules_print_what_parses_back() {
    let mut accepted = 0;
    for width in 1..=128 {
        for height in 1..=128 {
            for shape in shapes(2..=9) {
                for placement in [Placement::Gravity, Placement::Free] {
                    let Ok(rules) = Rules::new(width, height, shape, placement) else { continue };
                    accepted += 1;
                    assert_eq!(rules.to_string().parse(), Ok(rules));
                    assert_eq!((rules.width(), rules.height()), (width, height));
                    assert_eq!((rules.shape(), rules.placement()), (shape, placement));
                    assert_eq!(rules.gravity(), placement == Placement::Gravity);
                    assert_eq!(rules.cells(), width * height);
                    assert_eq!(rules.bits(), width * (height + 1));
                    assert!(rules.bits() <= 128);
                    let most = if rules.gravity() { width } else { width * height };
                    assert_eq!(rules.most_moves(), most);
                    assert!(most as usize <= fourfold::game::MAX_MOVES);
                }
            }
        }
    }
    assert!(accepted > 5_000, "only {accepted} games");
}

#[test]
fn the_text_form_is_plain() {
    for (text, width, height, shape, placement) in [
        ("7x6c4", 7, 6, Shape::Line(4), Placement::Gravity),
        ("7x6s2", 7, 6, Shape::Square(2), Placement::Gravity),
        ("3x3c3f", 3, 3, Shape::Line(3), Placement::Free),
        ("4x4s2f", 4, 4, Shape::Square(2), Placement::Free),
        ("12x9c5", 12, 9, Shape::Line(5), Placement::Gravity),
        ("1x127c64f", 1, 127, Shape::Line(64), Placement::Free),
    ] {
        let rules = Rules::new(width, height, shape, placement).expect("a game");
        assert_eq!(text.parse(), Ok(rules));
        assert_eq!(rules.to_string(), text);
    }
    assert_eq!("007x06c04".parse(), Ok(Rules::CONNECT_FOUR), "leading zeros do no harm");
}

#[test]
fn names_stand_for_rules() {
    let named = [
        ("connect4", Rules::CONNECT_FOUR, "7x6c4"),
        ("square", Rules::SQUARE, "7x6s2"),
        ("tictactoe", Rules::TIC_TAC_TOE, "3x3c3f"),
    ];
    assert_eq!(Rules::names(), named.map(|(name, rules, _)| (name, rules)));
    for (name, rules, text) in named {
        assert_eq!(name.parse(), Ok(rules));
        assert_eq!(rules.name(), Some(name));
        assert_eq!(rules.to_string(), text);
        // The constants bypass the check; they must pass it all the same.
        assert_eq!(
            Rules::new(rules.width(), rules.height(), rules.shape(), rules.placement()),
            Ok(rules)
        );
    }
    assert_eq!("8x7c4".parse::<Rules>().expect("a game").name(), None);
}

#[test]
fn what_is_no_game_is_shown_how_to_write_one() {
    for text in [
        "",
        " ",
        "7",
        "7x",
        "7x6",
        "7x6c",
        "x6c4",
        "7xc4",
        "7x6q4",
        "7x6c4g",
        "7x6c4ff",
        "7x6cs4",
        "7x6c4 ",
        " 7x6c4",
        "-7x6c4",
        "+7x6c4",
        "7x-6c4",
        "7x6c-4",
        "7.0x6c4",
        "7x6c4x",
        "7,6,4",
        "7x6f",
        "f",
        "x",
        "xc",
        "c",
        "xcf",
        "connect5",
        "connect4f",
        "tictactoe ",
        "7×6c4",
        "７x6c4",
        "7x6c٤",
        "é",
        "7x6é4",
        "\0",
        "7x6c4\n",
    ] {
        assert_eq!(error(text), RulesError::Syntax { text: text.to_owned() });
    }
    assert_eq!(
        error("seven by six").to_string(),
        "\"seven by six\" is not a game: write WIDTHxHEIGHT, then cN (a line of N) or sN (a square of side N), \
         then f if discs do not fall, as in 7x6c4, 7x6s2 or 3x3c3f; or a name: connect4, square, tictactoe"
    );
    let listed = Rules::names().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    assert!(error("?").to_string().ends_with(&listed), "the message must list every name");
}

#[test]
fn refusals_say_what_is_wrong() {
    let messages = [
        ("0x6c4", "a board needs at least one column and one row, not 0x6"),
        ("7x0c4", "a board needs at least one column and one row, not 7x0"),
        ("0x0c0", "a board needs at least one column and one row, not 0x0"),
        ("8x16c4", "8x16 is too large: width times (height + 1) is 136, and may be at most 128"),
        (
            "4294967295x4294967295c4",
            "4294967295x4294967295 is too large: width times (height + 1) is 18446744069414584320, \
             and may be at most 128",
        ),
        ("7x6c1", "the size to win must be at least 2, not 1"),
        ("7x6s0", "the size to win must be at least 2, not 0"),
        ("3x3c4", "nobody could ever win 3x3c4: a line of 4 does not fit on the board"),
        ("7x2s3", "nobody could ever win 7x2s3: a square of side 3 does not fit on the board"),
        ("7x6c256", "nobody could ever win 7x6c256: a line of 256 does not fit on the board"),
        (
            "7x6s1000f",
            "nobody could ever win 7x6s1000f: a square of side 1000 does not fit on the board",
        ),
        (
            "5x1c4f",
            "nobody could ever win 5x1c4f: a line of 4 takes 4 discs and nobody has more than 3",
        ),
        (
            "4x4s3",
            "nobody could ever win 4x4s3: a square of side 3 takes 9 discs and nobody has more than 8",
        ),
        (
            "1x7c3",
            "nobody could ever win 1x7c3: discs fall and players take turns, so a line of 3 always ends up with discs \
             of both",
        ),
        (
            "3x6s3",
            "nobody could ever win 3x6s3: discs fall and players take turns, so a square of side 3 always ends up with \
             discs of both",
        ),
    ];
    for (text, message) in messages {
        assert_eq!(error(text).to_string(), message);
    }
}

#[test]
fn refusals_carry_what_was_given() {
    assert_eq!(error("0x6c4"), RulesError::NoCells { width: 0, height: 6 });
    assert_eq!(error("8x16c4"), RulesError::TooLarge { width: 8, height: 16 });
    assert_eq!(error("7x6c1"), RulesError::TooShort { size: 1 });
    assert!(matches!(error("3x3c4"), RulesError::Unwinnable { game, .. } if game == "3x3c4"));
    // Numbers past all bounds are too large, not a failure to read.
    let large = "99999999999999999999x6c4";
    assert_eq!(error(large), RulesError::OffScale { text: large.to_owned() });
    assert!(error(large).to_string().starts_with("\"99999999999999999999x6c4\" is too large"));
    for (text, rules) in [
        ("Connect4", Rules::CONNECT_FOUR),
        ("TicTacToe", Rules::TIC_TAC_TOE),
        ("7X6S2", Rules::SQUARE),
    ] {
        assert_eq!(text.parse(), Ok(rules), "{text}");
    }
    assert!(matches!(error("7x6c99999999999999999999"), RulesError::Unwinnable { .. }));
    // The largest boards in every proportion, and the smallest that are too large.
    for (text, fits) in [("64x1c2", true), ("65x1c2", false), ("2x63c4", true), ("2x64c4", false)] {
        assert_eq!(text.parse::<Rules>().is_ok(), fits, "{text}");
    }
    for (text, fits) in
        [("1x127c3f", true), ("1x128c3f", false), ("16x7c4", true), ("11x11c4", false)]
    {
        assert_eq!(text.parse::<Rules>().is_ok(), fits, "{text}");
    }
}

#[test]
fn shapes_know_their_size() {
    assert_eq!((Shape::Line(4).size(), Shape::Line(4).cells()), (4, 4));
    assert_eq!((Shape::Square(3).size(), Shape::Square(3).cells()), (3, 9));
    assert_eq!(Shape::Line(4).to_string(), "a line of 4");
    assert_eq!(Shape::Square(2).to_string(), "a square of side 2");
}

#[cfg(feature = "json")]
#[test]
fn json_holds_the_text_form() {
    assert_eq!(serde_json::to_string(&Rules::SQUARE).expect("text"), "\"7x6s2\"");
    assert_eq!(serde_json::from_str::<Rules>("\"7x6s2\"").expect("rules"), Rules::SQUARE);
    assert_eq!(
        serde_json::from_str::<Rules>("\"connect\\u0034\"").expect("rules"),
        Rules::CONNECT_FOUR
    );
    let why = serde_json::from_str::<Rules>("\"3x3c4\"").expect_err("nobody could win").to_string();
    assert!(why.contains("a line of 4 does not fit on the board"), "{why}");
}

/// Board, shape and placement as asked for, before anything is known about them. The oracle wants
/// `Rules`, which exist only for games that can be won, so this brute force stands on its own.
struct Wish {
    width: usize,
    height: usize,
    windows: Vec<Vec<usize>>,
    gravity: bool,
}

impl Wish {
    fn new(width: usize, height: usize, shape: Shape, placement: Placement) -> Self {
        let index = |column: usize, row: usize| column * height + row;
        let size = usize::from(shape.size());
        let mut windows = Vec::new();
        for column in 0..width {
            for row in 0..height {
                let (right, up, down) =
                    (column + size <= width, row + size <= height, row + 1 >= size);
                match shape {
                    Shape::Line(_) => {
                        let lines: [(bool, &dyn Fn(usize) -> usize); 4] = [
                            (right, &|k| index(column + k, row)),
                            (up, &|k| index(column, row + k)),
                            (right && up, &|k| index(column + k, row + k)),
                            (right && down, &|k| index(column + k, row - k)),
                        ];
                        for (fits, cell) in lines {
                            if fits {
                                windows.push((0..size).map(cell).collect());
                            }
                        }
                    }
                    Shape::Square(_) if right && up => windows.push(
                        (0..size * size)
                            .map(|k| index(column + k / size, row + k % size))
                            .collect(),
                    ),
                    Shape::Square(_) => {}
                }
            }
        }
        Self { width, height, windows, gravity: placement == Placement::Gravity }
    }

    /// Does any sequence of legal moves end in a win? Tries them all, each arrangement of discs
    /// once.
    fn can_be_won(&self) -> bool {
        if self.windows.is_empty() {
            return false;
        }
        // 0 empty, 1 and 2 the players' discs.
        let start = vec![0u8; self.width * self.height];
        let mut seen = HashSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(cells) = open.pop() {
            let ply = cells.iter().filter(|&&cell| cell != 0).count();
            let mover = (ply % 2 + 1) as u8;
            for at in 0..cells.len() {
                let held_up = !self.gravity || at % self.height == 0 || cells[at - 1] != 0;
                if cells[at] != 0 || !held_up {
                    continue;
                }
                let mut next = cells.clone();
                next[at] = mover;
                if self.windows.iter().any(|window| window.iter().all(|&cell| next[cell] == mover))
                {
                    return true;
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        false
    }
}

fn check_promise(width: usize, height: usize, shape: Shape, placement: Placement) {
    let possible = Wish::new(width, height, shape, placement).can_be_won();
    match Rules::new(width as u32, height as u32, shape, placement) {
        Ok(rules) => assert!(possible, "{rules} is accepted, but nobody can ever win it"),
        Err(RulesError::Unwinnable { game, reason }) => {
            assert!(!possible, "{game} is refused ({reason}), but it can be won");
        }
        Err(why) => panic!("{width}x{height}, {shape}: {why}"),
    }
}

#[test]
fn games_are_refused_as_hopeless_exactly_when_they_are() {
    for width in 1..=12 {
        for height in (1..=12).filter(|height| width * height <= 12) {
            for shape in shapes(2..=5) {
                for placement in [Placement::Gravity, Placement::Free] {
                    check_promise(width, height, shape, placement);
                }
            }
        }
    }
    // Squares of side 2 in two columns, where the players must take turns on both, and squares of
    // side 3, which need larger boards before there are discs enough.
    for height in 7..=9 {
        check_promise(2, height, Shape::Square(2), Placement::Gravity);
    }
    for (width, height) in [(3, 6), (6, 3)] {
        check_promise(width, height, Shape::Square(3), Placement::Gravity);
    }
}

/// For boards too large to try everything: a game that is accepted has a line of play that wins it.
#[test]
fn accepted_games_are_won_with_good_will() {
    for text in [
        "7x6c4",
        "12x9c5",
        "64x1c32",
        "1x127c64f",
        "9x9s4",
        "10x10s7f",
        "2x42c42",
        "42x2c42",
        "4x7s3",
    ] {
        let rules: Rules = text.parse().unwrap_or_else(|why| panic!("{why}"));
        assert!([0, 1].into_iter().any(|winner| win_for(rules, winner)), "found no win in {text}");
    }
}

/// Tries every window in turn: the winner plays in it, the other anywhere else, tall columns last.
fn win_for(rules: Rules, winner: u32) -> bool {
    let empty = Game::new(rules);
    empty.windows().iter().any(|goal| {
        let mut game = empty.clone();
        while !game.is_over() {
            let in_goal = |at: &Place| goal.contains(at);
            let mine = game.ply() % 2 == winner;
            let mut moves = game.moves();
            // For the winner cells of the goal first; for the other those that neither belong to it
            // nor give height.
            moves.sort_by_key(|at| (in_goal(at) != mine, at.1));
            game = game.play(moves[0]);
        }
        game.has_won(fourfold::game::Side::First) || game.has_won(fourfold::game::Side::Second)
    })
}
