//! The search of the Radboud report as its text prints it, mistakes included, so that its figures
//! can be compared with those of a correct search.
//!
//! What the printed code does and a correct search does not:
//! - For each first move it builds a tree `depth` plies deep in which the player that has just
//!   moved is to move *again*.
//! - Player 1 maximises and player 2 minimises inside the tree, and then both take the move with
//!   the greatest value.
//! - A leaf is evaluated for the player whose turn its node records, whoever that is.
//! - The move stays column 1 if no value exceeds the smallest integer, even if column 1 is full.
//!
//! The report does not print its heuristic. The one used here is the length of the player's longest
//! run of discs, the largest integer for a win, and the smallest for a loss and for a full board.
//! It reproduces the report's exact figures to the last digit, "fills the column up" as the report
//! remarks, and chooses full columns where the report met "invalid column numbers".

use fourfold::game::{Geometry, Move, Position, Rules, Side};

/// The two searches of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Plain minimax.
    None,
    /// Alpha-beta.
    AlphaBeta,
}

/// A move of the printed code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicaMove {
    /// The chosen column, from 0; it may be full.
    pub column: u32,
    /// Boards evaluated to choose it.
    pub evaluations: u64,
}

/// The report's player.
#[derive(Debug)]
pub struct Replica {
    geometry: Geometry<u64>,
    shifts: [u32; 4],
    depth: u32,
    pruning: Pruning,
    evaluations: u64,
}

/// The discs of player 1 and player 2. Turns need not alternate here.
type Discs = [u64; 2];

impl Replica {
    /// A player for games of lines with gravity on boards of up to 64 bits; `None` for others.
    #[must_use]
    pub fn new(rules: &Rules, depth: u32, pruning: Pruning) -> Option<Self> {
        let lines = matches!(rules.shape(), fourfold::game::Shape::Line(_));
        let stride = rules.stride();
        (lines && rules.gravity() && rules.bits() <= u64::BITS).then(|| Self {
            geometry: Geometry::new(rules),
            shifts: [1, stride - 1, stride, stride + 1],
            depth,
            pruning,
            evaluations: 0,
        })
    }

    /// The move that the code chooses in a position.
    pub fn choose(&mut self, position: &Position) -> ReplicaMove {
        let discs = [Side::First, Side::Second].map(|side| position.discs(side).bits() as u64);
        let player = usize::from(position.to_move() == Side::Second);
        self.evaluations = 0;
        let (mut best, mut column) = (i32::MIN, 0);
        for at in 0..self.geometry.rules().width() {
            let playable = self.geometry.playable(discs[0] | discs[1]) & self.geometry.column(at);
            if playable == 0 {
                continue;
            }
            let child = played(discs, player, playable);
            let value = match self.pruning {
                Pruning::None => self.minimax(child, player, self.depth),
                Pruning::AlphaBeta => {
                    self.alpha_beta(child, player, self.depth, i32::MIN, i32::MAX)
                }
            };
            if value > best {
                (best, column) = (value, at);
            }
        }
        ReplicaMove { column, evaluations: self.evaluations }
    }

    /// The moves at a node; none at a leaf.
    fn moves(&self, discs: Discs, depth: u32) -> u64 {
        let over = discs.iter().any(|&side| self.geometry.has_won(side));
        if over || depth == 0 { 0 } else { self.geometry.playable(discs[0] | discs[1]) }
    }

    fn evaluate(&mut self, discs: Discs, player: usize) -> i32 {
        self.evaluations += 1;
        if self.geometry.has_won(discs[player]) {
            i32::MAX
        } else if self.geometry.has_won(discs[1 - player])
            || discs[0] | discs[1] == self.geometry.cells()
        {
            i32::MIN
        } else {
            self.shifts.iter().map(|&shift| longest_run(discs[player], shift)).max().unwrap_or(0)
        }
    }

    fn minimax(&mut self, discs: Discs, player: usize, depth: u32) -> i32 {
        let mut moves = self.moves(discs, depth);
        if moves == 0 {
            return self.evaluate(discs, player);
        }
        let mut best = if player == 0 { i32::MIN } else { i32::MAX };
        while moves != 0 {
            let bit = lowest(&mut moves);
            let value = self.minimax(played(discs, player, bit), 1 - player, depth - 1);
            best = if player == 0 { best.max(value) } else { best.min(value) };
        }
        best
    }

    fn alpha_beta(
        &mut self,
        discs: Discs,
        player: usize,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let mut moves = self.moves(discs, depth);
        if moves == 0 {
            return self.evaluate(discs, player);
        }
        let mut best = if player == 0 { i32::MIN } else { i32::MAX };
        while moves != 0 {
            let bit = lowest(&mut moves);
            let value =
                self.alpha_beta(played(discs, player, bit), 1 - player, depth - 1, alpha, beta);
            if player == 0 {
                best = best.max(value);
                if beta <= best {
                    break;
                }
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                if best <= alpha {
                    break;
                }
                beta = beta.min(best);
            }
        }
        best
    }
}

fn played(mut discs: Discs, player: usize, bit: u64) -> Discs {
    discs[player] |= bit;
    discs
}

/// Removes and returns the lowest bit: columns from the left.
fn lowest(moves: &mut u64) -> u64 {
    let bit = *moves & moves.wrapping_neg();
    *moves ^= bit;
    bit
}

fn longest_run(mut discs: u64, shift: u32) -> i32 {
    let mut length = 0;
    while discs != 0 {
        length += 1;
        discs &= discs >> shift;
    }
    length
}

/// The move to play for the code's answer, and whether the answer was legal: its column or, if that
/// is full, the first one that is not (the author of the report then chose by hand).
#[must_use]
pub fn legal_move(position: &Position, answer: ReplicaMove) -> Option<(Move, bool)> {
    match position.drop_in(answer.column) {
        Ok(mv) => Some((mv, true)),
        Err(_) => position.legal_moves().first().map(|&mv| (mv, false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a game of the code against itself and adds up the evaluations of each side.
    fn game(rules: &str, depth: u32, pruning: Pruning) -> (usize, [u64; 2], u32) {
        let rules: Rules = rules.parse().unwrap();
        let mut replica = Replica::new(&rules, depth, pruning).unwrap();
        let mut position = Position::new(rules);
        let (mut evaluations, mut invalid, mut moves) = ([0, 0], 0, 0);
        while !position.outcome().is_over() {
            let answer = replica.choose(&position);
            let (mv, valid) = legal_move(&position, answer).unwrap();
            evaluations[moves % 2] += answer.evaluations;
            invalid += u32::from(!valid);
            moves += 1;
            position = position.play(mv).unwrap();
        }
        (moves, evaluations, invalid)
    }

    /// The exact figures of the report, those of two searches playing each other.
    #[test]
    fn the_published_figures_are_reproduced() {
        for (rules, depth, pruning, turns, evaluations, invalid) in [
            ("4x2c2", 2, Pruning::None, 3, [41, 29], 0),
            ("4x2c4", 2, Pruning::None, 7, [89, 72], 1),
            ("7x6c2", 2, Pruning::None, 3, [404, 229], 0),
            ("4x2c2", 6, Pruning::AlphaBeta, 3, [37, 8], 0),
            ("4x2c4", 2, Pruning::AlphaBeta, 7, [54, 41], 1),
            ("7x6c2", 2, Pruning::AlphaBeta, 3, [144, 72], 0),
            ("7x6c2", 6, Pruning::AlphaBeta, 3, [536, 97], 0),
            ("7x6c4", 2, Pruning::AlphaBeta, 20, [841, 649], 0),
        ] {
            assert_eq!(
                game(rules, depth, pruning),
                (turns, evaluations, invalid),
                "{rules} {depth} {pruning:?}"
            );
        }
        // Invalid columns, the fault that the report could not explain.
        assert_eq!(game("4x2c4", 6, Pruning::AlphaBeta), (8, [434, 39], 5));
    }

    #[test]
    fn other_games_are_refused() {
        for rules in ["7x6s2", "3x3c3f", "12x9c5"] {
            assert!(Replica::new(&rules.parse().unwrap(), 2, Pruning::None).is_none(), "{rules}");
        }
    }
}
