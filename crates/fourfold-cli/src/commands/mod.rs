//! The command line: one module per command, each with its arguments and a `run`.

mod convert;
mod count;
mod tree;

use crate::failure::Failure;
use clap::{Parser, Subcommand};

/// Play, search, count and compare connection games: Connect Four on any board, N in a row, Connect 4 in a Square,
/// tic-tac-toe and other m,n,k games.
#[derive(Debug, Parser)]
#[command(name = "fourfold", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Convert(convert::Args),
    Count(count::Args),
    Tree(tree::Args),
}

/// Runs the command that was asked for.
pub(crate) fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Convert(args) => convert::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Tree(args) => tree::run(&args),
    }
}
