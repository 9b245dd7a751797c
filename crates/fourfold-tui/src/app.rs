//! The state of the app, and how an event changes it. It reads no clock and touches no terminal:
//! events bring the time, and what is to be done is handed back as effects.
//!
//! What is searched follows from the state alone: after every event the app compares what it wants
//! ([`App::wanted`]) with what is under way, and stops or starts accordingly. So whatever makes a
//! search moot stops it.

mod game;

pub(super) use game::subject;

use super::runner::ReadPlayer;
use super::setup::Setup;
use super::worker::{Job, News};
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
pub(super) enum Event {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Resize(u16, u16),
    /// A task tells something.
    Told(u64, News),
    /// Time has passed; how far the task under way is.
    Tick(Counters),
    /// Somebody wants the app to end.
    Leave,
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Effect {
    Start(u64, Box<Job>),
    Stop(u64),
    Save(Box<Record>),
    /// Leave the terminal to the shell for a while.
    Suspend,
    /// Draw everything anew.
    Redraw,
    Quit,
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counters {
    pub(super) nodes: u64,
    /// Plies looked ahead, of textbook searches.
    pub(super) depth: Option<u32>,
}

/// A search under way.
#[derive(Debug, Clone)]
pub(super) struct Task {
    number: u64,
    pub(super) job: Job,
    pub(super) since: Duration,
    pub(super) counters: Counters,
}

/// What is known of a position's moves.
#[derive(Debug, Clone)]
pub(super) struct Study {
    pub(super) position: Position,
    /// In the order in which they were found.
    pub(super) found: Vec<MoveAnalysis>,
    pub(super) line: Option<Vec<Move>>,
    pub(super) opinion: Option<String>,
    /// Nothing more will be found.
    pub(super) complete: bool,
}

impl Study {
    fn new(position: Position) -> Self {
        Self { position, found: Vec::new(), line: None, opinion: None, complete: false }
    }

    pub(super) fn of(&self, mv: Move) -> Option<MoveAnalysis> {
        self.found.iter().find(|found| found.mv() == mv).copied()
    }

    /// The best score there is, once every move is proven.
    pub(super) fn best(&self) -> Option<i32> {
        let legal = self.position.legal_moves().into_iter();
        let scores = legal.map(|mv| self.of(mv)?.exact().map(|found| found.score));
        scores.collect::<Option<Vec<i32>>>()?.into_iter().max()
    }
}

/// A game that is kept in the list.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) game: LiveGame,
    pub(super) resigned: Option<Side>,
}

impl Kept {
    /// How it ended, in a few words.
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

/// A game looked at afterwards.
#[derive(Debug, Clone)]
pub(super) struct Reviewing {
    pub(super) game: Kept,
    /// Moves on the board.
    pub(super) ply: usize,
    pub(super) judged: (usize, usize),
    pub(super) review: Option<Review>,
    pub(super) problem: Option<String>,
}

impl Reviewing {
    /// The move that led to the board shown, and what is known of it.
    pub(super) fn current(&self) -> Option<&MoveReview> {
        self.review.as_ref()?.moves.get(self.ply.checked_sub(1)?)
    }

    /// Whether the move with this number, from 0, was a mistake.
    pub(super) fn is_mistake(&self, index: usize) -> bool {
        let found = self.review.as_ref().and_then(|review| review.moves.get(index)?.found.as_ref());
        found.is_some_and(|found| {
            matches!(found.judgement, Judgement::Blunder | Judgement::Inaccuracy)
        })
    }
}

/// What lies over the board.
#[derive(Debug, Clone)]
pub(super) enum Dialog {
    Help,
    /// The line chosen.
    Menu(usize),
    Games(usize),
    Setup(Box<Setup>),
}

/// All of it.
#[derive(Debug)]
pub(super) struct App {
    pub(super) game: LiveGame,
    /// Reads a player that was typed.
    pub(super) read_player: ReadPlayer,
    /// Which game of the session it is, from 1.
    pub(super) number: u64,
    pub(super) resigned: Option<Side>,
    /// Engines wait until they are told to go on.
    pub(super) paused: bool,
    pub(super) cursor: Cell,
    /// Digits of a column that may have another.
    pub(super) typed: String,
    /// The last thing that had to be said.
    pub(super) says: String,
    /// What the last engine to move did for it.
    pub(super) thought: String,
    pub(super) hint: Option<(Position, Hint)>,
    /// A hint is wanted of the position on the board.
    hinting: bool,
    pub(super) analysing: bool,
    pub(super) study: Option<Study>,
    pub(super) reviewing: Option<Box<Reviewing>>,
    pub(super) dialog: Option<Dialog>,
    pub(super) past: Vec<Kept>,
    pub(super) task: Option<Task>,
    tasks: u64,
    pub(super) size: (u16, u16),
    pub(super) now: Duration,
    /// When the side to move got the turn.
    pub(super) turn: Duration,
    effects: Vec<Effect>,
}

/// How long a position stays when engines play each other, and how long it waits for the analysis.
const GLANCE: Duration = Duration::from_millis(700);
const LONGEST_GLANCE: Duration = Duration::from_secs(4);

impl App {
    /// A game that is about to begin. Its first event starts what is to be searched.
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
            says: String::new(),
            thought: String::new(),
            hint: None,
            hinting: false,
            analysing: false,
            study: None,
            reviewing: None,
            dialog: None,
            past: Vec::new(),
            task: None,
            tasks: 0,
            size,
            now: Duration::ZERO,
            turn: Duration::ZERO,
            effects: Vec::new(),
        }
    }

    /// Takes in what happened at a moment since the start, and says what is to be done.
    pub(super) fn update(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        self.now = now;
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(width, height) => self.size = (width, height),
            Event::Told(number, news) => {
                if self.task.as_ref().is_some_and(|task| task.number == number) {
                    self.hear(news);
                }
            }
            Event::Tick(counters) => {
                if let Some(task) = &mut self.task {
                    task.counters = counters;
                }
            }
            Event::Leave => self.effect(Effect::Quit),
        }
        self.settle();
        std::mem::take(&mut self.effects)
    }

    /// Whether time alone can change something.
    pub(super) fn is_waiting(&self) -> bool {
        self.task.is_some() || self.glancing()
    }

    pub(super) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.position().outcome().is_over()
    }

    /// Whether a person is to move.
    pub(super) fn is_persons_turn(&self) -> bool {
        !self.is_over() && self.game.is_human(self.game.position().to_move())
    }

    /// Whether an engine thinks about its move.
    pub(super) fn is_engine_thinking(&self) -> bool {
        self.task.as_ref().is_some_and(|task| matches!(task.job, Job::Choose { .. }))
    }

    /// Whether engines play each other and the last move is still being looked at.
    fn glancing(&self) -> bool {
        let studied = !self.analysing || self.study.as_ref().is_some_and(|study| study.complete);
        let glance = if studied { GLANCE } else { LONGEST_GLANCE };
        let watching =
            self.game.people() == 0 && !self.is_over() && !self.paused && self.reviewing.is_none();
        watching && self.game.is_played() && self.now < self.turn + glance
    }

    /// What is to be searched, most urgent first.
    fn wanted(&self) -> Option<Job> {
        if let Some(reviewing) = &self.reviewing {
            let open = reviewing.review.is_none() && reviewing.problem.is_none();
            let game = &reviewing.game.game;
            return open.then(|| Job::Review { rules: game.rules, moves: game.moves().to_vec() });
        }
        let position = self.game.position();
        let side = position.to_move();
        let ongoing = !self.is_over();
        if ongoing && !self.game.is_human(side) && !self.paused && !self.glancing() {
            let (game, seat, seed) = (self.number, seat_of(side), self.game.seed);
            let spec = self.game.specs[seat].clone();
            return Some(Job::Choose { game, seat, spec, seed, position });
        }
        if ongoing && self.hinting {
            return Some(Job::Hint(position));
        }
        let open = self.study.as_ref().is_some_and(|study| !study.complete);
        (self.analysing && open).then_some(Job::Study(position))
    }

    /// Starts and stops searches after the state.
    fn settle(&mut self) {
        let position = self.game.position();
        if self.hint.as_ref().is_some_and(|(asked, _)| *asked != position) {
            self.hint = None;
        }
        if self.study.as_ref().is_some_and(|study| study.position != position || !self.analysing) {
            self.study = None;
        }
        if self.analysing && self.study.is_none() && !position.outcome().is_over() {
            self.study = Some(Study::new(position));
        }
        let wanted = self.wanted();
        if self.task.as_ref().map(|task| &task.job) == wanted.as_ref() {
            return;
        }
        if let Some(task) = self.task.take() {
            self.effects.push(Effect::Stop(task.number));
        }
        if let Some(job) = wanted {
            self.tasks += 1;
            self.effects.push(Effect::Start(self.tasks, Box::new(job.clone())));
            self.task = Some(Task {
                number: self.tasks,
                job,
                since: self.now,
                counters: Counters::default(),
            });
        }
    }

    /// News of the task under way.
    fn hear(&mut self, news: News) {
        match news {
            News::Chose(choice) => {
                let since = self.task.take().map_or(self.turn, |task| task.since);
                self.engine_moves(&choice, self.now.saturating_sub(since));
            }
            News::Forfeited(reason) => {
                self.task = None;
                self.engine_forfeits(reason);
            }
            News::Hinted(hint) => {
                self.task = None;
                self.hinting = false;
                self.says.clone_from(&hint.sentence);
                if let (Some(best), true) = (hint.best, self.is_persons_turn()) {
                    self.cursor = best.cell(&self.game.rules);
                }
                self.hint = Some((self.game.position(), hint));
            }
            News::Found(analysed) => {
                if let Some(study) = &mut self.study {
                    study.found.retain(|found| found.mv() != analysed.mv());
                    study.found.push(analysed);
                }
            }
            News::Line(line) => {
                if let Some(study) = &mut self.study {
                    study.line = Some(line);
                }
            }
            News::Opinion(hint) => {
                if let Some(study) = &mut self.study {
                    study.opinion = Some(hint.sentence);
                }
            }
            News::Judged(done, all) => {
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.judged = (done, all);
                }
            }
            News::Reviewed(review) => {
                self.task = None;
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.review = Some(*review);
                }
            }
            News::Done => self.task_ended(None),
            News::Failed(why) => self.task_ended(Some(why)),
        }
    }

    fn task_ended(&mut self, problem: Option<String>) {
        let Some(task) = self.task.take() else { return };
        match task.job {
            // It moved, or it cannot and must not be asked again and again.
            Job::Choose { .. } => self.paused |= problem.is_some(),
            Job::Hint(_) => self.hinting = false,
            Job::Study(_) => {
                if let Some(study) = &mut self.study {
                    study.complete = true;
                }
            }
            Job::Review { .. } => {
                if let Some(reviewing) = &mut self.reviewing {
                    reviewing.problem.clone_from(&problem);
                }
            }
        }
        if let Some(problem) = problem {
            self.says = format!("{}.", capital(&problem));
        }
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        if effect == Effect::Quit {
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

/// The cell a cursor begins on.
fn middle(rules: &Rules) -> Cell {
    Cell { column: ((rules.width() - 1) / 2) as u8, row: ((rules.height() - 1) / 2) as u8 }
}
