//! The programs of a command line: which there are, and how each is started.

use crate::failure::Failure;
use crate::output::excerpt;
use crate::process::{Heard, Process, Streams, TICK};
use fourfold_lab::files::read_bytes;
use fourfold_teach::templates::SHIM;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// A program that was found.
#[derive(Debug)]
pub(in crate::commands) struct Found {
    /// Whose it is.
    pub(in crate::commands) name: String,
    /// The file or folder.
    pub(in crate::commands) path: PathBuf,
    /// The command that starts it, if it was given.
    run: Option<Vec<String>>,
}

/// A program that can be started.
#[derive(Debug)]
pub(in crate::commands) struct Ready {
    pub(in crate::commands) words: Vec<String>,
    pub(in crate::commands) folder: PathBuf,
    /// What was compiled for it; removed in the end.
    _scratch: Option<Scratch>,
}

/// The programs of these paths.
pub(in crate::commands) fn find(
    paths: &[PathBuf],
    run: Option<&str>,
) -> Result<Vec<Found>, Failure> {
    let words: Option<Vec<String>> =
        run.map(|run| run.split_whitespace().map(str::to_owned).collect());
    if words.as_ref().is_some_and(Vec::is_empty) {
        return Err(Failure::usage("--run needs a command"));
    }
    let mut found = Vec::new();
    let one = |path: PathBuf| {
        let name = path.file_stem().or(path.file_name()).unwrap_or(path.as_os_str());
        Found { name: name.to_string_lossy().into_owned(), path: path.clone(), run: words.clone() }
    };
    if let (true, Some(run)) = (paths.is_empty(), run) {
        found.push(Found { name: excerpt(run), ..one(PathBuf::from(".")) });
    } else if paths.is_empty() {
        return Err(Failure::usage("name a program or a folder of programs, or give --run"));
    }
    for path in paths {
        let cannot = |why| Failure::runtime(format!("cannot read {}: {why}", path.display()));
        if !fs::metadata(path).map_err(cannot)?.is_dir() {
            found.push(one(path.clone()));
            continue;
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(path).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with(['.', '_']) {
                entries.push(entry.path());
            }
        }
        entries.sort();
        found.extend(entries.into_iter().map(one));
    }
    if found.is_empty() {
        return Err(Failure::usage("there is no program in that folder"));
    }
    // Two files may differ in their endings only.
    let names: Vec<String> = found.iter().map(|found| found.name.clone()).collect();
    for found in &mut found {
        if names.iter().filter(|name| **name == found.name).count() > 1 {
            found.name = found.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
    }
    Ok(found)
}

/// Names of the file that a folder's program begins in.
const MAINS: [&str; 2] = ["main", "search"];
/// The most of a file that is looked at.
const MAX_SOURCE: u64 = 16 << 20;

impl Found {
    /// How it is started, for people.
    pub(in crate::commands) fn shown(&self) -> String {
        match &self.run {
            Some(words) => words.join(" "),
            None => self.path.display().to_string(),
        }
    }

    /// Every file of the program, in order.
    pub(in crate::commands) fn files(&self) -> Vec<PathBuf> {
        if self.path == Path::new(".") { Vec::new() } else { files_below(&self.path, 0) }
    }

    /// Whether it is a whole player: then the word that answers in the engine protocol is in it.
    pub(in crate::commands) fn is_engine(&self) -> bool {
        let has = |bytes: &[u8]| bytes.windows(8).any(|word| word == b"bestmove");
        self.files().iter().any(|file| read_bytes(file, MAX_SOURCE).is_ok_and(|bytes| has(&bytes)))
    }

    /// A hash (64-bit FNV-1a) of the setting, of how it is started and of every file of it; none if
    /// it has no files, or one that cannot be read.
    pub(in crate::commands) fn fingerprint(&self, setting: &str) -> Option<String> {
        let files = self.files();
        if files.is_empty() {
            return None;
        }
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |bytes: &[u8]| {
            for &byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        };
        add(setting.as_bytes());
        add(self.shown().as_bytes());
        for file in files {
            add(file.to_string_lossy().as_bytes());
            add(&read_bytes(&file, MAX_SOURCE).ok()?);
        }
        Some(format!("{hash:016x}"))
    }

    /// Makes it ready to be started: chooses the command, compiles what must be.
    pub(in crate::commands) fn ready(
        &self,
        patience: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<Ready, String> {
        let path = fs::canonicalize(&self.path).map_err(|why| format!("cannot be read: {why}"))?;
        let parent = path.parent().unwrap_or(Path::new("/")).to_owned();
        let folder = if path.is_dir() { path.clone() } else { parent };
        if let Some(words) = &self.run {
            let place = path.display().to_string();
            let words = words.iter().map(|word| word.replace("{}", &place)).collect();
            return Ok(Ready { words, folder, _scratch: None });
        }
        let file = if path.is_dir() { main_file(&path)? } else { path };
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let place = file.display().to_string();
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect();
        let plain = |list: &[&str]| {
            Ok(Ready { words: words(list), folder: folder.clone(), _scratch: None })
        };
        match ending.to_ascii_lowercase().as_str() {
            "py" if has_functions(&file) => plain(&["python3", "-B", "-c", SHIM, &place]),
            "py" => plain(&["python3", "-B", &place]),
            "js" | "mjs" | "cjs" => plain(&["node", &place]),
            "java" => plain(&["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", &place]),
            "cpp" | "cc" | "cxx" | "c" => {
                let scratch = Scratch::new()?;
                let program = scratch.0.join("program").display().to_string();
                let compiler = if ending == "c" { "gcc" } else { "g++" };
                let standard = if ending == "c" { "-std=c17" } else { "-std=c++17" };
                let quiet = ["-w", "-fno-diagnostics-show-caret"];
                let line = [compiler, standard, "-O1", quiet[0], quiet[1], "-o", &program, &place];
                compile(&words(&line), &folder, patience, stop)?;
                let words = words(&[&program]);
                Ok(Ready { words, folder, _scratch: Some(scratch) })
            }
            _ if is_program(&file) => plain(&[&place]),
            _ => Err(format!(
                "{} is no program that can be started. Write it in Python, JavaScript, Java or \
                 C++, or say with --run how to start it.",
                file.file_name().unwrap_or_default().to_string_lossy()
            )),
        }
    }
}

fn files_below(path: &Path, depth: usize) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else { return vec![path.to_owned()] };
    if depth > 8 {
        return Vec::new();
    }
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| files_below(path, depth + 1)).collect()
}

/// The file that the program of a folder begins in: the only one, or the one called main or
/// search.
fn main_file(folder: &Path) -> Result<PathBuf, String> {
    let known = ["py", "js", "mjs", "cjs", "java", "cpp", "cc", "cxx", "c"];
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|why| format!("cannot be read: {why}"))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
            known.contains(&ending.to_ascii_lowercase().as_str())
        })
        .collect();
    files.sort();
    let stem = |path: &PathBuf| {
        path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default()
    };
    let main = MAINS.iter().find_map(|name| files.iter().find(|path| stem(path) == *name));
    match (main, &files[..]) {
        (Some(main), _) => Ok(main.clone()),
        (None, [only]) => Ok(only.clone()),
        (None, []) => Err("there is no program in the folder".to_owned()),
        (None, _) => Err("there are several programs in the folder: call the one to start main, \
                          or say with --run how to start it"
            .to_owned()),
    }
}

/// Whether a Python file has the functions of the lighter contract and does not read questions
/// itself.
fn has_functions(file: &Path) -> bool {
    let Ok(bytes) = read_bytes(file, MAX_SOURCE) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let starts = ["def minimax(", "def alphabeta(", "def best_move("];
    let defines = text.lines().any(|line| starts.iter().any(|start| line.starts_with(start)));
    defines && !text.contains("stdin") && !text.contains("input(")
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "exe" || ending == "bat")
}

/// A folder for what is compiled.
#[derive(Debug)]
struct Scratch(PathBuf);

static SCRATCHES: AtomicU64 = AtomicU64::new(0);

impl Scratch {
    fn new() -> Result<Self, String> {
        let number = SCRATCHES.fetch_add(1, Ordering::Relaxed);
        let name = format!("fourfold-check-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).map_err(|why| format!("cannot make a folder: {why}"))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a compiler to its end.
fn compile(
    words: &[String],
    folder: &Path,
    patience: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<(), String> {
    let streams = Streams { folder: Some(folder), keeps_errors: true, farewell: None };
    let mut process = Process::start(words, streams)?;
    let deadline = Instant::now() + patience;
    loop {
        if Instant::now() >= deadline || stop.load(Ordering::Relaxed) {
            return Err("the compiler did not end in time".to_owned());
        }
        match process.heard.recv_timeout(TICK) {
            Ok(Heard::End | Heard::TooLong) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(Heard::Line(_)) | Err(RecvTimeoutError::Timeout) => {}
        }
    }
    match process.ending() {
        Some(status) if status.success() => Ok(()),
        _ => {
            let why = process.last_error().unwrap_or_default();
            Err(format!("it cannot be compiled: {}", excerpt(&why)))
        }
    }
}
