//! `fourfold count`, run as a person would run it.

use std::process::{Command, Output};

fn fourfold(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .arg("count")
        .args(arguments)
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// The words of the row that begins with `name`, narrow spaces within numbers removed.
fn row(table: &str, name: &str) -> Vec<String> {
    let line = table.lines().find(|line| line.starts_with(name)).expect(name);
    line[name.len()..]
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| word.replace('\u{202f}', ""))
        .collect()
}

#[test]
fn tic_tac_toe_has_its_known_size() {
    let out = fourfold(&["--game", "tictactoe", "--plies", "9"]);
    assert!(out.status.success());
    assert_eq!(text(&out.stderr), "", "no progress of work that is soon done");
    let table = text(&out.stdout);
    assert!(table.starts_with("ply "), "{table}");
    assert_eq!(row(&table, "total"), ["549946", "255168", "5478", "765", "986410"]);
    assert_eq!(row(&table, "without ply 0"), ["549945", "255168", "5477", "764", "986409"]);
    assert_eq!(row(&table, "9 "), ["127872", "127872", "78", "5478", "15", "362880"]);
    assert!(table.contains("549\u{202f}946"), "digits are grouped\n{table}");
    assert_eq!(table.lines().count(), 2 + 10 + 2, "{table}");
}

#[test]
fn json_is_one_object_with_a_row_per_ply() {
    let out = fourfold(&["--plies", "7", "--threads", "2", "--json"]);
    assert!(out.status.success());
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(report["game"], "7x6c4");
    assert_eq!(report["complete"], true);
    let plies = report["plies"].as_array().unwrap();
    let positions: Vec<u64> = plies.iter().map(|row| row["positions"].as_u64().unwrap()).collect();
    assert_eq!(positions, [1, 7, 49, 238, 1120, 4263, 16422, 54859]);
    assert_eq!(plies[6]["cumulative_positions"], 22_100);
    assert_eq!(plies[7]["sequences"], 823_536);
    assert_eq!(plies[7]["finished_games"], 13_032);
    assert_eq!(plies[7]["up_to_symmetry"], 27_473);
    assert_eq!(plies[7]["sequences_at_most"], 823_543);
    assert_eq!(report["totals"]["positions"], 76_959);
    assert_eq!(report["totals_without_root"]["positions"], 76_958);
    assert_eq!(text(&out.stdout).lines().count(), 1);
}

#[test]
fn more_plies_than_cells_are_clamped_with_a_note() {
    let out = fourfold(&["-g", "4x2c2", "-n", "4000000000", "--json"]);
    assert!(out.status.success());
    assert_eq!(
        text(&out.stderr),
        "fourfold: a game of 4x2c2 has at most 8 plies; counting to ply 8\n"
    );
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(report["plies"].as_array().unwrap().len(), 9);
}

#[test]
fn too_little_memory_shows_what_was_counted_and_exits_with_1() {
    let out = fourfold(&["--plies", "20", "--memory", "1M", "--json"]);
    assert_eq!(out.status.code(), Some(1));
    let message = text(&out.stderr);
    assert!(
        message.starts_with("fourfold: counting ply 8 takes about 1.1 MiB of memory"),
        "{message}"
    );
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(report["complete"], false);
    assert_eq!(report["plies"].as_array().unwrap().len(), 8);
    let out = fourfold(&["--plies", "20", "--memory", "1"]);
    assert_eq!(row(&text(&out.stdout), "7 ")[0], "823536");
}

#[test]
fn nonsense_on_the_command_line_exits_with_2() {
    for (arguments, message) in [
        (&["--plies", "-1"][..], "-1"),
        (&["--plies", "many"], "many"),
        (&["--threads", "0"], "0"),
        (&["--threads", "100000"], "the number of threads is from 1 to 512, not 100000"),
        (&["--memory", "0"], "an amount of memory in MiB, or with a unit"),
        (&["--memory", "NaN"], "an amount of memory in MiB, or with a unit"),
        (&["--game", "7x6"], "is not a game"),
        (&["--game", "30x30c4"], "too large"),
        (&["--depth", "3"], "--depth"),
    ] {
        let out = fourfold(arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(text(&out.stderr).contains(message), "{arguments:?}: {}", text(&out.stderr));
        assert!(out.stdout.is_empty());
    }
}

#[test]
fn help_explains_the_columns() {
    let help = text(&fourfold(&["--help"]).stdout);
    for word in ["A ply is one move", "up to symmetry", "--memory", "Examples:", "tictactoe"] {
        assert!(help.contains(word), "{word}\n{help}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_the_finished_plies_and_exits_with_1() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    // Without a limit in reach this would run for minutes.
    let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(["count", "--plies", "30", "--threads", "1", "--memory", "2G", "--json"])
        .env("FOURFOLD_PROGRESS", "0")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
    let started = told.by_ref().any(|line| line.unwrap().starts_with("fourfold: ply 6"));
    assert!(started, "it reports every step");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let last = told.last().unwrap().unwrap();
    assert!(last.starts_with("fourfold: stopped while ply "), "{last}");
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(report["complete"], false);
    assert_eq!(report["plies"][3]["positions"], 238);
}
