//! Exercises to do by hand, with their answers: random trees to evaluate and to prune, and endgames
//! of tic-tac-toe.
//!
//! The same parameters give the same sheet. Each tree comes with the numbers from which
//! `fourfold tree --random` grows it.

use super::{Job, Params, Problem};
use crate::draw::marks::Marks;
use crate::shapes::{move_json, position_json};
use fourfold::game::notation::Entry;
use fourfold::game::{Position, Rules};
use fourfold::random::Random;
use fourfold::search::{ExplicitTree, Limits, NodeId, Report, SearchOptions, search_tree};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// The exercises: the value of every node, the best move, the cuts of alpha-beta, alpha and beta at
/// every node, the result of every move.
const EXERCISES: [&str; 5] = ["values", "best", "cuts", "windows", "endgames"];

const COUNTS: RangeInclusive<u64> = 1..=24;
const BRANCHES: RangeInclusive<u64> = 2..=5;
const LEVELS: RangeInclusive<u64> = 2..=5;
/// More leaves do not fit across a sheet of paper.
const MOST_LEAVES: u64 = 32;
/// Seeds of trees are below this, so that they are short enough to copy by hand.
const SEEDS: usize = 1_000_000;
/// Attempts to find a good exercise before any will do.
const TRIES: u64 = 500;

/// The sheet that is asked for.
#[derive(Debug)]
pub struct Worksheet {
    kinds: Vec<&'static str>,
    count: u64,
    branches: u64,
    levels: u64,
    seed: u64,
}

impl Worksheet {
    /// What is asked for.
    ///
    /// # Errors
    /// If a parameter makes no sense.
    pub fn of(params: &Params) -> Result<Self, Problem> {
        let within = |name: &str, usual, range: RangeInclusive<u64>| {
            let number = params.number(name)?.unwrap_or(usual);
            if range.contains(&number) {
                return Ok(number);
            }
            let (least, most) = range.into_inner();
            Err(Problem::bad(name, format!("{number} is not from {least} to {most}")))
        };
        let named = |text: &str| {
            let known =
                || format!("there is no kind {text:?}; there are: {}", EXERCISES.join(", "));
            EXERCISES
                .into_iter()
                .find(|kind| *kind == text)
                .ok_or_else(|| Problem::bad("kinds", known()))
        };
        let kinds = params.text("kinds").filter(|text| !text.is_empty());
        let sheet = Self {
            kinds: kinds
                .map_or(Ok(EXERCISES.to_vec()), |kinds| kinds.split(',').map(named).collect())?,
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
                    "{leaves} leaves do not fit on paper, only {MOST_LEAVES}: take fewer levels \
                     or branches"
                ),
            ));
        }
        Ok(sheet)
    }

    /// The exercises with their answers.
    ///
    /// # Errors
    /// If memory is lacking, or nobody waits for them any more.
    pub fn exercises(&self, job: &Job<'_>) -> Result<Value, Problem> {
        let exercises = (0..self.count).map(|index| {
            let kind = self.kinds[(index % self.kinds.len() as u64) as usize];
            // Each exercise has a seed of its own, so that its neighbours do not change it.
            let seed = Random::for_item(self.seed, index).next_u64();
            let mut exercise =
                if kind == "endgames" { endgame(job, seed)? } else { self.tree(kind, seed)? };
            exercise["kind"] = kind.into();
            Ok(exercise)
        });
        let exercises = exercises.collect::<Result<Vec<Value>, Problem>>()?;
        let Self { kinds, count, branches, levels, seed } = self;
        Ok(json!({
            "kinds": kinds, "count": count, "branches": branches, "levels": levels, "seed": seed,
            "exercises": exercises,
        }))
    }

    /// A tree with one best move at the root and, if cuts are asked for, at least one cut.
    fn tree(&self, kind: &str, seed: u64) -> Result<Value, Problem> {
        let needs_cuts = matches!(kind, "cuts" | "windows");
        for attempt in 0.. {
            let own = Random::for_item(seed, attempt).below(SEEDS) as u64;
            let tree = ExplicitTree::random(self.branches as u16, self.levels as u32, own, 1 << 20)
                .map_err(Problem::internal)?;
            let exercise = TreeExercise::of(&tree)?;
            let good = exercise.best_moves() == 1 && !(needs_cuts && exercise.cuts().is_empty());
            if good || attempt >= TRIES {
                let mut json = exercise.json();
                json["random"] = format!("{},{},{own}", self.branches, self.levels).into();
                return Ok(json);
            }
        }
        unreachable!("the loop returns")
    }
}

/// A tree with what minimax and alpha-beta find in it.
struct TreeExercise<'a> {
    tree: &'a ExplicitTree,
    /// Minimax's values of all nodes, breadth first.
    values: Vec<i32>,
    report: Report<NodeId>,
    /// What alpha-beta did at each node.
    marks: Marks,
}

impl<'a> TreeExercise<'a> {
    fn of(tree: &'a ExplicitTree) -> Result<Self, Problem> {
        let mut marks = Marks::new(tree).ok_or_else(|| Problem::internal("not enough memory"))?;
        let limits = Limits::depth(tree.depth());
        let report = search_tree(tree, &SearchOptions::default(), &limits, 0, &mut marks)
            .map_err(Problem::internal)?;
        Ok(Self { tree, values: tree.weigh(), report, marks })
    }

    fn best_moves(&self) -> usize {
        let children = self.tree.children(NodeId::ROOT);
        children.filter(|child| self.values[child.index()] == self.values[0]).count()
    }

    fn cuts(&self) -> Vec<NodeId> {
        self.marks.cut_edges()
    }

    fn json(&self) -> Value {
        let found = |node: NodeId| {
            let mark = self.marks.of(node)?;
            let mut json = json!(mark.window);
            json["value"] = mark.value.into();
            json["bound"] = json!(mark.bound);
            Some(json)
        };
        let found: Vec<Option<Value>> = self.tree.nodes().map(found).collect();
        json!({
            "tree": written(self.tree, NodeId::ROOT),
            "values": self.values,
            "best": self.report.best,
            "line": self.report.line,
            "cut": self.cuts(),
            "found": found,
        })
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
        let Some(entry) = unfinished_game(&mut Random::for_item(seed, attempt)) else { continue };
        let position = &entry.position;
        let analysis = solver.analyse(position, &job.budget()).map_err(Problem::internal)?;
        // Stopped: nobody waits for the sheet any more.
        let columns = analysis.complete().map_err(Problem::unfinished)?;
        if attempt < TRIES && columns.windows(2).all(|pair| pair[0].score == pair[1].score) {
            continue;
        }
        let moves = columns.iter().map(|column| {
            let mut json = move_json(position.rules(), column.mv);
            json["score"] = column.score.into();
            json["words"] = column.verdict.to_string().into();
            json
        });
        let moves: Vec<Value> = moves.collect();
        return Ok(json!({ "position": position_json(&entry), "moves": moves }));
    }
    unreachable!("the loop returns")
}

/// Five or six random moves of tic-tac-toe; none if they end the game.
fn unfinished_game(random: &mut Random) -> Option<Entry> {
    let discs = 5 + random.below(2) as u32;
    let mut position = Position::new(Rules::TIC_TAC_TOE);
    let mut moves = Vec::new();
    while position.ply() < discs && !position.outcome().is_over() {
        let &mv = random.pick(&position.legal_moves())?;
        moves.push(mv);
        position = position.play_unchecked(mv);
    }
    let mut entry = Entry::of(position);
    entry.moves = Some(moves);
    (!position.outcome().is_over()).then_some(entry)
}
