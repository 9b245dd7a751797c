//! `fourfold mcts`: Monte Carlo tree search from any position.

use crate::arguments::{at_least, milliseconds};
use crate::failure::Failure;
use crate::input::{self, PositionArgs};
use crate::interrupt;
use crate::output::{Paint, grouped, rate, stdout, table, time};
use fourfold::budget::Budget;
use fourfold::game::Position;
use fourfold::game::notation::Entry;
use fourfold::score::Verdict;
use fourfold::search::{Ended, MctsMove, MctsOptions, MctsReport, PlayoutPolicy, monte_carlo};
use fourfold_app::board_text;
use fourfold_app::shapes::{heading, labels};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
A move's result is the mean of its playouts for the side to move: 100 % if all
were won, 50 % for draws. 'wins', 'draws' and 'loses' are proven.

Examples:
  fourfold mcts ''                  Connect Four from the empty board
  fourfold mcts 4453 --playouts 100000
  fourfold mcts 4453 --nodes 1000000 --policy random --exploration 0.7
  fourfold match mcts:playouts=1000 alphabeta:depth=5";

/// Search a position by Monte Carlo tree search (UCT): visits and mean result of every move
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Positions in any notation ('' is the empty board) [default: standard input, one per line]
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    #[command(flatten)]
    game: PositionArgs,

    /// Number of playouts [default: 10000; no limit with --time or --nodes]
    #[arg(long, short = 'n', value_name = "N", value_parser = at_least(1u64))]
    playouts: Option<u64>,

    /// Visit at most this many nodes, in the tree and in playouts
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,

    /// Time limit, in milliseconds or with a unit (500ms, 5s, 2m)
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    time: Option<u64>,

    /// Exploration constant of UCB1, from 0 (greedy) to 100
    #[arg(long, value_name = "C", default_value_t = MctsOptions::default().exploration)]
    #[arg(value_parser = exploration)]
    exploration: f64,

    /// How playouts are played: naive (win, else block, else any move) or random
    #[arg(long, value_name = "POLICY", default_value_t = PlayoutPolicy::default())]
    #[arg(value_parser = policy)]
    policy: PlayoutPolicy,

    /// Do not back up proven results
    #[arg(long)]
    no_proven: bool,

    /// Random seed
    #[arg(long, short, default_value_t = 1, value_name = "SEED", value_parser = at_least(0u64))]
    seed: u64,

    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

const DEFAULT_PLAYOUTS: u64 = 10_000;

fn exploration(text: &str) -> Result<f64, String> {
    let most = MctsOptions::MOST_EXPLORATION;
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("it is a number from 0 to {most}"))
}

fn policy(text: &str) -> Result<PlayoutPolicy, String> {
    text.parse().map_err(|()| "playouts are random or naive".to_owned())
}

pub(crate) fn run(args: &Args, paint: Paint) -> Result<(), Failure> {
    let limited = args.time.is_some() || args.nodes.is_some();
    let mut options = MctsOptions::default();
    options.playouts = args.playouts.or((!limited).then_some(DEFAULT_PLAYOUTS));
    options.exploration = args.exploration;
    options.policy = args.policy;
    options.proven = !args.no_proven;
    let stop = interrupt::flag()?;
    let mut out = stdout();
    let mut first = true;
    let result = input::for_each(&args.positions, |text| {
        let entry = args.game.read(text)?;
        let budget = Budget::unlimited()
            .with_nodes(args.nodes)
            .with_time(args.time.map(Duration::from_millis))
            .with_stop(stop.clone());
        let start = Instant::now();
        let report = monte_carlo(&entry.position, &options, &budget, args.seed);
        let elapsed = start.elapsed();
        if args.json {
            serde_json::to_writer(&mut out, &report_json(&entry, &options, &report, elapsed))
                .map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            if !first {
                writeln!(out)?;
            }
            write_report(&mut out, &entry.position, &report, elapsed, paint)?;
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
    report: &MctsReport,
    elapsed: Duration,
    paint: Paint,
) -> Result<(), Failure> {
    let rules = position.rules();
    writeln!(out, "{rules}, {} discs, {} to move", position.ply(), position.to_move().letter())?;
    writeln!(out, "{}\n", board_text::draw(position, None, paint))?;
    if report.moves.is_empty() {
        writeln!(out, "The game is over.")?;
        return Ok(());
    }
    let mut rows = vec![["move", "visits", "result"].map(str::to_owned).to_vec()];
    for found in &report.moves {
        let mark = if report.best == Some(found.mv) { "→" } else { " " };
        rows.push(vec![
            format!("{mark} {}", found.mv.label(rules)),
            grouped(found.visits),
            result_text(found),
        ]);
    }
    writeln!(out, "{}", table(&rows))?;
    if let Some(best) = report.best {
        let kind = if rules.gravity() { "column" } else { "cell" };
        let result = match report.verdict {
            Verdict::Estimate(points) => format!("{:.1} % of the points", points_share(points)),
            verdict => format!("proven: {verdict}"),
        };
        let summary = format!("Best: {kind} {}, {result}.", best.label(rules));
        writeln!(out, "{}", paint.strong(&summary))?;
        writeln!(out, "Most visited line: {}", labels(rules, &report.line).join(" "))?;
    }
    writeln!(
        out,
        "{} playouts, {} nodes, a tree of {} positions that is {} plies deep, {} ({}).",
        grouped(report.playouts),
        grouped(report.nodes),
        grouped(report.tree),
        report.depth,
        time(elapsed),
        rate(report.nodes, elapsed)
    )?;
    Ok(())
}

/// An estimate in thousandths as the share of points, in per cent.
fn points_share(points: i32) -> f64 {
    50.0 + f64::from(points) / 20.0
}

fn result_text(found: &MctsMove) -> String {
    match (found.proven, found.mean) {
        (Some(verdict), _) => verdict.to_string(),
        (None, Some(mean)) => format!("{:.1} %", 100.0 * mean),
        (None, None) => "not tried".to_owned(),
    }
}

fn report_json(
    entry: &Entry,
    options: &MctsOptions,
    report: &MctsReport,
    elapsed: Duration,
) -> Value {
    let rules = entry.position.rules();
    let moves = report.moves.iter().map(|found| {
        json!({
            "move": found.mv.label(rules),
            "visits": found.visits,
            "mean": found.mean,
            "proven": found.proven,
        })
    });
    let mut answer = heading(entry);
    // As `search --json` names them.
    answer["moves_so_far"] = answer["moves"].take();
    answer["playouts"] = report.playouts.into();
    answer["exploration"] = options.exploration.into();
    answer["policy"] = options.policy.to_string().into();
    answer["verdict"] = json!(report.verdict);
    answer["best"] = json!(report.best.map(|mv| mv.label(rules)));
    answer["line"] = json!(labels(rules, &report.line));
    answer["moves"] = moves.collect();
    answer["nodes"] = report.nodes.into();
    answer["tree"] = report.tree.into();
    answer["depth"] = report.depth.into();
    answer["ended"] = match report.ended {
        Ended::Completed => "completed".into(),
        Ended::Decided => "decided".into(),
        Ended::Halted(halt) => halt.to_string().into(),
    };
    answer["time_ms"] = json!(elapsed.as_secs_f64() * 1e3);
    answer
}
