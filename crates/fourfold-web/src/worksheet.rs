//! Exercises to do by hand, with their answers: random trees to evaluate and to prune, and ends of
//! tic-tac-toe.
//!
//! The same numbers give the same sheet. Each tree names the numbers that `fourfold tree --random`
//! grows it from.

use super::engines::{Engines, Job, Lane};
use super::params::Params;
use super::problem::Problem;
use axum::Json;
use axum::extract::State;
use fourfold::game::notation::Entry;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::search::{ExplicitTree, Limits, NodeId, SearchOptions, search_tree};
use fourfold_app::draw::marks::Marks;
use fourfold_app::shapes::{move_json, position_json};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What is asked: the value of every node, the best move, the cuts of alpha-beta, alpha and beta,
/// the result of every move.
const KINDS: [&str; 5] = ["values", "best", "cuts", "windows", "endgames"];

const COUNTS: RangeInclusive<u64> = 1..=24;
const BRANCHES: RangeInclusive<u64> = 2..=5;
const LEVELS: RangeInclusive<u64> = 2..=5;
/// More leaves do not fit across a sheet of paper.
const MOST_LEAVES: u64 = 32;
/// Seeds of trees are below this, so that they can be copied by hand.
const SEEDS: usize = 1_000_000;
/// How often a better exercise is looked for before any will do.
const TRIES: u64 = 500;

/// `/api/v1/worksheet`
pub(super) async fn worksheet(
    State(engines): State<Arc<Engines>>,
    params: Params,
) -> Result<Json<Value>, Problem> {
    let sheet = Sheet::of(&params)?;
    engines.run(Lane::Quick, move |job| sheet.exercises(job).map(Json)).await
}

/// What is asked for.
struct Sheet {
    kinds: Vec<&'static str>,
    count: u64,
    branches: u64,
    levels: u64,
    seed: u64,
}

impl Sheet {
    fn of(params: &Params) -> Result<Self, Problem> {
        let within = |name: &str, usual, range: RangeInclusive<u64>| {
            let number = params.number(name)?.unwrap_or(usual);
            if range.contains(&number) {
                return Ok(number);
            }
            let (least, most) = range.into_inner();
            Err(Problem::bad(name, format!("{number} is not from {least} to {most}")))
        };
        let named = |text: &str| {
            let known = || format!("there is no kind {text:?}; known: {}", KINDS.join(", "));
            KINDS
                .into_iter()
                .find(|kind| *kind == text)
                .ok_or_else(|| Problem::bad("kinds", known()))
        };
        let kinds = params.text("kinds").filter(|text| !text.is_empty());
        let sheet = Self {
            kinds: kinds
                .map_or(Ok(KINDS.to_vec()), |kinds| kinds.split(',').map(named).collect())?,
            count: within("count", 6, COUNTS)?,
            branches: within("branches", 3, BRANCHES)?,
            levels: within("levels", 2, LEVELS)?,
            seed: params.number("seed")?.unwrap_or(1),
        };
        let leaves = sheet.branches.pow(sheet.levels as u32);
        if leaves > MOST_LEAVES {
            return Err(Problem::bad(
                "levels",
                format!(
                    "{leaves} leaves do not fit on paper, {MOST_LEAVES} do: fewer levels, or fewer branches"
                ),
            ));
        }
        Ok(sheet)
    }

    fn exercises(&self, job: &Job<'_>) -> Result<Value, Problem> {
        let exercises = (0..self.count).map(|index| {
            let kind = self.kinds[(index % self.kinds.len() as u64) as usize];
            // Exercises have numbers of their own, whatever the others are.
            let seed = Random::for_item(self.seed, index).next_u64();
            let mut exercise =
                if kind == "endgames" { endgame(job, seed)? } else { self.tree(kind, seed)? };
            exercise["kind"] = kind.into();
            Ok(exercise)
        });
        let exercises = exercises.collect::<Result<Vec<Value>, Problem>>()?;
        let Self { kinds, count, branches, levels, seed } = self;
        Ok(json!({
            "kinds": kinds, "count": count, "branches": branches, "levels": levels, "seed": seed, "exercises": exercises,
        }))
    }

    /// A tree with one best move at the root and, if cuts are asked for, some.
    fn tree(&self, kind: &str, seed: u64) -> Result<Value, Problem> {
        let pruned = matches!(kind, "cuts" | "windows");
        for attempt in 0.. {
            let own = Random::for_item(seed, attempt).below(SEEDS) as u64;
            let tree = ExplicitTree::random(self.branches as u16, self.levels as u32, own, 1 << 20)
                .map_err(Problem::internal)?;
            let values = tree.weigh();
            let mut marks =
                Marks::new(&tree).ok_or_else(|| Problem::internal("memory is lacking"))?;
            let limits = Limits::depth(tree.depth());
            let report = search_tree(&tree, &SearchOptions::default(), &limits, 0, &mut marks)
                .map_err(Problem::internal)?;
            let cut = marks.cut_edges();
            let best = tree
                .children(NodeId::ROOT)
                .filter(|child| values[child.index()] == values[0])
                .count();
            if attempt < TRIES && (best > 1 || pruned && cut.is_empty()) {
                continue;
            }
            let found = |node: NodeId| {
                let mark = marks.of(node)?;
                let mut json = json!(mark.window);
                json["value"] = mark.value.into();
                json["bound"] = json!(mark.bound);
                Some(json)
            };
            let found: Vec<Option<Value>> = tree.nodes().map(found).collect();
            return Ok(json!({
                "random": format!("{},{},{own}", self.branches, self.levels),
                "tree": written(&tree, NodeId::ROOT),
                "values": values, "best": report.best, "line": report.line, "cut": cut, "found": found,
            }));
        }
        unreachable!("the loop returns")
    }
}

/// A tree as it is typed.
fn written(tree: &ExplicitTree, node: NodeId) -> String {
    if let Some(value) = tree.leaf_value(node) {
        return value.to_string();
    }
    let children: Vec<String> = tree.children(node).map(|child| written(tree, child)).collect();
    format!("({})", children.join(" "))
}

/// Tic-tac-toe with three or four empty cells that are not all worth the same, each with its exact
/// result.
fn endgame(job: &Job<'_>, seed: u64) -> Result<Value, Problem> {
    let mut solver = job.solver_for(&Rules::TIC_TAC_TOE)?;
    for attempt in 0.. {
        let mut random = Random::for_item(seed, attempt);
        let discs = 5 + random.below(2) as u32;
        let mut position = Position::new(Rules::TIC_TAC_TOE);
        let mut moves = Vec::new();
        while position.ply() < discs && !position.outcome().is_over() {
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            moves.push(mv);
            position = position.play_unchecked(mv);
        }
        if position.outcome().is_over() {
            continue;
        }
        let analysis = solver.analyse(&position, &job.budget()).map_err(Problem::internal)?;
        // Stopped: nobody waits for the sheet any more.
        let columns = analysis.scores().ok_or_else(Problem::bug)?;
        if attempt < TRIES && columns.windows(2).all(|pair| pair[0].score == pair[1].score) {
            continue;
        }
        let moves_json = columns.iter().map(|column| {
            let mut json = move_json(position.rules(), column.mv);
            json["score"] = column.score.into();
            json["words"] = column.verdict.to_string().into();
            json
        });
        let mut entry = Entry::of(position);
        let moves_json: Vec<Value> = moves_json.collect();
        entry.moves = Some(moves);
        return Ok(json!({ "position": position_json(&entry), "moves": moves_json }));
    }
    unreachable!("the loop returns")
}
