//! The solver's front: positions in, verdicts out, whatever the board.

use super::Bounds;
use super::cpu::{Cpu, Portable};
use super::field::Field;
use super::general::{self, Falling, Ground, Placed};
use super::layout::{Bytes, Layout, Packed};
use super::search::{Allowance, Engine};
use crate::game::{Move, Outcome, Position, Rules, Shape, Word};
use crate::halt::Halt;
use crate::score::Verdict;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How a solver is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolverOptions {
    /// MiB for the main table. More helps large boards only.
    pub memory: u32,
    /// The static bounds to use.
    pub bounds: Bounds,
    /// Use the code for any processor even if this one can do better.
    pub portable: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self { memory: 4, bounds: Bounds::ALL, portable: false }
    }
}

/// What solving a position may spend.
#[derive(Debug, Clone, Default)]
pub struct SolveLimits {
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Time at most.
    pub time: Option<Duration>,
    /// Set by somebody else when the answer is no longer wanted.
    pub stop: Option<Arc<AtomicBool>>,
}

/// An exact result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// For the side to move.
    pub verdict: Verdict,
    /// The same as a number: k for a win with the winner's k-th last disc, 0 for a draw, negative for a loss. After a weak
    /// solution only its sign is known: 1, 0 or -1.
    pub score: i32,
    /// Positions searched.
    pub nodes: u64,
}

/// A move and the exact result of making it, for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnScore {
    /// The move.
    pub mv: Move,
    /// For the side that makes it: `wins in 1` if the move itself wins.
    pub verdict: Verdict,
    /// As a number.
    pub score: i32,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The position is of another game than the solver.
    #[error("this solver was made for {made_for}, not {game}")]
    OtherGame {
        /// The solver's game.
        made_for: Rules,
        /// The position's.
        game: Rules,
    },
    /// The table did not fit into memory.
    #[error("{} MiB for the table cannot be had", .bytes >> 20)]
    OutOfMemory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// A limit was reached first. Nothing wrong is ever returned instead.
    #[error("not solved after {nodes} nodes: {stop}; the score lies between {lower} and {upper}")]
    Unfinished {
        /// Which limit.
        stop: Halt,
        /// Nodes searched.
        nodes: u64,
        /// The score is proven to be at least this.
        lower: i32,
        /// The score is proven to be at most this.
        upper: i32,
    },
}

/// Solves positions of one game, and remembers what it has proven.
///
/// ```
/// use fourfold::game::{Rules, notation};
/// use fourfold::solver::{SolveLimits, Solver, SolverOptions};
///
/// let mut solver = Solver::new(&Rules::CONNECT_FOUR, SolverOptions::default())?;
/// let position = notation::read("32164625", None, None).unwrap().position;
/// let solved = solver.solve(&position, &SolveLimits::default())?;
/// assert_eq!(solved.score, 11);
/// assert_eq!(solved.verdict.to_string(), "wins in 13");
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    rules: Rules,
    options: SolverOptions,
    engine: AnyEngine,
}

/// The engine in the layout that suits the board.
#[derive(Debug)]
enum AnyEngine {
    Bytes(Box<Engine<Bytes>>),
    Narrow(Box<Engine<Packed<u64>>>),
    Wide(Box<Engine<Packed<u128>>>),
    Falling(Box<Falling<u64>>),
    FallingWide(Box<Falling<u128>>),
    Placed(Box<Placed<u64>>),
    PlacedWide(Box<Placed<u128>>),
}

/// Runs the same code on whichever engine there is.
macro_rules! with_engine {
    ($any:expr, $engine:ident => $work:expr) => {
        match $any {
            AnyEngine::Bytes($engine) => $work,
            AnyEngine::Narrow($engine) => $work,
            AnyEngine::Wide($engine) => $work,
            AnyEngine::Falling($engine) => $work,
            AnyEngine::FallingWide($engine) => $work,
            AnyEngine::Placed($engine) => $work,
            AnyEngine::PlacedWide($engine) => $work,
        }
    };
}

impl AnyEngine {
    /// The engine that knows every game; the bytes, if they cannot be had.
    fn of_any_game(rules: &Rules, bounds: Bounds, bytes: u64) -> Result<Self, u64> {
        fn engine<W: Word, const GRAVITY: bool, const IMAGES: usize>(
            rules: &Rules,
            bounds: Bounds,
            bytes: u64,
        ) -> Result<Box<general::Engine<W, GRAVITY, IMAGES>>, u64> {
            general::Engine::new(Ground::new(rules), bounds, bytes).map(Box::new)
        }
        Ok(match rules.gravity() {
            true if Falling::<u64>::fits(rules) => Self::Falling(engine(rules, bounds, bytes)?),
            true => Self::FallingWide(engine(rules, bounds, bytes)?),
            false if Placed::<u64>::fits(rules) => Self::Placed(engine(rules, bounds, bytes)?),
            false => Self::PlacedWide(engine(rules, bounds, bytes)?),
        })
    }
}

/// What the facade asks of an engine.
trait Prover {
    /// A position in the engine's own layout.
    type Start;
    fn start(&self, position: &Position) -> Self::Start;
    /// See [`Engine::compare`].
    fn ask<C: Cpu>(&mut self, start: &Self::Start, alpha: i32, pause_at: u64) -> Option<i32>;
    fn spent(&self) -> u64;
}

impl<L: Layout> Prover for Engine<L> {
    type Start = ((L::W, L::W), i32);

    fn start(&self, position: &Position) -> Self::Start {
        (self.field.discs(position), position.ply() as i32)
    }

    fn ask<C: Cpu>(&mut self, &(discs, ply): &Self::Start, alpha: i32, pause_at: u64) -> Option<i32> {
        self.compare::<C>(discs, ply, alpha, pause_at)
    }

    fn spent(&self) -> u64 {
        self.nodes
    }
}

impl<W: Word, const GRAVITY: bool, const IMAGES: usize> Prover for general::Engine<W, GRAVITY, IMAGES> {
    type Start = general::Root<W, IMAGES>;

    fn start(&self, position: &Position) -> Self::Start {
        self.root(position)
    }

    fn ask<C: Cpu>(&mut self, start: &Self::Start, alpha: i32, pause_at: u64) -> Option<i32> {
        self.compare::<C>(start, alpha, pause_at)
    }

    fn spent(&self) -> u64 {
        self.nodes
    }
}

/// Which windows to ask about, and for how many nodes in turn. Near wins of either side first, so that easy positions take
/// microseconds; then who wins at all; and once more both, for the few positions whose win is near but hard to see.
const PLAN: [(Aim, u64); 4] =
    [(Aim::NearWins, 5000), (Aim::Winner, 40_000), (Aim::NearWins, 30_000), (Aim::Winner, u64::MAX)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// The nearest win that is still possible, for one side and the other in turn.
    NearWins,
    /// Zero, then outward from there.
    Winner,
}

impl Solver {
    /// A solver for a game.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn new(rules: &Rules, options: SolverOptions) -> Result<Self, SolveError> {
        let bytes = u64::from(options.memory) << 20;
        let lacking = |bytes| SolveError::OutOfMemory { bytes };
        let engine = if !rules.gravity() || rules.shape() != Shape::Line(4) {
            AnyEngine::of_any_game(rules, options.bounds, bytes).map_err(lacking)?
        } else if rules.width() <= 8 && rules.height() <= 7 {
            let field = Field::new(rules, Bytes);
            AnyEngine::Bytes(Box::new(Engine::new(field, options.bounds, bytes).map_err(lacking)?))
        } else if rules.bits() <= u64::BITS {
            let field = Field::new(rules, Packed::new(rules.height()));
            AnyEngine::Narrow(Box::new(Engine::new(field, options.bounds, bytes).map_err(lacking)?))
        } else {
            let field = Field::new(rules, Packed::new(rules.height()));
            AnyEngine::Wide(Box::new(Engine::new(field, options.bounds, bytes).map_err(lacking)?))
        };
        Ok(Self { rules: *rules, options, engine })
    }

    /// The game it solves.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Forgets what was proven, so that the next result costs what it costs alone.
    pub fn forget(&mut self) {
        with_engine!(&mut self.engine, engine => engine.clear());
    }

    /// The exact result of a position, with the distance to the end.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first.
    pub fn solve(&mut self, position: &Position, limits: &SolveLimits) -> Result<Solved, SolveError> {
        let most = self.rules.cells() as i32;
        self.solve_within(position, limits, -most, most).map(|(score, nodes)| Solved {
            verdict: verdict_of(position, score),
            score,
            nodes,
        })
    }

    /// Who wins from a position, without the distance: quicker.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first.
    pub fn solve_weakly(&mut self, position: &Position, limits: &SolveLimits) -> Result<Solved, SolveError> {
        let (score, nodes) = self.solve_within(position, limits, -1, 1)?;
        let score = score.signum();
        let verdict = match score {
            1 => Verdict::Win { plies: None },
            0 => Verdict::Draw,
            _ => Verdict::Loss { plies: None },
        };
        Ok(Solved { verdict, score, nodes })
    }

    /// The exact result of every legal move.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first.
    pub fn analyse(
        &mut self,
        position: &Position,
        limits: &SolveLimits,
    ) -> Result<Vec<ColumnScore>, SolveError> {
        let mut purse = Purse::new(limits);
        let mut scores: Vec<ColumnScore> = Vec::new();
        for mv in position.legal_moves() {
            let after = position.play_unchecked(mv);
            let solved = self.solve(&after, &purse.rest()).map_err(|why| match why {
                SolveError::Unfinished { stop, nodes, upper, .. } => {
                    // The best move so far is a lower bound; the one being looked at is another.
                    let so_far = scores.iter().map(|column| column.score).fold(-upper, i32::max);
                    let Window { lower, upper } = if position.winning_moves().is_empty() {
                        Window::possible(position)
                    } else {
                        let at_once = win_next(position);
                        Window { lower: at_once, upper: at_once }
                    };
                    SolveError::Unfinished {
                        stop,
                        nodes: purse.spent + nodes,
                        lower: lower.max(so_far),
                        upper,
                    }
                }
                other => other,
            })?;
            purse.spent += solved.nodes;
            let verdict = match solved.verdict {
                Verdict::Win { plies } => Verdict::Loss { plies: plies.map(|plies| plies + 1) },
                Verdict::Loss { plies } => Verdict::Win { plies: plies.map(|plies| plies + 1) },
                other => other,
            };
            scores.push(ColumnScore { mv, verdict, score: -solved.score });
        }
        Ok(scores)
    }

    /// The exact result of a position and the first move of `order` that reaches it, none if the game is over or `order`
    /// has no best move. Quicker than the result of every move: each candidate is only asked whether it is as good as the
    /// best.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the limits are for all of it together.
    pub fn best_move(
        &mut self,
        position: &Position,
        order: &[Move],
        limits: &SolveLimits,
    ) -> Result<(Solved, Option<Move>), SolveError> {
        let mut purse = Purse::new(limits);
        let mut solved = self.solve(position, limits)?;
        purse.spent += solved.nodes;
        let best = self.first_reaching(position, solved.score, order, &mut purse)?;
        solved.nodes = purse.spent;
        Ok((solved, best))
    }

    /// The line of best play to the end of the game: the winner takes the shortest way, the loser holds out longest. Of equal
    /// moves the most central comes first.
    ///
    /// # Errors
    /// If the position is of another game, or a limit was reached first; the limits are for all of it together.
    pub fn line(&mut self, position: &Position, limits: &SolveLimits) -> Result<Vec<Move>, SolveError> {
        let mut purse = Purse::new(limits);
        let mut line = Vec::new();
        let mut position = *position;
        let solved = self.solve(&position, limits)?;
        purse.spent += solved.nodes;
        let mut score = solved.score;
        while !position.outcome().is_over() {
            let mut moves = position.legal_moves();
            moves.sort_by_key(|mv| mv.off_centre(&self.rules));
            let next = self.first_reaching(&position, score, &moves, &mut purse);
            // Somewhere down the line; the score of the position asked about is known.
            let next = next.map_err(|error| match error {
                SolveError::Unfinished { stop, nodes, .. } => {
                    SolveError::Unfinished { stop, nodes, lower: solved.score, upper: solved.score }
                }
                other => other,
            })?;
            let Some(mv) = next else { break };
            line.push(mv);
            position = position.play_unchecked(mv);
            score = -score;
        }
        Ok(line)
    }

    /// The first move of `order` that reaches `score`, the exact score of the position.
    fn first_reaching(
        &mut self,
        position: &Position,
        score: i32,
        order: &[Move],
        purse: &mut Purse,
    ) -> Result<Option<Move>, SolveError> {
        for &mv in order {
            let after = position.play_unchecked(mv);
            // Is this move as good as the best? One window tells.
            let reply = self.solve_within(&after, &purse.rest(), -score, -score + 1);
            let (reply, nodes) = reply.map_err(|error| match error {
                // What is known is the score; only its move was not found.
                SolveError::Unfinished { stop, nodes, .. } => {
                    SolveError::Unfinished { stop, nodes: purse.spent + nodes, lower: score, upper: score }
                }
                other => other,
            })?;
            purse.spent += nodes;
            if reply <= -score {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// The score, exact if it lies strictly within the window, else a bound of it on that side; and the nodes spent.
    fn solve_within(
        &mut self,
        position: &Position,
        limits: &SolveLimits,
        lower: i32,
        upper: i32,
    ) -> Result<(i32, u64), SolveError> {
        if *position.rules() != self.rules {
            return Err(SolveError::OtherGame { made_for: self.rules, game: *position.rules() });
        }
        match position.outcome() {
            // The game ended with the last disc: the side to move has lost.
            Outcome::Won { .. } => return Ok((-(position.empty() as i32 + 2) / 2, 0)),
            Outcome::Drawn => return Ok((0, 0)),
            Outcome::Ongoing => {}
        }
        if !position.winning_moves().is_empty() {
            return Ok((win_next(position), 0));
        }
        let allowance = Allowance {
            nodes: limits.nodes,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
        };
        let portable = self.options.portable;
        with_engine!(&mut self.engine, engine => {
            engine.begin(allowance);
            let window = Window::of(position, lower, upper);
            let found = run(engine.as_mut(), position, window, portable);
            match engine.stopped {
                None => Ok((found.lower, engine.nodes)),
                Some(stop) => {
                    // An edge of the window that has not moved was asked for, not proven.
                    let possible = Window::possible(position);
                    Err(SolveError::Unfinished {
                        stop,
                        nodes: engine.nodes,
                        lower: if found.lower > window.lower { found.lower } else { possible.lower },
                        upper: if found.upper < window.upper { found.upper } else { possible.upper },
                    })
                }
            }
        })
    }
}

/// The score of the side to move if it wins with its next disc.
fn win_next(position: &Position) -> i32 {
    (position.empty() as i32 + 1) / 2
}

/// What a task of several searches may still spend.
struct Purse {
    limits: SolveLimits,
    deadline: Option<Instant>,
    /// Nodes spent so far.
    spent: u64,
}

impl Purse {
    fn new(limits: &SolveLimits) -> Self {
        // A time too long to be represented is no limit.
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Self { limits: limits.clone(), deadline, spent: 0 }
    }

    /// What the next search may spend.
    fn rest(&self) -> SolveLimits {
        SolveLimits {
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(self.spent)),
            time: self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            stop: self.limits.stop.clone(),
        }
    }
}

/// Between what bounds a score lies.
#[derive(Debug, Clone, Copy)]
struct Window {
    lower: i32,
    upper: i32,
}

impl Window {
    /// What any score can be when nobody wins at once.
    fn possible(position: &Position) -> Self {
        let empty = position.empty() as i32;
        Self { lower: -(empty / 2), upper: (empty - 1) / 2 }
    }

    /// The part of it that the caller wants to know of.
    fn of(position: &Position, lower: i32, upper: i32) -> Self {
        let Self { lower: least, upper: most } = Self::possible(position);
        Self { lower: least.max(lower.min(most)), upper: most.min(upper.max(least)) }
    }
}

fn run<P: Prover>(engine: &mut P, position: &Position, window: Window, portable: bool) -> Window {
    #[cfg(target_arch = "x86_64")]
    if !portable && super::cpu::has_modern() {
        return narrow::<P, super::cpu::Modern>(engine, position, window);
    }
    let _ = portable;
    narrow::<P, Portable>(engine, position, window)
}

/// Narrows the window to one score by asking whether the score is above a value, again and again.
fn narrow<P: Prover, C: Cpu>(engine: &mut P, position: &Position, mut window: Window) -> Window {
    let start = engine.start(position);
    let mut for_win = true;
    for (aim, nodes) in PLAN {
        let pause_at = engine.spent().saturating_add(nodes);
        while window.lower < window.upper {
            let Window { lower, upper } = window;
            let alpha = match aim {
                Aim::NearWins => {
                    for_win = !for_win;
                    if for_win { lower } else { upper - 1 }
                }
                Aim::Winner if lower <= 0 && upper > 0 => 0,
                Aim::Winner if lower < 0 && upper >= 0 => -1,
                Aim::Winner if lower > 0 => lower,
                Aim::Winner => upper - 1,
            };
            match engine.ask::<C>(&start, alpha, pause_at) {
                Some(bound) if bound > alpha => window.lower = bound.min(upper),
                Some(bound) => window.upper = bound.max(lower),
                None => break,
            }
        }
    }
    window
}

/// A score as a verdict for the side to move.
fn verdict_of(position: &Position, score: i32) -> Verdict {
    let (cells, ply) = (position.rules().cells() as i32, position.ply() as i32);
    // The winner's k-th last disc: the last cell of the board is the second player's if there is an even number.
    let plies_to = |winner_moves_next: bool, k: i32| {
        let parity_of_end = if winner_moves_next { ply + 1 } else { ply };
        // The end e has the winner's parity and (cells + 2 - e) / 2 == k, rounded down.
        let latest = cells + 2 - 2 * k;
        let end = if (latest - parity_of_end) % 2 == 0 { latest } else { latest - 1 };
        (end - ply) as u32
    };
    match score {
        0 => Verdict::Draw,
        k if k > 0 => Verdict::Win { plies: Some(plies_to(true, k)) },
        k => Verdict::Loss { plies: Some(plies_to(false, -k)) },
    }
}
