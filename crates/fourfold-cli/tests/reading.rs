//! What is read: move lists that the command printed, byte-order marks, endless and empty input.

mod common;

use common::{fourfold, fourfold_with, scratch, succeed};

#[test]
fn what_is_printed_can_be_read_back() {
    let page = succeed(&["solve", "--pretty", "32164625"], "");
    let line = page.lines().find_map(|line| line.strip_prefix("Best line: ")).expect("a line");
    assert!(line.contains(' '), "{line}");
    let fen = succeed(&["convert", "--to", "fen", line], "");
    assert_eq!(fen, succeed(&["convert", "--to", "fen", &line.replace(' ', "")], ""));
    assert_eq!(succeed(&["solve", "4 4 5 3"], ""), succeed(&["solve", "4453"], ""));
    assert_eq!(
        succeed(&["review", "1 2 1 2 1 2 1"], ""),
        succeed(&["review", "1212121"], ""),
        "games too"
    );
    let shown = succeed(&["replay", "4 4 5"], "");
    assert!(shown.contains("Moves: 445\n"), "{shown}");
}

#[test]
fn plain_moves_are_replayed() {
    let file = scratch("plain.txt");
    std::fs::write(&file, "44\nb2 a1\n").unwrap();
    let path = file.to_str().unwrap();
    let out = fourfold(&["replay", path], "");
    assert_eq!(out.code, Some(3), "{}", out.stderr);
    assert!(out.stdout.starts_with("Game 1: 7x6c4"), "{}", out.stdout);
    assert!(out.stderr.contains("line 2: "), "{}", out.stderr);
    std::fs::write(&file, "b2 a1\n").unwrap();
    let out = succeed(&["replay", path, "-g", "tictactoe"], "");
    assert!(out.contains("Moves: b2 a1\n"), "{out}");
    std::fs::remove_file(&file).unwrap();
    let out = fourfold(&["replay", path], "");
    assert_eq!(out.code, Some(1));
    assert!(out.stderr.contains("; nor is it a game: "), "{}", out.stderr);
}

#[test]
fn a_byte_order_mark_loses_nothing() {
    let plain = succeed(&["solve"], "32164625\n");
    assert_eq!(succeed(&["solve"], "\u{feff}32164625\n"), plain);
    assert_eq!(succeed(&["tree"], "\u{feff}((3 5)(2 9))\n"), succeed(&["tree"], "((3 5)(2 9))\n"));
    let file = scratch("marked.txt");
    let path = file.to_str().unwrap();
    std::fs::write(&file, "\u{feff}32164625 11\n").unwrap();
    let out = succeed(&["bench", "positions", path, "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((json["positions"].clone(), json["mismatches"].clone()), (1.into(), 0.into()));
    std::fs::write(&file, "\u{feff}1212121\n").unwrap();
    assert!(succeed(&["replay", path], "").contains("Moves: 1212121\n"));
    assert!(succeed(&["grade", path, "--json"], "").contains("\"games\":1"));
    std::fs::write(&file, "\u{feff}44\n").unwrap();
    let folder = scratch("marked");
    let out = folder.to_str().unwrap();
    let call = ["ablate", "--positions", path, "--depth", "1", "--repeats", "0", "--out", out];
    assert_eq!(fourfold(&call, "").code, Some(0));
    std::fs::remove_dir_all(folder).unwrap();
    std::fs::remove_file(file).unwrap();
}

#[test]
fn messages_repeat_little_of_a_long_input() {
    let long = |start: &str, sign: &str| format!("{start}{}\n", sign.repeat(200_000));
    for (args, input) in [
        (&["tree"][..], long("", "9")),
        (&["tree"], long("(3 ", "9")),
        (&["tree"], long("(3 5)", "x")),
        (&["solve"], long("", "x")),
        (&["replay", "-"], long("{\"game\":\"", "x")),
        (&["review"], long("{\"moves\":\"", "x")),
        (&["engine"], long("", "x")),
        (&["engine"], long("position ", "x")),
    ] {
        let out = fourfold(args, &input);
        let told = out.stderr.len() + out.stdout.len();
        assert!(told > 20 && told < 600, "{args:?}: {told} characters");
    }
    let long = "x".repeat(50_000);
    for args in [
        &["solve", "--game", &long][..],
        &["match", &long, "naive"],
        &["match", "naive", &format!("lookahead:{long}")],
        &[&long],
        &["replay", &long],
        &["solve", "--nodes", &long],
    ] {
        let out = fourfold(args, "");
        assert!(out.stderr.len() < 1000, "{}: {}", args[0].len(), out.stderr.len());
    }
}

#[cfg(unix)]
#[test]
fn files_without_end_are_refused() {
    for args in [
        &["book", "info", "/dev/zero"][..],
        &["book", "verify", "/dev/zero"],
        &["solve", "44", "--book", "/dev/zero"],
        &["ablate", "--positions", "/dev/zero", "--depth", "1"],
        &["lab", "run", "/dev/zero"],
        &["lab", "diff", "/dev/zero", "/dev/zero"],
        &["bench", "growth", "4x4", "--out", "/dev/zero"],
    ] {
        let out = fourfold(args, "");
        assert_eq!(out.code, Some(3), "{args:?}: {}", out.stderr);
        let told = out.stderr.contains("/dev/zero is larger than ");
        assert!(told && out.stderr.contains(" MiB"), "{args:?}: {}", out.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_said_to_be_full() {
    let out = fourfold(&["book", "build", "-g", "4x4c4", "-p", "2", "-o", "/dev/full"], "");
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    assert!(out.stderr.contains("/dev/full: No space left on device"), "{}", out.stderr);
    assert!(!std::path::Path::new("/dev/full.part").exists());
    let book = succeed_bytes(&["book", "build", "-g", "4x4c4", "-p", "2", "-o", "/dev/stdout"]);
    assert!(book > 50, "{book} bytes");
}

/// How many bytes a command prints.
#[cfg(target_os = "linux")]
fn succeed_bytes(args: &[&str]) -> usize {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_fourfold")).args(args).output();
    let out = out.expect("the command runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    out.stdout.len()
}

#[test]
fn empty_input_is_said_to_be_empty() {
    for (args, what) in [
        (&["solve"][..], "positions"),
        (&["search"], "positions"),
        (&["convert", "--to", "fen"], "positions"),
        (&["solve", "--threads", "2"], "positions"),
        (&["replay", "-"], "games"),
        (&["grade", "-"], "games"),
    ] {
        let out = fourfold(args, "");
        let told = format!("fourfold: the input is empty: there are no {what}\n");
        assert_eq!((out.code, out.stderr), (Some(0), told), "{args:?}");
    }
}

#[test]
fn impossible_requests_are_refused_with_the_reason() {
    for (args, reason) in [
        (&["puzzle", "--plies", "41"][..], "only one cell"),
        (&["puzzle", "--plies", "42"], "is over with 42 discs"),
        (&["puzzle", "--level", "5", "-g", "tictactoe"], "more than 8 empty cells"),
        (&["positions", "--plies", "30", "--remaining", "20"], "at most 12 plies remain"),
        (&["match", "naive", "random", "--count", "0"], "a whole number of at least 1"),
    ] {
        let out = fourfold(args, "");
        assert_eq!(out.code, Some(2), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(reason), "{args:?}: {}", out.stderr);
    }
}

/// After one move there are four positions, mirror images apart, one of them with a single move
/// that keeps the draw; and the book knows all of them.
#[test]
fn puzzles_where_there_are_few_come_to_an_end() {
    let out = fourfold(&["puzzle", "--plies", "1"], "");
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    assert!(out.stderr.contains("found 1 of 3 puzzles"), "{}", out.stderr);
    assert!(out.stderr.contains("4 positions with 1 to 1 discs"), "{}", out.stderr);
}

#[test]
fn long_work_reports_how_far_it_is() {
    let every_step = [("FOURFOLD_PROGRESS", "0")];
    for (args, input, told) in [
        (&["grade", "naive", "-n", "2", "-g", "5x4c4"][..], "", "fourfold: games: 2 of 2 (100 %)"),
        (&["grade", "-", "-g", "5x4c4"], "1212\n", "fourfold: games: 1, "),
        (&["match", "naive", "random", "-n", "3"], "", "fourfold: games: 3 of 3 (100 %)"),
        (&["count", "-p", "3"], "", "fourfold: ply 3: "),
        (&["puzzle", "-n", "1", "-g", "5x4c4"], "", "fourfold: puzzle 1 of 1: game "),
        (&["book", "verify", "-n", "2"], "", "fourfold: positions: 2 of 2 (100 %)"),
    ] {
        let out = fourfold_with(&every_step, args, input);
        assert_eq!(out.code, Some(0), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(told), "{args:?}: {}", out.stderr);
        let quiet = fourfold(args, input);
        assert_eq!((quiet.code, quiet.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}
