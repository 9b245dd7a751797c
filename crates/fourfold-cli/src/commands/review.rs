//! `fourfold review`: games judged move by move, as text, JSON or a page.

mod page;
mod show;

use crate::arguments::{at_least, milliseconds};
use crate::failure::Failure;
use crate::games;
use crate::input::{self, PositionArgs};
use crate::interrupt;
use crate::output::{Paint, stdout};
use crate::progress::SolveLine;
use crate::solving::{BookArgs, SolverArgs, Solvers};
use fourfold::game::notation::Entry;
use fourfold::play::{Record, Review, review};
use fourfold_app::shapes::review_json;
use fourfold_lab::files::write_whole;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
The exact solver compares every move with the best one: 'best', 'forced' (the
only legal move), an 'inaccuracy' (the same outcome, but a later win or a
sooner loss) or a 'blunder' (a win or a draw thrown away). Results are for
whoever made the move. 'instead' is best play in its place, 'then' how best
play continues after it. Accuracy is the share of best moves among those where
there was a choice.

A game is its moves in any notation, or a record that 'fourfold match --save'
writes.

Examples:
  fourfold review 444444322
  fourfold review --game tictactoe 'b2 b1 a1 c3'
  fourfold review --html review.html 4444443226
  fourfold review --json < games.jsonl | jq .second.blunders";

/// Judge every move of a game: what was best, what was a blunder, and what would have been better
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Games: moves in any notation, or records [default: standard input, one per line]
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    #[command(flatten)]
    game: PositionArgs,

    /// Print one JSON object per game, like the HTTP service
    #[arg(long)]
    json: bool,

    /// Write a page with the graph, the boards of all blunders and every move to FILE (- for
    /// standard output)
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,

    /// Search at most this many nodes per game; the last moves are judged first
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,

    /// Time limit per game, in milliseconds or with a unit (500ms, 5s, 2m)
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    time: Option<u64>,

    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    solver: SolverArgs,
}

/// A game and what was found about it.
struct Reviewed {
    record: Record,
    review: Review,
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let solvers = Solvers::new(args.solver.options(), &args.book.books()?);
    let watch = interrupt::budget()?;
    let line = SolveLine::new(&watch);
    let mut out = stdout();
    let mut sections = Vec::new();
    let mut shown = 0;
    let result = input::for_each(&args.games, |text| {
        let record = games::read(text, &args.game)?;
        let mut solver = solvers.lend(&record.game)?;
        let budget =
            watch.part().with_nodes(args.nodes).with_time(args.time.map(Duration::from_millis));
        line.begin();
        let told = |done, moves| line.say(|| format!("{done} of {moves} moves"));
        let review = review(&record.moves, &mut solver, &budget, told).map_err(Failure::runtime)?;
        line.end();
        let reviewed = Reviewed { record, review };
        if args.json {
            writeln!(out, "{}", json(&reviewed))?;
        } else if args.html.is_some() {
            sections.push(page::section(&reviewed, sections.len() + 1));
        } else {
            if shown > 0 {
                writeln!(out)?;
            }
            write!(out, "{}", show::text(&reviewed, paint))?;
        }
        shown += 1;
        out.flush()?;
        let missing = reviewed.review.moves.iter().filter(|mv| mv.found.is_none()).count();
        match reviewed.review.stopped {
            _ if watch.is_stopped() => Err(Failure::runtime("interrupted")),
            Some(why) if missing > 0 => {
                let moves = reviewed.review.moves.len();
                Err(Failure::Unfinished(format!(
                    "{missing} of {moves} moves are not judged: {why}"
                )))
            }
            _ => Ok(()),
        }
    });
    if let Some(path) = &args.html {
        let page = page::whole(&sections);
        if path.as_os_str() == "-" {
            out.write_all(page.as_bytes())?;
        } else {
            write_whole(path, page.as_bytes())?;
        }
    }
    out.flush()?;
    result
}

fn json(Reviewed { record, review }: &Reviewed) -> serde_json::Value {
    let mut entry = Entry::of(record.positions().last().expect("there is the empty board"));
    entry.moves = Some(record.moves.clone());
    let mut json = review_json(&entry, review);
    for (key, name) in [("first", &record.first), ("second", &record.second)] {
        if let Some(name) = name {
            json[key]["player"] = name.as_str().into();
        }
    }
    json
}
