//! Levels 1 to 12: players of calibrated strength that overlook what people overlook.
//!
//! A level is the exact solver with oversights. Every candidate move gets a look of its own, as far
//! ahead as that look happens to reach: [`Skill::sight`] is how far it reaches half of the time.
//! What lies within reach is seen exactly, forced play included; a line that is diagonal, high or
//! opened by the own disc below it counts as further away ([`look`]). Moves about which nothing was
//! seen are judged at a glance by the lines they build and block ([`judge`]), some of which are
//! left out of account at random, plus noise. The model and its sources are in `docs/levels.md`.
//!
//! A level is limited by nodes, never by time, uses whole numbers only, and draws its random
//! numbers from the seed and the number of discs on the board. So one seed gives one game, on every
//! machine, whether the player is kept between its moves or seated anew for each.

mod judge;
mod look;
mod skill;
mod tempt;

pub use judge::Style;
pub use skill::{LEVEL_ELO, LEVELS, Skill};
pub(super) use tempt::Tempter;

use super::spec::{SpecError, parse_in};
use super::{Choice, Player, PlayerError, Thinking};
use crate::budget::Budget;
use crate::game::{Move, Position, Rules};
use crate::play::character::Character;
use crate::random::Random;
use crate::score::Verdict;
use crate::search::nearest;
use crate::solver::SolveError;
use judge::Judge;
use look::{LateSolver, Looker};

/// The seat of a level or a character: `level:5`, `character:otto`. For experiments, a level's
/// skill can be changed: `level:5,sight=3.5,drop=0.2,noise=12`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LevelSpec {
    /// From 1 to 12.
    pub level: u8,
    /// How well it sees; that of the level unless it was changed.
    pub skill: Skill,
    /// What it likes.
    pub style: Style,
    /// The character who sits there, if it is one.
    pub character: Option<&'static Character>,
}

impl LevelSpec {
    /// A level from 1 to 12; none beyond.
    #[must_use]
    pub fn new(level: u8) -> Option<Self> {
        let skill = *LEVELS.get(usize::from(level).checked_sub(1)?)?;
        Some(Self { level, skill, style: Style::PLAIN, character: None })
    }

    /// The level whose strength on 7x6c4 is nearest to this one, in Elo above `random`.
    #[must_use]
    pub fn of_elo(elo: u32) -> Self {
        let nearest = (1..).zip(LEVEL_ELO).min_by_key(|(_, of_level)| of_level.abs_diff(elo));
        nearest.and_then(|(level, _)| Self::new(level)).expect("there are levels")
    }

    /// A character.
    #[must_use]
    pub fn of_character(character: &'static Character) -> Self {
        let skill = LEVELS[usize::from(character.level) - 1];
        let (level, style) = (character.level, character.style);
        Self { level, skill, style, character: Some(character) }
    }

    /// From the arguments of `level:`, without the share of random moves.
    pub(super) fn of(arguments: &[&str]) -> Result<Self, SpecError> {
        let expected = "levels go from 1 to 12, as in level:5";
        let wrong =
            |value: &str| SpecError::Value { argument: "level", value: value.to_owned(), expected };
        let (first, rest) = arguments.split_first().ok_or_else(|| wrong(""))?;
        let level = parse_in(first, &(1..=LEVELS.len() as u8)).ok_or_else(|| wrong(first))?;
        let mut spec = Self::new(level).ok_or_else(|| wrong(first))?;
        for argument in rest {
            let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
            spec.skill.set(key, value)?;
        }
        Ok(spec)
    }

    /// From the arguments of `character:`.
    pub(super) fn of_character_named(arguments: &[&str]) -> Result<Self, SpecError> {
        let id = arguments.first().copied().unwrap_or("");
        let known = || super::CHARACTERS.iter().map(|character| character.id);
        let character = Character::named(id).ok_or_else(|| SpecError::UnknownPlayer {
            name: format!("character:{}", crate::game::excerpt(id)),
            hint: nearest(id, known())
                .unwrap_or_else(|| format!("there are {}", known().collect::<Vec<_>>().join(", "))),
        })?;
        match arguments.get(1) {
            None => Ok(Self::of_character(character)),
            Some(argument) => Err(SpecError::UnknownArgument {
                player: "character",
                argument: (*argument).to_owned(),
                hint: "it takes none but random=SHARE".to_owned(),
            }),
        }
    }

    /// Name and arguments, as they are written.
    pub(super) fn written(&self) -> (&'static str, Vec<String>) {
        if let Some(character) = self.character {
            return ("character", vec![character.id.to_owned()]);
        }
        let mut arguments = vec![self.level.to_string()];
        if let Some(usual) = Self::new(self.level) {
            arguments.extend(self.skill.changes(&usual.skill));
        }
        ("level", arguments)
    }

    /// Takes the seat.
    pub(super) fn player(&self, rules: &Rules, seed: u64, budget: &Budget) -> LevelPlayer {
        let solver = LateSolver::new(rules);
        let budget = budget.part().with_nodes(self.skill.nodes);
        let judge = Judge::new(rules);
        let tempter = self.style.tricky.then(|| Tempter::new(rules));
        let (skill, style) = (self.skill, self.style);
        LevelPlayer { skill, style, seed, budget, solver, judge, tempter }
    }
}

/// A level at the board.
#[derive(Debug)]
pub struct LevelPlayer {
    skill: Skill,
    style: Style,
    seed: u64,
    /// For one move; renewed for the next.
    budget: Budget,
    solver: LateSolver,
    judge: Judge,
    tempter: Option<Tempter>,
}

/// A candidate move as the level sees it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    mv: Move,
    /// What was seen of it, for the side that makes it.
    seen: Option<Verdict>,
    /// What it looks like at a glance, noise included.
    glance: i32,
}

/// A win seen is worth this much, less its distance.
const WIN_SEEN: i64 = 1_000_000;
/// What a ply of distance counts among wins and losses seen: more than any glance.
const PLY_SEEN: i64 = 1000;
/// No glance counts for more.
const LARGEST_GLANCE: i32 = 400;

impl Candidate {
    /// The larger, the better it seems.
    fn worth(&self) -> i64 {
        let glance = i64::from(self.glance.clamp(-LARGEST_GLANCE, LARGEST_GLANCE));
        let plies = |plies: Option<u32>| i64::from(plies.unwrap_or(0)) * PLY_SEEN;
        match self.seen {
            Some(Verdict::Win { plies: end }) => WIN_SEEN - plies(end) + glance,
            Some(Verdict::Loss { plies: end }) => -WIN_SEEN + plies(end) + glance,
            // A draw is neither good nor bad; of several, the one that looks best.
            Some(Verdict::Draw) => glance / 4,
            Some(Verdict::Estimate(_)) | None => glance,
        }
    }
}

impl Player for LevelPlayer {
    fn choose(&mut self, position: &Position) -> Result<Choice, PlayerError> {
        let budget = self.budget.renewed();
        let mut random = Random::for_item(self.seed, u64::from(position.ply()));
        let glances = self.judge.glances(position, &self.skill, &self.style, &mut random);
        // Whatever was searched before must not decide what the node limit suffices for now.
        self.solver.forget();
        let chosen =
            if self.skill.sight.is_none() { self.best(position, &glances, &budget)? } else { None };
        let chosen = match chosen {
            Some(chosen) => chosen,
            None => self.noticed(position, &glances, &budget, &mut random)?,
        };
        let verdict = chosen.seen.unwrap_or(Verdict::Estimate(chosen.glance));
        let depth = verdict.plies().unwrap_or(1);
        let thinking =
            Thinking { verdict, depth, nodes: budget.spent(), evaluations: glances.len() as u64 };
        Ok(Choice { mv: chosen.mv, thinking: Some(thinking) })
    }
}

impl LevelPlayer {
    /// Plays with another seed from now on, as if seated anew.
    pub(super) fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The best move there is, and of several the one that looks best; none if it cannot be proven
    /// within half of the budget.
    fn best(
        &mut self,
        position: &Position,
        glances: &[(Move, i32)],
        budget: &Budget,
    ) -> Result<Option<Candidate>, PlayerError> {
        let mut order = glances.to_vec();
        order.sort_by_key(|&(_, glance)| std::cmp::Reverse(glance));
        let moves: Vec<Move> = order.iter().map(|&(mv, _)| mv).collect();
        let half = budget.part().with_nodes(budget.nodes_left().map(|nodes| nodes / 2));
        let solver = self.solver.get()?;
        let found = match &self.tempter {
            Some(tempter) => tempter
                .choose(solver, position, &moves, &half)
                .map(|choice| (choice.mv, choice.thinking.map(|thinking| thinking.verdict))),
            None => {
                let best = solver.best_move(position, &moves, &half).map_err(PlayerError::from);
                best.and_then(|(solved, best)| {
                    Ok((best.ok_or(PlayerError::GameOver)?, Some(solved.verdict)))
                })
            }
        };
        match found {
            Ok((mv, seen)) => Ok(Some(Candidate { mv, seen, glance: 0 })),
            Err(PlayerError::Solver(SolveError::Unfinished { .. })) if !budget.is_stopped() => {
                Ok(None)
            }
            Err(why) => Err(why),
        }
    }

    /// The move that seems best after a look at each.
    fn noticed(
        &mut self,
        position: &Position,
        glances: &[(Move, i32)],
        budget: &Budget,
        random: &mut Random,
    ) -> Result<Candidate, PlayerError> {
        let mut best: Option<Candidate> = None;
        for (index, &(mv, glance)) in glances.iter().enumerate() {
            // Each may spend an even share of what is left.
            let to_come = (glances.len() - index) as u64;
            let part = budget.part().with_nodes(budget.nodes_left().map(|nodes| nodes / to_come));
            let mut looker = Looker {
                solver: &mut self.solver,
                judge: &self.judge,
                skill: &self.skill,
                style: &self.style,
                budget: &part,
                luck: random.next_u64() >> 32,
            };
            let seen = looker.look(position, mv)?;
            let candidate = Candidate { mv, seen, glance };
            if best.is_none_or(|best| candidate.worth() > best.worth()) {
                best = Some(candidate);
            }
        }
        best.ok_or(PlayerError::GameOver)
    }
}
