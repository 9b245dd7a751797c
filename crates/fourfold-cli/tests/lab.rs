//! `fourfold lab` and `fourfold ablate`: runs that are killed go on, and every published experiment
//! comes out.

mod common;

use common::{fourfold, fourfold_with, scratch, succeed};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const EXPERIMENT: &str = r#"
title = "t"
question = "q?"
[[match]]
name = "games"
player = "lookahead:{depth}"
opponent = "naive"
begins = "turns"
games = 400
vary = { depth = [1, 3, 5] }
[[search]]
name = "searches"
positions = ["", "44", "4455", "123"]
depth = "{depth}"
switches = "alpha_beta={alpha_beta}"
agree = true
vary = { alpha_beta = ["off", "on"], depth = [3, 6] }
"#;

/// What a run measured, but for times.
fn untimed(out: &Path) -> Vec<String> {
    let table = fs::read_to_string(out.join("results.csv")).unwrap();
    table.lines().filter(|line| !line.contains(",time")).map(str::to_owned).collect()
}

#[test]
fn a_run_killed_at_twenty_random_moments_gives_the_same_results() {
    let (file, whole, out) = (scratch("kill.toml"), scratch("whole"), scratch("killed"));
    fs::write(&file, EXPERIMENT).unwrap();
    let start = std::time::Instant::now();
    let done =
        fourfold(&["lab", "run", file.to_str().unwrap(), "--out", whole.to_str().unwrap()], "");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let undisturbed = start.elapsed();
    let expected = untimed(&whole);
    let go = || {
        Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args([
                "lab",
                "run",
                file.to_str().unwrap(),
                "--resume",
                "--threads",
                "2",
                "--out",
                out.to_str().unwrap(),
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut random = fourfold::random::Random::new(11);
    let mut killed = 0;
    while killed < 20 {
        let mut child = go();
        // Somewhere in the run, a little at a time, so that most runs are killed several times.
        let moment = undisturbed.mul_f64(random.below(1000) as f64 / 4000.0);
        std::thread::sleep(moment.max(Duration::from_millis(1)));
        if child.try_wait().unwrap().is_some() {
            // It was quicker: that one is done, begin another.
            assert_eq!(untimed(&out), expected);
            fs::remove_dir_all(&out).unwrap();
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
    }
    assert!(go().wait().unwrap().success());
    assert_eq!(untimed(&out), expected);
    fs::remove_dir_all(whole).unwrap();
    fs::remove_dir_all(out).unwrap();
    fs::remove_file(file).unwrap();
}

/// The summary of an experiment below a directory.
fn summary(out: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(out.join(name).join("summary.json")).unwrap()).unwrap()
}

/// A metric of a cell.
fn metric(summary: &Value, cell: &str, metric: &str) -> f64 {
    let cells = summary["parts"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|part| part["cells"].as_array().unwrap());
    let found = cells.clone().find(|found| found["cell"] == cell);
    let found = found.unwrap_or_else(|| {
        panic!("no cell {cell:?} among {:?}", cells.map(|c| &c["cell"]).collect::<Vec<_>>())
    });
    found["metrics"][metric]["value"]
        .as_f64()
        .unwrap_or_else(|| panic!("{cell} has no {metric}: {found}"))
}

#[test]
fn all_experiments_run_and_facts_come_out() {
    let out = scratch("all");
    let done = fourfold(&["lab", "all", "--quick", "--out", out.to_str().unwrap()], "");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let names: Vec<String> = succeed(&["lab", "list"], "")
        .lines()
        .skip(1)
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(names.len(), 10);
    let index = fs::read_to_string(out.join("index.html")).unwrap();
    for name in &names {
        assert!(index.contains(&format!("{name}/report.html")), "{name}");
        for file in ["report.html", "results.csv", "journal.jsonl"] {
            assert!(out.join(name).join(file).exists(), "{name}/{file}");
        }
        let summary = summary(&out, name);
        for part in summary["parts"].as_array().unwrap() {
            assert_eq!(part["disagreements"], serde_json::json!([]), "{name}");
        }
        for key in ["seed", "command", "machine", "date", "version", "fingerprint"] {
            assert!(!summary[key].is_null(), "{name} has no {key}");
        }
    }

    let positions = summary(&out, "umbc-positions");
    let known = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275, 558_186];
    for (ply, count) in known.into_iter().enumerate() {
        assert_eq!(
            metric(&positions, &format!("positions: ply={ply}"), "positions"),
            f64::from(count),
            "ply {ply}"
        );
    }
    assert_eq!(metric(&positions, "positions: ply=6", "positions_so_far"), 22_100.0);
    for (ply, sequences) in [(7, 823_536.0), (8, 5_673_234.0), (9, 39_394_572.0)] {
        assert_eq!(metric(&positions, &format!("positions: ply={ply}"), "sequences"), sequences);
    }

    let lecture = summary(&out, "hkust-tictactoe");
    for (start, minimax, fresh) in [
        ("AI first", 549_945.0, 30_709.0),
        ("AI second, after a corner", 59_704.0, 4_089.0),
        ("AI second, after an edge", 63_904.0, 6_061.0),
        ("AI second, after the centre", 55_504.0, 6_138.0),
    ] {
        assert_eq!(
            metric(&lecture, &format!("calls: start={start}, search=minimax"), "calls"),
            minimax
        );
        let cell = format!("calls: start={start}, search=alpha-beta, fresh windows");
        assert_eq!(metric(&lecture, &cell, "calls"), fresh);
    }
    assert_eq!(
        metric(&lecture, "calls: start=AI first, search=alpha-beta, one window", "calls"),
        18_296.0
    );
    for (mv, value) in [("centre", 1.0), ("corner", -1.0), ("edge", -2.0)] {
        assert_eq!(metric(&lecture, &format!("open-lines: move={mv}"), "score_first"), value);
    }
    for opponent in ["minimax", "alpha-beta"] {
        for begins in ["naive begins", "the AI begins"] {
            let cell = format!("naive: opponent={opponent}, begins={begins}");
            assert_eq!(metric(&lecture, &cell, "wins"), 0.0, "nobody beats perfect play");
        }
    }

    let cases = summary(&out, "radboud-cases");
    for (players, board, n, depth, first, second) in [
        ("minimax – minimax", "4x2", 2, 2, 41.0, 29.0),
        ("minimax – minimax", "7x6", 2, 2, 404.0, 229.0),
        ("alpha-beta – alpha-beta", "7x6", 4, 2, 841.0, 649.0),
    ] {
        let cell = format!(
            "cases: players={players}, board={board}, n={n}, depth={depth}, code=as-published"
        );
        assert_eq!(metric(&cases, &cell, "first_evaluations"), first);
        assert_eq!(metric(&cases, &cell, "second_evaluations"), second);
    }
    for part in cases["parts"].as_array().unwrap() {
        for cell in
            part["cells"].as_array().unwrap().iter().filter(|cell| cell["at"]["code"] == "correct")
        {
            for fault in ["invalid", "unblocked"] {
                assert_eq!(cell["metrics"][fault]["value"], 0.0, "{}: {fault}", cell["cell"]);
            }
        }
    }

    let tables = summary(&out, "umbc-tables");
    assert_eq!(metric(&tables, "perfect", "turns"), 41.0);
    assert_eq!(metric(&tables, "perfect", "wins"), 1.0);
    let growth = summary(&out, "radboud-growth");
    assert_eq!(metric(&growth, "growth: search=minimax, depth=7", "leaves"), 823_536.0);
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn ablation_has_the_columns_of_the_slides() {
    let (file, out) = (scratch("positions.txt"), scratch("ablation"));
    let plot = scratch("ablation.svg");
    fs::write(&file, "empty\n44 # middle\n").unwrap();
    let arguments = [
        "ablate",
        "--positions",
        file.to_str().unwrap(),
        "--depth",
        "4",
        "--out",
        out.to_str().unwrap(),
        "--svg",
        plot.to_str().unwrap(),
    ];
    let done = fourfold(&arguments, "");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    // Eight bars, named as in the slides.
    let drawn = fs::read_to_string(&plot).unwrap();
    assert_eq!(drawn.matches("<rect class=\"mark\"").count(), 8, "{drawn}");
    assert!(drawn.contains(">000</text>") && drawn.contains(">111</text>"), "{drawn}");
    assert!(drawn.contains("alpha_beta, mid_col, early_win (1 is on)"), "{drawn}");
    fs::remove_file(&plot).unwrap();
    let table = fs::read_to_string(out.join("results.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines[0],
        "alpha_beta,mid_col,early_win,runtime_ms,config,nodes,evaluations,positions"
    );
    assert_eq!(lines.len(), 9);
    assert!(lines[1].starts_with("0,0,0,") && lines[8].starts_with("1,1,1,"));
    // Plain minimax on the first four plies of Connect Four: 1 + 7 + 49 + 343 + 2401 nodes, twice.
    assert!(lines[1].ends_with(",\"0,0,0\",5602,4802,2"), "{}", lines[1]);
    let again = fourfold(&arguments, "");
    assert_eq!(again.code, Some(1));
    assert!(
        again.stderr.contains("already holds a run; --resume continues it"),
        "{}",
        again.stderr
    );
    fs::remove_dir_all(&out).unwrap();
    fs::write(&file, "44\n48\n").unwrap();
    let refused = fourfold(&arguments, "");
    assert_eq!(refused.code, Some(3));
    let told = format!("{}:2: move 2: there is no column 8", file.display());
    assert!(refused.stderr.contains(&told), "{}", refused.stderr);
    let five = "alpha_beta,mid_col,early_win,killers,history";
    let many = [&arguments[..], &["--switches", five]].concat();
    let many = fourfold(&many, "");
    assert_eq!(many.code, Some(2));
    assert!(many.stderr.contains("a plot shows at most 4 switches, not 5"), "{}", many.stderr);
    let unknown = fourfold(
        &["ablate", "--positions", file.to_str().unwrap(), "-d", "4", "--switches", "mid_row"],
        "",
    );
    assert_eq!((unknown.code, unknown.stderr.contains("did you mean mid_col?")), (Some(2), true));
    fs::remove_file(file).unwrap();
}

#[test]
fn bad_input_is_refused_in_plain_words() {
    let (file, out) = (scratch("marked.txt"), scratch("refused"));
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let ablate = |positions: &str| {
        let positions = ["ablate", "--positions", positions, "-d", "2", "--repeats", "0"];
        fourfold(&[&positions[..], &["--switches", "mid_col", "--out", out]].concat(), "")
    };
    // A byte-order mark does not cost the first position.
    fs::write(file, "\u{feff}44\n").unwrap();
    let done = ablate(file);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let table = fs::read_to_string(Path::new(out).join("results.csv")).unwrap();
    assert!(table.lines().skip(1).all(|line| line.ends_with(",1")), "{table}");
    fs::remove_dir_all(out).unwrap();

    let endless = "/dev/zero is larger than 16 MiB, the most that is read";
    for refused in [ablate("/dev/zero"), fourfold(&["lab", "run", "/dev/zero"], "")] {
        assert_eq!((refused.code, refused.stderr.contains(endless)), (Some(3), true));
    }
    let many = ["lab", "run", "radboud-growth", "--quick", "--out", out, "--threads", "100000"];
    let many = fourfold(&many, "");
    assert_eq!(many.code, Some(2));
    let told = "the number of threads is from 1 to 512, not 100000";
    assert!(many.stderr.contains(told), "{}", many.stderr);
    fs::write(file, "{}").unwrap();
    let other = fourfold(&["lab", "diff", file, file], "");
    assert_eq!(other.code, Some(3));
    assert!(other.stderr.contains("this is not the summary.json of a run"), "{}", other.stderr);
    fs::remove_file(file).unwrap();
}

#[test]
fn an_experiment_of_ones_own_from_template_to_comparison() {
    let folder = scratch("own");
    fs::create_dir_all(&folder).unwrap();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let file = at("mine.toml");
    assert_eq!(fourfold(&["lab", "new", &file], "").code, Some(0));
    let there = fourfold(&["lab", "new", &file], "");
    assert_eq!((there.code, there.stderr.contains("already exists")), (Some(2), true));
    let games = at("games.jsonl");
    let run = |out: &str| {
        let arguments = ["lab", "run", &file, "--quick", "--out", out];
        // One of the runs keeps its games.
        let keep = if out == at("a") { &["--keep-games", &games][..] } else { &[] };
        let done = fourfold_with(&[("COLUMNS", "50")], &[&arguments, keep].concat(), "");
        let mut rules = done.stdout.lines().filter(|line| line.contains('─'));
        assert!(rules.all(|line| line.chars().count() <= 50), "{}", done.stdout);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert!(done.stdout.contains("Looking ahead against blocking"), "{}", done.stdout);
    };
    run(&at("a"));
    run(&at("b"));
    let kept = fs::read_to_string(&games).unwrap().lines().count();
    let shown = succeed(&["replay", &games, "--json"], "");
    assert!(kept > 10 && shown.lines().count() >= kept, "{kept} games, {shown}");
    let same = succeed(&["lab", "diff", &at("a"), &at("b")], "");
    assert!(same.starts_with("0 of "), "{same}");
    let text = fs::read_to_string(&file).unwrap().replace("\"naive\"", "\"perfect:nodes=20000\"");
    fs::write(&file, text).unwrap();
    run(&at("c"));
    let changed = succeed(&["lab", "diff", &at("a"), &at("c")], "");
    let fewer = |line: &str| line.starts_with("lookahead: depth=1 ") && line.contains(" wins ");
    assert!(changed.lines().any(fewer), "{changed}");

    let unknown = fourfold(&["lab", "run", "umbc-table"], "");
    assert_eq!(
        (unknown.code, unknown.stderr.contains("did you mean umbc-tables?")),
        (Some(2), true),
        "{}",
        unknown.stderr
    );
    fs::write(&file, "title = \"t\"\nquestion = \"q\"\n[[match]]\nnaem = \"x\"\n").unwrap();
    let refused = fourfold(&["lab", "run", &file], "");
    assert_eq!(refused.code, Some(3));
    assert!(refused.stderr.contains("mine.toml:3: match: name is missing"), "{}", refused.stderr);
    fs::remove_dir_all(folder).unwrap();
}
