//! The thread that searches, one task at a time: a player's move, a hint, every move's result, a
//! review.
//!
//! The app says what it wants; what it no longer wants is stopped. A task that was stopped may
//! still tell something: its number gives it away.

use fourfold::book::Book;
use fourfold::game::{Move, Position, Rules};
use fourfold::play::{Choice, Player, PlayerError, PlayerSpec, Review, ReviewError, Seat, review};
use fourfold::progress::Progress;
use fourfold::score::Verdict;
use fourfold::solver::{Halt, SolveError, SolveLimits, Solver};
use fourfold_app::hint::{Hint, Hints, textbook};
use fourfold_app::watch::Watch;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
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
    Found(Move, Finding),
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

/// What is known of a move, for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    Exact {
        verdict: Verdict,
        score: i32,
    },
    /// The score lies between these.
    Within {
        lower: i32,
        upper: i32,
    },
}

impl Finding {
    /// Whether it tells who would not win.
    pub(super) fn is_telling(self) -> bool {
        !matches!(self, Self::Within { lower: ..0, upper: 1.. })
    }
}

/// How long a move is looked at before the next one has its turn. What is left over gets more time
/// in the next round.
const ROUNDS: [Duration; 5] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1600),
    Duration::from_millis(6400),
    Duration::from_millis(25_600),
];

/// How long the moves of a position are looked at in all: a person has seen enough, and the
/// processor should rest.
const STUDY: Duration = Duration::from_secs(180);

/// How long the moves of a game are looked at in all.
const REVIEW: Duration = Duration::from_secs(60);

/// Does what jobs ask for, and keeps players and what is proven from one to the next.
pub(super) struct Bench {
    book: bool,
    watch: Watch,
    players: [Option<Seated>; 2],
    hints: Option<(Rules, Hints)>,
}

struct Seated {
    game: u64,
    spec: PlayerSpec,
    player: Box<dyn Player + Send>,
}

impl Bench {
    pub(super) fn new(book: bool, watch: Watch) -> Self {
        Self { book, watch, players: [None, None], hints: None }
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
                let watch = self.watch.clone();
                let hint = self.hints(position.rules()).hint(position, &watch);
                tell(News::Hinted(hint.map_err(|why| why.to_string())?));
            }
            Job::Study(position) => self.study(position, tell)?,
            Job::Review { rules, moves } => {
                let limits = SolveLimits { time: Some(REVIEW), ..self.watch.limits() };
                let progress = |done, all| tell(News::Judged(done, all));
                let found = review(moves, self.solver(rules)?, &limits, progress);
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
                let Watch { stop, progress } = &self.watch;
                let mut own = spec.clone();
                if let Seat::Perfect(perfect) = &mut own.seat {
                    perfect.book &= self.book;
                }
                let player = own.watched_player(
                    rules,
                    seed.wrapping_add(seat as u64),
                    Some(stop),
                    Some(progress),
                );
                let player = player.map_err(|why| format!("{spec}: {why}"))?;
                Seated { game, spec: spec.clone(), player }
            }
        };
        Ok(&mut self.players[seat].insert(seated).player)
    }

    fn hints(&mut self, rules: &Rules) -> &mut Hints {
        let kept = self.hints.take().filter(|(made_for, _)| made_for == rules);
        let book = if self.book { Book::embedded(rules) } else { None };
        &mut self.hints.insert(kept.unwrap_or_else(|| (*rules, Hints::new(rules, book)))).1
    }

    fn solver(&mut self, rules: &Rules) -> Result<&mut Solver, String> {
        self.hints(rules).solver().ok_or_else(|| "there is no memory for the solver".to_owned())
    }

    /// Looks at every move, the most central first, a short time each and then longer, until all
    /// are proven.
    fn study(&mut self, position: &Position, tell: &mut dyn FnMut(News)) -> Result<(), String> {
        let rules = position.rules();
        let watch = self.watch.clone();
        let mut open = position.legal_moves();
        open.sort_by_key(|mv| mv.off_centre(rules));
        let mut opined = false;
        let end = Instant::now() + STUDY;
        for patience in ROUNDS {
            let limits = SolveLimits { time: Some(patience), ..watch.limits() };
            let solver = self.solver(rules)?;
            let mut left = Vec::new();
            for mv in open {
                let finding = match solver.solve(&position.play_unchecked(mv), &limits) {
                    Ok(solved) => Finding::Exact {
                        verdict: solved.verdict.one_move_before(),
                        score: -solved.score,
                    },
                    Err(SolveError::Unfinished { stop: Halt::Stopped, .. }) => return Ok(()),
                    Err(SolveError::Unfinished { lower, upper, .. }) => {
                        left.push(mv);
                        Finding::Within { lower: -upper, upper: -lower }
                    }
                    Err(why) => return Err(why.to_string()),
                };
                tell(News::Found(mv, finding));
                if Instant::now() > end {
                    return Ok(());
                }
                // It will take a while: an opinion meanwhile.
                if !opined
                    && !left.is_empty()
                    && let Ok(opinion) = textbook(position, &watch)
                {
                    opined = true;
                    tell(News::Opinion(opinion));
                }
            }
            open = left;
            if open.is_empty() {
                // The best move is known, so the line is seldom long to find; on large boards it
                // may be.
                let limits = SolveLimits { time: Some(ROUNDS[ROUNDS.len() - 1]), ..watch.limits() };
                if let Ok(line) = solver.line(position, &limits) {
                    tell(News::Line(line.moves));
                }
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The thread, seen from the others.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Sender<(u64, Job)>,
    watch: Watch,
    /// Tasks up to this number are not wanted any more.
    cancelled: Arc<AtomicU64>,
}

impl Worker {
    /// Starts the thread; `tell` is called there, with the number of the task.
    pub(super) fn start(book: bool, tell: impl Fn(u64, News) + Send + 'static) -> io::Result<Self> {
        let (jobs, orders) = channel();
        let (watch, cancelled) = (Watch::default(), Arc::new(AtomicU64::new(0)));
        let (theirs, until) = (watch.clone(), Arc::clone(&cancelled));
        thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || work(book, &theirs, &until, &orders, tell))?;
        Ok(Self { jobs, watch, cancelled })
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
        self.watch.stop.store(true, Ordering::SeqCst);
    }

    /// How far the searches are, all together.
    pub(super) fn progress(&self) -> &Progress {
        &self.watch.progress
    }
}

fn work(
    book: bool,
    watch: &Watch,
    cancelled: &AtomicU64,
    orders: &Receiver<(u64, Job)>,
    tell: impl Fn(u64, News),
) {
    let mut bench = Bench::new(book, watch.clone());
    for (task, job) in orders {
        watch.stop.store(false, Ordering::SeqCst);
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
