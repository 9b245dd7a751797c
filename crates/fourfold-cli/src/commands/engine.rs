//! `fourfold engine`: the engine protocol on standard input and output.

use crate::engine::{self, Settings};
use crate::failure::Failure;
use crate::input::GameArg;
use crate::solving::SolverArgs;
use fourfold::budget::Budget;
use fourfold::play::PlayerSpec;
use std::num::NonZeroU32;

const HELP: &str = "\
Programs talk to it in UCI's verbs, a line each: uci, isready, ucinewgame, setoption, position, go, stop, quit; d draws
the board. docs/engine.md tells all of it, with a transcript. The options here are what setoption sets, for those who
start it.

Example:
  printf 'position startpos moves 4 4 5\\ngo movetime 500\\n' | fourfold engine";

/// Play for another program: UCI's verbs on standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,

    /// Let this player choose the moves [default: as strong as the limits of 'go' allow]; see
    /// 'fourfold match --help'
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,

    /// What everything random about the player comes from
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    seed: u64,

    /// How many threads the exact solver may use
    #[arg(long, default_value = "1", value_name = "N")]
    threads: NonZeroU32,

    /// Use no book of openings
    #[arg(long)]
    no_book: bool,

    #[command(flatten)]
    solver: SolverArgs,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let usual = Settings::default();
    if let Some(player) = &args.player {
        player
            .player(&args.game.rules(), args.seed, &Budget::unlimited())
            .map_err(|why| Failure::usage(format!("{player}: {why}")))?;
    }
    engine::run(Settings {
        game: args.game.rules(),
        player: args.player.clone(),
        seed: args.seed,
        memory: args.solver.options().memory,
        threads: args.threads.get().min(256),
        book: !args.no_book,
        ..usual
    })
}
