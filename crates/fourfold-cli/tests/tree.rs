//! `fourfold tree`, run as a person would run it.

use serde_json::Value;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

const SMALL: &str = "((9 8 7)(6 5 4)(3 2 1))";
const PRACTICE: &str = "((((8 9)(7 4))((6 7)(3 3)))(((8 9)(6 9))((1 4)(2 6))))";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourfold"));
    command.arg("tree").args(arguments).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

fn fourfold(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the binary runs")
}

fn with_stdin(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // A command that ends before it has read everything closes the pipe: not this side's trouble.
    let _ = child.stdin.take().expect("stdin is piped").write_all(input);
    child.wait_with_output().expect("the binary ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

fn stdout(arguments: &[&str]) -> String {
    let out = fourfold(arguments);
    assert!(out.status.success(), "{arguments:?}: {}", text(&out.stderr));
    text(&out.stdout)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--json"]].concat())).expect("one JSON object")
}

fn words(value: &Value) -> Vec<String> {
    let items = value.as_array().expect("an array").iter();
    items.map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect()
}

#[test]
fn the_small_tree_is_worth_seven() {
    for algorithm in ["alphabeta", "minimax"] {
        let answer = json(&[SMALL, "--algorithm", algorithm]);
        assert_eq!(answer["algorithm"], algorithm);
        assert_eq!((&answer["value"], &answer["best"]), (&7.into(), &"E-1".into()));
        assert_eq!(words(&answer["line"]), ["E-1", "E-6"]);
        assert_eq!((&answer["nodes_in_tree"], &answer["leaves_in_tree"]), (&13.into(), &9.into()));
        assert_eq!(answer["root"], "max");
        assert!(answer.get("steps").is_none());
        if algorithm == "minimax" {
            assert_eq!(words(&answer["visited"]), ["9", "8", "7", "6", "5", "4", "3", "2", "1"]);
            assert!(words(&answer["cut"]).is_empty());
            assert_eq!(answer["nodes"], 13);
        } else {
            assert_eq!(words(&answer["visited"]), ["9", "8", "7", "6", "3"]);
            assert_eq!(words(&answer["cut"]), ["E-8", "E-9", "E-11", "E-12"]);
            assert_eq!(answer["nodes"], 9);
        }
    }
    assert_eq!(
        json(&[SMALL]),
        json(&[SMALL, "--algorithm", "alphabeta"]),
        "alpha-beta is the default"
    );
}

#[test]
fn the_practice_problem_has_its_answer() {
    let answer = json(&[PRACTICE]);
    assert_eq!((&answer["value"], &answer["best"]), (&6.into(), &"E-1".into()));
    assert_eq!(words(&answer["cut"]), ["E-18", "E-22", "E-26", "E-28", "E-30"]);
    assert_eq!(json(&[PRACTICE, "--algorithm", "minimax"])["value"], 6);
}

#[test]
fn min_may_move_first() {
    let answer = json(&[SMALL, "--root", "min"]);
    assert_eq!(
        (&answer["value"], &answer["best"], &answer["root"]),
        (&3.into(), &"E-3".into(), &"min".into())
    );
    assert!(stdout(&[SMALL, "--root", "min"]).starts_with("▼ 3"));
}

#[test]
fn a_number_alone_is_a_tree() {
    let answer = json(&["-5"]);
    assert_eq!(
        (&answer["value"], &answer["best"], &answer["nodes"]),
        (&(-5).into(), &Value::Null, &1.into())
    );
    assert!(stdout(&["-5"]).starts_with("■ -5\n\nvalue    -5\nleaves   1 of 1 visited: -5\n"));
    stdout(&["7", "--svg", "-"]);
}

#[test]
fn the_drawing_shows_values_cuts_and_reasons() {
    let drawing = "\
▲ 7  α 7 | β +∞
├─→ E-1 ▼ 7  α −∞ | β 7
│   ├── E-4 ■ 9
│   ├── E-5 ■ 8
│   └─→ E-6 ■ 7
├── E-2 ▼ ≤6  α 7 | β 6
│   ├── E-7 ■ 6
│   ├─✂ E-8 ■ 5  cut: MIN has 6 here, MAX has 7 elsewhere
│   └─✂ E-9 ■ 4
└── E-3 ▼ ≤3  α 7 | β 3
    ├── E-10 ■ 3
    ├─✂ E-11 ■ 2  cut: MIN has 3 here, MAX has 7 elsewhere
    └─✂ E-12 ■ 1

value    7
best     E-1
line     E-1 → E-6
leaves   5 of 9 visited: 9 8 7 6 3
cut      4 edges: E-8 E-9 E-11 E-12
nodes    9 of 13 visited
";
    assert_eq!(stdout(&[SMALL]), drawing);
}

#[test]
fn ascii_is_ascii() {
    for arguments in [vec![SMALL], vec![SMALL, "--steps"], vec!["--random", "3,5,1"]] {
        let drawing = stdout(&[&arguments[..], &["--ascii"]].concat());
        assert!(drawing.is_ascii(), "{drawing}");
    }
    assert!(stdout(&[SMALL, "--ascii"]).contains("|   `-x E-9 = 4\n"));
}

#[test]
fn steps_are_told_one_by_one() {
    let steps = " 1  Start at the root: MAX to move.
 2  Go down E-1: MIN to move, with alpha −∞, beta +∞.
 3  E-3 is a leaf worth 3.
 4  3 comes up from E-3 to E-1: MIN's best there is now 3; alpha −∞, beta 3.
 5  E-4 is a leaf worth 5.
 6  5 comes up from E-4 to E-1: MIN's best there stays 3.
 7  E-1 is worth 3.
 8  3 comes up from E-1 to the root: MAX's best there is now 3; alpha 3, beta +∞.
 9  Go down E-2: MIN to move, with alpha 3, beta +∞.
10  E-5 is a leaf worth 2.
11  2 comes up from E-5 to E-2: MIN's best there is now 2; alpha 3, beta 2.
12  MIN already has 2 here, MAX has 3 elsewhere: the rest of this branch cannot matter, cut E-6 (an alpha cut).
13  E-2 is worth 2 or less.
14  2 comes up from E-2 to the root: MAX's best there stays 3.
15  The root is worth 3.

value    3
";
    let told = stdout(&["((3 5)(2 9))", "--steps"]);
    for (told, expected) in told.lines().zip(steps.lines()) {
        assert_eq!(told, expected);
    }
    assert!(told.starts_with(steps));
}

#[test]
fn steps_of_large_trees_end_with_how_to_see_the_rest() {
    let told = stdout(&["--random", "3,6,1", "--steps"]);
    assert_eq!(told.lines().take_while(|line| !line.starts_with('…')).count(), 200);
    let rest = told.lines().nth(200).expect("a line that tells of the rest");
    let all = rest.rsplit(' ').nth(2).expect("the number of all steps");
    let whole = stdout(&["--random", "3,6,1", "--steps", "--max-steps", all]);
    assert!(
        !whole.contains('…') || whole.lines().nth(200).is_some_and(|line| !line.starts_with('…'))
    );
    assert!(whole.contains(&format!("\n{all}  The root is worth")), "{rest}");
    let few = json(&["--random", "3,6,1", "--steps", "--max-steps", "5"]);
    assert_eq!(few["steps"].as_array().map(Vec::len), Some(5));
    assert_eq!(few["steps_in_all"].to_string(), all);
}

#[test]
fn steps_as_json_carry_their_sentences() {
    let answer = json(&[SMALL, "--steps"]);
    let steps = answer["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 23);
    assert_eq!(steps[0]["step"], "enter");
    assert_eq!(steps[0]["sentence"], "Start at the root: MAX to move.");
    assert_eq!(
        (&steps[13]["step"], words(&steps[13]["edges"])),
        (&"cut".into(), vec!["E-8".to_owned(), "E-9".to_owned()])
    );
    assert_eq!((&steps[13]["alpha"], &steps[13]["beta"]), (&7.into(), &6.into()));
}

#[test]
fn a_position_has_a_tree_too() {
    let arguments = ["--game", "tictactoe", "", "--depth", "2"];
    let answer = json(&arguments);
    assert_eq!(
        (&answer["value"], &answer["best_move"]),
        (&1.into(), &"b2".into()),
        "the centre is best"
    );
    assert_eq!((&answer["nodes_in_tree"], &answer["eval"]), (&82.into(), &"open-lines".into()));
    assert!(stdout(&arguments).contains("→ E-5 b2 ▼ 1"));
    let centre_first = json(&[&arguments[..], &["--mid-col"]].concat());
    assert_eq!((&centre_first["value"], &centre_first["best"]), (&1.into(), &"E-1".into()));
    assert!(centre_first["nodes"].as_u64() < answer["nodes"].as_u64());

    let arguments = ["--game", "tictactoe", "X.O/.X./XOO", "--depth", "9"];
    let answer = json(&arguments);
    assert_eq!(answer["verdict"], serde_json::json!({"result": "win", "plies": 1}));
    assert!(stdout(&arguments).contains("→ E-2 a2 ■ W7\n"));

    assert!(stdout(&["4453", "--depth", "1"]).contains(" E-1 col 1 "));
}

#[test]
fn a_tree_comes_from_standard_input() {
    let out = with_stdin(&["--json"], b"((9 8 7)\n (6 5 4)\n (3 2 1))\n");
    assert!(out.status.success());
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap(), json(&[SMALL]));
    let out = with_stdin(&[], b"((9 8 7)\n (6 x 4))\n");
    assert_eq!(out.status.code(), Some(3));
    assert!(text(&out.stderr).ends_with("\n   (6 x 4))\n      ^\n"), "{}", text(&out.stderr));
    assert_eq!(with_stdin(&[], b"").status.code(), Some(3));
    assert_eq!(with_stdin(&[], b"(1 \xff 2)").status.code(), Some(3));
}

#[test]
fn errors_point_and_have_their_exit_codes() {
    let out = fourfold(&["((9 8 7)(6 five 4))"]);
    assert_eq!(out.status.code(), Some(3));
    assert_eq!(
        text(&out.stderr),
        "fourfold: column 12: 'f' does not belong here: a tree has numbers, parentheses, spaces and commas\n  \
         ((9 8 7)(6 five 4))\n             ^\n"
    );
    let long = format!("({} x {})", "1 ".repeat(200), "2 ".repeat(200));
    let message = text(&fourfold(&[&long]).stderr);
    assert!(message.lines().skip(1).all(|line| line.chars().count() <= 80), "{message}");
    for (arguments, code) in [
        (&["(1 2"][..], 3),
        (&["()"], 3),
        (&["9", "--depth", "2"], 3),
        (&["4", "--game", "0x0c4"], 2),
        (&["--depth", "3", SMALL], 2),
        (&["--mid-col", "--random", "2,2,1"], 2),
        (&["--random", "3,4"], 2),
        (&["--random", "0,4,1"], 2),
        (&["--random", "1,1000000,1"], 2),
        (&["--random", "2,2,1", SMALL], 2),
        (&[SMALL, "--algorithm", "negamax"], 2),
        (&[SMALL, "--svg", "-", "--json"], 2),
        (&[SMALL, "--max-nodes", "0"], 2),
        (&["4", "--depth", "2", "--root", "min"], 2),
        (&["4", "--eval", "square"], 2),
        (&[SMALL, "--svg", "/nonexistent/tree.svg"], 1),
    ] {
        let out = fourfold(arguments);
        assert_eq!(out.status.code(), Some(code), "{arguments:?}: {}", text(&out.stderr));
        assert!(!out.stderr.is_empty() && out.stdout.is_empty());
    }
}

#[test]
fn a_large_tree_is_announced_before_it_is_built() {
    let out = fourfold(&["", "--depth", "6"]);
    assert_eq!(out.status.code(), Some(0));
    let told = text(&out.stderr).replace('\u{202f}', " ");
    assert_eq!(told, "");
    let out = fourfold(&["", "--depth", "7"]);
    let told = text(&out.stderr).replace('\u{202f}', " ");
    assert!(
        told.starts_with("fourfold: the tree has 960 793 nodes and takes ")
            && told.ends_with(" MiB\n"),
        "{told}"
    );
}

#[test]
fn a_tree_too_large_tells_what_it_needs() {
    for arguments in [&["--random", "10,9,1"][..], &["", "--depth", "8"]] {
        let out = fourfold(&[arguments, &["--memory", "16"]].concat());
        assert_eq!(out.status.code(), Some(1));
        let message = text(&out.stderr);
        assert!(message.contains("nodes and needs ") && message.contains(" MiB"), "{message}");
        assert!(message.contains("--memory"), "{message}");
    }
    let out = fourfold(&["--random", "60000,200,1"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
}

#[test]
fn large_trees_fold() {
    let drawing = stdout(&["--random", "4,6,1"]);
    let tree = drawing.split("\n\n").next().expect("the drawing");
    assert!(tree.lines().count() < 130, "{drawing}");
    assert!(drawing.contains(" nodes, "), "{drawing}");
    assert!(drawing.contains("of 5\u{202f}461 nodes drawn; --max-nodes draws more"));
    // The expected line is there to its end.
    assert_eq!(tree.lines().filter(|line| line.contains('→')).count(), 6, "{drawing}");
    // What is drawn and what is folded make the whole.
    let folded: u64 = tree
        .lines()
        .filter_map(|line| line.split_once("(+")?.1.split_once(" node"))
        .map(|(count, _)| count.replace('\u{202f}', "").parse::<u64>().expect("a number"))
        .sum();
    let drawn = tree.lines().filter(|line| line.contains(['▲', '▼', '■'])).count() as u64;
    assert_eq!(drawn + folded, 5461, "{drawing}");
    let wide = stdout(&[&format!("({})", "1 ".repeat(5000))]);
    assert!(wide.lines().count() < 80 && wide.contains("(+4\u{202f}941 nodes, visited)"), "{wide}");
}

#[test]
fn colour_is_for_terminals_or_on_demand() {
    assert!(!stdout(&[SMALL]).contains('\u{1b}'), "a pipe is no terminal");
    assert!(!stdout(&[SMALL, "--color", "never"]).contains('\u{1b}'));
    let coloured = stdout(&[SMALL, "--color", "always"]);
    assert!(coloured.contains("\u{1b}[1m→ E-1 \u{1b}[0m"));
    let out = command(&[SMALL, "--color", "auto"])
        .env("NO_COLOR", "1")
        .output()
        .expect("the binary runs");
    assert!(!text(&out.stdout).contains('\u{1b}'));
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = command(&["--random", "3,8,1", "--steps", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let mut message = String::new();
    child.stderr.take().expect("stderr is piped").read_to_string(&mut message).expect("UTF-8");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(message, "");
}

#[test]
fn svgs_are_well_formed_and_say_what_they_show() {
    for arguments in [
        &[SMALL][..],
        &[SMALL, "--algorithm", "minimax"],
        &[PRACTICE],
        &["--random", "3,4,1"],
        &["--random", "7,5,1", "--max-nodes", "1"],
        &["--game", "tictactoe", "", "--depth", "2"],
        &["4444", "--depth", "4"],
        &["((10000000 -10000000)(5))"],
    ] {
        let svg = stdout(&[arguments, &["--svg", "-"]].concat());
        let document =
            roxmltree::Document::parse(&svg).unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
        let root = document.root_element();
        assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
        for name in ["title", "desc", "style"] {
            assert!(
                root.children().any(|node| node.tag_name().name() == name),
                "{arguments:?}: no {name}"
            );
        }
        assert!(svg.contains("prefers-color-scheme:dark"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{arguments:?}");
        let outside = ["href", "url(", "@import", "<script", "<image"];
        assert!(!outside.iter().any(|sign| svg.contains(sign)), "it stands alone");
    }
    let svg = stdout(&[SMALL, "--svg", "-"]);
    assert_eq!(svg.matches("class=\"edge cut\"").count(), 4 + 1, "four cuts, and one in the key");
    assert_eq!(svg.matches("class=\"edge best\"").count(), 2 + 1);
    assert_eq!(svg, stdout(&[SMALL, "--svg", "-"]), "the same each time");
}

#[test]
fn an_svg_goes_to_its_file_and_the_summary_to_the_terminal() {
    let path = std::env::temp_dir().join(format!("fourfold-tree-{}.svg", std::process::id()));
    let name = path.to_str().expect("a path in UTF-8");
    let summary = stdout(&[SMALL, "--svg", name]);
    let written = std::fs::read_to_string(&path).expect("the file is there");
    std::fs::remove_file(&path).expect("it can go");
    assert_eq!(written, stdout(&[SMALL, "--svg", "-"]));
    assert!(
        summary.starts_with("value    7\n") && summary.ends_with(&format!("drawing  {name}\n"))
    );
}
