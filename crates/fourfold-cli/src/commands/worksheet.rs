//! `fourfold worksheet`: exercises to do by hand, with their answers.

use crate::arguments::{at_least, whole};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{ascii, is_utf8_locale, stdout};
use fourfold::book::Books;
use fourfold::budget::Budget;
use fourfold::solver::{SolverOptions, SolverPool};
use fourfold_app::worksheet::paper::{self, Face, Heading};
use fourfold_app::worksheet::{BRANCHES, COUNTS, Kind, LEVELS, Sheet, SheetError, TOPICS};
use std::io::Write;

const HELP: &str = "\
Topics:
  minimax     values of trees, the best move and the expected line
  cuts        what alpha-beta cuts; alpha and beta at every node
  order       the order of moves in which alpha-beta visits the fewest leaves
  evaluation  tic-tac-toe, evaluated by its open lines
  counting    nodes, leaves, games and positions
  endgames    how every move of tic-tac-toe ends with best play

A page prints on paper, the answers on sheets of their own. The same seed and
name give the same sheet; another name gives other exercises.

Examples:
  fourfold worksheet
  fourfold worksheet --topics cuts,order --answers --seed 5
  fourfold worksheet --html --answers > sheet.html
  fourfold worksheet --name 'Ada Lovelace' --html > ada.html
  fourfold worksheet --only-answers --topics minimax -n 4 --levels 3";

/// Make a worksheet on minimax and alpha-beta to print, with or without answers
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Topics (see below), separated by commas [default: all]
    #[arg(long, value_name = "TOPICS", value_delimiter = ',', value_parser = topic)]
    topics: Vec<Topic>,

    /// Number of exercises
    #[arg(long, short = 'n', default_value_t = 6, value_name = "N")]
    #[arg(value_parser = whole(*COUNTS.start() as u32..=*COUNTS.end() as u32))]
    count: u32,

    /// Children of every node of a tree
    #[arg(long, default_value_t = 3, value_name = "N")]
    #[arg(value_parser = whole(*BRANCHES.start() as u32..=*BRANCHES.end() as u32))]
    branches: u32,

    /// Levels of a tree below its root
    #[arg(long, default_value_t = 2, value_name = "N")]
    #[arg(value_parser = whole(*LEVELS.start() as u32..=*LEVELS.end() as u32))]
    levels: u32,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Whose sheet it is: the name stands on it, and gives it exercises of its own
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// What stands at its top
    #[arg(long, default_value = "Minimax and alpha-beta: exercises", value_name = "TEXT")]
    title: String,

    /// Add the answers
    #[arg(long)]
    answers: bool,

    /// Print the answers alone
    #[arg(long, conflicts_with = "answers")]
    only_answers: bool,

    /// Print a page (HTML) instead of text
    #[arg(long, conflicts_with = "json")]
    html: bool,

    /// Print one JSON object, with the answers
    #[arg(long)]
    json: bool,
}

/// A topic: the kinds of its exercises.
type Topic = &'static (&'static str, &'static [Kind]);

fn topic(text: &str) -> Result<Topic, String> {
    TOPICS.iter().find(|(name, _)| *name == text).ok_or_else(|| {
        let names: Vec<&str> = TOPICS.iter().map(|(name, _)| *name).collect();
        format!("the topics are {}", names.join(", "))
    })
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let kinds = match &args.topics[..] {
        [] => Kind::ALL.to_vec(),
        topics => topics.iter().flat_map(|(_, kinds)| kinds.iter().copied()).collect(),
    };
    let sheet = Sheet {
        kinds,
        count: args.count.into(),
        branches: args.branches.into(),
        levels: args.levels.into(),
        seed: args.seed,
    };
    let sheet = args.name.as_deref().map_or(sheet.clone(), |name| sheet.for_name(name));
    let pool = SolverPool::new(SolverOptions::default(), Books::None);
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    let exercises = sheet.exercises(&pool, &budget).map_err(|why| match why {
        SheetError::TooWide { .. } | SheetError::NoKinds => Failure::usage(why),
        _ => Failure::runtime(why),
    })?;
    let faces: &[Face] = match (args.answers, args.only_answers) {
        (_, true) => &[Face::Answers],
        (true, _) => &[Face::Questions, Face::Answers],
        _ => &[Face::Questions],
    };
    let heading = Heading { title: &args.title, student: args.name.as_deref() };
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", sheet.json(&exercises))?;
    } else if args.html {
        out.write_all(paper::html(&sheet, &exercises, heading, faces).as_bytes())?;
    } else {
        let text = paper::text(&sheet, &exercises, heading, faces);
        out.write_all(if is_utf8_locale() { text } else { ascii(&text) }.as_bytes())?;
    }
    Ok(out.flush()?)
}
