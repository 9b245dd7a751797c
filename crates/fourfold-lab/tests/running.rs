//! Runs: the same results whatever the threads and interruptions, and no run without end.

use fourfold::random::Random;
use fourfold::workers::Threads;
use fourfold_lab::{
    Experiment, JournalError, JournalMismatch, Outcome, Provenance, RunError, RunOptions, builtin,
    csv, recall, report, run, summary, write_results,
};
use serde_json::Value;
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
    let threads = Threads::new(threads).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let out = out.to_owned();
    run(&experiment(), &RunOptions { out, threads, resume, stop, keep_games: None }, |_| {})
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
fn a_journal_cut_anywhere_leads_to_the_same_results() {
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
fn a_stopped_run_says_how_far_it_got_and_can_be_resumed() {
    let out = directory("stop");
    let stop = Arc::new(AtomicBool::new(false));
    let options = RunOptions {
        out: out.clone(),
        threads: Threads::new(2).unwrap(),
        resume: false,
        stop: Arc::clone(&stop),
        keep_games: None,
    };
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

/// Why a journal that was found cannot be used.
fn mismatch(result: Result<Outcome, RunError>) -> JournalMismatch {
    match result.unwrap_err() {
        RunError::Journal(JournalError::Mismatch { why, .. }) => why,
        other => panic!("{other}"),
    }
}

#[test]
fn runs_are_not_mixed_up() {
    let out = directory("mixed");
    go(&out, 2, false).unwrap();
    let again = go(&out, 2, false).unwrap_err().to_string();
    assert!(again.ends_with("already holds a run"), "{again}");
    let resume = |name: &str, text: &str, quick: bool| {
        let other = Experiment::read(name, text, quick, &|_| unreachable!()).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let options = RunOptions {
            out: out.clone(),
            threads: Threads::ONE,
            resume: true,
            stop,
            keep_games: None,
        };
        mismatch(run(&other, &options, |_| {}))
    };
    let more = TEXT.replace("games = 45", "games = 46");
    assert_eq!(resume("t.toml", &more, false), JournalMismatch::Changed);
    assert_eq!(resume("t.toml", TEXT, true), JournalMismatch::QuickAndFull);
    let (found, wanted) = ("t".to_owned(), "other".to_owned());
    let other = resume("other.toml", TEXT, false);
    assert_eq!(other, JournalMismatch::OtherExperiment { found, wanted });

    // A journal of the time when fingerprints were made in another way.
    let journal = out.join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let fingerprint = format!("{:016x}", experiment().fingerprint);
    assert!(text.contains(&fingerprint));
    fs::write(&journal, text.replace(&fingerprint, "33ea12f4d970aabe")).unwrap();
    assert_eq!(mismatch(go(&out, 1, true)), JournalMismatch::Changed);
    let told = go(&out, 1, true).unwrap_err().to_string();
    let ending = "journal.jsonl does not belong to this run: the experiment has changed since";
    assert!(told.ends_with(ending), "{told}");

    for (line, text) in [(1, "no journal\n".to_owned()), (3, keep_lines(&text, 2) + "44\n")] {
        fs::write(&journal, text).unwrap();
        assert_eq!(mismatch(go(&out, 1, true)), JournalMismatch::Malformed { line });
    }
    fs::remove_dir_all(out).unwrap();
}

fn keep_lines(text: &str, count: usize) -> String {
    text.lines().take(count).map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_would_take_too_long_is_predicted_and_not_run() {
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
            let predicted = found.too_large.unwrap();
            assert!((1e7..1e9).contains(&predicted), "{predicted}");
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
    let provenance =
        Provenance::of_this_process("fourfold lab run t.toml".to_owned(), None, 2, 1.5);
    write_results(&out, &experiment(), &outcome, &provenance).unwrap();
    let html = report(&experiment(), &outcome, &provenance);
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
    let json = summary(&experiment(), &outcome, &provenance);
    assert_eq!(json["command"], "fourfold lab run t.toml");
    let cell = &json["parts"][2]["cells"][2];
    assert_eq!(
        (cell["metrics"]["positions"]["value"].as_f64(), &cell["published"]["positions"]),
        (Some(16422.0), &"16422".into())
    );
    let read =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    let (outcome, provenance) = recall(&experiment(), &read).unwrap();
    assert_eq!(report(&experiment(), &outcome, &provenance), html);
    assert_eq!(csv(&experiment(), &outcome), fs::read_to_string(out.join("results.csv")).unwrap());
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn kept_summaries_are_whole_and_of_the_experiments() {
    for name in builtin::names() {
        let experiment = builtin::read(name, false).unwrap().unwrap();
        let text = builtin::results(name).expect("a run is kept");
        let kept: Value = serde_json::from_str(text).unwrap();
        assert_eq!(kept["fingerprint"], format!("{:016x}", experiment.fingerprint), "{name}");
        let (outcome, provenance) = recall(&experiment, &kept).unwrap();
        // Reading a summary back loses nothing, so that tables and reports can be made from it.
        let again = summary(&experiment, &outcome, &provenance);
        let part = |value: &Value| [value["name"].clone(), value["cells"].clone()];
        let parts = |value: &Value| value["parts"].as_array().unwrap().iter().map(part).collect();
        let (again_parts, kept_parts): (Vec<_>, Vec<_>) = (parts(&again), parts(&kept));
        assert!(again_parts == kept_parts, "{name}: the cells differ");
        for key in ["command", "commit", "date", "machine", "seconds", "seed", "threads", "version"]
        {
            assert_eq!(again[key], kept[key], "{name}");
        }
        let other = builtin::names().find(|other| *other != name).unwrap();
        let other = builtin::read(other, false).unwrap().unwrap();
        assert!(recall(&other, &kept).unwrap_err().contains(name));
    }
    assert_eq!(builtin::results("nothing"), None);
    assert!(recall(&experiment(), &Value::Null).is_err());
}
