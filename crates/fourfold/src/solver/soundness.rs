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
use super::on_top;
use super::search::Engine;
use crate::budget::Budget;
use crate::game::{Move, Position, Rules, Word};
use crate::random::Random;

/// What a static bound says of the score of the side to move.
#[derive(Debug, Clone, Copy)]
enum Claim {
    AtMost(i32),
    AtLeast(i32),
}

/// The claims of one bound on one board.
#[derive(Debug, Default, Clone, Copy)]
struct ClaimCounts {
    /// All claims that the search could check.
    cutoffs: u64,
    /// Claims that take an aftereven.
    afterevens: u64,
    /// Claims that the side to move loses.
    losses: u64,
    /// Claims that the side to move does not lose.
    holds: u64,
    /// Claims that the search could not check within its node limit.
    unknown: u64,
}

impl std::ops::AddAssign for ClaimCounts {
    fn add_assign(&mut self, other: Self) {
        self.cutoffs += other.cutoffs;
        self.afterevens += other.afterevens;
        self.losses += other.losses;
        self.holds += other.holds;
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

/// The bounds that are checked, afterevens together with claimeven.
const BOUNDS: [Idea; 5] =
    [Idea::Claimeven, Idea::OddThreat, Idea::PairedColumns, Idea::OnTop, Idea::LeftAlone];

/// All ideas but one.
fn without(idea: Idea) -> Ideas {
    Ideas::ALL.without(idea).expect("a static bound can be left out")
}

/// What answers on top claim of a position with a move of the side to move, or else without one.
fn claim_on_top<L: Layout>(
    board: &BoardMasks<L>,
    at: &BoundQuery<L::W>,
    target: i32,
    ideas: Ideas,
) -> Option<Claim> {
    let (safe, opponent) = (board.safe_moves(at.all, at.threats), at.all & !at.own);
    if !safe.is_zero()
        && let Some(bound) = on_top::bound_after_move(board, at.own, opponent, safe, target, ideas)
    {
        return Some(Claim::AtLeast(-bound));
    }
    on_top::bound(board, at, target, ideas).map(Claim::AtMost)
}

/// What a bound alone claims of a position, if anything. No side can win at once.
fn claim<L: Layout>(
    idea: Idea,
    board: &BoardMasks<L>,
    at: &BoundQuery<L::W>,
    target: i32,
) -> Option<Claim> {
    let is_even = (board.cells & !at.all).count_ones().is_multiple_of(2);
    let unpaired = without(Idea::PairedColumns);
    let upper = match idea {
        Idea::Claimeven if is_even => claimeven(board, at, target, unpaired),
        Idea::PairedColumns if is_even && claimeven(board, at, 0, unpaired).is_none() => {
            claimeven(board, at, 0, Ideas::ALL)
        }
        Idea::OddThreat if !is_even => odd_threat(board, at, 0),
        Idea::OnTop => return claim_on_top(board, at, 0, Ideas::ALL),
        Idea::LeftAlone => {
            // Only what columns left alone are needed for.
            let target = 1 - target;
            let is_new = claim_on_top(board, at, target, without(idea)).is_none();
            return if is_new { claim_on_top(board, at, target, Ideas::ALL) } else { None };
        }
        _ => None,
    };
    upper.map(Claim::AtMost)
}

/// Checks a bound at random positions, until it has checked `cutoffs` cutoffs.
fn check_layout<L: Layout>(
    test: &TestBoard,
    layout: L,
    idea: Idea,
    cutoffs: u64,
    seed: u64,
) -> ClaimCounts {
    let rules: Rules = test.game.parse().unwrap_or_else(|why| panic!("{why}"));
    let board = BoardMasks::new(&rules, layout);
    let mut engine =
        Engine::new(board, Ideas::NO_BOUNDS, 16 << 20).expect("memory for a small table");
    let mut random = Random::for_item(seed, idea as u64);
    let mut counts = ClaimCounts::default();
    while counts.cutoffs < cutoffs {
        let plies = test.min_discs + random.below((rules.cells() - test.min_discs) as usize) as u32;
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
        // With the target 0, the weakest claim counts too; afterevens take part if it is lower, and
        // columns left alone if the same number above 0 is.
        let target = -(random.below(4) as i32);
        let Some(claim) = claim(idea, &board, &at, target) else { continue };
        let alpha = match claim {
            Claim::AtMost(upper) => upper,
            Claim::AtLeast(lower) => lower - 1,
        };
        engine.meter.begin(&Budget::unlimited().with_nodes(NODE_LIMIT), None);
        let ply = position.ply() as i32;
        let Some(bound) = engine.null_window::<Portable>((own, opponent), ply, alpha, u64::MAX)
        else {
            counts.unknown += 1;
            continue;
        };
        let holds = matches!(claim, Claim::AtLeast(_));
        assert!(
            (bound > alpha) == holds,
            "{}, {}: {claim:?}, but the search found {bound}, seed {seed}\n{position}",
            idea.name(),
            test.game
        );
        counts.cutoffs += 1;
        counts.holds += u64::from(holds);
        counts.losses += u64::from(!holds && alpha < 0);
        let takes_aftereven = || claimeven(&board, &at, target, without(Idea::Aftereven)).is_none();
        counts.afterevens += u64::from(idea == Idea::Claimeven && takes_aftereven());
    }
    counts
}

/// Checks `cutoffs` cutoffs of every bound on every board, with the layouts in turn.
fn check(cutoffs: u64, seed: u64) -> [ClaimCounts; BOUNDS.len()] {
    BOUNDS.map(|idea| {
        let mut sum = ClaimCounts::default();
        for (index, test) in BOARDS.iter().enumerate() {
            let rules: Rules = test.game.parse().unwrap_or_else(|why| panic!("{why}"));
            let (width, height) = (rules.width(), rules.height());
            let seed = seed + index as u64;
            let counts = if height <= 7 && seed.is_multiple_of(2) {
                check_layout(test, ByteColumns, idea, cutoffs, seed)
            } else if seed.is_multiple_of(3) {
                check_layout(test, PackedColumns::<u128>::new(width, height), idea, cutoffs, seed)
            } else {
                check_layout(test, PackedColumns::<u64>::new(width, height), idea, cutoffs, seed)
            };
            let on = format!("{} on {}", idea.name(), test.game);
            assert_eq!(counts.afterevens > 0, idea == Idea::Claimeven, "{on}: afterevens");
            let wins = matches!(idea, Idea::Claimeven | Idea::OddThreat);
            assert_eq!(counts.losses > 0, wins, "{on}: losses");
            let moves = matches!(idea, Idea::OnTop | Idea::LeftAlone);
            assert_eq!(counts.holds > 0, moves, "{on}: moves that hold");
            sum += counts;
        }
        sum
    })
}

/// A move for answering on top is one after which that stops everything, whatever columns are left
/// alone.
#[test]
fn moves_for_answering_on_top_are_found_at_once() {
    let mut random = Random::new(7);
    let mut found = [[0; 2]; 4];
    for game in ["7x6c4", "5x7c4", "6x6c4", "8x5c4"] {
        let rules: Rules = game.parse().unwrap_or_else(|why| panic!("{why}"));
        let board =
            BoardMasks::new(&rules, PackedColumns::<u64>::new(rules.width(), rules.height()));
        for _ in 0..16_000 {
            let plies = random.below(rules.cells() as usize) as u32;
            let target = random.below(4);
            let Some(position) = random_position(&rules, plies, true, &mut random) else {
                continue;
            };
            let (own, opponent) = board.discs(&position);
            let all = own | opponent;
            let safe = board.safe_moves(all, board.completing(opponent) & !all);
            // With threats of its own, the order in which columns are looked for makes a difference.
            if safe == 0 || board.completing(own) & !all != 0 {
                continue;
            }
            let stops = |mv: u64| {
                let all = all | mv;
                // The threats that a move makes are not looked for.
                let at =
                    BoundQuery { own: opponent, all, playable: board.playable(all), threats: 0 };
                on_top::bound(&board, &at, target as i32, Ideas::ALL).is_some()
            };
            let mut moves = safe;
            let mut expected = false;
            while moves != 0 {
                expected |= stops(moves.lowest());
                moves = moves.without_lowest();
            }
            let bound =
                on_top::bound_after_move(&board, own, opponent, safe, target as i32, Ideas::ALL);
            assert_eq!(bound.is_some(), expected, "{game}, above {target}\n{position}");
            assert!(bound.is_none_or(|bound| bound <= target as i32), "{bound:?}, {target}");
            found[target][usize::from(expected)] += 1;
        }
    }
    assert!(found.as_flattened().iter().all(|&count| count > 1000), "{found:?}");
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
        (
            Idea::PairedColumns,
            0,
            ". . . . . . . / . . o . . . . / . . x . . . . / \
             . . o o . . . / . . x x . x . / . o x x . o o",
        ),
        (
            Idea::OnTop,
            0,
            ". . . . . . . / . . . . . . . / . x . . . . . / \
             . o . . . . . / o x x . . x x / o o x x . o o",
        ),
        (
            Idea::LeftAlone,
            3,
            ". . . . o x . / . . . . x o . / . . x o x o . / \
             x . x x x o . / o . o o o x . / x . o x o x .",
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
        let target = match idea {
            Idea::Aftereven => -1,
            Idea::LeftAlone => score,
            _ => 0,
        };
        let with = |ideas: Ideas| match idea {
            Idea::OddThreat => odd_threat(&board, &at, target),
            Idea::OnTop | Idea::LeftAlone => on_top::bound(&board, &at, target, ideas),
            _ => claimeven(&board, &at, target, ideas),
        };
        if matches!(idea, Idea::Aftereven | Idea::PairedColumns | Idea::LeftAlone) {
            assert_eq!(with(without(idea)), None, "\n{position}");
        }
        let claim = with(Ideas::ALL);
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
