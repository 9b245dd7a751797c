//! Tells the crate which commit it is built from, where that is known, and hands it the summaries
//! that come with the experiments. Reads nothing outside the package but what Git answers.

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// Where the package lies in its own repository.
const PATH_IN_REPOSITORY: &str = "crates/fourfold-lab/";

/// What Git says, in one line; none if there is no Git, no repository, or an error.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim().to_owned())
}

/// The commit that is checked out, if the package lies in its own repository: a vendored or
/// unpacked copy must not be taken for a commit of the repository around it.
fn checked_out_commit() -> Option<String> {
    git(&["rev-parse", "--show-prefix"]).filter(|prefix| prefix == PATH_IN_REPOSITORY)?;
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short", "HEAD"])
}

/// The commit that `cargo package` noted in a package, shortened; none if the package has changes
/// that were not committed.
fn packaged_commit() -> Option<String> {
    let note = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    if note.contains("\"dirty\"") {
        return None;
    }
    let (_, rest) = note.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?.get(..7)?;
    commit.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| commit.to_owned())
}

/// JSON without the whitespace between its tokens.
fn compact(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let keep = |character: &char| {
        let kept = in_string || !character.is_ascii_whitespace();
        if *character == '"' && !escaped {
            in_string = !in_string;
        }
        escaped = *character == '\\' && !escaped;
        kept
    };
    json.chars().filter(keep).collect()
}

/// Copies the summary of each experiment's full run; an empty file where none is kept.
fn copy_summaries(out: &Path) -> io::Result<()> {
    println!("cargo:rerun-if-changed=experiments");
    println!("cargo:rerun-if-changed=results");
    for entry in fs::read_dir("experiments")? {
        let path = entry?.path();
        let Some(name) =
            path.file_stem().filter(|_| path.extension().is_some_and(|ext| ext == "toml"))
        else {
            continue;
        };
        let summary = Path::new("results").join(name).join("summary.json");
        let text = fs::read_to_string(&summary).unwrap_or_default();
        fs::write(out.join(name).with_extension("json"), compact(&text))?;
    }
    Ok(())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let commit = checked_out_commit().or_else(packaged_commit).unwrap_or_default();
    println!("cargo:rustc-env=FOURFOLD_COMMIT={commit}");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    copy_summaries(Path::new(&out)).expect("the summaries can be copied into OUT_DIR");
}
