//! `fourfold play`: a game in the terminal; an app where there is one, line by line elsewhere.

mod line;

use crate::arguments::at_least;
use crate::external;
use crate::failure::Failure;
use crate::input::PositionArgs;
use crate::interrupt;
use crate::output::{Paint, is_utf8_locale};
use fourfold::play::{PlayerSpec, Seat};
use fourfold_app::live_game::LiveGame;
use fourfold_app::records;
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(feature = "tui")]
use {
    fourfold::game::notation::moves_text,
    fourfold_tui::TuiError,
    std::io::{self, IsTerminal, Write},
};

const EXAMPLES: &str = "\
Examples:
  fourfold play
  fourfold play --first level:7 --second human
  fourfold play --game tictactoe --second perfect
  fourfold play 4453 --line --save games.jsonl";

/// Play a game against the computer, against a person, or watch two players
///
/// On a terminal this is an app: number keys, arrows or the mouse play, ? lists the keys.
/// Elsewhere, and with --line, it reads and writes lines.
#[derive(Debug, clap::Args)]
#[command(after_help = super::players_help(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    game: PositionArgs,

    /// Player who moves first (see below)
    #[arg(long, short = '1', default_value = "human", value_name = "PLAYER")]
    #[arg(value_parser = external::player)]
    first: PlayerSpec,

    /// Player who moves second
    #[arg(long, short = '2', default_value = "character:milo", value_name = "PLAYER")]
    #[arg(value_parser = external::player)]
    second: PlayerSpec,

    /// Begin after these moves, such as 4453 [default: the empty board]
    #[arg(value_name = "POSITION", default_value = "", hide_default_value = true)]
    position: String,

    /// Random seed [default: different every time]
    #[arg(long, short, value_name = "SEED", value_parser = at_least(0u64))]
    seed: Option<u64>,

    /// Append the game to this file when it ends, for 'fourfold replay'
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Let hints and perfect players search everything, without the opening book
    #[arg(long)]
    no_book: bool,

    /// Play line by line even on a terminal
    #[arg(long)]
    line: bool,

    /// Draw in plain ASCII [default: if the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let entry = args.game.read(&args.position)?;
    let rules = *entry.position.rules();
    let moves = entry.moves.ok_or_else(|| {
        Failure::usage(
            "write the moves that were made, such as 4453: a drawn board does not tell their order",
        )
    })?;
    let seed = args.seed.unwrap_or_else(clock_seed);
    let mut specs = [args.first.clone(), args.second.clone()];
    for spec in &mut specs {
        if let Seat::Perfect(perfect) = &mut spec.seat {
            perfect.book &= !args.no_book;
        }
    }
    let external = specs.iter().any(PlayerSpec::is_external);
    let game = LiveGame::new(rules, specs, moves, seed);
    #[cfg(feature = "tui")]
    if !args.line && is_screen() {
        return on_screen(game, args, paint);
    }
    if external {
        // Ctrl-C ends at once, and the other program too.
        interrupt::flag_while(&Arc::default())?;
    }
    let game = line::run(game, !args.no_book, paint, args.ascii || !is_utf8_locale())?;
    if let Some(path) = &args.save {
        records::append(path, &game.record())?;
    }
    Ok(())
}

/// Plays in the terminal app, and tells where an unfinished game stands.
#[cfg(feature = "tui")]
fn on_screen(game: LiveGame, args: &Args, paint: Paint) -> Result<(), Failure> {
    let options = fourfold_tui::Options {
        look: fourfold_tui::Look::new(args.ascii || !is_utf8_locale(), paint.is_on()),
        book: !args.no_book,
        save: args.save.clone(),
        read_player: external::player,
        end_engines: crate::process::end_all,
    };
    let left = fourfold_tui::run(game, options).map_err(|why| match why {
        TuiError::Player { .. } => Failure::usage(why),
        why => Failure::runtime(why),
    })?;
    if let Some(game) = left {
        let moves = moves_text(&game.rules, game.moves());
        writeln!(io::stdout(), "The game stands at {moves:?}.")?;
    }
    Ok(())
}

/// Whether standard input and output are a terminal that can draw.
#[cfg(feature = "tui")]
fn is_screen() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !(dumb && cfg!(unix))
}

/// Nobody asked for a certain game, so any will do; the record names the seed.
fn clock_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(1, |time| time.as_nanos() as u64 & 0xffff_ffff)
}
