//! `external:` players: our own engine beside ourselves, and engines that do everything wrong.
#![cfg(unix)]

mod common;

use common::{Output, fourfold, scratch, succeed};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_fourfold");

/// A seed by which our own engines are known among the processes; they are told another.
const MARK: &str = "8140233";

/// The spec of our own engine with this player.
fn ours(limits: &str, player: &str) -> String {
    format!("external:{limits}'{ENGINE}' engine --player {player} --seed {MARK}")
}

/// The processes of this user that have such a word in their command.
fn alive(mark: &str) -> Vec<String> {
    let output = Command::new("ps").args(["-A", "-o", "pid=,args="]).output().expect("ps runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .filter(|line| line.contains(mark) && !line.contains("match"))
        .map(str::to_owned)
        .collect()
}

/// Asserts that nothing with the mark runs, or ends very soon.
fn all_gone(mark: &str) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !alive(mark).is_empty() {
        assert!(Instant::now() < deadline, "left behind: {:?}", alive(mark));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A program of the test's own: a shell script that answers as an engine does, but for what `fault`
/// does.
fn engine(name: &str, script: &str) -> PathBuf {
    let path = scratch(name);
    std::fs::write(&path, script).expect("the script can be written");
    path
}

/// The records of a file, without what differs: times, evaluations (which engines do not tell) and
/// names.
fn games(path: &Path) -> Vec<(String, Value, Value, Value)> {
    let text = std::fs::read_to_string(path).expect("the games");
    text.lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).expect("JSON");
            let moves = value["moves"].as_str().expect("moves").to_owned();
            (moves, value["result"].clone(), value["nodes"].clone(), value["forfeit"].clone())
        })
        .collect()
}

/// Plays a match and gives back its games.
fn played(
    first: &str,
    second: &str,
    name: &str,
    more: &[&str],
) -> Vec<(String, Value, Value, Value)> {
    let file = scratch(name);
    let path = file.to_str().expect("UTF-8");
    let args = ["match", first, second, "--swap", "--seed", "11", "-t", "2", "--save", path];
    succeed(&[&args, more].concat(), "");
    let games = games(&file);
    std::fs::remove_file(file).expect("it can go");
    games
}

/// Two programs that always answer the same play one pair again and again: it counts once.
#[test]
fn repeated_pairs_of_programs_count_once() {
    let [first, second] = ["lookahead:2", "lookahead:1"].map(|player| ours("", player));
    let args = ["match", &first, &second, "--sprt", "0,200", "--opening-plies", "1", "-g", "4x4c3"];
    let out = fourfold(&[&args[..], &["-n", "40", "--json", "--openings", "random"]].concat(), "");
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let value: Value = serde_json::from_str(&out.stdout).expect("JSON");
    let pairs = value["pairs"].as_array().expect("pairs").iter();
    let pairs: u64 = pairs.map(|count| count.as_u64().expect("a number")).sum();
    let distinct = value["distinct_games"].as_u64().expect("a number");
    assert!(pairs <= distinct && pairs < 20, "{pairs} pairs, {distinct} distinct games");
    all_gone(MARK);
}

#[test]
fn our_own_engine_plays_as_we_do() {
    for (game, player, other, count) in [
        ("7x6c4", "lookahead:3,random=0.2", "naive", "60"),
        ("7x6c4", "alphabeta:nodes=2000,tie=random", "utility:2", "6"),
        ("tictactoe", "perfect:tie=random", "random", "12"),
        ("12x4c4", "easy:2", "lookahead:2,random=0.1", "4"),
    ] {
        let more = ["-g", game, "-n", count];
        let inside = played(player, other, "inside.jsonl", &more);
        let outside = played(&ours("time=60000,", player), other, "outside.jsonl", &more);
        assert_eq!(inside, outside, "{game} {player}");
        let both =
            played(&ours("time=60000,", player), &ours("time=60000,", other), "both.jsonl", &more);
        let moves = |games: &[(String, Value, Value, Value)]| -> Vec<String> {
            games.iter().map(|game| game.0.clone()).collect()
        };
        assert_eq!(moves(&inside), moves(&both), "{game} {player} {other}");
    }
    all_gone(MARK);
}

#[test]
fn limits_reach_the_engine() {
    // The engine itself, not one of its players, with limits that leave nothing to the clock.
    let args = ["match", "-n", "2", "--swap", "--json", "random"];
    for limits in ["depth=3,", "nodes=500,", "depth=2,nodes=9999,wait=60000,"] {
        let spec = format!("external:{limits}{ENGINE} engine --game 5x4c4");
        let out = succeed(&[&args[..], &["-g", "5x4c4", &spec]].concat(), "");
        let value: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(value["players"][1]["forfeits"], 0, "{out}");
        assert!(value["players"][1]["nodes_per_move"].as_f64() > Some(1.0), "{out}");
    }
}

/// What an engine says first.
const GREETING: &str = "echo uciok; read a; read a; read a; echo readyok";

/// A match of two games against an engine that does something wrong.
fn against(script: &Path, limits: &str) -> (Output, Value, Vec<Value>) {
    let file = scratch(&format!("{}.jsonl", script.file_name().expect("a name").to_string_lossy()));
    let spec = format!("external:{limits}sh {}", script.display());
    let path = file.to_str().expect("UTF-8").to_owned();
    let out = fourfold(
        &["match", &spec, "script:1234", "-n", "2", "--swap", "--json", "--save", &path],
        "",
    );
    let json = serde_json::from_str(&out.stdout).unwrap_or(Value::Null);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let records = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let _ = std::fs::remove_file(file);
    (out, json, records)
}

#[test]
fn a_broken_engine_ends_the_match() {
    let broken = "external:sh -c 'exit 3'";
    let out = fourfold(&["match", broken, "naive", "-n", "50", "-t", "1", "--json"], "");
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    let json: Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!(
        (json["games"].clone(), json["players"][0]["forfeits"].clone()),
        (3.into(), 3.into())
    );
    let told = out.stderr.lines().last().expect("a message");
    assert_eq!(
        told,
        format!(
            "fourfold: stopped after 3 of 50 games: 3 in a row were forfeited, the last by {broken}"
        )
    );
    let out = fourfold(&["grade", broken, "-n", "50", "-t", "1"], "");
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    assert!(out.stderr.contains("3 games in a row were forfeited"), "{}", out.stderr);
}

#[test]
fn whatever_an_engine_does_wrong_loses_it_the_game() {
    let answers = "while read line; do case \"$line\" in go*)";
    for (name, script, limits, reason) in [
        ("crash-at-start", "exit 3".to_owned(), "", "it ended before it answered 'uciok' (exit status: 3)"),
        (
            "deaf-at-start",
            "exec sleep 98765".to_owned(),
            "start=300,",
            "it did not answer 'uciok' within 300 ms",
        ),
        (
            "crash-mid-game",
            "echo uciok; n=0; while read line; do case \"$line\" in isready) echo readyok;; go*) n=$((n+1)); [ $n = 2 ] && kill -9 $$; echo bestmove 7;; esac; done".to_owned(),
            "",
            "(signal: 9 (SIGKILL))",
        ),
        (
            "hangs",
            format!("{GREETING}; while :; do sleep 1; done"),
            "wait=300,",
            "it did not answer a move within 300 ms",
        ),
        (
            "late",
            format!("{GREETING}; {answers} sleep 3; echo bestmove 4;; esac; done"),
            "time=50,wait=300,",
            "it did not answer a move within 300 ms",
        ),
        (
            "garbage",
            format!("{GREETING}; {answers} echo hello; echo bestmove; ;; esac; done"),
            "",
            "illegal move: ",
        ),
        (
            "binary",
            format!(
                "{GREETING}; {answers} head -c 3000 /dev/urandom; echo; echo 'bestmove \u{1}\u{2}';; esac; done"
            ),
            "",
            "illegal move: ",
        ),
        (
            "illegal",
            format!("{GREETING}; {answers} echo bestmove 9;; esac; done"),
            "",
            "illegal move: there is no column 9",
        ),
        ("none", format!("{GREETING}; {answers} echo 'bestmove (none)';; esac; done"), "", "illegal move: "),
        (
            "endless-line",
            format!("{GREETING}; {answers} cat /dev/zero;; esac; done"),
            "",
            "it wrote a line of more than 65536 bytes",
        ),
        (
            "endless-lines",
            format!("{GREETING}; {answers} yes;; esac; done"),
            "wait=500,",
            "it did not answer a move within 500 ms",
        ),
        (
            "closes-output",
            format!("{GREETING}; exec 1>&-; sleep 98765"),
            "",
            "it closed its output before it answered a move",
        ),
        (
            "closes-input",
            format!("{GREETING}; exec 0<&-; sleep 98765"),
            "wait=300,",
            "it did not answer a move within 300 ms",
        ),
        (
            "has-children",
            format!("sleep 98765 & {GREETING}; {answers} echo bestmove x;; esac; done"),
            "",
            "illegal move: ",
        ),
    ] {
        let script = engine(name, &format!("# {name}\n{script}\n"));
        let (out, json, records) = against(&script, limits);
        assert_eq!(out.code, Some(0), "{name}: {}", out.stderr);
        assert_eq!(json["players"][0]["forfeits"], 2, "{name}: {}", out.stderr);
        assert_eq!(json["players"][1]["wins"], 2, "{name}");
        assert!(
            out.stderr.contains(reason) && out.stderr.contains("fourfold: game 1: "),
            "{name}: {}",
            out.stderr
        );
        for record in records {
            let told = record["forfeit"].as_str().expect("a reason");
            assert!(told.contains(reason), "{name}: {told}");
            assert!(["first", "second"].contains(&record["result"].as_str().expect("a result")));
        }
        all_gone(&script.display().to_string());
        std::fs::remove_file(script).expect("it can go");
    }
    all_gone("sleep 98765");
}

#[test]
fn an_engine_that_will_not_go_is_made_to() {
    let name = "ignores-quit";
    let script = engine(
        name,
        &format!(
            "trap '' TERM INT HUP PIPE; {GREETING}; while :; do read line || sleep 1; case \"$line\" in go*) echo bestmove 1;; esac; done"
        ),
    );
    let (out, json, _) = against(&script, "");
    assert_eq!((out.code, &json["games"]), (Some(0), &Value::from(2)), "{}", out.stderr);
    all_gone(&script.display().to_string());
    std::fs::remove_file(script).expect("it can go");
}

#[test]
fn records_of_forfeited_games_are_shown_and_checked() {
    let line = r#"{"game":"7x6c4","first":"a","second":"b","moves":"44","result":"second","forfeit":"it hung"}"#;
    let shown = succeed(&["replay", "-"], line);
    assert!(shown.ends_with("a (x) forfeits: it hung. b (o) wins.\n"), "{shown}");
    assert_eq!(succeed(&["replay", "-", "--json"], line).trim(), line);
    for (line, message) in [
        (
            r#"{"game":"7x6c4","moves":"1212121","forfeit":"x"}"#,
            "the game was forfeited, but its moves end it",
        ),
        (
            r#"{"game":"7x6c4","moves":"44","result":"first","forfeit":"x"}"#,
            "a win of the first player, but",
        ),
    ] {
        let out = fourfold(&["replay", "-"], line);
        assert_eq!(out.code, Some(3));
        assert!(out.stderr.contains(message), "{}", out.stderr);
    }
}

#[test]
fn play_and_lab_seat_engines_too() {
    let file = scratch("play.jsonl");
    let path = file.to_str().expect("UTF-8");
    let spec = ours("", "lookahead:2");
    let out = succeed(&["play", "-1", &spec, "-2", "script:11", "--seed", "3"], "");
    assert!(out.contains("plays column 4 (estimate "), "{out}");
    let out =
        succeed(&["play", "-1", "script:1", "-2", "external:sh -c 'exit 1'", "--save", path], "");
    assert!(
        out.contains(
            "forfeits: it ended before it answered 'uciok' (exit status: 1). script:1 wins."
        ),
        "{out}"
    );
    assert_eq!(games(&file)[0].1, "first");
    let experiment = scratch("external.toml");
    let toml = format!(
        "title = \"t\"\nquestion = \"q\"\n[[match]]\nname = \"m\"\ntitle = \"m\"\ngame = \"tictactoe\"\nplayer = \"\"\"{}\"\"\"\n\
         opponent = \"random\"\ngames = 3\n",
        ours("", "naive")
    );
    std::fs::write(&experiment, toml).expect("it can be written");
    let folder = scratch("external-lab");
    let out = fourfold(
        &[
            "lab",
            "run",
            experiment.to_str().expect("UTF-8"),
            "--out",
            folder.to_str().expect("UTF-8"),
        ],
        "",
    );
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    for path in [&file, &experiment] {
        std::fs::remove_file(path).expect("it can go");
    }
    std::fs::remove_dir_all(folder).expect("it can go");
}

#[test]
fn mistakes_in_specs_are_explained() {
    for (spec, message) in [
        ("external", "write the program to start after the colon"),
        ("external:time=5,", "write the program to start after the colon"),
        ("external:'a", "a quotation mark is not closed"),
        ("external:patience=5,x", "it takes depth, nodes, time, wait, start, random"),
        ("external:time=0,x", "at least 1"),
        ("external:/no/such/program", "\"/no/such/program\" cannot be started: "),
    ] {
        let out = fourfold(&["match", spec, "random"], "");
        assert_eq!(out.code, Some(2), "{spec}: {}", out.stderr);
        assert!(out.stderr.contains(message), "{spec}: {}", out.stderr);
    }
}

/// Ctrl-C, once and twice, and other signals while an engine hangs.
#[test]
fn an_interrupted_match_leaves_nothing_behind() {
    let script = engine("hangs-on", &format!("{GREETING}; while :; do sleep 1; done"));
    let mark = script.display().to_string();
    for (signal, times) in [("-INT", 1), ("-INT", 2), ("-TERM", 1), ("-HUP", 2)] {
        let spec = format!("external:wait=600000,sh {mark}");
        let child = Command::new(ENGINE)
            .args(["match", &spec, "random", "-n", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.expect("it starts");
        while alive(&mark).is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
        for _ in 0..times {
            let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
            // It may be gone by the second.
            status.expect("kill runs");
        }
        assert!(!child.wait().expect("it ends").success());
        all_gone(&mark);
    }
    std::fs::remove_file(script).expect("it can go");
}
