//! `fourfold search`: minimax or alpha-beta from any position, with every switch and every counter.

use super::Algorithm;
use crate::arguments::{at_least, milliseconds};
use crate::failure::Failure;
use crate::input::{self, PositionArgs};
use crate::interrupt;
use crate::output::{Paint, grouped, rate, stdout, table, time};
use crate::switches::SwitchArgs;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::notation::{self, Entry, Format};
use fourfold::game::{Move, Position, Rules};
use fourfold::score::Verdict;
use fourfold::search::{
    Bound, Counters, Ended, Halt, Limits, PositionMove, PositionReport, SearchError, SearchOptions,
    Searcher,
};
use fourfold_app::board_text;
use fourfold_app::text::capital;
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

const EXAMPLES: &str = "\
Values are for the side to move: +27 is an estimate, a win or a loss is
certain. A value marked <= or >= is a bound: alpha-beta needed no more.
--exact-root gives every move its value.

Examples:
  fourfold search ''                Connect Four from the empty board
  fourfold search 4453 --depth 9 --mid-col --early-win
  fourfold search 4453 --time 2s    as deep as two seconds allow
  fourfold search --game tictactoe '' --depth 9 --algorithm minimax
  fourfold search --game square '' --depth 6 --json";

/// The evaluators, and how to read the output.
fn help() -> String {
    let list = Evaluator::ALL.iter().map(|(name, doc)| super::listed(name, doc, 15));
    let evaluators: String = list.collect();
    format!("Evaluators:\n{evaluators}\n{EXAMPLES}")
}

/// Search a position with minimax or alpha-beta: the value of every move, the principal variation
/// and exact counters
#[derive(Debug, clap::Args)]
#[command(after_help = help())]
pub(crate) struct Args {
    /// Positions in any notation ('' is the empty board) [default: standard input, one per line]
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    #[command(flatten)]
    game: PositionArgs,

    /// Plies (moves of both sides) to look ahead [default: 7; to the end with --time or --nodes]
    #[arg(long, short, value_name = "PLIES", value_parser = at_least(0u32))]
    depth: Option<u32>,

    /// Evaluator for positions at the horizon (see below) [default: the one that suits the game]
    #[arg(long, short, value_name = "EVALUATOR")]
    eval: Option<Evaluator>,

    /// minimax or alphabeta: the same as --alpha-beta=off or on
    #[arg(long, value_name = "NAME", conflicts_with = "alpha_beta")]
    algorithm: Option<Algorithm>,

    /// Visit at most this many nodes
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,

    /// Time limit, in milliseconds or with a unit (500ms, 5s, 2m)
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    time: Option<u64>,

    /// Random seed, for choosing between equal moves with --tie random
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Print one JSON object per position
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    switches: SwitchArgs,
}

const DEFAULT_DEPTH: u32 = 7;

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let mut options = args.switches.options.clone();
    if let Some(algorithm) = args.algorithm {
        options.alpha_beta = algorithm == Algorithm::Alphabeta;
    }
    let limited = args.time.is_some() || args.nodes.is_some();
    if limited && args.depth.is_none() {
        // A budget without a depth is spent by looking one ply further each time.
        options.deepening = true;
    }
    let depth = args.depth.unwrap_or(if limited { u32::MAX } else { DEFAULT_DEPTH });
    let stop = interrupt::flag()?;
    let limits = || {
        let budget = Budget::unlimited()
            .with_nodes(args.nodes)
            .with_time(args.time.map(Duration::from_millis))
            .with_stop(Arc::clone(&stop));
        Limits::depth(depth).within(budget)
    };
    let mut out = stdout();
    let mut first = true;
    let result = input::for_each(&args.positions, |text| {
        let entry = args.game.read(text)?;
        let position = entry.position;
        let evaluator = args.eval.clone();
        let evaluator = evaluator.unwrap_or_else(|| Evaluator::textbook(position.rules()));
        evaluator.check(position.rules()).map_err(Failure::usage)?;
        let mut searcher = Searcher::new(evaluator.clone(), options.clone());
        let report = searcher.search(&position, &limits(), args.seed).map_err(|why| match why {
            SearchError::Interrupted { halt: Halt::Nodes | Halt::Time, .. } => {
                Failure::Unfinished(why.to_string())
            }
            why => Failure::runtime(why),
        })?;
        if args.json {
            let json = SearchJson::new(&entry, &evaluator, &options, &report);
            serde_json::to_writer(&mut out, &json).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            if !first {
                writeln!(out)?;
            }
            write_report(&mut out, &position, &evaluator, &report, paint)?;
            if !options.keeps_value() {
                writeln!(out, "Moves were left out, so nothing here is certain.")?;
            }
        }
        first = false;
        out.flush()?;
        Ok(())
    });
    out.flush()?;
    result
}

fn write_report(
    out: &mut impl Write,
    position: &Position,
    evaluator: &Evaluator,
    report: &PositionReport,
    paint: Paint,
) -> Result<(), Failure> {
    let rules = position.rules();
    let game = if rules.name().is_some() {
        format!("{} ({rules})", rules.title())
    } else {
        rules.to_string()
    };
    writeln!(out, "{game}, {} discs, {} to move", position.ply(), position.to_move().letter())?;
    writeln!(out, "{}\n", board_text::draw(position, None, paint))?;
    if report.moves.is_empty() {
        writeln!(out, "{}", without_moves(position, evaluator, report))?;
        return Ok(());
    }
    let mut rows = vec![["move", "value", "nodes", "line"].map(str::to_owned).to_vec()];
    for found in &report.moves {
        let mark = if report.best == Some(found.mv) { "→" } else { " " };
        let line = moves_in_words(rules, &found.line);
        let value = match found.same_as {
            Some(same) => format!("as {}", same.label(rules)),
            None => value_text(found),
        };
        rows.push(vec![
            format!("{mark} {}", found.mv.label(rules)),
            value,
            grouped(found.nodes),
            line,
        ]);
    }
    writeln!(out, "{}", flush_left_last(&rows))?;
    if let Some(best) = report.best {
        let kind = if rules.gravity() { "column" } else { "cell" };
        let summary =
            format!("Best: {kind} {}, {}.", best.label(rules), verdict_text(report.verdict));
        writeln!(out, "{} {}", paint.strong(&summary), how_far(report, evaluator))?;
        writeln!(out, "Expected line: {}", moves_in_words(rules, &report.line))?;
    }
    writeln!(out, "{}", counters_text(&report.counters, report.elapsed))?;
    Ok(())
}

/// The table, its last column flush left: lines of moves read from the left.
fn flush_left_last(rows: &[Vec<String>]) -> String {
    let longest = rows
        .iter()
        .filter_map(|row| row.last())
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(0);
    let padded: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut row = row.clone();
            if let Some(last) = row.last_mut() {
                last.push_str(&" ".repeat(longest - last.chars().count()));
            }
            row
        })
        .collect();
    table(&padded)
}

fn without_moves(position: &Position, evaluator: &Evaluator, report: &PositionReport) -> String {
    if position.outcome().is_over() {
        let outcome = match report.verdict {
            Verdict::Loss { .. } => format!("The {} player has won.", position.to_move().other()),
            _ => "It is a draw.".to_owned(),
        };
        format!("The game is over. {outcome}")
    } else {
        format!("Looking no move ahead, {evaluator} says {}.", report.verdict)
    }
}

fn value_text(found: &PositionMove) -> String {
    match (found.verdict, found.bound) {
        (None, _) => "not tried".to_owned(),
        (Some(verdict), Bound::Exact) => verdict.to_string(),
        (Some(verdict), Bound::AtMost) => format!("<= {verdict}"),
        (Some(verdict), Bound::AtLeast) => format!(">= {verdict}"),
    }
}

fn verdict_text(verdict: Verdict) -> String {
    match verdict {
        Verdict::Estimate(_) => format!("estimated at {verdict}"),
        _ => verdict.to_string(),
    }
}

fn how_far(report: &PositionReport, evaluator: &Evaluator) -> String {
    let plies = if report.depth == 1 { "ply" } else { "plies" };
    let why = match report.ended {
        Ended::Completed => String::new(),
        Ended::Decided => ", which settles it".to_owned(),
        Ended::Halted(halt) => format!("; then {halt}"),
    };
    format!("Looked {} {plies} ahead with {evaluator}{why}.", report.depth)
}

/// Moves as people name them, with spaces.
fn moves_in_words(rules: &Rules, moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.label(rules)).collect::<Vec<_>>().join(" ")
}

fn counters_text(counters: &Counters, elapsed: Duration) -> String {
    let mut parts = vec![
        format!(
            "{} nodes (calls below the root: {})",
            grouped(counters.nodes),
            grouped(counters.nodes - 1)
        ),
        format!("{} evaluations", grouped(counters.evaluations)),
        format!("{} ends of games", grouped(counters.ended)),
    ];
    let cuts = counters.all_cuts();
    if cuts > 0 {
        let by_first = 100.0 * counters.cuts[0] as f64 / cuts as f64;
        parts.push(format!("{} cuts, {by_first:.0} % by the first move", grouped(cuts)));
    }
    if counters.table_probes > 0 {
        parts.push(format!(
            "{} table hits of {}",
            grouped(counters.table_hits),
            grouped(counters.table_probes)
        ));
    }
    let rare = [
        (counters.cached_end_hits, "cached ends"),
        (counters.book_hits, "book hits"),
        (counters.symmetric, "symmetric moves skipped"),
        (counters.forward_pruned, "moves left out"),
        (counters.early_wins, "early wins"),
    ];
    let rare = rare.into_iter().filter(|(count, _)| *count > 0);
    parts.extend(rare.map(|(count, what)| format!("{} {what}", grouped(count))));
    parts.push(format!("{} ({})", time(elapsed), rate(counters.nodes, elapsed)));
    capital(&parts.join(", ")) + "."
}

#[derive(Serialize)]
struct SearchJson<'a> {
    game: Rules,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_so_far: Option<String>,
    position: String,
    evaluator: String,
    switches: std::collections::BTreeMap<&'static str, String>,
    depth: u32,
    verdict: Verdict,
    score: i32,
    keeps_value: bool,
    best: Option<String>,
    line: Vec<String>,
    moves: Vec<MoveJson>,
    counters: &'a Counters,
    calls_below_root: u64,
    ended: String,
    time_ms: f64,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    name: String,
    verdict: Option<Verdict>,
    score: Option<i32>,
    bound: Bound,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<String>,
    nodes: u64,
    line: Vec<String>,
}

impl<'a> SearchJson<'a> {
    fn new(
        entry: &Entry,
        evaluator: &Evaluator,
        options: &SearchOptions,
        report: &'a PositionReport,
    ) -> Self {
        let rules = entry.position.rules();
        let label = |mv: &Move| mv.label(rules);
        let labels = |moves: &[Move]| moves.iter().map(label).collect();
        Self {
            game: *rules,
            moves_so_far: entry.moves.as_ref().map(|moves| notation::moves_text(rules, moves)),
            position: notation::write(&Entry::of(entry.position), Format::Fen).unwrap_or_default(),
            evaluator: evaluator.to_string(),
            switches: options.changed().map(|(switch, value)| (switch.name, value)).collect(),
            depth: report.depth,
            verdict: report.verdict,
            score: report.score,
            keeps_value: options.keeps_value(),
            best: report.best.as_ref().map(label),
            line: labels(&report.line),
            moves: report
                .moves
                .iter()
                .map(|found| MoveJson {
                    name: label(&found.mv),
                    verdict: found.verdict,
                    score: found.score,
                    bound: found.bound,
                    same_as: found.same_as.as_ref().map(label),
                    nodes: found.nodes,
                    line: labels(&found.line),
                })
                .collect(),
            counters: &report.counters,
            calls_below_root: report.counters.nodes.saturating_sub(1),
            ended: match report.ended {
                Ended::Completed => "completed".to_owned(),
                Ended::Decided => "decided".to_owned(),
                Ended::Halted(halt) => halt.to_string(),
            },
            time_ms: report.elapsed.as_secs_f64() * 1e3,
        }
    }
}
