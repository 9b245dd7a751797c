//! `fourfold bench peers`: the exact solver beside others, in turn on the same positions.

mod program;

use super::sets::{Known, Set, checkout_with};
use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::GameArg;
use crate::interrupt;
use crate::output::{grouped, note, stdout, table, time};
use crate::progress;
use crate::solving::SolverArgs;
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::solver::{SolveError, Solver};
use program::{Program, Reported, Summons};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HELP: &str = "\
Without FILE, the sets of solved positions in a checkout of Fourfold are used.
The programs take turns at blocks of positions, a tenth of a second or one
position long, so that whatever slows the machine down slows all of them. None
has a book, all start from empty tables, and only solving is timed.

The peers are connect-four-ai and bitbully, which only know 7x6. They are not
part of Fourfold: bench/peers/README.md explains how to get them, and how to
write a program for --with. A missing peer is left out.

Examples:
  fourfold bench peers
  fourfold bench peers begin.txt middle.txt --count 50
  fourfold bench peers --game 6x7c4 --with pons=./c4solver";

/// Measure the exact solver side by side with others
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Files of lines 'moves score' [default: the checkout's sets of the game]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Solve only the first N positions of each file
    #[arg(long, short = 'n', value_name = "N", value_parser = at_least(1usize))]
    count: Option<usize>,

    /// Add a program that reads the moves of one position per line and answers with 'moves score
    /// [nodes [nanoseconds]]'; may be repeated
    #[arg(long, value_name = "NAME=COMMAND")]
    with: Vec<Summons>,

    /// Print one JSON object per file and program
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: GameArg,

    #[command(flatten)]
    solver: SolverArgs,
}

/// About how long all programs together solve at a block of positions (emptying tables not
/// counted): short, so that what slows the machine down slows all, and long enough that nobody is
/// always woken from a cold start.
const ROUND: Duration = Duration::from_millis(100);

/// Positions in a block at most.
const LONGEST_BLOCK: usize = 64;

/// Where a checkout keeps its solved positions.
const SETS: &str = "crates/fourfold/tests/data/solved";

/// A solver that a package registry offers.
struct Peer {
    name: &'static str,
    /// The program and its arguments: paths from the top of the checkout.
    command: &'static [&'static str],
    /// How to get it, there.
    get: &'static str,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "connect-four-ai",
        command: &["target/peers/bin/connect-four-ai"],
        get: "cargo install --locked --path bench/peers --root target/peers",
    },
    Peer {
        name: "bitbully",
        command: &["target/peers/python/bin/python", "bench/peers/ask_bitbully.py"],
        get: "python3 -m venv target/peers/python && \
              target/peers/python/bin/pip install bitbully==0.0.79",
    },
];

impl Peer {
    /// How to call it; none if it is not there.
    fn summons(&self, checkout: Option<&Path>) -> Option<Summons> {
        let paths: Vec<PathBuf> = self
            .command
            .iter()
            .map(|path| checkout.map(|top| top.join(path)))
            .collect::<Option<_>>()?;
        if !paths.iter().all(|path| path.exists()) {
            return None;
        }
        let words: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let name = program::version(&words).map(|version| format!("{} {version}", self.name))?;
        Some(Summons { name, words })
    }
}

/// What a program took for a file.
#[derive(Debug, Clone, Default)]
struct ProgramTotals {
    positions: u64,
    mismatches: u64,
    spent: Duration,
    worst: Duration,
    /// None if it does not tell.
    nodes: Option<u64>,
}

#[derive(Serialize)]
struct ProgramJson<'a> {
    file: &'a str,
    program: &'a str,
    positions: u64,
    mismatches: u64,
    mean_ms: f64,
    worst_ms: f64,
    nodes_per_position: Option<f64>,
    /// How many times as long as ours it took.
    times_ours: f64,
}

/// The programs in a run: ours, then the others.
struct Contest {
    ours: Solver,
    watch: Budget,
    others: Vec<Program>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rules = args.game.rules();
    let ours = args.solver.solver_for(&rules)?;
    let sets = sets(args, &rules)?;
    let watch = interrupt::budget()?;
    let others = summon(args, &rules)?;
    let names: Vec<String> = std::iter::once("fourfold".to_owned())
        .chain(others.iter().map(|other| other.name.clone()))
        .collect();
    let mut contest = Contest { ours, watch, others };
    let mut out = stdout();
    let mut rows = vec![
        [
            "file",
            "program",
            "positions",
            "mismatches",
            "mean time",
            "worst time",
            "nodes per position",
            "times ours",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    let (mut failure, mut mismatches, mut refused) = (None, 0, 0);
    for set in &sets {
        refused += set.refused;
        let (measured, problem) = contest.run(set, &names);
        let ours = measured[0].mean();
        for (name, measured) in
            names.iter().zip(&measured).filter(|(_, measured)| measured.positions > 0)
        {
            mismatches += measured.mismatches;
            if args.json {
                let json = measured.json(&set.name, name, ours);
                writeln!(out, "{}", serde_json::to_string(&json).map_err(Failure::runtime)?)?;
                out.flush()?;
            } else {
                rows.push(measured.row(&set.name, name, ours));
            }
        }
        failure = problem;
        if failure.is_some() {
            break;
        }
    }
    if !args.json {
        write!(out, "{}", table(&rows))?;
    }
    out.flush()?;
    match (failure, refused, mismatches) {
        (Some(failure), ..) => Err(failure),
        (None, 0, 0) => Ok(()),
        (None, 0, 1) => Err(Failure::runtime("1 score differs")),
        (None, 0, mismatches) => Err(Failure::runtime(format!("{mismatches} scores differ"))),
        (None, refused, _) => Err(Failure::Refused(refused)),
    }
}

/// The files that were asked for, or those of the checkout.
fn sets(args: &Args, rules: &Rules) -> Result<Vec<Set>, Failure> {
    if !args.files.is_empty() {
        return args.files.iter().map(|path| Set::read(path, rules, args.count)).collect();
    }
    let of_game = format!("{SETS}/{rules}");
    let Some(top) = checkout_with(&of_game) else {
        let problem = format!("there is no folder {of_game} here or above");
        return Err(Failure::usage(format!(
            "{problem}: give files of positions of {rules}, or go to a checkout"
        )));
    };
    let unreadable = |why| Failure::runtime(format!("cannot read {of_game}: {why}"));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(top.join(&of_game)).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.sort();
    let read = |path: PathBuf| {
        let set = Set::read(&path, rules, args.count)?;
        let name = path.file_name().map_or(set.name, |name| name.to_string_lossy().into_owned());
        Ok(Set { name, ..set })
    };
    paths.into_iter().map(read).collect()
}

/// Starts the programs that there are.
fn summon(args: &Args, rules: &Rules) -> Result<Vec<Program>, Failure> {
    let top = checkout_with("bench/peers");
    let mut called = Vec::new();
    for peer in PEERS.iter().filter(|_| *rules == Rules::CONNECT_FOUR) {
        match peer.summons(top.as_deref()) {
            Some(summons) => called.push(summons),
            None => note(format!(
                "{} is not installed, so it is left out. To get it, at the top of a checkout of \
                 Fourfold:\n  {}",
                peer.name, peer.get
            )),
        }
    }
    called.extend(args.with.iter().cloned());
    called.into_iter().map(Program::start).collect()
}

impl Contest {
    /// All programs on a set, and why it was broken off, if it was.
    fn run(&mut self, set: &Set, names: &[String]) -> (Vec<ProgramTotals>, Option<Failure>) {
        let mut measured = vec![ProgramTotals::default(); names.len()];
        let total = set.positions.len() as u64;
        let bar = progress::Bar::new(&set.name, total);
        // A finished game is no question: some programs have no answer to it.
        let questions: Vec<&Known> =
            set.positions.iter().filter(|known| !known.position.outcome().is_over()).collect();
        let (mut done, mut block, mut leader) = (0, 1, 0);
        while done < questions.len() {
            let now = &questions[done..(done + block).min(questions.len())];
            let mut round = Duration::ZERO;
            for turn in 0..names.len() {
                let who = (leader + turn) % names.len();
                bar.rename(format!("{}, {}", set.name, names[who]));
                for known in now {
                    let answer = match who.checked_sub(1) {
                        None => self.ours(known),
                        Some(other) => self.others[other].ask(known),
                    };
                    let answer = match answer {
                        Ok(answer) => answer,
                        Err(_) if self.watch.is_stopped() => {
                            let problem = format!("interrupted at {}", known.place);
                            return (measured, Some(Failure::runtime(problem)));
                        }
                        Err(why) => return (measured, Some(why)),
                    };
                    measured[who].add(&answer);
                    round += answer.spent;
                    if answer.score != known.score {
                        measured[who].mismatches += 1;
                        let Known { place, score, .. } = known;
                        let (name, said) = (&names[who], answer.score);
                        bar.aside(|| {
                            note(format!("fourfold: {place}: {name} says {said}, not {score}"));
                        });
                    }
                }
            }
            (done, leader) = (done + now.len(), leader + 1);
            bar.set(done as u64, total);
            block = match round {
                short if short < ROUND => (2 * block).min(LONGEST_BLOCK),
                long if long > 4 * ROUND => (block / 2).max(1),
                _ => block,
            };
        }
        bar.end();
        (measured, None)
    }

    fn ours(&mut self, known: &Known) -> Result<Reported, Failure> {
        self.ours.forget();
        let limits = self.watch.part();
        let began = Instant::now();
        let solved = self.ours.solve(&known.position, &limits);
        let spent = began.elapsed();
        match solved {
            Ok(solved) => Ok(Reported { score: solved.score, nodes: Some(solved.nodes), spent }),
            Err(why @ SolveError::Unfinished { .. }) => Err(Failure::Unfinished(why.to_string())),
            Err(why) => Err(Failure::runtime(why)),
        }
    }
}

impl ProgramTotals {
    fn add(&mut self, answer: &Reported) {
        self.positions += 1;
        self.spent += answer.spent;
        self.worst = self.worst.max(answer.spent);
        self.nodes = match (self.nodes, answer.nodes) {
            (before, Some(nodes)) => Some(before.unwrap_or(0) + nodes),
            (_, None) => None,
        };
    }

    fn mean(&self) -> Duration {
        self.spent / u32::try_from(self.positions.max(1)).unwrap_or(u32::MAX)
    }

    fn nodes_a_position(&self) -> Option<f64> {
        self.nodes.map(|nodes| nodes as f64 / self.positions.max(1) as f64)
    }

    fn times(&self, ours: Duration) -> f64 {
        self.mean().as_secs_f64() / ours.as_secs_f64().max(1e-9)
    }

    fn row(&self, file: &str, program: &str, ours: Duration) -> Vec<String> {
        let nodes = self.nodes_a_position();
        vec![
            file.to_owned(),
            program.to_owned(),
            grouped(self.positions),
            grouped(self.mismatches),
            time(self.mean()),
            time(self.worst),
            nodes.map_or_else(|| "-".to_owned(), |nodes| grouped(nodes.round() as u64)),
            format!("{:.1}", self.times(ours)),
        ]
    }

    fn json<'a>(&self, file: &'a str, program: &'a str, ours: Duration) -> ProgramJson<'a> {
        ProgramJson {
            file,
            program,
            positions: self.positions,
            mismatches: self.mismatches,
            mean_ms: self.mean().as_secs_f64() * 1e3,
            worst_ms: self.worst.as_secs_f64() * 1e3,
            nodes_per_position: self.nodes_a_position(),
            times_ours: self.times(ours),
        }
    }
}
