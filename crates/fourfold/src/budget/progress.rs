//! How far a running search has come, told to whoever watches it from another thread: the same for
//! the textbook searches and the exact solver, which do not know each other.
//!
//! A search writes it down when it looks at the clock and before each new question, so it costs
//! nothing that could be measured.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Handed to a budget, it tells from any thread how far the work has come.
///
/// ```
/// use fourfold::budget::{Budget, Progress};
/// use fourfold::game::{Position, Rules};
/// use fourfold::solver::{Solver, SolverOptions};
/// use std::sync::Arc;
///
/// let rules: Rules = "4x4c4".parse().unwrap();
/// let mut solver = Solver::new(&rules, SolverOptions::default())?;
/// let progress = Arc::new(Progress::default());
/// let budget = Budget::unlimited().with_progress(progress.clone());
/// let solved = solver.solve(&Position::new(rules), &budget)?;
/// assert_eq!(progress.nodes(), solved.nodes);
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    /// Nodes of the searches that are done.
    before: AtomicU64,
    /// Nodes of the one that runs, some thousands behind.
    running: AtomicU64,
    /// How far the textbook search that runs looks ahead.
    depth: AtomicU32,
    /// Four bytes, so that they belong together: whether there is a question, and the three
    /// numbers of it.
    question: AtomicU32,
    /// The last question, even if it is no longer asked.
    last_question: AtomicU32,
    /// Likewise: whether there is a guess, its answer and its share.
    share: AtomicU32,
    entries: AtomicU64,
}

/// A guess of how much is done of a question, at the last look of a solver that keeps checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareDone {
    /// In thousandths.
    pub per_mille: u32,
    /// If the answer turns out to be this. If it is the other one, less is done.
    pub answer: bool,
}

/// What a search is being asked, and what is proven of the score so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// Is it above this?
    pub above: i32,
}

impl Progress {
    /// Positions searched so far, in all searches that were given this.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        // In this order: whoever sees that a search is done sees that it no longer runs.
        self.before.load(Ordering::Acquire) + self.running.load(Ordering::Relaxed)
    }

    /// Plies that the textbook search under way looks ahead; none while there is none.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        Some(self.depth.load(Ordering::Relaxed)).filter(|&depth| depth > 0)
    }

    /// What the solver is being asked now, of the position that is being solved; none while nothing
    /// is solved.
    #[must_use]
    pub fn question(&self) -> Option<Question> {
        let [asked, numbers @ ..] = self.question.load(Ordering::Relaxed).to_le_bytes();
        let [lower, upper, above] = numbers.map(|byte| i32::from(byte as i8));
        (asked != 0).then_some(Question { lower, upper, above })
    }

    /// A guess of how much of the question is done; none while there is no question, or if nobody
    /// has looked yet. Only a solver that keeps checkpoints looks.
    #[must_use]
    pub fn share_done(&self) -> Option<ShareDone> {
        let [told, answer, low, high] = self.share.load(Ordering::Relaxed).to_le_bytes();
        let per_mille = u32::from(u16::from_le_bytes([low, high]));
        (told != 0).then_some(ShareDone { per_mille, answer: answer != 0 })
    }

    /// About how many entries the solver's transposition table had when it last looked; 0 if it
    /// has not.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    pub(crate) fn guesses(&self, share: Option<ShareDone>, entries: u64) {
        let share = share.map_or([0; 4], |ShareDone { per_mille, answer }| {
            let [low, high] = (per_mille as u16).to_le_bytes();
            [1, u8::from(answer), low, high]
        });
        self.share.store(u32::from_le_bytes(share), Ordering::Relaxed);
        self.entries.store(entries, Ordering::Relaxed);
    }

    pub(crate) fn reached(&self, nodes: u64) {
        self.running.store(nodes, Ordering::Relaxed);
    }

    pub(crate) fn deepens(&self, depth: u32) {
        self.depth.store(depth, Ordering::Relaxed);
    }

    pub(crate) fn asks(&self, Question { lower, upper, above }: Question) {
        // A score is at most half the number of cells, so each fits a byte.
        let [lower, upper, above] = [lower, upper, above].map(|number| number as i8 as u8);
        let question = u32::from_le_bytes([1, lower, upper, above]);
        self.question.store(question, Ordering::Relaxed);
        // What was guessed of another question does not hold for this one.
        if self.last_question.swap(question, Ordering::Relaxed) != question {
            self.share.store(0, Ordering::Relaxed);
        }
    }

    pub(crate) fn ended(&self, nodes: u64) {
        self.running.store(0, Ordering::Relaxed);
        self.before.fetch_add(nodes, Ordering::Release);
        self.question.store(0, Ordering::Relaxed);
        self.depth.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Progress, Question, ShareDone};

    #[test]
    fn questions_are_told_as_they_were_asked() {
        let progress = Progress::default();
        assert_eq!((progress.nodes(), progress.question()), (0, None));
        for lower in -64..=64 {
            let question = Question { lower, upper: -lower, above: 64 - lower.abs() };
            progress.asks(question);
            assert_eq!(progress.question(), Some(question));
        }
        let share = ShareDone { per_mille: 1000, answer: true };
        progress.guesses(Some(share), 7);
        assert_eq!((progress.share_done(), progress.entries()), (Some(share), 7));
        progress.asks(Question { lower: 64, upper: -64, above: 0 });
        assert_eq!(progress.share_done(), Some(share), "the same question");
        progress.asks(Question { lower: 64, upper: 64, above: 0 });
        assert_eq!(progress.share_done(), None, "another one");
        progress.reached(5);
        progress.ended(7);
        progress.reached(3);
        assert_eq!((progress.nodes(), progress.question()), (10, None));
    }
}
