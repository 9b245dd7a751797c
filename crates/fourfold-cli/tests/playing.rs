//! `fourfold play`, `match` and `replay`, run as people run them.

mod common;

use common::{fourfold, scratch, succeed};
use serde_json::Value;

#[test]
fn a_person_plays_and_is_told_what_is_wrong() {
    // Column 4 is filled by the two of them; the person then tries it again.
    let typed = "x\n9\n4\n4\n4\n4\nmoves\nhelp\nquit\n";
    let out = fourfold(&["play", "--second", "script:444", "--seed", "1"], typed);
    assert_eq!((out.code, out.stderr.as_str()), (Some(0), ""));
    for part in [
        "Connect Four: you (x) against script:444 (o). A line of 4 wins.",
        "is not a move here",
        "There is no column 9: the board has columns 1 to 7. Choose another, or type 'help'.",
        "script:444 (o) plays column 4.",
        "Column 4 is full. Choose another, or type 'help'.",
        "x to move: 444444",
        "hint   the best move, if it is found",
        "The game stands at \"444444\".",
    ] {
        assert!(out.stdout.contains(part), "{part:?} is not in\n{}", out.stdout);
    }
}

#[test]
fn undo_redo_and_hint() {
    let typed = "4\n4\nundo\nmoves\nredo\nmoves\nundo\nundo\nundo\nmoves\n3\nredo\nhint\nq\n";
    let out = succeed(&["play", "--second", "script:4411"], typed);
    for part in [
        "x to move: 44\n",
        "x to move: 4444\n",
        "There is nothing to take back.",
        "No move was made yet.",
        "There is nothing to play again.",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
}

#[test]
fn hints_are_exact_where_the_solver_manages() {
    for (game, position, sentence) in [
        ("7x6c4", "32164625", "Hint: column 3 wins in 7 moves."),
        ("7x6c4", "321646253", "Every move loses; column 4 holds out longest, 6 moves."),
        ("5x4c4", "", "Column 3 keeps the draw."),
        ("6x4c4", "", "Every move loses; column 3 holds out longest, 12 moves."),
        ("square", "", "Column 4 keeps the draw."),
        ("tictactoe", "", "Cell b2 keeps the draw."),
        ("tictactoe", "b2 b1", "Hint: cell a2 wins in 3 moves."),
    ] {
        let out =
            succeed(&["play", "-g", game, "-1", "human", "-2", "human", position], "hint\nq\n");
        assert!(out.contains(&format!("to move: {sentence}\n")), "{sentence} is not in\n{out}");
    }
    // Games that take the solver too long are searched.
    for (game, noun) in [("12x9c5", "column"), ("9x9c5f", "cell")] {
        let out = succeed(&["play", "-g", game, "-1", "human", "-2", "human"], "hint\nq\n");
        assert!(out.contains(&format!("to move: Hint: {noun} ")), "{out}");
        assert!(out.contains(" plies ahead)."), "{out}");
    }
}

#[test]
fn undo_when_the_engine_began() {
    let out = succeed(
        &["play", "--first", "script:123", "--second", "human"],
        "undo\n4\nundo\nmoves\nq\n",
    );
    assert!(out.contains("There is nothing to take back."), "{out}");
    assert!(out.contains("o to move: 1\n"), "{out}");
}

#[test]
fn a_win_is_announced_with_its_cells() {
    let out = succeed(&["play", "-1", "human", "-2", "human"], "1\n2\n1\n2\n1\n2\n1\n");
    assert!(out.contains("human (x) wins on move 7: a1 a2 a3 a4."), "{out}");
    assert!(out.contains("[x] .  .  .  .  .  .\n[x] o"), "{out}");
    let out = succeed(&["play", "-2", "script:222"], "1\n1\n1\n1\n");
    assert!(out.contains("You (x) win on move 7: a1 a2 a3 a4."), "{out}");
}

#[test]
fn tic_tac_toe_by_cell_or_number() {
    let typed = "5\n5\na3\n4\nb3\nc2\n";
    let out = succeed(&["play", "-g", "tictactoe", "-1", "human", "-2", "human"], typed);
    assert!(out.contains("Cell b2 is taken."), "{out}");
    assert!(out.contains("human (x) wins on move 5: a2 b2 c2."), "{out}");
}

#[test]
fn two_engines_play_and_the_game_is_kept() {
    let file = scratch("games.jsonl");
    let path = file.to_str().unwrap();
    let out =
        succeed(&["play", "-1", "naive", "-2", "lookahead:2", "--seed", "5", "--save", path], "");
    assert!(out.contains("wins on move") || out.contains("draw"), "{out}");
    let shown = succeed(&["replay", path], "");
    assert!(
        shown.starts_with(
            "Game 1: 7x6c4 between naive (x) and lookahead:depth=2 (o)\nSeed: 5\nMoves: "
        ),
        "{shown}"
    );
    std::fs::remove_file(file).unwrap();
}

#[test]
fn matches_are_the_same_on_any_number_of_threads_and_saved() {
    let file = scratch("match.jsonl");
    let path = file.to_str().unwrap();
    let run = |threads: &str, more: &[&str]| {
        let args = [
            "match",
            "lookahead:2,random=0.1",
            "naive",
            "-n",
            "30",
            "--swap",
            "--seed",
            "7",
            "--json",
            "-t",
            threads,
        ];
        let out = succeed(&[&args, more].concat(), "");
        let mut value: Value = serde_json::from_str(&out).unwrap();
        // Times differ from run to run.
        for key in ["time_ms_per_game", "time_ms_per_move"] {
            value.as_object_mut().unwrap().remove(key);
        }
        for seat in value["players"].as_array_mut().unwrap() {
            seat.as_object_mut().unwrap().remove("time_ms_per_move");
        }
        value
    };
    let one = run("1", &["--save", path]);
    assert_eq!(one, run("2", &[]));
    assert_eq!(one["games"], 30);
    assert_eq!(one["players"][0]["games_as_first"], 15);
    let shown = succeed(&["replay", path, "--number", "2", "--boards"], "");
    assert!(
        shown.starts_with("Game 2: 7x6c4 between naive (x) and lookahead:depth=2,random=0.1 (o)"),
        "{shown}"
    );
    assert!(shown.contains("\n1. x plays "), "{shown}");
    let json = succeed(&["replay", path, "--json"], "");
    assert_eq!(json, std::fs::read_to_string(&file).unwrap());
    let out = fourfold(&["replay", path, "-n", "31"], "");
    assert_eq!(
        (out.code, out.stderr.as_str()),
        (Some(3), "fourfold: there is no game 31: the file has 30\n")
    );
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_match_as_table_and_csv() {
    let table = succeed(&["match", "easy:3", "random", "-n", "20", "--no-swap"], "");
    assert!(table.starts_with("7x6c4, 20 games, the first player begins, seed 1\n"), "{table}");
    assert!(table.contains("easy:depth=3") && table.contains("A game took "), "{table}");
    let csv = succeed(&["match", "easy:3", "random", "-n", "20", "--no-swap", "--csv"], "");
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 3);
    assert!(rows[0].starts_with("player,games,wins,draws,losses,win_rate,"));
    assert!(rows[1].starts_with("\"easy:depth=3\",20,20,0,0,1,"), "{}", rows[1]);
}

#[test]
fn mistakes_in_matches_are_explained() {
    for (args, code, message) in [
        (
            &["match", "human", "random"][..],
            2,
            "human: human can only play where there is somebody to ask",
        ),
        (&["match", "minimax:eval=square", "random"], 2, "cannot judge 7x6c4"),
        (&["match", "nave", "random"], 2, "did you mean naive?"),
        (
            &["match", "naive", "random", "--save", "/nowhere/at/all"],
            1,
            "cannot write /nowhere/at/all",
        ),
        (&["replay", "/nowhere/at/all"], 1, "cannot read /nowhere/at/all"),
    ] {
        let out = fourfold(args, "");
        assert_eq!(out.code, Some(code), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(message), "{args:?}: {}", out.stderr);
    }
    let alike = fourfold(&["match", "minimax:2", "minimax:2", "-n", "3"], "");
    assert!(alike.stderr.contains("these games are all alike"), "{}", alike.stderr);
}

#[test]
fn replay_goes_past_bad_records() {
    let records =
        "{\"game\":\"7x6c4\",\"moves\":\"4\"}\nnonsense\n{\"game\":\"7x6c4\",\"moves\":\"44\"}\n";
    let out = fourfold(&["replay", "-"], records);
    assert_eq!(out.code, Some(3));
    assert_eq!(out.stdout.matches("Game ").count(), 2);
    assert!(
        out.stderr.starts_with("fourfold: line 2: move 1: there is no column n"),
        "{}",
        out.stderr
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let out = fourfold(&["match", "naive", "naive", "-n", "3", "--save", "/dev/full"], "");
    assert_eq!(out.code, Some(1));
    assert!(out.stderr.contains("cannot save all games in /dev/full"), "{}", out.stderr);
}
