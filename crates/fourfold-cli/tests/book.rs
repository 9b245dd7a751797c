//! `fourfold book` and the commands that use books, run as people run them.

mod common;

use common::{fourfold, scratch, succeed};
use fourfold::random::Random;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Where a book goes, with nothing there yet.
fn new_path(name: &str) -> PathBuf {
    let path = scratch(name);
    for path in [path.clone(), part(&path)] {
        let _ = fs::remove_file(path);
    }
    path
}

fn part(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.part", path.display()))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Builds a book without disturbance.
fn built(game: &str, plies: &str, path: &Path, more: &[&str]) -> Vec<u8> {
    let args = ["book", "build", "--game", game, "--plies", plies, "--out", text(path)];
    let out = fourfold(&[&args, more].concat(), "");
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    assert!(!part(path).exists());
    fs::read(path).unwrap()
}

#[test]
fn a_book_is_the_same_whatever_the_threads() {
    let one = built("6x5c4", "4", &new_path("one.book"), &["--threads", "1"]);
    let three = built("6x5c4", "4", &new_path("three.book"), &["--threads", "3", "--memory", "1"]);
    assert_eq!(one, three);
}

#[test]
fn a_book_has_a_name_of_its_own_if_none_is_given() {
    let folder = scratch("unnamed");
    fs::create_dir_all(&folder).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(["book", "build", "--game", "4x4c4", "--plies", "2"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(out.status.success());
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.starts_with("The book goes to 4x4c4-2.book; --out names another file."), "{told}");
    assert!(folder.join("4x4c4-2.book").is_file());
    fs::remove_dir_all(folder).unwrap();
}

/// Positions that an unfinished book has, as `book info` tells.
fn solved(part: &Path) -> u64 {
    let out = fourfold(&["book", "info", "--json", text(part)], "");
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap_or_default();
    json["solved"].as_u64().unwrap_or(0)
}

#[test]
fn a_build_that_is_killed_again_and_again_ends_with_the_same_book() {
    let undisturbed = built("6x4c4", "5", &new_path("undisturbed.book"), &[]);
    let path = new_path("killed.book");
    let args = [
        "book",
        "build",
        "--game",
        "6x4c4",
        "--plies",
        "5",
        "--out",
        text(&path),
        "--threads",
        "2",
    ];
    let mut random = Random::new(7);
    let mut kept = 0;
    for _ in 0..12 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(random.below(60_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        // What was finished stays finished.
        let now = solved(&part(&path));
        assert!(now >= kept || path.exists(), "{now} positions after {kept}");
        kept = now;
    }
    assert_eq!(built("6x4c4", "5", &path, &[]), undisturbed);
}

#[test]
fn info_and_verify_tell_what_is_in_a_book() {
    let path = new_path("told.book");
    built("5x4c4", "5", &path, &[]);
    let info = succeed(&["book", "info", text(&path)], "");
    assert!(info.starts_with("5x4c4 to ply 5, "), "{info}");
    assert_eq!(info.lines().last(), Some("5          542  298    222    22"));
    let json: serde_json::Value =
        serde_json::from_str(&succeed(&["book", "info", "--json", text(&path)], "")).unwrap();
    assert_eq!(json["by_ply"][5]["won"], 298);
    let verified = succeed(&["book", "verify", text(&path), "--sample", "50"], "");
    assert!(
        verified.contains("50 of 542 positions of the last ply solved again, all correct"),
        "{verified}"
    );
    // A book whose checksum is right but whose scores are not.
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 9;
    let wrong = if bytes[last] == 0 { 1 } else { 0 };
    bytes[last] = wrong;
    fs::write(&path, &bytes).unwrap();
    let out = fourfold(&["book", "verify", text(&path)], "");
    assert_eq!(out.code, Some(3));
    assert!(out.stderr.contains("the book is damaged: its checksum is"), "{}", out.stderr);
}

#[test]
fn solve_uses_the_book_it_is_given() {
    let path = new_path("used.book");
    built("5x4c4", "4", &path, &[]);
    let positions = "\n3\n33\n3312\n12\n33123\n";
    let with =
        fourfold(&["solve", "-g", "5x4c4", "--all", "--stats", "--book", text(&path)], positions);
    let without = fourfold(&["solve", "-g", "5x4c4", "--all", "--stats", "--no-book"], positions);
    assert_eq!((with.code, &with.stdout), (Some(0), &without.stdout));
    let line = fourfold(&["solve", "-g", "5x4c4", "--stats", "--book", text(&path)], "\n3\n33\n");
    assert!(line.stderr.contains(" 0 nodes"), "{}", line.stderr);
    let other = fourfold(&["solve", "-g", "6x4c4", "--book", text(&path), ""], "");
    assert_eq!(other.code, Some(3));
    assert!(other.stderr.contains("the book is for 5x4c4, not 6x4c4"), "{}", other.stderr);
}

#[test]
fn bad_files_are_refused_with_the_reason() {
    let path = new_path("bad.book");
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let out = fourfold(&["solve", "--book", text(&path), "4"], "");
        assert_eq!(out.code, Some(3), "{}", out.stderr);
        assert!(out.stderr.contains("bad.book: "), "{}", out.stderr);
        out.stderr
    };
    assert!(refused(b"").contains("not a book"));
    assert!(refused(b"hello, world").contains("not a book"));
    assert!(refused(b"FOURFOLD").contains("head is damaged"));
    let whole = built("4x4c4", "3", &new_path("good.book"), &[]);
    assert!(refused(&whole[..whole.len() / 2]).contains("cut short"));
    let out = fourfold(&["book", "info", "/no/such/file"], "");
    assert_eq!(out.code, Some(1));
    assert!(out.stderr.contains("/no/such/file: "), "{}", out.stderr);
    let out = fourfold(&["book", "build", "-p", "2", "-o", "/no/such/folder/x.book"], "");
    assert_eq!(out.code, Some(1));
    assert!(out.stderr.contains("/no/such/folder/x.book.part: "), "{}", out.stderr);
    // A journal of another book is not added to.
    let path = new_path("other.book");
    built("4x4c4", "3", &path, &[]);
    let out = fourfold(&["book", "build", "-g", "4x4c4", "-p", "2", "-o", text(&path)], "");
    assert_eq!(out.code, Some(2));
    assert!(out.stderr.contains("holds another book: 4x4c4 to ply 3"), "{}", out.stderr);
    fs::remove_file(&path).unwrap();
    for (found, why) in [
        (&b"something else"[..], "not the file of an unfinished job"),
        (b"FOURPART\x01\0\x03\x004x4c4", "an earlier version of this program began it"),
    ] {
        fs::write(part(&path), found).unwrap();
        let out = fourfold(&["book", "build", "-g", "4x4c4", "-p", "2", "-o", text(&path)], "");
        assert_eq!(out.code, Some(3));
        assert!(out.stderr.contains(why), "{}", out.stderr);
        assert_eq!(fs::read(part(&path)).unwrap(), found, "nobody's file is written over");
    }
}

#[test]
fn two_processes_do_not_build_one_book() {
    let path = new_path("locked.book");
    let args = ["book", "build", "--plies", "5", "--threads", "1", "--out", text(&path)];
    let mut first = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The lock is there before the first position, which takes long.
    while fs::metadata(part(&path)).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = fourfold(&args, "");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.code, Some(1));
    assert!(second.stderr.contains("another process is at this work"), "{}", second.stderr);
}

#[test]
fn the_uci_data_set_has_its_published_classes() {
    let out = fourfold(&["dataset", "uci"], "");
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    assert_eq!(out.stderr, "67557 positions: win 44473, draw 6449, loss 16635\n");
    let rows: std::collections::HashSet<&str> = out.stdout.lines().collect();
    assert_eq!(rows.len(), 67557, "no row comes twice");
    assert!(rows.iter().all(|row| row.split(',').count() == 43));
    assert!(rows.contains(
        "b,b,b,b,b,b,b,b,b,b,b,b,x,o,b,b,b,b,x,o,x,o,x,o,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,win"
    ));
    let without = fourfold(&["dataset", "uci", "--no-book"], "");
    assert_eq!(without.code, Some(2));
    assert!(without.stderr.contains("reaches ply 8"), "{}", without.stderr);
}

#[test]
fn the_opening_needs_no_search() {
    let out = fourfold(&["solve", "--stats", "--all", "", "44", "1234567"], "");
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    assert_eq!(out.stdout.lines().next(), Some(" -2 -1 0 1 0 -1 -2"));
    assert!(out.stderr.contains(" 0 nodes"), "{}", out.stderr);
}
