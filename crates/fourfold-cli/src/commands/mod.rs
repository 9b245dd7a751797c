//! The command line: one module per command, each with its arguments and a `run`.

mod ablate;
mod bench;
mod book;
mod convert;
mod count;
mod dataset;
mod engine;
mod grade;
mod lab;
mod manual;
mod matches;
mod play;
mod positions;
mod puzzle;
mod replay;
mod review;
mod search;
#[cfg(feature = "web")]
mod serve;
mod solve;
mod tree;

use crate::failure::Failure;
use crate::output::ColorChoice;

use clap::{Parser, Subcommand};

/// What `--version` prints after the name: version, commit, date and target as far as the build knew
/// them. `-V` prints the version alone.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("FOURFOLD_BUILD"), ")");

/// Play, search, count and compare connection games: Connect Four on any board, N in a row, Connect
/// 4 in a Square, tic-tac-toe and other m,n,k games.
#[derive(Debug, Parser)]
#[command(name = "fourfold", version, long_version = LONG_VERSION, propagate_version = true)]
pub(crate) struct Cli {
    /// Colours: on a terminal (auto, which NO_COLOR turns off), always, or never
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    #[arg(hide_possible_values = true)]
    color: ColorChoice,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(play::Args),
    #[cfg(feature = "web")]
    Serve(serve::Args),
    Search(search::Args),
    Solve(solve::Args),
    Tree(tree::Args),
    Match(matches::Args),
    Engine(engine::Args),
    Replay(replay::Args),
    Review(review::Args),
    Grade(grade::Args),
    Puzzle(puzzle::Args),
    Count(count::Args),
    Convert(convert::Args),
    Positions(positions::Args),
    Book(book::Args),
    Dataset(dataset::Args),
    Lab(lab::Args),
    Ablate(ablate::Args),
    Bench(bench::Args),
    Completions(manual::CompletionArgs),
    Man(manual::ManArgs),
}

/// An algorithm by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Algorithm {
    /// Visits every node
    Minimax,
    /// Skips what cannot matter
    Alphabeta,
}

/// Runs the command that was asked for.
pub(crate) fn run(cli: Cli) -> Result<(), Failure> {
    let paint = cli.color.paint();
    match cli.command {
        Command::Play(args) => play::run(&args, paint),
        #[cfg(feature = "web")]
        Command::Serve(args) => serve::run(&args),
        Command::Search(args) => search::run(&args, paint),
        Command::Solve(args) => solve::run(&args, paint),
        Command::Tree(args) => tree::run(&args, paint),
        Command::Match(args) => matches::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Replay(args) => replay::run(&args, paint),
        Command::Review(args) => review::run(&args, paint),
        Command::Grade(args) => grade::run(&args),
        Command::Puzzle(args) => puzzle::run(&args, paint),
        Command::Count(args) => count::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Positions(args) => positions::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Dataset(args) => dataset::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Ablate(args) => ablate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    }
}

/// The players, for the help of commands that seat them.
fn players_help() -> String {
    let mut help = "Players:\n".to_owned();
    for (name, doc) in fourfold::play::PlayerSpec::all() {
        help += &format!("  {name:10} {doc}\n");
    }
    help += "\nArguments follow a colon, separated by commas. Searching players take depth, eval, weights, nodes, time\n\
        (in ms) and every switch of 'fourfold search', such as mid_col or table=16; every player takes random=0.1,\n\
        the share of its moves made at random.\n\n\
        Examples:\n  \
        alphabeta:depth=9,mid_col,early_win   lookahead:3,random=0.1   utility:depth=5,weights=1/5/25/100";
    help
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn arguments_do_not_clash() {
        super::Cli::command().debug_assert();
    }
}
