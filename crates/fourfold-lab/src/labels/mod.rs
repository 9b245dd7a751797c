//! Labelled positions: sampled from seeded games, and scored move by move by the exact solver.
//!
//! This is what evaluators are tuned and trained on. Half of the games are random (all of them, if
//! that is asked for), the others are played by shallow searches that now and then move at random, so
//! that both silly and sensible positions occur. Every game gives one position with a number of discs
//! drawn from a range; no position occurs twice, nor does its mirror image. [`Doubt`] leaves out what
//! a network knows already. Games are numbered and each has a seed of its own, so the set depends on the options alone, not on
//! threads or interruptions. `file` has the text form, which can be extended later.

mod doubt;
mod file;

pub use doubt::Doubt;
pub(crate) use file::assembled;
pub use file::{LabelFile, LabelFileError, read_labels};

use fourfold::book::Book;
use fourfold::budget::{Budget, Halt};
use fourfold::eval::Evaluator;
use fourfold::game::notation::{self, slot};
use fourfold::game::{Key, Move, Position, Rules};
use fourfold::play::{PlayerError, PlayerSpec, random_position};
use fourfold::random::Random;
use fourfold::score::Verdict;
use fourfold::solver::{AnalysisOptions, MoveScore, SolveError, Solver, SolverOptions};
use fourfold::workers::{InOrder, share_out};
use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{PoisonError, RwLock};

/// A position whose moves are all solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The moves that lead to the position.
    pub moves: Vec<Move>,
    /// The position; the game is not over, and nobody wins with the next disc.
    pub position: Position,
    /// The score of each legal move, for the side that makes it.
    pub scores: Vec<(Move, i32)>,
}

impl Label {
    /// The score of the position for the side to move.
    #[must_use]
    pub fn score(&self) -> i32 {
        self.scores.iter().map(|&(_, score)| score).max().unwrap_or(0)
    }

    /// The line of a label file: the moves, then a score for every column or cell.
    #[must_use]
    pub fn to_line(&self) -> String {
        let rules = self.position.rules();
        let mut scores = vec![None; rules.most_moves() as usize];
        for &(mv, score) in &self.scores {
            scores[slot(rules, mv)] = Some(score);
        }
        let mut line = notation::moves_text(rules, &self.moves);
        for score in scores {
            line.push(' ');
            line += &score.unwrap_or(file::UNPLAYABLE).to_string();
        }
        line
    }
}

/// What to sample and how to label it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelOptions {
    /// The game.
    pub rules: Rules,
    /// The random seed.
    pub seed: u64,
    /// Discs on the board.
    pub plies: RangeInclusive<u32>,
    /// Only who wins after each move, not how soon: scores are -1, 0 and 1. Quicker.
    pub weak: bool,
    /// Positions that take the solver longer are left out.
    pub nodes: u64,
    /// Only positions from which best play takes so many plies to the end; needs exact scores.
    pub remaining: Option<RangeInclusive<u32>>,
    /// Only positions that a network is in doubt about.
    pub doubt: Option<Doubt>,
    /// Only positions of random games.
    pub random: bool,
}

impl LabelOptions {
    /// Positions of the whole game with exact scores, as far as two million nodes go.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let plies = 0..=rules.cells().saturating_sub(2);
        let (remaining, doubt) = (None, None);
        let (weak, random) = (false, false);
        Self { rules, seed: 1, plies, weak, nodes: 2_000_000, remaining, doubt, random }
    }
}

/// Why no labels were made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// The solver cannot be asked.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// A player that samples positions cannot be seated.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The range of plies has hardly any position that is not known already.
    #[error("found {found} positions, then none in {games} games")]
    Exhausted {
        /// Positions found.
        found: u64,
        /// Games in vain.
        games: u64,
    },
}

/// Games that are sampled and labelled in one go, and resumed as one.
pub(crate) const BLOCK: u64 = 32;

/// Blocks in a row without a new position after which the range is taken to be exhausted.
const BLOCKS_IN_VAIN: u64 = 64;

/// Plays game `number` of the sample to a position of the wanted range; none if it ends before, or
/// the side to move wins at once.
///
/// # Errors
/// If a player cannot be seated.
pub fn sample(
    options: &LabelOptions,
    number: u64,
) -> Result<Option<(Position, Vec<Move>)>, PlayerError> {
    let mut random = Random::for_item(options.seed, number);
    if options.random || random.chance(0.5) {
        return Ok(random_position(&options.rules, options.plies.clone(), &mut random));
    }
    let (first, last) = (*options.plies.start(), *options.plies.end());
    let discs = first + random.below((last.saturating_sub(first)) as usize + 1) as u32;
    let depth = 1 + random.below(3);
    let careless = [0.1, 0.25, 0.5][random.below(3)];
    // The published evaluator: the sample must not change when another is tuned.
    let evaluator = Evaluator::textbook(&options.rules);
    let spec: PlayerSpec =
        format!("lookahead:{depth},eval={evaluator},tie=random").parse().expect("a valid player");
    let budget = Budget::unlimited();
    let mut players = [
        spec.player(&options.rules, random.next_u64(), &budget)?,
        spec.player(&options.rules, random.next_u64(), &budget)?,
    ];
    let mut position = Position::new(options.rules);
    let mut moves = Vec::new();
    while position.ply() < discs {
        if position.outcome().is_over() {
            return Ok(None);
        }
        let mv = if random.chance(careless) {
            *random.pick(&position.legal_moves()).expect("the game is not over")
        } else {
            players[(position.ply() % 2) as usize].choose(&position)?.mv
        };
        moves.push(mv);
        position = position.play_unchecked(mv);
    }
    let open = !position.outcome().is_over() && !position.wins_at_once();
    Ok(open.then_some((position, moves)))
}

/// The position of game `number`, or of the next one of the same number that does not end too soon.
///
/// # Errors
/// If a player cannot be seated.
#[cfg(feature = "training")]
pub(crate) fn sample_again(
    options: &LabelOptions,
    number: u64,
) -> Result<Option<Position>, PlayerError> {
    for attempt in 0..20 {
        if let Some((position, _)) = sample(options, number + (attempt << 40))? {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// A solver that labels. Its memory is fixed, since what a position costs, and so whether it is left
/// out, depends on it.
pub(crate) fn label_solver(rules: &Rules) -> Result<Solver, SolveError> {
    let solver = Solver::new(rules, SolverOptions::default().with_memory(32))?;
    Ok(solver.with_book(Book::embedded(rules)))
}

/// Makes labels until `each` breaks. Results come in the order of their games, with the number of
/// the block they belong to; positions whose key is in `seen` are left out, and new ones are added.
///
/// # Errors
/// If the solver lacks memory, or the range of plies has no more positions.
pub fn make_labels(
    options: &LabelOptions,
    first_block: u64,
    seen: HashSet<Key>,
    threads: usize,
    budget: &Budget,
    mut each: impl FnMut(u64, Vec<Label>) -> ControlFlow<()>,
) -> Result<(), LabelError> {
    let seen = RwLock::new(seen);
    label_solver(&options.rules)?;
    let work = |solver: &mut Result<Solver, SolveError>, block: u64| {
        let solver = solver.as_mut().map_err(|why| LabelError::from(why.clone()))?;
        label_block(options, block, solver, &seen, budget)
    };
    let solver = || label_solver(&options.rules);
    let mut order = InOrder::default();
    let (mut failure, mut in_vain, mut found) = (None, 0, 0);
    let blocks = (first_block..).take_while(|_| budget.exhausted().is_none());
    share_out(blocks, threads, solver, work, |index, result| {
        for (index, result) in order.add(index, result) {
            let block = match result {
                Ok(block) => block,
                Err(why) => {
                    failure = Some(why);
                    return ControlFlow::Break(());
                }
            };
            let Some(labels) = block else { return ControlFlow::Break(()) };
            let mut seen = seen.write().unwrap_or_else(PoisonError::into_inner);
            let fresh: Vec<Label> = labels
                .into_iter()
                .filter(|label| seen.insert(label.position.canonical().key()))
                .collect();
            drop(seen);
            in_vain = if fresh.is_empty() { in_vain + 1 } else { 0 };
            found += fresh.len() as u64;
            if in_vain == BLOCKS_IN_VAIN {
                failure = Some(LabelError::Exhausted { found, games: in_vain * BLOCK });
                return ControlFlow::Break(());
            }
            if each(first_block + index as u64, fresh).is_break() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    failure.map_or(Ok(()), Err)
}

/// One block of games, labelled; none if the budget ended.
pub(crate) fn label_block(
    options: &LabelOptions,
    block: u64,
    solver: &mut Solver,
    seen: &RwLock<HashSet<Key>>,
    budget: &Budget,
) -> Result<Option<Vec<Label>>, LabelError> {
    let analysis_options = AnalysisOptions::default().with_weak(options.weak);
    let mut labels = Vec::new();
    for number in block * BLOCK..(block + 1) * BLOCK {
        let Some((position, moves)) = sample(options, number)? else { continue };
        if options.doubt.as_ref().is_some_and(|doubt| !doubt.has(&position)) {
            continue;
        }
        // What is known by now saves the solver work; what is not yet is sorted out later.
        let key = position.canonical().key();
        if seen.read().unwrap_or_else(PoisonError::into_inner).contains(&key) {
            continue;
        }
        // What one position costs must not depend on those before it, or the set would.
        solver.forget();
        let part = budget.part().with_nodes(options.nodes);
        let analysis = solver.analyse_with(&position, analysis_options, &part, |_| ())?;
        if analysis.stopped == Some(Halt::Stopped) {
            return Ok(None);
        }
        let wanted = |best: MoveScore| match (&options.remaining, best.verdict) {
            (None, _) => true,
            (Some(range), Verdict::Draw) => range.contains(&position.empty()),
            (Some(range), Verdict::Win { plies } | Verdict::Loss { plies }) => {
                plies.is_some_and(|plies| range.contains(&plies))
            }
            (Some(_), Verdict::Estimate(_)) => false,
        };
        if analysis.best().is_some_and(wanted)
            && let Some(scores) = analysis.scores()
        {
            let scores = scores.iter().map(|found| (found.mv, found.score)).collect();
            labels.push(Label { moves, position, scores });
        }
    }
    Ok(Some(labels))
}
