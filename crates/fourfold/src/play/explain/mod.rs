//! Why a position has its result, and what a move did: facts drawn from the position.
//!
//! A fact is data, the cells, moves and sides; the words are the front ends'. Each one is proven
//! before it is stated: by looking (two threats at once), by going through a series of forced
//! moves, or by playing a follow-up strategy out against every defence. Where none of these rules
//! of thumb explains a result there is no fact, and no fact contradicts the exact result.

mod follow_up;
mod forced;

use crate::game::{Board, Cell, CellSet, Geometry, Move, Position, Side};
use crate::solver::MoveScore;
use follow_up::Held;

/// A series of threats with at most so many moves of both sides is told rather than a strategy.
const SHORT: usize = 5;

/// The most moves after which a follow-up strategy is tried.
const MOST_TRIED: usize = 4;

/// Something true of a position, or of a move in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fact {
    /// A move wins at once.
    Wins {
        /// Whose move it is.
        by: Side,
        /// The move.
        mv: Move,
    },
    /// A move takes the cell on which the opponent would have won at once.
    Blocks {
        /// Whose move it is.
        by: Side,
        /// The move.
        mv: Move,
    },
    /// The opponent could win at once on a cell, and the move neither took it nor won.
    Ignores {
        /// Who made the move.
        by: Side,
        /// The move.
        mv: Move,
        /// The cell on which the opponent now wins.
        threat: Cell,
    },
    /// The move makes the cell above it playable, and there the opponent wins.
    Opens {
        /// Who made the move.
        by: Side,
        /// The move.
        mv: Move,
        /// The cell above it.
        cell: Cell,
    },
    /// The move makes the cell of one's own threat playable, and the opponent's best reply takes
    /// it.
    GivesUp {
        /// Whose threat it was.
        by: Side,
        /// The move.
        mv: Move,
        /// The cell above it.
        threat: Cell,
    },
    /// Two threats at once: the opponent cannot win first, and can block only one of them.
    TwoThreats {
        /// Who wins.
        by: Side,
        /// The move that makes them; none if they are there, with the opponent to move.
        after: Option<Move>,
        /// The cells that win. The last may become playable only when another is blocked.
        cells: Vec<Cell>,
    },
    /// A series of threats, each of which must be answered; the last move makes two at once.
    Series {
        /// Who wins.
        by: Side,
        /// The opponent's move that it answers, one that holds out longest: there is such a series
        /// against every move. None if the winner is to move.
        against: Option<Move>,
        /// The moves of both sides, the winner's first and last.
        moves: Vec<Move>,
        /// The cells that win in the end.
        cells: Vec<Cell>,
    },
    /// Zugzwang: by following up the winner makes the opponent run out of other moves, until he has
    /// to play below the threat.
    Zugzwang {
        /// Who wins.
        by: Side,
        /// The winner's move before; none if the opponent is to move.
        after: Option<Move>,
        /// The cell of the threat that decides the longest game. It is a threat already.
        threat: Cell,
        /// Cells that are filled before, as things stand, when the opponent is to move. If the
        /// number is even, it is the opponent who runs out of moves.
        free: u32,
    },
    /// By following up (playing right above the opponent's discs) a side holds everything.
    FollowUp {
        /// Who follows up.
        by: Side,
        /// His move before; none if the opponent is to move.
        after: Option<Move>,
        /// True if he even wins; otherwise the opponent cannot win.
        wins: bool,
    },
    /// No shape is free of either side's discs, so nobody can win any more.
    NothingLeft,
    /// The opponent's best reply is the cell that should have been taken.
    Takes {
        /// Who takes it.
        by: Side,
        /// The move.
        mv: Move,
    },
}

/// Why the side to move wins, loses or draws, given the exact result of every move
/// ([`crate::solver::Analysis::scores`]). None if no rule of thumb explains it.
///
/// ```
/// use fourfold::budget::Budget;
/// use fourfold::game::{Position, Rules, Side, notation};
/// use fourfold::play::{Fact, why};
/// use fourfold::solver::{Solver, SolverOptions};
///
/// let rules: Rules = "5x4c3".parse().unwrap();
/// let moves = notation::parse_moves(&rules, "33").unwrap();
/// let position = Position::from_moves(rules, &moves).unwrap();
/// let mut solver = Solver::new(&rules, SolverOptions::default())?;
/// let scores = solver.analyse(&position, &Budget::unlimited())?.complete()?;
/// // Two discs in a row with room at both ends.
/// let Some(Fact::TwoThreats { by: Side::First, cells, .. }) = why(&position, &scores) else {
///     panic!("two threats at once");
/// };
/// let cells: Vec<String> = cells.iter().map(|cell| cell.to_string()).collect();
/// assert_eq!(cells, ["a1", "d1"]);
/// # Ok::<(), fourfold::solver::SolveError>(())
/// ```
#[must_use]
pub fn why(position: &Position, scores: &[MoveScore]) -> Option<Fact> {
    let best = scores.iter().map(|found| found.score).max()?;
    let best_moves: Vec<Move> =
        scores.iter().filter(|found| found.score == best).map(|found| found.mv).collect();
    let scene = Scene::new(position)?;
    match best.signum() {
        1 => scene.win(&best_moves),
        0 => scene.draw(&best_moves),
        _ => scene.loss(),
    }
}

/// What a move does that anybody can see: it wins, makes two threats at once, or blocks. None if it
/// does nothing of that kind or is not legal.
#[must_use]
pub fn merit(position: &Position, mv: Move) -> Option<Fact> {
    let scene = Scene::new(position)?;
    let after = scene.after(mv)?;
    let by = position.to_move();
    if scene.geometry.has_won(after.opponent()) {
        return Some(Fact::Wins { by, mv });
    }
    if let Some(cells) = forced::two_threats(&scene.geometry, after) {
        return Some(Fact::TwoThreats { by, after: Some(mv), cells: scene.cells(cells) });
    }
    position.threatened_moves().contains(&mv).then_some(Fact::Blocks { by, mv })
}

/// What is wrong with a move, given its exact result and the opponent's best reply. Empty if no
/// rule of thumb says, or the moves are not legal.
#[must_use]
pub fn faults(position: &Position, played: MoveScore, reply: Option<Move>) -> Vec<Fact> {
    let by = position.to_move();
    let rules = position.rules();
    let Ok(after) = position.play(played.mv) else { return Vec::new() };
    let Some(scene) = Scene::new(&after) else { return Vec::new() };
    let cell = played.mv.cell(rules);
    let above = Cell { row: cell.row + 1, ..cell };
    let wins: Vec<Cell> = after.winning_moves().iter().map(|mv| mv.cell(rules)).collect();
    if let Some(&threat) = wins.iter().find(|&&win| !rules.gravity() || win != above) {
        return vec![Fact::Ignores { by, mv: played.mv, threat }];
    }
    if let Some(&cell) = wins.first() {
        return vec![Fact::Opens { by, mv: played.mv, cell }];
    }
    let mut facts = Vec::new();
    let Some(reply) = reply.filter(|&reply| after.play(reply).is_ok()) else { return facts };
    let threats = scene.geometry.completing(scene.board.opponent());
    if rules.gravity() && reply.cell(rules) == above && threats >> reply.bit() & 1 == 1 {
        facts.push(Fact::GivesUp { by, mv: played.mv, threat: above });
    }
    facts.extend(match played.score.signum() {
        -1 => scene.win(&[reply]),
        0 => scene.draw(&[reply]),
        _ => None,
    });
    facts
}

/// The moves after which the opponent wins at once, each with such a reply. A move that itself wins
/// is never among them.
#[must_use]
pub fn fatal_moves(position: &Position) -> Vec<(Move, Move)> {
    let answer = |mv: Move| {
        let after = position.play_unchecked(mv);
        if after.outcome().is_over() { None } else { after.winning_moves().first().copied() }
    };
    position
        .legal_moves()
        .into_iter()
        .filter_map(|mv| answer(mv).map(|reply| (mv, reply)))
        .collect()
}

/// A game under way, as bits.
struct Scene<'a> {
    position: &'a Position,
    geometry: Geometry<u128>,
    board: Board<u128>,
}

impl<'a> Scene<'a> {
    /// None if the game is over.
    fn new(position: &'a Position) -> Option<Self> {
        if position.outcome().is_over() {
            return None;
        }
        let geometry = Geometry::new(position.rules());
        Some(Self { position, geometry, board: Board::of(position) })
    }

    /// The board after a move; none if that is not legal.
    fn after(&self, mv: Move) -> Option<Board<u128>> {
        let bit = 1u128.checked_shl(mv.bit())?;
        (self.geometry.playable(self.board.all) & bit != 0).then(|| self.board.play(bit))
    }

    fn cells(&self, bits: u128) -> Vec<Cell> {
        CellSet::new(bits, *self.position.rules()).iter().collect()
    }

    fn cell(&self, bit: u128) -> Cell {
        Cell::from_bit(bit.trailing_zeros(), self.position.rules())
    }

    /// A proof that the side to move wins with one of the moves.
    fn win(&self, moves: &[Move]) -> Option<Fact> {
        let by = self.position.to_move();
        if let Some(&mv) = self.position.winning_moves().first() {
            return Some(Fact::Wins { by, mv });
        }
        let first = moves.iter().fold(0, |bits, mv| bits | 1u128 << mv.bit());
        if let Some(series) =
            forced::series(&self.geometry, self.board, first, &mut { forced::MOST_NODES })
        {
            return Some(self.series(by, None, &series));
        }
        self.follow_up_after(by, moves, true)
    }

    /// A proof that the opponent of the side to move wins.
    fn loss(&self) -> Option<Fact> {
        let by = self.position.to_move().other();
        if let Some(cells) = forced::two_threats(&self.geometry, self.board) {
            return Some(Fact::TwoThreats { by, after: None, cells: self.cells(cells) });
        }
        let series = self.no_defence();
        // A few moves that can be seen say more than a strategy.
        if let Some(Fact::Series { moves, .. }) = &series
            && moves.len() <= SHORT
        {
            return series;
        }
        self.follow_up(by, None, self.board, true).or(series)
    }

    /// Against every move there is a series of threats.
    fn no_defence(&self) -> Option<Fact> {
        let by = self.position.to_move().other();
        if self.position.wins_at_once() {
            return None;
        }
        let mut nodes = forced::MOST_NODES;
        let mut longest: Option<(Move, forced::Series)> = None;
        for mv in self.position.legal_moves() {
            let after = self.after(mv)?;
            // A move that loses at once needs no series.
            if after.winning_moves(&self.geometry) != 0 {
                continue;
            }
            let series = forced::series(&self.geometry, after, !0, &mut nodes)?;
            let length = |found: &(Move, forced::Series)| found.1.moves.len();
            if longest.as_ref().is_none_or(|found| series.moves.len() > length(found)) {
                longest = Some((mv, series));
            }
        }
        let (mv, series) = longest?;
        Some(self.series(by, Some(mv), &series))
    }

    fn series(&self, by: Side, against: Option<Move>, series: &forced::Series) -> Fact {
        let cells = self.cells(series.cells);
        let moves: Vec<Move> =
            series.moves.iter().map(|bit| Move::from_bit(bit.trailing_zeros())).collect();
        match (&moves[..], against) {
            (&[mv], None) => Fact::TwoThreats { by, after: Some(mv), cells },
            _ => Fact::Series { by, against, moves, cells },
        }
    }

    /// Why neither side wins; the moves are those that keep the draw.
    fn draw(&self, moves: &[Move]) -> Option<Fact> {
        let open = |discs: u128| self.geometry.has_won(self.geometry.cells() & !discs);
        if !open(self.board.own) && !open(self.board.opponent()) {
            return Some(Fact::NothingLeft);
        }
        let by = self.position.to_move();
        self.follow_up(by.other(), None, self.board, false)
            .or_else(|| self.follow_up_after(by, moves, false))
    }

    /// The same after one of the first few of these moves.
    fn follow_up_after(&self, by: Side, moves: &[Move], to_win: bool) -> Option<Fact> {
        let mut few = moves.iter().take(MOST_TRIED);
        few.find_map(|&mv| self.follow_up(by, Some(mv), self.after(mv)?, to_win))
    }

    /// What `by` gets by following up on a board where the opponent is to move: a win, or else that
    /// the opponent does not win.
    fn follow_up(
        &self,
        by: Side,
        after: Option<Move>,
        board: Board<u128>,
        to_win: bool,
    ) -> Option<Fact> {
        let geometry = &self.geometry;
        let held = follow_up::held(geometry, board)?;
        match held {
            Held::Win { cell, zugzwang } if to_win => {
                let waiting =
                    geometry.completing(board.opponent()) & !geometry.playable(board.all) & cell;
                Some(if zugzwang && waiting != 0 {
                    let free = follow_up::free_cells(geometry, board);
                    Fact::Zugzwang { by, after, threat: self.cell(cell), free }
                } else {
                    Fact::FollowUp { by, after, wins: true }
                })
            }
            Held::Draw if !to_win => Some(Fact::FollowUp { by, after, wins: false }),
            // It proves too little, or more than the exact result allows.
            _ => None,
        }
    }
}
