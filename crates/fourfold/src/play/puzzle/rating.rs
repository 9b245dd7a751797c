//! How hard a puzzle is: the levels of play try it, and a logistic curve over their Elo says at
//! which rating half of the tries succeed.

use crate::budget::Budget;
use crate::game::{Move, Position};
use crate::play::level::{LEVEL_ELO, LevelPlayer, LevelSpec};
use crate::play::{Player, PlayerError};
use crate::random::Random;

/// How often each level tries a puzzle.
pub const TRIES: u32 = 6;

/// The last level always sees to the end of the game, so its tries would tell nothing.
const TRYING_LEVELS: usize = LEVEL_ELO.len() - 1;

/// How a level fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelTries {
    /// What the level is worth, in Elo.
    pub elo: u32,
    /// How often it tried.
    pub tries: u32,
    /// How often it found every move that is asked for.
    pub solved: u32,
}

/// Has levels 1 to 11 try a puzzle. A try succeeds if the level finds every move that is asked for,
/// one after the other. The seeds follow from the moves that lead to the position, so the same
/// puzzle is always tried in the same way.
///
/// # Errors
/// If the work was stopped, or there is no memory.
pub fn try_levels(
    moves: &[Move],
    position: &Position,
    line: &[Move],
    asked: usize,
    budget: &Budget,
) -> Result<Vec<LevelTries>, PlayerError> {
    let seed =
        moves.iter().fold(0, |seed, mv| Random::for_item(seed, u64::from(mv.bit()) + 1).next_u64());
    let tried = |(index, &elo): (usize, &u32)| -> Result<LevelTries, PlayerError> {
        let spec = LevelSpec::new(index as u8 + 1).expect("there is a level of this number");
        let mut player = spec.player(position.rules(), 0, budget);
        let mut solved = 0;
        for number in 0..TRIES {
            let item = u64::from(number) * LEVEL_ELO.len() as u64 + index as u64;
            player.reseed(Random::for_item(seed, item).next_u64());
            solved += u32::from(finds(&mut player, *position, line, asked)?);
        }
        Ok(LevelTries { elo, tries: TRIES, solved })
    };
    LEVEL_ELO[..TRYING_LEVELS].iter().enumerate().map(tried).collect()
}

/// Whether a player finds the moves that are asked for.
fn finds(
    player: &mut LevelPlayer,
    mut position: Position,
    line: &[Move],
    asked: usize,
) -> Result<bool, PlayerError> {
    for pair in line.chunks(2).take(asked) {
        if player.choose(&position)?.mv != pair[0] {
            return Ok(false);
        }
        position = pair.iter().fold(position, |position, &mv| position.play_unchecked(mv));
    }
    Ok(true)
}

/// Ratings are given in steps of this many points, up to [`MOST`].
pub(super) const STEP: u32 = 10;
const MOST: u32 = 2000;

/// How many points make a success ten times as likely, against failure: the slopes that are tried.
const SCALES: [f64; 7] = [100.0, 150.0, 200.0, 300.0, 400.0, 600.0, 800.0];

/// Before anything is tried: the usual difficulty and slope, and how far both usually stray. They
/// matter only where nearly all tries agree.
const USUAL: (f64, f64) = (800.0, 500.0);
const USUAL_SCALE: (f64, f64) = (300.0, 0.5);

/// The rating at which half of the tries succeed: the most likely logistic curve over the levels'
/// Elo, given how each fared.
///
/// ```
/// use fourfold::play::{LevelTries, difficulty};
///
/// let fared = |solved: [u32; 3]| {
///     let level = |(elo, solved)| LevelTries { elo, tries: 10, solved };
///     difficulty(&[400, 800, 1200].into_iter().zip(solved).map(level).collect::<Vec<_>>())
/// };
/// assert_eq!(fared([1, 5, 9]), 800);
/// assert!(fared([0, 1, 5]) > 1000 && fared([5, 9, 10]) < 600);
/// ```
#[must_use]
pub fn difficulty(levels: &[LevelTries]) -> u32 {
    let likelihood = |rating: u32, scale: f64| {
        let off = (f64::from(rating) - USUAL.0) / USUAL.1;
        let stretched = (scale / USUAL_SCALE.0).ln() / USUAL_SCALE.1;
        let fit: f64 = levels
            .iter()
            .map(|&LevelTries { elo, tries, solved }| {
                let odds = 10f64.powf((f64::from(rating) - f64::from(elo)) / scale);
                let (success, failure) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
                let failed = f64::from(tries.saturating_sub(solved));
                f64::from(solved) * success.max(1e-12).ln() + failed * failure.max(1e-12).ln()
            })
            .sum();
        fit - (off * off + stretched * stretched) / 2.0
    };
    let best = (0..=MOST / STEP)
        .flat_map(|step| SCALES.map(|scale| (step * STEP, likelihood(step * STEP, scale))))
        .max_by(|(_, a), (_, b)| a.total_cmp(b));
    best.map_or(0, |(rating, _)| rating)
}
