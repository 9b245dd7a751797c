//! Lists the files of `assets/` that pages are made of, so that a new one needs no entry anywhere.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("assets");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder of the pages")
        .map(|entry| entry.expect("an entry of it").file_name().to_string_lossy().into_owned())
        .filter(|name| [".js", ".css", ".html"].iter().any(|ending| name.ends_with(ending)))
        // The worker is served from the root, and the page from many paths.
        .filter(|name| !["worker.js", "index.html"].contains(&name.as_str()))
        .collect();
    names.sort();
    let lines: String = names
        .iter()
        .map(|name| format!("    ({name:?}, include_str!({:?})),\n", folder.join(name)))
        .collect();
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("files.rs");
    fs::write(out, format!("&[\n{lines}]\n")).expect("room for the list");
}
