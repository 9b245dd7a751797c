//! The questions: random trees and positions, chosen so that every two mistakes that can be told
//! apart are.

use crate::fault::{Fault, Faults};
use crate::request::{Algorithm, Answer, Board, Disc, Input, Node, Problem};
use crate::search::answer;
use fourfold::game::{Position, Rules, Side};
use fourfold::random::Random;
use fourfold::search::Turn;
use std::collections::HashMap;
use std::hash::Hash;

/// A part of the exercise that asks for a search: an algorithm, on trees of numbers or on positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SearchPart {
    /// Minimax on trees.
    MinimaxTrees,
    /// Alpha-beta on trees.
    AlphaBetaTrees,
    /// Minimax on positions.
    MinimaxPositions,
    /// Alpha-beta on positions.
    AlphaBetaPositions,
}

impl SearchPart {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::MinimaxTrees,
        Self::AlphaBetaTrees,
        Self::MinimaxPositions,
        Self::AlphaBetaPositions,
    ];

    /// A name to type: `alphabeta-trees`.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::MinimaxTrees => "minimax-trees",
            Self::AlphaBetaTrees => "alphabeta-trees",
            Self::MinimaxPositions => "minimax-positions",
            Self::AlphaBetaPositions => "alphabeta-positions",
        }
    }

    /// A name to read: `alpha-beta on trees`.
    #[must_use]
    pub fn title(self) -> String {
        let on = if self.is_of_trees() { "trees" } else { "positions" };
        format!("{} on {on}", self.algorithm())
    }

    /// How it searches.
    #[must_use]
    pub fn algorithm(self) -> Algorithm {
        match self {
            Self::MinimaxTrees | Self::MinimaxPositions => Algorithm::Minimax,
            Self::AlphaBetaTrees | Self::AlphaBetaPositions => Algorithm::AlphaBeta,
        }
    }

    /// Whether it searches trees of numbers; else positions.
    #[must_use]
    pub fn is_of_trees(self) -> bool {
        matches!(self, Self::MinimaxTrees | Self::AlphaBetaTrees)
    }
}

/// The seed of the questions that `STANDARD` names.
pub const STANDARD_SEED: u64 = 1;

/// Questions that random ones are chosen from.
const POOL: u64 = 600;
/// At least this many are asked in a part, and at most.
const FEWEST: usize = 18;
const MOST: usize = 36;

/// The questions of a part.
///
/// Those of the standard seed are known by number, others are chosen, which takes some seconds.
#[must_use]
pub fn questions(part: SearchPart, seed: u64) -> Vec<Input> {
    let chosen = match STANDARD.iter().find(|(of, _)| *of == part) {
        Some((_, numbers)) if seed == STANDARD_SEED => numbers.to_vec(),
        _ => choose(part, seed),
    };
    chosen.into_iter().map(|number| candidate(part, seed, number)).collect()
}

include!("standard.rs");

/// The numbers of the questions that tell the mistakes apart.
#[must_use]
pub fn choose(part: SearchPart, seed: u64) -> Vec<u64> {
    let pool: Vec<Input> = (0..POOL).map(|number| candidate(part, seed, number)).collect();
    let sets: Vec<Faults> = std::iter::once(Faults::NONE)
        .chain(Fault::ALL.iter().flat_map(|&fault| Faults::of(&[fault]).both_ways()))
        .collect();
    let leaves: Vec<u64> =
        pool.iter().map(|input| answer(input, Faults::NONE).visited.unwrap_or(0)).collect();
    // What each search answers, with leaves and without.
    let rows: Vec<[Vec<u64>; 2]> = pool
        .iter()
        .map(|input| {
            let answers: Vec<Answer> = sets.iter().map(|&faults| answer(input, faults)).collect();
            let plain = numbered(answers.iter().map(|answer| (answer.value, answer.mv)));
            let full = numbered(answers.iter().map(|found| (found.value, found.mv, sizes(found))));
            [plain, full]
        })
        .collect();
    let mut classes = [vec![0; sets.len()], vec![0; sets.len()]];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < MOST {
        let gain = |index: usize| -> f64 {
            let split: usize =
                classes.iter().zip(&rows[index]).map(|(before, row)| splits(before, row)).sum();
            // Short questions are better to read.
            split as f64 / (30.0 + leaves[index] as f64)
        };
        let fresh = (0..pool.len()).filter(|index| !chosen.contains(index));
        let Some(best) =
            fresh.max_by(|&one, &two| gain(one).total_cmp(&gain(two)).then_with(|| two.cmp(&one)))
        else {
            break;
        };
        if gain(best) == 0.0 && chosen.len() >= FEWEST {
            break;
        }
        if gain(best) == 0.0 {
            // Once more through all mistakes, so that each is seen in more than one answer.
            if classes.iter().all(|class| class.iter().all(|&number| number == 0)) {
                break;
            }
            classes = [vec![0; sets.len()], vec![0; sets.len()]];
            continue;
        }
        for (class, row) in classes.iter_mut().zip(&rows[best]) {
            *class = numbered(class.iter().zip(row));
        }
        chosen.push(best);
    }
    // The short ones first.
    chosen.sort_by_key(|&index| (leaves[index], index));
    chosen.into_iter().map(|index| index as u64).collect()
}

/// The leaves of an answer without their signs: programs differ in whose value they note down.
pub(crate) fn sizes(answer: &Answer) -> Option<Vec<i64>> {
    let leaves = answer.leaves.as_ref()?;
    Some(leaves.iter().map(|leaf| leaf.abs()).collect())
}

/// A number for each item, the same for equal ones.
fn numbered<T: Hash + Eq>(items: impl Iterator<Item = T>) -> Vec<u64> {
    let mut seen = HashMap::new();
    items
        .map(|item| {
            let next = seen.len() as u64;
            *seen.entry(item).or_insert(next)
        })
        .collect()
}

/// Pairs of one class that a question tells apart.
fn splits(class: &[u64], row: &[u64]) -> usize {
    let pairs = |counts: HashMap<(u64, u64), usize>| -> usize {
        counts.values().map(|&count| count * (count - 1) / 2).sum()
    };
    let mut before = HashMap::new();
    let mut after = HashMap::new();
    for (&class, &row) in class.iter().zip(row) {
        *before.entry((class, 0)).or_insert(0) += 1;
        *after.entry((class, row)).or_insert(0) += 1;
    }
    pairs(before) - pairs(after)
}

/// Random question `number` of a part.
#[must_use]
pub fn candidate(part: SearchPart, seed: u64, number: u64) -> Input {
    let mut random = Random::for_item(seed ^ u64::from(part.is_of_trees()) << 32, number);
    let algorithm = part.algorithm();
    let problem = if part.is_of_trees() {
        let root = if random.below(4) == 0 { Turn::Min } else { Turn::Max };
        let height = 2 + random.below(3);
        let range = [5, 9, 20, 150][random.below(4)];
        let shift = [0, 0, range / 2, range, -range][random.below(5)];
        let tree = random_tree(&mut random, height, true, range, shift);
        Problem::Tree { root, tree }
    } else {
        Problem::Position(random_position(&mut random))
    };
    Input { algorithm, problem }
}

fn random_tree(random: &mut Random, height: usize, top: bool, range: i64, shift: i64) -> Node {
    if height == 0 || (!top && random.below(6) == 0) {
        let span = 2 * range as usize + 1;
        return Node::Leaf(random.below(span) as i64 - range + shift);
    }
    let children = [2, 2, 3, 3, 1][random.below(if top { 4 } else { 5 })];
    let child = |_| random_tree(random, height - 1, false, range, shift);
    Node::Inner((0..children).map(child).collect())
}

/// Games small enough to be drawn on paper.
const GAMES: [&str; 5] = ["3x3c3f", "4x3c3", "3x3c3", "4x4c3", "4x3c3f"];
/// Leaves of minimax that a question may have.
const MOST_LEAVES: u64 = 140;

fn random_position(random: &mut Random) -> Board {
    loop {
        let rules: Rules = GAMES[random.below(GAMES.len())].parse().expect("they are games");
        let cells = rules.width() * rules.height();
        let plies = 1 + random.below(cells as usize - 1);
        let mut position = Position::new(rules);
        for _ in 0..plies {
            let moves = position.legal_moves();
            let next = random.pick(&moves).and_then(|&mv| position.play(mv).ok());
            match next {
                Some(next) if !next.outcome().is_over() => position = next,
                _ => break,
            }
        }
        let range = [4, 4, 30][random.below(3)];
        let weight = |_| random.below(range * 2) as i64 - range as i64 / 2;
        let weights = (0..cells).map(weight).collect();
        let mut board = board_of(&position, weights, 2 + random.below(3) as u32);
        while board.depth >= 2 {
            let problem = Problem::Position(board.clone());
            let input = Input { algorithm: Algorithm::Minimax, problem };
            let leaves = answer(&input, Faults::NONE).visited.unwrap_or(0);
            if leaves <= MOST_LEAVES {
                if leaves > 1 {
                    return board;
                }
                break;
            }
            board.depth -= 1;
        }
    }
}

/// A position as a question has it.
#[must_use]
pub fn board_of(position: &Position, weights: Vec<i64>, depth: u32) -> Board {
    let rules = position.rules();
    let (width, height) = (rules.width() as usize, rules.height() as usize);
    let mut cells = vec![None; width * height];
    for (side, disc) in [(Side::First, Disc::X), (Side::Second, Disc::O)] {
        for cell in position.discs(side).iter() {
            let row = height - 1 - cell.row as usize;
            cells[row * width + cell.column as usize] = Some(disc);
        }
    }
    let line = match rules.shape() {
        fourfold::game::Shape::Line(length) => length as usize,
        _ => 0,
    };
    Board {
        width,
        height,
        line,
        gravity: rules.gravity(),
        cells,
        to_move: if position.to_move() == Side::First { Disc::X } else { Disc::O },
        weights,
        depth,
    }
}
