//! Runs: the same results whatever the threads and interruptions, and nothing that takes for ever.

use fourfold::random::Random;
use fourfold_lab::{
    Experiment, Facts, Outcome, RunError, RunOptions, builtin, csv, recall, report, run, summary,
    write_results,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const TEXT: &str = r#"
title = "t"
question = "q?"
[[match]]
name = "games"
player = "lookahead:{depth}"
opponent = "naive"
begins = "turns"
games = 45
baseline = { depth = 1 }
show = ["wins", "wins_gain", "time"]
vary = { depth = [1, 2] }
[[match.plot]]
title = "Wins"
x = "depth"
y = ["wins", "draws", "losses"]
shape = "stack"
[[search]]
name = "searches"
positions = ["", "44", "4455"]
depth = "{depth}"
switches = "alpha_beta={alpha_beta}"
repeats = 1
alone = true
agree = true
baseline = { alpha_beta = "off" }
budget = 10_000_000
vary = { alpha_beta = ["off", "on"], depth = [2, 4, 9] }
[[search.plot]]
title = "Nodes <&>"
x = "depth"
y = "nodes"
lines = "alpha_beta"
log = true
fit = true
base = 7
[[count]]
name = "plies"
ply = "{ply}"
vary = { ply = [0, 3, 6] }
published = [{ at = { ply = 6 }, positions = 16422 }]
[[replica]]
name = "radboud"
game = "4x2c2"
code = "{code}"
first = "naive"
second = "minimax"
depth = 2
games = 9
vary = { code = ["as-published", "correct"] }
"#;

fn experiment() -> Experiment {
    Experiment::read("t.toml", TEXT, false, &|file| Err(format!("no {file}"))).unwrap()
}

fn directory(name: &str) -> PathBuf {
    let path =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn go(out: &Path, threads: usize, resume: bool) -> Result<Outcome, RunError> {
    let stop = Arc::new(AtomicBool::new(false));
    run(&experiment(), &RunOptions { out: out.to_owned(), threads, resume, stop }, |_| {})
}

/// Everything measured but times.
fn untimed(outcome: &Outcome) -> Vec<String> {
    let table = csv(&experiment(), outcome);
    table.lines().filter(|line| !line.contains(",time")).map(str::to_owned).collect()
}

#[test]
fn threads_do_not_change_results() {
    let one = directory("one");
    let first = untimed(&go(&one, 1, false).unwrap());
    assert!(first.len() > 60);
    for threads in [2, 5] {
        let out = directory("more");
        assert_eq!(untimed(&go(&out, threads, false).unwrap()), first);
        fs::remove_dir_all(out).unwrap();
    }
    fs::remove_dir_all(one).unwrap();
}

#[test]
fn a_journal_cut_anywhere_goes_on_to_the_same_results() {
    let out = directory("cut");
    let whole = untimed(&go(&out, 2, false).unwrap());
    let journal = out.join("journal.jsonl");
    let bytes = fs::read(&journal).unwrap();
    let mut random = Random::new(5);
    for _ in 0..20 {
        fs::write(&journal, &bytes[..random.below(bytes.len())]).unwrap();
        assert_eq!(untimed(&go(&out, 2, true).unwrap()), whole);
        // Nothing is there twice.
        let text: String = fs::read_to_string(&journal).unwrap();
        let text: String = text
            .lines()
            .filter(|line| !line.starts_with("{\"took\""))
            .map(|line| format!("{line}\n"))
            .collect();
        let mut blocks: Vec<&str> =
            text.lines().filter_map(|line| line.split(",\"items\"").next()).collect();
        let lines = blocks.len();
        blocks.sort_unstable();
        blocks.dedup();
        assert_eq!((blocks.len(), text.lines().count()), (lines, lines));
    }
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_stopped_run_says_how_far_it_came_and_goes_on() {
    let out = directory("stop");
    let stop = Arc::new(AtomicBool::new(false));
    let options =
        RunOptions { out: out.clone(), threads: 2, resume: false, stop: Arc::clone(&stop) };
    let error = run(&experiment(), &options, |progress| {
        if progress.done >= 10 {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .unwrap_err();
    let RunError::Stopped { done, total } = error else { panic!("{error}") };
    assert!(done >= 10 && done < total, "{done} of {total}");
    assert!(go(&out, 2, true).is_ok());
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn runs_are_not_mixed_up() {
    let out = directory("mixed");
    go(&out, 2, false).unwrap();
    let again = go(&out, 2, false).unwrap_err().to_string();
    assert!(
        again.ends_with("holds a run already: --resume goes on with it, --out names another place"),
        "{again}"
    );
    let other = Experiment::read(
        "t.toml",
        &TEXT.replace("games = 45", "games = 46"),
        false,
        &|_| unreachable!(),
    );
    let stop = Arc::new(AtomicBool::new(false));
    let options = RunOptions { out: out.clone(), threads: 1, resume: true, stop };
    let refused = run(&other.unwrap(), &options, |_| {}).unwrap_err().to_string();
    assert!(refused.contains("is of another run (the experiment has changed since)"), "{refused}");
    fs::write(out.join("journal.jsonl"), "no journal\n").unwrap();
    assert!(go(&out, 1, true).unwrap_err().to_string().contains("is of another run"));
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn what_takes_too_long_is_foretold_and_not_run() {
    let out = directory("budget");
    let outcome = go(&out, 2, false).unwrap();
    let experiment = experiment();
    let searches = experiment.parts.iter().position(|part| part.name == "searches").unwrap();
    for (cell, found) in experiment.parts[searches].cells.iter().zip(&outcome.parts[searches].cells)
    {
        let large = cell.key == "searches: alpha_beta=off, depth=9";
        assert_eq!(found.metrics.is_empty(), large, "{}", cell.key);
        if large {
            // Three positions of about 45 million nodes each.
            let foretold = found.too_large.unwrap();
            assert!((1e7..1e9).contains(&foretold), "{foretold}");
        }
    }
    assert_eq!(outcome.parts[searches].disagreements, [""; 0]);
    assert_eq!(outcome.parts[searches].compared, 6);
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn results_are_written_and_stand_alone() {
    let out = directory("written");
    let outcome = go(&out, 2, false).unwrap();
    let facts = Facts::gather("fourfold lab run t.toml".to_owned(), 2, 1.5);
    write_results(&out, &experiment(), &outcome, &facts).unwrap();
    let html = report(&experiment(), &outcome, &facts);
    assert_eq!(fs::read_to_string(out.join("report.html")).unwrap(), html);
    for outside in ["<script", "<link", "<img", "@import", "url("] {
        assert!(!html.contains(outside), "{outside} in the report");
    }
    // The only address is the name of the SVG language.
    assert_eq!(html.matches("http").count(), html.matches("http://www.w3.org/2000/svg").count());
    for name in ["games-1.svg", "searches-1.svg"] {
        let svg = fs::read_to_string(out.join(name)).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
    }
    let json = summary(&experiment(), &outcome, &facts);
    assert_eq!(json["command"], "fourfold lab run t.toml");
    let cell = &json["parts"][2]["cells"][2];
    assert_eq!(
        (cell["metrics"]["positions"]["value"].as_f64(), &cell["published"]["positions"]),
        (Some(16422.0), &"16422".into())
    );
    let read =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    let (outcome, facts) = recall(&experiment(), &read).unwrap();
    assert_eq!(report(&experiment(), &outcome, &facts), html);
    assert_eq!(csv(&experiment(), &outcome), fs::read_to_string(out.join("results.csv")).unwrap());
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn kept_runs_are_those_of_the_experiments() {
    for name in builtin::names() {
        let experiment = builtin::read(name, false).unwrap().unwrap();
        let read = serde_json::from_str(builtin::results(name).expect("a run is kept")).unwrap();
        let (outcome, _) = recall(&experiment, &read).unwrap();
        let kept =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/laboratory").join(name);
        assert_eq!(
            csv(&experiment, &outcome),
            fs::read_to_string(kept.join("results.csv")).unwrap(),
            "{name}"
        );
        let other = builtin::names().find(|other| *other != name).unwrap();
        let other = builtin::read(other, false).unwrap().unwrap();
        assert!(recall(&other, &read).unwrap_err().contains(name));
    }
    assert_eq!(builtin::results("nothing"), None);
    assert!(recall(&experiment(), &serde_json::Value::Null).is_err());
}
