//! `fourfold tournament` and the openings and tests of `fourfold match`, run as people run them.

mod common;

use common::{fourfold, scratch, succeed};
use serde_json::Value;
use std::fs;

/// The JSON of a run without its times.
fn timeless(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap();
    for player in value["players"].as_array_mut().unwrap() {
        player.as_object_mut().unwrap().remove("time_ms_per_move");
    }
    value
}

const LADDER: [&str; 9] =
    ["tournament", "lookahead:2", "naive", "random", "-g", "5x4c4", "--games", "20", "--seed=3"];

fn ladder(more: &[&str]) -> String {
    succeed(&[&LADDER, more].concat(), "")
}

#[test]
fn a_report_does_not_depend_on_the_threads() {
    let report = ladder(&["-t", "1"]);
    assert_eq!(report, ladder(&["-t", "4"]));
    assert!(report.starts_with("5x4c4, round robin, 60 games in pairs, 10 openings of 4 moves ("));
    for part in [
        "\n1. lookahead:depth=2",
        "95 % CI",
        "points in %",
        "pairs 0, ½, 1, 1½, 2",
        "superiority",
        "\nWhoever began won ",
        "\nAll games were distinct.\n",
    ] {
        assert!(report.contains(part), "{part:?} is not in\n{report}");
    }
    let tested = |threads| {
        let args = ["tournament", "lookahead:3", "random", "--sprt=0,100", "-n", "400"];
        timeless(&succeed(&[&args[..], &["--json", "-t", threads]].concat(), ""))
    };
    let one = tested("1");
    assert_eq!(one, tested("4"));
    assert_eq!(one["pairings"][0]["sprt"]["accepted"], "H1");
    assert!(one["games"].as_u64().unwrap() < 100 && one["complete"] == true, "{one}");
}

#[test]
fn a_killed_tournament_goes_on_where_it_stopped() {
    let file = scratch("tournament.jsonl");
    let path = file.to_str().unwrap();
    let whole = ladder(&["--save", path]);
    let whole_file = fs::read_to_string(&file).unwrap();
    assert_eq!(whole_file.lines().count(), 61, "a header, and a line for every game");
    // Killed in the middle of a line: of the last one, of some other, of the header.
    for keep in [whole_file.len() - 7, whole_file.len() / 3, 25] {
        fs::write(&file, &whole_file[..keep]).unwrap();
        let out = fourfold(&[&LADDER[..], &["--save", path, "-t", "3"]].concat(), "");
        assert_eq!((out.code, &out.stdout), (Some(0), &whole), "{}", out.stderr);
        let again = fs::read_to_string(&file).unwrap();
        let games = |text: &str| -> Vec<String> {
            let cut = |line: &str| line.split(",\"times_ms\"").next().unwrap().to_owned();
            text.lines().map(cut).collect()
        };
        assert_eq!(games(&again), games(&whole_file));
        let kept = whole_file[..keep].rfind('\n').map_or(0, |end| end + 1);
        assert_eq!(again[..kept], whole_file[..kept], "what was there is not played again");
    }
    let shown = succeed(&["replay", path, "--number", "1"], "");
    assert!(shown.starts_with("Game 1: 5x4c4 between lookahead:depth=2 (x) and naive"), "{shown}");

    // Another tournament does not go on with it, nor is another file overwritten.
    let refuse = |args: &[&str], part: &str| {
        let before = fs::read_to_string(&file).unwrap();
        let out = fourfold(&[&LADDER[..], &["--save", path], args].concat(), "");
        assert!(out.code == Some(2) && out.stderr.contains(part), "{}", out.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), before);
    };
    refuse(&["perfect"], "holds the games of another tournament (5x4c4, round robin: lookahead");
    refuse(&["--opening-plies", "6"], "holds the games of another tournament");
    fs::write(&file, "{\"game\":\"7x6c4\",\"moves\":\"4\"}\n").unwrap();
    refuse(&[], "is not a file of a tournament's games");
    let stranger = whole_file.replacen("\"seed\":", "\"seed\":1", 1);
    fs::write(&file, stranger).unwrap();
    let out = fourfold(&[&LADDER[..], &["--save", path]].concat(), "");
    assert_eq!(out.code, Some(3));
    assert!(out.stderr.contains(":2: this is not a game of this tournament"), "{}", out.stderr);
    fs::remove_file(file).unwrap();
}

#[test]
fn formats_anchors_and_files() {
    let gauntlet = ladder(&["--gauntlet", "--csv", "--anchor", "naive=1000"]);
    let rows: Vec<&str> = gauntlet.lines().collect();
    assert!(rows[0].starts_with("player,rating,elo,elo_low,elo_high,group,games,wins,draws,"));
    assert_eq!(rows.len(), 4);
    assert!(gauntlet.contains("\"naive\",anchor,1000,,,"), "{gauntlet}");
    let page = scratch("tournament.html");
    let neighbours =
        timeless(&ladder(&["--neighbours", "--json", "--html", page.to_str().unwrap()]));
    let pairings = neighbours["pairings"].as_array().unwrap();
    let met: Vec<(&str, &str)> = pairings
        .iter()
        .map(|pairing| (pairing["first"].as_str().unwrap(), pairing["second"].as_str().unwrap()))
        .collect();
    assert_eq!(met, [("lookahead:depth=2", "naive"), ("naive", "random")]);
    let html = fs::read_to_string(&page).unwrap();
    for part in ["<h2>Ratings</h2>", "<svg ", "<h2>Cross table</h2>", "Command</dt>"] {
        assert!(html.contains(part), "{part}");
    }
    let start = html.find("<svg ").unwrap();
    let svg = &html[start..start + html[start..].find("</svg>").unwrap() + 6];
    roxmltree::Document::parse(svg).unwrap();
    fs::remove_file(page).unwrap();

    let openings = scratch("openings.txt");
    fs::write(&openings, "12\n# their mirror image:\n54\n33\n").unwrap();
    let out = fourfold(&[&LADDER[..], &["--openings", openings.to_str().unwrap()]].concat(), "");
    assert!(out.stdout.contains("60 games in pairs, 2 openings of "), "{}", out.stdout);
    assert!(
        out.stderr.contains("1 positions of ") && out.stderr.contains("only 2 openings for 10")
    );
    fs::remove_file(openings).unwrap();
}

#[test]
fn all_wins_are_a_bound_and_few_openings_are_told() {
    let out = succeed(&["tournament", "lookahead:4", "random", "-n", "20", "--seed=1"], "");
    // Ten pairs: 0.05^(1/10) = 0.741 of the points, +183 Elo.
    for part in ["≤ −183   lost all", "0  reference", "≥ +183  won all", "is a bound, not an esti"]
    {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    // Players that never vary meet once from every opening, the others go on.
    let args = ["tournament", "lookahead:2", "lookahead:3", "naive", "-g", "tictactoe", "-n", "60"];
    let out = fourfold(&[&args[..], &["--json"]].concat(), "");
    assert!(out.stderr.contains("3x3c3f has only "), "{}", out.stderr);
    let found = timeless(&out.stdout);
    let openings = found["openings"].as_u64().unwrap();
    assert!(openings < 30);
    let games: Vec<u64> = found["pairings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pairing| pairing["games"].as_u64().unwrap())
        .collect();
    assert_eq!(games, [2 * openings, 60, 60]);
    assert_eq!(found["pairings"][0]["distinct"], 2 * openings);
}

#[test]
fn mistakes_in_tournaments_are_explained() {
    for (args, message) in [
        (&["naive"][..], "a tournament needs at least two players"),
        (&["naive", "random", "naive"], "naive takes part twice"),
        (&["naive", "human"], "human: human can only play where there is somebody to ask"),
        (&["naive", "random", "--sprt", "5,0"], "ELO0 must be less than ELO1"),
        (&["naive", "random", "lookahead:1", "--sprt", "0,5"], "--sprt is for two players"),
        (&["naive", "random", "--anchor", "perfect=0"], "perfect is not one of the players"),
        (&["naive", "random", "--anchor", "naive"], "write a player and its rating"),
        (&["naive", "random", "--openings", "nowhere.txt"], "the sets are level, draws, random"),
        (&["naive", "random", "--opening-plies", "42"], "--opening-plies names another number"),
    ] {
        let out = fourfold(&[&["tournament"][..], args].concat(), "");
        assert_eq!(out.code, Some(2), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(message), "{args:?}: {}", out.stderr);
    }
}

#[test]
fn a_match_tells_how_many_games_were_distinct() {
    let out = fourfold(&["match", "lookahead:2", "lookahead:1", "-n", "10"], "");
    let told = "Only 2 of the 10 games were distinct; there are no intervals, since nothing was";
    assert!(out.stdout.contains(told), "{}", out.stdout);
    assert!(!out.stdout.contains("0.0-"), "no interval: {}", out.stdout);
    let varied = succeed(&["match", "naive", "random", "-g", "tictactoe", "-n", "300"], "");
    assert!(varied.contains("distinct; intervals count each of them once."), "{varied}");

    let args = ["match", "lookahead:2", "lookahead:1", "-n", "10", "--openings", "level"];
    let out = succeed(&args, "");
    assert!(out.contains("5 openings of 8 moves (") && !out.contains("distinct"), "{out}");
    assert!(out.contains("Elo difference ") && out.contains("½"), "{out}");

    let test = |threads| {
        let args = ["match", "lookahead:3", "random", "--sprt", "0,100", "-n", "300", "--json"];
        let out = succeed(&[&args[..], &["-t", threads]].concat(), "");
        let value: Value = serde_json::from_str(&out).unwrap();
        (value["games"].as_u64().unwrap(), value["sprt"]["accepted"].clone())
    };
    let (games, accepted) = test("1");
    assert_eq!((games, accepted.clone()), test("3"));
    assert!(games < 100 && accepted == "H1", "{games} {accepted}");
}
