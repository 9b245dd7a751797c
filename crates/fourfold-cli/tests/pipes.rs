//! What every command owes to whoever pipes it: batches in order, JSON, exit codes, a quiet end.

mod common;

use common::{commands, fourfold, scratch};
use serde_json::Value;
use std::process::{Command, Stdio};

/// A way to call a command, quick and without mistakes.
struct Call {
    args: &'static [&'static str],
    input: &'static str,
    /// Whether `--json` makes its output lines of JSON.
    json: bool,
}

const fn call(args: &'static [&'static str], input: &'static str, json: bool) -> Call {
    Call { args, input, json }
}

const RECORD: &str =
    "{\"game\":\"7x6c4\",\"first\":\"a\",\"second\":\"b\",\"moves\":\"1212121\"}\n";

/// Every command but `serve`, which does not end, and `site`, which needs an engine that was built for
/// the browser (`engine_in_page.rs`, `tests/browser/site.test.js`).
const CALLS: [Call; 33] = [
    call(&["play", "-1", "random", "-2", "random", "--seed", "1"], "", false),
    call(&["search", "--depth", "2"], "44\n45\n", true),
    call(&["mcts", "-n", "5"], "44\n45\n", true),
    call(&["solve"], "32164625\n321646253\n", true),
    call(&["tree", "--depth", "1"], "44\n45\n", true),
    call(&["match", "naive", "random", "-n", "3", "-t", "1"], "", true),
    call(&["tournament", "naive", "random", "-n", "4", "-t", "1"], "", true),
    call(&["engine"], "uci\ngo depth 2\n", false),
    call(&["replay", "-"], RECORD, true),
    call(&["review"], "1212121\n121212\n", true),
    call(&["grade", "-"], RECORD, true),
    call(&["grade", "naive", "-n", "2", "-g", "5x4c4"], "", true),
    call(&["puzzle", "-n", "1", "-g", "5x4c4"], "", true),
    call(&["count", "-n", "3"], "", true),
    call(&["convert", "--to", "fen"], "44\n45\n", false),
    call(&["convert"], "44\n45\n", true),
    call(&["positions", "--phase", "end", "-n", "2"], "", true),
    call(&["book", "info"], "", true),
    call(&["weights", "info"], "", true),
    call(&["book", "verify", "--sample", "1"], "", true),
    call(&["dataset", "uci"], "", true),
    call(&["shards", "plan", "book", "-g", "4x4c4", "-p", "2"], "", false),
    call(&["lab", "list"], "", true),
    call(&["ablate", "--depth", "1", "--repeats", "0"], "", true),
    call(&["tune", "windows", "-g", "5x4c4", "-n", "40", "--labels", "--openings", "2"], "", false),
    call(&["train", "net", "-g", "5x4c4", "-n", "60", "--epochs", "1", "--units", "16"], "", false),
    call(&["train", "order", "-g", "5x4c4", "-n", "2", "--rounds", "1"], "", false),
    call(&["check", "--faults"], "", false),
    call(&["worksheet", "-n", "8"], "", true),
    call(&["course", "--seed", "3"], "", false),
    call(&["bench"], "", true),
    call(&["completions", "bash"], "", false),
    call(&["man"], "", false),
];

/// A folder of this test's own: each runs on its own thread.
fn folder() -> std::path::PathBuf {
    scratch(&format!("pipes-{:?}", std::thread::current().id()))
}

/// The arguments of a call, those that need a file of their own with it.
fn words(call: &Call) -> Vec<String> {
    let mut words: Vec<String> = call.args.iter().map(|&word| word.to_owned()).collect();
    if call.args[0] == "ablate" {
        let folder = folder();
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("positions.txt");
        std::fs::write(&file, "44\n").expect("a file");
        words.extend(["--positions".to_owned(), file.display().to_string()]);
        words.extend(["--out".to_owned(), folder.join("out").display().to_string()]);
    }
    if ["tune", "train", "shards", "course"].contains(&call.args[0]) {
        let folder = folder();
        std::fs::create_dir_all(&folder).expect("a folder");
        words.extend(["--out".to_owned(), folder.join("found").display().to_string()]);
    }
    if call.json {
        words.push("--json".to_owned());
    }
    words
}

fn clear() {
    let _ = std::fs::remove_dir_all(folder());
}

/// A command that is added is added to the table too.
#[test]
fn every_command_is_in_the_table() {
    let names = commands();
    assert!(names.len() > 15, "{names:?}");
    for name in names.iter().filter(|name| !["serve", "site"].contains(&name.as_str())) {
        assert!(CALLS.iter().any(|call| call.args[0] == name), "{name} is not in the table");
    }
}

#[test]
fn json_is_lines_of_json() {
    for call in CALLS.iter().filter(|call| call.json && call.args[0] != "bench") {
        let words = words(call);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let out = fourfold(&words, call.input);
        assert_eq!(out.code, Some(0), "{words:?}: {}", out.stderr);
        assert!(!out.stdout.is_empty(), "{words:?}");
        for line in out.stdout.lines().take(1000) {
            let value: Result<Value, _> = serde_json::from_str(line);
            assert!(value.is_ok_and(|value| value.is_object()), "{words:?}: {line}");
        }
        clear();
    }
}

#[test]
fn arguments_that_make_no_sense_exit_with_2() {
    for call in &CALLS {
        let out = fourfold(&[call.args[0], "--no-such-option"], "");
        assert_eq!(out.code, Some(2), "{:?}", call.args);
        assert!(
            out.stdout.is_empty() && out.stderr.contains("--no-such-option"),
            "{:?}",
            call.args
        );
    }
    for args in [
        &["search", "-g", "0x0"][..],
        &["match", "nobody", "random"],
        &["grade", "nobody"],
        &["grade", "naive", "--opening", "42"],
        &["puzzle", "--plies", "42"],
        &["tree", "--depth", "1", "--svg", "-"],
        &["positions"],
    ] {
        assert_eq!(fourfold(args, "").code, Some(2), "{args:?}");
    }
}

/// Commands that take positions or games, and how the moves of one are found in its JSON.
const BATCHES: [(&[&str], &str); 6] = [
    (&["search", "-g", "5x4c4", "--depth", "1"], "moves_so_far"),
    (&["solve", "-g", "5x4c4"], "moves"),
    (&["solve", "-g", "5x4c4", "--threads", "2"], "moves"),
    (&["convert", "-g", "5x4c4"], "moves"),
    (&["review", "-g", "5x4c4"], "moves"),
    (&["tree", "-g", "5x4c4", "--depth", "1"], ""),
];

#[test]
fn a_batch_keeps_its_order_and_goes_on_past_bad_lines() {
    let good = ["121212", "12121", "444", "", "55112"];
    let input =
        format!("{}\nnonsense\n{}\n8\n\n\u{fffd}\n{}\n", good[0], good[1..3].join("\n"), good[4]);
    for (args, key) in BATCHES {
        let out = fourfold(&[args, &["--json"]].concat(), &input);
        assert_eq!(out.code, Some(3), "{args:?}: {}", out.stderr);
        let lines: Vec<Value> =
            out.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), good.len(), "{args:?}: {}", out.stdout);
        if !key.is_empty() {
            let moves: Vec<&str> =
                lines.iter().map(|line| line[key].as_str().expect("moves")).collect();
            assert_eq!(moves, good, "{args:?}");
        }
        let told: Vec<&str> = out.stderr.lines().collect();
        assert_eq!(told.len(), 4, "{args:?}: {}", out.stderr);
        for (line, start) in
            told.iter().zip(["line 2: ", "line 5: ", "line 7: ", "3 lines were refused"])
        {
            assert!(line.starts_with(&format!("fourfold: {start}")), "{args:?}: {line}");
        }
        // Without --json the same lines are refused.
        let plain = if args[0] == "convert" {
            &["convert", "-g", "5x4c4", "--to", "fen"][..]
        } else {
            args
        };
        let plain = fourfold(plain, &input);
        assert_eq!((plain.code, plain.stderr), (Some(3), out.stderr), "{args:?}");
        // One alone is refused without a number.
        let alone = fourfold(&[args, &["--json", "nonsense"]].concat(), "");
        assert_eq!(alone.code, Some(3), "{args:?}");
        assert!(!alone.stderr.contains("line 1"), "{args:?}: {}", alone.stderr);
    }
    let games = format!("{RECORD}nonsense\n{RECORD}");
    for args in [&["replay", "-"][..], &["grade", "-", "-t", "2"], &["review"]] {
        let out = fourfold(args, &games);
        assert_eq!(out.code, Some(3), "{args:?}");
        assert!(out.stderr.starts_with("fourfold: line 2: "), "{args:?}: {}", out.stderr);
        assert!(out.stderr.ends_with("fourfold: 1 line was refused\n"), "{args:?}: {}", out.stderr);
        assert!(!out.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn what_a_limit_leaves_undone_does_not_end_a_batch() {
    for args in [
        &["search", "--nodes", "1", "--depth", "9"][..],
        &["solve", "--nodes", "1", "--no-book"],
        &["review", "--nodes", "1", "--no-book"],
    ] {
        let out = fourfold(args, "444\n445\n121212\n");
        assert_eq!(out.code, Some(1), "{args:?}: {}", out.stderr);
        assert!(
            out.stderr.contains("line 1: ") && out.stderr.contains("line 2: "),
            "{args:?}: {}",
            out.stderr
        );
    }
}

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    for call in CALLS.iter().filter(|call| call.args[0] != "bench") {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(words(call))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // Nobody will read a word of it.
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("piped");
        let _ = std::io::Write::write_all(&mut stdin, call.input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{:?}: {told}", call.args);
        assert!(
            !told.contains("panicked") && !told.contains("roken pipe"),
            "{:?}: {told}",
            call.args
        );
        clear();
    }
}
