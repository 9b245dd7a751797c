//! Every move of a position scored under one budget, each result reported as it is found.
//!
//! This is the one analysis that all front ends show: book first, the most central move first, and
//! proven bounds for whatever the budget does not suffice for.

use super::{Halt, SolveError, Solved, Solver, score_without_search};
use crate::book::Book;
use crate::budget::Budget;
use crate::game::{Geometry, Move, Position};
use crate::score::Verdict;

/// A move and the exact result of making it, for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveScore {
    /// The move.
    pub mv: Move,
    /// For the side that makes it: a win in one ply if the move itself wins.
    pub verdict: Verdict,
    /// As a number; only its sign is known in a weak analysis.
    pub score: i32,
}

impl MoveScore {
    /// A move, and the exact result of the position after it.
    fn after(mv: Move, reply: &Solved) -> Self {
        Self { mv, verdict: reply.verdict.one_move_before(), score: -reply.score }
    }
}

/// What is known of a move, for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveAnalysis {
    /// Its exact result.
    Exact(MoveScore),
    /// Its score lies between proven bounds, both included.
    Bounds {
        /// The move.
        mv: Move,
        /// The score is at least this.
        lower: i32,
        /// The score is at most this.
        upper: i32,
    },
}

impl MoveAnalysis {
    /// The move.
    #[must_use]
    pub fn mv(&self) -> Move {
        match *self {
            Self::Exact(MoveScore { mv, .. }) | Self::Bounds { mv, .. } => mv,
        }
    }

    /// The exact result, if it is known.
    #[must_use]
    pub fn exact(&self) -> Option<MoveScore> {
        match *self {
            Self::Exact(score) => Some(score),
            Self::Bounds { .. } => None,
        }
    }

    /// The least and the greatest score that the move can have.
    #[must_use]
    pub fn bounds(&self) -> (i32, i32) {
        match *self {
            Self::Exact(MoveScore { score, .. }) => (score, score),
            Self::Bounds { lower, upper, .. } => (lower, upper),
        }
    }

    /// True if one of the outcomes win, draw and loss is ruled out for somebody: the score cannot
    /// be both above and below zero.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        !matches!(self.bounds(), (..0, 1..))
    }
}

/// What is asked of an analysis. The default: exact scores of every move, one after the other, and
/// no principal variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AnalysisOptions {
    /// Only who wins after each move, not how soon: quicker.
    pub weak: bool,
    /// Also the principal variation, once every move is solved. None in a weak analysis.
    pub line: bool,
    /// Spend a little on each move, then more and more on those that are left, instead of finishing
    /// one after the other: for somebody who watches.
    pub rounds: bool,
}

impl AnalysisOptions {
    /// Only who wins, not how soon.
    #[must_use]
    pub fn with_weak(self, weak: bool) -> Self {
        Self { weak, ..self }
    }

    /// Also the principal variation.
    #[must_use]
    pub fn with_line(self, line: bool) -> Self {
        Self { line, ..self }
    }

    /// A little on each move, then more.
    #[must_use]
    pub fn with_rounds(self, rounds: bool) -> Self {
        Self { rounds, ..self }
    }
}

/// What happens during an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalysisEvent<'a> {
    /// A move is about to be searched.
    Started(Move),
    /// This much is known of a move now. With rounds, a move whose bounds are not final yet is
    /// reported again.
    Found(&'a MoveAnalysis),
    /// Every move is solved, and the principal variation is about to be searched.
    LineStarted,
    /// The principal variation.
    Line(&'a [Move]),
}

/// Every move of a position with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Analysis {
    /// In the order of [`Position::legal_moves`]; none if the game is over.
    pub moves: Vec<MoveAnalysis>,
    /// The principal variation: best play to the end of the game. None unless it was asked for and
    /// found.
    pub line: Option<Vec<Move>>,
    /// Nodes searched.
    pub nodes: u64,
    /// Why the analysis ended early, if it did.
    pub stopped: Option<Halt>,
}

impl Analysis {
    /// What a book knows, without any search; none if it does not know the result of every move.
    #[must_use]
    pub fn from_book(book: &Book, position: &Position) -> Option<Self> {
        let geometry = Geometry::new(position.rules());
        let analysed = |&mv: &Move| {
            let after = position.play_unchecked(mv);
            let score = score_without_search(&after, &geometry, Some(book))?;
            let verdict = Verdict::of_distance_score(score, &after);
            Some(MoveAnalysis::Exact(MoveScore::after(mv, &Solved { verdict, score, nodes: 0 })))
        };
        let moves = position.legal_moves().iter().map(analysed).collect::<Option<_>>()?;
        Some(Self { moves, line: None, nodes: 0, stopped: None })
    }

    /// The exact result of every move, in the order of [`Position::legal_moves`]; none if the
    /// analysis ended early.
    #[must_use]
    pub fn scores(&self) -> Option<Vec<MoveScore>> {
        self.moves.iter().map(MoveAnalysis::exact).collect()
    }

    /// The same, or the error that says how far the analysis got, for callers who need all of it.
    ///
    /// # Errors
    /// [`SolveError::Unfinished`] if the analysis ended early.
    pub fn complete(&self) -> Result<Vec<MoveScore>, SolveError> {
        self.scores().ok_or_else(|| {
            let (lower, upper) = self.bounds().unwrap_or_default();
            let stop = self.stopped.unwrap_or(Halt::Stopped);
            SolveError::Unfinished { stop, nodes: self.nodes, lower, upper }
        })
    }

    /// The best move, the first in the order of [`Position::legal_moves`] if several are; none if
    /// the analysis ended early or the game is over.
    #[must_use]
    pub fn best(&self) -> Option<MoveScore> {
        let scores = self.scores()?;
        let most = scores.iter().map(|found| found.score).max()?;
        scores.into_iter().find(|found| found.score == most)
    }

    /// The least and the greatest score that the position can have; none if the game is over.
    #[must_use]
    pub fn bounds(&self) -> Option<(i32, i32)> {
        let (lower, upper): (Vec<i32>, Vec<i32>) =
            self.moves.iter().map(MoveAnalysis::bounds).unzip();
        Some((lower.into_iter().max()?, upper.into_iter().max()?))
    }
}

/// Nodes for each move in the first of several rounds: about a tenth of a second.
const FIRST_ROUND: u64 = 400_000;
/// Each round is longer than the one before by this factor.
const ROUND_GROWTH: u64 = 4;

impl Solver {
    /// Analyses a position: the exact result of every move, as far as the budget goes.
    ///
    /// ```
    /// use fourfold::budget::Budget;
    /// use fourfold::game::{Position, Rules};
    /// use fourfold::solver::{Solver, SolverOptions};
    ///
    /// let rules = Rules::CONNECT_FOUR;
    /// let book = fourfold::book::Book::embedded(&rules);
    /// let mut solver = Solver::new(&rules, SolverOptions::default())?.with_book(book);
    /// let analysis = solver.analyse(&Position::new(rules), &Budget::unlimited())?;
    /// let scores: Vec<i32> = analysis.scores().unwrap().iter().map(|found| found.score).collect();
    /// assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    /// # Ok::<(), fourfold::solver::SolveError>(())
    /// ```
    ///
    /// # Errors
    /// If the position is of another game. A budget that ends early is no error: what is not solved
    /// by then has bounds.
    pub fn analyse(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Result<Analysis, SolveError> {
        self.analyse_with(position, AnalysisOptions::default(), budget, |_| ())
    }

    /// The same with options; `tell` hears of each result as it is found.
    ///
    /// # Errors
    /// If the position is of another game.
    pub fn analyse_with(
        &mut self,
        position: &Position,
        options: AnalysisOptions,
        budget: &Budget,
        tell: impl FnMut(AnalysisEvent<'_>),
    ) -> Result<Analysis, SolveError> {
        self.resume(position, &[], options, budget, tell)
    }

    /// Goes on with an analysis that ended early. What is `known` of a move is not searched for
    /// again: an exact result is taken as it is, and bounds narrow the search.
    ///
    /// # Errors
    /// If the position is of another game.
    pub fn resume(
        &mut self,
        position: &Position,
        known: &[MoveAnalysis],
        options: AnalysisOptions,
        budget: &Budget,
        mut tell: impl FnMut(AnalysisEvent<'_>),
    ) -> Result<Analysis, SolveError> {
        self.check_game(position)?;
        let budget = &budget.part();
        let legal = position.legal_moves();
        let of_move = |mv: &Move| known.iter().find(|known| known.mv() == *mv).copied();
        let mut found: Vec<Option<MoveAnalysis>> = legal.iter().map(of_move).collect();
        let is_open = |index: &usize| found[*index].is_none_or(|known| known.exact().is_none());
        let mut open: Vec<usize> = (0..legal.len()).filter(is_open).collect();
        open.sort_by_key(|&index| legal[index].off_centre(&self.rules));
        let mut stopped = None;
        let mut round = FIRST_ROUND;
        while !open.is_empty() && stopped.is_none() {
            let mut left = Vec::new();
            for index in open {
                let mv = legal[index];
                tell(AnalysisEvent::Started(mv));
                let share = options.rounds.then(|| budget.part().with_nodes(round));
                let part = share.as_ref().unwrap_or(budget);
                let known = found[index];
                let (analysed, halt) =
                    self.analyse_move(position, mv, known, options.weak, part)?;
                if halt.is_some() {
                    left.push(index);
                    // With rounds, only this move's share may have run out.
                    stopped = if options.rounds { budget.exhausted() } else { halt };
                }
                if stopped != Some(Halt::Stopped) {
                    tell(AnalysisEvent::Found(&analysed));
                }
                found[index] = Some(analysed);
            }
            open = left;
            round = round.saturating_mul(ROUND_GROWTH);
        }
        let mut line = None;
        if options.line && !options.weak && stopped.is_none() {
            tell(AnalysisEvent::LineStarted);
            match self.line(position, budget) {
                Ok(best) => {
                    tell(AnalysisEvent::Line(&best.moves));
                    line = Some(best.moves);
                }
                Err(SolveError::Unfinished { stop, .. }) => stopped = Some(stop),
                Err(why) => return Err(why),
            }
        }
        let moves = found.into_iter().flatten().collect();
        Ok(Analysis { moves, line, nodes: budget.spent(), stopped })
    }

    /// What can be found of one move, and why it is not everything.
    fn analyse_move(
        &mut self,
        position: &Position,
        mv: Move,
        known: Option<MoveAnalysis>,
        weak: bool,
        budget: &Budget,
    ) -> Result<(MoveAnalysis, Option<Halt>), SolveError> {
        let after = position.play_unchecked(mv);
        let (least, most) = known.map_or((i32::MIN, i32::MAX), |known| known.bounds());
        let reply = match known {
            _ if weak => self.solve_weakly(&after, budget),
            Some(_) => self.solve_between(&after, budget, -most, -least),
            None => self.solve(&after, budget),
        };
        match reply {
            Ok(solved) => Ok((MoveAnalysis::Exact(MoveScore::after(mv, &solved)), None)),
            Err(SolveError::Unfinished { stop, lower, upper, .. }) => {
                let (lower, upper) = (least.max(-upper), most.min(-lower));
                Ok((MoveAnalysis::Bounds { mv, lower, upper }, Some(stop)))
            }
            Err(why) => Err(why),
        }
    }
}
