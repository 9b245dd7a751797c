//! `fourfold solve --checkpoint` as people run it: limits, Ctrl-C, a kill, files that are not right.
#![cfg(unix)]

mod common;

use common::{Output, fourfold, fourfold_with, scratch};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Solves a position with a checkpoint.
fn solve(file: &Path, args: &[&str]) -> Output {
    let file = file.display().to_string();
    fourfold(&[&["solve", "--no-book", "--checkpoint", &file][..], args].concat(), "")
}

#[test]
fn a_solve_goes_on_after_a_limit() {
    let file = scratch("limit.checkpoint");
    let args = ["-g", "6x6c4", "332"];
    let whole = fourfold(&["solve", "-g", "6x6c4", "332"], "").stdout;
    let mut runs = 0;
    let last = loop {
        let out = solve(&file, &[&["--nodes", "5000", "--memory", "16"][..], &args].concat());
        runs += 1;
        if out.code == Some(0) {
            break out;
        }
        assert_eq!(out.code, Some(1), "{}", out.stderr);
        assert!(out.stderr.contains("the same command goes on"), "{}", out.stderr);
        assert!(runs < 1000, "it comes to an end");
    };
    assert!(runs > 3, "{runs}");
    assert_eq!(last.stdout, whole);
    assert!(last.stderr.contains("going on after "), "{}", last.stderr);
    assert!(last.stderr.contains("solved; the file is no longer needed"), "{}", last.stderr);
    let again = solve(&file, &[&["--stats", "--threads", "2"][..], &args].concat());
    assert_eq!(again.stdout, whole);
    assert!(again.stderr.contains("1 position, 0 nodes"), "it is known: {}", again.stderr);
    // Every column and the line of best play begin with what is proven.
    let all = solve(&file, &[&["--all", "--line"][..], &args].concat());
    assert_eq!(
        all.stdout,
        fourfold(&["solve", "--all", "--line", "-g", "6x6c4", "332"], "").stdout
    );
    std::fs::remove_file(&file).expect("it is kept when the position is solved");
}

/// Starts a solve of many seconds, and waits until it has written a checkpoint with entries.
fn start(file: &Path) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(["solve", "--no-book", "-g", "7x6c4", "--no-weights", "--checkpoint-interval", "1s"])
        .arg("--checkpoint")
        .arg(file)
        .arg("4")
        .env("FOURFOLD_PROGRESS", "off")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let is_written = || std::fs::metadata(file).is_ok_and(|file| file.len() > 1000);
    while !is_written() && child.try_wait().expect("it can be asked").is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(is_written());
    child
}

#[test]
fn a_solve_goes_on_after_ctrl_c_and_after_a_kill() {
    let file = scratch("kill.checkpoint");
    let mut child = start(&file);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let written = std::fs::read(&file).expect("it is there");
    let killed = scratch("killed.checkpoint");
    std::fs::write(&killed, written).expect("room for it");

    let child = start(&scratch("interrupt.checkpoint"));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|sent| sent.success()));
    let out = child.wait_with_output().expect("it ends");
    let told = String::from_utf8(out.stderr).expect("UTF-8");
    // It may have been done just before.
    if out.status.code() != Some(0) {
        assert_eq!(out.status.code(), Some(1), "{told}");
        assert!(told.contains("the same command goes on"), "{told}");
        assert!(told.contains("interrupted: not solved"), "{told}");
    }
    for file in [killed, scratch("interrupt.checkpoint")] {
        let out = solve(&file, &["-g", "7x6c4", "4"]);
        assert_eq!((out.code, out.stdout.as_str()), (Some(0), "4 -1\n"), "{}", out.stderr);
        assert!(out.stderr.contains("going on after "), "{}", out.stderr);
        std::fs::remove_file(file).expect("it is there");
    }
    std::fs::remove_file(&file).expect("it is there");
}

#[test]
fn files_that_are_not_right_are_refused() {
    let file = scratch("wrong.checkpoint");
    let name = file.display().to_string();
    let out = solve(&file, &["-g", "5x4c4", "3"]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let whole = std::fs::read(&file).expect("it is there");
    let mut changed = whole.clone();
    changed[30] ^= 4;
    let cases: [(&[u8], &str); 4] = [
        (&whole[..whole.len() / 2], "this checkpoint is damaged or cut off"),
        (&changed, "this checkpoint is damaged or cut off"),
        (b"4455 18\n", "this is no checkpoint of the solver"),
        (b"", "this is no checkpoint of the solver"),
    ];
    for (bytes, told) in cases {
        std::fs::write(&file, bytes).expect("room for it");
        let out = solve(&file, &["-g", "5x4c4", "3"]);
        assert_eq!((out.code, out.stdout.as_str()), (Some(3), ""), "{told}");
        assert_eq!(out.stderr, format!("fourfold: {name}: {told}\n"));
        assert_eq!(std::fs::read(&file).expect("it is there"), bytes, "it stays as it was");
    }
    std::fs::write(&file, &whole).expect("room for it");
    let out = solve(&file, &["-g", "5x5c4", "3"]);
    assert_eq!(out.code, Some(2));
    assert_eq!(out.stderr, format!("fourfold: {name}: this checkpoint is of 5x4c4, not 5x5c4\n"));
    std::fs::remove_file(&file).expect("it is there");
    for positions in [&["3", "4"][..], &[]] {
        let out = solve(&file, &[&["-g", "5x4c4"], positions].concat());
        assert_eq!(out.code, Some(2));
        assert!(out.stderr.contains("--checkpoint takes a single position"), "{}", out.stderr);
    }
    let out = solve(&file, &["--checkpoint-interval", "10ms", "3"]);
    assert!(out.code == Some(2) && out.stderr.contains("at least a second"), "{}", out.stderr);
    assert!(!file.exists());
}

#[test]
fn a_file_that_cannot_be_written_is_told_at_once() {
    let out = solve(Path::new("/no/such/folder/x.checkpoint"), &["44"]);
    assert_eq!((out.code, out.stdout.as_str()), (Some(1), ""));
    assert!(out.stderr.contains("/no/such/folder/x.checkpoint: No such file"), "{}", out.stderr);
    if Path::new("/dev/full").exists() {
        let out = solve(Path::new("/dev/full"), &["44"]);
        assert_eq!((out.code, out.stdout.as_str()), (Some(1), ""));
        assert!(out.stderr.contains("/dev/full: No space left on device"), "{}", out.stderr);
    }
}

#[test]
fn progress_guesses_what_is_left() {
    let args = ["solve", "--no-book", "--no-weights", "--progress", "-g", "7x6c4", "4"];
    let out = fourfold_with(&[("FOURFOLD_PROGRESS", "0.2")], &args, "");
    assert_eq!((out.code, out.stdout.as_str()), (Some(0), "4 -1\n"), "{}", out.stderr);
    let guessed = out.stderr.lines().any(|line| {
        line.contains(", score from ") && line.contains(" % done if ") && line.contains(" entries")
    });
    // On a machine that is done before the first look, there is nothing to guess.
    let looks = out.stderr.lines().filter(|line| line.contains("nodes")).count();
    assert!(guessed || looks < 15, "{}", out.stderr);
}
