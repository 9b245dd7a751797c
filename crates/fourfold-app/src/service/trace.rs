//! A search recorded step by step, for the microscope: of a typed tree, a random tree, or the tree
//! of a position.
//!
//! Everything is bounded before it begins: trees by nodes, searches by steps, tables by size. So a
//! trace takes milliseconds, and its answer a few MiB at most.

use super::{Params, Problem};
use crate::draw::{NODES_DRAWN, counted, tree_svg};
use crate::shapes::position_json;
use crate::text::grouped;
use crate::trees::{
    DEFAULT_DEPTH, RandomTree, TreeReport, TreeSearch, count_nodes, inapplicable, inapplicable_in,
    turn_of_word, turn_word,
};
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::Rules;
use fourfold::game::notation::Entry;
use fourfold::search::{
    ExplicitTree, Limits, NodeId, SWITCHES, SearchError, SearchOptions, Tree, TreeSizeError, Turn,
};
use serde::Serialize;
use serde_json::{Map, Value};

/// Limits on the tree, in nodes, and on the search, in steps.
const MOST_NODES: u64 = 20_000;
const MOST_STEPS: u64 = 20_000;
/// Nodes and steps beyond those limits are counted up to here, for the message.
const MOST_COUNTED: u64 = 1_000_000;
/// The largest table, in MiB.
const MOST_TABLE: u32 = 4;

/// The parameters of a tree of numbers, and those of the tree of a position.
const NUMBERS: [&str; 3] = ["tree", "random", "root"];
const POSITION: [&str; 6] = ["game", "moves", "position", "from", "depth", "eval"];

/// All parameters: what is searched, and every switch but `alpha_beta`, which `algorithm` sets.
pub(super) const TRACE: [&str; 10 + SWITCHES.len()] = {
    let [tree, random, root] = NUMBERS;
    let [game, moves, position, from, depth, eval] = POSITION;
    let own = [tree, random, root, game, moves, position, from, depth, eval, "algorithm", "seed"];
    let mut all = [""; 10 + SWITCHES.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < own.len() { own[at] } else { SWITCHES[at - own.len() + 1].name };
        at += 1;
    }
    all
};

/// A searched tree, with the position at its root if it has one.
pub struct Traced {
    seen: TreeSearch,
    entry: Option<Entry>,
}

/// Searches what the parameters ask for.
///
/// # Errors
/// If one makes no sense, or asks for too much.
pub fn trace_of(params: &Params) -> Result<Traced, Problem> {
    let options = options(params)?;
    let seed = params.number("seed")?.unwrap_or(0);
    let (tree, entry) = plant(params, &options)?;
    let less = if entry.is_some() {
        ("depth", "take less depth")
    } else {
        ("tree", "take a smaller tree")
    };
    let place = if params.text("random").is_some() { "random" } else { less.0 };
    let too_long = |steps: u64, more: &str| {
        let (steps, most) = (counted(steps, "step"), grouped(MOST_STEPS));
        Problem::bad(
            place,
            format!(
                "the search takes {more}{steps}, and at most {most} are allowed here: {}",
                less.1
            ),
        )
    };
    let seen = TreeSearch::search(tree, options, seed, MOST_STEPS as usize, Some(MOST_COUNTED));
    let seen = seen.map_err(|why| match why {
        SearchError::Interrupted { nodes, .. } => too_long(nodes, "more than "),
        why => Problem::internal(why),
    })?;
    match seen.trace.count() {
        steps if steps > MOST_STEPS => Err(too_long(steps, "")),
        _ => Ok(Traced { seen, entry }),
    }
}

fn options(params: &Params) -> Result<SearchOptions, Problem> {
    let mut options = match params.text("algorithm") {
        None | Some("alphabeta") => SearchOptions::default(),
        Some("minimax") => SearchOptions::minimax(),
        Some(other) => {
            let detail =
                format!("there is no algorithm {other:?}; there are minimax and alphabeta");
            return Err(Problem::bad("algorithm", detail));
        }
    };
    for switch in &SWITCHES {
        if let Some(value) = params.text(switch.name) {
            options.set(switch.name, value).map_err(|why| Problem::bad(switch.name, why))?;
        }
    }
    if options.table > MOST_TABLE {
        let detail = format!(
            "a table of {} MiB is too large: at most {MOST_TABLE} MiB are allowed here",
            options.table
        );
        return Err(Problem::bad("table", detail));
    }
    Ok(options)
}

/// The tree, with the position at its root if it has one.
fn plant(
    params: &Params,
    options: &SearchOptions,
) -> Result<(ExplicitTree, Option<Entry>), Problem> {
    let (typed, random) = (params.text("tree"), params.parse::<RandomTree>("random")?);
    if typed.is_none() && random.is_none() {
        return grow(params, options);
    }
    if typed.is_some() && random.is_some() {
        return Err(Problem::bad("random", "give tree or random, not both"));
    }
    if let Some(name) = POSITION.into_iter().find(|name| params.text(name).is_some()) {
        return Err(Problem::bad(
            name,
            format!("{name} is for positions, but this is a tree of numbers"),
        ));
    }
    refuse_inapplicable(options, None)?;
    let turn = root(params)?;
    let tree = match random {
        Some(random) => random_tree(random)?,
        None => typed_tree(typed.unwrap_or_default())?,
    };
    Ok((tree.with_root_turn(turn), None))
}

fn random_tree(random: RandomTree) -> Result<ExplicitTree, Problem> {
    let nodes = random.nodes();
    if nodes > MOST_NODES {
        let exact = nodes < u64::MAX;
        return Err(too_large("random", nodes, exact, "take fewer children or levels"));
    }
    let RandomTree { branching, depth, seed } = random;
    ExplicitTree::random(branching, depth, seed, u64::MAX).map_err(Problem::internal)
}

fn typed_tree(text: &str) -> Result<ExplicitTree, Problem> {
    let tree: ExplicitTree = text.parse().map_err(|why| Problem::bad("tree", why))?;
    let nodes = tree.len() as u64;
    if nodes > MOST_NODES {
        return Err(too_large("tree", nodes, true, "take a smaller tree"));
    }
    Ok(tree)
}

/// Who moves at the root.
fn root(params: &Params) -> Result<Turn, Problem> {
    let wrong = |text| Problem::bad("root", format!("{text:?} is neither max nor min"));
    let read = |text| turn_of_word(text).ok_or_else(|| wrong(text));
    params.text("root").map_or(Ok(Turn::Max), read)
}

/// The tree of a position.
fn grow(
    params: &Params,
    options: &SearchOptions,
) -> Result<(ExplicitTree, Option<Entry>), Problem> {
    let entry = params.game().or_else(|_| params.entry())?;
    if root(params)? == Turn::Min {
        return Err(Problem::bad("root", "the side to move is MAX at the root of a position"));
    }
    let rules = entry.position.rules();
    refuse_inapplicable(options, Some(rules))?;
    let depth = params
        .number("depth")?
        .map_or(DEFAULT_DEPTH, |depth| depth.min(u64::from(u32::MAX)) as u32);
    let evaluator = params.parse("eval")?.unwrap_or_else(|| Evaluator::textbook(rules));
    let limit = MOST_NODES * ExplicitTree::BYTES_PER_NODE;
    match ExplicitTree::build(&entry.position, &evaluator, options, depth, limit) {
        Ok(tree) => Ok((tree, Some(entry))),
        Err(TreeSizeError::Evaluator(why)) => Err(Problem::bad("eval", why)),
        Err(TreeSizeError::TooLarge { .. }) => {
            let budget = Budget::unlimited().with_nodes(MOST_COUNTED);
            let limits = Limits::depth(depth).within(budget);
            let (nodes, all) = count_nodes(&entry.position, &limits);
            Err(too_large("depth", nodes, all, "take less depth"))
        }
        Err(why) => Err(Problem::internal(why)),
    }
}

fn refuse_inapplicable(options: &SearchOptions, rules: Option<&Rules>) -> Result<(), Problem> {
    inapplicable_in(options, rules)
        .map_or(Ok(()), |(switch, why)| Err(Problem::bad(switch.name, why)))
}

fn too_large(place: &str, nodes: u64, all: bool, otherwise: &str) -> Problem {
    let (more, most) = (if all { "" } else { "more than " }, grouped(MOST_NODES));
    let nodes = counted(nodes, "node");
    Problem::bad(
        place,
        format!("the tree has {more}{nodes}, and at most {most} are allowed here: {otherwise}"),
    )
}

/// A node of the answer.
#[derive(Serialize)]
struct NodeAnswer {
    id: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<NodeId>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    turn: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
}

#[derive(Serialize)]
struct TraceAnswer<'a> {
    #[serde(flatten)]
    answer: TreeReport<'a>,
    /// The switches that cannot be on, each with the reason.
    inapplicable: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Value>,
    tree: Vec<NodeAnswer>,
}

impl Traced {
    /// The answer, as JSON.
    ///
    /// # Errors
    /// Never, unless there is a bug.
    pub fn json(&self) -> Result<String, Problem> {
        let tree = &self.seen.tree;
        let rules = self.entry.as_ref().map(|entry| entry.position.rules());
        let node = |id: NodeId| NodeAnswer {
            id: id.index(),
            parent: tree.parent(id).map(NodeId::index),
            edge: (id != NodeId::ROOT).then_some(id),
            label: rules.and_then(|rules| Some(tree.game_move(id)?.label(rules))),
            turn: turn_word(tree.turn(&id)),
            value: tree.leaf_value(id),
        };
        let reasons = SWITCHES.iter().filter_map(|switch| {
            let why = inapplicable(switch, rules)?;
            Some((switch.name.to_owned(), why.into()))
        });
        let answer = TraceAnswer {
            answer: self.seen.report(true),
            inapplicable: reasons.collect(),
            board: self.entry.as_ref().map(position_json),
            tree: tree.nodes().map(node).collect(),
        };
        serde_json::to_string(&answer).map_err(Problem::internal)
    }

    /// The tree as the search left it, drawn.
    #[must_use]
    pub fn svg(&self) -> String {
        tree_svg::draw(&self.seen.searched(), None, NODES_DRAWN)
    }
}
