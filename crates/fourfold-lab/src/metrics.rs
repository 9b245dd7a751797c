//! What is observed of an item (a game, a position), and what is told of a cell: metrics with their
//! intervals.
//!
//! Each kind of part has its table of [`Metric`]s, the one home of their names, units and meaning.

use crate::statistics::{mean, median, ratio_of_sums};
use fourfold::play::{Interval, wilson};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a part does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Games between two players.
    Match,
    /// Searches of positions.
    Search,
    /// Positions and sequences of a ply.
    Count,
    /// Games of the Radboud report's search, as printed or corrected.
    Replica,
}

impl Kind {
    /// All, by the name that an experiment file uses.
    pub const ALL: [(&'static str, Self); 4] = [
        ("match", Self::Match),
        ("search", Self::Search),
        ("count", Self::Count),
        ("replica", Self::Replica),
    ];

    /// What can be told of a cell of this kind.
    #[must_use]
    pub fn metrics(self) -> &'static [Metric] {
        match self {
            Self::Match => &MATCH,
            Self::Search => &SEARCH,
            Self::Count => &COUNT,
            Self::Replica => &REPLICA,
        }
    }
}

/// How a number is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// From 0 to 1, shown in percent.
    Share,
    /// A difference of two shares.
    Points,
    /// A plain number.
    Number,
    /// Milliseconds.
    Milliseconds,
    /// Nanoseconds.
    Nanoseconds,
    /// Seconds.
    Seconds,
    /// So many times as much.
    Times,
}

/// Something that can be told of a cell.
#[derive(Debug, PartialEq, Eq)]
pub struct Metric {
    /// As written in experiment files and `results.csv`.
    pub name: &'static str,
    /// At the head of a column.
    pub title: &'static str,
    /// How to read it.
    pub unit: Unit,
    /// True if it comes from a clock, so that no two runs agree.
    pub timed: bool,
    /// What it is, in a line.
    pub doc: &'static str,
}

const fn metric(name: &'static str, title: &'static str, unit: Unit, doc: &'static str) -> Metric {
    Metric { name, title, unit, timed: false, doc }
}

const fn timed(name: &'static str, title: &'static str, unit: Unit, doc: &'static str) -> Metric {
    Metric { name, title, unit, timed: true, doc }
}

const MATCH: [Metric; 18] = [
    metric("wins", "wins", Unit::Share, "games that the player won"),
    metric("losses", "losses", Unit::Share, "games that the opponent won"),
    metric("draws", "draws", Unit::Share, "games that nobody won"),
    metric("turns", "turns a game", Unit::Number, "moves of both sides in a game"),
    metric(
        "moves_to_win",
        "own moves to win",
        Unit::Number,
        "moves of the player in a game that it won",
    ),
    metric("nodes", "nodes a move", Unit::Number, "positions visited for a move of the player"),
    metric("opponent_nodes", "opponent's nodes a move", Unit::Number, "the same of the opponent"),
    metric(
        "nodes_turn",
        "nodes a turn",
        Unit::Number,
        "positions visited for a move of either side",
    ),
    metric(
        "evaluations",
        "evaluations a move",
        Unit::Number,
        "evaluator calls for a move of the player",
    ),
    metric("games", "games", Unit::Number, "games played"),
    metric(
        "wins_gain",
        "wins gained",
        Unit::Points,
        "share of wins less that of the baseline, game by game",
    ),
    metric(
        "losses_gain",
        "losses gained",
        Unit::Points,
        "share of losses less that of the baseline",
    ),
    timed(
        "time",
        "time a move",
        Unit::Milliseconds,
        "of the player: median over games, with quartiles",
    ),
    timed(
        "time_turn",
        "time a turn",
        Unit::Milliseconds,
        "of either side: median over games, with quartiles",
    ),
    timed(
        "time_game",
        "time a game",
        Unit::Milliseconds,
        "both sides: median over games, with quartiles",
    ),
    timed("time_total", "time in all", Unit::Seconds, "both sides, all games"),
    timed(
        "time_node",
        "time a position",
        Unit::Nanoseconds,
        "both sides: median over games of time by positions visited",
    ),
    timed("time_ratio", "speed-up", Unit::Times, "time a move of the baseline by the player's"),
];

const SEARCH: [Metric; 14] = [
    metric("nodes", "nodes", Unit::Number, "positions visited, mean over the positions searched"),
    metric(
        "evaluations",
        "evaluations",
        Unit::Number,
        "evaluator calls, mean over the positions searched",
    ),
    metric(
        "leaves",
        "leaves",
        Unit::Number,
        "evaluations and ends of games, mean over the positions searched",
    ),
    metric(
        "calls",
        "calls below the root",
        Unit::Number,
        "nodes without the root, as lectures count calls",
    ),
    metric(
        "first_cuts",
        "cuts by the first move",
        Unit::Share,
        "share of the cuts that the first move tried made",
    ),
    metric(
        "score",
        "score",
        Unit::Number,
        "value for the side to move; mean if there are several positions",
    ),
    metric(
        "score_first",
        "score for the first player",
        Unit::Number,
        "the same seen by the first player",
    ),
    metric("positions", "positions", Unit::Number, "positions searched"),
    metric(
        "nodes_more",
        "more nodes",
        Unit::Times,
        "these nodes by those of the baseline, paired by position",
    ),
    metric(
        "nodes_ratio",
        "fewer nodes",
        Unit::Times,
        "nodes of the baseline by these, paired by position",
    ),
    timed(
        "time",
        "time",
        Unit::Milliseconds,
        "median over repeats, mean over positions, with quartiles",
    ),
    timed("time_total", "time in all", Unit::Milliseconds, "medians of all positions added up"),
    timed("time_node", "time a position", Unit::Nanoseconds, "time by positions visited"),
    timed(
        "time_ratio",
        "speed-up",
        Unit::Times,
        "time of the baseline by this, paired by position",
    ),
];

const COUNT: [Metric; 6] = [
    metric("positions", "positions", Unit::Number, "different positions at this ply"),
    metric(
        "positions_so_far",
        "positions so far",
        Unit::Number,
        "positions of this ply and all before",
    ),
    metric("sequences", "move sequences", Unit::Number, "ways to make so many moves"),
    metric(
        "bound",
        "bound",
        Unit::Number,
        "sequences if no game ended and no column filled: columns^ply",
    ),
    metric(
        "up_to_symmetry",
        "up to symmetry",
        Unit::Number,
        "positions, mirror images counted once",
    ),
    metric(
        "finished",
        "games ended",
        Unit::Number,
        "sequences that end the game with their last move",
    ),
];

const REPLICA: [Metric; 9] = [
    metric(
        "first_evaluations",
        "evaluations, first",
        Unit::Number,
        "boards evaluated for the first player in a game",
    ),
    metric(
        "second_evaluations",
        "evaluations, second",
        Unit::Number,
        "the same for the second player",
    ),
    metric("turns", "turns", Unit::Number, "moves of both sides in a game"),
    metric("first_wins", "first wins", Unit::Share, "games that the first player won"),
    metric("second_wins", "second wins", Unit::Share, "games that the second player won"),
    metric("draws", "draws", Unit::Share, "games that nobody won"),
    metric(
        "invalid",
        "full columns named",
        Unit::Number,
        "times in a game that a full column was named",
    ),
    metric(
        "unblocked",
        "wins not blocked",
        Unit::Number,
        "times in a game that a search let the opponent win at once though a move would have stopped it",
    ),
    metric("games", "games", Unit::Number, "games played; one where nothing is left to chance"),
];

/// What was seen of one item. Times are in microseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Observation {
    /// A game; pairs are the player's (in a replica, the first player's) and the opponent's.
    Game {
        /// 1 the player won, -1 the opponent, 0 nobody.
        result: i8,
        /// Moves of both sides, opening included.
        turns: u32,
        /// Moves each side chose.
        moves: [u32; 2],
        /// Positions visited.
        nodes: [u64; 2],
        /// Evaluator calls (in a replica, boards evaluated).
        evaluations: [u64; 2],
        /// Thinking time.
        time: [u64; 2],
        /// Full columns named.
        #[serde(default, skip_serializing_if = "is_zero")]
        invalid: u32,
        /// Wins of the opponent that could have been blocked and were not.
        #[serde(default, skip_serializing_if = "is_zero")]
        unblocked: u32,
    },
    /// A search.
    Search {
        /// Positions visited.
        nodes: u64,
        /// Evaluator calls.
        evaluations: u64,
        /// Leaves at which the game had ended.
        ended: u64,
        /// All cuts, and those by the first move tried.
        cuts: [u64; 2],
        /// For the side to move.
        score: i32,
        /// True if the second player is to move.
        second: bool,
        /// Each repeat after the warm-up.
        time: Vec<f64>,
    },
    /// A ply.
    Ply {
        /// Different positions.
        positions: u64,
        /// And of all plies before.
        positions_so_far: u64,
        /// Move sequences.
        sequences: u64,
        /// Columns to the power of the ply.
        bound: u64,
        /// Positions up to symmetry.
        up_to_symmetry: u64,
        /// Games that ended.
        finished: u64,
    },
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A number and how sure it is: a 95 % interval, for times the quartiles; none where it is exact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Where it may lie.
    #[serde(flatten)]
    pub interval: Option<Interval>,
}

impl Estimate {
    fn exact(value: f64) -> Self {
        Self { value, interval: None }
    }
}

impl From<(f64, Interval)> for Estimate {
    fn from((value, interval): (f64, Interval)) -> Self {
        // An interval without width says that nothing varied.
        Self { value, interval: (interval.low < interval.high).then_some(interval) }
    }
}

/// The metrics of a cell by name.
pub type Metrics = BTreeMap<&'static str, Estimate>;

/// One game, flat.
struct Game {
    result: i8,
    turns: f64,
    moves: [f64; 2],
    nodes: [f64; 2],
    evaluations: [f64; 2],
    time: [f64; 2],
    invalid: f64,
    unblocked: f64,
}

fn games(observations: &[Observation]) -> Vec<Game> {
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
        } => Some(Game {
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

/// What is told of a cell, given what was seen of its items and of those of its baseline.
#[must_use]
pub fn metrics(
    kind: Kind,
    observations: &[Observation],
    baseline: Option<&[Observation]>,
) -> Metrics {
    let mut found = Metrics::new();
    match kind {
        Kind::Match => of_match(&mut found, &games(observations), baseline.map(games).as_deref()),
        Kind::Replica => of_replica(&mut found, &games(observations)),
        Kind::Search => of_search(&mut found, observations, baseline),
        Kind::Count => of_count(&mut found, observations),
    }
    found
}

fn put(found: &mut Metrics, name: &'static str, estimate: Option<impl Into<Estimate>>) {
    if let Some(estimate) = estimate {
        found.insert(name, estimate.into());
    }
}

fn share(games: &[Game], counts: impl Fn(&Game) -> bool) -> Estimate {
    let (hits, all) = (games.iter().filter(|game| counts(game)).count() as u64, games.len() as u64);
    let value = if all == 0 { 0.0 } else { hits as f64 / all as f64 };
    Estimate { value, interval: (all > 1).then(|| wilson(hits, all)) }
}

fn by(
    games: &[Game],
    above: impl Fn(&Game) -> f64,
    below: impl Fn(&Game) -> f64,
) -> Option<(f64, Interval)> {
    ratio_of_sums(&games.iter().map(|game| (above(game), below(game))).collect::<Vec<_>>())
}

/// The games whose times count: all but the first, which warms up, unless it is the only one.
fn warm(games: &[Game]) -> &[Game] {
    if games.len() > 1 { &games[1..] } else { games }
}

fn median_time(
    games: &[Game],
    above: impl Fn(&Game) -> f64,
    below: impl Fn(&Game) -> f64,
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

fn of_match(found: &mut Metrics, games: &[Game], baseline: Option<&[Game]>) {
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
    // Milliseconds by nodes, in nanoseconds.
    let per_node = median_time(games, |game| 1e6 * both(game.time), |game| both(game.nodes));
    put(found, "time_node", per_node);
    let Some(baseline) = baseline else { return };
    let gain = |counts: fn(&Game) -> bool| {
        let one = |game: &Game| f64::from(u8::from(counts(game)));
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
    let rate = |games: &[Game]| median_time(games, |game| game.time[0], |game| game.moves[0]);
    if let (Some(own), Some(base)) = (rate(games), rate(baseline))
        && own.0 > 0.0
    {
        found.insert("time_ratio", Estimate::exact(base.0 / own.0));
    }
}

fn of_replica(found: &mut Metrics, games: &[Game]) {
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

/// One search, flat; the time is the median of its repeats with quartiles, if it was timed.
struct Search {
    nodes: f64,
    evaluations: f64,
    leaves: f64,
    cuts: [f64; 2],
    score: f64,
    score_first: f64,
    time: Option<(f64, Interval)>,
}

fn searches(observations: &[Observation]) -> Vec<Search> {
    let flat = |observation: &Observation| match observation {
        Observation::Search { nodes, evaluations, ended, cuts, score, second, time } => {
            Some(Search {
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
    let numbers = |of: fn(&Search) -> f64| mean(&searches.iter().map(of).collect::<Vec<_>>());
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
