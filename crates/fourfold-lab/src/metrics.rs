//! Metrics: what is measured of a cell.
//!
//! Each kind of part has its list of [`Metric`]s, the one home of their names, units and meaning.
//! `cell_metrics` computes them.

use fourfold::play::Interval;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a part of an experiment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// Games between two players.
    Match,
    /// Searches of positions.
    Search,
    /// Counts of the positions and move sequences of a ply.
    Count,
    /// Games of the Radboud report's search, as printed or corrected.
    Replica,
}

impl PartKind {
    /// All kinds, by the names that experiment files use.
    pub const ALL: [(&'static str, Self); 4] = [
        ("match", Self::Match),
        ("search", Self::Search),
        ("count", Self::Count),
        ("replica", Self::Replica),
    ];

    /// The metrics of a cell of this kind.
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

/// How a number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// From 0 to 1, shown in percent.
    Share,
    /// A difference of two shares, shown in percentage points.
    Points,
    /// A plain number.
    Number,
    /// Milliseconds.
    Milliseconds,
    /// Nanoseconds.
    Nanoseconds,
    /// Seconds.
    Seconds,
    /// A ratio.
    Times,
}

/// Something that is measured of a cell.
#[derive(Debug, PartialEq, Eq)]
pub struct Metric {
    /// As written in experiment files and `results.csv`.
    pub name: &'static str,
    /// The heading of its column.
    pub title: &'static str,
    /// How it is shown.
    pub unit: Unit,
    /// True if it comes from a clock, so that it differs from run to run.
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
    metric("wins", "wins", Unit::Share, "share of games that the player won"),
    metric("losses", "losses", Unit::Share, "share of games that the opponent won"),
    metric("draws", "draws", Unit::Share, "share of games that nobody won"),
    metric("turns", "turns per game", Unit::Number, "moves of both sides per game"),
    metric(
        "moves_to_win",
        "own moves to win",
        Unit::Number,
        "moves of the player per game that it won",
    ),
    metric("nodes", "nodes per move", Unit::Number, "positions visited per move of the player"),
    metric(
        "opponent_nodes",
        "opponent's nodes per move",
        Unit::Number,
        "the same for the opponent",
    ),
    metric(
        "nodes_turn",
        "nodes per turn",
        Unit::Number,
        "positions visited per move of either side",
    ),
    metric(
        "evaluations",
        "evaluations per move",
        Unit::Number,
        "evaluator calls per move of the player",
    ),
    metric("games", "games", Unit::Number, "number of games"),
    metric(
        "wins_gain",
        "change in wins",
        Unit::Points,
        "share of wins minus that of the baseline, paired by game",
    ),
    metric(
        "losses_gain",
        "change in losses",
        Unit::Points,
        "share of losses minus that of the baseline, paired by game",
    ),
    timed(
        "time",
        "time per move",
        Unit::Milliseconds,
        "of the player: median over games, with quartiles",
    ),
    timed(
        "time_turn",
        "time per turn",
        Unit::Milliseconds,
        "of either side: median over games, with quartiles",
    ),
    timed(
        "time_game",
        "time per game",
        Unit::Milliseconds,
        "both sides: median over games, with quartiles",
    ),
    timed("time_total", "total time", Unit::Seconds, "both sides, all games"),
    timed(
        "time_node",
        "time per node",
        Unit::Nanoseconds,
        "both sides: median over games of time divided by positions visited",
    ),
    timed(
        "time_ratio",
        "speed-up",
        Unit::Times,
        "time per move of the baseline divided by this one",
    ),
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
        "cut-offs by the first move",
        Unit::Share,
        "share of the beta cut-offs that the first move tried caused",
    ),
    metric(
        "score",
        "score",
        Unit::Number,
        "value for the side to move, mean over the positions searched",
    ),
    metric(
        "score_first",
        "score for the first player",
        Unit::Number,
        "the same from the first player's point of view",
    ),
    metric("positions", "positions", Unit::Number, "number of positions searched"),
    metric(
        "nodes_more",
        "more nodes",
        Unit::Times,
        "nodes divided by those of the baseline, paired by position",
    ),
    metric(
        "nodes_ratio",
        "fewer nodes",
        Unit::Times,
        "nodes of the baseline divided by these, paired by position",
    ),
    timed(
        "time",
        "time",
        Unit::Milliseconds,
        "median over repeats, mean over positions, with quartiles",
    ),
    timed("time_total", "total time", Unit::Milliseconds, "sum of the medians of all positions"),
    timed("time_node", "time per node", Unit::Nanoseconds, "time divided by positions visited"),
    timed(
        "time_ratio",
        "speed-up",
        Unit::Times,
        "time of the baseline divided by this, paired by position",
    ),
];

const COUNT: [Metric; 6] = [
    metric("positions", "positions", Unit::Number, "distinct positions at this ply"),
    metric(
        "positions_so_far",
        "positions so far",
        Unit::Number,
        "distinct positions at this ply and all plies before",
    ),
    metric("sequences", "move sequences", Unit::Number, "sequences of that many moves"),
    metric(
        "bound",
        "bound",
        Unit::Number,
        "sequences if no game ended and no column filled up: columns^ply",
    ),
    metric(
        "up_to_symmetry",
        "up to symmetry",
        Unit::Number,
        "distinct positions, mirror images counted once",
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
        "boards evaluated for the first player per game",
    ),
    metric(
        "second_evaluations",
        "evaluations, second",
        Unit::Number,
        "the same for the second player",
    ),
    metric("turns", "turns", Unit::Number, "moves of both sides per game"),
    metric("first_wins", "first wins", Unit::Share, "share of games that the first player won"),
    metric("second_wins", "second wins", Unit::Share, "share of games that the second player won"),
    metric("draws", "draws", Unit::Share, "share of games that nobody won"),
    metric("invalid", "full columns chosen", Unit::Number, "moves into a full column per game"),
    metric(
        "unblocked",
        "wins not blocked",
        Unit::Number,
        "moves per game by which a search allowed an immediate win that it could have blocked",
    ),
    metric("games", "games", Unit::Number, "number of games; 1 if nothing is left to chance"),
];

/// A number with its 95 % confidence interval, or with quartiles if it is a time; no interval if it
/// is exact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The interval.
    #[serde(flatten)]
    pub interval: Option<Interval>,
}

impl Estimate {
    pub(crate) fn exact(value: f64) -> Self {
        Self { value, interval: None }
    }
}

impl From<(f64, Interval)> for Estimate {
    fn from((value, interval): (f64, Interval)) -> Self {
        // Nothing varied if the interval has no width.
        Self { value, interval: (interval.low < interval.high).then_some(interval) }
    }
}

/// The metrics of a cell by name.
pub type Metrics = BTreeMap<&'static str, Estimate>;
