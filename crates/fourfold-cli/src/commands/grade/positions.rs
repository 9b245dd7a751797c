//! `fourfold grade --positions`: a player's choices in a list of positions, one choice in each.

use crate::external;
use crate::failure::Failure;
use crate::input::{read_positions, threads_or_all};
use crate::output::{grouped, stdout, table};
use crate::progress::Bar;
use crate::solving::Solvers;
use fourfold::budget::Budget;
use fourfold::game::{Position, Rules};
use fourfold::play::{Interval, PlayerSpec, wilson};
use fourfold::workers::share_out;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// What a file's positions showed.
#[derive(Debug, Serialize)]
struct Counted {
    player: String,
    positions: String,
    count: u64,
    changed: u64,
    error: f64,
    error_interval: Interval,
}

/// Counts how often a player's choice changes the outcome of a position.
pub(super) fn run(args: &super::Args, judge: &super::Judge) -> Result<(), Failure> {
    let spec = external::player(&args.who).map_err(Failure::usage)?;
    let rules = args.game.rules();
    let mut counted = Vec::new();
    for path in &args.positions {
        let positions = read_positions(path, &rules)?;
        let changed = count(args, judge, &rules, &spec, positions.clone(), path)?;
        let count = positions.len() as u64;
        counted.push(Counted {
            player: spec.to_string(),
            positions: path.display().to_string(),
            count,
            changed,
            error: changed as f64 / count.max(1) as f64,
            error_interval: wilson(changed, count),
        });
    }
    let mut out = stdout();
    if args.json {
        for counted in &counted {
            serde_json::to_writer(&mut out, counted).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    } else {
        let head = ["positions", "count", "outcome changed", "share", "95 % CI"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for Counted { positions, count, changed, error, error_interval, .. } in &counted {
            let Interval { low, high } = error_interval;
            rows.push(vec![
                positions.clone(),
                grouped(*count),
                grouped(*changed),
                format!("{:.2} %", 100.0 * error),
                format!("{:.2}-{:.2}", 100.0 * low, 100.0 * high),
            ]);
        }
        write!(out, "{spec}\n\n{}", table(&rows))?;
    }
    out.flush()?;
    Ok(())
}

fn count(
    args: &super::Args,
    judge: &super::Judge,
    rules: &Rules,
    spec: &PlayerSpec,
    positions: Vec<Position>,
    path: &Path,
) -> Result<u64, Failure> {
    let bar = Bar::new(&format!("positions of {}", path.display()), positions.len() as u64);
    let budget = Budget::unlimited().with_stop(judge.stop.clone());
    let work = |solvers: &mut Solvers, (index, position): (usize, Position)| {
        let mut player = spec.player(rules, args.seed ^ index as u64, &budget);
        let player = player.as_mut().map_err(|why| Failure::usage(format!("{spec}: {why}")))?;
        let choice = player.choose(&position).map_err(Failure::runtime)?;
        let mut solver = solvers.lend(rules)?;
        let mut sign = |position: &Position| {
            solver
                .solve_weakly(position, &budget)
                .map(|solved| solved.score)
                .map_err(Failure::runtime)
        };
        let best = sign(&position)?;
        Ok(sign(&position.play_unchecked(choice.mv))? != -best)
    };
    let solvers = || Solvers::new(judge.options, &judge.books);
    let (mut changed, mut failure) = (0, None);
    let items = positions.into_iter().enumerate();
    share_out(items, threads_or_all(args.threads), solvers, work, |_, found| {
        bar.inc();
        match found {
            Ok(is_changed) => changed += u64::from(is_changed),
            Err(why) => {
                failure = Some(why);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    bar.end();
    failure.map_or(Ok(changed), Err)
}
