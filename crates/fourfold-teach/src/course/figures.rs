//! The figures of the lessons' texts: every number comes from the library, none is typed.

use super::CourseError;
use fourfold::book::Books;
use fourfold::budget::Budget;
use fourfold::eval::Evaluator;
use fourfold::game::counting::{CountLimits, count};
use fourfold::game::{Position, Rules};
use fourfold::search::{ExplicitTree, Limits, NodeId, SearchOptions, Searcher, Step};
use fourfold::solver::{Analysis, SolverOptions, SolverPool};
use fourfold_app::text::grouped;
use fourfold_app::trees::{TreeSearch, leaves_in};
use fourfold_app::worksheet::{CountingTask, OpenLines};
use std::collections::BTreeMap;

/// How far the searches that are compared look ahead.
const DEPTH: u32 = 6;
/// Moves of Connect Four whose sequences are counted.
const PLIES: u32 = 8;
/// The full tree of lesson 4: as wide as Connect Four.
const FULL: (u64, u32) = (7, 6);

/// Figures by name.
pub(super) struct Figures(BTreeMap<&'static str, String>);

impl Figures {
    /// Computes all of them.
    pub(super) fn compute() -> Result<Self, CourseError> {
        let mut all = BTreeMap::new();
        let big = |number: u128| grouped(u64::try_from(number).unwrap_or(u64::MAX));
        let cells = Position::new(Rules::TIC_TAC_TOE);
        let counts =
            count(&cells, 9, &CountLimits::default(), |_| {}).map_err(CourseError::internal)?;
        let totals = counts.totals_from(0);
        all.insert("ttt.games", big(totals.finished));
        all.insert("ttt.sequences", big(totals.sequences));
        all.insert("ttt.positions", big(totals.positions));
        all.insert("ttt.symmetric", big(totals.up_to_symmetry));
        let pool = SolverPool::new(SolverOptions::default(), Books::Embedded);
        let solved = |position: &Position| -> Result<Analysis, CourseError> {
            let mut solver = pool.lend(position.rules()).map_err(CourseError::internal)?;
            solver.analyse(position, &Budget::unlimited()).map_err(CourseError::internal)
        };
        let drawn = solved(&cells)?;
        let best = drawn
            .complete()
            .map_err(CourseError::internal)?
            .iter()
            .map(|column| column.score)
            .max();
        all.insert("ttt.verdict", if best == Some(0) { "draw" } else { "win" }.to_owned());

        let board = Position::new(Rules::CONNECT_FOUR);
        let counts =
            count(&board, PLIES, &CountLimits::default(), |_| {}).map_err(CourseError::internal)?;
        if let Some(last) = counts.plies.last() {
            all.insert("c4.ply", last.ply.to_string());
            all.insert("c4.sequences", big(last.sequences));
            all.insert("c4.positions", big(last.positions));
        }
        let analysis = solved(&board)?;
        let columns = analysis.complete().map_err(CourseError::internal)?;
        let rules = board.rules();
        let moves: Vec<String> = columns
            .iter()
            .map(|column| format!("column {} {}", column.mv.label(rules), column.verdict))
            .collect();
        all.insert("c4.moves", moves.join(", "));
        if let Some(best) = columns.iter().max_by_key(|column| column.score) {
            all.insert("c4.best", best.mv.label(rules));
            all.insert("c4.verdict", best.verdict.to_string());
        }

        all.insert("search.depth", DEPTH.to_string());
        let evaluator = Evaluator::textbook(rules);
        let mut centre = SearchOptions::default();
        centre.set("mid_col", "on").map_err(CourseError::internal)?;
        for (name, options) in [
            ("search.minimax", SearchOptions::minimax()),
            ("search.alphabeta", SearchOptions::default()),
            ("search.centre", centre),
        ] {
            let mut searcher = Searcher::new(evaluator.clone(), options);
            let report =
                searcher.search(&board, &Limits::depth(DEPTH), 0).map_err(CourseError::internal)?;
            all.insert(name, grouped(report.counters.nodes));
        }
        if let CountingTask::Tree { branches, levels, leaves, fewest, .. } =
            CountingTask::tree(FULL.0, FULL.1)
        {
            all.insert("full.branches", branches.to_string());
            all.insert("full.levels", levels.to_string());
            all.insert("full.leaves", grouped(leaves));
            all.insert("full.fewest", grouped(fewest));
        }
        let [one, two] = OpenLines::WEIGHTS;
        all.insert("lines.one", one.to_string());
        all.insert("lines.two", two.to_string());
        all.insert("grader.others", (crate::Fault::ALL.len() - 4).to_string());
        Ok(Self(all))
    }

    /// A text with its figures: `{ttt.games}` by name, `{value:((3 5)(2 9))}` of a tree (its value,
    /// its leaves, the leaves that alpha-beta visits, its largest leaf, the level of the deepest
    /// node that it cuts at; `at 1 0` is the value of the first child of the second).
    pub(super) fn fill(&self, text: &str) -> Result<String, CourseError> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after
                .split_once('}')
                .ok_or_else(|| CourseError::Description(format!("no }} after {before:?}")))?;
            out += before;
            out += &match name.split_once(':') {
                Some((what, tree)) => of_tree(what, tree)?,
                None => self.0.get(name).cloned().ok_or_else(|| unknown(name))?,
            };
            rest = after;
        }
        Ok(out + rest)
    }
}

fn unknown(name: &str) -> CourseError {
    CourseError::Description(format!("there is no figure {name:?}"))
}

fn of_tree(what: &str, text: &str) -> Result<String, CourseError> {
    let tree: ExplicitTree = text.parse().map_err(CourseError::internal)?;
    let largest = tree.nodes().filter_map(|node| tree.leaf_value(node)).max().unwrap_or(0);
    let leaves = leaves_in(&tree);
    if let Some(path) = what.strip_prefix("at ") {
        let node = path.split(' ').try_fold(NodeId::ROOT, |node, step| {
            step.parse().ok().and_then(|step| tree.children(node).nth(step))
        });
        let node = node.ok_or_else(|| unknown(what))?;
        return Ok(tree.weigh()[node.index()].to_string());
    }
    let search = TreeSearch::search(tree, SearchOptions::default(), 0, usize::MAX, None)
        .map_err(CourseError::internal)?;
    let cuts = search.trace.steps().iter().filter_map(|step| match step {
        Step::Cut { node, .. } => Some(search.tree.level(*node)),
        _ => None,
    });
    Ok(match what {
        "value" => search.report.value.to_string(),
        "leaves" => leaves.to_string(),
        "visits" => search.marks.leaves.len().to_string(),
        "max" => largest.to_string(),
        "deepest-cut" => cuts.max().unwrap_or(0).to_string(),
        _ => return Err(unknown(what)),
    })
}
