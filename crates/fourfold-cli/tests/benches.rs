//! `fourfold bench peers`, `growth`, `ablation` and `service`, and what Ctrl-C leaves of long work.

mod common;

use common::{fourfold, scratch, succeed};
use serde_json::Value;
use std::fs;

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

/// `fourfold solve` answers as a peer does. On another board than 7x6 no other peer takes part.
#[test]
fn solvers_are_compared_on_the_same_positions() {
    let with = format!("self={} solve -g 8x5c4", env!("CARGO_BIN_EXE_fourfold"));
    let args = ["bench", "peers", "-g", "8x5c4", "--count", "2", "--with", &with];
    let table = succeed(&args, "");
    assert!(table.starts_with("file") && table.contains("times ours"), "{table}");
    assert_eq!(table.lines().filter(|line| line.contains(" self ")).count(), 6, "{table}");
    let rows = objects(&succeed(&[&args[..], &["--json"]].concat(), ""));
    assert_eq!(rows.len(), 12, "six files, two programs");
    for (index, row) in rows.iter().enumerate() {
        assert_eq!((&row["positions"], &row["mismatches"]), (&2.into(), &0.into()), "{row}");
        let ours = index % 2 == 0;
        assert_eq!(row["program"], if ours { "fourfold" } else { "self" });
        assert_eq!(row["nodes_per_position"].is_null(), !ours, "the other does not tell: {row}");
        assert!(
            row["mean_ms"].as_f64() > Some(0.0) && row["times_ours"].as_f64() > Some(0.0),
            "{row}"
        );
    }
}

#[test]
fn a_peer_that_fails_is_named() {
    let file = scratch("peers.txt");
    fs::write(&file, "4455 15\n1212121 -14\n").unwrap();
    let path = file.to_str().unwrap();
    let wrong = scratch("wrong.sh");
    fs::write(&wrong, "while read -r moves; do echo \"$moves 3 17 1000\"; done\n").unwrap();
    let wrong = format!("wrong=sh {}", wrong.display());
    for (with, code, part) in [
        ("x=/nonexistent/solver", 1, "cannot start /nonexistent/solver"),
        ("x=true", 1, "peers.txt:1: it ended without an answer"),
        ("x=cat", 1, "peers.txt:1: '4455' is no answer to '4455'"),
        (wrong.as_str(), 1, "peers.txt:1: wrong says 3, not 15"),
        ("x", 2, "write NAME=COMMAND"),
    ] {
        let out = fourfold(&["bench", "peers", "-g", "6x6c4", path, "--with", with], "");
        assert_eq!(out.code, Some(code), "{with}: {}", out.stderr);
        assert!(out.stderr.contains(part), "{with}: {}", out.stderr);
    }
    let out = fourfold(&["bench", "peers", "-g", "6x6c4"], "");
    assert_eq!(out.code, Some(2), "there are no sets of it: {}", out.stderr);
    fs::remove_file(file).unwrap();
}

#[test]
fn growth_is_kept_and_goes_on() {
    let (csv, svg) = (scratch("growth.csv"), scratch("growth.svg"));
    let files = ["--out", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let run = |args: &[&str]| succeed(&[&["bench", "growth"], args, &files].concat(), "");
    assert!(run(&["4x4", "5x4c4"]).contains("4x4       16      0    draw"));
    let first = fs::read_to_string(&csv).unwrap();
    // A limit leaves what is proven; a board that is solved is not solved again.
    let table = run(&["4x4", "6x5", "--nodes", "1000"]);
    assert!(table.contains("not solved") && table.contains(" to "), "{table}");
    let second = fs::read_to_string(&csv).unwrap();
    assert!(
        second.starts_with(&first) && second.lines().count() == first.lines().count() + 1,
        "{second}"
    );
    assert!(fs::read_to_string(&svg).unwrap().contains("6x5, not solved"));
    let rows = objects(&run(&["6x5", "--json"]));
    assert_eq!((&rows[2]["game"], &rows[2]["result"]), (&"6x5c4".into(), &"draw".into()));
    assert_eq!((&rows[2]["lower"], &rows[2]["upper"]), (&0.into(), &0.into()));
    assert_eq!(succeed(&["bench", "growth", "--cells", "20", "--csv"], "").lines().count(), 4);
    fs::write(&csv, "nonsense\n").unwrap();
    let out = fourfold(&["bench", "growth", "4x4", "--out", csv.to_str().unwrap()], "");
    assert_eq!(out.code, Some(3), "{}", out.stderr);
    for wrong in [&["8"][..], &["8x6s2"], &["--time", "20x"], &["4x4", "--cells", "20"]] {
        assert_eq!(
            fourfold(&[&["bench", "growth"], wrong].concat(), "").code,
            Some(2),
            "{wrong:?}"
        );
    }
    fs::remove_file(csv).unwrap();
    fs::remove_file(svg).unwrap();
}

/// Ctrl-C as soon as the command watches for it, in the middle of positions that would take hours.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_leaves_what_is_found() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    let file = scratch("hours.txt");
    fs::write(&file, "1234554321 0\n 0\n").unwrap();
    let hours = ["-g", "9x9c4", "--memory", "1"];
    let path = file.to_str().unwrap();
    for (args, told, kept) in [
        (
            &["positions", "--plies", "0", "--nodes", "1000000000000"][..],
            "interrupted: found 0 of 100",
            "",
        ),
        (&["bench", "positions", path], "interrupted at ", "file"),
        (&["bench", "peers", path], "interrupted at ", "file"),
    ] {
        let child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(args)
            .args(hours)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let id = child.id();
        let watches = || {
            let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            caught.is_some_and(|mask| {
                u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 2 != 0)
            })
        };
        while !watches() {
            sleep(Duration::from_millis(2));
        }
        Command::new("kill").args(["-INT", &id.to_string()]).status().unwrap();
        let out = child.wait_with_output().unwrap();
        let (stdout, stderr) =
            (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert_eq!(out.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains(told) && stdout.starts_with(kept), "{args:?}: {stdout}{stderr}");
    }
    fs::remove_file(file).unwrap();
}

#[test]
fn a_server_under_load_loses_nothing() {
    let output = fourfold(
        &[
            "bench",
            "service",
            "--seconds",
            "1",
            "--connections",
            "60",
            "--positions",
            "3",
            "--games",
            "5",
            "--watchers",
            "20",
            "--json",
        ],
        "",
    );
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let parts = objects(&output.stdout);
    let names: Vec<&str> = parts.iter().filter_map(|part| part["part"].as_str()).collect();
    assert_eq!(
        names,
        [
            "book",
            "moves",
            "exact",
            "flood",
            "health in the flood",
            "live moves",
            "live events",
            "kept after kill -9"
        ]
    );
    for part in &parts {
        assert_eq!(part["lost"], 0, "{part}");
        assert!(part["answered"].as_u64() > Some(0), "{part}");
        assert_eq!(part["refused"].as_u64() > Some(0), part["part"] == "flood", "{part}");
    }
}

/// Every idea of the solver has a row, and a run continues where it was.
#[test]
fn ablations_are_measured_row_by_row_and_kept() {
    let file = scratch("ablation.csv");
    let name = file.display().to_string();
    let args = ["bench", "ablation", "-g", "5x4c4", "--plies", "3..6", "--count", "4"];
    let keeping = [&args[..], &["--out", &name]].concat();
    let table = succeed(&keeping, "");
    let kept = std::fs::read_to_string(&file).expect("it is there");
    for row in ["nothing", "claimeven", "enhanced-cutoffs", "symmetry", "claimeven, odd-threat"] {
        assert!(table.lines().any(|line| line.trim_start().starts_with(row)), "{row}\n{table}");
    }
    // As after a kill: the first rows only. The rest is measured again, the same.
    let first: String = kept.lines().take(3).flat_map(|line| [line, "\n"]).collect();
    std::fs::write(&file, first).expect("room for it");
    assert_eq!(succeed(&keeping, ""), table);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), kept);
    let markdown = succeed(&[&args[..], &["--markdown"]].concat(), "");
    assert!(markdown.starts_with("| left out | 4 positions | times |"), "{markdown}");
    let other = fourfold(&[&keeping[..], &["--seed", "3"]].concat(), "");
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("made by another version or with other options"));
    std::fs::write(&file, "moves,score\n").expect("room for it");
    assert_eq!(fourfold(&keeping, "").code, Some(3));
    let limited = succeed(&[&args[..], &["--nodes", "20"]].concat(), "");
    assert!(limited.contains("> "), "{limited}");
    std::fs::remove_file(&file).expect("it is there");
}
