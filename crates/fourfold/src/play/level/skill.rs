//! How well each level sees: the one table that makes the ladder.

use super::SpecError;
use crate::play::spec::parse_in;
use crate::search::nearest;

/// How well a player sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skill {
    /// How far ahead a look at a move reaches half of the time, in hundredths of a ply; none for
    /// the end of the game, always.
    pub sight: Option<u32>,
    /// Of a thousand possible wins on the board, how many are left out of account in a turn.
    pub drop: u32,
    /// How much the judgement at a glance varies: its standard deviation, in points.
    pub noise: u32,
    /// Wins at once and threats of the opponent at once are never overlooked.
    pub alert: bool,
    /// Node limit per move.
    pub nodes: u64,
}

/// Nodes a move for all levels but the last: a few tenths of a second in a browser.
const NODES: u64 = 600_000;
/// Nodes a move for the last level.
const MOST_NODES: u64 = 4_000_000;

const fn skill(sight: u32, drop: u32, noise: u32) -> Skill {
    Skill { sight: Some(sight), drop, noise, alert: false, nodes: NODES }
}

const fn alert(sight: u32, drop: u32, noise: u32) -> Skill {
    Skill { alert: true, ..skill(sight, drop, noise) }
}

/// The skill of levels 1 to 12. `sight` is fitted so that on 7x6c4 the steps of the ladder are
/// alike: `cargo run --release -p fourfold --example fit_levels`.
pub const LEVELS: [Skill; 12] = [
    skill(65, 680, 80),
    skill(97, 540, 49),
    skill(140, 425, 32),
    skill(240, 300, 20),
    skill(350, 200, 14),
    alert(410, 155, 11),
    alert(705, 105, 9),
    alert(1390, 50, 7),
    alert(2300, 26, 6),
    alert(3400, 16, 6),
    alert(4700, 13, 6),
    Skill { sight: None, nodes: MOST_NODES, ..alert(0, 0, 6) },
];

/// What levels 1 to 12 are worth on 7x6c4, in Elo above `random`; measured as `docs/levels.md`
/// says.
pub const LEVEL_ELO: [u32; 12] = [110, 210, 310, 470, 640, 810, 940, 1110, 1250, 1360, 1450, 1570];

impl Skill {
    /// Whether a look reaches as far as something that takes `effort` hundredths of a ply to see.
    /// `luck` below 2^32 decides how far this look reaches; the same look may be asked several
    /// times. The chance is s^4 / (s^4 + e^4), for sight s and effort e.
    #[must_use]
    pub fn reaches(&self, effort: u32, luck: u64) -> bool {
        let Some(sight) = self.sight else { return true };
        let (sight, effort) = (u128::from(sight).pow(4), u128::from(effort).pow(4));
        u128::from(luck) * (sight + effort) < sight << 32
    }

    /// Sets a part of it by name.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let wrong =
            |argument, expected| SpecError::Value { argument, value: value.to_owned(), expected };
        match key {
            "sight" => {
                let expected = "it is a number of plies from 0.01 to 100";
                let plies: f64 =
                    parse_in(value, &(0.01..=100.0)).ok_or_else(|| wrong("sight", expected))?;
                self.sight = Some((plies * 100.0).round() as u32);
            }
            "drop" => {
                let expected = "it is a share from 0 to 1";
                let share: f64 =
                    parse_in(value, &(0.0..=1.0)).ok_or_else(|| wrong("drop", expected))?;
                self.drop = (share * 1000.0).round() as u32;
            }
            "noise" => {
                let expected = "it is a number of points from 0 to 1000";
                self.noise =
                    parse_in(value, &(0..=1000)).ok_or_else(|| wrong("noise", expected))?;
            }
            _ => {
                let known = ["sight", "drop", "noise", "random"];
                let hint = nearest(key, known.into_iter())
                    .unwrap_or_else(|| format!("it takes {}", known.join(", ")));
                let argument = crate::game::excerpt(key);
                return Err(SpecError::UnknownArgument { player: "level", argument, hint });
            }
        }
        Ok(())
    }

    /// What differs from a level's usual skill, as it is written.
    pub(super) fn changes(&self, usual: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        if let Some(sight) = self.sight.filter(|_| self.sight != usual.sight) {
            changes.push(format!("sight={}", f64::from(sight) / 100.0));
        }
        if self.drop != usual.drop {
            changes.push(format!("drop={}", f64::from(self.drop) / 1000.0));
        }
        if self.noise != usual.noise {
            changes.push(format!("noise={}", self.noise));
        }
        changes
    }
}
