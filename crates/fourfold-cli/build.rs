//! Tells the command what it is built from, for `fourfold --version` and for the laboratory's
//! results: the commit, its date and the target.
//!
//! Nothing here asks the clock, so the same sources give the same binary. Where neither Git nor
//! `cargo package` knows the commit, it is left out.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Where the package lies in Fourfold's repository.
const PATH_IN_REPOSITORY: &str = "crates/fourfold-cli/";

/// The first second of the year 10000; later dates have no usual form.
const YEAR_10000: u64 = 253_402_300_800;

/// What Git prints, without its final newline; none if there is no Git or it reports an error.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim_end().to_owned())
}

/// The commit that is checked out, shortened, and its date in seconds since 1970. None unless the
/// checkout is Fourfold's own: a vendored copy must not be taken for a commit of the repository
/// around it.
fn checked_out() -> Option<(String, u64)> {
    git(&["rev-parse", "--show-prefix"]).filter(|prefix| prefix == PATH_IN_REPOSITORY)?;
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    let head = git(&["log", "-1", "--abbrev=7", "--format=%h %ct"])?;
    let (commit, seconds) = head.split_once(' ')?;
    Some((commit.to_owned(), seconds.parse().ok()?))
}

/// The commit that `cargo package` recorded in the package, shortened; none if the package was made
/// with changes that were not committed.
fn packaged() -> Option<String> {
    let record = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    if record.contains("\"dirty\"") {
        return None;
    }
    let (_, rest) = record.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?.get(..7)?;
    commit.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| commit.to_owned())
}

/// The day (UTC) of a number of seconds since 1970, as `2026-11-15`.
fn date(seconds: u64) -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, seconds / 86_400);
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for days in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SOURCE_DATE_EPOCH");
    let (commit, committed) = checked_out().unzip();
    let commit = commit.or_else(packaged);
    println!("cargo:rustc-env=FOURFOLD_COMMIT={}", commit.as_deref().unwrap_or_default());
    let chosen = env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let day = chosen.or(committed).filter(|seconds| *seconds < YEAR_10000).map(date);
    let target = env::var("TARGET").expect("cargo sets TARGET");

    let commit = commit.map(|commit| format!("commit {commit}"));
    let parts: Vec<String> = [commit, day, Some(target)].into_iter().flatten().collect();
    println!("cargo:rustc-env=FOURFOLD_BUILD={}", parts.join(", "));
}
