//! Exercises about tic-tac-toe, and about counting.

use super::{SheetError, TRIES};
use crate::shapes::{move_json, position_json};
use fourfold::budget::Budget;
use fourfold::eval::{Evaluator, Weights, Windows};
use fourfold::game::notation::Entry;
use fourfold::game::{Move, Position, Rules, Side};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::solver::SolverPool;
use serde_json::{Value, json};
use std::collections::HashSet;

/// A position with three or four empty cells that are not all worth the same.
#[derive(Debug)]
pub struct EndgameTask {
    /// The position and how it came about.
    pub entry: Entry,
    /// Every move with its exact score and what that means.
    pub moves: Vec<(Move, i32, Verdict)>,
}

impl EndgameTask {
    pub(super) fn random(
        seed: u64,
        pool: &SolverPool,
        budget: &Budget,
    ) -> Result<Self, SheetError> {
        let mut solver = pool.lend(&Rules::TIC_TAC_TOE).map_err(SheetError::internal)?;
        for attempt in 0.. {
            let mut random = Random::for_item(seed, attempt);
            let discs = 5 + random.below(2) as u32;
            let Some(entry) = unfinished_game(&mut random, discs) else { continue };
            let analysis =
                solver.analyse(&entry.position, &budget.renewed()).map_err(SheetError::internal)?;
            let columns = analysis.complete().map_err(|_| SheetError::Stopped)?;
            if attempt < TRIES && columns.windows(2).all(|pair| pair[0].score == pair[1].score) {
                continue;
            }
            let moves =
                columns.iter().map(|column| (column.mv, column.score, column.verdict)).collect();
            return Ok(Self { entry, moves });
        }
        unreachable!("the loop returns")
    }

    pub(super) fn json(&self) -> Value {
        let moves = self.moves.iter().map(|(mv, score, verdict)| {
            let mut json = move_json(self.entry.position.rules(), *mv);
            json["score"] = (*score).into();
            json["words"] = verdict.to_string().into();
            json
        });
        let moves: Vec<Value> = moves.collect();
        json!({ "position": position_json(&self.entry), "moves": moves })
    }
}

/// The lines that only one side can still complete, by the discs that it has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenLines {
    /// With one disc.
    pub ones: i32,
    /// With two discs.
    pub twos: i32,
}

impl OpenLines {
    /// What a line with one disc counts, and one with two.
    pub const WEIGHTS: [i32; 2] = [1, 3];

    fn of(position: &Position, side: Side) -> Self {
        let rules = position.rules();
        let discs = |side: Side| {
            let cells: Vec<(u8, u8)> =
                position.discs(side).iter().map(|cell| (cell.column, cell.row)).collect();
            cells
        };
        let (own, other) = (discs(side), discs(side.other()));
        let mut found = Self::default();
        let size = rules.width() as u8;
        let step = |at: u8| (0..size).map(move |other| (at, other)).collect::<Vec<_>>();
        let turned = |at: u8| (0..size).map(move |other| (other, at)).collect::<Vec<_>>();
        let mut lines: Vec<Vec<(u8, u8)>> =
            (0..size).flat_map(|at| [step(at), turned(at)]).collect();
        lines.push((0..size).map(|at| (at, at)).collect());
        lines.push((0..size).map(|at| (at, size - 1 - at)).collect());
        for line in lines {
            if line.iter().any(|cell| other.contains(cell)) {
                continue;
            }
            match line.iter().filter(|cell| own.contains(cell)).count() {
                1 => found.ones += 1,
                2 => found.twos += 1,
                _ => {}
            }
        }
        found
    }

    /// What they add up to.
    #[must_use]
    pub fn value(self) -> i32 {
        self.ones * Self::WEIGHTS[0] + self.twos * Self::WEIGHTS[1]
    }
}

/// A position of tic-tac-toe in which nobody can win at once, to be evaluated.
#[derive(Debug)]
pub struct EvaluationTask {
    /// The position and how it came about.
    pub entry: Entry,
    /// The open lines of the side to move, and of the other.
    pub own: OpenLines,
    /// The same of the other side.
    pub other: OpenLines,
    /// The value for the side to move.
    pub value: i32,
    /// Each move with the value of the position after it, for the side that made it.
    pub moves: Vec<(Move, i32)>,
}

impl EvaluationTask {
    pub(super) fn random(seed: u64) -> Result<Self, SheetError> {
        for attempt in 0.. {
            let mut random = Random::for_item(seed, attempt);
            let discs = 2 + random.below(3) as u32;
            let Some(entry) = unfinished_game(&mut random, discs) else { continue };
            let task = Self::of(entry)?;
            let tactical = task.own.twos > 0 || task.other.twos > 0;
            let best = task.moves.iter().map(|(_, value)| *value).max();
            let choices = task.moves.iter().filter(|(_, value)| Some(*value) == best).count();
            if attempt >= TRIES || (choices == 1 && !tactical) {
                return Ok(task);
            }
        }
        unreachable!("the loop returns")
    }

    fn of(entry: Entry) -> Result<Self, SheetError> {
        let [one, two] = OpenLines::WEIGHTS;
        let weights = Weights { lacking_three: 0, lacking_two: one, lacking_one: two, fatal: 0 };
        let evaluator = Evaluator::Windows(Windows::new(weights));
        let position = &entry.position;
        let side = position.to_move();
        let worth =
            |position: &Position| evaluator.evaluate(position, side).map_err(SheetError::internal);
        let moves = position.legal_moves().into_iter().map(|mv| {
            let value = worth(&position.play_unchecked(mv))?;
            Ok((mv, value))
        });
        let moves = moves.collect::<Result<_, SheetError>>()?;
        let value = worth(position)?;
        let (own, other) = (OpenLines::of(position, side), OpenLines::of(position, side.other()));
        Ok(Self { own, other, value, moves, entry })
    }

    /// The moves after which the value is highest.
    #[must_use]
    pub fn best(&self) -> Vec<Move> {
        let best = self.moves.iter().map(|(_, value)| *value).max();
        self.moves.iter().filter(|(_, value)| Some(*value) == best).map(|(mv, _)| *mv).collect()
    }

    pub(super) fn json(&self) -> Value {
        let moves = self.moves.iter().map(|(mv, value)| {
            let mut json = move_json(self.entry.position.rules(), *mv);
            json["score"] = (*value).into();
            json
        });
        let moves: Vec<Value> = moves.collect();
        let lines = |lines: OpenLines| json!({ "ones": lines.ones, "twos": lines.twos });
        json!({
            "position": position_json(&self.entry),
            "own": lines(self.own),
            "other": lines(self.other),
            "value": self.value,
            "moves": moves,
        })
    }
}

/// Something to be counted.
#[derive(Debug)]
pub enum CountingTask {
    /// A tree in which every inner node has the same number of children.
    Tree {
        /// Children of a node.
        branches: u64,
        /// Levels below the root.
        levels: u32,
        /// Nodes, the root and the leaves included.
        nodes: u64,
        /// Leaves.
        leaves: u64,
        /// The leaves that alpha-beta visits in the best order.
        fewest: u64,
    },
    /// What can still happen in a game of tic-tac-toe.
    Game {
        /// The position and how it came about.
        entry: Entry,
        /// Ways in which the game can go on to its end.
        games: u64,
        /// Positions that can come about, this one included.
        positions: u64,
    },
}

impl CountingTask {
    pub(super) fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        if random.below(2) == 0 {
            let (branches, levels) = (2 + random.below(6) as u64, 2 + random.below(3) as u32);
            return Self::tree(branches, levels);
        }
        for attempt in 0.. {
            let discs = 5 + random.below(2) as u32;
            let Some(entry) = unfinished_game(&mut random, discs) else { continue };
            let task = Self::game(entry);
            // Without a win on the way there is only a factorial to see.
            let early = match &task {
                Self::Game { entry, games, .. } => {
                    *games < (1..=u64::from(entry.position.empty())).product()
                }
                Self::Tree { .. } => true,
            };
            if early || attempt >= TRIES {
                return task;
            }
        }
        unreachable!("the loop returns")
    }

    /// A full tree: its figures by arithmetic, the fewest leaves by Knuth and Moore (1975).
    #[must_use]
    pub fn tree(branches: u64, levels: u32) -> Self {
        let leaves = branches.pow(levels);
        let nodes = (0..=levels).map(|level| branches.pow(level)).sum();
        let fewest = branches.pow(levels.div_ceil(2)) + branches.pow(levels / 2) - 1;
        Self::Tree { branches, levels, nodes, leaves, fewest }
    }

    /// By walking through all that can happen, which is little: the counter of large games would be
    /// a good part of the engine in the browser.
    fn game(entry: Entry) -> Self {
        let mut met = HashSet::new();
        let games = games_from(&entry.position, &mut met);
        Self::Game { entry, games, positions: met.len() as u64 }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Tree { branches, levels, nodes, leaves, fewest } => json!({
                "branches": branches, "levels": levels, "nodes": nodes, "leaves": leaves,
                "fewest": fewest,
            }),
            Self::Game { entry, games, positions } => json!({
                "position": position_json(entry), "games": games, "positions": positions,
            }),
        }
    }
}

/// Random moves of tic-tac-toe; none if they end the game.
fn unfinished_game(random: &mut Random, discs: u32) -> Option<Entry> {
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

/// The games that can follow from a position; the positions on the way are added to `met`.
fn games_from(position: &Position, met: &mut HashSet<String>) -> u64 {
    met.insert(position.to_string());
    if position.outcome().is_over() {
        return 1;
    }
    let moves = position.legal_moves();
    moves.into_iter().map(|mv| games_from(&position.play_unchecked(mv), met)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worksheet::{Kind, TreeTask};
    use fourfold::game::counting::{CountLimits, count};

    #[test]
    fn lines_counted_by_hand_are_what_the_evaluator_says() {
        for seed in 0..300 {
            let task = EvaluationTask::random(seed).unwrap();
            assert_eq!(task.own.value() - task.other.value(), task.value, "{:?}", task.entry);
            assert_eq!(task.best().len(), 1);
        }
    }

    #[test]
    fn figures_of_full_trees_are_what_a_search_finds() {
        for (branches, levels) in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (5, 2)] {
            let counted = CountingTask::tree(branches, levels);
            let CountingTask::Tree { nodes, leaves, fewest, .. } = counted else { panic!() };
            let task = TreeTask::random(Kind::Values, branches, u64::from(levels), 3).unwrap();
            assert_eq!(task.tree.len() as u64, nodes);
            assert_eq!(crate::trees::leaves_in(&task.tree), leaves);
            assert_eq!(task.sorted_leaves as u64, fewest, "{branches} {levels}");
        }
    }

    #[test]
    fn games_are_counted_as_the_counter_of_games_counts_them() {
        let mut games_seen = 0;
        for seed in 0..60 {
            if let CountingTask::Game { entry, games, positions } = CountingTask::random(seed) {
                let counts = count(&entry.position, 9, &CountLimits::default(), |_| {}).unwrap();
                let totals = counts.totals_from(0);
                assert_eq!((totals.finished, totals.positions), (games.into(), positions.into()));
                games_seen += 1;
            }
        }
        assert!(games_seen > 10);
    }
}
