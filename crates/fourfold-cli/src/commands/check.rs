//! `fourfold check`: students' programs asked, diagnosed and graded.

mod journal;
pub(super) mod program;
pub(super) mod submission;

use crate::arguments::{at_least, mebibytes, milliseconds};
use crate::failure::Failure;
use crate::input::{GameArg, threads_or_all};
use crate::interrupt;
use crate::output::{self, Paint, note};
use crate::progress::Bar;
use fourfold::game::{Rules, Shape};
use fourfold::workers::{Threads, share_out};
use fourfold_lab::files::{read_text, write_whole};
use fourfold_teach::grade::{Grade, PartGrade, Standing};
use fourfold_teach::player::{PlayerExercise, PlayerFault, PlayerPart};
use fourfold_teach::report::{self, Submission};
use fourfold_teach::{Exercise, Fault, Part, Rubric, SearchPart, confusion, suite, templates};
use journal::Journal;
use program::{Limits, Runner};
use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use submission::Found;

const HELP: &str = "\
A program reads one question a line and answers with a line, both in JSON;
docs/teaching.md describes them, --template prints programs to start from. A
Python file with functions minimax(tree), alphabeta(tree) or
best_move(board, depth) is asked through them. Python, JavaScript, Java, C++
and whatever can be run are started by themselves, anything else by --run.

A folder is a class: every file and every folder in it is a program of its
own. Programs run with your rights: limits of time, memory and output keep
mistakes in check, but this is no sandbox for hostile code.

A program that contains the word bestmove is a whole player: it is asked for
moves in the engine protocol (docs/engine.md).

Parts: minimax-trees, alphabeta-trees, minimax-positions, alphabeta-positions;
of whole players player-moves, player-tactics, player-lookahead

Exit codes: 0 everything right, 1 something not, 2 wrong usage

Examples:
  fourfold check --template python > search.py
  fourfold check search.py
  fourfold check submissions --html pages --csv grades.csv --journal class.log
  fourfold check --run 'java -cp out Main' --parts alphabeta-trees
  fourfold check --template engine > player.py
  fourfold check --faults";

/// Grade students' searches and players, and name their mistakes
///
/// Asks a program for the values of trees and positions, finds the known mistake that explains its
/// answers, and shows the smallest question that goes wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Programs, or folders of programs
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Start programs by this command, in their folder; {} stands for the path
    #[arg(long, value_name = "COMMAND")]
    run: Option<String>,

    /// Parts to grade, separated by commas [default: those that the program does]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_parser = part)]
    parts: Vec<Part>,

    /// Points and partial credit, a TOML file
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,

    /// Ignore the leaves that programs say they visit
    #[arg(long)]
    values_only: bool,

    #[command(flatten)]
    game: GameArg,

    /// Random seed of the questions; another than 1 takes some seconds
    #[arg(long, short, default_value_t = suite::STANDARD_SEED, value_name = "SEED")]
    #[arg(value_parser = at_least(0u64))]
    seed: u64,

    /// Time for an answer; the first may take four times as long
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = milliseconds)]
    time: u64,

    /// Time for a program in all
    #[arg(long, default_value = "2m", value_name = "TIME", value_parser = milliseconds)]
    total: u64,

    /// Resident memory of a program (looked at on Linux only)
    #[arg(long, default_value = "1G", value_name = "SIZE", value_parser = mebibytes)]
    memory: u32,

    /// Programs to grade at once [default: one per processor]
    #[arg(long, short, value_name = "N")]
    threads: Option<Threads>,

    /// Keep results in this file, and do not grade again what has not changed
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Write a page for each program, and a list of all
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    /// Write a table for spreadsheets
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write Gradescope's results.json; for one program
    #[arg(long, value_name = "FILE")]
    gradescope: Option<PathBuf>,

    /// Print one JSON object per program
    #[arg(long)]
    json: bool,

    /// Where the app is, for links into it
    #[arg(long, default_value = "http://127.0.0.1:7064", value_name = "URL")]
    site: String,

    /// Print a program to start from: python, functions, java, cpp, javascript or engine
    #[arg(long, value_name = "LANGUAGE", value_parser = template)]
    #[arg(conflicts_with_all = ["paths", "run", "faults", "confusion"])]
    template: Option<templates::Template>,

    /// List the mistakes that are known
    #[arg(long, conflicts_with_all = ["paths", "run", "confusion"])]
    faults: bool,

    /// Print which mistakes cannot be told apart, as a table in Markdown
    #[arg(long, conflicts_with_all = ["paths", "run"])]
    confusion: bool,
}

fn part(text: &str) -> Result<Part, String> {
    Part::named(text).ok_or_else(|| {
        let names: Vec<&str> = Part::all().map(Part::id).collect();
        format!("the parts are {}", names.join(", "))
    })
}

fn template(text: &str) -> Result<templates::Template, String> {
    let all = templates::TEMPLATES;
    all.into_iter().find(|template| template.language == text).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|template| template.language).collect();
        format!("there are templates for {}", names.join(", "))
    })
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let mut out = output::stdout();
    if let Some(template) = &args.template {
        out.write_all(template.text.as_bytes())?;
        return Ok(out.flush()?);
    }
    if args.faults {
        let searches = Fault::ALL.iter().map(|fault| (fault.id(), fault.sentence()));
        let players = PlayerFault::ALL.iter().map(|fault| (fault.id(), fault.sentence()));
        for (heading, all) in
            [("Searches:", searches.collect::<Vec<_>>()), ("\nWhole players:", players.collect())]
        {
            writeln!(out, "{heading}")?;
            for (id, sentence) in all {
                writeln!(out, "{}", super::listed(id, sentence, 30).trim_end())?;
            }
        }
        return Ok(out.flush()?);
    }
    if args.confusion {
        out.write_all(confusion::table(args.seed).as_bytes())?;
        return Ok(out.flush()?);
    }
    let rubric = match &args.rubric {
        None => Rubric::default(),
        Some(path) => Rubric::read(&read_text(path)?)
            .map_err(|why| Failure::invalid(format!("{}: {why}", path.display())))?,
    };
    let found = submission::find(&args.paths, args.run.as_deref())?;
    if args.gradescope.is_some() && found.len() != 1 {
        return Err(Failure::usage("--gradescope is for one program"));
    }
    let submissions = grade_all(args, &rubric, &found)?;
    write_files(args, &rubric, &submissions)?;
    if args.json {
        for submission in &submissions {
            writeln!(out, "{}", report::json(submission, &rubric))?;
        }
    } else if let [submission] = &submissions[..] {
        out.write_all(report::student(submission, &rubric, &args.site, paint).as_bytes())?;
    } else {
        out.write_all(report::class(&submissions, &rubric).as_bytes())?;
    }
    out.flush()?;
    let wrong = submissions.iter().filter(|submission| !submission.is_right()).count();
    if wrong == 0 { Ok(()) } else { Err(Failure::NotRight { wrong, of: submissions.len() }) }
}

/// Grades every program, several at a time; in their order.
fn grade_all(args: &Args, rubric: &Rubric, found: &[Found]) -> Result<Vec<Submission>, Failure> {
    let asked = match (&args.parts[..], &args.rubric) {
        ([], None) => Part::all().collect(),
        ([], Some(_)) => rubric.parts(),
        (parts, _) => parts.to_vec(),
    };
    let rules = args.game.rules();
    if !matches!(rules.shape(), Shape::Line(_)) {
        return Err(Failure::usage("players are graded in games of lines only"));
    }
    let required = !args.parts.is_empty() || args.rubric.is_some();
    let asked = Asking::new(asked, required, rules, args, found);
    let limits = Limits {
        answer: Duration::from_millis(args.time),
        total: Duration::from_millis(args.total),
        kibibytes: u64::from(args.memory) << 10,
    };
    let setting =
        format!("{asked} {rules} {required} {} {} {limits:?}", args.seed, args.values_only);
    let mut journal = Journal::open(args.journal.as_deref(), &setting)?;
    let mut submissions: Vec<Option<Submission>> =
        found.iter().map(|found| journal.recall(found)).collect();
    let missing: Vec<usize> =
        (0..found.len()).filter(|&index| submissions[index].is_none()).collect();
    let stop = interrupt::flag()?;
    let bar = Bar::new("programs", found.len() as u64);
    bar.set((found.len() - missing.len()) as u64, found.len() as u64);
    let mut failure = None;
    share_out(
        missing.iter().map(|&index| (index, &found[index])),
        threads_or_all(args.threads),
        || (),
        |(), (index, found)| (index, grade(found, &asked, limits, &stop)),
        |_, (index, submission)| {
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            bar.inc();
            if let Err(why) = journal.keep(&found[index], &submission) {
                failure = Some(why);
                return ControlFlow::Break(());
            }
            submissions[index] = Some(submission);
            ControlFlow::Continue(())
        },
    );
    bar.end();
    if let Some(why) = failure {
        return Err(why);
    }
    let all: Option<Vec<Submission>> = submissions.into_iter().collect();
    all.ok_or_else(|| Failure::runtime("stopped before all programs were graded"))
}

/// What is asked.
struct Asking {
    parts: Vec<Part>,
    /// Whether parts that a program does not do count as well.
    required: bool,
    searches: Exercise,
    players: PlayerExercise,
}

/// As part of what a journal knows a grade by.
impl fmt::Display for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<&str> = self.parts.iter().map(|part| part.id()).collect();
        f.write_str(&ids.join(" "))
    }
}

impl Asking {
    /// The parts with their questions, as far as any of the programs is asked them.
    fn new(parts: Vec<Part>, required: bool, rules: Rules, args: &Args, found: &[Found]) -> Self {
        let mut asking = Self {
            parts,
            required,
            searches: Exercise::new(&[], args.seed, !args.values_only),
            players: PlayerExercise::new(&[], rules, args.seed),
        };
        let engines = found.iter().filter(|found| asking.is_player(found)).count();
        if engines < found.len() {
            let searches: Vec<SearchPart> = asking
                .parts
                .iter()
                .filter_map(|part| match part {
                    Part::Search(part) => Some(*part),
                    Part::Player(_) => None,
                })
                .collect();
            asking.searches = Exercise::new(&searches, args.seed, !args.values_only);
        }
        if engines > 0 {
            let players: Vec<PlayerPart> = asking
                .parts
                .iter()
                .filter_map(|part| match part {
                    Part::Player(part) => Some(*part),
                    Part::Search(_) => None,
                })
                .collect();
            asking.players = PlayerExercise::new(&players, rules, args.seed);
        }
        asking
    }

    /// Whether a program is asked in the engine protocol: it speaks it, or nothing else is asked.
    fn is_player(&self, found: &Found) -> bool {
        let only = self.parts.iter().all(|part| matches!(part, Part::Player(_)));
        only || found.is_engine()
    }

    /// Grades a program. Parts that it does not do are left out unless they are required.
    fn grade(&self, found: &Found, runner: &mut Runner) -> Grade {
        let mut done = if self.is_player(found) {
            self.players.grade(runner)
        } else {
            self.searches.grade(runner).parts
        };
        let others = self.parts.iter().filter_map(|&part| {
            let why = match (part, self.is_player(found)) {
                (Part::Search(_), true) => "It is a whole player, which is not asked for this.",
                (Part::Player(_), false) => {
                    "It is no whole player: the word bestmove does not occur in it."
                }
                _ => return None,
            };
            Some(PartGrade::not_done(part, why))
        });
        done.extend(others);
        let is_done = |part: &PartGrade| part.standing != Standing::NotDone;
        if !self.required {
            let any = done.iter().any(is_done);
            // If it does nothing at all, the parts that it could do are listed.
            let own = |part: &PartGrade| {
                matches!(Part::named(&part.part), Some(Part::Player(_))) == self.is_player(found)
            };
            done.retain(|part| if any { is_done(part) } else { own(part) });
        }
        Grade { parts: done }
    }
}

/// Starts a program and grades it.
fn grade(found: &Found, asked: &Asking, limits: Limits, stop: &Arc<AtomicBool>) -> Submission {
    let mut submission = Submission {
        name: found.name.clone(),
        command: found.shown(),
        refused: None,
        grade: Grade { parts: Vec::new() },
    };
    match found.ready(limits.total, stop) {
        Err(why) => submission.refused = Some(why),
        Ok(ready) => {
            let mut runner = Runner::new(Arc::new(ready), limits, Arc::clone(stop));
            submission.grade = asked.grade(found, &mut runner);
        }
    }
    submission
}

fn write_files(args: &Args, rubric: &Rubric, all: &[Submission]) -> Result<(), Failure> {
    let write = |path: &Path, text: &str| write_whole(path, text.as_bytes());
    if let Some(path) = &args.csv {
        write(path, &report::csv(all, rubric))?;
    }
    if let (Some(path), [submission]) = (&args.gradescope, all) {
        let results = report::gradescope(submission, rubric, &args.site);
        write(path, &format!("{results:#}\n"))?;
    }
    if let Some(folder) = &args.html {
        std::fs::create_dir_all(folder)
            .map_err(|why| Failure::runtime(format!("cannot make {}: {why}", folder.display())))?;
        let file = |submission: &Submission| format!("{}.html", page_name(&submission.name));
        for submission in all {
            let page = report::page(submission, rubric, &args.site);
            write(&folder.join(file(submission)), &page)?;
        }
        write(&folder.join("index.html"), &report::index(all, rubric, file))?;
        note(format!("{} pages in {}", all.len() + 1, folder.display()));
    }
    Ok(())
}

/// The name as part of a file's name and an address. Two programs never share one.
fn page_name(name: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    let mut out = String::from(if name == "index" { "student-" } else { "" });
    for sign in name.chars() {
        if plain(sign) {
            out.push(sign);
        } else {
            out += &format!("~{:x}~", sign as u32);
        }
    }
    out
}
