//! `fourfold train net`, `fourfold train mean` and the labels they learn from, as people run them.

mod common;

use common::{fourfold, scratch, succeed};
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs a command that tells what it does, and returns what it told.
fn run(args: &[&str]) -> String {
    let out = fourfold(args, "");
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    out.stderr
}

fn refused(args: &[&str], why: &str) {
    let out = fourfold(args, "");
    assert_eq!(out.code, Some(2), "{}", out.stderr);
    assert!(out.stderr.contains(why), "{}", out.stderr);
}

#[test]
fn networks_are_trained_widened_averaged_and_played_with() {
    let labels = scratch("net-labels.txt");
    let made = ["dataset", "labels", "-g", "5x4c4", "-n", "150", "--weak", "-o", text(&labels)];
    run(&made);
    let train = |name: &str, more: &[&str]| {
        let out = scratch(name);
        let args = ["train", "net", "-g", "5x4c4", "--labels", text(&labels), "--epochs", "1"];
        run(&[&args[..], &["--out", text(&out)], more].concat());
        out
    };
    let small = train("small.net", &["--units", "16"]);
    let wide = |name: &str, seed: &str| {
        let more = ["--begin-with", text(&small), "--units", "32", "--rate", "0.001"];
        train(name, &[&more[..], &["--seed", seed]].concat())
    };
    // What has not learned yet is as it was, but for the units.
    let widened = scratch("widened.net");
    let args = ["train", "net", "-g", "5x4c4", "--begin-with", text(&small), "--units", "32"];
    let told = run(&[&args[..], &["--epochs", "0", "--out", text(&widened)]].concat());
    assert!(told.contains("0 labels"), "{told}");
    let graded = |net: &Path| {
        let player = format!("lookahead:1,eval=net:{}", text(net));
        let shown =
            succeed(&["grade", "-g", "5x4c4", &player, "--positions", text(&labels), "--json"], "");
        shown.split("count").nth(1).unwrap().to_owned()
    };
    assert_eq!(graded(&widened), graded(&small));
    let (one, two) = (wide("one.net", "1"), wide("two.net", "2"));
    let mean = scratch("mean.net");
    let told = run(&["train", "mean", text(&one), text(&two), "--out", text(&mean)]);
    assert!(told.contains("eval=net:"), "{told}");
    assert_ne!(fs::read(&mean).unwrap(), fs::read(&one).unwrap());
    let player = format!("lookahead:1,eval=net:{}", text(&mean));
    succeed(&["match", "-g", "5x4c4", &player, "random", "-n", "2"], "");

    let out = text(&mean);
    let fewer = ["train", "net", "-g", "5x4c4", "--begin-with", text(&one), "--units", "16"];
    refused(&fewer, "a network of 32 units, which is more than 16");
    refused(&["train", "mean", text(&one), text(&small), "-o", out], "of 32 and of 16 units");
    refused(&["train", "mean", text(&labels), "-o", out], "not a network of Fourfold");
    refused(&["train", "net", "--epochs", "0"], "--begin-with");
    refused(&["train", "net", "--rate", "2"], "0.000001 to 0.1");
    refused(&["train", "net", "--units", "20"], "multiple of 16 from 16 to 512");
}

#[test]
fn labels_of_random_games_are_a_set_of_their_own() {
    let path = |name: &str| {
        let path = scratch(name);
        let _ = fs::remove_file(&path);
        path
    };
    let (mixed, random) = (path("mixed-labels.txt"), path("random-labels.txt"));
    let args = ["dataset", "labels", "-g", "5x4c4", "-n", "40", "--weak", "--out"];
    run(&[&args[..], &[text(&mixed)]].concat());
    run(&[&args[..], &[text(&random), "--random"]].concat());
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    assert!(read(&random).lines().next().unwrap().ends_with(", random games"));
    assert_ne!(read(&mixed).lines().nth(1), read(&random).lines().nth(1));
    // A file is not continued with games of another kind.
    let out = fourfold(&[&args[..], &[text(&mixed), "--random"]].concat(), "");
    assert!(out.stderr.contains("holds other labels"), "{}", out.stderr);
}
