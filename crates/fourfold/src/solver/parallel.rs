//! Drives the search engines: chooses the engine for a game and the null windows to search, on one
//! thread or on several.
//!
//! A score is found by a sequence of null-window searches, each of which narrows a window from
//! below or above (as in MTD, Plaat 1996). In a parallel search all threads run the same
//! null-window search, and the first to finish decides it. They share a transposition table and
//! defer moves that another thread is busy with ([`SharedTable`]).

use super::SolverOptions;
use super::board::BoardMasks;
use super::checkpoint::ProvenEntry;
use super::cpu::{Cpu, Portable};
use super::general::{
    FreePlacementEngine, GeneralBoard, GeneralEngine, GeneralRoot, GravityEngine,
};
use super::ideas::{Idea, Ideas};
use super::layout::{ByteColumns, Layout, PackedColumns, has_layout};
use super::meter::{Meter, SharedMeter};
use super::null_window::{Answer, Effort};
use super::policy::MoveOrder;
#[cfg(feature = "training")]
use super::policy::{InputMap, NodeSample, Sampling};
use super::schedule::{Stage, WindowChoice, choose_alpha, stages};
use super::search::Engine;
#[cfg(feature = "training")]
use super::search::Sampler;
use super::shared::SharedTable;
use super::table::{ScoreBounds, TranspositionTable, WORK_DIGITS};
use crate::budget::{Budget, Halt, Question, ShareDone};
use crate::game::{Position, Rules, Word};
use crate::workers::CAN_START;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread::Scope;

/// Which null windows to search, and how far that has come.
#[derive(Debug, Clone, Copy)]
struct Schedule {
    stages: &'static [Stage],
    /// Stages that the nodes spent before have used up are over.
    earlier: Earlier,
}

/// What earlier searches of the same position have spent and proven.
#[derive(Debug, Clone, Copy)]
pub(super) struct Earlier {
    pub(super) nodes: u64,
    pub(super) bounds: ScoreBounds,
}

impl Earlier {
    pub(super) const NOTHING: Self = Self { nodes: 0, bounds: ScoreBounds::UNKNOWN };
}

/// The first nodes are searched by one thread alone: waking the others takes about as long.
const SINGLE_THREAD_NODES: u64 = 2000;

/// The private tables of a parallel search are smaller than the shared one by this factor. Costly
/// results are in the shared table, and small tables stay in the processor's cache.
const PRIVATE_TABLE_DIVISOR: u64 = 4;

/// The scores that are still possible, both ends included.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoreWindow {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl ScoreWindow {
    /// All scores of a position in which the side to move cannot win at once.
    pub(super) fn possible(position: &Position) -> Self {
        let empty = position.empty() as i32;
        Self { lower: -(empty / 2), upper: (empty - 1) / 2 }
    }

    /// The possible scores between `lower` and `upper`; the nearest one if there is none.
    pub(super) fn clamped(position: &Position, lower: i32, upper: i32) -> Self {
        let Self { lower: min, upper: max } = Self::possible(position);
        Self { lower: min.max(lower.min(max)), upper: max.min(upper.max(min)) }
    }

    /// The same window, less what is known; one score if the two have none in common.
    pub(super) fn within(self, lower: i32, upper: i32) -> Self {
        let clamp = |end: i32| end.clamp(self.lower, self.upper);
        Self { lower: clamp(lower), upper: clamp(upper) }
    }

    /// The proven bounds when this is left of an initial window. An end that has not moved was
    /// given, not proven.
    pub(super) fn proven(self, initial: Self, position: &Position) -> Self {
        let possible = Self::possible(position);
        Self {
            lower: if self.lower > initial.lower { self.lower } else { possible.lower },
            upper: if self.upper < initial.upper { self.upper } else { possible.upper },
        }
    }
}

/// The result of narrowing a window.
#[derive(Debug)]
pub(super) struct Narrowed {
    /// What is left of the window: one score, unless the search was stopped.
    pub(super) window: ScoreWindow,
    pub(super) nodes: u64,
    pub(super) stopped: Option<Halt>,
}

/// An engine that searches null windows.
trait SearchEngine: Sized {
    /// The keys of its transposition tables.
    type Key: Word;
    /// A position in the engine's own layout.
    type Root: Sync;
    fn root(&self, position: &Position) -> Self::Root;
    /// See [`Engine::null_window`].
    fn null_window<C: Cpu>(&mut self, root: &Self::Root, alpha: i32, effort: Effort) -> Answer;
    fn meter(&mut self) -> &mut Meter;
    /// The transposition table for early positions; `None` if the board is too large for one.
    fn main_table(&mut self) -> Option<&mut TranspositionTable<Self::Key>>;
    fn clear(&mut self);
    /// Whether it has limited searches ([`Effort::discrepancies`]).
    fn can_limit(&self) -> bool {
        false
    }
    /// A bit of those keys in its main table that stand for something else than a proven position.
    fn failure_tag(&self) -> u128 {
        0
    }
    /// Chooses what orders the moves; engines for other rules have one order only.
    fn order_by(&mut self, _: &MoveOrder) {}
    /// Takes samples of the next searches, or gives those that were taken.
    #[cfg(feature = "training")]
    fn take_samples(&mut self, _: Option<(Sampling, InputMap)>) -> Vec<NodeSample> {
        Vec::new()
    }
    /// Makes this engine one of several that search the same position.
    fn share(&mut self, shared: &Arc<SharedTable>);
}

impl<L: Layout> SearchEngine for Engine<L> {
    type Key = L::W;
    type Root = ((L::W, L::W), i32);

    fn root(&self, position: &Position) -> Self::Root {
        (self.board.discs(position), position.ply() as i32)
    }

    fn null_window<C: Cpu>(
        &mut self,
        &(discs, ply): &Self::Root,
        alpha: i32,
        effort: Effort,
    ) -> Answer {
        if effort.discrepancies.is_some() {
            return Answer::Undecided;
        }
        self.null_window::<C>(discs, ply, alpha, effort.pause_at)
            .map_or(Answer::Halted, Answer::Bound)
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn main_table(&mut self) -> Option<&mut TranspositionTable<L::W>> {
        Some(&mut self.early_table)
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn order_by(&mut self, order: &MoveOrder) {
        self.order_by(order.clone());
    }

    #[cfg(feature = "training")]
    fn take_samples(&mut self, sampling: Option<(Sampling, InputMap)>) -> Vec<NodeSample> {
        let sampler = sampling.map(|(sampling, map)| Box::new(Sampler::new(sampling, map)));
        let before = std::mem::replace(&mut self.sampler, sampler);
        before.map_or_else(Vec::new, |sampler| sampler.samples)
    }

    fn share(&mut self, shared: &Arc<SharedTable>) {
        self.share(shared);
    }
}

impl<W: Word, const GRAVITY: bool, const SYMMETRIES: usize> SearchEngine
    for GeneralEngine<W, GRAVITY, SYMMETRIES>
{
    type Key = u128;
    type Root = GeneralRoot<W, SYMMETRIES>;

    fn root(&self, position: &Position) -> Self::Root {
        self.root(position)
    }

    fn null_window<C: Cpu>(&mut self, root: &Self::Root, alpha: i32, effort: Effort) -> Answer {
        self.null_window::<C>(root, alpha, effort)
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn main_table(&mut self) -> Option<&mut TranspositionTable<u128>> {
        self.early_table()
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn can_limit(&self) -> bool {
        self.can_limit()
    }

    fn failure_tag(&self) -> u128 {
        self.failure_tag()
    }

    fn share(&mut self, shared: &Arc<SharedTable>) {
        self.share(shared);
    }
}

/// One engine, or several that search the same position in parallel.
#[derive(Debug)]
struct ParallelSearch<E> {
    /// Runs on the caller's thread.
    main: Box<E>,
    helpers: Vec<E>,
    shared: Option<Arc<SharedTable>>,
    ideas: Ideas,
}

impl<E: SearchEngine + Send> ParallelSearch<E> {
    fn new(options: &SolverOptions, make: impl Fn(u64) -> Result<E, u64>) -> Result<Self, u64> {
        let bytes = u64::from(options.memory) << 20;
        let ideas = options.ideas;
        if options.threads <= 1 || !CAN_START {
            let main = Box::new(make(bytes)?);
            return Ok(Self { main, helpers: Vec::new(), shared: None, ideas });
        }
        let shared = Arc::new(SharedTable::new(bytes)?);
        let bytes = bytes / PRIVATE_TABLE_DIVISOR;
        let mut main = Box::new(make(bytes)?);
        main.share(&shared);
        let mut helpers = Vec::new();
        for _ in 1..options.threads {
            let mut engine = make(bytes)?;
            engine.share(&shared);
            helpers.push(engine);
        }
        Ok(Self { main, helpers, shared: Some(shared), ideas })
    }

    fn clear(&mut self) {
        self.main.clear();
        self.helpers.iter_mut().for_each(E::clear);
        if let Some(shared) = &self.shared {
            shared.clear();
        }
    }

    /// Narrows the window to one score by a sequence of null-window searches.
    fn narrow<C: Cpu>(
        &mut self,
        position: &Position,
        window: ScoreWindow,
        budget: &Budget,
        earlier: Earlier,
    ) -> Narrowed {
        let root = self.main.root(position);
        let shared_meter = self.shared.as_ref().map(|_| Arc::<SharedMeter>::default());
        for engine in self.engines() {
            engine.meter().begin(budget, shared_meter.clone());
        }
        let limits = self.main.can_limit() && self.ideas.has(Idea::LimitedDiscrepancy);
        let stages = stages(position, self.ideas, limits);
        let schedule = Schedule { stages, earlier };
        let (main, helpers) = (&mut *self.main, &mut self.helpers);
        let window = match shared_meter.as_ref().filter(|_| CAN_START) {
            None => narrow_window(schedule, position, window, budget, &mut |alpha, effort| {
                let answer = main.null_window::<C>(&root, alpha, effort);
                Ended::with(answer, main.meter())
            }),
            Some(shared_meter) => std::thread::scope(|scope| {
                let mut helpers = Some(helpers);
                let mut workers = Vec::new();
                narrow_window(schedule, position, window, budget, &mut |alpha, effort| {
                    if main.meter().nodes < SINGLE_THREAD_NODES {
                        let pause_at = effort.pause_at.min(SINGLE_THREAD_NODES);
                        let alone = Effort { pause_at, ..effort };
                        let answer = main.null_window::<C>(&root, alpha, alone);
                        let ended = Ended::with(answer, main.meter());
                        if answer != Answer::Halted
                            || ended.nodes >= effort.pause_at
                            || ended.stopped
                        {
                            return ended;
                        }
                    }
                    if let Some(helpers) = helpers.take() {
                        let spawn =
                            |engine| Worker::spawn::<E, C>(scope, engine, &root, shared_meter);
                        // Without a thread for one of them, the others do its work.
                        workers = helpers.iter_mut().filter_map(spawn).collect();
                    }
                    let answer =
                        search_on_all::<E, C>(main, &workers, shared_meter, &root, alpha, effort);
                    Ended::with(answer, main.meter())
                })
            }),
        };
        let nodes = self.engines().map(|engine| engine.meter().nodes).sum();
        budget.spend(nodes);
        if let Some(progress) = budget.progress() {
            progress.ended(nodes);
        }
        // The main engine may have been stopped just after another had decided the last window.
        let stopped = if window.lower < window.upper { self.main.meter().stopped } else { None };
        Narrowed { window, nodes, stopped }
    }

    /// About how many entries of the main tables took how many nodes, by the number of binary digits
    /// of that.
    fn work_counts(&mut self) -> [u64; WORK_DIGITS] {
        let mut counts = [0; WORK_DIGITS];
        for table in self.engines().filter_map(E::main_table) {
            table.work_counts().iter().zip(&mut counts).for_each(|(more, sum)| *sum += more);
        }
        counts
    }

    /// The entries of the private main tables whose work has at least so many digits. What threads
    /// share is in these too: and there it cannot be torn.
    fn entries(&mut self, min_work_bits: u32, take: &mut dyn FnMut(ProvenEntry)) {
        let failure_tag = self.main.failure_tag();
        let take = &mut |entry: ProvenEntry| {
            if entry.key & failure_tag == 0 {
                take(entry);
            }
        };
        for table in self.engines().filter_map(E::main_table) {
            table.for_each(min_work_bits, take);
        }
    }

    /// Stores an entry that another search has proven.
    fn insert(&mut self, &ProvenEntry { key, bounds, work_bits }: &ProvenEntry) {
        let (key, work) = (E::Key::truncate(key), 1 << work_bits >> 1);
        for table in self.engines().filter_map(E::main_table) {
            table.store(table.address(key), bounds, work);
            if table.should_grow() {
                table.grow();
            }
        }
        if let Some(shared) = &self.shared {
            shared.store(key, bounds, work);
        }
    }

    fn engines(&mut self) -> impl Iterator<Item = &mut E> {
        std::iter::once(&mut *self.main).chain(&mut self.helpers)
    }
}

/// How a null-window search ended.
struct Ended {
    answer: Answer,
    /// Nodes that the main engine has spent by now.
    nodes: u64,
    /// Whether the budget is used up.
    stopped: bool,
}

impl Ended {
    fn with(answer: Answer, meter: &Meter) -> Self {
        Self { answer, nodes: meter.nodes, stopped: meter.stopped.is_some() }
    }
}

/// Follows a schedule of null windows until one score is left, or the main engine is stopped.
/// `search` runs a null-window search until the main engine has spent `pause_at` nodes in all. The
/// same code for all engines, since it takes no time.
fn narrow_window(
    schedule: Schedule,
    position: &Position,
    initial: ScoreWindow,
    budget: &Budget,
    search: &mut dyn FnMut(i32, Effort) -> Ended,
) -> ScoreWindow {
    let mut window = initial;
    let mut spent = 0u64;
    let mut at_upper = false;
    let Earlier { nodes: mut spent_before, bounds: proven_before } = schedule.earlier;
    for &Stage { choice, nodes, discrepancies } in schedule.stages {
        if spent_before >= nodes {
            spent_before -= nodes;
            continue;
        }
        let end = spent.saturating_add(nodes - spent_before);
        spent_before = 0;
        // What a limited search of this stage has left open.
        let mut undecided = Vec::new();
        while window.lower < window.upper {
            let ScoreWindow { lower, upper } = window;
            let alpha = if discrepancies.is_some() {
                // Either player's win, once.
                let is_open =
                    |alpha: &i32| (lower..upper).contains(alpha) && !undecided.contains(alpha);
                let Some(alpha) = [0, -1].into_iter().find(is_open) else { break };
                alpha
            } else {
                choose_alpha(choice, window, &mut at_upper)
            };
            if let Some(progress) = budget.progress() {
                let ScoreWindow { lower, upper } = window.proven(initial, position);
                let ScoreBounds { lower, upper } =
                    proven_before.intersect(ScoreBounds { lower, upper });
                progress.asks(Question { lower, upper, above: alpha });
            }
            let takes_turns = choice == WindowChoice::NearWins
                || (discrepancies.is_some() && undecided.is_empty() && lower < 0 && upper > 0);
            let pause_at = if takes_turns { end.min(spent.saturating_add(nodes / 2)) } else { end };
            let ended = search(alpha, Effort { pause_at, discrepancies });
            spent = ended.nodes;
            match ended.answer {
                Answer::Bound(bound) if bound > alpha => window.lower = bound.min(upper),
                Answer::Bound(bound) => window.upper = bound.max(lower),
                Answer::Halted if spent >= end || ended.stopped => break,
                Answer::Halted | Answer::Undecided => undecided.push(alpha),
            }
        }
    }
    window
}

/// Runs the same null-window search on the main engine and all workers; the first to finish ends
/// it.
fn search_on_all<E: SearchEngine, C: Cpu>(
    main: &mut E,
    workers: &[Worker],
    shared_meter: &SharedMeter,
    root: &E::Root,
    alpha: i32,
    effort: Effort,
) -> Answer {
    shared_meter.answered.store(false, Ordering::Relaxed);
    let nodes = effort.pause_at.saturating_sub(main.meter().nodes);
    for worker in workers {
        // A worker that is gone has panicked, and the end of the scope reports that.
        let request = SearchRequest { alpha, nodes, discrepancies: effort.discrepancies };
        let _ = worker.requests.send(request);
    }
    let first = main.null_window::<C>(root, alpha, effort);
    if first != Answer::Halted {
        shared_meter.answered.store(true, Ordering::Relaxed);
    }
    workers.iter().fold(first, |answer, worker| {
        // All have to have ended before the next search begins.
        answer.or(receive(&worker.answers).unwrap_or(Answer::Halted))
    })
}

/// A null-window search for a worker: at `alpha`, for at most `nodes` nodes.
struct SearchRequest {
    alpha: i32,
    nodes: u64,
    /// See [`Effort::discrepancies`].
    discrepancies: Option<u8>,
}

/// An engine on a thread of its own, which runs one null-window search after the other.
struct Worker {
    requests: Sender<SearchRequest>,
    answers: Receiver<Answer>,
}

impl Worker {
    /// Starts a worker, which ends when it is dropped; `None` if the system has no thread for it.
    fn spawn<'scope, E: SearchEngine + Send, C: Cpu>(
        scope: &'scope Scope<'scope, '_>,
        engine: &'scope mut E,
        root: &'scope E::Root,
        shared_meter: &'scope SharedMeter,
    ) -> Option<Self> {
        let ((requests, inbox), (outbox, answers)) = (mpsc::channel(), mpsc::channel());
        let work = move || {
            while let Some(SearchRequest { alpha, nodes, discrepancies }) = receive(&inbox) {
                let pause_at = engine.meter().nodes.saturating_add(nodes);
                let effort = Effort { pause_at, discrepancies };
                let answer = engine.null_window::<C>(root, alpha, effort);
                if answer != Answer::Halted {
                    shared_meter.answered.store(true, Ordering::Relaxed);
                }
                if outbox.send(answer).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, work).ok()?;
        Some(Self { requests, answers })
    }
}

/// Iterations of the spin loop before a thread blocks: searches follow each other within
/// microseconds, and waking takes longer.
const SPIN_ITERATIONS: u32 = 20_000;

/// The next message; `None` if there will be no more.
fn receive<T>(inbox: &Receiver<T>) -> Option<T> {
    for _ in 0..SPIN_ITERATIONS {
        match inbox.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    inbox.recv().ok()
}

/// The search for a game, with the engine and the layout that suit its rules.
#[derive(Debug)]
pub(super) struct AnySearch {
    /// Whether to run the code for [`super::cpu::Avx2`].
    avx2: bool,
    /// Whether to run the laboratory's search ([`Cpu::LAB`]).
    #[cfg(feature = "ablation")]
    lab: bool,
    search: SearchVariant,
}

#[derive(Debug)]
enum SearchVariant {
    ByteColumns(ParallelSearch<Engine<ByteColumns>>),
    Packed(ParallelSearch<Engine<PackedColumns<u64>>>),
    PackedWide(ParallelSearch<Engine<PackedColumns<u128>>>),
    Gravity(ParallelSearch<GravityEngine<u64>>),
    GravityWide(ParallelSearch<GravityEngine<u128>>),
    FreePlacement(ParallelSearch<FreePlacementEngine<u64>>),
    FreePlacementWide(ParallelSearch<FreePlacementEngine<u128>>),
}

/// Runs the same code on whichever search there is.
macro_rules! with_search {
    ($any:expr, $search:ident => $work:expr) => {
        match $any {
            SearchVariant::ByteColumns($search) => $work,
            SearchVariant::Packed($search) => $work,
            SearchVariant::PackedWide($search) => $work,
            SearchVariant::Gravity($search) => $work,
            SearchVariant::GravityWide($search) => $work,
            SearchVariant::FreePlacement($search) => $work,
            SearchVariant::FreePlacementWide($search) => $work,
        }
    };
}

impl AnySearch {
    /// The search for a game. Fails with the number of bytes that could not be allocated.
    pub(super) fn new(rules: &Rules, options: SolverOptions) -> Result<Self, u64> {
        fn lines_of_four<L: Layout>(
            rules: &Rules,
            layout: L,
            options: &SolverOptions,
        ) -> Result<ParallelSearch<Engine<L>>, u64> {
            let board = BoardMasks::new(rules, layout);
            ParallelSearch::new(options, |bytes| Engine::new(board, options.ideas, bytes))
        }
        fn general<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
            rules: &Rules,
            options: &SolverOptions,
        ) -> Result<ParallelSearch<GeneralEngine<W, GRAVITY, SYMMETRIES>>, u64> {
            let mut options = *options;
            if GeneralBoard::<W, GRAVITY, SYMMETRIES>::new(rules).keys().bits().is_none() {
                // Without keys there is nothing that threads could tell each other.
                options.threads = 1;
            }
            ParallelSearch::new(&options, |bytes| {
                GeneralEngine::new(GeneralBoard::new(rules), options.ideas, bytes)
            })
        }
        let (width, height) = (rules.width(), rules.height());
        let fits_u64 = rules.bits() <= u64::BITS;
        let search = match (has_layout(rules), rules.gravity()) {
            (true, _) if width <= 8 && height <= 7 => {
                SearchVariant::ByteColumns(lines_of_four(rules, ByteColumns, &options)?)
            }
            (true, _) if fits_u64 => {
                let layout = PackedColumns::new(width, height);
                SearchVariant::Packed(lines_of_four(rules, layout, &options)?)
            }
            (true, _) => {
                let layout = PackedColumns::new(width, height);
                SearchVariant::PackedWide(lines_of_four(rules, layout, &options)?)
            }
            (_, true) if fits_u64 => SearchVariant::Gravity(general(rules, &options)?),
            (_, true) => SearchVariant::GravityWide(general(rules, &options)?),
            (_, false) if fits_u64 => SearchVariant::FreePlacement(general(rules, &options)?),
            (_, false) => SearchVariant::FreePlacementWide(general(rules, &options)?),
        };
        Ok(Self {
            avx2: !options.portable && super::cpu::has_avx2(),
            #[cfg(feature = "ablation")]
            lab: !options.ideas.are_ordinary(),
            search,
        })
    }

    /// Chooses what orders the moves.
    pub(super) fn order_by(&mut self, order: &MoveOrder) {
        with_search!(&mut self.search, search => {
            search.engines().for_each(|engine| SearchEngine::order_by(engine, order));
        });
    }

    /// Clears everything proven so far.
    pub(super) fn clear(&mut self) {
        with_search!(&mut self.search, search => search.clear());
    }

    /// Solves a position and takes samples of the search.
    #[cfg(feature = "training")]
    pub(super) fn sample(
        &mut self,
        position: &Position,
        budget: &Budget,
        sampling: &Sampling,
    ) -> Vec<NodeSample> {
        let Some(map) = InputMap::new(position.rules()) else { return Vec::new() };
        let window = ScoreWindow::possible(position);
        let mut sampling = Some((sampling.clone(), map));
        with_search!(&mut self.search, search => search.main.take_samples(sampling.take()));
        self.narrow_as::<true>(position, window, budget, Earlier::NOTHING);
        with_search!(&mut self.search, search => search.main.take_samples(None))
    }

    /// About how many entries the main transposition tables have.
    pub(super) fn entry_count(&mut self) -> u64 {
        with_search!(&mut self.search, search => search.work_counts()).iter().sum()
    }

    /// The costliest entries of the main transposition tables: at most `most`, whose work has at
    /// least `min_work_bits` binary digits.
    pub(super) fn costly_entries(&mut self, min_work_bits: u32, most: usize) -> Vec<ProvenEntry> {
        let counts = with_search!(&mut self.search, search => search.work_counts());
        let mut sum = 0;
        let fits = |&digits: &u32| {
            sum += counts[digits as usize];
            sum <= most as u64
        };
        let digits = (min_work_bits..WORK_DIGITS as u32).rev().take_while(fits).last();
        let mut entries = Vec::new();
        with_search!(&mut self.search, search => {
            search.entries(digits.unwrap_or(WORK_DIGITS as u32 - 1), &mut |entry| {
                if entries.len() < most {
                    entries.push(entry);
                }
            });
        });
        entries
    }

    /// Stores an entry that another search has proven.
    pub(super) fn insert(&mut self, entry: &ProvenEntry) {
        with_search!(&mut self.search, search => search.insert(entry));
    }

    /// A guess of how much of the last null window was done when its search was stopped.
    pub(super) fn share_done(&mut self) -> Option<ShareDone> {
        with_search!(&mut self.search, search => search.main.meter().share_done())
    }

    /// Narrows the window to one score, on the best code for this processor. It goes on
    /// with the schedule of `earlier` calls for the position.
    pub(super) fn narrow(
        &mut self,
        position: &Position,
        window: ScoreWindow,
        budget: &Budget,
        earlier: Earlier,
    ) -> Narrowed {
        #[cfg(feature = "ablation")]
        if self.lab {
            return self.narrow_as::<true>(position, window, budget, earlier);
        }
        self.narrow_as::<false>(position, window, budget, earlier)
    }

    /// The same by the laboratory's search, or the ordinary one.
    fn narrow_as<const LAB: bool>(
        &mut self,
        position: &Position,
        window: ScoreWindow,
        budget: &Budget,
        earlier: Earlier,
    ) -> Narrowed {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            use super::cpu::Avx2;
            return with_search!(&mut self.search, search => {
                search.narrow::<Avx2<LAB>>(position, window, budget, earlier)
            });
        }
        let _ = self.avx2;
        with_search!(&mut self.search, search => {
            search.narrow::<Portable<LAB>>(position, window, budget, earlier)
        })
    }
}
