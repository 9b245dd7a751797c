//! `fourfold search`, run as people run it.

mod common;

use common::{fourfold, succeed};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let out = succeed(&[&["search", "--json"], args].concat(), "");
    serde_json::from_str(&out).expect("one JSON object")
}

#[test]
fn tic_tac_toe_calls_are_those_of_the_lecture() {
    let flat = ["--game", "tictactoe", "", "--depth", "9", "--distance=off"];
    let calls = |more: &[&str]| json(&[&flat, more].concat())["calls_below_root"].as_u64().unwrap();
    assert_eq!(calls(&["--algorithm", "minimax"]), 549_945);
    assert_eq!(calls(&["--algorithm", "alphabeta"]), 18_296);
    assert_eq!(calls(&["--exact-root"]), 30_709);
    assert_eq!(json(&flat)["counters"]["nodes"], 18_297, "nodes count the root too");
}

#[test]
fn symmetry_leaves_three_first_moves() {
    let found = json(&["-g", "tictactoe", "", "-d", "2", "--symmetry", "--exact-root"]);
    let moves = found["moves"].as_array().unwrap();
    let tried: Vec<(&str, i64)> = moves
        .iter()
        .filter(|mv| mv.get("same_as").is_none())
        .map(|mv| (mv["move"].as_str().unwrap(), mv["score"].as_i64().unwrap()))
        .collect();
    assert_eq!(tried, [("a3", -1), ("b3", -2), ("b2", 1)]);
    assert_eq!(found["best"], "b2");
}

#[test]
fn a_person_sees_board_values_line_and_counters() {
    let out = succeed(&["search", "4455", "--depth", "5"], "");
    for part in [
        "Connect Four (7x6c4), 4 discs, x to move",
        " .  .  .  x  x  .  .\n 1  2  3  4  5  6  7",
        "→ 3      wins in 2 moves",
        "Best: column 3, wins in 2 moves. Looked 5 plies ahead with windows.",
        "Expected line: 3 1 2",
        "nodes (calls below the root: ",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    assert!(!out.contains('\u{1b}'), "no colour unless on a terminal");
    assert!(succeed(&["search", "", "-d", "1", "--color", "always"], "").contains('\u{1b}'));
}

#[test]
fn every_switch_is_an_option() {
    let help = succeed(&["search", "--help"], "");
    for switch in fourfold::search::SWITCHES {
        let option = format!("--{}", switch.name.replace('_', "-"));
        assert!(help.contains(&option), "{option} is missing");
    }
    let found = json(&[
        "4",
        "-d",
        "4",
        "--mid-col",
        "--table",
        "1",
        "--contempt",
        "-5",
        "--tie",
        "centre",
        "--killers=on",
    ]);
    let switches: Value = serde_json::json!({
        "mid_col": "on", "table": "1", "contempt": "-5", "tie": "centre", "killers": "on"
    });
    assert_eq!(found["switches"], switches);
    assert_eq!(json(&["4", "-d", "4", "--forward", "3"])["keeps_value"], false);
}

#[test]
fn a_batch_goes_past_bad_lines_and_names_them() {
    let out = fourfold(&["search", "--json", "--depth", "2"], "4\n48\n\n4444444\n44\n");
    assert_eq!(out.code, Some(3));
    assert_eq!(out.stdout.lines().count(), 3, "the empty line is the empty board");
    assert_eq!(
        out.stderr,
        "fourfold: line 2: move 2: there is no column 8: the board has columns 1 to 7\n\
         fourfold: line 4: move 7: column 4 is full\nfourfold: 2 lines were refused\n"
    );
}

#[test]
fn bad_arguments_end_with_two_and_bad_positions_with_three() {
    for (args, code, message) in [
        (&["search", "4", "--game", "3x3c4"][..], 2, "nobody could ever win 3x3c4"),
        (&["search", "4", "--eval", "window"], 2, "there is no evaluator"),
        (&["search", "4", "--eval", "square"], 2, "cannot judge 7x6c4"),
        (&["search", "4", "--tabel", "4"], 2, "--table"),
        (&["serch"], 2, "search"),
        (&["search", "8"], 3, "there is no column 8"),
        (&["search", "--game", "tictactoe", "z9"], 3, "z9"),
    ] {
        let out = fourfold(args, "");
        assert_eq!(out.code, Some(code), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(message), "{args:?}: {}", out.stderr);
        assert_eq!(out.stdout, "", "{args:?}");
    }
}

#[test]
fn limits_are_kept_and_told() {
    let found = json(&["", "--nodes", "10000"]);
    assert!(found["counters"]["nodes"].as_u64().unwrap() <= 10_000);
    assert_eq!(found["ended"], "the node limit was reached");
    assert!(found["depth"].as_u64().unwrap() >= 4);
    let out = fourfold(&["search", "", "--depth", "12", "--nodes", "1000"], "");
    assert_eq!((out.code, out.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        out.stderr,
        "fourfold: the search was broken off after 1000 nodes: the node limit was reached\n"
    );
}

#[test]
fn finished_games_are_told() {
    let out = succeed(&["search", "1212121"], "");
    assert!(out.contains("The game is over. The first player has won."), "{out}");
}
