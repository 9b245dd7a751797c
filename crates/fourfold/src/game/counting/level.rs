//! From one level to the next, on several threads and within a memory budget.
//!
//! A level is spread over [`PARTS`] parts by hash. The work goes in rounds of two steps: each
//! thread expands boards into an outbox of its own, with a pile for every part; then each thread
//! takes parts and merges all piles for them into their tables. No thread waits for another within
//! a step, no board is expanded twice, and sums do not depend on order.

use super::coding::{Coding, Key};
use super::sharing::{lock, share, take};
use super::table::{Ledger, LevelTable, PARTS, Seen, Slot, Tally, Trouble, bytes_of, part};
use super::{
    CountLimits, CountProgress, Counts, Interrupted, PlyCount, Reason, Stage, sequence_bound,
};
use crate::game::{Board, Position, Word};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Boards that a thread takes at a time.
const PIECE: usize = 2048;
/// Levels below this many boards are not worth starting threads for.
const SMALL: u64 = 4 * PIECE as u64;
/// Children in one round, for each thread.
const ROUND: usize = 1 << 20;

/// The boards of a ply that are to be expanded: one of each class, none finished.
struct Level<K> {
    parts: Vec<Vec<Tally<K>>>,
    len: u64,
}

/// What is known of a ply once it is counted.
#[derive(Default, Clone, Copy)]
struct Figures {
    sequences: u128,
    finished: u128,
    positions: u128,
    up_to_symmetry: u128,
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.sequences += other.sequences;
        self.finished += other.finished;
        self.positions += other.positions;
        self.up_to_symmetry += other.up_to_symmetry;
    }
}

/// What one thread has expanded: a pile for every part, and the sums of all of it, whatever part it
/// belongs to.
struct Outbox<S> {
    piles: Vec<Vec<S>>,
    figures: Figures,
}

/// How a ply will be counted.
enum Plan {
    /// Keep its positions, about so many in each part if that is known.
    Keep { expected: Option<usize> },
    /// Only count them, so many parts at a time; `needed` bytes would keep them.
    Pass { parts: usize, expected: Option<usize>, needed: u64 },
}

/// Counts plies 0 to `plies`, which must not be more than the start has empty cells.
pub(super) fn count<C: Coding>(
    coding: &C,
    start: &Position,
    plies: u32,
    limits: &CountLimits<'_>,
    progress: &mut dyn FnMut(CountProgress),
) -> Result<Counts, Interrupted> {
    let over = start.outcome().is_over();
    let bound = |ply| sequence_bound(start, ply);
    let root = PlyCount {
        ply: 0,
        sequences: 1,
        finished: u128::from(over),
        positions: 1,
        up_to_symmetry: 1,
        bound: bound(0),
    };
    let mut counts = Counts { plies: vec![root] };
    let counter = Counter {
        coding,
        discs: start.ply(),
        threads: limits.threads.clamp(1, PARTS),
        ledger: Ledger::new(limits.memory),
        limits: *limits,
    };
    let root = Level::root(coding.encode(Board::of(start)), !over);
    if let Err(trouble) = counter.ledger.take(bytes_of::<Tally<C::Key>>(root.len as usize)) {
        return Err(Interrupted { counts, reason: trouble.at(1, limits.memory) });
    }
    let mut level = Some(root);
    for ply in 1..=plies {
        let Some(before) = level.take() else { break };
        match counter.step(before, ply, ply == plies, progress) {
            Ok((figures, after)) => {
                let Figures { sequences, finished, positions, up_to_symmetry } = figures;
                let bound = bound(ply);
                counts.plies.push(PlyCount {
                    ply,
                    sequences,
                    finished,
                    positions,
                    up_to_symmetry,
                    bound,
                });
                match after {
                    Ok(next) => level = Some(next),
                    Err(_) if ply == plies => {}
                    Err(needed) => {
                        let reason =
                            Reason::Memory { ply: ply + 1, needed, allowed: limits.memory };
                        return Err(Interrupted { counts, reason });
                    }
                }
            }
            Err(trouble) => {
                let reason = trouble.at(ply, limits.memory);
                return Err(Interrupted { counts, reason });
            }
        }
    }
    Ok(counts)
}

impl Trouble {
    fn at(self, ply: u32, allowed: u64) -> Reason {
        match self {
            Self::Stopped => Reason::Stopped { ply },
            Self::Overflow => Reason::Overflow { ply },
            Self::Budget { needed } => Reason::Memory { ply, needed, allowed },
            Self::Allocation { bytes } => Reason::Allocation { ply, bytes },
        }
    }
}

impl<K: Key> Level<K> {
    /// The start position alone, if it can be played on.
    fn root(key: K, ongoing: bool) -> Self {
        let mut parts = vec![Vec::new(); PARTS];
        if ongoing {
            parts[part(key.hash())].push(Tally { key, sequences: 1 });
        }
        Self { parts, len: u64::from(ongoing) }
    }
}

struct Counter<'a, C> {
    coding: &'a C,
    /// Discs on the start position.
    discs: u32,
    threads: usize,
    ledger: Ledger,
    limits: CountLimits<'a>,
}

type Tables<S> = Vec<Mutex<LevelTable<S>>>;

impl<C: Coding> Counter<'_, C> {
    /// Counts `ply` from the level before it. With the figures comes the next level or, if it was
    /// not kept, the bytes that keeping it would have taken.
    #[allow(clippy::type_complexity)]
    fn step(
        &self,
        mut level: Level<C::Key>,
        ply: u32,
        last: bool,
        progress: &mut dyn FnMut(CountProgress),
    ) -> Result<(Figures, Result<Level<C::Key>, u64>), Trouble> {
        let total = level.len;
        let mut tell = |stage, done| progress(CountProgress { ply, stage, done, total });
        match self.plan(&mut level, ply, last, &mut |done| tell(Stage::Sampling, done))? {
            Plan::Keep { expected } => {
                let stage = Stage::Counting { pass: 1, passes: 1 };
                let (figures, next) =
                    self.keep(level, ply, expected, &mut |done| tell(stage, done))?;
                Ok((figures, Ok(next)))
            }
            Plan::Pass { mut parts, expected, needed } => loop {
                match self.pass(&mut level, ply, parts, expected, &mut tell) {
                    // The sample misled: smaller passes.
                    Err(Trouble::Budget { .. }) if parts > 1 => parts /= 2,
                    result => return Ok((result?, Err(needed))),
                }
            },
        }
    }

    /// Decides how to count a ply. Takes a sample if it is not clear at once that memory will do.
    fn plan(
        &self,
        level: &mut Level<C::Key>,
        ply: u32,
        last: bool,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Plan, Trouble> {
        let children =
            level.len.saturating_mul(u64::from(self.coding.geometry().rules().most_moves()));
        let fixed = self.ledger.used() + self.outbox_bytes::<Tally<C::Key>>(self.workers(level));
        // A table that has just doubled is 2.5 times as large as its boards, beside which the
        // smaller one lives on.
        let at_most = |slot: u64| fixed.saturating_add((children + 4096).saturating_mul(4 * slot));
        let slot = if last { size_of::<Seen<C::Key>>() } else { size_of::<Tally<C::Key>>() } as u64;
        if at_most(slot) <= self.ledger.budget {
            return Ok(if last {
                Plan::Pass { parts: PARTS, expected: None, needed: 0 }
            } else {
                Plan::Keep { expected: None }
            });
        }
        let mean = self.sample(level, ply, tell)?;
        // The largest of all parts, almost surely.
        let expected = mean + 6 * mean.isqrt() + 8;
        let tally = bytes_of::<Tally<C::Key>>(LevelTable::<Tally<C::Key>>::capacity_for(expected));
        let needed = fixed.saturating_add(tally.saturating_mul(PARTS as u64));
        if !last && needed <= self.ledger.budget {
            return Ok(Plan::Keep { expected: Some(expected) });
        }
        let seen = bytes_of::<Seen<C::Key>>(LevelTable::<Seen<C::Key>>::capacity_for(expected));
        let parts = (self.ledger.budget.saturating_sub(fixed) / seen.max(1)).clamp(1, PARTS as u64)
            as usize;
        Ok(Plan::Pass { parts, expected: Some(expected), needed })
    }

    /// Boards in a part of `ply`, on average, from a few of the parts.
    fn sample(
        &self,
        level: &mut Level<C::Key>,
        ply: u32,
        tell: &mut dyn FnMut(u64),
    ) -> Result<usize, Trouble> {
        let parts = if level.len < 1 << 20 { 16 } else { 1 };
        let tables = new_tables::<Seen<C::Key>>();
        let result = self.fill(level, ply, 0..parts, false, &tables, tell);
        let boards: usize = tables.iter().map(|table| lock(table).len()).sum();
        clear(&tables, &self.ledger);
        result.map(|_| boards.div_ceil(parts))
    }

    /// Counts a ply and keeps what can be expanded; lets go of the level before on the way.
    fn keep(
        &self,
        mut level: Level<C::Key>,
        ply: u32,
        expected: Option<usize>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(Figures, Level<C::Key>), Trouble> {
        let tables = new_tables::<Tally<C::Key>>();
        if let Some(boards) = expected {
            for table in &tables {
                lock(table).reserve(boards, &self.ledger)?;
            }
        }
        let workers = self.workers(&level);
        let mut figures = self.fill(&mut level, ply, 0..PARTS, true, &tables, tell)?;
        figures.add(self.classes(&tables, 0..PARTS, workers)?);
        let full = self.discs + ply == self.coding.geometry().rules().cells();
        let ongoing = |board: &Tally<C::Key>| {
            !full && !self.coding.decode(board.key).is_won(self.coding.geometry())
        };
        let next = AtomicUsize::new(0);
        let kept = Mutex::new(vec![Vec::new(); PARTS]);
        share(0..workers, |_| {
            while let Some(index) = take(&next, 0..PARTS) {
                self.check_stop()?;
                let table = std::mem::take(&mut *lock(&tables[index]));
                let boards = table.into_boards(ongoing, &self.ledger);
                lock(&kept)[index] = boards;
            }
            Ok(())
        })?;
        let parts = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let len = parts.iter().map(|boards| boards.len() as u64).sum();
        Ok((figures, Level { parts, len }))
    }

    /// Counts a ply without keeping it, `group` parts at a time.
    fn pass(
        &self,
        level: &mut Level<C::Key>,
        ply: u32,
        group: usize,
        expected: Option<usize>,
        tell: &mut dyn FnMut(Stage, u64),
    ) -> Result<Figures, Trouble> {
        let passes = PARTS.div_ceil(group);
        let tables = new_tables::<Seen<C::Key>>();
        let mut figures = Figures::default();
        for pass in 0..passes {
            let parts = pass * group..PARTS.min((pass + 1) * group);
            let stage = Stage::Counting { pass: pass as u32 + 1, passes: passes as u32 };
            let mut attempt = || {
                if let Some(boards) = expected {
                    for index in parts.clone() {
                        lock(&tables[index]).reserve(boards, &self.ledger)?;
                    }
                }
                let sums = self.fill(level, ply, parts.clone(), false, &tables, &mut |done| {
                    tell(stage, done);
                })?;
                Ok((sums, self.classes(&tables, parts.clone(), self.workers(level))?))
            };
            let result = attempt();
            clear(&tables, &self.ledger);
            let (sums, classes) = result?;
            // Every pass expands all boards, so each finds the same sums.
            if pass == 0 {
                figures.add(sums);
            }
            figures.add(classes);
        }
        Ok(figures)
    }

    /// Expands the whole level into `tables`, of which those in `parts` are filled. Sequences and
    /// finished games are summed over all of it. With `consume`, boards are freed when they
    /// have been expanded.
    fn fill<S: Slot<C::Key>>(
        &self,
        level: &mut Level<C::Key>,
        ply: u32,
        parts: Range<usize>,
        consume: bool,
        tables: &Tables<S>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Figures, Trouble> {
        let workers = self.workers(level);
        let booked = self.outbox_bytes::<S>(workers);
        self.ledger.take(booked)?;
        let most_moves = self.coding.geometry().rules().most_moves() as usize;
        let at_a_time = (self.round::<S>(workers) / most_moves).max(1);
        let mut outboxes: Vec<Outbox<S>> = Vec::new();
        outboxes.resize_with(workers, || Outbox {
            piles: (0..PARTS).map(|_| Vec::new()).collect(),
            figures: Figures::default(),
        });
        let (mut from, mut offset, mut done) = (0, 0, 0);
        let result = loop {
            let first = from;
            let (mut pieces, mut boards) = (Vec::new(), 0);
            while from < PARTS && boards < at_a_time {
                let rest = &level.parts[from][offset..];
                let length = rest.len().min(PIECE).min(at_a_time - boards);
                if length == 0 {
                    (from, offset) = (from + 1, 0);
                    continue;
                }
                pieces.push(&rest[..length]);
                (offset, boards) = (offset + length, boards + length);
            }
            if pieces.is_empty() {
                break Ok(());
            }
            let round = self
                .expand(&pieces, ply, parts.clone(), &mut outboxes)
                .and_then(|()| self.merge(&outboxes, parts.clone(), tables));
            if round.is_err() {
                break round;
            }
            if consume {
                for spent in &mut level.parts[first..from] {
                    self.ledger.give(bytes_of::<Tally<C::Key>>(spent.len()));
                    *spent = Vec::new();
                }
            }
            done += boards as u64;
            tell(done);
        };
        self.ledger.give(booked);
        result?;
        if consume {
            let left: usize = level.parts.iter().map(Vec::len).sum();
            self.ledger.give(bytes_of::<Tally<C::Key>>(left));
        }
        let mut sums = Figures::default();
        outboxes.iter().for_each(|outbox| sums.add(outbox.figures));
        Ok(sums)
    }

    /// Step one of a round: children of all boards in `pieces`, those in `parts` onto the threads'
    /// piles.
    fn expand<S: Slot<C::Key>>(
        &self,
        pieces: &[&[Tally<C::Key>]],
        ply: u32,
        parts: Range<usize>,
        outboxes: &mut [Outbox<S>],
    ) -> Result<(), Trouble> {
        let geometry = self.coding.geometry();
        let full = self.discs + ply == geometry.rules().cells();
        let next = AtomicUsize::new(0);
        share(outboxes.iter_mut(), |outbox| {
            outbox.piles.iter_mut().for_each(Vec::clear);
            while let Some(index) = take(&next, 0..pieces.len()) {
                self.check_stop()?;
                for parent in pieces[index] {
                    let board = self.coding.decode(parent.key);
                    let sequences = u128::from(parent.sequences);
                    let mut moves = geometry.playable(board.all);
                    outbox.figures.sequences += sequences * u128::from(moves.count_ones());
                    while !moves.is_zero() {
                        let child = board.play(moves.lowest());
                        moves = moves.without_lowest();
                        if full || child.is_won(geometry) {
                            outbox.figures.finished += sequences;
                        }
                        let key = self.coding.encode(child);
                        let part = part(key.hash());
                        if parts.contains(&part) {
                            push(&mut outbox.piles[part], S::new(key, parent.sequences))?;
                        }
                    }
                }
            }
            Ok(())
        })
    }

    /// Step two of a round: the piles of all threads into the tables.
    fn merge<S: Slot<C::Key>>(
        &self,
        outboxes: &[Outbox<S>],
        parts: Range<usize>,
        tables: &Tables<S>,
    ) -> Result<(), Trouble> {
        let next = AtomicUsize::new(parts.start);
        share(0..outboxes.len(), |_| {
            while let Some(index) = take(&next, parts.clone()) {
                self.check_stop()?;
                let mut table = lock(&tables[index]);
                for outbox in outboxes {
                    table.merge(&outbox.piles[index], &self.ledger)?;
                }
            }
            Ok(())
        })
    }

    /// How many positions the tables stand for.
    fn classes<S: Slot<C::Key>>(
        &self,
        tables: &Tables<S>,
        parts: Range<usize>,
        workers: usize,
    ) -> Result<Figures, Trouble> {
        let next = AtomicUsize::new(parts.start);
        let sums = Mutex::new(Figures::default());
        share(0..workers, |_| {
            while let Some(index) = take(&next, parts.clone()) {
                self.check_stop()?;
                let table = lock(&tables[index]);
                let positions: u64 =
                    table.keys().map(|key| u64::from(self.coding.orbit(key))).sum();
                let mut sums = lock(&sums);
                sums.positions += u128::from(positions);
                sums.up_to_symmetry += table.len() as u128;
            }
            Ok(())
        })?;
        Ok(sums.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn workers(&self, level: &Level<C::Key>) -> usize {
        if level.len < SMALL { 1 } else { self.threads }
    }

    /// Children in one round: not so many that piles take more than a small share of the budget.
    fn round<S>(&self, workers: usize) -> usize {
        let share = self.ledger.budget / 16 / size_of::<S>() as u64;
        (workers * ROUND).min(usize::try_from(share).unwrap_or(usize::MAX))
    }

    /// What the piles of a round take: half as much again as they hold, for piles grow in steps.
    fn outbox_bytes<S>(&self, workers: usize) -> u64 {
        bytes_of::<S>(self.round::<S>(workers)) / 2 * 3
    }

    fn check_stop(&self) -> Result<(), Trouble> {
        match self.limits.stop {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(Trouble::Stopped),
            _ => Ok(()),
        }
    }
}

/// Adds to a pile; the system may refuse the memory for it.
#[inline(always)]
fn push<S>(pile: &mut Vec<S>, slot: S) -> Result<(), Trouble> {
    if pile.len() == pile.capacity() {
        let more = (pile.len() / 2).max(16);
        pile.try_reserve_exact(more)
            .map_err(|_| Trouble::Allocation { bytes: bytes_of::<S>(pile.len() + more) })?;
    }
    pile.push(slot);
    Ok(())
}

fn new_tables<S: Copy + Default>() -> Tables<S> {
    (0..PARTS).map(|_| Mutex::default()).collect()
}

fn clear<S: Copy + Default>(tables: &Tables<S>, ledger: &Ledger) {
    for table in tables {
        lock(table).clear(ledger);
    }
}
