//! Engines at work on one position: the one that suits the game, or several of them on threads of
//! their own.
//!
//! Threads are asked the same question, and the first answer counts. They tell each other what took
//! some work, and leave moves that another is busy with for later ([`Shared`]).

use super::SolverOptions;
use super::cpu::{Cpu, Portable};
use super::field::Field;
use super::general::{self, Falling, Ground, Placed};
use super::layout::{Bytes, Layout, Packed};
use super::meter::{Meter, Team as Common};
use super::search::Engine;
use super::shared::Shared;
use crate::budget::{Budget, Halt, Question};
use crate::game::{Position, Rules, Shape, Word};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread::Scope;

/// Which windows to ask about early in the game, and for how many nodes in turn. Near wins first,
/// so that easy positions take microseconds; then who wins at all; and near wins once more, for the
/// few positions whose win is near but hard to see.
const EARLY_PLAN: [(Aim, u64); 5] = [
    (Aim::BothEnds, 500),
    (Aim::NearWins, 1000),
    (Aim::Winner, 100_000),
    (Aim::NearWins, 4000),
    (Aim::Winner, u64::MAX),
];

/// The same later on, when a whole search takes little more than that.
const LATE_PLAN: [(Aim, u64); 2] = [(Aim::BothEnds, 250), (Aim::Winner, u64::MAX)];

/// With so many empty cells or more it is early in the game.
const EARLY: u32 = 28;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// The ends of the window in turn: the nearest win that is still possible for either side or,
    /// when the winner is known, the nearest and the farthest.
    BothEnds,
    /// The nearest win that is still possible, for both sides in turn while either can win. A
    /// question is put aside when it has taken half the nodes, so that the other side's has its
    /// turn.
    NearWins,
    /// Zero, then outward from there.
    Winner,
}

/// So many nodes are searched by one thread alone: waking the others takes about as long.
const ALONE: u64 = 2000;

/// The tables of several engines are smaller than the one they share by this factor: what took much
/// work is there, and a small table stays in the processor's cache.
const OWN_PART: u64 = 4;

/// Between what bounds a score lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Window {
    /// What any score can be when nobody wins at once.
    pub(super) fn possible(position: &Position) -> Self {
        let empty = position.empty() as i32;
        Self { lower: -(empty / 2), upper: (empty - 1) / 2 }
    }

    /// The part of it that the caller wants to know of.
    pub(super) fn of(position: &Position, lower: i32, upper: i32) -> Self {
        let Self { lower: least, upper: most } = Self::possible(position);
        Self { lower: least.max(lower.min(most)), upper: most.min(upper.max(least)) }
    }

    /// What is proven when this is left of the window asked about: an edge that has not moved was
    /// asked for, not proven.
    pub(super) fn proven(self, asked: Self, position: &Position) -> Self {
        let possible = Self::possible(position);
        Self {
            lower: if self.lower > asked.lower { self.lower } else { possible.lower },
            upper: if self.upper < asked.upper { self.upper } else { possible.upper },
        }
    }
}

/// What came of narrowing a window.
#[derive(Debug)]
pub(super) struct Answer {
    /// What is left of the window: one score, unless the work was stopped.
    pub(super) found: Window,
    pub(super) nodes: u64,
    pub(super) stopped: Option<Halt>,
}

/// What a team asks of an engine.
trait Prover: Sized {
    /// A position in the engine's own layout.
    type Start: Sync;
    fn start(&self, position: &Position) -> Self::Start;
    /// See [`Engine::compare`].
    fn ask<C: Cpu>(&mut self, start: &Self::Start, alpha: i32, pause_at: u64) -> Option<i32>;
    fn meter(&mut self) -> &mut Meter;
    fn clear(&mut self);
    /// Can several of this kind work together?
    const JOINS: bool;
    /// Makes it one of several.
    fn join(&mut self, shared: &Arc<Shared>);
}

impl<L: Layout> Prover for Engine<L> {
    type Start = ((L::W, L::W), i32);

    fn start(&self, position: &Position) -> Self::Start {
        (self.field.discs(position), position.ply() as i32)
    }

    fn ask<C: Cpu>(
        &mut self,
        &(discs, ply): &Self::Start,
        alpha: i32,
        pause_at: u64,
    ) -> Option<i32> {
        self.compare::<C>(discs, ply, alpha, pause_at)
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn clear(&mut self) {
        self.clear();
    }

    const JOINS: bool = true;

    fn join(&mut self, shared: &Arc<Shared>) {
        self.join(shared);
    }
}

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Prover
    for general::Engine<W, GRAVITY, IMAGES>
{
    type Start = general::Root<W, IMAGES>;

    fn start(&self, position: &Position) -> Self::Start {
        self.root(position)
    }

    fn ask<C: Cpu>(&mut self, start: &Self::Start, alpha: i32, pause_at: u64) -> Option<i32> {
        self.compare::<C>(start, alpha, pause_at)
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn clear(&mut self) {
        self.clear();
    }

    // Tried, and no quicker.
    const JOINS: bool = false;

    fn join(&mut self, _: &Arc<Shared>) {}
}

/// One engine, or several that work together.
#[derive(Debug)]
struct Team<P> {
    lead: Box<P>,
    others: Vec<P>,
    shared: Option<Arc<Shared>>,
}

impl<P: Prover + Send> Team<P> {
    fn new(options: &SolverOptions, make: impl Fn(u64) -> Result<P, u64>) -> Result<Self, u64> {
        let bytes = u64::from(options.memory) << 20;
        if options.threads <= 1 || !P::JOINS {
            return Ok(Self { lead: Box::new(make(bytes)?), others: Vec::new(), shared: None });
        }
        let shared = Arc::new(Shared::new(bytes)?);
        let bytes = bytes / OWN_PART;
        let mut lead = Box::new(make(bytes)?);
        lead.join(&shared);
        let mut others = Vec::new();
        for _ in 1..options.threads {
            let mut engine = make(bytes)?;
            engine.join(&shared);
            others.push(engine);
        }
        Ok(Self { lead, others, shared: Some(shared) })
    }

    fn clear(&mut self) {
        self.lead.clear();
        self.others.iter_mut().for_each(P::clear);
        if let Some(shared) = &self.shared {
            shared.clear();
        }
    }

    /// Narrows the window to one score by asking whether the score is above a value, again and
    /// again.
    fn narrow<C: Cpu>(&mut self, position: &Position, asked: Window, budget: &Budget) -> Answer {
        let start = self.lead.start(position);
        let common = self.shared.as_ref().map(|_| Arc::<Common>::default());
        for engine in self.engines() {
            engine.meter().begin(budget, common.clone());
        }
        let (lead, others) = (&mut *self.lead, &mut self.others);
        let found = match &common {
            None => settle(lead, position, asked, budget, |lead, alpha, pause_at| {
                lead.ask::<C>(&start, alpha, pause_at)
            }),
            Some(common) => std::thread::scope(|scope| {
                let mut others = Some(others);
                let mut helpers = Vec::new();
                settle(lead, position, asked, budget, |lead, alpha, pause_at| {
                    if lead.meter().nodes < ALONE {
                        return lead.ask::<C>(&start, alpha, pause_at);
                    }
                    if let Some(others) = others.take() {
                        let hire = |engine| Helper::hire::<P, C>(scope, engine, &start, common);
                        // If the system has no thread for one, the others do its work.
                        helpers = others.iter_mut().filter_map(hire).collect();
                    }
                    ask_all::<P, C>(lead, &helpers, common, &start, alpha, pause_at)
                })
            }),
        };
        let nodes = self.engines().map(|engine| engine.meter().nodes).sum();
        budget.spend(nodes);
        if let Some(progress) = budget.progress() {
            progress.ended(nodes);
        }
        // It may have been stopped just after another had answered.
        let stopped = if found.lower < found.upper { self.lead.meter().stopped } else { None };
        Answer { found, nodes, stopped }
    }

    fn engines(&mut self) -> impl Iterator<Item = &mut P> {
        std::iter::once(&mut *self.lead).chain(&mut self.others)
    }
}

/// Goes through the plan of windows until one score is left, or the lead is stopped. `ask` asks
/// whether the score is above a value, until the lead has spent the nodes up to the second number.
fn settle<P: Prover>(
    lead: &mut P,
    position: &Position,
    asked: Window,
    budget: &Budget,
    mut ask: impl FnMut(&mut P, i32, u64) -> Option<i32>,
) -> Window {
    let mut window = asked;
    let mut at_upper = false;
    let plan = if position.empty() >= EARLY { &EARLY_PLAN[..] } else { &LATE_PLAN };
    for &(aim, nodes) in plan {
        let end = lead.meter().nodes.saturating_add(nodes);
        while window.lower < window.upper {
            let Window { lower, upper } = window;
            let alpha = match aim {
                Aim::BothEnds | Aim::NearWins => {
                    at_upper = match aim {
                        Aim::NearWins if lower >= 0 => true,
                        Aim::NearWins if upper <= 0 => false,
                        _ => !at_upper,
                    };
                    if at_upper { upper - 1 } else { lower }
                }
                Aim::Winner if lower <= 0 && upper > 0 => 0,
                Aim::Winner if lower < 0 && upper >= 0 => -1,
                Aim::Winner if lower > 0 => lower,
                Aim::Winner => upper - 1,
            };
            if let Some(progress) = budget.progress() {
                let Window { lower, upper } = window.proven(asked, position);
                progress.asks(Question { lower, upper, above: alpha });
            }
            let spent = lead.meter().nodes;
            let pause_at =
                if aim == Aim::NearWins { end.min(spent.saturating_add(nodes / 2)) } else { end };
            match ask(lead, alpha, pause_at) {
                Some(bound) if bound > alpha => window.lower = bound.min(upper),
                Some(bound) => window.upper = bound.max(lower),
                None if lead.meter().nodes >= end || lead.meter().stopped.is_some() => break,
                None => {}
            }
        }
    }
    window
}

/// Asks the lead and its helpers the same; the first answer ends it.
fn ask_all<P: Prover, C: Cpu>(
    lead: &mut P,
    helpers: &[Helper],
    common: &Common,
    start: &P::Start,
    alpha: i32,
    pause_at: u64,
) -> Option<i32> {
    common.answered.store(false, Ordering::Relaxed);
    let nodes = pause_at.saturating_sub(lead.meter().nodes);
    for helper in helpers {
        // One that is gone has panicked, and the end of the scope tells.
        let _ = helper.questions.send(Task { alpha, nodes });
    }
    let first = lead.ask::<C>(start, alpha, pause_at);
    if first.is_some() {
        common.answered.store(true, Ordering::Relaxed);
    }
    helpers.iter().fold(first, |answer, helper| answer.or(wait_for(&helper.answers).flatten()))
}

/// A question for a helper: is the score above `alpha`? For so many nodes at most.
struct Task {
    alpha: i32,
    nodes: u64,
}

/// An engine at work on a thread of its own, question by question.
struct Helper {
    questions: Sender<Task>,
    answers: Receiver<Option<i32>>,
}

impl Helper {
    /// Puts an engine to work until the helper is dropped; none if the system has no thread for it.
    fn hire<'scope, P: Prover + Send, C: Cpu>(
        scope: &'scope Scope<'scope, '_>,
        engine: &'scope mut P,
        start: &'scope P::Start,
        common: &'scope Common,
    ) -> Option<Self> {
        let ((questions, inbox), (outbox, answers)) = (mpsc::channel::<Task>(), mpsc::channel());
        let work = move || {
            while let Some(Task { alpha, nodes }) = wait_for(&inbox) {
                let pause_at = engine.meter().nodes.saturating_add(nodes);
                let answer = engine.ask::<C>(start, alpha, pause_at);
                if answer.is_some() {
                    common.answered.store(true, Ordering::Relaxed);
                }
                if outbox.send(answer).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, work).ok()?;
        Some(Self { questions, answers })
    }
}

/// Turns of a loop that waits before it sleeps: questions follow each other within microseconds,
/// and waking takes longer.
const TURNS: u32 = 20_000;

/// The next message; none if there will be no more.
fn wait_for<T>(inbox: &Receiver<T>) -> Option<T> {
    for _ in 0..TURNS {
        match inbox.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    inbox.recv().ok()
}

/// The team whose engines suit the game.
#[derive(Debug)]
pub(super) struct AnyTeam {
    /// Has this processor what [`super::cpu::Modern`] is compiled for, and may it be used?
    modern: bool,
    team: Kind,
}

#[derive(Debug)]
enum Kind {
    Bytes(Team<Engine<Bytes>>),
    Narrow(Team<Engine<Packed<u64>>>),
    Wide(Team<Engine<Packed<u128>>>),
    Falling(Team<Falling<u64>>),
    FallingWide(Team<Falling<u128>>),
    Placed(Team<Placed<u64>>),
    PlacedWide(Team<Placed<u128>>),
}

/// Runs the same code on whichever team there is.
macro_rules! with_team {
    ($any:expr, $team:ident => $work:expr) => {
        match $any {
            Kind::Bytes($team) => $work,
            Kind::Narrow($team) => $work,
            Kind::Wide($team) => $work,
            Kind::Falling($team) => $work,
            Kind::FallingWide($team) => $work,
            Kind::Placed($team) => $work,
            Kind::PlacedWide($team) => $work,
        }
    };
}

impl AnyTeam {
    /// The team for a game; the bytes, if they cannot be had.
    pub(super) fn new(rules: &Rules, options: SolverOptions) -> Result<Self, u64> {
        fn of_lines<L: Layout>(
            field: &Field<L>,
            options: &SolverOptions,
        ) -> Result<Team<Engine<L>>, u64> {
            Team::new(options, |bytes| Engine::new(*field, options.bounds, bytes))
        }
        fn of_any<W: Word, const GRAVITY: bool, const IMAGES: usize>(
            rules: &Rules,
            options: &SolverOptions,
        ) -> Result<Team<general::Engine<W, GRAVITY, IMAGES>>, u64> {
            Team::new(options, |bytes| {
                general::Engine::new(Ground::new(rules), options.bounds, bytes)
            })
        }
        let team = match (rules.gravity(), rules.shape()) {
            (true, Shape::Line(4)) if rules.width() <= 8 && rules.height() <= 7 => {
                Kind::Bytes(of_lines(&Field::new(rules, Bytes), &options)?)
            }
            (true, Shape::Line(4)) if rules.bits() <= u64::BITS => {
                Kind::Narrow(of_lines(&Field::new(rules, Packed::new(rules.height())), &options)?)
            }
            (true, Shape::Line(4)) => {
                Kind::Wide(of_lines(&Field::new(rules, Packed::new(rules.height())), &options)?)
            }
            (true, _) if Falling::<u64>::fits(rules) => Kind::Falling(of_any(rules, &options)?),
            (true, _) => Kind::FallingWide(of_any(rules, &options)?),
            (false, _) if Placed::<u64>::fits(rules) => Kind::Placed(of_any(rules, &options)?),
            (false, _) => Kind::PlacedWide(of_any(rules, &options)?),
        };
        Ok(Self { modern: !options.portable && super::cpu::has_modern(), team })
    }

    /// Forgets everything proven so far.
    pub(super) fn clear(&mut self) {
        with_team!(&mut self.team, team => team.clear());
    }

    /// Narrows the window to one score, on the best code for this processor.
    pub(super) fn narrow(
        &mut self,
        position: &Position,
        window: Window,
        budget: &Budget,
    ) -> Answer {
        #[cfg(target_arch = "x86_64")]
        if self.modern {
            return with_team!(&mut self.team, team => team.narrow::<super::cpu::Modern>(position, window, budget));
        }
        let _ = self.modern;
        with_team!(&mut self.team, team => team.narrow::<Portable>(position, window, budget))
    }
}
