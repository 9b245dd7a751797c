//! Every cut that a static bound would make in any game, against a search that knows no bounds.

use super::super::Bounds;
use super::super::cpu::Portable;
use super::super::soundness::random_position;
use super::bounds::Situation;
use super::{Engine, Falling, Ground, Placed};
use crate::budget::Budget;
use crate::game::{Position, Rules, Word};
use crate::random::Random;

/// Games with how many discs lie on the board at least, so that search alone is quick enough.
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

/// The search without bounds gives a position up after so many nodes.
const PATIENCE: u64 = 1_000_000;

/// How often each bound spoke, by its place in [`Bounds::NAMES`].
type Cuts = [u64; Bounds::NAMES.len()];

/// Asks every bound at random positions of one game.
fn check_game<W: Word, const GRAVITY: bool, const IMAGES: usize>(
    engine: &mut Engine<W, GRAVITY, IMAGES>,
    (rules, from): (Rules, u32),
    positions: u32,
    random: &mut Random,
) -> Cuts {
    let ground = Ground::<W, GRAVITY, IMAGES>::new(&rules);
    let mut cuts = Cuts::default();
    let mut seen = 0;
    while seen < positions {
        let plies = from + random.below((rules.cells() - from) as usize) as u32;
        let careful = random.chance(0.75);
        let Some(position) = random_position(&rules, plies, careful, random) else { continue };
        if position.wins_at_once() {
            continue;
        }
        seen += 1;
        let (own, opponent) = ground.discs(&position);
        let all = own | opponent;
        let (empties, playable) = (ground.cells & !all, ground.playable(all));
        let threats = ground.completing(opponent) & !all;
        let at = Situation { own, all, playable, threats };
        if GRAVITY && (threats & playable).is_zero() {
            let (index, said) = match position.empty() % 2 {
                0 => (0, ground.evens(&at, 0)),
                _ => (1, ground.odd_threat(&at, 0)),
            };
            if let Some(most) = said {
                cuts[index] += 1;
                confirm(engine, &position, index, None, Some(most));
            }
        }
        // That the side to move does not win, and that the other does not.
        for (x, o_to_move) in [(opponent, true), (own, false)] {
            let said = [
                !ground.is_open(x),
                !GRAVITY && ground.is_faint(x, empties, o_to_move),
                ground.is_paired(x, empties, playable),
            ];
            for (index, _) in said.into_iter().enumerate().filter(|(_, said)| *said) {
                cuts[2 + index] += 1;
                let (least, most) = if o_to_move { (None, Some(0)) } else { (Some(0), None) };
                confirm(engine, &position, 2 + index, least, most);
            }
        }
    }
    cuts
}

/// The score is at least and at most what was said of it.
fn confirm<W: Word, const GRAVITY: bool, const IMAGES: usize>(
    engine: &mut Engine<W, GRAVITY, IMAGES>,
    position: &Position,
    bound: usize,
    least: Option<i32>,
    most: Option<i32>,
) {
    let root = engine.root(position);
    let mut ask = |alpha: i32| {
        engine.meter.begin(&Budget::unlimited().with_nodes(PATIENCE), None);
        engine.compare::<Portable>(&root, alpha, u64::MAX)
    };
    let case = || format!("{} of {}\n{position}", Bounds::NAMES[bound].0, position.rules());
    if let Some(most) = most {
        let found = ask(most);
        assert!(
            found.is_none_or(|found| found <= most),
            "at most {most}, but {found:?}: {}",
            case()
        );
    }
    if let Some(least) = least {
        let found = ask(least - 1);
        assert!(
            found.is_none_or(|found| found >= least),
            "at least {least}, but {found:?}: {}",
            case()
        );
    }
}

/// So many positions of every game, each in both words that its board fits.
fn check(positions: u32, seed: u64) -> Cuts {
    fn run<W: Word, const GRAVITY: bool, const IMAGES: usize>(
        game: (Rules, u32),
        positions: u32,
        random: &mut Random,
    ) -> Cuts {
        let ground = Ground::<W, GRAVITY, IMAGES>::new(&game.0);
        let mut engine =
            Engine::new(ground, Bounds::NONE, 16 << 20).expect("memory for a small table");
        check_game(&mut engine, game, positions, random)
    }
    let mut sum = Cuts::default();
    for (index, (game, from)) in GAMES.into_iter().enumerate() {
        let rules: Rules = game.parse().unwrap_or_else(|why| panic!("{why}"));
        let mut random = Random::for_item(seed, index as u64);
        let (game, half) = ((rules, from), positions / 2);
        let cuts = if rules.gravity() {
            assert!(Falling::<u64>::fits(&rules));
            [
                run::<u64, true, 2>(game, half, &mut random),
                run::<u128, true, 2>(game, half, &mut random),
            ]
        } else {
            assert!(Placed::<u64>::fits(&rules));
            [
                run::<u64, false, 8>(game, half, &mut random),
                run::<u128, false, 8>(game, half, &mut random),
            ]
        };
        for (sum, cuts) in sum.iter_mut().zip(cuts[0].iter().zip(&cuts[1])) {
            *sum += cuts.0 + cuts.1;
        }
    }
    sum
}

#[test]
fn every_cut_in_any_game_is_right() {
    let cuts = check(600, 20_261);
    assert!(cuts.iter().all(|&cuts| cuts > 50), "{cuts:?}");
}

/// By hand: `cargo test --release -p fourfold --lib soundness -- --ignored --nocapture`.
#[test]
#[ignore = "minutes: the same with many more positions"]
fn every_cut_in_any_game_is_right_at_length() {
    let cuts = check(8000, 1_000_033);
    assert!(cuts.iter().all(|&cuts| cuts > 800), "{cuts:?}");
}
