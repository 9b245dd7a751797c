//! `fourfold engine`: the engine protocol on standard input and output.

use crate::arguments::at_least;
use crate::engine::{self, Settings};
use crate::failure::Failure;
use crate::input::GameArg;
use crate::solving::SolverArgs;
use fourfold::budget::Budget;
use fourfold::play::PlayerSpec;
use fourfold::workers::Threads;

const HELP: &str = "\
Programs send it UCI commands, one per line: uci, isready, ucinewgame,
setoption, position, go, stop, quit; d draws the board. docs/engine.md
describes the protocol, with a transcript. The options here set what setoption
can set.

Examples:
  fourfold engine --game tictactoe
  printf 'position startpos moves 4 4 5\\ngo movetime 500\\n' | fourfold engine";

/// Play for another program: an engine that speaks UCI on standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,

    /// Let this player choose the moves; see 'fourfold match --help' [default: as strong as the
    /// limits of 'go' allow]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,

    /// Random seed of the player
    #[arg(long, short, default_value_t = 0, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Threads of the exact solver
    #[arg(long, short, default_value = "1", value_name = "N")]
    threads: Threads,

    /// Use no opening book
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
        threads: args.threads.get() as u32,
        book: !args.no_book,
        ..usual
    })
}
