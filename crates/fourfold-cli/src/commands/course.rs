//! `fourfold course`: six lessons as files, in a folder that is there as a whole or not at all.

use crate::arguments::at_least;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::note;
use crate::progress::Bar;
use fourfold::budget::Budget;
use fourfold_lab::files::read_text;
use fourfold_teach::course::{Course, CourseError, CourseFile, MARKER, file_name};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

const HELP: &str = "\
Six lessons from paper to perfect play: teacher's notes, slides (pages that
print to PDF, with trees to step through), worksheets with keys, programming
exercises with starter code and hidden tests for 'fourfold check', notebooks
for otter-grader and nbgrader, and an activity on paper. Open index.html.

The file of students has one name a line; everybody gets worksheets of their
own. The same seed and names give the same bytes. A folder that was made by
this command is replaced as a whole, any other is left alone.

Examples:
  fourfold course --out course
  fourfold course --out course --seed 2027 --students names.txt";

/// Make a course on minimax and alpha-beta: notes, slides, worksheets, exercises, notebooks
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Folder to make
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Names of the students, one a line
    #[arg(long, value_name = "FILE")]
    students: Option<PathBuf>,
}

/// Students of a course, and characters of a name.
const MOST_STUDENTS: usize = 2000;
const LONGEST_NAME: usize = 60;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    check_free(&args.out)?;
    let students = args.students.as_deref().map_or(Ok(Vec::new()), students)?;
    let stop = interrupt::flag()?;
    let budget = Budget::unlimited().with_stop(stop.clone());
    let bar = Bar::new("lessons", 0);
    let course = Course { seed: args.seed, students };
    let made = course.files(&budget, |done, of| bar.set(done as u64, of as u64));
    bar.end();
    let files = made.map_err(|why| match why {
        CourseError::Sheet(why) => Failure::runtime(why),
        why => Failure::runtime(why),
    })?;
    let scratch = beside(&args.out, "part");
    let cannot =
        |why: io::Error| Failure::runtime(format!("cannot write {}: {why}", args.out.display()));
    let written = write_all(&scratch, &files, || stop.load(Ordering::Relaxed))
        .and_then(|()| put_in_place(&scratch, &args.out));
    if let Err(why) = written {
        let _ = fs::remove_dir_all(&scratch);
        return Err(cannot(why));
    }
    note(format!("{} files in {}; open index.html", files.len(), args.out.display()));
    Ok(())
}

/// Whether the folder can be made, or is a course that may be replaced.
fn check_free(out: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| {
        Err(Failure::usage(format!(
            "{} {why}: it is left alone; name another with --out",
            out.display()
        )))
    };
    if out.file_name().is_none() {
        return Err(Failure::usage(format!("--out {}: name a folder to make", out.display())));
    }
    match fs::symlink_metadata(out) {
        Err(_) => Ok(()),
        Ok(found) if !found.is_dir() => refuse("is there and is no folder"),
        Ok(_) => {
            let is_empty = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none());
            let marker = read_text(&out.join(MARKER)).unwrap_or_default();
            let is_ours = serde_json::from_str::<serde_json::Value>(&marker)
                .is_ok_and(|marker| marker["made_by"] == "fourfold course");
            if is_empty || is_ours { Ok(()) } else { refuse("is there and is no course") }
        }
    }
}

/// The names of a file, one a line.
fn students(path: &Path) -> Result<Vec<String>, Failure> {
    let text = read_text(path)?;
    let mut names: Vec<String> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, line) in text.lines().enumerate() {
        let name = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            continue;
        }
        let wrong = |what: String| {
            Err(Failure::invalid(format!("{}:{}: {what}", path.display(), index + 1)))
        };
        if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return wrong(format!("a name has at most {LONGEST_NAME} printable characters"));
        }
        // Some systems do not tell capitals from small letters.
        if let Some(before) = seen.insert(file_name(&name).to_lowercase(), index + 1) {
            return wrong(format!("{name:?} stands in line {before} already"));
        }
        names.push(name);
        if names.len() > MOST_STUDENTS {
            return wrong(format!("a course has at most {MOST_STUDENTS} students"));
        }
    }
    Ok(names)
}

/// A name beside the folder, hidden and of this process.
fn beside(out: &Path, what: &str) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!(".{name}.{what}-{}", std::process::id()))
}

fn write_all(folder: &Path, files: &[CourseFile], stopped: impl Fn() -> bool) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for file in files {
        if stopped() {
            return Err(io::Error::other("stopped"));
        }
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        let mut out = File::create(&path)?;
        out.write_all(file.text.as_bytes())?;
        out.sync_data()?;
    }
    Ok(())
}

/// Puts a finished folder where it belongs; what was there goes only then.
fn put_in_place(made: &Path, out: &Path) -> io::Result<()> {
    let old = beside(out, "old");
    let replaced = out.exists();
    if replaced {
        fs::rename(out, &old)?;
    }
    if let Err(why) = fs::rename(made, out) {
        if replaced {
            let _ = fs::rename(&old, out);
        }
        return Err(why);
    }
    if replaced {
        fs::remove_dir_all(&old)?;
    }
    Ok(())
}
