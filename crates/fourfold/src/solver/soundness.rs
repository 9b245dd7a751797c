//! Checks every cutoff that a static bound would cause against a search without bounds.
//!
//! Positions come from random play on boards of even and odd height, in all phases of the game,
//! some of it with care not to lose at once, as in the positions that a search meets. Whenever a
//! bound claims "at most s", a null-window search without bounds must agree. Each bound is checked
//! alone, at every position that its proof covers, which is more often than the search uses it.

use super::board::BoardMasks;
use super::bounds::{BoundQuery, claimeven, odd_threat};
use super::cpu::Portable;
use super::ideas::{Idea, Ideas};
use super::layout::{ByteColumns, Layout, PackedColumns};
use super::search::Engine;
use crate::budget::Budget;
use crate::game::{Move, Position, Rules, Word};
use crate::random::Random;

/// The claims of one bound on one board.
#[derive(Debug, Default, Clone, Copy)]
struct ClaimCounts {
    /// All claims that the search could check.
    cutoffs: u64,
    /// Claims that take an aftereven.
    afterevens: u64,
    /// Claims that the side to move loses.
    losses: u64,
    /// Claims of a loss that name the exact score.
    tight: u64,
    /// Claims that the search could not check within its node limit.
    unknown: u64,
}

impl std::ops::AddAssign for ClaimCounts {
    fn add_assign(&mut self, other: Self) {
        self.cutoffs += other.cutoffs;
        self.afterevens += other.afterevens;
        self.losses += other.losses;
        self.tight += other.tight;
        self.unknown += other.unknown;
    }
}

/// A board, and the least number of discs on it for the search without bounds to be quick enough.
struct TestBoard {
    game: &'static str,
    min_discs: u32,
}

const BOARDS: [TestBoard; 14] = [
    TestBoard { game: "4x4c4", min_discs: 0 },
    TestBoard { game: "5x4c4", min_discs: 0 },
    TestBoard { game: "6x4c4", min_discs: 2 },
    TestBoard { game: "7x4c4", min_discs: 6 },
    TestBoard { game: "4x6c4", min_discs: 2 },
    TestBoard { game: "5x6c4", min_discs: 8 },
    TestBoard { game: "6x6c4", min_discs: 16 },
    TestBoard { game: "7x6c4", min_discs: 20 },
    TestBoard { game: "4x8c4", min_discs: 12 },
    TestBoard { game: "4x5c4", min_discs: 0 },
    TestBoard { game: "5x5c4", min_discs: 4 },
    TestBoard { game: "6x5c4", min_discs: 10 },
    TestBoard { game: "5x7c4", min_discs: 14 },
    TestBoard { game: "7x7c4", min_discs: 28 },
];

/// The node limit of the search without bounds.
const NODE_LIMIT: u64 = 2_000_000;

/// A position after `plies` random moves; `None` if the game ended before. With `careful`, neither
/// side wins or allows a win while there is another move.
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

/// Checks claimeven (`even`: with an even number of empty cells) or else the odd threat at random
/// positions, until it has checked `cutoffs` cutoffs.
fn check_layout<L: Layout>(
    test: &TestBoard,
    layout: L,
    even: bool,
    cutoffs: u64,
    seed: u64,
) -> ClaimCounts {
    let rules: Rules = test.game.parse().unwrap_or_else(|why| panic!("{why}"));
    let board = BoardMasks::new(&rules, layout);
    let mut engine =
        Engine::new(board, Ideas::NO_BOUNDS, 16 << 20).expect("memory for a small table");
    let mut random = Random::for_item(seed, u64::from(even));
    let mut counts = ClaimCounts::default();
    while counts.cutoffs < cutoffs {
        let plies = test.min_discs + random.below((rules.cells() - test.min_discs) as usize) as u32;
        if (rules.cells() - plies).is_multiple_of(2) != even {
            continue;
        }
        let careful = random.chance(0.75);
        let Some(position) = random_position(&rules, plies, careful, &mut random) else { continue };
        if position.wins_at_once() {
            continue;
        }
        let (own, opponent) = board.discs(&position);
        let all = own | opponent;
        let playable = board.playable(all);
        let threats = board.completing(opponent) & !all;
        if !(threats & playable).is_zero() {
            continue;
        }
        let at = BoundQuery { own, all, playable, threats };
        // With the target 0, the weakest claim counts too; afterevens take part if it is lower.
        let target = if even { -(random.below(4) as i32) } else { 0 };
        let claim = if even {
            claimeven(&board, &at, target, true)
        } else {
            odd_threat(&board, &at, target)
        };
        let Some(upper) = claim else { continue };
        let ply = position.ply() as i32;
        let mut search = |alpha: i32| {
            engine.meter.begin(&Budget::unlimited().with_nodes(NODE_LIMIT), None);
            engine.null_window::<Portable>((own, opponent), ply, alpha, u64::MAX)
        };
        match search(upper) {
            None => counts.unknown += 1,
            Some(bound) => {
                assert!(
                    bound <= upper,
                    "{}: claimed at most {upper}, is at least {bound}, seed {seed}\n{position}",
                    test.game
                );
                counts.cutoffs += 1;
                let by_threats = || claimeven(&board, &at, target, false).is_some();
                counts.afterevens += u64::from(even && !by_threats());
                counts.losses += u64::from(upper < 0);
                counts.tight +=
                    u64::from(upper < 0 && search(upper - 1).is_some_and(|bound| bound >= upper));
            }
        }
    }
    counts
}

/// Checks `cutoffs` cutoffs of both bounds on every board, with the layouts in turn.
fn check(cutoffs: u64, seed: u64) -> [ClaimCounts; 2] {
    [true, false].map(|even| {
        let mut sum = ClaimCounts::default();
        for (index, test) in BOARDS.iter().enumerate() {
            let rules: Rules = test.game.parse().unwrap_or_else(|why| panic!("{why}"));
            let seed = seed + index as u64;
            let counts = if rules.height() <= 7 && seed.is_multiple_of(2) {
                check_layout(test, ByteColumns, even, cutoffs, seed)
            } else if seed.is_multiple_of(3) {
                check_layout(
                    test,
                    PackedColumns::<u128>::new(rules.width(), rules.height()),
                    even,
                    cutoffs,
                    seed,
                )
            } else {
                check_layout(
                    test,
                    PackedColumns::<u64>::new(rules.width(), rules.height()),
                    even,
                    cutoffs,
                    seed,
                )
            };
            let name = if even { Idea::Claimeven } else { Idea::OddThreat }.name();
            assert_eq!(counts.afterevens > 0, even, "afterevens on {}", test.game);
            assert!(counts.losses > 0, "{name} on {} never claimed a loss", test.game);
            sum += counts;
        }
        sum
    })
}

/// The drawings of `docs/solver.md`: the claim of the bound, which is the exact score.
#[test]
fn the_documented_examples_hold() {
    let drawings = [
        (
            Idea::Claimeven,
            -2,
            ". . . . . . . / . . . . o . . / . . x . x o . / \
             x x o . o x x / o o o x o o o / x x x o o x x",
        ),
        (
            Idea::Aftereven,
            -3,
            ". . . . . . . / . . x o . . . / . . o x . . . / \
             . . x o . . . / x . x o . . o / x . x o . . o",
        ),
        (
            Idea::OddThreat,
            -2,
            ". . . . . . . / . . . x . . . / . . o o o . o / \
             . . o x x . x / . x x o x . o / x o o o x x x",
        ),
    ];
    for (idea, score, drawing) in drawings {
        let text = drawing.replace(" / ", "\n");
        let position = crate::game::notation::Reader::new()
            .rules(&Rules::CONNECT_FOUR)
            .read(&text)
            .unwrap()
            .position;
        let board = BoardMasks::new(&Rules::CONNECT_FOUR, ByteColumns);
        let (own, opponent) = board.discs(&position);
        let all = own | opponent;
        let threats = board.completing(opponent) & !all;
        let at = BoundQuery { own, all, playable: board.playable(all), threats };
        let claim = match idea {
            Idea::Claimeven => claimeven(&board, &at, 0, false),
            Idea::Aftereven => claimeven(&board, &at, -1, true),
            _ => odd_threat(&board, &at, 0),
        };
        assert_eq!(claim, Some(score), "\n{position}");
        let options = super::SolverOptions::default().with_ideas(Ideas::NO_BOUNDS);
        let solved = super::Solver::new(&Rules::CONNECT_FOUR, options)
            .and_then(|mut solver| solver.solve(&position, &Budget::unlimited()))
            .unwrap_or_else(|why| panic!("{why}\n{position}"));
        assert_eq!(solved.score, score, "\n{position}");
    }
}

#[test]
fn every_cutoff_of_a_static_bound_is_right() {
    for counts in check(500, 20_260) {
        assert!(counts.cutoffs >= 7000 && counts.unknown * 100 < counts.cutoffs, "{counts:?}");
    }
}

/// By hand: `cargo test --release -p fourfold --lib soundness -- --ignored`.
#[test]
#[ignore = "minutes: the same with many more positions"]
fn every_cutoff_of_a_static_bound_is_right_at_length() {
    for counts in check(8000, 1_000_003) {
        assert!(counts.cutoffs >= 112_000 && counts.unknown * 100 < counts.cutoffs, "{counts:?}");
    }
}
