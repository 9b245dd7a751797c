//! What cargo cannot check: lower modules of the library do not know higher ones, and no source
//! file outgrows a reader. (The crates' own graph is cargo's to keep.)
//!
//! The sources are read line by line. Lines of comment are passed over; a path inside a string or
//! behind code counts, which at worst refuses too much. Paths that a macro makes are not seen.

use std::fs;
use std::path::Path;

/// The modules of the library from low to high. A module may use itself and what stands before it.
const ORDER: [&str; 13] = [
    "random", "bytes", "budget", "workers", "memory", "parts", "game", "score", "book", "eval",
    "search", "solver", "play",
];

/// Neighbours that must not know each other although one stands before the other.
const STRANGERS: [(&str, &str); 1] = [("solver", "search")];

/// No file is longer than this many lines.
const LONGEST: usize = 800;

/// What a path says after `start`, wherever it stands in a line.
fn paths<'a>(line: &'a str, start: &str) -> impl Iterator<Item = &'a str> {
    let whole_word =
        |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    let found: Vec<usize> =
        line.match_indices(start).map(|(at, _)| at).filter(|&at| whole_word(at)).collect();
    let length = start.len();
    found.into_iter().map(move |at| &line[at + length..])
}

/// Why a source may not stand where it does; `path` is relative to `src`.
fn faults(path: &str, source: &str) -> Vec<String> {
    let modules: Vec<&str> =
        path.trim_end_matches(".rs").split('/').filter(|part| *part != "mod").collect();
    if modules == ["lib"] {
        return Vec::new();
    }
    let rank = |name: &str| ORDER.iter().position(|module| *module == name);
    let Some(own) = rank(modules[0]) else {
        return vec![format!("{path}: give {} a place among {ORDER:?}", modules[0])];
    };
    let mut faults = Vec::new();
    // How many `super`s lead to the top of the crate: one more inside a module of the file, which
    // ends with a brace at the beginning of a line.
    let mut depth = modules.len();
    for (line, text) in
        source.lines().enumerate().filter(|(_, text)| !text.trim().starts_with("//"))
    {
        let mut fault = |what: String| faults.push(format!("{path}:{}: {what}", line + 1));
        if text == "}" {
            depth = modules.len();
        } else if text.starts_with("mod ") && text.ends_with('{') {
            depth += 1;
        }
        for start in ["crate::", "fourfold::"] {
            for rest in paths(text, start) {
                let used = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                match used.and_then(rank) {
                    None => fault("name a module of the crate, one for each path".to_owned()),
                    Some(used) if used > own || STRANGERS.contains(&(ORDER[own], ORDER[used])) => {
                        fault(format!("{} must not use {}", ORDER[own], ORDER[used]));
                    }
                    Some(_) => {}
                }
            }
        }
        let grouped = text.contains("{super::") || text.contains(", super::{");
        let climbs = paths(text, "super::").any(|rest| {
            1 + rest.split("super::").take_while(|part| part.is_empty()).count() >= depth
        });
        if climbs || grouped || text.contains("crate as ") {
            fault("write paths from the top of the crate with crate::".to_owned());
        }
    }
    faults
}

/// All sources below a directory, with their paths relative to it.
fn sources(root: &Path) -> Vec<(String, String)> {
    let (mut open, mut found) = (vec![root.to_owned()], Vec::new());
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory that can be read") {
            let path = entry.expect("a directory entry").path();
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or("");
            if path.is_dir() {
                open.push(path);
            } else if ["rs", "js", "css", "html", "py"].contains(&kind) {
                let name = path.strip_prefix(root).expect("a path below the root");
                let name = name.to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).expect("a text file")));
            }
        }
    }
    found
}

#[test]
fn lower_modules_do_not_know_higher_ones() {
    let library = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(library.iter().any(|(path, _)| path == "game/rules.rs"), "the sources were not found");
    let faults: Vec<String> =
        library.iter().flat_map(|(path, source)| faults(path, source)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_source_is_too_long() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The crates beside this one, where they lie there.
    for entry in fs::read_dir(own.parent().expect("a directory of crates")).expect("a directory") {
        let root = entry.expect("a directory entry").path();
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("fourfold") && root.join("src").is_dir() {
            for (path, source) in sources(&root.join("src")) {
                let lines = source.lines().count();
                assert!(lines <= LONGEST, "{name}/src/{path} has {lines} lines: look for the seam");
            }
        }
    }
}

#[test]
fn uses_of_higher_modules_are_found() {
    for (path, source, fault) in [
        ("game/board.rs", "use crate::search::Tree;", "1: game must not use search"),
        ("game/board.rs", "\n\nuse crate::eval;", "3: game must not use eval"),
        ("score.rs", "fn f() { crate::solver::solve() }", "1: score must not use solver"),
        ("book/file.rs", "use fourfold::solver::Solver;", "1: book must not use solver"),
        ("random.rs", "pub(in crate::game) fn f() {}", "1: random must not use game"),
        ("solver/table.rs", "use crate::search::Tree;", "1: solver must not use search"),
        ("search/root.rs", "use crate::solver::Solver;", "1: search must not use solver"),
        ("random.rs", "mod tests {\n    use crate::game::Rules;\n}", "2: random must not use game"),
        ("eval/mod.rs", "    () => { $crate::play::f() }", "1: eval must not use play"),
        ("eval/mod.rs", "use crate::Rules;", "1: name a module of the crate, one for each path"),
        ("eval/mod.rs", "use crate::*;", "1: name a module of the crate, one for each path"),
        (
            "eval/mod.rs",
            "use crate::{game::Side, play};",
            "1: name a module of the crate, one for each path",
        ),
        ("score.rs", "use super::solver;", "1: write paths from the top of the crate with crate::"),
        (
            "eval/a.rs",
            "use super::super::search;",
            "1: write paths from the top of the crate with crate::",
        ),
        (
            "eval/a.rs",
            "use super::{super::play};",
            "1: write paths from the top of the crate with crate::",
        ),
        (
            "eval/mod.rs",
            "use crate as all;",
            "1: write paths from the top of the crate with crate::",
        ),
        (
            "eval/mod.rs",
            "mod a {\n}\nuse super::play;",
            "3: write paths from the top of the crate with crate::",
        ),
    ] {
        assert_eq!(faults(path, source), [format!("{path}:{fault}")], "{source}");
    }
    assert_eq!(faults("helpers/strings.rs", "").len(), 1, "a module without a place");
}

#[test]
fn uses_of_lower_modules_are_fine() {
    for (path, source) in [
        ("lib.rs", "pub mod play; pub use play::Seat; use crate::search::Tree;"),
        ("game/board.rs", "use super::{Geometry, Word};\nuse crate::random::Random;"),
        ("game/notation/cells.rs", "use super::super::Rules;\nuse crate::game::play;"),
        ("game/board.rs", "//! See [`crate::search`].\n    // crate::play"),
        ("random.rs", "mod tests {\n    use super::play;\n}"),
        ("play/mod.rs", "use crate::search::Tree;\nuse crate::solver::Solver;"),
    ] {
        assert_eq!(faults(path, source), [""; 0], "{source}");
    }
}
