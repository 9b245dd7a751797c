//! Every format: its published example, what it refuses and how, and round trips.

use fourfold::game::notation::{
    self, Class, Entry, Format, NotationError, csv_header, is_csv_header, moves_text, parse_move,
    parse_moves,
};
use fourfold::game::{Position, Rules};

fn rules(text: &str) -> Rules {
    text.parse().expect("rules")
}

#[test]
fn positions_are_parsed_as_they_are_printed() {
    let mut position = Position::new(Rules::CONNECT_FOUR);
    let mut random = fourfold::random::Random::new(4);
    loop {
        assert_eq!(position.to_string().parse(), Ok(position), "{position}");
        let Some(&mv) = random.pick(&position.legal_moves()) else { break };
        position = position.play_unchecked(mv);
    }
    assert!(position.ply() > 6);
    let entry: Entry = "4455 3".parse().expect("moves and a score");
    assert_eq!((entry.score, entry.position), (Some(3), "4455".parse().unwrap()));
}

fn read(text: &str) -> Result<Entry, NotationError> {
    notation::read(text)
}

fn read_as(text: &str, format: Format) -> Result<Entry, NotationError> {
    notation::Reader::new().format(format).read(text)
}

fn refusal(text: &str, format: Option<Format>, game: Option<&str>) -> String {
    let rules = game.map(rules);
    match notation::Reader::new().format(format).rules(rules.as_ref()).read(text) {
        Ok(entry) => panic!("{text:?} was read as\n{}", entry.position),
        Err(why) => why.to_string(),
    }
}

#[test]
fn the_example_of_every_format_is_4453() {
    let game = read("4453").expect("columns");
    for format in Format::ALL {
        let name = format.name();
        let (rules, expected) = match format {
            Format::Numbers => (Rules::TIC_TAC_TOE, None),
            Format::Pons => (Rules::CONNECT_FOUR, None),
            _ => (Rules::CONNECT_FOUR, Some(&game)),
        };
        let entry = notation::Reader::new()
            .format(format)
            .rules(&rules)
            .read(format.example())
            .expect(name);
        assert_eq!(notation::write(&entry, format).expect(name), format.example());
        assert_eq!(entry.moves.is_some(), format.keeps_order(), "{format}");
        if let Some(expected) = expected {
            assert_eq!(entry.position, expected.position, "{format}");
            assert_eq!(notation::write(expected, format).expect(name), format.example());
        }
        if format != Format::Zero {
            let guessed = notation::Reader::new().rules(&rules).read(format.example());
            assert_eq!(guessed.as_ref(), Ok(&entry), "{format} is recognised");
        }
    }
    // Columns from 0 are read only when asked for.
    assert_ne!(read("3342").expect("columns").position, game.position);
}

#[test]
fn moves_are_refused_with_their_number() {
    for (text, format, game, message) in [
        ("4444444", None, None, "move 7: column 4 is full"),
        ("448", None, None, "move 3: there is no column 8: the board has columns 1 to 7"),
        ("3302", None, None, "move 3: there is no column 0: columns are numbered from 1"),
        (
            "337",
            Some(Format::Zero),
            None,
            "move 3: there is no column 7: the board has columns 0 to 6",
        ),
        ("0000000", Some(Format::Zero), None, "zero: move 7: column 0 is full"),
        ("dh", None, None, "move 2: there is no column h: the board has columns a to g"),
        ("12121212", None, None, "move 8: the game is over: the first player has won"),
        ("d1 d1", None, None, "move 2: cell d1 is taken"),
        ("d2", None, None, "move 1: a disc in column 4 falls to d1, not d2"),
        ("d7", None, None, "move 1: there is no cell d7 on a board of 7x6"),
        ("55", None, Some("tictactoe"), "move 2: cell b2 is taken"),
        (
            "44",
            None,
            Some("12x5c4"),
            "move 1: there is no column 44: the board has columns 1 to 12; put commas or spaces between \
             columns",
        ),
        (
            "4,45",
            None,
            None,
            "move 2: there is no column 45: the board has columns 1 to 7; between commas or \
             spaces stands one column",
        ),
        ("4,,5", None, None, "columns: at character 3, \"\": expected a column"),
        ("4é", Some(Format::Columns), None, "columns: at character 2, \"é\": expected a column"),
        (
            "44",
            None,
            Some("5x5c4f"),
            "the format columns cannot hold a position of 5x5c4f: discs do not fall, so a column does not say where \
             one goes; write cells, such as a1",
        ),
    ] {
        assert_eq!(refusal(text, format, game), message, "{text:?}");
    }
}

#[test]
fn boards_are_refused_with_the_place() {
    for (text, format, message) in [
        (
            "7/7/7/7/3o3/2oxx2 o",
            None,
            "fen: side to move: \"o\", but by the number of discs it is x",
        ),
        (
            "7/7/7/7/3o4/2oxx2 x",
            None,
            "fen: row 5 from the top has 8 cells, but 7x6c4 has 7 columns",
        ),
        ("7/7/7/7/7 x", None, "fen: it has 5 rows, but 7x6c4 has 6"),
        ("3x3c3f:3/3 x", None, "fen: it has 2 rows, but 3x3c3f has 3"),
        ("7/7/7/7/3x3/7 o", None, "the disc on d2 floats: d1 below it is empty"),
        (
            "......./......./......./......./......./..oxx.?",
            Some(Format::Diagram),
            "diagram: at character 47, \"?\": expected x, o or .",
        ),
        ("mask=3 mover=4", None, "bitboards: mover: it has discs that are not in the mask"),
        ("mask=3 mover=1 key=5", None, "bitboards: key: 5 is not the sum of mask and mover, 4"),
        ("mask=3", None, "bitboards: mask=3: two of mask, mover and key are needed"),
        ("[0,1]", None, "kaggle: board: it has 2 items, not 42"),
        (
            "b,x,win",
            None,
            "uci: fields: there are 3, but 7x6c4 has 42 cells (then comes the class)",
        ),
        ("4453 99", None, "pons: score 1: \"99\" is not a score, a whole number from -42 to 42"),
        ("{\"moves\":5}", None, "ndjson: moves: it is not a text in quotes"),
        (
            "7x6c4,44,1,2",
            None,
            "csv: fields: there are 2 scores; 7x6c4 has 7 (or one more in front)",
        ),
        ("?!", None, "\"?!\" is in no known format"),
    ] {
        assert_eq!(refusal(text, format, None), message, "{text:?}");
    }
    let deep = "[".repeat(50_000);
    assert!(matches!(read(&deep), Err(NotationError::Content { .. })));
    assert!(matches!(read(&"4".repeat(70_000)), Err(NotationError::TooLong { bytes: 70_000, .. })));
}

#[test]
fn spaces_may_stand_between_moves() {
    let game = read("4453").expect("columns");
    for text in ["4 4 5 3", "  4  4\t5 3 ", "4, 4, 5, 3", "d d e c", "d1 d2 e1 c1"] {
        assert_eq!(read(text), Ok(game.clone()), "{text:?}");
    }
    assert_eq!(read_as("3 3 4 2", Format::Zero), Ok(game.clone()));
    assert_eq!(parse_moves(&Rules::CONNECT_FOUR, "4 4 5 3"), Ok(game.moves.expect("moves")));
    let wide = notation::Reader::new().rules(&rules("12x5c4")).read("10 11 10 2").expect("wide");
    let commas = notation::Reader::new().rules(&rules("12x5c4")).read("10,11,10,2").expect("wide");
    assert_eq!(wide, commas);
    let numbers =
        notation::Reader::new().rules(&Rules::TIC_TAC_TOE).read("5 1 9").expect("numbers");
    let digits = notation::Reader::new().rules(&Rules::TIC_TAC_TOE).read("519").expect("numbers");
    assert_eq!(numbers, digits);
    // Moves and a score stay what they were; one column and a number may be either.
    assert_eq!(read("4453 2").expect("pons").score, Some(2));
    assert!(matches!(
        read("4 2"),
        Err(NotationError::Ambiguous { formats, .. }) if formats == [Format::Pons, Format::Columns]
    ));
    assert_eq!(read_as("4 2", Format::Columns).expect("columns").position.ply(), 2);
    // Commas, where there are any, are the only separators.
    assert!(read("4,4 5,3").is_err() && read("44 55 33").is_err());
    assert!(matches!(read("no such thing"), Err(NotationError::Unrecognised { .. })));
}

#[test]
fn what_can_be_read_in_two_ways_is_refused_with_the_formats() {
    assert_eq!(
        refusal(" 1", None, None),
        "\" 1\" can be read in different ways: as pons or columns",
    );
    let pons = read_as(" 1", Format::Pons).expect("an empty board with a score");
    assert_eq!((pons.position.ply(), pons.score), (0, Some(1)));
}

#[test]
fn the_game_is_the_one_named_in_the_text_or_the_callers() {
    let entry = read("3x3c3f:3/1x1/3 o").expect("fen");
    assert_eq!(*entry.position.rules(), Rules::TIC_TAC_TOE);
    assert_eq!(notation::write(&entry, Format::Fen).as_deref(), Ok("3x3c3f:3/1x1/3 o"));
    let same = notation::Reader::new().rules(&Rules::TIC_TAC_TOE).read("3x3c3f:3/1x1/3 o");
    assert_eq!(same, Ok(entry));
    let message = refusal("3x3c3f:3/1x1/3 o", None, Some("7x6c4"));
    assert_eq!(message, "this is a position of 3x3c3f, not of 7x6c4");
    let message = refusal("{\"game\":\"7x6s2\",\"moves\":\"\"}", None, Some("7x6c4"));
    assert_eq!(message, "this is a position of 7x6s2, not of 7x6c4");
    assert!(refusal("3x3c9:3/3/3", None, None).starts_with("nobody could ever win 3x3c9"));
    let empty = notation::Reader::new().rules(&Rules::SQUARE).read("").expect("the empty board");
    assert_eq!((empty.position, empty.moves), (Position::new(Rules::SQUARE), Some(vec![])));
}

#[test]
fn bitboards_need_two_numbers_or_the_key() {
    let position = read("4453").expect("columns").position;
    for text in [
        "mask=274743296 mover=270532608",
        "key=545275904 mask=274743296",
        "mover=270532608, key=545275904",
        "key=545275904",
        "MASK=0x10604000 mover=0x10200000",
    ] {
        assert_eq!(read(text).expect(text).position, position, "{text}");
    }
    for text in ["274743296 270532608", "274743296 270532608 545275904"] {
        assert_eq!(read_as(text, Format::Bitboards).expect(text).position, position, "{text}");
    }
    assert!(read_as("545275904", Format::Bitboards).is_err());
    assert!(read("mask=340282366920938463463374607431768211456 mover=0").is_err(), "129 bits");
    let free = notation::Reader::new()
        .rules(&Rules::TIC_TAC_TOE)
        .read("mask=5 mover=1")
        .expect("two cells");
    assert_eq!(notation::write(&free, Format::Bitboards).as_deref(), Ok("mask=5 mover=1"));
}

/// What the packages give for 4453 in other forms than the one written here.
#[test]
fn other_forms_of_the_learning_environments() {
    let position = read("4453").expect("columns").position;
    let openspiel_state = r#"{"board":[[".",".","o","x","x",".","."],[".",".",".","o",".",".","."],
        [".",".",".",".",".",".","."],[".",".",".",".",".",".","."],[".",".",".",".",".",".","."],
        [".",".",".",".",".",".","."]],"current_player":"x","is_terminal":false,"winner":""}"#;
    assert_eq!(read(openspiel_state).expect("state").position, position);
    let nested: Vec<Vec<Vec<f64>>> =
        serde_json::from_str(Format::OpenSpiel.example()).expect("JSON");
    let flat: Vec<f64> = nested.concat().concat();
    assert_eq!(
        read(&serde_json::to_string(&flat).expect("JSON")).expect("flat").position,
        position
    );

    // What player_1, who is not to move, observes.
    let waiting = r#"{"observation":[[[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],
        [[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],[[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],
        [[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]],[[0,0],[0,0],[0,0],[1,0],[0,0],[0,0],[0,0]],
        [[0,0],[0,0],[1,0],[0,1],[0,1],[0,0],[0,0]]],"action_mask":[0,0,0,0,0,0,0]}"#;
    assert_eq!(read(waiting).expect("waiting").position, position);
    let bare = Format::PettingZoo
        .example()
        .split_once(":")
        .and_then(|(_, rest)| rest.split_once(",\"action"));
    assert_eq!(read(bare.expect("observation").0).expect("bare").position, position);

    let board =
        "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,2,1,1,0,0]";
    let whole = format!(
        r#"{{"observation":{{"board":{board},"mark":2,"step":4}},"configuration":{{"columns":7,"rows":6,"inarow":4}}}}"#
    );
    for text in [board, &format!(r#"{{"board":{board},"mark":1}}"#), &whole] {
        assert_eq!(read(text).expect(text).position, position, "{text}");
    }
    let other = whole.replace("\"inarow\":4", "\"inarow\":5");
    assert_eq!(*read(&other).expect("five in a row").position.rules(), rules("7x6c5"));
    assert!(refusal(&whole.replace("\"inarow\":4", "\"x\":4"), None, None).contains("inarow"));
}

#[test]
fn labels_are_kept_and_translated() {
    let uci = format!("{},win", Format::Uci.example());
    let entry = read(&uci).expect("a row");
    assert_eq!(entry.class, Some(Class::Win));
    assert_eq!(notation::write(&entry, Format::Uci), Ok(uci));
    assert_eq!(
        notation::write(&entry, Format::Ndjson).as_deref(),
        Ok(r#"{"game":"7x6c4","position":"7/7/7/7/3o3/2oxx2 x","class":"win"}"#),
    );

    // After an odd number of moves the score is the second player's.
    let entry = read("444 -2").expect("a test line");
    assert_eq!((entry.score, entry.class), (Some(-2), None));
    assert!(notation::write(&entry, Format::Uci).expect("a row").ends_with(",win"));

    // A full column is -1000 there, and null or nothing here.
    let entry = read_as("444444 1 2 3 -1000 -3 -2 -1", Format::Pons).expect("an analysis line");
    let scores = vec![Some(1), Some(2), Some(3), None, Some(-3), Some(-2), Some(-1)];
    assert_eq!((entry.scores.as_ref(), entry.best_score()), (Some(&scores), Some(3)));
    assert_eq!(notation::write(&entry, Format::Pons).as_deref(), Ok("444444 3"));
    let ndjson = r#"{"game":"7x6c4","moves":"444444","scores":[1,2,3,null,-3,-2,-1]}"#;
    assert_eq!(notation::write(&entry, Format::Ndjson).as_deref(), Ok(ndjson));
    assert_eq!(read(ndjson).as_ref(), Ok(&entry));
    let csv = "7x6c4,444444,,1,2,3,,-3,-2,-1";
    assert_eq!(notation::write(&entry, Format::Csv).as_deref(), Ok(csv));
    assert_eq!(read(csv).as_ref(), Ok(&entry));
    assert_eq!(csv_header(&Rules::CONNECT_FOUR), "game,moves,score,s1,s2,s3,s4,s5,s6,s7");
    assert!(is_csv_header(&csv_header(&Rules::TIC_TAC_TOE)) && !is_csv_header(csv));

    let message = refusal(&ndjson.replace("null", "0"), None, None);
    assert_eq!(message, "ndjson: scores: score 4 is for a move that cannot be made");
    let bare = read("4453").expect("columns");
    assert_eq!(
        notation::write(&bare, Format::Pons),
        Err(NotationError::NoScore { format: Format::Pons })
    );
}

#[test]
fn an_entry_that_contradicts_itself_is_not_written() {
    let mut entry = read("4453").expect("columns");
    entry.moves.as_mut().expect("moves").pop();
    let message = notation::write(&entry, Format::Columns).unwrap_err().to_string();
    assert_eq!(message, "the entry's moves do not belong to its position: they lead elsewhere");
    let both = r#"{"moves":"44","position":"7/7/7/7/3o3/2oxx2 x"}"#;
    assert_eq!(refusal(both, None, None), "ndjson: position: it is not where the moves lead");
}

#[test]
fn moves_at_a_prompt() {
    let board = read("4").expect("columns").position;
    let four = parse_move(&board, "4").expect("a column");
    for text in ["d", "D", "d2", " 4 ", "D2"] {
        assert_eq!(parse_move(&board, text), Ok(four), "{text:?}");
    }
    let corner = Position::new(Rules::TIC_TAC_TOE);
    assert_eq!(parse_move(&corner, "1"), parse_move(&corner, "a3"));
    for (position, text, message) in [
        (board, "8", "there is no column 8: the board has columns 1 to 7"),
        (board, "0", "there is no column 0: the board has columns 1 to 7"),
        (
            board,
            "99999999999999999999999",
            "there is no column 18446744073709551615: the board has columns 1 to 7",
        ),
        (board, "h", "\"h\" is not a move here: type a column, such as 3 or c"),
        (board, "", "\"\" is not a move here: type a column, such as 3 or c"),
        (board, "4 4", "\"4 4\" is not a move here: type a column, such as 3 or c"),
        (
            corner,
            "0",
            "\"0\" is not a move here: type a cell, such as b3, or its number, 1 to 9 from the top left",
        ),
        (corner, "d1", "there is no cell d1 on a board of 3x3"),
        (Position::new(rules("5x5c4f")), "3", "\"3\" is not a move here: type a cell, such as b3"),
    ] {
        assert_eq!(parse_move(&position, text).unwrap_err().to_string(), message, "{text:?}");
    }
}

#[test]
fn moves_of_records_and_scripts() {
    for (game, text) in
        [("7x6c4", "4453"), ("12x6c4", "12,1,12"), ("3x3c3f", "b2 a1 c3"), ("7x6c4", "")]
    {
        let rules = rules(game);
        let moves = parse_moves(&rules, text).expect(text);
        assert_eq!(moves_text(&rules, &moves), text);
    }
    let numbers = parse_moves(&Rules::TIC_TAC_TOE, "519").expect("numbers");
    assert_eq!(moves_text(&Rules::TIC_TAC_TOE, &numbers), "b2 a3 c1");
}
