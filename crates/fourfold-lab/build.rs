//! Tells the crate which commit it is built from, if Git knows.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    println!(
        "cargo:rustc-env=FOURFOLD_COMMIT={}",
        git(&["rev-parse", "--short", "HEAD"]).unwrap_or_default()
    );
}
