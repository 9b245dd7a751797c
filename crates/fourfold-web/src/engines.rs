//! Who may search when.
//!
//! So many requests search at the same time, so many wait in a queue, first come first served; the
//! others are refused at once. What only reads and writes positions has a lane of its own, so that
//! it never waits for a search. Solvers are kept for the next request for the same game, with what
//! they have proven.

use super::metrics::{InProgress, ServiceMetrics};
use super::problem::Problem;
use fourfold::book::Books;
use fourfold::budget::Budget;
use fourfold::solver::{SolverOptions, SolverPool};
use fourfold_app::service::{self, Job};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many requests may wait for each that searches.
const WAITING: u64 = 16;
/// Requests on the quick lane for each that searches.
const QUICK: usize = 2;

/// What kind of work a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// A search.
    Search,
    /// Reading and writing positions.
    Quick,
}

/// The solvers and their queue.
#[derive(Debug)]
pub(super) struct Engines {
    search: Arc<Semaphore>,
    quick: Arc<Semaphore>,
    threads: usize,
    /// The most that a request may search.
    pub(super) budget: Duration,
    pool: SolverPool,
    pub(super) metrics: Arc<ServiceMetrics>,
}

/// A request that may work now.
pub(super) struct Ticket {
    engines: Arc<Engines>,
    permit: OwnedSemaphorePermit,
    stop: Arc<AtomicBool>,
}

/// Sets the flag when it goes: the client has left, or has its answer.
#[derive(Debug)]
pub(super) struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Engines {
    pub(super) fn new(
        threads: usize,
        budget: Duration,
        options: SolverOptions,
        books: Books,
    ) -> Self {
        let mib = u64::from(options.memory) * threads as u64;
        Self {
            search: Arc::new(Semaphore::new(threads)),
            quick: Arc::new(Semaphore::new(QUICK * threads)),
            threads,
            budget,
            // Memory: never more idle solvers than requests that search at the same time.
            pool: SolverPool::new(options, books).keeping(mib),
            metrics: Arc::default(),
        }
    }

    /// Waits for a place; refused if too many wait already.
    pub(super) async fn admit(self: &Arc<Self>, lane: Lane) -> Result<Ticket, Problem> {
        let places = match lane {
            Lane::Search => &self.search,
            Lane::Quick => &self.quick,
        };
        let refused = || {
            self.metrics.refused.fetch_add(1, Ordering::Relaxed);
            Problem::busy()
        };
        let permit = match Arc::clone(places).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let waiting = InProgress::new(&self.metrics.waiting);
                if self.metrics.waiting.load(Ordering::Relaxed) > WAITING * self.threads as u64 {
                    return Err(refused());
                }
                let patience = self.budget + Duration::from_secs(1);
                let permit = timeout(patience, Arc::clone(places).acquire_owned()).await;
                drop(waiting);
                // The semaphore is never closed, so the second error cannot come.
                permit.map_err(|_| refused())?.map_err(Problem::internal)?
            }
        };
        Ok(Ticket { engines: Arc::clone(self), permit, stop: Arc::default() })
    }

    /// Admits a request and does its work, which stops when the client goes away.
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        lane: Lane,
        work: impl FnOnce(&Job<'_>) -> Result<T, service::Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let ticket = self.admit(lane).await?;
        let _stop = ticket.stop_on_drop();
        Ok(ticket.start(work).await.map_err(|_| Problem::bug())??)
    }

    /// The books. One that was named on the command line is for one game; the others go without.
    pub(super) fn books(&self) -> &Books {
        self.pool.books()
    }
}

impl Ticket {
    /// What to keep as long as the client is there.
    pub(super) fn stop_on_drop(&self) -> StopOnDrop {
        StopOnDrop(Arc::clone(&self.stop))
    }

    /// Starts the work on a thread of its own.
    pub(super) fn start<T: Send + 'static>(
        self,
        work: impl FnOnce(&Job<'_>) -> T + Send + 'static,
    ) -> tokio::task::JoinHandle<T> {
        tokio::task::spawn_blocking(move || {
            let Self { engines, permit, stop } = self;
            let running = InProgress::new(&engines.metrics.running);
            let budget = Budget::unlimited().with_stop(stop);
            let job = Job::new(&engines.pool, budget, engines.budget);
            let result = work(&job);
            engines.metrics.nodes.fetch_add(job.nodes(), Ordering::Relaxed);
            drop(running);
            drop(permit);
            result
        })
    }
}
