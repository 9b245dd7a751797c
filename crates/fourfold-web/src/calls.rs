//! The calls of the service. The routes, the parameters that each call accepts, and the OpenAPI
//! description all come from this one list.

use super::engines::Engines;
use super::handlers::{
    choose, compatible_moves, compatible_scores, health, metrics, openapi, position, puzzle,
    puzzles, review, review_events, rules, solve, solve_events, trace, trace_svg, worksheet,
};
use super::lab::{list, whole};
use super::live::LIVE_PARAMETERS;
use super::picture;
use axum::routing::{MethodFilter, MethodRouter, on};
use fourfold::search::{self, SWITCHES};
use fourfold_app::service::{
    BOARD, MOVE, POSITION, PUZZLE, REVIEW, RULES, SOLVE, TRACE, WORKSHEET,
};
use std::sync::Arc;

/// What a call answers with status 200.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reply {
    /// JSON, by the name of its schema.
    Json(&'static str),
    /// Server-sent events; the last is `done` with the JSON of this schema, or `problem`.
    Events(&'static str),
    /// Text of this content type.
    Text(&'static str),
}

/// A call.
pub(super) struct Call {
    pub(super) path: &'static str,
    /// What it answers, in a line.
    pub(super) about: &'static str,
    /// Names of its [`parameters`], without those in braces in the path.
    pub(super) parameters: &'static [&'static str],
    /// Whether it also takes a POST with the parameters as a JSON object.
    pub(super) post: bool,
    /// Whether pages of other origins may read what a GET answers.
    pub(super) open: bool,
    pub(super) reply: Reply,
    route: fn(MethodFilter) -> MethodRouter<Arc<Engines>>,
}

impl Call {
    /// The route, without the layers that all calls share.
    pub(super) fn route(&self) -> MethodRouter<Arc<Engines>> {
        (self.route)(if self.post {
            MethodFilter::GET.or(MethodFilter::POST)
        } else {
            MethodFilter::GET
        })
    }
}

/// A parameter, which means the same in every call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) kind: ValueType,
    pub(super) example: &'static str,
}

/// The type of a parameter's value.
#[derive(Debug, Clone, Copy)]
pub(super) enum ValueType {
    Text,
    Number,
    /// A number that may be negative.
    Integer,
    Switch,
}

const fn text(name: &'static str, example: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: ValueType::Text, example }
}

const fn number(name: &'static str, example: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: ValueType::Number, example }
}

const fn switch(name: &'static str, example: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: ValueType::Switch, example }
}

/// Every parameter of every call.
pub(super) fn parameters() -> impl Iterator<Item = Parameter> {
    let switches = SWITCHES.iter().filter(|switch| switch.name != "alpha_beta").map(|switch| {
        let (name, about) = (switch.name, switch.doc);
        match switch.kind {
            search::SwitchKind::Flag => {
                Parameter { name, about, kind: ValueType::Switch, example: "true" }
            }
            search::SwitchKind::Number { min: 0, .. } => number(name, "1", about),
            search::SwitchKind::Number { .. } => {
                Parameter { name, about, kind: ValueType::Integer, example: "-1" }
            }
            search::SwitchKind::Choice(words) => text(name, words[0], about),
        }
    });
    PARAMETERS.iter().chain(LIVE_PARAMETERS).copied().chain(switches)
}

/// Those that are not switches of the search.
const PARAMETERS: &[Parameter] = &[
    text(
        "game",
        "7x6c4",
        "The rules: a name, or WIDTHxHEIGHT, then c or s and a length, then f if discs do not fall",
    ),
    text("moves", "4453", "The position: the moves that lead to it, or any other notation"),
    text(
        "position",
        "7/7/7/7/3o3/2oxx2 x",
        "The same as moves; with both, the moves are played from the position on",
    ),
    text("from", "columns", "The notation of the position, where several fit"),
    text("to", "fen", "The notation to write the position in"),
    number("time", "1000", "Search budget in milliseconds, at most the server's own"),
    switch("line", "false", "Whether to find the line of best play too; true by default"),
    number("lines", "3", "How many moves to follow to the end, the best first; 1 by default"),
    text("player", "level:5", "Who plays: any player but human and external"),
    number("seed", "1", "Random seed"),
    text(
        "tree",
        "((3 5)(2 9))",
        "A tree: a number is a leaf, parentheses hold the children of a node",
    ),
    text("random", "3,4,1", "A random tree: children per node, levels, seed"),
    text("root", "max", "Who moves at the root of such a tree: max or min"),
    number("depth", "2", "Depth of the tree of a position, in moves"),
    text("eval", "windows", "The evaluator for positions at the horizon"),
    text("algorithm", "minimax", "minimax or alphabeta"),
    text("kinds", "values,cuts", "The exercises, in turn: values, best, cuts, windows, endgames"),
    number("count", "6", "Number of exercises"),
    number("branches", "3", "Children per node of a tree"),
    number("levels", "2", "Levels of a tree below its root"),
    number("number", "1", "A puzzle of the game, from 1; they go from the easiest to the hardest"),
    text("day", "2026-11-16", "The puzzle of this day"),
    text(
        "theme",
        "zugzwang",
        "What the puzzle is about: win2, win3, win4, only-move, defend or zugzwang",
    ),
    number("rating", "900", "About how hard the puzzle is, in Elo"),
    text("name", "umbc-tables", "A run of the laboratory"),
    text("pos", "44", "Columns from 1, on the 7x6 board"),
    number("level", "10", "Accepted for compatibility; the scores are exact whatever it is"),
];

/// Every call.
pub(super) const CALLS: &[Call] = &[
    Call {
        path: "/api/v1/rules",
        about: "Games, formats, players, characters, evaluators and switches; with game, that game",
        parameters: RULES,
        post: true,
        open: true,
        reply: Reply::Json("RulesOrCatalogue"),
        route: |methods| on(methods, rules),
    },
    Call {
        path: "/api/v1/position",
        about: "A position checked: discs, legal moves, outcome; with to, its text in that format",
        parameters: POSITION,
        post: true,
        open: true,
        reply: Reply::Json("Position"),
        route: |methods| on(methods, position),
    },
    Call {
        path: "/api/v1/board.svg",
        about: "The position as a picture",
        parameters: BOARD,
        post: false,
        open: true,
        reply: Reply::Text("image/svg+xml"),
        route: |methods| on(methods, picture::svg),
    },
    Call {
        path: "/api/v1/board.png",
        about: "The same as PNG",
        parameters: BOARD,
        post: false,
        open: true,
        reply: Reply::Text("image/png"),
        route: |methods| on(methods, picture::png),
    },
    Call {
        path: "/api/v1/card.png",
        about: "The same on a ground of 1200 x 630 pixels, as links are shown with",
        parameters: BOARD,
        post: false,
        open: true,
        reply: Reply::Text("image/png"),
        route: |methods| on(methods, picture::card),
    },
    Call {
        path: "/api/v1/solve",
        about: "The exact result of every move, the verdict, why, the line of best play",
        parameters: SOLVE,
        post: true,
        open: true,
        reply: Reply::Json("Solved"),
        route: |methods| on(methods, solve),
    },
    Call {
        path: "/api/v1/solve/events",
        about: "The same as it is found: column, line and estimate events",
        parameters: SOLVE,
        post: false,
        open: false,
        reply: Reply::Events("Solved"),
        route: |methods| on(methods, solve_events),
    },
    Call {
        path: "/api/v1/move",
        about: "The move that a player plays",
        parameters: MOVE,
        post: true,
        open: false,
        reply: Reply::Json("Moved"),
        route: |methods| on(methods, choose),
    },
    Call {
        path: "/api/v1/review",
        about: "A game judged move by move: the headline for each side, the key moments, every move",
        parameters: REVIEW,
        post: true,
        open: false,
        reply: Reply::Json("Review"),
        route: |methods| on(methods, review),
    },
    Call {
        path: "/api/v1/review/events",
        about: "The same with progress events, each with the move just judged",
        parameters: REVIEW,
        post: false,
        open: false,
        reply: Reply::Events("Review"),
        route: |methods| on(methods, review_events),
    },
    Call {
        path: "/api/v1/trace",
        about: "A small search step by step: of a tree, a random tree, or the tree of a position",
        parameters: TRACE,
        post: true,
        open: true,
        reply: Reply::Json("Trace"),
        route: |methods| on(methods, trace),
    },
    Call {
        path: "/api/v1/trace.svg",
        about: "The tree as that search left it, drawn",
        parameters: TRACE,
        post: true,
        open: false,
        reply: Reply::Text("image/svg+xml"),
        route: |methods| on(methods, trace_svg),
    },
    Call {
        path: "/api/v1/worksheet",
        about: "Exercises to do by hand, with their answers",
        parameters: WORKSHEET,
        post: true,
        open: true,
        reply: Reply::Json("Worksheet"),
        route: |methods| on(methods, worksheet),
    },
    Call {
        path: "/api/v1/puzzle",
        about: "A puzzle: by number, of a day, or one of about that rating and theme",
        parameters: PUZZLE,
        post: true,
        open: true,
        reply: Reply::Json("Puzzle"),
        route: |methods| on(methods, puzzle),
    },
    Call {
        path: "/api/v1/puzzles",
        about: "All puzzles of a game in brief: their ratings and themes",
        parameters: RULES,
        post: true,
        open: true,
        reply: Reply::Json("Puzzles"),
        route: |methods| on(methods, puzzles),
    },
    Call {
        path: "/api/v1/lab",
        about: "The laboratory's runs: question, finding, date, commit",
        parameters: &[],
        post: false,
        open: false,
        reply: Reply::Json("Runs"),
        route: |methods| on(methods, list),
    },
    Call {
        path: "/api/v1/lab/{name}",
        about: "One run: plots, tables with published figures beside ours, the facts of the run",
        parameters: &[],
        post: false,
        open: false,
        reply: Reply::Json("Run"),
        route: |methods| on(methods, whole),
    },
    Call {
        path: "/api/v1/openapi.json",
        about: "This description",
        parameters: &[],
        post: false,
        open: true,
        reply: Reply::Json("OpenApi"),
        route: |methods| on(methods, openapi),
    },
    Call {
        path: "/solve",
        about: "Connect Four as a well-known solver on the web answers: 100 for a full column",
        parameters: &["pos"],
        post: false,
        open: true,
        reply: Reply::Json("CompatibleScores"),
        route: |methods| on(methods, compatible_scores),
    },
    Call {
        path: "/solve/connect4",
        about: "Connect Four as another one answers",
        parameters: &["position", "level"],
        post: false,
        open: true,
        reply: Reply::Json("CompatibleMoves"),
        route: |methods| on(methods, compatible_moves),
    },
    Call {
        path: "/healthz",
        about: "ok, while the server runs",
        parameters: &[],
        post: false,
        open: false,
        reply: Reply::Text("text/plain"),
        route: |methods| on(methods, health),
    },
    Call {
        path: "/metrics",
        about: "Metrics in the Prometheus text format",
        parameters: &[],
        post: false,
        open: false,
        reply: Reply::Text("text/plain"),
        route: |methods| on(methods, metrics),
    },
];
