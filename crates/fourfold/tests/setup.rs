//! Boards that are set up rather than played, and moves that are refused: each reason once with a
//! drawn board and its exact words, then every reason against a plain reading of the array in
//! [`oracle`].

mod oracle;

use fourfold::game::{Cell, Move, Outcome, PlayError, Position, Rules, SetupError, Side};
use fourfold::random::Random;
use oracle::{Game, Place};
use std::collections::HashSet;

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|why| panic!("{why}"))
}

fn cell((column, row): Place) -> Cell {
    Cell { column: column as u8, row: row as u8 }
}

/// A cell by its name, such as `d2`.
fn at(name: &str) -> Cell {
    let (column, row) = name.split_at(1);
    Cell { column: column.as_bytes()[0] - b'a', row: row.parse::<u8>().expect("a row") - 1 }
}

/// The discs drawn: rows from the top, `x`, `o` and `.`; spaces do not count.
fn drawn(rules: &Rules, picture: &str) -> (u128, u128) {
    let rows: Vec<&str> = picture.split_whitespace().collect();
    assert_eq!(rows.len(), rules.height() as usize, "{picture}");
    let (mut first, mut second) = (0, 0);
    for (from_top, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), rules.width() as usize, "{row}");
        for (column, letter) in row.chars().enumerate() {
            let bit = 1 << cell((column, rows.len() - 1 - from_top)).bit(rules);
            match letter {
                'x' => first |= bit,
                'o' => second |= bit,
                other => assert_eq!(other, '.'),
            }
        }
    }
    (first, second)
}

fn set_up(text: &str, picture: &str) -> Result<Position, SetupError> {
    let rules = rules(text);
    let (first, second) = drawn(&rules, picture);
    Position::from_discs(rules, first, second)
}

fn position(text: &str, picture: &str) -> Position {
    set_up(text, picture).unwrap_or_else(|why| panic!("{why}\n{picture}"))
}

fn refused(text: &str, picture: &str, why: &SetupError, message: &str) {
    assert_eq!(set_up(text, picture).as_ref(), Err(why), "{picture}");
    assert_eq!(why.to_string(), message);
}

fn discs_of(game: &Game) -> (u128, u128) {
    let bits = |side| {
        oracle::places(&game.rules)
            .into_iter()
            .filter(|&(column, row)| game.cells[column][row] == Some(side))
            .fold(0u128, |set, place| set | 1 << cell(place).bit(&game.rules))
    };
    (bits(Side::First), bits(Side::Second))
}

#[test]
fn boards_that_can_be_set_up() {
    let opening = position("4x3c3", ".... .o.. xxo.");
    assert_eq!((opening.ply(), opening.to_move()), (4, Side::First));
    assert_eq!(opening.to_string(), ". . . .\n. o . .\nx x o .");

    // One last disc may complete several shapes at once: here d1, the middle of seven.
    let seven = position("7x6c4", "....... ....... ....... ....... ooo.ooo xxxxxxx");
    let Outcome::Won { by: Side::First, cells } = seven.outcome() else {
        panic!("{:?}", seven.outcome())
    };
    assert_eq!(cells.len(), 7);

    assert_eq!(position("3x3c3f", "xox xxo oxo").outcome(), Outcome::Drawn);
    assert_eq!(Position::from_discs(Rules::SQUARE, 0, 0), Ok(Position::new(Rules::SQUARE)));
}

#[test]
fn a_disc_outside_the_board() {
    // Bit 6 is the sentinel above column a; 127 is far out.
    for bit in [6, 13, 48, 49, 127] {
        let why = SetupError::Outside { bit, game: Rules::CONNECT_FOUR };
        assert_eq!(Position::from_discs(Rules::CONNECT_FOUR, 1 << bit, 0).as_ref(), Err(&why));
        assert_eq!(Position::from_discs(Rules::CONNECT_FOUR, 1, 1 << bit | 2).as_ref(), Err(&why));
    }
    let why = SetupError::Outside { bit: 6, game: Rules::CONNECT_FOUR };
    assert_eq!(why.to_string(), "a disc lies outside the board (bit 6 of 7x6c4)");
}

#[test]
fn a_cell_of_both_players() {
    let why = SetupError::Overlap { cell: at("b1") };
    assert_eq!(Position::from_discs(Rules::CONNECT_FOUR, 1 << 7, 1 << 7).as_ref(), Err(&why));
    assert_eq!(why.to_string(), "b1 holds a disc of both players");
}

#[test]
fn a_floating_disc() {
    let why = SetupError::Floating { cell: at("c3"), below: at("c2") };
    refused("4x3c3", "..x. .... .oxo", &why, "the disc on c3 floats: c2 below it is empty");
    assert!(set_up("4x3c3f", "..x. .... .oxo").is_ok(), "nothing falls in a game without gravity");
}

#[test]
fn disc_counts_that_taking_turns_cannot_give() {
    let words = "cannot come from taking turns: the first player has as many discs as the second, or one more";
    for (picture, first, second) in
        [(".... .... xx..", 2, 0), (".... .... o...", 0, 1), (".... o... xoo.", 1, 3)]
    {
        let why = SetupError::DiscCounts { first, second };
        refused("4x3c3", picture, &why, &format!("disc counts of {first} and {second} {words}"));
    }
}

#[test]
fn two_winners() {
    let words = "both players have won, but the first win ends the game";
    refused(
        "7x6c4",
        "....... ....... ....... ....... oooo... xxxx...",
        &SetupError::BothWon,
        words,
    );
    refused("3x3c3f", "xxx ooo ...", &SetupError::BothWon, words);
}

#[test]
fn play_after_the_end() {
    let first = SetupError::PlayedOn { winner: Side::First };
    let words = "the first player has won, but the second player moved after that";
    refused("7x6c4", "....... ....... ....... ....... ooo.... xxxx..o", &first, words);
    let second = SetupError::PlayedOn { winner: Side::Second };
    let words = "the second player has won, but the first player moved after that";
    refused("3x3c3f", "xx. ooo .xx", &second, words);
}

#[test]
fn a_win_that_the_last_disc_cannot_have_made() {
    let first = SetupError::WonBefore { winner: Side::First };
    let words = "the first player had won before the last disc, whichever that was";
    // Two lines that share no disc.
    refused("7x6c4", "....... ....... x.x.... xoxo... xoxo... xoxo.o.", &first, words);
    // One line, but other discs lie on all of it.
    refused("7x6c4", "....... ....... ....... ....... ooxo... xxxxo..", &first, words);
    // Two squares that share a buried row.
    refused("6x4s2", "...... xx.... xxo... xxoooo", &first, words);
    let second = SetupError::WonBefore { winner: Side::Second };
    let words = "the second player had won before the last disc, whichever that was";
    refused("4x4c3f", "ooo. xx.x x.xx ooo.", &second, words);
}

#[test]
fn moves_that_are_refused() {
    let position = position("7x6c4", "...o... ...x... ...o... ...x... ...o... ...x...");
    for (column, why, message) in [
        (
            7,
            PlayError::NoSuchColumn { column: 8, width: 7 },
            "there is no column 8: the board has columns 1 to 7",
        ),
        (
            u32::MAX,
            PlayError::NoSuchColumn { column: 1 << 32, width: 7 },
            "there is no column 4294967296: the board has columns 1 to 7",
        ),
        (3, PlayError::ColumnFull { column: 4 }, "column 4 is full"),
    ] {
        assert_eq!(position.drop_in(column).as_ref(), Err(&why));
        assert_eq!(why.to_string(), message);
    }
    let nowhere = |name: &str| PlayError::NoSuchCell { cell: name.to_owned(), width: 7, height: 6 };
    for (cell, why, message) in [
        (at("h1"), nowhere("h1"), "there is no cell h1 on a board of 7x6"),
        (at("a7"), nowhere("a7"), "there is no cell a7 on a board of 7x6"),
        (
            Cell { column: 255, row: 255 },
            nowhere("iv256"),
            "there is no cell iv256 on a board of 7x6",
        ),
        (at("d6"), PlayError::CellTaken { cell: at("d6") }, "cell d6 is taken"),
        (
            at("c3"),
            PlayError::WouldFall { cell: at("c3"), lands: at("c1") },
            "a disc in column 3 falls to c1, not c3",
        ),
    ] {
        assert_eq!(position.place(cell).as_ref(), Err(&why));
        assert_eq!(why.to_string(), message);
    }
}

#[test]
fn a_column_is_no_move_where_discs_do_not_fall() {
    let why = Position::new(Rules::TIC_TAC_TOE).drop_in(0).expect_err("no gravity");
    assert_eq!(why, PlayError::NeedsCell { game: Rules::TIC_TAC_TOE });
    assert_eq!(
        why.to_string(),
        "discs do not fall in 3x3c3f: name a cell, such as a1, not a column"
    );
}

#[test]
fn no_move_after_the_end() {
    for (text, picture, winner, message) in [
        (
            "4x3c3",
            ".... oo.. xxx.",
            Some(Side::First),
            "the game is over: the first player has won",
        ),
        (
            "4x3c3",
            "o... ox.. oxx.",
            Some(Side::Second),
            "the game is over: the second player has won",
        ),
        ("3x3c3", "xox xxo oxo", None, "the game is over: it is a draw"),
    ] {
        let position = position(text, picture);
        let why = PlayError::GameOver { winner };
        assert_eq!(position.drop_in(3.min(position.rules().width() - 1)).as_ref(), Err(&why));
        assert_eq!(position.place(at("a1")).as_ref(), Err(&why), "over comes before taken");
        assert_eq!(position.play(Move::at(at("c2"), position.rules())).as_ref(), Err(&why));
        assert_eq!(why.to_string(), message);
    }
}

#[test]
fn discs_that_cannot_be_taken_back() {
    let refuse = |position: &Position, name: &str, reason: &str| {
        let why =
            position.undo(Move::at(at(name), position.rules())).expect_err("not the last move");
        assert!(matches!(why, PlayError::NotLast { cell, .. } if cell == at(name)), "{why:?}");
        assert_eq!(why.to_string(), format!("{name} cannot be taken back: {reason}"));
    };
    let middle = position("4x3c3", "x... o... xo..");
    refuse(&middle, "c1", "there is no disc");
    refuse(&middle, "d3", "there is no disc");
    refuse(&middle, "a3", "it is not a disc of the side that moved last");
    refuse(&middle, "a2", "another disc lies on it");
    assert!(middle.undo(Move::at(at("b1"), middle.rules())).is_ok());
    let won = position("4x3c3", ".... oo.x xxxo");
    refuse(&won, "d2", "the game was over before it");
}

#[test]
fn the_first_bad_move_of_a_line_is_named() {
    let rules = Rules::CONNECT_FOUR;
    let moves = ["d1", "d2", "d2", "a1"].map(|name| Move::at(at(name), &rules));
    let why = PlayError::CellTaken { cell: at("d2") };
    assert_eq!(Position::from_moves(rules, &moves), Err((2, why)));
}

/// Moves and cells of a larger board are refused by a smaller one, never mistaken for something
/// else.
#[test]
fn cells_off_the_board_are_refused_and_never_panic() {
    let long = rules("64x1c2");
    let (position, far) =
        (Position::new(Rules::CONNECT_FOUR), Move::at(Cell { column: 63, row: 0 }, &long));
    assert!(matches!(position.play(far), Err(PlayError::NoSuchCell { .. })));
    assert!(matches!(position.undo(far), Err(PlayError::NotLast { .. })));
    let sentinel = Move::at(Cell { column: 3, row: 0 }, &long);
    assert_eq!(sentinel.bit(), 6);
    assert!(matches!(position.play(sentinel), Err(PlayError::NoSuchCell { .. })));

    let full = self::position("3x3c3f", "xox xxo oxo");
    for column in 0..=255 {
        for row in 0..=255 {
            let cell = Cell { column, row };
            let on_board = column < 3 && row < 3;
            assert!(!cell.to_string().is_empty());
            assert_eq!(full.at(cell).is_some(), on_board, "{cell}");
            let held =
                full.discs(Side::First).contains(cell) || full.discs(Side::Second).contains(cell);
            assert_eq!(held, on_board, "{cell}");
            assert!(full.place(cell).is_err());
        }
    }
}

#[test]
#[should_panic(expected = "there is no cell a7 in 7x6c4")]
fn a_move_off_the_board_cannot_be_made() {
    // Its bit is that of the sentinel; one row higher it would be that of b1.
    let _ = Move::at(at("a7"), &Rules::CONNECT_FOUR);
}

/// What a plain reading of the board says, asked in the same order: the two sets may overlap.
fn plain_verdict(
    rules: Rules,
    first: &HashSet<Place>,
    second: &HashSet<Place>,
) -> Result<(), SetupError> {
    let places = oracle::places(&rules);
    if let Some(&place) =
        places.iter().find(|place| first.contains(place) && second.contains(place))
    {
        return Err(SetupError::Overlap { cell: cell(place) });
    }
    let mut game = Game::new(rules);
    for (side, discs) in [(Side::First, first), (Side::Second, second)] {
        for &(column, row) in discs {
            game.cells[column][row] = Some(side);
        }
    }
    for &(column, row) in places.iter().filter(|place| place.1 > 0 && rules.gravity()) {
        if game.cells[column][row].is_some() && game.cells[column][row - 1].is_none() {
            return Err(SetupError::Floating {
                cell: cell((column, row)),
                below: cell((column, row - 1)),
            });
        }
    }
    let counts = (game.discs(Side::First), game.discs(Side::Second));
    if counts.0 != counts.1 && counts.0 != counts.1 + 1 {
        return Err(SetupError::DiscCounts { first: counts.0, second: counts.1 });
    }
    let (next, last) = (game.to_move(), game.to_move().other());
    match (game.has_won(next), game.has_won(last)) {
        (true, true) => Err(SetupError::BothWon),
        (true, false) => Err(SetupError::PlayedOn { winner: next }),
        (false, false) => Ok(()),
        (false, true) => {
            let made_by = |place: &Place| {
                game.cells[place.0][place.1] == Some(last)
                    && game.is_on_top(*place)
                    && !game.with(*place, None).has_won(last)
            };
            if places.iter().any(made_by) {
                Ok(())
            } else {
                Err(SetupError::WonBefore { winner: last })
            }
        }
    }
}

fn bits(rules: &Rules, discs: &HashSet<Place>) -> u128 {
    discs.iter().fold(0, |set, &place| set | 1 << cell(place).bit(rules))
}

/// Sets the discs up and compares the verdict with the plain one. Returns a name for it.
fn check(rules: Rules, first: &HashSet<Place>, second: &HashSet<Place>) -> &'static str {
    let found = Position::from_discs(rules, bits(&rules, first), bits(&rules, second));
    assert_eq!(
        found.as_ref().map(|_| ()).map_err(Clone::clone),
        plain_verdict(rules, first, second)
    );
    match found {
        Ok(position) => {
            assert_eq!(position.discs(Side::First).bits(), bits(&rules, first));
            assert_eq!(position.discs(Side::Second).bits(), bits(&rules, second));
            "accepted"
        }
        Err(SetupError::Outside { .. }) => "outside",
        Err(SetupError::Overlap { .. }) => "overlap",
        Err(SetupError::Floating { .. }) => "floating",
        Err(SetupError::DiscCounts { .. }) => "counts",
        Err(SetupError::BothWon) => "both",
        Err(SetupError::PlayedOn { .. }) => "played on",
        Err(SetupError::WonBefore { .. }) => "before",
        Err(new) => panic!("{new}"),
    }
}

/// All arrangements of discs on small boards. Where discs do not fall, any order of the discs will
/// do, so exactly the boards that play can reach are accepted; with gravity, at least those.
#[test]
fn every_arrangement_of_a_small_board_is_judged_rightly() {
    for text in ["3x3c3f", "3x3s2f", "4x2c2f", "3x3c3", "3x3s2", "4x2c2", "5x2c3"] {
        let rules = rules(text);
        let places = oracle::places(&rules);
        let mut accepted = 0;
        for index in 0..3usize.pow(rules.cells()) {
            let (mut first, mut second, mut rest) = (HashSet::new(), HashSet::new(), index);
            for &place in &places {
                match rest % 3 {
                    1 => first.insert(place),
                    2 => second.insert(place),
                    _ => false,
                };
                rest /= 3;
            }
            accepted += usize::from(check(rules, &first, &second) == "accepted");
        }
        let mut reached = HashSet::from([Position::new(rules)]);
        let mut open = vec![Position::new(rules)];
        while let Some(position) = open.pop() {
            for mv in position.legal_moves() {
                let next = position.play_unchecked(mv);
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        for position in &reached {
            let (first, second) = discs_of(&Game::of(position));
            assert_eq!(Position::from_discs(rules, first, second).as_ref(), Ok(position));
        }
        if rules.gravity() {
            assert!(accepted >= reached.len(), "{text}");
        } else {
            assert_eq!(accepted, reached.len(), "{text}");
        }
    }
}

/// Random boards that get ever further through the questions: any sets at all; stacks of any
/// colours; stacks with as many discs of each colour as taking turns gives.
#[test]
fn random_boards_are_judged_rightly() {
    let mut seen = HashSet::new();
    for text in [
        "7x6c4", "7x6s2", "5x4c3", "4x4s2f", "5x5c3f", "12x9c5", "30x3c3", "16x7c4", "64x1c2",
        "2x63c4",
    ] {
        let rules = rules(text);
        for index in 0..600 {
            let mut random = Random::for_item(20, index);
            let mut places = oracle::places(&rules);
            let (mut first, mut second) = (HashSet::new(), HashSet::new());
            if index % 3 == 0 {
                let share = random.below(50) as f64 / 100.0;
                first.extend(places.iter().copied().filter(|_| random.chance(share)));
                let alike = random.chance(0.5);
                second.extend(places.iter().copied().filter(|_| random.chance(share)));
                second.retain(|place| !alike || !first.contains(place));
            } else {
                if rules.gravity() {
                    let tall: Vec<usize> = (0..rules.width())
                        .map(|_| random.below(rules.height() as usize + 1))
                        .collect();
                    places.retain(|&(column, row)| row < tall[column]);
                } else {
                    places.retain(|_| random.chance(0.7));
                }
                let mut sides: Vec<bool> = (0..places.len())
                    .map(|k| if index % 3 == 1 { random.chance(0.5) } else { k.is_multiple_of(2) })
                    .collect();
                for k in (1..sides.len()).rev() {
                    sides.swap(k, random.below(k + 1));
                }
                for (&place, is_first) in places.iter().zip(sides) {
                    if is_first {
                        first.insert(place)
                    } else {
                        second.insert(place)
                    };
                }
            }
            seen.insert(check(rules, &first, &second));
        }
    }
    let mut seen: Vec<&str> = seen.into_iter().collect();
    seen.sort_unstable();
    assert_eq!(seen, ["accepted", "before", "both", "counts", "floating", "overlap", "played on"]);
}

#[test]
fn random_bits_never_panic() {
    let mut random = Random::new(21);
    let mut word = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
    for text in ["7x6c4", "3x3c3f", "64x1c2", "1x127c64f", "2x63c4", "9x9s4"] {
        let rules = rules(text);
        for _ in 0..5_000 {
            let (first, second) = (word() & word() & word(), word() & word() & word());
            if let Ok(position) = Position::from_discs(rules, first, second) {
                assert!(position.to_string().len() > 1);
            }
        }
        assert!(Position::from_discs(rules, u128::MAX, u128::MAX).is_err());
    }
}

/// A board that was reached by play, then spoilt in one way, is refused for just that reason.
#[test]
fn spoilt_boards_are_refused_for_the_right_reason() {
    let mut ends = HashSet::new();
    for text in ["7x6c4", "7x6s2", "5x4c3", "4x4s2f", "3x3c3f", "12x9c5", "64x1c2", "11x10c4f"] {
        let rules = rules(text);
        for index in 0..60 {
            let mut random = Random::for_item(22, index);
            let mut game = Game::new(rules);
            let stop = random.below(rules.cells() as usize) as u32 + 1;
            while !game.is_over() && game.ply() < stop {
                game = game.play(*random.pick(&game.moves()).expect("a move"));
            }
            let (first, second) = discs_of(&game);
            assert!(Position::from_discs(rules, first, second).is_ok(), "{text}: {game:?}");
            spoil(&game, first, second, &mut random);
            ends.insert(std::mem::discriminant(&game.standing()));
        }
    }
    assert_eq!(ends.len(), 3, "games still going, won and drawn were all spoilt");
}

fn spoil(game: &Game, first: u128, second: u128, random: &mut Random) {
    let rules = game.rules;
    let why = |first, second| Position::from_discs(rules, first, second).err();
    let places = oracle::places(&rules);
    let bit = |place: Place| 1u128 << cell(place).bit(&rules);
    let taken: Vec<Place> =
        places.iter().copied().filter(|&(column, row)| game.cells[column][row].is_some()).collect();
    let &some = random.pick(&taken).expect("a disc was played");

    // The other player's disc on the same cell.
    assert_eq!(
        why(first | bit(some), second | bit(some)),
        Some(SetupError::Overlap { cell: cell(some) })
    );

    // A disc on the sentinel above a column.
    let above = cell((some.0, rules.height() as usize)).bit(&rules);
    assert_eq!(
        why(first | 1 << above, second),
        Some(SetupError::Outside { bit: above, game: rules })
    );

    // A disc changes colour.
    let (f, s) = (first ^ bit(some), second ^ bit(some));
    let counts = SetupError::DiscCounts { first: f.count_ones(), second: s.count_ones() };
    assert_eq!(why(f, s), Some(counts));

    // The player who moved last moves once more, or the last disc was the wrong player's.
    if let Some(&place) = places.iter().find(|&&place| game.is_open(place)) {
        let (f, s) = match game.to_move() {
            Side::First => (first, second | bit(place)),
            Side::Second => (first | bit(place), second),
        };
        let counts = SetupError::DiscCounts { first: f.count_ones(), second: s.count_ones() };
        assert_eq!(why(f, s), Some(counts));
    }

    // A disc is lifted off the one below it.
    if rules.gravity() {
        let room = |&&(column, row): &&Place| {
            row + 1 < rules.height() as usize && game.is_on_top((column, row))
        };
        if let Some(&(column, row)) = taken.iter().find(room) {
            let (from, to) = (bit((column, row)), bit((column, row + 1)));
            let lift = |set: u128| if set & from == 0 { set } else { set ^ from ^ to };
            let floating =
                SetupError::Floating { cell: cell((column, row + 1)), below: cell((column, row)) };
            assert_eq!(why(lift(first), lift(second)), Some(floating));
        }
    }

    // The loser goes on playing after the end.
    if let oracle::Standing::Won(winner, _) = game.standing() {
        for &place in places.iter().filter(|&&place| game.is_open(place)) {
            let after = game.with(place, Some(winner.other()));
            let (f, s) = discs_of(&after);
            let expected = match after.has_won(winner.other()) {
                true => SetupError::BothWon,
                false => SetupError::PlayedOn { winner },
            };
            assert_eq!(why(f, s), Some(expected));
        }
    }
}
