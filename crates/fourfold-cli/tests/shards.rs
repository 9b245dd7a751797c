//! `fourfold shards`: pieces done by separate processes make what one process makes.

mod common;

use common::{Output, fourfold, fourfold_with, scratch};
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// A run that goes well.
fn succeed(args: &[&str], input: &str) -> Output {
    let output = fourfold(args, input);
    assert_eq!(output.code, Some(0), "{args:?}: {}", output.stderr);
    output
}

#[test]
fn a_book_is_planned_done_in_pieces_and_merged() {
    let dir = scratch("shards-book");
    fs::create_dir(&dir).unwrap();
    let (job, book, whole) = (dir.join("job"), dir.join("a.book"), dir.join("b.book"));
    let game = ["-g", "5x4c4", "-p", "4"];
    let plan = ["shards", "plan", "book", "--shards", "3", "-o", text(&job)];
    succeed(&[&plan[..], &game].concat(), "");
    let again = fourfold(&[&plan[..], &game].concat(), "");
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("is there already"), "{}", again.stderr);
    assert!(succeed(&["shards", "status", text(&job)], "").stdout.contains("missing: 0-2"));
    let early = fourfold(&["shards", "merge", text(&job), "-o", text(&book)], "");
    assert_eq!(early.code, Some(3));
    assert!(early.stderr.contains("shard 1 is missing"), "{}", early.stderr);
    assert!(!book.exists());
    succeed(&["shards", "run", text(&job), "--shard", "1"], "");
    let none = fourfold(&["shards", "run", text(&job)], "");
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("--shard"), "{}", none.stderr);
    let beyond = fourfold(&["shards", "run", text(&job), "--shard", "3"], "");
    assert!(beyond.stderr.contains("they are 0 to 2"), "{}", beyond.stderr);
    // Another machine, without this disk: only the manifest goes there, the shard comes back.
    let away = dir.join("away");
    fs::create_dir(&away).unwrap();
    fs::copy(job.join("manifest.json"), away.join("manifest.json")).unwrap();
    succeed(&["shards", "run", text(&away), "--shard", "2", "--threads", "1"], "");
    fs::copy(away.join("shard-000002.txt"), job.join("shard-000002.txt")).unwrap();
    // A damaged shard is done again.
    let damaged = job.join("shard-000001.txt");
    let found = fs::read_to_string(&damaged).unwrap();
    fs::write(&damaged, &found[..found.len() / 2]).unwrap();
    let status = succeed(&["shards", "status", text(&job), "--json"], "").stdout;
    assert!(status.contains("\"finished\":1,\"missing\":[0],\"bad\":[{\"shard\":1"), "{status}");
    succeed(&["shards", "run", text(&job), "--all"], "");
    assert_eq!(fs::read_to_string(&damaged).unwrap(), found);
    assert!(succeed(&["shards", "status", text(&job)], "").stdout.starts_with("3 of 3 "));
    succeed(&["shards", "merge", text(&job), "-o", text(&book)], "");
    succeed(&[&["book", "build", "-o", text(&whole)], &game[..]].concat(), "");
    assert_eq!(fs::read(&book).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn a_board_labels_and_a_tournament_come_out_as_from_the_ordinary_commands() {
    let dir = scratch("shards-others");
    fs::create_dir(&dir).unwrap();
    let path = |name: &str| dir.join(name);
    let all = |job: &str, out: &str| {
        succeed(&["shards", "run", text(&path(job)), "--all"], "");
        succeed(&["shards", "merge", text(&path(job)), "-o", text(&path(out))], "").stdout
    };
    let job = path("s");
    let board = ["-g", "4x4c4", "-p", "3", "--shards", "2", "-o", text(&job)];
    succeed(&[&["shards", "plan", "solve"], &board[..]].concat(), "");
    let told = all("s", "certificate.txt");
    assert!(told.starts_with("4x4c4: draw"), "{told}");
    let labels = ["-g", "5x4c4", "-n", "60", "--plies", "3..8", "--weak"];
    succeed(
        &[&["shards", "plan", "labels", "--shards", "4", "-o", text(&path("l"))], &labels[..]]
            .concat(),
        "",
    );
    all("l", "labels.txt");
    succeed(&[&["dataset", "labels", "-o", text(&path("one.txt"))], &labels[..]].concat(), "");
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("labels.txt"), read("one.txt"));
    let players = ["level:2", "naive", "-g", "5x4c4", "-n", "8", "--openings", "random"];
    succeed(
        &[&["shards", "plan", "tournament", "--shards", "3", "-o", text(&path("t"))], &players[..]]
            .concat(),
        "",
    );
    let told = all("t", "games.jsonl");
    assert!(told.contains("8 games in pairs") && told.contains("level:2"), "{told}");
    let timed = fourfold(
        &["shards", "plan", "tournament", "perfect:time=5", "naive", "-o", text(&path("x"))],
        "",
    );
    assert_eq!(timed.code, Some(2));
    assert!(timed.stderr.contains("same on every machine"), "{}", timed.stderr);
}

#[test]
fn a_number_comes_from_the_scheduler_and_a_full_disk_is_told() {
    let dir = scratch("shards-number");
    fs::create_dir(&dir).unwrap();
    let job = dir.join("job");
    succeed(
        &["shards", "plan", "book", "-g", "4x4c4", "-p", "3", "--shards", "2", "-o", text(&job)],
        "",
    );
    for (name, value, ok) in
        [("SLURM_ARRAY_TASK_ID", "0", true), ("HQ_TASK_ID", "1", true), ("HQ_TASK_ID", "x", false)]
    {
        let done = fourfold_with(&[(name, value)], &["shards", "run", text(&job)], "");
        assert_eq!(done.code == Some(0), ok, "{name}={value}: {}", done.stderr);
    }
    assert!(succeed(&["shards", "status", text(&job)], "").stdout.starts_with("2 of 2 "));
    let nowhere = dir.join("nowhere/at/all");
    let told = fourfold(&["shards", "run", text(&job), "--shard", "0", "-o", text(&nowhere)], "");
    assert_eq!(told.code, Some(1));
    assert!(told.stderr.contains("cannot write"), "{}", told.stderr);
}

/// A folder with the manifest of a small job.
fn planned(name: &str, kind: &[&str]) -> std::path::PathBuf {
    let dir = scratch(name);
    fs::create_dir(&dir).unwrap();
    let job = dir.join("job");
    succeed(&[&["shards", "plan"], kind, &["-o", text(&job)]].concat(), "");
    job
}

#[test]
fn another_program_is_refused_and_says_which_it_is() {
    let job = planned("shards-check", &["book", "-g", "4x4c4", "-p", "3", "--shards", "2"]);
    let fits = succeed(&["shards", "check", text(&job)], "").stdout;
    assert!(fits.starts_with("fourfold ") && fits.contains("can do these shards"), "{fits}");
    let json = succeed(&["shards", "check", text(&job), "--json"], "").stdout;
    let version = env!("CARGO_PKG_VERSION");
    assert!(json.contains(&format!("\"version\":\"{version}\"")), "{json}");
    let manifest = job.join("manifest.json");
    let planned = fs::read_to_string(&manifest).unwrap();
    for (change, to) in [(version, "9.9.9"), ("\"weights\": \"", "\"weights\": \"f")] {
        fs::write(&manifest, planned.replace(change, to)).unwrap();
        for command in
            [&["shards", "check", text(&job)][..], &["shards", "run", text(&job), "--all"]]
        {
            let refused = fourfold(command, "");
            assert_eq!(refused.code, Some(2), "{command:?}");
            assert!(refused.stderr.contains("the shards are for fourfold"), "{}", refused.stderr);
        }
    }
}

#[test]
fn memory_is_for_positions_and_changes_no_byte() {
    let job = planned("shards-memory", &["book", "-g", "5x4c4", "-p", "3", "--shards", "1"]);
    let file = job.join("shard-000000.txt");
    let mut found = Vec::new();
    for memory in ["1", "32M"] {
        succeed(&["shards", "run", text(&job), "--all", "--memory", memory], "");
        found.push(fs::read(&file).unwrap());
        fs::remove_file(&file).unwrap();
    }
    assert_eq!(found[0], found[1]);
    let labels = ["labels", "-g", "5x4c4", "-n", "20", "--plies", "3..8", "--shards", "1"];
    let job = planned("shards-memory-labels", &labels);
    let refused = fourfold(&["shards", "run", text(&job), "--all", "--memory", "64"], "");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("books and boards"), "{}", refused.stderr);
}

#[test]
fn an_attended_run_ends_with_its_input() {
    // A job that takes hours; the input is empty, so it ends at once.
    let job = planned("shards-attended", &["book", "-p", "7", "--shards", "1"]);
    let ended = fourfold(&["shards", "run", text(&job), "--all", "--attended"], "");
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("interrupted"), "{}", ended.stderr);
    assert!(!job.join("shard-000000.txt").exists());
}

#[test]
fn a_cluster_without_python_is_told() {
    let job = planned("shards-dask", &["book", "-g", "4x4c4", "-p", "3", "--shards", "2"]);
    let run = ["shards", "run", text(&job), "--all", "--dask", "tcp://127.0.0.1:9"];
    let told = fourfold_with(&[("FOURFOLD_PYTHON", "no-such-python")], &run, "");
    assert_eq!(told.code, Some(1));
    assert!(told.stderr.contains("no-such-python cannot be started"), "{}", told.stderr);
    // A program that takes any arguments and fails stands for a Python without the package.
    let told = fourfold_with(&[("FOURFOLD_PYTHON", "false")], &run, "");
    assert!(told.stderr.contains("pip install 'fourfold[distributed]'"), "{}", told.stderr);
    let alone = fourfold(&["shards", "run", text(&job), "--dask", "tcp://127.0.0.1:9"], "");
    assert_eq!(alone.code, Some(2));
}
