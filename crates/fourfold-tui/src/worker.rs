//! The search thread. It runs one job at a time: an engine's move, a hint, the analysis of a
//! position, a review.
//!
//! The app starts and stops jobs by number. A stopped job may still report; the app recognises
//! such reports by their number and ignores them.

use fourfold::book::Books;
use fourfold::budget::{Budget, Progress};
use fourfold::game::{Move, Position, Rules};
use fourfold::play::{Choice, Player, PlayerError, PlayerSpec, Review, ReviewError, Seat, review};
use fourfold::solver::{
    AnalysisEvent, AnalysisOptions, LentSolver, MoveAnalysis, SolverOptions, SolverPool,
};
use fourfold_app::hint::{Hint, hint, textbook};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{io, thread};

/// A job for the search thread.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SearchJob {
    /// An engine's move. The engine keeps its state from move to move of a game.
    Choose { game: u64, seat: usize, spec: PlayerSpec, seed: u64, position: Position },
    /// A hint for the person.
    Hint(Position),
    /// The exact result of every move.
    Analysis(Position),
    /// A review of a whole game.
    Review { rules: Rules, moves: Vec<Move> },
}

/// A report of a job.
#[derive(Debug, Clone)]
pub(super) enum SearchEvent {
    /// The engine's move.
    Chose(Choice),
    /// The engine forfeits, for this reason.
    Forfeited(String),
    Hinted(Hint),
    /// A new result or tighter bounds of one move.
    Found(MoveAnalysis),
    /// The principal variation of the position under analysis.
    Line(Vec<Move>),
    /// The result of a textbook search, for positions that take long to solve.
    Estimate(Hint),
    /// Progress of a review: moves judged so far, and all moves.
    Judged(usize, usize),
    Reviewed(Box<Review>),
    /// The job is done.
    Done,
    /// The job failed, for this reason.
    Failed(String),
}

/// Time limit of the analysis of one position: after that the processor should rest.
const ANALYSIS_TIME: Duration = Duration::from_secs(180);

/// Time limit of the review of one game.
const REVIEW_TIME: Duration = Duration::from_secs(60);

/// Runs jobs. It keeps engines and solvers, with their transposition tables, from job to job.
pub(super) struct SearchRunner {
    book: bool,
    budget: Budget,
    players: [Option<CachedPlayer>; 2],
    pool: SolverPool,
}

/// An engine that plays in the game with this number.
struct CachedPlayer {
    game: u64,
    spec: PlayerSpec,
    player: Box<dyn Player + Send>,
}

impl SearchRunner {
    /// All jobs run within `budget`, whose stop flag ends them early.
    pub(super) fn new(book: bool, budget: Budget) -> Self {
        let books = if book { Books::Embedded } else { Books::None };
        let pool = SolverPool::new(SolverOptions::default(), books);
        Self { book, budget, players: [None, None], pool }
    }

    /// Runs a job. `report` gets every event but the last, `Done` or `Failed`.
    pub(super) fn run(
        &mut self,
        job: &SearchJob,
        report: &mut dyn FnMut(SearchEvent),
    ) -> Result<(), String> {
        match job {
            SearchJob::Choose { game, seat, spec, seed, position } => {
                let player = self.player(*game, *seat, spec, *seed, position.rules())?;
                match player.choose(position) {
                    Ok(choice) => report(SearchEvent::Chose(choice)),
                    Err(PlayerError::Forfeit { reason }) => report(SearchEvent::Forfeited(reason)),
                    Err(why) => return Err(format!("{spec} cannot move: {why}")),
                }
            }
            SearchJob::Hint(position) => {
                let hint = hint(&self.pool, position, &self.budget);
                report(SearchEvent::Hinted(hint.map_err(|why| why.to_string())?));
            }
            SearchJob::Analysis(position) => self.analyse(position, report)?,
            SearchJob::Review { rules, moves } => {
                let budget = self.budget.part().with_time(REVIEW_TIME);
                let progress = |done, all| report(SearchEvent::Judged(done, all));
                let found = review(moves, &mut *self.solver(rules)?, &budget, progress);
                report(SearchEvent::Reviewed(Box::new(
                    found.map_err(|why: ReviewError| why.to_string())?,
                )));
            }
        }
        Ok(())
    }

    /// The engine in a seat; each game gets a new one.
    fn player(
        &mut self,
        game: u64,
        seat: usize,
        spec: &PlayerSpec,
        seed: u64,
        rules: &Rules,
    ) -> Result<&mut Box<dyn Player + Send>, String> {
        let kept =
            self.players[seat].take().filter(|seated| seated.game == game && seated.spec == *spec);
        let seated = match kept {
            Some(seated) => seated,
            None => {
                let mut own = spec.clone();
                if let Seat::Perfect(perfect) = &mut own.seat {
                    perfect.book &= self.book;
                }
                let seed = seed.wrapping_add(seat as u64);
                let player = own.player(rules, seed, &self.budget);
                let player = player.map_err(|why| format!("{spec}: {why}"))?;
                CachedPlayer { game, spec: spec.clone(), player }
            }
        };
        Ok(&mut self.players[seat].insert(seated).player)
    }

    fn solver(&self, rules: &Rules) -> Result<LentSolver<'_>, String> {
        self.pool.lend(rules).map_err(|why| why.to_string())
    }

    /// Analyses a position in rounds of growing effort per move until all moves are solved. If the
    /// first round leaves one open, a textbook search supplies an estimate meanwhile.
    fn analyse(
        &self,
        position: &Position,
        report: &mut dyn FnMut(SearchEvent),
    ) -> Result<(), String> {
        let budget = self.budget.part().with_time(ANALYSIS_TIME);
        let options = AnalysisOptions::default().with_rounds(true).with_line(true);
        let mut estimated = false;
        let on_event = |event: AnalysisEvent<'_>| match event {
            AnalysisEvent::Found(found) => {
                report(SearchEvent::Found(*found));
                if !estimated
                    && found.exact().is_none()
                    && let Ok(estimate) = textbook(position, &self.budget)
                {
                    estimated = true;
                    report(SearchEvent::Estimate(estimate));
                }
            }
            AnalysisEvent::Line(moves) => report(SearchEvent::Line(moves.to_vec())),
            _ => {}
        };
        let mut solver = self.solver(position.rules())?;
        solver
            .analyse_with(position, options, &budget, on_event)
            .map(|_| ())
            .map_err(|why| why.to_string())
    }
}

/// A handle to the search thread.
#[derive(Debug)]
pub(super) struct SearchThread {
    jobs: Sender<(u64, SearchJob)>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    /// Jobs up to this number are cancelled.
    cancelled: Arc<AtomicU64>,
}

impl SearchThread {
    /// Starts the thread. It calls `report` with the number of the job and each event.
    pub(super) fn start(
        book: bool,
        report: impl Fn(u64, SearchEvent) + Send + 'static,
    ) -> io::Result<Self> {
        let (jobs, orders) = channel();
        let (stop, progress) = (Arc::<AtomicBool>::default(), Arc::<Progress>::default());
        let cancelled = Arc::new(AtomicU64::new(0));
        let (flag, until) = (Arc::clone(&stop), Arc::clone(&cancelled));
        let watched = Arc::clone(&progress);
        thread::Builder::new().name("search".to_owned()).spawn(move || {
            let budget = Budget::unlimited().with_stop(Arc::clone(&flag)).with_progress(watched);
            let mut runner = SearchRunner::new(book, budget);
            work(&mut runner, &flag, &until, &orders, report);
        })?;
        Ok(Self { jobs, stop, progress, cancelled })
    }

    /// Queues a job. Its number must be greater than those of all jobs before it.
    pub(super) fn submit(&self, task: u64, job: SearchJob) {
        // The thread lives as long as this handle, so sending cannot fail.
        let _ = self.jobs.send((task, job));
    }

    /// Stops a job and all before it.
    pub(super) fn stop(&self, task: u64) {
        // The order matters: the thread clears the flag before it reads the number.
        self.cancelled.fetch_max(task, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
    }

    /// The progress of all jobs together.
    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }
}

fn work(
    runner: &mut SearchRunner,
    stop: &AtomicBool,
    cancelled: &AtomicU64,
    orders: &Receiver<(u64, SearchJob)>,
    report: impl Fn(u64, SearchEvent),
) {
    for (task, job) in orders {
        stop.store(false, Ordering::SeqCst);
        if cancelled.load(Ordering::SeqCst) >= task {
            continue;
        }
        let ended = runner.run(&job, &mut |event| report(task, event));
        report(task, ended.map_or_else(SearchEvent::Failed, |()| SearchEvent::Done));
    }
}

#[cfg(test)]
mod tests {
    use super::{SearchEvent, SearchJob, SearchThread};
    use fourfold::game::{Position, Rules};
    use std::sync::mpsc::channel;

    /// A stopped job makes way for the next, whether it has begun or not.
    #[test]
    fn a_stopped_job_makes_way_for_the_next() {
        let (sender, events) = channel();
        let worker =
            SearchThread::start(false, move |task, event| sender.send((task, event)).unwrap())
                .unwrap();
        let endless = || {
            let rules: Rules = "9x9c5f".parse().unwrap();
            let (game, seat, spec, seed) = (1, 0, "perfect".parse().unwrap(), 1);
            SearchJob::Choose { game, seat, spec, seed, position: Position::new(rules) }
        };
        for round in 0..20 {
            let task = 3 * round;
            worker.submit(task + 1, endless());
            if round % 2 == 0 {
                // Wait until it runs.
                let before = worker.progress().nodes();
                while worker.progress().nodes() == before {
                    std::thread::yield_now();
                }
            }
            worker.stop(task + 1);
            worker.submit(task + 2, endless());
            worker.stop(task + 2);
            worker.submit(task + 3, SearchJob::Hint(Position::new(Rules::TIC_TAC_TOE)));
            let hinted = events
                .iter()
                .find(|(from, event)| *from == task + 3 && matches!(event, SearchEvent::Hinted(_)));
            let Some((_, SearchEvent::Hinted(hint))) = hinted else { panic!("no hint") };
            assert_eq!(hint.sentence, "Cell b2 keeps the draw.");
        }
    }
}
