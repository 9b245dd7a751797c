//! What Learn and Lab ask of the service: worksheets, whose answers are worked out again here in
//! another way, and the laboratory's runs.

mod common;
mod server;

use common::{fourfold, scratch, succeed};
use fourfold_lab::{builtin, csv, recall};
use serde_json::Value;
use server::Server;
use std::fs;

/// A tree of numbers as the test sees it.
enum Tree {
    Leaf(i64),
    Inner(Vec<Tree>),
}

fn read(words: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Tree {
    while words.next_if_eq(&' ').is_some() {}
    if words.next_if_eq(&'(').is_none() {
        let mut digits = String::new();
        while let Some(digit) = words.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        return Tree::Leaf(digits.parse().expect("a number"));
    }
    let mut children = Vec::new();
    while words.next_if_eq(&')').is_none() {
        children.push(read(words));
        while words.next_if_eq(&' ').is_some() {}
    }
    Tree::Inner(children)
}

/// The nodes breadth first, as edges are numbered.
fn breadth_first(root: &Tree) -> Vec<&Tree> {
    let mut nodes = vec![root];
    let mut at = 0;
    while at < nodes.len() {
        if let Tree::Inner(children) = nodes[at] {
            nodes.extend(children);
        }
        at += 1;
    }
    nodes
}

fn minimax(tree: &Tree, max: bool) -> i64 {
    match tree {
        Tree::Leaf(value) => *value,
        Tree::Inner(children) => {
            let values = children.iter().map(|child| minimax(child, !max));
            if max { values.max() } else { values.min() }.expect("children")
        }
    }
}

/// Alpha-beta as lectures write it: the edges that are cut, by the address of the node below.
fn prune(tree: &Tree, max: bool, mut alpha: i64, mut beta: i64, cut: &mut Vec<*const Tree>) -> i64 {
    let children = match tree {
        Tree::Leaf(value) => return *value,
        Tree::Inner(children) => children,
    };
    let mut best = if max { i64::MIN } else { i64::MAX };
    for (index, child) in children.iter().enumerate() {
        let value = prune(child, !max, alpha, beta, cut);
        if max {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            cut.extend(children[index + 1..].iter().map(std::ptr::from_ref));
            break;
        }
    }
    best
}

fn edge(index: usize) -> String {
    format!("E-{index}")
}

/// Holds the answers to an exercise on a tree against the test's own.
fn check_tree(exercise: &Value, levels: usize) {
    let text = exercise["tree"].as_str().expect("a tree");
    let tree = read(&mut text.chars().peekable());
    let nodes = breadth_first(&tree);
    let mut depth = vec![0; nodes.len()];
    let mut next = 1;
    for (index, node) in nodes.iter().enumerate() {
        if let Tree::Inner(children) = node {
            let below = depth[index] + 1;
            depth[next..next + children.len()].fill(below);
            next += children.len();
        }
    }
    assert_eq!(depth.last(), Some(&levels), "{text}");
    let values: Vec<i64> =
        nodes.iter().zip(&depth).map(|(node, depth)| minimax(node, depth % 2 == 0)).collect();
    assert_eq!(exercise["values"], Value::from(values.clone()), "{text}");
    let mut cut = Vec::new();
    assert_eq!(prune(&tree, true, i64::MIN, i64::MAX, &mut cut), values[0], "{text}");
    let places = 1..nodes.len();
    let cut: Vec<String> = places
        .clone()
        .filter(|&at| cut.contains(&std::ptr::from_ref(nodes[at])))
        .map(edge)
        .collect();
    assert_eq!(exercise["cut"], Value::from(cut.clone()), "{text}");
    let Tree::Inner(first) = &tree else { panic!("{text} has no moves") };
    let best: Vec<String> =
        (1..=first.len()).filter(|&at| values[at] == values[0]).map(edge).collect();
    assert_eq!((best.len(), &exercise["best"]), (1, &Value::from(best[0].clone())), "{text}");
    if ["cuts", "windows"].contains(&exercise["kind"].as_str().expect("a kind")) {
        assert!(!cut.is_empty(), "{text} has no cut");
    }
    for at in places.filter(|&at| cut.contains(&edge(at))) {
        assert!(exercise["found"][at].is_null(), "{text}: {} was cut, yet visited", edge(at));
    }
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// 1, 0 or -1 for the side to move of a game of tic-tac-toe.
fn outcome(board: &mut [u8], side: u8) -> i32 {
    let other = if side == b'x' { b'o' } else { b'x' };
    if LINES.iter().any(|line| line.iter().all(|&cell| board[cell] == other)) {
        return -1;
    }
    let mut best = None;
    for cell in 0..9 {
        if board[cell] == b'.' {
            board[cell] = side;
            best = best.max(Some(-outcome(board, other)));
            board[cell] = b'.';
        }
    }
    best.unwrap_or(0)
}

fn check_endgame(exercise: &Value) {
    let rows = exercise["position"]["rows"].as_array().expect("rows");
    let mut board: Vec<u8> =
        rows.iter().flat_map(|row| row.as_str().expect("a row").bytes()).collect();
    let first = exercise["position"]["to_move"] == "first";
    let (side, other) = if first { (b'x', b'o') } else { (b'o', b'x') };
    let moves = exercise["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), board.iter().filter(|&&cell| cell == b'.').count());
    for mv in moves {
        let name = mv["cell"].as_str().expect("a cell").as_bytes();
        let cell = usize::from(b'3' - name[1]) * 3 + usize::from(name[0] - b'a');
        board[cell] = side;
        let result = -outcome(&mut board, other);
        board[cell] = b'.';
        assert_eq!(
            i64::from(result),
            mv["score"].as_i64().expect("a score").signum(),
            "{exercise}"
        );
    }
}

#[test]
fn worksheets_have_right_answers_and_come_again() {
    let server = Server::start(&[]);
    for (branches, levels) in [(2, 2), (2, 5), (3, 2), (3, 3), (5, 2)] {
        for seed in [1, 2, 77] {
            let path = format!(
                "/api/v1/worksheet?count=24&branches={branches}&levels={levels}&seed={seed}"
            );
            let sheet = server.json(&path);
            assert_eq!(sheet, server.json(&path));
            let exercises = sheet["exercises"].as_array().expect("exercises");
            assert_eq!(exercises.len(), 24);
            for exercise in exercises {
                match exercise["kind"].as_str() {
                    Some("endgames") => check_endgame(exercise),
                    // Their answers are worked out again beside their maker.
                    Some("evaluation" | "counting") => {}
                    _ => check_tree(exercise, levels),
                }
            }
        }
    }
    // Whoever has the numbers on the sheet has the tree.
    let exercise = &server.json("/api/v1/worksheet?kinds=cuts&count=1&seed=5")["exercises"][0];
    let random = exercise["random"].as_str().expect("numbers");
    let grown = succeed(&["tree", "--random", random, "--json"], "");
    let grown: Value = serde_json::from_str(&grown).expect("JSON");
    assert_eq!((&grown["cut"], &grown["best"]), (&exercise["cut"], &exercise["best"]));
    // More exercises do not change the first ones.
    let few = server.json("/api/v1/worksheet?count=3&seed=9");
    let many = server.json("/api/v1/worksheet?count=9&seed=9");
    assert_eq!(few["exercises"][2], many["exercises"][2]);
}

#[test]
fn wrong_worksheets_and_runs_are_told_what_and_where() {
    let server = Server::start(&[]);
    for (path, status, place) in [
        ("/api/v1/worksheet?count=0", 400, "count"),
        ("/api/v1/worksheet?count=25", 400, "count"),
        ("/api/v1/worksheet?branches=1", 400, "branches"),
        ("/api/v1/worksheet?levels=6", 400, "levels"),
        ("/api/v1/worksheet?branches=5&levels=5", 400, "levels"),
        ("/api/v1/worksheet?kinds=values,riddles", 400, "kinds"),
        ("/api/v1/worksheet?seed=-1", 400, "seed"),
        ("/api/v1/lab?name=umbc-tables", 400, "name"),
        ("/api/v1/lab/nothing", 404, ""),
        ("/api/v1/lab/..%2f..%2fetc%2fpasswd", 404, ""),
        ("/lab/nothing", 404, ""),
        ("/lab/nothing/report", 404, ""),
        ("/lab/umbc-tables/nothing", 404, ""),
        ("/lab/umbc-tables/0.svg", 404, ""),
        ("/lab/umbc-tables/99.svg", 404, ""),
        ("/lab/umbc-tables/..%2f..%2f..%2fCargo.toml", 404, ""),
        ("/lab/%2e%2e/report", 404, ""),
        ("/lab/umbc-tables%00/report", 404, ""),
    ] {
        assert_eq!(server.refusal(path), (status, place.to_owned()), "{path}");
    }
}

/// What every file of a run may not do.
fn assert_harmless(head: &str) {
    let policy =
        head.lines().find(|line| line.starts_with("content-security-policy: ")).expect("a policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    assert!(head.contains("x-content-type-options: nosniff"), "{head}");
}

#[test]
fn runs_that_come_along_can_be_browsed() {
    let server = Server::start(&[]);
    let runs = server.json("/api/v1/lab")["runs"].clone();
    assert_eq!(runs.as_array().map(Vec::len), Some(10));
    for run in runs.as_array().expect("runs") {
        let name = run["name"].as_str().expect("a name");
        assert!(run["question"].as_str().is_some_and(|question| question.ends_with('?')), "{run}");
        assert!(
            run["finding"].is_string() && run["date"].is_string() && run["commit"].is_string(),
            "{run}"
        );
        let whole = server.json(&format!("/api/v1/lab/{name}"));
        assert_eq!(whole["finding"], run["finding"]);
        let (_, head, svg) = server.get(run["plot"]["address"].as_str().expect("an address"));
        assert_harmless(&head);
        roxmltree::Document::parse(&svg).expect("XML");
        for part in whole["parts"].as_array().expect("parts") {
            let columns = part["table"]["head"].as_array().map(Vec::len);
            assert!(columns > Some(0), "{name}");
            for row in part["table"]["rows"].as_array().expect("rows") {
                assert_eq!(row.as_array().map(Vec::len), columns, "{name}: {row}");
            }
        }
        let (status, head, _) = server.get(&format!("/lab/{name}"));
        assert!(status == 307 && head.contains(&format!("location: /lab?run={name}")), "{head}");
        let (status, head, report) = server.get(&format!("/lab/{name}/report"));
        assert_eq!(status, 200);
        assert_harmless(&head);
        assert!(report.starts_with("<!doctype html>") && !report.contains("<script"), "{name}");
        let (_, head, results) = server.get(&format!("/lab/{name}/results.csv"));
        assert!(head.contains("content-type: text/csv"), "{head}");
        let experiment = builtin::read(name, false).expect("it is built in").expect("sound");
        let kept = serde_json::from_str(builtin::results(name).expect("a summary")).expect("JSON");
        let (outcome, _) = recall(&experiment, &kept).expect("a run of it");
        assert_eq!(results, csv(&experiment, &outcome));
    }
}

#[test]
fn own_runs_are_shown_and_nothing_else_of_the_directory() {
    let directory = scratch("lab");
    let place = |name: &str| directory.join(name);
    let out = place("positions");
    let out = out.to_str().expect("UTF-8");
    let made = fourfold(&["lab", "run", "umbc-positions", "--quick", "--out", out], "");
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    fs::create_dir_all(place("mine")).expect("a directory");
    let own = concat!(
        r#"{"experiment":"mine","title":"Mine","question":"Why?","finding":"Because.","#,
        r#""date":"2026-01-02","parts":[]}"#
    );
    fs::write(place("mine/summary.json"), own).expect("written");
    let report = "<!doctype html><svg aria-label=\"a &lt; b\"><g/></svg>";
    fs::write(place("mine/report.html"), report).expect("written");
    fs::write(place("secret.txt"), "secret").expect("written");
    #[cfg(unix)]
    {
        let elsewhere = scratch("elsewhere");
        fs::create_dir_all(&elsewhere).expect("a directory");
        fs::write(elsewhere.join("summary.json"), own.replace("mine", "linked")).expect("written");
        std::os::unix::fs::symlink(&elsewhere, place("linked")).expect("a link");
        std::os::unix::fs::symlink(place("secret.txt"), place("mine/results.csv")).expect("a link");
    }
    let server = Server::start(&["--lab", directory.to_str().expect("UTF-8")]);
    let runs = server.json("/api/v1/lab")["runs"].clone();
    let names: Vec<&str> =
        runs.as_array().expect("runs").iter().filter_map(|run| run["name"].as_str()).collect();
    assert_eq!(names[..2], ["mine", "umbc-positions"]);
    assert_eq!((names.len(), names.contains(&"linked")), (11, false), "{names:?}");
    let quick = server.json("/api/v1/lab/umbc-positions");
    assert_eq!(quick["quick"], true);
    assert!(quick["parts"][0]["table"].is_object() && quick["finding"].is_null(), "{quick}");
    let mine = server.json("/api/v1/lab/mine");
    assert_eq!((&mine["finding"], &mine["question"]), (&"Because.".into(), &"Why?".into()));
    assert_eq!(mine["parts"][0]["plots"][0]["words"], "a < b");
    assert_eq!(server.get("/lab/mine/report").2, report);
    assert!(server.get("/lab/mine/1.svg").2.starts_with("<svg "));
    assert_eq!(server.get("/lab/mine/summary.json").2, own);
    for path in [
        "/lab/mine/results.csv",
        "/lab/mine/..%2fsecret.txt",
        "/lab/linked/report",
        "/lab/secret.txt/report",
    ] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    fs::write(place("mine/summary.json"), r#"{"experiment":"../mine"}"#).expect("written");
    let directory = directory.to_str().expect("UTF-8");
    for (path, message) in [
        (directory, "\"../mine\" cannot be part of an address"),
        (&format!("{directory}/nothing"), "cannot read the runs"),
        (&format!("{directory}/secret.txt"), "cannot read the runs"),
    ] {
        let refused = fourfold(&["serve", "--port", "0", "--lab", path], "");
        assert_ne!(refused.code, Some(0));
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
    fs::create_dir_all(place("empty")).expect("a directory");
    let refused = fourfold(&["serve", "--port", "0", "--lab", &format!("{directory}/empty")], "");
    assert!(refused.stderr.contains("0 runs"), "{}", refused.stderr);
}
