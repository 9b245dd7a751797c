//! `fourfold solve`, `positions` and `bench positions`, run as people run them.

mod common;

use common::{fourfold, scratch, succeed};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let out = succeed(&[&["solve", "--json"], args].concat(), "");
    serde_json::from_str(&out).expect("one JSON object")
}

#[test]
fn lines_are_moves_and_score() {
    assert_eq!(succeed(&["solve", "32164625"], ""), "32164625 11\n");
    assert_eq!(succeed(&["solve", "4455", "32164625"], ""), "4455 18\n32164625 11\n");
    assert_eq!(
        succeed(&["solve", "-g", "4x4c4", ""], ""),
        " 0\n",
        "no moves, then a space and the score"
    );
    assert_eq!(succeed(&["solve", "121212"], ""), "121212 18\n", "a win at once");
    assert_eq!(succeed(&["solve", "--line", "1212121"], ""), "1212121 -18 -\n", "the game is over");
    assert_eq!(succeed(&["solve", "--line", "4455"], ""), "4455 18 342\n");
    assert_eq!(succeed(&["solve", "--all", "444444"], "").split(' ').nth(4), Some("-1000"));
}

/// What the textbook search says when it looks to the end of the game.
fn searched(game: &str, moves: &str) -> Value {
    let all = [
        "search",
        "--json",
        "-g",
        game,
        moves,
        "--depth",
        "99",
        "--exact-root",
        "--eval",
        "terminal",
    ];
    let quick = ["--mid-col", "--table", "16"];
    serde_json::from_str(&succeed(&[&all[..], &quick[..]].concat(), "")).expect("one JSON object")
}

#[test]
fn every_column_is_what_a_search_to_the_end_finds() {
    let games = [
        ("4x4c4", ["", "1", "2134", "22334"]),
        ("5x4c4", ["32", "3312", "14253", "3334441"]),
        ("6x5c4", ["26151431613", "44131253542441", "5166611632532", "311644543255"]),
    ];
    for (game, positions) in games {
        for moves in positions {
            let truth = searched(game, moves);
            let found = json(&["-g", game, "--all", "--line", moves]);
            assert_eq!(found["verdict"], truth["verdict"], "{game} {moves}");
            let columns = found["columns"].as_array().unwrap();
            let searched = truth["moves"].as_array().unwrap();
            assert_eq!(columns.len(), searched.len());
            for (column, mv) in columns.iter().zip(searched) {
                assert_eq!(column["column"].to_string(), mv["move"].as_str().unwrap());
                assert_eq!(
                    column["verdict"], mv["verdict"],
                    "{game} {moves} column {}",
                    column["column"]
                );
            }
            let plies = found["verdict"]["plies"].as_u64();
            let line = found["line"].as_array().unwrap();
            assert!(plies.is_none_or(|plies| plies as usize == line.len()), "{game} {moves}");
        }
    }
}

#[test]
fn scores_do_not_depend_on_how_they_are_found() {
    let set = succeed(&["positions", "--phase", "middle", "--count", "30", "--seed", "5"], "");
    let positions: String =
        set.lines().map(|line| format!("{}\n", line.split(' ').next().unwrap())).collect();
    assert_eq!(succeed(&["solve"], &positions), set);
    for without in [
        &["--without", "claimeven"][..],
        &["--without", "odd-threat"],
        &["--without", "claimeven", "--without", "odd-threat"],
        &["--without", "forced-moves,enhanced-cutoffs,history"],
        &["--portable"],
        &["--memory", "1"],
    ] {
        assert_eq!(succeed(&[&["solve"], without].concat(), &positions), set, "{without:?}");
    }
    let signs: String = set
        .lines()
        .map(|line| {
            let (moves, score) = line.split_once(' ').unwrap();
            format!("{moves} {}\n", score.parse::<i32>().unwrap().signum())
        })
        .collect();
    assert_eq!(succeed(&["solve", "--weak"], &positions), signs);
}

#[test]
fn json_has_what_was_asked_for() {
    let plain = json(&["32164625", "--no-book"]);
    assert_eq!((&plain["game"], &plain["moves"]), (&"7x6c4".into(), &"32164625".into()));
    assert_eq!(plain["score"], 11);
    assert_eq!(plain["verdict"]["plies"], 13);
    assert!(plain.get("columns").is_none() && plain.get("line").is_none());
    assert!(plain["nodes"].as_u64().unwrap() > 0 && plain["time_ms"].as_f64().unwrap() > 0.0);
    let more = |what: &str| {
        json(&["32164625", "--no-book", what])["nodes"].as_u64() > plain["nodes"].as_u64()
    };
    assert!(more("--all") && more("--line"), "their nodes are counted");
    let discs = json(&["7/7/7/7/3oo2/3xx2 x", "--all", "--line"]);
    assert!(discs.get("moves").is_none(), "the order is not known");
    assert_eq!(discs["line"], serde_json::json!(["3", "4", "2"]));
    assert_eq!(discs["columns"][2]["score"], 18);
    let weak = json(&["4455", "--weak"]);
    assert_eq!((&weak["score"], &weak["verdict"]["plies"]), (&1.into(), &Value::Null));
}

#[test]
fn a_person_sees_board_verdict_columns_and_line() {
    let out = succeed(&["solve", "--pretty", "4455", "1212121"], "");
    for part in [
        "Connect Four (7x6c4), 4 discs, x to move",
        "x wins in 2 moves (3 plies, score 18).",
        "→ 3       wins in 2 moves     18",
        "Best line: 3 4 2\n\nConnect Four (7x6c4), 7 discs\n",
        "The game is over: x has won (score -18).",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    assert!(!succeed(&["solve", "--pretty", "--weak", "4455"], "").contains("Best line"));
}

#[test]
fn a_batch_keeps_its_order_and_goes_on() {
    let out = fourfold(&["solve"], "32164625\n48\n4455 1\n7/7/7/7/3oo2/3xx2 x\n");
    assert_eq!(out.code, Some(3));
    assert_eq!(out.stdout, "32164625 11\n4455 18\n7/7/7/7/3oo2/3xx2 x 18\n");
    assert!(out.stderr.starts_with("fourfold: line 2: "), "{}", out.stderr);
    // Lines may name games.
    let games = "{\"game\":\"4x4c4\",\"moves\":\"\"}\n{\"game\":\"7x6s2\",\"moves\":\"4\"}\n4455\n";
    let out = fourfold(&["solve"], games);
    assert_eq!((out.code, out.stdout.as_str()), (Some(0), " 0\n4 0\n4455 18\n"));
}

#[test]
fn every_game_is_solved_in_its_own_words() {
    assert_eq!(succeed(&["solve", "-g", "7x6s2", "--all", ""], ""), " 0 0 0 0 0 0 0\n");
    let centre = succeed(&["solve", "-g", "tictactoe", "--all", "b2"], "");
    assert_eq!(centre, "b2 0 -2 0 -2 -1000 -2 0 -2 0\n", "cells from the top left");
    assert_eq!(
        succeed(&["solve", "-g", "tictactoe", "--line", "b2 a3 c1 0"], ""),
        "b2 a3 c1 0 c3 b3 b1 a2 c2 a1\n"
    );
    let page = succeed(&["solve", "-g", "tictactoe", "--pretty", "b2 b1"], "");
    for part in [
        "Tic-tac-toe (3x3c3f), 2 discs, x to move",
        "cell ",
        "→ a1 ",
        "x wins in 3 moves (5 plies, score 2).",
    ] {
        assert!(page.contains(part), "{part:?} is not in\n{page}");
    }
    let found: Value =
        serde_json::from_str(&succeed(&["solve", "-g", "tictactoe", "--all", "--json", "b2"], ""))
            .unwrap();
    assert_eq!(found["columns"][1]["cell"], "b3");
    assert!(found["columns"][1].get("column").is_none(), "{found}");
    for game in ["tictactoe", "5x5c4f", "7x6s2", "6x5c5"] {
        let set = succeed(&["positions", "-g", game, "--phase", "end", "-n", "6"], "");
        let file = scratch(&format!("{game}.txt"));
        std::fs::write(&file, &set).unwrap();
        for threads in ["1", "2"] {
            let name = file.to_str().unwrap();
            let out = succeed(
                &["bench", "positions", "--json", "-g", game, "--threads", threads, name],
                "",
            );
            let found: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(
                (&found["positions"], &found["mismatches"]),
                (&6.into(), &0.into()),
                "{set}"
            );
        }
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn limits_are_told_with_what_is_proven() {
    // Whether an easy position is solved within a time depends on what else the machine does.
    for (limit, input, solved) in
        [(["--nodes", "2000"], "4455\n\n4455\n", "4455 18\n4455 18\n"), (["--time", "1"], "\n", "")]
    {
        let out = fourfold(&[&["solve", "--no-book"], &limit[..]].concat(), input);
        assert_eq!((out.code, out.stdout.as_str()), (Some(1), solved));
        assert!(out.stderr.contains("not solved: "), "{}", out.stderr);
        assert!(out.stderr.contains("the score lies between "), "{}", out.stderr);
        assert!(out.stderr.ends_with("1 position was not solved\n"), "{}", out.stderr);
    }
    let out = fourfold(&["solve", "--stats", "4455"], "");
    assert!(out.stderr.starts_with("1 position, "), "{}", out.stderr);
}

#[test]
fn the_command_line_is_checked() {
    for (args, part) in [
        (&["solve", "-g", "3x3c4", ""][..], "nobody could ever win 3x3c4"),
        (
            &["solve", "--without", "odds", ""],
            "claimeven, aftereven, odd-threat, open, potential, pairs",
        ),
        (&["solve", "--weak", "--line", ""], "cannot be used with"),
        (&["solve", "--memory", "0", ""], "--memory"),
        (&["positions"], "required"),
        (&["positions", "--plies", "9..8"], "write the smaller first"),
        (&["positions", "--plies", "42"], "over with 42 discs"),
        (&["bench", "positions"], "required"),
    ] {
        let out = fourfold(args, "");
        assert_eq!((out.code, out.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(out.stderr.contains(part), "{args:?}: {}", out.stderr);
    }
    assert_eq!(fourfold(&["solve", "8"], "").code, Some(3));
    assert_eq!(fourfold(&["bench", "positions", "no such file"], "").code, Some(1));
}

#[test]
fn sets_of_positions_are_what_was_asked_for() {
    let args =
        ["positions", "--plies", "20..24", "--remaining", "5..9", "--count", "20", "--seed", "7"];
    let set = succeed(&args, "");
    assert_eq!(set, succeed(&args, ""), "the same seed gives the same lines");
    assert_ne!(
        set,
        succeed(&["positions", "--plies", "20..24", "--remaining", "5..9", "-n", "20"], "")
    );
    assert_eq!(set.lines().count(), 20);
    for line in set.lines() {
        let moves = line.split(' ').next().unwrap();
        assert!((20..=24).contains(&moves.len()), "{line}");
        let found = json(&[moves]);
        assert_eq!(line, format!("{moves} {}", found["score"]));
        let plies = found["verdict"]["plies"].as_u64().unwrap_or(42 - moves.len() as u64);
        assert!((5..=9).contains(&plies), "{line}");
    }
    let none = fourfold(&["positions", "--plies", "40", "--remaining", "1", "--tries", "50"], "");
    assert_eq!((none.code, none.stdout.as_str()), (Some(1), ""));
    assert!(none.stderr.contains("found 0 of 100 positions"), "{}", none.stderr);
    let hard =
        fourfold(&["positions", "--plies", "4", "--nodes", "1000", "--tries", "20", "-n", "9"], "");
    assert!(hard.stderr.contains("that took more than 1000 nodes"), "{}", hard.stderr);
}

#[test]
fn files_of_positions_are_measured_and_checked() {
    let good = scratch("good.txt");
    let set = succeed(&["positions", "--phase", "end", "--count", "12"], "");
    std::fs::write(&good, &set).unwrap();
    let path = good.to_str().unwrap();
    let table = succeed(&["bench", "positions", path], "");
    assert!(table.contains("nodes per position") && table.contains(path), "{table}");
    let out = succeed(&["bench", "positions", "--json", "--count", "7", path], "");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&found["positions"], &found["mismatches"]), (&7.into(), &0.into()));
    // One thread and two in turn: each position counts once for each.
    let table = succeed(&["bench", "positions", "--threads", "1,2", path], "");
    assert!(table.contains("times as fast"), "{table}");
    let out = succeed(&["bench", "positions", "--json", "--threads", "1,2", path], "");
    let found: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let threads: Vec<_> = found.iter().map(|found| found["threads"].as_u64()).collect();
    assert_eq!(threads, [Some(1), Some(2)], "{out}");
    for found in found {
        assert_eq!((&found["positions"], &found["mismatches"]), (&12.into(), &0.into()));
        assert!(found["times_as_fast"].is_f64() && found["times_the_nodes"].is_f64(), "{out}");
    }
    let bad = scratch("bad.txt");
    std::fs::write(&bad, "4455 18\n4455 17\n").unwrap();
    let out = fourfold(&["bench", "positions", bad.to_str().unwrap()], "");
    assert_eq!(out.code, Some(1));
    assert!(out.stderr.contains("bad.txt:2: the score is 18, not 17"), "{}", out.stderr);
    std::fs::write(&bad, "4455 18\n\n4458 17\n").unwrap();
    let out = fourfold(&["bench", "positions", bad.to_str().unwrap()], "");
    assert_eq!(out.code, Some(3));
    assert!(
        out.stderr.contains("bad.txt:2: ") && out.stderr.contains("bad.txt:3: "),
        "{}",
        out.stderr
    );
    std::fs::remove_file(good).unwrap();
    std::fs::remove_file(bad).unwrap();
}
