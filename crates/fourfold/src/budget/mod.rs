//! What work may spend: nodes, time, and the patience of whoever waits for it.
//!
//! One [`Budget`] goes all the way from a front end into the innermost search. Textbook searches,
//! the exact solver, players, reviews and matches all draw on it, so "what is left" is asked of the
//! budget and written nowhere else. Builds on nothing.

mod clock;
mod progress;

pub use clock::Clock;
pub use progress::{Progress, Question, ShareDone};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Why work ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// The node limit.
    #[error("the node limit was reached")]
    Nodes,
    /// The time limit.
    #[error("the time limit was reached")]
    Time,
    /// The stop flag.
    #[error("it was stopped")]
    Stopped,
}

/// What a piece of work may spend. Every search that is given a budget draws on it, and clones draw
/// on the same one, so a single budget covers a task of any number of searches on any number of
/// threads.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Position, Rules};
/// use fourfold::solver::{Solver, SolverOptions};
/// use std::time::Duration;
///
/// let rules: Rules = "4x4c4".parse().unwrap();
/// let mut solver = Solver::new(&rules, SolverOptions::default())?;
/// let budget = Budget::unlimited().with_nodes(1_000_000).with_time(Duration::from_secs(60));
/// let solved = solver.solve(&Position::new(rules), &budget)?;
/// assert_eq!(budget.spent(), solved.nodes);
/// assert_eq!(budget.nodes_left(), Some(1_000_000 - solved.nodes));
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Budget {
    nodes: Option<u64>,
    time: Option<Duration>,
    /// When the time is up, by the clock.
    deadline: Option<Duration>,
    stop: Option<Arc<AtomicBool>>,
    progress: Option<Arc<Progress>>,
    clock: Clock,
    spent: Arc<AtomicU64>,
    /// What this is a part of.
    whole: Option<Arc<Budget>>,
}

impl Budget {
    /// No limit at all.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// At most this many nodes: positions visited by a search.
    #[must_use]
    pub fn with_nodes(mut self, nodes: impl Into<Option<u64>>) -> Self {
        self.nodes = nodes.into();
        self
    }

    /// At most this long, from now.
    #[must_use]
    pub fn with_time(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.time = time.into();
        self.start();
        self
    }

    /// Stops the work soon after somebody sets the flag.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Tells a watcher on another thread how far the work is.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Tells nobody how far the work is.
    #[must_use]
    pub fn without_progress(mut self) -> Self {
        self.progress = None;
        self
    }

    /// Reads time from this clock. A time limit starts again, by the new clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self.start();
        self
    }

    /// Lets the time run from now.
    fn start(&mut self) {
        // A time too long to be represented is no limit.
        self.deadline = self.time.and_then(|time| self.clock.now().checked_add(time));
    }

    /// A part of this budget, to be limited further: whatever is spent of the part is spent of the
    /// whole, and the part never has more left than the whole.
    ///
    /// ```
    /// use fourfold::budget::Budget;
    ///
    /// let whole = Budget::unlimited().with_nodes(1000);
    /// let part = whole.part().with_nodes(300);
    /// part.spend(200);
    /// assert_eq!((part.nodes_left(), whole.nodes_left()), (Some(100), Some(800)));
    /// ```
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            stop: self.stop.clone(),
            progress: self.progress.clone(),
            clock: self.clock,
            whole: Some(Arc::new(self.clone())),
            ..Self::default()
        }
    }

    /// The same limits anew: nothing is spent, and the time starts now. A part stays a part of the
    /// same whole.
    #[must_use]
    pub fn renewed(&self) -> Self {
        let mut anew = Self { spent: Arc::default(), ..self.clone() };
        anew.start();
        anew
    }

    /// Takes nodes off the budget, and off what it is a part of. Searches do that themselves.
    pub fn spend(&self, nodes: u64) {
        self.spent.fetch_add(nodes, Ordering::Relaxed);
        if let Some(whole) = &self.whole {
            whole.spend(nodes);
        }
    }

    /// Nodes spent so far.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Nodes that may still be spent; none if there is no limit.
    #[must_use]
    pub fn nodes_left(&self) -> Option<u64> {
        let own = self.nodes.map(|nodes| nodes.saturating_sub(self.spent()));
        let whole = self.whole.as_ref().and_then(|whole| whole.nodes_left());
        own.into_iter().chain(whole).min()
    }

    /// Time that is left; none if there is no limit.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline().map(|deadline| deadline.saturating_sub(self.clock.now()))
    }

    /// When the time is up, by [`Budget::clock`]; none if there is no limit.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        let whole = self.whole.as_ref().and_then(|whole| whole.deadline());
        self.deadline.into_iter().chain(whole).min()
    }

    /// Why no more may be spent; none while something is left.
    #[must_use]
    pub fn exhausted(&self) -> Option<Halt> {
        if self.is_stopped() {
            Some(Halt::Stopped)
        } else if self.nodes_left() == Some(0) {
            Some(Halt::Nodes)
        } else if self.deadline().is_some_and(|deadline| self.clock.now() >= deadline) {
            Some(Halt::Time)
        } else {
            None
        }
    }

    /// True once the stop flag is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// The stop flag, if there is one.
    #[must_use]
    pub fn stop_flag(&self) -> Option<&Arc<AtomicBool>> {
        self.stop.as_ref()
    }

    /// Who is told how far the work is, if anybody.
    #[must_use]
    pub fn progress(&self) -> Option<&Arc<Progress>> {
        self.progress.as_ref()
    }

    /// The clock that its time is read from.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// True if clock, flag or watcher must be looked at while the work goes on.
    pub(crate) fn is_watched(&self) -> bool {
        self.deadline().is_some() || self.stop.is_some() || self.progress.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Clock, Halt};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Duration;

    #[test]
    fn parts_draw_on_the_whole() {
        let whole = Budget::unlimited().with_nodes(100);
        let (one, two) = (whole.part().with_nodes(60), whole.part().with_nodes(60));
        one.spend(60);
        assert_eq!((one.exhausted(), two.nodes_left()), (Some(Halt::Nodes), Some(40)));
        two.part().spend(40);
        assert_eq!((two.spent(), whole.spent(), whole.nodes_left()), (40, 100, Some(0)));
        assert_eq!(two.exhausted(), Some(Halt::Nodes));
        assert_eq!(Budget::unlimited().part().nodes_left(), None);
    }

    #[test]
    fn clones_share_and_renewals_do_not() {
        let budget = Budget::unlimited().with_nodes(10);
        budget.clone().spend(4);
        assert_eq!(budget.nodes_left(), Some(6));
        let anew = budget.renewed();
        anew.spend(1);
        assert_eq!((anew.nodes_left(), budget.nodes_left()), (Some(9), Some(6)));
    }

    #[test]
    fn time_is_read_from_the_clock_that_was_handed_in() {
        static NOW: AtomicU64 = AtomicU64::new(7);
        let clock = Clock::new(|| Duration::from_millis(NOW.load(Ordering::Relaxed)));
        let budget = Budget::unlimited().with_time(Duration::from_millis(50)).with_clock(clock);
        let part = budget.part().with_time(Duration::from_millis(20));
        let whole_time = budget.part().with_time(Duration::from_secs(1));
        NOW.store(17, Ordering::Relaxed);
        assert_eq!(budget.time_left(), Some(Duration::from_millis(40)));
        assert_eq!(part.time_left(), Some(Duration::from_millis(10)));
        assert_eq!(whole_time.time_left(), Some(Duration::from_millis(40)));
        NOW.store(27, Ordering::Relaxed);
        assert_eq!((part.exhausted(), budget.exhausted()), (Some(Halt::Time), None));
        assert_eq!(part.renewed().time_left(), Some(Duration::from_millis(20)));
        assert_eq!(Budget::unlimited().with_time(Duration::MAX).time_left(), None);
    }

    #[test]
    fn a_stop_counts_before_the_limits() {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_nodes(0).with_stop(Arc::clone(&stop));
        let part = budget.part();
        assert_eq!(part.exhausted(), Some(Halt::Nodes));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(
            (part.exhausted(), budget.exhausted()),
            (Some(Halt::Stopped), Some(Halt::Stopped))
        );
    }
}
