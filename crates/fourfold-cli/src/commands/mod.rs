//! The command line: one module per command, each with its arguments and a `run`.

mod ablate;
mod bench;
mod book;
mod check;
mod convert;
mod count;
mod course;
mod dataset;
mod engine;
mod grade;
mod lab;
mod manual;
mod matches;
mod mcts;
mod play;
mod positions;
mod puzzle;
mod replay;
mod review;
mod search;
#[cfg(feature = "web")]
mod serve;
mod shards;
#[cfg(feature = "web")]
mod site;
mod solve;
mod tournament;
mod train;
mod tree;
mod tune;
mod weights;
mod worksheet;

use crate::failure::Failure;
use crate::output::ColorChoice;

use clap::{Parser, Subcommand};
use fourfold::play::{CHARACTERS, PlayerSpec};

/// What `--version` prints after the name: version, commit, date and target as far as the build
/// knew them. `-V` prints the version alone.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("FOURFOLD_BUILD"), ")");

/// The commit that the command was built from, shortened, if the build knew it.
fn commit() -> Option<String> {
    Some(env!("FOURFOLD_COMMIT")).filter(|commit| !commit.is_empty()).map(str::to_owned)
}

const HELP: &str = "\
Examples:
  fourfold play
  fourfold solve 32164625
  fourfold search 4453 --depth 9
  fourfold help solve";

/// Play, search, count and compare connection games: Connect Four on any board, N in a row, Connect
/// 4 in a Square, tic-tac-toe and other m,n,k games.
#[derive(Debug, Parser)]
#[command(after_help = HELP)]
#[command(name = "fourfold", version, long_version = LONG_VERSION, propagate_version = true)]
pub(crate) struct Cli {
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
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
    #[cfg(feature = "web")]
    Site(site::Args),
    Search(search::Args),
    Mcts(mcts::Args),
    Solve(solve::Args),
    Tree(tree::Args),
    Match(matches::Args),
    Tournament(tournament::Args),
    Engine(engine::Args),
    Replay(replay::Args),
    Review(review::Args),
    Grade(grade::Args),
    Puzzle(puzzle::Args),
    Check(check::Args),
    Worksheet(worksheet::Args),
    Course(course::Args),
    Count(count::Args),
    Convert(convert::Args),
    Positions(positions::Args),
    Book(book::Args),
    Dataset(dataset::Args),
    Shards(shards::Args),
    Lab(lab::Args),
    Ablate(ablate::Args),
    Tune(tune::Args),
    Train(train::Args),
    Weights(weights::Args),
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
        #[cfg(feature = "web")]
        Command::Site(args) => site::run(&args),
        Command::Search(args) => search::run(&args, paint),
        Command::Mcts(args) => mcts::run(&args, paint),
        Command::Solve(args) => solve::run(&args, paint),
        Command::Tree(args) => tree::run(&args, paint),
        Command::Match(args) => matches::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Replay(args) => replay::run(&args, paint),
        Command::Review(args) => review::run(&args, paint),
        Command::Grade(args) => grade::run(&args),
        Command::Puzzle(args) => puzzle::run(&args, paint),
        Command::Check(args) => check::run(&args, paint),
        Command::Worksheet(args) => worksheet::run(&args),
        Command::Course(args) => course::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Positions(args) => positions::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Dataset(args) => dataset::run(&args),
        Command::Shards(args) => shards::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Ablate(args) => ablate::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Weights(args) => weights::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    }
}

/// The players, for the help of commands that seat them, and what else that help says.
fn players_help(rest: &str) -> String {
    let mut help = "Players:\n".to_owned();
    for (name, doc) in PlayerSpec::all() {
        help += &listed(name, doc, 10);
    }
    let characters: Vec<&str> = CHARACTERS.iter().map(|character| character.id).collect();
    help += &format!("\nCharacters, in order of strength:\n  {}\n", characters.join(", "));
    help += "
Arguments follow a colon, separated by commas. Searching players take depth,
eval, weights, nodes, time (in ms) and every switch of 'fourfold search', such
as mid_col or table=16. Every player takes random=0.1, the share of its moves
made at random; these still win or block at once unless careless is given too.
For example:
  level:5
  alphabeta:depth=9,mid_col,early_win
  lookahead:3,random=0.1
  utility:depth=5,weights=1/5/25/100

";
    help + rest
}

/// How wide help texts are: as narrow as terminals are wide, so that they are wrapped here only.
const HELP_WIDTH: usize = 78;

/// `  name       what it is`, wrapped and indented; names have at most `longest` characters.
fn listed(name: &str, doc: &str, longest: usize) -> String {
    let indent = longest + 2;
    let mut lines = String::new();
    let mut line = format!("  {name:longest$}");
    for word in doc.split_whitespace() {
        let width = line.chars().count() + 1 + word.chars().count();
        if width > HELP_WIDTH && line.chars().count() > indent {
            lines += &line;
            lines.push('\n');
            line = " ".repeat(indent);
        }
        line.push(' ');
        line += word;
    }
    lines + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::{Cli, HELP_WIDTH};
    use clap::error::ErrorKind;
    use clap::{Command, CommandFactory, Parser};

    /// Calls `work` for the command and every command below it, with the words that lead there.
    fn walk(command: &Command, path: &[String], work: &mut impl FnMut(&Command, &[String])) {
        let path = [path, &[command.get_name().to_owned()]].concat();
        work(command, &path);
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            walk(below, &path, work);
        }
    }

    fn every_command(mut work: impl FnMut(&Command, &[String])) {
        walk(&Cli::command(), &[], &mut work);
    }

    #[test]
    fn arguments_do_not_clash() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_help_has_examples_and_is_wrapped_once() {
        every_command(|command, path| {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:\n  fourfold "), "{path:?}: {help}");
            for line in help.lines() {
                assert!(line.chars().count() <= HELP_WIDTH, "{path:?}: {line}");
            }
        });
    }

    /// The words of a shell command up to a pipe, a redirection or a comment.
    fn words(command: &str) -> Vec<String> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for sign in command.chars() {
            match (quote, sign) {
                (Some(open), sign) if sign == open => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(sign);
                    word.get_or_insert_default();
                }
                (None, '|' | '>' | '<' | '&' | ';' | '#') => {
                    // The number of a stream that is redirected is no word.
                    word = word.filter(|word| sign != '>' || word != "2");
                    break;
                }
                (None, sign) if sign.is_whitespace() => words.extend(word.take()),
                (_, sign) => word.get_or_insert_default().push(sign),
            }
        }
        words.extend(word);
        words
    }

    /// The commands that a document shows: lines of its blocks and, in the README, code in lines.
    fn shown(document: &str, with_spans: bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut in_block = false;
        // A command may go on after a backslash.
        for line in document.replace("\\\n", " ").lines() {
            if line.starts_with("```") {
                in_block = !in_block;
            } else if in_block {
                let command = line.strip_prefix("$ ").unwrap_or(line);
                found.extend(command.starts_with("fourfold ").then(|| command.to_owned()));
            } else if with_spans {
                let spans = line.split('`').skip(1).step_by(2);
                found.extend(spans.filter(|span| span.starts_with("fourfold ")).map(str::to_owned));
            }
        }
        found
    }

    /// Nothing is run here; `tests/docs.rs` compares what console examples print.
    #[test]
    fn commands_in_the_documents_can_be_parsed() {
        let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let Ok(readme) = std::fs::read_to_string(top.join("README.md")) else { return };
        let mut commands = shown(&readme, true);
        assert!(commands.len() >= 20, "{commands:?}");
        for entry in std::fs::read_dir(top.join("docs")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                commands.extend(shown(&std::fs::read_to_string(path).unwrap(), false));
            }
        }
        for command in commands {
            let words = words(&command.replace("SHELL", "bash"));
            if let Err(why) = Cli::try_parse_from(&words) {
                // A command that has commands of its own, named by itself, shows their list.
                let is_help = matches!(
                    why.kind(),
                    ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                );
                assert!(is_help, "{command}: {words:?}\n{why}");
            }
        }
    }

    #[test]
    fn one_thing_has_one_spelling() {
        let shorts = [
            ("game", 'g'),
            ("from", 'f'),
            ("threads", 't'),
            ("seed", 's'),
            ("count", 'n'),
            ("depth", 'd'),
            ("eval", 'e'),
        ];
        let names = [("threads", "N"), ("seed", "SEED"), ("memory", "SIZE"), ("time", "TIME")];
        let mut seen = 0;
        every_command(|command, path| {
            for argument in command.get_arguments() {
                let Some(long) = argument.get_long() else { continue };
                if let Some((_, short)) = shorts.iter().find(|(name, _)| *name == long) {
                    assert_eq!(argument.get_short(), Some(*short), "{path:?} --{long}");
                    seen += 1;
                }
                if let Some((_, wanted)) = names.iter().find(|(name, _)| *name == long) {
                    let name = argument.get_value_names().and_then(<[_]>::first);
                    assert_eq!(
                        name.map(clap::builder::Str::as_str),
                        Some(*wanted),
                        "{path:?} --{long}"
                    );
                    seen += 1;
                }
            }
        });
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn nonsense_is_refused_in_plain_words() {
        let rust =
            ["invalid digit", "..=", "number too", "expected struct", "expected value", "()"];
        let mut refused = 0;
        every_command(|command, path| {
            for argument in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let Some(long) = argument.get_long() else { continue };
                for nonsense in ["", "-1", "1.5", "nonsense", "99999999999999999999999"] {
                    let words = path.iter().cloned().chain([format!("--{long}={nonsense}")]);
                    let Err(why) = Cli::try_parse_from(words) else { continue };
                    let why = why.to_string();
                    for word in rust {
                        assert!(!why.contains(word), "{path:?} --{long}={nonsense}: {why}");
                    }
                    refused += usize::from(why.contains("invalid value"));
                }
            }
        });
        assert!(refused > 300, "{refused}");
    }
}
