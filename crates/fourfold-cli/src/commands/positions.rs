//! `fourfold positions`: sets of solved random positions, to test and measure solvers with.

use crate::arguments::at_least;
use crate::failure::Failure;
use crate::input::GameArg;
use crate::interrupt;
use crate::output::{note, stdout};
use crate::progress::SolveLine;
use crate::solving::{SolverArgs, moves_to_the_end};
use fourfold::game::Rules;
use fourfold::game::notation::{self, Entry, Format};
use fourfold::play::{self, random_position};
use fourfold::random::Random;
use fourfold::solver::{Halt, SolveError};
use std::collections::HashSet;
use std::io::Write;
use std::str::FromStr;

const HELP: &str = "\
Each line has the moves of a position and its score for the side to move, as
'fourfold solve' prints them. No game is over, the side to move cannot win at
once, and no position occurs twice, nor does its mirror image. The same
options give the same lines. Positions that take the solver more than --nodes
are skipped, so a set from early in the game leans towards easier positions:
raise --nodes if that matters.

Examples:
  fourfold positions --phase end --count 1000 --seed 1 > end.txt
  fourfold positions --phase middle --remaining 1..14 > middle-easy.txt
  fourfold positions --plies 20..24 --game 8x7c4 --count 10
  fourfold bench positions end.txt";

/// Generate random positions with their exact scores
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
#[command(group(clap::ArgGroup::new("discs").required(true).args(["phase", "plies"])))]
pub(crate) struct Args {
    /// Phase of the game
    #[arg(long, short)]
    phase: Option<Phase>,

    /// Discs on the board: A..B, both included, or one number
    #[arg(long, value_name = "A..B")]
    plies: Option<Range>,

    /// Plies to the end under best play: A..B, both included, or one number [default: any]
    #[arg(long, value_name = "A..B")]
    remaining: Option<Range>,

    /// Number of positions
    #[arg(long, short = 'n', default_value_t = 100, value_name = "N")]
    #[arg(value_parser = at_least(1u64))]
    count: u64,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Skip positions that are not solved within this many nodes
    #[arg(long, default_value_t = 10_000_000, value_name = "N", value_parser = at_least(1u64))]
    nodes: u64,

    /// Give up after this many random games in a row without a new position
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = at_least(1u64))]
    tries: u64,

    /// Print one JSON object per position
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: GameArg,

    #[command(flatten)]
    solver: SolverArgs,
}

/// A part of the game, by how full the board is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Phase {
    /// Up to a third of the cells are filled
    Begin,
    /// More than a third, up to two thirds
    Middle,
    /// More than two thirds
    End,
}

impl Phase {
    fn plies(self, rules: &Rules) -> Range {
        let phase = match self {
            Self::Begin => play::Phase::Begin,
            Self::Middle => play::Phase::Middle,
            Self::End => play::Phase::End,
        };
        let plies = phase.plies(rules);
        Range { first: *plies.start(), last: *plies.end() }
    }
}

/// Numbers from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Range {
    /// Refuses numbers of discs that no game under way has.
    pub(super) fn check(self, option: &str, rules: &Rules) -> Result<(), Failure> {
        let (first, cells) = (self.first, rules.cells());
        if first < cells {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{option} {first}: a game of {rules} is over with {cells} discs at the latest"
        )))
    }

    fn contains(self, number: u32) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Self { first, last }),
            (Ok(first), Ok(last)) => {
                Err(format!("{first} is more than {last}: write the smaller first"))
            }
            _ => Err("write two whole numbers such as 8..14, or one".to_owned()),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rules = args.game.rules();
    let mut plies = match (args.plies, args.phase) {
        (Some(plies), _) => plies,
        (None, Some(phase)) => phase.plies(&rules),
        (None, None) => return Err(Failure::usage("give --phase or --plies")),
    };
    plies.check("--plies", &rules)?;
    plies.last = plies.last.min(rules.cells() - 1);
    let most_remaining = rules.cells() - plies.first;
    if let Some(wanted) = args.remaining.filter(|wanted| wanted.first > most_remaining) {
        return Err(Failure::usage(format!(
            "--remaining {}: with {} discs on the board at most {most_remaining} plies remain",
            wanted.first, plies.first
        )));
    }
    let mut solver = args.solver.solver_for(&rules)?;
    let watch = interrupt::budget()?;
    let line = SolveLine::new(&watch);
    line.begin();
    let mut out = stdout();
    let mut seen = HashSet::new();
    let (mut found, mut too_hard, mut in_vain) = (0, 0u64, 0);
    for game in 0.. {
        if found == args.count || in_vain == args.tries {
            break;
        }
        if watch.is_stopped() {
            return Err(Failure::runtime(format!(
                "interrupted: found {found} of {} positions",
                args.count
            )));
        }
        line.say(|| format!("position {} of {}", found + 1, args.count));
        in_vain += 1;
        let mut random = Random::for_item(args.seed, game);
        let Some((position, moves)) =
            random_position(&rules, plies.first..=plies.last, &mut random)
        else {
            continue;
        };
        if !seen.insert(position.canonical().key()) {
            continue;
        }
        let budget = watch.part().with_nodes(args.nodes);
        // What one position costs must not depend on those before it, or the lines would.
        solver.forget();
        let solved = match solver.solve(&position, &budget) {
            Ok(solved) => solved,
            Err(SolveError::Unfinished { stop, .. }) => {
                too_hard += u64::from(stop != Halt::Stopped);
                continue;
            }
            Err(why) => return Err(Failure::runtime(why)),
        };
        let left = moves_to_the_end(solved.verdict, &position);
        if args.remaining.is_some_and(|wanted| !left.is_some_and(|left| wanted.contains(left))) {
            continue;
        }
        let text = if args.json {
            let entry = Entry::of(position).with_moves(moves).with_score(solved.score);
            notation::write(&entry, Format::Ndjson).map_err(Failure::runtime)?
        } else {
            format!("{} {}", notation::moves_text(&rules, &moves), solved.score)
        };
        line.aside(|| writeln!(out, "{text}").and_then(|()| out.flush()))?;
        (found, in_vain) = (found + 1, 0);
    }
    line.end();
    if too_hard > 0 {
        let positions = if too_hard == 1 { "position" } else { "positions" };
        note(format!("Skipped {too_hard} {positions} that took more than {} nodes.", args.nodes));
    }
    if found < args.count {
        let wanted = args.count;
        return Err(Failure::runtime(format!(
            "found {found} of {wanted} positions, then none in {in_vain} random games \
             (--tries allows more)"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Phase, Range};
    use fourfold::game::Rules;

    #[test]
    fn ranges_are_read_with_both_ends() {
        assert_eq!("8..14".parse(), Ok(Range { first: 8, last: 14 }));
        assert_eq!("8".parse(), Ok(Range { first: 8, last: 8 }));
        for text in ["", "..", "9..8", "a..b", "-1..3", "1...3"] {
            assert!(text.parse::<Range>().is_err(), "{text}");
        }
    }

    #[test]
    fn phases_follow_each_other() {
        let plies = |phase: Phase| phase.plies(&Rules::CONNECT_FOUR);
        assert_eq!(plies(Phase::Begin), Range { first: 0, last: 14 });
        assert_eq!(plies(Phase::Middle), Range { first: 15, last: 28 });
        assert_eq!(plies(Phase::End), Range { first: 29, last: 41 });
    }
}
