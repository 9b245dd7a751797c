//! `fourfold replay`: shows recorded games.

use crate::arguments::at_least;
use crate::failure::Failure;
use crate::games;
use crate::input::{self, Lines, PositionArgs};
use crate::output::{Paint, excerpt, grouped, note, stdout};
use fourfold::game::notation::moves_text;
use fourfold::play::{Record, Winner};
use fourfold_app::board_text;
use fourfold_lab::tournament::is_header;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

const HELP: &str = "\
A game is a record that 'fourfold match --save', 'fourfold tournament --save'
or 'fourfold play --save' wrote, or its moves in any notation.

Examples:
  fourfold replay games.jsonl
  fourfold replay games.jsonl --number 3 --boards
  fourfold replay 44455 --boards
  fourfold replay - --json < games.jsonl";

/// Show recorded games
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// File of games, one per line (- is standard input), or the moves of one game
    #[arg(value_name = "FILE|MOVES")]
    file: PathBuf,

    #[command(flatten)]
    game: PositionArgs,

    /// Show only this game, counted from 1
    #[arg(long, short_alias = 'n', value_name = "N", value_parser = at_least(1u64))]
    number: Option<u64>,

    /// Draw the board after every move, not only after the last
    #[arg(long, short)]
    boards: bool,

    /// Print each record as JSON again, checked and normalised
    #[arg(long, conflicts_with = "boards")]
    json: bool,
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let mut lines = Lines::new(open(args)?);
    let mut out = stdout();
    let (mut refused, mut shown, mut number) = (0, 0, 0);
    for line_number in 1u64.. {
        let line = lines.next().map_err(|why| cannot_read(&args.file, &why))?;
        let Some(text) = line else { break };
        if text.trim().is_empty() || is_header(&text) {
            continue;
        }
        number += 1;
        if args.number.is_some_and(|wanted| wanted != number) {
            continue;
        }
        match games::read(&text, &args.game) {
            Ok(record) if args.json => writeln!(out, "{}", record.to_line())?,
            Ok(record) => {
                if shown > 0 {
                    writeln!(out)?;
                }
                show(&mut out, number, &record, args.boards, paint)?;
            }
            Err(Failure::Invalid(why)) => {
                note(format!("fourfold: line {line_number}: {why}"));
                refused += 1;
                continue;
            }
            Err(failure) => return Err(failure),
        }
        shown += 1;
    }
    out.flush()?;
    if number == 0 {
        input::note_empty("games");
    }
    match args.number {
        _ if refused > 0 => Err(Failure::Refused(refused)),
        Some(wanted) if shown == 0 => {
            Err(Failure::invalid(format!("there is no game {wanted}: the file has {number}")))
        }
        _ => Ok(()),
    }
}

/// The lines of the file, or the moves as a single line.
fn open(args: &Args) -> Result<Box<dyn BufRead>, Failure> {
    let path = &args.file;
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    match (File::open(path), path.to_str()) {
        (Ok(file), _) => Ok(Box::new(BufReader::new(file))),
        (Err(why), Some(text)) => match games::read(text, &args.game) {
            Ok(_) => Ok(Box::new(io::Cursor::new(text.to_owned()))),
            Err(Failure::Invalid(problem)) => Err(Failure::runtime(format!(
                "cannot read {}: {why}; nor is it a game: {problem}",
                excerpt(text)
            ))),
            Err(other) => Err(other),
        },
        (Err(why), _) => Err(cannot_read(path, &why)),
    }
}

fn cannot_read(path: &Path, why: &io::Error) -> Failure {
    Failure::runtime(format!("cannot read {}: {why}", path.display()))
}

fn show(
    out: &mut impl Write,
    number: u64,
    record: &Record,
    boards: bool,
    paint: Paint,
) -> io::Result<()> {
    let name = |player: &Option<String>| player.clone().unwrap_or_else(|| "somebody".to_owned());
    let (first, second) = (name(&record.first), name(&record.second));
    writeln!(out, "Game {number}: {} between {first} (x) and {second} (o)", record.game)?;
    if let Some(seed) = record.seed {
        writeln!(out, "Seed: {seed}")?;
    }
    writeln!(out, "Moves: {}", moves_text(&record.game, &record.moves))?;
    let positions: Vec<_> = record.positions().collect();
    for (ply, position) in positions.iter().enumerate() {
        let is_last = ply + 1 == positions.len();
        if !boards && !is_last {
            continue;
        }
        let last = ply.checked_sub(1).map(|index| record.moves[index]);
        if boards && let Some(mv) = last {
            let side = position.to_move().other();
            let spent = record.times_ms.as_ref().map(|times| format!(", {} ms", times[ply - 1]));
            let nodes =
                record.nodes.as_ref().map(|nodes| nodes[ply - 1]).filter(|&nodes| nodes > 0);
            let nodes = nodes.map(|nodes| format!(", {} nodes", grouped(nodes)));
            let (spent, nodes) = (spent.unwrap_or_default(), nodes.unwrap_or_default());
            writeln!(
                out,
                "\n{ply}. {} plays {}{spent}{nodes}",
                side.letter(),
                mv.label(&record.game)
            )?;
        }
        writeln!(out, "{}", board_text::draw(position, last, paint))?;
    }
    let result = match record.result {
        Some(winner) if record.forfeit.is_some() => {
            let reason = record.forfeit.as_deref().unwrap_or_default();
            match winner {
                Winner::First => format!("{second} (o) forfeits: {reason}. {first} (x) wins."),
                _ => format!("{first} (x) forfeits: {reason}. {second} (o) wins."),
            }
        }
        Some(Winner::First) => format!("{first} (x) wins on move {}.", record.moves.len()),
        Some(Winner::Second) => format!("{second} (o) wins on move {}.", record.moves.len()),
        Some(Winner::Draw) => "A draw.".to_owned(),
        None => "The game was not finished.".to_owned(),
    };
    writeln!(out, "{result}")
}
