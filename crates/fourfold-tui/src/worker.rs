//! The thread that searches, one task at a time: a player's move, a hint, every move's result, a
//! review.
//!
//! The app says what it wants; what it no longer wants is stopped. A task that was stopped may
//! still tell something: its number gives it away.

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

/// Something to search for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Job {
    /// The move of a player, who stays the same person within a game.
    Choose { game: u64, seat: usize, spec: PlayerSpec, seed: u64, position: Position },
    /// A move for the person.
    Hint(Position),
    /// The exact result of every move.
    Study(Position),
    /// Every move of a game judged.
    Review { rules: Rules, moves: Vec<Move> },
}

/// What a task tells.
#[derive(Debug, Clone)]
pub(super) enum News {
    Chose(Choice),
    /// An engine has lost without a move.
    Forfeited(String),
    Hinted(Hint),
    /// As much as is known of a move.
    Found(MoveAnalysis),
    /// Best play from the position that is studied.
    Line(Vec<Move>),
    /// What a textbook search thinks, where proofs take long.
    Opinion(Hint),
    /// So many moves of so many are judged.
    Judged(usize, usize),
    Reviewed(Box<Review>),
    /// The task is done.
    Done,
    /// It cannot be done, and why.
    Failed(String),
}

/// How long the moves of a position are looked at in all: a person has seen enough, and the
/// processor should rest.
const STUDY: Duration = Duration::from_secs(180);

/// How long the moves of a game are looked at in all.
const REVIEW: Duration = Duration::from_secs(60);

/// Does what jobs ask for, and keeps players and what is proven from one to the next.
pub(super) struct Bench {
    book: bool,
    budget: Budget,
    players: [Option<Seated>; 2],
    pool: SolverPool,
}

struct Seated {
    game: u64,
    spec: PlayerSpec,
    player: Box<dyn Player + Send>,
}

impl Bench {
    /// The budget has a stop flag, and is watched.
    pub(super) fn new(book: bool, budget: Budget) -> Self {
        let books = if book { Books::Embedded } else { Books::None };
        let pool = SolverPool::new(SolverOptions::default(), books);
        Self { book, budget, players: [None, None], pool }
    }

    /// Does a job; `tell` gets everything but its end.
    pub(super) fn perform(&mut self, job: &Job, tell: &mut dyn FnMut(News)) -> Result<(), String> {
        match job {
            Job::Choose { game, seat, spec, seed, position } => {
                let player = self.player(*game, *seat, spec, *seed, position.rules())?;
                match player.choose(position) {
                    Ok(choice) => tell(News::Chose(choice)),
                    Err(PlayerError::Forfeit { reason }) => tell(News::Forfeited(reason)),
                    Err(why) => return Err(format!("{spec} cannot move: {why}")),
                }
            }
            Job::Hint(position) => {
                let hint = hint(&self.pool, position, &self.budget);
                tell(News::Hinted(hint.map_err(|why| why.to_string())?));
            }
            Job::Study(position) => self.study(position, tell)?,
            Job::Review { rules, moves } => {
                let budget = self.budget.part().with_time(REVIEW);
                let progress = |done, all| tell(News::Judged(done, all));
                let found = review(moves, &mut *self.solver(rules)?, &budget, progress);
                tell(News::Reviewed(Box::new(found.map_err(|why: ReviewError| why.to_string())?)));
            }
        }
        Ok(())
    }

    /// The player in a seat, who comes anew with every game.
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
                Seated { game, spec: spec.clone(), player }
            }
        };
        Ok(&mut self.players[seat].insert(seated).player)
    }

    fn solver(&self, rules: &Rules) -> Result<LentSolver<'_>, String> {
        self.pool.lend(rules).map_err(|why| why.to_string())
    }

    /// Analyses a position, a little on every move and then more, until all are solved. Where that
    /// takes long, a textbook search says meanwhile what it would play.
    fn study(&self, position: &Position, tell: &mut dyn FnMut(News)) -> Result<(), String> {
        let budget = self.budget.part().with_time(STUDY);
        let options = AnalysisOptions::default().with_rounds(true).with_line(true);
        let mut opined = false;
        let report = |event: AnalysisEvent<'_>| match event {
            AnalysisEvent::Found(found) => {
                tell(News::Found(*found));
                if !opined
                    && found.exact().is_none()
                    && let Ok(opinion) = textbook(position, &self.budget)
                {
                    opined = true;
                    tell(News::Opinion(opinion));
                }
            }
            AnalysisEvent::Line(moves) => tell(News::Line(moves.to_vec())),
            _ => {}
        };
        let mut solver = self.solver(position.rules())?;
        solver
            .analyse_with(position, options, &budget, report)
            .map(|_| ())
            .map_err(|why| why.to_string())
    }
}

/// The thread, seen from the others.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Sender<(u64, Job)>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    /// Tasks up to this number are not wanted any more.
    cancelled: Arc<AtomicU64>,
}

impl Worker {
    /// Starts the thread; `tell` is called there, with the number of the task.
    pub(super) fn start(book: bool, tell: impl Fn(u64, News) + Send + 'static) -> io::Result<Self> {
        let (jobs, orders) = channel();
        let (stop, progress) = (Arc::<AtomicBool>::default(), Arc::<Progress>::default());
        let cancelled = Arc::new(AtomicU64::new(0));
        let (flag, until) = (Arc::clone(&stop), Arc::clone(&cancelled));
        let watched = Arc::clone(&progress);
        thread::Builder::new().name("search".to_owned()).spawn(move || {
            let budget = Budget::unlimited().with_stop(Arc::clone(&flag)).with_progress(watched);
            let mut bench = Bench::new(book, budget);
            work(&mut bench, &flag, &until, &orders, tell);
        })?;
        Ok(Self { jobs, stop, progress, cancelled })
    }

    /// Starts a task when the one under way has ended. Numbers grow.
    pub(super) fn order(&self, task: u64, job: Job) {
        // The thread lives as long as this; were it gone, nothing could be done about it here.
        let _ = self.jobs.send((task, job));
    }

    /// Stops a task and all before it.
    pub(super) fn stop(&self, task: u64) {
        // In this order: whoever takes the flag down looks at the number afterwards.
        self.cancelled.fetch_max(task, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
    }

    /// How far the searches are, all together.
    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }
}

fn work(
    bench: &mut Bench,
    stop: &AtomicBool,
    cancelled: &AtomicU64,
    orders: &Receiver<(u64, Job)>,
    tell: impl Fn(u64, News),
) {
    for (task, job) in orders {
        stop.store(false, Ordering::SeqCst);
        if cancelled.load(Ordering::SeqCst) >= task {
            continue;
        }
        let ended = bench.perform(&job, &mut |news| tell(task, news));
        tell(task, ended.map_or_else(News::Failed, |()| News::Done));
    }
}

#[cfg(test)]
mod tests {
    use super::{Job, News, Worker};
    use fourfold::game::{Position, Rules};
    use std::sync::mpsc::channel;

    /// Endless work gives way when it is stopped, whether it has begun or not, and the next is
    /// done.
    #[test]
    fn what_is_stopped_gives_way_to_the_next() {
        let (sender, told) = channel();
        let worker =
            Worker::start(false, move |task, news| sender.send((task, news)).unwrap()).unwrap();
        let endless = || {
            let rules: Rules = "9x9c5f".parse().unwrap();
            let (game, seat, spec, seed) = (1, 0, "perfect".parse().unwrap(), 1);
            Job::Choose { game, seat, spec, seed, position: Position::new(rules) }
        };
        for round in 0..20 {
            let task = 3 * round;
            worker.order(task + 1, endless());
            if round % 2 == 0 {
                // It is under way.
                let before = worker.progress().nodes();
                while worker.progress().nodes() == before {
                    std::thread::yield_now();
                }
            }
            worker.stop(task + 1);
            worker.order(task + 2, endless());
            worker.stop(task + 2);
            worker.order(task + 3, Job::Hint(Position::new(Rules::TIC_TAC_TOE)));
            let heard = told
                .iter()
                .find(|(from, news)| *from == task + 3 && matches!(news, News::Hinted(_)));
            assert!(
                matches!(heard, Some((_, News::Hinted(hint))) if hint.sentence == "Cell b2 keeps the draw.")
            );
        }
    }
}
