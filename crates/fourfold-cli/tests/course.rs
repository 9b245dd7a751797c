//! `fourfold course`, `fourfold worksheet` and the tournament of a class.
#![cfg(unix)]

mod common;

use common::{fourfold, scratch, succeed};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(top: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(top, &path, found);
            } else {
                let name = path.strip_prefix(top).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

#[test]
fn a_course_comes_again_to_the_byte_and_overwrites_nothing_else() {
    let folder = scratch("course");
    fs::create_dir_all(&folder).unwrap();
    let names = folder.join("names.txt");
    fs::write(&names, "Ada  Lovelace\n\nBob\n").unwrap();
    let names = names.to_str().unwrap();
    let make = |out: &Path, seed: &str| {
        let out = out.to_str().unwrap();
        fourfold(&["course", "--out", out, "--seed", seed, "--students", names], "")
    };
    let (one, two) = (folder.join("one"), folder.join("two"));
    assert_eq!(make(&one, "5").code, Some(0));
    assert_eq!(make(&two, "5").code, Some(0));
    let made = files(&one);
    assert!(made == files(&two), "the same seed gives other bytes");
    assert!(made.contains_key("lesson-6/keys/Ada_Lovelace.html"), "{:?}", made.keys());
    // Its own folder is replaced as a whole.
    fs::write(two.join("old.txt"), "left over").unwrap();
    assert_eq!(make(&two, "6").code, Some(0));
    assert!(!two.join("old.txt").exists() && files(&two) != made);
    // Nothing is left beside it.
    let beside = fs::read_dir(&folder).unwrap().count();
    assert_eq!(beside, 3, "names.txt, one and two");
    // Any other folder is left alone.
    let other = folder.join("other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("thesis.txt"), "years of work").unwrap();
    let refused = make(&other, "5");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("is no course"), "{}", refused.stderr);
    assert_eq!(files(&other).len(), 1);
    fs::write(names, "Ada\nBob\nada\n").unwrap();
    let refused = make(&folder.join("three"), "5");
    assert!(refused.stderr.contains("names.txt:3: \"ada\" stands in line 1"), "{}", refused.stderr);
    fs::remove_dir_all(&folder).unwrap();
}

/// The lessons in the app are those of the course, and its links lead to chapters that there are.
#[test]
fn the_app_has_the_lessons_of_the_course() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fourfold-web/assets");
    let made = fourfold_teach::course::web_page().unwrap();
    let kept = fs::read_to_string(assets.join("course.html")).unwrap();
    let command = "cargo run -p fourfold-teach --example lessons > \
                   crates/fourfold-web/assets/course.html";
    assert!(made == kept, "make it again: {command}");
    let learn = fs::read_to_string(assets.join("learn.html")).unwrap();
    let chapters: Vec<&str> =
        made.split("/learn?chapter=").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(chapters.len(), 6);
    for chapter in chapters {
        assert!(learn.contains(&format!("<section id=\"{chapter}\"")), "{chapter}");
    }
}

/// The hidden tests of an exercise are the grader's: a right program gets all points.
#[test]
fn the_rubrics_of_the_exercises_are_read_by_the_grader() {
    let folder = scratch("course-rubric");
    let out = folder.join("course");
    assert_eq!(fourfold(&["course", "--out", out.to_str().unwrap()], "").code, Some(0));
    let program = folder.join("right.py");
    fs::write(
        &program,
        "def minimax(tree, maximising=True):\n    if isinstance(tree, int):\n        return \
         tree\n    \
         values = [minimax(child, not maximising) for child in tree]\n    \
         return max(values) if maximising else min(values)\n",
    )
    .unwrap();
    let rubric = out.join("lesson-2/exercise/hidden/rubric.toml");
    let script = fs::read_to_string(out.join("lesson-2/exercise/hidden/grade.sh")).unwrap();
    assert!(script.contains("fourfold check") && script.contains("--seed "), "{script}");
    let (program, rubric) = (program.to_str().unwrap(), rubric.to_str().unwrap());
    let told = succeed(&["check", program, "--rubric", rubric, "--json"], "");
    let grade: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&grade["points"], &grade["of"]), (&20.0.into(), &20.0.into()), "{grade}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_worksheet_has_the_answers_on_demand_and_a_name_of_its_own() {
    let words = ["worksheet", "--topics", "minimax,order", "-n", "3", "--name", "Ada <b>"];
    let asked = succeed(&words, "");
    assert!(asked.contains("Name Ada <b>") && !asked.contains("expected line"), "{asked}");
    let page = succeed(&[&words[..], &["--html", "--answers"]].concat(), "");
    assert!(page.contains("Ada &lt;b&gt;") && page.contains("leaves as drawn"), "{page}");
    assert_eq!(page.matches("<section class=\"sheet\">").count(), 2);
    let sheet: Value = serde_json::from_str(&succeed(&["worksheet", "--json"], "")).unwrap();
    assert_eq!(sheet["exercises"].as_array().unwrap().len(), 6);
    let wide = fourfold(&["worksheet", "--branches", "5", "--levels", "5"], "");
    assert_eq!(wide.code, Some(2));
    assert!(wide.stderr.contains("3125 leaves do not fit"), "{}", wide.stderr);
}

#[test]
fn a_class_plays_and_its_faults_are_counted() {
    let folder = scratch("class");
    let class = folder.join("class");
    fs::create_dir_all(&class).unwrap();
    let write = |name: &str, text: &str| fs::write(class.join(name), text).unwrap();
    write(
        "first.py",
        "def best_move(board, depth):\n    \
         return next(c for c in range(board.width) if board.rows[0][c] == \".\")\n",
    );
    write("stubborn.py", "def best_move(board, depth):\n    return 0\n");
    write("crash.py", "def best_move(board, depth):\n    raise ValueError\n");
    write("loop.py", "def best_move(board, depth):\n    while True:\n        pass\n");
    let engine = class.join("engine");
    let program = env!("CARGO_BIN_EXE_fourfold");
    fs::write(&engine, format!("#!/bin/sh\n# It answers bestmove.\nexec '{program}' engine\n"))
        .unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let page = folder.join("class.html");
    let words = ["tournament", "--class", class.to_str().unwrap(), "--time", "1s", "--json"];
    let words = [&words[..], &["--depth", "2", "--html", page.to_str().unwrap()]].concat();
    let told = fourfold(&words, "");
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let told = told.stdout;
    let rows: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 5);
    assert_eq!((&rows[0]["program"], &rows[0]["won"]), (&"engine".into(), &8.into()), "{told}");
    let of = |name: &str| rows.iter().find(|row| row["program"] == name).unwrap();
    let by = |name: &str, kind: &str| of(name)["lost_by"][kind].as_u64().unwrap();
    assert!(by("stubborn", "illegal moves") > 0, "{told}");
    assert!(by("loop", "too late") >= 6 && by("loop", "crashes and nonsense") == 0, "{told}");
    assert!(by("crash", "crashes and nonsense") >= 6, "{told}");
    for row in &rows {
        let games: u64 =
            ["won", "drawn", "lost"].map(|key| row[key].as_u64().unwrap()).iter().sum();
        assert_eq!(games, 8, "{row}");
    }
    let page = fs::read_to_string(page).unwrap();
    assert!(!folder.join("class.html.new").exists());
    assert!(page.contains("Games to look at") && page.contains("<svg"), "{page}");
    let alone = fourfold(&["tournament", "--class", folder.join("nobody").to_str().unwrap()], "");
    assert!(alone.stderr.contains("cannot read"), "{}", alone.stderr);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_class_goes_on_where_it_was_killed_and_knows_changed_programs() {
    let folder = scratch("class-saved");
    let class = folder.join("class");
    fs::create_dir_all(&class).unwrap();
    for (name, pick) in [("ada", "min"), ("bob", "max"), ("eve", "sorted")] {
        let text = format!(
            "def best_move(board, depth):\n    \
             open = [c for c in range(board.width) if board.rows[0][c] == \".\"]\n    \
             found = {pick}(open)\n    return found if isinstance(found, int) else found[len(found) // 2]\n"
        );
        fs::write(class.join(format!("{name}.py")), text).unwrap();
    }
    let games = folder.join("games.jsonl");
    let words = [
        "tournament",
        "--class",
        class.to_str().unwrap(),
        "--csv",
        "--save",
        games.to_str().unwrap(),
    ];
    let whole = succeed(&words, "");
    let text = fs::read_to_string(&games).unwrap();
    assert_eq!(text.lines().count(), 7, "a header and six games");
    // Killed in the middle of a line.
    fs::write(&games, &text[..2 * text.len() / 3]).unwrap();
    let again = fourfold(&words, "");
    assert_eq!((again.code, &again.stdout), (Some(0), &whole), "{}", again.stderr);
    assert!(again.stderr.contains("had been played before"), "{}", again.stderr);
    // Games of a program that has changed are of another tournament.
    fs::write(class.join("ada.py"), "def best_move(board, depth):\n    return 0\n").unwrap();
    let changed = fourfold(&words, "");
    assert_eq!(changed.code, Some(2));
    assert!(changed.stderr.contains("holds the games of another tournament"), "{}", changed.stderr);
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_of_a_class_may_not_use_all_memory() {
    let folder = scratch("class-memory");
    fs::create_dir_all(&folder).unwrap();
    let greedy = "import sys\nkept = []\nfor line in sys.stdin:\n    word = line.split()[0]\n    \
                  if word == 'uci': print('uciok', flush=True)\n    \
                  if word == 'isready': print('readyok', flush=True)\n    \
                  while word == 'go': kept.append(b'bestmove' * (1 << 19))\n";
    fs::write(folder.join("greedy.py"), greedy).unwrap();
    let modest = "def best_move(board, depth):\n    return 3\n";
    fs::write(folder.join("modest.py"), modest).unwrap();
    let words = ["tournament", "--class", folder.to_str().unwrap(), "--memory", "200M", "--json"];
    let told = fourfold(&words, "").stdout;
    let rows: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let greedy = rows.iter().find(|row| row["program"] == "greedy").unwrap();
    assert_eq!(greedy["lost_by"]["too much memory"], 2, "{told}");
    fs::remove_dir_all(&folder).unwrap();
}
