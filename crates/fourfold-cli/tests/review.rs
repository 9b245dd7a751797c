//! `fourfold review`, `grade` and `puzzle`, run as people run them.

mod common;

use common::{fourfold, scratch, succeed};
use serde_json::Value;

#[test]
fn a_game_is_judged_in_words() {
    let out = succeed(&["review", "444444322"], "");
    for part in [
        "Connect Four (7x6c4): x against o, 9 moves\nFor x, move by move: ++++++++=\n",
        "  1. x 4     only move   wins in 21 moves\n  2. o 4     best        loses in 20 moves\n",
        "  9. x 2   ▲ blunder     draws; 6 wins in 17 moves\n          instead 6 ",
        "accuracy          80 %  100 %\n▲ blunders           1      0\n",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    let empty = succeed(&["review", ""], "");
    assert!(empty.starts_with("Connect Four (7x6c4): x against o, 0 moves\n"), "{empty}");
    // A board that was drawn is judged by some order of moves that leads to it.
    assert!(succeed(&["review", "7/7/7/7/7/3xo2 x"], "").contains("2. o 5 "));
}

#[test]
fn json_names_the_players_of_a_record() {
    let record = r#"{"game":"3x3c3f","first":"Ann","second":"Bob","moves":"b2 b1","result":null}"#;
    let value: Value = serde_json::from_str(&succeed(&["review", "--json", record], "")).unwrap();
    assert_eq!(
        (&value["first"]["player"], &value["second"]["player"]),
        (&"Ann".into(), &"Bob".into())
    );
    assert_eq!(value["judged"][1]["judgement"], "blunder");
    assert_eq!(value["second"]["blunders"], 1);
    for (args, message) in [
        (&["review", "-g", "7x6c4", record][..], "this is a game of 3x3c3f, not of 7x6c4"),
        (&["review", r#"{"game":"7x6c4","moves":"8"}"#], "there is no column 8"),
        (&["review", "{}"], "this is not a game record"),
    ] {
        let out = fourfold(args, "");
        assert_eq!(out.code, Some(3), "{args:?}");
        assert!(out.stderr.contains(message), "{args:?}: {}", out.stderr);
    }
}

#[test]
fn the_page_stands_alone() {
    let file = scratch("review.html");
    let path = file.to_str().unwrap();
    let games = "{\"game\":\"7x6c4\",\"first\":\"<b>&\",\"second\":\"Bob\",\"moves\":\"7746\"}\n444444322\n1212121\n";
    assert_eq!(succeed(&["review", "--html", path], games), "");
    let page = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    assert_eq!(page.matches("<section").count(), 3);
    assert!(page.contains("&lt;b&gt;&amp; (x)") && !page.contains("<b>"), "names are text");
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("url("));
    assert!(
        !page.replace("http://www.w3.org/2000/svg", "").contains("http"),
        "nothing from elsewhere"
    );
    let svgs: Vec<&str> = page
        .split("<svg")
        .skip(1)
        .map(|part| &part[..part.find("</svg>").expect("it ends")])
        .collect();
    // A graph for each game, and a board for each blunder.
    assert_eq!(svgs.len(), 3 + page.matches("class=\"moment\"").count());
    for svg in svgs {
        let text = format!("<svg{svg}</svg>");
        let tree = roxmltree::Document::parse(&text).expect("it is well-formed");
        assert!(
            tree.descendants()
                .any(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")))
        );
    }
    assert!(succeed(&["review", "--html", "-", "44"], "").starts_with("<!doctype html>"));
}

#[test]
fn perfect_play_keeps_everything() {
    let args = ["grade", "perfect", "-g", "5x5c4", "-n", "4", "--json"];
    let value: Value = serde_json::from_str(&succeed(&args, "")).unwrap();
    assert!(value["choices"].as_u64() > Some(10), "{value}");
    assert_eq!(
        (&value["kept_share"], &value["distance_lost"]),
        (&1.0.into(), &0.0.into()),
        "{value}"
    );
    let random = ["grade", "random", "-g", "5x5c4", "-n", "4", "--json", "-t", "1"];
    let one = succeed(&random, "");
    let value: Value = serde_json::from_str(&one).unwrap();
    assert!(
        value["kept_share"].as_f64() < Some(0.9) && value["distance_lost"].as_f64() > Some(0.0),
        "{value}"
    );
    let sum: u64 = value["phases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|phase| phase["kept"].as_u64().unwrap())
        .sum();
    assert_eq!(Some(sum), value["kept"].as_u64());
    assert_eq!(
        one,
        succeed(&["grade", "random", "-g", "5x5c4", "-n", "4", "--json", "-t", "3"], "")
    );
    // Only its own moves count against another.
    let against = ["grade", "perfect", "--against", "random", "-g", "5x5c4", "-n", "4", "--json"];
    let value: Value = serde_json::from_str(&succeed(&against, "")).unwrap();
    assert_eq!(value["kept_share"], 1.0, "{value}");
}

#[test]
fn everybody_in_a_file_is_graded() {
    let file = scratch("grade.jsonl");
    let path = file.to_str().unwrap();
    succeed(&["match", "perfect", "naive", "-g", "5x5c4", "-n", "6", "--swap", "--save", path], "");
    let out = succeed(&["grade", path, "--json"], "");
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row["player"].as_str().unwrap()).collect();
    assert_eq!(names, ["perfect", "naive"]);
    assert_eq!((&rows[0]["games"], &rows[0]["kept_share"]), (&6.into(), &1.0.into()));
    let table = succeed(&["grade", path], "");
    assert_eq!(table.matches("begin").count(), 2, "{table}");
    std::fs::remove_file(file).unwrap();
    // Moves alone have no names.
    let out = succeed(&["grade", "-"], "4444\n");
    assert!(out.contains("the first player") && out.contains("the second player"), "{out}");
}

#[test]
fn puzzles_have_one_solution_and_their_level() {
    for (game, level) in
        [("6x5c4", None), ("5x5c4", Some("3")), ("5x4c4", Some("1")), ("4x4c3f", None)]
    {
        let mut args = vec!["puzzle", "--json", "-n", "3", "-g", game, "--seed", "5"];
        args.extend(level.into_iter().flat_map(|level| ["--level", level]));
        let out = succeed(&args, "");
        assert_eq!(out, succeed(&args, ""), "the same each time");
        for line in out.lines() {
            let puzzle: Value = serde_json::from_str(line).unwrap();
            let result = |mv: &Value| mv["verdict"]["result"].as_str().unwrap().to_owned();
            let aim = result(&puzzle);
            let columns = puzzle["columns"].as_array().unwrap();
            let keeping: Vec<&Value> =
                columns.iter().filter(|column| result(column) == aim).collect();
            assert_eq!(keeping.len(), 1, "{line}");
            assert_eq!(keeping[0]["move"], puzzle["solution"]);
            assert_eq!(puzzle["line"][0], puzzle["solution"]);
            let worse: &[&str] = if aim == "win" { &["draw", "loss"] } else { &["loss"] };
            assert!(
                columns
                    .iter()
                    .all(|column| result(column) == aim || worse.contains(&result(column).as_str()))
            );
            if let Some(level) = level {
                assert_eq!(puzzle["level"].to_string(), level);
            }
            // The player that looks as far as the puzzle says finds the move.
            if let Some(depth) = puzzle["depth"].as_u64() {
                let missed = puzzle["missed_by"].as_array().unwrap();
                assert!(!missed.contains(&format!("lookahead:depth={depth}").into()), "{line}");
            }
        }
    }
}

#[test]
fn puzzles_are_played_line_by_line() {
    let args = ["puzzle", "--seed", "5", "-n", "3", "-g", "5x4c4"];
    let json = succeed(&[&args[..], &["--json"]].concat(), "");
    let solutions: Vec<String> = json
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["solution"].as_str().unwrap().to_owned()
        })
        .collect();
    let wrong = if solutions[1] == "1" { "2" } else { "1" };
    let typed = format!("help\n9\n{}\n{wrong}\n{}\nskip\n", solutions[0], solutions[1]);
    let out = succeed(&[&args[..], &["--play"]].concat(), &typed);
    for part in [
        "Type your move, or 'hint', 'skip' or 'quit'.",
        "There is no column 9: the board has columns 1 to 5. Choose another.",
        &format!("Right. Column {} ", solutions[0]),
        &format!("No: column {wrong} "),
        &format!("Column {} ", solutions[2]),
        "You solved 2 of 3, 1 of them at once.\n",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    assert!(
        succeed(&[&args[..], &["--play"]].concat(), "")
            .ends_with("You solved 0 of 1, 0 of them at once.\n")
    );
    let args = ["puzzle", "--plies", "0", "--tries", "5", "--no-book", "--nodes", "1000"];
    let none = fourfold(&args, "");
    assert_eq!(none.code, Some(1));
    assert!(none.stderr.contains("found 0 of 3 puzzles"), "{}", none.stderr);
}
