//! `fourfold bench ablation`: what each idea of the solver saves, in nodes.

use crate::arguments::{at_least, mebibytes};
use crate::commands::positions::Range;
use crate::failure::Failure;
use crate::input::GameArg;
use crate::interrupt;
use crate::output::{self, grouped, note, stdout};
use crate::progress::SolveLine;
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::play::random_position;
use fourfold::random::Random;
use fourfold::solver::{Halt, Idea, Ideas, SolveError, Solver, SolverOptions};
use fourfold_lab::files::{read_text, write_whole};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

const HELP: &str = "\
The same positions, and the empty board, are solved with all ideas, then with
each one left out, then with some left out together; each from empty tables,
by one thread, without a book. Node counts are the same on every machine.
'fourfold solve --help' lists what the solver does without each idea.

A position that takes more than --nodes is given up, and its row says that the
number is a lower bound. A score that differs is an error.

With --out, the table is kept in a CSV file, written after each row. Rows that
the file has are not measured again, so an interrupted run continues where it
was. The first row is always measured: a file with another number there was
made by another version, or with other options, and is refused.

Examples:
  fourfold bench ablation
  fourfold bench ablation --markdown --out ablation.csv
  fourfold bench ablation --game 6x5c4 --plies 4..8 --count 20";

/// Measure what each idea of the exact solver saves
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Number of random positions
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    #[arg(value_parser = at_least(1usize))]
    count: usize,

    /// Discs on their boards: A..B, both included, or one number
    #[arg(long, default_value = "10..14", value_name = "A..B")]
    plies: Range,

    /// Random seed
    #[arg(long, short, default_value_t = 2026, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Give a position up after this many nodes
    #[arg(long, default_value_t = 200_000_000, value_name = "N", value_parser = at_least(1u64))]
    nodes: u64,

    /// Memory for the transposition table, in MiB or with a unit (64M, 2G)
    #[arg(long, default_value_t = SolverOptions::default().memory, value_name = "SIZE")]
    #[arg(value_parser = mebibytes)]
    memory: u32,

    /// Keep the table in this CSV file, with the rows it already has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,

    #[command(flatten)]
    game: GameArg,
}

/// What is left out together, after each idea alone.
const TOGETHER: [&[Idea]; 3] = [
    &[Idea::Claimeven, Idea::OddThreat],
    &[Idea::History, Idea::LargeNetworks],
    &[Idea::History, Idea::Networks],
];

const HEAD: &str = "left_out,positions_nodes,positions_given_up,board_nodes,board_given_up";

/// What some positions took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cost {
    nodes: u64,
    /// How many were not solved within the limit.
    given_up: u64,
}

/// What the positions and the empty board took without some ideas.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// The names of what was left out, joined by `+`; empty for nothing.
    left_out: String,
    positions: Cost,
    board: Cost,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let rules = args.game.rules();
    args.plies.check("--plies", &rules)?;
    let positions = positions(args, &rules)?;
    let mut kept = match &args.out {
        Some(path) => read_rows(path)?,
        None => Vec::new(),
    };
    let watch = interrupt::budget()?;
    let line = SolveLine::new(&watch);
    line.begin();
    let sets = sets(&rules);
    let mut scores = vec![None; positions.len() + 1];
    let mut rows: Vec<Row> = Vec::new();
    let mut interrupted = false;
    for (index, ideas) in sets.iter().enumerate() {
        let left_out = name(*ideas);
        let known = kept.iter().position(|row| row.left_out == left_out);
        let known = known.map(|index| kept.remove(index));
        if let Some(row) = known.as_ref().filter(|_| index > 0) {
            rows.push(row.clone());
            continue;
        }
        line.say(|| {
            let what = if left_out.is_empty() { "all ideas" } else { &left_out };
            format!("{} of {}, {what}", index + 1, sets.len())
        });
        let options = SolverOptions::default().with_memory(args.memory).with_ideas(*ideas);
        let mut solver = Solver::new(&rules, options).map_err(Failure::runtime)?;
        let all = [&positions[..], &[Position::new(rules)]].concat();
        let costs = measure(&mut solver, &all, &mut scores, args.nodes, &watch)
            .map_err(|why| name_row(&left_out, why))?;
        let Some((board, positions)) = costs.as_deref().and_then(<[Cost]>::split_last) else {
            interrupted = true;
            break;
        };
        let sum = |sum: Cost, cost: &Cost| Cost {
            nodes: sum.nodes + cost.nodes,
            given_up: sum.given_up + cost.given_up,
        };
        let positions = positions.iter().fold(Cost::default(), sum);
        let row = Row { left_out, positions, board: *board };
        if let (Some(known), Some(path)) = (known, &args.out)
            && known != row
        {
            return Err(Failure::usage(format!(
                "{}: made by another version or with other options: {} and {} nodes with all \
                 ideas, here {} and {}",
                path.display(),
                known.positions.nodes,
                known.board.nodes,
                row.positions.nodes,
                row.board.nodes
            )));
        }
        rows.push(row);
        if let Some(path) = &args.out {
            write_whole(path, csv(rows.iter().chain(&kept)).as_bytes())?;
        }
    }
    line.end();
    let mut out = stdout();
    let cells = cells(&rows, positions.len());
    write!(out, "{}", if args.markdown { markdown(&cells) } else { output::table(&cells) })?;
    out.flush()?;
    if interrupted { Err(Failure::runtime("interrupted")) } else { Ok(()) }
}

/// Which ideas to use for each row: all of them, then all but each one that plays a part in the
/// game, then all but some.
fn sets(rules: &Rules) -> Vec<Ideas> {
    let without = |left_out: &[Idea]| {
        let all = left_out.iter().all(|idea| idea.plays_a_part_in(rules));
        let less = |ideas: Ideas, &idea: &Idea| ideas.without(idea);
        left_out.iter().try_fold(Ideas::ALL, less).filter(|_| all)
    };
    let alone = Idea::ALL.iter().filter_map(|&idea| without(&[idea]));
    let together = TOGETHER.iter().filter_map(|left_out| without(left_out));
    std::iter::once(Ideas::ALL).chain(alone).chain(together).collect()
}

fn name(ideas: Ideas) -> String {
    ideas.left_out().map(Idea::name).collect::<Vec<_>>().join("+")
}

/// The same positions as `fourfold positions` finds, without their scores.
fn positions(args: &Args, rules: &Rules) -> Result<Vec<Position>, Failure> {
    const TRIES: usize = 10_000;
    let plies = args.plies.first..=args.plies.last.min(rules.cells() - 1);
    let mut seen = HashSet::new();
    let found = (0..).take(args.count.saturating_mul(TRIES) as u64 as usize).filter_map(|game| {
        let mut random = Random::for_item(args.seed, game as u64);
        let (position, _) = random_position(rules, plies.clone(), &mut random)?;
        seen.insert(position.canonical().key()).then_some(position)
    });
    let found: Vec<Position> = found.take(args.count).collect();
    if found.len() < args.count {
        let (found, count) = (found.len(), args.count);
        return Err(Failure::runtime(format!("found {found} of {count} positions")));
    }
    Ok(found)
}

/// What each position takes alone, within so many nodes; `None` after Ctrl-C. Scores must be those
/// found before.
fn measure(
    solver: &mut Solver,
    positions: &[Position],
    scores: &mut [Option<i32>],
    nodes: u64,
    watch: &Budget,
) -> Result<Option<Vec<Cost>>, Failure> {
    let mut costs = Vec::new();
    for (position, known) in positions.iter().zip(scores) {
        solver.forget();
        costs.push(match solver.solve(position, &watch.part().with_nodes(nodes)) {
            Ok(solved) => {
                let score = *known.get_or_insert(solved.score);
                if score != solved.score {
                    return Err(Failure::runtime(format!(
                        "the score is {}, not {score}\n{position}",
                        solved.score
                    )));
                }
                Cost { nodes: solved.nodes, given_up: 0 }
            }
            Err(SolveError::Unfinished { stop: Halt::Stopped, .. }) => return Ok(None),
            Err(SolveError::Unfinished { nodes, .. }) => Cost { nodes, given_up: 1 },
            Err(why) => return Err(Failure::runtime(why)),
        });
        if watch.is_stopped() {
            return Ok(None);
        }
    }
    Ok(Some(costs))
}

fn name_row(left_out: &str, why: Failure) -> Failure {
    match why {
        Failure::Runtime(why) => Failure::runtime(format!("without {left_out}: {why}")),
        why => why,
    }
}

/// The table for people, with its head.
fn cells(rows: &[Row], count: usize) -> Vec<Vec<String>> {
    let head = ["left out", &format!("{count} positions"), "times", "empty board", "times"];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    let Some(first) = rows.first() else { return cells };
    for row in rows {
        let name = if row.left_out.is_empty() {
            "nothing".to_owned()
        } else {
            row.left_out.replace('+', ", ")
        };
        let mut line = vec![name];
        for (cost, base) in [(row.positions, first.positions), (row.board, first.board)] {
            let more = if cost.given_up > 0 { "> " } else { "" };
            let times = cost.nodes as f64 / base.nodes.max(1) as f64;
            line.push(format!("{more}{}", grouped(cost.nodes)));
            line.push(format!("{more}{times:.2}"));
        }
        cells.push(line);
    }
    cells
}

fn markdown(cells: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let (head, rows) = cells.split_first().map_or((String::new(), cells), |(head, rows)| {
        (format!("{}|---|{}\n", line(head), "---:|".repeat(head.len() - 1)), rows)
    });
    // In documents numbers are grouped by commas.
    rows.iter().fold(head, |text, row| text + &line(row)).replace('\u{202f}', ",")
}

fn csv<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    rows.fold(format!("{HEAD}\n"), |text, Row { left_out, positions, board }| {
        let Cost { nodes, given_up } = positions;
        let line = format!("{left_out},{nodes},{given_up},{},{}\n", board.nodes, board.given_up);
        text + &line
    })
}

/// The rows of a file; none if there is no such file.
fn read_rows(path: &Path) -> Result<Vec<Row>, Failure> {
    let text = match read_text(path) {
        Err(why) if why.is_not_found() => return Ok(Vec::new()),
        text => text?,
    };
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(Failure::invalid(format!("{}: this is no table of ablations", path.display())));
    }
    let mut rows = Vec::new();
    for (index, line) in lines.enumerate() {
        match row_of(line) {
            Some(row) => rows.push(row),
            None => note(format!("fourfold: {}:{}: ignored", path.display(), index + 2)),
        }
    }
    Ok(rows)
}

fn row_of(line: &str) -> Option<Row> {
    let (left_out, numbers) = line.split_once(',')?;
    let numbers: Vec<u64> =
        numbers.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [positions, given_up, board, board_given_up] = numbers[..] else { return None };
    Some(Row {
        left_out: left_out.to_owned(),
        positions: Cost { nodes: positions, given_up },
        board: Cost { nodes: board, given_up: board_given_up },
    })
}

#[cfg(test)]
mod tests {
    use super::{Cost, HEAD, Row, cells, csv, markdown, row_of, sets};
    use fourfold::game::Rules;

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let row = |left_out: &str, nodes: u64, given_up: u64| Row {
            left_out: left_out.to_owned(),
            positions: Cost { nodes, given_up: 0 },
            board: Cost { nodes: 10 * nodes, given_up },
        };
        let rows = [row("", 1000, 0), row("history+networks", 2500, 1)];
        let text = csv(rows.iter());
        let read: Vec<Row> = text.lines().skip(1).filter_map(row_of).collect();
        assert_eq!(text.lines().next(), Some(HEAD));
        assert_eq!(read, rows);
        for line in ["", "history", "history,1,2,3", "history,1,2,3,x", "a,1,2,3,4,5"] {
            assert_eq!(row_of(line), None, "{line}");
        }
        assert_eq!(
            markdown(&cells(&rows, 50)),
            "| left out | 50 positions | times | empty board | times |\n\
             |---|---:|---:|---:|---:|\n\
             | nothing | 1,000 | 1.00 | 10,000 | 1.00 |\n\
             | history, networks | 2,500 | 2.50 | > 25,000 | > 2.50 |\n"
        );
    }

    #[test]
    fn ideas_that_play_no_part_have_no_row() {
        let rows = |game: &str| sets(&game.parse::<Rules>().unwrap()).len();
        assert!(rows("7x6c4") > rows("7x6c5") && rows("7x6c5") > rows("3x3c3f"));
    }
}
