//! Monte Carlo tree search: UCT with proven results backed up.
//!
//! Each iteration walks down the tree by UCB1, expands the leaf it reaches, plays the game out from
//! there by a simple policy (a playout), and adds the result to every node on its path. No
//! evaluator is asked. With `proven`, ends of games in the tree are backed up as in minimax: a move
//! that is proven to lose is not tried again, and a root that is proven ends the search.
//!
//! Counted like the other searches: a *node* is every position visited, in the tree and in
//! playouts, so that a node limit compares it fairly with alpha-beta. The result depends on the
//! position, the options, the node limit and the seed alone: floats appear in the selection rule
//! only, and only operations that IEEE 754 rounds the same way everywhere.
//!
//! Sources: Auer, Cesa-Bianchi and Fischer 2002 (UCB1); Kocsis and Szepesvári 2006 (UCT); Winands,
//! Björnsson and Saito 2008 (MCTS-Solver).

use super::limits::Countdown;
use super::{Ended, Halt};
use crate::budget::Budget;
use crate::game::{Board, Geometry, Move, Outcome, Position, Word};
use crate::random::Random;
use crate::score::Verdict;
use std::fmt;
use std::str::FromStr;

/// How moves of a playout are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlayoutPolicy {
    /// Any legal move, each equally likely.
    Random,
    /// A win at once, else a block, else any legal move.
    #[default]
    Naive,
}

impl fmt::Display for PlayoutPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Naive => "naive",
        })
    }
}

impl FromStr for PlayoutPolicy {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "random" => Ok(Self::Random),
            "naive" => Ok(Self::Naive),
            _ => Err(()),
        }
    }
}

/// The switches of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MctsOptions {
    /// Playouts at most; none for as many as the budget allows.
    pub playouts: Option<u64>,
    /// The exploration constant of UCB1, for results from 0 (loss) to 1 (win).
    pub exploration: f64,
    /// How playouts are played.
    pub policy: PlayoutPolicy,
    /// Back proven results up, as MCTS-Solver does.
    pub proven: bool,
}

impl MctsOptions {
    /// The largest exploration constant.
    pub const MOST_EXPLORATION: f64 = 100.0;
}

impl Default for MctsOptions {
    fn default() -> Self {
        Self {
            playouts: Some(1000),
            // The best of 0.5, 0.7, 1.0 and 1.4 in the laboratory's `mcts-alphabeta`.
            exploration: 0.7,
            policy: PlayoutPolicy::default(),
            proven: true,
        }
    }
}

/// What the search found. Values are for the side to move at the root.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MctsReport {
    /// What is known of the position: a proven result, or an estimate in thousandths from -1000
    /// (every playout lost) to 1000.
    pub verdict: Verdict,
    /// The move to play; none if the game is over or no playout was finished.
    pub best: Option<Move>,
    /// The most visited line.
    pub line: Vec<Move>,
    /// Every legal move, in the order of [`Position::legal_moves`].
    pub moves: Vec<MctsMove>,
    /// Playouts finished.
    pub playouts: u64,
    /// Positions visited, in the tree and in playouts.
    pub nodes: u64,
    /// Positions in the tree.
    pub tree: u64,
    /// Plies from the root to the deepest position in the tree.
    pub depth: u32,
    /// Why it ended.
    pub ended: Ended,
}

/// A legal move and what the search found of it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MctsMove {
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u64,
    /// Its mean result from 0 (loss) to 1 (win); none if it was never tried.
    pub mean: Option<f64>,
    /// What is proven of it, if anything.
    pub proven: Option<Verdict>,
}

/// Searches a position within a budget. Everything random comes from `seed`.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Position, Rules};
/// use fourfold::search::{MctsOptions, monte_carlo};
///
/// let mut position = Position::new(Rules::CONNECT_FOUR);
/// for column in [3, 3, 2, 2, 4] {
///     position = position.play(position.drop_in(column).unwrap()).unwrap();
/// }
/// // Three in a row, open at both ends: whatever is played loses, and the search proves it.
/// let report = monte_carlo(&position, &MctsOptions::default(), &Budget::unlimited(), 1);
/// assert_eq!(report.verdict.to_string(), "loses");
/// ```
#[must_use]
pub fn monte_carlo(
    position: &Position,
    options: &MctsOptions,
    budget: &Budget,
    seed: u64,
) -> MctsReport {
    if position.rules().bits() <= u64::BITS {
        Search::<u64>::new(position, options, budget, seed).run(position)
    } else {
        Search::<u128>::new(position, options, budget, seed).run(position)
    }
}

/// A result for the side that moved into a node: 1, 0 or -1.
type Points = i8;

/// A position in the tree. Values are for the side that moved into it.
#[derive(Debug, Clone, Copy)]
struct Node<W> {
    /// The bit of the move that leads here.
    mv: W,
    /// Where its children lie; none if it was not expanded.
    children: Option<(u32, u32)>,
    visits: u32,
    /// Sum of the outcomes.
    total: i32,
    /// The outcome with best play, if it is proven.
    proven: Option<Points>,
}

impl<W> Node<W> {
    fn new(mv: W, proven: Option<Points>) -> Self {
        Self { mv, children: None, visits: 0, total: 0, proven }
    }

    /// The mean result from 0 to 1; none without a visit.
    fn mean(&self) -> Option<f64> {
        let sum = f64::from(self.total);
        (self.visits > 0).then(|| 0.5 + 0.5 * sum / f64::from(self.visits))
    }
}

/// The tree grows to so many positions; from then on, playouts start at its leaves.
const MOST_NODES: usize = 1 << 22;

struct Search<W> {
    geometry: Geometry<W>,
    options: MctsOptions,
    random: Random,
    countdown: Countdown,
    board: Board<W>,
    nodes: Vec<Node<W>>,
    path: Vec<usize>,
    depth: u32,
}

impl<W: Word> Search<W> {
    fn new(position: &Position, options: &MctsOptions, budget: &Budget, seed: u64) -> Self {
        Self {
            geometry: Geometry::new(position.rules()),
            options: *options,
            random: Random::new(seed),
            countdown: Countdown::new(budget),
            board: Board::of(position),
            nodes: vec![Node::new(W::ZERO, None)],
            path: Vec::new(),
            depth: 0,
        }
    }

    fn run(mut self, position: &Position) -> MctsReport {
        let mut playouts = 0;
        let ended = if position.outcome().is_over() {
            Ended::Completed
        } else {
            let most = self.options.playouts.unwrap_or(u64::MAX).min(i32::MAX as u64);
            loop {
                if self.nodes[0].proven.is_some() {
                    break Ended::Decided;
                }
                if playouts == most {
                    break Ended::Completed;
                }
                match self.iterate() {
                    Ok(()) => playouts += 1,
                    Err(halt) => break Ended::Halted(halt),
                }
            }
        };
        self.report(position, playouts, ended)
    }

    /// One iteration: selection, expansion, playout, backup.
    fn iterate(&mut self) -> Result<(), Halt> {
        self.path.clear();
        self.path.push(0);
        let (mut at, mut board) = (0, self.board);
        self.countdown.spend()?;
        while self.nodes[at].proven.is_none() {
            // A leaf is expanded on its second visit, the root on its first.
            if self.nodes[at].children.is_none() && (at == 0 || self.nodes[at].visits > 0) {
                self.expand(at, &board);
                if self.options.proven {
                    self.settle(at);
                    if self.nodes[at].proven.is_some() {
                        break;
                    }
                }
            }
            let Some(child) = self.select(at) else { break };
            self.countdown.spend()?;
            board = board.play(self.nodes[child].mv);
            self.path.push(child);
            at = child;
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        let outcome = match self.nodes[at].proven {
            Some(outcome) => outcome,
            None => self.play_out(board)?,
        };
        self.back_up(outcome);
        Ok(())
    }

    /// Adds the children of a node, in an order of chance. Moves that end the game are proven.
    fn expand(&mut self, at: usize, board: &Board<W>) {
        let mut moves = self.geometry.playable(board.all);
        let count = moves.count_ones();
        if self.nodes.len() + count as usize > MOST_NODES {
            return;
        }
        let wins = board.winning_moves(&self.geometry);
        let last = (board.all.count_ones() + 1) == self.geometry.rules().cells();
        let first = self.nodes.len();
        while !moves.is_zero() {
            let mv = moves.lowest();
            moves = moves.without_lowest();
            // Ends of games are ends with or without backing them up.
            let end = if !(wins & mv).is_zero() { Some(1) } else { last.then_some(0) };
            self.nodes.push(Node::new(mv, end));
        }
        for end in (1..count as usize).rev() {
            let other = self.random.below(end + 1);
            self.nodes.swap(first + end, first + other);
        }
        self.nodes[at].children = Some((first as u32, count));
    }

    /// The child to walk to by UCB1: those never tried first, those proven to lose last.
    fn select(&self, at: usize) -> Option<usize> {
        let (first, count) = self.nodes[at].children?;
        let children = first as usize..(first + count) as usize;
        let avoided = |node: &Node<W>| self.options.proven && node.proven == Some(-1);
        let log = natural_log(self.nodes[at].visits.max(1));
        let mut best: Option<(usize, f64)> = None;
        for child in children {
            let node = &self.nodes[child];
            if avoided(node) {
                continue;
            }
            let Some(mean) = node.mean() else { return Some(child) };
            let spread = (log / f64::from(node.visits)).sqrt();
            let bound = mean + self.options.exploration * spread;
            if best.is_none_or(|(_, highest)| bound > highest) {
                best = Some((child, bound));
            }
        }
        best.map(|(child, _)| child)
    }

    /// Plays the game out; the outcome for the side that moved last on this board.
    fn play_out(&mut self, mut board: Board<W>) -> Result<Points, Halt> {
        let naive = self.options.policy == PlayoutPolicy::Naive;
        let mut outcome: Points = -1;
        loop {
            let playable = self.geometry.playable(board.all);
            if playable.is_zero() {
                return Ok(0);
            }
            let mut choice = playable;
            if naive {
                let wins = self.geometry.completing(board.own) & playable;
                if !wins.is_zero() {
                    return Ok(outcome);
                }
                let blocks = self.geometry.completing(board.opponent()) & playable;
                if !blocks.is_zero() {
                    choice = blocks;
                }
            }
            let mut skipped = self.random.below(choice.count_ones() as usize);
            while skipped > 0 {
                choice = choice.without_lowest();
                skipped -= 1;
            }
            board = board.play(choice.lowest());
            self.countdown.spend()?;
            if !naive && board.is_won(&self.geometry) {
                return Ok(outcome);
            }
            outcome = -outcome;
        }
    }

    /// Adds the outcome at the end of the path to all its nodes, and what is proven by it.
    fn back_up(&mut self, mut outcome: Points) {
        for index in (0..self.path.len()).rev() {
            let at = self.path[index];
            if self.options.proven {
                self.settle(at);
            }
            let node = &mut self.nodes[at];
            if let Some(proven) = node.proven {
                outcome = proven;
            }
            node.visits += 1;
            node.total += i32::from(outcome);
            outcome = -outcome;
        }
    }

    /// Proves a node if its children allow it: one that wins for whoever moves there is enough for
    /// a loss, otherwise all must be proven.
    fn settle(&mut self, at: usize) {
        let Node { children: Some((first, count)), proven: None, .. } = self.nodes[at] else {
            return;
        };
        let children = &self.nodes[first as usize..(first + count) as usize];
        let best = children.iter().filter_map(|child| child.proven).max();
        let all = children.iter().all(|child| child.proven.is_some());
        if let Some(best) = best.filter(|&best| best == 1 || all) {
            self.nodes[at].proven = Some(-best);
        }
    }

    /// The best child: proven wins, then most visits, then the better mean; proven losses last.
    fn best_child(&self, at: usize) -> Option<usize> {
        let (first, count) = self.nodes[at].children?;
        let rank = |child: &usize| {
            let node = &self.nodes[*child];
            let proven = if self.options.proven { node.proven } else { None };
            let class = match proven {
                Some(1) => 2,
                Some(-1) => 0,
                _ => 1,
            };
            (class, node.visits, node.total, std::cmp::Reverse(node.mv))
        };
        (first as usize..(first + count) as usize)
            .filter(|&child| self.nodes[child].visits > 0 || self.nodes[child].proven.is_some())
            .max_by_key(rank)
    }

    fn report(self, position: &Position, playouts: u64, ended: Ended) -> MctsReport {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(child) = self.best_child(at) {
            line.push(Move::from_bit(self.nodes[child].mv.trailing_zeros()));
            at = child;
        }
        let children = self.nodes[0]
            .children
            .map_or(0..0, |(first, count)| first as usize..(first + count) as usize);
        let moves = position.legal_moves().into_iter().map(|mv| {
            let found = self.nodes[children.clone()]
                .iter()
                .find(|node| Move::from_bit(node.mv.trailing_zeros()) == mv);
            MctsMove {
                mv,
                visits: found.map_or(0, |node| u64::from(node.visits)),
                mean: found.and_then(Node::mean),
                proven: found.and_then(|node| node.proven).map(verdict_of),
            }
        });
        let root = &self.nodes[0];
        let verdict = match (position.outcome(), root.proven) {
            (Outcome::Won { .. }, _) => Verdict::Loss { plies: Some(0) },
            (Outcome::Drawn, _) => Verdict::Draw,
            (Outcome::Ongoing, Some(proven)) => verdict_of(-proven),
            (Outcome::Ongoing, None) => {
                let visits = i64::from(root.visits.max(1));
                Verdict::Estimate((-1000 * i64::from(root.total) / visits) as i32)
            }
        };
        MctsReport {
            verdict,
            best: line.first().copied(),
            line,
            moves: moves.collect(),
            playouts,
            nodes: self.countdown.spent(),
            tree: self.nodes.len() as u64,
            depth: self.depth,
            ended,
        }
    }
}

/// A proven outcome in words; how far away it is, playouts do not tell.
fn verdict_of(outcome: Points) -> Verdict {
    match outcome {
        1 => Verdict::Win { plies: None },
        0 => Verdict::Draw,
        _ => Verdict::Loss { plies: None },
    }
}

/// The natural logarithm of a number from 1 on, the same to the last bit on every machine (that of
/// the standard library may differ): powers of two, and the series of 2 artanh(y) for the rest.
fn natural_log(number: u32) -> f64 {
    let power = number.ilog2();
    let mantissa = f64::from(number) / f64::from(2u32.pow(power));
    let y = (mantissa - 1.0) / (mantissa + 1.0);
    let square = y * y;
    // y is at most 1/3, so the terms left out are below 1e-11.
    let mut sum = 0.0;
    for odd in (0..10u32).rev() {
        sum = sum * square + 1.0 / f64::from(2 * odd + 1);
    }
    f64::from(power) * std::f64::consts::LN_2 + 2.0 * y * sum
}

#[cfg(test)]
mod tests {
    use super::natural_log;

    #[test]
    fn the_logarithm_is_one() {
        for number in (1..5000).chain([65_535, 1 << 20, u32::MAX]) {
            let error = natural_log(number) - f64::from(number).ln();
            assert!(error.abs() < 1e-9, "{number}: {error}");
        }
    }
}
