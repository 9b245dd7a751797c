//! Hands the crate the summaries that come with the experiments. Reads nothing outside the package.

use std::path::Path;
use std::{env, fs, io};

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
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    copy_summaries(Path::new(&out)).expect("the summaries can be copied into OUT_DIR");
}
