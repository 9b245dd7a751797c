//! The metrics of a cell, computed from what was observed of its items.

use crate::metrics::{Estimate, Metrics, PartKind};
use crate::observation::Observation;
use crate::statistics::{mean, median, ratio_of_sums};
use fourfold::play::{Interval, wilson};

/// The figures of one game.
struct GameFigures {
    result: i8,
    turns: f64,
    moves: [f64; 2],
    nodes: [f64; 2],
    evaluations: [f64; 2],
    time: [f64; 2],
    invalid: f64,
    unblocked: f64,
}

fn games(observations: &[Observation]) -> Vec<GameFigures> {
    let flat = |observation: &Observation| match *observation {
        Observation::Game {
            result,
            turns,
            moves,
            nodes,
            evaluations,
            time,
            invalid,
            unblocked,
        } => Some(GameFigures {
            result,
            turns: f64::from(turns),
            moves: moves.map(f64::from),
            nodes: nodes.map(|n| n as f64),
            evaluations: evaluations.map(|n| n as f64),
            time: time.map(|n| n as f64),
            invalid: f64::from(invalid),
            unblocked: f64::from(unblocked),
        }),
        _ => None,
    };
    observations.iter().filter_map(flat).collect()
}

/// The metrics of a cell, from the observations of its items and those of its baseline.
pub(crate) fn metrics(
    kind: PartKind,
    observations: &[Observation],
    baseline: Option<&[Observation]>,
) -> Metrics {
    let mut found = Metrics::new();
    match kind {
        PartKind::Match => {
            of_match(&mut found, &games(observations), baseline.map(games).as_deref());
        }
        PartKind::Replica => of_replica(&mut found, &games(observations)),
        PartKind::Search => of_search(&mut found, observations, baseline),
        PartKind::Count => of_count(&mut found, observations),
    }
    found
}

fn put(found: &mut Metrics, name: &'static str, estimate: Option<impl Into<Estimate>>) {
    if let Some(estimate) = estimate {
        found.insert(name, estimate.into());
    }
}

fn share(games: &[GameFigures], counts: impl Fn(&GameFigures) -> bool) -> Estimate {
    let (hits, all) = (games.iter().filter(|game| counts(game)).count() as u64, games.len() as u64);
    let value = if all == 0 { 0.0 } else { hits as f64 / all as f64 };
    Estimate { value, interval: (all > 1).then(|| wilson(hits, all)) }
}

fn by(
    games: &[GameFigures],
    above: impl Fn(&GameFigures) -> f64,
    below: impl Fn(&GameFigures) -> f64,
) -> Option<(f64, Interval)> {
    ratio_of_sums(&games.iter().map(|game| (above(game), below(game))).collect::<Vec<_>>())
}

/// The games whose times count: all but the first, which is a warm-up, unless it is the only one.
fn warm(games: &[GameFigures]) -> &[GameFigures] {
    if games.len() > 1 { &games[1..] } else { games }
}

fn median_time(
    games: &[GameFigures],
    above: impl Fn(&GameFigures) -> f64,
    below: impl Fn(&GameFigures) -> f64,
) -> Option<(f64, Interval)> {
    let rates: Vec<f64> = warm(games)
        .iter()
        .filter(|game| below(game) > 0.0)
        .map(|game| above(game) / below(game) / 1000.0)
        .collect();
    median(&rates)
}

fn both(pair: [f64; 2]) -> f64 {
    pair[0] + pair[1]
}

fn of_match(found: &mut Metrics, games: &[GameFigures], baseline: Option<&[GameFigures]>) {
    if games.is_empty() {
        return;
    }
    found.insert("games", Estimate::exact(games.len() as f64));
    found.insert("wins", share(games, |game| game.result > 0));
    found.insert("losses", share(games, |game| game.result < 0));
    found.insert("draws", share(games, |game| game.result == 0));
    put(found, "turns", by(games, |game| game.turns, |_| 1.0));
    let won: Vec<f64> =
        games.iter().filter(|game| game.result > 0).map(|game| game.moves[0]).collect();
    put(found, "moves_to_win", mean(&won));
    put(found, "nodes", by(games, |game| game.nodes[0], |game| game.moves[0]));
    put(found, "opponent_nodes", by(games, |game| game.nodes[1], |game| game.moves[1]));
    put(found, "nodes_turn", by(games, |game| both(game.nodes), |game| both(game.moves)));
    put(found, "evaluations", by(games, |game| game.evaluations[0], |game| game.moves[0]));
    put(found, "time", median_time(games, |game| game.time[0], |game| game.moves[0]));
    put(found, "time_turn", median_time(games, |game| both(game.time), |game| both(game.moves)));
    put(found, "time_game", median_time(games, |game| both(game.time), |_| 1.0));
    let total: f64 = games.iter().map(|game| both(game.time)).sum();
    found.insert("time_total", Estimate::exact(total / 1e6));
    // From milliseconds to nanoseconds per node.
    let per_node = median_time(games, |game| 1e6 * both(game.time), |game| both(game.nodes));
    put(found, "time_node", per_node);
    let Some(baseline) = baseline else { return };
    let gain = |counts: fn(&GameFigures) -> bool| {
        let one = |game: &GameFigures| f64::from(u8::from(counts(game)));
        mean(
            &games
                .iter()
                .zip(baseline)
                .map(|(game, base)| one(game) - one(base))
                .collect::<Vec<_>>(),
        )
    };
    put(found, "wins_gain", gain(|game| game.result > 0));
    put(found, "losses_gain", gain(|game| game.result < 0));
    let rate =
        |games: &[GameFigures]| median_time(games, |game| game.time[0], |game| game.moves[0]);
    if let (Some(own), Some(base)) = (rate(games), rate(baseline))
        && own.0 > 0.0
    {
        found.insert("time_ratio", Estimate::exact(base.0 / own.0));
    }
}

fn of_replica(found: &mut Metrics, games: &[GameFigures]) {
    if games.is_empty() {
        return;
    }
    found.insert("games", Estimate::exact(games.len() as f64));
    put(found, "first_evaluations", by(games, |game| game.evaluations[0], |_| 1.0));
    put(found, "second_evaluations", by(games, |game| game.evaluations[1], |_| 1.0));
    put(found, "turns", by(games, |game| game.turns, |_| 1.0));
    put(found, "invalid", by(games, |game| game.invalid, |_| 1.0));
    put(found, "unblocked", by(games, |game| game.unblocked, |_| 1.0));
    found.insert("first_wins", share(games, |game| game.result > 0));
    found.insert("second_wins", share(games, |game| game.result < 0));
    found.insert("draws", share(games, |game| game.result == 0));
}

/// The figures of one search; the time is the median of its repeats with quartiles, if timed.
struct SearchFigures {
    nodes: f64,
    evaluations: f64,
    leaves: f64,
    cuts: [f64; 2],
    score: f64,
    score_first: f64,
    time: Option<(f64, Interval)>,
}

fn searches(observations: &[Observation]) -> Vec<SearchFigures> {
    let flat = |observation: &Observation| match observation {
        Observation::Search { nodes, evaluations, ended, cuts, score, second, time } => {
            Some(SearchFigures {
                nodes: *nodes as f64,
                evaluations: *evaluations as f64,
                leaves: (evaluations + ended) as f64,
                cuts: cuts.map(|n| n as f64),
                score: f64::from(*score),
                score_first: f64::from(if *second { -score } else { *score }),
                time: median(time),
            })
        }
        _ => None,
    };
    observations.iter().filter_map(flat).collect()
}

fn of_search(found: &mut Metrics, observations: &[Observation], baseline: Option<&[Observation]>) {
    let searches = searches(observations);
    if searches.is_empty() {
        return;
    }
    let numbers =
        |of: fn(&SearchFigures) -> f64| mean(&searches.iter().map(of).collect::<Vec<_>>());
    found.insert("positions", Estimate::exact(searches.len() as f64));
    put(found, "nodes", numbers(|search| search.nodes));
    put(found, "evaluations", numbers(|search| search.evaluations));
    put(found, "leaves", numbers(|search| search.leaves));
    put(found, "calls", numbers(|search| search.nodes - 1.0));
    put(found, "score", numbers(|search| search.score));
    put(found, "score_first", numbers(|search| search.score_first));
    let cuts: Vec<(f64, f64)> =
        searches.iter().map(|search| (search.cuts[1], search.cuts[0])).collect();
    put(found, "first_cuts", ratio_of_sums(&cuts));
    let times: Vec<(f64, Interval)> = searches.iter().filter_map(|search| search.time).collect();
    let timed = times.len() == searches.len();
    if timed {
        let sum = |of: fn(&(f64, Interval)) -> f64| times.iter().map(of).sum::<f64>() / 1000.0;
        let (total, low, high) = (sum(|t| t.0), sum(|t| t.1.low), sum(|t| t.1.high));
        let n = times.len() as f64;
        found.insert("time_total", (total, Interval { low, high }).into());
        found.insert("time", (total / n, Interval { low: low / n, high: high / n }).into());
        let nodes: f64 = searches.iter().map(|search| search.nodes).sum();
        found.insert("time_node", Estimate::exact(total * 1e6 / nodes));
    }
    let Some(baseline) = baseline.map(self::searches) else { return };
    let pairs = || searches.iter().zip(&baseline);
    let nodes: Vec<(f64, f64)> = pairs().map(|(own, base)| (base.nodes, own.nodes)).collect();
    put(found, "nodes_ratio", ratio_of_sums(&nodes));
    put(
        found,
        "nodes_more",
        ratio_of_sums(&nodes.iter().map(|&(base, own)| (own, base)).collect::<Vec<_>>()),
    );
    let timed_pairs: Vec<(f64, f64)> =
        pairs().filter_map(|(own, base)| Some((base.time?.0, own.time?.0))).collect();
    if timed && timed_pairs.len() == searches.len() {
        put(found, "time_ratio", ratio_of_sums(&timed_pairs));
    }
}

fn of_count(found: &mut Metrics, observations: &[Observation]) {
    for observation in observations {
        if let Observation::Ply {
            positions,
            positions_so_far,
            sequences,
            bound,
            up_to_symmetry,
            finished,
        } = *observation
        {
            for (name, number) in [
                ("positions", positions),
                ("positions_so_far", positions_so_far),
                ("sequences", sequences),
                ("bound", bound),
                ("up_to_symmetry", up_to_symmetry),
                ("finished", finished),
            ] {
                found.insert(name, Estimate::exact(number as f64));
            }
        }
    }
}
