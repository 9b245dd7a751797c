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

fn edits() -> Vec<Edit> {
    let text = fs::read_to_string(students().join("edits.txt")).unwrap();
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

#[test]
fn every_known_mistake_is_named() {
    let folder = folder("mistakes");
    let edits = edits();
    for edit in &edits {
        let program = edited(&base(&edit.base), edit).unwrap_or_else(|| panic!("{}", edit.fault));
        fs::write(folder.join(format!("{}.py", edit.fault)), program).unwrap();
    }
    let listed = succeed(&["check", "--faults"], "");
    for line in listed.lines().filter(|line| !line.starts_with("    ")) {
        let fault = line.split_whitespace().next().unwrap();
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
        ("loops", "It did not answer within"),
        ("prints", "It writes without end"),
        ("crashes", "ValueError: oh no"),
        ("nonsense", "should be a whole number"),
        ("silent", "It did not answer within"),
        ("children", "It ended before it answered (exit status: 3)"),
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
    ] {
        let output = fourfold(args, "");
        assert!(output.code != Some(0) && output.stderr.contains(expected), "{}", output.stderr);
    }
}
