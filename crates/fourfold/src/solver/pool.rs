//! Solvers kept for the next question about the same game, with what they have proven.

use super::{MoveOrder, SolveError, Solver, SolverOptions};
use crate::book::Books;
use crate::game::Rules;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// A pool of solvers, all made with the same options. A solver that is lent out comes back when it
/// is dropped. Idle solvers wait for the next question about their game; if they take more memory
/// than the bound allows, the least recently used ones are dropped.
///
/// ```
/// use fourfold::book::Books;
/// use fourfold::budget::Budget;
/// use fourfold::game::{Position, Rules};
/// use fourfold::solver::{SolverOptions, SolverPool};
///
/// let pool = SolverPool::new(SolverOptions::default(), Books::Embedded);
/// for _ in 0..2 {
///     // The second time it is the same solver, and knows the answer.
///     let mut solver = pool.lend(&Rules::TIC_TAC_TOE)?;
///     let solved = solver.solve(&Position::new(Rules::TIC_TAC_TOE), &Budget::unlimited())?;
///     assert_eq!(solved.score, 0);
/// }
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
#[derive(Debug)]
pub struct SolverPool {
    options: SolverOptions,
    books: Books,
    order: MoveOrder,
    /// How many idle solvers are kept at most.
    most_idle: usize,
    /// The one used last is last.
    idle: Mutex<Vec<Solver>>,
}

impl SolverPool {
    /// A pool that keeps one idle solver: enough for one game after another.
    #[must_use]
    pub fn new(options: SolverOptions, books: Books) -> Self {
        let order = MoveOrder::default();
        Self { options, books, order, most_idle: 1, idle: Mutex::default() }
    }

    /// Keeps as many idle solvers as fit into this many MiB, but at least one.
    #[must_use]
    pub fn keeping(mut self, mib: u64) -> Self {
        let each = u64::from(self.options.memory).max(1);
        self.most_idle = usize::try_from(mib / each).unwrap_or(usize::MAX).max(1);
        self
    }

    /// Orders the moves of its solvers otherwise.
    #[must_use]
    pub fn ordering_by(mut self, order: MoveOrder) -> Self {
        self.order = order;
        self
    }

    /// How its solvers are made.
    #[must_use]
    pub fn options(&self) -> &SolverOptions {
        &self.options
    }

    /// The books that its solvers ask first.
    #[must_use]
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// Has the idle solvers forget what they have proven; they keep their memory.
    pub fn forget(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.iter_mut().for_each(Solver::forget);
    }

    /// A solver for a game: one that is idle, or a new one.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn lend(&self, rules: &Rules) -> Result<LentSolver<'_>, SolveError> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle.iter().rposition(|solver| solver.rules() == rules);
        let solver = match kept.map(|index| idle.remove(index)) {
            Some(solver) => solver,
            None => {
                // The table of the one that waits longest goes before a new one is asked for.
                while idle.len() >= self.most_idle {
                    idle.remove(0);
                }
                drop(idle);
                Solver::new(rules, self.options)?
                    .with_book(self.books.book_for(rules))
                    .with_order(&self.order)
            }
        };
        Ok(LentSolver { solver: Some(solver), pool: self })
    }
}

/// A solver out of a [`SolverPool`], which goes back when it is dropped. One whose work panicked
/// does not: what it holds may be half done.
#[derive(Debug)]
pub struct LentSolver<'a> {
    /// None only while it is dropped.
    solver: Option<Solver>,
    pool: &'a SolverPool,
}

impl Deref for LentSolver<'_> {
    type Target = Solver;

    fn deref(&self) -> &Solver {
        self.solver.as_ref().expect("it is there until the drop")
    }
}

impl DerefMut for LentSolver<'_> {
    fn deref_mut(&mut self) -> &mut Solver {
        self.solver.as_mut().expect("it is there until the drop")
    }
}

impl Drop for LentSolver<'_> {
    fn drop(&mut self) {
        if let Some(solver) = self.solver.take()
            && !std::thread::panicking()
        {
            let mut idle = self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < self.pool.most_idle {
                idle.push(solver);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SolverPool;
    use crate::book::Books;
    use crate::budget::Budget;
    use crate::game::{Position, Rules};
    use crate::solver::SolverOptions;

    fn nodes(pool: &SolverPool, game: &str) -> u64 {
        let rules: Rules = game.parse().unwrap();
        let mut solver = pool.lend(&rules).unwrap();
        solver.solve(&Position::new(rules), &Budget::unlimited()).unwrap().nodes
    }

    #[test]
    fn what_is_proven_is_kept_within_the_bound() {
        let pool = SolverPool::new(SolverOptions::default(), Books::None);
        let alone = nodes(&pool, "4x4c4");
        assert!(nodes(&pool, "4x4c4") < alone, "the same solver");
        pool.forget();
        assert_eq!(nodes(&pool, "4x4c4"), alone, "it has forgotten");
        nodes(&pool, "5x3c3");
        assert_eq!(nodes(&pool, "4x4c4"), alone, "one is kept");
        let mib = u64::from(SolverOptions::default().memory);
        let pool = SolverPool::new(SolverOptions::default(), Books::None).keeping(2 * mib);
        let alone = nodes(&pool, "4x4c4");
        nodes(&pool, "5x3c3");
        assert!(nodes(&pool, "4x4c4") < alone, "two are kept");
    }

    #[test]
    fn a_solver_whose_work_panicked_is_not_lent_again() {
        let pool = SolverPool::new(SolverOptions::default(), Books::None);
        let alone = nodes(&pool, "4x4c4");
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _solver = pool.lend(&"4x4c4".parse().unwrap()).unwrap();
            panic!("on purpose");
        }));
        assert!(panicked.is_err());
        assert_eq!(nodes(&pool, "4x4c4"), alone);
    }
}
