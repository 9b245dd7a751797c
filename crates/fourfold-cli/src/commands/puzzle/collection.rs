//! `fourfold puzzle --collection` and `--daily`: a file of rated puzzles made, and the puzzle of a
//! day from those that come with the program.

use super::Args;
use crate::failure::Failure;
use crate::files::write_whole;
use crate::input::threads_or_all;
use crate::interrupt;
use crate::output::{Paint, grouped, note, stdout};
use crate::progress::Bar;
use fourfold::budget::Budget;
use fourfold::game::Rules;
use fourfold::game::notation::moves_text;
use fourfold::play::{CollectOptions, Collection, PuzzleError, Section, Theme, collect};
use fourfold_app::board_text;
use fourfold_app::puzzles::{Day, PuzzleQuery, SHIPPED, find, puzzle_json};
use fourfold_app::shapes::labels;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// How many puzzles of a game are collected if nobody says.
const USUAL_COUNT: u32 = 100;

/// Makes or continues a collection: of one game, or of all that come with the program.
pub(super) fn make(args: &Args, path: &Path) -> Result<(), Failure> {
    let plan = match args.game.given() {
        Some(&rules) => vec![(rules, count(args)?.unwrap_or(USUAL_COUNT))],
        None => shipped_plan(count(args)?)?,
    };
    let mut collection = match fs::read(path) {
        Ok(bytes) => Collection::read(&bytes)
            .map_err(|why| Failure::invalid(format!("{}: {why}", path.display())))?,
        Err(why) if why.kind() == io::ErrorKind::NotFound => Collection::default(),
        Err(why) => return Err(Failure::runtime(format!("{}: {why}", path.display()))),
    };
    collection.sections.retain(|section| {
        plan.contains(&(section.rules, section.wanted)) && section.seed == args.seed
    });
    let budget = Budget::unlimited().with_stop(interrupt::flag()?);
    for (rules, count) in plan {
        extend(args, path, &mut collection, rules, count, &budget)?;
    }
    let puzzles: usize = collection.sections.iter().map(|section| section.puzzles.len()).sum();
    let bytes = fs::metadata(path).map_or(0, |file| file.len());
    let (puzzles, bytes) = (grouped(puzzles as u64), grouped(bytes));
    note(format!("{}: {puzzles} puzzles in {bytes} bytes.", path.display()));
    Ok(())
}

fn count(args: &Args) -> Result<Option<u32>, Failure> {
    let small = |count| u32::try_from(count).ok().filter(|&count| count <= 100_000);
    let checked = |count| {
        small(count).ok_or_else(|| Failure::usage("--count: a file has at most 100000 of a game"))
    };
    args.count.map(checked).transpose()
}

fn shipped_plan(count: Option<u32>) -> Result<Vec<(Rules, u32)>, Failure> {
    let named = |(game, usual): (&str, u32)| {
        let rules: Rules = game.parse().map_err(Failure::runtime)?;
        Ok((rules, count.map_or(usual, |count| count.min(usual))))
    };
    SHIPPED.into_iter().map(named).collect()
}

/// Collects the puzzles of one game, and saves the file now and then.
fn extend(
    args: &Args,
    path: &Path,
    collection: &mut Collection,
    rules: Rules,
    count: u32,
    budget: &Budget,
) -> Result<(), Failure> {
    let threads = threads_or_all(args.threads);
    let options = CollectOptions::new(rules, count, args.seed).with_threads(threads);
    let begun = collection.section(&rules).cloned();
    let bar = Bar::new(&format!("{rules}: puzzles"), count.into());
    bar.set(begun.as_ref().map_or(0, |section| section.puzzles.len() as u64), count.into());
    bar.reset_eta();
    let mut failed = None;
    let made = collect(&options, begun, budget, |section, now| {
        bar.set(now.puzzles.into(), now.wanted.into());
        match save(path, collection, section) {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                failed = Some(why);
                ControlFlow::Break(())
            }
        }
    });
    bar.end();
    if let Some(why) = failed {
        return Err(why);
    }
    match made {
        Ok(section) => save(path, collection, &section),
        Err(PuzzleError::Stopped) => Err(Failure::runtime(format!(
            "interrupted; the same command continues {}",
            path.display()
        ))),
        Err(why) => Err(Failure::runtime(why)),
    }
}

fn save(path: &Path, collection: &mut Collection, section: &Section) -> Result<(), Failure> {
    match collection.sections.iter_mut().find(|other| other.rules == section.rules) {
        Some(other) => other.clone_from(section),
        None => collection.sections.push(section.clone()),
    }
    write_whole(path, &collection.to_bytes())
}

/// Prints the puzzle of a day; of today if none is named.
pub(super) fn daily(args: &Args, day: &str, paint: Paint) -> Result<(), Failure> {
    let day = if day == TODAY {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(Failure::runtime)?;
        Day::of_seconds(now.as_secs())
    } else {
        day.parse().map_err(Failure::usage)?
    };
    let query =
        PuzzleQuery { game: args.game.given().copied(), day: Some(day), ..PuzzleQuery::default() };
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", puzzle_json(&query).map_err(Failure::usage)?)?;
        return Ok(out.flush()?);
    }
    let (number, puzzle) = find(&query).map_err(Failure::usage)?;
    let (rules, course) = (puzzle.position.rules(), &puzzle.course);
    let aim = match puzzle.wins_in() {
        Some(moves) if course.theme != Theme::OnlyMove => format!("wins in {moves} moves"),
        Some(_) => "wins".to_owned(),
        None => "keeps the draw".to_owned(),
    };
    let noun = board_text::place_noun(rules);
    let side = puzzle.position.to_move().letter();
    let title = format!("{day}, puzzle {number}: {side} to move. One {noun} {aim}.");
    writeln!(out, "{}", paint.strong(&title))?;
    let place =
        format!("{rules} after {}, rated {}", moves_text(rules, &puzzle.moves), puzzle.rating);
    writeln!(out, "{}", paint.faint(&place))?;
    let last = puzzle.moves.last().copied();
    writeln!(out, "{}\n", board_text::draw(&puzzle.position, last, paint))?;
    let line = labels(rules, &course.line).join(" ");
    writeln!(out, "Solution: {noun} {}.", course.line[0].label(rules))?;
    writeln!(out, "Best play: {line}")?;
    Ok(out.flush()?)
}

/// What `--daily` means without a date.
pub(super) const TODAY: &str = "today";
