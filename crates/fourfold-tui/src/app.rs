//! The state of the app, and how events change it. It reads no clock and touches no terminal: the
//! caller passes the time with each event, and carries out the effects that come back.
//!
//! The state alone determines what to search. After every event the app compares the search it
//! wants ([`App::wanted_search`]) with the one that is running, and stops or starts one
//! accordingly. So whatever makes a search obsolete also stops it.

mod game;

pub(super) use game::subject;

use super::runner::ReadPlayer;
use super::setup::Setup;
use super::worker::{SearchEvent, SearchJob};
use fourfold::game::{Cell, Move, Outcome, Position, Rules, Side};
use fourfold::play::{Judgement, MoveReview, Record, Review};
use fourfold::solver::MoveAnalysis;
use fourfold_app::hint::Hint;
use fourfold_app::live_game::{LiveGame, position_after, seat_of};
use fourfold_app::text::capital;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use std::time::Duration;

/// Something that happened.
#[derive(Debug, Clone)]
pub(super) enum AppEvent {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Resize(u16, u16),
    /// A search, by its number, reports.
    Search(u64, SearchEvent),
    /// Time has passed; the counts of the running search.
    Tick(SearchCounts),
    /// The program is about to end.
    Leave,
}

/// Something for the event loop to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AppEffect {
    Start(u64, Box<SearchJob>),
    Stop(u64),
    Save(Box<Record>),
    /// Return to the shell until the program is resumed.
    Suspend,
    /// Redraw the whole screen.
    Redraw,
    Quit,
}

/// Nodes and depth that a search has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SearchCounts {
    pub(super) nodes: u64,
    /// Depth in plies; only textbook searches have one.
    pub(super) depth: Option<u32>,
}

/// The search that is running.
#[derive(Debug, Clone)]
pub(super) struct RunningSearch {
    number: u64,
    pub(super) job: SearchJob,
    pub(super) since: Duration,
    pub(super) counters: SearchCounts,
}

/// The analysis of a position, as far as it has got.
#[derive(Debug, Clone)]
pub(super) struct PositionAnalysis {
    pub(super) position: Position,
    /// Results by move, in the order in which they were found.
    pub(super) found: Vec<MoveAnalysis>,
    pub(super) line: Option<Vec<Move>>,
    pub(super) estimate: Option<String>,
    /// No more results will follow.
    pub(super) complete: bool,
}

impl PositionAnalysis {
    fn new(position: Position) -> Self {
        Self { position, found: Vec::new(), line: None, estimate: None, complete: false }
    }

    pub(super) fn of(&self, mv: Move) -> Option<MoveAnalysis> {
        self.found.iter().find(|found| found.mv() == mv).copied()
    }

    /// The best score, for the side to move, once every move is solved.
    pub(super) fn best(&self) -> Option<i32> {
        let legal = self.position.legal_moves().into_iter();
        let scores = legal.map(|mv| self.of(mv)?.exact().map(|found| found.score));
        scores.collect::<Option<Vec<i32>>>()?.into_iter().max()
    }
}

/// A game in the list of games.
#[derive(Debug, Clone)]
pub(super) struct PlayedGame {
    pub(super) game: LiveGame,
    pub(super) resigned: Option<Side>,
}

impl PlayedGame {
    /// The result in a few words.
    pub(super) fn result(&self) -> String {
        match (self.resigned, self.game.position().outcome()) {
            (Some(side), _) if self.game.forfeit().is_some() => format!("{side} forfeited"),
            (Some(side), _) => format!("{side} resigned"),
            (_, Outcome::Won { by, .. }) => format!("{by} won"),
            (_, Outcome::Drawn) => "draw".to_owned(),
            (_, Outcome::Ongoing) => "unfinished".to_owned(),
        }
    }
}

/// A game under review.
#[derive(Debug, Clone)]
pub(super) struct OpenReview {
    pub(super) game: PlayedGame,
    /// The number of moves on the board shown.
    pub(super) ply: usize,
    /// Moves judged so far, and all moves.
    pub(super) judged: (usize, usize),
    pub(super) review: Option<Review>,
    pub(super) problem: Option<String>,
}

impl OpenReview {
    /// The review of the move that led to the board shown.
    pub(super) fn current(&self) -> Option<&MoveReview> {
        self.review.as_ref()?.moves.get(self.ply.checked_sub(1)?)
    }

    /// Whether the move with this index was a blunder or an inaccuracy.
    pub(super) fn is_mistake(&self, index: usize) -> bool {
        let found = self.review.as_ref().and_then(|review| review.moves.get(index)?.found.as_ref());
        found.is_some_and(|found| {
            matches!(found.judgement, Judgement::Blunder | Judgement::Inaccuracy)
        })
    }
}

/// A dialog over the board.
#[derive(Debug, Clone)]
pub(super) enum Dialog {
    Help,
    /// With the selected line.
    Menu(usize),
    /// With the selected line.
    Games(usize),
    Setup(Box<Setup>),
}

/// The state of the app.
#[derive(Debug)]
pub(super) struct App {
    pub(super) game: LiveGame,
    /// Parses a player spec typed by the person.
    pub(super) read_player: ReadPlayer,
    /// The number of the game in this session, from 1.
    pub(super) number: u64,
    pub(super) resigned: Option<Side>,
    /// Engines do not search until the person resumes.
    pub(super) paused: bool,
    pub(super) cursor: Cell,
    /// The digits typed so far of a column number that may have more.
    pub(super) typed: String,
    /// The message on the status line; empty if there is none.
    pub(super) message: String,
    /// Verdict, nodes, depth and time of the last engine move.
    pub(super) engine_report: String,
    pub(super) hint: Option<(Position, Hint)>,
    /// The person has asked for a hint and not yet got it.
    hint_wanted: bool,
    pub(super) analysing: bool,
    pub(super) analysis: Option<PositionAnalysis>,
    pub(super) reviewing: Option<Box<OpenReview>>,
    pub(super) dialog: Option<Dialog>,
    pub(super) finished_games: Vec<PlayedGame>,
    pub(super) task: Option<RunningSearch>,
    /// Searches started so far; the last one's number.
    tasks: u64,
    pub(super) size: (u16, u16),
    pub(super) now: Duration,
    /// When the turn of the side to move began.
    pub(super) turn_started: Duration,
    effects: Vec<AppEffect>,
}

/// When engines play each other, how long each position stays on the screen, and how long at most
/// while its analysis is incomplete.
const MOVE_DISPLAY_TIME: Duration = Duration::from_millis(700);
const MAX_MOVE_DISPLAY_TIME: Duration = Duration::from_secs(4);

impl App {
    /// A game about to begin. The first event starts its first search.
    pub(super) fn new(game: LiveGame, size: (u16, u16), read_player: ReadPlayer) -> Self {
        let cursor = middle(&game.rules);
        Self {
            game,
            read_player,
            number: 1,
            resigned: None,
            paused: false,
            cursor,
            typed: String::new(),
            message: String::new(),
            engine_report: String::new(),
            hint: None,
            hint_wanted: false,
            analysing: false,
            analysis: None,
            reviewing: None,
            dialog: None,
            finished_games: Vec::new(),
            task: None,
            tasks: 0,
            size,
            now: Duration::ZERO,
            turn_started: Duration::ZERO,
            effects: Vec::new(),
        }
    }

    /// Handles an event at a time since the start, and returns the effects to carry out.
    pub(super) fn update(&mut self, event: AppEvent, now: Duration) -> Vec<AppEffect> {
        self.now = now;
        match event {
            AppEvent::Key(key) => self.key(key),
            AppEvent::Mouse(mouse) => self.mouse(mouse),
            AppEvent::Resize(width, height) => self.size = (width, height),
            AppEvent::Search(number, event) => {
                if self.task.as_ref().is_some_and(|task| task.number == number) {
                    self.handle_search_event(event);
                }
            }
            AppEvent::Tick(counters) => {
                if let Some(task) = &mut self.task {
                    task.counters = counters;
                }
            }
            AppEvent::Leave => self.effect(AppEffect::Quit),
        }
        self.update_search();
        std::mem::take(&mut self.effects)
    }

    /// Whether the screen can change with time alone.
    pub(super) fn is_waiting(&self) -> bool {
        self.task.is_some() || self.is_showing_last_move()
    }

    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.position().outcome().is_over()
    }

    /// Whether a person is to move.
    pub(super) fn is_persons_turn(&self) -> bool {
        !self.is_over() && self.game.is_human(self.game.position().to_move())
    }

    /// Whether an engine is searching for its move.
    pub(super) fn is_engine_thinking(&self) -> bool {
        self.task.as_ref().is_some_and(|task| matches!(task.job, SearchJob::Choose { .. }))
    }

    /// Whether engines play each other and the next one waits so that people can see the last move.
    fn is_showing_last_move(&self) -> bool {
        let analysed =
            !self.analysing || self.analysis.as_ref().is_some_and(|analysis| analysis.complete);
        let glance = if analysed { MOVE_DISPLAY_TIME } else { MAX_MOVE_DISPLAY_TIME };
        let watching = self.game.human_count() == 0
            && !self.is_over()
            && !self.paused
            && self.reviewing.is_none();
        watching && self.game.is_played() && self.now < self.turn_started + glance
    }

    /// The search that the state calls for, if any: a review, an engine's move, a hint, analysis.
    fn wanted_search(&self) -> Option<SearchJob> {
        if let Some(reviewing) = &self.reviewing {
            let open = reviewing.review.is_none() && reviewing.problem.is_none();
            let game = &reviewing.game.game;
            return open
                .then(|| SearchJob::Review { rules: game.rules, moves: game.moves().to_vec() });
        }
        let position = self.game.position();
        let side = position.to_move();
        let ongoing = !self.is_over();
        if ongoing && !self.game.is_human(side) && !self.paused && !self.is_showing_last_move() {
            let (game, seat, seed) = (self.number, seat_of(side), self.game.seed);
            let spec = self.game.specs[seat].clone();
            return Some(SearchJob::Choose { game, seat, spec, seed, position });
        }
        if ongoing && self.hint_wanted {
            return Some(SearchJob::Hint(position));
        }
        let open = self.analysis.as_ref().is_some_and(|analysis| !analysis.complete);
        (self.analysing && open).then_some(SearchJob::Analysis(position))
    }

    /// Drops results that no longer apply, then stops and starts searches to match the state.
    fn update_search(&mut self) {
        let position = self.game.position();
        if self.hint.as_ref().is_some_and(|(asked, _)| *asked != position) {
            self.hint = None;
        }
        if self
            .analysis
            .as_ref()
            .is_some_and(|analysis| analysis.position != position || !self.analysing)
        {
            self.analysis = None;
        }
        if self.analysing && self.analysis.is_none() && !position.outcome().is_over() {
            self.analysis = Some(PositionAnalysis::new(position));
        }
        let wanted = self.wanted_search();
        if self.task.as_ref().map(|task| &task.job) == wanted.as_ref() {
            return;
        }
        if let Some(task) = self.task.take() {
            self.effects.push(AppEffect::Stop(task.number));
        }
        if let Some(job) = wanted {
            self.tasks += 1;
            self.effects.push(AppEffect::Start(self.tasks, Box::new(job.clone())));
            self.task = Some(RunningSearch {
                number: self.tasks,
                job,
                since: self.now,
                counters: SearchCounts::default(),
            });
        }
    }

    /// Handles a report of the running search.
    fn handle_search_event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Chose(choice) => {
                let since = self.task.take().map_or(self.turn_started, |task| task.since);
                self.engine_moves(&choice, self.now.saturating_sub(since));
            }
            SearchEvent::Forfeited(reason) => {
                self.task = None;
                self.engine_forfeits(reason);
            }
            SearchEvent::Hinted(hint) => {
                self.task = None;
                self.hint_wanted = false;
                self.message.clone_from(&hint.sentence);
                if let (Some(best), true) = (hint.best, self.is_persons_turn()) {
                    self.cursor = best.cell(&self.game.rules);
                }
                self.hint = Some((self.game.position(), hint));
            }
            SearchEvent::Found(analysed) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.found.retain(|found| found.mv() != analysed.mv());
                    analysis.found.push(analysed);
                }
            }
            SearchEvent::Line(line) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.line = Some(line);
                }
            }
            SearchEvent::Estimate(hint) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.estimate = Some(hint.sentence);
                }
            }
            SearchEvent::Judged(done, all) => {
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.judged = (done, all);
                }
            }
            SearchEvent::Reviewed(review) => {
                self.task = None;
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.review = Some(*review);
                }
            }
            SearchEvent::Done => self.task_ended(None),
            SearchEvent::Failed(why) => self.task_ended(Some(why)),
        }
    }

    fn task_ended(&mut self, problem: Option<String>) {
        let Some(task) = self.task.take() else { return };
        match task.job {
            // An engine that cannot move must not be asked over and over.
            SearchJob::Choose { .. } => self.paused |= problem.is_some(),
            SearchJob::Hint(_) => self.hint_wanted = false,
            SearchJob::Analysis(_) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.complete = true;
                }
            }
            SearchJob::Review { .. } => {
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.problem.clone_from(&problem);
                }
            }
        }
        if let Some(problem) = problem {
            self.message = format!("{}.", capital(&problem));
        }
    }

    pub(super) fn effect(&mut self, effect: AppEffect) {
        if effect == AppEffect::Quit {
            self.keep();
        }
        self.effects.push(effect);
    }

    /// The board that is shown, and the move that led to it.
    pub(super) fn shown(&self) -> (Position, Option<Move>) {
        match &self.reviewing {
            Some(reviewing) => {
                let moves = &reviewing.game.game.moves()[..reviewing.ply];
                (position_after(&reviewing.game.game.rules, moves), moves.last().copied())
            }
            None => (self.game.position(), self.game.last()),
        }
    }
}

/// The cell that the cursor starts on.
fn middle(rules: &Rules) -> Cell {
    Cell { column: ((rules.width() - 1) / 2) as u8, row: ((rules.height() - 1) / 2) as u8 }
}
