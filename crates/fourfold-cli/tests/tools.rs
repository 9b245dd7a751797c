//! `fourfold bench`, `completions`, `man`, and what all commands share.

mod common;

use common::{commands, fourfold, scratch, succeed};

/// The nodes of the fixed searches. A change that is meant to keep their behaviour keeps this
/// number; one that is not names the new one in its commit message.
const SIGNATURE: u64 = 30_747_332;

/// The nodes of the fixed positions that the exact solver solves; the same goes for it.
const SOLVER_SIGNATURE: u64 = 38_128;

#[test]
fn the_bench_signature_is_known() {
    let out = succeed(&["bench", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["signature"], SIGNATURE);
    assert_eq!(value["solver_signature"], SOLVER_SIGNATURE);
    assert!(
        value["searches"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["nodes_per_second"].as_f64().unwrap() > 0.0)
    );
}

#[test]
fn the_version_names_the_commit_and_the_target() {
    let short = succeed(&["-V"], "");
    assert_eq!(short.trim_end(), concat!("fourfold ", env!("CARGO_PKG_VERSION")));
    let long = succeed(&["--version"], "");
    let build =
        long.trim_end().strip_prefix(short.trim_end()).expect("it begins with the short form");
    let build = build.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')')).expect(build);
    assert!(build.split(", ").last().unwrap().contains(std::env::consts::ARCH), "{build}");
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    if git(&["ls-files", "--error-unmatch", "Cargo.toml"]) {
        let commit = build.strip_prefix("commit ").and_then(|rest| rest.split(", ").next());
        let commit = commit.expect(build);
        assert!(git(&["cat-file", "-e", &format!("{commit}^{{commit}}")]), "no commit {commit}");
    }
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(succeed(&["completions", shell], "").contains("fourfold"), "{shell}");
    }
    assert!(succeed(&["man"], "").contains(".TH fourfold 1"));
    let directory = scratch("man");
    succeed(&["man", "--out", directory.to_str().unwrap()], "");
    assert!(directory.join("fourfold-search.1").exists());
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for command in [
        "fourfold search -d 3 --json",
        "fourfold solve -g 4x4c4",
        "fourfold convert --to fen",
        "fourfold tree --depth 1",
    ] {
        let binary = env!("CARGO_BIN_EXE_fourfold");
        let command = command.replacen("fourfold", binary, 1);
        let script = format!(
            "yes '4' | head -n 20000 | {command} 2>&1 | head -n 1 >/dev/null; echo ${{PIPESTATUS[2]}}"
        );
        let out = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
        let code = String::from_utf8_lossy(&out.stdout).trim().to_owned();
        assert_eq!(code, "0", "{command}");
    }
}

#[test]
fn help_is_there_for_every_command() {
    let commands = commands();
    assert!(commands.len() >= 20, "{commands:?}");
    for command in &commands {
        let help = succeed(&[command, "--help"], "");
        assert!(help.contains(&format!("Usage: fourfold {command}")), "{command}");
        assert!(help.contains("Examples:"), "{command}");
    }
    assert_eq!(fourfold(&[], "").code, Some(2));
}
