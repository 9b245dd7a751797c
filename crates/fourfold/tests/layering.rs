//! The direction of the design, checked: lower modules of the library do not know higher ones,
//! nothing in it prints, and no source file outgrows a reader.
//!
//! The sources are read as text and cut into tokens, so comments, doc examples and strings do not
//! count. What a macro or a re-export hides is not seen; `crate::Name` for anything but a module is
//! refused for that reason.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library from low to high. A module may use itself and what stands before it.
const ORDER: [&str; 11] = [
    "random", "budget", "workers", "memory", "game", "score", "book", "eval", "search", "solver",
    "play",
];

/// Neighbours that must not know each other although one stands before the other.
const STRANGERS: [(&str, &str); 1] = [("solver", "search")];

/// No file is longer than this many lines.
const LONGEST: usize = 800;

/// What writes to the terminal, which only front ends may do.
const PRINTERS: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];

/// A word or a sign of the source, and the line it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    text: String,
    line: usize,
}

/// Cuts Rust source into words, `::` and single signs. Comments, strings and character literals are
/// left out.
fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    while at < chars.len() {
        let start = at;
        let rest = &chars[at..];
        match rest {
            ['/', '/', ..] => at += rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => at += block_comment(rest),
            ['"', ..] => at += quoted(rest),
            ['\'', '\\', ..] => {
                // What follows the backslash is never the end.
                at +=
                    rest.iter().skip(3).position(|&c| c == '\'').map_or(rest.len(), |end| end + 4);
            }
            ['\'', _, '\'', ..] => at += 3,
            [':', ':', ..] => {
                found.push(Token { text: "::".to_owned(), line });
                at += 2;
            }
            [c, ..] if word(*c) => {
                at += rest.iter().position(|&c| !word(c)).unwrap_or(rest.len());
                let text: String = chars[start..at].iter().collect();
                match raw_string(&text, &chars[at..]) {
                    Some(length) => at += length,
                    None => found.push(Token { text, line }),
                }
            }
            [c, ..] => {
                if !c.is_whitespace() {
                    found.push(Token { text: c.to_string(), line });
                }
                at += 1;
            }
            [] => break,
        }
        at = at.min(chars.len());
        line += chars[start..at].iter().filter(|&&c| c == '\n').count();
    }
    found
}

/// The length of the block comment that `rest` opens with; they nest.
fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of the string that `rest` opens with, quotes included.
fn quoted(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// After `r`, `br` or `cr`: the length of the raw string that follows, if one does.
fn raw_string(prefix: &str, rest: &[char]) -> Option<usize> {
    let hashes = rest.iter().take_while(|&&c| c == '#').count();
    if !matches!(prefix, "r" | "br" | "cr") || rest.get(hashes) != Some(&'"') {
        return None;
    }
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let body = &rest[hashes + 1..];
    let length = body.windows(end.len()).position(|part| part == end).unwrap_or(body.len());
    Some(hashes + 1 + length + end.len())
}

/// The names at the top of the crate that the source refers to, by `crate::` or by enough
/// `super::`s.
///
/// `depth` is how many modules the file lies below the top of the crate: 1 for `game/mod.rs`.
fn top_names(tokens: &[Token], depth: usize) -> Vec<Token> {
    let mut found = Vec::new();
    // For each open brace, whether it is that of a module in the file.
    let mut braces = Vec::new();
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    for at in 0..tokens.len() {
        let inside = depth + braces.iter().filter(|&&is_module| is_module).count();
        let starts_path = at == 0 || text(at - 1) != "::";
        match (text(at), text(at + 1)) {
            ("{", _) => braces.push(at >= 2 && text(at - 2) == "mod"),
            ("}", _) => {
                braces.pop();
            }
            ("crate" | "fourfold", "::") if starts_path => follow(tokens, at + 2, 0, &mut found),
            ("crate", "as") => {
                found.push(Token { text: "crate".to_owned(), line: tokens[at].line });
            }
            ("super", "::") if starts_path => {
                follow(tokens, at + 2, inside.saturating_sub(1), &mut found);
            }
            ("self", "::") if starts_path => follow(tokens, at + 2, inside, &mut found),
            _ => {}
        }
    }
    found
}

/// Follows a path whose next part is looked up `above` modules below the top of the crate.
fn follow(tokens: &[Token], at: usize, above: usize, found: &mut Vec<Token>) {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    match (text(at), text(at + 1)) {
        ("super", "::") => follow(tokens, at + 2, above.saturating_sub(1), found),
        ("{", _) => {
            let (mut open, mut next) = (1, at + 1);
            let mut starts = true;
            while open > 0 && next < tokens.len() {
                if open == 1 && starts {
                    follow(tokens, next, above, found);
                }
                match text(next) {
                    "{" => open += 1,
                    "}" => open -= 1,
                    _ => {}
                }
                starts = open == 1 && text(next) == ",";
                next += 1;
            }
        }
        ("}" | "", _) => {}
        _ if above == 0 => found.push(tokens[at].clone()),
        _ => {}
    }
}

/// The module of the library that a file below `src` belongs to, and how deep it lies; none for
/// `lib.rs`.
fn module_of(path: &str) -> Option<(&str, usize)> {
    let parts: Vec<&str> =
        path.trim_end_matches(".rs").split('/').filter(|part| *part != "mod").collect();
    (parts != ["lib"]).then(|| (parts[0], parts.len()))
}

fn may_use(user: &str, used: &str) -> Option<bool> {
    let rank = |name: &str| ORDER.iter().position(|module| *module == name);
    Some(rank(used)? <= rank(user)? && !STRANGERS.contains(&(user, used)))
}

/// What is wrong with the directions of a library source; `path` is relative to `src`.
fn layering_faults(path: &str, source: &str) -> Vec<String> {
    let Some((module, depth)) = module_of(path) else { return Vec::new() };
    if !ORDER.contains(&module) {
        return vec![format!(
            "{path}: give {module} a place among the layers, from low to high {ORDER:?}"
        )];
    }
    let fault = |name: Token| {
        let (used, line) = (name.text, name.line);
        match may_use(module, &used) {
            Some(true) => None,
            Some(false) => Some(format!("{path}:{line}: {module} must not use {used}")),
            None => Some(format!(
                "{path}:{line}: {used} at the top of the crate is no layer; name its module"
            )),
        }
    };
    top_names(&tokens(source), depth).into_iter().filter_map(fault).collect()
}

/// Where a library source prints.
fn printing_faults(path: &str, source: &str) -> Vec<String> {
    let tokens = tokens(source);
    tokens
        .windows(2)
        .filter(|pair| PRINTERS.contains(&pair[0].text.as_str()) && pair[1].text == "!")
        .map(|pair| format!("{path}:{}: {}! in the library", pair[0].line, pair[0].text))
        .collect()
}

/// Whether a source is too long.
fn length_fault(path: &str, source: &str) -> Option<String> {
    let lines = source.lines().count();
    (lines > LONGEST)
        .then(|| format!("{path}: {lines} lines, more than {LONGEST}; look for the seam"))
}

/// All sources below a directory, sorted, with their paths relative to it.
fn sources(root: &Path) -> Vec<(String, String)> {
    let (mut open, mut found) = (vec![root.to_owned()], Vec::new());
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory that can be read") {
            let path = entry.expect("a directory entry").path();
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or("");
            if path.is_dir() {
                open.push(path);
            } else if ["rs", "js", "css", "html", "py"].contains(&kind) {
                let parts: Vec<String> = path
                    .strip_prefix(root)
                    .expect("a path below the root")
                    .iter()
                    .map(|part| part.to_string_lossy().into_owned())
                    .collect();
                found.push((parts.join("/"), fs::read_to_string(&path).expect("a text file")));
            }
        }
    }
    found.sort();
    found
}

fn library() -> Vec<(String, String)> {
    let found = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(found.iter().any(|(path, _)| path == "game/rules.rs"), "the sources were not found");
    found
}

#[test]
fn lower_layers_do_not_know_higher_ones() {
    let faults: Vec<String> =
        library().iter().flat_map(|(path, source)| layering_faults(path, source)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_libraries_do_not_print() {
    let laboratory = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fourfold-lab/src"));
    assert!(!laboratory.is_empty(), "the laboratory's sources were not found");
    let faults: Vec<String> = library()
        .iter()
        .chain(&laboratory)
        .flat_map(|(path, source)| printing_faults(path, source))
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The crates from low to high, each with those it builds on: the flow goes one way.
const CRATES: [(&str, &[&str]); 3] = [
    ("fourfold", &[]),
    ("fourfold-lab", &["fourfold"]),
    ("fourfold-cli", &["fourfold", "fourfold-lab"]),
];

#[test]
fn lower_crates_do_not_know_higher_ones() {
    let crates =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the directory of all crates");
    for (name, allowed) in CRATES {
        let manifest =
            fs::read_to_string(crates.join(name).join("Cargo.toml")).expect("a manifest");
        let used: Vec<&str> = manifest
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|word| CRATES.iter().any(|(known, _)| known == word))
            .collect();
        assert_eq!(used, allowed, "{name} uses other crates than it may");
    }
}

#[test]
fn no_source_is_too_long() {
    let crates =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the directory of all crates");
    let mut roots: Vec<PathBuf> = fs::read_dir(crates)
        .expect("a directory that can be read")
        .map(|entry| entry.expect("a directory entry").path().join("src"))
        .filter(|path| path.is_dir())
        .collect();
    roots.sort();
    assert!(!roots.is_empty());
    let faults: Vec<String> = roots
        .iter()
        .flat_map(|root| sources(root).into_iter().map(|(path, source)| (root.join(path), source)))
        .filter_map(|(path, source)| length_fault(&path.to_string_lossy(), &source))
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

// The checker itself, on made-up sources.

#[test]
fn a_use_of_a_higher_layer_is_found() {
    for (path, source, fault) in [
        ("game/board.rs", "use crate::search::Tree;", "game/board.rs:1: game must not use search"),
        ("game/board.rs", "\n\nuse crate::eval;", "game/board.rs:3: game must not use eval"),
        (
            "score.rs",
            "use crate::{game::Side, play::{self, Seat}};",
            "score.rs:1: score must not use play",
        ),
        ("score.rs", "fn f() { crate::solver::solve() }", "score.rs:1: score must not use solver"),
        ("score.rs", "use super::solver;", "score.rs:1: score must not use solver"),
        (
            "eval/windows.rs",
            "use super::super::search::Tree;",
            "eval/windows.rs:1: eval must not use search",
        ),
        (
            "eval/windows.rs",
            "use super::{Evaluator, super::play};",
            "eval/windows.rs:1: eval must not use play",
        ),
        (
            "eval/mod.rs",
            "mod a { mod b { use super::super::super::play; } }",
            "eval/mod.rs:1: eval must not use play",
        ),
        (
            "eval/mod.rs",
            "macro_rules! m { () => { $crate::play::f() } }",
            "eval/mod.rs:1: eval must not use play",
        ),
        (
            "book/file.rs",
            "use fourfold::solver::Solver;",
            "book/file.rs:1: book must not use solver",
        ),
        ("random.rs", "pub(in crate::game) fn f() {}", "random.rs:1: random must not use game"),
        (
            "random.rs",
            "#[cfg(test)] mod tests { use crate::game::Rules; }",
            "random.rs:1: random must not use game",
        ),
    ] {
        assert_eq!(layering_faults(path, source), [fault], "{source}");
    }
}

#[test]
fn search_and_solver_are_strangers() {
    let fault = |path: &str, source: &str| layering_faults(path, source).len();
    assert_eq!(fault("search/alphabeta.rs", "use crate::solver::Solver;"), 1);
    assert_eq!(fault("solver/table.rs", "use crate::search::Tree;"), 1);
    assert_eq!(fault("play/player.rs", "use crate::{search::Tree, solver::Solver};"), 0);
}

#[test]
fn what_is_no_layer_must_be_given_a_place_or_its_name() {
    assert_eq!(layering_faults("helpers.rs", "").len(), 1);
    assert_eq!(layering_faults("helpers/strings.rs", "").len(), 1);
    assert_eq!(
        layering_faults("eval/mod.rs", "use crate::Rules;"),
        ["eval/mod.rs:1: Rules at the top of the crate is no layer; name its module"]
    );
    assert_eq!(layering_faults("eval/mod.rs", "use crate::*;").len(), 1);
    assert_eq!(layering_faults("eval/mod.rs", "use crate::{game::*, *};").len(), 1);
    assert_eq!(layering_faults("eval/mod.rs", "use crate as all;").len(), 1);
}

#[test]
fn uses_downward_and_mere_mentions_are_fine() {
    for (path, source) in [
        ("lib.rs", "pub mod play; pub use play::Seat; use crate::search::Tree;"),
        ("game/board.rs", "use super::{Geometry, Position, Word}; use crate::random::Random;"),
        ("game/notation/mod.rs", "use super::super::random::Random; use super::play;"),
        ("game/board.rs", "impl Board { pub(crate) fn play(&self) {} }"),
        (
            "game/board.rs",
            "//! See [`crate::search`].\n/* crate::play /* crate::play */ */ // crate::play",
        ),
        ("game/board.rs", "const A: &str = \"use crate::play; \\\" crate::play\";"),
        ("game/board.rs", "const A: &str = r#\"use crate::play; \" crate::play\"#;"),
        (
            "game/board.rs",
            "fn f<'a>(a: &'a str) -> char { match a { _ => '\"' } } // \" crate::play",
        ),
        (
            "game/board.rs",
            "const A: [char; 4] = ['\\'', '\\\\', '\\u{41}', '/']; /* crate::play */",
        ),
        ("random.rs", "mod tests { use super::play; use self::play; }"),
        (
            "play/mod.rs",
            "use crate::{eval, game::{Rules, Side}, book, random, score, search, solver};",
        ),
        ("solver/mod.rs", "use crate::book::Book; use crate::game::{search, Board};"),
    ] {
        assert_eq!(layering_faults(path, source), [""; 0], "{source}");
    }
}

#[test]
fn printing_is_found_in_code_alone() {
    for source in [
        "println!(\"a\");",
        "eprintln!()",
        "fn f() { std::print!(\"a\") }",
        "eprint![]",
        "dbg! (1)",
    ] {
        assert_eq!(printing_faults("game/a.rs", source).len(), 1, "{source}");
    }
    for source in [
        "// println!()",
        "/// println!(\"a\");",
        "\"println!()\"",
        "fn print() {}",
        "self.print()",
        "pprintln!()",
    ] {
        assert_eq!(printing_faults("game/a.rs", source), [""; 0], "{source}");
    }
    assert_eq!(printing_faults("game/a.rs", "\n\n  dbg!(1)"), ["game/a.rs:3: dbg! in the library"]);
}

#[test]
fn length_is_counted_in_lines() {
    assert_eq!(length_fault("a.rs", &"\n".repeat(LONGEST)), None);
    assert!(length_fault("a.rs", &"\n".repeat(LONGEST + 1)).is_some());
}

#[test]
fn odd_endings_of_a_source_do_no_harm() {
    for source in [
        "", "\"", "\"\\", "'", "'\\", "'\\'", "/*", "/", "r#\"", "r#", "crate::", "crate::{",
        "super::", "mod {", "}}",
    ] {
        assert_eq!(layering_faults("game/a.rs", source), [""; 0], "{source}");
    }
}
