//! What the engine does for a move, and what it tells meanwhile.
//!
//! By itself it takes turns between the textbook search, a ply further each time, and the exact
//! solver, each turn four times as long as the one before: early in a large game the first has
//! something to say, later the second proves it. With the option `Player` that player chooses.

use super::options::Settings;
use super::request::Go;
use super::telling::{Score, moves, spent};
use fourfold::book::Books;
use fourfold::budget::{Budget, Progress};
use fourfold::eval::Evaluator;
use fourfold::game::{Move, Outcome, Position, Rules};
use fourfold::play::{Player, PlayerError};
use fourfold::score::Verdict;
use fourfold::search::{Limits, SearchError, SearchOptions, Searcher};
use fourfold::solver::{SolveError, SolverOptions, SolverPool};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Says lines on standard output, each whole and at once. When nobody listens any more, it asks the
/// search to stop.
#[derive(Debug)]
pub(super) struct Voice {
    closed: AtomicBool,
    stop: Arc<AtomicBool>,
}

impl Voice {
    pub(super) fn new(stop: Arc<AtomicBool>) -> Self {
        Self { closed: AtomicBool::new(false), stop }
    }

    pub(super) fn say(&self, line: impl Display) {
        let mut out = io::stdout().lock();
        if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Something for people, or for whoever wrote the other program.
    pub(super) fn remark(&self, text: impl Display) {
        self.say(format_args!("info string {text}"));
    }

    /// True if nobody listens any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// Nodes of the textbook search's first turn; the solver gets three times as many.
const FIRST_TURN: u64 = 20_000;
/// Nodes for the rest of a line whose result is proven.
const LINE: u64 = 1_000_000;
/// How often a long solve tells how far it is.
const TICK: Duration = Duration::from_secs(1);

/// Searches, and remembers from move to move.
pub(super) struct Thinker {
    settings: Settings,
    stop: Arc<AtomicBool>,
    searcher: Option<Searcher>,
    solvers: SolverPool,
    /// The player of the option, seated for a game.
    player: Option<(Rules, Box<dyn Player + Send>)>,
}

/// One search: what it may spend, and what it has found.
struct Work<'a> {
    position: &'a Position,
    voice: &'a Voice,
    began: Instant,
    budget: Budget,
    /// Nothing but the depth ends the search.
    unbounded: bool,
    /// The depth that the textbook search has completed.
    depth: u32,
    best: Option<Move>,
}

impl Work<'_> {
    fn tell(&mut self, depth: u32, verdict: Verdict, line: &[Move]) {
        self.best = line.first().copied().or(self.best);
        let (score, spent) = (Score(verdict), spent(self.budget.spent(), self.began.elapsed()));
        let line = moves(self.position.rules(), line);
        self.voice.say(format_args!("info depth {depth} score {score} {spent} pv {line}"));
    }
}

impl Thinker {
    pub(super) fn new(settings: Settings, stop: Arc<AtomicBool>) -> Self {
        let Settings { memory, threads, book, .. } = settings;
        let options = SolverOptions::default().with_memory(memory).with_threads(threads);
        let books = if book { Books::Embedded } else { Books::None };
        let solvers = SolverPool::new(options, books);
        Self { settings, stop, searcher: None, solvers, player: None }
    }

    /// No limit but `stop`.
    fn budget(&self) -> Budget {
        Budget::unlimited().with_stop(Arc::clone(&self.stop))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Searches, and gives the best move, if the game is not over. A search without end waits for
    /// `stop` before it does.
    pub(super) fn think(&mut self, position: &Position, go: Go, voice: &Voice) -> Option<Move> {
        let best = if position.outcome().is_over() {
            let verdict = match position.outcome() {
                Outcome::Won { .. } => Verdict::Loss { plies: Some(0) },
                _ => Verdict::Draw,
            };
            voice.say(format_args!("info depth 0 score {}", Score(verdict)));
            voice.remark("the game is over");
            None
        } else {
            Some(match self.settings.seat() {
                Some(_) => self.move_of_player(position, go, voice),
                None => self.own_move(position, go, voice),
            })
        };
        while go.infinite && !self.is_stopped() {
            thread::sleep(Duration::from_millis(2));
        }
        best
    }

    fn own_move(&mut self, position: &Position, go: Go, voice: &Voice) -> Move {
        let go = go.bounded();
        let budget = self.budget().with_nodes(go.nodes).with_time(go.time);
        let mut work = Work {
            position,
            voice,
            began: Instant::now(),
            budget,
            unbounded: go.nodes.is_none() && go.time.is_none(),
            depth: 0,
            best: None,
        };
        match go.depth {
            Some(depth) if !go.perfect => {
                self.look_ahead(&mut work, depth, None);
            }
            _ => {
                let mut turn = FIRST_TURN;
                // A first look, so that there is a move whenever the search is stopped.
                let mut settled = self.look_ahead(&mut work, u32::MAX, Some(turn));
                while !settled && work.budget.exhausted().is_none() {
                    settled = self.solve(&mut work, (!go.perfect).then_some(3 * turn));
                    turn = turn.saturating_mul(4);
                    if !settled && work.budget.exhausted().is_none() {
                        settled = self.look_ahead(&mut work, u32::MAX, Some(turn));
                    }
                }
            }
        }
        work.best.unwrap_or_else(|| quick_look(position))
    }

    /// The textbook search, a ply further each time, for a turn of so many nodes. True if nothing
    /// is left to be found.
    fn look_ahead(&mut self, work: &mut Work<'_>, depth: u32, turn: Option<u64>) -> bool {
        let certain = self.settings.switches.forward == 0;
        let budget = work.budget.part().with_nodes(turn);
        let last = depth.min(work.position.empty());
        // Switched off, and nothing but the depth to end it: only the last depth counts.
        let bounded = turn.is_some() || !work.unbounded;
        let mut depth =
            if self.settings.switches.deepening || bounded { work.depth + 1 } else { last };
        let seed = self.settings.seed;
        let searcher = self.searcher_for(work);
        while depth <= last {
            let limits = Limits::depth(depth).within(budget.clone());
            match searcher.search(work.position, &limits, seed) {
                Ok(report) => {
                    work.depth = depth;
                    work.tell(depth, report.verdict, &report.line);
                    if certain && !matches!(report.verdict, Verdict::Estimate(_)) {
                        return true;
                    }
                }
                Err(SearchError::Interrupted { .. }) => return false,
                Err(why) => {
                    work.voice.remark(why);
                    work.depth = u32::MAX - 1;
                    return false;
                }
            }
            depth += 1;
        }
        certain
    }

    /// The exact result, for a turn of so many nodes. True if it was found.
    fn solve(&mut self, work: &mut Work<'_>, turn: Option<u64>) -> bool {
        let rules = *work.position.rules();
        let mut solver = match self.solvers.lend(&rules) {
            Ok(solver) => solver,
            Err(why) => {
                work.voice.remark(why);
                return false;
            }
        };
        let progress = Arc::new(Progress::default());
        let budget = work.budget.part().with_nodes(turn).with_progress(Arc::clone(&progress));
        let mut order = work.position.legal_moves();
        order.sort_by_key(|mv| mv.off_centre(&rules));
        let solved =
            told_meanwhile(work, &progress, || solver.best_move(work.position, &order, &budget));
        match solved {
            Ok((solved, Some(best))) => {
                let mut line = vec![best];
                let rest = work.budget.part().with_nodes(LINE);
                if let Ok(found) = solver.line(&work.position.play_unchecked(best), &rest) {
                    line.extend(found.moves);
                }
                work.tell(work.position.empty(), solved.verdict, &line);
                true
            }
            Ok((_, None)) => true,
            Err(SolveError::Unfinished { .. }) => false,
            Err(why) => {
                work.voice.remark(why);
                true
            }
        }
    }

    fn searcher_for(&mut self, work: &Work<'_>) -> &mut Searcher {
        let rules = work.position.rules();
        let natural = Evaluator::natural(rules);
        let evaluator = match self.settings.evaluator.clone() {
            Some(asked) => match asked.check(rules) {
                Ok(()) => asked,
                Err(why) => {
                    work.voice.remark(format_args!("{why}; using {natural}"));
                    natural
                }
            },
            None => natural,
        };
        let kept = self.searcher.take().filter(|searcher| *searcher.evaluator() == evaluator);
        // Depths are asked for one by one, so that each can be told.
        let options = || self.settings.switches.clone().with_deepening(false);
        self.searcher.insert(kept.unwrap_or_else(|| Searcher::new(evaluator, options())))
    }

    /// What the player of the option plays. It keeps to its own limits; time ends it as `stop`
    /// does.
    fn move_of_player(&mut self, position: &Position, go: Go, voice: &Voice) -> Move {
        if go.depth.is_some() || go.nodes.is_some() {
            voice.remark("go: the player keeps to its own depth and nodes");
        }
        let began = Instant::now();
        let deadline = go.time.and_then(|time| began.checked_add(time));
        let stop = Arc::clone(&self.stop);
        let choice = match self.seated(position.rules()) {
            Ok(player) => stopped_at(deadline, &stop, || player.choose(position)),
            Err(why) => Err(why),
        };
        match choice {
            Ok(choice) => {
                if let Some(thinking) = choice.thinking {
                    let (score, spent) =
                        (Score(thinking.verdict), spent(thinking.nodes, began.elapsed()));
                    let (depth, mv) = (thinking.depth, choice.mv.label(position.rules()));
                    voice.say(format_args!("info depth {depth} score {score} {spent} pv {mv}"));
                }
                choice.mv
            }
            Err(why) => {
                if !stop.load(Ordering::Relaxed) {
                    voice.remark(why);
                }
                quick_look(position)
            }
        }
    }

    /// The player of the option, the same one as long as the game is the same.
    fn seated(&mut self, rules: &Rules) -> Result<&mut Box<dyn Player + Send>, PlayerError> {
        let kept = self.player.take().filter(|(game, _)| game == rules);
        let player = match (kept, self.settings.seat()) {
            (Some((_, player)), _) => player,
            (None, Some(spec)) => spec.player(rules, self.settings.seed, &self.budget())?,
            (None, None) => {
                return Err(PlayerError::Left { reason: "there is no player".to_owned() });
            }
        };
        Ok(&mut self.player.insert((*rules, player)).1)
    }
}

/// A move when there was no time for one: what a few plies show. Never stopped, and over in no
/// time.
fn quick_look(position: &Position) -> Move {
    let mut searcher = Searcher::new(Evaluator::natural(position.rules()), SearchOptions::timed(0));
    let limits = Limits::depth(4).within(Budget::unlimited().with_nodes(10_000));
    let found = searcher.search(position, &limits, 0).ok().and_then(|report| report.best);
    found.or_else(|| position.legal_moves().first().copied()).expect("the game is not over")
}

/// Does some work and tells now and then how far the solver is with it.
fn told_meanwhile<T>(work: &Work<'_>, progress: &Progress, solve: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    let (before, began, voice, done) = (work.budget.spent(), work.began, work.voice, &done);
    thread::scope(|scope| {
        let teller = scope.spawn(move || {
            let mut due = Instant::now() + TICK;
            while !done.load(Ordering::Relaxed) {
                thread::park_timeout(due.saturating_duration_since(Instant::now()));
                if Instant::now() >= due && !done.load(Ordering::Relaxed) {
                    let spent = spent(before + progress.nodes(), began.elapsed());
                    voice.say(format_args!("info {spent}"));
                    due += TICK;
                }
            }
        });
        let result = solve();
        done.store(true, Ordering::Relaxed);
        teller.thread().unpark();
        result
    })
}

/// Does some work, and sets the flag at the deadline if it is not done by then.
fn stopped_at<T>(deadline: Option<Instant>, stop: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let Some(deadline) = deadline else { return work() };
    let done = AtomicBool::new(false);
    let done = &done;
    thread::scope(|scope| {
        let alarm = scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return stop.store(true, Ordering::Relaxed);
                }
                thread::park_timeout(left);
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        alarm.thread().unpark();
        result
    })
}
