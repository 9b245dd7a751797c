//! Tells the crate which commit it is built from, if Git knows, and hands it the results that come
//! with the experiments.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

/// JSON without the space between its signs.
fn compact(json: &str) -> String {
    let (mut in_text, mut escaped) = (false, false);
    let keep = |sign: &char| {
        let kept = in_text || !sign.is_ascii_whitespace();
        if *sign == '"' && !escaped {
            in_text = !in_text;
        }
        escaped = *sign == '\\' && !escaped;
        kept
    };
    json.chars().filter(keep).collect()
}

/// Copies the summary of each experiment's run; an empty file where there is none.
fn copy_results(out: &Path) -> std::io::Result<()> {
    let root = Path::new("../..");
    println!("cargo:rerun-if-changed={}", root.join("experiments").display());
    for entry in fs::read_dir(root.join("experiments"))? {
        let path = entry?.path();
        let Some(name) =
            path.file_stem().filter(|_| path.extension().is_some_and(|ext| ext == "toml"))
        else {
            continue;
        };
        let summary = root.join("results/laboratory").join(name).join("summary.json");
        println!("cargo:rerun-if-changed={}", summary.display());
        let text = fs::read_to_string(&summary).unwrap_or_default();
        fs::write(out.join(name).with_extension("json"), compact(&text))?;
    }
    Ok(())
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
    let out = env::var_os("OUT_DIR").expect("cargo says where");
    copy_results(Path::new(&out)).expect("the results can be copied");
}
