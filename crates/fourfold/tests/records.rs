//! Records of games: written, read back, and refused where they contradict themselves.

use fourfold::budget::Budget;
use fourfold::play::{Match, Record, Winner, run_match};

#[test]
fn records_are_written_and_read() {
    let mut lines = Vec::new();
    for game in ["7x6c4", "3x3c3f", "12x9c5", "7x6s2"] {
        let players = ["naive", "lookahead:2"].map(|spec| spec.parse().unwrap());
        let contest = Match::new(game.parse().unwrap(), players).with_games(5);
        run_match(&contest, &Budget::unlimited(), |_, record| {
            let line = record.to_line();
            assert!(!line.contains('\n'));
            assert_eq!(&line.parse::<Record>().unwrap(), record);
            let last = record.positions().last().unwrap();
            assert_eq!(record.result, Winner::of(&last));
            lines.push(line);
        })
        .unwrap();
    }
    assert_eq!(lines.len(), 20);
}

#[test]
fn records_that_contradict_themselves_are_refused() {
    for (line, message) in [
        ("", "this is not a game record: it ends too early, after character 0"),
        ("{\"game\":", "this is not a game record: it ends too early, after character 8"),
        ("{\"game\"!", "this is not a game record: it is not JSON at character 8"),
        (
            "[]",
            "this is not a game record: invalid length 0, expected an object with the fields game \
             and moves",
        ),
        (
            "{\"game\":\"7x6c4\",\"moves\":\"48\"}",
            "move 2: there is no column 8: the board has columns 1 to 7",
        ),
        (
            "{\"game\":\"7x6c4\",\"moves\":\"4\",\"result\":\"first\"}",
            "the record says a win of the first player, but the moves end in an unfinished game",
        ),
        ("{\"game\":\"7x6c4\",\"moves\":\"4\",\"nodes\":[1,2]}", "nodes has 2 entries for 1 moves"),
        (
            "{\"game\":\"7x6c4\",\"moves\":\"1212121\",\"result\":\"draw\"}",
            "the record says a draw, but the moves end in a win of the first player",
        ),
    ] {
        assert_eq!(line.parse::<Record>().unwrap_err().to_string(), message);
    }
    let record: Record = "{\"game\":\"7x6c4\",\"moves\":\"1212121\"}".parse().unwrap();
    assert_eq!(record.result, Some(Winner::First));
}
