//! What all commands' options have in common: one limit for threads, units, formats by name.

mod common;

use common::{commands, fourfold, fourfold_with, scratch, succeed};

#[test]
fn threads_have_one_limit_everywhere() {
    let calls: [&[&str]; 12] = [
        &["solve", "44"],
        &["match", "naive", "random"],
        &["tournament", "naive", "random"],
        &["book", "build", "--plies", "1"],
        &["book", "verify"],
        &["grade", "naive"],
        &["check", "none.py"],
        &["count"],
        &["engine"],
        &["lab", "all"],
        &["bench", "positions", "none.txt"],
        &["serve"],
    ];
    for call in calls {
        for threads in ["0", "513", "1000000", "18446744073709551615", "99999999999999999999"] {
            let out = fourfold(&[call, &["--threads", threads]].concat(), "");
            assert_eq!(out.code, Some(2), "{call:?} {threads}: {}", out.stderr);
            let told = out.stderr.contains("from 1 to 512, not");
            assert!(told, "{call:?} {threads}: {}", out.stderr);
        }
    }
    assert_eq!(succeed(&["solve", "-t", "2", "-g", "4x4c4", "1234"], ""), "1234 0\n");
}

#[test]
fn times_and_memory_take_units() {
    let solved = succeed(&["solve", "-g", "4x4c4", "44"], "");
    for more in [["--time", "2m"], ["--time", "60000"], ["--memory", "64M"], ["--memory", "0.5G"]] {
        let call = [&["solve", "-g", "4x4c4", "44"][..], &more].concat();
        assert_eq!(succeed(&call, ""), solved, "{more:?}");
    }
    let out = fourfold(&["search", "44", "--time", "2 parsecs"], "");
    assert_eq!(out.code, Some(2));
    assert!(out.stderr.contains("500ms, 5s, 2m or 1h"), "{}", out.stderr);
}

#[test]
fn names_are_read_in_any_case() {
    let small = ["-n", "2", "--json"];
    let call = |players: [&str; 2], game: &str| {
        let out = succeed(&[&["match"], &players[..], &["-g", game], &small].concat(), "");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        (json["game"].clone(), json["players"][0]["player"].clone())
    };
    assert_eq!(
        call(["LookAhead:2", "NAIVE"], "TicTacToe"),
        call(["lookahead:2", "naive"], "3x3c3f")
    );
}

#[test]
fn players_take_turns_unless_told_otherwise() {
    let begun = |more: &[&str]| {
        let call = [&["match", "naive", "random", "-n", "4", "--json"], more].concat();
        let json: serde_json::Value = serde_json::from_str(&succeed(&call, "")).unwrap();
        json["players"][0]["games_as_first"].as_u64().unwrap()
    };
    assert_eq!((begun(&[]), begun(&["--swap"]), begun(&["--no-swap"])), (2, 2, 4));
}

#[test]
fn players_that_make_no_sense_are_refused() {
    for (player, message) in [
        ("script:9", "there is no column 9"),
        ("alphabeta:depth=3,depth=4", "depth is given twice"),
    ] {
        let out = fourfold(&["match", player, "naive"], "");
        assert_eq!(out.code, Some(2), "{player}: {}", out.stderr);
        assert!(out.stderr.contains(message), "{player}: {}", out.stderr);
    }
}

/// How each command that reads positions is given one.
fn readers(text: &str) -> Vec<Vec<String>> {
    let file = scratch("ambiguous.txt");
    std::fs::write(&file, format!("{text}\n")).unwrap();
    let file = file.display().to_string();
    let calls: [&[&str]; 9] = [
        &["play", text],
        &["search", text],
        &["mcts", "--playouts", "5", text],
        &["solve", text],
        &["tree", "--depth", "1", text],
        &["replay", &file],
        &["review", text],
        &["grade", &file],
        &["convert", "--to", "fen", text],
    ];
    calls.iter().map(|call| call.iter().map(|&word| word.to_owned()).collect()).collect()
}

#[test]
fn an_option_that_is_recommended_exists() {
    // Two columns, or a column and its score.
    let readers = readers("4 2");
    for call in &readers {
        let call: Vec<&str> = call.iter().map(String::as_str).collect();
        let out = fourfold(&call, "");
        assert_eq!(out.code, Some(3), "{call:?}: {}", out.stderr);
        let options: Vec<&str> =
            out.stderr.split_whitespace().filter(|word| word.starts_with("--")).collect();
        assert!(!options.is_empty(), "{call:?}: {}", out.stderr);
        let help = succeed(&[call[0], "--help"], "");
        for option in options {
            assert!(help.contains(&format!("{option} ")), "{call:?} recommends {option}");
        }
        let out = fourfold(&[&call, &["--from", "columns"][..]].concat(), "quit\n");
        assert_eq!(out.code, Some(0), "{call:?}: {}", out.stderr);
    }
    // Whichever command has the option is in the list.
    for command in commands() {
        let help = succeed(&[&command, "--help"], "");
        let reads = readers.iter().any(|call| call[0] == command);
        assert_eq!(help.contains("--from <FORMAT>"), reads, "{command}");
    }
    std::fs::remove_file(scratch("ambiguous.txt")).unwrap();
}

#[test]
fn a_plain_locale_gets_plain_drawings() {
    for locale in ["C", "POSIX", "en_US.ISO-8859-1"] {
        for (call, input) in
            [(&["play", "-2", "lookahead:2"][..], "4\nquit\n"), (&["tree", "((3 5)(2 9))"], "")]
        {
            let out = fourfold_with(&[("LC_ALL", locale)], call, input);
            assert_eq!(out.code, Some(0), "{call:?}: {}", out.stderr);
            assert!(out.stdout.is_ascii(), "{call:?}: {}", out.stdout);
        }
    }
    assert!(!succeed(&["tree", "((3 5)(2 9))"], "").is_ascii());
}
