//! `fourfold train order`, `fourfold weights` and `fourfold solve --weights`, as people run them.

mod common;

use common::{fourfold, scratch, succeed};
use std::fs;
use std::path::{Path, PathBuf};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn round(path: &Path, number: usize) -> PathBuf {
    PathBuf::from(format!("{}.{number}", path.display()))
}

/// Trains for some rounds.
fn train(path: &Path, rounds: &str) -> Vec<u8> {
    let args = ["train", "order", "-g", "5x4c4", "-n", "12", "--tests", "5", "--epochs", "1"];
    let more = ["--every", "20", "--every-far", "10", "--rounds", rounds, "--out", text(path)];
    run(&[&args[..], &more].concat());
    fs::read(path).unwrap()
}

/// A training tells what it does.
fn run(args: &[&str]) {
    let out = fourfold(args, "");
    assert_eq!(out.code, Some(0), "{}", out.stderr);
}

#[test]
fn weights_are_trained_resumed_described_and_used() {
    let path = scratch("trained.weights");
    for file in [path.clone(), round(&path, 1), round(&path, 2)] {
        let _ = fs::remove_file(file);
    }
    let whole = train(&path, "2");
    // Without its second round, the training goes on after the first.
    let second = fs::read(round(&path, 2)).unwrap();
    fs::remove_file(round(&path, 2)).unwrap();
    assert_eq!(train(&path, "2"), whole);
    assert_eq!(fs::read(round(&path, 2)).unwrap(), second);

    let info: serde_json::Value =
        serde_json::from_str(&succeed(&["weights", "info", "--json", text(&path)], "")).unwrap();
    assert_eq!(info["game"], "5x4c4");
    assert_eq!(info["units"], serde_json::json!([32, 128]));
    assert!(info["made_by"].as_str().unwrap().starts_with("fourfold train order --game 5x4c4"));
    let shown = succeed(&["weights", "info", text(&path)], "");
    assert!(shown.contains("5x4c4") && shown.contains("seed 1"), "{shown}");

    let begun = scratch("begun.weights");
    for file in [begun.clone(), round(&begun, 1)] {
        let _ = fs::remove_file(file);
    }
    let begin = ["train", "order", "-g", "5x4c4", "-n", "4", "--tests", "1", "--rounds", "1"];
    let more = ["--begin-with", text(&path), "--first-ply", "2", "--out", text(&begun)];
    run(&[&begin[..], &more].concat());
    let shown = succeed(&["weights", "info", text(&begun)], "");
    assert!(shown.contains("begun with networks") && shown.contains("from ply 2"), "{shown}");
    let out = fourfold(&["train", "order", "-g", "6x4c4", "--begin-with", text(&path)], "");
    assert_eq!(out.code, Some(2));
    assert!(out.stderr.contains("neither of the game nor of every board"), "{}", out.stderr);

    let solved = ["solve", "-g", "5x4c4", "--all", "33"];
    let plain = succeed(&solved, "");
    for more in [&["--weights", text(&path)][..], &["--no-weights"]] {
        assert_eq!(succeed(&[&solved[..], more].concat(), ""), plain);
    }
    let set = scratch("trained.txt");
    let positions = ["positions", "-g", "5x4c4", "--plies", "2..6", "-n", "5"];
    fs::write(&set, succeed(&positions, "")).unwrap();
    let nodes = [&["--weights", text(&path)][..], &["--no-weights"]].map(|order| {
        let bench = ["bench", "positions", "--json", "-g", "5x4c4", text(&set)];
        let json = succeed(&[&bench[..], order].concat(), "");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&json["positions"], &json["mismatches"]), (&5.into(), &0.into()));
        json["nodes"].as_u64().unwrap()
    });
    assert_ne!(nodes[0], nodes[1]);
    let out = fourfold(&["solve", "--weights", text(&path), "44"], "");
    assert_eq!(out.code, Some(2));
    assert!(out.stderr.contains("5x4c4, not 7x6c4"), "{}", out.stderr);
    let cut = scratch("cut.weights");
    fs::write(&cut, &whole[..whole.len() - 1]).unwrap();
    let out = fourfold(&["solve", "-g", "5x4c4", "--weights", text(&cut), ""], "");
    assert_ne!(out.code, Some(0));
    assert!(out.stderr.contains("cut.weights") && out.stderr.contains("damaged"), "{}", out.stderr);
}

#[test]
fn files_are_joined_and_serve_all_their_boards() {
    let one = |game: &str| {
        let path = scratch(&format!("{game}.weights"));
        for file in [path.clone(), round(&path, 1)] {
            let _ = fs::remove_file(file);
        }
        let args = ["train", "order", "-g", game, "-n", "4", "--tests", "1", "--rounds", "1"];
        run(&[&args[..], &["--out", text(&path)]].concat());
        path
    };
    let (small, large, joined) = (one("4x4c4"), one("4x5c4"), scratch("joined.weights"));
    succeed(&["weights", "join", text(&small), text(&large), "--out", text(&joined)], "");
    let [first, second, both] =
        [&small, &large, &joined].map(|path| succeed(&["weights", "info", text(path)], ""));
    assert_eq!(both, format!("{first}\n{second}"));
    for game in ["4x4c4", "4x5c4"] {
        succeed(&["solve", "-g", game, "--weights", text(&joined), "11"], "");
    }
    let out = fourfold(&["solve", "-g", "5x4c4", "--weights", text(&joined), "11"], "");
    assert!(out.stderr.contains("of 4x4c4, 4x5c4, not 5x4c4"), "{}", out.stderr);
    let later = scratch("later.weights");
    let join = ["weights", "join", text(&small), "--first-ply", "4", "--out", text(&later)];
    succeed(&join, "");
    let shown = succeed(&["weights", "info", text(&later)], "");
    assert!(shown.contains("from ply 4 on"), "{shown}");
    let twice = ["weights", "join", text(&joined), text(&small), "--out", text(&joined)];
    let out = fourfold(&twice, "");
    assert!(out.stderr.contains("an earlier file has networks of 4x4c4 too"), "{}", out.stderr);
    let replace = ["weights", "join", text(&later), text(&joined), "--replace"];
    succeed(&[&replace[..], &["--out", text(&joined)]].concat(), "");
    let replaced = succeed(&["weights", "info", text(&joined)], "");
    assert_eq!(replaced, format!("{shown}\n{second}"));
}

#[test]
fn games_without_networks_are_refused() {
    for game in ["tictactoe", "10x6c4", "7x6c5"] {
        let out = fourfold(&["train", "order", "-g", game], "");
        assert_eq!(out.code, Some(2), "{game}");
        assert!(out.stderr.contains("no networks"), "{}", out.stderr);
    }
    let out = fourfold(&["weights", "info", "-g", "5x4c4"], "");
    assert_eq!(out.code, Some(2));
    let shown = succeed(&["weights", "info"], "");
    assert!(shown.contains("7x6c4"), "{shown}");
}
