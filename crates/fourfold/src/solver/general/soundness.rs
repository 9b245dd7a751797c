//! Checks every cutoff that a static bound would cause, in any game, against a search without
//! bounds.

use super::{GeneralBoard, GeneralEngine, GeneralRoot};
use crate::budget::Budget;
use crate::game::{Position, Rules, Word};
use crate::random::Random;
use crate::solver::bounds::BoundQuery;
use crate::solver::cpu::Portable;
use crate::solver::ideas::{Idea, Ideas};
use crate::solver::null_window::{Answer, Effort};
use crate::solver::soundness::random_position;

/// Games, and the least number of discs on the board for the search without bounds to be quick
/// enough.
const GAMES: [(&str, u32); 27] = [
    ("3x3c2", 0),
    ("4x4c3", 0),
    ("5x5c3", 6),
    ("6x6c3", 16),
    ("5x5c4", 6),
    ("5x6c5", 10),
    ("6x5c5", 10),
    ("7x6c5", 22),
    ("5x8c5", 18),
    ("6x6c6", 18),
    ("4x4s2", 2),
    ("5x5s2", 9),
    ("4x7s2", 10),
    ("6x6s2", 18),
    ("7x6s2", 24),
    ("5x6s3", 14),
    ("6x5s3", 12),
    ("3x3c3f", 0),
    ("4x3c3f", 0),
    ("4x4c3f", 2),
    ("4x4c4f", 2),
    ("5x4c4f", 7),
    ("5x5c4f", 12),
    ("5x5c5f", 12),
    ("4x4s2f", 4),
    ("5x5s2f", 13),
    ("5x5s3f", 12),
];

/// The node limit of the search without bounds.
const NODE_LIMIT: u64 = 1_000_000;

/// How many cutoffs each bound would cause, in the order of [`Idea::ALL`].
type Cutoffs = [u64; 9];

/// Checks every bound at random positions of one game.
fn check_game<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
    engine: &mut GeneralEngine<W, GRAVITY, SYMMETRIES>,
    (rules, from): (Rules, u32),
    positions: u32,
    random: &mut Random,
) -> Cutoffs {
    let board = GeneralBoard::<W, GRAVITY, SYMMETRIES>::new(&rules);
    let mut cutoffs = Cutoffs::default();
    let mut seen = 0;
    while seen < positions {
        let plies = from + random.below((rules.cells() - from) as usize) as u32;
        let careful = random.chance(0.75);
        let Some(position) = random_position(&rules, plies, careful, random) else { continue };
        if position.wins_at_once() {
            continue;
        }
        seen += 1;
        let (own, opponent) = board.discs(&position);
        let all = own | opponent;
        let (empties, playable) = (board.cells & !all, board.playable(all));
        let threats = board.completing(opponent) & !all;
        let at = BoundQuery { own, all, playable, threats };
        if GRAVITY && (threats & playable).is_zero() {
            let is_even = position.empty().is_multiple_of(2);
            let even = board.claimeven(&at, 0, false).filter(|_| is_even);
            // Afterevens take part if the target is lower than what even threats prove.
            let after = even.and_then(|upper| board.claimeven(&at, upper - 1, true));
            let odd = board.odd_threat(&at, 0).filter(|_| !is_even);
            let paired = (is_even && board.has_paired_columns(&at)).then_some(0);
            let claims = [
                (Idea::Claimeven, even),
                (Idea::Aftereven, after),
                (Idea::OddThreat, odd),
                (Idea::PairedColumns, paired),
            ];
            for (idea, upper) in claims {
                if upper.is_some() {
                    cutoffs[idea as usize] += 1;
                    confirm(engine, &position, idea, None, upper);
                }
            }
        }
        // First that the side to move does not win, then that the other does not.
        for (x, o_to_move) in [(opponent, true), (own, false)] {
            let on_top =
                |leaves_alone| GRAVITY && board.stops_on_top(x, all, playable, leaves_alone);
            let claims = [
                (Idea::Open, !board.has_open_shape(x)),
                (Idea::Potential, !GRAVITY && board.is_potential_low(x, empties, o_to_move)),
                (Idea::Pairs, board.has_pairing(x, empties, playable)),
                (Idea::OnTop, on_top(false)),
                (Idea::LeftAlone, o_to_move && on_top(true) && !on_top(false)),
            ];
            for (idea, _) in claims.into_iter().filter(|(_, claimed)| *claimed) {
                cutoffs[idea as usize] += 1;
                let (lower, upper) = if o_to_move { (None, Some(0)) } else { (Some(0), None) };
                confirm(engine, &position, idea, lower, upper);
            }
        }
    }
    cutoffs
}

/// Searches a null window, within the node limit.
fn ask<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
    engine: &mut GeneralEngine<W, GRAVITY, SYMMETRIES>,
    root: &GeneralRoot<W, SYMMETRIES>,
    alpha: i32,
    discrepancies: Option<u8>,
) -> Answer {
    engine.meter.begin(&Budget::unlimited().with_nodes(NODE_LIMIT), None);
    engine.null_window::<Portable>(root, alpha, Effort { pause_at: u64::MAX, discrepancies })
}

/// Checks that the score is within the claimed bounds.
fn confirm<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
    engine: &mut GeneralEngine<W, GRAVITY, SYMMETRIES>,
    position: &Position,
    idea: Idea,
    lower: Option<i32>,
    upper: Option<i32>,
) {
    let root = engine.root(position);
    let mut search = |alpha: i32| match ask(engine, &root, alpha, None) {
        Answer::Bound(found) => Some(found),
        Answer::Undecided | Answer::Halted => None,
    };
    let case = || format!("{} of {}\n{position}", idea.name(), position.rules());
    if let Some(upper) = upper {
        let found = search(upper);
        assert!(
            found.is_none_or(|found| found <= upper),
            "at most {upper}, but {found:?}: {}",
            case()
        );
    }
    if let Some(lower) = lower {
        let found = search(lower - 1);
        assert!(
            found.is_none_or(|found| found >= lower),
            "at least {lower}, but {found:?}: {}",
            case()
        );
    }
}

/// Checks `positions` positions of every game, half of them in each word size.
fn check(positions: u32, seed: u64) -> Cutoffs {
    fn run<W: Word, const GRAVITY: bool, const SYMMETRIES: usize>(
        game: (Rules, u32),
        positions: u32,
        random: &mut Random,
    ) -> Cutoffs {
        let board = GeneralBoard::<W, GRAVITY, SYMMETRIES>::new(&game.0);
        let mut engine = GeneralEngine::new(board, Ideas::NO_BOUNDS, 16 << 20)
            .expect("memory for a small table");
        check_game(&mut engine, game, positions, random)
    }
    let mut sum = Cutoffs::default();
    for (index, (game, from)) in GAMES.into_iter().enumerate() {
        let rules: Rules = game.parse().unwrap_or_else(|why| panic!("{why}"));
        let mut random = Random::for_item(seed, index as u64);
        let (game, half) = ((rules, from), positions / 2);
        let cutoffs = if rules.gravity() {
            [
                run::<u64, true, 2>(game, half, &mut random),
                run::<u128, true, 2>(game, half, &mut random),
            ]
        } else {
            [
                run::<u64, false, 8>(game, half, &mut random),
                run::<u128, false, 8>(game, half, &mut random),
            ]
        };
        for (sum, cutoffs) in sum.iter_mut().zip(cutoffs[0].iter().zip(&cutoffs[1])) {
            *sum += cutoffs.0 + cutoffs.1;
        }
    }
    sum
}

#[test]
fn every_cutoff_in_any_game_is_right() {
    let cutoffs = check(600, 20_261);
    assert!(cutoffs.iter().all(|&cutoffs| cutoffs > 30), "{cutoffs:?}");
}

/// Limited searches with more and more discrepancies at random positions of one game, against a full
/// search. Returns how many of them proved something that a smaller limit had not.
fn check_limited<W: Word>(
    (rules, from): (Rules, u32),
    positions: u32,
    random: &mut Random,
) -> [u64; LIMITS.len()] {
    let engine = |ideas| {
        GeneralEngine::new(GeneralBoard::<W, true, 2>::new(&rules), ideas, 1 << 20)
            .expect("memory for a small table")
    };
    let (mut full, mut limited) = (engine(Ideas::ALL), engine(Ideas::NO_BOUNDS));
    let mut proofs = [0; LIMITS.len()];
    for _ in 0..positions {
        let plies = from + random.below((rules.cells() - from) as usize) as u32;
        let Some(position) = random_position(&rules, plies, true, random) else { continue };
        if position.wins_at_once() {
            continue;
        }
        let root = full.root(&position);
        for alpha in [0, -1] {
            let Answer::Bound(truth) = ask(&mut full, &root, alpha, None) else { continue };
            let mut known = false;
            for (index, &discrepancies) in LIMITS.iter().enumerate() {
                match ask(&mut limited, &root, alpha, Some(discrepancies)) {
                    Answer::Bound(bound) => {
                        assert_eq!(bound > alpha, truth > alpha, "above {alpha}?\n{position}");
                        proofs[index] += u64::from(!known);
                        known = true;
                    }
                    Answer::Undecided => {
                        assert!(!known, "proven before: above {alpha}?\n{position}");
                        if discrepancies == u8::MAX {
                            let attacker_wins = (truth > alpha) == (alpha >= 0);
                            assert!(attacker_wins, "the defender holds: {alpha}\n{position}");
                        }
                    }
                    Answer::Halted => {}
                }
            }
            // What has failed is beside what is proven in the table, and must not be taken for it.
            if let Answer::Bound(bound) = ask(&mut limited, &root, alpha, None) {
                assert_eq!(bound > alpha, truth > alpha, "above {alpha}?\n{position}");
            }
        }
    }
    proofs
}

/// The discrepancies of limited searches.
const LIMITS: [u8; 7] = [0, 1, 2, 3, 4, 6, u8::MAX];

#[test]
fn limited_searches_prove_nothing_but_the_truth_and_all_of_it_without_a_limit() {
    let mut sum = [0; LIMITS.len()];
    for (index, (game, from)) in GAMES.into_iter().enumerate() {
        let rules: Rules = game.parse().unwrap_or_else(|why| panic!("{why}"));
        if !rules.gravity() {
            continue;
        }
        let mut random = Random::for_item(77, index as u64);
        for proofs in [
            check_limited::<u64>((rules, from), 100, &mut random),
            check_limited::<u128>((rules, from), 100, &mut random),
        ] {
            sum.iter_mut().zip(proofs).for_each(|(sum, proofs)| *sum += proofs);
        }
    }
    assert!(sum[..3].iter().all(|&proofs| proofs > 20), "{sum:?}");
}

#[test]
fn paired_columns_prove_whole_families_of_boards() {
    // Lines of four have a search of their own, but the bound is about them too.
    let holds = |game: &str| {
        let board = GeneralBoard::<u128, true, 2>::new(&game.parse().ok()?);
        let playable = board.playable(0);
        Some(board.has_paired_columns(&BoundQuery { own: 0, all: 0, playable, threats: 0 }))
    };
    let mut proven = 0;
    for (length, height) in (5..=8).flat_map(|length| [4, 6, 8, 10].map(|height| (length, height)))
    {
        for width in length..=20 {
            let game = format!("{width}x{height}c{length}");
            assert_ne!(holds(&game), Some(false), "{game}");
            proven += usize::from(holds(&game) == Some(true));
        }
    }
    assert!(proven > 100, "{proven}");
    for game in ["4x4c4", "5x4c4", "6x4c4", "4x6c4", "5x6c4", "6x6c4", "6x8c4"] {
        assert_eq!(holds(game), Some(true), "{game}");
    }
    // Here the first player wins.
    for game in ["7x6c4", "8x5c4", "6x7c4", "10x6c4"] {
        assert_eq!(holds(game), Some(false), "{game}");
    }
}

/// By hand: `cargo test --release -p fourfold --lib soundness -- --ignored --nocapture`.
#[test]
#[ignore = "minutes: the same with many more positions"]
fn every_cutoff_in_any_game_is_right_at_length() {
    let cutoffs = check(8000, 1_000_033);
    assert!(cutoffs.iter().all(|&cutoffs| cutoffs > 400), "{cutoffs:?}");
}
