//! `fourfold check`: students' programs, right and wrong, in the languages that are at hand.
#![cfg(unix)]

mod common;

use common::{fourfold, scratch, succeed};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mistake as students make it.
struct Edit {
    fault: String,
    base: String,
    /// What stands there and what they write instead, one after the other.
    changes: Vec<(String, String)>,
}

fn students() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/students")
}

/// The mistakes of searches.
fn edits() -> Vec<Edit> {
    edits_in("edits.txt")
}

fn edits_in(file: &str) -> Vec<Edit> {
    let text = fs::read_to_string(students().join(file)).unwrap();
    let mut edits: Vec<Edit> = Vec::new();
    let mut writing = false;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let content = |line: &str| line.get(2..).unwrap_or("").to_owned() + "\n";
        if line.starts_with('<') {
            let changes = &mut edits.last_mut().unwrap().changes;
            if writing || changes.is_empty() {
                changes.push(Default::default());
            }
            changes.last_mut().unwrap().0 += &content(line);
            writing = false;
        } else if line.starts_with('>') {
            edits.last_mut().unwrap().changes.last_mut().unwrap().1 += &content(line);
            writing = true;
        } else {
            let (fault, base) = line.split_once(' ').unwrap();
            let (fault, base) = (fault.to_owned(), base.to_owned());
            edits.push(Edit { fault, base, changes: Vec::new() });
            writing = false;
        }
    }
    edits
}

/// The program with changes made; none if what they change is not there (any more).
fn edited(program: &str, edit: &Edit) -> Option<String> {
    let (mut done, mut rest) = (String::new(), program.to_owned());
    for (old, new) in &edit.changes {
        let at = match rest.find(old) {
            Some(at) => at,
            None => {
                // Before the last change.
                let whole = done + &rest;
                let at = whole.find(old)?;
                (done, rest) = (String::new(), whole);
                at
            }
        };
        done += &rest[..at];
        done += new;
        rest = rest[at + old.len()..].to_owned();
    }
    Some(done + &rest)
}

fn base(name: &str) -> String {
    fs::read_to_string(students().join(name)).unwrap()
}

/// A new folder.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the grader says about every program of a folder, by name.
fn graded(folder: &Path, options: &[&str]) -> BTreeMap<String, Value> {
    let mut args = vec!["check", folder.to_str().unwrap(), "--json", "--time", "20s"];
    args.extend(options);
    let output = fourfold(&args, "");
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr);
    let read = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        (value["name"].as_str().unwrap().to_owned(), value)
    };
    output.stdout.lines().map(read).collect()
}

/// The parts of a program that are not right.
fn not_right(graded: &Value) -> Vec<&Value> {
    let parts = graded["parts"].as_array().unwrap();
    parts.iter().filter(|part| part["standing"] != "right").collect()
}

fn names(part: &Value, fault: &str) -> bool {
    part["faults"].as_array().unwrap().iter().any(|named| named == fault)
}

/// The ids that `--faults` lists under a heading.
fn listed_faults(heading: &str) -> Vec<String> {
    let listed = succeed(&["check", "--faults"], "");
    let (_, rest) = listed.split_once(&format!("{heading}:\n")).unwrap();
    let own = rest.lines().take_while(|line| !line.is_empty());
    own.filter(|line| !line.starts_with("    "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_known_mistake_is_named() {
    let folder = folder("mistakes");
    let edits = edits();
    for edit in &edits {
        let program = edited(&base(&edit.base), edit).unwrap_or_else(|| panic!("{}", edit.fault));
        fs::write(folder.join(format!("{}.py", edit.fault)), program).unwrap();
    }
    for fault in listed_faults("Searches") {
        assert!(edits.iter().any(|edit| edit.fault == fault), "no student makes {fault}");
    }
    let mut missed = Vec::new();
    for options in [&[][..], &["--values-only"]] {
        for (fault, program) in graded(&folder, options) {
            let wrong = not_right(&program);
            // Some mistakes cost time only, which cannot be seen without the leaves.
            let shown = !wrong.is_empty() || !options.is_empty();
            if !shown || wrong.iter().any(|part| !names(part, &fault)) {
                missed.push(format!("{options:?} {fault}: {program:#}"));
            }
            for part in wrong {
                assert!(part["example"]["question"].is_string(), "{fault}");
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_known_mistake_of_players_is_named() {
    let folder = folder("players");
    let edits = edits_in("player-edits.txt");
    for edit in &edits {
        let program = edited(&base(&edit.base), edit).unwrap_or_else(|| panic!("{}", edit.fault));
        fs::write(folder.join(format!("{}.py", edit.fault)), program).unwrap();
    }
    for fault in listed_faults("Whole players") {
        assert!(edits.iter().any(|edit| edit.fault == fault), "no student makes {fault}");
    }
    let mut missed = Vec::new();
    for (fault, program) in graded(&folder, &[]) {
        let wrong = not_right(&program);
        if !wrong.iter().any(|part| names(part, &fault)) {
            missed.push(format!("{fault}: {program:#}"));
        }
        for part in wrong {
            let example = &part["example"];
            let question = example["question"].as_str().unwrap();
            assert!(question.starts_with("position startpos"), "{fault}: {question}");
            let link = example["link"].as_str().unwrap();
            assert!(link.starts_with("/analyse?moves="), "{fault}: {link}");
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    fs::remove_dir_all(&folder).unwrap();
}

/// Fourfold's own engine, two students' players and the template, which does nothing but legal moves.
#[test]
fn right_players_pass() {
    let folder = folder("right-players");
    fs::write(folder.join("player.py"), base("player.py")).unwrap();
    fs::write(folder.join("rules.py"), base("rules.py")).unwrap();
    let template = succeed(&["check", "--template", "engine"], "");
    fs::write(folder.join("template.py"), &template).unwrap();
    let all = graded(&folder, &[]);
    let standings = |name: &str| -> Vec<String> {
        let parts = all[name]["parts"].as_array().unwrap();
        parts.iter().map(|part| part["standing"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(standings("player"), ["right", "right", "right"], "{:#}", all["player"]);
    assert_eq!((&all["player"]["points"], &all["player"]["of"]), (&100.0.into(), &100.0.into()));
    // It does not look three plies ahead, and should not be said to.
    assert_eq!(standings("rules"), ["right", "right", "wrong"], "{:#}", all["rules"]);
    assert_eq!(standings("template"), ["right", "wrong", "wrong"], "{:#}", all["template"]);

    let own = format!("{} engine", env!("CARGO_BIN_EXE_fourfold"));
    let parts = "player-moves,player-tactics,player-lookahead";
    for game in ["connect4", "tictactoe"] {
        let words = ["check", "--run", &own, "--parts", parts, "--game", game, "--json"];
        let told = fourfold(&words, "");
        let grade: Value = serde_json::from_str(&told.stdout).unwrap();
        let is_wrong =
            |part: &Value| !matches!(part["standing"].as_str(), Some("right" | "not-done"));
        assert!(!grade["parts"].as_array().unwrap().iter().any(is_wrong), "{game}: {grade:#}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn broken_players_are_reported_as_what_they_are() {
    let folder = folder("broken-players");
    let greets = "import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n    \
                  if word == 'uci': print('uciok', flush=True)\n    \
                  if word == 'isready': print('readyok', flush=True)\n";
    let programs = [
        ("mute.py", "# bestmove\nimport sys\nsys.stdin.read()\n".to_owned()),
        (
            "slow.py",
            format!("{greets}    if word == 'go':\n        while True: pass  # bestmove\n"),
        ),
        ("crashes.py", format!("{greets}    if word == 'go': raise ValueError('no bestmove')\n")),
        (
            "endless.py",
            format!("{greets}    while word == 'go': print('info string bestmove?' * 9)\n"),
        ),
        ("empty.py", format!("{greets}    if word == 'go': print('bestmove', flush=True)\n")),
    ];
    for (file, text) in programs {
        fs::write(folder.join(file), text).unwrap();
    }
    let path = folder.to_str().unwrap();
    let told = fourfold(&["check", path, "--json", "--time", "1s"], "");
    assert_eq!(told.code, Some(1), "{}", told.stderr);
    let said: BTreeMap<String, String> = told
        .stdout
        .lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap();
            (value["name"].as_str().unwrap().to_owned(), value.to_string())
        })
        .collect();
    for (name, expected) in [
        ("mute", "It did not answer 'uciok' within"),
        ("slow", "It did not answer a move within"),
        ("crashes", "ValueError: no bestmove"),
        ("endless", "It writes without end"),
        ("empty", "moves-unreadable"),
    ] {
        assert!(said[name].contains(expected), "{name}: {}", said[name]);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn players_are_in_every_form_of_report_and_in_the_rubric() {
    let folder = folder("player-reports");
    let no_rising = edits_in("player-edits.txt")
        .into_iter()
        .find(|edit| edit.fault == "misses-rising-diagonals")
        .unwrap();
    let program = folder.join("ada.py");
    fs::write(&program, edited(&base("player.py"), &no_rising).unwrap()).unwrap();
    let rubric = folder.join("rubric.toml");
    let text = "[points]\nplayer-tactics = 10\nalphabeta-trees = 5\n[faults]\n\
                misses-rising-diagonals = 0.9\n";
    fs::write(&rubric, text).unwrap();
    let [csv, pages, results] =
        ["grades.csv", "pages", "results.json"].map(|name| folder.join(name));
    let [program, rubric, csv_path, pages_path, results_path] =
        [&program, &rubric, &csv, &pages, &results].map(|path| path.to_str().unwrap());
    let told = fourfold(
        &[
            "check",
            program,
            "--rubric",
            rubric,
            "--csv",
            csv_path,
            "--html",
            pages_path,
            "--gradescope",
            results_path,
        ],
        "",
    );
    assert_eq!(told.code, Some(1), "{}", told.stderr);
    for expected in [
        "a player's wins and blocks: wrong",
        "does not see lines on diagonals that rise to the right",
        "9 of 10 points",
        "1 2 3 4 5 6 7\n",
        "alpha-beta on trees: not done",
        "9 of 15 points",
    ] {
        assert!(told.stdout.contains(expected), "{expected}: {}", told.stdout);
    }
    let table = fs::read_to_string(&csv).unwrap();
    assert!(
        table.contains("ada,player-tactics,wrong,") && table.contains("misses-rising"),
        "{table}"
    );
    let page = fs::read_to_string(pages.join("ada.html")).unwrap();
    for expected in ["<svg", "Look at the position in the app", "position startpos moves"] {
        assert!(page.contains(expected), "{expected}");
    }
    let results: Value = serde_json::from_str(&fs::read_to_string(results).unwrap()).unwrap();
    assert_eq!((&results["score"], results["tests"].as_array().unwrap().len()), (&9.0.into(), 2));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn two_mistakes_at_once_are_wrong_with_an_example() {
    let folder = folder("pairs");
    let edits = edits();
    let mut pairs = Vec::new();
    // Steps that have no common divisor with the number of edits pass through all of them.
    for step in [7, 11, 17, 23] {
        for one in 0..edits.len() {
            let (one, two) = (&edits[one], &edits[(one + step) % edits.len()]);
            if one.base != two.base || pairs.len() >= 50 || step == 7 && pairs.len() >= 20 {
                continue;
            }
            let Some(program) = edited(&base(&one.base), one) else { continue };
            let Some(program) = edited(&program, two) else { continue };
            let name = format!("{}+{}", one.fault, two.fault);
            fs::write(folder.join(format!("{name}.py")), program).unwrap();
            pairs.push(name);
        }
    }
    assert_eq!(pairs.len(), 50);
    for (name, program) in graded(&folder, &[]) {
        let wrong = not_right(&program);
        assert!(!wrong.is_empty(), "{name}: {program:#}");
        for part in wrong {
            assert!(part["example"]["question"].is_string(), "{name}: {part:#}");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A template with the searches written.
fn solved(language: &str) -> String {
    let template = succeed(&["check", "--template", language], "");
    let solutions = students().join("../solutions").join(format!("{language}.txt"));
    let solution = fs::read_to_string(solutions).unwrap();
    let (before, rest) = template.split_once("Begin of your searches").unwrap();
    let (remark, rest) = rest.split_once('\n').unwrap();
    let (_, after) = rest.split_once("End of your searches").unwrap();
    let sign = if language == "python" { "#" } else { "//" };
    format!("{before}Begin{remark}\n{solution}{sign}{after}")
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn right_programs_pass_in_every_language_at_hand() {
    let folder = folder("right");
    let mut count = 0;
    for (language, file, needs) in [
        ("python", "one.py", "python3"),
        ("javascript", "two.mjs", "node"),
        ("java", "three.java", "java"),
        ("cpp", "four.cpp", "g++"),
    ] {
        if has(needs) {
            fs::write(folder.join(file), solved(language)).unwrap();
            count += 1;
        }
    }
    for (name, file) in [("trees", "trees.py"), ("negamax", "negamax.py"), ("game", "game.py")] {
        fs::write(folder.join(format!("{name}.py")), base(file)).unwrap();
        count += 1;
    }
    let functions = "def minimax(tree, is_max=True):\n    if isinstance(tree, int):\n        \
                     return tree\n    return (max if is_max else min)(minimax(child, not is_max) \
                     for child in tree)\n";
    fs::write(folder.join("functions.py"), functions).unwrap();
    let all = graded(&folder, &[]);
    assert_eq!(all.len(), count + 1);
    for (name, program) in &all {
        assert_eq!(program["right"], true, "{name}: {program:#}");
        let parts = program["parts"].as_array().unwrap().len();
        let expected = match name.as_str() {
            "functions" => 1,
            "trees" | "negamax" | "game" => 2,
            _ => 4,
        };
        assert_eq!(parts, expected, "{name}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn templates_run_and_do_nothing_yet() {
    let folder = folder("templates");
    for (language, file) in [("python", "a.py"), ("functions", "b.py"), ("javascript", "c.mjs")] {
        fs::write(folder.join(file), succeed(&["check", "--template", language], "")).unwrap();
    }
    for (name, program) in graded(&folder, &[]) {
        for part in program["parts"].as_array().unwrap() {
            assert_eq!(part["standing"], "not-done", "{name}: {part:#}");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn broken_programs_hold_nobody_up() {
    let folder = folder("broken");
    let programs = [
        ("loops.py", "import sys\nfor line in sys.stdin:\n    while True:\n        pass\n"),
        ("prints.py", "while True:\n    print('hello' * 1000)\n"),
        ("crashes.py", "import sys\nsys.stdin.readline()\nraise ValueError('oh no')\n"),
        (
            "grows.py",
            "import sys\nsys.stdin.readline()\nall = []\nwhile True:\n    all.append(b'x' * (1 << 22))\n",
        ),
        (
            "nonsense.py",
            "import sys\nfor line in sys.stdin:\n    print('{\"value\": \"five\"}', flush=True)\n",
        ),
        ("silent.py", "import sys\nsys.stdin.read()\n"),
        (
            "children.py",
            "import subprocess, sys\nsubprocess.Popen(['sleep', '98763'])\nsys.stdin.readline()\nsys.exit(3)\n",
        ),
        ("compiles.cpp", "int main() { return nothing; }\n"),
        ("text.txt", "hello\n"),
    ];
    for (file, text) in programs {
        fs::write(folder.join(file), text).unwrap();
    }
    fs::write(folder.join("works.py"), base("trees.py")).unwrap();
    let path = folder.to_str().unwrap();
    let options = ["--json", "--time", "2s", "--total", "60s", "--memory", "200M"];
    let output = fourfold(&[&["check", path], &options[..]].concat(), "");
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let said: BTreeMap<String, String> = output
        .stdout
        .lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap();
            (value["name"].as_str().unwrap().to_owned(), value.to_string())
        })
        .collect();
    for (name, expected) in [
        ("loops", "It did not answer the question within"),
        ("prints", "It writes without end"),
        ("crashes", "ValueError: oh no"),
        ("nonsense", "should be a whole number"),
        ("silent", "It did not answer the question within"),
        ("children", "It ended before it answered the question (exit status: 3)"),
        ("text", "is no program that can be started"),
        ("works", "\"right\":true"),
    ] {
        assert!(said[name].contains(expected), "{name}: {}", said[name]);
    }
    if cfg!(target_os = "linux") {
        assert!(said["grows"].contains("It used more than 200 MiB"), "{}", said["grows"]);
    }
    if has("g++") {
        assert!(said["compiles"].contains("it cannot be compiled"), "{}", said["compiles"]);
    }
    let left = Command::new("pgrep").args(["-f", "^sleep 98763$"]).output();
    assert!(left.is_ok_and(|left| left.stdout.is_empty()), "a process is left behind");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_class_is_graded_once_and_written_in_every_form() {
    let folder = folder("class");
    let class = folder.join("class");
    fs::create_dir_all(class.join("Ada <L>")).unwrap();
    fs::write(class.join("Ada <L>/main.py"), base("trees.py")).unwrap();
    let strict = edits().into_iter().find(|edit| edit.fault == "cut-strict").unwrap();
    fs::write(class.join("bob.py"), edited(&base("trees.py"), &strict).unwrap()).unwrap();
    let [journal, csv, pages] = ["journal", "grades.csv", "pages"].map(|name| folder.join(name));
    let args = [
        "check",
        class.to_str().unwrap(),
        "--journal",
        journal.to_str().unwrap(),
        "--csv",
        csv.to_str().unwrap(),
        "--html",
        pages.to_str().unwrap(),
    ];
    let first = fourfold(&args, "");
    assert_eq!(first.code, Some(1), "{}", first.stderr);
    assert!(first.stdout.contains("alphabeta-trees right, but wasteful (cut-strict)"));
    let lines = fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count(), 2);
    // Half a line, as an interruption leaves it, is dropped; nothing is graded twice.
    fs::write(&journal, &lines[..lines.len() - 9]).unwrap();
    let second = fourfold(&args, "");
    assert_eq!(second.stdout, first.stdout);
    let third = fourfold(&args, "");
    assert_eq!(third.stdout, first.stdout);
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 3);

    let table = fs::read_to_string(&csv).unwrap();
    assert!(table.contains("\nbob,alphabeta-trees,\"right, but wasteful\","), "{table}");
    let index = fs::read_to_string(pages.join("index.html")).unwrap();
    assert!(index.contains("Ada &lt;L&gt;") && index.contains("href=\"bob.html\""), "{index}");
    let page = fs::read_to_string(pages.join("bob.html")).unwrap();
    for expected in ["<svg", "first wrong step", "/microscope?algorithm=alphabeta", "cut"] {
        assert!(page.contains(expected), "{expected}");
    }
    let results = folder.join("results.json");
    let rubric = folder.join("rubric.toml");
    fs::write(&rubric, "[points]\nalphabeta-trees = 10\n[faults]\ncut-strict = 0.95\n").unwrap();
    let bob = class.join("bob.py");
    let output = fourfold(
        &[
            "check",
            bob.to_str().unwrap(),
            "--rubric",
            rubric.to_str().unwrap(),
            "--gradescope",
            results.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let results: Value = serde_json::from_str(&fs::read_to_string(results).unwrap()).unwrap();
    assert_eq!((&results["score"], results["tests"].as_array().unwrap().len()), (&9.5.into(), 1));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_document_shows_a_report() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/teaching.md");
    let document = fs::read_to_string(path).unwrap();
    let block = |language: &str| {
        let (_, rest) = document.split_once(&format!("```{language}\n")).unwrap();
        rest.split_once("```").unwrap().0.to_owned()
    };
    let folder = folder("document");
    let program = folder.join("ada.py");
    fs::write(&program, block("python")).unwrap();
    let report = fourfold(&["check", program.to_str().unwrap(), "--time", "20s"], "").stdout;
    assert!(report == block("text"), "put this into docs/teaching.md:\n{report}");
    let misses = edits_in("player-edits.txt")
        .into_iter()
        .find(|edit| edit.fault == "misses-rising-diagonals")
        .unwrap();
    fs::write(&program, edited(&base("player.py"), &misses).unwrap()).unwrap();
    let words = ["check", program.to_str().unwrap(), "--parts", "player-tactics", "--time", "20s"];
    let report = fourfold(&words, "").stdout;
    let part = report.split("\n\n").skip(1).take(2).collect::<Vec<_>>().join("\n\n");
    let part = part.split("\n  http").next().unwrap();
    assert!(document.contains(&format!("```text\n{part}\n```")), "put this there:\n{part}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_document_says_what_cannot_be_told_apart() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/teaching.md");
    let table = succeed(&["check", "--confusion"], "");
    let document = fs::read_to_string(path).unwrap();
    assert!(document.contains(table.trim_end()), "put this into docs/teaching.md:\n{table}");
}

#[test]
fn wrong_usage_is_explained() {
    let nothing = scratch("nothing");
    for (args, expected) in [
        (&["check"][..], "name a program"),
        (&["check", nothing.to_str().unwrap()], "cannot read"),
        (&["check", "x.py", "--parts", "trees"], "the parts are"),
        (&["check", "--template", "cobol"], "there are templates for"),
        (&["check", "tests", "--game", "7x6s2"], "games of lines only"),
    ] {
        let output = fourfold(args, "");
        assert!(output.code != Some(0) && output.stderr.contains(expected), "{}", output.stderr);
    }
}
