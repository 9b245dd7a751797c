//! What the documents show is what the command prints.
//!
//! Every block of `README.md` and `docs/*.md` that is fenced as `console` is replayed: each line
//! that starts with `$ ` is a command, the lines after it are what it prints (messages included).
//! Commands that do not run `fourfold` are passed over. A line `...` stands for any lines. To write
//! the output into the documents instead, set `FOURFOLD_UPDATE_DOCS`; examples with `...` are left
//! to be mended by hand.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command and what it is said to print.
struct Example {
    /// The line of the command, from 0.
    line: usize,
    command: String,
    expected: Vec<String>,
}

fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md"));
    paths.sort();
    paths
}

fn examples(document: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut in_block = false;
    for (line, content) in document.lines().enumerate() {
        if content.starts_with("```") {
            in_block = !in_block && content.trim_end() == "```console";
        } else if !in_block {
        } else if let Some(command) = content.strip_prefix("$ ") {
            examples.push(Example { line, command: command.to_owned(), expected: Vec::new() });
        } else if let Some(example) = examples.last_mut() {
            example.expected.push(content.to_owned());
        }
    }
    examples.retain(|example| {
        example.command.split('|').any(|part| part.trim().starts_with("fourfold "))
    });
    examples
}

/// What a command prints, run by the shell in a folder of its own.
fn run(command: &str, folder: &Path) -> Vec<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_fourfold")).parent().expect("it lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", binary.display()))
        .env("LC_ALL", "C.UTF-8")
        .env("FOURFOLD_PROGRESS", "off")
        .env_remove("COLUMNS")
        .output()
        .expect("the shell runs");
    let printed = String::from_utf8(output.stdout).expect("output is UTF-8");
    printed.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Whether lines are as expected, where `...` stands for any.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed.first() == Some(first) && matches(rest, &printed[1..]),
    }
}

#[test]
fn documents_show_what_the_command_prints() {
    let folder = std::env::temp_dir().join(format!("fourfold-docs-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder to run in");
    let update = std::env::var_os("FOURFOLD_UPDATE_DOCS").is_some();
    let mut faults = Vec::new();
    for path in documents() {
        let document = fs::read_to_string(&path).expect("the document can be read");
        let mut lines: Vec<String> = document.lines().map(str::to_owned).collect();
        // From the back, so that the lines of the others stay where they are.
        for Example { line, command, expected } in examples(&document).into_iter().rev() {
            let printed = run(&command, &folder);
            let expected: Vec<String> =
                expected.iter().map(|line| line.trim_end().to_owned()).collect();
            if matches(&expected, &printed) {
                continue;
            }
            if update && !expected.iter().any(|line| line == "...") {
                lines.splice(line + 1..line + 1 + expected.len(), printed);
            } else {
                let (expected, printed) = (expected.join("\n"), printed.join("\n"));
                let place = format!("{}:{}", path.display(), line + 1);
                faults.push(format!(
                    "{place}: $ {command}\nshown:\n{expected}\nprinted:\n{printed}\n"
                ));
            }
        }
        if update {
            fs::write(&path, lines.join("\n") + "\n").expect("the document can be written");
        }
    }
    fs::remove_dir_all(&folder).expect("the folder can go");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn examples_are_found_and_compared() {
    let document = "```console\n$ fourfold a\nx\n\ny\n$ ls\nz\n$ echo 1 | fourfold b\n```\n\n```text\n$ fourfold c\n```\n";
    let found: Vec<(usize, String, usize)> = examples(document)
        .into_iter()
        .map(|example| (example.line, example.command, example.expected.len()))
        .collect();
    assert_eq!(found, [(1, "fourfold a".to_owned(), 3), (7, "echo 1 | fourfold b".to_owned(), 0)]);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a\n...\nd"), &lines("a\nb\nc\nd")));
    assert!(matches(&lines("a\n..."), &lines("a")));
    assert!(!matches(&lines("a\n...\nd"), &lines("a\nb\nc")));
    assert!(!matches(&lines("a"), &lines("a\nb")));
}
