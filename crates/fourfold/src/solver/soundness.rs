//! Every cut that a static bound would make, against a search that knows no bounds.
//!
//! Positions come from random play over all phases of boards of even and odd height, bare and with
//! care not to lose at once (the positions a search meets). Whenever a bound says "at most s", a
//! null-window search without bounds must agree. Each bound is asked alone, at every position that
//! its proof allows, which is more often than the search asks.

use super::account::Allowance;
use super::bounds::{Bounds, Situation, evens, odd_threat};
use super::cpu::Portable;
use super::field::Field;
use super::layout::{Bytes, Layout, Packed};
use super::search::Engine;
use crate::game::{Move, Position, Rules, Word};
use crate::random::Random;

/// What was seen of one bound on one board.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    /// Times that the bound said something.
    cuts: u64,
    /// Of those, times that it said that the side to move loses.
    losses: u64,
    /// Of those that say that, times that the score is exactly what the bound says: no weaker
    /// claim would be as good.
    tight: u64,
    /// Positions that the search without bounds gave up on.
    unknown: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.cuts += other.cuts;
        self.losses += other.losses;
        self.tight += other.tight;
        self.unknown += other.unknown;
    }
}

/// A board, and how many discs at least lie on it, so that search alone is quick enough.
struct Board {
    game: &'static str,
    from: u32,
}

const BOARDS: [Board; 14] = [
    Board { game: "4x4c4", from: 0 },
    Board { game: "5x4c4", from: 0 },
    Board { game: "6x4c4", from: 2 },
    Board { game: "7x4c4", from: 6 },
    Board { game: "4x6c4", from: 2 },
    Board { game: "5x6c4", from: 8 },
    Board { game: "6x6c4", from: 16 },
    Board { game: "7x6c4", from: 20 },
    Board { game: "4x8c4", from: 12 },
    Board { game: "4x5c4", from: 0 },
    Board { game: "5x5c4", from: 4 },
    Board { game: "6x5c4", from: 10 },
    Board { game: "5x7c4", from: 14 },
    Board { game: "7x7c4", from: 28 },
];

/// The search without bounds gives a position up after so many nodes.
const PATIENCE: u64 = 2_000_000;

/// A position after `plies` random moves, if nobody has won by then. With care nobody takes a win
/// or lets one be taken while there is another move.
pub(super) fn random_position(
    rules: &Rules,
    plies: u32,
    careful: bool,
    random: &mut Random,
) -> Option<Position> {
    let mut position = Position::new(*rules);
    for _ in 0..plies {
        let moves = position.legal_moves();
        let calm: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| {
                let after = position.play_unchecked(mv);
                !after.outcome().is_over() && !after.wins_at_once()
            })
            .collect();
        let mv = *random.pick(if careful && !calm.is_empty() { &calm } else { &moves })?;
        position = position.play_unchecked(mv);
    }
    (!position.outcome().is_over()).then_some(position)
}

/// Asks evens (with an even number of empty cells) or else the odd threat at random positions until
/// it has spoken so often.
fn check_layout<L: Layout>(board: &Board, layout: L, even: bool, cuts: u64, seed: u64) -> Tally {
    let rules: Rules = board.game.parse().unwrap_or_else(|why| panic!("{why}"));
    let field = Field::new(&rules, layout);
    let mut engine = Engine::new(field, Bounds::NONE, 16 << 20).expect("memory for a small table");
    let mut random = Random::for_item(seed, u64::from(even));
    let mut tally = Tally::default();
    while tally.cuts < cuts {
        let plies = board.from + random.below((rules.cells() - board.from) as usize) as u32;
        if (rules.cells() - plies).is_multiple_of(2) != even {
            continue;
        }
        let careful = random.chance(0.75);
        let Some(position) = random_position(&rules, plies, careful, &mut random) else { continue };
        if position.wins_at_once() {
            continue;
        }
        let (own, opponent) = field.discs(&position);
        let all = own | opponent;
        let playable = field.playable(all);
        let threats = field.completing(opponent) & !all;
        if !(threats & playable).is_zero() {
            continue;
        }
        let at = Situation { own, all, playable, threats };
        // However much is wanted: the weakest claim counts too.
        let said = if even { evens(&field, &at, 0) } else { odd_threat(&field, &at, 0) };
        let Some(most) = said else { continue };
        let ply = position.ply() as i32;
        let mut ask = |alpha: i32| {
            engine.account.begin(Allowance { nodes: Some(PATIENCE), ..Allowance::default() });
            engine.compare::<Portable>((own, opponent), ply, alpha, u64::MAX)
        };
        match ask(most) {
            None => tally.unknown += 1,
            Some(bound) => {
                assert!(
                    bound <= most,
                    "{}: said at most {most}, but it is at least {bound}, seed {seed}\n{position}",
                    board.game
                );
                tally.cuts += 1;
                tally.losses += u64::from(most < 0);
                tally.tight +=
                    u64::from(most < 0 && ask(most - 1).is_some_and(|bound| bound >= most));
            }
        }
    }
    tally
}

/// Both bounds on every board, so many cuts each on each; small boards in both layouts in turn.
fn check(cuts: u64, seed: u64) -> [Tally; 2] {
    [true, false].map(|even| {
        let mut sum = Tally::default();
        for (index, board) in BOARDS.iter().enumerate() {
            let rules: Rules = board.game.parse().unwrap_or_else(|why| panic!("{why}"));
            let seed = seed + index as u64;
            let tally = if rules.height() <= 7 && seed.is_multiple_of(2) {
                check_layout(board, Bytes, even, cuts, seed)
            } else if seed.is_multiple_of(3) {
                check_layout(board, Packed::<u128>::new(rules.height()), even, cuts, seed)
            } else {
                check_layout(board, Packed::<u64>::new(rules.height()), even, cuts, seed)
            };
            let name = Bounds::NAMES[usize::from(!even)].0;
            assert!(tally.losses > 0, "{name} on {} never proved a win", board.game);
            sum += tally;
        }
        sum
    })
}

/// The drawings of `docs/solver.md`: what the bound says there, and the exact score.
#[test]
fn the_documented_examples_hold() {
    let evens_drawing = ". . . . . . . / . . . . o . . / . . x . x o . / x x o . o x x / o o o x o o o / x x x o o x x";
    let odd_drawing = ". . . . . . . / . . . x . . . / . . o o o . o / . . o x x . x / . x x o x . o / x o o o x x x";
    for drawing in [evens_drawing, odd_drawing] {
        let text = drawing.replace(" / ", "\n");
        let position = crate::game::notation::Reader::new()
            .rules(&Rules::CONNECT_FOUR)
            .read(&text)
            .unwrap()
            .position;
        let field = Field::new(&Rules::CONNECT_FOUR, Bytes);
        let (own, opponent) = field.discs(&position);
        let all = own | opponent;
        let threats = field.completing(opponent) & !all;
        let at = Situation { own, all, playable: field.playable(all), threats };
        let first = drawing == evens_drawing;
        let said = if first { evens(&field, &at, 0) } else { odd_threat(&field, &at, 0) };
        assert_eq!(said, Some(-2), "\n{position}");
        let options =
            super::SolverOptions { bounds: Bounds::NONE, ..super::SolverOptions::default() };
        let solved = super::Solver::new(&Rules::CONNECT_FOUR, options)
            .and_then(|mut solver| solver.solve(&position, &super::SolveLimits::default()))
            .unwrap_or_else(|why| panic!("{why}\n{position}"));
        assert_eq!(solved.score, -2, "\n{position}");
    }
}

#[test]
fn every_cut_of_a_static_bound_is_right() {
    for tally in check(500, 20_260) {
        assert!(tally.cuts >= 7000 && tally.unknown * 100 < tally.cuts, "{tally:?}");
    }
}

/// By hand: `cargo test --release -p fourfold --lib soundness -- --ignored`.
#[test]
#[ignore = "minutes: the same with many more positions"]
fn every_cut_of_a_static_bound_is_right_at_length() {
    for tally in check(8000, 1_000_003) {
        assert!(tally.cuts >= 112_000 && tally.unknown * 100 < tally.cuts, "{tally:?}");
    }
}
